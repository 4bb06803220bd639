"""Which way is down: minus the gradient and the way to w*, never 90 degrees apart, and often nearly (L11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses import compass
from svmlab.lab.lessons.losses.compass import Bearing, bearing, zigzag
from svmlab.lab.lessons.losses.drops import frame
from svmlab.lab.lessons.losses.names import colour
from svmlab.lab.lessons.losses.plane import WIDE, Ground, ground, places, sharp
from svmlab.lab.lessons.losses.plane_chart import behind, clickable
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, probe, reading, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import LINEAR, NO_BIAS, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Objective
from svmlab.plane.contours import line_through_origin

ALONG, ASIDE = 1.08, -0.0201  # where one stands at first, in parts of w*: along it, and at a right angle to it
STEPS = 60  # of the zigzag
STRIDE = 0.5  # its first step, in parts of how long w* typically is, where every point pushes as one
ARROW = 0.22  # of the half-width of the board
VIEWS = {"near": N_("near w*"), "plane": N_("plane of w"), "zigzag": N_("zigzag")}
AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so w* = 0, whatever their classes. Move one of them away."),
    {},
)


def pair(x: float, y: float, lam: float) -> tuple[tuple[tuple[float, float, int], ...], float]:
    """Two points above each other, of either class, and lambda."""
    return ((x, y, 1), (x, -y, -1)), lam


NARROW, STRETCHED, SQUEEZED = (
    board_of_points(rows, face="lambda", value=lam, bias=False)
    for rows, lam in (pair(4.0, 1.0, 0.01), pair(4.0, 0.25, 0.01 / 16), pair(1.0, 1.0, 0.01))
)


def best(stage: Stage) -> Array:
    """The w* (2,) of the exact solver."""
    w = stage.solution.w
    assert w is not None
    return w


def objective(stage: Stage) -> Objective:
    """The SVM's F, without bias."""
    return Objective(stage.data, LOSSES["hinge"], REGULARISERS["R2"], stage.solution.problem.lam, bias=False)


def at(stage: Stage) -> tuple[float, float]:
    """Where one stands, on the board."""
    w, now = best(stage), frame(stage)
    start = ALONG * w + ASIDE * np.array([w[1], -w[0]]) if w.any() else 0.2 * now.half * np.array([-0.5, 1.0])
    x, y = now.here(start)
    return stage.dial("down1", float(x)), stage.dial("down2", float(y))


def place(stage: Stage) -> Array:
    """The w where one stands, (2,)."""
    return frame(stage).of(at(stage))


def here(stage: Stage) -> Bearing:
    """How down lies to w* there."""
    return bearing(objective(stage), place(stage), best(stage))


def downhill(stage: Stage) -> Array:
    """Minus the gradient there, (2,); 0 at w* itself."""
    now = here(stage)
    return np.zeros(2) if np.isnan(now.angle) else -now.g


def reach(stage: Stage) -> float:
    """How far from w* the worst angle is looked for."""
    return 0.25 * frame(stage).half


def worst(stage: Stage) -> float:
    """The largest angle that is found anywhere."""
    wide = reach(stage)
    return stage.cached(f"worst {wide}", lambda: compass.worst(objective(stage), best(stage), wide))


def step_length(stage: Stage) -> float:
    """The constant eta of the zigzag; with more than 1/lambda each step would overshoot 0 itself."""
    typical = float(np.sqrt((stage.data.X**2).sum(1).mean()))
    return min(stage.dial("stride", STRIDE) * reach(stage) / typical, 1.0 / stage.solution.problem.lam)


def walked(stage: Stage) -> Array:
    """The zigzag from where one stands."""
    return zigzag(objective(stage), place(stage), step_length(stage), STEPS)


def draw(stage: Stage) -> Data:
    """W and w* as arrows, and once it is shown, from w the way down and the way to w*, both as long."""
    now, half, w = frame(stage), stage.lab.view, place(stage)
    items = [stroke(ends, "accent dashed") for ends in [line_through_origin(best(stage), half)] if len(ends)]
    for v, style in ((w, "faint"), (best(stage), "accent")):
        items.append(stroke(np.stack([np.zeros(2), now.here(v)]), style, "arrow"))
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "probe": probe("down1", "down2", at(stage), "w")}
    if not stage.shown:
        return data | {"overlay": items}
    if stage.pick("downview") == "zigzag":
        items.append(stroke(now.here(walked(stage)), "witness-line"))
        share = stage.dial("stride", STRIDE)
        eta = dial("stride", _("How long the steps of the descent are"), _("step"), share, 0.05, 2.0, 0.05)
        return data | {"overlay": items, "sliders": [*sliders(stage.lab), eta]}
    tail = now.here(w)
    down = downhill(stage)
    if down.any():
        for way, style in ((down, "witness-line"), (best(stage) - w, "accent")):
            size = float(np.hypot(*way))
            items.append(stroke(np.stack([tail, tail + ARROW * half / size * way]), style, "arrow"))
    return data | {"overlay": items}


