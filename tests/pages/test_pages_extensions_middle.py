"""The step on a class between two others: whose machine has a line there, and whose has none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from svmlab import make_dataset
from svmlab import solve as binary
from svmlab.lab.lessons.extensions import LESSON, in_a_row, middle
from svmlab.lab.lessons.extensions.boards import classes
from svmlab.lab.lessons.extensions.classifiers import is_constant
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.requirements import LINEAR
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.multiclass import MulticlassCategory as Category
from tests.lessons import board_after, codes, find_try, readings, stage_of

MIDDLE = LESSON.step("middle")
ROW = classes("row", value=10.0)


def at(step, board=None, picks=None, **more):
    stage = stage_of(LESSON, board or step.board())
    return replace(stage, picks={**stage.picks, **(picks or {})}, **more)


# the class in the middle


def test_the_middle_class_has_no_line_and_the_joint_svm_no_error():
    stage = at(MIDDLE, ROW())
    norms = [machine.norm_w for machine in stage.machines.machines]
    assert norms == pytest.approx([0.8517, 0, 1.0982], abs=5e-5)
    assert norms[1] == 0
    assert MIDDLE.answer(stage) == 1
    assert "f\u00a0=\u00a0b\u00a0=\u00a0−1 has the smallest objective" in MIDDLE.verdict_text(stage)
    categories = list(stage.machines.categories)
    assert [categories.count(kind) for kind in (Category.TIE, Category.LARGEST, Category.CLEAR)] == [2, 8, 20]
    assert set(middle.joint_standings(middle.joint(stage))) == {Category.CLEAR}
    assert readings(MIDDLE, stage) == [("‖w‖", "0"), ("errors by largest f", "0"), ("ties", "2")]
    jointly = at(MIDDLE, ROW(), picks={"joined": "joint"})
    assert readings(MIDDLE, jointly) == [("‖w‖", "0.1425"), ("errors by largest f", "0"), ("ties", "0")]


def test_versicolor_between_setosa_and_virginica_has_no_line_for_any_c():
    lab = MIDDLE.board()
    for C in (0.1, 1.0, 10.0, 1000.0):
        stage = at(MIDDLE, replace(lab, value=C))
        assert MIDDLE.answer(stage) == 1
        assert stage.machines.machine(2).objective == pytest.approx(2 * C * 8)


@pytest.mark.parametrize("seed", range(20))
def test_w_is_0_exactly_if_the_mean_of_the_smaller_side_is_a_mean_of_the_others_with_small_weights(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 9, 3)
    X = np.vstack([rng.normal((2.0 * (k - 1), 0), rng.uniform(0.3, 1.5), (n, 2)) for k, n in enumerate(sizes)])
    y = np.repeat([1, 2, 3], sizes)
    solution = MulticlassProblem(Classes(X, y), C=float(10 ** rng.uniform(-1, 2))).binary_problem(2)
    is_few = (y == 2) if sizes[1] <= sizes[0] + sizes[2] else (y != 2)
    n, others = int(is_few.sum()), X[~is_few]
    equations = np.vstack([others.T, np.ones(len(others))])
    possible = linprog(np.zeros(len(others)), A_eq=equations, b_eq=[*X[is_few].mean(0), 1], bounds=(0, 1 / n)).success
    assert is_constant(binary(solution)) == possible


def test_with_two_classes_the_joint_svm_is_the_binary_one_with_twice_the_c():
    data = make_dataset("overlapping", 20, 0.1, 1)
    two = MulticlassProblem(Classes(data.X, np.where(data.y > 0, 1, 2)), C=1.0)
    w, v = in_a_row.both_ways(two, (1, 2))
    assert w == pytest.approx([1.1735328, 0.6509017], abs=1e-7)
    assert v == pytest.approx(w, abs=1e-9)
    assert in_a_row.both_ways(replace(two, C=2.0), (1, 2))[0] != pytest.approx(w, abs=1e-2), "another price, another w"


def test_both_maps_agree_with_the_predictions():
    for pick, board in (("rest", None), ("joint", None), ("joint", middle.crowded())):
        stage = at(MIDDLE, board, picks={"joined": pick})
        drawn = MIDDLE.draw(stage)
        machine = middle.joint(stage) if pick == "joint" else stage.machines
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


def test_a_class_that_is_shifted_off_the_row_has_a_line_and_comes_back():
    lift, lab = find_try(MIDDLE, "Shift the class").op, MIDDLE.board()
    up = board_after(lift(at(MIDDLE)), lab)
    assert MIDDLE.first_unmet_need(at(MIDDLE, up)) is None
    assert MIDDLE.answer(at(MIDDLE, up)) == 2
    assert "One line" in MIDDLE.verdict_text(at(MIDDLE, up))
    down = board_after(lift(at(MIDDLE, up)), up)
    assert middle.row_on_board(at(MIDDLE, down)).beside == pytest.approx(0, abs=1e-3)
    assert MIDDLE.answer(at(MIDDLE, down)) == 1
    outer = [p for p in up.points if p.label != 2]
    assert outer == [p for p in lab.points if p.label != 2]


def test_the_middle_class_has_a_line_if_one_neighbour_has_few_points():
    rows = [(-1.5, 0, 1)] + [(0.1 * i, 0.1 * j, 2) for i in range(3) for j in range(3)]
    rows += [(1.5 + 0.1 * i, 0.1 * j, 3) for i in range(5) for j in range(3)]
    stage = at(MIDDLE, board_of_points(rows, task=CLASSES, value=10.0)())
    assert middle.row_on_board(stage).beside == pytest.approx(0, abs=0.1)
    assert MIDDLE.answer(stage) == 2
    machine = stage.machines.machine(2)
    assert machine.objective < 2 * 10 * 9, "what w = 0 costs"
    assert "reduces the objective from 180 at w = 0" in MIDDLE.verdict_text(stage)
    assert "classifies 24 of 25 points correctly" in MIDDLE.says(stage)


def test_if_the_middle_class_has_most_points_its_svm_predicts_it_everywhere():
    stage = at(MIDDLE, middle.crowded())
    assert MIDDLE.answer(stage) == 1
    assert "f\u00a0=\u00a0b\u00a0=\u00a01 has the smallest objective" in MIDDLE.verdict_text(stage)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0, 0, 1), (1, 0, 2), (2, 0, 3)], (2, (1, 3))),
        ([(0, 0, 3), (1, 0.1, 1), (2, 0, 2)], (1, (2, 3))),
        ([(0, 0, 1), (1, 0.9, 2), (2, 0, 3)], None),
        ([(0, 0, 1), (0.1, 0, 2), (2, 0, 3)], None),
        ([(0, 0, 1), (0, 0, 2), (0, 0, 3)], None),
    ],
)
def test_a_row_is_found_for_any_labels_of_the_classes(rows, expected):
    lab = board_of_points(rows, task=CLASSES)()
    row = in_a_row.row(lab.multiclass_problem.data)
    assert (row and (row.middle, row.outer)) == expected
    assert (MIDDLE.first_unmet_need(at(MIDDLE, lab)) is None) == (expected is not None)


def test_the_step_needs_the_linear_kernel():
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
    f = stage.machines.machine(middle.row_on_board(stage).middle).decision(np.array([[-4, 4], [4, 4], [0, -4.0]]))
    assert (MIDDLE.answer(stage) == 1) == (np.ptp(f) < 1e-6)
    assert len(MIDDLE.numbers(stage)) == 3
    for pick in ("rest", "joint"):
        stage = replace(stage, picks={**stage.picks, "joined": pick})
        MIDDLE.draw(stage)
        MIDDLE.chart(stage)
        assert MIDDLE.says(stage)
    MIDDLE.more(stage)
