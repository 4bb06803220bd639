"""The page of statements: every card on every board, filters, witnesses, and checks that run aside."""

import math
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.cards import sources_page, statement_cards, statement_map
from svmlab.lab.cards.card_markdown import WORD
from svmlab.lab.cards.statements_page import ALL, matching
from svmlab.lab.frame import glossary_popups
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.lessons import steps_by_statement
from svmlab.lab.numbers import short
from svmlab.lab.session import inbox, share
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.statements import CATALOGUE, Side, Situation
from svmlab.statements.derivations import consequences, premises
from svmlab.statements.notes import NOTES
from svmlab.statements.slips import SLIPS, Slip
from tests.lessons import LESSONS
from tests.marks import unmarked
from tests.shown import steps_showing

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
    work = at.session_state["lab"].lessons.statement_checks.job
    if work is not None:
        work.wait(60)
        assert work.error is None, work.error
        sound(at.run())
    return at


def shown(at: AppTest) -> list[str]:
    """The ids of the cards, in order."""
    return [m.value.split('"sv-id">')[1].split("<")[0] for m in at.markdown if '"sv-id">' in m.value]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "preset" else pytest.mark.slow) for name in BOARDS]
)
def test_every_statement_has_a_card_on_every_board(name):
    at = page(BOARDS[name])
    lessons = list(statement_cards.LESSONS)
    assert shown(at) == sorted(CATALOGUE, key=lambda id: lessons.index(CATALOGUE[id].page))  # a letter's may be in two


def test_verdict_lesson_and_words_filter_the_cards():
    at = page(STREET, "margin")
    assert shown(at) == [k for k in CATALOGUE if k[0] == "M"]
    at.session_state["statements_verdict"] = "incomplete"
    ready(at)
    assert shown(at) == ["M1", "M2", "M4", "M11", "M12", "M13"]
    at.session_state["statements_verdict"] = "misprint"
    ready(at)
    assert shown(at) == []
    sound(at.text_input(key="statements_search").set_value("h8").run())
    assert shown(at) == ["H8"]  # whatever the lesson
    sound(at.text_input(key="statements_search").set_value("nothing like this").run())
    assert shown(at) == []


def counts(at: AppTest, key: str) -> dict[str, int]:
    """How many each pill says that there are."""
    said = (option.content for option in at.pills(key=f"statements_{key}").proto.options)
    return {name.strip(): int(n) for name, n in (words.rsplit(maxsplit=1) for words in said)}


def test_counts_follow_the_search_and_the_lesson_from_before_comes_back():
    at = page(STREET, "margin")
    sound(at.text_input(key="statements_search").set_value("gruber").run())
    ready(at)
    assert at.session_state["statements_lesson"] == ALL
    matches = matching(None, None, "gruber")
    assert 0 < len(matches) < len(CATALOGUE)
    assert shown(at) == matches
    by_lesson, by_verdict = counts(at, "lesson"), counts(at, "verdict")
    assert by_lesson["All"] == len(matches) == sum(n for name, n in by_lesson.items() if name != "All")
    assert sum(by_verdict.values()) == len(matches)
    at.session_state["statements_lesson"] = "duality"
    ready(at)
    assert len(shown(at)) == by_lesson["Duality"]
    assert sum(counts(at, "verdict").values()) == by_lesson["Duality"]
    sound(at.text_input(key="statements_search").set_value("").run())
    ready(at)
    assert at.session_state["statements_lesson"] == "margin"
    assert shown(at) == [k for k in CATALOGUE if k[0] == "M"]


def address(at: AppTest) -> str:
    return str(inbox.wire_data(at.session_state["lab"])["address"])


def test_the_address_carries_the_filters_and_a_link_brings_them_back():
    at = page(STREET, "margin")
    assert not re.search("q=|lesson=|verdict=", address(at)), "the usual lesson needs no name"
    sound(at.pills(key="statements_lesson").set_value("soft").run())
    sound(at.pills(key="statements_verdict").set_value("incomplete").run())
    assert "lesson=soft&verdict=incomplete" in address(at)
    listed = shown(at)
    assert 0 < len(listed) < len(matching("incomplete", None))
    sound(at.text_input(key="statements_search").set_value("gruber").run())
    assert "q=gruber&verdict=incomplete" in address(at), "words are searched in all lessons"
    sound(at.pills(key="statements_lesson").set_value("soft").run())
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in parse_qsl(address(at)):
        other.query_params[name] = value
    other = ready(sound(other.switch_page("pages/statements.py")))
    assert shown(other) == shown(at)
    assert address(other) == address(at)
    sound(other.text_input(key="statements_search").set_value("").run())
    assert shown(other) == [k for k in CATALOGUE if k[0] == "M" and CATALOGUE[k].worst_degree == "incomplete"]


