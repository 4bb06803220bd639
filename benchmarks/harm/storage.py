"""A disk that tears the machine code kept on it, cannot be written, or is full."""

import asyncio
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from server import HOST, ROOT, Server, rss
from tab import Tab
from websockets.asyncio.client import connect

from harm.crowd import Fault, Found, crowd, megabytes

NUMBERS = ("marks", "lines", "shade", "slack", "heard", "points")  # of an answer, what the solver says
FILE = {"op": "file", "name": "two.csv", "text": "x1,x2,y\n1,1,1\n-1,-1,-1\n"}


def _spoiled(change: Callable[[Path], object]) -> Callable[[Path], None]:
    def all_of(cache: Path) -> None:
        for path in cache.rglob("*.nbc"):
            change(path)

    return all_of


def _barred(cache: Path) -> None:
    """A file where the folder should be: nobody can write there, whoever they are."""
    shutil.rmtree(cache)
    cache.touch()


DAMAGE = {
    "whole": lambda cache: None,
    "cut short": _spoiled(lambda path: os.truncate(path, path.stat().st_size // 2)),
    "garbage": _spoiled(lambda path: path.write_bytes(os.urandom(path.stat().st_size))),
    "empty": _spoiled(lambda path: os.truncate(path, 0)),
    "not to be written": _barred,
}


async def _answers(port: int) -> list[dict[str, Any]]:
    """The numbers of some boards: the same edits by the same person."""
    tab, found = Tab(1), []
    await tab.open(port)
    for _ in range(6):
        await tab.say("click", tab.edit())
        found.append({name: tab.board[name] for name in NUMBERS})
    await tab.close()
    return found


def torn(folder: Path, _sessions: int) -> Found:
    whole, answers, lines, failed = folder / "cache", {}, 0, []
    environment = os.environ | {"NUMBA_CACHE_DIR": str(whole)}
    subprocess.run([sys.executable, "-m", "svmlab.warmup"], cwd=ROOT, env=environment, check=True, capture_output=True)
    for name, damage in DAMAGE.items():
        cache = folder / name
        shutil.copytree(whole, cache)
        damage(cache)
        with Server(folder / f"{name}.log", NUMBA_CACHE_DIR=str(cache)) as server:
            answers[name] = json.dumps(asyncio.run(_answers(server.port)))
            lines = max(lines, server.lines)
        if answers[name] != answers["whole"]:
            failed.append(f"other answers where it is {name}")
    return Found(len(DAMAGE), lines=f"{lines} at most", failed=tuple(failed))


@contextmanager
def _disk(folder: Path) -> Iterator[bool]:
    """A file system of 2 MB; whether it could be had."""
    folder.mkdir()
    mounted = (
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], capture_output=True).returncode == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)


def _fill(folder: Path) -> None:
    with (folder / "filled").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def _no_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


async def _without_disk(server: Server, sessions: int) -> Found:
    async with crowd(sessions, server.port) as people:
        memory = rss(server.pid)
        people.begin()
        await asyncio.sleep(10)
        lost = await people.rest()
        tab, failed = people.tabs[0], [lost] if lost else []
        tab.report(FILE)
        if not await tab.quiet(10) or len(tab.board["points"]) != 2 or not tab.board["message"]:
            failed.append("a file was not opened, or nothing was said of it")
        return Found(sessions, lost, (), megabytes(memory, rss(server.pid)), failed=tuple(failed))


def full(folder: Path, sessions: int) -> Found:
    disk = folder / "disk"
    with _disk(disk) as mounted:
        _fill(disk) if mounted else None
        places = {name: str(disk) for name in ("TMPDIR", "HOME", "NUMBA_CACHE_DIR")}
        with Server(folder / "log" if mounted else None, limit=None if mounted else _no_files, **places) as server:
            return asyncio.run(_without_disk(server, sessions))


async def _spoken(server: Server, sessions: int) -> Found:
    """Something that the log would have taken, and then people."""
    for _ in range(20):
        async with connect(f"ws://{HOST}:{server.port}/_stcore/stream") as socket:
            await socket.send(b"\xff" * 100)
            await socket.wait_closed()
    return await _without_disk(server, sessions)


def unlogged(folder: Path, sessions: int) -> Found:
    disk = folder / "disk"
    with _disk(disk) as mounted:
        if not mounted:
            return Found(0, remarks=("left out: nothing can be mounted",), verdict="left out")
        with Server(disk / "log") as server:
            _fill(disk)
            return asyncio.run(_spoken(server, sessions))


FAULTS = (
    Fault(
        "cache",
        "machine code on disk " + ", ".join(list(DAMAGE)[1:]),
        "the server starts and answers with the same numbers",
        torn,
        5,
    ),
    Fault(
        "disk",
        "no byte free for temporary files, the home and machine code, from the start",
        "the server starts, boards solve, a file opens with a message, nothing lost",
        full,
        10,
    ),
    Fault(
        "log",
        "the disk of the log fills up, and there is something to be said",
        "nothing lost, boards solve, a file opens with a message",
        unlogged,
        10,
    ),
)
