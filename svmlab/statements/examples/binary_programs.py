"""The quadratic programs, lambda, the bias and the regularisation path, computed again on the examples."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np

from svmlab.binary import path, problem, separability
from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.solvers import bias
from svmlab.solvers.program import QP
from svmlab.statements.examples.binary_solutions import APART, BALANCED, X, gram, prices, problems, solutions, y
from svmlab.statements.examples.differences import difference
from svmlab.statements.examples.kernel_values import kernel_value

FRACTIONS = np.linspace(0.1, 0.9, 9)
VALUES = np.array([0.4, -1.3, 0.2, 1.6, -0.1, 0.8, -2.2, 1.05])
WEIGHTS = np.array([1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 3.0, 1.0])
LABELS = np.array([1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0])


def value(qp: QP, u: Array) -> float:
    """Return the objective 1/2 u'Pu + q'u of a quadratic program at u."""
    return 0.5 * float(u @ qp.P @ u) + float(qp.q @ u)


@cache
def error_of_primal() -> float:
    """Compare value and constraints of the primal program at some w, b and slacks with their definitions."""
    off = 0.0
    for p in problems():
        if p.kernel.feature_dim(p.data.d) is None:
            continue
        Phi, m, b = p.kernel.feature_map(p.data.X), p.data.m, 0.6 if p.bias else 0.0
        w, xi = np.linspace(-0.7, 0.9, Phi.shape[1]), np.linspace(0.0, 1.4, m)
        slack = np.zeros(0) if p.hard else xi
        qp = p.qp("primal")
        u = np.concatenate([[b] if p.bias else [], w, slack])
        yf = np.array(
            [label * (sum((w * phi).tolist()) + b) for label, phi in zip(p.data.y.tolist(), Phi, strict=True)]
        )
        wanted = np.concatenate([yf - 1.0 + (0.0 if p.hard else xi), slack])
        cost = 0.0 if p.hard else float(prices(p) @ xi)
        off = max(
            off,
            difference(value(qp, u), 0.5 * float(w @ w) + cost),
            difference(qp.A @ u - qp.c, wanted),
            difference(len(qp.variables), len(u)),
            difference(len(qp.E), 0),
        )
    return off


@cache
def error_of_dual() -> float:
    """Compare value and constraints of the dual program at some multipliers with their definitions."""
    off = 0.0
    for p in problems():
        alpha, labels, C = np.linspace(0.03, 0.27, p.data.m), p.data.y, prices(p)
        qp, K = p.qp("dual"), gram(p.kernel, p.data.X, p.data.X)
        pairs = sum(
            alpha[i] * alpha[j] * labels[i] * labels[j] * K[i, j] for i in range(p.data.m) for j in range(p.data.m)
        )
        wanted = np.concatenate([alpha, [] if p.hard else C - alpha])
        off = max(
            off,
            difference(-value(qp, alpha), float(alpha.sum()) - 0.5 * pairs),
            difference(qp.A @ alpha - qp.c, wanted),
            difference(qp.E @ alpha - qp.e, [float(labels @ alpha)] if p.bias else np.zeros(0)),
            difference(len(qp.variables), p.data.m),
            difference(p.gram, K),
            difference(p.bounds, C),
        )
    return off


@cache
def error_of_lambda() -> float:
    """Compare C = 1/(lambda m), both ways, and the costs that balance the classes with their definitions."""
    data, kernel, lam = Dataset(X, y), Gaussian(1.5), 0.3
    p = problem.Problem.from_lambda(data, kernel, lam, bias=False)
    plus = sum(label > 0 for label in y.tolist())
    costs = problem.balanced_costs(data)
    off = max(
        difference(p.C, 1.0 / (lam * len(y))),
        difference(p.lam, lam),
        difference(Problem(data, C=4.0).lam, 1.0 / (4.0 * len(y))),
        difference((plus * costs[0], (len(y) - plus) * costs[1]), [len(y) / 2.0] * 2),
    )
    return max(off, 0.0 if p.kernel == kernel and not p.bias else 1.0)


def sum_of_hinges(g: Array, labels: Array, weights: Array, b: float) -> float:
    """Return the weighted sum of the hinge losses of g_i + b."""
    return sum(
        v * max(0.0, 1.0 - t * (a + b)) for a, t, v in zip(g.tolist(), labels.tolist(), weights.tolist(), strict=True)
    )


def best_interval(g: Array, labels: Array, weights: Array) -> tuple[float, float]:
    """Return all b with the least sum of hinge losses, by trying every corner of the sum."""
    corners = [t - a for a, t in zip(g.tolist(), labels.tolist(), strict=True)]
    sums = [sum_of_hinges(g, labels, weights, b) for b in corners]
    best = [b for b, total in zip(corners, sums, strict=True) if total <= min(sums) + 1e-12]
    return min(best), max(best)


@cache
def error_of_bias() -> float:
    """Compare the interval of the optimal b, its middle and the least hinge losses with a search over all corners."""
    off = 0.0
    for labels in (LABELS, np.roll(LABELS, 1), np.array([1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0])):
        for weights in (np.ones(8), WEIGHTS):
            low, high = best_interval(VALUES, labels, weights)
            interval = bias.bias_interval(VALUES, labels, weights, False)
            off = max(
                off, difference(interval, (low, high)), difference(bias.middle_bias(*interval), 0.5 * (low + high))
            )
        low, high = best_interval(VALUES, labels, np.ones(8))
        best = bias.best_biases(np.stack([VALUES, -VALUES]), labels)
        off = max(off, difference(best[0], 0.5 * (low + high)))
        W, P = np.array([[0.5], [-1.5]]), VALUES[:, None]
        for with_bias in (True, False):
            wanted = [
                sum_of_hinges(
                    w * VALUES, labels, np.ones(8), sum(best_interval(w * VALUES, labels, np.ones(8))) / 2.0 * with_bias
                )
                for w in W[:, 0].tolist()
            ]
            off = max(off, difference(bias.hinges(P, labels, W, with_bias), wanted))
    apart = np.where(VALUES > 0.3, 3.0 + VALUES, VALUES - 2.0)
    sides = np.where(VALUES > 0.3, 1.0, -1.0)
    hard = (
        max(1.0 - a for a, t in zip(apart, sides, strict=True) if t > 0),
        min(-1.0 - a for a, t in zip(apart, sides, strict=True) if t < 0),
    )
    unique = bias.bias_is_unique(0.5, 0.5), bias.bias_is_unique(0.5, 0.6), bias.bias_is_unique(0.5, 0.5001)
    one_class = [
        bias.middle_bias(-math.inf, 2.0),
        bias.middle_bias(1.5, math.inf),
        bias.middle_bias(-math.inf, math.inf),
    ]
    for sign, hard_margin in itertools.product((1.0, -1.0), (True, False)):
        for p in (1.0, FRACTIONS[1:]):  # y (g + b) >= p at every point, so b is beyond the farthest corner
            corners = (sign * p - VALUES).tolist()
            bounds = (max(corners), math.inf) if sign > 0 else (-math.inf, min(corners))
            if np.ndim(p) and hard_margin:
                continue
            off = max(off, difference(bias.bias_interval(VALUES, sign * np.ones(8), WEIGHTS, hard_margin, p), bounds))
        corners = (sign - VALUES).tolist()
        best = bias.best_biases(np.stack([VALUES, 1.0 + VALUES]), sign * np.ones(8))
        end = max(corners) if sign > 0 else min(corners)
        off = max(off, difference(best, (end, end - 1.0)))
    return max(
        off,
        difference(bias.bias_interval(apart, sides, np.ones(8), True), hard),
        difference(unique, (True, False, False)),
        difference(one_class, (2.0, 1.5, 0.0)),
    )


@cache
def error_of_solution_bias() -> float:
    """Compare b of the solutions with a bias, and all optimal b, with a search over all corners of the hinge losses."""
    off = 0.0
    for e in solutions():
        data, C = e.problem.data, prices(e.problem)
        if not e.problem.bias or e.problem.hard:
            continue
        g = (e.alpha * data.y) @ gram(e.problem.kernel, data.X, data.X)
        hinge_sums = [sum_of_hinges(g, data.y, C, b) for b in (e.b, *e.b_interval)]
        corners = data.y - g
        low, high = min(sum_of_hinges(g, data.y, C, b) for b in corners.tolist()), e.b_interval
        off = max(
            off,
            difference(hinge_sums, [low] * 3),
            difference(e.b, 0.5 * (high[0] + high[1])),
            0.0 if sum_of_hinges(g, data.y, C, high[1] + 0.05) > low + 1e-9 else 1.0,
            0.0 if sum_of_hinges(g, data.y, C, high[0] - 0.05) > low + 1e-9 else 1.0,
        )
    return off


@cache
def error_of_path() -> float:
    """Compare solutions and multipliers on the path with solutions at single C, and its limit with the hard margin.

    At a breakpoint the multipliers turn or a category changes. Between two breakpoints the multipliers are linear in C.
    """
    off, data = 0.0, Dataset(X, y)
    for p in (Problem(data, Linear()), Problem(data, Gaussian(1.3), costs=(2.0, 0.5)), Problem(APART, Linear())):
        whole_path = path.regularization_path(p)
        for C in (0.03, 0.4, 5.0):
            here = binary.solve(replace(p, C=C))
            off = max(
                off,
                difference(whole_path.alpha(C), here.alpha),
                difference(whole_path.at(C).alpha, here.alpha),
                difference(whole_path.at(C).problem.C, C),
            )
        breaks = whole_path.C[whole_path.C < 20.0]
        off = max(off, 0.0 if len(breaks) else 1.0)
        for low, high in itertools.pairwise(breaks):
            a, middle, b = (whole_path.alpha(low + part * (high - low)) for part in (0.2, 0.5, 0.8))
            off = max(off, difference(middle, 0.5 * (a + b)))
            alone = [binary.solve(replace(p, C=low + part * (high - low))) for part in (0.2, 0.8)]
            off = max(off, 0.0 if alone[0].categories == alone[1].categories else 1.0)
            off = max(off, difference(alone[0].states, alone[1].states))
        last = float(whole_path.C[-1])
        behind = [whole_path.alpha(last * times) for times in (1.001, 500.5005, 1000.0)]
        off = max(off, difference(behind[1], 0.5 * (behind[0] + behind[2])))
    hard = binary.solve(Problem(APART, Linear(), math.inf))
    limit = path.regularization_path(Problem(APART, Linear())).hard_margin_solution
    nothing = path.regularization_path(Problem(data, Linear())).hard_margin_solution
    return max(off, math.inf if limit is None else difference(limit.alpha, hard.alpha), 0.0 if nothing is None else 1.0)


@cache
def error_of_separability() -> float:
    """Check the answers about classes that are separable or not: a line, or weights that make a common point."""
    off = 0.0
    twins = Dataset([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0], [3.0, 0.0]], [1, 1, -1, -1])
    touching = Dataset([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 2.0]], [-1, -1, 1, 1])
    for data in (Dataset(X, y), APART, BALANCED, twins, touching):
        for with_bias in (True, False):
            separation = separability.separate(data, Linear(), with_bias)
            if separation.separable:
                assert separation.w is not None
                assert separation.b is not None
                worst = min(
                    t * (sum((separation.w * x).tolist()) + separation.b) for x, t in zip(data.X, data.y, strict=True)
                )
                off = max(off, 0.0 if worst > 0 and (with_bias or separation.b == 0) else 1.0)
            else:
                v = separation.weights
                assert v is not None
                both = [float(v[data.y > 0].sum()), float(v[data.y < 0].sum())]
                off = max(off, difference((v * data.y) @ data.X, np.zeros(2)), max(0.0, -float(v.min())))
                off = max(off, difference(both, [1.0, 1.0]) if with_bias else difference(sum(both), 1.0))
                both_labels = data is twins  # a point with both labels is itself the common point
                common = v[data.y > 0] @ data.X[data.y > 0] if with_bias else twins.X[0] if both_labels else np.zeros(2)
                off = max(off, math.inf if separation.point is None else difference(separation.point, common))
    apart = [separability.separate(data, Gaussian(1.0)).separable for data in (Dataset(X, y), twins)]
    linear = [separability.separate(data, Linear()).separable for data in (Dataset(X, y), APART, twins, touching)]
    one = separability.separate(Dataset([[1.0, 2.0]], [1]), Linear()).separable
    largest = max(kernel_value(Gaussian(1.0), x, x) for x in X.tolist())
    return max(
        off,
        difference(apart, (True, False)),
        difference(linear, (False, True, False, False)),
        difference((one, largest), (1, 1)),
    )
