"""The lifespan of a server, from before the first visitor to after the last."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from svmlab.lab.frame import (
    compile_in_background,
    connection_limits,
    heartbeat,
    log_limits,
    page_turns,
    session_release,
)
from svmlab.lab.room import live_room
from svmlab.lab.streamlit_internals import limited_sockets


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Run everything that lasts as long as the server."""
    log_limits.install()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(connection_limits.limited_connections())
        await stack.enter_async_context(session_release.released())
        await stack.enter_async_context(compile_in_background.prepared(app))
        await stack.enter_async_context(heartbeat.beating())
        await stack.enter_async_context(live_room.rooms())
        stack.enter_context(page_turns.limited_runs())
        stack.enter_context(limited_sockets())
        # Imported objects stay. A full collection would visit all of them again, and nobody is answered meanwhile.
        gc.freeze()
        yield
