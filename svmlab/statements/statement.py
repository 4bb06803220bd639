"""What a statement of the notes is, and what a check of it says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.errors import SvmError
from svmlab.core.phrase import join_phrases
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.multiclass import Classes, Several
from svmlab.regression import Tube, Values
from svmlab.statements.situation import DoesNotApply, Situation


@dataclass(frozen=True)
class Side:
    """One number of a check: what it is in words, its value, and its LaTeX."""

    name: str
    value: float
    formula: str = ""


@dataclass(frozen=True)
class Reading:
    """One way to read a statement, tried on a board: holds exactly when the residual is within the tolerance."""

    holds: bool
    residual: float
    sides: tuple[Side, ...]
    words: str = ""
    tolerance: float = 0.0


def reading(tol: float, residual: float, *sides: Side, words: str = "") -> Reading:
    """A reading from its residual; nan does not hold."""
    return Reading(bool(residual <= tol), float(residual), sides, words, float(tol))


@dataclass(frozen=True)
class Outcome:
    """What a check computes: the statement as printed, as repaired, a control that should fail, and a remark."""

    printed: Reading | None = None
    repaired: Reading | None = None
    control: Reading | None = None
    note: str = ""


@dataclass(frozen=True)
class Witness:
    """A board, in thousandths within +-8, on which the printed reading (or the control) fails; `words` say what to see.

    task: whether its labels are +1 and -1, classes from 1 on, or not asked, as x2 is the value at x1, in a tube of
    `eps`.
    """

    X: tuple[tuple[float, float], ...]
    y: tuple[int, ...]
    words: str
    kernel: Kernel = Linear()
    C: float = 1.0
    bias: bool = True
    task: Literal["binary", "classes", "values"] = "binary"
    eps: float = 0.0

    @property
    def problem(self) -> Problem:
        """The board as a problem of two classes; of several the first against the others."""
        signs = [1 if label == 1 else -1 for label in self.y]
        return Problem(Dataset(self.X, signs), self.kernel, self.C, self.bias)

    @property
    def situation(self) -> Situation:
        """The board with what its points are."""
        if self.task == "classes":
            return Situation(self.problem, several=Several(Classes(self.X, self.y), self.kernel, self.C, self.bias))
        if self.task == "values":
            values = Values([[x] for x, _y in self.X], [y for _x, y in self.X])
            return Situation(self.problem, tube=Tube(values, self.kernel, self.C, self.eps, self.bias))
        return Situation(self.problem)


@dataclass(frozen=True)
class Verdict:
    """The answer of a check on one board.

    tolerance: the statement's, or round-off's where the multipliers are so large that it is more.
    applies: whether its conditions are met; if not, `why` says what is missing and what to change, and the readings are
    None. printed: the statement as the notes print it. repaired: as it should read (None where nothing is to repair).
    control: a neighbouring claim that is false in general. note: on what the check was made.
    """

    id: str
    tolerance: float
    applies: bool
    why: str = ""
    printed: Reading | None = None
    repaired: Reading | None = None
    control: Reading | None = None
    note: str = ""
    witness: Witness | None = None

    @property
    def reading(self) -> Reading | None:
        """The reading that stands: the repaired one where there is one."""
        return self.repaired or self.printed

    @property
    def holds(self) -> bool | None:
        """Whether that reading holds on this board; None where it does not apply."""
        return self.reading.holds if self.reading else None

    @property
    def sides(self) -> tuple[Side, ...]:
        """Its numbers."""
        return self.reading.sides if self.reading else ()

    @property
    def residual(self) -> float:
        """How far its two sides are apart; nan where it does not apply."""
        return self.reading.residual if self.reading else float("nan")


Degree = Literal["right", "hedged", "misprint", "incomplete", "false"]
DEGREES: tuple[Degree, ...] = get_args(Degree)  # from the best to the worst


@dataclass(frozen=True)
class Source:
    """What one of the notes says, and how right that is.

    notes: their letter in NOTES. place: where in them. quote: the line itself, word for word in its language, its
    formulas in TeX; "…" where something is left out. flaw: what is wrong with it, in a sentence; empty where it is
    right. at: how far into the notes it stands, in hundredths of their length; said where it is not right, to list it
    in their order.

    right. hedged: said with a reservation that it needs. misprint: a slip in a sign, a letter or a word, what is meant
    is right. incomplete: right once a condition, a case or a unit is added. false: wrong as it stands.
    """

    notes: str
    place: str
    degree: Degree = "right"
    quote: str = ""
    flaw: str = ""
    at: int = 0


Page = Literal["margin", "duality", "soft", "losses", "pegasos", "kernels", "generalisation", "extensions"]
Machine = Literal["board", "hard", "soft", "points", "several", "tube"]
Check = Callable[[Situation, float], Outcome]


@dataclass(frozen=True)
class Statement:
    """One statement of the notes: its words, its formula, where it stands, whether it is right, and its check.

    repair: how it should read, where a note says it so that it can be tried and fails. conditions: when it is true.
    machine: which one is checked: the one on the board, the hard or the soft margin of the same points, the points
    alone, one against the rest, or the tube. tolerance: how far the two sides of the check may be apart. witness: a
    board on which the printed reading fails (for a statement that holds: on which its control fails). That the classes
    cost the same is a condition of every statement.
    """

    id: str
    title: str
    sentence: str
    formula: str
    source: tuple[Source, ...]
    repair: str | None
    conditions: str
    tolerance: float
    page: Page
    machine: Machine
    witness: Witness | None
    compute: Check = field(repr=False)

    @property
    def verdict(self) -> Degree:
        """How right the least right of its sources is."""
        return max((source.degree for source in self.source), key=DEGREES.index)

    def check(self, situation: Situation) -> Verdict:
        """Try the statement on a board. Never raises an SvmError: what stands in the way becomes `why`."""
        tol = self.tolerance
        try:
            with np.errstate(all="ignore"):  # what overflows becomes nan, and nan does not hold
                _need_even(situation.problem)
                _need_two(situation, self.machine)
                tol = situation.tolerance(self.machine, tol)
                found = self.compute(situation, tol)
                stands = found.repaired or found.printed
                if stands and not stands.holds:
                    situation.need_resolved(self.read(situation), stands.residual, tol)
        except SvmError as reason:
            return Verdict(self.id, tol, False, reason.message, witness=self.witness)
        note = join_phrases(found.note, situation.which_machine(self.machine))
        return Verdict(self.id, tol, True, "", found.printed, found.repaired, found.control, note, self.witness)

    def read(self, situation: Situation) -> set[str]:
        """The names of what the check asks a Situation for on this board."""
        fresh = situation.fresh
        with suppress(SvmError):  # what was read before it counts
            self.compute(fresh, self.tolerance)
        return set(vars(fresh)) | ({f"{self.machine}_solution"} & {"soft_solution", "hard_solution"})


def _need_even(problem: Problem) -> None:
    """One C for all points, as everywhere in the notes."""
    if problem.weights is not None and not problem.even:
        raise DoesNotApply("The notes know one C for all points; here points have weights. Leave the weights out.")
    if not problem.even:
        raise DoesNotApply(
            "The notes know one C for all points; here a point of class +1 costs {plus:.4g} C and one of "
            "class −1 {minus:.4g} C. "
            "Set both costs to 1.",
            **dict(zip(("plus", "minus"), problem.costs, strict=True)),
        )


def _need_two(situation: Situation, machine: Machine) -> None:
    """Points of two classes, but for what is about several or about values."""
    if machine in ("several", "tube"):
        return
    if situation.several is not None:
        raise DoesNotApply(
            "This is about two classes, and these points are of several. Take points of classes +1 and −1."
        )
    if situation.tube is not None:
        raise DoesNotApply("This is about two classes, and these points have values. Take points of classes +1 and −1.")


def statement(
    id: str,
    title: str,
    *,
    sentence: str,
    formula: str,
    source: tuple[Source, ...],
    conditions: str,
    tolerance: float,
    page: Page,
    machine: Machine,
    repair: str | None = None,
    witness: Witness | None = None,
) -> Callable[[Check], Statement]:
    """Make the function below a Statement: the words stand above the mathematics that checks them."""

    def wrap(compute: Check) -> Statement:
        return Statement(
            id,
            title,
            sentence,
            formula,
            source,
            repair,
            conditions,
            tolerance,
            page,
            machine,
            witness,
            compute,
        )

    return wrap
