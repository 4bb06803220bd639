"""H13: the Lagrangian of the hard margin has a saddle point, least in (w, b) and largest in alpha.

Taken in either order, the inner and outer optimum are one of the two programs.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.statements.hard_margin_duality import SEPARABLE
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import dual_value

PAIRS = 12  # feasible (w, b) and feasible multipliers between which weak duality is tested


def lagrangian(s: Situation, w: Array, b: float, alpha: Array) -> float:
    """Return L(w, b, alpha) = 1/2 |w|^2 - sum alpha_i (y_i f_i - 1), term by term."""
    return 0.5 * float(w @ w) - float(alpha @ (s.y * (s.Phi @ w + b) - 1.0))


def largest_over_alpha(s: Situation, w: Array, b: float, top: float) -> float:
    """Return the largest L over alpha >= 0 with sum alpha <= top.

    All weight is on the most violated constraint, or there is none. The value is 1/2 |w|^2 where (w, b) is feasible,
    whatever `top` is. Otherwise it grows with `top` without bound.
    """
    alpha, yf = np.zeros(s.m), s.y * (s.Phi @ w + b)
    worst = int(yf.argmin())
    alpha[worst] = top * float(yf[worst] < 1.0)
    return lagrangian(s, w, b, alpha)


def least_over_w_and_b(s: Situation, alpha: Array, reach: float) -> float:
    """Return the least L over all w and |b| <= reach.

    It is attained at w = sum alpha_i y_i x_i, with b = reach or -reach by the sign of y'alpha. It is the dual value
    where y'alpha = 0, whatever `reach` is. Otherwise it falls with `reach` without bound.
    """
    b = reach * float(np.sign(s.y @ alpha)) if s.problem.bias else 0.0
    return lagrangian(s, s.expand(alpha), b, alpha)


def least_duality_gap(s: Situation) -> float:
    """Return the relative gap between the least primal and the largest dual value of PAIRS feasible pairs.

    It is the difference of the two values divided by the primal value.
    """
    p, rng = s.hard_primal, np.random.Generator(np.random.Philox(s.m))
    least, largest = np.inf, -np.inf
    for size in np.geomspace(0.01, 10.0, PAIRS):
        perturbed_w = p.w + size * 0.1 * float(np.linalg.norm(p.w)) * rng.standard_normal(p.w.shape) / np.sqrt(len(p.w))
        f = s.Phi @ perturbed_w
        b = -0.5 * float(f[s.y > 0].min() + f[s.y < 0].max()) if s.problem.bias else 0.0
        least_margin = float((s.y * (f + b)).min())
        if least_margin > 0:
            least = min(least, largest_over_alpha(s, perturbed_w / least_margin, b / least_margin, 1.0))
        alpha = (1.0 - min(size, 1.0)) * s.hard_solution.alpha + 0.1 * size * s.hard_solution.alpha.max() * rng.random(
            s.m
        )
        if s.problem.bias:
            alpha = alpha / np.where(s.y > 0, alpha[s.y > 0].sum(), alpha[s.y < 0].sum()) * alpha[s.y > 0].sum()
        largest = max(largest, least_over_w_and_b(s, alpha, 1.0))
    least = least if np.isfinite(least) else 0.5 * float((2 * p.w) @ (2 * p.w))
    return (least - largest) / least


@statement(
    "H13",
    N_("The Lagrangian has a saddle"),
    sentence=N_(
        "The primal is the least over (w, b) of the largest Lagrangian over multipliers that are not "
        "negative; in the other order it is the dual, and at the saddle both agree."
    ),
    formula=(
        r"\min_{w, b}\,\max_{\alpha\ge 0}\, L = \max_{\alpha\ge 0}\,\min_{w, b}\, L, \quad L = "
        r"\tfrac12\|w\|^2 - \sum_i\alpha_i\,(y_i f(x_i) - 1)"
    ),
    source=(
        Source(
            "C",
            N_("Version 3"),
            quote=(
                r"finde $\min_{[w, b] \in \mathbb{R}^{d+1}} \left(\max_{\alpha \in \mathbb{R}^N, \alpha \geq 0} "
                r"L(w, b, \alpha) \right)$"
            ),
        ),
        Source(
            "B",
            N_("Introducing the Lagrangian"),
            quote=(
                r"$L(\mathbf{w}, w_0, \lambda) = \frac{1}{2} \mathbf{w}^T \mathbf{w} - \sum_{i=1}^n \lambda_i "
                r"\left(t_i(\mathbf{w}^T \boldsymbol{\phi}(\mathbf{x}_i) + w_0) - 1 \right)$"
            ),
        ),
    ),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="duality",
    machine="hard",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 0.0)),
        (1, -1, 1),
        N_(
            "The third point lies beyond its margin line: a negative multiplier there would raise the "
            "Lagrangian for ever."
        ),
        C=math.inf,
    ),
)
def saddle(s: Situation, tol: float) -> Outcome:
    """Check that (w, b) of the primal and the exact alpha are a saddle point of L.

    Neither can improve L alone, and L equals the values of both programs. The inner maximum is taken over multipliers
    with sum at most that of alpha, the inner minimum over |b| up to one more than |b| of the primal.
    """
    p, alpha = s.hard_primal, s.hard_solution.alpha
    total, above, below = float(alpha.sum()), 0.5 * float(p.w @ p.w), dual_value(s, s.hard_dual.alpha)
    value = lagrangian(s, p.w, p.b, alpha)
    highest = largest_over_alpha(s, p.w, p.b, total)
    lowest = least_over_w_and_b(s, alpha, abs(p.b) + 1.0)
    values = np.array([value, above, below, highest, lowest])
    weak_duality_gap = least_duality_gap(s)
    at_infeasible = largest_over_alpha(s, 0.5 * p.w, 0.5 * p.b, 1e3 * total)
    sides = (
        Side("Lagrangian, w and b of the primal, alpha of the exact method", value, r"L(w, b, \alpha)"),
        Side("largest over alpha, at that w and b", highest, r"\max_\alpha L"),
        Side("least over w and b, at that alpha", lowest, r"\min_{w,b} L"),
        Side("primal program", above, r"\tfrac12\|w\|^2"),
        Side("dual program", below, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
        Side(
            "way from the w where it is least to the primal's, in margin units",
            s.distance_in_margins(s.expand(alpha), p.w),
        ),
        Side("least gap of other feasible pairs, relative", weak_duality_gap),
        Side("largest at half of w, alpha up to 1000 times its sum", at_infeasible),
    )
    worst = max(
        float(np.ptp(values)) / float(np.abs(values).max()),
        s.distance_in_margins(s.expand(alpha), p.w),
        -float(alpha.min()) / total,
        -weak_duality_gap,
    )
    is_unbounded = at_infeasible > 100 * above  # where (w, b) is not feasible the inner maximum is unbounded
    return Outcome(
        reading(tol, worst if is_unbounded else 1.0, *sides), control=negative_multiplier(s, tol, p.w, p.b, alpha)
    )


def negative_multiplier(s: Situation, tol: float, w: Array, b: float, alpha: Array) -> Reading:
    """Return how much L rises if one multiplier is made negative.

    It is the multiplier of the point farthest beyond its margin line, lowered by the mean of alpha.
    """
    yf = s.y * (s.Phi @ w + b)
    farthest, size = int(yf.argmax()), float(alpha.mean())
    negative = alpha.copy()
    negative[farthest] -= size
    rise = lagrangian(s, w, b, negative) - lagrangian(s, w, b, alpha)
    return reading(
        tol,
        rise / max(0.5 * float(w @ w), 1e-300),
        Side("margin of the point furthest beyond its line", float(yf[farthest]), "y f"),
        Side(Phrase("Lagrangian, that multiplier less by {size:.3g}", size=size), lagrangian(s, w, b, negative)),
        words=N_("Multipliers of any sign have the same largest Lagrangian."),
    )
