"""The rooms of this process, each with the sockets that are open. All of it lives in the event loop of the server.

A room exists only in memory, and its browsers can restore it. So an empty room may be dropped if others need its
place.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from svmlab.lab.room import keys
from svmlab.lab.room.allowance import Allowance
from svmlab.lab.room.room import (
    PULSE_S,
    Role,
    Room,
    Stop,
    apply,
    count_view,
    kept_view,
    member_view,
    wall_view,
)
from svmlab.lab.room.task import Task

PROCESS = secrets.token_hex(6)  # the name of this process
COUNT_S = 0.1  # seconds between two counts for the lecturer
PICTURE_S = 0.1  # seconds between two pictures
DRAG_S = 0.5  # seconds for which a picture of a drag counts more than one of the page
BUDGET = 6_000_000  # bytes of pictures a second to all members of a room, which the network of a hall carries
HAND_INS, HAND_INS_A_SECOND = 300.0, 60.0  # that a room takes at once, and a second
SOCKETS_PER_ROOM, MAX_ROOMS = 1200, 200
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
    """One open socket, with the latest unsent message of each kind."""

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
        self.begun = time.time()
        self.key: str | None = None  # that of its lecturer
        self.browser = self.address = ""  # those of its lecturer
        self.was_joined = False  # whether a member has been here
        self.seats: set[Seat] = set()
        self.picture: Picture | None = None
        self._board: dict[str, Any] | None = None
        self._drag: tuple[str, str] | None = None  # the request and the picture of a drag, not read yet
        self._counting = self._drawing = False
        self._walls_differ = False
        self.hand_in_allowance = Allowance(HAND_INS, HAND_INS_A_SECOND)
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
        sockets_by_address = Counter(seat.address for seat in members)
        [(crowded, most)] = sockets_by_address.most_common(1)
        if most <= sockets_by_address[address] + 1:
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
        state, kept = self.state, as_json(kept_view(self.room))
        for seat in self.seats:
            seat.tell("state", state)
            if seat.role == "lecturer":
                seat.tell("kept", kept)

    @property
    def state(self) -> str:
        """Return the view of a member as JSON."""
        return as_json(member_view(self.room))

    def count_soon(self) -> None:
        """Count the votes for the lecturer, at most once in COUNT_S."""
        if not self._counting:
            self._counting = True
            asyncio.get_running_loop().call_later(COUNT_S, self._count)

    def _count(self) -> None:
        self._counting = False
        self._tell_wall()
        count = as_json(count_view(self.room, self.members, time.monotonic()))
        for seat in self.seats:
            if seat.sees_wall:
                seat.tell("count", count)
        if self.room.pulse and self.is_led:  # what was tapped fades
            asyncio.get_running_loop().call_later(PULSE_S / 4, self.count_soon)

    def _tell_wall(self) -> None:
        if self._walls_differ:
            self._walls_differ = False
            wall = as_json(wall_view(self.room))
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
        seat.tell("here", as_json({"process": PROCESS}))
        seat.tell("state", self.state)
        if seat.role == "lecturer":
            seat.tell("kept", as_json(kept_view(self.room)))
        if seat.sees_wall:
            seat.tell("wall", as_json(wall_view(self.room)))
        self.catch_up(seat)
        self.count_soon()

    def seat_assistants(self) -> None:
        """Let those assist who have shown the key for it. After a restart they may come before the lecturer."""
        for seat in self.seats:
            key = self.key if seat.role == "member" and seat.key is not None else None
            if key is not None and keys.is_assistant_key(self.room.code, seat.key, key):
                seat.role = "assistant"
                seat.tell("wall", as_json(wall_view(self.room)))
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


def as_json(value: Any) -> str:
    """Return a value as the shortest JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


ROOMS: dict[str, LiveRoom] = {}
_loop: asyncio.AbstractEventLoop | None = None


def room_of(code: str) -> LiveRoom | None:
    """Return the room of a code, which is made if there is none, or None if there are too many."""
    if code not in ROOMS and len(ROOMS) < MAX_ROOMS:
        ROOMS[code] = LiveRoom(code)
    return ROOMS.get(code)


def room_of_key(code: str, key: str, browser: str = "", address: str = "") -> LiveRoom | None:
    """Return the room of a code for somebody who holds a key of it, or None if there are too many.

    The first key leads. But of keys from before the room began in this process, as after a restart, the newest one
    leads, because nobody was offered the code of a room that was open. If an older one came first, its room begins
    anew, and whoever is there comes back.
    """
    room = ROOMS.get(code)
    if room is not None and room.key is not None and keys.made_at(room.key) < keys.made_at(key) <= room.begun:
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
    rooms_by_address = Counter(room.address for room in ROOMS.values() if room.address)
    given = [
        room for room in rooms if not room.is_led or rooms_by_address[room.address] > rooms_by_address[address] + 1
    ]

    def missed(room: LiveRoom) -> tuple[float, ...]:
        here = len(room.seats)
        return room.is_led, here > 0, room.key is not None, -rooms_by_address[room.address], here, room.last_sign

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
