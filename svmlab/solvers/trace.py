"""The optimum as a function of the upper bound: piecewise linear, followed from one breakpoint to the next.

    a(c) = argmin 1/2 a'Qa - 1'a,   0 <= a <= c n,   y'a = 0 (with bias),   n what each point costs

While the partition into 0, free (F) and upper (U) stays, a_F and b solve  Q_FF a_F + y_F b = 1 - c Q_FU n_U,
y_F'a_F = -c y_U'n_U,  so they are linear in c, and so is r = Qa + y b - 1. The segment ends where a free variable meets a
bound or an r meets 0; that variable changes its place. Where several do at once, the active set decides just beyond.
Source: Hastie, Rosset, Tibshirani and Zhu, The entire regularization path for the support vector machine (2004).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index, Mask
from svmlab.solvers.active_set import EPS, FREE, LOWER, UPPER, minimise, restore
from svmlab.solvers.exchange import FLAT
from svmlab.solvers.free_set import system_inverse
from svmlab.solvers.gram import Gram

SMALL, LARGE = 0.2, 1e11  # c times the sum of n: below SMALL nothing changes, beyond LARGE all is round-off
TIE = 1e-10  # events closer than this, relative to c, are one
STILL, SAME = 1e-12, 1e-9  # slopes and changes of r (times c) below these are none


@dataclass(frozen=True)
class Segment:
    """From c = lo to hi: the upper set as a mask, the free set and a_F = at + c slope.

    silent: w and b go on as before `lo`; only an alpha that is not unique has taken another turn.
    """

    lo: float
    hi: float
    silent: bool
    upper: Mask
    F: Index
    at: Array
    slope: Array

    def a(self, c: float, n: Array) -> Array:
        """All of a, at one c."""
        out = np.where(self.upper, c * n, 0.0)
        out[self.F] = np.clip(self.at + c * self.slope, 0.0, c * n[self.F])
        return out


def trace(Q: Gram, y: Array, n: Array, bias: bool, stop: Callable[[float], None] | None = None) -> list[Segment]:
    """All segments from c = 0 up to infinity (or to where round-off ends the walk). `stop` is told c, and may raise."""
    return _Trace(Q, y, n, bias).run(stop)


class _Trace:
    def __init__(self, Q: Gram, y: Array, n: Array, bias: bool) -> None:
        self.Q, self.y, self.n, self.bias = Q, y, n, bias
        self.A = y[None, :] if bias else np.zeros((0, len(y)))
        self.state = np.full(len(y), LOWER)
        self._release(np.empty(0, dtype=np.intp))
        self.before: tuple[Array, Array] | None = None

    def run(self, stop: Callable[[float], None] | None) -> list[Segment]:
        total = float(self.n.sum())
        c, out = SMALL / total, list[Segment]()
        self._jump(c, np.zeros(len(self.y)))
        lo = 0.0
        while True:
            segment, event = self._segment(lo, c)
            out.append(segment)
            if stop is not None:
                stop(segment.hi)
            if not np.isfinite(segment.hi) or segment.hi * total > LARGE:
                return out
            lo = c = segment.hi
            ahead = self._look(c) if self._turn(event) else c
            jump = TIE
            while ahead <= c * (1 + TIE) and jump < 1:
                c = segment.hi * (1 + jump)
                self._jump(c, segment.a(c, self.n))
                ahead, jump = self._look(c), 10 * jump

    def _jump(self, c: float, a: Array) -> None:
        """The partition at c from the active set, started at `a`."""
        u = c * self.n
        a = restore(a, u, self.y) if self.bias else np.clip(a, 0.0, u)
        found = minimise(self.Q, -np.ones(len(a)), self.A, u, a)
        small = 1e-12 * float(u.max())
        self.state = np.where(found.a <= small, LOWER, np.where(found.a >= u - small, UPPER, FREE))
        self._release(np.flatnonzero(self.state == FREE))

    def _release(self, F: Index) -> bool:
        """F free, with its rows and the inverse of its system; whether that is regular."""
        self.F, self.rows = F, self.Q.rows(F)
        self.N, size = system_inverse(self.Q, self.A, F)
        return not len(F) or size * FLAT < 1

    def _lines(self) -> tuple[Array, Array, Array, Array]:
        """a_F = at + c slope, and r without the part of b = c-independent + c-linear where F pins it."""
        F, U, k = self.F, self.state == UPPER, int(self.bias)
        m = len(self.y)
        load = self.Q.times(np.where(U, self.n, 0.0))
        r0, r1 = -np.ones(m), load
        if not len(F):
            return np.zeros(0), np.zeros(0), r0, r1
        N = self.N
        rhs = np.zeros((k + len(F), 2))
        rhs[k:, 0] = 1.0
        rhs[k:, 1] = -load[F]
        if k:
            rhs[0, 1] = -float(self.y[U] @ self.n[U])
        x = N @ rhs
        at, slope = x[k:, 0], x[k:, 1]
        r0 = r0 + at @ self.rows
        r1 = r1 + slope @ self.rows
        if k:
            r0, r1 = r0 + x[0, 0] * self.y, r1 + x[0, 1] * self.y
        return at, slope, r0, r1

    def _segment(self, lo: float, c: float) -> tuple[Segment, list[tuple[int, int]]]:
        at, slope, r0, r1 = self._lines()
        hi, event = self._end(c, at, slope, r0, r1)
        silent = False
        if self.before is not None:
            b0, b1 = self.before
            silent = bool(np.abs(r0 - b0).max() <= SAME and c * np.abs(r1 - b1).max() <= SAME)
        self.before = r0, r1
        return Segment(lo, hi, silent, self.state == UPPER, self.F, at, slope), event

    def _look(self, c: float) -> float:
        return self._end(c, *self._lines())[0]

    def _end(self, c: float, at: Array, slope: Array, r0: Array, r1: Array) -> tuple[float, list[tuple[int, int]]]:
        """Where the segment that holds at c ends, and who changes to which state there."""
        F, n = self.F, self.n
        if self.bias and not len(F):
            return self._pair(c, r0, r1)
        # Distances to the events, each of them positive inside the segment and linear in c.
        bounded = self.state != FREE
        sign = -self.state[bounded]
        d0 = np.concatenate([at, -at, sign * r0[bounded]])
        d1 = np.concatenate([slope, n[F] - slope, sign * r1[bounded]])
        who = np.concatenate([F, F, np.flatnonzero(bounded)])
        to = np.concatenate([np.full(len(F), LOWER), np.full(len(F), UPPER), np.full(len(sign), FREE)])
        if len(d0) and float((d0 + c * d1).min()) < -1e-9:
            return c, []  # not a partition of the optimum
        # Slower than this, an r has not moved by the time that c is LARGE: on a shared margin line it is 0 throughout.
        falling = d1 < np.concatenate([np.full(2 * len(F), -STILL), np.full(len(sign), -STILL / c)])
        if not falling.any():
            return np.inf, []
        when = np.full(len(d0), np.inf)
        when[falling] = d0[falling] / -d1[falling]
        i = int(when.argmin())
        return max(float(when[i]), c), [(int(who[i]), int(to[i]))]

    def _pair(self, c: float, r0: Array, r1: Array) -> tuple[float, list[tuple[int, int]]]:
        """No free variable: b lies between lines in c, and the segment ends where the lower ones meet the upper ones.

        max lo - min hi is convex in c, so Newton's method from the right ends at its last zero.
        """
        k0, k1 = -self.y * r0, -self.y * r1
        least = (self.state == LOWER) == (self.y > 0)
        if least.all() or not least.any():
            return np.inf, []
        low, high = np.flatnonzero(least), np.flatnonzero(~least)
        i, j = low[k1[low].argmax()], high[k1[high].argmin()]
        if k1[i] <= k1[j]:
            return np.inf, []
        at = max(float((k0[j] - k0[i]) / (k1[i] - k1[j])), c)
        for _ in range(len(k0)):
            v = k0 + at * k1
            i2, j2 = low[v[low].argmax()], high[v[high].argmin()]
            rise = float(k1[i2] - k1[j2])
            if v[i2] - v[j2] <= 1e-15 * max(1.0, abs(float(v[i2]))) or rise <= 0 or at <= c:
                break
            i, j = i2, j2
            at = max(float((k0[j] - k0[i]) / rise), c)
        return at, [(int(i), FREE), (int(j), FREE)]

    def _turn(self, event: list[tuple[int, int]]) -> bool:
        """Let the event happen; whether the new free set is independent."""
        for j, to in event:
            self.state[j] = to
        F = np.flatnonzero(self.state == FREE)
        if self.bias and len(F) == 1:  # y'a = 0 holds it at c times a sum of n: often at a bound, but for rounding
            i, close = F[0], max(TIE * float(self.n.min()), 8 * EPS * float(self.n.sum()))
            share = -float(self.y[i] * (self.y @ (self.n * (self.state == UPPER))))
            for end, state in ((0.0, LOWER), (self.n[i], UPPER)):
                if abs(share - end) <= close:
                    self.state[i], F = state, F[:0]
        return self._release(F)
