"""Points on the margin: candidates, and several optimal alphas of one machine (H10, H12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from svmlab import BadInput
from svmlab.core.arrays import Array, Mask
from svmlab.lab.lessons.duality.multipliers import Multipliers, multipliers
from svmlab.lab.lessons.duality.weights_chart import weights
from svmlab.lab.session.state import Point
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import dial, reading, select_point
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _

FIVE = board_of_points(  # five points on the margin of w = (1, 0), b = 0, five beyond
    (
        (1, 0, 1),
        (1, 2, 1),
        (2.5, -1, 1),
        (3, 1, 1),
        (2, 2.6, 1),
        (-1, 1.5, -1),
        (-1, 0, -1),
        (-1, -1.5, -1),
        (-2.5, 1, -1),
        (-3, -1, -1),
    ),
    hard=True,
)
KINDS = {
    "sure": N_("needed in every optimum"),
    "may": N_("may go, may stay"),
    "idle": N_("only a candidate: 0 in every optimum"),
}


def listed(stage: Stage) -> Multipliers | None:
    """All corners of the optimal alphas; None where there are too many to list."""

    def make() -> Multipliers | None:
        try:
            return multipliers(stage.solution)
        except BadInput:
            return None

    return stage.cached("corners", make)


def corners(stage: Stage) -> Multipliers:
    """The same where the need LISTED is met."""
    found = listed(stage)
    assert found is not None, "this step needs LISTED"
    return found


LISTED = Need(
    lambda stage: listed(stage) is not None,
    N_("Too many points lie on the margin here to list what they may weigh."),
    {},
)
CANDIDATE = Need(
    lambda stage: bool((corners(stage).margin & (corners(stage).low == 0)).any()),
    N_("Every point on the margin has α > 0 here, whichever optimum is taken."),
    {},
)


def kinds(found: Multipliers) -> Mapping[str, Mask]:
    """The points on the margin by what they carry: rows that every, some, or no optimal alpha needs."""
    return {
        "sure": found.low > 0,
        "may": (found.low == 0) & (found.high > 0),
        "idle": found.margin & (found.high == 0),
    }


def mixture(stage: Stage) -> Array:
    """The optimal alpha on the board, shape (m,): from the first corner to the one that is furthest from it."""
    found, t = corners(stage).corners, stage.dial("mix", 0.0)
    far = found[int(np.abs(found - found[0]).sum(1).argmax())]
    return np.asarray((1.0 - t) * found[0] + t * far)


def draw(stage: Stage) -> Data:
    """Points filled by the optimal alpha that is chosen; the line does not ask which."""
    if not stage.shown:
        return {"message": None}
    alpha, top = mixture(stage), float(corners(stage).high.max(initial=0.0)) or 1.0
    look = {
        "fill": np.round(alpha / top, 3).tolist(),
        "state": ["free" if v > 1e-9 * top else "none" for v in alpha],
        "cat": [c.value for c in stage.solution.categories],
        "wrong": [False] * len(alpha),
    }
    title = _("From one optimal α to another")
    return {
        "message": None,
        "marks": look,
        "sliders": [dial("mix", title, _("mix"), stage.dial("mix", 0.0), 0.0, 1.0, 0.02)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The norm of w that this alpha makes, the same for each, and how many corners there are."""
    if not stage.shown:
        return ()
    problem = stage.lab.problem
    signed = mixture(stage) * problem.data.y
    return [
        reading(_("on the margin"), float(corners(stage).margin.sum())),
        reading(_("corner solutions"), float(len(corners(stage).corners))),
        reading("Σ α", float(mixture(stage).sum())),
        reading("|w|", float(np.sqrt(signed @ problem.gram @ signed))),
    ]


def chart(stage: Stage) -> Chart:
    """The alpha on the board, a bar for each point on the margin, and what it may be."""
    found, data = corners(stage), stage.data
    rows = np.flatnonzero(found.margin)
    figure = weights(mixture(stage), found.low, found.high, data.y, data.ids, rows, stage.lab.selected, stage.palette)
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """How many optimal alphas there are."""
    n = len(corners(stage).corners)
    if n > 1:
        return _(
            "All mixtures of {n} corner solutions are optimal, and all make the same line. Being on the "
            "margin only makes a "
            "point a **candidate**."
        ).format(n=n)
    return _("On this board α is unique, and yet a point on the margin is left out: it is only a **candidate**.")


def more(stage: Stage) -> Sequence[Part]:
    """Each point on the margin, and what it weighs at least and at most."""
    found, data = corners(stage), stage.data
    named = kinds(found)
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [
                number(float(stage.solution.alpha[i])),
                number(float(found.low[i])),
                number(float(found.high[i])),
                words(_(next(KINDS[name] for name, on in named.items() if on[i]))),
            ],
            stage.lab.selected,
        )
        for i in np.flatnonzero(found.margin)
    ]
    return [
        _(
            "The Italian notes on SVM without bias and Pegasos take the two for one. $w$ and $b$ are unique "
            "whichever solver, "
            "order or copies of points; $\\alpha$ need not be: a point and its copy share one weight in any "
            "way. Elsewhere the board shows the α of least norm."
        ),
        Table(table(head(_("least norm"), _("least α"), _("largest α"), ""), body)),
    ]


def copied(stage: Stage) -> Op:
    """The board with the heaviest point of the margin once more in its place: its weight may be shared in any way."""
    lab, heaviest = stage.lab, stage.lab.points[int(stage.solution.alpha.argmax())]
    twin = Point(max(p.id for p in lab.points) + 1, heaviest.x, heaviest.y, heaviest.label)
    return {"op": "load", "lab": replace(lab, points=(*lab.points, twin))}


WEIGHTS = Step(
    key="weights",
    title=N_("On the margin"),
    question=N_(
        "A point lies exactly on its margin line. Is it a support vector, that is, has it a positive multiplier?"
    ),
    choices=(
        wrong(N_("Yes, always"), N_("α > 0 puts a point on the margin, but being there does not make α positive.")),
        right(N_("It may have α = 0")),
        wrong(N_("No, never"), N_("Some point of each class on the margin must carry weight, or w would be 0.")),
    ),
    board=FIVE,
    needs=(BOTH_CLASSES, PRODUCT, HARD, SEPARABLE, LISTED, CANDIDATE),
    draw=draw,
    play=lambda stage: {"key": "mix", "op": "dial", "from": 0.0, "to": 1.0, "ms": 2000},
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"\alpha_i>0\;\Rightarrow\;y_if(x_i)=1,\qquad\text{not conversely}",
    more=more,
    tries=(
        Try(N_("Copy a point"), copied),
        Try(N_("One idle point"), board=preset("idle_margin", hard=True)),
        Try(N_("Four corners"), board=preset("four_corners", hard=True)),
    ),
    shows=("H10", "H12"),
)
