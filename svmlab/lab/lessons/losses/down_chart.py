"""The plane of w with its field of arrows downhill, from one place also the way to w*, or the zigzag of a descent (L11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses.names import colour
from svmlab.lab.lessons.losses.plane import WIDE, Ground
from svmlab.lab.lessons.losses.plane_chart import behind, clickable
from svmlab.lab.words import _

LONG = 0.62  # of half the height of the chart: the arrows from the place
HEAD, SPREAD = 0.3, 0.45  # of an arrow: its head, and half of its angle in radians


def arrows(tails: Array, ways: Array, head: float = HEAD) -> Array:
    """Arrows from `tails` along `ways` (k, 2) as one line (6 k, 2), with nan after each."""
    tips = tails + ways
    found = [tails, tips]
    for turn in (SPREAD, -SPREAD):
        c, s = np.cos(turn), np.sin(turn)
        back = -head * ways @ np.array([[c, s], [-s, c]])
        found += [tips + back, tips]
    found[-1] = np.full_like(tails, np.nan)
    return np.stack(found, axis=1).reshape(-1, 2)


def field(
    ground: Ground,
    middle: Array,
    half: float,
    grid: tuple[Array, Array],
    spots: tuple[Array, Array],
    place: Array,
    down: Array,
    best: Array,
    path: Array | None,
    palette: Palette,
) -> go.Figure:
    """Contours of F around `middle`, arrows `grid` (places and directions), and at `place` the ways down and to `best`.

    path (k, 2): a descent, drawn in their stead. spots: places (n, 2) that can be clicked, customdata is their number, and F there.
    """
    figure = blank(palette, height=200, left=30)
    thin = palette.pen(colour("hinge", palette), 1.2)
    figure.add_trace(behind(ground, thin))
    _line(figure, arrows(*grid), "field", palette.pen(palette.quiet, 1.5))
    figure.add_trace(clickable(*spots))
    names = list[Label]()
    if path is not None:
        _line(figure, path, "zigzag", palette.pen(palette.other, 2))
    else:
        names += _ways(figure, place, down, best, LONG * half, palette)
    star = {"symbol": "circle", "size": 13 * palette.stroke, "color": palette.accent}
    hand = {"symbol": "diamond", "size": 13 * palette.stroke, "color": palette.text}
    for name, at, marker in (("w*", best, star), ("w", place, hand)):
        hover = f"{name} = (%{{x:.6g}}, %{{y:.6g}})<extra></extra>"
        figure.add_trace(go.Scatter(x=at[:1], y=at[1:], name=name, mode="markers", marker=marker, hovertemplate=hover))
    figure.update_xaxes(range=_ends(middle[0], WIDE * half), nticks=6)
    figure.update_yaxes(range=_ends(middle[1], half), nticks=5, scaleanchor="x")
    side = "above" if place[1] >= best[1] else "below"
    other = "below" if side == "above" else "above"
    names.append(Label("w", float(place[0]), float(place[1]), palette.text, side + " left"))
    names.append(Label("w*", float(best[0]), float(best[1]), palette.accent, other + " left"))
    return place_labels(figure, palette, names, backed=True)


def _ways(figure: go.Figure, place: Array, down: Array, best: Array, long: float, palette: Palette) -> list[Label]:
    """Both arrows, the arc between them, and the name of the one; none at w* itself."""
    sizes = [float(np.hypot(*way)) for way in (down, best - place)]
    if min(sizes) == 0:
        return []
    one, other = down / sizes[0], (best - place) / sizes[1]
    _line(figure, arrows(place[None], long * one[None], 0.2), "down", palette.pen(palette.other, 4))
    _line(figure, arrows(place[None], long * other[None], 0.2), "best", palette.pen(palette.accent, 4))
    turn = np.linspace(0.0, float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other)), 24)
    c, s = np.cos(turn), np.sin(turn)
    arc = place + 0.4 * long * np.stack([c * one[0] - s * one[1], s * one[0] + c * one[1]], axis=1)
    _line(figure, arc, "angle", palette.pen(palette.text, 2))
    tip = place + long * one
    return [Label(_("down"), float(tip[0]), float(tip[1]), palette.other, "right" if one[0] >= 0 else "left")]


def _line(figure: go.Figure, places: Array, name: str, pen: dict[str, object]) -> None:
    x, y = places.T
    figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))


def _ends(middle: float, half: float) -> list[float]:
    return [float(middle - half), float(middle + half)]
