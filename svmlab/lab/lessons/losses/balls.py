"""What a regulariser wants: the ball of R1 has corners on the axes, that of R2 has none (L8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.lessons.losses import balls_chart
from svmlab.lab.lessons.losses.names import OF_W
from svmlab.lab.lessons.losses.touching import START, Ground, best, looked, path, survey
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import dial, line_strokes, place, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend
from svmlab.plane.geometry import Line
from svmlab.solvers.bias import best_biases, hinges

NOTHING = 1e-9  # what a weight adds to no f of a point: it is 0
LEAST = 0.25  # below, p is 0
LARGEST, ALONG = 30.0, 60  # lambda where the path begins, and its places


def work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Ground]]:
    """The survey of the plane of w, as far as the chart shows it."""
    data, bias, lam = stage.data, stage.lab.bias, min(stage.lab.lam, START)
    return ("losses", "ground", data.key, bias, lam), lambda report: survey(data, bias, lam, report)


def along(stage: Stage, ground: Ground, p: float) -> tuple[tuple[Any, ...], Callable[[Report], Array]]:
    """The path of w under Rp, from the origin on."""
    key, (data, bias) = work(stage)[0], (stage.data, stage.lab.bias)
    lams = np.geomspace(LARGEST, min(stage.lab.lam, START), ALONG)
    return (*key, p), lambda report: path(data, bias, ground, lams, p, report)


def power(stage: Stage) -> float:
    """The p of the ball."""
    p = min(stage.dial("p", 1.0), 8.0)
    return 0.0 if p < LEAST else p


def answer_of(stage: Stage, p: float) -> tuple[Array, float] | None:
    """W (2,) and b under Rp at the board's lambda; None for p other than 1 and 2 until the plane has been surveyed."""
    data, bias, lam = stage.data, stage.lab.bias, stage.lab.lam
    if p == 2:
        return ridge(stage), stage.solution.b
    if p == 1:
        fit = stage.cached("R1", lambda: descend(Objective(data, LOSSES["hinge"], REGULARISERS["R1"], lam, bias)))
        return fit.w, fit.b
    ground = stage.background_result_or_none(*work(stage))
    if ground is None:
        return None
    if stage.moving:  # by looking alone, which is quicker
        w = stage.cached(f"looked {p}", lambda: looked(data, bias, ground, lam, p))
    else:
        w = stage.cached(f"best {p}", lambda: best(data, bias, ground, lam, p))
    return w, middle(stage, w)


def middle(stage: Stage, w: Array) -> float:
    """The best b beside w, the middle one of several."""
    if not stage.lab.bias:
        return 0.0
    return float(best_biases((stage.data.X @ w)[None], stage.data.y)[0])


def lasso(stage: Stage) -> Array:
    """The w of R1, (2,)."""
    found = answer_of(stage, 1.0)
    assert found is not None
    return found[0]


def ridge(stage: Stage) -> Array:
    """The w of R2, (2,): that of the machine on the board, a weight that no f feels being 0."""
    w = stage.solution.w
    assert w is not None
    reach = np.abs(stage.data.X).max(0)
    return np.where(np.abs(w) * reach <= max(NOTHING, stage.solution.noise), 0.0, w)


def answer(stage: Stage) -> int:
    """R1, for which there is a lambda on every board; both where R2's answer has a weight that is 0 as well."""
    return 2 if (ridge(stage) == 0).any() else 0


def verdict(stage: Stage) -> str:
    """Both answers, at the board's lambda."""
    one, two = place(lasso(stage)), place(ridge(stage))
    if answer(stage) == 2:
        told = _("both: on these points R₁ has w = {one}, and R₂ too has a 0 in {two}.")
    elif (lasso(stage) == 0).any():
        told = _("R₁: at this λ it has w = {one}, and R₂ has {two}.")
    else:
        told = _("R₁, from some larger λ on: here it has w = {one}, and R₂ {two}.")
    return told.format(one=one, two=two)


