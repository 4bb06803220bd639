"""The cost of one step as the number of points grows: counted multiplications, and time measured on request (X3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import make_dataset
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.lessons.pegasos.drawn_run import NO_BOUNDARY
from svmlab.lab.lessons.pegasos.measured import Costs, Method, measure, slope
from svmlab.lab.numbers import grouped, short
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.worker import LongWork, Report
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_picks, stroke
from svmlab.lab.teach.requirements import SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Part, Pick, Reading, Step, Table, Try, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.lines import Line, curves
from svmlab.plot.palette import Palette
from svmlab.statements.multiplication_counts import Step as Counted
from svmlab.statements.multiplication_counts import multiplications

FEWER, ALL = 40, 80  # the number of points before and after it is doubled
COUNTED = tuple(range(10, ALL + 1, 10))  # points of which multiplications are counted
SIZES = (50, 100, 200, 400, 800, 1600)  # points of which time is measured
EPS = 0.01  # Pegasos is timed until its average is this close to F(w*)
DOT = 0.016  # radius of a point, relative to the half-width of the board
SQUARE = np.sqrt(np.pi) / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])  # as large as a disc of radius 1
POINTS = Dial("points", N_("Number m of training points"), "m", 10.0, ALL, 10.0, FEWER)
SOLVERS: tuple[Method, ...] = ("dual-qp", "exact", "pegasos")
ONE_STEP: tuple[Method, ...] = ("step", "batch-step", "kernel-step")
NAMES = {
    "dual-qp": N_("quadratic program"),
    "exact": N_("exact solver"),
    "pegasos": "Pegasos",
    "step": "Pegasos",
    "batch-step": N_("step on all points"),
    "kernel-step": N_("with a kernel"),
}
VIEWS = {"count": N_("multiplications"), "solve": N_("time to solve"), "step": N_("time of a step")}
VIEW = Pick("cost", N_("What is counted or timed"), tuple(VIEWS), "count", lambda view: _(VIEWS[view]))
TOP = Pick("sizes", N_("Points, if timed"), (400, 1600), 400, lambda m: f"≤ {grouped(m)}", in_more=True)

_timed = Cache()  # times depend on the server and not on the session; measured one at a time


@cache
def counted() -> Mapping[str, Array]:
    """Return the multiplications of one step at the sizes COUNTED, (k,) for each method."""
    data = [make_dataset("overlapping", m) for m in COUNTED]
    steps: tuple[Counted, ...] = ("dual-qp", "step", "batch-step", "kernel-step")
    return {step: np.array([multiplications(step, d.X, d.y) for d in data], dtype=np.float64) for step in steps}


def timed(stage: Stage) -> Costs:
    """Return the times, measured once on this server. Raises Working until they are known."""
    sizes, lam = tuple(m for m in SIZES if m <= int(stage.pick("sizes"))), stage.lab.lam
    methods = SOLVERS if stage.pick("cost") == "solve" else ONE_STEP
    key = ("costs", methods, sizes, lam)

    def make(report: Report) -> Costs:
        return _timed.get_or_compute(key, lambda: measure(sizes, methods, lam, EPS, repeats=3, on_progress=report))

    return stage.background_result(key, LongWork(make))


def values(stage: Stage) -> tuple[Sequence[int], Mapping[str, Array]]:
    """Return the numbers of points (k,), and what each method costs: multiplications or seconds, (k,)."""
    if stage.pick("cost") == "count":
        return COUNTED, counted()
    costs = timed(stage)
    return costs.m.tolist(), dict(zip(costs.methods, costs.seconds, strict=True))


def doubling(m: Sequence[int], costs: Array) -> float:
    """Return the factor by which the cost grows from half of the largest number of points to all of them."""
    return float(costs[-1] / costs[list(m).index(m[-1] // 2)])


def current_size(stage: Stage) -> int:
    """Return the position of the slider's m in COUNTED."""
    return min(max(round(POINTS(stage) / COUNTED[0]), 1), len(COUNTED)) - 1


