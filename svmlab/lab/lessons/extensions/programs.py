"""The primal and the dual program of the tube, each solved as it is written, beside the exact method (X2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from svmlab import SvmError
from svmlab.binary.solve import Method
from svmlab.core.arrays import Array
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import _
from svmlab.regression import Fit, Tube, solve

T = TypeVar("T")
FEW = 20  # points up to which both programs are solved while a picture is drawn
FEW_FOR_A_PATH = 60  # points up to which about 40 tubes are solved while a picture is drawn
Programs = tuple[Fit | None, Fit | None]


def computed(stage: Stage, key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Return a result at once on a board of few points, otherwise as background work. Raises Working."""
    if len(stage.lab.points) <= FEW_FOR_A_PATH:
        return stage.cache.get_or_compute(key, make)
    return stage.background_result(key, lambda report: make())


def both_programs(stage: Stage) -> Programs | None:
    """Return the solutions of the primal and of the dual program, each solved as it is written.

    None while they are computed or something moves. One of them is None if it cannot be solved in this form, as the
    primal program with infinitely many features.
    """
    tube = stage.lab.regression_problem

    def make() -> Programs:
        return _solution(tube, "primal-qp"), _solution(tube, "dual-qp")

    if tube.data.m <= FEW:
        return stage.cached("tube programs", make)
    return None if stage.moving else stage.background_result_or_none(("tube programs", tube.key), lambda report: make())


def _solution(tube: Tube, method: Method) -> Fit | None:
    try:
        return solve(tube, method)
    except SvmError:
        return None


def multiplier_bounds(residuals: Array, eps: float, C: float, tol: float) -> tuple[Array, Array]:
    """Return the smallest and the largest alpha − alpha* (m,) that the KKT conditions allow for each residual (m,).

    Both are 0 inside the tube and ±C outside. On an edge the interval between them is allowed.
    """
    hi = np.where(residuals >= eps - tol, C, np.where(residuals >= -eps - tol, 0.0, -C))
    lo = np.where(residuals <= -eps + tol, -C, np.where(residuals <= eps + tol, 0.0, C))
    return lo, hi


def kkt_violation(primal: Fit, dual: Fit) -> float:
    """Return how far the multipliers of the dual are at most from what the residuals of the primal allow.

    A rounding error is 0.
    """
    tol = max(primal.tolerance, dual.tolerance)
    lo, hi = multiplier_bounds(primal.residuals, primal.problem.eps, primal.problem.C, tol)
    violation = float(np.abs(dual.beta - np.clip(dual.beta, lo, hi)).max())
    return violation if violation > ROUNDING * primal.problem.C else 0.0


def as_written(stage: Stage) -> str | None:
    """Return both values in words with the difference of w and b, or None unless both programs are solved."""
    primal, dual = both_programs(stage) or (None, None)
    if primal is None or dual is None or primal.w is None or dual.w is None:
        return None
    difference = float(np.abs(np.r_[primal.w - dual.w, primal.b - dual.b]).max())
    return _(
        "**Primal and dual.** Two solvers compute the same line. The primal program has the value {primal}, and the "
        "dual program has the value {dual}. Their $w$ and $b$ differ by {difference}."
    ).format(
        primal=short(primal.objective, 8),
        dual=short(dual.dual_objective, 8),
        difference=short(difference, 2, 16 * max(primal.noise, dual.noise)),
    )
