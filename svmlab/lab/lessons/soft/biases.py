"""Three treatments of the bias b: free, penalised as a component of w, and none (S16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab import Solution
from svmlab.lab.lessons.soft.carriers import with_closest_b
from svmlab.lab.lessons.soft.variants import biases
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.session.lab import Lab, smallest_view
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Measure, Op, Part, Step, Table, Try
from svmlab.lab.words import N_, _, bias

LINES = {"free": "accent", "penalised": "witness-line", "none": "witness-line dashed"}
NAMES = {"free": N_("free"), "penalised": N_("penalised"), "none": N_("no bias")}
SAME = 1e-6  # f may differ by this, relative to its largest value, and still count as one classifier
GRID = 7  # points on each side of the grid on which two classifiers are compared


def treatments(stage: Stage) -> dict[str, Solution]:
    """Return the three solutions."""
    return stage.cached("biases", lambda: biases(stage.lab.problem))


def draw(stage: Stage) -> Data:
    """Return the three boundaries."""
    slow = not stage.lab.kernel_function.is_linear or len(stage.lab.points) > 100
    if not stage.shown or (stage.moving and slow):
        return {}
    drawn = [boundary_strokes(stage, name, treatments(stage)[name], style) for name, style in LINES.items()]
    return {"overlay": [line for lines in drawn for line in lines]}


def minima(stage: Stage) -> dict[str, float]:
    """Return the minimum of each of the three objectives."""
    C = stage.lab.C
    return {
        name: 0.5 * (s.norm_w**2 + (s.b**2 if name == "penalised" else 0.0)) + C * float(s.xi.sum())
        for name, s in treatments(stage).items()
    }


def agree(stage: Stage, one: Solution, other: Solution) -> bool:
    """Return whether f is the same at all points and on a grid over the board.

    The points alone do not decide it, because different lines can have equal values of f there.
    """
    side = np.linspace(-stage.lab.view, stage.lab.view, GRID)
    X = np.vstack([stage.data.X, np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)])
    first, second = one.decision(X), other.decision(X)
    return float(np.abs(first - second).max()) < SAME * max(1.0, float(np.abs(first).max()))


def biases_of(stage: Stage) -> dict[str, float]:
    """Return the b of each treatment, the free one equal to another one where it can be."""
    free, penalised, none = (treatments(stage)[name] for name in ("free", "penalised", "none"))
    for other in (penalised, none):
        if agree(stage, with_closest_b(free, other.b), other):
            free = with_closest_b(free, other.b)
    return {"free": bias(free.b), "penalised": bias(penalised.b)}


def different(stage: Stage) -> int:
    """Return how many of the three classifiers differ. A free b that is not unique takes the b of another if it can."""
    free, penalised, none = (treatments(stage)[name] for name in ("free", "penalised", "none"))
    pairs = ((with_closest_b(free, penalised.b), penalised), (with_closest_b(free, none.b), none), (penalised, none))
    alike = sum(agree(stage, one, other) for one, other in pairs)
    return 3 - min(alike, 2)


def answer(stage: Stage) -> int:
    """Return the index of the choice with this number of classifiers."""
    return different(stage) - 1


def verdict(stage: Stage) -> str:
    """Return how many classifiers there are, with the optimal b of each problem."""
    words = {
        1: _("One (all three agree). On this board, neither the penalty nor the restriction b = 0 changes f."),
        2: _(
            "Two (two of the three agree). The optimal b is {free} if it is free, {penalised} with a penalty and 0 "
            "with no bias."
        ),
        3: _(
            "Three (all three differ). The optimal b is {free} if it is free, {penalised} with a penalty and 0 "
            "with no bias."
        ),
    }[different(stage)]
    return words.format(**{name: short(b, 3, 1e-7) for name, b in biases_of(stage).items()})


def chart(stage: Stage) -> Table:
    """Return a table of the three solutions."""
    values = minima(stage)
    rows = (
        table.named_row(
            _(NAMES[name]),
            [
                table.swatch(LINES[name]),
                table.number(values[name], 4),
                table.number(s.norm_w, 4),
                table.number(bias(s.b), 4, noise=1e-7) if name != "none" else table.words("0", ""),
            ],
        )
        for name, s in treatments(stage).items()
    )
    return Table(table.table(table.head("", _("minimum"), "‖w‖", "b", first=_("bias")), rows))


def moved(lab: Lab, dx: int, dy: int) -> Lab:
    """Return the board with all points shifted by thousandths, as far as the board goes."""
    xs, ys = [p.x for p in lab.points], [p.y for p in lab.points]
    dx, dy = (max(-EDGE - min(v), min(EDGE - max(v), d)) for v, d in ((xs, dx), (ys, dy)))
    points = tuple(p._replace(x=p.x + dx, y=p.y + dy) for p in lab.points)
    return replace(lab, points=points, view=max(lab.view, smallest_view(points)))


def shifted(stage: Stage) -> Op:
    """Shift all points up and to the right."""
    return {"op": "load", "lab": moved(stage.lab, 1500, 1000)}


def centred(stage: Stage) -> Op:
    """Shift the mean of the points to the origin."""
    lab, n = stage.lab, len(stage.lab.points)
    return {"op": "load", "lab": moved(lab, -sum(p.x for p in lab.points) // n, -sum(p.y for p in lab.points) // n)}


def off_centre() -> Lab:
    """Return overlapping clusters whose mean is not the origin."""
    return moved(preset("overlapping", size=24, noise=0.3, seed=2, value=0.1)(), 1000, 700)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof of the order, and which lecture notes use which treatment."""
    return [
        _(
            "**Order of the minima.** $F + \\frac12 b^2$ is at least $F$, so its minimum is at least that of $F$. For "
            "$b = 0$ both objectives are equal, so a minimum over $w$ alone is at least the minimum over $w$ and $b$."
        ),
        _(
            "**What a shift does.** Take the linear kernel. If the bias is free, a shift of all points moves the "
            "boundary by the same vector, and $w$ stays. With a penalised bias or no bias, the distance from the "
            "origin matters. So centre your points before you use a linear SVM without a bias."
        ),
        _(
            "**Lecture notes.** The bias is free in Gambosi's slides, in Gruber's German handout and in the "
            "Chinese notes after H.-T. Lin. The Italian notes on SVM without bias and on Pegasos have none. The "
            "soft SVM of the Italian notes on half-spaces has no separate bias. If the last component of its $w$ "
            "is the bias, then it is penalised. You cannot compare the $w$ of one form with the $w$ of another, "
            "because the problems are different."
        ),
    ]


