"""The page of a lesson: what choosing, showing, trying and walking about do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.session import inbox, link
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson
from tests.marks import unmarked
from tests.small_lesson import GO, LESSON, STREET, WHY

OVERLAPPING = with_preset(Lab(preset="xor", hard=True, size=16))
SOFT = with_preset(Lab(preset="separable", size=12))


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    """Nothing goes on after a test."""
    GO.clear()
    yield
    GO.set()


def page() -> None:
    from svmlab.lab.practice.check_yourself import CheckYourself
    from svmlab.lab.teach import lesson
    from tests.small_lesson import LESSON

    lesson.run(LESSON, CheckYourself)


def opened(lab: Lab, step: str = "first") -> AppTest:
    at = AppTest.from_function(page, default_timeout=30)
    at.session_state["lab"] = Session(History(lab))
    session(at).lessons.open_steps["margin"] = step
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    assert not at.warning, at.warning[0].value
    return at


def session(at: AppTest) -> Session:
    return at.session_state["lab"]


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def visible_text(at: AppTest) -> str:
    return unmarked(" ".join(each.value for each in [*at.markdown, *at.caption, *at.info]))


def charts(at: AppTest) -> int:
    return len(at.get("plotly_chart"))


def test_more_has_the_parts_of_the_step_and_is_missing_without_them():
    at = press(opened(SOFT), "first_show")
    assert not at.get("popover")
    at = press(opened(STREET(), "streets"), "streets_show")
    assert len(at.get("popover")) == 1
    assert "The proof." in visible_text(at)


def test_choosing_marks_and_the_button_shows():
    at = opened(SOFT)
    at = sound(at.radio(key="first_choice").set_value(0).run())
    assert session(at).lessons.answers["margin.first"] == Answer(0, False)
    assert "Always" not in visible_text(at)
    assert charts(at) == 0
    at = press(at, "first_show")
    assert "You expected: One." in visible_text(at)
    assert WHY in visible_text(at)
    assert "**Always:** Two" in visible_text(at)
    assert not at.radio
    assert charts(at) == 1
    at = press(at, "first_again")
    assert at.radio(key="first_choice").value == 0
    assert "Always" not in visible_text(at)


def test_a_mark_that_is_sent_once_more_hides_nothing():
    at = opened(SOFT)
    session(at).lessons.answers["margin.first"] = Answer(0, True)
    at = sound(at.radio(key="first_choice").set_value(0).run())
    assert session(at).lessons.answers["margin.first"] == Answer(0, True)
    assert "**Always:** Two" in visible_text(at)


def test_whoever_looks_first_or_is_right_reads_no_more_than_what_happens():
    at = press(opened(SOFT), "first_show")
    assert "You expected" not in visible_text(at)
    at = press(at, "first_again")
    at = press(sound(at.radio(key="first_choice").set_value(1).run()), "first_show")
    assert "You expected: Two." in visible_text(at)
    assert WHY not in visible_text(at)


def test_the_introduction_is_for_those_who_begin():
    at = opened(SOFT)
    assert "Welcome." in visible_text(at)
    assert "Welcome." not in visible_text(press(at, "first_show"))
    assert "Welcome." not in visible_text(press(at, "next"))


def test_a_board_that_suits_stands_as_it_is():
    at = opened(STREET(), "streets")
    assert session(at).boards.shown is None
    assert not at.info


def test_points_that_suit_are_lent_with_the_svm_that_the_step_needs():
    at = opened(SOFT, "streets")
    assert session(at).lab.points == SOFT.points
    assert session(at).lab.hard
    assert "your points" in visible_text(at)
    at = press(at, "back")
    assert session(at).lab == SOFT


def test_of_the_svm_only_that_is_changed_which_the_step_needs():
    at = opened(replace(SOFT, kernel="gaussian"), "streets")
    assert (session(at).lab.hard, session(at).lab.kernel) == (True, "gaussian")


def test_a_board_that_does_not_suit_gives_way_to_a_lent_one_and_comes_back():
    at = opened(OVERLAPPING, "streets")
    assert session(at).boards.shown == "margin.streets"
    assert session(at).lab == STREET()
    assert "Yours comes back" in visible_text(at)
    inbox.do(session(at), {"op": "move", "id": 1, "x": 0.5, "y": 0.5})
    edited = session(at).lab
    at = press(at, "back")
    assert session(at).lab == OVERLAPPING
    at = press(at, "next")
    assert session(at).lab == edited


def test_ones_own_points_are_used_when_one_wants_it_with_the_reason_why_they_do_not_do():
    at = press(opened(OVERLAPPING, "streets"), "streets_mine")
    assert session(at).lab.points == OVERLAPPING.points
    assert "cannot be separated" in visible_text(at)
    assert not at.radio
    at = press(at, "streets_lend")
    assert session(at).lab == STREET()
    assert at.radio


def test_a_board_to_try_is_lent_and_an_operation_changes_what_stands():
    at = press(opened(SOFT), "first_show")
    at = press(at, "first_try0")
    assert len(session(at).lab.points) == 2
    assert session(at).boards.own.present == SOFT
    at = press(at, "first_try1")
    assert session(at).lessons.picks == {"margin.many": 9}
    assert "There are 9." in visible_text(at)


def test_what_is_tried_can_take_away_what_the_step_needs_and_a_button_brings_it_back():
    at = press(press(opened(STREET(), "streets"), "streets_show"), "streets_try1")
    assert "hard margin" in visible_text(at)
    at = press(at, "streets_lend")
    assert charts(at) == 1


def test_the_picture_moves_first_and_the_chart_follows():
    at = press(opened(STREET(), "streets"), "streets_show")
    playing = session(at).lessons.memory("margin").play
    assert playing == {"key": "t", "op": "dial", "to": 9.0, "ms": 10, "id": "streets.1"}
    assert charts(at) == 0
    at = press(at, "streets_try0")
    assert charts(at) == 1


def test_long_work_shows_its_progress_and_can_be_called_off_and_begun_again():
    at = press(opened(SOFT, "work"), "work_show")
    assert "It is" not in visible_text(at)
    assert at.button(key="job_cancel")
    session(at).job.cancel()
    assert session(at).job.wait(10)
    at = sound(at.run())
    assert "Cancelled." in visible_text(at)
    GO.set()
    at = press(at, "job_again")
    assert "It is 3." in visible_text(at)
    assert "Drawn with 3." in visible_text(at)


def test_a_board_without_points_says_what_to_do():
    at = opened(STREET(), "streets")
    inbox.do(session(at), {"op": "clear"})
    at = sound(at.run())
    assert "no points" in visible_text(at)
    at = press(at, "streets_lend")
    assert session(at).lab == STREET()


def test_an_unknown_step_opens_the_first_and_two_equal_points_are_no_mishap():
    at = opened(Lab(points=(Point(1, 0, 0, 1), Point(2, 0, 0, -1)), hard=True), "nowhere")
    assert "How many?" in visible_text(at)
    note = str(session(at).history.note)
    assert "'step' = 'nowhere'" in note
    assert "begins at its first step" in note
    for _ in range(4):
        at = press(at, "next")
    assert session(at).lessons.open_steps["margin"] == "check"
    assert session(at).boards.shown is None


def test_the_place_in_a_film_is_that_of_the_film_on_the_board() -> None:
    here = OpenLesson(Session(History(SOFT), page="margin"), LESSON)
    link.restore(here.session, "step=first&film=3")
    here.drop_frame_of_other_film({"key": "one"})
    assert "film=3" in inbox.wire_data(here.session)["address"]
    here.drop_frame_of_other_film(None)
    assert "film=3" in inbox.wire_data(here.session)["address"], "it may come again"
    here.drop_frame_of_other_film({"key": "another"})
    assert "film" not in inbox.wire_data(here.session)["address"]
