"""Long work outside the page: it reports progress, can be cancelled, and keeps its result until it is fetched.

It is abandoned when the visitor who asked for it has left.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.visitors import current_visitor
from svmlab.lab.session.work_queue import WorkQueue
from svmlab.lab.streamlit_internals import is_connected, session_id
from svmlab.lab.words import _

GRACE = 10.0  # seconds that a visitor may be away while a network recovers or a server is replaced


class ConnectionWatch:
    """The connection of the visitor whose page is running when this is created; unknown if no server runs the page."""

    def __init__(self) -> None:
        self._id = session_id()
        self._away: float | None = None  # when the visitor was first found to be away

    def is_gone(self) -> bool:
        """Return whether the visitor has been away for GRACE seconds."""
        if self._id is None or is_connected(self._id):
            self._away = None
            return False
        self._away = monotonic() if self._away is None else self._away
        return monotonic() - self._away >= GRACE


Report = Callable[[float], None]  # takes the fraction done

QUEUE = WorkQueue()  # the queue of this process
JOBS: WeakValueDictionary[str, Job] = WeakValueDictionary()  # every living job by its name


class Cancelled(Exception):
    """Raised inside a job when its result is no longer wanted."""


@dataclass(frozen=True)
class LongWork:
    """A job of many seconds. Jobs of moments need not wait for it."""

    make: Callable[[Report], Any]

    def __call__(self, report: Report) -> Any:
        """Do the work."""
        return self.make(report)


class Job:
    """One long computation, which enters the queue when it is created.

    `make` gets a function that reports the fraction done. It must call this function often, because there the job
    yields or stops.

    `name` identifies the job to the browser and cannot be guessed. The job is cancelled when its visitor has left.
    """

    def __init__(self, key: tuple[Any, ...], make: Callable[[Report], Any], queue: WorkQueue = QUEUE) -> None:
        self.key = key
        self.name = secrets.token_hex(8)
        self.long = isinstance(make, LongWork)
        self.fraction = 0.0
        self.result: Any = None
        self.error: SvmError | None = None
        self.was_abandoned = False  # cancelled because the visitor had left; a visitor who returns requests it anew
        self._finished = False
        self._over = threading.Event()
        self._stop = threading.Event()
        self._make: Callable[[Report], Any] | None = make
        self.translations = words.current_translations()
        self._connection = ConnectionWatch()
        self.visitor_name = current_visitor()
        self._queue = queue
        JOBS[self.name] = self
        queue.enter(self)

    @property
    def running(self) -> bool:
        """Return whether the job has not ended yet."""
        return not self._over.is_set()

    @property
    def finished(self) -> bool:
        """Return whether the job ended with a result: not cancelled, and without an error."""
        return self._finished

    @property
    def queue_position(self) -> int | None:
        """Return the number of jobs before this one, or None once it has begun."""
        return self._queue.position(self)

    def cancel(self) -> None:
        """Cancel the job: remove it from the queue, or stop it at its next report."""
        self._stop.set()
        self._queue.leave(self)
        self._over.set()

    def leave(self) -> None:
        """Abandon the job, because its result is no longer looked at."""
        if self.running:
            self.was_abandoned = True
            self.cancel()

    def leave_if_visitor_gone(self) -> None:
        """Abandon the job if its visitor has left."""
        if self._connection.is_gone():
            self.leave()

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds for the end of the job, and return whether it has ended."""
        return self._over.wait(seconds)

    def progress_text(self) -> str:
        """Return the progress in words."""
        before = self.queue_position
        if before is None:
            return _("Working, {done}").format(done=f"{min(max(self.fraction, 0.0), 1.0):.0%}")
        if before == 0:
            return _("Waiting, you are next")
        return _("Waiting, one before you") if before == 1 else _("Waiting, {n} before you").format(n=before)

    def do(self) -> None:
        """Do the work in a thread of the queue, which must survive every exception."""
        words.set_translations(self.translations)
        make, self._make = self._make, None  # what `make` refers to can be freed at the end
        try:
            result = make(self._report) if make is not None else None
            if not self._stop.is_set():
                self.result, self._finished = result, True
        except Cancelled:
            pass
        except BaseException as error:  # also SystemExit; the page shows it
            self.error = to_svm_error(error)
        finally:
            self._over.set()

    def _report(self, fraction: float) -> None:
        self.fraction = fraction
        if not self._stop.is_set():
            self._queue.give_way(self)
        if self._stop.is_set():
            raise Cancelled
