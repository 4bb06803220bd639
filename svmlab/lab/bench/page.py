"""The lab: place points, pick a machine, see it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

import streamlit as st

from svmlab.lab import text
from svmlab.lab.bench import panel, tabs, widgets
from svmlab.lab.board import board, board_of, live
from svmlab.lab.session import mishap
from svmlab.lab.session.tab import Session


def show(session: Session) -> None:
    """The whole page."""
    _Page(session).show()


@dataclass(frozen=True)
class _Page:
    """Four parts that run by themselves: the board, the controls, the figures, and what opens under the board."""

    session: Session

    def show(self) -> None:
        projector = self.session.lab.projector
        if projector:
            st.html('<div class="sv-projector"></div>')
        left, right = st.columns([1.5, 1] if projector else [1.06, 1], gap="medium")
        with right:
            with st.popover(text.CONTROLS, width="stretch") if projector else nullcontext():
                st.fragment(self._controls, key="controls")()
            st.fragment(self._figures, key="figures")()
        with left:
            st.fragment(self._board, key="board")()
        if not projector:
            st.fragment(self._more, key="more")()

    def _on_board(self) -> None:
        """A message from the board: picture and figures follow at once, the rest when a drag has ended."""
        session = self.session
        before, drag, offer = session.lab, session.history.held is not None, session.offer
        session.receive(st.session_state["board"].event)
        if session.lab.projector != before.projector:
            st.rerun()
        scopes = ["board", "figures"]
        changed = drag or session.lab != before or session.offer is not offer
        if session.history.held is None and changed:  # not while something is being dragged
            if drag or session.lab.settings != before.settings or session.lab.is_preset != before.is_preset:
                scopes.append("controls")
            if st.session_state.get("tab") and not session.lab.projector:
                scopes.append("more")
        st.rerun(scopes)

    def _on_control(self) -> None:
        """A control has changed the Lab."""
        st.rerun(["board", "figures", "controls", *([] if self.session.lab.projector else ["more"])])

    def _board(self) -> None:
        data = board_of(self.session) | {"lane": live.lane(self.session.boot)}
        board(data, key="board", on_event=self._on_board)

    def _controls(self) -> None:
        widgets.controls(self.session, self._on_control)

    def _figures(self) -> None:
        """Key figures and the selected point."""
        session = self.session
        with mishap.caught():
            outcome = session.outcome
            solution = outcome.solution if outcome else None
            pinned = (session.pin, session.pinned) if session.pin and session.pinned else None
            st.html(
                panel.figures(session.lab, solution, pinned)
                + panel.formula(session.lab, solution)
                + panel.inspector(session.lab, solution)
            )

    def _more(self) -> None:
        tabs.show(self.session, self._on_control)
