"""L1 and L2 regularisation: the ball of R1 has corners on the axes, that of R2 has none (L8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts import marks
from svmlab.lab.lessons.losses.names import OF_W
from svmlab.lab.lessons.losses.touching import START, WIDE, Ground, ball, best, looked, path, survey
from svmlab.lab.numbers import short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import line_strokes, place, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Try, dial
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, p_norm
from svmlab.plane.geometry import Line
from svmlab.plot.contours import contours
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette, faded
from svmlab.solvers.bias import best_biases, hinges

NOTHING = 1e-9  # a component that adds at most this to every f is 0
SMALLEST_P = 0.25  # a smaller p counts as 0
LARGEST, ALONG = 30.0, 60  # the lambda where the path begins, and its number of points
THIN, THICK = 1.2, 3.0
JUMP = 0.15  # of the height of the chart: for p < 1 a longer step of the path is a jump


def work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Ground]]:
    """Return the evaluation of the mean hinge loss in the plane of w, as far as the chart shows it."""
    data, bias, lam = stage.data, stage.lab.bias, min(stage.lab.lam, START)
    return ("losses", "ground", data.key, bias, lam), lambda report: survey(data, bias, lam, report)


def path_work(stage: Stage, ground: Ground, p: float) -> tuple[tuple[Any, ...], Callable[[Report], Array]]:
    """Return the computation of the path of w for Rp, from the origin on."""
    key, (data, bias) = work(stage)[0], (stage.data, stage.lab.bias)
    lams = np.geomspace(LARGEST, min(stage.lab.lam, START), ALONG)
    return (*key, p), lambda report: path(data, bias, ground, lams, p, report)


def power(stage: Stage) -> float:
    """Return the p of the ball."""
    p = min(stage.dial("p", 1.0), 8.0)
    return 0.0 if p < SMALLEST_P else p


def minimiser(stage: Stage, p: float) -> tuple[Array, float] | None:
    """Return w (2,) and b for Rp at the board's lambda, or None until it is known for a p other than 1 and 2."""
    data, bias, lam = stage.data, stage.lab.bias, stage.lab.lam
    if p == 2:
        return w_of_R2(stage), stage.solution.b
    if p == 1:
        fit = stage.cached("R1", lambda: descend(Objective(data, LOSSES["hinge"], REGULARISERS["R1"], lam, bias)))
        return fit.w, fit.b
    ground = stage.background_result_or_none(*work(stage))
    if ground is None:
        return None
    if stage.moving:  # by evaluations alone, which is quicker
        w = stage.cached(f"looked {p}", lambda: looked(data, bias, ground, lam, p))
    else:
        w = stage.cached(f"best {p}", lambda: best(data, bias, ground, lam, p))
    return w, best_bias(stage, w)


def best_bias(stage: Stage, w: Array) -> float:
    """Return the optimal b for this w, the middle one of several."""
    if not stage.lab.bias:
        return 0.0
    return float(best_biases((stage.data.X @ w)[None], stage.data.y)[0])


def w_of_R1(stage: Stage) -> Array:
    """Return the w of R1, (2,)."""
    known = minimiser(stage, 1.0)
    assert known is not None
    return known[0]


def w_of_R2(stage: Stage) -> Array:
    """Return the w of R2, (2,), which is that of the SVM on the board. A component that changes no f is 0."""
    w = stage.solution.w
    assert w is not None
    reach = np.abs(stage.data.X).max(0)
    return np.where(np.abs(w) * reach <= max(NOTHING, stage.solution.noise), 0.0, w)


def answer(stage: Stage) -> int:
    """Return whether a component is 0 only for R1, only for R2, for both, or for neither, at the board's lambda."""
    has_zero = bool((w_of_R1(stage) == 0).any()), bool((w_of_R2(stage) == 0).any())
    return {(True, False): 0, (False, True): 1, (True, True): 2, (False, False): 3}[has_zero]


