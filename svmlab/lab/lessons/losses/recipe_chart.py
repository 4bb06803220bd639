"""Every pair of a loss and a regulariser as a small board, by rows and columns, with the names that pairs have (L5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING
from svmlab.lab.charts.palette import CLEAR, Palette, faded
from svmlab.plane.geometry import cut

WIDE, HIGH = 0.94, 0.86  # of its place: a small board
SHARE = 0.2  # of its colour: how thickly a side is laid on


@dataclass(frozen=True, eq=False)
class Cell:
    """A pair: where it stands, counted from 0, the line w (2,), b that it has (None where it has none), what a hover tells, its note."""

    row: int
    column: int
    line: tuple[Array, float] | None
    told: str
    note: str = ""


def pairs(
    cells: Sequence[Cell],
    rows: Sequence[str],
    columns: Sequence[str],
    names: Sequence[tuple[str, int, int, int]],
    chosen: int,
    half: float,
    palette: Palette,
) -> go.Figure:
    """A small board [-half, half]^2 for each cell, stretched to its place, with both sides of its line in the colours of the classes.

    names: (name, row, first and last column that it stands on); the one on the chosen cell is strong. A click on a cell tells its number.
    """
    figure = blank(palette, height=300, left=92, top=20)
    for label in (1, -1):
        sides = [_placed(_side(*cell.line, label, half), cell, half) for cell in cells if cell.line is not None]
        figure.add_trace(_outline(sides, "+" if label > 0 else "-", fill=faded(palette.of(label), SHARE)))
    lines = [
        _placed(ends, cell, half)
        for cell in cells
        if cell.line is not None and cell.line[0].any()
        for ends in cut(cell.line[0], -cell.line[1], half)
    ]
    figure.add_trace(_outline(lines, "f = 0", line=palette.pen(palette.text, 2)))
    figure.add_trace(_frames(cells, chosen, palette))
    x = {"range": [-0.5, len(columns) - 0.5], "tickvals": list(range(len(columns))), "ticktext": list(columns)}
    y = {"range": [len(rows) - 0.5, -0.5], "tickvals": list(range(len(rows))), "ticktext": list(rows)}
    figure.update_xaxes(showgrid=False, side="top", **x).update_yaxes(showgrid=False, **y)
    figure.layout.margin.b = 4
    here = cells[chosen]
    for row in range(len(rows)):
        noted = [cell for cell in cells if cell.row == row and cell.note]
        labels = [Label(cell.note, cell.column, row, palette.quiet, "") for cell in noted]
        for name, at, first, last in names:
            strong = row == here.row and first <= here.column <= last
            said, colour = (f"<b>{name}</b>", palette.accent) if strong else (name, palette.text)
            labels += [Label(said, 0.5 * (first + last), row, colour, "")] if at == row else []
        place_labels(figure, palette, labels, backed=True)
    return figure


def _side(w: Array, b: float, label: int, half: float) -> Array:
    """The corners (k, 2) of the part of the square where label times f is not below 0: the square, clipped at f = 0."""
    square = half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    f = label * (square @ w + b)
    if not f.any():
        return np.empty((0, 2))
    corners: list[Array] = []
    for here, there, p, q in zip(square, np.roll(square, -1, axis=0), f, np.roll(f, -1), strict=True):
        if p >= 0:
            corners.append(here)
        if p * q < 0:
            corners.append(here + p / (p - q) * (there - here))
    return np.array(corners).reshape(-1, 2)


def _placed(places: Array, cell: Cell, half: float) -> Array:
    """Places of the board (k, 2) in the small one of a cell; rows are counted downwards."""
    return np.array([cell.column, cell.row]) + places / (2 * half) * np.array([WIDE, -HIGH])


def _outline(parts: Sequence[Array], name: str, fill: str = CLEAR, line: dict[str, object] | None = None) -> go.Scatter:
    """Polylines or, filled, polygons, as one trace that takes no clicks."""
    gap = np.full((1, 2), np.nan)
    every = np.vstack([piece for part in parts if len(part) for piece in (part, gap)] or [gap])
    shape = {"fill": "toself", "fillcolor": fill} if line is None else {}
    return go.Scatter(
        x=every[:, 0],
        y=every[:, 1],
        name=name,
        mode="lines",
        line=line or {"width": 0, "color": CLEAR},
        hoverinfo="skip",
        **shape,
    )


def _frames(cells: Sequence[Cell], chosen: int, palette: Palette) -> go.Bar:
    """The edge of each cell, the chosen one's thick; they take the clicks."""
    number = np.arange(len(cells))
    thick = palette.stroke * np.where(number == chosen, RING, 1)
    return go.Bar(
        orientation="h",
        y=np.array([cell.row for cell in cells]),
        x=np.full(len(cells), WIDE),
        base=np.array([cell.column - WIDE / 2 for cell in cells]),
        width=HIGH,
        name="pairs",
        customdata=number,
        hovertext=[cell.told for cell in cells],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": CLEAR,
            "line": {"color": np.where(number == chosen, palette.accent, palette.quiet), "width": thick},
        },
    )
