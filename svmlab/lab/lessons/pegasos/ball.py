"""Every w stays in the ball of radius X/lambda, seen on the plane of w (P3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    NEAR,
    OTHER_DRAWS,
    average_line,
    optimum_without_bias,
    seed,
    short_comparison,
    when_shown,
)
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, replay

T = 500


def path(stage: Stage) -> Stretch:
    """All steps of a run."""
    run = short_comparison(stage, T).run
    return stage.cached(f"path {seed(stage)}", lambda: replay(run, 0, 1, T + 1))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The longest w of the run, the radius, and w*."""
    run = short_comparison(stage, T).run
    w = optimum_without_bias(stage).w
    return [
        reading(_("longest w"), float(np.hypot(*path(stage).after.T).max())),
        reading("X/λ", run.X / run.lam),
        reading("1/√λ", run.rule.radius),
        reading("|w*|", 0.0 if w is None else float(np.hypot(*w))),
    ]


def chart(stage: Stage) -> Chart:
    """The plane of w."""
    now, steps = short_comparison(stage, T), path(stage)
    way = np.vstack([steps.before[:1], steps.after])
    return Chart(ball(way, now.run.X / now.run.lam, now.run.rule.radius, now.w, stage.palette))


FIRST = 12  # steps that are marked


def ball(path: Array, radius: float, inner: float, best: Array, palette: Palette) -> go.Figure:
    """The path w_1, w_2, .. (n, 2) in the circle of `radius`, a dashed one of radius `inner` around `best` = w* (2,);
    equal units.
    """
    figure = blank(palette, height=160, left=30)
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.c_[np.cos(turn), np.sin(turn)]
    for size, dash, name in ((inner, "dash", "inner"), (radius, "solid", "ball")):
        x, y = (size * circle).T
        pen = palette.pen(palette.quiet, 1.5 if name == "inner" else 2.5, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))
    t = np.arange(1, len(path) + 1)
    marks = palette.stroke * np.where(t <= FIRST, 7.0, 3.0)
    figure.add_trace(
        go.Scatter(
            x=path[:, 0],
            y=path[:, 1],
            customdata=np.c_[t, np.hypot(*path.T)],
            name="path",
            mode="lines+markers",
            line=palette.pen(palette.series[0], 1.5),
            marker={"size": marks, "color": palette.series[0], "opacity": 1},
            hovertemplate="w<sub>%{customdata[0]:d}</sub>, |w| = %{customdata[1]:.4g}<extra></extra>",
        )
    )
    cross = {"symbol": "x", "size": 13 * palette.stroke, "color": palette.other}
    figure.add_trace(
        go.Scatter(
            x=best[:1],
            y=best[1:],
            name="best",
            mode="markers",
            marker=cross,
            hovertemplate="w* = (%{x:.4g}, %{y:.4g})<extra></extra>",
        )
    )
    reach = 1.1 * radius
    figure.update_xaxes(range=[-reach, reach], zeroline=True)
    figure.update_yaxes(range=[-reach, reach], zeroline=True, scaleanchor="x", nticks=5)
    up = radius * np.sqrt(0.5)
    labels = [
        Label("X/λ", up, up, palette.quiet, "above right"),
        Label("w*", float(best[0]), float(best[1]), palette.other, "above left"),
    ]
    return place_labels(figure, palette, labels, backed=True)


BALL = Step(
    key="ball",
    title=N_("Inside a ball"),
    question=N_(
        "A push $y\\,x/(\\lambda t)$ is long where λ is small. How far from 0 can the pushes bring $w$? "
        "$X$ is the longest $x$."
    ),
    choices=(
        wrong(N_("As far as they like"), N_("Pushes add up, but each step also shrinks what is there by 1 − 1/t.")),
        right(N_("At most X/λ")),
        wrong(N_("At most 1/√λ"), N_("So short is w*, and so is every w that is projected; without, w may overshoot.")),
    ),
    verdict=lambda stage: _("at most X/λ: w is 1/λ times a mean of pushes v, none longer than X."),
    board=board_of_points(
        (
            (1.6, 1.2, 1),
            (0.3, 1.5, 1),
            (1.5, 0.2, 1),
            (0.9, 0.8, 1),
            (-0.2, 0.6, 1),
            (-1.4, -0.5, -1),
            (-0.4, -1.3, -1),
            (-0.9, -0.9, -1),
            (0.4, -0.5, -1),
            (-1.5, 0.3, -1),
        ),
        face="lambda",
        value=1.0,
        bias=False,
    ),
    needs=(*IN_THE_PLANE, NEAR),
    draw=average_line,
    numbers=when_shown(numbers),
    chart=chart,
    says=N_(
        "The plane of $w$: the path from 0 to $w^*$, whose start may reach the circle and never leaves "
        "it. Dashed: the ball of $w^*$."
    ),
    formula=r"\|w_{t+1}\| = \tfrac1\lambda \bigl\| \tfrac1t\textstyle\sum_{s\le t} v_s \bigr\| \le \tfrac{X}{\lambda}",
    more=lambda stage: [
        _(
            "A first step onto the farthest point reaches the circle: $w_2 = y\\,x/\\lambda$. The dashed "
            "circle has the radius $1/\\sqrt\\lambda$: "
            "$\\tfrac\\lambda2\\|w^*\\|^2 \\le \\tfrac12$ by strong duality, so $w^*$ lies inside. The "
            "original paper on Pegasos projects $w$ onto that ball "
            "after every step; the notes leave it out, and the proof does without."
        )
    ],
    tries=(
        Try(N_("λ = 0.2"), set_machine(face="lambda", value=0.2)),
        Try(N_("λ = 4"), set_machine(face="lambda", value=4.0)),
        OTHER_DRAWS,
    ),
    shows=("P3",),
)
