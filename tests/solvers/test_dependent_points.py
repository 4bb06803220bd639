"""Away from the board: many dimensions, many points that depend on each other, a matrix that is all but the
identity."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from svmlab import Composed, Dataset, Gaussian, Linear, NotExact, Polynomial, Problem, solve
from svmlab.binary.preprocess import preprocess
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.active_set import make_feasible
from svmlab.solvers.gram.dense import DenseGram
from svmlab.solvers.low_rank_system import low_rank_system
from svmlab.solvers.program import QP
from svmlab.solvers.start import SHORT_FACTOR


def exactly(problem: Problem, start=None):
    """Its solution, which must be exact and proven."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotExact)
        solution = solve(problem, start=start)
    assert solution.status.startswith("exact")
    assert solution.proven
    return solution


def few(m: int, d: int, part: float = 0.05, seed: int = 0) -> Dataset:
    """Points of which few, in the middle of the others, are of class +1: with a straight line w = 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return Dataset(X, np.where(rng.random(m) < part, 1, -1))


@pytest.mark.parametrize("m", [800, 1000])
def test_a_gram_matrix_near_the_identity_has_an_exact_answer(m):
    """Every point of the larger class is free, and their sum is right but for the rounding of so many terms."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(m, 100)), rng.choice([-1, 1], m)
    solution = exactly(Problem(Dataset(X, y), Gaussian(1.0), 0.1))
    larger = y == (1 if (y > 0).sum() > m / 2 else -1)
    assert (solution.free == larger).all()
    assert solution.alpha[larger] == pytest.approx(0.1 * (~larger).sum() / larger.sum(), rel=1e-12)


@pytest.mark.parametrize(("m", "d", "C"), [(2000, 3, 80.0), (1200, 30, 0.06), (350, 2, 5.0), (120, 1, 2.0)])
def test_where_w_is_zero_alpha_is_the_least_of_all_that_balance(m, d, C):
    """min |a|^2 with sum y a = 0, sum y a x = 0, a = C on the few and 0 <= a <= C on the others: by cvxopt as it
    stands."""
    data = few(m, d)
    solution = exactly(Problem(data, Linear(), C))
    assert solution.norm_w == 0
    assert solution.b == pytest.approx(-1, abs=1e-11)
    others = np.flatnonzero(data.y < 0)
    assert (solution.alpha[data.y > 0] == C).all()
    if m > 400:
        return
    n, rows = len(others), np.column_stack([np.ones(len(others)), data.X[others]])
    E, e = rows.T, C * np.r_[(data.y > 0).sum(), data.X[data.y > 0].sum(0)]
    bounds = np.vstack([np.eye(n), -np.eye(n)]), np.r_[np.zeros(n), np.full(n, -C)]
    shortest = cvxopt_backend.solve_qp(QP(np.eye(n), np.zeros(n), *bounds, E, e, ())).u
    assert solution.alpha[others] == pytest.approx(shortest, abs=1e-7 * C)


def test_where_w_is_zero_neither_order_nor_start_changes_a_bit():
    data, rng = few(600, 4, seed=3), np.random.default_rng(1)
    cold = exactly(Problem(data, Linear(), 3.0))
    order = rng.permutation(data.m)
    turned = exactly(Problem(Dataset(data.X[order], data.y[order]), Linear(), 3.0))
    assert (turned.alpha == cold.alpha[order]).all()
    assert turned.b_interval == cold.b_interval
    X = np.array(data.X)
    X[7] += 0.3
    before = exactly(Problem(Dataset(X, data.y), Linear(), 2.0))
    warm = exactly(Problem(data, Linear(), 3.0), start=before)
    assert (warm.alpha == cold.alpha).all()


def test_where_w_is_zero_b_is_not_moved_by_the_rounding_of_w_times_a_far_origin():
    data = Dataset([[1000080.0], [999960.0], [999950.0], [999960.0], [1000040.0]], [-1, -1, -1, 1, 1])
    solution = exactly(Problem(data, Linear(), 278.15068723884355))
    assert solution.norm_w == 0
    assert solution.margins == pytest.approx(solution.b * data.y, abs=1e-12)
    assert solution.margins == pytest.approx(1 + solution.margin_excess, abs=1e-12)


def test_a_constant_feature_and_the_labels_share_one_direction():
    """With a constant feature y lies in the span of the signed features: what b takes of it is not what w takes."""
    solution = exactly(Problem(few(1500, 4, seed=2), Polynomial(2, 1.0, 0.25), 100.0))
    assert solution.norm_w == 0
    assert solution.b == pytest.approx(-1, abs=1e-9)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0), Gaussian(6.0)])
@pytest.mark.parametrize("bias", [True, False])
def test_what_is_shared_solves_the_system_with_the_least_norm(kernel, bias):
    rng = np.random.default_rng(5)
    data = Dataset(rng.normal(size=(500, 2)), rng.choice([-1, 1], 500))
    reduced = preprocess(Problem(data, kernel, 1.0, bias))
    y, at = reduced.points.y, np.arange(0, 500, 2)
    few = low_rank_system(reduced.Q, at, y[at] if bias else None)
    assert few is not None
    K = reduced.Q.block(at, at)
    S = np.block([[K, y[at, None]], [y[None, at], np.zeros((1, 1))]]) if bias else K
    z = rng.normal(size=len(at)) * 0.01
    t = S @ (np.append(z, 0.3) if bias else z)
    solution = few.solve(t)
    assert np.abs(S @ solution - t).max() < 1e-11
    shortest = np.linalg.pinv(S, rcond=1e-12, hermitian=True) @ t
    assert np.linalg.norm(solution[: len(at)]) == pytest.approx(np.linalg.norm(shortest[: len(at)]), rel=1e-5)


