"""The sockets of a room: who is let in, what they say, and what they are told.

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
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from svmlab.lab.room import keys
from svmlab.lab.room.allowance import Allowance
from svmlab.lab.room.live_room import (
    OVER,
    REFUSED,
    ROOMS,
    TOO_MANY,
    LiveRoom,
    Seat,
    as_json,
    end_room,
    room_of,
    room_of_key,
)
from svmlab.lab.room.room import CODE, MALFORMED, sketches_view
from svmlab.lab.session.origins import is_own_page
from svmlab.lab.session.visitors import name_of, network_of
from svmlab.lab.streamlit_internals import limit_socket

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a surrogate pair as an escape
BURST, RATE = 30, 5.0  # messages that a socket may send at once, and a second
HELLO_S = 5.0  # seconds in which a socket must say who it is
MAX_MESSAGE, MAX_HELLO = 8_000, 400_000  # characters of a message, and of the first one of a lecturer
MAX_HELD = 4 * MAX_MESSAGE  # bytes of a message that is not finished
LONG_HELLOS = 200  # sockets that may begin with a long message at the same time
SOCKETS_IN_TOTAL = 4000
_sockets = _greeting = 0  # all sockets, and those that have not said yet who they are


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
    host = socket.client.host if socket.client else ""
    address = network_of(host)
    room = room_of_key(code, key, name_of(socket.cookies, host), address) if leads else room_of(code)
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
        seat.tell("sketches", as_json(sketches_view(room.room, message["numbers"])))
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
        voted = as_json({"round": asked.id, "choice": choice, "seal": sealed})
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


def parsed(text: str) -> Any:
    """Return the value of a message in JSON.

    Raises ValueError if it is none, or if it has half of a surrogate pair, because no text with one can be sent on.
    Browsers write only such halves as an escape.
    """
    if SURROGATE.search(text):
        raise ValueError("half of a surrogate pair")
    return json.loads(text)
