"""Tubes of special shapes, warm starts, and the programs of regression that cvxopt solves, computed again."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from svmlab.binary.expansion import Evaluation
from svmlab.core.arrays import Array
from svmlab.kernels.standard import Gaussian, Linear, Polynomial
from svmlab.regression.epsilon_path import epsilon_path
from svmlab.regression.fit import Fit, certify
from svmlab.regression.programs import answers, dual, multipliers
from svmlab.regression.solve import solve as fit
from svmlab.regression.tube import Tube
from svmlab.regression.values import Values
from svmlab.statements.examples.binary_solutions import gram
from svmlab.statements.examples.differences import difference, rough

X = np.array([[-2.0], [-1.25], [-0.5], [0.25], [1.0], [1.5], [2.5]])
VALUES = np.array([1.4, 0.3, 0.7, 0.9, 2.6, 1.2, 2.9])
ODD = (1.0, 2.0, 0.5, 1.0, 3.0, 0.25, 1.0)
COUNTS = (1, 3, 1, 2, 2, 1, 1)  # whole weights, so that equal points can stand for them
ONES = (1.0,) * 7
FLAT = 1.3  # half the range of the values: from this eps on, w = 0
Z = np.array([[-1.0], [0.5], [3.0]])
Case = tuple[Tube, tuple[float, ...]]


def cases() -> tuple[Case, ...]:
    """Return tubes and the weight of each of their points.

    Among them are a tube without height, weights, no bias, values far from 0, points that occur twice with equal and
    with other values, a tube that contains all points and one that just does, and one with all multipliers at a bound.
    """
    data, weights = Values(X, VALUES), np.array(ODD)
    twice = Values(np.vstack([X, X[:3], X[5:]]), [*VALUES, *VALUES[:3], 2.0, 2.2])
    return (
        (Tube(data, Linear(), 0.6, 0.0), ONES),
        (Tube(data, Gaussian(1.1), 2.0, 0.0, weights=weights), ODD),
        (Tube(data, Linear(), 0.7, 0.0, bias=False, weights=weights), ODD),
        (Tube(data, Linear(), 0.8, 0.2, weights=weights), ODD),
        (Tube(data, Polynomial(2, 0.5, 1.0), 0.4, 0.15, bias=False), ONES),
        (Tube(Values(X + 40.0, 1e4 + 250.0 * VALUES), Linear(), 3.0, 20.0), ONES),
        (Tube(twice, Gaussian(0.8), 5.0, 0.1), (1.0,) * 12),
        (Tube(twice, Linear(), 0.05, 0.0), (1.0,) * 12),
        (Tube(data, Linear(), 0.01, 0.3), ONES),
        (Tube(data, Gaussian(1.0), 1.0, 2.0), ONES),
        (Tube(data, Gaussian(1.0), 1.0, 3.5, bias=False), ONES),
        (Tube(data, Linear(), 1.0, FLAT), ONES),
        (Tube(data, Linear(), 1.0, 2.9, bias=False), ONES),
        (Tube(Values(X, np.full(7, 0.5)), Linear(), 1.0, 0.0), ONES),
        (Tube(Values(np.zeros((7, 1)), VALUES), Linear(), 1.0, 0.1), ONES),
    )


def values_of(e: Fit, bounds: Array) -> tuple[float, float]:
    """Return the objectives of the primal and of the dual program, from the kernel values of the textbook."""
    tube, y = e.problem, e.problem.data.y
    K, beta = gram(tube.kernel, tube.data.X, tube.data.X), e.alpha - e.alpha_star
    outside = np.maximum(0.0, np.abs(y - (K @ beta + e.b)) - tube.eps)
    square = float(beta @ K @ beta)
    total = float((e.alpha + e.alpha_star).sum())
    return 0.5 * square + float(bounds @ outside), float(y @ beta) - tube.eps * total - 0.5 * square


@cache
def error_of_special_tubes() -> float:
    """Compare optima of special tubes with the definition, and with a warm start; moved multipliers are not proven."""
    off = 0.0
    for tube, weights in cases():
        bounds, e = tube.C * np.array(weights), fit(tube)
        start = fit(replace(tube, C=0.5 * tube.C, eps=tube.eps + 0.05))
        warm = fit(tube, start=start)
        off = max(
            off,
            difference(tube.bounds, bounds),
            _error_of_optimum(e, bounds),
            difference((warm.alpha, warm.alpha_star), (e.alpha, e.alpha_star)),
            difference((warm.b, *warm.b_interval), (e.b, *e.b_interval)),
            _error_of_moved(e, bounds),
        )
    return max(
        off,
        _error_of_constant_fits(),
        _error_of_repeated_points(),
        _error_of_other_rows(),
        _error_of_shared_multipliers(),
    )


def _error_of_shared_multipliers() -> float:
    """Compare the multipliers of points that are all on the edges of a tube with those of least norm.

    All points of a slope of 1/2 are moved up by eps right of 0 and down by eps left of 0. Then f(x) = x/2 is the
    flattest in the tube, and all beta of the right signs with sum 0 and sum of beta x = 1/2 are optimal. The sum of
    beta^2 / C_i is least where beta is C_i times a line.
    """
    off, x = 0.0, np.array([-3.0, -2.5, -2.0, 2.0, 2.25, 3.0])
    for weights, eps in ((np.ones(6), 0.25), (np.array([1.0, 2.0, 0.5, 1.0, 1.0, 3.0]), 0.25), (np.ones(6), 0.0)):
        e = fit(Tube(Values(x[:, None], 0.5 * x + eps * np.sign(x)), Linear(), 10.0, eps, weights=weights))
        A = np.stack([np.ones(6), x])
        beta = weights * (np.linalg.solve((A * weights) @ A.T, [0.0, 0.5]) @ A)
        off = max(
            off,
            rough(difference(e.beta, beta), 1e-8),
            rough(difference((e.alpha, e.alpha_star), (np.maximum(beta, 0.0), np.maximum(-beta, 0.0))), 1e-8),
            rough(difference(e.predict(Z), 0.5 * Z[:, 0]), 1e-8),
            1.0 if e.alpha_unique else 0.0,
        )
    alone = fit(cases()[0][0]), fit(cases()[3][0])
    return max(off, 0.0 if all(e.alpha_unique for e in alone) else 1.0)


def _error_of_optimum(e: Fit, bounds: Array) -> float:
    """Check that multipliers are feasible and optimal, and compare states, categories' sides and the interval of b."""
    tube, y = e.problem, e.problem.data.y
    K, beta, total = gram(tube.kernel, tube.data.X, tube.data.X), e.alpha - e.alpha_star, e.alpha + e.alpha_star
    g, unit, scale = K @ beta, float(bounds.max()), max(1.0, float(np.abs(y).max()))
    primal, dual_value = values_of(e, bounds)
    outside = max(0.0, *(-e.alpha), *(-e.alpha_star), *(total - bounds), *np.minimum(e.alpha, e.alpha_star)) / unit
    states = [1 if a >= c * (1 - 1e-9) else 0 if a > 1e-9 * c else -1 for a, c in zip(total, bounds, strict=True)]
    lo, hi = _ends_of_bias(y - g, bounds, tube.eps, tube.bias)
    return max(
        rough(outside, 1e-9),
        rough(abs(float(beta.sum())) / unit if tube.bias else 0.0, 1e-9),
        rough(abs(primal - dual_value) / max(1.0, primal), 1e-8),
        rough(difference((e.objective, e.dual_objective), (primal, dual_value)), 1e-8),
        difference(e.states, states),
        difference((e.at_bound, e.free), [np.array(states) == s for s in (1, 0)]),
        rough(difference(e.b_interval, (lo, hi)), 1e-8),
        rough(abs(e.b - (0.5 * (lo + hi))) / scale, 1e-8),
        difference(e.beta, beta),
        0.0 if e.proven else 1.0,
    )


