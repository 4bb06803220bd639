"""The terms of the letters of a TeX formula.

js/letters.js of `frame.glossary_popups` does the same for a typeset formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.marks import link, link_to
from svmlab.lab.glossary.term import LETTERS, Term
from svmlab.lab.words import _, written

WORDS = re.compile(r"\\(?:text|operatorname|begin|end)\{[^{}]*\}")
SCRIPT = r"[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|\S)"
LETTER = re.compile(rf"(\\bar\s*|\\mathbb\s*\{{?)?(\\[a-zA-Z]+|\\\||[A-Za-z])((?:\s*{SCRIPT})*)")
NONE: Mapping[str, str] = {}
KEYS = {letter: term.key for term in TERMS.values() for letter in term.letters}


def letters(tex: str, own: Mapping[str, str] = NONE) -> list[Term]:
    """Return the terms of a formula's letters, each once, in order; own: letters that stand for other terms there."""
    return [TERMS[key] for key in dict.fromkeys(_keys(WORDS.sub(" ", tex), {**KEYS, **own}))]


def letters_line(tex: str, html: bool = False, own: Mapping[str, str] = NONE) -> str:
    """Return the names of a formula's letters with links, in Markdown or HTML, or "" if it has no known letters."""
    terms = letters(tex, own)
    links = [link(written(t.symbol), t.key) if html else link_to(escaped(written(t.symbol)), t.key) for t in terms]
    names = ", ".join(f"{each} {_(term.name)}" for each, term in zip(links, terms, strict=True))
    return _("In the formula: {letters}.").format(letters=names) if names else ""


def escaped(symbol: str) -> str:
    """Return a symbol in Markdown, with bars and stars escaped."""
    return re.sub(r"([|*])", r"\\\1", symbol)


def _keys(tex: str, keys: Mapping[str, str]) -> Iterator[str]:
    for match in LETTER.finditer(tex):
        before, name, scripts = match.groups(default="")
        glyph = {"\\|": "∥"}.get(name) or LETTERS.get(name[1:], "") if name.startswith("\\") else name
        low = re.search(r"_\{?\\?(\w)", scripts)
        candidates = (
            "𝔼" if "mathbb" in before and glyph == "E" else "",
            f"bar {glyph}" if "bar" in before else "",
            f"{glyph}^*" if re.search(r"\^\{?\*", scripts) else "",
            f"{glyph}_{low[1]}" if low else "",
            f"{glyph}(" if tex[match.end() :].lstrip().startswith("(") else "",
            glyph,
        )
        yield from [keys[candidate] for candidate in candidates if candidate in keys][:1]
