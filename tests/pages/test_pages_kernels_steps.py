"""What the steps on kernels say is true of the board that they stand on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.kernels.features import gaussian_remainder
from svmlab.lab.board import payload
from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from tests.lessons import stage_of


def at(key, board=None, **said):
    """A step shown on its own board or another, with dials and picks."""
    stage = stage_of(LESSON, board or LESSON.step(key).board())
    dials = {name: value for name, value in said.items() if isinstance(value, float)}
    return replace(stage, dials=dials, picks={**stage.picks, **{k: v for k, v in said.items() if isinstance(v, str)}})


def tried(key, label):
    """The board that a Try sets up, or the one that stands after its operation."""
    step = LESSON.step(key)
    each = next(each for each in step.tries if each.label == label)
    if each.board:
        return each.board()
    op = each.op(at(key)) if callable(each.op) else each.op
    return state.apply(History(step.board()), op).present


def test_the_formula_of_the_cost_counts_what_the_numbers_count():
    step = LESSON.step("count")
    for coef0, count in ((1.0, r"\tbinom{d+p}{p}"), (0.0, r"\tbinom{d+p-1}{p}")):
        stage = at("count", replace(step.board(), coef0=coef0), counted="cost")
        assert step.formula(stage).endswith(count)


def test_the_readings_and_the_tree_count_the_same_products():
    """The slides' 9 is a wrong choice, and no reading shows another number of products beside it."""
    assert [each.text for each in LESSON.step("count").readings(at("count"))] == ["6", "12", "6"]


def test_the_rank_is_said_to_reach_the_number_of_features_where_it_does():
    step = LESSON.step("count")
    assert "reaches" in step.says_text(at("count", counted="rank"))
    assert "stays below" in step.says_text(at("count", tried("count", "On a circle"), counted="rank"))


def test_one_curve_is_drawn_through_five_points_of_the_plane():
    step = LESSON.step("count")
    assert step.drawn(at("count", taken=5.0))["overlay"]
    assert not step.drawn(at("count", taken=4.0))["overlay"], "several conics pass through 4 points"
    assert not step.drawn(at("count", taken=6.0))["overlay"]


def test_points_beside_the_axis_are_not_said_to_lie_on_it():
    step = LESSON.step("coordinates")
    assert any("All points lie on" in part for part in step.more(at("coordinates")))
    beside = at("coordinates", tried("coordinates", "Degree 3"))
    assert not any("All points lie on" in part for part in step.more(beside))


@pytest.mark.parametrize("price", ["square", "level", "ring"])
def test_the_length_from_kernel_values_is_that_of_the_svm(price):
    stage = at("representer", price=price)
    *_most, length = LESSON.step("representer").more_parts(stage)
    assert f"Here it is {stage.solution.norm_w**2:.4g}" in length


def test_below_0_the_origin_alone_refutes_the_sigmoid():
    step = LESSON.step("psd")
    op = next(each.op for each in step.tries if each.label.startswith("c"))
    stage = at("psd", **op["values"])
    smallest_eigenvalue = float(step.numbers(stage)[0].exact)
    assert smallest_eigenvalue <= np.tanh(-1.0)


def test_another_svm_is_announced_as_it_is_drawn():
    stage = at("coordinates", c2=0.25)
    drawn, own = LESSON.step("coordinates").draw(stage), payload.announcements(stage.lab, stage.solution)
    assert drawn["legend"] != payload.legend(stage.solution)
    assert drawn["heard"].keys() == own.keys()
    assert drawn["heard"] != own


def test_an_exponent_that_changes_no_weight_is_said_to_make_no_difference():
    step = LESSON.step("coordinates")
    plain = replace(step.board(), degree=1, hard=False, value=1.0)
    assert "makes no difference" in step.says_text(at("coordinates", plain, weights=0.0))
    assert "in the coloured cells" in step.says_text(at("coordinates", weights=0.0))


def test_only_a_linear_kernel_is_called_linear_on_collinear_points():
    step = LESSON.step("representer")
    assert "The kernel is linear" in step.situation_text(at("representer"))
    bent = replace(step.board(), kernel="polynomial", degree=2, coef0=1.0, scale=1.0)
    assert "The kernel is linear" not in step.situation_text(at("representer", bent))


def test_more_than_half_of_the_kernel_value_is_missing_outside_the_circle():
    step = LESSON.step("series")
    for N in (0.0, 1.0, 5.0):
        (circle,) = [item["pts"] for item in step.drawn(at("series", terms=N))["overlay"][-1:]]
        assert np.hypot(*np.reshape(circle, (-1, 2)).T) == pytest.approx(np.sqrt(N + 1), abs=1e-3)
        assert gaussian_remainder(np.sqrt(N + 1), int(N), 1.0) > 0.5
