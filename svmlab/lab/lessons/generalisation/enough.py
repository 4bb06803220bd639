"""The sample size that is sufficient for the hinge risk does not depend on the dimension (G4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.generalisation import (
    Embedding,
    ExcessRisk,
    enough_points,
    excess_risk,
    hinge_risk,
    moved_into_disc,
    risk_bound,
    risk_lambda,
)
from svmlab.generalisation.risk import DISC_BLOBS, risk_problem
from svmlab.lab.charts.marks import RING, SIZE, add_rule
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import replace_machine, set_picks, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NO_BIAS, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Need, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette

EPS = Dial(
    "excess",
    N_("Allowed mean excess ε of the risk"),
    N_("allowed excess ε"),
    0.05,
    1.0,
    0.05,
    start=0.3,
    after_show=True,
)
NORM = Dial(
    "norm",
    N_("Largest length B of the vectors w with which the risk is compared"),
    N_("length B"),
    0.5,
    4.0,
    0.5,
    start=2.0,
    after_show=True,
)
HIGH, NOISE = 100, 0.3  # the dimension, and the size of each coordinate of noise in units of R
ROOMS = {"plane": N_("plane"), "turned": N_("100 dimensions"), "noise": N_("100, with noise")}
SPACES = {"turned": Embedding(HIGH), "noise": Embedding(HIGH, NOISE)}
AWAY = Need(lambda stage: radius(stage) > 0, N_("All points are at the origin, so the radius R of the disc is 0."), {})
KEPT = 32  # the largest number of samples that are kept
_samples: dict[tuple[float, Embedding], ExcessRisk] = {}  # for all sessions, because only R B matters


def board(length: float = 1.0) -> Lab:
    """Return 80 points of two blobs in the unit disc, and move the first + to the distance `length`."""
    data = moved_into_disc(DISC_BLOBS.draw(80))
    X = np.trunc(1000 * data.X) / 1000  # inwards, so that no point is outside the disc
    X[int(np.argmax((data.y > 0) & (X @ DISC_BLOBS.mu > 0)))] = 0.96 * length, -0.28 * length
    rows = [(float(a), float(b), int(label)) for (a, b), label in zip(X, data.y, strict=True)]
    return replace(
        board_of_points(rows, face="lambda", value=2 * risk_lambda(len(rows)), bias=False)(),
        view=1.5 if length <= 1 else 3.0,
    )


def radius(stage: Stage) -> float:
    """Return R, the length of the longest point in the plane."""
    return float(np.hypot(*stage.data.X.T).max())


def radius_in_space(stage: Stage) -> float:
    """Return the length of the longest point in the space that is chosen."""
    return radius(stage) * SPACES.get(stage.pick("room"), Embedding()).r


def sufficient(stage: Stage, R: float) -> int:
    """Return the sample size that is sufficient for points in a ball of radius R."""
    return enough_points(EPS(stage), R, NORM(stage))


def solved(stage: Stage) -> Solution | None:
    """Return the SVM of the theorem on the points of the board."""
    return stage.cache.outcome(risk_problem(stage.data, radius(stage), NORM(stage))).solution


def measured(stage: Stage) -> tuple[ExcessRisk, ...] | None:
    """Return samples in the plane and in the space that is chosen, or None while they are computed."""
    return stage.background_result_or_none(*_sampling(stage))


def _sampling(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], tuple[ExcessRisk, ...]]]:
    """Lengths are measured in units of R, because only R B matters."""
    picked, RB = stage.pick("room"), float(f"{radius(stage) * NORM(stage):.3g}")
    spaces = (Embedding(), *([SPACES[picked]] if picked in SPACES else []))

    def make(report: Report) -> tuple[ExcessRisk, ...]:
        n = len(spaces)
        return tuple(
            sampled(RB, space, lambda done, i=i: report((i + done) / n))  # type: ignore[misc]
            for i, space in enumerate(spaces)
        )

    return ("enough", picked, RB), make


def sampled(RB: float, space: Embedding, report: Callable[[float], None]) -> ExcessRisk:
    """Return the excess risk of samples of SIZES in a space, with lengths in units of R. `report` may raise to stop."""
    excess = _samples.get((RB, space))
    if excess is None:
        excess = excess_risk(SIZES, RB, space, on_progress=report)
        if len(_samples) >= KEPT:
            _samples.clear()
        _samples[RB, space] = excess
    return excess


def draw(stage: Stage) -> Data:
    """Return the disc of radius R and its longest point, and after Show the SVM of the theorem."""
    if not stage.moving:
        measured(stage)
    longest = stage.data.X[int(np.hypot(*stage.data.X.T).argmax())]
    items = [
        stroke(np.r_[0.0, 0.0, radius(stage)], "faint", "disc"),
        stroke(np.stack([np.zeros(2), longest]), "accent", "arrow"),
    ]
    data: Data = {"overlay": items, "sliders": [], "message": None}  # the message would be about another SVM
    if not stage.shown:
        return data | {"lines": None, "shade": None, "slack": [], "marks": None, "legend": None}
    solution = solved(stage)
    if solution is not None:
        data |= replace_machine(stage, solution, stage.cache.drawing(solution, stage.lab.view))
        plain = {"fill": [1.0] * stage.data.m, "state": ["none"] * stage.data.m}
        data |= {"marks": data["marks"] | plain, "slack": [], "legend": None}
    return data


def in_space(stage: Stage) -> str:
    """Return R and the sufficient sample size in the space that is chosen."""
    R = radius_in_space(stage)
    return _("{n}, R = {R}").format(n=grouped(sufficient(stage, R)), R=short(R, 3))


NUMBERS = (
    Measure("R", lambda stage: short(radius(stage), 3), N_("Radius of the disc: the length of the longest point")),
    Measure(
        N_("sufficient m"),
        lambda stage: grouped(sufficient(stage, radius(stage))),
        N_("Sample size that is sufficient for the allowed excess ε in the plane"),
        after_show=True,
    ),
    Measure(
        N_("in the chosen space"),
        in_space,
        N_("Sufficient sample size, and the length R of the longest point, in the space that is chosen"),
        after_show=True,
    ),
)


def rooms(stage: Stage) -> list[Room]:
    """Return the plane and the space that is chosen. Raises Working until both are measured."""
    excess, picked, palette = stage.background_result(*_sampling(stage)), stage.pick("room"), stage.palette
    R = radius(stage)
    if picked not in SPACES:
        return [Room(_("bound"), R, excess[0], palette.accent)]
    is_longer = SPACES[picked].r > 1
    plane = Room(_("plane") if is_longer else _("bound"), R, excess[0], palette.quiet)
    high = Room(_("100 d") if is_longer else _("bound"), radius_in_space(stage), excess[-1], palette.accent)
    return [plane, high]


def chart(stage: Stage) -> Chart:
    """Return the excess risk of 40 samples of three sizes, and the bound."""
    return Chart(excess_over_size(rooms(stage), NORM(stage), EPS(stage), stage.palette))


def says(stage: Stage) -> str:
    """Return what the marks are, and what the chosen space changes."""
    picked = stage.pick("room")
    if picked == "noise":
        ratio = SPACES[picked].r
        return _(
            "98 coordinates of noise make every point longer. $R$ grows by the factor {ratio}, so the sufficient $m$ "
            "grows by its square, {times}. Hollow marks and the dashed bound belong to the plane."
        ).format(ratio=short(ratio, 3), times=short(ratio**2, 3))
    if picked == "turned":
        return _(
            "Each dot is the excess risk of one random sample in 100 dimensions. The grey ring around it is the same "
            "sample in the plane. Diamonds are means. The bound reaches $\\varepsilon$ (dotted) at the circle."
        )
    return _(
        "Each dot is the excess risk of one random sample, and diamonds are means. The bound is about the means. It "
        "reaches $\\varepsilon$ (dotted) at the circle. If you drag the longest point, $R$ changes."
    )


def verdict(stage: Stage) -> str:
    """Return the answer, with the formula and the sample size on this board."""
    return _("It stays the same. The size 8R²B²/ε², here {n}, contains no dimension, and a rotation keeps R.").format(
        n=grouped(sufficient(stage, radius(stage)))
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the theorem, the sample size, the samples, the board, and the lecture notes."""
    R, B, eps, m = radius(stage), NORM(stage), EPS(stage), stage.data.m
    n, solution = sufficient(stage, R), solved(stage)
    one_fewer = risk_bound(n - 1, R, B) if n > 1 else np.inf
    digits = next(k for k in range(5, 18) if short(one_fewer, k) != short(eps, k))
    parts: list[Part] = [
        _(
            "**The theorem.** The risk of $w$ is the mean of $\\max(0, 1 - y\\langle w, x\\rangle)$ over the "
            "distribution of the points. It is not the error rate. The SVM without bias minimises $\\lambda\\|w\\|^2$ "
            "plus the mean hinge loss of the sample, with $\\lambda = \\sqrt{{2R^2/(B^2m)}}$, here {lam}. Every point "
            "has $\\|x\\| \\le R$, and $B$ is the largest length of the vectors $u$ with which the risk is compared. "
            "The bound holds for the mean over random samples, for every distribution in the disc. The risk of a "
            "single sample can be larger."
        ).format(lam=short(risk_lambda(m, R, B), 3)),
        _(
            "**The sufficient sample size.** {n} is the smallest $m$ with $RB\\sqrt{{8/m}} \\le \\varepsilon$ = {eps}. "
            "For {n} points the bound is {at}, and for one fewer it is {one_fewer}."
        ).format(
            n=grouped(n), eps=short(eps), at=short(risk_bound(n, R, B), digits), one_fewer=short(one_fewer, digits)
        ),
    ]
    samples = measured(stage)
    if samples is not None:
        parts += _measurements(samples, stage)
    if solution is not None and solution.w is not None:
        parts.append(
            _(
                "**On the board** you see the SVM of the theorem. Its mean hinge loss on the training points is "
                "{risk}. The samples of the chart come from two blobs in a disc of the same radius, not from your "
                "points."
            ).format(risk=short(hinge_risk(solution.w, stage.data), 3, ROUNDING))
        )
    parts.append(
        _(
            "**Lecture notes.** The Italian notes on half-spaces state the sample size $8p^2b^2/\\varepsilon^2$, and "
            "that it does not depend on the dimension. Before, they state that it is never good to increase the "
            "dimension. Both agree if you look at $R$. A rotation into more dimensions changes nothing, but new "
            "features that make the points longer increase $R$. The notes do not define their letters, and do not say "
            "that the bound is about the mean hinge risk."
        )
    )
    return parts


