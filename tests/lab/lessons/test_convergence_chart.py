"""The data inside the convergence chart."""

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, solve
from svmlab.lab.lessons.pegasos.convergence import convergence
from svmlab.lab.lessons.pegasos.rates import two_rates
from svmlab.lab.lessons.pegasos.returned import three
from svmlab.plot.labels import keep_apart
from svmlab.plot.lines import Line, distinct_dashes
from svmlab.plot.palette import LIGHT


@pytest.fixture(scope="module")
def drawn():
    data = make_dataset("moons", 30)
    run = pegasos(data, 0.05, 500, runs=6)
    best = 0.05 * solve(Problem.from_lambda(data, Linear(), 0.05, bias=False)).objective
    return run, best, convergence(run, best, 1.0 - best, LIGHT)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_lines_are_mean_gaps_to_the_optimum(drawn) -> None:
    run, best, figure = drawn
    gaps = {name: (getattr(run, name) - best).mean(axis=0) for name in ("last", "average", "suffix")}
    mean_gap = trace(figure, "mean gap")
    np.testing.assert_array_equal(mean_gap.x, run.t)
    np.testing.assert_allclose(mean_gap.y, gaps["average"], rtol=1e-9)
    others = three(run.t, gaps, LIGHT)
    for name, said in (("last", "last iterate"), ("average", "average of all"), ("suffix", "second half")):
        np.testing.assert_allclose(trace(others, said).y, gaps[name], rtol=1e-9)


def test_the_bound_is_dashed_and_above_the_average(drawn) -> None:
    run, _, figure = drawn
    bound = trace(figure, "bound")
    np.testing.assert_array_equal(bound.y, run.bound)
    assert bound.line.dash == "dash"
    assert (np.array(bound.y) > np.array(trace(figure, "mean gap").y)).all()


def test_the_gap_of_w_0_is_a_level_line_and_there_is_none_if_it_is_0(drawn) -> None:
    run, best, figure = drawn
    assert set(trace(figure, "gap of w = 0").y) == {1.0 - best}
    assert "gap of w = 0" not in {t.name for t in convergence(run, best, 0.0, LIGHT).data}


def test_lines_differ_by_more_than_their_colour(drawn) -> None:
    _, _, figure = drawn
    dashes = [trace(figure, name).line.dash or "solid" for name in ("mean gap", "bound", "gap of w = 0")]
    assert dashes == ["solid", "dash", "dashdot"]
    x = np.arange(1.0, 4.0)
    for asked in ([], ["dash"], ["dot", "solid", "dash", "dash"]):
        lines = [Line(str(i), x, x, "#000000", dash) for i, dash in enumerate([*asked, *["solid"] * (6 - len(asked))])]
        apart = distinct_dashes(lines)
        assert len({curve.dash for curve in apart}) == 6
        assert [curve.dash for curve in apart[: len(set(asked))]] == list(dict.fromkeys(asked))


def test_axes_are_logarithmic_and_lines_are_labelled_where_they_end(drawn) -> None:
    run, _, figure = drawn
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert {a.text for a in figure.layout.annotations} == {"mean gap", "bound", "gap of w = 0"}
    assert {a.x for a in figure.layout.annotations} == {np.log10(run.t[-1])}
    assert figure.layout.title.text is None


def test_single_runs_are_drawn_only_if_there_are_several(drawn) -> None:
    _, best, figure = drawn
    assert any(t.name == "run" for t in figure.data)
    alone = pegasos(make_dataset("moons", 30), 0.05, 100)
    assert not any(t.name == "run" for t in convergence(alone, best, 1.0 - best, LIGHT).data)


def test_a_gap_of_zero_still_shows_on_the_log_axis(drawn) -> None:
    run, _, _ = drawn
    figure = convergence(run, float(run.average.max()) + 1, 0.5, LIGHT)
    assert min(trace(figure, "mean gap").y) > 0


def test_single_runs_are_drawn_thin(drawn) -> None:
    run, best, figure = drawn
    singles = [t for t in figure.data if t.name == "run"]
    assert len(singles) == 6
    for one, gaps in zip(singles, run.average - best, strict=True):
        np.testing.assert_allclose(one.y, gaps)
        assert one.line.width < 2


def test_one_step_is_a_chart_too() -> None:
    run = pegasos(make_dataset("moons", 10), 0.05, 1)
    assert len(trace(convergence(run, 0.0, 0.0, LIGHT), "mean gap").x) == 1


def test_the_distance_stays_below_what_the_gap_allows(drawn) -> None:
    run, best, _ = drawn
    w = solve(Problem.from_lambda(run.data, Linear(), 0.05, bias=False)).w
    figure = two_rates(run, best, w, LIGHT)
    distance = np.linalg.norm(run.averages - w, axis=-1).mean(0)
    np.testing.assert_allclose(trace(figure, "distance").y, distance)
    assert (np.array(trace(figure, "bound of the distance").y) >= distance - 1e-12).all()


def test_names_keep_their_distance_and_their_order() -> None:
    out = keep_apart([1.0, 0.0, 1.01, 1.02], 0.1)
    assert list(np.argsort(out)) == [1, 0, 2, 3]
    assert np.diff(np.sort(out)).min() >= 0.1 - 1e-12
    assert keep_apart([0.0, 5.0], 0.1) == [0.0, 5.0]
