"""The perceptron from several orders of the points beside the widest street, one of them as a film (M8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import SvmError
from svmlab.core.arrays import Array, Index
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron, radius_and_margin
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, dots
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.margin.street import BOARD, STREET, widest
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import film, frame, line_strokes, normal_of, place, reading, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

ORDERS = 12
MOST = 600  # mistakes until a run is given up
FRAMES = 60  # of a film; the first updates all have one


@dataclass(frozen=True, eq=False)
class Trial:
    """A run and what came of it: margin is that of the line it ends with, nan without one."""

    run: PerceptronRun
    margin: float


def trials(stage: Stage) -> tuple[list[Trial], float]:
    """Runs in ORDERS orders, the first as the points were placed; and the bound (R/margin)^2 of the augmented
    points.
    """

    def make() -> tuple[list[Trial], float]:
        data = stage.data
        Z = augmented(data.X)
        rng = np.random.Generator(np.random.Philox(data.m))
        every = [np.arange(data.m), *(rng.permutation(data.m) for _ in range(ORDERS - 1))]
        runs = [perceptron(Z, data.y, order, MOST) for order in every]
        try:
            R, margin = radius_and_margin(Z, data.y)
            bound = (R / margin) ** 2
        except SvmError:  # so narrow that the solver sees no street any more
            bound = math.inf
        return [Trial(run, _margin(run.w, data.X, data.y)) for run in runs], bound

    return stage.cached_for_points("trials", make)


def _margin(w: Array, X: Array, y: Array) -> float:
    return Line(w[:2], float(w[2])).margin(X, y) if w[:2].any() else float("nan")


def order(stage: Stage) -> int:
    """The order whose film is shown."""
    return int(stage.dial("order", 0.0)) % ORDERS


def chosen(stage: Stage) -> Trial:
    """The run in that order."""
    return trials(stage)[0][order(stage)]


def shares(stage: Stage) -> Array:
    """The margin of every run's line, in parts of the widest."""
    return np.array([trial.margin for trial in trials(stage)[0]]) / widest(stage)


def picture(stage: Stage, trial: Trial, t: int) -> Data:
    """What is seen before update t, or at the end: the line, and the point that it has wrong."""
    lab, run = stage.lab, trial.run
    w, n = run.path[t], run.mistakes
    items: list[Data] = []
    if w[:2].any():
        line = Line(w[:2], float(w[2]))
        foot, along = line.foot(np.zeros(2)), 4 * lab.view * np.array([-line.normal[1], line.normal[0]])
        items = [stroke(np.array([foot - along, foot + along]), "accent"), normal_of(line, lab.view, "accent")]
    if t == n and not run.stopped:
        return frame(items, _("Here the run was ended, after {n} mistakes.").format(n=n))
    if t == n:
        said = _("After <b>{n}</b> mistakes a whole round without any. Its margin: {margin}, the widest: {widest}.")
        margin = short(trial.margin, noise=ROUNDING)
        return frame(items, said.format(n=n, margin=margin, widest=short(widest(stage))))
    i = int(run.updates[t])
    sign = "+" if stage.data.y[i] > 0 else "−"
    point = _("{sign} point at {where}").format(sign=sign, where=place(stage.data.X[i]))
    if t == 0:
        said = _("w = 0, b = 0: every point counts as wrong. The first is {point}.").format(point=point)
    else:
        said = _("<b>{t}</b> of {n}: {point} has y f = {yf}. So w ← w + y x, b ← b + y.")
        said = said.format(t=t, n=n, point=point, yf=short(float(run.rows[i] @ w), 3, ROUNDING))
    return frame(items, said, lab.points[i].id)


