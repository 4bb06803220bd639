"""Where the ball of a regulariser touches the contours of the mean hinge (L8)."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Dataset, Linear, Problem, make_dataset, solve
from svmlab.lab.lessons.losses.touching import Power, ball, best, directions, looked, path, price, survey
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, p_norm
from svmlab.solvers.bias import best_biases, hinges

BOARD = make_dataset("overlapping", 60, 0.1, 0)
GROUND = survey(BOARD, True, 0.4)
BOARDS = [(name, bias) for name in ("overlapping", "separable", "xor", "moons") for bias in (True, False)]


def value(data: Dataset, bias: bool, w: np.ndarray, lam: float, p: float) -> float:
    return float(hinges(data.X, data.y, w[None], bias)[0] / data.m + lam * price(w, p))


@pytest.mark.parametrize(
    ("lam", "w"), [(0.05, (1.078, 0.511)), (0.2, (0.792, 0.257)), (0.4, (0.670, 0.0)), (1.4, (0.0, 0.0))]
)
def test_R1_gives_up_one_weight_and_then_both(lam, w):
    by_descent, by_looking = best(BOARD, True, GROUND, lam, 1.0), looked(BOARD, True, GROUND, lam, 1.0)
    np.testing.assert_allclose(by_descent, w, atol=5e-4)
    np.testing.assert_allclose(by_looking, by_descent, atol=1e-6)
    zeros = [each == 0 for each in w]
    assert (by_descent == 0).tolist() == (by_looking == 0).tolist() == zeros


@pytest.mark.parametrize("lam", [0.05, 0.2, 0.4, 1.4, 10.0])
def test_R2_sets_no_weight_to_0_and_gives_the_svm(lam):
    w = best(BOARD, True, GROUND, lam, 2.0)
    assert (w != 0).all()
    np.testing.assert_allclose(w, solve(Problem.from_lambda(BOARD, Linear(), lam)).w, atol=1e-6)


def test_R2_at_the_lambda_at_which_R1_gives_up_a_weight():
    np.testing.assert_allclose(best(BOARD, True, GROUND, 0.4, 2.0), (0.687, 0.414), atol=5e-4)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "bias"), BOARDS)
@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 3.0, 8.0])
def test_the_search_gives_what_the_descent_gives(name, bias, p):
    data = make_dataset(name, 20, 0.1, 0)
    ground = survey(data, bias, 0.1)
    for lam in (0.1, 0.4, 1.4):
        one, other = best(data, bias, ground, lam, p), looked(data, bias, ground, lam, p)
        assert value(data, bias, one, lam, p) <= value(data, bias, other, lam, p) + 1e-10
        assert value(data, bias, other, lam, p) <= value(data, bias, one, lam, p) + 1e-4
        assert np.abs(one - other).max() < 0.03
        assert p > 1 or ((one == 0) == (other == 0)).all()


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 1.5, 2.0, 8.0])
def test_no_w_within_the_ball_has_less_loss(p):
    w = best(BOARD, True, GROUND, 0.4, p)
    loss = hinges(BOARD.X, BOARD.y, w[None], True)[0]
    if p == 0:
        assert np.count_nonzero(w) == 1
        within = np.zeros((801, 2))
        within[:401, 0], within[401:, 1] = np.linspace(-3, 3, 401), np.linspace(-3, 3, 400)
    else:
        within = np.vstack([s * ball(p, float(p_norm(w, p))) for s in np.linspace(0.1, 1.0, 19)])
    assert hinges(BOARD.X, BOARD.y, within, True).min() >= loss - 1e-4 * loss
    wider = np.vstack([1.2 * within, 1.2 * w])
    assert p == 0 or hinges(BOARD.X, BOARD.y, wider, True).min() < loss - 1e-4 * loss


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 8.0])
def test_the_boundary_of_a_ball_has_one_length_and_its_corners(p):
    edge = ball(p, 0.7)
    np.testing.assert_allclose(p_norm(edge, p), 0.7, rtol=1e-12)
    assert {(0.7, 0.0), (0.0, 0.7), (-0.7, 0.0), (0.0, -0.7)} <= set(map(tuple, edge.tolist()))


def test_the_penalty_is_that_of_the_regularisers():
    w = np.array([[3.0, -4.0], [0.0, 2.0], [0.0, 0.0]])
    assert price(w, 1.0).tolist() == REGULARISERS["R1"].value(w).tolist()
    assert price(w, 2.0).tolist() == REGULARISERS["R2"].value(w).tolist()
    assert price(w, 0.0).tolist() == [2, 1, 0]


@pytest.mark.parametrize("p", [1.5, 2.0, 3.0, 8.0])
def test_the_subgradients_of_a_power_are_those_of_its_penalty(p):
    w, h, mu = np.array([-1.3, -0.2, 0.4, 2.0]), 1e-6, 0.1
    cost, slope, bend = Power(p).smoothed(w, mu)
    up, down = Power(p).smoothed(w + h, mu), Power(p).smoothed(w - h, mu)
    np.testing.assert_allclose(slope, (up[0] - down[0]) / (2 * h), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(bend, (up[1] - down[1]) / (2 * h), rtol=1e-6, atol=1e-9)
    sharp = Power(p).smoothed(w, 1e-12)[0]
    np.testing.assert_allclose(sharp.sum(), Power(p).value(w), rtol=1e-12)
    assert (cost >= sharp - 1e-15).all()


def test_below_1_there_are_several_valleys_and_from_1_on_one():
    for p, several in ((0.5, True), (1.0, False)):
        w = best(BOARD, True, GROUND, 0.4, p)
        segment = np.linspace(0.0, 1.0, 101)[:, None] * w
        F = np.array([value(BOARD, True, at, 0.4, p) for at in segment])
        assert (F.max() > F[0] + 1e-9 and F[0] > F[-1]) == several


def test_the_path_ends_where_the_answer_is():
    lams = np.array([30.0, 1.4, 0.4, 0.2, 0.05])
    for p in (0.5, 1.0, 2.0):
        minimisers = path(BOARD, True, GROUND, lams, p)
        each = [best(BOARD, True, GROUND, float(lam), p) for lam in lams]
        np.testing.assert_allclose(minimisers, each, atol=0.01)


def turned(data: Dataset, angle: float) -> tuple[Dataset, np.ndarray]:
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Dataset(data.X @ R.T, data.y), R


def test_R2_turns_along_and_R1_does_not():
    other, R = turned(BOARD, np.pi / 4)
    ridge, lasso = (descend(Objective(BOARD, LOSSES["hinge"], REGULARISERS[r], 0.4)).w for r in ("R2", "R1"))
    ridge_then, lasso_then = (descend(Objective(other, LOSSES["hinge"], REGULARISERS[r], 0.4)).w for r in ("R2", "R1"))
    np.testing.assert_allclose(ridge_then, R @ ridge, atol=1e-6)
    assert np.linalg.norm(lasso_then - R @ lasso) > 0.3
    assert abs(np.linalg.norm(lasso_then) - np.linalg.norm(lasso)) > 0.02
    assert lasso_then[0] == 0 < lasso_then[1]


def test_the_axes_are_among_the_directions():
    u = directions(np.linspace(0, 2 * np.pi, 9))
    assert u[[0, 2, 4, 6, 8]].tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 0]]


@pytest.mark.parametrize("labels", [None, 1.0, -1.0])
def test_no_other_offset_leaves_less_hinge(labels):
    y = BOARD.y if labels is None else np.full(BOARD.m, labels)
    g = np.random.default_rng(3).normal(size=(5, BOARD.m))
    for row, b in zip(g, best_biases(g, y), strict=True):
        smallest_hinge = np.maximum(0, 1 - y * (row + b)).sum()
        assert all(
            np.maximum(0, 1 - y * (row + b + step)).sum() >= smallest_hinge - 1e-12 for step in np.linspace(-2, 2, 81)
        )
