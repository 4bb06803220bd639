"""How many points are enough for the hinge risk, whatever the dimension (G4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.generalisation import Excess, Space, enough_points, hinge_risk, into_disc, price, risk_bound
from svmlab.generalisation.risk import DISC_BLOBS, risk_machine
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING, SIZE, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.generalisation.drawn import drawn
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import dial, reading, replace_machine, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NO_BIAS, SOFT
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

EPS, BALL = 0.3, 2.0  # where the dials begin
HIGH, NOISE = 100, 0.3  # the dimension, and the size of its noise where r is 1
ROOMS = {"plane": N_("the plane"), "turned": N_("100 dimensions, turned"), "noise": N_("100, with noise")}
SPACES = {"turned": Space(HIGH), "noise": Space(HIGH, NOISE)}
FAR = Need(
    lambda stage: reach(stage) > 0, N_("All points are at the origin: they have no length, and nothing to tell."), {}
)


def board(far: float = 1.0) -> Lab:
    """80 points of two blobs within the unit disc; the first + stands where its distance is `far`, to the last
    digit.
    """
    data = into_disc(DISC_BLOBS.draw(80))
    X = np.trunc(1000 * data.X) / 1000  # inwards, so that none is beyond 1
    X[int(np.argmax((data.y > 0) & (X @ DISC_BLOBS.mu > 0)))] = 0.96 * far, -0.28 * far
    rows = [(float(a), float(b), int(label)) for (a, b), label in zip(X, data.y, strict=True)]
    return replace(
        board_of_points(rows, face="lambda", value=2 * price(len(rows)), bias=False)(), view=1.5 if far <= 1 else 3.0
    )


def reach(stage: Stage) -> float:
    """r: the length of the longest point."""
    return float(np.hypot(*stage.data.X.T).max())


def length(stage: Stage) -> float:
    """The length r of the longest point in the space that is picked."""
    space = SPACES.get(stage.pick("room"), Space())
    return reach(stage) * space.r


def eps_of(stage: Stage) -> float:
    """The excess that is allowed."""
    return stage.dial("excess", EPS)


def ball_of(stage: Stage) -> float:
    """B: how long the w may be that the risk is compared with."""
    return stage.dial("norm", BALL)


def machine(stage: Stage) -> Solution | None:
    """The machine of the bound on the points of the board."""
    return stage.cache.outcome(risk_machine(stage.data, reach(stage), ball_of(stage))).solution


def measured(stage: Stage) -> tuple[Excess, ...] | None:
    """Draws in the plane, and in the space that is picked; None until they are there."""
    return stage.background_result_or_none(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], tuple[Excess, ...]]]:
    """Lengths are measured in r: only r B matters."""
    picked, rB = stage.pick("room"), float(f"{reach(stage) * ball_of(stage):.3g}")
    spaces = (Space(), *([SPACES[picked]] if picked in SPACES else []))

    def make(report: Report) -> tuple[Excess, ...]:
        n = len(spaces)
        return tuple(
            drawn(SIZES, rB, space, lambda done, i=i: report((i + done) / n))  # type: ignore[misc]
            for i, space in enumerate(spaces)
        )

    return ("enough", picked, rB), make


def draw(stage: Stage) -> Data:
    """The circle that holds all points, its radius to the longest; once shown the machine of the bound."""
    if not stage.moving:
        measured(stage)
    r, half = reach(stage), stage.lab.view
    longest = stage.data.X[int(np.hypot(*stage.data.X.T).argmax())]
    items = [
        stroke(np.r_[0.0, 0.0, r], "faint", "disc"),
        stroke(np.stack([np.zeros(2), longest]), "accent", "arrow"),
    ]
    seen: Data = {"overlay": items, "sliders": [], "message": None}  # which would be of another machine
    if not stage.shown:
        return seen | {"lines": None, "shade": None, "slack": [], "marks": None, "legend": None}
    found = machine(stage)
    if found is not None:
        seen |= replace_machine(stage, found, stage.cache.scene(found, half))
        plain = {"fill": [1.0] * stage.data.m, "state": ["none"] * stage.data.m}
        seen |= {"marks": seen["marks"] | plain, "slack": [], "legend": None}
    sliders = [
        dial("excess", _("The excess of the risk that is allowed, in the mean"), "ε", eps_of(stage), 0.05, 1.0, 0.05),
        dial("norm", _("How long the w may be that the risk is compared with"), "B", ball_of(stage), 0.5, 4.0, 0.5),
    ]
    return seen | {"sliders": sliders}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The calculator: r, and how many points are enough, in the plane and in the space that is picked."""
    r, far = reach(stage), length(stage)
    readings = [reading("r", short(r, 3))]
    if not stage.shown:
        return readings
    eps, B = eps_of(stage), ball_of(stage)
    readings.append(reading(_("enough for ε"), _("{n} points").format(n=grouped(enough_points(eps, r, B)))))
    if stage.pick("room") == "plane":
        return [*readings, reading(_("bound at m = {m}").format(m=stage.data.m), risk_bound(stage.data.m, r, B))]
    said = _("r = {r}, {n} points").format(r=short(far, 3), n=grouped(enough_points(eps, far, B)))
    return [*readings, reading(_("in 100 dimensions"), said)]


