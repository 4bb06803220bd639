"""What a network does to everybody at once, by a relay of our own between tabs and server."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from server import Server, rss

from harm.crowd import Fault, Found, crowd, late, megabytes
from harm.relay import Relay

CUT, STALL, FORGOTTEN, SLOW = 3.0, 20.0, 10.0, 1.2
Work = Callable[[Relay], Awaitable[None]]


async def _over(server: Server, work: Work, cuts: bool, most: float, sessions: int, again: bool) -> Found:
    async with Relay(server.port) as relay, crowd(sessions, relay.port) as people:
        people.begin()
        await asyncio.sleep(2)
        for tab in people.tabs:
            await tab.quiet(5)
            before = dict(tab.points)
            if await tab.say("click", tab.click()):
                tab.report(tab.undo(before))  # taken back twice, it takes back what must stay
        memory, lines = rss(server.pid), server.lines
        people.edit()
        await asyncio.sleep(0.01)
        since = time.perf_counter()
        await work(relay)
        after = time.perf_counter()
        await asyncio.sleep(8)
        lost = await people.rest()
        back = people.back(since) if cuts else people.answers(after)
        new = sum(tab.boots > 1 for tab in people.tabs)
        failed = (*([lost] if lost else []), *late(back, after - since + most if cuts else most))
        failed += (f"{new} sessions were begun anew",) if new and not again else ()
        return Found(sessions, lost, back, megabytes(memory, rss(server.pid)), f"{server.lines - lines}", failed)


def _fault(name: str, done: str, work: Work, most: float, cuts: bool = True, again: bool = False) -> Fault:
    def do(folder: Path, sessions: int) -> Found:
        with Server(folder / "log") as server:
            return asyncio.run(_over(server, work, cuts, most, sessions, again))

    held = f"nothing lost or done twice, {'' if again else 'the same session; '}everybody back {most:g} s after"
    return Fault(name, done, held, do)


def _cut(seconds: float) -> Work:
    async def work(relay: Relay) -> None:
        relay.down = True
        relay.cut()
        await asyncio.sleep(seconds)
        relay.down = False

    return work


async def _stalled(relay: Relay) -> None:
    relay.stall()
    await asyncio.sleep(STALL)
    relay.resume()


async def _forgotten(relay: Relay) -> None:
    relay.forget()
    await asyncio.sleep(FORGOTTEN)
    relay.cut()


async def _slow(relay: Relay) -> None:
    relay.delay = SLOW
    await asyncio.sleep(STALL)
    relay.delay = 0


FAULTS = (
    _fault(
        "cut", f"every connection reset, none let in for {CUT:g} s; an undo and an edit on their way", _cut(CUT), 10
    ),
    _fault("stall", f"no byte for {STALL:g} s, then all of them", _stalled, 5, cuts=False),
    _fault("forgotten", f"the server's ends gone, tabs not told for {FORGOTTEN:g} s", _forgotten, 10),
    _fault(
        "slow",
        f"{SLOW:g} s each way for {STALL:g} s: nothing is answered before it is said again",
        _slow,
        8,
        cuts=False,
    ),
)
# Not among those that are done by default, as it takes so long.
LONG = _fault("cut-long", "every connection reset for 3 minutes: sessions are forgotten", _cut(180), 15, again=True)
