"""Three classes in a row: no line tells the one in the middle from the rest, and its machine draws none (X1, its
limit).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, points
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.extensions.boards import OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.in_a_row import Row, both_ways, row
from svmlab.lab.lessons.extensions.joined import joint, jointly, picture, standings
from svmlab.lab.lessons.extensions.machines import boundaries, level
from svmlab.lab.numbers import ROUNDING, short, subscript
from svmlab.lab.session.controls import CLASSES, EDGE
from svmlab.lab.session.state import Lab
from svmlab.lab.teach import boards
from svmlab.lab.teach.overlay import POINTS_ONLY, reading
from svmlab.lab.teach.requirements import BIAS, LINEAR, PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.multiclass import Classes, Standing, make_classes

LIFT = 1 / 6  # of the way from one outer class to the other


def here(stage: Stage) -> Row:
    """The row of the board, which has one where the step's needs are met."""
    found = stage.cached_for_points("row", lambda: row(stage.lab.multiclass_problem.data))
    assert found is not None
    return found


def draw(stage: Stage) -> Data:
    """Bare points; when it is shown the map that is chosen, and of one against the rest each boundary that there is."""
    if not stage.shown:
        return POINTS_ONLY | {"legend": None, "message": None}
    if stage.pick("joined") == "rest":
        return {"message": None, "overlay": boundaries(stage)}
    return picture(stage)


def answer(stage: Stage) -> int:
    """Whether the machine of the class in the middle draws a line."""
    return 1 if level(stage.machines.machine(here(stage).middle)) else 2


def verdict(stage: Stage) -> str:
    """What becomes of it."""
    k = here(stage).middle
    machine = stage.machines.machine(k)
    if not level(machine):
        return _("One line, |w| = {norm}: here it costs less than w = 0.").format(norm=short(machine.norm_w))
    if machine.b < -ROUNDING:
        return _("w = 0. Machine {k} draws no line: it says no everywhere.").format(k=k)
    if machine.b > ROUNDING:
        return _("w = 0. Machine {k} draws no line: it says yes everywhere.").format(k=k)
    return _("w = 0. Machine {k} draws no line: it says the same everywhere.").format(k=k)


def numbers(stage: Stage) -> Sequence[Reading]:
    """|w| of the middle machine alone and jointly, and what both maps have wrong or tied."""
    if not stage.shown:
        return ()
    k, now = here(stage).middle, joint(stage)
    machine = stage.machines.machine(k)
    return [
        reading(_("|w| of {k}").format(k=k), 0.0 if level(machine) else machine.norm_w),
        reading(_("|w| jointly"), float(now.norms[now.classes.index(k)])),
        _missed(_("wrong or tied"), list(stage.machines.categories)),
        _missed(_("wrong or tied jointly"), standings(now)),
    ]


def _missed(name: str, found: list[Standing]) -> Reading:
    wrong, tied = found.count(Standing.WRONG), found.count(Standing.TIE)
    return Reading(name, str(wrong + tied), _("{wrong} wrong, {tied} tied").format(wrong=wrong, tied=tied))


def chart(stage: Stage) -> Chart:
    """The f of all classes along the row."""
    where, data = here(stage), stage.lab.multiclass_problem.data
    way = where.means[2] - where.means[0]
    way = way / np.hypot(*way)
    x = (data.X - where.means[1]) @ way
    room = 0.04 * float(np.ptp(x))
    t = np.linspace(float(x.min()) - room, float(x.max()) + room, 241)
    spots = where.means[1] + t[:, None] * way
    f = (stage.machines if stage.pick("joined") == "rest" else joint(stage)).decision(spots)
    return Chart(section(t, f, x, data, where.middle, stage.palette))


