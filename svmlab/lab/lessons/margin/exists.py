"""Separable or not, with the proof either way: a line, or a common place of the hulls (M10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from svmlab import Linear, Problem, Separation, SvmError, separate, solve
from svmlab.arrays import Array
from svmlab.geometry import Line, hull
from svmlab.lab.board.payload import Data, proof
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.setting import SEPARABLE, drawn, stroke, two_classes
from svmlab.lab.numbers import DUST, short
from svmlab.lab.session.state import Point
from svmlab.lab.teach.step import Stage, Step, Try

PLAIN = {"kernel": "linear", "bias": True, "hard": False}


def found(stage: Stage) -> Separation:
    """The verdict and its proof."""
    answer: Separation = stage.once("separation", lambda: separate(stage.lab.data, Linear()))
    return answer


def closest(stage: Stage) -> Array | None:
    """The nearest places of the two hulls, (2, 2): sum alpha x over each class, by the dual of the hard margin.

    None where they are so close that only exact arithmetic tells them apart.
    """

    def make() -> Array | None:
        data = stage.lab.data
        try:
            alpha = solve(Problem(data, C=float("inf"))).alpha
        except SvmError:
            return None
        return np.array([alpha[data.y == s] @ data.X[data.y == s] / alpha[data.y == s].sum() for s in (1, -1)])

    places: Array | None = stage.once("closest", make)
    return places


def board(stage: Stage) -> Data:
    """Points alone until the answer is asked for; then the hulls, and the line or the place in common."""
    bare: Data = {
        "lines": None,
        "shade": None,
        "slack": [],
        "marks": None,
        "witness": None,
        "message": None,
        "sliders": [],
    }
    if not stage.shown:
        return bare
    data, answer = stage.lab.data, found(stage)
    items = []
    for label, style in ((1, "plus"), (-1, "minus")):
        corners = hull(data.X[data.y == label])
        items.append(stroke(np.vstack([corners, corners[:1]]), style))
    if answer.w is None or answer.b is None:
        return bare | {"overlay": items, "witness": proof(stage.lab, answer)}
    line, near = Line(answer.w, answer.b), closest(stage)
    items += [*drawn(line, stage.lab.view, "accent"), *([] if near is None else [stroke(near, "witness-line")])]
    return bare | {"overlay": items}


def reveal(stage: Stage) -> str:
    """The certificate in words and numbers."""
    answer, data = found(stage), stage.lab.data
    if answer.w is not None and answer.b is not None:
        least = float((data.y * (data.X @ answer.w + answer.b)).min())
        near = closest(stage)
        gap = 0.0 if near is None else float(np.hypot(*(near[0] - near[1])))
        return words.EXISTS_LINE.format(least=short(least), gap=short(gap, noise=DUST))
    v = answer.weights
    assert v is not None
    rows = [words.EXISTS_ROW]
    for i in answer.witness:
        x, label = data.X[i], "+1" if data.y[i] > 0 else "−1"
        bold = "**" if stage.lab.points[i].id == stage.lab.selected else ""
        rows.append(f"| {bold}({short(float(x[0]))}, {short(float(x[1]))}){bold} | {label} | {short(float(v[i]))} |")
    plus, minus = (v[data.y == s] @ data.X[data.y == s] for s in (1, -1))
    total = words.EXISTS_SUM.format(
        x=short(float(plus[0]), noise=DUST),
        y=short(float(plus[1]), noise=DUST),
        off=short(float(np.hypot(*(plus - minus))), 2, DUST),
    )
    return "\n\n".join([words.EXISTS_MEET, "\n".join(rows), total])


def across(stage: Stage) -> dict[str, Any]:
    """The board with its first point moved to the middle of the other class."""
    lab = stage.lab
    if not lab.data.both_classes:
        return SEPARABLE
    first = lab.points[0]
    others = [(p.x, p.y) for p in lab.points if p.label != first.label]
    x, y = np.mean(others, axis=0)
    moved = Point(first.id, round(float(x)), round(float(y)), first.label)
    return {"op": "load", "lab": replace(lab, points=(moved, *lab.points[1:]))}


def _preset(name: str) -> dict[str, Any]:
    return {"op": "preset", "values": {"preset": name, "size": 24, "seed": 19, "noise": 0.1, **PLAIN}}


EXISTS = Step(
    "exists",
    words.EXISTS.title,
    words.EXISTS.question,
    words.EXISTS.choices,
    answer=lambda stage: 0 if found(stage).separable else 1,
    reveal=reveal,
    formula=words.EXISTS.formula,
    tries=(
        Try(words.EXISTS.tries[0], _preset("separable")),
        Try(words.EXISTS.tries[1], _preset("overlapping")),
        Try(words.EXISTS.tries[2], _preset("xor")),
        Try(words.EXISTS.tries[3], across),
    ),
    draw=board,
    needs=two_classes,
)
