"""The link: there and back, and nothing but BadInput for what is not one."""

import base64
import json
import random
import zlib
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput
from svmlab.lab.session import share
from svmlab.lab.session.controls import CONTROLS, EDGE, LIMIT
from svmlab.lab.session.state import Lab, Point, begin

RUN = settings(max_examples=100, deadline=None, derandomize=True, database=None)


def values(control):
    if control.options:
        return st.sampled_from(control.options)
    if control.kind is bool:
        return st.booleans()
    if control.kind is int:
        return st.integers(int(control.low), int(control.high))
    return st.floats(control.low, control.high)


@st.composite
def labs(draw):
    place = st.integers(-EDGE, EDGE)
    rows = draw(st.lists(st.tuples(place, place, st.sampled_from((1, -1))), max_size=LIMIT))
    points = tuple(Point(i, *row) for i, row in enumerate(rows, start=1))
    return Lab(points=points, **{k: draw(values(c)) for k, c in CONTROLS.items()})


@RUN
@given(labs())
def test_a_lab_comes_back_from_its_link_as_it_was(lab):
    link = share.encode(lab)
    assert share.decode(link) == replace(lab, projector=False), "projector mode belongs to the room"
    assert share.encode(share.decode(link)) == link
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), "no quoting needed"


PLACED = tuple(Point(*row) for row in ((1, 0, 0, 1), (2, -8000, 8000, -1), (3, 1234, -567, 1)))
# Links in circulation: literal, made by the first encoder, whatever the code has become since.
GIVEN_OUT = {
    "1KxUuXQACe30AAA": Lab(),
    "1VWcDXQBZeyJrZXJuZWwiOiJwb2x5bm9taWFsIiwiZGVncmVlIjo1LCJjb2VmMCI6Mi41LCJzY2FsZSI6MC4xMjUsImZhY2UiOiJsYW1iZGEiLCJ2YWx1ZSI6MC4wMn0AAz6A-gQAD6ASCToT": Lab(
        points=PLACED, kernel="polynomial", degree=5, coef0=2.5, scale=0.125, value=0.02, face="lambda"
    ),
    "16kQCgwBReyJrZXJuZWwiOiJnYXVzc2lhbiIsInNpZ21hIjowLjM1LCJoYXJkIjp0cnVlLCJiaWFzIjpmYWxzZSwidmlldyI6Mi4wLCJsYWJlbCI6LTF9AAM-gPoEAA-gEgk6Ew": Lab(
        points=PLACED, kernel="gaussian", sigma=0.35, hard=True, bias=False, view=2.0, label=-1
    ),
    "1E5v4HQBFeyJrZXJuZWwiOiJzaWdtb2lkIiwiZGVncmVlIjo4LCJjb2VmMCI6MC4wLCJzY2FsZSI6MTAuMCwic2lnbWEiOjIwLjB9AAM-gPoEAA-gEgk6Ew": Lab(
        points=PLACED, kernel="sigmoid", degree=8, coef0=0.0, scale=10.0, sigma=20.0
    ),
    "1XFv76QBqeyJwcmVzZXQiOiJtb29ucyIsInNpemUiOjMwMCwibm9pc2UiOjAuMCwic2VlZCI6OTk5OTk5LCJkZWdyZWUiOjEsImNvZWYwIjoxMC4wLCJzY2FsZSI6MC4wMDEsInNpZ21hIjowLjA1fQADPoD6BAAPoBIJOhM": Lab(
        points=PLACED, preset="moons", size=300, noise=0.0, seed=999_999, degree=1, coef0=10.0, scale=0.001, sigma=0.05
    ),
}


@pytest.mark.parametrize(("link", "lab"), GIVEN_OUT.items(), ids=[lab.kernel for lab in GIVEN_OUT.values()])
def test_a_link_made_long_ago_opens_to_the_same_lab_and_is_still_what_that_lab_writes(link, lab):
    assert share.decode(link) == lab
    assert share.encode(lab) == link


def test_a_full_board_fits_into_an_address():
    rng = random.Random(5)
    points = [Point(i, rng.randint(-EDGE, EDGE), rng.randint(-EDGE, EDGE), rng.choice((1, -1))) for i in range(1, 301)]
    assert len(share.encode(Lab(points=tuple(points[:200])))) <= 1000
    assert len(share.encode(Lab(points=tuple(points)))) <= 1600


def test_selection_and_numbering_do_not_travel():
    lab = Lab(points=(Point(7, 1, 2, 1), Point(3, 4, 5, -1)), selected=3)
    assert share.decode(share.encode(lab)) == replace(
        lab, points=(Point(1, 1, 2, 1), Point(2, 4, 5, -1)), selected=None
    )


def refuse(link):
    with pytest.raises(BadInput) as caught:
        share.decode(link)
    assert "This link is damaged" in str(caught.value)


def test_five_hundred_damaged_links_are_refused_and_nothing_else_happens():
    rng = random.Random(1)
    whole = share.encode(begin().present)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for n in range(500):
        at = rng.randrange(1, len(whole) - 1)
        way = n % 5
        if way == 0:
            other = rng.choice(letters.replace(whole[at], ""))
            link = whole[:at] + other + whole[at + 1 :]
        elif way == 1:
            link = whole[:at]
        elif way == 2:
            link = whole[:at] + rng.choice(letters) * rng.randint(4, 9) + whole[at:]
        elif way == 3:
            link = "1" + "".join(rng.choices(letters, k=rng.randint(0, 200)))
        else:
            link = whole[:at] + rng.choice("%&=+ /äλ\x00😀") + whole[at + 1 :]
        refuse(link)


@RUN
@given(st.text(max_size=60))
def test_any_text_is_a_lab_or_refused(text):
    for link in (text, "1" + text):
        with suppress(BadInput):
            assert isinstance(share.decode(link), Lab)


def forged(head, points=b"\x00\x00"):
    """A link with a correct check sum over whatever stands in it."""
    raw = head if isinstance(head, bytes) else json.dumps(head).encode()
    body = len(raw).to_bytes(2, "big") + raw + points
    blob = zlib.crc32(body).to_bytes(4, "big") + body
    return "1" + base64.urlsafe_b64encode(blob).decode().rstrip("=")


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"{",
        b"\xff\xfe",
        {"kernel": "rbf"},
        {"kernel": ["linear"]},
        {"value": 0},
        {"value": -1},
        {"value": "1"},
        {"value": None},
        {"sigma": 1e9},
        {"degree": 2.5},
        {"size": True},
        {"hard": 1},
        {"view": 5},
        {"label": 0},
        b'{"value": NaN}',
        b'{"value": Infinity}',
        b"[" * 3000,
    ],
)
def test_a_forged_link_with_a_bad_setting_is_refused(head):
    refuse(forged(head))


def test_a_forged_link_with_bad_points_is_refused():
    refuse(forged({}, b"\x00\x01"))
    refuse(forged({}, (LIMIT + 1).to_bytes(2, "big") + bytes((29 * (LIMIT + 1) + 7) // 8)))
    refuse(forged({}, b"\x00\x01" + (2**29 - 1).to_bytes(4, "big")))


def test_an_unknown_setting_of_a_later_version_is_left_out():
    assert share.decode(forged({"colour": "red", "kernel": "gaussian"})) == Lab(kernel="gaussian")