def verdict(stage: Stage) -> str:
    """How far off it is at worst."""
    return _("only within 90 degrees: on this board it is up to **{worst}°** off.").format(worst=short(worst(stage), 4))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The angle, both sides of the inequality, and the worst angle."""
    if not stage.shown:
        return ()
    now = here(stage)
    return [
        reading(_("angle"), f"{short(now.angle, 4, 1e-6)}°"),
        reading("⟨−∇F, w* − w⟩", now.inner),
        reading(_("at least"), max(now.floor, 0.0) if now.floor > -ROUNDING else now.floor),
        reading(_("worst"), f"{short(worst(stage), 4, 1e-6)}°"),
    ]


def seen(stage: Stage) -> tuple[Array, float]:
    """The middle of the chart, and how much it shows of the plane up and down from there."""
    w, goal, now = place(stage), best(stage), frame(stage)
    if stage.pick("downview") == "near":
        aside, up = np.abs(w - goal)
        return 0.5 * (w + goal), max(0.02 * now.half, 1.1 * float(up), 1.1 * float(aside) / WIDE)
    most = np.abs(np.stack([w, goal])).max(0)
    return np.zeros(2), max(0.3 * now.half, 1.25 * float(most[1]), 1.25 * float(most[0]) / WIDE)


def chart(stage: Stage) -> Chart:
    """The plane of w with its field of arrows; a click puts one there."""
    posed, (middle, half), now = objective(stage), seen(stage), frame(stage)
    grid = middle + half * np.stack(np.meshgrid(np.linspace(-1.75, 1.75, 11), np.linspace(-0.8, 0.8, 5)), -1).reshape(
        -1, 2
    )
    G = -posed.gradient(grid)
    sizes = np.hypot(*G.T)[:, None]
    ways = 0.24 * half * np.divide(G, sizes, out=np.zeros_like(G), where=sizes > 0)
    spots = places(middle, half)
    path = walked(stage) if stage.pick("downview") == "zigzag" else None
    figure = field(
        stage.cached(f"down ground {middle.tolist()} {half}", lambda: ground(posed, middle, half, sharp(stage.data.m))),
        middle,
        half,
        (grid - 0.5 * ways, ways),
        (spots, stage.cached(f"down spots {middle.tolist()} {half}", lambda: posed.value(spots))),
        place(stage),
        downhill(stage),
        best(stage),
        path,
        stage.palette,
    )
    return Chart(
        figure, lambda i: set_dials(down1=float(now.by * spots[int(i)][0]), down2=float(now.by * spots[int(i)][1]))
    )


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("downview") == "zigzag":
        return _(
            "{n} steps against the gradient, with η = {eta}: across a narrow valley they go to and fro, and "
            "hardly along it."
        ).format(n=STEPS, eta=short(step_length(stage), 3))
    return _(
        "Down is at a right angle to the contour. Where the valley is narrow, $w^*$ lies nearly along the contour."
    )


LONG = 0.62  # of half the height of the chart: the arrows from the place
HEAD, SPREAD = 0.3, 0.45  # of an arrow: its head, and half of its angle in radians


def arrows(tails: Array, ways: Array, head: float = HEAD) -> Array:
    """Arrows from `tails` along `ways` (k, 2) as one line (6 k, 2), with nan after each."""
    tips = tails + ways
    found = [tails, tips]
    for turn in (SPREAD, -SPREAD):
        c, s = np.cos(turn), np.sin(turn)
        back = -head * ways @ np.array([[c, s], [-s, c]])
        found += [tips + back, tips]
    found[-1] = np.full_like(tails, np.nan)
    return np.stack(found, axis=1).reshape(-1, 2)


def field(
    ground: Ground,
    middle: Array,
    half: float,
    grid: tuple[Array, Array],
    spots: tuple[Array, Array],
    place: Array,
    down: Array,
    best: Array,
    path: Array | None,
    palette: Palette,
) -> go.Figure:
    """Contours of F around `middle`, arrows `grid` (places and directions), and at `place` the ways down and to `best`.

    path (k, 2): a descent, drawn in their stead. spots: places (n, 2) that can be clicked, customdata is their number,
    and F there.
    """
    figure = blank(palette, height=200, left=30)
    thin = palette.pen(colour("hinge", palette), 1.2)
    figure.add_trace(behind(ground, thin))
    _line(figure, arrows(*grid), "field", palette.pen(palette.quiet, 1.5))
    figure.add_trace(clickable(*spots))
    names = list[Label]()
    if path is not None:
        _line(figure, path, "zigzag", palette.pen(palette.other, 2))
    else:
        names += _ways(figure, place, down, best, LONG * half, palette)
    star = {"symbol": "circle", "size": 13 * palette.stroke, "color": palette.accent}
    hand = {"symbol": "diamond", "size": 13 * palette.stroke, "color": palette.text}
    for name, at, marker in (("w*", best, star), ("w", place, hand)):
        hover = f"{name} = (%{{x:.6g}}, %{{y:.6g}})<extra></extra>"
        figure.add_trace(go.Scatter(x=at[:1], y=at[1:], name=name, mode="markers", marker=marker, hovertemplate=hover))
    figure.update_xaxes(range=_ends(middle[0], WIDE * half), nticks=6)
    figure.update_yaxes(range=_ends(middle[1], half), nticks=5, scaleanchor="x")
    side = "above" if place[1] >= best[1] else "below"
    other = "below" if side == "above" else "above"
    names.append(Label("w", float(place[0]), float(place[1]), palette.text, side + " left"))
    names.append(Label("w*", float(best[0]), float(best[1]), palette.accent, other + " left"))
    return place_labels(figure, palette, names, backed=True)


def _ways(figure: go.Figure, place: Array, down: Array, best: Array, long: float, palette: Palette) -> list[Label]:
    """Both arrows, the arc between them, and the name of the one; none at w* itself."""
    sizes = [float(np.hypot(*way)) for way in (down, best - place)]
    if min(sizes) == 0:
        return []
    one, other = down / sizes[0], (best - place) / sizes[1]
    _line(figure, arrows(place[None], long * one[None], 0.2), "down", palette.pen(palette.other, 4))
    _line(figure, arrows(place[None], long * other[None], 0.2), "best", palette.pen(palette.accent, 4))
    turn = np.linspace(0.0, float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other)), 24)
    c, s = np.cos(turn), np.sin(turn)
    arc = place + 0.4 * long * np.stack([c * one[0] - s * one[1], s * one[0] + c * one[1]], axis=1)
    _line(figure, arc, "angle", palette.pen(palette.text, 2))
    tip = place + long * one
    return [Label(_("down"), float(tip[0]), float(tip[1]), palette.other, "right" if one[0] >= 0 else "left")]


def _line(figure: go.Figure, places: Array, name: str, pen: dict[str, object]) -> None:
    x, y = places.T
    figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))


def _ends(middle: float, half: float) -> list[float]:
    return [float(middle - half), float(middle + half)]


DOWN = Step(
    key="down",
    title=N_("Which way is down"),
    question=N_(
        "You stand at $w$, on the slope of a convex $F$. Does minus the gradient point to $w^*$, the best place?"
    ),
    choices=(
        wrong(N_("Always"), N_("So it is where there is one direction only. In the plane the valley may lie aslant.")),
        right(N_("Only within 90 degrees")),
        wrong(
            N_("It may point away from it"),
            N_("Then F would fall on the way away from w*, and rise again: not convex."),
        ),
    ),
    verdict=verdict,
    board=NARROW,
    needs=(SOFT, LINEAR, NO_BIAS, AWAY, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(Pick("downview", N_("view"), tuple(VIEWS), "near", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\langle-\nabla F,\,w^*-w\rangle\ \ge\ F(w)-F^*+\tfrac\lambda2\,\|w-w^*\|^2",
    more=lambda stage: [
        _(
            "Gambosi's slides say that the gradient points towards the global minimum. Minus is missing; and "
            "with the minus it is right in one dimension, which their picture shows, "
            "but in the plane only within 90 degrees. **Why:** $F$ minus its part "
            "$\\tfrac\\lambda2\\|w\\|^2$ is convex and stays above its tangent, which is the inequality. "
            "So each small step down comes nearer to $w^*$, if only a little."
        ),
        _(
            "**The board that this step brings**: (4, 1) of class +1, (4, −1) of class −1, λ = 0.01. Then "
            "$w^* = (0, 1)$, and at $w = (-0.0201, 1.08)$ down is 89.6° off. "
            "Exactly on the kink, at $(-0.02, 1.08)$, there are many subgradients; shown is one that is "
            "furthest off, 89.7°."
        ),
        _(
            "**Stretching.** With $x_1$ four times as large the worst angle is 89.93°, with a quarter of it "
            "89.42°. The points (16, ±1) have no room on the board: a quarter of all "
            "coordinates, and λ/16, is the same picture with $w$ four times as long. *Worst* is the largest "
            "angle at some thousands of places near $w^*$, on both sides of every kink among them."
        ),
        _(
            "**On the board** the arrows from 0 are $w$ and $w^*$; from the tip of $w$ pink points down, the "
            "other to $w^*$. They show directions, not lengths."
        ),
    ],
    tries=(
        Try(N_("x₁ × 4, at ¼ size"), board=STRETCHED),
        Try(N_("x₁ / 4"), board=SQUEEZED),
        Try(N_("Zigzag"), set_picks(downview="zigzag")),
    ),
    shows=("L11",),
)
