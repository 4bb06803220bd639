"""The cookie by which the tabs of one browser share the turns of one visitor (session/visitors.py)."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svmlab.lab.session.visitors import COOKIE, NAME, new_name


class VisitorCookie:
    """Give every browser that loads a page a random name, which it forgets when it is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and set the cookie with a page for a browser that has none."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("Content-Type", "").startswith("text/html"):
                    headers.append("Set-Cookie", f"{COOKIE}={new_name()}; Path=/; HttpOnly; SameSite=Lax")
            await send(message)

        newcomer = scope["type"] == "http" and not NAME.fullmatch(HTTPConnection(scope).cookies.get(COOKIE, ""))
        await self.app(scope, receive, answer if newcomer else send)
