"""Values of the programs at any machine and any multipliers, optimal or not, from w, b and alpha alone."""

from __future__ import annotations

import math

import numpy as np

from svmlab.arrays import Array
from svmlab.solution import Solution
from svmlab.statements.geometry import best_offset
from svmlab.statements.residuals import residuals
from svmlab.statements.situation import Situation

PAIRS = 12  # pairs of a machine and multipliers tried against the identity of the gap


def dual_value(s: Situation, alpha: Array) -> float:
    """The dual's value sum alpha - 1/2 alpha'Q alpha, by the norm of the expansion."""
    v = s.expand(alpha)
    return float(alpha.sum()) - 0.5 * float(v @ v)


def priced(s: Situation, C: float, w: Array, b: float, charge: float) -> float:
    """1/2 |w|^2 + (charge/2) b^2 + C times the hinge losses; an infinite charge takes the bias away."""
    b, paid = (0.0, 0.0) if math.isinf(charge) else (b, 0.5 * charge * b * b)
    return 0.5 * float(w @ w) + paid + C * float(np.maximum(0.0, 1.0 - s.y * (s.Phi @ w + b)).sum())


def least_loss(s: Situation, v: Array) -> float:
    """Sum of the hinge losses of v with its best offset."""
    g = s.Phi @ v
    return best_offset(g, s.y)[2] if s.problem.bias else float(np.maximum(0.0, 1.0 - s.y * g).sum())


def gap(s: Situation, e: Solution, C: float) -> float:
    """|P - D|/P at C of a machine's w and b and of its multipliers, which is 0 for the optimum at C alone; inf outside the box."""
    w = s.expand(e.alpha)
    above = 0.5 * float(w @ w) + C * float(np.maximum(0.0, 1.0 - s.y * (s.Phi @ w + e.b)).sum())
    outside = (e.alpha < 0).any() or (e.alpha > C).any()
    return math.inf if outside else abs(above - dual_value(s, e.alpha)) / above


def moved(s: Situation, w: Array, b: float, lam: float, tries: int = 40) -> float:
    """The most by which lam |w|^2 + mean hinge is less at a (w, b) moved by a thousandth, relative; 0 where it is nowhere."""
    rng = np.random.Generator(np.random.Philox(s.m))
    step = rng.standard_normal((tries, len(w) + 1))
    step *= 1e-3 / np.linalg.norm(step, axis=1, keepdims=True)
    W = w + step[:, 1:] * max(float(np.linalg.norm(w)), 1.0 / s.size)
    B = b + step[:, 0] * s.problem.bias
    W, B = np.vstack([w, W]), np.r_[b, B]
    values = lam * (W**2).sum(1) + np.maximum(0.0, 1.0 - s.y * (W @ s.Phi.T + B[:, None])).mean(1)
    return float(max(1.0 - values.min() / values[0], 0.0))


def identity(s: Situation, C: float) -> tuple[float, float]:
    """The largest |P - D - sum of the residuals| over PAIRS pairs (w, b) and alpha, and the largest P - D, both over P + |D|.

    Any w, b and any 0 <= alpha <= C. For C = inf, where w must be feasible, w is stretched until every margin is at least 1, and
    no multiplier has a ceiling.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    hard = math.isinf(C)
    base = s.hard_solution if hard else s.soft_solution
    own, scale = s.expand(base.alpha), max(base.norm_w, 1.0 / s.size)
    off, largest = 0.0, 0.0
    for size in np.geomspace(0.1, 10.0, PAIRS):
        turn = rng.standard_normal(own.shape) / math.sqrt(len(own))
        w = own * (1 + size) if hard else own + size * scale * turn
        b = base.b * (1 + size) if hard else (base.b + size * rng.standard_normal()) * s.problem.bias
        top = 2 * float(base.alpha.max() or 1.0) if hard else C
        alpha = top * rng.random(s.m)
        found = residuals(s.Phi, s.y, C, w, b, alpha)
        unit = found.primal + abs(found.dual)
        off, largest = max(off, abs(found.gap - found.sum) / unit), max(largest, found.gap / unit)
    return off, largest
