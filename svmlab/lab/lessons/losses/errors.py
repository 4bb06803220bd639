"""The fewest errors of a line by counting, beside the SVM's, and a line placed by hand (L4, L9, L15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.contours import level_lines
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, SPOT
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.losses.fewest import fewest, fewest_so_far
from svmlab.lab.lessons.losses.placing import Terraces, handles_of, mapped, place_of
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, normal_of, reading, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing
from svmlab.plane.geometry import Line

TRIED = (0.1, 1.0, 10.0, 1000.0)  # values of C beside the board's own
ON = 1e-9  # y f up to which a point counts as on the line, and so as wrong
SIX = ((1, 0, 1), (2, 1, 1), (2, -1, 1), (-1, 0, -1), (-2, 1, -1), (-2, -1, -1))
# Two points far out on the other side turn the SVM's line at every C. A line that misclassifies both separates the
# other points.
BOARD = board_of_points(
    (
        *((0.8 * x, 0.8 * y, label) for x, y, label in SIX),
        (1.3, -1.7, 1),
        (-1.9, 0.7, -1),
        (3.8, -1.6, -1),
        (3.5, -1.2, -1),
    ),
    value=1.0,
)
START = ((-2.2, 1.8), (2.2, -0.6))
COUNTED = {"errors": N_("wrong points"), "printed": N_("as printed")}
RING = 0.055  # of the view: around a point that is wrong
N = 64  # places of the shading along each side


def own(stage: Stage) -> Line:
    """The line through the handles; before it was touched, the way round that has more points on their own sides."""
    a, b = stage.hand or START
    line = Line.through(a, b)
    if stage.hand or (line.margins(stage.data.X, stage.data.y) > 0).mean() >= 0.5:
        return line
    return Line.through(b, a)


def wrong(line: Line, stage: Stage) -> list[int]:
    """The rows that a line has wrong or on it."""
    return np.flatnonzero(line.margins(stage.data.X, stage.data.y) <= ON).tolist()


def errors_of(machine: Solution) -> int:
    """How many points a machine has wrong or on its line."""
    return int((machine.margins <= ON).sum())


def straight(w: Sequence[float] | np.ndarray | None, b: float) -> Line | None:
    """A line, None where w = 0 but for rounding."""
    return None if w is None or float(np.hypot(*w)) <= ON else Line(np.asarray(w), b)


def tried(stage: Stage) -> dict[float, int]:
    """The errors of the SVM at each C of TRIED and at the board's own, in their order."""
    values = sorted({*TRIED, stage.lab.C})
    machines = {C: stage.cache.outcome(replace(stage.lab.problem, C=C)).solution for C in values}
    return {C: errors_of(machine) for C, machine in machines.items() if machine is not None}


def ground(stage: Stage) -> Terraces:
    """The map behind the chart."""
    return stage.cached_for_points("map of lines", lambda: mapped(stage.data, 361, 201))


