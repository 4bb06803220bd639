"""People at work while something breaks, and what they found afterwards."""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from frontend import GONE
from server import HOST, Server, rss
from tab import Tab

PERIOD = 5.0  # seconds between two edits of one person
GRACE = 30.0  # seconds in which everything must have been said and answered


@dataclass(frozen=True)
class Found:
    """What a fault did; `failed` is what should have held and did not."""

    sessions: int
    lost: str = ""  # of edits and boards, empty for nothing
    back: tuple[float, ...] = ()  # seconds, one for each session that noticed
    memory: str = ""  # MB of the server
    lines: str = ""  # of the log
    failed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    verdict: str = "holds"  # where nothing failed


@dataclass(frozen=True)
class Fault:
    """A fault by its name: what is done, what must hold, and the function that does it, in a folder, to so many
    sessions.
    """

    name: str
    done: str
    holds: str
    do: Callable[[Path, int], Found]
    sessions: int = 30


@dataclass
class Crowd:
    """Tabs that edit once every PERIOD seconds, whether or not anybody answers."""

    tabs: list[Tab]
    _busy: list[asyncio.Task[None]] = field(default_factory=list)

    async def open(self, port: int, base: str = "") -> None:
        """Every tab, with three edits that were acknowledged."""
        for at in range(0, len(self.tabs), 10):
            await asyncio.gather(*(tab.open(port, base) for tab in self.tabs[at : at + 10]))
        for _ in range(2):
            await asyncio.gather(*(tab.say("click", tab.edit()) for tab in self.tabs))

    def edit(self) -> None:
        """Everybody does something now."""
        for tab in self.tabs:
            tab.report(tab.edit())

    def begin(self) -> None:
        """From now on everybody edits."""
        self._busy = [asyncio.create_task(self._edits(tab)) for tab in self.tabs]

    async def _edits(self, tab: Tab) -> None:
        await asyncio.sleep(tab.random.uniform(0, PERIOD))
        while True:
            tab.report(tab.edit())
            await asyncio.sleep(tab.random.uniform(0.5, 1.5) * PERIOD)

    async def rest(self) -> str:
        """Everybody stops; what is wrong once everything was said and answered."""
        for task in self._busy:
            task.cancel()
        silent = [not done for done in await asyncio.gather(*(tab.quiet(GRACE) for tab in self.tabs))]
        wrong = [tab.wrong() for tab in self.tabs if tab.wrong()]
        errors = [error for tab in self.tabs for error in tab.errors if error.startswith(("exception", "wrong"))]
        found = [f"{sum(silent)} without an answer"] if any(silent) else []
        found += [f"{len(wrong)} boards wrong ({wrong[0]})"] if wrong else []
        return "; ".join([*found, *errors[:1]])

    async def pictures(self) -> int:
        """How many tabs get no picture past the page."""

        async def none(tab: Tab) -> bool:
            try:
                async with asyncio.timeout(PERIOD):
                    await tab.look()
            except (*GONE, KeyError):
                return True
            return False

        return sum(await asyncio.gather(*map(none, self.tabs)))

    def back(self, since: float) -> tuple[float, ...]:
        """Seconds from `since` to the first answer after the last cut, of the tabs that were cut; 999 for none."""
        return tuple(found - since for tab in self.tabs if tab.front.cut_at > since for found in [first(tab)])

    def answers(self, since: float) -> tuple[float, ...]:
        """Seconds from `since` to the first answer after it, of all tabs."""
        return tuple(next((t for t in tab.heard if t > since), since + 999) - since for tab in self.tabs)

    async def close(self) -> None:
        """All tabs."""
        for task in self._busy:
            task.cancel()
        for tab in self.tabs:
            with suppress(Exception):
                await asyncio.wait_for(tab.close(), 2)


def first(tab: Tab) -> float:
    return next((t for t in tab.heard if t > tab.front.cut_at), tab.front.cut_at + 999)


@asynccontextmanager
async def crowd(n: int, port: int, base: str = "") -> AsyncIterator[Crowd]:
    """So many people, each with a board of their own."""
    made = Crowd([Tab(k) for k in range(n)])
    try:
        await made.open(port, base)
        yield made
    finally:
        await made.close()


def late(back: tuple[float, ...], most: float) -> tuple[str, ...]:
    """What failed, if somebody was away for longer than `most` seconds."""
    return (f"back after {max(back):.1f} s, not {most:g}",) if back and max(back) > most else ()


def spread(seconds: tuple[float, ...]) -> str:
    """Median and longest."""
    return f"{statistics.median(seconds):.1f} / {max(seconds):.1f} s" if seconds else "-"


def megabytes(before: float, after: float) -> str:
    """Of a server, before and after."""
    return f"{before:.0f} → {after:.0f}"


__all__ = [
    "GRACE",
    "HOST",
    "Crowd",
    "Fault",
    "Found",
    "Server",
    "Tab",
    "crowd",
    "late",
    "megabytes",
    "rss",
    "spread",
    "time",
]
