"""The page Lab: place points, choose an SVM, see the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab import frame
from svmlab.lab.bench import compare, confusion_table, held_out_words, panel, table_dialog, tabs, widgets
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.frame import page_scripts, unlimited_solve
from svmlab.lab.session import c_and_lambda, held_out, inbox, unexpected_errors
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import BOARD
from svmlab.lab.session.state import history_of_active
from svmlab.lab.session.svm_settings import A, B
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import DeltaGenerator, rerun

PAIR = [4.0, 1.0]  # the widths of boards and controls; in projector mode the style sheet sets them
# The pixels, at a font size of 16, that two boards keep free below them, with and without projector mode.
BELOW = {True: 92, False: 150}
LINE = 28  # further pixels for the line about test points


def show(session: Session) -> None:
    """Show the whole page."""
    session.show_board(None)
    table_dialog.show(session)
    _Page(session, session.lab.second is not None).show()


@dataclass(frozen=True)
class _Page:
    """Three fragments: the board with its figures, the controls, and the part that opens under the board.

    The figures have a container of their own and are drawn by the board's fragment. So an operation on the board is
    answered in one run of the page, which a callback that requests other fragments would break off and start again.
    If two boards are compared, their figures are in a table below them, and the selected point takes the place of the
    figures.
    """

    session: Session
    pair: bool  # whether two boards are shown

    def show(self) -> None:
        projector = self.session.view.projector
        frame.show_title("lab", seen=False)
        page_scripts.open_confusion_matrix_by_button()
        left, right = st.columns(PAIR if self.pair else [1.06, 1], gap="medium")
        with right, st.container(key="bench"):
            if self.pair:
                compare.narrow_column()
            if not projector:
                st.fragment(self._controls, key="controls")()
            figures = st.container(key="figures")
            if projector:  # a single screen, whose height the board uses completely
                st.fragment(self._more, key="more")()
        with left, st.container(key="bench_board"):
            st.fragment(self._board, key="board")(figures)
        if not projector:
            st.fragment(self._more, key="more")()

    def _on_board(self) -> None:
        """Handle a message from the board. Picture and figures follow at once, and the rest when a drag has ended."""
        session = self.session
        before, drag = session.lab, session.history.before_drag is not None
        if inbox.receive(session, st.session_state["board"].event):
            rerun()
            return
        scopes = ["board"]
        changed = drag or session.lab != before
        if session.history.before_drag is not None and not drag and st.session_state.get("tab") == "errors":
            scopes.append("more")  # the map is no longer valid
        if session.history.before_drag is None and changed:  # not while something is being dragged
            settings = _controlled(session) != session.view.controlled
            if settings and not session.view.projector:
                scopes.append("controls")
            emptied = bool(session.lab.points) != bool(before.points)
            if st.session_state.get("tab") in tabs.TABS or emptied or (settings and session.view.projector):
                scopes.append("more")
        if scopes != ["board"] or self._pair_changed:
            self._rerun(scopes)

    def _on_control(self) -> None:
        """Run the page again after a control has changed the Lab."""
        self._rerun(["board", "more", *([] if self.session.view.projector else ["controls"])])

    @property
    def _pair_changed(self) -> bool:
        """Return whether a second board has appeared or disappeared."""
        return (self.session.lab.second is not None) != self.pair

    def _rerun(self, scopes: list[str]) -> None:
        """Run these fragments again, or the whole page if a second board has appeared or disappeared."""
        rerun(*([] if self._pair_changed else scopes))

    def _board(self, figures: DeltaGenerator) -> None:
        data = board_data(self.session, added=Additions(test_points=True, second=self.pair))
        data["socket"] = drag_socket.socket_address(self.session.boot)
        if self._is_alone:
            data["spaceBelow"] = 0
        if self.pair:
            extra_space = LINE if self.session.lab.unseen else 0
            data["spaceBelow"] = BELOW[self.session.view.projector] + extra_space
        display(data, key="board", on_event=self._on_board)
        frame.publish_page(self.session, data)
        unlimited_solve.show_offer(self.session, self.session.lab, self._on_control)
        if self.pair:
            self._pair_figures()
        if self._is_alone:
            return
        with figures:
            if self.pair:
                self._point()
            else:
                self._figures()

    @property
    def _is_alone(self) -> bool:
        """Return whether the board is shown alone."""
        return self.session.link.only == BOARD

    def _controls(self) -> None:
        if self._is_alone:
            return
        with st.container(key="machine"):
            if self.pair:
                compare.active_control(self.session, self._on_control)
            widgets.controls(self.session, self._on_control)
            if self.pair:
                compare.pair_buttons(self.session, self._on_control)
        # At the end, because a run that was broken off has not shown the controls.
        self.session.view.controlled = _controlled(self.session)

    def _pair_figures(self) -> None:
        """Show the key figures of both boards."""
        lab, solve = self.session.lab, self.session.solve
        with unexpected_errors.showing_errors():
            outcomes = (
                solve(lab) if lab.points else None,
                solve(lab.second_lab) if lab.points and lab.second_lab else None,
            )
            a, b = (outcome.solution if outcome else None for outcome in outcomes)
            results = self._held_out_result(lab, a), self._held_out_result(lab.second_lab or lab, b)
            hidden = self.session.link.hidden
            st.html(
                compare.figures(lab, outcomes, results, hidden)
                + held_out_words.explanation(lab, results[0] or results[1])
                + confusion_table.of_key_figures(lab, {A: (a, results[0]), B: (b, results[1])})
            )

    def _held_out_result(self, lab: Lab, solution: Solution | None) -> HeldOut | None:
        return held_out.cached_held_out(self.session.cache, lab, solution)

    def _point(self) -> None:
        """Show the function f and the selected point for the SVM that the controls change."""
        lab = self.session.lab.active_lab
        with unexpected_errors.showing_errors():
            outcome = self.session.solve(lab) if lab.points else None
            solution = outcome.solution if outcome else None
            hidden = self.session.link.hidden
            st.html(panel.formula(lab, solution, hidden) + panel.axes(lab) + panel.inspector(lab, solution, hidden))

    def _figures(self) -> None:
        """Show the key figures and the selected point."""
        session = self.session
        with unexpected_errors.showing_errors():
            outcome = session.outcome
            solution = outcome.solution if outcome else None
            pinned = (
                (session.boards.pinned, session.pinned_solution)
                if session.boards.pinned and session.pinned_solution
                else None
            )
            result = self._held_out_result(session.lab, solution)
            ghost = self._held_out_result(replace(pinned[0], unseen=session.lab.unseen), pinned[1]) if pinned else None
            st.html(
                panel.figures(session.lab, solution, pinned, (result, ghost), session.link.hidden)
                + confusion_table.of_key_figures(session.lab, {"": (solution, result)})
                + held_out_words.explanation(session.lab, result)
                + panel.formula(session.lab, solution, session.link.hidden)
                + panel.axes(session.lab)
                + panel.inspector(session.lab, solution, session.link.hidden)
            )

    def _more(self) -> None:
        if self._is_alone:
            return
        tabs.show(self.session, self._on_control, self._controls if self.session.view.projector else None)


def _controlled(session: Session) -> tuple[Any, ...]:
    """Return everything that the controls show: the settings, C, and a value that was clipped to its limits."""
    lab = session.lab
    return (
        lab.undoable_settings,
        lab.active,
        lab.is_preset,
        lab.active_lab.C,
        c_and_lambda.value_before_clipping(history_of_active(session.history)),
    )
