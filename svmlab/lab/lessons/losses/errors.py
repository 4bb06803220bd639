"""The fewest training errors of any line beside those of the SVM, and a line placed by hand (L4, L9, L15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.marks import SIZE, SPOT
from svmlab.lab.lessons.losses.fewest import fewest, fewest_so_far
from svmlab.lab.lessons.losses.placing import Terraces, handles_of, mapped, place_of
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, flowers, has_points_of, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, normal_of, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Try, reading
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import Line
from svmlab.plot.contours import level_lines
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette

TESTED = (0.1, 1.0, 10.0, 1000.0)  # values of C
ON = 1e-9  # y f up to which a point counts as on the line, and so as an error
SIX = ((1, 0, 1), (2, 1, 1), (2, -1, 1), (-1, 0, -1), (-2, 1, -1), (-2, -1, -1))
# Fisher's flowers, every third versicolor (+1) and virginica (-1). One line has a single error, and the SVM has 3 or
# more for each of the tested C.
BOARD = flowers("versicolor", "virginica", ("petal_length", "petal_width"), (4.9, 1.7), every=3, value=1.0, view=3.0)
START = ((-0.1, 0.6), (0.4, -0.6))  # the handles, in parts of the half-width of the board
COUNTED = {"errors": N_("errors"), "printed": N_("as in the slides")}
RING = 0.045  # of the view: around an error
N = 64  # positions of the shading along each side


def own_line(stage: Stage) -> Line:
    """Return the line through the handles. Until it is touched, its + side is the one that has fewer errors."""
    a, b = handles(stage)
    line = Line.through(a, b)
    if stage.hand or (line.margins(stage.data.X, stage.data.y) > 0).mean() >= 0.5:
        return line
    return Line.through(b, a)


def handles(stage: Stage) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the positions of both handles."""
    (ax, ay), (bx, by) = START
    half = stage.lab.view
    return stage.hand or ((ax * half, ay * half), (bx * half, by * half))


def wrong_rows(line: Line, stage: Stage) -> list[int]:
    """Return the rows of the points on the wrong side of a line or on it."""
    return np.flatnonzero(line.margins(stage.data.X, stage.data.y) <= ON).tolist()


def errors_of(solution: Solution) -> int:
    """Return the number of points on the wrong side of an SVM's boundary or on it."""
    return int((solution.margins <= ON).sum())


def line_of(w: Sequence[float] | np.ndarray | None, b: float) -> Line | None:
    """Return a line, or None where w = 0 except for rounding."""
    return None if w is None or float(np.hypot(*w)) <= ON else Line(np.asarray(w), b)


def errors_by_C(stage: Stage) -> dict[float, int]:
    """Return the SVM's number of training errors for each tested C."""
    solutions = {C: stage.cache.outcome(replace(stage.lab.problem, C=C)).solution for C in TESTED}
    return {C: errors_of(solution) for C, solution in solutions.items() if solution is not None}


def error_map(stage: Stage) -> Terraces:
    """Return the map behind the chart."""
    return stage.cached_for_points("map of lines", lambda: mapped(stage.data, 361, 201))


def situation(stage: Stage) -> str:
    """Say what the points are, if they are the flowers, and what the line and both losses are."""
    flowers_said = _("The points are flowers, versicolor (+1) and virginica (−1).") + " "
    return (flowers_said if has_points_of(stage.lab, BOARD) else "") + _(
        "Drag your line. Its arrow points to class +1. The **0–1 loss** counts its training "
        "errors (ringed). An SVM minimises $\\frac12\\|w\\|^2$ plus $C$ times the hinge losses."
    )


