"""Problems by family and number: the same name is the same problem, on every machine and in every run."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from svmlab import Composed, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid
from svmlab.kernels.base import Kernel

Rng = np.random.Generator
NICE = (1 / 16, 1 / 4, 1.0, 2.0, 8.0, 0.1, 10.0, 100.0)
COSTS = ((1.0, 2.0), (3.0, 1.0), (0.1, 7.0), (1e-3, 1.0), (1.0, 1e3), (0.5, 1 / 3))
RECIPES = (
    "linear+2*gaussian(0.5)",
    "(linear+1)**2*gaussian(1)",
    "exp(0.1*linear)",
    "linear*linear+0.5*linear+3",
    "linear-gaussian(1)",
    "tanh(0.5*linear)",
)


@dataclass(frozen=True)
class Case:
    """A problem's parts. unit: what its coordinates are whole multiples of, None where they are the floats
    themselves.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    kernel: Kernel
    C: float
    bias: bool
    costs: tuple[float, float] = (1.0, 1.0)
    unit: Fraction | None = None

    @property
    def problem(self) -> Problem:
        """What is solved."""
        return Problem(Dataset(self.X, self.y), self.kernel, self.C, self.bias, self.costs)

    def __repr__(self) -> str:
        points = f"{self.X.tolist()}, {self.y.astype(int).tolist()}"
        if len(points) > 1500:
            points = f"*points({self.name!r})"
        C = "math.inf" if math.isinf(self.C) else repr(self.C)
        return f"Problem(Dataset({points}), {self.kernel.key}, {C}, {self.bias}, {self.costs})"


def make(family: str, number: int, seed: int = 0) -> Case:
    """The problem of that name."""
    rng = np.random.default_rng([seed, zlib.crc32(family.encode()), number])
    return FAMILIES[family][0](f"{family}/{number}", rng)


