"""T9 to T11 and T13: other programs with the solution of an SVM, and the one that is a linear system."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, join_phrases
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Objective, least_squares
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.program import QP
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement


def squared_slack_solution(s: Situation) -> tuple[Array, float]:
    """Return alpha (m,) and b of the hard margin with the kernel matrix K + I/C.

    Point i gets a coordinate of its own with the value 1/sqrt(C), which adds 1/C to k(x_i, x_i) and to nothing else.
    """
    C = s.soft_problem.C
    own = np.eye(s.m) / math.sqrt(C)
    problem = Problem(Dataset(np.hstack([s.centred, own]), s.y), C=math.inf, bias=s.soft_problem.bias)
    solution = solve(problem)
    return solution.alpha, solution.b


@statement(
    "T9",
    N_("Squared slack is a hard margin"),
    sentence=N_(
        "The soft margin with the penalty (C/2)Σξᵢ² is a hard margin for the kernel matrix K + I/C. Its multipliers "
        "have no upper bound, and each slack is αᵢ/C."
    ),
    formula=(
        r"\min \tfrac12\|w\|^2 + \tfrac{C}{2}\sum_i \xi_i^2 \;\Leftrightarrow\; \max_{\alpha \ge 0,\; y^\top \alpha = "
        r"0} \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j y_i y_j \bigl(K + \tfrac1C I\bigr)_{ij}"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Cristianini and Shawe-Taylor, An Introduction to Support Vector Machines (2000), section 6.1.2, "
                "2-norm soft margin"
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
        N_("The classes overlap, but the hard margin for K + I/C exists. Its w is not that of the usual slack."),
    ),
)
def squared_slack(s: Situation, tol: float) -> Outcome:
    """Solve the hard margin for K + I/C, and evaluate the gradient of the objective with squared slack at its w and b.

    The objective is convex and smooth, so a zero gradient makes w and b optimal. Both values are compared too.
    """
    _ = s.soft_solution
    C, y, Z = s.soft_problem.C, s.y, s.centred
    alpha, b = squared_slack_solution(s)
    noise = 64 * (s.m + Z.shape[1]) * EPS * (1.0 + C * s.max_norm**2)
    tol = s.tolerance_above_noise(tol, noise)
    w = s.expand(alpha)
    yf = y * ((alpha * y) @ s.inner + b)
    xi = np.maximum(0.0, 1.0 - yf)
    size = (1.0 + C * s.max_norm**2) * max(1.0, s.max_norm * float(np.linalg.norm(w)))
    gradient = s.max_norm * float(np.linalg.norm(w - C * (y * xi) @ Z)) / size
    in_b = C * abs(float(y @ xi)) / (1.0 + C * s.m) if s.problem.bias else 0.0
    value = 0.5 * float(w @ w) + 0.5 * C * float(xi @ xi)
    hard_value = 0.5 * float(alpha.sum())
    usual = s.soft_solution.norm_w
    return Outcome(
        reading(
            tol,
            max(
                gradient,
                in_b,
                abs(value - hard_value) / max(value, hard_value, 1e-300),
                float(np.abs(C * xi - alpha).max()) / max(1.0, float(alpha.max())) / (1.0 + C * s.max_norm**2),
            ),
            Side("value with squared slack", value),
            Side("value of the hard margin for K + I/C", hard_value),
            Side("norm of the gradient at its w, relative to the size of its terms", gradient),
            Side("largest slack", float(xi.max()), r"\xi_i"),
            Side("its multiplier divided by C", float(alpha[int(xi.argmax())]) / C, r"\alpha_i / C"),
        ),
        control=reading(
            tol,
            s.distance_in_margins(w, s.expand(s.soft_solution.alpha)),
            Side("norm of w with squared slack", float(np.linalg.norm(w)), r"\|w\|"),
            Side("norm of w with the usual slack", usual, r"\|w\|"),
            words=N_("The usual slack has the same w for this C."),
        ),
    )


def extreme(p: Array, most: float, sign: float) -> float:
    """Return the smallest sum of l_i p_i (or the largest, with sign = -1) over 0 <= l_i <= most with sum 1.

    The smallest values get the largest weights, until the sum is 1.
    """
    ordered = np.sort(sign * p)
    weights = np.clip(1.0 - most * np.arange(len(p)), 0.0, most) if most < 1.0 else np.eye(1, len(p))[0]
    return sign * float(weights @ ordered)


@statement(
    "T10",
    N_("Nearest points of reduced convex hulls"),
    sentence=N_(
        "Reduce the convex hull of each class, so that no point has a weight above μ = C/s, where s is the sum of the "
        "multipliers of one class. Then w/s is u − v, where u and v are the nearest points of the reduced hulls of the "
        "classes +1 and −1. The weights of u and v are αᵢ/s."
    ),
    formula=(
        r"\min \|u - v\| = \frac{\|w\|}{s}, \quad u = \sum_{y_i = 1} \frac{\alpha_i}{s} x_i, \quad v = \sum_{y_i = -1} "
        r"\frac{\alpha_i}{s} x_i, \quad s = \sum_{y_i = 1} \alpha_i, \quad \mu = \frac{C}{s}"
    ),
    source=(
        Source(
            "literature",
            N_("Bennett and Bredensteiner, Duality and Geometry in SVM Classifiers, ICML 2000"),
        ),
        Source(
            "literature",
            N_("Crisp and Burges, A Geometric Interpretation of ν-SVM Classifiers, NIPS 12 (1999)"),
        ),
    ),
    conditions=N_("There is a bias, and both classes are present. If w = 0, the two reduced hulls meet."),
    tolerance=1e-6,
    page="duality",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The convex hulls of the classes overlap. The reduced hulls do not, and their distance is ‖w‖/s."),
    ),
)
def reduced_hulls(s: Situation, tol: float) -> Outcome:
    """Compare the nearest points by the exact multipliers with the extremes of the reduced hulls along cvxopt's w.

    u and v are nearest if and only if no point of one hull is closer to the other along w. The extremes are sums of the
    largest and smallest projections.
    """
    s.need_bias()
    e, d, C, y, Z = s.soft_solution, s.soft_dual, s.soft_problem.C, s.y, s.centred
    w = s.expand(d.alpha)
    total = float(e.alpha[y > 0].sum())
    most, weights = C / total, e.alpha / total
    p = Z @ w
    gap = extreme(p[y > 0], most, 1.0) - extreme(p[y < 0], most, -1.0)
    u, v = weights[y > 0] @ Z[y > 0], weights[y < 0] @ Z[y < 0]
    whole = extreme(p[y > 0], 1.0, 1.0) - extreme(p[y < 0], 1.0, -1.0)
    length = float(np.linalg.norm(u - v))
    unit = max(e.objective, 1e-300)
    square = float(w @ w)
    return Outcome(
        reading(
            tol,
            max(
                abs(total * gap - square) / unit,
                abs(total * total * length**2 - square) / unit,
                abs(e.norm_w**2 - square) / unit,
                (float(e.alpha.max()) - C) / C,
                abs(float(weights[y < 0].sum()) - 1.0),
            ),
            Side("distance of the nearest points of the reduced hulls", length, r"\|u - v\|"),
            Side("norm of w divided by the sum of the multipliers of a class", math.sqrt(square) / total),
            Side("largest weight of a point", most, r"\mu"),
        ),
        control=reading(
            tol,
            abs(total * whole - square) / unit,
            Side("gap between the whole hulls along w", whole / max(math.sqrt(square), 1e-300)),
            Side("distance of the nearest points of the reduced hulls", length, r"\|u - v\|"),
            words=N_("The nearest points of the whole convex hulls have this distance as well."),
        ),
    )


@statement(
    "T11",
    N_("The ν-SVM"),
    sentence=N_(
        "The ν-SVM replaces C by a number ν between 0 and 1. At most a proportion ν of the points has slack, and at "
        "least a proportion ν are support vectors. With ν = Σαᵢ/(Cm) it has the decision boundary of the usual soft "
        "margin."
    ),
    formula=(
        r"\min_{w, b, \xi, \rho \ge 0} \tfrac12 \|w\|^2 - \nu\rho + \tfrac1m \sum_i \xi_i \;\text{ s.t. }\; y_i f(x_i) "
        r"\ge \rho - \xi_i, \;\; \xi_i \ge 0 \quad\Rightarrow\quad w_\nu = \frac{w_C}{C m}, \quad \nu = \frac{\sum_i "
        r"\alpha_i}{C m}"
    ),
    source=(
        Source(
            "literature",
            N_("Schölkopf and Smola, Learning with Kernels (2002), section 7.5, on the property of ν"),
        ),
        Source(
            "literature",
            N_(
                "Schölkopf, Smola, Williamson and Bartlett, New Support Vector Algorithms, Neural Computation 12 (2000)"
            ),
        ),
        Source(
            "literature",
            N_(
                "Chang and Lin, Training ν-Support Vector Classifiers: Theory and Algorithms, Neural Computation 13 "
                "(2001), for the ν of a given C"
            ),
        ),
    ),
    conditions=N_(
        "There is a bias, and both classes are present. The number ν is below its largest possible value, which is "
        "twice the proportion of points in the smaller class."
    ),
    tolerance=1e-6,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("ν lies strictly between the proportion of points with slack and the proportion of support vectors."),
    ),
)
def nu_svm(s: Situation, tol: float) -> Outcome:
    """Solve the dual of the nu-SVM by cvxopt for the nu of the exact solution, and compare the values of both.

    min 1/2 a'Qa  subject to  0 <= a <= 1/m,  y'a = 0,  sum a >= nu

    It is solved for a in units of nu/2, so that the sum is 2. The value is at least v'Qa - 1/2 v'Qv for every v, which
    the nearest points of the reduced hulls along v make smallest.
    """
    s.need_bias()
    e, C, m, y = s.soft_solution, s.soft_problem.C, s.m, s.y
    mass = float(e.alpha.sum()) / C  # nu m
    largest = 2.0 * min(float((y > 0).sum()), float((y < 0).sum()))
    if mass >= largest * (1.0 - 1e-6):
        raise DoesNotApply(
            "Every point of the smaller class has the multiplier C here, so ν has its largest possible value. Increase "
            "C."
        )
    most = min(1.0, 2.0 / mass)
    rows = y[:, None] * s.centred / s.max_norm
    qp = QP(
        rows @ rows.T,
        np.zeros(m),
        np.vstack([np.eye(m), -np.eye(m), np.ones((1, m))]),
        np.r_[np.zeros(m), np.full(m, -most), 2.0],
        y[None, :].copy(),
        np.zeros(1),
        tuple(f"a{i + 1}" for i in range(m)),
    )
    a = np.clip(cvxopt_backend.solve_qp(qp).u, 0.0, most)
    v = a @ rows
    p = s.centred @ v / s.max_norm
    lower = extreme(p[y > 0], most, 1.0) - extreme(p[y < 0], most, -1.0) - 0.5 * float(v @ v)
    in_program = 2.0 / (mass * C)  # times the multipliers of the soft margin
    by_cvxopt, by_exact = 0.5 * float(v @ v), 0.5 * (in_program * e.norm_w / s.max_norm) ** 2
    unit = max(by_cvxopt, by_exact, 1e-300)
    if by_cvxopt - lower > tol * unit:
        raise DoesNotApply(
            "The second solver, cvxopt, leaves the smallest value of the ν-SVM open by {left:.1g} of it. Move the "
            "classes apart, or standardise the points.",
            left=(by_cvxopt - lower) / unit,
        )
    nu = mass / m
    tolerance = 1e-6 * max(1.0, s.max_norm * e.norm_w)
    with_slack, support = float((e.xi > tolerance).mean()), float(e.support.mean())
    return Outcome(
        reading(
            tol,
            max(
                abs(by_cvxopt - by_exact) / unit,
                with_slack - nu,
                nu - support,
                2.0 - float(a.sum()),
            ),
            Side("proportion of points with slack", with_slack),
            Side("the parameter ν", nu),
            Side("proportion of support vectors", support),
            Side("norm of w of the ν-SVM", math.sqrt(2.0 * by_cvxopt) * s.max_norm * nu / 2.0),
            Side("norm of w divided by Cm", e.norm_w / (C * m)),
        ),
        control=reading(
            tol,
            support - nu,
            Side("the parameter ν", nu),
            Side("proportion of support vectors", support),
            words=N_("The proportion of support vectors is exactly ν."),
        ),
    )


@statement(
    "T13",
    N_("Least squares as a linear system"),
    sentence=N_(
        "If you replace the hinge loss by the squared loss, the SVM becomes kernel ridge regression on the labels. You "
        "find its solution by solving one system of linear equations. However, almost every point has a multiplier "
        "other than 0."
    ),
    formula=(
        r"\begin{pmatrix} 0 & y^\top \\ y & Q + \tfrac1C I \end{pmatrix} \begin{pmatrix} b \\ \alpha \end{pmatrix} = "
        r"\begin{pmatrix} 0 \\ 1 \end{pmatrix}, \qquad \alpha_i = C\, (1 - y_i f(x_i))"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Suykens and Vandewalle, Least Squares Support Vector Machine Classifiers, Neural Processing Letters 9 "
                "(1999)"
            ),
        ),
        Source(
            "literature",
            N_(
                "Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), section 11.3.2, "
                "kernel ridge regression"
            ),
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        N_("The objective is ½‖w‖² + (C/2)Σ(1 − yᵢf(xᵢ))². Without a bias the system is Q + I/C alone."),
    ),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("All eight points have a multiplier other than 0 with the squared loss. The SVM has fewer support vectors."),
    ),
)
def linear_system(s: Situation, tol: float) -> Outcome:
    """Solve the linear system of kernel values, and compare w and b with ridge regression on the feature vectors."""
    C, y, m, bias = s.soft_problem.C, s.y, s.m, s.soft_problem.bias
    e = s.soft_solution
    tol = s.tolerance_above_noise(tol, 64 * EPS * m * (1.0 + C * s.max_norm**2))
    Q = np.outer(y, y) * s.inner
    A = Q + np.eye(m) / C
    if bias:
        A = np.block([[np.zeros((1, 1)), y[None, :]], [y[:, None], A]])
    answer = np.linalg.solve(A, np.r_[np.zeros(int(bias)), np.ones(m)])
    alpha = answer[int(bias) :]
    w = s.expand(alpha)
    ridge = least_squares(Objective(Dataset(s.centred, y), LOSSES["squared"], REGULARISERS["R2"], 2.0 / (C * m), bias))
    unit = max(1.0, s.max_norm * float(np.linalg.norm(w)))
    margins = y * (s.centred @ ridge.w + ridge.b)
    in_b = abs(float(answer[0]) - ridge.b) / unit if bias else 0.0
    nonzero = float((np.abs(alpha) > 1e-9 * float(np.abs(alpha).max())).sum())
    return Outcome(
        reading(
            tol,
            max(
                s.distance_in_margins(w, ridge.w),
                in_b,
                float(np.abs(alpha / C - (1.0 - margins)).max()) / unit,
            ),
            Side("norm of w by the linear system", float(np.linalg.norm(w)), r"\|w\|"),
            Side("norm of w by ridge regression on the labels", float(np.linalg.norm(ridge.w)), r"\|w\|"),
            Side("largest multiplier", float(np.abs(alpha).max()), r"\alpha_i"),
            Side("multipliers other than 0", nonzero),
        ),
        control=reading(
            tol,
            nonzero - float(e.support.sum()),
            Side("multipliers other than 0", nonzero),
            Side("support vectors of the SVM", float(e.support.sum())),
            words=N_("The squared loss has as few multipliers other than 0 as the SVM has support vectors."),
        ),
    )
