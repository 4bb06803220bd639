"""The objective in the plane of w: contours of its two terms, a cut through the minimiser, slopes (S4, S13, S14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts import marks
from svmlab.lab.lessons.soft.plane import Landscape, Section, landscape, of_line, section, window
from svmlab.lab.lessons.soft.walk import SMALL_C, breakpoints, play_C, sampled_path
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, select_point, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.contours import contours
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

START = ((-0.7, 3.0), (1.4, -2.4))
VIEWS = {"terms": N_("two contours"), "sum": N_("sum F"), "section": N_("cut"), "steep": N_("slopes")}
SAYS = {
    "terms": N_(
        "Circles are contours of the norm, and pink curves are those of the slack. The two thick ones touch at "
        "the minimiser (dot). As $C$ grows from 0, the dot moves away from 0 on the green path."
    ),
    "sum": N_(
        "The axes are $w_1$ and $w_2$, and the lines are contours of $F$. $F$ is convex and has one minimiser (dot), "
        "which moves along the green path as $C$ varies."
    ),
    "section": N_(
        "The curve is $\\frac{1}{Cm}F$ along the line from the minimiser $w^*$, at $t = 0$, to your $w$. It is nowhere "
        "below the dashed parabola, so $w^*$ is the only minimiser."
    ),
    "steep": N_(
        "Each bar is the change of one slack between $w^*$ and your $w$ with the same $b$, divided by $\\|w - w^*\\|$. "
        "It is at most the length $\\|x_i\\|$ of the point (tick)."
    ),
}
FORMULAS = {
    "section": r"\tfrac1{Cm}F(w)\ \ge\ \tfrac1{Cm}F(w^*)+\tfrac\lambda2\,\|w-w^*\|^2,\quad \lambda=\tfrac1{Cm}",
    "steep": r"|\xi_i(w)-\xi_i(w^*)|\ \le\ \|x_i\|\,\|w-w^*\|\ \le\ X\,\|w-w^*\|",
}
THIN, THICK = 1.2, 3.0
FLAT = 0.5  # height of the plane of w in its width


def own(stage: Stage) -> tuple[Array, float]:
    """Return the (w, b) of the reader's line, scaled so that F is smallest."""
    return of_line(stage.lab.problem, stage.hand or START)


def best(stage: Stage) -> Array:
    """Return the w of the SVM on the board (2,)."""
    assert stage.solution.w is not None
    return stage.solution.w


def draw(stage: Stage) -> Data:
    """Return the reader's line. The lines of the SVM are hidden until the answer is shown."""
    a, b = stage.hand or START
    return breakpoints(stage) | {"hand": {"a": a, "b": b}, "tool": "line"} | ({} if stage.shown else POINTS_ONLY)


def terms(stage: Stage) -> tuple[float, float]:
    """Return ½|w|² and C times the total slack of the reader's line."""
    (w, b), data = own(stage), stage.data
    return 0.5 * float(w @ w), stage.lab.C * float(np.maximum(0.0, 1.0 - data.y * (data.X @ w + b)).sum())


def steepness(stage: Stage) -> tuple[Array, float]:
    """Return by how much each slack changes from the minimiser to the w of the reader, per unit of their distance (m,).

    Also return that distance. Both use the b of the minimiser.
    """
    (w, _b), minimiser, data, b = own(stage), best(stage), stage.data, stage.solution.b
    distance = float(np.linalg.norm(w - minimiser))
    change = np.subtract(*(np.maximum(0.0, 1.0 - data.y * (data.X @ v + b)) for v in (w, minimiser)))
    return np.abs(change) / (distance or 1.0), distance


YOURS = N_("of your line, where w and b are multiplied by the factor with the smallest F")
TERMS = (
    Measure("½‖w‖²", lambda stage: terms(stage)[0], YOURS),
    Measure("C Σ ξ", lambda stage: terms(stage)[1], YOURS),
    Measure(N_("your F"), lambda stage: sum(terms(stage)), YOURS),
)
OBJECTIVES = (TERMS[2], Measure(N_("minimum F"), lambda stage: stage.solution.objective, N_("the F of the SVM")))
SLOPES = (
    Measure("‖w − w*‖", lambda stage: steepness(stage)[1], N_("the distance of your w from the minimiser w*")),
    Measure(N_("steepest"), lambda stage: float(steepness(stage)[0].max()), N_("the highest bar")),
    Measure("X", lambda stage: float(np.linalg.norm(stage.data.X, axis=1).max()), N_("the largest ‖xᵢ‖")),
)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return both terms of the reader's line and, with the answer, the minimum, or the slopes."""
    measures = TERMS if not stage.shown else SLOPES if stage.pick("valley") == "steep" else OBJECTIVES
    return [measure.reading(stage) for measure in measures]


