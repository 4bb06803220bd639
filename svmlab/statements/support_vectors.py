"""H7 to H10: how the solution depends on the support vectors."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.statements.geometry import distances, probe_grid
from svmlab.statements.separability import SEPARABLE
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

IDLE = ((1.0, 0.0), (-1.0, 0.0), (1.0, 2.0), (2.5, 1.0), (-2.0, 1.5), (-3.0, -1.0))


def solve_rows(problem: Problem, rows: Index) -> Solution:
    """Return the exact solution of the given rows only, at the same C; a row may be given repeatedly."""
    data = problem.data
    return solve(replace(problem, data=Dataset(data.X[rows], data.y[rows])))


def normal_of_rows(s: Situation, solution: Solution, rows: Index) -> Array:
    """Return the normal w (D,) of a solution of the given rows, in the coordinates of the Situation."""
    return (solution.alpha * s.y[rows]) @ s.centred[rows]


@statement(
    "H7",
    N_("The bias from a support vector"),
    sentence=N_(
        "Every point with a positive multiplier αₖ gives the same bias b by the formula. So the mean of "
        "these values is b too."
    ),
    formula=r"b = y_k - \sum_j \alpha_j y_j k(x_j, x_k) \quad \text{for } \alpha_k > 0",
    source=(
        Source(
            "B",
            N_("Deriving coefficients"),
            "misprint",
            quote=r"for any support vector $\mathbf{x}_k$ (characterized by the condition $\lambda_k \geq 0$)",
            flaw=N_(
                "A support vector has a positive multiplier. The slides print “≥ 0”, but every point has a "
                "multiplier of at least 0."
            ),
            at=30,
        ),
        Source(
            "C",
            N_("Version 4, evaluation"),
            quote="Wählt man einen support vector … erhält man $b = (1/y^{(n^*)}) - w^T x^{(n^*)}$",
        ),
    ),
    conditions=N_("The classes are separable, both are present, and there is a bias."),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    repair=N_("The multiplier must be positive. The condition that it is not negative is true for every point."),
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 1.0), (-2.0, -2.0)),
        (1, -1, 1, -1),
        N_("The points beyond the margin lines give values from −2 to 1, but b is 0."),
        C=math.inf,
    ),
)
def offset(s: Situation, tol: float) -> Outcome:
    """Compare the b of each point, from kernel values and the exact alpha, with the primal's b."""
    s.need_bias()
    h, p = s.hard_solution, s.hard_primal
    b = s.y - (h.alpha * s.y) @ s.problem.gram
    b_of_support, unit = b[h.alpha > 0], max(1.0, s.max_norm * h.norm_w)
    primal = Side("bias, primal", p.b, "b")

    def ends(values: Array, who: str) -> tuple[Side, Side]:
        return Side(Phrase("smallest b from {who}", who=who), float(values.min())), Side(
            Phrase("largest b from {who}", who=who), float(values.max())
        )

    return Outcome(
        printed=reading(
            tol,
            float(np.abs(b - p.b).max()) / unit,
            primal,
            *ends(b, N_("all points")),
            words=N_("Every point with a multiplier of at least 0 gives b."),
        ),
        repaired=reading(
            tol,
            max(float(np.abs(b_of_support - p.b).max()), *(abs(v - p.b) for v in (h.b, *h.b_interval))) / unit,
            primal,
            *ends(b_of_support, N_("support vectors")),
            Side("mean over the support vectors", float(b_of_support.mean())),
        ),
    )


