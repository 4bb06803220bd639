"""The subgradients of the hinge loss of a point, and those that the optimum chooses (L3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.lessons.losses.names import LOSS, pen
from svmlab.lab.lessons.losses.subgradients import above, hinge, optimal_slopes, residual, slopes
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import line_strokes, place, select_point, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _, bias, written
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette, faded

VIEWS = {"one": N_("one point"), "all": N_("all points at the optimum")}
# slopes, and t = y f: for the class + as they are, for - with the other sign
START, STEEP, RISING, BESIDE, FIRST = -0.5, -1.05, 0.05, 0.4, -1.5
STEEPEST, FARTHEST = 1.5, 2.5  # the ends of the sliders
CIRCLE = 0.045  # radius, in parts of the half-width of the board
LARGEST_F, LOW, HIGH = 3.0, -1.2, 4.2  # of f to both sides, and of the loss
HINGE = LOSS["hinge"]
F = np.linspace(-LARGEST_F, LARGEST_F, 601)  # the kinks at -1 and 1 are among them
KINK = 1e-9  # a y f as near to 1 counts as 1


def row(stage: Stage) -> int:
    """Return the row of the point whose loss is drawn: the selected one, or the first free support vector, or 0."""
    if stage.selected_row is not None:
        return stage.selected_row
    free = np.flatnonzero(stage.solution.free)
    return int(free[0]) if len(free) else 0


def label(stage: Stage) -> float:
    """Return the label of that point."""
    return float(stage.data.y[row(stage)])


def keys(y: float) -> tuple[str, str]:
    """Return the sliders of the slope and of f0. Each class has its own."""
    return ("slopeP", "kinkP") if y > 0 else ("slopeN", "kinkN")


def line(stage: Stage) -> tuple[float, float]:
    """Return the slope and the f0 of the line."""
    y = label(stage)
    slope_key, f0_key = keys(y)
    slope, f0 = stage.dial(slope_key, START * y), stage.dial(f0_key, y)
    return min(max(slope, -STEEPEST), STEEPEST), min(max(f0, -FARTHEST), FARTHEST)


def subgradients(stage: Stage) -> str:
    """Return the subgradients at f0 in words."""
    lo, hi = slopes(label(stage), line(stage)[1])
    return short(lo) if lo == hi else f"[{short(lo)}, {short(hi)}]"


def draw(stage: Stage) -> Data:
    """Return the circled point, the line f = f0, and the vector -s x, by which the point contributes to a descent step.

    The segment has its positions for all subgradients s.
    """
    if not stage.shown or stage.pick("touch") == "all":
        return {"slack": []}
    y, (slope, f0), half, solution = label(stage), line(stage), stage.lab.view, stage.solution
    x = stage.data.X[row(stage)]
    lo, hi = slopes(y, f0)
    is_subgradient = lo - ROUNDING <= slope <= hi + ROUNDING
    items = [stroke(np.r_[x, CIRCLE * half], "accent", "disc")]
    if solution.w is not None and solution.norm_w > 0:
        items += line_strokes(Line(solution.w, solution.b - f0), half, "accent dashed")
    items.append(stroke(np.stack([-lo * x, -hi * x]), "faint"))
    if slope != 0:
        style = "accent" if is_subgradient else "witness-line"
        items.append(stroke(np.stack([np.zeros(2), -slope * x]), style, "arrow") | {"width": 4.0})
    slope_key, f0_key = keys(y)
    return {
        "slack": [],
        "overlay": items,
        "sliders": [
            dial(slope_key, _("Slope s of the line"), _("slope s"), slope, -STEEPEST, STEEPEST, 0.05),
            dial(f0_key, _("Value f₀ at which the line touches the graph"), "f₀", f0, -FARTHEST, FARTHEST, 0.1),
        ],
    }


def play(stage: Stage) -> Data | None:
    """Return the animation of the slope, from a line that is too steep to one between both sides of the graph."""
    if stage.pick("touch") == "all":
        return None
    y = label(stage)
    return {"key": keys(y)[0], "op": "dial", "from": FIRST * y, "to": START * y, "ms": 2600}


def rests_on_answer(stage: Stage) -> bool:
    """Return whether the line has a slope strictly between those of both sides of the kink."""
    slope, f0 = line(stage)
    lo, hi = slopes(label(stage), f0)
    return lo < slope < hi


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the slope and how far its line is above the graph, or the sums over all points."""
    if not stage.shown:
        return ()
    if stage.pick("touch") == "all":
        s, w = optimal_slopes(stage.solution), stage.solution.w
        assert w is not None
        total = -stage.lab.C * (s @ stage.data.X)
        return [
            reading("Σ s", float(s.sum()), _("Sum of the subgradients of all points at the optimum")),
            Reading("w", place(w), str(w), _("Weight vector of the SVM")),
            Reading("−C Σ s x", place(total), str(total), _("The same vector, computed from the subgradients")),
        ]
    y, (slope, f0) = label(stage), line(stage)
    over = above(y, f0, slope, F)
    interval = subgradients(stage)
    return [
        reading(_("slope s"), slope, _("Slope of your line")),
        Reading(
            _("subgradients"),
            interval,
            interval,
            _("All subgradients of the hinge loss at f₀, where your line touches the graph"),
        ),
        reading(
            _("above the graph by"),
            float(over.max()),
            _("Largest height of your line above the graph of the hinge loss, for f from −3 to 3"),
        ),
    ]


