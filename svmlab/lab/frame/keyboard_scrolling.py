"""Make elements that scroll reachable by keys."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_reach = st.components.v2.component(
    "svmlab_reach", js=(Path(__file__).parent / "keyboard_scrolling.js").read_text(encoding="utf-8")
)


def enable() -> None:
    """Make long formulas and lines of programs on a page stops of the Tab key."""
    _reach(key="reach")
