"""The families of stored problems, drawn from fixed seeds. Once a problem is recorded, its file counts and not this
draw."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.corpus.answers import BINARY, JOINT, ONE_VS_REST, REGRESSION, Plain

Rng = np.random.Generator
COSTS = ((1.0, 2.0), (3.0, 1.0), (0.1, 7.0), (1.0, 50.0), (0.5, 1 / 3), (2.0, 2.0))
NICE = (0.125, 0.25, 0.5, 1.0, 2.0, 8.0, 10.0, 100.0)
RECIPES = ("linear+2*gaussian(0.5)", "(linear+1)**2*gaussian(1)", "exp(0.1*linear)", "linear*linear+0.5*linear+3")


def make(family: str, number: int) -> Plain:
    """Return the problem of this number, the same on every machine."""
    rng = np.random.default_rng([zlib.crc32(family.encode()), number])
    return FAMILIES[family][0](rng)


def names(family: str) -> list[str]:
    """Return the names of the problems of a family."""
    return [f"{family}/{number}" for number in range(FAMILIES[family][1])]


def _size(rng: Rng, usual: int = 20, most: int = 80) -> int:
    return int(rng.integers(2, usual + 1) if rng.random() < 0.75 else rng.integers(usual, most + 1))


def _labels(rng: Rng, m: int) -> np.ndarray:
    y = rng.choice([-1, 1], m)
    y[:2] = 1, -1
    return y


def _penalty(rng: Rng) -> float:
    return float(rng.choice(NICE)) if rng.random() < 0.4 else float(10.0 ** rng.uniform(-3, 3))


def _kernel(rng: Rng) -> Plain:
    kind = rng.random()
    if kind < 0.4:
        return {"name": "linear"}
    if kind < 0.65:
        return _power(rng, 4)
    return {"name": "gaussian", "sigma": float(rng.choice([0.3, 0.5, 1.0, 2.0, 5.0]))}


def _power(rng: Rng, most: int) -> Plain:
    degree = int(rng.integers(2, most + 1))
    scale, coef0 = float(rng.choice([1.0, 0.5, 0.1])), float(rng.choice([0.0, 1.0, 1.0]))
    return {"name": "polynomial", "degree": degree, "coef0": coef0, "scale": scale}


def _problem(X: Any, y: Any, rng: Rng, **other: Any) -> Plain:
    """Return a problem with these points; whatever is not given is drawn."""
    drawn = {"task": BINARY, "kernel": _kernel(rng), "C": _penalty(rng), "bias": bool(rng.random() < 0.7)} | other
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    return {"task": drawn.pop("task"), "X": (X + 0.0).tolist(), "y": y.tolist(), **drawn}


def _cloud(rng: Rng, m: int, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return points in thousandths whose labels are random, those of two overlapping clouds, or those of a noisy
    line."""
    X, kind, y = rng.standard_normal((m, d)), rng.integers(3), _labels(rng, m)
    if kind == 1:
        X += np.outer(y, rng.uniform(0.3, 1.2) * np.ones(d))
    elif kind == 2:
        y = np.where(X[:, 0] + 0.3 * rng.standard_normal(m) > 0, 1, -1)
        y[:2] = 1, -1
    return np.clip(np.round(X * rng.choice([0.5, 1.0, 2.0]), 3), -8, 8), y


def _lattice(rng: Rng, m: int) -> np.ndarray:
    span = int(rng.choice([1, 2, 3, 4]))
    return rng.integers(-span, span + 1, (m, 2)).astype(float)


def random(rng: Rng) -> Plain:
    return _problem(*_cloud(rng, _size(rng)), rng)


def lattice(rng: Rng) -> Plain:
    m = _size(rng, 16, 60)
    X = _lattice(rng, m)
    y = _labels(rng, m) if rng.random() < 0.5 else np.where(X @ [1, 1] + rng.integers(-1, 2, m) > 0, 1, -1)
    y[:2] = 1, -1
    return _problem(X, y, rng, C=float(rng.choice(NICE)))


def opposite_twins(rng: Rng) -> Plain:
    m = _size(rng, 12, 40)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.4 else _cloud(rng, m)
    again = rng.integers(m, size=int(rng.integers(1, 5)))
    return _problem(np.vstack([X, X[again]]), np.r_[y, -y[again]], rng)


def wide(rng: Rng) -> Plain:
    X, y = _cloud(rng, _size(rng, 15, 50))
    times = float(rng.choice([1, 2, 5, 10, 20, 50, 100, 200, 500]))
    sigma = float(f"{times * max(np.ptp(X, axis=0).max(), 0.1):.3g}")
    return _problem(X, y, rng, kernel={"name": "gaussian", "sigma": sigma}, C=float(10.0 ** rng.integers(-2, 7)))


def polynomial(rng: Rng) -> Plain:
    m = _size(rng, 15, 50)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.3 else _cloud(rng, m)
    return _problem(X, y, rng, kernel=_power(rng, 8))


def sigmoid(rng: Rng) -> Plain:
    scale, coef0 = float(f"{10.0 ** rng.uniform(-2, 0):.3g}"), float(rng.choice([-1.0, 0.0, 1.0]))
    return _problem(*_cloud(rng, _size(rng)), rng, kernel={"name": "sigmoid", "scale": scale, "coef0": coef0})