def says(stage: Stage) -> str:
    """How the lines are read."""
    k = here(stage).middle
    if stage.pick("joined") == "joint":
        return _(
            "Solved jointly, f of a point's own class only has to be above the others by 1. So class {k} may "
            "lead in the middle, where the outer two have fallen."
        ).format(k=k)
    if answer(stage) == 1:
        return _(
            "f along the row, the largest pale behind. That of {k} is level at {b}: class {k} is given where "
            "all others are below that."
        ).format(k=k, b=short(stage.machines.machine(k).b, noise=ROUNDING))
    machine = stage.machines.machine(k)
    right = int((machine.margins > machine.noise).sum())
    return _("f along the row, the largest pale behind. Machine {k} is right about {right} of {m} points.").format(
        k=k, right=right, m=len(machine.margins)
    )


def formula(stage: Stage) -> str:
    """The program of the map that is chosen."""
    if stage.pick("joined") == "joint":
        return r"\min\ \tfrac12\sum_k\|w_k\|^2+C\sum_i\xi_i,\quad f_{y_i}-f_k\ge 1-\xi_i\ (k\ne y_i)"
    return r"\min\ \tfrac12\|w_k\|^2+C\sum_i\xi_i,\quad \pm f_k(x_i)\ge 1-\xi_i"


def more(stage: Stage) -> Sequence[Part]:
    """Why w = 0 is the best, and the joint machine with two classes alone."""
    where, problem = here(stage), stage.lab.multiclass_problem
    w, v = both_ways(problem, where.outer)
    return [
        _why(stage),
        _(
            "**The joint machine** is that of Crammer and Singer, one program for all classes. **Checked** "
            "with classes {one} and {other} alone: there "
            "$w_{{{one}}} = -w_{{{other}}}$, so $\\tfrac12\\sum_k\\|w_k\\|^2 = \\tfrac14\\|w_{{{one}}} - "
            "w_{{{other}}}\\|^2$, and the difference has to be the "
            "binary machine at $2C$. Jointly ({w}), binary ({v})."
        ).format(one=where.outer[0], other=where.outer[1], w=_pair(w), v=_pair(v)),
        _(
            "**What it teaches.** Only differences of f count when the largest decides; one against the rest "
            "asks for more: that each machine be right by itself. "
            "A curved kernel, such as the Gaussian, gives the middle machine its strip too."
        ),
    ]


def _why(stage: Stage) -> str:
    """What no line costs, and what the machine of the middle class does."""
    problem, k = stage.lab.multiclass_problem, here(stage).middle
    own, m, machine = int((problem.data.y == k).sum()), problem.data.m, stage.machines.machine(k)
    few = min(own, m - own)
    said = _(
        "**Why.** With w = 0 and b on the side of the many, the {few} points of the smaller side have "
        "slack 2 each: {cost} in all. The least here is {found}."
    ).format(few=few, cost=short(2 * problem.C * few), found=short(machine.objective))
    if level(machine):
        return said + " " + _("A line that says yes to the middle says yes to a neighbour too, and gains nothing.")
    return said + " " + _("So a line is worth its price.")


def _pair(w: Array) -> str:
    return f"{short(float(w[0]), 6, ROUNDING)}, {short(float(w[1]), 6, ROUNDING)}"


def lifted(stage: Stage) -> Op:
    """The class in the middle beside the row, or back on it."""
    where = here(stage)
    way = where.means[2] - where.means[0]
    up = np.array([-way[1], way[0]])
    up = up if up[1] >= 0 else -up
    own = float((where.means[1] - where.means[0]) @ up) / float(up @ up)
    shift = (LIFT if abs(own) < 0.5 * LIFT else 0.0) - own
    move = np.round(1000 * shift * up).astype(int)
    rows = [
        [
            p.id,
            *(np.clip(np.array([p.x, p.y]) + move * (p.label == where.middle), -EDGE, EDGE) / 1000).tolist(),
            p.label,
        ]
        for p in stage.lab.points
    ]
    return {"op": "points", "points": rows}


