"""The rooms of this process with their sockets. All of it lives in the event loop of the server.

A socket first says who it is: {me, votes, packed} for a member, {me, votes, packed, key} for the assistant, and
{me, key, n, stop, rounds, task, removed} for the lecturer. The server
then sends what is new, each kind by its newest value, so a slow reader skips and nothing piles up:

- {"here": {process}}: which process answers, once.
- {"state": ...}: what `member_view` returns, after each change.
- the picture of the board, compressed once for all members, at most ten times a second and within a budget of bytes.
- {"voted": {round, choice, seal}} to all tabs of the browser that has voted.
- {"count": ...}, {"kept": ...}, {"wall": ...} and the sketches that were asked for to the lecturer.
  The assistant gets these without "kept".
- {"ended": 1} when the room is over.

A room is soft: its browsers bring it back. So a room that nobody is in may be given up, if others need its place.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from svmlab.lab.room import keys
from svmlab.lab.room.allowance import Allowance
from svmlab.lab.room.room import (
    CODE,
    MALFORMED,
    PULSE_S,
    Role,
    Room,
    Stop,
    apply,
    count_view,
    kept_view,
    member_view,
    sketches_view,
    wall_view,
)
from svmlab.lab.room.task import Task
from svmlab.lab.session.origins import is_own_page
from svmlab.lab.session.visitors import name_of
from svmlab.lab.streamlit_internals import limit_socket

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a surrogate pair as an escape
PROCESS, STARTED = secrets.token_hex(6), time.time()  # the name of this process, and its start in seconds
COUNT_S = 0.1  # seconds between two counts for the lecturer
PICTURE_S = 0.1  # seconds between two pictures
DRAG_S = 0.5  # seconds for which a picture of a drag counts more than one of the page
BUDGET = 6_000_000  # bytes of pictures a second to all members of a room, which the network of a hall carries
BURST, RATE = 30, 5.0  # messages that a socket may send at once, and a second
HELLO_S = 5.0  # seconds in which a socket must say who it is
MAX_MESSAGE, MAX_HELLO = 8_000, 400_000  # characters of a message, and of the first one of a lecturer
MAX_HELD = 4 * MAX_MESSAGE  # bytes of a message that is not finished
LONG_HELLOS = 200  # sockets that may begin with a long message at the same time
HAND_INS, HAND_INS_A_SECOND = 300.0, 60.0  # that a room takes at once, and a second
SOCKETS_PER_ROOM, SOCKETS_IN_TOTAL, MAX_ROOMS = 1200, 4000, 200
LECTURER_SOCKETS = 8  # of one room
ROOMS_OF_A_BROWSER = 4  # that it leads at the same time
LIFETIME_S = 7200.0  # how long a room outlives the last sign of its lecturer
UNUSED_S = 60.0  # the same for a room that no member has ever joined
SWEEP_S = 60.0  # how often that is asked
# The parts of the data of a board that members get. Numbers, captions, announcements and links are not among them.
PUBLISHED = (
    *("points", "marks", "shade", "lines", "pin", "slack", "witness", "overlay", "hand"),
    *("probe", "view", "task", "labels", "focus", "axes"),
)
PUBLISHED_MARKS = ("fill", "state", "cat", "wrong")
TOO_MANY, REFUSED, COME_BACK, OVER = 1013, 1008, 1012, 4000  # the codes with which a socket is closed


@dataclass(eq=False)
class Seat:
    """One socket: the newest of each kind that it has not been sent yet."""

    by: str
    role: Role
    address: str
    key: object = None  # the key that it has shown, if it is not that of the lecturer
    packed: bool = True  # whether its browser can decompress pictures
    news: dict[str, str] = field(default_factory=dict)
    picture: Picture | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    awake: bool = True  # a page that nobody looks at gets no pictures
    dismissed: int | None = None  # the code with which it is to be closed
    since: float = field(default_factory=time.monotonic)

    @property
    def follows(self) -> bool:
        """Return whether its page shows the board of the lecturer."""
        return self.role != "lecturer"

    @property
    def sees_wall(self) -> bool:
        """Return whether it holds a key, and so is told what was counted and handed in."""
        return self.role in ("lecturer", "assistant")

    def tell(self, kind: str, what: str) -> None:
        """Put something new in the place of the last of this kind."""
        self.news[kind] = what
        self.wake.set()

    def show(self, picture: Picture) -> None:
        """Put a picture in the place of the last one."""
        self.picture = picture
        self.wake.set()

    def dismiss(self, code: int) -> None:
        """Close its socket, after what is new was sent."""
        self.dismissed = code
        self.wake.set()


class Picture:
    """A picture of the board as it is sent: compressed, and as text for a browser that cannot decompress it."""

    def __init__(self, board: Mapping[str, Any] | None) -> None:
        self.text = json.dumps({"board": board}, separators=(",", ":"), ensure_ascii=False)
        squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.data = squeeze.compress(self.text.encode(errors="replace")) + squeeze.flush()


class LiveRoom:
    """A room with its sockets."""

    def __init__(self, code: str) -> None:
        self.room = Room(code)
        self.key: str | None = None  # that of its lecturer
        self.browser = self.address = ""  # those of its lecturer
        self.was_joined = False  # whether a member has been here
        self.seats: set[Seat] = set()
        self.picture: Picture | None = None
        self._board: dict[str, Any] | None = None
        self._drag: tuple[str, str] | None = None  # the request and the picture of a drag, not read yet
        self._counting = self._drawing = False
        self._walls_differ = False
        self.hand_ins = Allowance(HAND_INS, HAND_INS_A_SECOND)
        self._drawn_at = self._dragged_at = float("-inf")
        self.last_sign = time.monotonic()

    @property
    def members(self) -> int:
        """Return how many browsers are here."""
        return len({seat.by for seat in self.seats if seat.role == "member"})

    @property
    def present(self) -> set[str]:
        """Return the browsers that are here."""
        return {seat.by for seat in self.seats}

    def has_place_at(self, address: str, leads: bool) -> bool:
        """Return whether one more socket may come from an address.

        If there are too many of members, an address that has more than this one gives up its latest socket.
        """
        if leads:
            return sum(seat.role == "lecturer" for seat in self.seats) < LECTURER_SOCKETS
        members = [seat for seat in self.seats if not seat.sees_wall and seat.dismissed is None]
        if len(members) < SOCKETS_PER_ROOM:
            return True
        held = Counter(seat.address for seat in members)
        [(crowded, most)] = held.most_common(1)
        if most <= held[address] + 1:
            return False
        max((seat for seat in members if seat.address == crowded), key=lambda seat: seat.since).dismiss(TOO_MANY)
        return True

    @property
    def is_led(self) -> bool:
        """Return whether a lecturer's socket is open."""
        return any(seat.role == "lecturer" for seat in self.seats)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Apply a message, and tell everybody what it has changed."""
        before, self.room = self.room, apply(self.room, message)
        if self.room.n != before.n or self.room.led != before.led:
            self._tell_all()
        if self.room is not before:
            self.count_soon()
        self._walls_differ |= self.room.handed is not before.handed

    def _tell_all(self) -> None:
        state, kept = self.state, _json(kept_view(self.room))
        for seat in self.seats:
            seat.tell("state", state)
            if seat.role == "lecturer":
                seat.tell("kept", kept)

    @property
    def state(self) -> str:
        """Return the view of a member as JSON."""
        return _json(member_view(self.room))

    def count_soon(self) -> None:
        """Count the votes for the lecturer, at most once in COUNT_S."""
        if not self._counting:
            self._counting = True
            asyncio.get_running_loop().call_later(COUNT_S, self._count)

    def _count(self) -> None:
        self._counting = False
        self._tell_wall()
        count = _json(count_view(self.room, self.members, time.monotonic()))
        for seat in self.seats:
            if seat.sees_wall:
                seat.tell("count", count)
        if self.room.pulse and self.is_led:  # what was tapped fades
            asyncio.get_running_loop().call_later(PULSE_S / 4, self.count_soon)

    def _tell_wall(self) -> None:
        if self._walls_differ:
            self._walls_differ = False
            wall = _json(wall_view(self.room))
            for seat in self.seats:
                if seat.sees_wall:
                    seat.tell("wall", wall)

    def publish_task(self, task: Task) -> None:
        """Set a task to the class."""
        self.last_sign = time.monotonic()
        self.hear({"kind": "task", "role": "server", "task": task})

    def publish_stop(self, stop: Stop, right: int | None) -> None:
        """Show where the lecturer is, and the right answer if the lecturer shows it."""
        self.last_sign = time.monotonic()
        self.hear({"kind": "stop", "role": "server", "stop": stop})
        if right is not None:
            self.hear({"kind": "show", "role": "server", "key": stop.key, "right": right})

    def publish_board(self, board: dict[str, Any] | None, moving: bool = False) -> None:
        """Show another board, or none.

        moving: whether something is being dragged. Then the pictures of the drag are newer than those of the page.
        """
        self.last_sign = now = time.monotonic()
        if moving and now - self._dragged_at < DRAG_S:
            return
        if board != self._board or self._drag is not None:
            self._board, self._drag = board, None
            self._draw_soon()

    def publish_drag(self, request: str, picture: str) -> None:
        """Show a picture of a drag. Request and picture are read only if no newer ones come before they are sent."""
        self.last_sign = self._dragged_at = time.monotonic()
        self._drag = request, picture
        self._draw_soon()

    def _draw_soon(self) -> None:
        if self._drawing:
            return
        self._drawing = True
        size = len(self.picture.data) if self.picture else 0
        readers = sum(seat.awake and seat.follows for seat in self.seats)
        at = self._drawn_at + max(PICTURE_S, size * readers / BUDGET)
        asyncio.get_running_loop().call_later(max(0.0, at - time.monotonic()), self._draw)

    def _draw(self) -> None:
        self._drawing, self._drawn_at = False, time.monotonic()
        if self._drag is not None:
            (request, text), self._drag = self._drag, None
            moved = {op["op"]: op for op in json.loads(request)["ops"] if op["op"] in ("points", "view")}
            points = {"points": moved["points"]["points"]} if "points" in moved else {}
            view = {"view": moved["view"]["half"]} if "view" in moved else {}
            self._board = (self._board or {}) | published_board(points | view | json.loads(text))
        self.picture = Picture(self._board)
        for seat in self.seats:
            if seat.awake and seat.follows:
                seat.show(self.picture)

    def welcome(self, seat: Seat) -> None:
        """Tell a new socket everything that it may know."""
        seat.tell("here", _json({"process": PROCESS}))
        seat.tell("state", self.state)
        if seat.role == "lecturer":
            seat.tell("kept", _json(kept_view(self.room)))
        if seat.sees_wall:
            seat.tell("wall", _json(wall_view(self.room)))
        self.catch_up(seat)
        self.count_soon()

    def seat_assistants(self) -> None:
        """Let those assist who have shown the key for it. After a restart they may come before the lecturer."""
        for seat in self.seats:
            key = self.key if seat.role == "member" and seat.key is not None else None
            if key is not None and keys.is_assistant_key(self.room.code, seat.key, key):
                seat.role = "assistant"
                seat.tell("wall", _json(wall_view(self.room)))
                self.count_soon()

    def catch_up(self, seat: Seat) -> None:
        """Show the present board to a page that somebody looks at."""
        if seat.awake and seat.follows and self.picture is not None:
            seat.show(self.picture)

    def end(self) -> None:
        """Tell everybody that the room is over. The sockets are closed after that."""
        for seat in self.seats:
            seat.tell("ended", "1")
            seat.dismiss(OVER)


def published_board(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the data of a board, or of a picture of it, that members get."""
    board = {name: data[name] for name in PUBLISHED if name in data}
    if board.get("marks"):
        board["marks"] = {name: board["marks"][name] for name in PUBLISHED_MARKS if name in board["marks"]}
    return board


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def parsed(text: str) -> Any:
    """Return the value of a message in JSON.

    Raises ValueError if it is none, or if it has half of a surrogate pair, because no text with one can be sent on.
    Browsers write only such halves as an escape.
    """
    if SURROGATE.search(text):
        raise ValueError("half of a surrogate pair")
    return json.loads(text)


