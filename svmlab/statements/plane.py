"""The common parts of the statements about lines: their boards, and the fewest errors found by turning a line."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.standard import titles_where
from svmlab.losses import FewestErrors, fewest_errors
from svmlab.losses.descent import SMOOTHING_WIDTHS
from svmlab.statements.situation import DoesNotApply, Situation

BLOCK = 1000  # directions at a time
CLOSE = 1e-8  # of the farthest point: nearer to a line, floats do not determine the side
NARROW = 1e-10  # the angle between two directions below which there is no direction between them


def need_linear_kernel(s: Situation) -> None:
    """Raise DoesNotApply unless w has one component for each coordinate, which means a linear kernel."""
    s.need_points()
    if not s.problem.kernel.is_linear:
        raise DoesNotApply(
            "This statement is about the weights of the coordinates, so it needs a linear kernel. Choose the "
            "{choice} kernel.",
            choice=titles_where(lambda k: k.is_linear),
        )


def need_linear_kernel_in_plane(s: Situation) -> None:
    """Raise DoesNotApply unless the boundaries are lines in the plane, all of which can be tried."""
    need_linear_kernel(s)
    if s.problem.data.d != 2:
        raise DoesNotApply("All lines can only be tried in the plane. Use points with two coordinates.")


def with_bias(s: Situation) -> Situation:
    """Return the board with a bias, so that lines may lie anywhere."""
    return s if s.problem.bias else s.with_bias_switched


def certain_distance(lam: float, v: Array, w: Array) -> float:
    """Return sqrt(lam/2 |v - w|^2 - e), or 0 if that is not real, where e is the gap that a descent may leave.

    F with the regulariser R2 increases by at least lam/2 |v - w|^2 from its minimiser w to v.
    """
    return float(np.sqrt(max(0.0, 0.5 * lam * float((v - w) @ (v - w)) - SMOOTHING_WIDTHS[-1])))


def best_line(data: Dataset) -> FewestErrors:
    """Return the line with the fewest errors.

    Raises DoesNotApply if floats do not determine the side of every point.
    """
    best = fewest_errors(data)
    f, length = data.X @ best.w + best.b, float(np.linalg.norm(best.w))
    if np.abs(f).min() < CLOSE * length * float(np.linalg.norm(data.X, axis=1).max()):
        raise DoesNotApply(
            "The best line passes so close to a point that floating-point numbers do not determine its side. "
            "Move the points further apart."
        )
    return best


def fewest_errors_by_turning(data: Dataset) -> int:
    """Return the fewest errors of a line in the plane, by turning it: all positions in every direction, O(m^3 log m).

    The order of the points along a normal changes only if the normal is orthogonal to the difference of two points.
    So one normal between any two such directions is enough. The computation is in doubles.
    """
    i, j = np.triu_indices(data.m, 1)
    differences = data.X[i] - data.X[j]
    differences = differences[(differences != 0).any(1)]
    critical_angles = np.unique(np.mod(np.arctan2(differences[:, 0], -differences[:, 1]), np.pi))
    if not len(critical_angles):
        critical_angles = np.zeros(1)
    ends = np.append(critical_angles[1:], critical_angles[0] + np.pi)
    between = (0.5 * (critical_angles + ends))[ends - critical_angles > NARROW]
    least_gap = 1e-12 * max(1.0, float(np.abs(data.X).max()))
    minus, lowest, highest = int((data.y < 0).sum()), 0, 0
    for angles in np.array_split(between, len(between) // BLOCK + 1):
        along = np.column_stack([np.cos(angles), np.sin(angles)]) @ data.X.T
        order = np.argsort(along, axis=1, kind="stable")
        surplus = np.cumsum(data.y[order], axis=1)[:, :-1]  # number of + minus number of - up to a position
        surplus[np.diff(np.take_along_axis(along, order, 1), axis=1) <= least_gap] = 0.0  # no line passes between these
        lowest, highest = min(lowest, int(surplus.min(initial=0))), max(highest, int(surplus.max(initial=0)))
    return min(minus + lowest, data.m - minus - highest)
