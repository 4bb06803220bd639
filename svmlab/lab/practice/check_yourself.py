"""The page "Check yourself" at the end of a lesson: three questions and a goal of this lesson, answered in place."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.board.payload import Data
from svmlab.lab.practice import tasks
from svmlab.lab.practice.goal_view import FINDINGS
from svmlab.lab.practice.series import Series
from svmlab.lab.practice.series_view import SeriesView
from svmlab.lab.practice.tasks import SEEDS, TYPES, Variant
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import PRACTICE
from svmlab.lab.words import _
from svmlab.practice import GOALS, LESSONS
from svmlab.practice.draw import Draw

QUESTIONS = 3


def draw_tasks(lesson: str, draw: Draw, excluded: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of three questions of a lesson, the easier ones first, and of a goal.

    The questions need only what the core path has shown by the end of the lesson. They have different types if
    there are enough. excluded: names of goals that should not come again.
    """
    shown = shown_by_core_path(lesson)
    pairs = [
        (kind, level)
        for kind in TYPES.values()
        for level in kind.difficulties
        for needs in [kind.needs_of(level)]
        if shown.keys() >= set(needs) and lesson in {kind.lesson, *(shown[name] for name in needs)}
    ]
    counts, candidates = Counter[str](), list[tuple[int, Variant]]()
    for kind, level in draw.several_of(pairs, len(pairs)) * QUESTIONS:
        variant = Variant(kind, level, draw.whole(0, SEEDS - 1))
        if tasks.board_task_of(variant) is None and variant not in [each for _count, each in candidates]:
            candidates.append((counts[kind.key], variant))
            counts[kind.key] += 1
    chosen = [variant for _count, variant in sorted(candidates, key=lambda each: each[0])[:QUESTIONS]]
    goals = [key for key, goal in GOALS.items() if goal.lesson == lesson]
    goal = draw.one_of([key for key in goals if key not in excluded] or goals)
    return (*(variant.name for variant in sorted(chosen, key=lambda each: each.difficulty)), goal)


@cache
def shown_by_core_path(lesson: str) -> dict[str, str]:
    """Return what the core path shows by the end of a lesson: its steps and their statements, each with its lesson."""
    pages: list[str] = [page for page in frame.PAGES if page in LESSONS]
    return {
        name: page
        for page in pages[: pages.index(lesson) + 1]
        for step in tasks.lesson_of(page).steps
        if not step.deeper
        for name in (f"{page}.{step.key}", *step.shows)
    }


@dataclass(frozen=True)
class CheckYourself:
    """The page of one lesson. changed: draws the lesson anew."""

    session: Session
    lesson: str
    changed: Callable[[], None] = lambda: None

    @property
    def series(self) -> Series:
        """Return the tasks of the page."""
        return Series(self.session, self.lesson, PRACTICE)

    @property
    def view(self) -> SeriesView:
        """Return what the page shows of them."""
        return SeriesView(self.series, _("Other tasks"), self._draw_others, self.changed)

    def _draw_others(self) -> tuple[str, ...]:
        present = {task.key for task in self.series.tasks if not isinstance(task, Variant)}
        return draw_tasks(self.lesson, Draw("check yourself", self.lesson, secrets.randbelow(10**9)), present)

    def prepare_board(self) -> None:
        """Draw the tasks if the address names none, and show the board of the open one."""
        if not self.series.tasks:
            self.series.begin(self._draw_others())
        self.series.prepare_board()

    def on_board(self, data: Data) -> Data:
        """Return the data of the board, which is hidden while a question without a board is open."""
        goal = self.view.goal
        return data | {"hidden": True} if goal is None else goal.on_board(data)

    @property
    def has_board(self) -> bool:
        """Return whether the open task is played on the board."""
        return self.series.board_task is not None

    @property
    def live_parts(self) -> tuple[str, ...]:
        """Return the fragments that follow a drag."""
        board_task = self.series.board_task
        return (FINDINGS,) if board_task is not None and board_task.is_quick else ()

    def show(self) -> None:
        """Show the open task, or the result with a way to more tasks of the lesson."""
        self.view.show(self._show_way_on)

    def _show_way_on(self) -> None:
        st.button(_("All tasks of this lesson"), key="practise", icon=":material/exercise:", on_click=self._open_list)

    def _open_list(self) -> None:
        self.session.lessons.picks[f"{tasks.PAGE}.lesson"] = self.lesson
        self.session.lessons.open_steps.pop(tasks.PAGE, None)
        frame.turn_to(tasks.PAGE)
        st.rerun()
