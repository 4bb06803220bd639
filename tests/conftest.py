"""Shared by all tests: quiet threads, a reproducible hypothesis, a running app, a browser, and eyes and hands for the board."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
sys.path[:0] = [] if str(ROOT) in sys.path else [str(ROOT)]

from svmlab.ui import share  # noqa: E402
from svmlab.ui.live import PATH  # noqa: E402
from svmlab.ui.prepare import rehearse  # noqa: E402
from svmlab.ui.state import begin  # noqa: E402

settings.register_profile("svmlab", derandomize=True, deadline=None)
settings.load_profile("svmlab")

HOST = "127.0.0.1"
WAIT = 30  # seconds until something that must happen counts as not happening
PROBE = re.compile(r"/[a-z]+/_stcore/[a-z-]+$")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
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


@pytest.fixture(scope="session", autouse=True)
def _rehearsed() -> None:
    """The compiler has done its work before any test's own time limit begins."""
    rehearse()


# ---------------------------------------------------------------- the app


class Server:
    """The app in a process of its own; it can be killed and started again on the same port."""

    def __init__(self, log: Path, base: str = "") -> None:
        self.log = log
        self.base = base  # the path below which everything is served
        self.process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}{self.base}"

    @property
    def live(self) -> str:
        """The socket for the pictures of a drag."""
        return f"{self.url.replace('http', 'ws')}/{PATH}"

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        command += ["--server.baseUrlPath", self.base] if self.base else []
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        end = time.monotonic() + WAIT
        while not self.healthy():
            if self.process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"the app did not start:\n{self.log.read_text(errors='replace')}")
            time.sleep(0.05)

    def healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """As with kill -9: nothing is said and nothing is saved."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One running app for all tests that do not kill it."""
    server = Server(tmp_path_factory.mktemp("app") / "log.txt")
    yield server
    server.kill()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A maker of servers that a test may kill and start again."""
    made: list[Server] = []

    def make(base: str = "") -> Server:
        made.append(Server(tmp_path / f"server{len(made)}.txt", base))
        return made[-1]

    yield make
    for server in made:
        server.kill()


# ---------------------------------------------------------------- the browser


def _missing(reason: str) -> None:
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(f"{reason}, and on CI the browser tests must run")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium of the machine, driven by Playwright."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        _missing("no Chromium is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("Playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def _watch(page: Any, complaints: list[str], offline: bool = False) -> None:
    """Write down errors and requests to other hosts; `offline` forgives what is logged about a server that is gone."""

    def console(message: Any) -> None:
        # A page under /guide first looks for Streamlit under /guide/_stcore, and then where it is.
        forgiven = message.text.startswith("Failed to load") and bool(PROBE.search(message.location["url"]))
        gone = ("ERR_CONNECTION", "WebSocket", "disconnected from server")
        forgiven |= offline and any(words in message.text for words in gone)
        if message.type == "error" and not forgiven:
            complaints.append(f"console: {message.text}")

    def request(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != HOST:
            complaints.append(f"request to another host: {url}")

    page.on("console", console)
    page.on("pageerror", lambda error: complaints.append(f"page: {error}"))
    page.on("request", lambda asked: request(asked.url))
    page.on("websocket", lambda opened: request(opened.url))


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """A maker of pages, each in a context of its own; errors and requests to other hosts fail the test when it ends."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def make(width: int = 1280, height: int = 800, offline: bool = False, **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * WAIT)
        _watch(page, complaints, offline)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """A new page of 1280 x 800."""
    return new_page()


# ---------------------------------------------------------------- the board


class Dot(NamedTuple):
    """A point as the page shows it."""

    id: int
    label: int
    x: float
    y: float
    cat: str


READ_DOTS = """root => [...root.querySelectorAll("g.pt")].map(g => [
  Number(g.dataset.id), Number(g.dataset.label), Number(g.dataset.x), Number(g.dataset.y), g.dataset.cat])"""

