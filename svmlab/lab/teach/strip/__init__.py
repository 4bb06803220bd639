"""The steps of a lesson in one row: a dot for each, filled once its answer was shown, and the open one's title."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

KEY, ACK = "strip", "strip_ack"  # ACK: the number of the last request that was handled
_component = Component("strip", html='<div class="sv-strip"></div>', css="strip.css")


@dataclass(frozen=True)
class Mark:
    """A step in the strip. `title` is in the language of the session. deeper: it goes deeper than the core path.

    asks: a presenter's clicker shows the answer to its question before it goes on. is_last_page: a page after the
    last step, which has no question.
    """

    key: str
    title: str
    done: bool = False
    deeper: bool = False
    asks: bool = False
    is_last_page: bool = False


@dataclass(frozen=True)
class Fold:
    """A button of the strip that unfolds the steps that go deeper, or folds them away.

    label: what stands on it. title: what it does.
    """

    label: str
    title: str
    on_press: Callable[[], None]


FOLD = " fold"  # what the script reports instead of a key: no step has this key


@dataclass(frozen=True)
class Requests:
    """What the strip requests.

    go: opens the step with a key. show: shows the answer to the open step. turn: opens the lesson after this one (1)
    or before it (-1).
    """

    go: Callable[[str], None]
    show: Callable[[], None]
    turn: Callable[[int], None]


def strip(
    marks: Sequence[Mark],
    at: str,
    requests: Requests,
    shown: bool = False,
    projector: bool = False,
    fold: Fold | None = None,
    lessons: tuple[bool, bool] = (False, False),
) -> None:
    """Show the steps.

    at: the key of the open step. shown: whether its answer is shown. lessons: whether there is a lesson before and
    after this one. A person requests a step by a click, by PageDown and PageUp anywhere but in a text field, or by
    arrow keys if nothing has the focus. PageDown shows the answer first, and after the last step it opens the next
    lesson. Each request has a number, because the script repeats one that was made while the server was away.
    """

    def requested() -> None:
        event = st.session_state[KEY].go
        n = event.get("n") if isinstance(event, dict) else None
        if type(n) is not int or not st.session_state.get(ACK, 0) < n < 2**53:
            return
        st.session_state[ACK] = n
        if fold is not None and event.get("key") == FOLD:
            fold.on_press()
        elif event.get("key") in [mark.key for mark in marks]:
            requests.go(event["key"])
        elif event.get("show") == at:
            requests.show()
        elif event.get("lesson") in (1, -1):
            requests.turn(event["lesson"])

    back, onward = lessons
    data = {
        "label": _("Steps"),
        "at": at,
        "shown": shown,
        "marks": [_shown(mark) for mark in marks],
        "projector": projector,
        "fold": fold and {"key": FOLD, "label": fold.label, "title": fold.title},
        "back": back,
        "onward": onward,
        "ack": st.session_state.get(ACK, 0),
    }
    _component(data=data, key=KEY, on_go_change=requested)


def _shown(mark: Mark) -> dict[str, str | bool]:
    name = _("{title} (goes deeper)").format(title=mark.title) if mark.deeper else mark.title
    name = _("{title}, answer shown").format(title=name) if mark.done else name
    kinds = {"done": mark.done, "deeper": mark.deeper, "asks": mark.asks, "page": mark.is_last_page}
    return {"key": mark.key, "title": mark.title, "name": name, **kinds}
