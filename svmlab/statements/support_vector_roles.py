"""S5, S7, S8 and S9: what a multiplier says about its point, and how w depends on the support vectors."""

from __future__ import annotations

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.statements.geometry import best_bias
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import IDLE, normal_of_rows, solve_rows


@statement(
    "S5",
    N_("Multipliers and positions of the points"),
    sentence=N_(
        "A point with αᵢ = 0 lies on its margin line or beyond it. With 0 < αᵢ < C it lies exactly on "
        "its margin line. With αᵢ = C it lies on its margin line or on the wrong side of it."
    ),
    formula=(
        r"\alpha_i = 0 \Rightarrow y_i f \ge 1, \quad 0<\alpha_i<C \Rightarrow y_i f = 1, \quad \alpha_i "
        r"= C \Rightarrow y_i f \le 1"
    ),
    source=(
        Source(
            "B",
            N_("Item characterization, the first list"),
            "incomplete",
            quote=(
                r"the ones such that $\lambda_i=0$ and $\xi_i=0$: such elements are in the correct halfspace, in "
                r"terms of classification, and do not lie on the maximum margin hyperplanes"
            ),
            flaw=N_(
                "A point exactly on its margin line can also have αᵢ = 0. The slides exclude this, and a point "
                "with slack 1 belongs to none of their three sets."
            ),
            at=45,
        ),
        Source(
            "B",
            N_("Item characterization, the second list"),
            "incomplete",
            quote=(
                r"$\xi_i = 0, 0 < \lambda_i < C$ if $\phi(\mathbf{x}_i)$ is in the correct halfspace, on the "
                r"maximum margin hyperplane"
            ),
            flaw=N_(
                "A point on its margin line can have any multiplier from 0 to C. The slides print only 0 < αᵢ < C."
            ),
            at=47,
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    repair=N_(
        "A point on its margin line can also have the multiplier 0 or C. The points on the boundary, "
        "where the slack is 1, are a further case."
    ),
    witness=Witness(
        IDLE,
        (1, -1, 1, 1, -1, -1),
        N_("The point (1, 2) has multiplier 0 and slack 0, although it lies on its margin line."),
    ),
)
def categories(s: Situation, tol: float) -> Outcome:
    """Compare the multipliers and their bounds, from the exact method, with the margins of the primal."""
    e, p = s.soft_solution, s.soft_primal
    yf = s.y * (s.Phi @ p.w + p.b)
    C = s.soft_problem.C
    below_C, above_0 = e.alpha < C, e.alpha > 0
    violation = np.where(below_C, np.maximum(0.0, 1.0 - yf), 0.0) + np.where(above_0, np.maximum(0.0, yf - 1.0), 0.0)
    miscounted = (e.support != above_0) | (e.at_bound == below_C) | (e.free != (above_0 & below_C))
    unit = max(1.0, s.max_norm * e.norm_w)
    on_margin = np.abs(yf - 1.0) <= tol * unit
    degenerate = {N_("multiplier 0"): on_margin & ~e.support, N_("multiplier C"): on_margin & e.at_bound}
    degenerate_sides = [
        Side(Phrase("points on the margin line with {name}", name=name), float(mask.sum()))
        for name, mask in degenerate.items()
    ]
    counts = (
        Side("points with multiplier 0", float((~e.support).sum()), r"\alpha_i = 0"),
        Side("points with a multiplier between 0 and C", float(e.free.sum()), r"0 < \alpha_i < C"),
        Side("points with multiplier C", float(e.at_bound.sum()), r"\alpha_i = C"),
    )
    worst = Side("largest violation of the condition on the margin", float(violation.max()))
    outside = max(0.0, -float(e.alpha.min()), float(e.alpha.max()) - C) / C
    residual = max(float(violation.max()) / unit, outside, float(miscounted.sum()))
    number_degenerate = sum(side.value for side in degenerate_sides)
    return Outcome(
        printed=reading(
            tol,
            max(residual, number_degenerate),
            *counts,
            *degenerate_sides,
            words=N_("The slides' five cases cover every point."),
        ),
        repaired=reading(tol, residual, worst, *counts, *degenerate_sides),
    )


@statement(
    "S7",
    N_("The bias of the soft margin"),
    sentence=N_(
        "Every free support vector, where 0 < αₖ < C, gives the bias b by the first formula. If there is "
        "none, the optimal values of b form an interval, which can be a single value."
    ),
    formula=(
        r"b = y_k - \sum_j\alpha_j y_j k(x_j, x_k) \;(0<\alpha_k<C), \qquad \overline{y_k - g_k} - b = "
        r"\overline{y_k \xi_k}\;(\alpha_k > 0)"
    ),
    source=(
        Source(
            "B",
            N_("Classification, as in the separable case"),
            "incomplete",
            quote=(
                r"the coefficients $\mathbf{w}^*$ and $b^*$ can be derived just as done in the linearly separable "
                r"case"
            ),
            flaw=N_(
                "This is true if only the support vectors with 0 < αₖ < C are used. The slides omit this condition. "
                "Their mean over all support vectors is b only if the mean of yₖξₖ over them is 0."
            ),
            at=48,
        ),
    ),
    conditions=N_("There is a bias, and both classes are present."),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    repair=N_(
        "Only the support vectors with 0 < αₖ < C give b. The mean over all support vectors differs from b by the mean "
        "of yₖξₖ over them."
    ),
    witness=Witness(
        OVERLAPPING_POINTS, OVERLAPPING_LABELS, N_("The points with slack change the mean, so it differs from b.")
    ),
)
def offset(s: Situation, tol: float) -> Outcome:
    """Compare means of y - g, g = f - b from the exact alpha, with the primal's b.

    Without a free support vector, compare the interval of b with the interval found by trying every kink.
    """
    s.need_bias()
    e, p = s.soft_solution, s.soft_primal
    b_of_point, unit = s.y - s.summed(e.alpha, 0.0), max(1.0, s.max_norm * e.norm_w)
    primal = Side("bias, primal", p.b, "b")
    lo, hi = e.b_interval
    error_of_mean, mean_slack = float(b_of_point[e.support].mean()) - p.b, float((s.y * p.xi)[e.support].mean())
    sides = [primal, Side("smallest optimal b", lo), Side("largest optimal b", hi)]
    if e.free.any():
        b = float(b_of_point[e.free].mean())
        sides.append(Side("mean over the points with 0 < α < C", b))
        residual = max(float(np.abs(b_of_point[e.free] - p.b).max()), *(abs(v - p.b) for v in (lo, hi, e.b)))
    else:
        low, high, _ = best_bias(s.Phi @ p.w, s.y)
        sides.append(Side("points with 0 < α < C", 0.0))
        residual = max(abs(low - lo), abs(high - hi), lo - p.b, p.b - hi, abs(e.b - 0.5 * (low + high)))
    formula = Side("mean of y ξ over the support vectors", mean_slack)
    wrong = Side("mean over all support vectors", float(b_of_point[e.support].mean()))
    return Outcome(
        printed=reading(
            tol, abs(error_of_mean) / unit, primal, wrong, formula, words=N_("b is the mean over all support vectors.")
        ),
        repaired=reading(tol, max(residual, abs(error_of_mean - mean_slack)) / unit, *sides, wrong, formula),
    )


@statement(
    "S8",
    N_("Support vectors of the soft margin"),
    sentence=N_(
        "The support vectors lie on their margin line or have positive slack. The vector w is a sum over "
        "the points of both kinds."
    ),
    formula=r"w = \sum_{y_i f(x_i) \le 1} \alpha_i y_i x_i",
    source=(
        Source(
            "A",
            N_("after Teorema 3"),
            "misprint",
            quote=(
                r"non saranno soltanto i punti del training set a margine minimo rispetto a $\mathbf{w}^*$, ma "
                r"tutti i punti corrispondenti a variabili slack $\xi_t > 0$"
            ),
            flaw=N_(
                "The points on their margin lines have the functional margin 1. The notes call it minimal (“a "
                "margine minimo”), but a point with slack has a smaller margin."
            ),
            at=52,
        ),
        Source(
            "D", N_("representer theorem, on the margin or beyond it"), quote="quelli sul margine o oltre il margine"
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        N_("Some points on the margin line can have the multiplier 0 (H10)."),
    ),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)), (1, -1), N_("No point has slack, so the sum over the points with slack is 0.")
    ),
)
def supporters(s: Situation, tol: float) -> Outcome:
    """Compare the primal's w with w rebuilt from the exact alpha of two sets of points.

    The sets are chosen by the primal's margins: points with y f at most 1, and points with y f below 1.
    """
    p, alpha, unit = s.soft_primal, s.soft_solution.alpha, max(1.0, s.max_norm * s.soft_solution.norm_w)
    yf = s.y * (s.Phi @ p.w + p.b)
    at_most_1, below_1 = yf <= 1.0 + tol * unit, yf < 1.0 - tol * unit
    w_at_most_1, w_below_1 = (s.expand(np.where(mask, alpha, 0.0)) for mask in (at_most_1, below_1))
    length = Side("norm of w, primal", float(np.linalg.norm(p.w)), r"\|w\|")
    below_1_norm = Side(
        "norm of the sum over the points with slack",
        float(np.linalg.norm(w_below_1)),
        r"\|\sum_{\xi_i>0}\alpha_i y_i x_i\|",
    )
    return Outcome(
        control=reading(
            tol,
            s.distance_in_margins(w_below_1, p.w),
            length,
            below_1_norm,
            words=N_("Only the points with slack are support vectors."),
        ),
        printed=reading(
            tol,
            s.distance_in_margins(w_at_most_1, p.w),
            length,
            Side(
                "norm of the sum over both kinds",
                float(np.linalg.norm(w_at_most_1)),
                r"\|\sum_{y_if\le1}\alpha_i y_i x_i\|",
            ),
            below_1_norm,
            Side("points on the margin line", float((at_most_1 & ~below_1).sum())),
            Side("points with slack", float(below_1.sum())),
        ),
    )


