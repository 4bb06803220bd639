"""What people do in a lesson, and what it changes: marking, showing, trying, what is operated beside a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from svmlab.lab.board.payload import Data
from svmlab.lab.session.tab import Answer
from svmlab.lab.teach.lesson_state import LessonState
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Op, Step, Try


@dataclass(frozen=True)
class Actions:
    """What can be done: mark a choice, show or hide the answer, an operation on the board, a click on a chart,
    something to try.
    """

    choose: Callable[[int | None], None]
    show: Callable[[bool], None]
    do: Callable[[Op], None]
    chart_clicked: Callable[
        [Callable[[Any], Op], Any], None
    ]  # a mark of a chart was clicked: how it makes an operation, and it
    attempt: Callable[[Try], None]
    forget: Callable[[], None]  # cancelled work, to be done again
    rerun: Callable[[], None]  # the page is drawn once more


def actions_of(place: LessonState, step: Step, stage: Stage, follow: Callable[[], None]) -> Actions:
    """The hands of whoever is at a step; `follow` draws the page after each deed."""
    session = place.session

    def answer(choice: int | None, shown: bool) -> None:
        session.answers[place.step_name(step)] = Answer(choice, shown)
        place.memory["play"] = None
        if shown and not stage.shown:
            with session.showing_errors():
                place.memory["play"] = _play(place, step)
        follow()

    def choose(choice: int | None) -> None:
        # the browser may say once more what was marked, when the radio has gone already
        if not place.answer.shown:
            answer(choice, False)

    def change(op: Op) -> None:
        picked = op["values"] if op["op"] == "pick" else op.get("picks", {})
        session.picks.update({f"{place.lesson.page}.{name}": value for name, value in picked.items()})
        if op["op"] != "pick":
            session.do(op)

    def attempt(each: Try) -> None:
        with session.showing_errors():
            if each.board is not None:
                session.show_board(place.step_name(step), each.board())
            elif each.op is not None:
                change(each.op(stage) if callable(each.op) else each.op)
        moved()

    def do(op: Op) -> None:
        change(op)
        moved()

    def mark(made: Callable[[Any], Op], clicked: Any) -> None:
        with session.showing_errors():
            change(made(clicked))
        moved()

    def forget() -> None:
        session.forget_job()
        moved()

    def moved() -> None:
        place.memory["play"] = None
        follow()

    return Actions(choose, lambda on: answer(place.answer.choice, on), do, mark, attempt, forget, follow)


def _play(place: LessonState, step: Step) -> Data | None:
    """What moves now, once; the browser is told until it has moved."""
    play = step.play(replace(place.stage(step), shown=True))
    place.memory["plays"] = place.memory.get("plays", 0) + 1
    return None if play is None else {**play, "id": f"{step.key}.{place.memory['plays']}"}
