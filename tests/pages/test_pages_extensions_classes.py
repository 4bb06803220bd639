"""The steps on several classes: what they count, draw and set is true of the board that stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import solve as binary
from svmlab.lab.board import classes_picture
from svmlab.lab.lessons.extensions import LESSON, classifiers, in_a_row, nobody, rest
from svmlab.lab.lessons.extensions.boards import classes
from svmlab.lab.session.controls import CLASSES, MAX_POINTS
from svmlab.lab.session.lab import Point
from svmlab.lab.teach.boards import board_of_points
from svmlab.multiclass import Classes, MulticlassProblem
from tests.lessons import board_after, codes, find_try, readings, stage_of

REST, NOBODY, MIDDLE = (LESSON.step(key) for key in ("rest", "nobody", "middle"))
RINGS = classes("rings", kernel="gaussian", sigma=1.0, value=10.0)
GROUPS = replace(classes("blobs", value=10.0)(), view=4.0)
EVERY = pytest.mark.parametrize("step", [REST, NOBODY, MIDDLE], ids=lambda step: step.key)


def at(step, board=None, picks=None, **more):
    stage = stage_of(LESSON, board or step.board())
    return replace(stage, picks={**stage.picks, **(picks or {})}, **more)


@EVERY
def test_before_show_no_number_is_shown(step):
    stage = at(step, shown=False)
    assert step.numbers(stage) == ()
    if step is not REST:  # there the regions give nothing away
        drawn = step.draw(stage)
        assert (drawn["lines"], drawn["shade"], drawn["marks"], drawn["message"]) == (None, None, None, None)


# one-vs-rest


def test_an_svm_for_each_class_and_its_boundary():
    stage = at(REST)
    f = stage.machines.decision(stage.lab.multiclass_problem.data.X)
    errors = int((f.argmax(1) != stage.lab.multiclass_problem.data.class_index).sum())
    assert readings(REST, stage) == [("SVMs", "3"), ("errors", str(errors)), ("ties", "0")]
    assert [item["style"] for item in REST.draw(stage)["overlay"]] == ["own-1", "own-2", "own-3"]
    assert "trains 3 SVMs" in REST.verdict_text(stage)
    for item, machine in zip(REST.draw(stage)["overlay"], stage.machines.machines, strict=True):
        assert machine.decision(np.reshape(item["pts"], (-1, 2))) == pytest.approx(0, abs=1e-3)


def test_a_selected_class_shows_its_own_svm():
    stage = at(REST, picks={"machine": 2})
    drawn, machine = REST.draw(stage), stage.machines.machine(2)
    f = machine.decision(np.concatenate([np.reshape(line, (-1, 2)) for line in drawn["lines"]["plus"]]))
    assert f == pytest.approx(1, abs=1e-3)
    assert np.count_nonzero(np.array(drawn["marks"]["fill"]) > 0) == machine.support.sum()
    label, strength = codes(drawn["shade"])
    assert np.array_equal(strength > 0, stage.cache.drawing(machine, stage.lab.view).values > 0)
    assert set(label[strength > 0]) == {1}
    assert ("support vectors", str(machine.support.sum())) in readings(REST, stage)
    assert float(REST.numbers(stage)[0].exact) == pytest.approx(1 / machine.norm_w)
    assert [item.get("width") for item in drawn["overlay"]] == [None, classifiers.WIDE, None]


def test_the_words_say_how_to_add_a_missing_class():
    stage = at(REST, picks={"machine": 4})
    assert rest.selected_class(stage) == rest.ALL
    assert "Choose 4" in REST.says(stage)


def test_the_chart_has_a_row_for_each_class_with_its_f():
    stage = at(REST)
    rows = REST.chart(stage).figure.data
    f = stage.machines.decision(stage.lab.multiclass_problem.data.X)
    assert [row.name for row in rows] == ["1", "2", "3"]
    for row, own in zip(rows, f.T, strict=True):
        assert row.x.tolist() == own.tolist()


def test_a_fourth_class_is_added_where_there_is_room_but_no_fifth():
    add, lab = find_try(REST, "A fourth class").op, REST.board()
    more = board_after(add(at(REST)), lab)
    new = [p for p in more.points if p.label == 4]
    assert more.points[: len(lab.points)] == lab.points
    assert len(new) == len(rest.NEW_CLASS)
    assert min(np.hypot(p.x - q.x, p.y - q.y) for p in new for q in lab.points) > 1000
    assert readings(REST, at(REST, more))[0] == ("SVMs", "4")
    assert board_after(add(at(REST, more)), more).points == more.points
    full = replace(lab, points=tuple(Point(i, i, -i, 1 + i % 3) for i in range(1, MAX_POINTS + 1)))
    assert board_after(add(at(REST, full)), full).points == full.points


# ambiguous regions


def test_the_shares_of_the_square_are_those_of_the_notes_board():
    stage = at(NOBODY, GROUPS)
    current = nobody.regions(stage)
    assert [round(100 * current.share(n)) for n in range(4)] == [3, 68, 29, 0]
    assert [said for _name, said in readings(NOBODY, stage)] == ["2.9\u00a0%", "68\u00a0%", "29\u00a0%"]
    assert [said for _name, said in readings(NOBODY, at(NOBODY))] == ["8.5\u00a0%", "62\u00a0%", "29\u00a0%"]
    assert current.share(1) < 1, "the control: exactly one positive f everywhere"


def test_u_starts_where_all_f_are_negative_and_gets_the_class_of_the_largest():
    stage = at(NOBODY)
    f = stage.machines.decision(np.array([nobody.position(stage)]))[0]
    assert f.max() < 0
    assert nobody.values_at_u(stage).tolist() == f.tolist()
    bars = [bar.x[0] for bar in NOBODY.chart(stage).figure.data]
    assert bars == f.tolist()
    assert f"class {f.argmax() + 1}" in NOBODY.says(stage)
    moved = replace(stage, dials={"placex": -2.0, "placey": -1.5})
    assert nobody.values_at_u(moved).argmax() == 1
    assert NOBODY.draw(moved)["probe"]["at"] == [-2.0, -1.5]


@pytest.mark.parametrize("board", [NOBODY.board, RINGS, classes("row", value=10.0)], ids=["blobs", "rings", "row"])
def test_the_shading_shows_how_many_f_are_positive(board):
    stage = at(NOBODY, board())
    regions = nobody.regions(stage)
    label, strength = codes(NOBODY.draw(stage)["shade"])
    for count in range(4):
        assert set(strength[regions.positive == count]) <= {nobody.STRENGTH[count]}
    assert np.array_equal(label, regions.predicted)
    assert len(set(nobody.STRENGTH)) == 4


def test_hatching_lies_where_no_f_is_positive_in_the_colour_of_the_predicted_class():
    stage = at(NOBODY)
    stretches = [item for item in NOBODY.draw(stage)["overlay"] if len(item["pts"]) == 4][:-3]
    assert len(stretches) > 10
    for item in stretches:
        ends = np.reshape(item["pts"], (2, 2))
        f = stage.machines.decision(0.98 * ends + 0.02 * ends[::-1])
        assert f.max() < 0.06
        middle_ = stage.machines.decision(ends.mean(0)[None])[0]
        if np.ptp(np.sort(middle_)[-2:]) > 0.1:  # at a border the colour changes from node to node of the grid
            assert f"own-{middle_.argmax() + 1}" == item["style"]
    rings_stage = stage_of(LESSON, RINGS())
    assert (
        classifiers.hatching(classifiers.class_values(rings_stage), rings_stage.lab.view, rings_stage.machines.noise)
        == []
    )


def test_a_factor_changes_the_prediction_only_where_no_f_or_several_are_positive():
    before = nobody.regions(at(NOBODY, GROUPS))
    stage = at(NOBODY, GROUPS, dials=find_try(NOBODY, "One f × 3").op["values"])
    scaled = nobody.regions(stage)
    assert scaled.factors.tolist() == [3, 1, 1]
    assert np.array_equal(scaled.positive, before.positive)
    changed = scaled.predicted != before.predicted
    assert 0.05 < changed.mean() == scaled.changed < 0.1
    assert not changed[scaled.positive == 1].any()
    assert readings(NOBODY, stage)[1] == ("changed", nobody.percent(scaled.changed))
    assert nobody.values_at_u(stage)[0] == pytest.approx(3 * nobody.values_at_u(at(NOBODY, GROUPS))[0])
    styles = [item["style"] for item in NOBODY.draw(stage)["overlay"]]
    assert "dashed" in styles
    assert "dashed" not in [item["style"] for item in NOBODY.draw(at(NOBODY))["overlay"]]


def test_the_chart_names_the_factor():
    for loud, said in ((1.0, ["f₁", "f₂"]), (3.0, ["3 f₁", "f₂"])):
        bars = NOBODY.chart(at(NOBODY, dials={"loud": loud})).figure.data
        assert [bar.hovertemplate.split(" = ")[0] for bar in bars[:2]] == said


def test_the_verdict_says_how_often_no_f_is_positive():
    stage = at(NOBODY, RINGS())
    assert nobody.regions(stage).share(0) == 0
    assert "no point has only negative values" in NOBODY.verdict_text(stage)
    assert "8.5\u00a0% of this board" in NOBODY.verdict_text(at(NOBODY))


def test_a_dashed_border_is_drawn_once():
    drawn = NOBODY.draw(at(NOBODY, GROUPS, dials={"loud": 3.0}))
    dashed = [np.reshape(item["pts"], (-1, 2)) for item in drawn["overlay"] if item["style"] == "dashed"]
    long = sum(float(np.hypot(*np.diff(border, axis=0).T).sum()) for border in dashed)
    assert long == pytest.approx(4.55 + 4.95 + 3.8, abs=0.2), "the three ways from the middle to the rim, each once"


def test_the_f_of_a_missing_class_is_not_scaled():
    stage = at(NOBODY, picks={"scaled": 4}, dials={"loud": 2.0})
    assert nobody.regions(stage).factors.tolist() == [2, 1, 1]
    assert "the f of class 1 is scaled" in NOBODY.says(stage)


def test_the_chart_of_shares_adds_up_to_the_square():
    bars = NOBODY.chart(at(NOBODY, GROUPS, picks={"zones": "shares"})).figure.data
    assert sum(float(bar.x.sum()) for bar in bars) == pytest.approx(100)
    assert [round(float(sum(bar.x[n] for bar in bars))) for n in range(3)] == [3, 68, 29]


MACHINES = (
    {},
    {"bias": False, "value": 100.0},
    {"kernel": "gaussian", "sigma": 0.5},
    {"kernel": "polynomial", "face": "lambda", "value": 0.01},
    {"kernel": "sigmoid"},
    {"hard": True},
)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(n, marks=pytest.mark.sweep) for n in range(6, 18))])
def test_every_board_of_three_classes_can_be_drawn_and_described(seed):
    rng, rows = np.random.default_rng(seed), []
    for k in (1, 2, 4, 3)[: 3 + seed % 2]:
        centre = rng.uniform(-4, 4, 2)
        rows += [(*np.round(centre + rng.normal(0, 0.8, 2), 3).tolist(), k) for _ in range(rng.integers(1, 8))]
    rows += rows[: seed % 3]  # some twice
    lab = board_of_points(rows, task=CLASSES, **MACHINES[seed % len(MACHINES)])()
    for step in (REST, NOBODY, MIDDLE):
        if step.first_unmet_need(at(step, lab)) is not None:
            continue
        choices = [{pick.name: option} for pick in step.picks for option in pick.options]
        for picks in choices:
            stage = at(step, lab, picks, dials={"loud": 2.5} if seed % 2 else {})
            drawn = step.draw(stage)
            assert len(drawn["marks"]["fill"] if drawn.get("marks") else rows) == len(rows)
            assert len(step.numbers(stage)) <= 4
            assert len(step.says(stage)) <= 200
            assert len(step.verdict_text(stage)) <= 115
            step.chart(stage)
        assert step.more(at(step, lab))
        for each in step.tries:
            if callable(each.op):
                assert len(board_after(each.op(at(step, lab)), lab).points) >= len(rows)


def test_where_all_f_are_equal_the_words_say_that_there_is_a_tie():
    on_one_spot = board_of_points([(0, 0, k) for k in (1, 2, 3)] * 3, task=CLASSES)()
    assert readings(REST, at(REST, on_one_spot))[1:] == [("errors", "0"), ("ties", "9")]
    stage = at(NOBODY, on_one_spot)
    assert "there is a tie" in NOBODY.says(stage)
    assert [bar.marker.line.width > 0 for bar in NOBODY.chart(stage).figure.data] == [True] * 3
    heard = classes_picture.announcements(on_one_spot, stage.machines)
    assert heard["errors"] == "errors: 0, tied: 9"
    assert classes_picture.legend(stage.machines)["groups"][1]["text"] == "by the largest f, or tied"


def test_no_part_of_the_board_has_several_positive_f_with_a_class_at_each_corner():
    corner_board = board_of_points([(-9, -9, 1), (9, 9, 2), (-9, 9, 3), (9, -9, 4)], task=CLASSES)()
    assert readings(NOBODY, at(NOBODY, corner_board))[2] == ("several f > 0", "0\u00a0%")


def test_with_a_large_c_rounding_errors_are_no_line():
    left, middle_, right = [-2.998, -3.008], [0.016, -0.011, 0.004, -0.001], [3.008, 2.985, 2.992, 3.012, 2.987, 3.004]
    rows = [(x, 0.0, k) for k, xs in enumerate((left, middle_, right), start=1) for x in xs]
    stage = at(MIDDLE, board_of_points(rows, task=CLASSES, value=1e6)())
    assert MIDDLE.first_unmet_need(stage) is None
    assert MIDDLE.answer(stage) == 1
    assert readings(MIDDLE, stage)[0] == ("‖w‖", "0")


def test_with_a_small_c_a_short_w_is_a_line():
    rows = [(-0.005, -0.001, 1), (0.004, 0.002, 1), (0.003, 0.001, 2), (-0.004, 0.002, 2), (0.002, 0.0, 3)]
    machine = MulticlassProblem(Classes([row[:2] for row in rows], [row[2] for row in rows]), C=1e-6).binary_problem(1)
    solution = binary(machine)
    assert solution.w is not None
    assert 0 < np.abs(solution.w).max() < 1e-8
    assert not classifiers.is_constant(solution)


def test_points_on_one_spot_are_no_row():
    """The means of so many equal points differ by rounding."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        y = rng.integers(1, 4, int(rng.integers(3, 60)))
        assert in_a_row.row(Classes(np.tile(np.round(rng.uniform(-8, 8, 2), 3), (len(y), 1)), y)) is None


def test_a_largest_f_of_0_does_not_count_as_negative():
    rows = ((-3, 0, 1), (0, 0, 2), (0, 0, 2), (3, 0, 3))  # w = 0 and b = 0 for the class between the others
    stage = at(NOBODY, board_of_points(rows, task=CLASSES, value=10.0)())
    assert nobody.regions(stage).share(0) > 0.3
    assert NOBODY.verdict_text(stage).endswith("no point has only negative values.")
