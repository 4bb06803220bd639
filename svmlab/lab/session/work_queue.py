"""The queue for all long work of the process: one job runs at a time, in one of two threads, and the others wait.

Only one job runs at a time, because the interpreter runs one thread of Python at a time anyway. The rest of the
processor is free for pages, computations that measure time are measured alone, and the number of threads stays two
however many visitors ask. A tab has one job in the queue, and another that it requests takes its place. Of the
visitors who wait, the one whose jobs took the least time is next, so the tabs of one visitor share what is his.

There are two queues, each with its own thread: one for jobs of moments and one for jobs of many seconds. A job yields
where it reports progress, and the queue that has used less time continues. So a short job never waits for the end of
a long one, and many short jobs cannot block a long one: if both queues are busy, each gets half of the time.
"""

from __future__ import annotations

from collections import Counter
from threading import Condition, Thread
from time import monotonic, perf_counter
from typing import Protocol

SLICE = 0.05  # seconds that a queue may be ahead before it yields: less than a page waits for an answer
MAX_LEAD = 1.0  # seconds by which a queue that was empty may be ahead when it gets work again; time beyond is forgotten
CHECK_INTERVAL = 1.0  # seconds between two checks of which visitors are still there


class Entry(Protocol):
    """A job in the queue."""

    long: bool
    visitor_name: str  # whose share of the time the job takes

    def do(self) -> None:
        """Do the work in a thread of the queue, and call `WorkQueue.give_way` now and then."""

    def leave_if_visitor_gone(self) -> None:
        """Leave the queue if the visitor is no longer there."""


class _Queue:
    def __init__(self) -> None:
        self.waiting: list[Entry] = []  # in the order of their arrival
        self.running: Entry | None = None
        self.seconds_used = 0.0  # seconds that its jobs have run
        self.of_visitor: dict[str, float] = {}  # the same for each visitor, raised to that of the one who is served
        self.virtual_time = 0.0  # `of_visitor` of the visitor served last
        self.thread: Thread | None = None

    @property
    def busy(self) -> bool:
        return bool(self.waiting) or self.running is not None

    def append(self, entry: Entry) -> None:
        if not self.busy:  # nobody has a lead over anybody
            self.of_visitor.clear()
            self.virtual_time = 0.0
        self.of_visitor[entry.visitor_name] = max(self.of_visitor.get(entry.visitor_name, 0.0), self.virtual_time)
        self.waiting.append(entry)

    def in_order(self) -> list[Entry]:
        """Return the waiting jobs in the order in which they run if all of them take equally long."""
        before = Counter[str]()
        ranks = []
        for entry in self.waiting:
            ranks.append((before[entry.visitor_name], self.of_visitor[entry.visitor_name]))
            before[entry.visitor_name] += 1
        return [entry for _rank, entry in sorted(zip(ranks, self.waiting, strict=True), key=lambda pair: pair[0])]

    def take_next(self) -> None:
        """Begin the first job of the visitor whose jobs took the least time."""
        self.running = min(self.waiting, key=lambda entry: self.of_visitor[entry.visitor_name])
        self.waiting.remove(self.running)
        self.virtual_time = self.of_visitor[self.running.visitor_name]

    def count(self, seconds: float) -> None:
        """Count time that the running job has taken."""
        self.seconds_used += seconds
        if self.running is not None:
            self.of_visitor[self.running.visitor_name] += seconds


class WorkQueue:
    """The queues of the jobs of all visitors. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._queues = {False: _Queue(), True: _Queue()}
        self._running_queue: _Queue | None = None
        self._turn_started = 0.0  # when the running queue started
        self._last_visitor_check = monotonic()

    def enter(self, entry: Entry) -> None:
        """Append a job to its queue."""
        with self._changed:
            queue, other = self._of(entry)
            if not queue.busy and other.busy:  # its earlier time counts, but only within MAX_LEAD
                queue.seconds_used = min(max(queue.seconds_used, other.seconds_used), other.seconds_used + MAX_LEAD)
            queue.append(entry)
            if queue.thread is None or not queue.thread.is_alive():
                queue.thread = Thread(target=self._serve, args=(queue, other), daemon=True)
                queue.thread.start()
            self._changed.notify_all()

    def leave(self, entry: Entry) -> None:
        """Remove a job that has not begun. A job that has begun continues until it finds out by itself."""
        with self._changed:
            waiting = self._of(entry)[0].waiting
            if entry in waiting:
                waiting.remove(entry)

    def position(self, entry: Entry) -> int | None:
        """Return the number of jobs before this one, or None if it is not waiting."""
        with self._changed:
            queue, other = self._of(entry)
            if entry not in queue.waiting:
                return None
            begun = sum(each.running is not None for each in (queue, other))
            return queue.in_order().index(entry) + begun + (len(other.waiting) if entry.long else 0)

    def give_way(self, entry: Entry) -> None:
        """Let the queue with less time run between two parts of a job, and return when the turn comes back."""
        queue, other = self._of(entry)
        with self._changed:
            self._count(queue)
            self._check_visitors()
            if self._comes_first(other, queue):
                self._running_queue = None
                self._changed.notify_all()
                self._wait_for_turn(queue, other)

    @property
    def threads(self) -> int:
        """Return how many threads the queues have."""
        return sum(queue.thread is not None and queue.thread.is_alive() for queue in self._queues.values())

    def entries(self) -> list[Entry]:
        """Return the jobs that have begun and those that wait."""
        with self._changed:
            queues = self._queues.values()
            return [e for queue in queues for e in (queue.running, *queue.waiting) if e is not None]

    def _of(self, entry: Entry) -> tuple[_Queue, _Queue]:
        return self._queues[entry.long], self._queues[not entry.long]

    def _serve(self, queue: _Queue, other: _Queue) -> None:
        while True:
            with self._changed:
                self._wait_for_turn(queue, other)
                queue.take_next()
                entry = queue.running
            assert entry is not None, "a queue that has its turn has a job"
            try:
                entry.do()
            finally:
                with self._changed:
                    self._count(queue)
                    self._running_queue, queue.running = None, None
                    self._changed.notify_all()
                del entry  # the thread keeps waiting, but the finished job can be freed

    def _wait_for_turn(self, queue: _Queue, other: _Queue) -> None:
        """Wait until it is this queue's turn and it has a job, and take the turn."""
        while not queue.busy or self._running_queue is not None or self._comes_first(other, queue):
            self._changed.wait(CHECK_INTERVAL if queue.busy or other.busy else None)
            self._check_visitors()
        self._running_queue, self._turn_started = queue, perf_counter()

    def _count(self, queue: _Queue) -> None:
        now = perf_counter()
        queue.count(now - self._turn_started)
        self._turn_started = now

    @staticmethod
    def _comes_first(queue: _Queue, other: _Queue) -> bool:
        """Return whether a queue with work has used so much less time than the other that it comes first."""
        return queue.busy and queue.seconds_used + SLICE < other.seconds_used

    def _check_visitors(self) -> None:
        if monotonic() - self._last_visitor_check >= CHECK_INTERVAL:
            self._last_visitor_check = monotonic()
            for entry in self.entries():
                entry.leave_if_visitor_gone()
