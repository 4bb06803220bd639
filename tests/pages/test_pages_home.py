"""The first screen: a board that is nobody's, where one left off, and every lesson with a line."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.home import home_page
from svmlab.lab.session import inbox, link, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from tests.lessons import LESSONS

MINE = Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, 1500, 1)))


def start(**address: str) -> AppTest:
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = value
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def links(at: AppTest) -> dict[str, str]:
    """The ways on, by their words."""
    return {each.proto.label: each.proto.page for each in at.get("page_link")}


def at_home(session: Session, before: str | None = None) -> Session:
    """The session on the first screen, come from a page and step."""
    session.open_page("home")
    home_page.remember(session, before)
    home_page.show_home_board(session)
    return session


def test_a_newcomer_is_offered_the_first_lesson_and_the_lab():
    at = start()
    assert at.title[0].value == home_page.TITLE
    page_links = links(at)
    assert list(page_links.values())[:2] == ["start", "lab"]
    assert not [words for words in page_links if words.startswith("Continue")]
    assert at.session_state["lab"].boards.shown == "home.drag"
    assert [p[1:] for p in at.session_state["lab"].lab.points] == [p[1:] for p in home_page.home_board().points]


def test_who_comes_back_continues_where_he_was_and_the_lab_remembers():
    at = start(s=share.encode(MINE))
    assert at.session_state["lab"].page == "lab", "a link of the lab that was made when the lab was the first screen"
    sound(at.switch_page("pages/margin.py").run())
    at.session_state["lab"].lessons.open_steps["margin"] = "turn"
    sound(at.run())
    sound(at.switch_page("pages/guide.py").run())
    sound(at.switch_page("pages/home.py").run())
    assert next(iter(links(at).items())) == ("Continue: Margin, Direction of largest margin", "margin")
    assert links(at)["Start here"] == "start"
    assert any("3 points" in each.proto.body for each in at.get("html"))
    again = Session(initial_history(), page="home")
    link.restore(again, inbox.wire_data(at.session_state["lab"])["address"])
    assert home_page.last_step(at_home(again)) == home_page.LastStep("margin", "Margin", "Direction of largest margin")
    assert [p[1:] for p in again.boards.own.present.points] == [p[1:] for p in MINE.points]


def test_who_left_the_first_lesson_has_one_link_to_it():
    at = sound(start().switch_page("pages/start.py").run())
    at = sound(at.switch_page("pages/home.py").run())
    assert list(links(at).values())[:2] == ["start", "lab"]
    assert "Start here" not in links(at)


def test_what_is_done_on_the_first_screen_touches_nobodys_points():
    session = at_home(Session(History(MINE)))
    inbox.do(session, {"op": "move", "id": 7, "x": 1.0, "y": -1.0})
    assert session.boards.own.present == MINE
    moved = session.lab
    address = inbox.wire_data(session)["address"]
    assert address.endswith(f"b={share.encode(moved)}&s={share.encode(MINE)}")
    session.open_page("lab")
    session.show_board(None)
    assert session.lab == MINE
    assert at_home(session).lab == moved, "as it was left"
    other = Session(initial_history(), page="home")
    link.restore(other, address)
    assert share.encode(at_home(other).lab) == share.encode(moved), "after a reload too"


@pytest.mark.parametrize("last", ["", "margin", "margin.nowhere", "lab.None", "../x.y", "3"])
def test_where_nobody_can_have_been_is_not_continued(last):
    session = Session(initial_history(), page="home")
    link.restore(session, f"step=drag&pick.last={last}")
    assert home_page.last_step(at_home(session)) is None


def test_the_lesson_that_was_open_last_is_the_one_to_continue():
    session = Session(initial_history(), page="margin")
    session.lessons.open_steps |= {"margin": "turn", "start": "check"}
    assert home_page.last_step(at_home(session, "start.check")) == home_page.LastStep(
        "start", "Start here", "The same in symbols"
    )
    session.open_page("margin")
    assert home_page.last_step(at_home(session, "margin.turn")).page == "margin"
    assert home_page.last_step(at_home(session, "guide.None")).page == "margin"


def test_every_lesson_is_offered_with_a_line():
    assert {"start", *home_page.OFFERED} == {lesson.page for lesson in LESSONS}