def draw(stage: Stage) -> Data:
    """Return the points alone and, pale, those that are added until there are m."""
    new = max(0, COUNTED[current_size(stage)] - stage.data.m)
    source = make_dataset("overlapping", 2 * ALL, seed=1)
    mixed = np.arange(2 * ALL).reshape(2, ALL).T.ravel()[:new]  # one of each class in turn
    radius = DOT * stage.lab.view
    marks = [
        stroke(np.r_[x, radius], "fresh plus", "disc") if label > 0 else stroke(x + radius * SQUARE, "fresh minus")
        for x, label in zip(source.X[mixed], source.y[mixed], strict=True)
    ]
    return NO_BOUNDARY | {"overlay": marks}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the multiplications at the m of the slider, or the growth of the measured times."""
    if not stage.shown:
        return ()
    m, costs = values(stage)
    if stage.pick("cost") == "count":
        shown, at = ("step", "batch-step", "dual-qp"), current_size(stage)
        definition = _("multiplications of one step with the m of the slider")
        return [reading(_(NAMES[name]), grouped(int(costs[name][at])), definition) for name in shown]
    definition = _("growth of the time from {half} to {all} points").format(half=m[-1] // 2, all=m[-1])
    return [reading(_(NAMES[name]), f"× {short(doubling(m, row), 2)}", definition) for name, row in costs.items()]


def chart(stage: Stage) -> Chart:
    """Return the multiplications or the seconds over the number of points."""
    m, costs = values(stage)
    is_count = stage.pick("cost") == "count"
    if is_count:  # a step with a kernel has almost as many multiplications as one on all points
        costs = {name: costs[name] for name in ("dual-qp", "batch-step", "step")}
    y, hover = (_("multiplications"), "%{y:,.0f}") if is_count else (_("seconds"), "%{y:.3g} s")
    figure = over_points(m, costs, {name: _(words) for name, words in NAMES.items()}, y, hover, stage.palette)
    if is_count:
        at = current_size(stage)
        mark_current(figure, stage.palette, float(m[at]), *(float(row[at]) for row in costs.values()))
    return Chart(figure)


def over_points(
    m: Sequence[int], costs: Mapping[str, Array], names: Mapping[str, str], y: str, hover: str, palette: Palette
) -> go.Figure:
    """Draw the cost (k,) of each method at the numbers of points m (k,) on logarithmic axes, without NaN."""
    first, second, third, fourth, *_rest = palette.series
    colours = {
        "dual-qp": second,
        "exact": third,
        "pegasos": first,
        "step": first,
        "batch-step": palette.other,
        "kernel-step": fourth,
    }
    x = np.asarray(m, dtype=float)
    lines = []
    for method, row in costs.items():
        is_known = np.isfinite(row)
        if is_known.any():
            lines.append(Line(names[method], x[is_known], row[is_known], colours[method], hover=hover))
    figure = curves(lines, _("number of points m"), y, palette, height=160)
    figure.update_traces(mode="lines+markers")
    ticks = [size for size in m if m[-1] % size == 0]
    figure.update_xaxes(dtick=None, tickvals=ticks, ticktext=[str(size) for size in ticks])
    lo, hi = np.log10(x[[0, -1]])
    return figure.update_xaxes(range=[lo - 0.05, max(hi, lo + 0.1) + 0.02])


def says(stage: Stage) -> str:
    """Say what the curves are and what to see."""
    if stage.pick("cost") == "count":
        return _(
            "Each curve counts the multiplications of one step, on logarithmic axes. If $m$ doubles, the number is the "
            "same for Pegasos, double for a step on all points, and about 8-fold for the quadratic program."
        )
    if stage.pick("cost") == "solve":
        return _(
            "Each curve is the time of a whole solution, measured on this server. Pegasos runs until its average is "
            "within 0.01 of the minimum of $F$. With few points, the time of a call dominates."
        )
    return _(
        "Each curve is the time of one step, measured on this server. The time of a Pegasos step hardly depends on "
        "$m$. A step with a kernel adds up to $m$ kernel values."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return what is counted and timed, and all values with their slopes."""
    m, costs = values(stage)
    half = len(m) // 2
    rows = [
        table.named_row(_(NAMES[name]), [table.number(slope(m[-half:], row[-half:]), 2), *map(table.number, row)])
        for name, row in costs.items()
    ]
    unit = _("Multiplications") if stage.pick("cost") == "count" else _("Seconds")
    caption = _("{unit} at m points, and the slope of their logarithms over the larger half").format(unit=unit)
    parts: list[Part] = [
        _(
            "**Why 8 times.** A solver for the dense quadratic program works with an $m \\times m$ matrix. Each of its "
            "steps factors such a matrix, which takes about $m^3/6$ multiplications, and $(2m)^3 = 8m^3$. The count is "
            "that of one Cholesky factorisation."
        ),
        _(
            "**One step or the whole solution.** A step of Pegasos is much cheaper, but you need many steps. "
            "Their number depends on $\\lambda$ and on the accuracy, and the bound on it does not contain $m$. "
            "A solver for the quadratic program needs few steps and gives an exact solution."
        ),
        _(
            "**What is timed.** The points come from the preset “overlapping classes”, with this $\\lambda$ and "
            "without "
            "a bias. The time is the smallest of several measurements, and no other long work of this server runs "
            "beside it. The exact solver of svmlab does not factor the whole matrix."
        ),
        Table(table.table(table.head(_("slope"), *map(str, m)), rows, caption=caption)),
    ]
    if not all(np.isfinite(row).all() for row in costs.values()):
        parts.append(_("Where Pegasos is missing, a million steps did not reach the accuracy."))
    return parts


