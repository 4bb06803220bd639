"""The page Sources: for each set of notes its incorrect lines in order, and then every statement it makes."""

from __future__ import annotations

from html import escape

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.cards.card_markdown import SIGN, WORD, badge, quote_and_flaw
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.words import N_, _, tex
from svmlab.statements import CATALOGUE, Source, Statement
from svmlab.statements.notes import NOTES
from svmlab.statements.slips import SLIPS, Slip

INTRO = N_(
    "The statements come from five sets of lecture notes. For each set, this page first lists the lines "
    "that are not correct, **in the order of the notes**. It says what is wrong and how the line should read. "
    "Then it lists every statement of the set. Each number leads to the card of the statement, which checks "
    "it on your own points."
)
ANCHOR = "notes-{key}"  # the anchor of a set of notes on the page


def show() -> None:
    """Show the whole page."""
    frame.show_title("sources")
    with st.container(key="notes"):
        st.markdown(_(INTRO))
        st.markdown(" · ".join(f"[{_(notes.short)}](#{ANCHOR.format(key=key)})" for key, notes in NOTES.items()))
        for key, notes in NOTES.items():
            name = _(notes.name)
            st.header(name[:1].upper() + name[1:], anchor=ANCHOR.format(key=key))
            st.markdown(_(notes.about))
            _errata(key)
            st.subheader(_("Every statement"), anchor=False)
            st.html(_table(key))


def errata(notes: str) -> list[tuple[Source, Statement | Slip]]:
    """Return the incorrect lines of a note, each with its statement or as a slip, in the order of their places."""
    wrong: list[tuple[Source, Statement | Slip]] = [pair for pair in _lines(notes) if pair[0].flaw]
    wrong += [(slip.source, slip) for slip in SLIPS if slip.source.notes == notes]
    return sorted(wrong, key=lambda pair: pair[0].at)


def _lines(notes: str) -> list[tuple[Source, Statement]]:
    return [(source, each) for each in CATALOGUE.values() for source in each.source if source.notes == notes]


def _errata(notes: str) -> None:
    wrong = errata(notes)
    if not wrong:
        return
    st.subheader(_("Lines that are not correct: {n}").format(n=len(wrong)), anchor=False)
    marks = Marks("sources")
    for n, (source, about) in enumerate(wrong):
        with st.container(key=f"erratum_{notes}_{n}", border=True):
            st.markdown(erratum(source, about, marks), unsafe_allow_html=True)


def erratum(source: Source, about: Statement | Slip, marks: Marks) -> str:
    """Return an incorrect line as Markdown with some HTML: the line, its flaw, and how it should read.

    A line that a statement is about has a link to its card, and the formula.
    """
    if isinstance(about, Slip):
        card, correct, formula = "", about.correct, ""
    else:
        card = f'<a href="statements#{about.id}">{about.id} {escape(_(about.title))}</a>'
        correct, formula = about.repair or about.sentence, f"$$\n{tex(about.formula)}\n$$"
    return "\n\n".join(
        (
            f'<div class="sv-head">{badge(source, named=False)}<strong>{escape(_(source.place))}</strong>{card}</div>',
            f'<div class="sv-quote">\n\n{quote_and_flaw(source, marks)}\n\n</div>',
            _("**Correct:** {repair}").format(repair=marks.markdown(_(correct))),
            formula,
        )
    ).strip()


def _table(notes: str) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in ("", _("statement"), _("source"), _("verdict")))
    rows = "".join(
        f'<tr><td><a href="statements#{statement.id}">{statement.id}</a></td><td>{escape(_(statement.title))}</td>'
        f"<td>{escape(_(source.place))}</td><td>{SIGN[source.degree]} {escape(_(WORD[source.degree]))}</td></tr>"
        for source, statement in _lines(notes)
    )
    return f'<table class="sv-table sv-wrapped"><tr>{head}</tr>{rows}</table>'
