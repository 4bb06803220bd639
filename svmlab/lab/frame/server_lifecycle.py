"""What happens in the life of a server, from before the first visitor to after the last."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from svmlab.lab.frame import crowd, departed, journal, prepare


@asynccontextmanager
async def life(app: object) -> AsyncIterator[None]:
    """The lifespan of the server."""
    journal.kept_short()
    async with crowd.bounded(), departed.released(), prepare.prepared(app):
        # What was imported stays. A full collection would look at all of it again, and nobody is answered meanwhile.
        gc.freeze()
        yield