def _ends_of_bias(r: Array, bounds: Array, eps: float, bias: bool) -> tuple[float, float]:
    """Return the least and the largest b with the smallest sum of C_i max(0, |r_i - b| - eps); r_i = y_i - <w, x_i>.

    The sum is convex with corners at r_i +- eps, so the minimum is at a corner.
    """
    if not bias:
        return 0.0, 0.0
    corners = np.sort(np.r_[r - eps, r + eps])
    sums = np.maximum(0.0, np.abs(r - corners[:, None]) - eps) @ bounds
    minimisers = corners[sums <= float(sums.min()) + 1e-9 * max(1.0, float(sums.max()))]
    return float(minimisers[0]), float(minimisers[-1])


def _error_of_moved(e: Fit, bounds: Array) -> float:
    """Compare the certificate of moved multipliers with its definition."""
    moved = replace(e, alpha=1.1 * e.alpha + 0.02, b=e.b + 0.3, evaluation=Evaluation())
    tube, y = e.problem, e.problem.data.y
    K, beta = gram(tube.kernel, tube.data.X, tube.data.X), moved.alpha - moved.alpha_star
    r, unit = y - (K @ beta + moved.b), 0.5 * float(np.ptp(y)) if tube.bias else float(np.abs(y).max())
    unit, kappa = unit or tube.eps or 1.0, float(K.diagonal().max()) or 1.0
    parts = [
        abs(kappa * a - min(max(kappa * a - (tube.eps - side), 0.0), kappa * c))
        for multipliers_of, sign in ((moved.alpha, 1.0), (moved.alpha_star, -1.0))
        for a, side, c in zip(multipliers_of, sign * r, bounds, strict=True)
    ]
    certificate = certify(moved)
    primal, dual_value = values_of(moved, bounds)
    total = float((moved.alpha + moved.alpha_star).sum())
    stationarity = abs(float(beta.sum())) / total if tube.bias else 0.0
    return max(
        rough(difference(certificate.complementarity, max(parts) / unit), 1e-7),
        rough(difference(certificate.stationarity, stationarity), 1e-7),
        rough(difference((moved.objective, moved.dual_objective), (primal, dual_value)), 1e-8),
        rough(difference(certificate.gap, (primal - dual_value) / max(primal, abs(dual_value))), 1e-7),
        1.0 if moved.proven else 0.0,
    )


