"""Many triples at once against all directions and the sine, smallest balls against a search, ways between hulls against
the solver."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Gaussian, Linear, Polynomial
from svmlab.generalisation import (
    circumradii,
    hull_margins,
    least_margins,
    margins,
    shattering_margin,
    side_lengths,
    smallest_balls,
    swept_margins,
    triples,
)

corners = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=3)
HEXAGON = np.array([[2, 0], [1, 1.732], [-1, 1.732], [-2, 0], [-1, -1.732], [1, -1.732]])


def test_all_triples_and_each_once():
    row_triples = triples(6)
    assert row_triples.shape == (20, 3)
    assert len({tuple(rows) for rows in row_triples.tolist()}) == 20
    assert (np.diff(row_triples, axis=1) > 0).all()
    assert triples(2).shape == (0, 3)


@settings(max_examples=100, deadline=None)
@given(corners)
def test_margins_are_those_of_all_directions_and_circles_go_through_all_three(rows):
    X = np.array(rows, dtype=float)
    T = np.stack([X, 2 * X, X + 1])
    assert least_margins(T) == pytest.approx(swept_margins(X).min() * np.array([1, 2, 1]), abs=1e-12)
    u, v = X[0] - X[2], X[1] - X[2]
    sine = abs(
        math.sin(math.atan2(*u) - math.atan2(*v))
    )  # twice the radius is a side by the sine of the angle before it
    if sine < 1e-9 or not u.any() or not v.any() or (X[0] == X[1]).all():
        assert math.isinf(circumradii(T[:1])[0])
    else:
        assert circumradii(T) == pytest.approx(math.dist(X[0], X[1]) / (2 * sine) * np.array([1, 2, 1]))
    assert side_lengths(T)[0] == pytest.approx([math.dist(X[1], X[2]), math.dist(X[2], X[0]), math.dist(X[0], X[1])])


@settings(max_examples=100, deadline=None)
@given(corners, st.floats(0, 2 * math.pi))
def test_no_ball_around_three_places_is_smaller(rows, turn):
    X = np.array(rows, dtype=float)
    radii, centres = smallest_balls(X[None])
    assert np.hypot(*(X - centres[0]).T).max() == pytest.approx(radii[0], abs=1e-9)
    for step in (1e-3, 0.1, 1.0):
        moved_centre = centres[0] + step * np.array([math.cos(turn), math.sin(turn)])
        assert np.hypot(*(X - moved_centre).T).max() >= radii[0] - 1e-12


@settings(max_examples=60, deadline=None)
@given(corners)
def test_no_three_places_have_more_margin_than_three_quarters_of_their_ball(rows):
    T = np.array([rows], dtype=float)
    assert least_margins(T)[0] <= shattering_margin(3) * smallest_balls(T)[0][0] + 1e-12


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Gaussian(0.3), Polynomial(3)])
@pytest.mark.parametrize("seed", range(4))
def test_margins_between_hulls_are_those_of_the_solver(kernel, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (5, 2)).astype(float) if seed == 3 else rng.normal(0, 1.5, (5, 2)).round(3)
    K = kernel(X, X)
    labelling_margins = hull_margins(K)
    assert labelling_margins[[0, -1]].tolist() == [math.inf, math.inf]
    unit = math.sqrt(K.diagonal().max())
    assert labelling_margins[1:-1] / unit == pytest.approx(margins(X, kernel)[1:-1] / unit, abs=1e-7)


def test_margins_between_hulls_of_the_hexagon():
    K = Gaussian(1.0)(HEXAGON, HEXAGON)
    assert [int((hull_margins(K) >= rho).sum()) for rho in (0.15, 0.35, 0.45, 0.55)] == [64, 62, 14, 2]


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_a_simplex_from_its_inner_products(k):
    assert hull_margins((k * np.eye(k) - 1) / (k - 1)).min() == pytest.approx(shattering_margin(k), abs=1e-12)


def test_coincident_points_have_margin_0():
    assert hull_margins(np.ones((3, 3)))[1:-1].tolist() == [0.0] * 6
    assert hull_margins(np.array([[2.0]])).tolist() == [math.inf, math.inf]
    with pytest.raises(BadInput, match=r"^k: "):
        hull_margins(np.eye(9))
