"""A kink and its slopes: which lines touch the hinge from below, and which of them the optimum chooses (L3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.losses.kink_chart import F, balance, hinge_and_line
from svmlab.lab.lessons.losses.subgradients import above, hinge, optimal_slopes, residual, slopes
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import dial, line_strokes, place, reading, select_point, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

VIEWS = {"one": N_("one point"), "all": N_("all, at the optimum")}
START, STEEP, RISING, BESIDE = -0.5, -1.05, 0.05, 0.4  # slopes and t = y f: for the class + as they are, for - mirrored
STEEPEST, FARTHEST = 1.5, 2.5  # how far the dials go
WIDE = 0.045  # radius of the ring, in the half of the board


def row(stage: Stage) -> int:
    """The point whose hinge is drawn: the selected one, else the first free support vector, else the first of the
    points.
    """
    if stage.selected_row is not None:
        return stage.selected_row
    free = np.flatnonzero(stage.solution.free)
    return int(free[0]) if len(free) else 0


def label(stage: Stage) -> float:
    """Its class."""
    return float(stage.data.y[row(stage)])


def keys(y: float) -> tuple[str, str]:
    """The dials of the slope and of f0: each class has its own."""
    return ("slopeP", "kinkP") if y > 0 else ("slopeN", "kinkN")


def line(stage: Stage) -> tuple[float, float]:
    """Slope and f0 of the line."""
    y = label(stage)
    slope, f0 = keys(y)
    found = stage.dial(slope, START * y), stage.dial(f0, y)
    return min(max(found[0], -STEEPEST), STEEPEST), min(max(found[1], -FARTHEST), FARTHEST)


def allowed(stage: Stage) -> str:
    """The slopes that stay below, to read."""
    lo, hi = slopes(label(stage), line(stage)[1])
    return short(lo) if lo == hi else f"[{short(lo)}, {short(hi)}]"


def draw(stage: Stage) -> Data:
    """The two dials, the places of the board where f is f0, and a ring round the point; for all points the dial of
    C.
    """
    if not stage.shown or stage.pick("touch") == "all":
        return {"slack": []}
    y, (slope, f0), half, solution = label(stage), line(stage), stage.lab.view, stage.solution
    first, second = keys(y)
    ring = [*stage.data.X[row(stage)].tolist(), WIDE * half]
    items = [stroke(np.array(ring), "accent", "disc")]
    if solution.w is not None and solution.norm_w > 0:
        items += line_strokes(Line(solution.w, solution.b - f0), half, "accent dashed")
    return {
        "slack": [],
        "overlay": items,
        "sliders": [
            dial(first, _("The slope of the line"), _("slope"), slope, -STEEPEST, STEEPEST, 0.05),
            dial(second, _("The f at which the line touches the hinge"), "f₀", f0, -FARTHEST, FARTHEST, 0.1),
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """What the line is and how far it rises above the curve; for all points, what their slopes add up to."""
    if not stage.shown:
        return ()
    if stage.pick("touch") == "all":
        s, plus, w = optimal_slopes(stage.solution), stage.data.y > 0, stage.solution.w
        assert w is not None
        pull = -stage.lab.C * (s @ stage.data.X)
        return [
            reading(_("slopes of +"), float(s[plus].sum())),
            reading(_("of −"), float(s[~plus].sum())),
            Reading("w", place(w), str(w)),
            Reading("−C Σ s x", place(pull), str(pull)),
        ]
    y, (slope, f0) = label(stage), line(stage)
    over = above(y, f0, slope, F)
    return [
        reading(_("slope"), slope),
        reading("f₀", f0),
        Reading(_("may be"), allowed(stage), allowed(stage)),
        reading(_("above the hinge by"), float(over.max())),
    ]


def chart(stage: Stage) -> Chart:
    """The hinge of the point and the line; or the slopes of all points, a click selects one."""
    data = stage.data
    if stage.pick("touch") == "all":
        s = optimal_slopes(stage.solution)
        return Chart(
            balance(s, stage.solution.margins, data.y, data.ids, stage.lab.selected, stage.palette), select_point
        )
    at, (slope, f0) = row(stage), line(stage)
    words = _("point {id}").format(id=int(data.ids[at]))
    f = float(data.y[at] * stage.solution.margins[at])
    return Chart(hinge_and_line(label(stage), f0, slope, (f, words), stage.palette))


def says(stage: Stage) -> str:
    """How the chart is read."""
    if stage.pick("touch") == "all":
        return _(
            "At the optimum 0 is a subgradient of $F$: points at their kink get just those slopes, dots, at "
            "which all of them balance."
        )
    lo, hi = slopes(label(stage), line(stage)[1])
    if lo == hi:
        return _("Off the kink one line alone stays below: the tangent, dotted. A line is pink where it cuts above.")
    return _("All lines in the pale fan stay below the hinge; pink is where yours is above it. Ringed: the point.")


def formula(stage: Stage) -> str:
    """What a subgradient is, or what the chosen ones add up to."""
    if stage.pick("touch") == "one":
        return r"\ell(f)\ \ge\ \ell(f_0)+s\,(f-f_0) \quad \forall f"
    balanced = r",\quad \textstyle\sum_i s_i=0" if stage.lab.bias else ""
    return r"s_i=-\frac{\alpha_i}{C}\,y_i\!:\quad \lambda w+\tfrac1m\textstyle\sum_i s_i x_i=0" + balanced


def more(stage: Stage) -> Sequence[Part]:
    """Why 0, what remains of it here, the sign that the slides have the other way round, and their case of equality."""
    w, b = residual(stage.solution)
    left, right = (float(hinge(1.0, np.array([f]))[0]) for f in (0.0, 1.0))
    printed, meant = left - 1.0 * (0.0 - 1.0), left - 1.0 * (1.0 - 0.0)
    free = int(np.count_nonzero(stage.solution.free))
    told = (
        _("Here {w} remains of the sum for $w$, and {b} of the sum for $b$.")
        if stage.lab.bias
        else _("Here {w} remains of the sum for $w$; this machine has no $b$, so its sum need not balance.")
    )
    sums = told.format(w=short(float(np.abs(w).max()), noise=ROUNDING), b=short(b, noise=ROUNDING))
    return [
        _(
            "**Why it matters.** Where $F$ is least, the level plane stays below it: 0 is a subgradient. A "
            "subgradient of $F$ is $\\lambda w$ and the mean of $s_i x_i$, "
            "and for $b$ the mean of $s_i$, each $s_i$ taken from its interval. Beyond the margin it must be "
            "0, before it $-y_i$; the {n} points exactly on it are free "
            "to balance the others. These are the multipliers of the dual: $s_i = -y_i\\alpha_i/C$."
        ).format(n=free)
        + " "
        + sums,
        _(
            "**The sign.** Gambosi's slides print $f(x') \\ge f(x) + \\nabla(x)(x - x')$, for $x' - x$. The "
            "hinge of a + point at $x = 0$ has the slope −1; with $x' = 1$ the print says "
            "{right} ≥ {printed}, and with $x' - x$ it is {right} ≥ {meant}. Their interval, from $-t$ to 0 "
            "or from 0 to $-t$, is right."
        ).format(right=short(right), printed=short(printed), meant=short(meant)),
        _(
            "**In $b$.** Of the two cases of their subgradient in $b$ one has ≤ 1 and the other ≥ 1, so that "
            "at the kink it is both $-t$ and 0. They choose 0 there, "
            "as their subgradient in $w$ has it: the first must read < 1."
        ),
    ]


def turned(stage: Stage, **dials: float) -> Op:
    """Moves the line; where all points are in sight, the one point with its line comes first."""
    return set_dials(**dials) if stage.pick("touch") == "one" else set_picks(touch="one")


def outside(stage: Stage) -> Op:
    """A slope just outside at the kink: too steep, and from there just across 0."""
    y = label(stage)
    slope, f0 = keys(y)
    there = line(stage) == (STEEP * y, y)
    return turned(stage, **{slope: (RISING if there else STEEP) * y, f0: y})


def beside(stage: Stage) -> Op:
    """Off the kink, where the point has a loss."""
    y = label(stage)
    return turned(stage, **{keys(y)[1]: BESIDE * y})


def other(stage: Stage) -> Op:
    """A point of the other class: a free support vector where there is one."""
    others = stage.data.y != label(stage)
    free = np.flatnonzero(others & stage.solution.free)
    at = free[0] if len(free) else np.flatnonzero(others)[0]
    return select_point(int(stage.data.ids[at]))


KINK = Step(
    key="kink",
    title=N_("A kink and its slopes"),
    question=N_("At $y f = 1$ the hinge of a point has a kink. Which lines through the kink stay below it?"),
    choices=(
        wrong(
            N_("Only the horizontal one"), N_("It stays below, but so does every line between it and the steep side.")
        ),
        right(N_("All with slope from −1 to 0 (y = +1)")),
        wrong(
            N_("None, it has no tangent"),
            N_("It has no slope of its own there, but many lines touch it from below."),
        ),
    ),
    verdict=lambda stage: _("all with slope from −1 to 0 if y = +1, from 0 to 1 if y = −1."),
    board=preset("overlapping", size=24, noise=0.3, seed=1),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(Pick("touch", N_("Whose slopes"), tuple(VIEWS), "one", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Just outside"), outside),
        Try(N_("Off the kink"), beside),
        Try(N_("Other class"), other),
    ),
    shows=("L3",),
)
