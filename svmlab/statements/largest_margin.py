"""M5, M6, M7 and M11: the line with the largest margin."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.statements.geometry import best_direction, distances, widest_margins
from svmlab.statements.margin import TWO_POINTS
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement


@statement(
    "M5",
    N_("Canonical scaling and the margin 1/‖w‖"),
    sentence=N_(
        "If w and b are scaled so that the smallest functional margin is 1, the nearest point has the "
        "distance 1/‖w‖ from the boundary."
    ),
    formula=r"\min_i y_i f(x_i) = 1 \;\Rightarrow\; \gamma = \frac{1}{\|w\|}",
    source=(
        Source("B", N_("the constraint min = 1"), quote=r"This can be obtained by assuming $||w||=\frac{1}{\gamma}$"),
        Source(
            "C",
            N_("Version 1"),
            quote=r"Maximiere $1/\|w\|$ für $[w, b]$ mit $\min_{1 \leq n \leq N} y^{(n)}(w^T x^{(n)} + b) = 1$",
        ),
        Source(
            "E",
            N_("section 2, scaling"),
            quote=r"上述放缩能够使得margin的表达式大大简化: $margin = \frac{1}{||\mathbf{w}||}$",
        ),
    ),
    conditions=N_("The classes are separable. With a bias, both classes are present."),
    tolerance=1e-6,
    page="margin",
    subject="hard",
    witness=Witness(
        TWO_POINTS,
        (1, -1),
        N_("The pair (2w, 2b) describes the same line with the same margin, but 1/‖2w‖ is only half of it."),
        C=math.inf,
    ),
)
def canonical(s: Situation, tol: float) -> Outcome:
    """Compare 1/|w| of the exact dual solution with the distance of the nearest point from the line of the primal."""
    p, norm = s.hard_primal, s.hard_solution.norm_w
    measured = float(distances(s.Phi, p.w, p.b).min())
    return Outcome(
        reading(
            tol,
            abs(measured * norm - 1.0),
            Side("reciprocal of the norm, from the dual", 1.0 / norm, r"1 / \|w\|"),
            Side(
                "distance of the nearest point from the primal's boundary, measured",
                measured,
                r"\min_i \operatorname{dist}(x_i)",
            ),
        ),
        control=reading(
            tol,
            abs(float(distances(s.Phi, 2 * p.w, 2 * p.b).min()) * 2 * norm - 1.0),
            Side("reciprocal of the norm of 2w", 0.5 / norm),
            Side(
                "distance of the nearest point from the boundary of 2w and 2b, measured",
                float(distances(s.Phi, 2 * p.w, 2 * p.b).min()),
            ),
            words=N_("The margin is 1/‖w‖ for every scaling of w and b."),
        ),
    )


@statement(
    "M6",
    N_("The direction with the largest margin"),
    sentence=N_(
        "Among all unit vectors u, the one with the largest margin is γ* w*. Here w* is the normal "
        "vector of the hard margin, and the largest margin is γ* = 1/‖w*‖."
    ),
    formula=r"u^* = \gamma^* w^*, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    source=(
        Source(
            "A",
            N_("Teorema 1"),
            quote=r"soddisfa $\mathbf{u}^* = \gamma^* \mathbf{w}^*$, dove $\mathbf{w}^*$ è soluzione di (1)",
        ),
    ),
    conditions=N_(
        "The classes are separable. With a bias, both classes are present, and the margin of u is half "
        "the gap between the projections of the classes on u."
    ),
    tolerance=1e-6,
    page="margin",
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (1.0, 3.0), (-1.0, 0.0), (-1.0, -1.0)),
        (1, 1, -1, -1),
        N_(
            "The line between the means of the two classes is tilted, and its margin is smaller than that of "
            "the vertical line."
        ),
        C=math.inf,
    ),
)
def widest(s: Situation, tol: float) -> Outcome:
    """Compare 1/|w| with the margin of the best direction.

    In the plane every direction is tried. In other dimensions the direction of w and many directions beside it are
    tried.
    """
    norm, w = s.hard_solution.norm_w, s.hard_primal.w
    bias = s.problem.bias
    own_margin = float(widest_margins(s.Phi, s.y, (w / np.linalg.norm(w))[None], bias)[0])
    if s.Phi.shape[1] == 2:
        u, gamma = best_direction(s.Phi, s.y, bias)
        direction_error = float(np.linalg.norm(u - w / norm))
        name: str = N_("largest margin of all directions")
    else:
        U = rival_normals(s, w)
        rival_margins = widest_margins(s.Phi, s.y, U, bias)
        gamma, direction_error, name = (
            max(own_margin, float(rival_margins.max())),
            0.0,
            Phrase("largest margin of the direction of w and {lines} other directions", lines=len(U)),
        )
    return Outcome(
        reading(
            tol,
            max(abs(gamma * norm - 1.0), abs(own_margin * norm - 1.0), direction_error),
            Side(name, gamma, r"\gamma^* = \max_{\|u\|=1} \min_i y_i\langle u, x_i\rangle"),
            Side("margin in the direction of the primal's w", own_margin),
            Side("reciprocal of the norm, from the dual", 1.0 / norm, r"1/\|w^*\|"),
            Side("distance between the best direction and γ* w*", direction_error, r"\|u^* - \gamma^* w^*\|"),
        ),
        control=between_means(s, tol),
    )


def between_means(s: Situation, tol: float) -> Reading | None:
    """Return the reading of the direction from the mean of one class to the mean of the other.

    Without a bias it is the direction from 0 to the mean of the points y x. None where that direction is 0.
    """
    signed = s.y[:, None] * s.Phi
    direction = s.Phi[s.y > 0].mean(0) - s.Phi[s.y < 0].mean(0) if s.problem.bias else signed.mean(0)
    length, best = float(np.linalg.norm(direction)), 1.0 / s.hard_solution.norm_w
    if not length > 0:
        return None
    between = float(widest_margins(s.Phi, s.y, (direction / length)[None], s.problem.bias)[0])
    return reading(
        tol,
        1.0 - between / best,
        Side("margin in the direction from mean to mean", between),
        Side("largest margin", best, r"\gamma^*"),
        words=N_("The direction from the mean of one class to the mean of the other has the same margin."),
    )


def rival_normals(s: Situation, w: Array, count: int = 120) -> Array:
    """Return `count` unit normals around w / |w|, from nearly equal to very different, drawn from a fixed seed."""
    rng = np.random.Generator(np.random.Philox(s.m))
    U = rng.standard_normal((count, len(w)))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    U = w / np.linalg.norm(w) + np.geomspace(1e-3, 3.0, count)[:, None] * U
    return U / np.linalg.norm(U, axis=1, keepdims=True)


@statement(
    "M7",
    N_("Constraint y f ≥ 1 instead of equality"),
    sentence=N_(
        "Minimise ½‖w‖² and require every functional margin to be at least 1. Then the smallest one is "
        "exactly 1 at the optimum, so the inequality gives the same classifier as the equation."
    ),
    formula=r"\min \tfrac12\|w\|^2 \text{ s.t. } y_i f(x_i) \ge 1 \;\Rightarrow\; \min_i y_i f(x_i) = 1",
    source=(
        Source(
            "C",
            N_("Version 2"),
            quote=(
                "In Wahrheit ist Version 2 aber genauso streng, denn das Gleichheitszeichen wird automatisch für "
                "mindestens ein $n$ realisiert"
            ),
        ),
        Source(
            "E",
            N_("section 2, relaxing the constraint"),
            quote="即使将约束条件替换为新条件,最佳解还是会落在比较紧的原条件的约束区域里",
        ),
    ),
    conditions=N_("The classes are separable. With a bias, both classes are present."),
    tolerance=1e-6,
    page="margin",
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (1.0, 3.0), (-1.0, 0.0), (-1.0, -1.0)),
        (1, 1, -1, -1),
        N_("Tilted lines also separate the classes. Scaled to the smallest functional margin 1, they have a longer w."),
        C=math.inf,
    ),
)
def at_least_one(s: Situation, tol: float) -> Outcome:
    """Check that the least margin at the primal's optimum is 1, and that no other separating line has a shorter w.

    The other lines are scaled so that their least margin is 1. In the direction u the shortest w with least margin 1
    has the norm 1 / (largest margin in the direction u).
    """
    p = s.hard_primal
    norm, smallest_margin = float(np.linalg.norm(p.w)), float((s.y * (s.Phi @ p.w + p.b)).min())
    rival_margins = widest_margins(s.Phi, s.y, rival_normals(s, p.w), s.problem.bias)
    lengths = 1.0 / rival_margins[rival_margins > 0]
    shortest, longest = float(lengths.min(initial=np.inf)), float(lengths.max(initial=0.0))
    return Outcome(
        reading(
            tol,
            max(abs(smallest_margin - 1.0), 1.0 - shortest / norm, abs(norm / s.hard_solution.norm_w - 1.0)),
            Side("smallest functional margin at the optimum", smallest_margin, r"\min_i y_i f(x_i)"),
            Side("norm of w", norm, r"\|w\|"),
            Side(Phrase("smallest norm of {n} other w with smallest functional margin 1", n=len(lengths)), shortest),
        ),
        control=reading(
            tol,
            longest / norm - 1.0,
            Side("norm of w", norm, r"\|w\|"),
            Side("largest norm of the other w", longest),
            words=N_("Every separating line with smallest functional margin 1 is optimal."),
        ),
    )


@statement(
    "M11",
    N_("Maximising the margin with its sign"),
    sentence=N_(
        "The hard margin maximises the smallest geometric margin, which has a sign. The smallest "
        "distance |f(x)|/‖w‖, which has no sign, has no largest value."
    ),
    formula=r"\max_{w,b} \min_i \frac{y_i f(x_i)}{\|w\|} \quad\text{not}\quad \max_{w,b} \min_i \frac{|f(x_i)|}{\|w\|}",
    source=(
        Source(
            "D",
            N_("section Hard SVM, first formula"),
            "incomplete",
            quote=r"$(\vec{w}^*,b^*)=\arg \max_{(\vec{w},b)\in R^{d+1}}\text{Margin}_{S}((\vec{w},b))$",
            flaw=N_(
                "The smallest margin with its sign has a largest value. The notes define the margin as a "
                "distance without a sign, which has none. Their next formula has the sign."
            ),
            at=12,
        ),
        Source(
            "D",
            N_("section Margine, the separable case"),
            quote=(
                r"$\text{Margin}_{s}(\vec{w},b)=\min_{1\leq i \leq m}\frac{y_{i}\cdot(<\vec{w},"
                r"\vec{x_{i}}>+b)}{\|\vec{w}\|} "
                r">0$"
            ),
        ),
    ),
    conditions=N_(
        "The classes are separable, both are present, and there is a bias. Without a bias all lines pass "
        "through the origin, so they cannot be shifted."
    ),
    tolerance=1e-6,
    page="margin",
    subject="hard",
    repair=N_(
        "The margin needs its sign, or only separating lines may be compared. Otherwise a line can be "
        "shifted away from all points, and its smallest distance grows without bound."
    ),
    witness=Witness(
        ((2.0, 0.0), (-2.0, 0.0)),
        (1, -1),
        N_("If the line is shifted by 100 and by 1000, the smallest distance grows to 98 and 998."),
    ),
)
def unsigned(s: Situation, tol: float) -> Outcome:
    """Move the optimal line along its normal, and compare the least distance with the least signed distance."""
    s.need_bias()
    p, gamma = s.hard_primal, 1.0 / s.hard_solution.norm_w
    shifts = (
        [shift + 2 * s.max_norm for shift in (100.0 * s.max_norm, 1000.0 * s.max_norm)]
        if s.max_norm < 0.1
        else [100.0, 1000.0]
    )
    norm = float(np.linalg.norm(p.w))
    least_distances = [float(distances(s.Phi, p.w, p.b + t * norm).min()) for t in shifts]
    steps = np.r_[0.0, gamma * np.linspace(-3, 3, 25), shifts, -np.array(shifts)]
    signed = s.y * ((s.Phi @ p.w + p.b) / norm + steps[:, None])
    best = float(signed.min(1).max())
    shifted = [
        Side(Phrase("smallest distance, line shifted by {t:g}", t=t), v)
        for t, v in zip(shifts, least_distances, strict=True)
    ]
    margin = Side("margin of the SVM", gamma, r"\gamma^*")
    return Outcome(
        printed=reading(
            tol,
            (max(least_distances) - gamma) / gamma,
            margin,
            *shifted,
            words=N_("The line maximises the smallest distance, without a sign."),
        ),
        repaired=reading(
            tol, abs(best - gamma) / gamma, margin, Side("largest signed margin among all shifts", best), *shifted
        ),
    )
