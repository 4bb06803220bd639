"""A series of tasks on a page: a row with all of them, the open task, and the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import streamlit as st

from svmlab.lab.frame import kept
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import answer_words, tasks
from svmlab.lab.practice.goal_view import GoalView
from svmlab.lab.practice.parts import mark, usual_notation, weight
from svmlab.lab.practice.question_view import QuestionView
from svmlab.lab.practice.series import ASKED, AT_END, AT_ONCE, Series
from svmlab.lab.practice.tasks import Variant
from svmlab.lab.practice.work import Work
from svmlab.lab.session.tab import Session
from svmlab.lab.words import _
from svmlab.practice import Goal

REACHED, MISSED = "reached", "missed"  # how the address says whether the board of a task reached its goal


@dataclass(frozen=True)
class SeriesView:
    """A series as a page shows it.

    others_label: the words of the button that begins another series. draw_others: returns the names of its tasks; None
    if there is no such button. changed: draws the page anew.
    """

    series: Series
    others_label: str
    draw_others: Callable[[], tuple[str, ...]] | None
    changed: Callable[[], None]

    @property
    def session(self) -> Session:
        """Return the session of the tab."""
        return self.series.session

    @property
    def goal(self) -> GoalView | None:
        """Return the open task if it is played on the board."""
        board_task = self.series.board_task
        return None if board_task is None else self._goal_view(board_task)

    def _goal_view(self, board_task: tasks.BoardTask) -> GoalView:
        hides = self.series.hides_verdicts
        return GoalView(self.session, board_task, self.series.board_name, self.changed, hides)

    def _question_view(self, task: Variant) -> QuestionView:
        def answered() -> None:
            work = view.work
            is_answer = work.judgement is not None and work.judgement.is_complete
            self.series.keep_answer(task, answer_words.written(task.question, work.given) if is_answer else None)
            self.changed()

        series = self.series
        view = QuestionView(self.session, task, Marks(series.page), series.hides_verdicts, answered)
        if view.work == Work() and (given := answer_words.read(task.question, series.answer_to(task))) is not None:
            view.judge(given)
            view.work.is_recorded = not series.hides_verdicts
        return view

    def _view(self, task: Variant | Goal) -> QuestionView | GoalView:
        board_task = tasks.board_task_of(task)
        if board_task is None:
            assert isinstance(task, Variant)
            return self._question_view(task)
        view, word = self._goal_view(board_task), self.series.answer_to(task)
        if view.work == Work() and word in (REACHED, MISSED):
            view.work.reached, view.work.is_recorded = word == REACHED, not self.series.hides_verdicts
        return view

    def show(self, show_way_on: Callable[[], None] = lambda: None) -> None:
        """Show the series. show_way_on: shows what stands below the result."""
        series = self.series
        with usual_notation():
            self._show_row()
            with st.container(key="checked", height="stretch", gap=None):
                task = series.task
                if task is None:
                    self._show_result()
                    show_way_on()
                    return
                view = self._view(task)
                with st.container(key="question", gap=None):
                    title = task.title if isinstance(task, Goal) else task.kind.title
                    st.html(f'<h2 class="sv-task">{escape(_(title))}</h2>')
                    if isinstance(view, GoalView):
                        view.show(Marks(series.page))
                    else:
                        view.show()
                    with st.container(horizontal=True, gap="small", key="task_foot", vertical_alignment="center"):
                        self._show_next(view.work)
                        if isinstance(view, GoalView):
                            view.show_buttons()
                        else:
                            view.show_help_button()

    def _show_row(self) -> None:
        """Show all tasks in a row with what is known of each, the button for others, and when they are judged."""
        series = self.series
        key = f"series_{series.board_name}"
        st.session_state[key] = series.at

        def opened() -> None:
            self._open(st.session_state[key])

        with st.container(horizontal=True, gap="small", key="series", vertical_alignment="center"):
            st.segmented_control(
                _("Tasks"),
                range(len(series.tasks) + 1),
                key=key,
                format_func=self._label,
                required=True,
                on_change=opened,
                label_visibility="collapsed",
            )
            if self.draw_others is not None:
                icon, begin = ":material/shuffle:", self._begin_others
                st.button(self.others_label, key="others", icon=icon, type="tertiary", on_click=begin)
            at_end = f"{key}_at_end"
            st.session_state[at_end] = series.judged != AT_ONCE

            def switched() -> None:
                series.judge(AT_END if st.session_state[at_end] else AT_ONCE)
                self.changed()

            st.toggle(_("Judge at the end"), key=at_end, on_change=switched)

    def _label(self, at: int) -> str:
        series = self.series
        if at == len(series.tasks):
            return _("Result")
        task = series.tasks[at]
        name, work = _("Goal") if isinstance(task, Goal) else str(at + 1), self._view(task).work
        if work.right is None:  # a sign of the same width, so that no button moves when there is an answer
            return f":material/radio_button_unchecked: {name}"
        return f"{':material/edit:' if series.hides_verdicts else mark(work.right)} {name}"

    def _open(self, at: int) -> None:
        task, goal = self.series.task, self.goal
        if task is not None and goal is not None and (reached := goal.work.reached) is not None:
            self.series.keep_answer(task, REACHED if reached else MISSED)
        self.series.open(at)
        self.changed()

    def _begin_others(self) -> None:
        assert self.draw_others is not None
        self.series.begin(self.draw_others())
        self.changed()

    def _show_next(self, work: Work) -> None:
        series, following = self.series, self.series.at + 1
        if following == len(series.tasks):
            label = _("Result")
        elif isinstance(series.tasks[following], Goal):
            label = _("Next: the goal")
        else:
            label = _("Next question")
        done = work.right is not None if series.hides_verdicts else work.solved
        st.button(label, key="next_task", type=weight(done), on_click=self._open, args=(following,))

    def _show_result(self) -> None:
        """Show how many answers are right, and what is known of each task."""
        series = self.series
        views = [self._view(task) for task in series.tasks]
        given = sum(view.work.right is not None for view in views)
        with st.container(key="result", gap=None):
            if series.hides_verdicts:
                st.markdown(_("Tasks with an answer: {n} of {m}.").format(n=given, m=len(views)))
                st.button(_("Judge my answers"), key="judge", type="primary", on_click=self._ask_for_result)
                return
            right = sum(view.work.right is True for view in views)
            st.markdown(_("**Right answers: {n} of {m}.**").format(n=right, m=len(views)))
            for number, (task, view) in enumerate(zip(series.tasks, views, strict=True), start=1):
                title = _(task.title if isinstance(task, Goal) else task.kind.title)
                label = f"{_sign(view.work.right)} {number}. {title}"
                st.button(label, key=f"result{number}", type="tertiary", on_click=self._open, args=(number - 1,))
        self._keep(views)

    def _ask_for_result(self) -> None:
        self.series.judge(ASKED)
        self.changed()

    @staticmethod
    def _keep(views: list[QuestionView | GoalView]) -> None:
        """Let the browser keep what was judged at the end."""
        results = []
        for view in views:
            if isinstance(view, QuestionView):
                results += [view.result] if view.result else []
            elif view.work.right and not view.work.is_recorded:
                view.work.solved = True
                results.append(view.solved_result)
        if results:
            kept.record(*results)


def _sign(right: bool | None) -> str:
    return ":material/remove:" if right is None else mark(right)
