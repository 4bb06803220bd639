"""How many labellings keep a margin, for lines and for features: what features make possible a margin forbids again
(G3, G6, G8).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import circumradius, labels, reach, with_margin
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.lines import DASHES
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.dichotomies import number_of, staircase
from svmlab.lab.lessons.generalisation.forbidding import (
    ASKED,
    KERNELS,
    MANY,
    by_directions,
    kernel,
    known,
    least,
    machine,
    rho,
    worked,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach import small_boards
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, line_strokes, reading, replace_machine, set_dials, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

MOST = 8
OFF = 1e-9  # of R: what two ways may differ by rounding
SEEN = {"counts": N_("How many"), "which": N_("Which")}
HEXAGON = board_of_points(
    ((2, 0, 1), (1, 1.732, 1), (-1, 1.732, 1), (-2, 0, -1), (-1, -1.732, -1), (1, -1.732, -1)),
)
TRIANGLE = board_of_points(((0, 4, 1), (-3.464, -2, -1), (3.464, -2, -1)))
EIGHT = board_of_points(
    [
        (round(2.4 * math.cos(k * math.pi / 4), 3), round(2.4 * math.sin(k * math.pi / 4), 3), 1 if k < 4 else -1)
        for k in range(8)
    ]
)
AWAY = Need(
    lambda stage: reach(stage.data.X) > 0,
    N_("All points are at 0, so R, in which margins are measured here, is 0."),
    {},
)


def draw(stage: Stage) -> Data:
    """The widest boundary of the labels on the board; for lines R, and how far rho reaches on both sides."""
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "witness": None, "sliders": [], "overlay": []}
    if not stage.shown:
        return data
    now, half, R = machine(stage), stage.lab.view, reach(stage.data.X, kernel(stage))
    told = _("How much margin a boundary has to keep, as a share of R")
    data["sliders"] = [dial("kept", told, "ρ/R", rho(stage), 0.0, 1.0, 0.01)]
    if kernel(stage).is_linear:
        data["overlay"] = [stroke(np.array([0.0, 0.0, R]), "faint", "disc")]
    if now is not None and now.norm_w > 0:
        data |= replace_machine(stage, now, stage.cache.scene(now, half)) | {"legend": None}
        if now.w is not None and kernel(stage).is_linear:
            line, way = Line(now.w, now.b), rho(stage) * R
            sides = [each for t in (way, -way) for each in line_strokes(line.shifted(t), half, "accent dashed")]
            data["overlay"] = [*data["overlay"], *sides]
    table = markup(stage) if stage.pick("left") == "which" else None
    return data if table is None else data | {"table": table}


def answer(stage: Stage) -> int:
    """Whether all labellings that lines make keep the margin of the question, more than half of them, or no more than
    half.
    """
    found = by_directions(stage)
    most, left = with_margin(found, 0.0), with_margin(found, least(ASKED))
    return 0 if left == most else 1 if 2 * left > most else 2


def verdict(stage: Stage) -> str:
    """How many there are, and how many are left."""
    found = by_directions(stage)
    said = _("{left} of the {most} that lines make keep a margin of {rho} R.")
    return said.format(left=with_margin(found, least(ASKED)), most=with_margin(found, 0.0), rho=short(ASKED))


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many are left with the kernel that is picked, rho itself, and the margin of the labels on the board."""
    if not stage.shown:
        return ()
    found, now = known(stage).get(stage.pick("lifted")), machine(stage)
    R, all_ = reach(stage.data.X, kernel(stage)), 2 ** len(stage.lab.points)
    readings = []
    if found is not None:
        said = _("{left} of {most}").format(left=with_margin(found, least(rho(stage))), most=with_margin(found, 0.0))
        readings = [reading(_("left"), said), reading(_("of all"), float(all_))]
    own = math.inf if not stage.data.both_classes else 0.0 if now is None else 1.0 / now.norm_w
    return [*readings, reading("ρ", rho(stage) * R), reading(_("margin of these labels"), own if own else _("none"))]


