"""The page of statements: every card on every board, filters, witnesses, and checks that run aside."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab import text
from svmlab.lab.cards import cards, checks
from svmlab.lab.cards.catalogue import matching
from svmlab.lab.cards.catalogue_words import ALL
from svmlab.lab.session import share
from svmlab.lab.session.state import History, Lab, Point, with_preset
from svmlab.lab.session.tab import Session
from svmlab.statements import CATALOGUE, Situation

ROOT = Path(__file__).parents[2]
STREET = with_preset(Lab(preset="separable", size=24, seed=19, hard=True))
BOARDS = {
    "empty": Lab(),
    "one class": Lab(points=(Point(1, 0, 0, 1), Point(2, 1000, 0, 1))),
    "preset": with_preset(Lab()),
    "street": STREET,
    "gaussian": with_preset(Lab(size=20, kernel="gaussian")),
    "sigmoid": with_preset(Lab(size=20, kernel="sigmoid")),
}


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def page(lab: Lab, lesson: str = ALL) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    at.run()
    at.switch_page("pages/statements.py")
    at.session_state["statements_lesson"] = lesson
    return ready(at)


def ready(at: AppTest) -> AppTest:
    """Run until nothing is being checked any more."""
    sound(at.run())
    work = at.session_state["lab"].aside["checks"].job
    if work is not None:
        work.wait(60)
        assert work.error is None, work.error
        sound(at.run())
    return at


def shown(at: AppTest) -> list[str]:
    """The ids of the cards, in order."""
    return [m.value.split('"sv-id">')[1].split("<")[0] for m in at.markdown if '"sv-id">' in m.value]


@pytest.mark.parametrize("name", BOARDS)
def test_every_statement_has_a_card_on_every_board(name):
    at = page(BOARDS[name])
    assert shown(at) == list(CATALOGUE)


def test_verdict_lesson_and_words_filter_the_cards():
    at = page(STREET, "margin")
    assert shown(at) == [k for k in CATALOGUE if k[0] == "M"]
    at.session_state["statements_verdict"] = "repaired"
    ready(at)
    assert shown(at) == ["M2", "M4", "M11", "M12"]
    sound(at.text_input(key="statements_search").set_value("h8").run())
    assert shown(at) == ["H8"]  # whatever the lesson
    sound(at.text_input(key="statements_search").set_value("nothing like this").run())
    assert shown(at) == []


def test_words_find_ids_notes_and_what_is_said():
    assert matching(None, None, "M8") == ["M8"]
    assert "M8" in matching(None, None, "perceptron")
    assert matching(None, None, "perceptron mistakes") == ["M8"]
    assert set(matching(None, None, "e")) == {k for k, s in CATALOGUE.items() if "E" in {o.notes for o in s.source}}
    assert matching("holds", "soft") == [k for k, s in CATALOGUE.items() if (s.verdict, s.page) == ("holds", "soft")]


@pytest.mark.parametrize("key", [k for k, s in CATALOGUE.items() if s.witness])
def test_a_witness_opens_on_the_board_and_undo_brings_the_board_back(key):
    at = page(STREET)
    state = at.session_state["lab"]
    sound(at.button(key=f"witness_{key}").click().run())
    problem, witness = state.lab.problem, CATALOGUE[key].witness.problem
    assert problem.data.X.tolist() == witness.data.X.tolist()
    assert problem.data.y.tolist() == witness.data.y.tolist()
    assert (problem.kernel.key, problem.C, problem.bias) == (witness.kernel.key, witness.C, witness.bias)
    state.do({"op": "undo"})
    assert state.lab.points == STREET.points


@pytest.mark.parametrize("key", [k for k, s in CATALOGUE.items() if s.repair])
def test_the_card_of_a_repair_shows_both_readings_where_it_applies(key):
    statement = CATALOGUE[key]
    found = statement.check(Situation(statement.witness.problem if statement.witness else STREET.problem))
    said = cards.face(statement, found)
    assert statement.repair in said
    if found.printed is not None and found.repaired is not None:
        assert said.count("sv-badge") == 3
        assert said.index("As printed") < said.index("As repaired")


@pytest.mark.parametrize("key", CATALOGUE)
def test_no_formula_breaks_the_table_it_stands_in(key):
    statement = CATALOGUE[key]
    found = statement.check(Situation(STREET.problem))
    for line in cards.face(statement, found).splitlines():
        if line.startswith("| "):
            assert line.count("|") == 3, line


def test_links_lead_only_to_pages_that_exist():
    at = page(STREET)
    linked = {link.proto.page for link in at.get("page_link")}
    assert linked == {s.page for s in CATALOGUE.values() if s.page in text.PAGES}


def session(lab: Lab) -> Session:
    return Session(History(lab))


def finish(s: Session, ids: list[str]) -> checks.Answer:
    answer = checks.check(s, ids)
    if answer.job is not None:
        answer.job.wait(60)
    return checks.check(s, ids)


def test_a_verdict_is_that_of_the_catalogue_and_is_found_once():
    s = session(STREET)
    answer = finish(s, ["M1", "M5"])
    expected = CATALOGUE["M5"].check(Situation(STREET.problem))
    assert answer.fresh
    assert answer.found["M5"].residual == pytest.approx(expected.residual, abs=1e-12)
    assert finish(s, ["M1", "M5"]).found["M5"] is answer.found["M5"]


def test_while_a_new_board_is_checked_the_last_answers_stay(monkeypatch):
    s = session(STREET)
    old = finish(s, ["M1"]).found["M1"]
    monkeypatch.setattr(checks, "PATIENCE", 0.0)
    s.history = History(with_preset(Lab(size=40)))
    answer = checks.check(s, ["M1", "S16", "S4"])
    if not answer.fresh:
        assert answer.found["M1"] is old or answer.found["M1"] is s.aside["checks"].found["M1"]
    new = finish(s, ["M1", "S16", "S4"])
    assert new.fresh
    assert new.found["M1"] is not old


def test_work_that_is_called_off_is_not_taken_up_again_unasked(monkeypatch):
    monkeypatch.setattr(checks, "PATIENCE", 0.0)
    s = session(with_preset(Lab(size=60)))
    job = checks.check(s, CATALOGUE).job
    assert job is not None
    job.cancel()
    job.wait(60)
    again = checks.check(s, CATALOGUE)
    assert again.fresh or again.job is job
    again.again()
    assert finish(s, list(CATALOGUE)).fresh


def test_a_board_of_a_witness_keeps_the_looks():
    lab = Lab(projector=True, label=-1)
    found = cards.board_of(lab, CATALOGUE["M2"].witness)
    assert (found.projector, found.label) == (True, -1)
