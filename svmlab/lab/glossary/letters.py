"""Which terms the letters of a TeX formula stand for; js/letters.js of `frame.tips` says the same of a typeset one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.marks import link, link_to
from svmlab.lab.glossary.plain import LETTERS
from svmlab.lab.glossary.term import Term
from svmlab.lab.words import _

WORDS = re.compile(r"\\(?:text|operatorname|begin|end)\{[^{}]*\}")
SCRIPT = r"[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|\S)"
LETTER = re.compile(rf"(\\bar\s*|\\mathbb\s*\{{?)?(\\[a-zA-Z]+|\\\||[A-Za-z])((?:\s*{SCRIPT})*)")
NONE: Mapping[str, str] = {}
KEYS = {letter: term.key for term in TERMS.values() for letter in term.letters}


def letters(tex: str, own: Mapping[str, str] = NONE) -> list[Term]:
    """The terms of a formula's letters, each once, in their order; own: letters that stand for other terms there."""
    return [TERMS[key] for key in dict.fromkeys(_keys(WORDS.sub(" ", tex), {**KEYS, **own}))]


def letters_line(tex: str, html: bool = False, own: Mapping[str, str] = NONE) -> str:
    """What the letters of a formula are called, with links, in Markdown or HTML; empty for a formula without known
    ones.
    """
    found = letters(tex, own)
    links = [link(t.symbol, t.key) if html else link_to(escaped(t.symbol), t.key) for t in found]
    named = ", ".join(f"{each} {_(term.name)}" for each, term in zip(links, found, strict=True))
    return _("In the formula: {letters}.").format(letters=named) if named else ""


def escaped(symbol: str) -> str:
    """A symbol in Markdown, where bars make a table and stars are emphasis."""
    return re.sub(r"([|*])", r"\\\1", symbol)


def _keys(tex: str, keys: Mapping[str, str]) -> Iterator[str]:
    for found in LETTER.finditer(tex):
        before, name, scripts = found.groups(default="")
        glyph = {"\\|": "∥"}.get(name) or LETTERS.get(name[1:], "") if name.startswith("\\") else name
        low = re.search(r"_\{?\\?(\w)", scripts)
        ways = (
            "𝔼" if "mathbb" in before and glyph == "E" else "",
            f"bar {glyph}" if "bar" in before else "",
            f"{glyph}^*" if re.search(r"\^\{?\*", scripts) else "",
            f"{glyph}_{low[1]}" if low else "",
            f"{glyph}(" if tex[found.end() :].lstrip().startswith("(") else "",
            glyph,
        )
        yield from [keys[way] for way in ways if way in keys][:1]