def rooms(stage: Stage) -> list[Room]:
    """The plane, and the space that is picked. Raises Working until both are measured."""
    found, picked, palette = stage.background_result(*_work(stage)), stage.pick("room"), stage.palette
    r = reach(stage)
    if picked not in SPACES:
        return [Room(_("bound"), r, found[0], palette.accent)]
    longer = SPACES[picked].r > 1
    plane = Room(_("plane") if longer else _("bound"), r, found[0], palette.quiet)
    high = Room(_("100 d") if longer else _("bound"), length(stage), found[-1], palette.accent)
    return [plane, high]


def chart(stage: Stage) -> Chart:
    """The excess of 40 draws of three sizes, and the bound."""
    return Chart(excess(rooms(stage), ball_of(stage), eps_of(stage), stage.palette))


def says(stage: Stage) -> str:
    """What the space that is picked does."""
    picked = stage.pick("room")
    if picked == "noise":
        ratio = SPACES[picked].r
        return _(
            "98 coordinates of noise lengthen every point: $r$ is {ratio} times as large, $m$ grows with its "
            "square, {times} times. The draws fare worse too."
        ).format(ratio=short(ratio, 3), times=short(ratio**2, 3))
    if picked == "turned":
        return _(
            "40 draws of each size, rings in the plane, dots in 100 dimensions: each stays where it was, and "
            "so does the bound. Diamonds: the mean."
        )
    return _(
        "40 draws of each size from two blobs within the circle; diamonds: the mean, which is what the "
        "bound is about. Drag the longest point: $r$ counts."
    )


def more(stage: Stage) -> Sequence[Part]:
    """What exactly is bounded, both ways, from where on it says something, a control, the notes."""
    r, B, eps, m = reach(stage), ball_of(stage), eps_of(stage), stage.data.m
    n, own = enough_points(eps, r, B), machine(stage)
    before = risk_bound(n - 1, r, B) if n > 1 else np.inf
    digits = next(k for k in range(5, 18) if short(before, k) != short(eps, k))
    parts: list[Part] = [
        _(
            "**What is bounded.** The risk is the mean of $\\max(0, 1 - y\\langle w, x\\rangle)$ over all "
            "points that could be drawn, not the share of errors. $w$ minimises "
            "$\\lambda\\|w\\|^2 + $ the mean hinge of the sample with $\\lambda = \\sqrt{{2r^2/(B^2m)}}$, "
            "here {lam}, without $b$, and every point has $\\|x\\| \\le r$. "
            "The bound holds for the mean over samples, for every distribution within the circle; single "
            "samples may do worse."
        ).format(lam=short(price(m, r, B), 3)),
        _(
            "**The calculator.** {n} is the least $m$ with $rB\\sqrt{{8/m}} \\le \\varepsilon = {eps}$: at "
            "{n} points the bound allows {at}, at one fewer {before}."
        ).format(
            n=grouped(n),
            eps=short(eps),
            at=short(risk_bound(n, r, B), digits),
            before=short(before, digits),
        ),
    ]
    found = measured(stage)
    if found is not None:
        parts += _measurements(found, stage)
    if own is not None and own.w is not None:
        parts.append(
            _(
                "**On the board** the machine of the bound is drawn, without offset; its mean hinge on these "
                "points is {risk}. Where your points come from "
                "the chart does not know: its draws are of two blobs within a circle of the same radius."
            ).format(risk=short(hinge_risk(own.w, stage.data), 3, ROUNDING))
        )
    parts.append(
        _(
            "The Italian notes on half-spaces print $8\\rho^2B^2/\\varepsilon^2$ and say that it does not "
            "depend on the dimension; just before, that raising the dimension is never good. "
            "Both go together: turning points into a larger space costs nothing, and features that lengthen "
            "them raise $r$. What the letters stand for, and that it is the hinge risk "
            "in the mean, they leave out."
        )
    )
    return parts


