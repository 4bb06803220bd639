"""All labellings of three to five points: which ones lines make, and Radon's parts that stand in the way of the others
(G7).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.generalisation import Circuit, circuits, labellings
from svmlab.lab.board.payload import announcements, flat_coordinates, shading
from svmlab.lab.lessons.generalisation.dichotomies import Dichotomy, dichotomies, number_of
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach import small_boards, table
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, reading
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.small_boards import SmallBoard
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Need, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import clip_line

FEWEST, MOST = 3, 5
N = 64  # places of the shading along each side
APART = 1000  # thousandths between points that are pushed into one row, at least
BOARD = board_of_points(((-2.4, -1.8, 1), (2.6, -1.8, -1), (1.8, 2.2, 1), (-1.4, 1.6, -1)))
THREE = board_of_points(((-2.4, -1.6, 1), (2.4, -1.6, -1), (0.4, 2.2, 1)))
FIVE = board_of_points(((-2.6, -1.2, 1), (-0.2, -2.6, -1), (2.6, -0.8, 1), (1.4, 2.2, -1), (-1.8, 2.0, 1)))
ENOUGH = Need(
    lambda stage: len(stage.lab.points) >= FEWEST,
    N_("This step labels three, four or five points in every way; here are fewer."),
    {},
)
CASES = (  # places, and what they are called
    (((0, 0), (2, 0), (1, 2)), N_("three points")),
    (((0, 0), (1, 0), (2, 0)), N_("three on a line")),
    (((0, 0), (3, 0), (1, 2), (2, -1)), N_("four points")),
    (((0, 0), (1, 0), (2, 0), (1, 2)), N_("four, three of them on a line")),
    (((0, 0), (1, 0), (2, 0), (3, 0)), N_("four on a line")),
    (((0, 0), (2, -1), (3, 2), (1, 4), (-1, 2)), N_("five points")),
)


def found(stage: Stage) -> tuple[Dichotomy, ...]:
    """All labellings of the points."""
    return stage.cached_for_points("dichotomies", lambda: dichotomies(stage.data.X))


def made(stage: Stage) -> int:
    """How many of them lines make."""
    return sum(one.made for one in found(stage))


@cache
def made_of_cases() -> tuple[int, ...]:
    """How many they make of those of each case."""
    return tuple(sum(one.made for one in dichotomies(np.array(places, dtype=float))) for places, _name in CASES)


def present(stage: Stage) -> Dichotomy:
    """The labelling that is on the board."""
    return found(stage)[number_of(stage.data.y)]


def crossing(X: Array, circuit: Circuit) -> list[Array]:
    """The sides of the two hulls that meet: segments (2, 2) between points of one part."""
    pairs = combinations(zip(circuit.rows.tolist(), circuit.weights.tolist(), strict=True), 2)
    return [X[[i, j]] for (i, v), (j, w) in pairs if v * w > 0]


def draw(stage: Stage) -> Data:
    """The line of the labels on the board with its sides, or the parts whose hulls meet; beside it all labellings."""
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "witness": None, "sliders": [], "overlay": []}
    if not stage.shown:
        return data
    now, half, X = present(stage), stage.lab.view, stage.data.X
    told = _("lines make {n} of {all}").format(n=made(stage), all=len(found(stage)))
    data |= {"table": markup(stage), "heard": announcements(stage.lab, None) | {"margin": told}}
    if now.circuit is not None:
        ids = [stage.lab.points[i].id for i in now.circuit.rows.tolist()]
        segments = [flat_coordinates(way) for way in crossing(X, now.circuit)]
        return data | {"witness": {"ids": ids, "at": now.circuit.point.tolist(), "segments": segments}}
    line = now.w.any()
    zero = [flat_coordinates(ends) for ends in clip_line(now.w, -now.b, half)] if line else []
    f = small_boards.linear_values(now.w, now.b, np.linspace(-half, half, N))
    lines = {"zero": zero, "plus": [], "minus": []}
    return data | {"lines": lines, "shade": shading(SolutionDrawing(half, f[::-1], (), (), (), {}))}


def markup(stage: Stage) -> str:
    """All labellings as small boards, each beside its opposite."""
    every, X = found(stage), stage.data.X
    half, last = small_boards.half_side(stage.data, stage.lab.view), len(every) - 1
    order = [i for n in range(len(every) // 2) for i in (n, last - n)]
    name = _("all labellings of {m} points").format(m=len(X))
    return small_boards.boards(X, [_small(X, i, every[i], half) for i in order], half, number_of(stage.data.y), 2, name)


def _small(X: Array, number: int, one: Dichotomy, half: float) -> SmallBoard:
    if one.circuit is not None:
        told = _("{signs}: no line, the hulls meet").format(signs=small_boards.signs_of(one.y))
        return SmallBoard(number, one.y, told, crossing=crossing(X, one.circuit), meet=one.circuit.point)
    told = _("{signs}: a line does it").format(signs=small_boards.signs_of(one.y))
    return SmallBoard(
        number,
        one.y,
        told,
        *small_boards.sides(small_boards.linear_values(one.w, one.b, np.array([-half, half])), half),
    )


def put(stage: Stage, number: int) -> Op:
    """The labels of a small board on the points."""
    y = found(stage)[number].y.tolist()
    points = [[p.id, p.x / 1000, p.y / 1000, int(label)] for p, label in zip(stage.lab.points, y, strict=True)]
    return {"op": "points", "points": points}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many labellings lines make, and how many there are; in how many ways the points split into parts whose hulls
    meet.
    """
    if not stage.shown:
        return ()
    every = found(stage)
    known = stage.cached_for_points("circuits", lambda: circuits(stage.data.X))
    return [
        reading(_("lines make"), _("{n} of {all}").format(n=made(stage), all=len(every))),
        reading(_("Radon partitions"), float(len(known))),
    ]


