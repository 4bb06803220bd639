"""The parts from which a lesson is written: a step is frozen data and pure functions of a Stage.

A step knows neither the session nor Streamlit. Its words are marked with N_ where they are kept and are translated by
the page. Inside a function they are written with _.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, Plane
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.charts.frame import Figure
from svmlab.lab.charts.palette import Palette
from svmlab.lab.session.controls import COSTS
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import PickValue
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE

Op = Mapping[str, Any]  # an operation as the board reports it: {"op": "set", "values": {"hard": True}}
Data = dict[str, Any]  # what a step adds to the data of the board
Board = Callable[[], Lab]


@dataclass(frozen=True)
class Choice:
    """An answer that the person can choose.

    why: what makes this answer tempting, shown if it was chosen and is wrong.
    """

    text: str
    why: str = ""


@dataclass(frozen=True)
class Need:
    """A condition on the board.

    why: a sentence for the person whose board does not meet it. settings: settings of the Lab that make any points
    meet it.
    """

    is_met: Callable[[Stage], bool]
    why: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Try:
    """Something to try: an operation on the present board, or another `board`, which is lent."""

    label: str
    op: Callable[[Stage], Op] | Op | None = None
    board: Board | None = None


@dataclass(frozen=True)
class Pick:
    """Options beside the chart, which a step reads by `stage.pick(name)`. Steps of a lesson share them by their name.

    option_text: returns the words of an option.
    """

    name: str
    label: str
    options: tuple[PickValue, ...]
    default: PickValue
    option_text: Callable[[Any], str] = str


@dataclass(frozen=True)
class Chart:
    """A figure.

    on_click: returns the operation for a clicked mark, from the first entry of its customdata.
    """

    figure: Figure
    on_click: Callable[[Any], Op] | None = None


@dataclass(frozen=True)
class Table:
    """An HTML table of `teach.table`, or small boards of `teach.small_boards`.

    A click on an element with data-id selects that point on the board.

    on_click: returns another operation for the data-id. follows_drag: while something moves, the markup is replaced
    by what `draw` returns as "table".
    """

    markup: str
    on_click: Callable[[int], Op] | None = None
    follows_drag: bool = False


@dataclass(frozen=True, eq=False)
class Space:
    """A picture above the board, turned by hand: raised points, a plane, and the line where it cuts the board.

    half: half the side of the board. shadow: the polylines (k, 2) where f = 0 on the board. rows: [id, x1, x2, label]
    of the points. ringed: the ids of the support vectors. plane: None if there is none. name: the name of the height
    on its axis. description: the picture in words, for people who cannot see it. If `draw` returns `as_json` as
    "space", the picture follows every move on the board.
    """

    lift: Lift
    plane: Plane | None
    half: float
    shadow: Sequence[Array]
    rows: Sequence[Sequence[float]]
    ringed: Sequence[int]
    selected: int | None
    name: str
    description: str
    palette: Palette

    @property
    def as_json(self) -> Data:
        """Return everything that changes when a point moves, in the form in which the browser draws it.

        The plane is f = a x1 + b x2 + c z + d, and the shadow is where f = 0 on the board.
        """
        plane = self.plane
        return {
            "height": self.lift.height,
            "flat": self.lift.flat,
            "half": self.half,
            "plane": None if plane is None else plane.normal.tolist(),
            "shadow": [flat_coordinates(line) for line in self.shadow],
            "ringed": list(self.ringed),
        }


Part = str | Chart | Table | Space  # markdown, a figure, a table, a picture above the board


@dataclass(frozen=True)
class Reading:
    """A number in the line of numbers: its name, its short text, and its exact value, which a hover shows."""

    name: str
    text: str
    exact: str


EQUAL_CLASS_COSTS = Need(
    lambda stage: stage.lab.cost_plus == stage.lab.cost_minus == 1.0,
    N_("Here one C holds for all points, and on the board the classes cost differently."),
    dict.fromkeys(COSTS, 1.0),
)
POINTS = Need(lambda stage: bool(stage.lab.points), N_("There are no points on the board."), {})


def _nothing(stage: Stage) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One idea, one question, one picture.

    key: its name in the link. choices, answer: the possible answers, and the index of the right one. board: the board
    that is lent if the present one does not meet `needs`; every function below may rely on the needs. shows: the ids
    of the statements that the step shows and lets people try. is_theorem: a theorem decides the answer, and not the
    board. verdict: what happens, in 90 characters; without it, the words of the right choice. draw: what is added to
    the data of the board. play: the animation when the answer is shown: {"key", "to", "ms", "back"} for a slider,
    {"point", "from", "ms"} for a point that moves to its present position, {"film": True}, or {"space": True} for
    points that rise in a Space. numbers: one line that follows every move. picks: options beside the chart. chart:
    the picture under the verdict. says: one or two sentences. formula: one line of TeX. letters: terms of the
    glossary by letters that mean something else in other steps. more: what is folded away. tries: three buttons.
    allows_class_costs: whether the step is right if the classes have different costs.
    """

    key: str
    title: str
    question: str
    choices: tuple[Choice, ...]
    answer: Callable[[Stage], int]
    board: Board
    shows: tuple[str, ...]
    is_theorem: bool = False
    verdict: Callable[[Stage], str] | None = None
    needs: tuple[Need, ...] = ()
    draw: Callable[[Stage], Data] = lambda stage: {}
    play: Callable[[Stage], Data | None] = _nothing
    numbers: Callable[[Stage], Sequence[Reading]] = lambda stage: ()
    picks: tuple[Pick, ...] = ()
    chart: Callable[[Stage], Chart | Table | Space | None] = _nothing
    says: Callable[[Stage], str] | str = ""
    formula: Callable[[Stage], str] | str = ""
    letters: Mapping[str, str] = field(default_factory=dict)
    more: Callable[[Stage], Sequence[Part]] = lambda stage: ()
    tries: tuple[Try, ...] = ()
    allows_class_costs: bool = False

    @property
    def all_needs(self) -> tuple[Need, ...]:
        """Return all needs of the step. Equal class costs are one of them unless the step allows others."""
        return self.needs if self.allows_class_costs else (EQUAL_CLASS_COSTS, *self.needs)

    def first_unmet_need(self, stage: Stage) -> Need | None:
        """Return the first need that the board does not meet. Every step needs points."""
        if not stage.lab.points:
            return POINTS
        return next((need for need in self.all_needs if not need.is_met(stage)), None)

    def verdict_text(self, stage: Stage) -> str:
        """Return the verdict in words."""
        return self.verdict(stage) if self.verdict else _(self.choices[self.answer(stage)].text)


CHECK, CHECKS = "check", N_("Check")  # the key of the page after the last step, and its title if it has checks


@dataclass(frozen=True)
class End:
    """The end of a lesson that checks no statements: parts about the board of its last step, and links to other pages.

    onward: (page, words of its link).
    """

    title: str
    parts: Callable[[Stage], Sequence[Part]]
    onward: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Lesson:
    """A page of steps, and at its end the checks of its statements or another `end`.

    lab_to_draw: returns the Lab that the board draws, if it is not the present one (for example one without bias).
    """

    page: str
    intro: str
    steps: tuple[Step, ...]
    lab_to_draw: Callable[[Lab], Lab] = lambda lab: lab
    end: End | None = None

    @property
    def last_title(self) -> str:
        """Return the title of the page after the last step."""
        return self.end.title if self.end else CHECKS

    @property
    def statement_ids(self) -> tuple[str, ...]:
        """Return the ids of the statements that belong to this page."""
        return tuple(i for i, s in CATALOGUE.items() if s.page == self.page)

    def step(self, key: str | None) -> Step | None:
        """Return the step with this key, or None."""
        return next((step for step in self.steps if step.key == key), None)
