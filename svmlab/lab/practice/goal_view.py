"""A task that is reached on a board: what it asks, what holds on the board, and its hints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from svmlab.lab.bench import widgets
from svmlab.lab.board.hidden_parts import without_hidden
from svmlab.lab.board.payload import Data
from svmlab.lab.frame import kept
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import tasks
from svmlab.lab.practice.parts import mark, show_hints, usual_notation
from svmlab.lab.practice.tasks import BoardTask
from svmlab.lab.practice.work import Work, work_on
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.tab import Session
from svmlab.lab.words import _
from svmlab.practice import Board

FINDINGS = "findings"  # the fragment that says what holds on the board


@dataclass(frozen=True)
class GoalView:
    """A goal that is played on a lent board of this name. changed: draws the page anew.

    hides_verdict: whether nothing says yet what holds on the board. offers_solution: whether a solution can be shown,
    which is not so in a task of a room.
    """

    session: Session
    board_task: BoardTask
    board_name: str
    changed: Callable[[], None]
    hides_verdict: bool = False
    offers_solution: bool = True

    @property
    def work(self) -> Work:
        """Return what was done on it on this board."""
        return work_on(f"{self.board_name}.{self.board_task.name}")

    def on_board(self, data: Data) -> Data:
        """Return the data of the board without what the goal hides or holds."""
        return without_hidden(data | ({"sliders": []} if self.board_task.keeps_settings else {}), self.board_task.hide)

    def lend_board(self) -> None:
        """Lend the board with which the goal starts."""
        self.session.show_board(self.board_name, tasks.lab_of(self.board_task.start), given=True)

    def show(self, marks: Marks) -> None:
        """Show what is asked, what holds on the board, and the hints and the solution that are open."""
        board_task = self.board_task
        self.show_task(marks)
        with unexpected_errors.showing_errors():
            st.fragment(self._show_findings, key=FINDINGS)()
        show_hints(self.session, self.work, board_task.hints, marks)
        if self.work.revealed and board_task.solution:
            for line in board_task.solution:
                st.markdown(marks.markdown(_(line)))

    def show_task(self, marks: Marks) -> None:
        """Show what is asked."""
        board_task = self.board_task
        with st.container(key="ask", gap=None):
            if board_task.situation:
                st.markdown(marks.markdown(_(board_task.situation)))
            st.markdown(marks.markdown(f"**{_(board_task.aim)}**"))
            if board_task.rules:
                st.markdown(marks.markdown(_(board_task.rules)))

    def _show_findings(self) -> None:
        """Show for each condition whether it holds, and how far the board is from it."""
        session, board_task, work = self.session, self.board_task, self.work
        outcome = session.outcome if session.lab.points else None
        findings = tasks.findings_on(session.lab, board_task, outcome.solution if outcome else None)
        is_solved = all(finding.met for finding in findings)
        if work.reached is not None or session.is_changed:  # a board that nobody has touched is no answer
            work.reached = is_solved and not work.revealed
        with usual_notation(), st.container(key="judged", gap=None):
            if self.hides_verdict:
                st.caption(_("The board is judged when you ask for the result."))
                return
            said = set[str]()
            for finding in findings:
                if finding.sentence not in said and not (finding.is_rule and finding.met):
                    st.markdown(f"{mark(finding.met)} {_(finding.sentence)}")
                said.add(finding.sentence)
            if is_solved:
                with st.container(key="verdict", gap=None):
                    st.markdown(self._praise())
        if is_solved and not session.moving and not work.revealed:
            work.solved = True
            kept.record(self.solved_result)

    @property
    def solved_result(self) -> kept.Result:
        """Return what the browser keeps when the goal is reached."""
        board_task = self.board_task
        return kept.Result(
            board_task.progress_key,
            board_task.version,
            True,
            f"{self.session.boot}.{self.board_name}.{board_task.name}",
        )

    def _praise(self) -> str:
        board_task, changes = self.board_task, self._changes
        if self.work.revealed:
            return _("**This is the solution** that you have opened. Start again and find your own board.")
        if board_task.is_question:
            return _("**The board is a right answer.** Changed points: {n}.").format(n=changes)
        if board_task.fewest is None:
            return _("★ **The goal is reached.** Changed points: {n}.").format(n=changes)
        if changes <= board_task.fewest:
            text = _("★★ **The goal is reached.** Changed points: {n}.").format(n=changes)
            return text + " " + _("The second star is for the fewest changes.")
        text = _("★ **The goal is reached.** Changed points: {n}.").format(n=changes)
        return text + " " + _("You get a second star if you change at most {n}.").format(n=board_task.fewest)

    @property
    def _changes(self) -> int:
        before = {point.id: point for point in tasks.lab_of(self.board_task.start).points}
        current = {point.id: point for point in self.session.lab.points}
        return sum(before.get(id_) != current.get(id_) for id_ in before.keys() | current.keys())

    def show_buttons(self) -> None:
        """Show the buttons of the board: start again, the settings if they are free, and the next hint."""
        work, board_task = self.work, self.board_task
        st.button(_("Start again"), key="start_again", on_click=self._put, args=(None,))
        if not board_task.keeps_settings:
            with st.popover(_("Settings"), key="settings"):
                self._show_settings()
        if work.hints < len(board_task.hints):
            label = _("Hint {n} of {m}").format(n=work.hints + 1, m=len(board_task.hints))
            st.button(label, key="hint", on_click=self._hint)
        elif board_task.witness is not None and not self.hides_verdict and self.offers_solution:
            st.button(_("Show a solution"), key="reveal", on_click=self._put, args=(board_task.witness,))

    def _show_settings(self) -> None:
        """Show the settings of the board without those that the goal hides."""
        session, asked = self.session, self.session.link
        session.link = replace(asked, hidden=tuple(dict.fromkeys((*asked.hidden, *self.board_task.hide))))
        try:
            widgets.controls(session, self.changed)
        finally:
            session.link = asked

    def _hint(self) -> None:
        self.work.hints += 1
        self.changed()

    def _put(self, board: Board | Any) -> None:
        """Put the start, or the solution, on the lent board."""
        with self.session.showing_errors():
            self.session.show_board(self.board_name, tasks.lab_of(board or self.board_task.start), given=board is None)
        self.work.revealed, self.work.reached = board is not None, None
        self.changed()
