"""What a machine takes as it is told: the units of a coordinate, and how many points a class has."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.changes import (
    CHANGES,
    FACTORS,
    FIVE,
    PRICE,
    SAME,
    TURN,
    TURNED,
    UNITS,
    Changed,
    Shares,
    balanced,
    boundary,
    changed,
    few,
    rarer,
    share,
    shares,
    small,
    wrong,
)
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import dial, reading, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, ROTATION_INVARIANT, SOFT, SOLVED
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _

SHOWN = {UNITS: N_("x₂ in other units"), PRICE: N_("rarer class dearer"), TURN: N_("turned")}
SAYS = {
    UNITS: N_(
        "Street and kernel count the numbers as they come: in millimetres $x_2$ outweighs all, in "
        "kilometres it is nothing. "
        "Put coordinates on one scale first."
    ),
    PRICE: N_(
        "With one $C$ for all, a few points are cheap to give up. At a price v their $C_i$ is v times as "
        "large: balanced, "
        "v is the other class's number of points over their own."
    ),
    TURN: N_(
        "A turn keeps all lengths and inner products, and a machine sees nothing else. Nobody has to "
        "choose the axes well."
    ),
}
FORMULAS = {
    UNITS: r"\langle A x, A z\rangle = x_1 z_1 + s^2\, x_2 z_2",
    PRICE: r"\min\ \tfrac12\,\|w\|^2 + \sum_i C_i\, \xi_i",
    TURN: r"\langle A x, A z\rangle = \langle x, z\rangle \quad (A^{\top}\! A = I)",
}


BOARD = board_of_points(few(), value=0.1)
SMALL = board_of_points(small(), value=0.1)


def even(stage: Stage) -> float:
    """The balanced price, as far as the slider goes."""
    return float(np.clip(balanced(stage.data), FACTORS[0], FACTORS[-1]))


def amount(stage: Stage, change: str) -> float:
    """How much is changed: a factor, or degrees. The price begins at the balanced one, where that says something."""
    price = even(stage)
    return stage.dial(change, {UNITS: FIVE, PRICE: FIVE if price == 1 else price, TURN: TURNED}[change])


def machine(stage: Stage, change: str, by: float) -> tuple[Changed, Solution | None]:
    """The changed problem and its machine."""
    posed = changed(stage.lab.problem, change, by)
    return posed, stage.cache.outcome(posed.problem).solution


def part(stage: Stage, change: str, by: float) -> float:
    """The part of the board that changes sides, nan where the changed problem has no machine."""
    posed, found = machine(stage, change, by)
    return math.nan if found is None else share(stage.solution, found, posed.A, stage.lab.view)


def asked(stage: Stage) -> dict[str, float]:
    """The parts for the three changes of the question."""
    by = {UNITS: FIVE, PRICE: FIVE, TURN: TURNED}
    return stage.cached(
        f"changes {stage.lab.view}", lambda: {change: part(stage, change, by[change]) for change in CHANGES}
    )


def answer(stage: Stage) -> int:
    """The one change that leaves the boundary where it is, or the last: none, or more than one."""
    kept = [i for i, value in enumerate(asked(stage).values()) if value <= SAME]
    return kept[0] if len(kept) == 1 else len(CHANGES)


def verdict(stage: Stage) -> str:
    """How much of the board changes sides, for each."""
    told = {change: f"{100 * value:.0f}\u00a0%" for change, value in asked(stage).items()}
    return _("turned, {turn} of the board changes sides; x₂ ×\u00a05: {units}; rarer class ×\u00a05: {price}.").format(
        **told
    )


def draw(stage: Stage) -> Data:
    """The board's machine with the changed one's boundary over it, and the slider of the change."""
    if not stage.shown:
        return {}
    change = stage.pick("change")
    posed, found = machine(stage, change, amount(stage, change))
    lines = () if found is None else boundary(found, posed.A, stage.lab.view)
    return {"overlay": [stroke(line, "accent") for line in lines], "sliders": [_slider(stage, change)]}


def _slider(stage: Stage, change: str) -> Data:
    value = amount(stage, change)
    if change == TURN:
        return dial(TURN, _("Turn the board"), _("turn"), value, 0, 90, 1, "°")
    title = _("The numbers of x₂, times; on a logarithmic scale")
    if change == PRICE:
        title = _("The price of the rarer class, on a logarithmic scale")
    return dial(change, title, "x₂ ×" if change == UNITS else "v", value, -1, 1, 0.02) | {"linear": False}


def play(stage: Stage) -> Data:
    """The change grows from none."""
    change = stage.pick("change")
    return {"key": change, "op": "dial", "from": 0 if change == TURN else 1, "to": amount(stage, change), "ms": 2500}


def along(stage: Stage) -> Shares:
    """What the chart shows; raises Working until it is there."""
    solution, half = stage.solution, stage.lab.view

    def make(report: Report) -> Shares:
        return shares(solution, half)

    return stage.background_result(("told otherwise", solution.problem.key, half), make)


def chart(stage: Stage) -> Chart:
    """The part of the board that changes sides along the factor."""
    change = stage.pick("change")
    by = amount(stage, change)
    return Chart(moved(along(stage), change, by, part(stage, change, by), stage.palette))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Errors in each class, before and after the change."""
    y, now = stage.data.y, wrong(stage.solution)
    rare = rarer(stage.data)
    sides = (rare, -rare)
    if not stage.shown:
        return [reading(_name(label), _of(now, y == label)) for label in sides]
    change = stage.pick("change")
    _posed, found = machine(stage, change, amount(stage, change))
    then = now if found is None else wrong(found)
    moved_part = part(stage, change, amount(stage, change))
    told = "–" if math.isnan(moved_part) else f"{100 * moved_part:.1f} %"
    counts = [reading(_name(label), f"{int(now[y == label].sum())} → {_of(then, y == label)}") for label in sides]
    return [*counts, Reading(_("of the board"), told, repr(moved_part))]


