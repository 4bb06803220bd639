"""The influence of an outlier on the lines of five losses (L14)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.data import Dataset
from svmlab.lab.lessons.losses.names import LOSS, pen
from svmlab.lab.lessons.losses.over_t_chart import GRID, HI, LO, Curve, Dots, over_t
from svmlab.lab.lessons.losses.pulls import LINES, Fitted, fits, moved, turn, without
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, select_point, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Table, Try, reading
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.plane.geometry import Line
from svmlab.plot.palette import Palette

ROWS = ((1, 0, 1), (1.5, 1, 1), (1.2, -1, 1), (2, 0.5, 1), (-1, 0, -1), (-1.5, 1, -1), (-1.2, -1, -1), (-2, 0.5, -1))
BOARD = board_of_points((*ROWS, (7, 7, 1)), face="lambda", value=0.01, selected=9)
WRONG = board_of_points((*ROWS, (7, 0, -1)), face="lambda", value=0.01, selected=9)
CHANGED = 0.02  # of the board: from this part on a line depends clearly on the point
TALL, FOOT = 0.2, 0.03  # of the view: the length of the longest bar, and its distance from the point
SHORTEST_FULL_BAR = 0.5  # a smaller largest pull has a shorter bar
RING = 0.055  # of the view
SEEN = 0.94  # of the distance to the edge: up to there a point and its circle are visible
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
        "Each dot is one point at its **pull**, the slope of the squared loss (bars on the board). The pull "
        "grows with the distance from $t = 1$, even far on the correct side."
    ),
    "logistic": N_(
        "Each dot is one point, at the slope of the logistic loss. The slope is close to 0 far on the correct side. "
        "Far on the wrong side, all points have almost the same slope 1."
    ),
    "exponential": N_(
        "Each dot is one point, at the slope of the exponential loss. It is close to 0 far on the correct side. On the "
        "wrong side it has no upper bound, so one point can outweigh all others."
    ),
    "hinge": N_(
        "Each dot is one point, at its $\\alpha_i/C$. This is 1 for $t < 1$ and 0 for $t > 1$. If you move a point "
        "that stays beyond its margin line, the line of the SVM stays the same."
    ),
    "sigmoid": N_(
        "Each dot is one point, at the slope of the sigmoid loss. It is at most ¼, and close to 0 far on either side. "
        "So errors far from the line hardly influence it."
    ),
}


def far_row(stage: Stage) -> int:
    """Return the row of the selected point, or else of the one that is farthest from the mean of all points."""
    if stage.selected_row is not None:
        return stage.selected_row
    return int(np.hypot(*(stage.data.X - stage.data.X.mean(0)).T).argmax())


def lines(stage: Stage) -> dict[str, Fitted]:
    """Return the minimisers of the five losses on all points."""
    return stage.cached("five lines", lambda: fits(stage.data, stage.lab.lam, stage.solution))


def lines_without(stage: Stage) -> dict[str, Fitted]:
    """Return the minimisers without the far point, at the same lambda."""
    rest, lam = without(stage.data, far_row(stage)), stage.lab.lam
    return stage.cache.get_or_compute(("five lines without", rest.key, lam), lambda: fits(rest, lam))


def changed_parts(stage: Stage) -> dict[str, float]:
    """Return the part of the board whose predicted class changes if the far point is removed, for each loss."""
    all_points, rest, half = lines(stage), lines_without(stage), stage.lab.view
    return {name: moved(all_points[name], rest[name], half) for name in LINES}


def across(fitted: Fitted, half: float, style: str) -> list[Data]:
    """Return a line across the board, if it has one."""
    return [] if math.isnan(fitted.angle) else line_strokes(Line(fitted.w, fitted.b), half, style)


def draw(stage: Stage) -> Data:
    """Return the far point circled. After Show there are also the five lines, and a bar for the pull of each point.

    The line of the selected loss is thick, and dashed without the far point.
    """
    data, half, row = stage.data, stage.lab.view, far_row(stage)
    circle = [] if stage.selected_row == row else [stroke(np.r_[data.X[row], RING * half], "accent", "disc")]
    bare: Data = POINTS_ONLY | {"legend": None, "message": None}
    if not stage.shown:
        return bare | {"overlay": circle}
    name, fitted = stage.pick("pull"), lines(stage)
    items = [item | {"width": 2.0} for item in across(lines_without(stage)[name], half, "faint dashed")]
    for each in sorted(LINES, key=lambda each: each == name):
        width = STRONG if each == name else PLAIN
        items += [item | {"width": width} for item in across(fitted[each], half, f"loss-{each}")]
    pull = fitted[name].pull
    largest = max(float(pull.max()), SHORTEST_FULL_BAR)
    for x, y, part in zip(data.X, data.y, pull / largest, strict=True):
        up = 1.0 if x[1] + half * (FOOT + TALL * part) <= half else -1.0  # else its end would be outside the board
        ends = x + up * half * np.array([[0.0, FOOT], [0.0, FOOT + TALL * part]])
        items += [stroke(ends, "plus" if y > 0 else "minus") | {"width": 7.0}] if part > 1e-2 else []
    return bare | {"overlay": [*items, *circle]}


def changed(stage: Stage) -> set[str]:
    """Return the losses whose lines depend clearly on the far point."""
    return {name for name, part in changed_parts(stage).items() if part > CHANGED}


def answer(stage: Stage) -> int:
    """Return whether only the squared loss, the hinge loss, others than the hinge loss, or no loss is changed."""
    names = changed(stage)
    if not names:
        return 3
    return 0 if names == {"squared"} else 1 if "hinge" in names else 2


def verdict(stage: Stage) -> str:
    """Say how much of the board changes."""
    parts = changed_parts(stage)
    percents = {name: f"{100 * part:.0f} %" for name, part in parts.items()}
    largest = max(LINES, key=parts.__getitem__)
    return (
        _(
            "Only for the squared loss, whose slope also grows for t > 1. The class changes on {squared} of the "
            "board (hinge: {hinge})."
        ),
        _(
            "For the hinge loss, and perhaps for others too. The class changes on {hinge} of the board (squared: "
            "{squared})."
        ),
        _(
            "For logistic, exponential or sigmoid, but not for hinge. The largest change is {most} of the board "
            "({name} loss)."
        ),
        _("For none of the five losses. The largest change is {most} of the board ({name} loss)."),
    )[answer(stage)].format(**percents, most=percents[largest], name=_(LOSS[largest]))


def degrees(angle: float) -> str:
    """Return an angle as it is read."""
    return short(angle, 3, 1e-3) + ("" if math.isnan(angle) else "°")


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the far point's pull, the angle by which the line turns, and its errors, for the selected loss."""
    if not stage.shown:
        return ()
    name, row = stage.pick("pull"), far_row(stage)
    fitted = lines(stage)[name]
    angle = turn(fitted, lines_without(stage)[name])
    errors = str(int(fitted.wrong.sum()))
    return [
        reading(
            _("pull of the point"), float(fitted.pull[row]), _("Slope |ℓ′(t)| of the selected loss at the far point")
        ),
        Reading(
            _("line turns by"),
            degrees(angle),
            repr(angle),
            _("Angle by which the far point turns the line of the selected loss, positive if anticlockwise"),
        ),
        Reading(_("errors"), errors, errors, _("Training errors of the line of the selected loss")),
    ]


