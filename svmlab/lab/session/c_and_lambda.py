"""C and lambda, two faces of one price: turning from one to the other, and back, loses nothing."""

from __future__ import annotations

from dataclasses import replace

from svmlab.lab.session import state
from svmlab.lab.session.state import LOOKS, History, Lab


def convert_face(history: History, to: str) -> Lab:
    """The present machine seen from the other face; where it was only just turned, exactly what it was before.

    A value beyond the limits of the other face is cut to them, and 1/(1/(C m) m) need not be C.
    """
    now = history.present
    before = _before(history)
    if before is not None and before.face == to != now.face:
        return replace(before, **{name: getattr(now, name) for name in LOOKS})
    return state.switch_face(now, to)


def cut(history: History) -> float | None:
    """What the present value would be, where it was cut to its limits when the face was turned, and nothing was done
    since.
    """
    before = _before(history)
    if before is None or before.hard:
        return None
    exact = 1.0 / (before.value * max(len(before.points), 1))
    return None if exact == history.present.value else exact


def _before(history: History) -> Lab | None:
    """The Lab before the last step, if that step only turned the face."""
    before = history.past[-1] if history.past else None
    if before is None or before.face == history.present.face:
        return None
    return before if state.same_content(state.switch_face(before, history.present.face), history.present) else None
