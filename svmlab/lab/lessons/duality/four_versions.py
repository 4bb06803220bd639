"""One problem in four versions, each solved by its own means (H2, H3, H12; the German handout's versions 1 to 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import SvmError
from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING, SIZE, add_rule, mark_current
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR
from svmlab.lab.lessons.duality.versions import Turn, Version, turn, versions
from svmlab.lab.lessons.duality.weights_chart import weights
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, place, reading, select_point, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, LINEAR, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, table, words
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal

SPAN = (-90.0, 90.0)
NAMES = {"margin": N_("margin"), "scale": N_("scale"), "square": N_("shortest w"), "dual": N_("dual")}
SAYS = {
    "margin": N_(
        "For each direction of the normal $u$ the widest strip has a half width. Below 0 it separates nothing; "
        "the top is the margin."
    ),
    "scale": N_(
        "Stretch $u$ until the least margin is exactly 1. A narrow strip needs a long $w$, the widest "
        "one the shortest: "
        "$\\|w\\| = 1/\\gamma$."
    ),
    "square": N_(
        "Ask for 1 **or more**. All beyond the edge is allowed now and nothing is gained, but the region is convex: "
        "any solver can take it."
    ),
    "dual": N_(
        "One weight for each point, and only inner products. The best weights add up to $\\|w\\|^2 = 1/\\gamma^2$."
    ),
}
FORMULAS = {
    "margin": r"\max_{\|u\|=1,\,b}\;\min_i\; y_i(\langle u,x_i\rangle+b)",
    "scale": r"\max_{w,\,b}\;1/\|w\|, \qquad \min_i\, y_i(\langle w,x_i\rangle+b)=1",
    "square": r"\min_{w,\,b}\;\tfrac12\|w\|^2, \qquad y_i(\langle w,x_i\rangle+b)\ge 1",
    "dual": r"\max_{\alpha\ge 0,\;y^\top\alpha=0}\;\sum_i\alpha_i-\tfrac12\alpha^\top Q\,\alpha",
}


def solved(stage: Stage) -> tuple[Version, ...]:
    """The four versions on this board; none where the second solver gives up."""

    def make() -> tuple[Version, ...]:
        try:
            return versions(stage.data, stage.lab.bias)
        except SvmError:
            return ()

    return stage.cached("versions", make)


FOUR_LINES = Need(lambda stage: bool(solved(stage)), N_("One of the four solvers gives up on these points."), {})


def apart(four: tuple[Version, ...]) -> float:
    """The largest difference between two of the lines, as (w, b) / |w|, in units of the margin."""
    lines = np.array([np.r_[v.w, v.b] / np.linalg.norm(v.w) for v in four])
    return float(np.ptp(lines, axis=0).max()) / four[0].margin


def degrees(stage: Stage) -> float:
    """How far the normal is turned away from the best one."""
    return stage.dial("turned", 0.0)


def candidate(stage: Stage) -> tuple[Line, float]:
    """The best line with the turned normal, and its margin: 0 or less where it separates nothing."""
    w, data = boundary_line(stage).w, stage.data
    angle = float(np.arctan2(w[1], w[0]) + np.radians(degrees(stage)))
    if stage.lab.bias:
        return widest_with_normal(data.X, data.y, angle)
    line = Line(np.array([np.cos(angle), np.sin(angle)]), 0.0)
    return line, line.margin(data.X, data.y)


def draw(stage: Stage) -> Data:
    """The turned line with its strip and its normal: u of length 1, or the w that makes its least margin 1."""
    line, margin = candidate(stage)
    half = stage.lab.view
    items = line_strokes(line, half, "accent")
    if margin > 0:
        items += [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
        foot = line.foot(np.zeros(2))
        long = 1.0 if stage.pick("version") == "margin" else 1.0 / margin
        items.append(stroke(np.array([foot, foot + long * line.normal]), "accent", "arrow"))
    title = _("Turn the normal away from the best one")
    return {"overlay": items, "sliders": [dial("turned", title, _("turn"), degrees(stage), *SPAN, 1.0, "°")]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The strip on the board, the best one, and how far the four lines are apart."""
    if not stage.shown:
        return ()
    margin, four = candidate(stage)[1], solved(stage)
    if stage.pick("version") == "dual":
        gamma = Line(four[2].w, four[2].b).margin(stage.data.X, stage.data.y)
        return [
            reading("Σ α", float(stage.solution.alpha.sum())),
            reading("|w|²", float(four[2].w @ four[2].w)),
            reading("1/γ²", 1.0 / gamma**2),
            reading(_("lines apart"), apart(four)),
        ]
    return [
        reading(_("this strip"), margin) if margin > 0 else reading(_("this strip"), _("separates nothing")),
        reading(_("widest"), four[0].margin),
        reading(_("lines apart"), apart(four)),
    ]


