"""The compression bound on random samples with a known true error, and when it is below 1 (G1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import (
    CLEAN,
    NOISY,
    BlobSource,
    Compression,
    SampleErrors,
    compression,
    compression_bound,
    fewest_points,
    max_support_vectors,
    sharper_bound,
    support_vector_difference,
)
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.generalisation.resampling import has_unique_bias
from svmlab.lab.charts import marks
from svmlab.lab.lessons.generalisation.behind import overlay_of_test_points, true_error
from svmlab.lab.lessons.generalisation.sampled import (
    DELTA,
    DRAWS,
    SIZES,
    Growing,
    bounds,
    growing,
    on_draws,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import with_next_sample, with_sample
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED, SOURCE, source_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Part, Pick, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.lines import Line, curves
from svmlab.plot.palette import Palette

CLOSE_RATIO = 1.5  # a bound of at most this multiple of the true error is close to it
VIEWS = {"draws": N_("many samples"), "points": N_("larger samples")}
FLIPPED = partial(with_sample, Lab(value=1.0), NOISY, 120, 0)
SEPARATE = partial(with_sample, Lab(value=10.0), CLEAN, 120, 0)


def bounds_here(stage: Stage) -> Compression:
    """Return both bounds of the SVM on the board."""
    return stage.cached("carried", lambda: compression(stage.solution, DELTA))


def _many_samples(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], SampleErrors]]:
    problem, source = stage.lab.problem, source_of(stage)
    key = ("carried draws", source, problem.data.m, problem.kernel, problem.C, problem.bias)
    return key, lambda report: on_draws(problem, source, report=report)


def _larger_samples(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Growing]]:
    problem, source = stage.lab.problem, source_of(stage)
    key = ("carried growing", source, problem.kernel, problem.C, problem.bias)
    return key, lambda report: growing(problem, source, report)


def _grows(stage: Stage) -> bool:
    """Return whether larger samples are chosen. Only this view is computed: two would cancel each other."""
    return bool(stage.pick("carried") == "points")


def draw(stage: Stage) -> Data:
    """Return fresh test points after Show, and no slack, which would hide them."""
    stage.background_result_or_none(*(_larger_samples if _grows(stage) else _many_samples)(stage))
    if not stage.shown:
        return {"slack": []}
    return {"slack": [], "overlay": overlay_of_test_points(stage)}


NUMBERS = (
    Measure(
        N_("support vectors"),
        lambda stage: f"{bounds_here(stage).N}/{bounds_here(stage).m}",
        N_("Number N of support vectors, of m training points"),
    ),
    Measure(
        N_("bound"),
        lambda stage: short(bounds_here(stage).bound, 3),
        N_("Compression bound of the true error, from N and m alone"),
        after_show=True,
    ),
    Measure(
        N_("true error"),
        lambda stage: short(true_error(stage).value, 3),
        N_("Probability that the SVM on the board misclassifies a new point"),
        after_show=True,
    ),
)


def answer(stage: Stage) -> int:
    """Return whether the bound is at least 1, in between, or at most CLOSE_RATIO times the true error."""
    bounds = bounds_here(stage)
    if bounds.is_vacuous:
        return 0
    return 2 if bounds.bound <= CLOSE_RATIO * true_error(stage).value else 1


def verdict(stage: Stage) -> str:
    """Return the right choice, the bound and the true error."""
    words = (
        _("At least 1. The bound {bound} gives no information, because no probability exceeds 1. True error: {true}."),
        _("Below 1, but more than 1.5 times the true error. The bound is {bound}, and the true error is {true}."),
        _("Below 1, and at most 1.5 times the true error. The bound is {bound}, and the true error is {true}."),
    )[answer(stage)]
    return words.format(bound=short(bounds_here(stage).bound, 3), true=short(true_error(stage).value, 3))


def chart(stage: Stage) -> Chart:
    """Return the samples and the bound, where a click loads a sample, or averages over larger samples."""
    bounds, palette = bounds_here(stage), stage.palette
    if _grows(stage):
        return Chart(with_more(stage.background_result(*_larger_samples(stage)), bounds.m, bounds.bound, palette))
    here = bounds.N, true_error(stage).value
    figure = under(stage.background_result(*_many_samples(stage)), here, palette)
    return Chart(figure, lambda seed: _put(stage, int(seed)))


def _put(stage: Stage, seed: int) -> Op:
    """Return the operation that loads a sample with as many points, for the same SVM."""
    return {"op": "load", "lab": with_sample(stage.lab, source_of(stage), stage.data.m, seed)}


def next_sample(stage: Stage) -> Op:
    """Return the operation that loads the next sample."""
    return {"op": "load", "lab": with_next_sample(stage.lab)}


def says(stage: Stage) -> str:
    """Return for how many samples the bound and N = 0 fail, or what changes with m."""
    return (
        _says_larger(stage.background_result(*_larger_samples(stage)))
        if _grows(stage)
        else _says_many(stage.background_result(*_many_samples(stage)))
    )


def _says_larger(averages: Growing) -> str:
    first, last = averages.bound[[0, -1]]
    words = (
        _(
            "The curves are averages over random samples of size $m$. $N$ grows from {few} to {many}, so fast that "
            "the bound does not decrease."
        )
        if last >= first
        else _(
            "The curves are averages over random samples of size $m$. The bound decreases, but at $m$ = {most} it is "
            "still at least 1."
        )
        if last >= 1
        else _(
            "The curves are averages over random samples of size $m$. $N$ changes from {few} to {many}, while $m$ "
            "grows from {least} to {most}. The bound decreases."
        )
    )
    few, many = (short(float(n), 3) for n in averages.support[[0, -1]])
    return words.format(least=SIZES[0], most=SIZES[-1], few=few, many=many)


def _says_many(samples: SampleErrors) -> str:
    lowest = compression_bound(0, samples.m, DELTA)
    broken, cheap = int((samples.true > bounds(samples)).sum()), int((samples.true > lowest).sum())
    return _(
        "Each dot is a random sample, at its $N$ and its true error. The true error exceeds the bound for {broken} of "
        "{draws} samples. The bound with $N = 0$ (dotted line) would fail for {cheap}. Click a dot to load it."
    ).format(broken=broken, draws=DRAWS, cheap=cheap)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, when the bound is below 1, the second bound, two computations, and the lecture notes."""
    bounds, m, solution = bounds_here(stage), stage.data.m, stage.solution
    difference = stage.cached("from carriers", lambda: support_vector_difference(solution))
    most = max_support_vectors(m, DELTA)
    at_most = (
        _("With $m$ = {m} points, the bound is below 1 for at most {most} support vectors.")
        if most >= 0
        else _("With only $m$ = {m} points, the bound is at least 1 for every $N$.")
    ).format(m=m, most=most)
    return [
        _(
            "**Why few support vectors help.** Training again on the $N$ support vectors alone, with the same $C$, "
            "gives the same classifier. On the training points, $f$ differs by at most {difference}{but}. So the "
            "classifier is one of $\\binom{{m}}{{N}}$ candidates, one for each choice of $N$ training points. The "
            "other $m - N$ points act as test points for that candidate. In general, the bound adds the number of "
            "training errors that are not support vectors, divided by $m$. It is 0 here, because $\\alpha_i = 0$ "
            "implies $y_i f(x_i) \\ge 1$."
        ).format(
            difference=short(difference, 2, 1e-6),
            but="" if has_unique_bias(solution) else _(", because $b$ is not unique here"),
        ),
        _(
            "**When the bound is below 1.** This requires $N(1 + \\ln m) < m$. {at_most} With {N} support vectors, you "
            "need at least {fewest} points."
        ).format(at_most=at_most, N=bounds.N, fewest=grouped(fewest_points(bounds.N, DELTA))),
        _(
            "**The second bound** (dashed) has no root: $\\mathrm{{er}} \\le (\\ln\\binom{{m}}{{N}} + "
            "\\ln\\frac{{m}}{{\\delta}})/(m - N)$, where $\\mathrm{{er}}$ is the true error. It holds because every "
            "training error is a support vector. Here it is {second}. It is "
            "smaller than the first bound wherever that is below 1, but it can be larger elsewhere."
        ).format(second=short(bounds.sharper, 3)),
        *_two_computations(stage),
        _(
            "**Lecture notes.** The Italian notes on Pegasos state this bound correctly, also for kernels. It requires "
            "that $C$ is fixed before the sample is seen. If $\\lambda$ is fixed instead, then $C = 1/(\\lambda m)$ is "
            "known as well, because $m$ is known. The $N$ support vectors must then be trained with this $C$, not with "
            "$1/(\\lambda N)$."
        ),
    ]


