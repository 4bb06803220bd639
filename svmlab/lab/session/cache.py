"""Solved things of one session, by the key of the problem. (st.cache_data would mix up kernels with equal fields.)"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svmlab import Problem, Solution, SvmError, solve
from svmlab.lab.session.mishap import told
from svmlab.scene import Scene, scene

T = TypeVar("T")
KEEP = 24


@dataclass(frozen=True)
class Outcome:
    """What came of a problem: a solution, or the reason why there is none."""

    solution: Solution | None
    error: SvmError | None


def attempt(problem: Problem, start: Solution | None) -> Outcome:
    """Solve; an earlier solution makes it faster, never different."""
    try:
        return Outcome(solve(problem, start=start), None)
    except Exception as error:
        return Outcome(None, told(error))


@dataclass
class Cache:
    """The last KEEP results, whatever their kind; `last` is where the next solve starts from."""

    entries: OrderedDict[tuple[Any, ...], Any] = field(default_factory=OrderedDict)
    last: Solution | None = None

    def outcome(self, problem: Problem) -> Outcome:
        """Solve once for each key."""
        outcome = self.once(("outcome", problem.key), lambda: attempt(problem, self.last))
        self.last = outcome.solution or self.last
        return outcome

    def scene(self, solution: Solution, half: float) -> Scene:
        """What to draw for a solution."""
        return self.once(("scene", solution.problem.key, half), lambda: scene(solution, half))

    def known(self, key: tuple[Any, ...]) -> Any:
        """What is kept under `key`, None if nothing; it was asked for, so it is kept longer."""
        if key in self.entries:
            self.entries.move_to_end(key)
        return self.entries.get(key)

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The value under `key`, made if it is not there yet."""
        if key in self.entries:
            self.entries.move_to_end(key)
        else:
            self.entries[key] = make()
            if len(self.entries) > KEEP:
                self.entries.popitem(last=False)
        value: T = self.entries[key]
        return value
