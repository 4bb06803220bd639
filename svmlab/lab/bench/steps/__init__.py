"""Two buttons beside a field, and the arrow keys in it, for one step down or up."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

HTML = '<div class="sv-steps"><button type="button">−</button><button type="button">+</button></div>'
_component = Component("steps", html=HTML, css="steps.css")


def step_buttons(key: str, label: str, text: str, less: bool, more: bool, stepped: Callable[[str, int], None]) -> None:
    """Show the buttons beside a field with this text. `stepped` gets the text and the number of steps from it."""

    def event() -> None:
        message = st.session_state[key].step
        if isinstance(message, dict) and isinstance(message.get("text"), str) and type(message.get("by")) is int:
            stepped(message["text"], message["by"])

    words = (_("{field}: less").format(field=label), _("{field}: more").format(field=label))
    data = {"text": text, "less": less, "more": more, "words": words}
    _component(data=data, key=key, on_step_change=event, width="content")
