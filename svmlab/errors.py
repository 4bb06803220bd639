"""Every way in which svmlab says no.

A message names the field, its value, the rule it broke and the way out; the interface shows it as it is.
"""

from __future__ import annotations


class SvmError(Exception):
    """Base of every error that svmlab raises on purpose."""


class BadInput(SvmError, ValueError):
    """A value that breaks a rule: correct it and try again."""


class NotExact(UserWarning):
    """The exact method was asked for and another one answers; `Solution.proven` says whether its certificate holds."""


class SolverFailed(SvmError):
    """The solver stopped without an answer that can be trusted; the message says what to change."""
