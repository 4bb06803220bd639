"""The address says where one is: there and back, whatever it holds, and a session that opens it is on the same
screen."""

from dataclasses import replace
from string import ascii_letters, digits

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab.lab.board import board_data
from svmlab.lab.frame import share as share_dialog
from svmlab.lab.frame.share import (
    at_host,
    can_be_asked_anew,
    frame_line,
    is_loopback,
    loopback_note,
    qr_code,
    reduced_location,
    shared_location,
)
from svmlab.lab.session import inbox, link, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.link import HIDEABLE, LARGE, LOCKS, Location
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session

RUN = settings(max_examples=100, deadline=None, derandomize=True, database=None)
LAB = Lab(points=(Point(7, 1000, 500, 1), Point(2, -1000, 0, -1), Point(5, 0, -2000, 1)))
TRIAL = Lab(points=(Point(1, 0, 0, 1), Point(2, 2000, 0, -1)), hard=True)
LINK = share.encode(LAB)

names = st.text(ascii_letters, min_size=1, max_size=12)
dials = names.filter(lambda name: name not in link.READERS)
numbers = st.floats(-LARGE, LARGE)
words = st.text(max_size=30)
picked = st.one_of(st.booleans(), st.integers(-1000, 1000), numbers, words)
handles = st.tuples(*[st.floats(-900, -1)] * 2, *[st.floats(1, 900)] * 2)
links = st.text(ascii_letters + digits + "-_", max_size=40)
places = st.builds(
    Location,
    step=st.none() | st.sampled_from(("scaling", "why-2", "check")),
    choice=st.none() | st.integers(0, 9),
    shown=st.booleans(),
    dials=st.dictionaries(dials, numbers, max_size=5),
    picks=st.dictionaries(names, picked, max_size=5),
    line=st.none() | handles,
    film=st.none() | st.integers(0, 10**6),
    select=st.none() | st.integers(0, 299),
    pin=st.none() | links,
    hide=st.sampled_from(((), ("kernel",), HIDEABLE)),
    lock=st.sampled_from(((), LOCKS)),
    own=st.none() | links,
    lent=st.none() | links,
)


@RUN
@given(places)
def test_a_place_comes_back_from_its_address_as_it_was(there):
    address = link.query_string(there)
    assert link.parse_query(address) == (there, [])
    assert link.parse_query("?" + address) == (there, [])
    assert not set(address) - set(ascii_letters + digits + "&=,:-_.%~"), "nothing that a browser writes in another way"


@RUN
@given(st.text(max_size=80), st.sampled_from(("", *link.READERS)))
def test_whatever_an_address_holds_it_is_read_or_reported(rest, name):
    location, notes = link.parse_query(f"{name}={rest}")
    assert isinstance(location, Location)
    assert all(len(note) < 300 for note in notes)


def test_an_address_can_be_read_by_people():
    there = Location("scaling", 0, True, {"c": 2.0, "angle": 0.5}, {"T": 1000}, select=2, own="1abc")
    assert link.query_string(there) == "step=scaling&choice=1&shown=1&angle=0.5&c=2&pick.T=1000&select=3&s=1abc"


@pytest.mark.parametrize(
    "part",
    [
        "step=Scaling!",
        "step=" + "a" * 41,
        "choice=0",
        "choice=one",
        "shown=yes",
        "c=",
        "c=nan",
        "c=1e13",
        "c.d=1",
        "pick.=1",
        "pick.T=" + "a" * 201,
        "pick.T=[1]",
        "line=1,2,3",
        "line=1,1,1,1",
        "line=0,0,0,1001",
        "film=-1",
        "film=" + "9" * 20,
        "select=0",
        "hide=everything",
        "lock=board",
    ],
)
def test_what_cannot_be_read_is_left_out_and_reported(part):
    location, notes = link.parse_query(f"{part}&shown=1&s=1abc")
    assert location == Location(shown=True, own="1abc")
    assert len(notes) == 1


@pytest.mark.parametrize(
    "address", ["s=" + LINK, f"hide=kernel&lock=points&s={LINK}", "select=3&pin=same&s=1", "hide=kernel"]
)
def test_an_address_from_before_there_was_a_first_screen_is_known(address):
    assert link.is_lab_address(address)
    assert not link.is_lab_address(f"step=drag&{address}"), "the first screen says its step"


