"""The width of the tube: if it is at least the range of the targets, there are no support vectors (X2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import SolverFailed
from svmlab.lab.board import tube_picture
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.marks import SIZE, add_rule, dots
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED, flower_values, shows_flower_values
from svmlab.lab.lessons.extensions.programs import computed
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach.overlay import set_dials, set_machine, set_picks, stroke
from svmlab.lab.teach.requirements import BIAS, LINEAR, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import CLEAR, Palette
from svmlab.regression import EpsilonPath, Fit, LeastSquaresFit, epsilon_path, least_squares, solve

VIEWS = {"along": N_("width of the tube"), "outlier": N_("an outlier")}
WIDEST = CONTROLS["eps"].high  # as much as half the range of any board
HEIGHTS = (0.0, 2.0, 5.0, 50.0)  # by which the outlier is raised where the chart has a mark
FIRST_HEIGHT = 5.0
TOP = 0.97  # of the half-width of the board: arrows end there
LOWER = 1.5  # the scale of |w| is so much longer than |w| itself, so that it begins lower than N
SMALL_MARK = 7  # px
DIFFERENT_TARGETS = Need(
    lambda stage: stage.lab.regression_problem.constant_fit_eps > 0,
    N_("All targets are equal, so the line is horizontal for every ε. Move a point up or down."),
    {},
)


def half_range(stage: Stage) -> float:
    """Return half the range of the targets."""
    return stage.lab.regression_problem.constant_fit_eps


def path_over_eps(stage: Stage) -> EpsilonPath:
    """Return N and |w| for 41 values of eps and for half the range. Raises Working."""
    problem = replace(stage.lab.regression_problem, eps=0.0)
    eps = np.union1d(np.linspace(0.0, 1.1 * problem.constant_fit_eps, 41), [problem.constant_fit_eps])
    return computed(stage, ("along eps", problem.key), lambda: epsilon_path(problem, eps))


def norm_at_half_range(stage: Stage) -> float:
    """Return |w| at half the range from a second solver, or nan if it does not converge. Raises Working."""
    problem = replace(stage.lab.regression_problem, eps=half_range(stage))

    def norm() -> float:
        try:
            return solve(problem, "primal-qp").norm_w
        except SolverFailed:  # at an extreme C
            return math.nan

    return computed(stage, ("flat", problem.key), norm)


@dataclass(frozen=True, eq=False)
class Slopes:
    """The slopes (k,) of the tube and of least squares if one point is raised by `height` (k,)."""

    height: Array
    tube: Array
    squares: Array


def outlier_row(stage: Stage) -> int:
    """Return the row of the selected point, otherwise of the point with the second largest x1."""
    if stage.selected_row is not None:
        return stage.selected_row
    return int(np.argsort(stage.lab.regression_problem.data.X[:, 0], kind="stable")[-2])


def outlier_height(stage: Stage) -> float:
    """Return how far the outlier is raised."""
    return stage.dial("raised", FIRST_HEIGHT)


def with_outlier(stage: Stage, height: float) -> Lab:
    """Return the board with the outlier raised, beyond its edge if need be."""
    lab, row = stage.lab, outlier_row(stage)
    point = lab.points[row]
    higher = point._replace(y=point.y + round(1000 * height))
    return replace(lab, points=(*lab.points[:row], higher, *lab.points[row + 1 :]))


def fit_with_outlier(stage: Stage, height: float) -> Fit | None:
    """Return the solution of that board."""
    solution = stage.cache.task_outcome(with_outlier(stage, height)).solution
    return solution if isinstance(solution, Fit) else None


def squares_with_outlier(stage: Stage, height: float) -> LeastSquaresFit:
    """Return the line of least squares on that board."""
    return least_squares(with_outlier(stage, height).regression_problem.data)


def slope(line: Fit | LeastSquaresFit) -> float:
    """Return the slope of a line."""
    left, right_ = line.decision(np.array([[0.0], [1.0]]))
    return float(right_ - left)


def outlier_slopes(stage: Stage) -> Slopes:
    """Return both slopes for heights from 0 to 50. Raises Working."""

    def make() -> Slopes:
        heights = np.union1d(np.linspace(0.0, HEIGHTS[-1], 26), np.r_[HEIGHTS, np.linspace(0.0, 4.0, 17)])
        fits: list[Fit] = []
        for height in heights:
            problem = with_outlier(stage, float(height)).regression_problem
            fits.append(solve(problem, start=fits[-1] if fits else None))
        squares = [slope(squares_with_outlier(stage, float(height))) for height in heights]
        return Slopes(frozen(heights), frozen([slope(fit) for fit in fits]), frozen(squares))

    return computed(stage, ("raised", stage.lab.key, outlier_row(stage)), make)


def situation(stage: Stage) -> str:
    """Return what grows, what is fixed, and what the range is."""
    growth = _(
        "The **tube** has the edges $f(x) + \\varepsilon$ and $f(x) - \\varepsilon$. A point strictly inside is no "
        "support vector. Now $\\varepsilon$ grows, while $C$ and the points stay fixed. The **range** of the targets "
        "is $\\max_i y_i - \\min_i y_i$."
    )
    if not shows_flower_values(stage):
        return growth
    return _("The targets $y_i$ are the petal widths of 15 iris flowers (centred, in cm).") + " " + growth


def draw(stage: Stage) -> Data:
    """Return the sliders, and after Show the range of the targets, or the outlier with the line of least squares."""
    slider_C, slider_eps, *_others = sliders(stage.lab)
    if stage.shown and stage.pick("growing") == "outlier":
        return draw_outlier(stage, slider_C)
    largest_eps = max(float(slider_eps["hi"]), math.ceil(11 * half_range(stage)) / 10)
    data: Data = {"sliders": [slider_C, slider_eps | {"hi": min(WIDEST, largest_eps)}], "message": None}
    if not stage.shown:
        return data
    y, half = stage.lab.regression_problem.data.y, stage.lab.view
    limits = [np.array([[-half, level], [half, level]]) for level in (float(y.max()), float(y.min()))]
    return data | {"overlay": [stroke(ends, "dashed") for ends in limits]}


def draw_outlier(stage: Stage, slider_C: Data) -> Data:
    """Return the tube and the line of least squares with the outlier raised."""
    height, half, words = outlier_height(stage), stage.lab.view, _("How far the outlier is raised")
    data: Data = {"sliders": [slider_C, dial("raised", words, _("raised by"), height, 0.0, HEIGHTS[-1], 0.5)]}
    fit, (x, y) = fit_with_outlier(stage, height), stage.lab.coordinates[outlier_row(stage)]
    if fit is None:
        return data
    ends = np.array([[-half], [half]])
    squares = squares_with_outlier(stage, height).decision(ends)
    overlay = [stroke(np.hstack([ends, squares[:, None]]), "witness-line")]
    top = min(y + height, TOP * half)
    if top > y:
        overlay.append(stroke(np.array([(x, y), (x, top)]), "accent", "arrow"))
    overlay.append(stroke(np.array([x, y, 0.06 * half]), "accent", "disc"))
    picture = tube_picture.picture(with_outlier(stage, height), fit, with_values=not stage.moving)
    return picture | data | {"overlay": overlay, "message": None}


def play(stage: Stage) -> Data | None:
    """Return the animation in which eps grows to half the range and stays there, or the outlier rises and returns."""
    if stage.pick("growing") == "outlier":
        return {"key": "raised", "to": HEIGHTS[-1], "ms": 2600, "back": True}
    return {"key": "eps", "to": rounded_half_range(stage), "ms": 3200}


def rounded_half_range(stage: Stage) -> float:
    """Return half the range, rounded up to the step of the slider."""
    return min(WIDEST, math.ceil(100 * half_range(stage) - 1e-9) / 100)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return eps, the number of support vectors and the norm of w, or both slopes with the outlier."""
    if stage.shown and stage.pick("growing") == "outlier":
        height, fit = outlier_height(stage), fit_with_outlier(stage, outlier_height(stage))
        squares = slope(squares_with_outlier(stage, height))
        return [
            reading(_("raised by"), height, _("how far the outlier is above its point")),
            reading(_("slope of the tube"), slope(fit) if fit else "–", _("the slope of support vector regression")),
            reading(_("of least squares"), squares, _("the slope of the line of least squares")),
        ]
    fit = stage.fit
    return [
        reading("ε", fit.problem.eps, _("half the height of the tube")),
        reading(_("support vectors"), str(int(fit.support.sum())), _("the points with a positive multiplier")),
        reading("‖w‖", fit.norm_w, _("the norm of w, which is the size of the slope")),
    ]


