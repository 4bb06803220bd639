"""Quoted lines of the notes: the note, its degree, the line in its own language, and its flaw."""

from __future__ import annotations

from svmlab.lab.glossary.marks import Marks
from svmlab.lab.words import N_, _
from svmlab.statements import Degree, Source
from svmlab.statements.notes import NOTES

SIGN: dict[Degree, str] = {"right": "✓", "hedged": "?", "misprint": "≈", "incomplete": "+", "false": "✗"}
LESS, GREATER = r"\lt ", r"\gt "
WORD: dict[Degree, str] = {
    "right": N_("right"),
    "hedged": N_("hedged"),
    "misprint": N_("misprint"),
    "incomplete": N_("incomplete"),
    "false": N_("false"),
}


def badge(source: Source, named: bool = True) -> str:
    """Return the note (if `named`) and its degree as a sign and a word, as HTML."""
    text = _(WORD[source.degree])
    if named:
        text = _("{notes}: {degree}").format(notes=_(NOTES[source.notes].short), degree=text)
    return f'<span class="sv-degree" data-degree="{source.degree}">{SIGN[source.degree]} {text}</span>'


def quoted(source: Source, marks: Marks) -> str:
    """Return the line with its place and its flaw, as Markdown with some HTML, or nothing if there is no quotation."""
    if not source.quote:
        return ""
    place = _("{notes}, {place}:").format(notes=_(NOTES[source.notes].short), place=_(source.place))
    return f'<div class="sv-quote"><span class="sv-place">{place}</span>\n\n{quote_and_flaw(source, marks)}\n\n</div>'


def quote_and_flaw(source: Source, marks: Marks) -> str:
    """Return only the line and its flaw."""
    language = NOTES[source.notes].language
    return (
        f"<blockquote "
        f'lang="{language}">\n\n{_typeset(source.quote)}\n\n</blockquote>\n\n{marks.markdown(_(source.flaw))}'
    )


def _typeset(quote: str) -> str:
    """Return the quotation as Markdown: formulas in display style, and their "<" and ">" safe from HTML."""
    pieces = quote.split("$")
    pieces[1::2] = [rf"\displaystyle {f.replace('<', LESS).replace('>', GREATER)}" for f in pieces[1::2]]
    return "$".join(pieces)
