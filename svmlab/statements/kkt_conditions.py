"""H4 to H6, H13 and S6: the KKT conditions that connect primal and dual, and the saddle point of the Lagrangian.

The Lagrangian of the hard margin is least in (w, b) and largest in alpha at its saddle point. Taken in either order,
the inner and outer optimum are one of the two programs.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.statements.geometry import distances
from svmlab.statements.margin import TWO_POINTS
from svmlab.statements.separability import SEPARABLE
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import dual_value, gap_identity_error, unexplained_noise


@statement(
    "H4",
    N_("KKT conditions of the hard margin"),
    sentence=N_(
        "w, b and α are optimal if and only if they satisfy the five KKT conditions. These are "
        "stationarity in w and in b, primal feasibility, dual feasibility and complementary slackness."
    ),
    formula=(
        r"w = \sum_i\alpha_i y_i x_i,\quad y^\top\alpha = 0,\quad y_i f(x_i) \ge 1,\quad \alpha_i \ge "
        r"0,\quad \alpha_i\,(y_i f(x_i) - 1) = 0"
    ),
    source=(
        Source(
            "B",
            N_("KKT conditions"),
            quote=r"$\mathbf{w}^*, w_0^*$ is an optimum iff there exists $\lambda^*$ such that",
        ),
        Source("C", N_("Version 3"), quote=r"$\alpha_n (y^{(n)}(w^T x^{(n)} + b) - 1) = 0$ für alle $n$"),
    ),
    conditions=join_phrases(SEPARABLE, N_("Without a bias, stationarity in b is absent.")),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        TWO_POINTS,
        (1, -1),
        N_(
            "w = (2, 0) with both multipliers equal to 1 satisfies the first four conditions, but w = (1, 0) "
            "is shorter."
        ),
        C=math.inf,
    ),
)
def kkt(s: Situation, tol: float) -> Outcome:
    """Return the residual of each KKT condition, with w and b from the primal and alpha from the exact method.

    For the converse: for any w and alpha the duality gap is the sum of the residuals, so where all of them are 0 no
    pair is better. The control multiplies w and b by 2. Then all conditions except the last still hold.
    """
    p, alpha = s.hard_primal, s.hard_solution.alpha
    yf, total = s.y * (s.Phi @ p.w + p.b), float(alpha.sum())
    sides = (
        Side(
            "stationarity in w, in margin units",
            s.distance_in_margins(s.expand(alpha), p.w),
            r"w - \sum\alpha_i y_i x_i",
        ),
        Side(
            "stationarity in b",
            abs(float(s.y @ alpha)) / total if s.problem.bias else 0.0,
            r"y^\top\alpha / \sum\alpha",
        ),
        Side("largest violation of y f ≥ 1", float(np.maximum(0.0, 1.0 - yf).max()), r"(1 - y_i f(x_i))_+"),
        Side(
            "largest negative multiplier", float(np.maximum(0.0, -alpha).max()) / total, r"(-\alpha_i)_+ / \sum\alpha"
        ),
        Side(
            "complementary slackness, summed",
            float(np.abs(alpha * (yf - 1.0)).sum()) / total,
            r"\sum|\alpha_i (y_i f(x_i) - 1)| / \sum\alpha",
        ),
    )
    identity_error, largest_gap = gap_identity_error(s, math.inf)
    norm_ratio = float(p.w @ p.w) / float((2 * p.w) @ (2 * p.w))
    return Outcome(
        reading(
            tol,
            max(*(side.value for side in sides), identity_error),
            *sides,
            Side("largest relative duality gap of other pairs", largest_gap, r"(P - D)/(P + |D|)"),
            Side("difference of that gap from the sum of its residuals", identity_error),
        ),
        control=reading(
            tol,
            1.0 - norm_ratio,
            Side(
                "complementary slackness for 2w and 2b, summed", float((2 * alpha * (2 * yf - 1.0)).sum()) / (2 * total)
            ),
            Side("squared norm of w divided by that of 2w", norm_ratio),
            words=N_("The first four conditions are sufficient."),
        ),
    )


@statement(
    "H5",
    N_("Expansion of w in the active points"),
    sentence=N_(
        "The vector w is a sum over the points on the margin, where yᵢf(xᵢ) = 1. Each term is yᵢxᵢ, "
        "multiplied by a number αᵢ that is not negative."
    ),
    formula=r"w = \sum_{i \in I} \alpha_i y_i x_i, \quad I = \{i : y_i f(x_i) = 1\}, \quad \alpha \ge 0",
    source=(
        Source(
            "A",
            N_("Lemma 2"),
            "incomplete",
            quote=(
                r"Se $\mathbf{w}_0$ è una soluzione ottima, allora esiste un vettore $\boldsymbol{\alpha} \in "
                r"\mathbb{R}^m$ tale che $\nabla f(\mathbf{w}_0) + \sum_{t \in I} \alpha_t \nabla "
                r"g_t(\mathbf{w}_0) = \mathbf{0}$"
            ),
            flaw=N_(
                "The multipliers exist if the constraints satisfy a constraint qualification, and they are not "
                "negative. The notes print the lemma without these two conditions. They use it for linear "
                "constraints, where it is correct."
            ),
            at=19,
        ),
        Source("B", N_("Deriving coefficients"), quote=r"$w_i^* = \sum_{j=1}^n \lambda_j^* t_j \phi_i(\mathbf{x}_j)$"),
        Source("C", N_("Version 3"), quote=r"$\alpha_n > 0 \Rightarrow y^{(n)}(w^T x^{(n)} + b) = 1$"),
    ),
    conditions=join_phrases(SEPARABLE, N_("The constraints are linear, and this guarantees that multipliers exist.")),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    repair=N_(
        "The constraints must satisfy a constraint qualification, as linear ones do, and the multipliers "
        "are not negative. Otherwise the lemma can fail, for example for minimising w subject to w² ≤ ε. "
        "The multiplier is 1/(2√ε), but for ε = 0 none exists."
    ),
    witness=Witness(
        TWO_POINTS,
        (1, -1),
        N_(
            "This example does not depend on the points. For the constraint w² ≤ 0 there is no multiplier, "
            "so the lemma fails without a condition."
        ),
        C=math.inf,
    ),
)
def active(s: Situation, tol: float) -> Outcome:
    """Rebuild the primal's w from the points on the margin and their alpha from the exact method.

    A point is on the margin if its measured distance from the line is 1/|w|.
    """
    p, alpha = s.hard_primal, s.hard_solution.alpha
    margin_distance = np.abs(distances(s.Phi, p.w, p.b) * float(np.linalg.norm(p.w)) - 1.0)
    on_margin = margin_distance <= tol
    rebuilt = s.expand(np.where(on_margin, alpha, 0.0))
    difference_in_w = s.distance_in_margins(rebuilt, p.w)
    sides = (
        Side(
            "norm of the sum over the active points",
            float(np.linalg.norm(rebuilt)),
            r"\|\sum_{i\in I}\alpha_i y_i x_i\|",
        ),
        Side("norm of w, primal", float(np.linalg.norm(p.w)), r"\|w\|"),
        Side("active points", float(on_margin.sum()), "|I|"),
    )
    smallest_multiplier = Side("smallest multiplier", float(alpha.min()), r"\min\alpha_i")
    multipliers = [
        Side(Phrase("multiplier for ε = {eps:g}", eps=eps), multiplier(eps)[0], r"1/(2\sqrt\varepsilon)")
        for eps in (0.1, 0.01, 1e-4)
    ]
    imbalance_left = multiplier(0.0)[1]
    return Outcome(
        printed=reading(
            tol,
            imbalance_left,
            *multipliers,
            Side(
                "smallest possible residual of stationarity for ε = 0",
                imbalance_left,
                r"\min_\alpha |f'(w_0) + \alpha g'(w_0)|",
            ),
            words=N_("The lemma holds without a condition, here for minimising w subject to w² ≤ ε."),
        ),
        repaired=reading(
            tol, max(difference_in_w, -smallest_multiplier.value / float(alpha.sum())), *sides, smallest_multiplier
        ),
    )


def multiplier(eps: float) -> tuple[float, float]:
    """Return the alpha that balances 1 + alpha g'(w_0) = 0 best, and the imbalance that is left.

    The problem is: minimise w subject to g(w) = w^2 - eps <= 0. The feasible w lie between the roots of g, so the
    optimum is the smaller root w_0, where g' = 2 w_0.
    """
    slope = 2.0 * float(np.roots([1.0, 0.0, -eps]).real.min())
    alpha = -slope / slope**2 if slope else 0.0
    return alpha, abs(1.0 + alpha * slope)


@statement(
    "H6",
    N_("The constraint Σ αᵢyᵢ = 0 of the dual"),
    sentence=N_(
        "With a bias, the multipliers of the two classes have the same sum. Without a bias, the dual "
        "problem does not contain this condition."
    ),
    formula=r"y^\top\alpha = \sum_i \alpha_i y_i = 0",
    source=(
        Source("B", N_("Dual problem"), quote=r"$\sum_{i=1}^{n} \lambda_i t_i = 0$"),
        Source("C", N_("Version 3"), quote=r"$\sum_{1 \leq n \leq N} \alpha_n y^{(n)} = 0$, d.h. $\alpha^T y = 0$"),
    ),
    conditions=N_(
        "The classes are separable, and both are present. The statement is checked with a bias, even if "
        "the board has none."
    ),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (-5.0, 0.0)),
        (1, -1),
        N_("Without a bias only the positive point has a multiplier above 0, and it is 1."),
        C=math.inf,
    ),
)
def balance(s: Situation, tol: float) -> Outcome:
    """Return y'alpha of the multipliers of the primal's constraints, with and without a bias.

    The primal does not contain the condition y'alpha = 0.
    """
    with_b, without = (s, s.with_bias_switched) if s.problem.bias else (s.with_bias_switched, s)
    with_bias_side = Side("Σ αᵢyᵢ relative to Σ αᵢ, with a bias", imbalance(with_b), r"y^\top\alpha / \sum\alpha")
    control = None
    try:
        without_bias_side = Side(
            "Σ αᵢyᵢ relative to Σ αᵢ, without a bias", imbalance(without), r"y^\top\alpha / \sum\alpha"
        )
        control = reading(
            tol,
            abs(without_bias_side.value),
            without_bias_side,
            words=N_("Without a bias, the sums of the two classes are equal too."),
        )
    except DoesNotApply:
        pass
    return Outcome(
        reading(
            tol,
            max(abs(with_bias_side.value), *multiplier_errors(with_b)),
            with_bias_side,
            Side("the same with a bias, by the exact method", exact_imbalance(with_b), r"y^\top\alpha / \sum\alpha"),
        ),
        control=control,
    )


def exact_imbalance(s: Situation) -> float:
    """Return y'alpha over sum alpha for the multipliers of the exact method."""
    alpha = s.hard_solution.alpha
    return float(s.y @ alpha) / float(alpha.sum())


