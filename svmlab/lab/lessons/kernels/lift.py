"""One dimension more: what no threshold does, a straight cut does among points that are raised (K10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab import Linear, Problem, Solution, separate, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, distinct_on_a_line
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, reading, set_picks
from svmlab.lab.teach.raised_points import overlay_below, plane_of, raised_space
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINE_EXISTS, LINEAR, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Need, Part, Pick, Reading, Space, Step, Try
from svmlab.lab.words import N_, _

HEIGHTS = {"square": N_("height |x|²"), "norm": N_("height |x|"), "cube": N_("height x³")}
NAMES = {"square": "|x|²", "norm": "|x|", "cube": "x³"}
ON_LINE = {"square": "x^2", "norm": "|x|", "cube": "x^3"}
IN_PLANE = {"square": r"(x_1^2+x_2^2)", "norm": r"\|x\|", "cube": r"(x_1^3+x_2^3)"}
FAIR, BETTER = 0.75, 0.1  # share of points that a rough fit gets right up there, and by how much that beats one below
OFF_MIDDLE = board_of_points(
    [(x, 0, -1) for x in (-2.2, -1.4, -0.8, -0.2)]
    + [(x, 0, 1) for x in (0.6, 1.0, 1.4, 1.8, 2.2)]
    + [(x, 0, -1) for x in (2.8, 3.3)],
    value=100.0,
)


def lift_of(stage: Stage, height: str | None = None) -> Lift:
    """The height that is picked; along x1 alone where the points lie on a line."""
    return Lift(height or stage.pick("height"), distinct_on_a_line(stage.data.X))  # type: ignore[arg-type]


def machine(stage: Stage) -> Solution:
    """The exact machine on the raised points, at the board's C, its offset free."""
    lift = lift_of(stage)
    return stage.cached(
        f"raised {lift.height}", lambda: solve(Problem(lift.raised(stage.data), Linear(), stage.lab.C, True))
    )


def share(features: Array, y: Array) -> float:
    """The share of points that a fit by least squares gets right: whether a straight cut has a chance, in no time."""
    A = np.column_stack([features, np.ones(len(y))])
    return float((np.sign(A @ np.linalg.lstsq(A, y, rcond=None)[0]) == y).mean())


def nested(stage: Stage) -> bool:
    """Whether one class lies more or less inside the other: raised, they come apart better than on the board."""
    data, lift = stage.data, Lift(flat=distinct_on_a_line(stage.data.X))
    up = share(lift.features(data.X), data.y)
    return up >= FAIR and up >= share(data.X, data.y) + BETTER


INSIDE = Need(nested, N_("This step asks about points of one class that lie inside the other."), {})
PRICED = replace(SOFT, why=N_("No line parts these classes, so this machine needs a C."))


def answer(stage: Stage) -> int:
    """Whether a straight cut of the board will do, else whether one will among the points raised by |x|^2."""
    if LINE_EXISTS.is_met(stage):
        return 0
    raised = lift_of(stage, "square").raised(stage.data)
    return 1 if stage.cached_for_points("raised apart", lambda: separate(raised, Linear()).separable) else 2


def verdict(stage: Stage) -> str:
    """What parts the classes."""
    happens = answer(stage)
    if happens == 0:
        return _("a straight cut of the board does; higher up one does too.")
    if happens == 2:
        return _("nothing straight, even higher up: a few points stand among the others.")
    if distinct_on_a_line(stage.data.X):
        return _("a straight line in the plane $(x, x^2)$; no threshold in $x$ does.")
    return _("a plane in the space $(x_1, x_2, |x|^2)$; no line on the board does.")


def draw(stage: Stage) -> Data:
    """The points alone; when it is shown, the shadow of the plane above, and the plane for who draws it."""
    if not stage.shown:
        return {**POINTS_ONLY, "message": None, "legend": None, "sliders": []}
    return {"message": None, **overlay_below(stage, lift_of(stage), machine(stage)), "space": chart(stage).as_json}


def seen(stage: Stage) -> str:
    """The canvas in words."""
    lift, solution = lift_of(stage), machine(stage)
    plane = plane_of(lift, solution)
    told = _("{m} points of the board, each raised to the height {height}.").format(
        m=solution.problem.data.m, height=NAMES[lift.height]
    )
    if plane is None:
        return told + " " + _("No plane parts the classes.")
    wrong = int((solution.margins < 0).sum())
    cut = _("A plane cuts through them, with {wrong} on its wrong side.").format(wrong=wrong)
    if not lift.flat:
        return f"{told} {cut}"
    places = ", ".join(short(x, 3, ROUNDING) for x in plane.thresholds().tolist())
    return f"{told} {cut} " + _("Its shadow on the line is at {places}.").format(places=places or "–")


