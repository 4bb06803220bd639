"""A new point classified by kernel values with the support vectors alone (H8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.duality.boards import EIGHT, TWELVE
from svmlab.lab.lessons.duality.expansion import Terms, misprint, terms
from svmlab.lab.lessons.duality.keep import OTHERS
from svmlab.lab.lessons.duality.second import SECOND, required_cvxopt_solutions
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import film, frame, probe, set_dials, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Part, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, row, table
from svmlab.lab.words import N_, _, current_notation, written

START = (-0.9, 1.0)
NOISE = 1e-9  # the rounding error of f


def new_point(stage: Stage) -> Array:
    """Return the new point x, shape (2,)."""
    return np.array([stage.dial("newx1", START[0]), stage.dial("newx2", START[1])])


def expansion(stage: Stage) -> Terms:
    """Return the sum for f(x) over the support vectors."""
    return terms(stage.solution, new_point(stage))


def all_terms(stage: Stage) -> float:
    """Return the sum over all training points, with alpha and b from the second solver."""
    data, dual = stage.data, required_cvxopt_solutions(stage)[1]
    k = stage.lab.kernel_function(data.X, new_point(stage)[None, :])[:, 0]
    return float((dual.alpha * data.y) @ k) + dual.b * stage.lab.bias


def draw(stage: Stage) -> Data:
    """Return the new point and, with the answer, the film of the sum."""
    x = new_point(stage)
    drawn: Data = {"probe": probe("newx1", "newx2", (float(x[0]), float(x[1])), "x")}
    if stage.shown:
        frames = additions(stage)
        course = _("terms of the sum from 0 to {n}").format(n=len(frames) - 1)
        key = f"f {stage.lab.problem.key} {x.tolist()}"
        drawn |= {"film": film(key, frames, course, len(frames) - 1), "sliders": []}
    return drawn


def additions(stage: Stage) -> list[Data]:
    """Return a picture with the bias alone, and one for each support vector: its line to x, and the sum so far."""
    data, x, b = stage.data, new_point(stage), stage.solution.b * stage.lab.bias
    parts = expansion(stage)
    items: list[Data] = []
    frames = [frame(items, _("Without any support vector, the sum is {b}.").format(b=short(b, noise=NOISE)))]
    sums = b + np.cumsum(parts.products)
    for k, (i, product, f) in enumerate(zip(parts.rows, parts.products, sums, strict=True), start=1):
        items = [*items, stroke(np.array([x, data.X[i]]), "plus" if data.y[i] > 0 else "minus")]
        caption = _("Term {k} of {n}: point {i} adds {product}.<br>The sum is now {f}.").format(
            k=k,
            n=len(parts.rows),
            i=i + 1,
            product=short(float(product), noise=NOISE),
            f=short(float(f), noise=NOISE),
        )
        frames.append(frame(items, caption, int(data.ids[i])))
    return frames


def chart(stage: Stage) -> Table:
    """Return the sum for f(x) as a table with one row for each support vector."""
    data, parts = stage.data, expansion(stage)
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [number(float(v), 4, noise=1e-12) for v in cells],
            stage.lab.selected,
        )
        for i, *cells in zip(parts.rows, parts.signed, parts.kernel, parts.products, strict=True)
    ]
    empty = ["<td></td>"] * 2
    foot = (
        [named_row("−b" if current_notation().minus_b else "b", [*empty, number(stage.solution.b, 4)])]
        if stage.lab.bias
        else []
    )
    foot.append(named_row("f(x)", [*empty, number(zero_if_rounding(parts.value, NOISE), 4)], strong=True))
    return Table(table(head(written("αᵢ yᵢ"), "k(xᵢ, x)", _("product")), body, foot))


def says(stage: Stage) -> str:
    """Return what the rows are, and the class of the new point unless it lies on the boundary."""
    f = zero_if_rounding(expansion(stage).value, NOISE)
    if not f:
        return _(
            "Each row is one support vector. The products and $b$ add up to $f(x)$, whose sign is the class of $x$."
        )
    return _(
        "Each row is one support vector. The products and $b$ add up to $f(x)$, up to rounding. Its sign gives the "
        "predicted class of $x$, which is {label} here."
    ).format(label="+1" if f > 0 else "−1")


def more(stage: Stage) -> Sequence[Part]:
    """Return what follows for kernels, and the misprint of the German handout, counted on this board."""
    solution, data = stage.solution, stage.data
    parts: list[Part] = [
        _(
            "**Kernels.** The training points enter $f$ only by the values $k(x_i, x)$. So you can replace the inner "
            "product by another kernel, and you never need $w$. The linear and the Gaussian kernel stay the same if "
            "you turn all points, and $x$ with them, about the origin. Then no term of the sum changes."
        ),
        _(
            "**What the notes say.** Gambosi's English slides state the sum over the set $\\mathcal{S}$ of support "
            "vectors, “$y(\\mathbf{x}) = \\sum_{j \\in \\mathcal{S}} \\lambda_j^* t_j \\kappa(\\mathbf{x}_j, "
            "\\mathbf{x}) + w_0^*$”. This is correct."
        ),
    ]
    if not stage.lab.bias or not stage.lab.kernel_function.is_linear:
        return parts
    f = solution.decision(data.X)
    printed = f - solution.b + misprint(solution, int(solution.alpha.argmax()))
    return [
        *parts,
        _(
            "**A misprint.** Version 4 in Gruber's German handout inserts $b = 1/y_j - \\langle w, x_j\\rangle$ for a "
            "support vector $x_j$. It subtracts $x_j$ from the points $x_i$ instead of from $x$. Because $\\sum_i "
            "\\alpha_i y_i = 0$, $x_j$ then cancels, and $1/y_j$ replaces $b$. On this board, this formula classifies "
            "{wrong} of {m} training points differently. Remark 2 of the handout has the correct form. The formula of "
            "version 4 and the correct one are:"
        ).format(wrong=int(((printed > 0) != (f > 0)).sum()), m=data.m),
        written(r"$$\sum\alpha_iy_i\,(x_i-x_j)^\top x+\tfrac1{y_j}=\langle w,x\rangle+\tfrac1{y_j}$$"),
        written(r"$$\sum\alpha_iy_i\,x_i^\top(x-x_j)+\tfrac1{y_j}=\langle w,x\rangle+b$$"),
    ]


CLASSIFY = Step(
    key="classify",
    title=N_("Classifying a new point"),
    situation=N_(
        "This SVM is trained, so all multipliers $\\alpha_i$ and the bias $b$ are known. The new point $x$ gets the "
        "sign of $f(x) = \\sum_i \\alpha_i y_i\\,k(x_i, x) + b$ as its class. The sum runs over all training points "
        "$x_i$. With the linear kernel, $k(x_i, x)$ is the inner product $\\langle x_i, x\\rangle$. You can drag $x$."
    ),
    question=N_("Which kernel values $k(x_i, x)$ must you compute for the sum $f(x)$ at a new point $x$?"),
    choices=(
        right(N_("Only those with the support vectors")),
        wrong(
            N_("Those with all training points"),
            N_(
                "The sum runs over all training points. However, a point with αᵢ\u00a0=\u00a00 adds 0, so its kernel "
                "value is not needed."
            ),
        ),
        wrong(
            N_("Only the one with the nearest training point"),
            N_(
                "This is another method, called nearest neighbour. An SVM adds the terms of all support vectors, near "
                "or far."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "Only those with the support vectors ({n} of {m} points). All other points have αᵢ\u00a0=\u00a00, so their "
        "terms are 0."
    ).format(n=int(stage.solution.support.sum()), m=stage.data.m),
    board=TWELVE,
    introduces=("kernel", "inner-product"),
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, NONZERO_W, at_most(30), OTHERS, SECOND),
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: draw(stage)["film"]["at"] == int(stage.solution.support.sum()),
    numbers=(
        Measure(
            N_("kernel values"),
            lambda stage: _("{n} of {m}").format(n=int(stage.solution.support.sum()), m=stage.data.m),
            N_("The number of terms in the sum, one for each support vector, among all training points"),
            after_show=True,
        ),
        Measure(
            "f(x)",
            lambda stage: zero_if_rounding(expansion(stage).value, NOISE),
            N_("The sum over the support vectors alone, plus b"),
            after_show=True,
        ),
        Measure(
            N_("with all terms"),
            lambda stage: zero_if_rounding(all_terms(stage), NOISE),
            N_("The sum over all training points, with the multipliers and b of a second solver (cvxopt)"),
            after_show=True,
        ),
    ),
    chart=chart,
    says=says,
    formula=lambda stage: r"f(x)=\sum_{\alpha_i>0}\alpha_i\,y_i\,k(x_i,x)" + ("+b" if stage.lab.bias else ""),
    more=more,
    tries=(
        Try(N_("Another x"), set_dials(newx1=2.0, newx2=-2.5)),
        Try(N_("Gaussian"), set_machine(kernel="gaussian", sigma=2.0, hard=True)),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("H8",),
)
