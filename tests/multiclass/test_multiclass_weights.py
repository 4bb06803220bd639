"""Weights of single points of several classes: equal points, the binary problems, a second solver, and the order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import BadInput, Gaussian, Linear, Problem, solve
from svmlab.multiclass import Classes, MulticlassProblem, certify
from svmlab.multiclass import solve as solve_classes
from svmlab.solvers import cvxopt_backend

KERNELS = [Linear(), Gaussian(1.0)]


def crowded(seed: int, m: int = 24) -> tuple[Classes, np.ndarray]:
    """Whole coordinates, many points twice, weights that often differ where the points do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (m, 2)).astype(float)
    y = np.r_[1, 2, 3, 1 + (X[3:, 0] > 0) + (X[3:, 1] > rng.normal(size=m - 3))]
    return Classes(X, y), rng.choice([0.25, 1.0, 3.0], m) * rng.choice([1.0, 1 / 3], m)


def test_bad_weights_are_refused_and_the_key_and_the_programs_know_them():
    data = Classes([[0.0, 0], [1, 0], [0, 1]], [1, 2, 3])
    with pytest.raises(BadInput, match="weights, row 1"):
        MulticlassProblem(data, weights=[1, 0, 1])
    plain, ones, two = (MulticlassProblem(data, C=2.0, weights=weights) for weights in (None, [1, 1, 1], [1, 2, 1]))
    assert plain.key == ones.key != two.key
    assert "weights=array(3,)" in repr(two)
    assert two.bounds.tolist() == [2, 4, 2]
    assert two.binary_problem(2).weights.tolist() == [1, 2, 1]
    assert two.qp("dual").c.tolist() == [0] * 6 + [-2, -4, -2]
    assert two.qp("primal").q[-3:].tolist() == [2, 4, 2]
    hard = [MulticlassProblem(data, C=math.inf, weights=weights) for weights in (None, [1, 2, 1])]
    assert hard[0].key == hard[1].key


@pytest.mark.parametrize("method", ["one-vs-rest", "joint"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize(("C", "bias"), [(0.1, True), (1.0, False), (5.0, True)])
def test_a_point_of_weight_k_is_k_equal_points(method, kernel, C, bias):
    data, _ = crowded(0)
    weights = np.arange(data.m) % 3 + 1
    rows = np.repeat(np.arange(data.m), weights)
    one = solve_classes(MulticlassProblem(data, kernel, C, bias, weights), method)
    copies = solve_classes(MulticlassProblem(Classes(data.X[rows], data.y[rows]), kernel, C, bias), method)
    assert copies.decision(data.X) == pytest.approx(one.decision(data.X), abs=1e-9)
    assert [copies.categories[i] for i in np.searchsorted(rows, np.arange(data.m))] == list(one.categories)
    if method == "joint":
        sums = np.stack([np.bincount(rows, column) for column in copies.beta.T], 1)
        assert sums == pytest.approx(one.beta, abs=1e-8 * C)
        assert copies.objective == pytest.approx(one.objective, rel=1e-11)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("seed", range(3))
def test_both_methods_agree_with_what_solves_them_otherwise(kernel, seed):
    data, weights = crowded(seed)
    for C, bias in [(0.1, True), (3.0, False), (10.0, True)]:
        problem = MulticlassProblem(data, kernel, C, bias, weights)
        joint = solve_classes(problem, "joint")
        assert certify(joint).is_optimal(1e-9)
        assert (joint.multiplier_sum <= problem.bounds * (1 + 1e-12)).all()
        qp = problem.qp("dual")
        value = min(0.5 * a.u @ qp.P @ a.u + qp.q @ a.u for a in cvxopt_backend.qp_answers(qp))
        assert -value == pytest.approx(joint.dual_objective, rel=1e-6)
        rest = solve_classes(problem)
        for k, machine in zip(rest.classes, rest.machines, strict=True):
            alone = solve(Problem(data.one_vs_rest(k), kernel, C, bias, weights=weights))
            assert machine.alpha.tolist() == alone.alpha.tolist()


def test_two_classes_are_the_binary_svm_at_twice_c():
    data, weights = crowded(1)
    rows = data.y < 3
    two = Classes(data.X[rows], data.y[rows])
    joint = solve_classes(MulticlassProblem(two, Gaussian(1.0), 0.5, weights=weights[rows]), "joint")
    binary = solve(Problem(two.one_vs_rest(2), Gaussian(1.0), 1.0, weights=weights[rows]))
    f = joint.decision(two.X)
    assert f[:, 1] - f[:, 0] == pytest.approx(binary.decision(two.X), abs=1e-9)


def test_the_order_of_the_rows_changes_nothing_but_rounding():
    data, weights = crowded(2)
    order = np.random.default_rng(0).permutation(data.m)
    one = solve_classes(MulticlassProblem(data, Gaussian(1.0), weights=weights), "joint")
    other = solve_classes(
        MulticlassProblem(Classes(data.X[order], data.y[order]), Gaussian(1.0), weights=weights[order]), "joint"
    )
    assert other.beta == pytest.approx(one.beta[order], abs=1e-10)
    assert list(other.states) == list(one.states[order])
