"""What the server remembers about a reader's way through the lessons. All of it stands here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from svmlab.lab.session.cache import Cache, Result
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History

PickValue = int | float | str | bool
StepOverlay = Callable[[History, Mapping[str, float], Result[Any] | None], dict[str, Any]]


@dataclass(frozen=True)
class Answer:
    """The answer to the question of a step: the choice that is marked, and whether the right answer is shown."""

    choice: int | None = None
    shown: bool = False


@dataclass(frozen=True)
class AnswerResult:
    """The result of an answer. stamp: differs for every answer. right: None until the right answer is known."""

    stamp: str
    right: bool | None


@dataclass
class PageMemory:
    """What the page of one lesson remembers, none of which is in a link."""

    play: dict[str, Any] | None = None  # the animation in progress
    plays: int = 0  # the animations so far
    has_numbers: bool = False  # whether the page has a line of numbers
    is_unfolded: bool = False  # whether the steps that go deeper are unfolded
    results: dict[str, AnswerResult] = field(default_factory=dict)  # of the last answer to each step, by its key
    answers: int = 0  # the answers so far
    drag_caches: dict[str, Cache] = field(default_factory=dict)  # the cache of the drag socket for each step


@dataclass
class LessonState:
    """What a reader has done in the lessons, and what the open step lends and draws.

    A step is named "page.step", and an option beside a chart "page.name".
    """

    open_steps: dict[str, str] = field(default_factory=dict)  # the key of the open step, by page
    answers: dict[str, Answer] = field(default_factory=dict)  # by step
    picks: dict[str, PickValue] = field(default_factory=dict)  # the option chosen beside a chart, by its name
    dials: dict[str, float] = field(default_factory=dict)  # sliders of the lessons that are not settings of the Lab
    inputs: dict[str, Any] = field(default_factory=dict)  # inputs that the board reports: hand, film, last dial
    turn: tuple[float, float] | None = None  # azimuth and elevation from which raised points are seen
    # The page or step where a dial was turned, the line was placed or a film was watched.
    input_scopes: dict[str, str] = field(default_factory=dict)
    pages: dict[str, PageMemory] = field(default_factory=dict)  # what each page remembers beside the link
    statement_checks: Any = None  # the checks of statements on the present board (cards/statement_cards.py)
    earlier_verdicts: dict[str, Any] = field(default_factory=dict)  # those of the board before, by statement
    prepared_step: str | None = None  # the step whose board was prepared last
    step_board: Lab | None = None  # the board that the open step lends to everybody who brings none
    # Returns what the open step adds to the picture of a solved board with these dials. It is called in a thread.
    step_overlay: StepOverlay | None = None
    lab_to_draw: Callable[[Lab], Lab] | None = None  # returns the Lab that the page draws instead of the present one

    def memory(self, page: str) -> PageMemory:
        """Return what the page of a lesson remembers."""
        return self.pages.setdefault(page, PageMemory())

    def record_scope(self, name: str, page: str, dials: Iterable[str] = ()) -> None:
        """Record that an input was made on a page.

        The scope of a dial, of the line and of a direction is the page, and the scope of a film is its open step.
        """
        scope = f"{page}.{self.open_steps.get(page)}" if name == "film" else page
        self.input_scopes.update({f"dial {key}": scope for key in dials} if name == "dial" else {name: scope})
