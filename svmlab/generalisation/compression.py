"""Few points carry all: the compression bound (G1), its sharper relative, and where they say nothing.

A machine with fixed C comes back from its N support vectors alone (S9). So it is one of few: for each N there are
binom(m, N) choices of rows, and the m - N others are fresh to what is made of them. With probability at least 1 - delta
over the samples,

    er <= er~ + sqrt((N + (N + 1) ln m + ln(1/delta))/m),      er~ = the wrong rows that carry nothing, over m

and where er~ = 0, as it is for an exact solution (alpha = 0 means y f >= 1), also

    er <= (ln binom(m, N) + ln(m/delta))/(m - N)

since sum_N binom(m, N) (1 - er)^(m - N) must not exceed delta. Source: A, after theorem 3; Floyd and Warmuth (1995).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Number, Share, Size, WholeNumber
from svmlab.core.validate import validated
from svmlab.generalisation.resampling import without

Delta = Annotated[float, Number(above=0.0, below=1.0)]


@validated
def compression_bound(N: NotNegative, m: Size, delta: Delta = 0.05, left: Share = 0.0) -> float:
    """The bound as the note prints it; N is a count or a mean of counts, `left` is er~. Raises BadInput."""
    _ruled(N, m)
    return left + math.sqrt((N + (N + 1) * math.log(m) + math.log(1 / delta)) / m)


@validated
def sharper_bound(N: NotNegative, m: Size, delta: Delta = 0.05) -> float:
    """The one for er~ = 0; inf where every point carries. Raises BadInput."""
    _ruled(N, m)
    if m == N:
        return math.inf
    choices = math.lgamma(m + 1) - math.lgamma(N + 1) - math.lgamma(m - N + 1)
    return (choices + math.log(m / delta)) / (m - N)


@validated
def most_carriers(m: Size, delta: Delta = 0.05) -> int:
    """The largest N at which the printed bound is below 1; -1 where even N = 0 says nothing. N (1 + ln m) < m is
    necessary.
    """
    largest = math.ceil((m - math.log(m) - math.log(1 / delta)) / (1 + math.log(m))) - 1
    return max(largest, -1)


@validated
def fewest_points(N: Annotated[int, WholeNumber(0, 10**7)], delta: Delta = 0.05) -> int:
    """The least m >= N from which on the printed bound is below 1: below it, N carriers say nothing."""
    m = max(N, 1)
    while most_carriers(m, delta) < N:
        m *= 2
    low = max(m // 2, N, 1)
    while low < m:
        middle = (low + m) // 2
        low, m = (low, middle) if most_carriers(middle, delta) >= N else (middle + 1, m)
    return m


@dataclass(frozen=True)
class Compression:
    """Both bounds of a machine: N support vectors of m points, `left` the share of all points that are wrong and carry
    nothing.
    """

    N: int
    m: int
    delta: float
    error_outside_support: float

    @property
    def bound(self) -> float:
        """As printed."""
        return compression_bound(self.N, self.m, self.delta, self.error_outside_support)

    @property
    def sharper(self) -> float:
        """The sharper one, inf where it does not hold (er~ above 0)."""
        return sharper_bound(self.N, self.m, self.delta) if self.error_outside_support == 0 else math.inf

    @property
    def is_vacuous(self) -> bool:
        """Whether the printed bound is 1 or more, which every machine meets."""
        return self.bound >= 1


@validated
def compression(solution: Solution, delta: Delta = 0.05) -> Compression:
    """The bounds for a solved machine. Raises BadInput."""
    left = float(np.mean(~solution.support & (solution.margins <= 0)))
    return Compression(int(solution.support.sum()), solution.problem.data.m, delta, left)


@validated
def from_carriers(solution: Solution) -> float:
    """How far f comes back from the support vectors alone, at the same C: the largest difference on all points.

    0 but for rounding where a free vector pins b; else the middle of a wider interval is another b (S9).
    """
    X = solution.problem.data.X
    if not solution.support.any():
        return 0.0
    few = without(solution.problem, ~solution.support)
    return float(np.abs(few.decision(X) - solution.decision(X)).max())


def _ruled(N: float, m: int) -> None:
    if m < N:
        raise BadInput("N: {N:g} support vectors of m = {m} points: N is from 0 to m.", N=N, m=m)
