"""Regression with a Gaussian kernel: with a small width and no tube the curve overfits (X2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab import Polynomial
from svmlab.kernels.base import Parameter
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.marks import SIZE, add_rule
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions import noisy
from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED, values
from svmlab.lab.lessons.extensions.flat import DIFFERENT_TARGETS
from svmlab.lab.lessons.extensions.noisy import ComputedTwice, Errors, mean_error, points_on_curve
from svmlab.lab.lessons.extensions.programs import computed
from svmlab.lab.numbers import short
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.overlay import set_machine, stroke
from svmlab.lab.teach.requirements import SOFT
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import CLEAR, Palette
from svmlab.regression import Fit, Values, solve

POINTS = 25  # of a random sample
FIRST, SAMPLES = 38, 40  # the first sample, whose errors are near the mean of all, and how many there are
SMALL_SIGMA = 0.1
GRIDS = {  # the values of each parameter that the chart shows
    "sigma": (0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.0, 3.0, 6.0),
    "C": (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0),
    "eps": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 1.5, 2.0),
}
SYMBOLS = {"sigma": "σ", "C": "C", "eps": "ε"}
VIEWS = {"sigma": N_("vary σ"), "C": N_("vary C"), "eps": N_("vary ε"), "ways": N_("cubic")}
CUBIC = Polynomial(3, 1.0)
EQUAL = 1e-6  # the largest difference of two errors that count as equal
FEW_TESTS = 500  # test points while something moves


def width(stage: Stage) -> Parameter | None:
    """Return the width of the kernel on the board, or None unless it is a kernel like the Gaussian."""
    kernel = stage.lab.kernel_function
    parameter = next((p for p in kernel.parameters if isinstance(p, Parameter) and p.slider), None)
    return parameter if kernel.separates_distinct_points and kernel.psd else None


WIDTH = Need(
    lambda stage: width(stage) is not None,
    N_("This step varies the width σ of a Gaussian kernel."),
    {"kernel": "gaussian"},
)
DISTINCT_INPUTS = Need(
    lambda stage: 4 * noisy.with_equal_inputs(stage.lab.regression_problem.data) <= len(stage.lab.points),
    N_("Many points have the same x₁ but different targets, so no curve passes through all of them."),
    {},
)


def random_sample(seed: int) -> Lab:
    """Return a board with a random sample of the sine wave, and a Gaussian kernel."""
    rows = [(x / 1000, y / 1000) for x, y in noisy.wave(POINTS, seed)]
    return values(rows, size=POINTS, seed=seed, kernel="gaussian", sigma=1.0, value=100.0, eps=0.0)()


@lru_cache(1)
def all_test_points() -> Values:
    """Return the test points of the sine wave, always the same."""
    return noisy.fresh_points()


def test_points(stage: Stage) -> Values | None:
    """Return points from the distribution of the points on the board, or None if this distribution is unknown."""
    lab = stage.lab
    return all_test_points() if noisy.is_wave([(p.x, p.y) for p in lab.points], lab.size, lab.seed) else None


def first(data: Values, n: int) -> Values:
    """Return the first n points."""
    return Values(data.X[:n], data.y[:n])


def interpolation(stage: Stage) -> Fit:
    """Return the curve of the question, with a small width, a large C and eps = 0. Raises Working."""
    problem = noisy.nearly_interpolating(stage.lab.regression_problem)
    return computed(stage, ("narrow", problem.key), lambda: solve(problem))


def cubic_twice(stage: Stage) -> ComputedTwice:
    """Return the cubic with the C and eps of the board, by kernel values and by features. Raises Working."""
    problem, half = replace(stage.lab.regression_problem, kernel=CUBIC), stage.lab.view
    return computed(stage, ("ways", problem.key, half), lambda: noisy.computed_twice(problem, half))


def setting(stage: Stage, name: str) -> str:
    """Return the setting of the board for "sigma", "C" or "eps"."""
    parameter = width(stage)
    assert parameter is not None
    return {"sigma": parameter.name, "C": "value", "eps": "eps"}[name]


def current_value(stage: Stage, name: str) -> float:
    """Return the present value of "sigma", "C" or "eps"."""
    return stage.lab.C if name == "C" else float(getattr(stage.lab, setting(stage, name)))


def errors_work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Errors]]:
    """Return the background work for the errors over the parameter of the view, and its key."""
    name, problem = str(stage.pick("bent")), stage.lab.regression_problem
    tests = test_points(stage)
    problems = []
    for value in sorted({*GRIDS[name], current_value(stage, name)}):
        kernel = replace(problem.kernel, **{setting(stage, name): value}) if name == "sigma" else problem.kernel
        C, eps = (value if name == key else own for key, own in (("C", problem.C), ("eps", problem.eps)))
        problems.append((value, replace(problem, kernel=kernel, C=C, eps=eps)))

    def make(report: Report) -> Errors:
        parts = []
        for i, one in enumerate(problems):
            report(i / len(problems))
            parts.append(noisy.errors([one], tests))
        return Errors(*(np.concatenate([getattr(part, key) for part in parts]) for key in ("at", "training", "test")))

    return ("bent", name, tests is not None, *(each.key for _value, each in problems)), make


def draw(stage: Stage) -> Data:
    """Return two sliders, and after Show some test points and, in its view, the cubic."""
    view = str(stage.pick("bent"))
    keys = {"sigma": ("sigma", "eps"), "C": ("C", "sigma"), "eps": ("eps", "sigma"), "ways": ("C", "eps")}[view]
    shown = {setting(stage, key) for key in keys}
    data: Data = {"sliders": [each for each in sliders(stage.lab) if each["key"] in shown]}
    if not stage.shown:
        return data
    tests, items = test_points(stage), []
    if tests is not None:
        drawn = first(tests, noisy.DRAWN)
        items.append(stroke(np.column_stack([drawn.X[:, 0], drawn.y]), "fresh value", "dots"))
    if view == "ways":
        with suppress(Working):
            cubic = cubic_twice(stage)
            items.append(stroke(np.column_stack([cubic.x, cubic.kernel]), "witness-line"))
    return data | {"overlay": items}


def play(stage: Stage) -> Data | None:
    """Return the animation in which the width becomes small and stays so."""
    if stage.pick("bent") == "ways":
        return None
    return {"key": setting(stage, "sigma"), "to": SMALL_SIGMA, "ms": 2600}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the training error, the test error and the number of support vectors."""
    fit, tests = stage.fit, test_points(stage)
    readings = [
        reading(_("training error"), mean_error(fit), _("the mean of |y − f(x)| over the training points")),
        reading(_("support vectors"), str(int(fit.support.sum())), _("the points with a positive multiplier")),
    ]
    if stage.shown and tests is not None:
        n = FEW_TESTS if stage.moving else noisy.FRESH
        error = stage.cached(f"test error {n}", lambda: mean_error(fit, first(tests, n)))
        readings.insert(1, reading(_("test error"), error, _("the mean of |y − f(x)| over new points of the wave")))
    return readings


