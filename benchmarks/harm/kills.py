"""The only process killed or ended under everybody's edits, and started again."""

import asyncio
import time
from pathlib import Path

from server import Server, rss

from harm.crowd import Fault, Found, crowd, late, megabytes

PAUSE, BACK = 1.0, 20.0


async def _fell(server: Server, sessions: int, gently: bool) -> Found:
    async with crowd(sessions, server.port) as people:
        people.begin()
        await asyncio.sleep(3)
        before, lines = rss(server.pid), server.lines
        people.edit()
        await asyncio.sleep(0.02)
        since = time.perf_counter()
        took = await asyncio.to_thread(server.stop) if gently else 0.0
        server.kill()
        await asyncio.sleep(PAUSE)
        await asyncio.to_thread(server.start)
        up = time.perf_counter() - since
        await asyncio.sleep(8)
        lost = await people.rest()
        back = people.back(since)
        blank = await people.pictures()
        failed = (*([lost] if lost else []), *late(back, up + BACK), *([f"{blank} without pictures"] if blank else []))
        if len(back) < sessions:
            failed += (f"{sessions - len(back)} did not notice",)
        remarks = [f"the server answers again after {up:.1f} s"] + [f"it ended in {took:.1f} s"] * gently
        return Found(
            sessions, lost, back, megabytes(before, rss(server.pid)), f"{server.lines - lines}", failed, tuple(remarks)
        )


def killed(folder: Path, sessions: int) -> Found:
    with Server(folder / "log") as server:
        return asyncio.run(_fell(server, sessions, gently=False))


def ended(folder: Path, sessions: int) -> Found:
    with Server(folder / "log") as server:
        return asyncio.run(_fell(server, sessions, gently=True))


HOLDS = f"no edit lost; everybody back {BACK:g} s after the server"
FAULTS = (
    Fault("kill", f"kill -9 with an edit of everybody on its way, started again after {PAUSE:g} s", HOLDS, killed),
    Fault(
        "term", f"SIGTERM with an edit of everybody on its way, started again {PAUSE:g} s after its end", HOLDS, ended
    ),
)
