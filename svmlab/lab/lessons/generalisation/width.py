"""Training error, cross-validation, leave-one-out and test error of the SVM on the board, along sigma or C (G0)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
import plotly.graph_objects as go

from svmlab import Problem, SvmError
from svmlab.core.arrays import Array, frozen
from svmlab.generalisation import (
    Source,
    ValidationCurve,
    blobs_with_flipped_labels,
    training_error,
    validation_curve,
)
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.kernels.base import Parameter
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.generalisation.behind import overlay_of_test_points, true_error
from svmlab.lab.numbers import grouped, short
from svmlab.lab.session.point_source import find_source, with_next_sample, with_sample
from svmlab.lab.session.worker import Report
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Table, Try, reading
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import CLEAR, Palette

FIRST = 3  # the sample to begin with: its errors are near the mean of many samples
WIDTHS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.0, 3.0, 6.0)
COARSE = (0.1, 0.2, 0.4, 0.8, 2.0, 6.0)  # of them, computed first
VALUES_OF_C = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
FOLDS = 5
USUAL = 2.0  # a width that is usually good, while no error is known yet
LINES = ("train", "cross_validation", "leave_one_out", "true")
WIDTH = Need(
    lambda stage: width(stage) is not None,
    N_("This step changes the width σ of a kernel, but your kernel has none."),
    {"kernel": "gaussian"},
)
PARAMETERS = {"width": "σ", "C": "C"}
NARROW = preset("overlapping", kernel="gaussian", sigma=0.1)()  # the SVM to begin with


@dataclass(frozen=True, eq=False)
class Known:
    """The part of a validation curve that is known so far, at increasing values (k,) of the parameter.

    complete: whether it is known at all values.
    """

    at: Array
    curve: ValidationCurve
    complete: bool

    @property
    def estimate(self) -> Array:
        """The test error if it is known, otherwise the leave-one-out error, (k,)."""
        return self.curve.leave_one_out if np.isnan(self.curve.true).any() else self.curve.true


def width(stage: Stage) -> Parameter | None:
    """Return the width of the kernel, which is its first parameter with a slider, or None."""
    return next((p for p in stage.lab.kernel_function.parameters if isinstance(p, Parameter) and p.slider), None)


def with_width(stage: Stage, value: float) -> Problem:
    """Return the problem on the board with another width."""
    parameter, problem = width(stage), stage.lab.problem
    assert parameter is not None, "a step that changes a width needs a kernel with one"
    return replace(problem, kernel=replace(problem.kernel, **{parameter.name: value}))


def with_C(stage: Stage, value: float) -> Problem:
    """Return the problem on the board with another C."""
    return replace(stage.lab.problem, C=value)


def current_value(stage: Stage, by: str) -> float:
    """Return C, or the width of the kernel on the board."""
    parameter = width(stage)
    return stage.lab.C if by == "C" or parameter is None else float(getattr(stage.lab, parameter.name))


def along(stage: Stage, by: str) -> Known:
    """Return what is known so far along the widths or along C, and request the rest."""
    _request_if_free(stage)
    problem_at = with_C if by == "C" else with_width
    values = sorted({*(VALUES_OF_C if by == "C" else WIDTHS), current_value(stage, by)})
    results = [(value, _result(stage, problem_at(stage, value))) for value in values]
    known = [(value, result) for value, result in results if result is not None]
    return _joined(known, len(known) == len(results))


def complete(stage: Stage, by: str) -> Known:
    """Return the validation curve at all values. Raises Working until it is known."""
    known = along(stage, by)
    if not known.complete:
        _request(stage)
        raise Working(None)
    return known


def in_question(known: Known) -> Known:
    """Return the part of a validation curve at the widths of the question, from the smallest to the largest of WIDTHS.

    The width on the board can be outside.
    """
    asked = (known.at >= WIDTHS[0]) & (known.at <= WIDTHS[-1])
    curve = ValidationCurve(
        **{each.name: frozen(getattr(known.curve, each.name)[asked]) for each in fields(known.curve)}
    )
    return Known(frozen(known.at[asked]), curve, known.complete)


def on_board(stage: Stage) -> ValidationCurve | None:
    """Return the errors of the SVM on the board, or None until they are known."""
    _request_if_free(stage)
    return _result(stage, stage.lab.problem)


def number_of_folds(m: int) -> int:
    """Return the number of folds for m points."""
    return min(FOLDS, m)


def _batches(stage: Stage) -> Iterator[list[Problem]]:
    yield [with_width(stage, value) for value in COARSE]
    yield [*(with_width(stage, value) for value in WIDTHS), stage.lab.problem]
    if stage.pick("along") == "C":
        yield [with_C(stage, value) for value in VALUES_OF_C]


def _request(stage: Stage) -> None:
    """Request the missing batches one after the other. Raises Working for one that is not there at once."""
    if stage.moving:
        raise Working(None)
    for batch in _batches(stage):
        missing = {_name(stage, problem): problem for problem in batch if _result(stage, problem) is None}
        if missing:
            stage.memory.update(stage.background_result(("validation", *missing), _work(missing, source(stage))))


def _request_if_free(stage: Stage) -> None:
    with suppress(Working):
        _request(stage)


def _result(stage: Stage, problem: Problem) -> ValidationCurve | None:
    result: ValidationCurve | None = stage.memory.get(_name(stage, problem))
    return result


def source(stage: Stage) -> Source | None:
    """Return the source of the points, or None if it is unknown."""
    sample = find_source(stage.lab)
    return sample.source if sample else None


def _name(stage: Stage, problem: Problem) -> str:
    return f"validation {problem.key} {source(stage)}"


def _work(missing: Mapping[str, Problem], source: Source | None) -> Callable[[Report], dict[str, ValidationCurve]]:
    def errors_of(problem: Problem, report: Report) -> ValidationCurve:
        try:
            return validation_curve([problem], source, number_of_folds(problem.data.m), on_progress=report)
        except SvmError:  # this SVM has no solution in double precision, so the curve has a gap
            return _joined([], False).curve

    def make(report: Report) -> dict[str, ValidationCurve]:
        parts = [_part(report, i, len(missing)) for i in range(len(missing))]
        return {name: errors_of(problem, part) for (name, problem), part in zip(missing.items(), parts, strict=True)}

    return make


def _part(report: Report, before: int, n: int) -> Report:
    return lambda done: report((before + done) / n)


def _joined(results: Sequence[tuple[float, ValidationCurve]], is_complete: bool) -> Known:
    """Return curves of one problem each as one. Those without a solution are left out."""
    solved = [(value, result) for value, result in results if len(result.train)]
    names = (*LINES, "true_standard_error", "support")
    lines = {name: frozen([getattr(result, name)[0] for _value, result in solved]) for name in names}
    return Known(frozen([value for value, _result in solved]), ValidationCurve(**lines), is_complete)


def draw(stage: Stage) -> Data:
    """Return new points behind the board's own if their distribution is known. The errors begin before the answer."""
    _request_if_free(stage)
    return {"overlay": overlay_of_test_points(stage)} if stage.shown and source(stage) else {}


