"""The steps of undo and redo as a text that the browser keeps, so that they survive a reload.

The text contains the boards of these steps as links of share.py, because a link is checked when it is read. A link has
no ids of points, so they stand beside it. They are counted from the rows of the present board, which has these ids
after a reload.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from typing import Any

from svmlab import BadInput
from svmlab.lab.session import share
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History

MAX_STEPS = 30  # of undo, and as many of redo
MAX_BYTES = 500_000  # of the text before it is compressed: 60 boards of 300 points with their ids have 200,000


def encode(history: History) -> str:
    """Return the last MAX_STEPS steps of undo and the next ones of redo as a text; "" if there are none."""
    past, future = history.past[-MAX_STEPS:], history.future[:MAX_STEPS]
    if not past and not future:
        return ""
    rows: dict[int, int] = {}
    for lab in (history.present, *past, *future):
        for point in lab.points:
            rows.setdefault(point.id, len(rows) + 1)
    steps = [[_encode_step(lab, rows) for lab in labs] for labs in (past, future)]
    return base64.b64encode(zlib.compress(json.dumps(steps, separators=(",", ":")).encode())).decode()


def with_kept_steps(history: History, began: str, text: str) -> History:
    """Return the history with the steps that `encode` wrote before a reload.

    They are left out if they belong to another board than the one with which this history began, or cannot be read.

    began: the present board of the kept history, as a link.
    """
    first = (*history.past, history.before_drag or history.present)[0]
    try:
        if share.encode(first) != began:
            return history
        past, future = _decode(text)
    except (BadInput, ValueError, TypeError, KeyError, RecursionError, zlib.error):
        return history
    if any(lab.task != first.task for lab in (*past, *future)):
        return history
    is_unchanged = not (history.past or history.future or history.before_drag)
    return replace(history, past=(*past, *history.past), future=future if is_unchanged else history.future)


def _encode_step(lab: Lab, rows: dict[int, int]) -> list[Any]:
    ids = [rows[point.id] for point in lab.points]
    return [share.encode(lab), *([] if ids == list(range(1, len(ids) + 1)) else [ids])]


def _decode(text: str) -> tuple[tuple[Lab, ...], tuple[Lab, ...]]:
    """Return the boards before and after the present one. Raises one of several exceptions if they cannot be read."""
    reader = zlib.decompressobj()
    past, future = json.loads(reader.decompress(base64.b64decode(text, validate=True), MAX_BYTES))
    before = tuple(_decode_step(*step) for step in past[-MAX_STEPS:])
    return before, tuple(_decode_step(*step) for step in future[:MAX_STEPS])


def _decode_step(link: str, ids: list[int] | None = None) -> Lab:
    lab = share.decode(link)
    if ids is None:
        return lab
    known = {id_ for id_ in ids if type(id_) is int and 0 < id_ < 100 * MAX_POINTS}
    if len(known) != len(ids):
        raise ValueError(ids)
    points = tuple(point._replace(id=id_) for point, id_ in zip(lab.points, ids, strict=True))
    return replace(lab, points=points)
