"""A lesson: steps that ask, show and check, on the same board and points as the lab.

A step puts a question with a prediction to make, then reveals the answer on the board, the formula beside it, prompts that
set up the board, and in the end the statements of the page are checked. What a person answered stays while walking about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from svmlab.lab import frame, text
from svmlab.lab.bench import panel
from svmlab.lab.board import board, board_of
from svmlab.lab.cards import cards
from svmlab.lab.numbers import short
from svmlab.lab.session import mishap
from svmlab.lab.session.tab import Done, Session
from svmlab.lab.teach import words
from svmlab.lab.teach.step import Lesson, Missing, Stage, Try

SOME = {"op": "action", "id": "preset"}


def run(lesson: Lesson) -> None:
    """The whole page."""
    session = frame.enter()
    _Page(session, lesson).show()


@dataclass(frozen=True)
class _Page:
    session: Session
    lesson: Lesson

    @property
    def own(self) -> dict[str, Any]:
        """What the page remembers: the open "step", and whether its line of "numbers" is on the page."""
        return self.session.lessons.setdefault(self.lesson.page, {})

    @property
    def at(self) -> int:
        """The step that is open; one beyond the last is the check."""
        return min(int(self.own.get("step", 0)), len(self.lesson.steps))

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
        with left, st.container(key="lesson_board"):
            st.fragment(self._board, key="board")()

    def changed(self) -> None:
        """Everything follows a button, a choice or a step; the numbers are a part of the lesson."""
        st.rerun(["board", "lesson"])

    def _on_board(self) -> None:
        before = self.session.lab
        self.session.receive(st.session_state["board"].event)
        if self.session.lab.projector != before.projector:
            st.rerun()
        if not self.session.moving:
            self.changed()
        st.rerun(["board", "numbers"] if self.own.get("numbers") else ["board"])

    def _board(self) -> None:
        with st.container(key="beside"):
            data = board_of(self.session, self.lesson.machine(self.session.lab)) | {"hint": None, "below": 20}
            board(data | self._drawn(), key="board", on_event=self._on_board)

    def _drawn(self) -> dict[str, Any]:
        """What the step adds to the board: a message where that fails."""
        stage = self.stage
        try:
            return stage.step.draw(stage) if stage and stage.ready else {}
        except Exception as error:
            return {"message": {"tone": "warn", "text": str(mishap.told(error))}}

    def _lesson(self) -> None:
        steps, at = self.lesson.steps, self.at
        self.own["numbers"] = False
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
        stage, shown = self.stage, False
        with mishap.caught():
            if stage is None:
                st.markdown(words.CHECKED)
                cards.show(self.session, self.lesson.checked, self.changed)
            else:
                self._step(stage)
                shown = stage.shown
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
                type="primary" if shown else "secondary",
            )

    def _go(self, to: int) -> None:
        self.own["step"] = to
        self.changed()

    def _step(self, stage: Stage) -> None:
        step, lab = stage.step, self.lesson.machine(stage.lab)
        if self.at == 0 and self.lesson.intro:
            st.markdown(self.lesson.intro)
        missing = step.needs(stage) if lab.points else Missing(words.NOTHING, Try(words.SOME, SOME))
        if missing is not None:
            st.info(missing.words)
            st.button(
                missing.prompt.label, key=f"{step.key}_setup", on_click=_does(stage, missing.prompt), type="primary"
            )
            st.caption(self._machine(stage))
            return
        st.markdown(step.question)
        self._predict(stage)
        self.own["numbers"] = True
        st.fragment(_numbers, key="numbers")(stage)
        if stage.shown:
            with mishap.caught():
                st.markdown(step.reveal(stage))
                if step.formula:
                    st.markdown(f"$$\n{step.formula}\n$$")
                step.show(stage)
        if step.tries:
            st.markdown(f"**{words.TRY}**")
            with st.container(horizontal=True, gap="small"):
                for i, prompt in enumerate(step.tries):
                    st.button(prompt.label, key=f"{step.key}_try{i}", on_click=_does(stage, prompt))
        st.caption(self._machine(stage))

    def _machine(self, stage: Stage) -> str:
        lab = self.lesson.machine(stage.lab)
        price = (
            words.HARD if lab.hard else f"{text.LABELS['lambda' if lab.face == 'lambda' else 'C']} = {short(lab.value)}"
        )
        machine = words.MACHINE.format(kernel=lab.machine.title, price=price, bias=words.BIAS[lab.bias])
        return f"{machine} · {panel.plain(self.session.solve(lab).solution if lab.points else None)}"

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
    with mishap.caught():
        line = stage.step.numbers(stage) if stage.ready else ""
        st.html(line or "<div></div>")


def _does(stage: Stage, prompt: Try) -> Done:
    def clicked() -> None:
        op = prompt.op(stage) if callable(prompt.op) else prompt.op
        stage.session.do(op)
        stage.done()

    return clicked
