"""Two margins, one line: functional against geometric margin while w and b are multiplied by s (M2, M5, M7, M13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.board.payload import flat_coordinates, shading
from svmlab.lab.lessons.margin.scaling_chart import rulers, scaling
from svmlab.lab.lessons.margin.street import BOARD
from svmlab.lab.teach.overlay import dial, boundary_line, reading, select_point, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, LINEAR, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import Scene

SPAN = (-2.0, 3.0)
POINTS = {"one": N_("this point, any s"), "all": N_("all points, this s")}


def factor(stage: Stage) -> float:
    """The factor s."""
    return stage.dial("factor", 1.0)


def in_question(stage: Stage) -> int:
    """The row of the selected point, or of the one whose functional margin is nearest to 1."""
    return int(abs(stage.solution.margins - 1.0).argmin()) if stage.selected_row is None else stage.selected_row


def draw(stage: Stage) -> Data:
    """The boundary stays, the lines s f = +-1 move, the shading deepens or turns."""
    s, half, line, solution = factor(stage), stage.lab.view, boundary_line(stage), stage.solution
    lines: Data = {"zero": [], "plus": [], "minus": []}
    if s:
        edge = 1.0 / (s * solution.norm_w)
        at = {"zero": 0.0, "plus": edge, "minus": -edge}
        lines = {name: [flat_coordinates(ends) for ends in line.slid(t).within(half)] for name, t in at.items()}
    seen = stage.cache.scene(solution, half)
    return {
        "lines": lines,
        "shade": shading(Scene(half, s * seen.values, (), (), (), {})),
        "marks": {"fill": [1.0] * solution.problem.data.m},
        "slack": [],
        "selected": stage.lab.points[in_question(stage)].id,
        "sliders": [dial("factor", _("Factor s for w and b"), "s", s, SPAN[0], max(SPAN[1], s), 0.05)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both margins of the point in question at the present s."""
    i, s, solution = in_question(stage), factor(stage), stage.solution
    yf = float(solution.margins[i])
    if s == 0:
        return [reading("s y f", 0.0), reading(_("geometric margin"), _("no line, no distance"))]
    return [
        reading("s y f", s * yf),
        reading(_("geometric margin"), float(np.sign(s)) * yf / solution.norm_w),
        reading("1/|s w|", 1.0 / (solution.norm_w * abs(s))),
        reading(_("least s y f"), float((s * solution.margins).min())),
    ]


def chart(stage: Stage) -> Chart:
    """Both margins of one point over all s; or those of all points at this s."""
    if stage.pick("margins") == "all":
        solution, data = stage.solution, stage.data
        figure = rulers(
            solution.margins,
            1.0 / solution.norm_w,
            data,
            stage.lab.points[in_question(stage)].id,
            factor(stage),
            stage.palette,
        )
        return Chart(figure, select_point)
    yf = float(stage.solution.margins[in_question(stage)])
    return Chart(scaling(yf, yf / stage.solution.norm_w, factor(stage), SPAN, stage.palette))


def canonical(stage: Stage) -> Op:
    """The s that makes the smallest functional margin 1; 1 where a point is on the wrong side."""
    least = float(stage.solution.margins.min())
    return set_dials(factor=1.0 / least if least > 0 else 1.0)


def says(stage: Stage) -> str:
    """What the scale is good for, or what a large margin says."""
    if stage.pick("margins") == "one":
        return _("The scale of $(w, b)$ may be **chosen**. Below 0 the sides swap.")
    return _(
        "Further from the line is surer. But times $s$ the same line seems $s$ times as sure: only the geometric margin "
        "compares, and $f$ is no probability."
    )


SCALING = Step(
    key="scaling",
    title=N_("Two margins, one line"),
    question=N_(
        "The **functional margin** of a point is $y f(x)$, the **geometric margin** its signed distance to the line. "
        "Multiply $w$ and $b$ by 2: what happens to the two?"
    ),
    choices=(
        Choice(N_("Both double"), N_("f doubles everywhere, but so does |w|, by which the distance is divided.")),
        Choice(N_("Only the functional margin doubles")),
        Choice(N_("Only the geometric margin doubles"), N_("The line does not move, so no distance can change.")),
        Choice(N_("Both stay"), N_("The line stays, but f is measured with another ruler.")),
    ),
    answer=lambda stage: 1,
    is_theorem=True,
    board=BOARD,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W),
    draw=draw,
    play=lambda stage: {"key": "factor", "op": "dial", "from": 1.0, "to": 2.0, "ms": 1600},
    numbers=numbers,
    picks=(Pick("margins", N_("Points"), tuple(POINTS), "one", lambda name: _(POINTS[name])),),
    chart=chart,
    says=says,
    formula=r"\gamma_i = \frac{y_i f(x_i)}{\|w\|}, \qquad \frac{y_i\, s f(x_i)}{\|s w\|} = \gamma_i \;\;(s > 0)",
    more=lambda stage: [
        _(
            "The line $s f = 0$ is the same for every $s \\ne 0$, so no distance changes; $f$ itself is multiplied. "
            "With the smallest functional margin set to 1, the nearest point is $1/\\|w\\|$ away. Asking for $y f \\ge 1$ "
            "instead of equality loses nothing: a larger $(w, b)$ only costs norm and shrinks back until a point touches: try *Too long*, then *Until one touches*."
        ),
        _(
            "Gambosi's slides say of the functional margin that a larger one denotes greater confidence. That is so among the "
            "points of one $(w, b)$; between two rulers it says nothing. And they say themselves, a line above, that no "
            "probability is estimated."
        ),
        _(
            "Gambosi's slides multiply by *any* constant, but it must be positive: a negative one swaps the two sides, and "
            "every geometric margin changes its sign. At $s = 0$ there is no line at all."
        ),
    ],
    tries=(
        Try(N_("Too long: s = 3"), set_dials(factor=3.0)),
        Try(N_("Until one touches"), canonical),
        Try(N_("s = −1"), set_dials(factor=-1.0)),
    ),
    shows=("M2", "M5", "M7", "M13"),
)