def says(stage: Stage) -> str:
    """Return what the rows are, and how the minima compare."""
    return _(
        "Each row is one of the three problems, with its line on the board, its minimum, $\\|w\\|$ and $b$. A "
        "restriction or penalty never makes the minimum smaller."
    )


BIASES = Step(
    key="biases",
    title=N_("Free, penalised or no bias"),
    situation=N_(
        "Let $F = \\frac12\\|w\\|^2 + C\\sum_i\\xi_i$. With a **free bias**, you minimise $F$ over $w$ and $b$ "
        "(the line on the board). With a **penalised bias**, you minimise $F + \\frac12 b^2$ over $w$ and $b$. "
        "With **no bias**, $b$ is 0, and you minimise $F$ over $w$ alone."
    ),
    question=N_(
        "With the same points and $C$, how many different classifiers result from a free bias, a penalised bias "
        "and no bias on this board?"
    ),
    choices=(
        Choice(
            N_("One (all three agree)"),
            N_("This is true if b = 0 is optimal for the free bias. On this board, it is not."),
        ),
        Choice(
            N_("Two (two of the three agree)"),
            N_("Two of them can agree while the third differs. On this board, however, this does not happen."),
        ),
        Choice(
            N_("Three (all three differ)"),
            N_("This is the usual case. However, at least two of the three have the same function f here."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=off_centre,
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED),
    deeper=True,
    draw=draw,
    rests_on_answer=lambda stage: different(stage) == 3,
    numbers=(
        Measure("C", lambda stage: stage.lab.C, N_("the factor of the total slack")),
        Measure(N_("mean of x₁"), lambda stage: float(stage.data.X[:, 0].mean()), N_("over all points")),
        Measure(N_("mean of x₂"), lambda stage: float(stage.data.X[:, 1].mean()), N_("over all points")),
    ),
    chart=chart,
    says=says,
    formula=r"\min_{w,b}\,F\ \le\ \min_{w,b}\,\bigl(F+\tfrac12 b^2\bigr)\ \le\ \min_{w,\,b=0}F",
    more=more,
    tries=(
        Try(N_("Shift all points"), shifted),
        Try(N_("Centre points"), centred),
        Try(N_("C = 100"), set_machine(face="C", value=100.0)),
    ),
    shows=("S16",),
)
