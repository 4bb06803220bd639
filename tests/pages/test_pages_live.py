"""The pictures that come past the page while something is dragged are those that the page would show."""

import json
from contextlib import ExitStack
from dataclasses import replace

import pytest
from starlette.websockets import WebSocket
from streamlit import config
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from svmlab.kernels.standard import KERNELS
from svmlab.lab.board import board_data, drag_socket
from svmlab.lab.session import share, state
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.lesson_state import LessonState
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from tests import loop
from tests.conftest import Server

FEW = Lab(points=(Point(3, 1000, 500, 1), Point(7, -1000, 0, -1), Point(9, 0, -2000, 1), Point(4, -500, 900, -1)))
SEEN = ("marks", "shade", "lines", "slack", "witness", "legend")


def asked(lab, *ops):
    """The board's question: what is linked, the points as they are drawn now, and what was said since."""
    points = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    return json.dumps(
        {
            "share": share.encode(lab),
            "ops": [{"op": "points", "points": points}, {"op": "view", "half": lab.view}, *ops],
        }
    )


def shown(lab):
    """What the page's board shows for a Lab in the middle of a drag."""
    data = board_data(Session(History(lab, before_drag=lab, touched=True)))
    return json.loads(json.dumps({name: data[name] for name in (*SEEN, "message")}))


def moved(lab, row, x, y):
    p = lab.points[row]
    return replace(lab, points=(*lab.points[:row], p._replace(x=x, y=y), *lab.points[row + 1 :]))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_picture_is_the_page_s_own_warm_or_cold(kernel):
    lab, last = with_preset(replace(Lab(), preset="overlapping", size=60, kernel=kernel)), None
    for step in range(5):
        lab = moved(lab, 5, 100 * step, 50 * step)
        answer, last = drag_socket.draw(asked(lab), last)
        assert json.loads(answer) == shown(lab)
        assert drag_socket.draw(asked(lab), None)[0] == answer


def test_a_setting_on_its_way_counts():
    lab = with_preset(replace(Lab(), kernel="gaussian"))
    answer, _ = drag_socket.draw(asked(lab, {"op": "set", "values": {"value": 0.05, "sigma": 2.0}, "live": True}), None)
    assert json.loads(answer) == shown(replace(lab, value=0.05, sigma=2.0)) != shown(lab)


def test_points_keep_their_own_numbers():
    answer, _ = drag_socket.draw(asked(replace(FEW, value=0.3)), None)
    assert {row[0] for row in json.loads(answer)["slack"]} == {3, 7}, "ids, not rows"


def test_a_hard_margin_that_does_not_exist_shows_its_witness_and_the_solve_after_it_starts_warm():
    lab = replace(FEW, points=(*FEW.points, Point(11, 1000, 400, -1), Point(12, 1000, 600, -1)), hard=True)
    answer, last = drag_socket.draw(asked(lab), None)
    assert json.loads(answer)["witness"]["ids"]
    assert json.loads(answer)["marks"] is None
    assert "No boundary" in json.loads(answer)["message"]["text"]
    assert last is None
    answer, last = drag_socket.draw(asked(moved(moved(lab, 4, -900, 0), 5, -900, 100)), last)
    assert json.loads(answer)["marks"]
    assert last is not None


def test_a_board_without_points_has_no_picture():
    assert json.loads(drag_socket.draw(asked(Lab()), None)[0])["lines"] is None


MALFORMED = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    json.dumps({"share": share.encode(FEW)}),
    json.dumps({"share": "1damaged", "ops": []}),
    json.dumps({"share": 7, "ops": []}),
    json.dumps({"share": share.encode(FEW), "ops": 3}),
    json.dumps({"share": share.encode(FEW), "ops": ["fly"]}),
    json.dumps({"share": share.encode(FEW), "ops": [{"op": "points", "points": [[1, 0, None, 1]]}]}),
    json.dumps({"share": share.encode(FEW), "ops": [{"op": "set", "values": {"value": -1}}]}),
    " " * (drag_socket.MAX_BYTES + 1),
    "[" * (drag_socket.MAX_BYTES - 1),
    json.dumps({"share": share.encode(FEW), "ops": [{"op": "preset", "values": {}}]}),
]


@pytest.mark.parametrize("request_", MALFORMED, ids=range(len(MALFORMED)))
def test_a_request_that_makes_no_sense_is_refused(request_):
    with pytest.raises(drag_socket.MALFORMED_ERRORS):
        drag_socket.draw(request_, None)


def test_300_points_fit_into_a_request():
    points = tuple(Point(2**31 - 1 - i, -7999, -7999 + i, 1 - 2 * (i % 2)) for i in range(MAX_POINTS))
    assert len(asked(replace(FEW, points=points))) < drag_socket.MAX_BYTES


# ---------------------------------------------------------------- what a lesson adds


