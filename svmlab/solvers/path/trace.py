"""The optimum as a function of the upper bound: piecewise linear, followed from one breakpoint to the next.

    a(c) = argmin 1/2 a'Qa - 1'a,   0 <= a <= c n,   y'a = 0 (with bias),   n the cost of each point

The path is followed through one partition into 0, free and at the bound after the other (`partition`). Where several
points change at once, the active set finds the partition just beyond. Every segment begins with a and b computed from
its partition and is checked at its end, so that errors do not accumulate. Where round-off hides the next partition, the
path ends. Where a is not unique, the optimum of least norm sum a_i^2 / n_i then replaces the one that was followed
(`least_norm_path`). Source: Hastie, Rosset, Tibshirani and Zhu, The entire regularization path for the support vector
machine (2004).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask
from svmlab.core.errors import SolverFailed
from svmlab.core.tolerances import EVENT_TOLERANCE, ROUND_OFF, SAME_SLOPE
from svmlab.solvers.active_set import make_feasible, minimise
from svmlab.solvers.box_qp import FREE, LOWER, UPPER
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import row_space_basis
from svmlab.solvers.path.least_norm_path import least_norm_pieces
from svmlab.solvers.path.linear_range import (
    crossings,
    linear_ranges,
    points_on_margin,
    without_free_variables_at_bound,
)
from svmlab.solvers.path.partition import Event, Partition, PathPiece

START = 0.2  # Below this value of c times the sum of n no partition changes.
TIE_STEPS = 10.0 ** np.arange(-10, -1)  # the lengths of steps over ties, relative to c
MAX_EXTRA_STEPS = 100  # the allowed steps over ties and halved segments, plus two for each variable


@dataclass(frozen=True)
class Segment(Frozen):
    """A segment from c = lo to hi: the upper set as a mask, the free set F, and a_F = a_start + (c - lo) slope.

    continues_previous: whether w, b and the a of least norm all continue with the slopes that they had before `lo`. It
    is False where only the a of least norm changes its slope. has_least_norm: whether a is the optimum of least
    norm, or merely one of several optima.
    """

    lo: float
    hi: float
    continues_previous: bool
    upper: Mask
    F: Index
    a_start: Array
    slope: Array
    has_least_norm: bool = True

    def a(self, c: float, n: Array) -> Array:
        """Return the whole vector a at one c, shape (m,)."""
        out = np.where(self.upper, c * n, 0.0)
        out[self.F] = np.minimum(np.maximum(self.a_start + (c - self.lo) * self.slope, 0.0), c * n[self.F])
        return out

    def share(self, n: Array) -> Array:
        """Return the limit of a / c as c goes to infinity, shape (m,)."""
        out = np.where(self.upper, n, 0.0)
        out[self.F] = np.minimum(np.maximum(self.slope, 0.0), n[self.F])
        return out


@dataclass(frozen=True)
class Traced:
    """All segments from c = 0 to `end`, and the values of c at which some y f changes its sign.

    end is infinity, or the c from which round-off hides the next partition.
    """

    segments: list[Segment]
    end: float
    crossings: list[float]


def follow_path(Q: Gram, y: Array, n: Array, bias: bool, on_progress: Callable[[float], None]) -> Traced:
    """Follow the optimum of least norm from c = 0 on.

    `on_progress` is called with c, and may raise an exception.
    """
    follower = _PathFollower(Partition(Q, y, n, bias))
    end = follower.run(on_progress)
    return Traced(follower.out, end, follower.crossings)


class _PathFollower:
    """The state while a path is followed: the current partition and what is left of the allowed steps."""

    def __init__(self, partition: Partition) -> None:
        self.partition, self.n = partition, partition.n
        self.steps_left, self.leaps = MAX_EXTRA_STEPS + 2 * len(self.n), 0
        self.out, self.crossings = list[Segment](), list[float]()
        self.linear: list[tuple[Segment, PathPiece]] = []  # the segments since the last change of slope of w and b

    def run(self, on_progress: Callable[[float], None]) -> float:
        """Fill `out` and `crossings`, and return the c at which the path ends."""
        c, continues_previous = START / float(self.n.sum()), True
        piece = self._solve_at(c, np.zeros(len(self.n)))
        if piece is None:
            return 0.0
        end = c
        self._add(Segment(0.0, c, False, piece.state == UPPER, piece.F, np.zeros(len(piece.F)), piece.a_slope), piece)
        hi, event = self.partition.next_event(piece)
        while self.steps_left > 0:
            on_progress(hi)
            segment = Segment(
                piece.c, hi, continues_previous, piece.state == UPPER, piece.F, piece.a[piece.F], piece.a_slope
            )
            if not np.isfinite(hi):
                self._add(segment, piece)
                end = hi
                break
            segment, event = self._optimal_to_its_end(segment, event)
            if segment.hi > piece.c:
                self._add(segment, piece)
                end = segment.hi
            a, length = segment.a(segment.hi, self.n), segment.hi - piece.c
            following = self._next_piece(segment, a, piece.b + length * piece.b_slope, event)
            if following is None:
                break
            new, hi, next_event = following
            continues_previous = float(np.abs(new.r - piece.r - length * piece.r_slope).max()) <= SAME_SLOPE
            continues_previous = not event or (
                continues_previous and new.c * float(np.abs(new.r_slope - piece.r_slope).max()) <= SAME_SLOPE
            )
            if new.c > segment.hi:
                self._add(self._chord(segment.hi, a, new, continues_previous), new)
                end, continues_previous = new.c, True
            piece, event = new, next_event
        self._close()
        return end

    def _add(self, segment: Segment, piece: PathPiece) -> None:
        """Append a segment, which belongs to the partition of `piece`."""
        if not segment.continues_previous and self.linear:
            self._close()
        self.linear.append((segment, piece))

    def _close(self) -> None:
        """End a range on which w, and b where a free variable determines it, are linear in c."""
        segments = [segment for segment, _ in self.linear]
        lo, hi, piece = segments[0].lo, segments[-1].hi, self.linear[0][1]
        piece = without_free_variables_at_bound(self.partition, piece)
        parts = linear_ranges(self.partition, piece, lo, hi)
        self.crossings += crossings(parts)
        tied = points_on_margin(self.partition, piece, parts)
        for segment in segments:
            tied[segment.F] = True
        T = tied.nonzero()[0]
        if max(len(piece.F) for _, piece in self.linear) < len(T):
            R = row_space_basis(self.partition.Q, T, self.partition.y[T] if self.partition.bias else None)
            if len(R) < len(T):
                segments = self._least_norm_segments(segments, T, R)
        self.out += segments  # Free variables are independent, so a is unique where no other point is tied.
        self.linear = []

    def _least_norm_segments(self, segments: list[Segment], T: Index, R: Array) -> list[Segment]:
        """Return the segments of least norm that replace `segments`.

        T are the tied points, and R a_T is the same for all optima. Where round-off hides the least norm, `segments`
        stay, without it.
        """
        n, lo, hi = self.n[T], segments[0].lo, segments[-1].hi
        end = segments[-1].share(self.n)[T] if np.isinf(hi) else segments[-1].a(hi, self.n)[T] / hi
        start = end if lo == 0 else segments[0].a(lo, self.n)[T] / lo
        inverse_hi = 0.0 if np.isinf(hi) else 1.0 / hi
        inverse_lo = inverse_hi if lo == 0 else 1.0 / lo
        parts, out = least_norm_pieces(R, start, end, n), list[Segment]()
        for k, (t, piece) in enumerate(parts):
            begin = lo if not k else 1.0 / (inverse_lo + t * (inverse_hi - inverse_lo))
            close = hi if k == len(parts) - 1 else 1.0 / (inverse_lo + parts[k + 1][0] * (inverse_hi - inverse_lo))
            upper, F = segments[0].upper.copy(), T[piece.state == FREE]
            upper[T] = piece.state == UPPER
            continues_previous = bool(k == 0 and segments[0].continues_previous)
            at, slope = self.partition.least_norm_piece(F, upper, begin)
            segment = Segment(begin, close, continues_previous, upper, F, at, slope)
            if not self._is_optimal_within(segment):
                return [replace(each, has_least_norm=False) for each in segments]
            out.append(segment)
        return out

    def _is_optimal_within(self, segment: Segment) -> bool:
        """Return whether a segment is optimal at a c between its ends."""
        c = 2.0 * segment.lo + 1.0 if np.isinf(segment.hi) else 0.5 * (segment.lo + segment.hi)
        return self.partition.is_optimal_at(c, segment.a(c, self.n))

    def _optimal_to_its_end(self, segment: Segment, event: Event) -> tuple[Segment, Event]:
        """Halve the segment until it is optimal at its end, and return it with its event (none if it was halved)."""
        while self.steps_left > 0 and not self.partition.is_optimal_at(segment.hi, segment.a(segment.hi, self.n)):
            self.steps_left -= 1
            segment, event = replace(segment, hi=0.5 * (segment.lo + segment.hi)), []
        return segment, event

    def _next_piece(self, segment: Segment, a: Array, b: float, event: Event) -> tuple[PathPiece, float, Event] | None:
        """Return the piece after `segment`, where it ends and its event; None where no optimal piece is found."""
        c, state = segment.hi, self.partition.state.copy()
        for j, to in event:
            state[j] = to
        if self.partition.set_state(state):
            new = self.partition.piece_from(c, a, b)
            end, next_event = self.partition.next_event(new) if new.is_optimal else (c, [])
            if end > c * (1 + EVENT_TOLERANCE):
                return new, end, next_event
        # The more steps over ties follow each other, the longer is the next one.
        self.leaps = self.leaps + 1 if c - segment.lo <= EVENT_TOLERANCE * c else 0
        for step in TIE_STEPS[self.leaps :]:
            self.steps_left -= 1
            trial_c = c * (1 + float(step))
            piece = self._solve_at(trial_c, a)
            if piece is not None and self.partition.is_optimal_at(0.5 * (c + trial_c), 0.5 * (a + piece.a)):
                return piece, *self.partition.next_event(piece)
        return None

    def _solve_at(self, c: float, a: Array) -> PathPiece | None:
        """Return the piece at c by the active set, started at `a`; None where it finds no optimal one."""
        partition, u = self.partition, c * self.n
        a = make_feasible(a, u, partition.y if partition.bias else None)
        with suppress(SolverFailed):
            minimum = minimise(partition.Q, -np.ones(len(a)), partition.A, u, a).a
            small = ROUND_OFF * float(minimum.sum())
            partition.set_state(np.where(minimum <= small, LOWER, np.where(minimum >= u - small, UPPER, FREE)))
            piece = partition.piece_from(c, minimum, None)
            if piece.is_optimal:
                return piece
        return None

    def _chord(self, c: float, a: Array, new: PathPiece, continues_previous: bool) -> Segment:
        """Return the linear segment from a at c to the start of `new`."""
        upper = (a >= c * self.n) & (new.a >= new.c * self.n)
        F = np.flatnonzero(~upper & ((a > 0) | (new.a > 0)))
        return Segment(c, new.c, continues_previous, upper, F, a[F], (new.a[F] - a[F]) / (new.c - c))
