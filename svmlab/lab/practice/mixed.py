"""The mixed practice: ten questions across the lessons that were begun, of which wrong ones come back another time.

The browser chooses the kinds of question, because only it knows the progress. Their numbers are drawn here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.frame import kept
from svmlab.lab.practice import tasks
from svmlab.lab.practice.series import MAX_TASKS, Series
from svmlab.lab.practice.series_view import SeriesView
from svmlab.lab.practice.tasks import PAGE, SEEDS, TYPES, Variant
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

MIXED = "mixed"  # the name of the open task while a mixed practice is open
TITLE = N_("Mixed practice")
SPARE = 20  # asked for beside those that are needed: some have a board as their answer, some differ in difficulty only


def series_of(session: Session) -> Series:
    """Return the questions of the mixed practice."""
    return Series(session, PAGE, MIXED)


def is_open(session: Session) -> bool:
    """Return whether a mixed practice is open and has questions."""
    return session.lessons.open_steps.get(PAGE) == MIXED and bool(series_of(session).tasks)


def draw_questions(names: Collection[object]) -> tuple[str, ...]:
    """Return the names of at most ten questions with an answer field, in random order.

    names: of the kinds as in the progress, the most urgent first. Anything else is left out. A second difficulty of a
    kind is taken only where other kinds are not enough.
    """
    variants = [
        Variant(kind, level, secrets.randbelow(SEEDS))
        for key, kind in TYPES.items()
        for level in kind.difficulties
        if f"{PAGE}.{key}-{level}" in names
    ]
    order = {name: at for at, name in enumerate(names)}
    variants.sort(key=lambda variant: order[variant.progress_key])
    variants = [variant for variant in variants if tasks.board_task_of(variant) is None]
    kinds = [variant.kind for variant in variants]
    again = [kinds[:at].count(kind) for at, kind in enumerate(kinds)]
    chosen = [variants[at].name for at in sorted(range(len(kinds)), key=lambda at: again[at])[:MAX_TASKS]]
    secrets.SystemRandom().shuffle(chosen)
    return tuple(chosen)


def show_offer(session: Session, opened: Callable[[str], None]) -> None:
    """Show the button that begins a mixed practice. opened: called with the name of the task to open."""
    pool = sorted(
        (
            (level, kind.lesson, f"{PAGE}.{key}-{level}", str(kind.version))
            for key, kind in TYPES.items()
            for level in kind.difficulties
        ),
        key=lambda each: each[0],
    )
    candidates = [kept.Candidate(name, version, lesson) for _level, lesson, name, version in pool]

    def begin(names: list[object]) -> None:
        chosen = draw_questions(names)
        if chosen:
            series_of(session).begin(chosen)
            opened(MIXED)

    with st.container(key="mixed_offer", gap=None):
        kept.show_mixed(candidates, MAX_TASKS + SPARE, begin)


def show(session: Session, open_task: Callable[[str | None], None]) -> None:
    """Show the open mixed practice in one column."""
    frame.keep_link(session)
    series = series_of(session)
    with st.container(key="mixed", gap=None):
        with st.container(horizontal=True, gap="small", key="task_head", vertical_alignment="center"):
            st.button(
                _("All tasks"),
                icon=":material/arrow_back:",
                key="all_tasks",
                type="tertiary",
                on_click=lambda: open_task(None),
            )
            st.html(f'<h1 class="sv-task">{_(TITLE)}</h1>')
        SeriesView(series, "", None, st.rerun).show(lambda: show_offer(session, open_task))
