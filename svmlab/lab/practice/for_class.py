"""Practice with a room: a goal is set to the class, a member hands in, and the lecturer shows what came in."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.lab.frame.share import HIDDEN
from svmlab.lab.practice import tasks
from svmlab.lab.practice.parts import mark
from svmlab.lab.practice.tasks import PAGE, BoardTask
from svmlab.lab.room import hand_in, lecturer
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import HIDEABLE
from svmlab.lab.session.tab import ClassWork, Session
from svmlab.lab.words import N_, _

# The controls that a task can hide from a class, and what each of them sets.
SETTINGS: dict[str, Callable[[Lab], object]] = {
    "kernel": lambda lab: lab.kernel_function,
    "price": lambda lab: (lab.face, lab.value, lab.costs),
    "hard": lambda lab: lab.hard,
    "bias": lambda lab: lab.bias,
}
BOARD = f"{PAGE}.projected"  # the name of the lent board that shows the board of a member
PASSED = N_("**This is board {n} of the class.** It reached the goal when it was handed in.")
NOT_PASSED = N_("**This is board {n} of the class.** It did not reach the goal when it was handed in.")


def task_of(session: Session, board_task: BoardTask) -> tuple[str, str] | None:
    """Return the room and the id of the task if this page belongs to a member of a room that works on it."""
    return hand_in.task_of(session, f"{PAGE}.{board_task.name}")


def show_hand_in(session: Session, board_task: BoardTask) -> None:
    """Show the button with which a member hands in the board."""
    task = task_of(session, board_task)
    if task is not None:
        hand_in.show(session, task, lambda: (has_passed(session, board_task), None))


def has_passed(session: Session, board_task: BoardTask) -> bool:
    """Return whether the present board reaches the goal, with the points and settings that cannot be changed.

    A link may have been changed, so points that are locked, and settings that are hidden, must be those of the start.
    """
    start, present, hidden = tasks.lab_of(board_task.start), session.lab, (*session.link.hidden, *board_task.hide)
    is_kept = all(value(start) == value(present) for name, value in SETTINGS.items() if name in hidden)
    if "points" in session.link.locked:
        is_kept &= start.rows == present.rows
    outcome = session.outcome if session.lab.points else None
    findings = tasks.findings_on(session.lab, board_task, outcome.solution if outcome else None)
    return is_kept and all(finding.met for finding in findings)


def projected(session: Session, board_task: BoardTask) -> ClassWork | None:
    """Return the board of a member that the lecturer shows on this page, or None."""
    work = session.class_work
    return work if work is not None and work.task == f"{PAGE}.{board_task.name}" and work.board is not None else None


def show_projected_board(session: Session, work: ClassWork) -> None:
    """Lend the board of a member. The attempt of the lecturer and the own board stay as they are."""
    name = BOARD + work.seal
    if session.lessons.prepared_step != name:
        session.lessons.prepared_step = name
        session.show_board(BOARD, work.board, given=True)


def show_projected(session: Session, work: ClassWork) -> None:
    """Say whose board is shown, and show the way back."""
    with st.container(key="judged", gap=None):
        st.markdown(f"{mark(work.passed)} {_(PASSED if work.passed else NOT_PASSED).format(n=work.number)}")
    with st.container(horizontal=True, gap="small", key="foot"):
        st.button(_("Back to my board"), key="own_board", type="primary", on_click=_end, args=(session,))


def show_buttons(session: Session, board_task: BoardTask) -> None:
    """Show the buttons of the lecturer of a room."""
    if session.class_work is not None:
        st.button(_("Hide the lines of the class"), key="hide_lines", on_click=_end, args=(session,))
    if session.room is not None:
        with st.popover(_("Set to the class"), key="set_to_class"):
            _show_choices(session, board_task)


def _end(session: Session) -> None:
    session.class_work = session.lessons.prepared_step = None
    st.rerun()


def _show_choices(session: Session, board_task: BoardTask) -> None:
    """Let the lecturer of a room choose what members see, and set the task to them."""
    hide: list[str] = []
    if not board_task.keeps_settings:
        hide = st.pills(
            _("Hide from the class"),
            [name for name in SETTINGS if name not in board_task.hide],
            selection_mode="multi",
            format_func=lambda name: _(HIDDEN[name]),
            key="class_hide",
        )
    lock = st.toggle(_("Points cannot be moved"), key="class_lock")
    aim = " ".join(_(words) for words in (board_task.situation, board_task.aim, board_task.rules) if words)
    hidden = tuple(name for name in HIDEABLE if name in (hide or ()))
    st.button(
        _("Set this task"),
        key="class_set",
        type="primary",
        on_click=lecturer.set_task,
        args=(session, board_task.name, _(board_task.title), aim, hidden, ("points",) if lock else ()),
    )
