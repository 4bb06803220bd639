"""The held-out error of a machine: of points that it has not seen, fresh ones where their distribution is known, else
folds.

    fresh:  the share of n points of the same population with y f(x) <= 0, standard error sqrt(p (1 - p)/n) folds:  each
    point of the sample by a machine on the other parts (`resampling`); how the parts differ says how sure it is

An error on fresh points says nothing but of this machine; that of the folds is of machines with fewer points, so rather
too large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Mask, frozen
from svmlab.core.errors import BadInput, SvmError
from svmlab.core.rules import PenaltyParameter
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.data.sized import Some
from svmlab.generalisation.blobs import Estimate, training_error
from svmlab.generalisation.resampling import folds
from svmlab.kernels.base import Kernel

PARTS = 5  # into which a sample is cut, or as many as it has points


@dataclass(frozen=True, eq=False)
class HeldOut(Frozen):
    """Points judged by a machine that has not seen them: wrong (k,) where y f <= 0, and their share.

    parts: into how many the sample was cut so that each point could be unseen once; 0 where the points are fresh.
    """

    data: Dataset
    wrong: Mask
    error: Estimate
    parts: int = 0


@validated
def held_out(solution: Solution, fresh: Some | None = None) -> HeldOut | None:
    """On `fresh` points where there are any, else by folds of the machine's own; None for a sample of fewer than 2.

    Raises what `solve` raises.
    """
    if fresh is not None:
        turned = fresh.labels == solution.problem.data.labels[::-1]  # the same names, but the other one is +1
        wrong = (-fresh.y if turned else fresh.y) * solution.decision(fresh.X) <= 0
        return HeldOut(fresh, frozen(wrong, np.bool_), Estimate.counted(int(wrong.sum()), fresh.m))
    data = solution.problem.data
    if data.m < 2:
        return None
    found = folds(solution.problem, min(PARTS, data.m), start=solution)
    return HeldOut(data, found.wrong, Estimate(found.rate, found.standard_error), found.folds)


@dataclass(frozen=True, eq=False)
class ErrorMap(Frozen):
    """Shares of errors of machines, kernels (k,) by prices C (n,): held out with its standard error, and in training,
    each (k, n).

    nan where there is no machine. parts: as in HeldOut.
    """

    error: Array
    standard_error: Array
    train: Array
    parts: int

    @property
    def best_cell(self) -> tuple[int, int] | None:
        """Kernel and price with the least held-out error: of equals the smallest C, then the last kernel. None where
        nothing is.

        Of machines that cannot be told apart, the one that leans least on single points: kernels are given from narrow
        to wide.
        """
        if np.isnan(self.error).all():
            return None
        rows, columns = np.nonzero(self.error == np.nanmin(self.error))
        at = np.lexsort((-rows, columns))[0]
        return int(rows[at]), int(columns[at])


@validated
def error_map(
    problem: Problem,
    kernels: Sequence[Kernel],
    prices: Sequence[PenaltyParameter],
    fresh: Some | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> ErrorMap:
    """The held-out error on the points of `problem`, at least 2, with other kernels and prices; each machine begins
    from the last.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for fresh points of another dimension.
    """
    if fresh is not None and fresh.d != problem.data.d:
        raise BadInput(
            "fresh: its points have {d} coordinates, and those of the problem {wanted}. Give points of the same kind.",
            d=fresh.d,
            wanted=problem.data.d,
        )
    shape, parts = (len(kernels), len(prices)), 0
    error, spread, train = (np.full(shape, np.nan) for _ in range(3))
    for i, kernel in enumerate(kernels):
        start: Solution | None = None
        for j, C in enumerate(prices):
            try:
                start = solve(replace(problem, kernel=kernel, C=C), start=start)
                found = held_out(start, fresh)
            except SvmError:
                found = None
            if found is not None and start is not None:
                error[i, j], spread[i, j] = found.error.value, found.error.standard_error
                train[i, j], parts = training_error(start), found.parts
            if on_progress is not None:
                on_progress((i * len(prices) + j + 1) / (len(kernels) * len(prices)))
    return ErrorMap(frozen(error), frozen(spread), frozen(train), parts)
