"""The perceptron against a loop written as in a textbook, and its bound."""

import math

import numpy as np
import pytest

from svmlab import Dataset, NotSeparable, Problem, make_dataset, solve
from svmlab.perceptron import augmented, perceptron, radius_and_margin


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
    assert run.stopped
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


def test_without_a_line_it_is_ended_and_says_so_and_has_no_bound():
    data = make_dataset("xor", 12)
    run = perceptron(augmented(data.X), data.y, np.arange(12), 100)
    assert (run.mistakes, run.stopped) == (100, False)
    with pytest.raises(NotSeparable):
        radius_and_margin(augmented(data.X), data.y)
