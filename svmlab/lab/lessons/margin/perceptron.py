"""The perceptron from several orders of the points beside the widest street, one of them as a film (M8)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from svmlab import SvmError, make_dataset
from svmlab.arrays import Array
from svmlab.geometry import Line
from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.margin import words
from svmlab.lab.lessons.margin.orders_chart import Words, orders
from svmlab.lab.lessons.margin.setting import HARD, a_street, drawn, normal_of, place, stroke, turn_to, widest
from svmlab.lab.numbers import DUST, short
from svmlab.lab.session.state import Point, fit
from svmlab.lab.teach import words as shared
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.perceptron import Run, augmented, perceptron, radius_and_margin

ORDERS = 12
MOST = 600  # mistakes until a run is given up
FRAMES = 60  # of a film; the first updates all have one


@dataclass(frozen=True, eq=False)
class Trial:
    """A run and what came of it: margin is that of the line it ends with, nan without one."""

    run: Run
    margin: float


def trials(stage: Stage) -> tuple[list[Trial], float]:
    """Runs in ORDERS orders, the first as the points were placed; and the bound (R/margin)^2 of the augmented points."""

    def make() -> tuple[list[Trial], float]:
        data = stage.lab.data
        Z = augmented(data.X)
        rng = np.random.Generator(np.random.Philox(data.m))
        every = [np.arange(data.m), *(rng.permutation(data.m) for _ in range(ORDERS - 1))]
        runs = [perceptron(Z, data.y, order, MOST) for order in every]
        try:
            R, margin = radius_and_margin(Z, data.y)
            bound = (R / margin) ** 2
        except SvmError:  # so narrow that the solver sees no street any more
            bound = math.inf
        return [Trial(run, _margin(run.w, data.X, data.y)) for run in runs], bound

    out: tuple[list[Trial], float] = stage.once("trials", make)
    return out


def _margin(w: Array, X: Array, y: Array) -> float:
    return Line(w[:2], float(w[2])).margin(X, y) if w[:2].any() else float("nan")


def chosen(stage: Stage) -> int:
    """The order whose film is shown."""
    return int(stage.dial("order", 0.0)) % ORDERS


def film(stage: Stage) -> Data:
    """The line before each update with the point that it has wrong, and the last line."""
    trial = trials(stage)[0][chosen(stage)]
    n = trial.run.mistakes
    head = np.arange(min(n, FRAMES // 2))
    rest = np.linspace(len(head), n, FRAMES - len(head)).round().astype(int) if n > len(head) else [n]
    seen = np.unique(np.r_[head, rest]) if stage.shown else [0]
    frames = [frame(stage, trial, int(t)) for t in seen]
    key = f"{stage.lab.data.key}.{chosen(stage)}.{stage.shown}"
    return {"key": key, "frames": frames, "at": 0, "speed": 2, "text": shared.FILM}


def frame(stage: Stage, trial: Trial, t: int) -> Data:
    """What is seen before update t, or at the end."""
    lab, run = stage.lab, trial.run
    w, n = run.path[t], run.mistakes
    items: list[Data] = []
    if w[:2].any():
        line = Line(w[:2], float(w[2]))
        foot, along = line.foot(w[:2] * 0), 4 * lab.view * np.array([-line.normal[1], line.normal[0]])
        items = [stroke(np.array([foot - along, foot + along]), "accent"), normal_of(line, lab.view, "accent")]
    if t == n:
        end = words.FILM_END if run.stopped else words.FILM_OPEN
        said = end.format(n=n, margin=short(trial.margin, noise=DUST), widest=short(widest(stage)))
        return {"items": items, "ring": None, "caption": said}
    i = int(run.updates[t])
    x, label = lab.data.X[i], lab.data.y[i]
    point = words.FILM_POINT.format(sign="+" if label > 0 else "−", where=place(x))
    yf = float(run.rows[i] @ w)
    said = words.FILM_START.format(point=point)
    if t:
        said = words.FILM_STEP.format(t=t, n=n, point=point, yf=short(yf, 3, DUST))
    return {"items": items, "ring": lab.points[i].id, "caption": said}


def board(stage: Stage) -> Data:
    """The widest street and the first frame; once shown, the lines of all orders and the whole film of one."""
    quiet: Data = {"sliders": [], "legend": None, "film": film(stage)}
    if not stage.shown:
        return quiet
    lines = [trial.run.w for trial in trials(stage)[0] if trial.run.w[:2].any()]
    overlay = [item for w in lines for item in drawn(Line(w[:2], float(w[2])), stage.lab.view, "faint")]
    return {**quiet, "overlay": overlay}


def answer(stage: Stage) -> int:
    """On a street of its own only where every order ends on the widest one."""
    shares = [trial.margin / widest(stage) for trial in trials(stage)[0]]
    return 0 if min(shares) > 0.999 else 1


def reveal(stage: Stage) -> str:
    """Mistakes and bound."""
    found, bound = trials(stage)
    run = found[chosen(stage)].run
    said = words.PERCEPTRON.reveal if run.stopped else words.PERCEPTRON_UNFINISHED
    return said.format(mistakes=run.mistakes, bound=short(bound), orders=ORDERS)


def show(stage: Stage) -> None:
    """Margin against mistakes, one mark for each order; a click shows its film."""
    found, bound = trials(stage)

    def picked(order: Any) -> None:
        stage.session.do(turn_to(order=float(order)))
        stage.done()

    mistakes = np.array([trial.run.mistakes for trial in found])
    shares = np.array([trial.margin for trial in found]) / widest(stage)
    label = words.PERCEPTRON_CHART | {"bound": words.PERCEPTRON_CHART["bound"].format(bound=short(bound))}
    figure = orders(mistakes, shares, bound, chosen(stage), Words(**label), stage.palette)
    chart(figure, "orders_chart", picked)


def another(stage: Stage) -> dict[str, Any]:
    """The film of the next order; the board stays."""
    stage.memory["shown"] = True
    return turn_to(order=chosen(stage) + 1.0)


def narrow(stage: Stage) -> dict[str, Any]:
    """Separable points, made smaller and moved away from the origin: R grows, the margin shrinks."""
    data = make_dataset("separable", 24, 0.1, 19)
    X = np.round(0.45 * data.X + [1.9, 1.6], 3)
    points = tuple(
        Point(i, round(1000 * x), round(1000 * y), int(label))
        for i, ((x, y), label) in enumerate(zip(X.tolist(), data.y, strict=True), start=1)
    )
    return {"op": "load", "lab": replace(stage.lab, points=points, selected=None, view=fit(points), **HARD)}


PERCEPTRON = Step(
    "perceptron",
    words.PERCEPTRON.title,
    words.PERCEPTRON.question,
    words.PERCEPTRON.choices,
    answer=answer,
    reveal=reveal,
    formula=words.PERCEPTRON.formula,
    tries=(Try(words.PERCEPTRON.tries[0], another), Try(words.PERCEPTRON.tries[1], narrow)),
    draw=board,
    show=show,
    needs=a_street,
)
