"""Sizes far from 1: tiny C, points as they were measured, high degrees. Right to the bit, or refused with the way
out."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine

from svmlab import Dataset, Gaussian, Linear, NotExact, NotSeparable, Polynomial, Problem, SolverFailed, certify, solve
from svmlab.binary.advice import is_badly_scaled
from svmlab.binary.expansion import largest_absolute_sum
from svmlab.regression import Tube, Values
from svmlab.regression import solve as fit

KERNELS = [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.0)]


def lattice(rng):
    """Few whole numbers, halves or thirds, some points twice, one class larger as a rule."""
    m, r = int(rng.integers(3, 11)), int(rng.integers(1, 6))
    X = rng.integers(-r, r + 1, (m, 2)) / rng.choice([1, 1, 2, 3])
    X[rng.integers(m)] = X[rng.integers(m)]
    y = rng.choice([-1, 1], m, p=[0.3, 0.7])
    y[:2] = 1, -1
    return X, y


def test_the_round_off_of_an_expansion_is_that_of_its_largest_value_wherever_it_stands():
    X, c = np.array([[1.0], [-2.0]]), np.array([3.0, 0.5])
    # sum_i |c_i x_i z| = (3 * 1 + 0.5 * 2) |z| = 4 |z|, although the two terms have opposite signs.
    assert largest_absolute_sum(Linear(), X, c, np.array([[5.0], [1.0], [2.0]])) == 20.0
    assert largest_absolute_sum(Linear(), X, c, np.array([[1.0], [2.0], [-5.0]])) == 20.0
    assert largest_absolute_sum(Linear(), X, c, np.empty((0, 1))) == 0.0


def test_where_many_alphas_are_optimal_a_small_c_is_exact():
    """Two points of the one class balance the other: w = 0, and of all alpha the one of least norm is exactly this."""
    X = np.array([[-3, 5], [4, -3], [3, -4], [-5, -1], [0, 2], [-2, 4], [-2, 4], [2, -1]])
    y = np.array([1, 1, 1, 1, -1, 1, 1, -1])
    s = solve(Problem(Dataset(X, y), C=1e-6))
    assert s.status.startswith("exact")
    assert s.norm_w == 0
    assert (s.alpha / 1e-6).tolist() == [0, 1, 0, 0, 1, 0.5, 0.5, 1]
    assert s.b_interval == (1.0, 1.0)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_no_order_of_the_rows_changes_a_bit_where_c_is_tiny(kernel):
    rng = np.random.default_rng(7)
    for _ in range(60):
        X, y = lattice(rng)
        C, bias, order = 10.0 ** rng.integers(-12, -1), bool(rng.random() < 0.7), rng.permutation(len(y))
        with warnings.catch_warnings(action="error"):
            one = solve(Problem(Dataset(X, y), kernel, C, bias))
            other = solve(Problem(Dataset(X[order], y[order]), kernel, C, bias))
        assert one.proven, (X.tolist(), y.tolist(), C, bias)
        assert other.alpha.tolist() == one.alpha[order].tolist()
        assert other.states.tolist() == one.states[order].tolist()
        assert (other.b, other.b_interval) == (one.b, one.b_interval)
        assert other.categories == tuple(one.categories[i] for i in order)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_below_some_c_nothing_changes_but_the_scale(kernel):
    rng = np.random.default_rng(8)
    for _ in range(30):
        X, y = lattice(rng)
        y[(y > 0).argmax()] = 1 if (y > 0).sum() != (y < 0).sum() else -1
        large, small = (solve(Problem(Dataset(X, y), kernel, C)) for C in (2.0**-24, 2.0**-44))
        assert small.alpha.tolist() == (large.alpha * 2.0**-20).tolist()
        assert small.categories == large.categories


def test_an_answer_beside_the_optimum_is_not_proven_at_a_tiny_c():
    s = solve(Problem(Dataset([[0, 0], [1, 0], [2, 1], [0, 3]], [1, -1, 1, 1]), C=1e-11))
    assert s.proven
    other = solve(Problem(Dataset([[0, 0], [1, 0], [2, 1], [0, 3]], [1, -1, 1, 1]), C=1e-11 * (1 - 1e-6)))
    moved = certify(type(s)(s.problem, other.alpha, s.b, s.b_interval, True, s.states, s.status))
    assert not moved.is_optimal()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3, 1e6, 1e8])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)], ids=lambda k: k.name)
def test_points_in_any_unit_are_proven_or_refused_with_the_way_out(factor, kernel):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1, -1)
    for place in (X * factor, X * [1, factor], X + factor):
        for C in (1e-6, 1.0, 1e6, math.inf):
            said = outcome(Problem(Dataset(place, y), kernel, C))
            assert (
                said == "proven"
                or (is_badly_scaled(place) and "Standardise" in said)
                or (math.isinf(C) and "separates" in said)
            )


def outcome(problem: Problem) -> str:
    with warnings.catch_warnings(action="ignore"):
        try:
            return "proven" if solve(problem).proven else "not proven"
        except (NotSeparable, SolverFailed) as refused:
            return str(refused)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3)], ids=lambda k: k.key)
def test_the_wines_are_solved_as_they_come(kernel):
    wine = load_wine()
    rows = wine.target < 2
    data = Dataset(wine.data[rows], np.where(wine.target[rows] == 0, 1, -1))
    for C in (1e-6, 1.0, 1e6, math.inf):
        s = solve(Problem(data, kernel, C))
        assert s.status.startswith("exact")
        assert s.proven


@pytest.mark.parametrize("degree", [7, 8])
def test_a_high_degree_leaves_no_point_out(degree):
    """Beside (65)^8 the image of a point near 0 is tiny, and still a point of its own."""
    rng = np.random.default_rng(1)
    for _ in range(25):
        m = int(rng.integers(6, 60))
        X, y = rng.uniform(-8, 8, (m, 2)).round(3), np.r_[1, -1, rng.choice([-1, 1], m - 2)]
        with warnings.catch_warnings(action="error"):
            warnings.simplefilter("ignore", NotExact)
            s = solve(Problem(Dataset(X, y), Polynomial(degree), 10.0 ** rng.integers(-4, 2)))
        assert s.proven == (s.floor <= 1e-5)


def test_round_off_larger_than_a_margin_proves_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(-8, 8, (12, 1)).round(3), rng.uniform(-8, 8, 12).round(3)
    with pytest.warns(NotExact, match="rounding alone explains"):
        wild = fit(Tube(Values(X, y), Polynomial(7), 100.0))
    assert wild.noise > wild.problem.unit * 1e-2
    assert not wild.proven
    assert wild.certificate.is_optimal(wild.floor)  # a large floor is no proof


def test_where_w_is_0_rounding_does_not_make_it_something():
    rng = np.random.default_rng(0)
    for _ in range(150):
        half, r = int(rng.integers(3, 20)), int(rng.integers(2, 9))
        P, h = rng.integers(-r, r + 1, (half, 2)), np.r_[1, -1, rng.choice([-1, 1], half - 2)]
        data = Dataset(np.vstack([P, -P]) * 0.737, np.r_[h, h])
        for kernel in (Linear(), Polynomial(3, 0.0, 0.5)):
            assert solve(Problem(data, kernel, 10.0 ** rng.integers(-3, 5))).norm_w == 0
