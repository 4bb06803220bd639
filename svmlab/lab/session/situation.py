"""The board as statements are checked on it, whatever its points are."""

from __future__ import annotations

import math
from dataclasses import replace

from svmlab import BadInput, Solution
from svmlab.binary.problem import EVEN
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.state import Lab
from svmlab.regression import Tube
from svmlab.statements import Situation


def situation_of(lab: Lab, solution: Solution | None) -> Situation:
    """With its classes or its tube where it has others than two classes; `solution` is that of `lab.problem`."""
    if lab.task == BINARY:
        return Situation(lab.problem, solution)
    problem = lab.problem if lab.problem.even else replace(lab.problem, costs=EVEN)  # nothing of a task costs more
    return Situation(problem, None, lab.multiclass_problem if lab.task == CLASSES else None, _tube(lab))


def key_of(lab: Lab) -> tuple[str, str, str, float]:
    """Equal keys, equal answers of every check: the task, points and machine, the labels, eps where it counts."""
    return lab.task, lab.problem.key, lab.points_key, lab.eps if lab.task == VALUES else 0.0


def _tube(lab: Lab) -> Tube | None:
    """That of a board of values, at C = 1 for the hard margin; None where its kernel has none."""
    if lab.task != VALUES:
        return None
    try:
        return (replace(lab, hard=False, face="C", value=1.0) if math.isinf(lab.C) else lab).regression_problem
    except BadInput:
        return None
