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
    Category,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    Solution,
    certify,
    make_dataset,
    regularization_path,
    solve,
)
from svmlab.binary.report import report
from svmlab.generalisation import leave_one_out, solve_without
from svmlab.kernels.base import Kernel
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
        ([1, 0], ["row 1", "0", "1e-100 to 1e+100", "leave it out of the Dataset"]),
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
    assert not problem.has_equal_costs
    assert Problem(PAIR, C=math.inf, weights=[2, 4]).has_equal_costs
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
        # Of all optima the nearest to 0 in the norm sum a^2 / v: no vertex lies on the near side of the plane through
        # alpha.
        normal = s.alpha / s.problem.v
        assert ((V - s.alpha) @ normal >= -1e-9 * max(1.0, s.alpha @ normal)).all(), where
    assert unique >= 1


def test_equal_points_share_in_proportion_to_their_weights():
    """w = (1, 0), b = 0 takes alpha = 1/2 on either side, which three equal points share."""
    data = Dataset([[1, 0]] * 3 + [[-1, 0]], [1, 1, 1, -1])
    for weights, share in [
        ([1, 1, 1, 1], [1 / 6] * 3),
        ([0.1, 1, 1, 1], [0.05 / 2.1, 0.5 / 2.1, 0.5 / 2.1]),
        ([0.1, 0.15, 1, 1], [0.04, 0.06, 0.4]),
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


def copies(problem: Problem, times: np.ndarray) -> Problem:
    """The same problem without weights and costs, the points repeated."""
    rows, data = np.repeat(np.arange(len(times)), times), problem.data
    return Problem(Dataset(data.X[rows], data.y[rows]), problem.kernel, problem.C, problem.bias)


def unlike(weighted: Solution, copied: Solution, times: np.ndarray) -> list[str]:
    """What a point of weight k and k copies of it do not have in common."""
    rows, first = np.repeat(np.arange(len(times)), times), np.cumsum(times) - times
    several = bool((weighted.free & (times > 1)).any())
    shared = np.bincount(rows, copied.alpha)
    same = {
        "alpha": np.abs(shared - weighted.alpha).max() <= 1e-9 * max(1e-9, weighted.alpha.max()),
        "copies": np.abs(copied.alpha - (weighted.alpha / times)[rows]).max() <= 1e-9 * max(1e-9, copied.alpha.max()),
        "categories": weighted.categories == tuple(copied.categories[i] for i in first),
        "all copies": copied.categories == tuple(weighted.categories[i] for i in rows),
        # Copies that are free can share their load in many ways: beyond that both are unique, or neither is.
        "unique": copied.alpha_unique == (weighted.alpha_unique and not several),
        "b": weighted.b_interval == pytest.approx(copied.b_interval, abs=1e-9),
        "proven": weighted.proven and copied.proven,
    }
    return [name for name, fits in same.items() if not fits]


def test_a_point_of_weight_two_lies_free_on_its_margin_line_as_its_copies_do():
    X, y, times = [[0.0], [1.0], [1.0], [1.0]], [1, -1, -1, 1], np.array([1, 2, 1, 1])
    weighted = solve(Problem(Dataset(X, y), C=0.5, weights=times))
    assert weighted.categories[2] is Category.MARGIN_FREE
    assert unlike(weighted, solve(copies(replace(weighted.problem, weights=None), times)), times) == []


def tied(seed: int) -> tuple[Dataset, Kernel, float, bool]:
    """Few points of a small lattice in one or two dimensions, where equal points and ties are common."""
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(3, 13)), int(rng.integers(1, 3))
    y = rng.choice([-1, 1], m)
    y[:2] = 1, -1
    data = Dataset(rng.integers(-2, 3, (m, d)), y)
    return data, KERNELS[seed % 4], float(rng.choice([0.03, 0.25, 0.5, 1.0, 3.0, 100.0])), bool(rng.integers(4))


@pytest.mark.parametrize("unit", [1.0, 3.0, 0.1, 1 / 7])
def test_a_point_of_weight_k_gives_what_k_copies_give(unit):
    """Weights in another unit, with C in that unit too, are the same problem."""
    for seed in range(120):
        data, kernel, C, bias = tied(seed)
        times = np.random.default_rng(seed).integers(1, 5, data.m)
        weighted = solve(Problem(data, kernel, C / unit, bias, weights=times * unit))
        copied = solve(copies(Problem(data, kernel, C, bias), times))
        assert unlike(weighted, copied, times) == [], (seed, data.X.tolist(), data.y.tolist(), times.tolist(), C)


