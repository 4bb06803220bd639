"""The gap as the sum of what the optimality conditions miss, for any line and any weights (H4, S6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, reading, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line
from svmlab.statements.values import Residuals, residuals

TURN = 60.0  # degrees that the line is off at the far end
GRID = np.round(np.linspace(0.0, 1.0, 11), 2)
OFF = {"both": N_("both"), "line": N_("the line"), "weights": N_("the weights")}


def away(stage: Stage) -> float:
    """How far from the best, 0 to 1."""
    return stage.dial("away", 0.5)


def turned(stage: Stage, t: float) -> Line:
    """The best line turned by t times 60 degrees, about the middle of the points; about the origin without a bias."""
    best, middle = boundary_line(stage), stage.data.X.mean(0) if stage.lab.bias else np.zeros(2)
    angle = np.radians(TURN) * (t if stage.pick("off") != "weights" else 0.0)
    c, s = np.cos(angle), np.sin(angle)
    w = np.array([[c, -s], [s, c]]) @ best.w
    return Line(w, best.b + float((best.w - w) @ middle) if stage.lab.bias else 0.0)


def weights(stage: Stage, t: float) -> Array:
    """From the best alpha to one with the same sum of each class, alike within it; so y'alpha stays what it is, 0 with
    a bias.
    """
    y, alpha = stage.data.y, stage.solution.alpha
    alike = np.where(y > 0, alpha[y > 0].mean(), alpha[y < 0].mean())
    t = t if stage.pick("off") != "line" else 0.0
    return np.asarray((1.0 - t) * alpha + t * alike)


def at(stage: Stage, t: float) -> Residuals:
    """Both values and the parts, so far from the best."""
    line = turned(stage, t)
    return residuals(stage.data.X, stage.data.y, stage.lab.C, line.w, line.b, weights(stage, t))


def draw(stage: Stage) -> Data:
    """The line so far off with its margin lines, and the points filled by their weights."""
    if not stage.shown:
        return {}
    line, half, alpha = turned(stage, away(stage)), stage.lab.view, weights(stage, away(stage))
    items = line_strokes(line, half, "accent")
    items += [item for t in (1.0, -1.0) for item in line_strokes(line.shifted(t / line.norm), half, "accent dashed")]
    C = stage.lab.C
    look = {
        "fill": np.round(alpha / C, 3).tolist(),
        "state": ["none" if a <= 1e-9 * C else "bound" if a >= (1 - 1e-9) * C else "free" for a in alpha],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(alpha),
    }
    title = _("How far from the best line and weights")
    return {
        "overlay": items,
        "marks": look,
        "slack": [],
        "sliders": [dial("away", title, _("off by"), away(stage), 0.0, 1.0, 0.02)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The two values, each by itself, and the gap beside the sum of its parts."""
    if not stage.shown:
        return ()
    now = at(stage, away(stage))
    return [
        reading("P", now.primal),
        reading("D", now.dual),
        reading("P − D", short(now.gap, 5, ROUNDING * now.primal)),
        reading(_("sum of the parts"), short(now.sum, 5, ROUNDING * now.primal)),
    ]


def chart(stage: Stage) -> Chart:
    """The parts along the way, and the gap measured by itself."""
    return Chart(parts(GRID, [at(stage, float(t)) for t in GRID], away(stage), stage.palette))


def more(stage: Stage) -> Sequence[Part]:
    """Where the identity comes from."""
    return [
        _(
            "Put $u = \\sum_i \\alpha_i y_i x_i$. The gap is $\\tfrac12\\|w\\|^2 + \\tfrac12\\|u\\|^2 + C\\sum\\xi_i - "
            "\\sum\\alpha_i$, and $\\tfrac12\\|w\\|^2 + \\tfrac12\\|u\\|^2 = \\tfrac12\\|w - u\\|^2 + "
            "\\langle w, u\\rangle$ with "
            "$\\langle w, u\\rangle = \\sum\\alpha_i y_i (f(x_i) - b)$. What is left sorts itself point by point."
        ),
        _(
            "It holds for any $w$, $b$ and any $0 \\le \\alpha \\le C$; where $y^\\top\\alpha \\ne 0$ one more part, "
            "$-b\\,y^\\top\\alpha$, has either sign. So whoever stops early knows how much is missing at "
            "most, and where."
        ),
    ]


def parts(t: Array, found: Sequence[Residuals], here: float, palette: Palette) -> go.Figure:
    """A stack at each t, of what each condition misses, and a ring at the gap P - D, taken as the difference of the
    values.
    """
    figure = blank(palette, _("off by"), _("gap"), height=280, along=True)
    gap = np.array([each.gap for each in found])
    top = 1.08 * max(float(gap.max()), 1e-12)
    named = (
        ("½ |w − u|²", np.array([each.stationarity for each in found]), palette.accent),
        ("α (y f − 1 + ξ)", np.array([each.slackness for each in found]), palette.other),
        ("(C − α) ξ", np.array([each.ceiling for each in found]), palette.quiet),
    )
    width, base, labels = 0.075, np.zeros(len(t)), []
    for name, value, colour in named:
        figure.add_trace(
            go.Bar(
                x=t,
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
    figure.add_trace(go.Scatter(x=t, y=gap, name="P − D", mode="markers", marker=ring, hovertemplate="%{y:.5g}"))
    add_rule(figure, palette, palette.accent, x=here)
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[-0.06, 1.0 + width], showgrid=False)
    figure.update_yaxes(range=[0, top], nticks=4)
    return place_labels(figure, palette, labels)


PARTS = Step(
    key="parts",
    title=N_("What the gap is made of"),
    question=N_(
        "At the best line and weights all conditions hold. Do they **suffice**: could they all hold "
        "somewhere else, with a "
        "gap left between $P$ and $D$?"
    ),
    choices=(
        right(N_("No: the gap is what they miss")),
        wrong(
            N_("Yes: they are necessary only"),
            N_("In general they are; here the gap is their sum, and 0 with them."),
        ),
        wrong(
            N_("Yes, once there is slack"),
            N_("Slack adds a condition, and with it one more part of the same sum."),
        ),
    ),
    verdict=lambda stage: _("No: the gap is exactly the sum of what the conditions miss."),
    board=preset("overlapping", size=14, noise=0.6, seed=0, value=1.0),
    needs=(BOTH_CLASSES, LINEAR, SOFT, SOLVED, NONZERO_W, at_most(60)),
    draw=draw,
    play=lambda stage: {"key": "away", "op": "dial", "from": 1.0, "to": 0.0, "ms": 2200},
    numbers=numbers,
    picks=(Pick("off", N_("Off"), tuple(OFF), "both", lambda name: _(OFF[name])),),
    chart=chart,
    says=N_(
        "With $u = \\sum_i \\alpha_i y_i x_i$. No part is below 0: together they vanish, and only where "
        "each condition holds "
        "is the gap closed."
    ),
    formula=r"P-D=\tfrac12\|w-u\|^2+\alpha^\top(yf-1+\xi)+(C-\alpha)^\top\xi",
    more=more,
    tries=(
        Try(N_("Half way"), set_dials(away=0.5)),
        Try(N_("Far off"), set_dials(away=1.0)),
        Try(N_("At the best"), set_dials(away=0.0)),
    ),
    shows=("H4", "S6"),
)
