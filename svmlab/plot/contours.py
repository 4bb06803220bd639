"""Contours of a function over a grid, as one line of a chart."""

from __future__ import annotations

from typing import Any

import contourpy
import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array


def level_lines(u: Array, v: Array, z: Array, levels: Array) -> Array:
    """Return the lines on which z (n, k) has one of the levels, as rows u, v, level, with a row of nan after each line.

    Row i of z is at v_i and column j at u_j.
    """
    contours = contourpy.contour_generator(u, v, z)
    gap = np.full((1, 3), np.nan)
    parts = [
        np.vstack([np.column_stack([polyline, np.full(len(polyline), level)]), gap])
        for level in levels
        for polyline in contours.lines(float(level))
        if isinstance(polyline, np.ndarray)
    ]
    return np.vstack(parts) if parts else gap


def contours(
    u: Array, v: Array, z: Array, levels: Array, line: dict[str, Any], name: str, opacity: float = 0.55
) -> go.Scatter:
    """Return the contours of z in the plane of w, with the level and w on hover."""
    lines = level_lines(u, v, z, levels)
    return go.Scatter(
        x=lines[:, 0],
        y=lines[:, 1],
        customdata=lines[:, 2],
        mode="lines",
        name=name,
        line=line,
        opacity=opacity,
        hovertemplate=f"{name} = %{{customdata:.5g}}<br>w = (%{{x:.3g}}, %{{y:.3g}})<extra></extra>",
    )
