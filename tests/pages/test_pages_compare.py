"""Two machines on the same points: each step can be undone, the link and the socket carry both, each board speaks for
itself."""

import json
from dataclasses import replace

import pytest

from svmlab import BadInput
from svmlab.lab.bench import compare as bench
from svmlab.lab.board import board_data, drag_socket, second_board
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.session import c_and_lambda, compare, inbox, link, share
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History, apply, history_of_active, same_content, switch_C_and_lambda
from svmlab.lab.session.svm_settings import SVM_SETTING_NAMES, SvmSettings, as_json, from_json, setting_values
from svmlab.lab.session.tab import LinkState, Session

FOUR = (Point(3, 1000, 500, 1), Point(7, -1000, 0, -1), Point(9, 0, -2000, 1), Point(4, -500, 900, -1))
ONE = Lab(points=FOUR)
CURVED = SvmSettings(kernel="gaussian", sigma=0.5, value=100.0)
TWO = compare.with_second(ONE, CURVED)
OPEN = {"op": "load", "lab": TWO}
PAIR = Additions(second=True)


def both(lab):
    return setting_values(lab), setting_values(lab.second)


def test_a_second_board_is_one_step_and_the_controls_change_it():
    history = apply(History(ONE), OPEN)
    assert (history.present.active, history.present.second_lab.kernel) == ("B", "gaussian")
    assert history.present.second_lab.data.key == ONE.data.key
    assert apply(history, {"op": "undo"}).present.second is None
    assert apply(apply(history, {"op": "undo"}), {"op": "redo"}).present == TWO


@pytest.mark.parametrize(
    "op",
    [
        {"op": "set", "values": {"B.kernel": "linear"}},
        {"op": "set", "values": {"B.hard": True, "B.bias": False}},
        {"op": "load", "lab": compare.swapped(TWO)},
        {"op": "load", "lab": compare.with_equal_settings(TWO)},
        {"op": "load", "lab": compare.keep_only(TWO, "B")},
        {"op": "load", "lab": compare.keep_only(TWO, "A")},
    ],
)
def test_every_change_of_the_second_svm_is_taken_back_by_undo(op):
    history = apply(History(TWO), op)
    assert not same_content(history.present, TWO)
    assert same_content(apply(history, {"op": "undo"}).present, TWO)
    assert same_content(apply(apply(history, {"op": "undo"}), {"op": "redo"}).present, history.present)


def test_a_slider_under_the_second_board_scrubs_its_penalty_alone_and_is_one_step():
    history = History(TWO)
    for value in (80.0, 40.0):
        history = apply(history, {"op": "set", "values": {"B.value": value}, "live": True})
    assert not history.past
    history = apply(history, {"op": "set", "values": {"B.value": 20.0}})
    assert (history.present.value, history.present.second.value, len(history.past)) == (1.0, 20.0, 1)


def test_points_are_there_once():
    moved = apply(History(TWO), {"op": "move", "id": 3, "x": 2, "y": 2}).present
    assert moved.points[0] == moved.second_lab.points[0] == Point(3, 2000, 2000, 1)
    assert both(moved) == both(TWO)


def test_to_choose_whose_controls_is_no_step_and_undo_leaves_it():
    history = apply(apply(History(TWO), {"op": "set", "values": {"B.value": 7.0}}), {"op": "active", "on": "A"})
    assert (len(history.past), history.present.active_lab.kernel) == (1, "linear")
    assert apply(history, {"op": "undo"}).present.active == "A"
    with pytest.raises(BadInput, match="active"):
        apply(history, {"op": "active", "on": "C"})


def test_swapped_twice_is_as_before_and_alike_takes_from_the_one_in_hand():
    assert both(compare.swapped(TWO)) == both(TWO)[::-1]
    assert compare.swapped(compare.swapped(TWO)) == TWO
    for active, kernel in (("A", "linear"), ("B", "gaussian")):
        same = compare.with_equal_settings(replace(TWO, active=active))
        assert setting_values(same) == setting_values(same.second)
        assert same.kernel == kernel


def test_one_board_is_kept_with_its_svm():
    assert compare.keep_only(TWO, "A") == ONE
    assert compare.keep_only(TWO, "B") == replace(ONE, **setting_values(CURVED))


def test_controls_name_the_settings_of_the_svm_in_hand():
    assert compare.active_setting_names(TWO, {"sigma": 2.0, "seed": 1}) == {"B.sigma": 2.0, "seed": 1}
    assert compare.active_setting_names(replace(TWO, active="A"), {"sigma": 2.0}) == {"sigma": 2.0}
    assert compare.active_setting_names(replace(TWO, second=None), {"sigma": 2.0}) == {"sigma": 2.0}
    priced = compare.with_active_settings(TWO, switch_C_and_lambda(TWO.active_lab, "lambda"))
    assert (priced.face, priced.second.face, priced.second.value) == ("C", "lambda", 1 / 400)


