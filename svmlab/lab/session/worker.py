"""Work that takes longer than a blink, in a thread of its own: progress, cancel, and a result to pick up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.session.mishap import told


class Cancelled(Exception):
    """Raised inside the work when the person has lost interest."""


class Job:
    """One piece of work, started at once. `make` gets a function to report the fraction done to."""

    def __init__(self, key: tuple[Any, ...], make: Callable[[Callable[[float], None]], Any]) -> None:
        self.key = key
        self.fraction = 0.0
        self.result: Any = None
        self.error: SvmError | None = None
        self._finished = False
        self._stop = threading.Event()
        self._make = make
        self._translations = words.spoken()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the work goes on."""
        return self._thread.is_alive()

    @property
    def finished(self) -> bool:
        """Whether the work came to its end: not called off, no error."""
        return self._finished

    def cancel(self) -> None:
        """Stop at the next report of progress."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Give the work a moment; whether it is done."""
        self._thread.join(seconds)
        return not self.running

    def _report(self, fraction: float) -> None:
        if self._stop.is_set():
            raise Cancelled
        self.fraction = fraction

    def _work(self) -> None:
        words.use(self._translations)
        try:
            self.result = self._make(self._report)
            self._finished = True
        except Cancelled:
            pass
        except Exception as error:  # handed to the page, which shows it
            self.error = told(error)
