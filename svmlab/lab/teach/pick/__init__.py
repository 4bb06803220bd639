"""A table, or small boards, that can be clicked: the `data-id` of the clicked element is reported to the page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.lab.board.component import Component

_component = Component("pick", html='<div class="sv-pick"></div>', css="pick.css")


def clickable(markup: str, key: str, on_pick: Callable[[int], None], follows: bool = False) -> None:
    """Show `markup`. A click, or Enter, on an element with data-id calls `on_pick` with that whole number.

    follows: while something moves on the board, the markup is replaced by what the step draws as "table".
    """

    def picked() -> None:
        event = st.session_state[key].picked
        if isinstance(event, dict) and isinstance(event.get("id"), int):
            on_pick(event["id"])

    data = {"html": markup, "follows": follows}
    if follows:
        _component(data=data, key=key, on_picked_change=picked, height="stretch")
    else:
        _component(data=data, key=key, on_picked_change=picked)
