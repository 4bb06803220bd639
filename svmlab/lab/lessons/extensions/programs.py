"""The tube's two programs, each solved as it is written, side by side with the exact method (X2)."""

from __future__ import annotations

import numpy as np

from svmlab import SvmError
from svmlab.binary.solve import Method
from svmlab.core.arrays import Array
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import _
from svmlab.regression import Fit, Tube, solve

FEW = 20  # points up to which both programs are solved within a picture
Answers = tuple[Fit | None, Fit | None]


def answers(stage: Stage) -> Answers | None:
    """What the primal program comes to and what the dual one, each as it is written; None while that is worked on or
    things move.

    One of them is None where it cannot be solved so: the primal program of infinitely many features.
    """
    tube = stage.lab.regression_problem

    def both() -> Answers:
        return _found(tube, "primal-qp"), _found(tube, "dual-qp")

    if tube.data.m <= FEW:
        return stage.cached("tube programs", both)
    return None if stage.moving else stage.background_result_or_none(("tube programs", tube.key), lambda report: both())


def _found(tube: Tube, method: Method) -> Fit | None:
    try:
        return solve(tube, method)
    except SvmError:
        return None


def asked(residuals: Array, eps: float, C: float, tol: float) -> tuple[Array, Array]:
    """The least and the largest alpha - alpha* (m,) that each residual allows: 0 inside, +-C outside, up to that on an
    edge.
    """
    hi = np.where(residuals >= eps - tol, C, np.where(residuals >= -eps - tol, 0.0, -C))
    lo = np.where(residuals <= -eps + tol, -C, np.where(residuals <= eps + tol, 0.0, C))
    return lo, hi


def misfit(primal: Fit, dual: Fit) -> float:
    """How far the multipliers of one program are at most from what the residuals of the other allow; rounding is 0."""
    lo, hi = asked(primal.residuals, primal.problem.eps, primal.problem.C, max(primal.tolerance, dual.tolerance))
    apart = float(np.abs(dual.beta - np.clip(dual.beta, lo, hi)).max())
    return apart if apart > ROUNDING * primal.problem.C else 0.0


def written(stage: Stage) -> str | None:
    """Both values in words, with w and b of each; None where one of the programs is not solved as it is written, or not
    yet.
    """
    primal, dual = answers(stage) or (None, None)
    if primal is None or dual is None or primal.w is None or dual.w is None:
        return None
    apart = float(np.abs(np.r_[primal.w - dual.w, primal.b - dual.b]).max())
    return _(
        "**Two ways.** The program, solved as it is written, has the value {primal}, its dual {dual}. "
        "Their $w$ and $b$ differ by {apart}."
    ).format(
        primal=short(primal.objective, 8),
        dual=short(dual.dual_objective, 8),
        apart=short(apart, 2, 16 * max(primal.noise, dual.noise)),
    )
