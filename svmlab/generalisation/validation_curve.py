"""The validation curve: what the training error, folds, leaving one out and the distribution itself say along a row of
machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.rules import SampleSize, Seed, Size
from svmlab.core.validate import validated
from svmlab.generalisation.blobs import FRESH, training_error
from svmlab.generalisation.cloud import Distribution, true_error
from svmlab.generalisation.resampling import folds, leave_one_out


@dataclass(frozen=True, eq=False)
class Curve(Frozen):
    """One entry for each machine, arrays of shape (n,); all are shares of errors but the last, N/m.

    true_error: the standard error of `true`. nan where something was not asked for.
    """

    train: Array
    folds: Array
    leave_one_out: Array
    true: Array
    true_standard_error: Array
    support: Array

    def lowest(self, line: Array) -> int:
        """Where one of these lines is least, the first place of equals."""
        return int(np.nanargmin(line))


@validated
def curve(
    problems: Sequence[Problem],
    source: Distribution | None = None,
    k: Size = 5,
    one_out: bool = True,
    fresh: SampleSize = FRESH,
    seed: Seed = 0,
    on_progress: Callable[[float], None] | None = None,
) -> Curve:
    """Solve every problem, k folds of it, and with `one_out` every machine without a point; the true error where
    `source` says it.

    The same folds and the same fresh points serve all of them where the points are the same, so that the lines can be
    compared. A machine is where the next begins. on_progress gets the fraction done and may raise to stop. Raises what
    `solve` raises, and BadInput.
    """
    out = np.full((len(problems), 6), np.nan)
    solution = None
    for i, problem in enumerate(problems):
        m = problem.data.m
        report = _shared(on_progress, i / len(problems), 1 / len(problems) / (1 + k + one_out * m))
        solution = solve(problem, start=solution)
        out[i, 0] = training_error(solution)
        out[i, 5] = solution.support.mean()
        if source is not None:
            true = true_error(source, solution, fresh, seed)
            out[i, 3:5] = true.value, true.standard_error
        out[i, 1] = folds(problem, k, seed, solution, report(1, k)).rate
        if one_out:
            out[i, 2] = leave_one_out(problem, solution, report(1 + k, m)).rate
    return Curve(*(frozen(column) for column in out.T))


def _shared(
    on_progress: Callable[[float], None] | None, before: float, each: float
) -> Callable[[int, int], Callable[[float], None] | None]:
    """For a part of `count` machines after `done` others, each of them worth `each` of the whole: how it reports."""

    def part(done: int, count: int) -> Callable[[float], None] | None:
        if on_progress is None:
            return None
        return lambda share: on_progress(min(1.0, before + (done + count * share) * each))

    return part
