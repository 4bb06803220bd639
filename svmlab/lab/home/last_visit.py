"""Where somebody left off: the lesson that was open last and its step, kept for the first screen and its address."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import streamlit as st

from svmlab.lab import frame, lessons
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import CHECK, Lesson
from svmlab.lab.words import _

HOME = frame.FIRST
LAST = f"{HOME}.last"  # "lesson.step", in the address of the first screen "pick.last"


@dataclass(frozen=True)
class Left:
    """A lesson's page, and the names of lesson and step."""

    page: str
    lesson: str
    step: str


def before() -> str | None:
    """The page and step that are left for this one, before it is entered."""
    session = st.session_state.get("lab")
    return session.step if isinstance(session, Session) else None


def keep(session: Session, before: str | None) -> None:
    """Remember where one was, if that was in a lesson."""
    visited = [f"{page}.{step}" for page, step in session.open_steps.items() if lesson_of(page)]
    if before is not None and before in visited:
        session.picks[LAST] = before
    elif LAST not in session.picks and visited:
        session.picks[LAST] = visited[-1]


def left_off(session: Session) -> Left | None:
    """Where one was last, as long as there is such a step."""
    page, _dot, key = str(session.picks.get(LAST, "")).partition(".")
    lesson = lesson_of(page)
    if lesson is None:
        return None
    step = lesson.step(key)
    if step is None and key != CHECK:
        return None
    title = _(step.title) if step else _(lesson.last_title)
    return Left(page, _(frame.PAGES[page]), title)


def lesson_of(page: str) -> Lesson | None:
    """The lesson on a page, if that is one."""
    if page not in frame.PAGES:
        return None
    try:
        found = import_module(f"{lessons.__name__}.{page}").LESSON
    except ModuleNotFoundError:
        return None
    return found if isinstance(found, Lesson) else None
