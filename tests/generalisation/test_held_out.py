"""Other draws of a board, and errors of machines on points that they have not seen."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from svmlab import DATASETS, BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset, solve
from svmlab.data import fresh_points
from svmlab.data.generators import Preset
from svmlab.generalisation import (
    Blobs,
    ErrorMap,
    balanced_error,
    confusion_of_errors,
    error_map,
    held_out,
    solve_without,
)
from svmlab.generalisation.held_out import HELD_OUT_FOLDS

POPULATIONS = [name for name, recipe in DATASETS.items() if recipe.population]
MOONS = make_dataset("moons", 40, 0.3, 2)
OVERLAPPING = make_dataset("overlapping", 40, 0.3, 2)


def rows(data):
    return {(*place, label) for place, label in zip(data.X.tolist(), data.y.tolist(), strict=True)}


# ---------------------------------------------------------------- other draws


def test_every_preset_says_whether_it_has_a_distribution():
    said = next(each for each in fields(Preset) if each.name == "population")
    assert said.default is said.default_factory, "no default: who adds a board decides"
    assert set(POPULATIONS) == {"overlapping", "separable", "moons", "circles", "xor", "spirals"}
    assert all(DATASETS[name].uses_randomness for name in POPULATIONS)


@pytest.mark.parametrize("name", POPULATIONS)
def test_new_samples_share_no_point_with_a_board_have_its_classes_and_are_reproducible(name):
    other = fresh_points(name, 400, 0.2)
    assert rows(other) == rows(fresh_points(name, 400, 0.2))
    assert rows(other) != rows(fresh_points(name, 400, 0.4))
    assert (other.m, int((other.y > 0).sum())) == (400, 200)
    for seed in range(6):
        assert len(rows(other) & rows(make_dataset(name, 400, 0.2, seed))) <= 4, (
            "but for points cut off at the same edge"
        )


@pytest.mark.parametrize("name", POPULATIONS)
def test_new_samples_have_the_distribution_of_the_board(name):
    other, boards = fresh_points(name, 4000, 0.2), [make_dataset(name, 400, 0.2, seed) for seed in range(10)]
    X, y = np.concatenate([b.X for b in boards]), np.concatenate([b.y for b in boards])
    for label in (1, -1):
        here, there = X[y == label], other.X[other.y == label]
        for moment in (lambda Z: Z, lambda Z: Z**2, lambda Z: Z[:, :1] * Z[:, 1:]):
            a, b = moment(here), moment(there)
            apart = np.abs(a.mean(axis=0) - b.mean(axis=0))
            assert (apart <= 5 * np.sqrt(a.var(axis=0) / len(a) + b.var(axis=0) / len(b))).all()


@pytest.mark.parametrize(
    ("asked", "fragment"),
    [
        (("lattice",), "no distribution"),
        (("one_against_many",), "no distribution"),
        (("nowhere",), "not a dataset"),
        (("moons", 3), "n: 3"),
        (("moons", 4.5), "n: 4.5"),
        (("moons", 400, 1.5), "noise"),
    ],
)
def test_a_board_without_a_distribution_is_refused(asked, fragment):
    with pytest.raises(BadInput, match=fragment):
        fresh_points(*asked)


# ---------------------------------------------------------------- held out


def test_the_test_error_is_the_misclassified_fraction_and_close_to_the_true_error():
    solution = solve(Problem(make_dataset("overlapping", 60, 0.1, 0), Linear(), 1.0))
    other = fresh_points("overlapping", 400, 0.1)
    evaluation = held_out(solution, other)
    sides = np.sign(other.X @ solution.w + solution.b)
    assert evaluation.folds == 0
    assert evaluation.errors.tolist() == (sides != other.y).tolist()
    assert evaluation.error.value == (sides != other.y).mean()
    assert evaluation.error.standard_error == pytest.approx(
        math.sqrt(evaluation.error.value * (1 - evaluation.error.value) / 400)
    )
    true = Blobs().error(solution.w, solution.b)
    assert abs(evaluation.error.value - true) <= 4 * math.sqrt(true * (1 - true) / 400)


@pytest.mark.parametrize("problem", [Problem(MOONS, Gaussian(0.7), 3.0), Problem(OVERLAPPING, Linear(), 0.1, False)])
def test_without_test_points_every_point_is_classified_by_an_svm_trained_without_it(problem):
    solution = solve(problem)
    evaluation = held_out(solution)
    assert evaluation.folds == HELD_OUT_FOLDS
    assert evaluation.data is problem.data
    part = np.random.Generator(np.random.Philox(0)).permutation(np.arange(problem.data.m) % HELD_OUT_FOLDS)
    for k in range(HELD_OUT_FOLDS):
        other = solve_without(problem, part == k)
        assert not set(other.problem.data.ids) & set(problem.data.ids[part == k])
        wrong = problem.data.y[part == k] * other.decision(problem.data.X[part == k]) <= 0
        assert evaluation.errors[part == k].tolist() == wrong.tolist()
    assert evaluation.error.value == evaluation.errors.mean()
    assert evaluation.error.standard_error > 0


def test_few_points_one_class_and_a_hard_margin():
    one = Dataset([[0, 0]], [1])
    assert held_out(solve(Problem(one))) is None
    pair = held_out(solve(Problem(Dataset([[1, 0], [-1, 0]], [1, -1]))))
    assert (pair.folds, pair.error.value) == (2, 1.0), "each is judged by a machine that knows the other class alone"
    ones = held_out(solve(Problem(Dataset(MOONS.X, np.ones(40)), Gaussian(1.0))))
    assert (ones.folds, ones.error.value) == (HELD_OUT_FOLDS, 0.0)
    hard = held_out(solve(Problem(make_dataset("separable", 20, 0.1, 0), C=math.inf)))
    assert hard.folds == HELD_OUT_FOLDS


def test_an_indefinite_kernel_is_judged_too():
    solution = solve(Problem(MOONS, Sigmoid(1.0, -0.5), 1.0))
    other = fresh_points("moons", 400, 0.3)
    assert held_out(solution, other).error.value == (other.y * solution.decision(other.X) <= 0).mean()
    assert 0 <= held_out(solution).error.value <= 1


# ---------------------------------------------------------------- the map


@pytest.mark.parametrize("other", [fresh_points("moons", 100, 0.3), None])
def test_the_error_map_has_the_test_error_of_each_svm(other):
    problem = Problem(MOONS, Gaussian(9.0), 77.0)
    kernels, prices = [Gaussian(0.3), Gaussian(1.0), Polynomial(2)], [0.1, 1.0, 30.0]
    reported = []
    error_grid = error_map(problem, kernels, prices, other, reported.append)
    for i, j in np.ndindex(3, 3):
        solution = solve(Problem(MOONS, kernels[i], prices[j]))
        alone = held_out(solution, other)
        assert error_grid.error[i, j] == alone.error.value
        assert error_grid.standard_error[i, j] == pytest.approx(alone.error.standard_error)
        assert error_grid.train[i, j] == solution.errors.mean()
        matrix = confusion_of_errors(alone.data.y, alone.errors)
        assert error_grid.balanced.error[i, j] == pytest.approx(1 - matrix.balanced_accuracy.value, abs=1e-12)
        assert error_grid.balanced.standard_error[i, j] == alone.balanced_error.standard_error
        own = confusion_of_errors(solution.problem.data.y, solution.errors)
        assert error_grid.balanced.train[i, j] == pytest.approx(1 - own.balanced_accuracy.value, abs=1e-12)
    assert error_grid.folds == (HELD_OUT_FOLDS if other is None else 0)
    assert reported == pytest.approx(np.arange(1, 10) / 9)
    assert error_grid.error[error_grid.best_cell] == error_grid.error.min()


def test_of_equal_errors_the_smallest_c_and_the_widest_kernel_are_chosen():
    error = np.array([[0.1, 0.3, 0.1], [0.2, 0.1, 0.1], [0.2, 0.1, 0.4]])
    assert ErrorMap(error, error, error, 0).best_cell == (0, 0)
    assert ErrorMap(error + [[0.1, 0, 0]], error, error, 0).best_cell == (2, 1)
    assert np.argwhere(ErrorMap(error, error, error, 0).best_cells).tolist() == [[0, 0], [0, 2], [1, 1], [1, 2], [2, 1]]
    assert ErrorMap(error * np.nan, error, error, 0).best_cell is None
    assert not ErrorMap(error * np.nan, error, error, 0).best_cells.any()


def test_the_balanced_error_is_the_mean_over_the_classes_and_equal_errors_are_equal_numbers():
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0])
    wrong = np.array([True, False, False, True, True, False, False, False, False, False])
    balanced = balanced_error(y, wrong)
    assert balanced.value == (1 / 3 + 2 / 7) / 2
    assert balanced.standard_error == pytest.approx(math.sqrt((1 / 3) * (2 / 3) / 3 + (2 / 7) * (5 / 7) / 7) / 2)
    assert balanced_error(y[:3], wrong[:3]).value == 1 / 3, "a class without points does not count"
    with pytest.raises(BadInput, match="no points"):
        balanced_error([], [])


def test_a_rare_class_makes_the_constant_classifier_as_good_only_by_the_plain_error():
    rare = Dataset([*make_dataset("overlapping", 40, 0.1, 0).X, [9.0, 9.0]], [1] * 40 + [-1])
    error_grid = error_map(Problem(rare), [Linear()], [0.01, 1.0])
    assert error_grid.constant == 1 / 41
    assert error_grid.constant_is_as_good
    assert error_grid.balanced.constant == 0.5
    good = error_map(Problem(make_dataset("separable", 20, 0.1, 0)), [Linear()], [1.0])
    assert not good.constant_is_as_good
    assert not good.balanced.constant_is_as_good
    alone = error_map(Problem(Dataset(MOONS.X, np.ones(40))), [Linear()], [1.0])
    assert alone.constant == alone.balanced.constant == 0.0


def test_the_error_map_is_nan_where_no_svm_exists():
    error_grid = error_map(
        Problem(OVERLAPPING), [Linear(), Gaussian(0.5)], [1.0, math.inf], fresh_points("overlapping", 40)
    )
    assert np.isnan(error_grid.error).tolist() == [[False, True], [False, False]]
    none = error_map(replace(Problem(OVERLAPPING), C=math.inf), [Linear()], [math.inf])
    assert none.best_cell is None


def test_an_error_map_can_be_cancelled():
    def stop(share):
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        error_map(Problem(MOONS), [Linear()], [1.0, 2.0, 3.0], None, stop)
