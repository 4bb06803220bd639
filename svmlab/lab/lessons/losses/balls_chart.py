"""The ball of a regulariser where it touches the contours of the mean hinge in the plane of w, and the path of that place (L8)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts import marks
from svmlab.lab.charts.contours import contours
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.losses.touching import Ground, ball
from svmlab.lab.words import _
from svmlab.losses import length

THIN, THICK = 1.2, 3.0
FLAT = 0.5  # height of the plane of w in its width
JUMP = 0.15  # of the height of the chart: a longer step of the path is a jump


def touching(
    ground: Ground, w: Array, loss: float, p: float, name: str, told: str, path: Array, palette: Palette
) -> go.Figure:
    """The ball of Rp through w (2,), the contours of the mean hinge, thick where it is `loss`, and the path (k, 2) of w along lambda.

    name: of the ball; told: w in words. The ball of p = 0 is a cross, all w with one weight at most.
    """
    figure = blank(palette, height=300)
    u, v = ground.places
    steps = float(ground.loss.min()) + np.ptp(ground.loss) * np.linspace(0.0, 0.8, 13)[1:] ** 2
    heading = _("mean hinge")
    figure.add_trace(contours(u, v, ground.loss, steps, palette.pen(palette.other, THIN), heading))
    wide, high = ground.half / FLAT, ground.half
    if p == 0:
        x, y = wide * np.array([-1.0, 1.0, np.nan, 0.0, 0.0]), high * np.array([0.0, 0.0, np.nan, -1.0, 1.0])
        corner = 0.93 * wide
    else:
        corner = float(length(w, p))
        x, y = ball(p, corner).T
    fill = {} if p == 0 else {"fill": "toself", "fillcolor": faded(palette.accent, 0.2)}
    shape = go.Scatter(x=x, y=y, mode="lines", name="ball", hoverinfo="skip", line=palette.pen(palette.accent, THICK))
    figure.add_trace(shape.update(**fill))
    level = np.array([loss])
    figure.add_trace(contours(u, v, ground.loss, level, palette.pen(palette.other, THICK), heading, 1.0))
    jumps = np.flatnonzero(np.linalg.norm(np.diff(path, axis=0), axis=1) > JUMP * high)
    way = np.insert(path, jumps + 1, np.nan, axis=0)
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    line = go.Scatter(x=way[:, 0], y=way[:, 1], mode="lines", name="path", line=palette.pen(palette.text, 2.5, "dot"))
    figure.add_trace(line.update(hovertemplate=hover))
    seen = abs(w[0]) <= wide and abs(w[1]) <= high
    labels = [Label(name, -min(corner, 0.93 * wide), 0.0, palette.accent, "above left" if p else "above right")]
    if seen:
        mark = marks.dots(
            palette, w[:1], w[1:], np.zeros(1), np.zeros(1, bool), palette.text, name="w", hover=hover, edge=2.0
        )
        figure.add_trace(mark)
        labels.append(Label(f"w = {told}", float(w[0]), float(w[1]), palette.text, "above right"))
    figure.update_xaxes(range=[-wide, wide], nticks=7, zeroline=True, constrain="domain")
    figure.update_yaxes(range=[-high, high], nticks=5, zeroline=True, scaleanchor="x", constrain="domain")
    axes = [Label("w₁", wide, 0.0, palette.quiet, "above left"), Label("w₂", 0.0, high, palette.quiet, "below right")]
    return put(figure, palette, [*labels, *axes], backed=True)
