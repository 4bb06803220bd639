"""The list of all tasks, with its filters. The browser writes beside each entry how much of it is solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.frame import kept
from svmlab.lab.practice import make_goal_page, mixed, sheet_page, tasks
from svmlab.lab.practice.tasks import DIFFICULTIES, KINDS, PAGE, Entry
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _
from svmlab.practice import LESSONS

INTRO = N_(
    "Choose a task. A question comes with new numbers as often as you like. A goal asks for a board with a given "
    "property, and tells you while you drag whether you have reached it. Your progress is saved only in this browser."
)
ALL = "all"
LESSON_TITLES: dict[str, str] = {
    ALL: N_("All"),
    **{lesson: frame.PAGES[lesson] for lesson in LESSONS if lesson in frame.PAGES},
}
STATE_TITLES: dict[str, str] = {
    ALL: N_("Any state"),
    **dict(zip(kept.STATES, (N_("Not tried"), N_("Tried"), N_("Solved")), strict=True)),
}
STARS = N_(
    "★ means that your board reaches the goal. ★★ means that you also changed as few points as possible. "
    "If the fewest changes of a goal are not known, it has one star only."
)
KIND_TITLES: dict[str, str] = {ALL: N_("Questions and goals"), **KINDS}


def show(session: Session, open_task: Callable[[str], None]) -> None:
    """Show the list. open_task: called with the name of the task that is to be opened."""
    frame.keep_link(session)
    frame.show_title(PAGE)
    st.markdown(_(INTRO))
    with st.container(horizontal=True, gap="small", key="task_tools", vertical_alignment="center"):
        mixed.show_offer(session, open_task)
        st.button(
            _(sheet_page.TITLE),
            icon=":material/print:",
            key="open_sheet",
            on_click=sheet_page.open_sheet,
            args=(session,),
        )
        title, step = make_goal_page.TITLE, make_goal_page.STEP
        st.button(_(title), icon=":material/flag:", key="open_make", on_click=open_task, args=(step,))
    lesson = _pills(session, "lesson", _("Lesson"), LESSON_TITLES)
    kind = _pills(session, "kind", _("Kind of task"), KIND_TITLES)
    state = _pills(session, "state", _("State"), STATE_TITLES)
    matching_tasks = [each for each in tasks.entries() if lesson in (ALL, each.lesson) and kind in (ALL, each.kind)]
    with st.container(key="tasks", gap=None):
        for group, title in KINDS.items():
            of_kind = [each for each in matching_tasks if each.kind == group]
            if not of_kind:
                continue
            with st.container(key=f"tasks_{group}", gap=None):
                st.html(f'<h2 class="sv-group">{_(title)}</h2>')
                if group == tasks.GOAL:
                    st.caption(_(STARS))
                for each in of_kind:
                    _show_entry(each, open_task)
        if not matching_tasks:
            st.caption(_("No task fits these filters. Choose another lesson."))
    kept_tasks = [
        kept.Task(_element(each), f"tasks_{each.kind}", each.progress_keys, each.version, each.kind == tasks.QUESTION)
        for each in matching_tasks
    ]
    kept.show_practice(kept_tasks, None if state == ALL else state)


def _element(entry: Entry) -> str:
    return f"task_{entry.name}"


def _show_entry(entry: Entry, open_task: Callable[[str], None]) -> None:
    levels = ", ".join(_(DIFFICULTIES[level]) for level in entry.levels)
    label = f"**{_(entry.title)}** {_(frame.PAGES[entry.lesson])} ({levels})"
    st.button(
        label,
        key=_element(entry),
        type="tertiary",
        width="stretch",
        on_click=lambda: open_task(entry.task),
    )


def _pills(session: Session, name: str, label: str, titles: Mapping[str, str]) -> str:
    """Show a filter, and return what is chosen. The address carries it."""
    picks, key, pick = session.lessons.picks, f"practice_{name}", f"{PAGE}.{name}"
    value = picks.get(pick, ALL)
    st.session_state[key] = value if value in titles else ALL

    def changed() -> None:
        picks[pick] = st.session_state[key]

    chosen: str | None = st.pills(
        label,
        list(titles),
        format_func=lambda option: _(titles[option]),
        key=key,
        required=True,
        on_change=changed,
        label_visibility="collapsed",
    )
    return chosen or ALL
