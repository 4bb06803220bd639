"""A coordinate in other units, a class at another price, the board turned: which of them leave the machine as it is."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.lab.lessons.generalisation.changes import (
    FACTORS,
    PRICE,
    TURN,
    UNITS,
    balanced,
    boundary,
    changed,
    rarer,
    share,
    shares,
    wrong,
)

DATA = make_dataset("overlapping", 24, 0.3, seed=2)
FEW = Dataset(DATA.X[:16], DATA.y[:16], DATA.ids[:16])  # 12 of +, 4 of -


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.8), Polynomial(degree=2)])
@pytest.mark.parametrize("degrees", [17.0, 90.0])
def test_a_turn_keeps_every_multiplier_and_the_whole_boundary(kernel, degrees):
    problem = Problem(DATA, kernel, 2.0)
    posed = changed(problem, TURN, degrees)
    now, then = solve(problem), solve(posed.problem)
    assert then.alpha == pytest.approx(now.alpha, abs=1e-6)
    assert share(now, then, posed.A, 4.0) == 0


def test_other_units_of_a_linear_kernel_are_a_weight_in_the_inner_product():
    problem = Problem(DATA, Linear(), 0.02)
    posed = changed(problem, UNITS, 5.0)
    X = DATA.X
    assert posed.problem.gram == pytest.approx(np.outer(X[:, 0], X[:, 0]) + 25 * np.outer(X[:, 1], X[:, 1]))
    assert share(solve(problem), solve(posed.problem), posed.A, 4.0) > 0.02


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
    for line in lines:
        assert np.abs(solution.decision(line @ posed.A.T)).max() < room
        assert np.abs(line).max() <= 4 + 1e-9


def test_at_the_factor_1_nothing_changes_sides():
    found = shares(solve(Problem(FEW, Linear(), 0.3)), 4.0)
    middle = len(FACTORS) // 2
    assert FACTORS[middle] == pytest.approx(1)
    assert (found.units[middle], found.price[middle]) == (0, 0)
    assert found.units.max() > 0.02
    assert found.price.max() > 0.02


def test_a_dearer_class_has_no_more_slack_than_before():
    problem = Problem(FEW, Linear(), 0.1)
    rare = FEW.y < 0
    slack = [solve(changed(problem, PRICE, v).problem).xi[rare].sum() for v in (0.2, 1.0, 5.0)]
    assert slack[0] > slack[1] > slack[2]


def test_points_on_the_boundary_are_errors():
    flat = solve(Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])))
    assert wrong(flat).all()
