"""L8: what each regulariser prefers, and which of them are norms."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, linear_program, p_norm
from svmlab.statements.plane import certain_distance, need_linear_kernel
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

NORMS = (1.0, 1.5, 2.0, 8.0)


@statement(
    "L8",
    N_("L1 and L2 regularisation"),
    sentence=N_(
        "Minimise the mean loss plus λ R(w). At the optimum, a subgradient g of the mean loss balances the "
        "regulariser. With R₁, every weight w_j with |g_j| < λ is exactly 0. With R₂, w = −g/λ, and w "
        "rotates with the points. R_p is a norm for p ≥ 1."
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
            "incomplete",
            r"0 **norm** $R_0(\mathbf{w}) = \mathbf{1}[w_i \neq 0]$",
            N_(
                "R₀ is the sum of the indicators over all weights. It is no norm, because w and 2w have the same "
                "R₀. The slides omit the sum and call R₀ a norm."
            ),
            70,
        ),
        Source(
            "B",
            N_("Regularization term, R2"),
            "misprint",
            r"2 **norm** $R_2(\mathbf{w}) = \frac{1}{2} \sum_{i=1}^d w_i^2$",
            N_("R₂ is half the square of the Euclidean norm. The slides call R₂ itself a norm."),
            70,
        ),
        Source(
            "B",
            N_("Regularization term, Rp"),
            "incomplete",
            r"p norm $R_2(\mathbf{w}) = \left(\sum_{i=1}^d |w_i|^p\right)^{1/p}$",
            N_("R_p is a norm, and convex, for p ≥ 1 only. The slides omit this condition and write R₂ for R_p."),
            70,
        ),
    ),
    repair=N_(
        "R₀ is a sum over all weights. R_p is a norm for p ≥ 1. For 0 < p < 1 and at least two weights it "
        "is not convex."
    ),
    conditions=N_(
        "The kernel is linear, the loss is the mean hinge loss, and λ = 1/(C m). With a bias both classes are present."
    ),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        ((2.0, 1.0), (1.5, -1.0), (1.0, 0.5), (-0.5, 0.0), (-2.0, -1.0), (-1.5, 1.0), (-1.0, 0.0), (0.5, 0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_(
            "With p = 1/2, the value for (1, 1) is 4, and the values for (1, 0) and (0, 1) add up to 2. R₁ "
            "sets the second weight to 0, and R₂ does not."
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
    pull = (program.multipliers * s.y) @ s.centred  # with a bias the multipliers of both classes have the same sum
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
            Side("smallest F with R₁, by the descent", fit.value),
            Side("smallest F with R₁, by a linear program", program.value),
            Side("optimal value of the dual of this program", float(program.multipliers.sum())),
            Side("weights that are exactly 0 with R₁", float(zero_entries.sum())),
            Side("largest absolute slope of the loss in a weight, in units of λ", float(np.abs(pull).max()) / lam),
            Side("smallest F with R₂, by the descent", R2_fit.value),
            Side("smallest F with R₂, by the exact method", lam * e.objective),
            Side("weights that are exactly 0 with R₂", float((w == 0).sum())),
            Side(
                "distance of w from the w of rotated points, rotated back, in margin units",
                s.distance_in_margins(U.T @ rotated.w, w),
            ),
        ),
        control=reading(
            tol,
            s.max_norm * float(np.abs(w[zero_entries]).max(initial=0.0)),
            *(Side(Phrase("weight {j} with R₂", j=j + 1), float(w[j])) for j in np.flatnonzero(zero_entries)),
            words=N_("With R₂ the same weights are 0."),
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
    excess = float((p_norm(first + second, p) - p_norm(first, p) - p_norm(second, p)).max())
    lengths = {1.0: REGULARISERS["R1"].value(first), 2.0: np.sqrt(2.0 * REGULARISERS["R2"].value(first))}
    return max(excess, float(np.abs(p_norm(first, p) - lengths[p]).max()) if p in lengths else 0.0)


def half_power(d: int, tol: float) -> Reading:
    """Return the reading of the triangle inequality for p = 1/2."""
    first, second = pairs(d)
    sums, parts = p_norm(first + second, 0.5), p_norm(first, 0.5) + p_norm(second, 0.5)
    return reading(
        tol,
        float((sums - parts).max()),
        Side("R_p of (1, 1) with p = 1/2", float(sums[0])),
        Side("sum of R_p of (1, 0) and R_p of (0, 1), p = 1/2", float(parts[0])),
        words=N_("R_p is a norm for every p > 0."),
    )
