"""A tube in place of a street: values told from x1, and points that are felt only outside the tube (X2)."""

from __future__ import annotations

from collections.abc import Sequence

from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED, values
from svmlab.lab.teach.needs import PRODUCT, SOFT
from svmlab.lab.teach.overlay import read
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Reading, Step
from svmlab.lab.words import N_, _


def numbers(stage: Stage) -> Sequence[Reading]:
    """What the program weighs."""
    if not stage.shown:
        return ()
    fit = stage.fit
    return [
        read("|w|", fit.norm_w),
        read("Σ (ξ + ξ*)", float((fit.xi + fit.xi_star).sum())),
        read(_("support vectors"), float(fit.support.sum())),
    ]


TUBE = Step(
    key="tube",
    title=N_("A tube"),
    question=N_("Now x₂ is a value to be told from x₁ by a line. Which points does the line not feel?"),
    choices=(
        Choice(N_("Those on the line"), N_("They are inside the tube, but so are others.")),
        Choice(N_("Those inside the tube")),
        Choice(N_("Those far out"), N_("They are felt most: each pays its slack.")),
    ),
    answer=lambda stage: 1,
    always=True,
    board=values(
        [
            (-3, -1.6),
            (-2.4, -1.1),
            (-1.8, -1.2),
            (-1.1, 0.2),
            (-0.4, 0.1),
            (0.3, 0.9),
            (0.9, 0.5),
            (1.7, 1.9),
            (2.3, 1.4),
            (3, 2.6),
        ],
        eps=0.4,
        value=10.0,
    ),
    needs=(OF_VALUES, SOFT, PRODUCT, SOLVED),
    numbers=numbers,
    shows=(),
)
