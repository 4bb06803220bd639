"""One line for all long work of the process: one work goes on at a time, in one of two threads, and the others wait.

At a time there is one: the interpreter runs one thread of Python at a time anyway, the rest of the processor is for
pages, what measures time is measured alone, and however many ask, there are two threads. The first to come is the first
to go: a visitor has one work in the line (another that he asks for takes its place, at the end), so nobody can take
more than his share.

There are two lanes, each with its thread, for work of moments and for work of many seconds. A work steps aside where it
reports progress, and the lane that has had less of the time goes on. So a short work never waits for the end of a long
one, and no crowd of short ones stops a long one: where both lanes are busy, each gets half.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread
from time import monotonic, perf_counter
from typing import Protocol

SLICE = 0.05  # seconds that a lane may be ahead before it steps aside: less than a page waits for an answer
DEBT = 1.0  # seconds by which a lane that was empty may come back ahead: its past is forgotten but for these
LOOK = 1.0  # seconds between two looks at who is still there


class Entry(Protocol):
    """A work that stands in the line."""

    long: bool

    def do(self) -> None:
        """The work itself, in a thread of the line; calls `Line.aside` now and then."""

    def leave_if_visitor_gone(self) -> None:
        """Ask whether its visitor is still there; if not, leave the line."""


class _Queue:
    def __init__(self) -> None:
        self.waiting: deque[Entry] = deque()
        self.begun: Entry | None = None
        self.seconds_used = 0.0  # seconds of the turn
        self.thread: Thread | None = None

    @property
    def busy(self) -> bool:
        return bool(self.waiting) or self.begun is not None


class WorkQueue:
    """Work of all visitors. Safe from any thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._queues = {False: _Queue(), True: _Queue()}
        self._running_queue: _Queue | None = None
        self._since = 0.0  # since when somebody has the turn
        self._looked = monotonic()

    def enter(self, entry: Entry) -> None:
        """To the end of its lane."""
        with self._changed:
            lane, other = self._of(entry)
            if not lane.busy and other.busy:  # what it had before counts, but not for long
                lane.seconds_used = min(max(lane.seconds_used, other.seconds_used), other.seconds_used + DEBT)
            lane.waiting.append(entry)
            if lane.thread is None or not lane.thread.is_alive():
                lane.thread = Thread(target=self._serve, args=(lane, other), daemon=True)
                lane.thread.start()
            self._changed.notify_all()

    def leave(self, entry: Entry) -> None:
        """Not to be begun; what goes on already goes on until it finds out by itself."""
        with self._changed:
            waiting = self._of(entry)[0].waiting
            if entry in waiting:
                waiting.remove(entry)

    def position(self, entry: Entry) -> int | None:
        """How many works stand before it; None where it does not wait."""
        with self._changed:
            lane, other = self._of(entry)
            if entry not in lane.waiting:
                return None
            begun = sum(each.begun is not None for each in (lane, other))
            return lane.waiting.index(entry) + begun + (len(other.waiting) if entry.long else 0)

    def give_way(self, entry: Entry) -> None:
        """Between two pieces of a work: whoever has had less goes on, and then this one again."""
        lane, other = self._of(entry)
        with self._changed:
            self._count(lane)
            self._check_visitors()
            if self._comes_first(other, lane):
                self._running_queue = None
                self._changed.notify_all()
                self._take(lane, other)

    @property
    def threads(self) -> int:
        """How many threads the line has."""
        return sum(lane.thread is not None and lane.thread.is_alive() for lane in self._queues.values())

    def entries(self) -> list[Entry]:
        """What goes on and what waits."""
        with self._changed:
            lanes = self._queues.values()
            return [e for lane in lanes for e in (lane.begun, *lane.waiting) if e is not None]

    def _of(self, entry: Entry) -> tuple[_Queue, _Queue]:
        return self._queues[entry.long], self._queues[not entry.long]

    def _serve(self, lane: _Queue, other: _Queue) -> None:
        while True:
            with self._changed:
                self._take(lane, other)
                entry = lane.begun = lane.waiting.popleft()
            try:
                entry.do()
            finally:
                with self._changed:
                    self._count(lane)
                    self._running_queue, lane.begun = None, None
                    self._changed.notify_all()
                del entry  # the thread waits on, what it has done need not

    def _take(self, lane: _Queue, other: _Queue) -> None:
        """Wait for the turn, and for something to do with it; have it."""
        while not lane.busy or self._running_queue is not None or self._comes_first(other, lane):
            self._changed.wait(LOOK if lane.busy or other.busy else None)
            self._check_visitors()
        self._running_queue, self._since = lane, perf_counter()

    def _count(self, lane: _Queue) -> None:
        now = perf_counter()
        lane.seconds_used += now - self._since
        self._since = now

    @staticmethod
    def _comes_first(lane: _Queue, other: _Queue) -> bool:
        """Whether a lane with work has had so much less than the other that it comes first."""
        return lane.busy and lane.seconds_used + SLICE < other.seconds_used

    def _check_visitors(self) -> None:
        if monotonic() - self._looked >= LOOK:
            self._looked = monotonic()
            for entry in self.entries():
                entry.leave_if_visitor_gone()
