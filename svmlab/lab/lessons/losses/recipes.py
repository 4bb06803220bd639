"""The minimiser for any pair of a convex loss and a regulariser, by one descent, and pairs without one (L5, L10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.losses import Objective, descend

NONE = 1e-8  # in units of f: w or b that change f by at most this count as 0, because the descent smooths the kinks
WITHOUT = 1e-11  # in units of F, where the largest |y f| is 1: at most this counts as 0
ON = 1e-9  # relative to the largest t: the rounding error of t of a point on the line


@dataclass(frozen=True, eq=False)
class Minimiser:
    """The minimiser of F, w (2,) and b, with the value of F there; `t` (m,) are the y f of the points.

    w = 0 where no line is better than none. ends: whether there is a minimiser. If not, F falls without bound, and the
    other fields are those of the last iterate.
    """

    w: Array
    b: float
    value: float
    t: Array
    ends: bool

    @property
    def has_boundary(self) -> bool:
        """Return whether there is a decision boundary."""
        return self.ends and bool(self.w.any())

    @property
    def wrong(self) -> Mask:
        """Return which points have y f <= 0, (m,)."""
        return self.t <= ON * np.abs(self.t).max()

    @property
    def errors(self) -> int:
        """Return the number of training errors."""
        return int(self.wrong.sum())


def minimise(objective: Objective) -> Minimiser:
    """Return the minimiser by one descent, whatever the pair.

    No F is below 0. Where F = 0 at w = 0, only a line whose F is 0 is as good.
    """
    data, d = objective.data, objective.data.d
    zero = Minimiser(frozen(np.zeros(d)), 0.0, 0.0, frozen(np.zeros(data.m)), True)
    is_zero_at_0 = float(objective.value(zero.w)) == 0.0
    if is_zero_at_0 and objective.lam * float(objective.regulariser.value(np.ones(d))) > 0:
        return zero
    fit = descend(objective)
    w, b, ends = fit.w, fit.b, fit.converged
    largest_margin = float(np.abs(objective.margins(w, b)).max())
    if is_zero_at_0 and (
        largest_margin == 0 or float(objective.value(w / largest_margin, b / largest_margin)) > WITHOUT
    ):
        return zero
    if ends:
        projections = (data.X - data.X.mean(0) if objective.bias else data.X) @ w
        w = w if np.abs(projections).max() > NONE else zero.w
        b = b if w.any() or abs(b) > NONE else 0.0
    value = 0.0 if is_zero_at_0 else float(objective.value(w, b))
    return Minimiser(frozen(w), b, value, frozen(objective.margins(w, b)), ends)
