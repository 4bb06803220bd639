"""The step on the objective: its two terms, the valley between them, and a section through it (S4, S13, S14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.soft import objective_chart as figures
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.common import Walk, solved, step, ticks, with_walk
from svmlab.lab.lessons.soft.plane import landscape, of_line, section
from svmlab.lab.lessons.soft.show import choose, price, values
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Try

START = ((-0.7, 3.0), (1.4, -2.4))


def own(stage: Stage) -> tuple[np.ndarray[Any, Any], float]:
    """The machine of the line by hand."""
    return of_line(stage.lab.problem, stage.hand or START)


def _objective_draw(stage: Stage) -> dict[str, Any]:
    a, b = stage.hand or START
    hidden: dict[str, Any] = {} if stage.shown else {"lines": None, "shade": None, "slack": [], "marks": None}
    return ticks(stage) | {"hand": {"a": a, "b": b}, "tool": "line"} | hidden


def _objective_numbers(stage: Stage) -> str:
    w, b = own(stage)
    s, data = solved(stage), stage.lab.data
    size = 0.5 * float(w @ w)
    loss = s.problem.C * float(np.maximum(0.0, 1.0 - data.y * (data.X @ w + b)).sum())
    told = (size, loss, size + loss, s.objective)
    count = 4 if stage.shown else 3
    return values(words.OBJECTIVE["numbers"][:count], *told[:count])


def _objective_reveal(stage: Stage) -> str:
    s = solved(stage)
    size = 0.5 * s.norm_w**2
    return str(words.OBJECTIVE["reveal"].format(size=short(size), price=short(s.objective - size)))


def _objective_show(stage: Stage) -> None:
    said, s = words.OBJECTIVE, solved(stage)
    view = choose(stage, "view", said["views"])
    if view == "section":
        _section(stage, s)
        return
    st.caption(said["minimised" if stage.lab.bias else "hidden"])

    def draw(found: Walk) -> None:
        data = stage.lab.data
        path = (found.along.alpha * data.y) @ data.X
        half = 1.25 * max(float(np.abs(path).max()), float(np.abs(s.w).max()) if s.w is not None else 0.0, 1e-6)
        ground = stage.session.cache.once(
            ("soft", "ground", data.key, stage.lab.bias, half), lambda: landscape(replace(s.problem, C=1.0), half)
        )
        w = own(stage)[0]
        figure = figures.plane(
            ground,
            s.problem.C,
            np.asarray(s.w),
            s.objective - 0.5 * s.norm_w**2,
            path,
            w if np.abs(w).max() <= half else None,
            view == "sum",
            figures.PlaneWords(*said["plane"]),
            stage.palette,
        )
        chart(figure, f"soft_plane_{view}")

    with_walk(stage, draw)


def _section(stage: Stage, s: Solution) -> None:
    said = words.OBJECTIVE
    key = "soft_angle"
    st.session_state[key] = stage.memory.setdefault("angle", 0)

    def turned() -> None:
        stage.memory["angle"] = st.session_state[key]
        stage.done()

    angle = st.slider(said["angle"], 0, 175, step=5, key=key, on_change=turned)
    reach = 1.5 * s.norm_w or 1.0
    found = section(s.problem, np.asarray(s.w), np.deg2rad(angle), reach)
    chart(figures.section(found, said["section"], said["t"], stage.palette), "soft_section")
    st.caption(
        said["said"].format(lam=short(s.problem.lam), slope=short(found.slope), X=short(found.steepest))
        + " "
        + said["minimised" if stage.lab.bias else "hidden"]
    )


OBJECTIVE = step(
    "objective",
    words.OBJECTIVE,
    ("classes", "soft", "linear"),
    formula=r"\tfrac12\|w\|^2 + C\,\textstyle\sum_i\xi_i = \dfrac1\lambda\,\Bigl(\underbrace{\tfrac\lambda2\|w\|^2+\tfrac1m\textstyle\sum_i\xi_i}_{F(w)}\Bigr), \quad C=\tfrac1{\lambda m}",
    tries=tuple(Try(label, price(C)) for label, C in zip(words.OBJECTIVE["try"], (0.01, 1.0, 100.0), strict=True)),
    answer=lambda stage: 2,
    reveal=_objective_reveal,
    draw=_objective_draw,
    numbers=_objective_numbers,
    show=_objective_show,
)