def draw(stage: Stage) -> Data:
    """The widest street; once shown, the lines of all orders and the film of one."""
    if not stage.shown:
        return {"sliders": [], "legend": None}
    trial = chosen(stage)
    n = trial.run.mistakes
    head = np.arange(min(n, FRAMES // 2))
    rest = np.linspace(len(head), n, FRAMES - len(head)).round().astype(int) if n > len(head) else [n]
    pictures = [picture(stage, trial, t) for t in np.unique(np.r_[head, rest]).tolist()]
    lines = [trial.run.w for trial in trials(stage)[0] if trial.run.w[:2].any()]
    overlay = [item for w in lines for item in line_strokes(Line(w[:2], float(w[2])), stage.lab.view, "faint")]
    return {
        "sliders": [],
        "legend": None,
        "film": film(f"{stage.data.key}.{order(stage)}", pictures),
        "overlay": overlay,
    }


def answer(stage: Stage) -> int:
    """On the widest street only where every order ends there."""
    return 0 if shares(stage).min() > 0.999 else 1


def verdict(stage: Stage) -> str:
    """Where it stops."""
    if answer(stage) == 0:
        return _("On the widest street, in each of {n} orders of these points.").format(n=ORDERS)
    return _("On some line that separates; which one, the order of the points decides.")


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many mistakes, how many at most, and what came of it."""
    if not stage.shown:
        return []
    trial, bound = chosen(stage), trials(stage)[1]
    return [
        reading(_("mistakes"), float(trial.run.mistakes)),
        reading(_("bound"), bound),
        reading(_("margin"), trial.margin),
        reading(_("widest"), widest(stage)),
    ]


def chart(stage: Stage) -> Chart:
    """Margin against mistakes, one mark for each order; a click shows its film."""
    runs, bound = trials(stage)
    mistakes = np.array([trial.run.mistakes for trial in runs])
    figure = orders(mistakes, shares(stage), bound, order(stage), stage.palette)
    return Chart(figure, lambda number: set_dials(order=float(number)))


def says(stage: Stage) -> str:
    """What is in the chart; a run that was given up is said so."""
    if not chosen(stage).run.stopped:
        said = _("So narrow a street that {n} mistakes were not enough: the film ends there, the bound allows {bound}.")
        return said.format(n=chosen(stage).run.mistakes, bound=short(trials(stage)[1]))
    return _(
        "{n} orders of these points end in different lines, none wider than the widest street. Click one for its film."
    ).format(n=ORDERS)


def another(stage: Stage) -> Op:
    """The film of the next order; the board stays."""
    return set_dials(order=(order(stage) + 1.0) % ORDERS)


def orders(mistakes: Index, shares: Array, bound: float, chosen: int, palette: Palette) -> go.Figure:
    """One mark for each order, customdata its number; the widest street is the line at 1, the bound an upright."""
    figure = blank(palette, _("mistakes until it stops"), _("of the widest"), height=270)
    number = np.arange(len(mistakes))
    hover = _("{mistakes} mistakes, margin {share} of the widest")
    hover = hover.format(mistakes="%{x}", share="%{y:.1%}") + "<extra></extra>"
    marks = dots(palette, mistakes, shares, number, number == chosen, palette.quiet, name="orders", hover=hover)
    figure.add_trace(marks)
    add_rule(figure, palette, palette.plus, "dash", y=1)
    most = max(bound if np.isfinite(bound) else 1.0, float(mistakes.max()), 1.0)
    figure.update_xaxes(**log(*np.log10([0.7, 1.5 * most]).tolist()))
    figure.update_yaxes(range=[min(0.0, float(np.nanmin(shares))) - 0.05, 1.1], tickformat=".0%", zeroline=True)
    if not np.isfinite(bound):
        return figure
    add_rule(figure, palette, palette.minus, "dash", x=bound)
    said = _("bound {bound}").format(bound=short(bound, 3))
    return place_labels(figure, palette, [Label(said, float(np.log10(bound)), 0.5, palette.minus, "left")])


PERCEPTRON = Step(
    key="perceptron",
    title=N_("The perceptron's line"),
    question=N_(
        "The perceptron starts at $w = 0$, looks at one point after the other, and adds $y\\,x$ to $w$ whenever one is "
        "wrong. A line exists here. Where does it stop?"
    ),
    choices=(
        Choice(N_("On the widest street"), N_("It stops once no point is wrong, however close one is to the line.")),
        Choice(N_("On a line that separates"), N_("So it is, and here each of them is the widest.")),
        Choice(N_("It may go on for ever"), N_("Only where no line separates: here the mistakes have a bound.")),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\text{mistakes} \le \left(\frac{R}{\gamma^*}\right)^2 \text{ for } (x_i, 1), \qquad \gamma(w, "
        r"b) \le \gamma^*"
    ),
    more=lambda stage: [
        _(
            "In the bound, R and the margin both belong to the points with a 1 appended: the perceptron's "
            "offset is one more "
            "coordinate of w, so its street is measured in one more dimension. With R and the margin of the "
            "points as they "
            "are, the bound may fail."
        ),
        _(
            "The first order is that in which the points were placed; the others are drawn at random, the "
            "same every time."
        ),
    ],
    tries=(
        Try(N_("Another order"), another),
        Try(
            N_("Narrow, far away"),
            board=board_of_points(
                (
                    (2.4, 1.9, -1),
                    (3.0, 2.1, 1),
                    (2.2, 2.6, -1),
                    (2.9, 2.9, 1),
                    (2.7, 1.2, -1),
                    (3.3, 1.3, 1),
                    (1.9, 3.4, -1),
                    (2.5, 3.3, 1),
                    (2.1, 1.6, -1),
                    (3.4, 2.6, 1),
                ),
                hard=True,
            ),
        ),
    ),
    shows=("M8",),
)
