"""One long piece of work a session: asked for by what it depends on, kept when done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job, Report

PATIENCE = 0.2  # seconds that a page waits by itself before it shows progress


def request_work(session: Session, key: tuple[Any, ...], make: Callable[[Report], Any]) -> Job:
    """The finished or running work under `key`, in line if need be; whatever else was asked for is called off."""
    kept: Job | None = session.cache.entries.get(("work", *key))
    job = kept or session.job
    if job is None or job.key != key or job.was_abandoned:
        session.leave_job()
        job = session.job = Job(key, make)
        job.wait(PATIENCE)
    if job.result is not None:
        session.cache.get_or_compute(("work", *key), lambda: job)
    return job
