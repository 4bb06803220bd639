"""The solutions of the primal and the dual problem by cvxopt, a second solver that does not use the exact method."""

from __future__ import annotations

from svmlab import SvmError
from svmlab.core.arrays import Array
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_
from svmlab.statements import DoesNotApply
from svmlab.statements.opinion import Dual, Primal


def cvxopt_solutions(stage: Stage) -> tuple[Primal | None, Dual] | None:
    """Return the primal solution, if w has finitely many components, and the dual one, or None without convergence."""
    problem, situation = stage.lab.problem, stage.situation
    finite = problem.kernel.feature_dim(problem.data.d) is not None
    try:
        if problem.hard:
            return situation.hard_primal if finite else None, situation.hard_dual
        return situation.soft_primal if finite else None, situation.soft_dual
    except (DoesNotApply, SvmError):
        return None


def required_cvxopt_solutions(stage: Stage) -> tuple[Primal | None, Dual]:
    """Return the solutions on a board that meets the need SECOND."""
    solutions = cvxopt_solutions(stage)
    assert solutions is not None, "this step needs SECOND"
    return solutions


def cvxopt_w_and_b(stage: Stage) -> tuple[Array, float]:
    """Return w, in the coordinates of the Situation, and b, from the dual if w has infinitely many components."""
    primal, dual = required_cvxopt_solutions(stage)
    if primal is not None:
        return primal.w, primal.b
    return (dual.alpha * stage.data.y) @ stage.situation.Phi, dual.b


SECOND = Need(
    lambda stage: cvxopt_solutions(stage) is not None,
    N_("This step compares two solvers, and the second one, cvxopt, does not converge on these points."),
    {},
)
