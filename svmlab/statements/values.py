"""Values of the programs at any machine and any multipliers, optimal or not, from w, b and alpha alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import EPS, Array
from svmlab.statements.geometry import best_offset
from svmlab.statements.situation import Situation


@dataclass(frozen=True)
class Residuals:
    """What each condition misses, in units of the objective; `primal` and `dual` are the two values, each by its own
    formula.

    balance of w, slackness and ceiling are at least 0 for any feasible pair; the balance of the labels is 0 there.
    """

    primal: float
    dual: float
    stationarity: float
    slackness: float
    ceiling: float
    balance: float

    @property
    def gap(self) -> float:
        """P - D."""
        return self.primal - self.dual

    @property
    def sum(self) -> float:
        """All that is missed."""
        return self.stationarity + self.slackness + self.ceiling + self.balance


def residuals(Phi: Array, y: Array, C: float, w: Array, b: float, alpha: Array) -> Residuals:
    """Both values and the residuals of any (w, b) and any 0 <= alpha <= C; Phi (m, D), w (D,), y and alpha (m,).

        P - D = 1/2 |w - sum alpha y x|^2 + sum alpha_i (y_i f_i - 1 + xi_i) + sum (C - alpha_i) xi_i - b y'alpha

    with xi the hinge of (w, b); for C = inf, where every y f must be at least 1, xi = 0.
    """
    hard = math.isinf(C)
    yf, v = y * (Phi @ w + b), (alpha * y) @ Phi
    xi = np.zeros(len(y)) if hard else np.maximum(0.0, 1.0 - yf)
    way = w - v
    return Residuals(
        0.5 * float(w @ w) + (0.0 if hard else C * float(xi.sum())),
        float(alpha.sum()) - 0.5 * float(v @ v),
        0.5 * float(way @ way),
        float(alpha @ (yf - 1.0 + xi)),
        0.0 if hard else float(((C - alpha) * xi).sum()),
        -b * float(y @ alpha),
    )


PAIRS = 12  # pairs of a machine and multipliers tried against the identity of the gap


def rounding(Z: Array, w: Array, b: float) -> float:
    """What rounding makes of <w, z> + b at most, at the rows of Z (m, D): a sum of D + 1 products, and w itself one of
    m.
    """
    return (len(w) + len(Z) + 3) * EPS * (float((np.abs(Z) @ np.abs(w)).max(initial=0.0)) + abs(b))


def losses(Z: Array, y: Array, w: Array, b: float, noise: float = 0.0) -> Array:
    """The hinge losses (m,) of w (D,) and b at the rows of Z (m, D); what rounding explains is 0, for C times it would
    count.

    noise: the round-off in f that the multipliers of w have brought with them.
    """
    short = 1.0 - y * (Z @ w + b)
    return np.where(short > rounding(Z, w, b) + noise, short, 0.0)


def dual_value(s: Situation, alpha: Array) -> float:
    """The dual's value sum alpha - 1/2 alpha'Q alpha, by the norm of the expansion."""
    v = s.expand(alpha)
    return float(alpha.sum()) - 0.5 * float(v @ v)


def priced(s: Situation, C: float, w: Array, b: float, charge: float, blur: float = 0.0) -> float:
    """1/2 |w|^2 + (charge/2) b^2 + C times the hinge losses; an infinite charge takes the bias away."""
    b, paid = (0.0, 0.0) if math.isinf(charge) else (b, 0.5 * charge * b * b)
    return 0.5 * float(w @ w) + paid + C * float(losses(s.Phi, s.y, w, b, blur).sum())


def noise(s: Situation, e: Solution) -> float:
    """The round-off in f of an optimum, once in its sum and once in its b, and of coordinates that make K to m eps of
    its largest entry.
    """
    rooted = s.problem.kernel.feature_dim(s.X.shape[1]) is None
    return 2 * e.noise + rooted * s.m * EPS * s.max_norm**2 * float(e.alpha.sum())


def least_loss(s: Situation, v: Array) -> float:
    """Sum of the hinge losses of v with its best offset."""
    g = s.Phi @ v
    return best_offset(g, s.y)[2] if s.problem.bias else float(np.maximum(0.0, 1.0 - s.y * g).sum())


def relative_gap_at(s: Situation, e: Solution, C: float) -> float:
    """|P - D|/P at C of a machine's w and b and of its multipliers, which is 0 for the optimum at C alone; inf outside
    the box.
    """
    w = s.expand(e.alpha)
    above = priced(s, C, w, e.b, 0.0, noise(s, e))
    outside = (e.alpha < 0).any() or (e.alpha > C).any()
    return math.inf if outside else abs(above - dual_value(s, e.alpha)) / above


def moved(s: Situation, w: Array, b: float, lam: float, tries: int = 40) -> float:
    """The most by which lam |w|^2 + mean hinge is less at a (w, b) moved by a thousandth, relative; 0 where it is
    nowhere.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    step = rng.standard_normal((tries, len(w) + 1))
    step *= 1e-3 / np.linalg.norm(step, axis=1, keepdims=True)
    W = w + step[:, 1:] * max(float(np.linalg.norm(w)), 1.0 / s.max_norm)
    B = b + step[:, 0] * s.problem.bias
    W, B = np.vstack([w, W]), np.r_[b, B]
    values = lam * (W**2).sum(1) + [losses(s.Phi, s.y, *pair).mean() for pair in zip(W, B, strict=True)]
    return float(max(1.0 - values.min() / values[0], 0.0))


def identity(s: Situation, C: float) -> tuple[float, float]:
    """The largest |P - D - sum of the residuals| over PAIRS pairs (w, b) and alpha, and the largest P - D, both over P
    + |D|.

    Any w, b and any 0 <= alpha <= C. For C = inf, where w must be feasible, w is stretched until every margin is at
    least 1, and no multiplier has a ceiling.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    hard = math.isinf(C)
    base = s.hard_solution if hard else s.soft_solution
    own, scale = s.expand(base.alpha), max(base.norm_w, 1.0 / s.max_norm)
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
