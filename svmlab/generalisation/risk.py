"""The number of points that is enough for the hinge risk, in a space of any dimension (G4).

w minimises lambda |w|^2 + mean hinge, without bias, and every |x| <= r. With lambda = sqrt(2 r^2/(B^2 m)), in the mean
over samples,

    E risk(w) <= min_{|u| <= B} risk(u) + r B sqrt(8/m)          so m >= 8 r^2 B^2/eps^2 is enough for eps

The dimension d does not occur. The bound holds for the hinge risk, not for the error rate, and coordinates that
lengthen the points increase r. Source: note D, learnability; Shalev-Shwartz and Ben-David (2014), corollary 15.7, where
r is the Lipschitz constant of the loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Positive, Repetitions, Seed, Shape, WholeNumber, check_entry_count
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.data.sized import DatasetSize, NonEmptyDataset, PlanarDataset
from svmlab.generalisation.blobs import Blobs
from svmlab.kernels.standard import Linear

DISC_BLOBS = Blobs((0.6, 0.33), 0.4, 0.1)  # the blobs of "overlapping" scaled by 4/9: most points are in the unit disc
MOST_CUTS = 300  # ellipsoids; in the plane each cut leaves 77 % of the area
RISK_TOLERANCE = 1e-10  # of a risk
LARGEST_M = 10**5  # points of a sample


@validated
def enough_points(eps: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> int:
    """Return the least m with r B sqrt(8/m) <= eps."""
    return math.ceil(8 * (r * B / eps) ** 2 * (1 - 1e-12))


@validated
def risk_bound(m: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> float:
    """Return the bound r B sqrt(8/m) of the mean excess risk."""
    return r * B * math.sqrt(8 / m)


@validated
def risk_lambda(m: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> float:
    """Return lambda = sqrt(2 r^2/(B^2 m)) of lambda |w|^2; twice this is the lambda of (lambda/2) |w|^2."""
    return math.sqrt(2 / m) * r / B


@validated
def risk_problem(data: NonEmptyDataset, r: NotNegative = 1.0, B: Positive = 2.0) -> Problem:
    """Return the problem of the bound for this sample."""
    return Problem.from_lambda(data, Linear(), 2 * risk_lambda(data.m, r, B), bias=False)


@validated
def hinge_risk(w: Array, data: NonEmptyDataset) -> float:
    """Return the mean of max(0, 1 - y <w, x>)."""
    w = Shape(data.d)("w", w)
    return float(np.maximum(0.0, 1.0 - data.y * (data.X @ w)).mean())


@validated
def moved_into_disc(data: Dataset, radius: Positive = 1.0) -> Dataset:
    """Return the dataset with the points beyond the radius moved onto the circle."""
    norm = np.linalg.norm(data.X, axis=1)
    return data.moved(data.X * (radius / np.maximum(norm, radius))[:, None])


@validated
def least_risk(data: Annotated[Dataset, DatasetSize(d=2)], B: Positive = 2.0) -> tuple[float, Array]:
    """Return min_{|u| <= B} hinge_risk(u) and its u, by the ellipsoid method (Shor; Yudin and Nemirovski).

    Outside |u| <= B, max |x| times the distance is added, which no decrease of the risk outweighs. So the constraint
    disappears, and the problem stays convex. Each cut keeps the half-space of a subgradient g, and the smallest
    ellipsoid {centre + J v, |v| <= 1} around it. |J'g| bounds the possible decrease. J is kept instead of JJ', because
    ellipsoids become thin. Raises BadInput without points, and for points on a line (d = 1).
    """
    n, X = data.d, float(np.linalg.norm(data.X, axis=1).max())
    centre, J = np.zeros(n), np.eye(n) * B
    best, minimiser = math.inf, centre
    for _ in range(MOST_CUTS * n * n // 4):
        norm = float(np.linalg.norm(centre))
        inside = centre * min(1.0, B / norm) if norm else centre
        risk = hinge_risk(inside, data)
        if risk < best:
            best, minimiser = risk, inside
        violates = data.y * (data.X @ centre) < 1
        g = -(data.y[violates] @ data.X[violates]) / data.m
        if norm > B:
            g = g + X / norm * centre
        v = g @ J
        largest_gain = float(np.linalg.norm(v))
        if largest_gain <= RISK_TOLERANCE:
            break
        v /= largest_gain
        step = J @ v
        centre = centre - step / (n + 1)
        J = n / math.sqrt(n * n - 1) * (J + (math.sqrt((n - 1) / (n + 1)) - 1) * np.outer(step, v))
    return best, frozen(minimiser)


@dataclass(frozen=True)
class Embedding(Frozen):
    """An isometric embedding of the plane into 2 to 2000 dimensions, with noise.

    Each additional coordinate is +noise or -noise at random, and then all coordinates are rotated.
    """

    d: Annotated[int, WholeNumber(2, 2000)] = 2
    noise: NotNegative = 0.0
    seed: Seed = 0

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def r(self) -> float:
        """The largest length of a point whose length in the plane was at most 1."""
        return math.sqrt(1 + (self.d - 2) * self.noise**2)

    @cached_property
    def turn(self) -> Array:
        """The orthogonal matrix (d, d) of the rotation."""
        return np.linalg.qr(np.random.Generator(np.random.Philox(self.seed)).standard_normal((self.d, self.d)))[0]

    @validated
    def lift(self, data: PlanarDataset, seed: Seed) -> Dataset:
        """Return the points (m, 2) in d dimensions, with noise drawn by `seed`. Raises BadInput."""
        check_entry_count("data", data.m, self.d)
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence((self.seed, seed, 2))))
        extra = self.noise * np.where(rng.random((data.m, self.d - 2)) < 0.5, 1.0, -1.0)
        return data.moved(np.hstack([data.X, extra]) @ self.turn)


@dataclass(frozen=True, eq=False)
class ExcessRisk(Frozen):
    """The excess risk(w) - best over samples.

    excess (k, draws) for the sizes m (k,), the bound (k,), and best_risk, the least risk with |u| <= B.
    """

    m: tuple[int, ...]
    excess: Array
    bound: Array
    best_risk: float

    @property
    def mean(self) -> Array:
        """The mean excess risk, which the bound limits, shape (k,)."""
        return self.excess.mean(axis=1)

    @validated
    def useful_from(self, r: NotNegative = 1.0, B: Positive = 2.0) -> int:
        """Return the m above which the bound is better than that of w = 0, whose risk is 1."""
        return enough_points(1 - self.best_risk, r, B)


@validated
def excess_risk(
    m: tuple[Annotated[int, WholeNumber(1, LARGEST_M)], ...] = (20, 80, 320),
    B: Positive = 2.0,
    space: Embedding = Embedding(),
    blobs: Blobs = DISC_BLOBS,
    draws: Repetitions = 40,
    fresh: Annotated[int, WholeNumber(1, LARGEST_M)] = 40_000,
    on_progress: Callable[[float], None] | None = None,
) -> ExcessRisk:
    """Return the excess risk of the exact solutions for samples of each size in the unit disc, embedded by `space`.

    The risk is measured on `fresh` points that no sample contains. The best u is 0 in the coordinates of noise: its
    mirror images there have the same risk, and by convexity their mean has no larger one. So it is searched in the
    plane. on_progress gets the fraction done and may raise to stop. Raises BadInput for blobs that are not in the
    plane, for more than 10^5 points and for more than 10^4 draws.
    """
    if len(blobs.mu) != 2:
        raise BadInput("blobs: mu has {d} coordinates, but the plane has 2. Give blobs in the plane.", d=len(blobs.mu))
    for size in m:
        check_entry_count("m", size, space.d)
    check_entry_count("fresh", fresh, space.d)
    test_points = moved_into_disc(blobs.fresh(fresh))
    best, _ = least_risk(test_points, B)
    lifted = space.lift(test_points, draws)
    out = np.empty((len(m), draws))
    for i, size in enumerate(m):
        for k in range(draws):
            sample = space.lift(moved_into_disc(blobs.draw(size, k)), k)
            w = solve(risk_problem(sample, space.r, B)).w
            assert w is not None  # a linear kernel always has w
            out[i, k] = hinge_risk(w, lifted) - best
            if on_progress is not None:
                on_progress((i * draws + k + 1) / out.size)
    return ExcessRisk(m, frozen(out), frozen([risk_bound(size, space.r, B) for size in m]), best)
