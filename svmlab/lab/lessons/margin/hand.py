"""A line placed by hand against the widest street, with the best own try on record (M4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.street import BOARD, STREET, names_of_classes, widest
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, reading, select_point, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

Handles = tuple[tuple[float, float], tuple[float, float]]
START: Handles = ((1.6, 2.6), (-0.6, -2.4))


def handles(stage: Stage) -> Handles:
    """Where the line lies now; before it was touched, the way round that has more points on their own sides."""
    if stage.hand:
        return stage.hand
    a, b = START
    right = Line.through(a, b).margins(stage.data.X, stage.data.y) > 0
    return START if right.mean() >= 0.5 else (b, a)


def own_line(stage: Stage) -> Line:
    """The line through the handles."""
    return Line.through(*handles(stage))


def best(stage: Stage) -> float:
    """The largest margin of an own line on these points; the present line is put on record."""
    now = own_line(stage).margin(stage.data.X, stage.data.y)
    if now > stage.memory.get("margin", -np.inf):
        stage.memory.update(margin=now, line=handles(stage))
    return float(stage.memory["margin"])


def draw(stage: Stage) -> Data:
    """The line with its own street, points on its wrong side ringed; the widest street only once shown."""
    a, b = handles(stage)
    line, data, half = own_line(stage), stage.data, stage.lab.view
    margins = line.margins(data.X, data.y)
    margin = float(margins.min())
    best(stage)
    if margin > 0:
        overlay = [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    else:
        overlay = [stroke(np.r_[x, 0.035 * half], "witness-line", "disc") for x in data.X[margins <= 0]]
        empty = float(np.abs(margins).min())  # the strip without points, that a negative margin does not measure
        overlay += [
            item for t in (empty, -empty) if empty for item in line_strokes(line.shifted(t), half, "faint dashed")
        ]
    hidden: Data = {} if stage.shown else {**POINTS_ONLY, "legend": None}
    return {"hand": {"a": a, "b": b}, "tool": "line", "overlay": overlay, "sliders": [], **hidden}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The margin now, the best so far, and, once shown, the widest."""
    data, record = stage.data, best(stage)
    margins = own_line(stage).margins(data.X, data.y)
    readings = [reading(_("your margin"), float(margins.min()))]
    if (margins <= 0).mean() > 0.5:
        readings.append(reading(_("to do"), _("swap the two handles")))
    readings.append(reading(_("your best"), record if record > 0 else _("none yet")))
    return [*readings, reading(_("widest"), widest(stage))] if stage.shown else readings


def answer(stage: Stage) -> int:
    """How the best own line compares."""
    share = best(stage) / widest(stage)
    return 3 if share <= 0 else 0 if share >= 0.99 else 1 if share >= 0.9 else 2


def verdict(stage: Stage) -> str:
    """Both margins in words."""
    own, most = best(stage), widest(stage)
    if own <= 0:
        return _("None of your lines separates yet; the widest margin is {best}.").format(best=short(most))
    said = (
        _("As wide as any: your best line keeps {own} of {best}, {share}."),
        _("Nearly the widest: your best line keeps {own} of {best}, {share}."),
        _("There is much more room: your best line keeps {own} of {best}, {share}."),
    )[answer(stage)]
    return said.format(own=short(own, 3, ROUNDING), best=short(most, 3), share=f"{100 * own / most:.1f} %")


def chart(stage: Stage) -> Chart:
    """Every point's margin to the own line, and how far away the widest street keeps the nearest."""
    data = stage.data
    borders = {0.0: "solid", widest(stage): "dash"}
    label = _("margin to your line; dashed: widest")
    margins, chosen = own_line(stage).margins(data.X, data.y), stage.lab.selected
    figure = rows_chart(margins, data, chosen, borders, label, names_of_classes(), stage.palette)
    return Chart(figure, select_point)


def _put(ends: Handles) -> Op:
    return {"op": "hand", "a": list(ends[0]), "b": list(ends[1]), "live": False}


def my_best(stage: Stage) -> Op:
    """The own line with the largest margin on these points."""
    best(stage)
    return _put(stage.memory["line"])


def optimum(stage: Stage) -> Op:
    """The line in the middle of the widest street, + on its left."""
    line = boundary_line(stage)
    foot = line.foot(stage.data.X.mean(0))
    along = 2.2 * np.array([line.normal[1], -line.normal[0]])
    (ax, ay), (bx, by) = (foot - along).tolist(), (foot + along).tolist()
    return _put(((ax, ay), (bx, by)))


def other_points(stage: Stage) -> Op:
    """New points between which to find the street."""
    seed = stage.lab.seed + 1 if stage.lab.seed < 999 else 0
    return {"op": "preset", "values": {"preset": "separable", "size": 16, "noise": 0.1, "seed": seed, "hard": True}}


HAND = Step(
    key="hand",
    title=N_("Place a line yourself"),
    question=N_(
        "Drag the handles until your line separates the classes with as much room as you can find; dashed is your own "
        "street. How good is your best line?"
    ),
    choices=(
        Choice(
            N_("As wide as any: within 1 %"),
            N_("A street may touch one class only, and can still be slid; or it can be turned."),
        ),
        Choice(N_("Within a tenth of the widest"), N_("One point decides: the nearest, whichever its class.")),
        Choice(N_("There is much more room"), N_("There is no more to find: points of both classes touch the street.")),
        Choice(N_("It does not separate yet"), N_("No point is ringed, so all are on their own side.")),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=STREET,
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=N_(
        "The widest street touches points of **both** classes. One that touches a single class can be "
        "slid, one held by "
        "too few points turned."
    ),
    formula=r"\gamma = \min_i \frac{y_i f(x_i)}{\|w\|}",
    more=lambda stage: [
        _(
            "For a line that separates, the margin $\\gamma$ is half the width of the widest strip centred "
            "on it that holds "
            "no point. Gambosi's slides say so of every line; where a point is on the wrong side the margin "
            "is negative, "
            "and the half width is the smallest $|\\gamma_i|$ instead."
        )
    ],
    tries=(
        Try(N_("My best line"), my_best),
        Try(N_("The widest"), optimum),
        Try(N_("Other points"), other_points),
    ),
    shows=("M4",),
)