def verdict(stage: Stage) -> str:
    """Return the answer with half the range on this board."""
    words = _(
        "For every ε of at least half the range of the targets, here ε\u00a0≥\u00a0{half}. A horizontal tube then "
        "contains all points."
    )
    return words.format(half=short(half_range(stage))).replace(" = ", "\u00a0=\u00a0")


def chart(stage: Stage) -> Chart:
    """Return N and |w| over eps, or both slopes over the height of the outlier. A click sets the board."""
    if stage.pick("growing") == "outlier":
        figure = slope_chart(outlier_slopes(stage), outlier_height(stage), stage.palette)
        return Chart(figure, lambda height: set_dials(raised=float(height)))
    fit = stage.fit
    current = fit.problem.eps, int(fit.support.sum()), fit.norm_w
    figure = path_chart(path_over_eps(stage), half_range(stage), current, stage.palette)
    return Chart(figure, lambda eps: set_machine(eps=min(float(eps), WIDEST)))


def says(stage: Stage) -> str:
    """Return what the curves are, and what to see."""
    if stage.pick("growing") == "outlier":
        return _(
            "The slope of least squares (pink line) changes linearly with the height of the outlier. Above the tube, "
            "the multiplier is $C$ at any height, so the slope of the tube stays the same."
        )
    return _(
        "The curves are the number of support vectors and $\\|w\\|$ for each $\\varepsilon$. If $\\varepsilon$ is at "
        "least half the range (shaded), both are 0. The dashed lines on the board are the range of the targets."
    )


