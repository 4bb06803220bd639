"""What stands in a chart beside its lines: marks and bars that can be clicked, rules across it, and where the board is now."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index, Mask
from svmlab.lab.charts.palette import CLEAR, Palette

SIZE, CHOSEN, RING = 11, 17, 3  # px of a mark, of one that is chosen, and of the ring round that


def dots(
    palette: Palette, x: Array | Index, y: Array, custom: Array | Index, chosen: Mask, colour: Any, *,
    name: str, hover: str, symbol: Any = "circle", edge: float = 0.0,
) -> go.Scatter:  # fmt: skip
    """Marks (k,) that a click tells apart by the first of their `custom` data, (k,) or (k, n); `edge`: px of paper round them."""
    return go.Scatter(
        x=x, y=y, mode="markers", name=name, customdata=custom, hovertemplate=hover,
        marker={
            "symbol": symbol, "color": colour, "opacity": 1, "size": palette.stroke * np.where(chosen, CHOSEN, SIZE),
            "line": {
                "color": np.where(chosen, palette.accent, palette.paper), "width": palette.stroke * np.where(chosen, RING, edge),
            },
        },
    )  # fmt: skip


def points(
    palette: Palette, x: Array, y: Array, labels: Array, custom: Array | Index, chosen: Mask, *, name: str, hover: str, edge: float = 0.0,
) -> go.Scatter:  # fmt: skip
    """Points of the board as marks: a disc or a square in the colour of the class."""
    symbol = np.where(labels > 0, "circle", "square")
    return dots(
        palette, x, y, custom, chosen, palette.classes(labels), name=name, hover=hover, symbol=symbol, edge=edge
    )


def bars(
    palette: Palette, x: Any, y: Array, labels: Array, custom: Array | Index, chosen: Mask, *, name: str, hover: str, **more: Any,
) -> go.Bar:  # fmt: skip
    """A bar (k,) for each point in the colour of its class; a click tells them apart by the first of their `custom` data."""
    ring = {"color": palette.accent, "width": palette.stroke * np.where(chosen, RING, 0)}
    return go.Bar(
        x=x, y=y, name=name, customdata=custom, hovertemplate=hover, marker={"color": palette.classes(labels), "line": ring}, **more
    )  # fmt: skip


def now(figure: go.Figure, palette: Palette, x: float, *ys: float) -> None:
    """Where the board stands at present: a thin upright and a ring on each line."""
    rule(figure, palette, palette.accent, x=x)
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, RING)}
    figure.add_trace(
        go.Scatter(
            x=np.full(len(ys), x), y=np.array(ys, dtype=float), name="now", mode="markers", marker=ring,
            hovertemplate="%{y:.4g}<extra></extra>",
        )
    )  # fmt: skip


def rule(
    figure: go.Figure, palette: Palette, colour: str, dash: str = "solid", *,
    x: float | None = None, y: float | None = None, width: float = 1.5, **where: Any,
) -> None:  # fmt: skip
    """A straight line across the chart: upright at x, or level at y."""
    line = palette.pen(colour, width, dash)
    if x is not None:
        figure.add_vline(x=x, line=line, **where)
    if y is not None:
        figure.add_hline(y=y, line=line, **where)