def chart(stage: Stage) -> Chart:
    """Return the hinge loss of the point and the line, or the subgradients of all points. A click selects a point."""
    data = stage.data
    if stage.pick("touch") == "all":
        s = optimal_slopes(stage.solution)
        return Chart(
            balance(s, stage.solution.margins, data.y, data.ids, stage.lab.selected, stage.palette), select_point
        )
    i, (slope, f0) = row(stage), line(stage)
    name = _("point {id}").format(id=int(data.ids[i]))
    f = float(data.y[i] * stage.solution.margins[i])
    return Chart(hinge_and_line(label(stage), f0, slope, (f, name), stage.palette))


def says(stage: Stage) -> str:
    """Say what the chart shows."""
    if stage.pick("touch") == "all":
        return _(
            "At the optimum, 0 is a subgradient of the objective $F$. Each bar is the subgradient $s_i$ of one point. "
            "Only at a kink, where $y_i f(x_i) = 1$, is there a choice that can balance the sum."
        )
    lo, hi = slopes(label(stage), line(stage)[1])
    if lo == hi:
        return _(
            "Away from the kink, the loss has a derivative. It is the only subgradient, and the dotted line is its "
            "tangent. Where your line is above the graph, it is pink."
        )
    return _(
        "Your line touches the graph at $f_0$. No line in the shaded fan is above the hinge loss of the "
        "point in the green ring. The arrow $-s\\,x$ is the part of this point in a descent step for $w$."
    )


def formula(stage: Stage) -> str:
    """Return the definition of a subgradient, or the sums at the optimum."""
    if stage.pick("touch") == "one":
        return r"\ell(f)\ \ge\ \ell(f_0)+s\,(f-f_0) \quad \forall f"
    balanced = r",\quad \textstyle\sum_i s_i=0" if stage.lab.bias else ""
    return r"s_i=-\frac{\alpha_i}{C}\,y_i\!:\quad \lambda w+\tfrac1m\textstyle\sum_i s_i x_i=0" + balanced


def more(stage: Stage) -> Sequence[Part]:
    """Return why subgradients matter, what the board shows, and what the slides state."""
    w, b = residual(stage.solution)
    value, other = (float(hinge(1.0, np.array([f]))[0]) for f in (0.0, 1.0))
    printed, meant = value - 1.0 * (0.0 - 1.0), value - 1.0 * (1.0 - 0.0)
    free = int(np.count_nonzero(stage.solution.free))
    sums = (
        _("On this board, the largest component of the sum for $w$ is {w}, and the sum for $b$ is {b}.")
        if stage.lab.bias
        else _(
            "On this board, the largest component of the sum for $w$ is {w}. This SVM has no $b$, so the sum of the "
            "$s_i$ need not be 0."
        )
    ).format(w=short(float(np.abs(w).max()), noise=ROUNDING), b=short(bias(b), noise=ROUNDING))
    return [
        _(
            "**Why it matters.** The SVM minimises $F$, the mean hinge loss plus $\\frac\\lambda2\\|w\\|^2$. At "
            "a minimum, the vector 0 is a subgradient of $F$. The subgradients of $F$ have the component "
            "$\\lambda w + \\frac1m\\sum_i s_i x_i$ for $w$ and $\\frac1m\\sum_i s_i$ for $b$. Here each $s_i$ "
            "is a subgradient of the loss of point $i$. For $y_i f(x_i) > 1$ it must be 0, and for $y_i f(x_i) "
            "< 1$ it must be $-y_i$."
        ),
        _(
            "**The multipliers.** The number of free support vectors is {n}. They lie exactly on a margin line, and "
            "their values in between can make the sums 0. These values are the multipliers of the dual, $s_i = "
            "-y_i\\alpha_i/C$."
        ).format(n=free)
        + " "
        + sums,
        _(
            "**On the board.** Drag the slider $s$ and watch the arrow $-s\\,x$ from the origin. The grey "
            "segment contains its positions for all subgradients $s$ at $f_0$. The arrow is pink if $s$ is no "
            "subgradient. Where your line is above the graph, it is pink. The dashed line on the board is $f(x) "
            "= f_0$."
        ),
        _(
            "**A sign in the slides.** Gambosi's slides state $f(x') \\ge f(x) + \\nabla(x)(x - x')$, with $x - x'$ "
            "instead of $x' - x$. Take the hinge loss of a point with $y = +1$, which has slope −1 at 0. For $x = 0$ "
            "and $x' = 1$, the inequality in the slides reads {value} ≥ {printed}, and the correct one reads {value} ≥ "
            "{meant}. Their interval of subgradients, from $-t$ to 0 or from 0 to $-t$ for the label $t$, is correct."
        ).format(value=short(other), printed=short(printed), meant=short(meant)),
        _(
            "**The subgradient for b.** The slides distinguish two cases, one with ≤ 1 and the other with ≥ 1. So at "
            "the kink they give both $-t$ and 0. They use 0 there for $w$, so the first case should have < 1."
        ),
    ]


