"""The boards that the browser keeps over days: keep the present one under a name, and open, rename or delete others."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from svmlab.data import DATASETS
from svmlab.lab import frame
from svmlab.lab.board.second_board import machine_name
from svmlab.lab.frame import kept
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import MAKE_GOAL
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import _


def show(session: Session, done: OnChange) -> None:
    """Show the kept boards, and offer to keep the person's own one."""
    lab = session.lab
    name = offered_name(lab, session.link.hidden)
    kept.show_panel(session, name, share.encode(lab) if lab.points else None, done)
    st.button(
        _("Make this board a goal"), icon=":material/flag:", key="make_goal", on_click=_make_goal, args=(session,)
    )


def _make_goal(session: Session) -> None:
    """Open the form on the page Practice, which starts with the present board."""
    session.lessons.open_steps["practice"] = MAKE_GOAL
    frame.turn_to("practice")
    st.rerun()


def offered_name(lab: Lab, hidden: Collection[str] = ()) -> str:
    """Return a name for a board: its points and its SVM in a few words, without what a link hides."""
    points = _(DATASETS[lab.preset].title) if lab.is_preset else _("{m} points").format(m=len(lab.points))
    machine = machine_name(lab, hidden)
    return f"{points}: {machine}" if machine else points
