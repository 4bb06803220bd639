"""The lesson on the margin: M1 to M12."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.ui.lesson import Lesson, Stage, Step, Try
from svmlab.ui.numbers import short
from svmlab.ui.words import margin as words

START = ((-1.0, -2.0), (1.0, 2.0))


def own_margin(stage: Stage) -> float:
    """Min y_i times the signed distance to the line placed by hand; +1 lies to the left of a -> b."""
    (ax, ay), (bx, by) = stage.hand or START
    normal = np.array([ay - by, bx - ax])
    normal = normal / np.hypot(*normal)
    data = stage.lab.data
    return float((data.y * ((data.X - [ax, ay]) @ normal)).min())


def hand(stage: Stage) -> dict[str, Any]:
    a, b = stage.hand or START
    hidden = {} if stage.shown else {"lines": None, "shade": None, "slack": [], "marks": None}
    return {"hand": {"a": a, "b": b}, "tool": "line", **hidden}


def reveal(stage: Stage) -> str:
    best = stage.solution.geometric_margin if stage.solution else float("nan")
    return words.HAND["reveal"].format(best=short(best), own=short(own_margin(stage)))


LESSON = Lesson(
    "margin",
    words.INTRO,
    (
        Step(
            "hand",
            words.HAND["title"],
            words.HAND["question"],
            words.HAND["choices"],
            reveal=reveal,
            formula=r"\gamma = \min_i \frac{y_i f(x_i)}{\|w\|}",
            tries=(
                Try(
                    words.HAND["try"][0],
                    {"op": "preset", "values": {"preset": "separable", "hard": True, "kernel": "linear"}},
                ),
            ),
            draw=hand,
            numbers=lambda stage: words.HAND["numbers"].format(own=short(own_margin(stage))),
        ),
    ),
)
