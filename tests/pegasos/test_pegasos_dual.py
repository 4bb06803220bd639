"""What a run says of its own gap without w*: a lower bound from its counts, and dual coordinate ascent."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.pegasos import Rule, certificate, dual_coefficients, dual_coordinate_ascent, dual_value, pegasos, run_kernel

BOARDS = [
    (name, kernel, lam)
    for name, kernel in (("overlapping", Linear()), ("moons", Gaussian(0.7)), ("circles", Polynomial(2)))
    for lam in (0.02, 1.0)
]


def minimum_objective(data: Dataset, kernel, lam: float) -> float:
    """F(w*) by the exact solver."""
    return lam * solve(Problem.from_lambda(data, kernel, lam, bias=False)).objective


@pytest.mark.parametrize(("name", "kernel", "lam"), BOARDS, ids=str)
def test_the_certificate_is_never_below_the_true_gap_and_goes_to_0(name, kernel, lam) -> None:
    data = make_dataset(name, 30)
    run = run_kernel(data, Rule(lam), 10_000, kernel, runs=2)
    promised, gap = certificate(run), run.average - minimum_objective(data, kernel, lam)
    assert (promised >= gap - 1e-12).all()
    assert (promised[:, -1] < 0.1 * promised[:, 0]).all()
    assert (promised[:, -1] < 0.1).all()


def test_the_counts_are_the_multipliers_of_w_and_may_leave_their_box() -> None:
    data, lam = make_dataset("overlapping", 60), 0.1
    run = run_kernel(data, Rule(lam), 10_000, Linear())
    linear = pegasos(data, lam, 10_000)
    np.testing.assert_allclose((dual_coefficients(run) * data.y) @ data.X, linear.iterates, atol=1e-9)
    violations = (dual_coefficients(run)[0, -1] > 1 / (lam * 60) + 1e-12).sum()
    assert 2 <= violations <= 8


@pytest.mark.parametrize(("name", "kernel", "lam"), BOARDS, ids=str)
def test_dual_ascent_rises_in_its_box_to_the_least_F(name, kernel, lam) -> None:
    data = make_dataset(name, 30)
    run = dual_coordinate_ascent(data, lam, 20_000, kernel)
    best = minimum_objective(data, kernel, lam)
    assert (np.diff(run.dual) >= -1e-12).all()
    assert run.alpha.min() >= 0
    assert run.alpha.max() <= 1 / (lam * 30)
    assert (run.dual <= best + 1e-12).all()
    assert (best - 1e-12 <= run.F).all()
    assert run.certificate[-1] < 1e-3 * run.certificate[0]


def test_a_step_of_dual_ascent_is_the_best_one_of_its_point() -> None:
    data, lam = make_dataset("overlapping", 12), 0.05
    K, C = data.X @ data.X.T, 1 / (0.05 * 12)
    run = dual_coordinate_ascent(data, lam, 4)
    for before, after in zip(run.alpha[:-1], run.alpha[1:], strict=True):
        (i,) = np.flatnonzero(before != after)
        tried = np.repeat(after[None], 201, axis=0)
        tried[:, i] = np.linspace(0, C, 201)
        assert dual_value(lam, K, data.y, after) >= dual_value(lam, K, data.y, tried).max() - 1e-12


def test_by_the_numbers_of_sixty_overlapping_points() -> None:
    """Single-point steps: after five times the points dual ascent is nearer than Pegasos' certificate after 10 000."""
    data, lam = make_dataset("overlapping", 60), 0.1
    best = minimum_objective(data, Linear(), lam)
    ascent = dual_coordinate_ascent(data, lam, 300)
    assert ascent.F[-1] - best == pytest.approx(4.0e-4, rel=0.01)
    assert ascent.certificate[-1] < certificate(run_kernel(data, Rule(lam), 10_000, Linear()))[0, -1]


def test_a_point_at_the_origin_and_bad_input() -> None:
    alone = dual_coordinate_ascent(Dataset([[0.0, 0.0]], [1]), 0.5, 3)
    assert alone.F[-1] == alone.dual[-1] == 1.0
    for lam, T, field in ((0.0, 10, "lam"), (1.0, 0, "T")):
        with pytest.raises(BadInput, match=field):
            dual_coordinate_ascent(make_dataset("moons", 6), lam, T)