def points(name: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """X and y of a problem by its name."""
    family, number = name.split("/")
    case = make(family, int(number), seed)
    return case.X, case.y


def _labels(rng: Rng, m: int) -> np.ndarray:
    y = rng.choice([-1, 1], m)
    if (y == y[0]).all() and m > 1:
        y[0] = -y[0]
    return y


def _size(rng: Rng, usual: int = 12, most: int = 60) -> int:
    return int(rng.integers(2, usual + 1) if rng.random() < 0.85 else rng.integers(usual, most + 1))


def _price(rng: Rng) -> float:
    kind = rng.random()
    if kind < 0.4:
        return float(10.0 ** rng.uniform(-3, 3))
    if kind < 0.7:
        return float(rng.choice(NICE))
    return _extreme(rng)


def _extreme(rng: Rng) -> float:
    kind = rng.random()
    if kind < 0.3:
        return math.inf
    if kind < 0.6:
        return float(f"1e{rng.integers(-12, 13)}")
    return float(10.0 ** rng.uniform(-12, 12))


def _kernel(rng: Rng, scale: float = 1.0) -> Kernel:
    kind = rng.random()
    if kind < 0.4:
        return Linear()
    if kind < 0.7:
        degree = int(rng.choice([2, 2, 2, 3, 3, 4, 5, 6, 7, 8]))
        return Polynomial(degree, float(rng.integers(2)), 1.0 if rng.random() < 0.7 else 0.5)
    if kind < 0.9:
        return Gaussian(scale * float(10.0 ** (rng.uniform(-1, 1) if rng.random() < 0.5 else rng.uniform(-3, 3))))
    return _rare(rng)


def _rare(rng: Rng) -> Kernel:
    if rng.random() < 0.4:
        return Sigmoid(float(10.0 ** rng.uniform(-2, 0)), float(rng.choice([-1.0, 0.0, 1.0])))
    return Composed(str(rng.choice(RECIPES)))


def _integers(rng: Rng, m: int) -> np.ndarray:
    span, d = int(rng.choice([1, 2, 4, 8])), int(rng.choice([1, 2, 2, 2, 3]))
    return rng.integers(-span, span + 1, (m, d))


def _twins(rng: Rng, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some points once more, with either label."""
    again = rng.integers(len(X), size=int(rng.integers(0, 4)))
    return np.vstack([X, X[again]]), np.r_[y, np.where(rng.random(len(again)) < 0.5, 1, -1) * y[again]]


def _case(name: str, rng: Rng, N: np.ndarray, y: np.ndarray, unit: Fraction | None, **other: object) -> Case:
    """N in units, or coordinates as they are."""
    X = np.array(N, dtype=float)
    if unit is not None:  # a quotient of whole numbers is rounded once
        X = X * unit.numerator / unit.denominator
    parts = {"kernel": _kernel(rng), "C": _price(rng), "bias": bool(rng.random() < 0.65)} | other
    return Case(name, X, y, unit=unit, **parts)


def thousandths(name: str, rng: Rng, **other: object) -> Case:
    m = _size(rng)
    N = rng.integers(-8000, 8001, (m, 2))
    return _case(name, rng, *_twins(rng, N, _labels(rng, m)), Fraction(1, 1000), **other)


def thirds(name: str, rng: Rng) -> Case:
    m = _size(rng)
    return _case(name, rng, *_twins(rng, _integers(rng, m), _labels(rng, m)), Fraction(1, 3))


def integers(name: str, rng: Rng, **other: object) -> Case:
    m = _size(rng)
    return _case(name, rng, *_twins(rng, _integers(rng, m), _labels(rng, m)), Fraction(1), **other)


def collinear(name: str, rng: Rng) -> Case:
    m, d = _size(rng), int(rng.choice([2, 2, 3]))
    N = np.outer(rng.integers(-6, 7, m), rng.integers(-3, 4, d)) + rng.integers(-5, 6, d)
    return _case(name, rng, N, _labels(rng, m), Fraction(1, int(rng.choice([1, 3, 10, 1000]))))


def one_class(name: str, rng: Rng) -> Case:
    m = int(rng.integers(1, 13))
    return _case(
        name, rng, _integers(rng, m), np.full(m, rng.choice([-1, 1])), Fraction(1, int(rng.choice([1, 3, 1000])))
    )


def imbalanced(name: str, rng: Rng) -> Case:
    m, few = int(rng.integers(10, 40) if rng.random() < 0.7 else rng.integers(40, 301)), int(rng.integers(1, 4))
    N = rng.normal(0, 2000, (m, int(rng.choice([2, 2, 5])))).round()
    y = np.where(np.arange(m) < few, 1, -1)
    N[y > 0] += rng.choice([0, 2000, 6000])
    return _case(name, rng, N, y * rng.choice([-1, 1]), Fraction(1, 1000))


def costs(name: str, rng: Rng) -> Case:
    return (thousandths, integers)[int(rng.integers(2))](name, rng, costs=COSTS[int(rng.integers(len(COSTS)))])


def prices(name: str, rng: Rng) -> Case:
    return (thousandths, integers)[int(rng.integers(2))](name, rng, C=_extreme(rng))


def kernels(name: str, rng: Rng) -> Case:
    kind = rng.random()
    if kind < 0.4:
        kernel: Kernel = _rare(rng)
    elif kind < 0.7:
        kernel = Gaussian(float(10.0 ** rng.uniform(-3, 3)))
    else:
        kernel = Polynomial(int(rng.integers(2, 9)), float(rng.integers(2)), float(rng.choice([1.0, 0.5, 0.01])))
    return (thousandths, integers)[int(rng.integers(2))](name, rng, kernel=kernel)


def _cloud(rng: Rng, m: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    X, kind = rng.normal(size=(m, d)), rng.integers(3)
    y = _labels(rng, m) if kind == 0 else np.where(X[:, 0] + (kind - 1) * rng.normal(size=m) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def dimensions(name: str, rng: Rng) -> Case:
    m, d = int(2 + 10 ** rng.uniform(0, 2.47)), int(10 ** rng.uniform(0.31, 2))
    return _case(name, rng, *_cloud(rng, m, d), None)


def raw(name: str, rng: Rng) -> Case:
    m, d = _size(rng, 20, 120), int(rng.choice([1, 2, 3, 7, 13]))
    X, y = _cloud(rng, m, d) if rng.random() < 0.5 else (rng.integers(-8, 9, (m, d)), _labels(rng, m))
    scale = float(f"1e{rng.integers(-6, 9)}")
    spread = 10.0 ** rng.integers(-3, 4, d) if rng.random() < 0.3 else np.ones(d)
    shift = float(rng.choice([0.0, 0.0, 1e3, 1e6]))
    kernel = _kernel(rng, scale if rng.random() < 0.7 else 1.0)
    return _case(name, rng, X * scale * spread + shift, y, None, kernel=kernel)


def large(name: str, rng: Rng) -> Case:
    m, d = int(rng.integers(300, 2001)), int(10 ** rng.uniform(0.31, 2))
    C = float(10.0 ** rng.uniform(-3, 3))
    kernel = (Linear(), Polynomial(int(rng.integers(2, 4))), Gaussian(float(d**0.5 * 10.0 ** rng.uniform(-1, 1))))
    return _case(name, rng, *_cloud(rng, m, d), None, C=C, kernel=kernel[int(rng.integers(3))])


# name: what makes a problem of it, and how many of a hundred problems are of it
FAMILIES: dict[str, tuple[Callable[[str, Rng], Case], float]] = {
    "thousandths": (thousandths, 15),
    "thirds": (thirds, 10),
    "integers": (integers, 18),
    "collinear": (collinear, 9),
    "one-class": (one_class, 3),
    "imbalanced": (imbalanced, 6),
    "costs": (costs, 10),
    "prices": (prices, 10),
    "kernels": (kernels, 8),
    "dimensions": (dimensions, 5),
    "raw": (raw, 5.7),
    "large": (large, 0.3),
}
