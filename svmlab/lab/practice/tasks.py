"""The tasks of the page Practice by their names in links, and boards of tasks as boards of the app.

A question is named "margin-width-2-17": its type, its difficulty and its seed. A goal is named by its key.
"""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib import import_module

from svmlab import Problem, Solution, SvmError
from svmlab.core.phrase import Phrase
from svmlab.lab import lessons
from svmlab.lab.session.lab import Lab, Point, smallest_view
from svmlab.lab.teach.step import Lesson as StepsOfLesson
from svmlab.lab.words import N_
from svmlab.practice import GOALS, QUESTION_TYPES, Board, BoardAnswer, Goal, Question, QuestionType
from svmlab.practice.conditions import Attempt, Finding
from svmlab.practice.hint import Hint

PAGE = "practice"
QUESTION, GOAL = "question", "goal"
KINDS = {QUESTION: N_("Questions"), GOAL: N_("Goals on the board")}
DIFFICULTIES = {1: N_("easy"), 2: N_("medium"), 3: N_("hard")}
GOAL_VERSION = "1"  # of every goal in the progress
SEEDS = 10_000  # seeds of the variants that the page offers; a link may have any seed of nine digits
VARIANT = re.compile(r"([a-z0-9-]+)-([1-3])-([0-9]{1,9})")


def slug(key: str) -> str:
    """Return the key of a question type as it stands in links and in the progress."""
    return key.replace("_", "-")


TYPES = {slug(key): kind for key, kind in QUESTION_TYPES.items()}


@dataclass(frozen=True)
class Variant:
    """One question: its type, difficulty and seed."""

    kind: QuestionType
    difficulty: int
    seed: int

    @property
    def name(self) -> str:
        """Return its name in links."""
        return f"{slug(self.kind.key)}-{self.difficulty}-{self.seed}"

    @property
    def question(self) -> Question:
        """Return the question, always the same one."""
        return _question(self.kind.key, self.seed, self.difficulty)

    @property
    def progress_key(self) -> str:
        """Return the name under which the browser keeps whether a question of this difficulty was answered."""
        return f"{PAGE}.{slug(self.kind.key)}-{self.difficulty}"

    def another(self, difficulty: int | None = None) -> Variant:
        """Return another question of the type, of this or another difficulty."""
        seed = secrets.randbelow(SEEDS - 1)
        return replace(self, difficulty=difficulty or self.difficulty, seed=seed + (seed >= self.seed))


@lru_cache(64)
def _question(key: str, seed: int, difficulty: int) -> Question:
    return QUESTION_TYPES[key].question(seed, difficulty)


def first_of(kind: QuestionType, seed: int | None = None) -> Variant:
    """Return a question of the smallest difficulty. Without a seed, one is drawn."""
    return Variant(kind, kind.difficulties[0], secrets.randbelow(SEEDS) if seed is None else seed)


@dataclass(frozen=True)
class Entry:
    """An entry of the list: a question type, or a goal.

    name: its part of the names in links and in the progress. levels: its difficulties.
    """

    name: str
    title: str
    lesson: str
    kind: str
    levels: tuple[int, ...]
    version: str
    progress_keys: tuple[str, ...]

    @property
    def task(self) -> str:
        """Return the name of the task that it opens: a question with a seed that is drawn, or the goal."""
        return self.task_with()

    def task_with(self, seed: int | None = None) -> str:
        """Return the name of the task that it opens, with this seed if it is a question."""
        return first_of(TYPES[self.name], seed).name if self.kind == QUESTION else self.name


def entries() -> list[Entry]:
    """Return all entries of the list, the questions first."""
    types = [
        Entry(name, kind.title, kind.lesson, QUESTION, kind.difficulties, str(kind.version), tuple(keys))
        for name, kind in TYPES.items()
        for keys in [[f"{PAGE}.{name}-{level}" for level in kind.difficulties]]
    ]
    goals = [
        Entry(name, goal.title, goal.lesson, GOAL, (goal.level,), GOAL_VERSION, (f"{PAGE}.{name}",))
        for name, goal in GOALS.items()
    ]
    return types + goals


