"""Practice: exam questions from seeds, and goals on the board, each judged exactly. No interface stands here.

    QUESTION_TYPES["margin_width"].question(seed=7, difficulty=2).answer.judge(["2/sqrt(5)"])
    GOALS["three-support-vectors"].judge(problem).is_solved

`sheet.py` writes questions as a sheet for paper and its solutions, and `moodle.py` as a file for Moodle. `goal.py`
reads goals that people make, from a link or a file, and says what makes one too easy.

Add a question type
-------------------
Two files, and nothing else: `question_types/NAME.py` here, and `tests/practice/second_ways/NAME.py`. The name of the
module is the key of the type. It never changes, because links and the progress contain it.

1. `question_types/NAME.py` has one function under `@question_type(title, lesson=..., needs=("lesson.step",))`. It gets
   a `Draw` and the difficulty, draws all numbers with `draw.whole`, `draw.one_of` and so on, and returns a `Question`.
   `needs` names the steps and statements that explain the question, among them those that the hints open, for all
   `difficulties` or for each. "Check yourself" asks only what the core path has shown by the end of the lesson.
   `margin_width.py` is a short one to copy. The parts of a Question:

   - `situation`: what is given, as `Phrase("... $w = ({w1}, {w2})$ ...", w1=w1, w2=w2)`. Every number that the reader
     needs is a value of the Phrase (an int, a Fraction or a float), because the second way reads it from there. Braces
     of TeX are doubled. Write f(x) = ⟨w, x⟩ + b whenever b is a number. Points of a `Board` are numbered from 1.
   - `ask`: one direct question that ends in a question mark.
   - `answer`: `Numbers((Number(label, value, mistakes), ...))`, or a choice by `one_of(draw, right, (wrong, why), ...)`
     or `in_order(...)`, or `Points`, or `BoardAnswer`. At least two known mistakes, `Mistake(value, why)`. `why` is one
     or two sentences: what makes the mistake tempting, and what it overlooks. Leave a mistake out where it does not
     apply. If a mistake gives the right number, or two mistakes give the same one, other numbers are drawn by
     themselves; `draw.need(condition)` asks for others too.
   - `hints`: first `Hint(idea)`, then one with `step="lesson.key"` or `statement="M1"`.
   - `solution`: the lines of the calculation with this question's numbers. `boundaries` are the lines that it draws
     among the points of the board.

   It may use everything below this package, such as `svmlab.solve`. It imports no other question type.
2. `tests/practice/second_ways/NAME.py` has `def answer(question)`, which computes the right answer from
   `question.given` and `question.board` in another way (fractions, a grid, brute force, cvxopt), and imports nothing of
   svmlab but `svmlab.data`. It returns a tuple of numbers for `Numbers`, the words of the right option (or a text that
   they contain) for `Choice`, a set of point numbers for `Points`, and for `BoardAnswer` a function that tells whether
   rows (x1, x2, label) answer the question.

Compute with whole numbers and Fractions where a result can be 0, because 2e-16 is not 0.
`tests/practice/test_question_types.py` then tries the type with 20 seeds, and with 1,000 under `sweep`. It fails if
the second way disagrees, if a mistake is missing, if a number is not readable, if there are few variants, if a hint
leads nowhere, or if a text breaks the rules for words in `tests/pages/test_pages_plain_english.py`.

Add a goal
----------
One entry `NAME = Goal(...)` in `goals/LESSON.py` (or in another module there, all are found). The sentence of the goal
is made from its conditions, which `conditions.py` lists: `Count`, `Value`, `Ratio`, `Separable`, `Unique`, `Fails`, and
the rules `ChangeLimit` (how many points may be changed) and `Keep` (which settings must stay). A new thing to count or
measure is one line in COUNTS or QUANTITIES there.

- `start` is a `Board`, coordinates in thousandths within ±8. `Keep()` is usual: kernel, C and bias stay.
- `witness` is a board that reaches the goal, usually made from the start so that the changes are counted:
  `START.moved({2: (1.5, 0)}).with_points((0, 1, -1)).without(4)`, or `replace(START, C=10)`.
- `fewest` is the smallest number of changed points, if it is known; the witness must attain it.
- `hints` as for questions. The witness is offered after them.

`tests/practice/test_goals.py` checks that start and empty board do not reach the goal and that the witness does.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from svmlab.practice import goals, question_types
from svmlab.practice.board import Board
from svmlab.practice.goal import Goal, Progress, goal_from_json, goal_from_link, goal_from_text, weaknesses
from svmlab.practice.hint import LESSONS, Hint, Lesson
from svmlab.practice.question import (
    BoardAnswer,
    Boundary,
    Choice,
    Judgement,
    Mistake,
    Number,
    Numbers,
    Points,
    Question,
    QuestionType,
)
from svmlab.practice.typed_numbers import Unreadable, read_number

Entry = TypeVar("Entry", Goal, QuestionType)


def _entries(package: ModuleType, kind: type[Entry]) -> Iterator[Entry]:
    """Yield the entries of that kind in all modules of a package, by themselves or in a tuple."""
    for module in pkgutil.iter_modules(package.__path__):
        for value in vars(import_module(f"{package.__name__}.{module.name}")).values():
            yield from (e for e in (value if isinstance(value, tuple) else (value,)) if isinstance(e, kind))


def _registry(entries: Iterator[Entry]) -> dict[str, Entry]:
    """Return the entries by key, in the order of the lessons, then easier before harder. Raises ValueError."""

    def order(entry: Entry) -> tuple[object, ...]:
        return LESSONS.index(entry.lesson), entry.level if isinstance(entry, Goal) else 0, entry.title

    ordered = sorted(entries, key=order)
    registry = {entry.key: entry for entry in ordered}
    if len(registry) < len(ordered):
        twice = sorted({e.key for e in ordered if registry[e.key] is not e})
        raise ValueError(f"Two entries are called {' and '.join(twice)}: give one of them a name of its own.")
    return registry


QUESTION_TYPES: dict[str, QuestionType] = _registry(_entries(question_types, QuestionType))
GOALS: dict[str, Goal] = _registry(_entries(goals, Goal))

__all__ = [
    "GOALS",
    "LESSONS",
    "QUESTION_TYPES",
    "Board",
    "BoardAnswer",
    "Boundary",
    "Choice",
    "Goal",
    "Hint",
    "Judgement",
    "Lesson",
    "Mistake",
    "Number",
    "Numbers",
    "Points",
    "Progress",
    "Question",
    "QuestionType",
    "Unreadable",
    "goal_from_json",
    "goal_from_link",
    "goal_from_text",
    "read_number",
    "weaknesses",
]
