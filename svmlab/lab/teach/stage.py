"""The input of a step: the board, the person's answer and picks, and results cached for the problem on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svmlab import Dataset, Solution
from svmlab.lab.session.cache import Cache, Outcome
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import PickValue
from svmlab.lab.session.situation import situation_key, situation_of
from svmlab.lab.session.worker import Job, Report
from svmlab.multiclass import OneVsRestSolution
from svmlab.plot.palette import LIGHT, Palette
from svmlab.regression import Fit
from svmlab.statements import Situation

T = TypeVar("T")
Ask = Callable[[tuple[Any, ...], Callable[[Report], Any]], Job]


class Working(Exception):
    """Raised if a result is still being computed. `job` is None during a drag of points, when no work is started."""

    def __init__(self, job: Job | None) -> None:
        super().__init__()
        self.job = job


@dataclass(frozen=True)
class Stage:
    """The present board as a step sees it.

    dials: the sliders that are not settings of the SVM and were moved. picks: the options chosen beside the charts.
    hand: the two handles of the line placed by hand. moving: something is being dragged, perhaps a slider. dragging:
    it is the points. memory: what a step keeps about these points, such as the best try. request_work: starts long
    work.
    """

    lab: Lab
    shown: bool = True
    choice: int | None = None
    dials: Mapping[str, float] = field(default_factory=dict)
    picks: Mapping[str, PickValue] = field(default_factory=dict)
    hand: tuple[tuple[float, float], tuple[float, float]] | None = None
    moving: bool = False
    dragging: bool = False
    palette: Palette = LIGHT
    cache: Cache = field(default_factory=Cache)
    memory: dict[str, Any] = field(default_factory=dict)
    request_work: Ask | None = None

    @property
    def data(self) -> Dataset:
        """Return the points as a dataset of two classes."""
        return self.lab.data

    @property
    def outcome(self) -> Outcome:
        """Return the result of solving the problem on the board."""
        return self.cache.outcome(self.lab.problem)

    @property
    def solution(self) -> Solution:
        """Return the solution on the board, which exists if the step's needs are met."""
        solution = self.outcome.solution
        assert solution is not None, "a step that looks at the machine needs one"
        return solution

    @property
    def machines(self) -> OneVsRestSolution:
        """Return the one-vs-rest SVMs of a board of several classes."""
        machines = self.cache.task_outcome(self.lab).solution
        assert isinstance(machines, OneVsRestSolution), "a step about several classes needs them"
        return machines

    @property
    def fit(self) -> Fit:
        """Return the regression on a board of values."""
        fit = self.cache.task_outcome(self.lab).solution
        assert isinstance(fit, Fit), "a step about values needs them"
        return fit

    @property
    def situation(self) -> Situation:
        """Return the Situation of the board, which all steps and the cards share."""
        return self.cache.get_or_compute(
            ("situation", *situation_key(self.lab)), lambda: situation_of(self.lab, self.outcome.solution)
        )

    @property
    def selected_row(self) -> int | None:
        """Return the row of the selected point, or None."""
        return next((i for i, p in enumerate(self.lab.points) if p.id == self.lab.selected), None)

    def dial(self, key: str, start: float) -> float:
        """Return the value of a slider of the lesson, or `start` if nobody has moved it."""
        return self.dials.get(key, start)

    def pick(self, name: str) -> Any:
        """Return the chosen option of a Pick."""
        return self.picks[name]

    def cached(self, name: str, make: Callable[[], T]) -> T:
        """Return a result that is cached for the problem on the board."""
        return self.cache.get_or_compute((name, self.lab.task, self.lab.key), make)

    def cached_for_points(self, name: str, make: Callable[[], T]) -> T:
        """Return a result that is cached for the points, whatever the settings of the SVM."""
        return self.cache.get_or_compute((name, self.lab.points_key), make)

    def background_result(self, key: tuple[Any, ...], make: Callable[[Report], T]) -> T:
        """Return the result of long work, which is started if necessary. Raises Working until the result is there."""
        known: Job | None = self.cache.get(("work", *key))
        if known is None and (self.dragging or self.request_work is None):
            raise Working(None)
        job = known or self.request_work(key, make)  # type: ignore[misc]
        if job.result is None:
            raise Working(job)
        value: T = job.result
        return value

    def background_result_or_none(self, key: tuple[Any, ...], make: Callable[[Report], T]) -> T | None:
        """Return the result as `background_result` does, or None until it is there.

        This is for pictures that can be drawn without the result.
        """
        try:
            return self.background_result(key, make)
        except Working:
            return None
