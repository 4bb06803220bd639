"""What the adapter relies on inside Streamlit and uvicorn: a contract for each name, and nobody else looks inside."""

import ast
import asyncio
import importlib
import inspect
import re
import socket
import tomllib
from base64 import b64encode
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from types import SimpleNamespace
from unittest.mock import create_autospec

import uvicorn
from packaging.requirements import Requirement
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.state import SessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from svmlab.lab import streamlit_internals as internals

ROOT = Path(__file__).parents[2]
ADAPTER = ROOT / "svmlab" / "lab" / "streamlit_internals.py"


def looks_inside(tree: ast.AST) -> list[str]:
    """What a file takes from inside Streamlit or uvicorn: modules below the public one, and private names."""
    inner_names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            inner_names += [each.name for each in node.names if re.match(r"(streamlit\.|uvicorn\b)", each.name)]
        elif isinstance(node, ast.ImportFrom) and re.match(r"(streamlit|uvicorn)\b", node.module or ""):
            inner_names.append(node.module)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            private = node.value.id == "st" and (node.attr.startswith("_") or node.attr in ("runtime", "web"))
            inner_names += [f"st.{node.attr}"] if private else []
    return inner_names


def test_only_the_adapter_looks_inside() -> None:
    files = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "svmlab").rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    users = {path: text for path, text in texts.items() if re.search(r"streamlit|uvicorn|starlette", text)}
    names_by_file = {path: looks_inside(ast.parse(text)) for path, text in users.items()}
    assert names_by_file.pop(ADAPTER)
    assert {path: inside for path, inside in names_by_file.items() if inside} == {}


def test_the_versions_that_it_relies_on_are_bounded_and_installed() -> None:
    lab = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"][
        "lab"
    ]
    ranges = {each.name: each.specifier for each in map(Requirement, lab)}
    for name in ("streamlit", "starlette", "uvicorn"):
        assert ranges[name].contains(version(name)), name
        assert not ranges[name].contains("99.0"), f"{name} has no upper bound"


def run() -> None:
    import streamlit as st

    from svmlab.lab.streamlit_internals import session_id, state_of_run

    st.session_state["seen"] = session_id()
    st.session_state["same"] = state_of_run()["seen"] == session_id()


def parts() -> None:
    import streamlit as st

    from svmlab.lab.streamlit_internals import page_is_drawn, rerun

    counts = st.session_state.setdefault("counts", {"page": 0, "part": 0})
    counts["page"] += 1

    @st.fragment(key="part")
    def part() -> None:
        counts["part"] += 1

    part()
    for key in ("part", "no such part"):
        st.button(key, key=f"press {key}", on_click=rerun, args=(key,))
    page_is_drawn()


def test_parts_run_again_and_the_whole_page_where_there_is_none_or_another_page_was_drawn_last() -> None:
    for key, drawn, page_runs in (("part", None, 1), ("no such part", None, 2), ("part", "another page", 2)):
        at = AppTest.from_function(parts).run()
        assert at.session_state["counts"] == {"page": 1, "part": 1}
        if drawn is not None:
            at.session_state[internals.DRAWN] = drawn
        at.button(key=f"press {key}").click().run()
        assert at.session_state["counts"] == {"page": page_runs, "part": 2}, (key, drawn)
        assert not at.exception


def test_a_page_that_runs_has_a_session_and_its_state_and_nothing_else_has() -> None:
    assert internals.session_id() is internals.state_of_run() is None
    at = AppTest.from_function(run).run()
    assert at.session_state["seen"]
    assert at.session_state["same"] is True


def test_every_run_is_within_the_context() -> None:
    runs = []
    with internals.around_each_run(lambda: nullcontext(runs.append("run"))):
        at = AppTest.from_function(run).run()
        at.run()
    at.run()
    assert runs == ["run", "run"]


def test_a_late_request_for_a_part_of_another_page_runs_the_open_page(monkeypatch) -> None:
    requests = []
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda _runner, request: requests.append(request))
    part = RerunData(page_script_hash="margin", query_string="step=check", fragment_id_queue=["lesson"])
    whole = RerunData(page_script_hash="margin")
    with internals.around_each_run(nullcontext):
        for state in ({}, {internals.OPEN: None}, {internals.OPEN: "margin"}, {internals.OPEN: "duality"}):
            for request in (part, whole):
                ScriptRunner._run_script(SimpleNamespace(_session_state=state), request)
    *as_asked, late, link = requests
    assert as_asked == [part, whole] * 3
    assert (late.page_script_hash, late.fragment_id_queue, late.widget_states) == ("duality", [], None)
    assert link == whole


