"""The picture of the points raised above the board, and the SVM in that space as the board below draws it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, Plane
from svmlab.lab.board.payload import announcements, flat_coordinates, legend, point_marks, shading
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Space
from svmlab.plane.contours import SolutionDrawing

GRID = 96  # points of the grid in each direction
NONE = 1e-9  # if |x| |w| is below this, w is 0 up to rounding and there is no plane


def plane_of(lift: Lift, machine: Solution) -> Plane | None:
    """Return the plane of a linear SVM on raised points, or None if w is 0 up to rounding."""
    assert machine.w is not None
    size = float(np.abs(machine.problem.data.X).max(initial=1.0))
    return None if size * machine.norm_w < NONE else Plane(lift, machine.w, machine.b)


def levels(stage: Stage, plane: Plane) -> list[tuple[Array, ...]]:
    """Return where f is 0, 1 and -1 on the board, computed once for this SVM."""
    half = stage.lab.view
    return stage.cached(f"levels {plane.lift} {half}", lambda: plane.levels(half, (0.0, 1.0, -1.0)))


def raised_space(stage: Stage, lift: Lift, machine: Solution, name: str, seen: str) -> Space:
    """Return the picture of the board's points, raised, with the plane of an SVM."""
    lab = stage.lab
    ringed = [p.id for p, is_support in zip(lab.points, machine.support.tolist(), strict=True) if is_support]
    rows = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    plane = plane_of(lift, machine)
    shadow = () if plane is None else levels(stage, plane)[0]
    return Space(lift, plane, lab.view, shadow, rows, ringed, lab.selected, name, seen, stage.palette)


def overlay_below(stage: Stage, lift: Lift, machine: Solution) -> Data:
    """Return the same SVM as the board draws it: shading, the lines f = 0 and f = +-1, and the marks of the points."""
    half, plane = stage.lab.view, plane_of(lift, machine)
    lines: dict[str, Sequence[list[float]]] = {"zero": [], "plus": [], "minus": []}
    shaded = None
    if plane is not None:
        at = np.linspace(-half, half, GRID)
        values = plane.f(np.stack(np.meshgrid(at, at[::-1]), axis=-1))
        shaded = shading(SolutionDrawing(half, values, (), (), (), {}))
        lines = {
            key: [flat_coordinates(line) for line in level]
            for key, level in zip(lines, levels(stage, plane), strict=True)
        }
    return {
        "lines": lines,
        "shade": shaded,
        "slack": [],
        "marks": point_marks(machine, with_values=not stage.moving),
        "legend": legend(machine),
        "heard": announcements(stage.lab, machine),
    }