@pytest.mark.parametrize("address", ["", "embed=true", "utm_source=letter"])
def test_an_address_that_says_nothing_of_a_board_is_the_first_screen(address):
    assert not link.is_lab_address(address)


def opened(address, page="margin"):
    """A session of a fresh server that is asked for this address."""
    session = Session(initial_history(), page=page)
    link.restore(session, address)
    return session


def at(session):
    """What the person sees of the place."""
    lab = session.lab
    row = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    return (
        [p[1:] for p in lab.points],
        lab.undoable_settings,
        row,
        session.lessons.answers.get(session.step),
        session.lessons.dials,
        session.lessons.picks,
    )


@pytest.fixture
def session():
    """In the middle of a lesson, on the own board."""
    session = Session(History(LAB), page="margin")
    session.lessons.open_steps["margin"] = "scaling"
    session.lessons.answers["margin.scaling"] = Answer(1, True)
    session.lessons.picks |= {"margin.T": 1000, "margin.kind": "ascent", "soft.T": 3}
    inbox.do(session, {"op": "dial", "values": {"c": 2.5}})
    inbox.do(session, {"op": "hand", "a": [0, 1], "b": [1.5, -8]})
    inbox.do(session, {"op": "film", "key": "run", "at": 12})
    inbox.do(session, {"op": "select", "id": 5})
    session.boards.pinned = replace(LAB, value=0.25, kernel="gaussian")
    return session


def test_a_lesson_opens_exactly_where_it_was_left(session):
    address = inbox.wire_data(session)["address"]
    other = opened(address)
    other.show_board(None)
    assert at(other) == (
        [p[1:] for p in LAB.points],
        LAB.undoable_settings,
        2,
        Answer(1, True),
        {"c": 2.5},
        {"margin.T": 1000, "margin.kind": "ascent"},
    )
    assert (other.lessons.inputs["hand"]["a"], other.lessons.inputs["hand"]["b"]) == ([0, 1], [1.5, -8])
    assert board_data(other)["filmPlace"] == {"key": None, "at": 12}
    assert [p[1:] for p in other.boards.pinned.points] == [p[1:] for p in LAB.points]
    assert (other.boards.pinned.value, other.boards.pinned.kernel) == (0.25, "gaussian")
    assert inbox.wire_data(other)["address"] == address, "and it is the same address again"
    assert "pin=kernel:gaussian,value:0.25" in address, "on the same points a pinned fit is its settings"


def test_the_lab_keeps_selection_and_pin(session):
    session.open_page("lab")
    session.show_board(None)
    address = inbox.wire_data(session)["address"]
    assert address.startswith("select=3&pin=")
    session.boards.pinned = TRIAL
    other = opened(inbox.wire_data(session)["address"], "lab")
    other.show_board(None)
    assert (other.lab.selected, other.boards.pinned.problem.key) == (3, TRIAL.problem.key)


def test_a_pinned_recipe_comes_back_though_it_may_hold_what_parts_settings(session):
    session.open_page("lab")
    session.show_board(None)
    session.boards.pinned = replace(session.boards.own.present, kernel="composed", recipe="p(linear,1,2)")
    other = opened(inbox.wire_data(session)["address"], "lab")
    other.show_board(None)
    assert (other.boards.pinned.kernel, other.boards.pinned.recipe) == ("composed", "p(linear,1,2)")
    assert [p[1:] for p in other.boards.pinned.points] == [p[1:] for p in session.boards.pinned.points]


def test_dials_and_film_of_another_page_or_step_are_not_in_the_address(session):
    session.lessons.open_steps["margin"] = "places"
    assert "film" not in inbox.wire_data(session)["address"]
    assert board_data(session)["filmPlace"] is None
    session.open_page("soft")
    assert not {"c=", "line=", "film="} & {
        part.split("=")[0] + "=" for part in inbox.wire_data(session)["address"].split("&")
    }
    assert "pick.T=3" in inbox.wire_data(session)["address"]


