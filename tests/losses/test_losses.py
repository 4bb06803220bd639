"""Losses, regularisers, and one descent for all of their pairs, each against a method of its own."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from svmlab import BadInput, Dataset, Linear, Problem, make_dataset, separate, solve
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, p_norm, zero_one_loss

T = np.linspace(-4, 4, 2001)
CONVEX = [name for name, loss in LOSSES.items() if loss.convex]
SMOOTH = [name for name, loss in LOSSES.items() if loss.corner is None]
OVERLAPPING = make_dataset("overlapping", 60, 0.1, seed=0)
EIGHT = [
    (1, 0, 1),
    (1.5, 1, 1),
    (1.2, -1, 1),
    (2, 0.5, 1),
    (-1, 0, -1),
    (-1.5, 1, -1),
    (-1.2, -1, -1),
    (-2, 0.5, -1),
]


def board(*rows):
    return Dataset([row[:2] for row in rows], [row[2] for row in rows])


def objective(data, loss, regulariser="R2", lam=0.1, bias=True):
    return Objective(data, LOSSES[loss], REGULARISERS[regulariser], lam, bias)


# losses


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("squared", lambda t: (1 - t) ** 2),
        ("logistic", lambda t: math.log(1 + math.exp(-t))),
        ("exponential", lambda t: math.exp(-t)),
        ("hinge", lambda t: max(0.0, 1 - t)),
        ("perceptron", lambda t: max(0.0, -t)),
        ("sigmoid", lambda t: 1 / (1 + math.exp(t))),
    ],
)
def test_a_loss_is_its_formula(name, formula):
    assert LOSSES[name].value(T) == pytest.approx([formula(t) for t in T], rel=1e-14)


@pytest.mark.parametrize("name", LOSSES)
def test_its_slopes_are_those_of_its_values_on_either_side(name):
    loss, h = LOSSES[name], 1e-7
    left, right = loss.slopes(T)
    assert left == pytest.approx((loss.value(T) - loss.value(T - h)) / h, abs=1e-4)
    assert right == pytest.approx((loss.value(T + h) - loss.value(T)) / h, abs=1e-4)
    assert ((left != right) == (loss.corner == T)).all()
    assert loss.absolute_slope(T) == pytest.approx(np.maximum(np.abs(left), np.abs(right)))


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("mu", [1.0, 0.1, 1e-3])
def test_a_rounded_loss_has_its_own_derivatives_and_is_no_further_off_than_it_says(name, mu):
    loss = LOSSES[name]
    h = 1e-4 if loss.corner is None else 1e-4 * mu
    at = T[np.abs(T - (loss.corner or 0.0)) < 30 * mu] if loss.corner is not None else T
    value, first, second = loss.smoothed(at, mu)
    below, _, _ = loss.smoothed(at - h, mu)
    above, _, _ = loss.smoothed(at + h, mu)
    assert first == pytest.approx((above - below) / (2 * h), rel=1e-5, abs=1e-6)
    assert second == pytest.approx((above - 2 * value + below) / h**2, rel=1e-3, abs=1e-3 / mu)
    off = value - loss.value(at)
    assert off.min() >= -1e-15
    assert off.max() <= (mu * math.log(2) + 1e-15 if loss.corner is not None else 0.0)
    if loss.corner is not None:
        assert loss.smoothed(np.array([loss.corner]), mu)[0][0] - loss.value(np.array([loss.corner]))[
            0
        ] == pytest.approx(mu * math.log(2))


def test_nothing_overflows_far_away():
    extremes = np.array([-800.0, 800.0])
    for name, loss in LOSSES.items():
        values = loss.smoothed(extremes, 1e-10)
        assert not np.isnan(values).any(), name
        assert np.isfinite(values).all() or name == "exponential"


def test_which_losses_lie_nowhere_below_the_step():
    for name in LOSSES:
        loss = LOSSES[name]
        if loss.upper_bound_factor is not None:
            assert (loss.upper_bound_factor * loss.value(T) - zero_one_loss(T)).min() >= 0, name
            assert (loss.upper_bound_factor * loss.value(T) - zero_one_loss(T)).min() < 0.02, "no smaller factor does"
    half = np.array([-0.5])
    assert LOSSES["perceptron"].value(half) == [0.5]
    assert LOSSES["sigmoid"].value(half) == pytest.approx([0.622], abs=5e-4)


@pytest.mark.parametrize("name", LOSSES)
def test_only_the_sigmoid_lies_above_one_of_its_chords(name):
    a, b = np.meshgrid(T[::25], T[::25])
    over = LOSSES[name].value((a + b) / 2) - (LOSSES[name].value(a) + LOSSES[name].value(b)) / 2
    assert (over.max() <= 1e-12) == LOSSES[name].convex


# regularisers


def test_regularisers_are_their_formulas():
    w = np.array([[3.0, -4.0], [0.0, 2.0], [0.0, 0.0]])
    assert REGULARISERS["R1"].value(w).tolist() == [7, 2, 0]
    assert REGULARISERS["R2"].value(w).tolist() == [12.5, 2, 0]
    assert REGULARISERS["none"].value(w).tolist() == [0, 0, 0]
    assert p_norm(w, 2) == pytest.approx([5, 2, 0])
    assert p_norm(w, 1) == pytest.approx([7, 2, 0])
    assert p_norm(w, 0).tolist() == [2, 1, 0]
    assert p_norm(w, 200) == pytest.approx([4, 2, 0], rel=1e-3)
    assert p_norm(np.array([1e-200, 1e-200]), 2) == pytest.approx(math.sqrt(2) * 1e-200)


@pytest.mark.parametrize("p", [0.5, 1.0, 2.0, 8.0])
def test_rp_is_a_norm_for_p_from_1_on_only(p):
    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert (p_norm(one + other, p) <= p_norm(one, p) + p_norm(other, p)) == (p >= 1)


@pytest.mark.parametrize("name", REGULARISERS)
def test_a_rounded_regulariser_has_its_own_derivatives(name):
    w, h, mu = np.linspace(-2, 2, 41), 1e-5, 0.1
    value, first, second = REGULARISERS[name].smoothed(w, mu)
    above, below = REGULARISERS[name].smoothed(w + h, mu)[0], REGULARISERS[name].smoothed(w - h, mu)[0]
    assert first == pytest.approx((above - below) / (2 * h), abs=1e-6)
    assert second == pytest.approx((above - 2 * value + below) / h**2, abs=1e-3)
    off = value - REGULARISERS[name].value(w[:, None])
    assert 0 <= off.min() <= off.max() <= (mu if REGULARISERS[name].corner else 0)


# the descent, against what belongs to each pair


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("lam", [0.01, 0.3])
def test_squared_with_r2_is_the_solution_of_the_normal_equations(lam, bias):
    fit = descend(objective(OVERLAPPING, "squared", "R2", lam, bias))
    A = np.column_stack([OVERLAPPING.X, np.ones(60)])[:, : 3 if bias else 2]
    M = 2 * A.T @ A / 60 + lam * np.diag([1.0, 1.0, 0.0][: A.shape[1]])
    u = np.linalg.solve(M, 2 * A.T @ OVERLAPPING.y / 60)
    assert np.append(fit.w, [fit.b] * bias) == pytest.approx(u, rel=1e-10)
    assert fit.converged


@pytest.mark.parametrize("loss", ["squared", "logistic", "exponential"])
@pytest.mark.parametrize("lam", [0.02, 0.1, 0.3, 3.0])
def test_r1_keeps_a_weight_at_0_exactly_where_its_mean_gradient_is_below_lam(loss, lam):
    problem = objective(OVERLAPPING, loss, "R1", lam)
    fit = descend(problem)
    slopes = problem.loss.slopes(problem.margins(fit.w, fit.b))[0] * OVERLAPPING.y / 60
    gradient = slopes @ OVERLAPPING.X
    assert abs(slopes.sum()) < 1e-7
    for g, w in zip(gradient, fit.w, strict=True):
        assert abs(g) <= lam + 1e-7
        if w != 0:
            assert g == pytest.approx(-lam * np.sign(w), abs=1e-6)
    assert fit.converged


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("lam", [0.001, 0.05, 1.0])
def test_hinge_with_r2_is_the_svm(lam, bias):
    fit = descend(objective(OVERLAPPING, "hinge", "R2", lam, bias))
    exact = solve(Problem(OVERLAPPING, Linear(), 1 / (lam * 60), bias=bias))
    assert fit.w == pytest.approx(exact.w, abs=1e-7)
    minimum = 0.5 * lam * exact.w @ exact.w + np.maximum(0, 1 - exact.margins).mean()
    assert fit.value == pytest.approx(minimum, rel=1e-8)


@pytest.mark.parametrize(
    ("lam", "w"), [(0.05, (1.078, 0.511)), (0.2, (0.792, 0.257)), (0.4, (0.670, 0.0)), (1.4, (0.0, 0.0))]
)
def test_hinge_with_r1_is_a_linear_program(lam, w):
    fit = descend(objective(OVERLAPPING, "hinge", "R1", lam))
    signed = OVERLAPPING.y[:, None] * np.column_stack([OVERLAPPING.X, -OVERLAPPING.X, np.ones(60), -np.ones(60)])
    program = linprog(
        np.r_[np.full(4, lam), 0, 0, np.full(60, 1 / 60)], A_ub=np.hstack([-signed, -np.eye(60)]), b_ub=-np.ones(60)
    )
    assert fit.w == pytest.approx(program.x[:2] - program.x[2:4], abs=1e-6)
    assert fit.value == pytest.approx(program.fun, abs=1e-9)
    assert fit.w == pytest.approx(w, abs=5e-4)
    assert [v == 0 for v in fit.w] == [v == 0 for v in w]


def test_r2_makes_no_weight_0_and_turns_along_with_the_points():
    fit = descend(objective(OVERLAPPING, "hinge", "R2", 0.4))
    assert fit.w == pytest.approx((0.687, 0.414), abs=5e-4)
    R = np.array([[1.0, -1.0], [1.0, 1.0]]) / math.sqrt(2)
    turned = Dataset(OVERLAPPING.X @ R.T, OVERLAPPING.y)
    assert descend(objective(turned, "hinge", "R2", 0.4)).w == pytest.approx(R @ fit.w, abs=1e-7)
    one, other = (descend(objective(data, "hinge", "R1", 0.4)) for data in (OVERLAPPING, turned))
    assert abs(np.linalg.norm(one.w) - np.linalg.norm(other.w)) > 0.01


@pytest.mark.parametrize("loss", CONVEX)
def test_a_coordinate_that_is_0_for_all_points_has_no_weight_under_r1(loss):
    data = Dataset(np.column_stack([OVERLAPPING.X[:, 0], np.zeros(60)]), OVERLAPPING.y)
    assert descend(objective(data, loss, "R1", 0.05), np.array([0.2, 0.1, 0.0])).w[1] == 0


def test_the_perceptrons_loss_has_its_least_value_0_and_w_0_attains_it():
    problem = objective(OVERLAPPING, "perceptron", "none", 0.0)
    assert problem.value(np.zeros(2)) == 0
    assert descend(problem).value < 1e-9
    assert descend(problem).converged
    assert not separate(OVERLAPPING).separable


@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_what_falls_for_ever_never_converges(loss):
    data = make_dataset("separable", 30, 0.1, seed=0)
    free = descend(objective(data, loss, "none", 0.0))
    assert not free.converged
    assert np.linalg.norm(free.w) > 20
    assert descend(objective(data, loss, "R2", 1e-3)).converged
    assert descend(objective(data, "hinge", "none", 0.0)).value == 0


@pytest.mark.parametrize(
    ("rows", "bias", "ends"),
    [
        ([(0, 1, 1), (0, -1, 1), (1, 0, -1), (0, 0, -1)], True, False),  # the hulls touch
        ([(0, 1, 1), (0, -1, 1), (1, 0, -1), (0, 0, -1), (-1, 0, -1)], True, True),
        ([(0, 0, 1), (0, 0, -1), (2, 1, 1), (-1, 0, -1)], True, False),  # both labels at one place
        ([(0, 1, 1), (0, -1, 1), (1, 0, 1)], False, False),  # two of them hold each other
        ([(0, 1, 1), (0, -1, 1), (0, 0, 1)], False, True),  # and w1 is without effect
    ],
)
@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_what_falls_for_ever_beside_points_that_stay_never_converges(rows, bias, ends, loss):
    data = Dataset([row[:2] for row in rows], [row[2] for row in rows])
    assert descend(objective(data, loss, "none", 0.0, bias)).converged == ends
    assert descend(objective(data, loss, "R2", 1e-3, bias)).converged


@pytest.mark.parametrize("regulariser", ["R1", "R2"])
@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_with_one_class_alone_b_grows_for_ever(loss, regulariser):
    data = Dataset([[8.0, 0.0], [3.0, 1.0]], [-1, -1])
    for lam in (0.15, 400.0):
        assert not descend(objective(data, loss, regulariser, lam)).converged
        assert descend(objective(data, loss, regulariser, lam, False)).converged


@pytest.mark.parametrize(("seed", "lam"), [(0, 0.3), (0, 0.4), (7, 0.3)])
def test_r1_holds_a_weight_at_0_beside_a_corner_of_the_hinge(seed, lam):
    """Where the other weight has to move for it, by less than a billionth."""
    fit = descend(objective(make_dataset("moons", 20, 0.2, seed=seed), "hinge", "R1", lam, False))
    assert fit.w[0] == 0 < fit.w[1]


@pytest.mark.parametrize("loss", CONVEX)
@pytest.mark.parametrize("regulariser", ["R1", "R2"])
def test_every_start_ends_at_the_one_minimum(loss, regulariser):
    problem = objective(OVERLAPPING, loss, regulariser, 0.05)
    ends = [descend(problem, np.array(start)) for start in ((0.0, 0.0), (5.0, -4.0), (-6.0, 1.0, 3.0))]
    assert all(end.converged for end in ends)
    for end in ends[1:]:
        assert end.value == pytest.approx(ends[0].value, abs=1e-9)
        assert end.w == pytest.approx(ends[0].w, abs=1e-5)
    rng = np.random.default_rng(0)
    for w, b in zip(rng.uniform(-5, 5, (200, 2)), rng.uniform(-5, 5, 200), strict=True):
        assert problem.value(w, b) >= ends[0].value - 1e-12


def test_the_sigmoid_has_several_valleys():
    problem = objective(board((2, 0, 1), (0, 2, 1), (-2, -2, 1)), "sigmoid", "R2", 0.01, bias=False)
    starts = 4 * np.stack([np.cos(a := np.arange(0.1, 6.2, 0.25)), np.sin(a)], 1)
    fits = [descend(problem, start) for start in starts]
    ends = {(*np.round(fit.w, 2).tolist(), round(fit.value, 4)) for fit in fits}
    assert ends >= {(1.77, 1.77, 0.3832), (-2.79, 1.29, 0.4186), (1.29, -2.79, 0.4186)}
    for fit in fits:  # each is a minimum: nothing near it is lower
        neighbours = fit.w + 1e-3 * np.stack([np.cos(a), np.sin(a)], 1)
        assert (problem.value(neighbours) > fit.value).all()
    own = descend(problem)  # a fourth and shallow one, where the mean of the points is 0
    assert own.w.tolist() == [0, 0]
    assert (problem.value(0.02 * np.stack([np.cos(a), np.sin(a)], 1)) > own.value).all()


def test_which_losses_follow_an_outlier_on_its_own_side():
    data = board(*EIGHT, (7, 7, 1))
    for loss in ("squared", "logistic", "exponential", "hinge", "sigmoid"):
        w = descend(objective(data, loss, "R2", 0.01)).w
        angle = math.degrees(math.atan2(w[1], w[0]))
        assert angle == pytest.approx(-34.4 if loss == "squared" else 0.0, abs=0.05), loss


@pytest.mark.parametrize(("loss", "errors"), [("squared", 4), ("logistic", 4), ("exponential", 5), ("hinge", 1)])
def test_how_many_errors_an_outlier_on_the_wrong_side_costs(loss, errors):
    problem = objective(board(*EIGHT, (7, 0, -1)), loss, "R2", 0.01)
    fit = descend(problem)
    assert zero_one_loss(problem.margins(fit.w, fit.b)).sum() == errors


@pytest.mark.parametrize("loss", SMOOTH)
def test_the_gradient_is_that_of_the_values(loss):
    problem, w, b, h = objective(OVERLAPPING, loss, "R2", 0.3), np.array([0.4, -0.7]), 0.2, 1e-6
    quotients = [(problem.value(w + e, b) - problem.value(w - e, b)) / (2 * h) for e in np.eye(2) * h]
    quotients.append((problem.value(w, b + h) - problem.value(w, b - h)) / (2 * h))
    assert problem.gradient(w, b) == pytest.approx(quotients, rel=1e-6)


def test_the_path_goes_down_from_its_start_to_its_end():
    problem = objective(OVERLAPPING, "logistic", "R2", 0.05)
    fit = descend(problem, np.array([-3.0, 2.0, 1.0]))
    values = [float(problem.value(place[:2], place[2])) for place in fit.path]
    assert fit.path[0] == pytest.approx([-3, 2, 1])
    assert fit.path[-1] == pytest.approx([*fit.w, fit.b])
    assert all(b < a for a, b in pairwise(values))


def test_what_has_no_minimum_to_look_for_is_refused():
    with pytest.raises(BadInput, match="there are no points"):
        objective(Dataset(np.zeros((0, 2)), []), "hinge")
    for lam in (-1.0, math.inf, math.nan):
        with pytest.raises(BadInput, match=r"lam: .* finite number( 0 or above\.|\. Give a number)"):
            objective(OVERLAPPING, "hinge", lam=lam)
    with pytest.raises(BadInput, match=r"start: shape \(4,\) is neither \(2,\) nor \(3,\)"):
        descend(objective(OVERLAPPING, "hinge"), np.zeros(4))
