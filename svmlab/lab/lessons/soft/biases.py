"""Three treatments of b: free, penalised as a coordinate of w, and none (S16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab import Solution
from svmlab.lab.lessons.soft.carriers import near
from svmlab.lab.lessons.soft.variants import biases
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.session.state import Lab, smallest_view
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Op, Part, Reading, Step, Table, Try
from svmlab.lab.words import N_, _

LINES = {"free": "accent", "penalised": "witness-line", "none": "witness-line dashed"}
SAME = 1e-6  # f may differ by this on the points and still count as one machine


def treated(stage: Stage) -> dict[str, Solution]:
    """The three machines."""
    return stage.cached("biases", lambda: biases(stage.lab.problem))


def draw(stage: Stage) -> Data:
    """The three boundaries."""
    slow = not stage.lab.kernel_function.is_linear or len(stage.lab.points) > 100
    if not stage.shown or (stage.moving and slow):
        return {}
    drawn = [boundary_strokes(stage, name, treated(stage)[name], style) for name, style in LINES.items()]
    return {"overlay": [line for lines in drawn for line in lines]}


def values(stage: Stage) -> dict[str, float]:
    """The least value of each of the three objectives."""
    C, found = stage.lab.C, treated(stage)
    return {
        name: 0.5 * (s.norm_w**2 + (s.b**2 if name == "penalised" else 0.0)) + C * float(s.xi.sum())
        for name, s in found.items()
    }


def different(stage: Stage) -> int:
    """How many of the three machines differ; a free b that is not unique takes the b of another where it may."""
    free, penalised, none = (treated(stage)[name] for name in ("free", "penalised", "none"))
    pairs = ((near(free, penalised.b), penalised), (near(free, none.b), none), (penalised, none))
    alike = sum(float(np.abs(one.margins - other.margins).max()) < SAME for one, other in pairs)
    return 3 - min(alike, 2)


def answer(stage: Stage) -> int:
    """One, two or three machines."""
    return different(stage) - 1


def verdict(stage: Stage) -> str:
    """How many they are."""
    return {
        1: _("One machine: the best b is 0 anyway."),
        2: _("Two of them are the same machine."),
        3: _("Three different machines."),
    }[different(stage)]


def numbers(stage: Stage) -> Sequence[Reading]:
    """What their b depends on: the price, and where the points are."""
    x, y = stage.data.X.mean(0)
    return [
        reading("C", stage.lab.C),
        reading(_("mean of x₁"), float(x)),
        reading(_("of x₂"), float(y)),
    ]


def chart(stage: Stage) -> Table:
    """The three machines."""
    names, least = {"free": _("b free"), "penalised": _("½b² paid"), "none": _("no b")}, values(stage)
    rows = (
        table.named_row(
            names[name],
            [
                table.swatch(LINES[name]),
                table.number(least[name], 4),
                table.number(s.norm_w, 4),
                table.number(s.b, 4) if name != "none" else table.words("–", ""),
            ],
        )
        for name, s in treated(stage).items()
    )
    return Table(table.table(table.head("", _("least value"), "|w|", "b", first=_("machine")), rows))


def says(stage: Stage) -> str:
    """The order of the values."""
    told = _(
        "The more b is held back, the dearer: {free} ≤ {penalised} ≤ {none}. Only a free b goes along with the points."
    )
    return told.format(**{name: short(value, 3) for name, value in values(stage).items()})


def moved(lab: Lab, dx: int, dy: int) -> Lab:
    """All points shifted by thousandths, as far as the board goes."""
    xs, ys = [p.x for p in lab.points], [p.y for p in lab.points]
    dx, dy = (max(-EDGE - min(v), min(EDGE - max(v), d)) for v, d in ((xs, dx), (ys, dy)))
    points = tuple(p._replace(x=p.x + dx, y=p.y + dy) for p in lab.points)
    return replace(lab, points=points, view=max(lab.view, smallest_view(points)))


def aside(stage: Stage) -> Op:
    """All points up and to the right."""
    return {"op": "load", "lab": moved(stage.lab, 1500, 1000)}


def centred(stage: Stage) -> Op:
    """The points with their mean at the origin."""
    lab, n = stage.lab, len(stage.lab.points)
    return {"op": "load", "lab": moved(lab, -sum(p.x for p in lab.points) // n, -sum(p.y for p in lab.points) // n)}


def off_centre() -> Lab:
    """Overlapping blobs that lie aside of the origin."""
    return moved(preset("overlapping", size=24, noise=0.3, seed=2, value=0.1)(), 1000, 700)


def more(stage: Stage) -> Sequence[Part]:
    """Who does what."""
    return [
        _(
            "b is free in Gambosi's English slides, Gruber's German handout and the Chinese notes after "
            "H.-T. Lin; it is "
            "left out in the Italian notes on SVM without bias and Pegasos, and the last coordinate of w in "
            "the Italian "
            "notes on half-spaces and hinge."
        ),
        _("$F = \\tfrac12\\|w\\|^2 + C\\sum_i\\xi_i$. With ½b² paid, b is the last coordinate of w."),
        _("Never compare the w of one form with the w of another: they solve different problems."),
    ]


BIASES = Step(
    key="biases",
    title=N_("Three treatments of b"),
    question=N_(
        "Some notes leave b free, some pay ½b² as well, some leave it out. At the same C, is that one machine?"
    ),
    choices=(
        Choice(N_("Yes, all three agree"), N_("Only where the best b is 0 does it not matter what b costs.")),
        Choice(
            N_("Two of them agree"),
            N_("If b has to be held back at all, holding it back a little and wholly differ as well."),
        ),
        Choice(
            N_("Three different machines"),
            N_("Where the best b is 0, or the points fix it alone, holding it back changes nothing."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=off_centre,
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"\min_{w,b}\,F\ \le\ \min_{w,b}\,\bigl(F+\tfrac12 b^2\bigr)\ \le\ \min_{w,\,b=0}F",
    more=more,
    tries=(
        Try(N_("All points aside"), aside),
        Try(N_("Centred"), centred),
        Try(N_("C = 100"), set_machine(face="C", value=100.0)),
    ),
    shows=("S16",),
)
