"""The second solver: what cvxopt makes of the two printed programs of the board, which the exact method never sees."""

from __future__ import annotations

from svmlab import SvmError
from svmlab.core.arrays import Array
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_
from svmlab.statements import DoesNotApply
from svmlab.statements.opinion import Dual, Primal


def cvxopt_solutions(stage: Stage) -> tuple[Primal | None, Dual] | None:
    """The primal, where w has finitely many entries, and the dual; None where the solver gives up."""
    problem, situation = stage.lab.problem, stage.situation
    finite = problem.kernel.feature_dim(problem.data.d) is not None
    try:
        if problem.hard:
            return situation.hard_primal if finite else None, situation.hard_dual
        return situation.soft_primal if finite else None, situation.soft_dual
    except (DoesNotApply, SvmError):
        return None


def required_cvxopt_solutions(stage: Stage) -> tuple[Primal | None, Dual]:
    """The same where the need SECOND is met."""
    found = cvxopt_solutions(stage)
    assert found is not None, "this step needs SECOND"
    return found


def cvxopt_w_and_b(stage: Stage) -> tuple[Array, float]:
    """W, in the coordinates of the Situation, and b: of the primal, or of the dual where w has no end."""
    primal, dual = required_cvxopt_solutions(stage)
    if primal is not None:
        return primal.w, primal.b
    return (dual.alpha * stage.data.y) @ stage.situation.Phi, dual.b


SECOND = Need(
    lambda stage: cvxopt_solutions(stage) is not None,
    N_("This step compares two solvers, and the second one, cvxopt, does not converge on these points."),
    {},
)
