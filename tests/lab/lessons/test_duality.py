"""The mathematics of the lesson on duality: the ascent, the corners of the optimal alphas, the four versions, the
sums."""

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import (
    DATASETS,
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    NotSeparable,
    Polynomial,
    Problem,
    Sigmoid,
    make_dataset,
    solve,
)
from svmlab.lab.lessons.duality.ascent import ascent, primal_value_and_bias
from svmlab.lab.lessons.duality.conditions import conditions
from svmlab.lab.lessons.duality.expansion import biases, misprint, partial_sums, terms
from svmlab.lab.lessons.duality.multipliers import multipliers
from svmlab.lab.lessons.duality.thinning import margins, order, without
from svmlab.lab.lessons.duality.versions import turn, versions
from svmlab.statements import opinion

FOUR = Dataset([[0, 0], [2, 2], [2, 0], [3, 0]], [-1, -1, 1, 1])  # w = (1, -1), b = -1, alpha = (1/2, 1/2, 1, 0)
HARD = Problem(FOUR, Linear(), math.inf)
PROBLEMS = {
    "four": HARD,
    "corners": Problem(make_dataset("four_corners"), Linear(), math.inf),
    "idle": Problem(make_dataset("idle_margin"), Linear(), math.inf),
    "eight": Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf),
    "no bias": Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf, bias=False),
    "soft": Problem(make_dataset("overlapping", 30), Linear(), 1.0),
    "soft, no bias": Problem(make_dataset("overlapping", 30), Linear(), 0.3, bias=False),
    "gaussian": Problem(make_dataset("moons", 20), Gaussian(1.0), 2.0),
    "cubic": Problem(make_dataset("xor", 12), Polynomial(2, 1.0, 0.5), 1.0),
}


@pytest.fixture(params=PROBLEMS, scope="module")
def problem(request):
    return PROBLEMS[request.param]


# ---------------------------------------------------------------- the ascent


def test_the_ascent_on_four_points_halves_the_gap_at_every_step():
    run = ascent(HARD)
    np.testing.assert_allclose(run.dual[1:8], 1 - 0.5 ** np.arange(1, 8), rtol=1e-12)
    assert np.isinf(run.primal[0])
    assert run.primal[-1] == pytest.approx(1.0)
    assert run.moved[1].tolist() == [2, 0]
    assert not run.unbounded


def test_every_step_is_feasible_rises_and_is_caught_between_the_values(problem):
    run, best = ascent(problem), solve(problem).objective
    y, C = problem.data.y, problem.C
    assert (run.alpha >= 0).all()
    assert (run.alpha <= C).all()
    if problem.bias:
        np.testing.assert_allclose(run.alpha @ y, 0, atol=1e-12)
    quadratic = np.einsum("ki,ij,kj->k", run.alpha * y, problem.gram, run.alpha * y)
    np.testing.assert_allclose(run.dual, run.alpha.sum(1) - 0.5 * quadratic, atol=1e-9)
    assert (np.diff(run.dual) >= -1e-12).all()
    assert (np.diff(run.primal[np.isfinite(run.primal)]) <= 0).all()
    assert (run.dual <= best * (1 + 1e-9)).all()
    assert (run.primal >= best * (1 - 1e-9)).all()


def test_the_ascent_converges_and_ends():
    for name in ("corners", "idle", "eight", "soft"):
        run = ascent(PROBLEMS[name])
        assert run.primal[-1] - run.dual[-1] <= 1e-6 * run.primal[-1]
        assert run.steps < 200


def test_the_primal_value_is_that_of_a_feasible_pair():
    alpha = np.array([0.3, 0.2, 0.5, 0.0])
    w = (alpha * FOUR.y) @ FOUR.X
    value, b = primal_value_and_bias(HARD, FOUR.X @ w, float(w @ w))
    smallest_margin = float((FOUR.y * (FOUR.X @ w + b)).min())
    assert value == pytest.approx(0.5 * float(w @ w) / smallest_margin**2)
    soft = replace(HARD, C=2.0)
    value, b = primal_value_and_bias(soft, FOUR.X @ w, float(w @ w))
    hinge = [np.maximum(0, 1 - FOUR.y * (FOUR.X @ w + c)).sum() for c in (b - 0.01, b, b + 0.01)]
    assert value == pytest.approx(0.5 * float(w @ w) + 2 * hinge[1])
    assert hinge[1] <= min(hinge)


def test_without_a_line_the_dual_grows_and_no_feasible_w_is_found():
    run = ascent(Problem(make_dataset("xor", 8), Linear(), math.inf))
    assert np.isinf(run.primal).all()
    assert run.dual[-1] > 50
    twins = ascent(Problem(Dataset([[0, 0], [0, 0]], [1, -1]), Linear(), math.inf))
    assert twins.unbounded


