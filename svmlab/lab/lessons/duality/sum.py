"""W as a chain of arrows, and what the classes weigh (H5, H6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR
from svmlab.lab.lessons.duality.expansion import partial_sums
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import film, frame, place, reading, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.statements.kkt_conditions import multiplier

MOST = 12
LEMMA = {
    "classes": None,
    "0.1": 0.1,
    "0.01": 0.01,
    "0.0001": 1e-4,
    "0": 0.0,
}  # the picture of the classes, or of the lemma at this ε
ARROWS = Need(
    lambda stage: int(stage.solution.support.sum()) <= MOST,
    N_("So many support vectors make a chain that nobody can follow."),
    {"hard": True},
)


def zoom(reach: float, half: float) -> float:
    """The factor, a power of two, that makes a chain of this reach fill a good part of the board."""
    return float(2.0 ** np.floor(np.log2(0.94 * half / reach))) if reach > 0 else 1.0


def draw(stage: Stage) -> Data:
    """The film of the chain, once the answer is shown."""
    if not stage.shown:
        return {}
    return {"film": stage.cached(f"film of the sum {stage.lab.view}", lambda: chain(stage)), "sliders": []}


def chain(stage: Stage) -> Data:
    """One frame a support vector: its arrow head to tail, and at the end w from the origin."""
    solution, data = stage.solution, stage.data
    sums = partial_sums(solution)
    factor = zoom(float(np.abs(sums.w).max()), stage.lab.view)
    times = f"{factor:g}" if factor > 1 else f"1/{1 / factor:g}"
    note = "" if factor == 1 else " " + _("Arrows drawn {factor} times as long.").format(factor=times)
    items: list[Data] = []
    frames = [frame(items, _("An empty sum: w = 0.") + note)]
    for k, i in enumerate(sums.rows, start=1):
        style = "plus" if data.y[i] > 0 else "minus"
        items = [*items, stroke(factor * sums.w[k - 1 : k + 1], style, "arrow")]
        caption = _(
            "Add α<sub>{i}</sub> y<sub>{i}</sub> x<sub>{i}</sub> = {alpha} · ({y}) · {x}.<br>So far w = {w}"
        ).format(
            i=i + 1,
            alpha=short(float(solution.alpha[i])),
            y="+1" if data.y[i] > 0 else "−1",
            x=place(data.X[i]),
            w=place(sums.w[k]),
        )
        if stage.lab.bias:
            caption += ", Σ α y = " + short(zero_if_rounding(float(sums.balance[k]), 1e-9))
        frames.append(frame(items, caption + note, int(data.ids[i])))
    whole = stroke(np.array([np.zeros(2), factor * sums.w[-1]]), "accent", "arrow")
    end = _("The chain ends at <b>w = {w}</b>. The boundary is perpendicular to it.").format(w=place(sums.w[-1]))
    frames.append(frame([*items, whole], end + note))
    return film(f"sum {stage.lab.problem.key}", frames, len(frames) - 1, speed=1)


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many arrows there are, and where they end."""
    if not stage.shown:
        return ()
    solution = stage.solution
    assert solution.w is not None
    return [
        reading(_("points"), float(stage.data.m)),
        reading(_("arrows"), float(solution.support.sum())),
        reading("w", place(solution.w)),
    ]


def chart(stage: Stage) -> Chart:
    """What the classes weigh in this machine, and in the one with the bias switched the other way; or the lemma without
    its condition.
    """
    eps = LEMMA[stage.pick("lemma")]
    if eps is not None:
        return Chart(lemma(eps, stage.palette))
    labs = {bias: stage.lab if stage.lab.bias == bias else replace(stage.lab, bias=bias) for bias in (True, False)}
    found = {bias: stage.cache.outcome(lab.problem).solution for bias, lab in labs.items()}
    y = stage.data.y
    sums = {
        bias: None if s is None else (float(s.alpha[y > 0].sum()), float(s.alpha[y < 0].sum()))
        for bias, s in found.items()
    }
    return Chart(balance(sums[True], sums[False], stage.palette))


def says(stage: Stage) -> str:
    """Why the classes balance, or why the multipliers exist at all."""
    if stage.pick("lemma") == "classes":
        return _(
            "With a bias both classes weigh the same: otherwise shifting $b$ alone would pay. Without one "
            "nothing asks for it."
        )
    return _(
        "Why they exist: our constraints are **linear**. Minimise $w$ where $w^2 \\le \\varepsilon$: the multiplier "
        "$1/(2\\sqrt\\varepsilon)$ runs off, and at 0 there is none."
    )


