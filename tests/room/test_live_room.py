"""The sockets of a room: who is let in, what reaches whom, and what a restart of the server or a cheat changes."""

import asyncio
import json
import zlib

import pytest
from starlette.websockets import WebSocket

from svmlab.lab.board import board_data
from svmlab.lab.room import keys, live_room, places, room_sockets
from svmlab.lab.room.live_room import LIFETIME_S, PUBLISHED, ROOMS, UNUSED_S, Picture, published_board
from svmlab.lab.room.room import Stop
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from tests import loop

CODE = "K7Q4"
NOW = 1_800_000_000.0
STOP = Stop("margin.slide", "Distance", ("How far?",), (("One",), ("Two",)), link="margin", board_link="lab")
LAB = Lab(points=(Point(1, 1000, 1000, 1), Point(2, -1000, -1000, -1)))


class Peer:
    """The other side of a socket, which remembers the last of each kind that it was sent."""

    def __init__(
        self, code: str = CODE, origin: str | None = None, host: str = "svm.example", at: str = "1.1.1.1"
    ) -> None:
        self._to_server: asyncio.Queue = asyncio.Queue()
        self._to_server.put_nowait({"type": "websocket.connect"})
        headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
        scope = {
            "type": "websocket",
            "path": "/",
            "path_params": {"code": code},
            "headers": headers,
            "query_string": b"",
            "client": (at, 9),
        }
        self.heard: list[str] = []
        self.told: dict[str, object] = {}
        self.pictures: list[dict] = []
        self.closed: int | None = None
        self.task = asyncio.create_task(room_sockets.serve(WebSocket(scope, self._to_server.get, self._send)))

    async def _send(self, message: dict) -> None:
        if message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
            self._to_server.put_nowait({"type": "websocket.disconnect", "code": self.closed})
        elif message.get("bytes") is not None:
            text = zlib.decompress(message["bytes"], -15).decode()
            self.heard.append(text)
            self.pictures.append(json.loads(text)["board"])
        elif message["type"] == "websocket.send":
            self.heard.append(message["text"])
            self.told |= json.loads(message["text"])

    def say(self, said: object, raw: bool = False) -> None:
        text = said if raw else json.dumps(said)
        self._to_server.put_nowait({"type": "websocket.receive", "text": text})

    async def until(self, condition) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0.002)

    async def joined(self) -> "Peer":
        await self.until(lambda: "state" in self.told)
        return self

    async def leave(self) -> None:
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task


def key(made: float = NOW) -> str:
    return keys.key_of(CODE, int(made))


async def member(me: str, **more: object) -> Peer:
    peer = Peer()
    peer.say({"me": me * 16, "packed": True, **more})
    return await peer.joined()


