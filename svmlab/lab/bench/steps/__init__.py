"""Two buttons beside a field, and the arrow keys in it: a step less, a step more."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

HTML = '<div class="sv-steps"><button type="button">−</button><button type="button">+</button></div>'
_component = Component("steps", html=HTML, css="steps.css")


def steps(key: str, label: str, text: str, less: bool, more: bool, stepped: Callable[[str, int], None]) -> None:
    """Beside a field that shows `text`; `stepped` gets the text from which so many steps were made, and how many."""

    def event() -> None:
        said = st.session_state[key].step
        if isinstance(said, dict) and isinstance(said.get("text"), str) and type(said.get("by")) is int:
            stepped(said["text"], said["by"])

    words = (_("{field}: less").format(field=label), _("{field}: more").format(field=label))
    data = {"text": text, "less": less, "more": more, "words": words}
    _component(data=data, key=key, on_step_change=event, width="content")
