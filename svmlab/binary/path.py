"""The solution as a function of C, exact from breakpoint to breakpoint (S10, S11, S13 of the catalogue)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab.binary.advice import is_badly_scaled
from svmlab.binary.preprocess import Preprocessed, preprocess
from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve, solve_exact
from svmlab.core.arrays import Array, Frozen, digest, frozen, short_repr
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase
from svmlab.core.rules import PenaltyParameter, Positive
from svmlab.core.tolerances import MARGIN_TOLERANCE, MAX_PROVABLE_FLOOR, SAME_BREAKPOINT
from svmlab.core.validate import validated
from svmlab.solvers.path.partition import Partition
from svmlab.solvers.path.trace import Segment, follow_path

ENDS = N_(
    "The breakpoints above C = {C} are not known, because double precision cannot decide which point changes its "
    "category next."
)


@dataclass(frozen=True, eq=False)
class Path(Frozen):
    """The solutions of `problem` for every C in (0, inf); its own C plays no part, its costs do: C_i = C v_i.

    C (k,): ascending breakpoints, at which a point changes its category. Between two of them every category stays the
    same, and w, b (where a free support vector determines it) and the alpha of least norm sum_i alpha_i^2 / v_i are
    linear in C. end: the breakpoints are known for all C up to it, mostly inf. Beyond it each C is solved separately,
    and `end_reason` says why.
    """

    problem: Problem
    C: Array
    end: float
    _segments: tuple[Segment, ...]
    _reduced: Preprocessed

    def __repr__(self) -> str:
        facts = self.problem.facts
        facts.pop("C")
        ends = {"first": float(self.C[0]), "last": float(self.C[-1])} if len(self.C) else {}
        return short_repr(self, **facts, breakpoints=len(self.C), **ends)

    @cached_property
    def key(self) -> str:
        """Return a digest of the problem and its breakpoints, so that equal keys mean equal paths."""
        return digest("Path", self.problem.key, self.C, self.end)

    @validated
    def at(self, C: PenaltyParameter) -> Solution:
        """Return the Solution at C, the same one that `solve` returns; C = inf is the hard margin.

        Raises BadInput for C <= 0, and as `solve` does NotSeparable (C = inf) and SolverFailed.
        """
        problem = replace(self.problem, C=C)
        breakpoints = np.array([s.lo for s in self._segments]) / self._reduced.kappa
        # At a breakpoint the last bit of a start decides which optimum the exchanges reach.
        at_breakpoint = bool((np.abs(breakpoints - problem.C) <= SAME_BREAKPOINT * problem.C).any())
        if self.end >= problem.C and self._segments and not problem.hard and not at_breakpoint:
            with suppress(SolverFailed):
                solution, inexact = solve_exact(problem, self.alpha(C))
                if inexact is None and not (is_badly_scaled(problem.data.X) and solution.floor > MAX_PROVABLE_FLOOR):
                    return solution
        return solve(problem)

    @validated
    def alpha(self, C: Positive) -> Array:
        """Return the alpha of least norm at C, shape (m,), by linear interpolation, which is faster than `at`.

        At a breakpoint it is the limit from one side, which can differ from what `solve` returns at that C alone.
        Beyond `end`, and where round-off hides the least norm, it is the alpha that `solve` returns. Raises BadInput
        for C <= 0 and C = inf, and SolverFailed as `solve` does.
        """
        if self.end >= C and not self._segments:
            return np.zeros(self.problem.data.m)
        if self.end >= C and (scaled := self._interpolate(C)) is not None:
            return scaled[self._reduced.points.point_of_row] * self.problem.v
        return solve(replace(self.problem, C=C)).alpha

    def _interpolate(self, C: float) -> Array | None:
        """Return alpha_i / v_i of each merged point, or None where it is not the optimum of least norm.

        f varies by at most the sum of all bounds, so the tolerance is as small as this sum where C is tiny.
        """
        partition, kappa, ends = self._partition, self._reduced.kappa, [s.hi for s in self._segments]
        c, n = C * kappa, partition.n
        segment = self._segments[min(bisect_right(ends, c), len(ends) - 1)]
        a = segment.a(c, n)
        if not segment.has_least_norm or not partition.is_optimal_at(
            c, a, MARGIN_TOLERANCE * min(1.0, c * float(n.sum()))
        ):
            return None
        return np.where(segment.upper, C, np.minimum(a / (kappa * n), C))

    @cached_property
    def _partition(self) -> Partition:
        points = self._reduced.points
        return Partition(self._reduced.Q, points.y, points.total(self.problem.v), self.problem.bias)

    @property
    def end_reason(self) -> Phrase | None:
        """Return why the breakpoints beyond `end` are not known, or None where all breakpoints are known."""
        return None if math.isinf(self.end) else Phrase(ENDS, C=f"{self.end:.3g}")

    @cached_property
    def hard_margin_solution(self) -> Solution | None:
        """Return the hard-margin solution that the path reaches, or None where the classes cannot be separated."""
        try:
            return solve(replace(self.problem, C=math.inf))
        except (NotSeparable, SolverFailed):
            return None


@validated
def regularization_path(problem: Problem, on_progress: Callable[[float], None] | None = None) -> Path:
    """Follow the optimum of `problem` from C = 0 to infinity, or to Path.end.

    Equal points count as one, and ties are resolved exactly. on_progress is called repeatedly with log10 of the C
    reached so far, and it may raise an exception to stop. Raises BadInput without points.
    """
    data = problem.data
    if data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    reduced = preprocess(problem)
    points, kappa = reduced.points, reduced.kappa
    if problem.bias and not data.both_classes:
        return Path(problem, frozen(np.zeros(0)), math.inf, (), reduced)

    def report(c: float) -> None:
        if on_progress is not None:
            on_progress(math.log10(c / kappa) if 0 < c < math.inf else math.inf)

    traced = follow_path(reduced.Q, points.y, points.total(problem.v), problem.bias, report)
    segment_starts = [s.lo for s in traced.segments[1:] if not s.continues_previous]
    C = np.sort(np.array([*segment_starts, *traced.crossings])) / kappa
    C = C[np.diff(C, prepend=0.0) > SAME_BREAKPOINT * C]
    return Path(problem, frozen(C), traced.end / kappa, tuple(traced.segments), reduced)
