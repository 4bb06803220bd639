"""What the server does with the messages of the board, honest or not."""

import json
from urllib.parse import quote

import pytest

from svmlab.lab.board import board_data, encoded
from svmlab.lab.session import inbox, share
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.link import history_from_link
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session

LAB = Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, -2000, 1)))
ADD = {"op": "add", "id": 4, "x": 0.5, "y": 0.5, "label": 1}


@pytest.fixture
def session():
    return Session(History(LAB))


def send(session, *ops, seq=None, boot=None):
    inbox.receive(
        session, {"boot": boot or session.boot, "seq": session.ack + 1 if seq is None else seq, "ops": list(ops)}
    )


def test_a_message_is_handled_and_acknowledged_once(session):
    send(session, ADD, seq=1)
    assert (len(session.lab.points), session.ack) == (4, 1)
    send(session, ADD | {"id": 5}, seq=1)
    assert len(session.lab.points) == 4
    send(session, ADD | {"id": 5}, seq=7)
    assert (len(session.lab.points), session.ack) == (5, 7)
    send(session, {"op": "clear"}, seq=6)
    assert len(session.lab.points) == 5
    assert inbox.wire_data(session)["ack"] == 7


def test_rules_and_words_are_sent_until_the_browser_has_spoken(session):
    lasting = {"rules", "text"}
    assert lasting <= set(json.loads(encoded(board_data(session))))
    assert lasting <= set(json.loads(encoded(inbox.wire_data(session)))), "on a page without a board too"
    send(session, ADD)
    assert not lasting & set(json.loads(encoded(board_data(session))))


def test_a_message_for_another_session_is_ignored(session):
    send(session, {"op": "clear"}, boot="someone else")
    assert (session.lab, session.ack) == (LAB, 0)


def test_sessions_have_names_of_their_own():
    assert len({Session(History(LAB)).boot for _ in range(50)}) == 50


@pytest.mark.parametrize(
    "message",
    [
        None,
        7,
        "text",
        [],
        {},
        {"boot": None},
        {"seq": 1, "ops": []},
        {"boot": "BOOT"},
        {"boot": "BOOT", "seq": "1", "ops": []},
        {"boot": "BOOT", "seq": 1},
        {"boot": "BOOT", "seq": 1, "ops": {}},
        {"boot": "BOOT", "seq": 1.5, "ops": []},
        {"boot": "BOOT", "seq": -1, "ops": [{"op": "clear"}]},
    ],
)
def test_what_is_not_a_message_is_ignored(session, message):
    if isinstance(message, dict) and message.get("boot") == "BOOT":
        message["boot"] = session.boot
    inbox.receive(session, message)
    assert (session.lab, session.ack) == (LAB, 0)


DEEP = []
for _ in range(5000):
    DEEP = [DEEP]

