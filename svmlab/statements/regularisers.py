"""L8: what each regulariser prefers, and which of them are norms."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, length, linear_program
from svmlab.statements.plane import certain_distance, need_linear_kernel
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

NORMS = (1.0, 1.5, 2.0, 8.0)


@statement(
    "L8",
    N_("What a regulariser wants"),
    sentence=N_(
        "Under R1 a weight at which the loss pulls with less than λ is exactly 0; under R2 every weight "
        "is the pull divided by λ, and w turns with the points. Rp is a norm from p = 1 on."
    ),
    formula=(
        r"R_0 = \sum_j\mathbf{1}[w_j \ne 0],\quad R_1 = \sum_j|w_j|,\quad R_2 = \tfrac12\sum_j "
        r"w_j^2,\quad R_p = \Bigl(\sum_j|w_j|^p\Bigr)^{1/p}"
    ),
    source=(
        Source("B", N_("Regularization term, R1"), quote=r"1 **norm** $R_1(\mathbf{w}) = \sum_{i=1}^d |w_i|$"),
        Source(
            "B",
            N_("Regularization term, R0"),
            "misprint",
            r"0 **norm** $R_0(\mathbf{w}) = \mathbf{1}[w_i \neq 0]$",
            N_("The sum over the weights is missing, and it is no norm: twice w costs the same."),
            70,
        ),
        Source(
            "B",
            N_("Regularization term, R2"),
            "misprint",
            r"2 **norm** $R_2(\mathbf{w}) = \frac{1}{2} \sum_{i=1}^d w_i^2$",
            N_("This is half the square of a norm."),
            70,
        ),
        Source(
            "B",
            N_("Regularization term, Rp"),
            "incomplete",
            r"p norm $R_2(\mathbf{w}) = \left(\sum_{i=1}^d |w_i|^p\right)^{1/p}$",
            N_("It bears the name of the line above, and is a norm, and convex, for p of at least 1 only."),
            70,
        ),
    ),
    repair=N_("R0 is a sum over the weights. Rp is a norm for p of at least 1, and below that it is not even convex."),
    conditions=N_(
        "The kernel is linear, with the mean hinge and λ = 1/(C m), and both classes are there where there is a bias."
    ),
    tolerance=1e-6,
    page="losses",
    machine="soft",
    witness=Witness(
        ((2.0, 1.0), (1.5, -1.0), (1.0, 0.5), (-0.5, 0.0), (-2.0, -1.0), (-1.5, 1.0), (-1.0, 0.0), (0.5, 0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_(
            "With p = 1/2, (1, 1) costs 4, more than (1, 0) and (0, 1) together. R1 makes the second weight "
            "0, R2 does not."
        ),
        C=0.5,
    ),
)
def regularisers(s: Situation, tol: float) -> Outcome:
    """Compare R1 by a linear program and R2 by the exact SVM with the descent.

    R2 is compared at rotated points as well, and the triangle inequality is checked for several Rp.
    """
    need_linear_kernel(s)
    s.need_classes()
    data, lam, e = s.problem.data, s.soft_problem.lam, s.soft_solution
    with_R1, with_R2 = (Objective(data, LOSSES["hinge"], REGULARISERS[r], lam, s.problem.bias) for r in ("R1", "R2"))
    fit, program, R2_fit, w = descend(with_R1), linear_program(with_R1), descend(with_R2), s.expand(e.alpha)
    pull = (program.multipliers * s.y) @ s.X
    U = eighth_rotation(data.d)
    rotated = descend(Objective(Dataset(s.X @ U.T, s.y), with_R2.loss, with_R2.regulariser, lam, s.problem.bias))
    difference = max(
        abs(fit.value - float(with_R1.value(program.w, program.b))),
        abs(fit.value - program.value),
        abs(fit.value - float(program.multipliers.sum())),
        (float(np.abs(pull).max()) - lam) / s.max_norm,
        float((lam * np.abs(fit.w) - pull * fit.w).sum()),
        abs(R2_fit.value - lam * e.objective),
        certain_distance(lam, R2_fit.w, w),
        certain_distance(lam, rotated.w, U @ w),
        *(triangle_violation(data.d, p) for p in NORMS),
    )
    zero_entries = fit.w == 0
    return Outcome(
        printed=half_power(data.d, tol),
        repaired=reading(
            tol,
            difference,
            Side("least F with R1, by the descent", fit.value),
            Side("least F with R1, by a linear program", program.value),
            Side("its dual", float(program.multipliers.sum())),
            Side("weights that are exactly 0 under R1", float(zero_entries.sum())),
            Side("largest pull at a weight, in units of λ", float(np.abs(pull).max()) / lam),
            Side("least F with R2, by the descent", R2_fit.value),
            Side("least F with R2, by the exact method", lam * e.objective),
            Side("weights that are exactly 0 under R2", float((w == 0).sum())),
            Side(
                "way from w to that of the turned points, turned back, in margin units",
                s.distance_in_margins(U.T @ rotated.w, w),
            ),
        ),
        control=reading(
            tol,
            s.max_norm * float(np.abs(w[zero_entries]).max(initial=0.0)),
            *(Side(Phrase("weight {j} under R2", j=j + 1), float(w[j])) for j in np.flatnonzero(zero_entries)),
            words=N_("R2 makes the same weights 0."),
        ),
    )


def eighth_rotation(d: int) -> Array:
    """Return a rotation by an eighth of a turn in the first two of d coordinates; a reflection for d = 1."""
    U = np.eye(d)
    if d == 1:
        return -U
    U[:2, :2] = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2.0)
    return U


def pairs(d: int) -> tuple[Array, Array]:
    """Return pairs of vectors (n, d): the first and the last axis, and random ones."""
    rng = np.random.Generator(np.random.Philox(8))
    first, second = rng.standard_normal((2, 40, d))
    first[0], second[0] = np.eye(d)[0], np.eye(d)[-1]
    return first, second


def triangle_violation(d: int, p: float) -> float:
    """Return the most by which Rp of a sum is above the sum of both Rp.

    For p = 1 and p = 2 the difference from R1 and R2 counts as well.
    """
    first, second = pairs(d)
    excess = float((length(first + second, p) - length(first, p) - length(second, p)).max())
    lengths = {1.0: REGULARISERS["R1"].value(first), 2.0: np.sqrt(2.0 * REGULARISERS["R2"].value(first))}
    return max(excess, float(np.abs(length(first, p) - lengths[p]).max()) if p in lengths else 0.0)


def half_power(d: int, tol: float) -> Reading:
    """Return the reading of the triangle inequality for p = 1/2."""
    first, second = pairs(d)
    sums, parts = length(first + second, 0.5), length(first, 0.5) + length(second, 0.5)
    return reading(
        tol,
        float((sums - parts).max()),
        Side("R of (1, 1) with p = 1/2", float(sums[0])),
        Side("R of (1, 0) and of (0, 1), together", float(parts[0])),
        words=N_("Rp is a norm for every p."),
    )
