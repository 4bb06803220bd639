"""One long piece of work a session: asked for by what it depends on, shown with progress and cancel, kept when done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from svmlab.lab import words
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job
from svmlab.lab.words import _

PATIENCE = 0.2  # seconds that a page waits by itself before it shows progress


def ask(session: Session, key: tuple[Any, ...], make: Callable[[Callable[[float], None]], Any]) -> Job:
    """The finished or running work under `key`, started if need be; whatever else was running is called off."""
    kept: Job | None = session.cache.entries.get(("work", *key))
    job = kept or session.job
    if job is None or job.key != key:
        if session.job is not None:
            session.job.cancel()
        job = session.job = Job(key, make)
        job.wait(PATIENCE)
    if job.result is not None:
        session.cache.once(("work", *key), lambda: job)
    return job


def show(session: Session, job: Job, draw: Callable[[Any], None]) -> None:
    """The result drawn, or progress and cancel while the work goes on; when it ends the page runs once more."""
    if job.running:
        st.fragment(_news, run_every=0.3)(job)
    elif job.error is not None:
        st.warning(words.told(job.error))
    elif job.result is None:
        st.caption(_("Cancelled."))
        st.button(_("Run"), on_click=session.forget_job, key="work_again")
    else:
        draw(job.result)


def _news(job: Job) -> None:
    if not job.running:
        st.rerun()
    st.progress(min(max(job.fraction, 0.0), 1.0), _("Running, {done}").format(done=f"{job.fraction:.0%}"))
    st.button(_("Cancel"), on_click=job.cancel, key="work_cancel")
