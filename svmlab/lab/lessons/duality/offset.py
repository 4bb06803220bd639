"""b as each point would have it (H7, S7)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab.arrays import Array
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.charts import DotWords, dots
from svmlab.lab.lessons.duality.expansion import readings
from svmlab.lab.lessons.duality.kkt import choose
from svmlab.lab.numbers import ends, settled, short
from svmlab.lab.teach.step import Stage, Step, Try

W = words.OFFSET


def obstacle(stage: Stage) -> str | None:
    return common.obstacle(stage, bias=True)


def answer(stage: Stage) -> int | None:
    return None if obstacle(stage) or not common.solved(stage).free.any() else 1


def reveal(stage: Stage) -> str:
    if obstacle(stage):
        return ""
    solution = common.solved(stage)
    b, free = readings(solution), solution.free
    if not free.any():
        lo, hi = solution.b_interval
        first, last = ends(lo, hi)
        return str(W["reveal_none"].format(lo=first, hi=last, least=short(float(b.min())), most=short(float(b.max()))))
    return str(
        W["reveal"].format(
            n=int(free.sum()),
            free=W["free"][stage.lab.hard],
            b=short(settled(solution.b)),
            spread=short(settled(float(np.ptp(b[free]))), 2),
            lo=short(settled(float(b.min()))),
            hi=short(settled(float(b.max()))),
        )
    )


def draw(stage: Stage) -> dict[str, Any]:
    """The line that the selected point asks for."""
    i = common.row_of(stage)
    if not stage.shown or i is None or obstacle(stage) or not stage.lab.machine.straight:
        return {}
    solution = common.solved(stage)
    assert solution.w is not None
    b: Array = readings(solution)
    return {
        "overlay": [{"kind": "line", "pts": common.line(solution.w, float(b[i]), stage.lab.view), "style": "accent"}]
    }


def numbers(stage: Stage) -> str:
    reason, i = obstacle(stage), common.row_of(stage)
    if reason or i is None or not stage.shown:
        return common.remark(reason)
    solution = common.solved(stage)
    b = float(readings(solution)[i])
    off = abs(b - solution.b)
    right = off <= max(1e-7, 1e3 * solution.noise)
    shift = short(off / solution.norm_w) if solution.norm_w else "–"
    verdict = W["picked_right"] if right else W["picked_wrong"].format(shift=shift)
    said = W["picked"].format(i=i + 1, b=short(settled(b)), right=short(settled(solution.b)), verdict=verdict)
    return f'<p data-picked="{b!r}">{said}</p>'


def show(stage: Stage) -> None:
    if obstacle(stage):
        return
    solution, data, hard = common.solved(stage), stage.lab.data, stage.lab.hard
    common.formula(W["formula"], C="" if hard else W["C"])
    labels = dict(W["chart"]) | {"support": W["chart"]["support"].replace("{C}", "" if hard else " < C")}
    b, named = readings(solution), DotWords(**labels)
    figure = dots(b, data.y, data.ids, solution.free, solution.b, stage.lab.selected, named, stage.palette)
    chart(figure, "duality_offset", stage.select)
    if not hard and bool(solution.at_bound.any()):
        mean = float(b[solution.support].mean())
        st.markdown(W["mean"].format(n=int(solution.support.sum()), mean=short(mean), b=short(settled(solution.b))))


STEP = Step(
    "offset",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    draw=draw,
    numbers=numbers,
    show=show,
    tries=(
        Try(W["try_side"], choose(supports=False)),
        Try(W["try_free"], choose(supports=True)),
        Try(words.BOARDS["sixty"], common.SIXTY),
        Try(words.BOARDS["soft"], common.setting(hard=False, face="C", value=1.0)),
    ),
)