def formula(stage: Stage) -> str:
    """The sum, and the balance where there is a bias; or the condition on the multiplier of the lemma."""
    if stage.pick("lemma") != "classes":
        return r"\min\, w,\;\; w^2\le\varepsilon:\quad w_0=-\sqrt\varepsilon,\quad 1-2\,\alpha\sqrt\varepsilon=0"
    return r"w=\sum_i\alpha_i\,y_i\,x_i,\quad \alpha_i\ge 0" + (r",\quad \sum_i\alpha_iy_i=0" if stage.lab.bias else "")


def lemma(eps: float, palette: Palette) -> go.Figure:
    """The multiplier of: minimise w where w^2 <= eps, against eps from 1 down to 1e-6; a mark at the present one, none
    at 0.
    """
    figure = blank(palette, "ε", _("multiplier"), height=260)
    grid = np.geomspace(1e-6, 1.0, 61)
    values = np.array([multiplier(float(each))[0] for each in grid])
    figure.add_trace(
        go.Scatter(
            x=grid,
            y=values,
            name="multiplier",
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="ε = %{x:.3g}<br>%{y:.5g}<extra></extra>",
        )
    )
    figure.update_xaxes(log(-6.1, 0.1)).update_yaxes(log(-0.6, 3.0))
    if not eps:
        gone = Label(_("ε = 0: none"), -1.5, 2.2, palette.other, "")
        return place_labels(figure, palette, [gone])
    here = multiplier(eps)[0]
    mark_current(figure, palette, eps, here)
    return place_labels(
        figure,
        palette,
        [Label(short(here), float(np.log10(eps)), float(np.log10(here)), palette.accent, "above right")],
    )


def balance(with_bias: tuple[float, float] | None, without: tuple[float, float] | None, palette: Palette) -> go.Figure:
    """The sums of alpha of class +1 and class -1 in both machines; None where no line separates."""
    figure = blank(palette, "", "Σ α", height=260)
    sums = [pair if pair else (0.0, 0.0) for pair in (with_bias, without)]
    top = max(max(pair) for pair in sums) or 1.0
    for k, (label, name) in enumerate(((1.0, "+1"), (-1.0, "−1"))):
        values = np.array([pair[k] for pair in sums])
        said = [name + ": " + short(v, 3) if pair else "" for v, pair in zip(values, (with_bias, without), strict=True)]
        figure.add_trace(
            go.Bar(
                x=np.arange(2) + (-0.2, 0.2)[k],
                y=values,
                width=0.34,
                name=name,
                marker={"color": palette.class_colour(label)},
                text=said,
                textposition="outside",
                cliponaxis=False,
                hovertemplate="Σ α = %{y:.10g}<extra></extra>",
            )
        )
    figure.update_yaxes(range=[0, 1.3 * top], nticks=4)
    words = [_("with bias"), _("without bias")]
    figure.update_xaxes(range=[-0.5, 1.5], tickvals=[0, 1], ticktext=words, showgrid=False)
    missing = [k for k, pair in enumerate((with_bias, without)) if pair is None]
    return place_labels(
        figure, palette, [Label(_("no line separates"), k, 0.65 * top, palette.quiet, "") for k in missing]
    )


SUM = Step(
    key="sum",
    title=N_("w, piece by piece"),
    question=N_(
        "The multipliers are there, the line is not. Lay an arrow $\\alpha_i y_i x_i$ for each point, head to tail. "
        "Which points have an arrow at all?"
    ),
    choices=(
        right(N_("Those with α > 0")),
        wrong(N_("All of them"), N_("The sum runs over all points, but where α = 0 it adds nothing.")),
        wrong(
            N_("Only the nearest point of each class"),
            N_("Two may do, but a line also leans on pairs: every point with α > 0 adds its arrow."),
        ),
    ),
    board=EIGHT,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W, at_most(30), ARROWS),
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    picks=(
        Pick(
            "lemma",
            N_("Picture"),
            tuple(LEMMA),
            "classes",
            lambda name: _("the classes") if name == "classes" else f"ε = {name}",
        ),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=lambda stage: [
        _(
            "That the weights are not negative matters: each point can only push $w$ away from its own side. "
            "The Italian notes on SVM without bias and Pegasos get this sum from a lemma that leaves the "
            "sign out and needs a "
            "condition on the constraints, for instance that they are linear, as here. Their machine has no "
            "bias, and so "
            "no balance of the classes."
        ),
    ],
    tries=(
        Try(N_("Without bias"), set_machine(bias=False)),
        Try(N_("With bias"), set_machine(bias=True)),
        Try(N_("Four points"), board=FOUR),
    ),
    shows=("H5", "H6"),
)
