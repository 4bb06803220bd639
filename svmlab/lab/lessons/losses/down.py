"""The angle between the negative gradient and the direction to the minimiser w*: below 90 degrees (L11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.lessons.losses import compass
from svmlab.lab.lessons.losses.compass import Bearing, bearing, zigzag
from svmlab.lab.lessons.losses.names import colour
from svmlab.lab.lessons.losses.plane import WIDE, Ground, ground, places, sharp
from svmlab.lab.lessons.losses.plane_chart import behind, clickable, frame
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, probe, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import LINEAR, NO_BIAS, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Pick, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Objective
from svmlab.plane.contours import line_through_origin
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

START_ALONG, START_ACROSS = 1.08, -0.0201  # the first w, in parts of w*: along w*, and perpendicular to it
STEPS = 60  # of gradient descent
STRIDE = 0.5  # the length of its first step, in parts of the typical length of w*
ARROW = 0.22  # of the half-width of the board
VIEWS = {"near": N_("near w*"), "plane": N_("plane of w"), "zigzag": N_("gradient descent")}
LARGE = 45.0  # degrees: from this angle on the board answers the question
AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so w* = 0, whatever their classes. Move one of them."),
    {},
)


def pair(x: float, y: float, lam: float) -> tuple[tuple[tuple[float, float, int], ...], float]:
    """Return two points above each other, one of each class, and lambda."""
    return ((x, y, 1), (x, -y, -1)), lam


NARROW, STRETCHED, SQUEEZED = (
    board_of_points(rows, face="lambda", value=lam, bias=False)
    for rows, lam in (pair(4.0, 1.0, 0.01), pair(4.0, 0.25, 0.01 / 16), pair(1.0, 1.0, 0.01))
)


def best(stage: Stage) -> Array:
    """Return the w* (2,) of the exact solver."""
    w = stage.solution.w
    assert w is not None
    return w


def objective(stage: Stage) -> Objective:
    """Return the F of the SVM without bias."""
    return Objective(stage.data, LOSSES["hinge"], REGULARISERS["R2"], stage.solution.problem.lam, bias=False)


def position(stage: Stage) -> tuple[float, float]:
    """Return the position of w on the board."""
    w, scale = best(stage), frame(stage)
    start = (
        START_ALONG * w + START_ACROSS * np.array([w[1], -w[0]])
        if w.any()
        else 0.2 * scale.half * np.array([-0.5, 1.0])
    )
    x, y = scale.here(start)
    return stage.dial("down1", float(x)), stage.dial("down2", float(y))


def current_w(stage: Stage) -> Array:
    """Return the w that is dragged, (2,)."""
    return frame(stage).of(position(stage))


def current_bearing(stage: Stage) -> Bearing:
    """Return the direction to w* from w."""
    return bearing(objective(stage), current_w(stage), best(stage))


def downhill(stage: Stage) -> Array:
    """Return the negative gradient at w, (2,), or 0 at w* itself."""
    current = current_bearing(stage)
    return np.zeros(2) if np.isnan(current.angle) else -current.g


def reach(stage: Stage) -> float:
    """Return the distance from w* within which the largest angle is searched."""
    return 0.25 * frame(stage).half


def largest_angle(stage: Stage) -> float:
    """Return the largest angle that is found."""
    radius = reach(stage)
    return stage.cached(f"worst {radius}", lambda: compass.worst(objective(stage), best(stage), radius))


def step_length(stage: Stage) -> float:
    """Return the constant step size eta of gradient descent. With more than 1/lambda each step would overshoot 0."""
    typical = float(np.sqrt((stage.data.X**2).sum(1).mean()))
    return min(stage.dial("stride", STRIDE) * reach(stage) / typical, 1.0 / stage.solution.problem.lam)


def descent_path(stage: Stage) -> Array:
    """Return the iterates of gradient descent from w."""
    return zigzag(objective(stage), current_w(stage), step_length(stage), STEPS)


def draw(stage: Stage) -> Data:
    """Return w and w* as arrows. After Show, w has the negative gradient and the direction to w*, equally long."""
    scale, half, w = frame(stage), stage.lab.view, current_w(stage)
    items = [stroke(ends, "accent dashed") for ends in [line_through_origin(best(stage), half)] if len(ends)]
    for v, style in ((w, "faint"), (best(stage), "accent")):
        items.append(stroke(np.stack([np.zeros(2), scale.here(v)]), style, "arrow"))
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "probe": probe("down1", "down2", position(stage), "w")}
    if not stage.shown:
        return data | {"overlay": items}
    if stage.pick("downview") == "zigzag":
        items.append(stroke(scale.here(descent_path(stage)), "witness-line"))
        ratio = stage.dial("stride", STRIDE)
        eta = dial("stride", _("Step size of gradient descent, as a multiple"), _("step"), ratio, 0.05, 2.0, 0.05)
        return data | {"overlay": items, "sliders": [*sliders(stage.lab), eta]}
    tail = scale.here(w)
    descent = downhill(stage)
    if descent.any():
        for direction, style in ((descent, "witness-line"), (best(stage) - w, "accent")):
            length = float(np.hypot(*direction))
            items.append(stroke(np.stack([tail, tail + ARROW * half / length * direction]), style, "arrow"))
    return data | {"overlay": items}


def verdict(stage: Stage) -> str:
    """Say the largest angle that was found."""
    return _(
        "Below 90°, but it can be close to 90°. The largest angle found near w* on this board is {angle}°."
    ).format(angle=short(largest_angle(stage), 4))


def degrees(angle: float) -> str:
    """Return an angle as it is read."""
    return f"{short(angle, 4, 1e-6)}°"


NUMBERS = (
    Measure(
        N_("angle"),
        lambda stage: degrees(current_bearing(stage).angle),
        N_("Angle between the negative gradient and the direction from w to w*"),
        after_show=True,
    ),
    Measure(
        "⟨−∇F, w* − w⟩",
        lambda stage: current_bearing(stage).inner,
        N_("Inner product of both directions, positive if the angle is below 90°"),
        after_show=True,
    ),
    Measure(
        N_("largest angle"),
        lambda stage: degrees(largest_angle(stage)),
        N_("Largest angle at several thousand positions near w*"),
        after_show=True,
    ),
)


def window(stage: Stage) -> tuple[Array, float]:
    """Return the middle of the chart, and its half-height in the plane of w."""
    w, goal, scale = current_w(stage), best(stage), frame(stage)
    if stage.pick("downview") == "near":
        horizontal, vertical = np.abs(w - goal)
        return 0.5 * (w + goal), max(0.02 * scale.half, 1.1 * float(vertical), 1.1 * float(horizontal) / WIDE)
    most = np.abs(np.stack([w, goal])).max(0)
    return np.zeros(2), max(0.3 * scale.half, 1.25 * float(most[1]), 1.25 * float(most[0]) / WIDE)


def chart(stage: Stage) -> Chart:
    """Return the plane of w with arrows of the negative gradient. A click moves w there."""
    F, (middle, half), scale = objective(stage), window(stage), frame(stage)
    grid = middle + half * np.stack(np.meshgrid(np.linspace(-1.75, 1.75, 11), np.linspace(-0.8, 0.8, 5)), -1).reshape(
        -1, 2
    )
    G = -F.gradient(grid)
    norms = np.hypot(*G.T)[:, None]
    directions = 0.24 * half * np.divide(G, norms, out=np.zeros_like(G), where=norms > 0)
    spots = places(middle, half)
    path = descent_path(stage) if stage.pick("downview") == "zigzag" else None
    figure = field(
        stage.cached(f"down ground {middle.tolist()} {half}", lambda: ground(F, middle, half, sharp(stage.data.m))),
        middle,
        half,
        (grid - 0.5 * directions, directions),
        (spots, stage.cached(f"down spots {middle.tolist()} {half}", lambda: F.value(spots))),
        current_w(stage),
        downhill(stage),
        best(stage),
        path,
        stage.palette,
    )
    return Chart(
        figure, lambda i: set_dials(down1=float(scale.by * spots[int(i)][0]), down2=float(scale.by * spots[int(i)][1]))
    )


def says(stage: Stage) -> str:
    """Say what the view shows."""
    if stage.pick("downview") == "zigzag":
        return _(
            "The path shows {n} steps of gradient descent with step size $\\eta$ = {eta}. In a narrow valley, it jumps "
            "from side to side and approaches $w^*$ only slowly."
        ).format(n=STEPS, eta=short(step_length(stage), 3))
    return _(
        "The curves are contours of $F$. The negative gradient (pink and grey arrows) is perpendicular to them. In a "
        "narrow valley, the direction to $w^*$ (green) is almost along them. Arrow lengths mean nothing."
    )


LONG = 0.62  # length of the arrows from w, in parts of the half-height of the chart
HEAD, SPREAD = 0.3, 0.45  # of an arrow: the length of its head, and half of its angle in radians


def arrows(tails: Array, vectors: Array, head: float = HEAD) -> Array:
    """Return arrows from `tails` along `vectors` (k, 2) as one line (6 k, 2), with nan after each."""
    arrowheads = tails + vectors
    corners = [tails, arrowheads]
    for turn in (SPREAD, -SPREAD):
        c, s = np.cos(turn), np.sin(turn)
        back = -head * vectors @ np.array([[c, s], [-s, c]])
        corners += [arrowheads + back, arrowheads]
    corners[-1] = np.full_like(tails, np.nan)
    return np.stack(corners, axis=1).reshape(-1, 2)


def field(
    ground: Ground,
    middle: Array,
    half: float,
    grid: tuple[Array, Array],
    spots: tuple[Array, Array],
    w: Array,
    descent: Array,
    best: Array,
    path: Array | None,
    palette: Palette,
) -> go.Figure:
    """Return contours of F around `middle`, arrows `grid` (tails and vectors), and at w two arrows.

    They are `descent`, the negative gradient, and the direction to `best`.
    path (k, 2): the iterates of gradient descent, which are drawn instead of the two arrows. spots: positions (n, 2)
    that can be clicked, with their number as customdata, and F there.
    """
    figure = empty_chart(palette, height=200, left=30)
    thin = palette.pen(colour("hinge", palette), 1.2)
    figure.add_trace(behind(ground, thin))
    _line(figure, arrows(*grid), "field", palette.pen(palette.quiet, 1.5))
    figure.add_trace(clickable(*spots))
    names = list[Label]()
    if path is not None:
        _line(figure, path, "zigzag", palette.pen(palette.other, 2))
    else:
        names += _two_arrows(figure, w, descent, best, LONG * half, palette)
    star = {"symbol": "circle", "size": 13 * palette.stroke, "color": palette.accent}
    hand = {"symbol": "diamond", "size": 13 * palette.stroke, "color": palette.text}
    for name, at, marker in (("w*", best, star), ("w", w, hand)):
        hover = f"{name} = (%{{x:.6g}}, %{{y:.6g}})<extra></extra>"
        figure.add_trace(go.Scatter(x=at[:1], y=at[1:], name=name, mode="markers", marker=marker, hovertemplate=hover))
    figure.update_xaxes(range=_ends(middle[0], WIDE * half), nticks=6)
    figure.update_yaxes(range=_ends(middle[1], half), nticks=5, scaleanchor="x")
    side = "above" if w[1] >= best[1] else "below"
    other = "below" if side == "above" else "above"
    names.append(Label("w", float(w[0]), float(w[1]), palette.text, side + " left"))
    names.append(Label("w*", float(best[0]), float(best[1]), palette.accent, other + " left"))
    return place_labels(figure, palette, names, backed=True)


def _two_arrows(
    figure: go.Figure, w: Array, descent: Array, best: Array, length: float, palette: Palette
) -> list[Label]:
    """Draw both arrows and the arc between them, and return the label of the negative gradient."""
    norms = [float(np.hypot(*vector)) for vector in (descent, best - w)]
    if min(norms) == 0:
        return []
    one, other = descent / norms[0], (best - w) / norms[1]
    _line(figure, arrows(w[None], length * one[None], 0.2), "down", palette.pen(palette.other, 4))
    _line(figure, arrows(w[None], length * other[None], 0.2), "best", palette.pen(palette.accent, 4))
    turn = np.linspace(0.0, float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other)), 24)
    c, s = np.cos(turn), np.sin(turn)
    arc = w + 0.4 * length * np.stack([c * one[0] - s * one[1], s * one[0] + c * one[1]], axis=1)
    _line(figure, arc, "angle", palette.pen(palette.text, 2))
    tip = w + length * one
    return [Label("−∇F", float(tip[0]), float(tip[1]), palette.other, "right" if one[0] >= 0 else "left")]


def _line(figure: go.Figure, corners: Array, name: str, pen: dict[str, object]) -> None:
    x, y = corners.T
    figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))


def _ends(middle: float, half: float) -> list[float]:
    return [float(middle - half), float(middle + half)]


DOWN = Step(
    key="down",
    title=N_("Gradient and descent direction"),
    situation=N_(
        "$F(w)$ is the mean hinge loss plus $\\frac\\lambda2\\|w\\|^2$, for an SVM without bias. It is "
        "**convex**, so its graph is nowhere above a chord between two of its points. The **negative "
        "gradient** $-\\nabla F(w)$ is the direction in which $F$ decreases fastest. The arrows are $w$, "
        "which you can drag, and the minimiser $w^*$, near $w$ at first."
    ),
    question=N_(
        "How large can the angle between the negative gradient of a convex $F$ and the direction to its minimiser be?"
    ),
    choices=(
        wrong(
            N_("0°, because it points to the minimiser"),
            N_(
                "In one dimension this is true. In the plane, it is perpendicular to a contour of F, and the contours "
                "need not be circles."
            ),
        ),
        right(N_("Below 90°, but it can be close to 90°")),
        wrong(
            N_("Above 90°, so it can point away from the minimiser"),
            N_(
                "It is computed without knowing w*. However, F is nowhere below its tangent plane, so ⟨−∇F, w* − w⟩ ≥ "
                "F(w) − F(w*) > 0."
            ),
        ),
    ),
    verdict=verdict,
    board=NARROW,
    introduces=("convex", "chord", "objective", "optimum"),
    needs=(SOFT, LINEAR, NO_BIAS, AWAY, SOLVED),
    draw=draw,
    rests_on_answer=lambda stage: LARGE < current_bearing(stage).angle < 90.0,
    numbers=NUMBERS,
    picks=(Pick("downview", N_("View"), tuple(VIEWS), "near", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\langle-\nabla F,\,w^*-w\rangle\ \ge\ F(w)-F(w^*)+\tfrac\lambda2\,\|w-w^*\|^2",
    more=(
        N_(
            "**Why the angle is below 90°.** $F(w) - \\frac\\lambda2\\|w\\|^2$ is convex, so it is nowhere below its "
            "tangent plane. This is the inequality in the formula. Its right-hand side is positive for every $w \\ne "
            "w^*$, so the inner product is positive. The same holds for every subgradient at a kink."
        ),
        N_(
            "**What a step does.** If you take a short step along the negative gradient, you come closer to $w^*$, "
            "because the angle is below 90°. If the angle is almost 90°, you come only slightly closer."
        ),
        N_(
            "**On the board.** You see the points of the SVM and also the plane of $w$. The arrows from the "
            "origin are $w$ and $w^*$. At the tip of $w$, the pink arrow is the negative gradient, and the "
            "green arrow leads to $w^*$. Both show only directions, because they have equal lengths. So the "
            "green arrow can end beyond $w^*$. The dashed line is the decision boundary of $w^*$."
        ),
        N_(
            "**The first board.** It has the point (4, 1) with label +1, the point (4, −1) with label −1, and λ = "
            "0.01. Then $w^* = (0, 1)$, and at $w = (-0.0201, 1.08)$ the angle is 89.6°. At the kink $(-0.02, 1.08)$ "
            "there are many subgradients. You see one with the largest angle, 89.7°."
        ),
        N_(
            "**Stretching.** If $x_1$ is four times as large, the largest angle is 89.93°. With a quarter of $x_1$, it "
            "is 89.42°. The points (16, ±1) do not fit on the board. So the board *x₁ × 4* has a quarter of all "
            "coordinates and λ/16, and its $w$ is four times as long."
        ),
        N_(
            "**The slides.** Gambosi's slides state that the gradient points towards the global minimum. The minus "
            "sign is missing. With it, the statement is true in one dimension, which their picture shows. In the "
            "plane, the angle can be anything below 90°."
        ),
    ),
    tries=(
        Try(N_("x₁ × 4"), board=STRETCHED),
        Try(N_("x₁ / 4"), board=SQUEEZED),
        Try(N_("Gradient descent"), set_picks(downview="zigzag")),
    ),
    shows=("L11",),
)
