"""The two descents of note B, as printed and as repaired, on the same axes (L6, L7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from svmlab.descent import Descent, batch_descent, sgd
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import (
    Item,
    again,
    best,
    choose,
    grouped,
    kept,
    line_of,
    seed,
    shows,
    slider_in_lambda,
    where,
)
from svmlab.lab.lessons.pegasos.readings_chart import descents
from svmlab.lab.numbers import short
from svmlab.lab.session import longwork
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos import Progress

STEPS = (300, 1_000, 3_000, 10_000, 30_000)
ETAS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
NAMES = ("batch_printed", "batch", "sgd_printed", "sgd_written", "sgd")
BOARD = {"batch_printed": "faint dashed", "batch": "accent", "sgd_printed": "minus dashed", "sgd": "plus"}


def chosen(stage: Stage) -> tuple[int, float]:
    """Steps and the constant step, as chosen."""
    return int(kept(stage).get("descent_T", 3_000)), float(kept(stage).get("eta", 0.1))


def asked(stage: Stage) -> Job:
    """All five, one after the other, as work."""
    lab, draws = stage.lab, seed(stage)
    steps, eta = chosen(stage)

    def make(report: Progress) -> dict[str, Descent]:
        def part(i: int) -> Progress:
            return lambda done: report((i + done) / len(NAMES))

        data, lam = lab.data, lab.lam
        runs: dict[str, Callable[[Progress], Descent]] = {
            "batch_printed": lambda tell: batch_descent(data, lam, steps, eta=eta, on_progress=tell),
            "batch": lambda tell: batch_descent(data, lam, steps, on_progress=tell),
            "sgd_printed": lambda tell: sgd(data, lam, steps, "printed", seed=draws, on_progress=tell),
            "sgd_written": lambda tell: sgd(data, lam, steps, "as written", seed=draws, on_progress=tell),
            "sgd": lambda tell: sgd(data, lam, steps, seed=draws, on_progress=tell),
        }
        return {name: runs[name](part(i)) for i, name in enumerate(NAMES)}

    return longwork.ask(stage.session, ("descent", lab.data.key, lab.lam, steps, eta, draws), make)


def found(stage: Stage) -> dict[str, Descent] | None:
    """The five runs; None while they are worked on, and under a moving hand."""
    if stage.session.history.held is not None:
        return None
    runs: dict[str, Descent] | None = asked(stage).result
    return runs


def last(runs: dict[str, Descent], name: str) -> Any:
    """The w that is looked at: of the batch the last, of the stochastic ones the average."""
    run = runs[name]
    return run.iterates[0, -1] if name.startswith("batch") else run.averages[0, -1]


def draw(stage: Stage) -> dict[str, Any]:
    """Where they have got to, over the board of w*."""
    runs = found(stage) if stage.shown else None
    items: list[Item] = []
    if runs is not None:
        for name, style in BOARD.items():
            items += line_of(last(runs, name), stage.lab, style)
    return {"overlay": items}


def distances(stage: Stage) -> dict[str, float] | None:
    """How far each is from w*."""
    runs, optimum = found(stage), best(stage)
    if runs is None or optimum is None or optimum.w is None:
        return None
    return {name: float(np.hypot(*(last(runs, name) - optimum.w))) for name in NAMES}


def answer(stage: Stage) -> int | None:
    """Whether the printed line is far off on this board."""
    far = distances(stage)
    return None if far is None else int(far["sgd_printed"] > 3 * far["sgd"])


def reveal(stage: Stage) -> str:
    """The five distances."""
    far = distances(stage)
    if far is None:
        return ""
    rows = [f"| {words.DESCENT_NAMES[name]} | {words.DESCENT_LINES[name]} | {short(far[name], 3)} |" for name in NAMES]
    return "\n".join([words.DESCENT["reveal"], "", words.DESCENT["head"], *rows])


def show(stage: Stage) -> None:
    """Choices and the chart."""
    left, right = st.columns(2)
    with left:
        choose(stage, "descent_T", STEPS, 3_000, grouped)
    with right:
        choose(stage, "eta", ETAS, 0.1, short)
    longwork.show(stage.session, asked(stage), lambda runs: _chart(stage, runs))
    left, right = st.columns(2)
    with left:
        again(stage)
    with right:
        slider_in_lambda(stage)


def _chart(stage: Stage, runs: dict[str, Descent]) -> None:
    optimum = best(stage)
    assert optimum is not None
    F = optimum.objective * stage.lab.lam
    gaps = {
        name: (run.t.astype(float), (run.last if name.startswith("batch") else run.average)[0] - F)
        for name, run in runs.items()
    }
    x, y = words.DESCENT["x"], words.CONVERGENCE_CHART["y"]
    chart(descents(gaps, words.DESCENT_CHART, x, y, stage.palette), "pegasos_descent")
    st.caption(words.DESCENT["legend"])


STEP = Step(
    "descent",
    words.DESCENT["title"],
    words.DESCENT["question"],
    words.DESCENT_CHOICES,
    answer=where(answer, None),
    reveal=where(reveal, ""),
    formula=r"\begin{gathered} w \leftarrow w - \tfrac1r w + \tfrac1r\, C \textstyle\sum_{i\in L} y_i x_i \\ w \leftarrow w - \tfrac1r w + \tfrac1r\, C m\, y_i x_i\,[i \in L] \end{gathered}",
    tries=(
        Try(
            words.DESCENT_TRY[0],
            {"op": "set", "values": {"face": "lambda", "value": 0.1, "kernel": "linear", "hard": False}},
        ),
        Try(
            words.DESCENT_TRY[1],
            {
                "op": "preset",
                "values": {"preset": "separable", "kernel": "linear", "hard": False, "face": "lambda", "value": 0.05},
            },
        ),
    ),
    draw=where(draw, {}),
    show=shows(show),
)
