"""What training costs as the number of points grows, measured on request (X3)."""

from __future__ import annotations

import numpy as np
import streamlit as st

from svmlab.data import DATASETS
from svmlab.lab import text
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import choose, kept, shows, where
from svmlab.lab.lessons.pegasos.cost_chart import costs
from svmlab.lab.lessons.pegasos.measured import Costs, Method, measure
from svmlab.lab.numbers import short
from svmlab.lab.session import longwork
from svmlab.lab.teach.step import Stage, Step

SIZES = (50, 100, 200, 400, 800, 1600)
SOLVERS: tuple[Method, ...] = ("dual-qp", "exact", "pegasos")
ONE_STEP: tuple[Method, ...] = ("step", "batch-step", "kernel-step")
ACCURACIES = (0.1, 0.03, 0.01, 0.003, 0.001)


def settings(stage: Stage) -> tuple[str, tuple[int, ...], float]:
    """Which points, which sizes, and the accuracy of Pegasos."""
    memory, preset = kept(stage), stage.lab.preset
    top = int(memory.get("sizes", 800))
    return (
        preset if DATASETS[preset].uses_randomness else "overlapping",
        tuple(m for m in SIZES if m <= top),
        float(memory.get("cost_eps", 0.01)),
    )


def show(stage: Stage) -> None:
    """Choices, the button, and what came of it."""
    left, right = st.columns(2)
    with left:
        choose(stage, "sizes", SIZES[2:], 800)
    with right:
        choose(stage, "cost_eps", ACCURACIES, 0.01, short)
    name, sizes, eps = settings(stage)
    st.caption(words.COST["points"].format(name=text.PRESETS[name], lam=short(stage.lab.lam)))
    key = ("costs", name, sizes, eps, stage.lab.lam, int(stage.memory.get("times", 0)))

    def start() -> None:
        stage.memory["times"] = int(stage.memory.get("times", 0)) + 1
        stage.memory["asked"] = ("costs", name, sizes, eps, stage.lab.lam, stage.memory["times"])
        stage.done()

    st.button(words.COST["measure"], key="pegasos_measure", on_click=start, type="primary")
    if stage.memory.get("asked") == key:
        lam = stage.lab.lam
        job = longwork.ask(
            stage.session,
            key,
            lambda report: measure(sizes, SOLVERS + ONE_STEP, lam, eps, name, repeats=3, on_progress=report),
        )
        longwork.show(stage.session, job, lambda found: _charts(stage, found))


def _charts(stage: Stage, found: Costs) -> None:
    for key, methods in (("solvers", SOLVERS), ("steps", ONE_STEP)):
        part = _only(found, methods)
        figure = costs(part, words.COST_NAMES, words.COST["x"], words.COST["y"], stage.palette)
        st.markdown(words.COST[key])
        chart(figure, f"pegasos_costs_{key}")
        rows = [
            f"| {words.COST_LONG[m]} | {short(float(s), 2)} | {short(1000 * float(row[-1]), 3)} |"
            for m, s, row in zip(part.methods, part.slopes, part.seconds, strict=True)
        ]
        st.markdown("\n".join([words.COST["head"].format(m=int(found.m[-1])), *rows]))
    if not np.isfinite(found.seconds[found.methods.index("pegasos")]).all():
        st.caption(words.COST["missing"])
    st.caption(words.COST["note"])


def _only(found: Costs, methods: tuple[Method, ...]) -> Costs:
    rows = [found.methods.index(m) for m in methods]
    return Costs(found.m, methods, found.seconds[rows], found.steps, found.slopes[rows], found.lam, found.eps)


STEP = Step(
    "cost",
    words.COST["title"],
    words.COST["question"],
    words.COST_CHOICES,
    answer=where(lambda stage: 2, None),
    reveal=where(lambda stage: words.COST["reveal"], ""),
    formula=r"\begin{gathered} \text{dense QP: } O(m^3) \qquad \text{step on } w\text{: } O(d) \\ \text{batch or kernel step: } O(m\,d) \end{gathered}",
    show=shows(show),
)
