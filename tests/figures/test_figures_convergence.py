"""The data inside the convergence chart."""

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, solve
from svmlab.figures.convergence import Words, convergence

WORDS = Words("last", "average", "suffix", "bound", "steps", "gap")


@pytest.fixture(scope="module")
def drawn():
    data = make_dataset("moons", 30)
    run = pegasos(data, 0.05, 500, runs=6)
    best = 0.05 * solve(Problem.from_lambda(data, Linear(), 0.05, bias=False)).objective
    return run, best, convergence(run, best, WORDS)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_lines_are_mean_gaps_to_the_optimum(drawn) -> None:
    run, best, figure = drawn
    for name in ("last", "average", "suffix"):
        line = trace(figure, name)
        np.testing.assert_array_equal(line.x, run.t)
        np.testing.assert_allclose(line.y, (getattr(run, name) - best).mean(axis=0), rtol=1e-9)


def test_the_bound_is_dashed_and_above_the_average(drawn) -> None:
    _, _, figure = drawn
    bound = trace(figure, "bound")
    assert bound.line.dash == "dash"
    assert (np.array(bound.y) > np.array(trace(figure, "average").y)).all()


def test_axes_are_logarithmic_and_lines_are_labelled_where_they_end(drawn) -> None:
    run, _, figure = drawn
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert {a.text for a in figure.layout.annotations} == {"last", "average", "suffix", "bound"}
    assert {a.x for a in figure.layout.annotations} == {np.log10(run.t[-1])}
    assert figure.layout.title.text is None


def test_the_spread_is_drawn_only_for_several_runs(drawn) -> None:
    _, best, figure = drawn
    assert any(t.name == "spread" for t in figure.data)
    alone = pegasos(make_dataset("moons", 30), 0.05, 100)
    assert not any(t.name == "spread" for t in convergence(alone, best, WORDS).data)


def test_a_gap_of_zero_still_shows_on_the_log_axis(drawn) -> None:
    run, _, _ = drawn
    figure = convergence(run, float(run.average.max()) + 1, WORDS)
    assert min(trace(figure, "average").y) > 0