MALFORMED = [
    None,
    1,
    "clear",
    [],
    {},
    {"op": None},
    {"op": "fly"},
    {"op": ["clear"]},
    {"op": "add"},
    {"op": "add", "id": 1},
    {"op": "add", "id": "4", "x": 0, "y": 0, "label": 1},
    {"op": "add", "id": 4, "x": None, "y": 0, "label": 1},
    {"op": "add", "id": 4, "x": float("inf"), "y": 0, "label": 1},
    {"op": "add", "id": 4, "x": 10**400, "y": 0, "label": 1},
    {"op": "add", "id": 4, "x": 0, "y": 0, "label": "1"},
    {"op": "add", "id": 4, "x": 0, "y": 0, "label": None},
    {"op": "add", "id": [4], "x": 0, "y": 0, "label": 1},
    {"op": "add", "id": 4.5, "x": 0, "y": 0, "label": 1},
    {"op": "move"},
    {"op": "move", "id": 1},
    {"op": "move", "id": 1, "x": "a", "y": 0},
    {"op": "move", "id": {}, "x": 0, "y": 0},
    {"op": "move", "id": 1, "x": float("nan"), "y": 0, "live": True},
    {"op": "delete"},
    {"op": "delete", "ids": None},
    {"op": "delete", "ids": 3},
    {"op": "delete", "ids": [[1]]},
    {"op": "points"},
    {"op": "points", "points": 5},
    {"op": "points", "points": [1]},
    {"op": "points", "points": [[1, 2]]},
    {"op": "points", "points": [[1, "x", 0, 1]]},
    {"op": "points", "points": [[1, 0, 0, 1, 5]]},
    {"op": "select"},
    {"op": "select", "id": "x"},
    {"op": "select", "id": []},
    {"op": "label"},
    {"op": "label", "label": "1"},
    {"op": "label", "label": {}},
    {"op": "view"},
    {"op": "view", "half": "x"},
    {"op": "view", "half": None},
    {"op": "view", "half": float("nan")},
    {"op": "view", "half": 10**400},
    {"op": "project"},
    {"op": "action"},
    {"op": "action", "id": "fly"},
    {"op": "set"},
    {"op": "set", "values": {"selected": 1}},
    {"op": "set", "values": {"points": []}},
    {"op": "set", "values": {"kernel": []}},
    {"op": "preset"},
    {"op": "preset", "values": {"size": 10**9}},
    {"op": "load"},
    {"op": "load", "lab": {}},
    {"op": "load", "lab": None},
    {"op": "dial"},
    {"op": "dial", "values": []},
    {"op": "dial", "values": {"c": "x"}},
    {"op": "dial", "values": {"c": float("nan")}},
    {"op": "dial", "values": {"c": 1e300}},
    {"op": "dial", "values": {"c": None}},
    {"op": "dial", "values": {"c": []}},
    {"op": "dial", "values": {"c": 10**400}},
    {"op": "dial", "values": {"c" * 50: 1}},
    {"op": "hand"},
    {"op": "hand", "a": [0, 0]},
    {"op": "hand", "a": [0, 0], "b": [0, 0]},
    {"op": "hand", "a": [0, 0], "b": 3},
    {"op": "hand", "a": [0, 0], "b": [1, float("inf")]},
    {"op": "hand", "a": [0, "0"], "b": [1, 1]},
    {"op": "hand", "a": [0, 0, 0], "b": [1, 1, 1]},
    {"op": "hand", "a": [0, 0], "b": [0, 1001]},
    {"op": "film"},
    {"op": "film", "key": 3, "at": 0},
    {"op": "film", "key": "k", "at": "0"},
    {"op": "film", "key": "k", "at": -1},
    {"op": "film", "key": "k", "at": True},
    {"op": "film", "key": "k", "at": 10**400},
    {"op": "add", "id": True, "x": 0, "y": 0, "label": 1},
    DEEP,
    {"op": "points", "points": [DEEP]},
    {"op": "set", "values": {"kernel": DEEP}},
    {"op": "set", "values": DEEP},
    {"op": "delete", "ids": [DEEP]},
    {"op": "restore", "share": DEEP},
    {"op": "restore"},
    {"op": "file", "name": DEEP, "text": ""},
    {"op": "file", "name": "a.json", "text": '{"X": [[1, 2]], "y": [' + "[" * 900 + "]" * 900 + "]}"},
    {"op": "file", "name": "a.csv", "text": ",,\n"},
    {"op": "file", "name": "a.csv", "text": "0.5,1.2,blue\n1,2,red\n"},
    {"op": "file", "name": "a.csv", "text": " " * 2_000_000},
    {"op": "file"},
    {"op": "file", "name": "a.csv"},
    {"op": "file", "name": None, "text": None},
    {"op": "file", "name": "a.json", "text": "[" * 5000},
    {"op": "file", "name": "a.csv", "text": "\x00"},
]


