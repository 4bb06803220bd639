"""The page of all statements: the board stays beside the cards, which are filtered by verdict, lesson and words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.board import board_data, display
from svmlab.lab.cards import statement_cards
from svmlab.lab.frame.glossary_popups import WANTED
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE, Statement
from svmlab.statements.notes import NOTES

INTRO = N_(
    "What the lecture notes say about support vector machines, **each statement checked on the "
    "points of this board, now**. "
    "Each card says how right every note is, quotes the line, and has a board on which the print or "
    "a false neighbour fails."
)
VERDICTS: dict[str, str] = {
    "right": N_("right in every note"),
    "hedged": N_("a hedge"),
    "misprint": N_("a misprint"),
    "incomplete": N_("incomplete"),
    "false": N_("false"),
}
ALL = "all"
FORMULA = re.compile(r"\$[^$]*\$")
FIGURE_SPACE = "\u2007"
LESSONS = {**statement_cards.LESSONS, ALL: N_("All")}


def show(session: Session) -> None:
    """Show the whole page."""
    session.show_board(None)
    frame.show_title("statements", seen=False)

    def changed() -> None:
        st.rerun(["board", "cards"])

    def on_board() -> None:
        if session.receive(st.session_state["board"].event):
            st.rerun()
        st.rerun(["board"] if session.moving else ["board", "cards"])

    def scene() -> None:
        with st.container(key="beside"):
            display(board_data(session) | {"hint": None, "spaceBelow": 20}, key="board", on_event=on_board)

    def listing() -> None:
        st.markdown(_(INTRO))
        with unexpected_errors.showing_errors():
            statement_cards.show(session, matching(*_filters()), changed, lessons=True)

    left, right = st.columns([0.82, 1], gap="medium")
    with right:
        st.fragment(listing, key="cards")()
    with left:
        st.fragment(scene, key="board")()


def _filters() -> tuple[str | None, str | None, str]:
    """Return the verdict, the lesson (None: any) and the query.

    Each count is of the cards that its option would show.
    """
    state = st.session_state
    if (wanted := state.pop(WANTED, None)) is not None:
        state["statements_search"], state["statements_verdict"] = wanted, None
        _search_all_lessons()
    pages = {s.page for s in CATALOGUE.values()} | {ALL}
    query, verdict = state.get("statements_search") or "", state.get("statements_verdict")
    counts = Counter[str](CATALOGUE[key].page for key in matching(verdict, None, query))
    counts[ALL] = counts.total()
    lesson = _pills("lesson", _("Lesson"), [name for name in LESSONS if name in pages], LESSONS, counts, True)
    st.text_input(
        _("Search"),
        key="statements_search",
        placeholder=_("search all lessons: a word, also of a quotation, an id such as M2, an author such as Gruber"),
        label_visibility="collapsed",
        persist_state="session",
        on_change=_search_all_lessons,
    )
    chosen = None if lesson == ALL else lesson
    verdict_counts = Counter[str](CATALOGUE[key].verdict for key in matching(None, chosen, query))
    verdict = _pills("verdict", _("Verdict on the print"), list(VERDICTS), VERDICTS, verdict_counts)
    return verdict, chosen, query


def _search_all_lessons() -> None:
    """Search words in all lessons at first. Without any words, the earlier lesson is selected again."""
    state = st.session_state
    if state["statements_search"]:
        state.setdefault("statements_before", state.get("statements_lesson"))
        state["statements_lesson"] = ALL
    elif "statements_before" in state:
        state["statements_lesson"] = state.pop("statements_before")


def _pills(
    key: str, label: str, options: list[str], names: Mapping[str, str], count: Counter[str], required: bool = False
) -> str | None:
    """Show names with their counts, at a width that does not depend on the counts.

    If required, one is always chosen.
    """
    chosen: str | None = st.pills(
        label,
        options,
        format_func=lambda name: f"{_(names[name])} {count[name]:{FIGURE_SPACE}>2}",
        key=f"statements_{key}",
        default=options[0] if required else None,
        required=required,
        persist_state="session",
        label_visibility="collapsed",
    )
    return chosen


def matching(verdict: str | None, lesson: str | None, query: str = "") -> list[str]:
    """Return the ids of the statements with this verdict, of this lesson, and with every word of the query."""
    wanted = query.casefold().split()
    return [
        key
        for key, s in CATALOGUE.items()
        if verdict in (None, s.verdict) and lesson in (None, s.page) and all(_has(s, word) for word in wanted)
    ]


def _has(s: Statement, word: str) -> bool:
    """Return whether the word is the statement's id, or occurs in its words, its quotations or its notes."""
    notes = (NOTES[source.notes].name for source in s.source)
    flaws = (source.flaw for source in s.source)
    text = " ".join(map(_, (s.title, s.sentence, s.repair or "", s.conditions, *notes, *flaws)))
    quotes = " ".join(FORMULA.sub(" ", source.quote) for source in s.source)
    searched = len(word) > 1 or not word.isascii()  # a single Chinese character may be a word
    return word == s.id.casefold() or (searched and word in f"{text} {quotes}".casefold())