def added(history, dials, result=None):
    """A step that draws the view, the points as they stand and its slider."""
    lab = history.present
    c = dials.get("c", 1.0)
    pts = [v / 1000 for p in lab.points for v in p[1:3]]
    return {
        "overlay": [{"kind": "line", "pts": pts, "style": "accent"}],
        "sliders": [{"key": "c", "value": c, "lo": 0, "hi": lab.view, "linear": True, "op": "dial"}],
        "lines": None,
        "held": history.before_drag == lab,
    }


@pytest.fixture
def lesson():
    session = Session(History(FEW), lessons=LessonState(dials={"c": 2.0, "t": 0.5}))
    session.lessons.step_overlay = added
    return session


def dial(**values):
    return {"op": "dial", "values": values, "live": True}


def test_what_the_open_step_draws_comes_with_the_picture(lesson):
    lab = moved(FEW, 1, -1500, 250)
    answer = json.loads(drag_socket.draw(asked(lab, dial(c=3.25)), None, lesson)[0])
    expected = added(History(lab, before_drag=lab), {"c": 3.25})
    assert answer == {**shown(lab), **json.loads(json.dumps(expected))}
    assert answer["sliders"][0]["value"] == 3.25
    assert answer["held"], "it is asked in the middle of a drag"


def test_sliders_that_rest_count_as_the_session_has_them_and_nothing_is_written_there(lesson):
    before = lesson.history, dict(lesson.lessons.dials), dict(lesson.cache.entries)
    assert json.loads(drag_socket.draw(asked(FEW), None, lesson)[0])["sliders"][0]["value"] == 2.0
    drag_socket.draw(asked(FEW, dial(c=3.0), dial(new=1.0)), None, lesson)
    assert (lesson.history, lesson.lessons.dials, lesson.cache.entries) == before


def test_the_picture_is_of_the_svm_that_the_lesson_draws(lesson):
    lesson.lessons.lab_to_draw = lambda lab: replace(lab, bias=False)
    lesson.lessons.step_overlay = None
    answer = json.loads(drag_socket.draw(asked(FEW), None, lesson)[0])
    assert answer == shown(replace(FEW, bias=False)) != shown(FEW)


@pytest.mark.mishap
def test_a_step_that_cannot_draw_leaves_the_picture_and_says_so(lesson, caplog):
    lesson.lessons.step_overlay = lambda history, dials, result: {"overlay": 1 / 0}
    answer = json.loads(drag_socket.draw(asked(FEW), None, lesson)[0])
    assert answer.pop("message")["tone"] == "warn"
    assert answer == {name: value for name, value in shown(FEW).items() if name != "message"}
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("values", [{"c": "far"}, {"c": 1e13}, {"c" * 41: 1.0}, [1.0], None])
def test_a_slider_that_makes_no_sense_is_refused(values, lesson):
    with pytest.raises(drag_socket.MALFORMED_ERRORS):
        drag_socket.draw(asked(FEW, {"op": "dial", "values": values, "live": True}), None, lesson)


def test_a_socket_draws_for_its_own_session_alone(lesson):
    other = Session(History(FEW))
    assert "overlay" in json.loads(served(lesson.boot, {"text": asked(FEW)})[1][2])
    assert "overlay" not in json.loads(served(other.boot, {"text": asked(FEW)})[1][2])


# ---------------------------------------------------------------- who is let in


def served(session, *frames, **headers):
    """What the server says to a socket that opens, sends some frames and leaves."""
    said = []

    async def run():
        frames_ = [{"type": "websocket.receive"} | frame for frame in frames]
        messages = iter([{"type": "websocket.connect"}, *frames_, {"type": "websocket.disconnect", "code": 1000}])

        async def receive():
            return next(messages)

        async def send(message):
            said.append(message)

        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        query = drag_socket.socket_address(session).partition("?")[2].encode()
        await drag_socket._serve(
            WebSocket({"type": "websocket", "path": "/", "query_string": query, "headers": raw}, receive, send)
        )

    loop.run(run())
    return [(m["type"].removeprefix("websocket."), m.get("code"), m.get("text")) for m in said]


REFUSED = [("close", 1000, None)]  # before it is accepted: the browser reads 403
TAKEN = [("accept", None, None)]


@pytest.fixture
def tab():
    return Session(History(FEW))


@pytest.mark.parametrize("boot", ["", "0" * 12, "a&boot=b"])
def test_a_socket_that_names_no_living_session_is_refused(boot):
    assert served(boot) == REFUSED


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "https://board.example", "null", "", "http://["])
def test_a_foreign_page_is_refused(origin, tab, monkeypatch):
    monkeypatch.setattr("streamlit.net_util.get_external_ip", lambda: None)  # which asks the network
    assert served(tab.boot, host="board.example:8501", origin=origin) == REFUSED