def _balance(stage: Stage) -> Op:
    return {**set_dials(price=even(stage)), "picks": {"change": PRICE}}


def _name(label: float) -> str:
    return _("errors of +") if label > 0 else _("errors of −")


def _of(wrong_: np.ndarray, mine: np.ndarray) -> str:
    return _("{n} of {m}").format(n=int(wrong_[mine].sum()), m=int(mine.sum()))


def says(stage: Stage) -> str:
    """What is behind the change."""
    change = stage.pick("change")
    return _(SAYS[change])


def more(stage: Stage) -> Sequence[Part]:
    """The errors of each class along the price, in a table."""
    rare, even_price = rarer(stage.data), balanced(stage.data)
    rows = []
    for price in sorted({0.5, 1.0, 2.0, 5.0, 10.0, even_price}):
        _posed, found = machine(stage, PRICE, price)
        if found is None:
            continue
        cells = [table.words(_of(wrong(found), stage.data.y == label), "") for label in (rare, -rare)]
        name = f"v = {price:.3g}" + (_(", balanced") if price == even_price else "")
        rows.append(table.named_row(name, [*cells, table.number(found.norm_w)], strong=price == even_price))
    head = table.head(_name(rare), _name(-rare), "|w|", first=_("price of the rarer class"))
    return [
        Table(table.table(head, rows)),
        _(
            "A price of 5 is the same as five copies of each of these points. In the lab both classes have a "
            "price of their own, beside C; balanced, "
            "these are $m/(2\\,m_{\\text{class}})$, the same ratio at another C. "
            "How many errors of one kind are worth one of the other is no question of mathematics: who uses "
            "the machine has to say it."
        ),
        _(
            "A Gaussian kernel in other units is one with another width along each axis. Where units mean nothing, "
            "the customary choice is to divide each coordinate by its standard deviation, with that of the "
            "*training* points, for fresh points too."
        ),
    ]


LEAST = 5.0  # per cent: the axis shows no less
ROOM = 1.15


def moved(found: Shares, change: str, factor: float, share: float, palette: Palette) -> go.Figure:
    """The shares in per cent along the factor, that of a turned board as the level 0; a ring where the slider
    stands.
    """
    curves = (
        (UNITS, _("x₂ in other units"), found.units, "solid"),
        (PRICE, _("rarer class dearer"), found.price, "dash"),
    )
    figure = blank(palette, _("factor"), _("of the board changes sides, %"), height=300, top=16)
    colours = {UNITS: palette.accent, PRICE: palette.other}
    for key, name, values, dash in curves:
        trace = go.Scatter(
            x=FACTORS,
            y=100 * values,
            name=name,
            mode="lines",
            line=palette.pen(colours[key], 3.5 if key == change else 2.0, dash),
            hovertemplate=f"{name}<br>× %{{x:.3g}}: %{{y:.3g}} %<extra></extra>",
        )
        figure.add_trace(trace)
    add_rule(figure, palette, palette.quiet, "dot", y=0.0)
    top = ROOM * max(LEAST, 100 * float(np.nanmax([found.units, found.price], initial=0.0)))
    figure.update_xaxes(**log(-1.0, 1.0)).update_yaxes(range=[-0.06 * top, top])
    if change in colours:
        mark_current(figure, palette, factor, 100 * share)
    ends = [
        Label(name, 1.0, 100 * float(np.nan_to_num(values[-1])), colours[key]) for key, name, values, _dash in curves
    ]
    return place_labels(figure, palette, [*ends, Label(_("turned"), 1.0, 0.0, palette.quiet)])


UNITS_STEP = Step(
    key="units",
    title=N_("Units and rare classes"),
    question=N_("Which of these changes leaves the boundary where it is among the points?"),
    choices=(
        Choice(
            N_("x₂ in other units: its numbers 5 times as large"),
            N_("Lengths change: x₂ counts for more in every distance and product."),
        ),
        Choice(
            N_("The errors of the rarer class 5 times as dear"),
            N_("Then the machine gives way to those few, if any of them has slack."),
        ),
        Choice(
            N_("The whole board turned by 30°"),
            N_("That keeps every length; here something else keeps the boundary as well."),
        ),
        Choice(
            N_("None of them, or more than one"), N_("A turn keeps every length and product; the other two do not.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=(BOTH_CLASSES, SOFT, ROTATION_INVARIANT, SOLVED),
    shows=(),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("change", N_("Change"), CHANGES, UNITS, lambda change: _(SHOWN[change])),),
    chart=chart,
    says=says,
    formula=lambda stage: FORMULAS[stage.pick("change")],
    more=more,
    tries=(
        Try(N_("Balanced"), op=_balance),
        Try(N_("x₂ in small units"), board=SMALL),
        Try(N_("Gaussian"), board=preset("moons", size=40, kernel="gaussian")),
    ),
)
