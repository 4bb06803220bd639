"""What one browser tab has on the server: its history, its cache, and the wire to its board."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from svmlab import BadInput, Dataset
from svmlab.ui import share, state, text
from svmlab.ui.cache import Cache, Outcome
from svmlab.ui.controls import EDGE, LIMIT
from svmlab.ui.payload import payload
from svmlab.ui.state import History, Lab, Point


@dataclass
class Session:
    """One tab. `boot` names this session to the browser, `ack` is the last message handled, `rev` counts the answers."""

    history: History
    boot: str = field(default_factory=lambda: secrets.token_hex(6))
    ack: int = 0
    rev: int = 0
    cache: Cache = field(default_factory=Cache)

    @property
    def lab(self) -> Lab:
        """The present."""
        return self.history.present

    @property
    def outcome(self) -> Outcome | None:
        """The present machine, solved; None without points."""
        return self.cache.outcome(self.lab.problem) if self.lab.points else None

    def board(self) -> dict[str, Any]:
        """The data for the board, the wire included."""
        outcome = self.outcome
        solution = outcome.solution if outcome else None
        drawn = self.cache.scene(solution, self.lab.view) if solution else None
        return payload(self.history, outcome, drawn) | self.wire()

    def wire(self) -> dict[str, Any]:
        """Acknowledgement and link."""
        self.rev += 1
        committed = self.history.held or self.lab
        return {"rev": self.rev, "ack": self.ack, "boot": self.boot, "share": share.encode(committed)}

    def do(self, op: Mapping[str, Any]) -> None:
        """One operation; a bad one becomes a message and changes nothing."""
        try:
            if op.get("op") == "file":
                self.history = opened(self.history, str(op["name"]), str(op["text"]))
            elif op.get("op") == "restore":
                self.history = linked(str(op["share"]))
            else:
                self.history = state.apply(self.history, op)
        except BadInput as error:
            self.history = replace(self.history, note=str(error))
        except (KeyError, TypeError, ValueError, OverflowError):
            self.history = replace(self.history, note=text.MALFORMED)

    def receive(self, message: Any) -> None:
        """Handle a message of the board, once."""
        if not isinstance(message, Mapping) or message.get("boot") != self.boot:
            return
        seq, ops = message.get("seq"), message.get("ops")
        if not isinstance(seq, int) or not isinstance(ops, list) or seq <= self.ack:
            return
        for op in ops:
            if isinstance(op, Mapping):
                self.do(op)
        self.ack = seq
        self.history = replace(self.history, touched=True)


def current() -> Session:
    """The session of this tab, begun from the link it came with."""
    if "lab" not in st.session_state:
        link = st.query_params.get("s")
        st.session_state["lab"] = Session(linked(link) if link else state.begin())
    session: Session = st.session_state["lab"]
    return session


def linked(link: str) -> History:
    """The history that a link starts; a broken one starts an empty board with a message."""
    try:
        return History(share.decode(link), touched=True)
    except BadInput as error:
        return History(Lab(), note=str(error), touched=True)


def opened(history: History, name: str, content: str) -> History:
    """The points of a file on the board. Raises BadInput naming the file, the row and the rule."""
    read = Dataset.from_json if name.lower().endswith(".json") else Dataset.from_csv
    try:
        data = read(content)
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from error
    if data.d != 2:
        raise BadInput(text.NOT_PLANE.format(name=name, d=data.d))
    if data.m > LIMIT:
        raise BadInput(text.TOO_MANY.format(name=name, m=data.m, limit=LIMIT))
    points = []
    for row, (x, label) in enumerate(zip(data.X.tolist(), data.y.tolist(), strict=True), start=1):
        if max(abs(x[0]), abs(x[1])) > EDGE / 1000:
            raise BadInput(text.OUTSIDE.format(name=name, row=row, x1=x[0], x2=x[1]))
        points.append(Point(row, round(1000 * x[0]), round(1000 * x[1]), int(label)))
    exact = all(p.x / 1000 == x[0] and p.y / 1000 == x[1] for p, x in zip(points, data.X.tolist(), strict=True))
    note = text.LOADED.format(name=name, m=data.m) + ("" if exact else " " + text.ROUNDED)
    lab = replace(history.present, points=tuple(points), selected=None, view=state.fit(tuple(points)))
    return history.commit(lab, note)
