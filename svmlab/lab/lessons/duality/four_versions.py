"""The problem in four versions (note C; M5 to M7, H1 to H3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab import SvmError
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.charts import BarWords, bars
from svmlab.lab.lessons.duality.versions import Version, turn, versions
from svmlab.lab.lessons.duality.versions_chart import Words, plane_of_w, turning
from svmlab.lab.numbers import settled, short
from svmlab.lab.teach.step import Stage, Step, Try

W = words.VERSIONS


def obstacle(stage: Stage) -> str | None:
    return common.obstacle(stage, hard=True, linear=True)


def found(stage: Stage) -> tuple[Version, ...]:
    """The four versions on this board; empty where the second solver gave up."""

    def make() -> tuple[Version, ...]:
        try:
            return versions(stage.lab.data, stage.lab.bias)
        except SvmError:
            return ()

    four: tuple[Version, ...] = stage.once("versions", make)
    return four


def apart(four: tuple[Version, ...]) -> float:
    """The largest difference between two of the lines, as (w, b) / |w|, in units of the margin."""
    lines = np.array([np.r_[v.w, v.b] / np.linalg.norm(v.w) for v in four])
    return float(np.ptp(lines, axis=0).max()) / four[0].margin


def answer(stage: Stage) -> int | None:
    if obstacle(stage) or not found(stage):
        return None
    return 0 if apart(found(stage)) <= 1e-6 else None


def reveal(stage: Stage) -> str:
    if obstacle(stage) or not found(stage):
        return ""
    four = found(stage)
    off = apart(four)
    text: str = W["reveal"].format(margin=short(four[0].margin), apart=short(off, 2))
    return text


def chosen(stage: Stage) -> str:
    name: str = stage.memory.get("version", "margin")
    return name


def draw(stage: Stage) -> dict[str, Any]:
    """The normal of the version that is looked at: u of length 1, or w."""
    if not stage.shown or obstacle(stage):
        return {}
    solution = common.solved(stage)
    assert solution.w is not None
    w = np.asarray(solution.w)
    foot = -solution.b * w / float(w @ w)
    tip = w / solution.norm_w if chosen(stage) == "margin" else w
    return {"overlay": [{"kind": "arrow", "pts": common.segment(foot, foot + tip), "style": "accent"}]}


def show(stage: Stage) -> None:
    if obstacle(stage):
        return
    four = found(stage)
    if not four:
        st.info(words.SECOND)
        return
    key = "duality_version"
    st.session_state[key] = chosen(stage)

    def changed() -> None:
        stage.memory["version"] = st.session_state[key]
        stage.done()

    st.segmented_control(
        W["choose"],
        list(W["names"]),
        format_func=W["names"].__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=changed,
    )
    name = chosen(stage)
    common.formula(W["formulas"][name], BALANCE=W["balance"] if stage.lab.bias else "")
    solution = common.solved(stage)
    st.markdown(W["says"][name].format(total=short(float(solution.alpha.sum()))))
    _chart(stage, name, four)
    st.markdown(_table(four, name))


def _chart(stage: Stage, name: str, four: tuple[Version, ...]) -> None:
    labels = Words(**W["chart"])
    solution, data = common.solved(stage), stage.lab.data
    if name == "dual":
        rows = np.flatnonzero(solution.support)
        point = BarWords(words.POINT, words.POINT)
        figure = bars([("α", solution.alpha)], data.y, data.ids, rows, stage.lab.selected, point, stage.palette)
        chart(figure, "duality_versions_alpha", stage.select)
        return
    curve = stage.once("turn", lambda: turn(data, stage.lab.bias, four[0].w))
    if name == "margin":
        figure = turning(curve, four[0].margin, labels, stage.palette)
    else:
        figure = plane_of_w(curve, four[1].w, name == "scale", labels, stage.palette)
    chart(figure, f"duality_versions_{name}")


def _table(four: tuple[Version, ...], name: str) -> str:
    lines = ["| " + " | ".join(W["head"]) + " |", "|---|---|---|---|---|"]
    for v in four:
        bold = "**" if v.name == name else ""
        w = common.vector(v.w)
        cells = (W["names"][v.name], w, short(settled(v.b)), short(v.value), short(v.margin))
        lines.append("| " + " | ".join(f"{bold}{c}{bold}" for c in cells) + " |")
    return "\n".join(lines)


STEP = Step(
    "versions",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    draw=draw,
    numbers=lambda stage: common.remark(obstacle(stage)),
    show=show,
    tries=(
        Try(words.BOARDS["eight"], common.EIGHT),
        Try(words.BOARDS["four"], common.four),
        Try(words.BOARDS["sixty"], common.SIXTY),
    ),
)
