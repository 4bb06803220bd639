"""Losses, regularisers, their minima, the perceptron and the line with the fewest errors, computed again."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.firstorder import perceptron as first
from svmlab.losses import classical_methods as classical
from svmlab.losses import descent, loss, objective, regulariser
from svmlab.losses.fewest_errors import error_counts, fewest_errors
from svmlab.statements.examples.differences import difference, rough, slopes_by_differences

T = np.array([-2.0, -0.6, 0.0, 0.3, 1.0, 1.7])  # the corners 0 and 1 among them
X = np.array([[2.0, 1.0], [1.5, -0.5], [-0.25, 1.0], [-1.0, -1.5], [0.5, 0.25], [-2.0, 0.75]])
y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
LINE = np.array([[0.6, -0.3], [1.2, 0.8]])
STEP = 1e-6
HARD_TO_SPLIT = [[0.1, 1.6], [-1.1, 0.4], [0.4, -0.4], [0.6, -1.4], [2.1, -1.3], [0.9, -1.1], [1.2, -0.4], [0.2, 0.1]]

FORMULAS: dict[str, Callable[[float], float]] = {
    "squared": lambda t: (1.0 - t) ** 2,
    "logistic": lambda t: math.log(1.0 + math.exp(-t)),
    "exponential": lambda t: math.exp(-t),
    "hinge": lambda t: max(0.0, 1.0 - t),
    "perceptron": lambda t: max(0.0, -t),
    "sigmoid": lambda t: 1.0 / (1.0 + math.exp(t)),
}
PENALTIES: dict[str, Callable[[Array], float]] = {
    "none": lambda w: 0.0,
    "R1": lambda w: sum(abs(p) for p in w.tolist()),
    "R2": lambda w: 0.5 * sum(p * p for p in w.tolist()),
}


@cache
def error_of_losses() -> float:
    """Compare the losses, their slopes on both sides and their curvature with formulas and difference quotients."""
    off = difference(loss.zero_one_loss(T), [1, 1, 1, 0, 0, 0])
    for name, formula in FORMULAS.items():
        one, h = loss.LOSSES[name], STEP
        left = [(formula(t) - formula(t - h)) / h for t in T.tolist()]
        right = [(formula(t + h) - formula(t)) / h for t in T.tolist()]
        off = max(
            off,
            difference(one.value(T), [formula(t) for t in T.tolist()]),
            rough(difference(one.slopes(T)[0], left), 1e-5),
            rough(difference(one.slopes(T)[1], right), 1e-5),
            rough(difference(one.absolute_slope(T), np.maximum(np.abs(left), np.abs(right))), 1e-5),
        )
        for mu in (1.0, 0.2):
            value, slope, bend = one.smoothed(T, mu)
            higher, lower = one.smoothed(T + h, mu), one.smoothed(T - h, mu)
            smooth = (
                [mu * math.log(1.0 + math.exp((one.corner - t) / mu)) for t in T.tolist()]
                if one.corner is not None
                else one.value(T)
            )
            off = max(
                off,
                difference(value, smooth),
                rough(difference(slope, (higher[0] - lower[0]) / (2 * h))),
                rough(difference(bend, (higher[1] - lower[1]) / (2 * h))),
            )
        places = np.linspace(-6.0, 6.0, 241)
        errors = np.where(places <= 0, 1.0, 0.0)
        factor = one.upper_bound_factor
        covers = (factor or 1e6) * one.value(places) >= errors - 1e-12
        values = np.array([formula(t) for t in places.tolist()])
        convex = bool((values[2:] - 2 * values[1:-1] + values[:-2] >= -1e-12).all())
        attains = formula(60.0) >= float(values.min())  # an infimum far away is below all values near 0
        stated = (covers.all(), one.convex, one.attains_minimum)
        off = max(off, difference(stated, (factor is not None, convex, attains)))
    return off


@cache
def error_of_regularisers() -> float:
    """Compare the regularisers, their slopes and the p-norms with their formulas."""
    off, W = 0.0, np.array([[0.5, -2.0, 0.0], [1.5, 0.25, -1.0]])
    for name, formula in PENALTIES.items():
        one = regulariser.REGULARISERS[name]
        value, slope, bend = one.smoothed(W[1], 1e-3)
        higher, lower = one.smoothed(W[1] + STEP, 1e-3), one.smoothed(W[1] - STEP, 1e-3)
        smooth = np.hypot(W[1], 1e-3) if name == "R1" else [PENALTIES[name](p[None]) for p in W[1]]
        off = max(
            off,
            difference(one.value(W), [formula(w) for w in W]),
            difference(value, smooth),
            rough(difference(slope, (higher[0] - lower[0]) / (2 * STEP))),
            rough(difference(bend, (higher[1] - lower[1]) / (2 * STEP))),
        )
    for p in (0.5, 1.0, 2.0, 3.0):
        off = max(
            off, difference(regulariser.p_norm(W, p), [sum(abs(v) ** p for v in w) ** (1 / p) for w in W.tolist()])
        )
    small = np.array([[[1e-300, 0.0, -1e-4, 1.0], [0.0, -0.0, 1e-12, -1e-3]]])
    return max(
        off,
        difference(regulariser.p_norm(W, 0.0), [2, 3]),
        difference(regulariser.p_norm(small, 0.0), [[3, 2]]),
        *(difference(regulariser.p_norm(1e-200 * W, p) * 1e200, regulariser.p_norm(W, p)) for p in (0.5, 1.0, 2.0)),
    )


def value(name: str, penalty: str, lam: float, w: Array, b: float) -> float:
    """Return the mean loss plus lam times the regulariser, one point after the other."""
    losses = [FORMULAS[name](t * (float(w @ x) + b)) for x, t in zip(X, y.tolist(), strict=True)]
    return sum(losses) / len(losses) + lam * PENALTIES[penalty](w)


@cache
def error_of_objective() -> float:
    """Compare F, its margins and its gradient with their formulas and with difference quotients."""
    off, lam, b = 0.0, 0.3, 0.2
    for name, penalty, with_bias in product(FORMULAS, PENALTIES, (True, False)):
        F = objective.Objective(Dataset(X, y), loss.LOSSES[name], regulariser.REGULARISERS[penalty], lam, with_bias)
        shift, w = b * with_bias, LINE[0]
        moves = [(STEP, 0.0, 0.0), (0.0, STEP, 0.0), (0.0, 0.0, STEP)][: 2 + with_bias]
        slopes = [
            (
                value(name, penalty, lam, w + move[:2], shift + move[2])
                - value(name, penalty, lam, w - move[:2], shift - move[2])
            )
            / (2 * STEP)
            for move in map(np.array, moves)
        ]
        off = max(
            off,
            difference(F.value(LINE, shift), [value(name, penalty, lam, v, shift) for v in LINE]),
            difference(F.margins(w, shift), [t * (float(w @ x) + shift) for x, t in zip(X, y.tolist(), strict=True)]),
            rough(difference(F.gradient(w, shift), slopes)),
        )
    return max(off, _error_at_corners())


def _error_at_corners() -> float:
    """Compare the gradient of F at corners of the losses with the slopes on both sides, from difference quotients."""
    off, w, lam = 0.0, np.array([1.0, 0.0]), 0.3
    Z = np.array([[1.0, 0.5], [-1.0, 2.0], [0.0, -1.0], [0.0, 0.75], [2.0, 1.0], [0.5, -0.25]])
    labels = np.array([1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
    for (name, formula), side, with_bias in product(FORMULAS.items(), (0, 1), (True, False)):
        F = objective.Objective(Dataset(Z, labels), loss.LOSSES[name], regulariser.REGULARISERS["R2"], lam, with_bias)
        wanted = np.append(lam * w, 0.0)
        for x, t in zip(Z, labels.tolist(), strict=True):
            margin, step = t * float(w @ x), STEP if side else -STEP
            slope = (formula(margin + step) - formula(margin)) / step
            wanted += slope * t * np.append(x, 1.0) / len(Z)
        gradient = F.gradient(w, 0.0, 1 if side else 0)
        off = max(off, rough(difference(gradient, wanted[: 2 + with_bias]), 1e-5))
        if side:
            off = max(off, difference(F.gradient(w, 0.0), gradient), difference(F.gradient(w[None], 0.0)[0], gradient))
    return off


@cache
def error_of_minima() -> float:
    """Compare the descent and the classical methods: no small move has a smaller F, and both find the same value."""
    off, data = 0.0, Dataset(X, y)
    moves = [s * np.array(move) for move in product((-1.0, 0.0, 1.0), repeat=3) if any(move) for s in (1e-2, 1e-4)]
    methods: dict[tuple[str, str], Callable[[objective.Objective], classical.Minimum]] = {
        ("squared", "R2"): classical.least_squares,
        ("squared", "R1"): classical.lasso,
        ("logistic", "R2"): classical.newton,
        ("hinge", "R1"): classical.linear_program,
        ("logistic", "R1"): lambda F: classical.proximal(F, 1500),
    }
    for (name, penalty), method in methods.items():
        for lam, with_bias in ((0.3, True), (0.05, False)):
            F = objective.Objective(data, loss.LOSSES[name], regulariser.REGULARISERS[penalty], lam, with_bias)
            minimum, other = descent.descend(F), method(F)
            for one in (minimum, other):
                lowest = min(value(name, penalty, lam, one.w + move[:2], one.b + move[2] * with_bias) for move in moves)
                here = value(name, penalty, lam, one.w, one.b)
                off = max(off, difference(one.value, here), rough(max(0.0, here - lowest), 1e-8))
            off = max(
                off,
                rough(difference(minimum.value, other.value), 1e-7),
                0.0 if with_bias or minimum.b == other.b == 0 else 1.0,
            )
    ridge = objective.Objective(data, loss.LOSSES["logistic"], regulariser.REGULARISERS["R1"], 0.1, False)
    smallest = descent.descend(ridge)
    L = 0.25 * float(np.linalg.eigvalsh(X.T @ X)[-1]) / len(X)
    at_corner = classical.subgradient_distance(ridge, np.zeros(2))
    slope = np.array([sum(-0.5 * t * x[j] for x, t in zip(X, y, strict=True)) / len(X) for j in (0, 1)])
    restarted = descent.descend(ridge, np.array([1.0, -1.0]))
    return max(
        off,
        difference(
            classical.proximal_gap_bound(ridge, smallest.w, 0.0, 9), 2 * L * float(smallest.w @ smallest.w) / 10**2
        ),
        difference(at_corner, np.maximum(0.0, np.abs(slope) - 0.1)),
        rough(difference(restarted.value, smallest.value), 1e-7),
        difference(restarted.path[0][:2], [1.0, -1.0]),
    )


def _split() -> Dataset:
    """Return classes that a line separates."""
    return Dataset(X, np.where(X @ np.array([1.0, 0.7]) > 0.4, 1, -1))


@cache
def error_of_special_minima() -> float:
    """Check minima that do not exist, weights that are exactly 0, equal points, one class, and a non-convex loss.

    Without a penalty, F of the logistic and of the exponential loss falls forever if a line separates the classes.
    """
    off, mixed, all_regularisers = 0.0, Dataset(X, [1, -1, -1, 1, 1, -1]), regulariser.REGULARISERS
    apart, one_class = _split(), Dataset(X, np.ones(6))
    cases = (  # points, loss, regulariser, lam, bias, whether there is a minimum
        (mixed, "logistic", "none", 0.0, True, True),
        (mixed, "logistic", "R2", 0.0, False, True),
        (mixed, "exponential", "none", 0.0, True, True),
        (apart, "logistic", "none", 0.0, True, False),
        (apart, "logistic", "R2", 0.0, True, False),
        (apart, "exponential", "none", 0.2, True, False),
        (apart, "logistic", "R2", 0.1, True, True),
        (apart, "exponential", "R1", 0.1, True, True),
        (apart, "hinge", "none", 0.0, True, True),
        (one_class, "logistic", "R2", 0.1, True, False),
        (one_class, "exponential", "R1", 0.1, True, False),
        (one_class, "logistic", "R2", 0.1, False, True),
        (one_class, "hinge", "R2", 0.1, True, True),
        (mixed, "sigmoid", "R2", 0.1, True, True),
        (mixed, "sigmoid", "R1", 0.02, False, True),
    )
    for data, name, penalty, lam, with_bias, exists in cases:
        F = objective.Objective(data, loss.LOSSES[name], all_regularisers[penalty], lam, with_bias)
        minimum = descent.descend(F, None if F.loss.convex else np.array([0.3, -0.2]))
        here = _sum_of(data, name, penalty, lam, minimum.w, minimum.b)
        off = max(
            off,
            difference(minimum.converged, exists),
            difference(minimum.value, here),
            difference(minimum.path[-1], np.append(minimum.w, minimum.b)),
            0.0 if with_bias or minimum.b == 0 else 1.0,
        )
        if exists:
            moves = [
                s * np.array(move) for move in product((-1.0, 0.0, 1.0), repeat=3) if any(move) for s in (1e-2, 1e-4)
            ]
            lowest = min(
                _sum_of(data, name, penalty, lam, minimum.w + v[:2], minimum.b + v[2] * with_bias) for v in moves
            )
            off = max(off, rough(max(0.0, here - lowest), 1e-8))
        else:  # far along the path F is small, or the bias has gone far
            longer = 2.0 if data is apart else 1.0
            farther = _sum_of(
                data, name, penalty, lam, longer * minimum.w, longer * minimum.b + 5.0 * (data is one_class)
            )
            off = max(off, 0.0 if farther <= here else 1.0)
    return max(off, _error_of_zero_weights(), _error_of_equal_points(), _error_of_shrinking())


def _sum_of(data: Dataset, name: str, penalty: str, lam: float, w: Array, b: float) -> float:
    """Return the mean loss of other points plus lam times the regulariser."""
    losses = [FORMULAS[name](t * (float(w @ x) + b)) for x, t in zip(data.X, data.y.tolist(), strict=True)]
    return sum(losses) / len(losses) + lam * PENALTIES[penalty](w)


def _sums_along(data: Dataset, name: str, b: float, W: Array) -> Array:
    """Return the mean loss at each row of W (k, d), shape (k,)."""
    return np.array([_sum_of(data, name, "none", 0.0, w, b) for w in W])


def _error_of_zero_weights() -> float:
    """Check that a weight is exactly 0 where R1 keeps it there, and that a tiny weight with R2 is not rounded to 0."""
    off = 0.0
    noise = np.array([0.3, -0.2, 0.4, -0.1, 0.25, 0.2])
    data = Dataset(np.column_stack([X[:, 0], noise, X[:, 1]]), y)
    for name, lam in (("squared", 0.4), ("logistic", 0.15), ("hinge", 0.2)):
        F = objective.Objective(data, loss.LOSSES[name], regulariser.REGULARISERS["R1"], lam, True)
        minimum = descent.descend(F)
        if name == "hinge":  # the multipliers of the program give a subgradient at the corners
            multipliers = classical.linear_program(F).multipliers
            slopes = -(multipliers * y) @ data.X
        else:
            slopes = slopes_by_differences(partial(_sums_along, data, name, minimum.b), minimum.w[None], STEP)[0]
        small = np.abs(slopes) < lam - 1e-3
        off = max(off, 0.0 if (minimum.w[small] == 0).all() and small[1] else 1.0)
    tiny = Dataset(np.column_stack([X[:, 0], 1e-6 * noise]), y)
    F = objective.Objective(tiny, loss.LOSSES["squared"], regulariser.REGULARISERS["R2"], 0.3, False)
    A = tiny.X
    wanted = np.linalg.solve(2.0 * A.T @ A / 6.0 + 0.3 * np.eye(2), 2.0 * A.T @ y / 6.0)
    minimum = descent.descend(F)
    return max(
        off,
        rough(difference(minimum.w[0], wanted[0])),
        rough(abs(minimum.w[1] / wanted[1] - 1.0), 1e-3),
        rough(difference(classical.least_squares(F).w / wanted, np.ones(2))),
    )


def _error_of_equal_points() -> float:
    """Compare the linear program with its dual value, and on equal points with the best constant."""
    off, equal = 0.0, Dataset([[1.0, 2.0]] * 3, [1, 1, -1])
    for data, name, lam, with_bias in (
        (Dataset(X, y), "hinge", 0.1, True),
        (Dataset(X, y), "hinge", 0.1, False),
        (Dataset(X, y), "perceptron", 0.05, True),
        (Dataset(1e3 * X, y), "hinge", 20.0, True),
        (equal, "hinge", 0.1, True),
    ):
        F = objective.Objective(data, loss.LOSSES[name], regulariser.REGULARISERS["R1"], lam, with_bias)
        minimum, corner = classical.linear_program(F), 1.0 if name == "hinge" else 0.0
        u, m = minimum.multipliers, data.m
        pull = np.abs((u * data.y) @ data.X)
        off = max(
            off,
            rough(difference(minimum.value, corner * float(u.sum())), 1e-6),
            rough(max(0.0, float(pull.max()) / lam - 1.0), 1e-6),
            rough(abs(float(u @ data.y)) if with_bias else 0.0, 1e-6),
            rough(max(0.0, *(-u), *(u - 1.0 / m)), 1e-6),
            difference(minimum.value, _sum_of(data, name, "R1", lam, minimum.w, minimum.b)),
            0.0 if with_bias or minimum.b == 0 else 1.0,
        )
    F = objective.Objective(equal, loss.LOSSES["hinge"], regulariser.REGULARISERS["R1"], 0.1, True)
    minimum = classical.linear_program(F)
    return max(off, rough(abs(minimum.value - 2.0 / 3.0), 1e-6), rough(float(np.abs(minimum.w).max()), 1e-6))


def _error_of_shrinking() -> float:
    """Compare the bound of the proximal steps with its formula, and their values with the bound."""
    off = 0.0
    for name, factor, with_bias in (("squared", 1.0, True), ("logistic", 3.0, True), ("logistic", 1.0, False)):
        curvature = 2.0 if name == "squared" else 0.25
        data = Dataset(factor * X + 0.5, y)
        F = objective.Objective(data, loss.LOSSES[name], regulariser.REGULARISERS["R1"], 0.1, with_bias)
        best = descent.descend(F)
        centre = np.array([sum(column) / 6.0 for column in data.X.T.tolist()]) * with_bias
        A = np.column_stack([data.X - centre, np.ones(6)])[:, : 2 + with_bias]
        L = curvature * float(np.linalg.eigvalsh(A.T @ A)[-1]) / 6.0
        square = float(best.w @ best.w) + ((best.b + float(best.w @ centre)) ** 2 if with_bias else 0.0)
        for steps in (1, 4, 30):
            bound = classical.proximal_gap_bound(F, best.w, best.b, steps)
            reached = classical.proximal(F, steps).value
            off = max(
                off,
                difference(bound, 2.0 * L * square / (steps + 1) ** 2),
                rough(max(0.0, reached - best.value - bound)),
                rough(max(0.0, best.value - reached), 1e-8),
            )
        again = classical.proximal(F, 0, classical.proximal(F, 4))
        off = max(off, difference(again.value, classical.proximal(F, 4).value))
        off = max(off, rough(float(classical.subgradient_distance(F, best.w, best.b).max()), 1e-5))
    return off


@cache
def error_of_perceptron() -> float:
    """Compare the perceptron with its updates made by hand, and its bound with radius and margin."""
    off = 0.0
    Z, labels = np.array([[1.0, 2.0], [2.0, 0.5], [-1.0, -0.5], [0.5, -2.0]]), np.array([1.0, 1.0, -1.0, -1.0])
    for P, t, most in ((Z, labels, 50), (X, y, 12), (np.hstack([X, np.ones((6, 1))]), y, 40), (Z / 3.0, labels, 50)):
        for order in (list(range(len(t))), list(range(len(t)))[::-1]):
            w, clean, position = np.zeros(P.shape[1]), 0, 0
            updates, path = list[int](), [w]
            while clean < len(t) and len(updates) < most:
                i = order[position % len(order)]
                if t[i] * sum((w * P[i]).tolist()) <= 1e-12:
                    w, clean = w + t[i] * P[i], 0
                    updates.append(i)
                    path.append(w)
                else:
                    clean += 1
                position += 1
            run = first.perceptron(P, t, np.array(order), most)
            errors = [sum(t[i] * float(v @ P[i]) <= 1e-12 for i in range(len(t))) for v in path]
            off = max(
                off,
                difference(run.updates, updates),
                difference(run.path, path),
                difference(run.w, w),
                difference(run.mistakes, len(updates)),
                difference(run.errors, errors),
                difference(run.pocket, errors.index(min(errors))),
                difference(run.converged, clean >= len(t)),
            )
    angles = np.linspace(0.0, 2 * math.pi, 20001)
    widest = float((labels[:, None] * (Z @ np.array([np.cos(angles), np.sin(angles)]))).min(0).max())
    R, margin = first.radius_and_margin(Z, labels)
    return max(
        off,
        difference(R, max(math.hypot(*z) for z in Z.tolist())),
        rough(difference(margin, widest), 1e-5),
        difference(first.augmented(Z)[:, 2], np.ones(4)),
    )


@cache
def error_of_fewest_errors() -> float:
    """Compare the fewest errors of a line with a search over lines near all pairs, and the counts on a grid."""
    off, rng = 0.0, np.random.Generator(np.random.Philox(5))
    boards = [Dataset(X, y), Dataset(X, -y), Dataset([[0, 0], [1, 1], [2, 2], [1, 0], [0, 1]], [1, -1, 1, 1, -1])]
    boards.append(Dataset([[n, 0.5 * n] for n in range(8)], [1, 1, 1, 1, -1, -1, -1, -1]))
    boards.append(Dataset(HARD_TO_SPLIT, [1, -1, 1, -1, 1, -1, -1, -1]))
    boards += [Dataset(X[:3], np.full(3, sign)) for sign in (1, -1)]  # a constant label has no error
    boards += [Dataset(np.ones((3, 2)), signs) for signs in ([1, -1, -1], [1, 1, -1])]
    boards += [
        Dataset(np.round(rng.standard_normal((9, 2)), 1), np.where(rng.random(9) < 0.5, 1, -1)) for _ in range(4)
    ]
    copies = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0], [1, 1], [1, 1]]
    boards.append(Dataset(copies, [1, 1, 1, -1, 1, -1, -1]))
    for _ in range(6):  # many points on each line
        grid = rng.permutation(np.array(list(product((0.0, 1.0, 2.0), repeat=2))))
        boards.append(Dataset(grid, np.where(rng.random(9) < 0.5, 1, -1)))
    for data in boards:
        fewest = min(int((data.y != sign).sum()) for sign in (1.0, -1.0))
        for p, q in product(data.X, repeat=2):
            if (p == q).all():
                continue
            normal = np.array([p[1] - q[1], q[0] - p[0]])
            for turn, shift in product((-1e-5, 1e-5), (-1e-7, 0.0, 1e-7)):
                v = np.array([normal[0] - turn * normal[1], normal[1] + turn * normal[0]])
                for pivot in (p, q, 0.5 * (p + q)):
                    f = (data.X - pivot) @ v + shift
                    fewest = min(fewest, int((data.y * f <= 0).sum()), int((-data.y * f <= 0).sum()))
        best_line = fewest_errors(data)
        off = max(off, 0.0 if math.isfinite(best_line.b) and np.isfinite(best_line.w).all() else 1.0)
        made = sum(
            t * (float(best_line.w @ x) + best_line.b) <= 0 for x, t in zip(data.X, data.y.tolist(), strict=True)
        )
        off = max(off, difference((best_line.errors, made), (fewest, fewest)))
        angles, offsets = np.array([0.0, 0.7, 2.5]), np.array([-1.0, 0.0, 0.5, 1.0])
        counts = [
            [
                sum(
                    t * (math.cos(a) * x[0] + math.sin(a) * x[1] - c) <= 0
                    for x, t in zip(data.X.tolist(), data.y.tolist(), strict=True)
                )
                for c in offsets
            ]
            for a in angles
        ]
        off = max(off, difference(error_counts(data, angles, offsets), counts))
    return off
