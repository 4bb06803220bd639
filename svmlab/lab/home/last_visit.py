"""Where the person left off: the last open lesson and its step, kept for the first screen and its address."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import streamlit as st

from svmlab.lab import frame, lessons
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import CHECK, Lesson
from svmlab.lab.words import _

HOME = frame.FIRST
LAST = f"{HOME}.last"  # "lesson.step"; in the address of the first screen it is "pick.last"


@dataclass(frozen=True)
class LastStep:
    """The page of a lesson, and the titles of the lesson and the step."""

    page: str
    lesson: str
    step: str


def page_left() -> str | None:
    """Return the page and step that the person leaves for this page, before it is entered."""
    session = st.session_state.get("lab")
    return session.step if isinstance(session, Session) else None


def remember(session: Session, before: str | None) -> None:
    """Remember the step that was left, if it was in a lesson."""
    visited = [f"{page}.{step}" for page, step in session.open_steps.items() if lesson_of(page)]
    if before is not None and before in visited:
        session.picks[LAST] = before
    elif LAST not in session.picks and visited:
        session.picks[LAST] = visited[-1]


def last_step(session: Session) -> LastStep | None:
    """Return the last step, as long as it exists."""
    page, _dot, key = str(session.picks.get(LAST, "")).partition(".")
    lesson = lesson_of(page)
    if lesson is None:
        return None
    step = lesson.step(key)
    if step is None and key != CHECK:
        return None
    title = _(step.title) if step else _(lesson.last_title)
    return LastStep(page, _(frame.PAGES[page]), title)


def lesson_of(page: str) -> Lesson | None:
    """Return the lesson on a page, or None if the page has no lesson."""
    if page not in frame.PAGES:
        return None
    try:
        lesson = import_module(f"{lessons.__name__}.{page}").LESSON
    except ModuleNotFoundError:
        return None
    return lesson if isinstance(lesson, Lesson) else None
