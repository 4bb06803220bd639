"""The page Practice: the list of tasks, a question with its answer field, or a goal on a board that is lent."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from svmlab import SvmError
from svmlab.core.errors import quoted
from svmlab.core.phrase import Phrase
from svmlab.lab import frame
from svmlab.lab.bench import table_dialog
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.frame import unlimited_solve
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import for_class, make_goal_page, mixed, own_goal, sheet_page, task_list, tasks
from svmlab.lab.practice.goal_view import FINDINGS, GoalView
from svmlab.lab.practice.parts import Head, usual_notation, weight
from svmlab.lab.practice.question_view import QuestionView
from svmlab.lab.practice.tasks import DIFFICULTIES, PAGE, BoardTask, Variant
from svmlab.lab.room import lecturer
from svmlab.lab.session import inbox
from svmlab.lab.session.link import BOARD
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import rerun
from svmlab.lab.words import N_, _
from svmlab.practice import GOALS, Goal

UNKNOWN_TASK = N_("The link has {name} = {value}, but there is no such task. Choose one of these.")
OTHER_PAGES = {sheet_page.STEP: sheet_page.show, make_goal_page.STEP: make_goal_page.show}  # by their steps


def run() -> None:
    """Show the whole page."""
    session = frame.enter_page(PAGE)
    step = session.lessons.open_steps.get(PAGE)
    with usual_notation():
        if mixed.is_open(session):
            mixed.show(session, lambda name: _open(session, name))
            return
        try:
            task = own_goal.goal_of(session) or tasks.task_of(step)
        except SvmError as error:
            make_goal_page.show_refusal(session, error, lambda: _open(session, None))
            return
        if step in OTHER_PAGES:
            OTHER_PAGES[step](session, lambda: _open(session, None))
        elif task is None:
            if step:
                session.add_link_message(Phrase(UNKNOWN_TASK, name=quoted("step"), value=quoted(step)))
                del session.lessons.open_steps[PAGE]
            task_list.show(session, lambda name: _open(session, name))
        elif (board_task := tasks.board_task_of(task)) is not None:
            _GoalPage(session, board_task, task).show()
        else:
            assert isinstance(task, Variant)
            _show_question(session, task)


def show_board_of_task(session: Session) -> None:
    """Show the board of the open goal, as the person left it, or the own board if the task has no board."""
    try:
        task = own_goal.goal_of(session) or tasks.task_of(session.lessons.open_steps.get(PAGE))
    except SvmError:
        task = None
    board_task = None if task is None else tasks.board_task_of(task)
    if board_task is None:
        session.show_board(None)
        return
    if (work := for_class.projected(session, board_task)) is not None:
        for_class.show_projected_board(session, work)
        return
    name = _board_name(board_task)
    if session.lessons.prepared_step == name:
        return
    session.lessons.prepared_step = name
    if name in session.boards.lent:
        session.show_board(name)
    else:
        session.show_board(name, tasks.lab_of(board_task.start), given=True)


def _board_name(board_task: BoardTask) -> str:
    return f"{PAGE}.{board_task.name}"


def _open(session: Session, name: str | None) -> None:
    """Open a task, or the list if there is no name, in a run of the whole page."""
    session.note(None)
    if name is None:
        session.lessons.open_steps.pop(PAGE, None)
    else:
        session.lessons.open_steps[PAGE] = name
    session.lessons.prepared_step = session.class_work = None
    st.rerun()


def _show_question(session: Session, task: Variant) -> None:
    """Show a question in one column."""
    frame.keep_link(session)
    view = QuestionView(session, task, Marks(PAGE))
    with st.container(key="question", gap=None):
        Head(task.kind.title, task.kind.lesson, lambda: _open(session, None)).show()
        _show_difficulty(session, task)
        view.show()
        with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
            st.button(
                _("Another question"),
                key="another",
                type=weight(view.work.solved),
                icon=":material/shuffle:",
                on_click=lambda: _open(session, task.another().name),
            )
            view.show_help_button()


def _show_difficulty(session: Session, task: Variant) -> None:
    if len(task.kind.difficulties) < 2:
        return
    key = "practice_difficulty"
    st.session_state[key] = task.difficulty

    def changed() -> None:
        _open(session, task.another(st.session_state[key]).name)

    st.segmented_control(
        _("Difficulty"),
        task.kind.difficulties,
        key=key,
        format_func=lambda level: _(DIFFICULTIES[level]),
        required=True,
        on_change=changed,
        label_visibility="collapsed",
    )


@dataclass(frozen=True)
class _GoalPage:
    """A goal beside the board on which it is played. The board is lent, and the own board comes back afterwards."""

    session: Session
    board_task: BoardTask
    task: Variant | Goal

    @property
    def view(self) -> GoalView:
        name, is_set = _board_name(self.board_task), for_class.task_of(self.session, self.board_task) is not None
        return GoalView(self.session, self.board_task, name, self._changed, offers_solution=not is_set)

    def show(self) -> None:
        """Show the goal and its board."""
        show_board_of_task(self.session)
        table_dialog.show(self.session)
        left, right = st.columns(2, gap="medium")
        with right:
            st.fragment(self._sheet, key="goal")()
        with left, st.container(key="lesson_board"):
            st.fragment(self._board, key="board")()

    def _board(self) -> None:
        session = self.session
        with usual_notation(), st.container(key="beside"):
            data = self.view.on_board(board_data(session) | {"hint": None, "lesson": True})
            if lines := lecturer.class_lines(session):
                data["overlay"] = [*(data.get("overlay") or ()), *lines]
            frame.publish_page(session, data)
            data["socket"] = drag_socket.socket_address(session.boot)
            display(data, key="board", on_event=self._on_board)
            unlimited_solve.show_offer(session, session.lab, self._changed)

    def _on_board(self) -> None:
        if inbox.receive(self.session, st.session_state["board"].event):
            rerun()
        elif self.session.moving:
            rerun("board", *([FINDINGS] if self.board_task.is_quick else []))
        else:
            rerun("board", "goal")

    @staticmethod
    def _changed() -> None:
        rerun("board", "goal")

    def _sheet(self) -> None:
        if self.session.link.only == BOARD:
            return
        board_task, view = self.board_task, self.view
        with usual_notation(), st.container(key="sheet", gap=None):
            Head(board_task.title, board_task.lesson, lambda: _open(self.session, None)).show()
            if isinstance(self.task, Variant):
                _show_difficulty(self.session, self.task)
            work = for_class.projected(self.session, board_task)
            if work is not None:
                view.show_task(Marks(PAGE))
                for_class.show_projected(self.session, work)
                return
            view.show(Marks(PAGE))
            for_class.show_hand_in(self.session, board_task)
            with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
                self._show_next()
                view.show_buttons()
                for_class.show_buttons(self.session, board_task)

    def _show_next(self) -> None:
        if isinstance(self.task, Variant):
            another = self.task.another().name
            st.button(_("Another question"), key="another", on_click=_open, args=(self.session, another))
        elif self.view.offers_solution and (following := _following(self.task)) is not None:
            kind = weight(self.view.work.solved)
            st.button(_("Next goal"), key="next", type=kind, on_click=_open, args=(self.session, following.key))


def _following(goal: Goal) -> Goal | None:
    """Return the goal after this one in the list."""
    names = list(GOALS)
    at = names.index(goal.key) + 1 if goal.key in names else len(names)
    return GOALS[names[at]] if at < len(names) else None
