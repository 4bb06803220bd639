"""Functional and geometric margin while w and b are multiplied by s (M2, M5, M7, M13)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.marks import mark_current, points
from svmlab.lab.lessons.margin.flowers import BOARD
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import has_points_of
from svmlab.lab.teach.overlay import boundary_line, select_point, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Pick, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette

RANGE = (-2.0, 3.0)  # of the factor
OPTIONS = {"one": N_("one point, every s"), "all": N_("all points, this s")}


def factor(stage: Stage) -> float:
    """Return the factor s."""
    return stage.dial("factor", 2.0 if stage.shown else 1.0)


def selected(stage: Stage) -> int:
    """Return the row of the selected point, unless it lies on the boundary, where both margins are 0.

    Then, or if no point is selected, return the row of the point whose functional margin is nearest to 1.
    """
    i, solution = stage.selected_row, stage.solution
    if i is not None and abs(solution.margins[i]) > solution.noise:
        return i
    return int(abs(solution.margins - 1.0).argmin())


def functional_margin(stage: Stage) -> float:
    """Return the functional margin y f(x) of the selected point for s = 1."""
    return float(stage.solution.margins[selected(stage)])


def geometric_margin(stage: Stage) -> float | str:
    """Return the geometric margin of the selected point for the present s, or words where there is no boundary."""
    s = factor(stage)
    return float(np.sign(s)) * functional_margin(stage) / stage.solution.norm_w if s else _("no boundary")


def situation(stage: Stage) -> str:
    margins = _(
        "The decision boundary is $f(x) = \\langle w, x\\rangle + b = 0$. A point with the label $y = \\pm 1$ "
        "has the **functional margin** $y f(x)$. Its **geometric margin** is its distance from the boundary, "
        "with the sign of $y f(x)$."
    )
    if not has_points_of(stage.lab, BOARD):
        return margins
    flowers = _("The points are iris flowers (sepal length and width, centred).")
    return f"{flowers} {margins}"


def verdict(stage: Stage) -> str:
    yf = functional_margin(stage)
    return _(
        "Only the functional margin doubles, here from {once} to {twice}. The geometric margin stays {gamma}."
    ).format(
        once=short(yf, noise=ROUNDING),
        twice=short(2 * yf, noise=ROUNDING),
        gamma=short(yf / stage.solution.norm_w, noise=ROUNDING),
    )


def draw(stage: Stage) -> Data:
    """The boundary stays, and the margin lines s f = 1 and s f = −1 and the shading follow s."""
    s, half, line, solution = factor(stage), stage.lab.view, boundary_line(stage), stage.solution
    lines: Data = {"zero": [], "plus": [], "minus": []}
    if s:
        margin = 1.0 / (s * solution.norm_w)
        at = {"zero": 0.0, "plus": margin, "minus": -margin}
        lines = {name: [flat_coordinates(ends) for ends in line.shifted(t).clipped(half)] for name, t in at.items()}
    drawing = stage.cache.drawing(solution, half)
    return {
        "lines": lines,
        "shade": shading(SolutionDrawing(half, s * drawing.values, (), (), (), {})),
        "marks": {"fill": [1.0] * solution.problem.data.m},
        "slack": [],
        "legend": None,  # it counts for s = 1
        "selected": stage.lab.points[selected(stage)].id,
        "sliders": [dial("factor", _("Factor s for w and b"), "s", s, RANGE[0], max(RANGE[1], s), 0.05)],
    }


def chart(stage: Stage) -> Chart:
    """Both margins of one point over all s, or those of all points at this s."""
    solution, yf = stage.solution, functional_margin(stage)
    if stage.pick("margins") == "all":
        point = stage.lab.points[selected(stage)].id
        figure = all_margins(solution.margins, 1 / solution.norm_w, stage.data, point, factor(stage), stage.palette)
        return Chart(figure, select_point)
    return Chart(both_margins(yf, yf / solution.norm_w, factor(stage), stage.palette))


def says(stage: Stage) -> str:
    if stage.pick("margins") == "one":
        return _(
            "The chart shows both margins of the selected point against the factor $s$. A factor below 0 changes "
            "the sign of both. The dashed margin lines $s f = \\pm1$ move, but the boundary stays."
        )
    return _(
        "The chart shows the geometric margin (across) and the functional margin (up) of each point. A larger $|s|$ "
        "makes the line steeper, but moves no point across."
    )


def canonical(stage: Stage) -> Op:
    """Make the smallest functional margin 1. If a point is on the wrong side, take s = 1."""
    smallest = float(stage.solution.margins.min())
    return set_dials(factor=1.0 / smallest if smallest > 0 else 1.0)


def both_margins(yf: float, gamma: float, s: float, palette: Palette) -> go.Figure:
    """Return the chart of one point: the functional margin s yf is a line, and the geometric one has the sign of s."""
    lo, hi = RANGE
    figure = empty_chart(palette, _("factor s"), _("margin"), height=250)
    at = np.linspace(lo, hi, 51)
    figure.add_trace(go.Scatter(x=at, y=at * yf, name="functional", mode="lines", line=palette.pen(palette.plus)))
    x, y = np.array([lo, 0.0, np.nan, 0.0, hi]), np.array([-gamma, -gamma, np.nan, gamma, gamma])
    figure.add_trace(go.Scatter(x=x, y=y, name="geometric", mode="lines", line=palette.pen(palette.minus)))
    hole = {"color": CLEAR, "size": 8 * palette.stroke, "line": palette.pen(palette.minus, 2)}
    figure.add_trace(go.Scatter(x=np.zeros(2), y=np.array([-gamma, gamma]), name="gone", mode="markers", marker=hole))
    figure.update_traces(hovertemplate="s = %{x:.2f}: %{y:.4g}<extra></extra>")
    mark_current(figure, palette, s, *([s * yf, np.sign(s) * gamma] if s else [0.0]))
    figure.update_xaxes(range=[lo, max(hi, s)], zeroline=True)
    figure.update_yaxes(range=axis_range(at * yf, gamma, -gamma, s * yf), zeroline=True)
    names = (
        Label(_("functional"), hi, hi * yf, palette.plus),
        Label(_("geometric"), hi, gamma, palette.minus),
    )
    return place_labels(figure, palette, names)


def all_margins(yf: Array, margin: float, data: Dataset, chosen: int, s: float, palette: Palette) -> go.Figure:
    """Return the chart of the functional margins s yf (m,) against the geometric ones at s = 1, on a line of slope
    s/|w|.

    margin: the distance 1/|w| of the margin lines at s = 1. chosen: the id of the selected point.
    """
    figure = empty_chart(palette, _("geometric margin for s = 1"), _("functional margin"), height=250)
    gamma, ends = yf * margin, np.array(axis_range(yf * margin))
    for name, scale, colour, dash in (("once", 1.0, palette.quiet, "dash"), ("now", s, palette.accent, "solid")):
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(
            go.Scatter(x=ends, y=scale * ends / margin, name=name, mode="lines", line=pen, hoverinfo="skip")
        )
    hover = f"{_('geometric margin')} %{{x:.4g}}<br>{_('functional margin')} %{{y:.4g}}<extra></extra>"
    for sign in (1, -1):
        on = data.y == sign
        ids = data.ids[on]
        figure.add_trace(
            points(
                palette, gamma[on], s * yf[on], data.y[on], ids, ids == chosen, name=f"{sign}", hover=hover, edge=1.0
            )
        )
    figure.update_xaxes(range=ends.tolist(), zeroline=True)
    figure.update_yaxes(range=axis_range(ends / margin, s * ends / margin), zeroline=True)
    names = [Label("s = 1", float(ends[1]), float(ends[1] / margin), palette.quiet)]
    if abs(s - 1.0) > 1e-9:
        names.append(
            Label(f"s = {s:.3g}".replace("-", "−"), float(ends[1]), float(s * ends[1] / margin), palette.accent)
        )
    return place_labels(figure, palette, names)


SCALING = Step(
    key="scaling",
    title=N_("Functional and geometric margin"),
    introduces=("boundary", "decision-function", "functional-margin", "geometric-margin", "bias", "normal", "point"),
    situation=situation,
    question=N_("How do the functional and the geometric margin of a point change if $w$ and $b$ double?"),
    choices=(
        wrong(
            N_("Both double"),
            N_(
                "Both contain f, which doubles everywhere. However, the geometric margin is divided by ‖w‖, which "
                "doubles too."
            ),
        ),
        right(N_("Only the functional margin doubles")),
        wrong(
            N_("Only the geometric margin doubles"),
            N_(
                "Doubling moves the dashed margin lines. However, the boundary f = 0 stays, so the distances from it "
                "stay."
            ),
        ),
        wrong(
            N_("Neither changes"),
            N_("The boundary f = 0 does not move. However, the functional margin is y f(x), and f doubles everywhere."),
        ),
    ),
    verdict=verdict,
    board=BOARD,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W),
    draw=draw,
    play={"key": "factor", "op": "dial", "from": 1.0, "to": 2.0, "ms": 1600},
    rests_on_answer=lambda stage: factor(stage) == 2.0,
    numbers=(
        Measure(
            N_("functional"),
            lambda stage: factor(stage) * functional_margin(stage),
            N_("Functional margin s y f(x) of the selected point"),
        ),
        Measure(
            N_("geometric"),
            geometric_margin,
            N_("Geometric margin of the selected point: its distance from the boundary, negative on the wrong side"),
        ),
        Measure(
            N_("margin lines at"),
            lambda stage: 1 / abs(factor(stage) * stage.solution.norm_w) if factor(stage) else "∞",
            N_("Distance 1/‖s w‖ of the margin lines s f = 1 and s f = −1 from the boundary"),
            True,
        ),
    ),
    picks=(Pick("margins", N_("Points"), tuple(OPTIONS), "one", lambda name: _(OPTIONS[name])),),
    chart=chart,
    says=says,
    formula=r"\gamma_i = \frac{y_i f(x_i)}{\|w\|}, \qquad \frac{y_i\, s f(x_i)}{\|s w\|} = \gamma_i \;\;(s > 0)",
    more=(
        N_(
            "**The sign.** The geometric margin is the distance of the point from the boundary if $y f(x) > 0$. On the "
            "wrong side it is minus this distance. For a flower of the species setosa $y = 1$, and for versicolor $y = "
            "-1$."
        ),
        N_(
            "**The boundary stays.** For every $s \\ne 0$, $s f(x) = 0$ holds at the same points as $f(x) = 0$. So no "
            "distance from the boundary changes, and only $f$ itself is multiplied by $s$."
        ),
        N_(
            "**The canonical scaling.** For a separating line, $w$ and $b$ can be scaled so that the smallest "
            "functional margin is 1. Then the nearest point is at the distance $1/\\|w\\|$ from the boundary. So the "
            "largest margin belongs to the shortest $w$. You may require $y_i f(x_i) \\ge 1$ for all points, although "
            "equality is meant for the nearest one. If all functional margins were above 1, a division by the smallest "
            "one would make $w$ shorter. Choose *s = 3* and then *Canonical scaling*, and you see it."
        ),
        N_(
            "**Confidence.** Among the points of one $(w, b)$, a larger functional margin means a larger distance on "
            "the correct side. For two scalings this fails, because $s f$ describes the same line with margins that "
            "are $s$ times as large. The geometric margin can always be compared. Neither is a probability. Gambosi's "
            "slides do not mention the scaling. They state: “larger values of $\\overline{\\gamma}_i$ denote greater "
            "confidence on the prediction”."
        ),
        N_(
            "**The sign of the factor.** A negative factor exchanges the two sides, so every geometric margin changes "
            "its sign. For 0 there is no boundary. Gambosi's slides state: “if all parameters are scaled by any "
            "constant c, all geometric margins $\\gamma_i$ between elements and hyperplane are unchanged”. This is "
            "true for every constant above 0."
        ),
    ),
    tries=(
        Try(N_("s = 3"), set_dials(factor=3.0)),
        Try(N_("Canonical scaling"), canonical),
        Try(N_("s = −1"), set_dials(factor=-1.0)),
    ),
    shows=("M2", "M5", "M7", "M13"),
)
