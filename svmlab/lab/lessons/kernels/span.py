"""What is orthogonal to all points changes no loss and only lengthens w: so the best w is a sum of the points (K8,
K9).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels.adding import PRICES, Problem, direction, directions, posed
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import dial, reading, set_picks, stroke
from svmlab.lab.teach.requirements import NO_BIAS, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing, level_lines

N = 96  # places of the grid along each side
TALL = 0.3  # of the view: a bar of loss 1
GIVEN = {"square": "r²", "level": N_("constant"), "ring": "(r − 2)²"}
THREE = board_of_points(
    ((-1.7, 0.9, 1), (1.6, 1.4, -1), (0.5, -1.7, 1)),
    kernel="polynomial",
    degree=2,
    scale=0.5,
    face="lambda",
    value=4.0,
    bias=False,
)
FIVE = board_of_points(
    ((-1.7, 0.9, 1), (1.6, 1.4, -1), (0.5, -1.7, 1), (-0.6, -0.7, 1), (2.1, -0.4, -1)),
    kernel="polynomial",
    degree=2,
    scale=0.5,
    face="lambda",
    value=2.0,
    bias=False,
)
ONE = board_of_points(((1, 0, 1),), face="lambda", value=0.5, bias=False)
OUTSIDE = Need(
    lambda stage: (
        stage.lab.kernel_function.feature_dim(2) is not None
        and len(directions(stage.lab.kernel_function.feature_map(stage.data.X))) > 0
    ),
    N_("This step needs a feature space that can be written down, with more dimensions than the points span."),
    {},
)


def problem(stage: Stage) -> Problem:
    """Losses and price as picked, on the points of the board."""
    name = str(stage.pick("price"))
    return stage.cached(f"posed {name}", lambda: posed(name, stage.solution))


def added(stage: Stage) -> tuple[float, Array]:
    """The t of the slider, and u, as long as w."""
    now = problem(stage)
    u = direction(now.Z, stage.dial("sweep", 0.0), float(np.linalg.norm(now.w)))
    return (stage.dial("leave", 0.0) if stage.shown else 0.0), u


def on_grid(stage: Stage) -> Array:
    """The features of a grid over the board, rows from below, (N, N, D)."""
    half, kernel = stage.lab.view, stage.lab.kernel_function

    def make() -> Array:
        at = np.linspace(-half, half, N)
        places = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
        return kernel.feature_map(places).reshape(N, N, -1)

    return stage.cached(f"features of the grid {half}", make)


def draw(stage: Stage) -> Data:
    """The machine w + t u over that of w, where u is 0 on the board, and the loss of each point as a bar that stays."""
    if not stage.shown:
        return {}
    (t, u), now, half, Z = added(stage), problem(stage), stage.lab.view, on_grid(stage)
    values = Z @ (now.w + t * u)
    items = [stroke(line, "faint") for line in level_lines(Z @ now.w, half)]
    items += [stroke(line, "witness-line dashed") for line in level_lines(Z @ u, half)]
    losses = now.at(now.w + t * u)[0] * (len(now.y) if stage.pick("price") == "square" else 1)
    for x, label, loss in zip(stage.data.X, now.y, losses, strict=True):
        if loss > 1e-9:
            top = x + np.array([0.0, TALL * half * min(float(loss), 3.0)])
            items.append(stroke(np.stack([x, top]), "plus" if label > 0 else "minus"))
    if stage.lab.kernel_function.is_linear:
        by = 0.4 * half / float(np.linalg.norm(now.w))
        for v, style in ((u, "witness-line"), (now.w + t * u, "accent")):
            items.append(stroke(by * np.stack([np.zeros(2), v]), style, "arrow"))
    levels = (("zero", 0.0), ("plus", 1.0), ("minus", -1.0))
    sliders = [dial("leave", _("How much of u is added to w"), "t", t, -REACH, REACH, 0.05)]
    if len(directions(now.Z)) > 1:
        sweep = stage.dial("sweep", 0.0)
        sliders.append(
            dial("sweep", _("Another u, orthogonal to all points as well"), "u", sweep, 0.0, 180.0, 5.0, "°")
        )
    return {
        "lines": {
            name: [flat_coordinates(line) for line in level_lines(values, half, level)] for name, level in levels
        },
        "shade": shading(SolutionDrawing(half, values[::-1], (), (), (), {})),
        "marks": {"fill": [1.0] * len(now.y)},
        "slack": [],
        "overlay": items,
        "sliders": sliders,
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Losses, lengths and F; the length of w by kernel values alone does not see u."""
    if not stage.shown:
        return ()
    (t, u), now = added(stage), problem(stage)
    w = now.w + t * u
    losses, price = now.at(w)
    return [
        reading(_("losses"), float(losses.sum())),
        reading("|w + t u|²", float(w @ w)),
        reading("Σ cᵢcⱼ k(xᵢ, xⱼ)", by_kernel(stage)),
        reading("F", float(losses.sum()) + price),
    ]


