"""The threshold of the hard margin (S10)."""

from __future__ import annotations

import plotly.graph_objects as go

from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.along import PathSamples


def threshold(found: PathSamples, C0: float, C: float, palette: Palette) -> go.Figure:
    """|w_C| and the total slack around C0, from which on nothing changes; C on a linear axis."""
    figure = blank(palette, height=150)
    curves = (("|w|", found.norm_w, palette.accent), ("Σ ξ", found.slack, palette.other))
    for name, y, colour in curves:
        trace = go.Scatter(x=found.C, y=y, name=name, mode="lines", line=palette.pen(colour))
        figure.add_trace(trace.update(hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.6g}}<extra></extra>"))
    add_rule(figure, palette, palette.quiet, "dash", x=C0)
    lo, hi = float(found.C[0]), float(found.C[-1])
    top = axis_range(found.norm_w, found.slack, 0.0)[1]
    figure.update_xaxes(range=[lo, hi], nticks=6).update_yaxes(range=[0.0, top], nticks=4)
    if lo <= C <= hi:
        add_rule(figure, palette, palette.accent, "dot", x=C)
    ends = [Label(name, hi, float(y[-1]), colour) for name, y, colour in curves]
    return place_labels(
        figure, palette, [*ends, Label("C₀", C0, 0.5 * top, palette.quiet, "right"), axis_name(figure, "C", palette)]
    )
