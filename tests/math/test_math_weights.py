"""Weights of single points: the bound of each alpha, equal points that count unlike, and what must not change."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.svm import SVC

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    certify,
    make_dataset,
    regularization_path,
    solve,
)
from svmlab.generalisation import leave_one_out, without
from svmlab.report import report
from svmlab.statements import CATALOGUE, Situation
from tests.oracle import optima, random_boards

PAIR = Dataset([[1, 0], [-1, 0]], [1, -1])
BOARD = make_dataset("overlapping", 40, 0.4)
KERNELS = [Linear(), Gaussian(1.0), Polynomial(2), Sigmoid(0.3, -1.0)]


def crowded(seed: int, m: int = 30) -> tuple[Dataset, np.ndarray]:
    """Whole coordinates, many points twice, weights that often differ where the points do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (m, 2)).astype(float)
    y = np.where(X[:, 0] + rng.normal(size=m) > 0, 1, -1)
    y[:2] = 1, -1
    return Dataset(X, y), rng.choice([0.25, 1.0, 3.0], m) * rng.choice([1.0, 1 / 3], m)


@pytest.mark.parametrize(
    ("weights", "fragments"),
    [
        ([1, 0], ["row 1", "0", "1e-100 to 1e+100", "left out of the Dataset"]),
        ([-1, 1], ["row 0", "-1"]),
        ([1, math.nan], ["row 1", "nan"]),
        ([math.inf, 1], ["row 0", "inf"]),
        ([1, 1e-300], ["row 1", "1e-300"]),
        ([1], ["(1,)", "(2,)", "one weight for each point"]),
        (2.0, ["()", "(2,)"]),
        ([[1, 1]], ["(1, 2)"]),
        (["a", 1], ["weights must be a list of numbers"]),
    ],
)
def test_bad_weights_are_refused_by_row_and_rule(weights, fragments):
    with pytest.raises(BadInput) as caught:
        Problem(PAIR, weights=weights)
    assert str(caught.value).startswith("weights")
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_a_bound_is_c_times_the_cost_of_the_class_times_the_weight():
    problem = Problem(PAIR, C=2.0, costs=(3, 0.5), weights=[2, 4])
    assert (problem.v.tolist(), problem.bounds.tolist()) == ([6, 2], [12, 4])
    assert not problem.weights.flags.writeable
    assert not problem.even
    assert Problem(PAIR, C=math.inf, weights=[2, 4]).even
    assert Problem.from_lambda(PAIR, Linear(), 0.25, weights=[2, 4]).bounds.tolist() == [4, 8]
    assert problem.qp("dual").c.tolist() == [0, 0, -12, -4]
    assert problem.qp("primal").q.tolist() == [0, 0, 0, 12, 4]
    assert "weights=array(2,)" in repr(problem)


def test_the_key_knows_the_weights_but_those_that_are_1_and_for_the_hard_margin():
    problems = [Problem(PAIR, weights=weights) for weights in ([1, 1], [1, 2], [2, 1])]
    assert len({problem.key for problem in problems}) == 3
    assert problems[0].key == Problem(PAIR).key
    assert problems[0].weights is None
    assert Problem(PAIR, C=math.inf, weights=[1, 2]).key == Problem(PAIR, C=math.inf).key


@pytest.mark.parametrize("C", [Fraction(1, 16), Fraction(1, 4), Fraction(1), Fraction(8)])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_no_state_or_digit_is_wrong_against_rationals(C, bias):
    rng, unique = np.random.default_rng(5), 0
    for X, y in random_boards(4, 20):
        X[-1], y[-1] = X[0], y[0]  # one point twice
        weights = [Fraction(int(n), 2) for n in rng.integers(1, 5, len(y))]
        g, b, vertices = optima(X, y, C, bias, 1, weights=weights)
        s = solve(Problem(Dataset(X, y), C=float(C), bias=bias, weights=[float(w) for w in weights]))
        where = (X.tolist(), y.tolist(), weights)
        assert s.decision(np.array(X, float)) - s.b == pytest.approx([float(v) for v in g], abs=2e-12), where
        assert s.b_interval == pytest.approx([float(v) for v in b], abs=2e-12), where
        V = np.array(vertices, float)
        assert s.alpha_unique == (len(V) == 1), where
        if len(V) == 1:
            unique += 1
            tops = [C * weight for weight in weights]
            states = [-1 if a == 0 else 1 if a == top else 0 for a, top in zip(vertices[0], tops, strict=True)]
            assert s.states.tolist() == states, where
        # Of all optima the nearest to 0: no vertex lies on the near side of the plane through alpha.
        assert ((V - s.alpha) @ s.alpha >= -1e-9 * max(1.0, s.alpha @ s.alpha)).all(), where
    assert unique >= 1


