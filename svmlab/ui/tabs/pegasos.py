"""Pegasos on the board's points against the true optimum and its bound (P1-P8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from svmlab import BadInput, Linear, PegasosRun, Problem, Solution, pegasos, solve
from svmlab.figures.convergence import Words, convergence
from svmlab.ui import text
from svmlab.ui.numbers import short
from svmlab.ui.session import Session
from svmlab.ui.state import Lab
from svmlab.ui.worker import Job

Done = Callable[[], None]
STEPS = (100, 1_000, 10_000, 100_000)
RUNS = (1, 5, 20, 50)
CHART = {"displaylogo": False, "modeBarButtons": [["toImage"]]}


def show(session: Session, done: Done) -> None:
    """Choices at the left, the chart at the right; or why there is nothing to run."""
    lab = session.lab
    if not lab.points:
        st.caption(text.NO_FIGURES)
        return
    if lab.kernel != "linear" or lab.hard:
        st.info(text.PEGASOS_IDLE_HARD if lab.hard else text.PEGASOS_IDLE.format(kernel=text.KERNELS[lab.kernel]))
        values: dict[str, Any] = {"hard": False, "kernel": "linear"}
        st.button(text.PEGASOS_LINEAR, on_click=_send(session, done, values), key="pegasos_linear")
        return
    left, right = st.columns([1, 2.6], gap="medium")
    with left:
        T = st.select_slider(
            text.PEGASOS["T"],
            STEPS,
            10_000,
            format_func=lambda v: f"{v:,}".replace(",", " "),
            key="pegasos_T",
            help=text.PEGASOS_HELP["T"],
            persist_state="session",
        )
        runs = st.select_slider(
            text.PEGASOS["runs"], RUNS, 20, key="pegasos_runs", help=text.PEGASOS_HELP["runs"], persist_state="session"
        )
        seed = st.number_input(
            text.PEGASOS["seed"],
            0,
            999_999,
            0,
            key="pegasos_seed",
            help=text.PEGASOS_HELP["seed"],
            persist_state="session",
        )
        st.caption(text.PEGASOS_LAMBDA.format(lam=short(lab.lam)))
    job = _job(session, lab, int(T), int(runs), int(seed))
    with right:
        # While the work goes on the fragment asks for news by itself; afterwards nothing runs unasked.
        st.fragment(_news, run_every=0.3 if job.running else None)(session, job)


def _job(session: Session, lab: Lab, T: int, runs: int, seed: int) -> Job:
    """The running or finished work for these choices; what was asked for before is called off."""
    key = (lab.data.key, lab.lam, T, runs, seed)
    job = session.job
    if job is None or job.key != key:
        if job is not None:
            job.cancel()
        job = Job(key, lambda report: compare(lab, T, runs, seed, report))
        session.job = job
        job.wait(0.05)
    return job


def compare(lab: Lab, T: int, runs: int, seed: int, report: Callable[[float], None]) -> tuple[PegasosRun, Solution]:
    """The run, and the optimum without bias that it is measured against."""
    best = solve(Problem.from_lambda(lab.data, Linear(), lab.lam, bias=False))
    return pegasos(lab.data, lab.lam, T, runs, seed, on_progress=report), best


def _news(session: Session, job: Job) -> None:
    if job.running:
        st.progress(job.fraction, text.PEGASOS_RUNNING.format(done=f"{job.fraction:.0%}"))
        st.button(text.CANCEL, on_click=job.cancel, key="pegasos_cancel")
        return
    if not session.seen(job):
        st.rerun()  # once: the board draws the line, and this fragment stops asking
    if job.error is not None:
        st.warning(str(job.error) if isinstance(job.error, BadInput) else text.PEGASOS_FAILED)
    elif job.result is None:
        st.caption(text.PEGASOS_CANCELLED)
        st.button(text.PEGASOS_AGAIN, on_click=session.forget_job, key="pegasos_again")
    else:
        _chart(*job.result)


def _chart(run: PegasosRun, best: Solution) -> None:
    F = best.objective * run.lam
    words = Words(**text.PEGASOS_CHART)
    st.plotly_chart(convergence(run, F, words), width="stretch", key="pegasos_chart", config=CHART)
    gaps = {name: float(getattr(run, name)[:, -1].mean()) - F for name in ("average", "last", "suffix")}
    st.caption(
        text.PEGASOS_NOW.format(
            T=int(run.t[-1]), F=short(F), bound=short(float(run.bound[-1])), **{k: short(v, 3) for k, v in gaps.items()}
        )
    )
    st.caption(text.PEGASOS_LINE)


def _send(session: Session, done: Done, values: dict[str, Any]) -> Done:
    def clicked() -> None:
        session.do({"op": "set", "values": values})
        done()

    return clicked
