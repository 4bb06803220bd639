"""Each point's pull: every multiplier along C, in straight pieces that join, and what they are worth as a dual point
(S1, S11).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current, points
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.along import PathSamples
from svmlab.lab.lessons.soft.walk import breakpoints, play_C, sampled_path
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.solvers.bias import best_biases

VIEWS = {"plain": N_("αᵢ over C"), "shares": N_("share αᵢ/C"), "values": N_("both values")}


def values(stage: Stage) -> tuple[float, float]:
    """½|w|² + C Σ ξ, with the slack that w and b leave, and the value of α in the dual."""
    solution, problem = stage.solution, stage.solution.problem
    slack, signed = np.maximum(0.0, 1.0 - solution.margins), solution.alpha * problem.data.y
    size = 0.5 * float(signed @ problem.gram @ signed)
    return 0.5 * solution.norm_w**2 + problem.C * float(slack.sum()), float(solution.alpha.sum()) - size


def least_slack(stage: Stage) -> Array:
    """Of each w along C the slack with its best b, (k,): where b is free along the path, not every choice is good at
    this C.
    """
    found, y = sampled_path(stage).samples, stage.data.y
    f = found.margins * y
    return np.maximum(0.0, 1.0 - y * (f + best_biases(f, y)[:, None])).sum(1) if stage.lab.bias else found.slack


def numbers(stage: Stage) -> Sequence[Reading]:
    """The selected point's pull, or how many pull not at all, in part and fully; or both values."""
    solution = stage.solution
    price = reading("C", solution.problem.C)
    if stage.pick("pulls") == "values":
        primal, dual = values(stage)
        apart = abs(primal - dual) / max(primal, 1e-300)
        return [
            price,
            reading("½|w|² + C Σ ξ", primal),
            reading(_("dual"), dual),
            reading(_("apart"), apart * primal if apart > 1e-9 else 0.0),
        ]
    if stage.selected_row is not None:
        alpha = float(solution.alpha[stage.selected_row])
        point = str(stage.lab.points[stage.selected_row].id)
        return [price, reading(_("point"), point), reading("αᵢ", alpha), reading("αᵢ/C", alpha / solution.problem.C)]
    counts = (("α = 0", ~solution.support), ("0 < α < C", solution.free), ("α = C", solution.at_bound))
    return [price, *(reading(name, str(int(mask.sum()))) for name, mask in counts)]


def chart(stage: Stage) -> Chart:
    """Every multiplier along C; a click on a mark selects its point. Or both values of the machines along C."""
    if stage.pick("pulls") == "values":
        return Chart(
            both_values(sampled_path(stage).samples, least_slack(stage), stage.lab.C, values(stage), stage.palette)
        )
    shares = stage.pick("pulls") == "shares"
    figure = multipliers(
        sampled_path(stage).samples, stage.data, stage.lab.C, stage.lab.selected, shares, stage.palette
    )
    return Chart(figure, on_click=select_point)


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("pulls") == "values":
        return _("At this C: every α with 0 ≤ αᵢ ≤ C is worth less than any w costs. Those of the machine meet.")
    if stage.pick("pulls") == "shares":
        return _("Over log C straight pieces look bent. The share is 1 with slack, and 0 once the margin line is past.")
    return _("Over C every piece is straight: αᵢ = C with slack, then bending off, 0 once the margin line is past.")


def free_one(stage: Stage) -> Op:
    """The first free support vector, where there is one."""
    rows = np.flatnonzero(stage.solution.free)
    return select_point(stage.lab.points[int(rows[0])].id if len(rows) else stage.lab.selected)


def full_one(stage: Stage) -> Op:
    """The point with the most slack."""
    return select_point(stage.lab.points[int(stage.solution.xi.argmax())].id)


def formula(stage: Stage) -> str:
    """The dual, with the balance of the classes where there is a b."""
    balance = r",\ \ y^\top\alpha=0" if stage.lab.bias else ""
    return rf"\max_\alpha\ \sum_i\alpha_i-\tfrac12\,\alpha^\top Q\,\alpha \qquad 0\le\alpha_i\le C{balance}"


