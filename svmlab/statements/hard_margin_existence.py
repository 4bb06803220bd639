"""H11 and H12: when a hard margin exists, and that it is unique."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.separability import separate
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.kernels.standard import Gaussian
from svmlab.statements.hard_margin_duality import SEPARABLE
from svmlab.statements.separability import common_point_distance
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import IDLE, normal_of_rows, solve_rows

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
