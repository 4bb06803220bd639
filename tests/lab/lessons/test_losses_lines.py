"""Lines as places of a map, and runs of the perceptron that come back: the mathematics of the steps on counting."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Dataset, make_dataset
from svmlab.firstorder.perceptron import augmented, perceptron
from svmlab.lab.lessons.losses.cycling import cycle, total, visits
from svmlab.lab.lessons.losses.placing import handles_of, mapped, place_of
from svmlab.losses import fewest_errors
from svmlab.plane.geometry import Line

BOARD = make_dataset("xor", 20, 0.1, seed=4)


@pytest.mark.parametrize("angle", [-179.0, -90.0, -33.0, 0.0, 45.0, 90.0, 171.0])
@pytest.mark.parametrize("offset", [-2.5, 0.0, 1.2])
def test_a_line_through_the_handles_is_where_it_was_put(angle, offset):
    a, b = handles_of(angle, offset, 4.0)
    line = Line.through(a, b)
    assert place_of(line.w, line.b) == pytest.approx((angle, offset), abs=1e-9)
    assert np.abs([a, b]).max() <= 4.0


@pytest.mark.parametrize("angle", [-135.0, 10.0, 90.0])
def test_a_line_beyond_the_board_is_slid_to_its_corner(angle):
    a, b = handles_of(angle, 99.0, 4.0)
    assert np.abs([a, b]).max() <= 4.0
    assert np.hypot(*np.subtract(a, b)) > 1e-3
    line = Line.through(a, b)
    assert (BOARD.X @ line.w + line.b < 0).all()


def test_the_map_is_an_upper_bound_and_turning_round_swaps_right_and_wrong():
    error_map = mapped(BOARD, 361, 401)
    assert error_map.errors.min() >= fewest_errors(BOARD).errors == 5
    assert error_map.errors.min() == 5
    k, n = error_map.errors.shape
    for i, j in ((3, 120), (200, 77), (100, 300)):
        w, c = (np.cos(np.radians(error_map.angles[i])), np.sin(np.radians(error_map.angles[i]))), error_map.offsets[j]
        assert error_map.errors[i, j] == (BOARD.y * (BOARD.X @ w - c) <= 0).sum()
        assert error_map.errors[i, j] + error_map.errors[(i + 180) % (k - 1), n - 1 - j] == BOARD.m


def run_of(rows, most=400):
    data = Dataset([row[:2] for row in rows], [row[2] for row in rows])
    return perceptron(augmented(data.X), data.y, np.arange(data.m), most)


def test_visits_are_those_of_a_loop_that_counts_them():
    data = make_dataset("overlapping", 30, 0.3, seed=2)
    Z = augmented(data.X)
    run = perceptron(Z, data.y, np.arange(data.m), 50)
    w, n, counted = np.zeros(3), 0, [0]
    while len(counted) <= 50:
        i = n % data.m
        n += 1
        if data.y[i] * (w @ Z[i]) <= 0:
            w = w + data.y[i] * Z[i]
            counted.append(n)
    assert visits(run).tolist() == counted
    assert total(run) == counted[-1]


def test_on_the_corners_every_visit_is_a_mistake_and_four_of_them_are_a_round():
    run = run_of(((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1)))
    assert total(run) == run.mistakes == 400
    assert cycle(run) == (0, 4)


def test_what_stops_has_no_cycle_and_ends_with_a_clean_round():
    run = run_of(((1, 1, 1), (-1, -1, 1), (1, -1, -1), (0.4, -0.2, -1)))
    assert (run.converged, cycle(run)) == (True, None)
    assert total(run) == visits(run)[-1] + 4


def test_a_cycle_is_one():
    run = run_of(((1, 0, 1), (1, 0, -1), (0.5, 1, 1), (-0.5, 2, -1)), most=200)
    s, t = cycle(run)
    assert (run.path[s : 200 - (t - s)] == run.path[t:200]).all()
    assert (run.updates[s : 200 - (t - s)] == run.updates[t:]).all()
