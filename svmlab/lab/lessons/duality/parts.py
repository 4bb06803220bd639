"""The duality gap is the sum of the KKT residuals, for any line and any feasible multipliers (H4, S6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette
from svmlab.statements.values import Residuals, residuals

TURN = 60.0  # degrees by which the line is turned at deviation 1
GRID = np.round(np.linspace(0.0, 1.0, 11), 2)
START = 0.5  # the deviation before the answer is shown
VARIES = {"both": N_("w, b and α"), "line": N_("only w, b"), "weights": N_("only α")}
DEVIATION = Dial(
    "away", N_("Deviation from the optimal w, b and α"), N_("deviation from optimum"), 0.0, 1.0, 0.02, start=START
)


def turned_line(stage: Stage, deviation: float) -> Line:
    """Return the optimal line, turned about the mean of the points by 60 degrees times the deviation.

    Without a bias it is turned about the origin.
    """
    optimum, middle = boundary_line(stage), stage.data.X.mean(0) if stage.lab.bias else np.zeros(2)
    angle = np.radians(TURN) * (deviation if stage.pick("off") != "weights" else 0.0)
    c, s = np.cos(angle), np.sin(angle)
    w = np.array([[c, -s], [s, c]]) @ optimum.w
    return Line(w, optimum.b + float((optimum.w - w) @ middle) if stage.lab.bias else 0.0)


def multipliers(stage: Stage, deviation: float) -> Array:
    """Return a mixture of the optimal alpha and of its means over each class, so that y'alpha does not change."""
    y, alpha = stage.data.y, stage.solution.alpha
    means = np.where(y > 0, alpha[y > 0].mean(), alpha[y < 0].mean())
    deviation = deviation if stage.pick("off") != "line" else 0.0
    return np.asarray((1.0 - deviation) * alpha + deviation * means)


def residuals_at(stage: Stage, deviation: float) -> Residuals:
    """Return both objective values and the KKT residuals."""
    line = turned_line(stage, deviation)
    return residuals(stage.data.X, stage.data.y, stage.lab.C, line.w, line.b, multipliers(stage, deviation))


def point_residuals(stage: Stage, deviation: float) -> Array:
    """Return alpha_i (y_i f_i - 1 + xi_i) + (C - alpha_i) xi_i for each point, shape (m,)."""
    line, alpha = turned_line(stage, deviation), multipliers(stage, deviation)
    yf = stage.data.y * (stage.data.X @ line.w + line.b)
    xi = np.maximum(0.0, 1.0 - yf)
    return np.asarray(alpha * (yf - 1.0 + xi) + (stage.lab.C - alpha) * xi)


