"""Statements checked on the present board: each once, away from the page that waits, the last answers kept
meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from svmlab import SvmError
from svmlab.lab.session.situation import key_of, situation_of
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job
from svmlab.statements import CATALOGUE, Situation, Verdict

PATIENCE = 0.15  # seconds that a page waits before it shows progress instead


@dataclass
class Checks:
    """Verdicts on one board, by its key, or the errors that came instead; `job` works through those still missing."""

    board: tuple[str, str, str, float]
    situation: Situation
    found: dict[str, Verdict | SvmError] = field(default_factory=dict)
    job: Job | None = None

    def want(self, ids: Iterable[str]) -> Job | None:
        """The work on what is missing of `ids`, begun if need be; None where nothing is."""
        missing = tuple(key for key in ids if key not in self.found)
        if not missing:
            return None
        if self.job is None or self.job.was_abandoned or not set(missing) <= set(self.job.key):
            self.stop()
            self.job = Job(missing, lambda report: self._work(missing, report))
            self.job.wait(PATIENCE)
        return None if self.job.finished else self.job

    def stop(self) -> None:
        """Call the work off."""
        if self.job is not None:
            self.job.cancel()

    def again(self) -> None:
        """Let the work that was called off be done after all."""
        self.job = None

    def _work(self, ids: tuple[str, ...], report: Callable[[float], None]) -> None:
        for i, key in enumerate(ids):
            report(i / len(ids))
            try:
                self.found[key] = CATALOGUE[key].check(self.situation)
            except Exception as error:  # the others go on
                self.found[key] = to_svm_error(error)


@dataclass(frozen=True)
class CheckResults:
    """What can be shown now: verdicts by id, whether they are of this board, and the work that still goes on."""

    found: Mapping[str, Verdict | SvmError]
    fresh: bool
    job: Job | None
    again: Callable[[], None]


def check(session: Session, ids: Iterable[str]) -> CheckResults:
    """The verdicts on `ids` for the board of the session, or the last ones while the work goes on."""
    ids = tuple(ids)
    lab, outcome = session.lab, session.outcome
    board = key_of(lab)
    now: Checks | None = session.board_inputs.get("checks")
    if now is None or now.board != board:
        if now is not None:
            now.stop()
            if now.found:
                session.board_inputs["checked"] = now.found
        now = session.board_inputs["checks"] = Checks(board, situation_of(lab, outcome.solution if outcome else None))
    job = now.want(ids)
    if job is None:
        return CheckResults(now.found, True, None, now.again)
    if session.job is not job:
        session.leave_job()
        session.job = job
    return CheckResults(session.board_inputs.get("checked", {}) | now.found, False, job, now.again)
