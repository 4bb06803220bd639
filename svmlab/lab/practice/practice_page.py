"""The page Practice: the list of tasks, a question with its answer field, or a goal on a board that is lent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from svmlab.lab import frame, words
from svmlab.lab.bench import table_dialog, widgets
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.hidden_parts import without_hidden
from svmlab.lab.frame import kept, unlimited_solve
from svmlab.lab.frame.glossary_popups import WANTED
from svmlab.lab.frame.share import HIDDEN
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import tasks
from svmlab.lab.practice.figure import points_svg
from svmlab.lab.practice.tasks import DIFFICULTIES, KINDS, PAGE, Line, Play, Variant
from svmlab.lab.room import hand_in, lecturer
from svmlab.lab.session import inbox, unexpected_errors
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import BOARD, HIDEABLE
from svmlab.lab.session.tab import ClassWork, Session
from svmlab.lab.words import N_, _, message_of
from svmlab.practice import (
    GOALS,
    LESSONS,
    Choice,
    Goal,
    Hint,
    Judgement,
    Numbers,
    Points,
    Question,
    Unreadable,
)
from svmlab.practice.conditions import Finding
from svmlab.statements import CATALOGUE

INTRO = N_(
    "Each question has new numbers as often as you like, and each goal is judged on the board while you drag. "
    "Your progress stays in this browser."
)
PLAIN = N_("On this page the decision function is always written with a plus sign before the bias.")
PROJECTED_PASSED = N_("**This is board {n} of the class.** It reached the goal when it was handed in.")
PROJECTED = N_("**This is board {n} of the class.** It did not reach the goal when it was handed in.")
ALL = "all"
SETTING_NAMES = ("kernel", "price", "hard", "bias")  # the controls that a task can hide from a class
STARS = {1: "★", 2: "★★"}
LESSON_TITLES: dict[str, str] = {
    ALL: N_("All"),
    **{lesson: frame.PAGES[lesson] for lesson in LESSONS if lesson in frame.PAGES},
}
KIND_TITLES: dict[str, str] = {ALL: N_("Questions and goals"), **KINDS}


@dataclass
class Work:
    """What a person has done on one task. hints: how many are open. revealed: whether the solution was shown."""

    given: tuple[Any, ...] = ()
    judgement: Judgement | None = None
    unreadable: str = ""
    tries: int = 0
    hints: int = 0
    revealed: bool = False
    solved: bool = False


def run() -> None:
    """Show the whole page."""
    session = frame.enter_page(PAGE)
    task = tasks.task_of(session.lessons.open_steps.get(PAGE))
    with _usual_notation():
        if task is None:
            _show_list(session)
            return
        play = tasks.play_of(task)
        if play is not None:
            _GoalPage(session, play, task).show()
        else:
            assert isinstance(task, Variant)
            _QuestionPage(session, task).show()


def show_board_of_task(session: Session) -> None:
    """Show the board of the open goal, as the person left it, or the own board if the task has no board."""
    task = tasks.task_of(session.lessons.open_steps.get(PAGE))
    play = None if task is None else tasks.play_of(task)
    if play is None:
        session.show_board(None)
        return
    work = session.class_work
    if work is not None and work.task == session.step and work.board is not None:
        projected = f"{PAGE}.projected"
        if session.lessons.prepared_step != projected + work.seal:
            session.lessons.prepared_step = projected + work.seal
            session.show_board(projected, work.board, given=True)
        return
    name = f"{PAGE}.{play.name}"
    if session.lessons.prepared_step == name:
        return
    session.lessons.prepared_step = name
    if name in session.boards.lent:
        session.show_board(name)
    else:
        session.show_board(name, tasks.lab_of(play.start), given=True)


@contextmanager
def _usual_notation() -> Iterator[None]:
    """Write everything in the body as f = ⟨w, x⟩ + b, because the numbers of questions belong to this form."""
    translations = words.current_translations()
    words.set_translations(words.language_of(translations))
    try:
        yield
    finally:
        words.set_translations(translations)


def _work(name: str) -> Work:
    """Return what was done on a task in this tab."""
    done: dict[str, Work] = st.session_state.setdefault("practice_work", {})
    return done.setdefault(name, Work())


def _open(session: Session, name: str | None) -> None:
    """Open a task, or the list if there is no name, in a run of the whole page."""
    session.note(None)
    if name is None:
        session.lessons.open_steps.pop(PAGE, None)
    else:
        session.lessons.open_steps[PAGE] = name
    session.lessons.prepared_step = session.class_work = None
    st.rerun()


# ---------------------------------------------------------------- the list


def _show_list(session: Session) -> None:
    frame.keep_link(session)
    frame.show_title(PAGE)
    st.markdown(_(INTRO))
    lesson, kind = _filters(session)
    found = [each for each in tasks.lines() if lesson in (ALL, each.lesson) and kind in (ALL, each.kind)]
    with st.container(key="tasks", gap=None):
        for title_of, title in KINDS.items():
            of_kind = [each for each in found if each.kind == title_of]
            if of_kind:
                st.html(f'<h2 class="sv-group">{_(title)}</h2>')
            for each in of_kind:
                _show_line(session, each)
        if not found:
            st.caption(_("No task fits these filters. Choose another lesson."))
    kept.show_practice([kept.Task(_element(each), each.progress_keys, each.version) for each in found])


def _element(line: Line) -> str:
    return f"task_{line.name}"


def _show_line(session: Session, line: Line) -> None:
    levels = ", ".join(_(DIFFICULTIES[level]) for level in line.levels)
    label = f"**{_(line.title)}** {_(frame.PAGES[line.lesson])}, {levels}"
    st.button(
        label,
        key=_element(line),
        type="tertiary",
        width="stretch",
        on_click=lambda: _open(session, line.task),
    )


def _filters(session: Session) -> tuple[str, str]:
    """Show the filters, and return the chosen lesson and kind. The address carries them."""
    return (
        _pills(session, "lesson", _("Lesson"), LESSON_TITLES),
        _pills(session, "kind", _("Kind of task"), KIND_TITLES),
    )


def _pills(session: Session, name: str, label: str, titles: Mapping[str, str]) -> str:
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


# ---------------------------------------------------------------- parts of both kinds of task


@dataclass
class _Head:
    """The line above a task: the way back to the list, and the title with the lesson."""

    session: Session
    title: str
    lesson: str

    def show(self) -> None:
        """Show the line."""
        with st.container(horizontal=True, gap="small", key="task_head", vertical_alignment="center"):
            st.button(
                _("All tasks"),
                icon=":material/arrow_back:",
                key="all_tasks",
                type="tertiary",
                on_click=_open,
                args=(self.session, None),
            )
            st.html(f'<h1 class="sv-task">{_(self.title)}</h1>')
            st.caption(_(frame.PAGES[self.lesson]), width="content")


def _hints(session: Session, work: Work, hints: tuple[Hint, ...], marks: Marks) -> None:
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
    """Open the step or the statement that a hint names. The task stays open on this page."""
    if hint.step:
        page, key = hint.step.split(".")
        session.lessons.open_steps[page] = key
        frame.turn_to(page)
    else:
        st.session_state[WANTED] = hint.statement
        frame.turn_to("statements")
    st.rerun()


def _mark(right: bool) -> str:
    return ":material/check:" if right else ":material/close:"


def _weight(is_main: bool) -> Literal["primary", "secondary"]:
    return "primary" if is_main else "secondary"


# ---------------------------------------------------------------- a question


@dataclass(frozen=True)
class _QuestionPage:
    session: Session
    task: Variant

    @property
    def question(self) -> Question:
        return self.task.question

    @property
    def work(self) -> Work:
        return _work(self.task.name)

    def show(self) -> None:
        """Show the question, its answer field, the verdict, and the hints that are open."""
        frame.keep_link(self.session)
        question, work, marks = self.question, self.work, Marks(PAGE)
        with st.container(key="question", gap=None):
            _Head(self.session, self.task.kind.title, self.task.kind.lesson).show()
            self._difficulty()
            if self.session.view.notation.minus_b:
                st.caption(_(PLAIN))
            with st.container(key="ask", gap=None):
                st.markdown(marks.markdown(_(question.situation)))
                if question.board is not None:
                    st.markdown(points_svg(question.board), unsafe_allow_html=True)
                st.markdown(marks.markdown(f"**{_(question.ask)}**"))
            self._field()
            self._verdict(marks)
            _hints(self.session, work, question.hints, marks)
            if work.revealed:
                with st.container(key="solution", gap=None):
                    st.markdown(_("**Solution**"))
                    for line in question.solution:
                        st.markdown(marks.markdown(_(line)))
            self._foot()

    def _difficulty(self) -> None:
        if len(self.task.kind.difficulties) < 2:
            return
        key = "practice_difficulty"
        st.session_state[key] = self.task.difficulty

        def changed() -> None:
            _open(self.session, self.task.another(st.session_state[key]).name)

        st.segmented_control(
            _("Difficulty"),
            self.task.kind.difficulties,
            key=key,
            format_func=lambda level: _(DIFFICULTIES[level]),
            required=True,
            on_change=changed,
            label_visibility="collapsed",
        )

    def _field(self) -> None:
        """Show what the answer is typed or chosen in. Enter answers, as the button does."""
        answer, name = self.question.answer, self.task.name
        with st.form(f"form_{name}", border=False, enter_to_submit=True):
            with st.container(key="answer", horizontal=True, gap="small", vertical_alignment="bottom"):
                if isinstance(answer, Numbers):
                    keys = [f"number{i}_{name}" for i in range(len(answer.fields))]
                    for key, each in zip(keys, answer.fields, strict=True):
                        st.text_input(_(each.label), key=key, max_chars=100, width=160, autocomplete="off")
                elif isinstance(answer, Choice):
                    keys = [f"choice_{name}"]
                    st.radio(
                        _("Your answer"),
                        range(len(answer.options)),
                        format_func=lambda i: _(answer.options[i].words),
                        index=None,
                        key=keys[0],
                        label_visibility="collapsed",
                    )
                else:
                    assert isinstance(answer, Points)
                    assert self.question.board is not None
                    keys = [f"points_{name}"]
                    st.pills(
                        _("The numbers of the points"), self.question.board.ids, selection_mode="multi", key=keys[0]
                    )
                solved = self.work.solved
                st.form_submit_button(
                    _("Check"), key=f"check_{name}", type=_weight(not solved), on_click=self._judge, args=(keys,)
                )
            if isinstance(answer, Numbers) and not all(each.whole for each in answer.fields):
                st.caption(_("You can write 3.5, 3,5, 7/2, sqrt(2)/2 or 1e-3. Three significant digits are enough."))

    def _judge(self, keys: list[str]) -> None:
        work, answer = self.work, self.question.answer
        given = tuple(st.session_state.get(key) for key in keys)
        work.given, work.judgement, work.unreadable = given, None, ""
        try:
            if isinstance(answer, Numbers):
                judged = answer.judge([str(each or "") for each in given])
            elif isinstance(answer, Choice):
                if given[0] is None:
                    work.unreadable = N_("Choose one of the answers first.")
                    return
                judged = answer.judge(given[0])
            else:
                assert isinstance(answer, Points)
                if not given[0]:
                    work.unreadable = N_("Choose at least one point first.")
                    return
                judged = answer.judge(given[0])
        except Unreadable as error:
            work.unreadable = message_of(error)
            return
        work.judgement = judged
        work.tries += 1
        work.solved |= judged.right

    def _verdict(self, marks: Marks) -> None:
        """Show the judgement, one line for each part of the answer, and let the browser keep it."""
        work = self.work
        with st.container(key="judged", gap=None):
            if work.unreadable:
                st.markdown(":material/help: " + _(work.unreadable))
                return
            if work.judgement is None:
                return
            with st.container(key="verdict", gap=None):
                for right, sentence in work.judgement.parts:
                    st.markdown(f"{_mark(right)} {marks.markdown(_(sentence))}")
        if not work.revealed or work.judgement.right is False:
            stamp = f"{self.session.boot}.{self.task.name}.{work.tries}"
            kept.record(self.task.progress_key, str(self.task.kind.version), work.judgement.right, stamp)

    def _foot(self) -> None:
        work, hints = self.work, self.question.hints
        with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
            st.button(
                _("Another one"),
                key="another",
                type=_weight(work.solved),
                icon=":material/shuffle:",
                on_click=lambda: _open(self.session, self.task.another().name),
            )
            if work.hints < len(hints):
                label = _("Hint {n} of {m}").format(n=work.hints + 1, m=len(hints))
                st.button(label, key="hint", on_click=self._hint)
            elif not work.revealed:
                st.button(_("Show the solution"), key="reveal", on_click=self._reveal)

    def _hint(self) -> None:
        self.work.hints += 1

    def _reveal(self) -> None:
        self.work.revealed = True


# ---------------------------------------------------------------- a goal


@dataclass(frozen=True)
class _GoalPage:
    """A goal beside the board on which it is played. The board is lent, and the own board comes back afterwards."""

    session: Session
    play: Play
    task: Variant | Goal

    @property
    def work(self) -> Work:
        return _work(self.play.name)

    @property
    def projected(self) -> ClassWork | None:
        """Return the board of a member that the lecturer shows on this page, or None."""
        work = self.session.class_work
        return work if work is not None and work.task == self.board_name and work.board is not None else None

    def _show_projected(self, work: ClassWork) -> None:
        with st.container(key="judged", gap=None):
            text = PROJECTED_PASSED if work.passed else PROJECTED
            st.markdown(f"{_mark(work.passed)} {_(text).format(n=work.number)}")
        with st.container(horizontal=True, gap="small", key="foot"):
            st.button(_("Back to my board"), key="own_board", type="primary", on_click=self._end_class_work)

    def _end_class_work(self) -> None:
        self.session.class_work = self.session.lessons.prepared_step = None
        st.rerun()

    @property
    def set_task(self) -> tuple[str, str] | None:
        """Return the room and the id of the task if this page belongs to a member of a room that works on it."""
        return hand_in.task_of(self.session, self.board_name)

    @property
    def board_name(self) -> str:
        return f"{PAGE}.{self.play.name}"

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
        with _usual_notation(), st.container(key="beside"):
            data = board_data(session) | {"hint": None, "lesson": True}
            if self.play.keeps_settings:
                data["sliders"] = []
            data = without_hidden(data, self.play.hide)
            if lines := lecturer.class_lines(session):
                data["overlay"] = [*(data.get("overlay") or ()), *lines]
            frame.publish_page(session, data)
            data["socket"] = drag_socket.socket_address(session.boot)
            display(data, key="board", on_event=self._on_board)
            unlimited_solve.show_offer(session, session.lab, self._changed)

    def _on_board(self) -> None:
        if inbox.receive(self.session, st.session_state["board"].event):
            st.rerun()
        if not self.session.moving:
            st.rerun(["board", "goal"])
        st.rerun(["board", "findings"] if self.play.is_quick else ["board"])

    @staticmethod
    def _changed() -> None:
        st.rerun(["board", "goal"])

    def _sheet(self) -> None:
        if self.session.link.only == BOARD:
            return
        play, marks = self.play, Marks(PAGE)
        with _usual_notation(), st.container(key="sheet", gap=None):
            _Head(self.session, play.title, play.lesson).show()
            if isinstance(self.task, Variant):
                _QuestionPage(self.session, self.task)._difficulty()
            with st.container(key="ask", gap=None):
                if play.situation:
                    st.markdown(marks.markdown(_(play.situation)))
                st.markdown(marks.markdown(f"**{_(play.aim)}**"))
                if play.rules:
                    st.markdown(marks.markdown(_(play.rules)))
            if self.projected is not None:
                self._show_projected(self.projected)
                return
            with unexpected_errors.showing_errors():
                st.fragment(self._findings, key="findings")()
            if (set_task := self.set_task) is not None:
                hand_in.show(self.session, set_task, lambda: (self._has_passed(), None))
            _hints(self.session, self.work, play.hints, marks)
            if self.work.revealed and play.solution:
                for line in play.solution:
                    st.markdown(marks.markdown(_(line)))
            self._foot()

    def _findings(self) -> None:
        """Show for each condition whether it holds, and how far the board is from it."""
        session, play, work = self.session, self.play, self.work
        findings = self._judged()
        is_solved = all(finding.met for finding in findings)
        with _usual_notation(), st.container(key="judged", gap=None):
            said = set[str]()
            for finding in findings:
                if finding.sentence not in said and not (finding.is_rule and finding.met):
                    st.markdown(f"{_mark(finding.met)} {_(finding.sentence)}")
                said.add(finding.sentence)
            if is_solved:
                with st.container(key="verdict", gap=None):
                    st.markdown(self._praise())
        if is_solved and not session.moving and not work.revealed:
            work.solved = True
            kept.record(play.progress_key, play.version, True, f"{session.boot}.{play.name}")

    def _judged(self) -> tuple[Finding, ...]:
        outcome = self.session.outcome if self.session.lab.points else None
        return tasks.solved(self.session.lab, self.play, outcome.solution if outcome else None)

    def _has_passed(self) -> bool:
        """Return whether the present board reaches the goal, with the given points where they are locked."""
        given, present = ([(p.x, p.y, p.label) for p in lab.points] for lab in (self._start, self.session.lab))
        is_kept = "points" not in self.session.link.locked or given == present
        return is_kept and all(finding.met for finding in self._judged())

    @property
    def _start(self) -> Lab:
        return tasks.lab_of(self.play.start)

    def _praise(self) -> str:
        play, changes = self.play, self._changes
        if self.work.revealed:
            return _("**The goal is reached**, by the solution that you had shown. Start again and find your own.")
        stars = 2 if play.fewest is None or changes <= play.fewest else 1
        text = _("{stars} **The goal is reached.** Changed points: {n}.").format(stars=STARS[stars], n=changes)
        if stars == 1:
            text += " " + _("A second star is for a board with at most {n} changes.").format(n=play.fewest)
        return text

    @property
    def _changes(self) -> int:
        before = {point.id: point for point in self._start.points}
        now = {point.id: point for point in self.session.lab.points}
        return sum(before.get(id_) != now.get(id_) for id_ in before.keys() | now.keys())

    def _foot(self) -> None:
        work, play = self.work, self.play
        with st.container(horizontal=True, gap="small", key="foot", vertical_alignment="center"):
            if isinstance(self.task, Variant):
                another = self.task.another().name
                st.button(_("Another one"), key="another", on_click=_open, args=(self.session, another))
            elif self.set_task is None and (following := _following(self.task)) is not None:
                label = _("Next goal")
                st.button(
                    label, key="next", type=_weight(work.solved), on_click=_open, args=(self.session, following.key)
                )
            st.button(_("Start again"), key="start_again", on_click=self._put, args=(None,))
            if not play.keeps_settings:
                with st.popover(_("Settings"), key="settings"):
                    widgets.controls(self.session, self._changed)
            if work.hints < len(play.hints):
                label = _("Hint {n} of {m}").format(n=work.hints + 1, m=len(play.hints))
                st.button(label, key="hint", on_click=self._hint)
            elif play.witness is not None and self.set_task is None:
                st.button(_("Show a solution"), key="reveal", on_click=self._put, args=(play.witness,))
            if self.session.class_work is not None:
                st.button(_("Hide the lines of the class"), key="hide_lines", on_click=self._end_class_work)
            if self.session.room is not None:
                with st.popover(_("Set to the class"), key="set_to_class"):
                    self._set_to_class()

    def _set_to_class(self) -> None:
        """Let the lecturer of a room choose what members see, and set the task to them."""
        play = self.play
        offered = [name for name in SETTING_NAMES if name not in play.hide]
        hide = (
            ()
            if play.keeps_settings
            else st.pills(
                _("Hide from the class"),
                offered,
                selection_mode="multi",
                format_func=lambda name: _(HIDDEN[name]),
                key="class_hide",
            )
        )
        lock = st.toggle(_("Points cannot be moved"), key="class_lock")
        aim = " ".join(_(words) for words in (play.situation, play.aim, play.rules) if words)
        hidden = tuple(name for name in HIDEABLE if name in (hide or ()))
        st.button(
            _("Set this task"),
            key="class_set",
            type="primary",
            on_click=lecturer.set_task,
            args=(self.session, play.name, _(play.title), aim, hidden, ("points",) if lock else ()),
        )

    def _hint(self) -> None:
        self.work.hints += 1
        self._changed()

    def _put(self, board: Any) -> None:
        """Put the start, or the solution, on the lent board."""
        with self.session.showing_errors():
            self.session.show_board(self.board_name, tasks.lab_of(board or self.play.start), given=board is None)
        self.work.revealed = board is not None
        self._changed()


def _following(goal: Goal) -> Goal | None:
    """Return the goal after this one in the list."""
    names = list(GOALS)
    at = names.index(goal.key) + 1
    return GOALS[names[at]] if at < len(names) else None
