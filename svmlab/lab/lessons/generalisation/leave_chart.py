"""Three bars made of points: those that go wrong when they are left out, those that could, and the support vectors."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _

THICK, GAP = 0.4, 0.07  # of a row, and of a point's place on each side


def nested(
    wrong: Mask | None, pulling: Mask, support: Mask, y: Array, ids: Index, chosen: Mask, palette: Palette
) -> go.Figure:
    """Each bar has a cell for each of its points (m,), in one order for all three. wrong: None while it is not known.

    customdata: the id, and the point's number.
    """
    m = len(y)
    first = np.zeros(m, dtype=bool) if wrong is None else wrong
    place = np.empty(m, dtype=int)
    place[np.lexsort((-y, ~support, ~pulling, ~first))] = np.arange(m)
    figure = blank(palette, _("points"), height=250)
    rows = (
        (2, first, _("go wrong when left out"), wrong is not None),
        (1, pulling, _("2αR² + ξ ≥ 1"), True),
        (0, support, _("support vectors"), True),
    )
    labels = []
    for level, mask, name, known in rows:
        at = np.flatnonzero(mask)
        hover = _("point") + " %{customdata[1]}<br>" + name + "<extra></extra>"
        cells = marks.bars(
            palette,
            np.full(len(at), 1.0 - 2 * GAP),
            np.full(len(at), float(level)),
            y[at],
            np.stack([ids[at], at + 1], 1),
            chosen[at],
            name=name,
            hover=hover,
            base=place[at] + GAP,
            width=THICK,
            orientation="h",
        )
        figure.add_trace(cells)
        told = f"{name}: {int(mask.sum())}" if known else f"{name} …"
        labels.append(Label(told, 0.0, level + 0.5 * THICK, palette.text, "above right"))
    figure.update_xaxes(range=[0.0, float(m)], nticks=7)
    figure.update_yaxes(range=[-0.35, 2.75], showticklabels=False, showgrid=False)
    figure.update_layout(barmode="overlay")
    return place_labels(figure, palette, labels)
