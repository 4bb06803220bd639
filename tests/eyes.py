"""Eyes and hands for the board in a real browser: what is drawn, and what people do with mouse, keys and controls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import initial_history

PAIR = f"/lab?s={share.encode(Lab(points=(Point(1, 1000, 1000, 1), Point(2, -1000, -1000, -1))))}"
WAIT = 60  # seconds until something that must happen counts as not happening, on a busy machine too
CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"


class Dot(NamedTuple):
    """A point as the page shows it."""

    id: int
    label: int
    x: float
    y: float
    cat: str


READ_DOTS = """root => [...root.querySelectorAll("g.pt")].map(g => [
  Number(g.dataset.id), Number(g.dataset.label), Number(g.dataset.x), Number(g.dataset.y), g.dataset.cat])"""

# Streamlit says that a script runs when it begins, and not already when the page has asked for it. Until the server has
# answered anything, or for five seconds, as a server that hangs answers nothing, the page has something under way.
NOTE_REQUESTS = """
window.WebSocket = class extends WebSocket {
  constructor(url, ...more) {
    super(url, ...more);
    this.isStreamlits = String(url).includes("_stcore/stream");
    const answered = () => { if (this.isStreamlits) window.askedAt = null; };
    for (const type of ["message", "close"]) this.addEventListener(type, answered);
  }
  send(data) {
    if (this.isStreamlits) window.askedAt = performance.now();
    super.send(data);
  }
};
"""
IDLE = """(() => {
  const state = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
  return state === "notRunning" && !(window.askedAt && performance.now() < window.askedAt + 5000);
})"""

# While something is under way, a look is taken every PAUSE milliseconds and not in each frame: a page that is asked for
# frames draws them, also where nothing has changed. With looks in each frame these tests took a sixth more of the
# processor.
PAUSE = 30

# Nothing under way in the board or in Streamlit, and for some frames neither an answer nor a change of size or place.
AT_REST = f"""(root, frames) => new Promise(done => {{
  const idle = {IDLE};
  let seen = null, times = 0;
  const look = () => {{
    const rest = root.isConnected && root.dataset.pending === "0" && idle();
    const box = root.getBoundingClientRect(), now = [root.dataset.rev, box.top, box.width, box.height].join();
    times = rest && now === seen ? times + 1 : 0;
    seen = now;
    if (times >= frames || !root.isConnected) done(root.isConnected);
    else if (rest) requestAnimationFrame(look); else setTimeout(look, {PAUSE});
  }};
  look();
}})"""
# No progress of work for some frames of a page at rest; not asked for longer than ten seconds at a time.
WORK_ENDED = f"""() => new Promise(done => {{
  const idle = {IDLE};
  const end = performance.now() + 10000;
  let times = 0;
  const look = () => {{
    times = idle() && !document.querySelector(".sv-work") ? times + 1 : 0;
    if (times >= 12 || performance.now() > end) done(times >= 12);
    else if (times) requestAnimationFrame(look); else setTimeout(look, {PAUSE});
  }};
  look();
}})"""
SET_BACK = """(root, share) => {
  const s = root.board, seq = s.data.ack + 1;
  s.note = s.dismissed = null;
  document.activeElement?.blur();
  document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
  s.set("event", {boot: s.data.boot, seq, ops: [{op: "restore", share}]});
  return seq;
}"""
STYLED = "() => [...document.querySelectorAll('style')].some(s => s.textContent.includes('.sv-figures'))"


class Board:
    """Eyes and hands for the board on a page: everything in data coordinates, no waiting but for conditions."""

    def __init__(self, page: Any, base: str) -> None:
        self.page, self.base = page, base
        self.fresh = False  # whether the page is loaded and only to be set back
        self.root = page.locator(".svmlab-board")
        self.plane = self.root.locator("svg.plane")
        self.message = self.root.locator(".message:not([hidden]) span")
        self.empty = self.root.locator(".card.empty")

    # what is there

    def open(self, where: str = "/lab") -> Board:
        """Load the page. A shared page is not loaded again: its first board comes back as a link would bring it."""
        if self.fresh and where == urlsplit(self.page.url).path == "/lab":
            self.page.mouse.move(1, 1)
            seq = self.settle().root.evaluate(SET_BACK, share.encode(initial_history().present))
            self.until(lambda: self.root.evaluate("root => root.board.data.ack") >= seq, "the first board")
            return self.settle()
        self.page.goto(self.base + where)
        return self.loaded()

    def loaded(self) -> Board:
        """Wait for the first board of a page and for the style sheets that come after it."""
        self.root.and_(self.page.locator("[data-rev]")).wait_for(state="attached")
        self.page.wait_for_function(STYLED)
        return self.settle(frames=12)

    def settle(self, frames: int = 3) -> Board:
        """Wait until neither the board nor the server has a message under way."""
        end = time.monotonic() + WAIT
        while True:
            self.root.and_(self.page.locator("[data-rev]")).wait_for(state="attached")
            if self.root.evaluate(AT_REST, frames):
                return self
            assert time.monotonic() < end, "the board was replaced over and over"

    def until_work_ends(self) -> None:
        """Wait until no long work is shown on a page at rest, as one piece of work can begin where another ends."""
        self.until(lambda: self.page.evaluate(WORK_ENDED), "the end of the work")

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait for the server's answer to what is done in the block, then for rest."""
        before = self._revs()
        yield
        self.until(lambda: self._revs() != before, "an answer of the server")
        self.settle()

    def until(self, condition: Callable[[], Any], what: str) -> None:
        """Ask again, a little later, until `condition` holds."""
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.page.wait_for_timeout(PAUSE)

    def _revs(self) -> list[str]:
        """Of all boards in the page: for a moment there are two, that of the page before and that of the new one."""
        return self.root.evaluate_all("roots => roots.map(root => root.dataset.rev)")

    @property
    def rev(self) -> str:
        return str(self.data("rev"))

    @property
    def dots(self) -> dict[int, Dot]:
        return {row[0]: Dot(*row) for row in self.root.evaluate(READ_DOTS)}

    @property
    def places(self) -> list[tuple[int, float, float]]:
        """Label and coordinates of every point in their order, whatever the ids."""
        return [(d.label, d.x, d.y) for d in self.dots.values()]

    @property
    def figures(self) -> dict[str, str]:
        """The key figures by name; none where the row is quiet."""
        cells = self.page.locator(".sv-figure")
        return dict(cells.evaluate_all("all => all.map(c => [c.dataset.figure, c.querySelector('b').textContent])"))

    @property
    def exact(self) -> dict[str, str]:
        """The last word of each figure's hover: the value in full."""
        cells = self.page.locator(".sv-figure")
        return dict(cells.evaluate_all("all => all.map(c => [c.dataset.figure, c.title.split(' ').at(-1)])"))

    @property
    def legend(self) -> dict[str, int]:
        read = "all => all.map(b => [b.dataset.group, Number(b.querySelector('.n').textContent)])"
        return dict(self.root.locator(".legend [data-group]").evaluate_all(read))

    @property
    def lines(self) -> dict[str, str]:
        """The drawn paths of boundary and margins."""
        paths = {"zero": ".lines .zero", "plus": ".lines .margin.plus", "minus": ".lines .margin.minus"}
        return {name: self.root.locator(path).get_attribute("d") or "" for name, path in paths.items()}

    @property
    def link(self) -> str | None:
        """The state in the address bar."""
        return parse_qs(urlsplit(self.page.url).query).get("s", [None])[0]

    def data(self, name: str) -> str | None:
        return self.root.get_attribute(f"data-{name}")

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place on the screen of a place in the plane."""
        left, top, width, height, view = self.root.evaluate(
            """root => { const b = root.querySelector("svg.plane").getBoundingClientRect();
            return [b.left, b.top, b.width, b.height, root.board.m.view]; }"""
        )
        return left + (x + view) / (2 * view) * width, top + (view - y) / (2 * view) * height

    # what one does

    def click(self, x: float, y: float, **how: Any) -> Board:
        self.page.mouse.click(*self.at(x, y), **how)
        return self.settle()

    def button(self, act: str) -> Any:
        return self.root.locator(f"button[data-act={act}]")

    def press(self, *keys: str) -> Board:
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()
        return self

    def act(self, act: str) -> Board:
        self.button(act).click()
        return self.settle()

    def grab(self, x: float, y: float) -> Board:
        self.page.mouse.move(*self.at(x, y))
        self.page.mouse.down()
        return self

    def pull(self, x: float, y: float, steps: int = 6) -> Board:
        self.page.mouse.move(*self.at(x, y), steps=steps)
        return self

    def drop(self) -> Board:
        self.page.mouse.up()
        return self.settle()

    # the controls beside the board

    def widget(self, key: str) -> Any:
        return self.page.locator(f".st-key-{key}")

    def choose(self, key: str, option: str) -> Board:
        """Choose an option of a select box."""
        with self.answered():
            self.widget(key).get_by_role("combobox").click()
            self.page.get_by_role("option", name=option, exact=True).click()
        return self

    def switch(self, key: str) -> Board:
        """Turn a toggle."""
        with self.answered():
            self.widget(key).locator("label").first.click()
        return self

    def type(self, key: str, value: str) -> Board:
        """Type a number and leave the field."""
        with self.answered():
            field = self.widget(key).locator("input")
            field.fill(value)
            field.press("Enter")
        return self


def restarted(server: Any, board: Board, meet: Callable[[], Any] = lambda: None) -> None:
    """The server killed and started again, and a new session that has answered on the page that is open.

    meet: what makes the page speak; Streamlit does so by itself if the last thing it ran was a part of the page.
    """
    boot = board.root.evaluate("root => root.board.boot")
    server.kill()
    server.start()
    board.page.locator(CONNECTED).wait_for()
    meet()
    board.until(
        lambda: board.root.count() == 1 and board.root.evaluate("r => r.board?.boot") not in (None, boot),
        "a new session",
    )
    board.settle(frames=12)
