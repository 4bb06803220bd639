"""The excess risk of many draws against its bound, both axes logarithmic, and the m from which on the bound allows no more than eps (G4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.generalisation import Excess, enough_points, risk_bound
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING, SIZE, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.numbers import grouped, short
from svmlab.lab.words import _

FEW, MANY = 10, 20_000  # the ends of the axis of m, unless more is needed
FLOOR = 0.004  # what is less, or below 0, stands at the foot
SIZES = (20, 80, 320)  # of the draws
BROAD = 0.05  # decades: how far the draws of one size are spread


class Room(NamedTuple):
    """A space: its name, the largest length r of a point, what was measured there, its colour."""

    name: str
    r: float
    found: Excess
    colour: str


def excess(rooms: list[Room], B: float, eps: float, palette: Palette) -> go.Figure:
    """For each room its draws, their mean and its bound r B sqrt(8/m); a ring where that comes down to eps."""
    figure = blank(palette, _("points m"), _("risk above the best"), height=300)
    needed = [enough_points(eps, room.r, B) for room in rooms]
    last = max(MANY, 2 * max(needed))
    top = 1.15 * max(risk_bound(FEW, room.r, B) for room in rooms)
    m = np.geomspace(FEW, last, 60)
    add_rule(figure, palette, palette.quiet, "dot", y=eps)
    labels = [Label("ε", np.log10(last), np.log10(eps), palette.quiet)]
    for k, (room, enough) in enumerate(zip(rooms, needed, strict=True)):
        behind = k + 1 < len(rooms)
        bound = np.array([risk_bound(float(each), room.r, B) for each in m])
        said = _("m = {m}: the bound allows {bound}").format(m="%{x:.0f}", bound="%{y:.3g}")
        pen = palette.pen(room.colour, 2.5, "dash" if behind else "solid")
        line = go.Scatter(x=m, y=bound, mode="lines", name=f"bound {room.name}", line=pen)
        figure.add_trace(line.update(hovertemplate=said + "<extra></extra>"))
        labels.append(Label(room.name, np.log10(m[-1]), np.log10(bound[-1]), room.colour))
        for trace in _draws(room, behind, palette):
            figure.add_trace(trace)
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(room.colour, RING)}
        at = go.Scatter(x=np.array([float(enough)]), y=np.array([eps]), mode="markers", name=f"enough {room.name}")
        said = _("{m} points are enough for ε = {eps}").format(m="%{x:.0f}", eps="%{y:.3g}")
        figure.add_trace(at.update(marker=ring, hovertemplate=said + "<extra></extra>"))
    ticks = [*SIZES, *10 ** np.arange(3, 1 + int(np.log10(last)))]
    words = [grouped(int(each)) if each < 10**6 else short(float(each)) for each in ticks]
    figure.update_xaxes(type="log", range=[np.log10(FEW), np.log10(last)], tickvals=ticks, ticktext=words)
    figure.update_yaxes(**log(np.log10(FLOOR), np.log10(top)))
    return place_labels(figure, palette, _told_once(labels), backed=True)


def _told_once(labels: list[Label]) -> list[Label]:
    """Bounds that lie on each other share their label."""
    kept = list[Label]()
    for label in reversed(labels):
        if all(abs(label.y - other.y) > 1e-6 or other.text == "ε" for other in kept):
            kept.append(label)
    return kept[::-1]


def _draws(room: Room, behind: bool, palette: Palette) -> list[go.Scatter]:
    """The draws, spread sideways, and their means."""
    found = room.found
    sizes = np.array(found.m, dtype=float)
    aside = 10.0 ** np.linspace(-BROAD, BROAD, found.excess.shape[1])
    x, true = (sizes[:, None] * aside).ravel(), found.excess.ravel()
    told = np.stack([np.repeat(sizes, len(aside)), true], 1)
    colour = palette.quiet if behind else room.colour
    spot = {"size": (8 if behind else 5) * palette.stroke, "color": CLEAR if behind else colour}
    spot["line"] = palette.pen(colour, 1.2 if behind else 0)
    hover = _("a draw of {m} points: {excess}").format(m="%{customdata[0]:.0f}", excess="%{customdata[1]:.3g}")
    dots = go.Scatter(x=x, y=np.maximum(true, FLOOR), mode="markers", name=f"draws {room.name}", customdata=told)
    dots.update(marker=spot, hovertemplate=hover + "<extra></extra>")
    if behind:
        return [dots]
    mark = {"size": SIZE * palette.stroke, "symbol": "diamond", "color": palette.text}
    mark["line"] = palette.pen(palette.paper, 1.5)
    means = go.Scatter(x=sizes, y=np.maximum(found.mean, FLOOR), mode="lines+markers", name=f"mean {room.name}")
    hover = _("mean of {n} draws of {m} points: {excess}").format(
        n=len(aside), m="%{x:.0f}", excess="%{customdata:.3g}"
    )
    means.update(marker=mark, line=palette.pen(palette.text, 1.5), customdata=np.asarray(found.mean))
    return [dots, means.update(hovertemplate=hover + "<extra></extra>")]
