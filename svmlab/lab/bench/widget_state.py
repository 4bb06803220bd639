"""The value of a widget, and the older value that the browser may still send."""

from __future__ import annotations

import math
import time
from typing import Any

import streamlit as st

ECHO = 5.0  # seconds during which a widget's old value counts as an echo


def set_widget(key: str, value: Any) -> None:
    """Set a widget to the value in the Lab, and remember the value that the browser may still send."""
    state_ = st.session_state
    if state_.get(key, value) != value:
        state_.setdefault("stale", {})[key] = (state_[key], time.monotonic())
    state_[key] = value


def is_echo(key: str) -> bool:
    """Return whether a widget only repeats the value from before the Lab changed.

    A message of the board that left the browser before the new value arrived still carries the widget's old value,
    and Streamlit takes that for a choice.
    """
    before, when = st.session_state.get("stale", {}).get(key, (None, -math.inf))
    from_board = "board" in st.session_state and st.session_state["board"].get("event") is not None
    return bool(from_board and st.session_state[key] == before and time.monotonic() - when < ECHO)
