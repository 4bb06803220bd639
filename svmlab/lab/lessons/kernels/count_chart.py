"""The tree of products whose equal nodes merge, the rank along the points, and what either side costs (K2, K3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.kernels.features import Product, products
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import WIDTH, Label, place_labels
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import low
from svmlab.lab.words import _

ARCS = 16  # nodes in the last row up to which an arc leads to the twin
ROOM = "\u2002"  # between a mark and its name
HIGH = str.maketrans("23456789", "²³⁴⁵⁶⁷⁸⁹")


def name(word: Product, d: int) -> str:
    """A product as it is multiplied: x₂x₁; equal neighbours as a power; 1 for none."""
    if not word:
        return "1"
    out, k = "", 0
    while k < len(word):
        run = next((n for n in range(k, len(word)) if word[n] != word[k]), len(word)) - k
        out += "x" + (low(word[k] + 1) if d > 1 else "") + (str(run).translate(HIGH) if run > 1 else "")
        k += run
    return out


def tree(d: int, degree: int, constant: bool, palette: Palette) -> go.Figure:
    """Every product of at most `degree` coordinates, one more factor a row: full where it is the first of its kind, hollow repeats.

    Without the constant only the last row is coordinates, and the rows above are pale.
    """
    figure = blank(palette, height=320, left=10)
    rows = [[word for word in products(d, degree) if len(word) == k] for k in range(degree + 1)]
    at = {word: ((i + 0.5) / len(row), float(-k)) for k, row in enumerate(rows) for i, word in enumerate(row)}
    _edges(figure, at, palette)
    first = 0 if constant else degree  # the first row that counts
    twins = [word for word in at if len(word) >= first and word != tuple(sorted(word))]
    if len(rows[-1]) <= ARCS:
        _arcs(figure, at, twins, palette)
    size = palette.stroke * float(np.clip(260.0 / len(rows[-1]), 4.0, 13.0))
    kinds = {
        "path": [word for word in at if len(word) < first],
        "first": [word for word in at if len(word) >= first and word == tuple(sorted(word))],
        "repeat": twins,
    }
    fill = {"path": palette.zero, "first": palette.accent, "repeat": palette.paper}
    for kind, words in kinds.items():
        if not words:
            continue
        said = [name(w, d) if kind != "repeat" else f"{name(w, d)} = {name(tuple(sorted(w)), d)}" for w in words]
        figure.add_trace(
            go.Scatter(
                x=np.array([at[w][0] for w in words]),
                y=np.array([at[w][1] for w in words]),
                name=kind,
                mode="markers",
                text=said,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "size": 0.5 * size if kind == "path" else size,
                    "color": fill[kind],
                    "opacity": 1,
                    "line": palette.pen(palette.accent, 1.5 if kind == "repeat" else 0),
                },
            )
        )
    figure.update_xaxes(visible=False, range=[0.0, 1.0])
    figure.update_yaxes(visible=False, range=[-degree - 0.5, 0.35])
    figure.layout.margin.b = round(8 * palette.stroke)
    _names(figure, rows, at, d, first, palette)
    return figure


def _names(
    figure: go.Figure,
    rows: Sequence[Sequence[Product]],
    at: Mapping[Product, tuple[float, float]],
    d: int,
    first: int,
    palette: Palette,
) -> None:
    """The names in the rows where every one has room on either side: left of a product whose bows lead to the right."""
    words = list[Product]()
    for k, row in enumerate(rows):
        wide = palette.type * (0.5 + 0.33) * max(k, 1) + 20.0  # a letter and its small number for each factor
        if k >= first and 2 * wide * len(row) < WIDTH:
            words += row
    left = [len(set(word)) > 1 and word == tuple(sorted(word)) for word in words]
    said = [name(word, d) for word in words]
    figure.add_trace(
        go.Scatter(
            x=np.array([at[word][0] for word in words]),
            y=np.array([at[word][1] for word in words]),
            name="names",
            mode="text",
            text=[each + ROOM if to_left else ROOM + each for each, to_left in zip(said, left, strict=True)],
            textposition=["middle left" if to_left else "middle right" for to_left in left],
            textfont={"size": palette.type, "color": palette.text},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )


def _edges(figure: go.Figure, at: Mapping[Product, tuple[float, float]], palette: Palette) -> None:
    """Each product to the one with a factor more."""
    x, y = list[float](), list[float]()
    for word, (u, v) in at.items():
        if word:
            a, b = at[word[:-1]]
            x += [a, u, np.nan]
            y += [b, v, np.nan]
    figure.add_trace(
        go.Scatter(
            x=np.array(x),
            y=np.array(y),
            mode="lines",
            name="edges",
            hoverinfo="skip",
            line=palette.pen(palette.zero, 1.2),
        )
    )


def _arcs(
    figure: go.Figure, at: Mapping[Product, tuple[float, float]], twins: Sequence[Product], palette: Palette
) -> None:
    """From each repeat to the first of its kind, a bow under the row."""
    x, y = list[float](), list[float]()
    t = np.linspace(0.0, 1.0, 13)
    for word in twins:
        (a, level), (b, _same) = at[word], at[tuple(sorted(word))]
        x += [*(a + (b - a) * t).tolist(), np.nan]
        y += [*(level - 0.34 * np.sin(np.pi * t)).tolist(), np.nan]
    if twins:
        figure.add_trace(
            go.Scatter(
                x=np.array(x),
                y=np.array(y),
                mode="lines",
                name="merge",
                hoverinfo="skip",
                line=palette.pen(palette.other, 2, "dot"),
            )
        )


def rank(found: Mapping[int, Index], most: Mapping[int, int], chosen: int, n: int, palette: Palette) -> go.Figure:
    """The rank (m,) of the Gram matrix of the first 1, 2, .. m points for each number of dimensions, and where it must stop.

    chosen: the dimensions that are drawn strongly. n: how many points the board takes.
    """
    figure = blank(palette, _("points"), _("rank"), height=320)
    last = max(len(ranks) for ranks in found.values())
    labels = list[Label]()
    for d, ranks in sorted(found.items(), key=lambda each: each[0] == chosen):  # the strong one on top
        strong = d == chosen
        colour = palette.accent if strong else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(ranks) + 1),
                y=ranks,
                mode="lines+markers" if strong else "lines",
                name=f"d = {d}",
                line=palette.pen(colour, 2.5 if strong else 1.5) | {"shape": "hv"},
                marker={"size": 7 * palette.stroke},
                hovertemplate=_("points") + " %{x}<br>" + _("rank") + " %{y}" + f"<extra>d = {d}</extra>",
            )
        )
        labels.append(Label(f"d = {d}: {int(ranks[-1])}", float(len(ranks)), float(ranks[-1]), colour))
    add_rule(figure, palette, palette.other, "dash", y=most[chosen], layer="below")
    add_rule(figure, palette, palette.accent, x=n, width=1, layer="below")
    top = max(most[chosen], *(int(ranks[-1]) for ranks in found.values()))
    figure.update_xaxes(range=[0.7, last + 0.2], dtick=max(1, last // 6))
    figure.update_yaxes(range=[0, 1.12 * top], nticks=5)
    return place_labels(figure, palette, labels)


def costs(d: Array, kernel: Array, distinct: Array, repeats: Array, palette: Palette) -> go.Figure:
    """Multiplications of one kernel value and of one inner product of coordinates, along the dimensions (k,)."""
    first, second, third, *_rest = palette.series
    lines = [
        Line(_("kernel"), d, kernel, first, hover="%{y:,.0f}"),
        Line(_("different"), d, distinct, second, "dash", hover="%{y:,.0f}"),
        Line(_("repeats too"), d, repeats, third, "dot", hover="%{y:,.0f}"),
    ]
    return curves(lines, _("dimensions d"), _("products"), palette, height=300)