def chart(stage: Stage) -> Chart:
    """Return the plane of w, the cut from the minimiser to the reader's w, or the slopes of the slacks."""
    solution, (w, _b), view = stage.solution, own(stage), stage.pick("valley")
    problem, minimiser = solution.problem, best(stage)
    if view == "steep":
        figure = slope_bars(stage.data, steepness(stage)[0], stage.lab.selected, stage.palette)
        return Chart(figure, on_click=select_point)
    if view == "section":
        distance = float(np.linalg.norm(w - minimiser))
        direction = w - minimiser if distance > 1e-9 else minimiser
        reach = max(1.5 * solution.norm_w, 1.2 * float(np.linalg.norm(direction)))
        values = section(problem, minimiser, float(np.arctan2(direction[1], direction[0])), reach)
        return Chart(cut(values, (distance, problem.lam * sum(terms(stage))), stage.palette))
    path = (sampled_path(stage).samples.alpha * stage.data.y) @ stage.data.X
    w1, w2 = window(np.vstack([path, minimiser]))
    values_of_terms = stage.cache.get_or_compute(
        ("soft", "ground", stage.data.key, stage.lab.bias, w1, w2),
        lambda: landscape(replace(problem, C=1.0), w1, w2),
    )
    slack_term = solution.objective - 0.5 * solution.norm_w**2
    return Chart(plane_of_w(values_of_terms, problem.C, minimiser, slack_term, path, w, view == "sum", stage.palette))


def says(stage: Stage) -> str:
    """Return what the axes and marks of the view are, and what to see."""
    view = stage.pick("valley")
    return _(SAYS[view])


