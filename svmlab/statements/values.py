"""Values of the programs for any w, b and any multipliers alpha, optimal or not."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import EPS, Array
from svmlab.statements.geometry import best_bias
from svmlab.statements.situation import Situation


@dataclass(frozen=True)
class Residuals:
    """The residual of each optimality condition in units of the objective, and both objective values.

    `primal` and `dual` are computed by their own formulas. stationarity, slackness and ceiling are at least 0 for any
    feasible pair, and balance, which belongs to y'alpha = 0, is 0 there.
    """

    primal: float
    dual: float
    stationarity: float
    slackness: float
    ceiling: float
    balance: float

    @property
    def gap(self) -> float:
        """Return P - D."""
        return self.primal - self.dual

    @property
    def sum(self) -> float:
        """Return the sum of all residuals."""
        return self.stationarity + self.slackness + self.ceiling + self.balance


def residuals(Phi: Array, y: Array, C: float, w: Array, b: float, alpha: Array) -> Residuals:
    """Return both values and the residuals of any (w, b) and any 0 <= alpha <= C; Phi (m, D), w (D,), y and alpha (m,).

        P - D = 1/2 |w - sum alpha y x|^2 + sum alpha_i (y_i f_i - 1 + xi_i) + sum (C - alpha_i) xi_i - b y'alpha

    with xi the hinge losses of (w, b). For C = inf, where every y f must be at least 1, xi = 0.
    """
    hard = math.isinf(C)
    yf, v = y * (Phi @ w + b), (alpha * y) @ Phi
    xi = np.zeros(len(y)) if hard else np.maximum(0.0, 1.0 - yf)
    difference = w - v
    return Residuals(
        0.5 * float(w @ w) + (0.0 if hard else C * float(xi.sum())),
        float(alpha.sum()) - 0.5 * float(v @ v),
        0.5 * float(difference @ difference),
        float(alpha @ (yf - 1.0 + xi)),
        0.0 if hard else float(((C - alpha) * xi).sum()),
        -b * float(y @ alpha),
    )


PAIRS = 12  # pairs of (w, b) and alpha for which the identity of the gap is checked


def rounding(Z: Array, w: Array, b: float) -> float:
    """Return a bound of the rounding error of <w, z> + b at the rows of Z (m, D).

    The value is a sum of D + 1 products, and w itself is a sum of m.
    """
    return (len(w) + len(Z) + 3) * EPS * (float((np.abs(Z) @ np.abs(w)).max(initial=0.0)) + abs(b))


def losses(Z: Array, y: Array, w: Array, b: float, noise: float = 0.0) -> Array:
    """Return the hinge losses (m,) of w (D,) and b at the rows of Z (m, D), where a loss that rounding explains is 0.

    Otherwise it would count C times. noise: the round-off in f that comes from the multipliers of w.
    """
    shortfall = 1.0 - y * (Z @ w + b)
    return np.where(shortfall > rounding(Z, w, b) + noise, shortfall, 0.0)


def dual_value(s: Situation, alpha: Array) -> float:
    """Return the dual objective value sum alpha - 1/2 alpha'Q alpha, computed from the norm of the expansion."""
    v = s.expand(alpha)
    return float(alpha.sum()) - 0.5 * float(v @ v)


def primal_objective(s: Situation, C: float, w: Array, b: float, charge: float, blur: float = 0.0) -> float:
    """Return 1/2 |w|^2 + (charge/2) b^2 + C times the sum of the hinge losses. An infinite charge removes the bias."""
    b, bias_penalty = (0.0, 0.0) if math.isinf(charge) else (b, 0.5 * charge * b * b)
    return 0.5 * float(w @ w) + bias_penalty + C * float(losses(s.Phi, s.y, w, b, blur).sum())


def decision_noise(s: Situation, e: Solution) -> float:
    """Return the round-off in f of an optimum.

    It counts once in the sum of f and once in b. For coordinates computed from K it includes m eps of K's largest
    entry.
    """
    uses_coordinates = s.problem.kernel.feature_dim(s.X.shape[1]) is None
    return 2 * e.noise + uses_coordinates * s.m * EPS * s.max_norm**2 * float(e.alpha.sum())