def _measurements(found: tuple[Excess, ...], stage: Stage) -> list[Part]:
    """What the draws say of the bound."""
    last, factor = found[-1], length(stage) / reach(stage)
    rB = reach(stage) * ball_of(stage)
    each = "; ".join(
        _("m = {m}: {mean}, bound {bound}").format(
            m=size, mean=short(float(mean), 3), bound=short(risk_bound(size, factor, rB), 4)
        )
        for size, mean in zip(last.m, last.mean, strict=True)
    )
    broken = sum(mean > risk_bound(m, factor, rB) / 20 for m, mean in zip(last.m, last.mean, strict=True))
    return [
        _(
            "**Two ways.** The exact machine of each draw, its risk on 40 000 fresh points, less the best "
            "risk with $\\|u\\| \\le B$, {best}. Means: {each}. "
            "A bound a twentieth as large would be broken at {broken} of {n} sizes."
        ).format(best=short(last.best_risk, 3), each=each, broken=broken, n=len(last.m)),
        _(
            "**Where it says nothing.** $w = 0$ has the risk 1 on any points. On these draws the bound says "
            "more than that from m = {m} on."
        ).format(m=grouped(last.useful_from(factor, rB))),
    ]


FEW, MANY = 10, 20_000  # the ends of the axis of m, unless more is needed
FLOOR = 0.004  # what is less, or below 0, stands at the foot
SIZES = (20, 80, 320)  # of the draws
BROAD = 0.05  # decades: how far the draws of one size are spread


class Room(NamedTuple):
    """A space: its name, the largest length r of a point, what was measured there, its colour."""

    name: str
    r: float
    found: Excess
    colour: str


def excess(rooms: list[Room], B: float, eps: float, palette: Palette) -> go.Figure:
    """For each room its draws, their mean and its bound r B sqrt(8/m); a ring where that comes down to eps."""
    figure = blank(palette, _("points m"), _("risk above the best"), height=300)
    needed = [enough_points(eps, room.r, B) for room in rooms]
    last = max(MANY, 2 * max(needed))
    top = 1.15 * max(risk_bound(FEW, room.r, B) for room in rooms)
    m = np.geomspace(FEW, last, 60)
    add_rule(figure, palette, palette.quiet, "dot", y=eps)
    labels = [Label("ε", np.log10(last), np.log10(eps), palette.quiet)]
    for k, (room, enough) in enumerate(zip(rooms, needed, strict=True)):
        behind = k + 1 < len(rooms)
        bound = np.array([risk_bound(float(each), room.r, B) for each in m])
        said = _("m = {m}: the bound allows {bound}").format(m="%{x:.0f}", bound="%{y:.3g}")
        pen = palette.pen(room.colour, 2.5, "dash" if behind else "solid")
        line = go.Scatter(x=m, y=bound, mode="lines", name=f"bound {room.name}", line=pen)
        figure.add_trace(line.update(hovertemplate=said + "<extra></extra>"))
        labels.append(Label(room.name, np.log10(m[-1]), np.log10(bound[-1]), room.colour))
        for trace in _draws(room, behind, palette):
            figure.add_trace(trace)
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(room.colour, RING)}
        at = go.Scatter(x=np.array([float(enough)]), y=np.array([eps]), mode="markers", name=f"enough {room.name}")
        said = _("{m} points are enough for ε = {eps}").format(m="%{x:.0f}", eps="%{y:.3g}")
        figure.add_trace(at.update(marker=ring, hovertemplate=said + "<extra></extra>"))
    ticks = [*SIZES, *10 ** np.arange(3, 1 + int(np.log10(last)))]
    words = [grouped(int(each)) if each < 10**6 else short(float(each)) for each in ticks]
    figure.update_xaxes(type="log", range=[np.log10(FEW), np.log10(last)], tickvals=ticks, ticktext=words)
    figure.update_yaxes(**log(np.log10(FLOOR), np.log10(top)))
    return place_labels(figure, palette, _told_once(labels), backed=True)


