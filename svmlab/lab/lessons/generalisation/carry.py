"""Few carry all: the compression bound on draws whose true error is known, and where it says nothing (G1)."""

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
    Cloud,
    Compression,
    compression,
    compression_bound,
    fewest_points,
    from_carriers,
    most_carriers,
    sharper_bound,
)
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.generalisation.resampling import has_pinned_bias
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.behind import behind, true_error
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
from svmlab.lab.session.point_source import with_next_sample, with_sample
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED, SOURCE, source_of
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _

NEAR = 1.5  # times the true error: up to there a bound is called close
FEW = 0.1  # of all points
VIEWS = {"draws": N_("many draws"), "points": N_("more points")}


FLIPPED = partial(with_sample, Lab(value=1.0), NOISY, 120, 0)
APART = partial(with_sample, Lab(value=10.0), CLEAN, 120, 0)


def carried(stage: Stage) -> Compression:
    """Both bounds of the machine on the board."""
    return stage.cached("carried", lambda: compression(stage.solution, DELTA))


def _draws(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Cloud]]:
    lab, source = stage.lab, source_of(stage)
    problem = lab.problem
    key = ("carried draws", source, problem.data.m, problem.kernel, problem.C, problem.bias)
    return key, lambda report: on_draws(problem, source, report=report)


def _growing(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Growing]]:
    problem, source = stage.lab.problem, source_of(stage)
    key = ("carried growing", source, problem.kernel, problem.C, problem.bias)
    return key, lambda report: growing(problem, source, report)


def _grows(stage: Stage) -> bool:
    """Whether more points are looked at. Only what is seen is worked on: two pieces would call each other off."""
    return bool(stage.pick("carried") == "points")


def draw(stage: Stage) -> Data:
    """No slack, which would hide the rest; once shown fresh points of the same distribution, faint, the wrong ones less
    so.
    """
    stage.background_result_or_none(*(_growing if _grows(stage) else _draws)(stage))
    if not stage.shown:
        return {"slack": []}
    return {"slack": [], "overlay": behind(stage)}


def numbers(stage: Stage) -> Sequence[Reading]:
    """N; once shown the bounds and the truth."""
    now = carried(stage)
    readings = [reading(_("support vectors"), f"{now.N}/{now.m}")]
    if not stage.shown:
        return readings
    return [
        *readings,
        reading(_("bound"), now.bound),
        reading(_("sharper"), now.sharper),
        reading(_("true error"), true_error(stage).value),
    ]


def answer(stage: Stage) -> int:
    """Above 1, close to the true error or below it, or in between."""
    now = carried(stage)
    if now.is_vacuous:
        return 0
    return 2 if now.bound <= NEAR * true_error(stage).value else 1


def verdict(stage: Stage) -> str:
    """The bound, and the true error."""
    now = carried(stage)
    said = (
        _("above 1, at {bound}: it says nothing, as no error is above 1. The true one is {true}."),
        _("below 1, at {bound}. The true error is {true}."),
        _("at {bound}, and the true error is {true}."),
    )[answer(stage)]
    return said.format(bound=short(now.bound, 3), true=short(true_error(stage).value, 3))


def chart(stage: Stage) -> Chart:
    """The draws under the bound, each to be put on the board by a click; or what more points do."""
    now, palette = carried(stage), stage.palette
    if _grows(stage):
        return Chart(with_more(stage.background_result(*_growing(stage)), now.m, now.bound, palette))
    here = now.N, true_error(stage).value
    figure = under(stage.background_result(*_draws(stage)), here, palette)
    return Chart(figure, lambda seed: _put(stage, int(seed)))


def _put(stage: Stage, seed: int) -> Op:
    """Another draw on the board: as many points, the same machine."""
    return {"op": "load", "lab": with_sample(stage.lab, source_of(stage), stage.data.m, seed)}


def another(stage: Stage) -> Op:
    """The next draw."""
    return {"op": "load", "lab": with_next_sample(stage.lab)}


def says(stage: Stage) -> str:
    """How many draws break the bound, and N := 0; or what grows with m."""
    return (
        _says_grown(stage.background_result(*_growing(stage)))
        if _grows(stage)
        else _says_drawn(stage.background_result(*_draws(stage)))
    )


def _says_grown(found: Growing) -> str:
    first, last = found.bound[[0, -1]]
    said = (
        _("$N$ grows along with $m$, from {few} to {many}: more points do not help this bound.")
        if last >= first
        else _("$N$ goes from {few} to {many}: the bound falls, and at {most} points it still says nothing.")
        if last >= 1
        else _(
            "From {least} points to {most} $N$ goes from {few} to {many}, far more slowly than $m$: the bound falls."
        )
    )
    few, many = (short(float(n), 3) for n in found.support[[0, -1]])
    return said.format(least=SIZES[0], most=SIZES[-1], few=few, many=many)


