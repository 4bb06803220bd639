"""The progress of long work on a page that waits for it: a line, a button to cancel, and a run of the page at the end.

The line asks the server by itself, over a route beside the pages. A fragment of the page that runs every moment would
do the same for about ten times the work. If such a run breaks off a run of the page, its parts can also reach a
browser that has no place for them yet.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from svmlab.lab import words
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import JOBS, Job
from svmlab.lab.streamlit_internals import path_below_base
from svmlab.lab.words import _

PATH = "work"
EVERY, PATIENT = 300, 1000  # ms between two requests for work that runs and for work that waits

_line = st.components.v2.component(
    "svmlab_work",
    html='<div class="sv-work" role="progressbar" aria-valuemin="0" aria-valuemax="100"><span></span><i></i></div>',
    js=(Path(__file__).parent / "work_progress.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show_progress(job: Job, over: Callable[[], None], key: str) -> None:
    """Show the progress of unfinished work, and a cancel button.

    `over` is called in a run of the surrounding fragment when the work has ended.
    """
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key=f"{key}_going"):
        show_progress_line(job, over, key)
        st.button(_("Cancel"), on_click=job.cancel, key=f"{key}_cancel")


def show_progress_line(job: Job, over: Callable[[], None], key: str) -> None:
    """Show only the line."""
    data = {"ask": f"{PATH}?job={job.name}", "name": _("Progress"), **state(job)}
    _line(data=data, key=f"{key}_line", on_over_change=over)


def show(session: Session, job: Job, draw: Callable[[Any], None]) -> None:
    """Show the result by `draw`, or the progress of the work. When it ends, the surrounding fragment runs once more."""
    if job.running:
        show_progress(job, lambda: None, "work")
    elif job.error is not None:
        st.warning(words.message_of(job.error))
    elif job.result is None:
        st.caption(_("Cancelled."))
        st.button(_("Run"), on_click=session.forget_job, key="work_again")
    else:
        draw(job.result)


def state(job: Job | None) -> dict[str, Any]:
    """Return what the line shows, and after how many ms it asks again.

    `job` is None if there is no such work any more.
    """
    if job is None or not job.running:
        return {"going": False}
    again = EVERY if job.queue_position is None else PATIENT
    return {"going": True, "said": job.progress_text(), "done": min(max(job.fraction, 0.0), 1.0), "again": again}


async def _state(request: Request) -> JSONResponse:
    job = JOBS.get(request.query_params.get("job", ""))
    if job is not None:
        words.set_translations(job.translations)
    return JSONResponse(state(job), headers={"Cache-Control": "no-store"})


def route() -> Route:
    """Return the route that the line asks: beside the pages, below the server's base path if it has one."""
    return Route(path_below_base(PATH), _state)
