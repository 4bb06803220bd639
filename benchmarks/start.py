"""From starting the server to the first picture in a browser, beside Streamlit's own hello page.

    python benchmarks/start.py [--repeats 5] [--python PATH]

Each round starts three servers, one after the other, each on a free loopback port, and opens its first page in a
Chromium that is running already and has nothing of it in store: `streamlit hello` (painted: its title), svmlab with
nothing compiled (painted: the boundary on the board; and then, how long something is being prepared) and svmlab as it
was left by the second. All times run from the start of the server's process. --python: an interpreter with the app
alone, for scipy, which comes with scikit-learn, takes numba a while to import. Needs the extra dev and Chromium.
"""

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from live import FLAGS
from playwright.sync_api import Browser, sync_playwright
from server import ROOT

HELLO = "h1:has-text('Welcome to Streamlit')"
BOARD = ".svmlab-board[data-rev] .lines .zero[d]:not([d=''])"
PREPARING = ".sv-preparing"
OPTIONS = ("--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false")


def opened(browser: Browser, python: str, command: tuple[str, ...], painted: str, cache: Path) -> tuple[float, float]:
    """Seconds from the start of a server to `painted` on its first page, and until nothing is being prepared."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "NUMBA_CACHE_DIR": str(cache)}
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(120_000)
    start = time.perf_counter()
    server = subprocess.Popen(
        [python, "-m", "streamlit", *command, f"--server.port={port}", *OPTIONS],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while server.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.01)
        page.goto(f"http://127.0.0.1:{port}", wait_until="commit")
        page.wait_for_selector(painted, state="attached")
        page.evaluate("new Promise(requestAnimationFrame)")
        first = time.perf_counter() - start
        page.wait_for_selector(PREPARING, state="detached")
        return first, time.perf_counter() - start
    finally:
        page.context.close()
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="Cold and warm start beside Streamlit's hello page.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the servers")
    options = parser.parse_args()
    times: dict[str, list[float]] = {
        "`streamlit hello`: its title": [],
        "nothing compiled: the board": [],
        "nothing compiled: everything is": [],
        "compiled before: the board": [],
    }
    app, load = ("run", "app.py"), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = p.chromium.launch(executable_path=chromium, args=FLAGS)
        for k in range(options.repeats):
            cache = Path(folder) / str(k)
            hello, _ = opened(browser, options.python, ("hello",), HELLO, cache)
            cold, ready = opened(browser, options.python, app, BOARD, cache)
            warm, _ = opened(browser, options.python, app, BOARD, cache)
            for seconds, found in zip((hello, cold, ready, warm), times.values(), strict=True):
                found.append(seconds)
        browser.close()
    print(f"load average {load:.1f} before and {os.getloadavg()[0]:.1f} after\n")
    print("| | median | fastest .. slowest | over hello |\n|---|---|---|---|")
    least = statistics.median(next(iter(times.values())))
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"| {name} | {middle:.2f} s | {min(found):.2f} .. {max(found):.2f} s | {middle - least:.2f} s |")


if __name__ == "__main__":
    main()
