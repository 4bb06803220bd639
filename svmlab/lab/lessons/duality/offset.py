"""The bias b that each training point gives, and the points that give the optimal one (H7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.lessons.duality.boards import TWELVE
from svmlab.lab.lessons.duality.expansion import biases
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import film, frame, line_strokes, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Op, Part, Step, Try, right, wrong
from svmlab.lab.words import N_, _, bias
from svmlab.plane.contours import level_lines, value_grid
from svmlab.plane.geometry import Line
from svmlab.plot.frame import axis_range_around, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette


def rounding(stage: Stage) -> float:
    """Return the rounding error of b: values that differ by less are equal."""
    return max(1e-7, 1e3 * stage.solution.noise)


def errors(stage: Stage) -> Array:
    """Return how far the b of each point is from the optimal one, shape (m,)."""
    return np.abs(biases(stage.solution) - stage.solution.b)


FREE = Need(
    lambda stage: bool(stage.solution.free.any()),
    N_("On these points no multiplier lies strictly between 0 and C, so b need not be unique."),
    {"hard": True},
)
DIFFERENT = Need(
    lambda stage: bool(errors(stage).max() > rounding(stage)),
    N_("Here every point lies on its margin line, so every point gives the optimal b."),
    {},
)


def order(stage: Stage) -> Index:
    """Return the rows from the largest error of b to the smallest, and a free support vector as the last."""
    solution = stage.solution
    return np.lexsort((solution.alpha * solution.free, solution.free, -errors(stage)))


def row(stage: Stage) -> int:
    """Return the row of the selected point, or of the free support vector at which the film ends."""
    return int(order(stage)[-1]) if stage.selected_row is None else stage.selected_row


def draw(stage: Stage) -> Data:
    """Return the film of the boundaries for the b of each point."""
    if not stage.shown:
        return {}
    frames = stage.cached(f"film of b {stage.lab.view}", lambda: boundaries(stage))
    at = order(stage).tolist().index(row(stage))
    key = f"b {stage.lab.problem.key} {row(stage)}"
    course = _("the {n} points, one after the other").format(n=len(frames))
    return {"film": film(key, frames, course, at, speed=5), "sliders": [], "selected": stage.lab.points[row(stage)].id}


def boundaries(stage: Stage) -> list[Data]:
    """Return one picture for each point: the boundary for its b, where f = b - b_i for the f of the board."""
    solution, b, error, half = stage.solution, biases(stage.solution), errors(stage), stage.lab.view
    w = solution.w if stage.lab.kernel_function.is_linear else None
    values = value_grid(solution, half)[::-1] if w is None else np.empty((0, 0))
    frames = []
    for k, i in enumerate(order(stage).tolist(), start=1):
        if w is not None:
            strokes = line_strokes(Line(w, float(b[i])), half, "accent")
        else:
            strokes = [stroke(pts, "accent") for pts in level_lines(values, half, solution.b - float(b[i]))]
        if error[i] <= rounding(stage):
            words = _("{k} of {n}: point {i} gives b = {b}.<br>This is the optimal b.")
        else:
            words = _("{k} of {n}: point {i} gives b = {b}.<br>With this b, the boundary would move to the green line.")
        caption = words.format(k=k, n=len(b), i=i + 1, b=short(bias(float(b[i])), noise=rounding(stage)))
        frames.append(frame(strokes, caption, int(stage.data.ids[i])))
    return frames


def verdict(stage: Stage) -> str:
    """Return the number of points with 0 < alpha < C, and the b that all of them give."""
    solution = stage.solution
    return _(
        "For all points with 0\u00a0<\u00a0αᵢ\u00a0<\u00a0C ({n} here). They lie exactly on their margin lines, so "
        "each gives b\u00a0=\u00a0{b}."
    ).format(n=int(solution.free.sum()), b=short(bias(solution.b), noise=rounding(stage)))


def says(stage: Stage) -> str:
    """Return what the two rows of marks are."""
    others = bias(biases(stage.solution)[~stage.solution.free])
    return _(
        "Each mark is the value $b_i$ of one point. In the upper row, all values equal the optimal $b$ (vertical "
        "line). In the lower row, they lie between {lo} and {hi}."
    ).format(
        lo=short(float(others.min()), 3, rounding(stage)),
        hi=short(float(others.max()), 3, rounding(stage)),
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the practice, and what the notes say."""
    solution = stage.solution
    b, mean = (
        biases(solution),
        _(
            "**In practice**, some programs, such as LIBSVM, take the mean of $b_i$ over all points with $0 < "
            "\\alpha_i < C$, because each value has a rounding error."
        ),
    )
    of_support = float(b[solution.support].mean())
    if abs(of_support - solution.b) > rounding(stage):
        mean += " " + _(
            "On this board, the mean over all {n} support vectors would be {mean} instead of {b}, because some of them "
            "have slack."
        ).format(
            n=int(solution.support.sum()),
            mean=short(bias(of_support), noise=rounding(stage)),
            b=short(bias(solution.b), noise=rounding(stage)),
        )
    return [
        _(
            "**Proof.** By the KKT conditions, $\\alpha_i > 0$ implies $y_i f(x_i) = 1 - \\xi_i$, and $\\alpha_i < C$ "
            "implies $\\xi_i = 0$. Together they give $y_i f(x_i) = 1$. Because $y_i$ is 1 or −1, this is the same as "
            "$b = y_i - \\langle w, x_i\\rangle$. With a kernel, $\\langle w, x_i\\rangle$ is the sum $\\sum_j "
            "\\alpha_j y_j\\,k(x_j, x_i)$. A point with $\\alpha_i = 0$ can lie on its margin line too, but "
            "$\\alpha_i$ does not tell you this."
        ),
        mean,
        _(
            "**If no multiplier lies strictly between 0 and C**, then $b$ need not be unique. The optimal values form "
            "an interval, which can be a single number."
        ),
        _(
            "**What the notes say.** Gambosi's English slides compute b “for any support vector $\\mathbf{x}_k$ "
            "(characterized by the condition $\\lambda_k \\geq 0$)”. Every training point satisfies this condition. "
            "The correct one is $\\lambda_k > 0$ for a hard margin, and $0 < \\lambda_k < C$ with slack. Gruber's "
            "German handout states for a support vector: “$b = (1/y^{(n^*)}) - w^T x^{(n^*)}$”. This is the same "
            "formula, because $1/y = y$."
        ),
    ]


