"""The beginning of every page: its position among the pages, the session, the navigation and the style sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import streamlit as st

from svmlab.lab import plan, words
from svmlab.lab.board import display
from svmlab.lab.frame import (
    compile_in_background,
    glossary_popups,
    kept,
    language,
    nav,
    page_scripts,
    prepared_view,
    share,
)
from svmlab.lab.notation import Notation
from svmlab.lab.room import lecturer
from svmlab.lab.room.room import Stop
from svmlab.lab.session import inbox, link
from svmlab.lab.session.inbox import current_session
from svmlab.lab.session.kept_notation import asked_notation
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import name_no_files_as_pages, page_begins, page_is_drawn, rerun, watch_no_files
from svmlab.lab.words import N_, _
from svmlab.plot.palette import LIGHT

TITLE = "svmlab"
NO_SUCH_PAGE = N_("No such page")
# Every page of pages/ by the name of its file, within its group, in the order of the navigation.
GROUPS: Mapping[str, Mapping[str, str]] = {
    N_("Lab"): {"home": TITLE, "lab": N_("Lab")},
    N_("Lessons"): {
        "start": N_("Start here"),
        "margin": N_("Margin"),
        "duality": N_("Duality"),
        "soft": N_("Soft margin"),
        "losses": N_("Losses and descent"),
        "pegasos": "Pegasos",
        "kernels": N_("Kernels"),
        "generalisation": N_("Generalisation"),
        "extensions": N_("Multiclass and regression"),
    },
    N_("Practice"): {"practice": N_("Practice")},
    N_("Statements"): {"statements": N_("Statements"), "sources": N_("Sources")},
    N_("Help"): {"glossary": N_("Glossary"), "guide": N_("Guide")},
}
PAGES = {name: title for group in GROUPS.values() for name, title in group.items()}
FIRST = next(iter(PAGES))  # the page at "/"
READING_SECONDS = 20  # for a message about a link
SYMBOL = re.compile(r"[!-/:-@\[-`{-~]")  # ASCII punctuation, which Markdown may read as more than itself
TURN = "turn_to"  # where the session keeps the page that the next run opens
ICON = (  # half a disc
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" stroke="{LIGHT.accent}" stroke-width="2">'
    f'<circle cx="8" cy="8" r="7" fill="none"/><path d="M8 1a7 7 0 0 0 0 14z" fill="{LIGHT.accent}"/></svg>'
)
# A restarted server knows no fragment of a page before it has run the whole page. The board is in such a fragment, and
# it requests a whole run here.
_whole = st.components.v2.component("svmlab_whole", js=(Path(__file__).parent / "page.js").read_text(encoding="utf-8"))
_STYLES = sorted(Path(__file__).parent.glob("*.css"), key=lambda path: (path.stem != "layout", path.name))
CSS = "\n".join(path.read_text(encoding="utf-8") for path in _STYLES)  # the layout comes first


def prepare_server() -> None:
    """Prepare the server before the first visitor."""
    name_no_files_as_pages()
    if st.get_option("server.fileWatcherType") == "none":
        watch_no_files()


def run_page() -> None:
    """Run the app for a visitor: set the title, build the navigation, and run the requested page."""
    words.set_translations(language.server_language())
    current_page = _navigation()
    if not current_page.url_path and "lab" not in st.session_state and link.is_lab_address(_address()):
        st.switch_page(pages()["lab"], query_params=st.query_params.to_dict())
    if (to := st.session_state.pop(TURN, None)) is not None:
        st.switch_page(pages()[to])
    page_begins()
    title = TITLE if current_page.title == TITLE else f"{current_page.title} · {TITLE}"
    st.set_page_config(page_title=title, page_icon=ICON, layout="wide", initial_sidebar_state="collapsed")
    groups = {
        _(group): {url_path(name): _(title) for name, title in pages_of_group.items()}
        for group, pages_of_group in GROUPS.items()
    }
    nav.navigation(groups, url_path(current_page.url_path), _notation(), _choose_notation)
    current_page.run()
    page_is_drawn()


def _notation() -> Notation:
    """Return the notation of the session, or before there is one that of the address or of the browser."""
    session = st.session_state.get("lab")
    return session.view.notation if isinstance(session, Session) else asked_notation()


def _choose_notation(chosen: Any) -> None:
    session = st.session_state.get("lab")
    if isinstance(session, Session) and isinstance(chosen, Mapping):
        inbox.do(session, {"op": "notation", **chosen})


def lesson_beside(page: str, direction: int) -> str | None:
    """Return the page of the lesson after a lesson (1) or before it (-1), or None where there is none."""
    lessons = list(GROUPS["Lessons"])
    at = lessons.index(page) + direction if page in lessons else -1
    return lessons[at] if 0 <= at < len(lessons) else None


def turn_to(page: str) -> None:
    """Open another page in the next run of the whole page, because a callback cannot open one itself."""
    st.session_state[TURN] = page


def _address() -> str:
    return urlencode(st.query_params.to_dict())


def enter_page(page: str) -> Session:
    """Begin a page, which passes its own name, and return the session."""
    words.set_translations(language.server_language())
    session = current_session(page)
    session.lessons.step_overlay = session.lessons.lab_to_draw = None
    session.view.translations = words.in_notation(language.server_language(), session.view.notation)
    words.set_translations(session.view.translations)
    st.html(f"<style>{CSS}</style>")
    compile_in_background.show_compiling_line()
    prepared_view.show(session)
    if session.link.only in (link.BOARD, link.STEP_ALONE):
        with st.container(key=f"only_{session.link.only}"):
            st.html("<span></span>")  # the style sheet sees by it that the page is shown alone
    glossary_popups.show(session, PAGES)
    if session.view.sharing is not None:
        full, session.view.sharing = session.view.sharing, None
        share.show(session, full)
    plan.show(session, {url_path(name): name for name in PAGES})
    lecturer.show(session, share.place_of_room, turn_to)
    _whole(key="whole", on_run_change=lambda: None)
    page_scripts.hold_hover_steady()
    page_scripts.make_scrollable_by_keys()
    page_scripts.group_tab_stops()
    page_scripts.follow_color_scheme()
    page_scripts.tell_when_server_is_away()
    kept.record_again()
    return session


def show_title(page: str, seen: bool = True) -> None:
    """Show the heading of a page that has no other. If not `seen`, only screen readers get it."""
    _heading(_(PAGES[page]), seen)


def _heading(words: str, seen: bool = True) -> None:
    st.html(f'<h1 class="{"sv-title" if seen else "sv-heard"}">{escape(words)}</h1>')


def keep_link(session: Session) -> None:
    """Keep the address up to date on a page without a board, and let the person project and share the page.

    A message about the link stays for READING_SECONDS, because such a page has no board that shows it.
    """

    def answer() -> None:
        if inbox.receive(session, st.session_state["link"].event):
            rerun()

    _row, message = session.link.pending or (None, "")
    session.show_board(None)
    if message:
        session.note(None)  # no board need repeat it
        st.toast(SYMBOL.sub(r"\\\g<0>", _(message)), icon=":material/warning:", duration=READING_SECONDS)
    publish_page(session, None)
    page_data = {"hidden": True, "projector": session.view.projector, "type": session.view.type_size}
    display(inbox.wire_data(session) | page_data, key="link", on_event=answer)


def publish_page(session: Session, data: Mapping[str, Any] | None) -> None:
    """Show the class the title of the page and its board, from the data of the board, if this tab leads a room."""
    session.heading = _(PAGES.get(session.page, TITLE))
    if session.room is not None:
        stop = Stop(session.page, _(PAGES.get(session.page, TITLE)), link=page_link(session))
        lecturer.publish_stop(session, stop)
        lecturer.publish_board(session, data)


def page_link(session: Session, only: str | None = None) -> str:
    """Return the address of the open page with its question unanswered, relative to that of the app.

    only: what the address shows alone, one of link.ALONE.
    """
    place = replace(link.location_of(session), choice=None, shown=False, only=only or session.link.only)
    return f"{url_path(session.page)}?{link.query_string(place)}"


def pages() -> dict[str, st.Page]:
    """Return every page by its name, to link to it."""
    return {
        name: st.Page(f"pages/{name}.py", title=_(title), url_path=url_path(name), default=name == FIRST)
        for name, title in PAGES.items()
    }


def url_path(page: str) -> str:
    """Return the path of a page below the address of the app."""
    return "" if page == FIRST else page


def _navigation() -> st.Page:
    return st.navigation([*pages().values(), *_unknown_pages()], position="hidden")


def _unknown_pages() -> list[st.Page]:
    """Return the page for an address that is no page's path: the first page under its name, or a page that says so."""
    # Only its last part is used. A proxy may put the app below other parts, and pages have addresses of one part
    # (base_path.py).
    requested = unquote(urlsplit(st.context.url or "").path).strip("/").rpartition("/")[2]
    if requested in map(url_path, PAGES):
        return []
    if requested == FIRST:
        return [st.Page(f"pages/{FIRST}.py", title=_(PAGES[FIRST]), url_path=FIRST)]
    return [st.Page(_unknown_page, title=_(NO_SUCH_PAGE), url_path=requested)]


def _unknown_page() -> None:
    """Show the page for an address that has none."""
    keep_link(enter_page("lost"))
    _heading(_(NO_SUCH_PAGE))
    st.markdown(_("There is no page at this address. Open another page from the navigation. Your points are kept."))
    st.page_link(pages()[FIRST])