@statement(
    "S9",
    N_("Deleting points in the soft margin"),
    sentence=N_(
        "If you delete the points with multiplier 0 and keep C, w does not change. The interval of the "
        "optimal b can become longer, but not shorter."
    ),
    formula=r"w(S') = w(S) \text{ at the same } C, \quad \lambda' = \lambda\, \frac{m}{m'}",
    source=(
        Source(
            "A",
            N_("compression bound, which trains on the support vectors alone"),
            "incomplete",
            quote=(
                r"Dato che $\mathbf{w}^*$ è determinato da un sottinsieme dei punti del training set, possiamo "
                r"limitare il rischio statistico"
            ),
            flaw=N_(
                "Training on the support vectors alone gives the same w for the same C. With the same λ, which is the "
                "parameter of the notes, w changes in general. The notes do not say which of the two is kept."
            ),
            at=53,
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    repair=N_(
        "With λ instead of C, the mean is taken over fewer points, so λ must become λ m/m′. If no point "
        "has 0 < αᵢ < C, the interval of b can become longer."
    ),
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The points beyond the margin lines are deleted. With the same λ, w becomes longer."),
    ),
)
def deletion(s: Situation, tol: float) -> Outcome:
    """Train on the support vectors alone, with the same C and the same lambda, and compare with the full primal."""
    e, p = s.soft_solution, s.soft_primal
    rows = np.flatnonzero(e.support)
    same_C = solve_rows(s.soft_problem, rows)
    support_data = Dataset(s.X[rows], s.y[rows])
    same_lambda = solve(
        Problem.from_lambda(support_data, s.soft_problem.kernel, s.soft_problem.lam, s.soft_problem.bias)
    )
    more = s.soft_problem.lam * s.m / len(rows)  # λ m/m'
    same_mean = solve(Problem.from_lambda(support_data, s.soft_problem.kernel, more, s.soft_problem.bias))
    unit = max(1.0, s.max_norm * e.norm_w)
    narrowing = max(same_C.b_interval[0] - e.b_interval[0], e.b_interval[1] - same_C.b_interval[1], 0.0)
    sides = (
        Side("points", float(s.m), "m"),
        Side("points kept", float(len(rows)), "m'"),
        Side("norm of w, all points", float(np.linalg.norm(p.w)), r"\|w\|"),
    )
    change_same_C, change_same_lambda, change_same_mean = (
        s.distance_in_margins(normal_of_rows(s, solution, rows), p.w) for solution in (same_C, same_lambda, same_mean)
    )
    return Outcome(
        printed=reading(
            tol,
            change_same_lambda,
            *sides,
            Side("norm of w, points kept, same λ", same_lambda.norm_w, r"\|w'\|"),
            words=N_("With the same λ, w does not change."),
        ),
        repaired=reading(
            tol,
            max(change_same_C, change_same_mean, narrowing / unit),
            *sides,
            Side("norm of w, points kept, same C", same_C.norm_w, r"\|w'\|"),
            Side("norm of w, points kept, λ m/m′", same_mean.norm_w, r"\|w'\|"),
            Side("length of the interval of b, all points", e.b_interval[1] - e.b_interval[0]),
            Side("length of the interval of b, points kept", same_C.b_interval[1] - same_C.b_interval[0]),
        ),
    )
