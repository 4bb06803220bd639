"""A language for tests: English with every message in brackets, so that what stands outside of them was left out."""

from __future__ import annotations

import re
from gettext import NullTranslations

OPEN, CLOSE = "⟦", "⟧"
HEAD = re.compile(r"\s*(?:#+ |[-*] |\d+\. |> )?")  # what makes a line of Markdown a heading, an item, a quotation
RULE = re.compile(r"[\s|:-]*")


class Pseudo(NullTranslations):
    """Brackets around each line, and each cell of a table; what makes it one stays outside."""

    def gettext(self, message: str) -> str:
        """The message in brackets."""
        return "\n".join(_row(line) if line.lstrip().startswith("|") else _line(line) for line in message.split("\n"))


def _line(line: str) -> str:
    head = HEAD.match(line)
    at = head.end() if head else 0
    tail = line[at:].rstrip()
    return f"{line[:at]}{OPEN}{tail}{CLOSE}{line[at + len(tail) :]}" if tail else line


def _row(line: str) -> str:
    """Cells end at a bar that no backslash precedes."""
    if RULE.fullmatch(line):
        return line
    return "|".join(_line(cell) for cell in re.split(r"(?<!\\)\|", line))
