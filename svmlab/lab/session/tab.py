"""The state of one browser tab on the server: its histories, its cache, and the messages to and from its board."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from gettext import NullTranslations
from typing import Any
from urllib.parse import urlencode
from weakref import WeakValueDictionary

import streamlit as st

from svmlab import BadInput, Solution
from svmlab.core.phrase import N_
from svmlab.lab import words
from svmlab.lab.session import lesson_inputs, link, share, state
from svmlab.lab.session.cache import Cache, Outcome, Result
from svmlab.lab.session.files import Offer
from svmlab.lab.session.link import Answer as Answer
from svmlab.lab.session.link import PickValue as PickValue
from svmlab.lab.session.operations import DEFAULT_TYPE_SIZE, LOCKED, perform
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job

SESSIONS: WeakValueDictionary[str, Session] = WeakValueDictionary()  # every living session by its `boot`
# The exceptions that a malformed operation can raise. RecursionError: its brackets are nested too deeply.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
GARBLED = N_(
    "A message from the board could not be read and was left out. Reload the page; the link keeps your points."
)
MAX_NUMBER = 2**53  # message numbers stay below 2**53, the limit of exact integers in a browser
OnChange = Callable[[], None]  # called by a widget after it has changed something
StepOverlay = Callable[[History, Mapping[str, float], Result[Any] | None], dict[str, Any]]


@dataclass
class Session:
    """The state of one tab.

    `boot` identifies this session to the browser, `ack` is the number of the last message that was handled, and `rev`
    counts the answers.
    """

    own_history: History  # the history of the person's own board; a step may lend another board
    boot: str = field(default_factory=lambda: secrets.token_hex(6))
    ack: int = 0
    rev: int = 0
    cache: Cache = field(default_factory=Cache)
    lent_histories: dict[str, History] = field(default_factory=dict)  # each lent board by "page.step"
    board_key: str | None = None  # the lent board that is shown; None for the own board
    projector: bool = False  # belongs to the room, so no link carries it
    type_size: int = DEFAULT_TYPE_SIZE  # font size of charts in projector mode, in px
    pinned_lab: Lab | None = None  # the fit with which others are compared
    offer: Offer | None = None  # a file that waits until it is accepted
    job: Job | None = None  # the long computation in progress, or its result
    board_inputs: dict[str, Any] = field(default_factory=dict)  # inputs kept beside the Lab: hand, film, last dial
    dials: dict[str, float] = field(default_factory=dict)  # sliders of the lessons that are not settings of the Lab
    step_memory: dict[str, dict[str, Any]] = field(default_factory=dict)  # data that steps keep for themselves
    translations: NullTranslations = words.ENGLISH  # the language of the session
    page: str = "lab"  # the open page
    prepared_step: str | None = None  # the step, as "page.step", whose board was prepared last
    initial_labs: dict[str | None, Lab] = field(default_factory=dict)  # the Lab with which each board began
    # For each lent board that its step always gives: the links of the own board and of the lent one.
    given_links: dict[str, tuple[str, str]] = field(default_factory=dict)
    # The selected row and the message from a link, kept until the board that they belong to is shown.
    pending_from_link: tuple[int | None, str] | None = None
    # The page or step where a dial was turned, the line was placed or a film was watched.
    input_scopes: dict[str, str] = field(default_factory=dict)
    hidden_controls: tuple[str, ...] = ()  # controls that the link hides
    locked_parts: tuple[str, ...] = ()  # parts that the link locks
    sharing: bool | None = None  # if not None, the link is shown: False in a dialog, True on the whole screen
    controlled: tuple[Any, ...] | None = None  # the settings that the controls of the page Lab show
    needs_full_run: bool = False  # whether the whole page must run, not only its fragments
    open_steps: dict[str, str] = field(default_factory=dict)  # the open step of each lesson
    answers: dict[str, Answer] = field(default_factory=dict)  # the answer to each step by "page.step"
    picks: dict[str, PickValue] = field(default_factory=dict)  # the option chosen beside a chart, by "page.name"
    # Returns what the open step adds to the picture of a solved board with these dials. It is called in a thread.
    step_overlay: StepOverlay | None = None
    lab_to_draw: Callable[[Lab], Lab] | None = None  # returns the Lab that the page draws instead of the present one

    def __post_init__(self) -> None:
        SESSIONS[self.boot] = self
        self.initial_labs[None] = self.own_history.present

    @property
    def step(self) -> str:
        """Return the open step as "page.step"."""
        return f"{self.page}.{self.open_steps.get(self.page)}"

    def open_page(self, page: str) -> None:
        """Open a page, which may be the page that is open already."""
        if page != self.page:
            self.page, self.prepared_step = page, None
            self.leave_job()

    @property
    def history(self) -> History:
        """Return the history of the board that is shown."""
        return self.own_history if self.board_key is None else self.lent_histories[self.board_key]

    @history.setter
    def history(self, history: History) -> None:
        if self.board_key is None:
            self.own_history = history
        else:
            self.lent_histories[self.board_key] = history

    def show_board(self, key: str | None, board: Lab | None = None, given: bool = False) -> None:
        """Show the lent board `key`, or the own board if it is None; `board` starts a new history for the lent board.

        Each board has its own undo, and nothing passes from one board to another. Raises KeyError for a board that
        was never lent.

        given: the step lends this board to everybody who comes with this own board, so that the link need not carry
        it.
        """
        if key is not None and board is not None:
            self.lent_histories[key], self.initial_labs[key] = History(board), board
            self.given_links.pop(key, None)
            if given:
                self.given_links[key] = share.encode(self.own_history.present), share.encode(board)
        if key is not None and key not in self.lent_histories:
            raise KeyError(key)
        self.board_key = key
        if self.pending_from_link is not None:
            (row, note), self.pending_from_link = self.pending_from_link, None
            selected = self.lab.points[row].id if row is not None and row < len(self.lab.points) else self.lab.selected
            self.history = replace(
                self.history, present=replace(self.lab, selected=selected), note=note or self.history.note
            )

    @property
    def is_changed(self) -> bool:
        """Return whether the board differs from the one with which it began."""
        return not state.same_content(self.lab, self.initial_labs[self.board_key])

    @property
    def lab(self) -> Lab:
        """Return the present Lab of the board that is shown."""
        return self.history.present

    @property
    def moving(self) -> bool:
        """Return whether something on the board is being dragged."""
        return self.history.before_drag is not None or any(
            self.board_inputs.get(name, {}).get("live") for name in lesson_inputs.READERS
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
        return self.cache.outcome(self.pinned_lab.problem).solution if self.pinned_lab else None

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

    def wire_data(self) -> dict[str, Any]:
        """Return what every answer to the board contains.

        It contains the acknowledgement, the key of the board that is shown, its link, and what belongs in the
        address.
        """
        self.rev += 1
        return {
            "rev": self.rev,
            "ack": self.ack,
            "boot": self.boot,
            "board": self.board_key,
            "share": share.encode(self.history.before_drag or self.lab),
            "address": link.query_string(link.location_of(self)),
            "unread": self.own_history.unread_link is not None,
        }

    def note(self, message: str | None, touched: bool | None = None) -> None:
        """Set the message that the board shows about the last operation."""
        self.history = replace(self.history, note=message, touched=self.history.touched if touched is None else touched)

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

    def do(self, op: Mapping[str, Any], strict: bool = False) -> None:
        """Perform one operation. A bad one changes nothing and becomes a message on the board.

        With `strict`, BadInput is raised instead.
        """
        before = self.history
        try:
            perform(self, op)
            if "points" in self.locked_parts and op["op"] != "restore" and self.lab.points != before.present.points:
                self.history = before
                raise BadInput(LOCKED)
        except BadInput as error:
            if strict:
                raise
            self.show_failure(error)
        except MALFORMED:
            self.note(GARBLED)
        except Exception as error:
            self.show_failure(error)

    def receive(self, message: Any) -> bool:
        """Handle a message of the board once, and return whether the whole page must run and not only its fragments.

        A message that one operation causes is still shown after the operations that follow it. A message from the
        browser names its board, because the end of a drag may arrive when another board is shown already.
        """
        self.needs_full_run = False
        self._receive(message)
        return self.needs_full_run

    def _receive(self, message: Any) -> None:
        if isinstance(message, Mapping) and message.get("boot") != self.boot:
            return
        seq, ops = (message.get("seq"), message.get("ops")) if isinstance(message, Mapping) else (None, None)
        if type(seq) is not int or not 0 <= seq < MAX_NUMBER or not isinstance(ops, list):
            self.note(GARBLED)
            return
        if seq <= self.ack:
            return
        self.ack = seq
        target, shown = message.get("board", self.board_key), self.board_key
        if target is not None and (not isinstance(target, str) or target not in self.lent_histories):
            return  # the lent board no longer exists
        self.board_key = target
        self._perform_all(ops)
        if not any(isinstance(op, Mapping) and op.get("op") == "restore" for op in ops):
            self.board_key = shown

    def _perform_all(self, ops: list[Any]) -> None:
        note = None
        for op in ops:
            self.note(None if isinstance(op, Mapping) else GARBLED)
            if isinstance(op, Mapping):
                self.do(op)
            note = note or self.history.note
        self.note(note if ops else self.history.note, touched=True)


def current_session(page: str) -> Session:
    """Return the session of this tab with `page` open.

    A new session starts from the link with which the tab was opened.
    """
    if "lab" not in st.session_state:
        session = st.session_state["lab"] = Session(state.initial_history(), page=page)
        if st.query_params:
            link.restore(session, urlencode(st.query_params.to_dict()))
    session = st.session_state["lab"]
    session.open_page(page)
    return session
