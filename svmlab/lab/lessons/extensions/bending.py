"""What the step on a curved tube measures: where its points come from, its errors along what is turned, one tube
twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from svmlab import Polynomial
from svmlab.kernels.base import Parameter
from svmlab.lab.lessons.extensions import noisy
from svmlab.lab.lessons.extensions.boards import values
from svmlab.lab.lessons.extensions.growing import worked
from svmlab.lab.lessons.extensions.noisy import Errors, TwoWays, narrow, two_ways
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.stage import Report, Stage
from svmlab.regression import Fit, Tube, Values, solve

POINTS = 25  # of a draw
WIDTHS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.0, 3.0, 6.0)
PRICES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
TUBES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 1.5, 2.0)
CUBIC = Polynomial(3, 1.0)


def width(stage: Stage) -> Parameter | None:
    """The width of the kernel: the first of its parameters that is scrubbed, of a kernel that is narrow as it likes."""
    kernel = stage.lab.kernel_function
    found = next((p for p in kernel.parameters if isinstance(p, Parameter) and p.slider), None)
    return found if kernel.separates_distinct_points and kernel.psd else None


def drawn(seed: int) -> Lab:
    """A draw of the wave, with a Gaussian."""
    rows = [(x / 1000, y / 1000) for x, y in noisy.wave(POINTS, seed)]
    machine = {"kernel": "gaussian", "sigma": 1.0, "value": 100.0, "eps": 0.0}
    return values(rows, size=POINTS, seed=seed, **machine)()


@lru_cache(1)
def fresh() -> Values:
    """What a draw has not shown, always the same."""
    return noisy.unseen()


def others(stage: Stage) -> Values | None:
    """Other points from where those of the board come from; None where nobody knows."""
    lab = stage.lab
    return fresh() if noisy.is_wave([(p.x, p.y) for p in lab.points], lab.size, lab.seed) else None


def few(data: Values, n: int) -> Values:
    """The first n of them."""
    return Values(data.X[:n], data.y[:n])


def closest(stage: Stage) -> Fit:
    """The curve that the question is about. Raises Working."""
    problem = narrow(stage.lab.regression_problem)
    return worked(stage, ("narrow", problem.key), lambda: solve(problem))


def present(stage: Stage, turned: str) -> float:
    """Where the board stands."""
    parameter, lab = width(stage), stage.lab
    assert parameter is not None
    return {"sigma": float(getattr(lab, parameter.name)), "C": lab.C, "eps": lab.eps}[turned]


def at(stage: Stage, turned: str, value: float) -> Tube:
    """The tube on the board with another width, price or eps."""
    parameter, problem = width(stage), stage.lab.regression_problem
    assert parameter is not None
    if turned == "sigma":
        return replace(problem, kernel=replace(problem.kernel, **{parameter.name: value}))
    return replace(problem, C=value) if turned == "C" else replace(problem, eps=value)


def work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Errors]]:
    """What is turned, over a grid and at the board's own value, and its name."""
    turned = str(stage.pick("bent"))
    grid = {"sigma": WIDTHS, "C": PRICES, "eps": TUBES}[turned]
    unseen = others(stage)
    problems = [(value, at(stage, turned, value)) for value in sorted({*grid, present(stage, turned)})]
    key = ("bent", turned, unseen is not None, *(problem.key for _value, problem in problems))

    def make(report: Report) -> Errors:
        parts = []
        for i, one in enumerate(problems):
            report(i / len(problems))
            parts.append(noisy.errors([one], unseen))
        return Errors(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("at", "train", "unseen")))

    return key, make


def ways(stage: Stage) -> TwoWays:
    """The tube of degree 3 at the board's C and eps, twice. Raises Working."""
    problem = replace(stage.lab.regression_problem, kernel=CUBIC)
    half = stage.lab.view
    return worked(stage, ("ways", problem.key, half), lambda: two_ways(problem, half))
