"""Points that no line separates: the certificate, and the dual without bound (H11)."""

from __future__ import annotations

import numpy as np
import streamlit as st

from svmlab import NotSeparable, Separation
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.lessons.duality.charts import RayWords, ray
from svmlab.lab.numbers import short
from svmlab.lab.teach.pick import head, number, pick, row, table
from svmlab.lab.teach.step import Stage, Step, Try

W = words.NONE
CLIMB = 200


def certificate(stage: Stage) -> Separation | None:
    """The proof that nothing separates; None where something does."""
    outcome = stage.session.outcome
    return outcome.error.separation if outcome and isinstance(outcome.error, NotSeparable) else None


def obstacle(stage: Stage) -> str | None:
    return None if certificate(stage) is not None else common.obstacle(stage, hard=True)


def along(stage: Stage) -> tuple[float, float]:
    """Slope and curve of the dual along t v for the certificate, along t alpha* where there is none."""
    found, problem = certificate(stage), stage.lab.problem
    v = common.solved(stage).alpha if found is None else found.weights
    assert v is not None
    signed = v * problem.data.y
    curve = float(signed @ problem.gram @ signed)
    size = float(v @ np.abs(problem.gram) @ v)
    return float(v.sum()), 0.0 if curve <= 1e-10 * size else curve


def answer(stage: Stage) -> int | None:
    return 1 if certificate(stage) is not None else None


def reveal(stage: Stage) -> str:
    if obstacle(stage):
        return ""
    slope, curve = along(stage)
    if certificate(stage) is None:
        return str(W["reveal_fine"].format(value=short(common.solved(stage).objective)))
    return str(W["reveal"].format(curve=short(curve, 2), slope=short(slope)))


def show(stage: Stage) -> None:
    if obstacle(stage):
        return
    found = certificate(stage)
    slope, curve = along(stage)
    top = W["top"] if found is None else W["no_top"].format(slope=short(slope))
    figure = ray(slope, curve, RayWords(top=top, **W["chart"]), stage.palette)
    chart(figure, "duality_ray")
    if found is None or found.weights is None:
        return
    common.formula(W["formula"], BALANCE=W["balance"] if stage.lab.bias else "")
    data, v = stage.lab.data, found.weights
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [f"<td>{common.vector(data.X[i])}</td>", number(float(v[i]), 4)],
            stage.lab.selected,
        )
        for i in found.witness
    ]
    pick(table(W["table"], head(*W["head"]), body), "duality_witness", common.select(stage))
    st.markdown(W["asks"].format(asked=short(float(v.sum()))))
    run = stage.once("climb", lambda: ascent(stage.lab.problem, CLIMB))
    if not run.unbounded:
        st.markdown(W["climb"].format(dual=short(float(run.dual[-1])), steps=run.steps))
    st.markdown(W["way_out"])


STEP = Step(
    "none",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    numbers=lambda stage: common.remark(obstacle(stage)),
    show=show,
    tries=(
        Try(words.BOARDS["mixed"], common.MIXED),
        Try(words.BOARDS["hard"], common.setting(hard=True)),
        Try(words.BOARDS["gaussian"], common.setting(kernel="gaussian", hard=True)),
        Try(words.BOARDS["soft"], common.setting(hard=False, face="C", value=1.0)),
    ),
)
