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
    """A step in the strip. `title` is in the language of the session. deeper: it goes deeper than the core path."""

    key: str
    title: str
    done: bool = False
    deeper: bool = False


@dataclass(frozen=True)
class Fold:
    """A button of the strip that unfolds the steps that go deeper, or folds them away.

    label: what stands on it. title: what it does.
    """

    label: str
    title: str
    on_press: Callable[[], None]


FOLD = " fold"  # what the script reports instead of a key: no step has this key


def strip(
    marks: Sequence[Mark],
    at: str,
    on_go: Callable[[str], None],
    shown: bool = False,
    projector: bool = False,
    fold: Fold | None = None,
) -> None:
    """Show the steps. A request for another step calls `on_go` with its key.

    at: the key of the open step. shown: whether its answer is shown. A person requests a step by a click, by PageDown
    and PageUp anywhere but in a text field, or by arrow keys if nothing has the focus.
    """

    def requested() -> None:
        event = st.session_state[KEY].go
        if fold is not None and event == {"key": FOLD}:
            fold.on_press()
        elif isinstance(event, dict) and event.get("key") in [mark.key for mark in marks]:
            on_go(event["key"])

    data = {
        "label": _("Steps"),
        "at": at,
        "shown": shown,
        "marks": [_shown(mark) for mark in marks],
        "projector": projector,
        "fold": fold and {"key": FOLD, "label": fold.label, "title": fold.title},
    }
    _component(data=data, key=KEY, on_go_change=requested)


def _shown(mark: Mark) -> dict[str, str | bool]:
    name = _("{title} (goes deeper)").format(title=mark.title) if mark.deeper else mark.title
    name = _("{title}, done").format(title=name) if mark.done else name
    return {"key": mark.key, "title": mark.title, "name": name, "done": mark.done, "deeper": mark.deeper}
