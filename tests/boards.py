"""Boards on which every statement is tried, and what would be wrong with the answers; a line of values and its tube."""

from __future__ import annotations

import math

import numpy as np

from svmlab import Composed, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid
from svmlab.kernels.base import Kernel
from svmlab.multiclass import JointSolution
from svmlab.regression import Fit, Tube, Values
from svmlab.regression import solve as fitted
from svmlab.statements import CATALOGUE, Situation, Verdict

X15 = np.linspace(-3, 3, 15)
LINE = Values(X15[:, None], 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15))


def check_all(problem: Problem) -> dict[str, Verdict]:
    """Every check on one board."""
    situation = Situation(problem)
    return {id: entry.check(situation) for id, entry in CATALOGUE.items()}


def complaints(verdicts: dict[str, Verdict]) -> list[str]:
    """What is wrong with the answers: a statement that applies and does not hold, or one that does not say why."""
    out = []
    for id, v in verdicts.items():
        if v.applies:
            if not v.holds:
                out.append(f"{id} does not hold: {v.residual:.2e} > {v.tolerance:g}")
            if any(math.isnan(side.value) for side in v.sides):
                out.append(f"{id} shows nan")
        elif not (v.why.endswith(".") and " " in v.why):
            out.append(f"{id} does not say why: {v.why!r}")
    return out


def _labelled_points(rng: np.random.Generator, m: int, d: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Points X (m, d) and labels y (m,) of one of nine kinds; any other kind is a cloud, as 0 is."""
    X = rng.standard_normal((m, d)) * rng.choice([0.3, 1.0, 3.0])
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    if kind == 1:  # lattice, many ties
        X = rng.integers(-2, 3, (m, d)).astype(float)
    elif kind == 2:  # all on one line
        X = np.outer(rng.integers(-4, 5, m), rng.standard_normal(d)) + rng.standard_normal(d)
    elif kind == 3:  # duplicates
        X = X[rng.integers(0, max(1, m // 2), m)]
    elif kind == 4:  # opposite twins
        X, y = np.vstack([X, X[:2]]), np.r_[y, -y[:2]]
    elif kind == 5:  # two points
        X, y = X[:2], np.array([1.0, -1.0])
    elif kind == 6:  # one class
        y = np.full(m, y[0])
    elif kind in (7, 8):  # separable
        w = rng.standard_normal(d)
        y = np.where(X @ w > 0, 1.0, -1.0)
        X = X + 0.5 * np.outer(y, w / np.linalg.norm(w))
    return X, y


def random_board(seed: int) -> Problem:
    """Clouds, lattices, lines, duplicates, opposite twins, one class, two points; any kernel, C and bias."""
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(2, 15)), 2 if rng.random() < 0.8 else int(rng.integers(1, 4))
    X, y = _labelled_points(rng, m, d, seed % 10)
    C = math.inf if rng.random() < 0.15 else float(10 ** rng.uniform(-2, 3))
    kernel = (Linear(), Linear(), Polynomial(2), Gaussian(float(rng.choice([0.5, 1.0, 2.0]))))[rng.integers(4)]
    bias = bool(rng.random() < 0.6)
    costs = (float(rng.choice([0.2, 3.0])), 1.0) if seed % 13 == 6 else (1.0, 1.0)
    return Problem(Dataset(np.round(X, 3), y), kernel, C, bias, costs)


RECIPES = (
    "linear+2*gaussian(0.5)",
    "(linear+1)**2*gaussian(1)",
    "exp(0.1*linear)",
    "linear*linear+0.5*linear+3",
    "linear-gaussian(1)",
    "tanh(0.5*linear)",
)


def wide_board(seed: int, most: float = 1e6) -> Problem:
    """A board of any kind: coordinates of a hundredth to a million, any kernel, class costs, weights, C from 1e-3 to
    `most`."""
    rng = np.random.default_rng([seed, 33])
    m, d = int(rng.integers(2, 13)), int(rng.choice([1, 2, 2, 2, 2, 3]))
    kind = seed % 12
    X, y = _labelled_points(rng, m, d, kind)
    if kind == 9:  # tiny coordinates
        X = X * rng.choice([0.003, 0.01, 0.03])
    elif kind == 10:  # large coordinates
        X = X * 10.0 ** rng.uniform(1, 5.5)
    elif kind == 11:  # far from the origin
        X = X + rng.choice([10.0, 1e3, 1e5]) * rng.standard_normal(d)
    X = np.clip(np.round(X, 3), -1e6, 1e6)
    C = math.inf if rng.random() < 0.12 else float(10 ** rng.uniform(-3, math.log10(most)))
    kernel = wide_kernel(rng)
    bias = bool(rng.random() < 0.65)
    costs, weights = (1.0, 1.0), None
    if seed % 19 == 6:
        costs = (float(rng.choice([0.2, 3.0])), 1.0)
    elif seed % 19 == 7:
        weights = rng.integers(1, 4, len(y)).astype(float)
    return Problem(Dataset(X, y), kernel, C, bias, costs, weights)


def wide_kernel(rng: np.random.Generator) -> Kernel:
    """Any kernel: degrees up to 5, widths from a hundredth to a thousand, the sigmoid, and composed ones."""
    kind = rng.integers(10)
    if kind < 3:
        return Linear()
    if kind < 6:
        coef0, scale = float(rng.choice([0.0, 0.5, 1.0, 1.0])), float(rng.choice([0.3, 0.5, 1.0]))
        return Polynomial(int(rng.integers(2, 6)), coef0, scale)
    if kind < 8:
        return Gaussian(float(10 ** rng.uniform(-2, 3)))
    if kind == 8:
        return Composed(str(rng.choice(RECIPES)))
    return Sigmoid(float(10.0 ** rng.uniform(-2, 0)), float(rng.choice([-1.0, 0.0, 1.0])))


def tube(X: list, y: list, C: float = 1.0, eps: float = 0.1, kernel=Linear(), bias: bool = True) -> Fit:
    """The fit of a few values."""
    return fitted(Tube(Values(X, y), kernel, C, eps, bias))


def pinned(joint: JointSolution) -> bool:
    lo, hi = joint.b_interval
    return bool((lo == hi).all())