def _measurements(samples: tuple[ExcessRisk, ...], stage: Stage) -> list[Part]:
    """Return how the samples compare with the bound."""
    last, factor = samples[-1], radius_in_space(stage) / radius(stage)
    RB = radius(stage) * NORM(stage)
    each = ", ".join(
        _("{mean} for m = {m} (bound {bound})").format(
            m=size, mean=short(float(mean), 3), bound=short(risk_bound(size, factor, RB), 4)
        )
        for size, mean in zip(last.m, last.mean, strict=True)
    )
    return [
        _(
            "**Two computations.** The risk of each exact solution was measured on 40 000 test points. Its excess is "
            "the difference from {best}, the smallest risk with $\\|w\\| \\le B$. The means are {each}."
        ).format(best=short(last.best_risk, 3), each=each),
        _(
            "**When the bound gives information.** $w = 0$ has the risk 1 for any distribution. On these samples, the "
            "bound is better than that for $m$ of at least {m}."
        ).format(m=grouped(last.useful_from(factor, RB))),
    ]


FEW, MANY = 10, 20_000  # the ends of the axis of m, unless more is needed
FLOOR = 0.004  # smaller and negative values are drawn here
SIZES = (20, 80, 320)  # of the samples
BROAD = 0.05  # decades by which the samples of one size are spread


