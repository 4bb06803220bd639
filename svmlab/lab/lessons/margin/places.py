"""Seven places of a point, read from its distances to the three lines (M3, M4, M12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmlab.lab.board.payload import Data, marks
from svmlab.lab.cards import cards
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.places_chart import Words, places
from svmlab.lab.lessons.margin.setting import a_line, in_question, line_of, place, read, readings, stroke, widest
from svmlab.lab.numbers import DUST, short
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.statements import CATALOGUE
from svmlab.statements.geometry import distances
from svmlab.statements.margin import places_by_distance


def ways(stage: Stage) -> tuple[float, float, float]:
    """The distances of the point in question to its own margin line, the boundary and the other margin line.

    One that the rounding of f explains is 0.
    """
    i, data, line = in_question(stage), stage.lab.data, line_of(stage)
    assert stage.solution is not None
    least = stage.solution.noise * widest(stage)

    def way(level: float) -> float:
        d = float(distances(data.X[i : i + 1], line.w, line.b, level * data.y[i])[0])
        return d if d > least else 0.0

    return way(1.0), way(0.0), way(-1.0)


def answer(stage: Stage) -> int:
    """Which of the seven places that is, by these distances alone."""
    assert stage.solution is not None
    own, zero, other = (np.array([d / widest(stage)]) for d in ways(stage))
    return int(places_by_distance(own, zero, other, max(1e-7, stage.solution.floor))[0])


def board(stage: Stage) -> Data:
    """The perpendicular through the three lines; what would give the answer away comes later."""
    i, data, line, half = in_question(stage), stage.lab.data, line_of(stage), widest(stage)
    x, solution = data.X[i], stage.solution
    assert solution is not None
    feet = [line.slid(t).foot(x) for t in (half, 0.0, -half)]
    feet.sort(key=lambda foot: float((foot - x) @ (foot - x)))
    dots = [stroke(np.r_[foot, 0.011 * stage.lab.view], "accent", "disc") for foot in feet]
    out: Data = {
        "overlay": [stroke(np.array([feet[0], x, feet[-1]]), "accent"), *dots],
        "selected": stage.lab.points[i].id,
        "slack": [],
    }
    return out if stage.shown else {**out, "marks": marks(solution) | {"hover": []}}


def numbers(stage: Stage) -> str:
    """The three distances and the half width."""
    rows = [read(words.PLACES_READ[name], d) for name, d in zip(("own", "zero", "other"), ways(stage), strict=True)]
    where = place(stage.lab.data.X[in_question(stage)])
    note = words.POINT[stage.lab.selected is not None].format(where=where)
    return readings([*rows, read(words.PLACES_HALF, widest(stage))], note[0].upper() + note[1:])


def reveal(stage: Stage) -> str:
    """With the functional margin of the point."""
    assert stage.solution is not None
    return words.PLACES.reveal.format(yf=short(float(stage.solution.margins[in_question(stage)]), noise=DUST))


def show(stage: Stage) -> None:
    """All points along y f."""
    lab, solution = stage.lab, stage.solution
    assert solution is not None
    ids, labels = lab.data.ids, Words(**words.PLACES_CHART)
    figure = places(solution.margins, lab.data.y, ids, int(ids[in_question(stage)]), labels, stage.palette)
    chart(figure, "places_chart", stage.select)


def nearest(stage: Stage) -> dict[str, Any]:
    """Select the point nearest to the boundary."""
    assert stage.solution is not None
    return {"op": "select", "id": stage.lab.points[int(abs(stage.solution.margins).argmin())].id}


def on_the_line(stage: Stage) -> dict[str, Any]:
    """The board of M12's witness."""
    witness = CATALOGUE["M12"].witness
    assert witness is not None
    return {"op": "load", "lab": cards.board_of(stage.lab, witness)}


PLACES = Step(
    "places",
    words.PLACES.title,
    words.PLACES.question,
    words.PLACES.choices,
    answer=answer,
    reveal=reveal,
    formula=words.PLACES.formula,
    tries=(Try(words.PLACES.tries[0], nearest), Try(words.PLACES.tries[1], on_the_line)),
    draw=board,
    numbers=numbers,
    show=show,
    needs=a_line,
    about=lambda stage: stage.lab.selected,
)
