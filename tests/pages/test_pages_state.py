"""The laws of state: pure, undoable, one step for one deed."""

from copy import deepcopy
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput
from svmlab.lab.session.controls import EDGE, MAX_POINTS
from svmlab.lab.session.lab import VIEW_FIELDS, Lab, Point
from svmlab.lab.session.state import History, apply, initial_history

RUN = settings(max_examples=80, deadline=None, derandomize=True, database=None)
START = History(Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, -2000, 1))))


def content(lab):
    return {f.name: getattr(lab, f.name) for f in fields(Lab) if f.name not in VIEW_FIELDS}


def looks(lab):
    return {name: getattr(lab, name) for name in VIEW_FIELDS}


ids = st.integers(1, 6)
place = st.floats(-9, 9)
label = st.sampled_from((1, -1))
moves = st.builds(
    lambda i, x, y, live: {"op": "move", "id": i, "x": x, "y": y, "live": live}, ids, place, place, st.booleans()
)
deeds = st.one_of(
    moves,
    st.builds(lambda i, x, y, c: {"op": "add", "id": i, "x": x, "y": y, "label": c}, ids, place, place, label),
    st.builds(lambda i: {"op": "delete", "ids": i}, st.lists(ids, max_size=3)),
    st.just({"op": "clear"}),
    st.builds(lambda k: {"op": "set", "values": {"kernel": k}}, st.sampled_from(("linear", "gaussian"))),
    st.builds(lambda v: {"op": "set", "values": {"value": v}}, st.floats(1e-6, 1e6)),
    st.builds(lambda p: {"op": "preset", "values": {"preset": p, "size": 6}}, st.sampled_from(("xor", "four_corners"))),
    st.just({"op": "points", "points": [[1, 1, 1, 1], [2, -1, -1, -1]]}),
)
glances = st.one_of(
    st.builds(lambda i: {"op": "select", "id": i}, st.one_of(st.none(), ids)),
    st.builds(lambda c: {"op": "label", "label": c}, label),
    st.builds(lambda v: {"op": "view", "half": v}, st.sampled_from((2, 4, 8))),
)
travels = st.sampled_from(({"op": "undo"}, {"op": "redo"}))


def run(history, ops):
    for op in ops:
        history = apply(history, op)
    return history


@RUN
@given(st.lists(st.one_of(deeds, glances, travels), max_size=12))
def test_apply_never_changes_what_it_is_given(ops):
    history = START
    for op in ops:
        kept, said = deepcopy(history), deepcopy(op)
        after = apply(history, op)
        assert history == kept
        assert op == said
        history = after


@RUN
@given(st.lists(st.one_of(deeds, glances), max_size=8), deeds)
def test_undo_restores_the_content_and_redo_repeats_the_deed(before, deed):
    history = run(START, [op for op in before if not op.get("live")])
    after = apply(history, deed | ({"live": False} if deed["op"] == "move" else {}))
    if len(after.past) == len(history.past):
        assert content(after.present) == content(history.present), "no step, so no change"
        return
    assert len(after.past) == len(history.past) + 1
    back = apply(after, {"op": "undo"})
    assert content(back.present) == content(history.present)
    again = apply(back, {"op": "redo"})
    assert content(again.present) == content(after.present)
    assert content(apply(again, {"op": "undo"}).present) == content(history.present)


@RUN
@given(st.lists(deeds, max_size=10))
def test_undo_to_the_beginning_and_redo_to_the_end(ops):
    end = run(START, [*ops, {"op": "move", "id": 0, "x": 0, "y": 0, "live": False}])
    back = run(end, [{"op": "undo"}] * (len(ops) + 1))
    assert content(back.present) == content(START.present)
    assert back.past == ()
    forth = run(back, [{"op": "redo"}] * (len(ops) + 1))
    assert content(forth.present) == content(end.present)
    assert forth.future == ()


def test_undo_leaves_the_view_as_long_as_it_shows_all_points():
    near_the_edge = [{"op": "add", "id": i, "x": x, "y": 3.9, "label": 1} for i, x in ((1, -3.9), (2, 3.9))]
    seen = run(History(Lab()), [{"op": "view", "half": 4}, *near_the_edge, {"op": "delete", "ids": [1]}])
    assert apply(seen, {"op": "undo"}).present.view == 4
    closer = apply(seen, {"op": "view", "half": 2})
    assert apply(closer, {"op": "undo"}).present.view > 3.9


@RUN
@given(glances)
def test_looking_is_no_step_and_survives_undo(glance):
    history = run(START, [{"op": "delete", "ids": [3]}])
    looked = apply(history, glance)
    assert looked.past == history.past
    back = apply(looked, {"op": "undo"})
    undone, before_undo = looks(back.present), looks(looked.present)
    assert undone["view"] >= before_undo["view"], "only a view too small for its points grows"
    assert {**undone, "view": 0} == {**before_undo, "view": 0}


def drag(id_, *places, drop=True):
    ops = [{"op": "move", "id": id_, "x": x, "y": y, "live": True} for x, y in places]
    return [*ops, ops[-1] | {"live": False}] if drop else ops


@RUN
@given(st.lists(st.tuples(place, place), min_size=1, max_size=15))
def test_a_drag_of_many_moves_is_one_step(places):
    after = run(START, drag(2, *places))
    moved = after.present.points != START.present.points
    assert len(after.past) == moved
    assert after.before_drag is None
    assert apply(after, {"op": "undo"}).present.points == START.present.points


