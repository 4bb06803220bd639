"""What questions and goals have in common: the notation, the head line, the marks, and the hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Literal

import streamlit as st

from svmlab.lab import frame, words
from svmlab.lab.frame.glossary_popups import WANTED
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import tasks
from svmlab.lab.practice.work import Work
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _
from svmlab.practice import Hint
from svmlab.statements import CATALOGUE

PLAIN = N_("On this page the decision function is always written with a plus sign before the bias.")


@contextmanager
def usual_notation() -> Iterator[None]:
    """Write everything in the body as f = ⟨w, x⟩ + b, because the numbers of questions belong to this form."""
    translations = words.current_translations()
    words.set_translations(words.language_of(translations))
    try:
        yield
    finally:
        words.set_translations(translations)


def mark(right: bool | None) -> str:
    """Return the sign before a sentence that says what is right or wrong, or what could not be read (None)."""
    if right is None:
        return ":material/help:"
    return ":material/check:" if right else ":material/close:"


def weight(is_main: bool) -> Literal["primary", "secondary"]:
    """Return the style of a button: the main one or one of several."""
    return "primary" if is_main else "secondary"


@dataclass(frozen=True)
class Head:
    """The line above a task: the way back to the list, and the title with the lesson, if it belongs to one."""

    title: str
    lesson: str
    go_back: Callable[[], None]

    def show(self) -> None:
        """Show the line."""
        with st.container(horizontal=True, gap="small", key="task_head", vertical_alignment="center"):
            st.button(
                _("All tasks"),
                icon=":material/arrow_back:",
                key="all_tasks",
                type="tertiary",
                on_click=self.go_back,
            )
            st.html(f'<h1 class="sv-task">{escape(_(self.title))}</h1>')
            if self.lesson in frame.PAGES:
                st.caption(_(frame.PAGES[self.lesson]), width="content")


def show_hints(session: Session, work: Work, hints: tuple[Hint, ...], marks: Marks) -> None:
    """Show the hints that are open, each with a button to what explains it."""
    with st.container(key="hints", gap=None):
        for i, hint in enumerate(hints[: work.hints]):
            st.markdown(":material/lightbulb: " + marks.markdown(_(hint.words)))
            if hint.step:
                label = _("Open the step: {title}").format(title=_(tasks.step_title(hint.step)))
            elif hint.statement:
                title = _(CATALOGUE[hint.statement].title)
                label = _("Open the statement: {title}").format(title=title)
            else:
                continue
            st.button(
                label,
                key=f"hint{i}",
                type="tertiary",
                icon=":material/arrow_forward:",
                on_click=_explain,
                args=(session, hint),
            )


def _explain(session: Session, hint: Hint) -> None:
    """Open the step or the statement that a hint names. The task stays open on its page."""
    if hint.step:
        page, key = hint.step.split(".")
        session.lessons.open_steps[page] = key
        frame.turn_to(page)
    else:
        st.session_state[WANTED] = hint.statement
        frame.turn_to("statements")
    st.rerun()