BLUR = 64.0  # times its formula in m terms: how much a round-off may be before it hides an error


def unexplained_noise(s: Situation, e: Solution) -> float:
    """Return 1 if the round-off in f that a solution reports is larger than its sums can have, and else 0.

    Every check may be wrong by it, so a round-off without a reason would hide anything. The sums are those over the
    kernel values as they are, because centred values are not larger than twice these.
    """
    K = np.abs(s.problem.gram)
    largest = float((e.alpha @ K).max()) + abs(e.b) + 1.0
    return float(e.noise > BLUR * (s.m + 16.0) * EPS * largest)


def least_loss(s: Situation, v: Array) -> float:
    """Return the sum of the hinge losses of v with its best offset."""
    g = s.Phi @ v
    return best_bias(g, s.y)[2] if s.problem.bias else float(np.maximum(0.0, 1.0 - s.y * g).sum())


def relative_gap_at(s: Situation, e: Solution, C: float) -> float:
    """Return |P - D|/P at C of the w, b and multipliers of a solution, or inf if alpha leaves the box.

    It is 0 only for the optimum at C.
    """
    w = s.expand(e.alpha)
    # w is a sum of vectors that may cancel in it
    cancelled = s.m * EPS * float((np.abs(s.Phi) @ (e.alpha @ np.abs(s.centred))).max())
    primal = primal_objective(s, C, w, e.b, 0.0, decision_noise(s, e) + cancelled)
    outside = (e.alpha < 0).any() or (e.alpha > C).any()
    return math.inf if outside else abs(primal - dual_value(s, e.alpha)) / primal


def largest_relative_decrease(s: Situation, w: Array, b: float, lam: float, tries: int = 40) -> float:
    """Return the largest relative decrease of lam |w|^2 + mean hinge when (w, b) moves by a thousandth.

    It is 0 if no move decreases the value.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    step = rng.standard_normal((tries, len(w) + 1))
    step *= 1e-3 / np.linalg.norm(step, axis=1, keepdims=True)
    W = w + step[:, 1:] * max(float(np.linalg.norm(w)), 1.0 / s.max_norm)
    B = b + step[:, 0] * s.problem.bias
    W, B = np.vstack([w, W]), np.r_[b, B]
    values = lam * (W**2).sum(1) + [losses(s.Phi, s.y, *pair).mean() for pair in zip(W, B, strict=True)]
    return float(max(1.0 - values.min() / values[0], 0.0))


def gap_identity_error(s: Situation, C: float) -> tuple[float, float]:
    """Return the largest |P - D - sum of the residuals| over PAIRS pairs (w, b) and alpha, and the largest P - D.

    Both are relative to P + |D|. Any w, b and any 0 <= alpha <= C are tried. For C = inf, where w must be feasible, w
    is scaled until every margin is at least 1, and the multipliers have no upper bound.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    hard = math.isinf(C)
    base = s.hard_solution if hard else s.soft_solution
    own, scale = s.expand(base.alpha), max(base.norm_w, 1.0 / s.max_norm)
    largest_error, largest_gap = 0.0, 0.0
    for size in np.geomspace(0.1, 10.0, PAIRS):
        turn = rng.standard_normal(own.shape) / math.sqrt(len(own))
        w = own * (1 + size) if hard else own + size * scale * turn
        b = base.b * (1 + size) if hard else (base.b + size * rng.standard_normal()) * s.problem.bias
        bound = 2 * float(base.alpha.max() or 1.0) if hard else C
        alpha = bound * rng.random(s.m)
        missed = residuals(s.Phi, s.y, C, w, b, alpha)
        unit = missed.primal + abs(missed.dual)
        largest_error, largest_gap = (
            max(largest_error, abs(missed.gap - missed.sum) / unit),
            max(largest_gap, missed.gap / unit),
        )
    return largest_error, largest_gap
