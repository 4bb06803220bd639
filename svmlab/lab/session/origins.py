"""Whether a socket is opened by a page of the app, and not by a foreign page in the browser of a visitor.

A page of the host that was asked is one of the app. For any other host Streamlit decides, which may ask the network for
the address of this computer and wait for seconds. So it is asked once for each origin, for one at a time, and in a
thread of its own.
"""

from __future__ import annotations

from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from starlette.datastructures import Headers

from svmlab.lab.streamlit_internals import is_of_its_host, is_own_origin

MAX_ORIGINS = 256
_thread = ThreadPoolExecutor(1, "origins")
_asking = Lock()
_known: dict[str, bool] = {}


async def is_own_page(headers: Headers) -> bool:
    """Return whether a page of the app, or of a host that it trusts, has sent these headers.

    It is False, too, while Streamlit is asked for another origin. A page of the app tries again.
    """
    origin, host = headers.get("origin"), headers.get("host")
    own = is_of_its_host(origin, host)
    if origin is None or own is not None:
        return bool(own)
    if origin not in _known and _asking.acquire(blocking=False):
        try:
            _remember(origin, await get_running_loop().run_in_executor(_thread, is_own_origin, origin, host))
        finally:
            _asking.release()
    return _known.get(origin, False)


def _remember(origin: str, own: bool) -> None:
    """Remember an origin. A foreign one is forgotten first."""
    _known[origin] = own
    if len(_known) > MAX_ORIGINS:
        del _known[min(_known, key=lambda each: _known[each])]
