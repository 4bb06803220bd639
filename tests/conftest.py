"""Shared by all tests: quiet threads, a reproducible hypothesis, a running app, a browser, a board."""

import json
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
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import settings
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).parents[1]
sys.path[:0] = [] if str(ROOT) in sys.path else [str(ROOT)]

from svmlab.lab.session import unexpected_errors  # noqa: E402
from svmlab.warmup import warm_up  # noqa: E402
from tests.eyes import NOTE_REQUESTS, WAIT, Board  # noqa: E402

CI = os.environ.get("CI", "").lower() in ("true", "1")  # .ci/run says so: everything must be there and run
EXAMPLES = int(os.environ.get("SVMLAB_EXAMPLES", "40"))  # of hypothesis for each property; .ci/all asks for more
settings.register_profile("svmlab", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("svmlab")

HOST = "127.0.0.1"
PROBE = re.compile(r"/[a-z-]+/_stcore/[a-z-]+$")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SHARED_CONTEXTS = 4  # that stay open in each process of the tests, as each takes some 150 MB
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # the pages of a context share what a process has compiled, see `shareable_context`
]


@pytest.fixture(scope="session")
def warmed_up() -> None:
    """Compile all loops before a test whose time limit would otherwise include the compilation."""
    warm_up()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of n cases in a row of a test marked one_in(n) one is left as it is, the others are slow.

    The first of the first n, the second of the next n, and so on, so that what changes in the same rhythm is met too;
    those of a sweep are not counted.
    """
    seen = Counter[str]()
    for item in items:
        mark = item.get_closest_marker("one_in")
        if mark and not item.get_closest_marker("sweep"):
            test = item.nodeid.partition("[")[0]
            row, place = divmod(seen[test], mark.args[0])
            if place != row % mark.args[0]:
                item.add_marker("slow")
            seen[test] += 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """An error that became a message on a page still fails its test, unless the test is about such errors."""
    before = unexpected_errors.unexpected_count()
    yield
    assert item.get_closest_marker("mishap") or unexpected_errors.unexpected_count() == before, (
        "an error that nobody foresaw: see the log"
    )


# ---------------------------------------------------------------- the app


class Server:
    """The app in a process of its own; it can be killed and started again on the same port."""

    def __init__(self, log: Path, base: str = "", script: str = "app.py", **environment: str) -> None:
        self.log = log
        self.script = script
        self.base = base  # the path below which everything is served
        self.environment = os.environ | environment
        self.process: subprocess.Popen[bytes] | None = None
        self.program = ["-m", "streamlit"]  # what Python runs; a script that changes the app before it runs it
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}{self.base}"

    def drag_socket(self) -> str:
        """The socket for the pictures of a drag, of a session begun for it."""
        here = self.url.replace("http", "ws")
        with connect(f"{here}/_stcore/stream", max_size=None, max_queue=None) as page:
            page.send(BackMsg(rerun_script={"widget_states": {}, "page_name": "lab"}).SerializeToString())
            while True:
                shown = ForwardMsg.FromString(page.recv(WAIT)).delta.new_element.bidi_component
                if shown.bytes:
                    return f"{here}/{json.loads(shown.bytes)['socket']}"

    def start(self) -> None:
        command = [sys.executable, *self.program, "run", self.script, "--server.port", str(self.port)]
        command += ["--server.baseUrlPath", self.base] if self.base else []
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
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
        """End the process as kill -9 does, so it can neither report nor save anything."""
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
    assert "unforeseen" not in server.log.read_text(), server.log


@pytest.fixture(scope="session")
def bracketed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app in the language of tests, every word that is translated in brackets."""
    server = Server(tmp_path_factory.mktemp("bracketed") / "log.txt", SVMLAB_LANGUAGE="pseudo")
    yield server
    server.kill()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A maker of servers that a test may kill and start again."""
    made: list[Server] = []

    def make(base: str = "", **environment: str) -> Server:
        made.append(Server(tmp_path / f"server{len(made)}.txt", base, **environment))
        return made[-1]

    yield make
    for server in made:
        server.kill()


# ---------------------------------------------------------------- the browser


def missing(reason: str) -> None:
    """Skip the test, or fail it where everything must be there."""
    if CI:
        pytest.fail(f"{reason}, and on CI the browser tests must run")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium of the machine, driven by Playwright."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing("no Chromium is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def _watch(page: Any, complaints: list[str], offline: bool = False) -> None:
    """Write down errors and requests to other hosts; `offline` forgives what is logged about a server that is gone."""

    def console(message: Any) -> None:
        # A page under /guide first looks for Streamlit under /guide/_stcore, and then where it is.
        forgiven = message.text.startswith("Failed to load") and bool(PROBE.search(message.location["url"]))
        gone = ("ERR_CONNECTION", "WebSocket", "disconnected from server", "No response received", "not responding")
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


@pytest.fixture(scope="session")
def shared(chromium: Any) -> Iterator[dict[Hashable, Any]]:
    """Contexts that tests use one after the other, by their options."""
    contexts: dict[Hashable, Any] = {}
    yield contexts
    for context in contexts.values():
        context.close()


def shareable_context(chromium: Any, options: dict[str, Any]) -> Any:
    """A context with an empty page that stays open, as Chromium ends a process with its last page.

    A page takes half of the time in a process that has compiled Streamlit's scripts already.
    """
    context = chromium.new_context(**options)
    empty = context.new_page()
    empty.route("**/*", lambda route: route.fulfill(body=""))
    empty.goto(f"http://{HOST}/")
    return context


@pytest.fixture
def new_page(
    chromium: Any, shared: dict[Hashable, Any], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Any]]:
    """A maker of pages; errors and requests to other hosts fail the test when it ends.

    The first of its kind in a test is in a shared context, which is left as it was found; others are as in another
    browser."""
    opened: dict[Hashable, Any] = {}
    own: list[Any] = []
    complaints: list[str] = []

    def make(width: int = 1280, height: int = 800, offline: bool = False, **more: Any) -> Any:
        options = tuple(sorted(more.items()))
        if options in opened:
            context = chromium.new_context(**more)
            own.append(context)
        else:
            context = opened[options] = shared.pop(options, None) or shareable_context(chromium, more)
            shared[options] = context  # the one that was used last is the last
        page = context.new_page()
        page.add_init_script(NOTE_REQUESTS)
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(1000 * WAIT)
        _watch(page, complaints, offline)
        return page

    yield make
    failed = request.node.stash.get(FAILED, True) or complaints
    for options, context in opened.items():
        if failed:
            own.append(shared.pop(options))
            continue
        context.set_offline(False)
        context.clear_cookies()
        _empty, *pages = context.pages
        for page in pages:
            if page.url.startswith("http"):
                page.evaluate("localStorage.clear()")
            page.close()
    own += [shared.pop(next(iter(shared))) for _ in range(len(shared) - SHARED_CONTEXTS)]
    for context in own:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """A new page of 1280 x 800."""
    return new_page()


# ---------------------------------------------------------------- the board


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
