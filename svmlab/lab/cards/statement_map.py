"""What leads from one statement to others and to the steps that show it: the links of a card, and the map of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from svmlab.lab import frame
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE
from svmlab.statements.derivations import Link, consequences, premises

Steps = Mapping[str, Sequence[tuple[str, str]]]  # the steps that show a statement: their addresses and titles

FROM, FOR, SHOWN = N_("Follows from"), N_("Used for"), N_("Shown in")
FROM_DEFINITIONS = N_("the definitions")
MAP_INTRO = N_(
    "A statement stands below the one from which it follows, with the reason. If it needs further statements, "
    "these are named after the reason. A click opens the card of a statement."
)


def link_to(id: str) -> str:
    """Return a link to the card of a statement, as HTML."""
    return f'<a href="statements#{id}"><b>{id}</b> {escape(_(CATALOGUE[id].title))}</a>'


def link_to_step(address: str, title: str) -> str:
    """Return a link to a step by its address "lesson.step", as HTML."""
    page, _dot, step = address.partition(".")
    name = _("{lesson}: {title}").format(lesson=_(frame.PAGES[page]), title=_(title))
    return f'<a href="{page}?step={step}">{escape(name)}</a>'


def ways(id: str, steps: Steps) -> str:
    """Return the links of a card as HTML: its premises, what it is used for, and the steps that show it."""
    rows = [
        (FROM, [link_to(link.premise) for link in premises(id)] or [escape(_(FROM_DEFINITIONS))]),
        (FOR, [link_to(link.id) for link in consequences(id)]),
        (SHOWN, [link_to_step(*step) for step in steps.get(id, ())]),
    ]
    return ways_html((_(name), links) for name, links in rows if links)


def ways_html(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return named rows of links as HTML. The script of the popups follows them within the session."""
    lines = "".join(f"<p><span>{escape(name)}</span> {' '.join(links)}</p>" for name, links in rows)
    return f'<div class="sv-ways">{lines}</div>'


def reasons(id: str) -> list[str]:
    """Return why a statement follows from each of its premises, as Markdown."""
    return [_("From {id}: {reason}").format(id=link.premise, reason=_(link.reason)) for link in premises(id)]


def map_html() -> str:
    """Return the map as nested lists: each statement below its main premise, those without a premise outermost."""
    first = {id: premises(id)[0] if premises(id) else None for id in CATALOGUE}
    below = {id: [c for c, link in first.items() if link is not None and link.premise == id] for id in CATALOGUE}

    def entry(id: str) -> str:
        inner = "".join(map(entry, below[id]))
        return f"<li>{link_to(id)}{_reason(first[id])}{f'<ul>{inner}</ul>' if inner else ''}</li>"

    outermost = "".join(entry(id) for id, link in first.items() if link is None)
    return f'<div class="sv-ways sv-map"><ul>{outermost}</ul></div>'


def _reason(link: Link | None) -> str:
    """Return why a statement follows from the one above it, and which others it needs."""
    if link is None:
        return ""
    others = ", ".join(
        f'<a href="statements#{other.premise}" title="{escape(_(other.reason))}">{other.premise}</a>'
        for other in premises(link.id)[1:]
    )
    also = _("It also needs {statements}.").format(statements=others) if others else ""
    return f"<span>{escape(_(link.reason))} {also}</span>"
