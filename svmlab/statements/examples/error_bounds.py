"""Bounds of the error and of the risk, and numbers of labellings, computed again by formulas and by counting."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.generalisation.compression import (
    Compression,
    compression,
    compression_bound,
    fewest_points,
    max_support_vectors,
    sharper_bound,
    support_vector_difference,
)
from svmlab.generalisation.labellings import (
    Labelling,
    count_with_margin,
    feature_radius,
    labellings,
    labels,
    margins,
    swept_margins,
)
from svmlab.generalisation.leave_one_out_bounds import (
    bound_is_guaranteed,
    possible_leave_one_out_errors,
    radius_squared,
)
from svmlab.generalisation.resampling import leave_one_out
from svmlab.generalisation.risk import (
    DISC_BLOBS,
    Embedding,
    enough_points,
    excess_risk,
    hinge_risk,
    least_risk,
    moved_into_disc,
    risk_bound,
    risk_lambda,
    risk_problem,
)
from svmlab.generalisation.shattering import (
    corrected_bound,
    least_informative_margin,
    max_shattered_points,
    needed_ratio,
    printed_bound,
    shattering_margin,
)
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.statements.examples.binary_solutions import X, decision, gram, solutions, y
from svmlab.statements.examples.differences import difference, rough


@cache
def error_of_compression() -> float:
    """Compare the compression bounds with their formulas, and the fewest points with a search."""
    off = 0.0
    for N, m, delta, left in ((3, 50, 0.05, 0.1), (0, 20, 0.1, 0.0), (7, 400, 0.01, 0.02)):
        printed = left + math.sqrt((N + (N + 1) * math.log(m) + math.log(1 / delta)) / m)
        sharper = (math.log(math.comb(m, N)) + math.log(m / delta)) / (m - N)
        bounds = compression_bound(N, m, delta, left), sharper_bound(N, m, delta)
        off = max(off, difference(bounds, (printed, sharper)))
    for m in (5, 60, 500):
        counts = [N for N in range(m) if math.sqrt((N + (N + 1) * math.log(m) + math.log(20)) / m) < 1]
        off = max(off, difference(max_support_vectors(m), max(counts, default=-1)))
    for N in (0, 4):
        sizes = [m for m in range(max(N, 1), 200) if not N + (N + 1) * math.log(m) + math.log(20) < m]
        off = max(off, difference(fewest_points(N), max(sizes, default=max(N, 1) - 1) + 1))
    for e in (*solutions()[:3], solutions()[4]):
        m, support = e.problem.data.m, e.alpha > 1e-9
        free = [i for i in range(m) if not support[i]]
        yf = e.problem.data.y * decision(e, e.problem.data.X)
        compressed = compression(e)
        wrong = sum(yf[i] <= 0 for i in free) / m
        bound = wrong + math.sqrt((support.sum() + (support.sum() + 1) * math.log(m) + math.log(20)) / m)
        values = compressed.N, compressed.error_outside_support, compressed.bound, compressed.is_vacuous
        off = max(off, difference(values, (support.sum(), wrong, bound, bound >= 1)))
    e = solutions()[1]
    kept = np.flatnonzero(e.alpha > 1e-9)
    own = binary.solve(replace(e.problem, data=Dataset(X[kept], y[kept])))
    apart = float(np.abs(decision(own, X) - decision(e, X)).max())
    moved = replace(
        e,
        alpha=np.where(np.arange(9) == 2, 0.0, e.alpha),
        states=np.where(np.arange(9) == 2, -1, e.states).astype(np.int8),
        b=e.b - 3.0,
        evaluation=type(e.evaluation)(),
    )
    outside = (moved.alpha <= 1e-9) & (y * decision(moved, X) <= 0)
    zero = replace(e, alpha=np.zeros(9), states=np.full(9, -1, np.int8), b=0.0, evaluation=type(e.evaluation)())
    # w = 0.4 and b is in [0.2, 0.6]. Without the third point, whose multiplier is 0, b is in [-0.6, 0.6].
    row = binary.solve(Problem(Dataset([[-1.0], [1.0], [2.0]], [-1, 1, 1]), Linear(), 0.2))
    alone = binary.solve(Problem(Dataset(X[:3], [1, 1, 1]), Linear(), 1.0))  # no support vector, and f is constant
    for N, m, wrong in ((3, 400, 0.0), (3, 400, 0.1), (12, 60, 0.0), (60, 60, 0.0)):
        one = Compression(N, m, 0.05, wrong)
        bound = wrong + math.sqrt((N + (N + 1) * math.log(m) + math.log(20)) / m)
        choices = math.log(math.comb(m, N)) + math.log(m * 20)
        sharper = math.inf if wrong or m == N else choices / (m - N)
        off = max(off, difference((one.bound, one.sharper, one.is_vacuous), (bound, sharper, bound >= 1)))
    return max(
        off,
        difference(compression(zero).error_outside_support, 1.0),  # f = 0 is an error everywhere
        difference((alone.alpha, support_vector_difference(alone) * np.ones(3)), np.zeros((2, 3))),
        difference(compression(e, 0.3).delta, 0.3),
        difference(support_vector_difference(row), 0.4),
        rough(abs(support_vector_difference(e) - apart)),
        rough(support_vector_difference(e)),
        difference(compression(moved).error_outside_support, float(outside.mean())),
    )


@cache
def error_of_estimates() -> float:
    """Compare the bounds of the leave-one-out error with distances and multipliers of single points."""
    off, centre = 0.0, np.array([40.0, -25.0])
    away = binary.solve(Problem(Dataset(X + centre, y), Linear(), 0.02))  # here distances give the smaller R
    cases = [*solutions()[:3], away, binary.solve(Problem(Dataset(X - X.mean(0), y), Linear(), 0.02))]
    cases += [replace(e, alpha=part * e.alpha, evaluation=type(e.evaluation)()) for e in cases for part in (0.5, 0.03)]
    for e in cases:
        K, m = gram(e.problem.kernel, e.problem.data.X, e.problem.data.X), e.problem.data.m
        squares = max(K[i, i] + K[j, j] - 2 * K[i, j] for i in range(m) for j in range(m))
        spread = max(K[i, i] for i in range(m)) - float(K.min())
        R2 = min(squares, spread) if e.problem.bias else max(K[i, i] for i in range(m))
        xi = np.maximum(0.0, 1.0 - e.problem.data.y * decision(e, e.problem.data.X))
        off = max(
            off,
            difference(radius_squared(e.problem), R2),
            difference(possible_leave_one_out_errors(e), 2 * e.alpha * R2 + xi >= 1 - 1e-9),
        )
    for e in solutions()[:3]:
        left_out = leave_one_out(e.problem)
        pinned = not e.problem.bias or bool(((e.alpha > 1e-9) & (e.alpha < e.problem.C * (1 - 1e-9))).any())
        off = max(off, difference(bound_is_guaranteed(e, left_out), left_out.has_unique_bias & pinned))
    loose = solutions()[4]
    never = bound_is_guaranteed(loose, replace(leave_one_out(loose.problem), has_unique_bias=np.ones(4, bool)))
    return max(off, difference(never, np.zeros(4)))


@cache
def error_of_risk() -> float:
    """Compare the bound of the hinge risk, its lambda and the least risk with formulas and a search in the disc."""
    off, r, B = 0.0, 1.3, 2.5
    for m in (10, 250):
        off = max(
            off,
            difference(risk_bound(m, r, B), math.sqrt(8.0 * r * r * B * B / m)),
            difference(risk_lambda(m, r, B), math.sqrt(2.0 * r * r / (B * B * m))),
        )
    for eps in (0.5, 0.11):
        off = max(off, difference(enough_points(eps, r, B), math.ceil(round(8.0 * r * r * B * B / (eps * eps), 9))))
    data = moved_into_disc(Dataset(X, y))
    norms = np.linalg.norm(X, axis=1)
    shrunk = [x * min(1.0, 1.0 / n) for x, n in zip(X, norms.tolist(), strict=True)]
    p = risk_problem(data, r, B)
    w = np.array([0.6, -1.1])
    hinge = sum(max(0.0, 1.0 - t * float(w @ x)) for x, t in zip(data.X, y.tolist(), strict=True)) / 9.0
    angle, length = np.meshgrid(np.linspace(0, 2 * np.pi, 361), np.linspace(0.0, 2.0, 101))
    W = np.stack([length * np.cos(angle), length * np.sin(angle)], -1).reshape(-1, 2)
    searched = float(np.maximum(0.0, 1.0 - data.y * (W @ data.X.T)).mean(1).min())
    smallest_risk, minimiser = least_risk(data, 2.0)
    inside = W[np.linalg.norm(W, axis=1) <= 0.3]
    bounded, at_bound = least_risk(data, 0.3)
    at_most = float(np.maximum(0.0, 1.0 - data.y * (inside @ data.X.T)).mean(1).min())
    space = Embedding(4, 0.3, 1)
    lifted = space.lift(data, 2)
    lengths = np.linalg.norm(lifted.X, axis=1)
    extra = (lifted.X @ space.turn.T)[:, 2:]
    many = Embedding(40, 0.3, 1).lift(Dataset(np.zeros((50, 2)), np.ones(50)), 2).X @ Embedding(40, 0.3, 1).turn.T
    flat, other = Embedding(2, 0.7, 3).lift(data, 2), Embedding(4, 0.3, 2).lift(data, 2)
    products = data.X @ data.X.T
    few = excess_risk((8,), 2.0, Embedding(3, 0.2), draws=2, fresh=300)
    test = moved_into_disc(DISC_BLOBS.fresh(300))
    best = least_risk(test, 2.0)[0]
    excess = []
    for k in range(2):
        sample = Embedding(3, 0.2).lift(moved_into_disc(DISC_BLOBS.draw(8, k)), k)
        e = binary.solve(Problem(sample, Linear(), 1.0 / (2 * math.sqrt(2 / 8) * math.sqrt(1.04) / 2.0 * 8), False))
        Z = Embedding(3, 0.2).lift(test, 2)
        assert e.w is not None
        excess.append(float(np.maximum(0.0, 1.0 - Z.y * (Z.X @ e.w)).mean()) - best)
    return max(
        off,
        difference(data.X, shrunk),
        difference(
            (p.C, p.bias, p.kernel.is_linear), (1.0 / (2.0 * math.sqrt(2.0 * r * r / (B * B * 9)) * 9), False, True)
        ),
        difference(hinge_risk(w, data), hinge),
        rough(max(0.0, smallest_risk - searched), 1e-9),
        rough(max(0.0, searched - smallest_risk), 2e-2),
        difference(hinge_risk(minimiser, data), smallest_risk),
        rough(abs(at_most - bounded), 5e-3),
        rough(abs(float(np.linalg.norm(at_bound)) - 0.3), 1e-6),
        rough(max(0.0, float(np.linalg.norm(minimiser)) - 2.0)),
        difference(lengths**2, (data.X**2).sum(1) + 2 * 0.3**2),
        difference(space.r, math.sqrt(1 + 2 * 0.09)),
        difference(space.turn @ space.turn.T, np.eye(4)),
        difference((lifted.X @ space.turn.T)[:, :2], data.X),
        difference(np.abs(extra), np.full((9, 2), 0.3)),
        rough(abs(float(np.sign(many[:, 2:]).mean())), 0.12),  # five standard errors
        difference(lifted.y, y),
        difference(flat.X @ flat.X.T, products),
        difference((Embedding(2, 0.7).r, Embedding(5, 0.5).r), (1.0, math.sqrt(1.75))),
        1.0 if np.allclose(other.X, lifted.X) or np.allclose(space.lift(data, 3).X, lifted.X) else 0.0,
        difference(space.lift(data, 2).X, lifted.X),
        difference(few.bound, [math.sqrt(1.04) * 2.0 * 1.0]),
        difference(few.excess[0], excess),
        difference((few.best_risk, few.mean[0]), (best, sum(excess) / 2)),
        difference(few.useful_from(1.0, 2.0), math.ceil(32.0 / (1.0 - best) ** 2)),
    )


def wrongly_split(places: Array, one: Labelling) -> bool:
    """Return whether the proof of a labelling of both classes is no proof: a line with a point on its wrong side."""
    w, b = one.separation.w, one.separation.b
    if not one.separable or w is None or b is None or abs(one.y.sum()) == len(one.y):
        return False
    return any(t * (sum((w * x).tolist()) + b) <= 0 for x, t in zip(places, one.y.tolist(), strict=True))


@cache
def error_of_labellings() -> float:
    """Compare margins of labellings, and the numbers of points that can be shattered, with direct searches."""
    P, off = np.array([[0.0, 0.0], [2.0, 0.5], [1.0, 2.0], [0.5, 0.7]]), 0.0
    ys = labels(4)
    angles = np.linspace(0.0, 2.0 * math.pi, 40001)
    along = P @ np.array([np.cos(angles), np.sin(angles)])
    widest = [
        math.inf if abs(t.sum()) == 4 else max(0.0, float((along[t > 0].min(0) - along[t < 0].max(0)).max()) / 2)
        for t in ys
    ]
    finite = np.isfinite(widest)
    solved, swept = margins(P), swept_margins(P)
    split = labellings(P)
    for labelling_margins in (solved, swept):
        off = max(
            off,
            difference(np.isfinite(labelling_margins), finite),
            rough(difference(labelling_margins[finite], np.array(widest)[finite]), 1e-4),
        )
    for threshold in (0.0, 0.3):
        wanted = sum(width > 0 and width >= threshold for width in widest)
        off = max(off, difference(count_with_margin(swept, threshold), wanted))
    corner = swept_margins(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]))  # inf twice, 1 four times, 1/sqrt(2) twice
    off = max(off, difference([count_with_margin(corner, threshold) for threshold in (0.7, 1.0, 1.01)], (8, 6, 2)))
    simplex = [1.0, 2.0**2 * 4 / 9, 3.0, 4.0**2 * 6 / 25]  # (R/rho)^2 of 2 to 5 points
    return max(
        off,
        difference([one.y for one in split], ys),
        difference([one.separable for one in split], np.array(widest) > 0),
        float(any(wrongly_split(P, one) for one in split)),
        difference(feature_radius(P, Gaussian(0.7)), 1.0),
        difference(feature_radius(P), math.sqrt(5.0)),
        difference([needed_ratio(k) for k in (2, 3, 4, 5)], simplex),
        difference([shattering_margin(k, 2.0) for k in (2, 3)], [2.0, 1.5]),
        difference([max_shattered_points(rho) for rho in (1.1, 1.0, 0.76, 0.75, 0.1)], [1, 2, 2, 3, 3]),
        difference([max_shattered_points(rho, 1.0, 9) for rho in (0.511, 0.51)], [4, 5]),
        difference([corrected_bound(rho) for rho in (1.1, 1.0, 0.8, 0.5)], [2, 2, 3, 3]),
        difference([printed_bound(rho) for rho in (2.0, 0.8)], [1.25, 1 / 0.64 + 1]),
        difference((least_informative_margin(2.0, 4), least_informative_margin(3.0, 9)), (1.0, 1.0)),
    )