def _told_once(labels: list[Label]) -> list[Label]:
    """Bounds that lie on each other share their label."""
    kept = list[Label]()
    for label in reversed(labels):
        if all(abs(label.y - other.y) > 1e-6 or other.text == "ε" for other in kept):
            kept.append(label)
    return kept[::-1]


def _draws(room: Room, behind: bool, palette: Palette) -> list[go.Scatter]:
    """The draws, spread sideways, and their means."""
    found = room.found
    sizes = np.array(found.m, dtype=float)
    aside = 10.0 ** np.linspace(-BROAD, BROAD, found.excess.shape[1])
    x, true = (sizes[:, None] * aside).ravel(), found.excess.ravel()
    told = np.stack([np.repeat(sizes, len(aside)), true], 1)
    colour = palette.quiet if behind else room.colour
    spot = {"size": (8 if behind else 5) * palette.stroke, "color": CLEAR if behind else colour}
    spot["line"] = palette.pen(colour, 1.2 if behind else 0)
    hover = _("a draw of {m} points: {excess}").format(m="%{customdata[0]:.0f}", excess="%{customdata[1]:.3g}")
    dots = go.Scatter(x=x, y=np.maximum(true, FLOOR), mode="markers", name=f"draws {room.name}", customdata=told)
    dots.update(marker=spot, hovertemplate=hover + "<extra></extra>")
    if behind:
        return [dots]
    mark = {"size": SIZE * palette.stroke, "symbol": "diamond", "color": palette.text}
    mark["line"] = palette.pen(palette.paper, 1.5)
    means = go.Scatter(x=sizes, y=np.maximum(found.mean, FLOOR), mode="lines+markers", name=f"mean {room.name}")
    hover = _("mean of {n} draws of {m} points: {excess}").format(
        n=len(aside), m="%{x:.0f}", excess="%{customdata:.3g}"
    )
    means.update(marker=mark, line=palette.pen(palette.text, 1.5), customdata=np.asarray(found.mean))
    return [dots, means.update(hovertemplate=hover + "<extra></extra>")]


ENOUGH = Step(
    key="enough",
    title=N_("How many are enough"),
    question=N_(
        "A bound asks for $m$ points so that the risk is ε above the best at most. The plane is turned "
        "into 100 dimensions, lengths stay. How many more does it ask for?"
    ),
    choices=(
        wrong(
            N_("50 times as many"), N_("There are 50 times as many dimensions; but their number is not in the bound.")
        ),
        wrong(N_("7 times as many"), N_("√50 is about 7; but no power of the dimension is in the bound.")),
        right(N_("None")),
    ),
    verdict=lambda stage: _("none: it knows how long points are and B, but no dimension."),
    board=board,
    needs=(LINEAR, NO_BIAS, SOFT, BOTH_CLASSES, FAR),
    draw=draw,
    play=lambda stage: {"key": "excess", "op": "dial", "from": 1.0, "to": EPS, "ms": 2400},
    numbers=numbers,
    picks=(Pick("room", N_("Space"), tuple(ROOMS), "turned", lambda name: _(ROOMS[name])),),
    chart=chart,
    says=says,
    formula=(
        r"\mathbb E\,\operatorname{risk}(w) \le \min_{\|u\| \le B} \operatorname{risk}(u) + rB\sqrt{8/m}, "
        r"\qquad m \ge \frac{8r^2B^2}{\varepsilon^2}"
    ),
    more=more,
    tries=(
        Try(N_("98 of noise"), set_picks(room="noise")),
        Try("ε = 0.1", set_dials(excess=0.1)),
        Try(N_("A point at 2"), board=lambda: board(2.0)),
    ),
    shows=("G4",),
)
