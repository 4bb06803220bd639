"""Support vectors: the other points are deleted one after the other, and the SVM stays the same."""

from __future__ import annotations

import numpy as np

from svmlab import Category, Solution
from svmlab.core.arrays import Index
from svmlab.lab.board.payload import lines, point_marks, shading
from svmlab.lab.lessons.start.flowers import BOARD, SCENE, SEPARABLE_POINTS, distance_chart
from svmlab.lab.numbers import short
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach.boards import without_points
from svmlab.lab.teach.overlay import boundary_line, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Op, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _

DELETED = "left"  # the mark of a point that is deleted
MOVE = 1.2  # how far a support vector is moved, in units of the margin


def outside(stage: Stage) -> Index:
    """Return the rows of the points that touch no margin line, the farthest first."""
    solution = stage.solution
    rows = np.flatnonzero([category is Category.OUTSIDE for category in solution.categories])
    return rows[np.argsort(-solution.margins[rows], kind="stable")]


def deleted(stage: Stage) -> Index:
    """Return the rows of those that are deleted at present."""
    rows = outside(stage)
    return rows[: round(stage.dial("gone", len(rows) if stage.shown else 0))]


def remaining(stage: Stage) -> Lab:
    """Return the board without the deleted points."""
    return without_points(stage.lab, (stage.lab.points[row].id for row in deleted(stage)))


def solution_of_remaining(stage: Stage) -> Solution:
    """Return the SVM that is trained on the remaining points alone."""
    solution = stage.cache.outcome(remaining(stage).problem).solution
    assert solution is not None, "fewer points can be separated too"
    return solution


def draw(stage: Stage) -> Data:
    """The SVM of the remaining points, with its support vectors ringed and the deleted points faint."""
    if not stage.shown:
        return SCENE
    drawing = stage.cache.drawing(solution_of_remaining(stage), stage.lab.view)
    marks, most = point_marks(stage.solution, with_values=False), len(outside(stage))
    for row in deleted(stage):
        marks["cat"][row] = DELETED
    slider = dial("gone", _("How many points are deleted"), _("deleted"), len(deleted(stage)), 0, most, 1)
    return {
        **SCENE,
        "marks": marks,
        "lines": lines(drawing),
        "shade": shading(drawing),
        "focus": {"cats": sorted(set(marks["cat"]) - {DELETED})},
        "sliders": [slider] if most else [],
    }


def verdict(stage: Stage) -> str:
    return _(
        "It does not change. The strip stays {width} wide, because it depends only on the {n} ringed points."
    ).format(width=short(2 / solution_of_remaining(stage).norm_w), n=int(stage.solution.support.sum()))


def delete_outside(stage: Stage) -> Op:
    """Delete the points that touch no margin line."""
    return {"op": "delete", "ids": [stage.lab.points[row].id for row in outside(stage)]}


def move_support_vector(stage: Stage) -> Op:
    """Move a support vector away from the strip."""
    row = int(np.flatnonzero(stage.solution.support)[0])
    point, data = stage.lab.points[row], stage.data
    x, y = data.X[row] + MOVE / stage.solution.norm_w * data.y[row] * boundary_line(stage).normal
    return {"op": "move", "id": point.id, "x": float(x), "y": float(y)}


HOLDERS = Step(
    key="holders",
    title=N_("Support vectors"),
    introduces=("support-vector",),
    situation=N_(
        "The board shows the SVM and the strip between its margin lines (dashed). Some points lie exactly on a "
        "margin line, and the others lie outside the strip. Suppose that you delete the others one after the "
        "other, and the SVM is computed again each time."
    ),
    question=N_("How does the strip change if you delete all points that do not lie on a margin line?"),
    choices=(
        wrong(
            N_("It becomes wider"),
            N_("Fewer points often leave more room. However, the points on the margin lines stay, and they limit it."),
        ),
        wrong(
            N_("It turns"),
            N_("Fewer points could allow another direction. However, the points on the margin lines stay and fix it."),
        ),
        right(N_("It does not change")),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play=lambda stage: {"key": "gone", "op": "dial", "from": 0, "to": len(outside(stage)), "ms": 2600},
    rests_on_answer=lambda stage: stage.shown and len(deleted(stage)) == len(outside(stage)),
    numbers=(
        Measure(N_("points"), lambda stage: str(len(remaining(stage).points)), N_("Points that are not deleted"), True),
        Measure(
            N_("support vectors"),
            lambda stage: str(int(stage.solution.support.sum())),
            N_("Ringed points, on which the SVM depends"),
            True,
        ),
        Measure(
            N_("margin width"),
            lambda stage: 2 / solution_of_remaining(stage).norm_w,
            N_("Distance between the margin lines of the SVM that is computed from the remaining points"),
        ),
    ),
    chart=lambda stage: distance_chart(stage, boundary_line(stage), 1 / stage.solution.norm_w, remaining(stage).data),
    says=N_(
        "The ringed points are the **support vectors**. If you drag one of them off its margin line, the strip "
        "can change. If you drag another point, the strip changes only when this point enters the strip."
    ),
    tries=(
        Try(N_("All points back"), set_dials(gone=0)),
        Try(N_("Move one"), move_support_vector),
        Try(N_("Delete the others"), delete_outside),
    ),
    shows=(),
)
