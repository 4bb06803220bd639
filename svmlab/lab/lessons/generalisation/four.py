"""All labellings of three to five points: those that lines realise, and convex hulls that prevent the others (G7)."""

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
from svmlab.lab.teach.overlay import POINTS_ONLY
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.small_boards import SmallBoard
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Need, Op, Part, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import clip_line

MIN_POINTS, MAX_POINTS = 3, 5
GRID = 64  # positions of the shading along each side
APART = 1000  # the smallest distance between points that are pushed into one row, in thousandths
BOARD = board_of_points(((-2.4, -1.8, 1), (2.6, -1.8, -1), (1.8, 2.2, 1), (-1.4, 1.6, -1)))
THREE = board_of_points(((-2.4, -1.6, 1), (2.4, -1.6, -1), (0.4, 2.2, 1)))
FIVE = board_of_points(((-2.6, -1.2, 1), (-0.2, -2.6, -1), (2.6, -0.8, 1), (1.4, 2.2, -1), (-1.8, 2.0, 1)))
ENOUGH_POINTS = Need(
    lambda stage: len(stage.lab.points) >= MIN_POINTS,
    N_("This step shows all labellings of three, four or five points, and the board has fewer."),
    {},
)
CASES = (  # positions, and what they are called
    (((0, 0), (2, 0), (1, 2)), N_("three points")),
    (((0, 0), (1, 0), (2, 0)), N_("three on a line")),
    (((0, 0), (3, 0), (1, 2), (2, -1)), N_("four points")),
    (((0, 0), (1, 0), (2, 0), (1, 2)), N_("four, three of them on a line")),
    (((0, 0), (1, 0), (2, 0), (3, 0)), N_("four on a line")),
    (((0, 0), (2, -1), (3, 2), (1, 4), (-1, 2)), N_("five points")),
)


def labelled(stage: Stage) -> tuple[Dichotomy, ...]:
    """Return all labellings of the points."""
    return stage.cached_for_points("dichotomies", lambda: dichotomies(stage.data.X))


def realised(stage: Stage) -> int:
    """Return the number of labellings that lines realise."""
    return sum(dichotomy.is_realised for dichotomy in labelled(stage))


@cache
def realised_cases() -> tuple[int, ...]:
    """Return the number of labellings that lines realise for each of CASES."""
    return tuple(sum(each.is_realised for each in dichotomies(np.array(X, dtype=float))) for X, _name in CASES)


def current(stage: Stage) -> Dichotomy:
    """Return the labelling on the board."""
    return labelled(stage)[number_of(stage.data.y)]


def crossing(X: Array, circuit: Circuit) -> list[Array]:
    """Return the sides of the two convex hulls that meet, segments (2, 2) between points of one part."""
    pairs = combinations(zip(circuit.rows.tolist(), circuit.weights.tolist(), strict=True), 2)
    return [X[[i, j]] for (i, v), (j, w) in pairs if v * w > 0]


def draw(stage: Stage) -> Data:
    """Return the line of the labels on the board with its sides, or the convex hulls that meet, and all labellings."""
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "witness": None, "sliders": [], "overlay": []}
    if not stage.shown:
        return data
    dichotomy, half, X = current(stage), stage.lab.view, stage.data.X
    count = _("Lines realise {n} of {all} labellings.").format(n=realised(stage), all=len(labelled(stage)))
    data |= {"table": markup(stage), "heard": announcements(stage.lab, None) | {"margin": count}}
    if dichotomy.circuit is not None:
        ids = [stage.lab.points[i].id for i in dichotomy.circuit.rows.tolist()]
        segments = [flat_coordinates(segment) for segment in crossing(X, dichotomy.circuit)]
        return data | {"witness": {"ids": ids, "at": dichotomy.circuit.point.tolist(), "segments": segments}}
    w, b = dichotomy.w, dichotomy.b
    zero = [flat_coordinates(ends) for ends in clip_line(w, -b, half)] if w.any() else []
    f = small_boards.linear_values(w, b, np.linspace(-half, half, GRID))
    lines = {"zero": zero, "plus": [], "minus": []}
    return data | {"lines": lines, "shade": shading(SolutionDrawing(half, f[::-1], (), (), (), {}))}


