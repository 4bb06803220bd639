"""Switch between C and lambda, the two parameters of the same regularisation, without loss in either direction."""

from __future__ import annotations

from dataclasses import replace

from svmlab.lab.session import state
from svmlab.lab.session.lab import VIEW_FIELDS, Lab
from svmlab.lab.session.state import History


def switch_C_and_lambda_exactly(history: History, to: str) -> Lab:
    """Return the present Lab with the other parameter set.

    If the last step only switched the parameter, the exact earlier value returns. A value beyond the limits of the
    other parameter is clipped to them, and because of rounding 1/(1/(C m) m) need not be C.
    """
    present = history.present
    before = _before(history)
    if before is not None and before.face == to != present.face:
        return replace(before, **{name: getattr(present, name) for name in VIEW_FIELDS})
    return state.switch_C_and_lambda(present, to)


def value_before_clipping(history: History) -> float | None:
    """Return the exact value that the last switch clipped to its limits, or None.

    It is None if nothing was clipped or if something else was done since.
    """
    before = _before(history)
    if before is None or before.hard:
        return None
    exact = 1.0 / (before.value * max(len(before.points), 1))
    return None if exact == history.present.value else exact


def _before(history: History) -> Lab | None:
    """Return the Lab before the last step if that step only switched between C and lambda, else None."""
    before = history.past[-1] if history.past else None
    if before is None or before.face == history.present.face:
        return None
    return (
        before if state.same_content(state.switch_C_and_lambda(before, history.present.face), history.present) else None
    )
