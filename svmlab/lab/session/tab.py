"""What one browser tab has on the server: its history, its cache, and the wire to its board."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from svmlab import BadInput, Dataset, Solution
from svmlab.lab import text
from svmlab.lab.session import aside, files, share, state
from svmlab.lab.session.cache import Cache, Outcome
from svmlab.lab.session.files import Offer
from svmlab.lab.session.mishap import told
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.worker import Job

LIVING: WeakValueDictionary[str, Session] = WeakValueDictionary()  # every session that there is, by its `boot`
# What an operation that makes no sense may raise; RecursionError where its brackets are nested too deep.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
LAST = 2**53  # no message has a number so large: beyond it a browser cannot count

Done = Callable[[], None]  # what a page does once something has been changed


@dataclass
class Session:
    """One tab. `boot` names this session to the browser, `ack` is the last message handled, `rev` counts the answers."""

    history: History
    boot: str = field(default_factory=lambda: secrets.token_hex(6))
    ack: int = 0
    rev: int = 0
    cache: Cache = field(default_factory=Cache)
    pin: Lab | None = None  # the fit that others are compared with
    offer: Offer | None = None  # a file waiting for a yes
    job: Job | None = None  # the long work in progress or its result
    _seen: Job | None = None
    aside: dict[str, Any] = field(
        default_factory=dict
    )  # what the board keeps beside the Lab: line by hand, film, last dial
    dials: dict[str, float] = field(default_factory=dict)  # sliders of the lessons that are no setting of the Lab
    lessons: dict[str, dict[str, Any]] = field(default_factory=dict)  # steps and answers of the lesson pages

    def __post_init__(self) -> None:
        LIVING[self.boot] = self

    @property
    def lab(self) -> Lab:
        """The present."""
        return self.history.present

    @property
    def moving(self) -> bool:
        """Whether something on the board is being dragged right now."""
        return self.history.held is not None or any(self.aside.get(name, {}).get("live") for name in aside.READERS)

    @property
    def outcome(self) -> Outcome | None:
        """The present machine, solved; None without points."""
        return self.solve(self.lab) if self.lab.points else None

    def solve(self, lab: Lab) -> Outcome:
        """The machine of any Lab with points."""
        return self.cache.outcome(lab.problem)

    @property
    def pinned(self) -> Solution | None:
        """The pinned fit, solved."""
        return self.cache.outcome(self.pin.problem).solution if self.pin else None

    def toggle_pin(self) -> None:
        """Pin the present fit, or let go of the pinned one."""
        self.pin = None if self.pin else self.lab

    def seen(self, job: Job) -> bool:
        """Whether the page has shown this finished work already; from now on it has."""
        known, self._seen = self._seen is job, job
        return known

    def forget_job(self) -> None:
        """Let the work be done again."""
        self.job = None

    def wire(self) -> dict[str, Any]:
        """Acknowledgement, the state as a link, and the link that belongs into the address."""
        self.rev += 1
        link = share.encode(self.history.held or self.lab)
        address = self.history.unread or link
        return {"rev": self.rev, "ack": self.ack, "boot": self.boot, "share": link, "address": address}

    def do(self, op: Mapping[str, Any], strict: bool = False) -> None:
        """One operation; a bad one changes nothing and becomes a message on the board (with `strict`, is raised)."""
        try:
            if op.get("op") == "file":
                self.open(str(op["name"]), str(op["text"]))
            elif op.get("op") in tuple(aside.READERS):
                kept = self.aside[str(op["op"])] = aside.read(op)
                self.dials.update(kept.get("values", {}))
            elif op.get("op") == "restore":
                self.history = linked(str(op["share"]), op.get("points", []))
            else:
                self.history = state.apply(self.history, op)
        except BadInput as error:
            if strict:
                raise
            self.history = replace(self.history, note=str(error))
        except MALFORMED:
            self.history = replace(self.history, note=text.MALFORMED)
        except Exception as error:
            self.history = replace(self.history, note=str(told(error)))

    def open(self, name: str, content: str | bytes) -> None:
        """A file on the board; one that fits only when scaled waits as an offer; a bad one becomes a message."""
        self.offer = None
        name = files.shown(name)
        try:
            data = files.read(name, content)
        except BadInput as error:
            self.history = replace(self.history, note=str(error), touched=True)
            return
        if files.fits(data):
            self._place(name, data, 1.0)
        else:
            self.offer = files.Offer(name, data)
            self.history = replace(self.history, note=text.OUTSIDE.format(name=name), touched=True)

    def accept(self) -> None:
        """Yes to the offer: the file, scaled into the board."""
        if self.offer is not None:
            self._place(self.offer.name, self.offer.data, files.factor(self.offer.data))
            self.offer = None

    def _place(self, name: str, data: Dataset, scale: float) -> None:
        points, exact = files.on_board(data, scale)
        said = [text.LOADED.format(name=name, m=data.m)]
        said += [text.SCALED.format(factor=f"{scale:g}")] if scale != 1 else []
        said += [] if exact else [text.ROUNDED]
        lab = replace(self.lab, points=points, selected=None, view=state.fit(points))
        self.history = self.history.commit(lab, " ".join(said))

    def receive(self, message: Any) -> None:
        """Handle a message of the board, once. What one of its operations has to say is still said after the others."""
        if isinstance(message, Mapping) and message.get("boot") != self.boot:
            return
        seq, ops = (message.get("seq"), message.get("ops")) if isinstance(message, Mapping) else (None, None)
        if type(seq) is not int or not 0 <= seq < LAST or not isinstance(ops, list):
            self.history = replace(self.history, note=text.MALFORMED)
            return
        if seq <= self.ack:
            return
        said = None
        for op in ops:
            self.history = replace(self.history, note=None if isinstance(op, Mapping) else text.MALFORMED)
            if isinstance(op, Mapping):
                self.do(op)
            said = said or self.history.note
        self.ack = seq
        self.history = replace(self.history, touched=True, note=said if ops else self.history.note)


def current() -> Session:
    """The session of this tab, begun from the link it came with."""
    if "lab" not in st.session_state:
        link = st.query_params.get("s")
        st.session_state["lab"] = Session(linked(link) if link else state.begin())
    session: Session = st.session_state["lab"]
    return session


def linked(link: str, drawn: Any = ()) -> History:
    """The history that a link starts; one that cannot be read leaves the points that are `drawn`, with a message.

    drawn: rows [id, x, y, label]. Raises BadInput, TypeError or ValueError where they are needed and no points.
    """
    try:
        return History(share.decode(link), touched=True)
    except BadInput as error:
        points = state.apply(History(Lab()), {"op": "points", "points": drawn}).present.points
        said = f"{error} {text.LINK_POINTS if points else text.LINK_EMPTY}"
        return History(replace(Lab(), points=points, view=state.fit(points)), note=said, touched=True, unread=link)
