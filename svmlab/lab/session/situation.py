"""The situation of a board, on which the statements are checked, for points of any task."""

from __future__ import annotations

import math
from dataclasses import replace

from svmlab import BadInput, Solution
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.lab import Lab
from svmlab.regression import Tube
from svmlab.statements import Situation


def situation_of(lab: Lab, solution: Solution | None) -> Situation:
    """Return the situation of a board; `solution` is the solution of `lab.problem`, used for two classes only.

    A board of several classes or of values brings its multiclass or regression problem as well.
    """
    if lab.task == BINARY:
        return Situation(lab.problem, solution)
    problem = (
        lab.problem if lab.problem.has_equal_costs else replace(lab.problem, costs=EQUAL_COSTS)
    )  # the other tasks have no class costs
    return Situation(problem, None, lab.multiclass_problem if lab.task == CLASSES else None, _tube(lab))


def situation_key(lab: Lab) -> tuple[str, str, str, float]:
    """Return a key of the situation: equal keys mean equal verdicts of every check.

    The key consists of the task, the problem, the points with their labels, and eps for values.
    """
    return lab.task, lab.problem.key, lab.points_key, lab.eps if lab.task == VALUES else 0.0


def _tube(lab: Lab) -> Tube | None:
    """Return the regression problem of a board of values, or None for another task or a kernel that it does not accept.

    C is 1 if the board has a hard margin.
    """
    if lab.task != VALUES:
        return None
    try:
        return (replace(lab, hard=False, face="C", value=1.0) if math.isinf(lab.C) else lab).regression_problem
    except BadInput:
        return None
