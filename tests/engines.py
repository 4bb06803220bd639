"""Firefox and WebKit of the machine, each driven by as much of WebDriver as a smoke run needs.

Playwright drives builds of its own only. Firefox speaks WebDriver BiDi over a websocket by itself; WebKit comes with a
driver that speaks WebDriver over HTTP. Both take the same actions of mouse and keys."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.eyes import WAIT

HOST = "127.0.0.1"
SIZE = {"width": 1280, "height": 800}
CONTROL = "\ue009"


class Engine(ABC):
    """A browser with one page: what it writes lies in `folder`, and all that is started for it ends with `owned`."""

    def __init__(self, owned: ExitStack, folder: Path) -> None:
        self.owned, self.folder = owned, folder

    @abstractmethod
    def go(self, url: str) -> None:
        """Open an address; its scripts may still be loading."""

    @abstractmethod
    def call(self, function: str, *arguments: Any) -> Any:
        """What a function of the page's language returns, or promises to return."""

    @abstractmethod
    def act(self, *sources: dict[str, Any]) -> None:
        """Do what a mouse and a keyboard do, in WebDriver's words."""

    @property
    @abstractmethod
    def complaints(self) -> Sequence[str]:
        """The errors that the console was told of."""

    def mouse(self, *path: tuple[float, float], down: bool = True, up: bool = True) -> None:
        """Press at the first place (if `down`), pass the others, let go at the last (if `up`)."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20} for x, y in path]
        press = [{"type": "pointerDown", "button": 0}] if down else []
        release = [{"type": "pointerUp", "button": 0}] if up else []
        self.act({"type": "pointer", "id": "mouse", "actions": [moves[0], *press, *moves[1:], *release]})

    def chord(self, *keys: str) -> None:
        """Keys held together."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.act({"type": "key", "id": "keys", "actions": down + up})

    def start(self, *command: str, says: str = "", **environment: str) -> str:
        """Start a program, and wait for the line in which it says where it is."""
        log = self.folder / f"{Path(command[0]).name}.txt"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, env=os.environ | environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self.owned.callback(process.wait)
        self.owned.callback(process.terminate)
        return until(lambda: re.search(says, log.read_text(), re.M), f"{command[0]} to start")[0]


def until(look: Callable[[], Any], what: str) -> Any:
    """What `look` sees once it sees something."""
    end = time.monotonic() + WAIT
    while not (seen := look()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return seen


class Firefox(Engine):
    """Firefox by WebDriver BiDi."""

    def __init__(self, owned: ExitStack, folder: Path, program: str) -> None:
        super().__init__(owned, folder)
        apart = ("--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0")
        address = self.start(program, *apart, says=r"(?<=WebDriver BiDi listening on )ws://\S+$", HOME=str(folder))
        self.socket = self.owned.enter_context(connect(f"{address}/session", max_size=None))
        self.asked, self.said = 0, list[str]()
        self.ask("session.new", capabilities={})
        self.page = {"context": self.ask("browsingContext.getTree")["contexts"][0]["context"]}
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("browsingContext.setViewport", viewport=SIZE, **self.page)

    def ask(self, method: str, **params: Any) -> Any:
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv(WAIT))).get("id") != self.asked:
            entry = answer["params"]
            self.said += [entry["text"]] if entry["level"] == "error" else []
        assert answer["type"] == "success", answer
        return answer["result"]

    def go(self, url: str) -> None:
        self.ask("browsingContext.navigate", url=url, wait="interactive", **self.page)

    def call(self, function: str, *arguments: Any) -> Any:
        expression = f"(async () => JSON.stringify(await ({function})(...{json.dumps(arguments)}) ?? null))()"
        answer = self.ask("script.evaluate", expression=expression, target=self.page, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, *sources: dict[str, Any]) -> None:
        self.ask("input.performActions", actions=sources, **self.page)

    @property
    def complaints(self) -> Sequence[str]:
        return self.said


# The driver knows no console: the page notes its errors itself. What has no error object is only a browser's remark.
NOTED = """() => {
  const said = window.complaints = [], { error } = console;
  console.error = (...words) => { said.push(words.join(" ")); error(...words); };
  addEventListener("error", (e) => void (e.error && said.push(e.message)));
  addEventListener("unhandledrejection", (e) => void said.push(String(e.reason)));
}"""


class WebKit(Engine):
    """WebKit by its driver, in the small browser that comes with it, on a screen of its own."""

    def __init__(self, owned: ExitStack, folder: Path, screen: str, driver: str, browser: str) -> None:
        super().__init__(owned, folder)
        with socket.socket() as free:
            free.bind((HOST, 0))
            port = free.getsockname()[1]
        self.base = f"http://{HOST}:{port}"
        self.said: Sequence[str] = []
        display = self.start(
            screen, "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp", says=r"^\d+$"
        )
        self.start(driver, f"--port={port}", DISPLAY=f":{display}", HOME=str(folder))
        until(self.ready, "the driver to answer")
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options}
        self.base += "/session/" + self.ask("/session", capabilities={"alwaysMatch": wanted})["sessionId"]
        self.owned.callback(self.ask, "", how="DELETE")
        self.ask("/window/rect", **SIZE)

    def ready(self) -> bool:
        try:
            return bool(self.ask("/status", how="GET")["ready"])
        except urllib.error.URLError:
            return False

    def ask(self, path: str, how: str = "POST", **body: Any) -> Any:
        data = json.dumps(body).encode() if how == "POST" else None
        request = urllib.request.Request(self.base + path, data, method=how)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None

    def go(self, url: str) -> None:
        self.said = self.complaints
        self.ask("/url", url=url)
        self.call(NOTED)

    def call(self, function: str, *arguments: Any) -> Any:
        script = f"return (async (...given) => JSON.stringify(await ({function})(...given) ?? null))(...arguments)"
        return json.loads(self.ask("/execute/sync", script=script, args=arguments))

    def act(self, *sources: dict[str, Any]) -> None:
        self.ask("/actions", actions=sources)

    @property
    def complaints(self) -> Sequence[str]:
        return [*self.said, *self.call("() => window.complaints ?? []")]


def installed(name: str) -> tuple[Callable[..., Engine], list[str]]:
    """What makes the engine, and its programs here; an empty name where there is none."""
    if name == "firefox":
        return Firefox, [shutil.which("firefox-esr") or shutil.which("firefox") or ""]
    browser = next(map(str, Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser")), "")
    return WebKit, [shutil.which("Xvfb") or "", shutil.which("WebKitWebDriver") or "", browser]
