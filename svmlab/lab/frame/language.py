"""The language of the server, named in the environment, and the table of the catalogues of other languages.

One of them is a pseudo language, which shows in tests which words are not translated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations

from svmlab.lab import words
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import state_of_run
from svmlab.lab.words import ENGLISH

OPEN, CLOSE = "⟦", "⟧"
HEAD = re.compile(r"\s*(?:#+ |[-*] |\d+\. |> )?")  # the start of a Markdown heading, list item or quotation
RULE = re.compile(r"[\s|:-]*")


class Pseudo(NullTranslations):
    """Put brackets around each line and each cell of a table. Markdown syntax stays outside of them."""

    def gettext(self, message: str) -> str:
        """Return the message in brackets."""
        return "\n".join(_row(line) if line.lstrip().startswith("|") else _line(line) for line in message.split("\n"))


def _line(line: str) -> str:
    head = HEAD.match(line)
    at = head.end() if head else 0
    tail = line[at:].rstrip()
    return f"{line[:at]}{OPEN}{tail}{CLOSE}{line[at + len(tail) :]}" if tail else line


def _row(line: str) -> str:
    """Return a row of a table with its cells in brackets. A cell ends at a bar without a backslash before it."""
    if RULE.fullmatch(line):
        return line
    return "|".join(_line(cell) for cell in re.split(r"(?<!\\)\|", line))


VARIABLE = "SVMLAB_LANGUAGE"
LANGUAGES: Mapping[str, NullTranslations] = {"en": ENGLISH, "pseudo": Pseudo()}


@cache
def server_language() -> NullTranslations:
    """Return the language that the environment names, or English if it names none or an unknown one."""
    return LANGUAGES.get(os.environ.get(VARIABLE, "en"), ENGLISH)


def _of_page() -> NullTranslations | None:
    """Return the language of the session whose page, or part of one, this thread runs."""
    state = state_of_run()
    session = state["lab"] if state is not None and "lab" in state else None
    return session.view.translations if isinstance(session, Session) else None


words.set_page_language(_of_page)