def verdict(stage: Stage) -> str:
    """Return the answer with the number of points on the curve."""
    fit = interpolation(stage)
    words = _("It passes through all or almost all training points. For σ = {sigma} and C = {C}, it meets {n} of {m}.")
    sigma, C = short(float(getattr(fit.problem.kernel, "sigma")), 2), short(fit.problem.C, 3)  # noqa: B009
    text = words.format(n=points_on_curve(fit), m=fit.problem.data.m, sigma=sigma, C=C)
    return text.replace(" = ", "\u00a0=\u00a0")


def chart(stage: Stage) -> Chart:
    """Return the errors over the parameter of the view, or the cubic twice. A click sets the parameter."""
    view = str(stage.pick("bent"))
    if view == "ways":
        return Chart(cubic_chart(cubic_twice(stage), stage.lab.regression_problem.data, stage.palette))
    errors, is_known = stage.background_result(*errors_work(stage)), test_points(stage) is not None
    name = _("test error") if is_known else _("{k}-fold error").format(k=min(noisy.FOLDS, len(stage.lab.points)))
    level = noisy.SMALLEST_ERROR if is_known else None
    figure = error_chart(errors, current_value(stage, view), SYMBOLS[view], name, level, view != "eps", stage.palette)
    return Chart(figure, partial(set_parameter, stage, view))


