"""The words of the app in the language of the session: marked where they stand, translated when they are shown.

`_("...")` translates. `N_("...")` only marks words that are kept (in a registry, in a step) and translated later.
Babel finds both. A marked word is a literal with {names}, which are filled in after the translation.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from gettext import NullTranslations

from svmlab.core.errors import SvmError
from svmlab.core.phrase import N_ as N_
from svmlab.core.phrase import Phrase

ENGLISH = NullTranslations()
_translations: ContextVar[NullTranslations | None] = ContextVar("translations", default=None)
_page: Callable[[], NullTranslations | None] | None = None


def set_translations(translations: NullTranslations) -> None:
    """Set the language of this thread (or task)."""
    _translations.set(translations)


def set_page_language(language_of_page: Callable[[], NullTranslations | None]) -> None:
    """Set the function that returns the language of the page, for threads whose own language was not set."""
    global _page
    _page = language_of_page


def current_translations() -> NullTranslations:
    """Return the language of this thread: the one that was set, else the one of its page, which is looked up once."""
    known = _translations.get()
    if known is None and _page is not None and (known := _page()) is not None:
        set_translations(known)
    return known or ENGLISH


def _(message: str) -> str:
    """Return `message` in the session's language. The values inside a Phrase are translated too."""
    if isinstance(message, Phrase) and message.values:
        values = {name: _translated(value) for name, value in message.values.items()}
        return current_translations().gettext(message.template).format(**values)
    return str(current_translations().gettext(message)) if message else ""


def message_of(error: SvmError) -> str:
    """Return the message of an error in the session's language."""
    return _(error.message)


def _translated(value: object) -> object:
    return message_of(value) if isinstance(value, SvmError) else _(value) if isinstance(value, Phrase) else value
