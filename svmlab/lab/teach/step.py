"""The language of a lesson: a step is frozen data and pure functions of a Stage. It knows no session and no Streamlit.

Words of a step are marked with N_ where they are kept and translated by the page; inside a function they are written
with _.
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
from svmlab.lab.session.tab import Picked
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE

Op = Mapping[str, Any]  # an operation, as the board reports it: {"op": "set", "values": {"hard": True}}
Data = dict[str, Any]  # what a step adds to the data of the board
Board = Callable[[], Lab]


@dataclass(frozen=True)
class Choice:
    """What can be expected. `why`: why one might think so, said where it was chosen and something else happens."""

    text: str
    why: str = ""


@dataclass(frozen=True)
class Need:
    """What a board must have. `why`: a sentence for the person whose board has it not; `settings`: what brings it about
    on any points.
    """

    is_met: Callable[[Stage], bool]
    why: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Try:
    """Something to try: an operation on the board that stands, or another `board`, which is lent."""

    label: str
    op: Callable[[Stage], Op] | Op | None = None
    board: Board | None = None


@dataclass(frozen=True)
class Pick:
    """A choice beside the chart, told to the step as `stage.pick(name)` and shared by the steps of a lesson under its
    name.

    shown: the words of an option.
    """

    name: str
    label: str
    options: tuple[Picked, ...]
    default: Picked
    option_text: Callable[[Any], str] = str


@dataclass(frozen=True)
class Chart:
    """A figure; `picked` makes an operation of the first of the customdata of a mark that is clicked."""

    figure: Figure
    on_click: Callable[[Any], Op] | None = None


@dataclass(frozen=True)
class Table:
    """An HTML table of `teach.table`, or small boards of `teach.small`; what carries a data-id selects that point on
    the board.

    picked: makes another operation of the data-id. follows: what `draw` gives as "table" takes its place while
    something moves.
    """

    markup: str
    on_click: Callable[[int], Op] | None = None
    follows_drag: bool = False


@dataclass(frozen=True, eq=False)
class Space:
    """What stands above the board, turned by hand: its points raised, a plane through them, and the shadow of where it
    cuts.

    half: of the board. shadow: where f is 0 there, polylines (k, 2). rows: [id, x1, x2, label] of the points; ringed:
    the ids of those that hold the plane. plane: None where there is none. name: of the height, on its axis. seen: all
    of it in words, for those who do not see it. What `draw` gives as "space" is its `told`: then it follows every move
    on the board.
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
        """What a move of a point changes, as the browser draws it: f = a x1 + b x2 + c z + d, and where f is 0 on the
        board.
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


Part = str | Chart | Table | Space  # markdown, a figure, a table, what stands above the board


@dataclass(frozen=True)
class Reading:
    """A number in the line of numbers: its name, how it is read, and what a hover tells (the exact value)."""

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

    key: its name in the link. board: lent where the present one has not what the step `needs`; everything below may
    count on that. choices and `answer`: what can be expected, and which of them happens. always: a theorem decides, not
    the board. verdict: what happens, in 90 characters; the words of the right choice where it is left out. draw: what
    is added to the data of the board. play: what moves when it is shown, {"key", "to", "ms", "back"} of a slider,
    {"point", "from", "ms"} of a point that comes to where it is, {"film": True}, or {"space": True}, points that rise
    in a Space. numbers: one line that follows every move. picks: choices beside the chart. chart: the picture under the
    verdict. says: one or two sentences; formula: one line of TeX; letters: terms of the glossary by the letters that do
    not stand for what they do elsewhere. more: what folds away. tries: three chips. costs: whether the step is right
    where the classes cost differently. shows: the ids of the statements that the step shows and lets one try.
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
        """What it needs, with what every step does that says nothing else."""
        return self.needs if self.allows_class_costs else (EQUAL_CLASS_COSTS, *self.needs)

    def first_unmet_need(self, stage: Stage) -> Need | None:
        """The first need that the board does not meet; every step needs points."""
        if not stage.lab.points:
            return POINTS
        return next((need for need in self.all_needs if not need.is_met(stage)), None)

    def verdict_text(self, stage: Stage) -> str:
        """The verdict in words."""
        return self.verdict(stage) if self.verdict else _(self.choices[self.answer(stage)].text)


CHECK, CHECKS = "check", N_("Check")  # the key of what comes after the last step, and its title where that is checks


@dataclass(frozen=True)
class End:
    """What a lesson ends with that checks no statements: parts about the board of its last step, and the pages to go on
    to.

    onward: (page, words of its link).
    """

    title: str
    parts: Callable[[Stage], Sequence[Part]]
    onward: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Lesson:
    """A page of steps, and the statements that it checks at its end, or another `end`.

    machine: the machine that the board draws, where it is not the board's own (one without bias).
    """

    page: str
    intro: str
    steps: tuple[Step, ...]
    lab_to_draw: Callable[[Lab], Lab] = lambda lab: lab
    end: End | None = None

    @property
    def last_title(self) -> str:
        """The title of what comes after the last step."""
        return self.end.title if self.end else CHECKS

    @property
    def statement_ids(self) -> tuple[str, ...]:
        """The ids of the statements that belong to this page."""
        return tuple(i for i, s in CATALOGUE.items() if s.page == self.page)

    def step(self, key: str | None) -> Step | None:
        """The step of this key."""
        return next((step for step in self.steps if step.key == key), None)
