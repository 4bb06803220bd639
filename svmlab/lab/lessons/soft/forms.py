"""The steps on the forms of the problem: four ways to write it (S2), three treatments of b (S16)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.common import situation, solved, step, ticks
from svmlab.lab.lessons.soft.show import boundary, choose, dragging, overlays, price, swatch, table
from svmlab.lab.lessons.soft.variants import LARGE, Form, apart, biases, forms
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.session.state import Lab, fit
from svmlab.lab.teach.step import Stage, Try

# four ways to write it

STYLES = ("accent", "witness-line", "accent dashed", "witness-line dashed")


def large(stage: Stage) -> bool:
    """Whether four programs of their own would take too long."""
    return situation(stage).Phi.size > LARGE


def written(stage: Stage) -> tuple[Form, ...]:
    """The four forms, solved."""
    number = stage.lab.C if stage.memory.get("view") == "same" else None
    found: tuple[Form, ...] = stage.once(f"forms {number}", lambda: forms(stage.lab.problem, number))
    return found


def _forms_draw(stage: Stage) -> dict[str, Any]:
    found = ticks(stage, start=False)
    if not stage.shown or dragging(stage) or large(stage):
        return found
    same = stage.memory.get("view")
    items: list[dict[str, Any]] = []
    for form, style in reversed(list(zip(written(stage), STYLES, strict=True))):
        items += overlays(boundary(stage, f"form {form.key} {same}", form.machine(stage.lab.problem)), style)
    return found | {"overlay": items}


def _forms_show(stage: Stage) -> None:
    said = words.FORMS
    if large(stage):
        st.info(said["many_points"].format(size=situation(stage).Phi.size))
        return
    choose(stage, "view", said["views"])
    found = written(stage)
    st.html(
        table(
            said["heads"],
            *(
                (
                    swatch(style),
                    said["rows"][form.key][0],
                    (f"{said['rows'][form.key][1]} = ", form.constant),
                    ("", form.norm),
                    ("", round(form.found.b, 7) + 0.0) if stage.lab.bias else "–",
                )
                for form, style in zip(found, STYLES, strict=True)
            ),
        )
    )
    lo, hi = solved(stage).b_interval
    free = said["loose"] if stage.lab.bias and hi - lo > 1e-9 else ""
    st.caption(said["apart"].format(apart=short(apart(found), 2)) + free)


def _forms_reveal(stage: Stage) -> str:
    said = words.FORMS
    return str(said["reveal"].format(m=stage.lab.data.m))


FORMS = step(
    "forms",
    words.FORMS,
    ("classes", "soft", "space"),
    formula=r"C=\frac1a=\frac1{\lambda m}=\frac1{2\lambda_D m}",
    tries=tuple(
        Try(label, {"op": "preset", "values": {"preset": "overlapping", "kernel": "linear", "hard": False, "size": m}})
        for label, m in zip(words.FORMS["try"], (20, 120), strict=True)
    ),
    answer=lambda stage: 0,
    reveal=_forms_reveal,
    draw=_forms_draw,
    show=_forms_show,
)


# three treatments of b

LINES = {"free": "accent", "penalised": "witness-line", "none": "witness-line dashed"}


def treated(stage: Stage) -> dict[str, Solution]:
    """The three machines."""
    found: dict[str, Solution] = stage.once("biases", lambda: biases(stage.lab.problem))
    return found


def _biases_draw(stage: Stage) -> dict[str, Any]:
    found = ticks(stage, start=False)
    if not stage.shown or (dragging(stage) and (not stage.lab.machine.straight or len(stage.lab.points) > 100)):
        return found
    items: list[dict[str, Any]] = []
    for name, style in LINES.items():
        items += overlays(boundary(stage, name, treated(stage)[name]), style)
    return found | {"overlay": items}


def values_of(stage: Stage) -> dict[str, float]:
    """The least value of each of the three objectives."""
    C, found = stage.lab.C, treated(stage)
    return {
        name: 0.5 * (s.norm_w**2 + (s.b**2 if name == "penalised" else 0.0)) + C * float(s.xi.sum())
        for name, s in found.items()
    }


def different(stage: Stage) -> int:
    """How many of the three machines differ."""
    f = [s.margins for s in treated(stage).values()]
    kinds: list[Any] = []
    for margins in f:
        if not any(np.abs(margins - other).max() < 1e-6 for other in kinds):
            kinds.append(margins)
    return len(kinds)


def _biases_reveal(stage: Stage) -> str:
    said = words.BIASES
    least = {name: short(v) for name, v in values_of(stage).items()}
    return str(said["reveal"].format(count=said["counts"][different(stage)], **least))


def _biases_show(stage: Stage) -> None:
    said, least = words.BIASES, values_of(stage)
    rows = (
        (swatch(LINES[name]), said[name], ("", least[name]), ("", s.norm_w), ("", s.b) if name != "none" else "–")
        for name, s in treated(stage).items()
    )
    st.html(table(said["heads"], *rows))


def moved(lab: Lab, dx: int, dy: int) -> Lab:
    """All points shifted by thousandths, as far as the board goes."""
    xs, ys = [p.x for p in lab.points] or [0], [p.y for p in lab.points] or [0]
    dx, dy = (max(-EDGE - min(v), min(EDGE - max(v), d)) for v, d in ((xs, dx), (ys, dy)))
    points = tuple(p._replace(x=p.x + dx, y=p.y + dy) for p in lab.points)
    return replace(lab, points=points, view=max(lab.view, fit(points)))


def centred(stage: Stage) -> dict[str, Any]:
    """The points with their mean at the origin."""
    lab = stage.lab
    n = max(len(lab.points), 1)
    return {"op": "load", "lab": moved(lab, -sum(p.x for p in lab.points) // n, -sum(p.y for p in lab.points) // n)}


BIASES = step(
    "biases",
    words.BIASES,
    ("classes", "soft", "space"),
    formula=r"""\begin{aligned}
\text{free}\quad &\min_{w,b}\ \tfrac12\|w\|^2 + C\textstyle\sum\xi\\
\le\ \text{penalised}\quad &\min_{w,b}\ \tfrac12(\|w\|^2+b^2) + C\textstyle\sum\xi\\
\le\ \text{none}\quad &\min_{w}\ \tfrac12\|w\|^2 + C\textstyle\sum\xi,\quad b=0
\end{aligned}""",
    tries=(
        Try(words.BIASES["try"][0], lambda stage: {"op": "load", "lab": moved(stage.lab, 1500, 1000)}),
        Try(words.BIASES["try"][1], centred),
        Try(words.BIASES["try"][2], price(100.0)),
    ),
    answer=lambda stage: different(stage) - 1,
    reveal=_biases_reveal,
    draw=_biases_draw,
    show=_biases_show,
)
