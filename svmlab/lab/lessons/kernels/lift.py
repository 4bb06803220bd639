"""A feature map adds a coordinate, and a linear boundary for the raised points is curved on the board (K10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab import Linear, Problem, Solution, separate, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, is_mostly_on_axis
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points, has_points_of, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, set_picks
from svmlab.lab.teach.raised_points import overlay_below, plane_of, raised_space
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINE_EXISTS, LINEAR, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Need, Pick, Reading, Space, Step, Try, reading
from svmlab.lab.words import N_, _

HEIGHTS = {"square": "‖x‖²", "norm": "‖x‖", "cube": "x³"}
HEIGHTS_ON_LINE = {"square": "x²", "norm": "|x|", "cube": "x³"}
ON_LINE = {"square": "x^2", "norm": "|x|", "cube": "x^3"}
IN_PLANE = {"square": r"\|x\|^2", "norm": r"\|x\|", "cube": r"(x_1^3+x_2^3)"}
FAIR, BETTER = 0.75, 0.1  # accuracy of least squares on raised points, and by how much it exceeds that on the board
DOSES = preset("interval", size=12, value=10.0)
OFF_MIDDLE = board_of_points(
    [(x, 0, -1) for x in (-2.2, -1.4, -0.8, -0.2)]
    + [(x, 0, 1) for x in (0.6, 1.0, 1.4, 1.8, 2.2)]
    + [(x, 0, -1) for x in (2.8, 3.3)],
    value=100.0,
)


def lift_of(stage: Stage, height: str | None = None) -> Lift:
    """Return the feature map for the picked height. It uses x1 alone if the points lie on a line."""
    return Lift(height or stage.pick("height"), is_mostly_on_axis(stage.data.X))  # type: ignore[arg-type]


def name_of_height(lift: Lift) -> str:
    """Return the new feature as it is written, with x if the points lie on a line."""
    return (HEIGHTS_ON_LINE if lift.flat else HEIGHTS)[lift.height]


def raised_svm(stage: Stage) -> Solution:
    """Return the linear SVM with a bias on the raised points, with the C of the board."""
    lift = lift_of(stage)
    return stage.cached(
        f"raised {lift.height}", lambda: solve(Problem(lift.raised(stage.data), Linear(), stage.lab.C, True))
    )


def errors(stage: Stage) -> int:
    """Return the number of training errors of that SVM."""
    return int((raised_svm(stage).margins < 0).sum())


def accuracy(features: Array, y: Array) -> float:
    """Return the accuracy of a linear least-squares fit, a fast test whether a linear boundary can do well."""
    A = np.column_stack([features, np.ones(len(y))])
    return float((np.sign(A @ np.linalg.lstsq(A, y, rcond=None)[0]) == y).mean())


def nested(stage: Stage) -> bool:
    """Return whether one class lies roughly inside the other: a linear fit is better on raised points than without."""
    data, lift = stage.data, Lift(flat=is_mostly_on_axis(stage.data.X))
    raised = accuracy(lift.features(data.X), data.y)
    return raised >= FAIR and raised >= accuracy(data.X, data.y) + BETTER


INSIDE = Need(nested, N_("In this step, the points of one class must lie inside those of the other class."), {})
FINITE_C = replace(SOFT, why=N_("No line on the board separates these classes, so this step needs a finite C."))


def answer(stage: Stage) -> int:
    """Return 0 if a line on the board separates the classes, 1 if only a plane for the raised points does, else 2."""
    if LINE_EXISTS.is_met(stage):
        return 0
    raised = lift_of(stage, "square").raised(stage.data)
    return 1 if stage.cached_for_points("raised apart", lambda: separate(raised, Linear()).separable) else 2


def situation(stage: Stage) -> str:
    """Describe the points and the feature map."""
    if has_points_of(stage.lab, DOSES):
        return _(
            "Twelve patients took a medicine (invented data). $x$ is the dose minus the usual dose, in mg. The "
            "medicine helped (+1) only at medium doses. A **feature map** $\\phi$ gives each point new coordinates, "
            "its **features**. Here $\\phi(x) = (x, x^2)$."
        )
    features = "(x, x^2)" if is_mostly_on_axis(stage.data.X) else r"(x_1, x_2, \|x\|^2)"
    return _(
        "The points of one class lie inside, and those of the other class lie around them. A **feature map** $\\phi$ "
        "gives each point new coordinates, called **features**. Here $\\phi(x) = {features}$."
    ).format(features=features)


def verdict(stage: Stage) -> str:
    """Return the answer and its reason."""
    right, flat = answer(stage), is_mostly_on_axis(stage.data.X)
    if right == 0:
        return _("Yes, already without the feature map. A line on the board separates the classes.")
    if right == 2:
        if flat:
            return _("Not even with the feature map, because no pair of thresholds in x separates these classes.")
        return _("Not even with the feature map, because no circle and no line separates these classes.")
    if flat:
        return _("Only with the feature map. A line in the plane (x, x²) separates them, but no threshold in x does.")
    return _(
        "Only with the feature map. A plane in the space (x₁, x₂, ‖x‖²) separates them, but no line on the board does."
    )


def draw(stage: Stage) -> Data:
    """Return the points alone. After Show, the SVM of the raised points, and its plane for the picture above."""
    if not stage.shown:
        return {**POINTS_ONLY, "message": None, "legend": None, "sliders": []}
    return {"message": None, **overlay_below(stage, lift_of(stage), raised_svm(stage)), "space": chart(stage).as_json}


def thresholds(stage: Stage) -> str:
    """Return the positions on the line where f is 0, as they are read."""
    plane = plane_of(lift_of(stage), raised_svm(stage))
    positions = [] if plane is None else plane.thresholds().tolist()
    return ", ".join(short(x, 3, ROUNDING) for x in positions) or "–"


def description(stage: Stage) -> str:
    """Describe the picture in words."""
    lift, solution = lift_of(stage), raised_svm(stage)
    words = _("{m} points, each at the height {height} above the board.").format(
        m=solution.problem.data.m, height=name_of_height(lift)
    )
    if plane_of(lift, solution) is None:
        return words + " " + _("There is no boundary, because w = 0.")
    words += " " + _("The boundary is a plane. The number of training errors is {n}.").format(n=errors(stage))
    if not lift.flat:
        return words
    return words + " " + _("On the line, its thresholds are {positions}.").format(positions=thresholds(stage))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the margin of the raised points, where the boundary lies on the board, and the training errors."""
    if not stage.shown:
        return ()
    lift, solution = lift_of(stage), raised_svm(stage)
    plane = plane_of(lift, solution)
    count = reading(_("errors"), f"{errors(stage)}/{solution.problem.data.m}", _("Training errors of this SVM"))
    if plane is None:
        return [reading(_("margin"), "–", _("There is no boundary, because w = 0")), count]
    margin = reading(_("margin"), 1.0 / solution.norm_w, _("Geometric margin in the feature space, 1/‖w‖"))
    if lift.flat:
        return [margin, reading(_("thresholds"), thresholds(stage), _("Positions on the line with f(x) = 0")), count]
    circle = plane.circle()
    if circle is None:
        return [margin, count]
    return [margin, reading(_("radius"), circle[1], _("Radius of the circle f(x) = 0 on the board")), count]


