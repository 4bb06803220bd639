"""What opens under the board: points, certificate, code. Only the open one is computed. The bar also pins a fit."""

from __future__ import annotations

from importlib import import_module

import streamlit as st

from svmlab.lab import text
from svmlab.lab.bench import widgets
from svmlab.lab.session import mishap
from svmlab.lab.session.tab import Done, Session


def show(session: Session, done: Done) -> None:
    """The bar, and the tab that is open."""
    bar, right = st.columns([4, 1], vertical_alignment="center")
    with right:
        widgets.pin(session, done)
    chosen = bar.segmented_control(
        text.TABS_LABEL,
        list(text.TABS),
        format_func=text.TABS.__getitem__,
        key="tab",
        label_visibility="collapsed",
        persist_state="session",
        on_change=done,
    )
    if chosen is not None:
        with mishap.caught():
            # Imported when it is opened: pandas, for the table alone, is a third of a second of the first picture.
            import_module(f"{__name__}.{chosen}").show(session, done)
