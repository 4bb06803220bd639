"""What the steps of the soft margin share: what a board must have, and the path in the background."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from svmlab import Path, Solution, regularization_path
from svmlab.lab.board.payload import sliders
from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.along import Along, along
from svmlab.lab.lessons.soft.show import heavy
from svmlab.lab.session import mishap
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.statements import Situation

SPAN = (-3.0, 3.0)  # decimal logarithms of the C that charts show, as on the slider
Show = Callable[["Walk"], None]


class Walk(NamedTuple):
    """The path of the board's points over all C, and what is drawn of it."""

    path: Path
    along: Along


# what a board must have


def lacks(stage: Stage, wants: tuple[str, ...]) -> str | None:
    """The first thing in `wants` that the board has not: a key of `words.NEEDS`."""
    lab = stage.lab
    has: dict[str, Callable[[], bool]] = {
        "points": lambda: bool(lab.points),
        "classes": lambda: lab.data.both_classes,
        "soft": lambda: not lab.hard,
        "space": lambda: lab.machine.psd,
        "linear": lambda: lab.machine.straight,
        "bias": lambda: lab.bias,
        "separable": lambda: heavy(stage) or situation(stage).separation.separable,
        "solved": lambda: stage.solution is not None,
    }
    return next((want for want in ("points", *wants, "solved") if not has[want]()), None)


def step(
    key: str,
    said: Mapping[str, Any],
    wants: tuple[str, ...],
    *,
    formula: str,
    tries: tuple[Try, ...],
    answer: Callable[[Stage], int | None] = lambda stage: None,
    reveal: Callable[[Stage], str] = lambda stage: "",
    draw: Callable[[Stage], dict[str, Any]] = lambda stage: {},
    numbers: Callable[[Stage], str] = lambda stage: "",
    show: Callable[[Stage], None] = lambda stage: None,
) -> Step:
    """A step: the chart first, then the words and the formula; where the board cannot show it, one sentence and a button."""

    def safely(make: Callable[[Stage], Any], otherwise: Any) -> Callable[[Stage], Any]:
        return lambda stage: otherwise if lacks(stage, wants) else make(stage)

    def told(stage: Stage) -> str:
        missing = lacks(stage, wants)
        if missing is None:
            return numbers(stage)
        sentence = words.NEEDS[missing][0].format(kernel=stage.lab.machine.subject)
        return f'<p class="sv-quiet">{sentence}</p>'

    def shown(stage: Stage) -> None:
        missing = lacks(stage, wants)
        if missing is None:
            show(stage)
            st.markdown(reveal(stage))
            st.markdown(f"$$\n{formula}\n$$")
        elif missing != "points":
            _, label, op = words.NEEDS[missing]
            st.button(label, key=f"{key}_need", on_click=_set_up(stage, op), width="stretch")

    return Step(
        key,
        said["title"],
        said["question"],
        said["choices"],
        safely(answer, None),
        tries=tries,
        draw=safely(draw, {}),
        numbers=told,
        show=shown,
    )


def _set_up(stage: Stage, op: Mapping[str, Any]) -> Callable[[], None]:
    def clicked() -> None:
        stage.session.do(op)
        stage.done()

    return clicked


def solved(stage: Stage) -> Solution:
    """The machine on the board, where `lacks` has found that there is one."""
    assert stage.solution is not None
    return stage.solution


def situation(stage: Stage) -> Situation:
    """The board's Situation, shared by all steps and by the cards of the check."""
    problem = stage.lab.problem
    outcome = stage.session.outcome
    found: Situation = stage.session.cache.once(
        ("situation", problem.key), lambda: Situation(problem, outcome.solution if outcome else None)
    )
    return found


# the path


def walk(stage: Stage, start: bool = True) -> Walk | None:
    """The path of the points on the board if it is there; begun in the background if not, unless a point is being dragged."""
    job = _job(stage, start)
    return None if job is None else job.result


def _job(stage: Stage, start: bool) -> Job | None:
    slot, lab = stage.session.lessons.setdefault("soft.walk", {}), stage.lab
    held = stage.session.history.held
    key = (lab.data.key, lab.machine.key, lab.bias)
    job: Job | None = slot.get("job")
    if job is not None and job.key == key:
        return job
    if not start or not lab.machine.psd or (held is not None and held.points != lab.points):
        return None
    if job is not None:
        job.cancel()
    problem = replace(lab.problem, C=1.0)

    def make(report: Callable[[float], None]) -> Walk:
        path = regularization_path(problem, lambda c: report(float(np.clip((c + 4) / 8, 0, 1))))
        return Walk(path, along(path, 10 ** SPAN[0], 10 ** SPAN[1]))

    slot["job"] = job = Job(key, make)
    job.wait(0.05)
    return job


def with_walk(stage: Stage, show: Show) -> None:
    """`show` what is on the path, or how far the work is."""
    job = _job(stage, True)
    if job is None:
        return
    waiting = job.running

    def news() -> None:
        if job.running:
            st.progress(job.fraction, words.WALKING)
            st.button(words.CANCEL, key="soft_cancel", on_click=job.cancel)
        elif waiting:
            st.rerun()  # once: the slider gets its marks, and nobody asks any more
        elif job.result is not None:
            with mishap.caught():
                show(job.result)
        else:
            st.caption(str(job.error or words.NO_WALK))
            st.button(words.AGAIN, key="soft_again", on_click=lambda: _again(stage))

    st.fragment(news, run_every=0.3 if waiting else None)()


def _again(stage: Stage) -> None:
    stage.session.lessons.pop("soft.walk", None)
    stage.done()


def ticks(stage: Stage, start: bool = True, at: tuple[float, ...] | None = None) -> dict[str, Any]:
    """The slider of C or lambda with a mark at each breakpoint, or at the C given."""
    found, lab = sliders(stage.lab), stage.lab
    known = walk(stage, start) if at is None else None
    marked = np.asarray(at if at is not None else known.path.C if known else ())
    if lab.face == "lambda":
        marked = 1.0 / (marked * len(lab.points))
    if len(marked):
        found[0]["ticks"] = np.round(np.log10(marked), 4).tolist()
    return {"sliders": found}
