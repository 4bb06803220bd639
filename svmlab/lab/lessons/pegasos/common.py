"""What the steps of the Pegasos lesson share: the machine without bias, the runs, the choices, and what to say where it cannot run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from svmlab import PegasosRun, Solution, pegasos
from svmlab.arrays import Array
from svmlab.lab.board.payload import flat
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.session import longwork, state
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Done
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Stage
from svmlab.scene import through_origin

T = TypeVar("T")
Item = dict[str, Any]
LIVE = 1000  # steps that a board under a moving hand waits for
STEPS = (100, 1_000, 10_000, 100_000, 1_000_000)
RUNS = (1, 5, 20, 50)


@dataclass(frozen=True, eq=False)
class Compared:
    """A run, and the optimum without bias that it is measured against: F = F(w*)."""

    run: PegasosRun
    best: Solution

    @property
    def F(self) -> float:
        """The least value of F."""
        return self.best.objective * self.run.lam

    @property
    def w(self) -> Array:
        """w*."""
        assert self.best.w is not None
        return self.best.w

    def gaps(self, name: str) -> Array:
        """F - F(w*) of "last", "average" or "suffix", (runs, k)."""
        return getattr(self.run, name) - self.F


def without_bias(lab: Lab) -> Lab:
    """The machine that Pegasos goes to."""
    return replace(lab, bias=False)


def best(stage: Stage) -> Solution | None:
    """The exact optimum without bias; None where there is none to speak of."""
    return stage.session.solve(without_bias(stage.lab)).solution if stage.lab.points else None


def obstacle(lab: Lab) -> str | None:
    """Why there is nothing to run with an explicit w, in a sentence; None where there is."""
    if not lab.points:
        return words.EMPTY
    if lab.hard:
        return words.HARD
    return None if lab.machine.straight else words.KERNEL.format(kernel=lab.machine.title)


def where(
    make: Callable[[Stage], T], otherwise: T, against: Callable[[Lab], str | None] = obstacle
) -> Callable[[Stage], T]:
    """`make` where nothing stands in the way, else `otherwise`."""
    return lambda stage: make(stage) if against(stage.lab) is None else otherwise


def shows(draw: Callable[[Stage], None], against: Callable[[Lab], str | None] = obstacle) -> Callable[[Stage], None]:
    """`draw`, or the sentence that says what stands in the way, and the button that clears it."""

    def show(stage: Stage) -> None:
        why = against(stage.lab)
        if why is None:
            draw(stage)
        else:
            st.info(why)
            values = {"hard": False, "kernel": "linear"}
            st.button(words.LINEAR, key="pegasos_linear", on_click=send(stage, {"op": "set", "values": values}))

    return show


def send(stage: Stage, op: dict[str, Any]) -> Done:
    """A callback that does `op`."""

    def clicked() -> None:
        stage.session.do(op)
        stage.done()

    return clicked


def kept(stage: Stage) -> dict[str, Any]:
    """The choices of this page."""
    return stage.session.lessons.setdefault(stage.page, {})


def choose(stage: Stage, name: str, options: Sequence[Any], default: Any, shown: Callable[[Any], str] = str) -> Any:
    """A slider over `options`, remembered for the page."""
    memory, key = kept(stage), f"{stage.page}_{name}"
    st.session_state[key] = memory.get(name, default)

    def changed() -> None:
        memory[name] = st.session_state[key]
        stage.done()

    return st.select_slider(
        words.CHOOSE[name], options, key=key, format_func=shown, help=words.CHOOSE_HELP[name], on_change=changed
    )


def pick(stage: Stage, name: str, options: Sequence[Any], default: Any, shown: Callable[[Any], str]) -> Any:
    """Buttons side by side over `options`, remembered for the page."""
    memory, key = kept(stage), f"{stage.page}_{name}"
    st.session_state[key] = memory.get(name, default)

    def changed() -> None:
        memory[name] = st.session_state[key]
        stage.done()

    return st.segmented_control(
        words.CHOOSE[name], options, key=key, format_func=shown, required=True, on_change=changed
    )


def again(stage: Stage) -> None:
    """A button for other draws."""

    def clicked() -> None:
        kept(stage)["seed"] = seed(stage) + 1
        stage.done()

    st.button(words.AGAIN, key="pegasos_again", help=words.AGAIN_HELP, on_click=clicked)


def seed(stage: Stage) -> int:
    """Which draws."""
    return int(kept(stage).get("seed", 0))


def slider_in_lambda(stage: Stage) -> None:
    """Where the slider under the board moves C: a button that makes it move lambda."""
    if stage.lab.face != "lambda":
        op = {"op": "load", "lab": state.face(stage.lab, "lambda")}
        st.button(words.TO_LAMBDA, key="pegasos_face", help=words.TO_LAMBDA_HELP, on_click=send(stage, op))


def grouped(n: int) -> str:
    """10 000."""
    return f"{n:,}".replace(",", " ")


def asked(stage: Stage, steps: int, runs: int) -> Job:
    """The comparison over `steps` and `runs` on this board, as work."""
    lab, draws = stage.lab, seed(stage)
    key = ("pegasos", lab.data.key, lab.lam, steps, runs, draws)
    optimum = best(stage)
    assert optimum is not None
    return longwork.ask(
        stage.session,
        key,
        lambda report: Compared(pegasos(lab.data, lab.lam, steps, runs, draws, on_progress=report), optimum),
    )


def chosen(stage: Stage) -> tuple[int, int]:
    """Steps and runs, as chosen."""
    return int(kept(stage).get("T", 10_000)), int(kept(stage).get("runs", 20))


def compared(stage: Stage) -> Compared | None:
    """The comparison that is chosen; None while it is worked on, and while a hand moves the board."""
    if stage.session.history.held is not None:
        return None
    found: Compared | None = asked(stage, *chosen(stage)).result
    return found


def quick(stage: Stage, steps: int, runs: int = 1) -> Compared:
    """A short comparison, done on the spot and kept."""
    lab, draws, optimum = stage.lab, seed(stage), best(stage)
    assert optimum is not None
    return stage.once(
        f"quick {steps} {runs} {draws}", lambda: Compared(pegasos(lab.data, lab.lam, steps, runs, draws), optimum)
    )


def line_of(w: Array, lab: Lab, style: str) -> list[Item]:
    """The line <w, x> = 0 over the board; none for w = 0."""
    ends = through_origin(w, lab.view)
    return [{"kind": "line", "pts": flat(ends), "style": style}] if len(ends) else []


def signed(value: float, shown: str) -> str:
    """A number with its sign in front of a sum."""
    return f"{'−' if value < 0 else '+'} {shown}"
