"""The state of one browser tab on the server: its boards, its lessons, what its link says, and its cache."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import InitVar, dataclass, field, replace
from gettext import NullTranslations
from typing import Any
from weakref import WeakValueDictionary

from svmlab import Solution
from svmlab.core.phrase import join_phrases
from svmlab.lab import words
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.session import lesson_inputs, share, state
from svmlab.lab.session.cache import Cache, Outcome
from svmlab.lab.session.controls import DEFAULT_TYPE_SIZE
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import LessonState
from svmlab.lab.session.state import History
from svmlab.lab.session.table import Draft
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job

SESSIONS: WeakValueDictionary[str, Session] = WeakValueDictionary()  # every living session by its `boot`
# Called with each request of a drag and the picture that answers it, as JSON, in the event loop of the server.
OnDragPicture = Callable[[str, str], None]
OnChange = Callable[[], None]  # called by a widget after it has changed something


@dataclass(frozen=True)
class Filters:
    """What the page Statements lists.

    search: the words that are searched. lesson: None for the usual one, which is the first lesson, or all lessons if
    words are searched. verdict: None for any verdict on the notes.
    """

    search: str = ""
    lesson: str | None = None
    verdict: str | None = None


@dataclass
class BoardState:
    """The boards of a tab: the person's own, and those that steps lend. A lent board is named "page.step"."""

    own: History  # the history of the person's own board
    lent: dict[str, History] = field(default_factory=dict)  # the history of each lent board
    shown: str | None = None  # the lent board that is shown; None for the own board
    initial: dict[str | None, Lab] = field(default_factory=dict)  # the Lab with which each board began
    # For each lent board that its step always gives: the links of the own board and of the lent one.
    given: dict[str, tuple[str, str]] = field(default_factory=dict)
    pinned: Lab | None = None  # the fit with which others are compared

    def __post_init__(self) -> None:
        self.initial[None] = self.own.present


@dataclass(frozen=True)
class LinkState:
    """What the last link asks of the page."""

    hidden: tuple[str, ...] = ()  # the controls that the link hides
    locked: tuple[str, ...] = ()  # the parts that it locks
    exam: bool = False  # whether nothing offers to show what is hidden
    only: str | None = None  # what it shows alone: one of link.ALONE
    room: str | None = None  # the room and the id of the task that it opens, as "CODE.id"
    tab: str | None = None  # the tab that it opens, until the page Lab shows it
    filters: Filters | None = None  # what it lists, until the page Statements shows it
    # The selected row and a message, until the board that they belong to is shown.
    pending: tuple[int | None, str] | None = None
    goal: str | None = None  # a goal that somebody has made, for the page Practice

    @property
    def restrictions(self) -> tuple[Any, ...]:
        """Return what decides which parts of a page are shown."""
        return self.hidden, self.locked, self.exam, self.only


@dataclass
class ViewState:
    """The display state of the tab: projector mode, language, notation, and what is open."""

    projector: bool = False  # belongs to the room, so a link carries it only where the person who shares it says so
    type_size: int = DEFAULT_TYPE_SIZE  # font size of charts in projector mode, in px
    translations: NullTranslations = words.ENGLISH  # the language of the session, in its notation
    notation: Notation = USUAL  # how formulas are written; it belongs to the reader, so undo leaves it as it is
    open_tab: str | None = None  # the open tab under the board of the Lab
    filters: Filters = Filters()  # what the page Statements lists
    sharing: bool | None = None  # if not None, the link is shown: False in a dialog, True on the whole screen
    controlled: tuple[Any, ...] | None = None  # the settings that the controls of the page Lab show


@dataclass(frozen=True)
class LedRoom:
    """The room of a class that a tab leads.

    code, key: see `svmlab.lab.room.keys`. address: the query of the address in the browser, if this session replaces a
    lost one. Until the session has that address, it shows another board than the browser.
    """

    code: str
    key: str
    address: str | None = None


@dataclass(frozen=True)
class ClassWork:
    """What the lecturer of a room shows of the boards that the class has handed in for a task.

    task: the task or the step as "page.name". number, board: the board that is projected, with its number, or None.
    passed: whether it reached the goal. seal: that of its hand-in. has_lines: whether the lines of the class are drawn
    over the board, those of all or of this number.
    """

    task: str
    number: int | None = None
    board: Lab | None = None
    passed: bool = False
    seal: str = ""
    has_lines: bool = False


