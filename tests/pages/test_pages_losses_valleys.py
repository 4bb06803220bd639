"""What the steps on minima and on the negative gradient say is true of the board that they stand on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.lessons.losses.valleys import descent, known_minima, objective, path_so_far, start_w
from svmlab.lab.session.cache import Cache
from svmlab.lab.teach.boards import board_of_points
from svmlab.losses import descend
from tests.lessons import stage_of

VALLEYS, DOWN = LESSON.step("valleys"), LESSON.step("down")


def at(step, board=None, **said):
    """A step shown on its own board or another, with dials and picks."""
    stage = replace(stage_of(LESSON, (board or step.board)()), cache=Cache())
    dials = {name: value for name, value in said.items() if isinstance(value, float)}
    return replace(stage, dials=dials, picks={**stage.picks, **{k: v for k, v in said.items() if isinstance(v, str)}})


def tried(step, label):
    """Its Try of this label."""
    return next(each for each in step.tries if each.label == label)


def numbers_by_name(step, stage):
    """The numbers by their names."""
    return {reading.name: reading.text for reading in step.readings(stage)}


# valleys


def test_the_ball_rests_in_a_valley_that_is_not_the_lowest():
    stage = at(VALLEYS)
    assert VALLEYS.verdict_text(stage) == (
        "The sigmoid loss, because it is not convex. On this board, 24 descents find 4 local minima."
    )
    assert numbers_by_name(VALLEYS, stage) == {"F at w": "0.6297", "F at the end": "0.4186", "smallest F": "0.3832"}
    assert descent(stage)[1].w == pytest.approx((-2.79, 1.29), abs=5e-3)
    assert numbers_by_name(VALLEYS, at(VALLEYS, valleyloss="hinge"))["F at the end"] == "1"


@pytest.mark.parametrize("loss", ["hinge", "logistic", "sigmoid"])
def test_where_the_ball_rests_is_where_a_descent_ends(loss):
    stage = at(VALLEYS, valleyloss=loss, ball1=3.0, ball2=1.0)
    assert start_w(stage).tolist() == [3, 1]
    path, fit = descent(stage)
    assert fit.w == pytest.approx(descend(objective(stage), np.array([3.0, 1.0])).w, abs=1e-6)
    assert path[-1] == pytest.approx(fit.w)


def test_a_click_drops_the_ball_where_it_says():
    stage = at(VALLEYS)
    chart = VALLEYS.chart(stage)
    spots = next(trace for trace in chart.figure.data if trace.name == "spots")
    op = chart.on_click(spots.customdata[40][0])
    moved = at(VALLEYS, **op["values"])
    assert start_w(moved) == pytest.approx((spots.x[40], spots.y[40]))
    assert numbers_by_name(VALLEYS, moved)["F at w"] == f"{spots.customdata[40][1]:.4g}"


def test_a_click_on_a_minimum_drops_the_ball_there():
    stage = at(VALLEYS)
    chart = VALLEYS.chart(stage)
    marks = next(trace for trace in chart.figure.data if trace.name == "minima")
    moved = at(VALLEYS, **chart.on_click(marks.customdata[0][0])["values"])
    assert numbers_by_name(VALLEYS, moved)["F at w"] == numbers_by_name(VALLEYS, moved)["F at the end"] == "0.3832"


@pytest.mark.parametrize("step", [VALLEYS, DOWN], ids=lambda step: step.key)
def test_no_line_is_in_the_way_of_a_click(step):
    lines = [trace for trace in step.chart(at(step)).figure.data if trace.mode == "lines"]
    assert len(lines) >= 2
    assert {trace.hoverinfo for trace in lines} == {"skip"}
    assert {trace.hovertemplate for trace in lines} == {None}


def test_the_slider_says_how_far_it_has_descent():
    whole = path_so_far(at(VALLEYS))
    assert path_so_far(at(VALLEYS, roll=0.0)) == pytest.approx(whole[:1])
    half = path_so_far(at(VALLEYS, roll=0.5))
    lengths = [np.hypot(*np.diff(path, axis=0).T).sum() for path in (half, whole)]
    assert lengths[0] == pytest.approx(0.5 * lengths[1])


def test_without_lambda_w_and_2w_are_both_minima_of_the_hinge_and_none_is_one_of_the_logistic_loss():
    apart = tried(VALLEYS, "Separable").board
    picks = tried(VALLEYS, "Many minima").op["values"]
    many = at(VALLEYS, apart, **picks)
    assert "All of these minima have the same $F$" in VALLEYS.says(many)
    many = at(VALLEYS, apart, **picks | {"valleyview": "along"})
    assert "so $w$ and $2w$ both have $F = 0$" in VALLEYS.says(many)
    w = start_w(many)
    assert objective(many).value(np.stack([w, 2 * w])).tolist() == [0, 0]
    assert descent(many)[1].w == pytest.approx((-2.8, -0.6), abs=5e-3)
    assert len(known_minima(many).w) > 5
    without = {"valleyloss": "logistic", "valleyprice": "none", "valleyview": "along"}
    never = at(VALLEYS, apart, **without)
    assert "No global minimum exists" in VALLEYS.says(never)
    assert numbers_by_name(VALLEYS, never)["F at the end"] == "no minimum"
    assert VALLEYS.verdict_text(never).endswith("find only one local minimum.")
    assert "misclassifies a point" in VALLEYS.says(at(VALLEYS, **without))


def test_the_plane_shows_every_minimum_with_its_F():
    figure = VALLEYS.chart(at(VALLEYS)).figure
    words = [note.text for note in figure.layout.annotations]
    assert sorted(words) == ["0.3832", "0.4186", "0.4186", "0.5", "w", "w₁", "w₂"]


def test_a_chord_is_drawn_where_the_words_say_it():
    stage = at(VALLEYS, valleyview="best")
    chord, F = (next(t for t in VALLEYS.chart(stage).figure.data if t.name == name) for name in ("chord", "F"))
    inside = np.interp(chord.x, F.x, F.y)
    assert (inside - chord.y).max() > 0.01
    assert "not convex" in VALLEYS.says(stage)
    convex = VALLEYS.chart(at(VALLEYS, valleyview="best", valleyloss="logistic")).figure
    chord, F = (next(t for t in convex.data if t.name == name) for name in ("chord", "F"))
    assert (np.interp(chord.x, F.x, F.y) - chord.y).max() < 1e-12


# which way is down


def test_it_opens_where_down_is_nearly_at_a_right_angle():
    stage = at(DOWN)
    said = numbers_by_name(DOWN, stage)
    assert stage.solution.w == pytest.approx((0, 1), abs=1e-9)
    assert DOWN.draw(stage)["probe"]["at"] == pytest.approx((-0.0201, 1.08))
    assert said["angle"] == "89.64°"
    assert said["largest angle"] == "89.73°"
    assert said["⟨−∇F, w* − w⟩"] == "0.001068"


@pytest.mark.parametrize(("label", "worst"), [("x₁ × 4", "89.93°"), ("x₁ / 4", "89.42°")])
def test_stretching_changes_the_worst_angle(label, worst):
    stage = at(DOWN, tried(DOWN, label).board)
    assert numbers_by_name(DOWN, stage)["largest angle"] == worst


def test_the_stretched_board_is_the_same_picture_at_a_quarter_of_the_size():
    small = at(DOWN, tried(DOWN, "x₁ × 4").board)
    assert pytest.approx(np.array([(16, 1), (16, -1)])) == 4 * small.data.X
    assert small.lab.lam == pytest.approx(0.01 / 16)
    assert small.solution.w == pytest.approx((0, 4), abs=1e-9)


def test_a_click_puts_one_where_it_says():
    for view in ("near", "plane", "zigzag"):
        chart = DOWN.chart(at(DOWN, downview=view))
        spots = next(trace for trace in chart.figure.data if trace.name == "spots")
        op = chart.on_click(spots.customdata[3][0])
        moved = at(DOWN, **op["values"])
        assert DOWN.draw(moved)["probe"]["at"] == pytest.approx((spots.x[3], spots.y[3]))


ODD = [
    [(1.0, 1.0, 1)],
    [(0.0, 0.0, 1), (2.0, 0.0, -1)],
    [(1.0, 1.0, 1), (1.0, 1.0, -1)],
    [(1.0, 0.0, 1)] * 5,
    [(7.9, 7.9, 1), (-7.9, 7.8, -1), (0.001, 0.0, 1)],
]


@pytest.mark.parametrize(  # two boards at one end of λ; .ci/run has each board so, and .ci/all each at every λ
    ("step", "rows", "value"),
    [
        pytest.param(
            *(step, rows, value),
            id=f"{value:g}-rows{i}-{step.key}",
            marks=pytest.mark.sweep if k != 2 * ((i + j) % 2) else pytest.mark.slow if i > 1 else (),
        )
        for i, rows in enumerate(ODD)
        for j, step in enumerate((VALLEYS, DOWN))
        for k, value in enumerate((1e-6, 1.0, 1e6))
    ],
)
def test_both_work_on_odd_boards(step, rows, value):
    stage = at(step, board_of_points(rows, face="lambda", value=value, bias=False))
    assert step.first_unmet_need(stage) is None
    step.draw(stage)
    assert step.verdict_text(stage)
    for pick in step.picks:
        for option in pick.options:
            other = replace(stage, picks={**stage.picks, pick.name: option})
            step.chart(other)
            step.readings(other)
            assert step.says(other)


def test_at_w_star_itself_there_is_no_angle():
    stage = at(DOWN, down1=0.0, down2=1.0)
    assert numbers_by_name(DOWN, stage)["angle"] in ("–°", "0°")
    DOWN.chart(stage)
