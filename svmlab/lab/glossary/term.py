"""The definition of a term of the glossary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from svmlab.lab.glossary.plain import plain


@dataclass(frozen=True, kw_only=True)
class Term:
    """A word or symbol to look up. Texts that a person reads are marked for translation.

    key: its anchor on the page. definition: one or two sentences that fit into a popup. forms: the spellings of the
    term in texts, separated by bars; the first letter may also be a capital. pages: the only pages on which the forms
    mean this term, or all pages if there are none. signs: the spellings of its symbol in texts. letters: its letter
    in a typeset formula, with "_" and the first character of the index, "^*", or a "(" that follows, if these decide;
    the first letter is its usual one. formula: TeX. see: the keys of related terms. tries: where to see it,
    "lesson.step" or the id of a statement.
    """

    key: str
    name: str
    definition: str
    forms: str = ""
    pages: tuple[str, ...] = ()
    symbol: str = ""
    signs: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    formula: str = ""
    see: tuple[str, ...] = ()
    where_to_see: tuple[str, ...] = ()

    @cached_property
    def plain(self) -> str:
        """Return the formula in one line of Unicode."""
        return plain(self.formula)
