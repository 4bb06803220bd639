"""A lesson: steps that ask, show and check, on the same board and points as the lab.

A step puts a question with a prediction to make, then reveals the answer on the board, the formula beside it, prompts that
set up the board, and in the end the statements of the page are checked. What a person answered stays while walking about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from svmlab import Solution
from svmlab.statements import CATALOGUE
from svmlab.ui import cards, frame, panel, text
from svmlab.ui.board import board
from svmlab.ui.numbers import short
from svmlab.ui.session import Session
from svmlab.ui.state import Lab
from svmlab.ui.words import lesson as words

Done = Callable[[], None]


@dataclass(frozen=True)
class Stage:
    """What a step sees: the session, its own state, and whether the answer is shown."""

    session: Session
    page: str
    step: Step
    done: Done

    @property
    def lab(self) -> Lab:
        """The present."""
        return self.session.lab

    @property
    def solution(self) -> Solution | None:
        """The machine on the board, solved."""
        outcome = self.session.outcome
        return outcome.solution if outcome else None

    @property
    def memory(self) -> dict[str, Any]:
        """What this step remembers: "choice", "shown", and whatever the step keeps there itself."""
        memory: dict[str, Any] = self.session.lessons.setdefault(f"{self.page}.{self.step.key}", {})
        return memory

    @property
    def shown(self) -> bool:
        """Whether the answer is on the table."""
        return bool(self.memory.get("shown"))

    @property
    def hand(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The two handles of the line placed by hand, None while nobody has touched it."""
        op = self.session.aside.get("hand")
        return None if op is None else (tuple(op["a"]), tuple(op["b"]))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """A result kept for the machine on the board."""
        return self.session.cache.once((self.page, name, self.lab.problem.key), make)


