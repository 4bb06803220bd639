"""A task of the room: who hands in what, what comes back after a restart, and what nobody but a key holder sees."""

import asyncio
import json
import random
from dataclasses import replace

import pytest
from starlette.requests import Request

from svmlab.lab.lessons.margin import LESSON as MARGIN
from svmlab.lab.practice import for_class, own_goal, practice_page, tasks
from svmlab.lab.room import hand_in, hand_in_route, keys, lecturer, live_room
from svmlab.lab.room.allowance import Allowance
from svmlab.lab.room.live_room import ROOMS
from svmlab.lab.room.room import Room, apply, kept_view, member_view, sketches_view, wall_view
from svmlab.lab.room.task import MAX_HANDED, MAX_SKETCH, Fixed, Task, read_hand_in, read_task, with_hand_in
from svmlab.lab.session import inbox, link, share
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import LedRoom, Session
from svmlab.lab.teach.lesson import judge_line
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.practice import GOALS
from tests.room.test_live_room import CODE, NOW, STOP, in_loop, member, quick
from tests.room.test_live_room import lecturer as leading

__all__ = ["quick"]
GOAL = GOALS["three-support-vectors"]
LAB = tasks.lab_of(GOAL.start)


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setattr(keys, "secret", lambda: b"s" * 32)


def task(nonce="00000001", **changes):
    id_ = keys.task_id(CODE, Fixed(GOAL.key), nonce=nonce)
    return replace(Task(id_, "Three", ("Make ...",), f"practice?step={GOAL.key}&room={CODE}.{id_}"), **changes)


def ticket(at=1000, passed=True, of=None, nonce="00000001"):
    sketch = '{"half":100,"points":[],"lines":[]}'
    return keys.ticket(CODE, (of or task()).id, passed, at, share.encode(LAB), sketch, nonce)


def set_room(**changes):
    room = Room(CODE, led=True)
    return apply(room, {"role": "server", "kind": "task", "task": task(**changes)})


def hand(room, by, made, number=None, present=()):
    message = {"kind": "hand", "by": by, "hand_in": made, "number": number, "present": present}
    return apply(room, {"role": "server", **message})


def test_the_last_hand_in_of_a_member_counts_under_one_number():
    room = hand(hand(hand(set_room(), "a", ticket(1)), "b", ticket(2, False)), "a", ticket(3, False))
    assert [row[:3] for row in wall_view(room)] == [[1, False, 3], [2, False, 2]]
    assert hand(room, "a", ticket(2)) is room, "an older one changes nothing"
    assert set(sketches_view(room, [1, 7, "x", None])) == {"1"}
    assert ticket(3).seal not in json.dumps(member_view(room)), "members do not see what others hand in"


def test_a_closed_task_takes_nothing_and_another_task_begins_with_an_empty_wall():
    room = hand(set_room(), "a", ticket())
    closed = apply(room, {"role": "lecturer", "kind": "close_task", "id": task().id, "is_open": False})
    assert not member_view(closed)["task"]["is_open"]
    assert hand(closed, "b", ticket()) is closed
    assert hand(closed, "b", ticket(), 9).handed["b"].number == 9, "it was counted before a restart"
    other = apply(room, {"role": "server", "kind": "task", "task": task("00000002")})
    assert wall_view(other) == []
    assert hand(other, "a", ticket()) is other, "it belongs to the task before"
    ended = apply(room, {"role": "lecturer", "kind": "end_task", "id": task().id})
    assert (ended.task, ended.handed) == (None, {})


def test_what_is_removed_does_not_come_back_and_its_member_may_hand_in_again():
    room = hand(set_room(), "a", ticket())
    removed = apply(room, {"role": "lecturer", "kind": "remove", "number": 1})
    assert wall_view(removed) == []
    assert hand(removed, "a", ticket(), 1) is removed
    assert len(wall_view(hand(removed, "a", ticket(2)))) == 1


