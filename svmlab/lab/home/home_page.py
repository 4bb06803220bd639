"""The first screen as a page: what this app is and links to its parts, beside a board.

The board is lent, so that nobody's own points are lost. The page also offers the step that was left last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal

import streamlit as st

from svmlab.lab import frame, lessons
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.payload import Data
from svmlab.lab.lessons import start
from svmlab.lab.lessons.start.flowers import BOARD
from svmlab.lab.session import state
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_, _
from svmlab.statements import CATALOGUE

HOME = frame.FIRST
LAST = f"{HOME}.last"  # "lesson.step"; in the address of the first screen it is "pick.last"


@dataclass(frozen=True)
class LastStep:
    """The page of a lesson, and the titles of the lesson and the step."""

    page: str
    lesson: str
    step: str


def page_left() -> str | None:
    """Return the page and step that the person leaves for this page, before it is entered."""
    session = st.session_state.get("lab")
    return session.step if isinstance(session, Session) else None


def remember(session: Session, before: str | None) -> None:
    """Remember the step that was left, if it was in a lesson."""
    visited = [f"{page}.{step}" for page, step in session.open_steps.items() if lesson_of(page)]
    if before is not None and before in visited:
        session.picks[LAST] = before
    elif LAST not in session.picks and visited:
        session.picks[LAST] = visited[-1]


def last_step(session: Session) -> LastStep | None:
    """Return the last step, as long as it exists."""
    page, _dot, key = str(session.picks.get(LAST, "")).partition(".")
    lesson = lesson_of(page)
    if lesson is None:
        return None
    step = lesson.step(key)
    if step is None and key not in lesson.last_pages:
        return None
    title = _(step.title if step else lesson.last_pages[key])
    return LastStep(page, _(frame.PAGES[page]), title)


def lesson_of(page: str) -> Lesson | None:
    """Return the lesson on a page, or None if the page has no lesson."""
    if page not in frame.PAGES:
        return None
    try:
        lesson = import_module(f"{lessons.__name__}.{page}").LESSON
    except ModuleNotFoundError:
        return None
    return lesson if isinstance(lesson, Lesson) else None


PAGE, STEP = HOME, "drag"
NAME = f"{PAGE}.{STEP}"  # the key of the board that is lent here
TITLE = N_("A machine that tells two kinds of points apart")
WHAT = N_(
    "Show a **support vector machine** some sorted examples, and it draws the widest street it can "
    "between the two kinds. "
    "Here you can watch it: drag a ringed point, and the street follows."
)
OFFERED = {  # one line each
    "margin": N_("How wide is the street, and who says so?"),
    "duality": N_("The same street, seen by the points that hold it"),
    "soft": N_("What it costs to stand in the way"),
    "losses": N_("What is minimised, and the way down"),
    "pegasos": N_("Learning the street from one point at a time"),
    "kernels": N_("Straight in more dimensions, curved on the board"),
    "generalisation": N_("What a board promises for points never seen"),
    "extensions": N_("More than two classes, and values to be told"),
}
STATEMENTS = N_("{n} sentences of lecture notes, each checked on your points")


def home_board() -> Lab:
    """Return the board of the first screen.

    It is the board of the first lesson with a soft margin, so that points may be dragged across it.
    """
    return replace(BOARD(), hard=False, value=1.0)


def run() -> None:
    """Show the whole page."""
    left_step = page_left()
    session = frame.enter_page(PAGE)
    remember(session, left_step)
    show_home_board(session)
    _Page(session).show()


def show_home_board(session: Session) -> None:
    """Show the board of this page, as the person left it, or as everybody finds it if nothing was changed."""
    session.open_steps[PAGE] = STEP
    if session.prepared_step == NAME:
        return
    session.prepared_step = NAME
    earlier = session.lent_histories.get(NAME)
    if earlier is not None and not state.same_content(earlier.present, session.initial_labs[NAME]):
        session.show_board(NAME)
    else:
        session.show_board(NAME, home_board(), given=True)


def hide_legend(*_board: Any) -> Data:
    """Return the picture's data without the legend, because nothing is counted here."""
    return {"legend": None}


@dataclass(frozen=True)
class _Page:
    session: Session

    def show(self) -> None:
        left, right = st.columns(2, gap="medium")
        with right, st.container(key="sheet", gap=None), st.container(key="hello", gap=None):
            self._words()
        with left:
            st.fragment(self._board, key="board")()

    # The board.

    def _board(self) -> None:
        session = self.session
        session.step_overlay = hide_legend
        with st.container(key="beside"):
            data = board_data(session) | {
                "lesson": True,
                "sliders": [],
                "socket": drag_socket.socket_address(session.boot),
            }
            data |= hide_legend()
            if data["marks"]:
                data["marks"] |= {"hover": []}  # it has letters that nobody has met yet
            display(data, key="board", on_event=self._on_board)

    def _on_board(self) -> None:
        if self.session.receive(st.session_state["board"].event):
            st.rerun()
        st.rerun(["board"])

    # The words.

    def _words(self) -> None:
        st.title(_(TITLE), anchor=False)
        st.markdown(_(WHAT))
        self._links()
        with st.container(key="rest", gap=None):
            for page, line in OFFERED.items():
                self._line(page, _(line))
            self._line("statements", _(STATEMENTS).format(n=len(CATALOGUE)))

    def _links(self) -> None:
        begin = _("Start here: {n} minutes, five steps").format(n=start.LESSON.minutes)
        left = last_step(self.session)
        with st.container(horizontal=True, gap="small", key="ways"):
            with st.container(key="main_way", width="content"):
                if left is None:
                    _link("start", begin)
                else:
                    _link(
                        left.page,
                        _("Continue: {lesson}, {step}").format(lesson=left.lesson, step=left.step),
                    )
            _link("lab", _("Open the lab"))
            if left is not None and left.page != "start":
                _link("start", _("Start here"))
        self._remembered()

    def _remembered(self) -> None:
        own = self.session.own_history
        if own.past or own.present.points != state.initial_history().present.points:
            text = _("The lab remembers your board: {n} points.").format(n=len(own.present.points))
            st.html(f'<p class="sv-own">{text}</p>')

    @staticmethod
    def _line(page: str, line: str) -> None:
        _link(page, f"**{_(frame.PAGES[page])}** {line}", "stretch")


def _link(page: str, label: str, width: Literal["content", "stretch"] = "content") -> None:
    st.page_link(frame.pages()[page], label=label, width=width)
