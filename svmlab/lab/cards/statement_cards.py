"""Statements as cards: the claim, its sources, and the result of its check on the present board.

The checks run in the background.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby

import streamlit as st

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.board.hidden_parts import hides_classifier
from svmlab.lab.cards.card_markdown import NO_STEPS, card_markdown, outcome_of
from svmlab.lab.cards.statement_map import Steps
from svmlab.lab.frame import work_progress
from svmlab.lab.session import inbox, unexpected_errors
from svmlab.lab.session.controls import BINARY, VALUES
from svmlab.lab.session.lab import Lab, Point, smallest_view, with_valid_labels
from svmlab.lab.session.situation import situation_key, situation_of
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE, Situation, Statement, Verdict, Witness

SECRET = N_("The link hides settings of this board. The checks would reveal them, so no statement is checked here.")
PATIENCE = 0.15  # seconds that a page waits before it shows progress instead


@dataclass
class Checks:
    """The verdicts on one board by id, or the errors that occurred instead. `job` computes those that are missing."""

    board: tuple[str, str, str, float]
    situation: Situation
    verdicts: dict[str, Verdict | SvmError] = field(default_factory=dict)
    job: Job | None = None

    def request(self, ids: Iterable[str]) -> Job | None:
        """Return the job for the missing verdicts of `ids`, started if necessary, or None if none is missing."""
        missing = tuple(key for key in ids if key not in self.verdicts)
        if not missing:
            return None
        if self.job is None or self.job.was_abandoned or not set(missing) <= set(self.job.key):
            self.stop()
            self.job = Job(missing, lambda report: self._work(missing, report))
            self.job.wait(PATIENCE)
        return None if self.job.finished else self.job

    def stop(self) -> None:
        """Cancel the job."""
        if self.job is not None:
            self.job.cancel()

    def forget_job(self) -> None:
        """Forget the cancelled job, so that it can run again."""
        self.job = None

    def _work(self, ids: tuple[str, ...], report: Callable[[float], None]) -> None:
        for i, key in enumerate(ids):
            report(i / len(ids))
            try:
                self.verdicts[key] = CATALOGUE[key].check(self.situation)
            except Exception as error:  # the other checks continue
                self.verdicts[key] = to_svm_error(error)


@dataclass(frozen=True)
class CheckResults:
    """The present results: verdicts by id, whether they belong to this board, and the unfinished job.

    verdicts: None where the result must not be shown.
    """

    verdicts: Mapping[str, Verdict | SvmError | None]
    is_current: bool
    job: Job | None
    forget_job: Callable[[], None]


def check(session: Session, ids: Iterable[str]) -> CheckResults:
    """Return the verdicts on `ids` for the board of the session, or the last ones while the job runs."""
    ids = tuple(ids)
    lab, outcome = session.lab, session.outcome
    board = situation_key(lab)
    checks: Checks | None = session.lessons.statement_checks
    if checks is None or checks.board != board:
        if checks is not None:
            checks.stop()
            if checks.verdicts:
                session.lessons.earlier_verdicts = checks.verdicts
        checks = session.lessons.statement_checks = Checks(
            board, situation_of(lab, outcome.solution if outcome else None)
        )
    job = checks.request(ids)
    if job is None:
        return CheckResults(checks.verdicts, True, None, checks.forget_job)
    if session.job is not job:
        session.leave_job()
        session.job = job
    return CheckResults(session.lessons.earlier_verdicts | checks.verdicts, False, job, checks.forget_job)


LESSONS = {
    "margin": N_("Margin"),
    "duality": N_("Duality"),
    "soft": N_("Soft margin"),
    "losses": N_("Losses"),
    "pegasos": "Pegasos",
    "kernels": N_("Kernels"),
    "generalisation": N_("Generalisation"),
    "extensions": N_("Multiclass and regression"),
}
TALLY = {
    "holds": N_("hold: {n}"),
    "fails": N_("fail: {n}"),
    "idle": N_("do not apply: {n}"),
    "error": N_("could not be checked: {n}"),
}


def show(session: Session, ids: Iterable[str], done: OnChange, steps: Steps = NO_STEPS, lends: bool = True) -> None:
    """Show a card for each statement, with links to the steps that show it.

    lends: whether the page can show a board of another task. Where the link hides a setting of the board, nothing is
    checked, because a result would reveal it.

    While checks run, the last results stay (dimmed), so that no card moves. Without any, the cards wait for all of
    them.
    """
    ids = list(ids)
    is_secret = session.boards.shown is None and hides_classifier(session.link.hidden)
    answer = CheckResults(dict.fromkeys(ids), True, None, lambda: None) if is_secret else check(session, ids)
    with st.container(key="checks_state"):
        if is_secret:
            st.caption(_(SECRET))
        else:
            _state(ids, answer, len(session.lab.points))
    groups = [(page, list(members)) for page, members in groupby(ids_with_result(ids, answer), lambda s: s.page)]
    for page, members in groups:
        name = escape(_(LESSONS[page]))
        st.html(f'<h2 class="{"sv-group" if len(groups) > 1 else "sv-heard"}">{name}</h2>')
        for statement in members:
            with st.container(border=True, key=f"card_{statement.id}"), unexpected_errors.showing_errors():
                _card(session, statement, answer, done, steps, lends)


def ids_with_result(ids: Iterable[str], answer: CheckResults) -> list[Statement]:
    """Return the statements that have a result, grouped by lesson."""
    statements = [CATALOGUE[key] for key in ids if key in answer.verdicts]
    return sorted(statements, key=lambda statement: list(LESSONS).index(statement.page))


def _card(
    session: Session,
    statement: Statement,
    answer: CheckResults,
    done: OnChange,
    steps: Steps,
    lends: bool,
) -> None:
    text = card_markdown(statement, answer.verdicts[statement.id], answer.is_current, steps)
    st.markdown(text, unsafe_allow_html=True, anchors=False)
    witness = statement.witness
    lent = witness is not None and witness.task != BINARY  # the person's own points have two classes
    if witness is None or (lent and not lends):
        return
    if lent and session.boards.shown == session.step:
        st.button(_("Back to your points"), key=f"back_{statement.id}", on_click=_back(session, done))
    else:
        st.button(
            _("Open the board on which the claim of the notes fails")
            if statement.repair
            else _("Open the board on which the false variant fails"),
            key=f"witness_{statement.id}",
            help=_("When you leave it, your points come back.") if lent else _("Undo brings your board back."),
            on_click=_open(session, witness, done),
        )


def _state(ids: list[str], answer: CheckResults, m: int) -> None:
    """Show one line above the cards: the results, or the progress of the checks."""
    job = answer.job
    if job is None:
        st.caption(tally([verdict for key in ids if (verdict := answer.verdicts[key]) is not None], m))
    elif job.running:
        work_progress.show_progress(job, lambda: None, "checks")
    elif job.finished:  # it ended after it was requested
        st.rerun()
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(words.message_of(job.error) if job.error else _("The check was cancelled."))
            st.button(_("Check again"), key="checks_again", on_click=answer.forget_job)


def tally(verdicts: Iterable[Verdict | SvmError], m: int) -> str:
    """Return in words how many statements hold, fail, do not apply, or ended in an error."""
    counts = Counter(outcome_of(v) for v in verdicts)
    parts = ", ".join(_(part).format(n=counts[each]) for each, part in TALLY.items() if counts[each])
    if not counts:
        return _("No statement matches.")
    return _("Checked on this board (points: {m}). Statements that {results}.").format(m=m, results=parts)


def _open(session: Session, witness: Witness, done: OnChange) -> OnChange:
    def clicked() -> None:
        board = witness_lab(session.lab, witness)
        if witness.task == BINARY:
            inbox.do(session, {"op": "load", "lab": board})
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
