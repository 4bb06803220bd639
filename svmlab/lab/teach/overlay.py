"""What a step draws over the board, the sliders it puts under it, and its line of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import announcements, flat_coordinates, legend, lines, point_marks, shading, slack
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.address_names import check_dial_name
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Op
from svmlab.lab.words import _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.contours import boundary as zero_of
from svmlab.plane.geometry import Line


def frame(items: Sequence[Data], caption: str, ring: int | None = None) -> Data:
    """Return one picture: overlay items, their caption (HTML), and the id of the point that is ringed."""
    return {"items": list(items), "ring": ring, "caption": caption}


def film(key: str, frames: Sequence[Data], course: str, at: int = 0, speed: float = 2) -> Data:
    """Return frames in their order, starting at number `at`, with `speed` frames a second.

    A film with another `key` starts anew. course: what changes from frame to frame, from where to where.
    """
    words = {
        "reset": _("Back to the start"),
        "back": _("One step back"),
        "play": _("Play or pause"),
        "next": _("One step on"),
        "speed": _("Steps a second"),
    }
    return {"key": key, "frames": list(frames), "course": course, "at": at, "speed": speed, "text": words}


POINTS_ONLY: Data = {"lines": None, "shade": None, "slack": [], "marks": None}  # only the points


def replace_machine(stage: Stage, machine: Solution, seen: SolutionDrawing) -> Data:
    """Return the parts of the board's data that show another SVM instead of the board's own, drawn and announced."""
    return {
        "lines": lines(seen),
        "shade": shading(seen),
        "slack": slack(stage.lab, seen),
        "marks": point_marks(machine, with_values=not stage.moving),
        "legend": legend(machine),
        "heard": announcements(stage.lab, machine),
    }


def stroke(pts: Array, style: str = "faint", kind: str = "line") -> Data:
    """Return one item of an overlay.

    It is a polyline (k, 2), an arrow from the first point to the second, or a disc [x, y, radius].
    """
    return {"kind": kind, "pts": flat_coordinates(pts), "style": style}


def probe(x: str, y: str, at: tuple[float, float], text: str) -> Data:
    """Return a position that a person can move by dragging it, by a click beside the points, or by the arrow keys.

    x, y: the keys of the dials that it changes.
    """
    return {"x": x, "y": y, "at": list(at), "text": text}


def line_strokes(line: Line, half: float, style: str) -> list[Data]:
    """Return a line across the board, or nothing if the line does not cross it."""
    return [stroke(ends, style) for ends in line.clipped(half)]


def normal_of(line: Line, half: float, style: str) -> Data:
    """Return an arrow from the point of the line nearest to the origin towards its + side."""
    foot = line.foot(np.zeros(2))
    return stroke(np.array([foot, foot + 0.16 * half * line.normal]), style, "arrow")


def boundary_strokes(stage: Stage, name: str, machine: Solution, style: str) -> list[Data]:
    """Return where f = 0 for another SVM than the board's, computed once under `name`.

    A straight line needs no grid.
    """
    half = stage.lab.view
    lines = stage.cached(f"boundary {name} {half}", lambda: zero_of(machine, half))
    return [stroke(line, style) for line in lines]


def boundary_line(stage: Stage) -> Line:
    """Return the decision boundary of the SVM on the board, for a linear kernel and w != 0."""
    solution = stage.solution
    assert solution.w is not None
    return Line(solution.w, solution.b)


def place(x: Array) -> str:
    """Return a point of the plane as text."""
    return f"({short(float(x[0]), 3, ROUNDING)}, {short(float(x[1]), 3, ROUNDING)})"


def set_dials(**values: float) -> Op:
    """Return the operation that moves dials."""
    return {"op": "dial", "values": {check_dial_name(name): value for name, value in values.items()}}


def set_picks(**values: float | str | bool) -> Op:
    """Return the operation that sets picks."""
    return {"op": "pick", "values": values}


def select_point(id_: float | None) -> Op:
    """Return the operation that selects a point, as a click on it does."""
    return {"op": "select", "id": None if id_ is None else int(id_)}


def set_machine(**values: float | str | bool) -> Op:
    """Return the operation that changes settings and leaves the points."""
    return {"op": "set", "values": values}
