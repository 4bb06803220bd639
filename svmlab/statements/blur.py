"""The gap of a machine, and what the gaps of two leave open: a difference that is no more than that says nothing against a statement."""

from __future__ import annotations

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import EPS, Array
from svmlab.solvers.bias import middle_bias, bias_interval
from svmlab.statements.situation import DoesNotApply

ROUGH = 1e-5  # of the value: a gap that programs with numbers far apart are left with


def need_exact(off: float, tol: float, *gaps: float) -> None:
    """That a difference of two machines, where it is above the tolerance, is more than their own gaps leave open."""
    if tol < off <= tol + sum(gaps):
        raise DoesNotApply(
            "The numbers of this board are too far apart to tell: round-off alone can make the difference that is left. "
            "Lower C, move the points apart, or choose other parameters."
        )


def relative_gap(machine: Solution) -> float:
    """Between the two values of a machine, in what its points cost where w = 0."""
    return abs(machine.objective - machine.dual_objective) / max(1.0, machine.problem.C * machine.problem.data.m)


def decision_uncertainty(problem: Problem, alpha: Array) -> float:
    """How far <w, phi(x)> of these multipliers may be from the optimum's at any point: X sqrt(2 g), g their own gap with its round-off.

    0 where the gap is no round-off, for then something else is wrong.
    """
    y, K = problem.data.y, problem.gram
    own = (alpha * y) @ K
    square = float((alpha * y) @ own)
    b = middle_bias(*bias_interval(own, y, problem.bounds, problem.hard)) if problem.bias else 0.0
    loss = float(problem.bounds @ np.maximum(0.0, 1.0 - y * (own + b)))
    value = 0.5 * square + loss
    gap = max(0.0, value - float(alpha.sum()) + 0.5 * square)
    blur = EPS * float(problem.bounds.sum() * (alpha @ np.abs(K)).max())
    return float(np.sqrt(2.0 * (gap + blur) * np.diag(K).max())) if gap <= ROUGH * value + blur else 0.0