def with_line(stage: Stage, **dials: float) -> Op:
    """Return the operation that moves the line. In the view of all points it first shows the one point."""
    return set_dials(**dials) if stage.pick("touch") == "one" else set_picks(touch="one")


def outside(stage: Stage) -> Op:
    """Return the operation for a slope just outside at the kink: too steep, and from there just across 0."""
    y = label(stage)
    slope_key, f0_key = keys(y)
    is_steep = line(stage) == (STEEP * y, y)
    return with_line(stage, **{slope_key: (RISING if is_steep else STEEP) * y, f0_key: y})


def beside(stage: Stage) -> Op:
    """Return the operation that moves f0 away from the kink, to where the point has a loss."""
    y = label(stage)
    return with_line(stage, **{keys(y)[1]: BESIDE * y})


def other_class(stage: Stage) -> Op:
    """Return the operation that selects a point of the other class: a free support vector if there is one."""
    others = stage.data.y != label(stage)
    free = np.flatnonzero(others & stage.solution.free)
    i = free[0] if len(free) else np.flatnonzero(others)[0]
    return select_point(int(stage.data.ids[i]))


def hinge_and_line(y: float, f0: float, slope: float, own: tuple[float, str], palette: Palette) -> go.Figure:
    """Return the hinge loss of a point with label y and the line of this slope through (f0, l(f0)).

    The line is pink where it is above. The fan has all lines that are nowhere above. own: f at the point,
    and the name of the point.
    """
    figure = empty_chart(palette, "", _("hinge loss"), height=300)
    f = F
    at, (lo, hi) = float(hinge(y, np.array([f0]))[0]), slopes(y, f0)
    ends = [at + s * (f - f0) for s in (lo, hi)]
    fan = go.Scatter(
        x=np.r_[f, f[::-1]],
        y=np.r_[np.maximum(*ends), np.minimum(*ends)[::-1]],
        fill="toself",
        fillcolor=faded(palette.accent, 0.2),
        line=palette.pen(palette.accent, 1.0, "dot"),
        mode="lines",
        name="below",
        hoverinfo="skip",
    )
    figure.add_trace(fan)
    hover = "f = %{x:.3g}<br>%{y:.4g}<extra></extra>"
    curve = go.Scatter(x=f, y=hinge(y, f), mode="lines", name="hinge", line=pen("hinge", palette, 3.5))
    figure.add_trace(curve.update(hovertemplate=hover))
    line = at + slope * (f - f0)
    over = above(y, f0, slope, f) > ROUNDING
    for name, where, colour, width in (("line", ~over, palette.text, 2.5), ("above", over, palette.other, 4.5)):
        part = go.Scatter(x=f, y=np.where(where, line, np.nan), mode="lines", name=name, hovertemplate=hover)
        figure.add_trace(part.update(line=palette.pen(colour, width)))
    for name, f_there, label in (("f0", f0, None), ("own", own[0], y)):
        if abs(f_there) <= LARGEST_F:
            figure.add_trace(_mark(name, f_there, float(hinge(y, np.array([f_there]))[0]), label, own[1], palette))
    figure.update_xaxes(range=[-LARGEST_F, LARGEST_F], dtick=1, zeroline=True)
    figure.update_yaxes(range=[LOW, HIGH], dtick=1, zeroline=True)
    inside = np.flatnonzero((line >= LOW) & (line <= HIGH))
    end = int(inside[np.abs(f[inside] - f0).argmax()])
    side = "above right" if f[end] < f0 else "above left"
    words = _("slope {slope}").format(slope=short(slope, 3, ROUNDING))
    colour = palette.other if over.any() else palette.text
    names = [
        Label(words, float(f[end]), float(line[end]), colour, side),
        Label(_(HINGE), 2.2 * y, 0.0, palette.accent, "above"),
        axis_name(figure, "f", palette),
    ]
    return place_labels(figure, palette, names, backed=True)


