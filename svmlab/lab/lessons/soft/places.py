"""Where a point can stand: seven places, what its multiplier may be there, and the two products that are 0 (S5, S6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Category
from svmlab.binary.categories import GROUPS
from svmlab.core.arrays import Array
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _

# one half of the points; the other half is its image through the origin, of the other class. At C = 0.1 w = (1/2, 0),
# and
# every place is taken: C + alpha_3 = 1/8 gives the free pair 1/40, the heights -2 and 2 make (2, -2) full and (2, 2)
# idle.
HALF = ((2.0, -2.0), (2.0, 0.0), (2.0, 2.0), (1.0, -1.4), (-1.0, 0.6), (0.0, 2.8), (3.2, 1.0), (2.9, -1.0))
SEVEN = [(sign * x, sign * y, sign) for sign in (1, -1) for x, y in HALF]
SEEN = {"all": N_("all places"), "safe": N_("safe"), "margin": N_("on the margin"), "violating": N_("violating")}
STANDS = {
    Category.OUTSIDE: (N_("outside, y f > 1"), "α = 0, ξ = 0"),
    Category.MARGIN_IDLE: (N_("on the margin line"), "α = 0, ξ = 0"),
    Category.MARGIN_FREE: (N_("on the margin line"), "0 < α < C, ξ = 0"),
    Category.MARGIN_FULL: (N_("on the margin line"), "α = C, ξ = 0"),
    Category.INSIDE: (N_("inside, 0 < y f < 1"), "α = C, 0 < ξ < 1"),
    Category.ON_LINE: (N_("on the boundary"), "α = C, ξ = 1"),
    Category.WRONG: (N_("wrong side, y f < 0"), "α = C, ξ > 1"),
}


def draw(stage: Stage) -> Data:
    """Points elsewhere are dimmed."""
    seen = stage.pick("seen")
    return {} if seen == "all" or not stage.shown else {"focus": {"cats": [c.value for c in GROUPS[seen]]}}


def products(stage: Stage) -> tuple[Array, Array]:
    """Both products of complementary slackness, each (m,)."""
    solution = stage.solution
    first = solution.alpha * (solution.margins - 1 + solution.xi)
    return first, (solution.problem.C - solution.alpha) * solution.xi


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many points stand where, and the largest product."""
    stand = stage.solution.categories
    counts = [reading(_(SEEN[group]), str(sum(c in cats for c in stand))) for group, cats in GROUPS.items()]
    return [*counts, reading(_("products ≤"), float(np.abs(products(stage)).max()))]


def chart(stage: Stage) -> Table:
    """The seven places, or the points of some of them."""
    return Table(_places(stage) if stage.pick("seen") == "all" else _points(stage, GROUPS[stage.pick("seen")]))


def _places(stage: Stage) -> str:
    stand = stage.solution.categories
    here = None if stage.selected_row is None else stand[stage.selected_row]
    rows = (
        table.named_row(_(where), [table.words(what), f"<td>{sum(c is place for c in stand)}</td>"], place is here)
        for place, (where, what) in STANDS.items()
    )
    return table.table(table.head(_("what holds there"), _("points"), first=_("place")), rows)


def _points(stage: Stage, places: tuple[Category, ...]) -> str:
    solution, (first, second) = stage.solution, products(stage)
    rows = [i for i, c in enumerate(solution.categories) if c in places]
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
    return table.table(table.head("y f", "ξ", "α", "α(y f−1+ξ)", "(C−α)ξ"), lines)


def more(stage: Stage) -> Sequence[Part]:
    """The errata, and what can be clicked."""
    return [
        _(
            "Gambosi's English slides (Item characterization) list three cases. They leave out the points "
            "exactly on the "
            "boundary, with slack 1, and that on the margin line $\\alpha_i$ may also be 0 or C."
        ),
        _("In their Lagrangian of the soft margin one sign, before $w_0$, and one index are misprinted."),
        _(
            "Both products are 0 at an optimum: a positive multiplier asks that the constraint is met exactly, and a "
            "positive slack that the multiplier is C. What is left of them here is rounding."
        ),
        _("Choose a group of places to see its points on the board and in the table; a row selects its point."),
    ]


PLACES = Step(
    key="places",
    title=N_("Where a point can stand"),
    question=N_("The multiplier of some point is at its ceiling, αᵢ = C. Where can that point lie?"),
    choices=(
        wrong(
            N_("Only on the wrong side of the boundary"),
            N_("Points inside the strip pay slack as well, and whoever has slack pulls with all of C."),
        ),
        wrong(
            N_("Anywhere strictly short of its margin line"),
            N_("Nearly always. But on the line itself the balance may need all of C, too."),
        ),
        right(N_("On its margin line, or anywhere short of it")),
    ),
    verdict=lambda stage: _("On its margin line, or short of it."),
    board=board_of_points(SEVEN, value=0.1),
    needs=(BOTH_CLASSES, SOFT, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(Pick("seen", N_("Places"), tuple(SEEN), "all", SEEN.__getitem__),),
    chart=chart,
    says=N_("Seven places, each with what αᵢ may be. On the margin line itself that is 0, C, or anything between."),
    formula=r"\alpha_i\,\bigl(y_i f(x_i)-1+\xi_i\bigr)=0, \qquad (C-\alpha_i)\,\xi_i=0",
    more=more,
    tries=(
        Try(N_("All seven places"), board=board_of_points(SEVEN, value=0.1)),
        Try(N_("C = 0.05"), set_machine(face="C", value=0.05)),
        Try(N_("Two blobs"), board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1)),
    ),
    shows=("S5", "S6"),
)
