"""The representer theorem: a component orthogonal to all training points changes no loss and lengthens w (K8, K9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.lessons.kernels.adding import REGULARISERS, Objective, direction, directions, objective
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, has_points_of
from svmlab.lab.teach.overlay import set_picks, stroke
from svmlab.lab.teach.requirements import NO_BIAS, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Part, Pick, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plane.contours import SolutionDrawing, level_lines
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

N = 96  # points of the grid along each side
TALLEST, LONGEST = 0.3, 3.0  # length of a bar for the loss 1, as a fraction of half the board; the largest loss drawn
LARGEST_T, SHOWN = 2.0, 1.5  # the largest t, and the one after Show
NAMES = {"square": "R\u00a0=\u00a0½λ‖w‖²", "level": N_("R constant"), "ring": "R\u00a0=\u00a0(‖w‖ − 2‖w₀‖)²"}
COLLINEAR = board_of_points(
    ((-2.5, -1, -1), (-1, -0.4, -1), (0.5, 0.2, -1), (1.5, 0.6, 1), (2.5, 1, 1)),
    face="lambda",
    value=0.5,
    bias=False,
)
THREE = board_of_points(
    ((-1.7, 0.9, 1), (1.6, 1.4, -1), (0.5, -1.7, 1)),
    kernel="polynomial",
    degree=2,
    scale=0.5,
    face="lambda",
    value=4.0,
    bias=False,
)
ONE = board_of_points(((1, 0, 1),), face="lambda", value=0.5, bias=False)
OUTSIDE = Need(
    lambda stage: (
        stage.lab.kernel_function.feature_dim(2) is not None
        and len(directions(stage.lab.kernel_function.feature_map(stage.data.X))) > 0
    ),
    N_("This step needs a feature space of finite dimension that the training points do not span."),
    {},
)


def present(stage: Stage) -> Objective:
    """Return the objective with the picked regulariser."""
    name = str(stage.pick("price"))
    return stage.cached(f"objective {name}", lambda: objective(name, stage.solution))


def multiple(stage: Stage) -> float:
    """Return t, which is 0 until the answer is shown."""
    return stage.dial("leave", 0.0) if stage.shown else 0.0


def orthogonal(stage: Stage) -> Array:
    """Return v, as long as w."""
    F = present(stage)
    return direction(F.Z, stage.dial("sweep", 0.0), float(np.linalg.norm(F.w)))


def moved(stage: Stage) -> Array:
    """Return w + t v."""
    return present(stage).w + multiple(stage) * orthogonal(stage)


def features_on_grid(stage: Stage) -> Array:
    """Return the features of a grid over the board, rows from below, (N, N, D)."""
    half, kernel = stage.lab.view, stage.lab.kernel_function

    def make() -> Array:
        at = np.linspace(-half, half, N)
        positions = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
        return kernel.feature_map(positions).reshape(N, N, -1)

    return stage.cached(f"features of the grid {half}", make)


def draw(stage: Stage) -> Data:
    """Return the boundary of w + t v over that of w, where <v, phi(x)> = 0, and the loss of each point as a bar."""
    if not stage.shown:
        return {}
    F, v, w, half, Z = present(stage), orthogonal(stage), moved(stage), stage.lab.view, features_on_grid(stage)
    values = Z @ w
    items = [stroke(line, "faint") for line in level_lines(Z @ F.w, half)]
    items += [stroke(line, "witness-line dashed") for line in level_lines(Z @ v, half)]
    losses = F.terms(w)[0] * (len(F.y) if stage.pick("price") == "square" else 1)
    for x, label, loss in zip(stage.data.X, F.y, losses, strict=True):
        if loss > 1e-9:
            top = x + np.array([0.0, TALLEST * half * min(float(loss), LONGEST)])
            items.append(stroke(np.stack([x, top]), "plus" if label > 0 else "minus"))
    if stage.lab.kernel_function.is_linear:
        scale = 0.4 * half / float(np.linalg.norm(F.w))
        for vector, style in ((v, "witness-line"), (w, "accent")):
            items.append(stroke(scale * np.stack([np.zeros(2), vector]), style, "arrow"))
    sliders = [
        dial(
            "leave", _("Multiple t of v that is added to w"), written("t"), multiple(stage), -LARGEST_T, LARGEST_T, 0.05
        )
    ]
    if len(directions(F.Z)) > 1:
        words = _("Another v, orthogonal to the feature vectors of all training points")
        sliders.append(dial("sweep", words, "v", stage.dial("sweep", 0.0), 0.0, 180.0, 5.0, "°"))
    levels = (("zero", 0.0), ("plus", 1.0), ("minus", -1.0))
    return {
        "lines": {
            name: [flat_coordinates(line) for line in level_lines(values, half, level)] for name, level in levels
        },
        "shade": shading(SolutionDrawing(half, values[::-1], (), (), (), {})),
        "marks": {"fill": [1.0] * len(F.y)},
        "slack": [],
        "overlay": items,
        "sliders": sliders,
    }


def situation(stage: Stage) -> str:
    """Describe the points, v and the objective."""
    if has_points_of(stage.lab, COLLINEAR) and stage.lab.kernel_function.is_linear:
        points = _(
            "Five objects were measured in two units (invented numbers), so all training points lie on a line through "
            "the origin. The kernel is linear, so $\\phi(x) = x$. Let $v \\ne 0$ be orthogonal to this line."
        )
    else:
        points = _(
            "The feature vectors $\\phi(x_i)$ of the training points span only a part of the feature space. So some "
            "$v \\ne 0$ is orthogonal to all of them."
        )
    return f"{points} " + _(
        "The SVM has no bias. Its $w$ minimises $F(w)$, the mean hinge loss plus $R = \\frac\\lambda2\\|w\\|^2$."
    )


def verdict(stage: Stage) -> str:
    """Return the answer and by how much F grows."""
    F = objective("square", stage.solution)
    rise = float(F.predicted(np.array([SHOWN]))[0]) - F.value(F.w)
    return _(
        "No, w is a linear combination of the φ(xᵢ). Adding 1.5 v to w changes no loss, but F becomes {rise} larger."
    ).format(rise=short(rise, 3))


def chart(stage: Stage) -> Chart:
    """Return the chart of F and its loss along t."""
    return Chart(along(present(stage), orthogonal(stage), multiple(stage), stage.palette))


SAYS = {
    "square": N_("The loss (dashed) does not depend on $t$, so $F(w + tv)$ is smallest at $t = 0$."),
    "level": N_(
        "Here $F$ is the squared loss plus a constant, so every $t$ gives the same $F$. The minimiser at $t = 0$ lies "
        "in the span of the $\\phi(x_i)$, and the others do not."
    ),
    "ring": N_(
        "Here $R$ is smallest if $w$ is twice as long as the best fit $w_0$. If you add $t v$, $w$ becomes longer and "
        "no loss changes. At $t = \\pm1.732$, $F$ is smaller than anywhere in the span."
    ),
}
FORMULAS = {
    "square": r"F(w + tv) = F(w) + \tfrac{\lambda}{2}\,t^2\|v\|^2, \qquad \langle v, \phi(x_i)\rangle = 0",
    "level": r"F(w) = \textstyle\sum_i (f(x_i) - y_i)^2 + \text{constant}",
    "ring": r"F(w) = \textstyle\sum_i (f(x_i) - y_i)^2 + (\|w\| - 2\|w_0\|)^2",
}


def says(stage: Stage) -> str:
    """Say what the chart and the board show."""
    name = str(stage.pick("price"))
    words = _(SAYS[name])
    if name != "square":
        return words
    if stage.lab.kernel_function.is_linear:
        return f"{words} " + _(
            "The arrows are $w + tv$ (green) and $v$ (pink), not to scale. Bars are losses, and the thin line is the "
            "boundary for $t = 0$."
        )
    return f"{words} " + _("On the board, the bars are the losses, and $f$ stays the same along the dashed pink curve.")


def more(stage: Stage) -> Sequence[Part]:
    """Return the theorem, its proof, its condition, and the length from kernel values."""
    K, a = stage.lab.problem.gram, stage.solution.coefficients
    return [
        _(
            "**Theorem.** Let $F(w)$ be a loss that depends only on the values $\\langle w, \\phi(x_i)\\rangle$, plus "
            "$R(\\|w\\|)$ with a strictly increasing $R$. Then every minimiser of $F$ has the form $w = \\sum_i "
            "a_i\\,\\phi(x_i)$. So $m$ coefficients are enough, whatever the dimension of the feature space is."
        ),
        _(
            "**Proof.** Write $w = q + v$, with $q$ in the span of the $\\phi(x_i)$ and $v$ orthogonal to it. Then "
            "$\\langle w, \\phi(x_i)\\rangle = \\langle q, \\phi(x_i)\\rangle$ and $\\|w\\|^2 = \\|q\\|^2 + "
            "\\|v\\|^2$. If $v \\ne 0$, then $F(q) < F(w)$, so $w$ is not a minimiser. If $R$ is only nondecreasing, "
            "then $F(q) \\le F(w)$, so if a minimiser exists, one lies in the span. On the dashed pink line of the "
            "board, $f$ is the same for every $t$."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces claim this for every real function $R$. One point "
            "$(1, 0)$ with the loss $(\\langle w, x\\rangle - 1)^2$ and $(\\|w\\| - 2)^2$ is a counterexample. The "
            "minimum is 0, at $w = (1, \\pm1.732)$, but the minimum in the span is 0.5. You can see it on the board "
            "*One point*, if you choose the last $R$. The Italian notes on Pegasos (Theorem 3) are correct. Their "
            "proof needs < where they write ≤."
        ),
        _(
            "**Length from kernel values.** For $w = \\sum_i a_i\\,\\phi(x_i)$, you obtain $\\|w\\|^2 = \\sum_{{ij}} "
            "a_i a_j\\,k(x_i, x_j)$. Here it is {right}. The notes on half-spaces omit both coefficients in that line, "
            "and $\\sum_{{ij}} k(x_i, x_j)$ is {bare} here. For the points (1, 0) of class +1 and (−1, 0) of class −1, "
            "you would obtain 0 instead of 1."
        ).format(right=short(float(a @ K @ a)), bare=short(float(K.sum()))),
    ]


def along(F: Objective, v: Array, t: float, palette: Palette) -> go.Figure:
    """Draw the loss and F along t, F as predicted as dots, and the minimum in the span as a dotted line."""
    figure = empty_chart(palette, "", "", height=300)
    positions, few = np.linspace(-LARGEST_T, LARGEST_T, 81), np.arange(-1.5, 2.0, 0.5)
    losses = np.array([float(F.terms(F.w + s * v)[0].sum()) for s in positions])
    values = np.array([F.value(F.w + s * v) for s in positions])
    for name, y, colour, dash in (
        ("F", values, palette.text, "solid"),
        (_("loss"), losses, palette.other, "dash"),
    ):
        hover = written("t = %{x:.2f}<br>") + f"{name} = %{{y:.5g}}<extra></extra>"
        pen = palette.pen(colour, dash=dash)
        figure.add_trace(go.Scatter(x=positions, y=y, name=name, mode="lines", line=pen, hovertemplate=hover))
    dots = {"size": 0.7 * SIZE * palette.stroke, "color": palette.text}
    hover = _("F(w) and the growth of R: {value}").format(value="%{y:.5g}") + "<extra></extra>"
    figure.add_trace(
        go.Scatter(x=few, y=F.predicted(few), name="predicted", mode="markers", marker=dots, hovertemplate=hover)
    )
    add_rule(figure, palette, palette.quiet, "dot", y=F.least_in_span)
    present_w = F.w + t * v
    mark_current(figure, palette, t, float(F.terms(present_w)[0].sum()), F.value(present_w))
    ends = axis_range(values, losses, F.least_in_span, room=0.2)
    figure.update_xaxes(range=[-LARGEST_T, LARGEST_T], dtick=1).update_yaxes(range=ends, nticks=5)
    labels = [
        axis_name(figure, written("t"), palette),
        Label("F", LARGEST_T, float(values[-1]), palette.text),
        Label(_("loss"), LARGEST_T, float(losses[-1]), palette.other),
        Label(_("minimum in the span"), -LARGEST_T, F.least_in_span, palette.quiet, "below right"),
    ]
    return place_labels(figure, palette, labels, backed=True)


REPRESENTER = Step(
    key="representer",
    former_key="span",
    title=N_("The representer theorem"),
    situation=situation,
    question=N_(
        "Does the minimiser $w$ of the objective $F$ have a component orthogonal to the feature vectors of all "
        "training points?"
    ),
    choices=(
        right(N_("No, w is a linear combination of the φ(xᵢ)")),
        wrong(
            N_("Yes, if the feature space has such a direction v"),
            N_(
                "There is such a direction. However, adding a multiple of v to w changes no value f(xᵢ), and it only "
                "makes w longer."
            ),
        ),
        wrong(
            N_("Yes, if this component reduces the loss"),
            N_("It does change f at other points. However, it changes no value f(xᵢ), so it cannot reduce the loss."),
        ),
    ),
    verdict=verdict,
    board=COLLINEAR,
    deeper=True,
    introduces=("representer-theorem",),
    needs=(PRODUCT, NO_BIAS, SOFT, OUTSIDE, SOLVED, NONZERO_W),
    draw=draw,
    play={"key": "leave", "op": "dial", "from": 0.0, "to": SHOWN, "ms": 2400},
    rests_on_answer=lambda stage: stage.pick("price") == "square" and multiple(stage) != 0.0,
    numbers=(
        Measure(
            N_("loss"),
            lambda stage: float(present(stage).terms(moved(stage))[0].sum()),
            N_("Loss in F at w + t v"),
            after_show=True,
        ),
        Measure(
            "‖w + t v‖²",
            lambda stage: float(moved(stage) @ moved(stage)),
            N_("Squared length of w + t v"),
            after_show=True,
        ),
        Measure("F", lambda stage: present(stage).value(moved(stage)), N_("F at w + t v"), after_show=True),
    ),
    picks=(Pick("price", N_("Regulariser"), REGULARISERS, "square", NAMES.__getitem__),),
    chart=chart,
    says=says,
    formula=lambda stage: FORMULAS[str(stage.pick("price"))],
    more=more,
    tries=(
        Try(N_("6 features"), board=THREE),
        Try(N_("One point"), board=ONE),
        Try(N_("Another R"), set_picks(price="ring")),
    ),
    shows=("K8", "K9"),
)
