"""The glossary: every term and symbol of the app, symbols first, with what belongs to it and where it can be seen."""

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
from svmlab.lab.words import N_, _

INTRO = N_(
    "What the words and letters of this laboratory mean. Wherever one is underlined with dots, "
    "hover, focus or tap it: the same explanation appears there."
)
SEE = N_("See also {terms}.")
TRY = N_("Try it: {ways}.")


def show(session: Session, titles: Mapping[str, str]) -> None:
    """The whole page. titles: of every step of the lessons, by "lesson.step"."""
    frame.keep_link(session)
    frame.title("glossary")
    with st.container(key="glossary"):
        st.markdown(_(INTRO))
        asked = st.text_input(
            _("Search"), key="glossary_search", placeholder=_("a word or a symbol"), label_visibility="collapsed"
        )
        found = [term for term in ordered() if matches(term, asked)]
        for name, terms in (
            (N_("Symbols"), [t for t in found if t.symbol]),
            (N_("Words"), [t for t in found if not t.symbol]),
        ):
            if terms:
                st.header(_(name), anchor=False)
                with st.container(key=f"entries_{'symbols' if terms[0].symbol else 'words'}", gap=None):
                    for term in terms:
                        with st.container(key=f"term_{term.key}", gap=None):
                            st.markdown(entry(term, titles), anchors=False)
        if not found:
            st.markdown(_("No term matches. Another word, or part of one, may."))


def ordered() -> list[Term]:
    """Symbols by their letter, Latin before Greek as alphabets have it, then words."""
    return sorted(TERMS.values(), key=lambda term: (not term.symbol, *_place(term)))


def _place(term: Term) -> tuple[str, str]:
    name = _(term.symbol or term.name)
    letters = "".join(c for c in name.casefold() if c.isalpha())
    return letters or name, name


def matches(term: Term, asked: str) -> bool:
    """Whether every word asked for stands in what the term is called or what is said of it; a symbol only as it is."""
    said = " ".join(map(_, (term.name, term.definition, term.forms))).casefold()
    signs = {term.symbol, *term.signs, *term.letters}
    return all(word in signs or (len(word) > 1 and word.casefold() in said) for word in asked.split())


def entry(term: Term, titles: Mapping[str, str]) -> str:
    """A term as Markdown."""
    symbol = f" · {escaped(term.symbol)}" if term.symbol else ""
    see = ", ".join(link_to(_(TERMS[key].name), key) for key in term.see)
    ways = ", ".join(_ways(term, titles))
    return "\n\n".join(
        part
        for part in (
            f"### {_(term.name)}{symbol}",
            escaped(_(term.definition)),
            f"$$\n{term.formula}\n$$" if term.formula else "",
            " ".join([_(SEE).format(terms=see) if see else "", _(TRY).format(ways=ways) if ways else ""]).strip(),
        )
        if part
    )


def _ways(term: Term, titles: Mapping[str, str]) -> Iterator[str]:
    """Links to steps of lessons and to statements."""
    for way in term.tries:
        page, _dot, step = way.partition(".")
        if step:
            yield f"[{_(frame.PAGES[page])}: {_(titles[way])}]({page}?step={quote(step)})"
        else:
            said = _("Statement {id}").format(id=way)
            yield f"[{said}](statements#{way})"
