"""H1 to H3: the two programs of the hard margin, and their common value."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.kernels.standard import titles_where
from svmlab.statements import opinion
from svmlab.statements.geometry import distances
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import dual_value

SEPARABLE = N_("The classes are separable, and with a bias both are present.")
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
