"""The parts from which a lesson is written: a step is frozen data and pure functions of a Stage.

A step knows neither the session nor Streamlit. Its words are marked with N_ where they are kept and are translated by
the page. Inside a function they are written with _.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from svmlab.core.arrays import Array
from svmlab.kernels.features import Lift, Plane
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.address_names import check_dial_name
from svmlab.lab.session.controls import COSTS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import PickValue
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line
from svmlab.plot.frame import Figure
from svmlab.plot.palette import Palette
from svmlab.statements import CATALOGUE

Text = str | Callable[[Stage], str]  # words marked with N_, or a function that returns words of the session's language
Op = Mapping[str, Any]  # an operation as the board reports it: {"op": "set", "values": {"hard": True}}
Data = dict[str, Any]  # what a step adds to the data of the board
Board = Callable[[], Lab]


@dataclass(frozen=True)
class Choice:
    """An answer that the person can choose.

    why: what makes this answer tempting and what it overlooks, shown if it was chosen and is wrong. is_right: whether
    it is the right answer on every board. Where the board decides, no choice says so, and the step has an `answer`.
    """

    text: str
    why: str = ""
    is_right: bool = False


def right(text: str) -> Choice:
    """Return the choice that is right on every board."""
    return Choice(text, is_right=True)


def wrong(text: str, why: str) -> Choice:
    """Return a choice that is wrong on every board, with what makes it tempting and what it overlooks."""
    return Choice(text, why)


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


def dial(key: str, title: str, label: str, value: float, lo: float, hi: float, step: float, unit: str = "") -> Data:
    """Return a slider under the board that is no setting of the SVM, in the form in which the board draws it.

    title: its help. label: the words beside it, both in the language of the session.
    """
    words = {"title": title, "label": label, "unit": unit}
    check_dial_name(key)
    return {"key": key, "op": "dial", "linear": True, "value": value, "lo": lo, "hi": hi, "step": step, **words}


@dataclass(frozen=True)
class Dial:
    """A slider under the board that is no setting of the SVM. Called with a stage, it returns its present value.

    key: its name in links. title: its help. label: the words beside it. lo, hi, step: its range. start: its value
    until somebody moves it. after_show: whether it appears only with the answer.
    """

    key: str
    title: str
    label: str
    lo: float
    hi: float
    step: float
    start: float = 0.0
    unit: str = ""
    after_show: bool = False

    def __post_init__(self) -> None:
        check_dial_name(self.key)

    def __call__(self, stage: Stage) -> float:
        """Return its present value."""
        return stage.dial(self.key, self.start)

    def to(self, value: float) -> Op:
        """Return the operation that moves it to a value."""
        return {"op": "dial", "values": {self.key: value}}

    def play(self, first: float, last: float, ms: int) -> Data:
        """Return the animation that moves it from one value to another in `ms` milliseconds."""
        return {"key": self.key, "op": "dial", "from": first, "to": last, "ms": ms}

    def as_json(self, stage: Stage) -> Data:
        """Return the slider in the form in which the board draws it."""
        title, label = _(self.title), _(self.label)
        return dial(self.key, title, label, self(stage), self.lo, self.hi, self.step, self.unit)


@dataclass(frozen=True)
class Pick:
    """Options beside the chart, which a step reads by `stage.pick(name)`. Steps of a lesson share them by their name.

    option_text: returns the words of an option. in_more: whether it stands with what is folded away, so that the screen
    stays calm.
    """

    name: str
    label: str
    options: tuple[PickValue, ...]
    default: PickValue
    option_text: Callable[[Any], str] = str
    in_more: bool = False


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
    """A number in the line of numbers: its name, its short text, and its exact value, which a hover shows.

    definition: what the number is, in words, which the hover shows too.
    """

    name: str
    text: str
    exact: str
    definition: str = ""

    @property
    def hover(self) -> str:
        """Return the words of the hover."""
        return f"{self.definition}: {self.exact}" if self.definition else self.exact


def reading(name: str, value: float | str, definition: str = "") -> Reading:
    """Return one number of the line: short, exact and defined on hover, and 0 where it is only rounding."""
    if isinstance(value, str):
        return Reading(name, value, value, definition)
    return Reading(name, short(value, noise=ROUNDING), repr(float(value)), definition)


@dataclass(frozen=True)
class Measure:
    """A number that a step shows: its name, how it is computed, and its definition in words for the hover.

    after_show: whether it appears only with the answer, because it would give the answer away.
    """

    name: str
    value: Callable[[Stage], float | str]
    definition: str = ""
    after_show: bool = False

    def reading(self, stage: Stage) -> Reading:
        """Return the number as it is shown: short, exact on hover, and 0 where it is only rounding."""
        return reading(_(self.name), self.value(stage), _(self.definition))


EQUAL_CLASS_COSTS = Need(
    lambda stage: stage.lab.cost_plus == stage.lab.cost_minus == 1.0,
    N_("In this step the same C holds for all points, but the two classes on the board have different costs."),
    dict.fromkeys(COSTS, 1.0),
)
POINTS = Need(lambda stage: bool(stage.lab.points), N_("There are no points on the board."), {})


def _nothing(stage: Stage) -> None:
    return None


def _no_answer(stage: Stage) -> int:
    raise NotImplementedError("a step without a right() choice needs an answer")


@dataclass(frozen=True, kw_only=True)
class Step:
    """One idea, one question, one picture.

    Words may be constant (marked with N_) or functions of the stage, and what is the same on every board is constant.
    Every function may rely on the needs.

    key: its name in the link. former_key: the key of a step with other choices, which this one has replaced: it opens
    this step with nothing chosen. title: the subject, as a student would look it up. situation: what the board shows,
    what is fixed and what varies, which folds away with the answer. question: one question that stands by itself.
    choices: the possible answers. One of them is `right`, or `answer` returns the index of the right one on this board.
    is_theorem: a theorem decides the answer and not the board, as wherever a choice is `right`. board: the board that
    is lent if the present one does not meet `needs`. shows: the ids of the statements that the step shows and lets
    people try. deeper: whether the step goes deeper than the core path. introduces: the keys of the glossary terms that
    the step explains, so that later steps may use them. verdict: the right answer with its number and its reason. It
    begins with the words of the right choice, and without it these stand alone. dials: sliders under the board. draw:
    what else is added to the data of the board. play: the animation when the answer is shown: {"key", "to", "ms",
    "back"} for a slider, {"point", "from", "ms"} for a point that moves to its present position, {"film": True}, or
    {"space": True} for points that rise in a Space. rests_on_answer: whether the board is in the state that answers the
    question, as it must be after the animation. numbers: one line that follows every move. picks: options beside the
    chart. chart: the picture under the verdict. says: one or two sentences. formula: one line of TeX. letters: terms of
    the glossary by letters that mean something else in other steps. more: what is folded away. tries: three buttons.
    allows_class_costs: whether the step is right if the classes have different costs. placed_line: the line that the
    reader places by hand, which members of a room can hand in.
    """

    key: str
    former_key: str = ""
    title: str
    situation: Text = ""
    question: str
    choices: tuple[Choice, ...]
    answer: Callable[[Stage], int] = _no_answer
    is_theorem: bool = False
    board: Board
    shows: tuple[str, ...]
    deeper: bool = False
    introduces: tuple[str, ...] = ()
    verdict: Text = ""
    needs: tuple[Need, ...] = ()
    dials: tuple[Dial, ...] = ()
    draw: Callable[[Stage], Data] = lambda stage: {}
    play: Callable[[Stage], Data | None] | Data | None = None
    rests_on_answer: Callable[[Stage], bool] | None = None
    numbers: Callable[[Stage], Sequence[Reading]] | tuple[Measure, ...] = ()
    picks: tuple[Pick, ...] = ()
    chart: Callable[[Stage], Chart | Table | Space | None] = _nothing
    says: Text = ""
    formula: Text = ""
    letters: Mapping[str, str] = field(default_factory=dict)
    more: Callable[[Stage], Sequence[Part]] | tuple[str, ...] = ()
    tries: tuple[Try, ...] = ()
    allows_class_costs: bool = False
    placed_line: Callable[[Stage], Line] | None = None

    def __post_init__(self) -> None:
        declared = [i for i, choice in enumerate(self.choices) if choice.is_right]
        if declared:
            object.__setattr__(self, "answer", lambda stage: declared[0])
            object.__setattr__(self, "is_theorem", True)

    @property
    def version(self) -> str:
        """Return a digest of the question and its choices, which changes with them.

        A kept answer names it, so that it counts only as long as the question is the same.
        """
        return sha256("\n".join((self.question, *(each.text for each in self.choices))).encode()).hexdigest()[:8]

    @property
    def all_needs(self) -> tuple[Need, ...]:
        """Return all needs of the step. Equal class costs are one of them unless the step allows others."""
        return self.needs if self.allows_class_costs else (EQUAL_CLASS_COSTS, *self.needs)

    def first_unmet_need(self, stage: Stage) -> Need | None:
        """Return the first need that the board does not meet. Every step needs points."""
        if not stage.lab.points:
            return POINTS
        return next((need for need in self.all_needs if not need.is_met(stage)), None)

    @property
    def has_chart(self) -> bool:
        """Return whether the step has a chart, a table or a picture above the board."""
        return self.chart is not _nothing

    def situation_text(self, stage: Stage) -> str:
        """Return the words about the board, which stand before the question."""
        return _words(self.situation, stage)

    def verdict_text(self, stage: Stage) -> str:
        """Return the verdict in words."""
        return _words(self.verdict or self.choices[self.answer(stage)].text, stage)

    def says_text(self, stage: Stage) -> str:
        """Return the sentences with the chart."""
        return _words(self.says, stage)

    def formula_tex(self, stage: Stage) -> str:
        """Return the formula in TeX."""
        return self.formula if isinstance(self.formula, str) else self.formula(stage)

    def readings(self, stage: Stage) -> Sequence[Reading]:
        """Return the line of numbers."""
        if callable(self.numbers):
            return self.numbers(stage)
        return [measure.reading(stage) for measure in self.numbers if stage.shown or not measure.after_show]

    def more_parts(self, stage: Stage) -> Sequence[Part]:
        """Return what is folded away."""
        return self.more(stage) if callable(self.more) else [_(words) for words in self.more]

    def animation(self, stage: Stage) -> Data | None:
        """Return the animation that plays when the answer is shown."""
        return self.play(stage) if callable(self.play) else self.play

    def drawn(self, stage: Stage) -> Data:
        """Return what the step adds to the data of the board, its sliders included."""
        dials = [dial.as_json(stage) for dial in self.dials if stage.shown or not dial.after_show]
        return self.draw(stage) | ({"sliders": dials} if dials else {})


def _words(text: Text, stage: Stage) -> str:
    return _(text) if isinstance(text, str) else text(stage)


SUMMARY, PRACTICE, CHECK = "summary", "practice", "check"  # the keys of the pages after the last step


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
    """A page of steps. At its end stand its summary, tasks, and the checks of its statements or another `end`.

    intro: what the reader will be able to do, and what the lesson builds on, in two sentences. minutes: how long the
    core path takes. summary: the lesson in five lines with their formulas. lab_to_draw: returns the Lab that the board
    draws, if it is not the present one (for example one without bias).
    """

    page: str
    intro: str
    steps: tuple[Step, ...]
    minutes: int = 0
    summary: tuple[str, ...] = ()
    lab_to_draw: Callable[[Lab], Lab] = lambda lab: lab
    end: End | None = None

    @property
    def last_pages(self) -> Mapping[str, str]:
        """Return the titles of the pages after the last step by their keys."""
        first = {SUMMARY: N_("Summary")} if self.summary and not self.end else {}
        last = self.end.title if self.end else N_("What the lecture notes say")
        return first | {PRACTICE: N_("Check yourself"), CHECK: last}

    @property
    def statement_ids(self) -> tuple[str, ...]:
        """Return the ids of the statements that belong to this page."""
        return tuple(i for i, s in CATALOGUE.items() if s.page == self.page)

    @property
    def steps_by_statement(self) -> dict[str, list[tuple[str, str]]]:
        """Return the address "lesson.step" and the title of each step that shows a statement, by its id."""
        steps_by_id: dict[str, list[tuple[str, str]]] = {}
        for step in self.steps:
            for id in step.shows:
                steps_by_id.setdefault(id, []).append((f"{self.page}.{step.key}", step.title))
        return steps_by_id

    def step(self, key: str | None) -> Step | None:
        """Return the step with this key, or the one that has replaced it, or None."""
        return next((step for step in self.steps if key and key in (step.key, step.former_key)), None)