def composed(rng: Rng) -> Plain:
    return _problem(*_cloud(rng, _size(rng)), rng, kernel={"name": "composed", "recipe": str(rng.choice(RECIPES))})


def costs(rng: Rng) -> Plain:
    m = _size(rng)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.5 else _cloud(rng, m)
    return _problem(X, y, rng, costs=COSTS[int(rng.integers(len(COSTS)))])


def weights(rng: Rng) -> Plain:
    m = _size(rng)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.5 else _cloud(rng, m)
    whole = rng.random() < 0.5
    each = rng.integers(1, 5, m).astype(float) if whole else np.round(10.0 ** rng.uniform(-1, 1, m), 2)
    costly = {"costs": COSTS[int(rng.integers(len(COSTS)))]} if rng.random() < 0.3 else {}
    return _problem(X, y, rng, weights=each.tolist(), **costly)


def hard(rng: Rng) -> Plain:
    m = _size(rng, 15, 40)
    X, y = _cloud(rng, m) if rng.random() < 0.6 else (_lattice(rng, m), _labels(rng, m))
    if rng.random() < 0.5:  # separable by a line
        y = np.where(X @ rng.standard_normal(2) > 0, 1, -1)
        X = np.round(X + 0.2 * y[:, None], 3)
    return _problem(X, y, rng, C="inf")


def without_bias(rng: Rng) -> Plain:
    m = _size(rng)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.4 else _cloud(rng, m)
    return _problem(X, y, rng, bias=False)


def extreme_C(rng: Rng) -> Plain:
    m = _size(rng, 15, 40)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.4 else _cloud(rng, m)
    ends = (-3, -2) if rng.random() < 0.3 else (3, 6)
    return _problem(X, y, rng, C=float(f"{10.0 ** rng.uniform(*ends):.3g}"))


def dimensions(rng: Rng) -> Plain:
    return _problem(*_cloud(rng, _size(rng), int(rng.choice([1, 3, 4, 5]))), rng)


def large(rng: Rng) -> Plain:
    m = int(rng.integers(300, 1001))
    return _problem(*_cloud(rng, m, int(rng.choice([2, 5]))), rng, C=float(10.0 ** rng.integers(-2, 3)))


def _classes(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    m, K = int(rng.integers(4, 31)), int(rng.integers(2, 5))
    y = np.r_[np.arange(K), rng.integers(0, K, max(m - K, 0))] + 1
    if rng.random() < 0.3:
        return _lattice(rng, len(y)), y
    centres = rng.uniform(-2, 2, (K, 2))
    return np.round(centres[y - 1] + rng.uniform(0.2, 1.0) * rng.standard_normal((len(y), 2)), 3), y


def unscaled(rng: Rng) -> Plain:
    """Return points that are not standardised, so that some problems are refused."""
    m = _size(rng, 15, 40)
    X, y = (_lattice(rng, m), _labels(rng, m)) if rng.random() < 0.4 else _cloud(rng, m)
    X = X * float(f"1e{rng.integers(-6, 9)}") + float(rng.choice([0.0, 0.0, 1e3, 1e6]))
    return _problem(X, y, rng)


def one_vs_rest(rng: Rng) -> Plain:
    C = "inf" if rng.random() < 0.1 else _penalty(rng)
    return _problem(*_classes(rng), rng, task=ONE_VS_REST, C=C)


def joint(rng: Rng) -> Plain:
    return _problem(*_classes(rng), rng, task=JOINT)


def regression(rng: Rng) -> Plain:
    m, d = int(rng.integers(2, 31)), int(rng.choice([1, 1, 2]))
    X = np.round(rng.uniform(-3, 3, (m, d)), 3) if rng.random() < 0.7 else rng.integers(-4, 5, (m, d)).astype(float)
    y = 0.7 * X[:, 0] + np.sin(2 * X[:, -1]) + rng.uniform(0, 0.5) * rng.standard_normal(m)
    eps = float(rng.choice([0.0, 0.1, 0.25, 0.5]))
    return _problem(X, np.round(y, int(rng.choice([0, 1, 3]))) + 0.0, rng, task=REGRESSION, eps=eps)


# name: what draws a problem of it, and how many are stored
FAMILIES: dict[str, tuple[Callable[[Rng], Plain], int]] = {
    "random": (random, 240),
    "lattice": (lattice, 200),
    "opposite_twins": (opposite_twins, 130),
    "wide": (wide, 150),
    "polynomial": (polynomial, 180),
    "sigmoid": (sigmoid, 80),
    "composed": (composed, 20),
    "costs": (costs, 110),
    "weights": (weights, 110),
    "hard": (hard, 130),
    "without_bias": (without_bias, 90),
    "extreme_C": (extreme_C, 100),
    "dimensions": (dimensions, 100),
    "unscaled": (unscaled, 40),
    "large": (large, 20),
    "one_vs_rest": (one_vs_rest, 100),
    "joint": (joint, 100),
    "regression": (regression, 100),
}
