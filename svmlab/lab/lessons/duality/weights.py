"""Points on the margin lines, which can have the multiplier 0, and several optimal alpha of one SVM (H10, H12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import BadInput
from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.lessons.duality.multipliers import Multipliers, multipliers
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import select_point
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Need, Part, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.palette import Palette

FIVE = board_of_points(  # five points on the margin lines of w = (1, 0), b = 0, and five beyond them
    (
        (1, 0, 1),
        (1, 2, 1),
        (2.5, -1, 1),
        (3, 1, 1),
        (2, 2.6, 1),
        (-1, 1.5, -1),
        (-1, 0, -1),
        (-1, -1.5, -1),
        (-2.5, 1, -1),
        (-3, -1, -1),
    ),
    hard=True,
)
RANGES = {
    "positive": N_("positive in every optimal α"),
    "either": N_("0 in some optimal α"),
    "zero": N_("0 in every optimal α"),
}
MIX = Dial("mix", N_("From one optimal α to another"), N_("from one α to another"), 0.0, 1.0, 0.02)


def corners_or_none(stage: Stage) -> Multipliers | None:
    """Return all corners of the set of optimal alpha, or None if there are too many to list."""

    def make() -> Multipliers | None:
        try:
            return multipliers(stage.solution)
        except BadInput:
            return None

    return stage.cached("corners", make)


def corners(stage: Stage) -> Multipliers:
    """Return the same where the need LISTED is met."""
    optima = corners_or_none(stage)
    assert optima is not None, "this step needs LISTED"
    return optima


LISTED = Need(
    lambda stage: corners_or_none(stage) is not None,
    N_("Too many points lie on the margin lines to list every optimal α."),
    {},
)
CANDIDATE = Need(
    lambda stage: can_be_zero(stage) > 0,
    N_("On this board, every point on the margin lines has αᵢ > 0 in every optimal α."),
    {},
)


def can_be_zero(stage: Stage) -> int:
    """Return the number of points on the margin lines that have the multiplier 0 in some optimal alpha."""
    optima = corners(stage)
    return int((optima.margin & (optima.low == 0)).sum())


def ranges(optima: Multipliers) -> Mapping[str, Mask]:
    """Return the points on the margin lines by the range of their multiplier."""
    return {
        "positive": optima.low > 0,
        "either": (optima.low == 0) & (optima.high > 0),
        "zero": optima.margin & (optima.high == 0),
    }


def mixture(stage: Stage) -> Array:
    """Return the optimal alpha on the board, shape (m,): from the first corner to the one that is farthest from it."""
    optima, t = corners(stage).corners, MIX(stage)
    farthest = optima[int(np.abs(optima - optima[0]).sum(1).argmax())]
    return np.asarray((1.0 - t) * optima[0] + t * farthest)


def draw(stage: Stage) -> Data:
    """Return the points filled by the multipliers of the chosen optimal alpha. The boundary is the same for each."""
    if not stage.shown:
        return {"message": None}
    optima, alpha = corners(stage), mixture(stage)
    top = float(optima.high.max())
    look = {
        "fill": np.round(alpha / top, 3).tolist(),
        "state": ["free" if v > 1e-9 * top else "none" for v in alpha],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(alpha),
    }
    return {"message": None, "marks": look} | ({"sliders": [MIX.as_json(stage)]} if len(optima.corners) > 1 else {})


def norm(stage: Stage) -> float:
    """Return the norm of w = sum alpha_i y_i phi(x_i) for the alpha on the board."""
    problem = stage.lab.problem
    signed = mixture(stage) * problem.data.y
    return float(np.sqrt(signed @ problem.gram @ signed))


def chart(stage: Stage) -> Chart:
    """Return the alpha on the board as a bar for each point on the margin lines, and its range over all optima."""
    optima, data = corners(stage), stage.data
    rows = np.flatnonzero(optima.margin)
    figure = weights(mixture(stage), optima.low, optima.high, data.y, data.ids, rows, stage.lab.selected, stage.palette)
    return Chart(figure, select_point)


def verdict(stage: Stage) -> str:
    """Return how many of the points on the margin lines can have the multiplier 0."""
    return _(
        "It can be positive or 0. There are {n} points on the margin lines, and αᵢ\u00a0=\u00a00 is possible for {k} "
        "of them."
    ).format(n=int(corners(stage).margin.sum()), k=can_be_zero(stage))


def says(stage: Stage) -> str:
    """Return what the bars and whiskers are, and what the slider changes."""
    if len(corners(stage).corners) > 1:
        return _(
            "Each bar is the $\\alpha_i$ of a point on a margin line. The thin grey line shows its smallest and "
            "largest optimal value. The slider changes $\\alpha$, but the boundary stays the same."
        )
    return _(
        "The bars show $\\alpha_i$ of the points on the margin lines. On this board, only one $\\alpha$ is optimal. A "
        "point without a bar has $\\alpha_i = 0$."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the reason, all optimal alpha, and what the notes say."""
    optima, data = corners(stage), stage.data
    named = ranges(optima)
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [
                number(float(stage.solution.alpha[i])),
                number(float(optima.low[i])),
                number(float(optima.high[i])),
                words(_(next(RANGES[name] for name, rows in named.items() if rows[i]))),
            ],
            stage.lab.selected,
        )
        for i in np.flatnonzero(optima.margin)
    ]
    return [
        _(
            "**Reason.** The KKT conditions require $\\alpha_i = 0$ or $y_i f(x_i) = 1$, and both can hold. So a point "
            "on its margin line is only a **candidate** for a support vector."
        ),
        _(
            "**All optimal multipliers.** The optimal $w$ and $b$ are unique. Every $\\alpha \\ge 0$ is optimal if it "
            "is 0 off the margin lines and satisfies the linear equations $\\sum_i\\alpha_iy_ix_i = w$ and, with a "
            "bias, $\\sum_i\\alpha_iy_i = 0$. The number of corners of this set is {n} here, and all its points are "
            "convex combinations of the corners. If a training point occurs twice, the two copies can share its "
            "multiplier in any way. Other steps show the optimal $\\alpha$ of smallest norm."
        ).format(n=len(optima.corners)),
        Table(table(head(_("smallest norm"), _("smallest α"), _("largest α"), ""), body)),
        _(
            "**What the notes say.** The Italian notes on Pegasos define support vectors as “quelle istanze di "
            "training sulle quali $\\mathbf{w}^*$ ha margine esattamente pari a 1”. These are the examples whose "
            "margin is exactly 1, so every point on a margin line is a support vector. Gambosi's English slides state "
            "that “if $\\mathbf{x}_i$ is not a support vector, then it must be $\\lambda_i^* = 0$”. This agrees with "
            "the definition by $\\alpha_i > 0$. The Chinese notes after Lin call the points on the margin lines "
            "candidates, “支撑向量(的候选人)”."
        ),
    ]


