"""What the multipliers build: w as a chain of arrows (H5, H6), and f from kernel values (H8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.lab.cards import cards
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.expansion import misprint, partial_sums, terms
from svmlab.lab.lessons.duality.programs import second
from svmlab.lab.numbers import DUST, settled, short
from svmlab.lab.teach.pick import head, number, pick, row, table
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.lab.teach.words import FILM
from svmlab.statements import CATALOGUE

S, F = words.SUM, words.CLASSIFY
MOST = 40


def sum_obstacle(stage: Stage) -> str | None:
    return common.obstacle(stage, linear=True)


def sum_answer(stage: Stage) -> int | None:
    return None if sum_obstacle(stage) else 0


def sum_reveal(stage: Stage) -> str:
    if sum_obstacle(stage):
        return ""
    solution = common.solved(stage)
    assert solution.w is not None
    w = common.vector(solution.w)
    return str(S["reveal"].format(n=int(solution.support.sum()), m=stage.lab.data.m, w=w))


def zoom(reach: float, half: float) -> float:
    """The factor, a power of two, that makes a chain of this reach fill a good part of the board."""
    return float(2.0 ** np.floor(np.log2(0.94 * half / reach))) if reach > 0 else 1.0


def film(stage: Stage) -> dict[str, Any]:
    """One frame a support vector: its arrow head to tail, and at the end w from the origin."""
    solution, data = common.solved(stage), stage.lab.data
    sums = partial_sums(solution)
    factor = zoom(float(np.abs(sums.w).max()), stage.lab.view)
    note = "" if factor == 1 else S["scaled"].format(factor=f"{factor:g}" if factor > 1 else f"1/{1 / factor:g}")

    def balance(k: int) -> str:
        return S["film_balance"].format(sum=short(settled(float(sums.balance[k])))) if stage.lab.bias else ""

    def w(k: int) -> str:
        return common.vector(sums.w[k])

    items: list[dict[str, Any]] = []
    frames: list[dict[str, Any]] = [{"items": [], "ring": None, "caption": S["film_start"] + note}]
    for k, i in enumerate(sums.rows, start=1):
        style = "plus" if data.y[i] > 0 else "minus"
        items = [
            *items,
            {"kind": "arrow", "pts": common.segment(factor * sums.w[k - 1], factor * sums.w[k]), "style": style},
        ]
        caption = S["film"].format(
            i=i + 1,
            alpha=short(float(solution.alpha[i])),
            y="+1" if data.y[i] > 0 else "−1",
            x=common.vector(data.X[i]),
            w=w(k),
            balance=balance(k),
        )
        frames.append({"items": items, "ring": int(data.ids[i]), "caption": caption + note})
    whole = {"kind": "arrow", "pts": common.segment(np.zeros(2), factor * sums.w[-1]), "style": "accent"}
    end = S["film_end"].format(w=w(len(sums.rows)), balance=balance(len(sums.rows)))
    frames.append({"items": [*items, whole], "ring": None, "caption": end + note})
    return {"key": f"sum {stage.lab.problem.key}", "frames": frames, "at": 0, "speed": 1, "text": FILM}


def sum_draw(stage: Stage) -> dict[str, Any]:
    if not stage.shown or sum_obstacle(stage):
        return {}
    if int(common.solved(stage).support.sum()) > MOST:
        return {}
    return common.with_film(stage, lambda: film(stage))


def sum_show(stage: Stage) -> None:
    if sum_obstacle(stage):
        return
    common.formula(S["formula"], BALANCE=S["balance"] if stage.lab.bias else "")
    n = int(common.solved(stage).support.sum())
    if n > MOST:
        st.info(S["many"].format(n=n, most=MOST))
    st.markdown(f"**{S['balance_title']}**")
    st.markdown(balances(stage))
    st.markdown(S["balance_says"])


def balances(stage: Stage) -> str:
    """The classes' sums of alpha in the machine with a bias and the one without."""
    lines = [S["balance_head"]]
    for bias in (True, False):
        lab = stage.lab if stage.lab.bias == bias else common.other_bias(stage)
        found: Solution | None = stage.session.cache.outcome(lab.problem).solution
        name = S["balance_rows"][bias]
        if found is None or (bias and not lab.data.both_classes):
            lines.append(f"| {name} | {S['balance_none']} | | |")
            continue
        y, alpha = lab.data.y, found.alpha
        plus, minus = float(alpha[y > 0].sum()), float(alpha[y < 0].sum())
        lines.append(
            f"| {name} | {short(plus)} | {short(minus)} | {short(settled(plus - minus, DUST * max(1.0, plus + minus)))} |"
        )
    return "\n".join(lines)


