"""A lesson as a page: the board on the left and the open step on the right, on one screen.

A step asks a question, lets the person choose what they expect, shows the answer, and explains it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from svmlab.lab import frame, words
from svmlab.lab.bench import tasks
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.payload import Data
from svmlab.lab.cards import statement_cards
from svmlab.lab.glossary import letters
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.tab import Answer, Session
from svmlab.lab.session.worker import Job
from svmlab.lab.teach import sheet
from svmlab.lab.teach.actions import Actions, actions_of
from svmlab.lab.teach.lesson_state import LessonState, overlay_of
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import SUMMARY, End, Lesson, Part, Step
from svmlab.lab.teach.strip import Fold, Mark, strip
from svmlab.lab.words import _


def run(lesson: Lesson) -> None:
    """Run the whole page of a lesson."""
    state = LessonState(frame.enter_page(lesson.page), lesson)
    state.prepare_board()
    _Page(state).show()


@dataclass(frozen=True)
class _Page:
    state: LessonState

    @property
    def session(self) -> Session:
        return self.state.session

    @property
    def lesson(self) -> Lesson:
        return self.state.lesson

    # the board

    def show(self) -> None:
        left, right = st.columns(2, gap="medium")
        with right:
            st.fragment(self._sheet, key="lesson")()
        with left, st.container(key="lesson_board"):
            st.fragment(self._board, key="board")()

    def changed(self) -> None:
        """Draw the whole page again after a button, a choice or a step. The numbers are a part of the sheet.

        An animation that was playing has ended.
        """
        self.state.memory["play"] = None
        self._rerun()

    @staticmethod
    def _rerun() -> None:
        st.rerun(["board", "lesson"])

    def _on_board(self) -> None:
        session = self.session
        if session.receive(st.session_state["board"].event):
            st.rerun()
        if not session.moving:
            self.changed()
        st.rerun(["board", "numbers"] if self.state.memory.get("numbers") else ["board"])

    def _board(self) -> None:
        step, session = self.state.step, self.session
        session.lab_to_draw = self.lesson.lab_to_draw
        with st.container(key="beside"):
            drawn = self._drawn(step)
            self.state.watches(drawn.get("film"))
            data = board_data(session, self.lesson.lab_to_draw(session.lab)) | {"hint": None, "lesson": True}
            data["socket"] = drag_socket.socket_address(session.boot)
            if "lines" in drawn:  # the key figures belong to the SVM, and the step draws other lines
                data["caption"]["lines"] = data["caption"]["lines"][:1]
            display(data | drawn, key="board", on_event=self._on_board)

    def _drawn(self, step: Step | None) -> Data:
        """Return what the step adds to the board, or a message if that fails."""
        if step is None:
            self.session.step_overlay = None
            return {}
        self.session.step_overlay, self.session.lab_to_draw = self.state.step_overlay(step), self.lesson.lab_to_draw
        try:
            drawn = overlay_of(step, self.state.stage(step))
        except Exception as error:
            return {"message": {"tone": "warn", "text": words.message_of(unexpected_errors.to_svm_error(error))}}
        play = self.state.memory.get("play")
        return drawn | ({"play": play} if play and "space" not in play else {})

    # the sheet

    def _sheet(self) -> None:
        step, at, steps = self.state.step, self.state.open_key, self.state.steps_in_sight
        self.state.memory["numbers"] = False
        with st.container(key="sheet", gap=None):
            waits = st.container(key="waits")
            done = self.session.answers
            marks = [
                Mark(s.key, _(s.title), done.get(self.state.step_name(s), Answer()).shown, s.deeper) for s in steps
            ]
            marks += [Mark(key, _(title)) for key, title in self.lesson.last_pages.items()]
            strip(marks, at, self._open_step, self.state.answer.shown, self.session.projector, self._fold())
            with unexpected_errors.showing_errors():
                if step is not None:
                    self._step(step, self.state.stage(step), waits)
                elif self.lesson.end is not None:
                    self._end(self.lesson.end, self.lesson.steps[-1])
                elif at == SUMMARY:
                    self._summary()
                else:
                    self._check()
            self._foot(step, {mark.key: mark.title for mark in marks}, at)

    def _fold(self) -> Fold | None:
        """Return the button of the strip that unfolds the steps that go deeper, or folds them away."""
        steps, step = self.state.deeper_steps, self.state.step
        if not steps or (step is not None and step.deeper):
            return None
        if self.state.is_unfolded:
            return Fold("−", _("Show the core path only"), self._unfold)
        return Fold(f"+{len(steps)}", _("Show the steps that go deeper as well"), self._unfold)

    def _unfold(self) -> None:
        self.state.memory["deeper"] = not self.state.is_unfolded
        self.changed()

    def _open_step(self, to: str) -> None:
        if to in self.lesson.last_pages or self.lesson.step(to):
            self.session.open_steps[self.lesson.page] = to
            self.session.note(None)  # the note was about the step that is left
            self.state.prepare_board()
            self.changed()

    def _check(self) -> None:
        with st.container(key="checked", height="stretch"):
            st.markdown(_("The statements of this lesson, each checked on the points that are on the board now."))
            statement_cards.show(self.session, self.lesson.statement_ids, self.changed)

    def _summary(self) -> None:
        marks = Marks(self.lesson.page)
        with st.container(key="checked", height="stretch"):
            for line in self.lesson.summary:
                st.markdown(marks.markdown(_(line)))
            hidden = [step for step in self.state.deeper_steps if not self.state.is_unfolded]
            if hidden:
                st.markdown(_("These steps go deeper:"))
                with st.container(horizontal=True, gap="small", key="deeper"):
                    for step in hidden:
                        key = f"{step.key}_deeper"
                        st.button(_(step.title), key=key, on_click=self._open_step, args=(step.key,))

    def _end(self, end: End, last: Step) -> None:
        stage, marks = self.state.stage(last), Marks(self.lesson.page)
        unmet_need = last.first_unmet_need(stage)
        with st.container(key="checked", height="stretch"):
            if unmet_need is not None:
                sheet.lacking(last, unmet_need, marks, lambda: self._put(last, False))
                return
            actions = actions_of(self.state, last, stage, self._rerun)
            for i, part in enumerate(end.parts(stage)):
                sheet.show(part, f"end{i}", last, actions, marks)
            for page, words_ in end.onward:
                st.page_link(frame.pages()[page], label=_(words_), icon=":material/arrow_forward:")

    def _step(self, step: Step, stage: Stage, waits: DeltaGenerator) -> None:
        actions, marks = actions_of(self.state, step, stage, self._rerun), Marks(self.lesson.page)
        if step is self.lesson.steps[0] and not stage.shown:
            with st.container(key="intro", gap=None):
                st.markdown(marks.markdown(self._intro()))
        with st.container(key="ask", gap=None):
            if not stage.shown:
                with unexpected_errors.showing_errors():
                    self._show_situation(step, stage, marks)
            question = _(step.question)
            st.markdown(marks.markdown(f"**{question}**" if step.situation else question))
        unmet_need = step.first_unmet_need(stage)
        if unmet_need is not None:
            sheet.lacking(step, unmet_need, marks, lambda: self._put(step, False))
            return
        if not stage.shown:
            self._say_whose_points(step)
            sheet.choices(step, stage, actions)
        earlier_job = self.session.job
        was_idle = earlier_job is None or not earlier_job.running
        if stage.shown:
            with unexpected_errors.showing_errors():
                self._verdict(step, stage, marks, actions)
        self.state.memory["numbers"] = True
        st.fragment(self._numbers, key="numbers")(step, frozenset(marks.linked_terms))
        if stage.shown:
            watched: Job | None = None
            if beside_chart := tuple(pick for pick in step.picks if not pick.in_more):
                sheet.picks(beside_chart, stage, actions)
            with st.container(key="chart", height="stretch"), unexpected_errors.showing_errors():
                playing = self.state.memory.get("play")
                if not playing or "film" in playing or "space" in playing:
                    animation = playing["id"] if playing and "space" in playing else None
                    watched = sheet.picture(step, stage, marks, actions, step.chart, animation)
            with unexpected_errors.showing_errors(), suppress(Working):
                sheet.says(step, stage, marks)
            if step.tries:
                sheet.tries(step, actions)
            job = self.session.job
            if job is not None and not (was_idle and job is earlier_job) and job is not watched:
                with waits:  # a fixed place, so that the next run finds the same progress line
                    sheet.awaited(job, actions)

    def _intro(self) -> str:
        """Return what the reader will be able to do, what the lesson builds on, and how long it takes."""
        minutes = _("It takes about {n} minutes.").format(n=self.lesson.minutes) if self.lesson.minutes else ""
        return f"{_(self.lesson.intro)} {minutes}".strip()

    @staticmethod
    def _show_situation(step: Step, stage: Stage, marks: Marks) -> None:
        """Show the words about the board, and nothing where the board does not meet the needs of the step."""
        try:
            meets_needs = step.first_unmet_need(stage) is None
        except Exception:  # it is checked again after the question, and shown there
            return
        if meets_needs and (situation := step.situation_text(stage)):
            st.markdown(marks.markdown(situation))

    def _verdict(self, step: Step, stage: Stage, marks: Marks, actions: Actions) -> None:
        """Show the verdict, or a caption while its result is still being computed."""
        try:
            sheet.verdict(step, stage, marks, actions)
        except Working:
            st.caption(_("Measuring ..."))

    def _numbers(self, step: Step, linked_terms: frozenset[str]) -> None:
        marks = Marks(self.lesson.page, linked_terms)
        stage = self.state.stage(step)
        with unexpected_errors.showing_errors(), suppress(Working):
            sheet.numbers(step.readings(stage) if step.first_unmet_need(stage) is None else (), marks)

    def _say_whose_points(self, step: Step) -> None:
        """Say whose points these are, if they are not the person's own unchanged board.

        Nothing is said to a person who has placed no points.
        """
        if self.session.board_key is None or self.state.has_initial_points:
            return
        unmet_need = self.state.unmet_need_of_own(step)
        why = _(unmet_need.why) if unmet_need else ""
        mine = self.session.lab.points == self.session.own_history.present.points
        text = _(sheet.FITTED if mine else sheet.LENT).format(why=why).strip()
        with st.container(horizontal=True, gap="small", key="whose", vertical_alignment="center"):
            st.caption(text, width="stretch")
            if not mine and self.session.own_history.present.points:
                mark = f"{step.key}_mine"
                st.button(_("Use my points"), key=mark, on_click=self._put, args=(step, True), type="tertiary")

    def _put(self, step: Step, mine: bool) -> None:
        with self.session.showing_errors():
            self.session.show_board(self.state.step_name(step), self.state.fitted(step) if mine else step.board())
        self.changed()

    def _foot(self, step: Step | None, titles: dict[str, str], at: str) -> None:
        keys = list(titles)
        here = keys.index(at)
        with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
            st.button(_("Back"), key="back", on_click=self._open_step, args=(keys[here - 1],), disabled=not here)
            shown = step is not None and self.state.answer.shown
            if here + 1 < len(keys):
                following = _("Next: {title}").format(title=titles[keys[here + 1]])
                kind = _weight(shown or step is None)
                st.button(following, key="next", on_click=self._open_step, args=(keys[here + 1],), type=kind)
            if step is not None and shown:
                self._after_answer(step)

    def _after_answer(self, step: Step) -> None:
        """Show what belongs to the answer: the way back to the question, and what is folded away."""
        stage = self.state.stage(step)
        if step.first_unmet_need(stage) is not None:
            return
        marks, actions = Marks(self.lesson.page), actions_of(self.state, step, stage, self._rerun)
        sheet.ask_again(step, actions)
        with unexpected_errors.showing_errors(), suppress(Working):
            parts: list[Part] = [step.situation_text(stage), *step.more_parts(stage)]
            parts.append(letters.letters_line(step.formula_tex(stage), own=step.letters))
            of_task = stage.lab.task != BINARY
            folded_picks = tuple(pick for pick in step.picks if pick.in_more)
            if any(parts) or of_task or folded_picks:
                with st.popover(_("More"), key="more"):
                    if folded_picks:
                        sheet.picks(folded_picks, stage, actions, "more_picks")
                    for i, part in enumerate(part for part in parts if part):
                        sheet.show(part, f"{step.key}_more{i}", step, actions, marks)
                    if of_task:
                        tasks.show(self.session, self._rerun)


def _weight(is_main: bool) -> Literal["primary", "secondary"]:
    """Return the style of a button: the main one or one of several."""
    return "primary" if is_main else "secondary"
