"""Each labelling with what shows it, and the stairs of those that keep a margin: against certificates, directions and
counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import Gaussian, Linear, Polynomial
from svmlab.generalisation import feature_radius, labellings, labels, margins, swept_margins
from svmlab.lab.lessons.generalisation.dichotomies import dichotomies, kept, number_of, staircase
from svmlab.lab.lessons.generalisation.four import CASES

HEXAGON = np.array([[2, 0], [1, 1.732], [-1, 1.732], [-2, 0], [-1, -1.732], [1, -1.732]])
AT = (0, 0.15, 0.35, 0.45, 0.55)
COUNTS = [
    (Linear(), [32, 32, 20, 8, 2]),
    (Polynomial(2), [62, 62, 32, 2, 2]),
    (Polynomial(3), [64, 64, 46, 20, 2]),
    (Gaussian(1.0), [64, 64, 62, 14, 2]),
]
places = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5)


def nothing(done):
    assert 0 <= done <= 1


@pytest.mark.parametrize(
    ("rows", "count"), list(zip([rows for rows, _name in CASES], [8, 6, 14, 12, 8, 22], strict=True))
)
def test_how_many_dichotomies_lines_make_of_points_in_general_position_and_of_collinear_ones(rows, count):
    assert sum(one.is_realised for one in dichotomies(np.array(rows, dtype=float))) == count


@settings(max_examples=60, deadline=None)
@given(places)
def test_what_is_said_to_be_made_is_made_by_the_widest_line_and_the_rest_has_a_proof(rows):
    X = np.array(rows, dtype=float)
    every, widest = dichotomies(X), swept_margins(X)
    assert [one.y.tolist() for one in every] == labels(len(X)).tolist()
    assert [one.is_realised for one in every] == [one.separable for one in labellings(X)]
    for one, margin in zip(every, widest, strict=True):
        if not one.is_realised:
            assert one.circuit.refutes(one.y)
            continue
        reached = one.y * (X @ one.w + one.b)
        assert (reached > 0).all()
        if one.w.any():
            assert reached.min() / np.hypot(*one.w) == pytest.approx(margin, rel=1e-6)


def test_a_labelling_knows_its_place():
    assert [number_of(y) for y in labels(5)] == list(range(32))


@pytest.mark.parametrize(("kernel", "counts"), COUNTS)
def test_the_step_function_has_the_counts_of_a_hexagon(kernel, counts):
    at, left = staircase(margins(HEXAGON, kernel) / feature_radius(HEXAGON, kernel))
    assert len(left) == len(at) + 1
    assert (np.diff(at) > 0).all()
    assert (np.diff(left) <= 0).all()
    assert left[-1] == 2
    assert [left[np.searchsorted(at, rho)] for rho in AT] == counts


def test_the_step_function_of_one_class_has_one_step():
    at, left = staircase(np.array([np.inf, 0.0, 0.0, np.inf]))
    assert at.tolist() == [0.0]
    assert left.tolist() == [2, 2]


@pytest.mark.parametrize(("kernel", "counts"), COUNTS)
def test_what_is_kept_is_one_of_each_pair_the_widest_first_with_a_function_that_makes_it(kernel, counts):
    relative_margins = margins(HEXAGON, kernel) / feature_radius(HEXAGON, kernel)
    half, n = 3.0, 301
    seen = kept(HEXAGON, kernel, relative_margins, half, n, 48, nothing)
    assert 2 * len(seen) == counts[0]
    assert [one.margin for one in seen] == sorted((one.margin for one in seen), reverse=True)
    assert [2 * sum(one.margin >= rho for one in seen) for rho in AT] == counts
    column, row = np.rint((HEXAGON + half) / (2 * half) * (n - 1)).astype(int).T
    for one in seen:
        y = labels(6)[one.number]
        assert y.sum() >= 0
        assert (np.sign(one.f[row, column]) == y).all()


def test_where_there_are_many_the_widest_are_kept():
    all_margins = margins(HEXAGON, Gaussian(1.0))
    all_ = kept(HEXAGON, Gaussian(1.0), all_margins, 3.0, 2, 48, nothing)
    few = kept(HEXAGON, Gaussian(1.0), all_margins, 3.0, 2, 5, nothing)
    assert [one.number for one in few] == [one.number for one in all_[:5]]
