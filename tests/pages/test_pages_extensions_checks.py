"""Cards and stages on boards of several classes and of values: what they are handed, and what keeps two boards
apart."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.cards import statement_cards
from svmlab.lab.frame import glossary_popups
from svmlab.lab.lessons.extensions import LESSON
from svmlab.lab.session import link
from svmlab.lab.session.controls import CLASSES, VALUES
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import LessonState
from svmlab.lab.session.situation import situation_key, situation_of
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.statements import CATALOGUE
from tests.lessons import stage_of
from tests.pages.test_pages_tasks import BLOBS, SLOPE
from tests.pages.test_pages_words import ROOT

CURVE = replace(SLOPE, kernel="gaussian")


def verdicts(lab, ids):
    session = Session(History(lab, touched=True))
    answer = statement_cards.check(session, ids)
    if answer.job is not None:
        assert answer.job.wait(60)
        answer = statement_cards.check(session, ids)
    assert answer.is_current
    return answer.verdicts


@pytest.mark.parametrize("lab", [BLOBS, SLOPE, CURVE], ids=["blobs", "values", "curve"])
def test_a_situation_has_what_the_board_has(lab):
    situation = situation_of(lab, None)
    of_stage = stage_of(LESSON, lab).situation
    for built in (situation, of_stage):
        assert (built.several is None) == (lab.task != CLASSES)
        assert (built.tube is None) == (lab.task != VALUES)
    if lab.task == CLASSES:
        assert situation.several.key == lab.multiclass_problem.key
    else:
        assert situation.tube.key == lab.regression_problem.key


def test_a_board_of_two_classes_has_neither():
    situation = situation_of(Lab(), None)
    assert (situation.several, situation.tube) == (None, None)


def test_what_says_something_else_has_another_key():
    labels = replace(BLOBS, points=(*BLOBS.points[:-1], BLOBS.points[-1]._replace(label=2)))
    boards = [
        BLOBS,
        labels,
        replace(BLOBS, value=1.0),
        SLOPE,
        replace(SLOPE, eps=0.3),
        replace(SLOPE, kernel="gaussian"),
    ]
    boards += [replace(BLOBS, task="binary", points=tuple(p._replace(label=1) for p in BLOBS.points))]
    assert len({situation_key(lab) for lab in boards}) == len(boards)
    assert situation_key(replace(BLOBS, eps=1.0)) == situation_key(BLOBS)


def test_on_three_blobs_the_card_counts_where_no_svm_says_yes():
    verdict = verdicts(BLOBS, LESSON.statement_ids)["X1"]
    assert verdict.holds
    assert not verdict.control.holds
    assert verdict.sides[0].value == 3


def test_on_a_board_of_values_the_card_has_its_tube():
    verdict_of = verdicts(SLOPE, LESSON.statement_ids)
    assert verdict_of["X2"].holds
    assert verdict_of["X2"].note == ""
    assert {side.formula: side.value for side in verdict_of["X2"].sides}[r"\varepsilon"] == SLOPE.eps
    assert "only one class" in verdict_of["X1"].why


@pytest.mark.parametrize("lab", [BLOBS, SLOPE], ids=["blobs", "values"])
def test_no_other_card_judges_a_board_that_is_not_of_two_classes(lab):
    ids = ["M1", "S5", "L1", "K4", "G9", "X3"]
    assert all("two classes" in verdict.why for verdict in verdicts(lab, ids).values())


@pytest.mark.parametrize("change", [{"hard": True}, {"kernel": "sigmoid"}])
def test_a_tube_that_there_is_not_is_no_mishap(change):
    verdict = verdicts(replace(SLOPE, **change), ["X2"])["X2"]
    assert verdict.applies == ("hard" in change)
    if verdict.applies:
        assert situation_of(replace(SLOPE, hard=True), None).tube.C == 1.0


@pytest.mark.parametrize("key", LESSON.statement_ids)
def test_a_witness_is_lent_to_the_lesson_and_never_put_in_the_place_of_a_persons_own(key):
    statement = CATALOGUE[key]
    session = Session(
        History(BLOBS, touched=True), page="extensions", lessons=LessonState(open_steps={"extensions": "check"})
    )
    session.boards.own = History(Lab(points=SLOPE.points))
    done = []
    statement_cards._open(session, statement.witness, lambda: done.append(key))()
    assert session.boards.shown == "extensions.check"
    assert (session.lab.task, session.boards.own.present.task) == (statement.witness.task, "binary")
    assert [(x / 1000, y / 1000) for _id, x, y, _label in session.lab.points] == list(statement.witness.X)
    verdict = verdicts(session.lab, [key])[key]
    expected = statement.check(statement.witness.situation)
    assert [side.value for side in verdict.sides] == [side.value for side in expected.sides]
    address = link.query_string(link.location_of(session))
    other = Session(History(Lab()), page="extensions")
    link.restore(other, address)
    assert other.lab == replace(session.lab, selected=other.lab.selected)
    statement_cards._back(session, lambda: done.append(key))()
    assert session.boards.shown is None
    assert done == [key, key]


def test_on_the_page_of_all_statements_the_way_to_such_a_board_is_the_lesson():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    at.switch_page("pages/statements.py").run()
    at.session_state[glossary_popups.GOING] = {"page": "statements", "mark": "X1"}
    for _ in range(100):
        at.run()
        if any(m.value.startswith('<div class="sv-head') for m in at.markdown):
            break
    assert not at.exception
    assert any(">X1</span>" in m.value for m in at.markdown)
    assert not {"witness_X1", "witness_X2"} & {b.key for b in at.button}


def test_in_the_lesson_the_button_lends_the_board_and_takes_it_back():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["step"] = "check"
    at.run().switch_page("pages/extensions.py").run()
    state = at.session_state["lab"]
    state.lessons.open_steps["extensions"], state.lessons.prepared_step = "check", None
    for _ in range(100):
        at.run()
        if any(b.key == "witness_X1" for b in at.button):
            break
    at.button(key="witness_X1").click().run()
    assert state.boards.shown == "extensions.check"
    assert state.lab.task == CLASSES
    assert not at.exception
    for _ in range(100):
        if any(b.key == "back_X1" for b in at.button):
            break
        at.run()
    at.button(key="back_X1").click().run()
    assert state.boards.shown is None
    assert not at.exception
