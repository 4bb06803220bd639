"""The interface of the tasks at the end of a lesson. lab.practice implements them, above this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from svmlab.lab.board.payload import Data
from svmlab.lab.session.tab import Session


class Exercises(Protocol):
    """The tasks at the end of a lesson."""

    @property
    def has_board(self) -> bool:
        """Return whether the open task is played on the board."""

    @property
    def live_parts(self) -> tuple[str, ...]:
        """Return the fragments that follow a drag."""

    def prepare_board(self) -> None:
        """Show the board of the open task."""

    def on_board(self, data: Data) -> Data:
        """Return the data of the board as the open task needs it."""

    def show(self) -> None:
        """Show the open task in the sheet of the lesson."""


ExercisesOf = Callable[[Session, str, Callable[[], None]], Exercises]  # of a lesson; the function draws the page anew