def test_without_a_server_everybody_is_connected() -> None:
    assert internals.is_connected("nobody")
    assert list(inspect.signature(Runtime.is_active_session).parameters) == ["self", "session_id"]


def test_the_storage_of_lost_sessions_can_be_replaced(monkeypatch) -> None:
    manager = WebsocketSessionManager(*[SimpleNamespace()] * 4)
    assert "_session_mgr" in inspect.getsource(Runtime)
    server = SimpleNamespace(_session_mgr=manager)
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: server)
    storage, lost = SimpleNamespace(get=lambda id_: lost.append(id_)), []
    internals.use_session_storage(storage)
    manager.get_session_info("one")
    assert lost == ["one"], "it is asked for a session that is not connected"


def test_a_session_that_is_shut_down_keeps_nothing() -> None:
    state, fragments, ended = SessionState(), create_autospec(MemoryFragmentStorage, instance=True), []
    state["points"] = [1, 2]
    state._new_widget_state.widget_metadata["board"] = SimpleNamespace()
    session = SimpleNamespace(session_state=state, _fragment_storage=fragments, shutdown=lambda: ended.append(True))
    internals.shut_down(session)
    assert ended == [True]
    assert "points" not in state
    assert not state._new_widget_state.widget_metadata
    fragments.clear.assert_called_once_with()
    source = inspect.getsource(AppSession)
    assert {name for name in ("_fragment_storage", "def shutdown", "def session_state") if name not in source} == set()


def test_what_is_set_before_the_first_visitor_is_there_to_be_set() -> None:
    assert "uses_pages_directory" in inspect.getsource(PagesManager)
    source = inspect.getsource(importlib.import_module(AppSession.__module__))
    assert "def register_file_watchers(self)" in source
    assert source.count(".register_file_watchers()") >= 1


def test_a_socket_of_another_page_is_refused() -> None:
    assert internals.is_own_origin("http://localhost:8501", "localhost:8501")
    assert not internals.is_own_origin("http://elsewhere.example", "localhost:8501")
    assert not internals.is_own_origin("http://[", "localhost:8501")


def test_the_host_alone_decides_about_its_own_pages_as_streamlit_does(monkeypatch) -> None:
    at = "svm.example"
    pairs = [("http://svm.example", at), ("https://svm.example", at), (None, at), (None, None), ("http://[", at)]
    known = [internals.is_of_its_host(*pair) for pair in pairs]
    assert known == [internals.is_own_origin(*pair) for pair in pairs] == [True, True, True, True, False]
    assert internals.is_of_its_host("http://elsewhere.example", at) is None
    monkeypatch.setattr(internals, "is_host_allowed", lambda host: False)
    assert internals.is_of_its_host("http://svm.example", at) is False
    assert "is_host_allowed(host)" in inspect.getsource(internals._is_origin_allowed)


def test_events_are_read_by_the_reader_that_was_given() -> None:
    before = internals.components.deserialize_trigger_list
    assert internals.read_trigger_list('[{"event": "event", "value": {"seq": 1}}]') == [
        {"event": "event", "value": {"seq": 1}}
    ]
    try:
        internals.read_events_by(lambda text: [text])
        assert internals.components.deserialize_trigger_list("a") == ["a"]
    finally:
        internals.components.deserialize_trigger_list = before
    used = inspect.getsource(internals.components).replace("import deserialize_trigger_list", "")
    assert "deserialize_trigger_list" in used, "the module looks its reader up by this name"


def test_a_folder_of_files_is_registered_once(monkeypatch, tmp_path) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "main.js").write_text("export default () => {}")
    manager = BidiComponentManager()
    monkeypatch.setattr(internals, "get_bidi_component_manager", lambda: manager)
    files = internals.ComponentConfig("some", "some")
    for _ in range(2):
        internals.register_component("project", files, tmp_path)
    assert manager.get_component_asset_root("project.some") == (tmp_path / "some").resolve()