class Room(NamedTuple):
    """A space: its name, the largest length R of a point, its samples, and its colour."""

    name: str
    R: float
    samples: ExcessRisk
    colour: str


def excess_over_size(rooms: list[Room], B: float, eps: float, palette: Palette) -> go.Figure:
    """Draw for each room its samples, their mean, its bound R B sqrt(8/m), and a circle where the bound is eps."""
    figure = empty_chart(palette, _("sample size m"), _("excess risk"), height=300)
    needed = [enough_points(eps, room.R, B) for room in rooms]
    last = max(MANY, 2 * max(needed))
    top = 1.15 * max(risk_bound(FEW, room.R, B) for room in rooms)
    m = np.geomspace(FEW, last, 60)
    add_rule(figure, palette, palette.quiet, "dot", y=eps)
    labels = [Label("ε", np.log10(last), np.log10(eps), palette.quiet)]
    for k, (room, enough) in enumerate(zip(rooms, needed, strict=True)):
        behind = k + 1 < len(rooms)
        bound = np.array([risk_bound(float(each), room.R, B) for each in m])
        hover = _("m = {m}: bound {bound}").format(m="%{x:.0f}", bound="%{y:.3g}")
        pen = palette.pen(room.colour, 2.5, "dash" if behind else "solid")
        curve = go.Scatter(x=m, y=bound, mode="lines", name=f"bound {room.name}", line=pen)
        figure.add_trace(curve.update(hovertemplate=hover + "<extra></extra>"))
        labels.append(Label(room.name, np.log10(m[-1]), np.log10(bound[-1]), room.colour))
        for trace in _samples_of(room, behind, palette):
            figure.add_trace(trace)
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(room.colour, RING)}
        at = go.Scatter(x=np.array([float(enough)]), y=np.array([eps]), mode="markers", name=f"enough {room.name}")
        hover = _("{m} points are sufficient for ε = {eps}").format(m="%{x:.0f}", eps="%{y:.3g}")
        figure.add_trace(at.update(marker=ring, hovertemplate=hover + "<extra></extra>"))
    ticks = [*SIZES, *10 ** np.arange(3, 1 + int(np.log10(last)))]
    words = [grouped(int(each)) if each < 10**6 else short(float(each)) for each in ticks]
    figure.update_xaxes(type="log", range=[np.log10(FEW), np.log10(last)], tickvals=ticks, ticktext=words)
    figure.update_yaxes(**log_axis(np.log10(FLOOR), np.log10(top)))
    return place_labels(figure, palette, _without_copies(labels), backed=True)


