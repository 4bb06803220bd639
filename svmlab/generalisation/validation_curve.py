"""The validation curve: training, cross-validation, leave-one-out and true error along a sequence of problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.rules import SampleSize, Seed, Size
from svmlab.core.validate import validated
from svmlab.generalisation.blobs import FRESH_COUNT, training_error
from svmlab.generalisation.resampling import cross_validate, leave_one_out
from svmlab.generalisation.sample_errors import Distribution, true_error


@dataclass(frozen=True, eq=False)
class ValidationCurve(Frozen):
    """The errors of a sequence of problems, arrays of shape (n,).

    train, cross_validation, leave_one_out, true: error rates. true_standard_error: of `true`. support: the fraction N/m
    of support vectors. An entry is nan if it was not requested.
    """

    train: Array
    cross_validation: Array
    leave_one_out: Array
    true: Array
    true_standard_error: Array
    support: Array

    def lowest(self, values: Array) -> int:
        """Return the position of the least value of one of these arrays, the first of equal ones."""
        return int(np.nanargmin(values))


@validated
def validation_curve(
    problems: Sequence[Problem],
    source: Distribution | None = None,
    k: Size = 5,
    with_leave_one_out: bool = True,
    fresh: SampleSize = FRESH_COUNT,
    seed: Seed = 0,
    on_progress: Callable[[float], None] | None = None,
) -> ValidationCurve:
    """Solve every problem, cross-validate it with k folds and, with `with_leave_one_out`, leave out each point.

    `source` gives the true error. If the points are the same, all problems use the same folds and the same fresh
    points, so that the errors can be compared. Each solve starts from the previous solution. on_progress gets the
    fraction done and may raise to stop. Raises the errors of `solve`, and BadInput.
    """
    out = np.full((len(problems), 6), np.nan)
    solution = None
    for i, problem in enumerate(problems):
        m = problem.data.m
        report = _make_part_reporter(
            on_progress, i / len(problems), 1 / len(problems) / (1 + k + with_leave_one_out * m)
        )
        solution = solve(problem, start=solution)
        out[i, 0] = training_error(solution)
        out[i, 5] = solution.support.mean()
        if source is not None:
            true = true_error(source, solution, fresh, seed)
            out[i, 3:5] = true.value, true.standard_error
        out[i, 1] = cross_validate(problem, k, seed, solution, report(1, k)).rate
        if with_leave_one_out:
            out[i, 2] = leave_one_out(problem, solution, report(1 + k, m)).rate
    return ValidationCurve(*(frozen(column) for column in out.T))


def _make_part_reporter(
    on_progress: Callable[[float], None] | None, before: float, each: float
) -> Callable[[int, int], Callable[[float], None] | None]:
    """Return the function that reports the progress of `count` SVMs after `done` others, each the fraction `each`."""

    def part(done: int, count: int) -> Callable[[float], None] | None:
        if on_progress is None:
            return None
        return lambda share: on_progress(min(1.0, before + (done + count * share) * each))

    return part
