"""How fast Pegasos arrives: F - F(w*) against its bounds, the distance beside it, and the steps that an accuracy takes (P7, P11, P12)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import (
    LIVE,
    RUNS,
    STEPS,
    Compared,
    again,
    asked,
    choose,
    chosen,
    compared,
    grouped,
    line_of,
    quick,
    shows,
    slider_in_lambda,
    where,
)
from svmlab.lab.lessons.pegasos.convergence_chart import Pair, Words, convergence, two_rates
from svmlab.lab.numbers import short
from svmlab.lab.session import longwork
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos.rates import rate, steps_measured, steps_promised

ACCURACIES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001)
FACTORS = (10**0.5, 10.0, 100.0)  # what the choices of the question stand for
NAMES = ("average", "suffix", "last")


def draw(stage: Stage) -> dict[str, Any]:
    """The board of the machine without bias, and the averaged line over it."""
    if not stage.shown:
        return {}
    found = compared(stage) if stage.session.history.held is None else quick(stage, LIVE)
    return {"overlay": [] if found is None else line_of(found.run.averages[0, -1], stage.lab, "accent")}


def gain(found: Compared) -> float:
    """By what factor the mean gap of the average falls over the last decade of steps."""
    t, gaps = found.run.t, found.gaps("average").mean(0)
    return float(gaps[np.searchsorted(t, t[-1] / 10)] / max(float(gaps[-1]), 1e-16))


def answer(stage: Stage) -> int | None:
    """The choice nearest to what the run has shown."""
    found = compared(stage)
    return None if found is None else int(np.abs(np.log(np.array(FACTORS) / gain(found))).argmin())


def reveal(stage: Stage) -> str:
    """The factor, in words."""
    found = compared(stage)
    return words.CONVERGENCE["reveal"].format(gain=short(gain(found), 3)) if found is not None else ""


def show(stage: Stage) -> None:
    """Choices, chart, accuracy, rates."""
    left, right = st.columns(2)
    with left:
        steps = choose(stage, "T", STEPS, chosen(stage)[0], grouped)
    with right:
        runs = choose(stage, "runs", RUNS, chosen(stage)[1])
    job = asked(stage, int(steps), int(runs))
    longwork.show(stage.session, job, lambda found: _charts(stage, found))
    left, right = st.columns(2)
    with left:
        again(stage)
    with right:
        slider_in_lambda(stage)


def _charts(stage: Stage, found: Compared) -> None:
    run = found.run
    figure = convergence(run, found.F, Words(**words.CONVERGENCE_CHART), stage.palette)
    chart(figure, "pegasos_convergence")
    st.markdown(_table(found))
    eps = choose(stage, "eps", ACCURACIES, 0.01, short)
    st.markdown(_accuracy(found, float(eps)))
    st.markdown(f"**{words.RATES['title']}** {words.RATES['text'].format(**_slopes(found))}")
    chart(two_rates(run, found.F, found.w, Pair(**words.RATES_CHART), stage.palette), "pegasos_rates")


def _table(found: Compared) -> str:
    run = found.run
    rows = [
        words.CONVERGENCE["row"].format(
            name=words.RETURNED[name],
            gap=short(float(found.gaps(name)[:, -1].mean()), 3),
            slope=short(rate(run.t, found.gaps(name).mean(0)), 2),
        )
        for name in NAMES
    ]
    head = words.CONVERGENCE["head"].format(T=grouped(int(run.t[-1])))
    foot = words.CONVERGENCE["foot"].format(
        bound=short(float(run.bound[-1]), 3),
        met=short(float(run.realised_bound[-1]), 3),
        lam=short(run.lam),
        F=short(found.F),
        lnslope=short(-1.0 + 1.0 / max(np.log(float(run.t[-1])), 1.0), 2),
    )
    return "\n".join([head, *rows, "", foot])


def _accuracy(found: Compared, eps: float) -> str:
    run = found.run

    def measured(name: str) -> str:
        steps = steps_measured(run.t, found.gaps(name).mean(0), eps)
        return words.ACCURACY["beyond"].format(T=grouped(int(run.t[-1]))) if steps is None else f"**{grouped(steps)}**"

    def promised(sharp: bool) -> str:
        steps = steps_promised(run.X, run.lam, eps, sharp)
        return "–" if steps is None else f"**{grouped(steps)}**"

    return words.ACCURACY["text"].format(
        eps=short(eps), bound=promised(False), sharp=promised(True), **{name: measured(name) for name in NAMES}
    )


def _slopes(found: Compared) -> dict[str, str]:
    distance = np.sqrt(((found.run.averages - found.w) ** 2).sum(-1)).mean(0)
    return {
        "F": short(rate(found.run.t, found.gaps("average").mean(0)), 2),
        "w": short(rate(found.run.t, distance), 2),
        "far": short(float(distance[-1]), 3),
    }


STEP = Step(
    "convergence",
    words.CONVERGENCE["title"],
    words.CONVERGENCE["question"],
    words.CONVERGENCE_CHOICES,
    answer=where(answer, None),
    reveal=where(reveal, ""),
    formula=r"\mathbb{E}\,F(\bar w) - F(w^*) \;\le\; \frac{2X^2}{\lambda T}\,(1+\ln T)",
    tries=(
        Try(
            words.CONVERGENCE_TRY[0],
            {"op": "set", "values": {"face": "lambda", "value": 0.001, "kernel": "linear", "hard": False}},
        ),
        Try(
            words.CONVERGENCE_TRY[1],
            {"op": "set", "values": {"face": "lambda", "value": 1.0, "kernel": "linear", "hard": False}},
        ),
        Try(
            words.CONVERGENCE_TRY[2], {"op": "preset", "values": {"preset": "moons", "kernel": "linear", "hard": False}}
        ),
    ),
    draw=where(draw, {}),
    show=shows(show),
)
