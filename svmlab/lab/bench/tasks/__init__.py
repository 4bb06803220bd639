"""The parts behind a board of several classes or of values: selected point, certificate, program and files.

Only the open part is computed.
"""

from __future__ import annotations

from importlib import import_module

import streamlit as st

from svmlab.lab import words
from svmlab.lab.bench import confusion_table
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.bench.tabs import files, reveals_hidden
from svmlab.lab.bench.tasks.inspector import inspector
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _
from svmlab.multiclass import OneVsRestSolution

POINT, ERRORS, PROOF, CODE, FILES = "point", "confusion", "certificate", "code", "files"
PARTS = {
    POINT: N_("Point"),
    ERRORS: confusion_table.TITLE,
    PROOF: N_("Certificate"),
    CODE: N_("Code"),
    FILES: N_("Files"),
}


def show(session: Session, done: OnChange) -> None:
    """Show the bar and the open part.

    Nothing here is a fragment, because a run that is broken off leaves out the parents of a fragment.
    """
    with st.container(key="behind"):
        key = "behind_part"
        of_task = [part for part in PARTS if part != ERRORS or session.lab.task == CLASSES]  # a value has no class
        parts = [part for part in of_task if not reveals_hidden(session, part)]
        if st.session_state.get(key) not in parts:
            st.session_state[key] = POINT
        chosen = st.segmented_control(
            _("The board"),
            parts,
            format_func=lambda part: _(PARTS[part]),
            key=key,
            persist_state="session",
            label_visibility="collapsed",
            required=True,
        )
        with unexpected_errors.showing_errors():
            if chosen == FILES:
                files.show(session, done)
            else:
                _machine(session, chosen or POINT)


def _machine(session: Session, part: str) -> None:
    """Show a part that is about the solution, or why there is no solution."""
    lab = session.lab
    outcome = session.cache.task_outcome(lab) if lab.points else None
    if outcome is None or outcome.solution is None:
        st.caption(words.message_of(outcome.error) if outcome and outcome.error else _(NO_FIGURES))
    elif part == POINT:
        st.html(inspector(lab, outcome.solution, session.link.hidden))
    elif isinstance(outcome.solution, OneVsRestSolution) and part == ERRORS:
        st.html(confusion_table.of_classes(lab, outcome.solution))
    else:  # imported when it is opened, like the tabs of the page Lab
        import_module(f"{__name__}.{part}").show(session, outcome.solution)