def multiplier_errors(s: Situation) -> tuple[float, float, float]:
    """Return the imbalance of the exact multipliers, and how far both solvers' multipliers are from |w|^2 and w.

    At the optimum sum alpha = |w|^2, whatever the multipliers are, and w = sum alpha_i y_i x_i.
    """
    p, square = s.hard_primal, float(s.hard_primal.w @ s.hard_primal.w)
    by_sum = max(abs(float(alpha.sum()) / square - 1.0) for alpha in (p.alpha, s.hard_solution.alpha))
    return abs(exact_imbalance(s)), by_sum, s.distance_in_margins(s.expand(p.alpha), p.w)


def imbalance(s: Situation) -> float:
    """Return y'alpha over sum alpha for the multipliers of the hard margin's primal constraints.

    Raises DoesNotApply where all multipliers are 0. A separable board has an active constraint, so multipliers that are
    all 0 come from cvxopt on features that are too large for it.
    """
    alpha = s.hard_primal.alpha
    total = float(alpha.sum())
    if not total > 0.0:
        raise DoesNotApply(
            "The second solver, cvxopt, finds only multipliers equal to 0 here, although the classes are "
            "separable. The largest norm in feature space, {size:.2g}, is too large for it. Standardise the "
            "points, or choose a kernel of lower degree.",
            size=s.max_norm,
        )
    return float(s.y @ alpha) / total


