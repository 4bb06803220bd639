"""Eps and C: a wider tube needs fewer points to hold it and in the end none, and no far point pulls with more than C (X2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.lab.board import tube
from svmlab.lab.board.payload import sliders
from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED, values
from svmlab.lab.lessons.extensions.eps_chart import carried, slopes
from svmlab.lab.numbers import short
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.needs import BIAS, LINEAR, SOFT
from svmlab.lab.teach.overlay import chosen, dial, read, settings, stroke, turn_to
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.regression import Along, Fit, Squares, along, least_squares, solve

T = TypeVar("T")
FEW = 60  # points up to which 40 tubes are solved within a picture
VIEWS = {"along": N_("along ε"), "outlier": N_("one far point")}
HEIGHTS = (0.0, 2.0, 5.0, 50.0)  # by which the far point is raised where it is marked
START = 5.0
TOP = 0.97  # of the way to the edge: so far an arrow is seen whole
LEVEL = Need(
    lambda stage: stage.lab.tube.level > 0,
    N_("All values are the same here, and the line is level whatever ε is."),
    {},
)
PLACES = [
    (-3, -1.524),
    (-2.571, -1.509),
    (-2.143, -1.165),
    (-1.714, -1.677),
    (-1.286, 0.32),
    (-0.857, 0.358),
    (-0.429, 0.07),
    (0, 0.81),
    (0.429, 0.912),
    (0.857, 0.878),
    (1.286, 1.791),
    (1.714, 1.576),
    (2.143, 1.868),
    (2.571, 1.983),
    (3, 2.782),
]


def worked(stage: Stage, key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """What takes no longer than a blink on a board of few points, and else the worker's. Raises Working."""
    if len(stage.lab.points) <= FEW:
        return stage.cache.once(key, make)
    return stage.result(key, lambda report: make())


def growing(stage: Stage) -> Along:
    """The tube at 41 eps, and where it becomes level. Raises Working."""
    problem = replace(stage.lab.tube, eps=0.0)
    places = np.union1d(np.linspace(0.0, 1.1 * problem.level, 41), [problem.level])
    return worked(stage, ("along eps", problem.key), lambda: along(problem, places))


def flat(stage: Stage) -> float:
    """|w| at half the range by the second solver, on the program as it is written. Raises Working."""
    problem = replace(stage.lab.tube, eps=stage.lab.tube.level)
    return worked(stage, ("flat", problem.key), lambda: solve(problem, "primal-qp").norm_w)


@dataclass(frozen=True, eq=False)
class Raised:
    """The slopes (k,) of the tube and of least squares where one point is raised by `by` (k,)."""

    by: Array
    tube: Array
    squares: Array


def far(stage: Stage) -> int:
    """The row of the selected point, else of the second from the right."""
    if stage.row is not None:
        return stage.row
    return int(np.argsort(stage.lab.tube.data.X[:, 0], kind="stable")[-2])


def by(stage: Stage) -> float:
    """How far it is raised."""
    return stage.dial("raised", START)


def raised(stage: Stage, height: float) -> Lab:
    """The board with the far point so much higher, off its edge where need be."""
    lab, row = stage.lab, far(stage)
    point = lab.points[row]
    higher = point._replace(y=point.y + round(1000 * height))
    return replace(lab, points=(*lab.points[:row], higher, *lab.points[row + 1 :]))


def fitted(stage: Stage, height: float) -> Fit | None:
    """The tube of that board."""
    found = stage.cache.of_task(raised(stage, height)).solution
    return found if isinstance(found, Fit) else None


def squares(stage: Stage, height: float) -> Squares:
    """Least squares on that board."""
    return least_squares(raised(stage, height).tube.data)


def slope(fit: Fit | Squares) -> float:
    """How much f rises from one x1 to the next."""
    below, above = fit.decision(np.array([[0.0], [1.0]]))
    return float(above - below)


