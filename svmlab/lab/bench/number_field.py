"""A field for a number. A text that is refused stays in the field, with the reason below it, until it is corrected.

Streamlit's own number field silently refuses a value beyond its limits, and reads 1,5 as 15.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from svmlab import BadInput
from svmlab.core.phrase import Phrase
from svmlab.lab.bench.steps import step_buttons
from svmlab.lab.bench.widget_state import is_echo, set_widget
from svmlab.lab.numbers import editable_text, parse_number
from svmlab.lab.session.controls import Control
from svmlab.lab.session.tab import OnChange
from svmlab.lab.words import N_, message_of

OUTSIDE = N_("{text} is not a number from {low} to {high}.")
BROKEN = N_("{text} is not a whole number from {low} to {high}.")
LOW, INFINITE = "low", "infinite"
# What is said of a penalty parameter that is not above 0 and of an infinite one, by the name of the parameter.
SPECIAL_RULES: Mapping[str, Mapping[str, str]] = {
    "C": {
        LOW: N_("{text} is not above 0. With C = 0, slack would cost nothing. Type a number from {low} to {high}."),
        INFINITE: N_("C = ∞ is the hard margin. It has a switch of its own. Otherwise type a number up to {high}."),
    },
    "lambda": {
        LOW: N_(
            "{text} is not above 0. For λ = 0, turn on the switch “hard margin”. Otherwise type a number from {low} to "
            "{high}."
        ),
        INFINITE: N_("{text} is not finite. With λ = ∞, w would be 0. Type a number from {low} to {high}."),
    },
}
STAYS = N_("{field}: {why} The value stays {value}.")
KEPT = N_("{why} The value stays {value}.")
MAX_STEPS = 1000  # the largest number of steps in one message


@dataclass(frozen=True)
class Refusal:
    """A text that was refused, the reason, and the value that stays."""

    text: str
    why: BadInput
    value: float | str


def number_field(
    key: str,
    label: str,
    control: Control,
    value: float,
    take: Callable[[float], None],
    done: OnChange,
    step: float | None = None,
    disabled: bool = False,
    help: str | None = None,
    parameter: str = "",
) -> None:
    """Show a field for a control with this value. `take` gets a new value within the limits, and then `done` is called.

    step: the amount that buttons and arrow keys add, if it has them. parameter: a key of SPECIAL_RULES, if it is one.
    """
    _show(key, value, editable_text(value), mended=disabled)
    changed = partial(_changed, key, value, lambda text: take(accepted(control, text, parameter)), done)

    def stepped(text: str, by: int) -> None:
        if step is not None and abs(by) <= MAX_STEPS:
            with suppress(BadInput):  # the text was not made by the field
                base = value if text == editable_text(value) else accepted(control, text, parameter)
                _refused().pop(key, None)
                take(control.check(min(max(round(base + by * step, 9), control.low), control.high)))
        done()

    with st.container(horizontal=True, gap=None, key=f"number_{key}", vertical_alignment="bottom"):
        st.text_input(label, key=key, disabled=disabled, help=help, on_change=changed)
        if step is not None:
            less, more = (not disabled and end for end in (value > control.low, value < control.high))
            step_buttons(f"steps_{key}", label, editable_text(value), less, more, stepped)


def text_field(
    key: str,
    label: str,
    control: Control,
    value: str,
    take: Callable[[str], None],
    done: OnChange,
    longest: int,
    help: str | None = None,
) -> None:
    """Show a field for a text with this value.

    `take` gets the canonical form of a new text, and then `done` is called.
    """
    _show(key, value, value, mended=False)
    changed = partial(_changed, key, value, lambda text: take(control.check(text)), done)
    st.text_input(label, key=key, help=help, on_change=changed, max_chars=longest)


def _show(key: str, value: float | str, text: str, mended: bool) -> None:
    """Put into the field the refused text, or the value as text if it was corrected in another way."""
    refusals_by_key = _refused()
    refusal = refusals_by_key.get(key)
    if refusal is not None and (mended or refusal.value != value):
        refusal = refusals_by_key.pop(key) and None
    if refusal is None:
        set_widget(key, text)
    else:
        st.session_state[key] = refusal.text


def _changed(key: str, value: float | str, take: Callable[[str], None], done: OnChange) -> None:
    """Pass on what was typed, or keep it with the reason why it is refused. An empty field shows its value again."""
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


def accepted(control: Control, text: str, parameter: str = "") -> float:
    """Return what was typed as a value of the control. Raises BadInput if it is no number or not within the limits.

    parameter: a key of SPECIAL_RULES, if it is one.
    """
    value = parse_number(text)
    try:
        checked: float = control.check(value)
    except BadInput as error:
        rule, special_rules = BROKEN if control.kind is int else OUTSIDE, SPECIAL_RULES.get(parameter, {})
        if value <= 0 or value == math.inf:
            rule = special_rules.get(LOW if value <= 0 else INFINITE, rule)
        raise BadInput(
            rule, text=text.strip()[:40], low=editable_text(control.low), high=editable_text(control.high)
        ) from error
    return checked


def show_refusals(fields: dict[str, str]) -> None:
    """Show below a row of fields (key: label) why their texts were refused, and nothing if none was."""
    refused = _refused()
    for key, label in fields.items():
        if key in refused:
            notice(key, message_of(_stays(label, refused[key])))


def _stays(label: str, refusal: Refusal) -> BadInput:
    """Return the message that a text was refused and which value stays.

    The reason for a text names its field already.
    """
    if isinstance(refusal.value, str):
        return BadInput(KEPT, why=refusal.why, value=refusal.value)
    return BadInput(STAYS, field=Phrase(label), why=refusal.why, value=editable_text(refusal.value))


def notice(key: str, text: str) -> None:
    """Show a line about a field, and mark the field."""
    mark = f'<style>.st-key-{key} [data-testid="stTextInputRootElement"] {{ border-color: var(--sv-refused); }}</style>'
    st.html(f'{mark}<p class="sv-refused" role="alert">{escape(text)}</p>')


def _refused() -> dict[str, Any]:
    refusals_by_key: dict[str, Any] = st.session_state.setdefault("refused", {})
    return refusals_by_key