def test_points_whose_images_are_all_0_share_their_labels_alone():
    y = np.where(np.arange(50) % 2, 1.0, -1.0)
    none = low_rank_system(DenseGram(np.zeros((50, 50))), np.arange(50), y)
    assert none is not None
    assert none.basis.shape == (50, 1)
    solution = none.solve(np.append(y * 0.5, 2.0))
    assert solution == pytest.approx(np.append(y * 2 / 50, 0.5))
    alone = low_rank_system(DenseGram(np.zeros((50, 50))), np.arange(50), None)
    assert alone is not None
    assert alone.basis.shape == (50, 0)


def test_a_solution_that_is_exact_only_within_round_off_says_so_and_is_proven():
    """A wide Gaussian over many points of the line, of which few are of the other class: 30 directions, the rest is
    rounding."""
    rng = np.random.default_rng([99, 15])
    X = rng.normal(size=(1500, 1))
    y = np.where(rng.random(1500) < 0.02, 1, -1)
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        solution = solve(Problem(Dataset(X, y), Gaussian(0.7), 2.0))
    assert solution.proven
    assert solution.status.startswith("exact") or any(issubclass(w.category, NotExact) for w in recorded)


def test_thousands_of_free_points_in_many_dimensions_change_sides_at_once():
    """By pairs some of so many end on the wrong side of a bound; together they come right, and cvxopt agrees on the
    value."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(700, 20))
    y = np.where(rng.random(700) < 0.1, 1, -1)
    problem = Problem(Dataset(X, y), Gaussian(2.2), 1.5)
    solution = exactly(problem)
    assert solution.free.sum() > 100
    assert solve(problem, "dual-qp").objective == pytest.approx(solution.objective, rel=1e-6)


TWINS = [
    [2.028, 4.512],
    [-0.126, 4.18],
    [-2.186, 0.227],
    [-5.141, 0.608],
    [0.59, 4.977],
    [0.59, 4.977],
    [-0.126, 4.18],
    [-5.141, 0.608],
]
CUT = [[-2, 10], [6, -14], [-2, 10], [-3, 13], [-4, 16], [3, -5], [-3, 13], [0, 4], [2, -2], [-2, 10]]

LEVEL = [[-9, 2, 3], [3, -2, -9], [-9, 2, 3], [0, -1, -6], [9, -4, -15], [-12, 3, 6]]


@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.parametrize(
    ("X", "y", "kernel", "C", "turned"),
    [
        (TWINS, [1, 1, -1, 1, 1, -1, 1, -1], Polynomial(2, 0.0), 1e12, 6),
        (CUT, [1, 1, 1, 1, 1, 1, -1, 1, -1, -1], Composed("tanh(0.5*linear)"), 1.0, 5),
        (LEVEL, [-1, -1, 1, -1, -1, -1], Gaussian(5.814321173086962), 0.05126134676009548, 0),
    ],
)
def test_a_start_changes_no_bit_even_where_rounding_leaves_a_choice(X, y, kernel, C, turned):
    """Opposite twins at a huge price, a kernel whose negative eigenvalues are cut, a Gaussian wider than the board by
    far."""
    data = Dataset(np.array(X) * (1e-3 if X is LEVEL else 1), y)
    other = np.array(data.y)
    other[turned] *= -1
    cold = solve(Problem(data, kernel, C))
    warm = solve(Problem(data, kernel, C), start=solve(Problem(Dataset(data.X, other), kernel, C)))
    assert (warm.alpha == cold.alpha).all()
    assert (warm.b, warm.b_interval) == (cold.b, cold.b_interval)


@pytest.mark.parametrize("excess", [1.0, -1.0])
def test_a_start_without_bounds_is_balanced_without_a_warning(excess):
    """Of the hard margin: what is at 0 has room for ever, and waits all the same while a free variable has any."""
    s = np.array([1.0, -1.0, 1.0, -1.0])
    a = np.array([2.0 + excess, 2.0, 0.0, 0.0])
    assert make_feasible(a, np.full(4, np.inf), s).tolist() == ([3, 3, 0, 0] if excess > 0 else [2, 2, 0, 0])


def test_a_hard_margin_of_a_wide_gaussian_over_many_points_gives_no_warning():
    rng = np.random.default_rng(19)
    X = rng.normal(size=(400, 2))
    f = X[:, 0] + 0.3 * np.sin(2 * X[:, 1])
    X, f = X[abs(f) > 0.1], f[abs(f) > 0.1]
    solution = exactly(Problem(Dataset(X, np.where(f > 0, 1, -1)), Gaussian(6.0), np.inf))
    assert SHORT_FACTOR in solution.status, "the way that starts so"