def set_parameter(stage: Stage, name: str, value: float) -> Op:
    """Return the operation that sets the width, C or eps of the board."""
    return (
        set_machine(face="C", value=float(value))
        if name == "C"
        else set_machine(**{setting(stage, name): float(value)})
    )


def says(stage: Stage) -> str:
    """Return what the curves are, and what to see."""
    view = str(stage.pick("bent"))
    if view == "ways":
        return _(
            "This cubic (pink on the board) has the $C$ and $\\varepsilon$ of the board. One curve is computed by "
            "kernel values alone, and the dashed one by the features $1, x, x^2, x^3$. They coincide."
        )
    if test_points(stage) is None:
        return _(
            "The distribution of these points is unknown, so there are no test points. Cross-validation estimates the "
            "error instead. You can click a mark to set the board."
        )
    errors = stage.background_result_or_none(*errors_work(stage))
    if errors is None or np.isnan(errors.test).all():
        return _("The small dots are test points. You can click a mark to set the board.")
    is_best_training, is_best_test = (y <= np.nanmin(y) + EQUAL for y in (errors.training, errors.test))
    best_test = float(errors.at[is_best_test][0])
    if (is_best_training & is_best_test).any():
        words = _(
            "Training error (grey) and test error (green) are the mean of $|y - f(x)|$. Here both are smallest at "
            "{name} = {test}. The small dots are test points. You can click a mark to set the board."
        )
        best_test = float(errors.at[is_best_training & is_best_test][0])
    else:
        words = _(
            "The training error (grey) is smallest {training}, and the test error (green) at {name} = {test}. "
            "The small dots are test points. You can click a mark to set the board."
        )
    smallest = errors.at[is_best_training]
    is_range = len(smallest) > 1 and np.ptp(np.flatnonzero(is_best_training)) == len(smallest) - 1
    training = (_("from {name} = {value} to {last}") if is_range else _("at {name} = {value}")).format(
        name=SYMBOLS[view], value=short(float(smallest[0]), 3), last=short(float(smallest[-1]), 3)
    )
    return words.format(name=SYMBOLS[view], training=training, test=short(best_test, 3))


def formula(stage: Stage) -> str:
    """Return the curve by its terms."""
    if stage.pick("bent") == "ways":
        return r"\textstyle\sum_i(\alpha_i-\alpha_i^*)(1+x_ix)^3=\big\langle w,(1,\sqrt3x,\sqrt3x^2,x^3)\big\rangle"
    return r"f(x)=\textstyle\sum_i(\alpha_i-\alpha_i^*)\,k(x_i,x)+b"


