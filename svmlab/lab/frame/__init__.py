"""What every page begins with: the session, the navigation and the one stylesheet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from svmlab.lab import text
from svmlab.lab.board import board
from svmlab.lab.charts.palette import LIGHT
from svmlab.lab.frame import prepare
from svmlab.lab.session.tab import Session, current

ICON = (  # half a disc
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" stroke="{LIGHT.accent}" stroke-width="2">'
    f'<circle cx="8" cy="8" r="7" fill="none"/><path d="M8 1a7 7 0 0 0 0 14z" fill="{LIGHT.accent}"/></svg>'
)
# A restarted server knows no part of a page before it has run the whole: the board, which is such a part, asks for that here.
_whole = st.components.v2.component(
    "svmlab_whole",
    js="export default ({ setTriggerValue }) => { window.svmlabWhole = () => setTriggerValue('run', 1); };",
)
CSS = (Path(__file__).parent / "layout.css").read_text(encoding="utf-8")


def route() -> None:
    """The work of app.py: name the app, build the navigation, run the page that was asked for."""
    st.set_page_config(page_title=text.TITLE, page_icon=ICON, layout="wide", initial_sidebar_state="collapsed")
    st.session_state["routed"] = True
    _navigation().run()


def enter() -> Session:
    """The first line of every page.

    A fresh server that is asked for a page other than the first runs that page's file alone, before app.py has turned the
    discovery of pages off: then the navigation is built here and the run starts over, this time through app.py.
    """
    if not st.session_state.get("routed"):
        _navigation()
        st.session_state["routed"] = True
        st.rerun()
    session = current()
    st.html(f"<style>{CSS}</style>")
    prepare.line()
    _whole(key="whole", on_run_change=lambda: None)
    return session


def keep_link(session: Session) -> None:
    """On a page without a board: keep the address of the page the link of the whole state."""

    def answer() -> None:
        session.receive(st.session_state["link"].event)

    board(session.wire() | {"hidden": True}, key="link", on_event=answer)


def pages() -> dict[str, st.Page]:
    """Every page by its name, to link to."""
    return {
        name: st.Page(f"pages/{name}.py", title=title, url_path=name, default=name == "lab")
        for name, title in text.PAGES.items()
    }


def _navigation() -> st.Page:
    return st.navigation(list(pages().values()), position="top")
