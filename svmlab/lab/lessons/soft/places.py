"""Where a point lies and which multiplier it has: seven cases, and the two products that are 0 (S5, S6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Category
from svmlab.binary.categories import GROUPS
from svmlab.core.arrays import Array
from svmlab.lab.lessons.soft.walk import SMALL_C, play_C
from svmlab.lab.numbers import short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Part, Pick, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _, written

# One half of the points. The other half is its image through the origin, of the other class. At C = 0.1 w = (1/2, 0),
# and all seven cases occur: C + alpha_3 = 1/8 gives the free pair 1/40, and because of the heights -2 and 2 the
# multiplier of (2, -2) is C and that of (2, 2) is 0.
HALF = ((2.0, -2.0), (2.0, 0.0), (2.0, 2.0), (1.0, -1.4), (-1.0, 0.6), (0.0, 2.8), (3.2, 1.0), (2.9, -1.0))
SEVEN = [(sign * x, sign * y, sign) for sign in (1, -1) for x, y in HALF]
SEEN = {
    "all": N_("all cases"),
    "safe": N_("outside"),
    "margin": N_("margin line"),
    "violating": N_("violations"),
}
CASES = {
    Category.OUTSIDE: (N_("outside, y f > 1"), "α = 0, ξ = 0"),
    Category.MARGIN_IDLE: (N_("on the margin line"), "α = 0, ξ = 0"),
    Category.MARGIN_FREE: (N_("on the margin line"), "0 < α < C, ξ = 0"),
    Category.MARGIN_FULL: (N_("on the margin line"), "α = C, ξ = 0"),
    Category.INSIDE: (N_("inside the margin, 0 < y f < 1"), "α = C, 0 < ξ < 1"),
    Category.ON_LINE: (N_("on the boundary"), "α = C, ξ = 1"),
    Category.WRONG: (N_("wrong side, y f < 0"), "α = C, ξ > 1"),
}
AT_BOUND = (Category.MARGIN_FULL, *GROUPS["violating"])


def count(stage: Stage, *cases: Category) -> int:
    """Return the number of points in these cases."""
    return sum(case in cases for case in stage.solution.categories)


def draw(stage: Stage) -> Data:
    """Highlight the points with alpha = C, or those of the chosen group."""
    if not stage.shown:
        return {}
    seen = stage.pick("seen")
    return {"focus": {"cats": [case.value for case in (AT_BOUND if seen == "all" else GROUPS[seen])]}}


def products(stage: Stage) -> tuple[Array, Array]:
    """Return both products of complementary slackness, each (m,)."""
    solution = stage.solution
    first = solution.alpha * (solution.margins - 1 + solution.xi)
    return first, (solution.problem.C - solution.alpha) * solution.xi


def chart(stage: Stage) -> Table:
    """Return the table of the seven cases, or of the points of one group."""
    return Table(_cases(stage) if stage.pick("seen") == "all" else _points(stage, GROUPS[stage.pick("seen")]))


def _cases(stage: Stage) -> str:
    rows = (
        table.named_row(_(position), [table.words(values), f"<td>{count(stage, case)}</td>"], case in AT_BOUND)
        for case, (position, values) in CASES.items()
    )
    return table.table(table.head(_("multiplier and slack"), _("points"), first=_("position")), rows)


def _points(stage: Stage, cases: tuple[Category, ...]) -> str:
    solution, (first, second) = stage.solution, products(stage)
    rows = [i for i, case in enumerate(solution.categories) if case in cases]
    lines = (
        table.row(
            stage.lab.points[i].id,
            str(stage.lab.points[i].id),
            stage.lab.points[i].label,
            [table.number(float(v[i])) for v in (solution.margins, solution.xi, solution.alpha)]
            + [table.number(float(v[i]), noise=solution.tolerance) for v in (first, second)],
            stage.lab.selected,
        )
        for i in rows
    )
    return table.table(table.head(written("y f"), "ξ", "α", written("α(y f−1+ξ)"), "(C−α)ξ"), lines)


def verdict(stage: Stage) -> str:
    """Return the answer with the number of points at the bound C."""
    words = _(
        "Where y f ≤ 1 (violation or on the margin line). Number of points with αᵢ\u00a0=\u00a0C here: {all}. On "
        "that line: {on}."
    )
    return words.format(all=count(stage, *AT_BOUND), on=count(stage, Category.MARGIN_FULL))


def says(stage: Stage) -> str:
    """Return what the rows are, and what to see."""
    if stage.pick("seen") == "all":
        return _(
            "Each row is one position with one kind of multiplier. The highlighted rows, and the points that are "
            "not faded, have $\\alpha_i = C$. On the margin line, $\\alpha_i$ can be anything from 0 to $C$."
        )
    return _(
        "Each row is one point of this group. At the optimum, the products in the last two columns are 0. Click a row "
        "to select its point on the board."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the largest product, and what the lecture notes state."""
    largest = _("**On this board**, the largest of all products is {largest}, so the conditions hold up to rounding.")
    return [
        _(
            "**Proof.** At the optimum, both products in the formula are 0. If a point violates the margin, "
            "$\\xi_i > 0$, so $\\alpha_i = C$ by the second product. If $\\alpha_i > 0$, then $y_i f(x_i) = 1 - "
            "\\xi_i \\le 1$ by the first one. If $\\alpha_i < C$, then $\\xi_i = 0$, so $y_i f(x_i) \\ge 1$. On "
            "the margin line, both products are 0 for every $\\alpha_i$ from 0 to $C$. There, $\\alpha_i$ "
            "depends on the other points."
        ),
        largest.format(largest=short(float(np.abs(products(stage)).max()), 2, 1e-9)),
        _(
            "**Lecture notes.** Gambosi's slides list three cases for $\\lambda_i$, which is their letter for "
            "$\\alpha_i$. Their list “$\\xi_i = 0, 0 < \\lambda_i < C$ if $\\phi(\\mathbf{x}_i)$ is in the correct "
            "halfspace, on the maximum margin hyperplane” leaves out that $\\alpha_i$ can also be 0 or $C$ there. "
            "Points exactly on the boundary, with slack 1, are in none of their three sets. In their Lagrangian of the "
            "soft margin, one sign before $w_0$ and one index are misprinted."
        ),
        _("**Selecting.** You can choose a group of positions to see its points on the board and in the table."),
    ]


