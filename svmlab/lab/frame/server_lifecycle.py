"""The lifespan of a server, from before the first visitor to after the last."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from svmlab.lab.frame import compile_in_background, connection_limits, log_limits, session_release


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Run everything that lasts as long as the server."""
    log_limits.install()
    async with connection_limits.limited_connections(), session_release.released(), compile_in_background.prepared(app):
        # Imported objects stay. A full collection would visit all of them again, and nobody is answered meanwhile.
        gc.freeze()
        yield
