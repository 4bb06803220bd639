"""Each pair's own method, against scipy, against its conditions and against the descent that does for all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from svmlab import BadInput, Dataset, make_dataset
from svmlab.losses import (
    LOSSES,
    REGULARISERS,
    Objective,
    descend,
    lasso,
    least_squares,
    linear_program,
    newton,
    proximal,
    proximal_gap_bound,
    subgradient_distance,
)

OVERLAPPING = make_dataset("overlapping", 60, 0.1, seed=0)
METHODS = {
    "least_squares": (least_squares, "squared", "R2"),
    "lasso": (lasso, "squared", "R1"),
    "newton": (newton, "logistic", "R2"),
    "linear_program": (linear_program, "hinge", "R1"),
    "proximal": (proximal, "squared", "R1"),
}
STEPS = 500  # of shrinking
every_method = pytest.mark.parametrize("name", METHODS)


def objective(data, loss, regulariser, lam=0.1, bias=True):
    return Objective(data, LOSSES[loss], REGULARISERS[regulariser], lam, bias)


def boards(seed):
    """Clouds, lattices, lines, and points of one to three coordinates, some far away; with a bias both classes."""
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(2, 30)), int(rng.integers(1, 4))
    X = rng.standard_normal((m, d)) * rng.choice([0.3, 1.0, 3.0]) + rng.choice([0.0, 5.0])
    if seed % 4 == 1:
        X = rng.integers(-2, 3, (m, d)).astype(float)
    if seed % 4 == 2:
        X = np.outer(rng.integers(-4, 5, m), np.ones(d))
    y = np.where(rng.random(m) < 0.5, 1, -1)
    y[:2] = 1, -1
    return Dataset(np.round(X, 3), y), float(10 ** rng.uniform(-4, 0.5)), bool(rng.random() < 0.6)


@pytest.mark.one_in(3)
@every_method
def test_a_method_ends_where_the_descent_does_on_any_board(name):
    method, loss, regulariser = METHODS[name]
    for seed in range(60):
        data, lam, bias = boards(seed)
        problem = objective(data, loss, regulariser, lam, bias)
        place, fit = method(problem), descend(problem)
        assert place.value == pytest.approx(float(problem.value(place.w, place.b)), abs=1e-15)
        more = proximal_gap_bound(problem, fit.w, fit.b, STEPS) if method is proximal else 0.0
        assert fit.value - 1e-8 <= place.value <= fit.value + more + 1e-8, seed
        if regulariser == "R2":
            assert place.w == pytest.approx(fit.w, abs=1e-5), seed


@every_method
@pytest.mark.parametrize("bias", [True, False])
def test_no_neighbour_of_the_minimiser_is_lower(name, bias):
    method, loss, regulariser = METHODS[name]
    problem = objective(OVERLAPPING, loss, regulariser, bias=bias)
    place = method(problem)
    rng = np.random.default_rng(0)
    for size in (1e-4, 1e-2, 1.0):
        W = place.w + size * rng.standard_normal((50, 2))
        B = place.b + size * rng.standard_normal(50) * bias
        assert min(float(problem.value(w, b)) for w, b in zip(W, B, strict=True)) >= place.value - 1e-10


@pytest.mark.parametrize("lam", [0.003, 0.3])
@pytest.mark.parametrize("bias", [True, False])
def test_ridge_has_a_gradient_of_0_and_so_has_logistic_regression(lam, bias):
    for method, loss in ((least_squares, "squared"), (newton, "logistic")):
        problem = objective(OVERLAPPING, loss, "R2", lam, bias)
        place = method(problem)
        assert problem.gradient(place.w, place.b) == pytest.approx(np.zeros(2 + bias), abs=1e-9)
        assert subgradient_distance(problem, place.w, place.b) == pytest.approx(np.zeros(2 + bias), abs=1e-9)


def test_logistic_regression_is_that_of_scipy():
    problem = objective(OVERLAPPING, "logistic", "R2", 0.02)
    optimum = minimize(lambda u: float(problem.value(u[:2], u[2])), np.zeros(3), tol=1e-12, method="Nelder-Mead")
    place = newton(problem)
    assert [*place.w, place.b] == pytest.approx(optimum.x, abs=1e-4)
    assert place.value <= optimum.fun + 1e-12


@pytest.mark.parametrize("lam", [0.02, 0.1, 0.3, 3.0])
def test_the_lasso_meets_its_conditions_and_another_w_does_not(lam):
    problem = objective(OVERLAPPING, "squared", "R1", lam)
    place = lasso(problem)
    assert subgradient_distance(problem, place.w, place.b).max() < 1e-12
    slopes = problem.loss.slopes(problem.margins(place.w, place.b))[0] * OVERLAPPING.y / 60
    for g, w in zip(slopes @ OVERLAPPING.X, place.w, strict=True):
        assert abs(g) <= lam + 1e-12
        assert w == 0 or g == pytest.approx(-lam * np.sign(w), abs=1e-12)
    assert subgradient_distance(problem, place.w + 1e-3, place.b).max() > 1e-5
    assert proximal(problem, 2000).w == pytest.approx(place.w, abs=1e-8)
    assert [v == 0 for v in proximal(problem, 2000).w] == [v == 0 for v in place.w]


def test_of_equal_minimisers_the_lasso_takes_that_with_more_weights_at_0():
    """The second weight may be 0, or 1e-16 by rounding, which lowers F by as much."""
    data = Dataset([[1.0, 1.0], [0.0, 1.0], [0.0, -1.0]], [1, -1, -1])
    for lam in np.geomspace(1e-5, 1e-2, 20):
        assert lasso(objective(data, "squared", "R1", lam, bias=False)).w[1] == 0


@pytest.mark.parametrize(
    ("lam", "w"), [(0.05, (1.078, 0.511)), (0.2, (0.792, 0.257)), (0.4, (0.670, 0.0)), (1.4, (0.0, 0.0))]
)
def test_hinge_with_r1_is_the_linear_program_of_scipy(lam, w):
    problem = objective(OVERLAPPING, "hinge", "R1", lam)
    place = linear_program(problem)
    signed = OVERLAPPING.y[:, None] * np.column_stack([OVERLAPPING.X, -OVERLAPPING.X, np.ones(60), -np.ones(60)])
    optimum = linprog(
        np.r_[np.full(4, lam), 0, 0, np.full(60, 1 / 60)], A_ub=np.hstack([-signed, -np.eye(60)]), b_ub=-np.ones(60)
    )
    assert place.value == pytest.approx(optimum.fun, abs=1e-9)
    assert place.w == pytest.approx(optimum.x[:2] - optimum.x[2:4], abs=1e-6)
    assert place.w == pytest.approx(w, abs=5e-4)


def test_the_multipliers_of_the_program_are_its_dual():
    problem = objective(OVERLAPPING, "hinge", "R1", 0.4)
    place = linear_program(problem)
    assert place.multipliers.sum() == pytest.approx(place.value, abs=1e-8)
    assert -1e-9 <= place.multipliers.min() <= place.multipliers.max() <= 1 / 60 + 1e-9
    assert place.multipliers @ OVERLAPPING.y == pytest.approx(0, abs=1e-8)
    pull = (place.multipliers * OVERLAPPING.y) @ OVERLAPPING.X
    assert pull[0] == pytest.approx(0.4, abs=1e-7)
    assert abs(pull[1]) < 0.4


def test_the_perceptrons_loss_with_r1_is_least_at_0():
    place = linear_program(objective(OVERLAPPING, "perceptron", "R1", 0.1))
    assert place.w == pytest.approx([0, 0], abs=1e-9)
    assert place.value == pytest.approx(0, abs=1e-9)


def test_the_bound_of_shrinking_is_its_formula():
    data = Dataset([[3.0, 0.0], [0.0, 1.0]], [1, -1])
    problem = objective(data, "squared", "R1", 0.1, bias=False)  # bends by 2/m times 9, which is 9
    assert proximal_gap_bound(problem, np.array([1.0, 2.0]), 0.0, 9) == pytest.approx(2 * 9 * 5 / 10**2)


def test_shrinking_comes_nearer_with_every_step_than_it_has_to():
    for loss in ("squared", "logistic"):
        problem = objective(OVERLAPPING, loss, "R1", 0.05)
        end = descend(problem)
        gaps = [proximal(problem, steps).value - end.value for steps in (1, 10, 100)]
        assert gaps[0] > gaps[1] > gaps[2] >= -1e-9
        assert all(
            gap <= proximal_gap_bound(problem, end.w, end.b, n) + 1e-9
            for gap, n in zip(gaps, (1, 10, 100), strict=True)
        )


@every_method
def test_another_pair_is_refused_by_name(name):
    method, _, _ = METHODS[name]
    with pytest.raises(BadInput, match=r"objective: this method is not for the loss sigmoid with none\. Use descend"):
        method(objective(OVERLAPPING, "sigmoid", "none", 0.0))


def test_conditions_are_asked_of_smooth_losses_and_signs_of_few_weights():
    with pytest.raises(BadInput, match="not for the loss hinge"):
        subgradient_distance(objective(OVERLAPPING, "hinge", "R2"), np.zeros(2))
    with pytest.raises(BadInput, match="the signs of 7 weights are too many"):
        lasso(objective(Dataset(np.eye(7), [1, -1] * 3 + [1]), "squared", "R1"))


def test_points_at_one_place_and_at_the_origin_have_an_answer():
    for X in (np.zeros((4, 2)), np.ones((4, 2)), np.tile([-0.069, 0.408, -0.086], (3, 1))):
        data = Dataset(X, [-1, 1, 1, 1][: len(X)])
        for method, loss, regulariser in METHODS.values():
            for bias in (True, False):
                place = method(objective(data, loss, regulariser, 0.1, bias))
                assert math.isfinite(place.value)
                assert place.value <= descend(objective(data, loss, regulariser, 0.1, bias)).value + 1e-7


def test_shrinkage_may_end_far_from_a_distant_minimum():
    """Where it has come to says nothing of how far it has to go."""
    data = Dataset(
        [[0.731, -3.86], [0.731, -3.863], [0.732, -3.863], [0.729, -3.86], [0.733, -3.861]], [-1, -1, -1, -1, 1]
    )
    problem = objective(data, "squared", "R1", 2e-4, bias=False)
    place, minimum = proximal(problem, STEPS), lasso(problem)
    assert 0.1 < place.value - minimum.value < proximal_gap_bound(problem, minimum.w, minimum.b, STEPS)