def test_a_filter_that_does_not_exist_is_ignored():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params.update({"lesson": "nothing", "verdict": "nothing"})
    at = ready(sound(at.switch_page("pages/statements.py")))
    assert shown(at) == [k for k in CATALOGUE if k[0] == "M"]
    assert not re.search("lesson=|verdict=", address(at))


def test_a_way_to_a_statement_leads_to_its_card_whatever_was_asked_for_before():
    at = page(STREET, "margin")
    at.session_state["statements_verdict"] = "misprint"
    at.session_state[glossary_popups.GOING] = {"page": "statements", "mark": "S3"}
    ready(at)
    assert shown(at) == ["S3"]


def test_words_find_ids_notes_and_what_is_said():
    assert matching(None, None, "M8") == ["M8"]
    assert "M8" in matching(None, None, "perceptron")
    assert matching(None, None, "perceptron radius") == ["M8"]
    assert set(matching(None, None, "gruber")) == {
        k for k, s in CATALOGUE.items() if "C" in {o.notes for o in s.source}
    }
    assert matching(None, None, "e") == []
    assert matching("right", "soft") == [
        k for k, s in CATALOGUE.items() if (s.worst_degree, s.page) == ("right", "soft")
    ]


def test_words_find_what_is_quoted_and_no_name_of_a_formula():
    assert matching(None, None, "Luft") == []
    assert matching(None, None, "fortemente") == ["S4", "P14"]
    assert matching(None, None, "杂") == ["M9"]
    assert matching(None, None, "mathbf") == []


OF_EACH_LESSON = tuple({s.page: key for key, s in CATALOGUE.items() if s.witness.task == "binary"}.values())


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=pytest.mark.sweep if i > 1 else pytest.mark.slow if i else ())
        for i, key in enumerate(OF_EACH_LESSON)
    ],
)
def test_a_witness_opens_on_the_board_and_undo_brings_the_board_back(key):
    at = page(STREET)
    state = at.session_state["lab"]
    sound(at.button(key=f"witness_{key}").click().run())
    problem, witness = state.lab.problem, CATALOGUE[key].witness.problem
    assert problem.data.X.tolist() == witness.data.X.tolist()
    assert problem.data.y.tolist() == witness.data.y.tolist()
    assert (problem.kernel.key, problem.C, problem.bias) == (witness.kernel.key, witness.C, witness.bias)
    inbox.do(state, {"op": "undo"})
    assert state.lab.points == STREET.points


def rows(said: str) -> list[tuple[str, bool, str]]:
    """The readings of a card: their names, whether they hold, and what their badges say."""
    matches = re.findall(r'data-holds="(\w+)"><div>\s*\*\*(.*?)\*\*.*?sv-badge.*?>(.*?)<', said, re.DOTALL)
    return [(name, holds == "true", badge) for holds, name, badge in matches]


@pytest.mark.parametrize("key", [k for k, s in CATALOGUE.items() if s.repair])
def test_the_card_of_a_correction_shows_it_before_the_printed_claim_on_the_board_that_refutes_the_claim(key):
    statement = CATALOGUE[key]
    said = statement_cards.card_markdown(statement, statement.check(statement.witness.situation))
    assert statement.repair in unmarked(said)
    corrected, printed, *_control = rows(said)
    assert corrected == ("Corrected", True, "✓ holds here")
    assert printed == ("As printed in the notes", False, "✗ fails here")


@pytest.mark.parametrize("key", [k for k, s in CATALOGUE.items() if s.witness and not s.repair])
def test_the_card_of_a_statement_that_holds_has_a_false_variant_that_fails_as_expected(key):
    statement = CATALOGUE[key]
    own, variant = rows(statement_cards.card_markdown(statement, statement.check(statement.witness.situation)))
    assert own[1:] == (True, "✓ holds here")
    assert variant == ("A false variant, for comparison", False, "✗ fails here, as expected")


