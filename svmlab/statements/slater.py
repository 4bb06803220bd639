"""T14: Slater's condition, and two convex problems without it."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.phrase import N_, join_phrases
from svmlab.statements.certified_values import enclose
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.values import decision_noise

SLACK = 2.0  # of every point in the strictly feasible point w = 0, b = 0
MULTIPLIERS = (1.0, 100.0, 1e4)


def value_without_multiplier(a: float) -> float:
    """Return the dual value of min x subject to x^2 <= 0 at the multiplier a: the minimum of x + a x^2."""
    x = -0.5 / a
    return x + a * x * x


def value_with_a_gap(a: float) -> float:
    """Return an upper bound of the dual value of min e^-x subject to x^2/y <= 0, y > 0, at the multiplier a.

    It is e^-x + a x^2/y at a point far out, where y = x^3.
    """
    x = 1e8 * a
    return math.exp(-x) + a / x


@statement(
    "T14",
    N_("Slater’s condition"),
    sentence=N_(
        "If some point satisfies every inequality constraint of a convex problem strictly, the optimal primal and dual "
        "values agree. Then optimal multipliers exist and are bounded. The soft margin always has such a point: w = 0 "
        "with all ξᵢ = 2."
    ),
    formula=(
        r"\sum_i \alpha_i \cdot 1 + \sum_i (C - \alpha_i) \cdot 2 \;\le\; P(0, 0, \xi = 2) - D(\alpha), \qquad P^* = "
        r"D^*"
    ),
    source=(
        Source(
            "literature",
            N_("Boyd and Vandenberghe, Convex Optimization (2004), section 5.2.3, and exercise 5.21 for the gap"),
        ),
        Source("project", N_("weak duality at a strictly feasible point bounds the multipliers")),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        N_(
            "Without Slater’s condition both conclusions can fail. min x with x² ≤ 0 has no multiplier. min e⁻ˣ with "
            "x²/y ≤ 0 and y > 0 has the primal value 1 and the dual value 0. For linear constraints a feasible point "
            "is enough."
        ),
    ),
    tolerance=1e-6,
    page="duality",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The soft margin has no duality gap. The second example without Slater’s condition has the gap 1."),
    ),
)
def strictly_feasible(s: Situation, tol: float) -> Outcome:
    """Put Slater's point into the rows of the printed program, and compare the bound on the multipliers and the values.

    The exact method gives the multipliers, cvxopt w and b. The examples are evaluated by their formulas.
    """
    e, d, C, m, bias = s.soft_solution, s.soft_dual, s.soft_problem.C, s.m, s.soft_problem.bias
    rows = Problem(s.lifted, C=C, bias=bias).qp("primal")
    u = np.r_[np.zeros(s.Phi.shape[1] + bias), np.full(m, SLACK)]
    room = rows.A @ u - rows.c
    value = 0.5 * float(u @ rows.P @ u) + float(rows.q @ u)
    enclosure = enclose(s, C, s.expand(d.alpha), d.b, e.alpha, blur=decision_noise(s, e))
    bound = value - enclosure.lower
    weighted = float(e.alpha @ room[:m]) + float((C - e.alpha) @ room[m:])
    no_multiplier = max(value_without_multiplier(a) for a in MULTIPLIERS)
    gap = 1.0 - max(value_with_a_gap(a) for a in MULTIPLIERS)
    return Outcome(
        reading(
            tol,
            max(
                max(abs(float(room[:m].min()) - 1.0), abs(float(room[m:].min()) - SLACK)),
                abs(value - SLACK * C * m) / (SLACK * C * m),
                enclosure.width,
                (weighted - bound) / value,
                -float(e.alpha.min()) / C,
                abs(gap - 1.0),
                float(no_multiplier >= 0.0),
            ),
            Side("smallest distance to a constraint at Slater’s point", float(room.min())),
            Side("weighted sum of the multipliers", weighted),
            Side("its bound by Slater’s point", bound),
            Side("duality gap of the soft margin, relative", enclosure.width),
            Side("largest dual value of the first example, below the optimum 0", no_multiplier),
            Side("duality gap of the second example", gap),
        ),
        control=reading(
            tol,
            gap,
            Side("duality gap of the second example", gap),
            words=N_("Every convex problem with an optimum has the same optimal primal and dual value."),
        ),
    )
