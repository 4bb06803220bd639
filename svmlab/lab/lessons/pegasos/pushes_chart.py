"""What each push of a run entered w with, and what it weighs now (P2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def pushes(
    lam: float, most: int, pushed: Mask, labels: Array, ids: Index, selected: int | None, palette: Palette
) -> go.Figure:
    """Bars of the steps that `pushed` (t,) among `most` at most: 1/(lam t) in the colour of the class, and pale above it up to 1/(lam s).

    Each bar carries the id of the drawn point as customdata; those of the selected point are outlined.
    """
    t = len(pushed)
    s = np.flatnonzero(pushed) + 1
    now = 1.0 / (lam * t)
    entered = 1.0 / (lam * s)
    figure = blank(palette, _("step s"), _("weight"), height=160)
    data = np.c_[ids[pushed], entered]
    chosen = ids[pushed] == selected
    bars = marks.bars(
        palette,
        s,
        np.full(len(s), now),
        labels[pushed],
        data,
        chosen,
        name="now",
        hover=_("entered with %{customdata[1]:.4g}, weighs %{y:.4g} now<extra></extra>"),
    )
    figure.add_trace(bars)
    lost = {"color": palette.classes(labels[pushed]), "opacity": 0.22}
    figure.add_trace(go.Bar(x=s, y=entered - now, name="lost", hoverinfo="skip", customdata=data, marker=lost))
    marks.add_rule(figure, palette, palette.text, "dash", y=now)
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_xaxes(range=[0.4, most + 0.6], dtick=1, showgrid=False)
    figure.update_yaxes(range=[0.0, 1.06 / lam], nticks=4)
    return place_labels(figure, palette, [Label("1/(λt)", most + 0.6, now, palette.text)])
