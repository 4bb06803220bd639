"""Two processes behind nginx below a base path, run as `deploy/` says: one of them killed or upgraded under load."""

import asyncio
import signal
import sys
import time
from pathlib import Path

from server import ROOT, rss
from tab import Tab

from harm.crowd import Fault, Found, crowd, late, megabytes

sys.path.append(str(ROOT))
from tests.deployed import NGINX, Process, Site

PAUSE, BACK, BASE = 0.1, 10.0, "svm"
NEW = 15.0  # seconds for a newcomer while one of two processes hangs


def _size(processes: list[Process]) -> float:
    return sum(rss(process.running.pid) for process in processes if process.running)


def _lines(processes: list[Process]) -> int:
    return sum(process.log.read_bytes().count(b"\n") for process in processes)


async def _fell(site: Site, sessions: int, how: signal.Signals, held: bool) -> Found:
    async with crowd(sessions, site.port, BASE) as people:
        people.begin()
        await asyncio.sleep(6)
        processes = list(site.processes.values())
        one, memory, lines = processes[0], _size(processes), _lines(processes)
        since = time.perf_counter()
        await asyncio.to_thread(one.end, how, held)
        await asyncio.sleep(PAUSE)
        one.start()
        await asyncio.to_thread(one.ready)
        up = time.perf_counter() - since
        await asyncio.sleep(max(0.0, 15 - up))
        lost = await people.rest()
        back = people.back(since)
        blank = await people.pictures()
        failed = (*([lost] if lost else []), *late(back, BACK), *([f"{blank} without pictures"] if blank else []))
        failed += () if back else ("nobody noticed",)
        sockets = [tab.front.opened_at - since for tab in people.tabs if tab.front.cut_at > since]
        remarks = (
            f"{len(back)} of {sessions} were cut, their sockets open after {max(sockets, default=0):.1f} s",
            f"the process answers again after {up:.1f} s",
        )
        said = f"{_lines(processes) - lines}"
        return Found(sessions, lost, back, megabytes(memory, _size(processes)), said, failed, remarks)


async def _hung(site: Site, sessions: int) -> Found:
    """One process is stopped. Newcomers are counted until its heartbeats are missed, and its visitors after that."""
    async with crowd(sessions, site.port, BASE) as people:
        people.begin()
        await asyncio.sleep(3)
        one = next(iter(site.processes.values()))
        assert one.running
        since = time.perf_counter()
        one.running.send_signal(signal.SIGSTOP)
        watching = asyncio.create_task(asyncio.to_thread(one.watch))
        newcomers, waits = [Tab(190 + k) for k in range(4)], []
        for newcomer in newcomers:
            began = time.perf_counter()
            try:
                await newcomer.open(site.port, BASE, wait=NEW)
                waits.append(time.perf_counter() - began)
            except TimeoutError:
                waits.append(999.0)
            await newcomer.close()
        await watching
        ended = time.perf_counter() - since
        await asyncio.to_thread(one.ready)
        await asyncio.sleep(10)
        lost = await people.rest()
        back = people.back(since)
        failed = (*([lost] if lost else []), *late(back, ended + 2 * BACK), *(() if back else ("nobody noticed",)))
        failed += (f"a newcomer waits longer than {NEW:g} s",) if max(waits) > NEW else ()
        remarks = (f"ended after {ended:.1f} s", f"newcomers after {', '.join(f'{wait:.1f}' for wait in waits)} s")
        return Found(sessions, lost, back, failed=failed, remarks=remarks)


def hung(folder: Path, sessions: int) -> Found:
    if NGINX is None:
        return Found(0, remarks=("left out: there is no nginx",), verdict="left out")
    site = Site(folder)
    try:
        return asyncio.run(_hung(site, sessions))
    finally:
        site.close()


def _do(folder: Path, sessions: int, how: signal.Signals, held: bool) -> Found:
    if NGINX is None:
        return Found(0, remarks=("left out: there is no nginx",), verdict="left out")
    site = Site(folder)
    try:
        return asyncio.run(_fell(site, sessions, how, held))
    finally:
        site.close()


def _fault(name: str, done: str, how: signal.Signals, held: bool) -> Fault:
    holds = f"no board and no edit lost; everybody back within {BACK:g} s, with pictures"
    return Fault(name, f"two processes behind nginx: {done}", holds, lambda folder, n: _do(folder, n, how, held), 120)


FAULTS = (
    _fault("proxy-kill", "kill -9 of one, its port held as systemd does", signal.SIGKILL, True),
    Fault(
        "proxy-hung",
        "two processes behind nginx: SIGSTOP of one, which is ended and started again when its heartbeats are missed",
        f"newcomers within {NEW:g} s meanwhile; no edit lost; its visitors back {2 * BACK:g} s after its end",
        hung,
        20,
    ),
    _fault("proxy-upgrade", "SIGTERM of one, its port held as systemd does", signal.SIGTERM, True),
)
# Only when it is named: it takes as long as the others, and deploy/ does not let it happen.
GONE = _fault("proxy-gone", "kill -9 of one, and its port is closed until it starts", signal.SIGKILL, False)