def chart(stage: Stage) -> Space:
    """Return the picture of the raised points with the boundary."""
    lift = lift_of(stage)
    words = "" if stage.moving else description(stage)
    return raised_space(stage, lift, raised_svm(stage), name_of_height(lift), words)


def says(stage: Stage) -> str:
    """Say what the picture shows."""
    height, flat = stage.pick("height"), is_mostly_on_axis(stage.data.X)
    if height == "cube":
        sides = (
            _("With the height $x^3$, points are below the board on one side of 0, and above it on the other side.")
            if flat
            else _("With the height $x_1^3 + x_2^3$, a point is above the board only if $x_1 + x_2 > 0$.")
        )
        count = _("The number of training errors is {n}.").format(n=errors(stage))
        return f"{sides} {count}" + (" " + _("Not every feature map helps.") if errors(stage) else "")
    if height == "norm":
        return _(
            "With the height $\\|x\\|$, points farther from the origin are higher as well. The feature is different, "
            "so the boundary on the board can be different."
        )
    plane = plane_of(lift_of(stage), raised_svm(stage))
    if flat:
        count_of_thresholds = 0 if plane is None else len(plane.thresholds())
        if count_of_thresholds != 2:
            return _(
                "Each point is raised to the height $x^2$, so it lies on a parabola. Here the number of thresholds, "
                "where the boundary cuts the parabola, is {n}. You can turn the picture."
            ).format(n=count_of_thresholds)
        return _(
            "Each point is raised to the height $x^2$, so it lies on a parabola. The green strip marks the "
            "boundary, a line. It cuts the parabola above the two thresholds on the board. You can turn the picture."
        )
    if plane is None or plane.circle() is None:
        return _(
            "Each point is raised to the height $\\|x\\|^2$, so it lies on a bowl. Here the boundary on the board is "
            "no circle. You can turn the picture."
        )
    return _(
        "Each point is raised to the height $\\|x\\|^2$, so it lies on a bowl. The green plane is the boundary. It "
        "cuts the bowl above the circle on the board. You can turn the picture."
    )