@pytest.mark.parametrize("costs", [(2, 1), (1, 3), (3, 2)])
def test_a_class_of_cost_k_gives_what_k_copies_of_its_points_give(costs):
    for seed in range(120):
        data, kernel, C, bias = tied(seed)
        times = np.where(data.y > 0, *costs)
        dear = solve(Problem(data, kernel, C, bias, costs))
        copied = solve(copies(Problem(data, kernel, C, bias), times))
        assert unlike(dear, copied, times) == [], (seed, data.X.tolist(), data.y.tolist(), C)


def test_costs_and_weights_multiply():
    for seed in range(60):
        data, kernel, C, bias = tied(seed)
        times = np.random.default_rng(seed).integers(1, 4, data.m)
        both = solve(Problem(data, kernel, C, bias, (2, 1), times))
        times = times * np.where(data.y > 0, 2, 1)
        assert unlike(both, solve(copies(Problem(data, kernel, C, bias), times)), times) == [], seed


def test_the_path_of_weighted_points_is_the_path_of_their_copies():
    for seed in range(40):
        data, kernel, _, bias = tied(seed)
        times = np.random.default_rng(seed).integers(1, 4, data.m)
        path = regularization_path(Problem(data, kernel, bias=bias, weights=times))
        other = regularization_path(copies(Problem(data, kernel, bias=bias), times))
        assert pytest.approx(other.C, rel=1e-9) == path.C
        for C in (0.07, 0.9, 20.0):
            assert unlike(path.at(C), other.at(C), times) == [], seed


def test_the_hard_margin_has_the_least_sum_of_squares_whatever_the_points_weigh():
    """Two equal points of class -1 carry 1/2 together, evenly although one of them has the weight 3. Three copies of it
    carry more."""
    X, y, times = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0], [-1.0, 0.0]]), [1, 1, -1, -1], np.array([1, 1, 1, 3])
    hard = solve(Problem(Dataset(X, y), C=math.inf, weights=times))
    copied = solve(copies(Problem(Dataset(X, y), C=math.inf), times))
    assert hard.alpha == pytest.approx([0.25] * 4, abs=1e-15)
    assert copied.alpha == pytest.approx([0.25, 0.25, *[0.125] * 4], abs=1e-15)
    assert copied.w == pytest.approx(hard.w, abs=1e-15)
    soft = solve(Problem(Dataset(X, y), C=10.0, weights=times))
    assert soft.alpha == pytest.approx([0.25, 0.25, 0.125, 0.375], abs=1e-15)
    assert soft.w == pytest.approx(hard.w, abs=1e-15)


def test_bounds_that_no_double_holds_are_refused_by_name():
    with pytest.raises(BadInput, match="C"):
        solve(Problem(PAIR, C=1.0, costs=(1e100, 1e-100), weights=[1e100, 1e-100]))


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
        for method in ("dual-qp", "primal-qp") if kernel.is_linear else ("dual-qp",):
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


def test_a_deleted_point_is_deleted_with_its_weight():
    data, weights = crowded(3, 16)
    problem = Problem(data, C=0.5, weights=weights)
    rows = np.arange(data.m) == 4
    rest = solve_without(problem, rows)
    assert rest.problem.weights.tolist() == weights[~rows].tolist()
    assert leave_one_out(problem).errors.shape == (data.m,)


def test_the_report_and_the_statements_say_that_points_have_weights():
    s = solve(Problem(BOARD, C=0.5, weights=np.linspace(1, 2, BOARD.m)))
    document = json.loads(report(s))
    assert document["v"] == s.problem.v.tolist()
    assert "sum_i v_i" in document["problem"]
    names: dict = {}
    exec(
        "import io\n"
        + "\n".join(document["check"]).replace('open("certificate.json", encoding="utf-8")', "io.StringIO(text)"),
        {"text": json.dumps(document), "print": lambda *a: names.setdefault(a[0].strip()[:12], a[1])},
    )
    assert set(names.values()) == {"holds"}
    assert certify(s).is_optimal()
    verdict = CATALOGUE["S6"].check(Situation(s.problem))
    assert not verdict.applies
    assert "Remove the weights" in verdict.why