def play(stage: Stage) -> Data:
    """Return the animation of the width to the one with the smallest error that is known."""
    known, parameter = in_question(along(stage, "width")), width(stage)
    best = float(known.at[int(known.estimate.argmin())]) if len(known.at) else USUAL
    return {"key": getattr(parameter, "name", "value"), "to": best, "ms": 2600}


def rests_on_answer(stage: Stage) -> bool:
    """Return whether the error at the width of the board is the smallest, as far as can be seen."""
    known = in_question(complete(stage, "width"))
    here = np.flatnonzero(known.at == current_value(stage, "width"))
    return bool(len(here)) and float(known.estimate[here[0]] - known.estimate.min()) <= chance(stage)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the training error, the cross-validation error and the test error of the SVM on the board."""

    def rate(name: str, value: float, definition: str) -> Reading:
        return Reading(name, short(value, 3), repr(value), definition)

    train = rate(
        _("training error"), training_error(stage.solution), _("Error rate on the training points (large marks)")
    )
    if not stage.shown:
        return [train]
    folds, errors = _("{k}-fold").format(k=number_of_folds(stage.data.m)), on_board(stage)
    definition = _("Cross-validation error: each part is classified by an SVM that was trained on the other parts")
    of_folds = reading(folds, "–", definition)
    if errors is not None and len(errors.train):
        of_folds = rate(folds, float(errors.cross_validation[0]), definition)
    definition = _("Error rate on {n} new points from the same distribution").format(n=grouped(FRESH_COUNT))
    if not source(stage):
        return [train, of_folds, reading(_("test error"), _("unknown"), definition)]
    return [train, of_folds, rate(_("test error"), true_error(stage).value, definition)]


def chance(stage: Stage) -> float:
    """Return by how much two estimates can differ by chance: two standard errors."""
    estimate = in_question(complete(stage, "width")).estimate
    rate, n = float(0.5 * (estimate[0] + estimate.min())), stage.data.m if source(stage) is None else FRESH_COUNT
    return 2 * math.sqrt(max(rate * (1 - rate), 1 / n) / n)


def answer(stage: Stage) -> int:
    """Return which width has the smallest error: 0 the smallest width, 1 a larger one, 2 no clear difference."""
    estimate = in_question(complete(stage, "width")).estimate
    if not len(estimate) or np.ptp(estimate) <= chance(stage):
        return 2
    return 0 if estimate[0] - estimate.min() <= chance(stage) else 1


def verdict(stage: Stage) -> str:
    """Return the answer with the errors at the best width and at the smallest one."""
    known, right = in_question(complete(stage, "width")), answer(stage)
    if not len(known.at):
        return _("All widths give about the same error. For no width is there a solution, so nothing can be compared.")
    best = int(known.estimate.argmin())
    if right == 2:
        words = _("All widths give about the same error. It is from {least} to {most}, and this could be chance.")
    elif right == 0:
        words = _(
            "The smallest width. At σ\u00a0=\u00a0{narrow} the error is {first}, and no other is clearly smaller."
        )
    elif source(stage) is not None:
        words = _(
            "A larger width. The smallest test error is {least}, at σ\u00a0=\u00a0{best}, and it is {first} at "
            "σ\u00a0=\u00a0{narrow}."
        )
    else:
        words = _(
            "A larger width. The smallest leave-one-out error is {least}, at σ\u00a0=\u00a0{best}, and it is {first} "
            "at σ\u00a0=\u00a0{narrow}."
        )
    return words.format(
        narrow=short(float(known.at[0]), 3),
        best=short(float(known.at[best]), 3),
        first=short(float(known.estimate[0]), 3),
        least=short(float(known.estimate.min()), 3),
        most=short(float(known.estimate.max()), 3),
    )


def chart(stage: Stage) -> Chart:
    """Return all errors along the picked parameter, as far as they are known. A click sets the parameter."""
    by = str(stage.pick("along"))
    known, of_points, value = along(stage, by), source(stage), current_value(stage, by)
    if not len(known.at):
        known = complete(stage, by)
    grid = VALUES_OF_C if by == "C" else WIDTHS
    ends = min(grid[0], value), max(grid[-1], value)
    bayes_error = None if of_points is None else of_points.bayes_error
    k = number_of_folds(stage.data.m)
    figure = validation(known.at, known.curve, ends, value, bayes_error, k, PARAMETERS[by], stage.palette)
    return Chart(figure, partial(_set, stage, by))


def _set(stage: Stage, by: str, value: float) -> Op:
    parameter = width(stage)
    if by == "C" or parameter is None:
        return set_machine(face="C", value=float(value))
    return set_machine(**{parameter.name: float(value)})


def situation(stage: Stage) -> str:
    """Return what the points are, what varies, and what cross-validation is for."""
    words = _(
        "The SVM has a Gaussian kernel of width $\\sigma$. Its **test error** is the error rate on many new points. "
        "**Cross-validation** estimates it from the training points. It divides them into parts, and an SVM trained on "
        "the other parts classifies each part. Now $\\sigma$ varies from 0.1 to 6, and $C$ stays fixed."
    )
    if source(stage) != blobs_with_flipped_labels(0.1):
        return words
    points = _("The points are invented, and a tenth of the labels is flipped.")
    return f"{points} {words}"


def says(stage: Stage) -> str:
    """Return how the curves are read, and whether the test error is known."""
    if source(stage) is None:
        return _(
            "New points of this kind are not available, so the **test error is unknown**. Cross-validation and "
            "leave-one-out estimate it from the training points. Click a mark to use its value."
        )
    if stage.pick("along") == "C":
        return _(
            "Here $C$ varies, and $\\sigma$ stays fixed. The SVM **overfits** where the training error (grey) is far "
            "below the test error (green). Click a mark to use its $C$."
        )
    return _(
        "The SVM **overfits** where the training error (grey) is far below the test error (green). Cross-validation "
        "and leave-one-out estimate the test error. Click a mark to use its $\\sigma$."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return cross-validation and its reliability, all numbers, and what the lecture notes say."""
    known, m, of_points = complete(stage, "width"), stage.data.m, source(stage)
    if not len(known.at):
        return []
    chosen, k = int(known.curve.cross_validation.argmin()), number_of_folds(m)
    rate = float(known.curve.cross_validation[chosen])
    words = _(
        "**Cross-validation.** The {m} points are divided into {k} parts. Each part is classified by an SVM that was "
        "trained on the other parts with the same $C$. For **leave-one-out**, each part is a single point. The "
        "{k}-fold error is smallest at $\\sigma$ = {sigma}, where it is {rate}."
    ).format(m=m, k=k, sigma=short(float(known.at[chosen]), 3), rate=short(rate, 3))
    if of_points is not None:
        words += " " + _("On {n} new points, the SVM with this $\\sigma$ has the error {test} ± {error}.").format(
            n=grouped(FRESH_COUNT),
            test=short(float(known.curve.true[chosen]), 3),
            error=short(float(known.curve.true_standard_error[chosen]), 1),
        )
        if of_points.bayes_error is not None:
            words += " " + _("No classifier has a true error below {best}, the **Bayes error** (dotted line).").format(
                best=short(of_points.bayes_error, 3)
            )
    return [
        words,
        _(
            "**How reliable the choice is.** With {m} points, an error rate of {rate} has a standard error of about "
            "{error}. In addition, the smallest of several such estimates is usually too optimistic. So you can choose "
            "$\\sigma$ by cross-validation, but test the chosen SVM on points that played no part in the choice."
        ).format(m=m, rate=short(rate, 3), error=short(math.sqrt(max(rate * (1 - rate), 1 / m) / m), 1)),
        _(
            "**The generalisation gap.** On a single board, the training error can be larger than the test error. On "
            "average over many samples it is usually smaller. The gap is usually widest where almost every point is a "
            "support vector. The last row of the table shows the fraction N/m of support vectors."
        ),
        _table(stage),
        _(
            "**On the board.** The small marks are new points, in a stronger colour if they are misclassified. Along "
            "$C$, the curves belong to the $\\sigma$ on the board."
        ),
        _(
            "**Lecture notes.** Gambosi's slides ask for a classifier that generalises to the test set and does not "
            "overfit. They do not say how to choose $\\sigma$ and $C$. Cross-validation is the usual method."
        ),
    ]