def weights(
    alpha: Array, low: Array, high: Array, y: Array, ids: Index, rows: Index, selected: int | None, palette: Palette
) -> go.Figure:
    """Return the multipliers alpha (m,) of the points `rows` as bars, and whiskers from low (m,) to high (m,)."""
    figure = empty_chart(palette, _("point"), "α", height=260)
    names = np.array([str(i + 1) for i in rows])
    top = float(high.max(initial=0.0)) or 1.0
    hover = _("point") + " %{x}: α = %{y:.10g}<extra></extra>"
    values = {"text": [f"{v:.3g}" for v in alpha[rows]], "textposition": "outside", "cliponaxis": False}
    if float((high - low)[rows].max(initial=0.0)) > 1e-9 * top:
        pen = palette.pen(palette.quiet, 2)
        values = {
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": (high - alpha)[rows],
                "arrayminus": (alpha - low)[rows],
                "color": pen["color"],
                "thickness": pen["width"],
                "width": 6 * palette.stroke,
            }
        }
    chosen = ids[rows] == selected
    figure.add_trace(
        marks.bars(palette, names, alpha[rows], y[rows], ids[rows], chosen, name="alpha", hover=hover, **values)
    )
    figure.update_yaxes(range=[0, 1.25 * top], nticks=4)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    return figure.update_layout(bargap=0.45)


WEIGHTS = Step(
    key="weights",
    title=N_("Points on margin lines"),
    situation=N_(
        "The board shows a hard-margin SVM. Some training points lie exactly on the margin lines, so $y_i f(x_i) = 1$. "
        "The multipliers $\\alpha_i$ are a solution of the dual problem. There can be several optimal vectors "
        "$\\alpha$, and all of them give the same $w = \\sum_i \\alpha_i y_i x_i$."
    ),
    question=N_("What do you know about the multiplier $\\alpha_i$ of a point that lies exactly on its margin line?"),
    choices=(
        wrong(
            N_("It must be positive"),
            N_("If αᵢ\u00a0>\u00a00, the point lies on its margin line. However, the converse is false."),
        ),
        right(N_("It can be positive or 0")),
        wrong(
            N_("It must be 0"),
            N_(
                "The KKT conditions allow αᵢ\u00a0=\u00a00. However, w is not 0, so αᵢ\u00a0>\u00a00 for at least one "
                "point on a margin line."
            ),
        ),
    ),
    verdict=verdict,
    board=FIVE,
    needs=(BOTH_CLASSES, PRODUCT, HARD, SEPARABLE, LISTED, CANDIDATE),
    deeper=True,
    draw=draw,
    play=lambda stage: MIX.play(0.0, 1.0, 2000) if len(corners(stage).corners) > 1 else None,
    rests_on_answer=lambda stage: bool((corners(stage).margin & (mixture(stage) == 0)).any()),
    numbers=(
        Measure(
            N_("on the margin lines"),
            lambda stage: float(corners(stage).margin.sum()),
            N_("The number of points with y f(x) = 1"),
            after_show=True,
        ),
        Measure(
            "Σ αᵢ",
            lambda stage: float(mixture(stage).sum()),
            N_("The sum of the multipliers on the board, which is ‖w‖² for every optimal α"),
            after_show=True,
        ),
        Measure("‖w‖", norm, N_("The norm of w = Σ αᵢ yᵢ xᵢ for the multipliers on the board"), after_show=True),
    ),
    chart=chart,
    says=says,
    formula=r"\alpha_i>0\;\Rightarrow\;y_if(x_i)=1,\qquad\text{but not conversely}",
    more=more,
    tries=(
        Try(N_("One optimal α"), board=preset("idle_margin", hard=True)),
        Try(N_("Four corners"), board=preset("four_corners", hard=True)),
    ),
    shows=("H10", "H12"),
)