def by_kernel(stage: Stage) -> float:
    """The squared length of w, from kernel values and coefficients (K9)."""
    c = problem(stage).c
    return float(c @ stage.lab.problem.gram @ c)


def chart(stage: Stage) -> Chart:
    """Losses and F along t."""
    t, u = added(stage)
    return Chart(shares(problem(stage), u, t, stage.palette))


SAYS = {
    "square": N_(
        "The boundary moves, but $f$ stays at every point: where $\\langle u, \\phi(x)\\rangle = 0$ "
        "(pink) is a curve through all of them. $F$ is least at $t = 0$."
    ),
    "level": N_(
        "Squared losses, and length changes nothing: every $t$ is as good as the best fit $w_0$. One "
        "minimiser lies in the span, the others do not."
    ),
    "ring": N_(
        "This $g$ wants $w$ twice as long as the best fit $w_0$, and $u$ lengthens it without touching a "
        "loss: at $t = \\pm1.732$ it beats all of the span."
    ),
}
FORMULAS = {
    "square": r"F(w + tu) = F(w) + \tfrac{\lambda}{2}\,t^2\|u\|^2, \qquad \langle u, \phi(x_i)\rangle = 0",
    "level": r"F(w) = \textstyle\sum_i (f(x_i) - y_i)^2 + \text{constant}",
    "ring": r"F(w) = \textstyle\sum_i (f(x_i) - y_i)^2 + (\|w\| - 2\|w_0\|)^2",
}


def says(stage: Stage) -> str:
    """What the price that is picked does."""
    told = SAYS[str(stage.pick("price"))]
    return _(told)


def more(stage: Stage) -> Sequence[str]:
    """The proof, its condition, and the length from kernel values."""
    K, c = stage.lab.problem.gram, stage.solution.coefficients
    return [
        _(
            "**Why.** Any $w$ is $v + u$ with $v$ in the span of the $\\phi(x_i)$ and $u$ orthogonal to it. "
            "A loss sees only $\\langle w, \\phi(x_i)\\rangle = "
            "\\langle v, \\phi(x_i)\\rangle$, and $\\|w\\|^2 = \\|v\\|^2 + \\|u\\|^2$. Where $g$ never "
            "falls, $v$ is no worse than $w$: some minimiser is a sum of points. "
            "Where $g$ rises, $v$ is better unless $u = 0$: every minimiser is. So $m$ numbers are enough, "
            "however many dimensions there are."
        ),
        _(
            "The Italian notes on half-spaces allow any real function $g$. One point $(1, 0)$ with the loss "
            "$(\\langle w, x\\rangle - 1)^2$ and $g(r) = (r - 2)^2$ refutes it: "
            "the least is 0 at $(1, \\pm1.732)$, in the span only 0.5: *One point*, then the last $g$. The "
            "Italian notes on Pegasos (Theorem 3) are right; their proof contradicts with ≤ what needs <, "
            "and it is <, since $u \\ne 0$."
        ),
        _(
            "**The length.** $\\|w\\|^2 = \\sum_{{ij}} c_i c_j\\,k(x_i, x_j)$ with $c_i = y_i\\alpha_i$, "
            "signs and all: {right} here. The notes on half-spaces leave both coefficients out in that "
            "line; $\\sum_{{ij}} k(x_i, x_j)$ is {bare} here. On (1, 0) of class +1 and (−1, 0) of class −1 "
            "it would be 0 in place of 1."
        ).format(right=short(float(c @ K @ c)), bare=short(float(K.sum()))),
    ]