def draw(stage: Stage) -> Data:
    """Return the line by hand with its errors ringed; after Show also the SVM's line and the best line with its sides
    shaded.
    """
    line, half = own_line(stage), stage.lab.view
    rings = [stroke(np.r_[stage.data.X[i], RING * half], "witness-line", "disc") for i in wrong_rows(line, stage)]
    a, b = handles(stage)
    if line.normal @ Line.through(a, b).normal < 0:
        a, b = b, a
    data: Data = {"hand": {"a": a, "b": b}, "overlay": rings, "legend": None, "message": None, **POINTS_ONLY}
    if not stage.shown:
        return data
    boundary = line_of(stage.solution.w, stage.solution.b)
    zero = [flat_coordinates(ends) for ends in boundary.clipped(half)] if boundary else []
    data["lines"] = {"zero": zero, "plus": [], "minus": []}
    minimum = fewest_so_far(stage)
    if minimum is None:
        return data
    sign = -1.0 if stage.pick("counted") == "printed" else 1.0
    best = line_of(sign * minimum.w, sign * minimum.b)
    if best:
        data["overlay"] = [*line_strokes(best, half, "accent dashed"), normal_of(best, half, "accent"), *rings]
    axis = np.linspace(-half, half, N)
    w, b_ = (best.normal, best.b / best.norm) if best else (np.zeros(2), sign * minimum.b)
    values = w[0] * axis[None, :] + w[1] * axis[:, None] + b_
    return data | {"shade": shading(SolutionDrawing(half, values[::-1], (), (), (), {}))}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the errors of the line by hand; after Show also the minimum and the SVM's, or what the slides count."""
    m, yours = stage.data.m, len(wrong_rows(own_line(stage), stage))
    by_hand = reading(_("your errors"), float(yours), _("Number of training errors of your line"))
    if not stage.shown:
        return [by_hand]
    minimum = fewest_so_far(stage)
    if stage.pick("counted") == "printed":
        definition = _("Number of points that your line classifies correctly")
        in_slides = reading(_("the slides' sum"), float(m - yours), definition)
        definition = _("The same sum for the best line with its sides exchanged")
        reversed_ = [] if minimum is None else [reading(_("best reversed"), float(minimum.errors), definition)]
        return [by_hand, in_slides, *reversed_]
    definition = _("Smallest number of training errors of any line")
    minimum_readings = [] if minimum is None else [reading(_("minimum"), float(minimum.errors), definition)]
    definition = _("Number of training errors of the SVM with the C of the slider")
    return [by_hand, *minimum_readings, reading(_("errors of the SVM"), float(errors_of(stage.solution)), definition)]


def answer(stage: Stage) -> int:
    """Return whether all tested C, the largest, only others, or none have as few errors as the best line."""
    minimum, by_C = fewest(stage).errors, errors_by_C(stage)
    optimal = [C for C, n in by_C.items() if n <= minimum]
    if len(optimal) == len(by_C):
        return 0
    return 3 if not optimal else 1 if max(by_C) in optimal else 2


def verdict(stage: Stage) -> str:
    """Say the smallest possible number of errors and the SVM's."""
    minimum, by_C = fewest(stage).errors, errors_by_C(stage)
    optimal = [C for C, n in by_C.items() if n <= minimum]
    template = (
        _("For all of them. The number of training errors is always {least}, and no line has fewer."),
        _(
            "For the largest, but not for all. The number of errors is {least}, the minimum, for C = {C}, but {more} "
            "for C = {other}."
        ),
        _("For a smaller one, but not for the largest. C = {C} gives {least}, the minimum, but C = 1000 gives {more}."),
        _("For none of them. The minimum is {least}, but the SVM makes {every} errors. It minimises another loss."),
    )[answer(stage)]
    C, other = max(optimal, default=1.0), max((C for C in by_C if C not in optimal), default=1.0)
    *first, last = (str(n) for n in by_C.values())
    every = _("{first} and {last}").format(first=", ".join(first), last=last) if first else last
    return template.format(least=minimum, C=short(C), other=short(other), more=by_C.get(other, 0), every=every)


