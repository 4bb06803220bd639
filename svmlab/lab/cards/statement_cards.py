"""Statements as cards: the claim, its sources, and the result of its check on the present board."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from itertools import groupby

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from svmlab import SvmError
from svmlab.lab import frame, words
from svmlab.lab.cards import background_checks
from svmlab.lab.cards.card_face import card_markdown, outcome_of
from svmlab.lab.frame import work_progress
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.controls import BINARY, VALUES
from svmlab.lab.session.state import Lab, Point, smallest_view, with_valid_labels
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE, Statement, Verdict, Witness

LESSONS = {
    "margin": N_("Margin"),
    "duality": N_("Duality"),
    "soft": N_("Soft margin"),
    "losses": N_("Losses"),
    "pegasos": "Pegasos",
    "kernels": N_("Kernels"),
    "generalisation": N_("Generalisation"),
    "extensions": N_("Extensions"),
}
TALLY = {
    "holds": N_("{n} hold"),
    "fails": N_("{n} fail"),
    "idle": N_("{n} do not apply"),
    "error": N_("{n} could not be checked"),
}


def show(session: Session, ids: Iterable[str], done: OnChange, lessons: bool = False) -> None:
    """Show a card for each statement. `lessons` adds a link to the page that shows it.

    While checks run, the last results stay (dimmed), so that no card moves. Without any, the cards wait for all of
    them.
    """
    ids = list(ids)
    answer = background_checks.check(session, ids)
    with st.container(key="checks_state"):
        _state(ids, answer, len(session.lab.points))
    pages = frame.pages() if lessons else {}
    groups = [(page, list(members)) for page, members in groupby(ids_with_result(ids, answer), lambda s: s.page)]
    for page, members in groups:
        name = escape(_(LESSONS[page]))
        st.html(f'<h2 class="{"sv-group" if len(groups) > 1 else "sv-heard"}">{name}</h2>')
        for statement in members:
            with st.container(border=True, key=f"card_{statement.id}"), unexpected_errors.showing_errors():
                _card(session, statement, answer, done, pages.get(page))


def ids_with_result(ids: Iterable[str], answer: background_checks.CheckResults) -> list[Statement]:
    """Return the statements that have a result, grouped by lesson."""
    statements = [CATALOGUE[key] for key in ids if key in answer.found]
    return sorted(statements, key=lambda statement: list(LESSONS).index(statement.page))


def _card(
    session: Session,
    statement: Statement,
    answer: background_checks.CheckResults,
    done: OnChange,
    page: StreamlitPage | None,
) -> None:
    st.markdown(
        card_markdown(statement, answer.found[statement.id], answer.fresh), unsafe_allow_html=True, anchors=False
    )
    witness = statement.witness
    lent = witness is not None and witness.task != BINARY  # the person's own points have two classes
    opens = witness is not None and not (lent and page is not None)
    if not opens and page is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if lent and opens and session.board_key == session.step:
            st.button(_("Back to your points"), key=f"back_{statement.id}", on_click=_back(session, done))
        elif witness is not None and opens:
            st.button(
                _("Open the board that refutes the print")
                if statement.repair
                else _("Open a board that shows why it is worded so"),
                key=f"witness_{statement.id}",
                help=_("Your points come back when you leave it.") if lent else _("Undo brings your board back."),
                on_click=_open(session, witness, done),
            )
        if page is not None:
            st.page_link(page, label=_("See it in the lesson {page}").format(page=page.title))


def _state(ids: list[str], answer: background_checks.CheckResults, m: int) -> None:
    """Show one line above the cards: the results, or the progress of the checks."""
    job = answer.job
    if job is None:
        st.caption(tally([answer.found[key] for key in ids], m))
    elif job.running:
        work_progress.show_progress(job, lambda: None, "checks")
    elif job.finished:  # it ended after it was requested
        st.rerun()
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(words.message_of(job.error) if job.error else _("The check was called off."))
            st.button(_("Check again"), key="checks_again", on_click=answer.forget_job)


def tally(found: Iterable[Verdict | SvmError], m: int) -> str:
    """Return in words how many statements hold, fail, do not apply, or ended in an error."""
    counts = Counter(outcome_of(v) for v in found)
    parts = ", ".join(_(part).format(n=counts[each]) for each, part in TALLY.items() if counts[each])
    if not counts:
        return _("No statement matches.")
    return _("Checked on the {m} points of this board: {said}.").format(m=m, said=parts)


def _open(session: Session, witness: Witness, done: OnChange) -> OnChange:
    def clicked() -> None:
        board = witness_lab(session.lab, witness)
        if witness.task == BINARY:
            session.do({"op": "load", "lab": board})
        else:
            session.show_board(session.step, board)
        done()

    return clicked


def _back(session: Session, done: OnChange) -> OnChange:
    def clicked() -> None:
        session.show_board(None)
        done()

    return clicked


def witness_lab(lab: Lab, witness: Witness) -> Lab:
    """Return the witness as a Lab with the present settings of the view."""
    points = tuple(
        Point(i, round(1000 * float(x)), round(1000 * float(y)), int(label))
        for i, ((x, y), label) in enumerate(zip(witness.X, witness.y, strict=True), start=1)
    )
    kernel, hard = witness.kernel, math.isinf(witness.C)
    board = Lab(
        points=points,
        task=witness.task,
        preset=lab.preset,
        kernel=kernel.name,
        face="C",
        value=lab.value if hard and lab.face == "C" else 1.0 if hard else witness.C,
        hard=hard,
        bias=witness.bias,
        view=smallest_view(points),
        label=lab.label,
        eps=witness.eps if witness.task == VALUES else lab.eps,
    )
    return with_valid_labels(replace(board, **{p.name: getattr(kernel, p.name) for p in kernel.parameters}))
