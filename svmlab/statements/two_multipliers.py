"""T12: the smallest step of a method for the dual moves two multipliers."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_
from svmlab.solvers.gram.dense import DenseGram
from svmlab.solvers.smo import SMO
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

ABSORBED = 1e-12  # of the largest multiplier: a smaller step is rounding
STEPS = 6  # steps that are compared
FLAT = 1e-10  # in units of the largest squared norm: below this curvature two points count as equal


@statement(
    "T12",
    N_("The two-variable step of SMO"),
    sentence=N_(
        "With a bias, y′α = 0 fixes each multiplier once all others are given, so no single one can move. Sequential "
        "minimal optimisation (SMO) therefore moves two. Their best values have a closed form and are then clipped to "
        "the box."
    ),
    formula=(
        r"\alpha_i \leftarrow \alpha_i + y_i t, \quad \alpha_j \leftarrow \alpha_j - y_j t, \quad t = \frac{E_j - "
        r"E_i}{k(x_i, x_i) + k(x_j, x_j) - 2\, k(x_i, x_j)}, \quad E_i = f(x_i) - y_i"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Platt, Fast Training of Support Vector Machines using Sequential Minimal Optimization, in Advances in "
                "Kernel Methods (1999), section 12.2.1"
            ),
        ),
        Source("literature", N_("Schölkopf and Smola, Learning with Kernels (2002), section 10.5")),
    ),
    conditions=N_("There is a bias, and both classes are present. The first six steps from α = 0 are compared."),
    tolerance=1e-6,
    page="duality",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("Each step moves two multipliers. If only one of them moved, the sum of yᵢαᵢ would not be 0."),
    ),
)
def two_at_a_time(s: Situation, tol: float) -> Outcome:
    """Repeat each step of the compiled loop with the closed form, from f of the feature vectors.

    Multipliers are in units of 1/X^2, so a difference of multipliers is a difference of f.
    """
    s.need_bias()
    s.need_classes()
    y, Z = s.y, s.centred
    size = float((Z**2).sum(1).max())
    if size == 0.0:
        raise DoesNotApply("All points are equal here, so a step changes nothing. Move a point.")
    top = s.soft_problem.C * size
    smo = SMO(DenseGram(np.outer(y, y) * s.inner / size), y, np.full(s.m, top), bias=True)
    V = Z / np.sqrt(size)
    difference, imbalance, alone, moved_counts, rise = 0.0, 0.0, 0.0, [], 0.0
    for _ in range(STEPS):
        before = smo.a.copy()
        if smo.descend(1e-9, 1) and (smo.a == before).all():
            break
        pair = np.flatnonzero(smo.a != before)
        size_of_step = float(np.abs(smo.a - before).max())
        if size_of_step <= ABSORBED * float(smo.a.max()):
            break  # rounding can absorb what the other multiplier moves
        moved_counts.append(len(pair))
        if len(pair) != 2:
            break
        i, j = pair if y[pair[0]] * (smo.a - before)[pair[0]] > 0 else pair[::-1]
        f = V @ ((before * y) @ V)
        error_i, error_j = f[i] - y[i], f[j] - y[j]
        curvature = float(((V[i] - V[j]) ** 2).sum())
        room = min(top - before[i] if y[i] > 0 else before[i], before[j] if y[j] > 0 else top - before[j])
        t = float(min((error_j - error_i) / curvature, room) if curvature > FLAT else room)
        unit = max(1.0, float(np.abs(smo.a).max()))
        step = smo.a - before
        if curvature > FLAT:
            difference = max(difference, *(abs(float(v) - t) / unit for v in (y[i] * step[i], -y[j] * step[j])))
        imbalance = max(imbalance, abs(float(y @ smo.a)) / unit)
        alone = max(alone, abs(float(step[i])) / unit)
        rise = max(rise, _dual(before, y, V) - _dual(smo.a, y, V))
    most = Side("most multipliers that a step moves", float(max(moved_counts, default=0)))
    return Outcome(
        reading(
            tol,
            max(difference, imbalance, rise / max(1.0, float(smo.a.sum())), *(abs(n - 2.0) for n in moved_counts)),
            Side("steps", float(len(moved_counts))),
            most,
            Side("largest difference from the closed form", difference),
            Side("largest absolute value of y′α after a step", imbalance),
        ),
        control=reading(
            tol,
            alone,
            Side("y′α if only one multiplier moved", alone),
            words=N_("A step can move one multiplier alone and keep y′α = 0."),
        ),
    )


def _dual(a: np.ndarray, y: np.ndarray, V: np.ndarray) -> float:
    """Return the dual value of multipliers a (m,) in these units."""
    v = (a * y) @ V
    return float(a.sum()) - 0.5 * float(v @ v)
