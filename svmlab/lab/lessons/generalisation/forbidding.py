"""What the step on forbidden labellings looks at: its kernels, the margin that is asked for, and the margins of all
labellings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from svmlab import Gaussian, Linear, Polynomial, Solution
from svmlab.core.arrays import Array
from svmlab.generalisation import labels, margins, reach, swept_margins
from svmlab.kernels.base import Kernel
from svmlab.lab.lessons.generalisation.dichotomies import Kept, hard, kept
from svmlab.lab.numbers import short
from svmlab.lab.teach import small_boards
from svmlab.lab.teach.small_boards import SmallBoard
from svmlab.lab.teach.stage import Report, Stage, Working
from svmlab.lab.words import N_, _

ASKED = 0.45  # the rho/R of the question
FINE = 21  # places of f along each side of a small board
MANY = 48  # small boards at most
ROUNDED = 5e-5  # of a margin: places are whole thousandths, and what is read as met is met
KERNELS: dict[str, tuple[str, Kernel]] = {
    "lines": (N_("Lines"), Linear()),
    "square": (N_("Degree 2"), Polynomial(2)),
    "cube": (N_("Degree 3"), Polynomial(3)),
    "gaussian": (N_("Gaussian"), Gaussian(1.0)),
}


def rho(stage: Stage) -> float:
    """The margin that is asked for, in units of R."""
    return stage.dial("kept", ASKED)


def least(asked: float) -> float:
    """What a margin must be at least where `asked` is asked for, both in units of R."""
    return asked * (1 - ROUNDED)


def kernel(stage: Stage) -> Kernel:
    """The kernel that is picked."""
    return KERNELS[stage.pick("lifted")][1]


def by_directions(stage: Stage) -> Array:
    """The margins that lines have, in units of R, by trying directions."""
    X = stage.data.X
    return stage.cached_for_points("directions", lambda: swept_margins(X) / reach(X))


@dataclass(frozen=True, eq=False)
class Work:
    """By the name of a kernel: the margin of each labelling (2^m,) in units of R, by the solver, and the widest as
    small boards, one for two.
    """

    margins: dict[str, Array]
    kept: dict[str, tuple[tuple[float, SmallBoard], ...]]


def worked(stage: Stage) -> Work:
    """All kernels on these points, measured in the worker."""
    X, half = stage.data.X, small_boards.half_side(stage.data, stage.lab.view)

    def make(report: Report) -> Work:
        found, seen = dict[str, Array](), dict[str, tuple[tuple[float, SmallBoard], ...]]()
        for i, (name, (_name, each)) in enumerate(KERNELS.items()):
            part = partial(_within, report, i / len(KERNELS), 0.5 / len(KERNELS))
            found[name] = margins(X, each, part) / reach(X, each)
            made = kept(X, each, found[name], half, FINE, MANY, partial(part, begun=1.0))
            seen[name] = tuple((one.margin, _small(len(X), one, half)) for one in made)
        return Work(found, seen)

    return stage.background_result(("labellings", X.tobytes(), half), make)


def _small(m: int, one: Kept, half: float) -> SmallBoard:
    y = labels(m)[one.number]
    told = _("{signs} and the opposite: margin {margin} R").format(
        signs=small_boards.signs_of(y), margin=short(one.margin, 3)
    )
    return SmallBoard(one.number, y, told, *small_boards.sides(one.f, half))


def _within(report: Report, start: float, share: float, done: float, begun: float = 0.0) -> None:
    report(start + share * (begun + done))


def known(stage: Stage) -> dict[str, Array]:
    """The margins as far as they are there: those of lines always."""
    try:
        return worked(stage).margins
    except Working:
        return {"lines": by_directions(stage)}


def machine(stage: Stage) -> Solution | None:
    """The hard margin machine of the labels on the board, with the kernel that is picked; None where there is none, or
    one class.
    """
    data, each = stage.data, kernel(stage)
    if not data.both_classes:
        return None
    return stage.cached(f"hard {stage.pick('lifted')}", lambda: hard(data.X, data.y, each))