# Nothing under way in the board or in Streamlit, and for some frames neither an answer nor a change of size or place.
AT_REST = """(root, frames) => new Promise(done => {
  const app = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
  let seen = null, times = 0;
  const look = () => {
    const rest = root.isConnected && root.dataset.pending === "0" && app() === "notRunning";
    const box = root.getBoundingClientRect(), now = [root.dataset.rev, box.top, box.width, box.height].join();
    times = rest && now === seen ? times + 1 : 0;
    seen = now;
    if (times >= frames || !root.isConnected) done(root.isConnected); else requestAnimationFrame(look);
  };
  look();
})"""
SET_BACK = """(root, share) => { const s = root.board; s.note = s.dismissed = null; document.activeElement?.blur();
  s.set("event", {boot: s.data.boot, seq: s.data.ack + 1, ops: [{op: "restore", share}]}); }"""
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

    def open(self, where: str = "/") -> "Board":
        """Load the page; on a shared page the first board comes back through the door for links."""
        if self.fresh and where == urlsplit(self.page.url).path == "/":
            self.page.mouse.move(1, 1)
            with self.answered():
                self.root.evaluate(SET_BACK, share.encode(begin().present))
            return self
        self.page.goto(self.base + where)
        return self.loaded()

    def loaded(self) -> "Board":
        """Wait for the first board of a page and for the style sheets that come after it."""
        self.root.and_(self.page.locator("[data-rev]")).wait_for(state="attached")
        self.page.wait_for_function(STYLED)
        return self.settle(frames=12)

    def settle(self, frames: int = 3) -> "Board":
        """Wait until board and server have nothing left to say."""
        end = time.monotonic() + WAIT
        while True:
            self.root.and_(self.page.locator("[data-rev]")).wait_for(state="attached")
            if self.root.evaluate(AT_REST, frames):
                return self
            assert time.monotonic() < end, "the board was replaced over and over"

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait for the server's answer to what is done in the block, then for rest."""
        before = self.rev
        yield
        self.until(lambda: self.rev != before, "an answer of the server")
        self.settle()

    def until(self, condition: Callable[[], Any], what: str) -> None:
        """Ask again, a frame later, until `condition` holds."""
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.page.evaluate("new Promise(requestAnimationFrame)")

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

    def click(self, x: float, y: float, **how: Any) -> "Board":
        self.page.mouse.click(*self.at(x, y), **how)
        return self.settle()

    def button(self, act: str) -> Any:
        return self.root.locator(f"button[data-act={act}]")

    def press(self, *keys: str) -> "Board":
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()
        return self

    def act(self, act: str) -> "Board":
        self.button(act).click()
        return self.settle()

    def grab(self, x: float, y: float) -> "Board":
        self.page.mouse.move(*self.at(x, y))
        self.page.mouse.down()
        return self

    def pull(self, x: float, y: float, steps: int = 6) -> "Board":
        self.page.mouse.move(*self.at(x, y), steps=steps)
        return self

    def drop(self) -> "Board":
        self.page.mouse.up()
        return self.settle()

    # the controls beside the board

    def widget(self, key: str) -> Any:
        return self.page.locator(f".st-key-{key}")

    def choose(self, key: str, option: str) -> "Board":
        """Choose an option of a select box."""
        with self.answered():
            self.widget(key).get_by_role("combobox").click()
            self.page.get_by_role("option", name=option, exact=True).click()
        return self

    def switch(self, key: str) -> "Board":
        """Turn a toggle."""
        with self.answered():
            self.widget(key).locator("label").first.click()
        return self

    def type(self, key: str, value: str) -> "Board":
        """Type a number and leave the field."""
        with self.answered():
            field = self.widget(key).locator("input")
            field.fill(value)
            field.press("Enter")
        return self


@pytest.fixture
def new_board(app: Server, new_page: Callable[..., Any]) -> Callable[..., Board]:
    """A maker of boards, each on a page of its own, not yet opened."""

    def make(width: int = 1280, height: int = 800, base: str | None = None, **more: Any) -> Board:
        return Board(new_page(width, height, **more), base or app.url)

    return make


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Remember whether a test has failed: its page is then not used again."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


class Desk:
    """One page for many tests: loading Streamlit takes seconds, setting the board back takes none."""

    def __init__(self, chromium: Any, base: str) -> None:
        self.chromium, self.base = chromium, base
        self.page: Any = None
        self.complaints: list[str] = []

    def board(self) -> Board:
        """A board as on the first visit (but for the hint), without anything to undo."""
        if self.page is None:
            self.page = self.chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
            self.page.set_default_timeout(1000 * WAIT)
            _watch(self.page, self.complaints)
            return Board(self.page, self.base)
        board = Board(self.page, self.base)
        board.fresh = True
        return board

    def clear(self) -> None:
        if self.page is not None:
            self.page.context.close()
        self.page = None


@pytest.fixture(scope="session")
def desk(chromium: Any, app: Server) -> Iterator[Desk]:
    """The page that tests share, one after the other."""
    shared = Desk(chromium, app.url)
    yield shared
    shared.clear()


@pytest.fixture
def board(desk: Desk, request: pytest.FixtureRequest) -> Iterator[Board]:
    """A board on the shared page of 1280 x 800, not yet opened; errors and requests to other hosts fail the test."""
    desk.complaints.clear()
    yield desk.board()
    complaints = list(desk.complaints)
    if complaints or request.node.stash.get(FAILED, True):
        desk.clear()
    assert not complaints, "\n".join(complaints)
