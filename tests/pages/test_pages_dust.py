"""What is zero but for rounding reads 0, on the board and beside it."""

import math
import re
from dataclasses import replace

import pytest

from svmlab import DATASETS, separate, solve
from svmlab.lab.bench import panel
from svmlab.lab.board import payload
from svmlab.lab.numbers import DUST, ends, settled, short
from svmlab.lab.session.state import Lab, with_preset
from svmlab.lab.teach.overlay import read

TINY = re.compile("10⁻(¹[³⁴⁵⁶⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])")


@pytest.mark.parametrize("preset", DATASETS)
@pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
def test_no_figure_of_a_preset_shows_what_rounding_left_of_a_zero(preset, hard):
    lab = with_preset(Lab(preset=preset, size=24))
    lab = replace(lab, hard=hard and separate(lab.data).separable)
    solution = solve(lab.problem)
    beside = " ".join(each for values in payload.marks(solution)["values"] for each in values)
    shown = panel.figures(lab, solution) + panel.formula(lab, solution) + beside
    for point in lab.points:
        shown += panel.inspector(Lab(points=lab.points, selected=point.id), solution)
    visible = re.sub(r'title="[^"]*"', "", shown)
    assert not TINY.search(visible), TINY.search(visible)


def test_dust_is_told_from_a_small_number():
    assert short(-8.3e-17, noise=3.6e-15) == "0"
    assert short(-8.3e-17) == "−8.3·10⁻¹⁷"
    assert settled(2e-12) == 2e-12
    assert settled(-DUST) == 0.0
    assert math.copysign(1.0, settled(-1e-17)) == 1.0
    assert ends(-1.2, -1.11e-16) == ("−1.2", "0")
    assert ends(-math.inf, 1e-16) == ("−∞", "0")
    assert read("margin there", 3.1e-17).said == "0"
