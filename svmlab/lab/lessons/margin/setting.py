"""What the steps share: what a board must have, the line on it, the point in question, and how things are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from svmlab import Linear, separate
from svmlab.arrays import Array
from svmlab.geometry import Line
from svmlab.lab.board.payload import Data, flat
from svmlab.lab.lessons.margin import words
from svmlab.lab.numbers import DUST, short
from svmlab.lab.teach.step import Missing, Stage, Try

HARD: dict[str, Any] = {"hard": True, "kernel": "linear", "bias": True}
SEPARABLE = {"op": "preset", "values": {"preset": "separable", "size": 24, "noise": 0.1, "seed": 19, **HARD}}


def _missing(key: str, op: dict[str, Any], setup: str | None = None) -> Missing:
    return Missing(words.NEEDS[key], Try(words.SETUPS[setup or key], op))


def a_line(stage: Stage) -> Missing | None:
    """What a step needs that looks at the line on the board, whichever machine found it."""
    if not stage.lab.machine.straight:
        return _missing("linear", {"op": "set", "values": {"kernel": "linear"}})
    if stage.solution is None:
        return _missing("separable", SEPARABLE)
    return _missing("line", SEPARABLE, "classes") if stage.solution.norm_w == 0 else None


def two_classes(stage: Stage) -> Missing | None:
    """What the question of a line needs: points of both classes, in the plane itself, and an offset."""
    if not stage.lab.data.both_classes:
        return _missing("classes", SEPARABLE)
    if not stage.lab.machine.straight:
        return _missing("linear", {"op": "set", "values": {"kernel": "linear"}})
    return None if stage.lab.bias else _missing("bias", {"op": "set", "values": {"bias": True}})


def a_street(stage: Stage) -> Missing | None:
    """What the steps on the widest street need: the hard margin, and classes that have one."""
    lab = stage.lab
    if not lab.data.both_classes:
        return _missing("classes", SEPARABLE)
    if lab.machine.straight and lab.hard and lab.bias:
        return None if stage.solution is not None else _missing("separable", SEPARABLE)
    if stage.once("separable", lambda: separate(lab.data, Linear()).separable):
        return _missing("hard", {"op": "set", "values": HARD})
    return _missing("separable", SEPARABLE)


def line_of(stage: Stage) -> Line:
    """The line of the machine on the board."""
    solution = stage.solution
    assert solution is not None
    assert solution.w is not None
    return Line(solution.w, solution.b)


def widest(stage: Stage) -> float:
    """The margin 1/|w| of the machine on the board."""
    assert stage.solution is not None
    return 1.0 / stage.solution.norm_w


def in_question(stage: Stage) -> int:
    """The row of the selected point, or of the one nearest to the line."""
    chosen = [i for i, p in enumerate(stage.lab.points) if p.id == stage.lab.selected]
    assert stage.solution is not None
    return chosen[0] if chosen else int(abs(stage.solution.margins).argmin())


def place(x: Array) -> str:
    """A place in the plane, to read."""
    return f"({short(float(x[0]), 3)}, {short(float(x[1]), 3)})"


def stroke(pts: Array, style: str = "faint", kind: str = "line") -> Data:
    """One item of an overlay: a polyline, an arrow, or a disc [x, y, radius]."""
    return {"kind": kind, "pts": flat(pts), "style": style}


def drawn(line: Line, half: float, style: str) -> list[Data]:
    """A line across the board; nothing where it passes outside."""
    return [stroke(ends, style) for ends in line.within(half)]


def normal_of(line: Line, half: float, style: str) -> Data:
    """An arrow from the line's place nearest to the origin to its + side."""
    foot = line.foot(line.w * 0)
    return stroke([foot, foot + 0.16 * half * line.normal], style, "arrow")  # type: ignore[arg-type]


def dial(key: str, title: str, label: str, value: float, lo: float, hi: float, step: float, unit: str = "") -> Data:
    """A slider under the board that is no setting of the machine."""
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


def turn_to(**values: float) -> dict[str, Any]:
    """The operation that moves dials."""
    return {"op": "dial", "values": values}


def readings(rows: Iterable[tuple[str, str, float]], note: str | None = None) -> str:
    """A line of (name, value to read, exact value); a note, even an empty one, keeps a line below."""
    cells = "".join(f'<div title="{v!r}"><span>{escape(n)}</span><b>{escape(t)}</b></div>' for n, t, v in rows)
    below = "" if note is None else f'<div class="sv-quiet">{escape(note) or "&nbsp;"}</div>'
    return f'<div class="sv-values">{cells}</div>{below}'


def read(name: str, value: float) -> tuple[str, str, float]:
    """One reading of a number."""
    return name, short(value, noise=DUST), value
