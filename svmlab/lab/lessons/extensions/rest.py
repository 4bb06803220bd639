"""One against the rest: a binary machine for each class, and the largest f decides (X1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board import classes_picture
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, points, stacked
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.extensions.boards import OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.machines import boundaries, place
from svmlab.lab.session.controls import CLASSES, LABELS, MAX_POINTS
from svmlab.lab.teach.overlay import reading, replace_machine, select_point
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.multiclass import Classes, Standing
from svmlab.plane.contours import SolutionDrawing

ALL = 0
NEW = (
    (0.0, 0.0),
    (1.0, 0.3),
    (-0.9, 0.6),
    (0.4, -1.0),
    (-0.5, -0.8),
)  # points of a class that is added, about its place


def chosen(stage: Stage) -> int:
    """The class whose machine is looked at, ALL where none is, or none of that class is there."""
    k = int(stage.pick("machine"))
    return k if k in stage.machines.classes else ALL


def draw(stage: Stage) -> Data:
    """Each boundary over the regions; of one class its own machine: street, slack, and who holds it."""
    if not stage.shown:
        return {}
    k = chosen(stage)
    if k == ALL:
        return {"overlay": boundaries(stage)}
    machine = stage.machines.machine(k)
    seen = stage.cache.scene(machine, stage.lab.view)
    return replace_machine(stage, machine, seen) | {"shade": own_side(seen, k), "overlay": boundaries(stage, k)}


def own_side(seen: SolutionDrawing, k: int) -> Data:
    """Where the machine of class k says yes, in its colour, the stronger the larger f."""
    strength = np.clip(np.round(15.5 * seen.values), 6, 31)
    return classes_picture.shaded_nodes(
        np.full(seen.values.shape, place(k)), np.where(seen.values > seen.noise, strength, 0)
    )


def numbers(stage: Stage) -> Sequence[Reading]:
    """How wide the street of each machine is; of the one that is looked at also who holds it."""
    if not stage.shown:
        return ()
    machines, k = stage.machines, chosen(stage)
    if k == ALL:
        return [_margin(stage, each) for each in machines.classes]
    return [_margin(stage, k), reading(_("support vectors"), float(machines.machine(k).support.sum()))]


def _margin(stage: Stage, k: int) -> Reading:
    norm = stage.machines.machine(k).norm_w
    return reading(_("margin {k}").format(k=k), 1 / norm if norm else math.inf)


def verdict(stage: Stage) -> str:
    """How many there are."""
    return _("One for each class, here {k}. The largest f decides.").format(k=len(stage.machines.classes))


def chart(stage: Stage) -> Chart:
    """What each machine says of each point."""
    data = stage.lab.multiclass_problem.data
    f = stage.cached("own f", lambda: stage.machines.decision(data.X))
    at = -1 if stage.lab.selected is None else stage.lab.selected
    return Chart(decisions(f, data, at, chosen(stage), stage.palette), select_point)


def says(stage: Stage) -> str:
    """How it is read."""
    k, wanted = chosen(stage), int(stage.pick("machine"))
    if wanted not in (ALL, k):
        return _("Class {k} has no point here. Choose {k} above the board and click to add some.").format(k=wanted)
    if k != ALL:
        return _("Machine {k} alone: its street, and who holds it. All other classes are one to it.").format(k=k)
    found = list(stage.machines.categories)
    errors, ties = found.count(Standing.WRONG), found.count(Standing.TIE)
    said = _(
        "A row for each machine: right of 0 it says yes. A point gets the class in whose row it is farthest right."
    )
    if ties:
        return said + " " + _("Errors: {n}, tied: {ties}.").format(n=errors, ties=ties)
    return said + " " + _("Errors: {n}.").format(n=errors)


def more(stage: Stage) -> Sequence[Part]:
    """What each machine is asked, and what else there is."""
    machines = stage.machines
    own = {k: int((machines.problem.data.y == k).sum()) for k in machines.classes}
    m = machines.problem.data.m
    return [
        _(
            "**Each machine sees all {m} points**, those of its own class as +1 and all others as −1: "
            "{shares}. Even where all classes are of one size, most of "
            "what a machine is shown says no."
        ).format(m=m, shares=", ".join(_("{n} against {rest}").format(n=n, rest=m - n) for n in own.values())),
        _(
            "**Gambosi's slides** give it one line: a machine for each class against all others. What "
            "decides where several machines say yes, or none, "
            "they leave open; the largest f is the custom."
        ),
        _(
            "**Another way** is a machine for each pair of classes: here {pairs} of them, each on the points "
            "of two classes alone. Then they vote."
        ).format(pairs=len(own) * (len(own) - 1) // 2),
    ]


def with_another(stage: Stage) -> Op:
    """A few points of a class that is not there yet, where there is most room; the points as they are where no class is
    left.
    """
    lab = stage.lab
    there = set(lab.multiclass_problem.data.classes)
    label = next((k for k in LABELS[CLASSES] if k not in there), None)
    rows = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    if label is not None and len(rows) + len(NEW) <= MAX_POINTS:
        centre, next_id = _emptiest(stage), 1 + max(lab.ids)
        spots = np.round(centre + 0.07 * lab.view * np.array(NEW), 3)
        rows += [[next_id + i, x, y, label] for i, (x, y) in enumerate(spots.tolist())]
    return {"op": "points", "points": rows}


def _emptiest(stage: Stage) -> np.ndarray:
    """The place of the view that is farthest from all points, the rim left out."""
    at = np.linspace(-0.75, 0.75, 31) * stage.lab.view
    spots = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
    gaps = np.hypot(*(spots[:, None, :] - stage.lab.multiclass_problem.data.X).transpose(2, 0, 1)).min(1)
    return np.asarray(spots[int(gaps.argmax())])


BLOBS = classes("blobs", value=10.0)


BEHIND = 0.3  # how strongly the rows of other machines are drawn, where one is looked at


def decisions(f: Array, data: Classes, chosen: int, machine: int, palette: Palette) -> go.Figure:
    """F (m, k) of the points on each machine, class by class from the top, the row of `machine` before the others.

    customdata: the point's id; `chosen` is ringed. Streets end at -1 and 1.
    """
    k = len(data.classes)
    figure = blank(palette, "f", height=90 + 62 * k, left=14)
    lo, hi = axis_range(f.ravel(), -1.0, 1.0, room=0.05)
    for x, dash in ((-1.0, "dot"), (0.0, "solid"), (1.0, "dot")):
        add_rule(figure, palette, palette.quiet, dash, x=x)
    labels = []
    for column, name in enumerate(data.classes):
        level = (k - 1 - column) + 0.11 * stacked(f[:, column], 0.03 * (hi - lo))
        told = _("f of machine {k}").format(k=name) + " = %{x:.4g}<extra></extra>"
        row = points(palette, f[:, column], level, data.y, data.ids, data.ids == chosen, name=str(name), hover=told)
        row.opacity = 1.0 if machine in (0, name) else BEHIND
        figure.add_trace(row)
        said = _("machine {k}").format(k=name)
        labels.append(
            Label(f"<b>{said}</b>" if machine == name else said, hi, k - 1 - column, palette.class_colour(name))
        )
    figure.update_yaxes(visible=False, range=[-0.5, k - 0.2])
    figure.update_xaxes(range=[lo, hi], nticks=9)
    return place_labels(figure, palette, labels)


REST = Step(
    key="rest",
    title=N_("One against the rest"),
    question=N_("Several classes, and a machine tells two apart. How many machines does one against the rest solve?"),
    choices=(
        wrong(
            N_("One fewer than classes"),
            N_("The last class would be what all others refuse; but it gets a machine of its own."),
        ),
        right(N_("One for each class")),
        wrong(
            N_("Two for each pair"),
            N_("One against one solves one for each pair; here each class meets all others at once."),
        ),
    ),
    verdict=verdict,
    board=BLOBS,
    needs=(OF_CLASSES, THREE, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(
        Pick(
            "machine",
            N_("Machine of class"),
            (ALL, 1, 2, 3, 4),
            ALL,
            lambda k: _("All") if k == ALL else _("only {k}").format(k=k),
        ),
    ),
    chart=chart,
    says=says,
    formula=r"\hat y(x)=\arg\max_k f_k(x),\qquad f_k(x)=\langle w_k,\phi(x)\rangle+b_k",
    more=more,
    tries=(
        Try(N_("A fourth class"), with_another),
        Try(N_("Rings"), board=classes("rings", kernel="gaussian", sigma=1.0, value=10.0)),
        Try(N_("Three blobs"), board=BLOBS),
    ),
    shows=("X1",),
)