def verdict(stage: Stage) -> str:
    """What four points allow, and how many there are here, on as many as there are."""
    m, n, all_ = stage.data.m, made(stage), len(found(stage))
    if m == 4:
        return _("14, as two parts always meet. Here lines make {n} of {all}.").format(n=n, all=all_)
    return _("14 with four, as two parts always meet. With these {m}: {n} of {all}.").format(m=m, n=n, all=all_)


def says(stage: Stage) -> str:
    """How the small boards are read, and what stands in the way here."""
    if made(stage) == len(found(stage)):
        return _("Lines make every one: they **shatter** these points. A click puts labels on the board.")
    return _(
        "Pink: two parts whose hulls meet, so no line parts them. A click puts labels on the board; drag the points."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Two ways, places in a row, the note, and how the count goes on."""
    proved = stage.cached_for_points("proved", lambda: sum(one.separable for one in labellings(stage.data.X)))
    rows = [
        table.named_row(_(name), [table.number(float(n)), table.number(float(2 ** len(places)))])
        for (places, name), n in zip(CASES, made_of_cases(), strict=True)
    ]
    return [
        _(
            "**Two ways.** For each labelling a line is looked for in exact arithmetic, and comes with its "
            "proof: {proved} have one. Radon's partitions "
            "need no look at any line: a null vector $a$ of the rows $(x_i, 1)$ splits points by its signs "
            "into two parts whose hulls meet, and refutes every "
            "labelling with one part + and the other −. {made} are left."
        ).format(proved=proved, made=made(stage)),
        _(
            "**Why 14.** Four rows $(x_i, 1)$ in three dimensions have a null vector, whatever the points. "
            "So every four points have such a partition, and it "
            "forbids two labellings. Where three are in a row they are a partition by themselves, which "
            "forbids more. Of five or more points some four are among them: no "
            "five can be labelled freely."
        ),
        Table(table.table(table.head(_("lines make"), _("of"), first=_("points")), rows)),
        _(
            "**The note.** The Chinese notes after Lin let an algorithm without a margin shatter any three "
            "points. They must not lie in a row: +, −, + on a "
            "line is made by no line. One triangle is enough for the VC dimension, which asks for **some** "
            "three points, and it is 3."
        ),
    ]


def pushed(stage: Stage) -> Op:
    """The points nearest to the height of the first one come to it: as many as make a row of three, then one more each
    time.
    """
    first, *others = stage.lab.points
    row = [p for p in others if p.y == first.y]
    away = sorted((p for p in others if p.y != first.y), key=lambda p: abs(p.y - first.y))
    going = {p.id for p in away[: max(1, 2 - len(row))]}
    taken = {p.x for p in (first, *row)}
    points = []
    for p in stage.lab.points:
        x, y = p.x, p.y
        if p.id in going:
            x, y = _free(p.x, taken), first.y
            taken.add(x)
        points.append([p.id, x / 1000, y / 1000, p.label])
    return {"op": "points", "points": points}


def _free(x: int, taken: set[int]) -> int:
    """The place nearest to x along a row that is not too near to those taken."""
    there = [x + k * APART for k in range(-2 * MOST, 2 * MOST + 1)]
    free = [at for at in there if abs(at) <= EDGE and all(abs(at - other) >= APART for other in taken)]
    return min(free, key=lambda at: abs(at - x))


FOUR = Step(
    key="four",
    title=N_("Three yes, four no"),
    question=N_(
        "Four points in the plane can be labelled + and − in 16 ways. Put them where you like: how many "
        "of the 16 can lines make at most?"
    ),
    choices=(
        right(N_("14")),
        wrong(N_("15"), N_("A labelling and its opposite have the same line: they come in pairs.")),
        wrong(N_("16"), N_("So it is with three points, 8 of 8. With four, two parts always meet.")),
    ),
    verdict=verdict,
    board=BOARD,
    needs=(at_most(MOST), ENOUGH),
    draw=draw,
    numbers=numbers,
    chart=lambda stage: Table(markup(stage), lambda number: put(stage, number), follows_drag=True),
    says=says,
    formula=r"\textstyle\sum_i a_i\,x_i = 0,\quad \sum_i a_i = 0,\quad a \ne 0",
    more=more,
    tries=(
        Try(N_("Three points"), board=THREE),
        Try(N_("Push into a row"), pushed),
        Try(N_("Five points"), board=FIVE),
    ),
    shows=("G7",),
)
