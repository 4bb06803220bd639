"""T6 to T8: what happens to an SVM when one point is left out or exchanged for another one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.binary.expansion import Evaluation
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, join_phrases
from svmlab.data import Dataset
from svmlab.generalisation import (
    bound_is_guaranteed,
    leave_one_out,
    possible_leave_one_out_errors,
    radius_squared,
    solve_without,
)
from svmlab.statements.generalisation_bounds import board_generator
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import solve_rows

MAX_POINTS = 60  # points that are left out in turn
TRIED = 3  # points that are exchanged, and points whose left-out f is computed anew
MOVED_BY = 10.0  # times the largest norm: how far the points are moved to compare R^2
PARTS = (0.01, 0.1, 0.3)  # of all multipliers
AROUND_ONE = 0.03  # from 1: the sums that are tried
ORTHOGONAL = ((1.0, 0.0), (0.0, 1.0))


def few_points(s: Situation, bias: bool) -> Situation:
    """Return the board with or without a bias, with at most MAX_POINTS of its points.

    Raises DoesNotApply for one point.
    """
    _ = s.Phi
    if s.m < 2:
        raise DoesNotApply("Leaving a point out needs at least two points. Add a point.")
    if s.m <= MAX_POINTS:
        return s if s.problem.bias == bias else s.with_bias_switched
    data = s.problem.data
    rows = np.sort(board_generator(data).permutation(s.m)[:MAX_POINTS])
    return Situation(replace(s.problem, data=Dataset(data.X[rows], data.y[rows]), bias=bias))


@statement(
    "T6",
    N_("Leave-one-out errors of an SVM"),
    sentence=N_(
        "A point can be a leave-one-out error only if 2αᵢR² + ξᵢ is at least 1. The number of such points is at most "
        "the number N of support vectors. So one solution bounds the leave-one-out error."
    ),
    formula=r"\text{errors} \;\le\; \#\{i : 2\alpha_i R^2 + \xi_i \ge 1\} \;\le\; N",
    source=(
        Source(
            "literature",
            N_(
                "Joachims, Estimating the Generalization Performance of an SVM Efficiently, ICML 2000, on the "
                "ξα-estimator of the error rate"
            ),
        ),
        Source(
            "literature",
            N_(
                "Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), proof of Theorem "
                "5.4, for N if the classes are separable"
            ),
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        N_(
            "Without a bias, R² is the largest k(x, x). With a bias, it is the largest squared distance of two feature "
            "vectors, or the largest k(x, x) minus the smallest k(x, z), if this is smaller. With a bias, a point is "
            "judged only if a free support vector determines b both with and without this point. At most 60 points are "
            "left out in turn."
        ),
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="soft",
    witness=Witness(
        ORTHOGONAL,
        (1, 1),
        N_(
            "Each of the two points is misclassified if you leave it out, so all three sides of the formula are 2. "
            "However, there is no training error."
        ),
        bias=False,
    ),
)
def left_out(s: Situation, tol: float) -> Outcome:
    """Leave each point out, and compare its f with the sum 2 alpha R^2 + xi from cvxopt's dual and the feature vectors.

    Some left-out values are computed anew from the remaining rows.
    """
    board = few_points(s, s.problem.bias)
    e, d, Phi, y = board.soft_solution, board.soft_dual, board.Phi, board.y
    tol = s.tolerance_for(tol, e)
    cv = leave_one_out(board.soft_problem, start=e)
    judged = bound_is_guaranteed(e, cv)
    unit = max(1.0, board.max_norm * e.norm_w)
    K = Phi @ Phi.T
    diagonal = np.diag(K)
    R2 = float(diagonal.max())
    if board.problem.bias:
        R2 = min(float((diagonal[:, None] + diagonal - 2 * K).max()), R2 - float(K.min()))
    xi = np.maximum(0.0, 1.0 - y * (board.summed(e.alpha, e.b)))
    total = 2.0 * e.alpha * R2 + xi
    by_cvxopt = 2.0 * d.alpha * R2 + np.maximum(0.0, 1.0 - y * board.summed(d.alpha, d.b))
    wrong = cv.errors & judged
    anew = 0.0
    for i in np.argsort(-e.alpha)[:TRIED]:
        rows = np.delete(np.arange(board.m), i)
        other = solve_rows(board.soft_problem, rows)
        if other.b_interval[0] == other.b_interval[1] or not board.problem.bias:
            anew = max(anew, abs(float(other.decision(board.X[[i]])[0]) - float(cv.f[i])) / unit)
    clear = np.abs(total - 1.0) > tol * unit
    possible = possible_leave_one_out_errors(e)
    difference = max(
        float((1.0 - total[wrong]).max(initial=0.0)) / unit,
        float((1.0 - by_cvxopt[wrong]).max(initial=0.0)) / unit if e.alpha_unique else 0.0,
        float((possible != (total >= 1.0))[clear].sum()),
        float((possible & ~e.support)[clear].sum()),
        abs(radius_squared(board.soft_problem) - R2) / max(board.max_norm**2, R2),
        far_radius_error(board),
        float(wrongly_possible(e, R2, y, tol * unit)),
        board.distance_in_margins(board.expand(e.alpha), board.expand(d.alpha)),
        abs(e.b - d.b) / unit if e.free.any() else 0.0,
        anew,
    )
    training = float(((y * board.summed(e.alpha, e.b)) <= 0).sum())
    errors = Side("leave-one-out errors, where b is determined", float(wrong.sum()))
    return Outcome(
        reading(
            tol,
            difference,
            errors,
            Side("points with 2αR² + ξ of at least 1", float(possible.sum())),
            Side("support vectors", float(e.support.sum()), "N"),
            Side("R², from the feature vectors", R2, "R^2"),
        ),
        control=reading(
            tol,
            max(errors.value - training, 0.0),
            errors,
            Side("training errors", training),
            words=N_("The number of leave-one-out errors is at most the number of training errors."),
        ),
    )


def far_radius_error(board: Situation) -> float:
    """Return how far R^2 of the points far from the origin is from its two bounds by hand, for the linear kernel."""
    if not board.problem.kernel.is_linear:
        return 0.0
    X = board.X + MOVED_BY * board.max_norm
    squared = float(((X[:, None] - X) ** 2).sum(-1).max())
    lengths = float((X**2).sum(1).max())
    own = min(squared, lengths - float((X @ X.T).min())), lengths
    squared_radii = [
        radius_squared(replace(board.soft_problem, data=Dataset(X, board.y), bias=bias)) for bias in (True, False)
    ]
    return max(abs(a - b) for a, b in zip(own, squared_radii, strict=True)) / lengths


def wrongly_possible(e: Solution, R2: float, y: Array, tolerance: float) -> int:
    """Return for how many points the library judges 2 alpha R^2 + xi >= 1 otherwise than by hand, for parts of alpha.

    A multiple of the multipliers with any b is no optimum, but its sum is just below or above 1, where the rule can be
    seen. With a b that gives a class no slack, the multiplier alone decides.
    """
    values = (e.alpha * y) @ e.problem.gram
    tolerance += len(y) * EPS * float((e.alpha @ np.abs(e.problem.gram)).max())  # far from the origin the sums cancel
    tried = [(part, part * e.b) for part in PARTS]
    for label in (1.0, -1.0):
        largest = float(e.alpha[y == label].max(initial=0.0)) * R2
        if largest > 0:
            parts = (0.5 * (1.0 - AROUND_ONE) / largest, 0.5 * (1.0 + AROUND_ONE) / largest)
            tried += [(part, label * (2.0 + part * float(np.abs(values).max()))) for part in parts]
    count = 0
    for part, b in tried:
        smaller = replace(e, alpha=part * e.alpha, b=b, evaluation=Evaluation())
        total = 2.0 * part * e.alpha * R2 + np.maximum(0.0, 1.0 - y * (part * values + b))
        clear = np.abs(total - 1.0) > tolerance
        count += int((possible_leave_one_out_errors(smaller) != (total >= 1.0))[clear].sum())
    return count


@statement(
    "T7",
    N_("Stability of the SVM"),
    sentence=N_(
        "Exchange one training point for another one. Then w* moves by at most 2X/(λm), and the hinge loss of any "
        "point changes by at most 2X²/(λm). So an SVM with a large λm does not depend much on a single point."
    ),
    formula=(
        r"\|w_S - w_{S'}\| \;\le\; \frac{2X}{\lambda m}, \qquad |\ell(w_S) - \ell(w_{S'})| \;\le\; \frac{2X^2}{\lambda "
        r"m}"
    ),
    source=(
        Source(
            "literature",
            N_("Bousquet and Elisseeff, Stability and Generalization, JMLR 2 (2002), Theorem 22 and Example 2"),
        ),
        Source(
            "literature",
            N_("Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), Proposition 14.4"),
        ),
    ),
    conditions=N_(
        "The SVM has no bias and minimises (λ/2)‖w‖² plus the mean hinge loss. X is the largest norm, also of the new "
        "point. The bound is attained where every multiplier is C and a label is exchanged. At most 60 points are used."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="points",
    witness=Witness(
        ((0.0, 1.5), (1.0, 0.0)),
        (1, 1),
        N_("Both labels of (0, 1.5) are tried. All multipliers stay at C, so w* moves by exactly 2X/(λm)."),
        C=0.1,
        bias=False,
    ),
)
def stability(s: Situation, tol: float) -> Outcome:
    """Exchange points for others, solve anew, and compare with cvxopt's w of the points as they were."""
    board = few_points(s, False)
    problem, K, y, m = board.soft_problem, board.problem.gram, board.y, board.m
    X = math.sqrt(float(problem.kernel.diag(board.X).max()))
    bound = 2.0 * X / (problem.lam * m)
    before = board.soft_dual.alpha * y
    f_before = before @ K
    moved, changed, half_rule = 0.0, 0.0, 0.0
    noise = 0.0
    norms = np.diag(K)
    for i in np.argsort(-norms)[:TRIED]:
        farthest = int(np.argmax(norms[i] + norms - 2.0 * K[i]))
        for j, label in ((int(i), -y[i]), (farthest, -y[farthest]), (farthest, y[farthest])):
            X_new, y_new = board.X.copy(), y.copy()
            X_new[i], y_new[i] = board.X[j], label
            after_solution = solve(replace(problem, data=Dataset(X_new, y_new)))
            noise = max(noise, after_solution.noise)
            after = np.zeros(m)
            at = np.arange(m)
            at[i] = j
            np.add.at(after, at, after_solution.alpha * y_new)
            difference = after - before
            moved = max(moved, math.sqrt(max(0.0, float(difference @ K @ difference))))
            f_after = after @ K
            for sign in (1.0, -1.0):
                losses = np.maximum(0.0, 1.0 - sign * f_after) - np.maximum(0.0, 1.0 - sign * f_before)
                changed = max(changed, float(np.abs(losses).max()))
    tol = s.tolerance_above_noise(tol, 100.0 * noise)
    unit = max(bound, 1.0 / (X or 1.0))
    half_rule = moved - 0.5 * bound
    distance = Side("largest distance that w* moves", moved, r"\|w_S - w_{S'}\|")
    return Outcome(
        reading(
            tol,
            max(moved - bound, (changed - X * bound) / (X or 1.0)) / unit,
            distance,
            Side("its bound", bound, r"2X/(\lambda m)"),
            Side("largest change of a hinge loss", changed),
            Side("its bound", X * bound, r"2X^2/(\lambda m)"),
        ),
        control=reading(
            tol,
            half_rule / unit,
            distance,
            Side("half the bound", 0.5 * bound),
            words=N_("w* moves by at most X/(λm)."),
        ),
    )


