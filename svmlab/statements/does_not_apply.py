"""The error by which a check says that a board does not fulfil its conditions."""

from __future__ import annotations

from svmlab.core.errors import SvmError


class DoesNotApply(SvmError):
    """The conditions of a statement are not met on this board; the message says which, and what to change."""
