"""A chart on a page: drawn for its theme and for a projector, and clicks on its marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from svmlab.lab.charts.palette import DARK, LIGHT, PROJECTOR, PROJECTOR_DARK, Palette

CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]]}


def for_page(projector: bool) -> Palette:
    """What charts are drawn with on this page, in the theme in which it is read."""
    dark = st.context.theme.type == "dark"
    if projector:
        return PROJECTOR_DARK if dark else PROJECTOR
    return DARK if dark else LIGHT


def chart(figure: go.Figure, key: str, picked: Callable[[Any], None] | None = None) -> None:
    """Show a figure as it is; `picked` gets the first of the customdata of a mark that is clicked."""
    if picked is None:
        st.plotly_chart(figure, theme=None, key=key, config=CONFIG)
        return

    def clicked() -> None:
        marks = st.session_state[key].selection.points
        if marks and "customdata" in marks[0]:
            picked(_first(marks[0]["customdata"]))

    st.plotly_chart(figure, theme=None, key=key, config=CONFIG, on_select=clicked, selection_mode="points")


def _first(custom: Any) -> Any:
    """The first of a mark's customdata; the browser sends a row of a typed array as a mapping."""
    row = custom.values() if isinstance(custom, Mapping) else custom if isinstance(custom, list | tuple) else (custom,)
    return next(iter(row))
