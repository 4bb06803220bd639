"""The plan of a lecture: an ordered list of stops, its file, and the speaker's notes as a page for paper.

A stop is a link as Share makes it, with a title, minutes and notes. The file is text in Markdown:

    # The title of the plan

    Plan for svmlab, version 1

    Notes about the whole plan.

    ## The title of a stop
    - minutes: 8
    - link: margin?step=scaling

    Notes about this stop.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from urllib.parse import urljoin

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_

VERSION = 1
MAX_FILE, MAX_STOPS, MAX_MINUTES = 2**20, 100, 600
MAX_TITLE, MAX_LINK, MAX_NOTES = 120, 6000, 10_000  # characters
LINK = re.compile(r"[a-z]*(\?[^\s#]*)?")
MARK = re.compile(r"Plan for svmlab, version ([0-9]{1,6})\.?")
ENTRY = re.compile(r"- (\w+): *(.*)")
HEADING = re.compile(r"\\*#")  # a line of notes that the file marks by one more backslash
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

NO_PLAN = N_(
    "file: it begins with {value}. A plan begins with a title after “# ” and the line “{line}”. Open a file that “Save "
    "as a file” has saved."
)
NEWER = N_("version: {value} is newer than {known}, the newest version that can be read. Update svmlab.")
TOO_LONG = N_("{field}: {value} has {n} characters, and at most {most} are allowed. Shorten it.")
NO_TITLE = N_("title: the stop in line {line} has none. Write a title after “## ”.")
NO_ENTRY = N_(
    "line {line}: {value} is neither “- minutes: ” nor “- link: ” with its value, each once. Leave an empty line "
    "before the notes."
)
NO_MINUTES = N_("minutes: {value} is not a whole number from 0 to {most}. Write the minutes of the stop, such as 8.")
NO_LINK = N_(
    "link: {value} is not a page of the app with its query. Copy the address from Share, beginning with the name of "
    "the page."
)
NO_PAGE = N_("link: {value} names the page {page}, which does not exist. Copy the address from Share.")
TOO_MANY = N_("stops: {value} are too many. A plan has at most {most}. Make two plans of it.")
CONTROL = N_("{field}: {value} contains a control character. Delete it, or type the text again.")


@dataclass(frozen=True)
class Stop:
    """One stop of a lecture.

    link: the page and its query, relative to the address of the app. minutes: how long it takes, or 0 if nobody has
    said. notes: what the lecturer says, which is never shown on the page. Raises BadInput for what breaks a rule.
    """

    title: str
    link: str
    minutes: int = 0
    notes: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", _one_line(self.title))
        object.__setattr__(self, "notes", _lines(self.notes))
        if not self.title:
            raise BadInput(N_("title: it is empty. Give the stop a title."))
        if len(self.link) > MAX_LINK:
            raise BadInput(TOO_LONG, field="link", value=quoted(self.link), n=len(self.link), most=MAX_LINK)
        if not LINK.fullmatch(self.link) or UNPRINTABLE.search(self.link):
            raise BadInput(NO_LINK, value=quoted(self.link))
        if not 0 <= self.minutes <= MAX_MINUTES:
            raise BadInput(NO_MINUTES, value=self.minutes, most=MAX_MINUTES)

    @property
    def page(self) -> str:
        """Return the path of its page, which is "" for the first screen."""
        return self.link.partition("?")[0]

    @property
    def query(self) -> str:
        """Return the part of its link after the question mark."""
        return self.link.partition("?")[2]


@dataclass(frozen=True)
class Plan:
    """The plan of a lecture. notes: about the whole plan. Raises BadInput for what breaks a rule."""

    title: str = ""
    stops: tuple[Stop, ...] = ()
    notes: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", _one_line(self.title))
        object.__setattr__(self, "notes", _lines(self.notes))
        if len(self.stops) > MAX_STOPS:
            raise BadInput(TOO_MANY, value=len(self.stops), most=MAX_STOPS)

    @property
    def minutes(self) -> int:
        """Return the minutes of all stops together."""
        return sum(stop.minutes for stop in self.stops)

    def with_stop(self, stop: Stop) -> Plan:
        """Return the plan with one more stop at its end."""
        return replace(self, stops=(*self.stops, stop))

    def with_changed(self, i: int, stop: Stop) -> Plan:
        """Return the plan with another stop at position i."""
        return replace(self, stops=(*self.stops[:i], stop, *self.stops[i + 1 :]))

    def without(self, i: int) -> Plan:
        """Return the plan without the stop at position i."""
        return replace(self, stops=(*self.stops[:i], *self.stops[i + 1 :]))

    def with_moved(self, i: int, by: int) -> Plan:
        """Return the plan with the stop at position i moved by so many positions, at most to an end."""
        rest, to = [*self.stops[:i], *self.stops[i + 1 :]], max(0, min(i + by, len(self.stops) - 1))
        return replace(self, stops=(*rest[:to], self.stops[i], *rest[to:]))


def text_of_plan(plan: Plan) -> str:
    """Return the file of a plan, from which `read_plan` returns the same plan."""
    parts = [f"# {plan.title}".rstrip(), f"Plan for svmlab, version {VERSION}", _marked(plan.notes)]
    for stop in plan.stops:
        entries = [f"- minutes: {stop.minutes}"] if stop.minutes else []
        parts += ["\n".join([f"## {stop.title}", *entries, f"- link: {stop.link}"]), _marked(stop.notes)]
    return "\n\n".join(part for part in parts if part) + "\n"


def read_plan(text: str, pages: Collection[str] | None = None) -> Plan:
    """Return the plan of a file.

    pages: the paths of the pages that exist; None allows all. Raises BadInput, with a message that names the field, the
    value, the rule and the way out, for what breaks a rule.
    """
    if len(text) > MAX_FILE:
        raise BadInput(TOO_LONG, field=N_("file"), value=quoted(text), n=len(text), most=MAX_FILE)
    lines = [
        line.rstrip() for line in text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    starts = [n for n, line in enumerate(lines) if line.startswith("## ") or line == "##"]
    head = [*lines[: starts[0] if starts else None]]
    filled = [n for n, line in enumerate(head) if line]
    mark = MARK.fullmatch(head[filled[1]]) if len(filled) > 1 else None
    if mark is None or not (head[filled[0]] == "#" or head[filled[0]].startswith("# ")):
        first = head[filled[0]] if filled else ""
        raise BadInput(NO_PLAN, value=quoted(first), line=f"Plan for svmlab, version {VERSION}")
    if int(mark[1]) > VERSION:
        raise BadInput(NEWER, value=int(mark[1]), known=VERSION)
    if len(starts) > MAX_STOPS:
        raise BadInput(TOO_MANY, value=len(starts), most=MAX_STOPS)
    bounds = pairwise([*starts, len(lines)])
    stops = [_read_stop(lines[start:end], start + 1, pages) for start, end in bounds]
    return Plan(head[filled[0]][2:], tuple(stops), _unmarked(head[filled[1] + 1 :]))


def _read_stop(lines: list[str], first_line: int, pages: Collection[str] | None) -> Stop:
    """Return the stop of its lines in the file. first_line: the number of the first one."""
    if not lines[0][3:].strip():
        raise BadInput(NO_TITLE, line=first_line)
    end = next((n for n, text in enumerate(lines) if not text), len(lines))
    values: dict[str, str] = {}
    for n, text in enumerate(lines[1:end], first_line + 1):
        entry = ENTRY.fullmatch(text)
        if entry is None or entry[1] not in ("minutes", "link") or entry[1] in values:
            raise BadInput(NO_ENTRY, line=n, value=quoted(text))
        values[entry[1]] = entry[2]
    minutes, link = values.get("minutes", "0"), values.get("link", "")
    if not re.fullmatch("[0-9]{1,4}", minutes):
        raise BadInput(NO_MINUTES, value=quoted(minutes), most=MAX_MINUTES)
    stop = Stop(lines[0][3:], link, int(minutes), _unmarked(lines[end:]))
    if "link" not in values:
        raise BadInput(NO_LINK, value=quoted(link))
    if pages is not None and stop.page not in pages:
        raise BadInput(NO_PAGE, value=quoted(stop.link), page=quoted(stop.page))
    return stop


def _one_line(title: str) -> str:
    line = " ".join(title.split())
    _check(N_("title"), line, MAX_TITLE)
    return line


def _lines(notes: str) -> str:
    text = "\n".join(line.rstrip() for line in notes.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip("\n")
    _check(N_("notes"), text, MAX_NOTES)
    return text


def _check(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise BadInput(TOO_LONG, field=field, value=quoted(text), n=len(text), most=most)
    if UNPRINTABLE.search(text):
        raise BadInput(CONTROL, field=field, value=quoted(text))


def _marked(notes: str) -> str:
    """Return notes with a backslash before each line that would begin a title."""
    return "\n".join(f"\\{line}" if HEADING.match(line) else line for line in notes.split("\n"))


def _unmarked(lines: list[str]) -> str:
    return "\n".join(line[1:] if line.startswith("\\") and HEADING.match(line) else line for line in lines)


def notes_page(plan: Plan, address: str, labels: dict[str, str]) -> str:
    """Return the speaker's notes as a page of its own, for paper, a phone or a second screen.

    address: that of the app, below which the links are. labels: "minutes", "at", and "open" in the language of the
    page.
    """
    blocks, at = list[str](), 0
    for n, stop in enumerate(plan.stops, 1):
        time = f"{at}′" + (f" · {stop.minutes} {labels['minutes']}" if stop.minutes else "")
        link = escape(urljoin(address, stop.link), quote=True)
        blocks.append(
            f"<section><h2>{n}. {escape(stop.title)}</h2><p class='time'>{time} · <a href='{link}'>"
            f"{escape(labels['open'])}</a></p>{_paragraphs(stop.notes)}</section>"
        )
        at += stop.minutes
    title = escape(plan.title or labels["title"])
    total = f"<p class='time'>{at} {labels['minutes']}</p>" if at else ""
    return (
        "<!doctype html><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1>{total}{_paragraphs(plan.notes)}"
        f"{''.join(blocks)}</main>\n"
    )


STYLE = (
    ":root { color-scheme: light dark } body { margin: 0; font: 1.05rem/1.45 system-ui, sans-serif }"
    " main { max-width: 44rem; margin: 0 auto; padding: 1rem } h1 { font-size: 1.5rem } h2 { font-size: 1.15rem;"
    " margin: 1.6rem 0 0 } p { margin: .4rem 0; white-space: pre-line; overflow-wrap: anywhere }"
    " .time { opacity: .75 } section { break-inside: avoid }"
    " @media print { main { max-width: none; padding: 0 } body { font-size: 11pt } .time a { display: none } }"
)


def _paragraphs(notes: str) -> str:
    return "".join(f"<p>{escape(part.strip())}</p>" for part in re.split(r"\n{2,}", notes) if part.strip())
