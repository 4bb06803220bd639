"""What slack costs: norm, slack and errors along the price C, and w = 0 where there is none (S11, S13, S17)."""

from __future__ import annotations

from collections.abc import Sequence

from svmlab.lab.lessons.soft import price_chart
from svmlab.lab.lessons.soft.walk import breakpoints, play_C, sampled_path, sampled_path_or_none
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

VIEWS = {"over": N_("over C"), "front": N_("one for the other"), "counts": N_("counts"), "errors": N_("errors for ξ")}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What is paid for at the present C."""
    solution = stage.solution
    errors = int((solution.margins < -solution.floor).sum())
    return [
        reading("C", solution.problem.C),
        reading("|w|", solution.norm_w),
        reading("Σ ξ", float(solution.xi.sum())),
        reading(_("errors"), str(errors)),
    ]


def chart(stage: Stage) -> Chart:
    """What is traded along C."""
    found, solution, view = sampled_path(stage).samples, stage.solution, stage.pick("trade")
    if view == "over":
        return Chart(price_chart.shares(found, solution.problem.C, stage.palette))
    if view == "front":
        here = solution.norm_w, float(solution.xi.sum())
        return Chart(price_chart.front(found, here, float(stage.data.m), stage.palette))
    if view == "errors":
        return Chart(price_chart.shrunk(solution.norm_w, solution.margins, stage.palette))
    return Chart(price_chart.counts(found, solution.problem.C, stage.palette))


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("trade") == "errors":
        return _(
            "If **errors** were paid for in place of ξ, a shorter (w, b) would err no more: there is no "
            "shortest. At 0 all points err."
        )
    if stage.pick("trade") == "front":
        return _("Nothing lies below this line: no w as short has less slack, none with as little slack is shorter.")
    return _("As C grows, |w| never falls and Σ ξ never rises; between the marks on the slider w moves straight.")


def more(stage: Stage) -> Sequence[Part]:
    """Breakpoints, and where the notes stand."""
    known = sampled_path_or_none(stage)
    told = _("On the way over all C the optimum of this board passes {breaks} breakpoints.")
    return [
        _(
            "With $w = 0$ and every $\\xi_i = 1$ all constraints $y_i f(x_i) \\ge 1 - \\xi_i$ are met, at "
            "the value 0. The "
            "price brings the points back in."
        ),
        *([told.format(breaks=len(known.path.C))] if known else []),
        *([_(known.path.ends)] if known and known.path.ends else []),
        _(
            "The Italian notes on half-spaces and hinge first write $\\min \\|w\\|^2$ under "
            "$y_i\\langle w, x_i\\rangle \\ge 1 - \\xi_i$ without any price. Then $w = 0$ with every $\\xi_i = 1$ is a "
            "solution: nothing is learnt. They add the mean slack to the objective right after."
        ),
        _(
            "The Chinese notes after H.-T. Lin read the trade both ways: least norm at a given mean hinge "
            "loss, or least "
            "loss within a given norm. Both trace the same machines, one for each C. With the number of "
            "errors in place of the hinge the least norm "
            "is not reached: $(w, b)$ and $(cw, cb)$ have the same errors for every $c > 0$, and only the "
            "limit 0 has more."
        ),
    ]


PRICE = Step(
    key="price",
    title=N_("What slack costs"),
    question=N_(
        "Slack ξᵢ ≥ 0 lets a point fall short of its margin line. If it cost nothing, what would minimise ½|w|²?"
    ),
    choices=(
        wrong(
            N_("The widest margin that still separates"),
            N_("That is where a price without end leads. Free slack need not separate anything."),
        ),
        right(N_("w = 0, with slack 1 at every point")),
        wrong(N_("The one with the fewest errors"), N_("Nobody counts errors here: only ½|w|² would be left to pay.")),
    ),
    verdict=lambda stage: _("w = 0, and nothing is learnt."),
    board=preset("overlapping", size=24, noise=0.3, seed=2),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    draw=breakpoints,
    play=lambda stage: play_C(stage, stage.lab.C, 0.003),
    numbers=numbers,
    picks=(Pick("trade", N_("The trade"), tuple(VIEWS), "over", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\min_{w,b,\xi}\ \tfrac12\|w\|^2 + C\sum_i\xi_i \quad\ y_i f(x_i)\ge 1-\xi_i,\ \ \xi_i\ge 0",
    more=more,
    tries=(
        Try(N_("C = 0.001"), set_machine(face="C", value=0.001)),
        Try(N_("C = 1000"), set_machine(face="C", value=1000.0)),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.7)),
    ),
    shows=("S11", "S13", "S17"),
)
