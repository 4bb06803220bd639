"""Keep the element under a resting pointer as it is while the page changes."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_still = st.components.v2.component(
    "svmlab_still", js=(Path(__file__).parent / "steady_hover.js").read_text(encoding="utf-8")
)


def enable() -> None:
    """Keep cards of a page in place, and let tooltips wait until the pointer moves."""
    _still(key="still")