REACH = 2.0  # the largest t


def shares(problem: Problem, u: Array, t: float, palette: Palette) -> go.Figure:
    """The losses and F = losses + price, each evaluated along t, F as promised as dots, and the least in the span
    dashed.
    """
    figure = blank(palette, "", "", height=300)
    along, few = np.linspace(-REACH, REACH, 81), np.arange(-1.5, 2.0, 0.5)
    losses = np.array([float(problem.at(problem.w + s * u)[0].sum()) for s in along])
    values = np.array([problem.value(problem.w + s * u) for s in along])
    for name, y, colour, dash in (
        ("F", values, palette.text, "solid"),
        (_("losses"), losses, palette.other, "dash"),
    ):
        told = f"t = %{{x:.2f}}<br>{name} = %{{y:.5g}}<extra></extra>"
        pen = palette.pen(colour, dash=dash)
        figure.add_trace(go.Scatter(x=along, y=y, name=name, mode="lines", line=pen, hovertemplate=told))
    dots = {"size": 0.7 * SIZE * palette.stroke, "color": palette.text}
    told = _("F(w) and the price of t u: {value}").format(value="%{y:.5g}") + "<extra></extra>"
    figure.add_trace(
        go.Scatter(x=few, y=problem.promised(few), name="promised", mode="markers", marker=dots, hovertemplate=told)
    )
    add_rule(figure, palette, palette.quiet, "dot", y=problem.best)
    here = problem.w + t * u
    mark_current(figure, palette, t, float(problem.at(here)[0].sum()), problem.value(here))
    ends = axis_range(values, losses, 0.0, problem.best, room=0.12)
    figure.update_xaxes(range=[-REACH, REACH], dtick=1).update_yaxes(range=ends, nticks=5)
    labels = [
        axis_name(figure, "t", palette),
        Label("F", REACH, float(values[-1]), palette.text),
        Label(_("losses"), REACH, float(losses[-1]), palette.other),
        Label(_("best in the span"), -REACH, problem.best, palette.quiet, "above right"),
    ]
    return place_labels(figure, palette, labels, backed=True)


SPAN = Step(
    key="span",
    title=N_("w stays in the span"),
    question=N_(
        "Feature space has more dimensions than there are points. Add to $w$ some $u$ orthogonal to all "
        "of them. What changes in $F$ = mean loss + $\\frac{\\lambda}{2}\\|w\\|^2$?"
    ),
    choices=(
        wrong(N_("The losses"), N_("They see w only by its inner products with the points, and u adds 0 to each.")),
        right(N_("Only the length of w")),
        wrong(N_("Nothing"), N_("No loss changes; but w becomes longer, and length has its price.")),
    ),
    verdict=lambda stage: _("only the length of w: every loss stays as it is."),
    board=THREE,
    needs=(PRODUCT, NO_BIAS, SOFT, OUTSIDE, SOLVED, NONZERO_W),
    draw=draw,
    play=lambda stage: {"key": "leave", "op": "dial", "from": 0.0, "to": 1.5, "ms": 2400},
    numbers=numbers,
    picks=(Pick("price", N_("Price g of the length"), PRICES, "square", lambda name: "g = " + _(GIVEN[name])),),
    chart=chart,
    says=says,
    formula=lambda stage: FORMULAS[stage.pick("price")],
    more=more,
    tries=(
        Try(N_("One point"), board=ONE),
        Try(N_("Five points: one u"), board=FIVE),
        Try("g = (r − 2)²", set_picks(price="ring")),
    ),
    shows=("K8", "K9"),
)
