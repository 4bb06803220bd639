"""The message of the board in words."""

from __future__ import annotations

from svmlab import NotSeparable
from svmlab.lab import words
from svmlab.lab.numbers import format_interval, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.state import History
from svmlab.lab.words import N_, _
from svmlab.solvers.bias import bias_is_unique

UNPROVEN = N_(
    "Not proven: the numbers of this board are too far apart for the exact method. What you see is "
    "the best that was found, with a duality gap of {gap}."
)
CLIPPED = N_(
    "{kernel} is not a kernel in the strict sense: on these points its matrix has the eigenvalue "
    "{value}, so the problem is not convex. What you see is the optimum of a changed problem, with "
    "the negative eigenvalues set to 0."
)
ALPHA = N_("α is not unique here (w is). Shown is the α of least norm.")
WITNESS = N_("The marked points prove it: their hulls meet.")
WITNESS_AT = N_("The marked points prove it: their hulls meet at the cross.")


def message(history: History, outcome: Outcome | None) -> dict[str, str] | None:
    """Return the message of the board, or None.

    It is about the last operation and about why there is no solution. If neither applies, it is about the solution.
    """
    warnings = [_(history.note)] if history.note else []
    if outcome is not None and outcome.error is not None:
        warnings.append(words.message_of(outcome.error) + _where(outcome))
    if warnings:
        return {"tone": "warn", "text": " ".join(warnings)}
    if outcome is None:
        return None
    solution = outcome.solution
    assert solution is not None
    data = solution.problem.data
    if solution.problem.bias and not data.both_classes:
        present_label = int(data.y[0])
        names = {1: "+1", -1: "−1"}
        template = _(
            "Only class {present} is here, so there is nothing to separate: w = 0. Add points of class "
            "{absent} (key {key})."
        )
        key = 1 if present_label < 0 else 2
        return {
            "tone": "info",
            "text": template.format(present=names[present_label], absent=names[-present_label], key=key),
        }
    sentences = [] if solution.proven else [_(UNPROVEN).format(gap=short(solution.gap, 2))]
    if solution.clipped is not None:
        sentences.append(_(CLIPPED).format(kernel=_(solution.problem.kernel.subject), value=short(solution.clipped, 3)))
    if solution.norm_w == 0:
        sentences.append(
            _(
                "Here w = 0: f is the same everywhere, and no boundary appears. Another kernel or a larger C may "
                "find one."
            )
        )
    elif solution.problem.kernel.is_linear and solution.norm_w * history.present.view * 2 < 1:
        sentences.append(_("The margin lines lie beyond the edge: at this C the margin is wider than the board."))
    lo, hi = solution.b_interval
    if not bias_is_unique(lo, hi):
        first, last = format_interval(lo, hi)
        sentences.append(
            _("b is not unique: every b from {lo} to {hi} is optimal. The middle is drawn.").format(lo=first, hi=last)
        )
    if solution.alpha_unique is False:
        sentences.append(_(ALPHA))
    return {"tone": "info", "text": " ".join(sentences)} if sentences else None


def _where(outcome: Outcome) -> str:
    if isinstance(outcome.error, NotSeparable) and len(outcome.error.separation.witness):
        met = outcome.error.separation.point is not None
        return " " + _(WITNESS_AT if met else WITNESS)
    return ""
