"""What a step needs to show its points raised above the board, and the machine up there on the board below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, Plane
from svmlab.lab.board.payload import announcements, flat_coordinates, legend, point_marks, shading
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Space
from svmlab.plane.contours import Scene

GRID = 96
NONE = 1e-9  # of the largest w there could be: a plane that is none, but for rounding


def plane_of(lift: Lift, machine: Solution) -> Plane | None:
    """The plane of a linear machine on raised points; None where w is 0 to rounding."""
    assert machine.w is not None
    size = float(np.abs(machine.problem.data.X).max(initial=1.0))
    return None if size * machine.norm_w < NONE else Plane(lift, machine.w, machine.b)


def levels(stage: Stage, plane: Plane) -> list[tuple[Array, ...]]:
    """Where f is 0, 1 and -1 on the board, once for this machine."""
    half = stage.lab.view
    return stage.cached(f"levels {plane.lift} {half}", lambda: plane.levels(half, (0.0, 1.0, -1.0)))


def space(stage: Stage, lift: Lift, machine: Solution, name: str, seen: str) -> Space:
    """The board's points raised, with the plane of a machine on them."""
    lab = stage.lab
    ringed = [p.id for p, held in zip(lab.points, machine.support.tolist(), strict=True) if held]
    rows = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    plane = plane_of(lift, machine)
    shadow = () if plane is None else levels(stage, plane)[0]
    return Space(lift, plane, lab.view, shadow, rows, ringed, lab.selected, name, seen, stage.palette)


def overlay_below(stage: Stage, lift: Lift, machine: Solution) -> Data:
    """The same machine as the board draws it: shading, the lines f = 0 and f = +-1, and how each point fares."""
    half, plane = stage.lab.view, plane_of(lift, machine)
    lines: dict[str, Sequence[list[float]]] = {"zero": [], "plus": [], "minus": []}
    shaded = None
    if plane is not None:
        at = np.linspace(-half, half, GRID)
        values = plane.f(np.stack(np.meshgrid(at, at[::-1]), axis=-1))
        shaded = shading(Scene(half, values, (), (), (), {}))
        lines = {
            key: [flat_coordinates(line) for line in found]
            for key, found in zip(lines, levels(stage, plane), strict=True)
        }
    return {
        "lines": lines,
        "shade": shaded,
        "slack": [],
        "marks": point_marks(machine, with_values=not stage.moving),
        "legend": legend(machine),
        "heard": announcements(stage.lab, machine),
    }
