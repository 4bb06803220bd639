"""The pictures that come past the page while something is dragged are those that the page would show."""

import json
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from svmlab.kernels import KERNELS
from svmlab.lab.board import board_of, live
from svmlab.lab.session import share, state
from svmlab.lab.session.controls import LIMIT
from svmlab.lab.session.state import History, Lab, Point
from svmlab.lab.session.tab import Session

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
    data = board_of(Session(History(lab, held=lab, touched=True)))
    return json.loads(json.dumps({name: data[name] for name in (*SEEN, "message")}))


def moved(lab, row, x, y):
    p = lab.points[row]
    return replace(lab, points=(*lab.points[:row], p._replace(x=x, y=y), *lab.points[row + 1 :]))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_picture_is_the_page_s_own_warm_or_cold(kernel):
    lab, last = state.with_preset(replace(Lab(), preset="overlapping", size=60, kernel=kernel)), None
    for step in range(5):
        lab = moved(lab, 5, 100 * step, 50 * step)
        answer, last = live.draw(asked(lab), last)
        assert json.loads(answer) == shown(lab)
        assert live.draw(asked(lab), None)[0] == answer


def test_a_setting_on_its_way_counts():
    lab = state.with_preset(replace(Lab(), kernel="gaussian"))
    answer, _ = live.draw(asked(lab, {"op": "set", "values": {"value": 0.05, "sigma": 2.0}, "live": True}), None)
    assert json.loads(answer) == shown(replace(lab, value=0.05, sigma=2.0)) != shown(lab)


def test_points_keep_their_own_numbers():
    answer, _ = live.draw(asked(replace(FEW, value=0.3)), None)
    assert {row[0] for row in json.loads(answer)["slack"]} == {3, 7}, "ids, not rows"


def test_a_hard_margin_that_does_not_exist_shows_its_witness_and_the_way_back_is_warm():
    lab = replace(FEW, points=(*FEW.points, Point(11, 1000, 400, -1), Point(12, 1000, 600, -1)), hard=True)
    answer, last = live.draw(asked(lab), None)
    assert json.loads(answer)["witness"]["ids"]
    assert json.loads(answer)["marks"] is None
    assert "No boundary" in json.loads(answer)["message"]["text"]
    assert last is None
    answer, last = live.draw(asked(moved(moved(lab, 4, -900, 0), 5, -900, 100)), last)
    assert json.loads(answer)["marks"]
    assert last is not None


def test_a_board_without_points_has_no_picture():
    assert json.loads(live.draw(asked(Lab()), None)[0])["lines"] is None


MALFORMED = [
    "", "{", "null", "[]", "{}", json.dumps({"share": share.encode(FEW)}), json.dumps({"share": "1damaged", "ops": []}),
    json.dumps({"share": 7, "ops": []}), json.dumps({"share": share.encode(FEW), "ops": 3}), json.dumps({"share": share.encode(FEW), "ops": ["fly"]}),
    json.dumps({"share": share.encode(FEW), "ops": [{"op": "points", "points": [[1, 0, None, 1]]}]}),
    json.dumps({"share": share.encode(FEW), "ops": [{"op": "set", "values": {"value": -1}}]}), " " * (live.LARGEST + 1),
    "[" * (live.LARGEST - 1),
]  # fmt: skip


@pytest.mark.parametrize("request_", MALFORMED, ids=range(len(MALFORMED)))
def test_a_request_that_makes_no_sense_is_refused(request_):
    with pytest.raises(live.WRONG):
        live.draw(request_, None)


def test_300_points_fit_into_a_request():
    points = tuple(Point(2**31 - 1 - i, -7999, -7999 + i, 1 - 2 * (i % 2)) for i in range(LIMIT))
    assert len(asked(replace(FEW, points=points))) < live.LARGEST


def test_a_board_that_leaves_in_the_middle_is_no_error(new_server):
    server = new_server()
    for _ in range(20):
        with connect(server.live) as socket:
            socket.send(asked(FEW))
    with connect(server.live) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
    assert "Traceback" not in server.log.read_text()


def test_the_running_app_answers_on_its_socket_and_closes_it_over_nonsense(app):
    with connect(app.live) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
        socket.send("nonsense")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
        assert closed.value.rcvd.code == live.MALFORMED


def test_below_a_base_path_the_socket_stands_beside_the_pages(new_server):
    with connect(new_server(base="/course").live) as socket:
        socket.send(asked(FEW))
        assert json.loads(socket.recv()) == shown(FEW)