def test_every_reading_is_measured_against_its_own_tolerance():
    statement = CATALOGUE["P12"]
    verdict = statement.check(statement.witness.situation)
    assert verdict.printed.tolerance > 1e6 * verdict.repaired.tolerance
    said = statement_cards.card_markdown(statement, verdict)
    for reading in (verdict.printed, verdict.repaired):
        assert f"allowed {short(reading.tolerance, 2)}" in said


@pytest.fixture(scope="module")
def cards_on_street():
    """Every statement's card on one board."""
    situation = Situation(STREET.problem)
    return {key: statement_cards.card_markdown(each, each.check(situation)) for key, each in CATALOGUE.items()}


@pytest.mark.parametrize("key", CATALOGUE)
def test_a_card_says_how_right_every_note_is_and_quotes_it_in_its_language(cards_on_street, key):
    statement, said = CATALOGUE[key], cards_on_street[key]
    above, folded = said.split('<details class="sv-more">')
    assert above.count("sv-degree ") + above.count('"sv-degree"') == len(statement.source)
    for source in statement.source:
        notes = NOTES[source.notes]
        assert f"{notes.short}: {WORD[source.degree]}" in above
        part = above if source.flaw else folded
        assert str(source.place) in part
        assert source.flaw in unmarked(above)
        if source.quote:
            assert f'<blockquote lang="{notes.language}">\n\n{source.quote.split("$")[0]}' in part


def test_a_card_gives_the_truth_then_its_result_then_what_the_notes_state():
    statement = CATALOGUE["M13"]
    said = unmarked(statement_cards.card_markdown(statement, statement.check(statement.witness.situation)))
    order = (
        statement.sentence,
        r"\gamma_i = \frac",
        "**Corrected**",
        statement.repair,
        "largest change of a geometric margin",
        "What the lecture notes state",
        "Gambosi: incomplete",
        statement.source[0].quote.split("$")[0],
        statement.source[0].flaw,
        "**As printed in the notes**",
        "**A false variant, for comparison**",
        statement.witness.words,
        "Conditions",
    )
    assert [said.find(part) for part in order] == sorted(said.find(part) for part in order)
    assert all(part in said for part in order)


def test_no_formula_breaks_the_table_it_stands_in(cards_on_street):
    rows = [line for card in cards_on_street.values() for line in card.splitlines() if line.startswith("| ")]
    assert rows
    assert [line for line in rows if line.count("|") != 3] == []


def test_a_bar_in_the_name_of_a_number_does_not_end_its_cell():
    verdict = CATALOGUE["M3"].check(Situation(STREET.problem))
    named = replace(verdict, printed=replace(verdict.printed, sides=(Side("largest |f|", 2.0),)))
    row = next(line for line in statement_cards.card_markdown(CATALOGUE["M3"], named).splitlines() if "largest" in line)
    assert row.startswith("| largest &#124;f&#124; | ")


def test_a_card_leads_to_its_premises_its_consequences_and_every_step_that_shows_it():
    steps = steps_by_statement()
    assert set(steps) == {id for lesson in LESSONS for step in lesson.steps for id in step.shows}
    for key, statement in CATALOGUE.items():
        said = statement_cards.card_markdown(statement, None, steps=steps).split('class="sv-ways"')[1]
        linked = re.findall(r'href="([^"]*)"', said.split("</div>")[0])
        shown = [f"{lesson.page}?step={step.key}" for lesson, step in steps_showing(key)]
        others = [link.premise for link in premises(key)] + [link.id for link in consequences(key)]
        assert linked == [*(f"statements#{id}" for id in others), *shown], key


def test_the_map_shows_every_statement_once_below_its_main_premise():
    drawn = statement_map.map_html()
    assert sorted(re.findall(r'<li><a href="statements#(\w+)"><b>\1</b>', drawn)) == sorted(CATALOGUE)
    depth, above = 0, {}
    for tag, id in re.findall(r'<(/?ul|li)>(?:<a href="statements#(\w+)">)?', drawn):
        depth += {"ul": 1, "/ul": -1}.get(tag, 0)
        if tag == "li":
            above[depth] = id
            first = premises(id)[:1]
            assert (above[depth - 1] if depth > 1 else None) == (first[0].premise if first else None)


