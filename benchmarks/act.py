"""What an act costs the server: processor time of its process for each, in turns with another checkout of svmlab.

    python benchmarks/act.py [--beside FOLDER] [--kernel linear] [--rounds 5] [--acts 60]

One tab on a board of 60 points, one act at a time, each kind by itself: a picture past the page, a move that the page
draws while the drag goes on, the end of a drag, a click. Medians over the rounds, and an act as in load.py: three drags
of ten pictures to two clicks. Linux only; needs requirements-dev.txt.
"""

import argparse
import asyncio
import statistics
from contextlib import ExitStack
from pathlib import Path

from server import ROOT, Server, cpu
from tab import PICTURES, Tab

PICTURE, LIVE, LAST, CLICK = KINDS = ("picture", "live move", "last move", "click")
PARTS = {PICTURE: 0.6 * PICTURES, LIVE: 0.6, LAST: 0.6, CLICK: 0.4}  # of an act
CALM = 0.2  # seconds in which what an act leaves behind comes to its end


async def do(tab: Tab, kind: str) -> None:
    """One act of a kind; only what a live move begins can be ended."""
    id_ = min(tab.points)
    if kind == PICTURE:
        tab.move(id_)
        await tab.look()
    elif kind == CLICK:
        await tab.say(kind, tab.click())
    else:
        await tab.say(LIVE, tab.move(id_, live=True))
        if kind == LAST:
            await tab.say(LAST, tab.move(id_))


async def measure(tabs: list[Tab], pids: list[int], rounds: int, acts: int) -> dict[str, list[list[float]]]:
    """Milliseconds of the processor for an act: by kind, for each server, in each round."""
    costs: dict[str, list[list[float]]] = {kind: [[] for _ in tabs] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            for tab, pid, found in zip(tabs, pids, costs[kind], strict=True):
                used = cpu(pid)
                for _act in range(acts):
                    await do(tab, kind)
                await asyncio.sleep(CALM)
                found.append(1000 * (cpu(pid) - used) / acts)
                if kind == LIVE:
                    await tab.say(LAST, tab.move(min(tab.points)))
    for live, last in zip(costs[LIVE], costs[LAST], strict=True):
        last[:] = [both - begun for begun, both in zip(live, last, strict=True)]
    return costs


async def run(servers: list[Server], kernel: str, rounds: int, acts: int) -> None:
    """Open a tab on each server, measure, print."""
    tabs = [Tab(seed=0) for _ in servers]
    for tab, server in zip(tabs, servers, strict=True):
        await tab.open(server.port)
        await tab.say(CLICK, {"op": "set", "values": {"kernel": kernel}})
    pids = [server.pid for server in servers]
    await measure(tabs, pids, 1, 20)
    found = {
        kind: list(map(statistics.median, each)) for kind, each in (await measure(tabs, pids, rounds, acts)).items()
    }
    found["an act"] = [sum(part * found[kind][i] for kind, part in PARTS.items()) for i in range(len(servers))]
    print("| " + " | ".join(["act", "this", *(["beside", "ratio"] if len(servers) > 1 else [])]) + " |")
    for kind, costs in found.items():
        ratio = [f"{costs[0] / costs[1]:.2f}"] if len(costs) > 1 else []
        print("| " + " | ".join([kind, *(f"{cost:.1f} ms" for cost in costs), *ratio]) + " |")
    for tab in tabs:
        print("\n".join(tab.errors), end="")
        await tab.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Processor time of an act.")
    parser.add_argument("--beside", type=Path, help="another checkout, measured in turns with this one")
    parser.add_argument("--kernel", default="linear")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--acts", type=int, default=60, help="of each kind in a round")
    options = parser.parse_args()
    with ExitStack() as stack:
        roots = [ROOT] if options.beside is None else [ROOT, options.beside]
        servers = [stack.enter_context(Server(root=root)) for root in roots]
        asyncio.run(run(servers, options.kernel, options.rounds, options.acts))


if __name__ == "__main__":
    main()
