"""A range of the path on which w and b are linear in c: sign changes of y f, and points that stay on the margin line.

(`stretch` defines r and its slope, `trace` the problem that is minimised.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from svmlab.core.arrays import Array, Index, Mask
from svmlab.jit.compiler import compiled
from svmlab.solvers.active_set import FREE, LOWER, UPPER
from svmlab.solvers.path.stretch import TIE, Partition, PathPiece

ON = 1e-9  # In units of a margin. A point this close to its margin line lies on it.


@dataclass(frozen=True, eq=False)
class Drawn:
    """A range from c = lo to hi: r + (c - lo) growth is y f - 1 with the b that is used."""

    lo: float
    hi: float
    r: Array
    growth: Array


def crossings(parts: list[Drawn]) -> list[float]:
    """Return the values of c at which some y f = 1 + r changes its sign."""
    out, before = list[float](), np.zeros(0)
    for part in parts:
        v, growth = 1.0 + part.r, part.growth
        end = v + (part.hi - part.lo) * growth if part.hi < np.inf else v
        changing = (v * end < 0).nonzero()[0]
        if len(changing):
            changing = changing[(np.abs(v[changing]) > ON) & (np.abs(end[changing]) > ON)]
            out += (part.lo - v[changing] / growth[changing]).tolist()
        if len(parts) > 1:  # Where the slope of b changes, f can leave 0 or change its sign.
            start, sign = _sign(v), _sign(v) + _sign(end)
            if len(before) and (np.sign(before) != np.sign(sign))[start == 0].any():
                out.append(part.lo)
            before = sign
    return out


def plain(now: Partition, on: PathPiece, lo: float, hi: float) -> list[float] | None:
    """Return the values of c from lo to hi at which some y f changes its sign, in the simple case.

    The simple case is that no point is tied except the free ones, and one of these is strictly inside its bounds.
    Returns None where a quick test does not show this.
    """
    if not len(on.F) or lo != on.c or hi == np.inf:
        return None
    count = _count_sign_changes(lo, hi, on.a, now.n, on.r, on.r_slope, on.state)
    return None if count < 0 else crossings([Drawn(lo, hi, on.r, on.r_slope)]) if count else []


def at_bounds(now: Partition, on: PathPiece) -> PathPiece:
    """Return the same stretch, but without free variables where all of them stay at a bound.

    In that case nothing determines b.
    """
    F, small = on.F, ON * float(on.a.max(initial=0.0))
    if not len(F):
        return on
    n, a = now.n[F], on.a[F]
    at_zero = (a <= small) & (np.abs(on.a_slope) * on.c <= small)
    at_upper = (a >= on.c * n - small) & (np.abs(on.a_slope - n) * on.c <= small)
    if not (at_zero | at_upper).all():
        return on
    state, k = on.state.copy(), float(now.bias)
    state[F] = np.where(at_upper, UPPER, LOWER)
    r, growth = on.r - k * on.b * now.y, on.r_slope - k * on.b_slope * now.y
    return replace(on, b=0.0, b_slope=0.0, r=r, r_slope=growth, F=F[:0], a_slope=on.a_slope[:0], state=state)


def drawn(now: Partition, on: PathPiece, lo: float, hi: float) -> list[Drawn]:
    """Return r from c = lo to hi, on which w is linear, with the b that is used.

    Where no free variable determines b, it is the middle of its interval. On an unbounded range w and b are bounded and
    linear in c, so they are constant, and a slope is rounding.
    """
    slope = on.r_slope if hi < np.inf else np.zeros(len(on.r))
    r = on.r if lo == on.c else on.r + (lo - on.c) * slope
    if not now.bias or len(on.F):
        return [Drawn(lo, hi, r, slope)]
    turns, b, b_slope = _middle(-now.y * r, -now.y * slope, (on.state == LOWER) == (now.y > 0), hi - lo)
    out = list[Drawn]()
    for k, (start, stop) in enumerate(pairwise([*turns.tolist(), hi - lo])):
        if stop - start > TIE * on.c:  # Otherwise rounding made lines that meet in one point cross beside it.
            growth = slope + b_slope[k] * now.y
            out.append(Drawn(lo + start, lo + stop, r + b[k] * now.y + start * growth, growth))
    return out


def tied_along(now: Partition, on: PathPiece, parts: list[Drawn]) -> Mask:
    """Return which points lie on their margin lines all along these parts, shape (m,)."""
    if len(on.F) and np.count_nonzero(np.abs(on.r) <= ON) == len(on.F):
        return on.state == FREE
    out = np.full(len(on.a), len(parts) > 0)
    tolerance = ON * min(1.0, float(on.a.sum()))
    for part in parts:
        length = 0.0 if part.hi == np.inf else part.hi - part.lo
        out &= (np.abs(part.r) <= tolerance) & (
            np.abs(part.growth) * length <= max(tolerance, 16 * on.r_slope_noise * length)
        )
    return out


@compiled
def _count_sign_changes(lo: float, hi: float, a: Array, n: Array, r: Array, growth: Array, state: Index) -> int:
    """Return how many 1 + r change their sign from lo to hi, or -1 outside the simple case.

    That is where points other than free ones are tied, or no free one is inside its bounds.
    """
    changes, inside = 0, False
    for i in range(len(r)):
        if state[i] == FREE:
            inside = inside or ON * lo * n[i] < a[i] < (1.0 - ON) * lo * n[i]
        elif abs(r[i]) <= ON:
            return -1
        elif (1.0 + r[i]) * (1.0 + r[i] + (hi - lo) * growth[i]) < 0.0:
            changes += 1
    return changes if inside else -1


def _sign(v: Array) -> Array:
    """Return the sign of y f: -1, 0 or 1."""
    return np.where(np.abs(v) <= ON, 0.0, np.sign(v))


@compiled
def _middle(k0: Array, k1: Array, lower: Mask, length: float) -> tuple[Array, Array, Array]:
    """Return the middle between the highest of the lines k0 + x k1 that are `lower` and the lowest of the others.

    Where only one side exists, it is that side. The middle is b + x drift from each x in `turns` on, within [0,
    length].
    """
    turns, b, drift = np.empty(2 * len(k0) + 1), np.empty(2 * len(k0) + 1), np.empty(2 * len(k0) + 1)
    active, count, x = [-1, -1], 0, 0.0
    for i in range(len(k0)):
        side, sign = (0, 1.0) if lower[i] else (1, -1.0)
        j = active[side]
        if j < 0 or sign * k0[i] > sign * k0[j] or (k0[i] == k0[j] and sign * k1[i] > sign * k1[j]):
            active[side] = i
    while count < len(turns):
        weight = 0.5 if active[0] >= 0 and active[1] >= 0 else 1.0
        turns[count], b[count], drift[count] = x, 0.0, 0.0
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
    return turns[:count], b[:count], drift[:count]