def around(stage: Stage) -> Turn:
    """The margin in every direction."""
    return stage.cached("turn", lambda: turn(stage.data, stage.lab.bias, solved(stage)[0].w))


def chart(stage: Stage) -> Chart:
    """What the chosen version looks at."""
    version, four, data, palette = stage.pick("version"), solved(stage), stage.data, stage.palette
    if version == "dual":
        rows = np.flatnonzero(stage.solution.support)
        alpha = stage.solution.alpha
        figure = weights(alpha, alpha, alpha, data.y, data.ids, rows, stage.lab.selected, palette)
        return Chart(figure, select_point)
    line, margin = candidate(stage)
    if version == "margin":
        return Chart(turning(around(stage), four[0].margin, degrees(stage), margin, palette))
    here = line.normal / margin if margin > 0 else None
    return Chart(plane_of_w(around(stage), four[1].w, here, version == "scale", palette))


def says(stage: Stage) -> str:
    version = stage.pick("version")
    return _(SAYS[version])


def more(stage: Stage) -> Sequence[Part]:
    """Each version by itself: its line, its own value, and the margin of its line, measured."""
    rows = [
        named_row(
            _(NAMES[v.name]),
            [words(place(v.w)), number(v.b, 3), number(v.value, 5), number(v.margin, 5)],
            v.name == stage.pick("version"),
        )
        for v in solved(stage)
    ]
    total = short(float(stage.solution.alpha.sum()))
    return [
        _(
            "**Margin** turns the normal, **scale** measures the same line with another ruler, **shortest "
            "w** and **dual** "
            "are solved by a quadratic program that knows nothing of the other two. The sum of the exact "
            "$\\alpha$ is {total}."
        ).format(total=total),
        Table(table(head("w", "b", _("value"), _("margin"), first=_("version")), rows)),
    ]


