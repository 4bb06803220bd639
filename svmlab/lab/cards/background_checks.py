"""Check statements on the present board: each once, outside the page, with the last results kept meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from svmlab import SvmError
from svmlab.lab.session.situation import situation_key, situation_of
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.worker import Job
from svmlab.statements import CATALOGUE, Situation, Verdict

PATIENCE = 0.15  # seconds that a page waits before it shows progress instead


@dataclass
class Checks:
    """The verdicts on one board by id, or the errors that occurred instead. `job` computes those that are missing."""

    board: tuple[str, str, str, float]
    situation: Situation
    found: dict[str, Verdict | SvmError] = field(default_factory=dict)
    job: Job | None = None

    def request(self, ids: Iterable[str]) -> Job | None:
        """Return the job for the missing verdicts of `ids`, started if necessary, or None if none is missing."""
        missing = tuple(key for key in ids if key not in self.found)
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
                self.found[key] = CATALOGUE[key].check(self.situation)
            except Exception as error:  # the other checks continue
                self.found[key] = to_svm_error(error)


@dataclass(frozen=True)
class CheckResults:
    """The present results: verdicts by id, whether they belong to this board, and the unfinished job."""

    found: Mapping[str, Verdict | SvmError]
    fresh: bool
    job: Job | None
    forget_job: Callable[[], None]


def check(session: Session, ids: Iterable[str]) -> CheckResults:
    """Return the verdicts on `ids` for the board of the session, or the last ones while the job runs."""
    ids = tuple(ids)
    lab, outcome = session.lab, session.outcome
    board = situation_key(lab)
    checks: Checks | None = session.board_inputs.get("checks")
    if checks is None or checks.board != board:
        if checks is not None:
            checks.stop()
            if checks.found:
                session.board_inputs["checked"] = checks.found
        checks = session.board_inputs["checks"] = Checks(
            board, situation_of(lab, outcome.solution if outcome else None)
        )
    job = checks.request(ids)
    if job is None:
        return CheckResults(checks.found, True, None, checks.forget_job)
    if session.job is not job:
        session.leave_job()
        session.job = job
    return CheckResults(session.board_inputs.get("checked", {}) | checks.found, False, job, checks.forget_job)
