"""H1 to H3, H11 and H12: the two programs of the hard margin, when they have a solution, and why it is unique."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import separate
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, titles_where
from svmlab.statements import opinion
from svmlab.statements.geometry import distances
from svmlab.statements.separability import SEPARABLE, common_point_distance
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import IDLE, normal_of_rows, solve_rows
from svmlab.statements.values import dual_value

OFF_CENTRE_POINTS = ((3.0, 1.0), (1.0, 2.0))
INFINITE = titles_where(lambda k: k.psd and k.feature_dim(2) is None)


@statement(
    "H1",
    N_("The hard margin as a quadratic program"),
    sentence=N_(
        "The hard margin is a quadratic program in the vector u, which contains b and w. It has one linear "
        "constraint for each training point. A standard solver for quadratic programs can solve it."
    ),
    formula=(
        r"\min_u \tfrac12 u^\top \begin{bmatrix}0&0\\0&I\end{bmatrix} u \;\text{ s.t. }\; y_n [1, "
        r"x_n^\top]\, u \ge 1"
    ),
    source=(
        Source(
            "E",
            N_("section 3, quadratic programming"),
            quote=(
                r"$\mathbf{Q} = \begin{bmatrix} 0 & \mathbf{0}_d^T \\ \mathbf{0}_d & \mathbf{I}_d \end{bmatrix}; "
                r"\mathbf{p} = \mathbf{0}_{d+1}$"
            ),
        ),
        Source(
            "B",
            N_("before Duality, the optimization problem"),
            quote="the set of points satisfying the constraint is a convex polyhedron (intersection of half-spaces)",
        ),
    ),
    conditions=join_phrases(
        SEPARABLE,
        Phrase(
            "The vector w must have finitely many components, so the kernel is not {infinite}. Without a bias, u is w.",
            infinite=INFINITE,
        ),
    ),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        OFF_CENTRE_POINTS, (1, -1), N_("Here b = −1. If b is penalised too, the boundary moves."), C=math.inf
    ),
)
def program(s: Situation, tol: float) -> Outcome:
    """Compare the solution of the printed matrices with the exact method, which does not use these matrices."""
    if s.problem.kernel.feature_dim(s.problem.data.d) is None:
        raise DoesNotApply(
            "With the {kernel} kernel w has infinitely many components. Use the dual (H2), or choose another kernel.",
            kernel=s.problem.kernel.title,
        )
    p, h = s.hard_primal, s.hard_solution
    v = s.expand(h.alpha)
    return Outcome(
        reading(
            tol,
            max(s.distance_in_margins(p.w, v), abs(p.b - h.b) / max(1.0, s.max_norm * h.norm_w)),
            Side("norm of w, program in the notes", float(np.linalg.norm(p.w)), r"\|w\|"),
            Side("norm of w, exact method", h.norm_w, r"\|w\|"),
            Side("bias, program in the notes", p.b, "b"),
            Side("bias, exact method", h.b, "b"),
            Side("variables", float(len(p.w) + s.problem.bias)),
            Side("constraints", float(s.m)),
        ),
        control=penalised_bias(s, tol),
    )


def penalised_bias(s: Situation, tol: float) -> Reading | None:
    """Return the reading of the program in which b is penalised too, by an identity that includes b.

    Its solution differs wherever b is not 0. None without a bias.
    """
    if not s.problem.bias:
        return None
    augmented = Dataset(np.hstack([s.Phi, np.ones((s.m, 1))]), s.y)
    with_b = opinion.primal(Problem(augmented, C=math.inf, bias=False)).w
    return reading(
        tol,
        s.distance_in_margins(with_b[:-1], s.hard_primal.w),
        Side("norm of w if b is penalised too", float(np.linalg.norm(with_b[:-1])), r"\|w\|"),
        Side("norm of w, program in the notes", float(np.linalg.norm(s.hard_primal.w)), r"\|w\|"),
        words=N_("The matrix may contain a 1 for b as well, so that b is penalised too."),
    )


@statement(
    "H2",
    N_("The dual problem of the hard margin"),
    sentence=N_(
        "The dual problem has one variable αᵢ for each training point. It uses the points only in inner "
        "products, and it gives the same decision function f as the primal problem."
    ),
    formula=(
        r"\max_{\alpha \ge 0,\; y^\top\alpha = 0} \;\sum_i \alpha_i - \tfrac12 \alpha^\top Q \alpha, "
        r"\qquad Q_{ij} = y_i y_j \langle x_i, x_j\rangle"
    ),
    source=(
        Source(
            "B",
            N_("Dual problem and kernel function"),
            quote=(
                r"$\max_{\lambda} \left(\sum_{i=1}^{n} \lambda_i - \frac{1}{2} \sum_{i=1}^{n} \sum_{j=1}^{n} "
                r"\lambda_i \lambda_j t_i t_j \kappa(\mathbf{x}_i, \mathbf{x}_j) \right)$"
            ),
        ),
        Source(
            "C",
            N_("Version 4"),
            quote=r"$\min_{\alpha \geq 0, \alpha^T y = 0} \frac{1}{2} \alpha^T Q \alpha + [-1 \dots -1] \alpha$",
        ),
    ),
    conditions=join_phrases(SEPARABLE, N_("Without a bias, the constraint on the sum of αᵢyᵢ is absent.")),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        OFF_CENTRE_POINTS, (1, -1), N_("Here b = −1. Without b, f would be 2 and 0 at the two points."), C=math.inf
    ),
)
def dual(s: Situation, tol: float) -> Outcome:
    """Compare f at all points by the dual with f by the primal's w and b.

    The dual gives alpha, and b as the multiplier of its equality constraint.
    """
    p, d = s.hard_primal, s.hard_dual
    by_dual = s.summed(d.alpha, d.b)
    by_primal = s.Phi @ p.w + p.b
    worst = int(np.abs(by_dual - by_primal).argmax())
    return Outcome(
        reading(
            tol,
            float(np.abs(by_dual - by_primal).max()) / max(1.0, float(np.abs(by_primal).max())),
            Side(
                "f from the dual, at the point with the largest difference",
                float(by_dual[worst]),
                r"\sum_j \alpha_j y_j k(x_j, x) + b",
            ),
            Side("f from the primal, at the same point", float(by_primal[worst]), r"\langle w, x\rangle + b"),
            Side("variables of the dual", float(s.m)),
            Side("variables of the primal", float(len(p.w) + s.problem.bias)),
        ),
        control=reading(
            tol,
            float(np.abs(by_dual - d.b - by_primal).max()) / max(1.0, float(np.abs(by_primal).max())),
            Side("largest error of f without b", float(np.abs(by_dual - d.b - by_primal).max())),
            words=N_("The multipliers alone, without b, give the same f."),
        )
        if s.problem.bias
        else None,
    )


@statement(
    "H3",
    N_("Strong duality of the hard margin"),
    sentence=N_(
        "The primal and the dual problem have the same optimal value ½‖w‖². The sum of the multipliers "
        "αᵢ is ‖w‖², and this equals 1/γ² for the largest margin γ."
    ),
    formula=(
        r"\tfrac12\|w\|^2 = \sum_i\alpha_i - \tfrac12\alpha^\top Q\alpha, \qquad \sum_i \alpha_i = "
        r"\|w\|^2 = \frac{1}{\gamma^2}"
    ),
    source=(
        Source(
            "B", N_("Duality"), quote="the optimum of the dual problem is the same the the original (primal) problem"
        ),
    ),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        OFF_CENTRE_POINTS, (1, -1), N_("The common value is 0.4, and the sum of the multipliers is 0.8."), C=math.inf
    ),
)
def strong(s: Situation, tol: float) -> Outcome:
    """Compare cvxopt's primal value, cvxopt's dual value, the sum of the exact alpha, and the measured margin."""
    p, d, total = s.hard_primal, s.hard_dual, float(s.hard_solution.alpha.sum())
    gamma = float(distances(s.Phi, p.w, p.b).min())
    below, above = dual_value(s, d.alpha), 0.5 * float(p.w @ p.w)
    values = np.array([2 * above, 2 * below, total, 1.0 / gamma**2])
    spread = float(np.ptp(values) / np.abs(values).max())
    return Outcome(
        reading(
            tol,
            spread if values.min() > 0 else math.inf,
            Side("primal value", above, r"\tfrac12\|w\|^2"),
            Side("dual value", below, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
            Side("half the sum of the multipliers, exact method", total / 2, r"\tfrac12\sum_i\alpha_i"),
            Side("half the reciprocal of the squared margin, measured", 0.5 / gamma**2, r"1/(2\gamma^2)"),
        ),
        control=reading(
            tol,
            abs(above - total) / total,
            Side("primal value", above, r"\tfrac12\|w\|^2"),
            Side("sum of the multipliers, exact method", total, r"\sum_i\alpha_i"),
            words=N_("The sum of the multipliers is the common optimal value."),
        ),
    )


NARROW = 0.3  # width of a Gaussian that separates classes which other kernels do not


@statement(
    "H11",
    N_("Hard margin without separability"),
    sentence=N_(
        "If no boundary separates the classes, the constraints of the hard margin contradict each other. "
        "So the hard margin has no solution."
    ),
    formula=(
        r"\sum_i v_i\, y_i f(x_i) = 0 \;\text{ for all } (w, b), \quad\text{yet the constraints ask for}\; "
        r"\sum_i v_i > 0"
    ),
    source=(
        Source("C", N_("Bemerkung 3"), quote="Liegt lineare Trennbarkeit nicht vor, versagt das Verfahren."),
        Source(
            "D",
            N_("section Hard SVM, end"),
            quote="non esiste un iperpiano separatore e l'insieme delle soluzioni è vuoto",
        ),
    ),
    conditions=N_("The classes are not separable with this kernel."),
    tolerance=1e-7,
    page="duality",
    subject="points",
    witness=Witness(
        ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)),
        (1, 1, -1, -1),
        N_("No line separates these four points, but a Gaussian kernel does."),
    ),
)
def impossible(s: Situation, tol: float) -> Outcome:
    """Apply the weights of the certificate to the constraints of many (w, b).

    A linear program finds no positive margin either.
    """
    _ = s.Phi
    if s.separation.separable:
        raise DoesNotApply(
            "The classes are separable here, so the hard margin has a solution. Move a point into the other "
            "class to see this statement."
        )
    distance, weights_error = common_point_distance(s)
    v = s.separation.weights
    assert v is not None
    rng = np.random.Generator(np.random.Philox(3))
    W = rng.standard_normal((50, s.Phi.shape[1])) / s.max_norm
    b = rng.standard_normal(50) if s.problem.bias else np.zeros(50)
    sums = np.abs((v * s.y) @ (s.Phi @ W.T + b))
    lp_side = () if s.large else (Side("largest margin that a linear program finds", s.largest_lp_margin),)
    return Outcome(
        reading(
            tol,
            max(float(sums.max()), distance / s.max_norm, weights_error, *(side.value for side in lp_side)),
            Side("lower bound of the weighted sum, from the constraints", float(v.sum()), r"\sum_i v_i"),
            Side("largest weighted sum of 50 random w and b", float(sums.max()), r"|\sum_i v_i y_i f(x_i)|"),
            *lp_side,
            Side("points with a positive weight", float((v > 0).sum())),
        ),
        control=narrow_gaussian(s),
    )


def narrow_gaussian(s: Situation) -> Reading:
    """Return whether a narrow Gaussian separates what the board's kernel does not separate.

    It does wherever no position holds points of both labels.
    """
    narrow = separate(s.problem.data, Gaussian(NARROW), s.problem.bias)
    return reading(
        0.0,
        float(narrow.separable),
        Side(Phrase("a Gaussian kernel of width {sigma} separates (1: yes)", sigma=NARROW), float(narrow.separable)),
        words=N_("If this kernel does not separate the classes, no kernel does."),
    )


@statement(
    "H12",
    N_("Uniqueness of w and b"),
    sentence=N_(
        "The hard margin has exactly one solution w and b. It does not depend on the solver, the order "
        "of the points or copies of points. The multipliers αᵢ need not be unique."
    ),
    formula=r"w^* = \arg\min \tfrac12\|w\|^2 \text{ is unique}",
    source=(
        Source(
            "A",
            N_("problem (1), the only solution"),
            quote=(
                r"genera il classificatore lineare corrispondente all'unica soluzione $\mathbf{w}^* \in "
                r"\mathbb{R}^d$"
            ),
        ),
        Source("E", N_("section 3, the unique line"), quote="这些支撑向量(候选人)决定了唯一的SVM分离超平面"),
    ),
    conditions=join_phrases(SEPARABLE, N_("The statement is about w and b, because α need not be unique.")),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        IDLE,
        (1, -1, 1, 1, -1, -1),
        N_("If every point is doubled, the two copies of a support vector share its multiplier."),
        C=math.inf,
    ),
)
def unique(s: Situation, tol: float) -> Outcome:
    """Compare the solutions of three solvers, of the rows in reverse order, and of every point taken twice."""
    p, d, h = s.hard_primal, s.hard_dual, s.hard_solution
    reversed_rows, doubled_rows = np.arange(s.m)[::-1], np.repeat(np.arange(s.m), 2)
    others = [
        (normal_of_rows(s, r, rows), r.b)
        for rows in (reversed_rows, doubled_rows)
        for r in (solve_rows(s.hard_problem, rows),)
    ]
    solutions = [(s.expand(h.alpha), h.b), (s.expand(d.alpha), d.b), *others]
    difference_in_w = max(s.distance_in_margins(w, p.w) for w, _ in solutions)
    difference_in_b = max(abs(b - p.b) for _, b in solutions) / max(1.0, s.max_norm * h.norm_w)
    largest_alpha = float(h.alpha.max())
    return Outcome(
        reading(
            tol,
            max(difference_in_w, difference_in_b),
            Side("solutions compared", float(len(solutions) + 1)),
            Side("largest difference in w, in margin units", difference_in_w),
            Side("largest difference in b, in margin units", difference_in_b),
            Side("support vectors, exact method", float((h.alpha > 0).sum())),
            Side("support vectors, cvxopt's dual", float((d.alpha > 1e-6 * largest_alpha).sum())),
        ),
        control=reading(
            tol,
            float(np.abs(solve_rows(s.hard_problem, doubled_rows).alpha[::2] - h.alpha).max()) / largest_alpha,
            Side(
                "largest change of a multiplier if every point is doubled",
                float(np.abs(solve_rows(s.hard_problem, doubled_rows).alpha[::2] - h.alpha).max()),
            ),
            words=N_("The multipliers do not change either if every point is doubled."),
        ),
    )
