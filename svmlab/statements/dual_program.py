"""H14 and H15: how many variables the dual program has, and why its objective is concave."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.kernels.standard import titles_where
from svmlab.solvers.program import QP
from svmlab.statements.separability import SEPARABLE
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

INFINITE = titles_where(lambda k: k.psd and k.feature_dim(2) is None)
MIXTURES = 8
ZERO = 1e-9  # of the largest eigenvalue: an eigenvalue below it is 0 up to rounding


@statement(
    "H14",
    N_("The number of variables of the dual"),
    sentence=N_(
        "The primal problem of the hard margin has one variable for each component of w, and one for the bias. Its "
        "dual has one variable for each training point, and both give the same w. So the dual is smaller if w has at "
        "least as many components as there are points. Only the dual is finite if w has infinitely many."
    ),
    formula=r"(w, b) \in \mathbb{R}^{d+1} \qquad\text{and}\qquad \alpha \in \mathbb{R}^m",
    source=(
        Source(
            "B",
            N_("Passing from primal to dual"),
            "incomplete",
            quote=(
                r"The number variables increases from m to n (in particular, if $\phi(\mathbf{x}) = \mathbf{x}$, "
                r"from d to n)."
            ),
            flaw=N_(
                "The number increases if there are more training points than variables of the primal problem. "
                "Otherwise it decreases or stays the same. The slides omit this condition and do not count the bias."
            ),
            at=28,
        ),
    ),
    repair=N_(
        "With a bias, the number of variables changes from the number of components of w plus 1 to the number m of "
        "points. This is an increase only if m is the larger one."
    ),
    conditions=join_phrases(
        SEPARABLE,
        Phrase(
            "The variables are counted for w with finitely many components, so the kernel is not {infinite}. Without a "
            "bias, the primal problem has one variable less.",
            infinite=INFINITE,
        ),
    ),
    tolerance=1e-6,
    page="duality",
    subject="hard",
    witness=Witness(
        ((1.0, 1.0), (-1.0, -1.0)),
        (1, -1),
        N_("For two points in the plane, the primal problem has three variables, and the dual has two."),
        C=math.inf,
    ),
)
def sizes(s: Situation, tol: float) -> Outcome:
    """Compare the columns of the two programs, as they are handed to a solver, with components and points.

    Both programs are solved, and their w are compared.
    """
    s.need_separable()
    components = s.problem.kernel.feature_dim(s.problem.data.d)
    if components is None:
        raise DoesNotApply(
            "With the {kernel} kernel w has infinitely many components, so its primal problem cannot be written down. "
            "Choose another kernel.",
            kernel=s.problem.kernel.title,
        )
    primal, dual = s.hard_problem.qp("primal"), s.hard_problem.qp("dual")
    bias = float(s.problem.bias)
    before, after = float(primal.A.shape[1]), float(dual.A.shape[1])
    sides = (
        Side("variables of the primal problem", before),
        Side("variables of the dual problem", after),
        Side("training points", float(s.m), "m"),
        Side("components of w", float(components)),
    )
    off = abs(before - components - bias) + abs(after - s.m)
    off += abs(len(primal.variables) - before) + abs(len(dual.variables) - after)
    off += s.distance_in_margins(s.hard_primal.w, s.expand(s.hard_dual.alpha))
    off += constraints_off(s, dual) + constraints_off(s, s.soft_problem.qp("dual"))
    return Outcome(
        printed=reading(tol, max(0.0, before - after + 1.0), *sides, words=N_("The dual has more variables.")),
        repaired=reading(tol, off, *sides),
    )


def constraints_off(s: Situation, program: QP) -> float:
    """Return how many things are wrong with the constraints of a dual program of the board: y'alpha = 0 and the box.

    A vector of equal multipliers is within the box up to C, and outside of it beyond C and below 0.
    """
    C = 1.0 if program.A.shape[0] == s.m else s.soft_problem.C
    within, above, below = ((program.A @ np.full(s.m, f * C) >= program.c).all() for f in (0.999, 1.001, -0.001))
    bounded = program.A.shape[0] > s.m
    equations = program.E if s.problem.bias else np.zeros((0, s.m))
    wrong = [not within, below, bounded == above, program.E.shape != (int(s.problem.bias), s.m)]
    return float(sum(map(bool, wrong))) + float(np.abs(equations - s.y).max(initial=0.0))


@statement(
    "H15",
    N_("The dual objective is concave"),
    sentence=N_(
        "The matrix Q of the dual problem is positive semidefinite, because αᵀQα is the squared norm of the sum of "
        "αᵢyᵢφ(xᵢ). So the dual objective is concave, and each of its local maxima is global."
    ),
    formula=(
        r"\alpha^\top Q\,\alpha = \Bigl\|\sum_i \alpha_i y_i\,\phi(x_i)\Bigr\|^2 \ge 0, "
        r"\qquad Q_{ij} = y_i y_j\,k(x_i, x_j)"
    ),
    source=(
        Source(
            "C",
            N_("Version 4"),
            quote=(
                r"Mit der (positiv semidefiniten) Matrix $Q = [y^{(i)} y^{(j)} x^{(i)T} x^{(j)}]_{1 \leq i, j \leq N}$"
            ),
        ),
    ),
    conditions=N_("The kernel has a feature space, and there is at least one point. The labels are arbitrary."),
    tolerance=1e-8,
    page="duality",
    subject="points",
    witness=Witness(
        ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)),
        (1, 1, -1, -1),
        N_("For four points in the plane, two of the four eigenvalues of Q are 0, so several α can be optimal."),
    ),
)
def concavity(s: Situation, tol: float) -> Outcome:
    """Compare the matrix of the dual program with squared norms of combinations of feature vectors.

    Its eigenvalues are compared with squared singular values, and the objective with its chords.
    """
    program, unit = s.hard_problem.qp("dual"), s.max_norm**2
    Q, signed = program.P, s.y[:, None] * s.Phi
    eigenvalues = np.linalg.eigvalsh(Q)
    squares = np.zeros(s.m)
    singular = np.linalg.svd(signed, compute_uv=False)[: s.m]
    squares[: len(singular)] = singular**2
    mixtures = np.random.default_rng(0).uniform(0.0, 1.0, (MIXTURES, s.m))
    forms = np.einsum("ki,ij,kj->k", mixtures, Q, mixtures)
    norms = ((mixtures @ signed) ** 2).sum(1)
    middle = 0.5 * (mixtures + np.roll(mixtures, 1, axis=0))
    bend = np.einsum("ki,ij,kj->k", middle, Q, middle) - 0.5 * (norms + np.roll(norms, 1))  # the rest is linear
    largest = max(float(eigenvalues[-1]), unit)
    difference = max(
        float(np.abs(np.sort(squares) - eigenvalues).max()) / largest,
        float(np.abs(forms - norms).max()) / (largest * s.m),
        -float(eigenvalues[0]) / largest,
        float(bend.max()) / (largest * s.m),
        float(np.abs(program.q + 1.0).max()),
    )
    zeros = int((eigenvalues < ZERO * largest).sum())
    return Outcome(
        reading(
            tol,
            difference,
            Side("smallest eigenvalue of Q", float(eigenvalues[0])),
            Side("largest eigenvalue of Q", float(eigenvalues[-1])),
            Side("αᵀQα for an example α", float(forms[0]), r"\alpha^\top Q\alpha"),
            Side("squared norm of the sum for this α", float(norms[0]), r"\|\sum_i\alpha_i y_i\phi(x_i)\|^2"),
        ),
        control=reading(
            0.0,
            zeros / s.m,
            Side("eigenvalues of Q that are 0", float(zeros)),
            Side("training points", float(s.m), "m"),
            words=N_("Q is positive definite, so no other α has the same w."),
        ),
    )