def test_the_other_parameter_of_the_second_penalty_and_back_loses_nothing():
    start = apply(History(TWO), {"op": "set", "values": {"B.value": 0.3}})
    there = compare.with_active_settings(
        start.present, c_and_lambda.switch_C_and_lambda_exactly(history_of_active(start), "lambda")
    )
    turned = apply(start, {"op": "load", "lab": there})
    assert (turned.present.face, turned.present.second.face) == ("C", "lambda")
    assert (
        compare.with_active_settings(
            turned.present, c_and_lambda.switch_C_and_lambda_exactly(history_of_active(turned), "C")
        ).second.value
        == 0.3
    )


@pytest.mark.parametrize(("value", "is_clipped"), [(1.0, False), (CONTROLS["value"].high, True)])
def test_a_value_that_the_limits_of_the_other_parameter_clip_is_named_until_something_else_is_done(value, is_clipped):
    start = apply(History(ONE), {"op": "set", "values": {"value": value}})
    turned = apply(start, {"op": "load", "lab": c_and_lambda.switch_C_and_lambda_exactly(start, "lambda")})
    exact = 1.0 / (value * len(ONE.points))
    assert (turned.present.value != exact) == is_clipped
    assert c_and_lambda.value_before_clipping(turned) == (exact if is_clipped else None)
    after = apply(turned, {"op": "set", "values": {"kernel": "gaussian"}})
    assert [c_and_lambda.value_before_clipping(history) for history in (start, after)] == [None, None]


def test_a_setting_of_a_board_that_is_no_more_changes_nothing():
    assert apply(History(ONE), {"op": "set", "values": {"B.value": 2.0}}).present == ONE


@pytest.mark.parametrize("name", ["B.view", "B.points", "B.B.value", "B."])
def test_what_is_no_setting_of_an_svm_has_no_second(name):
    with pytest.raises(KeyError):
        apply(History(TWO), {"op": "set", "values": {name: 1}})


def test_a_bad_value_of_the_second_svm_is_refused_by_name():
    with pytest.raises(BadInput, match="value"):
        apply(History(TWO), {"op": "set", "values": {"B.value": -1}})


# ---------------------------------------------------------------- link


@pytest.mark.parametrize(
    "lab", [TWO, replace(TWO, active="A"), replace(TWO, second=SvmSettings(hard=True, bias=False))]
)
def test_the_link_carries_both_svms_and_whose_controls(lab):
    back = share.decode(share.encode(lab))
    assert (both(back), back.active) == (both(lab), lab.active)
    assert share.encode(back) == share.encode(lab)


def test_the_address_brings_both_boards_back():
    session = Session(History(TWO))
    other = Session(History(ONE))
    link.restore(other, link.query_string(link.location_of(session)))
    assert (both(other.lab), other.lab.active) == (both(TWO), "B")


def test_a_link_of_one_board_is_what_it_was():
    assert share.encode(compare.keep_only(TWO, "A")) == share.encode(ONE)


def test_a_reader_that_knows_no_second_board_shows_the_first(monkeypatch):
    monkeypatch.setattr(share, "SECOND", "third")  # as an older version, for which it is an unknown setting
    assert share.decode(share.encode(TWO)).second is not None
    monkeypatch.undo()
    said = share.encode(TWO)
    monkeypatch.setattr(share, "SECOND", "third")
    assert share.decode(said).second is None


def test_what_a_link_says_of_the_svm_is_checked():
    assert from_json(as_json(CURVED) | {"colour": "red"}) == CURVED
    for said in ({"kernel": "cubic"}, {"value": -1}, [1], "gaussian"):
        with pytest.raises(BadInput):
            from_json(said)


# ---------------------------------------------------------------- the boards


def test_each_board_has_its_own_picture_name_and_sliders():
    lab = replace(TWO, value=0.1)
    session = Session(History(lab, touched=True))
    one, two = board_data(session), board_data(session, added=PAIR)
    alone = board_data(Session(History(lab.second_lab, touched=True)))
    for part in ("marks", "shade", "lines", "slack", "legend"):
        assert two["second"][part] == alone[part] != one[part], part
    assert [each["text"] for each in two["boardNames"]] == ["Linear, C = 0.1", "Gaussian, σ = 0.5, C = 100"]
    assert [each["key"] for each in (*two["sliders"], *two["second"]["sliders"])] == ["value", "B.value", "B.sigma"]
    assert [each["title"][:2] for each in (two["sliders"][0], two["second"]["sliders"][0])] == ["A:", "B:"]
    assert [each["caption"]["name"][:8] for each in (two, two["second"])] == ["svmlab-A", "svmlab-B"]
    assert two["heard"].keys() == {
        "points",
        *(f"{name} {board}" for name in ("margin", "support", "errors") for board in "AB"),
    }
    assert [two["heard"][f"margin {board}"] for board in "AB"] == [
        f"A: {one['heard']['margin']}",
        f"B: {alone['heard']['margin']}",
    ]
    assert board_data(Session(History(ONE)), added=PAIR)["second"] is None