def formula(stage: Stage) -> str:
    """Return the decision function of the raised points."""
    height = stage.pick("height")
    if is_mostly_on_axis(stage.data.X):
        return rf"f(x) = w_1\,x + w_2\,{ON_LINE[height]} + b"
    return rf"f(x) = w_1 x_1 + w_2 x_2 + w_3\,{IN_PLANE[height]} + b"


LIFT = Step(
    key="lift",
    title=N_("Feature maps"),
    situation=situation,
    question=N_("Can a linear function separate the two classes, with or without the feature map $\\phi$?"),
    choices=(
        Choice(
            N_("Yes, already without the feature map"),
            N_(
                "Often a threshold or a line is enough. However, here each one has points of both classes on at least "
                "one side."
            ),
        ),
        Choice(
            N_("Only with the feature map"),
            N_(
                "The feature ‖x‖² helps if a circle separates the classes. On this board it is not needed or not "
                "enough."
            ),
        ),
        Choice(
            N_("Not even with the feature map"),
            N_(
                "The classes can look mixed on the board. However, with the new feature, a line or a plane does "
                "separate them."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=DOSES,
    introduces=("feature-space",),
    needs=(BOTH_CLASSES, LINEAR, FINITE_C, INSIDE),
    draw=draw,
    play={"space": True},
    rests_on_answer=lambda stage: lift_of(stage).height == "square",
    numbers=numbers,
    picks=(Pick("height", N_("New feature"), tuple(HEIGHTS), "square", HEIGHTS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**Why two thresholds or a circle.** Let $x_-$ and $x_+$ be two thresholds. The product $(x - x_-)(x_+ - "
            "x)$ is positive between them and negative outside. It is $(x_- + x_+)\\,x - x^2 - x_- x_+$, which is "
            "linear in $(x, x^2)$ up to a constant. In the same way, a circle with centre $z$ and radius $\\rho$ "
            "belongs to $\\rho^2 - \\|x - z\\|^2$. This is linear in $(x_1, x_2, \\|x\\|^2)$ up to a constant."
        ),
        N_(
            "**The feature space.** $\\phi$ maps the points to the feature space. There the SVM is linear, so its "
            "boundary is $\\langle w, \\phi(x)\\rangle + b = 0$. On the board, this boundary can be curved."
        ),
        N_(
            "**Without the features.** The dual needs only inner products, and $\\langle (x, x^2), (z, z^2)\\rangle = "
            "xz + (xz)^2$. If you add $\\frac14$, you obtain $(xz + \\frac12)^2$, a polynomial kernel. An SVM with "
            "bias has the same $f$ for both, because $b$ makes up for a constant in the kernel."
        ),
        N_(
            "**Lecture notes.** The Italian notes on half-spaces use the map $(x, x^2)$ for points on a line. They "
            "warn that more features make learning harder and computing slower. A kernel saves computing time, as you "
            "will see in this lesson."
        ),
    ),
    tries=(
        Try(N_("Circles"), board=preset("circles", size=40, noise=0.3, value=10.0)),
        Try(N_("Off the middle"), board=OFF_MIDDLE),
        Try(N_("Height x³"), set_picks(height="cube")),
    ),
    shows=("K10",),
)