@statement(
    "T8",
    N_("The radius–margin bound"),
    sentence=N_(
        "A hard margin without a bias has at most R²/γ² leave-one-out errors. Here R is the largest norm of a point in "
        "feature space and γ the margin."
    ),
    formula=(
        r"\text{errors} \;\le\; \#\{i : \alpha_i k(x_i, x_i) \ge 1\} \;\le\; R^2 \sum_i \alpha_i = R^2 \|w^*\|^2 = "
        r"\frac{R^2}{\gamma^2}"
    ),
    source=(
        Source("literature", N_("Vapnik, Statistical Learning Theory (1998), chapter 10, on the leave-one-out error")),
        Source(
            "literature",
            N_(
                "Chapelle, Vapnik, Bousquet and Mukherjee, Choosing Multiple Parameters for Support Vector Machines, "
                "Machine Learning 46 (2002), “Radius-margin bound”"
            ),
        ),
    ),
    conditions=N_(
        "A boundary through the origin separates the classes. At most 60 points are left out in turn. A point with f = "
        "0 counts as an error."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="points",
    witness=Witness(
        ORTHOGONAL,
        (1, 1),
        N_("Without one of the two points f is 0 at it, so there are two errors, and R²/γ² is 2."),
        C=math.inf,
        bias=False,
    ),
)
def radius_and_margin(s: Situation, tol: float) -> Outcome:
    """Leave each point out with the exact method, and compare its margin with 1 - alpha_i k(x_i, x_i).

    R^2 |w|^2 comes from cvxopt's multipliers. The margin without point i is at least 1 - alpha_i k(x_i, x_i).
    """
    board = few_points(s, False)
    h, d, y = board.hard_solution, board.hard_dual, board.y
    tol = s.tolerance_for(tol, h)
    diagonal = (board.Phi**2).sum(1)
    w = board.expand(d.alpha)
    bound = float(diagonal.max()) * float(w @ w)
    left = h.alpha * board.problem.kernel.diag(board.X)
    margins = np.array([_margin_without(board.hard_problem, i, y) for i in range(board.m)])
    unit = max(1.0, bound**0.5)
    anew = 0.0
    for i in np.argsort(-h.alpha)[:TRIED]:
        other = solve_rows(board.hard_problem, np.delete(np.arange(board.m), i))
        anew = max(anew, abs(float(y[i] * other.decision(board.X[[i]])[0]) - float(margins[i])) / unit)
    errors = float((margins <= 0).sum())
    return Outcome(
        reading(
            tol,
            max(
                float((1.0 - left - margins).max()) / unit,
                float((left >= 1.0 + tol * unit).sum()) - bound * (1.0 + tol),
                errors - float((left >= 1.0 - tol * unit).sum()),
                abs(float(h.alpha.sum()) - float(w @ w)) / max(1.0, float(w @ w)),
                (float(left.sum()) - bound) / max(1.0, bound),
                anew,
            ),
            Side("leave-one-out errors", errors),
            Side("points with α k(x, x) of at least 1", float((left >= 1.0 - tol * unit).sum())),
            Side("square of radius over margin", bound, r"R^2/\gamma^2"),
        ),
        control=reading(
            tol,
            errors - 0.25 * bound,
            Side("leave-one-out errors", errors),
            Side("a quarter of the bound", 0.25 * bound),
            words=N_("The number of leave-one-out errors is at most a quarter of the bound."),
        ),
    )


def _margin_without(problem: Problem, i: int, y: Array) -> float:
    rest = solve_without(problem, np.arange(len(y)) == i)
    return float(y[i] * rest.decision(problem.data.X[[i]])[0])
