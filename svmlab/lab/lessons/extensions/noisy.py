"""Values with noise at places of a line, and curves through them: what a curve misses of the points it has seen and of
others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svmlab import Gaussian, Linear
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import SolverFailed
from svmlab.regression import Fit, Tube, Values, solve

HEIGHT, TURNS, NOISE, REACH = 1.8, 1.3, 0.4, 3.5  # of the wave, its frequency, standard deviation of the noise, ends
FRESH, SHOWN = 4_000, 240  # places at which a curve is judged, and of them those that are drawn
FOLDS = 5
NARROW = 0.1  # the width that is called small, where the places are not nearer to each other
APART = 2.5  # widths between neighbouring places, so that one bump reaches the next with 4 % of its height

Place = tuple[int, int]  # x1 and x2 in whole thousandths


def wave(m: int, seed: int) -> list[Place]:
    """M even places with the wave's value and noise: always the same for the same seed."""
    x = np.linspace(-REACH, REACH, m)
    y = _wave(x) + NOISE * _noise(seed, 0).standard_normal(m)
    return list(zip(np.rint(1000 * x).astype(int).tolist(), np.rint(1000 * y).astype(int).tolist(), strict=True))


def unseen() -> Values:
    """Other values of the same wave, at places anywhere between the ends."""
    rng = _noise(0, 1)
    x = rng.uniform(-REACH, REACH, FRESH)
    return Values(x[:, None], _wave(x) + NOISE * rng.standard_normal(FRESH))


def is_wave(places: Collection[Place], m: int, seed: int) -> bool:
    """Whether at least half of the places are of that draw."""
    return m > 1 and 2 * len(set(places) & set(wave(m, seed))) >= len(places) > 0


LEAST = NOISE * math.sqrt(2 / math.pi)  # mean |y - f| of the best f: the wave itself


def missed(fit: Fit, data: Values | None = None) -> float:
    """Mean |y - f|, of its own points where no others are given."""
    return float(np.abs(fit.residuals if data is None else data.y - fit.decision(data.X)).mean())


def folds(problem: Tube) -> float:
    """Mean |y - f| of each point by the tube of the other folds; nan for a single point. Raises SolverFailed."""
    data = problem.data
    k = min(FOLDS, data.m)
    if k < 2:
        return math.nan
    part = np.random.Generator(np.random.Philox(0)).permutation(np.arange(data.m) % k)
    total = 0.0
    for i in range(k):
        rest, out = part != i, part == i
        fit = solve(replace(problem, data=Values(data.X[rest], data.y[rest], data.ids[rest])))
        total += float(np.abs(data.y[out] - fit.decision(data.X[out])).sum())
    return total / data.m


@dataclass(frozen=True, eq=False)
class Errors:
    """Mean |y - f| at the values `at` (k,): of the points that were seen and of others, each (k,)."""

    at: Array
    train: Array
    unseen: Array


def errors(problems: Sequence[tuple[float, Tube]], others: Values | None) -> Errors:
    """Tubes by the value that names them, judged at other points, by folds where there are none; a gap where none is
    solved.
    """
    rows = []
    for value, problem in problems:
        try:
            fit = solve(problem)
            rows.append((value, missed(fit), folds(problem) if others is None else missed(fit, others)))
        except SolverFailed:
            rows.append((value, math.nan, math.nan))
    return Errors(*(frozen(column) for column in np.array(rows).reshape(-1, 3).T))


def crowded(data: Values) -> int:
    """How many points share their place with another value: no function runs through both."""
    rows = list(zip(map(tuple, data.X.tolist()), data.y.tolist(), strict=True))
    values = Counter(place for place, _y in set(rows))
    return sum(values[place] > 1 for place, _y in rows)


def narrow(problem: Tube) -> Tube:
    """The same points with eps = 0, a Gaussian so narrow and a C so large that the curve can meet a value at every
    place.

    K is nearly 1 then: with bumps APART widths apart its inverse has no row sum above 1.2, and so no multiplier need be
    above 1.2 max |y - b|. With a bias b lies between the values, without one it is 0.
    """
    data = problem.data
    places = np.unique(data.X[:, 0])
    width = min(NARROW, float(np.diff(places).min(initial=math.inf)) / APART)
    C = max(problem.C, 4.8 * problem.constant_fit_eps)
    return replace(problem, kernel=Gaussian(width), C=C, eps=0.0)


def met(fit: Fit) -> int:
    """Through how many points the curve runs."""
    return int((np.abs(fit.residuals) <= fit.tolerance).sum())


@dataclass(frozen=True, eq=False)
class TwoWays:
    """One tube by kernel values and by explicit coordinates: both curves (k,) at `x` (k,), how far they are apart, the
    polynomial.

    coefficients: of 1, x, x^2, ... in f.
    """

    x: Array
    kernel: Array
    features: Array
    coefficients: Array

    @property
    def apart(self) -> float:
        """The largest difference, as a part of the largest value."""
        return float(np.abs(self.kernel - self.features).max() / max(1.0, float(np.abs(self.features).max())))


def two_ways(problem: Tube, half: float) -> TwoWays:
    """A tube with a kernel of finitely many coordinates, on one-dimensional points.

    f = sum_i beta_i k(x_i, x) + b, where the dual sees K alone; and <w, phi(x)> + b of the linear tube on the
    coordinates phi(x_i). Raises SolverFailed.
    """
    data, kernel = problem.data, problem.kernel
    x = np.linspace(-half, half, 161)
    dual = solve(problem)
    by_kernel = dual.beta @ kernel(data.X, x[:, None]) + dual.b
    explicit = replace(problem, data=Values(kernel.feature_map(data.X), data.y, data.ids), kernel=Linear())
    by_features = solve(explicit).decision(kernel.feature_map(x[:, None]))
    degree = kernel.feature_dim(1) or 1
    coefficients = np.polynomial.polynomial.polyfit(x, by_features, degree - 1)
    return TwoWays(frozen(x), frozen(by_kernel), frozen(by_features), frozen(coefficients))


def _wave(x: Array) -> Array:
    return HEIGHT * np.sin(TURNS * x)


def _noise(seed: int, stream: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(np.random.SeedSequence((int(seed), stream))))
