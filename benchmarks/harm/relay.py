"""A network between tabs and server that can be cut, stalled, slowed down, or forget what it carried."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from server import HOST


@dataclass
class Pair:
    """One connection, from both of its ends; whether the network has forgotten it."""

    tab: asyncio.StreamWriter
    server: asyncio.StreamWriter
    forgotten: bool = False


class Relay:
    """Listens on `port` and passes bytes on to another; use it as a context."""

    def __init__(self, target: int) -> None:
        self.target, self.port = target, 0
        self.delay = 0.0  # seconds, each way
        self.down = False
        self._flow = asyncio.Event()
        self._flow.set()
        self._pairs: list[Pair] = []
        self._pumps: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Relay":
        self._server = await asyncio.start_server(self._accept, HOST, 0, limit=2**16)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.down = True
        self.cut()
        for pump in self._pumps:
            pump.cancel()

    def cut(self) -> None:
        """Reset every connection, on both sides."""
        for pair in self._pairs:
            pair.tab.transport.abort()
            pair.server.transport.abort()
        self._pairs.clear()

    def stall(self) -> None:
        """From now on no byte arrives, and nobody is told."""
        self._flow.clear()

    def resume(self) -> None:
        """What was held up arrives."""
        self._flow.set()

    def forget(self) -> None:
        """The server's side of every connection is gone, and tabs are not told: what they send goes nowhere."""
        for pair in self._pairs:
            pair.forgotten = True
            pair.server.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.down:
            writer.transport.abort()
            return
        try:
            from_server, to_server = await asyncio.open_connection(HOST, self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = Pair(writer, to_server)
        self._pairs.append(pair)
        for source, sink in ((reader, to_server), (from_server, writer)):
            pump = asyncio.create_task(self._pump(source, sink, pair))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, pair: Pair) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while data := await source.read(2**16):
                await self._flow.wait()
                if pair.forgotten:
                    continue
                if self.delay:
                    loop.call_later(self.delay, sink.write, data)
                else:
                    sink.write(data)
                    await sink.drain()
        if not pair.forgotten:
            sink.close()