def test_equal_points_share_evenly_until_the_lighter_one_is_full():
    """w = (1, 0), b = 0 takes alpha = 1/2 on either side, which three points at one place share."""
    data = Dataset([[1, 0]] * 3 + [[-1, 0]], [1, 1, 1, -1])
    for weights, share in [
        ([1, 1, 1, 1], [1 / 6] * 3),
        ([0.1, 1, 1, 1], [0.1, 0.2, 0.2]),
        ([0.1, 0.15, 1, 1], [0.1, 0.15, 0.25]),
    ]:
        s = solve(Problem(data, weights=weights))
        assert s.alpha == pytest.approx([*share, 0.5], abs=1e-15)
        assert not s.alpha_unique
    full = solve(Problem(data, weights=[0.1, 0.1, 0.2, 9]))
    assert full.at_bound.tolist() == [True, True, True, False]
    assert full.alpha_unique


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("seed", range(4))
def test_neither_the_order_nor_the_start_changes_a_bit(kernel, seed):
    data, weights = crowded(seed)
    rng = np.random.default_rng(seed)
    for C, bias in [(0.1, True), (1.0, False), (30.0, True)]:
        problem = Problem(data, kernel, C, bias, (1.0, 2.0), weights)
        s = solve(problem)
        assert s.proven
        assert (s.alpha[s.at_bound] == problem.bounds[s.at_bound]).all()
        order = rng.permutation(data.m)
        moved = Dataset(data.X[order], data.y[order], order)
        other = solve(replace(problem, data=moved, weights=weights[order]))
        assert other.alpha.tobytes() == s.alpha[order].tobytes()
        assert other.b == s.b
        dearer = solve(replace(problem, C=3 * C, weights=rng.permutation(weights)))
        for start in (
            other,
            dearer,
            solve(replace(problem, weights=None)),
            solve(replace(problem, data=BOARD, weights=None)),
        ):
            warm = solve(problem, start=start)
            assert warm.alpha.tobytes() == s.alpha.tobytes()
            assert (warm.b, warm.b_interval) == (s.b, s.b_interval)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_a_whole_weight_is_so_many_points(kernel):
    for seed in range(4):
        data, _ = crowded(seed, 20)
        times = np.random.default_rng(seed).integers(1, 4, data.m)
        rows = np.repeat(np.arange(data.m), times)
        s = solve(Problem(data, kernel, 0.7, weights=times))
        many = solve(Problem(Dataset(data.X[rows], data.y[rows]), kernel, 0.7))
        assert s.objective == pytest.approx(many.objective, rel=1e-12)
        assert s.b_interval == pytest.approx(many.b_interval, abs=1e-9)
        assert s.decision(BOARD.X) == pytest.approx(many.decision(BOARD.X), abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS[:3], ids=lambda kernel: kernel.name)
def test_it_agrees_with_scikit_learn_and_with_cvxopt(kernel):
    rng = np.random.default_rng(2)
    how = {
        "linear": {"kernel": "linear"},
        "gaussian": {"gamma": 0.5},
        "polynomial": {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1},
    }
    for C in (0.1, 3.0):
        weights = rng.uniform(0.2, 3, BOARD.m)
        s = solve(Problem(BOARD, kernel, C, weights=weights))
        svc = SVC(C=C, tol=1e-9, **how[kernel.name]).fit(BOARD.X, BOARD.y, sample_weight=weights)
        assert s.decision(BOARD.X) == pytest.approx(svc.decision_function(BOARD.X), abs=1e-4)
        for method in ("dual-qp", "primal-qp") if kernel.straight else ("dual-qp",):
            assert solve(s.problem, method).objective == pytest.approx(s.objective, rel=1e-6)


@pytest.mark.parametrize("kernel", KERNELS[:3], ids=lambda kernel: kernel.name)
def test_the_path_goes_through_the_weighted_optima(kernel):
    data, weights = crowded(1)
    problem = Problem(data, kernel, costs=(1.0, 2.0), weights=weights)
    path = regularization_path(problem)
    order = np.random.default_rng(0).permutation(data.m)
    again = regularization_path(replace(problem, data=Dataset(data.X[order], data.y[order]), weights=weights[order]))
    assert again.C.tobytes() == path.C.tobytes()
    y, K = data.y, problem.gram
    for C in [0.01, *path.C[:: max(1, len(path.C) // 5)], 20.0]:
        here = replace(problem, C=C)
        assert path.at(C).alpha.tobytes() == solve(here).alpha.tobytes()
        alpha = path.alpha(C)
        assert (alpha >= 0).all()
        assert (alpha <= here.bounds * (1 + 1e-12)).all()
        dual = alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y)
        assert dual == pytest.approx(solve(here).dual_objective, rel=1e-9)


def test_the_hard_margin_knows_no_weights():
    data = make_dataset("separable", 20)
    s, other = (solve(Problem(data, C=math.inf, weights=w)) for w in (None, np.arange(1.0, 21.0)))
    assert s.alpha.tobytes() == other.alpha.tobytes()


def test_a_point_left_out_takes_its_weight_along():
    data, weights = crowded(3, 16)
    problem = Problem(data, C=0.5, weights=weights)
    rows = np.arange(data.m) == 4
    rest = without(problem, rows)
    assert rest.problem.weights.tolist() == weights[~rows].tolist()
    assert leave_one_out(problem).wrong.shape == (data.m,)


def test_the_report_and_the_statements_say_that_points_have_weights():
    s = solve(Problem(BOARD, C=0.5, weights=np.linspace(1, 2, BOARD.m)))
    told = json.loads(report(s))
    assert told["v"] == s.problem.v.tolist()
    assert "sum_i v_i" in told["problem"]
    names: dict = {}
    exec(
        "import io\n"
        + "\n".join(told["check"]).replace('open("certificate.json", encoding="utf-8")', "io.StringIO(text)"),
        {"text": json.dumps(told), "print": lambda *a: names.setdefault(a[0].strip()[:12], a[1])},
    )
    assert set(names.values()) == {"holds"}
    assert certify(s).is_optimal()
    verdict = CATALOGUE["S6"].check(Situation(s.problem))
    assert not verdict.applies
    assert "Leave the weights out" in verdict.why
