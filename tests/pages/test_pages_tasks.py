"""Boards whose points are not of two classes: of several, or values. What they keep, refuse, draw and say."""

import base64
import json
import zlib
from dataclasses import replace

import numpy as np
import pytest

from svmlab import BadInput
from svmlab.lab.board import board_data, classes_picture, drag_socket, encoded
from svmlab.lab.session import link, share, state
from svmlab.lab.session.controls import BINARY, CLASSES, LABELS, VALUES
from svmlab.lab.session.lab import Lab, Point, with_valid_labels
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.multiclass import MulticlassCategory, make_classes
from svmlab.regression import TubeCategory
from tests.pages.test_pages_live import asked, moved

SEEN = ("marks", "shade", "lines", "slack", "witness", "legend", "message")


def of_classes(name, **settings):
    data = make_classes(name)
    rows = enumerate(zip(data.X.tolist(), data.y.tolist(), strict=True), start=1)
    points = tuple(Point(i, round(1000 * x), round(1000 * y), label) for i, ((x, y), label) in rows)
    return Lab(points=points, task=CLASSES, value=10.0, **settings)


BLOBS = of_classes("blobs")
HEIGHTS = (-1.6, -1.1, -1.2, 0.2, 0.1, 0.9, 0.5, 1.9, 1.4, 2.6)
SLOPE = Lab(
    points=tuple(Point(i, 600 * i - 3000, round(1000 * y), 1) for i, y in enumerate(HEIGHTS, start=1)),
    task=VALUES,
    value=10.0,
    eps=0.4,
)
BOARDS = {
    "blobs": BLOBS,
    "rings": of_classes("rings", kernel="gaussian"),
    "values": SLOPE,
    "curve": replace(SLOPE, kernel="gaussian"),
}
every = pytest.mark.parametrize("lab", BOARDS.values(), ids=BOARDS)


def drawn(lab, **history):
    return json.loads(json.dumps(board_data(Session(History(lab, touched=True, **history)))))


@every
def test_a_board_comes_back_from_its_link(lab):
    assert share.encode(lab)[0] == "2"
    assert share.decode(share.encode(lab)) == lab


def test_a_label_that_a_link_cannot_mean_is_brought_home():
    settings = json.dumps({"task": CLASSES, "label": -1}).encode()
    body = len(settings).to_bytes(2, "big") + settings + (0).to_bytes(2, "big")
    blob = zlib.crc32(body).to_bytes(4, "big") + body
    assert share.decode("2" + base64.urlsafe_b64encode(blob).decode().rstrip("=")).label in LABELS[CLASSES]


@every
def test_it_is_no_board_of_one_s_own(lab):
    history = link.history_from_link(share.encode(lab), [[1, 0.0, 0.0, 1]])
    assert history.present.task == BINARY
    assert "lesson" in str(history.note)
    assert history.unread_link == share.encode(lab)


@pytest.mark.parametrize("task", LABELS)
def test_labels_of_another_task_are_brought_into_it(task):
    points = tuple(Point(i, 0, i, label) for i, label in enumerate((1, -1, 2, 3, 4), start=1))
    relabelled = with_valid_labels(Lab(points=points, task=task, label=4))
    assert {p.label for p in relabelled.points} | {relabelled.label} <= set(LABELS[task])
    second = {BINARY: -1, CLASSES: 2, VALUES: 1}[task]
    assert relabelled.points[1].label == second
    assert [p[:3] for p in relabelled.points] == [p[:3] for p in points]


@pytest.mark.parametrize(("task", "label"), [(BINARY, 2), (CLASSES, -1), (CLASSES, 5), (VALUES, -1)])
def test_a_point_with_another_label_is_refused(task, label):
    with pytest.raises(BadInput, match="one of the labels"):
        state.apply(History(Lab(task=task)), {"op": "add", "id": 1, "x": 0.0, "y": 0.0, "label": label})


def test_two_classes_and_three_have_other_keys_than_each_other():
    two = replace(BLOBS, points=tuple(p._replace(label=min(p.label, 2)) for p in BLOBS.points))
    assert two.key != BLOBS.key
    assert two.points_key != BLOBS.points_key
    assert two.data.key == BLOBS.data.key  # the first against the others is the same


@every
def test_the_socket_draws_what_the_page_draws_warm_or_cold(lab):
    last = None
    for step in range(3):
        lab = moved(lab, 4, 100 * step, 50 * step)
        answer, last = drag_socket.draw(asked(lab), last)
        page = drawn(lab, before_drag=lab)
        assert json.loads(answer) == {name: page[name] for name in SEEN}
        assert drag_socket.draw(asked(lab), None)[0] == answer
    assert drag_socket.draw(asked(lab), Session(History(Lab())).cache.last)[0] == answer


