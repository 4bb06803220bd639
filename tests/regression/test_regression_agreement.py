"""Solvers that share no code, and spaces that share no coordinates, must find the same tube."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVR

from svmlab import Gaussian, Linear, Polynomial, SolverFailed
from svmlab.regression import Fit, Tube, Values, certify, solve

pytestmark = pytest.mark.blas

KERNELS = [
    Linear(),
    Polynomial(2),
    Polynomial(3, 1.0, 0.5),
    Polynomial(3, 0.0),
    Gaussian(0.3),
    Gaussian(1.0),
    Gaussian(3.0),
]


def board(rng: np.random.Generator, largest: int = 13) -> Values:
    """Few points of a coarse lattice: doubled points, one place, one value, points on a line and on an edge are
    common."""
    m, d = int(rng.integers(1, largest)), int(rng.choice([1, 1, 2]))
    X = np.round(rng.integers(-4, 5, (m, d)) * rng.choice([1.0, 0.3, 0.117]), 3)
    y = np.round(rng.integers(-3, 4, m) * rng.choice([1.0, 0.3, 0.117]) + rng.choice([0.0, 5.0]), 3)
    X[:] = X[0] if rng.random() < 0.1 else X
    y[:] = y[0] if rng.random() < 0.1 else y
    if m > 1 and rng.random() < 0.3:
        X[1], y[1] = X[0], y[0]
    return Values(X, y)


def blur(*fits: Fit) -> float:
    """What the rounding of f makes of the value, at the price of every multiplier; and of the value of a level line."""
    spent = sum(fit.noise * float((fit.alpha + fit.alpha_star).sum()) for fit in fits)
    problem = fits[0].problem
    return spent + 1e-12 * problem.C * problem.data.m * problem.unit


def second_opinions(problem: Tube) -> dict[str, Fit | None]:
    """The answer to each program that can be written down, None where cvxopt has none."""
    opinions: dict[str, Fit | None] = {}
    for method in ("dual-qp", "primal-qp")[: 1 + (problem.kernel.feature_dim(problem.data.d) is not None)]:
        try:
            opinions[method] = solve(problem, method)
        except SolverFailed:
            opinions[method] = None
    return opinions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0, 10.0, 100.0])
def test_the_exact_method_and_the_two_quadratic_programs_agree(C):
    compared, unanswered = 0, []
    for seed in range(12):
        rng = np.random.default_rng([seed, int(1000 * C)])
        for _ in range(6):
            data, kernel = board(rng), KERNELS[rng.integers(len(KERNELS))]
            problem = Tube(data, kernel, C, float(rng.choice([0.0, 0.05, 0.1, 0.3, 0.5])), bool(rng.random() < 0.7))
            fit = solve(problem)
            for method, other in second_opinions(problem).items():
                where = (data.X.tolist(), data.y.tolist(), problem.kernel.key, problem.eps, problem.bias, method)
                if other is None:
                    unanswered.append(where)
                    continue
                compared += 1
                assert other.objective == pytest.approx(fit.objective, rel=1e-9, abs=blur(fit, other)), where
                assert (np.minimum(other.alpha, other.alpha_star) == 0).all(), where
                lo, hi = fit.b_interval
                shift = fit.b - other.b if lo < hi else 0.0
                assert lo - 1e-6 <= other.b <= hi + 1e-6, where
                if other.status.endswith("Newton step"):
                    apart = fit.decision(data.X) - other.decision(data.X) - shift
                    assert np.abs(apart).max() <= 1e-7 * max(1.0, problem.unit), where
    assert len(unanswered) <= 2, unanswered
    assert compared >= 100


def test_at_a_huge_c_cvxopt_is_never_better():
    compared, unanswered = 0, []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        for _ in range(8):
            data, kernel = board(rng), KERNELS[rng.integers(len(KERNELS))]
            problem = Tube(data, kernel, 1e5, float(rng.choice([0.0, 0.1, 0.3])), bool(rng.random() < 0.7))
            fit = solve(problem)
            assert certify(fit).is_optimal()
            for method, other in second_opinions(problem).items():
                if other is None:
                    unanswered.append((data.X.tolist(), data.y.tolist(), kernel.key, problem.eps, problem.bias, method))
                    continue
                compared += 1
                assert fit.objective <= other.objective * (1 + 1e-9) + blur(fit, other)
                dual = other.dual_objective
                assert dual <= fit.dual_objective + 1e-9 * abs(fit.dual_objective) + blur(fit, other)
    assert len(unanswered) <= 2, unanswered
    assert compared >= 70


@pytest.mark.parametrize("C", [1.0, 100.0, 1e5])
@pytest.mark.parametrize("kernel", [Polynomial(3, 0.0), Polynomial(3, 1.0, 0.5)], ids=["without 1", "with 1"])
def test_where_eps_is_0_the_multipliers_that_are_free_to_grow_cost_the_second_opinion_no_digits(kernel, C):
    """Neither alpha nor alpha* is unique then, only their difference; where all values are equal, the optimum is 0."""
    X = [[2.0, 4.0], [2.0, 4.0], [2.0, -3.0], [1.0, 3.0], [0.0, -4.0]]
    fit = solve(Tube(Values(X, np.full(5, -0.9)), kernel, C, 0.0), "dual-qp")
    assert fit.is_constant
    assert fit.b == pytest.approx(-0.9, abs=1e-14)
    assert fit.objective <= 1e-12 * C
    two = Tube(Values([[2.0, -2.0], [0.0, 3.0]], [-0.234, -0.117]), kernel, C, 0.0)
    other, fit = solve(two, "dual-qp"), solve(two)
    assert other.beta == pytest.approx(fit.beta, rel=1e-9)
    assert other.b == pytest.approx(fit.b, abs=1e-13)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e5])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_random_little_problems_satisfy_the_optimality_conditions_to_round_off(C, bias):
    rng = np.random.default_rng(11)
    for _ in range(150):
        data, kernel = board(rng), KERNELS[rng.integers(len(KERNELS))]
        fit = solve(Tube(data, kernel, C, float(rng.choice([0.0, 0.05, 0.1, 0.3])), bias))
        where = (data.X.tolist(), data.y.tolist(), kernel.key, fit.problem.eps)
        assert certify(fit).is_optimal(), (certify(fit), *where)
        assert (np.minimum(fit.alpha, fit.alpha_star) == 0).all(), where


def wave(m: int, seed: int = 0) -> Values:
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(-4, 4, m), 3)
    return Values(x[:, None], np.round(2 * np.sin(1.5 * x) + 0.4 * x + 0.3 * rng.standard_normal(m), 3))


@pytest.mark.parametrize("m", [60, 200, 320])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Polynomial(3, 1.0, 0.5)], ids=lambda k: k.name)
@pytest.mark.parametrize(("C", "eps"), [(1.0, 0.3), (100.0, 0.1), (10.0, 0.0)])
def test_many_points_are_solved_to_round_off(m, kernel, C, eps):
    assert certify(solve(Tube(wave(m), kernel, C, eps))).is_optimal()


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7), Polynomial(3, 1.0, 0.5)], ids=lambda k: k.name)
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("eps", [0.05, 0.4])
def test_scikit_learn_gives_the_same_tube(kernel, C, eps):
    data = wave(40)
    fit = solve(Tube(data, kernel, C, eps))
    how = {
        "linear": {"kernel": "linear"},
        "polynomial": {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1.0},
        "gaussian": {"kernel": "rbf", "gamma": 1 / (2 * 0.7**2)},
    }[kernel.name]
    theirs = SVR(C=C, epsilon=eps, tol=1e-9, **how).fit(data.X, data.y)
    Z = np.linspace(-4, 4, 21)[:, None]
    assert fit.decision(Z) == pytest.approx(theirs.predict(Z), abs=1e-3 * max(1.0, np.abs(fit.decision(Z)).max()))
    beta = np.zeros(40)
    beta[theirs.support_] = theirs.dual_coef_[0]
    if fit.alpha_unique:
        assert fit.beta == pytest.approx(beta, abs=1e-3 * C)
        assert fit.support.tolist() == (beta != 0).tolist()


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize(("C", "eps"), [(0.1, 0.0), (1.0, 0.3), (100.0, 0.2)])
def test_kernel_values_and_explicit_features_give_one_curve(bias, C, eps):
    data, kernel = wave(25), Polynomial(3, 1.0, 0.5)
    in_values = solve(Tube(data, kernel, C, eps, bias))
    lifted = Values(kernel.feature_map(data.X), data.y)
    in_features = solve(Tube(lifted, Linear(), C, eps, bias))
    primal = solve(replace(in_values.problem), "primal-qp")
    Z = np.linspace(-4, 4, 17)[:, None]
    f, size = in_values.decision(Z), np.abs(data.y).max()
    assert in_features.decision(kernel.feature_map(Z)) == pytest.approx(f, abs=1e-9 * size)
    assert primal.decision(Z) == pytest.approx(f, abs=1e-7 * size)
    assert in_features.objective == pytest.approx(in_values.objective, rel=1e-10)
    assert primal.objective == pytest.approx(in_values.objective, rel=1e-9)
    assert in_values.w == pytest.approx(in_features.w, abs=1e-9)
    square = in_values.beta @ in_values.problem.gram @ in_values.beta
    assert square == pytest.approx(in_values.norm_w**2, rel=1e-9, abs=blur(in_values))
    assert in_values.categories == in_features.categories == primal.categories


def others(fit: Fit) -> float:
    """How far another optimal alpha can be from that of `fit`, at most 1: the largest of |delta| over a few directions.

    f stays, so K delta and sum delta are 0; a multiplier leaves its bound inwards, and only where the edge is met.
    """
    problem, C = fit.problem, fit.problem.C
    on = np.abs(np.abs(fit.residuals) - problem.eps) <= 1e-8
    low, high = np.where(fit.sides < 0, -C, 0.0), np.where(fit.sides > 0, C, 0.0)
    if problem.eps == 0:
        low, high = np.full(len(on), -C), np.full(len(on), C)
    low, high = (np.where(on, end - fit.beta, 0.0) for end in (low, high))
    E = np.vstack([problem.gram, *([np.ones(len(on))] if problem.bias else [])]) / max(1.0, np.abs(problem.gram).max())
    _, s, Vt = np.linalg.svd(E)
    E = Vt[: int((s > 1e-12 * s[0]).sum())]
    A = np.vstack([np.eye(len(on)), -np.eye(len(on))])
    largest_change = 0.0
    for q in np.random.default_rng(0).standard_normal((4, len(on))):
        optimum = linprog(q, A_ub=-A, b_ub=-np.r_[low, -high] / C, A_eq=E, b_eq=np.zeros(len(E)), bounds=(None, None))
        largest_change = max(largest_change, float(np.abs(optimum.x).max()))
    return largest_change


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(4))
def test_alpha_is_unique_where_a_linear_program_shows_no_other(seed):
    rng, kinds = np.random.default_rng(seed), set()
    for _ in range(100):
        data, kernel = board(rng, 8), KERNELS[rng.choice([0, 0, 1, 2, 3])]
        C, eps = float(rng.choice([0.1, 0.25, 0.5, 1.0])), float(rng.choice([0.0, 0.0, 0.1, 0.3, 0.6]))
        fit = solve(Tube(data, kernel, C, eps, bool(rng.random() < 0.7)))
        if fit.problem.constant_fit_eps == 0:
            continue
        assert fit.alpha_unique == (others(fit) < 1e-7), (data.X.tolist(), data.y.tolist(), kernel.key, fit.problem.eps)
        kinds.add((fit.alpha_unique, fit.problem.eps == 0))
    assert len(kinds) == 4
