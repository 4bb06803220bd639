"""Many random samples and the SVM of each: its training error and its true error (G0)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Number, Repetitions, SampleSize, Seed, WholeNumber
from svmlab.core.validate import returned, validated
from svmlab.data import Dataset
from svmlab.generalisation.blobs import FRESH_COUNT, Estimate, training_error


class Distribution(Protocol):
    """A distribution from which samples can be drawn, and for which the true error is known, such as Blobs."""

    def draw(self, m: int, seed: int = 0) -> Dataset:
        """Return a sample of m points; the next seed gives the next sample."""
        ...

    def true_error(self, solution: Solution, n: int = FRESH_COUNT, seed: int = 0) -> Estimate:
        """Return the true error, by a formula or by n points that no sample contains."""
        ...


@dataclass(frozen=True, eq=False)
class SampleErrors(Frozen):
    """The results of many samples, in the order of their seeds; arrays of shape (n,).

    train, true: the error rate on the sample and on the distribution. support: the number of alpha above 0. m: the size
    of each sample. standard_error: of `true`, 0 if it was computed by a formula.
    """

    m: int
    train: Array
    true: Array
    standard_error: Array
    support: Index

    @property
    def gap(self) -> float:
        """The mean over the samples of the true error minus the training error."""
        return float(np.mean(self.true - self.train))

    @property
    def gap_error(self) -> float:
        """The standard error of that mean, including that of the test points, which all samples share; nan for one."""
        n = len(self.true)
        if n < 2:
            return float("nan")
        return float(np.hypot(np.std(self.true - self.train, ddof=1) / np.sqrt(n), self.standard_error.mean()))


def true_error(source: Distribution, solution: Solution, fresh: int, seed: int) -> Estimate:
    """Return the true error by `source`. Raises BadInput if that is no error rate with a standard error."""
    estimate = returned("source", source.true_error(solution, fresh, seed), Estimate)
    Number(minimum=0.0, maximum=1.0)("source", estimate.value)
    Number(minimum=0.0)("source", estimate.standard_error)
    return estimate


@validated
def sample_errors(
    source: Distribution,
    m: Annotated[int, WholeNumber(1, 10**5)],
    make_problem: Callable[[Dataset], Problem],
    draws: Repetitions = 40,
    first: Seed = 0,
    fresh: SampleSize = FRESH_COUNT,
    on_progress: Callable[[float], None] | None = None,
) -> SampleErrors:
    """Draw samples of m points with the seeds first, first + 1, ..., and solve the problem that each gives.

    make_problem: returns the problem of a sample. The same set of `fresh` points serves all nonlinear classifiers.
    on_progress gets the fraction done and may raise to stop. At most 10^5 points and 10^4 draws. Raises the errors of
    `solve`, and BadInput, also if `make_problem` or `source` returns an object of the wrong kind.
    """
    rows = []
    for k in range(draws):
        sample = returned("source", source.draw(m, first + k), Dataset)
        problem = returned("make_problem", make_problem(sample), Problem)
        solution = solve(problem)
        if problem.data.d != sample.d:
            raise BadInput(
                "make_problem: its points have {d} coordinates, and those of the sample have {wanted}. Train it on "
                "the sample.",
                d=problem.data.d,
                wanted=sample.d,
            )
        true = true_error(source, solution, fresh, first)
        rows.append((training_error(solution), true.value, true.standard_error, float(solution.support.sum())))
        if on_progress is not None:
            on_progress((k + 1) / draws)
    train, values, errors, support = np.array(rows, dtype=float).reshape(-1, 4).T
    return SampleErrors(m, frozen(train), frozen(values), frozen(errors), frozen(support, np.intp))