def chart(stage: Stage) -> Chart | Table:
    """The staircases, or small boards of the labellings that are left."""
    if stage.pick("left") == "which":
        worked(stage)
        return Table(markup(stage) or "", lambda number: put(stage, number), follows_drag=True)
    found, names = worked(stage).margins, list(KERNELS)
    stairs = [
        Stairs(_(KERNELS[name][0]), *staircase(found[name]), with_margin(found[name], least(rho(stage))))
        for name in names
    ]
    chosen = names.index(stage.pick("lifted"))
    return Chart(steps(stairs, 2 ** len(stage.lab.points), chosen, rho(stage), stage.palette))


def markup(stage: Stage) -> str | None:
    """The labellings that keep rho as small boards, the widest first, one for itself and its opposite; None while they
    are worked on.
    """
    try:
        seen = worked(stage).kept[stage.pick("lifted")]
    except Working:
        return None
    X, half = stage.data.X, small_boards.half_side(stage.data, stage.lab.view)
    left = [one for margin, one in seen if margin >= least(rho(stage))]
    own, last = number_of(stage.data.y), 2 ** len(X) - 1
    chosen = own if any(one.id == own for one in left) else last - own
    return small_boards.boards(X, left, half, chosen, 1, _("the labellings that are left, each with its opposite"))


def put(stage: Stage, number: int) -> Op:
    """The labels of a small board on the points."""
    y = labels(len(stage.lab.points))[number].tolist()
    points = [[p.id, p.x / 1000, p.y / 1000, int(label)] for p, label in zip(stage.lab.points, y, strict=True)]
    return {"op": "points", "points": points}


def says(stage: Stage) -> str:
    """How the stairs or the small boards are read."""
    if stage.pick("left") == "which":
        left = with_margin(worked(stage).margins[stage.pick("lifted")], least(rho(stage))) // 2
        if left > MANY:
            said = _(
                "The {few} widest of {all}, each for itself and its opposite. A click puts its labels on the board."
            )
            return said.format(few=MANY, all=left)
        return _("Each stands for itself and its opposite, the widest first. A click puts its labels on the board.")
    said = _(
        "At the right: how many of {all} are left at ρ = {rho} R. Features let one label more freely, a margin less."
    )
    return said.format(rho=short(rho(stage)), all=2 ** len(stage.lab.points))


def more(stage: Stage) -> Sequence[Part]:
    """Both ways, three points and a margin, the unit circle, and what is only hoped."""
    found, swept = worked(stage).margins["lines"], by_directions(stage)
    finite = np.isfinite(swept)
    off = float(np.abs(found[finite] - swept[finite]).max(initial=0.0))
    parts = [
        _(
            "**Two ways.** The hard margin of each labelling by the solver; and for lines half the gap "
            "between the classes along every direction in which it can "
            "be largest: from point to point, or square to that. The margins differ by {off} R at most. $R$ "
            "is the largest $\\|\\phi(x)\\|$: "
            "features have their own, and the Gaussian has σ = 1. Labellings of one class keep every margin."
        ).format(off=short(off, 2, OFF)),
        _(
            "**Three points.** With a margin of 1.126 three points can very likely not be shattered, say the "
            "Chinese notes after Lin; their slide says not at all. "
            "Three points on a circle of radius 4, evenly spread, have margin 3 whatever their labels. It is "
            "true in a disc of radius below 1.126/0.75 = 1.501."
        ),
        _(
            "**On the unit circle** no margin above $\\sqrt3/2$ lets one label three points freely, say the "
            "notes. That is right, and already so above 3/4: an "
            "equilateral triangle has 3/4, more than 0.74, and no three points have more."
        ),
        _(
            "**What is hoped.** Rich features and a large margin: curved boundaries, and few labellings. "
            "These stairs show it for fixed ρ. A bound on the error asks "
            "that ρ was fixed before the points were seen; a margin that is read off the points afterwards "
            "it does not cover."
        ),
    ]
    if len(stage.lab.points) == 3:
        narrow, r = float(swept.min()) * reach(stage.data.X), circumradius(stage.data.X)
        said = _(
            "**Here** the circle through the three points has radius {r}, and the least margin of the 8 "
            "labellings is {least}."
        )
        parts.insert(2, said.format(r=short(r), least=short(narrow, noise=OFF)))
    return parts


