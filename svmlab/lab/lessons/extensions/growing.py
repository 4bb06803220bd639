"""What the step on eps measures: the tube along eps, and the lines of tube and least squares where one point is
raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import SolverFailed
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.stage import Stage
from svmlab.regression import Along, Fit, Squares, along, least_squares, solve

T = TypeVar("T")
FEW = 60  # points up to which 40 tubes are solved within a picture
HEIGHTS = (0.0, 2.0, 5.0, 50.0)  # by which the far point is raised where it is marked
START = 5.0


def worked(stage: Stage, key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """What takes no longer than a blink on a board of few points, and else the worker's. Raises Working."""
    if len(stage.lab.points) <= FEW:
        return stage.cache.get_or_compute(key, make)
    return stage.background_result(key, lambda report: make())


def growing(stage: Stage) -> Along:
    """The tube at 41 eps, and where it becomes level. Raises Working."""
    problem = replace(stage.lab.regression_problem, eps=0.0)
    places = np.union1d(np.linspace(0.0, 1.1 * problem.constant_fit_eps, 41), [problem.constant_fit_eps])
    return worked(stage, ("along eps", problem.key), lambda: along(problem, places))


def flat(stage: Stage) -> float:
    """|w| at half the range by the second solver, on the program as it is written; nan where it comes to no end. Raises
    Working.
    """
    problem = replace(stage.lab.regression_problem, eps=stage.lab.regression_problem.constant_fit_eps)

    def second() -> float:
        try:
            return solve(problem, "primal-qp").norm_w
        except SolverFailed:  # at an extreme C
            return math.nan

    return worked(stage, ("flat", problem.key), second)


@dataclass(frozen=True, eq=False)
class Raised:
    """The slopes (k,) of the tube and of least squares where one point is raised by `by` (k,)."""

    by: Array
    tube: Array
    squares: Array


def far(stage: Stage) -> int:
    """The row of the selected point, else of the second from the right."""
    if stage.selected_row is not None:
        return stage.selected_row
    return int(np.argsort(stage.lab.regression_problem.data.X[:, 0], kind="stable")[-2])


def by(stage: Stage) -> float:
    """How far it is raised."""
    return stage.dial("raised", START)


def raised(stage: Stage, height: float) -> Lab:
    """The board with the far point so much higher, off its edge where need be."""
    lab, row = stage.lab, far(stage)
    point = lab.points[row]
    higher = point._replace(y=point.y + round(1000 * height))
    return replace(lab, points=(*lab.points[:row], higher, *lab.points[row + 1 :]))


def fitted(stage: Stage, height: float) -> Fit | None:
    """The tube of that board."""
    found = stage.cache.task_outcome(raised(stage, height)).solution
    return found if isinstance(found, Fit) else None


def squares(stage: Stage, height: float) -> Squares:
    """Least squares on that board."""
    return least_squares(raised(stage, height).regression_problem.data)


def slope(fit: Fit | Squares) -> float:
    """How much f rises from one x1 to the next."""
    below, above = fit.decision(np.array([[0.0], [1.0]]))
    return float(above - below)


def pulled(stage: Stage) -> Raised:
    """Both slopes from 0 to 50 upwards. Raises Working."""

    def make() -> Raised:
        heights = np.union1d(np.linspace(0.0, HEIGHTS[-1], 26), np.r_[HEIGHTS, np.linspace(0.0, 4.0, 17)])
        fits: list[Fit] = []
        for height in heights:
            problem = raised(stage, float(height)).regression_problem
            fits.append(solve(problem, start=fits[-1] if fits else None))
        lines = [squares(stage, float(height)) for height in heights]
        return Raised(frozen(heights), frozen([slope(fit) for fit in fits]), frozen([slope(one) for one in lines]))

    return worked(stage, ("raised", stage.lab.key, far(stage)), make)
