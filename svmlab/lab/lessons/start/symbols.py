"""The summary of the lesson in the letters of the field."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach import table
from svmlab.lab.teach.overlay import place
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import End, Part, Table
from svmlab.lab.words import N_, _, bias, tex

PROBLEM = (
    r"\begin{gathered}\min_{w,\,b,\,\xi}\ \tfrac12\|w\|^2 + C\sum_i \xi_i \\"
    r"\text{subject to}\quad y_i f(x_i) \ge 1-\xi_i,\ \ \xi_i \ge 0\end{gathered}"
)


def summary(stage: Stage) -> Sequence[Part]:
    """Each letter with its meaning and its value on the board, and the problem that the SVM solves."""
    solution = stage.solution
    assert solution.w is not None
    rows = (
        ("w", _("normal vector of the decision boundary f(x) = ⟨w, x⟩ + b = 0"), place(solution.w)),
        ("b", _("bias, which moves the decision boundary"), short(bias(solution.b), 3, ROUNDING)),
        ("1/‖w‖", _("half the margin width (on the margin lines, f(x) is 1 or −1)"), short(1 / solution.norm_w, 3)),
        (
            "ξ",
            _("slack 1 − y f(x) of a margin violation, else 0 (y is 1 for a disc, −1 for a square); here the largest"),
            short(float(solution.xi.max()), 3, ROUNDING),
        ),
        ("C", _("penalty, called regularisation parameter"), short(solution.problem.C, 3)),
    )
    meaning_title = escape(_("meaning"))
    meaning_head = f'<span class="wide">{meaning_title}</span>'
    cells = [
        table.named_row(letter, [table.words(value, ""), table.words(meaning, "wide")])
        for letter, meaning, value in rows
    ]
    return (
        _("These are the letters that you will meet in all other lessons, with their values on this board."),
        Table(table.table(table.head(_("value"), meaning_head), cells)),
        _("If w is shorter, the margin is wider. The SVM keeps w short and the slack small at the same time:"),
        f"$$\n{tex(PROBLEM)}\n$$",
    )


SYMBOLS = End(
    title=N_("The same in symbols"),
    parts=summary,
    onward=(
        ("margin", N_("Next lesson: the margin")),
        ("lab", N_("Open the lab with your own points")),
    ),
)
