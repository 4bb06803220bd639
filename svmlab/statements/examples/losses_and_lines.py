"""Losses, regularisers, their minima, the perceptron and the line with the fewest errors, computed again."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.firstorder import perceptron as first
from svmlab.losses import classical_methods as classical
from svmlab.losses import descent, loss, objective, regulariser
from svmlab.losses.fewest_errors import error_counts, fewest_errors
from svmlab.statements.examples.differences import difference, rough

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
        found = F.gradient(w, 0.0, 1 if side else 0)
        off = max(off, rough(difference(found, wanted[: 2 + with_bias]), 1e-5))
        if side:
            off = max(off, difference(F.gradient(w, 0.0), found), difference(F.gradient(w[None], 0.0)[0], found))
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
            found, other = descent.descend(F), method(F)
            for one in (found, other):
                least = min(value(name, penalty, lam, one.w + move[:2], one.b + move[2] * with_bias) for move in moves)
                here = value(name, penalty, lam, one.w, one.b)
                off = max(off, difference(one.value, here), rough(max(0.0, here - least), 1e-8))
            off = max(
                off,
                rough(difference(found.value, other.value), 1e-7),
                0.0 if with_bias or found.b == other.b == 0 else 1.0,
            )
    ridge = objective.Objective(data, loss.LOSSES["logistic"], regulariser.REGULARISERS["R1"], 0.1, False)
    smallest = descent.descend(ridge)
    L = 0.25 * float(np.linalg.eigvalsh(X.T @ X)[-1]) / len(X)
    at_corner = classical.subgradient_distance(ridge, np.zeros(2))
    slope = np.array([sum(-0.5 * t * x[j] for x, t in zip(X, y, strict=True)) / len(X) for j in (0, 1)])
    far = descent.descend(ridge, np.array([1.0, -1.0]))
    return max(
        off,
        difference(
            classical.shrinking_bound(ridge, smallest.w, 0.0, 9), 2 * L * float(smallest.w @ smallest.w) / 10**2
        ),
        difference(at_corner, np.maximum(0.0, np.abs(slope) - 0.1)),
        rough(difference(far.value, smallest.value), 1e-7),
        difference(far.path[0][:2], [1.0, -1.0]),
    )


@cache
def error_of_perceptron() -> float:
    """Compare the perceptron with its updates made by hand, and its bound with radius and margin."""
    off = 0.0
    Z, labels = np.array([[1.0, 2.0], [2.0, 0.5], [-1.0, -0.5], [0.5, -2.0]]), np.array([1.0, 1.0, -1.0, -1.0])
    for P, t, most in ((Z, labels, 50), (X, y, 12), (np.hstack([X, np.ones((6, 1))]), y, 40)):
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
            found = first.perceptron(P, t, np.array(order), most)
            errors = [sum(t[i] * float(v @ P[i]) <= 1e-12 for i in range(len(t))) for v in path]
            off = max(
                off,
                difference(found.updates, updates),
                difference(found.path, path),
                difference(found.w, w),
                difference(found.mistakes, len(updates)),
                difference(found.errors, errors),
                difference(found.pocket, errors.index(min(errors))),
                difference(found.stopped, clean >= len(t)),
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
    boards += [
        Dataset(np.round(rng.standard_normal((9, 2)), 1), np.where(rng.random(9) < 0.5, 1, -1)) for _ in range(4)
    ]
    for data in boards:
        least = min(int((data.y != sign).sum()) for sign in (1.0, -1.0))
        for p, q in product(data.X, repeat=2):
            if (p == q).all():
                continue
            normal = np.array([p[1] - q[1], q[0] - p[0]])
            for turn, shift in product((-1e-5, 1e-5), (-1e-7, 0.0, 1e-7)):
                v = np.array([normal[0] - turn * normal[1], normal[1] + turn * normal[0]])
                for pivot in (p, q, 0.5 * (p + q)):
                    f = (data.X - pivot) @ v + shift
                    least = min(least, int((data.y * f <= 0).sum()), int((-data.y * f <= 0).sum()))
        found = fewest_errors(data)
        made = sum(t * (float(found.w @ x) + found.b) <= 0 for x, t in zip(data.X, data.y.tolist(), strict=True))
        off = max(off, difference((found.errors, made), (least, least)))
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
