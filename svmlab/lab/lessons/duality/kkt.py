"""The optimality conditions point by point (H4, S6)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab import Category
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.conditions import Conditions, conditions
from svmlab.lab.lessons.duality.programs import second
from svmlab.lab.numbers import DUST, settled, short
from svmlab.lab.teach.pick import head, number, pick, row, table
from svmlab.lab.teach.step import Stage, Step, Try

W = words.KKT
TOLERANCE = 1e-6


def found(stage: Stage) -> Conditions | None:
    """W and b of the second solver, alpha of the exact method; None where the second solver gave up."""

    def make() -> Conditions | None:
        machine = second(stage)
        if machine is None:
            return None
        return conditions(stage.lab.problem, common.situation(stage).Phi, *machine, common.solved(stage).alpha)

    result: Conditions | None = stage.once("conditions", make)
    return result


def beyond(stage: Stage) -> Any:
    """Rows of the points beyond their margin line."""
    return np.array([c is Category.OUTSIDE for c in common.solved(stage).categories], dtype=bool)


def answer(stage: Stage) -> int | None:
    return None if common.obstacle(stage) or not beyond(stage).any() else 0


def reveal(stage: Stage) -> str:
    if common.obstacle(stage):
        return ""
    outside, alpha = beyond(stage), common.solved(stage).alpha
    top = short(float(alpha[outside].max(initial=0.0)))
    kernel = stage.lab.machine
    who = W["who"][kernel.feature_dim(2) is not None]
    return str(W["reveal"].format(n=int(outside.sum()), m=len(alpha), top=top, who=who))


def show(stage: Stage) -> None:
    if common.obstacle(stage):
        return
    hard = stage.lab.hard
    common.formula(
        W["formula"],
        BALANCE=W["balance"] if stage.lab.bias else "",
        XI2="" if hard else W["xi2"],
        XI="" if hard else W["xi"],
    )
    lines = found(stage)
    if lines is None:
        st.info(words.SECOND)
        return
    st.markdown(_sums(lines))
    pick(rows(stage, lines), "duality_kkt", common.select(stage))


def _sums(lines: Conditions) -> str:
    def verdict(value: float) -> str:
        return W["holds"] if value <= TOLERANCE else W["fails"]

    out = [W["sums"], f"| {W['stationarity']} | {short(lines.stationarity, 2)} | {verdict(lines.stationarity)} |"]
    if lines.balance is None:
        out.append(f"| {W['no_balance']}")
    else:
        out.append(f"| {W['balance_line']} | {short(lines.balance, 2)} | {verdict(lines.balance)} |")
    return "\n".join(out)


def rows(stage: Stage, lines: Conditions) -> str:
    """The table, a row a point."""
    solution, data, hard = common.solved(stage), stage.lab.data, stage.lab.hard
    C = stage.lab.problem.C
    body = []
    for i, id_ in enumerate(data.ids):
        first, xi, alpha = settled(float(lines.yf[i]) - 1.0, 1e3 * DUST), float(lines.xi[i]), float(lines.alpha[i])
        product = settled(alpha * (float(lines.yf[i]) - 1.0 + xi), 1e3 * DUST)
        cells = [number(first, 4)]
        if not hard:
            cells.append(number(settled(xi, 1e3 * DUST), 4))
        cells += [number(alpha, 4), number(product)]
        if not hard:
            cells.append(number(settled((C - alpha) * xi, 1e3 * DUST)))
        worst = float(lines.worst[i])
        mark = "good" if worst <= TOLERANCE else "bad"
        cells.append(f'<td class="{mark}" title="{worst!r}">{W["holds" if mark == "good" else "fails"]}</td>')
        cells.append(f'<td class="wide">{W["forces"][solution.categories[i].value]}</td>')
        body.append(row(int(id_), str(i + 1), float(data.y[i]), cells, stage.lab.selected))
    return table(W["table"], head(*(W["head"] if hard else W["head_soft"])), body)


def choose(supports: bool) -> Any:
    """The operation that selects a support vector, or a point beyond its margin line."""

    def op(stage: Stage) -> dict[str, Any]:
        solution = stage.solution
        if solution is None:
            return {"op": "select", "id": None}
        among = solution.support if supports else ~solution.support
        order = np.flatnonzero(among)
        if not len(order):
            return {"op": "select", "id": None}
        best = order[(solution.alpha if supports else solution.margins)[order].argmax()]
        return {"op": "select", "id": int(stage.lab.data.ids[best])}

    return op


STEP = Step(
    "kkt",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    numbers=lambda stage: common.remark(common.obstacle(stage)),
    show=show,
    tries=(
        Try(W["try_outside"], choose(supports=False)),
        Try(W["try_support"], choose(supports=True)),
        Try(words.BOARDS["eight"], common.EIGHT),
        Try(words.BOARDS["idle"], common.IDLE),
        Try(words.BOARDS["soft"], common.setting(hard=False, face="C", value=1.0)),
    ),
)