def chart(stage: Stage) -> Chart:
    """Return the map of all lines by angle and offset. A click moves the line by hand there."""
    map_, palette, m = error_map(stage), stage.palette, stage.data.m
    as_in_slides = stage.pick("counted") == "printed"
    counts = m - map_.errors if as_in_slides else map_.errors
    minimum, line = fewest_so_far(stage), own_line(stage)
    kinds = [(_("SVM"), line_of(stage.solution.w, stage.solution.b), palette.text, "circle")]
    if minimum is not None:
        sign = -1.0 if as_in_slides else 1.0
        name = _("best reversed") if as_in_slides else _("best")
        kinds.append((name, line_of(sign * minimum.w, sign * minimum.b), palette.accent, "circle"))
    kinds.append((_("yours"), line, palette.accent, "diamond"))
    marks = []
    for name, each, colour, symbol in kinds:
        if each:
            n = len(wrong_rows(each, stage))
            marks.append(Mark(name, *place_of(each.w, each.b), m - n if as_in_slides else n, colour, symbol))
    hover = _("correct: {n}") if as_in_slides else _("errors: {n}")
    fewest_errors = None if minimum is None else minimum.errors
    figure = terraced(map_.angles, map_.offsets, counts, fewest_errors, marks, hover, palette)
    return Chart(figure, lambda index: _moved_to(stage, *divmod(int(index), len(map_.offsets))))


def _moved_to(stage: Stage, i: int, j: int) -> Op:
    """Return the operation that moves the line by hand to a position of the map."""
    map_ = error_map(stage)
    a, b = handles_of(float(map_.angles[i]), float(map_.offsets[j]), stage.lab.view)
    return {"op": "hand", "a": list(a), "b": list(b), "live": False}


def says(stage: Stage) -> str:
    """Say what the map shows."""
    if stage.pick("counted") == "printed":
        return _(
            "The sum in the slides counts the **correctly** classified points. It is 0 at $w = 0$, $b = 0$. Among "
            "lines through no point, it is smallest for the best line with its sides exchanged."
        )
    if line_of(stage.solution.w, stage.solution.b) is None:
        return _(
            "The SVM has $w = 0$ here, so it predicts the same class everywhere. Each position on the map is one line, "
            "and darker grey means more training errors. Click the map to move your line."
        )
    return _(
        "Each position on the map is one line, and darker means more errors. The count is piecewise "
        "constant, so its gradient gives no descent direction. On the board, the SVM is solid and a best "
        "line dashed."
    )


def formula(stage: Stage) -> str:
    """Return the number of training errors, and in the other view also what the slides count."""
    if stage.pick("counted") == "printed":
        return (
            r"\text{"
            + _("slides:")
            + r"}\ \textstyle\sum_i \mathbf 1[\,y_i f(x_i) > 0\,] \qquad \text{"
            + _("correct:")
            + r"}\ \sum_i \mathbf 1[\,y_i f(x_i) \le 0\,]"
        )
    return r"\min_{w,\,b}\ \textstyle\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,]"