ROOMS: dict[str, LiveRoom] = {}
_loop: asyncio.AbstractEventLoop | None = None
_sockets = _greeting = 0  # all sockets, and those that have not said yet who they are


def room_of(code: str) -> LiveRoom | None:
    """Return the room of a code, which is made if there is none, or None if there are too many."""
    if code not in ROOMS and len(ROOMS) < MAX_ROOMS:
        ROOMS[code] = LiveRoom(code)
    return ROOMS.get(code)


def room_of_key(code: str, key: str, browser: str = "", address: str = "") -> LiveRoom | None:
    """Return the room of a code for somebody who holds a key of it, or None if there are too many.

    The first key leads. But of keys from before this process began the newest one leads, because nobody was offered the
    code of a room that was open. If an older one came first, its room begins anew, and whoever is there comes back.
    """
    room = ROOMS.get(code)
    if room is not None and room.key is not None and keys.made_at(room.key) < keys.made_at(key) <= STARTED:
        give_up(room)
    if code not in ROOMS:
        own = [each for each in ROOMS.values() if browser and each.browser == browser]
        if len(own) >= ROOMS_OF_A_BROWSER and not _give_up_one(own, address):
            return None
        if len(ROOMS) >= MAX_ROOMS:
            _give_up_one(list(ROOMS.values()), address)
    room = room_of(code)
    if room is not None:
        room.key = room.key or key
        if room.key == key and browser:
            room.browser, room.address = browser, address
    return room