@dataclass
class Session:
    """The state of one tab.

    own: the history of the person's own board. `boot` identifies this session to the browser, `ack` is the number of
    the last message that was handled, and `rev` counts the answers.
    """

    own: InitVar[History]
    page: str = "lab"  # the open page
    lessons: LessonState = field(default_factory=LessonState)
    link: LinkState = LinkState()
    view: ViewState = field(default_factory=ViewState)
    boards: BoardState = field(init=False)
    draft: Draft | None = None  # a table that waits until its points are put on the board
    job: Job | None = None  # the long computation in progress, or its result
    cache: Cache = field(default_factory=Cache)
    boot: str = field(default_factory=lambda: secrets.token_hex(6))
    ack: int = 0
    rev: int = 0
    room: LedRoom | None = None  # the room of a class that the tab leads
    class_work: ClassWork | None = None  # what of the work of the class is shown, until another page is opened
    wants_room: bool = False  # whether a room is to be opened, until the browser has heard it
    heading: str = ""  # the title of the open page or step, in the language of the session
    wants_plan: bool = False  # whether the plan of a lecture is to be opened in its dialog
    on_drag_picture: OnDragPicture | None = None
    needs_full_run: bool = False  # whether the whole page must run, not only its fragments

    def __post_init__(self, own: History) -> None:
        self.boards = BoardState(own)
        SESSIONS[self.boot] = self

    @property
    def step(self) -> str:
        """Return the open step as "page.step"."""
        return f"{self.page}.{self.lessons.open_steps.get(self.page)}"

    def open_page(self, page: str) -> None:
        """Open a page, which may be the page that is open already."""
        if page != self.page:
            self.page, self.lessons.prepared_step, self.draft, self.class_work = page, None, None, None
            self.leave_job()

    @property
    def history(self) -> History:
        """Return the history of the board that is shown."""
        return self.boards.own if self.boards.shown is None else self.boards.lent[self.boards.shown]

    @history.setter
    def history(self, history: History) -> None:
        if self.boards.shown is None:
            self.boards.own = history
        else:
            self.boards.lent[self.boards.shown] = history

    def show_board(self, key: str | None, board: Lab | None = None, given: bool = False) -> None:
        """Show the lent board `key`, or the own board if it is None; `board` starts a new history for the lent board.

        Each board has its own undo, and nothing passes from one board to another. Raises KeyError for a board that
        was never lent.

        given: the step lends this board to everybody who comes with this own board, so that the link need not carry
        it.
        """
        if key is not None and board is not None:
            board = replace(board, axes=None)  # a step may have moved the points of the own board
            self.boards.lent[key], self.boards.initial[key] = History(board), board
            self.boards.given.pop(key, None)
            if given:
                self.boards.given[key] = share.encode(self.boards.own.present), share.encode(board)
        if key is not None and key not in self.boards.lent:
            raise KeyError(key)
        self.boards.shown = key
        if self.link.pending is not None:
            row, note = self.link.pending
            self.link = replace(self.link, pending=None)
            selected = self.lab.points[row].id if row is not None and row < len(self.lab.points) else self.lab.selected
            self.history = replace(self.history, present=replace(self.lab, selected=selected))
            if note:
                self.note(note)

    def add_link_message(self, message: str) -> None:
        """Add to the message about the link, which is shown with the next board or by a page without one."""
        row, earlier = self.link.pending or (None, "")
        self.link = replace(self.link, pending=(row, join_phrases(earlier, message)))

    @property
    def is_changed(self) -> bool:
        """Return whether the board differs from the one with which it began."""
        return not state.same_content(self.lab, self.boards.initial[self.boards.shown])

    @property
    def lab(self) -> Lab:
        """Return the present Lab of the board that is shown."""
        return self.history.present

    @property
    def moving(self) -> bool:
        """Return whether something on the board is being dragged."""
        return self.history.before_drag is not None or any(
            self.lessons.inputs.get(name, {}).get("live") for name in lesson_inputs.READERS
        )

    @property
    def outcome(self) -> Outcome | None:
        """Return the result of solving the present problem, or None if there are no points."""
        return self.solve(self.lab) if self.lab.points else None

    def solve(self, lab: Lab) -> Outcome:
        """Return the result of solving the problem of any Lab that has points."""
        return self.cache.outcome(lab.problem)

    @property
    def pinned_solution(self) -> Solution | None:
        """Return the solution of the pinned fit, or None if no fit is pinned or it has no solution."""
        return self.cache.outcome(self.boards.pinned.problem).solution if self.boards.pinned else None

    def forget_job(self) -> None:
        """Forget the long computation, so that it can run again."""
        self.job = None

    def leave_job(self) -> None:
        """Abandon the long computation if it is still running.

        This happens when another page or step is opened, or when other work is requested.
        """
        if self.job is not None and self.job.running:
            self.job.leave()
            self.job = None

    def note(self, message: str | None, touched: bool | None = None, is_success: bool = False) -> None:
        """Set the message that the board shows about the last operation: a warning, unless it is a success."""
        self.history = replace(
            self.history,
            note=message,
            touched=self.history.touched if touched is None else touched,
            note_is_success=is_success,
        )

    def use_notation(self, notation: Notation) -> None:
        """Write formulas in a notation. Results that may contain words in another one are computed again."""
        if notation != self.view.notation:
            self.view.notation, self.cache, self.needs_full_run = notation, Cache(), True
            self.view.translations = words.in_notation(words.language_of(self.view.translations), notation)
            words.set_translations(self.view.translations)

    def show_failure(self, error: Exception) -> None:
        """Show on the board that the last operation failed."""
        self.note(to_svm_error(error).message)

    @contextmanager
    def showing_errors(self) -> Iterator[None]:
        """Turn an exception in the body into a message on the board."""
        try:
            yield
        except Exception as error:
            self.show_failure(error)
