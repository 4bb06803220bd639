"""Mistakes that the pages made once."""

import base64
import zlib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import svmlab
from svmlab import BadInput
from svmlab.lab.board import board_data
from svmlab.lab.session import inbox, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session

APP = Path(svmlab.__file__).parents[1] / "app.py"
LAB = Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, -2000, 1)))


def forged(raw, points=b"\x00\x00"):
    body = len(raw).to_bytes(2, "big") + raw + points
    blob = zlib.crc32(body).to_bytes(4, "big") + body
    return "1" + base64.urlsafe_b64encode(blob).decode().rstrip("=")


@pytest.mark.parametrize("raw", [b"[]", b"1", b"null", b"NaN", b'{"size": 1' + b"0" * 400 + b"}"])
def test_a_forged_link_whose_settings_are_no_settings_is_refused(raw):
    with pytest.raises(BadInput):
        share.decode(forged(raw))


@pytest.mark.parametrize(
    "op",
    [
        {"op": "set", "values": [1]},
        {"op": "set", "values": None},
        {"op": "preset", "values": "x"},
        {"op": "points", "points": [[1, 0, 0, 1], [1, 1, 1, -1]]},
    ],
)
def test_a_malformed_operation_is_left_out_and_the_page_goes_on(op):
    session = Session(History(LAB))
    inbox.receive(session, {"boot": session.boot, "seq": 1, "ops": [op]})
    board_data(session)
    assert session.ack == 1


@pytest.mark.parametrize("tab", ["points", "certificate", "code"])
def test_every_tab_opens_on_an_empty_board(tab):
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params["s"] = share.encode(Lab())
    at.run()
    at.segmented_control(key="tab").set_value(tab).run()
    assert not at.exception, at.exception[0].value
