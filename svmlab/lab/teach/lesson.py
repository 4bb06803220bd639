"""A lesson as a page: the board at the left, the open step at the right, on one screen.

A step asks, lets one expect something, shows it, and says what happens.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from svmlab.lab import frame, words
from svmlab.lab.bench import tasks
from svmlab.lab.board import board, board_of, drag_socket
from svmlab.lab.board.payload import Data
from svmlab.lab.cards import statement_cards
from svmlab.lab.glossary import letters
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.tab import Answer, Session
from svmlab.lab.session.worker import Job
from svmlab.lab.teach import sheet
from svmlab.lab.teach.actions import Hands, hands_of
from svmlab.lab.teach.lesson_state import Place, draws
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import CHECK, End, Lesson, Part, Step
from svmlab.lab.teach.strip import Mark, strip
from svmlab.lab.words import _


def run(lesson: Lesson) -> None:
    """The whole page."""
    place = Place(frame.enter(lesson.page), lesson)
    place.arrive()
    _Page(place).show()


@dataclass(frozen=True)
class _Page:
    place: Place

    @property
    def session(self) -> Session:
        return self.place.session

    @property
    def lesson(self) -> Lesson:
        return self.place.lesson

    # the board

    def show(self) -> None:
        left, right = st.columns(2, gap="medium")
        with right:
            st.fragment(self._sheet, key="lesson")()
        with left, st.container(key="lesson_board"):
            st.fragment(self._board, key="board")()

    def changed(self) -> None:
        """Everything follows a button, a choice or a step; the numbers are a part of the lesson. What moved has moved."""
        self.place.memory["play"] = None
        self._everything()

    @staticmethod
    def _everything() -> None:
        st.rerun(["board", "lesson"])

    def _on_board(self) -> None:
        session = self.session
        if session.receive(st.session_state["board"].event):
            st.rerun()
        if not session.moving:
            self.changed()
        st.rerun(["board", "numbers"] if self.place.memory.get("numbers") else ["board"])

    def _board(self) -> None:
        step, session = self.place.step, self.session
        session.machine = self.lesson.machine
        with st.container(key="beside"):
            drawn = self._drawn(step)
            self.place.watches(drawn.get("film"))
            data = board_of(session, self.lesson.machine(session.lab)) | {"hint": None, "lesson": True}
            data["lane"] = drag_socket.lane(session.boot)
            if "lines" in drawn:  # not those of the machine, which the figures are of
                data["caption"]["lines"] = data["caption"]["lines"][:1]
            board(data | drawn, key="board", on_event=self._on_board)

    def _drawn(self, step: Step | None) -> Data:
        """What the step adds to the board: a message where that fails."""
        if step is None:
            self.session.lane = None
            return {}
        self.session.lane, self.session.machine = self.place.lane(step), self.lesson.machine
        try:
            drawn = draws(step, self.place.stage(step))
        except Exception as error:
            return {"message": {"tone": "warn", "text": words.told(unexpected_errors.told(error))}}
        play = self.place.memory.get("play")
        return drawn | ({"play": play} if play and "space" not in play else {})

    # the sheet

    def _sheet(self) -> None:
        step, steps = self.place.step, self.lesson.steps
        self.place.memory["numbers"] = False
        at = CHECK if step is None else step.key
        keys = [*(s.key for s in steps), CHECK]
        with st.container(key="sheet", gap=None):
            waits = st.container(key="waits")
            done = self.session.answers
            marks = [Mark(s.key, _(s.title), done.get(self.place.name(s), Answer()).shown) for s in steps]
            strip(
                [*marks, Mark(CHECK, _(self.lesson.last))],
                at,
                self._go,
                self.place.answer.shown,
                self.session.projector,
            )
            with unexpected_errors.caught():
                if step is None and self.lesson.end is not None:
                    self._end(self.lesson.end, self.lesson.steps[-1])
                elif step is None:
                    self._check()
                else:
                    self._step(step, self.place.stage(step), waits)
            self._foot(step, keys, keys.index(at))

    def _go(self, to: str) -> None:
        if to == CHECK or self.lesson.step(to):
            self.session.steps[self.lesson.page] = to
            self.session.note(None)  # it was about what is left
            self.place.arrive()
            self.changed()

    def _check(self) -> None:
        with st.container(key="checked", height="stretch"):
            st.markdown(_("The statements of this lesson, each checked on the points that are on the board now."))
            statement_cards.show(self.session, self.lesson.checked, self.changed)

    def _end(self, end: End, last: Step) -> None:
        stage, marks = self.place.stage(last), Marks(self.lesson.page)
        lacking = last.lacks(stage)
        with st.container(key="checked", height="stretch"):
            if lacking is not None:
                sheet.lacking(last, lacking, marks, lambda: self._put(last, False))
                return
            hands = hands_of(self.place, last, stage, self._everything)
            for i, part in enumerate(end.parts(stage)):
                sheet.show(part, f"end{i}", last, hands, marks)
            for page, words_ in end.onward:
                st.page_link(frame.pages()[page], label=_(words_), icon=":material/arrow_forward:")

    def _step(self, step: Step, stage: Stage, waits: DeltaGenerator) -> None:
        hands, marks = hands_of(self.place, step, stage, self._everything), Marks(self.lesson.page)
        if step is self.lesson.steps[0] and not stage.shown:
            with st.container(key="intro", gap=None):
                st.markdown(marks.markdown(_(self.lesson.intro)))
        with st.container(key="ask", gap=None):
            st.markdown(marks.markdown(_(step.question)))
        lacking = step.lacks(stage)
        if lacking is not None:
            sheet.lacking(step, lacking, marks, lambda: self._put(step, False))
            return
        if not stage.shown:
            self._whose(step)
            sheet.choices(step, stage, hands)
        before = self.session.job
        done = before is None or not before.running
        if stage.shown:
            with unexpected_errors.caught():
                self._verdict(step, stage, marks, hands)
        self.place.memory["numbers"] = True
        st.fragment(self._numbers, key="numbers")(step, frozenset(marks.seen))
        if stage.shown:
            watched: Job | None = None
            if step.picks:
                sheet.picks(step.picks, stage, hands)
            with st.container(key="chart", height="stretch"), unexpected_errors.caught():
                playing = self.place.memory.get("play")
                if not playing or "film" in playing or "space" in playing:
                    rise = playing["id"] if playing and "space" in playing else None
                    watched = sheet.picture(step, stage, marks, hands, step.chart, rise)
            with unexpected_errors.caught(), suppress(Working):
                sheet.says(step, stage, marks)
            if step.tries:
                sheet.tries(step, hands)
            job = self.session.job
            if job is not None and not (done and job is before) and job is not watched:
                with waits:  # where it stands whatever else is there: it is the same line in the next run
                    sheet.awaited(job, hands)

    def _verdict(self, step: Step, stage: Stage, marks: Marks, hands: Hands) -> None:
        """What happens, or that it is still being worked on."""
        try:
            sheet.verdict(step, stage, marks, hands)
        except Working:
            st.caption(_("Measuring ..."))

    def _numbers(self, step: Step, seen: frozenset[str]) -> None:
        marks = Marks(self.lesson.page, seen)
        stage = self.place.stage(step)
        with unexpected_errors.caught(), suppress(Working):
            sheet.numbers(step.numbers(stage) if step.lacks(stage) is None else (), marks)

    def _whose(self, step: Step) -> None:
        """Whose points these are, where they are not the person's own as they were; who has placed none need not know."""
        if self.session.on is None or self.place.newcomer:
            return
        wanting = self.place.wanting(step)
        why = _(wanting.why) if wanting else ""
        mine = self.session.lab.points == self.session.own.present.points
        said = _(sheet.FITTED if mine else sheet.LENT).format(why=why).strip()
        with st.container(horizontal=True, gap="small", key="whose", vertical_alignment="center"):
            st.caption(said, width="stretch")
            if not mine and self.session.own.present.points:
                mark = f"{step.key}_mine"
                st.button(_("Use my points"), key=mark, on_click=self._put, args=(step, True), type="tertiary")

    def _put(self, step: Step, mine: bool) -> None:
        with self.session.guarded():
            self.session.stand(self.place.name(step), self.place.fitted(step) if mine else step.board())
        self.changed()

    def _foot(self, step: Step | None, keys: list[str], at: int) -> None:
        with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
            titles = [*(s.title for s in self.lesson.steps), self.lesson.last]
            st.button(_("Back"), key="back", on_click=self._go, args=(keys[at - 1],), disabled=not at)
            if step is not None:
                following = _("Next: {title}").format(title=_(titles[at + 1]))
                shown = self.place.answer.shown
                st.button(following, key="next", on_click=self._go, args=(keys[at + 1],), type=_weight(shown))
                if shown:
                    self._more(step)

    def _more(self, step: Step) -> None:
        stage = self.place.stage(step)
        if step.lacks(stage) is not None:
            return
        with unexpected_errors.caught(), suppress(Working):
            parts: list[Part] = [*step.more(stage), letters.said(sheet.formula(step, stage), own=step.letters)]
            marks, hands = Marks(self.lesson.page), hands_of(self.place, step, stage, self._everything)
            of_task = stage.lab.task != BINARY
            if any(parts) or of_task:
                with st.popover(_("More"), key="more"):
                    for i, part in enumerate(part for part in parts if part):
                        sheet.show(part, f"{step.key}_more{i}", step, hands, marks)
                    if of_task:
                        tasks.show(self.session, self._everything)


def _weight(main: bool) -> Literal["primary", "secondary"]:
    """How a button looks: as the main one, or as one of several."""
    return "primary" if main else "secondary"
