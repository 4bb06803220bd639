"""The parts of a chart beside its lines: marks and bars that can be clicked, rules, and the present board."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.plot.palette import CLEAR, Palette, class_symbol

SIZE, CHOSEN, RING = 11, 17, 3  # px of a mark, of a chosen mark, and of the ring around a chosen mark
SPOT = 4  # px of an invisible mark that can be clicked; among larger marks that overlap, a click may take any


def dots(
    palette: Palette,
    x: Array | Index,
    y: Array,
    custom: Array | Index,
    chosen: Mask,
    colour: Any,
    *,
    name: str,
    hover: str,
    symbol: Any = "circle",
    edge: float = 0.0,
) -> go.Scatter:
    """Return marks (k,) that a click distinguishes by the first of their `custom` data, (k,) or (k, n).

    edge: px of paper around them.
    """
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        name=name,
        customdata=custom,
        hovertemplate=hover,
        marker={
            "symbol": symbol,
            "color": colour,
            "opacity": 1,
            "size": palette.stroke * np.where(chosen, CHOSEN, SIZE),
            "line": {
                "color": np.where(chosen, palette.accent, palette.paper),
                "width": palette.stroke * np.where(chosen, RING, edge),
            },
        },
    )


def points(
    palette: Palette,
    x: Array,
    y: Array,
    labels: Array | Index,
    custom: Array | Index,
    chosen: Mask,
    *,
    name: str,
    hover: str,
    edge: float = 0.0,
) -> go.Scatter:
    """Return points of the board as marks with the shape and colour of their class."""
    symbol = np.array([class_symbol(label) for label in labels])
    return dots(
        palette, x, y, custom, chosen, palette.classes(labels), name=name, hover=hover, symbol=symbol, edge=edge
    )


def bars(
    palette: Palette,
    x: Any,
    y: Array,
    labels: Array,
    custom: Array | Index,
    chosen: Mask,
    *,
    name: str,
    hover: str,
    **more: Any,
) -> go.Bar:
    """Return one bar for each point, (k,), in the colour of its class.

    A click distinguishes them by the first of their `custom` data.
    """
    ring = {"color": palette.accent, "width": palette.stroke * np.where(chosen, RING, 0)}
    return go.Bar(
        x=x,
        y=y,
        name=name,
        customdata=custom,
        hovertemplate=hover,
        marker={"color": palette.classes(labels), "line": ring},
        **more,
    )


def mark_current(figure: go.Figure, palette: Palette, x: float, *ys: float) -> None:
    """Mark the present board by a thin vertical line and a ring on each line."""
    add_rule(figure, palette, palette.accent, x=x)
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, RING)}
    figure.add_trace(
        go.Scatter(
            x=np.full(len(ys), x),
            y=np.array(ys, dtype=float),
            name="now",
            mode="markers",
            marker=ring,
            hovertemplate="%{y:.4g}<extra></extra>",
        )
    )


def add_rule(
    figure: go.Figure,
    palette: Palette,
    colour: str,
    dash: str = "solid",
    *,
    x: float | None = None,
    y: float | None = None,
    width: float = 1.5,
    **where: Any,
) -> None:
    """Add a straight line across the chart: vertical at x, or horizontal at y."""
    pen = palette.pen(colour, width, dash)
    if x is not None:
        figure.add_vline(x=x, line=pen, **where)
    if y is not None:
        figure.add_hline(y=y, line=pen, **where)


def stacked(x: Array, width: float, rows: int = 6) -> Array:
    """Return a level for each value, shape (k,), the lowest first, such that equal levels are at least `width` apart.

    If no level is free, the one whose last value is smallest is used.
    """
    level = np.zeros(len(x))
    last = np.full(rows, -np.inf)
    for i in np.argsort(x, kind="stable"):
        free = np.flatnonzero(x[i] - last >= width)
        level[i] = free[0] if len(free) else int(last.argmin())
        last[int(level[i])] = x[i]
    return level
