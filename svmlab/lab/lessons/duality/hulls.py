"""The dual on the board: the nearest places of two hulls, shrunk by C (H2, S1).

    v_i = alpha_i / sum of alpha over i's class,  0 <= v_i <= C / that sum,  w = that sum times (p - q)

p and q are the mixtures of the two classes with weights v, and no places of the hulls so shrunk are nearer to each
other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import hull, reduced_hull


def total(stage: Stage) -> float:
    """What the multipliers of either class add up to: with a bias both alike."""
    return 0.5 * float(stage.solution.alpha.sum())


def ceiling(stage: Stage) -> float:
    """The largest share that a point may have of its class: C over the sum, 1 where that is no bound."""
    top = stage.lab.C / total(stage)
    return 1.0 if top > 1.0 - 1e-9 else top


def places(stage: Stage) -> Array:
    """The mixtures of both classes with the weights of the dual, (2, 2), class +1 first."""
    alpha, data = stage.solution.alpha, stage.data
    return np.array([alpha[data.y == s] @ data.X[data.y == s] / alpha[data.y == s].sum() for s in (1, -1)])


def outline(corners: Array, style: str) -> Data:
    """A closed polygon."""
    return stroke(np.vstack([corners, corners[:1]]), style)


def draw(stage: Stage) -> Data:
    """Both hulls, thin whole and strong as C shrinks them, and the way between their nearest places."""
    if not stage.shown:
        return {}
    data, top, half = stage.data, ceiling(stage), stage.lab.view
    items: list[Data] = []
    for label, style in ((1, "plus"), (-1, "minus")):
        X = data.X[data.y == label]
        if top < 1.0:
            items.append(outline(hull(X), "faint"))
        items.append(outline(stage.cached(f"shrunk {label}", lambda X=X: reduced_hull(X, top)), style))  # type: ignore[misc]
    ends = places(stage)
    items += [stroke(ends, "witness-line"), *(stroke(np.r_[x, 0.015 * half], "witness-line", "disc") for x in ends)]
    return {"overlay": items, "slack": []}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How near the places are, by themselves and by w, and the ceiling."""
    if not stage.shown:
        return ()
    p, q = places(stage)
    top = ceiling(stage)
    return [
        reading(_("between the places"), float(np.hypot(*(p - q)))),
        reading("|w| / Σ₊ α", stage.solution.norm_w / total(stage)),
        reading(_("no share above"), top) if top < 1.0 else reading(_("no share above"), _("1: whole hulls")),
    ]


def chart(stage: Stage) -> Chart:
    """Each point's share of its class, and the ceiling; a click selects the point."""
    share = stage.solution.alpha / total(stage)
    rows = np.flatnonzero(stage.solution.support)
    data = stage.data
    figure = shares(share, data.y, data.ids, rows, ceiling(stage), stage.lab.selected, stage.palette)
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """What the segment is to the line."""
    if ceiling(stage) < 1.0:
        return _(
            "$w$ points along the segment, and the boundary stands upright on it. Where hulls overlap no "
            "whole ones would "
            "do: the ceiling shrinks them apart."
        )
    return _(
        "$w$ points along the segment, and the boundary stands upright on its middle. Its length is the "
        "width of the street."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Why the dual is this."""
    return [
        _(
            "Write $\\alpha_i = S\\,v_i$ where $S$ is the sum of $\\alpha$ over one class (the same for "
            "both, $y^\\top\\alpha = 0$). "
            "The dual becomes $2S - \\tfrac12 S^2\\|p - q\\|^2$: for every $S$ the best weights $v$ are "
            "those that bring $p$ and "
            "$q$ together as near as the ceiling $C/S$ allows."
        ),
        _(
            "The hulls so shrunk are called reduced convex hulls. At their smallest, all weights alike, each "
            "is one place: the "
            "mean of its class. With $C = \\infty$ they are whole, and must not meet."
        ),
    ]


def shares(
    share: Array, y: Array, ids: Index, rows: Index, ceiling: float, selected: int | None, palette: Palette
) -> go.Figure:
    """The shares (m,) of the points `rows` as bars in the colours of their classes, and the ceiling where it is below
    1.
    """
    figure = blank(palette, _("point"), _("share"), height=260)
    order = rows[np.lexsort((-share[rows], -y[rows]))]
    names = np.array([str(i + 1) for i in order])
    hover = _("point") + " %{x}: v = %{y:.10g}<extra></extra>"
    chosen = ids[order] == selected
    figure.add_trace(marks.bars(palette, names, share[order], y[order], ids[order], chosen, name="share", hover=hover))
    top = max(float(share[rows].max(initial=0.0)), ceiling if ceiling < 1.0 else 0.0)
    figure.update_yaxes(range=[0, 1.2 * top], nticks=4)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    figure.update_layout(bargap=0.45)
    if ceiling >= 1.0:
        return figure
    marks.add_rule(figure, palette, palette.other, "dash", y=ceiling)
    return place_labels(figure, palette, [Label(_("ceiling"), len(rows) - 0.5, ceiling, palette.other)])


HULLS = Step(
    key="hulls",
    title=N_("Two hulls, two places"),
    question=N_(
        "Let the weights of each class add up to 1: they mix its points to one place in its hull. Which "
        "two places do the "
        "best weights of the dual give?"
    ),
    choices=(
        right(N_("The two nearest ones")),
        wrong(N_("The middles of the classes"), N_("All weights alike would; but most of the best ones are 0.")),
        wrong(
            N_("Two of the points"),
            N_("Sometimes; but the nearest place may lie on an edge, between points."),
        ),
    ),
    verdict=lambda stage: (
        _("The two nearest places of the hulls.")
        if ceiling(stage) >= 1.0
        else _("The two nearest, in hulls that C has shrunk.")
    ),
    board=preset("overlapping", size=16, noise=0.6, seed=3, value=1.0),
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOLVED, NONZERO_W, at_most(60)),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\min\;\Bigl\|\sum\nolimits_{+}v_ix_i-\sum\nolimits_{-}v_ix_i\Bigr\|,\quad 0\le v_i\le "
        r"C/\!\sum\nolimits_{+}\alpha"
    ),
    more=more,
    tries=(
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
        Try("C = 100", set_machine(hard=False, face="C", value=100.0)),
        Try(N_("Hard margin"), board=TWELVE),
    ),
    shows=("H2", "S1"),
)
