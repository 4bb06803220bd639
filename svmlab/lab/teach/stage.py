"""What a step sees: the board, what was answered and picked, and results that are kept for the machine on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svmlab import Dataset, Solution
from svmlab.lab.charts.palette import LIGHT, Palette
from svmlab.lab.session.cache import Cache, Outcome
from svmlab.lab.session.situation import key_of, situation_of
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Picked
from svmlab.lab.session.worker import Job
from svmlab.lab.session.worker import Report as Report
from svmlab.multiclass import Machines
from svmlab.regression import Fit
from svmlab.statements import Situation

T = TypeVar("T")
Ask = Callable[[tuple[Any, ...], Callable[[Report], Any]], Job]


class Working(Exception):
    """Raised by what needs a result that is still being worked on; `job` is None while a hand moves the points."""

    def __init__(self, job: Job | None) -> None:
        super().__init__()
        self.job = job


@dataclass(frozen=True)
class Stage:
    """The board that stands, as a step sees it.

    dials: the sliders that are no setting of the machine, those that were touched; picks: what is chosen beside the
    charts. hand: the two handles of the line placed by hand. moving: something is being dragged or slid; dragging: it
    is the points. notes: what a step keeps for itself about these points, such as the best try. ask: begins long work.
    """

    lab: Lab
    shown: bool = True
    choice: int | None = None
    dials: Mapping[str, float] = field(default_factory=dict)
    picks: Mapping[str, Picked] = field(default_factory=dict)
    hand: tuple[tuple[float, float], tuple[float, float]] | None = None
    moving: bool = False
    dragging: bool = False
    palette: Palette = LIGHT
    cache: Cache = field(default_factory=Cache)
    memory: dict[str, Any] = field(default_factory=dict)
    request_work: Ask | None = None

    @property
    def data(self) -> Dataset:
        """The points."""
        return self.lab.data

    @property
    def outcome(self) -> Outcome:
        """What came of the machine on the board."""
        return self.cache.outcome(self.lab.problem)

    @property
    def solution(self) -> Solution:
        """The machine on the board, solved: there is one where the step's needs are met."""
        solution = self.outcome.solution
        assert solution is not None, "a step that looks at the machine needs one"
        return solution

    @property
    def machines(self) -> Machines:
        """One machine against the rest for each class: a board of several classes."""
        machines = self.cache.task_outcome(self.lab).solution
        assert isinstance(machines, Machines), "a step about several classes needs them"
        return machines

    @property
    def fit(self) -> Fit:
        """The tube: a board of values."""
        fit = self.cache.task_outcome(self.lab).solution
        assert isinstance(fit, Fit), "a step about values needs them"
        return fit

    @property
    def situation(self) -> Situation:
        """The board's Situation, shared by all steps and by the cards."""
        return self.cache.get_or_compute(
            ("situation", *key_of(self.lab)), lambda: situation_of(self.lab, self.outcome.solution)
        )

    @property
    def selected_row(self) -> int | None:
        """The row of the selected point."""
        return next((i for i, p in enumerate(self.lab.points) if p.id == self.lab.selected), None)

    def dial(self, key: str, start: float) -> float:
        """Where a slider of the lesson stands; `start` while nobody has touched it."""
        return self.dials.get(key, start)

    def pick(self, name: str) -> Any:
        """What is chosen in a Pick."""
        return self.picks[name]

    def cached(self, name: str, make: Callable[[], T]) -> T:
        """A result kept for the machine on the board."""
        return self.cache.get_or_compute((name, self.lab.task, self.lab.key), make)

    def cached_for_points(self, name: str, make: Callable[[], T]) -> T:
        """A result kept for the points, whatever the machine."""
        return self.cache.get_or_compute((name, self.lab.points_key), make)

    def background_result(self, key: tuple[Any, ...], make: Callable[[Report], T]) -> T:
        """The result of work that takes longer than a blink, begun if need be. Raises Working until it is there."""
        known: Job | None = self.cache.get(("work", *key))
        if known is None and (self.dragging or self.request_work is None):
            raise Working(None)
        job = known or self.request_work(key, make)  # type: ignore[misc]
        if job.result is None:
            raise Working(job)
        value: T = job.result
        return value

    def background_result_or_none(self, key: tuple[Any, ...], make: Callable[[Report], T]) -> T | None:
        """The same, None until it is there: for what can be drawn without."""
        try:
            return self.background_result(key, make)
        except Working:
            return None
