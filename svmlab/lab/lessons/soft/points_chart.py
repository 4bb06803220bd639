"""Charts in which every point of the board is a mark: the hinge loss (S3, S12, S15) and each vector's own b (S7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index, Mask
from svmlab.data import Dataset
from svmlab.lab.charts.style import LIGHT, Palette, plain, tag


def hinge(
    data: Dataset,
    margins: Array,
    xi: Array,
    selected: int | None,
    words: tuple[str, str, str, str],
    palette: Palette = LIGHT,
) -> go.Figure:
    """The hinge and the 0/1 loss over y f, and every point at (y f, xi), xi being the program's own variable.

    words: x axis, y axis, names of the hinge and of the 0/1 loss. customdata of the points: their ids.
    """
    x, y, name, zero_one = words
    lo, hi = min(-1.0, float(margins.min())), max(2.0, float(margins.max()))
    pad = 0.06 * (hi - lo)
    figure = go.Figure()
    curves = (
        (name, [lo - pad, 1.0, hi + pad], [1.0 - lo + pad, 0.0, 0.0], palette.accent, "solid"),
        (zero_one, [lo - pad, 0.0, 0.0, hi + pad], [1.0, 1.0, 0.0, 0.0], palette.quiet, "dash"),
    )
    for title, xs, ys, colour, dash in curves:
        line = {"color": colour, "width": 2.5, "dash": dash}
        figure.add_trace(go.Scatter(x=xs, y=ys, name=title, mode="lines", line=line, hoverinfo="skip"))
    tag(figure, lo - pad, 1.0, zero_one, palette.quiet, xshift=4, yanchor="top", yshift=-2)
    tag(figure, 1.0, 0.0, name, palette.accent, xshift=8, yshift=10)
    figure.add_trace(_dots(data, margins, xi, selected, palette, f"{x} = %{{x:.6g}}<br>ξ = %{{y:.6g}}"))
    plain(figure, 340)
    return figure.update_xaxes(title=x, range=[lo - pad, hi + pad]).update_yaxes(title=y, rangemode="tozero")


def offsets(
    data: Dataset, rows: Index, each: Array, free: Mask, b: tuple[float, float], mean: float, selected: int | None,
    words: tuple[str, str, str, str, str], palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """Y_k - g_k of the support vectors in two rows, free above and at C below, with the true b (or interval) and the mean of all.

    words: x axis, the two rows, the labels of b and of the mean. customdata of the points: their ids.
    """
    x, above, below, true, average = words
    figure = go.Figure()
    part = Dataset(data.X[rows], data.y[rows], data.ids[rows])
    figure.add_trace(_dots(part, each, np.where(free, 1.0, 0.0), selected, palette, f"{x} = %{{x:.8g}}"))
    plain(figure, 250, left=78)
    lo, hi = b
    if hi - lo > 1e-9:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=palette.accent, opacity=0.16, line_width=0)
    for at in {lo, hi}:
        figure.add_vline(x=at, line={"color": palette.accent, "width": 2.5})
    figure.add_vline(x=mean, line={"color": palette.other, "width": 2.5, "dash": "dash"})
    right = mean >= 0.5 * (lo + hi)
    tag(figure, hi if not right else lo, 1.55, true, palette.accent, xanchor="left" if not right else "right", yanchor="middle",
          xshift=4 if not right else -4)  # fmt: skip
    tag(figure, mean, 1.55, average, palette.other, xanchor="left" if right else "right", yanchor="middle",
          xshift=4 if right else -4)  # fmt: skip
    figure.update_yaxes(range=[-0.5, 1.9], tickvals=[0, 1], ticktext=[below, above])
    places = [v for v in (*each.tolist(), lo, hi, mean) if np.isfinite(v)]
    middle, reach = 0.5 * (min(places) + max(places)), 0.55 * (max(places) - min(places))
    reach = max(reach, 1e-3 * max(1.0, abs(middle)))  # rounding is no distance
    return figure.update_xaxes(title=x, range=[middle - reach, middle + reach])


def _dots(data: Dataset, x: Array, y: Array, selected: int | None, palette: Palette, hover: str) -> go.Scatter:
    return go.Scatter(
        x=x, y=y, mode="markers", name="points", customdata=data.ids,
        marker={
            "size": [15 if i == selected else 10 for i in data.ids], "color": [palette.of(s) for s in data.y],
            "symbol": ["circle" if s > 0 else "square" for s in data.y], "opacity": 0.85,
            "line": {"color": [palette.accent if i == selected else palette.paper for i in data.ids],
                     "width": [3 if i == selected else 1 for i in data.ids]},
        },
        hovertemplate="point %{customdata}<br>" + hover + "<extra></extra>",
    )  # fmt: skip
