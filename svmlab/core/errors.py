"""The errors and warnings that svmlab raises.

A message names the field, its value, the rule that the value breaks, and the way out. It consists of a template and the
values that fill it, so that the interface can show it in another language. `str` of an error is the English text.
"""

from __future__ import annotations

import copyreg
import reprlib
from typing import Any

from svmlab.core.phrase import Phrase


class TranslatableError(Exception):
    """An exception with a message to translate: `BadInput("{field}: {value} is not a number.", field="C", value=x)`."""

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.message = Phrase(template, **values)
        super().__init__(self.message)

    @property
    def template(self) -> str:
        """The message with the names of the values in braces."""
        return self.message.template

    @property
    def values(self) -> dict[str, object]:
        """The values that fill the template, by name."""
        return self.message.values

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class SvmError(TranslatableError):
    """The base class of every error that svmlab raises on purpose."""


class BadInput(SvmError, ValueError):
    """A value breaks a rule. Correct the value and try again."""


class NotExact(TranslatableError, UserWarning):
    """The result is that of another method than the exact one, or is not proven. See `proven` of the result."""


class SolverFailed(SvmError):
    """The solver stopped without a result that can be trusted. The message says what to change."""


class TooMuchWork(SvmError):
    """A solve needs more operations than its caller allows. It is not a failure of the method: see `core.effort`."""


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


def quoted(value: Any) -> str:
    """Return the value as a message shows it, in at most 40 characters however long or deeply nested it is."""
    try:
        text = _SHORT.repr(value)
    except ValueError:
        return "a number of thousands of digits"  # Python does not write an integer that is so long
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
