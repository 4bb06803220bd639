"""Two margins, one line: functional against geometric margin while w and b are multiplied by s (M2, M5, M7, M13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, points
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.margin.street import BOARD
from svmlab.lab.teach.overlay import boundary_line, dial, reading, select_point, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing

SPAN = (-2.0, 3.0)
POINTS = {"one": N_("this point, any s"), "all": N_("all points, this s")}


def factor(stage: Stage) -> float:
    """The factor s."""
    return stage.dial("factor", 1.0)


def in_question(stage: Stage) -> int:
    """The row of the selected point, or of the one whose functional margin is nearest to 1."""
    return int(abs(stage.solution.margins - 1.0).argmin()) if stage.selected_row is None else stage.selected_row


def draw(stage: Stage) -> Data:
    """The boundary stays, the lines s f = +-1 move, the shading deepens or turns."""
    s, half, line, solution = factor(stage), stage.lab.view, boundary_line(stage), stage.solution
    lines: Data = {"zero": [], "plus": [], "minus": []}
    if s:
        edge = 1.0 / (s * solution.norm_w)
        at = {"zero": 0.0, "plus": edge, "minus": -edge}
        lines = {name: [flat_coordinates(ends) for ends in line.shifted(t).clipped(half)] for name, t in at.items()}
    seen = stage.cache.scene(solution, half)
    return {
        "lines": lines,
        "shade": shading(SolutionDrawing(half, s * seen.values, (), (), (), {})),
        "marks": {"fill": [1.0] * solution.problem.data.m},
        "slack": [],
        "selected": stage.lab.points[in_question(stage)].id,
        "sliders": [dial("factor", _("Factor s for w and b"), "s", s, SPAN[0], max(SPAN[1], s), 0.05)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both margins of the point in question at the present s."""
    i, s, solution = in_question(stage), factor(stage), stage.solution
    yf = float(solution.margins[i])
    if s == 0:
        return [reading("s y f", 0.0), reading(_("geometric margin"), _("no line, no distance"))]
    return [
        reading("s y f", s * yf),
        reading(_("geometric margin"), float(np.sign(s)) * yf / solution.norm_w),
        reading("1/|s w|", 1.0 / (solution.norm_w * abs(s))),
        reading(_("least s y f"), float((s * solution.margins).min())),
    ]


def chart(stage: Stage) -> Chart:
    """Both margins of one point over all s; or those of all points at this s."""
    if stage.pick("margins") == "all":
        solution, data = stage.solution, stage.data
        figure = rulers(
            solution.margins,
            1.0 / solution.norm_w,
            data,
            stage.lab.points[in_question(stage)].id,
            factor(stage),
            stage.palette,
        )
        return Chart(figure, select_point)
    yf = float(stage.solution.margins[in_question(stage)])
    return Chart(scaling(yf, yf / stage.solution.norm_w, factor(stage), SPAN, stage.palette))


def canonical(stage: Stage) -> Op:
    """The s that makes the smallest functional margin 1; 1 where a point is on the wrong side."""
    least = float(stage.solution.margins.min())
    return set_dials(factor=1.0 / least if least > 0 else 1.0)


def says(stage: Stage) -> str:
    """What the scale is good for, or what a large margin says."""
    if stage.pick("margins") == "one":
        return _("The scale of $(w, b)$ may be **chosen**. Below 0 the sides swap.")
    return _(
        "Further from the line is surer. But times $s$ the same line seems $s$ times as sure: only the "
        "geometric margin "
        "compares, and $f$ is no probability."
    )


def scaling(yf: float, gamma: float, s: float, ends: tuple[float, float], palette: Palette) -> go.Figure:
    """The functional margin s yf is a line through 0; the geometric one is gamma for s > 0 and -gamma for s < 0."""
    lo, hi = ends
    figure = blank(palette, _("factor s"), _("margin"), height=250)
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


