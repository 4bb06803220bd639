"""A line placed by hand against the widest street, with the best own try on record (M4, M6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.geometry import Line
from svmlab.lab.board.payload import Data
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.setting import HARD, a_street, drawn, line_of, read, readings, stroke, widest
from svmlab.lab.numbers import DUST, short
from svmlab.lab.teach.step import Stage, Step, Try

Handles = tuple[tuple[float, float], tuple[float, float]]
START: Handles = ((1.5, 2.2), (-1.1, -2.2))


def handles(stage: Stage) -> Handles:
    """Where the line lies now."""
    return stage.hand or START


def best(stage: Stage) -> float:
    """The largest margin of an own line on these points; the present line is put on record."""
    memory = stage.memory
    now = Line.through(*handles(stage)).margin(stage.lab.data.X, stage.lab.data.y)
    if now > memory.get("margin", -np.inf):
        memory.update(margin=now, line=handles(stage))
    return float(memory["margin"])


def record(stage: Stage) -> float | None:
    """The best own margin on these points from any step of the lesson, None without one that separates."""
    margin = stage.session.lessons.get(f"{stage.page}.{HAND.key}.{stage.lab.data.key}", {}).get("margin", -np.inf)
    return float(margin) if margin > 0 else None


def board(stage: Stage) -> Data:
    """The line with its own street, points on its wrong side ringed; the widest street only once shown."""
    a, b = handles(stage)
    line, data, half = Line.through(a, b), stage.lab.data, stage.lab.view
    margins = line.margins(data.X, data.y)
    margin = float(margins.min())
    best(stage)
    if margin > 0:
        overlay = [item for t in (margin, -margin) for item in drawn(line.slid(t), half, "accent dashed")]
    else:
        overlay = [stroke(np.r_[x, 0.035 * half], "witness-line", "disc") for x in data.X[margins <= 0]]
    hidden: Data = {} if stage.shown else {"lines": None, "shade": None, "slack": [], "marks": None}
    return {"hand": {"a": a, "b": b}, "tool": "line", "overlay": overlay, "sliders": [], **hidden}


def numbers(stage: Stage) -> str:
    """The margin now, the best so far, and, once shown, the widest."""
    data, record_ = stage.lab.data, best(stage)
    margins = Line.through(*handles(stage)).margins(data.X, data.y)
    rows = [read(words.HAND_READ["now"], float(margins.min()))]
    rows.append(
        read(words.HAND_READ["best"], record_) if record_ > 0 else (words.HAND_READ["best"], words.HAND_NONE, record_)
    )
    if stage.shown:
        rows.append(read(words.HAND_READ["widest"], widest(stage)))
    return readings(rows, words.HAND_SWAP if (margins <= 0).mean() > 0.5 else "")


def answer(stage: Stage) -> int:
    """How the best own line compares."""
    share = best(stage) / widest(stage)
    return 3 if share <= 0 else 0 if share >= 0.99 else 1 if share >= 0.9 else 2


def reveal(stage: Stage) -> str:
    """Both margins in words."""
    own = best(stage)
    said = words.HAND.reveal if own > 0 else words.HAND_NOT_YET
    return said.format(
        best=short(widest(stage)), own=short(own, noise=DUST), share=f"{100 * own / widest(stage):.1f} %"
    )


def again(stage: Stage) -> dict[str, Any]:
    """New points between which to find the street."""
    seed = stage.lab.seed + 1 if stage.lab.seed < 999 else 0
    return {"op": "preset", "values": {"preset": "separable", "size": 24, "noise": 0.1, "seed": seed, **HARD}}


def _put(ends: Handles) -> dict[str, Any]:
    return {"op": "hand", "a": list(ends[0]), "b": list(ends[1]), "live": False}


def optimum(stage: Stage) -> dict[str, Any]:
    """The line in the middle of the widest street, + on its left."""
    if not stage.ready:
        return _put(START)
    line = line_of(stage)
    foot = line.foot(stage.lab.data.X.mean(0))
    along = 2.2 * np.array([line.normal[1], -line.normal[0]])
    (ax, ay), (bx, by) = (foot - along).tolist(), (foot + along).tolist()
    return _put(((ax, ay), (bx, by)))


HAND = Step(
    "hand",
    words.HAND.title,
    words.HAND.question,
    words.HAND.choices,
    answer=answer,
    reveal=reveal,
    formula=words.HAND.formula,
    tries=(
        Try(words.HAND.tries[0], again),
        Try(words.HAND.tries[1], lambda stage: _put(stage.memory.get("line", START))),
        Try(words.HAND.tries[2], optimum),
    ),
    draw=board,
    numbers=numbers,
    needs=a_street,
    about=lambda stage: stage.lab.data.key,
)