def _mark(name: str, f: float, loss: float, label: float | None, words: str, palette: Palette) -> go.Scatter:
    """Return the mark of the point through which the line goes, or of the training point in the colour of its class."""
    colour = palette.text if label is None else palette.class_colour(label)
    marker = {
        "symbol": "circle" if label is None or label > 0 else "square",
        "size": palette.stroke * (marks.SIZE if label is None else marks.CHOSEN),
        "color": colour if label is None else palette.paper,
        "line": palette.pen(colour, marks.RING),
    }
    hover = (f"{words}<br>" if label is not None else "") + "f = %{x:.4g}<br>%{y:.4g}<extra></extra>"
    trace = go.Scatter(x=np.array([f]), y=np.array([loss]), mode="markers", name=name)
    return trace.update(marker=marker, hovertemplate=hover)


def balance(s: Array, t: Array, y: Array, ids: Index, selected: int | None, palette: Palette) -> go.Figure:
    """Return a bar for each point: its subgradient s (m,) at the optimum, the points by their t = y f, smallest first.

    customdata of the bars: ids, t.
    """
    order = np.argsort(t, kind="stable")
    ranks, sides = np.arange(1.0, len(s) + 1), np.where(np.abs(t - 1) < KINK, 0, np.sign(t - 1))
    figure = empty_chart(palette, "", _("subgradient"), height=300)
    custom = np.stack([ids[order].astype(float), t[order]], 1)
    hover = _("point {id}").format(id="%{customdata[0]}") + written(
        "<br>y f = %{customdata[1]:.5g}<br>%{y:.5g}<extra></extra>"
    )
    bars = marks.bars(
        palette, ranks, s[order] + 0.0, y[order], custom, ids[order] == selected, name="slopes", hover=hover
    )
    figure.add_trace(bars)
    free = np.flatnonzero((np.abs(s[order]) > ROUNDING) & (np.abs(s[order]) < 1 - ROUNDING))
    figure.add_trace(
        marks.dots(
            palette,
            ranks[free],
            s[order][free],
            custom[free],
            np.zeros(len(free), bool),
            palette.text,
            name="free",
            hover=hover,
        )
    )
    for level in (-1.0, 1.0):
        marks.add_rule(figure, palette, palette.quiet, "dot", y=level)
    names = []
    for side, words in ((-1, written("y f < 1")), (0, "= 1"), (1, "> 1")):
        rows = ranks[sides[order] == side]
        if len(rows):
            names.append(Label(words, float(rows.mean()), 1.12, palette.quiet, ""))
            if rows[-1] < len(s):
                marks.add_rule(figure, palette, palette.quiet, "dash", x=float(rows[-1]) + 0.5)
    figure.update_xaxes(range=[0.4, len(s) + 0.6], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[-1.25, 1.25], tickvals=[-1, 0, 1], zeroline=True).update_layout(bargap=0.16)
    return place_labels(figure, palette, names, backed=True)


SUBGRADIENTS = Step(
    key="kink",
    title=N_("Subgradients of the hinge loss"),
    situation=N_(
        "For a point with label $y = +1$, the hinge loss is $\\ell(f) = \\max(0, 1 - f)$, where $f = f(x)$. Its graph "
        "has a **kink** at $f = 1$, so it has no derivative there. A slope $s$ is called a **subgradient** at the kink "
        "if the line with slope $s$ through the kink is nowhere above the graph."
    ),
    question=N_("Which slopes $s$ are subgradients of the hinge loss $\\max(0, 1 - f)$ at its kink $f = 1$?"),
    choices=(
        wrong(
            N_("Only s = 0"),
            N_(
                "The horizontal line is nowhere above the graph. However, so is every line through the kink with a "
                "slope between −1 and 0."
            ),
        ),
        right(N_("Every s from −1 to 0")),
        wrong(
            N_("None"),
            N_(
                "The loss has no derivative at the kink. However, a subgradient only requires a line that is nowhere "
                "above the graph."
            ),
        ),
        wrong(
            N_("Only s = −1 and s = 0"),
            N_(
                "These are the slopes of the two sides. However, every line with a slope between them is nowhere above "
                "the graph either."
            ),
        ),
    ),
    verdict=N_(
        "Every s from −1 to 0, because none of these lines is above the graph. For y = −1 it is every s from 0 to 1."
    ),
    board=preset("overlapping", size=24, noise=0.3, seed=39),
    introduces=("kink", "subgradient"),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED),
    draw=draw,
    play=play,
    rests_on_answer=rests_on_answer,
    numbers=numbers,
    picks=(Pick("touch", N_("Points"), tuple(VIEWS), "one", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Just outside"), outside),
        Try(N_("Off the kink"), beside),
        Try(N_("Other class"), other_class),
    ),
    shows=("L3",),
)
