"""The samples of the excess risk, kept for all boards with the same r B, so that every session can use them."""

from __future__ import annotations

from collections.abc import Callable

from svmlab.generalisation import Excess, Space, excess_risk

KEPT = 32  # the largest number of results that are kept
_drawn: dict[tuple[tuple[int, ...], float, Space], Excess] = {}


def drawn(sizes: tuple[int, ...], rB: float, space: Space, report: Callable[[float], None]) -> Excess:
    """Return samples of these sizes in a space, with lengths in units of r.

    `report` receives the fraction done and may raise to stop.
    """
    key = sizes, rB, space
    excess = _drawn.get(key)
    if excess is None:
        excess = excess_risk(sizes, rB, space, on_progress=report)
        if len(_drawn) >= KEPT:
            _drawn.clear()
        _drawn[key] = excess
    return excess
