"""Points deleted one by one: the boundary stays until a support vector is deleted (H9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import lines, shading
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.thinning import margins, order, without
from svmlab.lab.numbers import zero_if_rounding
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Op, Part, Step, Table, Try, dial, right, wrong
from svmlab.lab.teach.table import head, named_row, number, table
from svmlab.lab.words import N_, _, bias
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

OTHERS = Need(
    lambda stage: not stage.solution.support.all(),
    N_("On this board, every point is a support vector. The step needs points with αᵢ = 0."),
    {},
)


def rows(stage: Stage) -> Index:
    """Return the rows in the order in which they are deleted."""
    return stage.cached("order", lambda: order(stage.solution))


def others(stage: Stage) -> int:
    """Return the number of points that are no support vectors, without the last of a class, which is kept."""
    return int((~stage.solution.support[rows(stage)]).sum())


def deleted(stage: Stage) -> int:
    """Return the number of deleted points."""
    return min(round(stage.dial("away", float(others(stage)))), len(rows(stage)))


def trained_again(stage: Stage) -> Solution:
    """Return the SVM that is trained again on the points that are left."""
    if not deleted(stage):
        return stage.solution
    solution = stage.cache.outcome(without(stage.lab.problem, rows(stage)[: deleted(stage)])).solution
    assert solution is not None, "fewer points of both classes can still be separated"
    return solution


def curve(stage: Stage) -> Array:
    """Return the margin after 0, 1, 2, ... points are deleted."""
    return stage.cached("margins", lambda: margins(stage.solution))


def change_of_f(stage: Stage) -> float:
    """Return the largest change of f at a training point, compared with the SVM of all points."""
    X = stage.data.X
    return float(abs(trained_again(stage).decision(X) - stage.solution.decision(X)).max())


def draw(stage: Stage) -> Data:
    """Return the SVM of the points that are left, crosses on the others, and the first SVM as a thin line."""
    if not stage.shown:
        return {}
    current, half, n, m = trained_again(stage), stage.lab.view, deleted(stage), stage.data.m
    drawing = stage.cache.drawing(current, half)
    removed = set(rows(stage)[:n].tolist())
    alpha = iter(current.alpha / (float(current.alpha.max()) or 1.0))
    fill = [0.0 if i in removed else round(float(next(alpha)), 3) for i in range(m)]
    return {
        "lines": lines(drawing),
        "shade": shading(drawing),
        "slack": [],
        "marks": {
            "fill": fill,
            "state": ["free" if v > 0 else "none" for v in fill],
            "cat": [c.value for c in stage.solution.categories],
            "wrong": [i in removed for i in range(m)],
        },
        "pin": lines(stage.cache.drawing(stage.solution, half)) if n else None,
        "sliders": [dial("away", _("Number of deleted points"), _("deleted"), n, 0, len(rows(stage)), 1)],
    }


def says(stage: Stage) -> str:
    """Return until when the margin stays, and what comes next."""
    n, margin = others(stage), curve(stage)
    if n + 1 < len(margin) and margin[n + 1] > margin[n] * (1 + 1e-9):
        return _(
            "The margin stays the same until {n} points with $\\alpha_i = 0$ are deleted (dashed line). The next point "
            "is a support vector, and without it the margin is wider."
        ).format(n=n)
    return _("The margin stays the same while the {n} points with $\\alpha_i = 0$ are deleted.").format(n=n)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the comparison with the support vectors alone, and what the notes say."""
    parts: list[Part] = [
        _(
            "**Proof.** The solution of all points satisfies the KKT conditions. Delete points with $\\alpha_i = 0$. "
            "The sums $w = \\sum_i\\alpha_iy_ix_i$ and $\\sum_i\\alpha_iy_i = 0$ do not change, and the other "
            "conditions of the remaining points hold as before. So $w$, $b$ and the remaining $\\alpha_i$ are optimal "
            "for these points. A hard-margin SVM has only one optimal $w$ and $b$, so training gives exactly these."
        ),
        _(
            "**With slack** and a fixed $C$, the same proof shows that $w$ stays the same and $b$ stays optimal. If "
            "$\\lambda$ is fixed instead, then $C = 1/(\\lambda m)$ grows when points are deleted, and the boundary "
            "can move."
        ),
        _(
            "**What the notes say.** The Italian notes on Pegasos state: “Se levassimo dal training set tutti gli "
            "esempi tranne quelli di supporto la soluzione SVM non cambierebbe.” So without all other training "
            "examples, the SVM solution would stay the same. This is correct."
        ),
    ]
    alone = stage.cached(
        "alone",
        lambda: stage.cache.outcome(without(stage.lab.problem, np.flatnonzero(~stage.solution.support))).solution,
    )
    if alone is None:
        return parts
    whole = stage.solution
    values = [("1/‖w‖", 1 / whole.norm_w, 1 / alone.norm_w), (_("objective"), whole.objective, alone.objective)]
    if stage.lab.bias:
        values.insert(1, ("b", bias(whole.b), bias(alone.b)))
    body = [
        named_row(name, [number(a, 6), number(b, 6), number(zero_if_rounding(abs(a - b), 1e-9), 2)])
        for name, a, b in values
    ]
    return [*parts, Table(table(head(_("all points"), _("support vectors alone"), _("difference")), body))]


