"""F at one place, term by term from kernel values with the support vectors (H8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.duality.boards import EIGHT, TWELVE
from svmlab.lab.lessons.duality.expansion import Terms, misprint, terms
from svmlab.lab.lessons.duality.second import SECOND, cvxopt_w_and_b
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import film, frame, reading, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, row, table
from svmlab.lab.words import N_, _


def asking(stage: Stage) -> int:
    """The row of the point that stands for the new place u: the selected one, or the first that is no support
    vector.
    """
    if stage.selected_row is not None:
        return stage.selected_row
    return int(stage.solution.support.argmin())


def found(stage: Stage) -> Terms:
    """The sum for f at u."""
    return terms(stage.solution, stage.data.X[asking(stage)])


def draw(stage: Stage) -> Data:
    """The film of the comparisons, once the answer is shown."""
    if not stage.shown:
        return {}
    i = asking(stage)
    made = stage.cached(f"film of f {i}", lambda: comparing(stage))
    return {"film": made, "sliders": [], "selected": stage.lab.points[i].id}


def comparing(stage: Stage) -> Data:
    """One frame a support vector: a line from u to it, and the sum so far."""
    data, i, sum_ = stage.data, asking(stage), found(stage)
    u, so_far = data.X[i], 0.0
    items: list[Data] = []
    start = _("Point {i} is u. The sum is empty, and begins with b = {b}.") if stage.lab.bias else _("Point {i} is u.")
    frames = [frame(items, start.format(i=i + 1, b=short(stage.solution.b, noise=1e-9)))]
    for n, product in zip(sum_.rows, sum_.products, strict=True):
        so_far += float(product)
        items = [*items, stroke(np.array([u, data.X[n]]), "plus" if data.y[n] > 0 else "minus")]
        caption = _("Compared with point {n}: α y k = {product}.<br>So far f = {f}").format(
            n=n + 1,
            product=short(float(product), noise=1e-9),
            f=short(so_far + stage.solution.b * stage.lab.bias, noise=1e-9),
        )
        frames.append(frame(items, caption, int(data.ids[n])))
    return film(f"f {i} {stage.lab.problem.key}", frames, len(frames) - 1)


def numbers(stage: Stage) -> Sequence[Reading]:
    """With how many u is compared, and f by this sum and by the other solver."""
    if not stage.shown:
        return ()
    i, sum_, (w, b) = asking(stage), found(stage), cvxopt_w_and_b(stage)
    return [
        reading(_("compared with"), _("{n} of {m}").format(n=len(sum_.rows), m=stage.data.m)),
        reading("f(u)", zero_if_rounding(sum_.value, 1e-9)),
        reading(_("other solver"), zero_if_rounding(float(stage.situation.Phi[i] @ w) + b, 1e-9)),
    ]


def chart(stage: Stage) -> Table:
    """The sum for f at u, a row a support vector."""
    data, sum_, b = stage.data, found(stage), stage.solution.b
    body = [
        row(
            int(data.ids[n]),
            str(n + 1),
            float(data.y[n]),
            [number(float(v), 4, noise=1e-12) for v in (a, k, p)],
            stage.lab.selected,
        )
        for n, a, k, p in zip(sum_.rows, sum_.signed, sum_.kernel, sum_.products, strict=True)
    ]
    empty = ["<td></td>"] * 2
    foot = [named_row("b", [*empty, number(b, 4)])] if stage.lab.bias else []
    foot.append(named_row("f(u)", [*empty, number(zero_if_rounding(sum_.value, 1e-9), 4)], strong=True))
    return Table(table(head("αₙ yₙ", "k(xₙ, u)", _("product")), body, foot))


def more(stage: Stage) -> Sequence[Part]:
    """The misprint of the German handout, counted on this board."""
    solution, data = stage.solution, stage.data
    out: list[Part] = [
        _(
            "Nothing but inner products enters: turn all points together, and every term stays. So a kernel "
            "may stand in "
            "their place."
        )
    ]
    if not stage.lab.bias or not stage.lab.kernel_function.is_linear or solution.w is None:
        return out
    f = solution.decision(data.X)
    printed = f - solution.b + misprint(solution, int(solution.alpha.argmax()))
    wrong = int(((printed > 0) != (f > 0)).sum())
    return [
        *out,
        _(
            "**A misprint to know.** Gruber's German handout puts b in through a support vector $x^*$ and "
            "subtracts it in the "
            "wrong place. Since $\\sum\\alpha_n y_n = 0$ it cancels there, and b is gone. Here the printed "
            "line puts {wrong} of "
            "{m} points on the other side. Printed, and right:"
        ).format(wrong=wrong, m=data.m),
        r"$$\sum\alpha_ny_n\,(x_n-x^*)^\top u+\tfrac1{y^*}=\langle w,u\rangle+\tfrac1{y^*}$$",
        r"$$\sum\alpha_ny_n\,x_n^\top(u-x^*)+\tfrac1{y^*}=\langle w,u\rangle+b$$",
    ]


def quarter(stage: Stage) -> Op:
    """Every point turned by a right angle about the origin, exactly."""
    return {"op": "points", "points": [[p.id, -p.y / 1000, p.x / 1000, p.label] for p in stage.lab.points]}


CLASSIFY = Step(
    key="classify",
    title=N_("Classifying a new point"),
    question=N_(
        "A new place $u$ comes in. To decide its class one compares it with points of the board, through $k(x_i, u)$. "
        "With which of them?"
    ),
    choices=(
        right(N_("Only the support vectors")),
        wrong(
            N_("All of them"), N_("The sum runs over all, but a point with α = 0 adds nothing: it may be forgotten.")
        ),
        wrong(
            N_("The nearest one"), N_("That is another method: nearest neighbour. Here every support vector has a say.")
        ),
    ),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, at_most(30), SECOND),
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    chart=chart,
    says=N_("The sign of the sum is the class. Once the machine is trained, all other points may be thrown away."),
    formula=lambda stage: (
        r"f(u)=\sum_n\alpha_n\,y_n\,k(x_n,u)" + ("+b" if stage.lab.bias else "") + r",\quad \alpha_n>0"
    ),
    more=more,
    tries=(
        Try(N_("A quarter turn"), quarter),
        Try(N_("Gaussian"), set_machine(kernel="gaussian", sigma=2.0, hard=True)),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("H8",),
)