@pytest.mark.parametrize("headers", [{}, {"origin": "http://board.example:8501"}, {"origin": "http://localhost:3000"}])
def test_the_app_s_own_pages_and_what_is_no_page_are_let_in(headers, tab):
    assert served(tab.boot, host="board.example:8501", **headers) == TAKEN


def test_a_host_that_is_not_served_is_refused_though_its_page_is_its_own(tab):
    hostile = {"host": "evil.example", "origin": "http://evil.example"}
    assert served(tab.boot, **hostile) == TAKEN, "every host is served where none is named"
    before = config.get_option("server.allowedHosts")
    config.set_option("server.allowedHosts", ["board.example"])
    try:
        assert served(tab.boot, **hostile) == REFUSED
        assert served(tab.boot, host="board.example:8501", origin="http://board.example:8501") == TAKEN
    finally:
        config.set_option("server.allowedHosts", before)


def test_sockets_are_counted_for_each_session_and_in_all(tab, monkeypatch):
    other = Session(History(FEW))
    with ExitStack() as seats:
        for _ in range(drag_socket.SOCKETS_PER_SESSION):
            seats.enter_context(drag_socket._reserved_socket(tab.boot, "somebody"))
        assert served(tab.boot) == REFUSED
        assert served(other.boot) == TAKEN
        monkeypatch.setattr(drag_socket, "SOCKETS_IN_TOTAL", drag_socket.SOCKETS_PER_SESSION)
        assert served(other.boot) == REFUSED
    assert served(tab.boot) == TAKEN
    assert not drag_socket._sockets


def test_a_session_that_has_ended_has_no_sockets():
    boot = Session(History(FEW)).boot
    assert served(boot) == REFUSED


# ---------------------------------------------------------------- what is sent


def test_bytes_are_no_request_and_end_the_conversation(tab):
    assert served(tab.boot, {"bytes": b"x"}, {"text": asked(FEW)}) == [
        *TAKEN,
        ("close", drag_socket.CLOSE_BINARY, None),
    ]


def test_nonsense_ends_the_conversation(tab):
    _, picture, end = served(tab.boot, {"text": asked(FEW)}, {"text": "nonsense"})
    assert json.loads(picture[2]) == shown(FEW)
    assert end == ("close", drag_socket.CLOSE_MALFORMED, None)


@pytest.mark.mishap
def test_an_error_that_nobody_foresaw_ends_it_with_a_line_in_the_log(tab, monkeypatch, caplog):
    monkeypatch.setattr(state, "apply_to_lab", lambda *_: 1 // 0)
    assert served(tab.boot, {"text": asked(FEW)}) == [*TAKEN, ("close", drag_socket.CLOSE_FAILED, None)]
    assert "ZeroDivisionError" in caplog.text


# ---------------------------------------------------------------- the running app


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A server whose log is of these tests alone."""
    server = Server(tmp_path_factory.mktemp("live") / "log.txt")
    yield server
    server.kill()


def test_a_board_that_leaves_in_the_middle_is_no_error(own):
    server = own
    for _ in range(20):
        with connect(server.drag_socket()) as socket:
            socket.send(asked(FEW))
    with connect(server.drag_socket()) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
    assert "Traceback" not in server.log.read_text()


HOSTILE = {
    "nonsense": (lambda socket: socket.send("nonsense"), drag_socket.CLOSE_MALFORMED),
    "bytes": (lambda socket: socket.send(b"bytes"), drag_socket.CLOSE_BINARY),
    "no text": (lambda socket: socket.send(b"\xff", text=True), 1007),
    "an end without a beginning": (
        lambda socket: (socket.send(asked(FEW)), socket.socket.sendall(b"\x80\x80" + bytes(4))),
        1002,
    ),
    "20 MB announced": (lambda socket: socket.socket.sendall(b"\x81\xff" + (20_000_000).to_bytes(8) + bytes(4)), 1009),
}


def closed(socket_address, send):
    """The code with which the server closes a socket."""
    with connect(socket_address) as socket:
        try:
            send(socket)
            while True:
                socket.recv()
        except ConnectionClosed as end:
            return end.rcvd.code


def test_the_running_app_closes_a_socket_over_whatever_is_hostile_and_logs_no_trace(own):
    server = own
    for name, (send, code) in HOSTILE.items():
        assert closed(server.drag_socket(), send) == code, name
    assert "Traceback" not in server.log.read_text()


@pytest.mark.slow
def test_the_running_app_answers_its_own_boards_only(own):
    socket_address = own.drag_socket()
    with connect(socket_address) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
    with pytest.raises(InvalidStatus, match="403"), connect(socket_address.partition("?")[0]):
        pass


@pytest.mark.sweep
def test_below_a_base_path_the_socket_stands_beside_the_pages(new_server):
    with connect(new_server(base="/course").drag_socket()) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