@statement(
    "S6",
    N_("KKT conditions of the soft margin"),
    sentence=N_(
        "If the multiplier αᵢ is positive, the constraint yᵢf(xᵢ) ≥ 1 − ξᵢ is active. If the slack "
        "variable ξᵢ is positive, then αᵢ = C."
    ),
    formula=r"\alpha_i\,(y_i f(x_i) - 1 + \xi_i) = 0, \qquad (C - \alpha_i)\,\xi_i = 0",
    source=(
        Source(
            "B",
            N_("Non separability in the training set, Lagrangian"),
            "misprint",
            quote=(
                r"$\frac{1}{2} \sum_{i=1}^n w_i^2 + \sum_{i=1}^n (C - \alpha_i - \lambda_i) \xi_i$ … $+ w_0 "
                r"\sum_{i=1}^n \lambda_i t_i$"
            ),
            flaw=N_(
                "The term with the bias has a minus sign, and the squares are summed over the components of w. "
                "The slides print a plus sign and a sum over the points."
            ),
            at=39,
        ),
        Source(
            "B",
            N_("KKT conditions of the soft margin"),
            quote=r"$\lambda_i \left(t_i(\mathbf{w}^T \phi(\mathbf{x}_i) + w_0) - 1 + \xi_i\right) = 0$",
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("Some support vectors have no slack, and their multipliers lie strictly between 0 and C."),
    ),
)
def kkt_soft(s: Situation, tol: float) -> Outcome:
    """Return the residuals of the KKT conditions with slack, alpha in units of C.

    w, b and xi come from the primal program, alpha from the exact method. For the converse: for any w, b and 0 <= alpha
    <= C the duality gap is the sum of the residuals.
    """
    p, alpha, C = s.soft_primal, s.soft_solution.alpha, s.soft_problem.C
    yf, a = s.y * (s.Phi @ p.w + p.b), alpha / C
    unit = max(1.0, float(np.abs(yf).max()))
    sides = (
        Side(
            "stationarity in w, in margin units",
            s.distance_in_margins(s.expand(alpha), p.w),
            r"w - \sum\alpha_i y_i x_i",
        ),
        Side(
            "stationarity in b",
            abs(float(s.y @ a)) / float(a.sum() or 1.0) if s.problem.bias else 0.0,
            r"y^\top\alpha/\sum\alpha",
        ),
        Side(
            "largest violation of y f ≥ 1 − ξ",
            float(np.maximum(0.0, 1.0 - p.xi - yf).max()) / unit,
            r"(1 - \xi_i - y_i f(x_i))_+",
        ),
        Side(
            "largest violation of 0 ≤ α ≤ C, in units of C",
            float(np.maximum(-a, a - 1.0).max()),
            r"\alpha_i \in [0, C]",
        ),
        Side(
            "complementary slackness of α",
            float(np.abs(a * (yf - 1.0 + p.xi)).max()) / unit,
            r"\alpha_i(y_i f(x_i) - 1 + \xi_i)/C",
        ),
        Side("complementary slackness of ξ", float(np.abs((1.0 - a) * p.xi).max()) / unit, r"(C - \alpha_i)\xi_i/C"),
    )
    identity_error, largest_gap = gap_identity_error(s, C)
    largest_free = Side("largest multiplier below C, in units of C", float((a * (a < 1.0)).max()))
    return Outcome(
        reading(
            tol,
            max(*(side.value for side in sides), identity_error, unexplained_noise(s, s.soft_solution)),
            *sides,
            Side("largest relative duality gap of other pairs", largest_gap, r"(P - D)/(P + |D|)"),
            Side("difference of that gap from the sum of its residuals", identity_error),
        ),
        control=reading(
            tol,
            float((a * (1.0 - a)).max()),
            largest_free,
            words=N_("Every support vector has the multiplier C, with or without slack."),
        ),
    )


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
    smallest, largest = np.inf, -np.inf
    for size in np.geomspace(0.01, 10.0, PAIRS):
        perturbed_w = p.w + size * 0.1 * float(np.linalg.norm(p.w)) * rng.standard_normal(p.w.shape) / np.sqrt(len(p.w))
        f = s.Phi @ perturbed_w
        b = -0.5 * float(f[s.y > 0].min() + f[s.y < 0].max()) if s.problem.bias else 0.0
        least_margin = float((s.y * (f + b)).min())
        if least_margin > 0:
            smallest = min(smallest, largest_over_alpha(s, perturbed_w / least_margin, b / least_margin, 1.0))
        alpha = (1.0 - min(size, 1.0)) * s.hard_solution.alpha + 0.1 * size * s.hard_solution.alpha.max() * rng.random(
            s.m
        )
        if s.problem.bias:
            alpha = alpha / np.where(s.y > 0, alpha[s.y > 0].sum(), alpha[s.y < 0].sum()) * alpha[s.y > 0].sum()
        largest = max(largest, least_over_w_and_b(s, alpha, 1.0))
    smallest = smallest if np.isfinite(smallest) else 0.5 * float((2 * p.w) @ (2 * p.w))
    return (smallest - largest) / smallest


@statement(
    "H13",
    N_("Saddle point of the Lagrangian"),
    sentence=N_(
        "The primal problem first maximises the Lagrangian L over α ≥ 0 and then minimises over w and b. "
        "The dual problem uses the other order. Both give the value of L at its saddle point."
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
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 0.0)),
        (1, -1, 1),
        N_(
            "The third point lies beyond its margin line. Without the condition α ≥ 0, its multiplier could "
            "make the Lagrangian arbitrarily large."
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
        Side("Lagrangian at the primal's w and b and the exact α", value, r"L(w, b, \alpha)"),
        Side("maximum over α, at this w and b", highest, r"\max_\alpha L"),
        Side("minimum over w and b, at this α", lowest, r"\min_{w,b} L"),
        Side("primal value", above, r"\tfrac12\|w\|^2"),
        Side("dual value", below, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
        Side(
            "distance between the minimiser w of L and the primal's w, in margin units",
            s.distance_in_margins(s.expand(alpha), p.w),
        ),
        Side("smallest relative gap of other feasible pairs", weak_duality_gap),
        Side("maximum over α with sum up to 1000 times as large, at w/2 and b/2", at_infeasible),
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
        Side("largest functional margin of a point", float(yf[farthest]), "y f"),
        Side(
            Phrase("Lagrangian if the multiplier of this point is smaller by {size:.3g}", size=size),
            lagrangian(s, w, b, negative),
        ),
        words=N_("The maximum of the Lagrangian is the same over multipliers of any sign."),
    )
