"""The angle between minus the gradient and the direction to the minimum, its largest value, and the zigzag (L11).

F is convex with its minimum at w*, and contains (lambda/2)|w|^2. For any subgradient g at w,

    <-g, w* - w>  >=  F(w) - F(w*) + (lambda/2) |w - w*|^2  >  0,     so the angle is below 90 degrees.

Source: Nesterov (2004), Introductory Lectures on Convex Optimization, 2.1.3 and 3.2.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.losses import Objective

SAME = 1e-9  # relative to the length of w: closer to w*, the difference is rounding
NEAREST = 1e-3  # relative to `reach`: the smallest distance from w* that is tried


@dataclass(frozen=True, eq=False)
class Bearing:
    """The direction to the minimum w* from a point w.

    angle: between -g and w* - w in degrees, nan at w* itself. inner = <-g, w* - w>, with its lower bound `floor`. g
    (2,): the subgradient at w.
    """

    angle: float
    inner: float
    floor: float
    g: Array


def angles(G: Array, away: Array) -> Array:
    """Return the degrees between -g and w* - w for g and w - w* (..., 2); nan where one of them is 0."""
    across = np.abs(G[..., 0] * away[..., 1] - G[..., 1] * away[..., 0])
    along = (G * away).sum(-1)
    degrees = np.degrees(np.arctan2(across, along))
    return np.where((across == 0) & (along == 0), np.nan, degrees)


def bearing(objective: Objective, w: Array, best: Array) -> Bearing:
    """Return the bearing from w (2,) to the minimum `best` (2,).

    On a kink it is that of the side with the larger angle.
    """
    away = w - best
    floor = float(objective.value(w) - objective.value(best)) + 0.5 * objective.lam * float(away @ away)
    is_at_minimum = float(np.hypot(*away)) <= SAME * float(max(np.hypot(*w), np.hypot(*best)))
    sides = [objective.gradient(w, side=side) for side in (0, 1)]
    bearings = [Bearing(np.nan if is_at_minimum else float(angles(g, away)), float(g @ away), floor, g) for g in sides]
    return max(bearings, key=lambda each: each.angle)


def worst(objective: Objective, best: Array, reach: float) -> float:
    """Return the largest angle at several thousand points within `reach` of `best` (2,).

    They lie around it, and along both sides of every kink of the hinge.
    """
    radii = reach * np.geomspace(NEAREST, 1.0, 9)
    angle = np.linspace(0.0, 2 * np.pi, 180, endpoint=False)
    around = best + (radii[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)).reshape(-1, 2)
    largest_angles = [float(np.nanmax(angles(objective.gradient(around), around - best)))]
    corner = objective.loss.corner
    if corner is not None:
        largest_angles += [_along(objective, best, radii, corner, i) for i in _corners(objective)]
    return max(largest_angles)


def _corners(objective: Objective) -> Index:
    """Return one point for each kink: a point at the origin has none, and coinciding points share theirs."""
    signed = objective.data.y[:, None] * objective.data.X
    _places, first = np.unique(signed, axis=0, return_index=True)
    return first[signed[first].any(axis=1)]


def _along(objective: Objective, best: Array, radii: Array, corner: float, i: int) -> float:
    """Return the largest angle along the line y_i <w, x_i> = corner, on both of its sides, within reach of `best`."""
    data = objective.data
    z = data.y[i] * data.X[i]
    length = float(np.hypot(*z))
    foot = best + (corner - float(best @ z)) / length**2 * z
    if float(np.hypot(*(foot - best))) > radii[-1]:
        return 0.0
    direction = np.array([-z[1], z[0]]) / length
    W = foot + np.concatenate([-radii, radii])[:, None] * direction
    t = objective.margins(W)
    _left, right = objective.loss.slopes(t)
    is_on_kink = np.abs(t - corner) <= 1e-9  # this point, and all points that have the same kink
    regulariser_gradient = objective.lam * objective.regulariser.smoothed(W, 1e-300)[1]
    derivatives = (np.where(is_on_kink, end, right) for end in _ends(objective, corner))
    along_kink = [angles((s * data.y / data.m) @ data.X + regulariser_gradient, W - best) for s in derivatives]
    return max(float(np.nanmax(a)) for a in along_kink)


def _ends(objective: Objective, corner: float) -> tuple[float, float]:
    """Return the two slopes at the kink."""
    left, right = objective.loss.slopes(np.array([corner]))
    return float(left[0]), float(right[0])


def zigzag(objective: Objective, start: Array, step: float, n: int) -> Array:
    """Return the iterates (n + 1, 2) of w <- w - step g from `start` (2,): subgradient steps of constant size `step`.

    It comes close to w* and then oscillates across the kinks. Source: Shor (1985), Minimization Methods, chapter 2.
    """
    path = [start]
    for _ in range(n):
        path.append(path[-1] - step * objective.gradient(path[-1]))
    return frozen(np.array(path))
