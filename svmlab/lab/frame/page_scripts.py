"""Scripts of pages.

On every page they decide what keys reach and what a resting pointer sees, give popovers and dialogs the colours of the
theme, and say when the server is away. In the Lab buttons show the confusion matrix.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from svmlab.lab.streamlit_internals import ComponentRenderer
from svmlab.lab.words import N_, _


def _script(name: str, file: str) -> ComponentRenderer:
    return st.components.v2.component(name, js=(Path(__file__).parent / file).read_text(encoding="utf-8"))


_reach = _script("svmlab_reach", "keyboard_scrolling.js")
_confusion = _script("svmlab_confusion", "confusion.js")
_steady_hover = _script("svmlab_still", "steady_hover.js")
_focus = _script("svmlab_focus", "keyboard_focus.js")
_connection = _script("svmlab_connection", "connection.js")
_color_scheme = _script("svmlab_color_scheme", "color_scheme.js")
AWAY = N_("The server is away. This page can be read, and it goes on when the server is back.")


def make_scrollable_by_keys() -> None:
    """Make long formulas and lines of programs on a page stops of the Tab key."""
    _reach(key="reach")


def hold_hover_steady() -> None:
    """Keep cards of a page in place, and let tooltips wait until the pointer moves."""
    _steady_hover(key="still")


def group_tab_stops() -> None:
    """Make each group of buttons on a page one stop of the Tab key, and let the focus leave a select box."""
    _focus(key="focus")


def follow_color_scheme() -> None:
    """Give what stands outside Streamlit's app, such as popovers and dialogs, the theme's light or dark colours."""
    _color_scheme(key="color_scheme")


def tell_when_server_is_away() -> None:
    """Replace Streamlit's dialog about a lost connection by the words of the board, or by a line without a board."""
    _connection(data={"text": _(AWAY)}, key="connection")


def open_confusion_matrix_by_button() -> None:
    """Let the buttons of the key figures show and hide the confusion matrix."""
    _confusion(key="confusion_script")