def rooms_led_by(browser: str) -> int:
    """Return how many rooms with an open socket of their lecturer a browser leads."""
    return sum(room.browser == browser and room.is_led for room in list(ROOMS.values()))


def _give_up_one(rooms: list[LiveRoom], address: str) -> bool:
    """Give up the room that is missed least, and return whether there is one.

    That is the longest abandoned one, or else one whose lecturer is not here, or else one of an address that holds more
    rooms than the one that needs a place. Of two such rooms the address that holds more gives up its own.
    """
    held = Counter(room.address for room in ROOMS.values() if room.address)
    given = [room for room in rooms if not room.is_led or held[room.address] > held[address] + 1]

    def missed(room: LiveRoom) -> tuple[float, ...]:
        here = len(room.seats)
        return room.is_led, here > 0, room.key is not None, -held[room.address], here, room.last_sign

    if given:
        give_up(min(given, key=missed))
    return bool(given)


def give_up(room: LiveRoom) -> None:
    """Forget a room. Its browsers come back, and its lecturer's brings it back if there is a place."""
    ROOMS.pop(room.room.code, None)
    for seat in room.seats:
        seat.dismiss(COME_BACK)


def soon(code: str, key: str, act: Callable[[LiveRoom], None]) -> None:
    """Do something with a room in the event loop of the server. It may be called from any thread.

    key: that of the lecturer. Another key of the same code moves nothing in a room.
    """

    def run() -> None:
        room = room_of_key(code, key)
        if room is not None and room.key == key:
            act(room)

    if _loop is not None:
        with suppress(RuntimeError):  # the server has ended
            _loop.call_soon_threadsafe(run)


