"""Whatever raises an error that nobody foresaw, people read a number, and the log has the trace under it, once."""

import json
import logging
import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException
from streamlit.testing.v1 import AppTest

from svmlab import BadInput
from svmlab.lab.bench.tabs import TABS, certificate
from svmlab.lab.board import board_data, drag_socket
from svmlab.lab.cards import statement_cards
from svmlab.lab.lessons import margin
from svmlab.lab.session import cache, inbox, long_work, share, state, unexpected_errors
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Chart, Choice, Need, Step, Try
from svmlab.statements import CATALOGUE
from tests.marks import unmarked

ROOT = Path(__file__).parents[2]
LAB = with_preset(Lab(size=20))
pytestmark = pytest.mark.mishap


def broken(*_, **__):
    return 1 // 0


@pytest.fixture(autouse=True)
def unforeseen(monkeypatch, caplog):
    """The words that were shown name an error that stands in the log once, with its trace."""
    monkeypatch.setattr(unexpected_errors, "_times", Counter())

    def check(words):
        (number,) = set(re.findall("number ([0-9a-f]{6})", words))
        (record,) = [r for r in caplog.records if r.name == unexpected_errors.__name__ and number in r.getMessage()]
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


@pytest.mark.parametrize("name", ["solve", "draw_solution"])
def test_on_the_board_the_points_stay_beside_the_message(name, monkeypatch, unforeseen):
    monkeypatch.setattr(cache, name, broken)
    at = start()
    data = board_data(at.session_state["lab"])
    assert len(data["points"]) == 20
    assert data["lines"] is None
    unforeseen(data["message"]["text"])
    sound(at.selectbox(key="preset").select("moons").run())
    assert at.session_state["lab"].lab.preset == "moons"


def test_a_note_about_what_was_done_does_not_hide_the_message(monkeypatch, unforeseen):
    monkeypatch.setattr(cache, "solve", broken)
    said = board_data(Session(History(LAB, note="Opened.")))["message"]["text"]
    assert said.startswith("Opened. ")
    unforeseen(said)


@pytest.mark.parametrize(("room", "name"), [(cache, "solve"), (drag_socket, "draw_solution")])
def test_a_picture_past_the_page_is_the_message(room, name, monkeypatch, unforeseen):
    monkeypatch.setattr(room, name, broken)
    answer, _ = drag_socket.draw(json.dumps({"share": share.encode(LAB), "ops": []}), None)
    assert json.loads(answer)["lines"] is None
    unforeseen(json.loads(answer)["message"]["text"])


def test_an_operation_is_left_out_with_the_message(monkeypatch, unforeseen):
    session = Session(History(LAB))
    monkeypatch.setattr(state, "apply", broken)
    inbox.receive(session, {"boot": session.boot, "seq": 1, "ops": [{"op": "clear"}]})
    assert (session.lab, session.ack) == (LAB, 1)
    unforeseen(board_data(session)["message"]["text"])


# ---------------------------------------------------------------- the pages


@pytest.mark.parametrize("tab", TABS)
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


BROKEN = {
    name: {name: broken}
    for name in (
        "situation",
        "answer",
        "verdict",
        "draw",
        "numbers",
        "chart",
        "says",
        "formula",
        "more",
        "play",
        "board",
    )
}
BROKEN["answer"] |= {"choices": (Choice("One", "Why."), Choice("Two", "Why."))}  # none is right on every board
BROKEN["needs"] = {"needs": (Need(broken, "", {}),)}
BROKEN["board"] |= {"needs": (Need(lambda stage: False, "This is no board for it.", {}),)}  # so that it lends one


def with_first(monkeypatch, **fields) -> tuple[Step, Step]:
    """The lesson on the margin with a first step of which something is other; that step and the next."""
    first, *others = margin.LESSON.steps
    first = replace(first, **fields)
    monkeypatch.setattr(margin, "LESSON", replace(margin.LESSON, steps=(first, *others)))
    return first, others[0]


def seen(at: AppTest, drawn: list) -> str:
    """Every warning of the page, and the message on its board."""
    return " ".join([warned(at), (drawn[-1]["message"] or {}).get("text", "")])


@pytest.fixture
def drawn(monkeypatch):
    """The data of each board that a lesson has drawn."""
    boards = []
    monkeypatch.setattr("svmlab.lab.teach.lesson.display", lambda data, **_: boards.append(data))
    return boards


@pytest.mark.one_in(4)
@pytest.mark.parametrize("part", BROKEN)
def test_a_step_that_fails_says_so_and_the_lesson_goes_on(part, monkeypatch, drawn, unforeseen):
    first, second = with_first(monkeypatch, **{"play": lambda stage: None} | BROKEN[part])
    at = start("margin")
    assert first.question in [unmarked(m.value).strip("*") for m in at.markdown]
    if part not in ("needs", "board"):
        sound(at.radio(key=f"{first.key}_choice").set_value(0).run())
        sound(at.button(key=f"{first.key}_show").click().run())
    unforeseen(seen(at, drawn))
    session = at.session_state["lab"]
    assert session.boards.own.present == LAB
    assert (session.boards.shown, len(drawn[-1]["points"]), bool(drawn[-1]["lines"])) == (None, 20, True)
    sound(at.button(key="next").click().run())
    assert second.question in [unmarked(m.value).strip("*") for m in at.markdown]
    assert not at.warning
    assert drawn[-1]["message"] is None
    sound(at.button(key="back").click().run())
    assert first.question in [unmarked(m.value).strip("*") for m in at.markdown]
    assert session.boards.own.present == LAB


