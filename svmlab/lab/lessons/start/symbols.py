"""What was seen, in the letters of the field."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach import table
from svmlab.lab.teach.overlay import place
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import End, Part, Table
from svmlab.lab.words import N_, _

PROBLEM = (
    r"\begin{gathered}\min_{w,\,b,\,\xi}\ \tfrac12\|w\|^2 + C\sum_i \xi_i \\"
    r"y_i f(x_i) \ge 1-\xi_i,\ \ \xi_i \ge 0\end{gathered}"
)


def said(stage: Stage) -> Sequence[Part]:
    """Each letter with what it stands for and its value on the board, and the problem that the machine solves."""
    solution = stage.solution
    assert solution.w is not None
    rows = (
        ("w", _("points straight across the street, where f climbs fastest"), place(solution.w)),
        ("b", _("where it lies: on the line, f(x) = ⟨w, x⟩ + b is 0"), short(solution.b, 3, ROUNDING)),
        ("1/|w|", _("half its width: on its edges, f is 1 and −1"), short(1 / solution.norm_w, 3)),
        (
            "ξ",
            _("the slack of a point, in half streets; here the largest"),
            short(float(solution.xi.max()), 3, ROUNDING),
        ),
        ("C", _("the price of slack"), short(solution.problem.C, 3)),
    )
    it_is = escape(_("what it is"))
    what = f'<span class="wide">{it_is}</span>'
    cells = [
        table.named_row(letter, [table.words(value, ""), table.words(meaning, "wide")])
        for letter, meaning, value in rows
    ]
    return (
        _("The same street as before, in the letters that you will meet from here on."),
        Table(table.table(table.head(_("here"), what), cells)),
        _("The shorter w, the wider the street. The machine keeps w short and the slack little, both at once:"),
        f"$$\n{PROBLEM}\n$$",
    )


SYMBOLS = End(
    title=N_("In symbols"),
    parts=said,
    onward=(
        ("margin", N_("Go on: how wide is the street?")),
        ("lab", N_("Open the lab with your own points")),
    ),
)
