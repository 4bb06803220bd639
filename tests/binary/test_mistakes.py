"""Mistakes that were made once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, certify, make_dataset, separate, solve


def test_the_primal_matrices_can_be_shown():
    assert Problem(Dataset([[1, 2], [3, 4]], [1, -1])).qp("primal").variables[:3] == ("b", "w1", "w2")


def test_the_hyperplane_that_proves_separability_separates():
    data = Dataset([[0.0, -0.1], [0.3, 0.3]], [1, 1])
    w = [Fraction(v) for v in separate(data, bias=False).w]
    assert all(sum(p * Fraction(q) for p, q in zip(w, x, strict=True)) > 0 for x in data.X)


@pytest.mark.parametrize("m", [7, 8, 40, 61])
def test_the_collinear_board_is_collinear_and_overlaps(m):
    data = make_dataset("collinear", m)
    assert data.X[:, 0].tolist() == (2 * data.X[:, 1]).tolist()
    assert not separate(data).separable


def test_the_order_of_the_rows_changes_no_bit_of_b():
    X, y = np.array([[0, 0], [0, 0], [0, 0.737]]), np.array([1, -1, -1])
    X, y = np.vstack([X, np.zeros((5, 2))]), np.r_[y, -np.ones(5)]
    rng, one = np.random.default_rng(0), solve(Problem(Dataset(X, y), C=3.0))
    for _ in range(30):
        p = rng.permutation(len(y))
        assert solve(Problem(Dataset(X[p], y[p]), C=3.0)).b == one.b


def test_a_warm_start_gives_the_bits_of_a_cold_one():
    one = Problem(Dataset([[0, 0], [0, 0], [0, -2], [0, 1]], [1, -1, -1, 1]), Polynomial(2), 0.25)
    two = Problem(Dataset([[0, 0], [0, -2], [0, 1]], [-1, -1, 1], [1, 2, 3]), Polynomial(2), 0.25)
    cold, warm = solve(two), solve(two, start=solve(one))
    assert (warm.alpha.tolist(), warm.b, warm.b_interval) == (cold.alpha.tolist(), cold.b, cold.b_interval)


def test_a_wide_gaussian_begins_with_an_earlier_answer_and_ends_at_its_own():
    """The largest entry of the centred kernel is far below 1, and the row of the moved point was not divided by it."""
    data = make_dataset("overlapping", 120, seed=1)
    one, moved = Problem(data, Gaussian(300.0), 1e3), np.array(data.X)
    moved[7] += 0.05
    two = Problem(Dataset(moved, data.y), Gaussian(300.0), 1e3)
    cold, warm = solve(two), solve(two, start=solve(one))
    assert warm.evaluation.kernel is not None
    assert (warm.alpha.tolist(), warm.b, warm.proven) == (cold.alpha.tolist(), cold.b, cold.proven)


def test_a_multiplier_of_round_off_size_is_not_free():
    X = [[0.25, -0.125], [-0.25, -0.125], [-0.25, 0.25], [-0.25, -0.25], [0, 0.25], [-0.25, 0.25], [0.4, 0.9]]
    y = [1, -1, 1, -1, -1, -1, 1]
    ids = [0, 1, 2, 3, 4, 5, 77]
    kernel = Polynomial(2)
    start = solve(Problem(Dataset(X[:6], y[:6]), kernel, 0.01))
    s = solve(Problem(Dataset(X, y, ids), kernel, 0.01), start=start)
    assert (s.alpha[s.free] > 1e-12 * 0.01).all()


def test_the_certificate_holds_for_a_tiny_c_where_the_hulls_meet():
    X = [
        [-0.234, 0.117],
        [-0.351, -0.234],
        [-0.234, 0.0],
        [-0.117, 0.234],
        [0.0, -0.117],
        [0.351, 0.117],
        [0.117, 0.234],
        [-0.117, 0.351],
        [-0.351, -0.117],
        [-0.234, -0.351],
        [0.351, -0.351],
        [0.0, 0.234],
    ]
    y = [1, -1, 1, -1, -1, -1, -1, 1, -1, 1, -1, -1]
    assert certify(solve(Problem(Dataset(X, y), Linear(), 1e-6))).is_optimal()
