"""The Lagrangian as a game: the machine wants it small, the weights want it large (H13).

Along the stretches t of the best machine and s of the best weights it is the same surface on every board, in units of
|w*|^2:

    L(t w*, t b*, s alpha*) = |w*|^2 (t^2 / 2 - s (t - 1))

since alpha* lies on margins y f* = 1 and sums to |w*|^2. Its saddle is at t = s = 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, reading, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, LINEAR, NONZERO_W, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.statements.kkt_conditions import lagrangian

SPAN = 2.0  # the largest stretch of either
VIEWS = {"surface": N_("the surface"), "answers": N_("what the other answers")}
SIX = board_of_points(  # w = (1, 0), b = 0, and half a unit of weight on each of the two points of the margin
    ((1, 0, 1), (2.4, 1.7, 1), (2.0, -1.9, 1), (-1, 0, -1), (-2.3, 1.4, -1), (-1.8, -2.0, -1)), hard=True
)


def machine(stage: Stage) -> float:
    """The stretch t of w and b."""
    return stage.dial("stretch", 1.0)


def weights(stage: Stage) -> float:
    """The stretch s of alpha."""
    return stage.dial("load", 1.0)


def value(stage: Stage) -> float:
    """The Lagrangian where both stand, by its own sum over the points."""
    line, t = boundary_line(stage), machine(stage)
    return lagrangian(stage.situation, t * line.w, t * line.b, weights(stage) * stage.solution.alpha)


def worst(stage: Stage) -> float:
    """The largest L over all alpha >= 0: infinite where a point lies within the margin lines of the stretched
    machine.
    """
    t = machine(stage)
    least = t * float(stage.solution.margins.min())
    return 0.5 * (t * stage.solution.norm_w) ** 2 if least >= 1.0 - 1e-9 else np.inf


def best(stage: Stage) -> float:
    """The least L over all w and b at these weights, the dual's value."""
    alpha = weights(stage) * stage.solution.alpha
    signed = alpha * stage.data.y
    return float(alpha.sum()) - 0.5 * float(signed @ stage.lab.problem.gram @ signed)