@pytest.mark.parametrize("lecturer_first", [True, False])
def test_after_a_restart_the_wall_is_as_it_was(lecturer_first):
    before = hand(hand(hand(set_room(), "a", ticket(1)), "b", ticket(2, False)), "c", ticket(3))
    before = apply(before, {"role": "lecturer", "kind": "remove", "number": 3})
    lead = {"kind": "lead", "role": "lecturer"} | json.loads(json.dumps(kept_view(before)))
    back = [
        {"kind": "hand", "role": "server", "by": by, "hand_in": made, "number": number}
        for by, made, number in (("b", ticket(2, False), 2), ("a", ticket(1), 1), ("c", ticket(3), 3))
    ]
    room = Room(CODE)
    for message in [lead, *back] if lecturer_first else [*back, lead]:
        room = apply(room, message)
    assert (room.task, room.handed, room.removed) == (before.task, before.handed, before.removed)


def test_two_members_with_one_number_get_two_and_a_full_wall_takes_one_more_for_one_that_has_left():
    handed = with_hand_in(with_hand_in({}, "a", ticket(1), 5), "b", ticket(2), 5)
    assert {each.number for each in handed.values()} == {5, 6}
    many = {}
    for i in range(MAX_HANDED):
        many = with_hand_in(many, str(i), ticket(i))
    here = set(many) - {"3", "7"}
    assert with_hand_in(many, "one more", ticket(1000), None, {*many}) is many
    more = with_hand_in(many, "one more", ticket(1000), None, here)
    assert (len(more), set(many) - set(more)) == (MAX_HANDED, {"7"})
    assert with_hand_in(many, "0", ticket(2000))["0"].hand_in.at == 2000, "whoever hangs there can hand in again"


def test_one_ticket_hangs_on_the_wall_once_and_is_that_of_the_member_with_the_receipt():
    room = hand(set_room(), "a", ticket())
    assert hand(room, "copy", ticket()) is room
    back = hand(hand(set_room(), "copy", ticket()), "a", ticket(), 1)  # after a restart the copy came first
    assert [(by, each.number) for by, each in back.handed.items()] == [("a", 1)]
    twins = [keys.ticket(CODE, task().id, False, 1, "board", "{}") for _ in range(2)]
    assert twins[0] != twins[1], "two members who judge one board at the same time have two tickets"
    assert all(keys.is_ticket(CODE, twin) for twin in twins)


def test_no_member_and_no_message_of_another_form_changes_task_or_wall():
    room, rng = hand(set_room(), "a", ticket()), random.Random(5)
    values = [None, 1, -1, "x", [], {}, True, task().id, 2**80, ["1"], ticket().as_json]
    for _ in range(2000):
        kind = rng.choice(["task", "hand", "close_task", "end_task", "remove"])
        names = ("task", "id", "is_open", "number", "hand_in", "by")
        said = {name: rng.choice(values) for name in names if rng.random() < 0.7}
        role = rng.choice(["member", "lecturer"])
        if role == "lecturer" and (
            said.get("id") == task().id or said.get("number") is True or said.get("number") == 1
        ):
            continue  # the lecturer may do these
        assert apply(room, {**said, "kind": kind, "role": role}) is room


@pytest.mark.parametrize(
    "change",
    [{"passed": 1}, {"at": -1}, {"at": 1.5}, {"board": "x" * 9000}, {"sketch": None}, {"task": "x"}, {"seal": "?"}],
)
def test_what_is_no_hand_in_is_refused(change):
    with pytest.raises((TypeError, ValueError)):
        read_hand_in({**ticket().as_json, **change})
    assert read_hand_in(json.loads(json.dumps(ticket().as_json))) == ticket()


@pytest.mark.parametrize("change", [{"id": "x"}, {"title": 3}, {"aim": [["script"]]}, {"link": "x" * 13_000}])
def test_what_is_no_task_is_not_brought_back(change):
    kept = json.loads(json.dumps(kept_view(set_room())["task"]))
    assert read_task(kept) == task()
    assert read_task({**kept, **change}) is None
    assert read_task(None) is None


