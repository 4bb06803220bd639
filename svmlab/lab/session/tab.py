"""What one browser tab has on the server: its history, its cache, and the wire to its board."""

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
from svmlab.lab.session import lesson_inputs, link, location, share, state
from svmlab.lab.session.cache import Cache, Outcome, Result
from svmlab.lab.session.files import Offer
from svmlab.lab.session.location import Answer as Answer
from svmlab.lab.session.location import Picked as Picked
from svmlab.lab.session.operations import LOCKED, TYPE, perform
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job

SESSIONS: WeakValueDictionary[str, Session] = WeakValueDictionary()  # every session that there is, by its `boot`
# What an operation that makes no sense may raise; RecursionError where its brackets are nested too deep.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
GARBLED = N_(
    "A message from the board could not be read and was left out. Reload the page; the link keeps your points."
)
LAST = 2**53  # no message has a number so large: beyond it a browser cannot count
Done = Callable[[], None]  # what a page does once something has been changed
StepOverlay = Callable[[History, Mapping[str, float], Result[Any] | None], dict[str, Any]]


@dataclass
class Session:
    """One tab. `boot` names this session to the browser, `ack` is the last message handled, `rev` counts the
    answers.
    """

    own_history: History  # of the person's own board; a step may lend another
    boot: str = field(default_factory=lambda: secrets.token_hex(6))
    ack: int = 0
    rev: int = 0
    cache: Cache = field(default_factory=Cache)
    lent_histories: dict[str, History] = field(default_factory=dict)  # by "page.step"
    board_key: str | None = None  # the lent board that stands, None: the own one
    projector: bool = False  # of the room: no link carries it
    type_size: int = TYPE  # px of the type of charts in projector mode
    pinned_lab: Lab | None = None  # the fit that others are compared with
    offer: Offer | None = None  # a file waiting for a yes
    job: Job | None = None  # the long work in progress or its result
    board_inputs: dict[str, Any] = field(
        default_factory=dict
    )  # what the board keeps beside the Lab: hand, film, last dial
    dials: dict[str, float] = field(default_factory=dict)  # sliders of the lessons that are no setting of the Lab
    step_memory: dict[str, dict[str, Any]] = field(default_factory=dict)  # what steps keep for themselves
    translations: NullTranslations = words.ENGLISH  # the language of the session
    page: str = "lab"  # the page that is open
    prepared_step: str | None = None  # the step, by "page.step", for which a board was put up
    initial_labs: dict[str | None, Lab] = field(default_factory=dict)  # what each board began with
    given_links: dict[str, tuple[str, str]] = field(
        default_factory=dict
    )  # of a lent board that its step gives: the own one, and it
    pending_from_link: tuple[int | None, str] | None = (
        None  # what the link says of the board that will stand: selected row, message
    )
    input_scopes: dict[str, str] = field(
        default_factory=dict
    )  # where a dial was turned, the line placed, a film watched
    hidden_controls: tuple[str, ...] = ()  # controls that the link hides
    locked_parts: tuple[str, ...] = ()  # what it locks
    sharing: bool | None = None  # whether the link is to be shown: False in a dialog, True on the whole screen
    controlled: tuple[Any, ...] | None = None  # what the controls of the lab show
    needs_full_run: bool = False  # whether all of the page has to run, not its parts alone
    open_steps: dict[str, str] = field(default_factory=dict)  # the open step of each lesson
    answers: dict[str, Answer] = field(default_factory=dict)  # by "page.step"
    picks: dict[str, Picked] = field(default_factory=dict)  # what was chosen beside a chart, by "page.name"
    step_overlay: StepOverlay | None = (
        None  # what the open step adds to the picture of a board, solved, and dials; called in a thread
    )
    lab_to_draw: Callable[[Lab], Lab] | None = None  # what the page draws in the place of the Lab that stands

    def __post_init__(self) -> None:
        SESSIONS[self.boot] = self
        self.initial_labs[None] = self.own_history.present

    @property
    def step(self) -> str:
        """The open step as "page.step"."""
        return f"{self.page}.{self.open_steps.get(self.page)}"

    def turn(self, page: str) -> None:
        """Another page is open, or the same."""
        if page != self.page:
            self.page, self.prepared_step = page, None
            self.leave_job()

    @property
    def history(self) -> History:
        """Of the board that stands."""
        return self.own_history if self.board_key is None else self.lent_histories[self.board_key]

    @history.setter
    def history(self, history: History) -> None:
        if self.board_key is None:
            self.own_history = history
        else:
            self.lent_histories[self.board_key] = history

    def show_board(self, key: str | None, board: Lab | None = None, given: bool = False) -> None:
        """From now on the lent board `on` stands (None: the own one), begun anew from `board` if there is one.

        Each board keeps its own undo; nothing passes from one to another. KeyError for a board that was never lent.
        given: everybody who comes to the step with this own board gets that one, so that the link need not carry it.
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
            chosen = self.lab.points[row].id if row is not None and row < len(self.lab.points) else self.lab.selected
            self.history = replace(
                self.history, present=replace(self.lab, selected=chosen), note=note or self.history.note
            )

    @property
    def is_changed(self) -> bool:
        """Whether the board is no longer as it was given."""
        return not state.same_content(self.lab, self.initial_labs[self.board_key])

    @property
    def lab(self) -> Lab:
        """The present."""
        return self.history.present

    @property
    def moving(self) -> bool:
        """Whether something on the board is being dragged right now."""
        return self.history.before_drag is not None or any(
            self.board_inputs.get(name, {}).get("live") for name in lesson_inputs.READERS
        )

    @property
    def outcome(self) -> Outcome | None:
        """The present machine, solved; None without points."""
        return self.solve(self.lab) if self.lab.points else None

    def solve(self, lab: Lab) -> Outcome:
        """The machine of any Lab with points."""
        return self.cache.outcome(lab.problem)

    @property
    def pinned_solution(self) -> Solution | None:
        """The pinned fit, solved."""
        return self.cache.outcome(self.pinned_lab.problem).solution if self.pinned_lab else None

    def forget_job(self) -> None:
        """Let the work be done again."""
        self.job = None

    def leave_job(self) -> None:
        """What was asked for last is looked at no more: another page or step is open, or other work is asked for."""
        if self.job is not None and self.job.running:
            self.job.leave()
            self.job = None

    def wire_data(self) -> dict[str, Any]:
        """Acknowledgement, which board stands, its state as a link, and what belongs into the address."""
        self.rev += 1
        return {
            "rev": self.rev,
            "ack": self.ack,
            "boot": self.boot,
            "board": self.board_key,
            "share": share.encode(self.history.before_drag or self.lab),
            "address": location.query_string(link.location_of(self)),
            "unread": self.own_history.unread_link is not None,
        }

    def note(self, said: str | None, touched: bool | None = None) -> None:
        """What the board has to say of what was done last."""
        self.history = replace(self.history, note=said, touched=self.history.touched if touched is None else touched)

    def fail(self, error: Exception) -> None:
        """What was done last failed: the board says so."""
        self.note(to_svm_error(error).message)

    @contextmanager
    def showing_errors(self) -> Iterator[None]:
        """Where something in it fails, the board says so."""
        try:
            yield
        except Exception as error:
            self.fail(error)

    def do(self, op: Mapping[str, Any], strict: bool = False) -> None:
        """One operation; a bad one changes nothing and becomes a message on the board (with `strict`, is raised)."""
        kept = self.history
        try:
            perform(self, op)
            if "points" in self.locked_parts and op["op"] != "restore" and self.lab.points != kept.present.points:
                self.history = kept
                raise BadInput(LOCKED)
        except BadInput as error:
            if strict:
                raise
            self.fail(error)
        except MALFORMED:
            self.note(GARBLED)
        except Exception as error:
            self.fail(error)

    def receive(self, message: Any) -> bool:
        """Handle a message of the board, once; whether the whole page has to run, and not only parts of it.

        What one of its operations has to say is still said after the others. A message names the board that it is
        about: the last word of a drag may arrive when another stands already.
        """
        self.needs_full_run = False
        self._receive(message)
        return self.needs_full_run

    def _receive(self, message: Any) -> None:
        if isinstance(message, Mapping) and message.get("boot") != self.boot:
            return
        seq, ops = (message.get("seq"), message.get("ops")) if isinstance(message, Mapping) else (None, None)
        if type(seq) is not int or not 0 <= seq < LAST or not isinstance(ops, list):
            self.note(GARBLED)
            return
        if seq <= self.ack:
            return
        self.ack = seq
        about, stands = message.get("board", self.board_key), self.board_key
        if about is not None and (not isinstance(about, str) or about not in self.lent_histories):
            return  # a board that was put away
        self.board_key = about
        self._hear(ops)
        if not any(isinstance(op, Mapping) and op.get("op") == "restore" for op in ops):
            self.board_key = stands

    def _hear(self, ops: list[Any]) -> None:
        said = None
        for op in ops:
            self.note(None if isinstance(op, Mapping) else GARBLED)
            if isinstance(op, Mapping):
                self.do(op)
            said = said or self.history.note
        self.note(said if ops else self.history.note, touched=True)


def current_session(page: str) -> Session:
    """The session of this tab, begun from the link it came with; `page` is open."""
    if "lab" not in st.session_state:
        session = st.session_state["lab"] = Session(state.initial_history(), page=page)
        if st.query_params:
            link.restore(session, urlencode(st.query_params.to_dict()))
    session = st.session_state["lab"]
    session.turn(page)
    return session
