"""The data inside the convergence chart."""

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, solve
from svmlab.lab.charts.labels import spread
from svmlab.lab.charts.palette import LIGHT
from svmlab.lab.lessons.pegasos.convergence_chart import Pair, Words, convergence, two_rates
from svmlab.pegasos import sharp_gap_bound

WORDS = Words("last", "average", "suffix", "bound", "sharp", "met", "slope", "steps", "gap")


@pytest.fixture(scope="module")
def drawn():
    data = make_dataset("moons", 30)
    run = pegasos(data, 0.05, 500, runs=6)
    best = 0.05 * solve(Problem.from_lambda(data, Linear(), 0.05, bias=False)).objective
    return run, best, convergence(run, best, WORDS, LIGHT)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_lines_are_mean_gaps_to_the_optimum(drawn) -> None:
    run, best, figure = drawn
    for name in ("last", "average", "suffix"):
        line = trace(figure, name)
        np.testing.assert_array_equal(line.x, run.t)
        np.testing.assert_allclose(line.y, (getattr(run, name) - best).mean(axis=0), rtol=1e-9)


def test_the_bound_is_dashed_and_above_the_average(drawn) -> None:
    run, _, figure = drawn
    np.testing.assert_array_equal(trace(figure, "sharp").y, sharp_gap_bound(run.X, 0.05, run.t))
    np.testing.assert_array_equal(trace(figure, "met").y, run.realised_bound)
    bound = trace(figure, "bound")
    assert bound.line.dash == "dash"
    assert (np.array(bound.y) > np.array(trace(figure, "average").y)).all()


def test_axes_are_logarithmic_and_lines_are_labelled_where_they_end(drawn) -> None:
    run, _, figure = drawn
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert {a.text for a in figure.layout.annotations} == {
        "last",
        "average",
        "suffix",
        "bound",
        "sharp",
        "met",
        "slope",
    }
    assert {a.x for a in figure.layout.annotations} == {np.log10(run.t[-1])}
    assert figure.layout.title.text is None


def test_the_spread_is_drawn_only_for_several_runs(drawn) -> None:
    _, best, figure = drawn
    assert any(t.name == "spread" for t in figure.data)
    alone = pegasos(make_dataset("moons", 30), 0.05, 100)
    assert not any(t.name == "spread" for t in convergence(alone, best, WORDS, LIGHT).data)


def test_a_gap_of_zero_still_shows_on_the_log_axis(drawn) -> None:
    run, _, _ = drawn
    figure = convergence(run, float(run.average.max()) + 1, WORDS, LIGHT)
    assert min(trace(figure, "average").y) > 0


def test_single_runs_are_drawn_thin(drawn) -> None:
    run, best, figure = drawn
    singles = [t for t in figure.data if t.name == "run"]
    assert len(singles) == 6
    for one, gaps in zip(singles, run.average - best, strict=True):
        np.testing.assert_allclose(one.y, gaps)
        assert one.line.width < 2


def test_the_reference_has_the_slope_of_ln_t_over_t_and_ends_at_the_average(drawn) -> None:
    _, _, figure = drawn
    slope = trace(figure, "slope")
    np.testing.assert_allclose(slope.y * slope.x / np.log(slope.x), slope.y[-1] * slope.x[-1] / np.log(slope.x[-1]))
    assert slope.y[-1] == pytest.approx(trace(figure, "average").y[-1])


def test_one_step_is_a_chart_too() -> None:
    run = pegasos(make_dataset("moons", 10), 0.05, 1)
    assert len(trace(convergence(run, 0.0, WORDS, LIGHT), "average").x) == 1


def test_the_distance_stays_below_what_the_gap_allows(drawn) -> None:
    run, best, _ = drawn
    w = solve(Problem.from_lambda(run.data, Linear(), 0.05, bias=False)).w
    figure = two_rates(run, best, w, Pair("gap", "distance", "allowed", "t", ""), LIGHT)
    distance = np.linalg.norm(run.averages - w, axis=-1).mean(0)
    np.testing.assert_allclose(trace(figure, "distance").y, distance)
    assert (np.array(trace(figure, "allowed").y) >= distance - 1e-12).all()


def test_names_keep_their_distance_and_their_order() -> None:
    out = spread([1.0, 0.0, 1.01, 1.02], 0.1)
    assert list(np.argsort(out)) == [1, 0, 2, 3]
    assert np.diff(np.sort(out)).min() >= 0.1 - 1e-12
    assert spread([0.0, 5.0], 0.1) == [0.0, 5.0]