def draw(stage: Stage) -> Data:
    """The margin lines of the stretched machine, rings round the points between them, and points filled by their
    weights.
    """
    if not stage.shown:
        return {}
    line, t, s, half = boundary_line(stage), machine(stage), weights(stage), stage.lab.view
    lines: Data = {"zero": [], "plus": [], "minus": []}
    items = line_strokes(line, half, "accent") if t else []
    if t:
        items += [
            item
            for side in (1.0, -1.0)
            for item in line_strokes(line.shifted(side / (t * line.norm)), half, "accent dashed")
        ]
    inside = t * stage.solution.margins < 1.0 - 1e-9
    items += [stroke(np.r_[x, 0.05 * half], "witness-line", "disc") for x in stage.data.X[inside]]
    alpha = s * stage.solution.alpha / (SPAN * float(stage.solution.alpha.max()))
    look = {
        "fill": np.round(np.minimum(alpha, 1.0), 3).tolist(),
        "state": ["free" if v > 1e-9 else "none" for v in alpha],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(alpha),
    }
    return {
        "lines": lines,
        "shade": None,
        "overlay": items,
        "marks": look,
        "slack": [],
        "sliders": [
            dial("stretch", _("The machine: w and b times t"), "w, b ×", t, 0.0, SPAN, 0.02),
            dial("load", _("The weights: every α times s"), "α ×", s, 0.0, SPAN, 0.02),
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """L where both stand, and what each could make of it if the other stayed."""
    if not stage.shown:
        return ()
    high = worst(stage)
    return [
        reading(_("Lagrangian"), value(stage)),
        reading(_("largest over α"), high if np.isfinite(high) else "∞"),
        reading(_("least over w, b"), best(stage)),
    ]


def chart(stage: Stage) -> Chart:
    """The surface from above, or the two answers against each other."""
    make = surface if stage.pick("saddle") == "surface" else answers
    return Chart(make(stage.solution.norm_w**2, machine(stage), weights(stage), SPAN, stage.palette))


def says(stage: Stage) -> str:
    """What either of them does."""
    if stage.pick("saddle") == "surface":
        return _(
            "Along $w$ it is a valley, along $\\alpha$ a slope, level only where the nearest point lies on "
            "its margin line: "
            "there, at $(1, 1)$, nobody can gain."
        )
    return _(
        "A machine that breaks a constraint is answered with weights without end: ∞. Every $\\min$ lies "
        "below every $\\max$; "
        "they meet at 1."
    )


def more(stage: Stage) -> Sequence[Part]:
    """The two orders, and what the notes say."""
    return [
        _(
            "**w first**: α answers with ∞ where some $y f < 1$, and with 0 on all points beyond. What is "
            "left to minimise is "
            "the primal. **α first**: $w = \\sum_i \\alpha_i y_i x_i$ answers (and $b$ runs off unless "
            "$y^\\top\\alpha = 0$). "
            "What is left to maximise is the dual."
        ),
        r"$$\max_{\alpha\ge0}\,\min_{w,b}L\;\le\;\min_{w,b}\,\max_{\alpha\ge0}L$$",
        _(
            "This much is so for any function of two players (weak duality). That both agree needs the "
            "saddle, and convex "
            "problems with linear constraints have one. The dials move along the best machine and the best "
            "weights only; there "
            "the surface is the same on every board, in units of $\\|w^*\\|^2$. Gruber's German handout "
            "starts here (its version 3), "
            "Gambosi's slides with the Lagrangian."
        ),
    ]


def surface(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """Level lines of unit (t^2 / 2 - s (t - 1)) over t and s, the valley t = s, and the line t = 1 on which s changes
    nothing.
    """
    figure = blank(palette, _("w and b times"), _("α times"), height=300)
    grid = np.linspace(0.0, span, 81)
    L = unit * (0.5 * grid[None, :] ** 2 - grid[:, None] * (grid[None, :] - 1.0))
    step = 0.25 * unit
    figure.add_trace(
        go.Contour(
            x=grid,
            y=grid,
            z=L,
            name="L",
            showscale=False,
            colorscale=[[0.0, palette.paper], [1.0, palette.accent]],
            opacity=0.5,
            zmin=0.0,
            zmax=2.0 * unit,
            contours={"start": -2.0 * unit, "end": 3.0 * unit, "size": step, "coloring": "fill", "showlines": True},
            line={"width": palette.stroke, "color": palette.text},
            hovertemplate=_("w and b times")
            + " %{x:.2f}<br>"
            + _("α times")
            + " %{y:.2f}<br>L = %{z:.4g}<extra></extra>",
        )
    )
    lines = (
        ("valley", np.array([0.0, span]), palette.text, "solid"),
        ("level", np.array([1.0, 1.0]), palette.text, "dash"),
    )
    for name, x, colour, dash in lines:
        y = np.array([0.0, span])
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))
    dot = {"size": SIZE * palette.stroke, "color": palette.accent}
    figure.add_trace(
        go.Scatter(x=np.ones(1), y=np.ones(1), name="saddle", mode="markers", marker=dot, hoverinfo="skip")
    )
    mark_current(figure, palette, t, s)
    add_rule(figure, palette, palette.accent, y=s)
    figure.update_xaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    figure.update_yaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    names = (
        Label(_("best w for α"), span, span, palette.text),
        Label(_("α changes nothing"), 1.0, 0.12 * span, palette.text),
        Label(_("saddle"), 1.0, 1.0, palette.accent, "below right"),
    )
    return place_labels(figure, palette, names, backed=True)


def answers(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """The largest L that the weights answer to each t, infinite below 1, and the least that the machine answers to each
    s.
    """
    figure = blank(palette, _("times the best"), "L", height=300)
    top = 0.5 * unit * span**2
    feasible, grid = np.linspace(1.0, span, 41), np.linspace(0.0, span, 81)
    highest, lowest = 0.5 * unit * feasible**2, unit * (grid - 0.5 * grid**2)
    figure.add_trace(
        go.Scatter(
            x=np.r_[1.0, feasible],
            y=np.r_[1.2 * top, highest],
            name="largest",
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=grid,
            y=lowest,
            name="least",
            mode="lines",
            line=palette.pen(palette.accent),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, 3)}
    figure.add_trace(
        go.Scatter(
            x=np.array([t, s]),
            y=np.array([0.5 * unit * t**2 if t >= 1.0 - 1e-9 else 1.05 * top, unit * (s - 0.5 * s**2)]),
            name="now",
            mode="markers",
            marker=ring,
            hoverinfo="skip",
        )
    )
    figure.add_shape(
        type="rect",
        x0=0.0,
        x1=1.0,
        y0=1.0 * top,
        y1=1.12 * top,
        fillcolor=palette.grid,
        line={"width": 0},
        layer="below",
    )
    figure.update_xaxes(range=[0.0, span], dtick=0.5)
    figure.update_yaxes(range=[-0.04 * top, 1.12 * top], nticks=4)
    names = (
        Label("∞", 0.5, 1.05 * top, palette.text, ""),
        Label(_("largest over α"), span, float(highest[-1]), palette.text),
        Label(_("least over w"), span, float(lowest[-1]), palette.accent),
    )
    return place_labels(figure, palette, names)


SADDLE = Step(
    key="saddle",
    title=N_("The saddle"),
    question=N_(
        "A game about one number $L$: the machine wants it small, the weights $\\alpha \\ge 0$ want it large. "
        "Does it matter who has to move first?"
    ),
    choices=(
        right(N_("Not if both play their best")),
        wrong(
            N_("Yes: who moves second gains"),
            N_("At any other place, yes; at the saddle nothing is left to gain."),
        ),
        wrong(
            N_("Yes: the weights always win, L is infinite"),
            N_("They do against a machine that breaks a constraint; so none that plays well does."),
        ),
    ),
    verdict=lambda stage: _("Not if both play their best: both orders end at the saddle."),
    board=SIX,
    needs=(BOTH_CLASSES, LINEAR, HARD, SEPARABLE, NONZERO_W),
    draw=draw,
    play=lambda stage: {"key": "stretch", "op": "dial", "from": 0.4, "to": 1.0, "ms": 2000},
    numbers=numbers,
    picks=(Pick("saddle", N_("Picture"), tuple(VIEWS), "surface", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=r"L(w,b,\alpha)=\tfrac12\|w\|^2-\textstyle\sum_i\alpha_i\,(y_if(x_i)-1)",
    more=more,
    tries=(
        Try(N_("w too short"), set_dials(stretch=0.6, load=1.6)),
        Try(N_("The saddle"), set_dials(stretch=1.0, load=1.0)),
        Try(N_("Eight points"), board=preset("separable", size=8, seed=26, hard=True)),
    ),
    shows=("H13", "H3"),
)
