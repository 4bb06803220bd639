"""The lab: place points, pick a machine, see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab import frame
from svmlab.lab.bench import compare, held_out_words, panel, tabs, widgets
from svmlab.lab.board import board_data, display, drag_socket, held_out_data, second_board_data
from svmlab.lab.session import c_and_lambda, held_out, unexpected_errors
from svmlab.lab.session import compare as machine
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Session

PAIR = [4.0, 1.0]  # boards and controls; in front of a class the stylesheet says
BELOW = {True: 92, False: 150}  # pixels, of type of 16, that a pair keeps free under it, by whether it is projected
LINE = 28  # and for the line on points that are held out


def show(session: Session) -> None:
    """The whole page."""
    session.show_board(None)
    _Page(session, session.lab.second is not None).show()


@dataclass(frozen=True)
class _Page:
    """Three parts that run by themselves: the board with its figures, the controls, and what opens under the board.

    The figures stand in a place of their own and are drawn by the board's part: then what is done on the board is
    answered in one run of the page, which a callback that asks for other parts would break off and begin again. Where
    two boards are compared, their figures stand in a table under them, and the selected point where the figures were.
    """

    session: Session
    pair: bool  # whether two boards are shown

    def show(self) -> None:
        projector = self.session.projector
        frame.title("lab", seen=False)
        left, right = st.columns(PAIR if self.pair else [1.06, 1], gap="medium")
        with right, st.container(key="bench"):
            if not projector:
                st.fragment(self._controls, key="controls")()
            figures = st.container(key="figures")
            if projector:  # one screen: the board has all of its height
                st.fragment(self._more, key="more")()
        with left, st.container(key="bench_board"):
            st.fragment(self._board, key="board")(figures)
        if not projector:
            st.fragment(self._more, key="more")()

    def _on_board(self) -> None:
        """A message from the board: picture and figures follow at once, the rest when a drag has ended."""
        session = self.session
        before, drag, offer = session.lab, session.history.before_drag is not None, session.offer
        if session.receive(st.session_state["board"].event):
            st.rerun()
        scopes = ["board"]
        changed = drag or session.lab != before or session.offer is not offer
        if session.history.before_drag is not None and not drag and st.session_state.get("tab") == "errors":
            scopes.append("more")  # what it shows is no longer true
        if session.history.before_drag is None and changed:  # not while something is being dragged
            settings = _controlled(session) != session.controlled
            if settings and not session.projector:
                scopes.append("controls")
            emptied = bool(session.lab.points) != bool(before.points)
            if st.session_state.get("tab") in tabs.TABS or emptied or (settings and session.projector):
                scopes.append("more")
        if scopes != ["board"] or self._other:
            self._again(scopes)

    def _on_control(self) -> None:
        """A control has changed the Lab."""
        self._again(["board", "more", *([] if self.session.projector else ["controls"])])

    @property
    def _other(self) -> bool:
        """Whether a second board has come or gone."""
        return (self.session.lab.second is not None) != self.pair

    def _again(self, scopes: list[str]) -> None:
        """Run these parts again, or all of the page."""
        if self._other:
            st.rerun()
        st.rerun(scopes)

    def _board(self, figures: DeltaGenerator) -> None:
        data = (
            board_data(self.session)
            | held_out_data(self.session)
            | {"lane": drag_socket.socket_address(self.session.boot)}
        )
        if self.pair:
            said = LINE if self.session.lab.unseen else 0
            data |= second_board_data(self.session) | {"below": BELOW[self.session.projector] + said}
        display(data, key="board", on_event=self._on_board)
        if self.pair:
            self._both()
        with figures:
            if self.pair:
                self._point()
            else:
                self._figures()

    def _controls(self) -> None:
        with st.container(key="machine"):
            if self.pair:
                compare.head(self.session, self._on_control)
            widgets.controls(self.session, self._on_control)
            if self.pair:
                compare.pair_buttons(self.session, self._on_control)
        self.session.controlled = _controlled(self.session)  # last: a run that was broken off has not shown it

    def _both(self) -> None:
        """Key figures of both boards."""
        lab, solve = self.session.lab, self.session.solve
        with unexpected_errors.showing_errors():
            outcomes = (
                solve(lab) if lab.points else None,
                solve(lab.second_lab) if lab.points and lab.second_lab else None,
            )
            a, b = (outcome.solution if outcome else None for outcome in outcomes)
            found = self._held(lab, a), self._held(lab.second_lab or lab, b)
            st.html(compare.figures(lab, outcomes, found) + held_out_words.explanation(lab, found[0] or found[1]))

    def _held(self, lab: Lab, solution: Solution | None) -> HeldOut | None:
        return held_out.cached_held_out(self.session.cache, lab, solution)

    def _point(self) -> None:
        """The function and the selected point, by the machine that the controls change."""
        lab = self.session.lab.active_lab
        with unexpected_errors.showing_errors():
            outcome = self.session.solve(lab) if lab.points else None
            solution = outcome.solution if outcome else None
            st.html(panel.formula(lab, solution) + panel.inspector(lab, solution))

    def _figures(self) -> None:
        """Key figures and the selected point."""
        session = self.session
        with unexpected_errors.showing_errors():
            outcome = session.outcome
            solution = outcome.solution if outcome else None
            pinned = (
                (session.pinned_lab, session.pinned_solution)
                if session.pinned_lab and session.pinned_solution
                else None
            )
            found = self._held(session.lab, solution)
            ghost = self._held(replace(pinned[0], unseen=session.lab.unseen), pinned[1]) if pinned else None
            st.html(
                panel.figures(session.lab, solution, pinned, (found, ghost))
                + held_out_words.explanation(session.lab, found)
                + panel.formula(session.lab, solution)
                + panel.inspector(session.lab, solution)
            )

    def _more(self) -> None:
        tabs.show(self.session, self._on_control, self._controls if self.session.projector else None)


def _controlled(session: Session) -> tuple[Any, ...]:
    """What the controls show: of the Lab, of the price as C, and of a value that was cut to its limits."""
    lab = session.lab
    return (
        lab.undoable_settings,
        lab.active,
        lab.is_preset,
        lab.active_lab.C,
        c_and_lambda.cut(machine.history_of_active(session.history)),
    )
