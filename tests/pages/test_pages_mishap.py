"""Whatever raises an error that nobody foresaw, people read a number, and the log has the trace under it, once."""

import json
import logging
import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner import RerunException, StopException
from streamlit.testing.v1 import AppTest

from svmlab import BadInput
from svmlab.lab import text
from svmlab.lab.bench.tabs import certificate
from svmlab.lab.board import board_of, live
from svmlab.lab.cards import cards, checks
from svmlab.lab.lessons import margin, pegasos
from svmlab.lab.session import cache, longwork, mishap, share, state
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job
from svmlab.statements import CATALOGUE

ROOT = Path(__file__).parents[2]
LAB = state.with_preset(Lab(size=20))
pytestmark = pytest.mark.mishap


def broken(*_, **__):
    return 1 // 0


@pytest.fixture(autouse=True)
def unforeseen(monkeypatch, caplog):
    """The words that were shown name an error that stands in the log once, with its trace."""
    monkeypatch.setattr(mishap, "_times", Counter())

    def check(words):
        (number,) = set(re.findall("number ([0-9a-f]{6})", words))
        (record,) = [r for r in caplog.records if r.name == mishap.__name__ and number in r.getMessage()]
        assert record.exc_info[0] is ZeroDivisionError

    return check


def start(page: str = "lab") -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(LAB)
    at.run()
    return sound(at if page == "lab" else at.switch_page(f"pages/{page}.py").run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def warned(at: AppTest) -> str:
    return " ".join(element.value for element in at.warning)


# ---------------------------------------------------------------- the picture


@pytest.mark.parametrize("name", ["solve", "scene"])
def test_on_the_board_the_points_stay_beside_the_message(name, monkeypatch, unforeseen):
    monkeypatch.setattr(cache, name, broken)
    at = start()
    data = board_of(at.session_state["lab"])
    assert len(data["points"]) == 20
    assert data["lines"] is None
    unforeseen(data["message"]["text"])
    sound(at.selectbox(key="preset").select("moons").run())
    assert at.session_state["lab"].lab.preset == "moons"


def test_a_note_about_what_was_done_does_not_hide_the_message(monkeypatch, unforeseen):
    monkeypatch.setattr(cache, "solve", broken)
    said = board_of(Session(History(LAB, note="Opened.")))["message"]["text"]
    assert said.startswith("Opened. ")
    unforeseen(said)


@pytest.mark.parametrize(("room", "name"), [(cache, "solve"), (live, "scene")])
def test_a_picture_past_the_page_is_the_message(room, name, monkeypatch, unforeseen):
    monkeypatch.setattr(room, name, broken)
    answer, _ = live.draw(json.dumps({"share": share.encode(LAB), "ops": []}), None)
    assert json.loads(answer)["lines"] is None
    unforeseen(json.loads(answer)["message"]["text"])


def test_an_operation_is_left_out_with_the_message(monkeypatch, unforeseen):
    session = Session(History(LAB))
    monkeypatch.setattr(state, "apply", broken)
    session.receive({"boot": session.boot, "seq": 1, "ops": [{"op": "clear"}]})
    assert (session.lab, session.ack) == (LAB, 1)
    unforeseen(board_of(session)["message"]["text"])


# ---------------------------------------------------------------- the pages


@pytest.mark.parametrize("tab", text.TABS)
def test_under_the_board_the_message_stands_in_the_place_of_the_tab(tab, monkeypatch, unforeseen):
    monkeypatch.setattr(f"svmlab.lab.bench.tabs.{tab}.show", broken)
    at = start()
    unforeseen(warned(sound(at.segmented_control(key="tab").set_value(tab).run())))


def test_a_second_solver_that_fails_leaves_the_certificate(monkeypatch, unforeseen):
    monkeypatch.setattr(certificate, "solve", broken)
    at = start()
    sound(at.segmented_control(key="tab").set_value("certificate").run())
    said = " ".join(m.value for m in at.markdown)
    assert "stationarity" in said
    unforeseen(said)


def test_the_key_figures_are_replaced_by_the_message(monkeypatch, unforeseen):
    monkeypatch.setattr("svmlab.lab.bench.panel.formula", broken)
    unforeseen(warned(start()))


@pytest.mark.parametrize("part", ["needs", "about", "answer", "reveal", "numbers", "show"])
def test_a_step_that_fails_says_so_and_the_lesson_goes_on(part, monkeypatch, unforeseen):
    first, *others = margin.LESSON.steps
    steps = (replace(first, choices=("this", "that"), **{part: broken}), *others)
    monkeypatch.setattr(margin, "LESSON", replace(margin.LESSON, steps=steps))
    at = start("margin")
    session = at.session_state["lab"]
    session.lessons[f"margin.{first.key}"] = {"shown": True, "choice": 0}
    unforeseen(warned(sound(at.run())))
    sound(at.button(key="next").click().run())
    assert at.subheader[0].value == others[0].title
    assert not at.warning


def test_a_drawing_that_fails_leaves_the_board(monkeypatch, unforeseen):
    drawn = []
    monkeypatch.setattr("svmlab.lab.teach.lesson.board", lambda data, **_: drawn.append(data))
    first, *others = margin.LESSON.steps
    steps = (replace(first, draw=broken), *others)
    monkeypatch.setattr(margin, "LESSON", replace(margin.LESSON, steps=steps))
    start("margin")
    assert drawn[-1]["lines"]
    unforeseen(drawn[-1]["message"]["text"])


# ---------------------------------------------------------------- work aside


def test_long_work_ends_with_the_message(unforeseen):
    job = Job(("key",), broken)
    assert job.wait(60)
    assert not job.finished
    unforeseen(str(job.error))


def test_a_page_shows_the_message_of_its_long_work(monkeypatch, unforeseen):
    monkeypatch.setattr(longwork, "PATIENCE", 60.0)
    monkeypatch.setattr("svmlab.lab.lessons.pegasos.common.pegasos", broken)
    at = start("pegasos")
    step = next(i for i, s in enumerate(pegasos.LESSON.steps) if s.key == "convergence")
    sound(at.segmented_control(key="pegasos_step").set_value(step).run())
    unforeseen(warned(sound(at.button(key="convergence_show").click().run())))


def test_a_check_that_fails_says_so_on_its_card_and_the_others_go_on(monkeypatch, unforeseen):
    monkeypatch.setitem(CATALOGUE, "M1", replace(CATALOGUE["M1"], compute=broken))
    session = Session(History(LAB))
    answer = checks.check(session, ["M1", "M5"])
    if answer.job is not None:
        answer.job.wait(60)
    found = checks.check(session, ["M1", "M5"]).found
    unforeseen(cards.face(CATALOGUE["M1"], found["M1"]))
    assert found["M5"].applies
    assert "1 could not be checked" in cards.tally(found.values(), 20)


# ---------------------------------------------------------------- the log


def test_the_log_takes_a_trace_once_and_then_counts(caplog):
    for _ in range(100):
        try:
            broken()
        except ZeroDivisionError as error:
            said = mishap.told(error)
    records = [r for r in caplog.records if r.name == mishap.__name__]
    assert [bool(r.exc_info) for r in records] == [True, False, False]
    assert [r.levelno for r in records] == 3 * [logging.ERROR]
    assert "100th" in records[-1].getMessage()
    assert mishap.count() == 100
    assert str(mishap.told(KeyError("another"))) != str(said)


def test_what_svmlab_says_on_purpose_is_no_line_in_the_log(caplog):
    error = BadInput("X: too many.")
    assert mishap.told(error) is error
    assert not caplog.records


@pytest.mark.parametrize("jump", [RerunException(None), StopException()])
def test_streamlit_s_own_jumps_pass(jump):
    with pytest.raises(type(jump)), mishap.caught():
        raise jump


def test_streamlit_itself_shows_no_traces():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["client"]["showErrorDetails"] == "none"