def more(stage: Stage) -> Sequence[Part]:
    """Return both ways to find the minimum, how hard it is, what the surrogate costs, and what the slides state."""
    m, fewest_errors, by_C = stage.data.m, fewest(stage).errors, errors_by_C(stage)
    grid = stage.cached_for_points("fine map of lines", lambda: int(mapped(stage.data, 361, 401).errors.min()))
    every = ", ".join(f"{n} ({short(C)})" for C, n in by_C.items())
    return [
        _(
            "**On the board.** You see a line with the smallest number of errors (dashed), with its sides "
            "shaded. The solid line without handles is the decision boundary of the SVM with the $C$ of the "
            "slider. Move the slider to see the SVM for other values of $C$. For some of them it can make fewer "
            "errors than for the four tested values. Click the map to move your line. A number beside a point "
            "counts points at the same position."
        ),
        _(
            "**The flowers.** The first board has every third versicolor and virginica of the data of R. A. Fisher "
            "(1936). $x_1$ is the petal length minus 4.9 cm, and $x_2$ is the petal width minus 1.7 cm."
        ),
        _(
            "**Two computations.** The first tries all lines through two points, shifted slightly to both sides and in "
            "both orientations, and the two constant predictions. Its minimum is {least}. The second tries the 361 × "
            "401 lines of a grid. Its minimum is {grid}, and it can only be equal or larger. The SVM's numbers of "
            "training errors are {every}, with $C$ in brackets."
        ).format(least=fewest_errors, grid=grid, every=every),
        _(
            "**How hard the minimum is to find.** In the plane, about $m^2/2$ lines must be tried, with $m$ points "
            "each. In $d$ dimensions this number grows like $m^d$, and in general the problem is NP-hard. On separable "
            "points, the perceptron finds a line without errors."
        ),
        _(
            "**The difference.** The SVM minimises the hinge loss instead of the number of errors. On this board, its "
            "smallest number of errors for a tested $C$ is {few}, and the minimum is {least}. The Italian notes on "
            "half-spaces explain the generalisation error by this replacement. The generalisation error is something "
            "else. It is about new points, and the line with the fewest training errors has one too."
        ).format(few=min(by_C.values()), least=fewest_errors),
        _(
            "**The slides.** Gambosi's slides write the sum with $y_i f(x_i) > 0$, which counts the correctly "
            "classified points. Its minimum is 0, at $w = 0$, $b = 0$. On separable points, a separating line with its "
            "sides exchanged also gives 0, although it misclassifies every point. On this board, the best line with "
            "its sides exchanged misclassifies {wrong} of {m} points, or more if it passes through points. The list of "
            "loss functions in the same slides correctly has $\\le 0$."
        ).format(wrong=m - fewest_errors, m=m),
    ]


BESIDE = 4.0  # degrees between a mark and its label, whose paper would hide a part of it
TICK_ANGLES = (-120, -60, 0, 60, 120)
EVERY = 10  # of the map's angles and offsets, one can be clicked


class Mark(NamedTuple):
    """A line in the map: its name, angle, offset and count, and the colour and symbol of its mark."""

    name: str
    angle: float
    offset: float
    counted: int
    colour: str
    symbol: str


def terraced(
    angles: Array,
    offsets: Array,
    counts: Index,
    fewest_errors: int | None,
    marks: Sequence[Mark],
    hover: str,
    palette: Palette,
) -> go.Figure:
    """Return counts (k, n) at angles (k,) in degrees and offsets (n,), darker where there are more.

    fewest_errors: a line surrounds the lines with so many errors. hover: the words of a position, with {n} for the
    count. customdata of what can be clicked: the index of the angle times n plus that of the offset.
    """
    figure = empty_chart(palette, _("angle of w"), _("offset"), height=300)
    grey = go.Heatmap(x=angles, y=offsets, z=counts.T.astype(np.uint8), zmin=float(counts.min()), name="errors")
    grey.update(colorscale=[[0.0, palette.paper], [1.0, palette.quiet]], showscale=False, hoverinfo="skip")
    figure.add_trace(grey.update(zmax=float(max(counts.max(), counts.min() + 1))))
    if fewest_errors is not None:
        edge = level_lines(angles, offsets, counts.T.astype(float), np.array([fewest_errors + 0.5]))
        rim = go.Scatter(x=edge[:, 0], y=edge[:, 1], mode="lines", name="fewest", hoverinfo="skip")
        figure.add_trace(rim.update(line=palette.pen(palette.accent, 2)))
    figure.add_trace(_positions(angles, offsets, counts, hover, palette))
    for mark in marks:
        figure.add_trace(_mark(mark, hover, palette))
    figure.update_xaxes(
        range=[-180.0, 180.0],
        tickvals=TICK_ANGLES,
        ticktext=[f"{a}°".replace("-", "−") for a in TICK_ANGLES],
        showgrid=False,
    )
    figure.update_yaxes(range=[float(offsets[0]), float(offsets[-1])], nticks=5, showgrid=False)
    names = []
    for mark in marks:
        side, direction = ("left", -1.0) if mark.angle > 90 else ("right", 1.0)
        beside = mark.angle + direction * BESIDE * palette.stroke
        names.append(Label(mark.name, beside, mark.offset, mark.colour, side))
    return place_labels(figure, palette, names, backed=True)


