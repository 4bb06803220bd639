"""The gap between a rising dual and a falling primal (H3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.ascent import Ascent, ascent
from svmlab.lab.lessons.duality.charts import GapWords, gap
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.lab.teach.words import FILM

W = words.GAP
STEPS = 200
CLOSED = 1e-6


def run(stage: Stage) -> Ascent:
    """The climb on this board."""
    found: Ascent = stage.once("ascent", lambda: ascent(stage.lab.problem, STEPS, CLOSED))
    return found


def open_gap(found: Ascent) -> float:
    """What is left between the two values, relative to the primal."""
    return float((found.primal[-1] - found.dual[-1]) / found.primal[-1]) if np.isfinite(found.primal[-1]) else np.inf


def answer(stage: Stage) -> int | None:
    if common.obstacle(stage):
        return None
    return 0 if open_gap(run(stage)) <= 1e-2 else None


def reveal(stage: Stage) -> str:
    if common.obstacle(stage):
        return ""
    found, best = run(stage), short(common.solved(stage).objective)
    if open_gap(found) <= CLOSED:
        return str(W["reveal"].format(steps=found.steps, gap=short(abs(open_gap(found)), 2), best=best))
    primal = short(float(found.primal[-1]))
    return str(W["reveal_open"].format(steps=found.steps, dual=short(float(found.dual[-1])), primal=primal, best=best))


def film_key(stage: Stage) -> str:
    return f"ascent {stage.lab.problem.key}"


def film(stage: Stage, found: Ascent) -> dict[str, Any]:
    """One frame a step: the line of its w and best b, and a ring round a point that moved."""
    data, half = stage.lab.data, stage.lab.view
    frames = []
    for k in range(found.steps + 1):
        w = (found.alpha[k] * data.y) @ data.X
        items = []
        if float(np.abs(w).max()) > 1e-12:
            items = [{"kind": "line", "pts": common.line(w, float(found.b[k]), half), "style": "accent"}]
        i, j = (int(v) for v in found.moved[k])
        who = W["start"] if i < 0 else W["single"].format(i=i + 1) if j < 0 else W["pair"].format(i=i + 1, j=j + 1)
        primal = short(float(found.primal[k])) if np.isfinite(found.primal[k]) else W["none"]
        caption = W["film"].format(k=k, n=found.steps, who=who, dual=short(float(found.dual[k])), primal=primal)
        frames.append({"items": items, "ring": None if i < 0 else int(data.ids[i]), "caption": caption})
    return {"key": film_key(stage), "frames": frames, "at": 0, "speed": 2, "text": FILM}


def draw(stage: Stage) -> dict[str, Any]:
    if not stage.shown or common.obstacle(stage) or not stage.lab.machine.straight:
        return {}
    return common.with_film(stage, lambda: film(stage, run(stage)))


def show(stage: Stage) -> None:
    if common.obstacle(stage):
        return
    common.formula(W["formula"], SLACK="" if stage.lab.hard else W["slack"])
    at = stage.session.aside.get("film", {})
    step = int(at["at"]) if at.get("key") == film_key(stage) and isinstance(at.get("at"), int) else None
    figure = gap(run(stage), common.solved(stage).objective, step, GapWords(**W["chart"]), stage.palette)
    chart(figure, "duality_gap")
    st.caption(W["how"] if stage.lab.bias else W["how_single"])
    if not stage.lab.machine.straight:
        st.caption(W["film_kernel"])


STEP = Step(
    "gap",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    draw=draw,
    numbers=lambda stage: common.remark(common.obstacle(stage)),
    show=show,
    tries=(
        Try(words.BOARDS["four"], common.four),
        Try(words.BOARDS["eight"], common.EIGHT),
        Try(W["try_slow"], common.SIXTY),
        Try(words.BOARDS["soft"], common.setting(hard=False, face="C", value=1.0)),
    ),
)