def turning(found: Turn, gamma: float, turned: float, here: float, palette: Palette) -> go.Figure:
    """The margin against the direction of the normal, in degrees away from the best one; the board stands at `turned`,
    `here`.
    """
    degrees = np.degrees(found.angle - found.angle[len(found.angle) // 2])
    figure = blank(palette, _("turned away from the best"), _("margin"), height=320)
    figure.add_trace(
        go.Scatter(
            x=degrees,
            y=found.margin,
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{x:.1f}°<br>%{y:.5g}<extra></extra>",
            name="margin",
        )
    )
    add_rule(figure, palette, palette.quiet, y=0, width=1)
    mark_current(figure, palette, turned, here)
    figure.add_trace(_dot(0.0, gamma, _("margin"), f"{gamma:.8g}", palette))
    low = float(found.margin.min())
    figure.update_yaxes(range=[1.05 * low, gamma + 0.22 * (gamma - low)], nticks=5)
    figure.update_xaxes(range=[-180, 180], dtick=90, ticksuffix="°")
    return place_labels(figure, palette, [Label(_("margin"), 0.0, gamma, palette.accent, "above")])


def plane_of_w(found: Turn, w: Array, here: Array | None, edge_only: bool, palette: Palette) -> go.Figure:
    """All w for which some b gives y f >= 1 on every point, the shortest touching a circle about 0, and the board's
    `here`.

    `edge_only` draws the edge alone, where the least margin is exactly 1.
    """
    edge, norm = found.least, float(np.hypot(*w))
    outer = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None] * (100 * norm)
    figure = blank(palette, height=320)
    if not edge_only:
        figure.add_trace(
            go.Scatter(
                x=np.r_[edge[:, 0], outer[::-1, 0]],
                y=np.r_[edge[:, 1], outer[::-1, 1]],
                fill="toself",
                mode="lines",
                line={"width": 0},
                fillcolor=palette.grid,
                hoverinfo="skip",
                name="allowed",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=edge[:, 0],
            y=edge[:, 1],
            mode="lines",
            line=palette.pen(palette.text),
            name="edge",
            hovertemplate="w = (%{x:.4g}, %{y:.4g})<extra></extra>",
        )
    )
    a = np.linspace(0, 2 * np.pi, 181)
    figure.add_trace(
        go.Scatter(
            x=norm * np.cos(a),
            y=norm * np.sin(a),
            mode="lines",
            line=palette.pen(palette.accent, 1.5, "dash"),
            hoverinfo="skip",
            name="circle",
        )
    )
    figure.add_annotation(
        x=float(w[0]),
        y=float(w[1]),
        ax=0,
        ay=0,
        xref="x",
        yref="y",
        axref="x",
        ayref="y",
        arrowhead=2,
        arrowwidth=2.5 * palette.stroke,
        arrowcolor=palette.accent,
        text="",
        showarrow=True,
    )
    figure.add_trace(_dot(float(w[0]), float(w[1]), _("shortest w"), f"({w[0]:.8g}, {w[1]:.8g})", palette))
    if here is not None:
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, RING)}
        hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
        figure.add_trace(
            go.Scatter(x=here[:1], y=here[1:], name="now", mode="markers", marker=ring, hovertemplate=hover)
        )
    (x0, y0), half = 0.75 * w, 1.9 * norm
    figure.update_xaxes(range=[float(x0) - half, float(x0) + half])
    figure.update_yaxes(range=[float(y0) - half, float(y0) + half], scaleanchor="x")
    # a circle and its touching point, not places to be read: the hover has those, and the room is needed
    figure.update_xaxes(showticklabels=False, zeroline=True).update_yaxes(showticklabels=False, zeroline=True)
    towards, away = ("right", "left") if w[0] >= 0 else ("left", "right")
    x, y = (1.2 if edge_only else 1.7) * w
    names = (
        Label(_("shortest w"), -norm if towards == "right" else norm, 0.0, palette.accent, away),
        Label(_("least margin 1") if edge_only else _("allowed"), float(x), float(y), palette.text, towards),
    )
    return place_labels(figure, palette, names)


def _dot(x: float, y: float, name: str, exact: str, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=np.array([x]),
        y=np.array([y]),
        mode="markers",
        marker={"size": SIZE * palette.stroke, "color": palette.accent},
        name="best",
        hovertemplate=f"{name}<br>{exact}<extra></extra>",
    )


VERSIONS = Step(
    key="versions",
    title=N_("A problem in four forms"),
    question=N_(
        "The notes reach the dual in four moves: **widest margin**, **fixed scale**, **shortest w**, **dual**. "
        "Each is solved by its own means. Do they find the same line?"
    ),
    choices=(
        right(N_("All four find the same line")),
        wrong(
            N_("Fixing the scale moves the line"),
            N_("The ruler changes, but multiplying w and b by a factor leaves the line where it is."),
        ),
        wrong(
            N_("The dual finds another: it sees no line"),
            N_("It only weighs points, but the weights build a line: w is the sum of α y x."),
        ),
    ),
    board=EIGHT,
    needs=(BOTH_CLASSES, LINEAR, HARD, SEPARABLE, at_most(30), FOUR_LINES),
    draw=draw,
    play=lambda stage: {"key": "turned", "op": "dial", "from": -75.0, "to": 0.0, "ms": 1800},
    numbers=numbers,
    picks=(Pick("version", N_("Version"), tuple(NAMES), "margin", lambda name: _(NAMES[name])),),
    chart=chart,
    says=says,
    formula=lambda stage: (
        FORMULAS[stage.pick("version")]
        if stage.lab.bias
        else FORMULAS[stage.pick("version")].replace(r",\;y^\top\alpha=0", "").replace("+b", "").replace(r",\,b", "")
    ),
    more=more,
    tries=(
        Try(N_("Turn by 30°"), set_dials(turned=30.0)),
        Try(N_("Straight again"), set_dials(turned=0.0)),
        Try(N_("Four points"), board=FOUR),
    ),
    shows=("H2", "H3", "H12"),
)
