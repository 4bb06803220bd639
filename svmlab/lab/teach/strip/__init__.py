"""The steps of a lesson in one row: a dot for each, ticked if it was done, and the name of the open one as heading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

KEY = "strip"
_component = Component("strip", html='<div class="sv-strip"></div>', css="strip.css")


@dataclass(frozen=True)
class Mark:
    """A step in the strip. `title` is in the language of the session."""

    key: str
    title: str
    done: bool = False


def strip(
    marks: Sequence[Mark], at: str, on_go: Callable[[str], None], shown: bool = False, projector: bool = False
) -> None:
    """Show the steps. A request for another step calls `on_go` with its key.

    at: the key of the open step. shown: whether its answer is shown. A person requests a step by a click, by PageDown
    and PageUp anywhere but in a text field, or by arrow keys if nothing has the focus.
    """

    def requested() -> None:
        event = st.session_state[KEY].go
        if isinstance(event, dict) and event.get("key") in [mark.key for mark in marks]:
            on_go(event["key"])

    data = {
        "label": _("Steps"),
        "at": at,
        "shown": shown,
        "marks": [_shown(mark) for mark in marks],
        "projector": projector,
    }
    _component(data=data, key=KEY, on_go_change=requested)


def _shown(mark: Mark) -> dict[str, str | bool]:
    name = _("{title}, done").format(title=mark.title) if mark.done else mark.title
    return {"key": mark.key, "title": mark.title, "name": name, "done": mark.done}