def draw(stage: Stage) -> Data:
    """The line by hand with its errors ringed; once shown the SVM's line, and the best by counting with its sides
    shaded.
    """
    line, half = own(stage), stage.lab.view
    rings = [stroke(np.r_[stage.data.X[i], RING * half], "witness-line", "disc") for i in wrong(line, stage)]
    a, b = stage.hand or START
    if line.normal @ Line.through(a, b).normal < 0:
        a, b = b, a
    data: Data = {"hand": {"a": a, "b": b}, "overlay": rings, "legend": None, "message": None, **POINTS_ONLY}
    if not stage.shown:
        return data
    machine = straight(stage.solution.w, stage.solution.b)
    zero = [flat_coordinates(ends) for ends in machine.clipped(half)] if machine else []
    data["lines"] = {"zero": zero, "plus": [], "minus": []}
    found = fewest_so_far(stage)
    if found is None:
        return data
    sign = -1.0 if stage.pick("counted") == "printed" else 1.0
    best = straight(sign * found.w, sign * found.b)
    if best:
        data["overlay"] = [*line_strokes(best, half, "accent dashed"), normal_of(best, half, "accent"), *rings]
    at = np.linspace(-half, half, N)
    w, b_ = (best.normal, best.b / best.norm) if best else (np.zeros(2), sign * found.b)
    values = w[0] * at[None, :] + w[1] * at[:, None] + b_
    return data | {"shade": shading(SolutionDrawing(half, values[::-1], (), (), (), {}))}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Errors of the line by hand, and once shown the fewest and the SVM's; or what the print counts."""
    m, yours = stage.data.m, len(wrong(own(stage), stage))
    readings = [reading(_("your errors"), float(yours))]
    if not stage.shown:
        return readings
    found = fewest_so_far(stage)
    if stage.pick("counted") == "printed":
        readings.append(reading(_("as printed"), float(m - yours)))
        least = [] if found is None else [reading(_("best, turned round"), float(found.errors))]
        return [*readings, *least, reading(_("at w = 0, b = 0"), 0.0)]
    least = [] if found is None else [reading(_("fewest"), float(found.errors))]
    return [*readings, *least, reading(_("SVM at this C"), float(errors_of(stage.solution)))]


def answer(stage: Stage) -> int:
    """Whether every C, the largest, some other, or none of those tried has as few errors as the best line."""
    least, by_C = fewest(stage).errors, tried(stage)
    good = [C for C, n in by_C.items() if n <= least]
    if len(good) == len(by_C):
        return 0
    return 3 if not good else 1 if max(by_C) in good else 2


def verdict(stage: Stage) -> str:
    """The fewest errors, and the SVM's."""
    least, by_C = fewest(stage).errors, tried(stage)
    good = [C for C, n in by_C.items() if n <= least]
    said = (
        _("every C tried: the SVM has {least}, and no line has fewer."),
        _("a large C: at C = {C} the SVM has {least}, at C = {other} it has {more}."),
        _("not the largest C: at C = {C} the SVM has {least}, at C = {other} it has {more}."),
        _("no C tried: some line has {least} wrong, the SVM {few} or more."),
    )[answer(stage)]
    bad = [C for C in by_C if C not in good]
    C, other = max(good, default=1.0), max(bad, default=1.0)
    few, more_ = min(by_C.values()), by_C.get(other, 0)
    return said.format(least=least, C=short(C), other=short(other), more=more_, few=few)


def chart(stage: Stage) -> Chart:
    """All lines by angle and offset; a click puts one's own line there."""
    now, palette, m = ground(stage), stage.palette, stage.data.m
    printed = stage.pick("counted") == "printed"
    counts = m - now.errors if printed else now.errors
    found, line = fewest_so_far(stage), own(stage)
    kinds = [(_("SVM"), straight(stage.solution.w, stage.solution.b), palette.text, "circle")]
    if found is not None:
        sign = -1.0 if printed else 1.0
        name = _("turned round") if printed else _("best")
        kinds.append((name, straight(sign * found.w, sign * found.b), palette.accent, "circle"))
    kinds.append((_("yours"), line, palette.accent, "diamond"))
    marks = []
    for name, each, colour, symbol in kinds:
        if each:
            n = len(wrong(each, stage))
            marks.append(Mark(name, *place_of(each.w, each.b), m - n if printed else n, colour, symbol))
    what = _("counted: {n}") if printed else _("wrong: {n}")
    figure = terraced(now.angles, now.offsets, counts, None if found is None else found.errors, marks, what, palette)
    return Chart(figure, lambda index: _put(stage, *divmod(int(index), len(now.offsets))))


def _put(stage: Stage, i: int, j: int) -> Op:
    """The own line at a place of the map."""
    now = ground(stage)
    a, b = handles_of(float(now.angles[i]), float(now.offsets[j]), stage.lab.view)
    return {"op": "hand", "a": list(a), "b": list(b), "live": False}


