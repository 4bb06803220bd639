"""Everything that the app takes from the inside of Streamlit and of its server uvicorn, each with its reason.

No other file looks inside. What a new version of Streamlit or uvicorn breaks therefore breaks here, and
`tests/pages/test_pages_streamlit_internals.py` says what.
"""

from __future__ import annotations

from asyncio import Transport
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.components.v2.bidi_component import main as components
from streamlit.components.v2.bidi_component.serialization import deserialize_trigger_list
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import FragmentHandledException, StreamlitAPIException
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed, is_host_allowed
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = [
    "ComponentConfig",
    "ComponentRenderer",
    "DeltaGenerator",
    "FragmentHandledException",
    "SessionInfo",
    "SessionStorage",
]
# The loggers that write a line or a traceback for each action of a stranger, by the modules that have them.
LOGGERS = (
    "asyncio",
    "uvicorn.error",
    "streamlit.web.server.starlette.starlette_websocket",
    "streamlit.web.server.starlette.starlette_routes",
    "streamlit.runtime.websocket_session_manager",
    "streamlit.runtime.runtime",
    "streamlit.runtime.app_session",
)

# The run of a page in this thread. Streamlit tells a script neither its own session nor whether it runs at all.


def session_id() -> str | None:
    """Return the identifier of the session whose page runs in this thread, or None if none does."""
    run = get_script_run_ctx(suppress_warning=True)
    return None if run is None else run.session_id


def state_of_run() -> MutableMapping[str, Any] | None:
    """Return the `st.session_state` of the page that runs in this thread, or None if none does."""
    run = get_script_run_ctx(suppress_warning=True)
    return None if run is None else run.session_state  # type: ignore[return-value]


def is_connected(session: str) -> bool:
    """Return whether the visitor of a session is connected. Without a server everybody is."""
    try:
        # a stand-in for the server in tests returns neither True nor False
        return runtime.get_instance().is_active_session(session) is not False
    except RuntimeError:
        return True


@contextmanager
def around_each_run(around: Callable[[], AbstractContextManager[Any]]) -> Iterator[None]:
    """Run every page, and every part of one, within the context that `around` returns. Streamlit has no such hook.

    A late request for a part of another page runs the whole page that is open.
    """
    kind: Any = ScriptRunner
    plain = kind._run_script

    def run_script(runner: Any, rerun_data: RerunData) -> None:
        with around():
            plain(runner, _for_open_page(runner._session_state, rerun_data))

    kind._run_script = run_script
    try:
        yield
    finally:
        kind._run_script = plain


# Another page. What a visitor did on the page before, or what its work reports, may reach the server after the next
# page was requested or drawn. Streamlit then goes back to the page before, and runs the callback there.

OPEN, DRAWN = "svmlab_open", "svmlab_drawn"  # in the session state: the page that was begun last, and that drawn whole


def _for_open_page(state: Any, request: RerunData) -> RerunData:
    """Return a request for a run, or one for the whole open page if it asks for a part of another page.

    Streamlit would look for that part on the open page, which may have one of the same key, and run it as the other
    page. The browser then removes everything that is drawn but this part, and fails, as the part has no place.
    """
    if not request.fragment_id_queue or OPEN not in state or state[OPEN] in (None, request.page_script_hash):
        return request
    return RerunData(
        page_script_hash=state[OPEN],
        cached_message_hashes=request.cached_message_hashes,
        context_info=request.context_info,
    )


def path_below_base(path: str) -> str:
    """Return the address of a route that stands beside the pages, below the server's base path if it has one."""
    return "/" + "/".join(filter(None, (base_path(), path)))


def base_path() -> str:
    """Return the path below which the server has its pages, without slashes at its ends."""
    return str(st.get_option("server.baseUrlPath")).strip("/")


def page_begins() -> None:
    """Record that the whole page of this run is open from now on."""
    run = get_script_run_ctx(suppress_warning=True)
    st.session_state[OPEN] = run and run.page_script_hash


def page_is_drawn() -> None:
    """Record that the page of this run is drawn whole."""
    run = get_script_run_ctx(suppress_warning=True)
    st.session_state[DRAWN] = run and run.page_script_hash


def rerun(*parts: str) -> None:
    """Run the whole page again from a callback, or only the parts with these keys.

    The whole page runs also if another page was drawn last. Streamlit would run parts of that page in its place, or
    stop with an error where that page has no such part.
    """
    run = get_script_run_ctx(suppress_warning=True)
    page = run and run.page_script_hash
    if parts and st.session_state.get(DRAWN, page) == page:
        with suppress(StreamlitAPIException):
            st.rerun(list(parts))
    st.rerun()


def id_of_component(key: str) -> str | None:
    """Return what Streamlit calls the component that has just been drawn with this key."""
    run = get_script_run_ctx(suppress_warning=True)
    return None if run is None else run.session_state._state.get_widget_id_from_key(key)


