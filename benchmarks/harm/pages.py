"""Two real tabs of a browser, open while the server is killed, or upgraded to another version."""

import shutil
import time
from pathlib import Path

from server import HOST, ROOT, Server

from harm.crowd import Fault, Found, late

PAUSE, BACK, WAIT = 1.0, 20.0, 90_000
OUTAGE, READER = 40.0, 4.0  # seconds
BOARD, POINTS = ".svmlab-board", "g.pt"
NEWER = "main.js", "board.css"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SETTLED = """([n]) => { const all = [...document.querySelectorAll('*')]
    .map(e => e.shadowRoot?.querySelector('.svmlab-board'))
    .concat(document.querySelector('.svmlab-board')).filter(Boolean);
    return all.some(b => b.dataset.pending === '0' && b.querySelectorAll('g.pt').length === n); }"""

# When Streamlit has its socket again, and when the board has its answer.
WATCHED = """() => {
    const app = document.querySelector("[data-test-connection-state]");
    let lost = false;
    new MutationObserver(() => {
      const there = app.dataset.testConnectionState === "CONNECTED";
      if (there && lost) window.joined = performance.now();
      lost = !there;
    }).observe(app, {attributes: true});
    const look = () => {
      const board = document.querySelector(".svmlab-board")
        ?? [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".svmlab-board")).find(Boolean);
      if (window.joined && board?.dataset.pending === "0") window.settled = performance.now();
      else requestAnimationFrame(look);
    };
    look();
}"""


def _replaced(folder: Path, sessions: int, other: Path | None) -> Found:
    """`other`: the root of the version that takes over; without it the server is killed and comes back as it was."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        return Found(0, remarks=("left out: there is no Chromium",), verdict="left out")
    from playwright.sync_api import sync_playwright

    with Server(folder / "log") as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=path, args=FLAGS)
        tabs = [browser.new_context(viewport={"width": 1280, "height": 800}).new_page() for _ in range(sessions)]
        there = []
        for k, tab in enumerate(tabs):
            tab.set_default_timeout(WAIT)
            tab.goto(f"http://{HOST}:{server.port}/lab")
            tab.wait_for_selector(POINTS)
            tab.wait_for_timeout(1500)
            there.append(tab.locator(POINTS).count())
            for _ in range(k + 1):  # each has points of its own
                there[k] += _click(tab, there[k])
                tab.wait_for_function(SETTLED, arg=[there[k]])
        since = time.perf_counter()
        for k, tab in enumerate(tabs):
            there[k] += _click(tab, there[k])
        if other:
            server.stop()
            server.root = other
        server.kill()
        time.sleep(PAUSE)
        server.start()
        up = time.perf_counter() - since
        back, failed = [], []
        for k, tab in enumerate(tabs):
            try:
                tab.wait_for_function(SETTLED, arg=[there[k]])
                back.append(time.perf_counter() - since)
                there[k] += _click(tab, there[k])
                tab.wait_for_function(SETTLED, arg=[there[k]])
            except Exception as error:
                failed.append(
                    f"tab {k + 1}: {type(error).__name__}, {tab.locator(POINTS).count()} of {there[k]} points"
                )
        browser.close()
        lost = "; ".join(failed)
        failed += late(tuple(back), up + BACK)
        remarks = (f"the server answers again after {up:.1f} s",)
        return Found(sessions, lost, tuple(back), "", f"{server.lines}", tuple(failed), remarks)


def _read(folder: Path, sessions: int) -> Found:
    """Tabs that have only read until now, and edit while the server is away."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        return Found(0, remarks=("left out: there is no Chromium",), verdict="left out")
    from playwright.sync_api import sync_playwright

    with Server(folder / "log") as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=path, args=FLAGS)
        tabs = [browser.new_context(viewport={"width": 1280, "height": 800}).new_page() for _ in range(sessions)]
        there = []
        for tab in tabs:
            tab.set_default_timeout(WAIT)
            tab.goto(f"http://{HOST}:{server.port}/lab")
            tab.wait_for_selector(POINTS)
            tab.wait_for_timeout(1500)
            tab.evaluate(WATCHED)
            there.append(tab.locator(POINTS).count())
        server.kill()
        time.sleep(PAUSE)
        for k, tab in enumerate(tabs):
            there[k] += _click(tab, there[k])
        time.sleep(OUTAGE - PAUSE)
        server.start()
        back, failed = [], []
        for k, tab in enumerate(tabs):
            try:
                tab.wait_for_function(SETTLED, arg=[there[k]])
                tab.wait_for_function("() => window.settled")
                back.append(tab.evaluate("(window.settled - window.joined) / 1000"))
            except Exception as error:
                failed.append(f"tab {k + 1}: {type(error).__name__}, {tab.locator(POINTS).count()} points")
        browser.close()
        lost = "; ".join(failed)
        return Found(sessions, lost, tuple(back), failed=(*failed, *late(tuple(back), READER)))


def _click(tab: object, k: int) -> int:
    """One point more. A board of another version takes the place of the old one: there is none for a moment."""
    tab.wait_for_selector(POINTS)  # type: ignore[attr-defined]
    box = tab.locator(f"{BOARD} svg.plane").first.bounding_box()  # type: ignore[attr-defined]
    x, y = 0.08 + 0.03 * (k % 7), 0.92 - 0.03 * (k % 5)
    tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)  # type: ignore[attr-defined]
    return 1


def _upgraded(folder: Path, sessions: int) -> Found:
    other = folder / "newer"
    for name in ("svmlab", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, other / name)
    for name in ("app.py", "pyproject.toml"):
        shutil.copy(ROOT / name, other / name)
    for name in NEWER:
        with (other / "svmlab/lab/board/js" / name).open("a") as file:
            file.write("/* newer */\n")
    return _replaced(folder, sessions, other)


HOLDS = f"points there again, {BACK:g} s after the server at most, and one more can be placed"
FAULTS = (
    Fault(
        "tabs",
        "two tabs of Chromium, an edit on its way: kill -9",
        HOLDS,
        lambda folder, n: _replaced(folder, n, None),
        2,
    ),
    Fault(
        "reader",
        f"two tabs of Chromium that had only read: kill -9, away for {OUTAGE:g} s, an edit meanwhile",
        f"no edit lost; the board is answered {READER:g} s after the socket",
        _read,
        2,
    ),
    Fault("upgrade", "two tabs of Chromium of one version, another takes over the port", HOLDS, _upgraded, 2),
)
