"""What is zero but for rounding reads 0, on the board and beside it."""

import math
import re
from dataclasses import replace

import pytest

from svmlab import DATASETS, separate, solve
from svmlab.lab.bench import panel
from svmlab.lab.board import payload
from svmlab.lab.numbers import ROUNDING, format_interval, short, zero_if_rounding
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.teach.step import reading

TINY = re.compile("10⁻(¹[³⁴⁵⁶⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])")


@pytest.mark.parametrize("preset", DATASETS)
@pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
def test_no_figure_of_a_preset_shows_what_rounding_left_of_a_zero(preset, hard):
    lab = with_preset(Lab(preset=preset, size=24))
    lab = replace(lab, hard=hard and separate(lab.data).separable)
    solution = solve(lab.problem)
    beside = " ".join(each for values in payload.point_marks(solution)["values"] for each in values)
    shown = panel.figures(lab, solution) + panel.formula(lab, solution) + beside
    for point in lab.points:
        shown += panel.inspector(Lab(points=lab.points, selected=point.id), solution)
    visible = re.sub(r'title="[^"]*"', "", shown)
    assert not TINY.search(visible), TINY.search(visible)


def test_rounding_is_distinguished_from_a_small_number():
    assert short(-8.3e-17, noise=3.6e-15) == "0"
    assert short(-8.3e-17) == "−8.3·10⁻¹⁷"
    assert zero_if_rounding(2e-12) == 2e-12
    assert zero_if_rounding(-ROUNDING) == 0.0
    assert math.copysign(1.0, zero_if_rounding(-1e-17)) == 1.0
    assert format_interval(-1.2, -1.11e-16) == ("−1.2", "0")
    assert format_interval(-math.inf, 1e-16) == ("−∞", "0")
    assert reading("margin there", 3.1e-17).text == "0"