def formula(stage: Stage) -> str:
    """Return the theorem of the view."""
    if stage.pick("growing") == "outlier":
        return r"w=\sum_i(\alpha_i-\alpha_i^*)\,x_i,\qquad |\alpha_i-\alpha_i^*|\le C"
    return r"\varepsilon\ge\tfrac12\bigl(\max_i y_i-\min_i y_i\bigr)\iff\text{no support vectors}"


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the second solver, what happens for smaller eps, and least squares."""
    path, slopes, norm = path_over_eps(stage), outlier_slopes(stage), norm_at_half_range(stage)
    at = [int(np.searchsorted(slopes.height, height)) for height in HEIGHTS]
    tube, squares = (", ".join(short(float(each[i])) for i in at) for each in (slopes.tube, slopes.squares))
    second_solver = (
        _("**A second solver** does not use this theorem. For $\\varepsilon$ = {half}, it finds $\\|w\\|$ = {norm}.")
        if math.isfinite(norm)
        else _(
            "**A second solver** did not converge for $\\varepsilon$ = {half} at this $C$. Choose a $C$ nearer to 1."
        )
    )
    return [
        _(
            "**Proof.** Let $\\varepsilon$ be at least half the range. The horizontal line halfway between the "
            "smallest and the largest target has no loss and $w = 0$. So the objective is 0, and all "
            "multipliers can be 0. Points on an edge then have the multiplier 0 too. Conversely, if all "
            "multipliers are 0, then $w = 0$ and every residual is at most $\\varepsilon$. So a horizontal tube "
            "of height $2\\varepsilon$ contains all points."
        ),
        second_solver.format(half=short(half_range(stage)), norm=short(norm, 2)),
        _(
            "**For smaller** $\\varepsilon$, the number $N$ of support vectors and $\\|w\\|$ need not decrease from "
            "each $\\varepsilon$ to the next. Of {pairs} steps on this board, $N$ increases in {rises}. The largest "
            "$\\|w\\|$ occurs at $\\varepsilon$ = {longest}."
        ).format(
            rises=int((np.diff(path.count) > 0).sum()),
            pairs=len(path.eps) - 1,
            longest=short(float(path.eps[int(path.norm_w.argmax())]), 3),
        ),
        _(
            "**Choosing $\\varepsilon$.** It should be about as large as the noise of the targets. If you do not know "
            "the noise, you can choose $\\varepsilon$ by cross-validation."
        ),
        _(
            "**Outliers.** If one point is raised by 0, 2, 5 and 50, the slopes of the tube are {tube}. Those of least "
            "squares are {squares}. Above the tube, the multiplier of the point is $C$ at every height, so the KKT "
            "conditions continue to hold. In least squares, its influence grows with its residual."
        ).format(tube=tube, squares=squares),
    ]


def path_chart(path: EpsilonPath, half_range: float, current: tuple[float, int, float], palette: Palette) -> go.Figure:
    """Draw N, on the left scale, and |w|, on the right scale, over eps, shaded for eps of at least half the range.

    current: eps, N and |w| of the board, which are ringed. customdata of the marks: their eps.
    """
    figure = empty_chart(palette, height=240)
    eps, N, norm = path.eps, path.count.astype(float), path.norm_w
    steepest = max(float(norm.max()), current[2])
    most, longest = 1.12 * max(float(N.max()), 1.0), LOWER * (steepest if steepest > ROUNDING else 1.0)
    end = max(float(eps[-1]), 1.02 * current[0])
    figure.add_vrect(x0=half_range, x1=1.02 * end, fillcolor=palette.grid, line_width=0, layer="below")
    add_rule(figure, palette, palette.quiet, "dot", x=half_range)
    hover = "ε = %{x:.4g}<br>‖w‖ = %{y:.4g}<extra></extra>"
    norms = go.Scatter(x=eps, y=norm, mode="lines", name="‖w‖", line=palette.pen(palette.other), hovertemplate=hover)
    figure.add_trace(norms.update(yaxis="y2"))
    counts = go.Scatter(x=eps, y=N, mode="lines", name="N", line=palette.pen(palette.accent, 2.0), hoverinfo="skip")
    figure.add_trace(counts)
    hover = "ε = %{x:.4g}<br>" + _("support vectors") + " = %{y}<extra></extra>"
    none = np.zeros(len(eps), dtype=bool)
    marks = dots(palette, eps, N, eps, none, palette.accent, name="tubes", hover=hover)
    marks.marker.size = SMALL_MARK * palette.stroke
    figure.add_trace(marks)
    add_rule(figure, palette, palette.text, "dot", x=current[0])
    for y, axis in ((current[1], "y"), (current[2], "y2")):
        figure.add_trace(_ring(current[0], float(y), palette).update(yaxis=axis))
    figure.update_layout(
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "range": [-0.04 * longest, longest],
            "tickmode": "auto",
            "nticks": 5,
            "showgrid": False,
            "tickfont": {"color": palette.ink(palette.other)},
            "fixedrange": True,
        }
    )
    figure.update_yaxes(range=[-0.04 * most, most], nticks=5, tickformat="d", selector=0)
    figure.update_yaxes(tickfont={"color": palette.ink(palette.accent)}, selector=0)
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], tickvals=_round_ticks(0.95 * end), tickformat="~g")
    left, middle = (int(np.searchsorted(eps, part * half_range)) for part in (0.35, 0.6))
    labels = [
        axis_name(figure, "ε", palette),
        Label(_("support vectors"), float(eps[middle]), float(N[middle]), palette.accent, "above"),
        Label("‖w‖", float(eps[left]), float(norm[left]) * most / longest, palette.other, "above right"),
        Label(_("half the range"), half_range, most, palette.quiet, "below left"),
    ]
    return place_labels(figure, palette, labels, backed=True)


def slope_chart(slopes: Slopes, current: float, palette: Palette) -> go.Figure:
    """Draw both slopes over the height of the outlier, with rings at its current height.

    customdata of the marks: their heights.
    """
    figure = empty_chart(palette, height=240)
    marked = np.array(HEIGHTS)
    at, last = np.searchsorted(slopes.height, marked), HEIGHTS[-1]
    names = (_("slope of least squares"), _("slope of the tube"))
    curves = ((slopes.squares, palette.other, "square", "above left"), (slopes.tube, palette.accent, "circle", "below"))
    labels = []
    for name, (y, colour, symbol, side) in zip(names, curves, strict=True):
        hover = f"{name}: %{{y:.4f}}<br>" + _("raised by") + " %{x:.4g}<extra></extra>"
        curve = go.Scatter(x=slopes.height, y=y, mode="lines", name=name, line=palette.pen(colour))
        figure.add_trace(curve.update(hovertemplate=hover))
        none = np.zeros(len(at), dtype=bool)
        figure.add_trace(dots(palette, marked, y[at], marked, none, colour, name=name, hover=hover, symbol=symbol))
        figure.add_trace(_ring(current, float(np.interp(current, slopes.height, y)), palette))
        labels.append(Label(name, 0.5 * last, float(np.interp(0.5 * last, slopes.height, y)), colour, side))
    add_rule(figure, palette, palette.text, "dot", x=current)
    figure.update_xaxes(range=[-0.02 * last, 1.02 * last], nticks=6)
    figure.update_yaxes(range=axis_range(0.0, slopes.tube, slopes.squares), nticks=5)
    return place_labels(figure, palette, [axis_name(figure, _("raised by"), palette), *labels])


def _round_ticks(end: float) -> Array:
    """Return four to eight round values from 0 to `end`, so that the name of the axis has room after them."""
    unit = 10.0 ** np.floor(np.log10(end))
    step = next(part * unit for part in (0.2, 0.5, 1.0, 2.0) if end / (part * unit) < 7)
    return step * np.arange(int(end / step) + 1)


def _ring(x: float, y: float, palette: Palette) -> go.Scatter:
    ring = {"size": (SIZE + 5) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.5)}
    trace = go.Scatter(x=np.array([x]), y=np.array([y]), name="now", mode="markers", marker=ring, cliponaxis=False)
    return trace.update(hoverinfo="skip")


FLAT = Step(
    key="flat",
    former_key="eps",
    title=N_("Tube width and support vectors"),
    deeper=True,
    situation=situation,
    question=N_(
        "For which half heights $\\varepsilon$ does the tube have no support vectors, whatever the targets are?"
    ),
    choices=(
        right(N_("For every ε of at least half the range of the targets")),
        wrong(
            N_("For every ε of at least the whole range of the targets"),
            N_(
                "A horizontal tube must contain all points. However, it extends by ε up and down, so half the range "
                "is enough."
            ),
        ),
        wrong(
            N_("For every ε for which a tube can contain all points"),
            N_(
                "Then a line without any loss exists. However, if the fitted line has w ≠ 0, this w is a sum over "
                "support vectors."
            ),
        ),
        wrong(
            N_("For no ε, because support vectors always exist"),
            N_(
                "If w ≠ 0, there are support vectors. However, a horizontal line has w = 0, and a wide tube contains "
                "all points."
            ),
        ),
    ),
    verdict=verdict,
    board=flower_values(),
    needs=(OF_VALUES, SOFT, BIAS, LINEAR, DIFFERENT_TARGETS, SOLVED),
    introduces=("level-line",),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: not stage.fit.support.any() and stage.fit.norm_w == 0.0,
    numbers=numbers,
    picks=(Pick("growing", N_("Chart"), tuple(VIEWS), "along", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try("ε = 0.2", set_machine(eps=0.2)),
        Try("C = 0.01", set_machine(face="C", value=0.01)),
        Try(N_("An outlier"), set_picks(growing="outlier")),
    ),
    shows=("X2",),
)
