"""Words for people: English where they are made, with what a translation of them needs."""

from __future__ import annotations


class Phrase(str):
    """English words that remember their template and its values: `Phrase("{n} points", n=3)` is "3 points".

    A value may be a Phrase or an error: it is translated with the rest. Without values the words are the template.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        """The words; a Phrase without further values stays the one that it is."""
        if isinstance(template, Phrase) and not values:
            return template
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template, phrase.values = str(template), values
        return phrase


def N_(message: str) -> str:
    """`message`, marked to be translated when it is shown."""
    return Phrase(message)


def join_phrases(*parts: str, separator: str = " ") -> Phrase:
    """Words one after the other, what is empty left out."""
    said = {f"part{n}": part for n, part in enumerate(filter(None, parts))}
    return Phrase(separator.join(f"{{{name}}}" for name in said), **said)