def draw(stage: Stage) -> Data:
    """R1's line in accent beside the machine's own, which is R2's, and that of any other p dashed; the dials of lambda
    and p.
    """
    if not stage.shown:
        return {"slack": []}
    half, p, items = stage.lab.view, power(stage), []
    for each, style in ((1.0, "accent"), *([] if p in (1, 2) else [(p, "accent dashed")])):
        found = answer_of(stage, each)
        if found is not None and found[0].any():
            items += line_strokes(Line(*found), half, style)
    return {
        "slack": [],
        "overlay": items,
        "sliders": [*sliders(stage.lab)[:1], dial("p", _("The p of the ball; 0: the cross of R₀"), "p", p, 0, 8, 0.5)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both answers and their lengths."""
    if not stage.shown:
        return ()
    found = []
    for name, w in (("R₁", lasso(stage)), ("R₂", ridge(stage))):
        size = float(np.hypot(*w))
        found.append(Reading(f"{name}: w", place(w), str(w)))
        found.append(Reading("|w|", short(size, 3, ROUNDING), repr(size)))
    return found


def chart(stage: Stage) -> Chart:
    """The ball of p where it touches the contours, and the path along lambda."""
    ground, p = stage.background_result(*work(stage)), power(stage)
    found = answer_of(stage, p)
    assert found is not None
    w = found[0]
    loss = float(hinges(stage.data.X, stage.data.y, w[None], stage.lab.bias)[0]) / stage.data.m
    way = stage.background_result(*along(stage, ground, p))
    name = _("at most one weight") if p == 0 else _("ball of {name}").format(name=called(p))
    return Chart(balls_chart.ball_on_contours(ground, w, loss, p, name, place(w), way, stage.palette))


def called(p: float) -> str:
    """What Rp is called."""
    return {0.0: "R₀", 1.0: "R₁", 2.0: "R₂"}.get(p, f"Rₚ, p = {short(p)}")


def says(stage: Stage) -> str:
    """What shape does."""
    p = power(stage)
    if p == 0:
        return _(
            "R₀ counts the weights: to use one alone, w must lie on the cross. No slope leads there. Dashed: its line."
        )
    if p < 1:
        return _(
            "Below p = 1 the ball bends inwards, and its tips touch first; there are several valleys. Dashed: its line."
        )
    if p == 1:
        return _("Corners on the axes: the ball often touches a contour there. Dotted: w along λ. Board: R₁ in accent.")
    if p == 2:
        return _(
            "A round ball touches hardly ever on an axis. Dotted: w along λ. Board: R₂ is the machine, R₁ in accent."
        )
    return _("From p = 1 on the ball is convex; at 1 alone has it corners on the axes. Dashed: its line, accent: R₁.")


def formula(stage: Stage) -> str:
    """The objective with the price of p."""
    price = {0.0: r"\lambda\,\#\{w_j\ne0\}", 1.0: rf"\lambda\,{OF_W['R1']}", 2.0: rf"\lambda\,{OF_W['R2']}"}
    other = r"\tfrac\lambda p\sum_j|w_j|^p"
    return r"F(w,b)=\tfrac1m\textstyle\sum_i\max(0,\,1-y_i f(x_i))+" + price.get(power(stage), other)


def more(stage: Stage) -> Sequence[Part]:
    """Why a corner holds a weight at 0, how the ball comes in, turning, and the misprints."""
    return [
        _(
            "**Why.** At $w_j = 0$ the slope of $R_1$ in $w_j$ may be anything from −1 to 1: a weight stays "
            "0 as long as the loss pulls at it with no more than $\\lambda$. "
            "The slope of $R_2$ is $w_j$, so at 0 nothing holds it: the least pull moves it. At λ = {lam} "
            "$R_1$ has $w$ = {one}, $R_2$ has {two}."
        ).format(lam=short(stage.lab.lam, 3), one=place(lasso(stage)), two=place(ridge(stage))),
        _(
            "**The ball.** Whatever minimises loss + price has the least loss of all $w$ that cost no more: "
            "there the ball of that price touches a contour of the loss. "
            "For any $p > 0$ the price here is $\\frac\\lambda p\\sum_j|w_j|^p$, which is $R_1$ for $p = 1$ "
            "and $R_2$ for $p = 2$, and whose balls are those of $R_p$; for $p = 0$ it is $\\lambda R_0$."
        ),
        _(
            "**Turn the points**, and $R_2$'s answer turns with them: it has no axes. $R_1$'s does not, and "
            "its length changes too: which weights are 0 depends on the coordinates that were chosen."
        ),
        _(
            "Gambosi's slides print $R_0$ without the sum over $i$, and call $R_p$ by the name of $R_2$. "
            "$R_p$ is a norm, and convex, for $p \\ge 1$ only. "
            "Their $R_2$ has a half and a square: it is no norm, but has the same balls."
        ),
    ]


def play(stage: Stage) -> Data | None:
    """Lambda goes up and comes back: both lines turn, and R1's gives up a weight."""
    lam = stage.lab.lam
    ends = [each if stage.lab.face == "lambda" else 1.0 / (each * stage.data.m) for each in (lam, 4.0 * lam)]
    return {"key": "value", "op": "set", "from": ends[0], "to": ends[1], "ms": 2400, "back": True}


def turned(stage: Stage) -> Op:
    """All points, turned by 45 degrees around the origin."""
    half = math.sqrt(0.5)
    X = stage.data.X @ np.array([[half, half], [-half, half]])
    rows = zip(stage.lab.points, X.tolist(), strict=True)
    return {"op": "points", "points": [[point.id, *at, point.label] for point, at in rows]}


BALLS = Step(
    key="balls",
    title=N_("What a regulariser wants"),
    question=N_("Mean hinge + $\\lambda R(w)$, and $\\lambda$ grows. Under which $R$ does a weight become exactly 0?"),
    choices=(
        Choice(
            N_("R₁ = |w₁| + |w₂|"), N_("Under R₁ it does; but on these points R₂ has a weight of exactly 0 as well.")
        ),
        Choice(
            N_("R₂ = ½(w₁² + w₂²)"), N_("It makes weights small; at 0 its own slope is 0, so nothing keeps one there.")
        ),
        Choice(N_("Both"), N_("R₂ makes weights small, but near 0 it asks for hardly anything.")),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", face="lambda", value=0.4),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try("p = 2", set_dials(p=2.0)),
        Try("p = ½", set_dials(p=0.5)),
        Try(N_("Turn by 45°"), turned),
    ),
    shows=("L8",),
)
