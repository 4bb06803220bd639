"""The usual chart of a step: functions of a slider as named curves, with a ring where the slider stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab.lab.charts.curves import NamedCurve, named_curves
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
        t, here = np.linspace(dial.lo, dial.hi, SAMPLES), dial(stage)
        named = [
            NamedCurve(
                _(curve.name),
                np.array([curve.value(stage, float(v)) for v in t]),
                curve.value(stage, here),
                getattr(stage.palette, curve.colour),
            )
            for curve in curves
        ]
        return Chart(named_curves(stage.palette, _(x_title), _(y_title), t, named, here))

    return chart
