"""The data inside the charts of the Pegasos lesson."""

import math

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, solve
from svmlab.lab.charts.palette import DARK, LIGHT
from svmlab.lab.lessons.pegasos import identities_chart as identities
from svmlab.lab.lessons.pegasos.cost_chart import costs
from svmlab.lab.lessons.pegasos.counts_chart import Words as CountWords
from svmlab.lab.lessons.pegasos.counts_chart import counts
from svmlab.lab.lessons.pegasos.measured import Costs
from svmlab.lab.lessons.pegasos.regret_chart import Words as RegretWords
from svmlab.lab.lessons.pegasos.regret_chart import regret
from svmlab.pegasos import harmonic, hindsight


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_regret_and_factors_are_in_one_unit_and_hover_in_their_own():
    data = make_dataset("moons", 30)
    run = pegasos(data, 0.05, 500, runs=2)
    w = solve(Problem.from_lambda(data, Linear(), 0.05, bias=False)).w
    left = run.regret - hindsight(run, w)
    words = RegretWords("left", "repaired", "exact", "printed", "t", "y", "(%{customdata})", "above")
    figure = regret(run, left, 1, words, LIGHT)
    unit = run.G[1] ** 2 / (2 * 0.05 * run.t)
    np.testing.assert_allclose(trace(figure, "left").y, left[1] / unit)
    np.testing.assert_allclose(trace(figure, "left").customdata, left[1])
    np.testing.assert_allclose(trace(figure, "exact").y, harmonic(run.t))
    np.testing.assert_allclose(trace(figure, "printed").y, np.log(run.t + 1.0))
    np.testing.assert_allclose(trace(figure, "repaired").customdata, unit * (1 + np.log(run.t)))
    crosses = [x for t in figure.data if t.name == "above" for x in t.x]
    assert crosses == run.t[left[1] / unit > np.log(run.t + 1.0) + 1e-12].tolist()
    assert (np.array(trace(figure, "left").y) <= np.array(trace(figure, "exact").y) + 1e-12).all()


def test_bars_are_in_falling_order_and_know_their_points():
    ids, y = np.array([7, 3, 9, 4]), np.array([1.0, -1.0, 1.0, 1.0])
    share, exact = np.array([0.2, -0.9, 0.0, 0.0]), np.array([0.3, -1.0, 0.0, 0.1])
    words = CountWords("bars", "exact", "", "x", "y")
    figure = counts(ids, y, np.array([2, -9, 0, 0]), share, exact, 3, words, DARK)
    bars = trace(figure, "bars")
    assert [int(row[0]) for row in bars.customdata] == [3, 7, 4]
    assert [int(row[1]) for row in bars.customdata] == [9, 2, 0]
    np.testing.assert_array_equal(bars.y, [-0.9, 0.2, 0.0])
    np.testing.assert_array_equal(trace(figure, "exact").y, [-1.0, 0.3, 0.1])
    assert list(bars.marker.line.width) == [3, 0, 0]
    assert bars.marker.color[0] == "#E69F00"


def test_costs_leave_out_what_did_not_arrive():
    m = np.array([10, 20, 40])
    seconds = np.array([[1.0, 8.0, 64.0], [math.nan, 2.0, math.nan], [math.nan] * 3])
    found = Costs(m, ("dual-qp", "exact", "pegasos"), seconds, m, np.array([3.0, math.nan, math.nan]), 0.1, 0.01)
    figure = costs(found, {"dual-qp": "qp", "exact": "ours", "pegasos": "p"}, "m", "s", LIGHT)
    assert [t.name for t in figure.data] == ["qp", "ours"]
    np.testing.assert_array_equal(trace(figure, "ours").x, [20])
    assert figure.layout.xaxis.ticktext == ("10", "20", "40")


def test_running_means_start_where_they_can_be_read_and_the_band_shrinks():
    rng = np.random.default_rng(0)
    before, after = rng.standard_normal(1000), rng.standard_normal(1000) - 1
    figure = identities.sampled(before, after, (1.0, 1.0), ("before", "after"), "n", "", LIGHT)
    line = trace(figure, "before")
    assert line.y[-1] == pytest.approx(before.mean())
    assert trace(figure, "after").y[-1] == pytest.approx(after.mean())
    spread = trace(figure, "spread")
    assert max(spread.y) == pytest.approx(2 / math.sqrt(10))
    assert min(np.abs(spread.y)) == pytest.approx(2 / math.sqrt(1000))


def test_ratios_have_their_bound_at_1():
    t = np.arange(1.0, 5.0)
    figure = identities.ratio(t, t / 10, ("ratio", "bound"), "t", "", LIGHT)
    np.testing.assert_array_equal(trace(figure, "ratio").y, t / 10)
    assert set(trace(figure, "bound").y) == {1.0}
