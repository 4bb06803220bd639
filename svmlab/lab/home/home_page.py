"""The first screen as a page: what this app is and links to its parts, beside a board.

The board is lent, so that nobody's own points are lost. The page also offers the step that was left last, and what the
browser has kept: boards, and the progress over the lessons.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Literal

import streamlit as st

from svmlab.lab import frame, lessons
from svmlab.lab.bench import table_dialog
from svmlab.lab.board import board_data, display, drag_socket
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.board.payload import Data
from svmlab.lab.frame import kept, unlimited_solve
from svmlab.lab.lessons import start
from svmlab.lab.lessons.start.flowers import BOARD
from svmlab.lab.practice import tasks
from svmlab.lab.session import inbox, state
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import DeltaGenerator, rerun
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_, _
from svmlab.practice import GOALS, QUESTION_TYPES
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
    visited = [f"{page}.{step}" for page, step in session.lessons.open_steps.items() if lesson_of(page)]
    if before is not None and before in visited:
        session.lessons.picks[LAST] = before
    elif LAST not in session.lessons.picks and visited:
        session.lessons.picks[LAST] = visited[-1]


def last_step(session: Session) -> LastStep | None:
    """Return the last step, as long as it exists."""
    page, _dot, key = str(session.lessons.picks.get(LAST, "")).partition(".")
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
TITLE = N_("See and try support vector machines")
WHAT = N_(
    "A **support vector machine** separates two classes of points. It takes the boundary with the largest margin, "
    "the “widest street” between the classes. Drag a ringed point, and you see how the boundary changes."
)
OFFERED = {  # one line each
    "margin": N_("Which line has the largest margin"),
    "duality": N_("The dual problem and the support vectors"),
    "soft": N_("How margin violations are allowed"),
    "losses": N_("How a loss can be minimised"),
    "pegasos": N_("Training with one random point at a time"),
    "kernels": N_("Curved boundaries from inner products"),
    "generalisation": N_("What training points tell about new points"),
    "extensions": N_("Several classes, and a regression tube"),
}
PRACTICE = N_("{n} kinds of exam questions, and {m} goals on the board")
STATEMENTS = N_("{n} from notes and textbooks, checked on your points")


def home_board() -> Lab:
    """Return the board of the first screen.

    It is the board of the first lesson with a soft margin, so that points may be dragged across it.
    """
    return replace(BOARD(), hard=False, value=1.0)


TO = "home_to"  # in the state of Streamlit: the page to open, where a kept board or a step was opened


@cache
def lesson_steps() -> tuple[kept.Steps, ...]:
    """Return the steps of every lesson, in the order of the lessons."""
    lessons_by_page = {page: lesson_of(page) for page in ("start", *OFFERED)}
    tasks_of = {
        page: [(k, e.version) for e in tasks.entries() if e.lesson == page for k in e.progress_keys]
        for page in lessons_by_page
    }
    return tuple(
        kept.Steps(
            page, frame.PAGES[page], [(s.key, s.version, s.title, s.deeper) for s in lesson.steps], tasks_of[page]
        )
        for page, lesson in lessons_by_page.items()
        if lesson is not None
    )


def run() -> None:
    """Show the whole page, or the one on which a kept board or a step was opened."""
    page_to_open = st.session_state.pop(TO, None)
    if page_to_open in frame.PAGES:
        st.switch_page(frame.pages()[page_to_open])
    left_step = page_left()
    session = frame.enter_page(PAGE)
    remember(session, left_step)
    show_home_board(session)
    table_dialog.show(session)
    _Page(session).show()


def show_home_board(session: Session) -> None:
    """Show the board of this page, as the person left it, or as everybody finds it if nothing was changed."""
    session.lessons.open_steps[PAGE] = STEP
    if session.lessons.prepared_step == NAME:
        return
    session.lessons.prepared_step = NAME
    earlier = session.boards.lent.get(NAME)
    if earlier is not None and not state.same_content(earlier.present, session.boards.initial[NAME]):
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
            places = self._words()
        with left:
            st.fragment(self._board, key="board")()
        self._kept(places)  # last, because the first visitor of a server waits here until all lessons are imported

    # The board.

    def _board(self) -> None:
        session = self.session
        session.lessons.step_overlay = hide_legend
        with st.container(key="beside"):
            data = board_data(session, added=Additions(step_part=hide_legend)) | {
                "lesson": True,
                "sliders": [],
                "socket": drag_socket.socket_address(session.boot),
            }
            display(data, key="board", on_event=self._on_board)
            frame.publish_page(self.session, data)
            unlimited_solve.show_offer(session, session.lab, lambda: rerun("board"))

    def _on_board(self) -> None:
        if inbox.receive(self.session, st.session_state["board"].event):
            rerun()
        else:
            rerun("board")

    # The words.

    def _words(self) -> dict[str, DeltaGenerator]:
        """Show the words, and return the places of what the browser has kept."""
        st.title(_(TITLE), anchor=False)
        st.markdown(_(WHAT))
        self._links()
        places = {} if last_step(self.session) else {"onward": st.container(key="onward", gap=None)}
        with st.container(key="rest", gap=None):
            for page, line in OFFERED.items():
                self._line(page, _(line))
            self._line("practice", _(PRACTICE).format(n=len(QUESTION_TYPES), m=len(GOALS)))
            self._line("statements", _(STATEMENTS).format(n=len(CATALOGUE)))
        return places | {"home": st.container(key="mine", gap=None)}

    def _kept(self, places: dict[str, DeltaGenerator]) -> None:
        """Show the step to continue with, the progress over the lessons, and the newest boards."""

        def open_page(page: str) -> None:
            st.session_state[TO] = page

        for part, place in places.items():
            with place:
                kept.show_home(self.session, lesson_steps(), part, open_page)

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
        own = self.session.boards.own
        if own.past or own.present.points != state.initial_history().present.points:
            text = _("The lab has kept your board with {n} points.").format(n=len(own.present.points))
            st.html(f'<p class="sv-own">{text}</p>')

    @staticmethod
    def _line(page: str, line: str) -> None:
        _link(page, f"**{_(frame.PAGES[page])}** {line}", "stretch")


def _link(page: str, label: str, width: Literal["content", "stretch"] = "content") -> None:
    st.page_link(frame.pages()[page], label=label, width=width)
