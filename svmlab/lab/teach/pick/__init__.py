"""A table, or small boards, that can be clicked: what carries a `data-id` is told to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.numbers import short

_component = Component("pick", html='<div class="sv-pick"></div>', css="pick.css")


def clickable(markup: str, key: str, on_pick: Callable[[int], None], follows: bool = False) -> None:
    """Show `markup`; a click, or Enter, on an element with data-id calls `on_pick` with that whole number.

    follows: while something moves on the board, what the step draws as "table" takes the place of the markup.
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


def number(value: float, digits: int = 3, kind: str = "", share: float | None = None) -> str:
    """A cell: the short number, the exact one on hover; `share` in [-1, 1] tints it."""
    tint = "" if share is None else f' style="--share: {abs(share):.3f}" data-sign="{"+" if share >= 0 else "-"}"'
    return f'<td class="{kind}" title="{value!r}"{tint}>{short(value, digits)}</td>'


def words(text: str, kind: str = "words") -> str:
    """A cell of words."""
    return f'<td class="{kind}">{escape(text)}</td>'


def head(*cells: str, over: Iterable[tuple[int, str]] = ()) -> str:
    """The heading row above the columns after the name of the row; cells may hold HTML. `over`: (columns, words) above
    them.
    """
    groups = "".join(f'<th colspan="{n}" class="group">{c}</th>' for n, c in over if n)
    groups = f"<tr>{groups}</tr>" if groups else ""
    return f"<thead>{groups}<tr><th></th>" + "".join(f"<th>{c}</th>" for c in cells) + "</tr></thead>"


def mark(label: float) -> str:
    """The mark of a class as on the board."""
    return f'<i class="mark" data-label="{1 if label > 0 else -1}"></i>'


def row(id_: int, name: str, label: float, cells: Iterable[str], selected: int | None) -> str:
    """A row that stands for a point."""
    on = ' aria-selected="true"' if id_ == selected else ""
    return f'<tr data-id="{id_}" tabindex="0"{on}><th>{mark(label)}{escape(name)}</th>{"".join(cells)}</tr>'


def table(caption: str, heading: str, rows: Iterable[str], foot: Iterable[str] = ()) -> str:
    """A table with its caption, which may be empty (HTML allowed)."""
    tail = "".join(foot)
    tail = f"<tfoot>{tail}</tfoot>" if tail else ""
    above = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{above}{heading}<tbody>{''.join(rows)}</tbody>{tail}</table>"
