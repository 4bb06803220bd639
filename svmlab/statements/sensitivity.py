"""T1 to T4: how the optimum of the soft margin depends on C, on the constraints and on the unit of length."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import draws, pegasos
from svmlab.statements.certified_values import enclose, shifted_optimum
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.values import primal_objective

CHANGE = 1e-3  # of C, and of the 1 in a constraint: the change whose effect is measured


@statement(
    "T1",
    N_("Sensitivity of the optimal value"),
    sentence=N_(
        "The optimal value P* of the soft margin grows with C at the rate Σξᵢ. If one constraint is tightened from "
        "yᵢf(xᵢ) ≥ 1 − ξᵢ to yᵢf(xᵢ) ≥ 1 + u − ξᵢ, then P* grows at the rate αᵢ. So a multiplier says how much its "
        "constraint costs."
    ),
    formula=(
        r"\frac{dP^*}{dC} = \sum_i \xi_i, \qquad P^*(C + h) \le P^*(C) + h \sum_i \xi_i, \qquad P^*(u) \ge P^*(0) + "
        r"\alpha_i u"
    ),
    source=(
        Source(
            "literature",
            N_("Boyd and Vandenberghe, Convex Optimization (2004), section 5.6, Perturbation and sensitivity analysis"),
        ),
        Source("project", N_("P*(C) is the minimum over (w, b) of functions that are linear in C with the slope Σξ")),
    ),
    conditions=N_(
        "With a bias, both classes are present. Where several α are optimal, the rate differs between tightening and "
        "relaxing, and every optimal αᵢ lies between both rates. The check changes C and one constraint by a "
        "thousandth."
    ),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The sum of the slack variables is the rate of P*. The number of points with slack is not."),
    ),
)
def sensitivity(s: Situation, tol: float) -> Outcome:
    """Compare the exact slacks and multipliers with differences of optimal values, each enclosed by cvxopt's pairs.

    P* is concave in C and convex in u, so each rate lies between the difference quotients on both sides.
    """
    e, d, C = s.soft_solution, s.soft_dual, s.soft_problem.C
    base = enclose(s, C, s.expand(d.alpha), d.b, d.alpha)
    slope, h = float(e.xi.sum()), CHANGE * C
    unit = max(base.upper / C, 1.0)
    quotients, excess = [], base.width
    for sign in (1.0, -1.0):
        other = solve(replace(s.soft_problem, C=C + sign * h))
        enclosure = enclose(s, C + sign * h, s.expand(other.alpha), other.b, other.alpha)
        above = enclosure.lower - base.upper - sign * h * slope - enclosure.noise - base.noise
        excess = max(excess, above / (h * unit), enclosure.width)
        quotients.append((enclosure.upper - base.lower) / (sign * h))
    i = int(np.argmax(np.minimum(e.alpha, C - e.alpha)))
    scale = s.max_norm**2 / max(1.0, base.upper * s.max_norm**2)
    rates = []
    for sign in (1.0, -1.0):
        target = np.ones(s.m)
        target[i] += sign * CHANGE
        w, b, alpha = shifted_optimum(s, C, target)
        enclosure = enclose(s, C, w, b, alpha, target)
        below = base.lower + sign * CHANGE * float(e.alpha[i]) - enclosure.upper - enclosure.noise - base.noise
        excess = max(excess, below / CHANGE * scale, enclosure.width)
        rates.append((enclosure.lower - base.upper) / (sign * CHANGE))
    count = float((e.xi > 1e-6).sum())
    sides = (
        Side("sum of the slack variables", slope, r"\sum_i \xi_i"),
        Side("rate of P* when C grows", quotients[0]),
        Side("rate of P* when C falls", quotients[1]),
        Side("multiplier of the changed constraint", float(e.alpha[i]), r"\alpha_i"),
        Side("rate of P* when it is tightened", rates[0]),
        Side("rate of P* when it is relaxed", rates[1]),
    )
    return Outcome(
        reading(tol, excess, *sides),
        control=reading(
            1e-3,
            max(count - max(quotients), min(quotients) - count) / unit,
            Side("points with slack", count),
            *sides[1:3],
            words=N_("P* grows with C at the rate of the number of points with slack."),
        ),
    )


PARTS = (0.0, 0.3, 0.7, 1.5)  # of w*, b* and alpha*: the pairs whose gap is compared


@statement(
    "T2",
    N_("Duality gap and distance to w*"),
    sentence=N_(
        "Take any w and b and any feasible α. Half the squared distance of w from the optimal w* is at most the "
        "duality gap P(w, b) − D(α). So a small gap proves that w is close to w*."
    ),
    formula=r"\tfrac12 \|w - w^*\|^2 \;\le\; P(w, b) - P^* \;\le\; P(w, b) - D(\alpha)",
    source=(
        Source(
            "literature",
            N_(
                "Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), Lemma 13.5, part 3, applied to "
                "the minimum over b, together with weak duality"
            ),
        ),
    ),
    conditions=N_(
        "With a bias, both classes are present. The bound is attained where w moves without changing the margin of a "
        "free support vector and without moving another point across its margin line."
    ),
    tolerance=1e-6,
    page="duality",
    subject="soft",
    witness=Witness(
        ((0.4, 0.0), (0.4, 1.0), (0.4, -1.0), (-0.4, 0.0), (-0.4, 1.0), (-0.4, -1.0)),
        (1, 1, 1, -1, -1, -1),
        N_("A step that leaves the free margins fixed has a gap of exactly half its squared length."),
        C=0.1,
    ),
)
def gap_and_distance(s: Situation, tol: float) -> Outcome:
    """Compare distances from cvxopt's w* with gaps: primal values by hand, dual values by hand and of the exact method.

    The bound is attained by a step along which every free margin stays: the step is projected on their null space.
    """
    e, d, C = s.soft_solution, s.soft_dual, s.soft_problem.C
    best, b_best = s.expand(d.alpha), d.b
    own_gap = enclose(s, C, best, b_best, e.alpha)
    unit, noise = own_gap.upper, own_gap.noise
    rng = np.random.Generator(np.random.Philox(s.m))
    excess, shown = 0.0, (0.0, 0.0)
    for part in PARTS:
        for turn in (0.0, 1.0):
            step = rng.standard_normal(len(best)) / math.sqrt(len(best))
            w = part * best + turn * step * (0.1 + part) / s.max_norm
            b = part * b_best + turn * float(rng.standard_normal()) * s.problem.bias
            P = primal_objective(s, C, w, b, 0.0)
            a = np.clip(min(part, 1.0) * e.alpha, 0.0, C)
            D = float(a.sum()) - 0.5 * float(s.expand(a) @ s.expand(a))
            half = 0.5 * float((w - best) @ (w - best))
            for dual in (D, e.dual_objective):
                excess = max(excess, (half - (P - dual)) / max(P, unit))
            shown = (half, P - e.dual_objective) if half > 0 and part == 0.7 and turn == 0 else shown
    half, rise = attained(s, e.alpha, best, b_best)
    gap = rise + own_gap.upper - e.dual_objective
    excess = max(excess, abs(gap - half) / max(unit, half) if half else 0.0, abs(e.objective - own_gap.upper) / unit)
    return Outcome(
        reading(
            s.tolerance_above_noise(tol, 4 * noise / unit),
            excess,
            Side("half the squared distance of 0.7 w* from w*", shown[0]),
            Side("duality gap there", shown[1]),
            Side("half the squared distance, free margins fixed", half),
            Side("duality gap there", gap),
        ),
        control=reading(
            tol,
            (2 * half - gap) / unit,
            Side("squared distance, free margins fixed", 2 * half),
            Side("duality gap there", gap),
            words=N_("The gap also bounds the squared distance without the factor one half."),
        ),
    )


def attained(s: Situation, alpha: Array, w: Array, b: float) -> tuple[float, float]:
    """Return half the squared length of a step from (w, b) and by how much P rises, or zeros without such a step.

    The step keeps the margins of the free points, and no other point crosses its margin line.
    """
    C, Z = s.soft_problem.C, s.centred
    shift = float(w @ (s.Phi.mean(0) - Z.mean(0)))
    rows = np.hstack([s.y[:, None] * Z / s.max_norm, s.y[:, None] * np.ones((s.m, int(s.problem.bias)))])
    margins = s.y * (Z @ w + b + shift)
    tolerance = 1e-5 * max(1.0, s.max_norm * float(np.linalg.norm(w)))
    kept = ((alpha > 0) & (alpha < C)) | (np.abs(margins - 1.0) <= tolerance)
    basis = np.linalg.svd(rows[kept], full_matrices=True) if kept.any() else None
    if basis is None:
        free = np.eye(rows.shape[1])
    else:
        rank = int((basis[1] > 1e-9 * max(1.0, basis[1][0])).sum())
        free = basis[2][rank:]
    if not len(free):
        return 0.0, 0.0
    step = free.T @ (free @ np.random.Generator(np.random.Philox(3)).standard_normal(rows.shape[1]))
    moved, room = rows @ step, np.where(kept, np.inf, np.abs(margins - 1.0))
    length = float(np.min(np.where(np.abs(moved) > 1e-12, 0.5 * room / np.maximum(np.abs(moved), 1e-12), np.inf)))
    length = min(length, 1e3)
    v, c = w + length * step[: len(w)] / s.max_norm, b + shift
    c += length * float(step[-1]) if s.problem.bias else 0.0
    c -= float(v @ (s.Phi.mean(0) - Z.mean(0)))
    half = 0.5 * float((v - w) @ (v - w))
    return half, primal_objective(s, C, v, c, 0.0) - primal_objective(s, C, w, b, 0.0)


FACTOR = 3.0  # by which the points are stretched
RUN = 60  # steps of the projected run
CLOSE = 1e-9  # of the largest margin: nearer to 1 than this, rounding decides what a step does


@statement(
    "T3",
    N_("The bound 1/√λ on the norm of w*"),
    sentence=N_(
        "The norm of the optimal w* is at most 1/√λ, whatever the points are. Pegasos may therefore project every "
        "iterate onto this ball without losing w*."
    ),
    formula=(
        r"\|w^*\|^2 = \frac1\lambda - \sum_i (C - \alpha_i) - C\sum_i \xi_i \;\le\; \frac1\lambda, \qquad C = "
        r"\frac{1}{\lambda m}"
    ),
    source=(
        Source(
            "literature",
            N_("Shalev-Shwartz, Singer and Srebro, Pegasos, ICML 2007, proof of Theorem 1"),
        ),
    ),
    conditions=N_(
        "The objective is (λ/2)‖w‖² plus the mean hinge loss. With a bias, both classes are present. The bound is "
        "attained where every multiplier is C and no point has slack."
    ),
    tolerance=1e-6,
    page="pegasos",
    subject="soft",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)),
        (1, -1),
        N_("Both multipliers are C and no point has slack, so the norm of w* is exactly 1/√λ."),
        C=0.5,
    ),
)
def norm_bound(s: Situation, tol: float) -> Outcome:
    """Compare the norm of cvxopt's w with 1/lambda less the sums of the exact method, and run Pegasos in the ball.

    By P = D: |w|^2 = sum alpha - C sum xi. The projected run is repeated by hand with the same random points.
    """
    e, lam, C = s.soft_solution, s.soft_problem.lam, s.soft_problem.C
    w = s.expand(s.soft_dual.alpha)
    square, most = float(w @ w), C * s.m
    rest = float((C - e.alpha).sum()) + C * float(e.xi.sum())
    out_of_ball = projected_run_error(s, lam)
    norm = Side("norm of w*, by cvxopt", math.sqrt(square), r"\|w^*\|")
    bound = Side("the bound 1/√λ", 1.0 / math.sqrt(lam), r"1/\sqrt\lambda")
    return Outcome(
        reading(
            tol,
            max(
                abs(square - (most - rest)) / most,
                (math.sqrt(square) - bound.value) / bound.value,
                abs(bound.value**2 - most) / most,
                out_of_ball,
            ),
            norm,
            bound,
            Side("square of the norm, from the multipliers and slacks", most - rest),
            Side("largest difference of a projected run from the same run by hand", out_of_ball),
        ),
        control=reading(
            tol,
            max(math.sqrt(square) - bound.value / math.sqrt(2.0), 0.0) / bound.value,
            norm,
            Side("the smaller radius", bound.value / math.sqrt(2.0), r"1/\sqrt{2\lambda}"),
            words=N_("The norm of w* is at most 1/√(2λ), as it is for the penalty λ‖w‖²."),
        ),
    )


def projected_run_error(s: Situation, lam: float) -> float:
    """Return how far Pegasos with projection is from the same steps by hand, in units of the radius.

    It is 0 where rounding decides whether a random point violates its margin, because then both runs are right.
    """
    if s.large:
        return 0.0
    run = pegasos(s.lifted, lam, RUN, project=True)
    w, radius = np.zeros(s.Phi.shape[1]), lam**-0.5
    iterates = np.zeros((RUN, len(w)))
    for t, i in enumerate(draws(s.m, 0, 0, 0, RUN), 1):
        iterates[t - 1] = w
        margin = float(s.y[i] * (s.Phi[i] @ w))
        if abs(margin - 1.0) <= CLOSE * max(1.0, s.max_norm * radius):
            return 0.0
        w = (1.0 - 1.0 / t) * w + (s.y[i] * s.Phi[i] / (lam * t) if margin < 1.0 else 0.0)
        length = float(np.linalg.norm(w))
        w = w * min(1.0, radius / length) if length > 0 else w
    pairs = ((run.averages[0, -1], iterates.mean(0)), (run.iterates[0, -1], iterates[-1]))
    return max(float(np.abs(own - by_hand).max()) for own, by_hand in pairs) / radius


@statement(
    "T4",
    N_("Scaling the points and C together"),
    sentence=N_(
        "Multiply all points by s and divide C by s². Then w* is divided by s, and b, f and all categories at the "
        "training points stay the same. The value of C depends on the unit of length, so the best C changes when you "
        "rescale the data."
    ),
    formula=(
        r"x_i \to s x_i, \quad C \to C/s^2 \quad\Rightarrow\quad w^* \to w^*/s, \quad \alpha_i \to \alpha_i/s^2, \quad "
        r"f \to f"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Hsu, Chang and Lin, A Practical Guide to Support Vector Classification (2003), section 2.2, which "
                "advises scaling, and section 1.2, where it comes before the choice of C"
            ),
        ),
        Source("project", N_("the substitution w → w/s in the objective")),
    ),
    conditions=join_phrases(BOTH_CLASSES, N_("With a kernel, its feature vectors are multiplied by s.")),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("If the points are three times as far from each other and C stays, f changes."),
    ),
)
def scaling(s: Situation, tol: float) -> Outcome:
    """Solve the stretched points with the exact method, and compare with cvxopt's w of the points as they are."""
    w, e, C = s.expand(s.soft_dual.alpha), s.soft_solution, s.soft_problem.C
    stretched = Dataset(FACTOR * s.Phi, s.y)
    together = solve(Problem(stretched, C=C / FACTOR**2, bias=s.soft_problem.bias))
    alone = solve(Problem(stretched, C=C, bias=s.soft_problem.bias))
    tol = s.tolerance_for(tol, together)
    unit = max(1.0, s.max_norm * e.norm_w)
    change = max(
        s.distance_in_margins(FACTOR * s.expand(together.alpha) * FACTOR, w),
        s.distance_in_margins(s.expand(e.alpha), w),
        *(abs(x - z) / unit for x, z in zip(together.b_interval, e.b_interval, strict=True)),
        abs(together.b - e.b) / unit,
    )
    other = s.distance_in_margins(FACTOR * s.expand(alone.alpha) * FACTOR, w)
    return Outcome(
        reading(
            tol,
            change,
            Side("norm of w*", float(np.linalg.norm(w)), r"\|w^*\|"),
            Side("norm of w* for the stretched points, times s", FACTOR * together.norm_w),
            Side("b", e.b, "b"),
            Side("b for the stretched points", together.b, "b"),
        ),
        control=reading(
            tol,
            other,
            Side("norm of w*", float(np.linalg.norm(w)), r"\|w^*\|"),
            Side("norm of w* for the stretched points and the same C, times s", FACTOR * alone.norm_w),
            words=N_("Stretching the points at the same C leaves f unchanged."),
        ),
    )