def verdict(stage: Stage) -> str:
    """Say both minimisers at the board's lambda."""
    return (
        _("Only with R₁ = |w₁| + |w₂|. At λ = {lam}, R₁ gives w = {one}, and R₂ gives w = {two}."),
        _("Only with R₂ = ½(w₁² + w₂²). At λ = {lam}, R₁ gives w = {one}, and R₂ gives w = {two}."),
        _("With both. At λ = {lam}, R₁ gives w = {one}, and R₂ gives w = {two}."),
        _("With neither. λ = {lam} is too small: R₁ gives w = {one}, and R₂ gives w = {two}."),
    )[answer(stage)].format(lam=short(stage.lab.lam, 3), one=place(w_of_R1(stage)), two=place(w_of_R2(stage)))


def draw(stage: Stage) -> Data:
    """Return the line of R1 in accent beside that of R2, which is the SVM's, and dashed that of any other p."""
    if not stage.shown:
        return {"slack": []}
    half, p, items = stage.lab.view, power(stage), []
    for each, style in ((1.0, "accent"), *([] if p in (1, 2) else [(p, "accent dashed")])):
        known = minimiser(stage, each)
        if known is not None and known[0].any():
            items += line_strokes(Line(*known), half, style)
    exponent = dial("p", _("Exponent p of the regulariser, 0 for the number of nonzero components"), "p", p, 0, 8, 0.5)
    return {"slack": [], "overlay": items, "sliders": [*sliders(stage.lab)[:1], exponent]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return both minimisers."""
    if not stage.shown:
        return ()
    one, two = w_of_R1(stage), w_of_R2(stage)
    return [
        Reading(
            _("w for R₁"),
            place(one),
            str(one),
            _("Minimiser with the L1 norm at the λ of the slider (green line on the board)"),
        ),
        Reading(
            _("w for R₂"),
            place(two),
            str(two),
            _("Minimiser with half the squared norm, the SVM on the board (solid line)"),
        ),
    ]


def chart(stage: Stage) -> Chart:
    """Return the ball of Rp where it touches the contours, and the path along lambda."""
    ground, p = stage.background_result(*work(stage)), power(stage)
    known = minimiser(stage, p)
    assert known is not None
    w = known[0]
    loss = float(hinges(stage.data.X, stage.data.y, w[None], stage.lab.bias)[0]) / stage.data.m
    path_ = stage.background_result(*path_work(stage, ground, p))
    name = _("at most one component") if p == 0 else _("ball of {name}").format(name=regulariser_name(p))
    return Chart(ball_on_contours(ground, w, loss, p, name, place(w), path_, stage.palette))


def regulariser_name(p: float) -> str:
    """Return the name of Rp."""
    return {0.0: "R₀", 1.0: "R₁", 2.0: "R₂"}.get(p, f"Rₚ, p = {short(p)}")


def says(stage: Stage) -> str:
    """Say what the shape of the ball does."""
    p = power(stage)
    if p == 0:
        return _(
            "$R_0$ counts the nonzero components of $w$. With at most one of them, $w$ lies on the cross. $R_0$ is "
            "piecewise constant, so its gradient gives no descent direction."
        )
    if p < 1:
        return _(
            "Pink curves are contours of the mean hinge loss. For $p < 1$ the ball is not convex, and it usually "
            "touches a contour at a tip on an axis. There can be several local minima."
        )
    if p == 1:
        return _(
            "Pink curves are contours of the mean hinge loss, and the dotted curve is $w$ for other $\\lambda$. The "
            "**ball** (vectors whose $R_1$ is at most that of $w$) has corners on the axes. It often touches a contour "
            "there."
        )
    if p == 2:
        return _(
            "Pink curves are contours of the mean hinge loss, and the dotted curve shows $w$ for other $\\lambda$. The "
            "ball of $R_2$ has no corners, so it usually touches a contour away from the axes."
        )
    return _(
        "Pink curves are contours of the mean hinge loss. For $p > 1$ the ball is convex and has no corners, so it "
        "usually touches a contour away from the axes."
    )


def formula(stage: Stage) -> str:
    """Return the objective with the regulariser of p."""
    terms = {0.0: r"\lambda\,\#\{w_j\ne0\}", 1.0: rf"\lambda\,{OF_W['R1']}", 2.0: rf"\lambda\,{OF_W['R2']}"}
    other = r"\tfrac\lambda p\sum_j|w_j|^p"
    return r"F(w,b)=\tfrac1m\textstyle\sum_i\max(0,\,1-y_i f(x_i))+" + terms.get(power(stage), other)


def play(stage: Stage) -> Data | None:
    """Return the animation in which lambda grows and returns."""
    lam = stage.lab.lam
    ends = [each if stage.lab.face == "lambda" else 1.0 / (each * stage.data.m) for each in (lam, 4.0 * lam)]
    return {"key": "value", "op": "set", "from": ends[0], "to": ends[1], "ms": 2400, "back": True}


def turned_by_45_degrees(stage: Stage) -> Op:
    """Return the operation that turns all points by 45 degrees around the origin."""
    half = math.sqrt(0.5)
    X = stage.data.X @ np.array([[half, half], [-half, half]])
    rows = zip(stage.lab.points, X.tolist(), strict=True)
    return {"op": "points", "points": [[point.id, *x, point.label] for point, x in rows]}


def ball_on_contours(
    ground: Ground, w: Array, loss: float, p: float, name: str, w_text: str, path: Array, palette: Palette
) -> go.Figure:
    """Return the ball of Rp through w (2,), the contours of the mean hinge loss, and the path (k, 2) of w along lambda.

    The contour of `loss` is thick. name: the name of the ball. The ball of p = 0 is a cross, all w with at most one
    nonzero component.
    """
    figure = empty_chart(palette, height=255)
    w1, w2, losses = ground.shown
    steps = float(losses.min()) + np.ptp(losses) * np.linspace(0.0, 0.8, 13)[1:] ** 2
    heading = _("mean hinge loss")
    figure.add_trace(contours(w1, w2, losses, steps, palette.pen(palette.other, THIN), heading))
    wide, high = WIDE * ground.half, ground.half
    if p == 0:
        x, y = wide * np.array([-1.0, 1.0, np.nan, 0.0, 0.0]), high * np.array([0.0, 0.0, np.nan, -1.0, 1.0])
        labels = [Label(name, 0.0, -0.75 * high, palette.accent)]
    else:
        reach = float(p_norm(w, p))
        x, y = ball(p, reach).T
        labels = [Label(name, -min(reach, 0.93 * wide), 0.0, palette.accent, "above left")]
    fill = {} if p == 0 else {"fill": "toself", "fillcolor": faded(palette.accent, 0.2)}
    shape = go.Scatter(x=x, y=y, mode="lines", name="ball", hoverinfo="skip", line=palette.pen(palette.accent, THICK))
    figure.add_trace(shape.update(**fill))
    level = np.array([loss])
    figure.add_trace(contours(w1, w2, losses, level, palette.pen(palette.other, THICK), heading, 1.0))
    jumps = np.flatnonzero(np.linalg.norm(np.diff(path, axis=0), axis=1) > JUMP * high) if p < 1 else np.zeros(0, int)
    with_gaps = np.insert(path, jumps + 1, np.nan, axis=0)
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    curve = go.Scatter(
        x=with_gaps[:, 0], y=with_gaps[:, 1], mode="lines", name="path", line=palette.pen(palette.text, 2.5, "dot")
    )
    figure.add_trace(curve.update(hovertemplate=hover))
    is_outside = abs(w[0]) > wide or abs(w[1]) > high
    outside = ("→" if w[0] > wide else "←" if w[0] < -wide else "↑" if w[1] > high else "↓") if is_outside else ""
    if not is_outside:
        mark = marks.dots(
            palette, w[:1], w[1:], np.zeros(1), np.zeros(1, bool), palette.text, name="w", hover=hover, edge=2.0
        )
        figure.add_trace(mark)
    x0, y0 = float(np.clip(w[0], -wide, wide)), float(np.clip(w[1], -high, high))
    side = ("below " if y0 >= 0 else "above ") + ("right" if (x0 >= 0) != is_outside else "left")
    labels.append(Label(f"w = {w_text} {outside}".rstrip(), x0, y0, palette.text, side))
    figure.update_xaxes(range=[-wide, wide], nticks=7, zeroline=True, constrain="domain")
    figure.update_yaxes(range=[-high, high], nticks=5, zeroline=True, scaleanchor="x", constrain="domain")
    axes = [Label("w₁", wide, 0.0, palette.quiet, "above left"), Label("w₂", 0.0, high, palette.quiet, "below right")]
    return place_labels(figure, palette, [*labels, *axes], backed=True)


BALLS = Step(
    key="balls",
    title=N_("L1 and L2 regularisation"),
    deeper=True,
    situation=N_(
        "Two SVMs minimise the mean hinge loss plus $\\lambda R(w)$, with the $\\lambda$ of the slider. "
        "Their **regularisers** are the L1 norm $R_1(w) = |w_1| + |w_2|$ and $R_2(w) = \\frac12\\|w\\|^2$. "
        "The board shows the SVM with $R_2$. If $w_1$ is exactly 0, the prediction does not use the feature "
        "$x_1$."
    ),
    question=N_(
        "With which regulariser is a component of the minimiser $w$ exactly 0, for the $\\lambda$ on the board?"
    ),
    choices=(
        Choice(
            N_("Only with R₁ = |w₁| + |w₂|"),
            N_(
                "R₁ often makes components exactly 0. Here, however, λ is too small for it, or R₂ has a component 0 as "
                "well."
            ),
        ),
        Choice(
            N_("Only with R₂ = ½(w₁² + w₂²)"),
            N_(
                "R₂ makes w shorter. However, its slope at wⱼ = 0 is 0, so the slope of the loss usually keeps wⱼ away "
                "from 0."
            ),
        ),
        Choice(
            N_("With both"),
            N_(
                "Both make w shorter. However, R₂ makes a component exactly 0 only in special cases, such as symmetric "
                "points."
            ),
        ),
        Choice(
            N_("With neither"),
            N_("Short vectors usually have no component 0. Here, however, at least one of the minimisers has one."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", face="lambda", value=0.4),
    introduces=("regulariser", "sum-of-sizes", "half-square", "length-by-p"),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: bool((w_of_R1(stage) == 0).any()) and not (w_of_R2(stage) == 0).any(),
    numbers=numbers,
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**Why a component can be exactly 0.** At $w_j = 0$, every number from −1 to 1 is a subgradient of $R_1$ "
            "in $w_j$. So $w_j$ stays 0 as long as the slope of the loss in $w_j$ is at most $\\lambda$. The slope of "
            "$R_2$ in $w_j$ is $w_j$, which is 0 at 0. So any other slope of the loss moves $w_j$ away from 0."
        ),
        N_(
            "**The ball.** Let $w$ be the minimiser. No vector with the same $R(w)$ or less has a smaller loss. So the "
            "ball of $R$ through $w$ touches the contour of the loss at $w$. For every $p > 0$ the regulariser is "
            "$\\frac1p\\sum_j|w_j|^p$. It equals $R_1$ for $p = 1$ and $R_2$ for $p = 2$, and it has the same balls as "
            "the norm $R_p$."
        ),
        N_(
            "**On the board.** You see the line of $R_1$ in green. The line with the margin lines is the decision "
            "boundary of the SVM with $R_2$. If you choose another $p$, its line is dashed."
        ),
        N_(
            "**Large λ.** If λ is large enough, $R_1$ gives $w = 0$, whatever the points are. $R_2$ usually gives a "
            "short $w$ without a component 0. However, if the classes overlap and have different sizes, it can give $w "
            "= 0$ too."
        ),
        N_(
            "**Turned points.** If you turn the points, the $w$ of $R_2$ turns with them, because its balls are discs. "
            "The $w$ of $R_1$ usually does not, and its length can change. Which components are 0 depends on the "
            "coordinates."
        ),
        N_(
            "**The slides.** Gambosi's slides define $R_0$ without the sum over $i$, and they call $R_p$ by the name "
            "of $R_2$. $R_p$ is a norm, and convex, only for $p \\ge 1$. Their $R_2$ has a factor ½ and a square. It "
            "is no norm, but it has the same balls."
        ),
    ),
    tries=(
        Try("p = 2", set_dials(p=2.0)),
        Try("p = ½", set_dials(p=0.5)),
        Try(N_("Turn by 45°"), turned_by_45_degrees),
    ),
    shows=("L8",),
)