def _table(stage: Stage) -> Table:
    known = complete(stage, "width")
    heads = [short(float(value), 3) for value in known.at]
    lines = [
        (_("training"), known.curve.train),
        (_("{k}-fold").format(k=number_of_folds(stage.data.m)), known.curve.cross_validation),
        (_("leave-one-out"), known.curve.leave_one_out),
        (_("test"), known.curve.true),
        ("N/m", known.curve.support),
    ]
    rows = [
        table.named_row(name, [table.number(float(value), 2) for value in values])
        for name, values in lines
        if not np.isnan(values).all()
    ]
    return Table(table.table(table.head(*heads, first="σ"), rows))


def next_sample(stage: Stage) -> Op:
    """Return the operation that puts the next sample on the board."""
    lab = with_next_sample(stage.lab)
    return {"op": "load", "lab": lab if source(stage) else with_sample(stage.lab, *SAMPLE)}


def validation(
    at: Array,
    curve: ValidationCurve,
    ends: tuple[float, float],
    current: float,
    bayes_error: float | None,
    folds: int,
    name: str,
    palette: Palette,
) -> go.Figure:
    """Return error rates (k,) over the values `at` (k,) of a parameter, with a rule at its current value.

    ends: of the axis. bayes_error: a level line, or None. folds: their number. name: of the parameter. customdata of
    the marks: their value.
    """
    figure = empty_chart(palette, "", _("error rate"), height=240)
    lines = (
        (_("training"), curve.train, palette.quiet, "solid", "square"),
        (_("{k}-fold").format(k=folds), curve.cross_validation, palette.series[3], "dot", "triangle-up"),
        (_("leave-one-out"), curve.leave_one_out, palette.other, "dash", "diamond"),
        (_("test"), curve.true, palette.accent, "solid", "circle"),
    )
    custom = np.stack([at, curve.support], 1)
    top = float(np.nanmax([0.1, *(np.nanmax(y) for _name, y, *_look in lines if not np.isnan(y).all())]))
    lo, hi = (float(np.log10(end)) for end in ends)
    figure.update_xaxes(**log_axis(lo - 0.03, hi + 0.03))
    figure.update_yaxes(range=[-0.03 * top, 1.08 * top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, name, palette)]
    if bayes_error is not None:
        add_rule(figure, palette, palette.accent, "dot", y=bayes_error, width=1.0)
        labels.append(Label(_("Bayes error"), lo, bayes_error, palette.accent, "below right"))
    for words, y, colour, dash, symbol in lines:
        if np.isnan(y).all():
            continue
        hover = f"{words}: %{{y:.4g}}<br>{name} = %{{customdata[0]:.4g}}<br>N/m = %{{customdata[1]:.3g}}<extra></extra>"
        mark = {"symbol": symbol, "size": 9 * palette.stroke, "color": colour, "line": palette.pen(palette.paper, 1.0)}
        figure.add_trace(
            go.Scatter(
                x=at,
                y=y,
                customdata=custom,
                name=words,
                mode="lines+markers",
                line=palette.pen(colour, 2.5, dash),
                marker=mark,
                hovertemplate=hover,
                cliponaxis=False,
            )
        )
        labels.append(Label(words, hi + 0.03, float(y[-1]), colour))
    add_rule(figure, palette, palette.text, "dot", x=current)
    _rings(figure, at, [y for _words, y, *_look in lines], current, palette)
    return place_labels(figure, palette, labels)


