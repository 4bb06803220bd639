"""How many points are enough for the hinge risk, in a space of any dimension (G4).

w minimises lambda |w|^2 + mean hinge, without bias, and every |x| <= r. With lambda = sqrt(2 r^2/(B^2 m)), in the mean
over samples,

    E risk(w) <= min_{|u| <= B} risk(u) + r B sqrt(8/m)          so m >= 8 r^2 B^2/eps^2 is enough for eps

d does not occur. It speaks of the hinge risk, not of errors; and coordinates that lengthen the points raise r. Source:
D, learnability; Shalev-Shwartz and Ben-David (2014), corollary 15.7, where r is the Lipschitz constant of the loss.
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
from svmlab.core.rules import NotNegative, Positive, Repetitions, Seed, Shape, WholeNumber, fits
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.data.sized import InPlane, Sized, Some
from svmlab.generalisation.blobs import Blobs
from svmlab.kernels.standard import Linear

SHRUNK = Blobs((0.6, 0.33), 0.4, 0.1)  # the blobs of "overlapping" 4/9 as large: most points lie within the unit disc
ROUNDS = 300  # of the ellipsoid at most: in the plane each leaves 77 % of its area
PROVEN = 1e-10  # of a risk
LARGEST = 10**5  # points of a sample


@validated
def enough_points(eps: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> int:
    """The least m with r B sqrt(8/m) <= eps."""
    return math.ceil(8 * (r * B / eps) ** 2 * (1 - 1e-12))


@validated
def risk_bound(m: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> float:
    """The excess r B sqrt(8/m) of the risk that is allowed in the mean."""
    return r * B * math.sqrt(8 / m)


@validated
def price(m: Positive, r: NotNegative = 1.0, B: Positive = 2.0) -> float:
    """The lambda = sqrt(2 r^2/(B^2 m)) of lambda |w|^2: twice it is the lambda of (lambda/2) |w|^2."""
    return math.sqrt(2 / m) * r / B


@validated
def risk_machine(data: Some, r: NotNegative = 1.0, B: Positive = 2.0) -> Problem:
    """What the bound is about, for this sample."""
    return Problem.from_lambda(data, Linear(), 2 * price(data.m, r, B), bias=False)


@validated
def hinge_risk(w: Array, data: Some) -> float:
    """The mean of max(0, 1 - y <w, x>)."""
    w = Shape(data.d)("w", w)
    return float(np.maximum(0.0, 1.0 - data.y * (data.X @ w)).mean())


@validated
def into_disc(data: Dataset, radius: Positive = 1.0) -> Dataset:
    """Points beyond the radius are drawn back onto the circle."""
    norm = np.linalg.norm(data.X, axis=1)
    return data.moved(data.X * (radius / np.maximum(norm, radius))[:, None])


@validated
def least_risk(data: Annotated[Dataset, Sized(d=2)], B: Positive = 2.0) -> tuple[float, Array]:
    """min_{|u| <= B} hinge_risk(u) and its u, by ellipsoids that shrink around it (Shor; Yudin and Nemirovski).

    Beyond B the way back costs X = max |x| a unit, which no risk makes up for: what is left is convex without a rim.
    Each cut keeps the half that a subgradient g leaves, and the smallest ellipsoid {centre + J v, |v| <= 1} around it;
    |J'g| bounds what is still to be gained. J, not JJ', for ellipsoids grow thin. Raises BadInput without points, and
    for points on a line (d = 1).
    """
    n, X = data.d, float(np.linalg.norm(data.X, axis=1).max())
    centre, J = np.zeros(n), np.eye(n) * B
    best, at = math.inf, centre
    for _ in range(ROUNDS * n * n // 4):
        norm = float(np.linalg.norm(centre))
        inside = centre * min(1.0, B / norm) if norm else centre
        risk = hinge_risk(inside, data)
        if risk < best:
            best, at = risk, inside
        short = data.y * (data.X @ centre) < 1
        g = -(data.y[short] @ data.X[short]) / data.m
        if norm > B:
            g = g + X / norm * centre
        v = g @ J
        left = float(np.linalg.norm(v))
        if left <= PROVEN:
            break
        v /= left
        step = J @ v
        centre = centre - step / (n + 1)
        J = n / math.sqrt(n * n - 1) * (J + (math.sqrt((n - 1) / (n + 1)) - 1) * np.outer(step, v))
    return best, frozen(at)


@dataclass(frozen=True)
class Space(Frozen):
    """The plane within 2 to 2000 dimensions: turned into them, lengths kept, and each coordinate more is +noise or
    -noise by chance.
    """

    d: Annotated[int, WholeNumber(2, 2000)] = 2
    noise: NotNegative = 0.0
    seed: Seed = 0

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def r(self) -> float:
        """The largest length of a point that had at most 1 in the plane."""
        return math.sqrt(1 + (self.d - 2) * self.noise**2)

    @cached_property
    def turn(self) -> Array:
        """An orthogonal matrix (d, d)."""
        return np.linalg.qr(np.random.Generator(np.random.Philox(self.seed)).standard_normal((self.d, self.d)))[0]

    @validated
    def lift(self, data: InPlane, seed: Seed) -> Dataset:
        """The points (m, 2) in their d dimensions, their noise drawn by `seed`. Raises BadInput."""
        fits("data", data.m, self.d)
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence((self.seed, seed, 2))))
        more = self.noise * np.where(rng.random((data.m, self.d - 2)) < 0.5, 1.0, -1.0)
        return data.moved(np.hstack([data.X, more]) @ self.turn)


@dataclass(frozen=True, eq=False)
class Excess(Frozen):
    """risk(w) - best over draws: excess (k, draws) for the sizes m (k,), the bound (k,), and the best risk with |u| <=
    B.
    """

    m: tuple[int, ...]
    excess: Array
    bound: Array
    best_risk: float

    @property
    def mean(self) -> Array:
        """What the bound speaks of, shape (k,)."""
        return self.excess.mean(axis=1)

    @validated
    def useful_from(self, r: NotNegative = 1.0, B: Positive = 2.0) -> int:
        """The m from which on the bound says more than w = 0 does, whose risk is 1."""
        return enough_points(1 - self.best_risk, r, B)


@validated
def excess_risk(
    m: tuple[Annotated[int, WholeNumber(1, LARGEST)], ...] = (20, 80, 320),
    B: Positive = 2.0,
    space: Space = Space(),
    blobs: Blobs = SHRUNK,
    draws: Repetitions = 40,
    fresh: Annotated[int, WholeNumber(1, LARGEST)] = 40_000,
    on_progress: Callable[[float], None] | None = None,
) -> Excess:
    """Samples of each size in the unit disc, lifted, the exact machine on each, its risk on `fresh` points that none
    holds.

    The best u has nothing in the coordinates of noise (its mirror images would share their risk, and their mean has no
    more), so it is looked for in the plane. on_progress gets the fraction done and may raise to stop. Raises BadInput
    for blobs that are not in the plane, for more than 10^5 points and for more than 10^4 draws.
    """
    if len(blobs.mu) != 2:
        raise BadInput("blobs: mu has {d} coordinates, not 2. Give blobs in the plane.", d=len(blobs.mu))
    for size in m:
        fits("m", size, space.d)
    fits("fresh", fresh, space.d)
    unseen = into_disc(blobs.fresh(fresh))
    best, _ = least_risk(unseen, B)
    lifted = space.lift(unseen, draws)
    out = np.empty((len(m), draws))
    for i, size in enumerate(m):
        for k in range(draws):
            sample = space.lift(into_disc(blobs.draw(size, k)), k)
            w = solve(risk_machine(sample, space.r, B)).w
            assert w is not None  # the linear kernel's always is
            out[i, k] = hinge_risk(w, lifted) - best
            if on_progress is not None:
                on_progress((i * draws + k + 1) / out.size)
    return Excess(m, frozen(out), frozen([risk_bound(size, space.r, B) for size in m]), best)
