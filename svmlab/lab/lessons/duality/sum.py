"""The normal vector w as a sum over the support vectors, and the sums of alpha over the classes (H5, H6)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.marks import mark_current
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR
from svmlab.lab.lessons.duality.expansion import partial_sums
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import film, frame, place, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette
from svmlab.statements.kkt_conditions import multiplier

MAX_SUPPORT_VECTORS = 12
LEMMA = {  # the sums of the classes, or the lemma at this ε
    "classes": None,
    "0.1": 0.1,
    "0.01": 0.01,
    "0.0001": 1e-4,
    "0": 0.0,
}
ARROWS = Need(
    lambda stage: int(stage.solution.support.sum()) <= MAX_SUPPORT_VECTORS,
    N_("This board has too many support vectors to draw an arrow for each."),
    {"hard": True},
)


def magnification(reach: float, half: float) -> float:
    """Return the power of two by which arrows of this reach fill a good part of a board with half side `half`."""
    return float(2.0 ** np.floor(np.log2(0.94 * half / reach))) if reach > 0 else 1.0


def draw(stage: Stage) -> Data:
    """Show the film of the arrows once the answer is shown."""
    if not stage.shown:
        return {}
    return {"film": stage.cached(f"film of the sum {stage.lab.view}", lambda: arrows_film(stage)), "sliders": []}


def arrows_film(stage: Stage) -> Data:
    """Return one frame for each support vector, which adds its arrow, and a last frame with w."""
    solution, data = stage.solution, stage.data
    sums = partial_sums(solution)
    factor = magnification(float(np.abs(sums.w).max()), stage.lab.view)
    times = f"{factor:g}" if factor > 1 else f"1/{1 / factor:g}"
    note = "" if factor == 1 else " " + _("The arrows are drawn {factor} times as long.").format(factor=times)
    items: list[Data] = []
    frames = [frame(items, _("The empty sum is w = 0.") + note)]
    for k, i in enumerate(sums.rows, start=1):
        style = "plus" if data.y[i] > 0 else "minus"
        items = [*items, stroke(factor * sums.w[k - 1 : k + 1], style, "arrow")]
        caption = _(
            "Term {k} of {n}: α<sub>{i}</sub> y<sub>{i}</sub> x<sub>{i}</sub> = {alpha} · ({y}) · {x}."
            "<br>The sum is {w}."
        ).format(
            k=k,
            n=len(sums.rows),
            i=i + 1,
            alpha=short(float(solution.alpha[i])),
            y="+1" if data.y[i] > 0 else "−1",
            x=place(data.X[i]),
            w=place(sums.w[k]),
        )
        frames.append(frame(items, caption + note, int(data.ids[i])))
    whole = stroke(np.array([np.zeros(2), factor * sums.w[-1]]), "accent", "arrow")
    end = _("The sum is <b>w = {w}</b>. The decision boundary is perpendicular to it.").format(w=place(sums.w[-1]))
    frames.append(frame([*items, whole], end + note))
    course = _("terms of the sum from 0 to {n}").format(n=len(sums.rows))
    return film(f"sum {stage.lab.problem.key}", frames, course, len(frames) - 1, speed=1)


def with_bias_switched(stage: Stage) -> dict[bool, tuple[float, float] | None]:
    """Return the sums of alpha over class +1 and class -1 with and without a bias, None where no line separates."""
    y, sums = stage.data.y, dict[bool, tuple[float, float] | None]()
    for bias in (True, False):
        lab = stage.lab if stage.lab.bias == bias else replace(stage.lab, bias=bias)
        solution = stage.cache.outcome(lab.problem).solution
        alpha = None if solution is None else solution.alpha
        sums[bias] = None if alpha is None else (float(alpha[y > 0].sum()), float(alpha[y < 0].sum()))
    return sums


def chart(stage: Stage) -> Chart:
    """Show the sums of alpha over the classes with and without a bias, or the multiplier of the lemma."""
    eps = LEMMA[stage.pick("lemma")]
    if eps is not None:
        return Chart(lemma(eps, stage.palette))
    sums = with_bias_switched(stage)
    return Chart(balance(sums[True], sums[False], stage.palette))


def says(stage: Stage) -> str:
    """Explain the sums of the classes, or why multipliers exist."""
    if stage.pick("lemma") == "classes":
        return _(
            "Each bar is the sum of α over one class. With a bias, both classes have the same sum, because "
            "$\\sum_i\\alpha_iy_i=0$ is a KKT condition. Without a bias, they can differ."
        )
    return _(
        "Multipliers exist for the SVM because its constraints are linear. If you minimise a number $w$ subject to "
        "$w^2\\le\\varepsilon$, the multiplier is $1/(2\\sqrt\\varepsilon)$. At $\\varepsilon=0$ none exists."
    )


def formula(stage: Stage) -> str:
    """Return the sum and the balance of the classes, or the condition for the multiplier of the lemma."""
    if stage.pick("lemma") != "classes":
        return r"\min\, w,\;\; w^2\le\varepsilon:\quad w^*=-\sqrt\varepsilon,\quad 1-2\,\alpha\sqrt\varepsilon=0"
    return r"w=\sum_i\alpha_i\,y_i\,x_i,\quad \alpha_i\ge 0" + (r",\quad \sum_i\alpha_iy_i=0" if stage.lab.bias else "")


def verdict(stage: Stage) -> str:
    solution = stage.solution
    assert solution.w is not None
    return _(
        "Only the support vectors (α > 0). On this board {n} of {m} points have α > 0, and the sum is w = {w}."
    ).format(n=int(solution.support.sum()), m=stage.data.m, w=place(solution.w))


def lemma(eps: float, palette: Palette) -> go.Figure:
    """Draw the multiplier of: minimise w subject to w^2 <= eps, against eps, and mark the current eps > 0."""
    figure = empty_chart(palette, "ε", _("multiplier"), height=260)
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
    figure.update_xaxes(log_axis(-6.1, 0.1)).update_yaxes(log_axis(-0.6, 3.0))
    if not eps:
        no_solution = Label(_("none at ε = 0"), -1.5, 2.2, palette.other, "")
        return place_labels(figure, palette, [no_solution])
    current = multiplier(eps)[0]
    mark_current(figure, palette, eps, current)
    return place_labels(
        figure,
        palette,
        [Label(short(current), float(np.log10(eps)), float(np.log10(current)), palette.accent, "above right")],
    )


def balance(with_bias: tuple[float, float] | None, without: tuple[float, float] | None, palette: Palette) -> go.Figure:
    """Draw the sums of alpha over class +1 and class -1 with and without a bias, None where no line separates."""
    figure = empty_chart(palette, "", "Σ α", height=260)
    sums = [pair if pair else (0.0, 0.0) for pair in (with_bias, without)]
    top = max(max(pair) for pair in sums) or 1.0
    for k, (label, name) in enumerate(((1.0, "+1"), (-1.0, "−1"))):
        values = np.array([pair[k] for pair in sums])
        values_as_text = [
            name + ": " + short(v, 3) if pair else "" for v, pair in zip(values, (with_bias, without), strict=True)
        ]
        figure.add_trace(
            go.Bar(
                x=np.arange(2) + (-0.2, 0.2)[k],
                y=values,
                width=0.34,
                name=name,
                marker={"color": palette.class_colour(label)},
                text=values_as_text,
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
    title=N_("w from support vectors"),
    introduces=("normal",),
    situation=N_(
        "The dual problem gives a multiplier $\\alpha_i\\ge0$ for each training point. By the KKT conditions, the "
        "normal vector of the decision boundary is then the sum $w=\\sum_i\\alpha_iy_ix_i$. Each term "
        "$\\alpha_iy_ix_i$ is an arrow, which starts at the end of the one before. The first arrow starts at 0, and "
        "the last one ends at $w$."
    ),
    question=N_("For any training set, which points can add a term $\\alpha_iy_ix_i\\ne0$ to the sum $w$?"),
    choices=(
        right(N_("Only the support vectors (α > 0)")),
        wrong(
            N_("All training points"),
            N_("The sum has a term for every point. However, the term of a point with α = 0 is 0, so it has no arrow."),
        ),
        wrong(
            N_("Only one training point of each class"),
            N_(
                "Two arrows can be enough. However, every point with α > 0 can add an arrow, and a class can have "
                "several of them."
            ),
        ),
    ),
    verdict=verdict,
    board=EIGHT,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W, at_most(30), ARROWS),
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: draw(stage)["film"]["at"] == len(partial_sums(stage.solution).rows) + 1,
    numbers=(
        Measure(
            N_("support vectors"),
            lambda stage: float(stage.solution.support.sum()),
            N_("Points with α > 0"),
            after_show=True,
        ),
        Measure(
            "‖w‖",
            lambda stage: stage.solution.norm_w,
            N_("Length of the sum of all arrows"),
            after_show=True,
        ),
        Measure(
            "Σ α y",
            lambda stage: zero_if_rounding(float(stage.solution.alpha @ stage.data.y), 1e-9),
            N_("Sum of α over class +1 minus sum of α over class −1, which is 0 with a bias"),
            after_show=True,
        ),
    ),
    picks=(
        Pick(
            "lemma",
            N_("Chart"),
            tuple(LEMMA),
            "classes",
            lambda name: _("class sums") if name == "classes" else f"w² ≤ {name}",
        ),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**Why the sum is w.** At the optimum, the derivative of the Lagrangian with respect to $w$ is 0. This "
            "gives $w-\\sum_i\\alpha_iy_ix_i=0$. With a bias, the derivative with respect to $b$ gives "
            "$\\sum_i\\alpha_iy_i=0$."
        ),
        N_(
            "**The converse.** A support vector can have the term 0, namely if it lies at the origin. You can see this "
            "with *Four points*. With a bias, a shift of all points changes the terms, but their sum stays the same, "
            "because $\\sum_i\\alpha_iy_i=0$."
        ),
        N_(
            "**Lecture notes.** The Italian notes on SVM without bias and Pegasos derive the sum from a lemma (their "
            "Lemma 2). The lemma omits $\\alpha_i\\ge0$ and a condition on the constraints, for example that they are "
            "linear. Here they are linear, so the result is correct. Their SVM has no bias, so the sums of the classes "
            "can differ."
        ),
    ),
    tries=(
        Try(N_("Without bias"), set_machine(bias=False)),
        Try(N_("Four points"), board=FOUR),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H5", "H6", "T12"),
)