@dataclass(frozen=True)
class Try:
    """A prompt: its words and the operation that it does to the board, e.g. {"op": "set", "values": {"hard": True}}."""

    label: str
    op: Callable[[Stage], Mapping[str, Any]] | Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One idea.

    `choices`: what can be predicted, `answer`: which of them is right here (a function of the stage, None where the board
    does not decide). `reveal`: markdown once shown. `draw`: what the step adds to the data of the board. `numbers`: an HTML
    line that follows every move at once. `show`: charts and tables, refreshed when a move ends.
    """

    key: str
    title: str
    question: str
    choices: tuple[str, ...] = ()
    answer: Callable[[Stage], int | None] = lambda stage: None
    reveal: Callable[[Stage], str] = lambda stage: ""
    formula: str = ""
    tries: tuple[Try, ...] = ()
    draw: Callable[[Stage], dict[str, Any]] = lambda stage: {}
    numbers: Callable[[Stage], str] = lambda stage: ""
    show: Callable[[Stage], None] = lambda stage: None


@dataclass(frozen=True)
class Lesson:
    """A page of steps; `statements` are the ids that it checks at the end.

    machine: the machine that the board draws and the caption names, where it is not the board's own (one without bias).
    """

    page: str
    intro: str
    steps: tuple[Step, ...]
    statements: tuple[str, ...] = field(default=())
    machine: Callable[[Lab], Lab] = lambda lab: lab

    @property
    def checked(self) -> tuple[str, ...]:
        """The ids given, or all those of the catalogue that belong to this page."""
        return self.statements or tuple(i for i, s in CATALOGUE.items() if s.page == self.page)


def run(lesson: Lesson) -> None:
    """The whole page."""
    session = frame.enter()
    _Page(session, lesson).show()


@dataclass(frozen=True)
class _Page:
    session: Session
    lesson: Lesson

    @property
    def at(self) -> int:
        """The step that is open; one beyond the last is the check."""
        return min(int(self.session.lessons.setdefault(self.lesson.page, {}).get("step", 0)), len(self.lesson.steps))

    @property
    def stage(self) -> Stage | None:
        """The open step's stage, None on the check."""
        steps = self.lesson.steps
        return Stage(self.session, self.lesson.page, steps[self.at], self.changed) if self.at < len(steps) else None

    def show(self) -> None:
        projector = self.session.lab.projector
        if projector:
            st.html('<div class="sv-projector"></div>')
        left, right = st.columns([1.5, 1] if projector else [1.06, 1], gap="medium")
        with right:
            st.fragment(self._lesson, key="lesson")()
        with left:
            st.fragment(self._board, key="board")()

    def changed(self) -> None:
        """Everything follows a button, a choice or a step; the numbers are a part of the lesson."""
        st.rerun(["board", "lesson"])

    def _on_board(self) -> None:
        before = self.session.lab
        self.session.receive(st.session_state["board"].event)
        if self.session.lab.projector != before.projector:
            st.rerun()
        moving = self.session.history.held is not None or self.session.aside.get("hand", {}).get("live")
        there = self.stage is not None and bool(before.points)  # the check and an empty board have no numbers
        st.rerun((["board", "numbers"] if there else ["board"]) if moving else ["board", "lesson"])

    def _board(self) -> None:
        stage = self.stage
        drawn = self.session.board(self.lesson.machine(self.session.lab)) | {"below": 12, "hint": None}
        board(drawn | (stage.step.draw(stage) if stage else {}), key="board", on_event=self._on_board)

    def _lesson(self) -> None:
        steps, at = self.lesson.steps, self.at
        titles = [*(s.title for s in steps), words.CHECK]
        key = f"{self.lesson.page}_step"
        st.session_state[key] = at
        st.segmented_control(
            words.STEPS,
            range(len(titles)),
            format_func=lambda i: str(i + 1) if i < len(steps) else words.CHECK,
            key=key,
            required=True,
            label_visibility="collapsed",
            on_change=lambda: self._go(st.session_state[key]),
        )
        st.subheader(titles[at])
        stage = self.stage
        if stage is None:
            st.markdown(words.CHECKED)
            cards.show(self.session, self.lesson.checked, self.changed)
        else:
            self._step(stage)
        back, on = st.columns(2)
        if at > 0:
            back.button(
                words.BACK.format(title=titles[at - 1]), key="back", on_click=lambda: self._go(at - 1), width="stretch"
            )
        if at < len(steps):
            on.button(
                words.NEXT.format(title=titles[at + 1]),
                key="next",
                on_click=lambda: self._go(at + 1),
                width="stretch",
                type="primary" if stage is not None and stage.shown else "secondary",
            )

    def _go(self, to: int) -> None:
        self.session.lessons.setdefault(self.lesson.page, {})["step"] = to
        self.changed()

    def _step(self, stage: Stage) -> None:
        step, lab = stage.step, self.lesson.machine(stage.lab)
        if self.at == 0 and self.lesson.intro:
            st.markdown(self.lesson.intro)
        st.markdown(step.question)
        if not lab.points:
            st.info(words.NOTHING)
            return
        self._predict(stage)
        st.fragment(_numbers, key="numbers")(stage)
        if stage.shown:
            st.markdown(step.reveal(stage))
            if step.formula:
                st.markdown(f"$$\n{step.formula}\n$$")
            step.show(stage)
        if step.tries:
            st.markdown(f"**{words.TRY}**")
            for i, prompt in enumerate(step.tries):
                st.button(prompt.label, key=f"{step.key}_try{i}", on_click=_does(stage, prompt), width="stretch")
        price = (
            words.HARD if lab.hard else f"{text.LABELS['lambda' if lab.face == 'lambda' else 'C']} = {short(lab.value)}"
        )
        st.caption(
            words.MACHINE.format(kernel=text.KERNELS[lab.kernel], price=price, bias=words.BIAS[lab.bias])
            + f" · {panel.plain(self.session.solve(lab).solution)}"
        )

    def _predict(self, stage: Stage) -> None:
        step, memory = stage.step, stage.memory
        if step.choices:
            key = f"{stage.page}_{step.key}_choice"
            st.session_state[key] = memory.get("choice")
            st.radio(
                words.PREDICT,
                range(len(step.choices)),
                format_func=step.choices.__getitem__,
                key=key,
                on_change=lambda: self._chose(stage, st.session_state[key]),
            )
            choice = memory.get("choice")
            if choice is not None and stage.shown:
                right = step.answer(stage)
                if right is not None:
                    st.markdown(words.RIGHT if right == choice else words.OTHER.format(answer=step.choices[right]))
        label = words.HIDE if stage.shown else words.SHOW
        st.button(label, key=f"{step.key}_show", on_click=lambda: self._reveal(stage, not stage.shown))

    def _chose(self, stage: Stage, choice: int | None) -> None:
        stage.memory["choice"] = choice
        self._reveal(stage, choice is not None)

    def _reveal(self, stage: Stage, shown: bool) -> None:
        stage.memory["shown"] = shown
        self.changed()


def _numbers(stage: Stage) -> None:
    line = stage.step.numbers(stage)
    st.html(line or "<div></div>")


def _does(stage: Stage, prompt: Try) -> Done:
    def clicked() -> None:
        op = prompt.op(stage) if callable(prompt.op) else prompt.op
        stage.session.do(op)
        stage.done()

    return clicked
