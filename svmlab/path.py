"""The solution as a function of C, exact from breakpoint to breakpoint (S10, S11, S13 of the catalogue)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.errors import BadInput, SolverFailed
from svmlab.problem import Problem
from svmlab.reduced import Reduced, reduce
from svmlab.separation import NotSeparable
from svmlab.solution import Solution
from svmlab.solve import near, solve
from svmlab.solvers.exact import Merged
from svmlab.solvers.trace import Segment, trace


@dataclass(frozen=True, eq=False)
class Path:
    """The solutions of `problem` for every C in (0, inf); its own C plays no part, its costs do: C_i = C v_i.

    C (k,): ascending breakpoints. Between two of them w, b (where a free vector pins it) and the alpha of least norm are
    linear in C.
    """

    problem: Problem
    C: Array
    _segments: tuple[Segment, ...]
    _reduced: Reduced

    def at(self, C: float) -> Solution:
        """The Solution at C, the very one that `solve` finds; C = inf is the hard margin. Raises BadInput for C <= 0."""
        problem = replace(self.problem, C=C)
        if problem.hard or not self._segments:
            return solve(problem)
        return near(problem, self.alpha(C))

    def alpha(self, C: float) -> Array:
        """One optimal alpha at C, shape (m,), by linear interpolation: quicker than `at`, and not always the least norm."""
        if not 0 < C < math.inf:
            raise BadInput("C: {C!r} must be a finite number above 0.", C=C)
        if not self._segments:
            return np.zeros(self.problem.data.m)
        points, kappa = self._reduced.points, self._reduced.kappa
        c = C * kappa
        ends = [s.hi for s in self._segments]
        a = self._segments[min(bisect_right(ends, c), len(ends) - 1)].a(c, _shares(self.problem, points))
        return (a / (kappa * points.count))[points.group]

    @cached_property
    def limit(self) -> Solution | None:
        """The hard-margin solution that the path ends in, or None where the classes cannot be separated."""
        try:
            return solve(replace(self.problem, C=math.inf))
        except (NotSeparable, SolverFailed):
            return None


def regularization_path(problem: Problem, on_progress: Callable[[float], None] | None = None) -> Path:
    """Follow the optimum of `problem` from C = 0 to infinity; equal points count as one, ties are resolved exactly.

    on_progress is given log10 of the C reached now and then, and may raise to stop. Raises BadInput without points.
    """
    data = problem.data
    if data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    reduced = reduce(problem)
    points, kappa = reduced.points, reduced.kappa
    if problem.bias and not data.both_classes:
        return Path(problem, frozen(np.zeros(0)), (), reduced)

    def report(c: float) -> None:
        if on_progress is not None:
            on_progress(math.log10(c / kappa) if 0 < c < math.inf else math.inf)

    segments = trace(reduced.Q, points.y, _shares(problem, points), problem.bias, report)
    C = np.array([s.lo for s in segments[1:] if not s.silent]) / kappa
    return Path(problem, frozen(C), tuple(segments), reduced)


def _shares(problem: Problem, points: Merged) -> Array:
    """The bound of each distinct point in units of C: what all its rows cost, shape (n,)."""
    return problem.v[points.first] * points.count