def more(stage: Stage) -> Sequence[Part]:
    """Why, and what can be clicked."""
    return [
        _(
            "Slack changes one thing in the dual: no multiplier may exceed C. Between two breakpoints the same points "
            "have slack and the same ones lie on their margin line. The free multipliers then solve linear equations "
            "whose right side is linear in C, and so is their solution, and $w = \\sum_i \\alpha_i y_i x_i$ with it."
        ),
        _(
            "**Both values.** At the present C the machine of every other price $C'$ is tried: its $w$ (with "
            "the $b$ that is best for it) costs more, its α is worth less, "
            "and for $C' > C$ it breaks the ceiling. The two curves touch where $C' = C$."
        ),
        _("Click a mark in the chart or a point on the board to follow one of them."),
    ]


def multipliers(
    found: PathSamples, data: Dataset, C: float, selected: int | None, shares: bool, palette: Palette
) -> go.Figure:
    """Alpha_i of every point: over C itself, where its pieces are straight, or as the share alpha_i/C over log C.

    At the present C every point is a mark that can be clicked (customdata: its id); `selected` (an id) is drawn strong.
    """
    figure = blank(palette, "", "αᵢ/C" if shares else "αᵢ", height=150)
    keep = np.ones(len(found.C), bool) if shares else found.C <= 2.05 * C
    at, alpha = found.C[keep], found.alpha[keep]
    if not shares:
        at, alpha = np.r_[0.0, at], np.vstack([np.zeros(data.m), alpha])
    values = alpha / at[:, None] if shares else alpha
    top = 1.0 if shares else max(float(values.max()), 1e-12)
    for sign in (1.0, -1.0):
        xs, ys, who = _joined(at, values, data, np.flatnonzero(data.y == sign))
        _line(figure, xs, ys, who, f"{sign:+g}", palette.pen(palette.class_colour(sign), 1.3), 0.5)
    row = np.flatnonzero(data.ids == selected) if selected is not None else np.zeros(0, np.intp)
    if len(row):
        who = np.full(len(at), float(data.ids[row[0]]))
        _line(figure, at, values[:, row[0]], who, "selected", palette.pen(palette.accent, 4), 1.0)
    _marks(figure, found, data, C, shares, selected, palette)
    add_rule(figure, palette, palette.accent, "dot", x=C)
    figure.update_yaxes(range=[-0.06 * top, 1.08 * top], nticks=4)
    if shares:
        lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
        figure.update_xaxes(**log(lo, hi)).update_yaxes(tickvals=[0, 1])
        return place_labels(figure, palette, [axis_name(figure, "C", palette)])
    last = float(at[-1])
    figure.update_xaxes(range=[0, last])
    edge = min(last, top)
    ceiling = go.Scatter(x=np.array([0, edge]), y=np.array([0, edge]), mode="lines", name="ceiling", hoverinfo="skip")
    figure.add_trace(ceiling.update(line=palette.pen(palette.quiet, 1.5, "dash")))
    side = "right" if edge == last else "above right"
    return place_labels(
        figure, palette, [Label("αᵢ = C", edge, edge, palette.quiet, side), axis_name(figure, "C", palette)]
    )