def task_of(name: str | None) -> Variant | Goal | None:
    """Return the task with this name in links, or None if there is none."""
    if name is None:
        return None
    if name in GOALS:
        return GOALS[name]
    match = VARIANT.fullmatch(name)
    kind = TYPES.get(match[1]) if match else None
    if match is None or kind is None or int(match[2]) not in kind.difficulties:
        return None
    return Variant(kind, int(match[2]), int(match[3]))


# ---------------------------------------------------------------- what is played on the board


@dataclass(frozen=True)
class BoardTask:
    """A task that is reached on the board: a goal, or a question whose answer is a board.

    judge: returns what holds on a board. keeps_settings: whether a setting must stay, so that no control is shown.
    """

    name: str
    title: str
    lesson: str
    level: int
    start: Board
    situation: str
    aim: str
    rules: str
    hints: tuple[Hint, ...]
    witness: Board | None
    judge: Callable[[Problem, Solution | None], tuple[Finding, ...]]
    is_quick: bool
    fewest: int | None
    keeps_settings: bool
    progress_key: str
    version: str
    hide: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()
    is_question: bool = False


def board_task_of(task: Variant | Goal) -> BoardTask | None:
    """Return the task as one that is played on the board, or None for a question with an answer field."""
    if isinstance(task, Goal):
        keeps_settings = any(getattr(condition, "settings", ()) for condition in task.conditions)
        return BoardTask(
            task.key,
            task.title,
            task.lesson,
            task.level,
            task.start,
            task.situation,
            task.aim,
            task.rules,
            task.hints,
            task.witness,
            lambda problem, solution: task.judge(problem, solution).findings,
            task.is_quick,
            task.fewest,
            keeps_settings,
            f"{PAGE}.{task.key}",
            GOAL_VERSION,
            task.hide,
        )
    question, answer = task.question, task.question.answer
    if not isinstance(answer, BoardAnswer):
        return None
    return BoardTask(
        task.name,
        task.kind.title,
        task.kind.lesson,
        task.difficulty,
        answer.start,
        question.situation,
        question.ask,
        "",
        question.hints,
        answer.witness,
        lambda problem, solution: _findings(answer, problem, solution),
        all(condition.is_quick for condition in answer.conditions),
        None,
        any(getattr(condition, "settings", ()) for condition in answer.conditions),
        task.progress_key,
        str(task.kind.version),
        solution=question.solution,
        is_question=True,
    )


def _findings(answer: BoardAnswer, problem: Problem, solution: Solution | None) -> tuple[Finding, ...]:
    """Return what holds on a board, with the sentence of a known mistake in place of the first finding it explains."""
    attempt = Attempt(answer.start, problem, solution)
    findings = [condition.check(attempt) for condition in answer.conditions]
    if not all(finding.met for finding in findings):
        for wrong in answer.wrong:
            if wrong.condition.check(attempt).met:
                return (*(finding for finding in findings if finding.met), Finding(False, wrong.why))
    return tuple(findings)


def lab_of(board: Board) -> Lab:
    """Return the board of a task as a board of the app."""
    rows = zip(board.ids, board.points, strict=True)
    points = tuple(Point(id_, round(1000 * x1), round(1000 * x2), label) for id_, (x1, x2, label) in rows)
    kernel = board.kernel
    settings = {field.name: getattr(kernel, field.name) for field in fields(kernel)}
    hard = math.isinf(board.C)
    if not hard:
        settings |= {"value": board.C, "face": "C"}
    return replace(
        Lab(),
        points=points,
        kernel=type(kernel).__name__.lower(),
        bias=board.bias,
        hard=hard,
        view=smallest_view(points),
        **settings,
    )


def findings_on(lab: Lab, board_task: BoardTask, solution: Solution | None) -> tuple[Finding, ...]:
    """Return what holds on a board of the app. An error of the board becomes a finding that is not met."""
    try:
        return board_task.judge(lab.problem, solution)
    except SvmError as error:
        return (Finding(False, error.message),)


def lesson_of(page: str) -> StepsOfLesson:
    """Return a lesson of the app by its page."""
    lesson: StepsOfLesson = import_module(f"{lessons.__name__}.{page}").LESSON
    return lesson


def step_title(step: str) -> str:
    """Return the title of a step "lesson.key"."""
    page, key = step.split(".")
    lesson_step = lesson_of(page).step(key)
    return lesson_step.title if lesson_step else Phrase("{key}", key=key)
