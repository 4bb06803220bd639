"""Addresses of several parts, such as /a/b, below which a page would not find its own files."""

from __future__ import annotations

from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svmlab.lab.room.member import PATH as ROOMS
from svmlab.lab.streamlit_internals import base_path


def single_part_path(path: str, base: str = "") -> str | None:
    """Return the relative path that joins the parts of `path` below `base` into one part, at which there is no page.

    It is None if the path has only one part.
    """
    parts = path.removeprefix("/").removeprefix(base).strip("/").split("/")
    if parts[0] == ROOMS and len(parts) == 2:
        return None  # the page of a room has an address of two parts, and finds its files there
    return "../" * (len(parts) - 1) + quote("-".join(filter(None, parts))) if len(parts) > 1 else None


class RedirectToSinglePart:
    """Answer a request for a page at an address of several parts with a redirect to one part, with the same query."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and replace only an answer that is a page."""
        target = single_part_path(scope["path"], base_path()) if scope["type"] == "http" else None
        redirected = False

        async def answer(message: Message) -> None:
            nonlocal redirected
            if message["type"] == "http.response.start":
                headers = Headers(scope=message)
                is_saved = headers.get("Content-Disposition", "").startswith("attachment")  # a file, and no page
                is_page = headers.get("Content-Type", "").startswith("text/html") and not is_saved
                redirected = message["status"] == 200 and is_page
                query = scope["query_string"]
                location = str(target).encode() + (b"?" + query if query else b"")
                message = {**message, "status": 307, "headers": [(b"location", location)]} if redirected else message
            await send({**message, "body": b""} if redirected and "body" in message else message)

        await self.app(scope, receive, answer if target else send)
