"""Every way in which svmlab says no.

A message names the field, its value, the rule it broke and the way out. It is a template and the values that fill it,
so that the interface can show it in another language; `str` of an error is the English text.
"""

from __future__ import annotations

import copyreg
import reprlib
from typing import Any

from svmlab.core.phrase import Phrase


class TranslatableError(Exception):
    """Something to say: `BadInput("{field}: {value} is not a number.", field="C", value=x)`."""

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.message = Phrase(template, **values)
        super().__init__(self.message)

    @property
    def template(self) -> str:
        """The words with the names of the values in braces."""
        return self.message.template

    @property
    def values(self) -> dict[str, object]:
        """What fills the template, by name."""
        return self.message.values

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class SvmError(TranslatableError):
    """Base of every error that svmlab raises on purpose."""


class BadInput(SvmError, ValueError):
    """A value that breaks a rule: correct it and try again."""


class NotExact(TranslatableError, UserWarning):
    """The exact method was asked for and another one answers; `Solution.proven` says whether its certificate holds."""


class SolverFailed(SvmError):
    """The solver stopped without an answer that can be trusted; the message says what to change."""


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


def quoted(value: Any) -> str:
    """A value as a message shows it: 40 characters at most, however long or deep it is."""
    try:
        text = _SHORT.repr(value)
    except ValueError:
        return "a number of thousands of digits"  # Python writes none that is so long
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