def draw(stage: Stage) -> Data:
    """Draw the turned line, and with the answer fill the points by alpha and circle them by their residuals."""
    deviation, C, half = DEVIATION(stage), stage.lab.C, stage.lab.view
    line, alpha = turned_line(stage, deviation), multipliers(stage, deviation)
    items = line_strokes(line, half, "accent")
    items += [item for t in (1.0, -1.0) for item in line_strokes(line.shifted(t / line.norm), half, "accent dashed")]
    if not stage.shown:
        return {**POINTS_ONLY, "legend": None, "overlay": items}
    size = point_residuals(stage, deviation)
    largest = max(float(size.max()), float(point_residuals(stage, 1.0).max()))
    radius = {i: half * (0.03 + 0.1 * np.sqrt(v / largest)) for i, v in enumerate(size) if v > 1e-6 * largest}
    items += [stroke(np.r_[stage.data.X[i], r], "witness-line", "disc") for i, r in radius.items()]
    look = {
        "fill": np.round(alpha / C, 3).tolist(),
        "state": ["none" if a <= 1e-9 * C else "bound" if a >= (1 - 1e-9) * C else "free" for a in alpha],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(alpha),
    }
    return {"overlay": items, "marks": look, "slack": []}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the gap, as the difference of the two values, and the sum of the KKT residuals."""
    if not stage.shown:
        return ()
    current = residuals_at(stage, DEVIATION(stage))
    values = _("Primal value {primal} minus dual value {dual}").format(
        primal=short(current.primal, 4), dual=short(current.dual, 4)
    )
    return [
        Reading("P − D", _number(current.gap, current), repr(current.gap), values),
        Reading(
            _("sum of the residuals"),
            _number(current.sum, current),
            repr(current.sum),
            _("Sum of the residuals of the three KKT conditions"),
        ),
    ]


def _number(value: float, current: Residuals) -> str:
    return short(value, 4, ROUNDING * current.primal)


def verdict(stage: Stage) -> str:
    current = residuals_at(stage, DEVIATION(stage))
    return _(
        "No, it is then 0, because the gap is the sum of the KKT residuals. For the current w, b and α, both are {gap}."
    ).format(gap=_number(current.gap, current))


def chart(stage: Stage) -> Chart:
    """Show the residuals for each deviation, and the gap computed from the two values."""
    return Chart(parts(GRID, [residuals_at(stage, float(t)) for t in GRID], DEVIATION(stage), stage.palette))


def more(stage: Stage) -> Sequence[Part]:
    """Prove that the gap is the sum of the residuals."""
    return [
        _(
            "**Proof.** Let $w_\\alpha=\\sum_i\\alpha_iy_ix_i$. By definition, "
            "$P-D=\\frac12\\|w\\|^2+\\frac12\\|w_\\alpha\\|^2+C\\sum_i\\xi_i-\\sum_i\\alpha_i$. Here "
            "$\\frac12\\|w\\|^2+\\frac12\\|w_\\alpha\\|^2=\\frac12\\|w-w_\\alpha\\|^2+\\langle w,w_\\alpha\\rangle$, "
            "and $\\langle w,w_\\alpha\\rangle=\\sum_i\\alpha_iy_if(x_i)$ because $\\sum_i\\alpha_iy_i=0$ or $b=0$. "
            "Now collect the terms of each point."
        ),
        _(
            "**Why no term is negative.** By the definition of the slack, $y_if(x_i)-1+\\xi_i\\ge0$ and $\\xi_i\\ge0$. "
            "Moreover, $0\\le\\alpha_i\\le C$. So the gap is 0 if and only if every condition holds."
        ),
        _(
            "**The deviation.** At 0 you see the optimal $w$, $b$ and α. At 1 the line is turned by 60°, and within "
            "each class all multipliers are equal. The sum of each class stays the same, so α stays feasible."
        ),
        _(
            "**Use.** If you stop a solver early, the sum bounds the distance to the optimal value. The circles show "
            "which points contribute to it."
        ),
    ]


def parts(deviations: Array, at: Sequence[Residuals], current: float, palette: Palette) -> go.Figure:
    """Draw a stack of the residuals at each deviation, and a ring at the gap P - D of the two values."""
    figure = empty_chart(palette, _("deviation from the optimum"), _("duality gap"), height=280, along=True)
    gap = np.array([each.gap for each in at])
    top = 1.08 * max(float(gap.max()), 1e-12)
    named = (
        (written("½ ‖w − Σ α y x‖²"), np.array([each.stationarity for each in at]), palette.accent),
        (written("α (y f − 1 + ξ)"), np.array([each.slackness for each in at]), palette.other),
        ("(C − α) ξ", np.array([each.ceiling for each in at]), palette.quiet),
    )
    width, base, labels = 0.075, np.zeros(len(deviations)), []
    for name, value, colour in named:
        figure.add_trace(
            go.Bar(
                x=deviations,
                y=value,
                name=name,
                width=width,
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate="%{y:.5g}",
            )
        )
        if value[-1] > 0.02 * top:
            labels.append(Label(name, 1.0 + width / 2, float(base[-1] + 0.5 * value[-1]), colour))
        base = base + value
    ring = {"size": 10 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2)}
    figure.add_trace(
        go.Scatter(x=deviations, y=gap, name="P − D", mode="markers", marker=ring, hovertemplate="%{y:.5g}")
    )
    add_rule(figure, palette, palette.accent, x=current)
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[-0.06, 1.0 + width], showgrid=False)
    figure.update_yaxes(range=[-0.03 * top, top], nticks=4)
    return place_labels(figure, palette, labels)


PARTS = Step(
    key="parts",
    title=N_("Duality gap and KKT"),
    deeper=True,
    introduces=("slack", "stationarity"),
    situation=N_(
        "A soft margin allows a slack $\\xi_i=\\max(0,1-y_if(x_i))$. The **primal value** is "
        "$P=\\frac12\\|w\\|^2+C\\sum_i\\xi_i$ for any $w, b$ (green line). The **dual value** $D$ is the dual "
        "objective of any feasible α ($0\\le\\alpha_i\\le C$ and, with a bias, $\\sum_i\\alpha_iy_i=0$). The **KKT "
        "conditions** are $w=\\sum_i\\alpha_iy_ix_i$, $\\alpha_i(y_if(x_i)-1+\\xi_i)=0$ and $(C-\\alpha_i)\\,\\xi_i=0$."
    ),
    question=N_("Can the duality gap $P-D$ be positive although all KKT conditions hold?"),
    choices=(
        right(N_("No, it is then 0")),
        wrong(
            N_("Yes, the conditions are only necessary"),
            N_(
                "In general optimisation problems this can happen. However, the gap of the SVM is equal to the sum of "
                "the KKT residuals."
            ),
        ),
        wrong(
            N_("Yes, if some slack is positive"),
            N_(
                "A positive slack seems to leave a gap. However, (C − α) ξ = 0 is one of the KKT conditions, so its "
                "residual is part of the sum."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=14, noise=0.6, seed=0, value=1.0),
    needs=(BOTH_CLASSES, LINEAR, SOFT, SOLVED, NONZERO_W, at_most(60)),
    dials=(DEVIATION,),
    draw=draw,
    play=DEVIATION.play(START, 0.0, 2200),
    rests_on_answer=lambda stage: DEVIATION(stage) == 0.0,
    numbers=numbers,
    picks=(Pick("off", N_("Deviation of"), tuple(VARIES), "both", lambda name: _(VARIES[name])),),
    chart=chart,
    says=N_(
        "A **residual** measures how far one KKT condition is from holding. Each bar adds the three residuals, with "
        "$w_\\alpha=\\sum_i\\alpha_iy_ix_i$. The ring is $P-D$. Both are equal at every deviation, and 0 at the "
        "optimum."
    ),
    formula=r"\textstyle P-D=\tfrac12\|w-w_\alpha\|^2+\sum\alpha(yf-1+\xi)+\sum(C-\alpha)\xi",
    more=more,
    tries=(
        Try(N_("Deviation 0.5"), DEVIATION.to(0.5)),
        Try(N_("Deviation 1"), DEVIATION.to(1.0)),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H4", "S6"),
)
