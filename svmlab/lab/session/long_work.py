"""Request one long computation for a session, identified by everything that it depends on, and keep its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job, Report

WAIT_SECONDS = 0.2  # seconds that a page waits before it shows progress


def request_work(session: Session, key: tuple[Any, ...], make: Callable[[Report], Any]) -> Job:
    """Return the finished, running or waiting job under `key`, and call off any other job of the session."""
    finished: Job | None = session.cache.entries.get(("work", *key))
    job = finished or session.job
    if job is None or job.key != key or job.was_abandoned:
        session.leave_job()
        job = session.job = Job(key, make)
        job.wait(WAIT_SECONDS)
    if job.result is not None:
        session.cache.get_or_compute(("work", *key), lambda: job)
    return job