def test_a_drag_that_was_said_again_as_one_whole_set_is_one_step():
    whole = [[p.id, p.x / 1000 + 0.5, p.y / 1000, p.label] for p in START.present.points]
    middle = apply(run(START, drag(2, (0, 0), drop=False)), {"op": "points", "points": whole, "live": True})
    assert (middle.past, middle.before_drag) == (START.past, START.present)
    after = run(middle, drag(2, (1, 1)))
    assert len(after.past) == len(START.past) + 1
    assert apply(after, {"op": "undo"}).present.points == START.present.points


def test_while_a_drag_goes_on_nothing_is_committed():
    history = run(START, drag(2, (0, 0), (1, 1), drop=False))
    assert history.past == ()
    assert history.before_drag == START.present
    assert history.present.points[1] == Point(2, 1000, 1000, -1)


def test_a_drag_that_ends_where_it_began_is_no_step():
    after = run(START, drag(2, (3, 3), (-1.0, 0.0)))
    assert after.past == ()
    assert after.present == START.present


@pytest.mark.parametrize("live", [False, True])
def test_a_move_that_changes_nothing_is_no_step(live):
    after = apply(START, {"op": "move", "id": 1, "x": 1.0, "y": 0.5, "live": live})
    assert (after.present, after.past, after.before_drag) == (START.present, (), None)


def test_a_drag_onto_the_bin_is_one_step_back_to_where_the_point_was():
    after = run(START, [*drag(2, (3, 3), drop=False), {"op": "delete", "ids": [2]}])
    assert len(after.past) == 1
    assert apply(after, {"op": "undo"}).present.points == START.present.points


def test_a_new_deed_forgets_what_was_undone():
    history = run(START, [{"op": "clear"}, {"op": "undo"}])
    assert history.future
    after = apply(history, {"op": "delete", "ids": [1]})
    assert after.future == ()
    assert apply(after, {"op": "redo"}) == after


def test_undo_in_the_middle_of_a_drag_takes_the_drag_back_and_redo_repeats_it():
    before = run(START, [{"op": "delete", "ids": [3]}])
    dragged = run(before, drag(2, (0, 0), (1, 1), drop=False))
    back = apply(dragged, {"op": "undo"})
    assert (back.present, back.before_drag) == (before.present, None)
    assert apply(back, {"op": "redo"}).present == dragged.present
    assert apply(back, {"op": "undo"}).present.points == START.present.points
    assert apply(dragged, {"op": "redo"}).past == (START.present, before.present), "nothing to redo: the drag is a step"


def test_undo_and_redo_at_the_ends_change_nothing():
    assert apply(START, {"op": "undo"}) == START
    assert apply(START, {"op": "redo"}) == START


def test_two_hundred_steps_are_kept():
    ops = [{"op": "move", "id": 1, "x": i / 100, "y": 0, "live": False} for i in range(250)]
    assert len(run(START, ops).past) == 200


def test_the_board_takes_three_hundred_points_and_no_more():
    full = History(Lab(points=tuple(Point(i, i, i, 1) for i in range(1, MAX_POINTS + 1))))
    assert apply(full, {"op": "add", "id": 999, "x": 0, "y": 0, "label": 1}).present == full.present
    many = [[i, 0, 0, 1] for i in range(MAX_POINTS + 50)]
    assert len(apply(START, {"op": "points", "points": many}).present.points) == MAX_POINTS


def test_coordinates_are_rounded_to_thousandths_within_the_board():
    after = apply(START, {"op": "add", "id": 9, "x": 1.23456, "y": 99, "label": -1})
    assert after.present.points[-1] == Point(9, 1235, EDGE, -1)


@pytest.mark.parametrize(
    "op",
    [
        {"op": "add", "id": 9, "x": float("nan"), "y": 0, "label": 1},
        {"op": "add", "id": 9, "x": "1", "y": 0, "label": 1},
        {"op": "add", "id": -1, "x": 0, "y": 0, "label": 1},
        {"op": "add", "id": 2**31, "x": 0, "y": 0, "label": 1},
        {"op": "add", "id": 9, "x": 0, "y": 0, "label": 2},
        {"op": "label", "label": 0},
        {"op": "view", "half": 5},
        {"op": "set", "values": {"kernel": "none"}},
        {"op": "set", "values": {"value": 0}},
        {"op": "preset", "values": {"preset": "none"}},
    ],
)
def test_a_bad_value_is_refused(op):
    with pytest.raises(BadInput):
        apply(START, op)


def test_an_unknown_operation_changes_nothing():
    assert apply(START, {"op": "fly"}).present == START.present
    assert apply(START, {}).present == START.present


def test_a_second_point_with_the_same_id_is_not_added():
    assert apply(START, {"op": "add", "id": 1, "x": 0, "y": 0, "label": 1}).present == START.present


def test_a_new_point_may_be_the_selected_one_and_undo_takes_both_back():
    add = {"op": "add", "id": 900, "x": 1, "y": 2, "label": 1}
    before = initial_history()
    assert apply(before, add).present.selected is None
    placed = apply(before, add | {"select": True})
    assert placed.present.selected == 900
    assert apply(placed, {"op": "undo"}).present == before.present


def test_deleting_the_selected_point_lets_go_of_it():
    history = run(START, [{"op": "select", "id": 2}, {"op": "delete", "ids": [2]}])
    assert history.present.selected is None
    assert apply(START, {"op": "select", "id": 77}).present.selected is None


def test_a_preset_keeps_the_svm_and_replaces_the_points():
    history = apply(initial_history(), {"op": "set", "values": {"kernel": "gaussian", "value": 9.0}})
    after = apply(history, {"op": "preset", "values": {"preset": "moons"}})
    assert (after.present.kernel, after.present.value) == ("gaussian", 9.0)
    assert apply(after, {"op": "undo"}).present == replace(history.present)
