"""What people can do in a lesson, and what it changes: choosing, showing, trying, and clicking in a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from svmlab.lab.board.payload import Data
from svmlab.lab.session import inbox
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Op, Step, Try


@dataclass(frozen=True)
class Actions:
    """The actions of a step, each a function that changes the session and draws the page again."""

    choose: Callable[[int | None], None]
    show: Callable[[bool], None]
    apply: Callable[[Op], None]
    chart_clicked: Callable[[Callable[[Any], Op], Any], None]  # takes the chart's `on_click` and the clicked mark
    try_out: Callable[[Try], None]
    redo_work: Callable[[], None]  # forgets cancelled work, so that it can run again
    rerun: Callable[[], None]  # draws the page once more
    turn: tuple[float, float] | None = None  # from where raised points are seen


def actions_of(state: OpenLesson, step: Step, stage: Stage, follow: Callable[[], None]) -> Actions:
    """Return the actions of a person at a step. `follow` draws the page after each of them."""
    session = state.session

    def answer(choice: int | None, shown: bool) -> None:
        session.lessons.answers[state.step_name(step)] = Answer(choice, shown)
        state.memory.play = None
        if shown and not stage.shown and not state.keeps_secret(step):
            state.ask_for_result(step)
            with session.showing_errors():
                state.memory.play = _play(state, step)
        follow()

    def choose(choice: int | None) -> None:
        # the browser may report the marked choice once more after the radio buttons have gone
        if not state.answer.shown:
            answer(choice, False)

    def change(op: Op) -> None:
        picked = op["values"] if op["op"] == "pick" else op.get("picks", {})
        session.lessons.picks.update({f"{state.lesson.page}.{name}": value for name, value in picked.items()})
        if op["op"] != "pick":
            inbox.do(session, op)

    def attempt(each: Try) -> None:
        with session.showing_errors():
            if each.board is not None:
                session.show_board(state.step_name(step), each.board())
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
        state.memory.play = None
        follow()

    return Actions(
        choose, lambda on: answer(state.answer.choice, on), do, mark, attempt, forget, follow, session.lessons.turn
    )


def _play(state: OpenLesson, step: Step) -> Data | None:
    """Return the animation that starts now. Its id lets the browser play it only once."""
    play = step.animation(replace(state.stage(step), shown=True))
    state.memory.plays += 1
    return None if play is None else {**play, "id": f"{step.key}.{state.memory.plays}"}