def test_the_ascent_refuses_what_has_no_maximum():
    with pytest.raises(BadInput):
        ascent(Problem(Dataset(np.zeros((0, 2)), []), Linear()))
    with pytest.raises(BadInput):
        ascent(Problem(FOUR, Sigmoid(1.0, 1.0)))


# ---------------------------------------------------------------- all optimal multipliers


def test_a_rectangle_has_two_corners_and_the_least_norm_lies_between():
    optimal_set = multipliers(solve(PROBLEMS["corners"]))
    np.testing.assert_allclose(optimal_set.corners, [[0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5]], atol=1e-12)
    np.testing.assert_allclose(optimal_set.low, 0)
    np.testing.assert_allclose(optimal_set.high, 0.5)
    np.testing.assert_allclose(solve(PROBLEMS["corners"]).alpha, optimal_set.corners.mean(0))


def test_a_candidate_has_weight_zero_in_every_corner():
    optimal_set = multipliers(solve(PROBLEMS["idle"]))
    assert optimal_set.margin.tolist() == [True, True, True, *[False] * 5]
    np.testing.assert_allclose(optimal_set.corners, [[0.5, 0.5, *[0] * 6]], atol=1e-12)


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("bias", [True, False])
def test_every_corner_is_optimal(name, bias):
    problem = Problem(make_dataset(name, 16, 0.0), Linear(), math.inf, bias)
    try:
        solution = solve(problem)
    except NotSeparable:
        return
    optimal_set, y = multipliers(solution), problem.data.y
    assert len(optimal_set.corners) >= 1
    assert (optimal_set.corners >= 0).all()
    np.testing.assert_allclose(
        (optimal_set.corners * y) @ problem.data.X, np.tile(solution.w, (len(optimal_set.corners), 1)), atol=1e-8
    )
    if bias:
        np.testing.assert_allclose(optimal_set.corners @ y, 0, atol=1e-8)
    assert (optimal_set.corners[:, ~optimal_set.margin] == 0).all()
    if solution.alpha_unique is not None:
        assert (len(optimal_set.corners) == 1) == solution.alpha_unique
    assert (solution.alpha >= optimal_set.low - 1e-8).all()
    assert (solution.alpha <= optimal_set.high + 1e-8).all()


def test_copies_of_a_point_share_its_weight_with_any_kernel():
    X = np.vstack([FOUR.X, FOUR.X[2]])
    problem = Problem(Dataset(X, [*FOUR.y, 1]), Gaussian(1.0), math.inf)
    optimal_set = multipliers(solve(problem))
    assert len(optimal_set.corners) == 2
    np.testing.assert_allclose(optimal_set.corners[:, 2] + optimal_set.corners[:, 4], optimal_set.high[2], rtol=1e-9)


def test_corners_belong_to_the_hard_margin():
    with pytest.raises(BadInput, match="hard margin"):
        multipliers(solve(replace(HARD, C=1.0)))


def test_too_many_points_on_the_margin_are_refused():
    t = np.linspace(-3, 3, 60)
    X = np.vstack([np.stack([np.ones(60), t], 1), np.stack([-np.ones(60), t], 1)])
    with pytest.raises(BadInput, match="too many"):
        multipliers(solve(Problem(Dataset(X, np.sign(X[:, 0])), Linear(), math.inf)))


# ---------------------------------------------------------------- four versions


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", [0, 3, 26])
def test_four_versions_find_one_line(bias, seed):
    data = make_dataset("separable", 12, 0.1, seed)
    exact = solve(Problem(data, Linear(), math.inf, bias))
    four = {v.name: v for v in versions(data, bias)}
    for v in four.values():
        np.testing.assert_allclose(
            np.r_[v.w, v.b] / np.linalg.norm(v.w), np.r_[exact.w, exact.b] / exact.norm_w, atol=1e-6
        )
        assert v.margin == pytest.approx(1 / exact.norm_w, rel=1e-6)
    assert four["margin"].value == pytest.approx(four["scale"].value) == pytest.approx(1 / exact.norm_w)
    assert four["square"].value == pytest.approx(exact.objective)
    assert four["dual"].value == pytest.approx(exact.objective)
    assert np.linalg.norm(four["margin"].w) == pytest.approx(1)
    np.testing.assert_allclose(four["scale"].w, exact.w, atol=1e-6)


def test_versions_refuse_what_has_no_margin():
    with pytest.raises(NotSeparable):
        versions(make_dataset("xor", 8))
    with pytest.raises(BadInput):
        versions(Dataset([[1, 1]], [1]))


