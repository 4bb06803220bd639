"""What the browser gets of Python beside the data: files under an address that changes with them, and the rules."""

import re
import shutil
from pathlib import Path

import pytest

from svmlab.lab import frame
from svmlab.lab.board import board_data, component, rules
from svmlab.lab.board.rules import words_for_script
from svmlab.lab.frame import base_path
from svmlab.lab.session import inbox, kept_history, lesson_inputs, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from tests import loop

FOLDER = component.PACKAGE / "lab/board/js"
TYPES = (FOLDER / "payload.js").read_text(encoding="utf-8")
LAB = Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, -2000, 1)))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of what is served, in place of the package."""
    shutil.copytree(FOLDER, tmp_path / "lab/board/js")
    for name in ("pick", "space", "strip"):
        shutil.copytree(component.PACKAGE / f"lab/teach/{name}/js", tmp_path / f"lab/teach/{name}/js")
    shutil.copy(component.PACKAGE / "pyproject.toml", tmp_path)
    monkeypatch.setattr(component, "PACKAGE", tmp_path)
    return tmp_path


def files(name):
    """Found anew, as a server that starts does."""
    return component.Component(name, "", "").files


@pytest.mark.parametrize("name", ["board", "pick", "space", "strip"])
def test_the_address_of_a_component_is_the_same_until_any_of_its_files_changes(name, package):
    first = files(name)
    assert first == files(name)
    seen = {first.name}
    for path in sorted((package / first.asset_dir).iterdir()):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert files(name).name not in seen, path.name
        seen.add(files(name).name)


@pytest.mark.parametrize(
    ("path", "status", "kept"),
    [
        (f"svmlab.{files('board').name}/messages.js", 200, True),
        (f"svmlab.{files('pick').name}/gone.js", 404, False),
        ("svmlab.board/messages.js", 200, False),
        ("other.board-0123456789ab/main.js", 200, False),
    ],
)
def test_a_browser_keeps_what_never_changes_under_its_address_and_nothing_else(path, status, kept):
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": status, "headers": [(b"cache-control", b"public")]})

    async def send(message):
        sent.append(dict(message["headers"])[b"cache-control"])

    sent = []
    scope = {"type": "http", "path": "/_stcore/bidi-components/" + path}
    loop.run(component.ImmutableFiles(app)(scope, None, send))
    assert sent == [b"public, max-age=31536000, immutable" if kept else b"public"]


@pytest.mark.parametrize(
    ("path", "base", "kind", "there"),
    [
        ("/a/b", "", "text/html; charset=utf-8", b"../a-b?s=1"),
        ("/lab//x\u00fc/y", "", "text/html", b"../../../lab-x%C3%BC-y?s=1"),
        ("/class/2/a/b", "class/2", "text/html", b"../a-b?s=1"),
        ("/class/2/lab", "class/2", "text/html", None),
        ("/lab", "", "text/html", None),
        ("/", "", "text/html", None),
        ("/lab/_stcore/health", "", "text/plain", None),
    ],
)
def test_a_page_below_another_address_is_led_to_one_where_it_finds_its_files(monkeypatch, path, base, kind, there):
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})
        await send({"type": "http.response.body", "body": b"page"})

    async def send(message):
        sent.append(message)

    sent = []
    monkeypatch.setattr(base_path, "base_path", lambda: base.strip("/"))
    loop.run(base_path.RedirectToSinglePart(app)({"type": "http", "path": path, "query_string": b"s=1"}, None, send))
    begun, body = sent
    assert (begun["status"], body["body"]) == ((307, b"") if there else (200, b"page"))
    assert dict(begun["headers"]).get(b"location") == there


def test_a_file_that_is_saved_is_no_page_and_is_led_nowhere(monkeypatch):
    file = {"content-type": "text/html", "content-disposition": 'attachment; filename="notes.html"'}

    async def app(scope, receive, send):
        headers = [(name.encode(), value.encode()) for name, value in file.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send(message):
        assert message["status"] == 200

    monkeypatch.setattr(base_path, "base_path", lambda: "")
    scope = {"type": "http", "path": "/media/a.html", "query_string": b""}
    loop.run(base_path.RedirectToSinglePart(app)(scope, None, send))


def test_the_script_knows_every_operation_that_python_names_and_no_other():
    names = [name for kind in rules.OPERATIONS_BY_EFFECT.values() for name in kind]
    assert len(names) == len(set(names))
    assert set(names) == set(re.findall(r'\bop: "(\w+)"', TYPES))
    assert set(rules.DRAG_OPERATIONS) <= set(names)


EXAMPLES = {
    "add": {"id": 4, "x": 0.5, "y": 0.5, "label": 1},
    "move": {"id": 1, "x": 0, "y": 0},
    "delete": {"ids": [1]},
    "points": {"points": [[7, 0, 0, 1]]},
    "action": {"id": "preset"},
    "file": {"name": "a.csv", "text": "x,y,label\n1,0,1\n0,1,-1\n"},
    "turn": {"az": 0.5, "el": 0.25},
    "began": {"share": share.encode(Lab(value=9.0))},
    "history": {"share": share.encode(Lab()), "text": kept_history.encode(History(LAB, past=(Lab(value=5.0),)))},
    "restore": {"share": share.encode(initial_history().present)},
    "select": {"id": 2},
    "label": {"label": -1},
    "active": {"on": "B"},
    "project": {"on": True},
    "view": {"half": 8},
    "set": {"values": {"value": 2.0}},
    "dial": {"values": {"c": 2.0}},
    "hand": {"a": [0, 0], "b": [1, 1]},
    "film": {"key": "film", "at": 3},
}


@pytest.mark.parametrize("name", [name for kind in rules.OPERATIONS_BY_EFFECT.values() for name in kind])
def test_python_does_every_operation_that_it_names(name):
    session = Session(History(LAB, past=(Lab(),), future=(Lab(value=3.0),)))
    session.boards.initial[None] = Lab()

    def state():
        beside = session.view.projector, session.view.sharing, session.lessons.turn, session.boards.initial[None]
        return session.history, dict(session.lessons.inputs), *beside

    before = state()
    inbox.do(session, {"op": name, **EXAMPLES.get(name, {})})
    assert state() != before
    assert session.history.note in (None, "Opened a.csv: 2 points. Undo brings your earlier points back.")
    assert (name in session.lessons.inputs) == (name in lesson_inputs.READERS)


def properties(kind):
    """The names of a type in payload.js: those that are always there, and all."""
    block = re.search(rf"@typedef {{object}} {kind}\b(.*?)\*/", TYPES, re.S)[1]
    fields = re.findall(r"@property {.*} (\[?)(\w+)", block)
    return {name for bracket, name in fields if not bracket}, {name for _, name in fields}


def test_the_types_of_the_script_are_those_of_the_data():
    needed, known = (scene | wire for scene, wire in zip(properties("Scene"), properties("Wire"), strict=True))
    data = board_data(Session(History(LAB))) | {"rules": rules.RULES, "text": words_for_script()}
    assert needed <= set(data) <= known
    assert properties("Rules")[0] == set(rules.RULES)
    assert properties("Marks")[1] == set(data["marks"])
    assert properties("Slider")[0] <= set(data["sliders"][0]) <= properties("Slider")[1]


def test_what_hangs_on_the_names_that_streamlit_gives_its_elements_is_in_one_section_of_a_sheet():
    sheets = [path.read_text(encoding="utf-8") for path in Path(frame.__file__).parent.glob("*.css")]
    parts = [sheet.partition("/* What hangs on Streamlit's own data-testids") for sheet in sheets]
    assert [ours for ours, _said, _streamlits in parts if "data-testid" in ours] == []
    assert sum(streamlits.count("data-testid") for _ours, _said, streamlits in parts) > 15
