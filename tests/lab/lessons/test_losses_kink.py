"""The slopes of lines that touch the hinge from below, and those that the optimum chooses (L3)."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Problem, make_dataset, solve
from svmlab.lab.lessons.losses.subgradients import above, hinge, optimal_slopes, residual, slopes

F = np.linspace(-3, 3, 401)
BOARDS = [
    (name, C, bias) for name in ("overlapping", "moons", "xor") for C in (0.05, 1.0, 10.0) for bias in (True, False)
]


@pytest.mark.parametrize(("y", "interval"), [(1.0, (-1, 0)), (-1.0, (0, 1))])
def test_at_the_kink_the_interval_is_that_of_the_class_and_ends_where_lines_begin_to_cut(y, interval):
    assert slopes(y, y) == interval
    for s in np.linspace(-1.5, 1.5, 61):
        inside = interval[0] - 1e-12 <= s <= interval[1] + 1e-12
        assert (above(y, y, s, F).max() <= 1e-12) == inside
    assert above(y, y, -1.05 * y, F).max() > 0.1
    assert above(y, y, 0.05 * y, F).max() > 0.05


@pytest.mark.parametrize("y", [1.0, -1.0])
@pytest.mark.parametrize("t", [-2.0, 0.4, 0.9, 1.1, 2.0])
def test_beside_the_kink_one_slope_is_left(y, t):
    lo, hi = slopes(y, y * t)
    assert lo == hi == (-y if t < 1 else 0)
    assert above(y, y * t, lo, F).max() <= 1e-12
    assert above(y, y * t, lo + 0.05, F).max() > 1e-3
    assert above(y, y * t, lo - 0.05, F).max() > 1e-3


def test_the_interval_lies_between_the_difference_quotients_of_both_sides():
    for y in (1.0, -1.0):
        at, h = hinge(y, np.array([y])), 1e-6
        left, right = (float(((hinge(y, np.array([y + s])) - at) / s)[0]) for s in (-h, h))
        np.testing.assert_allclose(slopes(y, y), (left, right), atol=1e-9)


def test_with_its_sign_as_printed_the_inequality_says_0_is_at_least_2():
    x, other, slope = 0.0, 1.0, slopes(1.0, 0.0)[0]
    at, there = hinge(1.0, np.array([x, other]))
    assert (there, at + slope * (x - other)) == (0, 2)
    assert there >= at + slope * (other - x) == 0


@pytest.mark.parametrize(("name", "C", "bias"), BOARDS)
def test_the_slopes_that_the_optimum_chooses_are_subgradients_and_balance(name, C, bias):
    solution = solve(Problem(make_dataset(name, 30, 0.2, 1), C=C, bias=bias))
    data, s = solution.problem.data, optimal_slopes(solution)
    for y, t, each in zip(data.y, solution.margins, s, strict=True):
        lo, hi = slopes(y, y if abs(t - 1) < 1e-9 else y * t)
        assert lo - 1e-12 <= each <= hi + 1e-12
    inside = np.abs(s[solution.free])
    assert ((inside > 0) & (inside < 1)).all()
    left, level = residual(solution)
    assert np.abs(left).max() < 1e-12
    assert not bias or abs(level) < 1e-12
    np.testing.assert_allclose(-C * (s @ data.X), solution.w, atol=1e-9)


def test_other_slopes_at_the_kink_do_not_balance():
    solution = solve(Problem(make_dataset("overlapping", 24, 0.3, 1)))
    data, s = solution.problem.data, optimal_slopes(solution)
    flat = np.where(solution.free, 0.0, s)
    assert solution.free.sum() == 3
    assert np.abs(solution.problem.lam * solution.w + flat @ data.X / data.m).max() > 1e-3
