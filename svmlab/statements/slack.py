"""S12 and S14 to S17: what slack measures, what it costs, and which numbers must not be compared."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.statements import opinion
from svmlab.statements.geometry import distances
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.values import decision_noise, primal_objective


@statement(
    "S12",
    N_("Slack and distance from the margin line"),
    sentence=N_("A point with slack ξᵢ > 0 lies at the distance ξᵢ/‖w‖ from its own margin line."),
    formula=r"\operatorname{dist}\bigl(x_i, \{f = y_i\}\bigr) = \frac{\xi_i}{\|w\|}",
    source=(
        Source(
            "D",
            N_("section Soft SVM, meaning of xi"),
            "incomplete",
            quote=r"$\xi_i$ rappresenta la distanza del punto dal margine di competenza",
            flaw=N_("The distance is the slack divided by ‖w‖. The notes omit this division."),
            at=23,
        ),
    ),
    conditions=join_phrases(BOTH_CLASSES, N_("w is not 0, and some point has slack.")),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    repair=N_("The slack is the distance in units of 1/‖w‖. It is not the distance itself."),
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The norm of w is not 1 here, so the slack of every such point differs from its distance."),
    ),
)
def slack_distance(s: Situation, tol: float) -> Outcome:
    """Compare the program's xi divided by the exact |w| with distances measured from the primal's margin lines."""
    p, norm = s.soft_primal, float(np.linalg.norm(s.expand(s.soft_solution.alpha)))
    s.require_nonzero_w(s.soft_solution.norm_w)
    rows = np.flatnonzero(p.xi > 1e-5 * max(1.0, s.max_norm * norm))
    if not len(rows):
        raise DoesNotApply("No point has slack here. Decrease C, or move a point between the margin lines.")
    xi = p.xi[rows]
    d = np.empty(len(rows))
    for label in (1.0, -1.0):
        is_of_class = s.y[rows] == label
        d[is_of_class] = distances(s.Phi[rows[is_of_class]], p.w, p.b, label)
    worst = int(xi.argmax())
    unit = max(s.max_norm, 1.0 / norm)
    difference = float(np.abs(d - xi / norm).max()) / unit
    # the derivative of xi/|w| by |w| is -xi/|w|^2
    opinion.need_exact(difference, tol, 2.0 * float(xi.max()) * p.uncertainty_of_w / norm**2 / unit)
    sides = (
        Side("slack of the point with the largest slack", float(xi[worst]), r"\xi_i"),
        Side("its distance from its margin line, measured", float(d[worst]), r"\operatorname{dist}"),
        Side("norm of w", norm, r"\|w\|"),
    )
    return Outcome(
        printed=reading(
            tol, float(np.abs(d - xi).max()) / unit, *sides, words=N_("The slack is the distance from the margin line.")
        ),
        repaired=reading(
            tol,
            difference,
            *sides,
            Side("its slack divided by the norm", float(xi[worst]) / norm, r"\xi_i/\|w\|"),
        ),
    )


@statement(
    "S14",
    N_("Lipschitz constant of the hinge loss"),
    sentence=N_(
        "If w changes, the hinge loss of a point changes by at most X times the length of that change. "
        "Here X is the largest norm of a training point."
    ),
    formula=r"|\ell(u; x_i) - \ell(v; x_i)| \le X\,\|u - v\|, \qquad X = \max_i \|x_i\|",
    source=(
        Source(
            "D",
            N_("section Soft SVM, end"),
            quote=(
                r"La funzione hinge è Lipschitz-bounded, con Lipschitzness $\rho$: … $\rho =\max_{1\leq i\leq m} "
                r"\|\vec{x_{i}}\|$"
            ),
        ),
    ),
    conditions=N_("There is at least one point. The norm X is taken in feature space, and b is fixed."),
    tolerance=1e-9,
    page="soft",
    subject="points",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("For two w in the direction of the longest point, its loss changes by X times their distance."),
    ),
)
def lipschitz(s: Situation, tol: float) -> Outcome:
    """Check that the ratio is at most X for random pairs and that two w along the longest point reach X.

    At these two w the hinge of that point is linear. As a function of f the hinge has the constant 1.
    """
    V = s.y[:, None] * s.Phi
    rng = np.random.Generator(np.random.Philox(11))
    U, W = (rng.standard_normal((60, V.shape[1])) * np.geomspace(0.1, 10, 60)[:, None] / s.max_norm for _ in range(2))
    change = np.abs(np.maximum(0.0, 1.0 - U @ V.T) - np.maximum(0.0, 1.0 - W @ V.T))
    ratio = float((change / np.linalg.norm(U - W, axis=1)[:, None]).max())
    in_f = float((change - np.abs((U - W) @ V.T)).max()) / max(1.0, float(np.abs((U - W) @ V.T).max()))
    longest = V[int(np.linalg.norm(V, axis=1).argmax())]
    X = float(np.sqrt(s.problem.kernel.diag(s.X).max()))
    reached = 0.0
    if X > 0:
        u, v = 0.5 * longest / X**2, -0.5 * longest / X**2
        reached = abs(max(0.0, 1.0 - u @ longest) - max(0.0, 1.0 - v @ longest)) / float(np.linalg.norm(u - v))
    return Outcome(
        reading(
            tol,
            max((ratio - X) / s.max_norm, abs(reached - X) / s.max_norm, in_f),
            Side("largest norm of a point, from the kernel", X, r"\max_i \sqrt{k(x_i, x_i)}"),
            Side("largest ratio of the changes, random pairs", ratio),
            Side("ratio in the direction of the longest point", reached),
            Side("largest excess of the change of a loss over the change of f", max(in_f, 0.0)),
        ),
        control=reading(
            tol,
            max(reached - 1.0, 0.0),
            Side("ratio in the direction of the longest point", reached),
            words=N_("The constant is 1, as it is for the loss as a function of f."),
        ),
    )


@statement(
    "S15",
    N_("Training errors and the sum of slack"),
    sentence=N_(
        "The number of training errors is at most the sum of the slack variables ξᵢ. A point with f(x) = "
        "0 counts as an error."
    ),
    formula=r"\#\{i : y_i f(x_i) \le 0\} \le \sum_i \xi_i",
    source=(
        Source(
            "B",
            N_("Item characterization"),
            quote=r"elements incorrectly classified, the ones with $\lambda_i>0$ and $\xi_i>1$",
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        ((0.4, 0.0), (0.4, 1.0), (0.4, -1.0), (-0.4, 0.0), (-0.4, 1.0), (-0.4, -1.0)),
        (1, 1, 1, -1, -1, -1),
        N_("All six points have slack, and the sum is 5.42. No point is a training error."),
        C=0.1,
    ),
)
def errors(s: Situation, tol: float) -> Outcome:
    """Compare the slack with the errors point by point: the program's with its w and b, the exact with its own.

    Where b is not unique, the two solutions may distribute the slack differently, with the same sum. A point whose
    margin is 0 to rounding is an error whose slack is 1 to rounding.
    """
    p, e = s.soft_primal, s.soft_solution
    pairs = [(s.y * (s.Phi @ w + b), xi) for w, b, xi in ((p.w, p.b, p.xi), (s.expand(e.alpha), e.b, e.xi))]
    unit = max(1.0, *(float(np.abs(yf).max()) for yf, _ in pairs))
    largest_difference = max(
        float(np.maximum(np.abs(xi - np.maximum(0.0, 1.0 - yf)), (yf <= 0) - xi).max()) for yf, xi in pairs
    )
    difference_of_sums = abs(float(p.xi.sum() - e.xi.sum())) / s.m
    (yf, xi), number_with_slack = pairs[1], float((e.xi > tol * unit).sum())
    wrong, total = yf <= 0, Side("sum of the slack variables", float(xi.sum()), r"\sum_i\xi_i")
    return Outcome(
        reading(
            tol,
            max(largest_difference, difference_of_sums) / unit,
            Side("training errors", float(wrong.sum())),
            total,
            Side("sum of the slack variables of the program", float(p.xi.sum()), r"\sum_i\xi_i"),
            *([Side("smallest slack of a training error", float(xi[wrong].min()))] if wrong.any() else []),
        ),
        control=reading(
            tol,
            max(number_with_slack - total.value, 0.0),
            Side("points with slack", number_with_slack),
            total,
            words=N_("The number of points with slack is at most the sum of the slack variables."),
        ),
    )


@statement(
    "S16",
    N_("Free bias, penalised bias and no bias"),
    sentence=N_(
        "An SVM can have a free bias, a bias that is penalised together with w, or no bias. These are "
        "three different problems. Their optimal values satisfy the inequalities of the formula."
    ),
    formula=(
        r"\min_{w,b}\tfrac12\|w\|^2 + C\sum\xi \;\le\; \min_{w,b}\tfrac12(\|w\|^2 + b^2) + C\sum\xi "
        r"\;\le\; \min_{w,\,b=0}\tfrac12\|w\|^2 + C\sum\xi"
    ),
    source=(
        Source("A", N_("no bias"), quote=r"$y_t \mathbf{w}^\top \mathbf{x}_t \geq 1 - \xi_t$"),
        Source("B", N_("free bias"), quote=r"$t_i(\mathbf{w}^T \boldsymbol{\phi}(\mathbf{x}_i) + w_0) \ge 1 - \xi_i$"),
        Source(
            "C",
            N_("free bias"),
            quote=r"Minimiere $\frac{1}{2}w^T w$ für $[w, b]$ mit $y^{(n)}(w^T x^{(n)} + b) \geq 1$ für alle $n$",
        ),
        Source(
            "D",
            N_("bias as last coordinate of w"),
            quote=r"$\vec{w}^*=\arg\min_{\vec{w}\in R^{d+1}} \ \lambda \|\vec{w}\|^2$",
        ),
        Source("E", N_("free bias"), quote="我们将去掉第0维,并把$w_0$拿出,单独记做b"),
    ),
    conditions=N_(
        "Both classes are present. The three solutions differ in general, so do not compare w between "
        "two of the problems."
    ),
    tolerance=1e-7,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS, OVERLAPPING_LABELS, N_("The three problems have three different w for the same C.")
    ),
)
def biases(s: Situation, tol: float) -> Outcome:
    """Solve each treatment of the bias by itself at one C, and evaluate every solution in every objective.

    In each objective its own solution is the least, and its value is the value that the solver reports.
    """
    s.need_small()
    free, none = (s, s.with_bias_switched) if s.problem.bias else (s.with_bias_switched, s)
    free_primal, none_primal, C = free.soft_primal, none.soft_primal, s.soft_problem.C
    augmented = Dataset(np.hstack([s.Phi, np.ones((s.m, 1))]), s.y)
    penalised = opinion.primal(Problem(augmented, C=C, bias=False))
    w, b = penalised.w[:-1], float(penalised.w[-1])
    solutions = ((free_primal.w, free_primal.b), (w, b), (none_primal.w, 0.0))
    rounding = max(decision_noise(t, t.soft_solution) for t in (free, none))
    table = np.array(
        [[primal_objective(s, C, v, c, charge, rounding) for v, c in solutions] for charge in (0.0, 1.0, math.inf)]
    )
    own_values = np.diag(table)
    solved = np.abs(own_values - (free_primal.value, penalised.value, none_primal.value)).max()
    exact = max(abs(own_values[0] - free.soft_solution.objective), abs(own_values[2] - none.soft_solution.objective))
    own_excess = float((own_values[:, None] - table).max())
    excess = (
        max(own_values[0] - own_values[1], own_values[1] - own_values[2], own_excess, solved, exact) / own_values[2]
    )
    difference_in_w = max(s.distance_in_margins(w, free_primal.w), s.distance_in_margins(none_primal.w, free_primal.w))
    sides = [
        Side(Phrase("{what}, {name}", what=what, name=name), value, letter)
        for what, letter, values in (
            (N_("optimal value"), "", (free_primal.value, penalised.value, none_primal.value)),
            (
                N_("norm of w"),
                r"\|w\|",
                (float(np.linalg.norm(free_primal.w)), float(np.linalg.norm(w)), float(np.linalg.norm(none_primal.w))),
            ),
            ("b", "b", (free_primal.b, b, 0.0)),
        )
        for name, value in zip((N_("free bias"), N_("penalised bias"), N_("no bias")), values, strict=True)
    ]
    return Outcome(
        reading(tol, max(excess, 0.0), *sides),
        control=reading(1e-5, difference_in_w, *sides[3:6], words=N_("All three problems have the same w.")),
    )


@statement(
    "S17",
    N_("Slack variables without a penalty"),
    sentence=N_(
        "If the slack variables are not penalised, w = 0 with all ξᵢ = 1 satisfies every constraint. "
        "This solution has the smallest possible value 0, so nothing is learned."
    ),
    formula=r"\min \|w\|^2 \text{ s.t. } y_i\langle w, x_i\rangle \ge 1 - \xi_i,\; \xi_i \ge 0 \;\Rightarrow\; w = 0",
    source=(
        Source(
            "D",
            N_("section Soft SVM, first formula"),
            quote=r"Tuttavia, è necessario porre un vincolo sull'assegnamento dei valori a $\xi_i$.",
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        N_(
            "With the penalty C, w is not 0. The notes give this problem as an intermediate step, and their "
            "next sentence adds the mean slack to the objective."
        ),
    ),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)), (1, -1), N_("With the penalty C = 1, w = (1, 0). Without a penalty, w = 0.")
    ),
)
def without_penalty(s: Situation, tol: float) -> Outcome:
    """Solve the program with penalty 0 by cvxopt, and check w = b = 0, xi = 1 in the rows of the printed program."""
    w = s.soft_primal.w
    s.require_nonzero_w(s.soft_solution.norm_w)
    lifted = Problem(s.lifted, C=s.soft_problem.C, bias=s.soft_problem.bias)
    unpenalised_primal, rows = opinion.primal(lifted, penalty=0.0), lifted.qp("primal")
    zero, u = np.zeros(len(w)), np.r_[np.zeros(s.soft_problem.bias + len(w)), np.ones(s.m)]
    violation = float(np.maximum(0.0, rows.c - rows.A @ u).max())
    unpenalised_norm = Side("norm of w without a penalty", float(np.linalg.norm(unpenalised_primal.w)), r"\|w\|")
    penalised_norm = Side("norm of w with the penalty C", float(np.linalg.norm(w)), r"\|w\|")
    return Outcome(
        reading(
            tol,
            max(
                violation,
                abs(0.5 * float(u @ rows.P @ u) - unpenalised_primal.value) * s.max_norm**2,
                s.max_norm * unpenalised_norm.value,
            ),
            Side("largest violation of a constraint by w = 0, slack 1", violation),
            Side("smallest value without a penalty", unpenalised_primal.value),
            unpenalised_norm,
        ),
        control=reading(
            tol,
            s.distance_in_margins(zero, w),
            unpenalised_norm,
            penalised_norm,
            words=N_("With the penalty C, w is 0 as well."),
        ),
    )
