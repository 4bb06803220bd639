"""Every point by a number of its own, in a row for its class, between vertical lines."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts.marks import add_rule, points, stacked
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette


def rows_chart(
    values: Array,
    data: Dataset,
    chosen: int | None,
    borders: Mapping[float, str],
    x: str,
    names: tuple[str, str],
    palette: Palette,
) -> go.Figure:
    """Return a chart of `values` (m,) of the points; overlapping points are moved upwards.

    customdata is the point's id.

    chosen: the id of the point that is ringed. borders: the dash of the vertical line at each of these values. names:
    the names of the classes, +1 first.
    """
    figure = empty_chart(palette, x, height=230, left=14)
    lo, hi = axis_range(values, np.array([*borders]), room=0.09)
    classes = ((1, 1.0, names[0]), (-1, 0.0, names[1]))
    for sign, row, name in classes:
        in_class = data.y == sign
        level = row + 0.13 * stacked(values[in_class], 0.03 * (hi - lo))
        ids = data.ids[in_class]
        marks = points(
            palette,
            values[in_class],
            level,
            data.y[in_class],
            ids,
            ids == chosen,
            name=name,
            hover="%{x:.4g}<extra></extra>",
        )
        figure.add_trace(marks)
    for border, dash in borders.items():
        add_rule(figure, palette, palette.quiet, dash, x=border)
    figure.update_yaxes(visible=False, range=[-0.45, 1.95])
    figure.update_xaxes(range=[lo, hi])
    return place_labels(
        figure, palette, [Label(name, hi, row, palette.class_colour(sign)) for sign, row, name in classes]
    )