@pytest.mark.parametrize("each", [Try("Try", broken), Try("Try", board=broken)], ids=["op", "board"])
def test_what_is_tried_and_fails_changes_nothing(each, monkeypatch, drawn, unforeseen):
    first, _ = with_first(monkeypatch, tries=(each,), play=lambda stage: None)
    at = start("margin")
    sound(at.button(key=f"{first.key}_show").click().run())
    sound(at.button(key=f"{first.key}_try0").click().run())
    unforeseen(seen(at, drawn))
    session = at.session_state["lab"]
    assert (session.boards.shown, session.lab) == (None, LAB)
    assert not at.warning
    sound(at.button(key="next").click().run())
    assert drawn[-1]["message"] is None


def test_a_click_on_a_chart_that_fails_changes_nothing(monkeypatch, drawn, unforeseen):
    def chart(figure, key, picked=None, fill=False, saved=None):
        st.button("A mark", key="mark", on_click=picked, args=(1,))

    monkeypatch.setattr("svmlab.lab.teach.sheet.show_chart", chart)
    part = Chart(go.Figure(), on_click=broken)
    first, _ = with_first(monkeypatch, chart=lambda stage: part, play=lambda stage: None)
    at = start("margin")
    sound(at.button(key=f"{first.key}_show").click().run())
    sound(at.button(key="mark").click().run())
    unforeseen(seen(at, drawn))
    assert at.session_state["lab"].lab == LAB
    assert not at.warning


def test_a_board_that_cannot_be_lent_again_leaves_the_one_that_stands(monkeypatch, drawn, unforeseen):
    first, _ = with_first(monkeypatch, board=broken, needs=(Need(lambda stage: False, "No.", {}),))
    at = start("margin")
    sound(at.button(key=f"{first.key}_lend").click().run())
    unforeseen(seen(at, drawn))
    assert at.session_state["lab"].lab == LAB


# ---------------------------------------------------------------- work aside


def test_long_work_ends_with_the_message(unforeseen):
    job = Job(("key",), broken)
    assert job.wait(60)
    assert not job.finished
    unforeseen(str(job.error))


def test_a_page_shows_the_message_of_its_long_work(monkeypatch, unforeseen):
    monkeypatch.setattr(long_work, "WAIT_SECONDS", 60.0)
    at = start("pegasos")
    at.session_state["lab"].lessons.open_steps["pegasos"] = "batch"
    sound(at.run())
    monkeypatch.setattr("svmlab.lab.lessons.pegasos.batch.batch_descent", broken)
    at.button(key="batch_show").click()
    at.run()
    monkeypatch.undo()
    unforeseen(warned(sound(at)))


def test_a_check_that_fails_says_so_on_its_card_and_the_others_go_on(monkeypatch, unforeseen):
    monkeypatch.setitem(CATALOGUE, "M1", replace(CATALOGUE["M1"], compute=broken))
    session = Session(History(LAB))
    answer = statement_cards.check(session, ["M1", "M5"])
    if answer.job is not None:
        answer.job.wait(60)
    verdicts = statement_cards.check(session, ["M1", "M5"]).verdicts
    unforeseen(statement_cards.card_markdown(CATALOGUE["M1"], verdicts["M1"]))
    assert verdicts["M5"].applies
    assert "could not be checked: 1" in statement_cards.tally(verdicts.values(), 20)


# ---------------------------------------------------------------- the log


def test_the_log_takes_a_trace_once_and_then_counts(caplog):
    for _ in range(100):
        try:
            broken()
        except ZeroDivisionError as error:
            said = unexpected_errors.to_svm_error(error)
    records = [r for r in caplog.records if r.name == unexpected_errors.__name__]
    assert [bool(r.exc_info) for r in records] == [True, False, False]
    assert [r.levelno for r in records] == 3 * [logging.ERROR]
    assert "100th" in records[-1].getMessage()
    assert unexpected_errors.unexpected_count() == 100
    assert str(unexpected_errors.to_svm_error(KeyError("another"))) != str(said)


def test_what_svmlab_says_on_purpose_is_no_line_in_the_log(caplog):
    error = BadInput("X: too many.")
    assert unexpected_errors.to_svm_error(error) is error
    assert not caplog.records


@pytest.mark.parametrize("jump", [RerunException(None), StopException()])
def test_streamlit_s_own_jumps_pass(jump):
    with pytest.raises(type(jump)), unexpected_errors.showing_errors():
        raise jump


def test_streamlit_itself_shows_no_traces():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["client"]["showErrorDetails"] == "none"
