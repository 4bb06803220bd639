"""The steps on several classes: what they count, draw and set is true of the board that stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import solve as binary
from svmlab.lab.board import classes_picture
from svmlab.lab.lessons.extensions import LESSON, in_a_row, machines, nobody, rest
from svmlab.lab.lessons.extensions.boards import classes
from svmlab.lab.session.controls import CLASSES, MAX_POINTS
from svmlab.lab.session.state import Point
from svmlab.lab.teach.boards import board_of_points
from svmlab.multiclass import Classes, Several
from tests.lessons import board_after, codes, find_try, readings, stage_of

REST, NOBODY, MIDDLE = (LESSON.step(key) for key in ("rest", "nobody", "middle"))
RINGS = classes("rings", kernel="gaussian", sigma=1.0, value=10.0)
EVERY = pytest.mark.parametrize("step", [REST, NOBODY, MIDDLE], ids=lambda step: step.key)


def at(step, board=None, picks=None, **more):
    stage = stage_of(LESSON, board or step.board())
    return replace(stage, picks={**stage.picks, **(picks or {})}, **more)


@EVERY
def test_before_it_is_shown_nothing_is_told(step):
    stage = at(step, shown=False)
    assert step.numbers(stage) == ()
    if step is not REST:  # there the regions give nothing away
        drawn = step.draw(stage)
        assert (drawn["lines"], drawn["shade"], drawn["marks"], drawn["message"]) == (None, None, None, None)


# one against the rest


def test_a_machine_for_each_class_and_its_boundary():
    stage = at(REST)
    norms = [machine.norm_w for machine in stage.machines.machines]
    assert [reading.name for reading in REST.numbers(stage)] == ["margin 1", "margin 2", "margin 3"]
    assert [float(reading.exact) for reading in REST.numbers(stage)] == pytest.approx([1 / norm for norm in norms])
    assert [item["style"] for item in REST.draw(stage)["overlay"]] == ["own-1", "own-2", "own-3"]
    assert "here 3" in REST.verdict_text(stage)
    for item, machine in zip(REST.draw(stage)["overlay"], stage.machines.machines, strict=True):
        assert machine.decision(np.reshape(item["pts"], (-1, 2))) == pytest.approx(0, abs=1e-3)


def test_a_class_that_is_chosen_shows_its_own_machine():
    stage = at(REST, picks={"machine": 2})
    drawn, machine = REST.draw(stage), stage.machines.machine(2)
    f = machine.decision(np.concatenate([np.reshape(line, (-1, 2)) for line in drawn["lines"]["plus"]]))
    assert f == pytest.approx(1, abs=1e-3)
    assert np.count_nonzero(np.array(drawn["marks"]["fill"]) > 0) == machine.support.sum()
    label, strength = codes(drawn["shade"])
    assert np.array_equal(strength > 0, stage.cache.scene(machine, stage.lab.view).values > 0)
    assert set(label[strength > 0]) == {1}
    assert ("support vectors", str(machine.support.sum())) in readings(REST, stage)
    assert [item.get("width") for item in drawn["overlay"]] == [None, machines.WIDE, None]


def test_a_class_that_is_not_there_is_told_how_to_come():
    stage = at(REST, picks={"machine": 4})
    assert rest.chosen(stage) == rest.ALL
    assert "Choose 4" in REST.says(stage)


def test_the_chart_has_a_row_for_each_machine_with_its_f():
    stage = at(REST)
    rows = REST.chart(stage).figure.data
    f = stage.machines.decision(stage.lab.multiclass_problem.data.X)
    assert [row.name for row in rows] == ["1", "2", "3"]
    for row, own in zip(rows, f.T, strict=True):
        assert row.x.tolist() == own.tolist()


def test_a_fourth_class_is_added_where_there_is_room_and_none_a_fifth_time():
    add, lab = find_try(REST, "A fourth class").op, REST.board()
    more = board_after(add(at(REST)), lab)
    new = [p for p in more.points if p.label == 4]
    assert more.points[: len(lab.points)] == lab.points
    assert len(new) == len(rest.NEW)
    assert min(np.hypot(p.x - q.x, p.y - q.y) for p in new for q in lab.points) > 1000
    assert [name for name, _said in readings(REST, at(REST, more))] == [f"margin {k}" for k in (1, 2, 3, 4)]
    assert board_after(add(at(REST, more)), more).points == more.points
    full = replace(lab, points=tuple(Point(i, i, -i, 1 + i % 3) for i in range(1, MAX_POINTS + 1)))
    assert board_after(add(at(REST, full)), full).points == full.points


# nobody's land


def test_the_shares_of_the_square_are_those_of_the_notes_board():
    stage = at(NOBODY)
    now = nobody.seen(stage)
    assert [round(100 * now.share(n)) for n in range(4)] == [3, 68, 29, 0]
    assert [said for _name, said in readings(NOBODY, stage)] == ["2.9\u00a0%", "68\u00a0%", "29\u00a0%"]
    assert now.share(1) < 1, "the control: exactly one yes everywhere"


def test_u_is_where_nobody_says_yes_and_goes_to_the_largest():
    stage = at(NOBODY)
    f = stage.machines.decision(np.array([nobody.u(stage)]))[0]
    assert f.max() < 0
    assert nobody.here(stage).tolist() == f.tolist()
    bars = [bar.x[0] for bar in NOBODY.chart(stage).figure.data]
    assert bars == f.tolist()
    assert f"class {f.argmax() + 1}" in NOBODY.says(stage)
    moved = replace(stage, dials={"placex": -2.0, "placey": -1.5})
    assert nobody.here(moved).argmax() == 0
    assert NOBODY.draw(moved)["probe"]["at"] == [-2.0, -1.5]


@pytest.mark.parametrize("board", [NOBODY.board, RINGS, classes("row", value=10.0)], ids=["blobs", "rings", "row"])
def test_none_one_and_several_are_told_apart_in_the_shading(board):
    stage = at(NOBODY, board())
    now = nobody.seen(stage)
    label, strength = codes(NOBODY.draw(stage)["shade"])
    for count in range(4):
        assert set(strength[now.yes == count]) <= {nobody.STRENGTH[count]}
    assert np.array_equal(label, now.given)
    assert len(set(nobody.STRENGTH)) == 4


def test_hatching_lies_where_no_machine_says_yes_in_the_colour_of_what_is_given():
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
    far = stage_of(LESSON, RINGS())
    assert machines.hatching(machines.values(far), far.lab.view, far.machines.noise) == []


def test_a_factor_moves_the_regions_where_none_or_several_say_yes_and_nowhere_else():
    before, stage = nobody.seen(at(NOBODY)), at(NOBODY, dials=find_try(NOBODY, "One machine × 3").op["values"])
    now = nobody.seen(stage)
    assert now.factors.tolist() == [3, 1, 1]
    assert np.array_equal(now.yes, before.yes)
    changed = now.given != before.given
    assert 0.05 < changed.mean() == now.changed < 0.1
    assert not changed[now.yes == 1].any()
    assert readings(NOBODY, stage)[-1] == ("changed", nobody.percent(now.changed))
    assert nobody.here(stage)[0] == pytest.approx(3 * nobody.here(at(NOBODY))[0])
    styles = [item["style"] for item in NOBODY.draw(stage)["overlay"]]
    assert "dashed" in styles
    assert "dashed" not in [item["style"] for item in NOBODY.draw(at(NOBODY))["overlay"]]


def test_what_is_taken_three_times_is_called_so_in_the_chart():
    for loud, said in ((1.0, ["f₁", "f₂"]), (3.0, ["3 f₁", "f₂"])):
        bars = NOBODY.chart(at(NOBODY, dials={"loud": loud})).figure.data
        assert [bar.hovertemplate.split(" = ")[0] for bar in bars[:2]] == said


def test_where_some_machine_says_yes_everywhere_nothing_is_said_of_hatching():
    stage = at(NOBODY, RINGS())
    assert nobody.seen(stage).share(0) == 0
    assert "nobody's land is empty" in NOBODY.verdict_text(stage)
    assert "Hatched" not in NOBODY.says(stage)
    assert "Hatched" in NOBODY.says(at(NOBODY))


def test_a_dashed_border_is_drawn_once():
    drawn = NOBODY.draw(at(NOBODY, dials={"loud": 3.0}))
    dashed = [np.reshape(item["pts"], (-1, 2)) for item in drawn["overlay"] if item["style"] == "dashed"]
    long = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in dashed)
    assert long == pytest.approx(4.55 + 4.95 + 3.8, abs=0.2), "the three ways from the middle to the rim, each once"


def test_a_machine_that_is_not_there_is_not_scaled():
    stage = at(NOBODY, picks={"scaled": 4}, dials={"loud": 2.0})
    assert nobody.seen(stage).factors.tolist() == [2, 1, 1]
    assert "machine 1" in NOBODY.says(stage)


def test_the_chart_of_shares_adds_up_to_the_square():
    bars = NOBODY.chart(at(NOBODY, picks={"zones": "shares"})).figure.data
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
def test_every_board_of_three_classes_can_be_drawn_and_told(seed):
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
            assert len(step.says(stage)) <= 165
            assert len(step.verdict_text(stage)) <= 90
            step.chart(stage)
        assert step.more(at(step, lab))
        for each in step.tries:
            if callable(each.op):
                assert len(board_after(each.op(at(step, lab)), lab).points) >= len(rows)


def test_where_all_f_are_equal_a_tie_is_said_and_no_class():
    on_one_spot = board_of_points([(0, 0, k) for k in (1, 2, 3)] * 3, task=CLASSES)()
    assert "Errors: 0, tied: 9." in REST.says(at(REST, on_one_spot))
    stage = at(NOBODY, on_one_spot)
    assert "the largest f tie" in NOBODY.says(stage)
    assert [bar.marker.line.width > 0 for bar in NOBODY.chart(stage).figure.data] == [True] * 3
    heard = classes_picture.announcements(on_one_spot, stage.machines)
    assert heard["errors"] == "errors: 0, tied: 9"
    assert classes_picture.legend(stage.machines)["groups"][1]["text"] == "by the largest f, or tied"


def test_the_shares_of_four_corners_are_zero_where_none_of_several_says_yes():
    far = board_of_points([(-9, -9, 1), (9, 9, 2), (-9, 9, 3), (9, -9, 4)], task=CLASSES)()
    assert readings(NOBODY, at(NOBODY, far))[2] == ("several, strong", "0\u00a0%")


def test_at_a_large_price_the_round_off_of_a_level_machine_is_no_line():
    left, middle_, right = [-2.998, -3.008], [0.016, -0.011, 0.004, -0.001], [3.008, 2.985, 2.992, 3.012, 2.987, 3.004]
    rows = [(x, 0.0, k) for k, xs in enumerate((left, middle_, right), start=1) for x in xs]
    stage = at(MIDDLE, board_of_points(rows, task=CLASSES, value=1e6)())
    assert MIDDLE.first_unmet_need(stage) is None
    assert MIDDLE.answer(stage) == 1
    assert readings(MIDDLE, stage)[0] == ("|w| of 2", "0")


def test_at_a_small_price_a_short_w_is_a_line_all_the_same():
    rows = [(-0.005, -0.001, 1), (0.004, 0.002, 1), (0.003, 0.001, 2), (-0.004, 0.002, 2), (0.002, 0.0, 3)]
    machine = Several(Classes([row[:2] for row in rows], [row[2] for row in rows]), C=1e-6).binary_problem(1)
    solution = binary(machine)
    assert solution.w is not None
    assert 0 < np.abs(solution.w).max() < 1e-8
    assert not machines.level(solution)


def test_points_on_one_spot_are_no_row():
    """The means of so many equal points differ by rounding."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        y = rng.integers(1, 4, int(rng.integers(3, 60)))
        assert in_a_row.row(Classes(np.tile(np.round(rng.uniform(-8, 8, 2), 3), (len(y), 1)), y)) is None
