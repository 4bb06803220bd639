"""Scripts of every page: elements that scroll are reachable by keys, and nothing moves under a resting pointer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def _script(name: str, file: str) -> ComponentRenderer:
    return st.components.v2.component(name, js=(Path(__file__).parent / file).read_text(encoding="utf-8"))


_reach = _script("svmlab_reach", "keyboard_scrolling.js")
_still = _script("svmlab_still", "steady_hover.js")


def make_scrollable_by_keys() -> None:
    """Make long formulas and lines of programs on a page stops of the Tab key."""
    _reach(key="reach")


def hold_hover_steady() -> None:
    """Keep cards of a page in place, and let tooltips wait until the pointer moves."""
    _still(key="still")
