"""Lines by hand, in a direction and slid; shakes; hulls. Answers come from distances and from the solver."""

import math

import numpy as np
import pytest

from svmlab import BadInput, Problem, make_dataset, solve
from svmlab.plane.geometry import Line, clip_line, hull, moved_across, perturbed, reduced_hull, widest_with_normal
from svmlab.statements.geometry import distances, widest_margins

DATA = make_dataset("separable", 24, 0.1, 19)
BEST = solve(Problem(DATA, C=math.inf))


def best() -> Line:
    return Line(BEST.w, BEST.b)


def test_a_line_through_two_points_has_plus_on_its_left():
    line = Line.through((0.0, -1.0), (0.0, 1.0))  # upwards: left is x1 < 0
    assert line.margins(np.array([[-2.0, 5.0], [3.0, 0.0]]), np.array([1.0, 1.0])) == pytest.approx([2.0, -3.0])
    assert line.norm == pytest.approx(1.0)


def test_margins_are_measured_distances_with_a_sign():
    line = Line(np.array([3.0, -4.0]), 2.0)
    gamma = line.margins(DATA.X, DATA.y)
    np.testing.assert_allclose(np.abs(gamma), distances(DATA.X, line.w, line.b), atol=1e-12)
    np.testing.assert_array_equal(np.sign(gamma), np.sign(DATA.y * (DATA.X @ line.w + line.b)))


def test_a_slid_line_is_that_much_further_along_its_normal():
    line = Line(np.array([0.0, 2.0]), -2.0)  # x2 = 1
    assert line.shifted(2.5).clipped(4.0)[0][:, 1] == pytest.approx([3.5, 3.5])
    assert line.shifted(3.5).clipped(4.0) == ()
    foot = line.foot(np.array([7.0, 9.0]))
    assert foot == pytest.approx([7.0, 1.0])


def test_a_line_is_cut_at_the_edges_of_the_square():
    ends = clip_line(np.array([1.0, 1.0]), 1.0, 2.0)[0]
    assert sorted(map(tuple, ends.round(12))) == [(-1.0, 2.0), (2.0, -1.0)]
    assert clip_line(np.array([1.0, 0.0]), 3.0, 2.0) == ()


@pytest.mark.parametrize("w", [[0.0, 0.0], [math.nan, 1.0], [1.0, math.inf], [1.0]])
def test_a_normal_that_gives_no_line_is_refused(w):
    with pytest.raises(
        BadInput, match=r"^w: .* is not the normal of a line\. Give two finite numbers that are not both 0"
    ):
        clip_line(np.array(w), 0.5, 2.0)


@pytest.mark.parametrize(("y", "present"), [([1, 1], "1"), ([-1, -1], "-1")])
def test_a_gap_between_classes_needs_both_of_them(y, present):
    with pytest.raises(BadInput, match=rf"^y: all labels are {present}\. Give points of both classes, -1 and 1\."):
        widest_with_normal(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array(y), 0.5)
    with pytest.raises(BadInput, match=r"^y: there are no labels\. Give points of both classes, -1 and 1\."):
        widest_with_normal(np.zeros((0, 2)), np.zeros(0), 0.5)


@pytest.mark.parametrize("seed", [-1, 0.5, None, 2**63])
def test_a_shake_needs_a_seed_that_a_generator_takes(seed):
    with pytest.raises(BadInput, match=r"^seed: .* is not a whole number from 0 to \d+\."):
        perturbed(DATA.X, 0.3, seed)


def test_no_direction_beats_the_solver_and_its_own_reaches_it():
    margins = [widest_with_normal(DATA.X, DATA.y, t)[1] for t in np.radians(np.arange(0, 360, 0.5))]
    assert max(margins) <= 1 / BEST.norm_w + 1e-12
    line, margin = widest_with_normal(DATA.X, DATA.y, math.atan2(BEST.w[1], BEST.w[0]))
    assert margin == pytest.approx(1 / BEST.norm_w, rel=1e-12)
    assert line.margin(DATA.X, DATA.y) == pytest.approx(margin, rel=1e-12)
    assert line.b == pytest.approx(BEST.b / BEST.norm_w, rel=1e-9)


