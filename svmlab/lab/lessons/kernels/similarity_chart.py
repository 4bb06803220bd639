"""What each support vector says at a place, over its distance, and what that adds up to (K14)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.words import _

BARS = 70  # so many bars side by side would fill the chart


def terms(
    far: Array,
    term: Array,
    k: Array,
    alpha: Array,
    y: Array,
    ids: Index,
    rows: Index,
    b: float,
    falls: tuple[Array, Array] | None,
    selected: int | None,
    palette: Palette,
) -> go.Figure:
    """Bars `term` (k,) at the distances `far` (k,), rising; the line that adds them to b.

    falls: distances (n,) and k there (n,), drawn as high as the chart; None where k is no matter of distance.
    """
    figure = blank(palette, _("distance from u"), _("α y k(x, u)"), height=260)
    reach = 1.03 * float(far[-1]) or 1.0
    top = float(np.abs(term).max())
    sums = b + np.r_[0.0, np.cumsum(term)]
    names = [Label(f"f(u) = {short(float(sums[-1]), 3, ROUNDING)}", reach, float(sums[-1]), palette.accent)]
    if falls is not None:
        tall = max(top, float(sums.max()))
        line = palette.pen(palette.quiet, 1.5, "dot")
        curve = go.Scatter(x=falls[0], y=tall * falls[1], name="k", mode="lines", line=line, hoverinfo="skip")
        figure.add_trace(curve)
        half = int(np.abs(falls[1] - 0.8 * falls[1][0]).argmin())
        names.append(Label("k", float(falls[0][half]), tall * float(falls[1][half]), palette.quiet, "above right"))
    custom = np.stack([ids, rows + 1, k, alpha], 1)
    hover = _("point") + (
        " %{customdata[1]}<br>|x − u| = %{x:.4g}<br>k = %{customdata[2]:.4g}<br>α = %{customdata[3]:.4g}"
        "<br>α y k = %{y:.6g}<extra></extra>"
    )
    bars = marks.bars(palette, far, term, y, custom, ids == selected, name="terms", hover=hover, width=reach / BARS)
    figure.add_trace(bars)
    x = np.r_[0.0, np.repeat(far, 2), reach]
    line = go.Scatter(
        x=x,
        y=np.repeat(sums, 2),
        name="sum",
        mode="lines",
        line=palette.pen(palette.accent, 2.0),
        hovertemplate=_("b and the bars up to here") + ": %{y:.5g}<extra></extra>",
    )
    figure.add_trace(line)
    figure.update_xaxes(range=[-0.02 * reach, reach], nticks=7)
    figure.update_yaxes(
        range=axis_range(sums, term, 0.0, max(top, float(sums.max())) if falls else 0.0, room=0.1),
        nticks=5,
        zeroline=True,
    )
    return place_labels(figure, palette, names, backed=True)
