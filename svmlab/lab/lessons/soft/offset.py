"""The bias b from each support vector, and the mean over all of them (S7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Mask
from svmlab.data import Dataset
from svmlab.lab.charts.marks import add_rule, points
from svmlab.lab.lessons.soft.carriers import Offsets, own_offsets, with_b
from svmlab.lab.lessons.soft.walk import play_C
from svmlab.lab.numbers import ROUNDING, format_interval, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, select_point, set_machine
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Part, Reading, Step, Try
from svmlab.lab.words import N_, _, bias, bias_interval, written
from svmlab.plot.frame import axis_range_around, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

WIDE = 1e-9  # a longer interval of b counts as an interval
OPTIMAL_WITHIN = 1e-7  # a value of b this close to an optimal one counts as optimal
LARGE_C = 100.0  # where the animation starts


def values(stage: Stage) -> Offsets:
    """Return the b of each support vector."""
    return stage.cached("offsets", lambda: own_offsets(stage.solution))


def mean(stage: Stage) -> float:
    """Return the mean of these b."""
    return float(values(stage).each.mean())


def is_interval(stage: Stage) -> bool:
    """Return whether more than one b is optimal."""
    lo, hi = stage.solution.b_interval
    return hi - lo > WIDE


def are_optimal(stage: Stage) -> Mask:
    """Return for each support vector whether its b is optimal (k,)."""
    each, (lo, hi) = values(stage).each, stage.solution.b_interval
    tolerance = OPTIMAL_WITHIN * max(1.0, float(np.abs(each).max()))
    mask: Mask = (each >= lo - tolerance) & (each <= hi + tolerance)
    return mask


def draw(stage: Stage) -> Data:
    """Return the boundary with the mean of all as its b, and those with the ends of the interval of optimal b."""
    if not stage.shown or (stage.moving and not stage.lab.kernel_function.is_linear):
        return {}
    others = [(mean(stage), "witness-line dashed")]
    others += [(b, "accent") for b in stage.solution.b_interval] if is_interval(stage) else []
    drawn = [boundary_strokes(stage, f"b {b!r}", with_b(stage.solution, b), style) for b, style in others]
    return {"overlay": [line for lines in drawn for line in lines]}


def difference(stage: Stage) -> float:
    """Return the mean of all minus b, 0 where it is only rounding."""
    b = stage.solution.b
    error = mean(stage) - b
    return error if abs(error) > ROUNDING * max(1.0, abs(b)) else 0.0


MEAN = Measure(
    N_("mean of all"), lambda stage: bias(mean(stage)), N_("the mean of yᵢ − g(xᵢ) over all support vectors")
)
COUNTS = (
    Measure("0 < α < C", lambda stage: str(int(stage.solution.free.sum())), N_("the number of free support vectors")),
    Measure("α = C", lambda stage: str(int(stage.solution.at_bound.sum())), N_("the number of points at the bound C")),
)
ONE = (
    Measure("b", lambda stage: bias(stage.solution.b), N_("the optimal bias")),
    MEAN,
    Measure(N_("difference"), lambda stage: bias(difference(stage)), N_("the mean of all minus b")),
)
INTERVAL = (
    Measure(N_("b from"), lambda stage: bias_interval(stage.solution.b_interval)[0], N_("the smallest optimal bias")),
    Measure(N_("to"), lambda stage: bias_interval(stage.solution.b_interval)[1], N_("the largest optimal bias")),
    MEAN,
)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return how many support vectors are free or at the bound and, with the answer, b and the mean of all."""
    measures = COUNTS if not stage.shown else INTERVAL if is_interval(stage) else ONE
    return [measure.reading(stage) for measure in measures]


def answer(stage: Stage) -> int:
    """Return 0 if every support vector yields an optimal b, otherwise 1."""
    return 0 if are_optimal(stage).all() else 1


def verdict(stage: Stage) -> str:
    """Return the answer with b, for each number of free support vectors and each set of optimal b."""
    solution = stage.solution
    b = short(bias(solution.b), 3, ROUNDING)
    lo, hi = format_interval(*bias_interval(solution.b_interval), 3)
    if not answer(stage):
        if is_interval(stage):
            return _(
                "All support vectors. Every b from {lo} to {hi} is optimal here, and each value is one of these b."
            ).format(lo=lo, hi=hi)
        return _("All support vectors. Here each one lies on its margin line and yields b\u00a0=\u00a0{b}.").format(b=b)
    if values(stage).free.any():
        words = _(
            "All with 0 < αᵢ < C, but not every one with αᵢ = C. Points with slack yield b + yᵢξᵢ and not "
            "b\u00a0=\u00a0{b}."
        )
        return words.format(b=b)
    if is_interval(stage):
        words = _(
            "All with 0 < αᵢ < C, but not every one with αᵢ = C. Here none is free, and b from {lo} to {hi} is optimal."
        )
        return words.format(lo=lo, hi=hi)
    words = _(
        "All with 0 < αᵢ < C, but not every one with αᵢ = C. Here none is free, and only b\u00a0=\u00a0{b} is optimal."
    )
    return words.format(b=b)


def chart(stage: Stage) -> Chart:
    """Return the b of each support vector. A click on a mark selects its point."""
    lab = stage.lab
    each = replace(values(stage), each=bias(values(stage).each))
    ends = bias_interval(stage.solution.b_interval)
    figure = offsets(lab.data, each, ends, bias(mean(stage)), lab.selected, stage.palette)
    return Chart(figure, on_click=select_point)