def test_a_lent_board_is_in_the_address_once_it_is_another_than_the_step_gives(session):
    session.show_board("margin.scaling", TRIAL, given=True)
    assert "b=" not in inbox.wire_data(session)["address"]
    inbox.do(session, {"op": "select", "id": 2})
    plain = inbox.wire_data(session)["address"]
    assert "select=2" in plain
    assert "b=" not in plain
    inbox.do(session, {"op": "delete", "ids": [1]})
    edited = inbox.wire_data(session)["address"]
    assert f"b={share.encode(session.lab)}&s={LINK}" in edited
    other = opened(edited)
    assert (other.boards.shown, other.lessons.prepared_step) == ("margin.scaling", "margin.scaling"), (
        "it stands already"
    )
    assert [p[1:] for p in other.lab.points] == [p[1:] for p in TRIAL.points[1:]]
    assert other.lab.selected is not None
    assert [p[1:] for p in other.boards.own.present.points] == [p[1:] for p in LAB.points]
    assert inbox.wire_data(other)["address"] == edited
    again = opened(plain)
    assert again.boards.shown is None
    again.show_board("margin.scaling", TRIAL, given=True)
    assert again.lab.selected == 2, "selected on the board that the step lends"
    assert inbox.wire_data(again)["address"] == plain


def test_a_board_lent_for_another_own_board_is_in_the_address(session):
    session.show_board("margin.scaling", TRIAL, given=True)
    session.show_board(None)
    inbox.do(session, {"op": "delete", "ids": [7]})
    session.show_board("margin.scaling")
    assert f"b={share.encode(TRIAL)}" in inbox.wire_data(session)["address"]


def test_a_board_that_somebody_chose_is_in_the_address(session):
    session.show_board("margin.scaling", TRIAL)
    assert f"b={share.encode(TRIAL)}" in inbox.wire_data(session)["address"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("step=scaling&b=damaged&s=" + LINK, "damaged"),
        ("pin=value:many&s=" + LINK, "value"),
        ("pin=points:3&s=" + LINK, "points"),
        ("pin=1abc&s=" + LINK, "damaged"),
        ("colour=blue&s=" + LINK, "colour"),
        ("s=damaged", "damaged"),
    ],
)
def test_what_a_link_says_in_vain_is_said_on_the_board_that_stands(address, said):
    for on in (None, "margin.scaling"):
        other = opened(address)
        other.show_board(on, TRIAL if on else None)
        assert said in board_data(other)["message"]["text"]


def test_a_link_from_before_there_were_places_goes_on_working():
    for address in (LINK, f"s={LINK}"):
        other = opened(address, "lab")
        other.show_board(None)
        assert [p[1:] for p in other.lab.points] == [p[1:] for p in LAB.points]
        assert (other.lessons.open_steps, other.boards.pinned, other.history.note) == ({}, None, None)


def test_a_link_by_hand_needs_no_board():
    other = opened("step=scaling&choice=2")
    other.show_board(None)
    assert (other.lab, other.step, other.lessons.answers) == (
        initial_history().present,
        "margin.scaling",
        {"margin.scaling": Answer(1)},
    )


def test_locked_points_stay_whatever_is_asked(session):
    other = opened("hide=kernel,price&lock=points&s=" + LINK, "lab")
    other.show_board(None)
    points = other.lab.points
    for op in (
        {"op": "move", "id": 1, "x": 3, "y": 3, "live": True},
        {"op": "add", "id": 9, "x": 3, "y": 3, "label": 1},
        {"op": "clear"},
        {"op": "action", "id": "preset"},
        {"op": "load", "lab": TRIAL},
        {"op": "file", "name": "a.csv", "text": "x,y,label\n1,0,1\n0,1,-1\n"},
        {"op": "file", "name": "a.csv", "text": "x,y,label\n100,0,1\n0,1,-1\n"},
    ):
        inbox.do(other, op)
        assert (other.lab.points, other.history.before_drag, other.draft) == (points, None, None)
        assert other.history.note
    inbox.do(other, {"op": "set", "values": {"value": 3.0}})
    assert (other.lab.value, other.lab.points) == (3.0, points), "settings are free"
    assert inbox.wire_data(other)["address"].startswith("hide=kernel,price&lock=points&")


def test_back_to_the_board_that_was_given_is_one_step_of_undo(session):
    inbox.do(session, {"op": "delete", "ids": [7]})
    inbox.do(session, {"op": "set", "values": {"value": 3.0}})
    assert board_data(session)["can"]["reset"]
    inbox.do(session, {"op": "given"})
    assert (session.lab.points, session.lab.undoable_settings) == (LAB.points, LAB.undoable_settings)
    assert not board_data(session)["can"]["reset"]
    inbox.do(session, {"op": "undo"})
    assert (len(session.lab.points), session.lab.value) == (2, 3.0)
    session.show_board("margin.scaling", TRIAL)
    inbox.do(session, {"op": "clear"})
    inbox.do(session, {"op": "given"})
    assert session.lab.points == TRIAL.points, "each board has its own beginning"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8501", "localhost", "[::1]:80", "127.1.2.3", "0.0.0.0:8501", "lab.localhost"]
)
def test_an_address_of_this_computer_alone_is_known(host):
    assert is_loopback(f"http://{host}/margin?s=1abc")


