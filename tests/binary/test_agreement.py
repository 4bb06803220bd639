"""Solvers that share no code must find the same machine."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from svmlab import (
    DATASETS,
    Dataset,
    Gaussian,
    Linear,
    NotSeparable,
    Polynomial,
    Problem,
    Sigmoid,
    SolverFailed,
    make_dataset,
    solve,
)
from svmlab.solvers import cvxopt_backend

pytestmark = pytest.mark.blas

KERNELS = {"linear": Linear(), "quadratic": Polynomial(2), "gaussian": Gaussian(0.8)}
CASES = [(name, k) for name in DATASETS for k in KERNELS]


def distance(one, other, data: Dataset) -> float:
    """How far two functions are apart on the points and between them, b left out where it is an interval."""
    Z = np.vstack([data.X, 0.5 * (data.X + data.X[::-1])])
    shift = one.b - other.b if one.b_interval[0] < one.b_interval[1] else 0.0
    f = one.decision(Z)
    return float(np.abs(f - other.decision(Z) - shift).max() / max(1.0, np.abs(f).max()))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "kernel"), CASES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_the_exact_method_and_the_two_quadratic_programs_agree(name, kernel, C, bias):
    data = make_dataset(name, 24, 0.3, seed=1)
    problem = Problem(data, KERNELS[kernel], C, bias)
    exact = solve(problem)
    others = ["dual-qp"] if kernel == "gaussian" else ["dual-qp", "primal-qp"]
    for other in (solve(problem, method) for method in others):
        assert distance(exact, other, data) < 2e-4
        assert other.objective == pytest.approx(exact.objective, rel=1e-5, abs=1e-5 * C * data.m)
        assert other.dual_objective == pytest.approx(exact.objective, rel=1e-5)
        assert exact.objective <= other.objective * (1 + 1e-8)
        lo, hi = exact.b_interval
        if bias:
            assert lo - 1e-4 <= other.b <= hi + 1e-4


@pytest.mark.parametrize(("name", "kernel"), CASES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_scikit_learn_gives_the_same_decision_function(name, kernel, C):
    data = make_dataset(name, 24, 0.3, seed=1)
    ours = solve(Problem(data, KERNELS[kernel], C))
    how = {
        "linear": {"kernel": "linear"},
        "quadratic": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
        "gaussian": {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)},
    }[kernel]
    theirs = SVC(C=C, tol=1e-8, **how).fit(data.X, data.y)
    f, g = ours.decision(data.X) - ours.b, theirs.decision_function(data.X) - theirs.intercept_[0]
    assert f == pytest.approx(g, abs=1e-3 * max(1.0, np.abs(f).max()))
    lo, hi = ours.b_interval
    assert lo - 1e-4 <= theirs.intercept_[0] <= hi + 1e-4
    if kernel == "linear":
        assert ours.w == pytest.approx(theirs.coef_[0], abs=1e-4 * max(1.0, ours.norm_w))


@pytest.mark.parametrize(("name", "kernel"), CASES)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_the_hard_margin_is_solved_by_all_solvers_or_refused(name, kernel, bias):
    data = make_dataset(name, 24, 0.05, seed=1)
    problem = Problem(data, KERNELS[kernel], math.inf, bias)
    try:
        exact = solve(problem)
    except NotSeparable:
        assert solve(Problem(data, KERNELS[kernel], 1e5, bias)).xi.max() > 0.5
        return
    assert distance(exact, solve(problem, "dual-qp"), data) < 1e-4
    if kernel != "gaussian":
        assert distance(exact, solve(problem, "primal-qp"), data) < 1e-4
    assert exact.margins.min() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_every_method_gives_the_same_categories(C):
    problem = Problem(make_dataset("overlapping", 30, seed=4), C=C)
    by_method = {method: solve(problem, method).categories for method in ("exact", "dual-qp", "primal-qp")}
    assert by_method["exact"] == by_method["dual-qp"] == by_method["primal-qp"]


THREE = Dataset([[1, 0], [-1, 0], [2, 1]], [1, -1, 1])  # alpha = (1/2, 1/2, 0), however large C


@pytest.mark.parametrize("C", [1e-6, 1e-3, 1.0, 1e4, 1e5, 1e6, 1e8, math.inf])
@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
def test_three_points_have_the_same_svm_by_all_solvers_at_every_c(method, C):
    s = solve(Problem(THREE, C=C), method)
    assert s.objective == pytest.approx(solve(Problem(THREE, C=C)).objective, rel=1e-9)
    if C >= 1:
        assert s.objective == pytest.approx(0.5, rel=1e-9)
        assert s.alpha == pytest.approx([0.5, 0.5, 0.0], abs=1e-9)
        assert s.support.tolist() == [True, True, False]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("C", [1e-6, 1e-3, 10.0, 1e4, 1e5, 1e6, math.inf])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_both_programs_come_within_a_millionth_of_the_optimal_value(name, C, bias):
    for kernel in (Linear(), Polynomial(2), Polynomial(3), Gaussian(0.8), Sigmoid(0.5)):
        problem = Problem(make_dataset(name, 16, 0.2, seed=1), kernel, C, bias)
        try:
            best = solve(problem).objective
        except (NotSeparable, SolverFailed):
            continue
        for method in ("dual-qp", "primal-qp") if problem.kernel.feature_dim(2) else ("dual-qp",):
            assert solve(problem, method).objective == pytest.approx(best, rel=1e-6), (kernel.key, method)


def test_the_newton_step_is_the_short_one_where_rounding_alone_makes_a_matrix_regular():
    M = np.array([[1.0, 1.0], [1.0, 1.0 + 2.3e-16]])  # solved as it stands: (-3, 5), with nothing left
    assert cvxopt_backend._newton(M, np.ones(2), np.array([2.0, 2.000000000000001])) == pytest.approx(
        [1.0, 1.0], abs=1e-12
    )


@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
@pytest.mark.parametrize("C", [1.0, math.inf])
def test_an_answer_that_cannot_be_proven_is_no_solution(method, C, monkeypatch):
    problem = Problem(make_dataset("separable", 16, 0.2, seed=1), C=C)
    answers = cvxopt_backend.qp_answers

    def off(qp):
        for answer in answers(qp):
            yield replace(answer, u=0.999 * answer.u, inequality=0.999 * answer.inequality)

    monkeypatch.setattr(cvxopt_backend, "qp_answers", off)
    with pytest.raises(SolverFailed, match="method='exact'"):
        solve(problem, method)
