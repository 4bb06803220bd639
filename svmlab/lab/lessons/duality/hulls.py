"""The dual on the board: the nearest points of two convex hulls, reduced by C (H2, S1).

    v_i = alpha_i / S,  S = sum of alpha over one class,  0 <= v_i <= C / S,  w = S (p - q)

p and q are the convex combinations of the two classes with the weights v.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import hull, reduced_hull
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

WEIGHTS = Dial(
    "optimal",
    N_("The weights v from 0 (equal in each class) to 1 (optimal)"),
    N_("equal to optimal v"),
    0.0,
    1.0,
    0.02,
    start=1.0,
)


def class_sum(stage: Stage) -> float:
    """Return S, the sum of the multipliers of one class. With a bias it is the same for both."""
    return 0.5 * float(stage.solution.alpha.sum())


def upper_bound(stage: Stage) -> float:
    """Return the largest weight that a point can have in its class: C/S, or 1 if that is less."""
    bound = stage.lab.C / class_sum(stage)
    return 1.0 if bound > 1.0 - 1e-9 else bound


def combination(stage: Stage) -> Array:
    """Return the weights v on the board, shape (m,): 1 - t times equal weights plus t times the optimal ones."""
    t = WEIGHTS(stage) if stage.lab.hard else 1.0
    y = stage.data.y
    equal = 1.0 / np.where(y > 0, (y > 0).sum(), (y < 0).sum())
    return np.asarray((1.0 - t) * equal + t * stage.solution.alpha / class_sum(stage))


def ends(stage: Stage) -> Array:
    """Return p and q for the weights on the board, shape (2, 2)."""
    data, v = stage.data, combination(stage)
    return np.array([v[data.y == s] @ data.X[data.y == s] for s in (1, -1)])


def distance(stage: Stage) -> float:
    """Return the distance between p and q."""
    p, q = ends(stage)
    return float(np.hypot(*(p - q)))


def outline(corners: Array, style: str) -> Data:
    """Return a closed polygon."""
    return stroke(np.vstack([corners, corners[:1]]), style)


def draw(stage: Stage) -> Data:
    """Return the reduced hulls, the whole ones as thin lines, and the segment from p to q."""
    if not stage.shown:
        return {}
    data, bound, half = stage.data, upper_bound(stage), stage.lab.view
    items: list[Data] = []
    for label, style in ((1, "plus"), (-1, "minus")):
        X = data.X[data.y == label]
        if bound < 1.0:
            items.append(outline(hull(X), "faint"))
        items.append(outline(stage.cached(f"reduced {label}", lambda X=X: reduced_hull(X, bound)), style))  # type: ignore[misc]
    pair = ends(stage)
    items += [stroke(pair, "witness-line"), *(stroke(np.r_[x, 0.015 * half], "witness-line", "disc") for x in pair)]
    return {"overlay": items, "slack": []} | ({"sliders": [WEIGHTS.as_json(stage)]} if stage.lab.hard else {})


def situation(stage: Stage) -> str:
    """Return what the weights and the hulls are. The bound of the weights is named where there is one."""
    words = _(
        "An optimal $\\alpha$ of the dual problem has the same sum $S$ in both classes. So the weights $v_i = "
        "\\alpha_i/S$ of a class add up to 1. The sum of $v_ix_i$ over class +1 is a point $p$ of its **convex hull**. "
        "The sum over class −1 is a point $q$ of the other hull."
    )
    if stage.lab.hard:
        return words
    return words + " " + _("With slack, $v_i \\le C/S$ holds too, so $p$ and $q$ lie in the **reduced** convex hulls.")


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the distance of p and q, the same from w, and the bound of the weights."""
    if not stage.shown:
        return ()
    norm, bound = stage.solution.norm_w, stage.lab.C / class_sum(stage)
    between = Measure("‖p − q‖", distance, N_("The distance between the two pink points p and q"))
    width = Measure(N_("margin width 2/‖w‖"), lambda stage: 2 / norm, N_("The distance between the two margin lines"))
    nearest = Measure(
        "‖w‖/S",
        lambda stage: norm / class_sum(stage),
        N_("The smallest distance between the hulls. S is the sum of α over one class"),
    )
    limit = Measure(N_("bound C/S"), lambda stage: bound, N_("No weight v can be larger than this"))
    return [each.reading(stage) for each in ((between, width) if stage.lab.hard else (between, nearest, limit))]


def chart(stage: Stage) -> Chart:
    """Return the weight of each point in its class, and the bound. A click selects the point."""
    data, v = stage.data, combination(stage)
    rows = np.flatnonzero((v > 0) | stage.lab.hard)  # with slack, the weights on the board are the optimal ones
    figure = shares(v, data.y, data.ids, rows, upper_bound(stage), stage.lab.selected, stage.palette)
    return Chart(figure, select_point)


