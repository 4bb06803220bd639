"""Direct labels: words at the end of a line or beside a mark, in its colour, separated if two would overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.plot.frame import LINE
from svmlab.plot.palette import Palette

WIDTH = 480.0  # the least width of a chart beside a board, in px
BESIDE = 6.0  # px between a mark and its label
BACKING = 6  # px by which a background is taller than a line
MARGIN = 4.0
NARROW, WIDE = set("iljtfrI1.,:;'|!()[]/‖ "), set("mwMWΣ%−+=…√θ\u2003")


class Label(NamedTuple):
    """Words at a position; on a log axis x and y are decimal logarithms.

    colour: the colour of the named object, which the words get in a readable shade. side: where the words are, seen
    from the position: "right", "left", "above", "below", "above right" and so on, or "" for on it.
    """

    text: str
    x: float
    y: float
    colour: str
    side: str = "right"


def width(text: str, size: float) -> float:
    """Return roughly how many px a text takes, without its tags."""
    letters = re.sub(r"<[^>]*>", "", text)
    return size * sum(0.33 if c in NARROW else 0.84 if c in WIDE else 0.56 for c in letters)


def axis_name(figure: go.Figure, text: str, palette: Palette) -> Label:
    """Return the name of the x axis, whose ranges are set, to the right of its ticks, where it takes no height."""
    figure.layout.margin.b += round(MARGIN)
    return Label(
        "\u2003" + text, figure.layout.xaxis.range[1], figure.layout.yaxis.range[0], palette.quiet, "below right"
    )


def place_labels(
    figure: go.Figure, palette: Palette, labels: Sequence[Label], row: int = 1, backed: bool = False
) -> go.Figure:
    """Write the labels of one panel, whose ranges are set, moved up or down as little as possible so that none overlap.

    The right margin grows to hold them. backed: with a background, for labels on top of other lines.
    """
    if not labels:
        return figure
    n = "" if row == 1 else str(row)
    x_axis, y_axis, margin = figure.layout[f"xaxis{n}"], figure.layout[f"yaxis{n}"], figure.layout.margin
    (left, right), (bottom, top) = x_axis.range, y_axis.range
    low, high = y_axis.domain or (0.0, 1.0)
    height = (figure.layout.height - margin.t - margin.b) * (high - low)
    x = np.array([(label.x - left) / (right - left) for label in labels])
    y = np.clip([(label.y - bottom) / (top - bottom) for label in labels], 0.0, 1.0)
    words = np.array([width(label.text, palette.type) for label in labels])
    before = np.array([_before(label.side, w) for label, w in zip(labels, words, strict=True)])

    # x (room - r) + before + words <= room gives the margin r that a label needs.
    room = WIDTH - margin.l
    needed = ((x - 1) * room + before + words + MARGIN)[x > 0.5] / x[x > 0.5]
    margin.r = int(np.ceil(max([margin.r, *needed])))
    across = height * (right - left) / (top - bottom) if y_axis.scaleanchor else room - margin.r

    line_height = LINE * palette.type
    starts = x * across + before
    wanted = y * height + [_up(label.side, line_height + (BACKING if backed else 0)) for label in labels]
    ceiling = height + margin.t - line_height / 2 if high == 1 else max(height, wanted.max())
    within = min(0.0, wanted.min()), ceiling
    middle = wanted.copy()
    for together in _groups(starts, starts + words):
        middle[together] = keep_apart(wanted[together], line_height, within)
    paper = {"bgcolor": palette.paper} if backed else {}
    for label, at, up in zip(labels, y, middle - y * height, strict=True):
        sideways = ("right" in label.side) - ("left" in label.side)
        figure.add_annotation(
            x=label.x,
            y=bottom + float(at) * (top - bottom),
            xref=f"x{n}",
            yref=f"y{n}",
            text=label.text,
            showarrow=False,
            xanchor=("right", "center", "left")[sideways + 1],
            yanchor="middle",
            xshift=BESIDE * sideways,
            yshift=round(float(up), 1),
            font={"color": palette.ink(label.colour), "size": palette.type},
            **paper,
        )
    return figure


def keep_apart(at: Sequence[float] | Array, gap: float, within: tuple[float, float] = (-np.inf, np.inf)) -> list[float]:
    """Return the heights nearest to these, in the same order and at least `gap` apart.

    Minus i gaps, the i-th height from below must not decrease. The least-squares solution of that pools neighbours
    that decrease (Ayer and others 1955), so crowded labels spread around their mean.
    """
    order = np.argsort(at, kind="stable")
    steps = gap * np.arange(len(order))
    pools: list[tuple[float, int]] = []
    for value in np.asarray(at, dtype=float)[order] - steps:
        mean, n = float(value), 1
        while pools and pools[-1][0] > mean:
            other, k = pools.pop()
            mean, n = (n * mean + k * other) / (n + k), n + k
        pools.append((mean, n))
    level = np.repeat([mean for mean, _ in pools], [n for _, n in pools]) if pools else np.zeros(0)
    rising = np.maximum(np.minimum(level, within[1] - gap * (len(order) - 1)), within[0])
    heights = np.empty(len(order))
    heights[order] = rising + steps
    return heights.tolist()


def _before(side: str, wide: float) -> float:
    """Return how far from their position the words begin."""
    return BESIDE if "right" in side else -BESIDE - wide if "left" in side else -wide / 2


def _up(side: str, tall: float) -> float:
    """Return how far the centre of the words is above their position."""
    return (("above" in side) - ("below" in side)) * (tall / 2 + BESIDE)


def _groups(starts: Array, ends: Array) -> list[list[int]]:
    """Return the groups of labels that overlap horizontally, whatever their heights."""
    groups: list[list[int]] = []
    reach = -np.inf
    for i in np.argsort(starts):
        if starts[i] >= reach:
            groups.append([])
        groups[-1].append(int(i))
        reach = max(reach, float(ends[i]))
    return [sorted(group) for group in groups]
