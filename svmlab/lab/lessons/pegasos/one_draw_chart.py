"""The loss of each point as the draw, less F, before and after the step that it makes (P5)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def one_draw(before: Array, after: Array, y: Array, ids: Index, selected: int | None, palette: Palette) -> go.Figure:
    """Two rows of marks (m,), `before` above `after`, with the mean of each as a tall tick and a rule at F.

    Each mark carries the id of its point as customdata; the selected one is ringed.
    """
    figure = blank(palette, _("loss of the draw − F"), height=160)
    ends = axis_range(before, after, 0.0)
    marks.add_rule(figure, palette, palette.quiet, "dash", x=0.0)
    for level, values in ((1.0, before), (0.0, after)):
        lift = 0.11 * marks.stacked(values, 0.03 * (ends[1] - ends[0]), rows=4)
        figure.add_trace(
            marks.points(
                palette,
                values,
                level + lift,
                y,
                ids,
                ids == selected,
                name="before" if level else "after",
                hover="%{x:.4g}<extra></extra>",
                edge=1.0,
            )
        )
        tick = {"symbol": "line-ns-open", "size": 30 * palette.stroke, "line": palette.pen(palette.accent, 4)}
        figure.add_trace(
            go.Scatter(
                x=np.array([values.mean()]),
                y=np.array([level]),
                name=_("mean"),
                mode="markers",
                marker=tick | {"color": palette.accent},
                hovertemplate=_("mean %{x:.4g}<extra></extra>"),
            )
        )
    figure.update_xaxes(range=ends)
    return figure.update_yaxes(range=[-0.45, 1.6], tickvals=[0, 1], ticktext=[_("after"), _("before")], showgrid=False)
