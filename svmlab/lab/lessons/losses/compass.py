"""Where minus the gradient points from a place, and where the minimum lies: the angle between, its worst, and the
zigzag (L11).

For a convex F with its minimum at w*, whose part (lambda/2)|w|^2 bends it upward, and any subgradient g at w,

    <-g, w* - w>  >=  F(w) - F(w*) + (lambda/2) |w - w*|^2  >  0,     so the angle is below 90 degrees.

Source: Nesterov (2004), Introductory Lectures on Convex Optimization, 2.1.3 and 3.2.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.losses import Objective

SAME = 1e-9  # of the length of w: nearer to w*, the difference is rounding
NEAREST = 1e-3  # of the reach: the places nearest to w* that are looked at


@dataclass(frozen=True, eq=False)
class Bearing:
    """At a place w: the angle in degrees, nan at w* itself; inner = <-g, w* - w>, what it is never below, and g
    (2,).
    """

    angle: float
    inner: float
    floor: float
    g: Array


def angles(G: Array, away: Array) -> Array:
    """Degrees between -g and w* - w for g and w - w* (..., 2); nan where one of them is 0."""
    across = np.abs(G[..., 0] * away[..., 1] - G[..., 1] * away[..., 0])
    along = (G * away).sum(-1)
    found = np.degrees(np.arctan2(across, along))
    return np.where((across == 0) & (along == 0), np.nan, found)


def bearing(objective: Objective, w: Array, best: Array) -> Bearing:
    """How minus the gradient at w (2,) lies to the minimum `best` (2,); on a kink, that of its two sides which is
    further off.
    """
    away = w - best
    floor = float(objective.value(w) - objective.value(best)) + 0.5 * objective.lam * float(away @ away)
    there = float(np.hypot(*away)) <= SAME * float(max(np.hypot(*w), np.hypot(*best)))
    sides = [objective.gradient(w, side=side) for side in (0, 1)]
    found = [Bearing(np.nan if there else float(angles(g, away)), float(g @ away), floor, g) for g in sides]
    return max(found, key=lambda each: each.angle)


def worst(objective: Objective, best: Array, reach: float) -> float:
    """The largest angle at some thousands of places within `reach` of `best` (2,): around it, and along both sides of
    every kink of the hinge.
    """
    far = reach * np.geomspace(NEAREST, 1.0, 9)
    turn = np.linspace(0.0, 2 * np.pi, 180, endpoint=False)
    around = best + (far[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)).reshape(-1, 2)
    found = [float(np.nanmax(angles(objective.gradient(around), around - best)))]
    corner = objective.loss.corner
    if corner is not None:
        found += [_along(objective, best, far, corner, i) for i in _corners(objective)]
    return max(found)


def _corners(objective: Objective) -> Index:
    """One point for each kink: a point at the origin has none, and doubled points share theirs."""
    signed = objective.data.y[:, None] * objective.data.X
    _places, first = np.unique(signed, axis=0, return_index=True)
    return first[signed[first].any(axis=1)]


def _along(objective: Objective, best: Array, far: Array, corner: float, i: int) -> float:
    """The largest angle along the line y_i <w, x_i> = corner, on both of its sides, where it comes within reach of
    `best`.
    """
    data = objective.data
    z = data.y[i] * data.X[i]
    length = float(np.hypot(*z))
    foot = best + (corner - float(best @ z)) / length**2 * z
    if float(np.hypot(*(foot - best))) > far[-1]:
        return 0.0
    way = np.array([-z[1], z[0]]) / length
    W = foot + np.concatenate([-far, far])[:, None] * way
    t = objective.margins(W)
    _left, right = objective.loss.slopes(t)
    here = np.abs(t - corner) <= 1e-9  # this point, and whoever has the same kink there
    bare = objective.lam * objective.regulariser.smoothed(W, 1e-300)[1]
    both = (np.where(here, end, right) for end in _ends(objective, corner))
    each = [angles((s * data.y / data.m) @ data.X + bare, W - best) for s in both]
    return max(float(np.nanmax(a)) for a in each)


def _ends(objective: Objective, corner: float) -> tuple[float, float]:
    """The two slopes at the corner."""
    left, right = objective.loss.slopes(np.array([corner]))
    return float(left[0]), float(right[0])


def zigzag(objective: Objective, start: Array, step: float, n: int) -> Array:
    """The places of w <- w - step g from `start` (2,), (n + 1, 2): the subgradient method with steps that stay as long.

    It comes near w* and then goes to and fro across the kinks. Source: Shor (1985), Minimization Methods, 2.1.
    """
    path = [start]
    for _ in range(n):
        path.append(path[-1] - step * objective.gradient(path[-1]))
    return frozen(np.array(path))