@statement(
    "H8",
    N_("Decision function from support vectors"),
    sentence=N_(
        "The decision function f at a new point u needs only the kernel values of u with the support "
        "vectors. If the kernel is invariant under rotations, rotating u together with all points does not "
        "change f(u)."
    ),
    formula=(
        r"f(u) = \sum_{\alpha_n > 0} \alpha_n y_n\, k(x_n, u) + b = \sum \alpha_n y_n\, k(x_n,\, u) - "
        r"\sum \alpha_n y_n\, k(x_n, x_{n^*}) + \tfrac{1}{y_{n^*}}"
    ),
    source=(
        Source(
            "B",
            N_("Classification through SVM"),
            quote=(
                r"$y(\mathbf{x}) = \sum_{j \in \mathcal{S}} \lambda_j^* t_j \kappa(\mathbf{x}_j, \mathbf{x}) + "
                r"w_0^*$"
            ),
        ),
        Source(
            "C",
            N_("Version 4, final hypothesis"),
            "misprint",
            quote=r"$\alpha_n y^{(n)} (x^{(n)} - x^{(n^*)})^T u + 1/y^{(n^*)}$",
            flaw=N_(
                "The support vector x* must be subtracted from the new point u, as in the handout’s Bemerkung 2. "
                "Here the handout subtracts it from the other points, and then it cancels in the sum."
            ),
            at=73,
        ),
        Source(
            "B",
            N_("Classification with the soft margin, in kernel values"),
            "misprint",
            quote=(
                r"$y(\mathbf{x}) = \sum_{i \in \mathcal{S}} \lambda_j^* t_j \kappa(\mathbf{x}_i, \mathbf{x}_j) + "
                r"b^*$"
            ),
            flaw=N_(
                "The kernel value is that of a support vector and the new point x. The slides print two training "
                "points here and at their end, so x does not occur. For the hard margin they print it correctly."
            ),
            at=50,
        ),
        Source("C", N_("Bemerkung 2"), quote=r"$\alpha_n y^{(n)} (k(x^{(n)}, u) - k(x^{(n)}, x^{(n^*)}))$"),
    ),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="duality",
    subject="hard",
    repair=N_("The support vector x* is subtracted from u, so the term is xₙ′(u − x*) instead of (xₙ − x*)′u."),
    witness=Witness(
        ((3.0, 0.0), (1.0, 0.0)),
        (1, -1),
        N_("The correct boundary is at x₁ = 2. The formula in the handout gives x₁ = −1 or x₁ = 1."),
        C=math.inf,
    ),
)
def sparse(s: Situation, tol: float) -> Outcome:
    """Compare f on a grid around the points with w and b of the primal, and once more after turning the board.

    f is computed from kernel values of the support vectors. Where w has infinitely many entries, it is compared with
    all multipliers of cvxopt's dual.
    """
    h, bias = s.hard_solution, s.problem.bias
    U = probe_grid(s.X)
    sv = np.flatnonzero(h.alpha > 0)
    signed, largest_alpha_row = h.alpha[sv] * s.y[sv], sv[int(h.alpha[sv].argmax())]
    kernel = s.problem.kernel
    K = kernel(s.X[sv], U)
    f = signed @ K
    if bias:
        # Seen from the mean of the points, the linear kernel keeps more digits of points far from the origin.
        origin = s.X.mean(0) if kernel.is_linear else 0.0 * s.X[0]
        centred_values = kernel(s.X[sv] - origin, np.vstack([U, s.X[[largest_alpha_row]]]) - origin)
        f = signed @ (centred_values[:, :-1] - centred_values[:, -1:]) + s.y[largest_alpha_row]
    if kernel.feature_dim(s.X.shape[1]) is not None:
        truth = kernel.feature_map(U) @ s.hard_primal.w + s.hard_primal.b
    else:
        truth = (s.hard_dual.alpha * s.y) @ kernel(s.X, U) + s.hard_dual.b
    unit = max(1.0, float(np.abs(truth).max()))
    difference = float(np.abs(f - truth).max()) / unit
    sides = [
        Side("grid points", float(len(U))),
        Side("support vectors", float(len(sv))),
        Side("largest difference from the second solver", difference),
    ]
    change_by_turning, note = 0.0, join_phrases()
    if kernel.rotation_invariant:
        rotation = np.linalg.qr(np.random.Generator(np.random.Philox(7)).standard_normal((s.X.shape[1],) * 2))[0]
        rotated_f = solve(replace(s.hard_problem, data=Dataset(s.X @ rotation, s.y))).decision(U @ rotation)
        change_by_turning = float(np.abs(rotated_f - truth).max()) / unit
        sides.append(Side("largest difference after a rotation of all points", change_by_turning))
    else:
        note = Phrase(
            "The {kernel} kernel is not invariant under rotations, so the points were not rotated.",
            kernel=kernel.title,
        )
    printed = None
    if bias:
        wrong = signed @ (K - kernel(s.X[[largest_alpha_row]], U)) + s.y[largest_alpha_row]
        is_clear = np.abs(truth) > 1e-6 * unit
        share_misclassified = float(((wrong > 0) != (truth > 0))[is_clear].mean()) if is_clear.any() else 0.0
        printed = reading(
            tol,
            float(np.abs(wrong - truth).max()) / unit,
            *sides[:2],
            Side("proportion of grid points that are classified differently", share_misclassified),
            words=N_("f(u) is the sum of αₙyₙ(xₙ − x*)′u, plus 1/y*."),
        )
    return Outcome(printed=printed, repaired=reading(tol, max(difference, change_by_turning), *sides), note=note)


