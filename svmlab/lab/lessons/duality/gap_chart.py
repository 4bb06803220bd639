"""Two values that close on the optimum from both sides (H3)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.ascent import Ascent
from svmlab.lab.words import _


def gap(run: Ascent, best: float, palette: Palette) -> go.Figure:
    """Both values along the steps, and the exact optimum `best` as a line between them."""
    figure = blank(palette, _("step"), _("value"), height=320, along=True, zoom=True)
    t = np.arange(run.steps + 1)
    feasible = np.isfinite(run.primal)
    lines = [
        ("dual", _("dual"), t, run.dual, palette.accent),
        ("primal", _("primal"), t[feasible], run.primal[feasible], palette.text),
    ]
    labels = [Label(_("optimum"), run.steps, best, palette.other)]
    for name, said, x, y, colour in lines:
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=name,
                mode="lines+markers" if run.steps <= 60 else "lines",
                marker={"size": 6 * palette.stroke},
                line=palette.pen(colour) | {"shape": "hv" if name == "primal" else "linear"},
                hovertemplate="%{y:.8g}",
            )
        )
        if len(x):  # in the middle, where they are still apart
            k = min(max(1, len(x) // 6), len(x) - 1)
            side = "below right" if name == "dual" else "above right"
            labels.append(Label(said, float(x[k]), float(y[k]), colour, side))
    dashed = palette.pen(palette.other, 2, "dash")
    figure.add_shape(type="line", x0=0, x1=run.steps, y0=best, y1=best, line=dashed)
    top = float(run.primal[feasible][0]) if feasible.any() else float(run.dual.max())
    ceiling = min(top, 3.0 * best)
    figure.update_xaxes(range=[-0.02 * run.steps, 1.02 * run.steps + 0.1])
    figure.update_yaxes(range=[-0.04 * ceiling, 1.12 * ceiling], nticks=4)
    return place_labels(figure, palette, labels)
