"""The way out for a board whose problem needs more work than a page waits for: solve it in the work queue."""

from __future__ import annotations

from typing import Any

import streamlit as st

from svmlab.core.errors import TooMuchWork
from svmlab.lab.frame import work_progress
from svmlab.lab.session import long_work
from svmlab.lab.session.cache import SOLVE_ANYWAY, Result, solve_without_limit
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.session.worker import Job, LongWork, Report
from svmlab.lab.words import _

EXPECTED = 4e9  # operations: the most that a board of 300 points was found to need


def show_offer(session: Session, lab: Lab, changed: OnChange) -> None:
    """Show under a board that could not be solved at once a button to solve it anyway, and then the progress.

    `changed` runs the parts of the page again that show the solution.
    """
    unsolved = next((each for each in (lab, lab.second_lab) if each is not None and _is_too_much(session, each)), None)
    if unsolved is None:
        return
    key = ("without limit", unsolved.task, unsolved.key)

    def take(job: Job | None) -> None:
        if job is not None and job.finished:
            session.cache.store_outcome(unsolved, job.result)
        changed()

    def start() -> None:
        session.forget_job()
        take(long_work.request_work(session, key, LongWork(lambda report: _solve(unsolved, report))))

    job = session.job if session.job is not None and session.job.key == key else None
    if job is not None and job.running:
        work_progress.show_progress(job, lambda: take(job), "anyway")
    else:
        st.button(_(SOLVE_ANYWAY), on_click=start, key="anyway")


def _is_too_much(session: Session, lab: Lab) -> bool:
    known = session.cache.known_outcome(lab)
    return known is not None and isinstance(known.error, TooMuchWork)


def _solve(lab: Lab, report: Report) -> Result[Any]:
    done = 0.0

    def count(operations: float) -> None:
        nonlocal done
        done += operations
        report(min(done / EXPECTED, 0.99))

    return solve_without_limit(lab, count)
