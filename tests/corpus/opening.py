"""What a link opens, in plain values. This is the only file of the corpus of links that knows how the app is built.

Where something within the app gets another name, the functions here follow. `links.json` stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from svmlab.lab import frame
from svmlab.lab.home import home_page as home
from svmlab.lab.practice import practice_page
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.practice.tasks import PAGE
from svmlab.lab.session import inbox, state, svm_settings
from svmlab.lab.session import link as address
from svmlab.lab.session.address_names import PICK, RENAMED_DIALS
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson, overlay_of
from svmlab.lab.teach.stage import Stage
from tests.lessons import LESSONS

LESSON_OF = {lesson.page: lesson for lesson in LESSONS}
EMBEDDED = ("embed", "embed_options")  # Streamlit keeps these parameters for itself


@dataclass(frozen=True)
class Opened:
    """A new session that has followed a link. `said` holds the parameters of the link by their names."""

    session: Session
    said: Mapping[str, str]

    @property
    def link(self) -> str:
        """The link that the address bar then holds."""
        page = "" if self.session.page == home.PAGE else self.session.page
        return f"/{page}?{inbox.wire_data(self.session)['address']}"

    @property
    def stage(self) -> Stage | None:
        """What the open step of a lesson is given; long work is not begun."""
        lesson = LESSON_OF.get(self.session.page)
        if lesson is None:
            return None
        where = OpenLesson(self.session, lesson)
        return where.step and replace(where.stage(where.step), request_work=None)


def opened(link: str) -> Opened:
    """Follow a link as the app does for a new visitor.

    A link is "/page?parameters". Without a page it is the address that the window of an open page remembers.
    """
    path, _mark, query = link.partition("?")
    if not path.startswith("/"):  # a window that meets a new server says what it remembers
        session = Session(state.initial_history(), page="lab")
        inbox.do(session, {"op": "restore", "share": link, "points": []})
        session.show_board(None)
        return Opened(session, {})
    said = {name: value for name, value in parse_qsl(query, keep_blank_values=True) if name not in EMBEDDED}
    page = path.strip("/") or home.PAGE
    if path == "/" and address.is_lab_address(urlencode(said)):  # the lab stood here before there was a first page
        page = "lab"
    session = Session(state.initial_history(), page=page if page in frame.PAGES else "lost")
    if said:
        address.restore(session, urlencode(said))
    if page in LESSON_OF:
        OpenLesson(session, LESSON_OF[page], CheckYourself(session, page)).prepare_board()
    elif page == home.PAGE:
        home.show_home_board(session)
    elif page == PAGE:
        practice_page.show_board_of_task(session)
    else:
        session.show_board(None)
    return Opened(session, said)


def as_entry(there: Opened) -> dict[str, Any]:
    """Return what a link has opened as an entry of the corpus: the place and the boards. What is empty is left out.

    choice, select: counted from 1, as in the link. dials, picks: those that the link names. sliders: the dials of the
    link whose slider stands at the value of the link. own: the visitor's own board, where another board stands. note:
    whether the board says something about the link.
    """
    session, stage, said = there.session, there.stage, there.said
    page, lab, answer = session.page, session.lab, session.lessons.answers.get(session.step)
    choice = stage.choice if stage else answer and answer.choice
    picks = (
        stage.picks
        if stage
        else {name.removeprefix(f"{page}."): value for name, value in session.lessons.picks.items()}
    )
    hand, film = session.lessons.inputs.get("hand"), session.lessons.inputs.get("film")
    former = {present: name for name, present in RENAMED_DIALS.get(page, {}).items() if name in said}
    dials = {
        former.get(key, key): value for key, value in session.lessons.dials.items() if former.get(key, key) in said
    }
    entry = {
        "page": page,
        "step": session.lessons.open_steps.get(page),
        "choice": None if choice is None else choice + 1,
        "shown": bool(stage.shown if stage else answer and answer.shown),
        "dials": dials,
        "picks": {name: value for name, value in picks.items() if PICK + name in said},
        "sliders": sorted(
            key
            for key, value in ((former.get(key, key), value) for key, value in _sliders(there))
            if abs(value - dials.get(key, float("inf"))) < 1e-9
        ),
        "line": [*hand["a"], *hand["b"]] if hand else None,
        "film": film["at"] if film and session.lessons.input_scopes.get("film") == session.step else None,
        "select": next((row for row, p in enumerate(lab.points, start=1) if p.id == lab.selected), None),
        "hide": [*session.link.hidden],
        "lock": [*session.link.locked],
        "note": bool(session.history.note),
        "board": board(lab),
        "own": None if session.boards.shown is None else board(session.boards.own.present),
        "pin": session.boards.pinned and board(session.boards.pinned),
    }
    return {
        name: value
        for name, value in entry.items()
        if value is not None and value is not False and value not in ([], {})
    }


def _sliders(there: Opened) -> list[tuple[str, float]]:
    """The dials that the open step shows as sliders, and where they stand."""
    if there.stage is None:
        return []
    lesson = LESSON_OF[there.session.page]
    step = OpenLesson(there.session, lesson).step
    assert step is not None
    sliders = overlay_of(step, there.stage).get("sliders", ())
    return [(each["key"], float(each["value"])) for each in sliders if each.get("op") == "dial"]


def board(lab: Lab) -> dict[str, Any]:
    """A board as plain values: its settings by their keys, the second machine if there is one, points [x, y, label]."""
    settings: dict[str, Any] = {key: getattr(lab, key) for key in CONTROLS}
    if lab.second is not None:
        settings["second"] = svm_settings.setting_values(lab.second)
    return {"settings": settings, "points": [[p.x / 1000, p.y / 1000, p.label] for p in lab.points]}
