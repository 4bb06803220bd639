"""What the step on regularisers says and draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Working
from svmlab.losses import p_norm
from tests.lessons import DoneAtOnce, stage_of

STEP = LESSON.step("balls")
MIRRORED = board_of_points([(1, 1, 1), (1, -1, 1), (-1, 1, -1), (-1, -1, -1), (0.5, 2, -1), (0.5, -2, -1)])
ASK = DoneAtOnce()


def at(board=None, **dials):
    return replace(stage_of(LESSON, board or STEP.board(), ask=ASK), dials=dials)


def number_texts(stage):
    return [reading.text for reading in STEP.numbers(stage)]


def trace(stage, name):
    return next(each for each in STEP.chart(stage).figure.data if each.name == name)


def test_on_its_board_R1_alone_has_a_weight_of_0():
    stage = at()
    assert STEP.answer(stage) == 0
    assert STEP.verdict_text(stage) == (
        "Only with R₁ = |w₁| + |w₂|. At λ = 0.4, R₁ gives w = (0.67, 0), and R₂ gives w = (0.687, 0.414)."
    )
    assert number_texts(stage) == ["(0.67, 0)", "(0.687, 0.414)"]


def test_at_a_small_lambda_no_weight_is_0():
    stage = at(replace(STEP.board(), value=0.05))
    assert STEP.answer(stage) == 3
    assert STEP.verdict_text(stage).startswith("With neither. λ = 0.05 is too small")
    assert number_texts(stage)[0] == "(1.08, 0.511)"


def test_at_a_large_lambda_R1_has_no_line_and_R2_still_one():
    stage = at(replace(STEP.board(), value=1.4))
    assert number_texts(stage)[0] == "(0, 0)"
    assert STEP.draw(stage)["overlay"] == []
    assert STEP.answer(stage) == 0
    STEP.chart(stage)


def test_on_a_mirrored_board_both_have_a_weight_of_0():
    stage = at(MIRRORED())
    assert STEP.answer(stage) == 2
    assert STEP.verdict_text(stage).startswith("With both.")


def test_turned_by_45_degrees_R1_has_another_length_and_R2_the_same():
    stage = at()
    op = STEP.tries[2].op(stage)
    other = replace(stage, lab=state.apply(History(stage.lab), op).present)
    one, two = number_texts(stage), number_texts(other)
    assert (one[0], two[0]) == ("(0.67, 0)", "(0, 0.706)")
    assert (one[1], two[1]) == ("(0.687, 0.414)", "(0.193, 0.778)")
    assert np.hypot(0.687, 0.414) == pytest.approx(np.hypot(0.193, 0.778), abs=1e-3)


def test_overlapping_classes_of_different_sizes_can_have_w_0_under_R2_for_every_large_lambda():
    rows = [(1, 0, 1), (2, 1, 1), (2, -1, 1), (-1, 0, -1), (-2, 1, -1), (-2, -1, -1), (5, 0, -1), (5, 0.5, -1)]
    for lam in (1.0, 10.0, 1000.0):
        assert STEP.answer(at(board_of_points(rows, face="lambda", value=lam)())) == 2


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 8.0])
def test_the_ball_goes_through_w(p):
    stage = at(p=p)
    w, edge = trace(stage, "w"), trace(stage, "ball")
    place = np.array([w.x[0], w.y[0]])
    np.testing.assert_allclose(p_norm(np.column_stack([edge.x, edge.y]), p), p_norm(place, p), rtol=1e-9)


def test_R0_is_a_cross_and_w_lies_on_it():
    stage = at(p=0.0)
    cross, on = trace(stage, "ball"), np.isfinite(trace(stage, "ball").x)
    assert (cross.x[on] * cross.y[on] == 0).all()
    labels = [note.text for note in STEP.chart(stage).figure.layout.annotations]
    assert "w = (2.43, 0) →" in labels  # beyond what the chart shows
    assert "R_0" in STEP.says(stage)


@pytest.mark.parametrize(("p", "lines"), [(1.0, 1), (2.0, 1), (1.5, 2), (8.0, 2), (0.5, 2)])
def test_the_line_of_another_p_is_dashed(p, lines):
    overlay = STEP.draw(at(p=p))["overlay"]
    assert [item["style"] for item in overlay] == ["accent", "accent dashed"][:lines]


def test_while_the_plane_is_being_surveyed_the_board_is_drawn_and_the_numbers_are_there():
    stage = replace(at(p=0.5), request_work=None)
    stage = replace(stage, cache=type(stage.cache)())
    assert [item["style"] for item in STEP.draw(stage)["overlay"]] == ["accent"]
    assert number_texts(stage)[0] == "(0.67, 0)"
    with pytest.raises(Working):
        STEP.chart(stage)


def test_while_something_moves_the_line_is_nearly_where_it_comes_to_rest():
    stage = at(p=3.0)
    STEP.chart(stage)
    rest = STEP.draw(stage)["overlay"][1]["pts"]
    moving = STEP.draw(replace(stage, moving=True))["overlay"][1]["pts"]
    np.testing.assert_allclose(moving, rest, atol=0.02)


@pytest.mark.parametrize(
    ("p", "price"),
    [(0.0, r"\ne0\}"), (1.0, r"\sum_j|w_j|"), (2.0, r"\tfrac12\sum_j w_j^2"), (3.0, r"\tfrac\lambda p\sum_j|w_j|^p")],
)
def test_the_formula_has_the_penalty_of_the_ball(p, price):
    assert STEP.formula(at(p=p)).endswith(price)


def test_what_an_address_says_of_p_is_kept_within_bounds():
    for p in (-3.0, 0.01, 99.0):
        STEP.chart(at(p=p))
