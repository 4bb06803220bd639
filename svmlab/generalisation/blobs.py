"""A known distribution: two round normal distributions, with some of the labels flipped.

    c = +1 or -1, each with probability 1/2;   x = c mu + s z,  z standard normal;   y = c, or -c with probability eta

For a line <w, x> + b = 0 the true error has a formula, with Phi the normal distribution function:

    er = eta + (1 - 2 eta) (Phi(-(<w, mu> + b)/(s |w|)) + Phi(-(<w, mu> - b)/(s |w|)))/2

Its least value is at w = mu, b = 0, and no classifier has a smaller true error. An error is y f(x) <= 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.rules import Number, Positive, SampleSize, Seed, Shape, check_entry_count
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.data.sized import NonEmptyDataset

FRESH_COUNT = 20_000  # number of points on which the error of a nonlinear classifier is measured
BLOCK = 2_000  # number of these points that are classified at a time
SAMPLE, UNSEEN = 0, 1  # independent streams of random numbers


@dataclass(frozen=True)
class Estimate:
    """An error rate and its standard error, which is 0 if a formula gave the rate."""

    value: float
    standard_error: float = 0.0

    @classmethod
    def counted(cls, wrong: int, n: int) -> Estimate:
        """Return the error rate p of n points, with its standard error sqrt(p (1 - p)/n)."""
        p = wrong / n
        return cls(p, math.sqrt(p * (1 - p) / n))


@dataclass(frozen=True)
class Blobs:
    """Two blobs at +mu and -mu with standard deviation s > 0, and labels flipped with probability eta, 0 to 1/2.

    The default is the distribution of the preset "overlapping" at a noise of .1. Raises BadInput.
    """

    mu: tuple[float, ...] = (1.35, 0.7425)
    s: Positive = 0.9
    eta: Annotated[float, Number(minimum=0.0, maximum=0.5)] = 0.0

    def __post_init__(self) -> None:
        validate_fields(self)
        if not self.mu:
            raise BadInput("mu: () is not a point. Give one finite number for each coordinate.")

    @validated
    def draw(self, m: SampleSize, seed: Seed = 0) -> Dataset:
        """Return a sample of 1 to 10^6 independent points. The next seed gives the next sample.

        With equal seeds a larger m adds points to those of a smaller one, and a larger eta flips the same labels and
        more.
        """
        check_entry_count("m", m, len(self.mu))
        return self._points(m, seed, SAMPLE)

    @validated
    def fresh(self, n: SampleSize, seed: Seed = 0) -> Dataset:
        """Return n points, 1 to 10^6, that no sample contains, whatever its seed."""
        check_entry_count("n", n, len(self.mu))
        return self._points(n, seed, UNSEEN)

    def _points(self, m: int, seed: int, stream: int) -> Dataset:
        side, position, flip = (
            np.random.Generator(np.random.Philox(seed_sequence))
            for seed_sequence in np.random.SeedSequence((seed, stream)).spawn(3)
        )
        c = np.where(side.random(m) < 0.5, 1.0, -1.0)
        X = c[:, None] * np.array(self.mu) + self.s * position.standard_normal((m, len(self.mu)))
        return Dataset(X, np.where(flip.random(m) < self.eta, -c, c))

    @validated
    def error(self, w: Array, b: float) -> float:
        """Return the true error of f(x) = <w, x> + b. With w = 0 it is 1/2, or 1 if b = 0 too, because f is then 0."""
        w = Shape(len(self.mu))("w", w)
        norm, along = float(np.linalg.norm(w)), float(np.dot(w, self.mu))
        if norm == 0:
            return 0.5 if b else 1.0
        wrong = 0.5 * (_phi(-(along + b) / (self.s * norm)) + _phi(-(along - b) / (self.s * norm)))
        return self.eta + (1 - 2 * self.eta) * wrong

    @property
    def bayes_error(self) -> float:
        """The least possible true error, that of w = mu, b = 0."""
        return self.error(np.array(self.mu), 0.0)

    @validated
    def measured_error(
        self, decision: Callable[[Array], Array], n: SampleSize = FRESH_COUNT, seed: Seed = 0
    ) -> Estimate:
        """Return the error rate on n fresh points, y f(x) <= 0, for any f on rows (k, d) -> (k,)."""
        return measured_error(self.fresh(n, seed), decision)

    @validated
    def true_error(self, solution: Solution, n: SampleSize = FRESH_COUNT, seed: Seed = 0) -> Estimate:
        """Return the true error of a solution: by the formula for a line, else on n fresh points."""
        if solution.problem.kernel.is_linear and solution.w is not None:
            return Estimate(self.error(np.zeros_like(solution.w) if solution.is_constant else solution.w, solution.b))
        return self.measured_error(solution.decision, n, seed)


@validated
def measured_error(data: NonEmptyDataset, decision: Callable[[Array], Array]) -> Estimate:
    """Return the error rate on the points, y f(x) <= 0, for any f on rows (k, d) -> (k,).

    Raises BadInput if f returns anything else.
    """
    wrong = 0
    for i in range(0, data.m, BLOCK):
        X, y = data.X[i : i + BLOCK], data.y[i : i + BLOCK]
        f = Shape(len(X))("decision", decision(X))
        wrong += int(np.count_nonzero(y * f <= 0))
    return Estimate.counted(wrong, data.m)


@validated
def training_error(solution: Solution) -> float:
    """Return the fraction of the solution's own points that are training errors (`Solution.errors`)."""
    return float(np.mean(solution.errors))


def _phi(t: float) -> float:
    """Return the normal distribution function."""
    return 0.5 * math.erfc(-t / math.sqrt(2.0))
