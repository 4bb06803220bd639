"""Special cases: a constant f, equal points, ties, steps that are shortened late, and runs that are kept in parts."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, product

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.generalisation.hull_margins import hull_margins
from svmlab.generalisation.labellings import margins, swept_margins
from svmlab.generalisation.radon import circuits
from svmlab.generalisation.shattering import _to_segments
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.losses import classical_methods as classical
from svmlab.losses.loss import LOSSES
from svmlab.losses.objective import Objective
from svmlab.losses.regulariser import REGULARISERS
from svmlab.multiclass.classes import predict_largest
from svmlab.pegasos import estimate, rates, replay_steps, sampling
from svmlab.pegasos import linear_run as linear
from svmlab.pegasos.step_rule import Rule
from svmlab.statements.examples.binary_solutions import X, y
from svmlab.statements.examples.differences import difference, rough

CORNERS = Dataset(
    [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]], [1, 1, -1, -1]
)  # the line of least loss has w = 0


@cache
def error_of_constant_functions() -> float:
    """Compare a solution with w = 0 with the constant b: every alpha is C, every slack is 1 - y b, and f = b."""
    off, Z = 0.0, np.array([[0.3, -0.7], [5.0, 2.0]])
    for kernel, bias in ((Linear(), True), (Linear(), False), (Gaussian(1e6), True)):
        e = binary.solve(Problem(CORNERS, kernel, 0.25, bias))
        off = max(
            off,
            difference(e.norm_w, 0.0) if kernel.is_linear else rough(e.norm_w, 1e-5),
            difference(e.decision(Z), [e.b, e.b]) if kernel.is_linear else rough(difference(e.decision(Z), [e.b, e.b])),
            rough(difference(e.margins, CORNERS.y * e.b)),
            difference(e.xi.sum(), 4.0) if abs(e.b) <= 1.0 else 1.0,
            difference(e.objective, 1.0),
            difference(e.dual_objective, 1.0),
            difference(e.alpha, np.full(4, 0.25)),
            difference(e.b_interval, (-1.0, 1.0)) if bias else difference(e.b, 0.0),
            0.0 if math.isnan(e.geometric_margin) or not kernel.is_linear else 1.0,
        )
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    weighed = Problem(CORNERS, Linear(), 0.5, weights=weights)
    return max(off, difference(weighed.bounds, 0.5 * weights), difference(weighed.v, weights))


@cache
def error_of_equal_points() -> float:
    """Compare margins of labellings and circuits of points that are equal, on a line, or in the plane.

    Two equal points with two labels have the margin 0, and points of one label have an infinite one. A circuit is a
    set of points of which one is an affine combination of the others, and no smaller set in it is one.
    """
    off, same = 0.0, np.ones((3, 2)) * np.array([0.5, -1.0])
    wanted = np.array([math.inf, *[0.0] * 6, math.inf])
    for labelling_margins in (margins(same), swept_margins(same), hull_margins(same @ same.T)):
        off = max(off, difference(labelling_margins, wanted))
    twice = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [3.0, 4.0]])
    for labelling_margins in (margins(twice), swept_margins(twice), hull_margins(twice @ twice.T)):
        labels = [[1 if n >> (3 - i) & 1 else -1 for i in range(4)] for n in range(16)]
        zero = [ys[0] != ys[1] for ys in labels]
        off = max(off, 0.0 if sorted(labelling_margins == 0) == sorted(zero) else 1.0)
        off = max(
            off,
            difference(
                sorted(labelling_margins[(labelling_margins > 0) & (labelling_margins < 9)]),
                [1.2, 1.2, 1.5, 1.5, 2.0, 2.0],
            ),
        )
    P = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 0.0], [1.0, 4.0]])
    known = circuits(P)
    minimal: list[set[int]] = []
    for k in (2, 3, 4):
        for rows in combinations(range(6), k):
            lifted = np.c_[P[list(rows)], np.ones(k)]
            if np.linalg.matrix_rank(lifted) < k and not any(smaller <= set(rows) for smaller in minimal):
                minimal.append(set(rows))
    off = max(off, 0.0 if [set(c.rows.tolist()) for c in known] == minimal else 1.0)
    for c in known:
        plus = c.weights > 0
        off = max(
            off,
            difference(c.weights @ P[c.rows], np.zeros(2)),
            difference((c.weights[plus].sum(), c.weights[~plus].sum()), (1.0, -1.0)),
            difference(c.point, c.weights[plus] @ P[c.rows][plus]),
        )
    places = np.array([[0.0, 3.0], [2.0, -1.0], [5.0, 4.0], [1.0, 1.0], [-3.0, -4.0], [0.5, 0.0]])
    a, b = np.array([[0.0, 0.0]] * 5 + [[0.5, 1.0]]), np.array([[2.0, 0.0]] * 5 + [[0.5, 1.0]])
    return max(off, difference(_to_segments(places, a, b), (3.0, 1.0, 5.0, 1.0, 5.0, 1.0)))


@cache
def error_of_late_projections() -> float:
    """Compare a run whose steps are projected again and again with the same steps by hand."""
    off, lam, T = 0.0, 0.05, 40
    P, signs = np.array([[3.0, 0.0], [-2.9, 0.4], [-0.5, 2.5]]), np.array([1.0, 1.0, -1.0])
    for batch in (1, 2):
        runs = linear.run_linear(Dataset(P, signs), Rule(lam, batch=batch, project=True), T, 1, 5)
        rows = sampling.draws(3, 5, 0, 0, T * batch).reshape(T, batch)
        w, shortened = np.zeros(2), 0
        for t in range(1, T + 1):
            if t in runs.t.tolist():
                off = max(off, difference(runs.iterates[0, runs.t.tolist().index(t)], w))
            v = np.zeros(2)
            for i in rows[t - 1].tolist():
                if float(signs[i] * (P[i] @ w)) < 1.0:
                    v += signs[i] * P[i] / batch
            w = (1.0 - 1.0 / t) * w + v / (lam * t)
            length = float(np.hypot(*w))
            if length > lam**-0.5:
                w, shortened = w / (length * math.sqrt(lam)), shortened + (t > 1)
        off = max(off, 0.0 if shortened > 1 else 1.0)
    return off


@cache
def error_of_runs_in_parts() -> float:
    """Compare what long runs keep in parts with all of it at once: means of F, draws, and rates of what is kept."""
    off, lam, T = 0.0, 0.25, replay_steps.STRIDE + 60
    signed = (y[:, None] * X).tolist()
    run = linear.run_linear(Dataset(X, y), Rule(lam), T, 1, 2)
    S1, S2, total, means = 0.0, 0.0, 0.0, []
    for t, i in enumerate(sampling.draws(len(y), 2, 0, 0, T).tolist(), 1):
        c = lam * max(t - 1, 1)
        w1, w2 = S1 / c, S2 / c
        hinges = sum(max(0.0, 1.0 - p * w1 - q * w2) for p, q in signed) / len(signed)
        total += hinges + 0.5 * lam * (w1 * w1 + w2 * w2)
        means.append(total / t)
        p, q = signed[i]
        if p * S1 + q * S2 < c:  # these sums are exact
            S1, S2 = S1 + p, S2 + q
    off = max(off, difference(replay_steps.mean_objective(run), [means[t - 1] for t in run.t.tolist()]))
    for replace_points in (True, False):
        whole = sampling.draws(5, 4, 1, 0, 40, replace_points)
        parts = [sampling.draws(5, 4, 1, start, stop, replace_points) for start, stop in ((0, 3), (3, 17), (17, 33))]
        off = max(off, difference(np.concatenate(parts), whole[:33]))
        if not replace_points:
            off = max(off, difference(np.sort(whole.reshape(8, 5), axis=1), np.tile(np.arange(5), (8, 1))))
    at = np.array([1, 2, 4, 8, 16, 32, 64])
    powers = 3.0 / at**2.0, np.where(at < 8, 1.0, 8.0 / at)
    slopes = rates.rate(at, powers[0]), rates.rate(at, powers[1]), rates.rate(at, 5.0 * at**0.5, 1.0)
    no_rates = rates.rate(at, np.where(at < 60, 1.0 / at, 0.0)), rates.rate(at[:1], np.ones(1))
    return max(off, difference(slopes, (-2.0, -1.0, 0.5)), 0.0 if all(map(math.isnan, no_rates)) else 1.0)


@cache
def error_of_own_losses() -> float:
    """Compare the loss of each point before a step, and its excess over F after it, with the step made by hand."""
    off, lam = 0.0, 0.4
    for w, t in ((np.array([0.2, -0.1]), 2), (np.array([-0.5, 0.3]), 7), (np.array([2.0, 1.0]), 1)):
        before, excess = estimate.outcomes(Dataset(X, y), lam, w, t)
        for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            hinge = max(0.0, 1.0 - label * float(w @ x))
            after = (1.0 - 1.0 / t) * w + (label * x / (lam * t) if hinge > 0 else 0.0)
            square = 0.5 * lam * float(after @ after)
            F = square + sum(max(0.0, 1.0 - s * float(after @ p)) for p, s in zip(X, y.tolist(), strict=True)) / len(y)
            own = square + max(0.0, 1.0 - label * float(after @ x))
            off = max(off, difference((before[i], excess[i]), (hinge + 0.5 * lam * float(w @ w), own - F)))
    f = np.array([[1.0, 2.0 - 1e-12, 2.0], [0.0, -1.0, 0.0], [1.0, 2.0 - 1e-3, 2.0]])
    return max(off, difference(predict_largest(f, (1, 4, 7), 1e-9), (4, 1, 7)))


@cache
def error_of_shrinking_steps() -> float:
    """Compare some steps of the proximal gradient method, and a lasso with a weight of 0, with their formulas.

    A step is u - l'(u) / L, every weight moved towards 0 by lam / L, where L is the largest curvature, and then the
    momentum of Beck and Teboulle. Without a bias the points are not moved.
    """
    off, lam, m = 0.0, 0.15, len(y)
    A = y[:, None] * X
    for name, curvature in (("squared", 2.0), ("logistic", 0.25)):
        F = Objective(Dataset(X, y), LOSSES[name], REGULARISERS["R1"], lam, False)
        L = curvature * float(np.linalg.eigvalsh(X.T @ X)[-1]) / m
        u = extrapolated = np.array([0.4, -0.3])
        begin, momentum = classical.Minimum(u, 0.0, 0.0, np.zeros(0)), 1.0
        for steps in range(1, 5):
            margin = A @ extrapolated
            slope = 2.0 * (margin - 1.0) if name == "squared" else -1.0 / (1.0 + np.exp(margin))
            moved = extrapolated - slope @ A / (m * L)
            shrunk = np.sign(moved) * np.maximum(0.0, np.abs(moved) - lam / L)
            later = (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0
            u, extrapolated, momentum = shrunk, shrunk + (momentum - 1.0) / later * (shrunk - u), later
            off = max(off, rough(difference(classical.proximal(F, steps, begin).w, u), 1e-7))
    across = Dataset([[1.0, 0.1], [2.0, -0.1], [-1.0, 0.1], [-1.5, -0.1]], [1, 1, -1, -1])
    for with_bias, strength in product((True, False), (0.5, 3.0)):
        F = Objective(across, LOSSES["squared"], REGULARISERS["R1"], strength, with_bias)
        best = classical.lasso(F)

        def value(w: Array, b: float, strength: float = strength) -> float:
            rest = across.y * (across.X @ w + b) - 1.0
            return float((rest * rest).mean()) + strength * float(np.abs(w).sum())

        moves = [np.array(move) * 1e-3 for move in product((0.0, 1.0, -1.0), repeat=3)]
        lowest = min(value(best.w + move[:2], best.b + move[2] * with_bias) for move in moves)
        off = max(
            off,
            difference(best.value, value(best.w, best.b)),
            rough(max(0.0, best.value - lowest), 1e-9),
            0.0 if best.w[1] == 0 and (best.w[0] != 0) == (strength < 1.0) else 1.0,
        )
    return off
