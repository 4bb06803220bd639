"""The compression bound for a solution with few support vectors (G1), a sharper bound, and where they are vacuous.

With fixed C, the N support vectors alone determine the solution (S9). So for each N it is one of at most binom(m, N)
solutions, one for each choice of rows, and the m - N other points are independent of it. With probability at least
1 - delta over the samples,

    er <= er~ + sqrt((N + (N + 1) ln m + ln(1/delta))/m)
    er~ = the number of misclassified points that are no support vectors, over m

and if er~ = 0, as for every exact solution (alpha = 0 implies y f >= 1), also

    er <= (ln binom(m, N) + ln(m/delta))/(m - N)

because sum_N binom(m, N) (1 - er)^(m - N) must not exceed delta. Source: note A, after theorem 3; Floyd and Warmuth
(1995).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Number, Size, UnitInterval, WholeNumber
from svmlab.core.validate import validated
from svmlab.generalisation.resampling import solve_without

Delta = Annotated[float, Number(above=0.0, below=1.0)]


@validated
def compression_bound(N: NotNegative, m: Size, delta: Delta = 0.05, error_outside_support: UnitInterval = 0.0) -> float:
    """Return the bound as the note prints it; N is a count or a mean of counts. Raises BadInput."""
    _check_count(N, m)
    return error_outside_support + math.sqrt((N + (N + 1) * math.log(m) + math.log(1 / delta)) / m)


@validated
def sharper_bound(N: NotNegative, m: Size, delta: Delta = 0.05) -> float:
    """Return the bound for er~ = 0, or inf if every point is a support vector. Raises BadInput."""
    _check_count(N, m)
    if m == N:
        return math.inf
    choices = math.lgamma(m + 1) - math.lgamma(N + 1) - math.lgamma(m - N + 1)
    return (choices + math.log(m / delta)) / (m - N)


@validated
def max_support_vectors(m: Size, delta: Delta = 0.05) -> int:
    """Return the largest N at which the printed bound is below 1, or -1 if even N = 0 is vacuous.

    N (1 + ln m) < m is necessary.
    """
    largest = math.ceil((m - math.log(m) - math.log(1 / delta)) / (1 + math.log(m))) - 1
    return max(largest, -1)


@validated
def fewest_points(N: Annotated[int, WholeNumber(0, 10**7)], delta: Delta = 0.05) -> int:
    """Return the least m >= N for which, and above which, the printed bound for N support vectors is below 1."""
    m = max(N, 1)
    while max_support_vectors(m, delta) < N:
        m *= 2
    low = max(m // 2, N, 1)
    while low < m:
        middle = (low + m) // 2
        low, m = (low, middle) if max_support_vectors(middle, delta) >= N else (middle + 1, m)
    return m


@dataclass(frozen=True)
class Compression:
    """The two bounds of a solution with N support vectors among m points.

    error_outside_support: the fraction of all points that are misclassified and no support vectors.
    """

    N: int
    m: int
    delta: float
    error_outside_support: float

    @property
    def bound(self) -> float:
        """The bound as printed."""
        return compression_bound(self.N, self.m, self.delta, self.error_outside_support)

    @property
    def sharper(self) -> float:
        """The sharper bound, or inf if it does not hold (er~ above 0)."""
        return sharper_bound(self.N, self.m, self.delta) if self.error_outside_support == 0 else math.inf

    @property
    def is_vacuous(self) -> bool:
        """Whether the printed bound is 1 or more, which holds for every classifier."""
        return self.bound >= 1


@validated
def compression(solution: Solution, delta: Delta = 0.05) -> Compression:
    """Return the bounds of a solution. Raises BadInput."""
    error_outside_support = float(np.mean(~solution.support & (solution.margins <= 0)))
    return Compression(int(solution.support.sum()), solution.problem.data.m, delta, error_outside_support)


@validated
def support_vector_difference(solution: Solution) -> float:
    """Return the largest difference on all points between f and the f of the support vectors alone, at the same C.

    It is 0 up to rounding if a free support vector determines b. Otherwise b may differ, because it is the midpoint of
    a wider interval (S9).
    """
    X = solution.problem.data.X
    if not solution.support.any():
        return 0.0
    reduced = solve_without(solution.problem, ~solution.support)
    return float(np.abs(reduced.decision(X) - solution.decision(X)).max())


def _check_count(N: float, m: int) -> None:
    if m < N:
        raise BadInput(
            "N: {N:g} is not from 0 to m = {m}. Give the number of support vectors among the m points.", N=N, m=m
        )