def test_the_loggers_are_there() -> None:
    for name in internals.LOGGERS:
        if name.startswith("streamlit."):
            assert importlib.util.find_spec(name), name
    assert "uvicorn.error" in inspect.getsource(uvicorn.config)


def test_every_connection_is_seen_with_what_it_waits_for() -> None:
    seen, waits, begun = [], [], Event()

    async def app(scope, receive, send) -> None:
        if scope["type"] != "http":
            return
        waits.append(internals.awaited(seen[0]))
        assert internals.is_open(seen[0])
        begun.set()
        while (await receive()).get("more_body"):
            pass
        waits.append(internals.awaited(seen[0]))
        await send({"type": "http.response.start", "status": 204, "headers": [(b"connection", b"close")]})
        await send({"type": "http.response.body"})

    server = uvicorn.Server(uvicorn.Config(app, http="auto", lifespan="off", log_config=None))
    with socket.socket() as door, internals.on_each_connection(lambda protocol, _transport: seen.append(protocol)):
        door.bind(("127.0.0.1", 0))
        door.listen()
        serving = Thread(target=asyncio.run, args=(server.serve(sockets=[door]),))
        serving.start()
        with socket.create_connection(door.getsockname()) as visitor:
            visitor.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\na")
            assert begun.wait(60)
            visitor.sendall(b"b")
            answer = visitor.recv(1000)
        server.should_exit = True
        serving.join()
    assert answer.startswith(b"HTTP/1.1 204")
    assert waits == ["body", None]
    assert len(seen) == 1
    assert not internals.is_open(seen[0])


def masked(opcode: int, data: bytes, length: int | None = None) -> bytes:
    """A frame of a websocket as a browser sends it, of which less than its length may be there."""
    return bytes([opcode, 0x80 | 127]) + (length or len(data)).to_bytes(8) + bytes(4) + data


def test_a_socket_that_holds_too_much_of_an_unfinished_message_is_cut_off() -> None:
    heard, scopes = Queue(), Queue()

    async def app(scope, receive, send) -> None:
        if scope["type"] != "websocket":
            return
        internals.limit_socket(scope, 3000)
        scopes.put(scope)
        await send({"type": "websocket.accept"})
        while True:
            heard.put(await receive())
            if heard.queue[-1]["type"] == "websocket.disconnect":
                return

    def next_text() -> str | None:
        while (message := heard.get(timeout=20))["type"] == "websocket.connect":
            pass
        return message.get("text")

    hello = b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    hello += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + b64encode(bytes(16)) + b"\r\n\r\n"
    config = uvicorn.Config(app, ws="websockets-sansio", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with socket.socket() as door, internals.limited_sockets():
        door.bind(("127.0.0.1", 0))
        door.listen()
        serving = Thread(target=asyncio.run, args=(server.serve(sockets=[door]),), daemon=True)
        serving.start()
        text, more, last = 0x01, 0x00, 0x80
        floods = (
            masked(text, b"x" * 4000, 9_000_000),
            b"".join([masked(text, b"x" * 1600), masked(more, b"x" * 1600)]),
            masked(text, b"") + masked(more, b"") * 60,
        )
        for flood in floods:
            with socket.create_connection(door.getsockname()) as visitor:
                visitor.settimeout(20)
                visitor.sendall(hello)
                assert visitor.recv(1000).startswith(b"HTTP/1.1 101")
                visitor.sendall(masked(last | text, b"y" * 2000))
                assert next_text() == "y" * 2000
                visitor.sendall(masked(text, b"y" * 2000) + masked(last, b"z"))
                assert next_text() == "y" * 2000 + "z", "what is finished is no longer held"
                visitor.sendall(flood)
                assert next_text() is None
                scopes.get()
        with socket.create_connection(door.getsockname()) as visitor:
            visitor.sendall(hello)
            visitor.recv(1000)
            visitor.sendall(masked(last | text, b"") + masked(text, b"x" * 2000, 9_000_000))
            assert next_text() == ""
            serving_loop_limit = scopes.get()
            server.servers[0].get_loop().call_soon_threadsafe(internals.limit_socket, serving_loop_limit, 1000)
            assert next_text() is None, "a lower limit holds for what is held already"
        server.should_exit = True
        serving.join()
