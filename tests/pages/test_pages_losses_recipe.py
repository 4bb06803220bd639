"""What the step on the one recipe says is true of the board that it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.lessons.losses.recipe import (
    NAMES,
    NO_LINE,
    NO_MINIMISER,
    NOT_SEPARABLE,
    PAIRS,
    SAYS,
    SEPARATED,
    ZERO_IS_OPTIMAL,
    clicked,
    selected_minimiser,
)
from svmlab.lab.teach.boards import board_of_points
from tests.lessons import stage_of

STEP = LESSON.step("recipe")
XOR = board_of_points(((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1)), face="lambda", value=0.1)


def at(paid, priced, board=None, **changed):
    """The step shown with a pair picked, on its own board or another."""
    stage = stage_of(LESSON, replace((board or STEP.board)(), **changed))
    return replace(stage, picks={**stage.picks, "paid": paid, "priced": priced})


def apart():
    return next(each.board for each in STEP.tries if each.board)()


@pytest.mark.parametrize(
    ("pair", "w", "b", "errors"),
    [
        (("squared", "R2"), (0.3792, -0.1542), -0.2177, 3),
        (("squared", "R1"), (0.2893, 0.0), -0.2235, 1),
        (("logistic", "R2"), (0.5155, -0.0877), -0.4658, 2),
        (("hinge", "R2"), (0.5943, 0.1600), -0.2686, 1),
        (("perceptron", "none"), (0.0, 0.0), 0.0, 14),
    ],
)
def test_the_five_on_the_board_of_the_step(pair, w, b, errors):
    minimiser = selected_minimiser(at(*pair))
    assert minimiser.w == pytest.approx(w, abs=1e-4)
    assert minimiser.b == pytest.approx(b, abs=1e-4)
    assert minimiser.errors == errors


def test_every_name_is_on_a_pair_and_there_are_five():
    assert len({name for name, *_ in NAMES}) == 5
    figure = STEP.chart(at("squared", "R2")).figure
    names = [str(name) for name, *_ in NAMES]
    assert [a.text for a in figure.layout.annotations if a.text.strip("<b>/").split(":")[0] in names] == [
        *("lasso", "<b>ridge</b>", "logistic regression", "SVM", "perceptron: w = 0")
    ]


@pytest.mark.parametrize(
    ("paid", "priced", "name"), [("hinge", "R2", "SVM"), ("logistic", "none", "logistic regression")]
)
def test_the_name_of_the_pair_is_strong_and_of_no_other(paid, priced, name):
    figure = STEP.chart(at(paid, priced)).figure
    assert [a.text for a in figure.layout.annotations if "<b>" in a.text] == [f"<b>{name}</b>"]
    none = STEP.chart(at("hinge", "R1")).figure
    assert not any("<b>" in a.text for a in none.layout.annotations)


def test_a_click_on_a_small_board_picks_its_pair():
    chart = STEP.chart(at("squared", "R2"))
    for number, (paid, priced) in enumerate(PAIRS):
        assert chart.on_click(number) == clicked(number) == {"op": "pick", "values": {"paid": paid, "priced": priced}}
    frames = next(trace for trace in chart.figure.data if trace.name == "pairs")
    assert frames.customdata.tolist() == list(range(len(PAIRS)))


def test_from_ridge_to_the_svm_by_another_loss_alone():
    ridge, hinge = {pick.name: pick.default for pick in STEP.picks}, STEP.tries[0].op["values"]
    assert [name for name in ridge if hinge[name] != ridge[name]] == ["paid"]
    stage = at(**hinge)
    minimiser, own = selected_minimiser(stage), stage.solution
    assert minimiser.w == pytest.approx(own.w, abs=1e-5)
    assert minimiser.b == pytest.approx(own.b, abs=1e-5)
    drawn = STEP.draw(stage)
    thin = drawn["overlay"][0]["pts"]
    assert np.sort(drawn["lines"]["zero"][0]) == pytest.approx(np.sort(thin), abs=1e-3)


@pytest.mark.parametrize(
    ("pair", "board", "said"),
    [
        (("logistic", "none"), apart, NO_MINIMISER),
        (("hinge", "none"), apart, SEPARATED["hinge", "none"]),
        (("perceptron", "none"), apart, SEPARATED["perceptron", "none"]),
        (("perceptron", "R2"), apart, ZERO_IS_OPTIMAL),
        (("perceptron", "none"), STEP.board, NOT_SEPARABLE),
        (("perceptron", "R1"), STEP.board, ZERO_IS_OPTIMAL),
        (("hinge", "R2"), XOR, NO_LINE),
        (("squared", "none"), XOR, NO_LINE),
        (("hinge", "none"), STEP.board, SAYS["hinge", "none"]),
        (("logistic", "none"), STEP.board, SAYS["logistic", "none"]),
    ],
)
def test_what_is_said_is_so(pair, board, said):
    assert STEP.says(at(*pair, board)) == said


def test_where_there_is_no_minimiser_nothing_is_drawn_for_one():
    stage = at("logistic", "none", apart)
    drawn = STEP.draw(stage)
    assert (drawn["lines"], drawn["shade"], drawn["marks"]) == (None, None, None)
    assert [reading.text for reading in STEP.numbers(stage)] == ["–", "no minimum", "–"]
    figure = STEP.chart(stage).figure
    sides = next(trace for trace in figure.data if trace.name == "f = 0")
    lines = np.count_nonzero(np.isnan(sides.x))
    assert lines == len(PAIRS) - 3  # logistic without regulariser, and the perceptron's loss with one


def test_where_w_is_0_there_is_no_line_and_every_point_counts_as_it_falls():
    stage = at("squared", "R1", value=100.0)
    drawn = STEP.draw(stage)
    assert drawn["lines"] == {"zero": [], "plus": [], "minus": []}
    readings = {reading.name: reading.text for reading in STEP.numbers(stage)}
    plus = sum(point.label > 0 for point in stage.lab.points)
    assert readings["errors"] == f"{plus}/{len(stage.lab.points)}"  # b < 0: more points are labelled -


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("board", [STEP.board, apart, XOR])
def test_words_and_formula_of_every_pair_fit(pair, board):
    stage = at(*pair, board)
    assert len(STEP.says(stage).replace("*", "").replace("$", "")) <= 165
    assert STEP.formula(stage).count("t_i") >= 2
    assert ("lambda" in STEP.formula(stage)) == (pair[1] != "none")


def test_without_a_bias_only_a_line_through_the_origin_separates():
    def board():
        return board_of_points(((2, 0, 1), (1, 0, -1)), face="lambda", value=0.1, bias=False)()

    assert STEP.says_text(at("perceptron", "none", board)) == str(NOT_SEPARABLE)
    assert STEP.says_text(at("logistic", "none", board)) == str(SAYS["logistic", "none"])
    assert STEP.says_text(at("perceptron", "none", board, bias=True)) == str(SEPARATED["perceptron", "none"])
