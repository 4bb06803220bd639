"""What training costs as the number of points grows: multiplications counted, and time measured on request (X3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import make_dataset
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.measured import Costs, Method, measure, slope
from svmlab.lab.lessons.pegasos.runs import when_shown
from svmlab.lab.numbers import grouped, short
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.worker import LongWork
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_picks
from svmlab.lab.teach.requirements import SOFT
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.statements.multiplication_counts import Step as Counted
from svmlab.statements.multiplication_counts import multiplications

COUNTED = (10, 20, 40, 80)  # points of which multiplications are counted
SIZES = (50, 100, 200, 400, 800, 1600)  # points of which time is measured
EPS = 0.01  # Pegasos is timed until its average is this close to F(w*)
SOLVERS: tuple[Method, ...] = ("dual-qp", "exact", "pegasos")
ONE_STEP: tuple[Method, ...] = ("step", "batch-step", "kernel-step")
NAMES = {
    "dual-qp": N_("dense QP"),
    "exact": N_("exact solver"),
    "pegasos": "Pegasos",
    "step": N_("step on w"),
    "batch-step": N_("batch step"),
    "kernel-step": N_("kernel step"),
}
VIEWS = {"count": N_("counted"), "solve": N_("timed"), "step": N_("a step timed")}
VIEW = Pick("cost", N_("what is counted or timed"), tuple(VIEWS), "count", lambda view: _(VIEWS[view]))
TOP = Pick("sizes", N_("points, when timed"), (400, 1600), 400, lambda m: f"≤ {grouped(m)}")

_timed = Cache()  # they tell of the server, not of who asks; written where work is done, one at a time


@cache
def counted() -> dict[str, Array]:
    """Multiplications of one step at the sizes COUNTED, (k,) each."""
    data = [make_dataset("overlapping", m) for m in COUNTED]
    steps: tuple[Counted, ...] = ("dual-qp", "step", "batch-step", "kernel-step")
    return {step: np.array([multiplications(step, d.X, d.y) for d in data], dtype=np.float64) for step in steps}


def timed(stage: Stage) -> Costs:
    """The times, measured once on this server for these methods, sizes and this lambda. Raises Working until they are
    there.
    """
    sizes, lam = tuple(m for m in SIZES if m <= int(stage.pick("sizes"))), stage.lab.lam
    methods = SOLVERS if stage.pick("cost") == "solve" else ONE_STEP
    key = ("costs", methods, sizes, lam)

    def make(report: Report) -> Costs:
        return _timed.get_or_compute(key, lambda: measure(sizes, methods, lam, EPS, repeats=3, on_progress=report))

    return stage.background_result(key, LongWork(make))


def values(stage: Stage) -> tuple[Sequence[int], Mapping[str, Array]]:
    """Sizes m (k,), and what each method costs at them, (k,) each: multiplications or seconds."""
    if stage.pick("cost") == "count":
        return COUNTED, counted()
    now = timed(stage)
    return now.m.tolist(), dict(zip(now.methods, now.seconds, strict=True))


def doubling(m: Sequence[int], row: Array) -> float:
    """By what factor the last doubling of the points multiplies it."""
    return float(row[-1] / row[-2]) ** float(np.log(2.0) / np.log(m[-1] / m[-2]))


def numbers(stage: Stage) -> Sequence[Reading]:
    """By what the largest two numbers of points differ."""
    m, rows = values(stage)
    factors = [
        reading(_(NAMES[name]), f"× {short(doubling(m, row), 2)}") for name, row in rows.items() if name != "batch-step"
    ]
    return [reading(_("points"), f"{m[-2]} → {m[-1]}"), *factors]


def chart(stage: Stage) -> Chart:
    """Multiplications, or seconds."""
    m, rows = values(stage)
    y, hover = _("seconds"), "%{y:.3g} s"
    if stage.pick("cost") == "count":  # a batch step lies on the kernel step
        rows, y, hover = {name: rows[name] for name in rows if name != "batch-step"}, _("products"), "%{y:,.0f}"
    return Chart(costs(m, rows, {name: _(said) for name, said in NAMES.items()}, y, hover, stage.palette))


def more(stage: Stage) -> Sequence[Part]:
    """How it is counted and timed, and the slopes."""
    m, rows = values(stage)
    half = len(m) // 2
    slopes = [
        table.named_row(_(NAMES[name]), [table.number(slope(m[-half:], row[-half:]), 2), *map(table.number, row)])
        for name, row in rows.items()
    ]
    unit = _("Multiplications") if stage.pick("cost") == "count" else _("Seconds")
    caption = _("{unit} at m points, and the slope of their logarithms over the larger half").format(unit=unit)
    parts: list[Part] = [
        _(
            "**Counted:** the multiplications of one step, really carried out: one factorisation of the "
            "dense program; one stochastic step on $w$; "
            "one batch step; one kernel step, which takes its margin from the counts. **Timed:** on points "
            "like “overlapping classes” with this λ, "
            "without bias, so that all solve one problem; Pegasos until its average is within {eps} of "
            "$F(w^*)$. The least of several times, with no "
            "other long work of this server beside it and, where the system tells that apart, without what "
            "pages take meanwhile. "
            "Small programs mostly measure what a call costs, so the 8 shows only from some hundred points on."
        ).format(eps=EPS),
        Table(table.table(table.head(_("slope"), *map(str, m)), slopes, caption=caption)),
    ]
    if not all(np.isfinite(row).all() for row in rows.values()):
        parts.append(_("Where Pegasos is missing, a million steps did not reach ε."))
    return parts


def costs(
    m: Sequence[int], rows: Mapping[str, Array], names: Mapping[str, str], y: str, hover: str, palette: Palette
) -> go.Figure:
    """One line a method, (k,) at the sizes m (k,), marked at every one; what is NaN did not arrive and is left out."""
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
    for method, values in rows.items():
        good = np.isfinite(values)
        if good.any():
            lines.append(Line(names[method], x[good], values[good], colours[method], hover=hover))
    figure = curves(lines, _("points m"), y, palette, height=160)
    figure.update_traces(mode="lines+markers")
    figure.update_xaxes(dtick=None, tickvals=x, ticktext=[str(size) for size in m])
    lo, hi = np.log10(x[[0, -1]])
    return figure.update_xaxes(range=[lo - 0.05, max(hi, lo + 0.1) + 0.02])


COST = Step(
    key="cost",
    title=N_("What it costs"),
    question=N_(
        "Twice as many points. How much more work is a step of the **dense quadratic program**, once it is large?"
    ),
    choices=(
        wrong(N_("2 times"), N_("So it is for a step that looks at each point once: a batch step.")),
        wrong(N_("4 times"), N_("So much larger is the matrix K; but it is not only read, it is factored.")),
        right(N_("8 times")),
    ),
    verdict=lambda stage: _("8 times, as m grows: an m × m matrix is factored, some m³/6 products."),
    board=preset("overlapping", size=24, face="lambda", value=0.1, bias=False),
    needs=(SOFT,),
    numbers=when_shown(numbers),
    picks=(VIEW, TOP),
    chart=chart,
    says=N_("A stochastic step looks at **one** point: the same for any $m$. Timed here, a call has its price too."),
    formula=r"\text{dense QP: } O(m^3), \quad \text{stochastic: } O(d), \quad \text{batch: } O(md)",
    more=more,
    tries=(
        Try(N_("Time the solvers"), set_picks(cost="solve")),
        Try(N_("Time one step"), set_picks(cost="step")),
    ),
    shows=("X3",),
)
