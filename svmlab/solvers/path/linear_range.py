"""A range of the path on which w and b are linear in c: sign changes of y f, and points that stay on the margin line.

(`partition` defines r and its slope, and `trace` the problem that is minimised.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from svmlab.core.arrays import Array, Mask
from svmlab.core.tolerances import EVENT_TOLERANCE, ON_MARGIN
from svmlab.jit.compiler import compiled
from svmlab.solvers.box_qp import FREE, LOWER, UPPER
from svmlab.solvers.path.partition import Partition, PathPiece


@dataclass(frozen=True, eq=False)
class LinearRange:
    """A range from c = lo to hi: r + (c - lo) growth is y f - 1 with the b that is used."""

    lo: float
    hi: float
    r: Array
    growth: Array


def crossings(parts: list[LinearRange]) -> list[float]:
    """Return the values of c at which some y f = 1 + r changes its sign."""
    out, before = list[float](), np.zeros(0)
    for part in parts:
        v, growth = 1.0 + part.r, part.growth
        end = v + (part.hi - part.lo) * growth if part.hi < np.inf else v
        changing = (v * end < 0).nonzero()[0]
        if len(changing):
            changing = changing[(np.abs(v[changing]) > ON_MARGIN) & (np.abs(end[changing]) > ON_MARGIN)]
            out += (part.lo - v[changing] / growth[changing]).tolist()
        if len(parts) > 1:  # Where the slope of b changes, f can leave 0 or change its sign.
            start, sign = _sign(v), _sign(v) + _sign(end)
            if len(before) and (np.sign(before) != np.sign(sign))[start == 0].any():
                out.append(part.lo)
            before = sign
    return out


def without_free_variables_at_bound(partition: Partition, piece: PathPiece) -> PathPiece:
    """Return the stretch without free variables if all of them stay at a bound along it, or else unchanged.

    Where all of them stay at a bound, nothing determines b.
    """
    F, small = piece.F, ON_MARGIN * float(piece.a.max(initial=0.0))
    if not len(F):
        return piece
    n, a = partition.n[F], piece.a[F]
    at_zero = (a <= small) & (np.abs(piece.a_slope) * piece.c <= small)
    at_upper = (a >= piece.c * n - small) & (np.abs(piece.a_slope - n) * piece.c <= small)
    if not (at_zero | at_upper).all():
        return piece
    state, k = piece.state.copy(), float(partition.bias)
    state[F] = np.where(at_upper, UPPER, LOWER)
    r, growth = piece.r - k * piece.b * partition.y, piece.r_slope - k * piece.b_slope * partition.y
    return replace(piece, b=0.0, b_slope=0.0, r=r, r_slope=growth, F=F[:0], a_slope=piece.a_slope[:0], state=state)


def linear_ranges(partition: Partition, piece: PathPiece, lo: float, hi: float) -> list[LinearRange]:
    """Return r from c = lo to hi, on which w is linear, with the b that is used.

    Where no free variable determines b, it is the middle of its interval. On an unbounded range w and b are bounded and
    linear in c, so they are constant, and a slope is rounding.
    """
    slope = piece.r_slope if hi < np.inf else np.zeros(len(piece.r))
    r = piece.r if lo == piece.c else piece.r + (lo - piece.c) * slope
    if not partition.bias or len(piece.F):
        return [LinearRange(lo, hi, r, slope)]
    starts, b, b_slope = _middle(
        -partition.y * r, -partition.y * slope, (piece.state == LOWER) == (partition.y > 0), hi - lo
    )
    out = list[LinearRange]()
    for k, (start, stop) in enumerate(pairwise([*starts.tolist(), hi - lo])):
        if (
            stop - start > EVENT_TOLERANCE * piece.c
        ):  # Otherwise rounding made lines that meet in one point cross beside it.
            growth = slope + b_slope[k] * partition.y
            out.append(LinearRange(lo + start, lo + stop, r + b[k] * partition.y + start * growth, growth))
    return out


def points_on_margin(partition: Partition, piece: PathPiece, parts: list[LinearRange]) -> Mask:
    """Return which points lie on their margin lines all along these parts, shape (m,)."""
    if len(piece.F) and np.count_nonzero(np.abs(piece.r) <= ON_MARGIN) == len(piece.F):
        return piece.state == FREE
    out = np.full(len(piece.a), len(parts) > 0)
    tolerance = ON_MARGIN * min(1.0, float(piece.a.sum()))
    for part in parts:
        length = 0.0 if part.hi == np.inf else part.hi - part.lo
        out &= (np.abs(part.r) <= tolerance) & (
            np.abs(part.growth) * length <= max(tolerance, 16 * piece.r_slope_noise * length)
        )
    return out


def _sign(v: Array) -> Array:
    """Return the sign of y f: -1, 0 or 1."""
    return np.where(np.abs(v) <= ON_MARGIN, 0.0, np.sign(v))


@compiled
def _middle(k0: Array, k1: Array, lower: Mask, length: float) -> tuple[Array, Array, Array]:
    """Return the middle between the highest of the lines k0 + x k1 that are `lower` and the lowest of the others.

    Where only one side exists, it is that side. The middle is b + x drift from each x in `starts` on, within [0,
    length].
    """
    starts, b, drift = np.empty(2 * len(k0) + 1), np.empty(2 * len(k0) + 1), np.empty(2 * len(k0) + 1)
    active, count, x = [-1, -1], 0, 0.0
    for i in range(len(k0)):
        side, sign = (0, 1.0) if lower[i] else (1, -1.0)
        j = active[side]
        if j < 0 or sign * k0[i] > sign * k0[j] or (k0[i] == k0[j] and sign * k1[i] > sign * k1[j]):
            active[side] = i
    while count < len(starts):
        weight = 0.5 if active[0] >= 0 and active[1] >= 0 else 1.0
        starts[count], b[count], drift[count] = x, 0.0, 0.0
        for j in active:
            if j >= 0:
                b[count] += weight * k0[j]
                drift[count] += weight * k1[j]
        count += 1
        next_x, side, best = np.inf, -1, -1
        for i in range(len(k0)):
            own_side, sign = (0, 1.0) if lower[i] else (1, -1.0)
            steeper = sign * (k1[i] - k1[active[own_side]])
            if steeper > 0.0:
                meet = max(sign * (k0[active[own_side]] - k0[i]) / steeper, x)
                if meet < next_x or (meet == next_x and own_side == side and sign * k1[i] > sign * k1[best]):
                    next_x, side, best = meet, own_side, i
        if not next_x < length:
            break
        x, active[side] = next_x, best
    return starts[:count], b[:count], drift[:count]
