"""One recipe, five names: what methods minimise differs in the loss and in the regulariser, and one descent does for
all (L5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import Data, announcements, flat_coordinates, shading
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING
from svmlab.lab.charts.palette import CLEAR, Palette, faded
from svmlab.lab.lessons.losses.names import LOSS, OF_T, OF_W, REGULARISER
from svmlab.lab.lessons.losses.recipe_words import NAMES, PAID, PAIRS, PRICED, Pair, said
from svmlab.lab.lessons.losses.recipes import Least, least
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_strokes, place, reading, set_picks
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINE_EXISTS, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Objective
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import clip_line

ON = 1e-6  # of y f: as near to a corner as the descent tells apart
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


def made(stage: Stage, pair: Pair) -> Least:
    """The minimiser of a pair, with the board's lambda and bias."""
    loss, price = pair
    posed = Objective(stage.data, LOSSES[loss], REGULARISERS[price], stage.lab.lam, stage.lab.bias)
    return stage.cached(f"recipe {pair}", lambda: least(posed))


def present(stage: Stage) -> Pair:
    """The pair that is picked."""
    return stage.pick("paid"), stage.pick("priced")


def found(stage: Stage) -> Least:
    """Its minimiser."""
    return made(stage, present(stage))


def draw(stage: Stage) -> Data:
    """The minimiser's line in place of the machine's, which is thin; points filled as hard as they pull at it."""
    if not stage.shown:
        return {}
    now, lab = found(stage), stage.lab
    own = boundary_strokes(stage, "own", stage.solution, "faint") if stage.solution.norm_w > 0 else []
    told = announcements(lab, None) | {"errors": _("errors: {n}").format(n=now.errors)}
    seen = POINTS_ONLY | {"legend": None, "heard": told, "overlay": own}
    if not now.ends:
        return seen
    loss = LOSSES[present(stage)[0]]
    t = now.t if loss.corner is None else np.where(np.abs(now.t - loss.corner) < ON, loss.corner, now.t)
    pull = loss.absolute_slope(t)
    wrong = now.wrong if now.line else np.zeros(len(now.t), dtype=bool)
    marks = {"fill": np.round(pull / (pull.max() or 1.0), 3).tolist(), "wrong": wrong.tolist()}
    at = np.linspace(-lab.view, lab.view, 96)
    f = now.w[0] * at[None, :] + now.w[1] * at[::-1, None] + now.b
    noise = 0.0 if now.line else np.inf
    levels = (("zero", 0.0), ("plus", 1.0), ("minus", -1.0))
    lines = {
        name: [flat_coordinates(ends) for ends in clip_line(now.w, level - now.b, lab.view)] if now.line else []
        for name, level in levels
    }
    return seen | {
        "lines": lines,
        "shade": shading(SolutionDrawing(lab.view, f, (), (), (), {}, noise)),
        "marks": marks,
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The minimiser, F there, and the errors that it makes."""
    if not stage.shown:
        return ()
    now, m = found(stage), len(stage.lab.points)
    if not now.ends:
        return [reading("w", "–"), reading("b", "–"), reading("F", _("falls for ever")), reading(_("errors"), "–")]
    w = Reading("w", place(now.w), repr(tuple(now.w.tolist())))
    return [w, reading("b", now.b), reading("F", now.value), reading(_("errors"), f"{now.errors}/{m}")]


def told(stage: Stage, pair: Pair, now: Least) -> str:
    """What is said of a pair where its cell is hovered."""
    loss, price = pair
    lines = [_("{loss} loss, {price}").format(loss=_(LOSS[loss]), price=_(REGULARISER[price]))]
    if not now.ends:
        return "<br>".join([*lines, _("F falls for ever")])
    lines.append(_("w = {w}, b = {b}").format(w=place(now.w), b=short(now.b, noise=1e-12)))
    lines.append(_("F = {F}, errors: {n}").format(F=short(now.value, noise=1e-12), n=now.errors))
    return "<br>".join(lines)


def chart(stage: Stage) -> Chart:
    """All pairs, each with its line; a click picks one."""
    every = {pair: made(stage, pair) for pair in PAIRS}
    named = [(_(name), PAID.index(loss), PRICED.index(first), PRICED.index(last)) for name, loss, first, last in NAMES]
    taken = {(row, column) for _name, row, first, last in named for column in range(first, last + 1)}
    cells = []
    for pair, now in every.items():
        row, column = PAID.index(pair[0]), PRICED.index(pair[1])
        note = "" if (row, column) in taken or now.line else "w = 0" if now.ends else _("for ever")
        line = (now.w, now.b) if now.ends else None
        cells.append(Cell(row, column, line, told(stage, pair, now), note))
    figure = pairs(
        cells,
        [_(LOSS[loss]) for loss in PAID],
        [_(REGULARISER[price]) for price in PRICED],
        named,
        PAIRS.index(present(stage)),
        stage.lab.view,
        stage.palette,
    )
    return Chart(figure, clicked)


def clicked(number: float) -> Op:
    """The operation that picks the pair of a cell."""
    paid, priced = PAIRS[int(number)]
    return set_picks(paid=paid, priced=priced)


def says(stage: Stage) -> str:
    """What the pair is called, or why it has no line here."""
    separable = LINE_EXISTS.is_met(stage)
    return _(said(present(stage), found(stage), separable))


def formula(stage: Stage) -> str:
    """The recipe with what is picked filled in."""
    loss, price = present(stage)
    each = re.sub(r"(?<![a-z\\])t(?![a-z])", "t_i", OF_T[loss])
    charge = "" if price == "none" else rf" + \lambda\,{OF_W[price]}"
    return rf"F = \textstyle\frac1m\sum_i {each}{charge}, \quad t_i = y_i f(x_i)"


def more(stage: Stage) -> Sequence[Part]:
    """What each method brings of its own, what it is called elsewhere, and what the notes say."""
    return [
        _(
            "Each method has an algorithm of its own: ridge solves linear equations, logistic regression "
            "takes Newton steps, the lasso and the SVM "
            "have methods for their corners, the perceptron goes from mistake to mistake. They differ in how "
            "fast they arrive and not in where: "
            "here one descent, its corners rounded off less and less, finds the minimiser of every pair."
        ),
        _(
            "The perceptron is the odd one. Its loss has the least value 0, and $w = 0$ has it on any "
            "points. Where a line separates it finds one of the many "
            "with loss 0; where none does it never comes to rest."
        ),
        _(
            "Points are filled as hard as they pull at the line, $|\\ell'(y f)|$: with the hinge fully up to "
            "their dashed line, not at all beyond. Dashed: $f = \\pm1$. "
            "Thin: the SVM on the board. The small boards are stretched to their places."
        ),
        _(
            "Other losses make other methods: the exponential one is that of boosting. Textbooks often sum "
            "what is a mean here, so their λ is $m$ times as large, "
            "and ridge regression is mostly written with $\\|w\\|^2$ without the half."
        ),
        _(
            "Gambosi's slides list ridge, lasso, regularised logistic regression and the perceptron as pairs "
            "of this kind, and then put the SVM beside them."
        ),
    ]


WIDE, HIGH = 0.94, 0.86  # of its place: a small board
SHARE = 0.2  # of its colour: how thickly a side is laid on


@dataclass(frozen=True, eq=False)
class Cell:
    """A pair: where it stands, counted from 0, the line w (2,), b that it has (None where it has none), what a hover
    tells, its note.
    """

    row: int
    column: int
    line: tuple[Array, float] | None
    told: str
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
    """A small board [-half, half]^2 for each cell, stretched to its place, with both sides of its line in the colours
    of the classes.

    names: (name, row, first and last column that it stands on); the one on the chosen cell is strong. A click on a cell
    tells its number.
    """
    figure = blank(palette, height=300, left=92, top=20)
    for label in (1, -1):
        sides = [_placed(_side(*cell.line, label, half), cell, half) for cell in cells if cell.line is not None]
        figure.add_trace(_outline(sides, "+" if label > 0 else "-", fill=faded(palette.class_colour(label), SHARE)))
    lines = [
        _placed(ends, cell, half)
        for cell in cells
        if cell.line is not None and cell.line[0].any()
        for ends in clip_line(cell.line[0], -cell.line[1], half)
    ]
    figure.add_trace(_outline(lines, "f = 0", line=palette.pen(palette.text, 2)))
    figure.add_trace(_frames(cells, chosen, palette))
    x = {"range": [-0.5, len(columns) - 0.5], "tickvals": list(range(len(columns))), "ticktext": list(columns)}
    y = {"range": [len(rows) - 0.5, -0.5], "tickvals": list(range(len(rows))), "ticktext": list(rows)}
    figure.update_xaxes(showgrid=False, side="top", **x).update_yaxes(showgrid=False, **y)
    figure.layout.margin.b = 4
    here = cells[chosen]
    for row in range(len(rows)):
        noted = [cell for cell in cells if cell.row == row and cell.note]
        labels = [Label(cell.note, cell.column, row, palette.quiet, "") for cell in noted]
        for name, at, first, last in names:
            strong = row == here.row and first <= here.column <= last
            said, colour = (f"<b>{name}</b>", palette.accent) if strong else (name, palette.text)
            labels += [Label(said, 0.5 * (first + last), row, colour, "")] if at == row else []
        place_labels(figure, palette, labels, backed=True)
    return figure


def _side(w: Array, b: float, label: int, half: float) -> Array:
    """The corners (k, 2) of the part of the square where label times f is not below 0: the square, clipped at f = 0."""
    square = half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    f = label * (square @ w + b)
    if not f.any():
        return np.empty((0, 2))
    corners: list[Array] = []
    for here, there, p, q in zip(square, np.roll(square, -1, axis=0), f, np.roll(f, -1), strict=True):
        if p >= 0:
            corners.append(here)
        if p * q < 0:
            corners.append(here + p / (p - q) * (there - here))
    return np.array(corners).reshape(-1, 2)


def _placed(places: Array, cell: Cell, half: float) -> Array:
    """Places of the board (k, 2) in the small one of a cell; rows are counted downwards."""
    return np.array([cell.column, cell.row]) + places / (2 * half) * np.array([WIDE, -HIGH])


def _outline(parts: Sequence[Array], name: str, fill: str = CLEAR, line: dict[str, object] | None = None) -> go.Scatter:
    """Polylines or, filled, polygons, as one trace that takes no clicks."""
    gap = np.full((1, 2), np.nan)
    every = np.vstack([piece for part in parts if len(part) for piece in (part, gap)] or [gap])
    shape = {"fill": "toself", "fillcolor": fill} if line is None else {}
    return go.Scatter(
        x=every[:, 0],
        y=every[:, 1],
        name=name,
        mode="lines",
        line=line or {"width": 0, "color": CLEAR},
        hoverinfo="skip",
        **shape,
    )


def _frames(cells: Sequence[Cell], chosen: int, palette: Palette) -> go.Bar:
    """The edge of each cell, the chosen one's thick; they take the clicks."""
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
        hovertext=[cell.told for cell in cells],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": CLEAR,
            "line": {"color": np.where(number == chosen, palette.accent, palette.quiet), "width": thick},
        },
    )


RECIPE = Step(
    key="recipe",
    title=N_("One recipe, five names"),
    question=N_(
        "Ridge regression, the lasso, logistic regression, the SVM, the perceptron: five methods with "
        "five names. What do they differ in?"
    ),
    choices=(
        wrong(
            N_("The algorithm"),
            N_("Each has one of its own, yet one descent finds what all five look for."),
        ),
        right(N_("Loss and regulariser only")),
        wrong(N_("The data they accept"), N_("All five take points with labels +1 and −1, and give a line.")),
    ),
    verdict=lambda stage: _("in loss and regulariser only. Click the small boards."),
    board=BOARD,
    needs=(LINEAR, BOTH_CLASSES, SOFT, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(
        Pick("paid", N_("Loss"), PAID, "squared", lambda name: LOSS[name]),
        Pick("priced", N_("Regulariser"), PRICED, "R2", lambda name: REGULARISER[name]),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Ridge"), set_picks(paid="squared", priced="R2")),
        Try(N_("Then the hinge"), set_picks(paid="hinge")),
        Try(N_("Separable"), board=APART),
    ),
    shows=("L5",),
)