def chart(stage: Stage) -> Chart:
    """Return the slopes of all losses over t, with the points on the selected one. A click selects the point."""
    name, id_ = stage.pick("pull"), stage.lab.points[far_row(stage)].id
    return Chart(pulls(name, lines(stage)[name], stage.data, id_, stage.palette), select_point)


def says(stage: Stage) -> str:
    """Say what the slope of the selected loss means for the points."""
    name = stage.pick("pull")
    return _(SAYS[name])


def nearer(stage: Stage, factor: float) -> list[float]:
    """Return where the far point is if its distance from the mean of the others is multiplied, within the board."""
    mean = without(stage.data, far_row(stage)).X.mean(0)
    x = mean + factor * (stage.data.X[far_row(stage)] - mean)
    edge = np.maximum(SEEN * EDGE / 1000, np.abs(stage.data.X[far_row(stage)]))
    target: list[float] = np.round(np.clip(x, -edge, edge), 3).tolist()
    return target


def moved_point(stage: Stage, factor: float) -> Op:
    """Return the operation that moves the far point nearer or farther."""
    x, y = nearer(stage, factor)
    return {"op": "move", "id": stage.lab.points[far_row(stage)].id, "x": x, "y": y}


def play(stage: Stage) -> Data:
    """Return the animation in which the far point comes from near the others."""
    return {"point": stage.lab.points[far_row(stage)].id, "from": nearer(stage, 0.2), "ms": 3000}


