"""How far the points may move before one crosses the widest line (M9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.arrays import Array, Mask
from svmlab.geometry import pushed, shaken
from svmlab.lab.board.payload import Data
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.hand import record
from svmlab.lab.lessons.margin.setting import a_street, dial, line_of, read, readings, stroke, turn_to, widest
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Step, Try


def part(stage: Stage) -> float:
    """How far each point moves, in parts of the margin."""
    return stage.dial("shake", 0.9)


def moved(stage: Stage, straight: bool | None = None) -> Array:
    """The points after the shake: in random directions, or straight at the line."""
    data, radius = stage.lab.data, part(stage) * widest(stage)
    if stage.dial("straight", 0.0) > 0 if straight is None else straight:
        return pushed(data.X, data.y, line_of(stage), radius)
    return shaken(data.X, radius, abs(int(stage.dial("seed", 0.0))))


def crossed(stage: Stage, X: Array) -> Mask:
    """Which points are no longer strictly on their own side (1e-12 of a margin counts as on the line)."""
    over: Mask = line_of(stage).margins(X, stage.lab.data.y) <= 1e-12 * widest(stage)
    return over


def board(stage: Stage) -> Data:
    """An arrow from every point to where it is now; discs of radius gamma* once shown."""
    data, now = stage.lab.data, moved(stage)
    over = crossed(stage, now)
    colour = np.where(data.y > 0, "plus", "minus")
    overlay = []
    if stage.shown:
        overlay = [stroke(np.r_[x, widest(stage)], "faint", "disc") for x in data.X]
    if part(stage) > 0:
        overlay += [
            stroke(np.array([x, z]), "witness-line" if flip else str(style), "arrow")
            for x, z, flip, style in zip(data.X, now, over, colour, strict=True)
        ]
    sliders = [dial("shake", words.SHAKE_DIAL, "ρ", part(stage), 0.0, 1.6, 0.01, words.SHAKE_UNIT)]
    return {"overlay": overlay, "sliders": sliders}


def numbers(stage: Stage) -> str:
    """How far, and how many are on the wrong side now and at worst."""
    m = len(stage.lab.points)
    now, worst = (int(crossed(stage, moved(stage, way)).sum()) for way in (None, True))
    rows = [
        read(words.SHAKE_READ["radius"], part(stage) * widest(stage)),
        (words.SHAKE_READ["crossed"], words.OF_ALL.format(n=now, m=m), now),
    ]
    if stage.shown:
        rows.append((words.SHAKE_READ["worst"], words.OF_ALL.format(n=worst, m=m), worst))
    return readings(rows)


def reveal(stage: Stage) -> str:
    """The radius, and what the line placed by hand would have stood."""
    own = record(stage)
    return words.SHAKE.reveal.format(
        best=short(widest(stage)), own="" if own is None else words.SHAKE_OWN.format(own=short(own))
    )


def again(stage: Stage) -> dict[str, Any]:
    """New directions."""
    return turn_to(seed=stage.dial("seed", 0.0) + 1, straight=0.0)


SHAKE = Step(
    "shake",
    words.SHAKE.title,
    words.SHAKE.question,
    words.SHAKE.choices,
    answer=lambda stage: 0,
    reveal=reveal,
    formula=words.SHAKE.formula,
    tries=(
        Try(words.SHAKE.tries[0], again),
        Try(words.SHAKE.tries[1], turn_to(shake=0.99, straight=1.0)),
        Try(words.SHAKE.tries[2], turn_to(shake=1.01, straight=1.0)),
    ),
    draw=board,
    numbers=numbers,
    needs=a_street,
)