def test_a_name_says_what_is_unusual():
    assert second_board.machine_name(replace(ONE, hard=True, bias=False)) == "Linear, hard margin, no bias"
    assert second_board.machine_name(replace(ONE, face="lambda", value=0.25)) == "Linear, λ = 0.25"


def test_an_svm_that_does_not_exist_is_said_on_its_own_board():
    crossed = replace(TWO, points=(*FOUR, Point(11, -900, 300, 1)), second=SvmSettings(hard=True))
    session = Session(History(crossed, touched=True))
    assert board_data(session)["marks"]
    assert board_data(session)["message"] is None
    assert "No boundary" in board_data(session, added=PAIR)["second"]["message"]["text"]
    table = bench.figures(crossed, (session.solve(crossed), session.solve(crossed.second_lab)))
    assert "no classifier" in table
    assert "B − A" not in table


def test_what_was_done_last_is_said_once():
    session = Session(History(TWO, note="Opened a file.", touched=True))
    assert board_data(session)["message"]["text"].startswith("Opened")
    assert "Opened" not in str(board_data(session, added=PAIR)["second"]["message"])


def test_what_is_hidden_is_hidden_under_both():
    session = Session(History(TWO))
    session.link = LinkState(hidden=("price",))
    assert [
        each["key"]
        for each in (*board_data(session, added=PAIR)["sliders"], *board_data(session, added=PAIR)["second"]["sliders"])
    ] == ["B.sigma"]


def test_a_drag_brings_both_pictures_as_the_page_shows_them():
    ops = [{"op": "move", "id": 3, "x": 1.5, "y": 1}, {"op": "set", "values": {"B.value": 9.0}}]
    moved = History(TWO)
    for op in ops:
        moved = apply(moved, op)
    points = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in moved.present.points]
    asked = {"share": share.encode(TWO), "ops": [{"op": "points", "points": points}, ops[1]]}
    drawn = json.loads(drag_socket.draw(json.dumps(asked | {"second": True}), None)[0])
    page = board_data(Session(replace(moved, before_drag=TWO)), added=PAIR)
    page["second"] = {name: page["second"][name] for name in page["second"] if name not in ("sliders", "caption")}
    assert drawn["second"] == json.loads(json.dumps(page["second"]))
    assert drawn["boardNames"] == page["boardNames"]
    assert "second" not in json.loads(drag_socket.draw(json.dumps(asked), None)[0]), (
        "a page with one board asks for one"
    )


# ---------------------------------------------------------------- what is chosen


def test_the_pinned_fit_becomes_the_second_board_and_back():
    session = Session(History(replace(ONE, **setting_values(CURVED))))
    session.boards.pinned = ONE
    bench.start_comparison(session, bench.SECOND)
    assert (session.lab.kernel, session.lab.second.kernel, session.lab.active) == ("gaussian", "linear", "A")
    assert session.boards.pinned is None
    bench.start_comparison(session, bench.GHOST)
    assert (session.lab.kernel, session.lab.second, session.boards.pinned.kernel) == ("gaussian", None, "linear")
    bench.start_comparison(session, None)
    assert (session.boards.pinned, session.lab.kernel) == (None, "gaussian")


def test_without_a_pinned_fit_both_begin_alike_and_closing_keeps_the_one_in_hand():
    session = Session(History(ONE))
    bench.start_comparison(session, bench.SECOND)
    assert setting_values(session.lab) == setting_values(session.lab.second)
    inbox.do(session, {"op": "set", "values": compare.active_setting_names(session.lab, {"value": 50.0})})
    bench.start_comparison(session, None)
    assert (session.lab.value, session.lab.second) == (50.0, None)
    inbox.do(session, {"op": "undo"})
    assert (session.lab.value, session.lab.second.value) == (1.0, 50.0)


def test_lengths_of_two_feature_spaces_have_no_difference():
    session = Session(History(TWO))
    a, b, dear = (session.solve(lab).solution for lab in (ONE, TWO.second_lab, replace(ONE, value=0.1)))
    names = bench.figure_names(ONE)
    to_other_space, to_other_C = (dict(zip(names, bench.differences(a, other), strict=True)) for other in (b, dear))
    assert to_other_space["margin"] == ("", bench.OTHER_SPACE)
    assert float(to_other_C["margin"][1]) == 1 / dear.norm_w - 1 / a.norm_w
    assert float(to_other_space["slack"][1]) == float(b.xi.sum() - a.xi.sum())
    assert to_other_C["gap"] == ("", "")


def test_every_setting_of_an_svm_has_a_place_in_both():
    assert set(SVM_SETTING_NAMES) == {*setting_values(SvmSettings())} == {*both(TWO)[0]}
