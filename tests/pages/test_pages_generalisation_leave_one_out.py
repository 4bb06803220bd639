"""What the step on the leave-one-out bound says is true of its board."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, solve
from svmlab.generalisation import leave_one_out, possible_leave_one_out_errors
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation import leave_one_out as module
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Working
from tests.lessons import stage_of

STEP = LESSON.step("leave-one-out")
COUNTS = {  # training errors, points with slack, leave-one-out errors, support vectors
    "": (1, 2, 3, 4),
    "σ = 0.5, C = 10": (0, 0, 1, 19),
    "σ = 0.2": (0, 0, 7, 23),
    "Hard margin": (0, 0, 0, 3),
}


def board(label=""):
    return next((each.board() for each in STEP.tries if each.label == label), None) or STEP.board()


def at(label="", **changes):
    return stage_of(LESSON, replace(board(label), **changes))


def cells(stage):
    """How many cells each bar has, by its name."""
    return {trace.name: len(trace.x) for trace in STEP.chart(stage).figure.data}


@pytest.mark.parametrize("label", COUNTS)
def test_the_rows_count_what_their_names_say(label):
    stage = at(label)
    assert tuple(cells(stage).values()) == COUNTS[label]
    errors, N = COUNTS[label][2:]
    assert errors <= N
    rings = [item for item in STEP.drawn(stage)["overlay"] if item["style"] == "witness-line"]
    assert len(rings) == errors == leave_one_out(stage.lab.problem).error_count
    assert STEP.verdict_text(stage).endswith(f"{errors}\u00a0≤\u00a0{N}.")


def test_neither_training_errors_nor_slack_bound_the_leave_one_out_errors():
    training, slack, errors, _N = COUNTS[""]
    assert training < slack < errors


def test_only_support_vectors_are_leave_one_out_errors_on_random_and_degenerate_boards():
    """All classes of boards that the step accepts: few points, points in one place, b that is not unique."""
    rng = np.random.Generator(np.random.Philox(3))
    accepted = ambiguous = 0
    for i in range(150):
        m = int(rng.integers(2, 9))
        X = rng.integers(-2, 3, (m, 2)) if i % 2 else rng.normal(0, 1.5, (m, 2)).round(3)
        rows = [(float(a), float(b), int(s)) for (a, b), s in zip(X, rng.choice([-1, 1], m), strict=True)]
        machine = ({"value": 0.05}, {"kernel": "gaussian", "sigma": 3.0, "value": 0.01}, {"value": 1.0, "bias": False})
        stage = stage_of(LESSON, board_of_points(rows, **machine[i % 3])())
        if STEP.first_unmet_need(stage) is not None:
            continue
        result = module.left_out(stage)
        accepted += 1
        ambiguous += not result.has_unique_bias.all()
        assert not (result.errors & ~stage.solution.support).any()
    assert accepted > 80
    assert ambiguous > 20


@pytest.mark.parametrize("label", COUNTS)
def test_every_cell_stands_where_its_point_does_in_the_other_bars(label):
    places = {}
    for trace in STEP.chart(at(label)).figure.data:
        for (id_, *_row), base in zip(trace.customdata, trace.base, strict=True):
            assert places.setdefault(int(id_), float(base)) == float(base)
    assert len(set(places.values())) == len(places)


def test_a_click_on_a_cell_selects_its_point():
    stage = at()
    trace = STEP.chart(stage).figure.data[0]
    op = STEP.chart(stage).on_click(trace.customdata[0][0])
    assert op == {"op": "select", "id": int(trace.customdata[0][0])}
    assert op["id"] in [point.id for point in stage.lab.points]


@pytest.mark.parametrize("row", [0, 5, 12, 19])
def test_the_removed_point_is_classified_by_the_svm_of_the_others(row):
    lab = board()
    stage = at(selected=lab.points[row].id)
    before, after = (float(each.replace("−", "-")) for each in STEP.readings(stage)[0].text.split(" → "))
    data, rest = lab.data, np.arange(20) != row
    alone = solve(replace(lab.problem, data=Dataset(data.X[rest], data.y[rest])), method="dual-qp")
    assert after == pytest.approx(float(data.y[row] * alone.decision(data.X[[row]])[0]), rel=5e-3, abs=5e-3)
    assert before == pytest.approx(float(solve(lab.problem).margins[row]), rel=5e-3, abs=5e-3)
    if not solve(lab.problem).support[row]:
        assert after == before


def test_the_dashed_line_is_that_of_the_others_and_stays_when_the_point_is_dragged():
    lab = board()
    before = at(selected=lab.points[12].id)
    moved = [p._replace(x=p.x + 300, y=p.y - 200) if p.id == lab.points[12].id else p for p in lab.points]
    after = stage_of(LESSON, replace(lab, points=tuple(moved), selected=lab.points[12].id))

    def dashed(stage):
        return [item["pts"] for item in STEP.drawn(stage)["overlay"] if item["style"] == "accent dashed"]

    assert dashed(before)
    assert dashed(before) == dashed(after)


def test_without_a_click_the_removed_point_is_correct_with_it_and_wrong_without_it():
    stage = at()
    i = module.removed(stage)
    assert module.left_out(stage).errors[i]
    assert not module.training_errors(stage)[i]
    hard = at("Hard margin")
    assert module.removed(hard) == int(hard.solution.alpha.argmax())


def test_the_point_that_plays_comes_from_its_own_class():
    stage = at()
    play = STEP.animation(stage)
    point = next(p for p in stage.lab.points if p.id == play["point"])
    start = next(p for p in stage.lab.points if [p.x / 1000, p.y / 1000] == play["from"])
    assert start.label == point.label
    assert start.id != point.id


def test_while_it_is_computed_the_row_of_errors_waits(monkeypatch):
    def busy(stage):
        raise Working(None)

    monkeypatch.setattr(module, "left_out", busy)
    stage = at()
    assert list(cells(stage).values()) == [1, 2, 0, 4]
    assert [item["style"] for item in STEP.drawn(stage)["overlay"]] == ["accent dashed", "accent"]
    assert any("…" in note.text for note in STEP.chart(stage).figure.layout.annotations)


def test_where_b_is_not_unique_more_says_that_the_smaller_bound_can_fail():
    """Two classes that just balance: all alpha are C, and the midpoint of b's interval misclassifies a point."""
    lab = replace(board_of_points(((-1, 2, -1), (-1, -1, 1), (1, -1, -1)))(), kernel="gaussian", sigma=5.0, value=0.001)
    stage = stage_of(LESSON, lab)
    assert STEP.first_unmet_need(stage) is None
    assert module.left_out(stage).errors[0]
    assert not possible_leave_one_out_errors(stage.solution)[0]
    assert any("**The bias.**" in part for part in STEP.more(stage))
    assert not any("**The bias.**" in part for part in STEP.more(at()))


def test_more_has_the_counts_of_both_computations():
    stage = at("σ = 0.2")
    words = "\n".join(STEP.more(stage))
    assert "gives 7 leave-one-out errors" in words
    assert "has 23 support vectors" in words
    assert "19 points satisfy this" in words
    assert math.isclose(module.radius_squared(stage.lab.problem), 1.0, abs_tol=1e-9)
