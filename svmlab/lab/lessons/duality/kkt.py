"""The KKT conditions of each point, in particular complementary slackness (H4, S6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from svmlab import Category
from svmlab.core.arrays import Index
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.conditions import Conditions, conditions
from svmlab.lab.lessons.duality.second import SECOND, cvxopt_w_and_b
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.teach.overlay import select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Need, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _, written

TOLERANCE = 1e-6
TYPES = {
    Category.OUTSIDE: N_("beyond margin line"),
    Category.MARGIN_IDLE: N_("on margin line"),
    Category.MARGIN_FREE: N_("on margin line"),
    Category.MARGIN_FULL: N_("on margin line"),
    Category.INSIDE: N_("inside margin"),
    Category.ON_LINE: N_("on boundary"),
    Category.WRONG: N_("misclassified"),
}
FIRST = (Category.WRONG, Category.ON_LINE, Category.INSIDE, Category.MARGIN_FULL, Category.MARGIN_FREE)

SOME_OUTSIDE = Need(
    lambda stage: Category.OUTSIDE in stage.solution.categories,
    N_("On this board, no point lies beyond its margin line."),
    {},
)


def residuals(stage: Stage) -> Conditions:
    """Return the KKT residuals for w and b of the second solver and alpha of the exact method."""
    return stage.cached(
        "conditions",
        lambda: conditions(stage.lab.problem, stage.situation.Phi, *cvxopt_w_and_b(stage), stage.solution.alpha),
    )


def rows_in_order(stage: Stage) -> Index:
    """Return all rows: first violated conditions, then positive slack, support vectors, alpha = 0, and the others."""
    categories, kkt = stage.solution.categories, residuals(stage)
    rank = [FIRST.index(c) if c in FIRST else 8 if c is Category.OUTSIDE else 7 for c in categories]
    return np.lexsort((np.arange(len(rank)), np.array(rank), kkt.worst <= TOLERANCE))


def draw(stage: Stage) -> Data:
    """Mark the points beyond their margin line, by the segment from it with a linear kernel, or else by a circle."""
    if not stage.shown:
        return {}
    data, solution, half = stage.data, stage.solution, stage.lab.view
    is_outside = np.array([c is Category.OUTSIDE for c in solution.categories])
    if not stage.lab.kernel_function.is_linear or not solution.norm_w:
        return {"overlay": [stroke(np.r_[x, 0.05 * half], "witness-line", "disc") for x in data.X[is_outside]]}
    assert solution.w is not None
    slack = (solution.margins - 1.0) * data.y / solution.norm_w**2
    ends = data.X - slack[:, None] * solution.w
    return {
        "overlay": [
            stroke(np.array([end, x]), "witness-line")
            for end, x in zip(ends[is_outside], data.X[is_outside], strict=True)
        ]
    }


def chart(stage: Stage) -> Table:
    """Show one row for each point. A click selects it."""
    kkt, data, hard, C = residuals(stage), stage.data, stage.lab.hard, stage.lab.C
    body = []
    for i in rows_in_order(stage):
        alpha, xi = float(kkt.alpha[i]), float(kkt.xi[i])
        over = zero_if_rounding(float(kkt.yf[i]) - 1.0, 1e3 * ROUNDING)
        cells = [number(over, 3), number(alpha, 3)]
        if not hard:
            cells += [
                number(zero_if_rounding(xi, 1e3 * ROUNDING), 3),
                number(zero_if_rounding((C - alpha) * xi, 1e3 * ROUNDING), 2),
            ]
        product = zero_if_rounding(alpha * (float(kkt.yf[i]) - 1.0 + xi), 1e3 * ROUNDING)
        kind = "good" if float(kkt.worst[i]) <= TOLERANCE else "bad"
        cells += [number(product, 2, kind), words(_(TYPES[stage.solution.categories[i]]))]
        body.append(row(int(data.ids[i]), str(i + 1), float(data.y[i]), cells, stage.lab.selected))
    slack = () if hard else ("ξ", "(C−α) ξ")
    last = written("α (y f − 1)" if hard else "α (y f−1+ξ)")
    heading = head(written("y f − 1"), "α", *slack, last, '<span class="wide">' + _("position") + "</span>")
    return Table(table(heading, body))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the residuals of the conditions for all points together, and the largest one of a single point."""
    if not stage.shown:
        return ()
    kkt = residuals(stage)
    readings = [
        Reading(
            written("‖w − Σ α y x‖"), *_residual(kkt.stationarity), _("Stationarity: w must equal the sum of all α y x")
        )
    ]
    if kkt.balance is not None:
        readings.append(
            Reading(
                written("|Σ α y|"), *_residual(kkt.balance), _("The multipliers of both classes must have the same sum")
            )
        )
    largest = _residual(float(kkt.worst.max()))
    return [
        *readings,
        Reading(_("largest residual"), *largest, _("Largest violation of a condition of a single point")),
    ]