def verdict(stage: Stage) -> str:
    """Return the answer with the norm of the minimiser."""
    words = _(
        "Where a circle and a contour of the slack touch. Here ‖w‖\u00a0=\u00a0{norm}, and every shorter w has "
        "more slack."
    )
    return words.format(norm=short(stage.solution.norm_w, 3))


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the numbers of both terms, strong convexity, and the slope of the mean hinge loss."""
    solution = stage.solution
    size, values = 0.5 * solution.norm_w**2, section(solution.problem, best(stage), 0.0, 1.5 * solution.norm_w)
    bias = _("For each $w$, the best $b$ is used.") if stage.lab.bias else _("This SVM has no bias, so $b = 0$.")
    return [
        _(
            "**Proof.** Let $w^*$ be the minimiser. If another $w$ had at most the same norm and at most the same "
            "slack, then $F(w) \\le F(w^*)$. This is impossible, because the minimiser is unique. So the disc $\\|w\\| "
            "\\le \\|w^*\\|$ and the set of all $w$ with at most this slack meet in $w^*$ only. The other two answers "
            "are limits. As $C$ tends to 0, so does $w^*$, and for a large $C$ the total slack is smallest."
        ),
        _("**The two terms.** The minimiser has $\\tfrac12\\|w\\|^2$ = {size} and $C\\sum_i\\xi_i$ = {slack}.").format(
            size=short(size), slack=short(solution.objective - size)
        )
        + f" {bias} "
        + _("Your line determines $w$ and $b$ up to a positive factor, and the factor with the smallest $F$ is used."),
        _(
            "**Strong convexity.** Divided by $Cm$, the objective is $\\frac\\lambda2\\|w\\|^2 + "
            "\\frac1m\\sum_i\\xi_i$ with $\\lambda = \\frac1{{Cm}}$, here {lam}. The hinge loss is convex, so the sum "
            "is curved at least as much as $\\frac\\lambda2\\|w\\|^2$. The Italian notes on Pegasos use this property."
        ).format(lam=short(solution.problem.lam)),
        _(
            "**Lipschitz constant.** The hinge loss of a point changes by at most $\\|x_i\\|$ per unit of $\\|w - "
            "w^*\\|$ at a fixed $b$. The Italian notes on half-spaces state the constant $X = \\max_i \\|x_i\\|$ for "
            "the mean. Along $w_1$, the largest slope of the mean slack is {slope}, and $X$ = {X}."
        ).format(slope=short(values.slope), X=short(values.steepest)),
    ]


def plane_of_w(
    values: Landscape,
    C: float,
    minimiser: Array,
    slack_term: float,
    path: Array,
    yours: Array,
    as_sum: bool,
    palette: Palette,
) -> go.Figure:
    """Draw circles of 1/2 |w|^2 and contours of C sum xi, also those through the minimiser, or contours of their sum.

    path (k, 2): the optimum along C; minimiser (2,): at the present C, where C sum xi is `slack_term`; yours (2,): the
    w of the reader's line.
    """
    figure = empty_chart(palette, "", "w₂", height=150)
    slack = C * values.slack
    if as_sum:
        total = values.size + slack
        levels = float(total.min()) + np.ptp(total) * np.linspace(0.0, 0.75, 14)[1:] ** 2
        figure.add_trace(contours(values.w1, values.w2, total, levels, palette.pen(palette.accent, THIN), "F"))
    else:
        reach = float(np.sqrt(2 * values.size.max()))
        rings = 0.5 * (reach * np.linspace(0.0, 1.0, 13)[1:]) ** 2
        levels = float(slack.min()) + np.ptp(slack) * np.linspace(0.0, 0.8, 11)[1:] ** 2
        for name, term, some, through, colour in (
            ("½‖w‖²", values.size, rings, 0.5 * float(minimiser @ minimiser), palette.quiet),
            ("C Σ ξ", slack, levels, slack_term, palette.other),
        ):
            figure.add_trace(contours(values.w1, values.w2, term, some, palette.pen(colour, THIN), name))
            thick = palette.pen(colour, THICK)
            figure.add_trace(contours(values.w1, values.w2, term, np.array([through]), thick, name, 1.0))
    hover = "w = (%{x:.5g}, %{y:.5g})<extra></extra>"
    curve = go.Scatter(x=path[:, 0], y=path[:, 1], mode="lines", name="path", hovertemplate=hover)
    figure.add_trace(curve.update(line=palette.pen(palette.accent, THICK)))
    inside = values.w1[0] <= yours[0] <= values.w1[-1] and values.w2[0] <= yours[1] <= values.w2[-1]
    x, y = _ranges(np.vstack([np.zeros(2), path, minimiser, yours if inside else minimiser]))
    figure.update_xaxes(range=x, nticks=5, zeroline=True, constrain="domain")
    figure.update_yaxes(range=y, nticks=4, zeroline=True, scaleanchor="x", constrain="domain")
    names = [_mark(figure, minimiser, _("minimiser"), palette.accent, "circle", palette)]
    if inside:
        names.append(_mark(figure, yours, _("your line"), palette.text, "diamond", palette))
    return place_labels(figure, palette, [*names, axis_name(figure, "w₁", palette)], backed=True)


def _ranges(positions: Array) -> tuple[list[float], list[float]]:
    """Return the ends of both axes around positions (k, 2), in the proportions of the chart.

    The units of both axes are equal, so neither side may be much longer.
    """
    (x0, x1), (y0, y1) = (axis_range(side, room=0.15) for side in positions.T)
    wide, high = max(x1 - x0, (y1 - y0) / FLAT), max(y1 - y0, FLAT * (x1 - x0))
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return [x - 0.5 * wide, x + 0.5 * wide], [y - 0.5 * high, y + 0.5 * high]


def cut(values: Section, yours: tuple[float, float], palette: Palette) -> go.Figure:
    """Draw F/(C m) and the mean slack along a line through the minimiser, the parabola, and the reader's (t, F)."""
    figure = empty_chart(palette, height=150)
    total = values.size + values.loss
    curves = (
        (_("mean ξ"), values.loss, palette.other, "solid", 2.5),
        ("F", total, palette.accent, "solid", 3),
        (_("parabola"), values.below, palette.accent, "dash", 2),
    )
    for name, y, colour, dash, width in curves:
        trace = go.Scatter(x=values.t, y=y, name=name, mode="lines", line=palette.pen(colour, width, dash))
        figure.add_trace(trace.update(hovertemplate=f"{name} = %{{y:.6g}}<br>t = %{{x:.4g}}<extra></extra>"))
    _mark(figure, np.array(yours), _("your line"), palette.text, "diamond", palette)
    figure.update_xaxes(range=[values.t[0], values.t[-1]])
    figure.update_yaxes(range=[0.0, axis_range(total, values.below, values.loss, 0.0)[1]], nticks=4)
    ends = (Label(name, float(values.t[-1]), float(y[-1]), colour) for name, y, colour, *_x in curves)
    return place_labels(figure, palette, [*ends, axis_name(figure, "t", palette)])


