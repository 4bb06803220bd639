"""What must not matter to a tube does not: order, place, turn, units, up and down, and where the solver started."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import Gaussian, Linear, Polynomial
from svmlab.regression import Tube, TubeCategory, Values, solve

KERNELS = st.sampled_from([Linear(), Polynomial(2), Polynomial(3, 0.0), Gaussian(1.0), Gaussian(0.3)])
COSTS = st.sampled_from([0.01, 0.25, 1.0, 3.0, 100.0])
HEIGHTS = st.sampled_from([0.0, 1e-12, 0.1, 0.25, 0.5, 1.0])


@st.composite
def boards(draw, smallest: int = 1, largest: int = 8):
    """Points of a coarse lattice with values of another: ties, duplicates and points on an edge are common."""
    m, d = draw(st.integers(smallest, largest)), draw(st.sampled_from([1, 2]))
    whole = st.integers(-2, 2)
    X = draw(st.lists(st.tuples(*[whole] * d), min_size=m, max_size=m))
    y = draw(st.lists(whole, min_size=m, max_size=m))
    step = draw(st.sampled_from([1.0, 0.737, 0.125]))
    return Values(np.round(np.array(X) * step, 3), np.round(np.array(y) * step, 3))


@given(boards(), KERNELS, COSTS, HEIGHTS, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_no_bit(data, kernel, C, eps, bias, random):
    order = list(range(data.m))
    random.shuffle(order)
    one = solve(Tube(data, kernel, C, eps, bias))
    other = solve(Tube(Values(data.X[order], data.y[order]), kernel, C, eps, bias))
    assert other.alpha.tolist() == one.alpha[order].tolist()
    assert other.alpha_star.tolist() == one.alpha_star[order].tolist()
    assert [other.b, *other.b_interval] == pytest.approx([one.b, *one.b_interval], rel=1e-13, abs=1e-13)
    assert other.alpha_unique == one.alpha_unique
    assert list(other.categories) == [one.categories[i] for i in order]


@settings(max_examples=200)
@given(
    boards(2),
    KERNELS,
    COSTS,
    COSTS,
    HEIGHTS,
    HEIGHTS,
    st.booleans(),
    st.integers(0, 7),
    st.sampled_from(["move", "lift", "add", "delete", "cost", "height"]),
)
def test_a_warm_start_gives_the_bits_of_a_cold_one(data, kernel, C, before, eps, wide, bias, at, edit):
    at %= data.m
    X, y, ids = data.X.copy(), data.y.copy(), data.ids.copy()
    if edit == "move":
        X[at] += 0.5
    elif edit == "lift":
        y[at] += 0.75
    elif edit == "add":
        X, y, ids = np.vstack([X, X[:1] + 0.4]), np.r_[y, 1.0], np.r_[ids, 77]
    elif edit == "delete":
        X, y, ids = (np.delete(v, at, axis=0) for v in (X, y, ids))
    earlier = Tube(data, kernel, before if edit == "cost" else C, wide if edit == "height" else eps, bias)
    problem = Tube(Values(X, y, ids), kernel, C, eps, bias)
    cold, warm = solve(problem), solve(problem, start=solve(earlier))
    assert warm.alpha.tolist() == cold.alpha.tolist()
    assert warm.alpha_star.tolist() == cold.alpha_star.tolist()
    assert (warm.b, warm.b_interval, warm.alpha_unique) == (cold.b, cold.b_interval, cold.alpha_unique)


def test_an_earlier_tube_is_matched_by_ids_and_scaled_to_c():
    x = np.linspace(-3, 3, 12)
    data = Values(x[:, None], np.sin(2 * x) + 0.5 * x, range(40, 52))
    turned = Values(data.X[::-1], data.y[::-1], data.ids[::-1])
    before = solve(Tube(data, Gaussian(0.7), 10.0, 0.05))
    assert before.free.sum() > 4
    after = solve(Tube(turned, Gaussian(0.7), 10.0, 0.05), start=before)
    assert after.steps == 0
    assert after.beta.tolist() == before.beta[::-1].tolist()
    cheap = solve(Tube(data, Gaussian(0.7), 1e-3, 0.05))
    assert solve(Tube(data, Gaussian(0.7), 2e-3, 0.05), start=cheap).steps == 0


@given(boards(), COSTS, HEIGHTS, st.integers(-9, 9), st.sampled_from([Linear(), Gaussian(1.0)]))
def test_moving_all_points_along_moves_the_tube_along(data, C, eps, right, kernel):
    one = solve(Tube(data, kernel, C, eps))
    other = solve(Tube(Values(data.X + right, data.y), kernel, C, eps))
    assert other.decision(data.X + right) == pytest.approx(one.decision(data.X), abs=1e-9)
    assert other.categories == one.categories
    assert other.beta == pytest.approx(one.beta, abs=1e-8 * C)


@given(boards(), KERNELS, COSTS, HEIGHTS, st.integers(-9, 9))
def test_raising_all_values_raises_the_tube(data, kernel, C, eps, up):
    one = solve(Tube(data, kernel, C, eps))
    other = solve(Tube(Values(data.X, data.y + up), kernel, C, eps))
    assert other.decision(data.X) - up == pytest.approx(one.decision(data.X), abs=1e-9)
    assert np.array(other.b_interval) - up == pytest.approx(np.array(one.b_interval), abs=1e-9)
    assert other.categories == one.categories


@given(boards(), KERNELS, COSTS, HEIGHTS, st.booleans())
def test_turned_upside_down_the_two_multipliers_change_places(data, kernel, C, eps, bias):
    one = solve(Tube(data, kernel, C, eps, bias))
    other = solve(Tube(Values(data.X, -data.y), kernel, C, eps, bias))
    assert other.alpha == pytest.approx(one.alpha_star, abs=1e-9 * C)
    assert other.alpha_star == pytest.approx(one.alpha, abs=1e-9 * C)
    assert other.b_interval == pytest.approx((-one.b_interval[1], -one.b_interval[0]), abs=1e-9)
    assert other.categories == one.categories
    assert other.sides.tolist() == (-one.sides).tolist()


@given(boards(), KERNELS, COSTS, HEIGHTS, st.booleans(), st.sampled_from([1e-18, 0.3, 7.0, 1e18]))
def test_in_other_units_of_y_everything_is_in_other_units(data, kernel, C, eps, bias, unit):
    one = solve(Tube(data, kernel, C, eps, bias))
    other = solve(Tube(Values(data.X, unit * data.y), kernel, unit * C, unit * eps, bias))
    assert other.beta / unit == pytest.approx(one.beta, abs=1e-8 * C)
    assert other.decision(data.X) / unit == pytest.approx(one.decision(data.X), abs=1e-9)
    assert other.objective / unit**2 == pytest.approx(one.objective, rel=1e-9, abs=1e-12)
    assert other.categories == one.categories


@given(boards(), COSTS, HEIGHTS, st.booleans(), st.sampled_from([0.01, 0.3, 7.0, 100.0]))
def test_stretching_x_by_s_is_undone_by_c_over_s_squared(data, C, eps, bias, s):
    one = solve(Tube(data, Linear(), C, eps, bias))
    other = solve(Tube(Values(s * data.X, data.y), Linear(), C / s**2, eps, bias))
    assert s * other.w == pytest.approx(one.w, abs=1e-9)
    assert other.b == pytest.approx(one.b, abs=1e-9)


@given(boards(), KERNELS, COSTS, HEIGHTS, st.booleans(), st.integers(1, 359))
def test_a_rotation_turns_the_surface_along(data, kernel, C, eps, bias, degrees):
    a, X = math.radians(degrees), np.column_stack([data.X, data.X])[:, :2]
    R = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    one, other = (solve(Tube(Values(Z, data.y), kernel, C, eps, bias)) for Z in (X, X @ R.T))
    Z = np.array([[0.3, -0.4], [1.0, 2.0], [-2.0, 0.1]])
    assert other.decision(Z @ R.T) == pytest.approx(one.decision(Z), abs=1e-7 * max(1.0, np.abs(one.decision(Z)).max()))
    assert other.categories == one.categories


@given(boards(2), KERNELS, COSTS, HEIGHTS, st.booleans())
def test_whatever_lies_inside_the_tube_may_as_well_not_be_there(data, kernel, C, eps, bias):
    one = solve(Tube(data, kernel, C, eps, bias))
    keep = np.array([place is not TubeCategory.INSIDE for place in one.categories])
    if keep.all() or not keep.any():
        return
    other = solve(Tube(Values(data.X[keep], data.y[keep]), kernel, C, eps, bias))
    assert other.objective == pytest.approx(one.objective, rel=1e-9, abs=1e-12)
    shift = one.b - other.b if one.b_interval[0] < one.b_interval[1] else 0.0
    assert other.decision(data.X) + shift == pytest.approx(one.decision(data.X), abs=1e-8)


@given(boards(), KERNELS, COSTS, HEIGHTS, st.booleans())
def test_a_doubled_board_is_the_board_at_twice_c(data, kernel, C, eps, bias):
    twice = Values(np.vstack([data.X, data.X]), np.r_[data.y, data.y])
    one = solve(Tube(twice, kernel, C, eps, bias))
    other = solve(Tube(data, kernel, 2 * C, eps, bias))
    assert one.objective == pytest.approx(other.objective, rel=1e-10, abs=1e-12)
    assert one.decision(data.X) == pytest.approx(other.decision(data.X), abs=1e-9)
    assert 2 * one.beta[: data.m] == pytest.approx(other.beta, abs=1e-9 * C)
    assert replace(one).beta[: data.m].tolist() == one.beta[data.m :].tolist()
