"""The optimum as a function of the upper bound: piecewise linear, followed from one breakpoint to the next.

    a(c) = argmin 1/2 a'Qa - 1'a,   0 <= a <= c n,   y'a = 0 (with bias),   n what each point costs

One partition into 0, free and at the bound after the other (`stretch`). Where several points change at once, the active
set decides just beyond. Every segment begins with a and b found afresh from its partition and is checked at its end, so
that nothing adds up on the way; where round-off hides what comes next, the walk ends. Where a is not unique, the
optimum of least norm sum a_i^2 / n_i then takes the place of the one that was followed (`sharing`). Source: Hastie,
Rosset, Tibshirani and Zhu, The entire regularization path for the support vector machine (2004).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from svmlab.core.arrays import EPS, Array, Frozen, Index, Mask
from svmlab.core.errors import SolverFailed
from svmlab.solvers.active_set import FREE, LOWER, UPPER, make_feasible, minimise
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import row_space_basis
from svmlab.solvers.path.linear_range import at_bounds, crossings, drawn, plain, tied_along
from svmlab.solvers.path.load_sharing import pieces
from svmlab.solvers.path.stretch import TIE, Event, Partition, PathPiece

SMALL = 0.2  # c times the sum of n, below which nothing changes
SAME = 1e-9  # changes of r (times c) below this are none
LEAPS = 10.0 ** np.arange(-10, -1)  # steps over ties, relative to c
PATIENCE = 100  # steps over ties, and halves of segments, beside two for each variable


@dataclass(frozen=True)
class Segment(Frozen):
    """From c = lo to hi: the upper set as a mask, the free set and a_F = at + (c - lo) slope.

    silent: w and b go on as before `lo`, and so does a where it is that of least norm.
    """

    lo: float
    hi: float
    keeps_w_and_b: bool
    upper: Mask
    F: Index
    at: Array
    slope: Array

    def a(self, c: float, n: Array) -> Array:
        """All of a, at one c."""
        out = np.where(self.upper, c * n, 0.0)
        out[self.F] = np.minimum(np.maximum(self.at + (c - self.lo) * self.slope, 0.0), c * n[self.F])
        return out

    def share(self, n: Array) -> Array:
        """Return the limit of a / c as c goes to infinity, shape (m,)."""
        out = np.where(self.upper, n, 0.0)
        out[self.F] = np.minimum(np.maximum(self.slope, 0.0), n[self.F])
        return out


@dataclass(frozen=True)
class Traced:
    """All segments from c = 0 to `end` (infinity, or where round-off hides the next), and the c where a y f changes its
    sign.
    """

    segments: list[Segment]
    end: float
    crossings: list[float]


def follow_path(Q: Gram, y: Array, n: Array, bias: bool, stop: Callable[[float], None] | None = None) -> Traced:
    """Follow the optimum of least norm from c = 0 on. `stop` is told c, and may raise."""
    walk = _PathFollower(Partition(Q, y, n, bias))
    end = walk.run(stop)
    return Traced(walk.out, end, walk.crossings)


class _PathFollower:
    def __init__(self, now: Partition) -> None:
        self.partition, self.n = now, now.n
        self.patience, self.leaps = PATIENCE + 2 * len(self.n), 0
        self.out, self.crossings = list[Segment](), list[float]()
        self.straight: list[tuple[Segment, PathPiece]] = []  # since w and b have changed their course

    def run(self, stop: Callable[[float], None] | None) -> float:
        """Fill `out` and `crossings`, and return where the path ends."""
        c, silent = SMALL / float(self.n.sum()), True
        on = self._solve_at(c, np.zeros(len(self.n)))
        if on is None:
            return 0.0
        end = c
        self._add(Segment(0.0, c, False, on.state == UPPER, on.F, np.zeros(len(on.F)), on.a_slope), on)
        hi, event = self.partition.next_event(on)
        while self.patience > 0:
            if stop is not None:
                stop(hi)
            here = Segment(on.c, hi, silent, on.state == UPPER, on.F, on.a[on.F], on.a_slope)
            if not np.isfinite(hi):
                self._add(here, on)
                end = hi
                break
            here, event = self._optimal_to_its_end(here, event)
            if here.hi > on.c:
                self._add(here, on)
                end = here.hi
            a, far = here.a(here.hi, self.n), here.hi - on.c
            found = self._next_piece(here, a, on.b + far * on.b_slope, event)
            if found is None:
                break
            new, hi, then = found
            silent = float(np.abs(new.r - on.r - far * on.r_slope).max()) <= SAME
            silent = not event or (silent and new.c * float(np.abs(new.r_slope - on.r_slope).max()) <= SAME)
            if new.c > here.hi:
                self._add(self._chord(here.hi, a, new, silent), new)
                end, silent = new.c, True
            on, event = new, then
        self._close()
        return end

    def _add(self, segment: Segment, on: PathPiece) -> None:
        """Take one more segment, which belongs to the partition of `on`."""
        if not segment.keeps_w_and_b and self.straight:
            self._close()
        self.straight.append((segment, on))

    def _close(self) -> None:
        """End a range on which w, and b where a free variable pins it, are linear in c."""
        mine = [segment for segment, _ in self.straight]
        lo, hi, on = mine[0].lo, mine[-1].hi, self.straight[0][1]
        quick = plain(self.partition, on, lo, hi)
        if quick is not None:
            self.out += mine
            self.crossings += quick
            self.straight = []
            return
        on = at_bounds(self.partition, on)
        parts = drawn(self.partition, on, lo, hi)
        self.crossings += crossings(parts)
        tied = tied_along(self.partition, on, parts)
        for segment in mine:
            tied[segment.F] = True
        T = tied.nonzero()[0]
        if max(len(on.F) for _, on in self.straight) < len(T):
            R = row_space_basis(self.partition.Q, T, self.partition.y[T] if self.partition.bias else None)
            if len(R) < len(T):
                mine = self._shared(mine, T, R)
        self.out += mine  # free variables are independent, and a is unique where no other point is tied
        self.straight = []

    def _shared(self, mine: list[Segment], T: Index, R: Array) -> list[Segment]:
        """Return the segments of least norm in the place of `mine`; T are the tied points, R a_T is common to all
        optima.
        """
        n, lo, hi = self.n[T], mine[0].lo, mine[-1].hi
        end = mine[-1].share(self.n)[T] if np.isinf(hi) else mine[-1].a(hi, self.n)[T] / hi
        start = end if lo == 0 else mine[0].a(lo, self.n)[T] / lo
        late = 0.0 if np.isinf(hi) else 1.0 / hi
        early = late if lo == 0 else 1.0 / lo
        found, out = pieces(R, start, end, n), list[Segment]()
        for k, (t, piece) in enumerate(found):
            begin = lo if not k else 1.0 / (early + t * (late - early))
            close = hi if k == len(found) - 1 else 1.0 / (early + found[k + 1][0] * (late - early))
            upper, F = mine[0].upper.copy(), T[piece.state == FREE]
            upper[T] = piece.state == UPPER
            at, slope = self.partition.shared(F, upper, begin)
            out.append(Segment(begin, close, bool(k == 0 and mine[0].keeps_w_and_b), upper, F, at, slope))
        return out

    def _optimal_to_its_end(self, here: Segment, event: Event) -> tuple[Segment, Event]:
        """The segment and its event; half of it, and none, while it is not optimal at its end."""
        while self.patience > 0 and not self.partition.is_optimal_at(here.hi, here.a(here.hi, self.n)):
            self.patience -= 1
            here, event = replace(here, hi=0.5 * (here.lo + here.hi)), []
        return here, event

    def _next_piece(self, here: Segment, a: Array, b: float, event: Event) -> tuple[PathPiece, float, Event] | None:
        """What comes after `here` and where that ends; None where nothing is found that holds."""
        c, state = here.hi, self.partition.state.copy()
        for j, to in event:
            state[j] = to
        if self.partition.set_state(state):
            new = self.partition.piece_from(c, a, b)
            end, then = self.partition.next_event(new) if new.is_optimal else (c, [])
            if end > c * (1 + TIE):
                return new, end, then
        self.leaps = self.leaps + 1 if c - here.lo <= TIE * c else 0  # the more in a row, the further the next one goes
        for step in LEAPS[self.leaps :]:
            self.patience -= 1
            beyond = c * (1 + float(step))
            on = self._solve_at(beyond, a)
            if on is not None and self.partition.is_optimal_at(0.5 * (c + beyond), 0.5 * (a + on.a)):
                return on, *self.partition.next_event(on)
        return None

    def _solve_at(self, c: float, a: Array) -> PathPiece | None:
        """The partition at c by the active set, started at `a`; None where it finds none that holds."""
        now, u = self.partition, c * self.n
        a = make_feasible(a, u, now.y if now.bias else None)
        with suppress(SolverFailed):
            found = minimise(now.Q, -np.ones(len(a)), now.A, u, a).a
            small = 4 * EPS * float(found.sum())
            now.set_state(np.where(found <= small, LOWER, np.where(found >= u - small, UPPER, FREE)))
            on = now.piece_from(c, found, None)
            if on.is_optimal:
                return on
        return None

    def _chord(self, c: float, a: Array, new: PathPiece, silent: bool) -> Segment:
        """From a at c straight to where `new` begins."""
        upper = (a >= c * self.n) & (new.a >= new.c * self.n)
        F = np.flatnonzero(~upper & ((a > 0) | (new.a > 0)))
        return Segment(c, new.c, silent, upper, F, a[F], (new.a[F] - a[F]) / (new.c - c))
