"""The plane of w of a machine without bias: its valleys, how a ball rolls, and which way is down."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from svmlab import Dataset, Linear, Problem, make_dataset, solve
from svmlab.lab.lessons.losses.compass import angles, bearing, worst, zigzag
from svmlab.lab.lessons.losses.minima import lowest_around, minima, section, starts
from svmlab.lab.lessons.losses.plane import WIDE, framed, ground, levels, places, sharp
from svmlab.lab.lessons.losses.rolling import roll
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend
from svmlab.plot.contours import level_lines

THREE = Dataset([(2, 0), (0, 2), (-2, -2)], [1, 1, 1])
APART = Dataset([(2, 0), (0, 2), (-2, -2)], [-1, -1, 1])
OVERLAPPING = make_dataset("overlapping", 40, 0.1, seed=0)


def objective(data, loss="hinge", lam=0.01):
    return Objective(data, LOSSES[loss], REGULARISERS["R2"], lam, bias=False)


def aslant(x, y, lam=0.01):
    """Two points above each other, and the exact w*."""
    data = Dataset([(x, y), (x, -y)], [1, -1])
    return objective(data, lam=lam), np.asarray(solve(Problem.from_lambda(data, Linear(), lam, bias=False)).w)


# valleys


def test_the_sigmoid_has_three_valleys_and_a_shallow_one_at_0():
    valleys = minima(objective(THREE, "sigmoid"), 3.2)
    assert valleys.values == pytest.approx([0.3832, 0.4186, 0.4186, 0.5], abs=5e-5)
    assert valleys.w[0] == pytest.approx((1.77, 1.77), abs=5e-3)
    assert sorted(valleys.w[1:3].tolist()) == [
        pytest.approx((-2.79, 1.29), abs=5e-3),
        pytest.approx((1.29, -2.79), abs=5e-3),
    ]
    assert valleys.w[3] == pytest.approx((0, 0), abs=1e-9)
    assert valleys.falling == 0


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
@pytest.mark.parametrize("data", [THREE, APART, OVERLAPPING])
def test_a_convex_loss_with_lambda_has_one_valley(loss, data):
    valleys = minima(objective(data, loss), 3.2)
    assert len(valleys.w) == 1
    assert valleys.falling == 0


def test_without_lambda_the_hinge_has_many_minima_on_separable_points_and_the_others_none():
    valleys = minima(objective(APART, lam=0.0), 3.2)
    assert len(valleys.w) > 5
    assert np.abs(valleys.values).max() < 1e-9
    w = np.array([-2.8, -0.6])
    assert objective(APART, lam=0.0).value(np.stack([w, 2 * w])).tolist() == [0, 0]
    for loss in ("logistic", "sigmoid"):
        posed = objective(APART, loss, 0.0)
        valleys = minima(posed, 3.2)
        assert (len(valleys.w), valleys.falling, valleys.lowest) == (0, 24, None)
        along = posed.value(np.linspace(1, 10, 19)[:, None] * w)
        assert (np.diff(along) < 0).all()


def test_a_stationary_point_that_is_no_minimum_is_left_out():
    posed = objective(THREE, "sigmoid", 0.0)
    assert posed.gradient(np.zeros(2)) == pytest.approx((0, 0), abs=1e-15)
    assert not lowest_around(posed, np.zeros(2), 0.5, 0.03)
    assert lowest_around(objective(THREE, "sigmoid"), np.zeros(2), 0.5, 0.03)
    assert minima(posed, 3.2).lowest is None


def test_a_minimum_without_lambda_is_at_rest():
    posed = objective(THREE, "logistic", 0.0)  # the mean of y x is 0: w = 0 is the best
    assert descend(posed).converged
    assert minima(posed, 3.2).w[0] == pytest.approx((0, 0), abs=1e-6)


def test_the_starts_are_spread_over_the_disc():
    places_ = starts(2.0)
    assert places_.shape == (24, 2)
    assert places_[0].tolist() == [0, 0]
    assert np.hypot(*places_.T).max() == pytest.approx(2.0)
    assert {(x > 0, y > 0) for x, y in places_[1:]} == {(True, True), (True, False), (False, True), (False, False)}


def test_a_section_knows_whether_F_rises_above_its_chord():
    one, best = np.array([-2.79, 1.29]), np.array([1.77, 1.77])
    hill = section(objective(THREE, "sigmoid"), one, best, -0.5, 1.5)
    assert hill.above > 0.02
    assert hill.values[np.searchsorted(hill.s, [0.0, 1.0])] == pytest.approx(
        hill.chord[np.searchsorted(hill.s, [0, 1])]
    )
    for loss in ("hinge", "logistic"):
        assert section(objective(THREE, loss), one, best, -0.5, 1.5).above < 1e-12


# the ball


@pytest.mark.parametrize("loss", ["hinge", "logistic", "sigmoid"])
@pytest.mark.parametrize("data", [THREE, OVERLAPPING])
def test_a_ball_rolls_down_in_short_steps_and_ends_at_a_minimum(loss, data):
    posed, start = objective(data, loss), np.array([-2.8, -0.6])
    path, fit = roll(posed, start, 0.1)
    assert path[0].tolist() == start.tolist()
    assert path[-1] == pytest.approx(fit.w)
    assert np.hypot(*np.diff(path[:-1], axis=0).T).max() <= 0.1 + 1e-12
    fall = [float(posed.value(w)) for w in path]
    assert all(later < before + 0.02 * np.log(2) for before, later in pairwise(fall))
    assert fall[-1] < fall[0]
    assert lowest_around(posed, fit.w, fit.value, 0.01)


def test_a_ball_follows_the_steepest_descent():
    posed, start = objective(OVERLAPPING, "logistic"), np.array([-2.8, -0.6])
    path, _fit = roll(posed, start, 0.05)
    w = start
    for _ in range(20_000):  # plain steps against the gradient, far shorter
        w = w - 2e-3 * posed.gradient(w)
        if np.hypot(*(path - w).T).min() > 0.1:
            pytest.fail(f"the ball never comes by {w}")


# which way is down


def test_down_is_89_degrees_off_where_the_valley_is_narrow():
    posed, best = aslant(4, 1)
    assert best == pytest.approx((0, 1), abs=1e-9)
    beside_kink = bearing(posed, np.array([-0.0201, 1.08]), best)
    assert beside_kink.angle == pytest.approx(89.6, abs=0.05)
    kink = bearing(posed, np.array([-0.02, 1.08]), best)
    assert kink.angle == pytest.approx(89.7, abs=0.05)
    other = -posed.gradient(np.array([-0.02, 1.08]), side=1)
    assert angles(-other, np.array([-0.02, 0.08])) == pytest.approx(13.0, abs=0.1)


@pytest.mark.parametrize(
    ("x", "y", "lam", "expected"),
    [(4, 1, 0.01, 89.73), (16, 1, 0.01, 89.93), (1, 1, 0.01, 89.42), (4, 0.25, 0.01 / 16, 89.93)],
)
def test_the_worst_angle_and_its_limit_at_the_corner(x, y, lam, expected):
    posed, best = aslant(x, y, lam)
    size = float(np.hypot(*best))
    worst_angle = worst(posed, best, 1.5 * size)
    assert worst_angle == pytest.approx(expected, abs=0.01)
    z, along = np.array([x, y]), np.array([-y, x]) / np.hypot(x, y)  # along the kink of the first point, away from w*
    limit = np.degrees(np.arccos((z / 2 - lam * best) @ -along / np.hypot(*(z / 2 - lam * best))))
    assert worst_angle <= limit + 1e-9


@pytest.mark.parametrize("data", [THREE, APART, OVERLAPPING])
@pytest.mark.parametrize("lam", [0.01, 0.3])
def test_down_is_within_90_degrees_by_as_much_as_the_inequality_says(data, lam):
    posed = objective(data, lam=lam)
    best = np.asarray(solve(Problem.from_lambda(data, Linear(), lam, bias=False)).w)
    for w in np.random.default_rng(0).uniform(-4, 4, (200, 2)):
        at_w = bearing(posed, w, best)
        assert at_w.inner >= at_w.floor - 1e-9
        F, F_best = posed.value(np.stack([w, best]))
        assert at_w.floor == pytest.approx(F - F_best + lam / 2 * ((w - best) ** 2).sum())
        assert at_w.floor > 0
        assert at_w.angle < 90
    assert worst(posed, best, 3.0) < 90 + 1e-6


def test_the_gradients_of_many_places_are_those_of_each():
    posed = objective(OVERLAPPING)
    W = np.random.default_rng(1).uniform(-2, 2, (3, 4, 2))
    gradients = posed.gradient(W)
    assert gradients.shape == (3, 4, 2)
    assert gradients[1, 2] == pytest.approx(posed.gradient(W[1, 2]))


def test_at_the_minimum_there_is_no_angle():
    posed = objective(OVERLAPPING)
    assert np.isnan(bearing(posed, np.zeros(2), np.zeros(2)).angle)


def test_the_descent_with_constant_steps_goes_to_and_fro():
    posed, best = aslant(4, 1)
    path = zigzag(posed, np.array([-0.6, 0.4]), 0.2, 60)
    assert path.shape == (61, 2)
    assert path[1] == pytest.approx(path[0] - 0.2 * posed.gradient(path[0]))
    assert (np.diff(np.sign(path[1:9, 0])) != 0).all()
    assert np.hypot(*(path[-1] - best)) > 0.1


# how it lies


def test_the_plane_lies_one_to_one_under_the_board_where_it_can():
    for data, best, view in (
        (THREE, (0, 0), 4.0),
        (aslant(4, 1)[0].data, (0, 1), 6.0),
        (aslant(1, 1)[0].data, (0, 1), 4.0),
    ):
        frame = framed(data.X, np.array(best, dtype=float), view)
        assert (frame.by, frame.half) == (1.0, view)
    distant = framed(THREE.X, np.array([0.0, 100.0]), 4.0)
    assert distant.by == 2.0**-6
    assert distant.here(np.array([0.0, 100.0])).max() <= 4.0
    assert distant.of((1.0, 2.0)).tolist() == [64, 128]
    assert framed(100 * THREE.X, np.zeros(2), 4.0).by > 1


def test_the_ground_and_the_places_lie_around_the_middle():
    posed, middle = objective(THREE, "sigmoid"), np.array([1.0, -2.0])
    grid = ground(posed, middle, 0.5)
    i, j = 7, 30
    assert grid.values[i, j] == pytest.approx(float(posed.value(np.array([grid.w1[j], grid.w2[i]]))))
    assert grid.w1.mean() == pytest.approx(1.0)
    assert grid.w2.mean() == pytest.approx(-2.0)
    spots = places(middle, 0.5)
    assert np.ptp(spots, axis=0) == pytest.approx((WIDE, 1.0))
    heights = levels(grid.values)
    assert grid.values.min() < heights[0] < heights[-1] < grid.values.max()
    assert (np.diff(heights) > 0).all()


def test_the_contours_of_few_points_are_exact_beside_their_kinks():
    posed = Objective(
        Dataset([[4.0, 1.0], [4.0, -1.0]], [1, -1]), LOSSES["hinge"], REGULARISERS["R2"], 0.01, bias=False
    )
    off = []
    for n in (None, sharp(2)):
        grid = ground(posed, np.array([0.0, 1.04]), 0.1, n)
        lines = level_lines(grid.w1, grid.w2, grid.values, levels(grid.values))
        lines = lines[np.isfinite(lines).all(axis=1)]
        off.append(float(np.abs(posed.value(lines[:, :2]) - lines[:, 2]).max() / np.ptp(grid.values)))
    assert off[1] < 0.4 * off[0]


def test_the_grid_that_shows_kinks_is_finest_where_they_are_few():
    assert sharp(2) == 241
    assert sharp(10) > sharp(60) > sharp(200) > 51
