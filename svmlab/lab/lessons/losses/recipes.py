"""The minimiser of any pair of a convex loss and a regulariser, by one descent; and which pairs have none here (L5,
L10).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.losses import Objective, descend

NONE = 1e-8  # of f: as much as w or b may change and still be 0 but for the rounded corners of the descent
WITHOUT = 1e-11  # of F, where the largest |y f| is 1: so little is nothing
ON = 1e-9  # of the largest t: as far from the line as rounding leaves a point that lies on it


@dataclass(frozen=True, eq=False)
class Least:
    """Where F is least, w (2,) and b, with F there; `t` (m,) the y f of the points. w = 0 where no line does better
    than none.

    ends: whether there is such a place; where not, F falls for ever and the rest is where a descent was left.
    """

    w: Array
    b: float
    value: float
    t: Array
    ends: bool

    @property
    def line(self) -> bool:
        """Whether there is a boundary."""
        return self.ends and bool(self.w.any())

    @property
    def wrong(self) -> Mask:
        """Which points have y f <= 0, (m,)."""
        return self.t <= ON * np.abs(self.t).max()

    @property
    def errors(self) -> int:
        """How many they are."""
        return int(self.wrong.sum())


def least(objective: Objective) -> Least:
    """One descent, whatever the pair. No F is below 0: where w = 0 costs nothing, only a line that costs nothing does
    as well.
    """
    data, d = objective.data, objective.data.d
    nothing = Least(frozen(np.zeros(d)), 0.0, 0.0, frozen(np.zeros(data.m)), True)
    free = float(objective.value(nothing.w)) == 0.0
    if free and objective.lam * float(objective.regulariser.value(np.ones(d))) > 0:
        return nothing
    fit = descend(objective)
    w, b, ends = fit.w, fit.b, fit.converged
    top = float(np.abs(objective.margins(w, b)).max())
    if free and (top == 0 or float(objective.value(w / top, b / top)) > WITHOUT):
        return nothing
    if ends:
        along = (data.X - data.X.mean(0) if objective.bias else data.X) @ w
        w = w if np.abs(along).max() > NONE else nothing.w
        b = b if w.any() or abs(b) > NONE else 0.0
    value = 0.0 if free else float(objective.value(w, b))
    return Least(frozen(w), b, value, frozen(objective.margins(w, b)), ends)
