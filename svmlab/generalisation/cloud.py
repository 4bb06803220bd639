"""Many samples, a machine on each: what it says of the points that it saw, and of those that it did not (G0)."""

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
from svmlab.generalisation.blobs import FRESH, Estimate, training_error


class Distribution(Protocol):
    """What samples can be drawn from, and what the true error of a machine is known of: Blobs, or another."""

    def draw(self, m: int, seed: int = 0) -> Dataset:
        """A sample of m points; the next seed gives the next."""
        ...

    def true_error(self, solution: Solution, n: int = FRESH, seed: int = 0) -> Estimate:
        """By a formula, or by n points that no sample holds."""
        ...


@dataclass(frozen=True, eq=False)
class Cloud(Frozen):
    """One row for each draw, in the order of the seeds; arrays of shape (n,).

    train, true: the share of errors on the sample and on the distribution. support: how many alpha are above 0. m: the
    size of each sample. error: the standard errors of `true`, 0 where it came by a formula.
    """

    m: int
    train: Array
    true: Array
    standard_error: Array
    support: Index

    @property
    def gap(self) -> float:
        """How far the training error lies below the true one, on average over the draws."""
        return float(np.mean(self.true - self.train))

    @property
    def gap_error(self) -> float:
        """The standard error of that mean, with that of the fresh points, which all draws share; nan for one draw."""
        n = len(self.true)
        if n < 2:
            return float("nan")
        return float(np.hypot(np.std(self.true - self.train, ddof=1) / np.sqrt(n), self.standard_error.mean()))


def true_error(source: Distribution, solution: Solution, fresh: int, seed: int) -> Estimate:
    """What `source` says of a machine. Raises BadInput where that is no share with a standard error."""
    found = returned("source", source.true_error(solution, fresh, seed), Estimate)
    Number(least=0.0, most=1.0)("source", found.value)
    Number(least=0.0)("source", found.standard_error)
    return found


@validated
def cloud(
    source: Distribution,
    m: Annotated[int, WholeNumber(1, 10**5)],
    machine: Callable[[Dataset], Problem],
    draws: Repetitions = 40,
    first: Seed = 0,
    fresh: SampleSize = FRESH,
    on_progress: Callable[[float], None] | None = None,
) -> Cloud:
    """`draws` samples of m points with the seeds first, first + 1, ...; `machine` makes a problem of each, which is
    solved.

    One set of `fresh` points serves all machines that are no line. on_progress gets the fraction done and may raise to
    stop. At most 10^5 points and 10^4 draws. Raises what `solve` raises, and BadInput, also where `machine` or `source`
    returns something else than it has to.
    """
    rows = []
    for k in range(draws):
        sample = returned("source", source.draw(m, first + k), Dataset)
        problem = returned("machine", machine(sample), Problem)
        solution = solve(problem)
        if problem.data.d != sample.d:
            raise BadInput(
                "machine: its points have {d} coordinates, and those of the sample {wanted}. Make it of the sample.",
                d=problem.data.d,
                wanted=sample.d,
            )
        true = true_error(source, solution, fresh, first)
        rows.append((training_error(solution), true.value, true.standard_error, float(solution.support.sum())))
        if on_progress is not None:
            on_progress((k + 1) / draws)
    train, values, errors, support = np.array(rows, dtype=float).reshape(-1, 4).T
    return Cloud(m, frozen(train), frozen(values), frozen(errors), frozen(support, np.intp))
