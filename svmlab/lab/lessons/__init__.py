"""The lessons: what each step asks, shows and checks. `svmlab.lab.teach.lesson` runs them."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, partial
from typing import Any

from svmlab.statements import CATALOGUE


def _lessons() -> list[Any]:
    """Return every lesson. A lesson is found by its folder, and only when this is called."""
    folders = [each.name for each in pkgutil.iter_modules(__path__) if each.ispkg]
    return [importlib.import_module(f"{__name__}.{folder}").LESSON for folder in folders]


@cache
def titles() -> dict[str, str]:
    """Return the title of every step by "lesson.step"."""
    return {f"{lesson.page}.{step.key}": step.title for lesson in _lessons() for step in lesson.steps}


@cache
def steps_by_statement() -> dict[str, list[tuple[str, str]]]:
    """Return the address "lesson.step" and the title of each step that shows a statement, its own lesson first."""
    steps_by_id: dict[str, list[tuple[str, str]]] = {}
    for lesson in _lessons():
        for id, steps in lesson.steps_by_statement.items():
            steps_by_id.setdefault(id, []).extend(steps)
    return {id: sorted(steps_by_id[id], key=partial(_is_of_another, CATALOGUE[id].page)) for id in steps_by_id}


def _is_of_another(page: str, step: tuple[str, str]) -> bool:
    """Return whether a step, by its address and title, belongs to another page."""
    return step[0].partition(".")[0] != page
