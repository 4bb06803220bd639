"""What a step draws over the board, the sliders it puts under it, and its line of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import announcements, flat_coordinates, legend, lines, point_marks, shading, slack
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Op, Reading
from svmlab.lab.words import _
from svmlab.plane.contours import Scene
from svmlab.plane.contours import boundary as zero_of
from svmlab.plane.geometry import Line


def frame(items: Sequence[Data], caption: str, ring: int | None = None) -> Data:
    """One picture: overlay items, its words (HTML), and the id of the point that is ringed."""
    return {"items": list(items), "ring": ring, "caption": caption}


def film(key: str, frames: Sequence[Data], at: int = 0, speed: float = 2) -> Data:
    """Frames in their order, from number `at`, `speed` a second; a film of another `key` begins anew."""
    words = {
        "reset": _("Back to the start"),
        "back": _("One step back"),
        "play": _("Play or pause"),
        "next": _("One step on"),
        "scrub": _("Step"),
        "speed": _("Steps a second"),
    }
    return {"key": key, "frames": list(frames), "at": at, "speed": speed, "text": words}


POINTS_ONLY: Data = {"lines": None, "shade": None, "slack": [], "marks": None}  # points alone


def replace_machine(stage: Stage, machine: Solution, seen: Scene) -> Data:
    """Another machine in the place of the board's own, for eyes and ears."""
    return {
        "lines": lines(seen),
        "shade": shading(seen),
        "slack": slack(stage.lab, seen),
        "marks": point_marks(machine, with_values=not stage.moving),
        "legend": legend(machine),
        "heard": announcements(stage.lab, machine),
    }


def stroke(pts: Array, style: str = "faint", kind: str = "line") -> Data:
    """One item of an overlay: a polyline (k, 2), an arrow from the first place to the second, or a disc [x, y,
    radius].
    """
    return {"kind": kind, "pts": flat_coordinates(pts), "style": style}


def probe(x: str, y: str, at: tuple[float, float], text: str) -> Data:
    """A place that a hand moves: by dragging it, by a click beside the points, by the arrows. `x`, `y`: the dials that
    it turns.
    """
    return {"x": x, "y": y, "at": list(at), "text": text}


def line_strokes(line: Line, half: float, style: str) -> list[Data]:
    """A line across the board; nothing where it passes outside."""
    return [stroke(ends, style) for ends in line.within(half)]


def normal_of(line: Line, half: float, style: str) -> Data:
    """An arrow from the line's place nearest to the origin to its + side."""
    foot = line.foot(np.zeros(2))
    return stroke(np.array([foot, foot + 0.16 * half * line.normal]), style, "arrow")


def boundary_strokes(stage: Stage, name: str, machine: Solution, style: str) -> list[Data]:
    """Where f = 0 for another machine than the board's, drawn once under `name`; a straight line needs no grid."""
    half = stage.lab.view
    lines = stage.cached(f"boundary {name} {half}", lambda: zero_of(machine, half))
    return [stroke(line, style) for line in lines]


def boundary_line(stage: Stage) -> Line:
    """The line of the machine on the board: a linear kernel, w != 0."""
    solution = stage.solution
    assert solution.w is not None
    return Line(solution.w, solution.b)


def place(x: Array) -> str:
    """A place in the plane, to read."""
    return f"({short(float(x[0]), 3, ROUNDING)}, {short(float(x[1]), 3, ROUNDING)})"


def dial(key: str, title: str, label: str, value: float, lo: float, hi: float, step: float, unit: str = "") -> Data:
    """A slider under the board that is no setting of the machine; `title` is its help, `label` stands beside it."""
    return {
        "key": key,
        "op": "dial",
        "linear": True,
        "title": title,
        "label": label,
        "value": value,
        "lo": lo,
        "hi": hi,
        "step": step,
        "unit": unit,
    }


def set_dials(**values: float) -> Op:
    """The operation that moves dials."""
    return {"op": "dial", "values": values}


def set_picks(**values: float | str | bool) -> Op:
    """The operation that sets picks."""
    return {"op": "pick", "values": values}


def select_point(id_: float | None) -> Op:
    """The operation that selects a point, as a click on it does."""
    return {"op": "select", "id": None if id_ is None else int(id_)}


def set_machine(**values: float | str | bool) -> Op:
    """The operation that sets the machine and leaves the points."""
    return {"op": "set", "values": values}


def reading(name: str, value: float | str) -> Reading:
    """One reading: a number is short, exact on hover, and round-off is 0."""
    if isinstance(value, str):
        return Reading(name, value, value)
    return Reading(name, short(value, noise=ROUNDING), repr(float(value)))
