"""What the steps of the lesson on duality share: boards to set up, what stands in the way of a step, and the selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.arrays import Array, Index
from svmlab.lab.lessons.duality import words
from svmlab.lab.numbers import DUST, short
from svmlab.lab.session.state import Lab, Point, fit
from svmlab.lab.teach.step import Stage
from svmlab.statements import Situation

FEW = 8  # points up to which matrices are printed as numbers
MACHINE: dict[str, Any] = {"kernel": "linear", "hard": True, "bias": True}
EIGHT = {"op": "preset", "values": {"preset": "separable", "size": 8, "noise": 0.1, "seed": 26, **MACHINE}}
SIXTY = {"op": "preset", "values": {"preset": "separable", "size": 60, "noise": 0.1, "seed": 0, **MACHINE}}
CORNERS = {"op": "preset", "values": {"preset": "four_corners", **MACHINE}}
IDLE = {"op": "preset", "values": {"preset": "idle_margin", **MACHINE}}
LATTICE = {"op": "preset", "values": {"preset": "lattice", **MACHINE}}
MIXED = {"op": "preset", "values": {"preset": "xor", "size": 8, "noise": 0.1, "seed": 0, **MACHINE}}
FOUR = ((0, 0, -1), (2000, 2000, -1), (2000, 0, 1), (3000, 0, 1))


def four(stage: Stage) -> dict[str, Any]:
    """Four points in whole numbers whose machine is w = (1, -1), b = -1."""
    points = tuple(Point(i, *p) for i, p in enumerate(FOUR, start=1))
    return {"op": "load", "lab": replace(stage.lab, points=points, selected=None, view=fit(points), **MACHINE)}


def setting(**values: Any) -> dict[str, Any]:
    """The operation that changes the machine and leaves the points."""
    return {"op": "set", "values": values}


def obstacle(stage: Stage, hard: bool = False, linear: bool = False, bias: bool = False) -> str | None:
    """Why a step cannot be shown on this board, in one sentence; None where it can."""
    lab, solution = stage.lab, stage.solution
    if not lab.points:
        return words.NO_POINTS
    if bias and not lab.bias:
        return words.NEEDS_BIAS
    if lab.bias and not lab.data.both_classes:
        return words.ONE_CLASS
    if linear and not lab.machine.straight:
        return words.NEEDS_LINEAR
    if not lab.machine.psd:
        return words.NEEDS_PRODUCT.format(kernel=lab.machine.title)
    if hard and not lab.hard:
        return words.NEEDS_HARD
    if solution is None:
        return words.NO_LINE
    return words.FLAT if solution.norm_w == 0 else None


def remark(reason: str | None) -> str:
    """The reason as a line under the question; an empty block where there is none."""
    return f'<p class="sv-quiet" data-obstacle="1">{escape(reason)} {escape(words.BELOW)}</p>' if reason else ""


def situation(stage: Stage) -> Situation:
    """The board with its second opinion, the one that the cards of the check use too."""
    problem = stage.lab.problem
    return stage.session.cache.once(("situation", problem.key), lambda: Situation(problem, stage.solution))


def select(stage: Stage) -> Callable[[int], None]:
    """What a click on a point's row or mark does: select it on the board, or let go of it."""

    def picked(id_: int) -> None:
        stage.session.do({"op": "select", "id": None if id_ == stage.lab.selected else id_})
        stage.done()

    return picked


def row_of(stage: Stage) -> int | None:
    """The row of the selected point."""
    return next((i for i, p in enumerate(stage.lab.points) if p.id == stage.lab.selected), None)


def ids(stage: Stage) -> Index:
    """The ids in the order of the rows."""
    return np.asarray(stage.lab.data.ids)


def line(w: Array, b: float, half: float) -> list[float]:
    """Two places of <w, x> + b = 0 that lie outside the square [-half, half]^2 wherever the line crosses it."""
    foot = -b * w / float(w @ w)
    along = np.array([-w[1], w[0]]) / float(np.hypot(*w))
    middle = foot - float(foot @ along) * along
    return [round(float(v), 4) for v in (*(middle - 3 * half * along), *(middle + 3 * half * along))]


def segment(a: Array, b: Array) -> list[float]:
    """From a to b as the board wants it."""
    return [round(float(v), 4) for v in (*a, *b)]


def other_bias(stage: Stage) -> Lab:
    """The same board with the bias switched the other way."""
    return replace(stage.lab, bias=not stage.lab.bias)


def solved(stage: Stage) -> Solution:
    """The machine on the board, where `obstacle` has said that there is one."""
    solution = stage.solution
    assert solution is not None
    return solution


def formula(template: str, **parts: str) -> None:
    """A displayed formula; {NAME} in the template stands for one of the parts."""
    for name, part in parts.items():
        template = template.replace("{" + name + "}", part)
    st.markdown(f"$$\n{template}\n$$")


def vector(w: Array, digits: int = 4) -> str:
    """(w1, w2, ...) in short numbers, round-off as 0."""
    return "(" + ", ".join(short(float(v), digits, DUST) for v in w) + ")"


def with_film(stage: Stage, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A film under the board, in the room that the slider takes where it has nothing to say; while a point is dragged, the last one."""
    kept = stage.memory.get("film")
    if kept is None or stage.session.history.held is None:
        kept = stage.memory["film"] = stage.once(f"film {stage.step.key} {stage.lab.view}", make)
    return {"film": kept, "below": 12, "hint": None} | ({"sliders": []} if stage.lab.hard else {})
