"""What the machines say at one place, and how much of the square has so many of them say yes (X1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import low, short
from svmlab.lab.words import _

WIDE = 0.56  # of a bar, where the next is 1 away


def at_place(f: Array, factors: Array, classes: Sequence[int], noise: float, palette: Palette) -> go.Figure:
    """F (k,) of each machine at a place, taken `factors` (k,) times, as a bar from 0, the first class at the top; the largest is named, and what ties with it."""
    k, top = len(classes), f >= f.max() - noise
    figure = blank(palette, _("f at u"), height=90 + 62 * k, left=14)
    lo, hi = axis_range(f, 0.0, -1.0, 1.0, room=0.08)
    add_rule(figure, palette, palette.quiet, x=0.0)
    labels = []
    for row, (name, value, factor) in enumerate(zip(classes, f.tolist(), factors.tolist(), strict=True)):
        times = "" if factor == 1.0 else f"{short(factor, 3)} "
        said = f"{times}f{low(name)} = {short(value, 3, noise)}"
        bar = go.Bar(
            x=np.array([value]),
            y=np.array([k - 1 - row]),
            width=WIDE,
            orientation="h",
            name=str(name),
            marker={"color": palette.of(name), "line": palette.pen(palette.text, 3 if top[row] else 0)},
            hovertemplate=f"{times}f{low(name)} = {short(value, 6, noise)}<extra></extra>",
        )
        figure.add_trace(bar)
        largest = _("{value}, largest").format(value=said)
        labels.append(Label(f"<b>{largest}</b>" if top[row] else said, hi, k - 1 - row, palette.of(name)))
    figure.update_yaxes(visible=False, range=[-0.6, k - 0.4])
    figure.update_xaxes(range=[lo, hi], nticks=7)
    return place_labels(figure, palette, labels)


def shares(part: Array, classes: Sequence[int], palette: Palette) -> go.Figure:
    """Of the square, part (n, k): so many machines say yes, 0 at the top, and class k is given, in its colour; nobody's is hatched."""
    n = len(part)
    figure = blank(palette, _("of the square, %"), height=90 + 62 * n, left=14)
    sums = 100 * part.sum(1)
    rows = n - 1.0 - np.arange(n)
    for column, name in enumerate(classes):
        told = _("class {k} is given").format(k=name) + ": %{x:.3g} %<extra></extra>"
        colour = palette.of(name)
        figure.add_trace(
            go.Bar(
                x=100 * part[:, column],
                y=rows,
                width=WIDE,
                orientation="h",
                name=str(name),
                marker={
                    "color": np.array([palette.paper] + [colour] * (n - 1)),
                    "line": palette.pen(colour, 1.5),
                    "pattern": {
                        "shape": ["\\"] + [""] * (n - 1),
                        "fgcolor": colour,
                        "bgcolor": palette.paper,
                        "size": 7 * palette.stroke,
                        "solidity": 0.3,
                    },
                },
                hovertemplate=told,
            )
        )
    names = [_("no machine says yes"), _("exactly one"), _("two"), _("three"), _("four")]
    labels = [
        Label(f"{names[i]}: {short(float(total), 2)} %", float(total), float(rows[i]), palette.text)
        for i, total in enumerate(sums)
    ]
    figure.update_layout(barmode="stack")
    figure.update_yaxes(visible=False, range=[-0.6, n - 0.4])
    figure.update_xaxes(range=[0, 1.04 * max(float(sums.max()), 1.0)], nticks=6)
    return place_labels(figure, palette, labels)