def test_only_a_server_with_the_secret_makes_tickets_and_task_ids(monkeypatch):
    assert keys.is_ticket(CODE, ticket())
    assert not keys.is_ticket(CODE, replace(ticket(passed=False), passed=True))
    seal = {"seal": "00000002" + ticket().seal[8:]}
    for change in ({"passed": False}, {"board": "1x"}, {"at": 2}, {"sketch": "{}"}, {"task": "0" * 24}, seal):
        assert not keys.is_ticket(CODE, replace(ticket(), **change))
    assert not keys.is_ticket("K7Q5", ticket())
    assert not keys.is_receipt(keys.receipt(CODE, "a", 1, ticket()), CODE, "b", 1, ticket())
    fixed = Fixed("easy", ("price",), ("points",), True, "goal")
    changes = ({"name": "hard"}, {"lock": ()}, {"hide": ()}, {"exam": False}, {"goal": None}, {"goal": "other"})
    id_ = keys.task_id(CODE, fixed, [(1, 2, 1)])
    assert keys.is_task_id(id_, CODE, fixed)
    for change in changes:
        assert not keys.is_task_id(id_, CODE, replace(fixed, **change)), "the link was changed"
    easier = keys.task_id(CODE, fixed, [(1, 2, -1)], nonce=id_[:8])
    assert not keys.is_task_id(id_[:8] + easier[8:24] + id_[24:], CODE, fixed), "the points in the id were changed"


def test_the_link_of_a_task_opens_its_desk_and_a_changed_one_does_not(monkeypatch):
    published = []
    monkeypatch.setattr(
        live_room, "soon", lambda code, key, act: act(type("R", (), {"publish_task": published.append}))
    )
    lead = Session(History(LAB), room=LedRoom(CODE, "key"))
    lecturer.set_task(lead, GOAL.key, "Three", "Make $x$.", ("price",), ("points",))
    query = published[0].link.partition("?")[2]
    place, notes = link.parse_query(query, "practice")
    assert not notes
    assert (place.step, place.hide, place.lock, place.exam) == (GOAL.key, ("price",), ("points",), True)
    student = Session(History(LAB), page="practice")
    link.restore(student, query)
    assert hand_in.task_of(student, f"practice.{GOAL.key}") == (CODE, published[0].id)
    assert hand_in.task_of(student, "practice.another") is None
    for part in ("&lock=points", "&hide=price", "&exam=1"):
        changed = Session(History(LAB), page="practice")
        link.restore(changed, query.replace(part, ""))
        assert hand_in.task_of(changed, f"practice.{GOAL.key}") is None
    assert f"room={place.room}" in link.query_string(link.location_of(student)), "it survives a reload"


def test_the_sketch_of_the_fullest_board_fits():
    rng = random.Random(1)
    points = tuple(Point(i, rng.randrange(-8000, 8000), rng.randrange(-8000, 8000), 1) for i in range(MAX_POINTS))
    assert len(hand_in.sketch_of(Lab(points=points), ())) <= MAX_SKETCH
    session = Session(History(LAB))
    made = hand_in.ticket_of(session, (CODE, task().id), (True, None), lambda: NOW)
    assert keys.is_ticket(CODE, made)
    sketch = json.loads(made.sketch)
    assert len(sketch["points"]) == 3 * len(LAB.points)
    assert len(sketch["lines"]) == 1
    assert read_hand_in(made.as_json) == made


async def post(body, code=CODE, origin=None):
    """The status and the answer to a hand-in."""
    sent = iter([{"type": "http.request", "body": body if isinstance(body, bytes) else json.dumps(body).encode()}])
    headers = [(b"host", b"svm.example")] + ([(b"origin", origin)] if origin else [])
    scope = {"type": "http", "method": "POST", "path": "/", "path_params": {"code": code}, "headers": headers}

    async def receive():
        return next(sent)

    answer = await hand_in_route.take_hand_in(Request(scope, receive))
    return answer.status_code, json.loads(answer.body) if answer.body else None


@in_loop
async def test_a_hand_in_comes_to_the_wall_of_the_lecturer_and_back_after_a_kill():
    made = {**ticket().as_json, "me": "a" * 16}
    assert (await post(made))[0] == 503, "there is no such room yet"
    lead, a = await leading(), await member("a")
    assert (await post(made))[1] == {"closed": True}, "no task is set"
    ROOMS[CODE].publish_task(task())
    await a.until(lambda: a.told["state"]["task"])
    status, answer = await post(made)
    assert (status, answer["number"], answer["passed"]) == (200, 1, True)
    await lead.until(lambda: lead.told.get("wall"))
    assert lead.told["wall"] == [[1, True, 1000, ticket().seal[:8]]]
    lead.say({"kind": "sketches", "numbers": [1]})
    await lead.until(lambda: "sketches" in lead.told)
    assert lead.told["sketches"]["1"][1] == ticket().board
    a.say({"kind": "sketches", "numbers": [1]})
    a.say({"kind": "ping"})
    await a.until(lambda: "pong" in a.told)
    assert not {"wall", "sketches"} & set(a.told)
    assert ticket().board not in "".join(a.heard)
    kept = lead.told["kept"]
    ROOMS.clear()  # the next process
    await member("a")
    assert (await post(made))[0] == 503, "without a receipt it waits for the lecturer"
    again = {**made, "number": 1, "receipt": answer["receipt"]}
    lead = await leading(**kept)
    assert (await post(again))[1]["number"] == 1
    await lead.until(lambda: lead.told.get("wall"))


