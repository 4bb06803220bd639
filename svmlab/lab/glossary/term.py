"""What a term of the glossary is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from svmlab.lab.glossary.plain import plain


@dataclass(frozen=True, kw_only=True)
class Term:
    """A word or symbol that somebody may ask about; what a person reads is marked for translation.

    key: its anchor on the page. said: one or two sentences that fit a tip. forms: how texts write it, in words, parted
    by bars; a capital may begin them; `pages`: where alone they mean that, all if there are none. signs: how texts
    write it as a symbol. letters: the letter in a typeset formula, with "_" and the first of its index, "^*", or a "("
    that follows, where these decide; the first of them is what it is called by. formula: TeX. see: other keys. tries:
    where to see it, "lesson.step" or the id of a statement.
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
    tries: tuple[str, ...] = ()

    @cached_property
    def plain(self) -> str:
        """The formula in one line of Unicode."""
        return plain(self.formula)
