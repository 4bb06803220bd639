"""The lessons: what each step asks, shows and checks. `svmlab.lab.teach.lesson` runs them."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def titles() -> dict[str, str]:
    """The title of every step by "lesson.step"; a lesson is found by its folder, and only when this is asked for."""
    folders = [each.name for each in pkgutil.iter_modules(__path__) if each.ispkg]
    lessons = [importlib.import_module(f"{__name__}.{folder}").LESSON for folder in folders]
    return {f"{lesson.page}.{step.key}": step.title for lesson in lessons for step in lesson.steps}