@in_loop
async def test_a_forged_or_foreign_hand_in_leaves_no_trace():
    await leading()
    ROOMS[CODE].publish_task(task())
    good = {**ticket().as_json, "me": "a" * 16}
    bad = [b"", b"[[[", b"1", b"x" * 20_000, {}, {**good, "me": "short"}, {**good, "passed": False}, {**good, "at": 5}]
    bad += [{**good, "board": "\ud800"}, json.dumps({**good, "sketch": "x"}).encode().replace(b"x", b"\xed\xa0\x80")]
    for body in bad:
        assert (await post(body))[0] in (400, 403, 413)
    assert (await post(good, origin=b"http://elsewhere.example"))[0] == 403
    assert (await post(good, code="K7Q5"))[0] == 403
    assert ROOMS[CODE].room.handed == {}
    assert (await post(good))[0] == 200
    assert (await post({**good, "me": "b" * 16}))[0] == 409, "another browser has handed it in"
    ROOMS[CODE].hand_in_allowance = Allowance(0, 0)
    assert (await post({**good, **ticket(2000).as_json}))[0] == 503, "a flood waits"
    assert (await post(good))[0] == 200, "what changes nothing is no part of it"
    assert (await post({**good, "me": "b" * 16}))[0] == 409


@in_loop
async def test_a_hand_in_that_does_not_arrive_is_given_up(monkeypatch):
    monkeypatch.setattr(hand_in_route, "PATIENCE_S", 0.01)
    begun = iter([{"type": "http.request", "body": b'{"me":', "more_body": True}])

    async def receive():
        return next(begun, None) or await asyncio.Event().wait()

    scope = {"type": "http", "method": "POST", "path": "/", "path_params": {"code": CODE}, "headers": []}
    assert (await hand_in_route.take_hand_in(Request(scope, receive))).status_code == 400


@pytest.fixture
def lead_of_two():
    """The session of a lecturer in whose room two boards were handed in."""
    room = live_room.LiveRoom(CODE)
    room.key, ROOMS[CODE] = "key", room
    lead = Session(History(LAB), page="margin", room=LedRoom(CODE, "key"))
    sketch = json.dumps({"half": 600, "points": [], "lines": [[0, -600, 0, 600]]})
    board = share.encode(replace(LAB, view=3.0))
    room.room = set_room()
    for number in (1, 2):
        made = keys.ticket(CODE, task().id, number == 2, number, board, sketch)
        room.room = hand(room.room, f"{number}", made)
    yield lead
    ROOMS.clear()


def test_the_lecturer_projects_a_board_or_all_boundaries_until_another_page_is_opened(lead_of_two):
    lead = lead_of_two
    lecturer.handle(lead, {"project": 2})
    assert (lead.page, lead.lessons.open_steps["practice"]) == ("practice", GOAL.key)
    assert lead.class_work is not None
    assert (lead.class_work.number, lead.class_work.passed, lead.class_work.board.view) == (2, True, 3.0)
    assert lecturer.class_lines(lead) == []
    lead.open_page("practice")
    lecturer.handle(lead, {"lines": True})
    assert lead.class_work.task == lead.step
    assert [item["pts"] for item in lecturer.class_lines(lead)] == [[0.0, -6.0, 0.0, 6.0]] * 2
    lead.open_page("lab")
    assert lead.class_work is None
    assert lead.boards.own.present == LAB, "the own board is as it was"


@pytest.mark.parametrize("event", [{"project": 9}, {"project": "1"}, {"project": True}, {"project": [1]}])
def test_a_board_that_nobody_has_handed_in_is_not_projected(lead_of_two, event):
    lecturer.handle(lead_of_two, event)
    assert lead_of_two.class_work is None


