"""The perceptron against a loop written as in a textbook, and its bound."""

import math

import numpy as np
import pytest

from svmlab import Dataset, NotSeparable, Problem, make_dataset, separate, solve
from svmlab.firstorder.perceptron import augmented, perceptron, radius_and_margin


def textbook(Z, y, order, most):
    w, updates = np.zeros(Z.shape[1]), []
    while True:
        clean = True
        for i in order:
            if y[i] * (w @ Z[i]) <= 0:
                w, clean = w + y[i] * Z[i], False
                updates.append(i)
                if len(updates) == most:
                    return w, updates
        if clean:
            return w, updates


@pytest.mark.parametrize("seed", range(12))
def test_a_run_is_that_of_the_textbook_update_by_update(seed):
    data = make_dataset("separable", 20, 0.2, seed)
    Z = augmented(np.round(0.3 * data.X + [1.5, 1.0], 3))
    order = np.random.default_rng(seed).permutation(data.m)
    run = perceptron(Z, data.y, order, 5000)
    w, updates = textbook(Z, data.y, order, 5000)
    assert run.updates.tolist() == updates
    assert run.converged
    assert run.w == pytest.approx(w, abs=1e-9)
    assert run.path[0] == pytest.approx(np.zeros(3))
    assert run.path[-1] == pytest.approx(run.w, abs=1e-9)
    assert len(run.path) == run.mistakes + 1


@pytest.mark.parametrize("seed", range(12))
def test_where_it_stops_everything_is_right_within_the_bound(seed):
    data = make_dataset("separable", 20, 0.2, seed)
    Z = augmented(data.X)
    R, margin = radius_and_margin(Z, data.y)
    run = perceptron(Z, data.y, np.arange(data.m), 5000)
    assert (data.y * (Z @ run.w) > 0).all()
    assert run.mistakes <= (R / margin) ** 2 * (1 + 1e-9)


def test_the_bound_belongs_to_the_augmented_points():
    data = Dataset([[0.3, 0.0], [0.1, 0.0]], [1, -1])
    run = perceptron(augmented(data.X), data.y, np.arange(2), 5000)
    plain = (0.3 * solve(Problem(data, C=math.inf)).norm_w) ** 2
    R, margin = radius_and_margin(augmented(data.X), data.y)
    assert plain < run.mistakes <= (R / margin) ** 2


def test_radius_and_margin_of_two_points_follow_from_the_line_between_them():
    # |w| is least under <w, (3, 0)> >= 1 and <w, (0, 4)> <= -1: w = (1/3, -1/4), so 1/|w| = 12/5.
    R, margin = radius_and_margin(np.array([[3.0, 0.0], [0.0, 4.0]]), np.array([1.0, -1.0]))
    assert R == 4.0
    assert margin == pytest.approx(2.4, rel=1e-9)


def test_without_a_line_it_is_ended_and_says_so_and_has_no_bound():
    data = make_dataset("xor", 12)
    run = perceptron(augmented(data.X), data.y, np.arange(12), 100)
    assert (run.mistakes, run.converged) == (100, False)
    with pytest.raises(NotSeparable):
        radius_and_margin(augmented(data.X), data.y)


CORNERS = Dataset([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1])


def test_on_the_corners_of_xor_it_is_back_at_0_after_every_fourth_mistake():
    run = perceptron(augmented(CORNERS.X), CORNERS.y, np.arange(4), 400)
    assert (run.mistakes, run.converged) == (400, False)
    assert run.updates.tolist() == 100 * [0, 1, 2, 3]  # a mistake at every visit
    assert (run.path[::4] == 0).all()
    assert np.linalg.norm(run.path, axis=1).max() == 2


def test_the_errors_of_a_run_are_counted_for_each_w():
    run = perceptron(augmented(CORNERS.X), CORNERS.y, np.arange(4), 400)
    assert run.errors.tolist() == 100 * [4, 3, 2, 1] + [4]
    data = make_dataset("overlapping", 30, 0.3, seed=2)
    Z = augmented(data.X)
    run = perceptron(Z, data.y, np.arange(data.m), 60)
    by_hand = [sum(y * (w @ z) <= 0 for z, y in zip(Z, data.y, strict=True)) for w in run.path]
    assert run.errors.tolist() == by_hand
    assert run.errors[0] == data.m


def test_the_pocket_keeps_the_first_of_the_best():
    run = perceptron(augmented(CORNERS.X), CORNERS.y, np.arange(4), 400)
    assert run.pocket == 3
    assert run.path[run.pocket].tolist() == [-1, 1, 1]
    data = make_dataset("separable", 20, 0.2, 3)
    stopped = perceptron(augmented(data.X), data.y, np.arange(data.m), 5000)
    assert (stopped.pocket, stopped.errors[stopped.pocket]) == (stopped.mistakes, 0)
    wandering = perceptron(augmented(data.X), -data.y * np.where(np.arange(20) % 5, -1, 1), np.arange(20), 300)
    assert wandering.errors[wandering.pocket] == wandering.errors.min() < wandering.errors[-1]
    assert (wandering.errors[: wandering.pocket] > wandering.errors.min()).all()


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([(-0.749, 0.372), (-0.749, 4.872), (-0.749, -2.328), (-0.749, 3.072)], [1, -1, -1, -1]),
        ([(0, 0), (0.1, -0.1)], [1, -1]),
        ([(0.1, 0), (0, -0.1), (0, 0), (-0.1, 0.1)], [1, -1, 1, 1]),
    ],
)
def test_a_point_that_is_on_the_line_as_a_decimal_is_a_mistake(X, y):
    data = Dataset(X, y)
    run = perceptron(augmented(data.X), data.y, np.arange(data.m), 3000)
    w, updates = textbook(np.rint(1000 * augmented(data.X)), data.y, np.arange(data.m), 3000)
    assert run.converged == separate(data).separable
    assert run.updates.tolist() == updates
    assert run.path[-1].tolist() == (w / 1000).tolist()
    assert (run.errors.min() == 0) == run.converged


def test_rows_that_are_no_decimals_are_taken_as_they_are():
    Z = np.array([[1 / 3, 2.0], [-1.0, 0.1]])
    run = perceptron(Z, np.array([1.0, -1.0]), np.arange(2), 100)
    assert run.converged
    assert run.path[1].tolist() == Z[0].tolist()