def restore_event(key: str, component: str | None) -> None:
    """Let `st.session_state[key]` have the event of this component, which a page drawn before has reported late.

    With a change of page the key stands for a component of the other page, and Streamlit forgets the state of a
    component that has set none, without which it shows no event.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is None or component is None:
        return
    state = run.session_state._state
    state._set_key_widget_mapping(component, key)
    if key not in st.session_state:
        state._new_widget_state.set_from_value(component, {})


# Sessions of visitors who have left. Streamlit has no setting for their storage, and frees only a part of them.


def use_session_storage(storage: SessionStorage) -> None:
    """Keep lost sessions in this storage. It must be set before the first visitor comes."""
    manager: Any = runtime.get_instance()._session_mgr
    manager._session_storage = storage


def shut_down(session: AppSession) -> None:
    """Free everything that belongs to a session, at once.

    Runs and components make reference cycles of its state and its fragments, which would wait for the garbage
    collector. That does not run while nobody comes, and it stops everybody for half a second if sixty tabs are there.
    """
    session.shutdown()
    session.session_state.clear()
    session.session_state._new_widget_state.widget_metadata.clear()
    session._fragment_storage.clear()


# The start of the server.


def name_no_files_as_pages() -> None:
    """Let no visitor see the files in pages/ in the navigation before a session has built its own."""
    PagesManager.uses_pages_directory = False


def watch_no_files() -> None:
    """Do what `fileWatcherType = "none"` says also for a session whose socket was cut and comes back.

    Streamlit would search every loaded module for files to watch. That takes 0.2 s each time in which nobody is
    answered, and half a minute for a class.
    """
    AppSession.register_file_watchers = _unwatched  # type: ignore[method-assign]


def _unwatched(self: AppSession) -> None:
    """Do nothing, in place of the search for files to watch."""


def is_of_its_host(origin: str | None, host: str | None) -> bool | None:
    """Return what `is_own_origin` returns if the two headers alone decide it, else None."""
    try:
        same = origin is None or urlsplit(origin).netloc == host
    except ValueError:  # the origin is not an address
        return False
    if not is_host_allowed(host):
        return False
    return True if same else None


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """Return whether Streamlit would accept a socket as one of its own.

    It must be opened by a page of the app or of a host that the app trusts. To know the addresses of this computer,
    Streamlit may ask the network and wait for seconds.
    """
    try:
        return _is_origin_allowed(origin, host)
    except ValueError:  # the origin is not an address
        return False


# Components: their events, and folders of files that no installed package names.


def read_trigger_list(text: str | None) -> list[Any] | None:
    """Return the events in a message of the browser, as Streamlit reads them."""
    return deserialize_trigger_list(text)


def read_events_by(reader: Callable[[str | None], list[Any] | None]) -> None:
    """Make Streamlit read every event by another reader, because an event that it cannot read stops the page."""
    module: Any = components
    module.deserialize_trigger_list = reader


def register_component(project: str, files: ComponentConfig, package: Path) -> None:
    """Serve the folder of a component, which is in a package, from the running server. Once is enough."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"{project}.{files.name}") is None:  # again would forget what is shown
        manager.register_from_manifest(ComponentManifest(project, "", [files]), package)


# Connections. uvicorn limits requests, but not connections that never make one.


@contextmanager
def on_each_connection(made: Callable[[Any, Transport], None]) -> Iterator[None]:
    """Call `made` with the protocol and the transport of every new connection."""
    kind: Any = AutoHTTPProtocol
    plain = kind.connection_made

    def connection_made(protocol: Any, transport: Transport) -> None:
        plain(protocol, transport)
        made(protocol, transport)

    kind.connection_made = connection_made
    try:
        yield
    finally:
        kind.connection_made = plain


# Messages. uvicorn has one limit for all websockets, which must let a file through, and none for unfinished messages.

HOLD = "svmlab.hold"  # the extension of a websocket by which it is limited
PER_FRAGMENT = 64  # bytes that a fragment takes beside its content


@contextmanager
def limited_sockets() -> Iterator[None]:
    """Let the application limit what a websocket holds of messages that are not finished, by `limit_socket`."""
    kind: Any = WebSocketsSansIOProtocol
    connect, receive = kind.handle_connect, kind.data_received

    def check(protocol: Any) -> None:
        n_bytes = len(protocol.conn.reader.buffer) + (protocol.conn.current_size or 0)
        if n_bytes + PER_FRAGMENT * len(protocol.frames) > getattr(protocol, "most_held", n_bytes):
            protocol.transport.abort()

    def handle_connect(protocol: Any, event: Any) -> None:
        def limit(most: int) -> None:
            protocol.most_held = most
            check(protocol)

        connect(protocol, event)
        if hasattr(protocol, "scope"):  # else the request was refused
            protocol.scope["extensions"][HOLD] = limit

    def data_received(protocol: Any, data: bytes) -> None:
        receive(protocol, data)
        check(protocol)

    kind.handle_connect, kind.data_received = handle_connect, data_received
    try:
        yield
    finally:
        kind.handle_connect, kind.data_received = connect, receive


def limit_socket(scope: MutableMapping[str, Any], most: int) -> None:
    """Cut a websocket off as soon as it holds more than so many bytes of messages that are not finished."""
    limit = scope.get("extensions", {}).get(HOLD)
    if limit is not None:
        limit(most)


def is_open(protocol: Any) -> bool:
    """Return whether a connection is there and still speaks HTTP: a websocket has another protocol."""
    return (
        protocol is not None
        and protocol.transport is not None
        and not protocol.transport.is_closing()
        and protocol.transport.get_protocol() is protocol
    )


def awaited(protocol: Any) -> str | None:
    """Return what the server waits for at a connection, "request" or "body", or None if it must answer itself."""
    cycle = protocol.cycle
    if cycle is None or cycle.response_complete:
        return "request"
    return "body" if cycle.more_body else None
