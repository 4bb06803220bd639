"""What the figures, the sentence beside a selected point and the shading say is true of the machine on the board."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Category, solve
from svmlab.lab.bench import panel
from svmlab.lab.board.payload import PALEST, picture, shading
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.state import History
from svmlab.plane.contours import draw_solution


def inspector_text(lab: Lab, at: int) -> str:
    return panel.inspector(replace(lab, selected=lab.points[at].id), solve(lab.problem))


def test_a_free_vector_is_said_to_fix_b_only_where_there_is_a_b() -> None:
    with_b = with_preset(Lab(preset="separable"))
    without = replace(with_b, bias=False)
    for lab, expected in ((with_b, True), (without, False)):
        free = int(np.flatnonzero(solve(lab.problem).free)[0])
        assert (panel.WHY_FREE_BIAS in inspector_text(lab, free)) is expected


def test_with_one_class_nobody_is_called_a_support_vector() -> None:
    lab = Lab(points=(Point(1, 1000, 0, 1),))
    said = inspector_text(lab, 0)
    assert panel.WHY_ONE_CLASS in said
    assert panel.WHY[Category.MARGIN_IDLE] not in said


def test_a_clipped_svm_is_named_so_in_the_formula():
    lab = with_preset(Lab(kernel="sigmoid", coef0=1.0))
    solution = solve(lab.problem)
    assert solution.clipped_eigenvalue is not None
    assert "without the eigenvalues" in panel.formula(lab, solution)
    assert "without the eigenvalues" not in panel.formula(lab, solve(replace(lab, kernel="gaussian").problem))


def tints(lab: Lab) -> tuple[np.ndarray, np.ndarray]:
    """The shading as it is sent, and f at the same places."""
    drawn = draw_solution(solve(lab.problem), lab.view)
    sent = np.frombuffer(base64.b64decode(shading(drawn)["data"]), np.int8).reshape(drawn.values.shape)
    return sent, drawn.values


@pytest.mark.parametrize("bias", [True, False])
def test_each_side_is_tinted_however_small_f_is(bias):
    sent, f = tints(with_preset(Lab(preset="moons", kernel="gaussian", sigma=0.05, bias=bias)))
    assert (abs(f[f != 0]) < 0.01).any()
    sided = abs(f) > 1e-12 if bias else f != 0
    np.testing.assert_array_equal(np.sign(sent[sided]), np.sign(f[sided]))
    assert abs(sent[sided]).min() >= PALEST
    assert not sent[f == 0].any()


TWINS = Lab(points=(Point(1, 1000, 0, 1), Point(2, 1000, 0, -1)))


def test_where_f_is_nowhere_of_any_sign_nothing_is_tinted():
    assert not tints(TWINS)[0].any()


def test_no_errors_where_no_point_has_a_side_are_explained():
    said = panel.figures(TWINS, solve(TWINS.problem)) + panel.formula(TWINS, solve(TWINS.problem))
    assert "2 of them on the boundary" in said
    assert panel.ALL_ON in said
    one = Lab(points=(Point(1, 1000, 0, 1), Point(2, 0, 0, 1)))
    assert panel.CONSTANT_OF_ONE.format(b=1) in panel.formula(one, solve(one.problem))
    two = Lab(points=(Point(1, 1000, 1000, 1), Point(2, 1000, 1000, -1), Point(3, 0, 0, 1)), selected=3)
    assert panel.CONSTANT.format(b=1) in panel.formula(two, solve(two.problem))
    assert panel.WHY_CONSTANT in panel.inspector(two, solve(two.problem)), "no margin line is spoken of where w = 0"
    usual = with_preset(Lab())
    assert "w = 0" not in panel.formula(usual, solve(usual.problem))


def test_points_at_one_place_are_said_to_be_several():
    lab = replace(TWINS, points=(*TWINS.points, Point(3, 1000, 0, 1), Point(4, 0, 0, 1)))
    values = picture(History(lab), Outcome(solve(lab.problem), None), None)["marks"]["values"]
    assert [several for *_, several in values] == 3 * ["3 points here"] + [""]
    assert "3 points here: 2 of class +1, 1 of class −1" in inspector_text(lab, 1)
    assert "here:" not in inspector_text(lab, 3)
