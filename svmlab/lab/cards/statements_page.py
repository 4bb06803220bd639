"""The page of all statements: the board stays beside the cards, which are filtered by verdict, lesson and words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.bench import table_dialog
from svmlab.lab.board import board_data, display
from svmlab.lab.cards import statement_cards, statement_map
from svmlab.lab.cards.statement_map import Steps
from svmlab.lab.frame import unlimited_solve
from svmlab.lab.frame.glossary_popups import WANTED
from svmlab.lab.session import inbox, unexpected_errors
from svmlab.lab.session.link import BOARD, MAX_QUERY
from svmlab.lab.session.tab import Filters, OnChange, Session
from svmlab.lab.streamlit_internals import rerun
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE, Statement
from svmlab.statements.notes import NOTES

INTRO = N_(
    "The cards list what the lecture notes state about support vector machines, and in group T what textbooks and "
    "articles add. **Each statement is checked on the points of this board.** A card gives the true statement first, "
    "then its result on this board, and then its sources."
)
VERDICTS: dict[str, str] = {
    "right": N_("correct in every note"),
    "hedged": N_("cautious"),
    "misprint": N_("misprint"),
    "incomplete": N_("incomplete"),
    "false": N_("false"),
}
ALL = "all"
MAP = "statements_map"  # whether the map is shown instead of the cards
FORMULA = re.compile(r"\$[^$]*\$")
FIGURE_SPACE = "\u2007"
LESSONS = {**statement_cards.LESSONS, ALL: N_("All")}
FIRST = next(iter(LESSONS))


def show(session: Session, steps: Steps) -> None:
    """Show the whole page. steps: the steps that show each statement."""
    session.show_board(None)
    table_dialog.show(session)
    frame.show_title("statements", seen=False)

    def changed() -> None:
        rerun("board", "cards")

    def on_board() -> None:
        if inbox.receive(session, st.session_state["board"].event):
            rerun()
        else:
            rerun("board", *([] if session.moving else ["cards"]))

    def scene() -> None:
        with st.container(key="beside"):
            data = board_data(session) | {"hint": None, "spaceBelow": 20}
            display(data, key="board", on_event=on_board)
            frame.publish_page(session, data)
            unlimited_solve.show_offer(session, session.lab, changed)

    def listing() -> None:
        if session.link.only == BOARD:
            return
        if _shows_map():
            st.markdown(_(statement_map.MAP_INTRO))
            st.html(statement_map.map_html())
            return
        st.markdown(_(INTRO))
        with unexpected_errors.showing_errors():
            statement_cards.show(session, matching(*_filters(session, changed)), changed, steps, lends=False)

    left, right = st.columns([0.82, 1], gap="medium")
    with right:
        st.fragment(listing, key="cards")()
    with left:
        st.fragment(scene, key="board")()


def _shows_map() -> bool:
    """Show the button between the cards and the map, and return whether the map is shown. A link to a card ends it."""
    state = st.session_state
    shown: bool = state.get(MAP, False) and WANTED not in state

    def switch_view() -> None:
        state[MAP] = not shown

    state[MAP] = shown
    label = _("Show the cards") if shown else _("Show which statement follows from which")
    st.button(label, key="statements_turn", on_click=switch_view, icon=":material/account_tree:")
    return shown


def _filters(session: Session, changed: OnChange) -> tuple[str | None, str | None, str]:
    """Return the verdict, the lesson (None: any) and the query.

    Each count is of the cards that its option would show.
    """
    state = st.session_state

    def filtered() -> None:
        session.view.filters = _chosen()
        changed()  # the board keeps them in the address

    def searched() -> None:
        _search_all_lessons()
        filtered()

    linked, session.link = session.link.filters, replace(session.link, filters=None)
    if WANTED in state:
        linked = Filters(search=state.pop(WANTED))
    if linked is not None:
        state["statements_search"] = linked.search
        state["statements_verdict"] = linked.verdict if linked.verdict in VERDICTS else None
        _search_all_lessons()
        if linked.lesson in LESSONS:
            state["statements_lesson"] = linked.lesson
        session.view.filters = _chosen()
    query, verdict = state.get("statements_search") or "", state.get("statements_verdict")
    counts = Counter[str](CATALOGUE[key].page for key in matching(verdict, None, query))
    counts[ALL] = counts.total()
    lesson = _pills("lesson", _("Lesson"), LESSONS, counts, filtered, required=True)
    st.text_input(
        _("Search"),
        key="statements_search",
        placeholder=_("Search all lessons, for example M2, Gruber or perceptron"),
        label_visibility="collapsed",
        persist_state="session",
        max_chars=MAX_QUERY,
        on_change=searched,
    )
    chosen = None if lesson == ALL else lesson
    verdict_counts = Counter[str](CATALOGUE[key].worst_degree for key in matching(None, chosen, query))
    verdict = _pills("verdict", _("Verdict on the notes"), VERDICTS, verdict_counts, filtered)
    return verdict, chosen, query


def _search_all_lessons() -> None:
    """Search words in all lessons at first. Without any words, the earlier lesson is selected again."""
    state = st.session_state
    if state["statements_search"]:
        state.setdefault("statements_before", state.get("statements_lesson", FIRST))
        state["statements_lesson"] = ALL
    elif "statements_before" in state:
        state["statements_lesson"] = state.pop("statements_before")


def _chosen() -> Filters:
    """Return what the fields say. The usual lesson has no name."""
    state = st.session_state
    search, lesson = state.get("statements_search") or "", state.get("statements_lesson")
    usual = ALL if search else FIRST
    return Filters(search, lesson if lesson != usual else None, state.get("statements_verdict"))


def _pills(
    key: str, label: str, names: Mapping[str, str], count: Counter[str], on_change: OnChange, required: bool = False
) -> str | None:
    """Show names with their counts, at a width that does not depend on the counts.

    If required, one is always chosen.
    """
    name = f"statements_{key}"
    if required:
        st.session_state.setdefault(
            name, next(iter(names))
        )  # not as `default`, because a search sets the value as well
    chosen: str | None = st.pills(
        label,
        list(names),
        format_func=lambda option: f"{_(names[option])} {count[option]:{FIGURE_SPACE}>2}",
        key=name,
        required=required,
        on_change=on_change,
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
        if verdict in (None, s.worst_degree) and lesson in (None, s.page) and all(_has(s, word) for word in wanted)
    ]


def _has(s: Statement, word: str) -> bool:
    """Return whether the word is the statement's id, or occurs in its words, its quotations or its notes."""
    notes = (NOTES[source.notes].name for source in s.source)
    flaws = (source.flaw for source in s.source)
    text = " ".join(map(_, (s.title, s.sentence, s.repair or "", s.conditions, *notes, *flaws)))
    quotes = " ".join(FORMULA.sub(" ", source.quote) for source in s.source)
    searched = len(word) > 1 or not word.isascii()  # a single Chinese character may be a word
    return word == s.id.casefold() or (searched and word in f"{text} {quotes}".casefold())
