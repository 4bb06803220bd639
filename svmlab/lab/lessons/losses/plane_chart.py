"""What both charts of the plane of w have: contours that stay behind, and places that can be clicked."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.contours import contours
from svmlab.lab.charts.marks import SPOT
from svmlab.lab.charts.palette import CLEAR
from svmlab.lab.lessons.losses.plane import Ground, levels


def behind(ground: Ground, line: dict[str, Any], opacity: float = 0.55) -> go.Scatter:
    """Contours of F without a hover: they would be in the way of the spots."""
    lines = contours(ground.w1, ground.w2, ground.values, levels(ground.values), line, "F", opacity)
    return lines.update(hoverinfo="skip", hovertemplate=None)


def clickable(spots: Array, values: Array) -> go.Scatter:
    """Places (n, 2) that are not seen, but tell their F (n,) and can be clicked; the first of their customdata is their
    number.
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
