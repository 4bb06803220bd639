"""Five methods as pairs of a loss and a regulariser, all minimised by one descent method (L5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import Linear, separate
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import Data, announcements, flat_coordinates, shading
from svmlab.lab.charts.marks import RING
from svmlab.lab.lessons.losses.names import LOSS, OF_T, OF_W, REGULARISER
from svmlab.lab.lessons.losses.recipes import Minimiser, minimise
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_strokes, place, set_picks
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Op, Pick, Reading, Step, Try, reading, right, wrong
from svmlab.lab.words import N_, _, bias
from svmlab.losses import LOSSES, REGULARISERS, Objective
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import clip_line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette, faded

ON = 1e-6  # of y f: the error of the descent at a kink
BOARD = board_of_points(
    (
        (1.0, 0.2, 1),
        (1.5, 1.0, 1),
        (1.2, -1.0, 1),
        (2.0, 0.5, 1),
        (2.4, -0.6, 1),
        (0.9, 1.7, 1),
        (-1.0, -0.2, -1),
        (-1.5, 1.0, -1),
        (-1.2, -1.0, -1),
        (-2.0, 0.5, -1),
        (-2.4, -0.4, -1),
        (-0.8, -1.6, -1),
        (0.4, -0.5, -1),
        (3.4, 3.2, -1),
    ),
    face="lambda",
    value=0.4,
)
APART = board_of_points(
    (
        (1.0, 0.4, 1),
        (1.6, 1.4, 1),
        (1.3, -1.0, 1),
        (2.3, 0.3, 1),
        (3.3, 2.9, 1),
        (-0.9, -0.2, -1),
        (-1.5, 1.1, -1),
        (-1.2, -1.3, -1),
        (-2.2, 0.2, -1),
    ),
    face="lambda",
    value=0.1,
)


LOSSES_SHOWN = ("squared", "logistic", "hinge", "perceptron")
REGULARISERS_SHOWN = ("R1", "R2", "none")
Pair = tuple[str, str]
PAIRS: tuple[Pair, ...] = tuple((loss, regulariser) for loss in LOSSES_SHOWN for regulariser in REGULARISERS_SHOWN)
# name, its loss, and the first and the last of its regularisers in their order
NAMES: tuple[tuple[str, str, str, str], ...] = (
    (N_("lasso"), "squared", "R1", "R1"),
    (N_("ridge"), "squared", "R2", "R2"),
    (N_("logistic regression"), "logistic", "R2", "none"),
    ("SVM", "hinge", "R2", "R2"),
    (N_("perceptron"), "perceptron", "none", "none"),
)
SAYS: dict[Pair, str] = {
    ("squared", "R1"): N_(
        "**The lasso.** Only the regulariser differs from ridge regression. $R_1$ keeps a component of $w$ at exactly "
        "0 while the slope of the loss is at most $\\lambda$."
    ),
    ("squared", "R2"): N_(
        "**Ridge regression.** Each cell is the line of one pair of loss (row) and regulariser (column). "
        "Only the loss distinguishes ridge from the SVM (thin grey line)."
    ),
    ("squared", "none"): N_(
        "**Least squares**, from which ridge regression and the lasso start. There is no regulariser, so $\\lambda$ "
        "has no effect."
    ),
    ("logistic", "R1"): N_(
        "**L1-regularised logistic regression.** It combines the logistic loss with the regulariser of the lasso."
    ),
    ("logistic", "R2"): N_(
        "**Logistic regression.** Here $f$ estimates the logarithm of the odds of the class +1. Every point has a "
        "positive loss."
    ),
    ("logistic", "none"): N_(
        "**Logistic regression** without a regulariser. A minimiser exists here, because no choice of $f$ separates "
        "the classes."
    ),
    ("hinge", "R1"): N_("**The 1-norm SVM.** It combines the hinge loss of the SVM with the regulariser of the lasso."),
    ("hinge", "R2"): N_(
        "**The SVM.** The descent method reaches the same $F$ as the exact solver (thin line). Only $b$ can differ, if "
        "it is not unique."
    ),
    ("hinge", "none"): N_(
        "The hinge loss alone. Without a regulariser, nothing favours a short $w$, and so nothing favours a large "
        "margin."
    ),
    ("perceptron", "none"): N_(
        "**The perceptron.** Its loss is the size of $f$ for misclassified points. Here some points lie on the line, "
        "where the loss is 0."
    ),
}
SEPARATED: dict[Pair, str] = {  # where F is 0
    ("hinge", "none"): N_(
        "Every hinge loss is 0 here, and there is no regulariser. This is one of many lines with $F = 0$, and a "
        "regulariser would select one."
    ),
    ("perceptron", "none"): N_(
        "**The perceptron.** Its loss is 0 for every separating line. The perceptron stops at one of them, and the "
        "descent method at another."
    ),
}
NO_MINIMISER = N_(
    "No minimiser exists. $F$ decreases for longer and longer $w$ and never reaches its limit. A regulariser prevents "
    "this."
)
NOT_SEPARABLE = N_(
    "**The perceptron.** Its loss has the minimum $F = 0$ at $w = 0$. No $f$ separates these points, so no line has "
    "this value."
)
ZERO_IS_OPTIMAL = N_(
    "With this loss, $F = 0$ at $w = 0$, and no $F$ is negative. The regulariser makes every other $w$ worse, so there "
    "is no line."
)
NO_LINE = N_("Here $F$ is smallest at $w = 0$. Then $f$ is the same everywhere, and there is no line.")
NOTHING = 1e-12  # F is 0 except for rounding


def words_for(pair: Pair, minimiser: Minimiser, separable: bool) -> str:
    """Return the sentences about a pair and its minimiser. separable: whether a line separates the points."""
    alone = pair[1] == "none"
    if not minimiser.ends:
        return NO_MINIMISER
    if not minimiser.has_boundary and minimiser.value > 0:
        return NO_LINE
    if not minimiser.has_boundary:
        return NOT_SEPARABLE if alone and not separable else ZERO_IS_OPTIMAL
    return SEPARATED.get(pair, SAYS[pair]) if separable and minimiser.value <= NOTHING else SAYS[pair]


def is_separable(stage: Stage) -> bool:
    """Return whether a line separates the classes, one through the origin if the SVM on the board has no bias."""
    bias = stage.lab.bias
    return stage.cached_for_points(f"separable {bias}", lambda: separate(stage.data, Linear(), bias).separable)


def minimiser_of(stage: Stage, pair: Pair) -> Minimiser:
    """Return the minimiser of a pair, with the board's lambda and bias."""
    loss, regulariser = pair
    F = Objective(stage.data, LOSSES[loss], REGULARISERS[regulariser], stage.lab.lam, stage.lab.bias)
    return stage.cached(f"recipe {pair}", lambda: minimise(F))


