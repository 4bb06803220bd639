"""A statement of the notes, and the result of its check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.errors import SvmError
from svmlab.core.phrase import join_phrases
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.regression import Tube, Values
from svmlab.statements.examples.of_statements import error_on_examples
from svmlab.statements.situation import DoesNotApply, Situation


@dataclass(frozen=True)
class Side:
    """One number of a check: its name in words, its value, and its LaTeX."""

    name: str
    value: float
    formula: str = ""


@dataclass(frozen=True)
class Reading:
    """One reading of a statement on a board. It holds if and only if the residual is within the tolerance."""

    holds: bool
    residual: float
    sides: tuple[Side, ...]
    words: str = ""
    tolerance: float = 0.0


def reading(tol: float, residual: float, *sides: Side, words: str = "") -> Reading:
    """Return a reading from its residual. With nan it does not hold."""
    return Reading(bool(residual <= tol), float(residual), sides, words, float(tol))


@dataclass(frozen=True)
class Outcome:
    """The readings of a check: the statement as the notes print it, as corrected, and a control that should fail.

    note: a remark on what was checked.
    """

    printed: Reading | None = None
    repaired: Reading | None = None
    control: Reading | None = None
    note: str = ""


@dataclass(frozen=True)
class Witness:
    """A board on which the printed reading (or the control) fails, and words that say what to see.

    X, y: its points, in multiples of 1/1000 between -8 and 8, and its labels. task: whether its labels are +1 and -1,
    or classes from 1, or unused. In the last case x2 is the value at x1, with a tube of half width `eps`.
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
        """Return the board as a problem of two classes. With several classes it separates the first from all others."""
        signs = [1 if label == 1 else -1 for label in self.y]
        return Problem(Dataset(self.X, signs), self.kernel, self.C, self.bias)

    @property
    def situation(self) -> Situation:
        """Return the situation of the board, for its task."""
        if self.task == "classes":
            return Situation(
                self.problem, several=MulticlassProblem(Classes(self.X, self.y), self.kernel, self.C, self.bias)
            )
        if self.task == "values":
            values = Values([[x] for x, _y in self.X], [y for _x, y in self.X])
            return Situation(self.problem, tube=Tube(values, self.kernel, self.C, self.eps, self.bias))
        return Situation(self.problem)


@dataclass(frozen=True)
class Verdict:
    """The result of a check on one board.

    tolerance: that of the statement, or the round-off if the multipliers are so large that it exceeds this. applies:
    whether the conditions are met. If not, `why` says what is missing and what to change, and the readings are None.
    printed: the statement as the notes print it. repaired: how it should read (None if nothing needs a repair).
    control: a neighbouring claim that is false in general. note: what the check was made on.
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
        """Return the valid reading: the repaired one if there is one, else the printed one."""
        return self.repaired or self.printed

    @property
    def holds(self) -> bool | None:
        """Return whether that reading holds on this board, or None if the statement does not apply."""
        return self.reading.holds if self.reading else None

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the numbers of that reading."""
        return self.reading.sides if self.reading else ()

    @property
    def residual(self) -> float:
        """Return the difference of its two sides, or nan if the statement does not apply."""
        return self.reading.residual if self.reading else float("nan")


Degree = Literal["right", "hedged", "misprint", "incomplete", "false"]
DEGREES: tuple[Degree, ...] = get_args(Degree)  # from the best to the worst


@dataclass(frozen=True)
class Source:
    """What one of the notes states, and to what degree it is right.

    notes: their letter in NOTES. place: where in the notes. quote: the line itself, word for word in its language,
    with its formulas in TeX; "…" marks an omission. flaw: what is wrong with it, in a sentence; empty if it is right.
    at: its position in the notes, in hundredths of their length; given if the line is not right, to list such lines
    in order.

    The rule for the degrees stands in docs/statements.md.
    """

    notes: str
    place: str
    degree: Degree = "right"
    quote: str = ""
    flaw: str = ""
    at: int = 0


Page = Literal["margin", "duality", "soft", "losses", "pegasos", "kernels", "generalisation", "extensions"]
Subject = Literal["board", "hard", "soft", "points", "several", "tube"]
Check = Callable[[Situation, float], Outcome]


