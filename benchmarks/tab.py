"""A tab of a browser with a person before it, without the browser: what is done, what is expected, what was measured.

The tab knows what its board must show, and uses places that no other tab uses: `wrong` says how many points were lost,
how many are too many, and how many are another's. Places count and not numbers, as a new session numbers the points
anew.
"""

import asyncio
import json
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from frontend import GONE, Frontend
from script import Op, Row, Script, points, rows
from websockets.asyncio.client import ClientConnection

DRAGS, MOVES, PICTURES, FULL = 0.6, 0.4, 10, 66
PAUSE, BUSY, PATIENCE = 0.03, 0.1, 5.0
EDGE = 3600  # thousandths: points stay inside the first view
TABS = 200  # tabs that have places of their own: x in thousandths is the tab's number, modulo this


class Tab(Script):
    """One tab of a browser, to be opened, used and closed."""

    def __init__(self, seed: int, period: float = 5) -> None:
        super().__init__()
        self.period, self.own, self.random = period, seed % TABS, random.Random(seed)
        self.times: list[tuple[str, float]] = []
        self.actions = 0
        self.points: dict[int, Row] = {}  # as the person expects them, under the numbers that the board shows
        self.preset: set[tuple[float, float]] = set()
        self._drag_socket: ClientConnection | None = None
        self._drag_socket_boot = ""

    @property
    def received(self) -> int:
        """Bytes of the page, without the pictures past it."""
        return self.front.received

    async def open(
        self,
        port: int,
        base: str = "",
        page: str = "lab",
        address: str = "",
        wait: float = 120,
        cookies: dict[str, str] | None = None,
    ) -> None:
        """Load the page and wait for the board; `cookies` are those of the browser, if it has other tabs.

        Raises TimeoutError.
        """
        self.front = Frontend(port, self.hear, self.own, base, page)
        self.front.cookies = {} if cookies is None else cookies
        self.front.address = address
        self.front.start()
        await asyncio.wait_for(self.quiet_now.wait(), wait)
        self.points = points(self.board)
        self.preset = {(x, y) for x, y, _ in self.points.values()}

    @property
    def connections(self) -> list[ClientConnection]:
        """The open sockets: of the page, and of the pictures past it."""
        return [each for each in (self.front.connection, self._drag_socket) if each is not None]

    async def close(self) -> None:
        """The tab is closed."""
        self.stop()
        await self.front.close()
        await self._leave()

    async def quiet(self, patience: float) -> bool:
        """Wait until everything was said and answered; whether that came."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.quiet_now.wait(), patience)
        return self.quiet_now.is_set()

    def settled(self) -> None:
        """The points may have new numbers."""
        if self.points and not self.wrong():
            self.points = points(self.board)

    def wrong(self) -> str:
        """What is wrong with the board that the server has, empty if nothing."""
        there, due = Counter(points(self.board).values()), Counter(self.points.values())
        more = there - due
        foreign = sum(n for (x, y, _), n in more.items() if (x, y) not in self.preset and not self._mine(x))
        found = {"lost": (due - there).total(), "too many": more.total() - foreign, "another's": foreign}
        return ", ".join(f"{n} {what}" for what, n in found.items() if n)

    async def say(self, kind: str, op: Op) -> bool:
        """One thing done and its answer; whether the answer came in time."""
        sent = time.perf_counter()
        self.report(op)
        if not await self.quiet(PATIENCE):
            self.errors.append("unanswered")
            return False
        self.times.append((kind, 1000 * (self.answered - sent)))
        if kind != "live move" and (wrong := self.wrong()):
            self.errors.append(f"wrong points: {wrong}")
            self.points = points(self.board)
        return True

    async def look(self) -> None:
        """One picture past the page, on a socket of this session. Raises one of GONE."""
        if self._drag_socket is None or self._drag_socket_boot != self.board["boot"]:
            await self._leave()
            self._drag_socket, self._drag_socket_boot = (
                await self.front.socket(self.board["socket"]),
                self.board["boot"],
            )
        there = rows(self.points)
        ops: list[Any] = [{"op": "points", "points": there}, {"op": "view", "half": self.board["view"]}]
        asked = time.perf_counter()
        await self._drag_socket.send(json.dumps({"share": self.board["share"], "ops": ops}))
        picture = await asyncio.wait_for(self._drag_socket.recv(), PATIENCE)
        took = time.perf_counter() - asked
        self.front.received += len(picture)
        self.times.append(("picture", 1000 * took))
        if len(json.loads(picture)["marks"]["cat"]) != len(there):
            self.errors.append("wrong picture")
        await asyncio.sleep(max(0.0, (took if took > BUSY else PAUSE - took)))

    async def _leave(self) -> None:
        if self._drag_socket:
            await self._drag_socket.close()
            self._drag_socket = None

    async def act(self) -> None:
        """One drag or one click, up to its answer."""
        self.actions += 1
        if self.points and self.random.random() < DRAGS:
            id_ = self.random.choice(list(self.points))
            page = asyncio.create_task(self.say("live move", self.move(id_, live=True)))
            try:
                for _ in range(PICTURES):
                    self.move(id_)
                    await self.look()
            except GONE:
                self.errors.append("no picture")
            if await page:
                await self.say("last move", self.move(id_))
        else:
            await self.say("click", self.click())

    async def live(self, end: float) -> None:
        """Act until the end comes."""
        await asyncio.sleep(self.random.uniform(0, self.period))
        while (start := time.perf_counter()) < end:
            await self.act()
            pause = start + self.period * self.random.uniform(0.5, 1.5) - time.perf_counter()
            await asyncio.sleep(max(0.0, min(pause, end - time.perf_counter())))

    def edit(self) -> Op:
        """A point is moved, added or deleted."""
        if self.points and self.random.random() < MOVES:
            return self.move(self.random.choice(list(self.points)))
        return self.click()

    def move(self, id_: int, live: bool = False) -> Op:
        """A point is moved a little."""
        x, y, label = self.points[id_]
        x, y = self._place(x + self.random.uniform(-0.1, 0.1), y + self.random.uniform(-0.1, 0.1))
        self.points[id_] = x, y, label
        return {"op": "move", "id": id_, "x": x, "y": y, "live": live}

    def undo(self, points: dict[int, Row]) -> Op:
        """The last edit is taken back: `points` are those from before it."""
        self.points = dict(points)
        return {"op": "undo"}

    def click(self) -> Op:
        """A point is added, or one deleted where there are many."""
        if len(self.points) > FULL:
            id_ = self.random.choice(list(self.points))
            del self.points[id_]
            return {"op": "delete", "ids": [id_]}
        x, y = self._place(self.random.uniform(-3.6, 3.6), self.random.uniform(-3.6, 3.6))
        id_, label = max(self.points, default=0) + 1, self.random.choice((1, -1))
        self.points[id_] = x, y, label
        return {"op": "add", "id": id_, "x": x, "y": y, "label": label}

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """The next place that is this tab's alone."""
        right, up = (max(-EDGE, min(EDGE, round(1000 * v))) for v in (x, y))
        right += (self.own - right + TABS // 2) % TABS - TABS // 2
        return (right if abs(right) <= EDGE else right - TABS * (1 if right > 0 else -1)) / 1000, up / 1000

    def _mine(self, x: float) -> bool:
        return round(1000 * x) % TABS == self.own
