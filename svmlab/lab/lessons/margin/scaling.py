"""Functional against geometric margin while w and b are multiplied by c (M1, M2, M5, M7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.lab.board.payload import Data, flat, shade
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.scaling_chart import Words, scaling
from svmlab.lab.lessons.margin.setting import (
    SEPARABLE,
    a_line,
    dial,
    in_question,
    line_of,
    place,
    read,
    readings,
    turn_to,
    widest,
)
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.scene import Scene

SPAN = (-2.0, 3.0)


def factor(stage: Stage) -> float:
    """The factor c."""
    return stage.dial("c", 1.0)


def board(stage: Stage) -> Data:
    """The boundary stays, the lines c f = +-1 move, the shading deepens or turns."""
    c, half, line = factor(stage), stage.lab.view, line_of(stage)
    lines: Data = {"zero": [], "plus": [], "minus": []}
    solution = stage.solution
    assert solution is not None
    if c:
        edge = widest(stage) / c
        at = {"zero": 0.0, "plus": edge, "minus": -edge}
        lines = {name: [flat(ends) for ends in line.slid(t).within(half)] for name, t in at.items()}
    seen = stage.session.cache.scene(solution, half)
    return {
        "lines": lines,
        "shade": shade(Scene(half, c * seen.values, (), (), (), {})),
        "marks": {"fill": [1.0] * solution.problem.data.m},
        "slack": [],
        "selected": stage.lab.points[in_question(stage)].id,
        "sliders": [dial("c", words.SCALING_DIAL, "c", c, SPAN[0], max(SPAN[1], c), 0.05)],
    }


def numbers(stage: Stage) -> str:
    """Both margins of the point in question at the present c."""
    i, c, solution = in_question(stage), factor(stage), stage.solution
    assert solution is not None
    yf, gamma = float(solution.margins[i]), float(solution.margins[i]) / solution.norm_w
    named = words.POINT[stage.lab.selected is not None].format(where=place(solution.problem.data.X[i]))
    name = words.SCALING_READ
    if c == 0:
        return readings([read(name["functional"], 0.0)], words.SCALING_GONE)
    rows = [read(name["functional"], c * yf), read(name["geometric"], float(np.sign(c)) * gamma)]
    return readings([*rows, read(name["street"], widest(stage) / abs(c))], named)


def show(stage: Stage) -> None:
    """Both margins over all c."""
    solution = stage.solution
    assert solution is not None
    yf = float(solution.margins[in_question(stage)])
    figure = scaling(yf, yf / solution.norm_w, factor(stage), SPAN, Words(**words.SCALING_CHART), stage.palette)
    chart(figure, "scaling_chart")


def canonical(stage: Stage) -> dict[str, Any]:
    """The c that makes the smallest functional margin 1; a board that has one where a point is on the wrong side."""
    least = float(stage.solution.margins.min()) if stage.solution else 0.0
    return turn_to(c=1.0 / least) if least > 0 else SEPARABLE


SCALING = Step(
    "scaling",
    words.SCALING.title,
    words.SCALING.question,
    words.SCALING.choices,
    answer=lambda stage: 1,
    reveal=lambda stage: words.SCALING.reveal,
    formula=words.SCALING.formula,
    tries=(
        Try(words.SCALING.tries[0], turn_to(c=2.0)),
        Try(words.SCALING.tries[1], turn_to(c=-1.0)),
        Try(words.SCALING.tries[2], canonical),
    ),
    draw=board,
    numbers=numbers,
    show=show,
    needs=a_line,
)