@pytest.mark.parametrize("name", ["separable", "overlapping", "xor"])
def test_half_the_gap_of_a_direction_is_that_of_the_sweep(name):
    data = make_dataset(name, 20)
    t = np.linspace(0, 2 * np.pi, 37)
    expected = widest_margins(data.X, data.y, np.stack([np.cos(t), np.sin(t)], 1), True)
    assert [widest_with_normal(data.X, data.y, a)[1] for a in t] == pytest.approx(list(expected))


def test_the_margin_over_the_directions_has_one_peak_above_zero():
    for seed in range(40):
        data = make_dataset("separable", 12, 0.3, seed)
        t = np.radians(np.arange(0, 360, 0.25))
        r = widest_margins(data.X, data.y, np.stack([np.cos(t), np.sin(t)], 1), True)
        rises = np.sign(np.diff(np.r_[r, r[0]]))
        peaks = (rises > 0) & (np.roll(rises, -1) < 0) & (np.roll(r, -1) > 0)
        assert peaks.sum() == 1


def test_a_shake_moves_every_point_by_its_radius_and_is_repeatable():
    moved = perturbed(DATA.X, 0.3, 7)
    np.testing.assert_allclose(np.hypot(*(moved - DATA.X).T), 0.3)
    np.testing.assert_array_equal(moved, perturbed(DATA.X, 0.3, 7))
    assert not np.allclose(moved, perturbed(DATA.X, 0.3, 8))


@pytest.mark.parametrize("part", [0.5, 0.999])
def test_no_shift_below_the_margin_crosses_the_widest_line(part):
    radius = part / BEST.norm_w
    for seed in range(50):
        assert (best().margins(perturbed(DATA.X, radius, seed), DATA.y) > 0).all()
    assert (best().margins(moved_across(DATA.X, DATA.y, best(), radius), DATA.y) > 0).all()


def test_a_straight_push_above_the_margin_crosses():
    over = best().margins(moved_across(DATA.X, DATA.y, best(), 1.001 / BEST.norm_w), DATA.y) < 0
    np.testing.assert_array_equal(np.flatnonzero(over), np.flatnonzero(BEST.margins < 1.0005))


def test_the_hull_holds_every_point_to_the_left_of_its_edges():
    corners = hull(DATA.X)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge, to = b - a, DATA.X - a
        assert (edge[0] * to[:, 1] - edge[1] * to[:, 0] >= -1e-12).all()
    assert {tuple(p) for p in corners} <= {tuple(p) for p in DATA.X}


@pytest.mark.parametrize(
    ("points", "corners"), [([[0, 0]], 1), ([[0, 0], [1, 1], [0, 0]], 2), ([[0, 0], [1, 1], [2, 2]], 2)]
)
def test_a_thin_hull_is_a_point_or_its_two_ends(points, corners):
    assert len(hull(np.array(points, dtype=float))) == corners


@pytest.mark.parametrize("kind", ["cloud", "lattice", "twins", "line"])
def test_a_reduced_hull_has_the_support_function_of_its_convex_combinations(kind):
    rng = np.random.Generator(np.random.Philox(5))
    X = rng.standard_normal((9, 2))
    X = {
        "cloud": X,
        "lattice": np.round(2 * X),
        "twins": X[[0, 0, 0, 1, 1, 2, 3, 4, 5]],
        "line": X[:, :1] * [1.0, 2.0],
    }[kind]
    U = rng.standard_normal((200, 2))
    for ceiling in (1.0, 0.7, 0.5, 0.3, 1 / 9):
        share = np.clip(1.0 - ceiling * np.arange(9), 0.0, ceiling)
        best = np.sort(X @ U.T, axis=0)[::-1].T @ share
        np.testing.assert_allclose((reduced_hull(X, ceiling) @ U.T).max(0), best, atol=1e-9)


def test_the_smallest_hull_is_the_mean_and_a_larger_ceiling_than_1_bounds_nothing():
    X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    np.testing.assert_allclose(reduced_hull(X, 1 / 3), [[1.0, 1.0]], atol=1e-9)
    np.testing.assert_array_equal(reduced_hull(X, 2.0), hull(X))