@asynccontextmanager
async def rooms() -> AsyncIterator[None]:
    """Hold the rooms during the lifespan of the server, and end those whose lecturer has been away for too long."""
    global _loop
    _loop = asyncio.get_running_loop()
    sweeping = asyncio.create_task(_sweep_regularly())
    try:
        yield
    finally:
        _loop = None
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping


async def _sweep_regularly() -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        sweep(time.monotonic())


def sweep(now: float) -> None:
    """End the rooms whose lecturer has given no sign of life for LIFETIME_S, or for UNUSED_S if nobody has joined."""
    for code, room in list(ROOMS.items()):
        if room.is_led:
            room.last_sign = now
        elif now - room.last_sign > (LIFETIME_S if room.was_joined else UNUSED_S):
            end_room(code)


def end_room(code: str) -> None:
    """End a room."""
    room = ROOMS.pop(code, None)
    if room is not None:
        room.end()


async def serve(socket: WebSocket) -> None:
    """Serve one socket of a room. It is refused before it can say anything if a foreign page opens it."""
    global _sockets
    code = socket.path_params["code"]
    limit_socket(socket.scope, MAX_HELD)
    if not CODE.fullmatch(code) or _sockets >= SOCKETS_IN_TOTAL or not await is_own_page(socket.headers):
        await socket.close(REFUSED)
        return
    _sockets += 1
    try:
        # The server raises RuntimeError if it has closed a socket whose other side broke the protocol.
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.accept()
            await socket.close(await _attend(socket, code))
    finally:
        _sockets -= 1


async def _greeted(socket: WebSocket) -> str:
    """Return the first message of a socket. After it, unfinished messages are held in less memory."""
    global _greeting
    _greeting += 1
    try:
        limit_socket(socket.scope, MAX_HELLO if _greeting <= LONG_HELLOS else MAX_HELD)
        return await asyncio.wait_for(socket.receive_text(), HELLO_S)
    finally:
        _greeting -= 1
        limit_socket(socket.scope, MAX_HELD)


