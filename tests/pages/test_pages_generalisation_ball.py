"""What the step on the bound and the truth says is true of the three points on the board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.generalisation import margins, printed_bound, shattered
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.triangle import least_circle
from svmlab.lab.teach.boards import board_of_points
from tests.lessons import stage_of

STEP = LESSON.step("ball")


def at(board=None, shown=True, rho=None, d=2):
    stage = stage_of(LESSON, board or STEP.board(), shown)
    dials = {} if rho is None else {"ball": rho}
    return replace(stage, dials=dials, picks={**stage.picks, "ball_d": d})


def tried(label):
    return next(each for each in STEP.tries if each.label == label)


def read(stage):
    return {reading.name: reading for reading in STEP.numbers(stage)}


def styles(stage, kind="line"):
    return [item["style"] for item in STEP.draw(stage)["overlay"] if item["kind"] == kind]


def test_at_73_hundredths_three_are_shattered_and_the_print_says_2_88():
    stage = at()
    assert STEP.choices[STEP.answer(stage)].text == "3"
    assert "2.88" in STEP.verdict_text(stage)
    assert float(read(stage)["printed"].exact) == pytest.approx(2.877, abs=5e-4)
    assert (read(stage)["true"].text, read(stage)["mended"].text) == ("3", "3")


def test_the_board_to_begin_with_does_not_do_and_the_equilateral_one_does():
    own = float(read(at(shown=False))["your three"].exact)
    assert own == pytest.approx(0.641, abs=1e-3)
    assert sorted(styles(at())) == ["accent", "witness-line", "witness-line"]
    best = at(tried("Equilateral").board())
    assert float(read(best)["your three"].exact) == pytest.approx(0.75, abs=1e-4)
    assert styles(best) == ["accent"] * 3
    assert styles(replace(best, dials={"ball": 0.76})) == ["witness-line"] * 3


def test_a_margin_that_is_read_as_the_one_asked_for_is_met():
    """The places are rounded: the equilateral board's least margin is 0.749994 R, and three are shattered up to
    0.75."""
    best = at(tried("Equilateral").board(), rho=0.75)
    assert (read(best)["your three"].text, read(best)["true"].text) == ("0.75 R", "3")
    assert styles(best) == ["accent"] * 3


def test_the_margin_is_read_in_the_radius_and_the_colours_do_not_matter():
    X = np.array([[0.4, 1.0], [-1.1, 0.2], [0.3, -0.9]])
    shares = []
    for factor, labels in ((1.0, (1, -1, 1)), (2.0, (1, 1, 1))):
        board = board_of_points([(*x, label) for x, label in zip((factor * X).tolist(), labels, strict=True)])()
        shares.append(float(read(at(board))["your three"].exact))
    assert shares[0] == pytest.approx(shares[1])
    assert shares[0] == pytest.approx(margins(X).min() / least_circle(X)[1])


def test_two_points_have_all_of_the_radius():
    stage = at(tried("Two points").board())
    assert read(stage)["your two"].text == "1 R"
    assert styles(replace(stage, dials={"ball": 1.0})) == ["accent"]
    assert styles(replace(stage, dials={"ball": 1.01})) == ["witness-line"]


def test_three_on_a_line_have_one_labelling_without_a_line():
    stage = at(board_of_points(((0, 0, 1), (1, 1, -1), (3, 3, 1)))())
    assert len(styles(stage)) == 2
    assert "witness-line" in styles(stage, "disc")
    assert read(stage)["your three"].text == "0 R"


@pytest.mark.parametrize("d", [2, 3, 10])
@pytest.mark.parametrize("rho", [0.25, 0.5, 0.74, 0.76, 1.0, 1.2])
def test_the_numbers_are_of_the_dimension_and_the_margin_that_are_chosen(d, rho):
    numbers = read(at(rho=rho, d=d))
    assert float(numbers["true"].exact) == shattered(rho, d=d) <= float(numbers["mended"].exact)
    assert float(numbers["printed"].exact) == printed_bound(rho, d=d)


def test_before_it_is_shown_the_margin_is_that_of_the_question_whatever_the_slider():
    drawn = STEP.draw(at(shown=False, rho=0.3))
    assert drawn["sliders"] == []
    assert drawn["overlay"] == STEP.draw(at(shown=False))["overlay"]
    assert "true" not in read(at(shown=False))


def test_needs_two_or_three_points_that_are_apart():
    for rows in (((1, 1, 1), (1, 1, -1)), ((1, 1, 1), (1, 2, -1), (0, 0, 1), (3, 1, 1)), ((1, 1, 1),)):
        assert "two or three" in STEP.first_unmet_need(at(board_of_points(rows)())).why
    assert STEP.first_unmet_need(at(board_of_points(((1, 1, 1), (1, 1, -1), (2, 1, 1)))())) is None


def test_both_ways_are_told_of_the_points_on_the_board():
    stage = at()
    ways = next(part for part in STEP.more(stage) if "Two ways" in part)
    least = float(margins(stage.data.X).min()) / least_circle(stage.data.X)[1]
    assert ways.count(f"{least:.6f}"[:7]) == 2
    assert "ends at 0.75 R" in ways
