"""What a slack costs in each class: the bound of alpha, the weight in the objective, and what two costs must not
change."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
    certify,
    make_dataset,
    regularization_path,
    solve,
)
from svmlab.binary.problem import balanced_costs as fair
from svmlab.generalisation import (
    cross_validate,
    error_map,
    leave_one_out,
    solve_without,
    support_vector_difference,
    validation_curve,
)
from tests.binary.test_invariance import KERNELS, boards, same

PAIR = Dataset([[1, 0], [-1, 0]], [1, -1])
COSTS = st.sampled_from([(1.0, 1.0), (3.0, 1.0), (0.5, 2.0), (1.0, 0.01), (0.7, 1.9), (1000.0, 1.0)])
PRICES = st.sampled_from([0.01, 0.25, 1.0, 3.0, 100.0])


def balanced(y) -> tuple[float, float]:
    return tuple(len(y) / (2.0 * np.count_nonzero(np.asarray(y) == s)) for s in (1, -1))


@pytest.mark.parametrize(
    "costs",
    [(0, 1), (1, -1.0), (1, math.inf), (math.nan, 1), (1,), (1, 2, 3), 2.0, ("a", 1), None, (1e200, 1), (1e-200, 1)],
)
def test_bad_costs_are_refused_by_name(costs):
    with pytest.raises(BadInput, match=r"^costs: .*from 1e-100 to 1e\+100.*\(1, 1\)"):
        Problem(PAIR, costs=costs)


def test_costs_by_label_are_the_costs_of_the_classes():
    assert Problem(PAIR, costs={-1: 0.5, 1: 3}) == Problem(PAIR, costs=(3, 0.5))
    named = Dataset([[1, 0], [-1, 0]], ["ill", "well"])
    assert Problem(named, costs={"ill": 4.0, "well": 2.0}).v.tolist() == [4.0, 2.0]
    assert Problem.from_lambda(PAIR, Linear(), 0.25, costs={-1: 0.5, 1: 3}).costs == (3.0, 0.5)
    for costs in ({1: 2.0}, {1: 2.0, 0: 1.0}, {1: 2.0, -1: 1.0, 2: 1.0}, {}):
        with pytest.raises(BadInput, match=r"^costs: the labels"):
            Problem(PAIR, costs=costs)
    with pytest.raises(BadInput, match=r"^costs: .*from 1e-100"):
        Problem(PAIR, costs={1: 0.0, -1: 1.0})


def test_the_bounds_are_c_times_the_cost_of_the_class():
    problem = Problem(PAIR, C=2.0, costs=(3, 0.5))
    assert problem.costs == (3.0, 0.5)
    assert problem.v.tolist() == [3, 0.5]
    assert problem.bounds.tolist() == [6, 1]
    assert not problem.bounds.flags.writeable
    assert not problem.has_equal_costs
    assert Problem(PAIR).has_equal_costs
    hard = Problem(PAIR, C=math.inf, costs=(3, 0.5))
    assert hard.bounds.tolist() == [math.inf] * 2
    assert hard.has_equal_costs


def test_from_lambda_takes_the_costs():
    problem = Problem.from_lambda(PAIR, Linear(), 0.25, True, (2.0, 1.0))
    assert (problem.C, problem.bounds.tolist()) == (2.0, [4.0, 2.0])


def test_the_key_knows_the_costs_but_for_the_hard_margin():
    keys = {Problem(PAIR, costs=costs).key for costs in [(1, 1), (2, 1), (1, 2), (2, 2)]}
    assert len(keys) == 4
    assert Problem(PAIR, C=math.inf, costs=(2, 1)).key == Problem(PAIR, C=math.inf).key


def test_the_programs_name_the_bound_of_each_point():
    problem = Problem(PAIR, C=2.0, costs=(3, 0.5))
    primal, dual = problem.qp("primal"), problem.qp("dual")
    assert primal.q.tolist() == [0, 0, 0, 6, 1]
    assert dual.c.tolist() == [0, 0, -6, -1]


@pytest.mark.parametrize(("costs", "free"), [((4.0, 0.2), 0), ((0.2, 4.0), 1), ((0.2, 0.2), None)])
def test_two_points_share_what_the_cheaper_class_allows(costs, free):
    """y'alpha = 0 makes both alpha equal: a = .2, w = 2a; the point that is not at its bound lies on its margin
    line."""
    s = solve(Problem(PAIR, costs=costs))
    assert s.alpha == pytest.approx([0.2, 0.2], abs=1e-15)
    assert s.w == pytest.approx([0.4, 0], abs=1e-15)
    if free is None:
        assert s.at_bound.all()
        assert s.b_interval == pytest.approx((-0.6, 0.6), abs=1e-14)
    else:
        assert s.free.tolist() == [free == 0, free == 1]
        assert s.b == pytest.approx(PAIR.y[free] - 0.4 * PAIR.X[free, 0], abs=1e-14)
        assert s.categories[free] is Category.MARGIN_FREE
        assert s.xi[1 - free] == pytest.approx(1.2, abs=1e-14)
    assert s.objective == pytest.approx(0.08 + 0.2 * 1.2, abs=1e-14)
    assert s.gap == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("cost", [0.25, 1.0, 2.0])
def test_one_point_without_bias_has_its_own_cost_as_the_bound_of_alpha(cost):
    data = Dataset([[1, 0], [0, 1]], [1, -1])
    s = solve(Problem(data, C=0.5, bias=False, costs=(cost, 8.0)))
    assert s.alpha == pytest.approx([min(1.0, 0.5 * cost), 1.0], abs=1e-15)


@pytest.mark.parametrize(("cost", "interval"), [(2.0, (1, 1)), (3.0, (-1, 1)), (4.0, (-1, -1)), (1.0, (1, 1))])
def test_where_w_is_0_the_dearer_side_decides_b(cost, interval):
    """Three points against one, all at one place: w = 0, and b minimises 3 (1 - b)_+ + cost (1 + b)_+."""
    s = solve(Problem(Dataset(np.zeros((4, 2)), [1, 1, 1, -1]), costs=(1.0, cost)))
    assert s.norm_w == 0
    assert s.b_interval == pytest.approx(interval, abs=1e-14)


def test_balanced_costs_give_a_minority_the_weight_of_the_majority():
    X = np.r_[np.full((99, 1), 0.0), [[0.0]]] @ np.ones((1, 2))
    y = np.r_[np.ones(99), -1.0]
    s = solve(Problem(Dataset(X, y), C=0.37, costs=balanced(y)))
    assert s.b_interval == pytest.approx((-1, 1), abs=1e-14)
    assert solve(Problem(Dataset(X, y), C=0.37)).b == 1


def test_balanced_costs_are_refused_for_one_class():
    assert fair(make_dataset("one_against_many", 24)) == (12.0, 12 / 23)
    with pytest.raises(BadInput, match=r"^costs: .*both classes"):
        fair(Dataset([[0, 0]], [1]))


def kkt(s, tol: float) -> None:
    """The conditions of optimality from nothing but the points, alpha, b and the costs."""
    problem, data = s.problem, s.problem.data
    bound = problem.C * np.where(data.y > 0, *problem.costs)
    margins = data.y * (problem.gram @ (s.alpha * data.y) + s.b)
    assert (s.alpha >= 0).all()
    assert (s.alpha <= bound).all()
    assert not problem.bias or abs(data.y @ s.alpha) <= tol * s.alpha.sum()
    assert (margins[s.alpha == 0] >= 1 - tol).all()
    assert (margins[s.alpha == bound] <= 1 + tol).all()
    inside = (s.alpha > 0) & (s.alpha < bound)
    assert np.abs(margins[inside] - 1).max(initial=0) <= tol


@settings(max_examples=200)
@given(boards(), KERNELS, PRICES, st.booleans(), COSTS)
def test_the_optimum_meets_its_conditions(data, kernel, C, bias, costs):
    s = solve(Problem(data, kernel, C, bias, costs))
    kkt(s, 1e-8)
    assert certify(s).is_optimal()
    assert s.at_bound.tolist() == (s.alpha == s.problem.bounds).tolist()


@settings(max_examples=60)
@given(boards(), KERNELS, PRICES, st.booleans())
def test_the_optimum_for_balanced_costs_meets_its_conditions(data, kernel, C, bias):
    s = solve(Problem(data, kernel, C, bias, balanced(data.y)))
    kkt(s, 1e-8)
    assert certify(s).is_optimal()


@pytest.mark.parametrize("costs", [(2.0, 1.0), (0.1, 1.0), (1.0, 30.0)])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(0.7)], ids=lambda k: k.name)
def test_three_solvers_agree(kernel, bias, costs):
    problem = Problem(make_dataset("overlapping", 40, 0.3), kernel, 0.8, bias, costs)
    s = solve(problem)
    assert s.proven
    for method in ("dual-qp", "primal-qp") if kernel.feature_dim(2) else ("dual-qp",):
        other = solve(problem, method)
        assert other.proven
        assert other.objective == pytest.approx(s.objective, rel=1e-7)
        assert other.decision(problem.data.X) == pytest.approx(s.decision(problem.data.X), abs=1e-5)
        assert other.at_bound.tolist() == s.at_bound.tolist()


@pytest.mark.parametrize("costs", [(2.0, 1.0), (0.1, 1.0), (1.0, 30.0), None], ids=["2-1", "0.1-1", "1-30", "balanced"])
@pytest.mark.parametrize("board", ["overlapping", "moons", "one_against_many"])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7)], ids=lambda k: k.name)
def test_scikit_learn_gives_the_same_svm(kernel, board, costs):
    data, C = make_dataset(board, 60, 0.3), 0.5
    given = costs or balanced(data.y)
    s = solve(Problem(data, kernel, C, True, given))
    weight = "balanced" if costs is None else {1: costs[0], -1: costs[1]}
    how = {"kernel": "linear"} if isinstance(kernel, Linear) else {"kernel": "rbf", "gamma": 1 / (2 * 0.7**2)}
    theirs = SVC(C=C, class_weight=weight, tol=1e-9, **how).fit(data.X, data.y)
    assert np.sort(np.abs(theirs.dual_coef_[0])).sum() == pytest.approx(s.alpha.sum(), rel=1e-6)
    if s.b_interval[0] == s.b_interval[1]:
        assert theirs.decision_function(data.X) == pytest.approx(s.decision(data.X), abs=1e-5)


@given(boards(), KERNELS, PRICES, st.booleans(), st.sampled_from([0.5, 2.0, 4.0]))
def test_equal_costs_are_another_c(data, kernel, C, bias, c):
    one = solve(Problem(data, kernel, C, bias, (c, c)))
    other = solve(Problem(data, kernel, c * C, bias))
    assert one.alpha.tolist() == other.alpha.tolist()
    assert [one.b, *one.b_interval] == [other.b, *other.b_interval]
    assert one.objective == pytest.approx(other.objective, rel=1e-14)


@given(boards(), KERNELS, PRICES, st.booleans(), st.sampled_from([2, 3]))
def test_a_class_that_stands_there_twice_is_a_class_that_costs_twice(data, kernel, C, bias, times):
    plus = data.y > 0
    twice = Dataset(
        np.vstack([data.X, *[data.X[plus]] * (times - 1)]), np.r_[data.y, np.ones((times - 1) * plus.sum())]
    )
    one = solve(Problem(data, kernel, C, bias, (float(times), 1.0)))
    other = solve(Problem(twice, kernel, C, bias))
    size = max(1.0, np.abs(one.decision(data.X)).max())
    assert other.decision(data.X) == pytest.approx(one.decision(data.X), abs=1e-8 * size)
    assert other.b_interval == pytest.approx(one.b_interval, abs=1e-8)
    assert other.objective == pytest.approx(one.objective, rel=1e-9)
    assert other.categories[: data.m] == one.categories or not (one.alpha_unique and other.alpha_unique)


@given(boards(), KERNELS, PRICES, st.booleans(), COSTS)
def test_swapping_the_labels_swaps_the_costs(data, kernel, C, bias, costs):
    one = solve(Problem(data, kernel, C, bias, costs))
    other = solve(Problem(Dataset(data.X, -data.y), kernel, C, bias, costs[::-1]))
    assert other.alpha == pytest.approx(one.alpha, abs=1e-8 * one.alpha.max())
    size = max(1.0, np.abs(one.decision(data.X)).max())
    assert other.decision(data.X) == pytest.approx(-one.decision(data.X), abs=1e-8 * size)
    assert other.b_interval == pytest.approx((-one.b_interval[1], -one.b_interval[0]), abs=1e-8 * size)
    assert other.categories == one.categories


@given(boards(), KERNELS, PRICES, st.booleans(), COSTS, COSTS, st.integers(0, 7), st.booleans())
def test_a_warm_start_from_other_costs_gives_the_answer_of_a_cold_one(data, kernel, C, bias, costs, before, at, moved):
    earlier = solve(Problem(data, kernel, C, bias, before))
    X, y = data.X.copy(), data.y.copy()
    if moved:
        X[at % data.m] += [0.5, -0.25]
        y[at % data.m] = -y[at % data.m]
    problem = Problem(Dataset(X, y, data.ids), kernel, C, bias, costs)
    assert same(solve(problem, start=earlier), solve(problem))


@given(boards(), KERNELS, PRICES, st.booleans(), COSTS, st.randoms(use_true_random=False))
def test_equal_twins_have_equal_multipliers_and_the_order_changes_no_bit(data, kernel, C, bias, costs, random):
    order = [*range(data.m), *range(data.m)]
    random.shuffle(order)
    doubled = Dataset(data.X[order], data.y[order])
    s = solve(Problem(doubled, kernel, C, bias, costs))
    for i in range(data.m):
        twins = s.alpha[(data.X[i] == doubled.X).all(1) & (doubled.y == data.y[i])]
        assert np.ptp(twins) == 0
    again = solve(Problem(Dataset(doubled.X[::-1], doubled.y[::-1]), kernel, C, bias, costs))
    assert again.alpha[::-1].tolist() == s.alpha.tolist()


def test_one_class_alone_needs_no_cost():
    s = solve(Problem(Dataset([[0, 0], [1, 1]], [-1, -1]), costs=(3.0, 0.2)))
    assert s.alpha.tolist() == [0, 0]
    assert s.b_interval == (-math.inf, -1)


def test_the_hard_margin_does_not_depend_on_costs():
    data = make_dataset("separable", 24)
    one, other = (solve(Problem(data, C=math.inf, costs=costs)) for costs in [(1, 1), (5, 0.1)])
    assert one.alpha.tolist() == other.alpha.tolist()
    assert one.b == other.b
    assert other.proven


def test_a_clipped_kernel_takes_the_costs():
    s = solve(Problem(make_dataset("overlapping", 30, 0.3), Sigmoid(1.0, -1.0), 0.7, True, (2.0, 0.5)))
    assert s.clipped_eigenvalue is not None
    assert s.proven
    assert set(s.alpha[s.at_bound]) <= {1.4, 0.35}


@pytest.mark.parametrize("m", [300, 1000])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7)], ids=lambda k: k.name)
@pytest.mark.parametrize("C", [1e-5, 1.0])
def test_many_points_are_proven_for_balanced_costs(m, kernel, C):
    """With balanced costs both classes weigh the same, so that for a small C every multiplier is at its bound."""
    data = make_dataset("one_against_many" if m == 300 else "overlapping", m, 0.3)
    keep = np.r_[np.flatnonzero(data.y > 0)[: m // 7], np.flatnonzero(data.y < 0)]
    s = solve(Problem(Dataset(data.X[keep], data.y[keep]), kernel, C, True, balanced(data.y[keep])))
    assert s.proven
    assert s.status.startswith("exact")
    assert C == 1 or s.at_bound.all()


UNLIKE = {"3-1": (3.0, 1.0), "0.7-1.9": (0.7, 1.9), "1-100": (1.0, 100.0), "balanced": None}
UNEVEN = ("overlapping", "one_against_many", "lattice", "collinear", "four_corners")
PATHS = [  # any two of the four together once; .ci/all tries all four together
    pytest.param(
        *(board, kernel, bias, UNLIKE[name]),
        id=f"{kernel.name}-{'bias' if bias else 'nobias'}-{board}-{name}",
        marks=() if (i + j + bias + k) % 2 else pytest.mark.sweep,
    )
    for i, board in enumerate(UNEVEN)
    for j, name in enumerate(UNLIKE)
    for k, kernel in enumerate((Linear(), Gaussian(1.0)))
    for bias in (True, False)
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("board", "kernel", "bias", "costs"), PATHS)
def test_the_path_is_what_solving_gives(board, kernel, bias, costs):
    data = make_dataset(board, 24, 0.3)
    problem = Problem(data, kernel, 1.0, bias, costs or balanced(data.y))
    path = regularization_path(problem)
    assert (np.diff(path.C) > 0).all()
    ends = [path.C[0] / 10, *path.C, path.C[-1] * 10]
    for C in [*np.sqrt(np.multiply(ends[1:], ends[:-1])), *path.C]:
        afresh = solve(replace(problem, C=C))
        assert same(path.at(C), afresh)
        signed = path.alpha(C) * data.y
        value = path.alpha(C).sum() - 0.5 * signed @ problem.gram @ signed
        assert value == pytest.approx(afresh.dual_objective, rel=1e-9, abs=1e-13)
        assert (path.alpha(C) <= afresh.problem.bounds * (1 + 1e-9)).all()


def test_svms_on_other_points_and_at_other_c_keep_the_costs():
    """Leaving out, folds, the curve and the map of errors against machines that are written down with these costs."""
    costs, kernel, C = (5.0, 0.2), Gaussian(0.7), 2.0
    problem = Problem(make_dataset("overlapping", 30, 0.2, 1), kernel, C, False, costs)
    data, even = problem.data, replace(problem, costs=(1.0, 1.0))

    def said(out, price=C):
        few = Dataset(data.X[~out], data.y[~out])
        return solve(Problem(few, kernel, price, False, costs)).decision(data.X[out])

    one = np.arange(30) == 7
    assert solve_without(problem, one).decision(data.X[one]) == pytest.approx(said(one), abs=1e-9)
    assert leave_one_out(problem).f[7] == pytest.approx(said(one)[0], abs=1e-9)
    validation = cross_validate(problem)
    for k in range(5):
        assert validation.f[validation.fold_of_point == k] == pytest.approx(
            said(validation.fold_of_point == k), abs=1e-9
        )
    assert np.abs(validation.f - cross_validate(even).f).max() > 0.5
    cheap = replace(problem, C=0.1)
    wrong = np.mean(
        [data.y[validation.fold_of_point == k] * said(validation.fold_of_point == k, 0.1) <= 0 for k in range(5)]
    )
    assert validation_curve([problem, cheap], with_leave_one_out=False).cross_validation == pytest.approx(
        [validation.rate, wrong]
    )
    assert error_map(even, [kernel], [C, 0.1]).error[0].tolist() != [validation.rate, wrong]
    assert error_map(problem, [kernel], [C, 0.1]).error[0] == pytest.approx([validation.rate, wrong])
    assert support_vector_difference(solve(problem)) < 1e-9
