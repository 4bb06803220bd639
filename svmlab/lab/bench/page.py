"""The lab: place points, pick a machine, see it."""

import streamlit as st

from svmlab.lab import frame, text
from svmlab.lab.bench import panel, tabs, widgets
from svmlab.lab.board import board, board_of, live
from svmlab.lab.session import mishap

session = frame.enter()


def on_board() -> None:
    """A message from the board: picture and figures follow at once, the rest when a drag has ended."""
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


def on_control() -> None:
    """A control has changed the Lab."""
    st.rerun(["board", "figures", "controls", *([] if session.lab.projector else ["more"])])


@st.fragment(key="board")
def scene() -> None:
    """The board."""
    board(board_of(session) | {"lane": live.lane(session.boot)}, key="board", on_event=on_board)


@st.fragment(key="controls")
def controls() -> None:
    """The controls."""
    widgets.controls(session, on_control)


@st.fragment(key="figures")
def figures() -> None:
    """Key figures and the selected point."""
    with mishap.caught():
        outcome = session.outcome
        solution = outcome.solution if outcome else None
        pinned = (session.pin, session.pinned) if session.pin and session.pinned else None
        st.html(
            panel.figures(session.lab, solution, pinned)
            + panel.formula(session.lab, solution)
            + panel.inspector(session.lab, solution)
        )


@st.fragment(key="more")
def more() -> None:
    """What opens under the board."""
    tabs.show(session, on_control)


if session.lab.projector:
    st.html('<div class="sv-projector"></div>')
    left, right = st.columns([1.5, 1], gap="medium")
    with right:
        with st.popover(text.CONTROLS, width="stretch"):
            controls()
        figures()
else:
    left, right = st.columns([1.06, 1], gap="medium")
    with right:
        controls()
        figures()
with left:
    scene()
if not session.lab.projector:
    more()
