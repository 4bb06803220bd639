"""A question with its answer, made from a seed by one function, which also knows the usual mistakes.

The judge distinguishes three things: right, wrong, and unreadable. A wrong answer that comes from a known mistake gets
the sentence of that mistake, and any other wrong answer a plain one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated

from svmlab.binary.problem import Problem
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase
from svmlab.core.rules import Seed, WholeNumber
from svmlab.core.validate import validated
from svmlab.practice.board import Board
from svmlab.practice.conditions import Attempt, Condition
from svmlab.practice.draw import Draw, DrawAgain
from svmlab.practice.hint import LESSONS, Hint, Lesson
from svmlab.practice.typed_numbers import SIGNIFICANT, Unreadable, is_close, read_number, unit

MAX_DRAWS = 500  # of numbers for one question
FEWEST_MISTAKES = 2  # known mistakes of every question
Difficulty = Annotated[int, WholeNumber(1, 3)]


@dataclass(frozen=True)
class Judgement:
    """Whether an answer is right, and a sentence for each part of it.

    known: whether a known mistake explains what is wrong. right_parts: whether each part is right, one for each
    sentence, and None where it could not be read. If it is empty, every part counts like the whole answer.
    """

    right: bool
    sentences: tuple[str, ...]
    known: bool = False
    right_parts: tuple[bool | None, ...] = ()

    @property
    def parts(self) -> tuple[tuple[bool | None, str], ...]:
        """Return for each part whether it is right (None: it could not be read), and its sentence."""
        marks = self.right_parts or (self.right,) * len(self.sentences)
        return tuple(zip(marks, self.sentences, strict=True))

    @property
    def is_complete(self) -> bool:
        """Return whether each part could be read. Otherwise the answer does not count."""
        return None not in self.right_parts


# ---------------------------------------------------------------- numbers


@dataclass(frozen=True)
class Mistake:
    """A wrong number that a known mistake yields, and the sentence that says what was overlooked."""

    value: float
    why: str


@dataclass(frozen=True)
class Number:
    """One number that is asked for.

    label: its name, with formulas between dollar signs. whole: it must be exact, as a number of points.
    """

    label: str
    value: float
    mistakes: tuple[Mistake, ...] = ()
    whole: bool = False

    def is_right(self, typed: float) -> bool:
        """Return whether a typed number is the value, with at least three significant digits."""
        return abs(typed - self.value) < 1e-9 if self.whole else is_close(typed, self.value)

    def judge(self, text: str, joint_why: str = "") -> Judgement:
        """Judge a number as it was typed. Raises Unreadable.

        joint_why: what was overlooked if the number is wrong, as the other numbers show.
        """
        typed = read_number(text)
        shown = _shown(typed)
        if self.is_right(typed):
            return Judgement(True, (Phrase("{typed} is right.", typed=shown),))
        whys = (joint_why, *(mistake.why for mistake in self.mistakes if is_close(typed, mistake.value)))
        if why := next(filter(None, whys), ""):
            return Judgement(False, (Phrase("{typed} is not right. {why}", typed=shown, why=why),), True)
        if not self.whole and abs(typed - self.value) <= 6 * unit(self.value):
            return Judgement(
                False,
                (
                    Phrase(
                        "{typed} is close, but not exact enough. Write a fraction, a root, or {n} significant digits.",
                        typed=shown,
                        n=SIGNIFICANT,
                    ),
                ),
            )
        return Judgement(False, (Phrase("{typed} is not right.", typed=shown),))

    @property
    def is_clear(self) -> bool:
        """Return whether value and mistakes are numbers that differ so much that every answer means one of them."""
        values = [self.value, *(mistake.value for mistake in self.mistakes)]
        return all(map(math.isfinite, values)) and all(
            abs(a - b) > 3 * max(unit(a), unit(b)) for a, b in combinations(values, 2)
        )


@dataclass(frozen=True)
class JointMistake:
    """Numbers that a known mistake yields together, and what was overlooked, for each field.

    values: one for each field, None where any number will do. whys: one for each field; where it is empty, the field
    keeps the sentence of its own.
    """

    values: tuple[float | None, ...]
    whys: tuple[str, ...]


@dataclass(frozen=True)
class Numbers:
    """An answer of one or several numbers. joint: known mistakes that only several of the numbers show."""

    fields: tuple[Number, ...]
    joint: tuple[JointMistake, ...] = ()

    def judge(self, given: Sequence[str]) -> Judgement:
        """Judge the typed numbers, one text for each field. Raises Unreadable if none of them can be read."""
        if len(given) != len(self.fields):
            raise BadInput("answer: {n} numbers are needed.", n=len(self.fields))
        if len(self.fields) == 1:
            return self.fields[0].judge(given[0])
        parts: list[Judgement | Unreadable] = []
        for field, text, why in zip(self.fields, given, self._joint_whys(given), strict=True):
            try:
                parts.append(field.judge(text, why))
            except Unreadable as error:
                parts.append(error)
        judged = [part for part in parts if isinstance(part, Judgement)]
        if not judged:
            raise Unreadable("{label}: {says}", label=self.fields[0].label, says=parts[0])
        marks = tuple(part.right if isinstance(part, Judgement) else None for part in parts)
        sentences = tuple(
            Phrase(
                "{label}: {says}",
                label=field.label,
                says=part.sentences[0] if isinstance(part, Judgement) else part.message,
            )
            for field, part in zip(self.fields, parts, strict=True)
        )
        return Judgement(all(marks), sentences, any(part.known for part in judged), marks)

    def _joint_whys(self, given: Sequence[str]) -> tuple[str, ...]:
        """Return the sentences of the joint mistake that explains the numbers, empty ones if there is none."""
        try:
            typed = [read_number(text) for text in given] if self.joint else []
        except Unreadable:
            typed = []
        for mistake in self.joint if typed else ():
            pairs = zip(typed, mistake.values, strict=True)
            if all(value is None or is_close(number, value) for number, value in pairs):
                return mistake.whys
        return ("",) * len(self.fields)

    @property
    def is_clear(self) -> bool:
        """Return whether right and known wrong answers differ clearly."""
        return all(field.is_clear for field in self.fields) and not any(
            all(value is None or f.is_right(value) for f, value in zip(self.fields, mistake.values, strict=True))
            for mistake in self.joint
        )

    @property
    def mistakes(self) -> int:
        """Return the number of known wrong answers."""
        return sum(len(field.mistakes) for field in self.fields) + len(self.joint)


# ---------------------------------------------------------------- choices


@dataclass(frozen=True)
class Option:
    """One choice. why: what a person who takes it overlooks; empty for the right one."""

    words: str
    why: str = ""


@dataclass(frozen=True)
class Choice:
    """An answer that is one of several choices, exactly one of which is right (the one without `why`)."""

    options: tuple[Option, ...]

    @property
    def right(self) -> int:
        """Return the index of the right choice."""
        (index,) = (i for i, option in enumerate(self.options) if not option.why)
        return index

    def judge(self, given: int) -> Judgement:
        """Judge the index of a choice."""
        if not 0 <= given < len(self.options):
            raise BadInput("answer: choose one of the {n} choices.", n=len(self.options))
        option = self.options[given]
        if given == self.right:
            return Judgement(True, (Phrase("“{words}” is right.", words=option.words),))
        says = Phrase("“{words}” is not right. {why}", words=option.words, why=option.why)
        return Judgement(False, (says,), True)

    @property
    def is_clear(self) -> bool:
        """Return whether all choices differ and exactly one is right."""
        words = [option.words for option in self.options]
        return len(set(words)) == len(words) and sum(not option.why for option in self.options) == 1

    @property
    def mistakes(self) -> int:
        """Return the number of known wrong answers."""
        return len(self.options) - 1


# ---------------------------------------------------------------- points


@dataclass(frozen=True)
class WrongPoints:
    """A wrong set of points that a known mistake yields, by their numbers, and what was overlooked."""

    points: frozenset[int]
    why: str


@dataclass(frozen=True)
class Points:
    """An answer that is a set of points of the question's board, by their numbers from 1.

    is_single: whether the question asks for one point, so that only one can be chosen.
    """

    right: frozenset[int]
    wrong: tuple[WrongPoints, ...]
    is_single: bool = False

    def judge(self, given: Collection[int]) -> Judgement:
        """Judge a set of points."""
        chosen = frozenset(given)
        if chosen == self.right:
            says_right = (
                N_("This is the right point.") if len(chosen) == 1 else N_("These are exactly the right points.")
            )
            return Judgement(True, (says_right,))
        for wrong in self.wrong:
            if chosen == wrong.points:
                return Judgement(False, (wrong.why,), True)
        says = Phrase(
            "This is not right. Points that are missing: {missing}. Points that do not belong: {extra}.",
            missing=len(self.right - chosen),
            extra=len(chosen - self.right),
        )
        return Judgement(False, (says,))

    @property
    def is_clear(self) -> bool:
        """Return whether right and known wrong sets differ."""
        sets = [self.right, *(wrong.points for wrong in self.wrong)]
        return len(set(sets)) == len(sets)

    @property
    def mistakes(self) -> int:
        """Return the number of known wrong answers."""
        return len(self.wrong)


# ---------------------------------------------------------------- boards


@dataclass(frozen=True)
class WrongBoard:
    """A board that does not answer the question, as a known mistake yields it, and how such boards are recognised.

    condition: what the boards of this mistake fulfil.
    """

    board: Board
    condition: Condition
    why: str


@dataclass(frozen=True)
class BoardAnswer:
    """An answer that is a board, changed from the question's board until all conditions hold.

    witness: a board that is right.
    """

    conditions: tuple[Condition, ...]
    witness: Board
    wrong: tuple[WrongBoard, ...]
    start: Board

    def judge(self, given: Problem) -> Judgement:
        """Judge a board by its problem."""
        attempt = Attempt(self.start, given)
        findings = [condition.check(attempt) for condition in self.conditions]
        if all(finding.met for finding in findings):
            return Judgement(True, tuple(finding.sentence for finding in findings))
        for wrong in self.wrong:
            if wrong.condition.check(attempt).met:
                return Judgement(False, (wrong.why,), True)
        return Judgement(False, tuple(finding.sentence for finding in findings if not finding.met))

    @property
    def is_clear(self) -> bool:
        """Return whether the witness is right, and start and known wrong boards are not."""
        wrong = [self.judge(each.board.problem) for each in self.wrong]
        return (
            self.judge(self.witness.problem).right
            and not self.judge(self.start.problem).right
            and all(not each.right and each.known for each in wrong)
        )

    @property
    def mistakes(self) -> int:
        """Return the number of known wrong answers."""
        return len(self.wrong)


Answer = Numbers | Choice | Points | BoardAnswer


# ---------------------------------------------------------------- what the solution draws


@dataclass(frozen=True)
class Boundary:
    """A line w1 x1 + w2 x2 + b = 0 that the solution draws, with its margin lines. label: what stands beside it."""

    w1: float
    w2: float
    b: float
    label: str = ""


# ---------------------------------------------------------------- the question


@dataclass(frozen=True)
class Question:
    """A question as one person gets it.

    situation: what is given, with its numbers as the values of a Phrase. ask: one direct question, which ends in a
    question mark. hints: an idea first, then a step or statement that explains it. solution: the calculation, a line
    for each step of it. board: what is drawn beside the question, if anything. boundaries: what the solution draws
    among the points of the board.
    """

    situation: str
    ask: str
    answer: Answer
    hints: tuple[Hint, ...]
    solution: tuple[str, ...]
    board: Board | None = None
    boundaries: tuple[Boundary, ...] = ()

    @cached_property
    def given(self) -> dict[str, object]:
        """Return the values that stand in situation and question, by their names."""
        return {
            name: value
            for text in (self.situation, self.ask)
            if isinstance(text, Phrase)
            for name, value in text.values.items()
        }

    @property
    def is_clear(self) -> bool:
        """Return whether every known wrong answer differs clearly from the right one and from the others."""
        return self.answer.is_clear and self.answer.mistakes >= FEWEST_MISTAKES


Maker = Callable[[Draw, int], Question]


@dataclass(frozen=True)
class QuestionType:
    """A kind of question, with as many variants as there are seeds.

    key: the name of its module. It stands in links and in the progress, so it never changes. version: raised when the
    same seed gives another question. needs: for each difficulty what explains the question, as "lesson.step" of the app
    or as the id of a statement.
    """

    key: str
    title: str
    lesson: Lesson
    make: Maker
    difficulties: tuple[int, ...] = (1, 2, 3)
    version: int = 1
    needs: tuple[tuple[str, ...], ...] = ()

    def needs_of(self, difficulty: int) -> tuple[str, ...]:
        """Return what explains a question of this difficulty."""
        return dict(zip(self.difficulties, self.needs, strict=True))[difficulty]

    @validated
    def question(self, seed: Seed = 0, difficulty: Difficulty = 1) -> Question:
        """Return the question of a seed, always the same one.

        Numbers are drawn until every known wrong answer differs from the right one. Raises BadInput for a difficulty
        that the type does not have.
        """
        if difficulty not in self.difficulties:
            raise BadInput(
                "difficulty: {value} does not exist for “{title}”. Use one of {known}.",
                value=quoted(difficulty),
                title=self.title,
                known=", ".join(map(str, self.difficulties)),
            )
        for question in self.drawn(seed, difficulty):
            if question is not None and question.is_clear:
                return question
        raise RuntimeError(f"{self.key}: none of {MAX_DRAWS} draws is a clear question. Loosen what the type needs.")

    def drawn(self, seed: int, difficulty: int) -> Iterator[Question | None]:
        """Yield the questions of the first draws of a seed, or None where the type rejects the numbers."""
        draw = Draw(self.key, difficulty, seed)
        for _ in range(MAX_DRAWS):
            try:
                yield self.make(draw, difficulty)
            except DrawAgain:
                yield None


def question_type(
    title: str,
    *,
    lesson: Lesson,
    needs: tuple[str, ...] | Mapping[int, tuple[str, ...]],
    difficulties: tuple[int, ...] = (1, 2, 3),
    version: int = 1,
) -> Callable[[Maker], QuestionType]:
    """Make the function below a QuestionType, whose key is the name of its module.

    needs: what explains the question, for each difficulty where it is not the same.
    """
    if lesson not in LESSONS or not set(difficulties) <= {1, 2, 3}:
        raise ValueError(f"{title}: {lesson!r} is no lesson, or {difficulties} are no difficulties.")

    of_each = tuple(needs if isinstance(needs, tuple) else needs[level] for level in difficulties)

    def wrap(make: Maker) -> QuestionType:
        return QuestionType(make.__module__.rpartition(".")[2], title, lesson, make, difficulties, version, of_each)

    return wrap


def distinct(value: float, *candidates: Mistake) -> tuple[Mistake, ...]:
    """Return those mistakes that give another number than `value` and than the mistakes before them."""
    usable: list[Mistake] = []
    for mistake in candidates:
        if Number("", value, (*usable, mistake)).is_clear:
            usable.append(mistake)
    return tuple(usable)


def one_of(draw: Draw, right: str, *wrong: tuple[str, str]) -> Choice:
    """Return the choice between the right words and the wrong ones (words, why), in random order."""
    options = [Option(right), *(Option(words, why) for words, why in wrong)]
    return Choice(tuple(draw.several_of(options, len(options))))


def in_order(right: str, *options: tuple[str, str]) -> Choice:
    """Return the choice between options (words, why) in the given order; `right` are the words of the right one.

    For answers with an order of their own, such as larger, smaller, unchanged. `why` is ignored for the right one.
    """
    return Choice(tuple(Option(words, "" if words == right else why) for words, why in options))


def _shown(typed: float) -> str:
    """Return a typed number as it was understood, with at most six significant digits."""
    return f"{typed:.6g}".replace("-", "−")
