"""What a server keeps of people who have left: sessions come, act and go, minute after minute.

    python benchmarks/churn.py [--minutes 10] [--rate 0.5] [--stay 60] [--period 5] [--seed 0]

Starts its own server on a free loopback port. --rate sessions a second arrive, each acts as in load.py for --stay
seconds and leaves in one of three ways, in turn: with a goodbye (the socket is closed as a browser closes it), without
one (the connection is reset), or silently (nothing is read any more, so the server finds out when its ping stays
unanswered). After the last one there are three minutes in which nobody comes. A line a minute: resident memory of the
server; sessions that are in the page, that Streamlit keeps for those who may come back, and that exist at all, shut
down or not; our own; threads; open files; processor time. Linux only; needs requirements-dev.txt.
"""

import argparse
import asyncio
import gc
import itertools
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from typing import Any

from live import ROOT, cpu
from load import Tab, rss

GOODBYE, RESET, SILENT = "goodbye", "reset", "silent"
LEAVING = itertools.cycle((GOODBYE, RESET, SILENT))
DEAF = 60.0  # seconds that a silent one keeps its connection
AFTER = 3  # minutes watched when the last one has gone
COLUMNS = ("in the page", "kept", "exist", "ours", "threads", "files")


def watched(port: int) -> None:
    """In a process of its own: the server, as `streamlit run` starts it, which counts when it is asked on its standard
    input.
    """
    threading.Thread(target=_answer, daemon=True).start()
    sys.argv = ["streamlit", "run", str(ROOT / "app.py"), f"--server.port={port}"]
    sys.path[0] = str(ROOT)
    runpy.run_module("streamlit", run_name="__main__")


def _answer() -> None:
    for _ in sys.stdin:
        print(json.dumps(_counts()), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)  # who watched is no more


def _counts() -> dict[str, int]:
    from streamlit.runtime import get_instance
    from streamlit.runtime.app_session import AppSession

    from svmlab.lab.session.tab import SESSIONS

    manager = get_instance()._session_mgr
    active = manager.num_active_sessions()
    every = sum(type(thing) is AppSession for thing in gc.get_objects())
    files = len(os.listdir("/proc/self/fd"))
    numbers = (active, len(manager.list_sessions()) - active, every, len(SESSIONS), threading.active_count(), files)
    return dict(zip(COLUMNS, numbers, strict=True))


def serve(port: int) -> subprocess.Popen[str]:
    """Start the watched server and wait for it."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", str(port)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        text=True,
    )
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return server
        time.sleep(0.1)
    server.kill()
    raise SystemExit("the server did not start")


def count(server: subprocess.Popen[str]) -> dict[str, int]:
    """The server's numbers now; what it prints beside them is passed over."""
    assert server.stdin
    assert server.stdout
    server.stdin.write("\n")
    server.stdin.flush()
    return next(json.loads(line) for line in server.stdout if line.startswith("{"))


async def visit(port: int, seed: int, stay: float, period: float, leaving: str, errors: Counter[str]) -> None:
    """Somebody comes, acts and leaves."""
    tab = Tab(seed, period)
    try:
        await tab.open(port)
        await tab.live(time.perf_counter() + stay)
        errors.update(tab.errors)
    except (OSError, TimeoutError) as error:
        errors[f"{type(error).__name__} on opening"] += 1
        return
    if leaving != GOODBYE:
        await asyncio.gather(*(break_off(connection, leaving) for connection in tab.connections))
    await tab.close()


async def break_off(connection: Any, leaving: str) -> None:
    """End a connection without a goodbye: at once, or after some time in which nothing is read."""
    if leaving == SILENT:
        connection.transport.pause_reading()
        await asyncio.sleep(DEAF)
    connection.transport.abort()


async def churn(server: subprocess.Popen[str], port: int, options: argparse.Namespace) -> None:
    """Let them come and go; a line a minute."""
    errors: Counter[str] = Counter()
    visits: set[asyncio.Task[None]] = set()
    print(
        f"{'minute':>6}{'MB':>7}" + "".join(f"{name:>13}" for name in COLUMNS) + f"{'core':>8}{'came':>7}{'errors':>8}"
    )
    begun, used, came = time.perf_counter(), cpu(server.pid), 0
    for minute in range(1, options.minutes + AFTER + 1):
        while (now := time.perf_counter() - begun) < 60 * minute:
            if minute <= options.minutes and now >= came / options.rate:
                came += 1
                who = visit(port, 1000 * options.seed + came, options.stay, options.period, next(LEAVING), errors)
                visits.add(task := asyncio.create_task(who))
                task.add_done_callback(visits.discard)
            await asyncio.sleep(0.05)
        found = await asyncio.to_thread(count, server)
        used, spent = cpu(server.pid), cpu(server.pid) - used
        row = "".join(f"{found[name]:>13}" for name in COLUMNS)
        print(
            f"{minute:>6}{rss(server.pid):>7.0f}{row}{100 * spent / 60:>6.0f} %{came:>7}{errors.total():>8}", flush=True
        )
    print("".join(f"{n} x {error}\n" for error, n in errors.most_common()), end="")


def main() -> None:
    parser = argparse.ArgumentParser(description="Sessions that come, act and leave.")
    parser.add_argument("--minutes", type=int, default=10, help="while somebody comes")
    parser.add_argument("--rate", type=float, default=0.5, help="sessions that arrive in a second")
    parser.add_argument("--stay", type=float, default=60, help="seconds that a session acts")
    parser.add_argument("--period", type=float, default=5, help="seconds between two actions of a session, on average")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        watched(options.serve)
        return
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    server = serve(port)
    try:
        asyncio.run(churn(server, port, options))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
