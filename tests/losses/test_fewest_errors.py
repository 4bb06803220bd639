"""The fewest errors of a line: all lines tried, against all labellings and against a map of lines."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Dataset, Linear, Problem, make_dataset, separate, solve
from svmlab.losses import error_counts, fewest_errors


def board(*rows):
    return Dataset([row[:2] for row in rows], [row[2] for row in rows])


FAR = board((1, 0, 1), (2, 1, 1), (2, -1, 1), (-1, 0, -1), (-2, 1, -1), (-2, -1, -1), (5, 0, -1), (5, 0.5, -1))
XOR = make_dataset("xor", 20, 0.1, seed=4)


def errors(data, w, b):
    return int((data.y * (data.X @ w + b) <= 0).sum())


def svm_errors(data, C):
    return int((solve(Problem(data, Linear(), C)).margins <= 0).sum())


def test_the_svm_makes_more_errors_than_the_best_line():
    assert fewest_errors(FAR).errors == 2
    assert [svm_errors(FAR, C) for C in (0.1, 1, 10, 1000)] == [3, 3, 3, 3]
    assert fewest_errors(XOR).errors == 5
    assert {svm_errors(XOR, C) for C in (0.1, 1, 10, 1000)} == {6, 10}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.sampled_from([-1, 1])), min_size=1, max_size=7))
def test_no_labelling_that_a_line_can_make_has_fewer(rows):
    """Against the exact test of separability on every one of the 2^n labellings of the places."""
    data = board(*rows)
    places = np.unique(data.X, axis=0)
    at = [int(np.flatnonzero((places == x).all(1))[0]) for x in data.X]
    best = min(
        sum(signs[k] != y for k, y in zip(at, data.y, strict=True))
        for signs in product((-1, 1), repeat=len(places))
        if separate(Dataset(places, signs)).separable
    )
    fewest = fewest_errors(data)
    assert fewest.errors == best
    assert errors(data, fewest.w, fewest.b) == best


@pytest.mark.parametrize("name", ["xor", "moons", "circles", "overlapping", "separable"])
def test_the_line_has_its_errors_and_a_map_of_lines_has_no_fewer(name):
    data = make_dataset(name, 40, 0.2, seed=3)
    fewest = fewest_errors(data)
    assert errors(data, fewest.w, fewest.b) == fewest.errors
    reach = float(np.linalg.norm(data.X, axis=1).max()) + 1
    counts = error_counts(data, np.linspace(-np.pi, np.pi, 361), np.linspace(-reach, reach, 401))
    assert fewest.errors <= counts.min() <= fewest.errors + 1
    assert (fewest.errors == 0) == separate(data).separable


def test_sides_are_decided_without_rounding():
    labels = (1, 1, 1, -1, -1, 1)
    assert fewest_errors(board(*((k, 3 * k, y) for k, y in enumerate(labels)))).errors == 1
    rounded = board(
        *((0.1 * k, 3 * (0.1 * k), y) for k, y in enumerate(labels))
    )  # not on a line: rounded to one side or the other
    assert (fewest_errors(rounded).errors == 0) == separate(rounded).separable
    shift = 2 * np.finfo(float).eps
    assert [
        fewest_errors(board((0, 0, 1), (1, 1, 1), (2, 2 + by, -1), (3, 3, 1))).errors for by in (-shift, 0, shift)
    ] == [0, 1, 0]
    wave = board((0, 0, 1), (1, 1 + shift, -1), (2, 2 - shift, 1), (3, 3 + 3 * shift, -1), (4, 4 + 3 * shift, 1))
    assert not separate(wave).separable
    assert fewest_errors(wave).errors == 1


DECIMALS = board((4.3, 1.1, 1), (1, 0, -1), (-2, -1, 1))  # on one line, though not when rounded to binary fractions


def test_decimals_of_three_places_are_what_was_meant():
    assert not separate(DECIMALS).separable
    assert fewest_errors(DECIMALS).errors == 1
    by_one_unit = Dataset(DECIMALS.X + [[0, 0], [0, np.finfo(float).eps], [0, 0]], DECIMALS.y)
    assert separate(by_one_unit).separable
    assert fewest_errors(by_one_unit).errors == 0
    scaled = Dataset(DECIMALS.X / 3, DECIMALS.y)
    assert (fewest_errors(scaled).errors == 0) == separate(scaled).separable


def test_one_label_and_one_place():
    assert fewest_errors(board((1, 1, 1))).errors == 0
    assert fewest_errors(board((1, 1, 1), (1, 1, -1), (1, 1, -1))).errors == 1
    alone = fewest_errors(board((1, 1, -1), (2, 0, -1)))
    assert (alone.errors, alone.w.tolist(), alone.b) == (0, [0, 0], -1)
    assert fewest_errors(Dataset(np.zeros((0, 2)), [])).errors == 0


def test_the_map_counts_what_the_lines_do():
    angles, offsets = np.linspace(-3, 3, 7), np.linspace(-4, 4, 9)
    counts = error_counts(XOR, angles, offsets)
    for a, row in zip(angles, counts, strict=True):
        w = np.array([np.cos(a), np.sin(a)])
        assert row.tolist() == [errors(XOR, w, -c) for c in offsets]
    assert error_counts(board((1, 0, 1), (1, 0, -1)), np.zeros(1), np.ones(1)).tolist() == [[2]]


def test_progress_rises_to_the_end_and_only_the_plane_is_searched():
    done = []
    fewest_errors(XOR, done.append)
    assert done == sorted(done)
    assert done[-1] > 0.9
    with pytest.raises(BadInput, match="3 coordinates"):
        fewest_errors(Dataset([[1.0, 2.0, 3.0]], [1]))
