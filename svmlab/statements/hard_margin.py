"""H1 to H3, H11 and H12: the two programs of the hard margin, when they have a solution, and that it is unique."""

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

ASIDE = ((3.0, 1.0), (1.0, 2.0))
INFINITE = titles_where(lambda k: k.psd and k.feature_dim(2) is None)


@statement(
    "H1",
    N_("The primal as a quadratic program"),
    sentence=N_(
        "The hard margin is a quadratic program in u = [b; w] with one row for each point, ready for any solver."
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
    ),
    conditions=join_phrases(
        SEPARABLE, Phrase("w has finitely many entries (not the {infinite} kernel).", infinite=INFINITE)
    ),
    tolerance=1e-6,
    page="duality",
    machine="hard",
    witness=Witness(ASIDE, (1, -1), N_("Here b = -1, and where b is paid for the line moves."), C=math.inf),
)
def program(s: Situation, tol: float) -> Outcome:
    """Compare the solution of the printed matrices with the exact method, which does not use these matrices."""
    if s.problem.kernel.feature_dim(s.problem.data.d) is None:
        raise DoesNotApply(
            "With the {kernel} kernel w has infinitely many entries. Take the dual (H2), or another kernel.",
            kernel=s.problem.kernel.title,
        )
    p, h = s.hard_primal, s.hard_solution
    v = s.expand(h.alpha)
    return Outcome(
        reading(
            tol,
            max(s.distance_in_margins(p.w, v), abs(p.b - h.b) / max(1.0, s.max_norm * h.norm_w)),
            Side("norm of w, printed program", float(np.linalg.norm(p.w)), r"\|w\|"),
            Side("norm of w, exact method", h.norm_w, r"\|w\|"),
            Side("b, printed program", p.b, "b"),
            Side("b, exact method", h.b, "b"),
            Side("unknowns", float(len(p.w) + s.problem.bias)),
            Side("rows", float(s.m)),
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
        Side("norm of w, b in the square too", float(np.linalg.norm(with_b[:-1])), r"\|w\|"),
        Side("norm of w, printed program", float(np.linalg.norm(s.hard_primal.w)), r"\|w\|"),
        words=N_("With the identity over b as well."),
    )


@statement(
    "H2",
    N_("The dual"),
    sentence=N_(
        "The dual has one variable for each point, asks for nothing but inner products, and gives the same machine."
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
    conditions=join_phrases(SEPARABLE, N_("Without a bias the equation on alpha falls away.")),
    tolerance=1e-6,
    page="duality",
    machine="hard",
    witness=Witness(ASIDE, (1, -1), N_("Here b = -1, and without it f is 2 and 0."), C=math.inf),
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
            Side("f at the worst point, from the dual", float(by_dual[worst]), r"\sum_j \alpha_j y_j k(x_j, x) + b"),
            Side("f at the worst point, from the primal", float(by_primal[worst]), r"\langle w, x\rangle + b"),
            Side("variables of the dual", float(s.m)),
            Side("variables of the primal", float(len(p.w) + s.problem.bias)),
        ),
        control=reading(
            tol,
            float(np.abs(by_dual - d.b - by_primal).max()) / max(1.0, float(np.abs(by_primal).max())),
            Side("largest value of f that is missed", float(np.abs(by_dual - d.b - by_primal).max())),
            words=N_("The multipliers alone, without b, give the same f."),
        )
        if s.problem.bias
        else None,
    )


@statement(
    "H3",
    N_("Strong duality"),
    sentence=N_(
        "Primal and dual have the same optimal value, half the squared norm of w; the sum of alpha is "
        "that squared norm, and one over the squared margin."
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
    machine="hard",
    witness=Witness(ASIDE, (1, -1), N_("The common value is 0.4, and the multipliers sum to 0.8."), C=math.inf),
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
            Side("primal", above, r"\tfrac12\|w\|^2"),
            Side("dual", below, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
            Side("half the sum of alpha, exact method", total / 2, r"\tfrac12\sum_i\alpha_i"),
            Side("half of one over the squared margin, measured", 0.5 / gamma**2, r"1/(2\gamma^2)"),
        ),
        control=reading(
            tol,
            abs(above - total) / total,
            Side("value of the primal", above, r"\tfrac12\|w\|^2"),
            Side("sum of alpha, exact method", total, r"\sum_i\alpha_i"),
            words=N_("The sum of the multipliers is the common value itself."),
        ),
    )


NARROW = 0.3  # width of a Gaussian that separates classes which other kernels do not


@statement(
    "H11",
    N_("No line, no hard margin"),
    sentence=N_(
        "On points that no line separates the hard margin has no solution: the constraints contradict each other."
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
    conditions=N_("The classes are not separable by this kernel."),
    tolerance=1e-7,
    page="duality",
    machine="points",
    witness=Witness(
        ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)),
        (1, 1, -1, -1),
        N_("No line separates the corners, and a Gaussian does."),
    ),
)
def impossible(s: Situation, tol: float) -> Outcome:
    """Apply the weights of the certificate to the constraints of many (w, b).

    A linear program finds no positive margin either.
    """
    _ = s.Phi
    if s.separation.separable:
        raise DoesNotApply(
            "The classes are separable here, so the hard margin has a solution. Move a point across to see this."
        )
    distance, weights_error = common_point_distance(s)
    v = s.separation.weights
    assert v is not None
    rng = np.random.Generator(np.random.Philox(3))
    W = rng.standard_normal((50, s.Phi.shape[1])) / s.max_norm
    b = rng.standard_normal(50) if s.problem.bias else np.zeros(50)
    sums = np.abs((v * s.y) @ (s.Phi @ W.T + b))
    lp_side = () if s.large else (Side("largest margin a linear program finds", s.feasibility),)
    return Outcome(
        reading(
            tol,
            max(float(sums.max()), distance / s.max_norm, weights_error, *(side.value for side in lp_side)),
            Side("what the constraints ask of the weighted sum", float(v.sum()), r"\sum_i v_i"),
            Side("largest weighted sum of 50 lines", float(sums.max()), r"|\sum_i v_i y_i f(x_i)|"),
            *lp_side,
            Side("points in the contradiction", float((v > 0).sum())),
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
        Side(Phrase("a Gaussian of width {sigma} separates", sigma=NARROW), float(narrow.separable)),
        words=N_("Where this kernel has no boundary none has."),
    )


@statement(
    "H12",
    N_("One machine"),
    sentence=N_(
        "w and b are the same whichever solver, order of points or number of copies; the multipliers need not be."
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
    conditions=join_phrases(SEPARABLE, N_("It holds for w and b; alpha need not be unique.")),
    tolerance=1e-6,
    page="duality",
    machine="hard",
    witness=Witness(
        IDLE, (1, -1, 1, 1, -1, -1), N_("Two copies of a support vector share its multiplier."), C=math.inf
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
            Side("machines compared", float(len(solutions) + 1)),
            Side("largest difference in w, margin units", difference_in_w),
            Side("largest difference in b, margin units", difference_in_b),
            Side("support vectors, exact method", float((h.alpha > 0).sum())),
            Side("support vectors, cvxopt's dual", float((d.alpha > 1e-6 * largest_alpha).sum())),
        ),
        control=reading(
            tol,
            float(np.abs(solve_rows(s.hard_problem, doubled_rows).alpha[::2] - h.alpha).max()) / largest_alpha,
            Side(
                "largest change of a multiplier, every point twice",
                float(np.abs(solve_rows(s.hard_problem, doubled_rows).alpha[::2] - h.alpha).max()),
            ),
            words=N_("The multipliers are the same too."),
        ),
    )