@dataclass(frozen=True)
class Statement:
    """One statement of the notes: its words, its formula, its sources, whether it is right, and its check.

    repair: how it should read, if a note states it in a way that can be checked and fails. conditions: when it is
    true. subject: what is checked: the SVM on the board, the hard or the soft margin of the same points, the points
    alone, one-vs-rest, or the tube. tolerance: how much the two sides of the check may differ. witness: a board on
    which the printed reading fails (for a statement that holds: on which its control fails). Equal class costs are a
    condition of every statement.
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
    subject: Subject
    witness: Witness | None
    compute: Check = field(repr=False)

    @property
    def worst_degree(self) -> Degree:
        """Return the degree of the least right of its sources."""
        return max((source.degree for source in self.source), key=DEGREES.index)

    def check(self, situation: Situation) -> Verdict:
        """Check the statement on a board. It never raises an SvmError, whose message becomes `why` instead.

        It does not hold on any board if the library is wrong on one of the statement's fixed examples.
        """
        tol, off = self.tolerance, error_on_examples(self.id)
        try:
            with np.errstate(all="ignore"):  # an overflow becomes nan, and nan does not hold
                _need_equal_costs(situation.problem)
                _need_two_classes(situation, self.subject)
                tol = situation.tolerance(self.subject, tol)
                outcome = self.compute(situation, tol)
                valid_reading = outcome.repaired or outcome.printed
                if valid_reading and not valid_reading.holds:
                    situation.need_resolved(self.read(situation), valid_reading.residual, tol)
        except SvmError as reason:
            if off == 0:
                return Verdict(self.id, tol, False, reason.message, witness=self.witness)
            outcome = Outcome()
        except Exception:
            if off == 0:
                raise
            outcome = Outcome()
        outcome = _with_examples(outcome, off, repaired=self.repair is not None)
        note = join_phrases(outcome.note, situation.note_on_subject(self.subject))
        return Verdict(self.id, tol, True, "", outcome.printed, outcome.repaired, outcome.control, note, self.witness)

    def read(self, situation: Situation) -> set[str]:
        """Return the names of the attributes of a Situation that the check reads on this board."""
        fresh = situation.fresh
        with suppress(SvmError):  # everything read before the error counts
            self.compute(fresh, self.tolerance)
        return set(vars(fresh)) | ({f"{self.subject}_solution"} & {"soft_solution", "hard_solution"})


def _with_examples(outcome: Outcome, off: float, repaired: bool) -> Outcome:
    """Return the outcome with a valid reading that does not hold if the library is wrong on an example.

    off: the largest difference on the examples, 0 if there is none. repaired: whether the valid reading is a repaired
    one. An outcome without a reading gets one.
    """
    if off == 0:
        return outcome
    standing = outcome.repaired or outcome.printed or Reading(False, off, ())
    sides = (*standing.sides, Side("largest difference on the fixed examples", off))
    wrong = replace(standing, holds=False, residual=max(standing.residual, off), sides=sides)
    return replace(outcome, repaired=wrong) if outcome.repaired or repaired else replace(outcome, printed=wrong)


def _need_equal_costs(problem: Problem) -> None:
    """Raise DoesNotApply if the points do not all have the same C, as they do everywhere in the notes."""
    if problem.weights is not None and not problem.has_equal_costs:
        raise DoesNotApply(
            "The lecture notes use one C for all points, but the points here have weights. Remove the weights."
        )
    if not problem.has_equal_costs:
        raise DoesNotApply(
            "The lecture notes use one C for all points. The class costs here are {plus:.4g} for class +1 "
            "and {minus:.4g} for class −1. Set both costs to 1.",
            **dict(zip(("plus", "minus"), problem.costs, strict=True)),
        )


def _need_two_classes(situation: Situation, subject: Subject) -> None:
    """Raise DoesNotApply if a statement about two classes meets points of several classes or of values."""
    if subject in ("several", "tube"):
        return
    if situation.several is not None:
        raise DoesNotApply(
            "This statement is about two classes, but the points here belong to several. Use points of the "
            "classes +1 and −1."
        )
    if situation.tube is not None:
        raise DoesNotApply(
            "This statement is about two classes, but the points here have real values. Use points of the "
            "classes +1 and −1."
        )


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
    subject: Subject,
    repair: str | None = None,
    witness: Witness | None = None,
) -> Callable[[Check], Statement]:
    """Make the function below a Statement, so that the words stand above the mathematics that checks them."""

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
            subject,
            witness,
            compute,
        )

    return wrap
