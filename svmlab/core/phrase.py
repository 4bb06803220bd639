"""Phrases for people, written in English and kept with everything that a translation of them needs."""

from __future__ import annotations


class Phrase(str):
    """An English text that remembers its template and values: `Phrase("{n} points", n=3)` is "3 points".

    A value may be a Phrase or an error, which is then translated as well. Without values the text is the template.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        """Make the text. A Phrase is returned unchanged if no further values are given."""
        if isinstance(template, Phrase) and not values:
            return template
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template, phrase.values = str(template), values
        return phrase


def N_(message: str) -> str:
    """Return `message`, marked for translation when it is shown."""
    return Phrase(message)


def join_phrases(*parts: str, separator: str = " ") -> Phrase:
    """Join the parts in their order, and leave out the empty ones."""
    named_parts = {f"part{n}": part for n, part in enumerate(filter(None, parts))}
    return Phrase(separator.join(f"{{{name}}}" for name in named_parts), **named_parts)
