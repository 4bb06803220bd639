"""Noisy values along a line and curves through them, with the errors at training points and at other points."""

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

# of the wave: its height, its frequency, the standard deviation of the noise, and its ends
HEIGHT, FREQUENCY, NOISE, LARGEST_X = 1.8, 1.3, 0.4, 3.5
FRESH, DRAWN = 4_000, 240  # points at which a curve is tested, and how many of them are drawn
FOLDS = 5
SMALL_WIDTH = 0.1  # the width that counts as small, unless the points are closer to each other
SPACING = 2.5  # widths between neighbouring points, so that one bump has 4 % of its height at the next

Position = tuple[int, int]  # x1 and x2 in thousandths


def wave(m: int, seed: int) -> list[Position]:
    """Return m equally spaced points with the wave's value and noise: always the same for the same seed."""
    x = np.linspace(-LARGEST_X, LARGEST_X, m)
    y = _wave(x) + NOISE * _noise(seed, 0).standard_normal(m)
    return list(zip(np.rint(1000 * x).astype(int).tolist(), np.rint(1000 * y).astype(int).tolist(), strict=True))


def fresh_points() -> Values:
    """Return other values of the same wave, at random inputs between the ends."""
    rng = _noise(0, 1)
    x = rng.uniform(-LARGEST_X, LARGEST_X, FRESH)
    return Values(x[:, None], _wave(x) + NOISE * rng.standard_normal(FRESH))


def is_wave(positions: Collection[Position], m: int, seed: int) -> bool:
    """Return whether at least half of the points are those of `wave` with this m and seed."""
    return m > 1 and 2 * len(set(positions) & set(wave(m, seed))) >= len(positions) > 0


SMALLEST_ERROR = NOISE * math.sqrt(2 / math.pi)  # mean |y - f| of the best f, which is the wave itself


def mean_error(fit: Fit, data: Values | None = None) -> float:
    """Return the mean |y - f|, of its own points where no others are given."""
    return float(np.abs(fit.residuals if data is None else data.y - fit.decision(data.X)).mean())


def cross_validation_error(problem: Tube) -> float:
    """Return the mean |y - f| of each point by the tube of the other folds; nan for a single point.

    Raises SolverFailed.
    """
    data = problem.data
    k = min(FOLDS, data.m)
    if k < 2:
        return math.nan
    fold = np.random.Generator(np.random.Philox(0)).permutation(np.arange(data.m) % k)
    total = 0.0
    for i in range(k):
        rest, out = fold != i, fold == i
        fit = solve(replace(problem, data=Values(data.X[rest], data.y[rest], data.ids[rest])))
        total += float(np.abs(data.y[out] - fit.decision(data.X[out])).sum())
    return total / data.m


@dataclass(frozen=True, eq=False)
class Errors:
    """The mean |y - f| at the values `at` (k,): of the training points and of others, each (k,)."""

    at: Array
    training: Array
    test: Array


def errors(problems: Sequence[tuple[float, Tube]], others: Values | None) -> Errors:
    """Return the errors of tubes, each with the value that names it, at other points or by cross-validation.

    Cross-validation is used where no other points are given. The error is nan where a tube is not solved.
    """
    rows = []
    for value, problem in problems:
        try:
            fit = solve(problem)
            rows.append(
                (value, mean_error(fit), cross_validation_error(problem) if others is None else mean_error(fit, others))
            )
        except SolverFailed:
            rows.append((value, math.nan, math.nan))
    return Errors(*(frozen(column) for column in np.array(rows).reshape(-1, 3).T))


def with_equal_inputs(data: Values) -> int:
    """Return how many points share their position with another value: no function passes through both."""
    rows = list(zip(map(tuple, data.X.tolist()), data.y.tolist(), strict=True))
    values = Counter(x for x, _y in set(rows))
    return sum(values[x] > 1 for x, _y in rows)


def nearly_interpolating(problem: Tube) -> Tube:
    """Return the same points with eps = 0, a narrow Gaussian and a large C, so that the curve can meet every value.

    K is close to the identity then: with neighbours SPACING widths apart its inverse has no row sum above 1.2, so no
    multiplier exceeds 1.2 max |y - b|. With a bias b lies between the values, without one it is 0.
    """
    data = problem.data
    positions = np.unique(data.X[:, 0])
    width = min(SMALL_WIDTH, float(np.diff(positions).min(initial=math.inf)) / SPACING)
    C = max(problem.C, 4.8 * problem.constant_fit_eps)
    return replace(problem, kernel=Gaussian(width), C=C, eps=0.0)


def points_on_curve(fit: Fit) -> int:
    """Return how many points the curve passes through."""
    return int((np.abs(fit.residuals) <= fit.tolerance).sum())


@dataclass(frozen=True, eq=False)
class ComputedTwice:
    """One tube by kernel values and by explicit features: both curves (k,) at `x` (k,), and the polynomial.

    coefficients: of 1, x, x^2, ... in f.
    """

    x: Array
    kernel: Array
    features: Array
    coefficients: Array

    @property
    def difference(self) -> float:
        """Return the largest difference of the two curves, relative to the largest value."""
        return float(np.abs(self.kernel - self.features).max() / max(1.0, float(np.abs(self.features).max())))


def computed_twice(problem: Tube, half: float) -> ComputedTwice:
    """Solve a tube with a finite feature map, on one-dimensional points, in two ways.

    f = sum_i beta_i k(x_i, x) + b, where the dual uses K alone; and <w, phi(x)> + b of the linear tube on the features
    phi(x_i). Raises SolverFailed.
    """
    data, kernel = problem.data, problem.kernel
    x = np.linspace(-half, half, 161)
    dual = solve(problem)
    by_kernel = dual.beta @ kernel(data.X, x[:, None]) + dual.b
    explicit = replace(problem, data=Values(kernel.feature_map(data.X), data.y, data.ids), kernel=Linear())
    by_features = solve(explicit).decision(kernel.feature_map(x[:, None]))
    degree = kernel.feature_dim(1) or 1
    coefficients = np.polynomial.polynomial.polyfit(x, by_features, degree - 1)
    return ComputedTwice(frozen(x), frozen(by_kernel), frozen(by_features), frozen(coefficients))


def _wave(x: Array) -> Array:
    return HEIGHT * np.sin(FREQUENCY * x)


def _noise(seed: int, stream: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(np.random.SeedSequence((int(seed), stream))))