def _two_computations(stage: Stage) -> list[Part]:
    """Return the formula of the true error against other fresh points, if there is a formula."""
    source, solution = source_of(stage), stage.solution
    if not isinstance(source, BlobSource):
        return []
    measured = stage.cached("measured error", lambda: source.blobs.measured_error(solution.decision, seed=1))
    return [
        _(
            "**Two computations.** For a line, a formula gives the true error. For any other SVM, it is measured on "
            "fresh points. It is {true}. On {n} other fresh points, the error is {measured} ± {error}. The bound may "
            "fail for at most 5 % of all samples. With the view *many samples*, the sentence with the chart says how "
            "often it does here."
        ).format(
            true=short(true_error(stage).value, 3),
            n=grouped(FRESH_COUNT),
            measured=short(measured.value, 3),
            error=short(measured.standard_error, 2),
        )
    ]


HEIGHT = 300
SMALLEST_DRAWN_ERROR = 1e-4
ROOM = 0.12  # of the height of a log axis


def under(samples: SampleErrors, here: tuple[int, float], palette: Palette) -> go.Figure:
    """Draw the true error of every sample over its N, both bounds, the bound for N = 0, and 1.

    here: N and the true error of the SVM on the board. customdata of a dot: the seed of its sample.
    """
    m, N = samples.m, samples.support
    informative = max_support_vectors(m, DELTA)
    most = int(max(N.max(), here[0]))
    end = min(m, max(math.ceil(1.12 * most), math.ceil(1.3 * informative), 6))
    along = np.arange(end + 1)
    first = np.array([compression_bound(int(k), m, DELTA) for k in along])
    second = np.array([sharper_bound(int(k), m, DELTA) for k in along])
    lowest_bound = float(first[0])
    errors = np.maximum(samples.true, SMALLEST_DRAWN_ERROR)
    lowest, highest = (
        min(float(errors.min()), lowest_bound, max(here[1], SMALLEST_DRAWN_ERROR)),
        max(float(first[-1]), 1.0),
    )
    lo, hi = math.log10(lowest), math.log10(highest)
    lo, hi = lo - ROOM * (hi - lo), hi + ROOM * (hi - lo)
    figure = empty_chart(palette, "", "", height=HEIGHT)
    shown = second < 10**hi
    _shade_above_one(figure, hi, palette)
    for name, x, y, colour, dash in (
        (_("bound"), along, first, palette.text, "solid"),
        (_("second bound"), along[shown], second[shown], palette.quiet, "dash"),
    ):
        hover = _("{name} at N = {N}: {value}").format(name=name, N="%{x}", value="%{y:.4g}") + "<extra></extra>"
        figure.add_trace(
            go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour, dash=dash), hovertemplate=hover)
        )
    marks.add_rule(figure, palette, palette.other, "dot", y=lowest_bound)
    hover = (
        _("sample {k}: N = {N}, true error {value}").format(k="%{customdata[1]}", N="%{x}", value="%{y:.4g}")
        + "<extra></extra>"
    )
    seeds = np.arange(len(N))
    colours = np.where(samples.true > bounds(samples), palette.other, palette.accent)
    figure.add_trace(
        marks.dots(
            palette,
            N,
            errors,
            np.stack([seeds, seeds + 1], 1),
            np.zeros(len(N), dtype=bool),
            colours,
            name="draws",
            hover=hover,
            edge=1.0,
        )
    )
    marks.mark_current(
        figure, palette, here[0], max(here[1], SMALLEST_DRAWN_ERROR), compression_bound(here[0], m, DELTA)
    )
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], nticks=7).update_yaxes(**log_axis(lo, hi, 5))
    level = np.log10
    labels = [
        axis_name(figure, "N", palette),
        Label(_("bound"), end, float(level(first[-1])), palette.text),
        Label("N = 0", end, float(level(lowest_bound)), palette.other),
        Label(_("true error"), float(np.median(N)), float(level(errors.min())), palette.accent, "below"),
    ]
    if shown.any():
        last = int(along[shown][-1])
        side = "right" if last == end else "below left"
        labels.append(Label(_("second bound"), last, float(level(second[last])), palette.quiet, side))
    room = level(first[-1]) > 0.25  # under the bound, and above 1
    words = _no_information("above left" if room else "above right", float(end) if room else 0.0, palette)
    return place_labels(figure, palette, [*labels, words], backed=True)


