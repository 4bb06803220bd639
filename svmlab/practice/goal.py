"""A goal: a board to reach, described by conditions. It is frozen data that travels as JSON or in a link."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.practice.board import Board, board_from_json, object_with
from svmlab.practice.conditions import Attempt, Condition, Finding, condition_from_json
from svmlab.practice.hint import LESSONS, Hint, Lesson

FORMAT = 1  # the version of the JSON form
HIDEABLE = ("data", "kernel", "price", "hard", "bias", "pin", "more")  # the controls that a board can hide
LEVELS = (1, 2, 3)  # easy, medium, hard
MAX_CONDITIONS = 12
MAX_TITLE, MAX_WORDS = 80, 600  # characters
START_REACHES = N_("The start reaches this goal already. Change the start, or add a condition that it does not meet.")
EMPTY_REACHES = N_("A board without points reaches this goal. Add a condition that needs points.")
MAX_LINK, MAX_JSON = 8000, 100_000  # characters of a link, and bytes of the JSON in it


@dataclass(frozen=True)
class Progress:
    """The progress towards a goal: a finding for each condition, whether all are met, and the stars.

    One star is for a board that meets all conditions, and a second one for no more changes than `Goal.fewest`. A goal
    has one start and no variants, so there is no third star.
    """

    findings: tuple[Finding, ...]
    changes: int
    fewest: int | None = None

    @property
    def is_solved(self) -> bool:
        """Return whether every condition is met."""
        return all(finding.met for finding in self.findings)

    @property
    def stars(self) -> int:
        """Return the number of stars: 0, 1 or 2."""
        return self.is_solved * (1 + (self.fewest is not None and self.changes <= self.fewest))

    @property
    def unmet(self) -> int:
        """Return how many conditions are not met."""
        return sum(not finding.met for finding in self.findings)


@dataclass(frozen=True)
class Goal:
    """A board to reach from `start`: every condition must be met.

    key: its name, of small letters, digits and hyphens. It stands in links and in the progress, so it never changes.
    level: 1 (easy) to 3 (hard). situation: one or two sentences before the goal itself, which is made from the
    conditions. hide: controls that are not shown. hints: an idea first, then a step or a statement. witness: a board
    that meets all conditions; it is the last hint. fewest: the smallest number of changed, added and deleted points
    that reaches the goal, or None. Raises BadInput, which names the field.
    """

    key: str
    title: str
    lesson: Lesson
    level: int
    start: Board
    conditions: tuple[Condition, ...]
    situation: str = ""
    hints: tuple[Hint, ...] = ()
    witness: Board | None = None
    hide: tuple[str, ...] = ()
    fewest: int | None = None

    def __post_init__(self) -> None:
        if self.lesson not in LESSONS:
            raise BadInput(
                "lesson: {lesson} is not a lesson. Use one of {known}.",
                lesson=quoted(self.lesson),
                known=", ".join(LESSONS),
            )
        if not isinstance(self.level, int) or self.level not in LEVELS:
            raise BadInput("level: {level} is not 1, 2 or 3.", level=quoted(self.level))
        for name, text, most in (("title", self.title, MAX_TITLE), ("situation", self.situation, MAX_WORDS)):
            if not isinstance(text, str) or len(text) > most or not all(sign.isprintable() for sign in text):
                raise BadInput(
                    "{field}: {text} is not a text of at most {most} characters in one line.",
                    field=name,
                    text=quoted(text),
                    most=most,
                )
        if not all(isinstance(condition, Condition) for condition in self.conditions):
            raise BadInput("conditions: {value} are not all conditions.", value=quoted(self.conditions))
        if not 1 <= len(self.conditions) <= MAX_CONDITIONS or all(each.is_rule for each in self.conditions):
            raise BadInput(
                "conditions: a goal needs 1 to {most} conditions, and at least one that describes the board.",
                most=MAX_CONDITIONS,
            )
        if unknown := set(self.hide) - set(HIDEABLE):
            raise BadInput(
                "hide: {name} is not a control that can be hidden. Use names from {known}.",
                name=quoted(min(unknown)),
                known=", ".join(HIDEABLE),
            )

    @property
    def aim(self) -> str:
        """Return what the board must fulfil, as one sentence made from the conditions."""
        *most, last = [each.clause for each in self.conditions if not each.is_rule]
        wanted = Phrase("{most} and {last}", most=join_phrases(*most, separator=", "), last=last) if most else last
        return Phrase("Make a board on which {wanted}.", wanted=wanted)

    @property
    def rules(self) -> str:
        """Return what the reader may do, as sentences, or an empty text if everything is allowed."""
        return join_phrases(*(each.clause for each in self.conditions if each.is_rule))

    @property
    def sentence(self) -> str:
        """Return the goal in words: the aim, followed by the rules."""
        return join_phrases(self.aim, self.rules)

    @property
    def is_quick(self) -> bool:
        """Return whether the goal can be judged while a point is dragged."""
        return all(condition.is_quick for condition in self.conditions)

    def judge(self, problem: Problem, solution: Solution | None = None) -> Progress:
        """Return how far a board is from the goal. solution: that of the problem, if the caller has it."""
        attempt = Attempt(self.start, problem, solution)
        findings = tuple(condition.check(attempt) for condition in self.conditions)
        return Progress(findings, attempt.changes.total, self.fewest)

    @cached_property
    def as_json(self) -> dict[str, Any]:
        """Return what a link carries, as values that JSON knows: everything but hints and witness."""
        words = {"title": str(self.title), "situation": str(self.situation)}
        return {
            "format": FORMAT,
            "lesson": self.lesson,
            "level": self.level,
            **{name: text for name, text in words.items() if text},
            "start": self.start.as_json,
            "conditions": [condition.as_json for condition in self.conditions],
            **({"hide": list(self.hide)} if self.hide else {}),
        }

    def to_text(self) -> str:
        """Return the goal as the text of a file, which `goal_from_text` reads."""
        return json.dumps(self.as_json, ensure_ascii=False, indent=1) + "\n"

    def to_link(self) -> str:
        """Return the goal as a string for an address, which `goal_from_link` reads."""
        text = json.dumps(self.as_json, ensure_ascii=False, separators=(",", ":"))
        return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def weaknesses(goal: Goal) -> tuple[str, ...]:
    """Return a sentence for each way in which a goal is too easy: its start reaches it, or an empty board does."""
    empty = replace(goal.start, points=(), ids=())
    cases = ((goal.start, START_REACHES), (empty, EMPTY_REACHES))
    return tuple(sentence for board, sentence in cases if goal.judge(board.problem).is_solved)


def goal_from_json(value: object) -> Goal:
    """Return the goal that `Goal.as_json` wrote, as a goal of the reader. Raises BadInput for anything else."""
    entries = object_with(
        "goal", value, {"format", "start", "conditions"}, {"lesson", "level", "title", "situation", "hide"}
    )
    if entries["format"] != FORMAT:
        raise BadInput(
            "format: {version} is not {known}. This goal is from another version of svmlab.",
            version=quoted(entries["format"]),
            known=FORMAT,
        )
    conditions, hide, lesson = entries["conditions"], entries.get("hide", []), entries.get("lesson", "own")
    if not isinstance(conditions, list) or len(conditions) > MAX_CONDITIONS:
        raise BadInput("conditions: {value} is not a list of conditions.", value=quoted(conditions))
    if not isinstance(hide, list) or not all(isinstance(name, str) for name in hide):
        raise BadInput("hide: {value} is not a list of names.", value=quoted(hide))
    return Goal(
        key="own",
        title=entries.get("title", ""),
        lesson=lesson,
        level=entries.get("level", 1),
        start=board_from_json(entries["start"]),
        conditions=tuple(map(condition_from_json, conditions)),
        situation=entries.get("situation", ""),
        hide=tuple(hide),
    )


def goal_from_link(link: str) -> Goal:
    """Return the goal that `Goal.to_link` wrote. Raises BadInput, which says what is wrong with any other string."""
    damaged = BadInput("This link to a goal is damaged. Ask for the link again.")
    if len(link) > MAX_LINK:
        raise BadInput("This link to a goal has more than {most} characters. Ask for the link again.", most=MAX_LINK)
    try:
        packed = base64.b64decode(link + "=" * (-len(link) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, MAX_JSON)
        if not unpacking.eof:
            raise damaged
        return goal_from_json(json.loads(text, parse_constant=_refuse))
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise damaged from error


def goal_from_text(text: str) -> Goal:
    """Return the goal in the text of a file, as `Goal.to_text` wrote it. Raises BadInput for any other text."""
    if len(text) > MAX_JSON:
        raise BadInput("This file has more than {most} characters. Choose a file with a goal.", most=MAX_JSON)
    try:
        return goal_from_json(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("This file is not a goal. Choose a file that “Save as a file” has written.") from error


def _refuse(constant: str) -> None:
    raise ValueError(constant)