def _says_drawn(found: Cloud) -> str:
    least = compression_bound(0, found.m, DELTA)
    broken, cheap = int((found.true > bounds(found)).sum()), int((found.true > least).sum())
    said = (
        _(
            "The bound fails in {broken} of {draws} draws. Without its $N$, at $N := 0$, in {cheap}: it is "
            "$N$ that pays for fitting."
        )
        if cheap
        else _(
            "The bound fails in {broken} of {draws} draws, and with $N := 0$ in none: few points carry, "
            "there is little to pay for."
        )
        if found.support.mean() <= FEW * found.m
        else _(
            "The bound fails in {broken} of {draws} draws, and with $N := 0$ in none either: on these $N$ is "
            "not missed."
        )
    )
    return said.format(broken=broken, draws=DRAWS, cheap=cheap) + " " + _("A click puts a draw on the board.")


def more(stage: Stage) -> Sequence[Part]:
    """Why, from where on it speaks, the sharper one, two ways to the true error, and the note."""
    now, m = carried(stage), stage.data.m
    solution = stage.solution
    back = stage.cached("from carriers", lambda: from_carriers(solution))
    return [
        _(
            "**Why.** At the same $C$ the machine comes back from its $N$ support vectors alone: solved "
            "again on these, $f$ differs by {back} at most{but}. So it is one of "
            "$\\binom{{m}}{{N}}$ machines, and the other $m - N$ points are fresh to it. In general the "
            "share $\\tilde{{\\mathrm{{er}}}}$ of points that carry nothing and are wrong is added. "
            "It is 0 here: $\\alpha_i = 0$ means $y_i f(x_i) \\ge 1$."
        ).format(
            back=short(back, 2, 1e-6),
            but="" if has_pinned_bias(solution) else _(", as $b$ may be any of an interval here"),
        ),
        _(
            "**When it speaks.** Only where $N(1 + \\ln m) < m$. With {m} points that is up to {most} "
            "support vectors. {N} of them would take {fewest} points, and must not become "
            "more on the way."
        ).format(m=m, most=max(most_carriers(m, DELTA), 0), N=now.N, fewest=grouped(fewest_points(now.N, DELTA))),
        _(
            "**The sharper one.** With $\\tilde{{\\mathrm{{er}}}} = 0$ also $\\mathrm{{er}} \\le "
            "(\\ln\\binom{{m}}{{N}} + \\ln\\frac{{m}}{{\\delta}})/(m - N)$, without a root: {sharper} here. "
            "It gains most where $N$ is small, and says nothing where most points carry."
        ).format(sharper=short(now.sharper, 3)),
        *_two_ways(stage),
        _(
            "The Italian notes on Pegasos have the bound as it stands here, and are right: with a kernel it "
            "is the same. It needs a fixed $C$. With $\\lambda$ fixed, fewer points "
            "mean a larger $C$, and the machine does not come back from its support vectors."
        ),
    ]


def _two_ways(stage: Stage) -> list[Part]:
    """The formula against other fresh points, where there is one."""
    source, solution = source_of(stage), stage.solution
    if not isinstance(source, BlobSource):
        return []
    measured = stage.cached("measured error", lambda: source.blobs.measured_error(solution.decision, seed=1))
    return [
        _(
            "**Two ways.** The true error of a line has a formula here, for any other machine it is "
            "measured: {true}. On {n} other fresh points: {measured} ± {error}. "
            "The bound takes $N$ and $m$ alone. It may break in 5 % of all draws; how often it does is counted."
        ).format(
            true=short(true_error(stage).value, 3),
            n=grouped(FRESH_COUNT),
            measured=short(measured.value, 3),
            error=short(measured.standard_error, 2),
        )
    ]


HEIGHT = 300
LEAST = 1e-4  # the smallest error that is drawn: what is below stands on it
ROOM = 0.12  # of the height of a log axis