def test_a_place_has_the_colour_of_the_largest_f_as_strong_as_svms_say_yes():
    shade = drawn(BLOBS)["shade"]
    codes = np.frombuffer(base64.b64decode(shade["data"]), np.uint8).reshape(shade["n"], -1)
    at = np.linspace(-BLOBS.view, BLOBS.view, shade["n"])
    Z = np.stack(np.meshgrid(at, at[::-1]), -1).reshape(-1, 2)
    machines = Session(History(BLOBS)).cache.task_outcome(BLOBS).solution
    assert np.array_equal(codes.ravel() >> 5, machines.predict(Z) - 1)
    strength = codes.ravel() & 31
    yes, cell = machines.count_positive(Z), at[1] - at[0]
    norms = np.array([machine.norm_w for machine in machines.machines])
    clear = (np.abs(machines.decision(Z)) > 0.51 * cell * norms).all(
        1
    )  # of boundaries, across which it goes over softly
    assert 0.8 < clear.mean() < 1
    assert [set(strength[clear & (yes == n)].tolist()) for n in range(3)] == [{n} for n in classes_picture.STRENGTH]
    edge = ~clear & (np.abs(machines.decision(Z)).argmin(1) == machines.decision(Z).argmax(1)) & (yes < 2)
    assert classes_picture.STRENGTH[0] < np.median(strength[edge]) < classes_picture.STRENGTH[1]


def test_an_svm_without_a_line_makes_a_shading_of_one_strength():
    f = np.stack([np.full((9, 9), -1.0), np.full((9, 9), 1.0), np.full((9, 9), 1e-17)])
    codes = np.frombuffer(base64.b64decode(classes_picture.regions(f, [0, 1, 2], 1e-12)["data"]), np.uint8)
    assert set(codes.tolist()) == {32 + classes_picture.STRENGTH[1]}


def test_a_border_is_where_two_f_are_the_largest():
    machines = Session(History(BLOBS)).cache.task_outcome(BLOBS).solution
    lines = drawn(BLOBS)["lines"]["zero"]
    Z = np.concatenate([np.reshape(border, (-1, 2)) for border in lines])
    f = np.sort(machines.decision(Z), 1)
    assert len(Z) > 50
    assert np.abs(f[:, -1] - f[:, -2]).max() < 0.05
    assert np.median(np.abs(f[:, -1] - f[:, -2])) < 1e-3


def test_legend_and_marks_count_the_same_points():
    for lab, kinds in ((BLOBS, len(MulticlassCategory)), (SLOPE, len(TubeCategory))):
        data = drawn(lab)
        cats = {each["key"]: each["count"] for each in data["legend"]["cats"]}
        assert len(cats) == kinds
        assert sum(cats.values()) == sum(each["count"] for each in data["legend"]["groups"]) == len(lab.points)
        assert {key: data["marks"]["cat"].count(key) for key in cats} == cats
        assert sorted(c for each in data["legend"]["groups"] for c in each["cats"]) == sorted(cats)


def test_the_tube_is_drawn_at_its_width_and_slack_stands_upright_on_it():
    data = drawn(SLOPE)
    zero, plus, minus = (np.reshape(data["lines"][name][0], (-1, 2)) for name in ("zero", "plus", "minus"))
    assert plus[:, 1] - zero[:, 1] == pytest.approx(SLOPE.eps, abs=2e-4)
    assert zero[:, 1] - minus[:, 1] == pytest.approx(SLOPE.eps, abs=2e-4)
    fit = Session(History(SLOPE)).cache.task_outcome(SLOPE).solution
    assert len(data["slack"]) == sum(place is TubeCategory.OUTSIDE for place in fit.categories) > 0
    f = dict(zip((p.id for p in SLOPE.points), fit.decision(fit.problem.data.X), strict=True))
    for id_, x0, _y0, x1, y1 in data["slack"]:
        assert x0 == x1
        assert abs(y1 - f[id_]) == pytest.approx(SLOPE.eps, abs=1e-3)


@pytest.mark.parametrize("lab", [of_classes("row", hard=True), replace(SLOPE, hard=True)], ids=[CLASSES, VALUES])
def test_what_cannot_be_solved_is_said_and_the_points_stay(lab):
    data = drawn(lab)
    assert len(data["points"]) == len(lab.points)
    assert data["message"]["tone"] == "warn"
    assert data["lines"] is None


@pytest.mark.parametrize("task", [CLASSES, VALUES])
def test_an_empty_board_says_what_a_click_does(task):
    data = drawn(Lab(task=task))
    assert "Click to add a point" in data["empty"]["text"]
    assert data["labels"] == list(LABELS[task])
    one = drawn(Lab(points=(Point(1, 0, 0, 1),), task=task))
    assert one["message"] is not None


def test_everything_that_a_point_can_be_has_words():
    said = board_data(Session(History(Lab())))
    text = json.loads(encoded(said))["text"]
    for lab in BOARDS.values():
        data = drawn(lab)
        assert {f"{kind}_{each['key']}" for each in data["legend"]["cats"] for kind in ("is", "role")} <= set(text)
        assert {f"heard_{lab.task}_{label}" for label in LABELS[lab.task]} <= set(text)
