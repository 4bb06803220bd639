"""The ball of a regulariser where it touches the contours of the mean hinge in the plane of w, and the path of that
place (L8).
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts import marks
from svmlab.lab.charts.contours import contours
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.losses.touching import WIDE, Ground, ball
from svmlab.lab.words import _
from svmlab.losses import length

THIN, THICK = 1.2, 3.0
JUMP = 0.15  # of the height of the chart: below p = 1 a longer step of the path is a leap


def ball_on_contours(
    ground: Ground, w: Array, loss: float, p: float, name: str, told: str, path: Array, palette: Palette
) -> go.Figure:
    """The ball of Rp through w (2,), the contours of the mean hinge, thick where it is `loss`, and the path (k, 2) of w
    along lambda.

    name: of the ball; told: w in words. The ball of p = 0 is a cross, all w with one weight at most.
    """
    figure = blank(palette, height=255)
    u, v, found = ground.shown
    steps = float(found.min()) + np.ptp(found) * np.linspace(0.0, 0.8, 13)[1:] ** 2
    heading = _("mean hinge")
    figure.add_trace(contours(u, v, found, steps, palette.pen(palette.other, THIN), heading))
    wide, high = WIDE * ground.half, ground.half
    if p == 0:
        x, y = wide * np.array([-1.0, 1.0, np.nan, 0.0, 0.0]), high * np.array([0.0, 0.0, np.nan, -1.0, 1.0])
        labels = [Label(name, 0.0, -0.75 * high, palette.accent)]
    else:
        reach = float(length(w, p))
        x, y = ball(p, reach).T
        labels = [Label(name, -min(reach, 0.93 * wide), 0.0, palette.accent, "above left")]
    fill = {} if p == 0 else {"fill": "toself", "fillcolor": faded(palette.accent, 0.2)}
    shape = go.Scatter(x=x, y=y, mode="lines", name="ball", hoverinfo="skip", line=palette.pen(palette.accent, THICK))
    figure.add_trace(shape.update(**fill))
    level = np.array([loss])
    figure.add_trace(contours(u, v, found, level, palette.pen(palette.other, THICK), heading, 1.0))
    jumps = np.flatnonzero(np.linalg.norm(np.diff(path, axis=0), axis=1) > JUMP * high) if p < 1 else np.zeros(0, int)
    way = np.insert(path, jumps + 1, np.nan, axis=0)
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    line = go.Scatter(x=way[:, 0], y=way[:, 1], mode="lines", name="path", line=palette.pen(palette.text, 2.5, "dot"))
    figure.add_trace(line.update(hovertemplate=hover))
    beyond = abs(w[0]) > wide or abs(w[1]) > high
    outside = ("→" if w[0] > wide else "←" if w[0] < -wide else "↑" if w[1] > high else "↓") if beyond else ""
    if not beyond:
        mark = marks.dots(
            palette, w[:1], w[1:], np.zeros(1), np.zeros(1, bool), palette.text, name="w", hover=hover, edge=2.0
        )
        figure.add_trace(mark)
    x0, y0 = float(np.clip(w[0], -wide, wide)), float(np.clip(w[1], -high, high))
    side = ("below " if y0 >= 0 else "above ") + ("right" if (x0 >= 0) != beyond else "left")
    labels.append(Label(f"w = {told} {outside}".rstrip(), x0, y0, palette.text, side))
    figure.update_xaxes(range=[-wide, wide], nticks=7, zeroline=True, constrain="domain")
    figure.update_yaxes(range=[-high, high], nticks=5, zeroline=True, scaleanchor="x", constrain="domain")
    axes = [Label("w₁", wide, 0.0, palette.quiet, "above left"), Label("w₂", 0.0, high, palette.quiet, "below right")]
    return place_labels(figure, palette, [*labels, *axes], backed=True)
