"""The optimality conditions point by point (H4, S6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from svmlab import Category
from svmlab.core.arrays import Index
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.conditions import Conditions, conditions
from svmlab.lab.lessons.duality.second import SECOND, cvxopt_w_and_b
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.teach.overlay import reading, select_point, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _

TOLERANCE = 1e-6
FORCED = {
    Category.OUTSIDE: N_("outside"),
    Category.MARGIN_IDLE: N_("idle"),
    Category.MARGIN_FREE: N_("support vector"),
    Category.MARGIN_FULL: N_("at C"),
    Category.INSIDE: N_("inside"),
    Category.ON_LINE: N_("on the line"),
    Category.WRONG: N_("wrong side"),
}
WITH_SLACK = FORCED | {Category.MARGIN_FREE: N_("margin")}  # with slack those inside are support vectors too
TELLING = (Category.WRONG, Category.ON_LINE, Category.INSIDE, Category.MARGIN_FULL, Category.MARGIN_FREE)

BEYOND = Need(
    lambda stage: Category.OUTSIDE in stage.solution.categories,
    N_("No point lies beyond its margin line here."),
    {},
)


def put_in(stage: Stage) -> Conditions:
    """The w and b of the second solver and the alpha of the exact method, put into the conditions."""
    return stage.cached(
        "conditions",
        lambda: conditions(stage.lab.problem, stage.situation.Phi, *cvxopt_w_and_b(stage), stage.solution.alpha),
    )


def telling(stage: Stage) -> Index:
    """All rows, those first of which most can be learnt: broken conditions, then slack, support vectors, idle ones, the
    rest.
    """
    categories, found = stage.solution.categories, put_in(stage)
    rank = [TELLING.index(c) if c in TELLING else 8 if c is Category.OUTSIDE else 7 for c in categories]
    return np.lexsort((np.arange(len(rank)), np.array(rank), found.worst <= TOLERANCE))


def chart(stage: Stage) -> Table:
    """A row a point; a click selects it."""
    found, data, hard, C = put_in(stage), stage.data, stage.lab.hard, stage.lab.C
    forced = FORCED if hard else WITH_SLACK
    body = []
    for i in telling(stage):
        alpha, xi = float(found.alpha[i]), float(found.xi[i])
        over = zero_if_rounding(float(found.yf[i]) - 1.0, 1e3 * ROUNDING)
        cells = [number(over, 3), number(alpha, 3)]
        if not hard:
            cells += [
                number(zero_if_rounding(xi, 1e3 * ROUNDING), 3),
                number(zero_if_rounding((C - alpha) * xi, 1e3 * ROUNDING), 2),
            ]
        product = zero_if_rounding(alpha * (float(found.yf[i]) - 1.0 + xi), 1e3 * ROUNDING)
        kind = "good" if float(found.worst[i]) <= TOLERANCE else "bad"
        cells += [
            number(product, 2, kind),
            words(_(forced[stage.solution.categories[i]])),
        ]
        body.append(row(int(data.ids[i]), str(i + 1), float(data.y[i]), cells, stage.lab.selected))
    slack = () if hard else ("ξ", "(C−α) ξ")
    last = "α (y f − 1)" if hard else "α (y f−1+ξ)"
    heading = head("y f − 1", "α", *slack, last, '<span class="wide">' + _("so it is") + "</span>")
    return Table(table(heading, body))


def numbers(stage: Stage) -> Sequence[Reading]:
    """What must balance for the machine as a whole, and the worst of all lines."""
    if not stage.shown:
        return ()
    found = put_in(stage)
    balance = [] if found.balance is None else [reading("|Σ α y|", short(found.balance, 2, 1e3 * ROUNDING))]
    return [
        reading("|w − Σ α y x|", short(found.stationarity, 2, 1e3 * ROUNDING)),
        *balance,
        reading(_("worst residual"), short(float(found.worst.max()), 2, 1e3 * ROUNDING)),
    ]


def says(stage: Stage) -> str:
    """What was put together, and whether it holds."""
    if put_in(stage).hold(TOLERANCE):
        return _(
            "One of the two factors is 0 on every line. Here $w$ and $b$ come from one solver and $\\alpha$ "
            "from another: "
            "neither saw the other."
        )
    return _(
        "Here $w$ and $b$ come from one solver and $\\alpha$ from another. They agree to {worst} on this "
        "board, and no better."
    ).format(worst=short(float(put_in(stage).worst.max()), 2))


def more(stage: Stage) -> Sequence[Part]:
    """The conditions in full."""
    return [
        _(
            "A machine is optimal **exactly when** all of these hold (Karush, Kuhn and Tucker). A point "
            "beyond its margin line "
            "has $y f > 1$, so $\\alpha = 0$; a point with $\\alpha > 0$ has $y f = 1$; on the margin with "
            "$\\alpha = 0$ both "
            "factors are 0. With slack, $\\xi > 0$ forces $\\alpha = C$. Without a bias the sum of "
            "$\\alpha_i y_i$ is not "
            "asked to be 0."
        ),
        r"$$w=\sum_i\alpha_iy_ix_i,\qquad \sum_i\alpha_iy_i=0$$",
        r"$$y_if(x_i)\ge1-\xi_i,\quad \xi_i\ge0,\quad 0\le\alpha_i\le C$$",
        r"$$\alpha_i\,(y_if(x_i)-1+\xi_i)=0,\quad (C-\alpha_i)\,\xi_i=0$$",
    ]


def one_that(supports: bool) -> Callable[[Stage], Op]:
    """The operation that selects the heaviest support vector, or the point furthest beyond its margin line."""

    def op(stage: Stage) -> Op:
        solution = stage.solution
        among = np.flatnonzero(solution.support if supports else ~solution.support)
        if not len(among):
            return select_point(None)
        best = among[(solution.alpha if supports else solution.margins)[among].argmax()]
        return select_point(float(stage.data.ids[best]))

    return op


KKT = Step(
    key="kkt",
    title=N_("Line by line: KKT"),
    question=N_(
        "Each point has a margin $y f(x)$ and a multiplier $\\alpha$. A point lies **beyond** its margin "
        "line, $y f > 1$. "
        "What must its multiplier be?"
    ),
    choices=(
        right(N_("Exactly 0")),
        wrong(N_("Positive"), N_("A safe point might seem to count most, but the line leans on the nearest only.")),
        wrong(N_("Anything from 0 up"), N_("The sign allows it, but α (y f − 1) = 0 leaves no room where y f > 1.")),
    ),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, at_most(30), BEYOND, SECOND),
    numbers=numbers,
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"\alpha_i\ge0,\quad y_if(x_i)\ge1,\quad \alpha_i\,(y_if(x_i)-1)=0"
        if stage.lab.hard
        else r"\alpha_i\,(y_if(x_i)-1+\xi_i)=0,\quad (C-\alpha_i)\,\xi_i=0"
    ),
    more=more,
    tries=(
        Try(N_("Far beyond"), one_that(supports=False)),
        Try(N_("Support vector"), one_that(supports=True)),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H4",),
)
