"""Which width: training error, folds, leaving one out and the true error along sigma or C, on the very board (G0)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import Curve, flipped, training_error
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.generalisation.behind import behind, true_error
from svmlab.lab.lessons.generalisation.validation import (
    PRICES,
    WIDTHS,
    along,
    folds_of,
    here,
    present,
    source,
    whole,
    width,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.session.point_source import with_next_sample, with_sample
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _

FIRST = 3  # the draw to begin with: its errors are near the mean of many draws
WIDTH = Need(
    lambda stage: width(stage) is not None,
    N_("This step turns the width σ of a kernel, and this one has none."),
    {"kernel": "gaussian"},
)
TURNED = {"width": "σ", "C": "C"}


def draw(stage: Stage) -> Data:
    """Fresh points behind the board's own, where somebody knows the distribution: the machine's errors less faint."""
    return {"overlay": behind(stage)} if stage.shown and source(stage) else {}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The four errors of the machine on the board."""
    own = reading(_("training"), training_error(stage.solution))
    if not stage.shown:
        return [own]
    now = here(stage)
    known = now is not None and len(now.train) > 0
    true = true_error(stage).value if source(stage) else None
    return [
        own,
        reading(_("{k} folds").format(k=folds_of(stage.data.m)), float(now.folds[0]) if now and known else "–"),
        reading(_("one left out"), float(now.leave_one_out[0]) if now and known else "–"),
        reading(_("true"), _("unknown") if true is None else true),
    ]


def noise(stage: Stage) -> float:
    """What two shares of errors of unseen points may differ by chance: two standard errors."""
    unseen = whole(stage, "width").unseen
    share, n = float(0.5 * (unseen[0] + unseen.min())), stage.data.m if source(stage) is None else FRESH_COUNT
    return 2 * math.sqrt(max(share * (1 - share), 1 / n) / n)


def answer(stage: Stage) -> int:
    """Whether unseen points go wrong least at the narrowest width, at a wider one, or as far as can be told at all
    alike.
    """
    unseen = whole(stage, "width").unseen
    if not len(unseen) or np.ptp(unseen) <= noise(stage):
        return 2
    return 0 if unseen[0] - unseen.min() <= noise(stage) else 1


def verdict(stage: Stage) -> str:
    """Where it is least, and how much it is at the narrowest width."""
    now, right = whole(stage, "width"), answer(stage)
    if not len(now.at):
        return _("no width can be told from another: none of these machines was solved.")
    best = int(now.unseen.argmin())
    known = source(stage) is not None
    if right == 2:
        said = _("no width that these points could tell from another: {least} to {most} go wrong.")
    elif right == 0:
        said = _("at the narrowest, σ = {narrow}, too: {first} go wrong.")
    elif known:
        said = _("at a wider one: the true error is {least} at σ = {best}, {first} at σ = {narrow}.")
    else:
        said = _("at a wider one: left out, {least} go wrong at σ = {best}, {first} at σ = {narrow}.")
    return said.format(
        narrow=short(float(now.at[0]), 3),
        best=short(float(now.at[best]), 3),
        first=short(float(now.unseen[0]), 3),
        least=short(float(now.unseen.min()), 3),
        most=short(float(now.unseen.max()), 3),
    )


def chart(stage: Stage) -> Chart:
    """All four along what is picked, what is known so far; a click sets the board."""
    by = str(stage.pick("along"))
    now, drawn_from, value = along(stage, by), source(stage), present(stage, by)
    if not len(now.at):
        now = whole(stage, by)
    grid = PRICES if by == "C" else WIDTHS
    ends = min(grid[0], value), max(grid[-1], value)
    best = None if drawn_from is None else drawn_from.bayes_error
    k = folds_of(stage.data.m)
    figure = validation(now.at, now.curve, ends, value, best, k, TURNED[by], stage.palette)
    return Chart(figure, partial(_set, stage, by))


def _set(stage: Stage, by: str, value: float) -> Op:
    """The operation that gives the board's machine this C, or this width."""
    parameter = width(stage)
    if by == "C" or parameter is None:
        return set_machine(face="C", value=float(value))
    return set_machine(**{parameter.name: float(value)})


