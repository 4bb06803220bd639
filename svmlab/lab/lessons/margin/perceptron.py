"""The perceptron from several orders of the points beside the largest margin, one of them as a film (M8)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import SvmError
from svmlab.core.arrays import Array, Index, Mask
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron, radius_and_margin
from svmlab.lab.charts.marks import add_rule, dots
from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, UNCENTRED, largest_margin
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import film, frame, line_strokes, normal_of, place, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

ORDERS = 12
MAX_MISTAKES = 2000  # mistakes after which a run is ended
FRAMES = 60  # of a film; each of the first updates has one
ALL_OF_IT = 0.999  # proportion of the largest margin that counts as all of it


@dataclass(frozen=True, eq=False)
class Trial:
    """A run, and the margin of the line with which it stops, nan without one."""

    run: PerceptronRun
    margin: float


def trials(stage: Stage) -> tuple[list[Trial], float]:
    """Return runs in ORDERS orders, the first as the points were placed, and the bound on their mistakes.

    The bound is (R/margin)^2 of the points with a 1 appended, or inf if their margin is too small for the solver.
    """

    def make() -> tuple[list[Trial], float]:
        data = stage.data
        Z = augmented(data.X)
        rng = np.random.Generator(np.random.Philox(data.m))
        orders = [np.arange(data.m), *(rng.permutation(data.m) for _ in range(ORDERS - 1))]
        runs = [perceptron(Z, data.y, order, MAX_MISTAKES) for order in orders]
        try:
            R, margin = radius_and_margin(Z, data.y)
            bound = (R / margin) ** 2
        except SvmError:
            bound = math.inf
        return [Trial(run, final_margin(run, data.X, data.y)) for run in runs], bound

    return stage.cached_for_points("trials", make)


def final_margin(run: PerceptronRun, X: Array, y: Array) -> float:
    """Return the margin of the line with which a run stops, nan if the run was ended before."""
    w = run.w
    return Line(w[:2], float(w[2])).margin(X, y) if run.converged and w[:2].any() else math.nan


def chosen(stage: Stage) -> int:
    """Return the number of the order whose film is shown."""
    return int(stage.dial("order", 0.0)) % ORDERS


def proportions(stage: Stage) -> Array:
    """Return the margin of each final line divided by the largest margin, (ORDERS,), nan for a run that was ended."""
    return np.array([trial.margin for trial in trials(stage)[0]]) / largest_margin(stage)


def picture(stage: Stage, trial: Trial, t: int) -> Data:
    """Return one picture of the film: the line before update t, and the point that it misclassifies."""
    lab, run = stage.lab, trial.run
    w, n = run.path[t], run.mistakes
    items: list[Data] = []
    if w[:2].any():
        line = Line(w[:2], float(w[2]))
        foot, along = line.foot(np.zeros(2)), 4 * lab.view * np.array([-line.normal[1], line.normal[0]])
        items = [stroke(np.array([foot - along, foot + along]), "accent"), normal_of(line, lab.view, "accent")]
    if t == n and not run.converged:
        return frame(items, _("This run was ended after {n} mistakes. It has not stopped yet.").format(n=n))
    if t == n:
        caption = _("It stops after <b>{n}</b> mistakes. Its margin is {margin}, and the largest is {largest}.")
        margin = short(trial.margin, 3, ROUNDING)
        return frame(items, caption.format(n=n, margin=margin, largest=short(largest_margin(stage), 3)))
    i = int(run.updates[t])
    sign = "+" if stage.data.y[i] > 0 else "−"
    point = _("{sign} point at {where}").format(sign=sign, where=place(stage.data.X[i]))
    if t == 0:
        caption = _("At w = 0 and b = 0, y f = 0 for every point. The first mistake is the {point}.").format(
            point=point
        )
    else:
        caption = _("Mistake <b>{t}</b> of {n}: the {point} has y f = {yf}. So w ← w + y x and b ← b + y.")
        caption = caption.format(t=t + 1, n=n, point=point, yf=short(float(run.rows[i] @ w), 3, ROUNDING))
    return frame(items, caption, lab.points[i].id)


def draw(stage: Stage) -> Data:
    """The SVM, and once shown the final lines of all orders and the film of one."""
    if not stage.shown:
        return {"sliders": [], "legend": None}
    runs = trials(stage)[0]
    trial = runs[chosen(stage)]
    n = trial.run.mistakes
    first = np.arange(min(n, FRAMES // 2))
    rest = np.linspace(len(first), n, FRAMES - len(first)).round().astype(int) if n > len(first) else [n]
    pictures = [picture(stage, trial, t) for t in np.unique(np.r_[first, rest]).tolist()]
    final = [Line(each.run.w[:2], float(each.run.w[2])) for each in runs if math.isfinite(each.margin)]
    return {
        "sliders": [],
        "legend": None,
        "film": film(f"{stage.data.key}.{chosen(stage)}", pictures, _("mistakes 1 to {n}").format(n=n)),
        "overlay": [item for line in final for item in line_strokes(line, stage.lab.view, "faint")],
    }


def answer(stage: Stage) -> int:
    """Return whether every order ends with the largest margin, within 0.1 %."""
    return 0 if proportions(stage).min() >= ALL_OF_IT else 1


def verdict(stage: Stage) -> str:
    if answer(stage) == 0:
        always = _("Always with the line of largest margin, within 0.1 % of γ*, in each of {n} orders.")
        return always.format(n=ORDERS)
    known = proportions(stage)[np.isfinite(proportions(stage))]
    if not len(known):
        none = _("With separating lines, not all of largest margin. No run stopped within {n} mistakes.")
        return none.format(n=MAX_MISTAKES)
    smallest, largest = f"{100 * known.min():.3g} %", f"{100 * known.max():.3g} %"
    if len(known) < ORDERS:
        some = _(
            "With separating lines, not all of largest margin. They reach {least} to {most} of γ* ({k} runs ended)."
        )
        return some.format(least=smallest, most=largest, k=ORDERS - len(known))
    all_ = _("With separating lines, not all of largest margin. They reach {least} to {most} of γ* = {best}.")
    return all_.format(least=smallest, most=largest, best=short(largest_margin(stage), 3))


def says(stage: Stage) -> str:
    runs, bound = trials(stage)
    ended = sum(not trial.run.converged for trial in runs)
    if ended and math.isfinite(bound):
        return _(
            "Each dot is one order of the points. The number of runs that were ended after {n} mistakes is {k} "
            "(triangles). They would stop later, because the bound is {bound}."
        ).format(n=MAX_MISTAKES, k=ended, bound=short(bound, 3))
    if ended:
        return _(
            "Each dot is one order of the points. The number of runs that were ended after {n} mistakes is {k} "
            "(triangles). The margin is too narrow to compute the bound."
        ).format(n=MAX_MISTAKES, k=ended)
    return _(
        "Each dot is one order, with its mistakes (across) and its proportion of $\\gamma^*$ (up). The bound "
        "uses the largest norm $R$ of the points $(x_i, 1)$ and their margin $\\gamma_1$. If you click a dot, "
        "you see its run."
    )


def chart(stage: Stage) -> Chart:
    """The margin against the mistakes, a mark for each order. A click shows its film."""
    runs, bound = trials(stage)
    mistakes = np.array([trial.run.mistakes for trial in runs])
    figure = orders(mistakes, proportions(stage), bound, chosen(stage), stage.palette)
    return Chart(figure, lambda number: set_dials(order=float(number)))


def orders(mistakes: Index, shares: Array, bound: float, chosen: int, palette: Palette) -> go.Figure:
    """Return the chart with a mark for each order, customdata its number, and the bound as a vertical line.

    shares: the margins in units of the largest one, which is the dashed line at 1. A run that was ended has none (nan),
    and its mark is a triangle at 0.
    """
    figure = empty_chart(palette, _("mistakes"), _("proportion of γ*"), height=270)
    number, ended = np.arange(len(mistakes)), np.isnan(shares)
    hover = _("{mistakes} mistakes, {share} of the largest margin")
    hover = hover.format(mistakes="%{x}", share="%{y:.1%}") + "<extra></extra>"

    def marks(which: Mask, name: str, hover: str, symbol: str) -> go.Scatter:
        y, is_chosen = np.nan_to_num(shares[which]), number[which] == chosen
        return dots(
            palette, mistakes[which], y, number[which], is_chosen, palette.quiet, name=name, hover=hover, symbol=symbol
        )

    figure.add_trace(marks(~ended, "orders", hover, "circle"))
    if ended.any():
        figure.add_trace(marks(ended, "ended", _("ended after {n} mistakes").format(n="%{x}"), "triangle-right"))
    add_rule(figure, palette, palette.plus, "dash", y=1)
    most = max(bound if np.isfinite(bound) else 1.0, float(mistakes.max()), 1.0)
    figure.update_xaxes(**log_axis(*np.log10([0.7, 1.5 * most]).tolist()))
    figure.update_yaxes(range=[-0.08, 1.1], tickformat=".0%", zeroline=True)
    if not np.isfinite(bound):
        return figure
    add_rule(figure, palette, palette.minus, "dash", x=bound)
    words = _("bound {bound}").format(bound=short(bound, 3))
    return place_labels(figure, palette, [Label(words, float(np.log10(bound)), 0.5, palette.minus, "left")])


def next_order(stage: Stage) -> Op:
    """Show the film of the next order."""
    return set_dials(order=(chosen(stage) + 1.0) % ORDERS)


PERCEPTRON = Step(
    key="perceptron",
    title=N_("Perceptron and largest margin"),
    deeper=True,
    introduces=("perceptron",),
    situation=N_(
        "The **perceptron** starts with $w = 0$, $b = 0$ and visits the points one after the other. For each "
        "point with $y_i f(x_i) \\le 0$ (a *mistake*), it adds $y_i x_i$ to $w$ and $y_i$ to $b$. It stops "
        "after a round through all points without a mistake. The points are separable, and the board shows the "
        "SVM with the largest margin $\\gamma^*$."
    ),
    question=N_("With which lines does the perceptron stop if it visits the points in 12 different orders?"),
    choices=(
        Choice(
            N_("Always with the line of largest margin"),
            N_("Both methods separate the points. However, the perceptron stops as soon as no point is misclassified."),
        ),
        Choice(
            N_("With separating lines, not all of largest margin"),
            N_("This is the usual result. On this board, however, each of the lines reaches at least 99.9 % of γ*."),
        ),
        Choice(
            N_("With no line, because it may never stop"),
            N_("If no line separates the points, it never stops. Otherwise the number of mistakes has an upper bound."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: "film" in draw(stage),
    numbers=(
        Measure(
            N_("mistakes"),
            lambda stage: str(trials(stage)[0][chosen(stage)].run.mistakes),
            N_("Mistakes of the perceptron in the chosen order"),
            True,
        ),
        Measure(N_("bound"), lambda stage: trials(stage)[1], N_("Upper bound for the mistakes in every order"), True),
        Measure(
            N_("margin"),
            lambda stage: trials(stage)[0][chosen(stage)].margin,
            N_("Margin of the line with which the perceptron stops in the chosen order"),
            True,
        ),
    ),
    chart=chart,
    says=says,
    formula=r"\text{mistakes} \le \frac{R^2}{\gamma_1^2}, \qquad \gamma \le \gamma^*",
    letters={"γ_1": "margin"},
    more=(
        N_(
            "**The bound.** $R$ is the largest norm of the extended points $(x_i, 1)$. Their largest margin without a "
            "bias is $\\gamma_1$. The 1 is needed because the perceptron treats $b$ as one more component of $w$. With "
            "$R$ and $\\gamma^*$ of the points $x_i$ themselves, the bound can fail."
        ),
        N_(
            "**Why it holds.** Let $u$ be the unit vector that has the margin $\\gamma_1$ on the extended points. Each "
            "mistake raises the inner product of $u$ and $(w, b)$ by at least $\\gamma_1$, and it raises $\\|(w, "
            "b)\\|^2$ by at most $R^2$. So after $k$ mistakes, $k\\gamma_1 \\le \\|(w, b)\\| \\le \\sqrt k R$. This "
            "gives $k \\le R^2/\\gamma_1^2$, which is Novikoff's bound."
        ),
        N_(
            "**The orders.** The first order is the one in which the points were placed. The others are random, and "
            "they are the same each time."
        ),
        N_(
            "**The lecture notes.** Gambosi's slides state: “in this case a simple Perceptron is guaranteed to find "
            "the optimal solution”. They mean the training error, which is 0 for every separating line. The margin of "
            "that line need not be the largest."
        ),
    ),
    tries=(
        Try(N_("Another order"), next_order),
        Try(N_("Flowers in plain cm"), board=UNCENTRED),
    ),
    shows=("M8",),
)
