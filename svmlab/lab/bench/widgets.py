"""The controls as Streamlit widgets. The Lab is the truth: before each run every widget is set to it."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import streamlit as st

from svmlab.data import DATASETS
from svmlab.kernel import Kernel
from svmlab.kernels import KERNELS
from svmlab.lab import text
from svmlab.lab.session import state
from svmlab.lab.session.controls import CONTROLS, PARAMETERS
from svmlab.lab.session.tab import Done, Session

OWN = "own"
ECHO = 5.0  # seconds within which a widget's old value is taken for an echo


def controls(session: Session, done: Done) -> None:
    """Data, kernel, price of slack, bias: in the order of thought. `done` runs after every change."""
    _data(session, done)
    _kernel(session, done)
    _price(session, done)


def pin(session: Session, done: Done) -> None:
    """Keep the present fit to compare the next ones with."""

    def clicked() -> None:
        session.toggle_pin()
        done()

    label = text.UNPIN if session.pin else text.PIN
    st.button(label, key="pin", on_click=clicked, help=text.PIN_HELP, disabled=not session.lab.points, width="stretch")


def _data(session: Session, done: Done) -> None:
    lab = session.lab
    fixed = not DATASETS[lab.preset].uses_randomness
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        own = [] if lab.is_preset else [OWN]
        _seed("preset", OWN if own else lab.preset)
        st.selectbox(
            text.LABELS["preset"],
            [*own, *text.PRESETS],
            format_func={OWN: text.OWN, **text.PRESETS}.__getitem__,
            key="preset",
            help=text.HELP["preset"],
            on_change=_change(session, done, "preset", "preset"),
        )
    with right, st.popover(text.LABELS["sample"], width="stretch"):
        for name in ("size", "noise", "seed"):
            limits = CONTROLS[name]
            number = int if limits.kind is int else float
            _seed(name, getattr(lab, name))
            st.number_input(
                text.LABELS[name],
                number(limits.low),
                number(limits.high),
                step=number(0.05) if number is float else 1,
                key=name,
                disabled=fixed,
                help=text.IDLE_FIXED if fixed else text.HELP[name],
                on_change=_change(session, done, "preset", name),
            )
        for name, step in (("reset", 0), ("reseed", 1)):
            values = {"seed": (lab.seed + step) % 1_000_000}
            st.button(
                text.LABELS[name],
                key=name,
                width="stretch",
                disabled=fixed and name == "reseed",
                help=text.HELP[name],
                on_click=_send(session, done, {"op": "preset", "values": values}),
            )


def _kernel(session: Session, done: Done) -> None:
    lab = session.lab
    left, right = st.columns([1, 1.6], vertical_alignment="bottom")
    with left:
        _seed("kernel", lab.kernel)
        st.selectbox(
            text.LABELS["kernel"],
            list(KERNELS),
            format_func=_title,
            key="kernel",
            help=text.HELP["kernel"],
            on_change=_change(session, done, "set", "kernel"),
        )
    right.markdown(f"$k(x,x')={lab.machine.formula}$")
    every = sorted(PARAMETERS.values(), key=lambda p: p.slider is None)  # first what can be scrubbed
    for column, p in zip(st.columns(len(every), vertical_alignment="bottom"), every, strict=True):
        number = int if p.whole else float
        with column:
            _seed(p.name, getattr(lab, p.name))
            st.number_input(
                p.symbol,
                number(p.low),
                number(p.high),
                step=1 if p.whole else None if p.slider else 0.1,
                format=None if p.whole else "%g",
                key=p.name,
                on_change=_change(session, done, "set", p.name),
                **_applies(lab.machine, p.name),
            )


def _price(session: Session, done: Done) -> None:
    lab = session.lab
    left, middle, right = st.columns([1, 1.2, 2.4], vertical_alignment="bottom")
    idle: dict[str, Any] = {"disabled": lab.hard, "help": text.IDLE_HARD if lab.hard else text.HELP["value"]}
    with left:
        _seed("face", lab.face)
        st.segmented_control(
            text.LABELS["face"],
            ["C", "lambda"],
            format_func=text.LABELS.__getitem__,
            key="face",
            required=True,
            help=text.HELP["face"],
            disabled=lab.hard,
            on_change=_face(session, done),
        )
    with middle:
        _seed("exact", lab.value)
        limits = CONTROLS["value"]
        st.number_input(
            text.LABELS[lab.face],
            limits.low,
            limits.high,
            format="%g",
            step=None,
            key="exact",
            **idle,
            on_change=_change(session, done, "set", "value", widget="exact"),
        )
    form = text.FORM_HARD if lab.hard else text.FORM_C if lab.face == "C" else text.FORM_LAMBDA
    right.markdown(f"${form}$")
    one, two = st.columns([1.25, 3.2], vertical_alignment="center")
    for column, name in ((one, "hard"), (two, "bias")):
        with column:
            _seed(name, getattr(lab, name))
            st.toggle(text.LABELS[name], key=name, help=text.HELP[name], on_change=_change(session, done, "set", name))


def _title(kernel: str) -> str:
    return KERNELS[kernel]().title


def _applies(kernel: Kernel, name: str) -> dict[str, Any]:
    for own in kernel.parameters:
        if own.name == name:
            return {"disabled": False, "help": own.help}
    users = " and the ".join(map(_title, CONTROLS[name].applies_to))
    return {"disabled": True, "help": text.IDLE.format(kernels=users, current=kernel.title)}


def _seed(key: str, value: Any) -> None:
    """Set a widget to the Lab, and remember what the browser may still believe."""
    state_ = st.session_state
    if state_.get(key, value) != value:
        state_.setdefault("stale", {})[key] = (state_[key], time.monotonic())
    state_[key] = value


def _is_echo(key: str) -> bool:
    """Whether a widget only repeats what it showed before the Lab changed under it.

    A message of the board that left the browser before the new value got there carries the widget's old one along, and
    Streamlit takes that for a choice.
    """
    before, when = st.session_state.get("stale", {}).get(key, (None, -math.inf))
    from_board = "board" in st.session_state and st.session_state["board"].get("event") is not None
    return bool(from_board and st.session_state[key] == before and time.monotonic() - when < ECHO)


def _change(session: Session, done: Done, op: str, name: str, widget: str | None = None) -> Done:
    def changed() -> None:
        value = st.session_state[widget or name]
        if value is not None and value != OWN and not _is_echo(widget or name):
            value = float(value) if isinstance(value, np.floating) else value
            session.do({"op": op, "values": {name: value}})
        done()

    return changed


def _face(session: Session, done: Done) -> Done:
    def changed() -> None:
        if not _is_echo("face"):
            session.do({"op": "load", "lab": state.face(session.lab, st.session_state["face"])})
        done()

    return changed


def _send(session: Session, done: Done, op: dict[str, Any]) -> Done:
    def clicked() -> None:
        session.do(op)
        done()

    return clicked
