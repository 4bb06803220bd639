"""Lines of the notes as they are quoted: which note, how right it is, the line in its own language, and what is wrong
with it.
"""

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
    """Who says it (if `named`) and how right that is, in a sign and a word, as HTML."""
    said = _(WORD[source.degree])
    if named:
        said = _("{notes}: {degree}").format(notes=_(NOTES[source.notes].short), degree=said)
    return f'<span class="sv-degree" data-degree="{source.degree}">{SIGN[source.degree]} {said}</span>'


def quoted(source: Source, marks: Marks) -> str:
    """The line with its place, and what is wrong with it, as Markdown with a little HTML; nothing where nothing is
    quoted.
    """
    if not source.quote:
        return ""
    place = _("{notes}, {place}:").format(notes=_(NOTES[source.notes].short), place=_(source.place))
    return f'<div class="sv-quote"><span class="sv-place">{place}</span>\n\n{line(source, marks)}\n\n</div>'


def line(source: Source, marks: Marks) -> str:
    """The line alone, and what is wrong with it."""
    language = NOTES[source.notes].language
    return (
        f"<blockquote "
        f'lang="{language}">\n\n{_typeset(source.quote)}\n\n</blockquote>\n\n{marks.markdown(_(source.flaw))}'
    )


def _typeset(quote: str) -> str:
    """The quotation as Markdown: its formulas as large as they stand there, none of their angles taken for one of
    HTML's.
    """
    pieces = quote.split("$")
    pieces[1::2] = [rf"\displaystyle {f.replace('<', LESS).replace('>', GREATER)}" for f in pieces[1::2]]
    return "$".join(pieces)
