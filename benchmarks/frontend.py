"""What Streamlit's own script does in a browser, as far as a server can tell: one address, its cookies, and a socket
that comes back.

Before it opens the socket it asks for `_stcore/health` and `_stcore/host-config`, again after 0.1 s, doubling up to 4
s, where one does not answer. A socket that was cut is opened again after 0.25 to 0.5 s, later attempts after up to 4 s,
with the id of the session. Once open it asks for a run of the page where there was no session yet, where a run was
going on, or where the last run was of a part of the page; else it waits until somebody does something. What is said
while there is no socket is lost.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PING_S, AGAIN_S, MOST_S, PATIENCE_S = 0.1, 0.5, 4.0, 15.0
GONE = (OSError, TimeoutError, EOFError, WebSocketException, ValueError)  # what comes of a server that is not there


class Frontend:
    """One tab of a browser. `hear` is called with everything that the server says; `address` is what stands behind the
    "?".
    """

    def __init__(
        self, port: int, hear: Callable[[ForwardMsg, float], None], seed: int, base: str = "", page: str = "lab"
    ):
        self.port, self.page = port, page
        self.root = f"/{base}/" if base else "/"  # the page itself stands below it, and so does what it asks for
        self.address = ""
        self.cookies: dict[str, str] = {}
        self.opened = self.cuts = self.received = 0
        self.cut_at = self.opened_at = 0.0
        self._hear, self._random = hear, random.Random(seed)
        self._socket: ClientConnection | None = None
        self._session = self._last = ""
        self._page_hash = self._page_name = ""
        self._part = self._running = False
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether there is a socket."""
        return self._socket is not None

    @property
    def connection(self) -> ClientConnection | None:
        """The socket of the page while it is open."""
        return self._socket

    def start(self) -> None:
        """Load the page, and stay."""
        self._page_name = self.page
        self._task = asyncio.create_task(self._live())

    async def close(self) -> None:
        """The tab is closed."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket:
            await self._socket.close()
            self._socket = None

    async def say(self, run: dict[str, Any]) -> bool:
        """Ask for a run of the page, or of a part of it; whether there was a socket to say it to."""
        self._running = True
        known = {"page_script_hash": self._page_hash} if self._page_hash else {"page_name": self._page_name}
        message = BackMsg(rerun_script={"query_string": self.address, **known, **run})
        if self._socket is None:
            return False
        with suppress(*GONE):
            await self._socket.send(message.SerializeToString())
            return True
        return False

    async def whole(self) -> None:
        """A run of the whole page."""
        await self.say({"widget_states": {}})

    async def socket(self, path: str) -> ClientConnection:
        """Another socket of the page. Raises one of GONE."""
        return await connect(
            f"ws://127.0.0.1:{self.port}{self.root}{path}",
            origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            additional_headers=self._cookie(),
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE_S,
        )

    async def get(self, path: str) -> int:
        """The status of what stands at a path. Raises one of GONE."""
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                asked = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", **self._cookie()}
                head = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
                writer.write(f"GET {self.root}{path} HTTP/1.1\r\n{head}\r\n".encode())
                answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                await reader.read()
            finally:
                writer.close()
        for line in answer[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                self.cookies.update({key: morsel.value for key, morsel in SimpleCookie(value.strip()).items()})
        return int(answer[0].split()[1])

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())} if self.cookies else {}

    async def _live(self) -> None:
        await self._answered(self.page)
        again = 0
        while True:
            await self._answered("_stcore/health", "_stcore/host-config")
            with suppress(*GONE):
                async with await self._open() as socket:
                    again, self._socket = 0, socket
                    self.opened, self.opened_at = self.opened + 1, time.perf_counter()
                    if not self._last or self._running or self._part:
                        await self.whole()
                    async for raw in socket:
                        self.received += len(raw)
                        self._take(ForwardMsg.FromString(raw))
            if self._socket is not None:
                self._socket, self._last, self.cut_at = None, self._session, time.perf_counter()
                self.cuts += 1
            again += 1
            most = min(MOST_S, AGAIN_S * 2 ** (again - 1))
            await asyncio.sleep(self._random.uniform(most / 2, most))

    async def _open(self) -> ClientConnection:
        token = self.cookies.get("_streamlit_xsrf", "PLACEHOLDER_AUTH_TOKEN")
        return await connect(
            f"ws://127.0.0.1:{self.port}{self.root}_stcore/stream",
            origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            subprotocols=["streamlit", token, *([self._last] if self._last else [])],  # type: ignore[list-item]
            additional_headers=self._cookie(),
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE_S,
        )

    async def _answered(self, *paths: str) -> None:
        """Ask until all of it is there."""
        wait = PING_S
        while True:
            with suppress(*GONE):
                if all(status < 400 for status in await asyncio.gather(*map(self.get, paths))):
                    return
            await asyncio.sleep(wait if wait == PING_S else wait * self._random.uniform(0.7, 1))
            wait = min(MOST_S, 2 * wait)

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id or self._session
            self._page_hash = message.new_session.page_script_hash or self._page_hash
            self._part, self._running = bool(message.metadata.run.fragment_ids), True
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash or self._page_hash
        elif kind == "script_finished":
            self._running = False
        self._hear(message, time.perf_counter())
