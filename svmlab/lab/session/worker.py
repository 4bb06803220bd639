"""Work that takes longer than a blink, away from the page: progress, cancel, and a result to pick up."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.visitor import Visitor
from svmlab.lab.session.work_queue import WorkQueue
from svmlab.lab.words import _

Report = Callable[[float], None]  # takes the fraction done

QUEUE = WorkQueue()  # of this process
JOBS: WeakValueDictionary[str, Job] = WeakValueDictionary()  # every work that there is, by its name


class Cancelled(Exception):
    """Raised inside the work when the person has lost interest."""


@dataclass(frozen=True)
class Long:
    """Work of many seconds, which others of moments need not wait for."""

    make: Callable[[Report], Any]

    def __call__(self, report: Report) -> Any:
        """The work."""
        return self.make(report)


class Job:
    """One piece of work, in line at once. `make` gets a function to report the fraction done to, often: there it steps
    aside or stops.

    `name` names it to the browser, unguessably. It is called off when the visitor who asked for it has left.
    """

    def __init__(self, key: tuple[Any, ...], make: Callable[[Report], Any], queue: WorkQueue = QUEUE) -> None:
        self.key = key
        self.name = secrets.token_hex(8)
        self.long = isinstance(make, Long)
        self.fraction = 0.0
        self.result: Any = None
        self.error: SvmError | None = None
        self.was_abandoned = False  # called off because nobody was there any more: whoever comes back asks anew
        self._finished = False
        self._over = threading.Event()
        self._stop = threading.Event()
        self._make: Callable[[Report], Any] | None = make
        self.translations = words.current_translations()
        self._visitor = Visitor()
        self._queue = queue
        JOBS[self.name] = self
        queue.enter(self)

    @property
    def running(self) -> bool:
        """Whether something is still to come of it."""
        return not self._over.is_set()

    @property
    def finished(self) -> bool:
        """Whether the work came to its end: not called off, no error."""
        return self._finished

    @property
    def queue_position(self) -> int | None:
        """How many works stand in line before it; None once it has begun."""
        return self._queue.position(self)

    def cancel(self) -> None:
        """Nothing is to come of it: it leaves the line, or stops at the next report of progress."""
        self._stop.set()
        self._queue.leave(self)
        self._over.set()

    def leave(self) -> None:
        """The same because nobody is there to see it."""
        if self.running:
            self.was_abandoned = True
            self.cancel()

    def leave_if_visitor_gone(self) -> None:
        """Leave if the visitor has."""
        if self._visitor.is_gone():
            self.leave()

    def wait(self, seconds: float) -> bool:
        """Give the work a moment; whether it is done."""
        return self._over.wait(seconds)

    def progress_text(self) -> str:
        """How far it is, in words."""
        before = self.queue_position
        if before is None:
            return _("Working, {done}").format(done=f"{min(max(self.fraction, 0.0), 1.0):.0%}")
        if before == 0:
            return _("Waiting, you are next")
        return _("Waiting, one before you") if before == 1 else _("Waiting, {n} before you").format(n=before)

    def do(self) -> None:
        """The work itself, in a thread of the line, which lives on whatever happens here."""
        words.set_translations(self.translations)
        make, self._make = self._make, None  # what it holds goes when it is done
        try:
            result = make(self._report) if make is not None else None
            if not self._stop.is_set():
                self.result, self._finished = result, True
        except Cancelled:
            pass
        except BaseException as error:  # SystemExit too; handed to the page, which shows it
            self.error = to_svm_error(error)
        finally:
            self._over.set()

    def _report(self, fraction: float) -> None:
        self.fraction = fraction
        if not self._stop.is_set():
            self._queue.give_way(self)
        if self._stop.is_set():
            raise Cancelled
