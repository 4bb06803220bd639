"""w is the sum of its pushes, and all made so far weigh the same, 1/(lambda t) (P2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, NEAR, OTHER_DRAWS, seed, short_comparison, when_shown
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, place, reading, select_point, set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, replay
from svmlab.plane.contours import line_through_origin

T = 8


def made(stage: Stage) -> int:
    """How many steps have been made."""
    return round(min(max(stage.dial("pushes", float(T)), 1.0), float(T)))


def steps(stage: Stage) -> Stretch:
    """The first T of them."""
    run = short_comparison(stage, T).run
    return stage.cached(f"pushes {seed(stage)}", lambda: replay(run, 0, 1, T + 1))


def by_hand(stretch: Stretch) -> Array:
    """w_2, w_3, .. from w_1 = 0 on, by shrinking and pushing, (n, d)."""
    out, w = np.empty_like(stretch.after), np.zeros(stretch.after.shape[1])
    for i, (t, push) in enumerate(zip(stretch.t.tolist(), stretch.push, strict=True)):
        w = (1.0 - 1.0 / t) * w + push
        out[i] = w
    return out


def draw(stage: Stage) -> Data:
    """The pushes at their present weight, one behind the other, and w, which they lead to."""
    if not stage.shown:
        return {}
    t, half, stretch, lab = made(stage), stage.lab.view, steps(stage), stage.lab
    weight = stretch.push[:t] * (stretch.t[:t] / t)[:, None]  # 1/(lambda s) has become 1/(lambda t)
    ends = np.cumsum(weight, axis=0)
    by = scale(float(np.hypot(*ends.T).max()), half)
    starts = np.vstack([np.zeros((1, 2)), ends[:-1]])
    w = stretch.after[t - 1]
    items = [stroke(line, "accent") for line in [line_through_origin(w, half)] if len(line)]
    for row, a, b in zip(stretch.drawn[:t, 0], starts, ends, strict=True):
        if (a != b).any():
            style = "plus" if lab.points[row].label > 0 else "minus"
            items.append(stroke(by * np.stack([a, b]), style, "arrow"))
    items.append(stroke(by * np.stack([np.zeros(2), w]), "accent", "arrow"))
    slider = dial("pushes", _("Steps made ({scale})").format(scale=scaled(by)), "t", float(t), 1.0, float(T), 1.0)
    return POINTS_ONLY | {"overlay": items, "sliders": [slider]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The common weight, and w in both ways."""
    t, stretch = made(stage), steps(stage)
    return [
        reading("1/(λt)", 1.0 / (stage.lab.lam * t)),
        reading(_("w by its steps"), place(by_hand(stretch)[t - 1])),
        reading(_("by the sum"), place(stretch.after[t - 1])),
    ]


def chart(stage: Stage) -> Chart:
    """A bar for each push: what it entered with, and what it weighs now."""
    lab, stretch, t = stage.lab, steps(stage), made(stage)
    rows = stretch.drawn[:t, 0]
    figure = pushes(
        lab.lam, T, stretch.violates[:t, 0], lab.data.y[rows], lab.data.ids[rows], lab.selected, stage.palette
    )
    return Chart(figure, select_point)


def pushes(
    lam: float, most: int, pushed: Mask, labels: Array, ids: Index, selected: int | None, palette: Palette
) -> go.Figure:
    """Bars of the steps that `pushed` (t,) among `most` at most: 1/(lam t) in the colour of the class, and pale above
    it up to 1/(lam s).

    Each bar carries the id of the drawn point as customdata; those of the selected point are outlined.
    """
    t = len(pushed)
    s = np.flatnonzero(pushed) + 1
    now = 1.0 / (lam * t)
    entered = 1.0 / (lam * s)
    figure = blank(palette, _("step s"), _("weight"), height=160)
    data = np.c_[ids[pushed], entered]
    chosen = ids[pushed] == selected
    bars = marks.bars(
        palette,
        s,
        np.full(len(s), now),
        labels[pushed],
        data,
        chosen,
        name="now",
        hover=_("entered with %{customdata[1]:.4g}, weighs %{y:.4g} now<extra></extra>"),
    )
    figure.add_trace(bars)
    lost = {"color": palette.classes(labels[pushed]), "opacity": 0.22}
    figure.add_trace(go.Bar(x=s, y=entered - now, name="lost", hoverinfo="skip", customdata=data, marker=lost))
    marks.add_rule(figure, palette, palette.text, "dash", y=now)
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_xaxes(range=[0.4, most + 0.6], dtick=1, showgrid=False)
    figure.update_yaxes(range=[0.0, 1.06 / lam], nticks=4)
    return place_labels(figure, palette, [Label("1/(λt)", most + 0.6, now, palette.text)])


PUSHES = Step(
    key="pushes",
    title=N_("Pushes"),
    question=N_(
        "The push of step 1 enters $w$ with the weight $1/\\lambda$, that of step 8 with "
        "$1/(8\\lambda)$. Which weighs more after step 8?"
    ),
    choices=(
        wrong(N_("The first"), N_("It entered with more, but every later step has shrunk it.")),
        wrong(N_("The last"), N_("Nothing has shrunk it yet, but it entered with less.")),
        right(N_("Both the same")),
    ),
    verdict=lambda stage: _("both the same: every push made so far weighs 1/(λt)."),
    board=preset("overlapping", size=16, seed=2, face="lambda", value=1.0, bias=False),
    needs=(*IN_THE_PLANE, NEAR),
    draw=draw,
    play=lambda stage: {"key": "pushes", "op": "dial", "from": 1.0, "to": float(T), "ms": 3200},
    numbers=when_shown(numbers),
    chart=chart,
    says=N_(
        "Pale: what shrinking has taken away. All that is left ends at $1/(\\lambda t)$, so $w$ is "
        "$1/\\lambda$ times the mean push."
    ),
    formula=(
        r"\tfrac{1}{\lambda s}\textstyle\prod_{r=s+1}^{t}\bigl(1-\tfrac1r\bigr) = \tfrac{1}{\lambda t}, "
        r"\quad w_{t+1} = \tfrac{1}{\lambda t}\sum_{s\le t} v_s"
    ),
    more=lambda stage: [
        _(
            "The product telescopes: $\\frac{{s}}{{s+1}}\\cdot\\frac{{s+1}}{{s+2}}\\cdots\\frac{{t-1}}{{t}} "
            "= \\frac{{s}}{{t}}$. So a run needs to keep only the sum of its pushes. "
            "By steps and by the sum, the two $w$ of this run are never more than {apart:.1e} apart. A step "
            "without a violation has $v = 0$ and no bar. "
            "On the board: the pushes at their present weight, one behind the other, and $w$, to which they lead."
        ).format(apart=float(np.abs(by_hand(steps(stage)) - steps(stage).after).max()))
    ],
    tries=(
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("λ = 10: all push"), set_machine(face="lambda", value=10.0)),
        OTHER_DRAWS,
    ),
    shows=("P2",),
)