def numbers(stage: Stage) -> Sequence[Reading]:
    """How wide the street is up there, where its middle comes down, and how many points are on the wrong side."""
    if not stage.shown:
        return ()
    lift, solution = lift_of(stage), machine(stage)
    plane = plane_of(lift, solution)
    wrong = reading(_("wrong"), f"{int((solution.margins < 0).sum())}/{solution.problem.data.m}")
    if plane is None:
        return [reading(_("margin up there"), _("no plane")), wrong]
    readings = [reading(_("margin up there"), 1.0 / solution.norm_w)]
    if lift.flat:
        places = plane.thresholds().tolist()
        words = ", ".join(short(x, 3, ROUNDING) for x in places) or "–"
        readings.append(Reading(_("thresholds"), words, ", ".join(map(repr, places))))
    else:
        circle = plane.circle()
        readings += [] if circle is None else [reading(_("radius"), circle[1])]
    return [*readings, wrong]


def chart(stage: Stage) -> Space:
    """The points raised, the plane, its cut and its shadow."""
    lift = lift_of(stage)
    return raised_space(stage, lift, machine(stage), NAMES[lift.height], "" if stage.moving else seen(stage))


def says(stage: Stage) -> str:
    """What the height does."""
    height, flat = stage.pick("height"), distinct_on_a_line(stage.data.X)
    if height == "cube" and not (machine(stage).margins < 0).any():
        return _(
            "Beside 0, $x^3$ bends to one side as $x^2$ does, and helps as well. About 0 it does not: try it there."
        )
    if height == "cube":
        return _("$x^3$ falls on one side and rises on the other: what lay between still does. Not every height helps.")
    if height == "norm":
        return _("$|x|$ rises to all sides too, so the outer points stand higher: another height, another shadow.")
    if flat:
        return _(
            "Straight above, two thresholds below: they lie where the line cuts the parabola. Turn it, and "
            "drag a point."
        )
    return _("Straight above, a circle below: it lies where the plane cuts the bowl. Turn it, and drag a point.")


def formula(stage: Stage) -> str:
    """The machine up there."""
    height = stage.pick("height")
    if distinct_on_a_line(stage.data.X):
        return rf"f(x) = w_1\,x + w_2\,{ON_LINE[height]} + b"
    return rf"f(x) = w_1 x_1 + w_2 x_2 + w_3\,{IN_PLANE[height]} + b"


def more(stage: Stage) -> Sequence[Part]:
    """Why any interval, which kernel it is, and what the notes say."""
    return [
        _(
            "**Any interval.** Between $s$ and $t$ the product $(x-s)(t-x)$ is above 0, outside below. "
            "Multiplied out it is "
            "$(s+t)\\,x - x^2 - st$: a straight function of $(x, x^2)$. A circle is the same in the plane: "
            "$r^2 - |x-u|^2$ is straight in $(x_1, x_2, |x|^2)$."
        ),
        _(
            "**Without raising anything.** The exact machine needs inner products alone, and "
            "$\\langle (x, x^2), (z, z^2)\\rangle = xz + (xz)^2$. But for a constant, which $b$ takes up, that is "
            "$(xz + \\tfrac12)^2$, a polynomial kernel on the line: the same $f$ at every place."
        ),
        _(
            "The Italian notes on half-spaces raise the line by exactly this map, and call $x^2$ the new "
            "$y$. They warn that more "
            "coordinates cost more to learn and to compute; the rest of this page is about what a kernel "
            "saves of the second."
        ),
    ]


LIFT = Step(
    key="lift",
    title=N_("One dimension more"),
    question=N_(
        "The points of one class lie **inside**, those of the other on all sides around them. Can "
        "anything straight part the two?"
    ),
    choices=(
        Choice(
            N_("A straight cut of the board"),
            N_("Whichever side the inner points are on, some of the outer ones are too."),
        ),
        Choice(N_("A straight cut, one dimension higher")),
        Choice(
            N_("Nothing straight"), N_("Not here. But raise each point by its distance: the outer ones stand higher.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("interval", size=12, value=10.0),
    needs=(BOTH_CLASSES, LINEAR, PRICED, INSIDE),
    draw=draw,
    play=lambda stage: {"space": True},
    numbers=numbers,
    picks=(Pick("height", N_("Height"), tuple(HEIGHTS), "square", lambda name: _(HEIGHTS[name])),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Circles"), board=preset("circles", size=40, noise=0.3, value=10.0)),
        Try(N_("Off the middle"), board=OFF_MIDDLE),
        Try(N_("Height x³"), set_picks(height="cube")),
    ),
    shows=("K10",),
)
