"""A number that is typed. What cannot be taken stays in its field, with the reason beside it, until it is mended.

Streamlit's own number field refuses in silence what lies beyond its limits, and reads 1,5 as 15.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from svmlab import BadInput
from svmlab.core.phrase import Phrase
from svmlab.lab.bench.steps import steps
from svmlab.lab.bench.widget_state import is_echo, set_widget
from svmlab.lab.numbers import editable_text, parse_number
from svmlab.lab.session.controls import Control
from svmlab.lab.session.tab import Done
from svmlab.lab.words import N_, message_of

OUTSIDE = N_("{text} is not a number from {low} to {high}.")
BROKEN = N_("{text} is not a whole number from {low} to {high}.")
INFINITE = N_("C = ∞ is the hard margin, which has a switch of its own.")
STAYS = N_("{field}: {why} It stays {value}.")
KEPT = N_("{why} It stays {value}.")
MOST = 1000  # steps that one message may ask for


@dataclass(frozen=True)
class Refusal:
    """What was typed and could not be taken, why, and the value that stays."""

    text: str
    why: BadInput
    value: float | str


def number(
    key: str,
    label: str,
    control: Control,
    value: float,
    take: Callable[[float], None],
    done: Done,
    step: float | None = None,
    disabled: bool = False,
    help: str | None = None,
) -> None:
    """A field for a control that is `value` now; `take` gets another one, within its limits, and `done` runs then.

    step: what buttons and arrow keys add, where that is of use.
    """
    _show(key, value, editable_text(value), mended=disabled)
    changed = partial(_changed, key, value, lambda text: take(accepted(control, text)), done)

    def stepped(text: str, by: int) -> None:
        if step is not None and abs(by) <= MOST:
            with suppress(BadInput):  # a forged text
                base = value if text == editable_text(value) else accepted(control, text)
                _refused().pop(key, None)
                take(control.check(min(max(round(base + by * step, 9), control.low), control.high)))
        done()

    with st.container(horizontal=True, gap=None, key=f"number_{key}", vertical_alignment="bottom"):
        st.text_input(label, key=key, disabled=disabled, help=help, on_change=changed)
        if step is not None:
            less, more = (not disabled and end for end in (value > control.low, value < control.high))
            steps(f"steps_{key}", label, editable_text(value), less, more, stepped)


def words(
    key: str,
    label: str,
    control: Control,
    value: str,
    take: Callable[[str], None],
    done: Done,
    longest: int,
    help: str | None = None,
) -> None:
    """A field for a text that is `value` now; `take` gets another one, as its control makes it, and `done` runs
    then.
    """
    _show(key, value, value, mended=False)
    changed = partial(_changed, key, value, lambda text: take(control.check(text)), done)
    st.text_input(label, key=key, help=help, on_change=changed, max_chars=longest)


def _show(key: str, value: float | str, text: str, mended: bool) -> None:
    """Puts into the field what was refused there, or the value as a text where it was mended in another way."""
    refused = _refused()
    held = refused.get(key)
    if held is not None and (mended or held.value != value):
        held = refused.pop(key) and None
    if held is None:
        set_widget(key, text)
    else:
        st.session_state[key] = held.text


def _changed(key: str, value: float | str, take: Callable[[str], None], done: Done) -> None:
    """Takes what was typed, or keeps it with the reason why not; an empty field shows its value again."""
    text = str(st.session_state[key] or "")
    if not is_echo(key):
        refused = _refused()
        refused.pop(key, None)
        try:
            if text.strip():
                take(text)
        except BadInput as error:
            refused[key] = Refusal(text, error, value)
    done()


def accepted(control: Control, text: str) -> float:
    """What was typed, as a value of the control. Raises BadInput: it is no number, or not within the limits."""
    value = parse_number(text)
    if control.key == "value" and value == math.inf:
        raise BadInput(INFINITE)
    try:
        found: float = control.check(value)
    except BadInput as error:
        rule = BROKEN if control.kind is int else OUTSIDE
        raise BadInput(
            rule, text=text.strip()[:40], low=editable_text(control.low), high=editable_text(control.high)
        ) from error
    return found


def refusals(fields: dict[str, str]) -> None:
    """Below a row of fields (key: label): why what stands in them was not taken. Nothing where all was."""
    refused = _refused()
    for key, label in fields.items():
        if key in refused:
            notice(key, message_of(_stays(label, refused[key])))


def _stays(label: str, held: Refusal) -> BadInput:
    """Why something was not taken, and what is in its place; what reads a text names its field already."""
    if isinstance(held.value, str):
        return BadInput(KEPT, why=held.why, value=held.value)
    return BadInput(STAYS, field=Phrase(label), why=held.why, value=editable_text(held.value))


def notice(key: str, said: str) -> None:
    """A line about a field, which it marks."""
    mark = f'<style>.st-key-{key} [data-testid="stTextInputRootElement"] {{ border-color: var(--sv-refused); }}</style>'
    st.html(f'{mark}<p class="sv-refused" role="alert">{escape(said)}</p>')


def _refused() -> dict[str, Any]:
    found: dict[str, Any] = st.session_state.setdefault("refused", {})
    return found
