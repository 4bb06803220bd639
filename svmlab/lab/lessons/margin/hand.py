"""A line placed by hand, and its margin compared with the largest one (M4)."""

from __future__ import annotations

import math

import numpy as np

from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, class_names, largest_margin
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, select_point, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal

Handles = tuple[tuple[float, float], tuple[float, float]]
START = np.array([(0.4, 0.65), (-0.15, -0.6)])  # in units of half the board
NEARLY, MOSTLY = 0.99, 0.9  # proportions of the largest margin that the answer distinguishes


def handles(stage: Stage) -> Handles:
    """Return the two handles. Until somebody moves them, more than half of the points are on their correct side."""
    (ax, ay), (bx, by) = (stage.lab.view * START).tolist()
    a, b = (ax, ay), (bx, by)
    if stage.hand:
        return stage.hand
    correct = Line.through(a, b).margins(stage.data.X, stage.data.y) > 0
    return (a, b) if correct.mean() >= 0.5 else (b, a)


def own_line(stage: Stage) -> Line:
    """Return the line through the handles."""
    return Line.through(*handles(stage))


def own_margin(stage: Stage) -> float:
    """Return its margin, the smallest geometric margin of all points."""
    return own_line(stage).margin(stage.data.X, stage.data.y)


def draw(stage: Stage) -> Data:
    """The line with its margin lines, and rings at points on its wrong side; the SVM only once shown."""
    a, b = handles(stage)
    line, data, half = own_line(stage), stage.data, stage.lab.view
    margins = line.margins(data.X, data.y)
    margin = float(margins.min())
    if margin > 0:
        overlay = [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    else:
        overlay = [stroke(np.r_[x, 0.035 * half], "witness-line", "disc") for x in data.X[margins <= 0]]
        empty = float(np.abs(margins).min())  # half the strip without points, which a negative margin does not measure
        overlay += [
            item for t in (empty, -empty) if empty for item in line_strokes(line.shifted(t), half, "faint dashed")
        ]
    hidden: Data = {"legend": None} if stage.shown else {**POINTS_ONLY, "legend": None}
    return {"hand": {"a": a, "b": b}, "tool": "line", "overlay": overlay, "sliders": [], **hidden}


MARGIN = Measure(N_("margin of your line"), own_margin, N_("Smallest geometric margin of all points"))
LARGEST = Measure(
    N_("largest γ*"), largest_margin, N_("Largest margin of all lines: 1/‖w*‖, where w* is the w of the SVM"), True
)
HINT = Measure(
    N_("hint"), lambda stage: _("swap the handles"), N_("More than half of the points are on the wrong side")
)


def numbers(stage: Stage) -> list[Reading]:
    """The margin of the line, a hint if its sides are exchanged, and the largest margin once shown."""
    is_reversed = (own_line(stage).margins(stage.data.X, stage.data.y) <= 0).mean() > 0.5
    measures = [MARGIN, *([HINT] if is_reversed else []), *([LARGEST] if stage.shown else [])]
    return [measure.reading(stage) for measure in measures]


def proportion(stage: Stage) -> float:
    """Return the margin of the line, divided by the largest margin."""
    return own_margin(stage) / largest_margin(stage)


def answer(stage: Stage) -> int:
    """Return the range of the proportion."""
    share = proportion(stage)
    return 3 if share <= 0 else 0 if share >= NEARLY else 1 if share >= MOSTLY else 2


def verdict(stage: Stage) -> str:
    i, most = answer(stage), short(largest_margin(stage))
    own = short(own_margin(stage), noise=ROUNDING)
    if i == 3:
        none = _("None, the line does not separate the classes. Its margin is {own}, and the largest is {most}.")
        return none.format(own=own, most=most)
    rounded_down = f"{math.floor(1000 * min(proportion(stage), 1.0) + 1e-9) / 10:g}"
    said = _("{choice}. The green line has the margin {own} of at most {most}, so the proportion is {share} %.")
    return said.format(choice=_(HAND.choices[i].text), own=own, most=most, share=rounded_down)


def chart(stage: Stage) -> Chart:
    """The geometric margin of every point for the line, with the largest margin dashed."""
    data, borders = stage.data, {0.0: "solid", largest_margin(stage): "dash"}
    margins, chosen = own_line(stage).margins(data.X, data.y), stage.lab.selected
    title = _("geometric margin for the green line")
    return Chart(rows_chart(margins, data, chosen, borders, title, class_names(), stage.palette), select_point)


def _put(line: Line, stage: Stage) -> Op:
    """Put the handles on a line, with + on its left."""
    foot = line.foot(stage.data.X.mean(0))
    along = 0.55 * stage.lab.view * np.array([line.normal[1], -line.normal[0]])
    return {"op": "hand", "a": (foot - along).tolist(), "b": (foot + along).tolist(), "live": False}


def centre(stage: Stage) -> Op:
    """Move the line, without turning it, halfway between the classes."""
    normal = own_line(stage).normal
    return _put(widest_with_normal(stage.data.X, stage.data.y, float(np.arctan2(normal[1], normal[0])))[0], stage)


def optimum(stage: Stage) -> Op:
    """Put the line on the boundary of the SVM."""
    return _put(boundary_line(stage), stage)


def other_points(stage: Stage) -> Op:
    """Load new points that can be separated."""
    seed = stage.lab.seed + 1 if stage.lab.seed < 999 else 0
    return {"op": "preset", "values": {"preset": "separable", "size": 16, "noise": 0.1, "seed": seed, "hard": True}}


HAND = Step(
    key="hand",
    title=N_("Margin of a separating line"),
    introduces=("margin", "street", "width", "hard-margin"),
    situation=N_(
        "The **margin** $\\gamma$ of a line is the smallest geometric margin of all points. It is negative if "
        "a point is on the wrong side (pink ring). Drag the two white circles until the line separates the "
        "classes, with the + points on the side of the arrow. Then make $\\gamma$ as large as you can. The "
        "dashed lines are as far away as the nearest point."
    ),
    question=N_("What proportion of the largest possible margin $\\gamma^*$ does the green line reach?"),
    choices=(
        Choice(
            N_("At least 99 %"),
            N_(
                "By eye, the line may look optimal. However, the point with the smallest geometric margin has less "
                "than 99 % of γ*."
            ),
        ),
        Choice(
            N_("At least 90 %, but less than 99 %"),
            N_("The line may look nearly optimal. However, only the smallest geometric margin counts, divided by γ*."),
        ),
        Choice(
            N_("More than 0 %, but less than 90 %"),
            N_("A margin is hard to judge by eye. Divide the smallest geometric margin of all points by γ*."),
        ),
        Choice(
            N_("None, the line does not separate the classes"),
            N_("Some points may be very close to the line. However, all of them are strictly on their correct side."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    placed_line=own_line,
    rests_on_answer=lambda stage: stage.shown,
    numbers=numbers,
    chart=chart,
    says=N_(
        "The chart shows the geometric margin of each point for the green line. This line is optimal if and "
        "only if no point is below $\\gamma^*$ (dashed in the chart). The other line on the board is the SVM."
    ),
    formula=r"\gamma = \min_i \frac{y_i f(x_i)}{\|w\|}, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    more=(
        N_(
            "**From the margin to $w$.** For each separating line, choose the scaling with the smallest functional "
            "margin 1. Then $\\gamma = 1/\\|w\\|$, so the largest margin belongs to the shortest $w$, which is called "
            "$w^*$. The SVM with a **hard margin** minimises $\\tfrac12\\|w\\|^2$ subject to $y_i f(x_i) \\ge 1$ for "
            "all $i$."
        ),
        N_(
            "**What an optimal line looks like.** Its dashed lines touch points of both classes, because otherwise you "
            "could move it to a larger margin. This is not sufficient, because a line that touches both classes can "
            "sometimes be turned. Take the convex hull of the touching points of each class. The line is optimal if "
            "and only if some point of one hull is directly opposite some point of the other."
        ),
        N_(
            "**The empty strip.** For a separating line, $\\gamma$ is half the width of the widest strip centred on it "
            "that contains no point. If a point is on the wrong side, $\\gamma$ is negative, and half the width is the "
            "smallest $|\\gamma_i|$ (faint dashed lines). Gambosi's slides do not require that the line separates. "
            "They state: “a useful interpretation of $\\gamma$ is as half the width of the largest strip, centered on "
            "the hyperplane … containing none of the points”."
        ),
    ),
    tries=(
        Try(N_("Centre it"), centre),
        Try(N_("Optimal line"), optimum),
        Try(N_("Other points"), other_points),
    ),
    shows=("M4",),
)
