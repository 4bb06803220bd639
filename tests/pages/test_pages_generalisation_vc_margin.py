"""What the step on the VC dimension with a margin says is true of the points on the board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.generalisation import corrected_bound, margins, max_shattered_points, printed_bound, shattering_margin
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.triangle import least_circle
from svmlab.lab.lessons.generalisation.vc_margin import SCALENE, TWO, smallest_margin
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.step import Chart
from tests.lessons import readings, stage_of

STEP = LESSON.step("vc-margin")


def at(board=None, shown=True, rho=None, d=2):
    stage = stage_of(LESSON, board or STEP.board(), shown)
    dials = {} if rho is None else {"ball": rho}
    return replace(stage, dials=dials, picks={**stage.picks, "ball_d": d})


def styles(stage, kind="line"):
    return [item["style"] for item in STEP.drawn(stage)["overlay"] if item["kind"] == kind]


def test_the_right_choice_is_the_largest_margin_of_three_points():
    assert STEP.choices[STEP.answer(at())].text == "Above 3R/4"
    assert shattering_margin(3) == pytest.approx(0.75)
    assert (max_shattered_points(0.75), max_shattered_points(0.7501), max_shattered_points(1.0001)) == (3, 2, 1)


def test_the_corners_of_the_board_reach_it_and_the_lines_touch_the_circles():
    stage = at()
    assert smallest_margin(stage) == pytest.approx(0.75, abs=1e-4)
    assert styles(stage) == ["accent"] * 3
    assert styles(at(rho=0.76)) == ["witness-line"] * 3
    assert sorted(styles(at(SCALENE(), rho=0.73))) == ["accent", "witness-line", "witness-line"]


def test_the_reasons_of_the_wrong_choices_name_distances_of_the_equilateral_triangle():
    X = at().data.X
    _centre, R = least_circle(X)
    assert np.abs(X[1] + X[2]).max() / 2 / R == pytest.approx(0.5, abs=1e-3)  # the centre is the origin
    assert np.hypot(*(X[1] - X[2])) / 2 / R == pytest.approx(np.sqrt(3) / 2, abs=1e-3)
    assert smallest_margin(at(TWO())) == pytest.approx(1.0)


def test_no_three_points_of_a_disc_have_more_whatever_their_position():
    """Random and degenerate triangles, and small changes of the equilateral one."""
    rng = np.random.Generator(np.random.Philox(11))
    for i in range(400):
        X = rng.normal(0, 1, (3, 2)) if i % 2 else at().data.X + rng.normal(0, 0.05, (3, 2))
        if i % 10 == 0:
            X[2] = 0.3 * X[0] + 0.7 * X[1]
        board = board_of_points([(*x, 1) for x in X.round(3).tolist()])()
        assert smallest_margin(at(board)) <= 0.75 + 1e-9


def test_the_margin_is_read_in_the_radius_and_the_colours_do_not_matter():
    X = np.array([[0.4, 1.0], [-1.1, 0.2], [0.3, -0.9]])
    parts = []
    for factor, labels in ((1.0, (1, -1, 1)), (2.0, (1, 1, 1))):
        board = board_of_points([(*x, label) for x, label in zip((factor * X).tolist(), labels, strict=True)])()
        parts.append(smallest_margin(at(board)))
    assert parts[0] == pytest.approx(parts[1])
    assert parts[0] == pytest.approx(margins(X).min() / least_circle(X)[1])


def test_two_points_have_all_of_the_radius():
    stage = at(TWO())
    assert readings(STEP, stage)[0] == ("margin of your points", "1 R")
    assert styles(replace(stage, dials={"ball": 1.0})) == ["accent"]
    assert styles(replace(stage, dials={"ball": 1.01})) == ["witness-line"]


def test_three_points_on_a_line_have_one_labelling_without_a_line():
    stage = at(board_of_points(((0, 0, 1), (1, 1, -1), (3, 3, 1)))())
    assert len(styles(stage)) == 2
    assert "witness-line" in styles(stage, "disc")
    assert readings(STEP, stage)[0][1] == "0 R"


@pytest.mark.parametrize("rho", [0.25, 0.5, 0.74, 0.76, 1.0, 1.2])
def test_the_numbers_are_those_of_the_margin_that_is_set(rho):
    numbers = dict(readings(STEP, at(rho=rho)))
    dimension, bound = float(numbers["VC dimension"]), float(numbers["bound"])
    assert dimension == max_shattered_points(rho) <= bound == corrected_bound(rho)


@pytest.mark.parametrize("d", [2, 3, 10])
def test_the_chart_of_the_notes_shades_where_their_bound_is_too_small(d):
    chart = next(part for part in STEP.more_parts(at(d=d)) if isinstance(part, Chart))
    curves = {trace.name: trace for trace in chart.figure.data}
    x = curves["VC dimension"].x
    assert (curves["bound"].y >= curves["VC dimension"].y).all()
    assert curves["notes"].y == pytest.approx([printed_bound(r, d=d) for r in x])
    too_small = curves["notes"].y < curves["VC dimension"].y
    shaded = np.zeros(len(x), dtype=bool)
    for shape in chart.figure.layout.shapes:
        if shape.type == "rect":
            shaded |= (x > shape.x0) & (x <= shape.x1)
    distances = np.abs(
        x[:, None] - [edge for n in range(1, d + 2) for edge in (n**-0.5, shattering_margin(n + 1))]
    ).min(1)
    assert (too_small == shaded)[distances > 1e-6].all()
    assert sum(shape.type == "rect" for shape in chart.figure.layout.shapes) == len(range(3, d + 2, 2))


def test_before_show_only_the_circle_is_drawn_whatever_the_slider():
    drawn = STEP.drawn(at(shown=False, rho=0.3))
    assert drawn["sliders"] == []
    assert len(drawn["overlay"]) == 1
    assert readings(STEP, at(shown=False)) == []


def test_needs_two_or_three_points_that_do_not_coincide():
    for rows in (((1, 1, 1), (1, 1, -1)), ((1, 1, 1), (1, 2, -1), (0, 0, 1), (3, 1, 1)), ((1, 1, 1),)):
        assert "two or three" in STEP.first_unmet_need(at(board_of_points(rows)())).why
    assert STEP.first_unmet_need(at(board_of_points(((1, 1, 1), (1, 1, -1), (2, 1, 1)))())) is None


def test_both_computations_are_about_the_points_on_the_board():
    stage = at(SCALENE())
    words = next(part for part in STEP.more(stage) if isinstance(part, str) and "Two computations" in part)
    smallest = float(margins(stage.data.X).min()) / least_circle(stage.data.X)[1]
    assert words.count(f"{smallest:.6f}"[:7]) == 2
    assert "it has 0.75 R" in words
