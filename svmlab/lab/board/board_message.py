"""The message of the board in words."""

from __future__ import annotations

from collections.abc import Collection

from svmlab import NotSeparable
from svmlab.lab import words
from svmlab.lab.board.hidden_parts import KERNEL
from svmlab.lab.numbers import format_interval, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.state import History
from svmlab.lab.words import N_, _, bias_interval
from svmlab.solvers.bias import bias_is_unique

UNPROVEN = N_(
    "Not certified. The numbers of this board differ too much in size for the exact method. You see the best "
    "solution that was found, with a duality gap of {gap}."
)
CLIPPED = N_(
    "{kernel} is not positive semidefinite, because its Gram matrix has the eigenvalue {value} on these points. "
    "So the problem is not convex. You see the optimum of a changed problem, in which the negative eigenvalues "
    "are 0."
)
THE_KERNEL = N_("The kernel")
ALPHA = N_("α is not unique here, although w is. You see the α of smallest norm.")
WITNESS = N_("The marked points prove it, because their convex hulls meet.")
WITNESS_AT = N_("The marked points prove it, because their convex hulls meet at the diamond.")


def message(history: History, outcome: Outcome | None, hidden: Collection[str] = ()) -> dict[str, str] | None:
    """Return the message of the board, or None. A hidden kernel is not named.

    It is about the last operation and about why there is no solution. If neither applies, it is about the solution.
    """
    error = None if outcome is None or outcome.error is None else words.message_of(outcome.error) + _where(outcome)
    if history.note or error:
        return of_operation(history, error)
    if outcome is None:
        return None
    solution = outcome.solution
    assert solution is not None
    data = solution.problem.data
    if solution.problem.bias and not data.both_classes:
        present_label = int(data.y[0])
        names = {1: "+1", -1: "−1"}
        template = _(
            "Only class {present} has points, so there is nothing to separate and w = 0. Add points of class "
            "{absent} (key {key})."
        )
        key = 1 if present_label < 0 else 2
        return {
            "tone": "info",
            "text": template.format(present=names[present_label], absent=names[-present_label], key=key),
        }
    sentences = [] if solution.proven else [_(UNPROVEN).format(gap=short(solution.gap, 2))]
    if solution.clipped_eigenvalue is not None:
        subject = THE_KERNEL if KERNEL in hidden else solution.problem.kernel.subject
        sentences.append(_(CLIPPED).format(kernel=_(subject), value=short(solution.clipped_eigenvalue, 3)))
    if solution.norm_w == 0:
        sentences.append(
            _(
                "Here w = 0, so f is the same everywhere and there is no boundary. Another kernel, a larger C or "
                "balanced class costs may give one."
            )
        )
    elif solution.problem.kernel.is_linear and solution.norm_w * history.present.view * 2 < 1:
        sentences.append(
            _("The margin lines are outside the board, because at this C the margin is wider than the board.")
        )
    lo, hi = bias_interval(solution.b_interval)
    if not bias_is_unique(lo, hi):
        first, last = format_interval(lo, hi)
        sentences.append(
            _("b is not unique. Every b from {lo} to {hi} is optimal. You see the middle one.").format(
                lo=first, hi=last
            )
        )
    if solution.alpha_unique is False:
        sentences.append(_(ALPHA))
    return {"tone": "info", "text": " ".join(sentences)} if sentences else None


def of_operation(history: History, error: str | None) -> dict[str, str]:
    """Return the message about the last operation, and about the error that leaves the board without a solution.

    It is a warning, unless the operation succeeded and there is no error.
    """
    is_warning = bool(error) or not history.note_is_success
    parts = [_(history.note)] if history.note else []
    return {"tone": "warn" if is_warning else "info", "text": " ".join([*parts, error] if error else parts)}


def _where(outcome: Outcome) -> str:
    if isinstance(outcome.error, NotSeparable) and len(outcome.error.separation.witness):
        met = outcome.error.separation.point is not None
        return " " + _(WITNESS_AT if met else WITNESS)
    return ""
