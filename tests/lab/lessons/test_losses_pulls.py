"""How hard a far point pulls under each loss, and how the lines lie with it and without (L14)."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Dataset, make_dataset
from svmlab.lab.lessons.losses.pulls import LINES, fits, moved, turn, without
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend

ROWS = [(1, 0, 1), (1.5, 1, 1), (1.2, -1, 1), (2, 0.5, 1), (-1, 0, -1), (-1.5, 1, -1), (-1.2, -1, -1), (-2, 0.5, -1)]
LAM = 0.01


def of(rows):
    return Dataset([row[:2] for row in rows], [row[2] for row in rows])


RIGHT, WRONG = of([*ROWS, (7, 7, 1)]), of([*ROWS, (7, 0, -1)])
BOARDS = [RIGHT, WRONG, make_dataset("overlapping", 30, 0.3, 2), make_dataset("xor", 20, 0.1, 4)]


def test_only_least_squares_follows_an_outlier_on_its_own_side():
    with_outlier, without_outlier = fits(RIGHT, LAM), fits(without(RIGHT, 8), LAM)
    angles = {name: with_outlier[name].angle for name in LINES}
    assert angles.pop("squared") == pytest.approx(-34.393, abs=1e-3)
    assert all(abs(angle) < 1e-4 for angle in angles.values())
    assert all(abs(without_outlier[name].angle) < 1e-4 for name in LINES)
    assert turn(with_outlier["squared"], without_outlier["squared"]) == pytest.approx(-34.393, abs=1e-3)
    swept = np.tan(np.radians(34.393)) / 4  # two triangles of the square
    assert moved(with_outlier["squared"], without_outlier["squared"], 8.0) == pytest.approx(swept, abs=1e-3)
    assert moved(with_outlier["hinge"], without_outlier["hinge"], 8.0) == 0


def test_an_outlier_with_the_wrong_label_moves_every_boundary_but_the_sigmoids():
    with_outlier, without_outlier = fits(WRONG, LAM), fits(without(WRONG, 8), LAM)
    errors = {name: int(with_outlier[name].wrong.sum()) for name in LINES}
    assert errors == {"squared": 4, "logistic": 4, "exponential": 5, "hinge": 1, "sigmoid": 1}
    assert turn(with_outlier["hinge"], without_outlier["hinge"]) == pytest.approx(8.531, abs=1e-3)
    assert {name for name in LINES if moved(with_outlier[name], without_outlier[name], 8.0) == 0} == {"sigmoid"}


def test_the_sigmoids_descent_from_0_ends_in_a_higher_valley():
    objective = Objective(WRONG, LOSSES["sigmoid"], REGULARISERS["R2"], LAM)
    fit = fits(WRONG, LAM)["sigmoid"]
    flat = descend(objective)
    assert float(objective.value(fit.w, fit.b)) == pytest.approx(0.17460, abs=1e-5)
    assert flat.value == pytest.approx(4 / 9, abs=1e-5)
    assert np.hypot(*flat.w) < 1e-6


@pytest.mark.parametrize("data", BOARDS, ids=range(len(BOARDS)))
def test_least_squares_solves_its_normal_equations(data):
    Z = np.column_stack([data.X, np.ones(data.m)])
    ridge = LAM / 2 * np.diag([1.0, 1.0, 0.0])
    w1, w2, b = np.linalg.solve(Z.T @ Z / data.m + ridge, Z.T @ data.y / data.m)
    fit = fits(data, LAM)["squared"]
    assert [*fit.w, fit.b] == pytest.approx([w1, w2, b], abs=1e-9)


@pytest.mark.parametrize("data", BOARDS, ids=range(len(BOARDS)))
def test_the_descent_on_the_hinge_converges_to_the_svm(data):
    objective = Objective(data, LOSSES["hinge"], REGULARISERS["R2"], LAM)
    fit = fits(data, LAM)["hinge"]
    assert float(objective.value(fit.w, fit.b)) == pytest.approx(descend(objective).value, abs=1e-7)


@pytest.mark.parametrize("data", BOARDS, ids=range(len(BOARDS)))
def test_at_the_minimum_the_pulls_balance(data):
    for name, fit in fits(data, LAM).items():
        p = fit.pull * np.where((name == "squared") & (fit.t > 1), -1.0, 1.0)
        assert LAM * fit.w == pytest.approx((p * data.y) @ data.X / data.m, abs=1e-6), name
        assert p @ data.y == pytest.approx(0.0, abs=1e-5), name


@pytest.mark.parametrize("name", LINES)
def test_the_pull_is_the_slope_of_the_loss(name):
    t, h = np.linspace(-3.05, 2.95, 61), 1e-6  # none at the kink
    slope = (LOSSES[name].value(t + h) - LOSSES[name].value(t - h)) / (2 * h)
    assert LOSSES[name].absolute_slope(t) == pytest.approx(np.abs(slope), abs=1e-7)
    given = {
        "squared": 2 * np.abs(1 - t),
        "logistic": 1 / (1 + np.exp(t)),
        "exponential": np.exp(-t),
        "hinge": (t < 1).astype(float),
        "sigmoid": np.exp(t) / (1 + np.exp(t)) ** 2,
    }
    assert LOSSES[name].absolute_slope(t) == pytest.approx(given[name])


def test_a_class_alone_needs_no_line():
    alone = fits(Dataset([[0.0, 1.0], [2.0, 3.0]], [-1, -1]), LAM)
    pair = fits(Dataset([[0.0, 1.0], [2.0, 3.0]], [1, -1]), LAM)
    for name in LINES:
        assert not alone[name].wrong.any()
        assert np.isnan(turn(pair[name], alone[name]))
        assert 0 < moved(pair[name], alone[name], 4.0) < 1