@pytest.mark.parametrize("host", ["192.168.1.4:8501", "svm.example.org", "localhost.example.org", "[fe80::1]"])
def test_an_address_that_others_reach_is_known(host):
    assert not is_loopback(f"https://{host}/?s=1abc")


def test_a_link_carries_what_was_asked_for(session):
    session.show_board("margin.scaling", TRIAL)
    there = link.location_of(session)
    assert reduced_location(there, ["place", "board", "pin"]) == there
    assert reduced_location(there, ["place"]) == replace(there, own=None, lent=None, pin=None)
    assert reduced_location(there, ["board", "pin"]) == Location(pin=there.pin, own=there.own, lent=there.lent)
    assert reduced_location(there, ["place", "pin"]).pin is None, "told by how it differs from the board"


def test_a_link_of_a_lesson_leaves_out_the_readers_own_points_unless_they_are_asked_for(session):
    session.open_page("margin")
    session.show_board("margin.scaling", TRIAL, given=True)
    session.lessons.step_board = TRIAL
    assert shared_location(session, ["place", "board", "own"]).own is not None
    usual = shared_location(session, ["place", "board"])
    assert (usual.own, usual.lent) == (None, None), "the step lends everybody this board"
    inbox.do(session, {"op": "clear"})
    edited = shared_location(session, ["place", "board"])
    assert (edited.own, share.decode(edited.lent).points) == (None, ())
    session.show_board(None)
    assert shared_location(session, ["place", "board"]).own is not None, "here the own board is the one that is seen"


def test_the_question_alone_has_neither_mark_nor_answer_nor_what_the_answer_moved(session):
    session.open_page("margin")
    session.lessons.open_steps["margin"] = "scaling"
    session.lessons.answers["margin.scaling"] = Answer(1, True)
    inbox.do(session, {"op": "dial", "values": {"factor": 2.0}})
    assert can_be_asked_anew(session)
    there = shared_location(session, ["place", "board"], question_only=True)
    assert (there.step, there.choice, there.shown, there.dials) == ("scaling", None, False, {})
    session.lessons.answers["margin.scaling"] = Answer(None, False)
    assert not can_be_asked_anew(session)


def test_at_this_computer_alone_the_screen_says_what_phones_need(monkeypatch):
    monkeypatch.setattr(share_dialog, "network_host", lambda: "192.168.1.7")
    monkeypatch.setattr(share_dialog, "listens_to_network", lambda: False)
    note = loopback_note("http://localhost:8501/margin?step=scaling")
    assert "--server.address 0.0.0.0" in note
    assert "http://192.168.1.7:8501/margin" in note
    assert "--server.port" not in note
    assert "--server.address 0.0.0.0 --server.port 8911" in loopback_note("http://localhost:8911/margin")
    monkeypatch.setattr(share_dialog, "listens_to_network", lambda: True)
    assert "--server" not in loopback_note("http://localhost:8501/margin")
    assert at_host("http://localhost:8501/margin?s=1", "192.168.1.7") == "http://192.168.1.7:8501/margin?s=1"
    monkeypatch.setattr(share_dialog, "network_host", lambda: None)
    assert "no network" in loopback_note("http://localhost:8501/margin")
    assert loopback_note("https://svm.example.org/margin") == ""


def test_the_line_for_another_page_keeps_the_mode_and_is_quoted():
    line = frame_line('http://host/margin?step=a&only=board&q="')
    assert line.startswith('<iframe src="http://host/margin?step=a&amp;only=board&amp;q=&quot;" width="900"')
    assert line.endswith("></iframe>")


def test_the_largest_board_has_a_code_and_what_is_too_long_has_none():
    most = Lab(points=tuple(Point(i, 7 * i, -7 * i, 1) for i in range(300)))
    assert qr_code(f"https://svm.example.org/margin?s={share.encode(most)}")
    assert qr_code("https://svm.example.org/?s=" + "a" * 3000) is None
