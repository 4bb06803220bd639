"""Figures of solutions, of a regularisation path and of a Pegasos run: plotly figures, which notebooks show and save.

boundary(solution).show()
boundary(solution).write_html("svm.html")     # write_image("svm.svg") needs the package kaleido
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from svmlab.binary.categories import Category
from svmlab.binary.path import Path
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index
from svmlab.core.errors import BadInput
from svmlab.core.rules import WholeNumber
from svmlab.core.validate import instance, validated
from svmlab.kernels.standard import Linear
from svmlab.multiclass import JointSolution, OneVsRestSolution
from svmlab.pegasos import KernelRun, PegasosRun
from svmlab.plane.contours import decision_grid, slack_paths
from svmlab.plot.contours import level_lines
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.lines import FLOOR
from svmlab.plot.palette import CLEAR, DARK, LIGHT, Palette, class_symbol, faded, mixed
from svmlab.regression import Fit

HEIGHT = 480  # px of a figure
ROOM = 0.08  # space around the points, as a share of their range
EQUAL_UNITS_UP_TO = 4.0  # ratio of the two ranges up to which both axes have the same unit
SIZE, FREE_RING, OUTER_RING = 10, 17, 23  # px of a point, and of the one or two rings of a support vector
MOST_COLOURS = 4  # classes that have a colour and a symbol
STEPS = 8  # values of C between two breakpoints of a path
MEANINGS = {
    Category.OUTSIDE: "outside the margin",
    Category.MARGIN_IDLE: "on its margin line, α = 0",
    Category.MARGIN_FREE: "on its margin line, 0 < α < C",
    Category.MARGIN_FULL: "on its margin line, α = C",
    Category.INSIDE: "inside the margin",
    Category.ON_LINE: "on the decision boundary",
    Category.WRONG: "training error",
}


def _of_two_classes(field: str, value: Any) -> Solution:
    """Return a solution of two classes. Raises BadInput, with the name of the figure for what else is solved."""
    if isinstance(value, OneVsRestSolution | JointSolution | Fit):
        raise BadInput(
            "{field}: expected a Solution of two classes. Draw this one with svmlab.plot.{figure}.",
            field=field,
            figure="regression(fit)" if isinstance(value, Fit) else "classes(solution)",
        )
    checked: Solution = instance(Solution)(field, value)
    return checked


@validated
def boundary(
    solution: Annotated[Solution, _of_two_classes],
    *,
    resolution: Annotated[int, WholeNumber(2, 2000)] = 200,
    xlabel: str = "x₁",
    ylabel: str = "x₂",
    dark: bool = False,
) -> go.Figure:
    """Return the regions, the decision boundary, the margin lines, and the points with their rings and slacks.

    A ring marks a support vector, and two rings mark one at its bound, alpha_i = C_i. The fill of a point shows
    alpha_i / C_i. A cross marks a training error, and a thin line leads from a point with slack to its margin line.
    Both axes have the same unit, so that distances are true, unless one range is more than four times the other.

    solution: over two coordinates. resolution: values of f along each axis, 2 to 2000; a linear kernel needs none.
    xlabel, ylabel: the titles of the axes. dark: the colours of a dark page. Raises BadInput for other points.
    """
    data = solution.problem.data
    _require_plane(data.d)
    palette = DARK if dark else LIGHT
    u_range, v_range = (_with_room(data.X[:, j]) for j in (0, 1))
    n = 2 if solution.problem.kernel.is_linear else resolution  # the contour of a linear function needs four corners
    u, v = np.linspace(*u_range, n), np.linspace(*v_range, n)
    f = decision_grid(solution, u, v)

    figure = _blank(palette, xlabel, ylabel)
    _add_regions(figure, palette, u, v, f)
    if solution.norm_w > 0:
        for levels, name, dash, width in (
            ([0.0], "decision boundary, f = 0", "solid", 2.5),
            ([-1.0, 1.0], "margin lines, f = ±1", "dash", 1.5),
        ):
            lines = level_lines(u, v, f, np.array(levels))
            pen = palette.pen(palette.text, width, dash)
            figure.add_trace(
                go.Scatter(x=lines[:, 0], y=lines[:, 1], mode="lines", name=name, line=pen, hoverinfo="skip")
            )
    _add_slacks(figure, palette, solution, float(np.abs([*u_range, *v_range]).max()))
    _add_points(figure, palette, solution)
    return _in_plane(figure, u_range, v_range)


@validated
def classes(
    solution: OneVsRestSolution | JointSolution,
    *,
    resolution: Annotated[int, WholeNumber(2, 2000)] = 200,
    xlabel: str = "x₁",
    ylabel: str = "x₂",
    dark: bool = False,
) -> go.Figure:
    """Return the region of each class, in which its f is the largest, and the points with crosses for the errors.

    solution: of several classes over two coordinates, with classes up to the fourth, because only these have colours.
    resolution: values of f along each axis, 2 to 2000. xlabel, ylabel: the titles of the axes. dark: the colours of a
    dark page. Raises BadInput for other points.
    """
    data = solution.problem.data
    _require_plane(data.d)
    if data.classes[-1] > MOST_COLOURS:
        raise BadInput(
            "solution: it has class number {k}, but only the classes 1 to {most} have colours. Number them anew.",
            k=data.classes[-1],
            most=MOST_COLOURS,
        )
    palette = DARK if dark else LIGHT
    u_range, v_range = (_with_room(data.X[:, j]) for j in (0, 1))
    u, v = (np.linspace(*ends, resolution) for ends in (u_range, v_range))
    largest = solution.decision(np.stack(np.meshgrid(u, v), -1).reshape(-1, 2)).argmax(1)
    figure = _blank(palette, xlabel, ylabel)
    n = len(data.classes)
    fills = [mixed(palette.paper, palette.class_colour(k), 0.12) for k in data.classes]
    steps = [[share, fill] for i, fill in enumerate(fills) for share in (i / n, (i + 1) / n)]
    figure.add_trace(
        go.Heatmap(
            x=u,
            y=v,
            z=largest.reshape(resolution, resolution),
            colorscale=steps,
            zmin=-0.5,
            zmax=n - 0.5,
            showscale=False,
            hoverinfo="skip",
            name="regions",
        )
    )
    for k in data.classes:
        own, colour = np.flatnonzero(data.y == k), palette.class_colour(k)
        mark = {"symbol": class_symbol(k), "size": SIZE, "color": colour, "line": palette.pen(colour, 1.5)}
        hover = [f"point {data.ids[i]} at ({data.X[i, 0]:.4g}, {data.X[i, 1]:.4g})" for i in own]
        _add_marks(figure, data.X[own], f"class {data.labels[k - 1] if data.labels else k}", mark, hover)
    cross = {"symbol": "x-thin", "size": 0.7 * SIZE, "line": palette.pen(palette.text, 1.5)}
    errors = data.named_labels != solution.predict(data.X)
    _add_marks(figure, data.X[errors], "training error", cross)
    return _in_plane(figure, u_range, v_range)


@validated
def regression(
    fit: Fit,
    *,
    resolution: Annotated[int, WholeNumber(2, 2000)] = 400,
    xlabel: str = "x",
    ylabel: str = "y",
    dark: bool = False,
) -> go.Figure:
    """Return f, the edges of the tube f ± ε, and the points with rings for support vectors.

    fit: over one coordinate. resolution: the number of x at which f is computed, 2 to 2000. xlabel, ylabel: the titles
    of the axes. dark: the colours of a dark page. Raises BadInput for points with more coordinates.
    """
    data, eps = fit.problem.data, fit.problem.eps
    if data.d != 1:
        raise BadInput(
            "fit: its points have {d} columns, but f can be drawn over one column only. Choose one column.", d=data.d
        )
    palette = DARK if dark else LIGHT
    x = np.linspace(*_with_room(data.X[:, 0]), resolution)
    f = fit.decision(x[:, None])
    figure = _blank(palette, xlabel, ylabel)
    for values, name, dash, width, shown in (
        (f, "f", "solid", 2.5, True),
        (f + eps, "edges of the tube, f ± ε", "dash", 1.5, True),
        (f - eps, "edges of the tube, f ± ε", "dash", 1.5, False),
    ):
        pen = palette.pen(palette.text, width, dash)
        figure.add_trace(
            go.Scatter(x=x, y=values, mode="lines", name=name, line=pen, hoverinfo="skip", showlegend=shown)
        )
    points = np.column_stack([data.X[:, 0], data.y])
    for name, rows, size in (
        ("support vector", fit.support, FREE_RING),
        ("support vector with its multiplier at C", fit.at_bound, OUTER_RING),
    ):
        ring = {"symbol": "circle-open", "size": size, "color": palette.text, "line": {"width": 1.2}}
        _add_marks(figure, points[rows], name, ring)
    hover = [
        f"point {number}<br>y = {y:.4g}<br>y − f(x) = {r:.4g}<br>α − α* = {beta:.4g}"
        for number, y, r, beta in zip(data.ids, data.y, fit.residuals, fit.beta, strict=True)
    ]
    mark = {"symbol": "circle", "size": SIZE, "color": palette.plus, "line": palette.pen(palette.plus, 1.5)}
    _add_marks(figure, points, "value y", mark, hover)
    return figure


@validated
def path(path: Path, *, scaled: bool = True, dark: bool = False) -> go.Figure:
    """Return the dual variables of all points as functions of C, each in the colour of its class.

    The faint vertical lines are the breakpoints of the path, where a point changes its category. They are left out
    if there are more than 100. Between two breakpoints every alpha_i is linear in C.

    scaled: draw alpha_i / C_i, which is between 0 and 1, instead of alpha_i. Raises BadInput for a path without
    breakpoints, because then every alpha_i is 0 for all C.
    """
    if not len(path.C):
        raise BadInput(
            "path: it has no breakpoints, because all points are in one class. Add points of the other class."
        )
    palette, data = DARK if dark else LIGHT, path.problem.data
    C = _values_of_C(path)
    alpha = np.stack([path.alpha(c) for c in C])
    values = alpha / (C[:, None] * path.problem.v) if scaled else alpha
    figure = _blank(palette, "C", "αᵢ / Cᵢ" if scaled else "αᵢ")
    if len(path.C) <= 100:
        for c in path.C:
            figure.add_vline(x=c, line={"color": palette.grid, "width": 1})
    first = set[float]()
    for i in np.flatnonzero(alpha.any(0)):
        label = float(data.y[i])
        figure.add_trace(
            go.Scatter(
                x=C,
                y=values[:, i],
                mode="lines",
                name=_class_name(data.labels, label),
                legendgroup=str(label),
                showlegend=label not in first,
                line=palette.pen(palette.class_colour(label), 1.5, "solid" if label > 0 else "dash"),
                hovertemplate=f"point {data.ids[i]}<br>C = %{{x:.4g}}<br>%{{y:.4g}}<extra></extra>",
            )
        )
        first.add(label)
    return figure.update_xaxes(**log_axis(float(np.log10(C[0])), float(np.log10(C[-1]))))


@validated
def pegasos(run: PegasosRun | KernelRun, *, dark: bool = False) -> go.Figure:
    """Return the gap F(w) - F(w*) of a run against the step t, beside the bound 2 X^2 (1 + ln t) / (sigma t).

    The gap is drawn at w_t, at the mean of w_1 .. w_t, and at the mean of the second half, each as the mean over all
    repetitions. w* is computed exactly. The bound holds for the expected gap at the mean (P7), and is drawn only where
    the proof of the lecture notes covers the rule of the run (`run.rule.guaranteed`).
    """
    palette, t = DARK if dark else LIGHT, run.t
    kernel = run.kernel if isinstance(run, KernelRun) else Linear()
    mu = run.rule.mu
    problem = Problem(run.data, kernel, C=1 / (mu * run.data.m), bias=False)
    minimum = mu * solve(problem).objective  # F = mu (1/2 |w|^2 + C sum xi) for C = 1 / (mu m)
    figure = _blank(palette, "step t", "F(w) − F(w*)")
    lines = [
        ("last iterate wₜ", run.last, palette.quiet, "dot"),
        ("mean of all iterates", run.average, palette.accent, "solid"),
        ("mean of the second half", run.suffix, palette.other, "dash"),
    ]
    for name, values, colour, dash in lines:
        _add_gap(figure, palette, t, values.mean(0) - minimum, name, colour, dash)
    if run.rule.guaranteed:
        _add_gap(figure, palette, t, run.bound, "bound on the expected gap of the mean", palette.text, "longdash")
    figure.update_xaxes(**log_axis(0.0, max(float(np.log10(t[-1])), 0.1)))
    return figure.update_yaxes(type="log", exponentformat="power")


def _blank(palette: Palette, x: str, y: str) -> go.Figure:
    """Return an empty figure on paper, with a legend: in a notebook no page explains the marks."""
    figure = empty_chart(palette, x, y, height=HEIGHT, zoom=True)
    legend = {"font": {"size": palette.small}, "bgcolor": CLEAR}
    return figure.update_layout(paper_bgcolor=palette.paper, plot_bgcolor=palette.paper, showlegend=True, legend=legend)


def _require_plane(d: int) -> None:
    if d != 2:
        raise BadInput(
            "solution: its points have {d} columns, but only points in the plane (2 columns) can be drawn. Choose two "
            "columns, or reduce the points to two coordinates.",
            d=d,
        )


def _in_plane(figure: go.Figure, u_range: tuple[float, float], v_range: tuple[float, float]) -> go.Figure:
    """Return the figure with these axes, which have the same unit unless one range is much larger."""
    figure.update_xaxes(range=list(u_range)).update_yaxes(range=list(v_range))
    ratio = np.ptp(u_range) / np.ptp(v_range)
    if 1 / EQUAL_UNITS_UP_TO <= ratio <= EQUAL_UNITS_UP_TO:
        figure.update_xaxes(constrain="domain").update_yaxes(scaleanchor="x", scaleratio=1, constrain="domain")
    return figure


def _with_room(values: Array) -> tuple[float, float]:
    """Return the ends of an axis around these values, of length 1 at least where all are equal."""
    low, high = float(values.min()), float(values.max())
    room = ROOM * (high - low) or 0.5 * max(1.0, abs(low))
    return low - room, high + room


def _add_regions(figure: go.Figure, palette: Palette, u: Array, v: Array, f: Array) -> None:
    """Add the two regions, f < 0 and f > 0, in pale colours of their classes."""
    minus, plus = (mixed(palette.paper, colour, 0.12) for colour in (palette.minus, palette.plus))
    figure.add_trace(
        go.Contour(
            x=u,
            y=v,
            z=f,
            contours={"start": 0, "end": 0, "size": 1, "coloring": "fill", "showlines": False},
            colorscale=[[0, minus], [0.5, minus], [0.5, plus], [1, plus]],
            zmin=-0.5,
            zmax=0.5,
            showscale=False,
            hoverinfo="skip",
            name="regions",
        )
    )


def _add_slacks(figure: go.Figure, palette: Palette, solution: Solution, reach: float) -> None:
    """Add a thin line from each point with slack to its margin line, along the gradient of f."""
    paths = slack_paths(solution, reach) if solution.norm_w > 0 else {}
    if not paths:
        return
    gap = np.full((1, 2), np.nan)
    vertices = np.vstack([part for each in paths.values() for part in (each, gap)])
    pen = palette.pen(palette.quiet, 1)
    figure.add_trace(
        go.Scatter(x=vertices[:, 0], y=vertices[:, 1], mode="lines", name="slack ξ", line=pen, hoverinfo="skip")
    )


def _add_points(figure: go.Figure, palette: Palette, solution: Solution) -> None:
    """Add the points of each class, the rings of the support vectors, and the crosses of the training errors."""
    data, X = solution.problem.data, solution.problem.data.X
    rings = [("support vector", solution.support, FREE_RING)]
    if not solution.problem.hard:
        rings.append(("support vector with α = C", solution.at_bound, OUTER_RING))
    for name, rows, size in rings:
        ring = {"symbol": "circle-open", "size": size, "color": palette.text, "line": {"width": 1.2}}
        _add_marks(figure, X[rows], name, ring)
    bounds = solution.problem.C * solution.problem.v
    share = np.where(np.isfinite(bounds), solution.alpha / bounds, solution.support)
    for label in (1.0, -1.0):
        own, colour = np.flatnonzero(data.y == label), palette.class_colour(label)
        mark = {
            "symbol": class_symbol(label),
            "size": SIZE,
            "color": [faded(colour, 0.16 + 0.84 * float(part)) for part in share[own]],
            "line": palette.pen(colour, 1.5),
        }
        _add_marks(figure, X[own], _class_name(data.labels, label), mark, _hovers(solution, own))
    cross = {"symbol": "x-thin", "size": 0.7 * SIZE, "line": palette.pen(palette.text, 1.5)}
    _add_marks(figure, X[solution.errors], "training error", cross)


def _add_marks(figure: go.Figure, X: Array, name: str, mark: dict[str, Any], hover: list[str] | None = None) -> None:
    if len(X):
        words = {"hoverinfo": "skip"} if hover is None else {"text": hover, "hovertemplate": "%{text}<extra></extra>"}
        figure.add_trace(go.Scatter(x=X[:, 0], y=X[:, 1], mode="markers", name=name, marker=mark, **words))


def _hovers(solution: Solution, rows: Index) -> list[str]:
    data = solution.problem.data
    return [
        f"point {data.ids[i]} at ({data.X[i, 0]:.4g}, {data.X[i, 1]:.4g}), {MEANINGS[solution.categories[i]]}<br>"
        f"y f(x) = {solution.margins[i]:.4g}<br>α = {solution.alpha[i]:.4g}<br>ξ = {solution.xi[i]:.4g}"
        for i in rows
    ]


def _class_name(labels: tuple[Any, Any], label: float) -> str:
    name = labels[1] if label > 0 else labels[0]
    return f"class {name}".replace("-", "−") if name in (-1, 1) else f"class {name}"


def _values_of_C(path: Path) -> Array:
    """Return the C at which a path is drawn, (k,): its breakpoints, some between them, and a factor 3 beyond them."""
    ends = np.r_[path.C[0] / 3, path.C, path.C[-1] * 3]
    share = np.arange(STEPS) / STEPS
    between = ends[:-1, None] * (ends[1:] / ends[:-1])[:, None] ** share  # the breakpoints themselves for share 0
    return np.r_[between.ravel(), ends[-1]]


def _add_gap(figure: go.Figure, palette: Palette, t: Index, gap: Array, name: str, colour: str, dash: str) -> None:
    """Add a curve on logarithmic axes. A gap that rounding has made 0 or negative is drawn at the lowest value."""
    pen, hover = palette.pen(colour, 2, dash), "t = %{x}<br>%{y:.4g}"
    figure.add_trace(go.Scatter(x=t, y=np.maximum(gap, FLOOR), mode="lines", name=name, line=pen, hovertemplate=hover))
