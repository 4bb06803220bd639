"""A film under the board: frames that are played, each with what is drawn, a ring and a line of words."""

from __future__ import annotations

from collections.abc import Sequence

from svmlab.lab.teach.step import Data
from svmlab.lab.words import _


def frame(items: Sequence[Data], caption: str, ring: int | None = None) -> Data:
    """One picture: overlay items, its words (HTML), and the id of the point that is ringed."""
    return {"items": list(items), "ring": ring, "caption": caption}


def film(key: str, frames: Sequence[Data], at: int = 0, speed: float = 2) -> Data:
    """Frames in their order, from number `at`, `speed` a second; a film of another `key` begins anew."""
    words = {
        "reset": _("Back to the start"),
        "back": _("One step back"),
        "play": _("Play or pause"),
        "next": _("One step on"),
        "scrub": _("Step"),
        "speed": _("Steps a second"),
    }
    return {"key": key, "frames": list(frames), "at": at, "speed": speed, "text": words}
