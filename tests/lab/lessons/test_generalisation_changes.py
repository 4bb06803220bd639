"""A coordinate in other units, a class with another cost, a rotation, and what each does to the predictions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.lab.lessons.generalisation.changes import (
    CHANGES,
    PRICE,
    TURN,
    UNITS,
    balanced,
    boundary,
    changed,
    confusion_after,
    rarer,
)

DATA = make_dataset("overlapping", 24, 0.3, seed=2)
GRID = np.stack(np.meshgrid(np.linspace(-4, 4, 9), np.linspace(-4, 4, 9)), -1).reshape(-1, 2)
FEW = Dataset(DATA.X[:16], DATA.y[:16], DATA.ids[:16])  # 12 of +, 4 of -


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.8), Polynomial(degree=2)])
@pytest.mark.parametrize("degrees", [17.0, 90.0])
def test_a_turn_keeps_every_multiplier_and_the_whole_boundary(kernel, degrees):
    problem = Problem(DATA, kernel, 2.0)
    posed = changed(problem, TURN, degrees)
    original, transformed = solve(problem), solve(posed.problem)
    assert transformed.alpha == pytest.approx(original.alpha, abs=1e-6)
    assert transformed.decision(GRID @ posed.A.T) == pytest.approx(original.decision(GRID), abs=1e-6)


def test_other_units_of_a_linear_kernel_are_a_weight_in_the_inner_product():
    problem = Problem(DATA, Linear(), 0.02)
    posed = changed(problem, UNITS, 5.0)
    X = DATA.X
    assert posed.problem.gram == pytest.approx(np.outer(X[:, 0], X[:, 0]) + 25 * np.outer(X[:, 1], X[:, 1]))
    f, g = solve(problem).decision(X), solve(posed.problem).decision(X @ posed.A.T)
    assert np.abs(f - g).max() > 0.1


def test_a_scaled_x2_and_a_class_cost_are_undone_by_their_inverses():
    problem = Problem(DATA, Gaussian(1.0), 1.0)
    there = changed(problem, UNITS, 5.0).problem
    back = changed(there, UNITS, 0.2).problem
    assert pytest.approx(DATA.X, abs=1e-15) == back.data.X


def test_a_class_cost_equals_copies_of_the_points_of_that_class():
    assert rarer(FEW) == -1
    problem = Problem(FEW, Linear(), 0.3)
    dearer = solve(changed(problem, PRICE, 3.0).problem)
    rare = FEW.y < 0
    copies = Dataset(np.vstack([FEW.X, FEW.X[rare], FEW.X[rare]]), np.r_[FEW.y, FEW.y[rare], FEW.y[rare]])
    copied = solve(Problem(copies, Linear(), 0.3))
    assert dearer.w == pytest.approx(copied.w, abs=1e-9)
    assert dearer.b == pytest.approx(copied.b, abs=1e-9)


def test_the_balanced_class_costs_give_both_classes_equal_weight():
    v = balanced(FEW)
    assert v == (FEW.y > 0).sum() / (FEW.y < 0).sum()
    assert v * (FEW.y < 0).sum() == (FEW.y > 0).sum()
    assert balanced(DATA) == 1


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.8)])
@pytest.mark.parametrize(("change", "amount"), [(UNITS, 5.0), (TURN, 40.0), (PRICE, 4.0)])
def test_f_of_the_changed_svm_is_0_on_the_drawn_boundary(kernel, change, amount):
    posed = changed(Problem(FEW, kernel, 1.0), change, amount)
    solution = solve(posed.problem)
    lines = boundary(solution, posed.A, 4.0)
    assert lines
    room = 1e-9 if kernel.is_linear else 0.05
    for curve in lines:
        assert np.abs(solution.decision(curve @ posed.A.T)).max() < room
        assert np.abs(curve).max() <= 4 + 1e-9


@pytest.mark.parametrize("change", CHANGES)
def test_no_change_at_all_keeps_f(change):
    problem = Problem(FEW, Linear(), 0.3)
    posed = changed(problem, change, 0.0 if change == TURN else 1.0)
    assert solve(posed.problem).decision(GRID @ posed.A.T) == pytest.approx(solve(problem).decision(GRID), abs=1e-9)


def test_a_dearer_class_has_no_more_slack_than_before():
    problem = Problem(FEW, Linear(), 0.1)
    rare = FEW.y < 0
    slack = [solve(changed(problem, PRICE, v).problem).xi[rare].sum() for v in (0.2, 1.0, 5.0)]
    assert slack[0] > slack[1] > slack[2]


def test_points_on_the_boundary_are_errors():
    flat = solve(Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])))
    assert confusion_after(flat, np.eye(2), flat.problem.data, 1.0).counts.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("change", CHANGES)
def test_the_confusion_matrix_is_that_of_scikit_learn(change):
    problem = Problem(FEW, Linear(), 0.1)
    posed = changed(problem, change, 20.0 if change == TURN else 3.0)
    solution = solve(posed.problem)
    matrix = confusion_after(solution, posed.A, DATA, -1.0)
    predicted = np.sign(solution.decision(DATA.X @ posed.A.T))
    assert matrix.classes == (-1, 1), "the class in question comes first"
    assert matrix.counts.tolist() == metrics.confusion_matrix(DATA.y, predicted, labels=[-1, 1]).tolist()
    assert matrix.recalls[0].value == metrics.recall_score(DATA.y, predicted, pos_label=-1)
    assert matrix.precisions[0].value == metrics.precision_score(DATA.y, predicted, pos_label=-1)
