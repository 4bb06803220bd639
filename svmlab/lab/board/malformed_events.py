"""Events that would make Streamlit fail while it reads them: nested too deeply, or with numbers too long for Python.

Streamlit reads them before any code of a page runs, so its reader is wrapped here. An event that cannot be read
reaches the page as None, and the page shows a message.
"""

from __future__ import annotations

from typing import Any

from streamlit.components.v2.bidi_component import main as streamlit_components
from streamlit.components.v2.bidi_component.serialization import deserialize_trigger_list

MAX_DEPTH = 20  # levels of nesting in an event; those of the board have 7
UNREADABLE = {"event": "event", "value": None}


def read_events(s: str | None) -> list[Any] | None:
    """Return the events in a message of the browser, with UNREADABLE in place of each that cannot be read."""
    try:
        events = deserialize_trigger_list(s)
    except (RecursionError, ValueError):
        return [UNREADABLE]
    return events and [UNREADABLE if _deep(event) else event for event in events]


def install() -> None:
    """Make Streamlit read every event by `read`."""
    streamlit_components.deserialize_trigger_list = read_events  # type: ignore[attr-defined]


def _deep(value: Any, left: int = MAX_DEPTH) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left == 0 or any(_deep(each, left - 1) for each in inside)
