"""The test error of a classifier: on fresh points if their distribution is known, and otherwise by cross-validation.

    fresh:  the error rate p on n points of the same distribution, y f(x) <= 0, standard error sqrt(p (1 - p)/n)
    folds:  each point of the sample by the SVM on the other folds (`resampling`), standard error from their differences
    balanced error:  the mean of the error rates p_j of the classes that have points, standard error
                     sqrt(sum_j p_j (1 - p_j)/n_j)/k for k classes

The error on fresh points estimates the true error of this classifier alone. The cross-validation error is that of SVMs
with fewer points, so it is usually too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Mask, frozen
from svmlab.core.errors import BadInput, SvmError
from svmlab.core.rules import PenaltyParameter
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.data.sized import NonEmptyDataset
from svmlab.generalisation.blobs import Estimate, training_error
from svmlab.generalisation.confusion import confusion_of_errors
from svmlab.generalisation.resampling import cross_validate
from svmlab.kernels.base import Kernel

HELD_OUT_FOLDS = 5  # number of folds, or the number of points if that is smaller


@dataclass(frozen=True, eq=False)
class HeldOut(Frozen):
    """Test points and how many of them are misclassified.

    data: the test points. errors (k,): which of them have y f <= 0. error: the error rate.
    folds: the number of folds of the cross-validation; 0 if the points are fresh.
    """

    data: Dataset
    errors: Mask
    error: Estimate
    folds: int = 0

    @property
    def balanced_error(self) -> Estimate:
        """The mean of the error rates of the classes that have test points, so that a rare class counts as much."""
        return balanced_error(self.data.y, self.errors)


@validated
def balanced_error(y: Array, errors: Mask) -> Estimate:
    """Return the mean of the error rates of the classes that have points, from the signs y (m,) and the errors (m,).

    It is 1 minus the balanced accuracy of `confusion_of_errors`. Raises BadInput as that does, and for no points.
    """
    sizes = confusion_of_errors(y, errors).sizes
    if not sizes.any():
        raise BadInput("y: there are no points, so there is no error rate. Give at least one sign.")
    counts = [(int(errors[y == sign].sum()), int((y == sign).sum())) for sign in (1.0, -1.0)]
    rates = [(Fraction(wrong, n), n) for wrong, n in counts if n]
    value = sum((rate for rate, _n in rates), Fraction(0)) / len(rates)  # exact, so equal errors are equal numbers
    variance = sum(rate * (1 - rate) / n for rate, n in rates)
    return Estimate(float(value), math.sqrt(variance) / len(rates))


@validated
def held_out(solution: Solution, fresh: NonEmptyDataset | None = None) -> HeldOut | None:
    """Test on `fresh` points if there are any, else by cross-validation; None for a sample of fewer than 2 points.

    Raises the errors of `solve`.
    """
    if fresh is not None:
        labels_swapped = fresh.labels == solution.problem.data.labels[::-1]  # the same names with exchanged signs
        wrong = (-fresh.y if labels_swapped else fresh.y) * solution.decision(fresh.X) <= 0
        return HeldOut(fresh, frozen(wrong, np.bool_), Estimate.counted(int(wrong.sum()), fresh.m))
    data = solution.problem.data
    if data.m < 2:
        return None
    result = cross_validate(solution.problem, min(HELD_OUT_FOLDS, data.m), start=solution)
    return HeldOut(data, result.errors, Estimate(result.rate, result.standard_error), result.folds)


@dataclass(frozen=True, eq=False)
class ErrorMap(Frozen):
    """Error rates of solutions for kernels (k,) and values of C (n,), each (k, n).

    error, standard_error: test error. train: training error. nan if there is no solution. folds: as in HeldOut.
    constant: the test error of the constant classifier that always predicts the class with more test points, nan if
    it is not known. balanced: the same map with balanced errors.
    """

    error: Array
    standard_error: Array
    train: Array
    folds: int
    constant: float = math.nan
    balanced: ErrorMap | None = None

    @property
    def constant_is_as_good(self) -> bool:
        """Whether no classifier of the map has a smaller test error than the constant classifier."""
        return self.best_cell is not None and bool(self.error[self.best_cell] >= self.constant)

    @property
    def best_cells(self) -> Mask:
        """Which cells have the least test error, shape as `error`; none where nothing could be solved."""
        return self.error == np.fmin.reduce(self.error, axis=None)

    @property
    def best_cell(self) -> tuple[int, int] | None:
        """The positions of kernel and C with the least test error, or None if there is none.

        Of equal errors the smallest C is chosen, then the last kernel. The kernels are given from narrow to wide. So of
        solutions that cannot be distinguished, the one that depends least on single points is chosen.
        """
        rows, columns = np.nonzero(self.best_cells)
        if not len(rows):
            return None
        at = np.lexsort((-rows, columns))[0]
        return int(rows[at]), int(columns[at])


@validated
def error_map(
    problem: Problem,
    kernels: Sequence[Kernel],
    penalties: Sequence[PenaltyParameter],
    fresh: NonEmptyDataset | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> ErrorMap:
    """Return the test error on the points of `problem`, at least 2, for each kernel and each C in `penalties`.

    Each solve starts from the previous solution. on_progress gets the fraction done and may raise to stop. Raises
    BadInput for fresh points of another dimension.
    """
    if fresh is not None and fresh.d != problem.data.d:
        raise BadInput(
            "fresh: its points have {d} coordinates, and those of the problem have {wanted}. Give points of the "
            "same kind.",
            d=fresh.d,
            wanted=problem.data.d,
        )
    shape, folds = (len(kernels), len(penalties)), 0
    plain, balanced = np.full((3, *shape), np.nan), np.full((3, *shape), np.nan)  # error, standard error, training
    for i, kernel in enumerate(kernels):
        start: Solution | None = None
        for j, C in enumerate(penalties):
            try:
                start = solve(replace(problem, kernel=kernel, C=C), start=start)
                result = held_out(start, fresh)
            except SvmError:
                result = None
            if result is not None and start is not None:
                folds, test = result.folds, result.balanced_error
                of_training = balanced_error(start.problem.data.y, start.errors).value
                plain[:, i, j] = result.error.value, result.error.standard_error, training_error(start)
                balanced[:, i, j] = test.value, test.standard_error, of_training
            if on_progress is not None:
                on_progress((i * len(penalties) + j + 1) / (len(kernels) * len(penalties)))
    tested = problem.data if fresh is None else fresh
    smaller_class = min(int((tested.y == sign).sum()) for sign in (1.0, -1.0))
    of_classes = ErrorMap(*_frozen_rows(balanced), folds, 0.5 if smaller_class else 0.0)
    return ErrorMap(*_frozen_rows(plain), folds, smaller_class / tested.m, of_classes)


def _frozen_rows(rows: Array) -> tuple[Array, Array, Array]:
    first, second, third = map(frozen, rows)
    return first, second, third
