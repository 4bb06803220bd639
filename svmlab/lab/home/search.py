"""What the search of the navigation finds: pages, steps of lessons, tasks, terms of the glossary and statements.

A browser fetches the list once, when its field is first used, and searches in it by itself.
"""

from __future__ import annotations

from functools import cache

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from svmlab.lab import frame, lessons, words
from svmlab.lab.frame import language, nav
from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.term import Term
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.practice import tasks
from svmlab.lab.streamlit_internals import path_below_base
from svmlab.lab.words import _, written
from svmlab.statements import CATALOGUE

SEED = 1  # of the questions that are found
Entry = tuple[str, str, str, str, str]  # kind, title, what stands beside it, its address, other words for it


def entries() -> list[Entry]:
    """Return everything that can be found, in the language and notation of this thread, in the order of the app."""
    pages = [("page", _(title), "", frame.url_path(page), "") for page, title in frame.PAGES.items()]
    steps = [_step(address, _(title)) for address, title in lessons.titles().items()]
    terms = [("term", _(t.name), written(t.symbol), f"glossary#{t.key}", _others(t)) for t in TERMS.values()]
    statements = [("statement", _(each.title), each.id, f"statements#{each.id}", "") for each in CATALOGUE.values()]
    return [*pages, *steps, *map(_task, tasks.entries()), *terms, *statements]


def _step(address: str, title: str) -> Entry:
    page, _dot, step = address.partition(".")
    return "step", title, _(frame.PAGES[page]), f"{page}?step={step}", ""


def _task(entry: tasks.Entry) -> Entry:
    """Return a task. A question has a fixed seed, because browsers keep the list."""
    beside = ", ".join((_(frame.PAGES[entry.lesson]), _(tasks.KINDS[entry.kind])))
    return "task", _(entry.title), beside, f"{tasks.PAGE}?step={entry.task_with(SEED)}", ""


def _others(term: Term) -> str:
    spellings = (*map(_, (term.forms, term.synonyms)), *map(written, term.signs))
    return ", ".join(each.replace("|", ", ") for each in spellings if each)


@cache
def _entries(notation: Notation) -> list[Entry]:
    """Return the list in a notation and in the language of the server."""
    words.set_translations(words.in_notation(language.server_language(), notation))
    return entries()


def _answer(request: Request) -> JSONResponse:
    """Return the list. This runs in a thread of its own, because the lessons may have to be imported first."""
    try:
        notation = Notation.of_word(request.query_params.get("notation", ""))
    except ValueError:
        notation = USUAL
    # Its address changes with each start of the server, so a browser may keep the list.
    return JSONResponse(_entries(notation), headers={"Cache-Control": "private, max-age=86400"})


def route() -> Route:
    """Return the route of the list: beside the pages, below the server's base path if it has one."""
    return Route(path_below_base(nav.SEARCH), _answer)