def says(stage: Stage) -> str:
    """Return what the marks and lines are."""
    if is_interval(stage):
        return _(
            "Each mark is $y_i - g(x_i)$ of one support vector, with $0 < \\alpha_i < C$ in the upper row and "
            "$\\alpha_i = C$ in the lower one. Each shaded $b$ is optimal. The dashed pink line uses the mean of all."
        )
    return _(
        "Each mark is $y_i - g(x_i)$ of one support vector, with $0 < \\alpha_i < C$ in the upper row and "
        "$\\alpha_i = C$ in the lower one. The dashed pink line, also on the board, uses their mean as its $b$."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the mean, the set of optimal b, and what the lecture notes state."""
    each, b = values(stage), stage.solution.b
    mean_slack = short(float(each.slack.mean()), noise=ROUNDING)
    return [
        _(
            "**Proof.** A support vector has $y_i f(x_i) = 1 - \\xi_i$, so $y_i - g(x_i) = b + y_i\\xi_i$. (In feature "
            "space this is true for every kernel.) If $0 < \\alpha_i < C$, then $\\xi_i = 0$, and the value is $b$. If "
            "$\\alpha_i = C$, the slack can be positive or 0."
        ),
        _(
            "**The mean of all.** It differs from $b$ by the mean of $y_i\\xi_i$ over the support vectors. On this "
            "board, {mean} − ({mean_slack}) = {b}."
        ).format(
            mean=short(bias(mean(stage)), noise=ROUNDING), mean_slack=mean_slack, b=short(bias(b), noise=ROUNDING)
        ),
        _(
            "**No free support vector.** Every optimal $b$ minimises the sum of the hinge losses for the given $w$. "
            "This sum is piecewise linear in $b$, so either one $b$ or an interval is optimal. If it is an interval, "
            "the board uses its middle, and two green lines use its ends."
        ),
        _(
            "**Lecture notes.** Gambosi's slides state for the soft margin that “the coefficients $\\mathbf{w}^*$ and "
            "$b^*$ can be derived just as done in the linearly separable case”. There, the mean over all support "
            "vectors yields $b$. With slack it differs from $b$ by the mean of $y_i\\xi_i$, unless this mean is 0."
        ),
    ]


def offsets(
    data: Dataset, values: Offsets, b: tuple[float, float], mean: float, selected: int | None, palette: Palette
) -> go.Figure:
    """Draw y_i - g(x_i) of the support vectors in two rows, free above and at C below, with b and the mean of all.

    b: the ends of the interval of optimal b. customdata of the points: their ids.
    """
    figure = empty_chart(palette, height=150)
    lo, hi = b
    if hi - lo > WIDE:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=palette.accent, opacity=0.16, line_width=0)
    for end in {lo, hi}:
        add_rule(figure, palette, palette.accent, x=end, width=2.5)
    add_rule(figure, palette, palette.other, "dash", x=mean, width=2.5)
    hover = _("point {id}").format(id="%{customdata}") + written("<br>yᵢ − g(xᵢ) = %{x:.8g}<extra></extra>")
    ids, lanes = data.ids[values.rows], np.where(values.free, 1.0, 0.0)
    marks = points(
        palette, values.each, lanes, data.y[values.rows], ids, ids == selected, name="points", hover=hover, edge=1
    )
    figure.add_trace(marks)
    positions = np.r_[values.each, lo, hi, mean]
    figure.update_xaxes(range=axis_range_around(positions[np.isfinite(positions)]))
    figure.update_yaxes(range=[-0.6, 2.4], tickvals=[0, 1], ticktext=["α = C", "0 < α < C"])
    is_right = mean >= 0.5 * (lo + hi)
    names = (
        Label("b", lo if is_right else hi, 1.9, palette.accent, "left" if is_right else "right"),
        Label(_("mean of all"), mean, 1.9, palette.other, "right" if is_right else "left"),
    )
    finite = [name for name in names if np.isfinite(name.x)]
    return place_labels(figure, palette, [*finite, axis_name(figure, written("yᵢ − g(xᵢ)"), palette)])


OFFSET = Step(
    key="offset",
    title=N_("Computing b with slack"),
    situation=N_(
        "Let $g(x) = \\langle w, x\\rangle$, so that $f(x) = g(x) + b$. A support vector ($\\alpha_i > 0$) on "
        "its margin line has $y_i f(x_i) = 1$, so it gives $b = y_i - g(x_i)$. In the hard margin, this is true "
        "for all support vectors. In the soft margin, some support vectors can have slack."
    ),
    question=N_(
        "Which support vectors give an optimal bias $b$ by the formula $b = y_i - \\langle w, x_i\\rangle$ in "
        "the soft margin?"
    ),
    choices=(
        Choice(
            N_("All support vectors"),
            N_(
                "Without slack this is true. A support vector with slack is not on its margin line, so its value "
                "need not be optimal."
            ),
        ),
        Choice(
            N_("All with 0 < αᵢ < C, but not every one with αᵢ = C"),
            N_("This is the usual case, because points with αᵢ = C can have slack. Here all values are optimal."),
        ),
        Choice(
            N_("All with αᵢ = C, but not every one with 0 < αᵢ < C"),
            N_(
                "They have the largest multipliers. However, they can have slack, and a point with 0 < αᵢ < C has none."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.05),
    needs=(BOTH_CLASSES, BIAS, SOFT, PRODUCT, SOLVED, NONZERO_W),
    deeper=True,
    draw=draw,
    play=lambda stage: play_C(stage, LARGE_C),
    rests_on_answer=lambda stage: answer(stage) == 1 and bool(values(stage).free.any()),
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"y_i-\langle w,x_i\rangle = b + y_i\,\xi_i \qquad (\alpha_i>0)",
    more=more,
    tries=(
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("Four corners"), board=preset("four_corners", value=0.1)),
        Try(N_("One against many"), board=preset("one_against_many", size=24, value=0.1)),
    ),
    shows=("S7",),
)
