"""The steps on support vectors: which of them know b (S7), who carries w, and who can be deleted (S8, S9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.lab.board.payload import flat
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.soft import points_chart as figures
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.carriers import Offsets, own_offsets, parts, with_b, without_idle
from svmlab.lab.lessons.soft.common import lacks, solved, step, ticks
from svmlab.lab.lessons.soft.show import boundary, dragging, legend, overlays, table, values
from svmlab.lab.numbers import DUST, ends, short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.teach.step import Stage, Try

WIDE = 1e-9
NEEDS = ("classes", "soft", "space")


# which vectors know b


def _known(stage: Stage) -> Offsets:
    found: Offsets = stage.once("offsets", lambda: own_offsets(solved(stage)))
    return found


def _offset_draw(stage: Stage) -> dict[str, Any]:
    found = ticks(stage, start=False)
    s = solved(stage)
    if not stage.shown or (dragging(stage) and not stage.lab.machine.straight):
        return found
    items = _lines(stage, s, float(_known(stage).each.mean()), "witness-line dashed")
    lo, hi = s.b_interval
    if hi - lo > WIDE and np.isfinite(lo + hi):
        items += _lines(stage, s, lo, "accent") + _lines(stage, s, hi, "accent")
    return found | {"overlay": items}


def _lines(stage: Stage, s: Solution, b: float, style: str) -> list[dict[str, Any]]:
    """The boundary with another b."""
    return overlays(boundary(stage, f"b {b!r}", with_b(s, b)), style)


def _offset_numbers(stage: Stage) -> str:
    s, each = solved(stage), _known(stage)
    mean, (lo, hi) = float(each.each.mean()), s.b_interval
    if hi - lo > WIDE:
        return values(words.OFFSET["numbers_interval"], lo, hi, mean)
    error = mean - s.b if abs(mean - s.b) > 1e-12 * max(1.0, abs(s.b)) else 0.0
    return values(words.OFFSET["numbers"], s.b, mean, error, float(each.slack.mean()))


def _offset_reveal(stage: Stage) -> str:
    s, each, said = solved(stage), _known(stage), words.OFFSET
    mean, (lo, hi) = float(each.each.mean()), s.b_interval
    if each.free.any():
        error = float(each.slack.mean())
        return str(
            said["reveal"].format(
                mean=short(mean, noise=DUST), error=short(error, noise=DUST), b=short(s.b, noise=DUST)
            )
        )
    told = said["interval"] if hi - lo > WIDE else said["point"]
    first, last = ends(lo, hi)
    return str(told.format(lo=first, hi=last, b=short(s.b, noise=DUST), mean=short(mean, noise=DUST)))


def _offset_answer(stage: Stage) -> int | None:
    each = _known(stage)
    return (1 if np.abs(each.slack).max() > WIDE else 0) if each.free.any() else None


def _offset_show(stage: Stage) -> None:
    s, each, lab = solved(stage), _known(stage), stage.lab
    lines = [("witness-line dashed", words.OFFSET["legend"][0])]
    lo, hi = s.b_interval
    if hi - lo > WIDE:
        lines.append(("accent", words.OFFSET["legend"][1]))
    st.html(legend(*lines))
    figure = figures.offsets(
        lab.data,
        each.rows,
        each.each,
        each.free,
        s.b_interval,
        float(each.each.mean()),
        lab.selected,
        words.OFFSET["chart"],
        stage.palette,
    )
    chart(figure, "soft_offsets", stage.select)


def blobs(**more: Any) -> dict[str, Any]:
    """The overlapping blobs with a soft linear machine."""
    values_ = {"preset": "overlapping", "kernel": "linear", "hard": False, "bias": True, "face": "C", "value": 0.1}
    return {"op": "preset", "values": values_ | more}


OFFSET = step(
    "offset",
    words.OFFSET,
    ("bias", *NEEDS),
    formula=r"y_k-\langle w,x_k\rangle = b + y_k\,\xi_k \qquad (\alpha_k>0)",
    tries=(
        Try(words.OFFSET["try"][0], blobs(preset="four_corners")),
        Try(words.OFFSET["try"][1], blobs()),
        Try(words.OFFSET["try"][2], blobs(preset="one_against_many")),
    ),
    answer=_offset_answer,
    reveal=_offset_reveal,
    draw=_offset_draw,
    numbers=_offset_numbers,
    show=_offset_show,
)


# who carries w


def _kept(stage: Stage) -> tuple[Solution, Solution, Solution]:
    found: tuple[Solution, Solution, Solution] = stage.once("kept", lambda: without_idle(solved(stage)))
    return found


def _support_draw(stage: Stage) -> dict[str, Any]:
    items = [*_before(stage), *(_arrows(stage) if stage.shown and stage.lab.machine.straight else ())]
    return ticks(stage, start=False) | {"overlay": items}


def _before(stage: Stage) -> list[dict[str, Any]]:
    """The boundary from before points were deleted, as long as the others are where they were."""
    before = stage.memory.get("before")
    if before is None or before.points == stage.lab.points or not set(stage.lab.points) <= set(before.points):
        return []
    solution = stage.session.cache.outcome(before.problem).solution
    return overlays(stage.session.cache.scene(solution, stage.lab.view).zero, "faint dashed") if solution else []


def _arrows(stage: Stage) -> list[dict[str, Any]]:
    """W as an arrow from the origin, and its two parts tip to tail, in a scale that fits the board."""
    slack, margin = parts(solved(stage))
    total = slack + margin
    longest = max(float(np.linalg.norm(v)) for v in (slack, margin, total))
    if longest == 0:
        return []
    scale = 0.6 * stage.lab.view / longest
    return [
        {"kind": "arrow", "pts": flat(np.stack([0 * total, scale * slack])), "style": "witness-line"},
        {"kind": "arrow", "pts": flat(np.stack([scale * slack, scale * total])), "style": "accent dashed"},
        {"kind": "arrow", "pts": flat(np.stack([0 * total, scale * total])), "style": "accent"},
    ]


def _support_numbers(stage: Stage) -> str:
    s = solved(stage)
    counts = str(int((~s.support).sum())), str(int(s.support.sum()))
    return values(words.SUPPORT["numbers"], *counts, s.norm_w, s.problem.C, s.problem.lam)


def _support_reveal(stage: Stage) -> str:
    s, said = solved(stage), words.SUPPORT
    told = str(said["reveal"].format(kept=int(s.support.sum()), m=s.problem.data.m))
    if s.support.all():
        return told + str(said["nobody"])
    return told + (str(said["widened"]) if _length(_kept(stage)[0]) > _length(s) + WIDE else "")


def _length(s: Solution) -> float:
    return s.b_interval[1] - s.b_interval[0]


def _support_answer(stage: Stage) -> int | None:
    s = solved(stage)
    if s.support.all():
        return None
    same = abs(_kept(stage)[1].norm_w - s.norm_w) <= 1e-9 * max(1.0, s.norm_w)
    return None if same else 1


def _support_show(stage: Stage) -> None:
    s, said = solved(stage), words.SUPPORT
    if stage.lab.machine.straight:
        st.html(legend(*zip(("accent", "witness-line", "accent dashed"), said["legend"], strict=True)))
    if _before(stage):
        st.html(legend(("faint dashed", said["before"])))
    rows = (
        (name.format(m=s.problem.data.m), ("", m.problem.C), ("", m.norm_w), _b(m))
        for name, m in zip(said["rows"], (s, *_kept(stage)), strict=True)
    )
    st.html(table(said["heads"], *rows))


def _b(s: Solution) -> str | tuple[str, float]:
    lo, hi = s.b_interval
    if not s.problem.bias:
        return "–"
    return " … ".join(ends(lo, hi, 6)) if hi - lo > WIDE else ("", s.b)


def delete(form: str) -> Any:
    """The board without its points of alpha = 0; `form` says what is kept: "C", "lambda", or "adjusted" lambda."""

    def op(stage: Stage) -> dict[str, Any]:
        lab, s = stage.lab, stage.solution
        if lacks(stage, NEEDS) or s is None or s.support.all():
            return {"op": "select", "id": lab.selected}
        points = tuple(p for p, on in zip(lab.points, s.support, strict=True) if on)
        value = {"C": lab.C, "lambda": lab.lam, "adjusted": lab.lam * len(lab.points) / len(points)}[form]
        limits = CONTROLS["value"]
        stage.memory["before"] = lab
        stage.memory["shown"] = True
        selected = lab.selected if any(p.id == lab.selected for p in points) else None
        face = "C" if form == "C" else "lambda"
        value = min(max(value, limits.low), limits.high)
        return {"op": "load", "lab": replace(lab, points=points, face=face, value=value, selected=selected)}

    return op


SUPPORT = step(
    "support",
    words.SUPPORT,
    NEEDS,
    formula=r"w=\sum_{\xi_i>0}\alpha_i y_i x_i+\sum_{y_i f(x_i)=1}\alpha_i y_i x_i, \qquad \lambda'=\lambda\,\tfrac{m}{m'}",
    tries=(
        Try(words.SUPPORT["try"][0], delete("C")),
        Try(words.SUPPORT["try"][1], delete("lambda")),
        Try(words.SUPPORT["try"][2], delete("adjusted")),
        Try(words.SUPPORT["try"][3], blobs(preset="one_against_many")),
    ),
    answer=_support_answer,
    reveal=_support_reveal,
    draw=_support_draw,
    numbers=_support_numbers,
    show=_support_show,
)
