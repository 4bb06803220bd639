"""S1 to S4: the primal and the dual of the soft margin."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import objective
from svmlab.statements import opinion
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import decision_noise, dual_value, largest_relative_decrease, primal_objective

OVERLAPPING_POINTS = (
    (1.0, 0.5),
    (2.0, -1.0),
    (-1.2, 0.4),
    (-1.0, 0.0),
    (-2.0, 1.0),
    (0.5, -1.0),
    (3.0, 2.0),
    (-3.0, -1.5),
)
OVERLAPPING_LABELS = (1, 1, 1, -1, -1, -1, 1, -1)
BOTH_CLASSES = N_("With a bias, both classes are present.")


@statement(
    "S1",
    N_("The soft margin and its dual problem"),
    sentence=N_(
        "The dual problem of the soft margin differs from that of the hard margin in one respect. Every "
        "multiplier αᵢ has the upper bound C."
    ),
    formula=(
        r"\min \tfrac12\|w\|^2 + C\sum_i\xi_i \;=\; \max_{0\le\alpha\le C,\; y^\top\alpha=0} "
        r"\sum_i\alpha_i - \tfrac12\alpha^\top Q\alpha"
    ),
    source=(
        Source(
            "B",
            N_("Deriving a dual formulation"),
            quote=(
                r"the only difference wrt the linearly separable case is given by constraints $0 \le \lambda_i$ "
                r"transformed into in $0 \le \lambda_i \le C$"
            ),
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_(
            "The largest multiplier is at its bound C = 1. Without the bound the optimal value would be 2050 "
            "instead of 3.19."
        ),
    ),
)
def box(s: Situation, tol: float) -> Outcome:
    """Compare the primal and the dual of cvxopt with the exact method, by values, w, the box and y'alpha.

    Each value comes from the w, b or alpha of the solver itself.
    """
    p, d, e, C = s.soft_primal, s.soft_dual, s.soft_solution, s.soft_problem.C
    above, below = primal_objective(s, C, p.w, p.b, 0.0, decision_noise(s, e)), dual_value(s, d.alpha)
    values = np.array([above, below, dual_value(s, e.alpha), e.objective])
    spread = float(np.ptp(values) / np.abs(values).max())
    box_violation = max(float(np.maximum(-a, a - C).max()) / C for a in (d.alpha, e.alpha))
    balance = max(abs(float(s.y @ a)) / (C * s.m) for a in (d.alpha, e.alpha)) if s.soft_problem.bias else 0.0
    difference_in_w = max(s.distance_in_margins(s.expand(a), p.w) for a in (d.alpha, e.alpha))
    return Outcome(
        reading(
            tol,
            max(spread, box_violation, balance, difference_in_w),
            Side("primal value", above, r"\tfrac12\|w\|^2 + C\sum\xi_i"),
            Side("dual value", below, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
            Side("dual value, exact method", e.objective),
            Side("largest difference in w, in margin units", difference_in_w),
            Side("largest multiplier", float(d.alpha.max()), r"\max\alpha_i"),
            Side("regularisation parameter", C, "C"),
        ),
        control=without_upper_bound(s, tol, above),
    )


def without_upper_bound(s: Situation, tol: float, value: float) -> Reading:
    """Return the reading of the dual without the upper bound C.

    Where the classes are separable it is the dual of the hard margin. Elsewhere its value is unbounded.
    """
    unbounded_value = 0.5 * s.hard_solution.norm_w**2 if s.separation.separable else math.inf
    return reading(
        tol,
        1.0 - value / unbounded_value,
        Side("value with the bound C", value),
        Side("value without the bound", unbounded_value),
        words=N_("Without the bound C, the dual problem has the same optimal value."),
    )


@statement(
    "S2",
    N_("Four forms of the soft-margin objective"),
    sentence=N_(
        "The soft margin can be written with the parameter C, with a weight a on ½‖w‖², or with λ/2 or "
        "λ_D on ‖w‖². All four forms have the same solution if the parameters satisfy the formula."
    ),
    formula=r"C = \frac1a = \frac{1}{\lambda m} = \frac{1}{2\lambda_D m}",
    source=(
        Source(
            "A",
            N_("F(w), λ with the factor ½"),
            quote=r"$F(\mathbf{w}) = \frac{1}{m} \sum_{t=1}^m h_t(\mathbf{w}) + \frac{\lambda}{2} \|\mathbf{w}\|^2$",
        ),
        Source(
            "B",
            N_("C-form"),
            quote=(
                r"$\min_{\mathbf{w}, w_0, \boldsymbol{\xi}} \frac{1}{2} \mathbf{w}^T \mathbf{w} + C \sum_{i=1}^n "
                r"\xi_i$"
            ),
        ),
        Source(
            "B",
            N_("loss plus regulariser"),
            quote=(
                r"$C(\mathbf{w}) = \frac{\alpha}{2} \mathbf{w}^T \mathbf{w} + \sum_{i=1}^n L_H(\mathbf{w}, w_0, "
                r"\mathbf{x}_i, t_i)$"
            ),
        ),
        Source(
            "D",
            N_("Soft SVM, λ without the factor ½"),
            quote=r"$\arg\min_{\vec{w}\in R^{d+1}} \ L_{S}^{\text{hinge}}+ \lambda \|\vec{w}\|^2$",
        ),
    ),
    conditions=join_phrases(BOTH_CLASSES, N_("All four forms treat the bias in the same way.")),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The same λ in both λ forms gives two different w, because only one of them has the factor ½."),
    ),
)
def scalings(s: Situation, tol: float) -> Outcome:
    """Solve each form as a program of its own, and compare the normals in margin units.

    Note D's form lambda_D |w|^2 + mean loss is solved as 1/2 |v|^2 + mean loss on the points divided by r = sqrt(2
    lambda_D), with w = v / r. It is also evaluated as it stands, at solutions moved by a thousandth.
    """
    s.need_small()
    C, m = s.soft_problem.C, s.m
    lifted = Problem(s.lifted, C=C, bias=s.soft_problem.bias)
    p = s.soft_primal

    def without_half(lam: float) -> Array:
        r = math.sqrt(2 * lam)
        return opinion.primal(Problem(Dataset(s.Phi / r, s.y), C=1.0 / m, bias=s.soft_problem.bias)).w / r

    forms = {
        N_("a/2 on the square, sum of the losses"): opinion.primal(lifted, 1.0 / C, 1.0).w,
        N_("λ/2 on the square, mean loss"): opinion.primal(lifted, 1.0 / (C * m), 1.0 / m).w,
        N_("λ on the square, mean loss"): without_half(1.0 / (2 * C * m)),
    }
    same_lambda = without_half(1.0 / (C * m))
    gain = largest_relative_decrease(s, p.w, p.b, 1.0 / (2 * C * m))
    own_norm = Side("norm of w, form with C", float(np.linalg.norm(p.w)), r"\|w\|")
    norms = [
        Side(Phrase("norm of w, {name}", name=name), float(np.linalg.norm(w)), r"\|w\|") for name, w in forms.items()
    ]
    return Outcome(
        reading(
            tol,
            max(*(s.distance_in_margins(w, p.w) for w in forms.values()), gain),
            own_norm,
            *norms,
            Side("largest relative decrease by a move of a thousandth, form without the factor ½", gain),
        ),
        control=reading(
            tol,
            s.distance_in_margins(same_lambda, p.w),
            own_norm,
            Side("norm of w, same λ in both λ forms", float(np.linalg.norm(same_lambda)), r"\|w\|"),
            words=N_("The same λ with and without the factor ½ gives the same w."),
        ),
    )


@statement(
    "S3",
    N_("Slack variables and hinge loss"),
    sentence=N_("At the optimum, the slack variable ξᵢ of a point equals its hinge loss."),
    formula=r"\xi_i = \max(0,\, 1 - y_i f(x_i))",
    source=(
        Source(
            "A",
            N_("the slack variables before F"),
            quote=(
                r"Riassumendo, $\xi_t = [1 - y_t \mathbf{w}^\top \mathbf{x}_t]_+$, che corrisponde alla "
                r"definizione hinge loss."
            ),
        ),
        Source(
            "B",
            N_("SVM and gradient descent"),
            quote=r"The optimal value of $\xi_i$ corresponds to the hinge loss of the corresponding item",
        ),
        Source(
            "D",
            N_("Soft SVM, value of xi"),
            quote="Questo valore corrisponde al valore della loss surrogata introdotta precedentemente",
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("Some points on their correct side have slack too, because they lie between the margin lines."),
    ),
)
def hinge(s: Situation, tol: float) -> Outcome:
    """Compare the program's variables xi with the hinge loss of its w and b, and their sum with the exact one."""
    p = s.soft_primal
    loss = np.maximum(0.0, 1.0 - s.y * (s.Phi @ p.w + p.b))
    unit = max(1.0, float(loss.max()))
    total = float(s.soft_solution.xi.sum())
    return Outcome(
        reading(
            tol,
            max(float(np.abs(p.xi - loss).max()) / unit, abs(float(p.xi.sum()) - total) / (unit * s.m)),
            Side("largest difference at a point", float(np.abs(p.xi - loss).max())),
            Side("sum of the slack variables", float(p.xi.sum()), r"\sum_i\xi_i"),
            Side("sum of the hinge losses, exact method", total, r"\sum_i\max(0, 1 - y_i f(x_i))"),
        ),
        control=reading(
            tol,
            float(np.abs(p.xi - np.maximum(0.0, loss - 1.0)).max()) / unit,
            Side("sum of max(0, −y f)", float(np.maximum(0.0, loss - 1.0).sum())),
            words=N_("Only points on the wrong side of the boundary have slack."),
        ),
    )


