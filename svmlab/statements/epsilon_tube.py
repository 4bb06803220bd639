"""X2: epsilon-insensitive regression: a tube around the function, whose points outside are penalised."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.regression import Tube
from svmlab.statements.opinion import need_exact
from svmlab.statements.other_tasks import OtherTasks, TubeSolution
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

SMALLEST_COMPARED = 1e-6  # relative to the objective of a constant function: a smaller value is not compared relatively
ROUGH = 1e-5  # relative to the value: a gap that is larger than rounding
UNSOLVED = N_(
    "With this many features, the primal is not solved separately. The exact solution attains the dual "
    "value, so no solution has a smaller primal value."
)
# Relative to half the range of y: an interior point method may leave a point of the edge this far outside.
EDGE_TOLERANCE = 1e-8


def primal_value(tube: Tube, Phi: Array, w: Array, b: float, tolerance: float = 0.0) -> float:
    """Return 1/2 |w|^2 + C sum max(0, |y - f| - eps), with Phi (m, D) and w (D,).

    A point at most `tolerance` outside the edge counts as on the edge.
    """
    excess = np.abs(tube.data.y - Phi @ w - b) - tube.eps
    return 0.5 * float(w @ w) + tube.C * float(excess[excess > tolerance].sum())


def dual_value(tube: Tube, alpha: Array, star: Array) -> float:
    """Return y'(a - a*) - eps sum (a + a*) - 1/2 (a - a*)'K(a - a*), with a and a* (m,)."""
    beta = alpha - star
    gain = float((tube.data.y - tube.middle) @ beta) + tube.middle * float(beta.sum())
    return gain - tube.eps * float((alpha + star).sum()) - 0.5 * float(beta @ tube.gram @ beta)


def decision_uncertainty_of(tube: Tube, Phi: Array, alpha: Array, star: Array, b: float) -> float:
    """Return how far f of these multipliers may be from the optimal f at any point.

    It is X sqrt(2 g), with g the duality gap plus its rounding error.
    """
    w = (alpha - star) @ Phi
    value = primal_value(tube, Phi, w, b)
    gap = max(0.0, value - dual_value(tube, alpha, star))
    magnitude = float(np.abs(tube.data.y).max()) + float((np.abs(alpha - star) @ np.abs(tube.gram)).max())
    rounding = EPS * tube.C * tube.data.m * magnitude
    return float(np.sqrt(2.0 * (gap + rounding) * np.diag(tube.gram).max())) if gap <= ROUGH * value + rounding else 0.0


@statement(
    "X2",
    N_("Support vector regression"),
    sentence=N_(
        "Support vector regression predicts a value with a function f and a tube of half width ε around "
        "it. A point inside the tube has loss 0. The loss of a point outside is the distance of its value from "
        "the nearer edge. The primal and the dual program have the same optimal value."
    ),
    formula=(
        r"\min_{w,b} \tfrac12\|w\|^2 + C\sum_i(\xi_i + \xi_i^*) \quad\text{ s.t. }\quad -\varepsilon - "
        r"\xi_i^* \le y_i - f(x_i) \le \varepsilon + \xi_i"
    ),
    source=(
        Source(
            "B",
            N_("Extensions"),
            quote="Real-valued outputs (support vector regression)",
        ),
    ),
    conditions=N_(
        "C is finite. On a board of two classes, the labels are not used, and x₂ is the value to be "
        "predicted from x₁. In this case ε is half of the smallest value for which a constant function is "
        "optimal. The multiplier α belongs to the upper edge of the tube, and α* to the lower edge. For a point inside "
        "the tube both are 0. For a point on an edge, the multiplier of this edge is between 0 and C. For a point "
        "outside this edge it is C. The multiplier of the other edge is then 0."
    ),
    tolerance=1e-6,
    page="extensions",
    subject="tube",
    witness=Witness(
        ((0.0, 0.0), (1.0, 1.0), (0.5, 0.5)),
        (1, 1, 1),
        N_(
            "The values are 0, 1/2 and 1 at x = 0, 1/2 and 1. The tube yields w = 1/2 and b = 1/4. With the "
            "values as labels, w = 0."
        ),
        C=100.0,
        task="values",
        eps=0.25,
    ),
)
def tube(s: Situation, tol: float) -> Outcome:
    """Compare the values and f of both programs with the exact tube, and the residuals with the multipliers.

    The residuals come from the primal, the multipliers from the other solutions.
    """
    tasks = s.other_tasks
    t, e, d = tasks.tube, tasks.fit, tasks.dual
    y, Phi, unit = t.data.y, tasks.Phi, t.unit
    p = tasks.primal or as_primal(tasks)
    scale = max(p.value, SMALLEST_COMPARED * t.C * t.data.m * unit)
    fits = [(e.alpha, e.alpha_star, e.b), (d.alpha, d.alpha_star, d.b)]
    gaps = [decision_uncertainty_of(t, Phi, a, star, b) for a, star, b in fits]
    values = np.array(
        [
            p.value,
            primal_value(t, Phi, p.w, p.b, EDGE_TOLERANCE * unit),
            e.objective,
            d.value,
            *(dual_value(t, a, star) for a, star, _ in fits),
        ]
    )
    lo, hi = e.b_interval
    is_b_free = hi > lo
    f = [
        Phi @ p.w + (e.b if is_b_free else p.b),
        *((a - star) @ t.gram + (e.b if is_b_free else b) for a, star, b in fits),
        e.decision(t.data.X),
    ]
    f_difference = max(float(np.abs(f[0] - other).max()) for other in f[1:]) / unit
    b_difference = max(max(lo - b, b - hi, 0.0) for b in (p.b, d.b)) / unit
    r = y - f[0]
    distance_to_edge = t.eps - np.stack([r, -r])
    broken = complementarity_violation(distance_to_edge, np.stack([e.alpha, e.alpha_star]), t.C) / unit
    need_exact(max(f_difference, b_difference, broken), tol, *(2 * gap / unit for gap in gaps))
    least_sum = SMALLEST_COMPARED * t.data.m * min(t.C, unit / (float(np.diag(t.gram).max()) or 1.0))
    multiplier_sums = [max(float((a + star).sum()), least_sum) for a, star, _ in fits]
    balance = max(
        abs(float((a - star).sum())) / multiplier_sum
        for (a, star, _), multiplier_sum in zip(fits, multiplier_sums, strict=True)
    )
    largest_of_both = float(np.minimum(e.alpha, e.alpha_star).max()) / (float((e.alpha + e.alpha_star).max()) or 1.0)
    spread = float(np.ptp(values)) / scale
    sides = (
        Side("primal", p.value, r"\tfrac12\|w\|^2 + C\sum(\xi + \xi^*)"),
        Side(
            "dual",
            d.value,
            (
                r"y^\top(\alpha - \alpha^*) - \varepsilon\sum(\alpha + \alpha^*) - \tfrac12(\alpha - "
                r"\alpha^*)^\top K(\alpha - \alpha^*)"
            ),
        ),
        Side("half width of the tube", t.eps, r"\varepsilon"),
        Side("norm of w", float(np.linalg.norm(p.w)), r"\|w\|"),
        Side("largest difference of f, three solvers, in units of half the range of y", f_difference),
        Side("largest violation of complementarity at an edge", broken),
        Side("support vectors", float(e.support.sum()), r"\alpha_i + \alpha_i^* > 0"),
        *(
            (Side("sum of α − α* over all points", float(e.beta.sum()), r"\sum_i(\alpha_i - \alpha_i^*)"),)
            if t.bias
            else ()
        ),
    )
    residual = max(
        f_difference, b_difference, broken, spread, balance if t.bias else 0.0, largest_of_both, level_error(t)
    )
    return Outcome(
        printed=reading(tol, residual, *sides),
        control=as_labels(tasks, tol, p.value, scale),
        note=join_phrases(_board_note(s, t), "" if tasks.primal else UNSOLVED),
    )


def level_error(t: Tube) -> float:
    """Return how far the least eps for which a constant f is optimal is from its formula, over half the range of y.

    With a bias half of the range of y is the error of the best constant, and without one f = 0 misses y by |y|.
    """
    y = t.data.y
    level = 0.5 * float(y.max() - y.min()) if t.bias else float(np.abs(y).max())
    return abs(t.constant_fit_eps - level) / (level or 1.0)


def complementarity_violation(left: Array, a: Array, C: float) -> float:
    """Return the most by which a point violates the complementarity of its edge.

    A point outside the edge must have the multiplier C, and a point inside must have 0. left, a (2, m): the distances
    inside each edge, and the multipliers.
    """
    outside, inside = np.where(a < C, -left, 0.0), np.where(a > 0, left, 0.0)
    return max(0.0, float(outside.max()), float(inside.max()))


def as_primal(tasks: OtherTasks) -> TubeSolution:
    """Return the exact tube as a solution of the primal, whose value is at least the least."""
    t, e = tasks.tube, tasks.fit
    w = e.beta @ tasks.Phi
    return TubeSolution(w, e.b, e.alpha, e.alpha_star, primal_value(t, tasks.Phi, w, e.b))


def as_labels(tasks: OtherTasks, tol: float, minimum: float, scale: float) -> Reading | None:
    """Return the reading of the dual of classification with the values as labels, by its value in the tube's primal."""
    try:
        t, w = tasks.tube, tasks.labelled
    except SolverFailed:
        return None
    value = min(primal_value(t, tasks.Phi, w, b) for b in offsets(t, tasks.Phi @ w))
    return reading(
        tol,
        (value - minimum) / max(value, scale),
        Side("smallest primal value", minimum),
        Side("primal value of this solution", value),
        Side("norm of its w", float(np.linalg.norm(w)), r"\|w\|"),
        words=N_(
            "The dual of classification, with the values instead of the labels, solves the regression problem. "
            "The best b for its w is used."
        ),
    )


def offsets(t: Tube, g: Array) -> Array:
    """Return every b at which a point lies on an edge; one of them minimises sum max(0, |y - g - b| - eps).

    g (m,) is <w, phi(x)>.
    """
    kinks = t.data.y - g
    return np.unique(np.r_[kinks - t.eps, kinks + t.eps]) if t.bias else np.zeros(1)


def _board_note(s: Situation, t: Tube) -> str:
    if s.tube is not None:
        return ""
    return Phrase("Here x₂ is predicted from x₁, and ε = {eps:.4g}.", eps=t.eps)
