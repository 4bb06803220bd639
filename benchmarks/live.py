"""How the running app feels: click to repainted boundary, updates a second while dragging and scrubbing, server time
per update.

    python benchmarks/live.py [points] [kernel]

Last it drags with points shown that the machine has not seen: fresh ones of the preset, then folds of points that are
nobody's sample.

Starts its own server on a free loopback port and drives it with Chromium. Needs the extra dev and Chromium.
"""

import shutil
import statistics
import sys
import time
from dataclasses import replace

from playwright.sync_api import Page, sync_playwright
from server import ROOT, Server, cpu

sys.path.insert(0, str(ROOT))
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, with_preset

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FREE = "g.pt[data-cat=margin_free]"


def revision(page: Page) -> int:
    """Pictures painted so far: those that came with the page and those between."""
    board = page.locator(".svmlab-board")
    return int(board.get_attribute("data-rev") or 0) + int(board.get_attribute("data-frames") or 0)


def clicks(page: Page, n: int) -> list[float]:
    """Milliseconds from the click to the answer painted, measured inside the page."""
    box = page.locator(".svmlab-board svg.plane").first.bounding_box()
    assert box
    out = []
    for k in range(n):
        page.evaluate(
            """() => { const root = [...document.querySelectorAll('*')]
                .map(e => e.shadowRoot?.querySelector('.svmlab-board'))
                 .find(Boolean); window.__t = null;
               document.addEventListener('pointerup', () => { const start = performance.now(), rev = root.dataset.rev;
                 const wait = () => { if (root.dataset.rev !== rev && root.dataset.pending === '0')
                     requestAnimationFrame(() => { window.__t = performance.now() - start; });
                     else requestAnimationFrame(wait); };
                 wait(); }, {once: true, capture: true}); }"""
        )
        page.mouse.click(
            box["x"] + box["width"] * (0.08 + 0.011 * (k % 8)), box["y"] + box["height"] * (0.9 - 0.02 * (k // 8))
        )
        page.wait_for_function("window.__t !== null")
        out.append(page.evaluate("window.__t"))
    return out


def drag(page: Page, seconds: float, point: str = FREE) -> int:
    """Answers painted while one point is dragged in circles."""
    mark = page.locator(point).first.bounding_box()
    assert mark
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    before, end, k = revision(page), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        k += 1
        page.mouse.move(x + 30 * ((k * 7) % 11) / 11, y + 30 * ((k * 5) % 13) / 13)
        time.sleep(0.008)
    after = revision(page)
    page.mouse.up()
    return after - before


def scrub(page: Page, seconds: float) -> int:
    """Answers painted while the slider of C goes to and fro."""
    track = page.locator(".svmlab-board .sliders input").first.bounding_box()
    assert track
    y, before, end, k = track["y"] + track["height"] / 2, revision(page), time.monotonic() + seconds, 0
    page.mouse.move(track["x"] + 0.5 * track["width"], y)
    page.mouse.down()
    while time.monotonic() < end:
        k += 1
        page.mouse.move(track["x"] + track["width"] * (0.5 + 0.3 * ((k % 200) / 100 - 1)), y)
        time.sleep(0.008)
    after = revision(page)
    page.mouse.up()
    return after - before


def held_out(lab: Lab) -> list[tuple[str, Lab]]:
    """The board without unseen points, with fresh ones, and with each point by its fold: moved by a thousandth it is no
    sample.
    """
    own = tuple(p._replace(x=min(p.x + 1, 7999)) for p in lab.points)
    shown = replace(lab, unseen=True)
    return [("off", lab), ("fresh", shown), ("folds", replace(shown, points=own))]


def compare_unseen(page: Page, port: int, lab: Lab, pid: int, rounds: int = 3, seconds: float = 4.0) -> None:
    """Dragging with points shown that the machine has not seen and without, in turns, so that a busy minute falls on
    all of them.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for name, board in held_out(lab):
            page.goto(f"http://127.0.0.1:{port}/lab?s={share.encode(board)}")
            page.wait_for_selector(FREE)
            page.wait_for_timeout(1500)
            used = cpu(pid)
            answers = drag(page, seconds)
            found.setdefault(name, []).append((answers / seconds, 1000 * (cpu(pid) - used) / max(answers, 1)))
    plain = statistics.median(rate for rate, _each in found["off"])
    for name, measured in found.items():
        rate, each = (statistics.median(column) for column in zip(*measured, strict=True))
        print(
            f"dragging, unseen {name}: {rate:.1f} updates a second, {rate / plain:.2f} of without, {each:.1f} "
            f"ms of server time each"
        )


def main() -> None:
    m = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    kernel = sys.argv[2] if len(sys.argv) > 2 else "linear"
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    started = time.perf_counter()
    server = Server().start()
    try:
        with sync_playwright() as p:
            browser = p.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            lab = with_preset(replace(Lab(), kernel=kernel, size=min(m, 280)))
            page.goto(f"http://127.0.0.1:{server.port}/lab?s={share.encode(lab)}")
            page.wait_for_selector("g.pt")
            print(f"server start to first painted page: {time.perf_counter() - started:.1f} s")
            page.wait_for_timeout(1500)
            found = sorted(clicks(page, 24)[4:])
            print(
                f"m = {m}, {kernel}: click to repainted boundary p50 {statistics.median(found):.0f} ms, "
                f"p90 {found[int(0.9 * len(found))]:.0f} ms"
            )
            for name, act in (("dragging a point", drag), ("scrubbing C", scrub)):
                seconds, used = 4.0, cpu(server.pid)
                answers = act(page, seconds)
                used = cpu(server.pid) - used
                each = 1000 * used / max(answers, 1)
                print(f"{name}: {answers / seconds:.1f} updates a second, {each:.1f} ms of server time each")
                page.wait_for_timeout(500)
            compare_unseen(page, server.port, lab, server.pid)
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
