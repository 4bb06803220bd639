"""All labellings of a few points: exact separation against Radon's partitions, hard margins against directions (G6,
G7)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Gaussian, Linear, Polynomial, Sigmoid
from svmlab.generalisation import (
    circuits,
    count_with_margin,
    feature_radius,
    labellings,
    labels,
    margins,
    refuting_circuit,
    swept_margins,
)
from svmlab.plane.geometry import widest_with_normal

HEXAGON = np.array([[2, 0], [1, 1.732], [-1, 1.732], [-2, 0], [-1, -1.732], [1, -1.732]])
GENERAL = np.array([[0, 0], [3, 0], [1, 2], [2, -1.0]])
places = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("X", "separable"),
    [
        (GENERAL, 14),
        ([[0, 0], [2, 0], [0, 2], [0.5, 0.5]], 14),  # one inside the triangle of the others
        ([[0, 0], [1, 0], [2, 0], [1, 2]], 12),
        ([[0, 0], [1, 0], [2, 0], [3, 0]], 8),
        ([[0, 0], [1, 0], [0, 1]], 8),
        ([[0, 0], [1, 0], [2, 0]], 6),
    ],
)
def test_how_many_labellings_a_line_makes(X, separable):
    X = np.array(X, dtype=float)
    known = circuits(X)
    assert sum(one.separable for one in labellings(X)) == separable
    assert sum(refuting_circuit(known, y) is None for y in labels(len(X))) == separable
    assert count_with_margin(margins(X), 0) == separable
    assert count_with_margin(swept_margins(X), 0) == separable


def test_three_on_a_line_cannot_be_labelled_as_they_like():
    X = np.array([[0, 0], [1, 0], [2, 0.0]])
    y = np.array([1, -1, 1.0])
    circuit = refuting_circuit(circuits(X), y)
    assert circuit is not None
    assert circuit.point == pytest.approx([1, 0])
    assert circuit.weights == pytest.approx([0.5, -1, 0.5]) or circuit.weights == pytest.approx([-0.5, 1, -0.5])


@settings(max_examples=60, deadline=None)
@given(places)
def test_each_labelling_has_its_proof(rows):
    """A line with every point on its side, or weights of one common point; and Radon agrees without a look at any
    line."""
    X = np.array(rows, dtype=float)
    known = circuits(X)
    for one in labellings(X):
        circuit = refuting_circuit(known, one.y)
        assert one.separable == (circuit is None)
        if circuit is None:
            assert (one.y * (X @ one.separation.w + one.separation.b) > 0).all()
            continue
        v = one.separation.weights
        plus = one.y > 0
        assert v[plus].sum() == pytest.approx(1)
        assert v[plus] @ X[plus] == pytest.approx(v[~plus] @ X[~plus])
        assert v[plus] @ X[plus] == pytest.approx(one.separation.point)
        assert np.count_nonzero(v) <= 4


@settings(max_examples=60, deadline=None)
@given(places)
def test_a_circuit_is_two_hulls_that_meet_in_its_point(rows):
    X = np.array(rows, dtype=float)
    for one in circuits(X):
        p = one.weights > 0
        assert 2 <= len(one.rows) <= 4
        assert one.weights[p].sum() == pytest.approx(1)
        assert one.weights[~p].sum() == pytest.approx(-1)
        assert one.weights[p] @ X[one.rows][p] == pytest.approx(one.point, abs=1e-12)
        assert -one.weights[~p] @ X[one.rows][~p] == pytest.approx(one.point, abs=1e-12)
        y = np.ones(len(X))
        y[one.rows] = np.where(p, 1, -1)
        assert one.refutes(y)
        assert one.refutes(-y)
        y[one.rows[0]] *= -1
        assert not one.refutes(y)


def test_four_points_have_one_radon_partition():
    (one,) = circuits(GENERAL)
    assert len(one.rows) == 4
    assert [y.tolist() for y in labels(4) if one.refutes(y)] == [[-1, -1, 1, 1], [1, 1, -1, -1]]
    assert one.point == pytest.approx([5 / 3, 0])


def test_in_space_five_points_are_needed():
    X = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.3, 0.1]])
    (one,) = circuits(X)
    assert len(one.rows) == 5
    assert sum(one.separable for one in labellings(X)) == 30


def test_eight_points_in_general_position():
    """Cover's count: 2 (binom(7, 0) + binom(7, 1) + binom(7, 2)) = 58."""
    X = np.random.default_rng(0).normal(size=(8, 2)).round(3)
    known = circuits(X)
    assert sum(refuting_circuit(known, y) is None for y in labels(8)) == 58
    assert sum(one.separable for one in labellings(X)) == 58
    swept, solved = swept_margins(X), margins(X)
    assert swept[1:-1] == pytest.approx(solved[1:-1], abs=1e-9)
    assert swept[0] == solved[0] == math.inf


