"""Addresses of several parts: a page asks for its own files beside its address, and below one such as /a/b finds
none.
"""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def single_part_path(path: str, base: str = "") -> str | None:
    """Where `path` leads, from itself: its parts below `base` as one, at which no page stands. None: it has only
    one.
    """
    below = path.removeprefix("/").removeprefix(base).strip("/").split("/")
    return "../" * (len(below) - 1) + quote("-".join(filter(None, below))) if len(below) > 1 else None


class RedirectToSinglePart:
    """Instead of a page at an address of several parts, the way to an address of one, with the same query."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; only an answer that is a page is replaced."""
        there = (
            single_part_path(scope["path"], st.get_option("server.baseUrlPath").strip("/"))
            if scope["type"] == "http"
            else None
        )
        led = False

        async def answer(message: Message) -> None:
            nonlocal led
            if message["type"] == "http.response.start":
                led = message["status"] == 200 and Headers(scope=message).get("Content-Type", "").startswith(
                    "text/html"
                )
                query = scope["query_string"]
                way = str(there).encode() + (b"?" + query if query else b"")
                message = {**message, "status": 307, "headers": [(b"location", way)]} if led else message
            await send({**message, "body": b""} if led and "body" in message else message)

        await self.app(scope, receive, answer if there else send)
