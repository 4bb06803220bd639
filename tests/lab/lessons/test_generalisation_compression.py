"""What the steps on compression and on the number of support vectors count: counts on samples, both bounds."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.generalisation import CLEAN, NOISY, compression_bound, sharper_bound
from svmlab.lab.lessons.generalisation.counting import (
    COMPARED,
    SHAPES,
    WIDTHS,
    compared,
    count,
    counted,
    recounted,
)
from svmlab.lab.lessons.generalisation.sampled import DRAWS, SIZES, bounds, growing, on_draws

TABLE = {  # line, degree 2, sigma 1, .3, .1
    "separable": (2, 3, 18, 52, 60),
    "overlapping": (6, 8, 15, 51, 60),
    "moons": (21, 21, 12, 36, 57),
    "circles": (49, 6, 16, 45, 58),
}


def test_where_nothing_is_flipped_the_bound_speaks():
    errors_on_samples = on_draws(Problem(CLEAN.draw(120), Linear(), 10.0), CLEAN)
    assert len(errors_on_samples.true) == DRAWS
    assert errors_on_samples.support.mean() == pytest.approx(2.7, abs=0.3)
    assert errors_on_samples.true.mean() == pytest.approx(0.003, abs=0.001)
    assert bounds(errors_on_samples).mean() == pytest.approx(0.44, abs=0.02)
    assert np.mean([sharper_bound(int(N), 120) for N in errors_on_samples.support]) == pytest.approx(0.16, abs=0.015)
    assert (errors_on_samples.true > bounds(errors_on_samples)).sum() == 0
    assert (errors_on_samples.true > compression_bound(0, 120)).sum() == 0
    assert bounds(on_draws(Problem(CLEAN.draw(300), Linear(), 10.0), CLEAN)).mean() == pytest.approx(0.31, abs=0.015)


def test_where_labels_are_flipped_it_says_nothing_and_without_n_it_breaks():
    errors_on_samples = on_draws(Problem(NOISY.draw(120), Linear(), 1.0), NOISY)
    assert errors_on_samples.support.mean() == pytest.approx(89, abs=2)
    assert errors_on_samples.true.mean() == pytest.approx(0.31, abs=0.015)
    assert bounds(errors_on_samples).mean() == pytest.approx(2.1, abs=0.05)
    assert (errors_on_samples.true > bounds(errors_on_samples)).sum() == 0
    assert (errors_on_samples.true > compression_bound(0, 120)).sum() == 30


def test_the_sample_of_a_seed_is_the_one_on_the_board():
    problem = Problem(NOISY.draw(40, 5), Linear(), 1.0)
    errors_on_samples = on_draws(problem, NOISY)
    machine = solve(Problem(problem.data, Linear(), 1.0))
    assert errors_on_samples.support[5] == count(machine)
    assert errors_on_samples.true[5] == pytest.approx(NOISY.true_error(machine).value, abs=1e-9)


def test_more_points_help_only_where_few_carry():
    done: list[float] = []
    noisy = growing(Problem(NOISY.draw(20), Linear(), 1.0), NOISY, done.append)
    clean = growing(Problem(CLEAN.draw(20), Linear(), 10.0), CLEAN, lambda share: None)
    assert noisy.m.tolist() == clean.m.tolist() == list(SIZES)
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1.0)
    assert (np.diff(noisy.bound) > 0).all()
    assert (noisy.bound > 1).all()
    assert (noisy.support / noisy.m > 0.7).all()
    assert (np.diff(clean.bound) < 0).all()
    assert clean.support.max() < 5
    assert (clean.sharper < clean.bound).all()
    assert (clean.true < clean.sharper).all()


def test_the_table_of_shapes_and_kernels():
    assert compared(10.0) == TABLE
    assert tuple(compared(10.0)) == SHAPES


@pytest.mark.parametrize("name", SHAPES)
def test_both_solvers_count_alike(name):
    data = make_dataset(name, 60, 0.1, 0)
    assert tuple(recounted(Problem(data, kernel, 10.0)) for kernel in COMPARED) == TABLE[name]


@pytest.mark.parametrize("name", SHAPES)
def test_along_the_widths(name):
    done: list[float] = []
    counts = counted(Problem(make_dataset(name, 60, 0.1, 0), Gaussian(2.0), 10.0), done.append)
    assert (counts.linear, counts.degree_2) == TABLE[name][:2]
    assert [int(counts.gaussian[WIDTHS.index(s)]) for s in (1.0, 0.3, 0.1)] == list(TABLE[name][2:])
    assert counts.gaussian[0] == 60
    assert (counts.gaussian.min() < counts.linear) == (name in ("moons", "circles"))
    assert done == sorted(done)


def test_the_count_is_at_the_c_and_with_the_bias_of_the_problem():
    data = make_dataset("overlapping", 40, 0.1, 0)
    for C, bias in ((0.1, True), (10.0, False)):
        counts = counted(Problem(data, Gaussian(1.0), C, bias), lambda share: None)
        for kernel, n in (
            (Linear(), counts.linear),
            (Polynomial(2), counts.degree_2),
            (Gaussian(1.0), counts.gaussian[9]),
        ):
            assert n == count(solve(Problem(data, kernel, C, bias)))
