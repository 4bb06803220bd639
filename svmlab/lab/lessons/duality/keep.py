"""Who is needed: points are taken away, and the line stays until a support vector goes (H9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import lines, shading
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.thinning import margins, order, without
from svmlab.lab.numbers import zero_if_rounding
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import dial, reading, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, table
from svmlab.lab.words import N_, _

OTHERS = Need(
    lambda stage: not stage.solution.support.all(),
    N_("Every point is a support vector here, so there are no others to take away."),
    {},
)


def rows(stage: Stage) -> Index:
    """The rows in the order in which they go."""
    return stage.cached("order", lambda: order(stage.solution))


def others(stage: Stage) -> int:
    """How many points are no support vectors, but for the last of a class, which stays."""
    return int((~stage.solution.support[rows(stage)]).sum())


def away(stage: Stage) -> int:
    """How many points are gone."""
    return min(round(stage.dial("away", 0.0)), len(rows(stage)))


def rest(stage: Stage) -> Solution:
    """The machine of the points that are left, solved afresh."""
    if not away(stage):
        return stage.solution
    found = stage.cache.outcome(without(stage.lab.problem, rows(stage)[: away(stage)])).solution
    assert found is not None, "fewer points of both classes can still be separated"
    return found


def curve(stage: Stage) -> Array:
    """The margin for every number of points that are gone."""
    return stage.cached("margins", lambda: margins(stage.solution))


def off(stage: Stage) -> float:
    """How far f differs between all points' machine and the one of what is left, at worst on the points."""
    X = stage.data.X
    return float(abs(rest(stage).decision(X) - stage.solution.decision(X)).max())


def draw(stage: Stage) -> Data:
    """The machine of what is left; points that are gone are crossed out, the machine of all is a thin line."""
    if not stage.shown:
        return {}
    left, half, k = rest(stage), stage.lab.view, away(stage)
    seen, m = stage.cache.scene(left, half), stage.data.m
    gone = set(rows(stage)[:k].tolist())
    alpha = iter(left.alpha / (float(left.alpha.max()) or 1.0))
    fill = [0.0 if i in gone else round(float(next(alpha)), 3) for i in range(m)]
    return {
        "lines": lines(seen),
        "shade": shading(seen),
        "slack": [],
        "marks": {
            "fill": fill,
            "state": ["free" if v > 0 else "none" for v in fill],
            "cat": [c.value for c in stage.solution.categories],
            "wrong": [i in gone for i in range(m)],
        },
        "pin": lines(stage.cache.scene(stage.solution, half)) if k else None,
        "sliders": [dial("away", _("Points taken away"), _("away"), k, 0, len(rows(stage)), 1)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """What is gone, and what it changed."""
    if not stage.shown:
        return ()
    return [
        reading(_("taken away"), _("{k} of {m}").format(k=away(stage), m=stage.data.m)),
        reading(_("margin"), 1 / rest(stage).norm_w),
        reading(_("f changed by"), zero_if_rounding(off(stage), 1e-9)),
    ]


def says(stage: Stage) -> str:
    """How long nothing happens."""
    n, margin = others(stage), curve(stage)
    if n + 1 < len(margin) and margin[n + 1] > margin[n] * (1 + 1e-9):
        return _(
            "The other {n} may go, and nothing moves. The next one is a support vector: when it goes, the "
            "street widens."
        ).format(n=n)
    return _("The other {n} may go, and nothing moves.").format(n=n)


def more(stage: Stage) -> Sequence[Part]:
    """The support vectors alone, solved afresh, beside all points."""
    alone = stage.cached(
        "alone",
        lambda: stage.cache.outcome(without(stage.lab.problem, np.flatnonzero(~stage.solution.support))).solution,
    )
    out: list[Part] = [
        _(
            "All conditions of optimality still hold for the same $w$, $b$ and $\\alpha$ when points with "
            "$\\alpha = 0$ go: "
            "they asked for nothing. With slack this is so at a fixed C; where λ is fixed, $C = 1/(\\lambda "
            "m)$ grows when "
            "points go, and the line may move."
        )
    ]
    if alone is None:
        return out
    all_ = stage.solution
    values = [("1/|w|", 1 / all_.norm_w, 1 / alone.norm_w), (_("value"), all_.objective, alone.objective)]
    if stage.lab.bias:
        values.insert(1, ("b", all_.b, alone.b))
    body = [
        named_row(name, [number(a, 6), number(b, 6), number(zero_if_rounding(abs(a - b), 1e-9), 2)])
        for name, a, b in values
    ]
    return [*out, Table(table(head(_("all points"), _("support vectors alone"), _("difference")), body))]


def taken(more: int) -> Callable[[Stage], Op]:
    """The operation that takes away all others, and `more` support vectors."""

    def op(stage: Stage) -> Op:
        return set_dials(away=float(min(others(stage) + more, len(rows(stage)))))

    return op


def thinning(margin: Array, others: int, away: int, palette: Palette) -> go.Figure:
    """1/|w| after 0, 1, 2, ... points are gone, (n + 1,); from `others` on support vectors go. The board stands at
    `away`.
    """
    figure = blank(palette, _("points taken away"), _("margin"), height=280)
    k, last = np.arange(len(margin)), len(margin) - 1
    figure.add_trace(
        go.Scatter(
            x=k,
            y=margin,
            name="margin",
            mode="lines+markers",
            marker={"size": 6 * palette.stroke},
            line=palette.pen(palette.text) | {"shape": "hv"},
            hovertemplate="%{x}: 1/|w| = %{y:.6g}<extra></extra>",
        )
    )
    labels = [Label(_("the others go"), 0.5 * others, float(margin[0]), palette.quiet, "above")]
    if others < last:
        add_rule(figure, palette, palette.quiet, "dash", x=others)
        labels.append(Label(_("support vectors"), others, float(margin.max()), palette.quiet, "left"))
    mark_current(figure, palette, away, float(margin[away]))
    figure.update_xaxes(range=[-0.03 * last, 1.05 * last])
    figure.update_yaxes(range=axis_range(0.0, margin, room=0.1), nticks=4)
    return place_labels(figure, palette, labels)


KEEP = Step(
    key="keep",
    title=N_("Delete all the others"),
    question=N_("Take away every point that is no support vector, one by one. Where does the line go?"),
    choices=(
        right(N_("It stays exactly where it is")),
        wrong(N_("It moves a little"), N_("Each point is a constraint, but one that is not tight holds nothing.")),
        wrong(
            N_("That depends on the points"),
            N_("Where the line is depends on them; that the others hold nothing does not."),
        ),
    ),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, HARD, SEPARABLE, at_most(30), OTHERS),
    draw=draw,
    play=lambda stage: {"key": "away", "op": "dial", "from": 0.0, "to": float(others(stage)), "ms": 2200},
    numbers=numbers,
    chart=lambda stage: Chart(thinning(curve(stage), others(stage), away(stage), stage.palette)),
    says=says,
    formula=r"\operatorname{SVM}\{i:\alpha_i>0\}=\operatorname{SVM}\{1,\dots,m\}",
    more=more,
    tries=(
        Try(N_("All back"), set_dials(away=0.0)),
        Try(N_("One more"), taken(1)),
        Try(N_("Thirty points"), board=preset("separable", size=30, seed=13, hard=True)),
    ),
    shows=("H9",),
)