def _error_of_constant_fits() -> float:
    """Compare tubes that contain all points with a constant f, whose b can be anything that keeps them inside."""
    off, data = 0.0, Values(X, VALUES)
    for tube, lo, hi in (
        (Tube(data, Gaussian(1.0), 1.0, 2.0), 2.9 - 2.0, 0.3 + 2.0),
        (Tube(data, Linear(), 1.0, 1.5, weights=np.array(ODD)), 2.9 - 1.5, 0.3 + 1.5),
        (Tube(data, Linear(), 1.0, 3.5, bias=False), 0.0, 0.0),
    ):
        e = fit(tube)
        zero, b = np.zeros(7), 0.5 * (lo + hi)
        off = max(
            off,
            difference((e.alpha, e.alpha_star), (zero, zero)),
            difference((e.b, *e.b_interval, e.norm_w), (b, lo, hi, 0.0)),
            difference(e.predict(Z), np.full(3, b)),
            difference((e.states, e.support, e.sides), (-np.ones(7), zero, zero)),
            difference((e.objective, e.dual_objective, e.gap), np.zeros(3)),
            difference(e.alpha_unique is True, True),
        )
    return off


def _error_of_repeated_points() -> float:
    """Compare points of a whole weight with as many equal points: f, b, the value, and the sums of the multipliers."""
    off, at = 0.0, np.repeat(np.arange(7), COUNTS)
    for eps, C in ((0.2, 0.5), (0.0, 0.3)):
        few = fit(Tube(Values(X, VALUES), Linear(), C, eps, weights=np.array(COUNTS, dtype=float)))
        many = fit(Tube(Values(X[at], VALUES[at]), Linear(), C, eps))
        sums = np.bincount(at, many.beta)
        equal = max(float(np.ptp(many.beta[at == i])) for i in range(7))
        off = max(
            off,
            rough(difference(few.predict(Z), many.predict(Z)), 1e-9),
            rough(difference((few.b, *few.b_interval), (many.b, *many.b_interval)), 1e-9),
            rough(difference(few.objective, many.objective), 1e-9),
            rough(difference(few.beta, sums), 1e-9),
            rough(equal, 1e-9),
        )
    return off


def _error_of_other_rows() -> float:
    """Compare a start from other points, in another order and with other weights, with a cold start."""
    order = np.array([4, 0, 6, 2, 1])
    old = fit(Tube(Values(X[order], VALUES[order], order), Linear(), 2.0, 0.1, weights=np.array(ODD)[order]))
    for tube in (Tube(Values(X, VALUES), Linear(), 0.8, 0.2), Tube(Values(X, VALUES), Gaussian(1.0), 1.5, 0.0)):
        cold, warm = fit(tube), fit(tube, start=old)
        off = max(difference(warm.beta, cold.beta), difference((warm.b, *warm.b_interval), (cold.b, *cold.b_interval)))
        if off:
            return off
    return 0.0


