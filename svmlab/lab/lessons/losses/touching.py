"""Where the ball of a regulariser touches the contours of the mean hinge in the plane of w, for any p (L8).

    min_w  mean hinge (b minimised out) + lam/p sum_j |w_j|^p        p = 1: R1, p = 2: R2, p = 0: lam times R0

The balls of this price are those of Rp. From p = 1 on it is convex, and a descent finds the minimum. Below there are
several valleys: the plane is looked at on circles around the origin, then the neighbourhood of the best place, finer
and finer. The axes are among the directions, so that a 0 is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Objective, Regulariser, descend
from svmlab.solvers.bias import hinges

ANGLES, CIRCLES = 360, 140  # as many as a chart shows
BEYOND, FARTHEST = 40, 30.0  # circles outside of what a chart shows, and how much farther the last of them is
ROUNDS, FINER, BESIDE = 26, 2.0, 6  # how often the neighbourhood is looked at, by how much finer, places to each side
SHOWN = 5  # rounds for a path
TURN = 2.4  # radians, the golden angle
START = 0.05  # the lambda down to which a chart shows the path, unless the board's is below
ROOM, WIDE = 1.25, 1.6  # how much more than the answers a chart shows, and how much wider than high it is


@dataclass(frozen=True, eq=False)
class Ground:
    """The mean hinge around the origin: loss (k, n) at far_i (cos, sin)(angle_j). half: of what a chart shows, in w2.

    The last angle is the first once more, so that contours close.
    """

    far: Array
    angle: Array
    loss: Array
    half: float

    @property
    def shown(self) -> tuple[Array, Array, Array]:
        """Both coordinates of w and the loss there, (CIRCLES, n) each, as far as a chart shows them."""
        u = directions(self.angle)
        return np.outer(self.far[:CIRCLES], u[:, 0]), np.outer(self.far[:CIRCLES], u[:, 1]), self.loss[:CIRCLES]


@dataclass(frozen=True)
class Power(Regulariser):
    """1/p sum |w_j|^p for p > 1; R2 is that of p = 2. Below 2 it bends without end at 0, and is rounded off there."""

    name: ClassVar[str] = "power"
    p: float

    def smoothed(self, w: Array, mu: float) -> tuple[Array, Array, Array]:
        """What each weight costs and both derivatives, shape (d,) each."""
        p = self.p
        if p >= 2:
            return np.abs(w) ** p / p, np.sign(w) * np.abs(w) ** (p - 1), (p - 1) * np.abs(w) ** (p - 2)
        size = np.hypot(w, mu)
        return size**p / p, w * size ** (p - 2), ((p - 1) * w**2 + mu**2) * size ** (p - 4)

    def value(self, w: Array) -> Array:
        """R(w) for w (..., d), shape (...)."""
        return price(w, self.p)


def directions(angle: Array) -> Array:
    """(cos, sin) of each angle (n,), shape (n, 2), exactly 0 and 1 on the axes."""
    u = np.column_stack([np.cos(angle), np.sin(angle)])
    u[np.abs(u) < 1e-15] = 0.0
    return u


def price(w: Array, p: float) -> Array:
    """1/p sum_j |w_j|^p of w (..., d), shape (...); the number of weights that are not 0 for p = 0."""
    if p == 0:
        return np.count_nonzero(w, axis=-1).astype(float)
    return (np.abs(w) ** p).sum(-1) / p


def survey(data: Dataset, bias: bool, lam: float, report: Callable[[float], None] = lambda done: None) -> Ground:
    """The ground as far as a chart of the answers at lam, and at START, shows it, and some circles beyond."""
    few = min(lam, START)
    ends = [descend(Objective(data, LOSSES["hinge"], REGULARISERS[r], few, bias)).w for r in ("R1", "R2")]
    half = ROOM * float(np.abs(ends).max()) or 1.0
    reach = float(np.hypot(1.0, WIDE)) * half
    far = np.r_[np.linspace(0.0, reach, CIRCLES), reach * np.geomspace(1.0, FARTHEST, BEYOND + 1)[1:]]
    angle = np.linspace(0.0, 2 * np.pi, ANGLES + 1)
    u, loss = directions(angle), np.empty((len(far), len(angle)))
    for i, r in enumerate(far):
        loss[i] = hinges(data.X, data.y, r * u, bias) / data.m
        report((i + 1) / len(far))
    return Ground(frozen(far), frozen(angle), frozen(loss), half)


def coarse(ground: Ground, lam: float, p: float, every: int = 1) -> tuple[int, int]:
    """The circle and the direction of the best place that was looked at, the innermost of several. every: 1 for all
    directions.
    """
    unit = price(directions(ground.angle[::every]), p)
    cost = np.outer(ground.far > 0 if p == 0 else ground.far**p, unit)
    total = ground.loss[:, ::every] + lam * cost
    i, j = np.unravel_index(int(np.argmin(total)), total.shape)
    return int(i), every * int(j)


def best(data: Dataset, bias: bool, ground: Ground, lam: float, p: float) -> Array:
    """The best w (2,); below p = 1 the best within the ground."""
    if p < 1:
        return looked(data, bias, ground, lam, p)
    return descend(Objective(data, LOSSES["hinge"], REGULARISERS["R1"] if p == 1 else Power(p), lam, bias)).w


def looked(data: Dataset, bias: bool, ground: Ground, lam: float, p: float, rounds: int = ROUNDS) -> Array:
    """The best w (2,) within the ground, by looking at places alone, in so many rounds finer and finer."""

    def value(W: Array) -> Array:
        return hinges(data.X, data.y, W, bias) / data.m + lam * price(W, p)

    found = []
    for every, freely in ((1, 1.0), (ANGLES // 4, 0.0)):  # the best of all, and the best of the axes
        i, j = coarse(ground, lam, p, every)
        at = np.array([ground.far[i], ground.angle[j]])
        step = np.array([np.diff(ground.far[max(i - 1, 0) : i + 2]).max(), ground.angle[1]])
        if i == 0:  # it may lie within the innermost circle
            at, step = _inside(value, ground, at, step)
        found.append(_nearer(value, at, step * [1.0, freely], rounds))
    places = np.vstack(found)
    F = value(places)
    return frozen(places[0] if F[0] < F[1] else places[1])  # of equal ones that on the axis


def _nearer(value: Callable[[Array], Array], at: Array, step: Array, rounds: int) -> Array:
    """The best place (1, 2) around a radius and an angle, at most so many steps away at first."""
    beside = np.linspace(-1.5, 1.5, 2 * BESIDE + 1)
    shift = np.stack([each.ravel() for each in np.meshgrid(beside, beside)], 1)
    least = float(value(_place(at[None]))[0])
    for turn in range(rounds):  # turned each time besides, lest a narrow valley lie across the grid
        cos, sin = np.cos(TURN * turn), np.sin(TURN * turn)
        near = at + step * np.vstack([shift, shift @ np.array([[cos, sin], [-sin, cos]])])
        near[:, 0] = np.maximum(near[:, 0], 0.0)
        F = value(_place(near))
        k = int(F.argmin())
        better = F[k] < least - 1e-15
        rim = better and beside[-1] in np.abs(shift[k % len(shift)])
        if better:
            at, least = near[k], float(F[k])
        step = step if rim else step / FINER  # at the rim it may lie beyond
    return _place(at[None])


def _place(polar: Array) -> Array:
    return polar[:, :1] * directions(polar[:, 1])


def _inside(value: Callable[[Array], Array], ground: Ground, at: Array, step: Array) -> tuple[Array, Array]:
    """The best place on circles closer and closer to the origin, and the steps between them."""
    angle, r = ground.angle[:-1:4], float(ground.far[1])
    for _round in range(8):
        r /= 4.0
        polar = np.column_stack([np.full(len(angle), r), angle])
        F = value(_place(np.vstack([at, polar])))
        if F[1:].min() < F[0]:
            return polar[int(F[1:].argmin())], np.array([r, 4 * step[1]])
    return at, np.zeros(2)


def path(
    data: Dataset,
    bias: bool,
    ground: Ground,
    lams: Array,
    p: float,
    report: Callable[[float], None] = lambda done: None,
) -> Array:
    """The best w for each lam (k,), shape (k, 2), as finely as a chart shows it."""
    found = []
    for i, lam in enumerate(lams.tolist()):
        found.append(looked(data, bias, ground, lam, p, SHOWN))
        report((i + 1) / len(lams))
    return frozen(np.array(found))


def ball(p: float, reach: float, sides: int = 90) -> Array:
    """The boundary of the ball of Rp, p > 0, as a closed line (n, 2) that passes through its corners."""
    u = directions(np.linspace(0.0, 2 * np.pi, 4 * sides + 1))
    return reach * np.sign(u) * np.abs(u) ** (2.0 / p)
