"""Runs of pages take turns: a few at once, and one for each visitor, whose tabs share his turns.

A run takes the processor for 50 to 100 ms, and one with a hard problem for some tenths of a second. Without turns, the
runs of sixty tabs of one visitor would go on at the same time, and everybody else would get a sixtieth of the time.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from threading import Lock

from svmlab.lab.session.fair_turns import FairTurns
from svmlab.lab.session.visitors import TurnTakers, current_visitor
from svmlab.lab.streamlit_internals import around_each_run

# Runs at the same time; the interpreter runs one thread at a time, but loops and BLAS run beside it.
CONCURRENT_RUNS = 4

_turns = FairTurns(CONCURRENT_RUNS)
_visitors, _lock = TurnTakers(), Lock()


def _turn() -> AbstractContextManager[None]:
    with _lock:
        visitor = _visitors.of(current_visitor())
    return _turns.turn_of_thread(visitor)


def limited_runs() -> AbstractContextManager[None]:
    """During the lifespan of the server, every run of a page or of a part of it waits for a turn of its visitor."""
    return around_each_run(_turn)
