"""Who is needed: the support vectors alone (H9), candidates and several optimal alphas (H10, H12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab import BadInput, Dataset, Solution, SvmError, solve
from svmlab.lab.board.payload import lines
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.charts import BarWords, bars
from svmlab.lab.lessons.duality.multipliers import Multipliers, multipliers
from svmlab.lab.numbers import settled, short
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.step import Stage, Step, Try

K, W = words.KEEP, words.WEIGHTS


def alone(stage: Stage) -> Solution | None:
    """The support vectors solved by themselves, at the same C."""

    def make() -> Solution | None:
        problem, s = stage.lab.problem, common.solved(stage).support
        try:
            return solve(replace(problem, data=Dataset(problem.data.X[s], problem.data.y[s])))
        except SvmError:
            return None

    found: Solution | None = stage.once("alone", make)
    return found


def moved(stage: Stage) -> float:
    """How far f differs between the two machines on the points, in margin units (without b where none pins it)."""
    rest, all_ = alone(stage), common.solved(stage)
    if rest is None:
        return np.inf
    X = stage.lab.data.X
    f, g = rest.decision(X) - rest.b, all_.decision(X) - all_.b
    b = abs(rest.b - all_.b) if all_.free.any() else 0.0
    return float(np.abs(f - g).max()) + b


def keep_answer(stage: Stage) -> int | None:
    return 0 if not common.obstacle(stage) and moved(stage) <= 1e-6 else None


def keep_reveal(stage: Stage) -> str:
    if common.obstacle(stage):
        return ""
    s = common.solved(stage).support
    return str(K["reveal"].format(kept=int(s.sum()), m=len(s))) if not s.all() else K["alone"]


def keep_draw(stage: Stage) -> dict[str, Any]:
    """The machine from before the deletion as a thin line, while its points are still recognisable."""
    before = stage.memory.get("before")
    now = {p.id for p in stage.lab.points}
    if not isinstance(before, Lab) or not now < {p.id for p in before.points}:
        return {}
    if any(p not in before.points for p in stage.lab.points) or before.settings != stage.lab.settings:
        return {}
    found = stage.session.cache.outcome(before.problem).solution
    return {"pin": lines(stage.session.cache.scene(found, stage.lab.view))} if found else {}


def keep_numbers(stage: Stage) -> str:
    reason = common.obstacle(stage)
    return common.remark(reason) or (f'<p class="sv-quiet">{K["ghost"]}</p>' if keep_draw(stage) else "")


def keep_show(stage: Stage) -> None:
    if common.obstacle(stage):
        return
    st.markdown(f"$$\n{K['formula']}\n$$")
    all_, rest = common.solved(stage), alone(stage)
    if rest is None:
        st.info(words.SECOND)
        return
    rows = [("margin", 1 / all_.norm_w, 1 / rest.norm_w if rest.norm_w else np.nan)]
    if stage.lab.bias:
        rows.append(("b", all_.b, rest.b))
    rows.append(("value", all_.objective, rest.objective))
    out = [K["head"].format(m=stage.lab.data.m, kept=int(all_.support.sum()))]
    for name, a, b in rows:
        difference = short(settled(abs(a - b)), 2)
        out.append(f"| {K['rows'][name]} | {short(settled(a), 8)} | {short(settled(b), 8)} | {difference} |")
    st.markdown("\n".join(out))
    if not stage.lab.hard and stage.lab.face == "lambda":
        st.caption(K["fixed"].format(C=short(stage.lab.C)))


def delete(stage: Stage) -> dict[str, Any]:
    """Every point that is no support vector goes."""
    stage.memory["before"] = stage.lab
    solution = stage.solution
    gone = [] if solution is None else [int(i) for i in stage.lab.data.ids[~solution.support]]
    return {"op": "delete", "ids": gone}


def lose(stage: Stage) -> dict[str, Any]:
    """The support vector of the largest multiplier goes."""
    stage.memory["before"] = stage.lab
    solution = stage.solution
    gone = [] if solution is None or not solution.support.any() else [int(stage.lab.data.ids[solution.alpha.argmax()])]
    return {"op": "delete", "ids": gone}


KEEP = Step(
    "keep",
    K["title"],
    K["question"],
    K["choices"],
    answer=keep_answer,
    reveal=keep_reveal,
    draw=keep_draw,
    numbers=keep_numbers,
    show=keep_show,
    tries=(
        Try(K["delete"], delete),
        Try(K["lose"], lose),
        Try(K["back"], {"op": "undo"}),
        Try(words.BOARDS["sixty"], common.SIXTY),
    ),
)


def weights_obstacle(stage: Stage) -> str | None:
    return common.obstacle(stage, hard=True)


def corners(stage: Stage) -> Multipliers | None:
    """All corners of the optimal alphas; None where there are too many to list."""

    def make() -> Multipliers | None:
        try:
            return multipliers(common.solved(stage))
        except BadInput:
            return None

    found: Multipliers | None = stage.once("corners", make)
    return found


def kinds(found: Multipliers) -> dict[str, Any]:
    """The points on the margin by what they carry: rows that every, some, or no optimal alpha needs."""
    sure, may = found.low > 0, (found.low == 0) & (found.high > 0)
    return {"sure": sure, "may": may, "idle": found.margin & (found.high == 0)}


def weights_answer(stage: Stage) -> int | None:
    found = None if weights_obstacle(stage) else corners(stage)
    return 1 if found is not None and bool((found.margin & (found.low == 0)).any()) else None


def weights_reveal(stage: Stage) -> str:
    if weights_obstacle(stage):
        return ""
    found = corners(stage)
    if found is None:
        return str(W["too_many"])
    count = {name: int(rows.sum()) for name, rows in kinds(found).items()}
    text = W["reveal"].format(margin=int(found.margin.sum()), **count)
    n = len(found.corners)
    return f"{text} {W['reveal_many'].format(n=n) if n > 1 else W['reveal_one']}"


def normal(stage: Stage, alpha: Any) -> str:
    """W of these multipliers, built anew from them: its coordinates, or its length where it has none."""
    problem = stage.lab.problem
    if problem.kernel.feature_dim(problem.data.d) != problem.data.d:
        signed = alpha * problem.data.y
        return str(W["w"].format(norm=short(float(np.sqrt(max(signed @ problem.gram @ signed, 0.0))))))
    w = (alpha * problem.data.y) @ problem.kernel.feature_map(problem.data.X)
    return common.vector(w)


def weights_show(stage: Stage) -> None:
    if weights_obstacle(stage):
        return
    st.markdown(f"$$\n{W['formula']}\n$$")
    found, solution, data = corners(stage), common.solved(stage), stage.lab.data
    if found is None:
        return
    n = len(found.corners)
    shown = [(W["least"].format(w=normal(stage, solution.alpha)), solution.alpha)]
    if n > 1:
        apart = np.abs(found.corners - found.corners[0]).sum(1).argmax()
        shown += [
            (W["corner"].format(k=k + 1, n=n, w=normal(stage, found.corners[k])), found.corners[k])
            for k in (0, int(apart))
        ]
    rows = np.flatnonzero(found.margin)
    labels = BarWords(W["axis"], words.POINT)
    chart(
        bars(shown, data.y, data.ids, rows, stage.lab.selected, labels, stage.palette), "duality_weights", stage.select
    )
    out = [W["range"]]
    names = kinds(found)
    for i in rows:
        kind = next(k for k, on in names.items() if on[i])
        out.append(f"| {i + 1} | {short(float(found.low[i]))} | {short(float(found.high[i]))} | {W['kinds'][kind]} |")
    st.markdown("\n".join(out))


WEIGHTS = Step(
    "weights",
    W["title"],
    W["question"],
    W["choices"],
    answer=weights_answer,
    reveal=weights_reveal,
    numbers=lambda stage: common.remark(weights_obstacle(stage)),
    show=weights_show,
    tries=(
        Try(words.BOARDS["idle"], common.IDLE),
        Try(words.BOARDS["corners"], common.CORNERS),
        Try(words.BOARDS["lattice"], common.LATTICE),
        Try(words.BOARDS["hard"], common.setting(hard=True)),
    ),
)