def under(found: Cloud, here: tuple[int, float], palette: Palette) -> go.Figure:
    """The true error of every draw over its N, the printed bound, the sharper one, N := 0, and 1, beyond which a bound
    says nothing.

    here: N and true error of the machine on the board. A mark's customdata is the seed of its draw.
    """
    m, N = found.m, found.support
    speaks = most_carriers(m, DELTA)
    most = int(max(N.max(), here[0]))
    end = min(m, max(math.ceil(1.12 * most), math.ceil(1.3 * speaks), 6))
    along = np.arange(end + 1)
    printed = np.array([compression_bound(int(k), m, DELTA) for k in along])
    sharp = np.array([sharper_bound(int(k), m, DELTA) for k in along])
    none = float(printed[0])
    errors = np.maximum(found.true, LEAST)
    lowest, highest = min(float(errors.min()), none, max(here[1], LEAST)), max(float(printed[-1]), 1.0)
    lo, hi = math.log10(lowest), math.log10(highest)
    lo, hi = lo - ROOM * (hi - lo), hi + ROOM * (hi - lo)
    figure = blank(palette, "", "", height=HEIGHT)
    shown = sharp < 10**hi
    _silent(figure, hi, palette)
    for name, x, y, colour, dash in (
        (_("bound"), along, printed, palette.text, "solid"),
        (_("sharper"), along[shown], sharp[shown], palette.quiet, "dash"),
    ):
        told = _("{name} at N = {N}: {value}").format(name=name, N="%{x}", value="%{y:.4g}") + "<extra></extra>"
        figure.add_trace(
            go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour, dash=dash), hovertemplate=told)
        )
    marks.add_rule(figure, palette, palette.other, "dot", y=none)
    told = (
        _("draw {k}: N = {N}, true error {value}").format(k="%{customdata[1]}", N="%{x}", value="%{y:.4g}")
        + "<extra></extra>"
    )
    seeds = np.arange(len(N))
    colours = np.where(found.true > bounds(found), palette.other, palette.accent)
    figure.add_trace(
        marks.dots(
            palette,
            N,
            errors,
            np.stack([seeds, seeds + 1], 1),
            np.zeros(len(N), dtype=bool),
            colours,
            name="draws",
            hover=told,
            edge=1.0,
        )
    )
    marks.mark_current(figure, palette, here[0], max(here[1], LEAST), compression_bound(here[0], m, DELTA))
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], nticks=7).update_yaxes(**log(lo, hi, 5))
    level = np.log10
    labels = [
        axis_name(figure, "N", palette),
        Label(_("bound"), end, float(level(printed[-1])), palette.text),
        Label("N := 0", end, float(level(none)), palette.other),
        Label(_("true error"), float(np.median(N)), float(level(errors.min())), palette.accent, "below"),
    ]
    if shown.any():
        last = int(along[shown][-1])
        side = "right" if last == end else "below left"
        labels.append(Label(_("sharper"), last, float(level(sharp[last])), palette.quiet, side))
    room = level(printed[-1]) > 0.25  # under the bound, and above 1
    silent = _says_nothing("above left" if room else "above right", float(end) if room else 0.0, palette)
    return place_labels(figure, palette, [*labels, silent], backed=True)


def with_more(found: Growing, m: int, bound: float, palette: Palette) -> go.Figure:
    """Both bounds and the true error over the number of points, means of the draws; `m`, `bound`: those of the
    board.
    """
    held = np.isfinite(found.sharper)
    lines = [
        Line(_("bound"), found.m, found.bound, palette.text),
        Line(_("sharper"), found.m[held], found.sharper[held], palette.quiet, "dash"),
        Line(_("true error"), found.m, np.maximum(found.true, LEAST), palette.accent),
    ]
    lines = [line for line in lines if len(line.x)]
    low, high = _ends(*(line.y for line in lines), np.array([1.0, bound]))
    figure = curves(lines, "", "", palette, height=HEIGHT, levels=(low, high))
    _silent(figure, high, palette)
    marks.mark_current(figure, palette, m, bound)
    first, last = float(np.log10(min(found.m[0], m))), float(np.log10(max(found.m[-1], m)))
    figure.update_xaxes(range=[first - 0.03, last + 0.03])
    return place_labels(
        figure, palette, [axis_name(figure, "m", palette), _says_nothing("above right", first, palette)], backed=True
    )


def _ends(*values: Array) -> tuple[float, float]:
    """Decimal logarithms, with a little room."""
    level = np.log10(np.concatenate(values))
    room = ROOM * float(np.ptp(level))
    return float(level.min()) - room, float(level.max()) + room


def _silent(figure: go.Figure, high: float, palette: Palette) -> None:
    """From 1 on a bound says nothing: every machine meets it."""
    figure.add_hrect(y0=1.0, y1=10.0**high, fillcolor=palette.grid, line_width=0, layer="below")
    marks.add_rule(figure, palette, palette.quiet, y=1.0)


def _says_nothing(side: str, x: float, palette: Palette) -> Label:
    return Label(_("from 1 on: says nothing"), x, 0.0, palette.quiet, side)


CARRY = Step(
    key="carry",
    title=N_("Few carry all"),
    question=N_(
        "$N$ of $m$ points are support vectors. With 95 % probability the true error is below a bound "
        "that is made of $N$ and $m$ alone. Where is it here?"
    ),
    choices=(
        Choice(
            N_("Above 1: it says nothing"),
            N_("So it is where labels are flipped, and most points carry."),
        ),
        Choice(
            N_("Below 1, but far above the true error"),
            N_("For that few points must carry, so that N (1 + ln m) is below m."),
        ),
        Choice(
            N_("Close to the true error, or below it"),
            N_("It holds for any distribution, and pays for the worst one."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=FLIPPED,
    needs=(SOURCE, BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(Pick("carried", N_("Picture"), tuple(VIEWS), "draws", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=r"\operatorname{er} \le \sqrt{\tfrac1m\left(N + (N+1)\ln m + \ln\tfrac1\delta\right)}, \quad \delta = 0.05",
    more=more,
    tries=(
        Try(N_("Another draw"), another),
        Try(N_("No flips"), board=APART),
        Try("σ = 0.3", set_machine(kernel="gaussian", sigma=0.3)),
    ),
    shows=("G1",),
)
