"""Where a text says a term for the first time it becomes a link to the glossary; a script shows a tip there
(`frame.tips`).

Nothing is marked within formulas, code, links, icons and HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape

from svmlab.lab import words
from svmlab.lab.glossary import TERMS

PAGE = "glossary"
CLOSED = r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\[[^\]]*\]\([^)]*\)|:material/\w+:|</?[a-zA-Z][^>]*>|&\w+;"


class Marks:
    """What is marked on one sheet or card of a page: each term once, the first time, but for those `seen` elsewhere."""

    def __init__(self, page: str, seen: Iterable[str] = ()) -> None:
        self.page = page
        self.linked_terms = set(seen)

    def markdown(self, text: str) -> str:
        """Markdown with links."""
        return self._marked(text, link_to)

    def html(self, text: str) -> str:
        """A text without HTML as HTML with links."""
        return self._marked(escape(text), link)

    def _marked(self, text: str, made: Callable[[str, str], str]) -> str:
        pattern, keys = _ways(self.page, words.current_translations().gettext)

        def marked(found: re.Match[str]) -> str:
            key = keys.get(found["term"] or "")
            if key is None or key in self.linked_terms:
                return found[0]
            self.linked_terms.add(key)
            return made(found[0], key)

        return pattern.sub(marked, text)


def address(key: str) -> str:
    """Where the glossary explains a term, from any page."""
    return f"{PAGE}#{key}"


def link_to(said: str, key: str) -> str:
    """Markdown that says a term, with the way to its explanation."""
    return f"[{said}]({address(key)})"


def link(said: str, key: str) -> str:
    """HTML that says a term, with the way to its explanation; nothing else is told where it is hovered."""
    return f'<a href="{address(key)}" title="">{said}</a>'


@lru_cache(maxsize=64)
def _ways(page: str, translate: Callable[[str], str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """How texts of a page say a term, the longest way first, and the key of each."""
    keys: dict[str, str] = {}
    for term in TERMS.values():
        forms = translate(term.forms).split("|") if term.forms and page in (term.pages or (page,)) else []
        for form in forms:
            keys[form] = keys[form[:1].upper() + form[1:]] = term.key
        keys.update(dict.fromkeys(term.signs, term.key))
    ways = "|".join(re.escape(way) for way in sorted(keys, key=len, reverse=True))
    before, after = r"(?<![\w|‖])", r"(?![\w|‖′]|\*(?!\*))"
    return re.compile(f"{CLOSED}|{before}(?P<term>{ways}){after}", re.DOTALL), keys
