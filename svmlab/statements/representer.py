"""K8 and K9: w lies in the span of the points, and its length follows from kernel values."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array, as_fractions
from svmlab.core.phrase import N_
from svmlab.core.tolerances import SMALLEST_SINGULAR_VALUE
from svmlab.kernels.base import Kernel
from svmlab.kernels.features import orthogonal_directions, orthogonal_part, span_basis
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import decision_noise, losses

STEPS = (-2.0, -0.5, 0.25, 1.0, 3.0)  # multiples of u that are added
# relative to the longest point: u with smaller inner products is orthogonal to all points, up to rounding
CLEAR = 1e-13
ROUGH = 1e-3  # in units of K9: with a larger rounding error nothing can be compared


def mean_form(Z: Array, y: Array, lam: float, w: Array, b: float, noise: float) -> tuple[Array, float]:
    """Return the hinge losses (m,) at the features Z (m, D), and their mean plus lam/2 |w|^2."""
    hinge = losses(Z, y, w, b, noise)
    return hinge, float(hinge.mean()) + 0.5 * lam * float(w @ w)


def least_in_span(Z: Array, y: Array, length: float) -> float:
    """Return the least |Z w - y|^2 + (|w| - length)^2 over the w in the span of the rows of Z (m, D), length > 0.

    Where it is attained, (Z'Z + t) w = Z'y with t = 1 - length/|w|, and t is at least minus the least eigenvalue of Z'Z
    on the span. |w| falls with t and length/(1 - t) rises, so bisection finds where they are equal.
    """
    U, s, _ = np.linalg.svd(Z, full_matrices=False)
    keep = s > 1e-10 * s.max(initial=0.0)
    c, s2 = s[keep] * (U.T @ y)[keep], s[keep] ** 2
    low, high = -float(s2.min()), 1.0
    for _ in range(200):
        t = 0.5 * (low + high)
        w = c / (s2 + t)
        low, high = (t, high) if float(np.linalg.norm(w)) * (1.0 - t) > length else (low, t)
    w = c / (s2 + high)
    # where c has no component along the least eigenvalue, w has one
    missing = (length / (1.0 - high)) ** 2 - float(w @ w)
    w[s2.argmin()] += np.sqrt(max(missing, 0.0)) if abs(c[s2.argmin()]) < 1e-12 else 0.0
    return float(s2 @ w**2 - 2 * c @ w) + float(y @ y) + (float(np.linalg.norm(w)) - length) ** 2


@statement(
    "K8",
    N_("Representer theorem"),
    sentence=N_(
        "Let the objective be the sum of a penalty g(‖w‖) and a loss that depends on w only through the inner "
        "products ⟨w, φ(xᵢ)⟩. If g is strictly increasing, every minimiser w is a linear combination of the "
        "vectors φ(xᵢ)."
    ),
    formula=(
        r"w^* = \sum_i c_i\,\phi(x_i) \quad\text{minimises}\quad L\bigl(\langle w, \phi(x_1)\rangle, "
        r"\dots, \langle w, \phi(x_m)\rangle\bigr) + g(\|w\|)"
    ),
    source=(
        Source(
            "A",
            N_("Theorem 3"),
            quote=(
                r"Il minimo di $F_K$ è rappresentabile come combinazione lineare di $\phi_K(\mathbf{x}_1), \dots, "
                r"\phi_K(\mathbf{x}_m)$."
            ),
        ),
        Source(
            "A",
            N_("proof of theorem 3"),
            "misprint",
            r"Quindi $F_K(\mathbf{v}) \leq F_K(\mathbf{w}^*)$, che contraddice l'ottimalità di $\mathbf{w}^*$.",
            N_(
                "If the part of w* outside the span is not 0, then the part v in the span has F(v) < F(w*), and this "
                "contradicts the optimality of w*. The notes print ≤, which is no contradiction."
            ),
            51,
        ),
        Source(
            "D",
            N_("Representer theorem"),
            "incomplete",
            r"con $f$ e $g$ funzioni reali, allora la soluzione ottima $\vec{w}^*$ può essere espressa come:",
            N_(
                "The function g must be strictly increasing, so that every minimiser lies in the span. If g is "
                "only non-decreasing and a minimiser exists, some minimiser lies there. The notes allow any g."
            ),
            38,
        ),
    ),
    repair=N_(
        "If g is strictly increasing, every minimiser lies in the span of the points. If g is "
        "non-decreasing and a minimiser exists, some minimiser lies in the span."
    ),
    conditions=N_("With a bias both classes are present. The penalty does not depend on the bias."),
    tolerance=1e-6,
    page="kernels",
    subject="soft",
    witness=Witness(
        ((1.0, 0.0),),
        (1,),
        N_(
            "With the squared loss and g(r) = (r − 2)², the objective is 0 at w = (1, ±1.732). In the span its "
            "smallest value is 1/2."
        ),
        bias=False,
    ),
)
def representer(s: Situation, tol: float) -> Outcome:
    """Compare the w of the primal program, which uses no span, with the sum of the points.

    Then multiples t u are added to w, with u orthogonal to all points.
    """
    p, lam, rounding = s.soft_primal, s.soft_problem.lam, decision_noise(s, s.soft_solution)
    Z, w = s.Phi, p.w
    basis, orthogonal = span_basis(Z), orthogonal_directions(Z, 3)
    # A direction along which the points have very small coordinates is not orthogonal to them, although `span` rounds
    # these coordinates off. Where they are larger, `changed` shows it.
    share = np.abs(Z @ orthogonal.T).max(0, initial=0.0) / s.max_norm
    orthogonal = orthogonal[(share <= CLEAR) | (share > SMALLEST_SINGULAR_VALUE * np.sqrt(s.m))]
    note = ""
    if not len(orthogonal):  # the points span all coordinates: add one more, in which all points are 0
        Z, w, orthogonal = np.pad(Z, ((0, 0), (0, 1))), np.r_[w, 0.0], np.eye(Z.shape[1] + 1)[-1:]
        note = N_(
            "The points span all coordinates here. So the vector u has one more coordinate, which is 0 for all points."
        )
    outside_span = float(np.linalg.norm(orthogonal_part(p.w[None], basis)))
    before, F = mean_form(Z, s.y, lam, w, p.b, rounding)
    size = float(np.linalg.norm(w)) or 1.0 / s.max_norm
    loss_change = objective_error = 0.0
    for u in size * orthogonal:
        for t in STEPS:
            after, value = mean_form(Z, s.y, lam, w + t * u, p.b, rounding)
            loss_change = max(loss_change, float(np.abs(after - before).max()))
            objective_error = max(objective_error, abs(value - F - 0.5 * lam * t * t * float(u @ u)) / F)
    exact = s.soft_solution
    value = lam * exact.objective
    moved_losses, moved_F = mean_form(Z, s.y, lam, w + size * orthogonal[0], p.b, rounding)
    repaired = reading(
        tol,
        max(
            s.max_norm * outside_span / max(1.0, s.max_norm * size),
            s.distance_in_margins(s.expand(exact.alpha), p.w),
            loss_change,
            objective_error,
            abs(F - value) / value,
        ),
        Side("norm of w, by the primal program", float(np.linalg.norm(p.w)), r"\|w\|"),
        Side("norm of the part of w outside the span", outside_span),
        Side(
            "distance of w from the sum of the points, in margin units",
            s.distance_in_margins(s.expand(exact.alpha), p.w),
        ),
        Side("mean loss at w", float(before.mean())),
        Side("mean loss at w + u, with ‖u‖ = ‖w‖", float(moved_losses.mean())),
        Side("F at w", F),
        Side("F at w + u", moved_F),
        Side("F at w plus the penalty of u", F + 0.5 * lam * size**2),
    )
    return Outcome(any_penalty(s, tol), repaired, constant_penalty(Z, s.y, size * orthogonal[0], tol), note)


def any_penalty(s: Situation, tol: float) -> Reading:
    """Return the reading of the squared loss with g(r) = (r - 2 |w_0|)^2, w_0 the shortest least-squares solution.

    The least value over all w is compared with the least value over the span.
    """
    fit = np.linalg.lstsq(s.Phi, s.y, rcond=1e-10)[0]
    length = 2.0 * float(np.linalg.norm(fit))
    residual = float(((s.Phi @ fit - s.y) ** 2).sum())
    spans_all = s.problem.kernel.feature_dim(s.X.shape[1]) == len(
        span_basis(s.Phi)
    )  # then no direction is outside the span
    inside = least_in_span(s.Phi, s.y, length) if length else residual
    minimum = inside if spans_all else residual
    return reading(
        tol,
        (inside - minimum) / max(1.0, minimum),
        Side("minimum of squared losses plus penalty, w in the span", inside),
        Side("minimum of squared losses plus penalty, any w", minimum),
        Side("minimiser of g, twice the norm of the best fit", length, "r"),
        words=N_("For every function g, some minimiser lies in the span."),
    )


def constant_penalty(Z: Array, y: Array, u: Array, tol: float) -> Reading:
    """Return the reading with a constant g, where w + u fits as well as w.

    With a constant g the squares alone count. The residual is the part of w + u outside the span.
    """
    w = np.linalg.lstsq(Z, y, rcond=1e-10)[0]
    before, after = (float(((Z @ v - y) ** 2).sum()) for v in (w, w + u))
    part = float(np.linalg.norm(u) / np.linalg.norm(w + u))
    return reading(
        tol,
        part - abs(after - before),
        Side("sum of squared losses at the best fit w", before),
        Side("sum of squared losses at w + u", after),
        Side("part of w + u outside the span", part),
        words=N_("If g is non-decreasing, every minimiser lies in the span."),
    )


@statement(
    "K9",
    N_("Norm of w from kernel values"),
    sentence=N_(
        "If w is the sum of cᵢ φ(xᵢ), its squared norm is the sum of cᵢcⱼ k(xᵢ, xⱼ) over all pairs (i, j). "
        "For the SVM the coefficients are cᵢ = yᵢαᵢ."
    ),
    formula=r"\|w\|^2 = \sum_i\sum_j c_i\,c_j\,k(x_i, x_j), \qquad c_i = y_i\alpha_i",
    source=(
        Source(
            "D",
            N_("SVM in terms of the representer theorem"),
            "misprint",
            (
                r"$\| \vec{w}\|^2= \ <\vec{w},\vec{w} > \ = \ <\sum_{i=1}^m \alpha_{i}\vec{x_{i}},\sum_{j=1}^m "
                r"\alpha_{j}\vec{x}_{j}>=\sum_{i=1}^m \sum_{j=1}^m<\vec{x_{i}},\vec{x_{j}}>$"
            ),
            N_("Each term needs both coefficients. The last sum in the notes omits them."),
            44,
        ),
    ),
    repair=N_("Each term of the sum is multiplied by the coefficients of its two points, with their signs."),
    conditions=N_("With a bias both classes are present."),
    tolerance=1e-6,
    page="kernels",
    subject="soft",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)),
        (1, -1),
        N_("The kernel values 1, 1, −1 and −1 add up to 0, although the squared norm of w is 1."),
    ),
)
def length(s: Situation, tol: float) -> Outcome:
    """Compare |w|^2 of the primal program with the double sum of the exact coefficients and the kernel."""
    w, c = s.soft_primal.w, s.y * s.soft_solution.alpha
    square, without_coefficients, unsigned = (
        float(w @ w),
        float(s.problem.gram.sum()),
        float(np.abs(c) @ s.problem.gram @ np.abs(c)),
    )
    unit = max(1.0, s.max_norm**2 * square) / s.max_norm**2  # in margin units, as in the other statements
    double, tol = double_sum(s, c, unit, tol)
    squared_norm = Side("squared norm of w, by the primal program", square, r"\|w\|^2")
    return Outcome(
        reading(
            tol,
            abs(square - without_coefficients) / unit,
            squared_norm,
            Side("sum of the kernel values", without_coefficients, r"\sum_{ij} k(x_i, x_j)"),
        ),
        reading(
            tol,
            abs(square - double) / unit,
            squared_norm,
            Side("sum of the kernel values times both coefficients", double, r"\sum_{ij} c_i c_j\, k(x_i, x_j)"),
        ),
        reading(
            tol,
            abs(square - unsigned) / unit,
            squared_norm,
            Side(
                "the same sum with coefficients without their signs",
                unsigned,
                r"\sum_{ij} \alpha_i\alpha_j\, k(x_i, x_j)",
            ),
            words=N_("The multipliers αᵢ can replace the coefficients yᵢαᵢ."),
        ),
    )


def double_sum(s: Situation, c: Array, unit: float, tol: float) -> tuple[float, float]:
    """Return sum_ij c_i c_j k(x_i, x_j), and the tolerance in the given unit.

    The tolerance is `tol`, or the rounding error of the sum where that is larger. m sums of m products of rounded
    kernel values and coefficients have a relative error of at most (2m + 4) eps in each term. Where the error is above
    `tol`, a kernel with rational values is summed in fractions.

    Raises DoesNotApply where the error is above a thousandth of the unit.
    """
    K = s.inner
    rounding = (2 * s.m + 4) * EPS * float(np.abs(c) @ np.abs(K) @ np.abs(c)) / unit
    if rounding <= tol:
        return float(c @ K @ c), tol
    exact = exact_double_sum(s.problem.kernel, s.X, c)
    if exact is not None:
        return exact, tol
    if rounding > ROUGH:
        raise DoesNotApply(
            "The terms of the double sum are large here and almost cancel. So rounding alone can change the "
            "sum by {blur:.1g} times the squared norm of w. Decrease C, or move the classes apart.",
            blur=rounding,
        )
    return float(c @ K @ c), rounding


def exact_double_sum(kernel: Kernel, X: Array, c: Array) -> float | None:
    """Return the double sum over the points with c_i not 0, without rounding.

    None for a kernel whose values are not rational.
    """
    is_used = c != 0
    if not is_used.any():
        return 0.0
    Z, a = as_fractions(X[is_used]), as_fractions(c[is_used])
    K = kernel.fractions(Z, Z)
    return None if K is None else float(a @ K @ a)
