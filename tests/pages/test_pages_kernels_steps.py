"""What the steps on kernels say is true of the board that they stand on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

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
    for coef0, count in ((1.0, r"\tbinom{d+t}{t}"), (0.0, r"\tbinom{d+t-1}{t}")):
        stage = at("count", replace(step.board(), coef0=coef0), counted="cost")
        assert step.formula(stage).endswith(count)


def test_points_beside_the_axis_are_not_said_to_lie_on_it():
    step = LESSON.step("coordinates")
    assert any("All points lie on" in part for part in step.more(at("coordinates")))
    beside = at("coordinates", tried("coordinates", "Degree 3, in the plane"))
    assert not any("All points lie on" in part for part in step.more(beside))


@pytest.mark.parametrize("price", ["square", "level", "ring"])
def test_the_length_from_kernel_values_is_that_of_the_machine(price):
    stage = at("span", price=price)
    *_most, length = LESSON.step("span").more(stage)
    assert f"all: {stage.solution.norm_w**2:.3g}"[:8] in length


def test_below_0_the_origin_alone_refutes_the_sigmoid():
    step = LESSON.step("psd")
    op = next(each.op for each in step.tries if each.label == "c₂ = −1")
    stage = at("psd", **op["values"])
    least = float(step.numbers(stage)[0].exact)
    assert least <= np.tanh(-1.0)


@pytest.mark.parametrize(("key", "said"), [("coordinates", {"c2": 0.25}), ("build", {"factor": 2.0})])
def test_another_machine_is_heard_as_it_is_drawn(key, said):
    stage = at(key, **said)
    drawn, own = LESSON.step(key).draw(stage), payload.announcements(stage.lab, stage.solution)
    assert drawn["legend"] != payload.legend(stage.solution)
    assert drawn["heard"].keys() == own.keys()
    assert drawn["heard"] != own


def test_where_nothing_is_left_of_a_kernel_no_ring_and_no_count_is_drawn():
    drawn = LESSON.step("build").draw(at("build", rule="scaled", factor=0.0))
    assert (drawn["lines"], drawn["marks"], drawn["legend"]) == (None, None, None)


@pytest.mark.parametrize(("rule", "plays"), [("between", True), ("product", False), ("gaussian", False)])
def test_c_moves_where_the_rule_has_it(rule, plays):
    step, stage = LESSON.step("build"), at("build", rule=rule)
    assert (step.play(stage) is not None) == plays
    assert step.draw(stage)["sliders"][0]["disabled"] != plays


def test_where_no_vector_is_near_b_alone_is_left_and_the_nearest_is_named():
    step = LESSON.step("similarity")
    stage = at("similarity", replace(step.board(), sigma=0.1), ux=6.0, uy=6.0)
    near = float(np.linalg.norm(stage.data.X[stage.solution.support] - [6.0, 6.0], axis=1).min())
    assert f"{near:.3g}" in step.verdict_text(stage)
    assert step.verdict_text(stage).startswith("b alone")