PLACES = Step(
    key="places",
    title=N_("Multipliers in the soft margin"),
    situation=N_(
        "In the dual of the soft margin, each point has a multiplier $\\alpha_i$ (dual variable) with $0 \\le "
        "\\alpha_i \\le C$. The functional margin $y f(x)$ is 1 on the margin line of its class, below 1 if the "
        "point violates the margin, and negative if it is misclassified. A point with two rings has $\\alpha_i = "
        "C$."
    ),
    question=N_("Which positions can a point have if its multiplier is at the upper bound, $\\alpha_i = C$?"),
    choices=(
        wrong(
            N_("Only where y f < 0 (misclassified)"),
            N_(
                "Misclassified points do have αᵢ = C. However, a correct point that violates the margin has αᵢ = C too."
            ),
        ),
        wrong(
            N_("Only where y f < 1 (margin violation)"),
            N_(
                "Every point that violates the margin has αᵢ = C. However, a point on its margin line can have αᵢ = C "
                "too."
            ),
        ),
        right(N_("Where y f ≤ 1 (violation or on the margin line)")),
    ),
    verdict=verdict,
    board=board_of_points(SEVEN, value=0.1),
    needs=(BOTH_CLASSES, SOFT, SOLVED),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C),
    rests_on_answer=lambda stage: count(stage, Category.MARGIN_FULL) > 0 and count(stage, *GROUPS["violating"]) > 0,
    numbers=(
        Measure(SEEN["safe"], lambda stage: str(count(stage, *GROUPS["safe"])), N_("the points with y f(x) > 1")),
        Measure(SEEN["margin"], lambda stage: str(count(stage, *GROUPS["margin"])), N_("the points with y f(x) = 1")),
        Measure(SEEN["violating"], lambda stage: str(count(stage, *GROUPS["violating"])), N_("those with y f(x) < 1")),
    ),
    picks=(Pick("seen", N_("Positions"), tuple(SEEN), "all", SEEN.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\alpha_i\,\bigl(y_i f(x_i)-1+\xi_i\bigr)=0, \qquad (C-\alpha_i)\,\xi_i=0",
    more=more,
    tries=(
        Try(N_("C = 0.05"), set_machine(face="C", value=0.05)),
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("Two clusters"), board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1)),
    ),
    shows=("S5", "S6", "T11"),
)
