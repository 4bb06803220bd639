"""What happens in the life of a server, from before the first visitor to after the last."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from svmlab.lab.frame import compile_in_background, connection_limits, log_limits, session_release


@asynccontextmanager
async def life(app: object) -> AsyncIterator[None]:
    """The lifespan of the server."""
    log_limits.kept_short()
    async with connection_limits.bounded(), session_release.released(), compile_in_background.prepared(app):
        # What was imported stays. A full collection would look at all of it again, and nobody is answered meanwhile.
        gc.freeze()
        yield
