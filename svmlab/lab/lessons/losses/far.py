"""How hard a far point pulls at the line, and which lines follow it (L14)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.data import Dataset
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses.names import LOSS, pen
from svmlab.lab.lessons.losses.over_t_chart import GRID, HI, LO, Curve, Dots, over_t
from svmlab.lab.lessons.losses.pulls import LINES, Fitted, fits, moved, turn, without
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, reading, select_point, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.plane.geometry import Line

ROWS = ((1, 0, 1), (1.5, 1, 1), (1.2, -1, 1), (2, 0.5, 1), (-1, 0, -1), (-1.5, 1, -1), (-1.2, -1, -1), (-2, 0.5, -1))
BOARD = board_of_points((*ROWS, (7, 7, 1)), face="lambda", value=0.01, selected=9)
WRONG = board_of_points((*ROWS, (7, 0, -1)), face="lambda", value=0.01, selected=9)
FOLLOWS = 0.02  # of the board: a line follows if more of it would change sides without the point
TALL, FOOT = 0.2, 0.03  # of the view: the bar of the hardest pull, and how far above the point it begins
LEAST = 0.5  # no softer pull has a bar as tall
RING = 0.055  # of the view
SEEN = 0.94  # of the way to the edge: so far a point and its ring are seen whole
STRONG, PLAIN = 4.5, 2.5  # px
TEX = {
    "squared": r"2\,|1-t|",
    "logistic": r"\frac{1}{1+e^{t}}",
    "exponential": r"e^{-t}",
    "hinge": r"\mathbb 1[t<1]",
    "sigmoid": r"\frac{e^{t}}{(1+e^{t})^2}",
}
SAYS = {
    "squared": N_(
        "A point beyond $t = 1$ pulls as well, the harder the farther: the line turns so as not to have "
        "it **too** right."
    ),
    "logistic": N_(
        "Never more than 1, and next to nothing far on the own side. Far on the wrong side all pull "
        "alike, with nearly 1."
    ),
    "exponential": N_(
        "Next to nothing far on the own side, but no bound on the wrong one: a single point may outweigh all others."
    ),
    "hinge": N_(
        "1 up to $t = 1$, 0 beyond, $\\alpha_i/C$ at the kink. A point beyond its margin may go "
        "anywhere: the line does not feel it."
    ),
    "sigmoid": N_(
        "Only points near the line pull, ¼ at most. One far on the wrong side is given up: it pulls no "
        "more than one far on the right."
    ),
}


def far(stage: Stage) -> int:
    """The row of the selected point, else of the one farthest from the middle of all."""
    if stage.selected_row is not None:
        return stage.selected_row
    return int(np.hypot(*(stage.data.X - stage.data.X.mean(0)).T).argmax())


def lines(stage: Stage) -> dict[str, Fitted]:
    """The machines on all points."""
    return stage.cached("five lines", lambda: fits(stage.data, stage.lab.lam, stage.solution))


def others(stage: Stage) -> dict[str, Fitted]:
    """The machines without the far point, at the same lambda."""
    rest, lam = without(stage.data, far(stage)), stage.lab.lam
    return stage.cache.get_or_compute(("five lines without", rest.key, lam), lambda: fits(rest, lam))


def shares(stage: Stage) -> dict[str, float]:
    """The part of the board that would change sides without the far point."""
    now, then, half = lines(stage), others(stage), stage.lab.view
    return {name: moved(now[name], then[name], half) for name in LINES}


def across(found: Fitted, half: float, style: str) -> list[Data]:
    """Its line across the board, if it has one."""
    return [] if math.isnan(found.angle) else line_strokes(Line(found.w, found.b), half, style)


def draw(stage: Stage) -> Data:
    """The far point ringed; once shown the five lines, the chosen one strong, faint where it would be without the
    point, its pulls as bars.
    """
    data, half, row = stage.data, stage.lab.view, far(stage)
    ring = [] if stage.selected_row == row else [stroke(np.r_[data.X[row], RING * half], "accent", "disc")]
    bare: Data = POINTS_ONLY | {"legend": None, "message": None}
    if not stage.shown:
        return bare | {"overlay": ring}
    name, now = stage.pick("pull"), lines(stage)
    items = [item | {"width": 2.0} for item in across(others(stage)[name], half, "faint dashed")]
    for each in sorted(LINES, key=lambda each: each == name):
        width = STRONG if each == name else PLAIN
        items += [item | {"width": width} for item in across(now[each], half, f"loss-{each}")]
    pull = now[name].pull
    most = max(float(pull.max()), LEAST)
    for x, y, part in zip(data.X, data.y, pull / most, strict=True):
        up = 1.0 if x[1] + half * (FOOT + TALL * part) <= half else -1.0  # else its top could not be seen
        ends = x + up * half * np.array([[0.0, FOOT], [0.0, FOOT + TALL * part]])
        items += [stroke(ends, "plus" if y > 0 else "minus") | {"width": 7.0}] if part > 1e-2 else []
    return bare | {"overlay": [*items, *ring]}


def follow(stage: Stage) -> set[str]:
    """The losses whose lines follow the far point."""
    return {name for name, share in shares(stage).items() if share > FOLLOWS}


def answer(stage: Stage) -> int:
    """Least squares alone, the SVM's too, others but not the SVM's, or none."""
    found = follow(stage)
    if not found:
        return 3
    return 0 if found == {"squared"} else 1 if "hinge" in found else 2


def verdict(stage: Stage) -> str:
    """How much of the board changes sides."""
    told = {name: f"{100 * share:.0f} %" for name, share in shares(stage).items()}
    return (
        lambda: _("Least squares alone: {squared} of the board changes sides, with the SVM {hinge}."),
        lambda: _("The SVM's as well: {hinge} of the board changes sides, with least squares {squared}."),
        lambda: _("Others, not the SVM's: {logistic} of the board with logistic, {squared} with least squares."),
        lambda: _("None. Without it no line gives more than 2 % of the board to the other class."),
    )[answer(stage)]().format(**told)


def degrees(value: float) -> str:
    """An angle to read."""
    return short(value, 3, 1e-3) + ("" if math.isnan(value) else "°")


def numbers(stage: Stage) -> Sequence[Reading]:
    """Of the chosen loss: the far point's pull, how far the line follows, its errors."""
    if not stage.shown:
        return ()
    name, row = stage.pick("pull"), far(stage)
    now = lines(stage)[name]
    angle = turn(now, others(stage)[name])
    return [
        reading(_("pull of the ringed point"), float(now.pull[row])),
        Reading(_("turns the line by"), degrees(angle), repr(angle)),
        reading(_("errors"), str(int(now.wrong.sum()))),
    ]