def _without_copies(labels: list[Label]) -> list[Label]:
    """Return the labels without copies at the same height."""
    kept = list[Label]()
    for label in reversed(labels):
        if all(abs(label.y - other.y) > 1e-6 or other.text == "ε" for other in kept):
            kept.append(label)
    return kept[::-1]


def _samples_of(room: Room, behind: bool, palette: Palette) -> list[go.Scatter]:
    """Return the samples, spread sideways, and their means."""
    samples = room.samples
    sizes = np.array(samples.m, dtype=float)
    factors = 10.0 ** np.linspace(-BROAD, BROAD, samples.excess.shape[1])
    x, excess = (sizes[:, None] * factors).ravel(), samples.excess.ravel()
    custom = np.stack([np.repeat(sizes, len(factors)), excess], 1)
    colour = palette.quiet if behind else room.colour
    spot = {"size": (8 if behind else 5) * palette.stroke, "color": CLEAR if behind else colour}
    spot["line"] = palette.pen(colour, 1.2 if behind else 0)
    hover = _("sample of {m} points: {excess}").format(m="%{customdata[0]:.0f}", excess="%{customdata[1]:.3g}")
    dots = go.Scatter(x=x, y=np.maximum(excess, FLOOR), mode="markers", name=f"samples {room.name}", customdata=custom)
    dots.update(marker=spot, hovertemplate=hover + "<extra></extra>")
    if behind:
        return [dots]
    mark = {"size": SIZE * palette.stroke, "symbol": "diamond", "color": palette.text}
    mark["line"] = palette.pen(palette.paper, 1.5)
    means = go.Scatter(x=sizes, y=np.maximum(samples.mean, FLOOR), mode="lines+markers", name=f"mean {room.name}")
    hover = _("mean of {n} samples of {m} points: {excess}").format(
        n=len(factors), m="%{x:.0f}", excess="%{customdata:.3g}"
    )
    means.update(marker=mark, line=palette.pen(palette.text, 1.5), customdata=np.asarray(samples.mean))
    return [dots, means.update(hovertemplate=hover + "<extra></extra>")]


ENOUGH = Step(
    key="enough",
    title=N_("Sample size and dimension"),
    situation=N_(
        "The **risk** of $w$ is the mean hinge loss of a new point. On average over samples of **size** $m$, "
        "the risk of the SVM is at most $RB\\sqrt{8/m}$ above the smallest risk with $\\|w\\| \\le B$. Here $R$ is "
        "the largest $\\|x\\|$ (arrow). The size $m$ is sufficient if this bound is at most $\\varepsilon$."
    ),
    question=N_("How does the sufficient sample size change if a rotation moves the points into 100 dimensions?"),
    choices=(
        wrong(
            N_("It becomes 50 times as large"),
            N_(
                "There are 50 times as many dimensions. However, the sufficient sample size depends only on R, B and ε."
            ),
        ),
        wrong(
            N_("It becomes about 7 times as large"),
            N_("√50 is about 7. However, no power of the dimension occurs in the sufficient sample size."),
        ),
        right(N_("It stays the same")),
    ),
    verdict=verdict,
    board=board,
    deeper=True,
    introduces=("risk",),
    needs=(LINEAR, NO_BIAS, SOFT, BOTH_CLASSES, AWAY),
    dials=(EPS, NORM),
    draw=draw,
    play=EPS.play(1.0, EPS.start, 2400),
    rests_on_answer=lambda stage: (
        SPACES[stage.pick("room")].d == HIGH
        and sufficient(stage, radius_in_space(stage)) == sufficient(stage, radius(stage))
    ),
    numbers=NUMBERS,
    picks=(Pick("room", N_("Space"), tuple(ROOMS), "turned", lambda name: _(ROOMS[name])),),
    chart=chart,
    says=says,
    formula=(
        r"\mathbb E\,\operatorname{risk}(w) \le \min_{\|u\| \le B} \operatorname{risk}(u) + RB\sqrt{8/m}, "
        r"\qquad m \ge \frac{8R^2B^2}{\varepsilon^2}"
    ),
    more=more,
    tries=(
        Try(N_("Add noise"), set_picks(room="noise")),
        Try("ε = 0.1", EPS.to(0.1)),
        Try(N_("Larger R"), board=lambda: board(2.0)),
    ),
    shows=("G4", "T7", "T15", "T16"),
)
