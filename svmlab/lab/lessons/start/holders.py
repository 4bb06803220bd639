"""Who holds the street: the other points leave one after the other, and it stays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Category
from svmlab.core.arrays import Index
from svmlab.lab.board.payload import lines, point_marks, shading
from svmlab.lab.lessons.start.street import BOARD, SCENE, STREET, across
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.boards import moved_away
from svmlab.lab.teach.overlay import boundary_line, dial, reading, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

LEFT = "left"  # how a point that has gone is marked
AWAY = 0.8  # how far a support vector is moved


def others(stage: Stage) -> Index:
    """The rows of the points that do not touch the street, the farthest first."""
    solution = stage.solution
    rows = np.flatnonzero([category is Category.OUTSIDE for category in solution.categories])
    return rows[np.argsort(-solution.margins[rows], kind="stable")]


def gone(stage: Stage) -> int:
    """How many of them have left."""
    n = len(others(stage))
    return min(round(stage.dial("gone", n if stage.shown else 0)), n)


def remaining(stage: Stage) -> Lab:
    """The board without those who have left."""
    return moved_away(stage.lab, (stage.lab.points[row].id for row in others(stage)[: gone(stage)]))


def draw(stage: Stage) -> Data:
    """The street of those who are there, computed from them alone; who has left is faint, who holds it ringed."""
    if not stage.shown:
        return SCENE
    lab, half = remaining(stage), stage.lab.view
    solution = stage.cache.outcome(lab.problem).solution
    assert solution is not None, "fewer points can be separated too"
    scene, seen = stage.cache.scene(solution, half), point_marks(stage.solution, with_values=False)
    for row in others(stage)[: gone(stage)]:
        seen["cat"][row] = LEFT
    slider = dial("gone", _("How many points have left"), _("left"), gone(stage), 0, len(others(stage)), 1)
    return {
        **SCENE,
        "marks": seen,
        "lines": lines(scene),
        "shade": shading(scene),
        "focus": {"cats": sorted(set(seen["cat"]) - {LEFT})},
        "sliders": [slider] if len(others(stage)) else [],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many are there, and how wide their street is."""
    if not stage.shown:
        return [reading(_("the street is wide"), 2 / stage.solution.norm_w)]
    lab = remaining(stage)
    solution = stage.cache.outcome(lab.problem).solution
    assert solution is not None, "fewer points can be separated too"
    return [
        reading(_("points"), str(len(lab.points))),
        reading(_("hold it"), str(int(stage.solution.support.sum()))),
        reading(_("the street is wide"), 2 / solution.norm_w),
    ]


def chart(stage: Stage) -> Chart:
    """Those who are there, on both sides of the street."""
    return across(stage, boundary_line(stage), 1 / stage.solution.norm_w, remaining(stage).data)


def take_away(stage: Stage) -> Op:
    """The others deleted."""
    return {"op": "delete", "ids": [stage.lab.points[row].id for row in others(stage)]}


def pull(stage: Stage) -> Op:
    """A support vector a way back from the street."""
    row = int(np.flatnonzero(stage.solution.support)[0])
    point, data = stage.lab.points[row], stage.data
    x, y = data.X[row] + AWAY * data.y[row] * boundary_line(stage).normal
    return {"op": "move", "id": point.id, "x": float(x), "y": float(y)}


HOLDERS = Step(
    key="holders",
    title=N_("Who holds the street"),
    question=N_(
        "Now the points that do not touch the street leave the board, one after the other. **What "
        "happens to the street?**"
    ),
    choices=(
        wrong(N_("It gets wider"), N_("It was as wide already as those who touch it let it be.")),
        wrong(N_("It turns"), N_("Those who touch it from both sides are still there.")),
        right(N_("Nothing")),
    ),
    verdict=lambda stage: _("Nothing: the ringed points alone hold it."),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "gone", "op": "dial", "from": 0, "to": len(others(stage)), "ms": 2600},
    numbers=numbers,
    chart=chart,
    says=N_(
        "These are its **support vectors**. Drag one, and the street follows. Drag another, and it "
        "stays, until that one "
        "steps onto it."
    ),
    tries=(
        Try(N_("All back"), set_dials(gone=0)),
        Try(N_("Pull one"), pull),
        Try(N_("Delete the rest"), take_away),
    ),
    shows=(),
)
