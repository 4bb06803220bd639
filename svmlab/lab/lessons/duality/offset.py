"""b as each point would have it (H7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import axis_range_around, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.expansion import readings
from svmlab.lab.lessons.duality.kkt import one_that
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import line_strokes, reading, select_point, set_machine
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line


def tolerance(stage: Stage) -> float:
    """How far an answer may be off and still be the right b."""
    return max(1e-7, 1e3 * stage.solution.noise)


ASKED = Need(
    lambda stage: bool(stage.solution.free.any()),
    N_("No multiplier lies strictly between its limits here, so nobody knows b."),
    {"hard": True},
)
WRONG = Need(
    lambda stage: bool(abs(readings(stage.solution) - stage.solution.b).max() > tolerance(stage)),
    N_("Every point lies on its margin line here, so everybody is right."),
    {},
)


def asked(stage: Stage) -> int:
    """The row of the selected point, or of the one whose answer is furthest off."""
    if stage.selected_row is not None:
        return stage.selected_row
    return int(abs(readings(stage.solution) - stage.solution.b).argmax())


def draw(stage: Stage) -> Data:
    """The line that the point in question asks for."""
    i, solution = asked(stage), stage.solution
    if not stage.shown or not stage.lab.kernel_function.is_linear or solution.w is None:
        return {}
    line = Line(solution.w, float(readings(solution)[i]))
    return {"overlay": line_strokes(line, stage.lab.view, "accent"), "selected": stage.lab.points[i].id}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What the point in question asks for, what is right, and how far its line would move."""
    if not stage.shown:
        return ()
    i, solution = asked(stage), stage.solution
    b = float(readings(solution)[i])
    off = abs(b - solution.b)
    return [
        reading(_("point"), f"{i + 1}"),
        reading(_("asks for b"), b),
        reading(_("right"), solution.b),
        reading(_("off by"), 0.0 if off <= tolerance(stage) else off / solution.norm_w),
    ]


def chart(stage: Stage) -> Chart:
    """Everybody's b on one axis; a click selects the point."""
    solution, data = stage.solution, stage.data
    b, chosen = readings(solution), stage.lab.points[asked(stage)].id
    figure = dots(b, data.y, data.ids, solution.free, solution.b, chosen, stage.lab.hard, stage.palette)
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """How well those who know agree, and how far the others are off."""
    solution = stage.solution
    b = readings(solution)
    return _("The {n} who know agree to within {spread}. All {m} together answer from {lo} to {hi}.").format(
        n=int(solution.free.sum()),
        spread=short(float(np.ptp(b[solution.free])), 2, tolerance(stage)),
        m=len(b),
        lo=short(float(b.min()), 3, tolerance(stage)),
        hi=short(float(b.max()), 3, tolerance(stage)),
    )


def more(stage: Stage) -> Sequence[Part]:
    """Why these know, and what is printed elsewhere."""
    solution = stage.solution
    b = readings(solution)
    out: list[Part] = [
        _(
            "A multiplier strictly between its limits puts its point exactly on its margin line: $y_k f(x_k) "
            "= 1$, solved for $b$. "
            "Gambosi's English slides admit every point whose multiplier is **at least** 0, and that is everybody. "
            "Where no multiplier lies strictly between its limits nobody pins $b$: every $b$ of an interval is optimal."
        )
    ]
    if not stage.lab.hard and bool(solution.at_bound.any()):
        out.append(
            _("The mean over all {n} points with α > 0 would be {mean}, and right is {b}.").format(
                n=int(solution.support.sum()),
                mean=short(float(b[solution.support].mean())),
                b=short(solution.b, noise=tolerance(stage)),
            )
        )
    return out


def dots(
    values: Array, y: Array, ids: Index, free: Mask, b: float, selected: int | None, hard: bool, palette: Palette
) -> go.Figure:
    """The b of each point (m,): those whose multiplier is `free` above, all the others below; the right b as a line."""
    figure = blank(palette, _("b, as each point would have it"), height=250, top=34)
    lo, hi = axis_range_around(np.append(values, b))
    hover = _("point") + " %{customdata[1]}<br>b = %{x:.8g}<extra></extra>"
    for sign in (1, -1):
        mine = y == sign
        height = _stacked(values[mine], free[mine], sign, 0.03 * (hi - lo))
        custom = np.stack([ids[mine], np.flatnonzero(mine) + 1], 1)
        chosen = ids[mine] == selected
        figure.add_trace(
            marks.points(palette, values[mine], height, y[mine], custom, chosen, name=str(sign), hover=hover)
        )
    marks.add_rule(figure, palette, palette.text, x=b, width=2, layer="below")
    figure.update_xaxes(range=[lo, hi])
    lanes = [_("others"), "α > 0" if hard else "0 < α < C"]
    figure.update_yaxes(tickvals=[0, 1], ticktext=lanes, range=[-0.6, 1.6], showgrid=False)
    return place_labels(figure, palette, [Label("b", b, 1.6, palette.text, "above")])


def _stacked(values: Array, free: Mask, sign: int, width: float) -> Array:
    """Heights of marks in their lanes; those that would hide each other are stacked away from the other class."""
    level = np.zeros(len(values))
    for lane in (free, ~free):
        level[lane] = marks.stacked(values[lane], width, rows=4)
    return np.where(free, 1.0, 0.0) + sign * (0.09 + 0.12 * level)


OFFSET = Step(
    key="offset",
    title=N_("b, and whom to ask"),
    question=N_(
        "$w$ is known. Ask any point for the $b$ that puts it exactly on its margin line, $b = y_k - "
        "\\langle w, x_k\\rangle$. "
        "Whose answer is right?"
    ),
    choices=(
        wrong(
            N_("Everybody's"), N_("Everybody has an answer, but only points on their margin line have the right one.")
        ),
        right(N_("Those with α strictly between its limits")),
        wrong(
            N_("Only the point nearest to the line"),
            N_("It may know, but so does every other point that lies exactly on its margin line."),
        ),
    ),
    board=TWELVE,
    needs=(BOTH_CLASSES, BIAS, PRODUCT, SOLVED, NONZERO_W, at_most(30), ASKED, WRONG),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=lambda stage: r"b=y_k-\sum_j\alpha_jy_j\,k(x_j,x_k),\quad 0<\alpha_k" + ("" if stage.lab.hard else "<C"),
    more=more,
    tries=(
        Try(N_("Far beyond"), one_that(supports=False)),
        Try(N_("Support vector"), one_that(supports=True)),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H7",),
)