@statement(
    "H9",
    N_("Deleting all but the support vectors"),
    sentence=N_("If you delete every point that is not a support vector, w and b do not change."),
    formula=r"\text{SVM}(\{i : \alpha_i > 0\}) = \text{SVM}(\{1,\dots,m\})",
    source=(
        Source(
            "A",
            N_("after Lemma 2"),
            quote=(
                "Se levassimo dal training set tutti gli esempi tranne quelli di supporto la soluzione SVM non "
                "cambierebbe."
            ),
        ),
        Source("E", N_("section 3"), quote="即使其他训练样本缺失,重新学习得到的SVM分离超平面还将是原来的分离超平面"),
    ),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(IDLE, (1, -1, 1, 1, -1, -1), N_("Without the point (1, 0) the margin is wider."), C=math.inf),
)
def deletion(s: Situation, tol: float) -> Outcome:
    """Train on the support vectors alone with the exact method, and compare with the primal of all points."""
    p, h = s.hard_primal, s.hard_solution
    rows = np.flatnonzero(h.alpha > 0)
    rest = solve_rows(s.hard_problem, rows)
    return Outcome(
        reading(
            tol,
            max(
                s.distance_in_margins(normal_of_rows(s, rest, rows), p.w),
                abs(rest.b - p.b) / max(1.0, s.max_norm * h.norm_w),
            ),
            Side("points", float(s.m)),
            Side("points kept", float(len(rows))),
            Side("norm of w, all points", float(np.linalg.norm(p.w)), r"\|w\|"),
            Side("norm of w, support vectors alone", rest.norm_w, r"\|w\|"),
            Side("bias, all points", p.b, "b"),
            Side("bias, support vectors alone", rest.b, "b"),
        ),
        control=without_largest_alpha(s, tol),
    )


def without_largest_alpha(s: Situation, tol: float) -> Reading | None:
    """Return the reading without the support vector that has the largest multiplier.

    None where only one class remains.
    """
    rows = np.delete(np.arange(s.m), int(s.hard_solution.alpha.argmax()))
    if s.problem.bias and len(set(s.y[rows])) < 2:
        return None
    rest = solve_rows(s.hard_problem, rows)
    return reading(
        tol,
        s.distance_in_margins(normal_of_rows(s, rest, rows), s.hard_primal.w),
        Side("norm of w, all points", float(np.linalg.norm(s.hard_primal.w)), r"\|w\|"),
        Side("norm of w, without one support vector", rest.norm_w, r"\|w\|"),
        words=N_("Deleting a support vector does not change w either."),
    )


@statement(
    "H10",
    N_("Points on the margin and support vectors"),
    sentence=N_(
        "Every support vector lies on the margin. A point on the margin can have the multiplier 0, so it "
        "is only a candidate for a support vector."
    ),
    formula=r"\alpha_i > 0 \;\Rightarrow\; y_i f(x_i) = 1, \quad\text{not conversely}",
    source=(
        Source(
            "A",
            N_("after Lemma 2, where the two are one"),
            quote=(
                r"vettori di supporto, ovvero quelle istanze di training sulle quali $\mathbf{w}^*$ ha margine "
                r"esattamente pari a 1"
            ),
        ),
        Source(
            "B",
            N_("Classification through SVM"),
            quote=r"if $\mathbf{x}_i$ is not a support vector, then it must be $\lambda_i^* = 0$",
        ),
        Source("E", N_("section 3"), quote="在SVM分离超平面边界(boundary)上的样本点,被称为支撑向量(的候选人)"),
    ),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        IDLE, (1, -1, 1, 1, -1, -1), N_("The point (1, 2) lies on the margin, but its multiplier is 0."), C=math.inf
    ),
)
def candidates(s: Situation, tol: float) -> Outcome:
    """Compare the distances from the primal's line with the multipliers of the exact method."""
    p, alpha = s.hard_primal, s.hard_solution.alpha
    distance_in_margins = distances(s.Phi, p.w, p.b) * float(np.linalg.norm(p.w))
    on_margin, support = np.abs(distance_in_margins - 1.0) <= tol, alpha > 0
    zero_alpha_side = Side("points on the margin with multiplier 0", float((on_margin & ~support).sum()))
    sides = (
        Side("points on the margin", float(on_margin.sum())),
        Side("support vectors", float(support.sum())),
        zero_alpha_side,
    )
    return Outcome(
        reading(tol, float(np.abs(distance_in_margins[support] - 1.0).max()), *sides),
        control=reading(tol, zero_alpha_side.value, *sides, words=N_("Every point on the margin is a support vector.")),
    )
