"""Words of the app in the language of the session: marked where they stand, translated when they are shown.

`_("...")` translates; `N_("...")` only marks, for words that are kept (in a registry, in a step) and translated later.
Both are found by Babel. A marked word is a literal with {names}, filled after it was translated.
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
    """From now on this thread (or task) speaks that language."""
    _translations.set(translations)


def set_page_language(language_of_page: Callable[[], NullTranslations | None]) -> None:
    """A thread that was not told what to speak asks the page that it runs a part of."""
    global _page
    _page = language_of_page


def current_translations() -> NullTranslations:
    """The language of this thread: what it was told, else what its page says, which it asks once."""
    known = _translations.get()
    if known is None and _page is not None and (known := _page()) is not None:
        set_translations(known)
    return known or ENGLISH


def _(message: str) -> str:
    """`message` in the session's language. What a Phrase was filled with is translated too."""
    if isinstance(message, Phrase) and message.values:
        values = {name: _within(value) for name, value in message.values.items()}
        return current_translations().gettext(message.template).format(**values)
    return str(current_translations().gettext(message)) if message else ""


def message_of(error: SvmError) -> str:
    """What an error says, in the session's language."""
    return _(error.message)


def _within(value: object) -> object:
    return message_of(value) if isinstance(value, SvmError) else _(value) if isinstance(value, Phrase) else value