def _positions(angles: Array, offsets: Array, counts: Index, words: str, palette: Palette) -> go.Scatter:
    """Return invisible marks to click, because plotly reports clicks on marks only."""
    rows, columns = (np.arange(EVERY // 2, len(axis), EVERY) for axis in (angles, offsets))
    i, j = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    custom = np.stack([i * len(offsets) + j, counts[i, j]], 1)
    hover = words.format(n="%{customdata[1]}") + "<br>%{x:.0f}°, %{y:.3g}<extra></extra>"
    marker = {"size": SPOT, "color": CLEAR}
    trace = go.Scatter(x=angles[i], y=offsets[j], mode="markers", name="places", customdata=custom, marker=marker)
    return trace.update(hovertemplate=hover)


def _mark(mark: Mark, words: str, palette: Palette) -> go.Scatter:
    """Return the mark of a line. That of the line by hand is open, as its handles are."""
    own = mark.symbol == "diamond"
    ring = palette.pen(mark.colour if own else palette.paper, 3 if own else 2)
    marker = {"size": (SIZE + 3) * palette.stroke, "symbol": mark.symbol, "line": ring}
    marker["color"] = palette.paper if own else mark.colour
    trace = go.Scatter(x=np.array([mark.angle]), y=np.array([mark.offset]), mode="markers", name=mark.name)
    hover = f"{mark.name}<br>{words.format(n=mark.counted)}<br>%{{x:.1f}}°, %{{y:.4g}}<extra></extra>"
    return trace.update(marker=marker, hovertemplate=hover, cliponaxis=False)


ERRORS = Step(
    key="errors",
    title=N_("0–1 loss and hinge loss"),
    situation=situation,
    question=N_(
        "For which of $C$ = 0.1, 1, 10 and 1000 does the SVM reach the smallest number of training errors of any line?"
    ),
    choices=(
        Choice(
            N_("For all of them"),
            N_(
                "Both losses penalise errors. However, the hinge loss adds up margin violations, and it does not count "
                "the misclassified points."
            ),
        ),
        Choice(
            N_("For the largest, but not for all"),
            N_(
                "A large C makes violations expensive. However, one point far on the wrong side can cost as much as "
                "several near ones."
            ),
        ),
        Choice(
            N_("For a smaller one, but not for the largest"),
            N_("A smaller C reduces the influence of single points. However, it also gives a short w more weight."),
        ),
        Choice(
            N_("For none of them"),
            N_(
                "This can happen, because the two losses are different. On this board, some of the four values reach "
                "the minimum."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    introduces=("zero-one-loss", "errors", "loss"),
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, at_most(200), SOLVED),
    draw=draw,
    rests_on_answer=lambda stage: errors_of(stage.solution) > fewest(stage).errors,
    numbers=numbers,
    picks=(Pick("counted", N_("What is counted"), tuple(COUNTED), "errors", COUNTED.__getitem__, in_more=True),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("w = 0"), board=board_of_points((*SIX, (5, 0, -1), (5, 0.5, -1)), value=1.0)),
        Try(N_("XOR"), board=preset("xor", size=20, noise=0.1, seed=4)),
        Try(N_("Separable"), board=preset("separable", size=20, noise=0.1, seed=0)),
    ),
    shows=("L4", "L16", "L9", "L15", "T17"),
)