def with_more(averages: Growing, m: int, bound: float, palette: Palette) -> go.Figure:
    """Draw both bounds and the true error over the sample size, averaged over samples; m, bound: those of the board."""
    finite = np.isfinite(averages.sharper)
    lines = [
        Line(_("bound"), averages.m, averages.bound, palette.text),
        Line(_("second bound"), averages.m[finite], averages.sharper[finite], palette.quiet, "dash"),
        Line(_("true error"), averages.m, np.maximum(averages.true, SMALLEST_DRAWN_ERROR), palette.accent),
    ]
    lines = [line for line in lines if len(line.x)]
    low, high = _ends(*(line.y for line in lines), np.array([1.0, bound]))
    figure = curves(lines, "", "", palette, height=HEIGHT, levels=(low, high))
    _shade_above_one(figure, high, palette)
    marks.mark_current(figure, palette, m, bound)
    first, last = float(np.log10(min(averages.m[0], m))), float(np.log10(max(averages.m[-1], m)))
    figure.update_xaxes(range=[first - 0.03, last + 0.03])
    return place_labels(
        figure, palette, [axis_name(figure, "m", palette), _no_information("above right", first, palette)], backed=True
    )


def _ends(*values: Array) -> tuple[float, float]:
    """Return the ends of an axis as decimal logarithms, with some room."""
    level = np.log10(np.concatenate(values))
    room = ROOM * float(np.ptp(level))
    return float(level.min()) - room, float(level.max()) + room


