"""A small chart on a page: no toolbar over its lines, and clicks on its marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from svmlab.lab.charts.style import on_dark

CONFIG = {"displayModeBar": False}


def chart(figure: go.Figure, key: str, picked: Callable[[Any], None] | None = None) -> None:
    """Show a figure; `picked` gets the customdata of a mark that is clicked."""
    if st.context.theme.type == "dark":
        figure = on_dark(figure)
    if picked is None:
        st.plotly_chart(figure, width="stretch", key=key, config=CONFIG)
        return

    def clicked() -> None:
        points = st.session_state[key].selection.points
        if points and "customdata" in points[0]:
            found = points[0]["customdata"]
            picked(found[0] if isinstance(found, list) else found)

    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    st.plotly_chart(figure, width="stretch", key=key, config=CONFIG, on_select=clicked, selection_mode="points")
