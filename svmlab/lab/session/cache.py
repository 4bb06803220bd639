"""Solved things of one session, by the key of the problem. (st.cache_data would mix up kernels with equal fields.)"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from svmlab import Problem, Solution, SvmError, multiclass, regression, solve
from svmlab.lab.session.controls import BINARY, CLASSES
from svmlab.lab.session.state import Lab
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.multiclass import Machines
from svmlab.plane.contours import Scene, scene
from svmlab.regression import Fit

T = TypeVar("T")
S = TypeVar("S", covariant=True)
Solved = Machines | Fit  # what is solved on a board of another task than two classes
KEEP = 24


@dataclass(frozen=True)
class Result(Generic[S]):
    """What came of a problem: a solution, or the reason why there is none."""

    solution: S | None
    error: SvmError | None


Outcome = Result[Solution]


def attempt(problem: Problem, start: Solution | None) -> Outcome:
    """Solve; an earlier solution makes it faster, never different."""
    return _tried(lambda: solve(problem, start=start))


def attempt_task(lab: Lab, start: Solved | None) -> Result[Solved]:
    """The machines of several classes, or the tube; else as `attempt`."""
    if lab.task == CLASSES:
        return _tried(
            lambda: multiclass.solve(lab.multiclass_problem, start=start if isinstance(start, Machines) else None)
        )
    return _tried(lambda: regression.solve(lab.regression_problem, start=start if isinstance(start, Fit) else None))


def _tried(make: Callable[[], T]) -> Result[T]:
    try:
        return Result(make(), None)
    except Exception as error:
        return Result(None, to_svm_error(error))


@dataclass
class Cache:
    """The last KEEP results, whatever their kind; `last` is where the next solve starts from."""

    entries: OrderedDict[tuple[Any, ...], Any] = field(default_factory=OrderedDict)
    last: Solution | None = None
    last_task: Solved | None = None

    def outcome(self, problem: Problem) -> Outcome:
        """Solve once for each key."""
        outcome = self.get_or_compute(("outcome", problem.key), lambda: attempt(problem, self.last))
        self.last = outcome.solution or self.last
        return outcome

    def task_outcome(self, lab: Lab) -> Result[Solved]:
        """The same for a board of several classes or values."""
        outcome = self.get_or_compute(("task", lab.task, lab.key), lambda: attempt_task(lab, self.last_task))
        self.last_task = outcome.solution or self.last_task
        return outcome

    def store_outcome(self, lab: Lab, outcome: Result[Any]) -> None:
        """What came of a Lab elsewhere: here it is not solved again."""
        self.entries[("outcome", lab.key) if lab.task == BINARY else ("task", lab.task, lab.key)] = outcome

    def scene(self, solution: Solution, half: float) -> Scene:
        """What to draw for a solution."""
        return self.get_or_compute(("scene", solution.problem.key, half), lambda: scene(solution, half))

    def get(self, key: tuple[Any, ...]) -> Any:
        """What is kept under `key`, None if nothing; it was asked for, so it is kept longer."""
        if key in self.entries:
            self.entries.move_to_end(key)
        return self.entries.get(key)

    def get_or_compute(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The value under `key`, made if it is not there yet."""
        if key in self.entries:
            self.entries.move_to_end(key)
        else:
            self.entries[key] = make()
            if len(self.entries) > KEEP:
                self.entries.popitem(last=False)
        value: T = self.entries[key]
        return value
