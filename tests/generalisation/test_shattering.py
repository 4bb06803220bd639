"""What a margin lets one label freely: the true number, E's bound and its repair (G2), and circles with their triangles
(G3, G8)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput
from svmlab.generalisation import (
    best_triple,
    circumradius,
    corrected_bound,
    labels,
    least_informative_margin,
    margins,
    max_shattered_points,
    printed_bound,
    shattering_margin,
    triple_margin,
)


def simplex(k, R=1.0):
    """k corners, equally far from each other, on a sphere of radius R around the origin, in k - 1 dimensions."""
    E = np.eye(k) - 1 / k
    X = E @ np.linalg.svd(E)[2][: k - 1].T
    return R * X / np.linalg.norm(X, axis=1).mean()


def test_at_a_margin_of_73_hundredths_the_print_is_below_the_truth():
    assert printed_bound(0.73) == pytest.approx(2.88, abs=5e-3)
    assert max_shattered_points(0.73) == 3
    assert corrected_bound(0.73) == 3
    assert triple_margin(simplex(3)) == pytest.approx(0.75)


@pytest.mark.parametrize("R", [1.0, 2.0, 0.3, 7.1])
def test_in_the_plane_three_up_to_three_quarters_two_up_to_the_radius_then_one(R):
    numbers = [max_shattered_points(r * R, R) for r in (0, 0.1, 0.7, 0.75, 0.7501, 1, 1.0001, 5)]
    assert numbers == [3, 3, 3, 3, 2, 2, 1, 1]
    assert shattering_margin(3, R) == pytest.approx(0.75 * R)
    assert shattering_margin(2, R) == R
    assert shattering_margin(1, R) == math.inf


def test_the_print_fails_exactly_between_these_margins():
    rho = np.linspace(0.001, 1.5, 6001)
    fails = np.array([printed_bound(r) < max_shattered_points(r) for r in rho])
    assert np.array_equal(fails, (rho > 1 / math.sqrt(2)) & (rho <= 0.75))
    assert least_informative_margin() == pytest.approx(1 / math.sqrt(2))


@settings(max_examples=200, deadline=None)
@given(st.floats(0, 3), st.floats(0.1, 5), st.integers(1, 12))
def test_with_the_ceiling_it_holds_everywhere(rho, R, d):
    assert max_shattered_points(rho, R, d) <= corrected_bound(rho, R, d) <= d + 1
    if rho < least_informative_margin(R, d) * (1 - 1e-9):
        assert corrected_bound(rho, R, d) == d + 1 == printed_bound(rho, R, d)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7])
def test_a_regular_simplex_attains_the_threshold(k):
    """The formula against the exact hard margin of each of its labellings."""
    labelling_margins = margins(simplex(k, 2.0))
    assert labelling_margins.min() == pytest.approx(shattering_margin(k, 2.0), rel=1e-9)
    d = k - 1
    assert max_shattered_points(labelling_margins.min() * (1 - 1e-9), 2.0, d) == k
    assert max_shattered_points(labelling_margins.min() * (1 + 1e-9), 2.0, d) < k


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6))
def test_no_points_of_a_ball_do_better(k, seed):
    """Random places on a sphere in any dimension: the mean over the labellings that the proof takes bounds the least
    margin."""
    X = np.random.default_rng(seed).standard_normal((k, 5))
    X /= np.linalg.norm(X, axis=1)[:, None]
    assert margins(X).min() <= shattering_margin(k) * (1 + 1e-9)


def test_the_search_finds_the_equilateral_triangle():
    """300 random triples come near .75 and stay below it."""
    triple = best_triple()
    assert triple.margin == pytest.approx(0.75, abs=1e-8)
    assert 0.70 < triple.random_margin < 0.75
    assert max(best_triple(seed=s).random_margin for s in range(5)) > 0.73
    assert triple.margin <= shattering_margin(3)
    sides = [np.hypot(*(triple.X[i] - triple.X[i - 1])) for i in range(3)]
    assert sides == pytest.approx([math.sqrt(3)] * 3, abs=1e-3)
    assert np.hypot(*triple.X.T) == pytest.approx([1, 1, 1], abs=1e-6)


def test_the_search_knows_its_unit_and_reports():
    seen = []
    triple = best_triple(4.0, tries=60, seed=3, on_progress=seen.append)
    assert triple.margin == pytest.approx(3.0, abs=1e-7)
    assert seen == sorted(seen)
    assert 0 <= seen[0] < seen[-1] <= 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=3))
def test_the_closed_form_is_the_least_margin_of_a_triple(rows):
    X = np.array(rows, dtype=float)
    assert triple_margin(X) == pytest.approx(margins(X).min(), abs=1e-8)


def test_three_points_far_apart_are_shattered_with_the_note_s_margin():
    """G8: margin 3 in each labelling, which 1.126 is not above; only in a small ball it cannot be (below 1.501)."""
    X = np.array([[0, 4], [-3.464, -2], [3.464, -2]])
    assert circumradius(X) == pytest.approx(4, abs=1e-3)
    labelling_margins = margins(X)
    assert labelling_margins[1:-1] == pytest.approx([3] * 6, abs=1e-3)
    assert len(labelling_margins) == len(labels(3)) == 8
    assert max_shattered_points(1.126, 4.0) == 3
    assert pytest.approx(1.501, abs=5e-4) == 1.126 / 0.75
    assert max_shattered_points(1.126, 1.501) == 2
    assert max_shattered_points(1.126, 1.502) == 3


def test_on_the_unit_circle_no_three_above_three_quarters():
    """G3: sqrt(3)/2 is right and not tight; .74 is refuted by the equilateral triangle."""
    rng = np.random.default_rng(0)
    turn = rng.uniform(0, 2 * np.pi, (3000, 3))
    largest = max(triple_margin(np.column_stack([np.cos(a), np.sin(a)])) for a in turn)
    assert 0.74 < largest <= 0.75 < math.sqrt(3) / 2
    assert max_shattered_points(math.sqrt(3) / 2 + 1e-9) == 2
    assert triple_margin(simplex(3)) > 0.74


def test_places_on_a_line_have_no_circle():
    assert circumradius(np.array([[0, 0], [1, 1], [2, 2.0]])) == math.inf
    assert triple_margin(np.array([[0, 0], [1, 1], [2, 2.0]])) == 0


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: max_shattered_points(-1), "rho"),
        (lambda: printed_bound(0.5, 0), "R"),
        (lambda: corrected_bound(0.5, 1, 0), "d"),
        (lambda: shattering_margin(0), "k"),
    ],
)
def test_what_cannot_be_is_named(make, field):
    with pytest.raises(BadInput, match=rf"^{field}: "):
        make()
