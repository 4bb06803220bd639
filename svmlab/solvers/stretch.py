"""A stretch of the path in C: what one partition into 0, free and upper says from some c on, and how far it goes.

While the partition into 0, free (F) and upper (U) stays, a_F and b solve  Q_FF a_F + y_F b = 1 - c Q_FU n_U,
y_F'a_F = -c y_U'n_U,  so they are linear in c, and so is r = Qa + y b - 1. The stretch ends where a free variable meets a
bound or an r meets 0; that variable changes its place. (`trace` says what is minimised.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from svmlab.arrays import EPS, Array, Index, Mask
from svmlab.solvers.active_set import FREE, LOWER, UPPER
from svmlab.solvers.exchange import FLAT
from svmlab.solvers.free_set import system_inverse
from svmlab.solvers.gram import Gram

TIE = 1e-10  # events closer than this, relative to c, are one
STILL = 1e-12  # slopes of a_F below this are none
EXACT = 1e-10  # what r may be off where round-off explains less
ON = 1e-9  # of a margin: a point so near to its margin line lies on it
REFINED = 3  # Newton's steps at the start of a stretch, at most

Event = list[tuple[int, int]]  # who changes to which state


@dataclass(frozen=True)
class Stretch:
    """A partition from c on: a, b (0 where F is empty, and pins none) and r = Qa + y b - 1, and how a_F, b and r grow.

    still: growths of r that round-off explains. sound: whether a is the optimum at c.
    """

    c: float
    a: Array
    b: float
    r: Array
    F: Index
    state: Index
    slope: Array
    drift: float
    growth: Array
    still: float
    sound: bool


@dataclass(frozen=True, eq=False)
class Drawn:
    """From c = lo to hi: r + (c - lo) growth is y f - 1 with the b that is drawn."""

    lo: float
    hi: float
    r: Array
    growth: Array


def crossings(parts: list[Drawn], still: float) -> list[float]:
    """The c at which some y f = 1 + r changes its sign; growths within `still` are none."""
    out, before = list[float](), np.zeros(0)
    for part in parts:
        v, growth = 1.0 + part.r, part.growth
        if part.hi < np.inf:
            end = v + (part.hi - part.lo) * growth
        else:
            end = np.where(np.abs(growth) > still, np.sign(growth), v)
        who = (v * end < 0).nonzero()[0]
        if len(who):
            who = who[(np.abs(v[who]) > ON) & (np.abs(end[who]) > ON)]
            out += (part.lo - v[who] / growth[who]).tolist()
        if len(parts) > 1:  # where b bends, f can leave 0, or change its sign
            start, sign = _sign(v), _sign(v) + _sign(end)
            if len(before) and (np.sign(before) != np.sign(sign))[start == 0].any():
                out.append(part.lo)
            before = sign
    return out


class Partition:
    """State (m,): who is at 0, free or at the bound; F with its rows and the inverse N of its system."""

    def __init__(self, Q: Gram, y: Array, n: Array, bias: bool) -> None:
        self.Q, self.y, self.n, self.bias = Q, y, n, bias
        self.A = y[None, :] if bias else np.zeros((0, len(y)))

    def take(self, state: Index) -> bool:
        """Work with `state` from now on; whether its free set is independent."""
        self.state = state
        F = np.flatnonzero(self.state == FREE)
        if self.bias and len(F) == 1:  # y'a = 0 holds it at c times a sum of n: often at a bound, but for rounding
            i, close = F[0], max(TIE * float(self.n.min()), 8 * EPS * float(self.n.sum()))
            share = -float(self.y[i] * (self.y @ (self.n * (self.state == UPPER))))
            for end, side in ((0.0, LOWER), (self.n[i], UPPER)):
                if abs(share - end) <= close:
                    self.state[i], F = side, F[:0]
        self.F, self.rows = F, self.Q.rows(F)
        self.N, size = system_inverse(self.Q, self.A, F)
        return not len(F) or size * FLAT < 1

    def stretch(self, c: float, a: Array, b: float | None) -> Stretch:
        """What the partition says from c on, a and b (where there is a guess of it) being about right there."""
        F, y, k, U = self.F, self.y, int(self.bias), self.state == UPPER
        a = np.where(U, c * self.n, np.where(self.state == FREE, a, 0.0))
        Qa, size = self.Q.measure(a)
        loaded, heavy = self.Q.measure(np.where(U, self.n, 0.0))
        slope, drift, growth, still = np.zeros(0), 0.0, loaded, 4 * EPS * heavy
        if not (k and len(F)):
            b = 0.0
        elif b is None:
            b = float(y[F] @ (1.0 - Qa[F])) / len(F)
        if len(F):
            yF, x = y[F], np.zeros(k + len(F))
            for _ in range(REFINED):
                x[k:] = 1.0 - Qa[F] - yF * b
                if float(np.abs(x[k:]).max()) <= EPS * size:
                    break
                x[:k] = -float(y @ a)
                x = self.N @ x
                a[F] += x[k:]
                b += float(x[0]) if k else 0.0
                Qa, size = self.Q.measure(a)
            rest = np.concatenate([np.full(k, -float(y[U] @ self.n[U])), -loaded[F]])
            x = self.N @ rest
            rest[k:] -= self.rows[:, F] @ x[k:]
            if k:
                rest[0] -= yF @ x[1:]
                rest[1:] -= yF * x[0]
            x += self.N @ rest  # N alone loses digits where it is large
            slope, drift = x[k:], float(x[0]) if k else 0.0
            growth = loaded + slope @ self.rows + drift * y
            still += 4 * EPS * float(np.abs(slope).sum())
        r = Qa + y * b - 1.0
        return Stretch(c, a, b, r, F, self.state, slope, drift, growth, still, self._holds(c, a, r, size))

    def sound(self, c: float, a: Array) -> bool:
        """Whether any `a`, of this partition or not, is the optimum at c."""
        Qa, size = self.Q.measure(a)
        return self._holds(c, a, Qa - 1.0, size)

    def _holds(self, c: float, a: Array, r: Array, size: float) -> bool:
        """Whether no variable, and no pair of them, wants to move, but for round-off; r is known up to a multiple of y."""
        y, near, room = self.y, max(EXACT, 4 * EPS * size), c * self.n - a
        if not (a.min() >= -near and room.min() >= -near and abs(float(y @ a)) * self.bias <= 1e-12 * float(a.max())):
            return False
        more, less = room > near, a > near
        if not self.bias:
            return bool(r.min(where=more, initial=0.0) >= -near and r.max(where=less, initial=0.0) <= near)
        kink, plus = -y * r, y > 0
        top = kink.max(where=np.where(plus, more, less), initial=-np.inf)
        return bool(top <= kink.min(where=np.where(plus, less, more), initial=np.inf) + 2 * near)

    def at_bounds(self, on: Stretch) -> Stretch:
        """The same where some free variable is inside its bounds; else without free ones, so that nothing pins b."""
        F = on.F
        if not len(F) or ON * on.c * self.n[F[0]] < on.a[F[0]] < (1.0 - ON) * on.c * self.n[F[0]]:
            return on
        small = ON * float(on.a.max())
        n, a = self.n[F], on.a[F]
        least = (a <= small) & (np.abs(on.slope) * on.c <= small)
        full = (a >= on.c * n - small) & (np.abs(on.slope - n) * on.c <= small)
        if not (least | full).all():
            return on
        state, k = on.state.copy(), float(self.bias)
        state[F] = np.where(full, UPPER, LOWER)
        r, growth = on.r - k * on.b * self.y, on.growth - k * on.drift * self.y
        return replace(on, b=0.0, drift=0.0, r=r, growth=growth, F=F[:0], slope=on.slope[:0], state=state)

    def drawn(self, on: Stretch, lo: float, hi: float) -> list[Drawn]:
        """r from c = lo to hi, on which w is linear, with the b that is drawn: where no free variable pins it, the middle."""
        r = on.r if lo == on.c else on.r + (lo - on.c) * on.growth
        if not self.bias or len(on.F):
            return [Drawn(lo, hi, r, on.growth)]
        k0, k1 = -self.y * r, -self.y * on.growth
        least = (on.state == LOWER) == (self.y > 0)
        sides, turns = list[list[tuple[float, int]]](), set[float]()
        for who, sign in ((least.nonzero()[0], 1.0), ((~least).nonzero()[0], -1.0)):
            if len(who):
                line = _highest(sign * k0[who], sign * k1[who], hi - lo)
                sides.append([(x, int(who[i])) for x, i in line])
                turns.update(x for x, _ in line)
        out = list[Drawn]()
        for start, stop in pairwise([*sorted(turns), hi - lo]):
            at = [next(i for x, i in reversed(side) if x <= start) for side in sides]
            b, drift = (sum(k[i] for i in at) / len(at) for k in (k0, k1))
            growth = on.growth + drift * self.y
            out.append(Drawn(lo + start, lo + stop, r + b * self.y + start * growth, growth))
        return out

    def tied(self, on: Stretch, parts: list[Drawn]) -> Mask:
        """Which points lie on their margin lines all along these parts."""
        if len(on.F) and np.count_nonzero(np.abs(on.r) <= ON) == len(on.F):
            return on.state == FREE
        fine, out = ON * min(1.0, float(on.a.sum())), np.ones(len(on.a), dtype=bool)
        for part in parts:
            far = on.c if part.hi == np.inf else part.hi - part.lo
            out &= (np.abs(part.r) <= fine) & (np.abs(part.growth) * far <= max(fine, 16 * on.still * far))
        return out

    def end(self, on: Stretch) -> tuple[float, Event]:
        """Where the stretch ends, and who changes to which state there."""
        F, c, slope = on.F, on.c, on.slope
        if self.bias and not len(F):
            return self._pair(on)
        # How far each variable is from its event, and how fast it comes nearer.
        far, fast = -on.state * on.r, on.state * on.growth
        coming = fast > on.still
        if len(F):
            a, n = on.a[F], self.n[F]
            down = slope < 0
            far[F], fast[F] = np.where(down, a, c * n - a), np.where(down, -slope, slope - n)
            coming[F] = fast[F] > STILL
        who = coming.nonzero()[0]
        if not len(who):
            return np.inf, []
        when = np.maximum(far[who], 0.0) / fast[who]
        i = int(when.argmin())
        j = int(who[i])
        to = FREE if on.state[j] != FREE else LOWER if slope[j == F][0] < 0 else UPPER
        return c + float(when[i]), [(j, to)]

    def _pair(self, on: Stretch) -> tuple[float, Event]:
        """No free variable: b lies between lines in c, and the stretch ends where the lower ones meet the upper ones.

        max lo - min hi is convex in c, so Newton's method from the right ends at its last zero.
        """
        k0, k1 = -self.y * on.r, -self.y * on.growth
        least = (on.state == LOWER) == (self.y > 0)
        if least.all() or not least.any():
            return np.inf, []
        low, high = np.flatnonzero(least), np.flatnonzero(~least)
        i, j = low[k1[low].argmax()], high[k1[high].argmin()]
        if k1[i] <= k1[j] + 2 * on.still:
            return np.inf, []
        at = max(float((k0[j] - k0[i]) / (k1[i] - k1[j])), 0.0)
        for _ in range(len(k0)):
            v = k0 + at * k1
            i2, j2 = low[v[low].argmax()], high[v[high].argmin()]
            rise = float(k1[i2] - k1[j2])
            if v[i2] - v[j2] <= 1e-15 * max(1.0, abs(float(v[i2]))) or rise <= 0 or at <= 0:
                break
            i, j = i2, j2
            at = max(float((k0[j] - k0[i]) / rise), 0.0)
        return on.c + at, [(int(i), FREE), (int(j), FREE)]


def _sign(v: Array) -> Array:
    """-1, 0 or 1: the sign of y f."""
    return np.where(np.abs(v) <= ON, 0.0, np.sign(v))


def _highest(v: Array, slope: Array, hi: float) -> list[tuple[float, int]]:
    """From which x in [0, hi] on which of the lines v + x slope is the highest."""
    i = int(v.argmax())
    if hi < np.inf:
        end = v + hi * slope
        j = int(end.argmax())
        if end[i] >= end[j]:
            return [(0.0, i)]
        if v[j] >= v[i]:
            return [(0.0, j)]
    i = int(np.lexsort((slope, v))[-1])
    x, out = 0.0, [(0.0, i)]
    while True:
        steeper = (slope > slope[i]).nonzero()[0]
        if not len(steeper):
            return out
        meet = np.maximum((v[i] - v[steeper]) / (slope[steeper] - slope[i]), x)
        x = float(meet.min())
        if not x < hi:
            return out
        same = steeper[meet <= x]
        i = int(same[slope[same].argmax()])
        out.append((x, i))