@statement(
    "S4",
    N_("Strong convexity of the objective"),
    sentence=N_(
        "The objective F is the mean of one function for each training point, its hinge loss plus "
        "½λ‖w‖². Each of these functions is strongly convex with the constant λ."
    ),
    formula=(
        r"\ell_t\!\left(\tfrac{u+v}2\right) \le \tfrac12\ell_t(u) + \tfrac12\ell_t(v) - "
        r"\tfrac\lambda8\|u-v\|^2, \qquad F = \frac1m\sum_t \ell_t"
    ),
    source=(
        Source(
            "A",
            N_("before Pegasos, strong convexity"),
            quote=(
                r"$\ell_t(\mathbf{w}) = h_t(\mathbf{w}) + \frac{\lambda}{2} \|\mathbf{w}\|^2$ è una funzione "
                r"λ-fortemente convessa"
            ),
        ),
    ),
    conditions=N_("There is no bias, and λ = 1/(C m)."),
    tolerance=1e-9,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_(
            "If a point has slack at both ends of a segment, its hinge loss is linear between them. So the "
            "constant cannot be larger than λ."
        ),
    ),
)
def convexity(s: Situation, tol: float) -> Outcome:
    """Check strong convexity at random pairs of w, and at one pair for each point where its hinge is linear.

    At the second kind of pair there is equality, so no larger constant holds.
    """
    V, lam = s.y[:, None] * s.Phi, s.soft_problem.lam
    rng = np.random.Generator(np.random.Philox(5))
    n, D = 40, V.shape[1]
    U, W = (rng.standard_normal((n, D)) * np.geomspace(0.1, 10, n)[:, None] / s.max_norm for _ in range(2))

    def loss(w: Array) -> Array:
        return np.maximum(0.0, 1.0 - w @ V.T) + 0.5 * lam * (w**2).sum(1, keepdims=True)

    def slack_of_inequality(U: Array, W: Array, constant: float) -> Array:
        square = ((U - W) ** 2).sum(1, keepdims=True)
        return 0.5 * loss(U) + 0.5 * loss(W) - loss(0.5 * (U + W)) - constant / 8 * square

    unit = float(loss(U).max())
    smallest_slack = float(slack_of_inequality(U, W, lam).min()) / unit
    # For each point its own pair: the margin is below 1 at both ends.
    A, B = V / s.max_norm**2 * 0.5, -V / s.max_norm**2 * 0.5
    if not np.abs(V).max() > 0:
        A, B = A + 0.5, B - 0.5
    equality_error = np.diag(slack_of_inequality(A, B, lam))
    slack_with_larger = np.diag(slack_of_inequality(A, B, 1.01 * lam))
    objective_difference = float(np.abs(objective(s.lifted, lam, U) - loss(U).mean(1)).max()) / unit
    return Outcome(
        reading(
            tol,
            max(-smallest_slack, float(np.abs(equality_error).max()), objective_difference),
            Side("smallest difference of the two sides over random pairs", smallest_slack * unit),
            Side("difference of the two sides where the hinge loss is linear", float(np.abs(equality_error).max())),
            Side("constant", lam, r"\lambda"),
        ),
        control=reading(
            0.0,
            float(-slack_with_larger.min()),
            Side("smallest difference of the two sides with 1.01 λ", float(slack_with_larger.min())),
            words=N_("Each function is strongly convex with the constant 1.01 λ."),
        ),
    )