def chart(stage: Stage) -> Chart:
    """The pull of every loss over t, with the points on the chosen one; a click selects the point."""
    name, id_ = stage.pick("pull"), stage.lab.points[far(stage)].id
    return Chart(pulls(name, lines(stage)[name], stage.data, id_, stage.palette), select_point)


def says(stage: Stage) -> str:
    """How the chosen loss pulls."""
    name = stage.pick("pull")
    return _(SAYS[name])


def nearer(stage: Stage, share: float) -> list[float]:
    """Where the far point is with its distance from the middle of the others multiplied by `share`, on the board."""
    rest = without(stage.data, far(stage)).X.mean(0)
    x = rest + share * (stage.data.X[far(stage)] - rest)
    edge = np.maximum(SEEN * EDGE / 1000, np.abs(stage.data.X[far(stage)]))
    place: list[float] = np.round(np.clip(x, -edge, edge), 3).tolist()
    return place


def carried(stage: Stage, share: float) -> Op:
    """The far point nearer or farther."""
    x, y = nearer(stage, share)
    return {"op": "move", "id": stage.lab.points[far(stage)].id, "x": x, "y": y}


def play(stage: Stage) -> Data:
    """The far point comes from near the others."""
    return {"point": stage.lab.points[far(stage)].id, "from": nearer(stage, 0.2), "ms": 3000}


