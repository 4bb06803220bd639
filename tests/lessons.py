"""The lessons that there are, found by themselves: a new one is tested without a word here."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from svmlab.lab import lessons
from svmlab.lab.session.state import Lab
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.stage import Report, Stage, Working
from svmlab.lab.teach.step import Lesson

FOUND = [
    importlib.import_module(f"{lessons.__name__}.{module.name}").LESSON
    for module in pkgutil.iter_modules(lessons.__path__)
    if module.ispkg
]
LESSONS: tuple[Lesson, ...] = tuple(lesson for lesson in FOUND if isinstance(lesson, Lesson))


class AtOnce:
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


def stage_of(lesson: Lesson, lab: Lab, shown: bool = True, ask: AtOnce | None = None) -> Stage:
    """A stage on a board, everything picked as at the start."""
    picks = {pick.name: pick.default for step in lesson.steps for pick in step.picks}
    return Stage(lesson.machine(lab), shown=shown, picks=picks, ask=ask or AtOnce())


T = TypeVar("T")


def one_of_each(items: Sequence[T], kind: Callable[[T], Hashable]) -> tuple[T, ...]:
    """The first of each kind."""
    return tuple({kind(item): item for item in reversed(items)}.values())[::-1]
