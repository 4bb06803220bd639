"""The Lagrangian as a game of two players, who minimise it over w and b and maximise it over alpha (H13).

Along the factors t of the optimal w and b and s of the optimal alpha it is the same surface on every board, in units of
|w*|^2:

    L(t w*, t b*, s alpha*) = |w*|^2 (t^2 / 2 - s (t - 1))

because sum alpha*_i y_i f*(x_i) = sum alpha*_i = |w*|^2. Its saddle point is t = s = 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.lessons.duality.boards import EIGHT
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, LINEAR, NONZERO_W, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette
from svmlab.statements.kkt_conditions import lagrangian

LARGEST = 2.0  # of either factor
T = Dial("stretch", N_("Factor t of the optimal w and b"), N_("factor t"), 0.0, LARGEST, 0.02, 1.0, after_show=True)
S = Dial("load", N_("Factor s of the optimal multipliers α"), N_("factor s"), 0.0, LARGEST, 0.02, 1.0, after_show=True)
VIEWS = {"surface": N_("level curves"), "answers": N_("who chooses first")}
SAYS = {
    "surface": N_(
        "The chart shows $L$ for $t$ times the optimal $w, b$ and $s$ times the optimal $\\alpha$. At the **saddle "
        "point** $(1, 1)$, no change of $t$ makes $L$ smaller, and no change of $s$ makes it larger."
    ),
    "answers": N_(
        "If you choose $t$ times the optimal $w, b$ first, the best α gives the upper curve. If you choose $s$ times "
        "the optimal α first, the best $w, b$ give the lower curve. The best first choice is 1 for both."
    ),
}
SIX = board_of_points(  # w = (1, 0), b = 0, and alpha = 1/2 for the two points on the margin lines
    ((1, 0, 1), (2.4, 1.7, 1), (2.0, -1.9, 1), (-1, 0, -1), (-2.3, 1.4, -1), (-1.8, -2.0, -1)), hard=True
)


def value(stage: Stage) -> float:
    """Return the Lagrangian at the current factors, computed as its sum over the points."""
    line, t = boundary_line(stage), T(stage)
    return lagrangian(stage.situation, t * line.w, t * line.b, S(stage) * stage.solution.alpha)


def largest_over_alpha(stage: Stage) -> float:
    """Return the largest L over all alpha >= 0 for the current w and b, infinite if a constraint is violated."""
    t = T(stage)
    smallest_margin = t * float(stage.solution.margins.min())
    return 0.5 * (t * stage.solution.norm_w) ** 2 if smallest_margin >= 1.0 - 1e-9 else np.inf


def smallest_over_w_and_b(stage: Stage) -> float:
    """Return the smallest L over all w and b for the current alpha, which is the objective of the dual problem."""
    alpha = S(stage) * stage.solution.alpha
    signed = alpha * stage.data.y
    return float(alpha.sum()) - 0.5 * float(signed @ stage.lab.problem.gram @ signed)


def draw(stage: Stage) -> Data:
    """Draw the margin lines of the current w and b, circle the points between them, and fill the points by alpha."""
    if not stage.shown:
        return {**POINTS_ONLY, "legend": None}
    line, t, half = boundary_line(stage), T(stage), stage.lab.view
    items = line_strokes(line, half, "accent") if t else []
    if t:
        margin_lines = [line.shifted(side / (t * line.norm)) for side in (1.0, -1.0)]
        items += [item for each in margin_lines for item in line_strokes(each, half, "accent dashed")]
    violated = t * stage.solution.margins < 1.0 - 1e-9
    items += [stroke(np.r_[x, 0.05 * half], "witness-line", "disc") for x in stage.data.X[violated]]
    fill = S(stage) * stage.solution.alpha / (LARGEST * float(stage.solution.alpha.max()))
    look = {
        "fill": np.round(np.minimum(fill, 1.0), 3).tolist(),
        "state": ["free" if v > 1e-9 else "none" for v in fill],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(fill),
    }
    return {
        "lines": {"zero": [], "plus": [], "minus": []},
        "shade": None,
        "overlay": items,
        "marks": look,
        "slack": [],
    }


def finite(number: float) -> float | str:
    """Return a number, or the sign of infinity."""
    return number if np.isfinite(number) else "∞"


def chart(stage: Stage) -> Chart:
    """Show the level curves of L, or the optimal answer of each player."""
    make = surface if stage.pick("saddle") == "surface" else answers
    return Chart(make(stage.solution.norm_w**2, T(stage), S(stage), LARGEST, stage.palette))


def says(stage: Stage) -> str:
    view = stage.pick("saddle")
    return _(SAYS[view])


def verdict(stage: Stage) -> str:
    return _(
        "No, both orders give the same value, here ½‖w‖² = {value}. At a saddle point, neither player can gain."
    ).format(value=short(0.5 * stage.solution.norm_w**2))


def more(stage: Stage) -> Sequence[Part]:
    """Derive the primal and the dual problem, and state weak and strong duality."""
    return [
        _(
            "**If you choose w and b first.** If some constraint is violated, $L$ has no upper bound over α. Otherwise "
            "the best answer α makes every term of the sum 0, so $L=\\frac12\\|w\\|^2$. Minimising this is the primal "
            "problem."
        ),
        _(
            "**If you choose α first.** The best answer is $w=\\sum_i\\alpha_iy_ix_i$. With a bias, $b$ can make $L$ "
            "tend to −∞ unless $\\sum_i\\alpha_iy_i=0$. With this condition "
            "$L=\\sum_i\\alpha_i-\\frac12\\|\\sum_i\\alpha_iy_ix_i\\|^2$. Maximising this is the dual problem."
        ),
        r"$$\max_{\alpha\ge0}\,\min_{w,b}L\;\le\;\min_{w,b}\,\max_{\alpha\ge0}L$$",
        _(
            "**Weak and strong duality.** This inequality holds for every function of two players and is called weak "
            "duality. Equality is called strong duality. It holds here because the objective is convex, the "
            "constraints are linear, and a feasible $w$ exists."
        ),
        _(
            "**What the chart shows.** A stronger colour means a larger $L$. You see only multiples of the optimal $w, "
            "b$ and of the optimal α. There, $L$ is $\\|w\\|^2(\\frac12t^2-s(t-1))$ with the optimal $w$, so the chart "
            "looks the same for all separable points."
        ),
        _(
            "**Lecture notes.** Gruber's German handout starts the dual with this min-max problem (its version 3). "
            "Gambosi's slides start with the Lagrangian."
        ),
    ]


def surface(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """Draw level curves of unit (t^2 / 2 - s (t - 1)), its minima t = s, and t = 1, where it does not depend on s."""
    figure = empty_chart(palette, _("factor t of w and b"), _("factor s of α"), height=300)
    grid = np.linspace(0.0, span, 81)
    L = unit * (0.5 * grid[None, :] ** 2 - grid[:, None] * (grid[None, :] - 1.0))
    step = 0.25 * unit
    figure.add_trace(
        go.Contour(
            x=grid,
            y=grid,
            z=L,
            name="L",
            showscale=False,
            colorscale=[[0.0, palette.paper], [1.0, palette.accent]],
            opacity=0.5,
            zmin=0.0,
            zmax=2.0 * unit,
            contours={"start": -2.0 * unit, "end": 3.0 * unit, "size": step, "coloring": "fill", "showlines": True},
            line={"width": palette.stroke, "color": palette.text},
            hovertemplate=written("t = %{x:.2f}<br>s = %{y:.2f}<br>L = %{z:.4g}<extra></extra>"),
        )
    )
    lines = (
        ("valley", np.array([0.0, span]), palette.text, "solid"),
        ("level", np.array([1.0, 1.0]), palette.text, "dash"),
    )
    for name, x, colour, dash in lines:
        y = np.array([0.0, span])
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))
    dot = {"size": SIZE * palette.stroke, "color": palette.accent}
    figure.add_trace(
        go.Scatter(x=np.ones(1), y=np.ones(1), name="saddle", mode="markers", marker=dot, hoverinfo="skip")
    )
    mark_current(figure, palette, t, s)
    add_rule(figure, palette, palette.accent, y=s)
    figure.update_xaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    figure.update_yaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    names = (
        Label(_("min over t"), span, span, palette.text),
        Label(_("L does not depend on s"), 1.0, 0.12 * span, palette.text),
        Label(_("saddle point"), 1.0, 1.0, palette.accent, "below right"),
    )
    return place_labels(figure, palette, names, backed=True)


def answers(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """Draw the largest L over alpha for each t, infinite below 1, and the smallest L over w and b for each s."""
    figure = empty_chart(palette, _("factor t or s"), "L", height=300)
    top = 0.5 * unit * span**2
    feasible, grid = np.linspace(1.0, span, 41), np.linspace(0.0, span, 81)
    highest, lowest = 0.5 * unit * feasible**2, unit * (grid - 0.5 * grid**2)
    figure.add_trace(
        go.Scatter(
            x=np.r_[1.0, feasible],
            y=np.r_[1.2 * top, highest],
            name="largest",
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=grid,
            y=lowest,
            name="least",
            mode="lines",
            line=palette.pen(palette.accent),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, 3)}
    figure.add_trace(
        go.Scatter(
            x=np.array([t, s]),
            y=np.array([0.5 * unit * t**2 if t >= 1.0 - 1e-9 else 1.05 * top, unit * (s - 0.5 * s**2)]),
            name="now",
            mode="markers",
            marker=ring,
            hoverinfo="skip",
        )
    )
    figure.add_shape(
        type="rect",
        x0=0.0,
        x1=1.0,
        y0=1.0 * top,
        y1=1.12 * top,
        fillcolor=palette.grid,
        line={"width": 0},
        layer="below",
    )
    figure.update_xaxes(range=[0.0, span], dtick=0.5)
    figure.update_yaxes(range=[-0.04 * top, 1.12 * top], nticks=4)
    names = (
        Label("∞", 0.5, 1.05 * top, palette.text, ""),
        Label(_("max over α"), span, float(highest[-1]), palette.text),
        Label(_("min over w, b"), span, float(lowest[-1]), palette.accent),
    )
    return place_labels(figure, palette, names)


SADDLE = Step(
    key="saddle",
    title=N_("The Lagrangian"),
    introduces=("lagrangian", "multiplier"),
    situation=N_(
        "The **Lagrangian** of the primal problem is "
        "$L(w,b,\\alpha)=\\frac12\\|w\\|^2-\\sum_i\\alpha_i\\,(y_if(x_i)-1)$. One player chooses $w$ and $b$ and wants "
        "$L$ to be small. The other chooses a **multiplier** $\\alpha_i\\ge0$ for each point and wants $L$ to be "
        "large. The player who chooses second knows the first choice, and both choose optimally."
    ),
    question=N_(
        "Does the optimal value of the Lagrangian $L$ depend on whether $w, b$ or the multipliers $\\alpha$ are chosen "
        "first?"
    ),
    choices=(
        right(N_("No, both orders give the same value")),
        wrong(
            N_("Yes, each player does better by choosing second"),
            N_(
                "The second player gains if the first choice is not optimal. However, after an optimal first choice, "
                "this gain is 0."
            ),
        ),
        wrong(
            N_("Yes, L is infinite if α is chosen second"),
            N_(
                "If a constraint is violated, L has no upper bound over α. However, the optimal first choice of w and "
                "b violates no constraint."
            ),
        ),
    ),
    verdict=verdict,
    board=SIX,
    needs=(BOTH_CLASSES, LINEAR, HARD, SEPARABLE, NONZERO_W),
    dials=(T, S),
    draw=draw,
    play=T.play(0.4, 1.0, 2000),
    rests_on_answer=lambda stage: T(stage) == 1.0 and S(stage) == 1.0,
    numbers=(
        Measure("L", value, N_("The Lagrangian at the current factors t and s"), after_show=True),
        Measure(
            N_("max over α"),
            lambda stage: finite(largest_over_alpha(stage)),
            N_("Largest L over all α ≥ 0 if w and b are chosen first, infinite if a constraint is violated"),
            after_show=True,
        ),
        Measure(
            N_("min over w, b"),
            smallest_over_w_and_b,
            N_("Smallest L over all w and b if the current α is chosen first"),
            after_show=True,
        ),
    ),
    picks=(Pick("saddle", N_("Chart"), tuple(VIEWS), "answers", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=r"L(w,b,\alpha)=\tfrac12\|w\|^2-\textstyle\sum_i\alpha_i\,(y_if(x_i)-1)",
    more=more,
    tries=(
        Try("t = 0.6, s = 1.6", set_dials(stretch=0.6, load=1.6)),
        Try("t = 1.5", T.to(1.5)),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("H13", "H3"),
)
