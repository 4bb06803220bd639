"""Circles around two or three points, the street of each labelling, and where the printed bound is below the truth
(G2)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from svmlab.generalisation import corrected_bound, margins, max_shattered_points, printed_bound, triple_margin
from svmlab.lab.lessons.generalisation.triangle import failing, least_circle, random_triples, splits

EQUILATERAL = np.array([[0, 3], [-2.598, -1.5], [2.598, -1.5]])
places = st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=2, max_size=3)


@settings(max_examples=200, deadline=None)
@given(places)
def test_the_circle_holds_all_points_and_none_smaller_does(rows):
    X = np.array(rows, dtype=float)
    assume(len(np.unique(X, axis=0)) > 1)
    centre, R = least_circle(X)
    assert np.hypot(*(X - centre).T).max() == pytest.approx(R)
    rng = np.random.default_rng(0)
    others = centre + rng.standard_normal((400, 2)) * R * rng.choice([1e-3, 0.1, 1.0], (400, 1))
    assert np.hypot(*(X[:, None] - others).T).max(axis=-1).min() >= R * (1 - 1e-9)


@settings(max_examples=200, deadline=None)
@given(places)
def test_the_streets_are_those_of_the_exact_solver(rows):
    """Distances against the hard margin of each labelling."""
    X = np.array(rows, dtype=float)
    assume(len(np.unique(X, axis=0)) > 1)
    each = splits(X)
    assert len(each) == (1 if len(X) == 2 else 3)
    assert each[0].margin == pytest.approx(margins(X).min(), abs=1e-8)
    assert [s.margin for s in each] == sorted(s.margin for s in each)
    for split in each:
        y = np.where(np.arange(len(X)) == split.row, 1.0, -1.0)
        if split.line is None:
            assert split.margin <= 1e-9
        else:
            assert split.line.margin(X, y) == pytest.approx(split.margin, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(places)
def test_no_points_have_more_than_what_shatters_as_many(rows):
    X = np.array(rows, dtype=float)
    assume(len(np.unique(X, axis=0)) > 1)
    _centre, R = least_circle(X)
    assert max_shattered_points(splits(X)[0].margin * (1 - 1e-9), R) >= len(X)


def test_the_equilateral_triangle_has_three_quarters_and_two_points_all_of_it():
    _centre, R = least_circle(EQUILATERAL)
    assert pytest.approx(3, abs=1e-3) == R
    assert [s.margin / R for s in splits(EQUILATERAL)] == pytest.approx([0.75] * 3, abs=1e-3)
    two = np.array([[-1.8, -2.4], [1.8, 2.4]])
    assert splits(two)[0].margin == pytest.approx(least_circle(two)[1]) == pytest.approx(3)


def test_three_on_a_line_have_a_labelling_without_a_line():
    each = splits(np.array([[0, 0], [1, 1], [3, 3.0]]))
    assert (each[0].row, each[0].line, each[0].margin) == (1, None, 0.0)
    assert each[1].line is not None


def test_random_triples_come_near_three_quarters_and_stay_below():
    """The second way: .741 of 300 with the luckier of some seeds; never more than the formula."""
    best = [float(random_triples(300, seed).max()) for seed in range(6)]
    assert 0.70 < min(best) <= max(best) <= 0.75
    assert max(best) > 0.735
    turn = np.radians([90, 210, 330])
    assert triple_margin(np.column_stack([np.cos(turn), np.sin(turn)])) == pytest.approx(0.75)


@pytest.mark.parametrize("d", [2, 3, 4, 10])
def test_the_print_fails_exactly_where_it_is_said_to(d):
    assert failing(2) == ((pytest.approx(1 / math.sqrt(2)), pytest.approx(0.75)),)
    rho = np.linspace(0.05, 1.4, 4001)
    fails = np.array([printed_bound(r, d=d) < max_shattered_points(r, d=d) for r in rho])
    said = np.any([(rho > lo) & (rho <= hi) for lo, hi in failing(d)], axis=0)
    assert np.array_equal(fails, said)
    assert fails.any()
    assert all(corrected_bound(r, d=d) >= max_shattered_points(r, d=d) for r in rho)
