"""The margin of the best line in each direction, with its one peak at w* (M6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.arrays import Array
from svmlab.geometry import widest_towards
from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.directions_chart import Words, directions
from svmlab.lab.lessons.margin.setting import a_street, dial, drawn, line_of, normal_of, read, readings, turn_to, widest
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.statements.geometry import reach

GRID = np.arange(0.0, 361.0)


def angle(stage: Stage) -> float:
    """The direction of the normal in degrees."""
    return stage.dial("angle", 90.0)


def peak(stage: Stage) -> float:
    """The direction of w* in degrees, 0 to 360."""
    w = line_of(stage).w
    return float(np.degrees(np.arctan2(w[1], w[0])) % 360.0)


def curve(stage: Stage) -> Array:
    """The margin in every direction of GRID."""
    t = np.radians(GRID)
    data = stage.lab.data
    out: Array = stage.once("directions", lambda: reach(data.X, data.y, np.stack([np.cos(t), np.sin(t)], 1), True))
    return out


def board(stage: Stage) -> Data:
    """The best line in the direction, its street, and its normal; the widest street once shown."""
    data, half = stage.lab.data, stage.lab.view
    line, margin = widest_towards(data.X, data.y, float(np.radians(angle(stage))))
    overlay = [*drawn(line, half, "accent"), normal_of(line, half, "accent")]
    if margin > 0:
        overlay += [item for t in (margin, -margin) for item in drawn(line.slid(t), half, "accent dashed")]
    hidden: Data = {} if stage.shown else {"lines": None, "shade": None, "slack": [], "marks": None}
    return {
        "overlay": overlay,
        "sliders": [dial("angle", words.TURN_DIAL, "θ", angle(stage), 0.0, 360.0, 1.0, "°")],
        **hidden,
    }


def numbers(stage: Stage) -> str:
    """The direction and its margin."""
    data = stage.lab.data
    margin = widest_towards(data.X, data.y, float(np.radians(angle(stage))))[1]
    rows = [
        (words.TURN_READ["angle"], f"{short(angle(stage))}°", angle(stage)),
        read(words.TURN_READ["margin"], margin),
    ]
    if stage.shown:
        share = margin / widest(stage)
        rows.append((words.TURN_READ["share"], f"{100 * share:.1f} %".replace("-", "−"), share))
    return readings(rows)


def show(stage: Stage) -> None:
    """The margin against the direction; a click turns the line."""

    def picked(degrees: Any) -> None:
        stage.session.do(turn_to(angle=float(degrees)))
        stage.done()

    data = stage.lab.data
    now = angle(stage), widest_towards(data.X, data.y, float(np.radians(angle(stage))))[1]
    top = peak(stage), widest(stage)
    figure = directions(GRID, curve(stage), now, top, Words(**words.TURN_CHART), stage.palette)
    chart(figure, "turn_chart", picked)


def _beside(stage: Stage, degrees: float) -> dict[str, Any]:
    return turn_to(angle=(peak(stage) + degrees) % 360.0 if stage.ready else 0.0)


TURN = Step(
    "turn",
    words.TURN.title,
    words.TURN.question,
    words.TURN.choices,
    answer=lambda stage: 0,
    reveal=lambda stage: words.TURN.reveal.format(best=short(widest(stage))),
    formula=words.TURN.formula,
    tries=(
        Try(words.TURN.tries[0], lambda stage: _beside(stage, 0.0)),
        Try(words.TURN.tries[1], lambda stage: _beside(stage, 10.0)),
        Try(words.TURN.tries[2], lambda stage: _beside(stage, 180.0)),
    ),
    draw=board,
    numbers=numbers,
    show=show,
    needs=a_street,
)