async def _attend(socket: WebSocket, code: str) -> int:
    """Let a socket take part in a room, and return the code with which it is closed."""
    try:
        text = await _greeted(socket)
        hello: Any = parsed(text) if len(text) <= MAX_HELLO else None
        key = hello.get("key")
        leads = keys.is_key(code, key, time.time())
        by = keys.member_name(hello["me"])
        if not leads and len(text) > MAX_MESSAGE:
            return REFUSED
        votes = {} if leads else keys.sealed_votes(code, by, hello.get("votes"))
    except (TimeoutError, *MALFORMED):
        return REFUSED
    address = socket.client.host if socket.client else ""
    room = room_of_key(code, key, name_of(socket.cookies, address), address) if leads else room_of(code)
    leads = leads and room is not None and room.key == key  # another one of this code does not lead
    if room is None or not room.has_place_at(address, leads):
        return TOO_MANY
    seat = Seat(by, "lecturer" if leads else "member", address, None if leads else key, hello.get("packed") is True)
    room.seats.add(seat)
    room.was_joined |= not leads
    try:
        room.seat_assistants()
        if leads:
            room.last_sign = time.monotonic()
            room.hear({"n": 0, "stop": None, "rounds": [], **hello, "kind": "lead", "by": by, "role": seat.role})
        elif votes:
            room.hear({"kind": "back", "by": by, "role": seat.role, "votes": votes, "present": room.present})
        room.welcome(seat)
        return await _listen(socket, room, seat)
    finally:
        room.seats.discard(seat)
        if leads:
            room.last_sign = time.monotonic()
        room.count_soon()
        if not room.seats and not room.room.led and ROOMS.get(code) is room:
            del ROOMS[code]


async def _listen(socket: WebSocket, room: LiveRoom, seat: Seat) -> int:
    """Hear a socket until it closes, says too much, or says something that is no message."""
    writer = asyncio.create_task(_write(socket, seat))
    allowance = Allowance(BURST, RATE)
    try:
        while not writer.done():
            text = await socket.receive_text()
            if not allowance.take() or len(text) > MAX_MESSAGE:
                return REFUSED
            hear(room, seat, parsed(text))
    except MALFORMED:
        return REFUSED
    finally:
        writer.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writer
    return OVER


def hear(room: LiveRoom, seat: Seat, message: Mapping[str, Any]) -> None:
    """Handle a message of a socket. Raises one of MALFORMED if it is none."""
    kind = message["kind"]
    if kind == "ping":
        seat.tell("pong", "1")
    elif kind == "look":
        seat.awake = message["on"] is True
        room.catch_up(seat)
    elif kind == "end" and seat.role == "lecturer":
        end_room(room.room.code)
    elif kind == "sketches" and seat.sees_wall:
        seat.tell("sketches", _json(sketches_view(room.room, message["numbers"])))
    elif kind != "lead" and kind != "back":  # these stand at the beginning, where seals are checked
        room.hear({**message, "by": seat.by, "role": seat.role, "at": time.monotonic(), "present": room.present})
        if kind == "vote":
            _confirm(room, seat.by, message.get("round"))


def _confirm(room: LiveRoom, by: str, round_: Any) -> None:
    """Send the counted vote with its seal to all tabs of a browser."""
    asked = room.room.round(round_)
    choice = None if asked is None else room.room.votes.get(asked.id, {}).get(by)
    if asked is not None and choice is not None:
        sealed = keys.seal(room.room.code, asked.id, by, choice)
        voted = _json({"round": asked.id, "choice": choice, "seal": sealed})
        for seat in room.seats:
            if seat.by == by:
                seat.tell("voted", voted)


async def _write(socket: WebSocket, seat: Seat) -> None:
    """Send what is new, until the socket is dismissed."""
    while True:
        await seat.wake.wait()
        seat.wake.clear()
        news, seat.news = seat.news, {}
        picture, seat.picture = seat.picture, None
        if news:
            await socket.send_text("{" + ",".join(f'"{kind}":{what}' for kind, what in news.items()) + "}")
        if picture is not None:
            await (socket.send_bytes(picture.data) if seat.packed else socket.send_text(picture.text))
        if seat.dismissed is not None:
            await socket.close(seat.dismissed)
            return
