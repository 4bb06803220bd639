"""What the browser keeps: opening it, and what is said to the script. The script has tests of its own in tests/js."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab import frame
from svmlab.lab.bench.tabs import boards
from svmlab.lab.board.component import PACKAGE
from svmlab.lab.frame import kept
from svmlab.lab.home import home_page
from svmlab.lab.lessons.margin import LESSON
from svmlab.lab.practice import tasks
from svmlab.lab.session import inbox, link, operations, share
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.operations import LOCKED
from svmlab.lab.session.state import initial_history, same_content
from svmlab.lab.session.tab import LinkState, Session
from svmlab.lab.teach.actions import actions_of
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.stage import Working
from tests.lessons import LESSONS

SCRIPTS = PACKAGE / "lab/frame/kept/js"
KEPT = Lab(points=(Point(1, 1500, -250, 1), Point(2, -8000, 8000, -1), Point(3, 0, 0, 1)))


def script(name):
    return (SCRIPTS / name).read_text(encoding="utf-8")


@pytest.fixture
def session():
    return Session(initial_history(), page="lab")


def test_an_opened_board_replaces_the_own_one_and_undo_brings_that_back(session):
    before = session.lab
    operations.open_kept(session, "Mine", share.encode(KEPT))
    assert same_content(session.lab, KEPT)
    assert session.history.note == "“Mine” is open now. Undo brings your previous board back."
    operations.open_kept(session, "Mine", share.encode(KEPT))
    assert session.history.note == "“Mine” has the same points and settings as your board."
    assert len(session.history.past) == 1
    inbox.do(session, {"op": "undo"})
    assert same_content(session.lab, before)


def test_a_board_is_opened_from_a_page_that_lends_another_one(session):
    session.open_page("home")
    home_page.show_home_board(session)
    lent = session.lab
    operations.open_kept(session, "Mine", share.encode(KEPT))
    assert same_content(session.boards.own.present, KEPT)
    assert session.boards.lent[home_page.NAME].present == lent


@pytest.mark.parametrize("damaged", ["", "x", share.encode(KEPT)[:-3], "9" + share.encode(KEPT)[1:]])
def test_a_board_that_cannot_be_read_is_a_message_and_changes_nothing(session, damaged):
    before = session.lab
    operations.open_kept(session, "Mine", damaged)
    assert session.lab == before
    assert "damaged" in session.history.note
    assert not session.history.past


def test_a_board_of_another_task_and_a_locked_board_stay_as_they_are(session):
    before = session.lab
    classes = Lab(points=(Point(1, 0, 0, 1), Point(2, 1000, 0, 3)), task="classes")
    operations.open_kept(session, "Classes", share.encode(classes))
    assert (session.lab, session.history.note) == (before, link.ELSEWHERE)
    session.link = LinkState(locked=("points",))
    operations.open_kept(session, "Mine", share.encode(KEPT))
    assert (session.lab, session.history.note) == (before, LOCKED)


def test_the_script_asks_for_a_board_or_a_known_step_and_anything_else_opens_nothing(session):
    steps = {"margin.turn"}
    assert kept.opened_page(session, {"open": share.encode(KEPT), "name": "Mine"}, steps) == "lab"
    assert same_content(session.lab, KEPT)
    assert kept.opened_page(session, {"step": "margin.turn"}, steps) == "margin"
    assert session.lessons.open_steps == {"margin": "turn"}
    for event in (None, "open", [], {}, {"open": 1, "name": "x"}, {"open": "1A"}, {"step": "margin.gone"}, {"all": 1}):
        assert kept.opened_page(session, event, steps) is None, event
    assert session.lessons.open_steps == {"margin": "turn"}


def test_a_board_is_offered_under_a_name_that_says_what_it_is():
    assert boards.offered_name(with_preset(Lab())) == "Two blobs, overlapping: Linear, C = 1"
    gaussian = replace(KEPT, kernel="gaussian", value=10.0)
    assert boards.offered_name(gaussian) == "3 points: Gaussian, σ = 1, C = 10"
    assert boards.offered_name(gaussian, {"kernel", "price"}) == "3 points", "what a link hides is in no name"


def test_the_tab_shows_kept_boards_and_the_empty_board_too():
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at = at.switch_page("pages/lab.py").run()
    for lab in (at.session_state["lab"].lab, Lab()):
        at.session_state["tab"] = "boards"
        at.session_state["lab"].history = at.session_state["lab"].history.commit(lab)
        at = at.run()
        assert not at.exception, at.exception[0].value


def test_every_step_of_every_lesson_is_known_on_the_first_screen_with_its_version():
    listed = home_page.lesson_steps()
    assert {each.page for each in listed} == {lesson.page for lesson in LESSONS}
    versions = {(each.page, key): version for each in listed for key, version, _title, _deeper in each.steps}
    assert versions == {(lesson.page, step.key): step.version for lesson in LESSONS for step in lesson.steps}
    form = re.compile(re.search(r"STEP = /(.*?)/", script("store.js"))[1])
    assert all(form.fullmatch(f"{page}.{key}") for page, key in versions)


def test_every_task_of_a_lesson_is_known_on_the_first_screen():
    listed = {name: version for each in home_page.lesson_steps() for name, version in each.tasks}
    of_lessons = [entry for entry in tasks.entries() if entry.lesson in {lesson.page for lesson in LESSONS}]
    assert listed == {name: entry.version for entry in of_lessons for name in entry.progress_keys}


def test_the_version_of_a_step_changes_with_its_question_and_its_choices():
    step = LESSON.steps[0]
    other = replace(step, question=step.question + "?"), replace(step, choices=step.choices[::-1])
    assert len({each.version for each in (step, *other)}) == 3
    assert replace(step, title="Other").version == step.version


def test_the_script_has_the_words_and_the_limit_that_python_names():
    named = set(re.findall(r'"(\w+)"', re.search(r"@typedef (\{.*?\}|.*?) Word", script("main.js"), re.S)[1]))
    assert named | {"unreadable", "newer", "forbidden", "full", "limit"} == set(kept.WORDS)
    assert f"limit: {kept.MAX_BOARDS}," in script("store.js")
    assert str(kept.MAX_BOARDS) in kept.words()["limit"]


# Progress


@pytest.fixture
def lesson(session):
    session.open_page("margin")
    state = OpenLesson(session, LESSON)
    state.prepare_board()
    return state


def press(state, choice, shown=True):
    """Mark a choice and press "Show", or press "Ask again"."""
    step = state.step
    state.session.lessons.answers[state.step_name(step)] = Answer(choice, not shown)
    actions_of(state, step, state.stage(step), lambda: None).show(shown)


def result(state):
    return state.result(state.step, state.stage(state.step))


def test_an_answer_counts_when_it_is_shown_with_a_choice_marked(lesson):
    step = lesson.step
    right = step.answer(lesson.stage(step))
    press(lesson, None)
    assert result(lesson) is None
    press(lesson, right, shown=False)
    press(lesson, right)
    assert result(lesson).right is True
    press(lesson, right, shown=False)
    press(lesson, (right + 1) % len(step.choices))
    assert result(lesson).right is False


def test_every_answer_has_a_stamp_of_its_own_and_the_board_does_not_change_its_result(lesson):
    step = lesson.step
    press(lesson, step.answer(lesson.stage(step)))
    first = result(lesson)
    inbox.do(lesson.session, {"op": "clear"})
    assert result(lesson) is first
    press(lesson, 0, shown=False)
    press(lesson, 0)
    assert result(lesson).stamp != first.stamp


def test_an_answer_whose_right_one_takes_long_is_judged_when_that_is_known(lesson):
    def waiting(stage):
        raise Working(None)

    press(lesson, 0)
    slow = replace(lesson.step, answer=waiting, choices=tuple(replace(c, is_right=False) for c in lesson.step.choices))
    with pytest.raises(Working):
        lesson.result(slow, lesson.stage(slow))
    assert result(lesson).right is not None


def test_a_link_with_an_answer_is_not_an_answer(session):
    session.open_page("margin")
    link.restore(session, f"step={LESSON.steps[0].key}&choice=1&shown=1")
    state = OpenLesson(session, LESSON)
    state.prepare_board()
    assert state.answer.shown
    assert result(state) is None


def test_what_is_opened_from_the_first_screen_is_a_page():
    assert {each.page for each in home_page.lesson_steps()} | {"lab"} <= set(frame.PAGES)
