"""Boards on which every statement is tried, and what would be wrong with the answers; a line of values and its tube."""

from __future__ import annotations

import math

import numpy as np

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem
from svmlab.multiclass import Joint
from svmlab.regression import Fit, Tube, Values
from svmlab.regression import solve as fitted
from svmlab.statements import CATALOGUE, Situation, Verdict

X15 = np.linspace(-3, 3, 15)
LINE = Values(X15[:, None], 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15))


def page(problem: Problem) -> dict[str, Verdict]:
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


def random_board(seed: int) -> Problem:
    """Clouds, lattices, lines, duplicates, opposite twins, one class, two points; any kernel, C and bias."""
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(2, 15)), 2 if rng.random() < 0.8 else int(rng.integers(1, 4))
    X = rng.standard_normal((m, d)) * rng.choice([0.3, 1.0, 3.0])
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    kind = seed % 10
    if kind == 1:  # lattice, many ties
        X = rng.integers(-2, 3, (m, d)).astype(float)
    elif kind == 2:  # all on one line
        X = np.outer(rng.integers(-4, 5, m), rng.standard_normal(d)) + rng.standard_normal(d)
    elif kind == 3:  # duplicates
        X = X[rng.integers(0, max(1, m // 2), m)]
    elif kind == 4:  # opposite twins
        X, y = np.vstack([X, X[:2]]), np.r_[y, -y[:2]]
    elif kind == 5:
        X, y = X[:2], np.array([1.0, -1.0])
    elif kind == 6:
        y = np.full(m, y[0])
    elif kind in (7, 8):  # separable
        w = rng.standard_normal(d)
        y = np.where(X @ w > 0, 1.0, -1.0)
        X = X + 0.5 * np.outer(y, w / np.linalg.norm(w))
    C = math.inf if rng.random() < 0.15 else float(10 ** rng.uniform(-2, 3))
    kernel = (Linear(), Linear(), Polynomial(2), Gaussian(float(rng.choice([0.5, 1.0, 2.0]))))[rng.integers(4)]
    bias = bool(rng.random() < 0.6)
    costs = (float(rng.choice([0.2, 3.0])), 1.0) if seed % 13 == 6 else (1.0, 1.0)
    return Problem(Dataset(np.round(X, 3), y), kernel, C, bias, costs)


def tube(X: list, y: list, C: float = 1.0, eps: float = 0.1, kernel=Linear(), bias: bool = True) -> Fit:
    """The fit of a few values."""
    return fitted(Tube(Values(X, y), kernel, C, eps, bias))


def pinned(joint: Joint) -> bool:
    lo, hi = joint.b_interval
    return bool((lo == hi).all())