def dots(
    values: Array, y: Array, ids: Index, free: Mask, b: float, selected: int | None, hard: bool, palette: Palette
) -> go.Figure:
    """Return the b of each point (m,) on one axis, the `free` points in the upper row, and the optimal b as a line."""
    figure = empty_chart(palette, _("bᵢ of each point"), height=250, top=34)
    lo, hi = axis_range_around(np.append(values, b))
    hover = _("point") + " %{customdata[1]}<br>b = %{x:.8g}<extra></extra>"
    for sign in (1, -1):
        of_class = y == sign
        height = _heights(values[of_class], free[of_class], sign, 0.03 * (hi - lo))
        custom = np.stack([ids[of_class], np.flatnonzero(of_class) + 1], 1)
        chosen = ids[of_class] == selected
        figure.add_trace(
            marks.points(palette, values[of_class], height, y[of_class], custom, chosen, name=str(sign), hover=hover)
        )
    marks.add_rule(figure, palette, palette.text, x=b, width=2, layer="below")
    figure.update_xaxes(range=[lo, hi])
    rows = [_("other points"), "α > 0" if hard else "0 < α < C"]
    figure.update_yaxes(tickvals=[0, 1], ticktext=rows, range=[-0.6, 1.6], showgrid=False)
    return place_labels(figure, palette, [Label(_("optimal b"), b, 1.6, palette.text, "above")])


def _heights(values: Array, free: Mask, sign: int, width: float) -> Array:
    """Return the heights of marks in their rows. Marks that would hide each other are stacked, by class."""
    level = np.zeros(len(values))
    for in_row in (free, ~free):
        level[in_row] = marks.stacked(values[in_row], width, rows=4)
    return np.where(free, 1.0, 0.0) + sign * (0.09 + 0.12 * level)


def chart(stage: Stage) -> Chart:
    """Return the b of each point. A click selects the point."""
    solution, data = stage.solution, stage.data
    selected = stage.lab.points[row(stage)].id
    figure = dots(
        bias(biases(solution)),
        data.y,
        data.ids,
        solution.free,
        bias(solution.b),
        selected,
        stage.lab.hard,
        stage.palette,
    )
    return Chart(figure, select_point)


def farthest(stage: Stage) -> Op:
    """Return the operation that selects the point whose b has the largest error."""
    return select_point(float(stage.data.ids[order(stage)[0]]))


OFFSET = Step(
    key="offset",
    title=N_("Computing the bias b"),
    situation=N_(
        "You know the optimal $w$ and the multipliers $\\alpha_i$, but not the bias $b$. Each training point $x_i$ "
        "gives a value $b_i = y_i - \\langle w, x_i\\rangle$. With $b = b_i$, this point lies exactly on its margin "
        "line, $y_i f(x_i) = 1$. Each multiplier satisfies $0 \\le \\alpha_i \\le C$. A hard margin has $C = \\infty$."
    ),
    question=N_(
        "For which training points is the value $b_i = y_i - \\langle w, x_i\\rangle$ always equal to the optimal "
        "bias $b$?"
    ),
    choices=(
        wrong(
            N_("For all training points"),
            N_(
                "Every point gives a value bᵢ. However, it is the optimal b only if the point really lies on its "
                "margin line."
            ),
        ),
        right(N_("For all points with 0\u00a0<\u00a0αᵢ\u00a0<\u00a0C")),
        wrong(
            N_("Only for the point nearest to the boundary"),
            N_(
                "With a hard margin, this point gives the optimal b. However, so does every point with "
                "0\u00a0<\u00a0αᵢ\u00a0<\u00a0C."
            ),
        ),
    ),
    verdict=verdict,
    board=TWELVE,
    introduces=("price",),
    needs=(BOTH_CLASSES, BIAS, PRODUCT, SOLVED, NONZERO_W, at_most(30), FREE, DIFFERENT),
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: bool(stage.solution.free[row(stage)]),
    numbers=(
        Measure(
            N_("point"),
            lambda stage: f"{row(stage) + 1}",
            N_("The selected point, which has a green ring"),
            after_show=True,
        ),
        Measure(
            "bᵢ",
            lambda stage: bias(float(biases(stage.solution)[row(stage)])),
            N_("The value yᵢ − ⟨w, xᵢ⟩ of this point"),
            after_show=True,
        ),
        Measure(
            N_("optimal b"),
            lambda stage: bias(stage.solution.b),
            N_("The bias of the SVM on the board"),
            after_show=True,
        ),
    ),
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"b=y_i-\sum_j\alpha_jy_j\,"
        + (r"\langle x_j,x_i\rangle" if stage.lab.kernel_function.is_linear else "k(x_j,x_i)")
        + r",\quad 0<\alpha_i<C"
        + (r"=\infty" if stage.lab.hard else "")
    ),
    more=more,
    tries=(
        Try(N_("Largest error"), farthest),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
        Try(N_("Gaussian"), set_machine(kernel="gaussian", sigma=2.0, hard=True)),
    ),
    shows=("H7",),
)