COST = Step(
    key="cost",
    title=N_("The cost of a step"),
    situation=N_(
        "An SVM can be trained with Pegasos, with subgradient steps on all $m$ points, or with a solver for "
        "the dense **quadratic program** (QP) of the dual. Each step of this solver factors an $m \\times m$ "
        "matrix, as you do to solve linear equations. On the board, $m$ grows from 40 to 80. The number $d$ of "
        "features stays the same."
    ),
    question=N_(
        "By about which factor does one step of a dense quadratic-program solver get more expensive if you double $m$?"
    ),
    choices=(
        wrong(
            N_("2 times"),
            N_(
                "A step that uses each point once gets 2 times as expensive. However, the solver factors an m × m "
                "matrix."
            ),
        ),
        wrong(
            N_("4 times"),
            N_("The matrix then has 4 times as many entries. However, it is not only read but factored."),
        ),
        right(N_("8 times")),
    ),
    verdict=lambda stage: _(
        "8 times for large m, because a factorisation takes about m³/6 multiplications. Here it is {factor} times "
        "from 40 to 80."
    ).format(factor=short(doubling(COUNTED, counted()["dual-qp"]), 3)),
    board=preset("overlapping", size=FEWER, face="lambda", value=0.1, bias=False),
    needs=(SOFT,),
    dials=(POINTS,),
    draw=draw,
    play=POINTS.play(FEWER, ALL, 3000),
    rests_on_answer=lambda stage: stage.shown and POINTS(stage) == ALL,
    numbers=numbers,
    picks=(VIEW, TOP),
    chart=chart,
    says=says,
    formula=r"\text{QP: } O(m^3), \quad \text{all points: } O(md), \quad \text{Pegasos: } O(d)",
    more=more,
    tries=(
        Try(N_("Time the solvers"), set_picks(cost="solve")),
        Try(N_("Time one step"), set_picks(cost="step")),
    ),
    shows=("X3",),
)
