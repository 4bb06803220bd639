"""Components whose script and style sheet are files: fetched by a browser once, and again only where they have changed.

The manifest svmlab/pyproject.toml says where the files of each lie. By itself Streamlit finds a manifest in installed
packages only, and serves the files under an address that stays the same: a page that is open when a newer server takes
over would keep the modules of the older one. So each component is made known here, by a name that ends with a digest of
its files.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

PACKAGE = Path(__file__).parents[2]
PROJECT = "svmlab"
ADDRESS = re.compile(rf"/_stcore/bidi-components/{PROJECT}\.\w+-[0-9a-f]{{12}}/")
_lock = Lock()


@dataclass(frozen=True)
class Component:
    """A component of the manifest, by its name there; `css` and `js` are files in its folder. Without `css` it shows
    nothing.
    """

    name: str
    html: str
    css: str | None
    js: str = "main.js"

    def __call__(self, **shown: Any) -> None:
        """Show it: what Streamlit's own renderer takes."""
        self._register()
        self._renderer(**shown)

    @cached_property
    def files(self) -> ComponentConfig:
        """Where its files are, under a name that changes with them."""
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
        """Tell the running server, which may be another one than at the last call (in tests), where the files are."""
        manager = get_bidi_component_manager()
        with _lock:  # to register again is to forget what is shown
            if manager.get_component_asset_root(f"{PROJECT}.{self.files.name}") is None:
                manager.register_from_manifest(ComponentManifest(PROJECT, "", [self.files]), PACKAGE)


class ImmutableFiles:
    """Lets browsers keep the files of components: what has such an address never changes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; answers with a file of a component say how long it is good."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)["Cache-Control"] = "public, max-age=31536000, immutable"
            await send(message)

        ours = scope["type"] == "http" and ADDRESS.search(scope["path"])
        await self.app(scope, receive, answer if ours else send)
