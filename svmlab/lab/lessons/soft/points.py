"""The steps on single points: where they stand (S5, S6), and what their slack measures (S3, S12, S15)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from svmlab import Category
from svmlab.arrays import Array
from svmlab.categories import GROUPS
from svmlab.lab.board.payload import flat
from svmlab.lab.cards import cards
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.soft import points_chart as figures
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.common import solved, step, ticks
from svmlab.lab.lessons.soft.path import worst_one
from svmlab.lab.lessons.soft.show import price, row_of, values
from svmlab.lab.lessons.soft.variants import program_slack
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Try
from svmlab.statements.roles import SIGNS, SOME
from svmlab.statements.statement import Witness
from svmlab.statements.vectors import IDLE

FULL = Witness(((1.0, 0.0), (-1.0, 0.0), (2.0, 1.0), (-2.0, -1.0)), (1, -1, 1, -1), "", C=0.5)
IDLE_BOARD = Witness(IDLE, (1, -1, 1, 1, -1, -1), "", C=10.0)
INTRUDER = Witness((*SOME, (-1.6, -0.8)), (*SIGNS, 1), "", C=1.0)


def board(witness: Witness) -> Any:
    """The operation that puts a fixed board in place of the points."""
    return lambda stage: {"op": "load", "lab": cards.board_of(stage.lab, witness)}


# where a point can stand


def chosen(stage: Stage) -> Category | None:
    """The category whose points are looked at."""
    value = stage.memory.get("category")
    return Category(value) if value else None


def _places_draw(stage: Stage) -> dict[str, Any]:
    focus = chosen(stage)
    return ticks(stage, start=False) | ({"focus": {"cats": [focus.value]}} if focus and stage.shown else {})


def products(stage: Stage) -> tuple[Array, Array]:
    """Both products of complementary slackness."""
    s = solved(stage)
    return s.alpha * (s.margins - 1 + s.xi), (s.problem.C - s.alpha) * s.xi


def _places_numbers(stage: Stage) -> str:
    s = solved(stage)
    counts = [str(sum(c in GROUPS[g] for c in s.categories)) for g in ("safe", "margin", "violating")]
    largest = [short(float(np.abs(p).max()), 2) for p in products(stage)]
    return values(words.PLACES["numbers"], *counts, *largest)


def _places_show(stage: Stage) -> None:
    s, said = solved(stage), words.PLACES
    order = list(Category)
    counts = [sum(c is cat for c in s.categories) for cat in order]
    table = pd.DataFrame(
        {
            said["heads"][0]: [said["where"][c.value] for c in order],
            said["heads"][1]: [said["conditions"][c.value] for c in order],
            said["heads"][2]: counts,
        }
    )
    key = "soft_places"

    def picked() -> None:
        rows = st.session_state[key].selection.rows
        stage.memory["category"] = order[rows[0]].value if rows else None
        stage.done()

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        width="stretch",
        on_select=picked,
        selection_mode="single-row",
        column_config={said["heads"][2]: st.column_config.NumberColumn(width="small")},
    )
    _members(stage)


def _members(stage: Stage) -> None:
    """The points of the chosen category, or all, with both products; a row selects its point."""
    s, focus = solved(stage), chosen(stage)
    rows = np.array([i for i, c in enumerate(s.categories) if focus is None or c is focus], np.intp)
    if not len(rows):
        return
    first, second = products(stage)
    ids = s.problem.data.ids[rows]
    columns = (ids, s.margins[rows], s.xi[rows], s.alpha[rows], first[rows], second[rows])
    names = words.PLACES["columns"]
    key = f"soft_members_{focus.value if focus else 'all'}"

    def picked() -> None:
        at = st.session_state[key].selection.rows
        stage.session.do({"op": "select", "id": int(ids[at[0]]) if at else None})
        stage.done()

    figures_ = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(dict(zip(names, columns, strict=True))),
        key=key,
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(rows), 240),
        on_select=picked,
        selection_mode="single-row",
        column_config=dict.fromkeys(names[1:], figures_),
    )


PLACES = step(
    "places",
    words.PLACES,
    ("classes", "soft"),
    formula=r"\alpha_i\,\bigl(y_i f(x_i)-1+\xi_i\bigr)=0, \qquad (C-\alpha_i)\,\xi_i=0",
    tries=(
        Try(words.PLACES["try"][0], board(IDLE_BOARD)),
        Try(words.PLACES["try"][1], board(FULL)),
        Try(
            words.PLACES["try"][2],
            {
                "op": "preset",
                "values": {"preset": "overlapping", "kernel": "linear", "hard": False, "face": "C", "value": 0.1},
            },
        ),
    ),
    answer=lambda stage: 2,
    reveal=lambda stage: words.PLACES["reveal"],
    draw=_places_draw,
    numbers=_places_numbers,
    show=_places_show,
)


# slack and distance


def short_one(stage: Stage) -> int | None:
    """The row that the arrow belongs to: the selected point if it has slack, else the one with most; None without slack."""
    s, row = solved(stage), row_of(stage)
    if row is not None and s.xi[row] > 0:
        return row
    worst = int(s.xi.argmax())
    return worst if s.xi[worst] > 0 else None


def way(stage: Stage, row: int) -> Array | None:
    """The way of a point to its margin line, as the board draws it."""
    return stage.session.cache.scene(solved(stage), stage.lab.view).slack.get(row)


def _slack_draw(stage: Stage) -> dict[str, Any]:
    row = short_one(stage)
    path = None if row is None else way(stage, row)
    arrow = [] if path is None else [{"kind": "arrow", "pts": flat(path), "style": "accent"}]
    return ticks(stage, start=False) | {"overlay": arrow}


def _slack_numbers(stage: Stage) -> str:
    s, row = solved(stage), short_one(stage)
    if row is None:
        return f'<p class="sv-quiet">{words.SLACK["numbers_none"]}</p>'
    path, xi = way(stage, row), float(s.xi[row])
    length = float("nan") if path is None else float(np.hypot(*np.diff(path, axis=0).T).sum())
    told = (str(stage.lab.points[row].id), float(s.margins[row]), xi, s.norm_w)
    ratio = xi / s.norm_w if s.norm_w else float("nan")
    return values(words.SLACK["numbers"], *told, ratio, length)


def own_slack(stage: Stage) -> Array:
    """The program's own variables."""
    found: Array = stage.once("slack", lambda: program_slack(stage.lab.problem))
    return found


