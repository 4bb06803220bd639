"""The usual chart of a step: functions of a slider as named curves, with a ring where the slider stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Dial
from svmlab.lab.words import _

SAMPLES = 241


@dataclass(frozen=True)
class Curve:
    """A function of a slider.

    name: the words at its end, marked with N_. value: returns the value at a position of the slider. colour: the name
    of a colour of the palette.
    """

    name: str
    value: Callable[[Stage, float], float]
    colour: str = "accent"


def curves_over(dial: Dial, x_title: str, y_title: str, *curves: Curve) -> Callable[[Stage], Chart]:
    """Return the chart of a step: the curves over the range of the slider, each with a ring at its present value.

    x_title, y_title: the words at the axes, marked with N_.
    """

    def chart(stage: Stage) -> Chart:
        palette, t, here = stage.palette, np.linspace(dial.lo, dial.hi, SAMPLES), dial(stage)
        figure, labels, values = blank(palette, _(x_title), _(y_title), height=270), list[Label](), []
        for curve in curves:
            colour, y = getattr(palette, curve.colour), np.array([curve.value(stage, float(v)) for v in t])
            hover = "%{x:.3g}: %{y:.4g}<extra></extra>"
            figure.add_trace(
                go.Scatter(x=t, y=y, name=curve.name, mode="lines", line=palette.pen(colour), hovertemplate=hover)
            )
            labels.append(Label(_(curve.name), float(t[-1]), float(y[-1]), colour))
            values.append(y)
        mark_current(figure, palette, here, *(curve.value(stage, here) for curve in curves))
        figure.update_xaxes(range=[dial.lo, dial.hi], zeroline=True)
        figure.update_yaxes(range=axis_range(*values), zeroline=True)
        return Chart(place_labels(figure, palette, labels))

    return chart
