"""Four forms of the hard-margin problem, each solved by its own method (M5 to M7, H1 to H3; note C, versions 1 to 4).

margin   max over |u| = 1, b of  min_i y_i (<u, x_i> + b)          by rotating u
scale    max 1/|w|  subject to  min_i y_i (<w, x_i> + b) = 1       the same line, scaled so that the smallest y f is 1
square   min 1/2 |w|^2  subject to  y_i (<w, x_i> + b) >= 1        the primal problem, cvxopt
dual     max sum alpha - 1/2 alpha'Q alpha, alpha >= 0, y'alpha = 0  the dual problem, cvxopt
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable, separate
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import BadInput
from svmlab.data import Dataset
from svmlab.kernels.standard import Linear
from svmlab.statements import opinion
from svmlab.statements.geometry import best_direction, widest_margins


@dataclass(frozen=True, eq=False)
class Version:
    """The line <w, x> + b = 0 of a version, the value of its own objective, and the measured margin of the line."""

    name: str
    w: Array
    b: float
    value: float
    margin: float


def versions(data: Dataset, bias: bool = True) -> tuple[Version, ...]:
    """Return the four versions on separable points in the plane.

    Raises BadInput for points of one class with a bias or not in the plane, and NotSeparable where no line separates
    them.
    """
    X, y = data.X, data.y
    if data.d != 2 or data.m == 0 or (bias and not data.both_classes):
        raise BadInput("The four versions need points of both classes in the plane.")
    problem = Problem(data, Linear(), math.inf, bias)
    separation = separate(data, Linear(), bias)
    if not separation.separable:
        raise NotSeparable("No line separates the classes. Move the points that stand among the others.", separation)
    u, gamma = best_direction(X, y, bias)
    projections = X @ u
    b = -0.5 * float(projections[y > 0].min() + projections[y < 0].max()) if bias else 0.0
    primal, dual = opinion.primal(problem), opinion.dual(problem)
    lines = (
        ("margin", u, b, gamma),
        ("scale", u / gamma, b / gamma, gamma),
        ("square", primal.w, primal.b, primal.value),
        ("dual", (dual.alpha * y) @ X, dual.b, dual.value),
    )
    return tuple(
        Version(name, frozen(w), b, value, float((y * (X @ w + b)).min() / np.linalg.norm(w)))
        for name, w, b, value in lines
    )


@dataclass(frozen=True, eq=False)
class Turn:
    """The largest margin (k,) for the normal at each angle (k,), negative where no line with this normal separates."""

    angle: Array
    margin: Array

    @property
    def shortest_w(self) -> Array:
        """Return the shortest w in each separating direction, u / margin, shape (n, 2).

        They are the boundary of the set of all w for which some b gives every y f >= 1.
        """
        separates = self.margin > 0
        u = np.stack([np.cos(self.angle[separates]), np.sin(self.angle[separates])], 1)
        return np.asarray(u / self.margin[separates][:, None])


def turn(data: Dataset, bias: bool = True, around: Array | None = None, count: int = 721) -> Turn:
    """Return the margin at `count` equal angles, from half a turn before to half a turn after `around` (2,)."""
    middle = 0.0 if around is None else math.atan2(float(around[1]), float(around[0]))
    angle = middle + np.linspace(-math.pi, math.pi, count)
    U = np.stack([np.cos(angle), np.sin(angle)], 1)
    return Turn(frozen(angle), frozen(widest_margins(data.X, data.y, U, bias)))