ROOM = 1.22  # how far the chart goes beyond the last margin
HEIGHTS = (
    0.24,
    0.46,
    0.68,
    0.9,
)  # of all labellings: where the names stand, at the right, each behind a piece of its line
PIECE = 0.93  # of the width: where that begins


class Stairs(NamedTuple):
    """A kernel's name, where its count falls (k,), from 0 on, the counts up to there and beyond (k + 1,); left: the
    count at rho.
    """

    name: str
    at: Array
    counts: Array
    left: int


def steps(stairs: Sequence[Stairs], every: int, chosen: int, rho: float, palette: Palette) -> go.Figure:
    """The staircases, of `every` labellings, the chosen one thick; an upright at rho, and by the names how many are
    left there. All in units of R.
    """
    figure = blank(palette, _("ρ/R"), _("labellings"), height=300)
    end = max(ROOM * max(float(each.at[-1]) for each in stairs), ROOM * rho, 0.1)
    names = []
    for i, (each, colour, dash, level) in enumerate(zip(stairs, palette.series, DASHES, HEIGHTS, strict=False)):
        line, height = palette.pen(colour, 4.5 if i == chosen else 2.0, dash), level * every
        x = np.r_[each.at, end, np.nan, PIECE * end, end]
        y = np.r_[each.counts, np.nan, height, height]
        hover = each.name + ": %{y}<extra></extra>"
        drawn = go.Scatter(x=x, y=y, name=each.name, mode="lines", line=line | {"shape": "vh"}, hovertemplate=hover)
        figure.add_trace(drawn)
        said = f"{each.name}: {each.left}"
        names.append(Label(f"<b>{said}</b>" if i == chosen else said, end, height, colour))
    mark_current(figure, palette, rho, float(stairs[chosen].left))
    ticks = [0, every // 4, every // 2, 3 * every // 4, every] if every >= 8 else [0, every]
    figure.update_yaxes(range=[0, 1.06 * every], tickvals=ticks)
    figure.update_xaxes(range=[0, end], nticks=7)
    return place_labels(figure, palette, names)


FORBID = Step(
    key="forbid",
    title=N_("A margin forbids"),
    question=N_(
        "Lines make some of the labellings of these points. How many of those keep a margin of "
        "$0.45\\,R$? ($R$: how far the farthest point is from 0.)"
    ),
    choices=(
        Choice(N_("All of them"), N_("A line may pass close to points; a margin keeps it away from all of them.")),
        Choice(
            N_("Not all, but more than half"), N_("At another ρ it may be so: the stairs say where the count falls.")
        ),
        Choice(N_("Half of them or fewer"), N_("Here 0.45 R is not that much: most labellings have more.")),
    ),
    answer=answer,
    verdict=verdict,
    board=HEXAGON,
    needs=(at_most(MOST), AWAY),
    draw=draw,
    play=lambda stage: {"key": "kept", "op": "dial", "from": 0.0, "to": rho(stage), "ms": 2200},
    numbers=numbers,
    picks=(
        Pick("lifted", N_("boundaries"), tuple(KERNELS), "lines", lambda name: KERNELS[name][0]),
        Pick("left", N_("what is shown"), tuple(SEEN), "counts", SEEN.__getitem__),
    ),
    chart=chart,
    says=says,
    formula=r"\max_{w,\,b}\ \min_i\ y_i\,\frac{\langle w, \phi(x_i)\rangle + b}{\|w\|}\ \ge\ \rho",
    more=more,
    tries=(
        Try(N_("ρ = 0.35"), set_dials(kept=0.35)),
        Try(N_("Triangle"), board=TRIANGLE),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("G3", "G6", "G8"),
)
