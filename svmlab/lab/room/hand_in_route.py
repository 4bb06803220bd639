"""The route on which members hand in their boards to the process of the room."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from svmlab.lab.room import keys
from svmlab.lab.room.live_room import ROOMS
from svmlab.lab.room.room import CODE, MALFORMED, apply
from svmlab.lab.room.room_sockets import parsed
from svmlab.lab.room.task import read_hand_in
from svmlab.lab.session.origins import is_own_page

MAX_HAND_IN = 16_000  # bytes of a hand-in
PATIENCE_S = 5.0  # seconds in which it must arrive


async def take_hand_in(request: Request) -> Response:
    """Take what a member hands in: {me, number, receipt} and the values of a `HandIn`.

    The answer is {number, passed, at, receipt} once it hangs on the wall. {"closed": true} is for a task that is over,
    and {"wait": true} for a room that is busy, or that is not back after a restart. 409 is for a board that another
    browser has handed in.
    """
    code = request.path_params["code"]
    if not CODE.fullmatch(code) or not await is_own_page(request.headers):
        return Response(status_code=403)
    try:
        body = b""
        async with asyncio.timeout(PATIENCE_S):
            async for part in request.stream():
                body += part
                if len(body) > MAX_HAND_IN:
                    return Response(status_code=413)
        said = parsed(body.decode())
        by, hand_in = keys.member_name(said["me"]), read_hand_in(said)
        number = said.get("number")
        had = number if keys.is_receipt(said.get("receipt"), code, by, number, hand_in) else None
    except (ClientDisconnect, TimeoutError, *MALFORMED):
        return Response(status_code=400)
    if not keys.is_ticket(code, hand_in):
        return Response(status_code=403)
    room = ROOMS.get(code)
    if room is None or (not room.room.led and had is None):
        return JSONResponse({"wait": True}, 503)
    message = {"kind": "hand", "role": "server", "by": by, "hand_in": hand_in, "number": had, "present": room.present}
    if apply(room.room, message) is not room.room:
        if not room.hand_in_allowance.take():
            return JSONResponse({"wait": True}, 503)
        room.hear(message)
    mine, wall = room.room.handed.get(by), room.room.handed.values()
    if mine is None and any(each.hand_in.seal == hand_in.seal for each in wall):
        return Response(status_code=409)
    if mine is None or mine.hand_in.task != hand_in.task:
        return JSONResponse({"closed": True})
    sealed = keys.receipt(code, by, mine.number, mine.hand_in)
    counted = {"passed": mine.hand_in.passed, "at": mine.hand_in.at, "seal": mine.hand_in.seal}
    return JSONResponse({"number": mine.number, "receipt": sealed, **counted})