def test_a_tab_with_another_key_sees_no_board_of_the_room(lead_of_two):
    lead_of_two.room = LedRoom(CODE, "another")
    lecturer.handle(lead_of_two, {"project": 1})
    lecturer.handle(lead_of_two, {"lines": True})
    assert lead_of_two.class_work is None


def test_a_step_is_set_with_the_points_on_the_board_and_its_lines_are_drawn_in_it(lead_of_two, monkeypatch):
    lead, room = lead_of_two, ROOMS[CODE]
    monkeypatch.setattr(live_room, "soon", lambda code, key, act: act(room))
    monkeypatch.setattr(room, "publish_task", lambda task: room.hear({"kind": "task", "role": "server", "task": task}))
    monkeypatch.setattr(room, "count_soon", lambda: None)
    lead.lessons.open_steps["margin"] = "hand"
    lecturer.set_step(lead, "A line", "Separate them.")
    page, _mark, query = room.room.task.link.partition("?")
    student = Session(History(Lab()), page=page)
    link.restore(student, query)
    assert [p[1:] for p in student.lab.points] == [p[1:] for p in LAB.points]
    own = hand_in.task_of(student, student.step)
    assert own == (CODE, room.room.task.id)
    line = [[-1.0, 0.0], [1.0, 2.0]]
    for by, passed in (("a", True), ("b", False)):
        room.room = hand(room.room, by, hand_in.ticket_of(student, own, (passed, [line]), lambda: NOW))
    lecturer.handle(lead, {"lines": True})
    assert [item["pts"] for item in lecturer.class_lines(lead)] == [[-1.0, 0.0, 1.0, 2.0]] * 2
    lecturer.handle(lead, {"project": 1})
    assert len(lecturer.class_lines(lead)) == 1
    lead.lessons.open_steps["margin"] = "slide"
    assert lecturer.class_lines(lead) == [], "another step shows none"


@in_loop
async def test_the_assistant_closes_and_tidies_and_does_not_move_the_room():
    own = keys.assistant_key(CODE, keys.key_of(CODE, int(NOW)))
    other = keys.assistant_key(CODE, keys.key_of(CODE, int(NOW) - 5))
    helper, cheat = await member("h", key=own), await member("c", key=other)  # both before the lecturer
    lead = await leading()
    await helper.until(lambda: "wall" in helper.told)
    room = ROOMS[CODE]
    room.publish_stop(STOP, None)
    room.publish_task(task())
    await post({**ticket().as_json, "me": "a" * 16})
    await helper.until(lambda: helper.told["wall"])
    lead.say({"kind": "ask", "id": "round1", "key": STOP.key})
    await helper.until(lambda: helper.told["state"]["asked"])
    before = room.room
    moves = [
        {"kind": "ask", "id": "round2", "key": STOP.key},
        {"kind": "bars", "id": "round1"},
        {"kind": "end_task", "id": task().id},
        {"kind": "lead", "n": 9, "stop": None, "rounds": []},
        {"kind": "end"},
    ]
    tidying = [
        {"kind": "close", "id": "round1"},
        {"kind": "close_task", "id": task().id, "is_open": False},
        {"kind": "remove", "number": 1},
    ]
    for peer, messages in ((cheat, moves + tidying), (helper, moves)):
        for said in [*messages, {"kind": "sketches", "numbers": [1]}, {"kind": "ping"}]:
            peer.say(said)
        await peer.until(lambda peer=peer: "pong" in peer.told)
        assert room.room == before
    assert "sketches" in helper.told
    assert not {"wall", "sketches", "count", "kept"} & set(cheat.told)
    assert "kept" not in helper.told
    for said in tidying:
        helper.say(said)
    await helper.until(lambda: helper.told["wall"] == [])
    assert not room.room.task.is_open
    assert not room.room.last_round.is_open


