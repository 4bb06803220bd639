"""The tokens of a recipe, and the limits on its size and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from svmlab.core.errors import BadInput, quoted

MAX_LENGTH = 160  # characters
MAX_NODES, MAX_BRACKETS, LARGEST_NUMBER, SMALLEST_NUMBER, MAX_DEGREE, MAX_TERMS = 24, 20, 1000.0, 1e-9, 12, 7
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|(?P<name>[a-z][a-z0-9_]*)|(?P<sign>\*\*|[-−+*^(),]))"
)
SAME = {"^": "**", "−": "-"}  # alternative spellings of an operator


class Token(NamedTuple):
    """A token of a recipe: its kind ("number", "name", "sign" or "end"), its text, and the position where it begins.

    The first character has position 1.
    """

    kind: str
    text: str
    at: int


def tokens(text: str, names: Iterable[str]) -> list[Token]:
    """Return the tokens of a recipe, with an end after the last one.

    Raises BadInput, which lists the names, at a character that means nothing.
    """
    read_tokens, at = list[Token](), 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise BadInput(
                "recipe: {sign} at character {at} has no meaning here. Write numbers, + - * ** ( ) and {names}.",
                sign=quoted(text[at]),
                at=at + 1,
                names=", ".join(names),
            )
        kind = match.lastgroup
        read_tokens.append(Token(kind, SAME.get(match[kind], match[kind]), match.start(kind) + 1))
        at = match.end()
    return [*read_tokens, Token("end", "", len(text) + 1)]
