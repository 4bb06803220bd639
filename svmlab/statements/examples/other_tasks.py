"""Support vector regression, several classes and the scaling of a column, computed again by their definitions."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.expansion import Evaluation
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.data.generators import fresh_points, make_dataset
from svmlab.data.table import Scaling, sample_rows, standardising, stretching
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.multiclass.classes import Classes, has_tie, predict_largest
from svmlab.multiclass.one_vs_rest import MulticlassCategory
from svmlab.multiclass.problem import MulticlassProblem
from svmlab.multiclass.solve import solve as solve_classes
from svmlab.regression.epsilon_path import epsilon_path
from svmlab.regression.fit import Fit
from svmlab.regression.least_squares import least_squares
from svmlab.regression.solve import solve as fit
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import TubeCategory, categorise, sides_of_tube
from svmlab.regression.values import Values
from svmlab.statements.examples.binary_solutions import decision, gram
from svmlab.statements.examples.differences import difference, rough

X = np.array([[-2.0], [-1.25], [-0.5], [0.25], [1.0], [1.5], [2.5]])
VALUES = np.array([1.4, 0.3, 0.7, 0.9, 2.6, 1.2, 2.9])
NEW, NEW_VALUES = np.array([[-1.0], [0.5], [3.0]]), np.array([0.5, 1.5, 3.5])
P = np.array([[2.0, 0.5], [1.5, 1.5], [-1.0, 2.0], [-0.5, 1.0], [0.0, -1.0], [-1.0, -1.5], [0.75, 0.25]])
CLASSES = np.array([1, 1, 2, 2, 3, 3, 2])
WEIGHTS = np.array([1.0, 3.0, 1.0, 0.5, 2.0, 1.0, 1.0])
Z = np.array([[1.0, 1.0], [-1.0, 0.0], [0.25, -0.5], [0.5, 2.0]])


def tubes() -> tuple[Tube, ...]:
    """Return the examples of regression."""
    data = Values(X, VALUES)
    return (
        Tube(data, Linear(), 0.6, 0.25),
        Tube(data, Gaussian(1.1), 2.0, 0.1, weights=np.array([1.0, 2.0, 1.0, 1.0, 0.5, 1.0, 1.0])),
        Tube(data, Linear(), 0.5, 0.3, bias=False),
    )


@cache
def fits() -> tuple[Fit, ...]:
    """Return the optima of the examples."""
    return tuple(map(fit, tubes()))


@cache
def error_of_fits() -> float:
    """Compare residuals, slacks, both values, certificate and categories of regressions with their definitions."""
    off = 0.0
    for best in fits():
        tube = best.problem
        K, C, eps = (
            gram(tube.kernel, X, X),
            tube.C * (1.0 if tube.weights is None else tube.weights) * np.ones(7),
            tube.eps,
        )
        for e in (best, replace(best, alpha=1.3 * best.alpha + 0.05, b=best.b + 0.2, evaluation=Evaluation())):
            beta = e.alpha - e.alpha_star
            r = VALUES - (beta @ K + e.b)
            above, below = np.maximum(0.0, r - eps), np.maximum(0.0, -r - eps)
            square = float(beta @ K @ beta)
            primal = 0.5 * square + float(C @ (above + below))
            dual = float(VALUES @ beta) - eps * float((e.alpha + e.alpha_star).sum()) - 0.5 * square
            kappa = float(K.diagonal().max())
            kkt = [
                abs(kappa * a - min(max(kappa * a - (eps - side), 0.0), kappa * bound))
                for multipliers, sign in ((e.alpha, 1.0), (e.alpha_star, -1.0))
                for a, side, bound in zip(multipliers, sign * r, C, strict=True)
            ]
            outside = max(
                0.0,
                *(-e.alpha),
                *(-e.alpha_star),
                *(e.alpha - C),
                *(e.alpha_star - C),
                *np.minimum(e.alpha, e.alpha_star),
            )
            c, unit = e.certificate, tube.unit
            off = max(
                off,
                difference(e.residuals, r),
                difference(e.xi, above),
                difference(e.xi_star, below),
                difference(e.norm_w, math.sqrt(square)),
                difference((e.objective, e.dual_objective), (primal, dual)),
                difference(e.gap, (primal - dual) / max(primal, abs(dual)) if e is not best else 0.0),
                difference(c.complementarity * unit, max(kkt)),
                difference(c.primal_feasibility, 0.0),
                difference(c.dual_feasibility * max(e.alpha.max(), e.alpha_star.max()), outside),
                difference(
                    c.stationarity, abs(float(beta.sum())) / float((e.alpha + e.alpha_star).sum()) if tube.bias else 0.0
                ),
                0.0 if e.proven == (e is best) else 1.0,
                difference(e.predict(NEW), beta @ gram(tube.kernel, X, NEW) + e.b),
            )
            f = beta @ gram(tube.kernel, X, NEW) + e.b
            mean = sum(NEW_VALUES.tolist()) / 3
            R2 = 1.0 - float(((NEW_VALUES - f) ** 2).sum()) / float(((NEW_VALUES - mean) ** 2).sum())
            off = max(off, difference(e.score(NEW, NEW_VALUES), R2))
        total, distance = best.alpha + best.alpha_star, np.abs(best.residuals) - eps
        roles = (best.support, total > 1e-9), (best.at_bound, total > C * (1 - 1e-9))
        wanted = [
            TubeCategory.OUTSIDE if d > 1e-8 else TubeCategory.INSIDE if d < -1e-8 else None for d in distance.tolist()
        ]
        edges = [
            TubeCategory.EDGE_FULL
            if a > bound * (1 - 1e-9)
            else TubeCategory.EDGE_FREE
            if a > 1e-9
            else TubeCategory.EDGE_IDLE
            for a, bound in zip(total.tolist(), C.tolist(), strict=True)
        ]
        placed = all(
            category is (edge if one is None else one)
            for category, one, edge in zip(best.categories, wanted, edges, strict=True)
        )
        sides = np.where(distance < -1e-8, 0.0, np.sign(best.residuals))
        off = max(off, *(difference(*role) for role in roles), 0.0 if placed else 1.0, difference(best.sides, sides))
        moves = (0.0, 0.01, -0.01)
        lowest = min(
            0.5 * float((best.beta * s) @ K @ (best.beta * s))
            + float(C @ np.maximum(0.0, np.abs(VALUES - (s * best.beta) @ K - best.b - shift * tube.bias) - eps))
            for s, shift in product((1.0, 0.99, 1.01), moves)
        )
        off = max(off, rough(max(0.0, best.objective - lowest), 1e-9))
    return max(off, _error_of_places())


def _error_of_places() -> float:
    """Compare the categories of points relative to a tube, and their sides, with a table of all cases."""
    cases = (  # |y - f| - eps, free, at the bound, y - f, alpha - alpha*, category, side
        (-0.2, False, False, 0.1, 0.0, TubeCategory.INSIDE, 0),
        (-0.2, False, False, -0.1, 0.0, TubeCategory.INSIDE, 0),
        (-1e-8, False, False, 0.3, 0.0, TubeCategory.INSIDE, 0),
        (0.0, False, False, 0.3, 0.0, TubeCategory.EDGE_IDLE, 1),
        (0.0, False, False, -0.3, 0.0, TubeCategory.EDGE_IDLE, -1),
        (0.0, False, False, 0.0, 0.0, TubeCategory.EDGE_IDLE, 0),
        (1e-10, True, False, 0.3, 0.4, TubeCategory.EDGE_FREE, 1),
        (-1e-10, True, False, 0.0, -0.4, TubeCategory.EDGE_FREE, -1),
        (1e-10, False, True, 0.3, 0.6, TubeCategory.EDGE_FULL, 1),
        (-1e-10, False, True, -0.3, -0.6, TubeCategory.EDGE_FULL, -1),
        (0.5, False, True, 0.8, 0.6, TubeCategory.OUTSIDE, 1),
        (0.5, False, True, -0.8, -0.6, TubeCategory.OUTSIDE, -1),
        (1e-8, False, True, -0.3, -0.6, TubeCategory.OUTSIDE, -1),
    )
    excess, free, full, residuals, beta, wanted, sides = zip(*cases, strict=True)
    categories = categorise(np.array(excess), np.array(free), np.array(full), 1e-9)
    return max(
        0.0 if categories == wanted else 1.0,
        difference(sides_of_tube(np.array(residuals), np.array(beta), wanted, 1e-9), sides),
    )


@cache
def error_of_tubes() -> float:
    """Compare the programs, the largest useful eps and the path of eps with their definitions."""
    off, w = 0.0, 0.7
    for tube in tubes():
        K, C = gram(tube.kernel, X, X), tube.C * (1.0 if tube.weights is None else tube.weights) * np.ones(7)
        a, a_star = np.linspace(0.0, 0.3, 7), np.linspace(0.2, 0.05, 7)
        beta, u, qp = a - a_star, np.r_[a, a_star], tube.qp("dual")
        value = 0.5 * float(u @ qp.P @ u) + float(qp.q @ u)
        dual = float(VALUES @ beta) - tube.eps * float(u.sum()) - 0.5 * float(beta @ K @ beta)
        off = max(
            off,
            difference(-value, dual),
            difference(qp.A @ u - qp.c, np.r_[u, np.tile(C, 2) - u]),
            difference(qp.E @ u - qp.e, [float(beta.sum())] if tube.bias else np.zeros(0)),
            difference((tube.gram, tube.bounds * np.eye(7)), (K, C * np.eye(7))),
        )
        if tube.kernel.is_linear:
            b, xi, xi_star = 0.4 * tube.bias, np.linspace(0.1, 0.8, 7), np.linspace(0.5, 0.2, 7)
            qp, r = tube.qp("primal"), VALUES - (w * X[:, 0] + b)
            u = np.concatenate([[b] if tube.bias else [], [w], xi, xi_star])
            value = 0.5 * float(u @ qp.P @ u) + float(qp.q @ u)
            rows = np.r_[tube.eps + xi - r, tube.eps + xi_star + r, xi, xi_star]
            off = max(
                off, difference(value, 0.5 * w * w + float(C @ (xi + xi_star))), difference(qp.A @ u - qp.c, rows)
            )
        middle = (max(VALUES) + min(VALUES)) / 2 if tube.bias else 0.0
        flat = max(abs(v - middle) for v in VALUES.tolist())
        off = max(off, difference((tube.middle, tube.constant_fit_eps), (middle, flat)))
        just = [fit(replace(tube, eps=part * flat)).norm_w for part in (1.0001, 0.99)]
        off = max(off, just[0], 0.0 if just[1] > 0 else 1.0)
    levels = (0.05, 0.4)
    eps_path = epsilon_path(tubes()[0], levels)
    alone = [fit(replace(tubes()[0], eps=eps)) for eps in levels]
    counts = [int((e.alpha + e.alpha_star > 1e-9).sum()) for e in alone]
    values = [(e.norm_w, e.objective, n) for e, n in zip(alone, counts, strict=True)]
    off = max(off, difference(np.stack([eps_path.norm_w, eps_path.objective, eps_path.count], 1), values))
    for bias in (True, False):
        line = least_squares(Values(X, VALUES), Linear(), bias)
        A = np.hstack([X, np.ones((7, 1))]) if bias else X
        u = np.linalg.solve(A.T @ A, A.T @ VALUES)
        f = NEW[:, 0] * u[0] + (u[1] if bias else 0.0)
        off = max(
            off, difference((line.w[0], line.b), (u[0], u[1] if bias else 0.0)), difference(line.decision(NEW), f)
        )
        off = max(off, difference(line.residuals, VALUES - A @ u))
    return off


@cache
def error_of_classes() -> float:
    """Compare one-vs-rest with the binary SVM of each class: its points, f, prediction, ties, score and categories."""
    off = 0.0
    for kernel, C, bias in ((Linear(), 0.8, True), (Gaussian(1.2), 3.0, False)):
        e = solve_classes(MulticlassProblem(Classes(P, CLASSES), kernel, C, bias), "one-vs-rest")
        alone = [binary.solve(Problem(Dataset(P, np.where(k == CLASSES, 1, -1)), kernel, C, bias)) for k in (1, 2, 3)]
        f = np.stack([decision(one, Z) for one in alone], 1)
        at_points = np.stack([decision(one, P) for one in alone], 1)
        largest = f.argmax(1) + 1
        labels = np.array([1, 2, 2, 3])
        off = max(
            off,
            difference(e.decision(Z), f),
            difference(e.predict(Z), largest),
            difference(e.count_positive(Z), (f > 0).sum(1)),
            difference(e.score(Z, labels), float((largest == labels).mean())),
            difference([e.machine(k).alpha for k in (1, 2, 3)], [one.alpha for one in alone]),
            difference(e.tied(Z), np.zeros(4)),
            0.0 if 0 < e.noise < 1e-9 else 1.0,
            0.0 if e.proven else 1.0,
        )
        names = []
        for row, k in zip(at_points, CLASSES.tolist(), strict=True):
            own, others = row[k - 1], [v for j, v in enumerate(row, 1) if j != k]
            clear = own > 0 and max(others) < 0
            names.append("CLEAR" if clear else "LARGEST" if own > max(others) else "WRONG")
        off = max(off, 0.0 if [one.name for one in e.categories] == names else 1.0)
        assert MulticlassCategory.TIE not in e.categories
    weighed = MulticlassProblem(Classes(P, CLASSES), Linear(), 0.8, weights=WEIGHTS)
    for k in (1, 2, 3):
        sign = np.where(k == CLASSES, 1, -1)
        alone_weighed = binary.solve(Problem(Dataset(P, sign), Linear(), 0.8, weights=WEIGHTS))
        off = max(off, difference(binary.solve(weighed.binary_problem(k)).alpha, alone_weighed.alpha))
        off = max(off, difference(solve_classes(weighed, "one-vs-rest").machine(k).alpha, alone_weighed.alpha))
    f = np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 0.0]])
    rest = Classes(P, CLASSES).one_vs_rest(2)
    return max(
        off,
        difference(predict_largest(f, (1, 4, 7), 1e-9), (4, 1)),
        difference(has_tie(f, 1e-9), (True, False)),
        difference(rest.y, np.where(CLASSES == 2, 1, -1)),
        difference(Classes(P, CLASSES).classes, (1, 2, 3)),
        difference(Classes(P, (4, 2, 2, 1, 4, 1, 2)).classes, (1, 2, 4)),
    )


@cache
def error_of_joint() -> float:
    """Compare the joint SVM with its definition: f, margins, slacks, value, and programs at some variables."""
    off, m = 0.0, 7
    for kernel, C, bias in ((Linear(), 0.8, True), (Gaussian(1.2), 1.5, False)):
        problem = MulticlassProblem(Classes(P, CLASSES), kernel, C, bias)
        e = solve_classes(problem, "joint")
        K = gram(kernel, P, P)
        f, at_Z = K @ e.beta + e.b, gram(kernel, Z, P) @ e.beta + e.b
        margins = np.array(
            [
                row[k - 1] - max(v for j, v in enumerate(row, 1) if j != k)
                for row, k in zip(f, CLASSES.tolist(), strict=True)
            ]
        )
        xi = np.maximum(0.0, 1.0 - margins)
        square = sum(float(column @ K @ column) for column in e.beta.T)
        multipliers = float(e.beta[np.arange(m), CLASSES - 1].sum())
        off = max(
            off,
            difference(e.decision(Z), at_Z),
            difference(e.predict(Z), at_Z.argmax(1) + 1),
            difference(e.margins, margins),
            difference(e.xi, xi),
            difference(e.norm_w, math.sqrt(square)),
            difference(e.objective, 0.5 * square + C * float(xi.sum())),
            difference(e.dual_objective, multipliers - 0.5 * square),
            rough(difference(e.objective, e.dual_objective), 1e-7),
            difference(e.b.sum(), 0.0),
            0.0 if e.proven else 1.0,
        )
        pairs = [(i, k) for i in range(m) for k in (1, 2, 3) if k != CLASSES[i]]
        a, qp = np.linspace(0.05, 0.4, len(pairs)), problem.qp("dual")
        beta = np.zeros((m, 3))
        for (i, k), value in zip(pairs, a.tolist(), strict=True):
            beta[i, CLASSES[i] - 1] += value
            beta[i, k - 1] -= value
        wanted = float(a.sum()) - 0.5 * sum(float(column @ K @ column) for column in beta.T)
        left = [C - sum(value for (j, _), value in zip(pairs, a.tolist(), strict=True) if j == i) for i in range(m)]
        off = max(
            off,
            difference(-(0.5 * float(a @ qp.P @ a) + float(qp.q @ a)), wanted),
            difference(qp.A @ a - qp.c, np.r_[a, left]),
            difference(qp.E @ a - qp.e, beta.sum(0)[:2] if bias else np.zeros(0)),
        )
        if kernel.is_linear:
            qp, W, slack = problem.qp("primal"), np.linspace(-1.0, 1.0, 6).reshape(3, 2), np.linspace(0.0, 1.0, m)
            b = np.array([0.3, -0.1, 0.4])
            u = np.r_[b, W.ravel(), slack]
            rows = [
                float((W[CLASSES[i] - 1] - W[k - 1]) @ P[i] + b[CLASSES[i] - 1] - b[k - 1]) - 1 + slack[i]
                for i, k in pairs
            ]
            off = max(
                off,
                difference(
                    0.5 * float(u @ qp.P @ u) + float(qp.q @ u), 0.5 * float((W * W).sum()) + C * float(slack.sum())
                ),
                difference(qp.A @ u - qp.c, np.r_[rows, slack]),
                difference(qp.E @ u - qp.e, [float(b.sum())]),
            )
    return off


@cache
def error_of_boards() -> float:
    """Compare generated boards, the signs of named labels and samples of rows with what they are said to be.

    The strip between the separable classes is 1 wide, both classes have as many points, and a seed repeats a board.
    """
    off, normal = 0.0, np.array([1.0, 0.55]) / math.hypot(1.0, 0.55)
    for seed in (0, 1):
        board, other = make_dataset("separable", 40, 1.0, seed), make_dataset("separable", 40, 1.0, seed + 1)
        widths = board.y * (board.X @ normal)
        moons = make_dataset("moons", 60, 0.0, seed)
        upper, lower = moons.X[moons.y > 0] + [1.0, 0.5], [1.0, 0.5] - moons.X[moons.y < 0]
        off = max(
            off,
            0.0 if widths.min() > 0.49 else 1.0,
            difference((float((board.y > 0).sum()), float((moons.y > 0).sum())), (20, 30)),
            1.0 if np.array_equal(board.X, other.X) else 0.0,
            difference(make_dataset("separable", 40, 1.0, seed).X, board.X),
            rough(difference(np.hypot(*upper.T), np.full(30, 2.0)), 1e-3),
            rough(difference(np.hypot(*lower.T), np.full(30, 2.0)), 1e-3),
            0.0 if min(upper[:, 1].min(), lower[:, 1].min()) > -1e-3 else 1.0,
            1.0 if np.array_equal(fresh_points("moons", 60, 0.0).X, moons.X) else 0.0,
        )
    equal = ("overlapping", "separable", "moons", "circles", "spirals", "interval")  # of an odd m, one more is positive
    for name, m in product(equal, (8, 9)):
        off = max(off, difference(make_dataset(name, m).y.sum(), m % 2))
    for m in (8, 9):
        interval, row = make_dataset("interval", m), make_dataset("collinear", m)
        half = (m + 1) // 2 - 1
        overlap = [-1] * half + [1, -1] + [1] * (m - half - 2)
        off = max(
            off,
            difference(np.abs(interval.X[:, 0]) <= 1.0, interval.y > 0),
            difference(row.y[np.argsort(row.X[:, 0])], overlap),
        )
    off = max(
        off,
        difference([fresh_points("moons", m).y.sum() for m in (8, 9)], (0, 1)),
        difference([make_dataset("xor", m).y.sum() for m in (4, 5, 6, 7)], (0, 1, 0, 1)),
        difference([make_dataset("collinear", m).y.sum() for m in (8, 9)], (0, -1)),
        difference(make_dataset("one_against_many", 9).y.sum(), -7),
        difference([make_dataset(name).y.sum() for name in ("lattice", "four_corners", "idle_margin")], np.zeros(3)),
    )
    named = Dataset([[0.0], [1.0], [2.0]], ["no", "yes", "no"])
    e = binary.solve(Problem(Dataset(P, np.where(CLASSES == 2, "a", "b")), Linear(), 0.8))
    names = np.where(decision(e, Z) > 0, "b", "a").tolist()
    groups = np.array([0] * 30 + [1] * 10)
    drawn = sample_rows(np.arange(100, 140), groups, 12, 3)
    return max(
        off,
        difference(named.y, (-1, 1, -1)),
        difference(Dataset([[0.0], [1.0]], [0, 1]).y, (-1, 1)),
        0.0 if named.labels == ("no", "yes") and e.predict(Z).tolist() == names else 1.0,
        difference((len(drawn), int((drawn >= 130).sum()), len(set(drawn.tolist()))), (12, 3, 12)),
        0.0 if sorted(drawn.tolist()) == drawn.tolist() else 1.0,
    )


@cache
def error_of_scaling() -> float:
    """Compare the scaling of a column with its mean and standard deviation, and edits of points with their rows."""
    values: Array = np.array([3.0, 7.5, -2.0, 4.0, 11.5, 0.25])
    mean = sum(values.tolist()) / 6
    spread = math.sqrt(sum((v - mean) ** 2 for v in values.tolist()) / 6)
    scaling, half = standardising(values), stretching(values, 3.0)
    out, reach = scaling.applied(values), half.applied(values)
    data = Dataset(P, np.where(CLASSES == 2, 1, -1))
    rows = np.array([True, False, True, True, False, True, False])
    kept, moved = data.kept(rows), data.moved(P / 3.0)
    one_class = data.kept(CLASSES == 2), data.kept(CLASSES != 2)
    return max(
        rough(abs(scaling.centre - mean), 1e-3 * spread),
        rough(abs(scaling.unit - spread), 1e-3 * spread),
        rough(abs(float(out.mean())), 1e-3),
        rough(abs(float((out**2).mean()) - 1.0), 2e-3),
        rough(abs(float(reach.min()) + 3.0), 1e-2),
        rough(abs(float(reach.max()) - 3.0), 1e-2),
        difference(Scaling(2.0, 4.0).applied(values), [(v - 2.0) / 4.0 for v in values.tolist()]),
        difference(standardising(np.full(4, 2.5)).applied(np.full(4, 2.5)), np.zeros(4)),
        difference(kept.X, P[[0, 2, 3, 5]]),
        difference(kept.y, data.y[[0, 2, 3, 5]]),
        difference(kept.ids, (0, 2, 3, 5)),
        difference(moved.X, P / 3.0),
        difference(moved.y, data.y),
        difference((data.both_classes, *(one.both_classes for one in one_class)), (True, False, False)),
    )