def test_the_map_takes_turns_with_the_cards_and_a_link_in_it_opens_a_card():
    at = page(STREET, "margin")
    sound(at.button(key="statements_turn").click().run())
    assert shown(at) == []
    at.session_state[glossary_popups.GOING] = {"page": "statements", "mark": "S3"}
    ready(at)
    assert shown(at) == ["S3"]
    sound(at.button(key="statements_turn").click().run())
    assert shown(at) == []
    sound(at.button(key="statements_turn").click().run())
    assert shown(at) == ["S3"]


def session(lab: Lab) -> Session:
    return Session(History(lab))


def finish(s: Session, ids: list[str]) -> statement_cards.CheckResults:
    answer = statement_cards.check(s, ids)
    if answer.job is not None:
        answer.job.wait(60)
    return statement_cards.check(s, ids)


def test_a_verdict_is_that_of_the_catalogue_and_is_found_once():
    s = session(STREET)
    answer = finish(s, ["M1", "M5"])
    expected = CATALOGUE["M5"].check(Situation(STREET.problem))
    assert answer.is_current
    assert answer.verdicts["M5"].residual == pytest.approx(expected.residual, abs=1e-12)
    assert finish(s, ["M1", "M5"]).verdicts["M5"] is answer.verdicts["M5"]


def test_while_a_new_board_is_checked_the_last_answers_stay(monkeypatch):
    s = session(STREET)
    old = finish(s, ["M1"]).verdicts["M1"]
    monkeypatch.setattr(statement_cards, "PATIENCE", 0.0)
    s.history = History(with_preset(Lab(size=40)))
    answer = statement_cards.check(s, ["M1", "S16", "S4"])
    if not answer.is_current:
        assert answer.verdicts["M1"] is old or answer.verdicts["M1"] is s.lessons.statement_checks.verdicts["M1"]
    new = finish(s, ["M1", "S16", "S4"])
    assert new.is_current
    assert new.verdicts["M1"] is not old


def test_work_that_is_called_off_is_not_taken_up_again_unasked(monkeypatch):
    monkeypatch.setattr(statement_cards, "PATIENCE", 0.0)
    s = session(with_preset(Lab(size=60)))
    job = statement_cards.check(s, CATALOGUE).job
    assert job is not None
    job.cancel()
    job.wait(60)
    again = statement_cards.check(s, CATALOGUE)
    assert again.is_current or again.job is job
    again.forget_job()
    assert finish(s, list(CATALOGUE)).is_current


def test_a_board_of_a_witness_with_a_hard_margin_has_c_1_where_the_margin_is_made_soft():
    witness = replace(CATALOGUE["M2"].witness, C=math.inf)
    board = statement_cards.witness_lab(Lab(face="lambda", value=0.3), witness)
    assert (board.hard, board.face, board.value) == (True, "C", 1.0)


def test_a_board_of_a_witness_keeps_the_looks():
    assert statement_cards.witness_lab(Lab(label=-1), CATALOGUE["M2"].witness).label == -1


@pytest.mark.parametrize("notes", NOTES)
def test_errata_have_every_line_that_is_not_right_in_the_order_of_the_notes(notes):
    errata = sources_page.errata(notes)
    assert [source.at for source, _s in errata] == sorted(source.at for source, _s in errata)
    expected = {
        s.flaw for entry in CATALOGUE.values() for s in entry.source if s.notes == notes and s.degree != "right"
    } | {slip.source.flaw for slip in SLIPS if slip.source.notes == notes}
    assert {source.flaw for source, _s in errata} == expected
    assert len(errata) == len(expected)
    for source, about in errata:
        said = unmarked(sources_page.erratum(source, about, Marks("sources")))
        slip = isinstance(about, Slip)
        correct = (about.correct,) if slip else (about.repair or about.sentence, about.formula)
        for part in (WORD[source.degree], source.place, source.flaw, *correct):
            assert part in said
        assert slip or f'href="statements#{about.id}"' in said
        assert f'<blockquote lang="{NOTES[notes].language}">' in said


def test_the_page_of_sources_says_how_many_lines_are_not_right_and_where_each_statement_stands():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.run()
    at.switch_page("pages/sources.py")
    sound(at.run())
    assert [int(h.value.split(":")[1]) for h in at.subheader if ":" in h.value] == [
        len(sources_page.errata(notes)) for notes in NOTES if sources_page.errata(notes)
    ]
    tables = [each.proto.body for each in at.get("html") if "<table" in each.proto.body]
    assert sum(table.count("<tr>") - 1 for table in tables) == sum(len(s.source) for s in CATALOGUE.values())