def test_turning_the_normal_peaks_at_the_optimum_and_its_edge_has_smallest_margin_one():
    w = solve(HARD).w
    rotation = turn(FOUR, True, w)
    middle = len(rotation.angle) // 2
    assert rotation.margin.argmax() == middle
    assert rotation.margin[middle] == pytest.approx(1 / math.sqrt(2))
    for v in rotation.shortest_w[::20]:
        p = FOUR.X @ v
        assert 0.5 * (p[FOUR.y > 0].min() - p[FOUR.y < 0].max()) == pytest.approx(1)
    assert (np.linalg.norm(rotation.shortest_w, axis=1) >= np.linalg.norm(w) - 1e-12).all()


# ---------------------------------------------------------------- what the multipliers build


def test_the_chain_of_arrows_ends_at_w_and_the_balance_at_zero():
    solution = solve(HARD)
    sums = partial_sums(solution)
    assert sums.rows.tolist() == [0, 1, 2]
    np.testing.assert_allclose(sums.w, [[0, 0], [0, 0], [-1, -1], [1, -1]], atol=1e-12)
    np.testing.assert_allclose(sums.balance, [0, -0.5, -1, 0], atol=1e-12)
    free = partial_sums(solve(Problem(Dataset([[1, 0], [-5, 0]], [1, -1]), Linear(), math.inf, False)))
    assert free.balance[-1] == pytest.approx(1)


def test_b_from_each_point_is_right_for_the_support_vectors_only():
    np.testing.assert_allclose(biases(solve(HARD)), [-1, -1, -1, -2], atol=1e-12)


def test_f_term_by_term_is_the_decision(problem):
    solution = solve(problem)
    for u in (np.array([0.3, -1.2]), problem.data.X[0]):
        expansion = terms(solution, u)
        assert expansion.value == pytest.approx(float(solution.decision(u[None, :])[0]), abs=1e-9)
        assert expansion.value == pytest.approx(float(expansion.products.sum()) + solution.b, abs=1e-9)
        assert set(expansion.rows) == set(np.flatnonzero(solution.support))


def test_the_misprint_is_the_printed_sum():
    solution = solve(PROBLEMS["eight"])
    data, star = solution.problem.data, int(solution.alpha.argmax())
    signed, U = solution.alpha * data.y, np.array([[0.5, 1.5], [-2.0, 0.25]])
    printed = [signed @ ((data.X - data.X[star]) @ u) + 1 / data.y[star] for u in U]
    np.testing.assert_allclose(printed, U @ solution.w + misprint(solution, star), atol=1e-9)
    assert abs(misprint(solution, star) - solution.b) > 0.5


# ---------------------------------------------------------------- the conditions


@pytest.mark.parametrize("name", [name for name, p in PROBLEMS.items() if isinstance(p.kernel, Linear)])
def test_two_solvers_meet_in_the_conditions_and_a_third_alpha_does_not(name):
    problem = PROBLEMS[name]
    Phi, alpha = problem.data.X, solve(problem).alpha
    other = opinion.primal(problem)
    residuals = conditions(problem, Phi, other.w, other.b, alpha)
    assert residuals.hold(1e-6)
    assert (residuals.balance is None) == (not problem.bias)
    assert not conditions(problem, Phi, 1.01 * other.w, other.b, alpha).hold(1e-6)
    if problem.bias:
        assert not conditions(problem, Phi, other.w, other.b + 0.01, alpha).hold(1e-6)
    worse = alpha.copy()
    worse[alpha.argmax()] *= 0.9
    assert not conditions(problem, Phi, other.w, other.b, worse).hold(1e-6)
    worse = alpha.copy()
    worse[0] = -0.1
    assert conditions(problem, Phi, other.w, other.b, worse).outside[0] > 0


# ---------------------------------------------------------------- points taken away


@pytest.mark.parametrize("name", ["four", "corners", "idle", "eight", "no bias"])
def test_points_go_in_the_order_of_what_they_carry_and_each_class_keeps_one(name):
    solution = solve(PROBLEMS[name])
    rows, y = order(solution), solution.problem.data.y
    assert len(set(rows.tolist())) == len(rows) == len(y) - 2
    assert set(np.delete(y, rows)) == {-1.0, 1.0}
    carried = solution.support[rows]
    assert (np.diff(carried.astype(int)) >= 0).all()
    assert (np.diff(solution.margins[rows[~carried]]) <= 0).all()
    assert (np.diff(solution.alpha[rows[carried]]) >= 0).all()


@pytest.mark.parametrize("name", ["four", "idle", "eight", "no bias"])
def test_the_margin_stays_while_others_go_and_never_falls(name):
    solution = solve(PROBLEMS[name])
    margin, rows = margins(solution), order(solution)
    n = int((~solution.support[rows]).sum())
    np.testing.assert_allclose(margin[: n + 1], 1 / solution.norm_w, rtol=1e-9)
    assert (np.diff(margin) >= -1e-9).all()
    last = solve(without(PROBLEMS[name], rows))
    assert last.problem.data.m == 2
    assert margin[-1] == pytest.approx(1 / last.norm_w)
