"""Encode a whole Lab as one string for the address bar, and decode it.

The first character is the version of what follows. Links stand in bookmarks and on slides. `encode` writes the newest
version, and `READERS` has a reader for every version that ever existed. A change of a default or a limit that changes
the meaning of an old link also needs a new version.

Version '1' continues with base64url of: a checksum (4 bytes), the length of the settings (2 bytes), the settings that
differ from their defaults as JSON, the number of points (2 bytes), then 29 bits for each point (x and y as whole
thousandths from -8000, 14 bits each, and the label, 1 bit).

Version '2' is the same for points of a task other than two classes. The settings name the task, and the label takes
as many bits as that task needs.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable
from dataclasses import replace

from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.lab.session import axes, svm_settings
from svmlab.lab.session.controls import BINARY, CONTROLS, EDGE, LABELS, MAX_POINTS
from svmlab.lab.session.lab import SETTINGS, Lab, Point, with_valid_labels

VERSION, VERSION_OF_TASKS = "1", "2"  # the version for two classes, and for any other task
COORDINATE_BITS = 28  # for both coordinates of a point
AXES = "axes"  # the columns of the table from which the points were chosen; an older reader skips it too
SECOND = "second"  # the settings of the second SVM; an older reader that does not know this name skips it
KEPT = N_(
    "Your points are kept, and the settings have their default values. The address stays as it is until your next "
    "change."
)
EMPTY = N_(
    "The board starts empty, and the address stays as it is until you change something. Ask for the link again, or "
    "add your own points."
)
DAMAGED = N_("This link is damaged: {what}.")


def encode(lab: Lab) -> str:
    """Return the string of a Lab: 967 characters for 200 points, at most about 1600.

    A long recipe adds 300 characters, and the columns of a table about 150.
    """
    settings = {k: getattr(lab, k) for k in SETTINGS if getattr(lab, k) != CONTROLS[k].default}
    settings |= {SECOND: svm_settings.as_json(lab.second)} if lab.second is not None else {}
    settings |= {AXES: lab.axes.as_json()} if lab.axes is not None else {}
    head = json.dumps(settings, separators=(",", ":")).encode()
    codes, label_bits = _codes(lab.task)
    bits_per_point, bits = COORDINATE_BITS + label_bits, 0
    for p in lab.points:
        bits = bits << bits_per_point | ((p.x + EDGE) << 14 | (p.y + EDGE)) << label_bits | codes.index(p.label)
    size = (bits_per_point * len(lab.points) + 7) // 8
    body = len(head).to_bytes(2, "big") + head + len(lab.points).to_bytes(2, "big") + bits.to_bytes(size, "big")
    blob = zlib.crc32(body).to_bytes(4, "big") + body
    return (VERSION if lab.task == BINARY else VERSION_OF_TASKS) + base64.urlsafe_b64encode(blob).decode().rstrip("=")


def _codes(task_name: str) -> tuple[tuple[int, ...], int]:
    """Return the labels of a task in the order of their codes in a link, and the number of bits of a code."""
    labels = LABELS[task_name]
    return labels[::-1] if task_name == BINARY else labels, (len(labels) - 1).bit_length()


def decode(link: str) -> Lab:
    """Return the Lab of a link of any version. Raises BadInput with a message for the person who followed the link."""
    read = READERS.get(link[:1])
    if read is None:
        raise BadInput(
            "This link is damaged, or another version of svmlab made it. What stands after 's=' begins with "
            "{first!r}, and this version reads only what begins with {known}.",
            first=link[:1],
            known=" or ".join(READERS),
        )
    return read(link[1:])


def _read(raw: str) -> Lab:
    try:
        blob = base64.b64decode(raw + "=" * (-len(raw) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(DAMAGED, what=N_("it contains characters that do not belong there")) from error
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
    end = 2 + int.from_bytes(body[:2], "big")
    settings = json.loads(body[2:end])
    if not isinstance(settings, dict):
        raise BadInput("its settings cannot be read.")
    count = int.from_bytes(body[end : end + 2], "big")
    packed = body[end + 2 :]
    checked = {k: CONTROLS[k].check(v) for k, v in settings.items() if k in SETTINGS}
    task = checked.get("task", BINARY)
    codes, label_bits = _codes(task)
    bits_per_point = COORDINATE_BITS + label_bits
    if count > MAX_POINTS:
        raise BadInput(
            "it contains {count} points, but the board holds at most {limit}.", count=count, limit=MAX_POINTS
        )
    if len(packed) != (bits_per_point * count + 7) // 8:
        raise BadInput("its points are incomplete.")
    bits = int.from_bytes(packed, "big")
    points = []
    for i in range(count):
        code = bits >> bits_per_point * (count - 1 - i)
        x, y = (code >> 14 + label_bits & 0x3FFF) - EDGE, (code >> label_bits & 0x3FFF) - EDGE
        if x > EDGE or y > EDGE:
            raise BadInput("a point lies outside the board.")
        points.append(Point(i + 1, x, y, codes[code & (1 << label_bits) - 1]))
    second = svm_settings.from_json(settings[SECOND]) if SECOND in settings else None
    named = axes.from_json(settings[AXES]) if AXES in settings else None
    return with_valid_labels(replace(Lab(), points=tuple(points), second=second, axes=named, **checked))


READERS: dict[str, Callable[[str], Lab]] = {VERSION: _read, VERSION_OF_TASKS: _read}
