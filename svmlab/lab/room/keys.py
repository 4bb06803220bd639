"""Codes of rooms, the keys of their lecturers, and the seals of votes, which follow from one secret of the server.

The secret comes from the variable SVMLAB_SECRET, or else from a file that only this user can read. So it is the same
after a restart, and in every process of one user. If there is neither, the secret is made at the start, and a room does
not survive a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple
from functools import cache
from pathlib import Path

from svmlab.lab.room.room import ALPHABET
from svmlab.lab.room.task import TASK_ID, Fixed, HandIn

VARIABLE = "SVMLAB_SECRET"
FILE = "svmlab/room_secret"
LENGTH = 32  # characters of a secret, at least, and of a key
SEAL = 24  # characters of a seal
KEY = re.compile(rf"[0-9a-f]{{1,10}}\.[0-9a-f]{{{LENGTH}}}")
KEY_S = 86_400.0  # seconds for which a key is valid
Rows = Iterable[tuple[int, int, int]]
NO_POINTS = "0" * 16  # in the id of a task whose link lends no points
_log = logging.getLogger(__name__)


def secret_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the file of the secret: in the state folder of this user, where a service or the desktop says it is."""
    folder = environment.get("STATE_DIRECTORY", "").partition(":")[0] or environment.get("XDG_STATE_HOME", "")
    return Path(folder or Path.home() / ".local" / "state") / FILE


def read_or_make(path: Path) -> bytes | None:
    """Return the secret in a file, which is made if there is none. Return None if that is not possible.

    Of several processes that start together, one makes the file, and all of them read it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        if not path.exists():
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(LENGTH))
            with suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        content = path.read_bytes().strip()
    except OSError as error:
        _log.warning("Rooms will not survive a restart, because %s cannot be used: %s. Set %s.", path, error, VARIABLE)
        return None
    return content if len(content) >= LENGTH else None


@cache
def secret() -> bytes:
    """Return the secret of this server."""
    given = os.environ.get(VARIABLE, "").encode()
    return given or read_or_make(secret_file()) or secrets.token_hex(LENGTH).encode()


def _digest(*parts: object) -> str:
    return hmac.new(secret(), "\0".join(map(str, parts)).encode(), hashlib.sha256).hexdigest()


def new_code() -> str:
    """Return the code of a new room."""
    return "".join(secrets.choice(ALPHABET) for _ in range(4))


def key_of(code: str, made: int) -> str:
    """Return the key of a room, which was made at a time in seconds. Whoever holds it leads the room.

    A key names its time, so that keys cannot be collected for rooms that others open later.
    """
    return f"{made:x}.{_digest('lecturer', code, made)[:LENGTH]}"


def is_key(code: str, key: object, now: float) -> bool:
    """Return whether this is a key of a room that is not too old."""
    if not isinstance(key, str) or not KEY.fullmatch(key):
        return False
    made = made_at(key)
    return now - made < KEY_S and _is_same(key, key_of(code, made))


def made_at(key: str) -> int:
    """Return the time in seconds at which a key of a lecturer was made."""
    return int(key.partition(".")[0], 16)


def assistant_key(code: str, key: str) -> str:
    """Return the key of the assistant of a room, which follows from that of its lecturer."""
    return f"{key.partition('.')[0]}.{_digest('assistant', code, key)[:LENGTH]}"


def is_assistant_key(code: str, shown: object, key: str) -> bool:
    """Return whether this is the key of the assistant of the room whose lecturer has `key`."""
    return isinstance(shown, str) and _is_same(shown, assistant_key(code, key))


def _is_same(shown: str, expected: str) -> bool:
    return hmac.compare_digest(shown.encode(errors="replace"), expected.encode())


def seal(code: str, round_: str, by: str, choice: int) -> str:
    """Return the receipt of a counted vote. A browser that repeats the vote shows it, so no new vote can come late."""
    return _digest("vote", code, round_, by, choice)[:SEAL]


def sealed_votes(code: str, by: str, votes: object) -> dict[str, int]:
    """Return those of the votes {round: [choice, seal]} of a member that a server with this secret has counted."""
    choices_by_round: dict[str, int] = {}
    for id_, said in list(votes.items())[-100:] if isinstance(votes, dict) else ():
        choice, shown = said if isinstance(said, list) and len(said) == 2 else (None, None)
        if type(choice) is int and isinstance(shown, str) and _is_same(shown, seal(code, id_, by, choice)):
            choices_by_round[id_] = choice
    return choices_by_round


def member_name(me: object) -> str:
    """Return the name of a browser within its room: a digest of the random number that it has chosen.

    Raises ValueError if that is too short or too long to be one.
    """
    if not isinstance(me, str) or not 16 <= len(me) <= 64:
        raise ValueError("me")
    return hashlib.sha256(me.encode(errors="replace")).hexdigest()[:16]


def task_id(code: str, fixed: Fixed, points: Rows | None = None, nonce: str = "") -> str:
    """Return the id of a task as a room sets it, which is in the link of the task: a nonce, the points, and a seal.

    points: those that the link lends, as rows (x, y, label), or None if the task itself has them. The id has a digest
    of them, because an address follows what a member changes on the board. nonce: eight digits that tell two settings
    of one task apart.
    """
    return _sealed_task_id(code, fixed, nonce or secrets.token_hex(4), _points_digest(code, points))


def is_task_id(shown: str, code: str, fixed: Fixed) -> bool:
    """Return whether an id is that of a task in this room whose link fixes this."""
    return bool(TASK_ID.fullmatch(shown)) and _is_same(shown, _sealed_task_id(code, fixed, shown[:8], shown[8:24]))


def has_task_points(id_: str, code: str, points: Rows) -> bool:
    """Return whether a board has the points that the task of this id lends, or whether the task lends none."""
    return id_[8:24] in (NO_POINTS, _points_digest(code, points))


def _sealed_task_id(code: str, fixed: Fixed, nonce: str, points: str) -> str:
    return nonce + points + _digest("task", code, json.dumps(astuple(fixed)), nonce, points)[:16]


def _points_digest(code: str, points: Rows | None) -> str:
    return NO_POINTS if points is None else _digest("points", code, *sorted(points))[:16]


def ticket(code: str, task: str, passed: bool, at: int, board: str, sketch: str, nonce: str = "") -> HandIn:
    """Return a board that this server has judged, with its seal. A browser carries it to the process of the room.

    nonce: eight digits that tell two boards apart that are equal and were judged at the same time.
    """
    nonce = nonce or secrets.token_hex(4)
    digest = _digest("hand-in", code, task, passed, at, board, sketch, nonce)
    return HandIn(task, passed, at, board, sketch, nonce + digest[: SEAL - 8])


def is_ticket(code: str, shown: HandIn) -> bool:
    """Return whether a server with this secret has judged what is handed in."""
    made = ticket(code, shown.task, shown.passed, shown.at, shown.board, shown.sketch, shown.seal[:8])
    return _is_same(shown.seal, made.seal)


def receipt(code: str, by: str, number: int, hand_in: HandIn) -> str:
    """Return the receipt of a hand-in that hangs on the wall, with which it comes back after a restart."""
    return _digest("receipt", code, by, number, hand_in.seal)[:SEAL]


def is_receipt(shown: object, code: str, by: str, number: object, hand_in: HandIn) -> bool:
    """Return whether a member shows the receipt of this hand-in under this number."""
    return type(number) is int and isinstance(shown, str) and _is_same(shown, receipt(code, by, number, hand_in))
