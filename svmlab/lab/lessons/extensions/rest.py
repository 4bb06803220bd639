"""One against the rest: a binary machine for each class, and the largest f decides (X1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.board import several
from svmlab.lab.board.payload import lines, slack
from svmlab.lab.lessons.extensions.boards import OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.rest_chart import decisions
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import CLASSES, LABELS
from svmlab.lab.teach.overlay import boundary, read, selected
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.multiclass import Standing

ALL = 0


def chosen(stage: Stage) -> int:
    """The class whose machine is looked at, ALL where none is, or none of that class is there."""
    k = int(stage.pick("machine"))
    return k if k in stage.machines.classes else ALL


def draw(stage: Stage) -> Data:
    """Each boundary faint over the regions; of one class its own machine: street, slack, and who holds it."""
    if not stage.shown:
        return {}
    machines, k = stage.machines, chosen(stage)
    every = [
        item
        for c, machine in zip(machines.classes, machines.machines, strict=True)
        for item in boundary(stage, f"machine {c}", machine, "faint" if c != k else "accent")
    ]
    if k == ALL:
        return {"overlay": every}
    machine = machines.machine(k)
    seen = stage.cache.scene(machine, stage.lab.view)
    own = several.regions(np.stack([seen.values, -seen.values]), [LABELS[CLASSES].index(k), LABELS[CLASSES].index(k)])
    return {"lines": lines(seen), "slack": slack(stage.lab, seen), "shade": own, "overlay": every}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many machines, and how wide the street of each."""
    if not stage.shown:
        return ()
    machines = stage.machines
    return [
        read(_("machines"), float(len(machines.classes))),
        *(
            read(_("margin {k}").format(k=k), 1 / solution.norm_w if solution.norm_w else float("inf"))
            for k, solution in zip(machines.classes[:3], machines.machines, strict=False)
        ),
    ]


def verdict(stage: Stage) -> str:
    """How many there are."""
    return _("{k}: each class against all others. The largest f decides.").format(k=len(stage.machines.classes))


def chart(stage: Stage) -> Chart:
    """What each machine says of each point."""
    data = stage.lab.several.data
    f = stage.once("own f", lambda: stage.machines.decision(data.X))
    at = -1 if stage.lab.selected is None else stage.lab.selected
    return Chart(decisions(f, data, at, stage.palette), selected)


def says(stage: Stage) -> str:
    """How it is read."""
    errors = sum(v is Standing.WRONG for v in stage.machines.categories)
    return _(
        "A row for each machine: right of 0 it says yes. A point gets the class in whose row it is farthest right. Click one. Errors: {n}."
    ).format(n=short(errors))


REST = Step(
    key="rest",
    title=N_("One against the rest"),
    question=N_("Several classes, and a machine tells two apart. How many machines does one against the rest solve?"),
    choices=(
        Choice(
            N_("One fewer than classes"),
            N_("The last class would be what all others refuse; but it gets a machine of its own."),
        ),
        Choice(N_("One for each class")),
        Choice(
            N_("Two for each pair"),
            N_("One against one solves one for each pair; here each class meets all others at once."),
        ),
    ),
    answer=lambda stage: 1,
    always=True,
    verdict=verdict,
    board=classes("blobs", value=10.0),
    needs=(OF_CLASSES, THREE, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(
        Pick("machine", N_("Machine of class"), (ALL, 1, 2, 3, 4), ALL, lambda k: _("all") if k == ALL else str(k)),
    ),
    chart=chart,
    says=says,
    formula=r"\hat y(x)=\arg\max_k f_k(x),\qquad f_k(x)=\langle w_k,x\rangle+b_k",
    tries=(
        Try(N_("Four classes"), board=classes("four_blobs", value=10.0)),
        Try(N_("Rings"), board=classes("rings", kernel="gaussian", sigma=1.0, value=10.0)),
    ),
    shows=(),
)
