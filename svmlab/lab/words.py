"""The words of the app in the language of the session: marked where they stand, translated when they are shown.

`_("...")` translates. `N_("...")` only marks words that are kept (in a registry, in a step) and translated later.
Babel finds both. A marked word is a literal with {names}, which are filled in after the translation.

Words are also written in the notation of the session, because a session's language may be a LanguageInNotation.
Formulas, which are not translated, are written in it by `tex` and `written`, and values of b by `bias`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations

from svmlab.core.errors import SvmError
from svmlab.core.phrase import N_ as N_
from svmlab.core.phrase import Phrase
from svmlab.lab.notation import USUAL, Notation, T

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


class LanguageInNotation(NullTranslations):
    """A language whose words are written in a notation."""

    def __init__(self, language: NullTranslations, notation: Notation) -> None:
        super().__init__()
        self.language, self.notation = language, notation
        self._written = cache(self._translated)

    def gettext(self, message: str) -> str:
        """Return the message in the language and in the notation."""
        return self._written(message)

    def _translated(self, message: str) -> str:
        return self.notation.text(self.language.gettext(message))


@cache
def in_notation(language: NullTranslations, notation: Notation) -> NullTranslations:
    """Return a language in a notation: the language itself if the notation is the usual one."""
    return language if notation == USUAL else LanguageInNotation(language, notation)


def language_of(language: NullTranslations) -> NullTranslations:
    """Return a language without the notation in which it is written."""
    return language.language if isinstance(language, LanguageInNotation) else language


def current_notation() -> Notation:
    """Return the notation of this thread, which belongs to its language."""
    language = current_translations()
    return language.notation if isinstance(language, LanguageInNotation) else USUAL


def tex(formula: str) -> str:
    """Return a formula in TeX, without dollar signs, in the session's notation."""
    return current_notation().tex(formula)


def written(text: str) -> str:
    """Return a text that is the same in every language, with formulas in Unicode or between dollar signs."""
    return current_notation().text(text)


def bias(b: T) -> T:
    """Return the value of b, or of several b, in the session's notation."""
    return current_notation().bias(b)


def bias_interval(ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an interval of b in the session's notation, the smaller first."""
    return current_notation().bias_interval(ends)


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
