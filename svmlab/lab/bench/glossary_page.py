"""The glossary: every term and symbol of the app, symbols first, with related terms and where to see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.letters import escaped
from svmlab.lab.glossary.marks import link_to
from svmlab.lab.glossary.term import Term
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _, tex, written

INTRO = N_(
    "Here you find the meaning of the words and letters of this app. Where a word is underlined with dots, hover, "
    "focus or tap it to see the same explanation."
)
SEE = N_("See also {terms}.")
TRY = N_("Try it: {ways}.")


def show(session: Session, titles: Mapping[str, str]) -> None:
    """Show the whole page.

    titles: the title of every step of the lessons, by "lesson.step".
    """
    frame.keep_link(session)
    frame.show_title("glossary")
    with st.container(key="glossary"):
        st.markdown(_(INTRO))
        query = st.text_input(
            _("Search"), key="glossary_search", placeholder=_("a word or a symbol"), label_visibility="collapsed"
        )
        terms_found = [term for term in ordered() if matches(term, query)]
        for name, terms in (
            (N_("Symbols"), [t for t in terms_found if t.symbol]),
            (N_("Words"), [t for t in terms_found if not t.symbol]),
        ):
            if terms:
                st.header(_(name), anchor=False)
                with st.container(key=f"entries_{'symbols' if terms[0].symbol else 'words'}", gap=None):
                    for term in terms:
                        with st.container(key=f"term_{term.key}", gap=None):
                            st.markdown(entry(term, titles), anchors=False)
        if not terms_found:
            st.markdown(_("No term matches. Try another word, or a part of it."))


def ordered() -> list[Term]:
    """Return symbols by their letter, Latin before Greek as alphabets have it, then words."""
    return sorted(TERMS.values(), key=lambda term: (not term.symbol, *_sort_key(term)))


def _sort_key(term: Term) -> tuple[str, str]:
    name = _(term.symbol or term.name)
    letters = "".join(c for c in name.casefold() if c.isalpha())
    return letters or name, name


def matches(term: Term, query: str) -> bool:
    """Return whether every word of the query occurs in the term's name, definition, forms or synonyms.

    A symbol must match exactly.
    """
    text = " ".join(map(_, (term.name, term.definition, term.forms, term.synonyms))).casefold()
    signs = set(map(written, (term.symbol, *term.signs, *term.letters)))
    return all(word in signs or (len(word) > 1 and word.casefold() in text) for word in query.split())


def entry(term: Term, titles: Mapping[str, str]) -> str:
    """Return a term as Markdown."""
    symbol = f" · {escaped(written(term.symbol))}" if term.symbol else ""
    see = ", ".join(link_to(_(TERMS[key].name), key) for key in term.see)
    links = ", ".join(_ways(term, titles))
    return "\n\n".join(
        part
        for part in (
            f"### {_(term.name)}{symbol}",
            escaped(_(term.definition)),
            f"$$\n{tex(term.formula)}\n$$" if term.formula else "",
            " ".join([_(SEE).format(terms=see) if see else "", _(TRY).format(ways=links) if links else ""]).strip(),
        )
        if part
    )


def _ways(term: Term, titles: Mapping[str, str]) -> Iterator[str]:
    """Return links to steps of lessons and to statements."""
    for address in term.where_to_see:
        page, _dot, step = address.partition(".")
        if step:
            yield f"[{_(frame.PAGES[page])}: {_(titles[address])}]({page}?step={quote(step)})"
        else:
            text = _("Statement {id}").format(id=address)
            yield f"[{text}](statements#{address})"