def pulled(stage: Stage) -> Raised:
    """Both slopes from 0 to 50 upwards. Raises Working."""

    def make() -> Raised:
        heights = np.union1d(np.linspace(0.0, HEIGHTS[-1], 26), np.r_[HEIGHTS, np.linspace(0.0, 4.0, 17)])
        fits: list[Fit] = []
        for height in heights:
            problem = raised(stage, float(height)).tube
            fits.append(solve(problem, start=fits[-1] if fits else None))
        lines = [squares(stage, float(height)) for height in heights]
        return Raised(frozen(heights), frozen([slope(fit) for fit in fits]), frozen([slope(one) for one in lines]))

    return worked(stage, ("raised", stage.lab.key, far(stage)), make)


def draw(stage: Stage) -> Data:
    """The sliders of what is looked at; with a far point the tube and the line of least squares that it has when it is raised."""
    price, wide, *_others = sliders(stage.lab)
    wide = wide | {"hi": max(float(wide["hi"]), math.ceil(11 * stage.lab.tube.level) / 10)}
    if not stage.shown or stage.pick("growing") == "along":
        return {"sliders": [price, wide]} | ({"message": None} if stage.moving else {})
    height, row, half = by(stage), far(stage), stage.lab.view
    up = dial("raised", _("How far one point is raised"), _("raised"), height, 0.0, HEIGHTS[-1], 0.5)
    fit, x = fitted(stage, height), stage.lab.places[row]
    if fit is None:
        return {"sliders": [price, up]}
    ends = np.array([[-half], [half]])
    items = [stroke(np.hstack([ends, squares(stage, height).decision(ends)[:, None]]), "witness-line")]
    top = min(x[1] + height, TOP * half)
    if top > x[1]:
        items.append(stroke(np.array([x, (x[0], top)]), "accent", "arrow"))
    items.append(stroke(np.array([*x, 0.06 * half]), "accent", "disc"))
    seen = tube.picture(raised(stage, height), fit, told=not stage.moving)
    return seen | {"sliders": [price, up], "overlay": items, "message": None}