def says(stage: Stage) -> str:
    """How the map is read; what the printed sum prefers."""
    if stage.pick("counted") == "printed":
        return _(
            "The printed sum counts the **right** points. So it prefers the best line turned round, and $w = "
            "0$, $b = 0$ brings it down to 0."
        )
    if straight(stage.solution.w, stage.solution.b) is None:
        return _(
            "The SVM has $w = 0$ here: no line, all points called by one label. In the map every line is a "
            "place, greyer with more errors; a click puts yours there."
        )
    said = _(
        "Every line is a place, greyer with more errors: terraces and cliffs, no slope to walk down. A "
        "click puts yours there."
    )
    found = fewest_so_far(stage)
    best = None if found is None else straight(found.w, found.b)
    return said + " " + _("The dashed line is the best.") if best else said


def formula(stage: Stage) -> str:
    """The count, right or as printed."""
    if stage.pick("counted") == "printed":
        return (
            r"\textstyle\sum_i \mathbf 1[\,y_i f(x_i) > 0\,] \quad\text{in place of}\quad \sum_i \mathbf "
            r"1[\,y_i f(x_i) \le 0\,]"
        )
    return r"\min_{w,\,b}\ \textstyle\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,]"


def more(stage: Stage) -> Sequence[Part]:
    """Both ways to find the fewest, the print, how hard it is, what the surrogate costs."""
    m, least, by_C = stage.data.m, fewest(stage).errors, tried(stage)
    grid = stage.cached_for_points("fine map of lines", lambda: int(mapped(stage.data, 361, 401).errors.min()))
    every = ", ".join(f"{n} ({short(C)})" for C, n in by_C.items())
    return [
        _(
            "**Two ways.** All lines through two points, nudged to both sides and turned both ways, and the "
            "two constants: {least} wrong at least. "
            "361 × 401 lines of the map: {grid}, which can only be more. The SVM: {every}, with C in brackets."
        ).format(least=least, grid=grid, every=every),
        _(
            "**The print.** Gambosi's slides write the count with $y_i f(x_i) > 0$, which counts the right "
            "points. Least is 0, at $w = 0$, $b = 0$; on "
            "separable points also at a separating line turned round, that has all of them wrong. Turned "
            "round, the best line here has {wrong} of {m} "
            "wrong. The list of losses in the same slides has $\\le 0$, as it should be."
        ).format(wrong=m - least, m=m),
        _(
            "**How hard.** In the plane the lines to be tried are some $m^2/2$, with $m$ points each. With "
            "the dimension their number grows like $m^d$, and "
            "in general the task is NP-hard; the slides add that even coming near is. On separable points "
            "the perceptron finds a line without errors."
        ),
        _(
            "**What it costs.** The hinge stands in for the count, and the price on these points is {few} − "
            "{least} = {gap}: the SVM's errors at the C that has "
            "fewest, less the best line's. The Italian notes on half-spaces blame the generalisation error "
            "on the surrogate; that one is the gap between "
            "these points and fresh ones, and the line that counts best has it too."
        ).format(few=min(by_C.values()), least=least, gap=min(by_C.values()) - least),
    ]


BESIDE = 4.0  # degrees between a mark and its label, whose paper would hide a part of it
TURNS = (-120, -60, 0, 60, 120)
EVERY = 10  # of the map's angles and offsets, one can be clicked


class Mark(NamedTuple):
    """A line in the map: its name, angle and offset, how many it counts, and the key and symbol of its mark."""

    name: str
    angle: float
    offset: float
    counted: int
    colour: str
    symbol: str