def _residual(value: float) -> tuple[str, str]:
    return short(value, 2, 1e3 * ROUNDING), repr(value)


def says(stage: Stage) -> str:
    """Say how to read the table, and how far the two solvers agree if that is not within the tolerance."""
    kkt = residuals(stage)
    if not kkt.hold(TOLERANCE):
        return _(
            "Each row is a training point. Here $w, b$ come from one solver and α from another. They satisfy the "
            "conditions up to {largest}."
        ).format(largest=short(float(kkt.worst.max()), 2))
    if not stage.lab.kernel_function.is_linear:
        return _(
            "Each row is a training point. In each product of its row, one factor is 0. The pink circles mark the "
            "points with $y_if(x_i)>1$. Click a row to select its point."
        )
    return _(
        "Each row is a training point. In each product of its row, one factor is 0. The pink segments lead from "
        "the margin lines to the points with $y_if(x_i)>1$."
    )


def more(stage: Stage) -> Sequence[Part]:
    """List all conditions, and what follows from them."""
    return [
        _(
            "**All KKT conditions.** An SVM is optimal if and only if some multipliers satisfy all of these conditions "
            "with it. The first line is called stationarity, and $\\sum_i\\alpha_iy_i=0$ belongs to an SVM with a "
            "bias. The second line is feasibility, and the third is **complementary slackness**. With a hard margin "
            "all slack variables $\\xi_i$ are 0, and there is no $C$."
        ),
        written(r"$$w=\sum_i\alpha_iy_ix_i,\qquad \sum_i\alpha_iy_i=0$$"),
        written(r"$$y_if(x_i)\ge1-\xi_i,\quad \xi_i\ge0,\quad 0\le\alpha_i\le C$$"),
        written(r"$$\alpha_i\,(y_if(x_i)-1+\xi_i)=0,\quad (C-\alpha_i)\,\xi_i=0$$"),
        _(
            "**What follows.** A point with $\\alpha_i>0$ is called a **support vector**. With a hard margin it lies "
            "on its margin line. The converse is false, because a point on its margin line can have $\\alpha_i=0$. "
            "With a soft margin, $\\xi_i>0$ implies $\\alpha_i=C$."
        ),
        _(
            "**Two solvers.** The table combines $w$ and $b$ of one solver with α of another. This is a real test of "
            "the conditions, because neither solver used the result of the other."
        ),
    ]


def one_that(supports: bool) -> Callable[[Stage], Op]:
    """Return the operation that selects the support vector of largest alpha, or the point of largest y f."""

    def op(stage: Stage) -> Op:
        solution = stage.solution
        rows = np.flatnonzero(solution.support if supports else ~solution.support)
        if not len(rows):
            return select_point(None)
        largest = rows[(solution.alpha if supports else solution.margins)[rows].argmax()]
        return select_point(float(stage.data.ids[largest]))

    return op


KKT = Step(
    key="kkt",
    title=N_("The KKT conditions"),
    introduces=("kkt", "complementary-slackness", "support-vector"),
    situation=N_(
        "The **KKT conditions** (Karush, Kuhn, Tucker) hold for every optimal SVM. They connect the functional margin "
        "$y_if(x_i)$ of each training point with its multiplier $\\alpha_i\\ge0$. A point with $y_if(x_i)>1$ lies "
        "beyond its margin line, and its constraint $y_if(x_i)\\ge1$ is called **inactive**."
    ),
    question=N_("Which multiplier $\\alpha_i$ can a training point with $y_if(x_i)>1$ have in an optimal SVM?"),
    choices=(
        right(N_("Only α\u00a0=\u00a00")),
        wrong(
            N_("Only a positive α"),
            N_(
                "Such a point is classified safely, so it may seem important. However, an inactive constraint has the "
                "multiplier 0."
            ),
        ),
        wrong(
            N_("Every α ≥ 0"),
            N_(
                "No multiplier is negative. However, α\u00a0(y\u00a0f(x)\u00a0−\u00a01) must also be 0, and here the "
                "second factor is positive."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "Only α\u00a0=\u00a00, because α\u00a0(y\u00a0f(x)\u00a0−\u00a01) must be 0 and y\u00a0f(x)\u00a0>\u00a01. The "
        "number of such points is {n} on this board."
    ).format(n=stage.solution.categories.count(Category.OUTSIDE)),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, at_most(30), SOME_OUTSIDE, SECOND),
    draw=draw,
    rests_on_answer=lambda stage: bool(draw(stage)["overlay"]),
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
        Try(N_("Farthest point"), one_that(supports=False)),
        Try(N_("Support vector"), one_that(supports=True)),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H4",),
)
