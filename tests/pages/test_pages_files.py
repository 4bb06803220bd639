"""Files and links from outside: whatever comes, a message or a board, never a stack trace."""

import json
import random
import string

import pytest

from svmlab.lab.session import files, inbox, share
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import history_from_link
from svmlab.lab.session.operations import accept, open_file
from svmlab.lab.session.state import initial_history
from svmlab.lab.session.tab import Session

GOOD = "x1,x2,label\n1,2,1\n-1,0.5,-1\n0.25,-3,1\n"


@pytest.fixture
def session() -> Session:
    return Session(initial_history())


def mutated(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(letters) + 1)
        action = rng.random()
        if action < 0.35:
            letters[at:at] = rng.choice(
                ["nan", "1e999", ",", "\n", '"', "\x00", "é", "{", "]", "null", ";", "-", "9" * 30, "\t"]
            )
        elif action < 0.7 and letters:
            del letters[min(at, len(letters) - 1)]
        elif letters:
            letters[min(at, len(letters) - 1)] = rng.choice(string.printable)
    return "".join(letters)


def test_a_thousand_malformed_files_each_give_a_board_or_a_message() -> None:
    rng = random.Random(0)
    as_json = json.dumps({"X": [[1, 2], [3, 4], [0.5, -1]], "y": [1, -1, 1]})
    session = Session(initial_history())
    refused = 0
    for n in range(1000):
        name, text = (f"{n}.csv", mutated(GOOD, rng)) if n % 2 else (f"{n}.json", mutated(as_json, rng))
        before = session.lab.points
        open_file(session, name, text.encode("latin-1", "replace") if n % 3 == 0 else text)
        assert session.history.note
        if session.lab.points == before:
            refused += 1
        assert 0 < len(session.lab.points) <= MAX_POINTS
        assert all(abs(p.x) <= 8000 and abs(p.y) <= 8000 for p in session.lab.points)
    assert 300 < refused < 1000


def test_a_thousand_malformed_links_each_give_a_board_or_a_message() -> None:
    rng = random.Random(1)
    good = share.encode(initial_history().present)
    refused = 0
    for n in range(1000):
        text = mutated(good, rng) if n % 2 else "".join(rng.choices(string.printable, k=rng.randint(0, 80)))
        history = history_from_link(text)
        if history.note:
            refused += 1
            assert history.present == Lab()
    assert refused >= 990


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "", "empty"),
        ("a.csv", "1,2\n3,4\n", "header"),
        ("a.csv", "x1,x2,label\n1,2\n", "Row 2"),
        ("a.csv", "x1,x2,label\n1,two,1\n", "column x2"),
        ("a.csv", "x1,x2,label\n1,nan,1\n", "column x2"),
        ("a.csv", "x1,label\n1,1\n", "1 coordinates"),
        ("a.csv", "x1,x2,label\n", "no points"),
        ("a.json", "{", "not JSON"),
        ("a.json", '{"X": [[1, 2]], "y": [1, 1]}', "1 rows"),
        ("a.json", "[1, 2]", "Expected"),
        ("a.csv", b"PK\x03\x04\x00\x01", "not a text file"),
        ("a.csv", "x" * (files.MAX_BYTES + 1), "larger than 4 MB"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_nothing_is_lost(session: Session, name: str, content, said: str) -> None:
    before = session.lab
    open_file(session, name, content)
    assert session.lab == before
    assert session.history.note.startswith(name)
    assert said in session.history.note


def test_a_good_file_replaces_the_points_and_undo_brings_them_back(session: Session) -> None:
    before = session.lab.points
    open_file(session, "three.csv", GOOD)
    assert [(p.x, p.y, p.label) for p in session.lab.points] == [(1000, 2000, 1), (-1000, 500, -1), (250, -3000, 1)]
    inbox.do(session, {"op": "undo"})
    assert session.lab.points == before


def test_rounding_to_thousandths_is_announced(session: Session) -> None:
    open_file(session, "fine.csv", "x1,x2,label\n0.12345,1,1\n0,0,-1\n")
    assert "rounded" in session.history.note
    assert session.lab.points[0].x == 123


def test_a_file_beyond_the_board_becomes_a_draft_in_a_larger_unit(session: Session) -> None:
    before = session.lab
    open_file(session, "far.csv", "x1,x2,label\n120,-40,1\n0,10,-1\n")
    assert session.lab == before
    assert session.draft is not None
    accept(session)
    assert [(p.x, p.y, p.label) for p in session.lab.points] == [(1200, -400, 1), (0, 100, -1)]
    assert session.draft is None
    assert session.lab.axes is not None
    assert session.lab.axes.formulas == ("x₁ = x1/100", "x₂ = x2/100")


def test_a_saved_file_opens_as_the_same_board(session: Session) -> None:
    points = [(p.x, p.y, p.label) for p in session.lab.points]
    for name, text in (("a.csv", session.lab.data.to_csv()), ("a.json", session.lab.data.to_json())):
        open_file(session, name, text)
        assert [(p.x, p.y, p.label) for p in session.lab.points] == points
        assert "rounded" not in session.history.note