def _shade_above_one(figure: go.Figure, high: float, palette: Palette) -> None:
    """Shade the bounds of 1 or more, which hold for every classifier."""
    figure.add_hrect(y0=1.0, y1=10.0**high, fillcolor=palette.grid, line_width=0, layer="below")
    marks.add_rule(figure, palette, palette.quiet, y=1.0)


def _no_information(side: str, x: float, palette: Palette) -> Label:
    return Label(_("1 or more: no information"), x, 0.0, palette.quiet, side)


CARRY = Step(
    key="carry",
    title=N_("The compression bound"),
    situation=N_(
        "$N$ of the $m$ training points are support vectors (ringed), and they alone give the same SVM. The **true "
        "error** is the probability that it misclassifies a new point. For at least 95 % of all random training "
        "samples, it is at most the **compression bound**, which uses only $N$ and $m$. This bound can only be below 1 "
        "if $N(1 + \\ln m) < m$."
    ),
    question=N_("How large is the compression bound for the SVM on this board?"),
    choices=(
        Choice(
            N_("At least 1"),
            N_(
                "This happens if most points are support vectors, for example with noisy labels. Here N is small "
                "enough for a bound below 1."
            ),
        ),
        Choice(
            N_("Below 1, but more than 1.5 times the true error"),
            N_("A bound below 1 requires N (1 + ln m) < m. Compare the bound with 1 and with the true error."),
        ),
        Choice(
            N_("Below 1, and at most 1.5 times the true error"),
            N_(
                "A useful bound would be close to the true error. However, this one holds for every distribution, so "
                "it is usually far too large."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=FLIPPED,
    deeper=True,
    introduces=("compression-bound", "vacuous"),
    needs=(SOURCE, BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=draw,
    rests_on_answer=lambda stage: bounds_here(stage).is_vacuous and true_error(stage).value < 1,
    numbers=NUMBERS,
    picks=(Pick("carried", N_("View"), tuple(VIEWS), "draws", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=(
        r"\text{true error} \le \sqrt{\tfrac1m\left(N + (N+1)\ln m + \ln\tfrac1\delta\right)}, "
        r"\quad \delta = 0.05"
    ),
    more=more,
    tries=(
        Try(N_("New sample"), next_sample),
        Try(N_("Clean labels"), board=SEPARATE),
        Try(N_("Gaussian, σ = 0.3"), set_machine(kernel="gaussian", sigma=0.3)),
    ),
    shows=("G1",),
)