def verdict(stage: Stage) -> str:
    """Return the smallest distance, and what it is for the margin, or which bound reduces the hulls."""
    smallest, bound = short(stage.solution.norm_w / class_sum(stage)), upper_bound(stage)
    if stage.lab.hard:
        return _(
            "A pair at the smallest distance from each other. It is {d}, which is also the margin width 2/‖w‖."
        ).format(d=smallest)
    if bound == 1.0:
        return _(
            "A pair at the smallest distance from each other. It is {d}. The bound C/S does not reduce the hulls here."
        ).format(d=smallest)
    return _(
        "A pair at the smallest distance from each other. It is {d}, in the hulls reduced by vᵢ\u00a0≤\u00a0{bound}."
    ).format(d=smallest, bound=short(bound))


def says(stage: Stage) -> str:
    """Return what the bars are, and how the boundary follows from the segment."""
    if stage.lab.hard:
        return _(
            "Each bar is the weight $v_i$ of one point. At the optimum, the boundary is perpendicular to the segment "
            "from $p$ to $q$ (pink) and cuts it in half."
        )
    if upper_bound(stage) == 1.0:
        return _(
            "Each bar is the weight $v_i$ of one support vector. The boundary is perpendicular to the segment from $p$ "
            "to $q$ (pink)."
        )
    return _(
        "Each bar is the weight $v_i$ of one support vector. The boundary is perpendicular to the segment from $p$ to "
        "$q$ (pink). The thin outlines are the hulls without the bound $C/S$."
    )


MORE_TEXT = (
    N_(
        "**Proof.** Write $\\alpha_i = S v_i$. Then $w = S(p - q)$, and the objective of the dual is $2S - "
        "\\frac12S^2\\|p - q\\|^2$. For every fixed $S > 0$, it is largest where $\\|p - q\\|$ is smallest. With a "
        "hard margin, the best $S$ is $2/\\|p - q\\|^2$. Then $\\|w\\| = 2/\\|p - q\\|$, so the margin width "
        "$2/\\|w\\|$ equals $\\|p - q\\|$."
    ),
    N_(
        "**With slack**, $\\alpha_i \\le C$ means $v_i \\le C/S$. The points $\\sum_i v_ix_i$ of a class under this "
        "bound form its reduced convex hull. A smaller bound never gives a larger hull. With the bound $1/n$, the hull "
        "of a class of $n$ points is only their mean, and no smaller bound is possible. The sum $S$ is a part of the "
        "solution, so you know the bound only after training. The boundary need not halve the segment."
    ),
    N_(
        "**Overlapping classes.** If the whole hulls meet, then $p = q$ is possible. The objective $2S$ then has no "
        "maximum, and the hard margin has no solution. The reduced hulls of a soft margin can still be disjoint."
    ),
)


def shares(
    share: Array, y: Array, ids: Index, rows: Index, bound: float, selected: int | None, palette: Palette
) -> go.Figure:
    """Return the weights (m,) of the points `rows` as bars in the colours of their classes, and the bound below 1."""
    figure = empty_chart(palette, _("point"), _("weight vᵢ"), height=260)
    order = rows[np.lexsort((-share[rows], -y[rows]))]
    names = np.array([str(i + 1) for i in order])
    hover = _("point") + " %{x}: v = %{y:.10g}<extra></extra>"
    chosen = ids[order] == selected
    figure.add_trace(marks.bars(palette, names, share[order], y[order], ids[order], chosen, name="share", hover=hover))
    top = max(float(share[rows].max(initial=0.0)), bound if bound < 1.0 else 0.0)
    figure.update_yaxes(range=[0, 1.2 * top], nticks=4)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    figure.update_layout(bargap=0.45)
    if bound >= 1.0:
        return figure
    marks.add_rule(figure, palette, palette.other, "dash", y=bound)
    return place_labels(figure, palette, [Label(_("bound C/S"), len(rows) - 0.5, bound, palette.other)])


HULLS = Step(
    key="hulls",
    title=N_("Dual and convex hulls"),
    situation=situation,
    question=N_("Which pair of points $(p, q)$, one in each hull, does an optimal $\\alpha$ always give?"),
    choices=(
        right(N_("A pair at the smallest distance from each other")),
        wrong(
            N_("The pair of class means"),
            N_(
                "Equal weights vᵢ would give the means. However, the dual makes the distance of p and q as small as "
                "possible."
            ),
        ),
        wrong(
            N_("A pair of training points"),
            N_("The nearest point of a hull can be a training point. However, it can also lie on an edge between two."),
        ),
    ),
    verdict=verdict,
    board=TWELVE,
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOLVED, NONZERO_W, at_most(60)),
    deeper=True,
    draw=draw,
    play=lambda stage: WEIGHTS.play(0.0, 1.0, 2200) if stage.lab.hard else None,
    rests_on_answer=lambda stage: not stage.lab.hard or WEIGHTS(stage) == 1.0,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"\min\,\|p-q\|,\quad \sum\nolimits_{+}v_i=\sum\nolimits_{-}v_i=1,\quad 0\le v_i"
        + ("" if stage.lab.hard else r"\le C/S")
    ),
    letters={"p": "convex-hull"},  # a point of a hull
    more=MORE_TEXT,
    tries=(
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
        Try(N_("Overlapping classes"), board=preset("overlapping", size=16, noise=0.6, seed=3, value=1.0)),
    ),
    shows=("H2", "S1", "T10"),
)
