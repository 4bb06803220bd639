"""The plane of w on the board and in both of its charts: its scale, contours, and positions that can be clicked."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import SPOT
from svmlab.lab.lessons.losses.plane import Frame, Ground, framed, levels
from svmlab.lab.teach.stage import Stage
from svmlab.plot.contours import contours
from svmlab.plot.palette import CLEAR


def frame(stage: Stage) -> Frame:
    """Return how the plane of w lies under the board."""
    best = stage.solution.w
    assert best is not None
    return framed(stage.data.X, best, stage.lab.view)


def behind(ground: Ground, pen: dict[str, Any], opacity: float = 0.55) -> go.Scatter:
    """Return contours of F without a hover, which would be in the way of the clickable positions."""
    lines = contours(ground.w1, ground.w2, ground.values, levels(ground.values), pen, "F", opacity)
    return lines.update(hoverinfo="skip", hovertemplate=None)


def clickable(spots: Array, values: Array) -> go.Scatter:
    """Return invisible positions (n, 2) that show their F (n,) on hover and can be clicked.

    The first entry of their customdata is their number.
    """
    return go.Scatter(
        x=spots[:, 0],
        y=spots[:, 1],
        customdata=np.stack([np.arange(len(spots)), values], axis=1),
        name="spots",
        mode="markers",
        marker={"size": SPOT, "color": CLEAR, "line": {"width": 0}},
        hovertemplate="w = (%{x:.3g}, %{y:.3g})<br>F = %{customdata[1]:.4g}<extra></extra>",
    )