def selected_pair(stage: Stage) -> Pair:
    """Return the selected pair."""
    return stage.pick("paid"), stage.pick("priced")


def selected_minimiser(stage: Stage) -> Minimiser:
    """Return the minimiser of the selected pair."""
    return minimiser_of(stage, selected_pair(stage))


def draw(stage: Stage) -> Data:
    """Return the line of the selected pair instead of the SVM's, which is thin. Points are filled by their slope."""
    if not stage.shown:
        return {}
    minimiser, lab = selected_minimiser(stage), stage.lab
    svm = boundary_strokes(stage, "own", stage.solution, "faint") if stage.solution.norm_w > 0 else []
    heard = announcements(lab, None) | {"errors": _("errors: {n}").format(n=minimiser.errors)}
    data = POINTS_ONLY | {"legend": None, "heard": heard, "overlay": svm}
    if not minimiser.ends:
        return data
    loss = LOSSES[selected_pair(stage)[0]]
    t = minimiser.t
    if loss.corner is not None:
        t = np.where(np.abs(t - loss.corner) < ON, loss.corner, t)
    slope = loss.absolute_slope(t)
    wrong_rows = minimiser.wrong if minimiser.has_boundary else np.zeros(len(t), dtype=bool)
    marks = {"fill": np.round(slope / (slope.max() or 1.0), 3).tolist(), "wrong": wrong_rows.tolist()}
    axis = np.linspace(-lab.view, lab.view, 96)
    f = minimiser.w[0] * axis[None, :] + minimiser.w[1] * axis[::-1, None] + minimiser.b
    noise = 0.0 if minimiser.has_boundary else np.inf
    levels = (("zero", 0.0), ("plus", 1.0), ("minus", -1.0))
    lines = {
        name: [flat_coordinates(ends) for ends in clip_line(minimiser.w, level - minimiser.b, lab.view)]
        if minimiser.has_boundary
        else []
        for name, level in levels
    }
    return data | {
        "lines": lines,
        "shade": shading(SolutionDrawing(lab.view, f, (), (), (), {}, noise)),
        "marks": marks,
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the minimiser, F there, and its training errors."""
    if not stage.shown:
        return ()
    minimiser, m = selected_minimiser(stage), len(stage.lab.points)
    exists = minimiser.ends
    w = place(minimiser.w) if exists else "–"
    F = short(minimiser.value, noise=NOTHING) if exists else _("no minimum")
    errors = f"{minimiser.errors}/{m}" if exists else "–"
    exact = f"w = {tuple(minimiser.w.tolist())!r}, b = {bias(minimiser.b)!r}" if exists else w
    return [
        Reading("w", w, exact, _("Minimiser of the selected pair")),
        Reading("F", F, repr(minimiser.value), _("Smallest value of the objective")),
        reading(_("errors"), errors, _("Training errors of the selected line, points on it included")),
    ]


def hover_text(stage: Stage, pair: Pair, minimiser: Minimiser) -> str:
    """Return the hover of the cell of a pair."""
    loss, regulariser = pair
    lines = [_("{loss} loss, {regulariser}").format(loss=_(LOSS[loss]), regulariser=_(REGULARISER[regulariser]))]
    if not minimiser.ends:
        return "<br>".join([*lines, _("no minimum")])
    lines.append(_("w = {w}, b = {b}").format(w=place(minimiser.w), b=short(bias(minimiser.b), noise=NOTHING)))
    lines.append(_("F = {F}, errors: {n}").format(F=short(minimiser.value, noise=NOTHING), n=minimiser.errors))
    return "<br>".join(lines)


def chart(stage: Stage) -> Chart:
    """Return all pairs, each with its line. A click selects one."""
    minimisers = {pair: minimiser_of(stage, pair) for pair in PAIRS}
    named = [
        (_(name), LOSSES_SHOWN.index(loss), REGULARISERS_SHOWN.index(first), REGULARISERS_SHOWN.index(last))
        for name, loss, first, last in NAMES
    ]
    for i, (name, row, first, last) in enumerate(named):
        only = minimisers[LOSSES_SHOWN[row], REGULARISERS_SHOWN[first]]
        if first == last and only.ends and not only.has_boundary:
            named[i] = (f"{name}: w = 0", row, first, last)
    taken = {(row, column) for _name, row, first, last in named for column in range(first, last + 1)}
    cells = []
    for pair, minimiser in minimisers.items():
        row, column = LOSSES_SHOWN.index(pair[0]), REGULARISERS_SHOWN.index(pair[1])
        is_noted = (row, column) not in taken and not minimiser.has_boundary
        note = ("w = 0" if minimiser.ends else _("no minimum")) if is_noted else ""
        line = (minimiser.w, minimiser.b) if minimiser.ends else None
        cells.append(Cell(row, column, line, hover_text(stage, pair, minimiser), note))
    figure = pairs(
        cells,
        [_(LOSS[loss]) for loss in LOSSES_SHOWN],
        [_(REGULARISER[regulariser]) for regulariser in REGULARISERS_SHOWN],
        named,
        PAIRS.index(selected_pair(stage)),
        stage.lab.view,
        stage.palette,
    )
    return Chart(figure, clicked)


def clicked(number: float) -> Op:
    """Return the operation that selects the pair of a cell."""
    loss, regulariser = PAIRS[int(number)]
    return set_picks(paid=loss, priced=regulariser)


def says(stage: Stage) -> str:
    """Say the name of the pair, or why it has no line here."""
    return _(words_for(selected_pair(stage), selected_minimiser(stage), is_separable(stage)))


def formula(stage: Stage) -> str:
    """Return the objective of the selected pair."""
    loss, regulariser = selected_pair(stage)
    loss_term = re.sub(r"(?<![a-z\\])t(?![a-z])", "t_i", OF_T[loss])
    other_term = "" if regulariser == "none" else rf" + \lambda\,{OF_W[regulariser]}"
    return rf"F = \textstyle\frac1m\sum_i {loss_term}{other_term}, \quad t_i = y_i f(x_i)"


WIDE, HIGH = 0.94, 0.86  # width and height of a small board, in parts of its cell
OPACITY = 0.2  # of the colour of a side


@dataclass(frozen=True, eq=False)
class Cell:
    """The cell of a pair: its row and column from 0, its line w (2,), b or None, its hover, and a note."""

    row: int
    column: int
    line: tuple[Array, float] | None
    hover: str
    note: str = ""


def pairs(
    cells: Sequence[Cell],
    rows: Sequence[str],
    columns: Sequence[str],
    names: Sequence[tuple[str, int, int, int]],
    chosen: int,
    half: float,
    palette: Palette,
) -> go.Figure:
    """Return a small board [-half, half]^2 for each cell, with both sides of its line in the colours of the classes.

    names: (name, row, first and last column). The name of the selected cell is bold. The number of a cell is its
    customdata.
    """
    figure = empty_chart(palette, height=300, left=92, top=20)
    for label in (1, -1):
        sides = [_placed(_side(*cell.line, label, half), cell, half) for cell in cells if cell.line is not None]
        figure.add_trace(_outline(sides, "+" if label > 0 else "-", fill=faded(palette.class_colour(label), OPACITY)))
    lines = [
        _placed(ends, cell, half)
        for cell in cells
        if cell.line is not None and cell.line[0].any()
        for ends in clip_line(cell.line[0], -cell.line[1], half)
    ]
    figure.add_trace(_outline(lines, "f = 0", pen=palette.pen(palette.text, 2)))
    figure.add_trace(_frames(cells, chosen, palette))
    x = {"range": [-0.5, len(columns) - 0.5], "tickvals": list(range(len(columns))), "ticktext": list(columns)}
    y = {"range": [len(rows) - 0.5, -0.5], "tickvals": list(range(len(rows))), "ticktext": list(rows)}
    figure.update_xaxes(showgrid=False, side="top", **x).update_yaxes(showgrid=False, **y)
    figure.layout.margin.b = 4
    selected = cells[chosen]
    for row in range(len(rows)):
        noted = [cell for cell in cells if cell.row == row and cell.note]
        labels = [Label(cell.note, cell.column, row, palette.quiet, "") for cell in noted]
        for name, at, first, last in names:
            strong = row == selected.row and first <= selected.column <= last
            text, colour = (f"<b>{name}</b>", palette.accent) if strong else (name, palette.text)
            labels += [Label(text, 0.5 * (first + last), row, colour, "")] if at == row else []
        place_labels(figure, palette, labels, backed=True)
    return figure


def _side(w: Array, b: float, label: int, half: float) -> Array:
    """Return the corners (k, 2) of the part of the square where label times f is not negative."""
    square = half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    f = label * (square @ w + b)
    if not f.any():
        return np.empty((0, 2))
    corners: list[Array] = []
    for corner, following, f0, f1 in zip(square, np.roll(square, -1, axis=0), f, np.roll(f, -1), strict=True):
        if f0 >= 0:
            corners.append(corner)
        if f0 * f1 < 0:
            corners.append(corner + f0 / (f0 - f1) * (following - corner))
    return np.array(corners).reshape(-1, 2)


def _placed(positions: Array, cell: Cell, half: float) -> Array:
    """Return positions of the board (k, 2) in the small one of a cell. Rows are counted downwards."""
    return np.array([cell.column, cell.row]) + positions / (2 * half) * np.array([WIDE, -HIGH])


def _outline(parts: Sequence[Array], name: str, fill: str = CLEAR, pen: dict[str, object] | None = None) -> go.Scatter:
    """Return polylines or filled polygons as one trace that takes no clicks."""
    gap = np.full((1, 2), np.nan)
    corners = np.vstack([piece for part in parts if len(part) for piece in (part, gap)] or [gap])
    shape = {"fill": "toself", "fillcolor": fill} if pen is None else {}
    return go.Scatter(
        x=corners[:, 0],
        y=corners[:, 1],
        name=name,
        mode="lines",
        line=pen or {"width": 0, "color": CLEAR},
        hoverinfo="skip",
        **shape,
    )


def _frames(cells: Sequence[Cell], chosen: int, palette: Palette) -> go.Bar:
    """Return the edges of the cells, that of the selected one thick. They take the clicks."""
    number = np.arange(len(cells))
    thick = palette.stroke * np.where(number == chosen, RING, 1)
    return go.Bar(
        orientation="h",
        y=np.array([cell.row for cell in cells]),
        x=np.full(len(cells), WIDE),
        base=np.array([cell.column - WIDE / 2 for cell in cells]),
        width=HIGH,
        name="pairs",
        customdata=number,
        hovertext=[cell.hover for cell in cells],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": CLEAR,
            "line": {"color": np.where(number == chosen, palette.accent, palette.quiet), "width": thick},
        },
    )


RECIPE = Step(
    key="recipe",
    title=N_("Loss plus regulariser"),
    deeper=True,
    situation=N_(
        "Ridge regression, the lasso, logistic regression, the SVM and the perceptron each find a line $f(x) = 0$ from "
        "points with labels. Each has an algorithm of its own. The **objective** of a method is the function that it "
        "minimises."
    ),
    question=N_("What distinguishes ridge regression, the lasso, logistic regression, the SVM and the perceptron?"),
    choices=(
        wrong(
            N_("Different algorithms for the same objective"),
            N_(
                "Each method has its own algorithm. However, one descent method minimises all five objectives, and the "
                "lines still differ."
            ),
        ),
        right(N_("Different losses and regularisers in the objective")),
        wrong(
            N_("Different requirements on the training data"),
            N_(
                "Regression usually predicts real numbers. However, all five methods can be trained with the labels +1 "
                "and −1."
            ),
        ),
    ),
    verdict=N_(
        "Different losses and regularisers in the objective. For example, the SVM is ridge regression with another "
        "loss."
    ),
    board=BOARD,
    introduces=("ridge", "lasso", "logistic-regression"),
    needs=(LINEAR, BOTH_CLASSES, SOFT, SOLVED),
    draw=draw,
    rests_on_answer=lambda stage: minimiser_of(stage, ("squared", "R2")).has_boundary,
    numbers=numbers,
    picks=(
        Pick("paid", N_("Loss"), LOSSES_SHOWN, "squared", lambda name: LOSS[name], in_more=True),
        Pick("priced", N_("Regulariser"), REGULARISERS_SHOWN, "R2", lambda name: REGULARISER[name], in_more=True),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**One descent method.** Ridge regression solves linear equations, and logistic regression takes Newton "
            "steps. The lasso and the SVM have methods for their kinks, and the perceptron corrects one mistake after "
            "the other. All lines that you see in the chart come from one descent method, which rounds the kinks less "
            "and less."
        ),
        N_(
            "**The perceptron** is the exception. Its loss has the minimum 0, and $w = 0$ reaches it on all points. If "
            "a line separates the points, the perceptron stops at one of the many lines with loss 0. Otherwise it "
            "never stops."
        ),
        N_(
            "**On the board.** A point is filled by the slope $|\\ell'(t)|$ of the loss at its $t = y f(x)$. With the "
            "hinge loss, points beyond their margin line (dashed) are empty. The thin line is the SVM. You can click a "
            "cell of the chart to select it. The small boards are stretched to their cells."
        ),
        N_(
            "**Names and factors.** Other losses give other methods, for example the exponential loss gives boosting. "
            "Textbooks often use the sum of the losses instead of the mean, so their λ is $m$ times as large. Ridge "
            "regression is usually written with $\\|w\\|^2$ without the factor ½."
        ),
        N_(
            "**The slides.** Gambosi's slides list ridge regression, the lasso, regularised logistic regression and "
            "the perceptron as such pairs, and then the SVM beside them."
        ),
    ),
    tries=(
        Try(N_("Hinge loss"), set_picks(paid="hinge", priced="R2")),
        Try(N_("Lasso"), set_picks(paid="squared", priced="R1")),
        Try(N_("Separable"), board=APART),
    ),
    shows=("L5", "T13"),
)