def more(stage: Stage) -> Sequence[Part]:
    """Return why the curve passes through the points, the cubic, overfitting, and where the points come from."""
    fit, data, cubic = interpolation(stage), stage.lab.regression_problem.data, cubic_twice(stage)
    a, b, c, d = (short(float(value), 3, 1e-9) for value in cubic.coefficients)
    parts = [
        _(
            "**Why it can pass through all points.** If the bumps are narrower than the distances between the inputs, "
            "they hardly overlap. Then each point has its own bump, and $\\alpha_i - \\alpha_i^*$ is close to $y_i - "
            "b$. Here $\\frac12\\|w\\|^2$ = {w}, and a large $C$ allows this. For any width, the Gaussian Gram matrix "
            "$K$ has an inverse if all $x_i$ differ. So such a curve always exists, but $\\|w\\|$ can be much larger."
        ).format(w=short(0.5 * fit.norm_w**2, 3)),
        _(
            "**Overfitting.** A training error of 0 does not mean that the test error is small. Choose $\\sigma$, "
            "$\\varepsilon$ and $C$ by points that play no part in training, for example by cross-validation."
        ),
        _(
            "**The first board** is invented. The targets are $1.8\\sin(1.3x)$ plus normal noise with the standard "
            "deviation 0.4. The test error is the mean over 4000 new points. Even the sine wave itself has the mean "
            "error 0.32, because of the noise (dotted line)."
        ),
        _(
            "**The cubic.** The polynomial kernel of degree 3 is computed by kernel values and, in a "
            "second way, by features with their own $w$. At 161 inputs, they differ by at most {difference} of the "
            "largest value. Both give $f(x)$ = {a} + ({b}) $x$ + ({c}) $x^2$ + ({d}) $x^3$. Without the "
            "factors $\\sqrt3$, another $w$ would be the shortest."
        ).format(difference=short(cubic.difference, 2), a=a, b=b, c=c, d=d),
    ]
    shared = noisy.with_equal_inputs(data)
    if shared:
        words = _(
            "**Almost all.** {n} points share their $x_1$ with a point of another target. No function meets both."
        )
        parts.insert(1, words.format(n=shared))
    return parts


def next_sample(stage: Stage) -> Op:
    """Return the operation that draws the next random sample and keeps the settings."""
    lab = stage.lab
    following = random_sample(0 if test_points(stage) is None else (lab.seed + 1) % SAMPLES)
    sample = replace(lab, points=following.points, size=following.size, seed=following.seed, view=following.view)
    return {"op": "load", "lab": replace(sample, selected=None)}