def _slack_reveal(stage: Stage) -> str:
    s = solved(stage)
    apart = float(np.abs(own_slack(stage) - np.maximum(0.0, 1.0 - s.margins)).max())
    errors = int((s.margins <= 0).sum())
    return str(words.SLACK["reveal"].format(apart=short(apart, 2), errors=errors, total=short(float(s.xi.sum()))))


def _slack_show(stage: Stage) -> None:
    lab = stage.lab
    figure = figures.hinge(
        lab.data, solved(stage).margins, own_slack(stage), lab.selected, words.SLACK["chart"], stage.palette
    )
    chart(figure, "soft_hinge", stage.select)


SLACK = step(
    "slack",
    words.SLACK,
    ("classes", "soft", "space"),
    formula=r"\xi_i=\max\bigl(0,\,1-y_i f(x_i)\bigr), \qquad \operatorname{dist}\bigl(x_i,\{f=y_i\}\bigr)=\frac{\xi_i}{\|w\|}",
    tries=(
        Try(words.SLACK["try"][0], worst_one),
        Try(words.SLACK["try"][1], price(0.05)),
        Try(words.SLACK["try"][2], board(INTRUDER)),
    ),
    answer=lambda stage: 1 if solved(stage).norm_w else None,
    reveal=_slack_reveal,
    draw=_slack_draw,
    numbers=_slack_numbers,
    show=_slack_show,
)
