"""The cache of one session: solutions and other results by key. (st.cache_data confuses kernels with equal fields.)"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from svmlab import Problem, Solution, SvmError, multiclass, regression, solve
from svmlab.core import effort
from svmlab.core.errors import TooMuchWork
from svmlab.lab.session.controls import BINARY, CLASSES
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.words import N_
from svmlab.multiclass import OneVsRestSolution
from svmlab.plane.contours import SolutionDrawing, draw_solution
from svmlab.regression import Fit

T = TypeVar("T")
S = TypeVar("S", covariant=True)
Solved = OneVsRestSolution | Fit  # the solution of a board of several classes or of values
KEEP = 24  # results
MAX_OPERATIONS = 4e8  # operations of a solve for which a page waits: nearly all boards need less than a tenth of that
SOLVE_ANYWAY = N_("Solve it anyway")
TOO_MUCH = N_(
    "The solver stopped after {n:g} million floating-point operations, because the page would wait too long. Choose "
    "“Solve it anyway” below the board, or choose another kernel or a smaller C."
)


@dataclass(frozen=True)
class Result(Generic[S]):
    """The result of a problem: a solution, or the error that explains why there is none."""

    solution: S | None
    error: SvmError | None


Outcome = Result[Solution]


def solve_within_limit(problem: Problem, start: Solution | None) -> Outcome:
    """Solve a problem, as far as a page can wait for it; else the error is TooMuchWork.

    An earlier solution as a start makes it faster and never changes the result.
    """
    with effort.limited(MAX_OPERATIONS):
        return _result_of(lambda: solve(problem, start=start))


def solve_task_within_limit(lab: Lab, start: Solved | None) -> Result[Solved]:
    """Solve the multiclass or regression problem of a board, with a start and a limit as in `solve_within_limit`."""
    with effort.limited(MAX_OPERATIONS):
        return _task_result(lab, start)


def solve_without_limit(lab: Lab, meter: Callable[[float], object]) -> Result[Any]:
    """Solve the problem of a board however much work it is. `meter` gets the operations of each part of the work."""
    with effort.metered(meter):
        return _result_of(lambda: solve(lab.problem)) if lab.task == BINARY else _task_result(lab, None)


def _task_result(lab: Lab, start: Solved | None) -> Result[Solved]:
    if lab.task == CLASSES:
        earlier = start if isinstance(start, OneVsRestSolution) else None
        return _result_of(lambda: multiclass.solve(lab.multiclass_problem, start=earlier))
    return _result_of(lambda: regression.solve(lab.regression_problem, start=start if isinstance(start, Fit) else None))


def _result_of(make: Callable[[], T]) -> Result[T]:
    try:
        return Result(make(), None)
    except TooMuchWork:
        return Result(None, TooMuchWork(TOO_MUCH, n=MAX_OPERATIONS / 1e6))
    except Exception as error:
        return Result(None, to_svm_error(error))


def _outcome_key(lab: Lab) -> tuple[str, ...]:
    return ("outcome", lab.key) if lab.task == BINARY else ("task", lab.task, lab.key)


@dataclass
class Cache:
    """The last KEEP results of any kind. The next solve starts from `last`."""

    entries: OrderedDict[tuple[Any, ...], Any] = field(default_factory=OrderedDict)
    last: Solution | None = None
    last_task: Solved | None = None

    def outcome(self, problem: Problem) -> Outcome:
        """Return the result of a two-class problem, which is solved once for each key."""
        outcome = self.get_or_compute(("outcome", problem.key), lambda: solve_within_limit(problem, self.last))
        self.last = outcome.solution or self.last
        return outcome

    def task_outcome(self, lab: Lab) -> Result[Solved]:
        """Return the result for a board of several classes or of values, solved once for each key."""
        outcome = self.get_or_compute(("task", lab.task, lab.key), lambda: solve_task_within_limit(lab, self.last_task))
        self.last_task = outcome.solution or self.last_task
        return outcome

    def store_outcome(self, lab: Lab, outcome: Result[Any]) -> None:
        """Store a result for a Lab that was computed elsewhere, so that it is not computed again."""
        self._store(_outcome_key(lab), outcome)

    def known_outcome(self, lab: Lab) -> Result[Any] | None:
        """Return the result for a Lab if it is known, without solving anything."""
        known: Result[Any] | None = self.entries.get(_outcome_key(lab)) if lab.points else None
        return known

    def drawing(self, solution: Solution, half: float) -> SolutionDrawing:
        """Return the level lines of a solution and everything else that is drawn for it."""
        return self.get_or_compute(("scene", solution.problem.key, half), lambda: draw_solution(solution, half))

    def get(self, key: tuple[Any, ...]) -> Any:
        """Return the value under `key`, or None. The value counts as used just now, so it is kept longer."""
        if key in self.entries:
            self.entries.move_to_end(key)
        return self.entries.get(key)

    def get_or_compute(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Return the value under `key`, and compute it first if it is missing."""
        if key in self.entries:
            self.entries.move_to_end(key)
        else:
            self._store(key, make())
        value: T = self.entries[key]
        return value

    def _store(self, key: tuple[Any, ...], value: object) -> None:
        self.entries[key] = value
        self.entries.move_to_end(key)
        while len(self.entries) > KEEP:
            self.entries.popitem(last=False)
