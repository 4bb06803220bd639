"""A sheet of questions for paper: which questions are on it, its preview, and the files that can be saved.

The address carries the names of the questions, so a link opens the same sheet.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.frame.share import address_of
from svmlab.lab.practice import tasks
from svmlab.lab.practice.figure import printed_svg
from svmlab.lab.practice.parts import Head, usual_notation
from svmlab.lab.practice.tasks import DIFFICULTIES, PAGE, SEEDS, TYPES, Variant
from svmlab.lab.session.link import location_of
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _
from svmlab.practice import QuestionType
from svmlab.practice.moodle import left_out, moodle_xml
from svmlab.practice.sheet import Sheet, SheetQuestion

STEP = "sheet"  # the step in the address
TITLE = N_("Sheet for printing")
INTRO = N_(
    "Choose questions, and save them as a sheet with its solutions. A question with the same seed is always the same. "
    "The address of this page opens this sheet again."
)
LEFT_OUT = N_("This question is not in the file.")
MAX_QUESTIONS = 35
LARGEST_SEED = 999_999_999
NAMES = [f"q{n}" for n in range(1, MAX_QUESTIONS + 1)]  # of the questions in the address


def open_sheet(session: Session) -> None:
    """Open the sheet with the questions that it had in this tab."""
    session.lessons.open_steps[PAGE] = STEP
    _write(session, st.session_state.get(STEP, ()))


def show(session: Session, show_list: Callable[[], None]) -> None:
    """Show the sheet. show_list: opens the list of tasks."""
    frame.keep_link(session)

    def leave() -> None:
        """Keep the questions for this tab, because the addresses of other tasks do not name them."""
        st.session_state[STEP] = _read(session)[0]
        _write(session, ())
        show_list()

    chosen, unreadable = _read(session)
    with st.container(key="paper", gap="small"), usual_notation():
        Head(TITLE, "", leave).show()
        st.markdown(_(INTRO))
        for name in unreadable:
            says = _(
                "The link names the question “{name}”, which does not exist. It was left out, so choose another one."
            )
            st.warning(says.format(name=name))
        _show_choice(session, chosen)
        if chosen:
            _show_questions(session, chosen)
            _show_files(session, chosen)


def _read(session: Session) -> tuple[list[Variant], list[str]]:
    """Return the questions that the address names, and the names that cannot be read."""
    names = [session.lessons.picks.get(f"{PAGE}.{name}") for name in NAMES]
    named_tasks = [(str(name), tasks.task_of(str(name))) for name in names if name is not None]
    chosen = [task for _name, task in named_tasks if isinstance(task, Variant)]
    return chosen, [name for name, task in named_tasks if not isinstance(task, Variant)]


def _write(session: Session, chosen: Sequence[Variant]) -> None:
    for i, name in enumerate(NAMES):
        if i < len(chosen):
            session.lessons.picks[f"{PAGE}.{name}"] = chosen[i].name
        else:
            session.lessons.picks.pop(f"{PAGE}.{name}", None)


# ---------------------------------------------------------------- which questions


def _show_choice(session: Session, chosen: list[Variant]) -> None:
    """Show the fields for question types, difficulty, seed and number, and the button that adds such questions."""
    room = MAX_QUESTIONS - len(chosen)
    with st.container(key="sheet_choice", gap="small"):
        kinds = st.multiselect(
            _("Question types"),
            list(TYPES),
            key="sheet_types",
            format_func=_type_title,
            placeholder=_("Choose question types"),
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="sheet_fields"):
            level = st.selectbox(
                _("Difficulty"), list(DIFFICULTIES), key="sheet_level", format_func=_level_title, width=140
            )
            seed = st.number_input(
                _("First seed"),
                0,
                LARGEST_SEED,
                None,
                1,
                key="sheet_seed",
                placeholder=_("drawn"),
                width=140,
                help=_("Empty: a seed is drawn. Two people who write the same seed get the same questions."),
            )
            each = st.number_input(_("Questions of each type"), 1, 10, 1, 1, key="sheet_each", width=180)
            added = [
                _variant(TYPES[kind], level, secrets.randbelow(SEEDS) if seed is None else seed + i)
                for kind in kinds
                for i in range(each)
            ]

            def add() -> None:
                _write(session, [*chosen, *added])

            st.button(
                _("Add"),
                icon=":material/add:",
                key="sheet_add",
                type="primary",
                disabled=not 1 <= len(added) <= room,
                on_click=add,
            )
        if len(added) > room:
            says = _("A sheet has at most {most} questions. It has {n}, so choose at most {room} more.")
            st.caption(says.format(most=MAX_QUESTIONS, n=len(chosen), room=room))


def _type_title(name: str) -> str:
    kind = TYPES[name]
    return f"{_(kind.title)} ({_(frame.PAGES[kind.lesson])})"


def _level_title(level: int) -> str:
    return _(DIFFICULTIES[level])


def _variant(kind: QuestionType, level: int, seed: int) -> Variant:
    """Return a question of the difficulty, or of the hardest easier one if the type does not have it."""
    return Variant(kind, max(d for d in kind.difficulties if d <= level), min(seed, LARGEST_SEED))


def _show_questions(session: Session, chosen: list[Variant]) -> None:
    """Show a line for each question, with buttons for another seed and to remove it."""
    with st.container(key="sheet_lines", gap=None):
        for i, each in enumerate(chosen):
            before, after = chosen[:i], chosen[i + 1 :]
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                template = _("{n}. {title}, {level}, seed {seed}")
                level = _level_title(each.difficulty)
                st.markdown(template.format(n=i + 1, title=_(each.kind.title), level=level, seed=each.seed))
                st.button(
                    _("Another seed"),
                    icon=":material/shuffle:",
                    key=f"sheet_another{i}",
                    type="tertiary",
                    on_click=_write,
                    args=(session, [*before, each.another(), *after]),
                )
                st.button(
                    _("Remove"),
                    icon=":material/close:",
                    key=f"sheet_remove{i}",
                    type="tertiary",
                    on_click=_write,
                    args=(session, [*before, *after]),
                )


# ---------------------------------------------------------------- the files


def _show_files(session: Session, chosen: list[Variant]) -> None:
    """Show the buttons that save the sheet and its solutions, and what the sheet looks like."""
    here = location_of(session)
    picks = {name: value for name, value in here.picks.items() if name in NAMES}  # and no tasks of a series
    sheet = sheet_of(chosen, address_of(replace(here, own=None, picks=picks)))
    files = (
        (_("Save the sheet"), sheet.exercises, "sheet.html"),
        (_("Save the solutions"), sheet.solutions, "solutions.html"),
    )
    with st.container(horizontal=True, gap="small", key="sheet_files"):
        for label, text, name in files:
            st.download_button(
                label, text, name, "text/html", icon=":material/download:", on_click="ignore", key=f"save_{name}"
            )
        with st.popover(_("Moodle"), icon=":material/school:", key="sheet_moodle"):
            _show_moodle(chosen)
        st.button(_("Remove all"), key="sheet_clear", on_click=_write, args=(session, ()))
    st.caption(_("Open a saved file in a browser, and print it there. It needs no network."))
    st.iframe(sheet.exercises, height=640, alt=_("Preview of the sheet"))


def _show_moodle(chosen: list[Variant]) -> None:
    """Offer the questions for a course in Moodle, and say which of them Moodle cannot judge."""
    questions = sheet_questions(chosen)
    without = left_out(questions)
    st.markdown(_("Import this file into the question bank of a course, in the format Moodle XML."))
    for sentence in without:
        st.markdown(f"- {_(sentence)} {_(LEFT_OUT)}")
    st.download_button(
        _("Save as Moodle XML"),
        moodle_xml(questions, printed_svg, _),
        "questions.xml",
        "application/xml",
        icon=":material/download:",
        on_click="ignore",
        key="save_questions.xml",
        disabled=len(without) == len(questions),
    )


def sheet_questions(chosen: Sequence[Variant]) -> list[SheetQuestion]:
    """Return these questions with their names and titles."""
    return [SheetQuestion(each.name, each.kind.title, each.question) for each in chosen]


def sheet_of(chosen: Sequence[Variant], address: str) -> Sheet:
    """Return the sheet of these questions in the language of the session."""
    return Sheet(sheet_questions(chosen), printed_svg, _, address)