def more(stage: Stage) -> Sequence[Part]:
    """All five in numbers, what balances at the optimum, the sigmoid's start, the slides."""
    now, then, row, part = lines(stage), others(stage), far(stage), shares(stage)
    heads = (_("line"), _("pull"), _("turned by"), _("of the board"), _("errors"))
    rows = [
        table.named_row(
            _(LOSS[name]),
            [
                table.swatch(f"loss-{name} {'dashed' if 'dash' in pen(name, stage.palette) else 'solid'}"),
                table.number(float(now[name].pull[row])),
                table.words(degrees(turn(now[name], then[name])), ""),
                table.words(f"{100 * part[name]:.0f} %", ""),
                table.words(str(int(now[name].wrong.sum())), ""),
            ],
            strong=name == stage.pick("pull"),
        )
        for name in LINES
    ]
    return [
        Table(table.table(table.head(*heads, first=_("loss")), rows)),
        _(
            "All five minimise $\\frac1m\\sum_i l(t_i) + \\frac\\lambda2\\|w\\|^2$ at the λ of the board. "
            "The dashed line is the chosen "
            "one without the ringed point. A line follows if more than 2 % of the board would change sides."
        ),
        _(
            "At the minimum the pulls balance: $\\lambda w = \\frac1m\\sum_i p_i y_i x_i$ and $\\sum_i p_i "
            "y_i = 0$. For the hinge "
            "$p_i = \\alpha_i/C$, which at the kink is whatever balances. For least squares $p_i$ is "
            "$-l'(t_i)$, below 0 beyond $t = 1$."
        ),
        _(
            "The sigmoid loss has several valleys. Its descent starts at the SVM's line; from $w = 0$ it may "
            "end in another one. "
            "Gambosi's slides say that the losses differ mainly in how relevant wrong predictions are; right "
            "ones matter as well."
        ),
    ]


TOP = 3.0
SPOTS = {
    "squared": (2.25, 2.5, "left"),
    "logistic": (-2.95, 0.93, "below right"),
    "exponential": (-0.93, 2.55, "left"),
    "hinge": (-2.95, 1.0, "above right"),
    "sigmoid": (-2.3, 0.08, "above right"),
}


def pulls(loss: str, found: Fitted, data: Dataset, selected: int | None, palette: Palette) -> go.Figure:
    """The pull of every loss in LINES, and the points at those that they have in the machine `found` of this loss.

    customdata of the points: id, t, pull.
    """
    at = Dots(found.t, found.pull, np.zeros(data.m))
    curves = {each: _curve(each) for each in LINES}
    return over_t(curves, loss, None, at, data, selected, _("pull |l′(t)|"), TOP, palette)


def _curve(name: str) -> Curve:
    """The pull over t; the hinge's falls at its kink."""
    corner = LOSSES[name].corner
    t = GRID if corner is None else np.array([LO, corner, np.nextafter(corner, HI), HI])
    return Curve(t, LOSSES[name].absolute_slope(t), SPOTS[name])


FAR = Step(
    key="far",
    title=N_("How a far point weighs"),
    question=N_(
        "The ringed point lies far out. Five losses draw five lines. Which of them **follow** it, so "
        "that without it they would lie elsewhere?"
    ),
    choices=(
        Choice(
            N_("Least squares alone"),
            N_("It feels every point; here others feel this one too, or it stands where it fits."),
        ),
        Choice(
            N_("The SVM's line as well"),
            N_("Beyond its margin a point has slack 0 and pulls with 0, however far it is."),
        ),
        Choice(
            N_("Others, but not the SVM's"),
            N_("Logistic and exponential pull with e⁻ᵗ or less far on the own side: next to nothing."),
        ),
        Choice(N_("None of them"), N_("For some losses it pulls, and a pull moves a line.")),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, SOLVED, at_most(100)),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("pull", N_("loss"), LINES, "squared", lambda name: _(LOSS[name])),),
    chart=chart,
    says=says,
    formula=lambda stage: rf"|l'(t)| = {TEX[stage.pick('pull')]}, \qquad t = y\,f(x)",
    more=more,
    tries=(
        Try(N_("Nearer"), lambda stage: carried(stage, 0.5)),
        Try(N_("Farther"), lambda stage: carried(stage, 1.5)),
        Try(N_("The wrong label"), board=WRONG),
    ),
    shows=("L14",),
)
