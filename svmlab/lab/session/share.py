"""A whole Lab as one string for the address bar, and back.

The first character is the version of what follows. Links stand in bookmarks and on slides: `encode` writes the newest
version, `READERS` has one for every version there ever was. A default or a limit that changes what an old link means makes
a new version too.

'1', then base64url of: a check sum (4 bytes), the length of the settings (2 bytes), the settings that differ from their
defaults as JSON, then 29 bits a point (x and y as whole thousandths from -8000, 14 bits each; the label, 1 bit).
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable
from dataclasses import replace

from svmlab.errors import BadInput
from svmlab.lab.session import machine, state
from svmlab.lab.session.controls import CONTROLS, EDGE, LIMIT
from svmlab.lab.session.state import Lab, Point
from svmlab.phrase import N_

VERSION = "1"
BITS = 29
SECOND = "second"  # the second machine, told as the settings are; a reader that knows none leaves it out
KEPT = N_(
    "Your points are kept, the settings are at their defaults, and the address stays as it is until the next change."
)
EMPTY = N_(
    "The board starts empty, and the address stays as it is until you change something: ask for the link again, or place your own points."
)
DAMAGED = N_("This link is damaged: {what}.")


def encode(lab: Lab) -> str:
    """The string for a Lab: 967 characters for 200 points, at most some 1600, and 300 more with a long recipe."""
    settings = {k: getattr(lab, k) for k in state.SETTINGS if getattr(lab, k) != CONTROLS[k].default}
    settings |= {SECOND: machine.told(lab.second)} if lab.second is not None else {}
    head = json.dumps(settings, separators=(",", ":")).encode()
    bits = 0
    for p in lab.points:
        bits = bits << BITS | (p.x + EDGE) << 15 | (p.y + EDGE) << 1 | (p.label > 0)
    size = (BITS * len(lab.points) + 7) // 8
    body = len(head).to_bytes(2, "big") + head + len(lab.points).to_bytes(2, "big") + bits.to_bytes(size, "big")
    blob = zlib.crc32(body).to_bytes(4, "big") + body
    return VERSION + base64.urlsafe_b64encode(blob).decode().rstrip("=")


def decode(link: str) -> Lab:
    """The Lab of a link of any version. Raises BadInput with a message for the person who followed the link."""
    read = READERS.get(link[:1])
    if read is None:
        raise BadInput(
            "This link is damaged, or it was not made by this version of svmlab: its version is {version!r}, and this server reads version {known}.",
            version=link[:1],
            known=", ".join(READERS),
        )
    return read(link[1:])


def _version_1(raw: str) -> Lab:
    try:
        blob = base64.b64decode(raw + "=" * (-len(raw) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(DAMAGED, what=N_("it has characters that do not belong there")) from error
    check, body = blob[:4], blob[4:]
    if len(body) < 4 or zlib.crc32(body).to_bytes(4, "big") != check:
        raise BadInput(DAMAGED, what=N_("a part of it is missing or changed"))
    try:
        return _lab(body)
    except BadInput as error:
        raise BadInput("This link is damaged: {what}", what=error) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(DAMAGED, what=str(error).rstrip(".")) from error


def _lab(body: bytes) -> Lab:
    at = 2 + int.from_bytes(body[:2], "big")
    settings = json.loads(body[2:at])
    if not isinstance(settings, dict):
        raise BadInput("its settings cannot be read.")
    count = int.from_bytes(body[at : at + 2], "big")
    packed = body[at + 2 :]
    if count > LIMIT:
        raise BadInput("it holds {count} points, and the board holds {limit}.", count=count, limit=LIMIT)
    if len(packed) != (BITS * count + 7) // 8:
        raise BadInput("its points are incomplete.")
    bits = int.from_bytes(packed, "big")
    points = []
    for i in range(count):
        code = bits >> BITS * (count - 1 - i)
        x, y = (code >> 15 & 0x3FFF) - EDGE, (code >> 1 & 0x3FFF) - EDGE
        if x > EDGE or y > EDGE:
            raise BadInput("a point lies outside the board.")
        points.append(Point(i + 1, x, y, 1 if code & 1 else -1))
    checked = {k: CONTROLS[k].check(v) for k, v in settings.items() if k in state.SETTINGS}
    second = machine.read(settings[SECOND]) if SECOND in settings else None
    return replace(Lab(), points=tuple(points), second=second, **checked)


READERS: dict[str, Callable[[str], Lab]] = {"1": _version_1}
