"""What scrolls within itself is reached by keys."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_reach = st.components.v2.component(
    "svmlab_reach", js=(Path(__file__).parent / "keyboard_scrolling.js").read_text(encoding="utf-8")
)


def keys() -> None:
    """On a page: long formulas and lines of programs are stops of the Tab key."""
    _reach(key="reach")
