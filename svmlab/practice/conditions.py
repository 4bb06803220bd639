"""The conditions of a goal: what a board must fulfil, in words, as JSON, and as a check with its distance.

A condition is a frozen dataclass. `clause` completes the sentence "Make a board on which ...". `check` judges an
`Attempt` and returns a `Finding`. Its fields are checked when it is made, so a condition from a link is either valid or
raises BadInput. A new count or quantity is one line in COUNTS or QUANTITIES. A new kind of condition is one class here,
and CONDITIONS finds it by its `kind`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from svmlab.binary.categories import Category
from svmlab.binary.problem import Problem
from svmlab.binary.separability import separate
from svmlab.binary.solution import Solution
from svmlab.core.errors import BadInput, SvmError, quoted
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.core.rules import Number, WholeNumber
from svmlab.core.validate import validate_fields
from svmlab.kernels.standard import Linear
from svmlab.practice.board import MAX_POINTS, Board, Changes, changes, object_with, solution_of
from svmlab.statements import CATALOGUE, Situation

ROUNDING = 1e-9  # relative; a quantity that differs by less counts as equal
ABOUT = 0.01  # relative; "about 2" is from 1.98 to 2.02


@dataclass(frozen=True, eq=False)
class Attempt:
    """A board that is judged against the board with which the goal starts."""

    start: Board
    problem: Problem
    solved: Solution | None = None  # the solution, if the caller has it already

    @cached_property
    def solution(self) -> Solution | None:
        """Return the solution of the board, or None if it has none."""
        return self.solved or solution_of(self.problem)

    @cached_property
    def changes(self) -> Changes:
        """Return what was changed since the start."""
        return changes(self.start.problem.data, self.problem.data)


@dataclass(frozen=True)
class Finding:
    """The judgement of one condition.

    sentence: how the board stands, with the numbers that say how far it is from the goal. is_rule: whether the
    condition limits what the reader may do, so that it is worth a sentence only if it is broken.
    """

    met: bool
    sentence: str
    is_rule: bool = False


@dataclass(frozen=True, eq=False)
class OneOf:
    """The rule for a name that is a key of `known`."""

    known: Mapping[str, object]

    def __call__(self, field: str, value: object) -> str:
        """Return `value`. Raises BadInput."""
        if isinstance(value, str) and value in self.known:
            return value
        raise BadInput(
            "{field}: {value} is unknown. Use one of {known}.",
            field=field,
            value=quoted(value),
            known=", ".join(self.known),
        )


@dataclass(frozen=True, eq=False)
class SomeOf(OneOf):
    """The rule for a list of different names that are keys of `known`."""

    def __call__(self, field: str, value: object) -> tuple[str, ...]:  # type: ignore[override]
        """Return `value` as a tuple. Raises BadInput."""
        if not isinstance(value, list | tuple) or not value:
            raise BadInput("{field}: {value} is not a list of names.", field=field, value=quoted(value))
        return tuple(dict.fromkeys(OneOf(self.known)(field, name) for name in value))


NO_SOLUTION = Finding(
    False, N_("The SVM has no solution on this board, so this condition cannot be checked. Add or move points.")
)


@dataclass(frozen=True)
class Condition:
    """The base class of all conditions."""

    kind: ClassVar[str]
    is_rule: ClassVar[bool] = False  # whether it limits what one may do, instead of describing the board to reach
    is_quick: ClassVar[bool] = True  # whether it is judged within 50 ms, so that it can follow a drag

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def clause(self) -> str:
        """Return the words after "Make a board on which", or a whole sentence if the condition is a rule."""
        raise NotImplementedError

    def check(self, attempt: Attempt) -> Finding:
        """Judge the board of an attempt."""
        raise NotImplementedError

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the condition as values that JSON knows. `condition_from_json` reads them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"kind": self.kind} | {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}


# ---------------------------------------------------------------- how many


@dataclass(frozen=True)
class Counted:
    """Something that is counted on a board: its words for one and for several, and how it is counted."""

    one: str
    several: str
    of_solution: Callable[[Solution], int] | None = None
    of_points: Callable[[Problem], int] | None = None

    def count(self, attempt: Attempt) -> int | None:
        """Return the number on the board, or None if this needs a solution and there is none."""
        if self.of_points is not None:
            return int(self.of_points(attempt.problem))
        solution = attempt.solution
        return None if solution is None or self.of_solution is None else int(self.of_solution(solution))


def _in_category(*categories: Category) -> Callable[[Solution], int]:
    return lambda solution: sum(category in categories for category in solution.categories)


COUNTS: dict[str, Counted] = {
    "support": Counted(N_("support vector"), N_("support vectors"), lambda s: int(s.support.sum())),
    "free": Counted(
        N_("free support vector (0 < α < C)"), N_("free support vectors (0 < α < C)"), lambda s: int(s.free.sum())
    ),
    "at_bound": Counted(
        N_("support vector with α = C"), N_("support vectors with α = C"), lambda s: int(s.at_bound.sum())
    ),
    "errors": Counted(N_("training error"), N_("training errors"), lambda s: int(s.errors.sum())),
    "violations": Counted(
        N_("point with slack ξ > 0"), N_("points with slack ξ > 0"), lambda s: int((s.xi > s.floor).sum())
    ),
    "inside": Counted(
        N_("correctly classified point inside the margin (0 < y f < 1)"),
        N_("correctly classified points inside the margin (0 < y f < 1)"),
        _in_category(Category.INSIDE),
    ),
    "on_boundary": Counted(
        N_("point on the decision boundary"), N_("points on the decision boundary"), _in_category(Category.ON_LINE)
    ),
    "on_margin": Counted(
        N_("point on the margin lines"),
        N_("points on the margin lines"),
        _in_category(Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL),
    ),
    "idle_on_margin": Counted(
        N_("point on the margin lines with α = 0"),
        N_("points on the margin lines with α = 0"),
        _in_category(Category.MARGIN_IDLE),
    ),
    "outside": Counted(
        N_("point beyond its margin line (y f > 1)"),
        N_("points beyond their margin lines (y f > 1)"),
        _in_category(Category.OUTSIDE),
    ),
    "points": Counted(N_("point"), N_("points"), of_points=lambda p: p.data.m),
    "plus": Counted(N_("point of class +1"), N_("points of class +1"), of_points=lambda p: int((p.data.y > 0).sum())),
    "minus": Counted(N_("point of class −1"), N_("points of class −1"), of_points=lambda p: int((p.data.y < 0).sum())),
}
EXACTLY, AT_LEAST, AT_MOST = "exactly", "at least", "at most"
COUNT_RELATIONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    EXACTLY: (N_("exactly {n}"), lambda count, n: count == n),
    AT_LEAST: (N_("at least {n}"), lambda count, n: count >= n),
    AT_MOST: (N_("at most {n}"), lambda count, n: count <= n),
}


@dataclass(frozen=True)
class Count(Condition):
    """A number of points: Count("support", "exactly", 3). of: a key of COUNTS."""

    kind: ClassVar[str] = "count"
    of: Annotated[str, OneOf(COUNTS)]
    relation: Annotated[str, OneOf(COUNT_RELATIONS)]
    n: Annotated[int, WholeNumber(0, MAX_POINTS)]

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        is_singular = self.n == 1 or (self.n == 0 and self.relation == EXACTLY)
        words = N_("there is {wanted}") if is_singular else N_("there are {wanted}")
        return Phrase(words, wanted=self._amount)

    @property
    def _amount(self) -> Phrase:
        counted = COUNTS[self.of]
        if self.n == 0 and self.relation == EXACTLY:
            return Phrase("no {thing}", thing=counted.one)
        things = counted.one if self.n == 1 else counted.several
        return Phrase("{limit} {things}", limit=self._limit, things=things)

    @property
    def _limit(self) -> Phrase:
        return Phrase(COUNT_RELATIONS[self.relation][0], n=self.n)

    def check(self, attempt: Attempt) -> Finding:
        """Judge the number on the board."""
        counted = COUNTS[self.of]
        count = counted.count(attempt)
        if count is None:
            return NO_SOLUTION
        things = counted.one if count == 1 else counted.several
        says = Phrase("The board has {found} {things}.", found=count, things=things)
        if COUNT_RELATIONS[self.relation][1](count, self.n):
            return Finding(True, says)
        return Finding(False, Phrase("{says} The task asks for {wanted}.", says=says, wanted=self._limit))


# ---------------------------------------------------------------- how large


def _largest_alpha(solution: Solution) -> float:
    return float(solution.alpha.max(initial=0.0))


@dataclass(frozen=True)
class Quantity:
    """A number of a solution: its name, and how it is computed. It may be nan or infinite, which meets no condition."""

    name: str
    value: Callable[[Solution], float]


QUANTITIES: dict[str, Quantity] = {
    "width": Quantity(N_("the margin width 2/‖w‖"), lambda s: 2 / s.norm_w if s.norm_w else math.inf),
    "norm": Quantity(N_("the norm ‖w‖"), lambda s: s.norm_w),
    "bias": Quantity(N_("the bias b"), lambda s: s.b),
    "slack": Quantity(N_("the sum of all slacks ξ"), lambda s: float(s.xi.sum())),
    "largest_slack": Quantity(N_("the largest slack ξ"), lambda s: float(s.xi.max(initial=0.0))),
    "objective": Quantity(N_("the optimal objective value"), lambda s: s.objective),
    "largest_alpha": Quantity(N_("the largest multiplier α"), _largest_alpha),
    "sum_alpha": Quantity(N_("the sum of all multipliers α"), lambda s: float(s.alpha.sum())),
}
QUANTITY_RELATIONS: dict[str, tuple[str, Callable[[float, float], bool]]] = {
    AT_LEAST: (N_("at least {value}"), lambda measured, value: measured >= value - ROUNDING * max(1, abs(value))),
    AT_MOST: (N_("at most {value}"), lambda measured, value: measured <= value + ROUNDING * max(1, abs(value))),
    "about": (
        N_("{value} to within 1 %"),
        lambda measured, value: abs(measured - value) <= ABOUT * abs(value) + ROUNDING,
    ),
}


@dataclass(frozen=True)
class Value(Condition):
    """A number of the solution: Value("width", "at least", 2). of: a key of QUANTITIES."""

    kind: ClassVar[str] = "value"
    of: Annotated[str, OneOf(QUANTITIES)]
    relation: Annotated[str, OneOf(QUANTITY_RELATIONS)]
    value: Annotated[float, Number(minimum=-1e6, maximum=1e6)]

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        return Phrase("{quantity} is {wanted}", quantity=QUANTITIES[self.of].name, wanted=self._wanted(self.value))

    def _wanted(self, value: float) -> Phrase:
        return Phrase(QUANTITY_RELATIONS[self.relation][0], value=_decimal(value))

    def check(self, attempt: Attempt) -> Finding:
        """Judge the number on the board."""
        return self._compare(attempt, self.value)

    def _compare(self, attempt: Attempt, value: float) -> Finding:
        solution, quantity = attempt.solution, QUANTITIES[self.of]
        if solution is None:
            return NO_SOLUTION
        measured = quantity.value(solution)
        if not math.isfinite(measured):
            return Finding(
                False,
                Phrase("On this board {quantity} does not exist, because w = 0.", quantity=quantity.name),
            )
        says = Phrase("On this board {quantity} is {found}.", quantity=quantity.name, found=_decimal(measured))
        if QUANTITY_RELATIONS[self.relation][1](measured, value):
            return Finding(True, says)
        return Finding(False, Phrase("{says} The task asks for {wanted}.", says=says, wanted=self._wanted(value)))


@dataclass(frozen=True)
class Ratio(Value):
    """A number of the solution in units of its value at the start: Ratio("width", "at least", 2) doubles the margin."""

    kind: ClassVar[str] = "ratio"

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        quantity = QUANTITIES[self.of].name
        if self.relation == "about":
            words = N_("{quantity} is {value} times its value at the start, to within 1 %")
            return Phrase(words, quantity=quantity, value=_decimal(self.value))
        return Phrase(
            "{quantity} is {wanted} times its value at the start", quantity=quantity, wanted=self._wanted(self.value)
        )

    def check(self, attempt: Attempt) -> Finding:
        """Judge the number on the board against that at the start."""
        start = attempt.start.solution
        before = math.nan if start is None else QUANTITIES[self.of].value(start)
        return self._compare(attempt, self.value * before) if math.isfinite(before) else NO_SOLUTION


# ---------------------------------------------------------------- whether


@dataclass(frozen=True)
class Separable(Condition):
    """Whether the classes are separable: by a line, or by the kernel of the board. wanted: False asks for the opposite.

    Both classes must be present.
    """

    kind: ClassVar[str] = "separable"
    by: Literal["line", "kernel"] = "line"
    wanted: bool = True

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        return _SEPARABLE[self.by, self.wanted][0]

    def check(self, attempt: Attempt) -> Finding:
        """Judge the points, in exact arithmetic for a line."""
        problem = attempt.problem
        if not problem.data.both_classes:
            return Finding(False, N_("The board needs points of both classes."))
        kernel = Linear() if self.by == "line" else problem.kernel
        try:
            separable = separate(problem.data, kernel).separable
        except SvmError as error:
            return Finding(False, error.message)
        return Finding(separable == self.wanted, _SEPARABLE[self.by, separable][1])


_SEPARABLE = {
    ("line", True): (N_("a line separates the classes"), N_("A line separates the classes.")),
    ("line", False): (N_("no line separates the classes"), N_("No line separates the classes.")),
    ("kernel", True): (
        N_("the kernel of the board separates the classes"),
        N_("The kernel of the board separates the classes."),
    ),
    ("kernel", False): (
        N_("the kernel of the board does not separate the classes"),
        N_("The kernel of the board does not separate the classes."),
    ),
}


@dataclass(frozen=True)
class Unique(Condition):
    """Whether the optimal multipliers α, or the optimal bias b, are unique."""

    kind: ClassVar[str] = "unique"
    what: Literal["alpha", "b"]
    wanted: bool = True

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        return _UNIQUE[self.what, self.wanted][0]

    def check(self, attempt: Attempt) -> Finding:
        """Judge the solution."""
        solution = attempt.solution
        if solution is None or (self.what == "alpha" and solution.alpha_unique is None):
            return NO_SOLUTION
        low, high = solution.b_interval
        unique = bool(solution.alpha_unique) if self.what == "alpha" else low == high
        return Finding(unique == self.wanted, _UNIQUE[self.what, unique][1])


_UNIQUE = {
    ("alpha", True): (N_("the optimal α is unique"), N_("The optimal α is unique.")),
    ("alpha", False): (N_("several α are optimal"), N_("Several α are optimal.")),
    ("b", True): (N_("the optimal b is unique"), N_("The optimal b is unique.")),
    ("b", False): (N_("several b are optimal"), N_("Several b are optimal.")),
}


@dataclass(frozen=True)
class Fails(Condition):
    """A statement of the lecture notes fails here, as printed, or its control does. id: a key of CATALOGUE."""

    kind: ClassVar[str] = "fails"
    is_quick: ClassVar[bool] = False
    id: Annotated[str, OneOf(CATALOGUE)]
    reading: Literal["printed", "control"] = "printed"

    @property
    def clause(self) -> str:
        """Return the condition in words."""
        words = (
            N_("the statement “{title}” fails as the lecture notes print it")
            if self.reading == "printed"
            else N_("the similar but false version of the statement “{title}” fails")
        )
        return Phrase(words, title=CATALOGUE[self.id].title)

    def check(self, attempt: Attempt) -> Finding:
        """Check the statement on the board."""
        verdict = CATALOGUE[self.id].check(Situation(attempt.problem, attempt.solution))
        if not verdict.applies:
            return Finding(False, Phrase("The statement does not apply to this board. {why}", why=verdict.why))
        reading = verdict.printed if self.reading == "printed" else verdict.control
        if reading is None:
            return Finding(False, N_("The statement has nothing to check on this board."))
        if reading.holds:
            return Finding(False, N_("The statement holds on this board. Find a board on which it fails."))
        return Finding(True, N_("The statement fails on this board."))


# ---------------------------------------------------------------- what one may do


Limit = Annotated[int, WholeNumber(0, MAX_POINTS)]


@dataclass(frozen=True)
class ChangeLimit(Condition):
    """At most so many points may be changed (moved, or given the other class), added and deleted."""

    kind: ClassVar[str] = "changes"
    is_rule: ClassVar[bool] = True
    changed: Limit = 0
    added: Limit = 0
    deleted: Limit = 0

    @property
    def clause(self) -> str:
        """Return the rule as a sentence."""
        limits = tuple((getattr(self, name), *words) for name, words in _ALLOWED.items())
        allowed = [Phrase(words, n=n) for n, words, _verb in limits if n]
        refused = [verb for n, _words, verb in limits if not n]
        if not refused:
            return join_phrases(*allowed)
        verbs = _list(refused, N_("or"))
        return join_phrases(*allowed, Phrase("You may not {verbs} points.", verbs=verbs))

    def check(self, attempt: Attempt) -> Finding:
        """Judge what was changed since the start."""
        edits = attempt.changes
        says = Phrase(
            "Points that you changed: {changed}, added: {added}, deleted: {deleted}.",
            changed=edits.changed,
            added=edits.added,
            deleted=edits.deleted,
        )
        allowed = edits.changed <= self.changed and edits.added <= self.added and edits.deleted <= self.deleted
        if allowed:
            return Finding(True, says, True)
        return Finding(False, Phrase("{says} This is more than the goal allows, so undo a change.", says=says), True)


_ALLOWED = {  # for each field, the rule if it allows something, and the verb if it allows nothing
    "changed": (N_("Points that you may move or give the other class: at most {n}."), N_("move")),
    "added": (N_("Points that you may add: at most {n}."), N_("add")),
    "deleted": (N_("Points that you may delete: at most {n}."), N_("delete")),
}
SETTINGS: dict[str, tuple[str, Callable[[Problem], object]]] = {
    "kernel": (N_("the kernel"), lambda problem: problem.kernel.key),
    "C": (N_("C"), lambda problem: problem.C),
    "bias": (N_("the bias setting"), lambda problem: problem.bias),
    "points": (N_("the points"), lambda problem: problem.data.key),
}


@dataclass(frozen=True)
class Keep(Condition):
    """Settings that must stay as they are at the start: any keys of SETTINGS. Class costs must stay equal too."""

    kind: ClassVar[str] = "keep"
    is_rule: ClassVar[bool] = True
    settings: Annotated[tuple[str, ...], SomeOf(SETTINGS)] = (
        "kernel",
        "C",
        "bias",
    )

    @property
    def clause(self) -> str:
        """Return the rule as a sentence."""
        return Phrase("Keep {settings} as at the start.", settings=_list([SETTINGS[name][0] for name in self.settings]))

    def check(self, attempt: Attempt) -> Finding:
        """Compare the settings with those at the start."""
        start, present = attempt.start.problem, attempt.problem
        changed = [name for name in self.settings if SETTINGS[name][1](start) != SETTINGS[name][1](present)]
        if changed:
            return Finding(
                False,
                Phrase(
                    "You changed {settings}, which must stay as at the start.",
                    settings=_list([SETTINGS[name][0] for name in changed]),
                ),
                True,
            )
        if not present.has_equal_costs:
            return Finding(False, N_("The class costs differ. Set both to 1."), True)
        return Finding(True, N_("The settings are as they were at the start."), True)


CONDITIONS: dict[str, type[Condition]] = {
    kind.kind: kind for kind in (Count, Value, Ratio, Separable, Unique, Fails, ChangeLimit, Keep)
}


def condition_from_json(value: object) -> Condition:
    """Return the condition that `Condition.as_json` wrote. Raises BadInput for anything else."""
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if not isinstance(kind, str) or kind not in CONDITIONS:
        raise BadInput(
            "conditions: {value} is not a condition. The kinds are {kinds}.",
            value=quoted(value),
            kinds=", ".join(CONDITIONS),
        )
    names = {field.name for field in fields(CONDITIONS[kind])}
    entries = object_with("conditions", value, {"kind"}, names)
    try:
        return CONDITIONS[kind](**{name: part for name, part in entries.items() if name != "kind"})
    except TypeError as error:
        raise BadInput("conditions: {value} is not complete.", value=quoted(dict(entries))) from error


def _list(names: Sequence[str], word: str = N_("and")) -> Phrase:
    """Return names in a row, with a word before the last one: "the kernel, C and the bias setting"."""
    *most, last = names
    if not most:
        return Phrase("{last}", last=last)
    return Phrase("{most} {word} {last}", most=join_phrases(*most, separator=", "), word=word, last=last)


def _decimal(value: float) -> str:
    """Return a number with at most four significant digits and a true minus sign."""
    return np.format_float_positional(float(f"{value:.4g}"), trim="-").replace("-", "−")
