"""How far the points may move before one crosses the boundary with the largest margin (M9)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, largest_margin
from svmlab.lab.numbers import rounded_down
from svmlab.lab.teach.overlay import boundary_line, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import moved_across, perturbed
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

ASKED, LONGEST_MOVE = 0.9, 1.6  # lengths of a move, in units of the largest margin


def move_length(stage: Stage) -> float:
    """Return how far each point is moved, in units of the largest margin."""
    return stage.dial("shake", ASKED if stage.shown else 0.0)


def moved_points(stage: Stage, straight: bool) -> Array:
    """Return the points after the move: straight towards the boundary, or each in a random direction."""
    data, radius = stage.data, move_length(stage) * largest_margin(stage)
    if straight:
        return moved_across(data.X, data.y, boundary_line(stage), radius)
    return perturbed(data.X, radius, abs(int(stage.dial("directions", 0.0))))


def drawn_points(stage: Stage) -> Array:
    """Return the moved points as they are drawn."""
    return moved_points(stage, stage.dial("straight", 0.0) > 0)


def crossed(stage: Stage, X: Array) -> Mask:
    """Return which points are not strictly on their own side. Up to 1e-12 of the margin counts as on the boundary."""
    over: Mask = boundary_line(stage).margins(X, stage.data.y) <= 1e-12 * largest_margin(stage)
    return over


def draw(stage: Stage) -> Data:
    """An arrow from every point to its moved position, and circles with the radius gamma* once shown."""
    data, moved, gamma = stage.data, drawn_points(stage), largest_margin(stage)
    over, style = crossed(stage, moved), np.where(data.y > 0, "plus", "minus")
    overlay = [stroke(np.r_[x, gamma], "faint", "disc") for x in data.X] if stage.shown else []
    if move_length(stage) > 0:
        overlay += [
            stroke(np.array([x, z]), "witness-line" if crosses else str(own), "arrow")
            for x, z, crosses, own in zip(data.X, moved, over, style, strict=True)
        ]
    title = _("How far each point moves, in units of the largest margin γ*")
    slider = dial("shake", title, "ρ", move_length(stage), 0.0, LONGEST_MOVE, 0.01)
    return {"overlay": overlay, "sliders": [slider | {"unit": " γ*"}]}


def _count(stage: Stage, X: Array) -> str:
    return _("{n} of {m}").format(n=int(crossed(stage, X).sum()), m=stage.data.m)


def verdict(stage: Stage) -> str:
    margin = largest_margin(stage)
    return _(
        "No, in no direction. Every point is at least {margin} away from the boundary, and 90 % of that is {moved}."
    ).format(margin=rounded_down(margin, 4), moved=rounded_down(ASKED * margin, 4))


def chart(stage: Stage) -> Chart:
    """How many points cross if all move straight towards the boundary, against the length of the move."""
    margins = boundary_line(stage).margins(stage.data.X, stage.data.y) / largest_margin(stage)
    crossing = int(crossed(stage, moved_points(stage, True)).sum())
    return Chart(crossings(margins, move_length(stage), crossing, LONGEST_MOVE, stage.palette))


def new_directions(stage: Stage) -> Op:
    """Move each point in a new random direction."""
    return set_dials(directions=stage.dial("directions", 0.0) + 1, straight=0.0)


def crossings(margins: Array, at: float, crossing: int, most: float, palette: Palette) -> go.Figure:
    """Return the chart of how many of the `margins` (m,), in units of the largest one, a straight move reaches.

    at: the present length of the move in the same unit, from 0 to `most`. crossing: how many cross there.
    """
    figure = empty_chart(palette, _("move ρ, in units of γ*"), _("points that cross"), height=250)
    ends = np.concatenate([[0.0], np.sort(margins[margins <= most]), [most]])
    count = np.concatenate([np.arange(len(ends) - 1), [len(ends) - 2]])
    pen = {**palette.pen(palette.other), "shape": "hv"}
    hover = "%{x:.3g} γ*: %{y}<extra></extra>"
    figure.add_trace(go.Scatter(x=ends, y=count, name="across", mode="lines", line=pen, hovertemplate=hover))
    add_rule(figure, palette, palette.quiet, "dash", x=1.0)
    mark_current(figure, palette, at, float(crossing))
    top = max(float(count[-1]), 1.0)
    figure.update_xaxes(range=[0, most], dtick=0.5)
    figure.update_yaxes(range=axis_range(0.0, top, room=0.12), nticks=4, tickformat="d", zeroline=True)
    return place_labels(figure, palette, [Label(_("none below γ*"), 0.0, 0.6 * top, palette.quiet)])


SHAKE = Step(
    key="shake",
    title=N_("Margin and measurement errors"),
    situation=N_(
        "The boundary on the board has the largest margin $\\gamma^*$, and it stays fixed. Suppose that you "
        "measured every point with an error. Its true position can be anywhere within the distance $\\rho = "
        "0.9\\,\\gamma^*$ of the drawn point, in any direction."
    ),
    question=N_("Can a move by at most 90 % of the largest margin take a point to the other side of the boundary?"),
    choices=(
        right(N_("No, in no direction")),
        wrong(
            N_("Yes, but only straight towards the boundary"),
            N_(
                "This is the direction in which a point crosses first. However, no point is closer to the boundary "
                "than γ*."
            ),
        ),
        wrong(
            N_("Yes, in several directions"),
            N_("The nearest points can move most of the way. However, no point is closer to the boundary than γ*."),
        ),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play={"key": "shake", "op": "dial", "from": 0.0, "to": ASKED, "ms": 1600},
    rests_on_answer=lambda stage: move_length(stage) == ASKED,
    numbers=(
        Measure(
            N_("moved by"),
            lambda stage: move_length(stage) * largest_margin(stage),
            N_("Distance between each point and its moved position"),
        ),
        Measure(
            N_("crossed"),
            lambda stage: _count(stage, drawn_points(stage)),
            N_("Moved points on the boundary or on the wrong side"),
            True,
        ),
        Measure(
            N_("at worst"),
            lambda stage: _count(stage, moved_points(stage, True)),
            N_("Points that cross if all move straight towards the boundary"),
            True,
        ),
    ),
    chart=chart,
    says=N_(
        "The chart counts the points that cross the boundary if all move straight towards it. No circle (radius "
        "$\\gamma^*$) reaches across the boundary, but every other separating line cuts at least one circle."
    ),
    formula=r"\|\delta_i\| < \gamma^* \;\Rightarrow\; y_i f(x_i + \delta_i) > 0",
    more=(
        N_(
            "**Why.** A move $\\delta$ changes $f$ by $\\langle w, \\delta\\rangle$, which is at most "
            "$\\|w\\|\\,\\|\\delta\\|$ in absolute value. This is less than 1 if $\\|\\delta\\| < 1/\\|w\\| = "
            "\\gamma^*$. Every point has $y\\,f \\ge 1$, so it stays on its side. If you move a nearest point by more "
            "than $\\gamma^*$, straight towards the boundary, it crosses."
        ),
        N_(
            "**No other separating line tolerates as much.** Every other separating line has a smaller margin than "
            "$\\gamma^*$. So one of its nearest points can cross it with a move shorter than $\\gamma^*$."
        ),
        N_(
            "**The lecture notes.** The Italian notes on half-spaces state: “un ampio margine garantisce una maggiore "
            "robustezza rispetto a queste perturbazioni”. In English: with a wide margin, such perturbations do "
            "less harm."
        ),
    ),
    tries=(
        Try(N_("New directions"), new_directions),
        Try(N_("ρ = 0.99"), set_dials(shake=0.99, straight=1.0)),
        Try(N_("ρ = 1.01"), set_dials(shake=1.01, straight=1.0)),
    ),
    shows=("M9",),
)
