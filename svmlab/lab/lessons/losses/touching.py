"""Where the ball of a regulariser touches the contours of the mean hinge in the plane of w, for any p (L8).

    min_w  mean hinge (b minimised out) + lam/p sum_j |w_j|^p        p = 1: R1, p = 2: R2, p = 0: lam times R0

The balls of this penalty are those of Rp. For p >= 1 it is convex, and a descent finds the minimum. For p < 1 there are
several local minima: F is evaluated on circles around the origin, then around the best of these points on finer and
finer grids. The axes are among the directions, so that a 0 is exact.
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
# circles outside of the range of a chart, and the ratio of the largest radius to that range
OUTER_CIRCLES, OUTER_RATIO = 40, 30.0
ROUNDS, FINER, BESIDE = 26, 2.0, 6  # rounds of refinement, the factor of each, and grid points to each side
SHOWN = 5  # rounds for a path
TURN = 2.4  # radians, the golden angle
START = 0.05  # a chart shows the path down to this lambda, unless the lambda of the board is smaller
ROOM, WIDE = 1.25, 1.6  # how much more than the minimisers a chart shows, and its ratio of width to height


@dataclass(frozen=True, eq=False)
class Ground:
    """The mean hinge around the origin: loss (k, n) at radii_i (cos, sin)(angle_j).

    half: half of the height of a chart, in w2. The last angle repeats the first, so that contours close.
    """

    radii: Array
    angle: Array
    loss: Array
    half: float

    @property
    def shown(self) -> tuple[Array, Array, Array]:
        """Return both coordinates of w and the loss there, (CIRCLES, n) each, in the range of a chart."""
        u = directions(self.angle)
        return np.outer(self.radii[:CIRCLES], u[:, 0]), np.outer(self.radii[:CIRCLES], u[:, 1]), self.loss[:CIRCLES]


@dataclass(frozen=True)
class Power(Regulariser):
    """The regulariser 1/p sum |w_j|^p for p > 1; R2 is that of p = 2.

    For p < 2 its second derivative is unbounded at 0, and it is smoothed there.
    """

    name: ClassVar[str] = "power"
    p: float

    def smoothed(self, w: Array, mu: float) -> tuple[Array, Array, Array]:
        """Return the penalty of each weight and both of its derivatives, shape (d,) each."""
        p = self.p
        if p >= 2:
            return np.abs(w) ** p / p, np.sign(w) * np.abs(w) ** (p - 1), (p - 1) * np.abs(w) ** (p - 2)
        size = np.hypot(w, mu)
        return size**p / p, w * size ** (p - 2), ((p - 1) * w**2 + mu**2) * size ** (p - 4)

    def value(self, w: Array) -> Array:
        """Return R(w) for w (..., d), shape (...)."""
        return price(w, self.p)


def directions(angle: Array) -> Array:
    """Return (cos, sin) of each angle (n,), shape (n, 2), exactly 0 and 1 on the axes."""
    u = np.column_stack([np.cos(angle), np.sin(angle)])
    u[np.abs(u) < 1e-15] = 0.0
    return u


def price(w: Array, p: float) -> Array:
    """Return 1/p sum_j |w_j|^p of w (..., d), shape (...); for p = 0 the number of weights that are not 0."""
    if p == 0:
        return np.count_nonzero(w, axis=-1).astype(float)
    return (np.abs(w) ** p).sum(-1) / p


def survey(data: Dataset, bias: bool, lam: float, report: Callable[[float], None] = lambda done: None) -> Ground:
    """Return the mean hinge in the range of a chart of the minimisers at lam and at START, and on circles beyond it."""
    least_lam = min(lam, START)
    minimisers = [descend(Objective(data, LOSSES["hinge"], REGULARISERS[r], least_lam, bias)).w for r in ("R1", "R2")]
    half = ROOM * float(np.abs(minimisers).max()) or 1.0
    shown_radius = float(np.hypot(1.0, WIDE)) * half
    radii = np.r_[
        np.linspace(0.0, shown_radius, CIRCLES), shown_radius * np.geomspace(1.0, OUTER_RATIO, OUTER_CIRCLES + 1)[1:]
    ]
    angle = np.linspace(0.0, 2 * np.pi, ANGLES + 1)
    u, loss = directions(angle), np.empty((len(radii), len(angle)))
    for i, r in enumerate(radii):
        loss[i] = hinges(data.X, data.y, r * u, bias) / data.m
        report((i + 1) / len(radii))
    return Ground(frozen(radii), frozen(angle), frozen(loss), half)


def coarse(ground: Ground, lam: float, p: float, every: int = 1) -> tuple[int, int]:
    """Return the circle and the direction of the best point of the grid, the innermost of several.

    every: 1 for all directions.
    """
    unit = price(directions(ground.angle[::every]), p)
    cost = np.outer(ground.radii > 0 if p == 0 else ground.radii**p, unit)
    total = ground.loss[:, ::every] + lam * cost
    i, j = np.unravel_index(int(np.argmin(total)), total.shape)
    return int(i), every * int(j)


def best(data: Dataset, bias: bool, ground: Ground, lam: float, p: float) -> Array:
    """Return the best w (2,); for p < 1 the best in the range of `ground`."""
    if p < 1:
        return looked(data, bias, ground, lam, p)
    return descend(Objective(data, LOSSES["hinge"], REGULARISERS["R1"] if p == 1 else Power(p), lam, bias)).w


def looked(data: Dataset, bias: bool, ground: Ground, lam: float, p: float, rounds: int = ROUNDS) -> Array:
    """Return the best w (2,) in the range of `ground`, by evaluations alone, in so many rounds of refinement."""

    def value(W: Array) -> Array:
        return hinges(data.X, data.y, W, bias) / data.m + lam * price(W, p)

    candidates = []
    for every, angle_step in ((1, 1.0), (ANGLES // 4, 0.0)):  # the best of all points, and the best on the axes
        i, j = coarse(ground, lam, p, every)
        polar = np.array([ground.radii[i], ground.angle[j]])
        step = np.array([np.diff(ground.radii[max(i - 1, 0) : i + 2]).max(), ground.angle[1]])
        if i == 0:  # it may lie within the innermost circle
            polar, step = _inside(value, ground, polar, step)
        candidates.append(_nearer(value, polar, step * [1.0, angle_step], rounds))
    places = np.vstack(candidates)
    F = value(places)
    return frozen(places[0] if F[0] < F[1] else places[1])  # if both are equal, the one on the axis


def _nearer(value: Callable[[Array], Array], centre: Array, step: Array, rounds: int) -> Array:
    """Return the best point (1, 2) around a radius and an angle, at first within the given steps."""
    offsets = np.linspace(-1.5, 1.5, 2 * BESIDE + 1)
    shift = np.stack([axis.ravel() for axis in np.meshgrid(offsets, offsets)], 1)
    smallest = float(value(_place(centre[None]))[0])
    for round_ in range(rounds):  # The grid is rotated as well, because a narrow valley may lie diagonally to it.
        cos, sin = np.cos(TURN * round_), np.sin(TURN * round_)
        grid = centre + step * np.vstack([shift, shift @ np.array([[cos, sin], [-sin, cos]])])
        grid[:, 0] = np.maximum(grid[:, 0], 0.0)
        F = value(_place(grid))
        k = int(F.argmin())
        better = F[k] < smallest - 1e-15
        is_at_edge = better and offsets[-1] in np.abs(shift[k % len(shift)])
        if better:
            centre, smallest = grid[k], float(F[k])
        step = step if is_at_edge else step / FINER  # at the edge the minimum may lie beyond it
    return _place(centre[None])


def _place(polar: Array) -> Array:
    return polar[:, :1] * directions(polar[:, 1])


def _inside(value: Callable[[Array], Array], ground: Ground, at: Array, step: Array) -> tuple[Array, Array]:
    """Return the best point on smaller and smaller circles around the origin, and the steps between them."""
    angle, r = ground.angle[:-1:4], float(ground.radii[1])
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
    """Return the best w for each lam (k,), shape (k, 2), with the precision of a chart."""
    minimisers = []
    for i, lam in enumerate(lams.tolist()):
        minimisers.append(looked(data, bias, ground, lam, p, SHOWN))
        report((i + 1) / len(lams))
    return frozen(np.array(minimisers))


def ball(p: float, reach: float, sides: int = 90) -> Array:
    """Return the boundary of the ball of Rp, p > 0, as a closed line (n, 2) that passes through its vertices."""
    u = directions(np.linspace(0.0, 2 * np.pi, 4 * sides + 1))
    return reach * np.sign(u) * np.abs(u) ** (2.0 / p)