def delete_one_more(stage: Stage) -> Op:
    """Return the operation that deletes all points that are no support vectors, and the first support vector."""
    return set_dials(away=float(min(others(stage) + 1, len(rows(stage)))))


def thinning(margin: Array, others: int, deleted: int, palette: Palette) -> go.Figure:
    """Return 1/|w| after 0, 1, 2, ... points are deleted, (n + 1,); after `others` of them, support vectors follow.

    The board is at `deleted`.
    """
    figure = empty_chart(palette, _("deleted points"), _("margin 1/‖w‖"), height=280)
    last = len(margin) - 1
    figure.add_trace(
        go.Scatter(
            x=np.arange(len(margin)),
            y=margin,
            name="margin",
            mode="lines+markers",
            marker={"size": 6 * palette.stroke},
            line=palette.pen(palette.text) | {"shape": "hv"},
            hovertemplate=_("%{x} points deleted: 1/‖w‖ = %{y:.6g}") + "<extra></extra>",
        )
    )
    labels = [Label("α = 0", 0.5 * others, float(margin[0]), palette.quiet, "above")]
    if others < last:
        add_rule(figure, palette, palette.quiet, "dash", x=others)
        labels.append(Label("α > 0", 0.5 * (others + last), 0.5 * float(margin[0]), palette.quiet, ""))
    mark_current(figure, palette, deleted, float(margin[deleted]))
    figure.update_xaxes(range=[-0.03 * last, 1.05 * last])
    figure.update_yaxes(range=axis_range(0.0, margin, room=0.1), nticks=4)
    return place_labels(figure, palette, labels)


KEEP = Step(
    key="keep",
    title=N_("Deleting training points"),
    situation=N_(
        "The ringed points are the support vectors, with multipliers $\\alpha_i > 0$. All other points have $\\alpha_i "
        "= 0$. You delete these other points one after the other. After each deletion, the hard-margin SVM is trained "
        "again on the points that are left."
    ),
    question=N_("If you delete all points with multiplier $\\alpha_i = 0$, what happens to the decision boundary?"),
    choices=(
        right(N_("It stays exactly the same")),
        wrong(
            N_("It always moves, at least a little"),
            N_(
                "Each point gives a constraint of the primal problem. However, you can drop the constraint if "
                "αᵢ\u00a0=\u00a00."
            ),
        ),
        wrong(
            N_("It moves for some training sets only"),
            N_(
                "The boundary depends on the points. However, it never moves if you delete points with "
                "αᵢ\u00a0=\u00a00."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "It stays exactly the same. All KKT conditions still hold without the deleted points ({n} here)."
    ).format(n=others(stage)),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, HARD, SEPARABLE, at_most(30), OTHERS),
    deeper=True,
    draw=draw,
    play=lambda stage: {"key": "away", "op": "dial", "from": 0.0, "to": float(others(stage)), "ms": 2200},
    rests_on_answer=lambda stage: deleted(stage) == others(stage),
    numbers=(
        Measure(
            N_("deleted"),
            lambda stage: _("{n} of {m}").format(n=deleted(stage), m=stage.data.m),
            N_("The number of deleted points, which have a cross, among all training points"),
            after_show=True,
        ),
        Measure(
            N_("margin 1/‖w‖"),
            lambda stage: 1 / trained_again(stage).norm_w,
            N_("The geometric margin of the SVM that is trained on the points that are left"),
            after_show=True,
        ),
        Measure(
            N_("change of f"),
            lambda stage: zero_if_rounding(change_of_f(stage), 1e-9),
            N_("The largest change of f(x) at a training point, compared with the SVM of all points"),
            after_show=True,
        ),
    ),
    chart=lambda stage: Chart(thinning(curve(stage), others(stage), deleted(stage), stage.palette)),
    says=says,
    formula=r"\text{SVM of the points with }\alpha_i>0\;=\;\text{SVM of all points}",
    more=more,
    tries=(
        Try(N_("Restore all"), set_dials(away=0.0)),
        Try(N_("Delete one more"), delete_one_more),
        Try(N_("30 points"), board=preset("separable", size=30, seed=13, hard=True)),
    ),
    shows=("H9",),
)
