"""What a widget is set to, and what the browser still believes of it."""

from __future__ import annotations

import math
import time
from typing import Any

import streamlit as st

ECHO = 5.0  # seconds within which a widget's old value is taken for an echo


def set_widget(key: str, value: Any) -> None:
    """Set a widget to the Lab, and remember what the browser may still believe."""
    state_ = st.session_state
    if state_.get(key, value) != value:
        state_.setdefault("stale", {})[key] = (state_[key], time.monotonic())
    state_[key] = value


def is_echo(key: str) -> bool:
    """Whether a widget only repeats what it showed before the Lab changed under it.

    A message of the board that left the browser before the new value got there carries the widget's old one along, and
    Streamlit takes that for a choice.
    """
    before, when = st.session_state.get("stale", {}).get(key, (None, -math.inf))
    from_board = "board" in st.session_state and st.session_state["board"].get("event") is not None
    return bool(from_board and st.session_state[key] == before and time.monotonic() - when < ECHO)
