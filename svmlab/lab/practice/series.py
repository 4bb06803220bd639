"""Several tasks in a row that are answered in place: which ones, which one is open, and when they are judged.

The address carries all of it, the answers as well, so a reload shows the same tasks as they were left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from svmlab.lab.practice import tasks
from svmlab.lab.practice.tasks import BoardTask, Variant
from svmlab.lab.session.tab import Session
from svmlab.practice import Goal

MAX_TASKS = 10  # tasks of a series
AT_ONCE, AT_END, ASKED = "once", "end", "asked"  # when answers are judged; ASKED: at the end, which has come


@dataclass(frozen=True)
class Series:
    """The series of a page and step. It is kept among the options of the page, as long as this step is open."""

    session: Session
    page: str
    step: str

    @property
    def board_name(self) -> str:
        """Return the name of the board that is lent to a task."""
        return f"{self.page}.{self.step}"

    @property
    def tasks(self) -> tuple[Variant | Goal, ...]:
        """Return the tasks. Names that a link has and nobody knows are left out."""
        return tuple(task for _n, task in self._numbered)

    @property
    def _numbered(self) -> list[tuple[int, Variant | Goal]]:
        """Return the tasks, each with its number in the address."""
        named = [(n, self.session.lessons.picks.get(self._pick(f"task{n}"))) for n in range(1, MAX_TASKS + 1)]
        numbered_tasks = [(n, tasks.task_of(name)) for n, name in named if isinstance(name, str)]
        return [(n, task) for n, task in numbered_tasks if task is not None]

    def answer_to(self, task: Variant | Goal) -> object:
        """Return what the address says about the answer to a task, or None."""
        n = next((n for n, each in self._numbered if each == task), None)
        return self.session.lessons.picks.get(self._pick(f"answer{n}"))

    def keep_answer(self, task: Variant | Goal, word: str | None) -> None:
        """Let the address carry the answer to a task, or none."""
        for n, each in self._numbered:
            if each == task and word is None:
                self.session.lessons.picks.pop(self._pick(f"answer{n}"), None)
            elif each == task:
                assert word is not None
                self._set(f"answer{n}", word)

    @property
    def at(self) -> int:
        """Return the index of the open task. After the last task stands the result."""
        at = self.session.lessons.picks.get(self._pick("open"))
        return at - 1 if isinstance(at, int) and 1 <= at <= len(self.tasks) + 1 else 0

    @property
    def task(self) -> Variant | Goal | None:
        """Return the open task, or None where the result is open."""
        return self.tasks[self.at] if self.at < len(self.tasks) else None

    @property
    def board_task(self) -> BoardTask | None:
        """Return the open task as one that is played on the board, or None."""
        return None if self.task is None else tasks.board_task_of(self.task)

    @property
    def judged(self) -> str:
        """Return when the answers are judged."""
        when = self.session.lessons.picks.get(self._pick("judge"))
        return when if when in (AT_END, ASKED) else AT_ONCE

    @property
    def hides_verdicts(self) -> bool:
        """Return whether nothing says yet what is right."""
        return self.judged == AT_END

    def begin(self, names: Sequence[str]) -> None:
        """Begin with other tasks, at the first one. A board that was lent to an earlier task is forgotten."""
        for n in range(1, MAX_TASKS + 1):
            for name in (f"task{n}", f"answer{n}"):
                self.session.lessons.picks.pop(self._pick(name), None)
        for n, name in enumerate(names, start=1):
            self._set(f"task{n}", name)
        if self.judged == ASKED:
            self.judge(AT_END)
        if self.session.boards.shown == self.board_name:
            self.session.show_board(None)
        self.session.boards.lent.pop(self.board_name, None)
        self.open(0)

    def open(self, at: int) -> None:
        """Open the task with this index, or the result after the last one."""
        self._set("open", at + 1)
        self.session.note(None)
        self.session.lessons.prepared_step = None
        self.prepare_board()

    def judge(self, when: str) -> None:
        """Set when the answers are judged."""
        self._set("judge", when)

    def prepare_board(self) -> None:
        """Show the board of the open task, as it was left, or the own board if the task has none."""
        session, board_task, name = self.session, self.board_task, self.board_name
        self._claim()
        if session.lessons.prepared_step == name:
            return
        session.lessons.prepared_step = name
        session.lessons.step_board = None
        session.leave_job()
        if board_task is None:
            session.show_board(None)
        elif name in session.boards.lent:
            session.show_board(name)
        else:
            session.show_board(name, tasks.lab_of(board_task.start), given=True)

    def _pick(self, name: str) -> str:
        return f"{self.page}.{name}"

    def _set(self, name: str, value: int | str) -> None:
        self.session.lessons.picks[self._pick(name)] = value
        self._claim()

    def _claim(self) -> None:
        """Let the address carry the options of the series while its step is open, and not on other steps."""
        numbered = (f"{name}{n}" for name in ("task", "answer") for n in range(1, MAX_TASKS + 1))
        for name in ("open", "judge", *numbered):
            self.session.lessons.input_scopes[f"pick {self._pick(name)}"] = self.board_name
