"""A chart on a page: drawn for its theme and for a projector, with clicks on its marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from svmlab.plot.palette import DARK, LIGHT, PROJECTOR, PROJECTOR_DARK, Palette

CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]]}


def page_palette(projector: bool, type_: int = 24) -> Palette:
    """Return the palette of this page in its present theme. type_: the font size in px in projector mode."""
    dark = st.context.theme.type == "dark"
    if projector:
        return replace(PROJECTOR_DARK if dark else PROJECTOR, small=type_, type=type_, stroke=max(1.0, type_ / 16))
    return DARK if dark else LIGHT


def show_chart(
    figure: go.Figure,
    key: str,
    picked: Callable[[Any], None] | None = None,
    fill: bool = False,
    said: Mapping[str, str] | None = None,
) -> None:
    """Show a figure. `picked` gets the first customdata of a clicked mark.

    fill: use the height of the container. said: the title of a saved chart and its part of the file's name.
    """
    figure.update_layout(meta=said)
    if fill:
        figure.update_layout(height=None)
    height: Literal["stretch", "content"] = "stretch" if fill else "content"
    if picked is None:
        st.plotly_chart(figure, theme=None, key=key, config=CONFIG, height=height)
        return

    def clicked() -> None:
        marks = st.session_state[key].selection.points
        if marks and "customdata" in marks[0]:
            picked(_first(marks[0]["customdata"]))

    st.plotly_chart(
        figure, theme=None, key=key, config=CONFIG, height=height, on_select=clicked, selection_mode="points"
    )


def _first(custom: Any) -> Any:
    """Return the first of a mark's customdata. The browser sends a row of a typed array as a mapping."""
    row = custom.values() if isinstance(custom, Mapping) else custom if isinstance(custom, list | tuple) else (custom,)
    return next(iter(row))
