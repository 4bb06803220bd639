"""The step on a class between two others: whose machine has a line there, and whose has none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import make_dataset
from svmlab.lab.lessons.extensions import LESSON, in_a_row, joined, middle
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.requirements import LINEAR
from svmlab.multiclass import Classes, Several, Standing
from tests.lessons import board_after, codes, find_try, readings, stage_of

MIDDLE = LESSON.step("middle")


def at(step, board=None, picks=None, **more):
    stage = stage_of(LESSON, board or step.board())
    return replace(stage, picks={**stage.picks, **(picks or {})}, **more)


# the class in the middle


def test_the_middle_machine_has_no_line_and_the_joint_one_no_error():
    stage = at(MIDDLE)
    norms = [machine.norm_w for machine in stage.machines.machines]
    assert norms == pytest.approx([0.8517, 0, 1.0982], abs=5e-5)
    assert norms[1] == 0
    assert MIDDLE.answer(stage) == 1
    assert "says no everywhere" in MIDDLE.verdict_text(stage)
    found = list(stage.machines.categories)
    assert [found.count(kind) for kind in (Standing.TIE, Standing.LARGEST, Standing.CLEAR)] == [2, 8, 20]
    assert set(joined.standings(joined.joint(stage))) == {Standing.CLEAR}
    assert [said for _name, said in readings(MIDDLE, stage)] == ["0", "0.1425", "2", "0"]
    assert MIDDLE.numbers(stage)[2].exact == "0 wrong, 2 tied"


def test_with_two_classes_the_joint_machine_is_the_binary_one_at_twice_the_price():
    data = make_dataset("overlapping", 20, 0.1, 1)
    two = Several(Classes(data.X, np.where(data.y > 0, 1, 2)), C=1.0)
    w, v = in_a_row.both_ways(two, (1, 2))
    assert w == pytest.approx([1.1735328, 0.6509017], abs=1e-7)
    assert v == pytest.approx(w, abs=1e-9)
    assert in_a_row.both_ways(replace(two, C=2.0), (1, 2))[0] != pytest.approx(w, abs=1e-2), "another price, another w"


def test_both_maps_are_those_of_their_machines():
    for pick, board in (("rest", None), ("joint", None), ("joint", middle.crowded())):
        stage = at(MIDDLE, board, picks={"joined": pick})
        drawn = MIDDLE.draw(stage)
        machine = joined.joint(stage) if pick == "joint" else stage.machines
        if pick == "joint":
            label, _strength = codes(drawn["shade"])
            at_ = np.linspace(-1, 1, label.shape[0]) * stage.lab.view
            spots = np.stack(np.meshgrid(at_, -at_), -1).reshape(-1, 2)
            clear = ~machine.tied(spots)
            assert np.array_equal(label.ravel()[clear] + 1, machine.predict(spots)[clear])
            lead = np.sort(machine.decision(np.concatenate([np.reshape(p, (-1, 2)) for p in drawn["lines"]["plus"]])))
            assert np.median(np.abs(lead[:, -1] - lead[:, -2] - 1)) < 1e-3
            assert sum(group["count"] for group in drawn["legend"]["groups"]) == len(stage.lab.points)
            assert len(drawn["marks"]["fill"]) == len(stage.lab.points)
        else:
            assert [item["style"] for item in drawn["overlay"]] == ["own-1", "own-3"], "the middle one draws no line"
        lines = {trace.name: trace for trace in MIDDLE.chart(stage).figure.data}
        assert lines["largest"].y.tolist() == np.max([lines[k].y for k in "123"], axis=0).tolist()


def test_lifted_off_the_row_it_has_a_line_and_comes_back():
    lift, lab = find_try(MIDDLE, "Lift it, lower it").op, MIDDLE.board()
    up = board_after(lift(at(MIDDLE)), lab)
    assert MIDDLE.first_unmet_need(at(MIDDLE, up)) is None
    assert MIDDLE.answer(at(MIDDLE, up)) == 2
    assert "One line" in MIDDLE.verdict_text(at(MIDDLE, up))
    down = board_after(lift(at(MIDDLE, up)), up)
    assert middle.here(at(MIDDLE, down)).beside == pytest.approx(0, abs=1e-3)
    assert MIDDLE.answer(at(MIDDLE, down)) == 1
    outer = [p for p in up.points if p.label != 2]
    assert outer == [p for p in lab.points if p.label != 2]


def test_between_the_others_it_has_a_line_where_one_neighbour_has_few_points():
    rows = [(-1.5, 0, 1)] + [(0.1 * i, 0.1 * j, 2) for i in range(3) for j in range(3)]
    rows += [(1.5 + 0.1 * i, 0.1 * j, 3) for i in range(5) for j in range(3)]
    stage = at(MIDDLE, board_of_points(rows, task=CLASSES, value=10.0)())
    assert middle.here(stage).beside == pytest.approx(0, abs=0.1)
    assert MIDDLE.answer(stage) == 2
    machine = stage.machines.machine(2)
    assert machine.objective < 2 * 10 * 9, "what w = 0 costs"
    assert "costs less than w = 0" in MIDDLE.verdict_text(stage)
    assert "right about 24 of 25" in MIDDLE.says(stage)


def test_where_the_middle_has_most_points_its_machine_says_yes_everywhere():
    stage = at(MIDDLE, middle.crowded())
    assert MIDDLE.answer(stage) == 1
    assert "says yes everywhere" in MIDDLE.verdict_text(stage)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([(0, 0, 1), (1, 0, 2), (2, 0, 3)], (2, (1, 3))),
        ([(0, 0, 3), (1, 0.1, 1), (2, 0, 2)], (1, (2, 3))),
        ([(0, 0, 1), (1, 0.9, 2), (2, 0, 3)], None),
        ([(0, 0, 1), (0.1, 0, 2), (2, 0, 3)], None),
        ([(0, 0, 1), (0, 0, 2), (0, 0, 3)], None),
    ],
)
def test_a_row_is_found_whatever_the_classes_are_called(rows, found):
    lab = board_of_points(rows, task=CLASSES)()
    row = in_a_row.row(lab.multiclass_problem.data)
    assert (row and (row.middle, row.outer)) == found
    assert (MIDDLE.first_unmet_need(at(MIDDLE, lab)) is None) == (found is not None)


def test_a_curved_kernel_is_not_what_is_asked_about():
    assert MIDDLE.first_unmet_need(at(MIDDLE, replace(MIDDLE.board(), kernel="gaussian"))) is LINEAR


@pytest.mark.parametrize("seed", range(12))
def test_the_answer_is_right_on_random_rows(seed):
    rng = np.random.default_rng(seed)
    spread, n = rng.uniform(0.2, 1.2), int(rng.integers(2, 12))
    rows = [
        (round(3 * (k - 2) + float(x), 3), round(float(y), 3), k)
        for k in (1, 2, 3)
        for x, y in rng.normal(0, spread, (n, 2))
    ]
    stage = at(MIDDLE, board_of_points(rows, task=CLASSES, value=float(10 ** rng.uniform(-2, 2)))())
    if MIDDLE.first_unmet_need(stage) is not None:
        return
    f = stage.machines.machine(middle.here(stage).middle).decision(np.array([[-4, 4], [4, 4], [0, -4.0]]))
    assert (MIDDLE.answer(stage) == 1) == (np.ptp(f) < 1e-6)
    assert len(MIDDLE.numbers(stage)) == 4
    for pick in ("rest", "joint"):
        stage = replace(stage, picks={**stage.picks, "joined": pick})
        MIDDLE.draw(stage)
        MIDDLE.chart(stage)
        assert MIDDLE.says(stage)
    MIDDLE.more(stage)
