"""The lab: place points, pick a machine, see it."""

import streamlit as st

from svmlab.ui import frame, panel, text, widgets
from svmlab.ui.board import board

session = frame.enter()


def on_board() -> None:
    """A message from the board: the picture and its figures follow, the controls only when a setting has changed."""
    before = session.lab
    session.receive(st.session_state["board"].event)
    if session.lab.projector != before.projector:
        st.rerun()
    changed = session.lab.settings != before.settings
    st.rerun(["board", "figures", "controls"] if changed else ["board", "figures"])


def on_control() -> None:
    """A control has changed the Lab."""
    st.rerun(["board", "figures", "controls"])


@st.fragment(key="board")
def scene() -> None:
    """The board."""
    board(session.board(), key="board", on_event=on_board)


@st.fragment(key="controls")
def controls() -> None:
    """The controls."""
    widgets.controls(session, on_control)


@st.fragment(key="figures")
def figures() -> None:
    """Key figures and the selected point."""
    outcome = session.outcome
    solution = outcome.solution if outcome else None
    st.html(panel.figures(session.lab, solution) + panel.inspector(session.lab, solution))


if session.lab.projector:
    st.html('<div class="sv-projector"></div>')
    left, right = st.columns([1.15, 1], gap="medium")
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
