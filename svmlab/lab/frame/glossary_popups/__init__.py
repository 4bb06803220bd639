"""Popups of the glossary: the meaning of a marked term or of a letter in a formula, and links from there.

The terms are in an HTML element of their own, because a browser caches a message of this size, and later pages only
name it. The data of a component are sent again on each page.
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
from svmlab.lab.glossary.term import plain
from svmlab.lab.session.link import STEP
from svmlab.lab.session.tab import Session
from svmlab.lab.words import _, tex, written
from svmlab.statements import CATALOGUE

KEY = "tips"
GOING = "tips_going"
STATEMENTS = "statements"
WANTED = "statements_wanted"  # the statement that the page Statements must show
_component = Component("tips", html="", css=None)


def show(session: Session, pages: Mapping[str, str]) -> None:
    """Add the popups to a page. pages: the names of the pages to which a link may lead."""
    link = st.session_state.pop(GOING, None)
    if isinstance(link, dict) and link.get("page") in pages:
        _go(session, link)
    with st.container(key=KEY):
        st.html(f'<div hidden class="sv-terms" data-terms="{escape(json.dumps(_data(), ensure_ascii=False))}"></div>')
        _component(key="tips_script", on_go_change=_keep_link)


def _data() -> dict[str, Any]:
    """Return every term in the language of the session, the letters of formulas, and the words of a popup."""
    return {
        "terms": {
            t.key: [_(t.name), written(t.symbol), _(t.definition), plain(tex(t.formula))] for t in TERMS.values()
        },
        "letters": {written(letter): t.key for t in TERMS.values() for letter in t.letters},
        "words": {"more": _("More"), "letters": _("In this formula")},
    }


def own_letters_html(letters: Mapping[str, str]) -> str:
    """Return invisible HTML which says that letters on this page stand for other terms than elsewhere."""
    data = json.dumps({written(letter): key for letter, key in letters.items()}, ensure_ascii=False)
    return f'<div hidden class="sv-letters" data-letters="{escape(data)}"></div>'


def _keep_link() -> None:
    st.session_state[GOING] = st.session_state["tips_script"].go


def _go(session: Session, link: Mapping[str, Any]) -> None:
    """Open a term, a step of a lesson or a statement. A script may send anything, so every part is checked."""
    page, step, mark = link["page"], link.get("step"), link.get("mark")
    if isinstance(step, str) and STEP.fullmatch(step):
        session.lessons.open_steps[page] = step
    if page == STATEMENTS and mark in CATALOGUE:
        st.session_state[WANTED] = mark
    if page == PAGE:
        st.session_state["glossary_search"] = ""
    if page != session.page:
        st.switch_page(f"pages/{page}.py")
