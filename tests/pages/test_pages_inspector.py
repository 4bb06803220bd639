"""The sentence beside a selected point is true of the machine on the board."""

from dataclasses import replace

import numpy as np

from svmlab import solve
from svmlab.lab import text
from svmlab.lab.bench import panel
from svmlab.lab.session.state import Lab, Point, with_preset


def told(lab: Lab, at: int) -> str:
    return panel.inspector(replace(lab, selected=lab.points[at].id), solve(lab.problem))


def test_a_free_vector_is_said_to_fix_b_only_where_there_is_a_b() -> None:
    with_b = with_preset(Lab(preset="separable"))
    without = replace(with_b, bias=False)
    for lab, expected in ((with_b, True), (without, False)):
        free = int(np.flatnonzero(solve(lab.problem).free)[0])
        assert (text.WHY_FREE_BIAS in told(lab, free)) is expected


def test_with_one_class_nobody_is_said_to_hold_a_boundary() -> None:
    lab = Lab(points=(Point(1, 1000, 0, 1),))
    said = told(lab, 0)
    assert text.WHY_ONE_CLASS in said
    assert text.WHY["margin_idle"] not in said


def test_a_clipped_machine_is_named_so_in_the_formula():
    lab = with_preset(Lab(kernel="sigmoid", coef0=1.0))
    solution = solve(lab.problem)
    assert solution.clipped is not None
    assert "cut off" in panel.formula(lab, solution)
    assert "cut off" not in panel.formula(lab, solve(replace(lab, kernel="gaussian").problem))
