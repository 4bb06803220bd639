"""Each of the ways in which the exact method begins, on points that call for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Problem, make_dataset, solve
from svmlab.solvers.box_qp import partition
from svmlab.solvers.gram.build import SMALL_PROBLEM, build_gram
from svmlab.solvers.start import ALL_ZERO, HARD_MARGIN_BOUND, INTERIOR, PAIRS, SHORT_FACTOR, initial_alpha

LARGE = 1e4


def begun(m: int, kernel, C: float, bias: bool = True, shape: str = "overlapping"):
    """Q, kappa, the labels, and the start with its name."""
    data = make_dataset(shape, m)
    X, y = np.array(data.X), np.array(data.y)
    Q, kappa = build_gram(kernel, X, y)
    a, how = initial_alpha(Q, y, np.full(m, C), bias)
    return Q, kappa, y, a, how


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("m", "kernel", "C", "start_method"),
    [
        (60, Gaussian(0.5), 1.0, PAIRS),
        (SMALL_PROBLEM + 50, Gaussian(0.3), LARGE, PAIRS),  # too local for a factor
        (60, Gaussian(4.0), LARGE, INTERIOR),
        (60, Gaussian(30.0), 100 * LARGE, INTERIOR),  # a factor leaves nothing, but of few points the matrix is as good
        (SMALL_PROBLEM + 100, Linear(), LARGE, INTERIOR),
        (SMALL_PROBLEM + 50, Gaussian(8.0), LARGE, SHORT_FACTOR),
    ],
)
def test_the_start_fits_the_kernel_and_c_and_most_points_have_their_final_category(m, kernel, C, start_method, bias):
    _, kappa, _, a, how = begun(m, kernel, C, bias)
    assert how == start_method
    assert a.min() >= 0
    assert a.max() <= C
    solution = solve(Problem(make_dataset("overlapping", m), kernel, C / kappa, bias))
    right = partition(a, np.full(m, C)) == solution.states
    assert right.mean() > 0.97


@pytest.mark.parametrize("bias", [True, False])
def test_where_few_can_be_more_than_0_every_multiplier_is_0(bias):
    m = SMALL_PROBLEM + 100
    y = np.where(np.arange(m) < 5, 1.0, -1.0)
    Q, _ = build_gram(Linear(), np.random.default_rng(0).normal(size=(m, 3)), y)
    a, how = initial_alpha(Q, y, np.full(m, 1.0), bias)
    assert (how == ALL_ZERO) == bias
    assert a.any() != bias


@pytest.mark.parametrize(
    ("kernel", "shape", "start_method"), [(Gaussian(0.5), "separable", PAIRS), (Linear(), "moons", INTERIOR)]
)
def test_a_hard_margin_starts_at_a_large_c(kernel, shape, start_method):
    Q, _, y, a, how = begun(100, kernel, math.inf, shape=shape)
    assert how == start_method
    assert 0 < a.max() <= HARD_MARGIN_BOUND
    f = y * Q.times(a)
    assert (f[y > 0].min() > f[y < 0].max()) == (shape == "separable"), "apart, where they can be"