def _rings(figure: go.Figure, at: Array, lines: list[Array], current: float, palette: Palette) -> None:
    """Add a ring on each line at the current value, if its errors are known."""
    here = np.flatnonzero(at == current)
    if not len(here):
        return
    y = np.array([heights[here[0]] for heights in lines])
    ring = {"size": 15 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
    trace = go.Scatter(x=np.full(len(y), current), y=y, name="now", mode="markers", marker=ring, hoverinfo="skip")
    figure.add_trace(trace.update(cliponaxis=False))


SAMPLE = (blobs_with_flipped_labels(0.1), 60, FIRST)
WIDTH_STEP = Step(
    key="width",
    title=N_("Choosing σ by cross-validation"),
    situation=situation,
    question=N_("Which kernel width $\\sigma$ between 0.1 and 6 gives the smallest test error?"),
    choices=(
        Choice(
            N_("The smallest width"),
            N_(
                "Its training error can be very small. However, a fit to the noise of the training points does not "
                "help with new points."
            ),
        ),
        Choice(
            N_("A larger width"),
            N_(
                "This is the usual result, because a wider kernel averages over the noise. Here no larger width has a "
                "clearly smaller error."
            ),
        ),
        Choice(
            N_("All widths give about the same error"),
            N_(
                "This happens if the labels are pure noise, or if there are too few points to see a difference. Here "
                "the errors differ clearly."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=partial(with_sample, NARROW, *SAMPLE),
    introduces=("overfitting", "cross-validation", "flipped"),
    needs=(BOTH_CLASSES, SOFT, WIDTH, SOLVED, at_most(200)),
    draw=draw,
    play=play,
    rests_on_answer=rests_on_answer,
    numbers=numbers,
    picks=(Pick("along", N_("Parameter that varies"), tuple(PARAMETERS), "width", PARAMETERS.__getitem__),),
    chart=chart,
    says=says,
    formula=(
        r"\underbrace{\tfrac1m\textstyle\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,]}_{\text{training error}} \qquad "
        r"\underbrace{\Pr[\,y f(x) \le 0\,]}_{\text{true error}}"
    ),
    more=more,
    tries=(
        Try(N_("New sample"), next_sample),
        Try(N_("30 % flipped"), board=partial(with_sample, NARROW, blobs_with_flipped_labels(0.3), 60, FIRST)),
        Try(N_("Moons"), board=preset("moons", size=60, noise=0.3, seed=0, kernel="gaussian", sigma=0.1)),
    ),
    shows=("G0",),
)
