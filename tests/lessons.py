"""The lessons that there are, found by themselves: a new one is tested without a word here."""

from __future__ import annotations

import base64
import importlib
import pkgutil
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab import lessons
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import PickValue
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.worker import Job, Report
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Data, Lesson, Op, Step, Try

FOUND = [
    importlib.import_module(f"{lessons.__name__}.{module.name}").LESSON
    for module in pkgutil.iter_modules(lessons.__path__)
    if module.ispkg
]
LESSONS: tuple[Lesson, ...] = tuple(lesson for lesson in FOUND if isinstance(lesson, Lesson))


class DoneAtOnce:
    """Work that is waited for, each piece once for a board; after so many pieces it is left undone."""

    def __init__(self, most: int = 100) -> None:
        self.most, self.jobs = most, dict[tuple[object, ...], Job]()

    def __call__(self, key: tuple[object, ...], make: Callable[[Report], object]) -> Job:
        if key not in self.jobs:
            if len(self.jobs) >= self.most:
                raise Working(None)
            self.jobs[key] = job = Job(key, make)
            assert job.wait(60)
            assert job.error is None, job.error
        return self.jobs[key]


def stage_of(lesson: Lesson, lab: Lab, shown: bool = True, ask: DoneAtOnce | None = None, **picked: PickValue) -> Stage:
    """A stage on a board, what is not picked as at the start."""
    picks = {pick.name: pick.default for step in lesson.steps for pick in step.picks} | picked
    return Stage(lesson.lab_to_draw(lab), shown=shown, picks=picks, request_work=ask or DoneAtOnce())


def board_after(op: Op, lab: Lab) -> Lab:
    """The board after an operation."""
    return apply(History(lab), op).present


def readings(step: Step, stage: Stage) -> list[tuple[str, str]]:
    """The numbers of a step, as they are read."""
    return [(reading.name, reading.text) for reading in step.readings(stage)]


def find_try(step: Step, label: str) -> Try:
    """Something to try, by what stands on it."""
    return next(each for each in step.tries if each.label == label)


def codes(shade: Data) -> tuple[Array, Array]:
    """The class, from 0, and the strength of each place of a shading."""
    packed = np.frombuffer(base64.b64decode(shade["data"]), np.uint8).reshape(shade["n"], -1)
    return packed >> 5, packed & 31


T = TypeVar("T")


def one_of_each(items: Sequence[T], kind: Callable[[T], Hashable]) -> tuple[T, ...]:
    """The first of each kind."""
    return tuple({kind(item): item for item in reversed(items)}.values())[::-1]
