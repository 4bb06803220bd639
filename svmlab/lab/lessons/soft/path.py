"""The steps along C: what slack costs (S1, S11, S13, S17), each multiplier (S1, S11), and the hard margin at its end (S10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.soft import path_chart as figures
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.along import Along, along
from svmlab.lab.lessons.soft.common import Walk, lacks, situation, solved, step, ticks, walk, with_walk
from svmlab.lab.lessons.soft.show import choose, heavy, legend, overlays, price, row_of, values
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Try
from svmlab.statements.tradeoff import threshold

MOONS = {"preset": "moons", "kernel": "gaussian", "sigma": 0.7, "hard": False, "face": "C", "value": 1.0}


# what slack costs


def _price_numbers(stage: Stage) -> str:
    s = solved(stage)
    counts = (str(int(s.support.sum())), str(int((s.margins < -s.floor).sum())))
    return values(words.PRICE["numbers"], s.problem.C, s.norm_w, float(s.xi.sum()), *counts)


def _price_reveal(stage: Stage) -> str:
    found = walk(stage)
    said: str = words.PRICE["reveal" if found else "waiting"]
    return said.format(breaks=len(found.path.C)) if found else said


def _price_show(stage: Stage) -> None:
    names = figures.TradeWords(*words.PRICE["chart"])
    with_walk(stage, lambda found: chart(figures.trade(found.along, stage.lab.C, names, stage.palette), "soft_trade"))


PRICE = step(
    "price",
    words.PRICE,
    ("classes", "soft", "space"),
    formula=r"\min_{w,b,\xi}\ \tfrac12\|w\|^2 + C\sum_i\xi_i \qquad y_i f(x_i)\ge 1-\xi_i,\ \ \xi_i\ge 0",
    tries=(
        Try(words.PRICE["try"][0], price(0.001)),
        Try(words.PRICE["try"][1], price(1000.0)),
        Try(words.PRICE["try"][2], {"op": "preset", "values": MOONS | {"size": 60}}),
    ),
    answer=lambda stage: 1,
    reveal=_price_reveal,
    draw=ticks,
    numbers=_price_numbers,
    show=_price_show,
)


# each point's pull


def pull(stage: Stage) -> tuple[int, float] | None:
    """The selected point and its alpha."""
    row = row_of(stage)
    return None if row is None else (stage.lab.points[row].id, float(solved(stage).alpha[row]))


def _pull_numbers(stage: Stage) -> str:
    s, found = solved(stage), pull(stage)
    if found is None:
        counts = (str(int(mask.sum())) for mask in (~s.support, s.free, s.at_bound))
        return values(words.MULTIPLIERS["numbers_none"], s.problem.C, *counts)
    C, alpha = s.problem.C, found[1]
    return values(words.MULTIPLIERS["numbers"], C, alpha, alpha / C)


def _pull_reveal(stage: Stage) -> str:
    found, said = pull(stage), words.MULTIPLIERS
    told = said["none"]
    if found is not None:
        told = said["selected"].format(id=found[0], alpha=short(found[1]), share=short(found[1] / stage.lab.C))
    return str(said["reveal"].format(selected=told))


def _pull_show(stage: Stage) -> None:
    view = choose(stage, "view", words.MULTIPLIERS["views"])
    x, y = words.MULTIPLIERS["axes"][view]

    def draw(found: Walk) -> None:
        lab = stage.lab
        figure = figures.multipliers(found.along, lab.data, lab.C, lab.selected, x, y, view == "shares", stage.palette)
        chart(figure, f"soft_multipliers_{view}", stage.select)

    with_walk(stage, draw)


def free_one(stage: Stage) -> dict[str, Any]:
    """A free support vector, if there is one."""
    s = stage.solution
    rows = np.flatnonzero(s.free) if s else np.zeros(0, np.intp)
    return {"op": "select", "id": stage.lab.points[int(rows[0])].id if len(rows) else stage.lab.selected}


def worst_one(stage: Stage) -> dict[str, Any]:
    """The point with the most slack."""
    s = stage.solution
    some = s is not None and bool(len(s.xi))
    return {"op": "select", "id": stage.lab.points[int(s.xi.argmax())].id if s is not None and some else None}


MULTIPLIERS = step(
    "multipliers",
    words.MULTIPLIERS,
    ("classes", "soft", "space"),
    formula=r"\max_\alpha\ \sum_i\alpha_i-\tfrac12\,\alpha^\top Q\,\alpha \qquad 0\le\alpha_i\le C,\ \ y^\top\alpha=0",
    tries=(
        Try(words.MULTIPLIERS["try"][0], free_one),
        Try(words.MULTIPLIERS["try"][1], worst_one),
        Try(words.MULTIPLIERS["try"][2], {"op": "preset", "values": MOONS | {"size": 300}}),
    ),
    answer=lambda stage: 0,
    reveal=_pull_reveal,
    draw=ticks,
    numbers=_pull_numbers,
    show=_pull_show,
)


# up to the hard margin


def limit(stage: Stage) -> tuple[Solution, float]:
    """The hard margin and the C from which on it is reached; once for the points, whatever C is."""
    lab = stage.lab

    def make() -> tuple[Solution, float]:
        s = situation(stage)
        return s.hard_solution, threshold(s)

    found: tuple[Solution, float] = stage.session.cache.once(
        ("soft", "limit", lab.data.key, lab.machine.key, lab.bias), make
    )
    return found


def _hard_numbers(stage: Stage) -> str:
    s = solved(stage)
    if heavy(stage):
        return values(words.HARD["numbers_quick"], s.problem.C, s.norm_w, float(s.xi.sum()))
    hard, C0 = limit(stage)
    return values(words.HARD["numbers"], s.problem.C, C0, s.norm_w, hard.norm_w, float(s.xi.sum()))


def _hard_draw(stage: Stage) -> dict[str, Any]:
    if heavy(stage):
        return {}
    _, C0 = limit(stage)
    found = ticks(stage, at=(C0,))
    if stage.shown:
        found["overlay"] = _ghost(stage)
    return found


def _ghost(stage: Stage) -> list[dict[str, Any]]:
    """The lines of the hard margin."""
    drawn = stage.session.cache.scene(limit(stage)[0], stage.lab.view)
    return [
        item
        for name, style in (("zero", "witness-line"), ("plus", "witness-line dashed"), ("minus", "witness-line dashed"))
        for item in overlays(getattr(drawn, name), style)
    ]


def _hard_reveal(stage: Stage) -> str:
    _, C0 = limit(stage)
    found = walk(stage)
    if found is None:
        return str(words.HARD["reveal"].format(C0=short(C0)))
    at, below = found.path.at(C0 * (1 + 1e-9)), found.path.at(0.9 * C0)
    return str(
        (words.HARD["reveal"] + words.HARD["beside"]).format(
            C0=short(C0),
            at=short(at.norm_w),
            slack=short(0.0 if at.xi.sum() < 1e-7 else float(at.xi.sum())),
            below=short(below.norm_w),
            loose=short(float(below.xi.sum())),
        )
    )


def _hard_show(stage: Stage) -> None:
    _, C0 = limit(stage)
    st.html(legend(("witness-line", words.HARD["legend"][0])))
    x, *names = words.HARD["chart"]

    def draw(found: Walk) -> None:
        near: Along = stage.once("near", lambda: along(found.path, 0.25 * C0, 1.6 * C0, 61))
        figure = figures.threshold(near, C0, stage.lab.C, x, (names[0], names[1]), stage.palette)
        chart(figure, "soft_threshold")

    with_walk(stage, draw)


def at_threshold(share: float) -> Any:
    """The price at a share of C0, where there is one."""

    def op(stage: Stage) -> dict[str, Any]:
        missing = lacks(stage, ("classes", "soft", "space", "separable"))
        return {"op": "select", "id": stage.lab.selected} if missing else price(share * limit(stage)[1])

    return op


HARD = step(
    "hard",
    words.HARD,
    ("classes", "soft", "space", "separable"),
    formula=r"C\ \ge\ C_0=\min_{\alpha^*}\max_i\alpha_i^*\ \ \Longrightarrow\ \ w_C=w_\infty",
    tries=(
        Try(words.HARD["try"][0], at_threshold(1 + 1e-9)),
        Try(words.HARD["try"][1], at_threshold(0.9)),
        Try(
            words.HARD["try"][2], {"op": "preset", "values": {"preset": "separable", "kernel": "linear", "hard": False}}
        ),
        Try(words.HARD["try"][3], {"op": "preset", "values": MOONS | {"sigma": 0.5, "size": 60}}),
    ),
    answer=lambda stage: 1,
    reveal=_hard_reveal,
    draw=_hard_draw,
    numbers=_hard_numbers,
    show=_hard_show,
)
