"""Every way in which svmlab says no.

A message names the field, its value, the rule it broke and the way out; the interface shows it as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from svmlab.separation import Separation


class SvmError(Exception):
    """Base of every error that svmlab raises on purpose."""


class BadInput(SvmError, ValueError):
    """A value that breaks a rule: correct it and try again."""


class NotSeparable(SvmError):
    """The hard margin was asked for and no separating hyperplane exists; `separation` holds the proof."""

    def __init__(self, message: str, separation: Separation) -> None:
        super().__init__(message)
        self.separation = separation


class NotExact(UserWarning):
    """The exact method was asked for and another one answers; `Solution.proven` says whether its certificate holds."""


class SolverFailed(SvmError):
    """The solver stopped without an answer that can be trusted; the message says what to change."""
