"""What is saved says what it shows: the words and the names of pictures."""

import math
from dataclasses import replace

import pytest

from svmlab import solve
from svmlab.lab.board.caption import caption
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import initial_history

LAB = initial_history().present


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"kernel": "gaussian", "sigma": 1.0, "value": 10.0}, "svmlab-gaussian-sigma-1-C-10"),
        ({"value": 0.05, "face": "lambda", "bias": False}, "svmlab-linear-lambda-0.05-no-bias"),
        (
            {"kernel": "polynomial", "degree": 3, "coef0": 0.0, "scale": 0.25, "hard": True},
            "svmlab-polynomial-degree-3-coef0-0-scale-0.25-hard-margin",
        ),
    ],
)
def test_the_name_of_a_file_names_the_svm(settings, name):
    assert caption(replace(LAB, **settings), None).name == name
    assert caption(LAB, None, "soft/price & Ω").name == "svmlab-soft-price-linear-C-1"


def test_a_caption_has_the_svm_and_its_figures():
    lab = replace(LAB, kernel="gaussian", sigma=0.5, value=2.0)
    solution = solve(lab.problem)
    said = caption(lab, solution)
    assert said.settings == ("The Gaussian kernel, σ = 0.5", "C = 2", "with bias b", "60 points")
    full, n = int(solution.at_bound.sum()), int(solution.support.sum())
    assert said.figures[1:3] == (
        f"support vectors: {n}, of them at C: {full}",
        f"errors: {int((solution.margins < 0).sum())}",
    )
    assert float(said.figures[0].split()[-1]) == pytest.approx(1 / solution.norm_w, rel=1e-3)
    hard = replace(LAB, hard=True)
    assert caption(hard, None).settings[1] == "hard margin, C = ∞"
    assert len(caption(hard, None).figures) == 1
    assert caption(Lab(), None).figures == ()
    assert not math.isfinite(hard.C)
