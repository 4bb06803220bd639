"""The navigation: a bar of groups on a large screen, and one button on a small one. It stays while pages change.

It also has the search, whose list `svmlab.lab.home.search` serves, and the notation of formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from secrets import token_hex
from typing import Any

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.notation import LABELS, PARAMETERS, Notation
from svmlab.lab.session.kept_notation import COOKIE
from svmlab.lab.words import N_, _

SEARCH = "search"  # the address of the list
VERSION = token_hex(4)  # of the list: another one after each start of the server
KINDS = {
    "page": N_("Pages"),
    "step": N_("Steps"),
    "task": N_("Practice"),
    "term": N_("Glossary"),
    "statement": N_("Statements"),
}
SIGNS = {False: "⟨w, x⟩ + b", True: "⟨w, x⟩ − b"}  # by minus_b
_component = Component("nav", html='<div class="sv-nav"></div>', css="nav.css")


def navigation(
    groups: Mapping[str, Mapping[str, str]], at: str, notation: Notation, on_notation: Callable[[Any], None]
) -> None:
    """Show the pages: for each group by its name, the name of each page by its path.

    at: the path of the open page, which may be no page's path. on_notation: called with the notation that the reader
    chooses, as the fields of a Notation from the browser.
    """
    shown = [
        {"title": group, "pages": [{"path": path, "title": title} for path, title in pages.items()]}
        for group, pages in groups.items()
    ]
    data = {"label": _("Pages"), "at": at, "groups": shown, "search": _search(notation), "notation": _choices(notation)}
    data["room"] = _("Room for the class")
    _component(data=data, key="nav", on_notation_change=lambda: on_notation(st.session_state["nav"].notation))


def _search(notation: Notation) -> dict[str, Any]:
    """Return the address of the list and the words of the search."""
    return {
        "address": f"{SEARCH}?notation={notation.as_word}&v={VERSION}",
        "kinds": {kind: _(name) for kind, name in KINDS.items()},
        "label": _("Search"),
        "hint": _("A step, a task, a term or a statement"),
        "none": _("Nothing was found. Try another word, or a part of it."),
    }


def _choices(notation: Notation) -> dict[str, Any]:
    """Return the notation, and for each option its value, its name, and the whole notation with it as a word."""
    rows: dict[str, tuple[str, list[list[Any]]]] = {
        "minus_b": (_("Decision function"), [[value, f"f = {text}"] for value, text in SIGNS.items()]),
        "label": (_("Labels"), [[letter, letter] for letter in LABELS]),
        "first": (_("First parameter"), [[name, {"C": "C", "lambda": "λ"}[name]] for name in PARAMETERS]),
    }
    return {
        "title": _("Notation"),
        "at": asdict(notation),
        "cookie": COOKIE,
        "rows": [
            {
                "name": name,
                "title": title,
                "options": [[*option, replace(notation, **{name: option[0]}).as_word] for option in options],
            }
            for name, (title, options) in rows.items()
        ],
        "about": _(
            "Formulas, numbers and code follow, and quotations of lecture notes stay as they are. With λ first, your "
            "own board is set by λ. Sentences about C keep C = 1/(λ\u00a0m), and the slider of C also shows λ."
        ),
    }
