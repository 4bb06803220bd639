"""A lesson as a page: the board on the left and the open step on the right, on one screen.

A step asks a question, lets the person choose what they expect, shows the answer, and explains it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from svmlab.core.rich_text import rich_text
from svmlab.lab import frame
from svmlab.lab.bench import table_dialog, tasks
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.board_picture import drawn_or_message
from svmlab.lab.board.payload import Data
from svmlab.lab.cards import statement_cards, statement_map
from svmlab.lab.frame import kept, unlimited_solve
from svmlab.lab.glossary import letters
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.room import hand_in, lecturer
from svmlab.lab.room.room import Stop
from svmlab.lab.session import inbox, unexpected_errors
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.link import ANSWERS, BOARD, QUESTIONS, STEP_ALONE
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job
from svmlab.lab.streamlit_internals import DeltaGenerator, rerun
from svmlab.lab.teach import handout, sheet
from svmlab.lab.teach.actions import Actions, actions_of
from svmlab.lab.teach.exercises import Exercises, ExercisesOf
from svmlab.lab.teach.open_lesson import OpenLesson, overlay_of
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import PRACTICE, SUMMARY, End, Lesson, Part, Step
from svmlab.lab.teach.strip import Fold, Mark, Requests, strip
from svmlab.lab.words import _


def run(lesson: Lesson, exercises_of: ExercisesOf) -> None:
    """Run the whole page of a lesson. exercises_of: returns the tasks at its end."""
    session = frame.enter_page(lesson.page)
    exercises = exercises_of(session, lesson.page, lambda: rerun("board", "lesson"))
    state = OpenLesson(session, lesson, exercises)
    if state.session.link.only in (QUESTIONS, ANSWERS):
        handout.show(state)
        return
    state.prepare_board()
    table_dialog.show(state.session)
    _Page(state).show()


@dataclass(frozen=True)
class _Page:
    state: OpenLesson

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
        self.state.memory.play = None
        self._rerun()

    @staticmethod
    def _rerun() -> None:
        rerun("board", "lesson")

    def _on_board(self) -> None:
        session = self.session
        if inbox.receive(session, st.session_state["board"].event):
            rerun()
        elif session.moving:
            exercises = self.state.open_exercises
            numbers = ["numbers"] if self.state.memory.has_numbers else []
            rerun("board", *(exercises.live_parts if exercises else numbers))
        else:
            self.changed()

    def _board(self) -> None:
        step, session, exercises = self.state.step, self.session, self.state.open_exercises
        if exercises is not None:
            self._board_of_exercises(exercises)
            return
        session.lessons.lab_to_draw = self.lesson.lab_to_draw
        with st.container(key="beside"):
            drawn = self._drawn(step)
            self.state.drop_frame_of_other_film(drawn.get("film"))
            data = board_data(session, added=self.state.additions(drawn)) | {"hint": None, "lesson": True}
            data["handout"] = True
            data["socket"] = drag_socket.socket_address(session.boot)
            if "lines" in drawn:  # the key figures belong to the SVM, and the step draws other lines
                data["caption"]["lines"] = data["caption"]["lines"][:1]
            if lines := lecturer.class_lines(session):
                data["overlay"] = [*(data.get("overlay") or ()), *lines]
            display(data, key="board", on_event=self._on_board)
            lecturer.publish_board(session, data)
            unlimited_solve.show_offer(session, self.lesson.lab_to_draw(session.lab), self.changed)

    def _board_of_exercises(self, exercises: Exercises) -> None:
        """Show the board of the open task, or only its buttons if the task has no board."""
        session = self.session
        session.lessons.step_overlay = session.lessons.lab_to_draw = None
        with st.container(key="beside"), st.container(key="task_board" if exercises.has_board else "no_board"):
            data = board_data(session) | {"hint": None, "lesson": True, "handout": True}
            data["socket"] = drag_socket.socket_address(session.boot)
            data = exercises.on_board(data)
            display(data, key="board", on_event=self._on_board)
            lecturer.publish_board(session, data if exercises.has_board else None)
            unlimited_solve.show_offer(session, session.lab, self.changed)

    def _drawn(self, step: Step | None) -> Data:
        """Return what the step adds to the board, or a message if that fails."""
        if step is None:
            self.session.lessons.step_overlay = None
            return {}
        self.session.lessons.step_overlay = self.state.step_overlay(step)
        drawn = drawn_or_message(lambda: overlay_of(step, self.state.stage(step)))
        play = self.state.memory.play
        return drawn | ({"play": play} if play and "space" not in play else {})

    # the sheet

    def _sheet(self) -> None:
        session, step, at, steps = self.session, self.state.step, self.state.open_key, self.state.steps_in_sight
        self.state.memory.has_numbers = False
        if self.session.link.only == BOARD:
            return
        with st.container(key="sheet", gap=None):
            waits = st.container(key="waits")
            done = self.session.lessons.answers
            shown = {s.key: done.get(self.state.step_name(s), Answer()).shown for s in steps}
            marks = [Mark(s.key, _(s.title), shown[s.key], s.deeper, self._asks(s, shown[s.key])) for s in steps]
            marks += [Mark(key, _(title), is_last_page=True) for key, title in self.lesson.last_pages.items()]
            alone = self.session.link.only == STEP_ALONE
            back, onward = (frame.lesson_beside(self.lesson.page, direction) is not None for direction in (-1, 1))
            strip(
                [mark for mark in marks if mark.key == at] if alone else marks,
                at,
                Requests(self._open_step, self._show_answer, self._turn),
                self.state.answer.shown,
                self.session.view.projector,
                None if alone else self._fold(),
                (back, onward),
            )
            with unexpected_errors.showing_errors():
                if step is not None:
                    self._step(step, self.state.stage(step), waits)
                elif (exercises := self.state.open_exercises) is not None:
                    exercises.show()
                elif self.lesson.end is not None:
                    self._end(self.lesson.end, self.lesson.steps[-1])
                elif at == SUMMARY:
                    self._summary()
                else:
                    self._check()
            self._foot(step, {mark.key: mark.title for mark in marks}, at)
            self.session.heading = next((mark.title for mark in marks if mark.key == at), "")
            if session.room is not None:
                with unexpected_errors.showing_errors():
                    self._publish(step, next(mark.title for mark in marks if mark.key == at))

    def _publish(self, step: Step | None, title: str) -> None:
        """Show the class this step: its question, and the right answer with its verdict once they are shown here."""
        address, board = frame.page_link(self.session), frame.page_link(self.session, BOARD)
        stop, right = Stop(self.state.open_name, title, link=address, board_link=board), None
        if step is not None:
            stage = self.state.stage(step)
            can_be_asked = step.first_unmet_need(stage) is None and not self.state.keeps_secret(step)
            choices = tuple(tuple(rich_text(_(each.text))) for each in step.choices) if can_be_asked else ()
            stop = replace(stop, question=tuple(rich_text(_(step.question))), choices=choices)
            with suppress(Working):  # it is published with the next run of the sheet
                if can_be_asked and stage.shown:
                    right, verdict = step.answer(stage), step.verdict_text(stage)
                    stop = replace(stop, verdict=tuple(rich_text(verdict)))
        asks = step is not None and bool(step.choices)
        lecturer.publish_stop(self.session, stop, right, board_alone=asks and right is None)

    def _fold(self) -> Fold | None:
        """Return the button of the strip that unfolds the steps that go deeper, or folds them away."""
        steps, step = self.state.deeper_steps, self.state.step
        if not steps or (step is not None and step.deeper):
            return None
        if self.state.is_unfolded:
            return Fold("−", _("Show the core path only"), self._unfold)
        return Fold(f"+{len(steps)}", _("Show the steps that go deeper as well"), self._unfold)

    def _unfold(self) -> None:
        self.state.memory.is_unfolded = not self.state.is_unfolded
        self.changed()

    def _open_step(self, to: str) -> None:
        if to in self.lesson.last_pages or self.lesson.step(to):
            self.session.lessons.open_steps[self.lesson.page] = to
            self.session.note(None)  # the note was about the step that is left
            self.state.prepare_board()
            self.changed()

    def _asks(self, step: Step, shown: bool) -> bool:
        """Return whether a clicker shows the answer to a step before it goes on. It can if the board meets its needs.

        Only the open step has its board already.
        """
        if shown or step is not self.state.step:
            return not shown
        with suppress(Exception):  # the sheet shows the error
            return step.first_unmet_need(self.state.stage(step)) is None
        return False

    def _show_answer(self) -> None:
        step = self.state.step
        if step is not None and self._asks(step, self.state.answer.shown):
            actions_of(self.state, step, self.state.stage(step), self._rerun).show(True)

    def _turn(self, direction: int) -> None:
        """Open the lesson after this one at its first step, or the one before it where it was left."""
        page = frame.lesson_beside(self.lesson.page, direction)
        if page is not None:
            if direction > 0:
                self.session.lessons.open_steps.pop(page, None)
            self._open_page(page)

    def _open_page(self, page: str) -> None:
        frame.turn_to(page)
        st.rerun()

    def _check(self) -> None:
        with st.container(key="checked", height="stretch"):
            st.markdown(_("The statements of this lesson, each checked on the points that are on the board now."))
            statement_cards.show(self.session, self.lesson.statement_ids, self.changed, self.lesson.steps_by_statement)

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
            if self.state.keeps_secret(last):
                sheet.secret(last, lambda: self._put(last, False))
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
        if self.state.answer.shown and not stage.shown:
            sheet.secret(step, lambda: self._put(step, False))
            return
        if not stage.shown:
            self._say_whose_points(step)
            sheet.choices(step, stage, actions)
        earlier_job = self.session.job
        was_idle = earlier_job is None or not earlier_job.running
        if stage.shown:
            with unexpected_errors.showing_errors():
                self._verdict(step, stage, marks, actions)
        self.state.memory.has_numbers = True
        st.fragment(self._numbers, key="numbers")(step, frozenset(marks.linked_terms))
        if step.placed_line is not None and (task := hand_in.task_of(self.session, self.session.step)) is not None:
            hand_in.show(self.session, task, lambda: judge_line(self.state, step, task))
        if stage.shown:
            watched: Job | None = None
            if beside_chart := tuple(pick for pick in step.picks if not pick.in_more):
                sheet.picks(beside_chart, stage, actions)
            with st.container(key="chart", height="stretch"), unexpected_errors.showing_errors():
                playing = self.state.memory.play
                if not playing or "film" in playing or "space" in playing:
                    animation = playing["id"] if playing and "space" in playing else None
                    watched = sheet.picture(step, stage, marks, actions, step.chart, animation)
                elif step.has_chart:
                    st.html('<div aria-hidden="true"></div>')  # keeps the place of the chart, so that no words move
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

    def _show_situation(self, step: Step, stage: Stage, marks: Marks) -> None:
        """Show the words about the board, and nothing where the board does not meet the needs of the step.

        Words that depend on a board with a secret are left out.
        """
        try:
            meets_needs = step.first_unmet_need(stage) is None
        except Exception:  # it is checked again after the question, and shown there
            return
        if not isinstance(step.situation, str) and self.state.keeps_secret(step):
            return
        if meets_needs and (situation := step.situation_text(stage)):
            st.markdown(marks.markdown(situation))

    def _verdict(self, step: Step, stage: Stage, marks: Marks, actions: Actions) -> None:
        """Show the verdict, or a caption while its result is still being computed.

        The browser keeps whether the answer was right.
        """
        try:
            sheet.verdict(step, stage, marks, actions)
            result = self.state.result(step, stage)
            if result is not None and result.right is not None:
                kept.record(kept.Result(self.state.step_name(step), step.version, result.right, result.stamp))
        except Working:
            st.caption(_("Measuring ..."))

    def _numbers(self, step: Step, linked_terms: frozenset[str]) -> None:
        marks = Marks(self.lesson.page, linked_terms)
        stage = self.state.stage(step)
        with unexpected_errors.showing_errors(), suppress(Working):
            known = step.first_unmet_need(stage) is None and not self.state.keeps_secret(step)
            sheet.numbers(step.readings(stage) if known else (), marks)

    def _say_whose_points(self, step: Step) -> None:
        """Say whose points these are, if they are not the person's own unchanged board.

        Nothing is said to a person who has placed no points.
        """
        unlent = self.session.boards.shown is None or self.state.has_initial_points
        if unlent or self.state.keeps_secret(step):
            return
        unmet_need = self.state.unmet_need_of_own(step)
        why = _(unmet_need.why) if unmet_need else ""
        mine = self.session.lab.points == self.session.boards.own.present.points
        text = _(sheet.FITTED if mine else sheet.LENT).format(why=why).strip()
        with st.container(horizontal=True, gap="small", key="whose", vertical_alignment="center"):
            st.caption(text, width="stretch")
            if not mine and self.session.boards.own.present.points:
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
            shown = step is not None and self.state.is_shown(step)
            if self.session.link.only == STEP_ALONE:
                if step is not None and shown:
                    self._after_answer(step)
                return
            st.button(_("Back"), key="back", on_click=self._open_step, args=(keys[here - 1],), disabled=not here)
            if here + 1 < len(keys):
                following = _("Next: {title}").format(title=titles[keys[here + 1]])
                kind = _weight(shown or (step is None and at != PRACTICE))
                st.button(following, key="next", on_click=self._open_step, args=(keys[here + 1],), type=kind)
            else:
                self._offer_next_lesson()
            if self.session.room is not None:
                self._for_class(step)
            if step is not None and shown:
                self._after_answer(step)

    def _offer_next_lesson(self) -> None:
        """Offer the lesson after this one, and after the last one the tasks of Practice."""
        page = frame.lesson_beside(self.lesson.page, 1) or next(iter(frame.GROUPS["Practice"]))
        if st.button(_("Next: {title}").format(title=_(frame.PAGES[page])), key="onward", type="primary"):
            self._open_page(page)

    def _for_class(self, step: Step | None) -> None:
        """Let the lecturer of a room set the step to the class, and hide the lines of the class again."""
        if step is not None and step.placed_line is not None:
            aim = _(step.situation_text(self.state.stage(step)))
            arguments = (self.session, _(step.title), aim)
            st.button(_("Set to the class"), key="set_to_class", on_click=lecturer.set_step, args=arguments)
        if self.session.class_work is not None:
            st.button(_("Hide the lines of the class"), key="hide_lines", on_click=self._hide_lines)

    def _hide_lines(self) -> None:
        self.session.class_work = None
        self.changed()

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
            if any(parts) or of_task or folded_picks or step.shows:
                with st.popover(_("More"), key="more"):
                    if folded_picks:
                        sheet.picks(folded_picks, stage, actions, "more_picks")
                    for i, part in enumerate(part for part in parts if part):
                        sheet.show(part, f"{step.key}_more{i}", step, actions, marks)
                    if step.shows:
                        shown = [statement_map.link_to(id) for id in step.shows]
                        st.html(statement_map.ways_html([(_("This step shows"), shown)]))
                    if of_task:
                        tasks.show(self.session, self._rerun)


def judge_line(state: OpenLesson, step: Step, task: tuple[str, str]) -> hand_in.Judged:
    """Return whether the line that was placed by hand separates the points of the task, and the line."""
    assert step.placed_line is not None
    stage = state.stage(step)
    line = step.placed_line(stage)
    is_kept = hand_in.has_task_points(state.session, task)
    return is_kept and line.margin(stage.data.X, stage.data.y) > 0, line.clipped(stage.lab.view)


def _weight(is_main: bool) -> Literal["primary", "secondary"]:
    """Return the style of a button: the main one or one of several."""
    return "primary" if is_main else "secondary"
