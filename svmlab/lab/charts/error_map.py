"""The held-out error over C and a kernel parameter as a map, or over C alone as a curve. Each SVM can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts.marks import SIZE, SPOT, add_rule
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.lines import band
from svmlab.plot.palette import CLEAR, Palette

HEIGHT = 330  # px on a desk
LINES = 14  # the height in lines of text in projector mode
CLICK_RADIUS = 60  # px within which a click belongs to a point of the map
SMALLEST_RANGE = 0.02  # the least range of errors from paper to grey, so that one point more or less cannot be seen
ROOM = 0.1  # free space above the highest line, as a fraction
ROOM_BELOW = 0.2  # height from which a point has room for its name below it, as a fraction


@dataclass(frozen=True, eq=False)
class Scale:
    """One axis: its title, the positions `at` (n,) of its values, and the words at some positions `ticks`."""

    title: str
    at: Array
    ticks: Array
    words: Sequence[str]

    @property
    def ends(self) -> list[float]:
        """Return the positions half a step beyond the first and the last value."""
        lo, hi = float(self.at.min()), float(self.at.max())
        half = 0.5 * (hi - lo) / max(len(self.at) - 1, 1) or 0.5
        return [lo - half, hi + half]

    def within(self, value: float) -> float:
        """Return the position of the scale that is nearest to a value, which may be infinite."""
        low, high = self.ends
        return min(max(value, low), high)


@dataclass(frozen=True, eq=False)
class Spot:
    """A named point of the chart."""

    name: str
    x: float
    y: float


def heat_map(
    x: Scale,
    y: Scale,
    error: Array,
    best: Mask,
    hovers: Array,
    level: float | None,
    smallest: Spot,
    current: Spot,
    palette: Palette,
) -> go.Figure:
    """Return a map of the errors (k, n) at y (k,) and x (n,), paper for small errors and grey for large ones.

    A line surrounds the errors that are at most `level`. If several are in the mask `best` (k, n), a dotted line
    surrounds them.

    hovers (k, n): the hover text of each. The customdata of a clickable point is its row times n plus its column.
    """
    figure = empty_chart(palette, x.title, y.title, height=_height(palette))
    columns, rows = np.argsort(x.at), np.argsort(y.at)
    z = error[np.ix_(rows, columns)]
    low, high = float(np.nanmin(error)), float(np.nanmax(error))
    grey = go.Heatmap(x=x.at[columns], y=y.at[rows], z=z, zmin=low, zmax=max(high, low + SMALLEST_RANGE), name="error")
    grey.update(colorscale=[[0.0, palette.paper], [1.0, palette.quiet]], showscale=False, hoverinfo="skip")
    figure.add_trace(grey)
    if level is not None:
        edge = _outline(x, y, z <= level)
        rim = go.Scatter(x=edge[:, 0], y=edge[:, 1], mode="lines", name="as good", hoverinfo="skip")
        figure.add_trace(rim.update(line=palette.pen(palette.accent, 2)))
    if best.sum() > 1:
        edge = _outline(x, y, best[np.ix_(rows, columns)])
        rim = go.Scatter(x=edge[:, 0], y=edge[:, 1], mode="lines", name="tied", hoverinfo="skip")
        figure.add_trace(rim.update(line=palette.pen(palette.text, 2, "dot")))
    i, j = np.indices(error.shape)
    figure.add_trace(_click_targets(x.at[j].ravel(), y.at[i].ravel(), hovers))
    figure.update_xaxes(range=x.ends, tickvals=x.ticks, ticktext=x.words, showgrid=False)
    figure.update_yaxes(range=y.ends, tickvals=y.ticks, ticktext=y.words, showgrid=False)
    figure.update_xaxes(showline=True, mirror=True, linecolor=palette.zero)
    figure.update_yaxes(showline=True, mirror=True, linecolor=palette.zero)
    sides = _outward(x, current), _outward(x, smallest)
    return _marked(figure, x, smallest, current, palette, sides)


def error_curve(
    x: Scale,
    error: Array,
    best: Mask,
    spread: Array,
    train: Array,
    hovers: Array,
    names: tuple[str, str, str],
    smallest: Spot,
    current: Spot,
    palette: Palette,
) -> go.Figure:
    """Return the held-out error (n,) in percent with its standard error, and the training error.

    If several are in the mask `best` (n,), they have open circles.

    hovers (n,): the hover text of each SVM. names: the names of the axis and of both lines. The customdata of a
    clickable point is its column.
    """
    figure = empty_chart(palette, x.title, names[0], height=_height(palette))
    order = np.argsort(x.at)
    at, held_out, training, standard_error = x.at[order], error[order], train[order], spread[order]
    lines = ((names[1], held_out, palette.accent, "solid"), (names[2], training, palette.quiet, "dash"))
    for name, heights, colour, dash in lines:
        trace = go.Scatter(x=at, y=heights, mode="lines", name=name, hoverinfo="skip")
        figure.add_trace(trace.update(line=palette.pen(colour, 2.5, dash)))
    band(figure, at, np.maximum(held_out - standard_error, 0.0), held_out + standard_error, palette.accent)
    if best.sum() > 1:
        circles = go.Scatter(x=x.at[best], y=error[best], mode="markers", name="tied", hoverinfo="skip")
        marker = {"size": SIZE * palette.stroke, "color": palette.paper, "line": palette.pen(palette.accent, 2)}
        figure.add_trace(circles.update(marker=marker))
    figure.add_trace(_click_targets(x.at, error, hovers))
    add_rule(figure, palette, palette.text, "dot", x=current.x)
    top = float(np.nanmax([held_out + standard_error, training])) * (1 + ROOM) or 1.0
    figure.update_xaxes(range=x.ends, tickvals=x.ticks, ticktext=x.words)
    figure.update_yaxes(range=[0.0, top], rangemode="tozero")
    ends = [Label(name, float(at[-1]), float(heights[-1]), colour) for name, heights, colour, _dash in lines]
    # No label hides the curve: it is nowhere below its minimum, and beside the board it falls to one of the sides.
    below = "below" if smallest.y > ROOM_BELOW * top else "above"
    falls_left = np.interp(current.x - 0.5, at, held_out) < np.interp(current.x + 0.5, at, held_out)
    sides = f"above {'left' if falls_left else 'right'}", f"{below} {_outward(x, smallest)}"
    return _marked(figure, x, smallest, current, palette, sides, ends)


def _height(palette: Palette) -> int:
    """Return the height: fixed on a desk, and in projector mode the space that the figures above leave."""
    return HEIGHT if palette.height_scale == 1 else LINES * palette.type


def _outline(x: Scale, y: Scale, inside: Mask) -> Array:
    """Return the sides of cells (k, n), in rising order, that separate those inside from the others.

    The result has rows x, y, with a row of nan after each side.
    """
    (left, right), (low, high) = x.ends, y.ends
    u, v = np.linspace(left, right, len(x.at) + 1), np.linspace(low, high, len(y.at) + 1)
    around = np.pad(inside, 1)
    horizontal = np.argwhere(around[1:, 1:-1] != around[:-1, 1:-1])
    vertical = np.argwhere((around[1:-1, 1:] != around[1:-1, :-1]).T)
    sides = [([u[a], v[i]], [u[b], v[i]]) for i, a, b in _runs(horizontal)]
    sides += [([u[j], v[a]], [u[j], v[b]]) for j, a, b in _runs(vertical)]
    gap = [np.nan, np.nan]
    return np.array([place for side in sides for place in (*side, gap)] or [gap])


def _runs(sides: Index) -> list[list[int]]:
    """Return rows [line, from, to] of sides [line, number] in rising order, with consecutive sides joined."""
    runs: list[list[int]] = []
    for line, at in sides.tolist():
        if runs and runs[-1][0] == line and runs[-1][2] == at:
            runs[-1][2] = at + 1
        else:
            runs.append([line, at, at + 1])
    return runs


def _click_targets(x: Array, y: Array, hovers: Array) -> go.Scatter:
    """Return invisible marks to click, because plotly reports only clicks on marks."""
    trace = go.Scatter(x=x, y=y, mode="markers", name="places", customdata=np.arange(hovers.size), text=hovers.ravel())
    return trace.update(marker={"size": SPOT, "color": CLEAR}, hovertemplate="%{text}<extra></extra>")


def _outward(x: Scale, spot: Spot) -> str:
    """Return the side of a point on which a label has more room."""
    low, high = x.ends
    return "left" if spot.x > 0.6 * high + 0.4 * low else "right"


def _marked(
    figure: go.Figure,
    x: Scale,
    smallest: Spot,
    current: Spot,
    palette: Palette,
    sides: tuple[str, str],
    names: Sequence[Label] = (),
) -> go.Figure:
    """Return the figure with the smallest error and the present SVM marked and named.

    sides: where the names of the present SVM and of the smallest error stand. A click belongs to the nearest SVM within
    CLICK_RADIUS.
    """
    figure.update_layout(hoverdistance=CLICK_RADIUS)
    marks = (
        (current, palette.text, "diamond", palette.paper, palette.pen(palette.text, 3)),
        (smallest, palette.accent, "circle", palette.accent, palette.pen(palette.paper, 2)),
    )
    labels = list(names)
    for (spot, colour, symbol, fill, ring), side in zip(marks, sides, strict=True):
        if not np.isfinite(spot.y):
            continue
        marker = {"size": (SIZE + 2) * palette.stroke, "symbol": symbol, "color": fill, "line": ring}
        trace = go.Scatter(x=np.array([spot.x]), y=np.array([spot.y]), mode="markers", name=spot.name, cliponaxis=False)
        figure.add_trace(trace.update(marker=marker, hoverinfo="skip"))
        labels.append(Label(spot.name, spot.x, spot.y, colour, side))
    return place_labels(figure, palette, labels, backed=True)
