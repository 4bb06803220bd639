"""The page of all statements: the board stays beside the cards, which are filtered by verdict, lesson and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import streamlit as st

from svmlab.lab.board import board, board_of
from svmlab.lab.cards import cards
from svmlab.lab.cards import catalogue_words as words
from svmlab.lab.session import mishap
from svmlab.lab.session.tab import Session
from svmlab.statements import CATALOGUE, Statement


def show(session: Session) -> None:
    """The whole page."""

    def changed() -> None:
        st.rerun(["board", "cards"])

    def on_board() -> None:
        before = session.lab
        session.receive(st.session_state["board"].event)
        if session.lab.projector != before.projector:
            st.rerun()
        st.rerun(["board"] if session.moving else ["board", "cards"])

    def scene() -> None:
        with st.container(key="beside"):
            board(board_of(session) | {"hint": None, "below": 20}, key="board", on_event=on_board)

    def listing() -> None:
        st.markdown(words.INTRO)
        with mishap.caught():
            cards.show(session, matching(*_filters()), changed, lessons=True)

    left, right = st.columns([0.82, 1], gap="medium")
    with right:
        st.fragment(listing, key="cards")()
    with left:
        st.fragment(scene, key="board")()


def _filters() -> tuple[str | None, str | None, str]:
    """The verdict, the lesson (None: any) and the words asked for, which are looked for in all lessons."""
    pages = Counter[str](s.page for s in CATALOGUE.values())
    pages[words.ALL] = len(CATALOGUE)
    lesson = _pills("lesson", words.LESSON, [name for name in words.LESSONS if pages[name]], words.LESSONS, pages, True)
    asked = st.text_input(
        words.SEARCH,
        key="statements_search",
        placeholder=words.SEARCH_HINT,
        label_visibility="collapsed",
        persist_state="session",
    )
    chosen = None if asked or lesson == words.ALL else lesson
    within = Counter[str](s.verdict for s in CATALOGUE.values() if chosen in (None, s.page))
    given = {s.verdict for s in CATALOGUE.values()}
    verdict = _pills("verdict", words.VERDICT, [v for v in words.VERDICTS if v in given], words.VERDICTS, within)
    return verdict, chosen, asked


def _pills(
    key: str, label: str, options: list[str], names: Mapping[str, str], count: Counter[str], required: bool = False
) -> str | None:
    """Names with how many there are of each; if required one is always chosen, at first the first."""
    found: str | None = st.pills(
        label,
        options,
        format_func=lambda name: words.COUNT.format(name=names[name], n=count[name]),
        key=f"statements_{key}",
        default=options[0] if required else None,
        required=required,
        persist_state="session",
        label_visibility="collapsed",
    )
    return found


def matching(verdict: str | None, lesson: str | None, asked: str = "") -> list[str]:
    """The ids of the statements with this verdict, of this lesson, and with every word asked for."""
    wanted = asked.casefold().split()
    return [
        key
        for key, s in CATALOGUE.items()
        if verdict in (None, s.verdict) and lesson in (None, s.page) and all(_has(s, word) for word in wanted)
    ]


def _has(s: Statement, word: str) -> bool:
    """Whether the statement is called so, says so, or stands in that note."""
    said = f"{s.title} {s.sentence} {s.repair or ''} {s.conditions}".casefold()
    exact = {s.id.casefold(), *(source.notes.casefold() for source in s.source)}
    return word in exact or (len(word) > 1 and word in said)