def rulers(yf: Array, half: float, data: Dataset, chosen: int, s: float, palette: Palette) -> go.Figure:
    """The margins s y f of all points (m,) against their distance y f / |w|, and the line on which they lie at s = 1;
    half: 1/|w|.
    """
    figure = blank(palette, _("geometric margin"), "s y f", height=250)
    far, ends = yf * half, np.array(axis_range(yf * half))
    for name, scale, colour, dash in (("once", 1.0, palette.quiet, "dash"), ("now", s, palette.accent, "solid")):
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(go.Scatter(x=ends, y=scale * ends / half, name=name, mode="lines", line=pen, hoverinfo="skip"))
    hover = _("geometric margin") + " %{x:.4g}<br>s y f = %{y:.4g}<extra></extra>"
    for sign in (1, -1):
        on = data.y == sign
        ids = data.ids[on]
        figure.add_trace(
            points(palette, far[on], s * yf[on], data.y[on], ids, ids == chosen, name=f"{sign}", hover=hover, edge=1.0)
        )
    figure.update_xaxes(range=ends.tolist(), zeroline=True)
    figure.update_yaxes(range=axis_range(ends / half, s * ends / half), zeroline=True)
    names = [Label("s = 1", float(ends[1]), float(ends[1] / half), palette.quiet)]
    if abs(s - 1.0) > 1e-9:
        names.append(Label(f"s = {s:.3g}".replace("-", "−"), float(ends[1]), float(s * ends[1] / half), palette.accent))
    return place_labels(figure, palette, names)


SCALING = Step(
    key="scaling",
    title=N_("Two margins, one line"),
    question=N_(
        "The **functional margin** of a point is $y f(x)$, the **geometric margin** its signed distance to the line. "
        "Multiply $w$ and $b$ by 2: what happens to the two?"
    ),
    choices=(
        wrong(N_("Both double"), N_("f doubles everywhere, but so does |w|, by which the distance is divided.")),
        right(N_("Only the functional margin doubles")),
        wrong(N_("Only the geometric margin doubles"), N_("The line does not move, so no distance can change.")),
        wrong(N_("Both stay"), N_("The line stays, but f is measured with another ruler.")),
    ),
    board=BOARD,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W),
    draw=draw,
    play=lambda stage: {"key": "factor", "op": "dial", "from": 1.0, "to": 2.0, "ms": 1600},
    numbers=numbers,
    picks=(Pick("margins", N_("Points"), tuple(POINTS), "one", lambda name: _(POINTS[name])),),
    chart=chart,
    says=says,
    formula=r"\gamma_i = \frac{y_i f(x_i)}{\|w\|}, \qquad \frac{y_i\, s f(x_i)}{\|s w\|} = \gamma_i \;\;(s > 0)",
    more=lambda stage: [
        _(
            "The line $s f = 0$ is the same for every $s \\ne 0$, so no distance changes; $f$ itself is multiplied. "
            "With the smallest functional margin set to 1, the nearest point is $1/\\|w\\|$ away. Asking for "
            "$y f \\ge 1$ "
            "instead of equality loses nothing: a larger $(w, b)$ only costs norm and shrinks back until a "
            "point touches: try *Too long*, then *Until one touches*."
        ),
        _(
            "Gambosi's slides say of the functional margin that a larger one denotes greater confidence. "
            "That is so among the "
            "points of one $(w, b)$; between two rulers it says nothing. And they say themselves, a line "
            "above, that no "
            "probability is estimated."
        ),
        _(
            "Gambosi's slides multiply by *any* constant, but it must be positive: a negative one swaps the "
            "two sides, and "
            "every geometric margin changes its sign. At $s = 0$ there is no line at all."
        ),
    ],
    tries=(
        Try(N_("Too long: s = 3"), set_dials(factor=3.0)),
        Try(N_("Until one touches"), canonical),
        Try(N_("s = −1"), set_dials(factor=-1.0)),
    ),
    shows=("M2", "M5", "M7", "M13"),
)