def slope_bars(data: Dataset, slopes: Array, selected: int | None, palette: Palette) -> go.Figure:
    """Draw a bar for each point, the slope of its slack (m,), and a tick at its length, the longest first.

    customdata of the bars: the ids.
    """
    lengths = np.linalg.norm(data.X, axis=1)
    order = np.argsort(-lengths, kind="stable")
    ranks, ids = np.arange(1, len(order) + 1), data.ids[order]
    figure = empty_chart(palette, "", _("slope of ξᵢ"), height=150)
    hover = _("point {id}").format(id="%{customdata}") + "<br>%{y:.4g}<extra></extra>"
    bars = marks.bars(palette, ranks, slopes[order], data.y[order], ids, ids == selected, name="slope", hover=hover)
    figure.add_trace(bars)
    ticks = np.stack([ranks - 0.42, ranks + 0.42, np.full(len(ranks), np.nan)], 1).ravel()
    tops = go.Scatter(
        x=ticks, y=np.repeat(lengths[order], 3), name="‖x‖", mode="lines", line=palette.pen(palette.quiet, 2.5)
    )
    figure.add_trace(tops.update(hoverinfo="skip"))
    figure.update_xaxes(range=[0.4, len(order) + 0.6], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[0.0, 1.12 * (float(lengths.max()) or 1.0)], nticks=4).update_layout(bargap=0.16)
    first = Label("X", 0.6, float(lengths.max()), palette.quiet, "above right")
    return place_labels(figure, palette, [first, Label("‖xᵢ‖", len(order) + 0.6, float(lengths.min()), palette.quiet)])


def _mark(figure: go.Figure, position: Array, name: str, colour: str, symbol: str, palette: Palette) -> Label:
    """Add a mark, and return its name beside it."""
    marker = {"size": 14 * palette.stroke, "symbol": symbol, "color": colour, "line": palette.pen(palette.paper, 2)}
    hover = f"{name}<br>(%{{x:.8g}}, %{{y:.8g}})<extra></extra>"
    trace = go.Scatter(x=position[:1], y=position[1:], mode="markers", name=name, marker=marker, hovertemplate=hover)
    figure.add_trace(trace)
    return Label(name, float(position[0]), float(position[1]), colour)


def is_between(stage: Stage) -> bool:
    """Return whether the minimiser is neither 0 nor, up to rounding, at the smallest total slack along the path."""
    slack = float(stage.solution.xi.sum())
    return stage.solution.norm_w > 0 and slack > float(sampled_path(stage).samples.slack.min()) + 1e-6


OBJECTIVE = Step(
    key="objective",
    title=N_("Objective: norm and slack"),
    situation=N_(
        "Every line on the board has a vector $w = (w_1, w_2)$. This $w$ is a point in another plane, the **plane of "
        "w**. There the contours (lines of equal value) of $\\frac12\\|w\\|^2$ are circles around 0. The total slack "
        "$\\sum_i\\xi_i$, with the best $b$, has other contours. Drag the two handles to make the objective $F$ of "
        "your line small."
    ),
    question=N_(
        "Where in the plane of $w$ is the minimiser of the objective $F = \\frac12\\|w\\|^2 + C\\sum_i\\xi_i$, "
        "for every $C > 0$?"
    ),
    choices=(
        wrong(
            N_("At the centre of the circles, w = 0"),
            N_(
                "There the norm is smallest. However, a small step from 0 can reduce the slack term by more than it "
                "costs."
            ),
        ),
        wrong(
            N_("Where the total slack is smallest"),
            N_("For a large C this is true. For a small C, a shorter w with more slack has a smaller objective."),
        ),
        right(N_("Where a circle and a contour of the slack touch")),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=1, value=0.1),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED, NONZERO_W),
    introduces=("objective", "contour"),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C),
    rests_on_answer=is_between,
    numbers=numbers,
    picks=(Pick("valley", N_("View"), tuple(VIEWS), "terms", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=lambda stage: FORMULAS.get(stage.pick("valley"), r"F(w)=\tfrac12\|w\|^2 + C\,\textstyle\sum_i\xi_i"),
    more=more,
    tries=(
        Try(N_("C = 0.01"), set_machine(face="C", value=0.01)),
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("C = 100"), set_machine(face="C", value=100.0)),
    ),
    shows=("S4", "S13", "S14"),
)