@pytest.mark.parametrize("op", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_operation_is_left_out_and_the_next_one_still_counts(session, op):
    send(session, op, ADD)
    assert {p.id for p in session.lab.points} == {1, 2, 3, 4}
    assert session.lab.points[:3] == LAB.points
    assert session.ack == 1
    assert not session.lessons.inputs
    assert not session.lessons.dials
    board_data(session)


def test_what_the_board_keeps_beside_the_lab_is_kept(session):
    hand, film = (
        {"op": "hand", "a": [0, 1], "b": [1.5, -8], "live": True},
        {"op": "film", "key": "k", "at": 3, "live": False},
    )
    send(session, hand, film, {"op": "dial", "values": {"c": -2, "angle": 0.5}, "live": True})
    assert (session.lessons.inputs["hand"], session.lessons.inputs["film"], session.lessons.dials) == (
        hand,
        film,
        {"c": -2.0, "angle": 0.5},
    )
    assert session.moving
    send(session, {"op": "dial", "values": {"c": 1}}, hand | {"live": False})
    assert session.lessons.dials == {"c": 1.0, "angle": 0.5}
    assert not session.moving
    assert session.history.note is None


def test_a_message_is_answered_in_few_words_whatever_it_holds(session):
    for op in MALFORMED:
        send(session, op)
        assert len(session.history.note or "") < 400


@pytest.mark.parametrize(
    "op", [{"op": "add"}, {"op": "label", "label": 0}, {"op": "file", "name": "a.csv", "text": ""}]
)
def test_a_bad_operation_says_so_on_the_board_until_the_next_good_one(session, op):
    send(session, op)
    assert board_data(session)["message"]["text"]
    send(session, ADD)
    assert session.history.note is None


def test_what_one_operation_has_to_say_is_still_said_after_the_others_of_its_message(session):
    send(
        session, {"op": "restore", "share": UNREAD, "points": DRAWN}, {"op": "points", "points": [*DRAWN, [9, 1, 1, 1]]}
    )
    assert len(session.lab.points) == 3
    assert share.KEPT in session.history.note
    send(session)
    assert share.KEPT in session.history.note, "an empty message does nothing"
    send(session, {"op": "select", "id": 9})
    assert session.history.note is None


@pytest.mark.parametrize(
    "message",
    [None, "text", 7, [], {"seq": 1}, {"seq": True, "ops": []}, {"seq": 2**60, "ops": []}, {"seq": 1, "ops": {}}],
)
def test_a_message_that_cannot_be_read_says_so(session, message):
    inbox.receive(session, message | {"boot": session.boot} if isinstance(message, dict) else message)
    assert session.history.note == inbox.GARBLED
    assert (session.lab, session.ack) == (LAB, 0)


def test_a_malformed_operation_has_words_for_it(session):
    send(session, {"op": "add"})
    assert session.history.note == inbox.GARBLED


def test_a_restore_adopts_the_state_of_the_window(session):
    other = initial_history().present
    send(session, {"op": "restore", "share": share.encode(other)}, ADD | {"id": 99})
    assert session.lab.points[:-1] == other.points
    assert session.lab.points[-1].id == 99
    assert inbox.wire_data(session)["share"] == share.encode(session.lab)


@pytest.mark.parametrize("link", ["", "1", "garbage", None, 5, "ä" * 20, []])
def test_a_restore_of_a_broken_link_is_an_empty_board_with_a_message(session, link):
    send(session, {"op": "restore", "share": link})
    assert session.lab == Lab()
    assert "damaged" in session.history.note
    assert board_data(session)["empty"]


UNREAD = "3" + share.encode(LAB)[1:]
DRAWN = [[7, 1.5, -6.25, 1], [3, 0, 0.001, -1]]


def test_a_restore_that_cannot_be_read_keeps_the_points_drawn_and_the_address_until_the_next_step(session):
    send(session, {"op": "restore", "share": UNREAD, "points": DRAWN})
    assert session.lab == Lab((Point(7, 1500, -6250, 1), Point(3, 0, 1, -1)), view=8.0), "the view holds them all"
    assert "begins with '3'" in session.history.note
    assert share.KEPT in session.history.note
    assert not session.history.past, "there is nothing to undo"
    for look in (
        {"op": "select", "id": 7},
        {"op": "label", "label": -1},
        {"op": "move", "id": 7, "x": 1, "y": 1, "live": True},
    ):
        send(session, look)
        assert inbox.wire_data(session)["address"] == f"s={UNREAD}"
    send(session, {"op": "move", "id": 7, "x": 1, "y": 1, "live": False})
    assert inbox.wire_data(session)["address"] == f"select=1&s={share.encode(session.lab)}"
    send(session, {"op": "undo"})
    assert inbox.wire_data(session)["address"] == f"select=1&s={share.encode(session.lab)}", (
        "the old link has left the address for good"
    )


def test_a_restore_that_can_be_read_needs_no_points(session):
    send(session, {"op": "restore", "share": share.encode(initial_history().present), "points": DRAWN})
    assert session.lab == initial_history().present
    assert inbox.wire_data(session)["address"] == f"s={share.encode(session.lab)}"


@pytest.mark.parametrize("points", [5, None, "x", [1], [[1, 0]], [[1, 0, 0, 1], [1, 1, 1, 1]], {"a": 1}])
def test_a_restore_without_link_and_points_that_can_be_read_changes_nothing(session, points):
    send(session, {"op": "restore", "share": UNREAD, "points": points})
    assert (session.lab, session.history.unread_link) == (LAB, None)
    assert session.history.note


@pytest.mark.parametrize("link", [UNREAD, "garbage", share.encode(LAB)[:-3]])
def test_a_link_that_cannot_be_read_starts_empty_and_stays_in_the_address_until_the_first_step(link):
    session = Session(history_from_link(link))
    assert session.lab == Lab()
    assert share.EMPTY in session.history.note
    assert inbox.wire_data(session)["address"] == f"s={quote(link)}"
    assert inbox.wire_data(session)["unread"]
    send(session, ADD)
    assert inbox.wire_data(session)["address"] == f"s={share.encode(session.lab)}"


def test_while_a_drag_goes_on_the_link_stays_at_what_was_before(session):
    move = {"op": "move", "id": 2, "x": 1, "y": 1, "live": True}
    before = inbox.wire_data(session)["share"]
    send(session, move)
    assert inbox.wire_data(session)["share"] == before
    send(session, move | {"live": False})
    assert inbox.wire_data(session)["share"] == share.encode(session.lab) != before


def test_every_answer_has_a_new_number(session):
    assert [board_data(session)["rev"] for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("n", [0, 1, 2, MAX_POINTS])
def test_the_data_of_the_board_fit_together(n):
    lab = Lab(points=tuple(Point(i, 20 * i - 3000, (i * i) % 5000 - 2500, 1 if i % 3 else -1) for i in range(1, n + 1)))
    data = board_data(Session(History(lab)))
    assert len(data["points"]) == n
    assert data["can"]["add"] is (n < MAX_POINTS)
    counted = n if lab.data.both_classes else 0  # without two classes there is nothing to classify
    assert sum(g["count"] for g in data["legend"]["groups"]) == counted
    assert sum(c["count"] for c in data["legend"]["cats"]) == counted
    assert bool(data["empty"]) is (n == 0)
    if n:
        assert {len(data["marks"][k]) for k in ("fill", "state", "cat", "wrong", "values")} == {n}
        assert {row[0] for row in data["slack"]} <= {row[0] for row in data["points"]}
    assert history_from_link(data["share"]).present == lab


TRIAL = Lab(points=(Point(1, 0, 0, 1), Point(2, 2000, 0, -1)), hard=True)


def test_a_lent_board_has_its_own_undo_and_leaves_the_own_one_alone(session):
    send(session, ADD)
    session.show_board("margin.scaling", TRIAL)
    assert (session.lab, session.history.past) == (TRIAL, ())
    send(session, {"op": "delete", "ids": [2]})
    assert inbox.wire_data(session)["share"] == share.encode(session.lab)
    assert (
        inbox.wire_data(session)["address"]
        == f"b={share.encode(session.lab)}&s={share.encode(session.boards.own.present)}"
    )
    session.show_board(None)
    assert len(session.lab.points) == 4
    send(session, {"op": "undo"})
    assert session.lab.points == LAB.points
    session.show_board("margin.scaling")
    assert session.lab.points == TRIAL.points[:1]
    send(session, {"op": "undo"})
    assert session.lab.points == TRIAL.points
    session.show_board("margin.scaling", LAB)
    assert (session.lab, session.history.past) == (LAB, ()), "begun anew"


def test_a_board_that_was_never_lent_does_not_stand(session):
    with pytest.raises(KeyError):
        session.show_board("margin.scaling")
    assert (session.boards.shown, session.lab) == (None, LAB)


def test_the_end_of_a_drag_lands_on_the_board_that_it_is_about(session):
    move = {"op": "move", "id": 1, "x": 3, "y": 3}
    send(session, move | {"live": True})
    session.show_board("margin.scaling", TRIAL)
    inbox.receive(session, {"boot": session.boot, "board": None, "seq": 2, "ops": [move]})
    assert (session.lab, session.boards.shown) == (TRIAL, "margin.scaling")
    assert session.boards.own.present.points[0] == Point(1, 3000, 3000, 1)
    assert (session.boards.own.before_drag, len(session.boards.own.past)) == (None, 1)
    inbox.receive(session, {"boot": session.boot, "board": "margin.scaling", "seq": 3, "ops": [move]})
    assert session.lab.points[0] == Point(1, 3000, 3000, 1)


@pytest.mark.parametrize("board", ["margin.gone", 7, [], {}])
def test_a_message_about_a_board_that_is_not_there_is_acknowledged_and_changes_nothing(session, board):
    inbox.receive(session, {"boot": session.boot, "board": board, "seq": 4, "ops": [{"op": "clear"}]})
    assert (session.lab, session.ack) == (LAB, 4)


def test_projector_mode_is_of_the_room_and_of_no_board(session):
    send(session, {"op": "project", "on": True})
    session.show_board("margin.scaling", TRIAL)
    assert board_data(session)["projector"]
    assert not session.history.past
    assert session.boards.own.present == LAB