@pytest.mark.parametrize(
    ("kernel", "counts"),
    [
        (Linear(), [32, 32, 20, 8, 2]),
        (Polynomial(2), [62, 62, 32, 2, 2]),
        (Polynomial(3), [64, 64, 46, 20, 2]),
        (Gaussian(1.0), [64, 64, 62, 14, 2]),
    ],
)
def test_a_margin_forbids_what_features_make_possible(kernel, counts):
    labelling_margins, R = margins(HEXAGON, kernel), feature_radius(HEXAGON, kernel)
    assert [count_with_margin(labelling_margins, rho * R) for rho in (0, 0.15, 0.35, 0.45, 0.55)] == counts
    assert sum(one.separable for one in labellings(HEXAGON, kernel)) == counts[0]


def test_margins_lie_where_the_counts_must_not_be_asked():
    relative_margins = margins(HEXAGON) / feature_radius(HEXAGON)
    for rho in (0.25, 0.5):
        assert np.abs(relative_margins - rho).min() < 1e-3
    squares = margins(HEXAGON, Polynomial(2)) / feature_radius(HEXAGON, Polynomial(2))
    assert np.abs(squares - 0.4).min() < 1e-3


@settings(max_examples=40, deadline=None)
@given(places)
def test_directions_give_the_solver_s_margins(rows):
    X = np.array(rows, dtype=float)
    assert swept_margins(X)[1:-1] == pytest.approx(margins(X)[1:-1], abs=1e-8)


def test_no_direction_of_a_fine_sweep_does_better():
    ys, best = labels(6), swept_margins(HEXAGON)
    for y, most in zip(ys[1:-1], best[1:-1], strict=True):
        widest = max(widest_with_normal(HEXAGON, y, a)[1] for a in np.linspace(0, 2 * np.pi, 721))
        assert widest <= most + 1e-12 or most == 0
        assert most - max(widest, 0) < 1e-4


def test_the_order_of_the_labellings():
    ys = labels(3)
    assert ys[0].tolist() == [1, 1, 1]
    assert ys[1].tolist() == [-1, 1, 1]
    assert np.array_equal(ys, -ys[::-1])
    assert len(np.unique(ys, axis=0)) == 8
    assert [one.y.tolist() for one in labellings(GENERAL[:3])] == ys.tolist()


def test_coincident_points():
    X = np.zeros((3, 2))
    assert [one.separable for one in labellings(X)] == [True] + [False] * 6 + [True]
    assert count_with_margin(swept_margins(X), 0) == count_with_margin(margins(X), 0) == 2
    assert sum(one.separable for one in labellings(X, Gaussian(1.0))) == 2


def test_long_work_reports_and_stops():
    seen = []
    margins(GENERAL, on_progress=seen.append)
    labellings(GENERAL, on_progress=seen.append)
    assert seen[6] == seen[-1] == 1.0

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        margins(GENERAL, on_progress=stop)


def test_what_cannot_be_is_said():
    with pytest.raises(BadInput, match=r"^k: 9 is not a whole number from 1 to 8"):
        labels(9)
    with pytest.raises(BadInput, match="feature space"):
        margins(GENERAL, Sigmoid())
    with pytest.raises(BadInput, match="plane"):
        swept_margins(np.zeros((2, 3)))