def markup(stage: Stage) -> str:
    """Return all labellings as small boards, each beside its opposite."""
    every, X = labelled(stage), stage.data.X
    half, last = small_boards.half_side(stage.data, stage.lab.view), len(every) - 1
    order = [i for n in range(len(every) // 2) for i in (n, last - n)]
    name = _("all labellings of {m} points").format(m=len(X))
    return small_boards.boards(X, [_small(X, i, every[i], half) for i in order], half, number_of(stage.data.y), 2, name)


def _small(X: Array, number: int, dichotomy: Dichotomy, half: float) -> SmallBoard:
    signs = small_boards.signs_of(dichotomy.y)
    if dichotomy.circuit is not None:
        hover = _("{signs}: no line, because the convex hulls meet").format(signs=signs)
        lines = crossing(X, dichotomy.circuit)
        return SmallBoard(number, dichotomy.y, hover, crossing=lines, meet=dichotomy.circuit.point)
    hover = _("{signs}: a line realises this labelling").format(signs=signs)
    f = small_boards.linear_values(dichotomy.w, dichotomy.b, np.array([-half, half]))
    return SmallBoard(number, dichotomy.y, hover, *small_boards.sides(f, half))


def put(stage: Stage, number: int) -> Op:
    """Return the operation that puts the labels of a small board on the points."""
    y = labelled(stage)[number].y.tolist()
    points = [[p.id, p.x / 1000, p.y / 1000, int(label)] for p, label in zip(stage.lab.points, y, strict=True)]
    return {"op": "points", "points": points}


def partitions(stage: Stage) -> float:
    """Return the number of Radon partitions of the points."""
    return float(len(stage.cached_for_points("circuits", lambda: circuits(stage.data.X))))


def verdict(stage: Stage) -> str:
    """Return the answer for four points, and the number on this board."""
    m, n, every = stage.data.m, realised(stage), len(labelled(stage))
    if m == 4:
        return _(
            "14 labellings, because four points always have two parts whose convex hulls meet. Here: {n} of {all}."
        ).format(n=n, all=every)
    return _(
        "14 labellings, because four points have two parts whose convex hulls meet. The {m} points here: {n} of {all}."
    ).format(m=m, n=n, all=every)


def says(stage: Stage) -> str:
    """Return how the small boards are read."""
    if realised(stage) == len(labelled(stage)):
        return _(
            "Each small board is one labelling, beside its opposite. Lines realise all of them, so they **shatter** "
            "these points. You can click one to put its labels on the board."
        )
    return _(
        "Where the convex hulls of + and − meet (pink), no line realises the labelling. So you cannot shatter four "
        "points, and the VC dimension is 3. You can click a small board to use its labels."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, a second count, other positions, and what the lecture notes state."""
    proved = stage.cached_for_points("proved", lambda: sum(each.separable for each in labellings(stage.data.X)))
    rows = [
        table.named_row(_(name), [table.number(float(n)), table.number(float(2 ** len(X)))])
        for (X, name), n in zip(CASES, realised_cases(), strict=True)
    ]
    return [
        _(
            "**Why 14.** The four rows $(x_i, 1)$ have three columns, so some weights $a \\ne 0$ satisfy $\\sum_i a_i "
            "x_i = 0$ and $\\sum_i a_i = 0$. The points with $a_i > 0$ and those with $a_i < 0$ have convex hulls that "
            "meet. This is Radon's theorem. No line separates these two parts, so at least two opposite labellings are "
            "impossible. Every set of five or more points contains four, so lines shatter no such set either."
        ),
        _(
            "**VC dimension.** Lines shatter any three points that are not on a line, and no four points. So the VC "
            "dimension of lines in the plane is 3. In $d$ dimensions, hyperplanes have VC dimension $d + 1$. The VC "
            "dimension requires only that **some** three points are shattered."
        ),
        _(
            "**The formula.** If no three of the $m$ points lie on a line, lines realise exactly this number of "
            "labellings, and otherwise fewer. It counts the two labellings with one class, which a line realises with "
            "all points on one side."
        ),
        Table(table.table(table.head(_("realised"), _("of"), first=_("points")), rows)),
        _(
            "**Two computations.** Exact arithmetic finds a line, or proves that there is none, for each labelling. "
            "It finds a line for {proved} of them. The Radon partitions of the points exclude all labellings but "
            "{realised}."
        ).format(proved=proved, realised=realised(stage)),
        _(
            "**Lecture notes.** The Chinese notes after H.-T. Lin state that an algorithm without a margin shatters "
            "any three points. The points must not lie on a line, because no line realises +, −, + on a line."
        ),
    ]


def pushed(stage: Stage) -> Op:
    """Return the operation that moves points to the height of the first one.

    The nearest ones move: as many as make a row of three, and then one more each time.
    """
    first, *others = stage.lab.points
    row = [p for p in others if p.y == first.y]
    others_by_height = sorted((p for p in others if p.y != first.y), key=lambda p: abs(p.y - first.y))
    moved = {p.id for p in others_by_height[: max(1, 2 - len(row))]}
    taken = {p.x for p in (first, *row)}
    points = []
    for p in stage.lab.points:
        x, y = p.x, p.y
        if p.id in moved:
            x, y = _free(p.x, taken), first.y
            taken.add(x)
        points.append([p.id, x / 1000, y / 1000, p.label])
    return {"op": "points", "points": points}


def _free(x: int, taken: set[int]) -> int:
    """Return the position nearest to x along a row that is not too near to those taken."""
    candidates = [x + k * APART for k in range(-2 * MAX_POINTS, 2 * MAX_POINTS + 1)]
    free = [at for at in candidates if abs(at) <= EDGE and all(abs(at - other) >= APART for other in taken)]
    return min(free, key=lambda at: abs(at - x))


FOUR = Step(
    key="four",
    title=N_("VC dimension of lines"),
    situation=N_(
        "A **labelling** assigns + or − to each point. Four points have 16 labellings. A line **realises** a labelling "
        "if it has all + points on one side and all − points on the other. If lines realise all labellings of some "
        "points, they **shatter** these points. The **VC dimension** of lines in the plane is the largest number of "
        "points that they can shatter."
    ),
    question=N_("At most how many of the 16 labellings of four points in the plane can lines realise?"),
    choices=(
        right(N_("14 labellings")),
        wrong(
            N_("15 labellings"),
            N_(
                "You may expect one impossible labelling. However, a line that realises a labelling also "
                "realises its opposite, so the number is even."
            ),
        ),
        wrong(
            N_("All 16 labellings"),
            N_(
                "You can separate every labelling of three points that are not on a line. However, four points always "
                "have two parts whose convex hulls meet."
            ),
        ),
    ),
    verdict=verdict,
    board=BOARD,
    introduces=("labelling", "shattering", "vc-dimension", "radon-point"),
    needs=(at_most(MAX_POINTS), ENOUGH_POINTS),
    draw=draw,
    rests_on_answer=lambda stage: realised(stage) == 14 and current(stage).circuit is not None,
    numbers=(
        Measure(
            N_("realised"),
            lambda stage: _("{n} of {all}").format(n=realised(stage), all=len(labelled(stage))),
            N_("Labellings of the points on the board that some line realises"),
            after_show=True,
        ),
        Measure(
            N_("Radon partitions"),
            partitions,
            N_("Smallest sets of points with two parts whose convex hulls meet"),
            after_show=True,
        ),
    ),
    chart=lambda stage: Table(markup(stage), lambda number: put(stage, number), follows_drag=True),
    says=says,
    formula=r"\text{at most } 2\left(1 + (m-1) + \tbinom{m-1}{2}\right) \text{ of the } 2^m \text{ labellings}",
    more=more,
    tries=(
        Try(N_("Three points"), board=THREE),
        Try(N_("Push into a row"), pushed),
        Try(N_("Five points"), board=FIVE),
    ),
    shows=("G7", "G10", "T19"),
)