def says(stage: Stage) -> str:
    """What the curve shows, and whether there is a true error at all."""
    if source(stage) is None:
        return _(
            "Nobody knows where these points came from, so there is **no true error** to be had: folds and "
            "leaving one out stand in for it. Click a mark to set the board."
        )
    if stage.pick("along") == "C":
        return _(
            "Here σ stays as it is on the board. With a large C a machine can learn by heart as well, unless "
            "σ is wide. Click a mark to set the board."
        )
    return _(
        "Behind: fresh points, less faint where they go wrong. Narrow machines learn by heart; folds and "
        "leaving one out notice. Click a mark to set the board."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Two ways, what a choice by folds is worth, all numbers, what the notes ask for."""
    by = "width"
    now, m, drawn_from = whole(stage, by), stage.data.m, source(stage)
    if not len(now.at):
        return []
    chosen = int(now.curve.folds.argmin())
    share = float(now.curve.folds[chosen])
    k = folds_of(m)
    said = _(
        "**Two ways.** {k} folds: each part of the points is classified by a machine solved without it, "
        "at the same C. They are least at σ = {sigma}: {share}."
    ).format(k=k, sigma=short(float(now.at[chosen]), 3), share=short(share, 3))
    if drawn_from is not None:
        said += " " + _(
            "{n} fresh points, which no machine here has seen, say {true} ± {error} of that machine."
        ).format(
            n=grouped(FRESH_COUNT),
            true=short(float(now.curve.true[chosen]), 3),
            error=short(float(now.curve.true_standard_error[chosen]), 1),
        )
        if drawn_from.bayes_error is not None:
            said += " " + _("Nothing does better than {best} on them: the dotted level.").format(
                best=short(drawn_from.bayes_error, 3)
            )
    return [
        said,
        _(
            "**How far to trust it.** {m} points tell a share of {share} to ± {error} or so, and the least "
            "of several such shares is too hopeful. Choose by the folds; "
            "what the chosen machine is worth has to be read off points that took no part in the choice."
        ).format(m=m, share=short(share, 3), error=short(math.sqrt(max(share * (1 - share), 1 / m) / m), 1)),
        _(
            "**Below in the mean.** The training error is below the true one in the mean over many draws; on "
            "a single board it may be above, most easily where the machine "
            "is stiff. The gap is widest where nearly every point is a support vector: N/m is in the last row."
        ),
        _table(stage),
        _(
            "Gambosi's slides ask to generalise to the test set and to avoid overfitting, and leave open how "
            "σ and C are chosen. This is how it is done. "
            "The lines along C are for the board's own σ."
        ),
    ]


def _table(stage: Stage) -> Table:
    """All numbers of the curve along the widths."""
    now = whole(stage, "width")
    heads = [short(float(value), 3) for value in now.at]
    rows = [
        (_("training"), now.curve.train),
        (_("{k} folds").format(k=folds_of(stage.data.m)), now.curve.folds),
        (_("one left out"), now.curve.leave_one_out),
        (_("true"), now.curve.true),
        ("N/m", now.curve.support),
    ]
    cells = [
        table.named_row(name, [table.number(float(v), 2) for v in line])
        for name, line in rows
        if not np.isnan(line).all()
    ]
    return Table(table.table(table.head(*heads, first="σ"), cells))


def next_draw(stage: Stage) -> Op:
    """The next draw in the place of the points."""
    known = source(stage)
    return {
        "op": "load",
        "lab": with_next_sample(stage.lab) if known else with_sample(stage.lab, flipped(0.1), 60, FIRST),
    }


NARROW = preset("overlapping", kernel="gaussian", sigma=0.1)()  # the machine to begin with


def validation(
    at: Array,
    found: Curve,
    ends: tuple[float, float],
    now: float,
    best: float | None,
    folds: int,
    name: str,
    palette: Palette,
) -> go.Figure:
    """Shares of errors (k,) over the values `at` (k,), from the first to the second of `ends`; a rule at the present
    one.

    best: the least true error that there is, a level line; None where nobody knows it. folds: how many. name: of what
    is turned. A click on a mark tells its value.
    """
    figure = blank(palette, "", _("share of errors"), height=240)
    lines = (
        (_("training"), found.train, palette.quiet, "solid", "square"),
        (_("{k} folds").format(k=folds), found.folds, palette.series[3], "dot", "triangle-up"),
        (_("one left out"), found.leave_one_out, palette.other, "dash", "diamond"),
        (_("true"), found.true, palette.accent, "solid", "circle"),
    )
    custom = np.stack([at, found.support], 1)
    top = float(np.nanmax([0.1, *(np.nanmax(y) for _name, y, *_look in lines if not np.isnan(y).all())]))
    lo, hi = (float(np.log10(end)) for end in ends)
    figure.update_xaxes(**log(lo - 0.03, hi + 0.03))
    figure.update_yaxes(range=[-0.03 * top, 1.08 * top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, name, palette)]
    if best is not None:
        add_rule(figure, palette, palette.accent, "dot", y=best, width=1.0)
    for words, y, colour, dash, symbol in lines:
        if np.isnan(y).all():
            continue
        told = f"{words}: %{{y:.4g}}<br>{name} = %{{customdata[0]:.4g}}<br>N/m = %{{customdata[1]:.3g}}<extra></extra>"
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
                hovertemplate=told,
                cliponaxis=False,
            )
        )
        labels.append(Label(words, hi + 0.03, float(y[-1]), colour))
    add_rule(figure, palette, palette.text, "dot", x=now)
    _rings(figure, at, [y for _words, y, *_look in lines], now, palette)
    return place_labels(figure, palette, labels)


def _rings(figure: go.Figure, at: Array, lines: list[Array], now: float, palette: Palette) -> None:
    """A ring on each line where the board stands, if that is known."""
    here = np.flatnonzero(at == now)
    if not len(here):
        return
    y = np.array([line[here[0]] for line in lines])
    ring = {"size": 15 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
    trace = go.Scatter(x=np.full(len(y), now), y=y, name="now", mode="markers", marker=ring, hoverinfo="skip")
    figure.add_trace(trace.update(cliponaxis=False))


WIDTH_STEP = Step(
    key="width",
    title=N_("Which σ?"),
    question=N_(
        "On its own points the machine errs least when its Gaussian is narrow. At which width $\\sigma$ "
        "does it err least on points that it has **not** seen?"
    ),
    choices=(
        Choice(
            N_("At the narrowest as well"),
            N_("What is learnt by heart helps on the very same points and nowhere else."),
        ),
        Choice(N_("At a much wider one"), N_("So it mostly is; these points show no gain of a wider one.")),
        Choice(N_("It is the same for all"), N_("Only where nothing can be learnt, or too few points tell.")),
    ),
    answer=answer,
    verdict=verdict,
    board=partial(with_sample, NARROW, flipped(0.1), 60, FIRST),
    needs=(BOTH_CLASSES, SOFT, WIDTH, SOLVED, at_most(200)),
    draw=draw,
    play=lambda stage: {"key": getattr(width(stage), "name", "value"), "to": 1.5, "ms": 2600, "back": True},
    numbers=numbers,
    picks=(Pick("along", N_("What is turned"), tuple(TURNED), "width", TURNED.__getitem__),),
    chart=chart,
    says=says,
    formula=(
        r"\underbrace{\tfrac1m\textstyle\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,]}_{\text{training}} \qquad "
        r"\underbrace{\mathrm{P}\,[\,y f(x) \le 0\,]}_{\text{true}}"
    ),
    more=more,
    tries=(
        Try(N_("Draw again"), next_draw),
        Try(N_("30 % flipped"), board=partial(with_sample, NARROW, flipped(0.3), 60, FIRST)),
        Try(N_("Moons"), board=preset("moons", size=60, noise=0.3, seed=0, kernel="gaussian", sigma=0.1)),
    ),
    shows=("G0",),
)
