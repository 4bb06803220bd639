"""Two terms, one valley: the objective in the plane of w, and a section through it (S4, S13, S14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.soft import objective_chart as figures
from svmlab.lab.lessons.soft.plane import landscape, of_line, section, window
from svmlab.lab.lessons.soft.walk import breakpoints, sampled_path
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, reading, select_point, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

START = ((-0.7, 3.0), (1.4, -2.4))
VIEWS = {
    "terms": N_("the two terms"),
    "sum": N_("their sum"),
    "section": N_("from best to yours"),
    "steep": N_("how steep"),
}


def own(stage: Stage) -> tuple[Array, float]:
    """The machine (w, b) of the line by hand, in its best scale."""
    return of_line(stage.lab.problem, stage.hand or START)


def best(stage: Stage) -> Array:
    """The w of the machine on the board, (2,)."""
    assert stage.solution.w is not None
    return stage.solution.w


def draw(stage: Stage) -> Data:
    """The line by hand; the machine's own lines are hidden until the answer is shown."""
    a, b = stage.hand or START
    return breakpoints(stage) | {"hand": {"a": a, "b": b}, "tool": "line"} | ({} if stage.shown else POINTS_ONLY)


def price(stage: Stage) -> tuple[float, float]:
    """½|w|² and C times the slack of the line by hand."""
    (w, b), data = own(stage), stage.data
    return 0.5 * float(w @ w), stage.lab.C * float(np.maximum(0.0, 1.0 - data.y * (data.X @ w + b)).sum())


def steepness(stage: Stage) -> tuple[Array, float]:
    """How much each point's slack changes from the best w to the one of the line by hand, per unit of their distance,
    (m,); and that distance.
    """
    (w, _b), here, data, b = own(stage), best(stage), stage.data, stage.solution.b
    apart = float(np.linalg.norm(w - here))
    change = np.subtract(*(np.maximum(0.0, 1.0 - data.y * (data.X @ v + b)) for v in (w, here)))
    return np.abs(change) / (apart or 1.0), apart


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both terms of the line by hand, their sum, and once it is shown the least; or how far it is and the steepest
    slope.
    """
    if stage.shown and stage.pick("valley") == "steep":
        slopes, apart = steepness(stage)
        longest = float(np.linalg.norm(stage.data.X, axis=1).max())
        return [reading("‖u − v‖", apart), reading(_("steepest"), float(slopes.max())), reading("X", longest)]
    size, loss = price(stage)
    yours = [reading("½|w|²", size), reading("+ C Σ ξ", loss), reading(_("= your F"), size + loss)]
    return [*yours, *([reading(_("least F"), stage.solution.objective)] if stage.shown else [])]


def chart(stage: Stage) -> Chart:
    """The plane of w, the section from the best w to one's own, or how much each slack changes on that way."""
    solution, (w, _b), view = stage.solution, own(stage), stage.pick("valley")
    problem, here = solution.problem, best(stage)
    if view == "steep":
        figure = figures.steep(stage.data, steepness(stage)[0], stage.lab.selected, stage.palette)
        return Chart(figure, on_click=select_point)
    if view == "section":
        away = w - here if float(np.linalg.norm(w - here)) > 1e-9 else here
        reach = max(1.5 * solution.norm_w, 1.2 * float(np.linalg.norm(away)))
        found = section(problem, here, float(np.arctan2(away[1], away[0])), reach)
        mine = float(np.linalg.norm(w - here)), problem.lam * sum(price(stage))
        return Chart(figures.section(found, mine, stage.palette))
    path = (sampled_path(stage).samples.alpha * stage.data.y) @ stage.data.X
    w1, w2 = window(np.vstack([path, here]))
    ground = stage.cache.get_or_compute(
        ("soft", "ground", stage.data.key, stage.lab.bias, w1, w2),
        lambda: landscape(replace(problem, C=1.0), w1, w2),
    )
    least = solution.objective - 0.5 * solution.norm_w**2
    return Chart(figures.plane(ground, problem.C, here, least, path, w, view == "sum", stage.palette))


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("valley") == "section":
        return _("A cut through the valley of (λ/2)|w|² + mean ξ: above the dashed parabola, so with one lowest place.")
    if stage.pick("valley") == "steep":
        return _(
            "From the best w, v, to yours, u: no ξᵢ changes by more than |xᵢ| for each unit of way. Drag the "
            "line: some reach it."
        )
    if stage.pick("valley") == "sum":
        return _("One valley with one lowest place; as C grows, it walks outwards along the path.")
    return _("No w as short has less slack, none with as little slack is shorter. As C grows, it walks the path.")


def formula(stage: Stage) -> str:
    """The objective, the parabola under it, or how steep the slack is."""
    if stage.pick("valley") == "section":
        return r"F(w)\ \ge\ F(w^*)+\tfrac\lambda2\,\|w-w^*\|^2"
    if stage.pick("valley") == "steep":
        return r"|\xi_i(u)-\xi_i(v)|\ \le\ \|x_i\|\,\|u-v\|\ \le\ X\,\|u-v\|"
    return r"F(w)=\tfrac12\|w\|^2 + C\,\textstyle\sum_i\xi_i"


def more(stage: Stage) -> Sequence[Part]:
    """The numbers of both terms, the form with the mean, the slope, b."""
    solution = stage.solution
    size, slopes = 0.5 * solution.norm_w**2, section(solution.problem, best(stage), 0.0, 1.5 * solution.norm_w)
    told = _("The best w has $\\tfrac12\\|w\\|^2$ = {size} and $C\\sum_i\\xi_i$ = {price}.")
    steep = _(
        "The mean hinge is nowhere steeper than the farthest point is far (the Italian notes on "
        "half-spaces and hinge): "
        "along $w_1$ {slope} ≤ X = {X}."
    )
    bias = _("For each w the best b is taken.") if stage.lab.bias else _("The machine has no b: b = 0 everywhere.")
    return [
        told.format(size=short(size), price=short(solution.objective - size)),
        _(
            "Divided by $C m$ the same function is $\\tfrac\\lambda2\\|w\\|^2 + \\tfrac1m\\sum_i\\xi_i$ with "
            "$\\lambda = 1/(Cm)$, here {lam}. Each point's part bends at least as much as $\\tfrac\\lambda2\\|w\\|^2$ "
            "(strong convexity in the Italian notes on Pegasos), and so does their mean."
        ).format(lam=short(solution.problem.lam)),
        steep.format(slope=short(slopes.slope), X=short(slopes.steepest)),
        bias + " " + _("Your line gets the scale that is best for it."),
    ]


OBJECTIVE = Step(
    key="objective",
    title=N_("Two terms, one valley"),
    question=N_(
        "Drag the handles: how near do you come to the least F? And where in the plane of w does the best w lie?"
    ),
    choices=(
        wrong(N_("At the centre of the circles of ½|w|²"), N_("There w = 0 is short, and every point has slack 1.")),
        wrong(N_("Where the slack is least"), N_("There the last bit of slack costs more length than it is worth.")),
        right(N_("Where a circle just touches a contour of the slack")),
    ),
    verdict=lambda stage: _("Where circle and contour just touch."),
    board=preset("overlapping", size=24, noise=0.3, seed=1, value=0.1),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED, NONZERO_W),
    draw=draw,
    numbers=numbers,
    picks=(Pick("valley", N_("The view"), tuple(VIEWS), "terms", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("C = 0.01"), set_machine(face="C", value=0.01)),
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("C = 100"), set_machine(face="C", value=100.0)),
    ),
    shows=("S4", "S13", "S14"),
)
