"""The soft margin: norm, slack and errors along C, and w = 0 where slack costs nothing (S11, S13, S17)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.lessons.soft.along import PathSamples
from svmlab.lab.lessons.soft.walk import breakpoints, play_C, sampled_path, sampled_path_or_none
from svmlab.lab.numbers import ROUNDING
from svmlab.lab.teach.boards import flowers, has_points_of, preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Measure, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

BOARD = flowers("versicolor", "virginica", ("sepal_width", "petal_width"), centre=(2.9, 1.7), every=3, view=1.5)
HEIGHT = 150
SMALLEST_C = 0.001  # of the slider
VIEWS = {"over": N_("along C"), "front": N_("trade-off"), "counts": N_("counts"), "errors": N_("errors only")}
SAYS = {
    "over": N_(
        "The curves are $\\|w\\|$ and $\\sum_i\\xi_i$ against $C$, each divided by its largest value. As $C$ tends to "
        "0, so does $\\|w\\|$, and the margin $1/\\|w\\|$ grows without bound."
    ),
    "front": N_(
        "The curve shows $\\sum_i\\xi_i$ against $\\|w\\|$, one optimum for each $C$. No $w$ with at most this "
        "norm has less slack. The cross is $w = 0$, $b = 0$ with all slacks 1."
    ),
    "counts": N_(
        "The lines count the support vectors (green) and the training errors (grey) against $C$. Both can "
        "rise and fall, although $\\|w\\|$ and $\\sum_i\\xi_i$ are monotone."
    ),
    "errors": N_(
        "The SVM is shortened to $(cw, cb)$ with $0 < c \\le 1$. Its errors stay the same, so counting errors "
        "does not determine the length of $w$. Only the mean slack (pink) can change with $c$."
    ),
}


def situation(stage: Stage) -> str:
    """Return what the points are and what the soft margin is."""
    problem = _(
        "The **soft margin** requires only $y_i f(x_i) \\ge 1 - \\xi_i$. The **slack variable** $\\xi_i \\ge 0$ "
        "of a point is its margin violation. The SVM minimises $\\frac12\\|w\\|^2 + C\\sum_i\\xi_i$."
    )
    if not has_points_of(stage.lab, BOARD):
        return problem
    points = _(
        "Each point is an iris flower, versicolor (+1) or virginica (−1). $x_1$ and $x_2$ are its sepal and "
        "petal width (centred)."
    )
    return f"{points} {problem}"


def chart(stage: Stage) -> Chart:
    """Return the chart of the view."""
    solution, view = stage.solution, stage.pick("trade")
    if view == "errors":
        return Chart(scaled_errors(solution.norm_w, solution.margins, stage.palette))
    samples, C = sampled_path(stage).samples, solution.problem.C
    if view == "over":
        return Chart(norm_and_slack(samples, C, stage.palette))
    if view == "front":
        here = solution.norm_w, float(solution.xi.sum())
        return Chart(trade_off(samples, here, float(stage.data.m), stage.palette))
    return Chart(counts(samples, C, stage.palette))


def says(stage: Stage) -> str:
    """Return what the axes and marks of the view are, and what to see."""
    view = stage.pick("trade")
    return _(SAYS[view])


def more(stage: Stage) -> Sequence[Part]:
    """Return the proofs, the number of breakpoints, and what the lecture notes state."""
    measured = _(
        "**What is on the board.** The flowers were measured by Anderson and published by Fisher in 1936. Every third "
        "flower of two species is used. $x_1$ is the width of a sepal minus 2.9 cm, and $x_2$ is the width of a petal "
        "minus 1.7 cm. On your own board, $x_1$ and $x_2$ are plain coordinates."
    )
    known = sampled_path_or_none(stage)
    breaks = _(
        "**Breakpoints.** On this board, the path over all $C$ has {n} breakpoints, and between two of them $w$ is "
        "linear in $C$."
    )
    return [
        *([measured] if has_points_of(stage.lab, BOARD) else []),
        _(
            "**Proof.** For $w = 0$, $b = 0$ and every $\\xi_i = 1$, all constraints $y_i f(x_i) \\ge 1 - "
            "\\xi_i$ hold. If $C = 0$, the objective is $\\frac12\\|w\\|^2$, so it is 0 there and positive for "
            "every other $w$. The slider ends at $C = 0.001$, because for $w = 0$ there is no line to draw. "
            "There, $\\|w\\|$ is small, because $w = \\sum_i \\alpha_i y_i x_i$ with $0 \\le \\alpha_i \\le C$."
        ),
        _(
            "**Trade-off.** As $C$ grows, $\\|w\\|$ does not fall and $\\sum_i\\xi_i$ does not rise. To prove it, take "
            "the optima for $C$ and $C' > C$. Each is at least as good as the other one for its own constant. If you "
            "add the two inequalities, you get $(C' - C)(\\sum_i\\xi_i - \\sum_i\\xi'_i) \\ge 0$. So the slack does "
            "not rise, and then the inequality for $C$ shows that the norm does not fall."
        ),
        *([breaks.format(n=len(known.path.C))] if known else []),
        *([_(known.path.end_reason)] if known and known.path.end_reason else []),
        _(
            "**Errors only.** $(w, b)$ and $(cw, cb)$ have the same training errors for every $c > 0$. So if $w "
            "= 0$ is not good enough, there is no shortest $w$ with a given number of errors. At $w = 0$ and $b "
            "= 0$, $f$ is 0 at every point. This counts as an error in the view “errors only” (grey dot)."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces first minimise $\\|w\\|^2$ under $y_i\\langle w, "
            "x_i\\rangle \\ge 1 - \\xi_i$, without a term for the slack. They say at once that $\\xi_i$ must be "
            "restricted, and then they add the mean slack to the objective. The Chinese notes after H.-T. Lin compare "
            "the SVM with regularisation. Minimising the norm at a bounded mean hinge loss gives the SVM for some $C$, "
            "and so does minimising the loss at a bounded norm, as long as the bound is active."
        ),
    ]


def norm_and_slack(samples: PathSamples, C: float, palette: Palette) -> go.Figure:
    """Draw |w| and the total slack over log C, each divided by its largest value, with a line at the present C."""
    figure = empty_chart(palette, height=HEIGHT)
    curves = (("‖w‖", samples.norm_w, palette.accent), ("Σ ξ", samples.slack, palette.other))
    for name, y, colour in curves:
        _line(figure, palette, name, samples.C, y / max(float(y.max()), 1e-300), y, colour)
    figure.update_yaxes(range=[0, 1.08], tickvals=[0, 1], ticktext=["0", _("largest")])
    return _over_C(figure, samples, C, palette, [(name, y[-1] / max(y.max(), 1e-300), c) for name, y, c in curves])


def counts(samples: PathSamples, C: float, palette: Palette) -> go.Figure:
    """Draw the numbers of support vectors and of errors over log C, exact between their changes."""
    figure = empty_chart(palette, height=HEIGHT)
    stairs = (
        (_("support vectors"), *_stairs(samples, samples.breaks, samples.support), palette.accent),
        (_("errors"), *_stairs(samples, samples.error_changes, samples.errors), palette.quiet),
    )
    for name, x, y, colour in stairs:
        _line(figure, palette, name, x, y, y, colour, "hv")
    figure.update_yaxes(range=[0, 1.08 * max(float(samples.support.max()), 1.0)], nticks=4)
    return _over_C(figure, samples, C, palette, [(name, float(y[-1]), colour) for name, x, y, colour in stairs])


def trade_off(samples: PathSamples, current: tuple[float, float], m: float, palette: Palette) -> go.Figure:
    """Draw the total slack against |w| along the path, with the current SVM (|w|, sum of slack) and w = 0.

    At w = 0 the slack is 1 at all m points.
    """
    figure = empty_chart(palette, "", "Σ ξ", height=HEIGHT)
    hover = "C = %{customdata:.4g}"
    _line(figure, palette, "path", samples.norm_w, samples.slack, samples.C, palette.accent, hover=hover)
    mark_current(figure, palette, current[0], current[1])
    cross = {"symbol": "x", "size": 11 * palette.stroke, "color": palette.other}
    zero = go.Scatter(x=np.zeros(1), y=np.array([m]), name="w = 0", mode="markers", marker=cross, cliponaxis=False)
    figure.add_trace(zero.update(hovertemplate="w = 0, Σ ξ = %{y:g}<extra></extra>"))
    figure.update_xaxes(range=axis_range(samples.norm_w, current[0], 0.0))
    figure.update_yaxes(range=axis_range(0.0, samples.slack, m), nticks=4)
    labels = (
        Label("C = 0", 0.0, m, palette.other),
        Label(_("large C"), float(samples.norm_w[-1]), float(samples.slack[-1]), palette.quiet, "above left"),
        axis_name(figure, "‖w‖", palette),
    )
    return place_labels(figure, palette, labels)


def scaled_errors(norm_w: float, margins: Array, palette: Palette) -> go.Figure:
    """Draw the mean slack and the error rate of c (w, b), with the margins c y f (m,), over its length |c w|."""
    figure = empty_chart(palette, height=HEIGHT)
    c = np.linspace(0.0, 1.0, 101)
    slack = np.maximum(0.0, 1.0 - c[:, None] * margins).mean(1)
    rate = float((margins <= ROUNDING).mean())
    x = c * norm_w
    _line(figure, palette, "ξ", x, slack, slack, palette.other, hover="%{y:.4g}")
    _line(figure, palette, "errors", x[[0, -1]], np.full(2, rate), np.full(2, rate), palette.quiet, hover="%{y:.4g}")
    for name, y, fill in (("not reached", rate, palette.paper), ("at 0", 1.0, palette.quiet)):
        ring = {"size": 11 * palette.stroke, "color": fill, "line": palette.pen(palette.quiet, 2.5)}
        mark = go.Scatter(x=np.zeros(1), y=np.array([y]), name=name, mode="markers", marker=ring, cliponaxis=False)
        figure.add_trace(mark.update(hovertemplate="%{y:.4g}<extra></extra>"))
    figure.update_xaxes(range=axis_range(0.0, norm_w, room=0.02), nticks=6)
    figure.update_yaxes(range=[-0.04, 1.12], tickvals=[0, 1])
    labels = (
        Label(_("mean slack"), norm_w, float(slack[-1]), palette.other),
        Label(_("error rate"), 0.55 * norm_w, rate, palette.quiet, "above"),
        axis_name(figure, "‖c w‖", palette),
    )
    return place_labels(figure, palette, labels, backed=True)


def _line(
    figure: go.Figure,
    palette: Palette,
    name: str,
    x: Array,
    y: Array,
    exact: Array,
    colour: str,
    shape: str = "linear",
    hover: str = "",
) -> None:
    hover = hover or f"{name} = %{{customdata:.6g}}<br>C = %{{x:.5g}}"
    trace = go.Scatter(
        x=x,
        y=y,
        customdata=exact,
        name=name,
        mode="lines",
        line=palette.pen(colour) | {"shape": shape},
        hovertemplate=f"{hover}<extra></extra>",
    )
    figure.add_trace(trace)


def _over_C(
    figure: go.Figure, samples: PathSamples, C: float, palette: Palette, ends: list[tuple[str, float, str]]
) -> go.Figure:
    """Add the axis of C, the present C on it, and a name at the right end of each line."""
    lo, hi = math.log10(samples.C[0]), math.log10(samples.C[-1])
    figure.update_xaxes(**log_axis(lo, hi))
    add_rule(figure, palette, palette.accent, "dot", x=C)
    names = [Label(name, hi, float(y), colour) for name, y, colour in ends]
    return place_labels(figure, palette, [axis_name(figure, "C", palette), *names])


def _stairs(samples: PathSamples, changes: Array, numbers: Index) -> tuple[Array, Array]:
    """Return a step line along C: numbers[j] until changes[j], and the last one until the end."""
    return np.r_[samples.C[0], changes, samples.C[-1]], np.r_[numbers, numbers[-1]].astype(float)


PRICE = Step(
    key="price",
    title=N_("Soft margin and parameter C"),
    situation=situation,
    question=N_("Which $w$ minimises $\\frac12\\|w\\|^2 + C\\sum_i\\xi_i$ if $C = 0$, so that slack costs nothing?"),
    choices=(
        wrong(
            N_("The w that separates with the widest margin"),
            N_(
                "A very large C leads to it if the classes are separable. With C\u00a0=\u00a00, slack costs "
                "nothing, so w need not separate."
            ),
        ),
        right(N_("w = 0, where every slack can be 1")),
        wrong(
            N_("The w with the fewest training errors"),
            N_("Large slack often means an error. However, for C = 0 neither slack nor errors enter the objective."),
        ),
    ),
    verdict=N_(
        "w = 0, where every slack can be 1. Then all constraints hold, and ½‖w‖²\u00a0=\u00a00 is the smallest value."
    ),
    board=BOARD,
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, NONZERO_W),
    introduces=("soft-margin", "slack", "price", "errors"),
    draw=breakpoints,
    play=lambda stage: play_C(stage, stage.lab.C, SMALLEST_C),
    rests_on_answer=lambda stage: stage.lab.C <= SMALLEST_C,
    numbers=(
        Measure("C", lambda stage: stage.solution.problem.C, N_("the factor of the slack in the objective")),
        Measure("‖w‖", lambda stage: stage.solution.norm_w, N_("the norm of w, where 1/‖w‖ is the margin")),
        Measure(
            "Σ ξ", lambda stage: float(stage.solution.xi.sum()), N_("the sum of the slack variables of all points")
        ),
    ),
    picks=(Pick("trade", N_("View"), tuple(VIEWS), "over", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\min_{w,b,\xi}\ \tfrac12\|w\|^2 + C\sum_i\xi_i \quad\text{s.t.}\quad y_i f(x_i)\ge 1-\xi_i,\ \xi_i\ge 0",
    more=more,
    tries=(
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("C = 1000"), set_machine(face="C", value=1000.0)),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.7)),
    ),
    shows=("S11", "S13", "S17"),
)
