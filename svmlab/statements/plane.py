"""What the statements about lines share: which boards they are about, and the fewest errors found by turning a line."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.standard import titles_where
from svmlab.losses import Fewest, fewest_errors
from svmlab.losses.descent import WIDTHS
from svmlab.statements.situation import DoesNotApply, Situation

BLOCK = 1000  # directions at a time
CLOSE = 1e-8  # of the farthest point: how near to a line floats tell its sides
NARROW = 1e-10  # between two directions: nothing stands between them


def need_straight(s: Situation) -> None:
    """A kernel whose w is a weight for each coordinate."""
    s.need_points()
    if not s.problem.kernel.is_linear:
        raise DoesNotApply(
            "This is about the weights of the coordinates. Choose the {choice} kernel.",
            choice=titles_where(lambda k: k.is_linear),
        )


def need_plane(s: Situation) -> None:
    """Lines in the plane, all of which can be tried."""
    need_straight(s)
    if s.problem.data.d != 2:
        raise DoesNotApply("All lines can be tried in the plane alone. Take points of two coordinates.")


def with_bias(s: Situation) -> Situation:
    """The board with a bias, whichever it has: lines may lie anywhere."""
    return s if s.problem.bias else s.with_bias_switched


def above(lam: float, v: Array, w: Array) -> float:
    """The root of what F with R2 rises by, at least, from its minimum w to v, lam/2 |v - w|^2, beyond what a descent
    may leave.
    """
    return float(np.sqrt(max(0.0, 0.5 * lam * float((v - w) @ (v - w)) - WIDTHS[-1])))


def best_line(data: Dataset) -> Fewest:
    """The line with the fewest errors, where doubles tell on which side of it every point is."""
    best = fewest_errors(data)
    f, length = data.X @ best.w + best.b, float(np.linalg.norm(best.w))
    if np.abs(f).min() < CLOSE * length * float(np.linalg.norm(data.X, axis=1).max()):
        raise DoesNotApply(
            "The best line passes points so closely that floats cannot tell its sides. Move the points further apart."
        )
    return best


def fewest_errors_by_turning(data: Dataset) -> int:
    """The fewest errors of a line in the plane, by turning it: in every direction all its places, O(m^3 log m) in
    doubles.

    The order of the points along a normal changes only where it is at a right angle to the way between two of them, so
    one normal between any two such directions is enough.
    """
    i, j = np.triu_indices(data.m, 1)
    ways = data.X[i] - data.X[j]
    ways = ways[(ways != 0).any(1)]
    turns = np.unique(np.mod(np.arctan2(ways[:, 0], -ways[:, 1]), np.pi))
    if not len(turns):
        turns = np.zeros(1)
    ends = np.append(turns[1:], turns[0] + np.pi)
    between = (0.5 * (turns + ends))[ends - turns > NARROW]
    wide = 1e-12 * max(1.0, float(np.abs(data.X).max()))
    minus, least, most = int((data.y < 0).sum()), 0, 0
    for angles in np.array_split(between, len(between) // BLOCK + 1):
        along = np.column_stack([np.cos(angles), np.sin(angles)]) @ data.X.T
        order = np.argsort(along, axis=1, kind="stable")
        surplus = np.cumsum(data.y[order], axis=1)[:, :-1]  # labels +, less labels -, up to a place
        surplus[np.diff(np.take_along_axis(along, order, 1), axis=1) <= wide] = 0.0  # no line goes between these
        least, most = min(least, int(surplus.min(initial=0))), max(most, int(surplus.max(initial=0)))
    return min(minus + least, data.m - minus - most)