def crowded() -> Lab:
    """More points in the middle than on both sides."""
    data = make_classes("row", 30)
    kept = [i for k in data.classes for i in np.flatnonzero(data.y == k)[: 30 if k == 2 else 10]]
    rows = [(float(data.X[i, 0]), float(data.X[i, 1]), int(data.y[i])) for i in kept]
    return boards.board_of_points(rows, task=CLASSES, value=10.0)()


IN_A_ROW = Need(
    lambda stage: stage.cached_for_points("row", lambda: row(stage.lab.multiclass_problem.data)) is not None,
    N_("No class on the board lies between two others."),
    {},
)
TOGETHER = Need(
    lambda stage: jointly(stage) is not None,
    N_("With this C the joint machine was not solved to the end."),
    {"value": 1.0},
)
JOINED = {"rest": N_("One against the rest"), "joint": N_("Jointly")}


HIGH = 2.4  # of f: beyond that a line leaves the chart


def section(t: Array, f: Array, x: Array, data: Classes, middle: int, palette: Palette) -> go.Figure:
    """F (n, k) at t (n,) along the row, the largest wide and pale behind, the middle one thick; below them the points
    at x (m,).

    customdata: the point's id.
    """
    figure = blank(palette, _("along the row"), "f", height=320)
    top = f.max(1)
    lo, hi = min(float(top.min()), -1.0) - 1.6, max(min(float(top.max()), HIGH), 1.0) + 0.3
    envelope = {"color": faded(palette.text, 0.2), "width": 11 * palette.stroke, "simplify": False}
    figure.add_trace(go.Scatter(x=t, y=top, name="largest", mode="lines", line=envelope, hoverinfo="skip"))
    add_rule(figure, palette, palette.quiet, y=0.0)
    labels = []
    for column, name in enumerate(data.classes):
        colour, own = palette.class_colour(name), f[:, column]
        told = _("f of class {k}").format(k=name) + " = %{y:.4g}<extra></extra>"
        pen = palette.pen(colour, 4.0 if name == middle else 2.5)
        figure.add_trace(go.Scatter(x=t, y=own, name=str(name), mode="lines", line=pen, hovertemplate=told))
        inside = np.flatnonzero((own >= lo + 0.7) & (own <= hi))
        last = int(inside[-1]) if len(inside) else len(t) - 1
        side = "right" if last == len(t) - 1 else "above" if own[last] > own[0] else "above right"
        labels.append(Label(f"f{subscript(name)}", float(t[last]), float(np.clip(own[last], lo, hi)), colour, side))
    foot = np.full(len(x), lo + 0.3)
    hover = _("class {k}").format(k="%{customdata[1]}") + "<extra></extra>"
    ids = np.stack([data.ids, data.y], 1)
    figure.add_trace(points(palette, x, foot, data.y, ids, np.zeros(len(x), bool), name="points", hover=hover))
    figure.update_xaxes(range=[float(t[0]), float(t[-1])], nticks=8)
    figure.update_yaxes(range=[lo, hi], nticks=6)
    return place_labels(figure, palette, labels, backed=True)


MIDDLE = Step(
    key="middle",
    title=N_("The class in the middle"),
    question=N_(
        "Three classes in a row, told apart by lines. Which boundary does the machine of the middle class draw?"
    ),
    choices=(
        Choice(
            N_("A strip between two lines"), N_("f = 0 is one line at most: f is straight, and a strip has two sides.")
        ),
        Choice(N_("None: w = 0"), N_("Here a line is worth its price: it saves more slack than |w| costs.")),
        Choice(
            N_("One line"),
            N_("Such a line would leave one neighbour on its own side, and gain nothing."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=classes("row", value=10.0),
    needs=(OF_CLASSES, THREE, LINEAR, PRODUCT, SOFT, BIAS, SOLVED, IN_A_ROW, TOGETHER),
    draw=draw,
    numbers=numbers,
    picks=(Pick("joined", N_("Whose map"), tuple(JOINED), "rest", JOINED.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Lift it, lower it"), lifted),
        Try(N_("More in the middle"), board=crowded),
    ),
    shows=("X1",),
)