SUM = Step(
    "sum",
    S["title"],
    S["question"],
    S["choices"],
    answer=sum_answer,
    reveal=sum_reveal,
    draw=sum_draw,
    numbers=lambda stage: common.remark(sum_obstacle(stage)),
    show=sum_show,
    tries=(
        Try(words.BOARDS["eight"], common.EIGHT),
        Try(words.BOARDS["four"], common.four),
        Try(words.BOARDS["bias_off"], common.setting(bias=False)),
        Try(words.BOARDS["bias_on"], common.setting(bias=True)),
    ),
)


def place(stage: Stage) -> int:
    """The row whose point stands for the new place u: the selected one, or the first."""
    return common.row_of(stage) or 0


def classify_answer(stage: Stage) -> int | None:
    return None if common.obstacle(stage) else 0


def classify_reveal(stage: Stage) -> str:
    if common.obstacle(stage):
        return ""
    solution, other, i = common.solved(stage), second(stage), place(stage)
    found = terms(solution, stage.lab.data.X[i])
    primal = "–"
    if other is not None:
        primal = short(settled(float(common.situation(stage).Phi[i] @ other[0]) + other[1]))
    text = F["reveal"].format(n=len(found.rows), m=stage.lab.data.m, f=short(settled(found.value)), primal=primal)
    return str(text)


def printed(stage: Stage) -> tuple[Any, float] | None:
    """The line of C's final hypothesis with the support vector of the largest multiplier; None where it does not apply."""
    solution = common.solved(stage)
    if not stage.lab.bias or not stage.lab.machine.straight or solution.w is None:
        return None
    return solution.w, misprint(solution, int(solution.alpha.argmax()))


def classify_draw(stage: Stage) -> dict[str, Any]:
    if not stage.shown or common.obstacle(stage):
        return {}
    wrong = printed(stage)
    if wrong is None:
        return {}
    return {"overlay": [{"kind": "line", "pts": common.line(*wrong, stage.lab.view), "style": "witness-line dashed"}]}


def classify_show(stage: Stage) -> None:
    if common.obstacle(stage):
        return
    st.markdown(f"$$\n{F['formula']}\n$$")
    pick(term_table(stage), "duality_terms", common.select(stage))
    wrong = printed(stage)
    if wrong is None:
        st.caption(F["misprint_none"])
        return
    data, f = stage.lab.data, common.solved(stage).decision(stage.lab.data.X)
    other = data.X @ wrong[0] + wrong[1]
    st.markdown(F["misprint"])
    st.markdown(f"$$\n{F['misprint_formula']}\n$$")
    st.markdown(F["misprint_here"].format(wrong=int(((other > 0) != (f > 0)).sum()), m=data.m))


def term_table(stage: Stage) -> str:
    """The sum for f at one point, a row a support vector."""
    solution, data, i = common.solved(stage), stage.lab.data, place(stage)
    found = terms(solution, data.X[i])
    body = [
        row(
            int(data.ids[n]),
            str(n + 1),
            float(data.y[n]),
            [number(float(a), 4), number(float(k), 4), number(float(p), 4)],
            stage.lab.selected,
        )
        for n, a, k, p in zip(found.rows, found.signed, found.kernel, found.products, strict=True)
    ]

    def line(name: str, value: float) -> str:
        return f'<tr><th colspan="3">{name}</th>{number(settled(value), 4)}</tr>'

    total = float(found.products.sum())
    foot = [line(F["sum"], total)]
    if stage.lab.bias:
        foot += [line(F["b"], solution.b), line(F["f"], found.value)]
    return table(F["table"].format(i=i + 1), head(*F["head"]), body, foot)


def witness(stage: Stage) -> dict[str, Any]:
    """The catalogue's own board for the misprint."""
    found = CATALOGUE["H8"].witness
    assert found is not None
    return {"op": "load", "lab": cards.board_of(stage.lab, found)}


def quarter(stage: Stage) -> dict[str, Any]:
    """Every point turned by a right angle about the origin, exactly."""
    return {"op": "points", "points": [[p.id, -p.y / 1000, p.x / 1000, p.label] for p in stage.lab.points]}


CLASSIFY = Step(
    "classify",
    F["title"],
    F["question"],
    F["choices"],
    answer=classify_answer,
    reveal=classify_reveal,
    draw=classify_draw,
    numbers=lambda stage: common.remark(common.obstacle(stage)),
    show=classify_show,
    tries=(
        Try(words.BOARDS["turn"], quarter),
        Try(F["witness"], witness),
        Try(words.BOARDS["sixty"], common.SIXTY),
        Try(words.BOARDS["gaussian"], common.setting(kernel="gaussian", hard=True)),
    ),
)
