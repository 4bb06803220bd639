"""What a lesson is made of: steps that ask, show and check, and the stage on which they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from svmlab import Solution
from svmlab.lab.charts import show
from svmlab.lab.charts.palette import Palette
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Done, Session
from svmlab.statements import CATALOGUE


@dataclass(frozen=True)
class Stage:
    """What a step sees: the session, its own state, and whether the answer is shown."""

    session: Session
    page: str
    step: Step
    done: Done

    @property
    def lab(self) -> Lab:
        """The present."""
        return self.session.lab

    @property
    def solution(self) -> Solution | None:
        """The machine on the board, solved."""
        outcome = self.session.outcome
        return outcome.solution if outcome else None

    @property
    def memory(self) -> dict[str, Any]:
        """What this step remembers: "choice", "shown", and whatever the step keeps there itself."""
        about = self.step.about(self)
        key = f"{self.page}.{self.step.key}" + ("" if about is None else f".{about}")
        memory: dict[str, Any] = self.session.lessons.setdefault(key, {})
        return memory

    @property
    def ready(self) -> bool:
        """Whether the board has what the step needs."""
        return bool(self.lab.points) and self.step.needs(self) is None

    @property
    def shown(self) -> bool:
        """Whether the answer is on the table."""
        return bool(self.memory.get("shown"))

    @property
    def hand(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The two handles of the line placed by hand, None while nobody has touched it."""
        op = self.session.aside.get("hand")
        return None if op is None else (tuple(op["a"]), tuple(op["b"]))

    @property
    def palette(self) -> Palette:
        """What charts are drawn with."""
        return show.for_page(self.lab.projector)

    def select(self, id_: float) -> None:
        """Select a point on the board, as a click on its mark in a chart does."""
        self.session.do({"op": "select", "id": int(id_)})
        self.done()

    def dial(self, key: str, start: float) -> float:
        """Where a slider of the lesson stands; `start` while nobody has touched it."""
        return self.session.dials.get(key, start)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """A result kept for the machine on the board."""
        return self.session.cache.once((self.page, name, self.lab.problem.key), make)


@dataclass(frozen=True)
class Try:
    """A prompt: its words and the operation that it does to the board, e.g. {"op": "set", "values": {"hard": True}}."""

    label: str
    op: Callable[[Stage], Mapping[str, Any]] | Mapping[str, Any]


@dataclass(frozen=True)
class Missing:
    """Why a step cannot be shown on this board, in a sentence, and a prompt that sets up a board on which it can."""

    words: str
    prompt: Try


@dataclass(frozen=True)
class Step:
    """One idea.

    `needs`: what is missing on the board, None where the step can be shown; everything else may count on it. `about`: what
    the prediction is about (such as the selected point), each with a memory of its own.
    `choices`: what can be predicted, `answer`: which of them is right here (a function of the stage, None where the board
    does not decide). `reveal`: markdown once shown. `draw`: what the step adds to the data of the board. `numbers`: an HTML
    line that follows every move at once. `show`: charts and tables, refreshed when a move ends.
    """

    key: str
    title: str
    question: str
    choices: tuple[str, ...] = ()
    answer: Callable[[Stage], int | None] = lambda stage: None
    reveal: Callable[[Stage], str] = lambda stage: ""
    formula: str = ""
    tries: tuple[Try, ...] = ()
    draw: Callable[[Stage], dict[str, Any]] = lambda stage: {}
    numbers: Callable[[Stage], str] = lambda stage: ""
    show: Callable[[Stage], None] = lambda stage: None
    needs: Callable[[Stage], Missing | None] = lambda stage: None
    about: Callable[[Stage], Any] = lambda stage: None


@dataclass(frozen=True)
class Lesson:
    """A page of steps; `statements` are the ids that it checks at the end.

    machine: the machine that the board draws and the caption names, where it is not the board's own (one without bias).
    """

    page: str
    intro: str
    steps: tuple[Step, ...]
    statements: tuple[str, ...] = field(default=())
    machine: Callable[[Lab], Lab] = lambda lab: lab

    @property
    def checked(self) -> tuple[str, ...]:
        """The ids given, or all those of the catalogue that belong to this page."""
        return self.statements or tuple(i for i, s in CATALOGUE.items() if s.page == self.page)
