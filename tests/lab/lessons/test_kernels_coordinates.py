"""The coordinates behind a polynomial kernel against closed forms, and the numbers of the steps that show them (K1 to
K3)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Dataset, Polynomial, Problem, solve
from svmlab.core.errors import BadInput
from svmlab.kernels.features import (
    exponents,
    features_cost,
    gram_ranks,
    kernel_cost,
    monomial_count,
    monomial_features,
    monomial_weights,
    ordered_product_count,
    ordered_product_features,
    ordered_products,
    vanishing_polynomials,
    weighted_features,
)
from svmlab.lab.lessons.kernels.polynomials import Form, cuts, kernel_cuts, refuted, svm_with_features, where_zero

SHAPES = [(d, t) for d in (1, 2, 3) for t in (1, 2, 3, 4)]
ON_LINE = np.array([[-3.0, 0], [-1, 0], [0, 0], [1, 0], [2, 0], [4, 0]])
LABELS = np.array([1, -1, -1, 1, 1, 1])


def grains(d: int, m: int = 60, seed: int = 5):
    """Points in whole thousandths (m, d)."""
    return np.round(np.random.Generator(np.random.Philox(seed)).normal(0, 1.5, (m, d)), 3)


# ---------------------------------------------------------------- the coordinates


def test_on_the_line_they_are_the_powers():
    x = np.array([[-2.0], [0.5], [3.0]])
    np.testing.assert_array_equal(monomial_features(x, 3), [[1, -2, 4, -8], [1, 0.5, 0.25, 0.125], [1, 3, 9, 27]])
    np.testing.assert_array_equal(monomial_features(x, 3, constant=False), x**3)


def test_in_the_plane_lower_degrees_come_first():
    assert exponents(2, 2) == ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
    assert exponents(2, 2, constant=False) == ((2, 0), (1, 1), (0, 2))
    np.testing.assert_array_equal(monomial_features(np.array([[2.0, 3.0]]), 2), [[1, 2, 3, 4, 6, 9]])


def test_the_weights_of_degree_two_are_those_of_the_notes():
    root = math.sqrt(2)
    np.testing.assert_allclose(monomial_weights(1, 2, 1.0), [1, root, 1])
    np.testing.assert_allclose(monomial_weights(2, 2, 1.0), [1, root, root, 1, root, 1])
    np.testing.assert_allclose(
        monomial_weights(2, 2, 3.0), [3, math.sqrt(6), math.sqrt(6), 1, root, 1]
    )  # sqrt(2c), not sqrt(2) c
    np.testing.assert_allclose(monomial_weights(1, 3, 1.0), np.sqrt([1, 3, 3, 1]))
    np.testing.assert_allclose(monomial_weights(2, 2, 0.0), [0, 0, 0, 1, root, 1])


@pytest.mark.parametrize(("d", "t"), SHAPES)
@pytest.mark.parametrize("c", [0.0, 0.5, 1.0, 2.0])
def test_their_inner_product_is_the_kernel(d, t, c):
    X = grains(d, 9)
    K = (X @ X.T + c) ** t
    size = np.abs(K).max()
    for Phi in (weighted_features(X, t, c), ordered_product_features(X, t, c)):
        np.testing.assert_allclose(Phi @ Phi.T, K, atol=1e-12 * size)
    scaled = weighted_features(X, t, c, scale=0.5)
    np.testing.assert_allclose(scaled @ scaled.T, Polynomial(t, c, 0.5)(X, X), atol=1e-12 * size)


def test_halfway_the_weights_are_roots():
    X = grains(2, 4)
    at_2 = weighted_features(np.array([[2.0]]), 2, 1.0, power=0.5)[0]  # (1, 2^(1/4) x, x^2), in whatever order
    np.testing.assert_allclose(np.sort(at_2), [1.0, 2.0**1.25, 4.0])
    np.testing.assert_array_equal(weighted_features(X, 3, 2.0, power=0.0), monomial_features(X, 3))


def test_a_negative_constant_has_no_coordinates_and_a_pair_that_proves_it():
    with pytest.raises(BadInput, match=r"coef0: -1\.0 must be a finite number 0 or above"):
        monomial_weights(2, 2, -1.0)
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    K = Polynomial(2, -1.0, 1.0)(X, X)
    np.testing.assert_array_equal(K, [[0, 4], [4, 0]])
    np.testing.assert_allclose(np.linalg.eigvalsh(K), [-4, 4])


# ---------------------------------------------------------------- how many


@pytest.mark.parametrize(("d", "t"), SHAPES)
@pytest.mark.parametrize("constant", [True, False])
def test_they_are_as_many_as_the_formulas_say(d, t, constant):
    words = ordered_products(d, t, constant)
    assert len(words) == len(set(words)) == ordered_product_count(d, t, constant)
    assert (
        len({tuple(sorted(word)) for word in words}) == len(exponents(d, t, constant)) == monomial_count(d, t, constant)
    )
    assert ordered_product_features(grains(d, 2), t, float(constant)).shape[1] == ordered_product_count(d, t, constant)
    assert monomial_features(grains(d, 2), t, constant).shape[1] == Polynomial(t, float(constant), 1.0).feature_dim(d)
    if d > 1 and constant:
        assert ordered_product_count(d, t) == (d ** (t + 1) - 1) // (d - 1)


def test_the_three_counts_of_degree_two_in_the_plane():
    assert (ordered_product_count(2, 2), monomial_count(2, 2)) == (7, 6)
    assert ordered_product_count(1, 4) == 5  # where the quotient is 0/0


@pytest.mark.parametrize(("d", "t", "with_c", "without"), [(1, 2, 3, 1), (2, 2, 6, 3), (2, 3, 10, 4), (3, 2, 10, 6)])
def test_the_rank_of_more_and_more_points_stops_there(d, t, with_c, without):
    X = grains(d)
    for c, end in ((1.0, with_c), (0.0, without)):
        ranks = gram_ranks(X, t, c > 0)
        np.testing.assert_array_equal(ranks, np.minimum(np.arange(1, 61), end))
        values = np.linalg.eigvalsh(Polynomial(t, c, 1.0)(X, X))
        assert int((values > 1e-10 * values[-1]).sum()) == end


def test_on_a_circle_on_a_line_and_on_one_place_fewer_are_different():
    circle = np.array([[1.5, 2], [2, 1.5], [2.5, 0], [0, 2.5], [-1.5, 2], [-2, 1.5], [-2.5, 0], [0, -2.5], [1.5, -2]])
    assert gram_ranks(circle, 2).tolist() == [1, 2, 3, 4, 5, 5, 5, 5, 5]
    assert gram_ranks(ON_LINE, 2).tolist() == [1, 2, 3, 3, 3, 3]
    assert gram_ranks(np.ones((4, 2)), 2).tolist() == [1, 1, 1, 1]
    assert gram_ranks(np.zeros((3, 2)), 2, constant=False).tolist() == [0, 0, 0]


def test_one_conic_passes_through_five_points_and_none_through_six():
    X = grains(2, 6)
    assert [len(vanishing_polynomials(X[:n], 2)) for n in range(7)] == [6, 5, 4, 3, 2, 1, 0]
    (conic,) = vanishing_polynomials(X[:5], 2)
    assert np.abs(monomial_features(X[:5], 2) @ conic).max() < 1e-12
    assert abs(monomial_features(X[5:], 2) @ conic)[0] > 1e-3
    circle = np.array([[1.5, 2], [2, 1.5], [2.5, 0], [0, 2.5], [-1.5, 2], [-2, 1.5]])
    (through_circle,) = vanishing_polynomials(circle, 2)
    np.testing.assert_allclose(through_circle / through_circle[3], [-6.25, 0, 0, 1, 0, 1], atol=1e-12)


# ---------------------------------------------------------------- what they cost


def test_a_power_is_made_of_squares():
    assert [kernel_cost(2, t) - 2 for t in range(1, 10)] == [0, 1, 2, 2, 3, 3, 4, 3, 4]
    assert kernel_cost(100, 2) == 101
    assert features_cost(100, 2) == 5151
    assert features_cost(2, 2, constant=False) == 3


# ---------------------------------------------------------------- two machines on one line

PLAIN_CUTS = [-(1 + math.sqrt(5)) / 2, (math.sqrt(5) - 1) / 2]  # x^2 + x = 1: -1.618, .618
KERNEL_CUTS = [-1 - math.sqrt(2.5), -1 + math.sqrt(2.5)]  # x^2 + 2x = 3/2: -2.581, .581


def hard(c=1.0, degree=2):
    return Problem(Dataset(ON_LINE, LABELS), Polynomial(degree, c, 1.0), math.inf)


@pytest.mark.parametrize(
    ("power", "c", "ends"),
    [
        (0.0, 1.0, PLAIN_CUTS),
        (1.0, 1.0, KERNEL_CUTS),
        (1.0, 0.5, PLAIN_CUTS),  # with a free b, plain powers are the machine of c = 1/2
    ],
)
def test_plain_powers_cut_the_line_elsewhere(power, c, ends):
    q = svm_with_features(hard(c), Form(2, c, 1.0, power))
    np.testing.assert_allclose(cuts(q, 2, 8.0), ends, atol=1e-9)
    assert cuts(q, 2, 1.0) == pytest.approx(ends[1:])
    if power:
        kernel = solve(hard(c))
        np.testing.assert_allclose(kernel_cuts(kernel, 2, 8.0), ends, atol=1e-9)
        places = np.c_[ends, [1.7, -2.0]]
        np.testing.assert_allclose(kernel.decision(places), 0, atol=1e-9)  # upright lines: x2 = 0 for all points


def test_the_svm_on_the_features_is_the_svm_of_the_kernel():
    rng = np.random.Generator(np.random.Philox(9))
    X, y = np.round(rng.normal(0, 1.5, (12, 2)), 3), np.tile([1, -1], 6)
    Z = rng.normal(0, 2, (50, 2))
    for degree, c, scale in ((2, 1.0, 1.0), (3, 2.0, 0.5), (3, 0.0, 1.0)):
        problem = Problem(Dataset(X, y), Polynomial(degree, c, scale), 1.0)
        q = svm_with_features(problem, Form(degree, c, scale))
        np.testing.assert_allclose(monomial_features(Z, degree) @ q, solve(problem).decision(Z), atol=1e-6)


def test_without_the_constant_the_square_cannot_separate_opposite_points():
    assert svm_with_features(hard(0.0), Form(2, 0.0, 1.0)) is None


def test_a_curve_is_drawn_where_the_polynomial_is_zero():
    (circle,) = where_zero(np.array([-4.0, 0, 0, 1, 0, 1]), 2, True, 3.0)
    np.testing.assert_allclose(np.hypot(*circle.T), 2.0, atol=1e-3)
    two = where_zero(np.array([0.0, 1.0, 0.0]), 2, False, 3.0)
    assert all(np.minimum(abs(curve[:, 0]), abs(curve[:, 1])).max() < 1e-2 for curve in two)


def test_the_pair_that_refutes_a_kernel():
    assert refuted(Polynomial(2, 1.0, 1.0)(ON_LINE, ON_LINE)) is None
    assert refuted(Polynomial(2, -1.0, 1.0)(ON_LINE, ON_LINE)) == (1, 3)  # -1 and 1: 0, 4, 0
    assert refuted(np.array([[2.0, 0.0], [0.0, -0.7]])) == (1, 1)