async def lecturer(**kept: object) -> Peer:
    peer = Peer()
    peer.say({"me": key(), "key": key(), **kept})
    return await peer.joined()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A secret, a clock, no waiting, and no room that another test has left."""
    monkeypatch.setattr(keys, "secret", lambda: b"s" * 32)
    monkeypatch.setattr(live_room.time, "time", lambda: NOW)
    monkeypatch.setattr(live_room, "COUNT_S", 0.0)
    monkeypatch.setattr(live_room, "PICTURE_S", 0.0)
    ROOMS.clear()
    yield
    ROOMS.clear()


async def opened(code: str, at: str) -> Peer:
    """A lecturer at an address, who opens a room or is refused."""
    peer = Peer(code, at=at)
    peer.say(
        {"me": keys.key_of(code, int(NOW)), "key": keys.key_of(code, int(NOW)), "n": 0, "stop": None, "rounds": []}
    )
    await peer.until(lambda: "kept" in peer.told or peer.closed is not None)
    return peer


def in_loop(test):
    """A test as a coroutine, at the end of which no socket is left. It may ask for `monkeypatch`."""

    def run(monkeypatch) -> None:
        loop.run(test(monkeypatch) if test.__code__.co_argcount else test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@in_loop
async def test_a_class_votes_and_the_answer_does_not_leave_before_it_is_shown():
    lead, a, b = await lecturer(), await member("a"), await member("b")
    ROOMS[CODE].publish_stop(STOP, None)
    lead.say({"kind": "ask", "id": "round1", "key": STOP.key})
    await a.until(lambda: (a.told["state"]["asked"] or {}).get("open"))
    a.say({"kind": "vote", "round": "round1", "choice": 1})
    b.say({"kind": "vote", "round": "round1", "choice": 0})
    await lead.until(lambda: lead.told.get("count", {}).get("votes") == 2)
    await a.until(lambda: "voted" in a.told)
    assert lead.told["count"]["rounds"] == [[1, 1]]
    assert not any('"right":1' in text for peer in (lead, a, b) for text in peer.heard)
    ROOMS[CODE].publish_stop(STOP, 1)
    await a.until(lambda: a.told["state"]["asked"]["right"] == 1)
    assert a.told["state"]["asked"]["bars"] == [[1, 1]]
    assert a.told["voted"]["seal"] == keys.seal(CODE, "round1", keys.member_name("a" * 16), 1)


async def voted(peer: Peer, choice: int) -> dict:
    """The receipt of a vote."""
    peer.told.pop("voted", None)
    peer.say({"kind": "vote", "round": "round1", "choice": choice})
    await peer.until(lambda: "voted" in peer.told)
    return {"round1": [peer.told["voted"]["choice"], peer.told["voted"]["seal"]]}


@pytest.mark.parametrize("is_open", [True, False])
def test_after_the_server_was_killed_votes_count_as_before(is_open):
    async def restarted() -> None:
        lead, a = await lecturer(), await member("a")
        ROOMS[CODE].publish_stop(STOP, None)
        lead.say({"kind": "ask", "id": "round1", "key": STOP.key})
        await a.until(lambda: a.told["state"]["asked"])
        first, last = await voted(a, 0), await voted(a, 1)
        if not is_open:
            lead.say({"kind": "close", "id": "round1"})
            await lead.until(lambda: not lead.told["kept"]["rounds"][0]["is_open"])
        kept = lead.told["kept"]
        ROOMS.clear()  # the next process
        mine = last if is_open else first  # who changed a vote has two seals
        await member("a", votes=mine)
        await member("c", votes=mine)  # the seal of another browser
        await member("d", votes={"round1": [0, "0" * 24]})
        late = await member("e")
        again = await lecturer(**kept)
        late.say({"kind": "back", "votes": {"round1": 0}})
        if not is_open:
            late.say({"kind": "vote", "round": "round1", "choice": 0})
        late.say({"kind": "ping"})
        await late.until(lambda: "pong" in late.told)
        await again.until(lambda: again.told.get("count", {}).get("rounds") == [[0, 1]])
        assert again.told["state"]["title"] == STOP.title
        assert ROOMS[CODE].room.votes == ({"round1": {keys.member_name("a" * 16): 1}} if is_open else {})

    loop.run(restarted())


@in_loop
async def test_in_a_full_room_an_address_with_many_sockets_gives_way_to_another(monkeypatch):
    monkeypatch.setattr(live_room, "SOCKETS_PER_ROOM", 3)

    async def at(me: str, address: str) -> Peer:
        peer = Peer(at=address)
        peer.say({"me": me * 16})
        await peer.until(lambda: "state" in peer.told or peer.closed is not None)
        return peer

    many = [await at(me, "6.6.6.6") for me in "abc"]
    assert (await at("d", "6.6.6.6")).closed == live_room.TOO_MANY
    honest = [await at("e", "1.1.1.1")]
    await many[-1].until(lambda: many[-1].closed == live_room.TOO_MANY)
    assert (await at("f", "1.1.1.1")).closed == live_room.TOO_MANY, "two and one"
    assert [peer.closed for peer in (*many[:2], *honest)] == [None] * 3
    ROOMS.clear()
    leads = [await lecturer() for _ in range(live_room.LECTURER_SOCKETS)]
    more = Peer()
    more.say({"me": key(), "key": key()})
    await more.until(lambda: more.closed is not None)
    assert "kept" in leads[0].told


@in_loop
async def test_a_vote_of_a_socket_that_is_closed_gives_way_in_a_full_room(monkeypatch):
    monkeypatch.setattr(places, "MAX_MEMBERS", 2)
    lead, a, b = await lecturer(), await member("a"), await member("b")
    ROOMS[CODE].publish_stop(STOP, None)
    lead.say({"kind": "ask", "id": "round1", "key": STOP.key})
    await b.until(lambda: b.told["state"]["asked"])
    for peer in (a, b):
        await voted(peer, 0)
    c = await member("c")
    c.say({"kind": "vote", "round": "round1", "choice": 1})
    c.say({"kind": "ping"})
    await c.until(lambda: c.told.pop("pong", None))
    assert "voted" not in c.told
    await b.leave()
    assert await voted(c, 1)
    assert set(ROOMS[CODE].room.votes["round1"]) == {keys.member_name(me * 16) for me in "ac"}


@in_loop
async def test_nobody_leads_without_the_key_and_nobody_votes_for_another():
    lead, honest = await lecturer(), await member("h")
    ROOMS[CODE].publish_stop(STOP, None)
    lead.say({"kind": "ask", "id": "round1", "key": STOP.key})
    await honest.until(lambda: honest.told["state"]["asked"])
    honest.say({"kind": "vote", "round": "round1", "choice": 1})
    await honest.until(lambda: "voted" in honest.told)
    before = ROOMS[CODE].room
    other = keys.key_of(CODE, int(NOW) - 5)  # a key of the same code, from another time
    for cheat in (
        await member("c", key="0" * 32),
        await member("d", key=other),
        await member("e", key=key(NOW - 90_000)),
    ):
        for said in (
            {"kind": "close", "id": "round1"},
            {"kind": "bars", "id": "round1"},
            {"kind": "ask", "id": "round2", "key": STOP.key},
            {"kind": "show", "key": STOP.key, "right": 0, "role": "server"},
            {"kind": "stop", "role": "lecturer", "stop": {"title": "x"}},
            {"kind": "vote", "round": "round1", "choice": 0, "by": keys.member_name("h" * 16), "me": "h" * 16},
            {"kind": "end"},
            {"kind": "ping"},
        ):
            cheat.say(said)
        await cheat.until(lambda cheat=cheat: "pong" in cheat.told)
        assert "kept" not in cheat.told
    room = ROOMS[CODE].room
    assert (room.stop, room.rounds) == (before.stop, before.rounds)
    assert room.votes["round1"][keys.member_name("h" * 16)] == 1
    assert len(room.votes["round1"]) == 4, "each cheat has its own vote"


@in_loop
async def test_another_key_of_the_same_code_moves_nothing_from_its_page():
    await lecturer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_room, "_loop", asyncio.get_running_loop())
        for moves, of_key in ((False, key(NOW - 60)), (True, key())):
            live_room.soon(CODE, of_key, lambda room: room.publish_stop(STOP, None))
            await asyncio.sleep(0.01)
            assert (ROOMS[CODE].room.stop == STOP) is moves


@in_loop
async def test_what_is_no_message_closes_its_socket_and_leaves_no_trace():
    lead = await lecturer()
    half = r'{"me": "mmmmmmmmmmmmmmmm", "votes": {"\ud800": [1, "\ud800"]}}'
    garbage = ["[[[[", "1", "null", "[" * 900, half, '{"me": {}}', '{"me": "short"}', "x" * 9000, '{"kind": "ping"}']
    for first in garbage:
        peer = Peer()
        peer.say(first, raw=True)
        await peer.until(lambda peer=peer: peer.closed is not None)
        assert peer.closed == live_room.REFUSED
    half = r'{"kind": "vote", "round": "\ud800", "choice": 1}'
    for later in ("[[[[", "1", "null", "[]", '{"choice": 1}', half, "[" * 90_000, "x" * 9000):
        peer = await member("m")
        peer.say(later, raw=True)
        await peer.until(lambda peer=peer: peer.closed is not None)
    peer = await member("f")
    for _ in range(2 * room_sockets.BURST):
        peer.say({"kind": "pulse", "is": "nothing"})
    await peer.until(lambda: peer.closed is not None)
    strange = Peer(code="O0I1")
    await strange.until(lambda: strange.closed is not None)
    foreign = Peer(origin="http://elsewhere.example")
    await foreign.until(lambda: foreign.closed is not None)
    await lead.until(lambda: len(ROOMS[CODE].seats) == 1)
    assert ROOMS[CODE].room.votes == {}
    assert set(ROOMS) == {CODE}


@in_loop
async def test_a_picture_has_what_is_drawn_and_nothing_else_and_the_newest_wins():
    session = Session(History(LAB))
    data = json.loads(json.dumps(board_data(session)))
    assert {"caption", "heard", "share", "address", "message", "legend"} <= set(data), "these are not published"
    lead, a = await lecturer(), await member("a")
    room = ROOMS[CODE]
    room.publish_board(published_board(data))
    await a.until(lambda: a.pictures)
    assert set(a.pictures[-1]) <= set(PUBLISHED)
    assert "values" not in a.pictures[-1]["marks"]
    for x in (0.1, 0.2, 0.3):
        request = {"ops": [{"op": "points", "points": [[1, x, 1.0, 1], [2, -1, -1, -1]]}, {"op": "view", "half": 2.0}]}
        room.publish_drag(json.dumps(request), json.dumps({"lines": None, "message": {"text": "secret"}}))
    await a.until(lambda: len(a.pictures) > 1)
    assert len(a.pictures) == 2, "only the newest is drawn"
    assert a.pictures[-1]["points"][0] == [1, 0.3, 1.0, 1]
    assert a.pictures[-1]["view"] == 2.0
    assert "secret" not in "".join(a.heard)
    room.publish_board(published_board(data), moving=True)  # a run of the page is later than the drag that it follows
    await asyncio.sleep(0.01)
    assert len(a.pictures) == 2
    a.say({"kind": "look", "on": False})
    a.say({"kind": "ping"})
    await a.until(lambda: a.told.pop("pong", None))
    room.publish_board(None)
    await asyncio.sleep(0.01)
    assert len(a.pictures) == 2, "a phone asleep gets no pictures"
    a.say({"kind": "look", "on": True})
    await a.until(lambda: len(a.pictures) == 3)
    assert a.pictures[-1] is None
    assert not lead.pictures


@in_loop
async def test_a_room_ends_with_its_lecturer_or_some_time_after_him():
    lead, a = await lecturer(), await member("a")
    lead.say({"kind": "end"})
    await a.until(lambda: a.closed is not None)
    assert a.told["ended"] == 1
    assert a.closed == live_room.OVER
    assert CODE not in ROOMS
    lead, a = await lecturer(), await member("a")
    room = ROOMS[CODE]
    live_room.sweep(room.last_sign + LIFETIME_S + 1)
    assert CODE in ROOMS, "the lecturer is here"
    await lead.leave()
    live_room.sweep(room.last_sign + LIFETIME_S - 1)
    assert CODE in ROOMS
    live_room.sweep(room.last_sign + LIFETIME_S + 1)
    await a.until(lambda: a.closed is not None)
    assert not ROOMS


@in_loop
async def test_of_several_keys_from_before_a_restart_the_newest_leads_whoever_comes_first():
    async def thief_with(made: float) -> Peer:
        peer = Peer()
        peer.say({"me": key(made), "key": key(made), "n": 1, "stop": None, "rounds": []})
        return await peer.joined()

    thief = await thief_with(NOW - 60)
    await thief.until(lambda: "kept" in thief.told)
    a = await member("a")
    lead = await lecturer()
    await a.until(lambda: a.closed is not None)
    assert a.closed == live_room.COME_BACK, "it comes back, and says its votes again"
    assert thief.closed == live_room.COME_BACK
    assert "kept" in lead.told
    assert "kept" not in (await thief_with(NOW - 60)).told
    assert "kept" not in (await thief_with(NOW + 60)).told, "this process offers no code of a room that is open"
    assert lead.closed is None


@in_loop
async def test_a_room_that_nobody_has_joined_is_given_up_soon_and_a_joined_one_is_not():
    lead = await lecturer()
    await lead.leave()
    room = ROOMS[CODE]
    live_room.sweep(room.last_sign + UNUSED_S + 1)
    assert not ROOMS
    lead, a = await lecturer(), await member("a")
    await lead.leave()
    await a.leave()
    live_room.sweep(ROOMS[CODE].last_sign + UNUSED_S + 1)
    assert CODE in ROOMS


@in_loop
async def test_a_full_server_gives_up_what_is_abandoned_and_then_what_one_address_has_too_much_of(monkeypatch):
    monkeypatch.setattr(live_room, "MAX_ROOMS", 4)
    monkeypatch.setattr(live_room, "ROOMS_OF_A_BROWSER", 9)
    _led, _also_led, *gone = [await opened(code, "6.6.6.6") for code in ("CCCC", "DDDD", "AAAA", "BBBB")]
    for peer in gone:
        await peer.leave()
    honest = await opened("EEEE", "2.2.2.2")
    assert "kept" in honest.told
    assert set(ROOMS) == {"BBBB", "CCCC", "DDDD", "EEEE"}, "the longest abandoned one is given up"
    await opened("FFFF", "6.6.6.6")
    third = await opened("GGGG", "3.3.3.3")
    assert "kept" in third.told
    assert {"EEEE", "GGGG"} < set(ROOMS), "the address with the most rooms gives one up, although it is led"
    await opened("HHHH", "4.4.4.4")
    assert (await opened("JJJJ", "5.5.5.5")).closed == live_room.TOO_MANY, "everybody has one"


@in_loop
async def test_members_of_codes_that_nobody_leads_keep_no_lecturer_out(monkeypatch):
    monkeypatch.setattr(live_room, "MAX_ROOMS", 2)
    waiting = Peer("AAAA"), Peer("BBBB"), Peer("CCCC")
    for peer in waiting:
        peer.say({"me": "m" * 16})
        await peer.until(lambda peer=peer: "state" in peer.told or peer.closed is not None)
    assert waiting[-1].closed == live_room.TOO_MANY
    lead = await lecturer()
    assert "kept" in lead.told
    await member("a")
    await lead.leave()
    assert "kept" in (await opened("DDDD", "2.2.2.2")).told
    assert CODE in ROOMS, "a class whose lecturer reloads is missed more than members without a lecturer"


@in_loop
async def test_a_browser_holds_a_few_rooms_and_a_new_one_replaces_the_longest_abandoned():
    codes = [f"{letter}" * 4 for letter in "ABCDEFGH"[: live_room.ROOMS_OF_A_BROWSER + 2]]
    first = await opened(codes[0], "1.1.1.1")
    await first.leave()
    for code in codes[1:-1]:
        assert "kept" in (await opened(code, "1.1.1.1")).told
    assert codes[0] not in ROOMS
    assert live_room.rooms_led_by("at 1.1.1.1") == live_room.ROOMS_OF_A_BROWSER
    assert (await opened(codes[-1], "1.1.1.1")).closed == live_room.TOO_MANY


@in_loop
async def test_a_room_without_a_lecturer_is_forgotten_with_its_last_member():
    a, b = await member("a"), await member("b")
    await a.leave()
    assert CODE in ROOMS
    await b.leave()
    assert not ROOMS


def test_a_picture_can_be_read_without_decompression():
    picture = Picture({"view": 1})
    assert zlib.decompress(picture.data, -15).decode() == picture.text == '{"board":{"view":1}}'


def test_the_secret_is_a_private_file_that_is_made_once(tmp_path):
    path = keys.secret_file({"XDG_STATE_HOME": str(tmp_path)})
    first = keys.read_or_make(path)
    assert first is not None
    assert keys.read_or_make(path) == first
    assert path.stat().st_mode & 0o77 == 0
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    (tmp_path / "file").write_text("")
    assert keys.read_or_make(tmp_path / "file" / "secret") is None, "there is no such folder"


def test_a_key_is_valid_for_its_code_and_for_a_day():
    assert keys.is_key(CODE, key(), NOW)
    assert not keys.is_key("K7Q5", key(), NOW)
    assert not keys.is_key(CODE, key(), NOW + keys.KEY_S)
    for bad in (None, "", key().upper(), key() + "0", "0.", 3):
        assert not keys.is_key(CODE, bad, NOW)