def terraced(
    angles: Array, offsets: Array, counts: Index, least: int | None, marks: Sequence[Mark], what: str, palette: Palette
) -> go.Figure:
    """Counts (k, n) at angles (k,) in degrees and offsets (n,), paper where there are few; `least`: around them a line.

    what: the hover of a place, with {n} for the count. customdata of what can be clicked: k's index times n plus n's.
    """
    figure = blank(palette, _("angle of w"), _("offset"), height=300)
    grey = go.Heatmap(x=angles, y=offsets, z=counts.T.astype(np.uint8), zmin=float(counts.min()), name="errors")
    grey.update(colorscale=[[0.0, palette.paper], [1.0, palette.quiet]], showscale=False, hoverinfo="skip")
    figure.add_trace(grey.update(zmax=float(max(counts.max(), counts.min() + 1))))
    if least is not None:
        edge = level_lines(angles, offsets, counts.T.astype(float), np.array([least + 0.5]))
        rim = go.Scatter(x=edge[:, 0], y=edge[:, 1], mode="lines", name="fewest", hoverinfo="skip")
        figure.add_trace(rim.update(line=palette.pen(palette.accent, 2)))
    figure.add_trace(_places(angles, offsets, counts, what, palette))
    for mark in marks:
        figure.add_trace(_mark(mark, what, palette))
    figure.update_xaxes(
        range=[-180.0, 180.0], tickvals=TURNS, ticktext=[f"{a}°".replace("-", "−") for a in TURNS], showgrid=False
    )
    figure.update_yaxes(range=[float(offsets[0]), float(offsets[-1])], nticks=5, showgrid=False)
    names = []
    for mark in marks:
        side, way = ("left", -1.0) if mark.angle > 90 else ("right", 1.0)
        beside = mark.angle + way * BESIDE * palette.stroke
        names.append(Label(mark.name, beside, mark.offset, mark.colour, side))
    return place_labels(figure, palette, names, backed=True)


def _places(angles: Array, offsets: Array, counts: Index, what: str, palette: Palette) -> go.Scatter:
    """Places to click: plotly tells of clicks on marks alone."""
    rows, columns = (np.arange(EVERY // 2, len(at), EVERY) for at in (angles, offsets))
    i, j = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    told = np.stack([i * len(offsets) + j, counts[i, j]], 1)
    hover = what.format(n="%{customdata[1]}") + "<br>%{x:.0f}°, %{y:.3g}<extra></extra>"
    marker = {"size": SPOT, "color": CLEAR}
    trace = go.Scatter(x=angles[i], y=offsets[j], mode="markers", name="places", customdata=told, marker=marker)
    return trace.update(hovertemplate=hover)


def _mark(mark: Mark, what: str, palette: Palette) -> go.Scatter:
    """A line's mark: open where it is one's own, as its handles are."""
    own = mark.symbol == "diamond"
    ring = palette.pen(mark.colour if own else palette.paper, 3 if own else 2)
    marker = {"size": (SIZE + 3) * palette.stroke, "symbol": mark.symbol, "line": ring}
    marker["color"] = palette.paper if own else mark.colour
    trace = go.Scatter(x=np.array([mark.angle]), y=np.array([mark.offset]), mode="markers", name=mark.name)
    hover = f"{mark.name}<br>{what.format(n=mark.counted)}<br>%{{x:.1f}}°, %{{y:.4g}}<extra></extra>"
    return trace.update(marker=marker, hovertemplate=hover, cliponaxis=False)


ERRORS = Step(
    key="errors",
    title=N_("Counting errors"),
    question=N_(
        "Turn and slide the line: what it has wrong is ringed. With which C does the SVM's line make as "
        "few errors as any line can?"
    ),
    choices=(
        Choice(N_("With every C"), N_("The hinge adds up how far points are wrong, not how many are.")),
        Choice(
            N_("With a large C"), N_("Slack is dear then; but one far point has as much of it as several near ones.")
        ),
        Choice(N_("With a smaller C"), N_("Then width counts for more, and errors for less.")),
        Choice(N_("With none: counting and hinge disagree"), N_("They may; on these points they agree for some C.")),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, at_most(200), SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(Pick("counted", N_("What is counted"), tuple(COUNTED), "errors", COUNTED.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("w = 0"), board=board_of_points((*SIX, (5, 0, -1), (5, 0.5, -1)), value=1.0)),
        Try(N_("XOR"), board=preset("xor", size=20, noise=0.1, seed=4)),
        Try(N_("Separable"), board=preset("separable", size=20, noise=0.1, seed=0)),
    ),
    shows=("L4", "L9", "L15"),
)
