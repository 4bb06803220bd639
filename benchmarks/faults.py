"""Every fault that a server, its disk and its network may have, done to servers of its own, and what people saw of it.

    python benchmarks/faults.py [name ...] [--sessions N] [--list]

Prints a table in markdown; ends with 1 if something that must hold did not. People are `Tab`s: websocket clients that
say what Streamlit's script and the board's would say in a browser, come back as these do, and know what their board
must show. Each of them edits once every five seconds, and where something is killed or cut has an edit on its way.
"Back" is the time to the first answer, median and longest of the sessions that noticed. Servers, relays and proxies
listen on free loopback ports. Linux only; needs the extra dev; nginx and Chromium for some, which are left out without.
"""

import argparse
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from harm import door, kills, many_tabs, network, pages, proxied, storage
from harm.crowd import Fault, Found, spread

MODULES = (kills, network, proxied, storage, door, many_tabs, pages)
BY_DEFAULT = tuple(fault.name for module in MODULES for fault in module.FAULTS)
FAULTS: dict[str, Fault] = {fault.name: fault for module in MODULES for fault in module.FAULTS}
FAULTS |= {fault.name: fault for fault in (network.LONG, proxied.GONE)}
HEAD = "| fault | what is done | sessions | lost | back, p50 / max | memory, MB | lines of log | must hold | verdict |"


def row(fault: Fault, found: Found) -> str:
    verdict = "; ".join(found.failed) or found.verdict
    cells = (fault.name, fault.done, str(found.sessions or "-"), found.lost or "nothing", spread(found.back))
    return "| " + " | ".join((*cells, found.memory or "-", found.lines or "-", fault.holds, verdict)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="What people see of faults.")
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(FAULTS))
    parser.add_argument("--sessions", type=int, help="people, in the place of each fault's own number")
    parser.add_argument("--list", action="store_true", help="say what there is")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in FAULTS]:
        parser.error(f"{unknown[0]} is none of {', '.join(FAULTS)}")
    if options.list:
        print("\n".join(f"{fault.name:<15}{fault.done}; must hold: {fault.holds}" for fault in FAULTS.values()))
        return
    rows, failed, began = [], 0, time.monotonic()
    for name in options.names or BY_DEFAULT:
        start = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                found = FAULTS[name].do(Path(folder), options.sessions or FAULTS[name].sessions)
        except Exception as error:
            traceback.print_exc()
            found = Found(0, failed=(f"could not be done: {error!r}",))
        rows.append(row(FAULTS[name], found))
        failed += bool(found.failed)
        print(f"{name}: {time.monotonic() - start:.0f} s", *found.remarks, *found.failed, sep="; ", file=sys.stderr)
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {time.monotonic() - began:.0f} s\n")
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", *rows, sep="\n")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
