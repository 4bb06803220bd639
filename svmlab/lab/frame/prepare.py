"""What an installation does once: compile the inner loops before anybody waits for them in the middle of something."""

from __future__ import annotations

import math

import streamlit as st

from svmlab import Dataset, Gaussian, Linear, Problem, make_dataset, pegasos, regularization_path, solve
from svmlab.kernels import KERNELS
from svmlab.lab import text
from svmlab.scene import scene


@st.cache_resource(show_spinner=text.PREPARING)
def prepare() -> None:
    """`rehearse` once for each start of the server."""
    rehearse()


def rehearse() -> None:
    """Small problems of every kind: some ten seconds the first time, a blink later."""
    few, many = make_dataset("overlapping", 24), make_dataset("overlapping", 500)
    for kernel in (every() for every in KERNELS.values()):
        for bias in (True, False):
            for C in (0.1, 1e3):
                scene(solve(Problem(few, kernel, C, bias)), 4.0)
        if kernel.psd:
            solve(Problem(many, kernel, 1.0))
    solve(Problem(make_dataset("separable", 24), Linear(), math.inf))
    moved = Dataset(few.X + 1e-3 * (few.ids == 0)[:, None], few.y)
    solve(Problem(moved, Gaussian(1.0)), start=solve(Problem(few, Gaussian(1.0))))
    regularization_path(Problem(few, Linear()))
    pegasos(few, 0.1, 100)
    pegasos(few, 0.1, 100, kernel=Gaussian(1.0))
