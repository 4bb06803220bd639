"""Components whose script and style sheet are files: a browser fetches them once, and again only if they have changed.

The manifest svmlab/pyproject.toml names the folder of each component. By itself Streamlit finds a manifest in
installed packages only, and serves the files under an address that stays the same. A page that is open when a newer
server takes over would then keep the modules of the older one. So each component is registered here under a name that
ends with a digest of its files.

An event that is nested too deeply, or has numbers too long for Python, would make Streamlit fail before any code of a
page runs. So Streamlit's reader of events is wrapped here: the page gets None for such an event and shows a message.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svmlab.lab.streamlit_internals import (
    ComponentConfig,
    ComponentRenderer,
    id_of_component,
    read_events_by,
    read_trigger_list,
    register_component,
    restore_event,
)

MAX_DEPTH = 20  # levels of nesting in an event; those of the board have 7
UNREADABLE = {"event": "event", "value": None}


def read_events(s: str | None) -> list[Any] | None:
    """Return the events in a message of the browser, with UNREADABLE in place of each that cannot be read."""
    try:
        events = read_trigger_list(s)
    except (RecursionError, ValueError):
        return [UNREADABLE]
    return events and [UNREADABLE if _deep(event) else event for event in events]


def guard_events() -> None:
    """Make Streamlit read every event by `read_events`."""
    read_events_by(read_events)


def _deep(value: Any, left: int = MAX_DEPTH) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left == 0 or any(_deep(each, left - 1) for each in inside)


PACKAGE = Path(__file__).parents[2]
PROJECT = "svmlab"
ADDRESS = re.compile(rf"/_stcore/bidi-components/{PROJECT}\.\w+-[0-9a-f]{{12}}/")
_lock = Lock()


@dataclass(frozen=True)
class Component:
    """A component, by its name in the manifest.

    `css` and `js` are files in its folder. Without `css` it shows nothing.
    """

    name: str
    html: str
    css: str | None
    js: str = "main.js"

    def __call__(self, **shown: Any) -> None:
        """Show the component, with the arguments of Streamlit's renderer. `key` is needed where there are callbacks."""
        self._register()
        drawn: list[str | None] = []

        def with_state(callback: Callable[[], None]) -> Callable[[], None]:
            def called() -> None:
                for component in drawn:
                    restore_event(shown["key"], component)
                callback()

            return called

        callbacks = {name: with_state(callback) for name, callback in shown.items() if name.startswith("on_")}
        self._renderer(**shown | callbacks)
        if callbacks:
            drawn.append(id_of_component(shown["key"]))

    @cached_property
    def files(self) -> ComponentConfig:
        """Return the folder of its files, under a name that changes with them."""
        manifest = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))
        folders = {each["name"]: each["asset_dir"] for each in manifest["tool"]["streamlit"]["component"]["components"]}
        folder = folders[self.name]
        digest = sha256()
        for path in sorted((PACKAGE / folder).iterdir()):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return ComponentConfig(f"{self.name}-{digest.hexdigest()[:12]}", folder)

    @cached_property
    def _renderer(self) -> ComponentRenderer:
        return st.components.v2.component(f"{PROJECT}.{self.files.name}", html=self.html, css=self.css, js=self.js)

    def _register(self) -> None:
        """Register the folder with the running server, which in tests may differ from that of the last call."""
        with _lock:  # a second registration would forget what is shown
            register_component(PROJECT, self.files, PACKAGE)


class ImmutableFiles:
    """Let browsers keep the files of components, because the content at such an address never changes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and add the time of validity to every answer with a file of a component."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)["Cache-Control"] = "public, max-age=31536000, immutable"
            await send(message)

        ours = scope["type"] == "http" and ADDRESS.search(scope["path"])
        await self.app(scope, receive, answer if ours else send)
