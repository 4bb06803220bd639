"""Tips: what a marked term or a letter in a formula means, shown where it stands, and the ways from there to other
pages.

The terms come in an element of their own: a browser keeps a message of this size, and later pages only name it. What a
component is told is told anew on each page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.marks import PAGE
from svmlab.lab.session.location import STEP
from svmlab.lab.session.tab import Session
from svmlab.lab.words import _
from svmlab.statements import CATALOGUE

KEY = "tips"
GOING = "tips_going"
STATEMENTS = "statements"
WANTED = "statements_wanted"  # the statement that the page of them is to show
_component = Component("tips", html="", css=None)


def show(session: Session, pages: Mapping[str, str]) -> None:
    """On a page: tips for all of it. pages: the names of the pages that a way may lead to."""
    way = st.session_state.pop(GOING, None)
    if isinstance(way, dict) and way.get("page") in pages:
        _go(session, way)
    with st.container(key=KEY):
        st.html(f'<div hidden class="sv-terms" data-terms="{escape(json.dumps(_told(), ensure_ascii=False))}"></div>')
        _component(key="tips_script", on_go_change=_asked)


def _told() -> dict[str, Any]:
    """Every term in the language of the session, the letters of formulas, and the words of a tip."""
    return {
        "terms": {t.key: [_(t.name), t.symbol, _(t.definition), t.plain] for t in TERMS.values()},
        "letters": {letter: t.key for t in TERMS.values() for letter in t.letters},
        "words": {"more": _("More"), "letters": _("In this formula")},
    }


def own(letters: Mapping[str, str]) -> str:
    """What says, as HTML that is not seen, that letters on this page stand for other terms than elsewhere."""
    return (
        f'<div hidden class="sv-letters" data-letters="{escape(json.dumps(dict(letters), ensure_ascii=False))}"></div>'
    )


def _asked() -> None:
    st.session_state[GOING] = st.session_state["tips_script"].go


def _go(session: Session, way: Mapping[str, Any]) -> None:
    """To a term, to a step of a lesson, or to a statement. A script may send anything."""
    page, step, mark = way["page"], way.get("step"), way.get("mark")
    if isinstance(step, str) and STEP.fullmatch(step):
        session.open_steps[page] = step
    if page == STATEMENTS and mark in CATALOGUE:
        st.session_state[WANTED] = mark
    if page == PAGE:
        st.session_state["glossary_search"] = ""
    if page != session.page:
        st.switch_page(f"pages/{page}.py")
