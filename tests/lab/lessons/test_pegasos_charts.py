"""The data inside the charts of the Pegasos lesson."""

import math

import numpy as np
import pytest

from svmlab import Dataset, Linear, Problem, make_dataset, pegasos, solve
from svmlab.lab.lessons.pegasos.cost import over_points
from svmlab.lab.lessons.pegasos.gradients import over_steps
from svmlab.lab.lessons.pegasos.kernel import coefficients as kernel_coefficients
from svmlab.lab.lessons.pegasos.pushes import coefficients
from svmlab.lab.lessons.pegasos.regret import regret
from svmlab.pegasos import comparator_loss, harmonic
from svmlab.plot.palette import DARK, LIGHT


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


@pytest.mark.parametrize("data", [make_dataset("moons", 30), Dataset([(1.0, 0.0)], [1])])
def test_regret_and_factors_are_in_one_unit_and_hover_in_their_own(data):
    run = pegasos(data, 1.0, 500, runs=2)
    w = solve(Problem.from_lambda(data, Linear(), 1.0, bias=False)).w
    left = run.regret - comparator_loss(run, w)
    figure = regret(run, left, LIGHT)
    unit = run.G**2 / (2 * run.t)
    np.testing.assert_allclose(trace(figure, "regret").y, (left / unit)[0])
    np.testing.assert_allclose(trace(figure, "run").y, (left / unit)[1])
    np.testing.assert_allclose(trace(figure, "regret").customdata, left[0])
    np.testing.assert_allclose(trace(figure, "1 + … + 1/T").y, harmonic(run.t))
    np.testing.assert_allclose(trace(figure, "ln(T + 1)").y, np.log(run.t + 1.0))
    np.testing.assert_allclose(trace(figure, "1 + ln T").customdata, unit[0] * (1 + np.log(run.t)))
    crosses = [(x, y) for t in figure.data if t.name == "above ln(T + 1)" for x, y in zip(t.x, t.y, strict=True)]
    assert crosses == [
        (run.t[k], (left / unit)[i, k])
        for i, k in zip(*np.nonzero(left / unit > np.log(run.t + 1.0) + 1e-12), strict=True)
    ]
    assert (data.m == 1) <= ((1.0, 1.0) in crosses)
    assert (left / unit <= harmonic(run.t) + 1e-12).all()


def test_bars_are_in_falling_order_and_know_their_points():
    ids, y = np.array([7, 3, 9, 4]), np.array([1.0, -1.0, 1.0, 1.0])
    share, exact = np.array([0.2, -0.9, 0.0, 0.0]), np.array([0.3, -1.0, 0.0, 0.1])
    figure = kernel_coefficients(ids, y, np.array([2, -9, 0, 0]), share, exact, 3, DARK)
    bars = trace(figure, "this run")
    assert [int(row[0]) for row in bars.customdata] == [3, 7, 4]
    assert [int(row[1]) for row in bars.customdata] == [9, 2, 0]
    np.testing.assert_array_equal(bars.y, [-0.9, 0.2, 0.0])
    np.testing.assert_array_equal(trace(figure, "exact y α").y, [-1.0, 0.3, 0.1])
    assert list(bars.marker.line.width) == [3, 0, 0]
    assert bars.marker.color[0] == "#E69F00"


def test_costs_leave_out_what_did_not_arrive():
    rows = {
        "dual-qp": np.array([1.0, 8.0, 64.0]),
        "exact": np.array([math.nan, 2.0, math.nan]),
        "pegasos": np.full(3, math.nan),
    }
    figure = over_points((10, 20, 40), rows, {"dual-qp": "qp", "exact": "ours", "pegasos": "p"}, "s", "%{y}", LIGHT)
    assert [t.name for t in figure.data] == ["qp", "ours"]
    np.testing.assert_array_equal(trace(figure, "ours").x, [20])
    assert figure.layout.xaxis.ticktext == ("10", "20", "40")


def test_every_bar_ends_at_the_same_height_whatever_its_first_coefficient():
    figure = coefficients(0.5, 8, np.array([True, False, True, True]), np.ones(4), np.arange(11, 15), 13, LIGHT)
    present, lost = trace(figure, "present"), trace(figure, "lost")
    np.testing.assert_array_equal(present.x, [1, 3, 4])
    np.testing.assert_allclose(present.y, 1 / (0.5 * 4))
    np.testing.assert_allclose(present.y + lost.y, 1 / (0.5 * np.array([1, 3, 4])))
    assert [int(row[0]) for row in present.customdata] == [11, 13, 14]
    assert list(present.marker.line.width) == [0, 3, 0]


def test_gradients_stand_below_their_bounds_and_know_their_steps():
    t, pushed = np.arange(1, 5), np.array([True, False, True, True])
    figure = over_steps(t, np.array([1.0, 0.5, 2.0, 1.5]), pushed, np.ones(4), 1.0, 2, LIGHT)
    np.testing.assert_array_equal(trace(figure, "with push").customdata, [1, 3, 4])
    np.testing.assert_array_equal(trace(figure, "without push").y, [0.5])
    assert [shape.y0 for shape in figure.layout.shapes if shape.y0 == shape.y1] == [1.0, 2.0]
    assert (trace(figure, "now").x[0], trace(figure, "now").y[0]) == (3, 2.0)
