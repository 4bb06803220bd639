"""Turn the first occurrence of each term in a text into a link to the glossary, on which a script shows a popup.

The script is in `frame.glossary_popups`. Nothing is marked within formulas, code, links, icons and HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape

from svmlab.lab import words
from svmlab.lab.glossary import TERMS

PAGE = "glossary"
WITHOUT_LINKS = ("start",)  # pages for readers who know no symbols: the definitions of the glossary use them
CLOSED = r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\[[^\]]*\]\([^)]*\)|:material/\w+:|</?[a-zA-Z][^>]*>|&\w+;"


class Marks:
    """The terms marked on one sheet or card of a page.

    Each is marked once, at its first occurrence, except those `seen` elsewhere.
    """

    def __init__(self, page: str, already_linked: Iterable[str] = ()) -> None:
        self.page = page
        self.linked_terms = set(already_linked)

    def markdown(self, text: str) -> str:
        """Return Markdown with links."""
        return self._marked(text, link_to)

    def html(self, text: str) -> str:
        """Return a text without HTML as HTML with links."""
        return self._marked(escape(text), link)

    def _marked(self, text: str, made: Callable[[str, str], str]) -> str:
        if self.page in WITHOUT_LINKS:
            return text
        pattern, keys = _pattern(self.page, words.current_translations().gettext)

        def marked(match: re.Match[str]) -> str:
            key = keys.get(match["term"] or "")
            if key is None or key in self.linked_terms:
                return match[0]
            self.linked_terms.add(key)
            return made(match[0], key)

        return pattern.sub(marked, text)


def address(key: str) -> str:
    """Return the address of a term in the glossary, from any page."""
    return f"{PAGE}#{key}"


def link_to(said: str, key: str) -> str:
    """Return Markdown that links a text to a term."""
    return f"[{said}]({address(key)})"


def link(said: str, key: str) -> str:
    """Return HTML that links a text to a term, without a tooltip of its own."""
    return f'<a href="{address(key)}" title="">{said}</a>'


@lru_cache(maxsize=64)
def _pattern(page: str, translate: Callable[[str], str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for all spellings of terms on a page, the longest first, and the key of each spelling."""
    keys: dict[str, str] = {}
    for term in TERMS.values():
        forms = translate(term.forms).split("|") if term.forms and page in (term.pages or (page,)) else []
        for form in forms:
            keys[form] = keys[form[:1].upper() + form[1:]] = term.key
        keys.update(dict.fromkeys(map(words.written, term.signs), term.key))
    alternatives = "|".join(re.escape(spelling) for spelling in sorted(keys, key=len, reverse=True))
    before, after = r"(?<![\w|‖])", r"(?![\w|‖′]|\*(?!\*))"
    return re.compile(f"{CLOSED}|{before}(?P<term>{alternatives}){after}", re.DOTALL), keys
