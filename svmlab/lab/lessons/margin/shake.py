"""How far the points may move before one crosses the widest line (M9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.margin.street import BOARD, STREET, widest
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import boundary_line, dial, reading, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, moved_across, perturbed

ASKED, MOST = 0.9, 1.6  # parts of the margin


def part(stage: Stage) -> float:
    """How far each point moves, in parts of the margin."""
    return stage.dial("shake", ASKED if stage.shown else 0.0)


def moved(stage: Stage, straight: bool) -> Array:
    """The points after the shake: in random directions, or straight at the line."""
    data, radius = stage.data, part(stage) * widest(stage)
    if straight:
        return moved_across(data.X, data.y, boundary_line(stage), radius)
    return perturbed(data.X, radius, abs(int(stage.dial("seed", 0.0))))


def now(stage: Stage) -> Array:
    """The points as they are drawn."""
    return moved(stage, stage.dial("straight", 0.0) > 0)


def crossed(stage: Stage, X: Array) -> Mask:
    """Which points are no longer strictly on their own side (1e-12 of a margin counts as on the line)."""
    over: Mask = boundary_line(stage).margins(X, stage.data.y) <= 1e-12 * widest(stage)
    return over


def draw(stage: Stage) -> Data:
    """An arrow from every point to where it is now; discs of radius gamma* once shown."""
    data, places = stage.data, now(stage)
    over, style = crossed(stage, places), np.where(data.y > 0, "plus", "minus")
    overlay = [stroke(np.r_[x, widest(stage)], "faint", "disc") for x in data.X] if stage.shown else []
    if part(stage) > 0:
        overlay += [
            stroke(np.array([x, z]), "witness-line" if flips else str(own), "arrow")
            for x, z, flips, own in zip(data.X, places, over, style, strict=True)
        ]
    slider = dial("shake", _("How far each point moves, in parts of the margin"), "ρ", part(stage), 0.0, MOST, 0.01)
    return {"overlay": overlay, "sliders": [slider | {"unit": " γ*"}]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How far, and how many are on the wrong side now and at worst."""
    readings = [reading(_("moved"), part(stage) * widest(stage))]
    if not stage.shown:
        return readings
    m = len(stage.lab.points)
    for name, places in ((_("across"), now(stage)), (_("pushed straight"), moved(stage, True))):
        n = int(crossed(stage, places).sum())
        readings.append(Reading(name, _("{n} of {m}").format(n=n, m=m), str(n)))
    return readings


def chart(stage: Stage) -> Chart:
    """How many points cross at worst, by how far they are moved."""
    margins = boundary_line(stage).margins(stage.data.X, stage.data.y) / widest(stage)
    return Chart(tolerance(margins, part(stage), int(crossed(stage, moved(stage, True)).sum()), MOST, stage.palette))


def says(stage: Stage) -> str:
    """The radius, and what the line placed by hand stands."""
    said = _(
        "Each disc has the radius $\\gamma^*$ = **{best}**: none crosses the line, and another line cuts into one."
    )
    said = said.format(best=short(widest(stage)))
    own = -1.0 if stage.hand is None else Line.through(*stage.hand).margin(stage.data.X, stage.data.y)
    return said if own <= 0 else f"{said} " + _("Your own line stands {own}.").format(own=short(own))


def again(stage: Stage) -> Op:
    """New directions."""
    return set_dials(seed=stage.dial("seed", 0.0) + 1, straight=0.0)


def tolerance(margins: Array, at: float, crossed: int, most: float, palette: Palette) -> go.Figure:
    """The count of `margins` (m,), in parts of the largest margin, that a push of 0 to `most` reaches; 0 up to 1.

    at: how far the points are pushed at present, and how many have `crossed`.
    """
    figure = blank(palette, _("moved by, in parts of γ*"), _("points across"), height=250)
    ends = np.concatenate([[0.0], np.sort(margins[margins <= most]), [most]])
    count = np.concatenate([np.arange(len(ends) - 1), [len(ends) - 2]])
    line = {**palette.pen(palette.other), "shape": "hv"}
    hover = "%{x:.3g} γ*: %{y}<extra></extra>"
    figure.add_trace(go.Scatter(x=ends, y=count, name="across", mode="lines", line=line, hovertemplate=hover))
    add_rule(figure, palette, palette.quiet, "dash", x=1.0)
    mark_current(figure, palette, at, float(crossed))
    top = max(float(count[-1]), 1.0)
    figure.update_xaxes(range=[0, most], dtick=0.5)
    figure.update_yaxes(range=axis_range(0.0, top, room=0.12), nticks=4, tickformat="d", zeroline=True)
    return place_labels(figure, palette, [Label(_("none below γ*"), 0.0, 0.6 * top, palette.quiet)])


SHAKE = Step(
    key="shake",
    title=N_("Room for noise"),
    question=N_(
        "Every point is measured with an error: it may lie up to **0.9 of the margin** away, in any "
        "direction. The line "
        "stays. Can one end up on the wrong side?"
    ),
    choices=(
        right(N_("No, whatever its direction")),
        wrong(
            N_("Only when it is pushed straight at the line"),
            N_("Straight at it is the worst way, and even so the nearest lack a tenth."),
        ),
        wrong(N_("Yes, some do"), N_("The nearest points move most of the way to the line, and no further.")),
    ),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "shake", "op": "dial", "from": 0.0, "to": ASKED, "ms": 1600},
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"\|\delta_i\| < \gamma^* \;\Rightarrow\; y_i f(x_i + \delta_i) > 0",
    more=lambda stage: [
        _(
            "A shift $\\delta$ changes $f$ by $\\langle w, \\delta\\rangle$, at most "
            "$\\|w\\|\\,\\|\\delta\\|$, and that is less "
            "than 1 while $\\|\\delta\\| < 1/\\|w\\| = \\gamma^*$. Just above it a push straight at the line "
            "is enough. Every other "
            "line has a smaller margin, so some point reaches it sooner: no line tolerates more."
        )
    ],
    tries=(
        Try(N_("Shake again"), again),
        Try(N_("0.99 straight"), set_dials(shake=0.99, straight=1.0)),
        Try(N_("1.01 straight"), set_dials(shake=1.01, straight=1.0)),
    ),
    shows=("M9",),
)