def play(stage: Stage) -> Data | None:
    """The tube opens until it is level, and closes again; or the point goes up."""
    if stage.pick("growing") == "outlier":
        return {"key": "raised", "to": HEIGHTS[-1], "ms": 2600, "back": True}
    return {"key": "eps", "to": round(1.05 * stage.lab.tube.level, 2), "ms": 3200, "back": True}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What carries the line and how steep it is; with a far point both slopes."""
    fit = stage.fit
    if stage.shown and stage.pick("growing") == "outlier":
        now = fitted(stage, by(stage))
        return [
            read(_("raised by"), by(stage)),
            read(_("slope of the tube"), slope(now) if now else "–"),
            read(_("slope of least squares"), slope(squares(stage, by(stage)))),
        ]
    return [
        read("ε", fit.problem.eps),
        read(_("support vectors"), str(int(fit.support.sum()))),
        read("|w|", fit.norm_w),
        *([read(_("half the range"), fit.problem.level)] if stage.shown else []),
    ]


def verdict(stage: Stage) -> str:
    """From where to where, on this board."""
    level = short(stage.lab.tube.level)
    first = stage.cache.of_task(replace(stage.lab, eps=0.0)).solution
    if not isinstance(first, Fit):
        return _("it falls: none is left from ε = {level} on, with w = 0.").format(level=level)
    return _("it falls: here {first} at ε = 0, and none from ε = {level} on, with w = 0.").format(
        first=int(first.support.sum()), level=level
    )


def chart(stage: Stage) -> Chart:
    """What is looked at; a click sets the board."""
    if stage.pick("growing") == "outlier":
        found = pulled(stage)
        figure = slopes(found.by, found.tube, found.squares, np.array(HEIGHTS), by(stage), stage.palette)
        return Chart(figure, lambda height: turn_to(raised=float(height)))
    fit = stage.fit
    here = fit.problem.eps, int(fit.support.sum()), fit.norm_w
    figure = carried(growing(stage), fit.problem.level, here, stage.palette)
    return Chart(figure, lambda value: settings(eps=min(float(value), 8.0)))


def says(stage: Stage) -> str:
    """What the picture shows."""
    if stage.pick("growing") == "outlier":
        return _(
            "Pink: the line of least squares, in which a point pulls with its distance. Outside the tube it pulls with $C$, however far it is. Select another, or turn **raised**."
        )
    return _(
        "From half the range of $x_2$ on, a level line has all points inside its tube, and no $w$ is shorter than 0. Click a mark, or turn $\\varepsilon$."
    )


def formula(stage: Stage) -> str:
    """Why."""
    if stage.pick("growing") == "outlier":
        return r"w=\sum_i(\alpha_i-\alpha_i^*)\,x_i,\qquad |\alpha_i-\alpha_i^*|\le C"
    return r"\varepsilon\ge\tfrac12\big(\max_i y_i-\min_i y_i\big)\ \Longrightarrow\ w=0,\ N=0"


def more(stage: Stage) -> Sequence[Part]:
    """Why, two ways, what happens in between, and the neighbour that fails."""
    found, problem = growing(stage), stage.lab.tube
    level, moved = problem.level, pulled(stage)
    at = [int(np.searchsorted(moved.by, height)) for height in HEIGHTS]
    told = ", ".join(short(float(moved.tube[i])) for i in at), ", ".join(short(float(moved.squares[i])) for i in at)
    rises = int((np.diff(found.count) > 0).sum())
    longest = float(found.eps[int(found.norm_w.argmax())])
    return [
        _(
            "**Why.** Every point that lies strictly inside the tube has the multiplier 0. At $\\varepsilon = {level}$ the line halfway between the lowest and the highest value "
            "has no slack, and $\\frac12\\|w\\|^2 = 0$: nothing costs less."
        ).format(level=short(level)),
        _(
            "**Two ways.** That is the theorem. The second solver, which knows nothing of it, gets $\\|w\\|$ = {length} there from the program as it is written."
        ).format(length=short(flat(stage), 2)),
        _(
            "**On the way** nothing is promised from one $\\varepsilon$ to the next: neither $N$ nor $\\|w\\|$ has to fall at each step. Here $N$ rises between {rises} neighbours "
            "of {pairs}, and $\\|w\\|$ is largest at $\\varepsilon = {longest}$."
        ).format(rises=rises, pairs=len(found.eps) - 1, longest=short(longest, 3)),
        _(
            "**Least squares does not do that.** One point raised by 0, 2, 5, 50: the slopes of the tube are {tube}, those of least squares {squares}. Once the point is outside "
            "the tube its multiplier is $C$, and all conditions of optimality hold on, however far it goes. In least squares it pulls with its distance."
        ).format(tube=told[0], squares=told[1]),
    ]


def opened(stage: Stage) -> Op:
    """The tube as wide as half the range."""
    return settings(eps=min(stage.lab.tube.level, 8.0))


EPS = Step(
    key="eps",
    title=N_("ε and C"),
    question=N_("The tube gets wider: $\\varepsilon$ grows. What becomes of the number of support vectors?"),
    choices=(
        Choice(N_("It falls, in the end to 0 with w = 0")),
        Choice(
            N_("It rises"),
            N_("More points come into the tube; but those inside are the ones that are not felt."),
        ),
        Choice(N_("It stays"), N_("Points that come to lie inside the tube carry nothing any more.")),
    ),
    answer=lambda stage: 0,
    always=True,
    verdict=verdict,
    board=values(PLACES, eps=0.3, value=1.0),
    needs=(OF_VALUES, SOFT, BIAS, LINEAR, LEVEL, SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("growing", N_("Look at"), tuple(VIEWS), "along", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("ε at half the range"), opened),
        Try("C = 0.01", settings(face="C", value=0.01)),
        Try(N_("A far point"), chosen(growing="outlier")),
    ),
    shows=("X2",),
)