@cache
def error_of_tube_programs() -> float:
    """Compare all entries of the programs of a tube with its sums, and without height the program in alpha - alpha*."""
    off, weights = 0.0, np.array(ODD)
    for bias, eps in ((True, 0.25), (False, 0.25), (True, 0.0), (False, 0.0)):
        tube = Tube(Values(X, VALUES), Linear(), 0.6, eps, bias, weights=weights)
        C, K, eye, zero = 0.6 * np.array(ODD), X @ X.T, np.eye(7), np.zeros((7, 7))
        qp, own = tube.qp("dual"), dual(tube)
        signs = [1.0] * 7 + [-1.0] * 7
        both = [f"{name}{i}" for name in ("alpha", "alpha_star") for i in range(1, 8)]
        wanted_P = [[s * t * K[i % 7, j % 7] for j, t in enumerate(signs)] for i, s in enumerate(signs)]
        off = max(
            off,
            difference(qp.P, wanted_P),
            difference(qp.q, [eps - s * VALUES[i % 7] for i, s in enumerate(signs)]),
            difference(qp.A, np.vstack([np.eye(14), -np.eye(14)])),
            difference(qp.c, np.r_[np.zeros(14), -C, -C]),
            difference(qp.E, [signs] if bias else np.zeros((0, 14))),
            difference(qp.e, np.zeros(int(bias))),
            0.0 if list(qp.variables) == both else 1.0,
        )
        u = np.linspace(-0.4, 0.5, 7)
        if eps > 0:
            alpha, star = multipliers(tube, np.r_[u, 2.0 * u])
            off = max(off, difference((alpha, star), (u, 2.0 * u)), difference(own.P, qp.P), difference(own.q, qp.q))
        else:
            alpha, star = multipliers(tube, u)
            off = max(
                off,
                difference((alpha, star), (np.maximum(u, 0.0), np.maximum(-u, 0.0))),
                difference((own.P, own.A[:7], own.A[7:]), (K, eye, -eye)),
                difference(own.q, -VALUES),
                difference(own.c, np.r_[-C, -C]),
                difference(own.E, np.ones((1, 7)) if bias else np.zeros((0, 7))),
                difference(own.e, np.zeros(int(bias))),
                0.0 if list(own.variables) == [f"beta{i}" for i in range(1, 8)] else 1.0,
            )
        qp, n = tube.qp("primal"), 1 + bias
        rows = np.hstack([np.ones((7, 1)), X]) if bias else X
        A = np.block([[rows, eye, zero], [-rows, zero, eye], [np.zeros((14, n)), np.eye(14)]])
        names = ["b"] * bias + ["w1"] + [f"{name}{i}" for name in ("xi", "xi_star") for i in range(1, 8)]
        off = max(
            off,
            difference(qp.P, np.diag([0.0] * bias + [1.0] + [0.0] * 14)),
            difference(qp.q, np.r_[np.zeros(n), C, C]),
            difference(qp.A, A),
            difference(qp.c, np.r_[VALUES - eps, -VALUES - eps, np.zeros(14)]),
            difference((qp.E.shape, qp.e.shape * 2), ((0, n + 14), (0, 0))),
            0.0 if list(qp.variables) == names else 1.0,
        )
    return off


@cache
def error_of_epsilon_grid() -> float:
    """Compare the eps that are taken by default, and where w = 0 on their path, with their definition."""
    off = 0.0
    for values, bias, flat in ((VALUES[:4], True, 0.55), (np.full(4, 2.0), True, 0.0)):
        path = epsilon_path(Tube(Values(X[:4], values), Linear(), 1.0, 0.5, bias))
        grid = np.array([(1.1 * flat if flat else 1.0) * k / 40 for k in range(41)])
        off = max(
            off,
            difference(path.eps, grid),
            difference(path.objective > 0, grid < flat),
            difference((path.norm_w[grid > flat], path.count[grid > flat]), np.zeros((2, int((grid > flat).sum())))),
            rough(max(0.0, float(np.diff(path.objective).max())), 1e-9),
        )
    return off


@cache
def error_of_second_opinions() -> float:
    """Compare cvxopt's results for both programs of a tube with the definition, and with the exact optimum."""
    off = 0.0
    for tube, weights in (cases()[0], cases()[2], cases()[3], cases()[8], cases()[9]):
        exact, bounds = fit(tube), tube.C * np.array(weights)
        for method in ("dual-qp", "primal-qp") if tube.kernel.is_linear else ("dual-qp",):
            e = fit(tube, method)
            primal, dual_value = values_of(e, bounds)
            lo, hi = exact.b_interval
            off = max(
                off,
                rough(difference(e.predict(Z), exact.predict(Z) - exact.b + e.b), 1e-4),
                rough(max(0.0, lo - e.b, e.b - hi), 1e-4),
                0.0 if (exact.states == 0).any() else rough(difference(e.b_interval, (lo, hi)), 1e-4),
                rough(difference((primal, dual_value), (exact.objective,) * 2), 1e-5),
                rough(max(0.0, *(e.alpha + e.alpha_star - bounds), *(-e.alpha), *(-e.alpha_star)), 1e-7),
                0.0 if e.status != exact.status and e.alpha_unique is None else 1.0,
                difference((e.states > 0, e.states < 0), (exact.states > 0, exact.states < 0)),
            )
            a, b, w, gap = next(answers(tube, method))
            signed = a[:7] - a[7:]
            off = max(
                off,
                rough(difference(signed, exact.beta), 1e-4),
                rough(abs(b) if not tube.bias else max(0.0, lo - b, b - hi), 1e-4),
                0.0 if (w is None) == (method == "dual-qp") and 0.0 <= gap < 1e-5 else 1.0,
                math.inf if w is None and method == "primal-qp" else 0.0,
                0.0 if w is None else rough(difference(w, exact.beta @ X), 1e-4),
            )
    return off
