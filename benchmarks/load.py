"""How many people one server process carries: sessions that drag and click at once, without browsers.

    python benchmarks/load.py [--sessions 60] [--seconds 120] [--period 5] [--seed 0]

Starts its own server on a free loopback port. Each session is a websocket client that speaks Streamlit's protocol and
sends what the board in a browser would send, one message in flight. It acts once every --period seconds on average, later
when the action before is not finished: 60 % drags (a live move, ten pictures past the page at least 30 ms apart, the last
move), 40 % clicks (add a point, or delete one when there are more than 80). The time of a message runs from sending it to the
arrival of a board that acknowledges it, that of a picture from the question to the answer. An error is an exception shown on
the page, no answer within 5 s (the board in a browser would have repeated itself after 2), a closed socket, or an answer whose
points are not the ones expected. Memory a session is what came on top of the first one, which makes the server import
everything. Linux only; needs requirements-dev.txt.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import time
import urllib.parse
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from live import cpu, serve
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

DRAGS, PICTURES, FULL = 0.6, 10, 80
PAUSE, BUSY, PATIENCE = 0.03, 0.1, 5.0
EDGE = 3.6  # points stay inside the first view


class Tab:
    """One session: what its browser would know, and what was measured."""

    def __init__(self, seed: int, period: float) -> None:
        self.period = period
        self.random = random.Random(seed)
        self.times: list[tuple[str, float]] = []
        self.errors: list[str] = []
        self.actions = self.received = self.seq = 0
        self.page = self.fragment = self.component = ""
        self.board: dict[str, Any] = {}
        self.points: dict[int, tuple[float, float, int]] = {}
        self.awaited = asyncio.get_running_loop().create_future()
        self.port = 0
        self.socket: ClientConnection
        self.lane: ClientConnection | None = None
        self.reader: asyncio.Task[None]

    async def open(self, port: int) -> None:
        """Load the page and wait for the board."""
        self.port = port
        url = f"ws://127.0.0.1:{port}/_stcore/stream"
        self.socket = await connect(url, max_size=None, ping_interval=None, open_timeout=60)
        self.reader = asyncio.create_task(self.read())
        await self.socket.send(BackMsg(rerun_script={"widget_states": {}, "page_name": "lab"}).SerializeToString())
        await asyncio.wait_for(self.awaited, 120)
        self.points = points(self.board)

    async def read(self) -> None:
        """Take in everything the server says."""
        with suppress(ConnectionClosed):
            async for raw in self.socket:
                now = time.perf_counter()
                self.received += len(raw)
                self.hear(ForwardMsg.FromString(raw), now)
        self.errors.append("closed")

    def hear(self, message: ForwardMsg, now: float) -> None:
        """Remember the page and the board; wake up who waits for this answer."""
        kind = message.WhichOneof("type")
        if kind in ("new_session", "navigation"):
            self.page = getattr(message, kind).page_script_hash or self.page
        if kind != "delta":
            return
        element = message.delta.new_element
        shown = element.WhichOneof("type")
        if shown == "exception":
            self.errors.append(f"exception {element.exception.type}: {element.exception.message}")
        elif shown == "bidi_component" and element.bidi_component.component_name.startswith("svmlab.board-"):
            self.fragment, self.component = message.delta.fragment_id, element.bidi_component.id
            self.board = json.loads(element.bidi_component.bytes)
            if self.board["ack"] >= self.seq and not self.awaited.done():
                self.awaited.set_result(now)

    async def say(self, kind: str, op: dict[str, Any]) -> bool:
        """One message of the board and its answer; whether the answer came."""
        self.seq += 1
        self.awaited = asyncio.get_running_loop().create_future()
        events = [{"event": "event", "value": {"boot": self.board["boot"], "seq": self.seq, "ops": [op]}}]
        trigger = f"$$STREAMLIT_INTERNAL_KEY_{self.component}__events"
        run = {
            "query_string": urllib.parse.urlencode({"s": self.board["share"]}),
            "widget_states": {"widgets": [{"id": trigger, "json_trigger_value": json.dumps(events)}]},
            "page_script_hash": self.page,
            "fragment_id": self.fragment,
        }
        sent = time.perf_counter()
        await self.socket.send(BackMsg(rerun_script=run).SerializeToString())
        try:
            answered = await asyncio.wait_for(self.awaited, PATIENCE)
        except TimeoutError:
            self.errors.append("unanswered")
            return False
        self.times.append((kind, 1000 * (answered - sent)))
        if kind != "live move" and points(self.board) != self.points:
            self.errors.append("wrong points")
            self.points = points(self.board)
        return True

    def move(self, id_: int, dx: float, dy: float) -> dict[str, Any]:
        """Move a point, and say so."""
        x, y, label = self.points[id_]
        self.points[id_] = x, y, label = inside(x + dx), inside(y + dy), label
        return {"op": "move", "id": id_, "x": x, "y": y}

    async def look(self) -> None:
        """One picture past the page."""
        self.lane = self.lane or await connect(
            f"ws://127.0.0.1:{self.port}/{self.board['lane']}", max_size=None, ping_interval=None
        )
        rows = [[id_, *where] for id_, where in self.points.items()]
        ops = [{"op": "points", "points": rows}, {"op": "view", "half": self.board["view"]}]
        asked = time.perf_counter()
        await self.lane.send(json.dumps({"share": self.board["share"], "ops": ops}))
        picture = await self.lane.recv()
        took = time.perf_counter() - asked
        self.received += len(picture)
        self.times.append(("picture", 1000 * took))
        if len(json.loads(picture)["marks"]["cat"]) != len(rows):
            self.errors.append("wrong picture")
        await asyncio.sleep(max(0.0, (took if took > BUSY else PAUSE - took)))

    async def act(self) -> None:
        """One drag or one click."""
        self.actions += 1
        if self.random.random() < DRAGS:
            id_ = self.random.choice(list(self.points))
            dx, dy = self.random.uniform(-0.1, 0.1), self.random.uniform(-0.1, 0.1)
            page = asyncio.create_task(self.say("live move", self.move(id_, dx, dy) | {"live": True}))
            for _ in range(PICTURES):
                self.move(id_, dx, dy)
                await self.look()
            if await page:
                await self.say("last move", self.move(id_, dx, dy) | {"live": False})
        elif len(self.points) > FULL:
            id_ = self.random.choice(list(self.points))
            del self.points[id_]
            await self.say("click", {"op": "delete", "ids": [id_]})
        else:
            x, y = inside(self.random.uniform(-EDGE, EDGE)), inside(self.random.uniform(-EDGE, EDGE))
            id_, label = max(self.points) + 1, self.random.choice((1, -1))
            self.points[id_] = x, y, label
            await self.say("click", {"op": "add", "id": id_, "x": x, "y": y, "label": label})

    async def live(self, end: float) -> None:
        """Act until the end comes or the socket is closed."""
        await asyncio.sleep(self.random.uniform(0, self.period))
        with suppress(ConnectionClosed):  # the reader counts it
            while (start := time.perf_counter()) < end and not self.reader.done():
                await self.act()
                pause = start + self.period * self.random.uniform(0.5, 1.5) - time.perf_counter()
                await asyncio.sleep(max(0.0, min(pause, end - time.perf_counter())))


def points(board: dict[str, Any]) -> dict[int, tuple[float, float, int]]:
    return {id_: (x, y, label) for id_, x, y, label in board["points"]}


def inside(v: float) -> float:
    return round(max(-EDGE, min(EDGE, v)), 3)


def rss(pid: int) -> float:
    """Resident memory of a process in MB (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def row(kind: str, times: list[float], seconds: float) -> str:
    found = sorted(times) or [float("nan")]
    p50, p95 = (found[int(q * (len(found) - 1))] for q in (0.5, 0.95))
    return f"{kind:<12}{len(times):>8}{len(times) / seconds:>8.1f}{p50:>8.0f}{p95:>8.0f}{found[-1]:>8.0f}"


async def drive(port: int, pid: int, sessions: int, seconds: float, period: float, seed: int) -> None:
    """Open the sessions, let them live, print the table."""
    memory, load = {"server started": rss(pid)}, os.getloadavg()[0]
    tabs = [Tab(1000 * seed + k, period) for k in range(sessions)]
    await tabs[0].open(port)
    memory["first session open"] = rss(pid)
    start = time.perf_counter()
    await asyncio.gather(*(tab.open(port) for tab in tabs[1:]))
    opened = time.perf_counter() - start
    memory["all sessions open"] = rss(pid)
    received = sum(tab.received for tab in tabs)
    start, used, own = time.perf_counter(), cpu(pid), time.process_time()
    await asyncio.gather(*(tab.live(start + seconds) for tab in tabs))
    took = time.perf_counter() - start
    used, own = (cpu(pid) - used) / took, (time.process_time() - own) / took
    memory["at the end"] = rss(pid)
    for tab in tabs:
        tab.reader.cancel()
        await tab.socket.close()
        if tab.lane:
            await tab.lane.close()

    times = [t for tab in tabs for t in tab.times]
    errors = Counter(e for tab in tabs for e in tab.errors)
    kilobytes = (sum(tab.received for tab in tabs) - received) / 1000
    print(f"{sessions} sessions for {took:.0f} s, load average {load:.1f} before and {os.getloadavg()[0]:.1f} after")
    print(f"the other {sessions - 1} sessions opened at once in {opened:.1f} s")
    print(f"actions: {sum(tab.actions for tab in tabs)} of {sessions * seconds / period:.0f} planned\n")
    print(f"{'message':<12}{'n':>8}{'per s':>8}{'p50 ms':>8}{'p95 ms':>8}{'max ms':>8}")
    for kind in ("picture", "live move", "last move", "click", "all"):
        print(row(kind, [t for k, t in times if kind in (k, "all")], took))
    print(f"\nerrors: {errors.total()}" + "".join(f"\n  {n} x {e}" for e, n in errors.most_common()))
    print(f"CPU: server {100 * used:.0f} %, this script {100 * own:.0f} % of one core")
    print(f"sent by the server: {kilobytes / max(len(times), 1):.0f} kB an answer, {kilobytes / 1000 / took:.1f} MB/s")
    for name, mb in memory.items():
        each = (mb - memory["first session open"]) / max(sessions - 1, 1)
        print(f"memory, {name:<20}{mb:>6.0f} MB" + (f", {each:.2f} MB a session" if each > 0 else ""))


def main() -> None:
    parser = argparse.ArgumentParser(description="Load on one server process, without browsers.")
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--period", type=float, default=5, help="seconds between two actions of a session, on average")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    server = serve(port)
    try:
        asyncio.run(drive(port, server.pid, options.sessions, options.seconds, options.period, options.seed))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
