"""The data inside the charts of the lesson on duality."""

import math

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, solve
from svmlab.lab.charts.palette import DARK, LIGHT
from svmlab.lab.lessons.duality import words
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.lessons.duality.charts import BarWords, DotWords, GapWords, RayWords, bars, dots, gap, ray
from svmlab.lab.lessons.duality.matrices_chart import Words as MapWords
from svmlab.lab.lessons.duality.matrices_chart import heat
from svmlab.lab.lessons.duality.versions import turn
from svmlab.lab.lessons.duality.versions_chart import Words, plane_of_w, turning

PROBLEM = Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf)
SOLUTION = solve(PROBLEM)
DATA = PROBLEM.data


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def texts(figure):
    return [a.text for a in figure.layout.annotations]


def test_the_gap_shows_both_values_the_optimum_and_the_step_on_the_board():
    run = ascent(PROBLEM)
    figure = gap(run, SOLUTION.objective, 3, GapWords(**words.GAP["chart"]), LIGHT)
    np.testing.assert_array_equal(trace(figure, "dual").y, run.dual)
    feasible = np.isfinite(run.primal)
    np.testing.assert_array_equal(trace(figure, "primal").x, np.flatnonzero(feasible))
    np.testing.assert_array_equal(trace(figure, "primal").y, run.primal[feasible])
    flat, upright = figure.layout.shapes
    assert (flat.y0, flat.y1) == (SOLUTION.objective, SOLUTION.objective)
    assert (upright.x0, upright.x1) == (3, 3)
    assert {"primal", "dual", "optimum"} <= set(texts(figure))


def test_a_climb_that_found_no_machine_shows_the_dual_alone():
    run = ascent(Problem(make_dataset("xor", 8), Linear(), math.inf))
    figure = gap(run, None, None, GapWords(**words.GAP["chart"]), LIGHT)
    assert np.size(trace(figure, "primal").x) == 0
    assert not figure.layout.shapes


def test_dots_stand_where_each_point_reads_b_and_carry_their_ids():
    b = np.linspace(-1, 1, 8)
    figure = dots(b, DATA.y, DATA.ids, SOLUTION.free, 0.25, int(DATA.ids[2]), DotWords(**words.OFFSET["chart"]), DARK)
    for t, sign in zip(figure.data, (1, -1), strict=True):
        mine = DATA.y == sign
        np.testing.assert_array_equal(t.x, b[mine])
        np.testing.assert_array_equal([c[0] for c in t.customdata], DATA.ids[mine])
        np.testing.assert_array_equal(np.array(t.y) > 0.5, SOLUTION.free[mine])
        assert set(t.marker.color) == {DARK.of(sign)}
    assert list(figure.data[0].marker.size).count(17) == 1
    assert figure.layout.shapes[0].x0 == 0.25


def test_bars_show_each_alpha_in_a_panel_of_its_own():
    rows = np.flatnonzero(SOLUTION.support)
    both = [("a", SOLUTION.alpha), ("b", 2 * SOLUTION.alpha)]
    figure = bars(both, DATA.y, DATA.ids, rows, None, BarWords("axis", "point"), LIGHT)
    np.testing.assert_array_equal(trace(figure, "a").y, SOLUTION.alpha[rows])
    np.testing.assert_array_equal(trace(figure, "b").y, 2 * SOLUTION.alpha[rows])
    assert list(trace(figure, "a").x) == [str(i + 1) for i in rows]
    assert list(trace(figure, "a").marker.color) == [LIGHT.of(v) for v in DATA.y[rows]]


@pytest.mark.parametrize("curve", [0.0, 2.0])
def test_the_ray_is_the_dual_along_t(curve):
    figure = ray(2.0, curve, RayWords("dual", "top", "t", "y"), LIGHT)
    t = np.array(figure.data[0].x)
    np.testing.assert_allclose(figure.data[0].y, 2 * t - 0.5 * curve * t * t)
    if curve:
        assert (figure.data[1].x[0], figure.data[1].y[0]) == (1.0, 1.0)
    else:
        assert len(figure.data) == 1


def test_heat_maps_share_their_rows_and_mark_the_selected_point():
    qp = PROBLEM.qp("primal"), PROBLEM.qp("dual")
    figure = heat(qp[0].A, qp[0].variables, qp[1].P, SOLUTION.alpha, 2, MapWords(**words.PROGRAMS["map"]), LIGHT)
    np.testing.assert_array_equal(trace(figure, "rows").z, qp[0].A)
    np.testing.assert_array_equal(trace(figure, "dual").z, qp[1].P)
    np.testing.assert_array_equal(np.ravel(trace(figure, "alpha").z), SOLUTION.alpha)
    bands = [(s.y0, s.y1) for s in figure.layout.shapes]
    assert bands.count((2.5, 3.5)) == 3
    assert [(s.x0, s.x1) for s in figure.layout.shapes].count((2.5, 3.5)) == 1
    alone = heat(None, (), qp[1].P, SOLUTION.alpha, None, MapWords(**words.PROGRAMS["map"]), LIGHT)
    assert [t.name for t in alone.data] == ["dual", "alpha"]
    assert not alone.layout.shapes


def test_the_margin_over_directions_and_the_plane_of_w():
    found, labels = turn(DATA, True, SOLUTION.w), Words(**words.VERSIONS["chart"])
    figure = turning(found, 1 / SOLUTION.norm_w, labels, LIGHT)
    np.testing.assert_array_equal(figure.data[0].y, found.margin)
    assert figure.data[0].x[len(found.angle) // 2] == 0
    assert figure.data[1].y[0] == 1 / SOLUTION.norm_w
    for edge_only in (True, False):
        plane = plane_of_w(found, np.asarray(SOLUTION.w), edge_only, labels, LIGHT)
        np.testing.assert_array_equal(trace(plane, "least margin 1").x, found.least[:, 0])
        np.testing.assert_array_equal([trace(plane, "shortest w").x[0], trace(plane, "shortest w").y[0]], SOLUTION.w)
        assert any(t.name == "allowed" for t in plane.data) is not edge_only
        assert plane.layout.yaxis.scaleanchor == "x"