def more(stage: Stage) -> Sequence[Part]:
    """Return the numbers of all five losses, the condition at the minimum, and what the slides state."""
    fitted, rest, row, parts = lines(stage), lines_without(stage), far_row(stage), changed_parts(stage)
    heads = (_("line"), _("pull"), _("turned by"), _("board"), _("errors"))
    rows = [
        table.named_row(
            _(LOSS[name]),
            [
                table.swatch(f"loss-{name} {'dashed' if 'dash' in pen(name, stage.palette) else 'solid'}"),
                table.number(float(fitted[name].pull[row])),
                table.words(degrees(turn(fitted[name], rest[name])), ""),
                table.words(f"{100 * parts[name]:.0f} %", ""),
                table.words(str(int(fitted[name].wrong.sum())), ""),
            ],
            strong=name == stage.pick("pull"),
        )
        for name in LINES
    ]
    return [
        Table(table.table(table.head(*heads, first=_("loss")), rows)),
        _(
            "**On the board.** You see the line of the selected loss (thick), and the same without the circled "
            "point (dashed). The bar at a point is its **pull**, the slope $|\\ell'(t)|$ of the loss at its $t "
            "= y f(x)$. The point $x$ enters the gradient of the mean loss with this weight. So a point far "
            "from the origin can turn the line even with a small pull. Lines of other losses can lie on each "
            "other."
        ),
        _(
            "**The five lines.** Each minimises $\\frac1m\\sum_i \\ell(t_i) + \\frac\\lambda2\\|w\\|^2$ for the same "
            "$\\lambda$. In the table, *board* is the part of the board whose predicted class changes if you remove "
            "the circled point."
        ),
        _(
            "**At the minimum**, the gradient is 0. So $\\lambda w = \\frac1m\\sum_i |\\ell'(t_i)|\\, y_i x_i$ and "
            "$\\sum_i |\\ell'(t_i)|\\, y_i = 0$. For the hinge loss, the factor is $\\alpha_i/C$, which lies between 0 "
            "and 1 at the kink. For the squared loss and $t_i > 1$, the factor has a minus sign."
        ),
        _(
            "**The sigmoid loss** is not convex, so $F$ can have several local minima. Here its descent starts at the "
            "line of the SVM. From $w = 0$ it can end in another one."
        ),
        _(
            "**The slides.** Gambosi's slides state that the losses differ mainly in the relevance of wrong "
            "predictions. On this board, you can see that they also differ for correct ones."
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


def pulls(loss: str, fitted: Fitted, data: Dataset, selected: int | None, palette: Palette) -> go.Figure:
    """Return the slope of every loss in LINES, and the points at those that they have at the minimiser of this loss.

    customdata of the points: id, t, pull.
    """
    dots = Dots(fitted.t, fitted.pull, np.zeros(data.m))
    curves = {each: _curve(each) for each in LINES}
    return over_t(curves, loss, None, dots, data, selected, _("slope |ℓ′(t)|"), TOP, palette)


def _curve(name: str) -> Curve:
    """Return the slope over t. That of the hinge loss falls at its kink."""
    corner = LOSSES[name].corner
    t = GRID if corner is None else np.array([LO, corner, np.nextafter(corner, HI), HI])
    return Curve(t, LOSSES[name].absolute_slope(t), SPOTS[name])


FAR = Step(
    key="far",
    title=N_("Outliers and loss functions"),
    deeper=True,
    situation=N_(
        "The circled point lies far from the others. Five lines minimise the mean loss plus "
        "$\\frac\\lambda2\\|w\\|^2$, each with another loss of $t = y f(x)$: squared, logistic, "
        "exponential, hinge or sigmoid. Now the circled point is removed, and all five lines are computed "
        "again."
    ),
    question=N_(
        "For which of the five losses does removing the far point change the predicted class on more than 2 "
        "% of the board?"
    ),
    choices=(
        Choice(
            N_("Only for the squared loss"),
            N_("The squared loss depends on every point. Here, however, other losses react, or no loss does."),
        ),
        Choice(
            N_("For the hinge loss, and perhaps for others too"),
            N_(
                "A point with slack does influence the SVM. Here, however, at most 2 % of the board changes for the "
                "hinge loss."
            ),
        ),
        Choice(
            N_("For logistic, exponential or sigmoid, but not for hinge"),
            N_(
                "Smooth losses such as the logistic loss depend on every point. Here, however, they hardly react, or "
                "the hinge loss reacts too."
            ),
        ),
        Choice(
            N_("For none of the five losses"),
            N_(
                "A single point among many often changes little. Here, however, at least one line changes by more than "
                "2 % of the board."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    introduces=("squared-loss", "logistic-loss", "exponential-loss", "pull"),
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, SOLVED, at_most(100)),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: "squared" in changed(stage),
    numbers=numbers,
    picks=(Pick("pull", N_("Loss"), LINES, "squared", lambda name: _(LOSS[name])),),
    chart=chart,
    says=says,
    formula=lambda stage: rf"|\ell'(t)| = {TEX[stage.pick('pull')]}, \qquad t = y\,f(x)",
    more=more,
    tries=(
        Try(N_("Nearer"), lambda stage: moved_point(stage, 0.5)),
        Try(N_("Farther"), lambda stage: moved_point(stage, 1.5)),
        Try(N_("Wrong label"), board=WRONG),
    ),
    shows=("L14",),
)
