"""The minimiser of each pair: its own method finds the same, and what has none is said to have none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Dataset, Problem, make_dataset, separate, solve
from svmlab.lab.lessons.losses.recipes import minimise
from svmlab.losses import LOSSES, REGULARISERS, Objective

OVERLAPPING = make_dataset("overlapping", 24, 0.3, 1)
APART = Dataset([[1.0, 0.4], [1.6, 1.4], [-0.9, -0.2], [-1.5, 1.1]], [1, 1, -1, -1])
TOUCHING = Dataset([[0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.3]], [1, -1, 1, 1, -1])
XOR = Dataset([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1])


def made(data, loss, price, lam=0.1, bias=True):
    return minimise(Objective(data, LOSSES[loss], REGULARISERS[price], lam, bias))


def test_ridge_solves_its_linear_equations():
    A = np.column_stack([OVERLAPPING.X, np.ones(OVERLAPPING.m)])
    u = np.linalg.solve(A.T @ A / OVERLAPPING.m + 0.05 * np.diag([1, 1, 0]), A.T @ OVERLAPPING.y / OVERLAPPING.m)
    minimiser = made(OVERLAPPING, "squared", "R2")
    assert np.r_[minimiser.w, minimiser.b] == pytest.approx(u, abs=1e-9)


@pytest.mark.parametrize(("lam", "zeros"), [(0.05, 0), (1.2, 1), (3.0, 2)])
def test_the_lasso_holds_a_weight_at_0_where_its_mean_gradient_is_no_more_than_lam(lam, zeros):
    data = make_dataset("overlapping", 60, 0.1, 0)
    minimiser = made(data, "squared", "R1", lam)
    gradient = 2 * ((data.X @ minimiser.w + minimiser.b - data.y) @ data.X) / data.m
    assert np.count_nonzero(minimiser.w == 0) == zeros
    for g, w in zip(gradient, minimiser.w, strict=True):
        assert abs(g) <= lam + 1e-6 if w == 0 else g == pytest.approx(-lam * np.sign(w), abs=1e-6)


def test_logistic_regression_by_newton_steps():
    A, y, m = np.column_stack([OVERLAPPING.X, np.ones(OVERLAPPING.m)]), OVERLAPPING.y, OVERLAPPING.m
    u = np.zeros(3)
    for _ in range(30):
        p = 1 / (1 + np.exp(y * (A @ u)))
        u -= np.linalg.solve((A.T * (p * (1 - p) / m)) @ A, -(p * y) @ A / m)
    assert not separate(OVERLAPPING).separable
    minimiser = made(OVERLAPPING, "logistic", "none")
    assert np.r_[minimiser.w, minimiser.b] == pytest.approx(u, rel=1e-6)


@pytest.mark.parametrize("lam", [0.01, 0.4])
def test_the_svm_is_that_of_the_exact_solver(lam):
    minimiser, exact = made(OVERLAPPING, "hinge", "R2", lam), solve(Problem(OVERLAPPING, C=1 / (lam * OVERLAPPING.m)))
    assert minimiser.value == pytest.approx(lam * exact.objective, abs=1e-8)
    assert minimiser.w == pytest.approx(exact.w, abs=1e-4)


@pytest.mark.parametrize("data", [OVERLAPPING, APART, TOUCHING, XOR])
@pytest.mark.parametrize("price", ["R1", "R2", "none"])
def test_the_perceptrons_loss_is_0_and_without_errors_where_a_line_separates(data, price):
    minimiser = made(data, "perceptron", price)
    assert minimiser.value == 0
    assert (minimiser.errors == 0) == (price == "none" and separate(data).separable)


def test_the_loss_of_points_close_to_the_boundary_is_not_mistaken_for_rounding():
    """Where points touch, w may grow for ever along the line that leaves them on it: no error is made on its two
    sides."""
    minimiser = made(TOUCHING, "perceptron", "none")
    assert minimiser.has_boundary
    assert abs(minimiser.w[1] / minimiser.w[0]) < 1e-6
    assert minimiser.errors == 3


@pytest.mark.parametrize(("data", "ends"), [(OVERLAPPING, True), (XOR, True), (APART, False), (TOUCHING, False)])
@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_objectives_without_a_minimum_are_recognised(data, ends, loss):
    assert made(data, loss, "none").ends == ends
    assert made(data, loss, "R2").ends


@pytest.mark.parametrize("loss", ["squared", "logistic", "hinge"])
def test_no_line_is_made_of_rounding(loss):
    for price in ("R1", "R2", "none"):
        minimiser = made(XOR, loss, price)
        assert not minimiser.has_boundary
        assert (minimiser.w == 0).all()
        assert minimiser.errors == 4
    at_large_lam = made(OVERLAPPING, loss, "R1", 1e6)
    assert not at_large_lam.has_boundary
    assert made(OVERLAPPING, loss, "R2", 1e4).has_boundary  # short, but R2 holds nothing at 0


def test_f_is_the_mean_loss_and_what_w_costs():
    minimiser = made(OVERLAPPING, "hinge", "R1", 0.3)
    t = OVERLAPPING.y * (OVERLAPPING.X @ minimiser.w + minimiser.b)
    assert minimiser.t == pytest.approx(t)
    assert minimiser.value == pytest.approx(np.maximum(0, 1 - t).mean() + 0.3 * np.abs(minimiser.w).sum())
    assert minimiser.errors == int((t <= 0).sum())
    assert math.isfinite(minimiser.value)
