"""The figures for notebooks show what the results say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    Problem,
    make_dataset,
    pegasos,
    plot,
    regularization_path,
    solve,
)
from svmlab.multiclass import Classes, MulticlassProblem, make_classes
from svmlab.multiclass import solve as solve_classes
from svmlab.pegasos import objective
from svmlab.regression import Tube, Values
from svmlab.regression import solve as solve_tube

OVERLAPPING = make_dataset("overlapping")


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def places(trace):
    return np.column_stack([trace.x, trace.y])


@pytest.mark.parametrize(("kernel", "off"), [(Linear(), 1e-9), (Gaussian(0.8), 2e-2)])
def test_the_lines_are_where_f_has_their_level(kernel, off):
    solution = solve(Problem(OVERLAPPING, kernel, C=1.0))
    shown = traces(plot.boundary(solution))
    for name, size in (("decision boundary, f = 0", 0.0), ("margin lines, f = ±1", 1.0)):
        vertices = places(shown[name])
        f = solution.decision(vertices[~np.isnan(vertices).any(1)])
        assert len(f) >= 2
        assert np.abs(f) == pytest.approx(np.full(len(f), size), abs=off)


def test_points_rings_and_crosses_follow_the_solution():
    solution = solve(Problem(OVERLAPPING, C=1.0))
    data, shown = OVERLAPPING, traces(plot.boundary(solution))
    rows = {"support vector": solution.support, "support vector with α = C": solution.at_bound}
    rows |= {"training error": solution.errors, "class 1": data.y > 0, "class −1": data.y < 0}
    for name, mask in rows.items():
        assert mask.any(), name
        assert (places(shown[name]) == data.X[mask]).all(), name
    first = int(np.flatnonzero(data.y > 0)[0])
    assert shown["class 1"].text[0].startswith(f"point {data.ids[first]} at ({data.X[first, 0]:.4g}, ")
    slack = places(shown["slack ξ"])
    assert np.isnan(slack).any(1).sum() == (solution.xi > 10 * solution.tolerance).sum()


def test_a_hard_margin_has_one_kind_of_ring_and_no_slack():
    shown = traces(plot.boundary(solve(Problem(make_dataset("separable"), C=math.inf))))
    assert "support vector" in shown
    assert not {"support vector with α = C", "slack ξ", "training error"} & set(shown)


def test_classes_keep_their_names_and_a_constant_f_has_no_boundary():
    data = Dataset([[0, 0], [0, 0], [1, 1], [1, 1]], ["no", "yes", "no", "yes"])
    shown = traces(plot.boundary(solve(Problem(data))))
    assert {"class no", "class yes"} <= set(shown)
    assert "decision boundary, f = 0" not in shown


def test_axes_have_one_unit_unless_the_ranges_differ_much():
    alike = plot.boundary(solve(Problem(OVERLAPPING)), xlabel="length", ylabel="width")
    stretched = plot.boundary(solve(Problem(Dataset(OVERLAPPING.X * [100, 1], OVERLAPPING.y))), dark=True)
    assert alike.layout.yaxis.scaleanchor == "x"
    assert stretched.layout.yaxis.scaleanchor is None
    assert (alike.layout.xaxis.title.text, alike.layout.yaxis.title.text) == ("length", "width")
    assert alike.layout.paper_bgcolor != stretched.layout.paper_bgcolor


def test_only_points_in_the_plane_are_drawn():
    solution = solve(Problem(Dataset([[1, 0, 0], [0, 1, 0]], [1, -1])))
    with pytest.raises(BadInput, match="3 columns"):
        plot.boundary(solution)
    with pytest.raises(BadInput, match="resolution"):
        plot.boundary(solve(Problem(OVERLAPPING)), resolution=1)


@pytest.mark.parametrize("scaled", [True, False])
def test_a_path_shows_every_dual_variable(scaled):
    path = regularization_path(Problem(make_dataset("overlapping", 20)))
    figure = plot.path(path, scaled=scaled)
    assert sum(bool(trace.showlegend) for trace in figure.data) == 2
    C = np.array(figure.data[0].x)
    assert np.isin(path.C, C).all()
    for k in (3, len(C) // 2, len(C) - 2):
        alpha = path.alpha(C[k])
        shown = {int(trace.hovertemplate.split()[1].split("<")[0]): trace.y[k] for trace in figure.data}
        for point, value in shown.items():
            own = alpha[path.problem.data.ids == point][0]
            assert value == pytest.approx(own / C[k] if scaled else own, rel=1e-12)


def test_a_path_without_breakpoints_is_refused():
    with pytest.raises(BadInput, match="no breakpoints"):
        plot.path(regularization_path(Problem(Dataset([[0, 0], [1, 1]], [1, 1]))))


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)])
def test_the_gap_of_pegasos_is_measured_from_the_exact_minimum(kernel):
    run = pegasos(OVERLAPPING, 0.1, 200, runs=2, kernel=kernel)
    shown = traces(plot.pegasos(run))
    mean = np.array(shown["mean of all iterates"].y)
    minimum = run.average.mean(0)[-1] - mean[-1]
    exact = solve(Problem(OVERLAPPING, kernel, C=10 / OVERLAPPING.m, bias=False))
    if kernel.is_linear:
        assert minimum == pytest.approx(float(objective(OVERLAPPING, 0.1, exact.w)), rel=1e-9)
    assert minimum == pytest.approx(0.1 * exact.objective, rel=1e-9)
    assert np.array(shown["bound on the expected gap of the mean"].y) == pytest.approx(run.bound)


def test_no_bound_is_drawn_where_none_is_proven():
    shown = traces(plot.pegasos(pegasos(OVERLAPPING, 0.1, 100, replace=False)))
    assert "bound on the expected gap of the mean" not in shown


def test_each_place_has_the_colour_of_the_largest_f_and_errors_have_crosses():
    data = make_classes("blobs")
    named = Classes(data.X, np.array(["a", "b", "c"])[data.y - 1])
    for method in ("one-vs-rest", "joint"):
        solution = solve_classes(MulticlassProblem(named, C=0.01), method)
        shown = traces(plot.classes(solution, resolution=9))
        u, v, z = (np.asarray(shown["regions"][axis]) for axis in "xyz")
        predicted = solution.predict(np.array([[a, b] for b in v for a in u]))
        assert np.array(["a", "b", "c"])[z.ravel()].tolist() == predicted.tolist()
        assert places(shown["class b"]).tolist() == data.X[data.y == 2].tolist()
        errors = solution.predict(data.X) != named.named_labels
        assert errors.any() == ("training error" in shown)
    with pytest.raises(BadInput, match=r"svmlab.plot.classes\(solution\)"):
        plot.boundary(solution)
    with pytest.raises(BadInput, match="class number 5"):
        plot.classes(solve_classes(MulticlassProblem(Classes([[0, 0], [1, 1]], [1, 5]))))
    with pytest.raises(BadInput, match="3 columns"):
        plot.classes(solve_classes(MulticlassProblem(Classes([[0, 0, 0], [1, 1, 1]], [1, 2]))))


def test_a_regression_shows_f_its_tube_and_its_support_vectors():
    x = np.linspace(-3, 3, 12)
    fit = solve_tube(Tube(Values(x[:, None], np.sin(2 * x)), Gaussian(1.0), C=0.5, eps=0.2))
    figure = plot.regression(fit, resolution=7)
    f, upper, lower = (places(trace) for trace in figure.data[:3])
    assert f[:, 1] == pytest.approx(fit.decision(f[:, :1]))
    assert (upper - lower)[:, 1] == pytest.approx(0.4)
    shown = traces(figure)
    assert places(shown["value y"]).tolist() == np.column_stack([x, np.sin(2 * x)]).tolist()
    assert shown["support vector"].x.tolist() == x[fit.support].tolist()
    assert shown["support vector with its multiplier at C"].x.tolist() == x[fit.at_bound].tolist()
    with pytest.raises(BadInput, match=r"svmlab.plot.regression\(fit\)"):
        plot.boundary(fit)
    with pytest.raises(BadInput, match="2 columns"):
        plot.regression(solve_tube(Tube(Values([[0, 0], [1, 1]], [0, 1]))))
