"""Each point's pull: every multiplier along C, in straight pieces that join, and what they are worth as a dual point (S1, S11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.soft.multipliers_chart import both_values, multipliers
from svmlab.lab.lessons.soft.walk import breakpoints, play_C, sampled_path
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOLVED, PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Op, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.solvers.bias import best_biases

VIEWS = {"plain": N_("αᵢ over C"), "shares": N_("share αᵢ/C"), "values": N_("both values")}


def values(stage: Stage) -> tuple[float, float]:
    """½|w|² + C Σ ξ, with the slack that w and b leave, and the value of α in the dual."""
    solution, problem = stage.solution, stage.solution.problem
    slack, signed = np.maximum(0.0, 1.0 - solution.margins), solution.alpha * problem.data.y
    size = 0.5 * float(signed @ problem.gram @ signed)
    return 0.5 * solution.norm_w**2 + problem.C * float(slack.sum()), float(solution.alpha.sum()) - size


def least_slack(stage: Stage) -> Array:
    """Of each w along C the slack with its best b, (k,): where b is free along the path, not every choice is good at this C."""
    found, y = sampled_path(stage).samples, stage.data.y
    f = found.margins * y
    return np.maximum(0.0, 1.0 - y * (f + best_biases(f, y)[:, None])).sum(1) if stage.lab.bias else found.slack


def numbers(stage: Stage) -> Sequence[Reading]:
    """The selected point's pull, or how many pull not at all, in part and fully; or both values."""
    solution = stage.solution
    price = reading("C", solution.problem.C)
    if stage.pick("pulls") == "values":
        primal, dual = values(stage)
        apart = abs(primal - dual) / max(primal, 1e-300)
        return [
            price,
            reading("½|w|² + C Σ ξ", primal),
            reading(_("dual"), dual),
            reading(_("apart"), apart * primal if apart > 1e-9 else 0.0),
        ]
    if stage.selected_row is not None:
        alpha = float(solution.alpha[stage.selected_row])
        point = str(stage.lab.points[stage.selected_row].id)
        return [price, reading(_("point"), point), reading("αᵢ", alpha), reading("αᵢ/C", alpha / solution.problem.C)]
    counts = (("α = 0", ~solution.support), ("0 < α < C", solution.free), ("α = C", solution.at_bound))
    return [price, *(reading(name, str(int(mask.sum()))) for name, mask in counts)]


def chart(stage: Stage) -> Chart:
    """Every multiplier along C; a click on a mark selects its point. Or both values of the machines along C."""
    if stage.pick("pulls") == "values":
        return Chart(
            both_values(sampled_path(stage).samples, least_slack(stage), stage.lab.C, values(stage), stage.palette)
        )
    shares = stage.pick("pulls") == "shares"
    figure = multipliers(
        sampled_path(stage).samples, stage.data, stage.lab.C, stage.lab.selected, shares, stage.palette
    )
    return Chart(figure, on_click=select_point)


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("pulls") == "values":
        return _("At this C: every α with 0 ≤ αᵢ ≤ C is worth less than any w costs. Those of the machine meet.")
    if stage.pick("pulls") == "shares":
        return _("Over log C straight pieces look bent. The share is 1 with slack, and 0 once the margin line is past.")
    return _("Over C every piece is straight: αᵢ = C with slack, then bending off, 0 once the margin line is past.")


def free_one(stage: Stage) -> Op:
    """The first free support vector, where there is one."""
    rows = np.flatnonzero(stage.solution.free)
    return select_point(stage.lab.points[int(rows[0])].id if len(rows) else stage.lab.selected)


def full_one(stage: Stage) -> Op:
    """The point with the most slack."""
    return select_point(stage.lab.points[int(stage.solution.xi.argmax())].id)


def formula(stage: Stage) -> str:
    """The dual, with the balance of the classes where there is a b."""
    balance = r",\ \ y^\top\alpha=0" if stage.lab.bias else ""
    return rf"\max_\alpha\ \sum_i\alpha_i-\tfrac12\,\alpha^\top Q\,\alpha \qquad 0\le\alpha_i\le C{balance}"


def more(stage: Stage) -> Sequence[Part]:
    """Why, and what can be clicked."""
    return [
        _(
            "Slack changes one thing in the dual: no multiplier may exceed C. Between two breakpoints the same points "
            "have slack and the same ones lie on their margin line. The free multipliers then solve linear equations "
            "whose right side is linear in C, and so is their solution, and $w = \\sum_i \\alpha_i y_i x_i$ with it."
        ),
        _(
            "**Both values.** At the present C the machine of every other price $C'$ is tried: its $w$ (with the $b$ that is best for it) costs more, its α is worth less, "
            "and for $C' > C$ it breaks the ceiling. The two curves touch where $C' = C$."
        ),
        _("Click a mark in the chart or a point on the board to follow one of them."),
    ]


MULTIPLIERS = Step(
    key="multipliers",
    title=N_("Each point’s pull"),
    question=N_(
        "Every point pulls at the boundary with a strength αᵢ from 0 to C. As C rises from almost nothing, "
        "how does each αᵢ go?"
    ),
    choices=(
        Choice(N_("In straight pieces that join")),
        Choice(
            N_("Along a smooth curve"), N_("Over a logarithmic axis it looks like one. Over C itself it has kinks.")
        ),
        Choice(
            N_("It jumps when the point changes its category"),
            N_("The category changes at once, but there the pull has just come to 0 or to C."),
        ),
    ),
    answer=lambda stage: 0,
    is_theorem=True,
    board=preset("overlapping", size=24, noise=0.3, seed=2),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=breakpoints,
    play=lambda stage: play_C(stage, 0.01, 1.0),
    numbers=numbers,
    picks=(Pick("pulls", N_("The view"), tuple(VIEWS), "plain", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("A free one"), free_one),
        Try(N_("Most slack"), full_one),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.7)),
    ),
    shows=("S1", "S11"),
)