def error_chart(
    errors: Errors, current: float, symbol: str, test_name: str, level: float | None, is_log: bool, palette: Palette
) -> go.Figure:
    """Draw the training error and the error `test_name` over the parameter `symbol`, with rings at its current value.

    level: the error of the wave itself, a horizontal line, or None. is_log: whether the axis is logarithmic. customdata
    of the marks: their values.
    """
    figure = empty_chart(palette, "", _("mean |y − f|"), height=240)
    scale = np.log10(errors.at) if is_log else errors.at
    lo, hi = float(scale.min()), float(scale.max())
    ends = [lo - 0.02 * (hi - lo), hi + 0.02 * (hi - lo)]
    top = 1.1 * float(np.nanmax([0.1, *errors.training, *errors.test]))
    figure.update_xaxes(**(log_axis(*ends) if is_log else {"range": ends, "nticks": 6}))
    figure.update_yaxes(range=[-0.04 * top, top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, symbol, palette)]
    if level is not None:
        add_rule(figure, palette, palette.other, "dot", y=level)
        labels.append(Label(_("noise {level}").format(level=f"{level:.2g}"), ends[1], level, palette.other))
    add_rule(figure, palette, palette.text, "dot", x=current)
    is_current = errors.at == current
    for name, y, colour, shape in (
        (_("training error"), errors.training, palette.quiet, "square"),
        (test_name, errors.test, palette.accent, "circle"),
    ):
        hover = f"{name}: %{{y:.4g}}<br>{symbol} = %{{x:.4g}}<extra></extra>"
        mark = {"symbol": shape, "size": 9 * palette.stroke, "color": colour, "line": palette.pen(palette.paper, 1.0)}
        curve = go.Scatter(x=errors.at, y=y, customdata=errors.at, name=name, mode="lines+markers", marker=mark)
        figure.add_trace(curve.update(line=palette.pen(colour), hovertemplate=hover, cliponaxis=False))
        known = np.flatnonzero(~np.isnan(y))
        if len(known):
            labels.append(Label(name, ends[1], float(y[known[-1]]), colour))
        ring = {"size": (SIZE + 4) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
        rings = go.Scatter(x=errors.at[is_current], y=y[is_current], name="now", mode="markers", marker=ring)
        figure.add_trace(rings.update(hoverinfo="skip", cliponaxis=False))
    return place_labels(figure, palette, labels)


def cubic_chart(cubic: ComputedTwice, data: Values, palette: Palette) -> go.Figure:
    """Draw the cubic by kernel values as a wide line, by features as dashes on it, and the training points."""
    figure = empty_chart(palette, "", "x₂", height=240)
    mark = {"size": 0.6 * SIZE * palette.stroke, "color": palette.quiet}
    training = go.Scatter(x=data.X[:, 0], y=data.y, mode="markers", name="points", marker=mark)
    figure.add_trace(training.update(hovertemplate="x₁ = %{x:.4g}<br>x₂ = %{y:.4g}<extra></extra>"))
    for name, y, pen in (
        (_("kernel values"), cubic.kernel, palette.pen(palette.accent, 6.0)),
        (_("features"), cubic.features, palette.pen(palette.text, 2.0, "dash")),
    ):
        hover = f"{name}: %{{y:.10g}}<br>x₁ = %{{x:.4g}}<extra></extra>"
        figure.add_trace(go.Scatter(x=cubic.x, y=y, mode="lines", name=name, line=pen, hovertemplate=hover))
    left, right_ = float(cubic.x[0]), float(cubic.x[-1])
    lo, hi = axis_range(data.y)
    top = hi + 0.25 * (hi - lo)
    figure.update_xaxes(range=[left, right_], nticks=6)
    figure.update_yaxes(range=[lo - 0.1 * (hi - lo), top], nticks=5)
    labels = [
        axis_name(figure, "x₁", palette),
        Label(_("by kernel values"), left, top, palette.accent, "below right"),
        Label(_("by features, dashed"), 0.0, top, palette.text, "below right"),
    ]
    return place_labels(figure, palette, labels, backed=True)


CURVE = Step(
    key="curve",
    title=N_("Overfitting in regression"),
    deeper=True,
    situation=N_(
        "Support vector regression with a Gaussian kernel fits a curve. It is $b$ plus a sum of bumps of "
        "width $\\sigma$, one for each support vector: $f(x) = \\sum_i(\\alpha_i - \\alpha_i^*)\\,k(x_i, x) "
        "+ b$. The tube around the curve has the half height $\\varepsilon$. Now $\\sigma$ becomes small, "
        "while the regularisation parameter $C$ is large and $\\varepsilon = 0$."
    ),
    question=N_(
        "Where does the curve run for a small kernel width $\\sigma$, a large $C$, and a tube of half "
        "height $\\varepsilon = 0$?"
    ),
    choices=(
        right(N_("It passes through all or almost all training points")),
        wrong(
            N_("It is almost constant, near the median of the targets"),
            N_(
                "With a small C this can happen. However, with a large C, a narrow bump through a point reduces the "
                "objective."
            ),
        ),
        wrong(
            N_("It is almost a straight line"),
            N_("A very wide Gaussian can give such a curve. However, a curve of narrow bumps can bend at every point."),
        ),
    ),
    verdict=verdict,
    board=partial(random_sample, FIRST),
    needs=(OF_VALUES, SOFT, WIDTH, DIFFERENT_TARGETS, DISTINCT_INPUTS, SOLVED),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: points_on_curve(stage.fit) == points_on_curve(interpolation(stage)),
    numbers=numbers,
    picks=(Pick("bent", N_("Chart"), tuple(VIEWS), "sigma", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try("σ = 6", set_machine(sigma=6.0)),
        Try("ε = 0.5", set_machine(eps=0.5)),
        Try(N_("New sample"), next_sample),
    ),
    shows=("X2",),
)
