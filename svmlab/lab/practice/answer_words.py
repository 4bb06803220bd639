"""An answer to a question as one word in the address, and read again for the question to which it belongs."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from svmlab.practice import Choice, Numbers, Points, Question

LONGEST = 150  # characters of the word; the address takes no longer option than 200
MOST_TYPED = 100  # characters of a field
NO_POINT = "none"


def written(question: Question, given: tuple[Any, ...]) -> str | None:
    """Return the answer as a word: typed texts, a choice counted from 1, or numbers of points; None if it is too long.

    given: the values of the fields of the question, as `Work.given`.
    """
    answer = question.answer
    if isinstance(answer, Numbers):
        word = ";".join(quote(str(text or ""), safe="") for text in given)
    elif isinstance(answer, Choice):
        word = str(given[0] + 1)
    else:
        chosen = [given[0]] if isinstance(given[0], int) else list(given[0] or ())
        word = ";".join(map(str, chosen)) or NO_POINT
    return word if len(word) <= LONGEST else None


def read(question: Question, word: object) -> tuple[Any, ...] | None:
    """Return the values of the fields, or None if the word is no answer to this question."""
    if not isinstance(word, str):
        return None
    answer, parts = question.answer, word.split(";")
    if isinstance(answer, Numbers):
        texts = tuple(unquote(part) for part in parts)
        fits = len(texts) == len(answer.fields) and all(len(text) <= MOST_TYPED for text in texts)
        return texts if fits else None
    numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 4]
    if isinstance(answer, Choice):
        return (numbers[0] - 1,) if len(numbers) == len(parts) == 1 and 1 <= numbers[0] <= len(answer.options) else None
    if not isinstance(answer, Points) or question.board is None:
        return None
    if word == NO_POINT:
        return (None if answer.is_single else [],)
    if len(numbers) < len(parts) or len(set(numbers)) < len(numbers) or not set(numbers) <= set(question.board.ids):
        return None
    if answer.is_single:
        return (numbers[0],) if len(numbers) == 1 else None
    return (numbers,)
