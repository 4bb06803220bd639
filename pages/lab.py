"""The lab: place points, pick a machine, see it."""

import streamlit as st

from svmlab.ui import frame, panel, widgets
from svmlab.ui.board import board

session = frame.enter()


def on_board() -> None:
    """A message from the board: while a drag goes on only the picture and its figures follow."""
    live = session.receive(st.session_state["board"].event)
    st.rerun(["board", "figures"] if live else ["board", "figures", "controls"])


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
    st.html(panel.figures(solution) + panel.inspector(session.lab, solution))


if session.lab.projector:
    left, right = st.columns([3, 1])
else:
    left, right = st.columns([1.06, 1], gap="medium")
with left:
    scene()
with right:
    controls()
    figures()
