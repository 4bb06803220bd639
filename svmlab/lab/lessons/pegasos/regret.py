"""Regret, run by run: the left and the right side of (4) along t, with three factors (P6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab.arrays import Array
from svmlab.lab.cards import cards
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import LIVE, Compared, again, choose, line_of, quick, seed, shows, where
from svmlab.lab.lessons.pegasos.regret_chart import Words, regret
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos import harmonic, hindsight, printed_factor, regret_bound, repaired_factor
from svmlab.statements import CATALOGUE

STEPS, RUNS = 10_000, 5


def found(stage: Stage) -> Compared:
    """A few runs, done on the spot; shorter under a moving hand."""
    return quick(stage, STEPS, RUNS) if stage.session.history.held is None else quick(stage, LIVE)


def left_side(stage: Stage) -> Array:
    """Mean loss met less that of w* on the same draws, (runs, k)."""
    now = found(stage)
    sides: Array = stage.once(f"regret {seed(stage)}", lambda: now.run.regret - hindsight(now.run, now.w))
    return sides


def index(stage: Stage) -> int:
    """Which of the runs."""
    return int(stage.session.lessons[stage.page].get("run", 1)) - 1


def answer(stage: Stage) -> int | None:
    """Whether the printed right side is ever below the left one, in any run."""
    run = found(stage).run
    printed = regret_bound(run.G, run.lam, run.t, printed_factor(run.t))
    return int(bool((left_side(stage) > printed + 1e-12).any()))


def reveal(stage: Stage) -> str:
    """Both sides at t = 1 and at the end."""
    run, k = found(stage).run, index(stage)
    left, G = left_side(stage)[k], run.G[k]
    values = {
        "left1": left[0],
        "printed1": regret_bound(G[0], run.lam, 1, np.log(2.0)),
        "repaired1": regret_bound(G[0], run.lam, 1, 1.0),
        "left": left[-1],
        "repaired": regret_bound(G[-1], run.lam, run.t[-1], repaired_factor(run.t[-1])),
        "exact": regret_bound(G[-1], run.lam, run.t[-1], harmonic(run.t[-1])),
        "G": G[-1],
    }
    return words.REGRET["reveal"].format(**{name: short(float(v), 3) for name, v in values.items()})


def draw(stage: Stage) -> dict[str, Any]:
    """The line of the run's average."""
    return {"overlay": line_of(found(stage).run.averages[0, -1], stage.lab, "accent") if stage.shown else []}


def show(stage: Stage) -> None:
    """The chart of one run."""
    choose(stage, "run", tuple(range(1, RUNS + 1)), 1)
    figure = regret(found(stage).run, left_side(stage), index(stage), Words(**words.REGRET_CHART), stage.palette)
    chart(figure, "pegasos_regret")
    st.caption(words.REGRET["units"])
    again(stage)


def counterexample(stage: Stage) -> dict[str, Any]:
    """The board of one point at lambda = 1."""
    witness = CATALOGUE["P6"].witness
    assert witness is not None
    return {"op": "load", "lab": replace(cards.board_of(stage.lab, witness), face="lambda", value=1.0)}


STEP = Step(
    "regret",
    words.REGRET["title"],
    words.REGRET["question"],
    words.REGRET_CHOICES,
    answer=where(answer, None),
    reveal=where(reveal, ""),
    formula=r"\begin{gathered} \frac1T\sum_{t\le T}\ell_{s_t}(w_t) - \frac1T\sum_{t\le T}\ell_{s_t}(w^*) \\ \le\; \frac{G^2}{2\lambda T}\,(1+\ln T) \end{gathered}",
    tries=(
        Try(words.REGRET_TRY[0], counterexample),
        Try(
            words.REGRET_TRY[1],
            {
                "op": "preset",
                "values": {"preset": "overlapping", "kernel": "linear", "hard": False, "face": "lambda", "value": 0.02},
            },
        ),
    ),
    draw=where(draw, {}),
    show=shows(show),
)
