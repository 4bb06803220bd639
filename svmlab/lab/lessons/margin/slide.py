"""The smallest distance without its sign: a line slid away from all points (M11)."""

from __future__ import annotations

import numpy as np

from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.setting import a_street, dial, drawn, line_of, read, readings, turn_to
from svmlab.lab.lessons.margin.slide_chart import Words, slide
from svmlab.lab.numbers import DUST, short
from svmlab.lab.teach.step import Stage, Step, Try

SPAN = 12.0
GRID = np.linspace(-SPAN, SPAN, 241)


def way(stage: Stage) -> float:
    """How far the line is slid."""
    return stage.dial("slide", 0.0)


def smallest(stage: Stage, t: float) -> tuple[float, float]:
    """The smallest distance to the line slid by t, and the smallest with its sign."""
    data = stage.lab.data
    margins = line_of(stage).slid(t).margins(data.X, data.y)
    return float(np.abs(margins).min()), float(margins.min())


def board(stage: Stage) -> Data:
    """The widest street and the slid line."""
    return {
        "overlay": drawn(line_of(stage).slid(way(stage)), stage.lab.view, "accent"),
        "sliders": [dial("slide", words.SLIDE_DIAL, "t", way(stage), -SPAN, SPAN, 0.1)],
    }


def numbers(stage: Stage) -> str:
    """Both readings for the slid line, the signed one once shown."""
    unsigned, signed = smallest(stage, way(stage))
    rows = [read(words.SLIDE_READ["unsigned"], unsigned)]
    return readings([*rows, read(words.SLIDE_READ["signed"], signed)] if stage.shown else rows)


def reveal(stage: Stage) -> str:
    """With the smallest distances far away."""
    near, far = (smallest(stage, t)[0] for t in (100.0, 1000.0))
    return words.SLIDE.reveal.format(near=short(near, noise=DUST), far=short(far, noise=DUST))


def show(stage: Stage) -> None:
    """Both readings along the way."""
    both = np.array([smallest(stage, float(t)) for t in GRID])
    now = way(stage), *smallest(stage, way(stage))
    chart(slide(GRID, both[:, 0], both[:, 1], now, Words(**words.SLIDE_CHART), stage.palette), "slide_chart")


SLIDE = Step(
    "slide",
    words.SLIDE.title,
    words.SLIDE.question,
    words.SLIDE.choices,
    answer=lambda stage: 1,
    reveal=reveal,
    formula=words.SLIDE.formula,
    tries=(Try(words.SLIDE.tries[0], turn_to(slide=0.0)), Try(words.SLIDE.tries[1], turn_to(slide=SPAN))),
    draw=board,
    numbers=numbers,
    show=show,
    needs=a_street,
)
