"""The lines of five losses: the pull of each point, and the lines without one of the points (L14).

Each line minimises F(w, b) = 1/m sum_i l(y_i f(x_i)) + lam/2 |w|^2 for its loss l. At the minimum the gradient is 0, so

    lam w = 1/m sum_i p_i y_i x_i,    0 = sum_i p_i y_i,    p_i = |l'(y_i f(x_i))|  (squared: with the sign of -l')

p_i is the pull of point i. At the kink of the hinge it is any number from 0 to 1; the one that balances is alpha_i/C.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Mask, frozen
from svmlab.data import Dataset
from svmlab.kernels.standard import Linear
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend

LINES = ("squared", "logistic", "exponential", "hinge", "sigmoid")
SIDE = 60  # points of the grid along each side of the board; an even number leaves out the axes, on which lines may lie
NOISE = 1e-9  # rounding error of f where it is 0


@dataclass(frozen=True, eq=False)
class Fitted:
    """The minimiser for one loss: w (2,), b, and t = y f (m,) and the pull (m,) of the points."""

    w: Array
    b: float
    t: Array
    pull: Array

    @property
    def wrong(self) -> Mask:
        """Return the training errors, (m,); a point on the line is one."""
        return np.asarray(self.t <= NOISE)

    @property
    def angle(self) -> float:
        """Return the direction of w in degrees, nan where w = 0 up to rounding."""
        return math.degrees(math.atan2(self.w[1], self.w[0])) if np.hypot(*self.w) > NOISE else math.nan


def fits(data: Dataset, lam: float, svm: Solution | None = None) -> dict[str, Fitted]:
    """Return the minimiser for every loss in LINES, by its name.

    svm: the solution for the hinge, if it is known, at C = 1/(lam m). The sigmoid loss has several minima: its descent
    starts at the minimiser of the hinge. Where there is only one class, no line is needed and f is its label, which is
    the minimiser for lam > 0 apart from the size of b.
    """
    if not data.both_classes:
        constant = Fitted(np.zeros(2), float(data.y[0]), np.ones(data.m), np.zeros(data.m))
        return dict.fromkeys(LINES, constant)
    solution = svm or solve(Problem(data, Linear(), 1.0 / (lam * data.m)))
    assert solution.w is not None
    fitted = {"hinge": Fitted(solution.w, solution.b, solution.margins, frozen(solution.alpha / solution.problem.C))}
    for name in LINES:
        if name not in fitted:
            objective = Objective(data, LOSSES[name], REGULARISERS["R2"], lam)
            start = None if LOSSES[name].convex else np.append(solution.w, solution.b)
            fit = descend(objective, start)
            t = objective.margins(fit.w, fit.b)
            fitted[name] = Fitted(fit.w, fit.b, frozen(t), frozen(LOSSES[name].absolute_slope(t)))
    return fitted


def without(data: Dataset, row: int) -> Dataset:
    """Return the points except one, of at least two."""
    kept = np.arange(data.m) != row
    return Dataset(data.X[kept], data.y[kept], data.ids[kept])


def turn(one: Fitted, other: Fitted) -> float:
    """Return the angle from the normal of `other` to that of `one` in degrees, -180 to 180.

    It is nan where either has no normal.
    """
    return (one.angle - other.angle + 180.0) % 360.0 - 180.0


def moved(one: Fitted, other: Fitted, half: float) -> float:
    """Return the part of the square [-half, half]^2 that the two assign to different classes."""
    axis = np.linspace(-half, half, SIDE)
    sides = []
    for fitted in (one, other):
        f = fitted.w[0] * axis[None, :] + fitted.w[1] * axis[:, None] + fitted.b
        sides.append(np.where(np.abs(f) <= NOISE, 0.0, np.sign(f)))
    return float((sides[0] != sides[1]).mean())
