"""How many people one server process carries: sessions that drag and click at once, without browsers.

    python benchmarks/load.py [--sessions 60] [--seconds 120] [--period 5] [--seed 0]

Starts its own server on a free loopback port. Each session is a `Tab`, which speaks Streamlit's protocol and sends what
the board in a browser would send, one message in flight. It acts once every --period seconds on average, later when the
action before is not finished: 60 % drags (a live move, ten pictures past the page at least 30 ms apart, the last move),
40 % clicks (add a point, or delete one when there are more than 66). The time of a message runs from sending it to the
arrival of a board that acknowledges it, that of a picture from the question to the answer. An error is an exception
shown on the page, no answer within 5 s (after 2 s it was repeated), a closed socket, or an answer whose points are not
the ones expected. Memory a session is what came on top of the first one, which makes the server import everything.
Linux only; needs the extra dev.
"""

import argparse
import asyncio
import os
import time
from collections import Counter

from server import Server, cpu, rss
from tab import Tab


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
    errors = Counter(e for tab in tabs for e in [*tab.errors, *tab.front.cuts * ["closed"]])
    for tab in tabs:
        await tab.close()

    times = [t for tab in tabs for t in tab.times]
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
    with Server() as server:
        asyncio.run(drive(server.port, server.pid, options.sessions, options.seconds, options.period, options.seed))


if __name__ == "__main__":
    main()