def both_values(found: PathSamples, slack: Array, C: float, here: tuple[float, float], palette: Palette) -> go.Figure:
    """At the price C: what the w of each machine along the path costs with its least slack (k,), and what its alpha is
    worth where it keeps to C; `here` they meet.
    """
    figure = blank(palette, height=150)
    size, keeps = 0.5 * found.norm_w**2, found.C <= C
    primal, dual = size + C * slack, (found.alpha.sum(1) - size)[keeps]
    curves = (
        (
            _("w costs"),
            np.r_[found.C[keeps], C, found.C[~keeps]],
            np.r_[primal[keeps], here[0], primal[~keeps]],
            palette.other,
        ),
        (_("α is worth"), np.r_[found.C[keeps], C], np.r_[dual, here[1]], palette.accent),
    )
    for name, x, y, colour in curves:
        trace = go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour))
        figure.add_trace(trace.update(hovertemplate=f"{name} %{{y:.6g}}<br>C′ = %{{x:.5g}}<extra></extra>"))
    mark_current(figure, palette, C, here[0])
    lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
    top = 2.2 * here[0]
    figure.update_xaxes(**log(lo, hi)).update_yaxes(range=[0.0, top], nticks=4)
    at, inside = curves[0][1:3], curves[0][2] <= top
    ends = (
        Label(_("w costs"), math.log10(at[0][inside][-1]), float(at[1][inside][-1]), palette.other, "below right"),
        Label(_("α is worth"), math.log10(max(C, found.C[0])), 0.5 * here[1], palette.accent, "right"),
        axis_name(figure, "C′", palette),
    )
    return place_labels(figure, palette, ends, backed=True)


def _line(figure: go.Figure, x: Array, y: Array, who: Array, name: str, pen: dict[str, object], opacity: float) -> None:
    hover = f"{_('point {id}').format(id='%{customdata}')}<br>%{{y:.6g}}<br>C = %{{x:.5g}}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x, y=y, customdata=who, mode="lines", name=name, opacity=opacity, line=pen, hovertemplate=hover)
    )


def _marks(
    figure: go.Figure, found: PathSamples, data: Dataset, C: float, shares: bool, selected: int | None, palette: Palette
) -> None:
    """Every point at the present C: alpha is linear between the samples."""
    i = int(np.clip(np.searchsorted(found.C, C), 1, len(found.C) - 1))
    t = (C - found.C[i - 1]) / (found.C[i] - found.C[i - 1])
    alpha = np.clip((1 - t) * found.alpha[i - 1] + t * found.alpha[i], 0.0, C)
    hover = f"{_('point {id}').format(id='%{customdata[0]}')}<br>α = %{{customdata[1]:.6g}}<extra></extra>"
    x, y, custom = np.full(data.m, C), alpha / C if shares else alpha, np.stack([data.ids, alpha], 1)
    figure.add_trace(points(palette, x, y, data.y, custom, data.ids == selected, name="now", hover=hover, edge=2))


def _joined(at: Array, values: Array, data: Dataset, rows: Index) -> tuple[Array, Array, Array]:
    """The lines of some points as one trace with gaps; vertices on a straight line between their neighbours are left
    out.
    """
    xs, ys, who = list[Array](), list[Array](), list[Array]()
    share = (at[1:-1] - at[:-2]) / (at[2:] - at[:-2])
    for i in rows:
        v = values[:, i]
        bend = v[1:-1] - v[:-2] - share * (v[2:] - v[:-2])
        keep = np.r_[True, np.abs(bend) > 1e-9 * max(float(v.max()), 1e-12), True]
        xs += [at[keep], np.array([np.nan])]
        ys += [v[keep], np.array([np.nan])]
        who.append(np.full(int(keep.sum()) + 1, data.ids[i]))
    if not xs:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(who)


MULTIPLIERS = Step(
    key="multipliers",
    title=N_("Each point’s pull"),
    question=N_(
        "Every point pulls at the boundary with a strength αᵢ from 0 to C. As C rises from almost nothing, "
        "how does each αᵢ go?"
    ),
    choices=(
        right(N_("In straight pieces that join")),
        wrong(N_("Along a smooth curve"), N_("Over a logarithmic axis it looks like one. Over C itself it has kinks.")),
        wrong(
            N_("It jumps when the point changes its category"),
            N_("The category changes at once, but there the pull has just come to 0 or to C."),
        ),
    ),
    board=preset("overlapping", size=24, noise=0.3, seed=2),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=breakpoints,
    play=lambda stage: play_C(stage, 0.01, 1.0),
    numbers=numbers,
    picks=(Pick("pulls", N_("The view"), tuple(VIEWS), "plain", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("A free one"), free_one),
        Try(N_("Most slack"), full_one),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.7)),
    ),
    shows=("S1", "S11"),
)
