"""Several classes with weights, names, equal points and ties, and the programs of the joint SVM, computed again."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.categories import Category
from svmlab.binary.expansion import Evaluation
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, Linear, Polynomial
from svmlab.multiclass.classes import Classes
from svmlab.multiclass.example_boards import BOARDS, make_classes
from svmlab.multiclass.joint import JointSolution
from svmlab.multiclass.one_vs_rest import MulticlassCategory, OneVsRestSolution
from svmlab.multiclass.problem import MulticlassProblem
from svmlab.multiclass.solve import certify
from svmlab.multiclass.solve import solve as solve_classes
from svmlab.statements.examples.binary_solutions import RESIDUALS, decision, gram
from svmlab.statements.examples.differences import difference, rough

P = np.array([[2.0, 0.5], [1.5, 1.5], [-1.0, 2.0], [-0.5, 1.0], [0.0, -1.0], [-1.0, -1.5], [0.75, 0.25]])
CLASSES = (1, 1, 2, 2, 3, 3, 2)
COUNTS = (1, 3, 1, 2, 2, 1, 1)  # whole weights, so that equal points can stand for them
ODD = (1.0, 0.5, 2.0, 1.0, 3.0, 0.25, 1.0)
MANY = np.vstack([P, [[2.0, 0.5], [2.0, -2.0], [1.5, -1.5], [-1.0, 2.0]]])  # two points occur twice
FOUR = (2, 2, 4, 4, 5, 5, 4, 4, 9, 9, 4)
CORNERS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
RAYS = np.array([[2.0, 0.0], [2.0, 1.0], [2.0, -1.0], [2.0, 0.5], [-2.0, 0.0], [-2.0, 1.0], [-2.0, -1.0], [0.0, 9.0]])
RAY_CLASSES, RAY_WEIGHTS = (1, 1, 1, 1, 2, 2, 2, 3), (1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 1.0)  # many on their margins
MIRRORED = np.array([[2.0, 0.0], [1.0, 0.0], [3.0, 0.0], [1.5, 0.0], [-1.0, 1.0], [-1.0, -1.0]])  # two classes tie
UNEVEN = (1.0, 2.0, 0.5, 1.5, 3.0, 3.0)
Z = np.array([[1.0, 1.0], [-1.0, 0.0], [0.25, -0.5], [0.5, 2.0]])
Case = tuple[MulticlassProblem, tuple[float, ...]]


def cases() -> tuple[Case, ...]:
    """Return problems and the weight of each of their points.

    Among them are weights, no bias, four classes with gaps in their numbers, equal points, and all classes but one
    empty. In two of them b is an interval. The corners and the rays have many optimal multipliers.
    """
    seven, ones = Classes(P, CLASSES), (1.0,) * 7
    return (
        (MulticlassProblem(seven, Linear(), 0.8, weights=np.array(ODD)), ODD),
        (MulticlassProblem(seven, Gaussian(1.2), 1.5, False, weights=np.array(ODD)), ODD),
        (MulticlassProblem(Classes(MANY, FOUR), Polynomial(2, 0.5, 1.0), 0.6), (1.0,) * 11),
        (MulticlassProblem(seven, Linear(), 0.01), ones),
        (MulticlassProblem(Classes(P + np.array([30.0, -20.0]), CLASSES), Linear(), 200.0), ones),
        (MulticlassProblem(Classes(CORNERS, (1, 2, 3, 3)), Linear(), 0.05), (1.0,) * 4),
        (MulticlassProblem(Classes(P, (1, 1, 2, 2, 1, 1, 2)), Gaussian(0.9), 0.4), ones),
        (MulticlassProblem(seven, Gaussian(0.7), 0.5, weights=np.ones(7)), ones),
        (MulticlassProblem(Classes(RAYS, RAY_CLASSES), Linear(), 5.0, weights=np.array(RAY_WEIGHTS)), RAY_WEIGHTS),
        (MulticlassProblem(Classes(RAYS, RAY_CLASSES), Linear(), 5.0, False), (1.0,) * 8),
        (MulticlassProblem(Classes(MIRRORED, (1, 1, 1, 1, 2, 3)), Linear(), 0.01, weights=np.array(UNEVEN)), UNEVEN),
        (MulticlassProblem(Classes(np.zeros((4, 2)), (1, 2, 3, 3)), Linear(), 0.5), (1.0,) * 4),
    )


@cache
def error_of_joint_optima() -> float:
    """Compare optima of the joint SVM with its definition.

    The multipliers are feasible, both programs have the same value, and no other b is optimal than those of the
    interval. Moved multipliers are not proven.
    """
    off = 0.0
    for problem, weights in cases():
        e = solve_classes(problem, "joint")
        moved = replace(e, beta=0.9 * e.beta + 0.01, b=e.b + np.linspace(0.1, -0.1, len(e.b)), evaluation=Evaluation())
        infeasible = replace(e, beta=1.5 * e.beta, evaluation=Evaluation())  # beyond the bounds
        for one in (e, moved, infeasible):
            off = max(off, _error_of_values(one, problem.C * np.array(weights), one is e))
        off = max(off, _error_of_optimum(e, problem.C * np.array(weights)))
    return max(off, _error_of_one_class(), _error_of_repeated_points())


def _error_of_values(e: JointSolution, bounds: Array, is_optimal: bool) -> float:
    """Compare values, norms, slacks and the certificate of a joint SVM with their definitions."""
    data, beta, classes = e.problem.data, e.beta, sorted(set(e.problem.data.y.tolist()))
    K, own = gram(e.problem.kernel, data.X, data.X), [classes.index(k) for k in data.y.tolist()]
    f, m = K @ beta + e.b, data.m
    squares = [max(float(column @ K @ column), 0.0) for column in beta.T]
    margins = [row[k] - max(v for j, v in enumerate(row) if j != k) for row, k in zip(f, own, strict=True)]
    xi = np.maximum(0.0, 1.0 - np.array(margins))
    sums = np.array([beta[i, own[i]] for i in range(m)])
    primal, dual = 0.5 * sum(squares) + float(bounds @ xi), float(sums.sum()) - 0.5 * sum(squares)
    p = np.array([[(k == own[i]) * bounds[i] - beta[i, k] for k in range(len(classes))] for i in range(m)])
    slack = np.array([[f[i, own[i]] - f[i, k] - (k != own[i]) + xi[i] for k in range(len(classes))] for i in range(m)])
    residuals = (
        float(np.abs(beta.sum(0)).max()) / float(sums.sum()) if e.problem.bias else 0.0,
        0.0,
        max(0.0, float((-p).max()), float(np.abs(beta.sum(1)).max())) / float(sums.max()),
        float(np.minimum((float(K.diagonal().max()) or 1.0) * np.maximum(p, 0.0), np.abs(slack)).max()),
        0.0 if is_optimal else (primal - dual) / max(primal, abs(dual)),
    )
    certified_residuals = [getattr(certify(e), name) for name in RESIDUALS]
    off = max(
        difference(e.decision(Z), gram(e.problem.kernel, Z, data.X) @ beta + e.b),
        difference(e.margins, margins),
        rough(difference(e.xi, xi), 1e-8),
        difference(e.norms, np.sqrt(squares)),
        difference(e.norm_w, math.sqrt(sum(squares))),
        rough(difference((e.objective, e.dual_objective), (primal, dual)), 1e-8),
        difference(e.multiplier_sum, sums),
        rough(difference(certified_residuals, residuals), 1e-7),
        0.0 if e.proven == is_optimal else 1.0,
    )
    if e.problem.kernel.is_linear:
        off = max(off, math.inf if e.W is None else difference(e.W, beta.T @ data.X))
    return off


def _error_of_optimum(e: JointSolution, bounds: Array) -> float:
    """Check that multipliers are feasible and optimal, and compare states, categories and the interval of b."""
    data, classes = e.problem.data, sorted(set(e.problem.data.y.tolist()))
    own, unit = [classes.index(k) for k in data.y.tolist()], float(bounds.max())
    sums = np.array([e.beta[i, k] for i, k in enumerate(own)])
    others = max(float(e.beta[i, k]) for i in range(data.m) for k in range(len(classes)) if k != own[i])
    outside = max(0.0, *(-sums), *(sums - bounds), others, float(np.abs(e.beta.sum(1)).max())) / unit
    balance = float(np.abs(e.beta.sum(0)).max()) / unit if e.problem.bias else 0.0
    states = [1 if a >= c * (1 - 1e-9) else 0 if a > 1e-9 * c else -1 for a, c in zip(sums, bounds, strict=True)]
    kinds = []
    for margin, state in zip(e.margins.tolist(), states, strict=True):
        if abs(margin - 1.0) <= 1e-8:
            kinds.append((Category.MARGIN_FREE, Category.MARGIN_FULL, Category.MARGIN_IDLE)[state])
        elif abs(margin) <= 1e-8:
            kinds.append(Category.ON_LINE)
        else:
            kinds.append(Category.OUTSIDE if margin > 1 else Category.INSIDE if margin > 0 else Category.WRONG)
    lo, hi = _ends_of_bias(e, bounds, own) if e.problem.bias else (np.zeros(len(classes)),) * 2
    return max(
        rough(outside, 1e-9),
        rough(balance, 1e-9),
        rough(abs(e.objective - e.dual_objective) / max(1.0, e.objective), 1e-9),
        difference(e.states, states),
        difference((e.at_bound, e.free, e.support), (*(np.array(states) == s for s in (1, 0)), np.array(states) >= 0)),
        0.0 if list(e.categories) == kinds else 1.0,
        rough(difference(e.b_interval, (lo, hi)), 1e-7),
        rough(difference(e.b, 0.5 * (lo + hi)), 1e-7),
        _error_of_least_norm(e, bounds),
    )


def _error_of_least_norm(e: JointSolution, bounds: Array) -> float:
    """Check that no other optimum has a smaller sum of beta_ik^2 / C_i.

    Where p_ik > 0, beta can change as long as w, b and the sums stay. The slope of the norm is 0 along these changes.
    """
    m, n = e.beta.shape
    X = e.problem.data.X
    own = [sorted(set(e.problem.data.y.tolist())).index(k) for k in e.problem.data.y.tolist()]
    p = bounds[:, None] * np.eye(n)[own] - e.beta
    free = [(i, k) for i in range(m) for k in range(n) if p[i, k] > 1e-9 * bounds[i]]
    size, V = np.linalg.eigh(gram(e.problem.kernel, X, X))
    Phi = (V * np.sqrt(np.maximum(size, 0.0)))[:, size > 1e-10 * size[-1]]
    sums = [[float(j == i) for j, _ in free] for i in range(m)]
    kept = [[Phi[i, d] * (k == c) for i, k in free] for c in range(n) for d in range(Phi.shape[1])]
    balance = [[float(k == c) for _, k in free] for c in range(n)] if e.problem.bias else []
    U, sizes, rows = np.linalg.svd(np.array([*sums, *kept, *balance]))
    changes = rows[int((sizes > 1e-9 * sizes[0]).sum()) :]
    assert len(U)
    slope = changes @ np.array([e.beta[i, k] / bounds[i] for i, k in free])
    several = 1.0 if len(changes) and e.beta_unique else 0.0
    return max(rough(float(np.abs(slope).max(initial=0.0)), 1e-7), several)


def _ends_of_bias(e: JointSolution, bounds: Array, own: list[int]) -> tuple[Array, Array]:
    """Return the least and the largest optimal b_k: the corners of b_l - b_k <= g_ik - g_il where p_ik > 0."""
    n, X = e.beta.shape[1], e.problem.data.X
    K = gram(e.problem.kernel, X, X)
    g = K @ e.beta + 1.0 - np.eye(n)[own]
    p = bounds[:, None] * np.eye(n)[own] - e.beta
    on = p > 1e-9 * bounds[:, None]
    pairs = list(permutations(range(n), 2))
    most = [float((g[on[:, k], k] - g[on[:, k], j]).min()) for k, j in pairs]
    rows = np.array([np.eye(n)[j] - np.eye(n)[k] for k, j in pairs])
    corners = []
    for chosen in combinations(range(len(pairs)), n - 1):
        A = np.vstack([rows[list(chosen)], np.ones(n)])
        if abs(float(np.linalg.det(A))) > 1e-9:
            b = np.linalg.solve(A, np.r_[[most[i] for i in chosen], 0.0])
            if (rows @ b <= np.array(most) + 1e-8).all():
                corners.append(b)
    return np.min(corners, axis=0), np.max(corners, axis=0)


def _error_of_one_class() -> float:
    """Check that the joint SVM of points of one class is 0 and predicts this class."""
    e = solve_classes(MulticlassProblem(Classes(P, (4,) * 7), Linear(), 0.8), "joint")
    return max(
        difference((e.beta, e.states[:, None]), (np.zeros((7, 1)), -np.ones((7, 1)))),
        difference((e.b, *e.b_interval), np.zeros((3, 1))),
        difference((e.objective, e.dual_objective, e.norm_w), np.zeros(3)),
        difference(e.predict(Z), np.full(4, 4)),
        difference(e.decision(Z), np.zeros((4, 1))),
        0.0 if e.beta_unique and e.proven else 1.0,
    )


def _error_of_repeated_points() -> float:
    """Compare points of a whole weight with as many equal points: f, the value, and the sums of the multipliers."""
    off, rows = 0.0, np.repeat(np.arange(7), COUNTS)
    corner_rows = np.array([0, 0, 1, 2, 3, 3, 3])
    boards = ((P, CLASSES, rows, 0.5), (P, CLASSES, rows, 0.02), (CORNERS, (1, 2, 3, 3), corner_rows, 0.05))
    for X, y, at, C in boards:
        counts = np.bincount(at).astype(float)
        few = solve_classes(MulticlassProblem(Classes(X, y), Linear(), C, weights=counts), "joint")
        many = solve_classes(MulticlassProblem(Classes(X[at], np.array(y)[at]), Linear(), C), "joint")
        sums = np.array([many.beta[at == i].sum(0) for i in range(len(X))])
        equal = max(float(np.ptp(many.beta[at == i], axis=0).max()) for i in range(len(X)))
        off = max(
            off,
            rough(difference(few.decision(Z), many.decision(Z)), 1e-8),
            rough(difference(few.objective, many.objective), 1e-8),
            rough(difference(few.beta / C, sums / C), 1e-7),
            rough(equal / C, 1e-8),
        )
    return off


@cache
def error_of_joint_programs() -> float:
    """Compare all entries of the programs of the joint SVM with its sums and constraints."""
    off = 0.0
    for kernel, weights, bias in ((Linear(), ODD, False), (Linear(), ODD, True), (Polynomial(2), COUNTS, True)):
        data = Classes(P, (2, 2, 4, 4, 9, 9, 4))
        problem = MulticlassProblem(data, kernel, 0.6, bias, weights=np.array(weights, dtype=float))
        C, K, own = 0.6 * np.array(weights), gram(kernel, P, P), [(2, 4, 9).index(k) for k in data.y.tolist()]
        pairs = [(i, k) for i in range(7) for k in range(3) if k != own[i]]
        z = {(i, k): np.eye(3)[own[i]] - np.eye(3)[k] for i, k in pairs}
        qp = problem.qp("dual")
        loads = np.array([[float(j == i) for j, _ in pairs] for i in range(7)])
        off = max(
            off,
            difference(qp.P, [[float(z[a] @ z[b]) * K[a[0], b[0]] for b in pairs] for a in pairs]),
            difference(qp.q, -np.ones(14)),
            difference(qp.A, np.vstack([np.eye(14), -loads])),
            difference(qp.c, np.r_[np.zeros(14), -C]),
            difference(qp.E, [[z[a][k] for a in pairs] for k in (0, 1)] if bias else np.zeros((0, 14))),
            difference(qp.e, np.zeros(2 * bias)),
            difference((problem.bounds, problem.gram.diagonal()), (C, K.diagonal())),
            0.0 if qp.variables == tuple(f"alpha{i + 1}_{(2, 4, 9)[k]}" for i, k in pairs) else 1.0,
        )
        if not kernel.is_linear:
            continue
        qp, n = problem.qp("primal"), 3 * bias
        rows = []
        for i, k in pairs:
            row = np.zeros(n + 6 + 7)
            row[n + 2 * own[i] : n + 2 * own[i] + 2] += P[i]
            row[n + 2 * k : n + 2 * k + 2] -= P[i]
            row[n + 6 + i] = 1.0
            if bias:
                row[[own[i], k]] = 1.0, -1.0
            rows.append(row)
        signs = np.hstack([np.zeros((7, n + 6)), np.eye(7)])
        names = [f"b{c}" for c in (2, 4, 9)][:n] + [f"w{c}_{j}" for c in (2, 4, 9) for j in (1, 2)]
        off = max(
            off,
            difference(qp.P, np.diag(np.r_[np.zeros(n), np.ones(6), np.zeros(7)])),
            difference(qp.q, np.r_[np.zeros(n + 6), C]),
            difference(qp.A, np.vstack([rows, signs])),
            difference(qp.c, np.r_[np.ones(14), np.zeros(7)]),
            difference(qp.E, [[1.0] * 3 + [0.0] * 13] if bias else np.zeros((0, 13))),
            difference(qp.e, np.zeros(int(bias))),
            0.0 if list(qp.variables) == names + [f"xi{i}" for i in range(1, 8)] else 1.0,
        )
    return off


@cache
def error_of_one_vs_rest() -> float:
    """Compare one-vs-rest with binary SVMs for a hard margin, named classes, ties, starts and its certificate."""
    off, names = 0.0, np.array(["ash", "fir", "oak"])
    data, ones = Classes(P, names[np.array(CLASSES) - 1]), np.ones(7)
    soft = MulticlassProblem(data, Linear(), 0.8)
    hard = MulticlassProblem(Classes(P, CLASSES), Gaussian(0.6), math.inf)
    heavy = MulticlassProblem(data, Gaussian(1.0), 2.0, weights=np.array(ODD))
    off = max(off, 0.0 if (soft.hard, hard.hard, heavy.hard) == (False, True, False) else 1.0)
    labels = np.array(["ash", "fir", "fir", "oak"])
    for problem, weights in ((soft, ones), (hard, ones), (heavy, np.array(ODD))):
        e = solve_classes(problem)
        alone = [
            binary.solve(
                Problem(Dataset(P, np.where(np.array(CLASSES) == k, 1, -1)), problem.kernel, problem.C, weights=weights)
            )
            for k in (1, 2, 3)
        ]
        f = np.stack([decision(one, Z) for one in alone], 1)
        largest = f.argmax(1)
        off = max(
            off,
            difference(e.decision(Z), f),
            difference(e.decision_function(Z), f),
            difference([one.alpha for one in e.machines], [one.alpha for one in alone]),
            0.0 if e.proven else 1.0,
            _error_of_moved_machine(e),
        )
        if problem is not hard:
            off = max(
                off,
                0.0 if e.predict(Z).tolist() == names[largest].tolist() else 1.0,
                difference(e.score(Z, labels), float((names[largest] == labels).mean())),
            )
    cold = solve_classes(heavy)
    start = solve_classes(replace(heavy, C=1.0))
    warm = solve_classes(heavy, "one-vs-rest", start)
    row = Classes([[-1.0], [1.0], [0.0], [0.0]], (1, 2, 1, 2))
    tie = solve_classes(MulticlassProblem(row, Linear(), 1.0))
    kinds = MulticlassCategory.TIE, MulticlassCategory.TIE
    return max(
        off,
        difference(warm.decision(Z), cold.decision(Z)),
        difference(tie.tied(np.array([[0.0], [0.5]])), (True, False)),
        difference(tie.predict(np.array([[0.0], [0.5]])), (1, 2)),
        difference(tie.count_positive(np.array([[0.0], [0.5]])), (0, 1)),
        0.0 if tie.categories[2:] == kinds and MulticlassCategory.TIE not in tie.categories[:2] else 1.0,
        0.0 if data.named_labels.tolist() == names[np.array(CLASSES) - 1].tolist() else 1.0,
        difference(data.class_index, np.array(CLASSES) - 1),
        0.0 if data.labels == ("ash", "fir", "oak") and data.classes == (1, 2, 3) else 1.0,
    )


def _error_of_moved_machine(e: OneVsRestSolution) -> float:
    """Check that the certificate is that of the one machine which is moved, and that the whole is not proven then."""
    off = 0.0
    for k in range(3):
        one = replace(e.machines[k], b=e.machines[k].b + 0.25, evaluation=Evaluation())
        moved = replace(e, machines=tuple(one if j == k else other for j, other in enumerate(e.machines)))
        residuals = [[getattr(c, name) for name in RESIDUALS] for c in (certify(moved), one.certificate)]
        off = max(off, difference(*residuals), 1.0 if moved.proven else 0.0)
    return off


@cache
def error_of_class_boards() -> float:
    """Compare the boards of several classes with what they are said to be: radii, centres, counts and thousandths."""
    off = 0.0
    for name, board in BOARDS.items():
        for n in (None, 60):
            data, count = make_classes(name, n, 3), board.n if n is None else n
            sizes = [int((data.y == k).sum()) for k in range(1, board.classes + 1)]
            thousandths = data.X * 1000.0
            off = max(
                off,
                difference(sizes, [count] * board.classes),
                rough(float(np.abs(thousandths - np.round(thousandths)).max()), 1e-6),
                max(0.0, float(np.abs(data.X).max()) - 8.0),
                difference(make_classes(name, n, 3).X, data.X),
                1.0 if np.array_equal(make_classes(name, n, 4).X, data.X) else 0.0,
                difference(make_classes(name).X, make_classes(name, board.n, board.seed).X),
            )
    rings = make_classes("rings", 60, 3)
    centres = {
        "blobs": (0.6, ((-2, -1.5), (2, -1.5), (0, 2))),
        "four_blobs": (0.6, ((-2, -1.5), (2, -1.5), (2, 2), (-2, 2))),
        "row": (0.3, ((-3, 0), (0, 0), (3, 0))),
    }
    for name, (deviation, places) in centres.items():
        data = make_classes(name, 400, 3)
        for k, place in enumerate(places, 1):
            apart = data.X[data.y == k] - np.array(place)
            spread = apart.std(0) / deviation - 1.0
            off = max(off, rough(float(np.abs(apart.mean(0)).max()), 0.3 * deviation), rough(abs(spread).max(), 0.25))
    for k, (inner, outer) in enumerate(((0.0, 0.7), (1.8, 2.2), (3.2, 3.6)), 1):
        X = rings.X[rings.y == k]
        radius, quarters = np.hypot(X[:, 0], X[:, 1]), {(bool(a > 0), bool(b > 0)) for a, b in X.tolist()}
        inside = (
            inner - 2e-3 <= radius.min() and radius.max() <= outer + 2e-3 and np.ptp(radius) > 0.5 * (outer - inner)
        )
        off = max(off, 0.0 if inside and len(quarters) == 4 else 1.0)
    return off
