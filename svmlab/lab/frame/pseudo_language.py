"""A language for tests: English with every message in brackets, so that an unmarked text is seen outside of them."""

from __future__ import annotations

import re
from gettext import NullTranslations

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
