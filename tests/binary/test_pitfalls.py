"""What other tools get wrong, once each."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from svmlab import Category, Dataset, Gaussian, Linear, Polynomial, Problem, SolverFailed, make_dataset, solve
from svmlab.binary.categories import GROUPS
from svmlab.solvers import cvxopt_backend

WIDE = Dataset(
    [[3, 0], [3, 1], [4, 0], [-3, 0], [-3, 1], [-4, 0], [-5, 1]], [1, 1, 1, -1, -1, -1, 1]
)  # the last is far on the wrong side


def test_the_same_points_have_the_same_margin_at_every_call_and_in_every_order():
    data, rng = make_dataset("overlapping", 50, 0.4), np.random.default_rng(0)
    first = solve(Problem(data, C=10.0))
    for _ in range(5):
        order = rng.permutation(data.m)
        again = solve(Problem(Dataset(data.X[order], data.y[order]), C=10.0))
        assert again.geometric_margin == pytest.approx(first.geometric_margin, rel=1e-13)
        assert again.alpha.tolist() == first.alpha[order].tolist()
    assert solve(Problem(data, C=10.0)).alpha.tolist() == first.alpha.tolist()


def test_a_point_with_more_than_two_units_of_slack_counts_as_violating():
    s = solve(Problem(WIDE, C=1.0))
    assert s.xi[6] > 2
    assert s.categories[6] is Category.WRONG
    assert s.categories[6] in GROUPS["violating"]
    violating = sum(c in GROUPS["violating"] for c in s.categories)
    assert violating == (s.xi > 1e-9).sum() > (np.abs(s.margins) < 1 - 1e-9).sum()


def test_kernel_values_are_right_in_every_digit_that_shows():
    x, z = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])
    assert Linear()(x, z)[0, 0] == 1
    assert Polynomial(3, 1.0)(x, z)[0, 0] == 8
    assert Polynomial(2, 0.5, 2.0)(x, z)[0, 0] == 6.25
    assert Gaussian(2.0)(x, z)[0, 0] == pytest.approx(math.exp(-13 / 8), rel=1e-15)
    assert Gaussian(1e-3)(x, x)[0, 0] == 1


def test_alpha_is_the_multiplier_and_its_squares_do_not_sum_to_the_squared_norm():
    s = solve(Problem(Dataset([[1, 0], [-1, 0]], [1, -1])))
    assert s.norm_w**2 == pytest.approx(1)
    assert (s.alpha**2).sum() == pytest.approx(0.5)


def test_the_margin_is_one_over_the_norm_and_the_margin_width_two():
    s = solve(Problem(Dataset([[5, 0], [1, 0]], [1, -1]), C=math.inf))
    assert s.norm_w == pytest.approx(0.5)
    assert s.geometric_margin == pytest.approx(2)
    street = 5 - 1
    assert 2 / s.norm_w == pytest.approx(street)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)], ids=lambda k: k.name)
def test_every_free_vector_gives_the_same_b(kernel):
    data = make_dataset("overlapping", 40, 0.4)
    s = solve(Problem(data, kernel, 1.0))
    K = kernel(data.X[s.free], data.X)
    each = data.y[s.free] - K @ (s.alpha * data.y)
    assert len(each) >= 2
    assert each == pytest.approx(np.full(len(each), s.b), abs=1e-9)


def test_the_line_is_not_the_bisector_of_the_class_means():
    data = Dataset([[1, 0], [9, 0], [9, 1], [-1, 0]], [1, 1, 1, -1])
    s = solve(Problem(data, C=math.inf))
    assert s.decision([[0, 0]])[0] == pytest.approx(0, abs=1e-12)
    assert s.w == pytest.approx([1, 0], abs=1e-12)


@pytest.mark.parametrize(("error", "is_accepted"), [(0.96e-6, True), (1.04e-6, False)])
def test_an_answer_of_cvxopt_must_prove_its_value_to_a_millionth(error, is_accepted, monkeypatch):
    """For the points 1 and -1, alpha = (1 + d)/2 gives w = 1 + d, P = (1 + d)^2 / 2 and D = (1 - d^2)/2.

    So (P - D)/P = 2d/(1 + d), which is `error` for d = error/(2 - error).
    """
    d = error / (2.0 - error)
    answer = SimpleNamespace(u=np.full(2, 0.5 * (1.0 + d)), equality=np.zeros(1), gap_left=1.0)
    monkeypatch.setattr(cvxopt_backend, "qp_answers", lambda qp: iter([answer]))
    problem = Problem(Dataset([[1], [-1]], [1, -1]), C=1.0)
    if is_accepted:
        assert solve(problem, "dual-qp").norm_w == pytest.approx(1.0 + d, abs=1e-12)
    else:
        with pytest.raises(SolverFailed, match="1e-06 is required"):
            solve(problem, "dual-qp")


@pytest.mark.parametrize("method", ["exact", "dual-qp", "primal-qp"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1, 2], [3, 4]], [1, 1]),
        ([[1, 2]], [-1]),
        ([[0, 0]], [1]),
        ([[1, 1], [1, 1], [1, 1], [-1, 0]], [1, 1, 1, -1]),
        ([[1, 1], [1, 1]], [1, -1]),
        ([[0, 0], [0, 0]], [1, -1]),
        ([[0, 0], [1, 1], [2, 2], [3, 3]], [1, -1, 1, -1]),
    ],
    ids=["one class", "one point", "the origin", "duplicates", "twins", "twins at the origin", "collinear"],
)
def test_awkward_points_are_solved_and_not_a_crash(X, y, bias, method):
    s = solve(Problem(Dataset(X, y), C=1.0, bias=bias), method)
    assert np.isfinite(s.alpha).all()
    assert math.isfinite(s.b)
    assert len(s.categories) == len(y)
    assert s.objective == pytest.approx(s.dual_objective, abs=1e-5)


def test_a_whole_degree_typed_as_a_float_is_a_whole_degree():
    x = np.array([[1.0, 2.0], [-1.0, 0.5]])
    assert Polynomial(3.0)(x, x).tolist() == Polynomial(3)(x, x).tolist()
    assert Polynomial(3.0).feature_map(x).tolist() == Polynomial(3).feature_map(x).tolist()
    assert solve(Problem(WIDE, Polynomial(2.0))).b == solve(Problem(WIDE, Polynomial(2))).b
