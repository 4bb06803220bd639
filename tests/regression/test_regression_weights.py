"""Weights of single points in a regression: bounds, equal points, two other solvers, and what must not change."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVR

from svmlab import BadInput, Gaussian, Linear, Polynomial
from svmlab.regression import Tube, Values, certify, solve

KERNELS = [Linear(), Gaussian(1.0), Polynomial(2)]
PAIR = Values([[0.0], [1.0]], [0.0, 1.0])


def crowded(seed: int, m: int = 24) -> tuple[Values, np.ndarray]:
    """Whole coordinates and values, many points twice, weights that often differ where the points do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (m, 2)).astype(float)
    y = np.round(X[:, 0] - 0.5 * X[:, 1] ** 2 + rng.normal(size=m))
    return Values(X, y), rng.choice([0.25, 1.0, 3.0], m) * rng.choice([1.0, 1 / 3], m)


@pytest.mark.parametrize(
    ("weights", "fragments"),
    [
        ([1, 0], ["row 1", "0", "1e-100 to 1e+100"]),
        ([math.nan, 1], ["row 0", "nan"]),
        ([1], ["(1,)", "(2,)", "one weight for each point"]),
        (["a", 1], ["weights must be a list of numbers"]),
    ],
)
def test_bad_weights_are_refused_by_row_and_rule(weights, fragments):
    with pytest.raises(BadInput) as caught:
        Tube(PAIR, weights=weights)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_the_key_the_programs_and_the_words_know_the_weights():
    tubes = [Tube(PAIR, C=2.0, weights=weights) for weights in (None, [1, 1], [1, 2], [2, 1])]
    assert len({tube.key for tube in tubes}) == 3
    assert tubes[0].key == tubes[1].key
    assert "weights=array(2,)" in repr(tubes[2])
    assert tubes[2].bounds.tolist() == [2, 4]
    assert tubes[2].qp("dual").c.tolist() == [0] * 4 + [-2, -4, -2, -4]
    assert tubes[2].qp("primal").q.tolist() == [0, 0, 2, 4, 2, 4]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize(("C", "eps", "bias"), [(0.1, 0.25, True), (1.0, 0.0, False), (10.0, 0.1, True)])
def test_a_point_of_weight_k_is_k_equal_points(kernel, C, eps, bias):
    data, _ = crowded(0)
    weights = np.arange(data.m) % 3 + 1
    one = solve(Tube(data, kernel, C, eps, bias, weights))
    rows = np.repeat(np.arange(data.m), weights)
    copies = solve(Tube(Values(data.X[rows], data.y[rows]), kernel, C, eps, bias))
    assert copies.b == pytest.approx(one.b, abs=1e-11)
    assert copies.b_interval == pytest.approx(one.b_interval, abs=1e-11)
    assert np.bincount(rows, copies.beta) == pytest.approx(one.beta, abs=1e-10 * C)
    assert [copies.categories[i] for i in np.searchsorted(rows, np.arange(data.m))] == list(one.categories)
    assert copies.objective == pytest.approx(one.objective, rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("seed", range(3))
def test_two_other_solvers_find_the_same_value(kernel, seed):
    data, weights = crowded(seed)
    for C, eps, bias in [(0.1, 0.5, True), (3.0, 0.1, False), (20.0, 0.25, True)]:
        problem = Tube(data, kernel, C, eps, bias, weights)
        fit = solve(problem)
        assert certify(fit).is_optimal(1e-9)
        assert abs(fit.gap) < 1e-10
        assert (fit.alpha + fit.alpha_star <= problem.bounds * (1 + 1e-12)).all()
        for method in ("dual-qp", "primal-qp") if kernel != Gaussian(1.0) else ("dual-qp",):
            assert solve(problem, method).objective == pytest.approx(fit.objective, rel=1e-6)
        if bias:
            gamma = {"kernel": "linear"} if kernel == Linear() else {"kernel": lambda X, Z: kernel(X, Z)}
            other = SVR(C=C, epsilon=eps, tol=1e-9, **gamma).fit(data.X, data.y, sample_weight=weights)
            assert fit.decision(data.X) - fit.b == pytest.approx(
                other.predict(data.X) - other.intercept_[0], abs=1e-6 * max(1.0, C)
            )


def test_neither_the_order_nor_the_start_changes_a_bit():
    data, weights = crowded(3)
    order = np.random.default_rng(0).permutation(data.m)
    for kernel in KERNELS:
        problem = Tube(data, kernel, 1.0, 0.25, True, weights)
        fit = solve(problem)
        turned = solve(Tube(Values(data.X[order], data.y[order]), kernel, 1.0, 0.25, True, weights[order]))
        assert turned.alpha.tolist() == fit.alpha[order].tolist()
        assert turned.alpha_star.tolist() == fit.alpha_star[order].tolist()
        warm = solve(problem, start=solve(replace(problem, C=0.2, weights=weights[::-1])))
        assert warm.alpha.tolist() == fit.alpha.tolist()
        assert (warm.b, warm.b_interval) == (fit.b, fit.b_interval)


def test_equal_weights_are_another_c():
    data, _ = crowded(1)
    half, whole = solve(Tube(data, C=2.0, weights=[0.5] * data.m)), solve(Tube(data, C=1.0))
    assert half.beta == pytest.approx(whole.beta, abs=1e-13)
    assert half.b == pytest.approx(whole.b, abs=1e-13)


def test_predict_and_score_are_f_and_r_squared():
    fit = solve(Tube(crowded(0)[0]))
    data = fit.problem.data
    assert fit.predict(data.X).tolist() == fit.decision(data.X).tolist()
    residuals = data.y - fit.decision(data.X)
    assert fit.score(data.X, data.y) == pytest.approx(1 - residuals @ residuals / (data.m * data.y.var()), abs=1e-12)
    with pytest.raises(BadInput, match="values: all of them are 2"):
        fit.score(data.X[:2], [2, 2])
    with pytest.raises(BadInput, match="2 rows"):
        fit.score(data.X[:2], [1, 2, 3])
