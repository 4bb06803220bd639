"""The picture of a board. Every page and the drag socket get it from here, so a drag shows what the page would show."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Protocol

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab import words
from svmlab.lab.board import second_board, task_picture
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.hidden_parts import without_hidden
from svmlab.lab.board.payload import Data, picture
from svmlab.lab.session.cache import Cache, Outcome, Result, Solved
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.held_out import cached_held_out
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.plane.contours import SolutionDrawing

StepPart = Callable[[History, Result[Any] | None], Data]


class Solver(Protocol):
    """What solves and measures boards that have points. All solvers return the same results."""

    def outcome(self, lab: Lab) -> Outcome:
        """Return the result of a problem of two classes."""

    def task_outcome(self, lab: Lab) -> Result[Solved]:
        """Return the result of a problem of several classes or of values."""

    def drawing(self, solution: Solution, half: float) -> SolutionDrawing:
        """Return the level lines of a solution."""

    def held_out(self, lab: Lab, solution: Solution | None) -> HeldOut | None:
        """Return how a solution classifies test points, or None if none are wanted."""


@dataclass(frozen=True)
class CachedSolver:
    """The solver of a page, which keeps results in the cache of the session."""

    cache: Cache

    def outcome(self, lab: Lab) -> Outcome:
        """Return the result of a problem of two classes."""
        return self.cache.outcome(lab.problem)

    def task_outcome(self, lab: Lab) -> Result[Solved]:
        """Return the result of a problem of several classes or of values."""
        return self.cache.task_outcome(lab)

    def drawing(self, solution: Solution, half: float) -> SolutionDrawing:
        """Return the level lines of a solution."""
        return self.cache.drawing(solution, half)

    def held_out(self, lab: Lab, solution: Solution | None) -> HeldOut | None:
        """Return how a solution classifies test points, or None if none are wanted."""
        return cached_held_out(self.cache, lab, solution)


@dataclass(frozen=True)
class Additions:
    """What stands on a board beside the solution of its own problem.

    hidden: what the link hides. test_points: whether test points are shown where the board wants them. second:
    whether a second board stands beside it. lab_to_draw: returns the Lab that is drawn instead of the present one.
    step_part: what the open step draws, from the present history and the result of the board that is drawn.
    """

    hidden: Collection[str] = ()
    test_points: bool = False
    second: bool = False
    lab_to_draw: Callable[[Lab], Lab] | None = None
    step_part: StepPart | None = None


def board_picture(history: History, solver: Solver, added: Additions) -> Data:
    """Return everything on the board that follows from the points, the settings and the sliders of the open step."""
    lab = added.lab_to_draw(history.present) if added.lab_to_draw else history.present
    data, result = _solved(replace(history, present=lab), solver, added)
    if added.second:
        data |= second_board.second_picture(history, solver.outcome, solver.drawing, solver.held_out, added.hidden)
    if added.step_part is not None:
        data |= drawn_or_message(lambda: added.step_part(history, result))  # type: ignore[misc]
    return without_hidden(data, added.hidden)


def drawn_or_message(draw: Callable[[], Data]) -> Data:
    """Return what a step draws, or a message on the board if that fails."""
    try:
        return draw()
    except Exception as error:
        return {"message": {"tone": "warn", "text": words.message_of(to_svm_error(error))}}


def _solved(history: History, solver: Solver, added: Additions) -> tuple[Data, Result[Any] | None]:
    """Return the picture of one board and the result of its problem. If that fails, the points remain visible."""
    lab = history.present
    result: Result[Any] | None = None
    try:
        if lab.task != BINARY:
            result = solver.task_outcome(lab) if lab.points else None
            return task_picture.picture(history, result), result
        result = solver.outcome(lab) if lab.points else None
        solution = result.solution if result else None
        drawing = solver.drawing(solution, lab.view) if solution else None
        data = picture(history, result, drawing, added.hidden)
        return data | (overlay(lab, solver.held_out(lab, solution)) if added.test_points else {}), result
    except Exception as error:
        failed: Result[Any] = Result(None, to_svm_error(error))
        if lab.task != BINARY:
            return task_picture.picture(history, failed), result
        return picture(history, failed, None, added.hidden), result
