"""How hard a point pulls at the line, by its t = y f(x), under each of five losses (L14)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.data import Dataset
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses.over_t_chart import GRID, HI, LO, Curve, Dots, over_t
from svmlab.lab.lessons.losses.pulls import LINES, Fitted
from svmlab.lab.words import _
from svmlab.losses import LOSSES

TOP = 3.0
SPOTS = {
    "squared": (2.25, 2.5, "left"),
    "logistic": (-2.95, 0.93, "below right"),
    "exponential": (-0.93, 2.55, "left"),
    "hinge": (-2.95, 1.0, "above right"),
    "sigmoid": (-2.3, 0.08, "above right"),
}


def pulls(loss: str, found: Fitted, data: Dataset, selected: int | None, palette: Palette) -> go.Figure:
    """The pull of every loss in LINES, and the points at those that they have in the machine `found` of this loss.

    customdata of the points: id, t, pull.
    """
    at = Dots(found.t, found.pull, np.zeros(data.m))
    curves = {each: _curve(each) for each in LINES}
    return over_t(curves, loss, None, at, data, selected, _("pull |l′(t)|"), TOP, palette)


def _curve(name: str) -> Curve:
    """The pull over t; the hinge's falls at its kink."""
    corner = LOSSES[name].corner
    t = GRID if corner is None else np.array([LO, corner, np.nextafter(corner, HI), HI])
    return Curve(t, LOSSES[name].absolute_slope(t), SPOTS[name])
