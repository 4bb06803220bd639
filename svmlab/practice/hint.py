"""A hint, which leads to the idea, or to the step or the statement that explains it; and the lessons of the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

# "own" is for goals that people make themselves.
Lesson = Literal[
    "start", "margin", "duality", "soft", "losses", "pegasos", "kernels", "generalisation", "extensions", "own"
]
LESSONS: tuple[Lesson, ...] = get_args(Lesson)


@dataclass(frozen=True)
class Hint:
    """A hint in words. step: "lesson.step" of the app, or statement: its id in the catalogue, where it is explained."""

    words: str
    step: str = ""
    statement: str = ""
