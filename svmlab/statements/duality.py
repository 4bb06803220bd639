"""H1 to H6: the two programs of the hard margin and what ties them together."""

from __future__ import annotations

import math

import numpy as np

from svmlab.kernels import named
from svmlab.statements.geometry import distances
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement

SEPARATED = "The classes are separable, and with a bias both are present."
INFINITE = named(lambda k: k.psd and k.feature_dim(2) is None)


@statement(
    "H1",
    "The primal as a quadratic program",
    sentence="The hard margin is a quadratic program in u = [b; w] with one row for each point, ready for any solver.",
    formula=r"\min_u \tfrac12 u^\top \begin{bmatrix}0&0\\0&I\end{bmatrix} u \;\text{ s.t. }\; y_n [1, x_n^\top]\, u \ge 1",
    source={"E": "section 3, quadratic programming"},
    conditions=SEPARATED + f" w has finitely many entries (not the {INFINITE} kernel).",
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def program(s: Situation, tol: float) -> Outcome:
    """The printed matrices solved as they stand, against the exact method, which never sees them."""
    if s.problem.kernel.feature_dim(s.problem.data.d) is None:
        raise DoesNotApply(
            f"With the {s.problem.kernel.title} kernel w has infinitely many entries. Take the dual (H2), or another kernel."
        )
    p, h = s.hard_primal, s.hard_solution
    v = s.expand(h.alpha)
    return Outcome(
        reading(
            tol,
            max(s.apart(p.w, v), abs(p.b - h.b) / max(1.0, s.size * h.norm_w)),
            Side("norm of w, printed program", float(np.linalg.norm(p.w)), r"\|w\|"),
            Side("norm of w, exact method", h.norm_w, r"\|w\|"),
            Side("b, printed program", p.b, "b"),
            Side("b, exact method", h.b, "b"),
            Side("unknowns", float(len(p.w) + s.problem.bias)),
            Side("rows", float(s.m)),
        )
    )


@statement(
    "H2",
    "The dual",
    sentence="The dual has one variable for each point, asks for nothing but inner products, and gives the same machine.",
    formula=r"\max_{\alpha \ge 0,\; y^\top\alpha = 0} \;\sum_i \alpha_i - \tfrac12 \alpha^\top Q \alpha, \qquad Q_{ij} = y_i y_j \langle x_i, x_j\rangle",
    source={"B": "Dual problem", "C": "Version 4"},
    conditions=SEPARATED + " Without a bias the equation on alpha falls away.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def dual(s: Situation, tol: float) -> Outcome:
    """Values of f on all points, from the dual's alpha and the multiplier of its equation, against the primal's w and b."""
    p, d = s.hard_primal, s.hard_dual
    f = (d.alpha * s.y) @ s.problem.gram + d.b
    g = s.Phi @ p.w + p.b
    worst = int(np.abs(f - g).argmax())
    return Outcome(
        reading(
            tol,
            float(np.abs(f - g).max()) / max(1.0, float(np.abs(g).max())),
            Side("f at the worst point, from the dual", float(f[worst]), r"\sum_j \alpha_j y_j k(x_j, x) + b"),
            Side("f at the worst point, from the primal", float(g[worst]), r"\langle w, x\rangle + b"),
            Side("variables of the dual", float(s.m)),
            Side("variables of the primal", float(len(p.w) + s.problem.bias)),
        )
    )


@statement(
    "H3",
    "Strong duality",
    sentence="Primal and dual have the same optimal value, half the squared norm of w; the sum of alpha is that squared norm, and one over the squared margin.",
    formula=r"\tfrac12\|w\|^2 = \sum_i\alpha_i - \tfrac12\alpha^\top Q\alpha, \qquad \sum_i \alpha_i = \|w\|^2 = \frac{1}{\gamma^2}",
    source={"B": "Duality"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def strong(s: Situation, tol: float) -> Outcome:
    """Primal from cvxopt, dual from cvxopt, the sum of the exact alpha, the margin measured."""
    p, d, total = s.hard_primal, s.hard_dual, float(s.hard_solution.alpha.sum())
    gamma = float(distances(s.Phi, p.w, p.b).min())
    values = np.array([2 * p.value, 2 * d.value, total, 1.0 / gamma**2])
    return Outcome(
        reading(
            tol,
            float(np.ptp(values) / values.min()),
            Side("primal", p.value, r"\tfrac12\|w\|^2"),
            Side("dual", d.value, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
            Side("half the sum of alpha, exact method", total / 2, r"\tfrac12\sum_i\alpha_i"),
            Side("half of one over the squared margin, measured", 0.5 / gamma**2, r"1/(2\gamma^2)"),
        )
    )


@statement(
    "H4",
    "The optimality conditions",
    sentence="w, b and alpha are optimal exactly when five conditions hold: two balances, margins of at least 1, no negative multiplier, and no multiplier on a point off the margin.",
    formula=r"w = \sum_i\alpha_i y_i x_i,\quad y^\top\alpha = 0,\quad y_i f(x_i) \ge 1,\quad \alpha_i \ge 0,\quad \alpha_i\,(y_i f(x_i) - 1) = 0",
    source={"B": "KKT conditions", "C": "Version 3"},
    conditions=SEPARATED + " Without a bias the second balance falls away.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def kkt(s: Situation, tol: float) -> Outcome:
    """Each condition's residual, with w and b from the primal program and alpha from the exact method."""
    p, alpha = s.hard_primal, s.hard_solution.alpha
    yf, total = s.y * (s.Phi @ p.w + p.b), float(alpha.sum())
    sides = (
        Side("first balance, in margin units", s.apart(s.expand(alpha), p.w), r"w - \sum\alpha_i y_i x_i"),
        Side(
            "second balance", abs(float(s.y @ alpha)) / total if s.problem.bias else 0.0, r"y^\top\alpha / \sum\alpha"
        ),
        Side("margin missing", float(np.maximum(0.0, 1.0 - yf).max()), r"(1 - y_i f(x_i))_+"),
        Side("negative multiplier", float(np.maximum(0.0, -alpha).max()) / total, r"(-\alpha_i)_+ / \sum\alpha"),
        Side(
            "slackness, summed",
            float(np.abs(alpha * (yf - 1.0)).sum()) / total,
            r"\sum|\alpha_i (y_i f(x_i) - 1)| / \sum\alpha",
        ),
    )
    return Outcome(reading(tol, max(side.value for side in sides), *sides))


@statement(
    "H5",
    "w is made of active points",
    sentence="w is a sum of the points on the margin, each with its label and a multiplier that is not negative.",
    formula=r"w = \sum_{i \in I} \alpha_i y_i x_i, \quad I = \{i : y_i f(x_i) = 1\}, \quad \alpha \ge 0",
    source={"A": "Lemma 2 and what follows", "B": "KKT conditions", "C": "Version 3"},
    conditions=SEPARATED + " The constraints are linear, which is what makes multipliers exist.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
    repair="The lemma of A needs a condition on the constraints (linear ones suffice), and leaves out that the multipliers are not negative.",
)
def active(s: Situation, tol: float) -> Outcome:
    """The primal's w; the points on the margin measured from its line; their alpha from the exact method."""
    p, alpha = s.hard_primal, s.hard_solution.alpha
    gap = np.abs(distances(s.Phi, p.w, p.b) * float(np.linalg.norm(p.w)) - 1.0)
    on = gap <= tol
    rebuilt = s.expand(np.where(on, alpha, 0.0))
    off = s.apart(rebuilt, p.w)
    sides = (
        Side(
            "norm of the sum over active points", float(np.linalg.norm(rebuilt)), r"\|\sum_{i\in I}\alpha_i y_i x_i\|"
        ),
        Side("norm of w, primal", float(np.linalg.norm(p.w)), r"\|w\|"),
        Side("active points", float(on.sum()), "|I|"),
    )
    least = Side("smallest multiplier", float(alpha.min()), r"\min\alpha_i")
    # min w subject to w^2 <= 0: the only feasible point is w = 0, where f' = 1 and g' = 2w = 0, whatever the multiplier.
    multipliers = np.r_[0.0, np.geomspace(1e-6, 1e12, 60)]
    balance = float(np.abs(1.0 + np.r_[multipliers, -multipliers] * 2.0 * 0.0).min())
    return Outcome(
        printed=reading(tol, off, *sides, words="With multipliers of any sign, by a lemma without a condition."),
        repaired=reading(tol, max(off, -least.value / float(alpha.sum())), *sides, least),
        control=reading(
            tol,
            balance,
            Side("least imbalance over all multipliers", balance, r"\min_\alpha |f'(0) + \alpha g'(0)|"),
            words="The lemma without a condition, on: minimise w subject to w squared at most 0. Its optimum w = 0 has no multiplier.",
        ),
    )


@statement(
    "H6",
    "The labels balance",
    sentence="With a bias the multipliers of the two classes have the same sum; the machine without a bias has no such condition.",
    formula=r"y^\top\alpha = \sum_i \alpha_i y_i = 0",
    source={"A": "problem (1), which has no bias", "B": "KKT conditions", "C": "Version 3"},
    conditions="The classes are separable and both present; checked on the machine with a bias, whichever is on the board.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
    repair="It belongs to the free bias: in the form without one (notes A) nothing forces it.",
    witness=Witness(
        ((1.0, 0.0), (-5.0, 0.0)),
        (1, -1),
        "Without a bias only the positive point carries a multiplier, 1.",
        C=math.inf,
    ),
)
def balance(s: Situation, tol: float) -> Outcome:
    """The multipliers of the primal's rows, which were never told to balance, in both forms."""
    with_b, without = (s, s.other) if s.problem.bias else (s.other, s)
    z = with_b.hard_primal.alpha
    ours = Side("with bias", float(s.y @ z) / float(z.sum()), r"y^\top\alpha / \sum\alpha")
    printed = None
    try:
        z0 = without.hard_primal.alpha
        theirs = Side("without bias", float(s.y @ z0) / float(z0.sum()), r"y^\top\alpha / \sum\alpha")
        printed = reading(tol, max(abs(ours.value), abs(theirs.value)), ours, theirs, words="In every form.")
    except DoesNotApply:
        theirs = None
    sides = (ours, theirs) if theirs else (ours,)
    return Outcome(printed=printed, repaired=reading(tol, abs(ours.value), *sides))