def test_a_goal_of_ones_own_is_set_and_another_goal_in_its_link_has_no_desk(monkeypatch):
    published = []
    monkeypatch.setattr(
        live_room, "soon", lambda code, key, act: act(type("R", (), {"publish_task": published.append}))
    )
    lead = Session(History(LAB), page="practice", room=LedRoom(CODE, "key"))
    own_goal.open_goal(lead, GOAL)
    board_task = tasks.board_task_of(own_goal.goal_of(lead))
    lecturer.set_task(lead, board_task.name, "Three", "Make $x$.", (), ())
    student = Session(History(LAB), page="practice")
    link.restore(student, published[0].link.partition("?")[2])
    assert for_class.task_of(student, board_task) == (CODE, published[0].id)
    easier = replace(GOAL, title="Easier").to_link()
    student.link = replace(student.link, goal=easier)
    assert for_class.task_of(student, board_task) is None


@pytest.mark.parametrize("hide", [("kernel",), ()])
def test_a_hidden_setting_that_the_link_has_changed_is_not_passed(hide):
    board_task = tasks.board_task_of(tasks.task_of("refute-h14"))
    start = tasks.lab_of(board_task.start)
    for lab, passes in ((start, False), (replace(start, kernel="polynomial"), not hide)):
        student = Session(History(Lab()), page="practice")
        link.restore(student, link.query_string(link.Location(step="refute-h14", hide=hide, lent=share.encode(lab))))
        practice_page.show_board_of_task(student)
        assert for_class.has_passed(student, board_task) is passes
        assert not for_class.has_passed(student, replace(board_task, hide=("kernel",))), "the goal itself hides it"


SET_STEP = ((-900, 400, 1), (400, 500, 1), (-800, -300, -1), (300, -800, -1))  # no vertical line separates these
VERTICAL = (0.0, -1.0, 0.0, 1.0)


def board_of(*rows):
    return Lab(hard=True, points=tuple(Point(i + 1, *row) for i, row in enumerate(rows)))


@pytest.fixture
def set_step(monkeypatch):
    """The link of the step "Place a line yourself", as it is set to a class."""
    published = []
    monkeypatch.setattr(
        live_room, "soon", lambda code, key, act: act(type("R", (), {"publish_task": published.append}))
    )
    lead = Session(History(board_of(*SET_STEP)), page="margin", room=LedRoom(CODE, "key"))
    lead.lessons.open_steps["margin"] = "hand"
    lecturer.set_step(lead, "A line", "Separate them.")
    return published[0].link.partition("?")[2]


def opened(query, page="margin"):
    student = Session(History(Lab()), page=page)
    link.restore(student, query)
    return student


def passes(student):
    state = OpenLesson(student, MARGIN)
    state.prepare_board()
    task = hand_in.task_of(student, student.step)
    assert task is not None
    return judge_line(state, MARGIN.step("hand"), task)[0]


@pytest.mark.parametrize(("line", "separates"), [((-1.0, 0.1, 1.0, 0.5), True), (VERTICAL, False)])
def test_a_line_passes_on_the_points_that_were_set_and_on_no_others(set_step, line, separates):
    place, _notes = link.parse_query(set_step, "margin")
    honest = opened(link.query_string(replace(place, line=line)))
    assert passes(honest) is separates
    for rows in (((-1000, 0, 1), (1000, 0, -1)), ((-1000, 500, 1), (1000, -900, -1)), SET_STEP[1:]):
        changed = opened(link.query_string(replace(place, line=line, lent=share.encode(board_of(*rows)))))
        assert not passes(changed), "the link lends other points"


def test_own_changes_of_the_points_keep_the_task_over_a_reload_and_undo_brings_its_board_back(set_step):
    place, _notes = link.parse_query(set_step, "margin")
    student = opened(link.query_string(replace(place, line=(-1.0, 0.1, 1.0, 0.5))))
    assert passes(student)
    inbox.do(student, {"op": "move", "id": 1, "x": -0.9, "y": 0.5})
    assert not passes(student)
    again = opened(link.query_string(link.location_of(student)))  # the reloaded page
    assert not passes(again)
    inbox.do(student, {"op": "undo"})
    assert passes(student)
    inbox.do(again, {"op": "move", "id": 1, "x": -0.9, "y": 0.4})
    assert passes(again), "the point is where it was"
    # A browser may say that the board began with other points.
    inbox.do(student, {"op": "move", "id": 1, "x": -0.9, "y": 0.5})
    inbox.do(student, {"op": "began", "share": share.encode(student.lab)})
    assert not passes(student)
