"""The matrices as the notes print them, solved as they stand."""

from __future__ import annotations

import math

import cvxopt
import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve

DATA = make_dataset("overlapping", 14, 0.3, seed=1)
TIGHT = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11}


def minimum(qp) -> np.ndarray:
    parts = [cvxopt.matrix(np.array(v, float)) for v in (qp.P, qp.q, -qp.A, -qp.c)]
    if len(qp.e):
        parts += [cvxopt.matrix(np.array(qp.E, float)), cvxopt.matrix(np.array(qp.e, float))]
    return np.array(cvxopt.solvers.qp(*parts, options=TIGHT)["x"]).ravel()


@pytest.mark.parametrize("C", [0.5, math.inf])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2)])
def test_the_printed_matrices_solved_as_they_stand_give_the_same_svm(C, bias, kernel):
    data = make_dataset("separable", 14, seed=1) if math.isinf(C) else DATA
    problem = Problem(data, kernel, C, bias)
    s, primal, dual = solve(problem), problem.qp("primal"), problem.qp("dual")
    u, alpha = minimum(primal), minimum(dual)
    named = dict(zip(primal.variables, u, strict=True))
    w = [named[f"w{j + 1}"] for j in range(kernel.feature_dim(2))]
    f = kernel.feature_map(data.X) @ w + named.get("b", 0.0)
    assert f == pytest.approx(s.decision(data.X), abs=1e-5)
    assert (alpha * data.y) @ kernel.feature_map(data.X) == pytest.approx(np.array(w), abs=1e-5)
    if not math.isinf(C):
        assert [named[f"xi{i + 1}"] for i in range(data.m)] == pytest.approx(s.xi, abs=1e-5)


def test_the_variables_are_named_in_the_order_of_the_notes():
    two = Dataset([[1, 2], [3, 4]], [1, -1])
    assert Problem(two).qp("primal").variables == ("b", "w1", "w2", "xi1", "xi2")
    assert Problem(two, C=math.inf).qp("primal").variables == ("b", "w1", "w2")
    assert Problem(two, bias=False).qp("primal").variables == ("w1", "w2", "xi1", "xi2")
    assert Problem(two).qp("dual").variables == ("alpha1", "alpha2")


def test_the_matrices_of_two_points_are_those_written_by_hand():
    problem = Problem(Dataset([[1, 2], [3, 4]], [1, -1]), C=math.inf)
    primal, dual = problem.qp("primal"), problem.qp("dual")
    assert primal.P.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert primal.q.tolist() == [0, 0, 0]
    assert primal.A.tolist() == [[1, 1, 2], [-1, -3, -4]]
    assert primal.c.tolist() == [1, 1]
    assert dual.P.tolist() == [[5, -11], [-11, 25]]
    assert dual.q.tolist() == [-1, -1]
    assert dual.A.tolist() == [[1, 0], [0, 1]]
    assert dual.E.tolist() == [[1, -1]]
    soft = Problem(Dataset([[1, 2], [3, 4]], [1, -1]), C=7.0, bias=False)
    assert soft.qp("primal").q.tolist() == [0, 0, 7, 7]
    assert soft.qp("dual").A.tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1]]
    assert soft.qp("dual").c.tolist() == [0, 0, -7, -7]
    assert soft.qp("dual").E.shape == (0, 2)


@pytest.mark.parametrize("C", [0.5, math.inf])
@pytest.mark.parametrize("bias", [True, False])
def test_the_printed_dual_needs_no_feature_map(C, bias):
    data = make_dataset("separable", 14, seed=1) if math.isinf(C) else DATA
    problem = Problem(data, Gaussian(1.0), C, bias)
    s = solve(problem)
    f = (minimum(problem.qp("dual")) * data.y) @ problem.kernel(data.X, data.X)
    assert f == pytest.approx(s.decision(data.X) - s.b, abs=1e-5)
