"""One update at a time, as a film on the board (P1)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from svmlab.arrays import Array
from svmlab.lab.board.payload import flat
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import (
    Item,
    again,
    grouped,
    kept,
    line_of,
    pick,
    quick,
    seed,
    shows,
    signed,
    slider_in_lambda,
    where,
)
from svmlab.lab.lessons.pegasos.common import best as optimum
from svmlab.lab.numbers import short
from svmlab.lab.teach import words as shell
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos import Stretch, replay
from svmlab.scene import through_origin

FRAMES = 120
STARTS = (1, 100, 1_000, 10_000)
REACH = 0.8  # of the view, at most, for the longest arrow of a frame


def stretch(stage: Stage) -> Stretch:
    """The steps of the film."""
    start = int(kept(stage).get("start", 1))
    run = quick(stage, start + FRAMES - 1).run
    found: Stretch = stage.once(f"stretch {start} {seed(stage)}", lambda: replay(run, 0, start, start + FRAMES))
    return found


def scale(longest: float, view: float) -> float:
    """A power of two by which arrows are drawn shorter or longer, so that the longest stays on the board."""
    return 1.0 if longest == 0 else 2.0 ** math.floor(math.log2(REACH * view / longest))


def frame(stage: Stage, s: Stretch, i: int) -> dict[str, Any]:
    """One step: both lines, w before, the shrink, the push and w after as arrows, and the numbers in words."""
    lab = stage.lab
    row = int(s.drawn[i, 0])
    by = scale(max(float(np.hypot(*s.before[i])), float(np.hypot(*s.after[i]))), lab.view)
    before, shrunk, after = (by * v for v in (s.before[i], s.shrink[i], s.after[i]))
    origin, side = np.zeros(2), "plus" if lab.points[row].label > 0 else "minus"
    items = [
        _item("line", _ends(s.before[i], lab.view), "faint dashed"),
        _item("line", _ends(s.after[i], lab.view), "accent"),
        _item("arrow", np.stack([origin, before]), "faint"),
        _item("arrow", np.stack([shrunk, after]) if s.violates[i, 0] else np.stack([shrunk, shrunk]), side),
        _item("arrow", np.stack([origin, after]), "accent"),
    ]
    return {"items": items, "ring": lab.points[row].id, "caption": caption(stage, s, i, row, by)}


def _item(kind: str, pts: Array, style: str) -> Item:
    return {"kind": kind, "pts": flat(pts), "style": style}


def _ends(w: Array, view: float) -> Array:
    found = through_origin(w, view)
    return found if len(found) else np.zeros((2, 2))


def caption(stage: Stage, s: Stretch, i: int, row: int, by: float) -> str:
    """The formula with its numbers, and why."""
    t, (x1, x2), y = int(s.t[i]), stage.lab.data.X[row], stage.lab.points[row].label
    margin, violates = float(s.margin[i, 0]), bool(s.violates[i, 0])
    rate = 1.0 / (stage.lab.lam * t)
    parts = {
        "t": grouped(t),
        "next": grouped(t + 1),
        "x": _pair(np.array([x1, x2])),
        "y": "+1" if y > 0 else "−1",
        "margin": short(margin, 3),
        "sign": "&lt;" if violates else "≥",
        "shrink": short(1.0 - 1.0 / t, 4),
        "before": _pair(s.before[i]),
        "push": signed(float(y), short(rate, 3)) + "·" + _pair(np.array([x1, x2])) if violates else "",
        "after": _pair(s.after[i]),
        "scale": words.TO_SCALE if by == 1 else words.SCALED.format(by=short(by) if by > 1 else f"1/{short(1 / by)}"),
    }
    why = words.STEP["pushed"] if violates else words.STEP["kept"]
    return words.STEP["caption"].format(why=why, **parts)


def _pair(v: Array) -> str:
    return f"({short(float(v[0]), 3)}, {short(float(v[1]), 3)})"


def film(stage: Stage) -> dict[str, Any]:
    """The film; before the answer only the points."""
    quiet: dict[str, Any] = {"lines": None, "shade": None, "slack": [], "marks": None, "message": None, "legend": None}
    if not stage.shown:
        return quiet
    s, lab = stretch(stage), stage.lab
    key = f"{lab.data.key} {lab.lam} {lab.view} {int(s.t[0])} {seed(stage)}"
    at = int(np.argmax(~s.violates[:, 0])) if not s.violates.all() else 0
    if stage.session.history.held is not None:  # under a moving hand only the frame that it opens with
        frames = [frame(stage, s, i) for i in range(at + 1)]
    else:
        frames = stage.once(f"film {key}", lambda: [frame(stage, s, i) for i in range(len(s.t))])
    best = optimum(stage)
    goal = line_of(best.w, lab, "witness-line dashed") if best is not None and best.w is not None else []
    return quiet | {
        "overlay": goal,
        "film": {"key": key, "frames": frames, "at": at, "speed": 2, "text": shell.FILM},
    }


def show(stage: Stage) -> None:
    """Which stretch, and what happened in it."""
    s = stretch(stage)
    pick(stage, "start", STARTS, 1, lambda n: words.STEP["from"].format(t=grouped(n)))
    count = int(s.violates.sum())
    norms = np.hypot(*s.after.T)
    st.markdown(
        words.STEP["table"].format(
            first=grouped(int(s.t[0])),
            last=grouped(int(s.t[-1])),
            pushes=count,
            rests=len(s.t) - count,
            low=short(float(norms.min()), 3),
            high=short(float(norms.max()), 3),
            turn=short(math.degrees(_turn(s)), 3),
        )
    )
    st.caption(words.STEP["legend"])
    left, right = st.columns(2)
    with left:
        again(stage)
    with right:
        slider_in_lambda(stage)


def _turn(s: Stretch) -> float:
    """The largest angle that one step turns w by."""
    a, b = s.before, s.after
    moved = (np.hypot(*a.T) > 0) & (np.hypot(*b.T) > 0)
    a, b = a[moved], b[moved]
    angles = np.arctan2(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), (a * b).sum(1))
    return float(angles.max(initial=0.0))


STEP = Step(
    "step",
    words.STEP["title"],
    words.STEP["question"],
    words.STEP_CHOICES,
    answer=lambda stage: 1,
    reveal=where(lambda stage: words.STEP["reveal"], ""),
    formula=r"w_{t+1} = \left(1-\tfrac1t\right) w_t + \tfrac{1}{\lambda t}\, y\,x\;\,[\,y\langle w_t, x\rangle < 1\,]",
    tries=(
        Try(
            words.STEP_TRY[0],
            {"op": "set", "values": {"face": "lambda", "value": 1.0, "kernel": "linear", "hard": False}},
        ),
        Try(
            words.STEP_TRY[1],
            {"op": "preset", "values": {"preset": "one_against_many", "kernel": "linear", "hard": False}},
        ),
    ),
    draw=where(film, {}),
    show=shows(show),
)
