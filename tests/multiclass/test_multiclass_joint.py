"""The joint machine: closed forms, theorems, and two programs by another solver."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import LinearSVC

from svmlab import BadInput, Category, Gaussian, Linear, Polynomial, Problem, Sigmoid
from svmlab import solve as binary
from svmlab.multiclass import Classes, JointSolution, MulticlassProblem, make_classes, solve
from svmlab.multiclass.partition import bias_intervals
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.program import QP
from tests.boards import pinned

pytestmark = pytest.mark.blas

KERNELS = (Linear(), Linear(), Polynomial(2), Polynomial(3), Gaussian(0.5), Gaussian(2.0))
COSTS = (1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e5)


def random_several(seed: int, most: int = 4) -> MulticlassProblem:
    """Clouds, lattices, points on a line, doubled points, points of two classes, blobs; any kernel, C and bias."""
    rng = np.random.default_rng(seed)
    m, K = int(rng.integers(2, 15)), int(rng.integers(2, most + 1))
    X, y = rng.standard_normal((m, 2)) * rng.choice([0.3, 1.0, 3.0]), rng.integers(1, K + 1, m)
    kind = seed % 7
    if kind == 1:
        X = rng.integers(-2, 3, (m, 2)).astype(float)
    elif kind == 2:
        X = np.outer(rng.integers(-4, 5, m), rng.standard_normal(2)) + rng.standard_normal(2)
    elif kind == 3:
        X = X[rng.integers(0, max(1, m // 2), m)]
    elif kind == 4:
        X, y = np.vstack([X, X[:2]]), np.r_[y, y[:2] % K + 1]
    elif kind == 5:
        X = X + 3 * np.stack([np.cos(2.0 * y), np.sin(2.0 * y)], 1)
    y[:2] = 1, 2
    kernel, C = KERNELS[rng.integers(len(KERNELS))], COSTS[rng.integers(len(COSTS))]
    return MulticlassProblem(Classes(np.round(X, 3), y), kernel, C, bool(rng.random() < 0.65))


# closed forms


def test_two_points_give_the_binary_svm():
    """f_1 - f_2 = x: w_1 = -w_2 = (1/2, 0), each multiplier 1/4, both objectives 1/4."""
    joint = solve(MulticlassProblem(Classes([[1, 0], [-1, 0]], [1, 2]), C=10.0), "joint")
    assert pytest.approx(np.array([[0.5, 0], [-0.5, 0]]), abs=1e-14) == joint.W
    assert joint.b == pytest.approx([0, 0], abs=1e-14)
    assert joint.beta == pytest.approx(np.array([[0.25, -0.25], [-0.25, 0.25]]), abs=1e-14)
    assert (joint.objective, joint.dual_objective) == pytest.approx((0.25, 0.25), abs=1e-14)
    assert joint.beta_unique
    assert set(joint.categories) == {Category.MARGIN_FREE}


@pytest.mark.parametrize("R", [1.0, 3.0])
def test_a_triangle_with_its_middle_at_0(R):
    """Corners x_k, |x_k| = R: w_k = 3/2 beta x_k, beta = min(C, 4/(9 R^2)) for the own class, half of it off each
    other."""
    corner = 2 * np.pi * np.arange(3) / 3
    data = Classes(R * np.stack([np.cos(corner), np.sin(corner)], 1), [1, 2, 3])
    for C in (10.0, 4 / (9 * R * R) * 0.999, 0.01):
        joint = solve(MulticlassProblem(data, C=C), "joint")
        beta = min(C, 4 / (9 * R * R))
        assert joint.beta == pytest.approx(beta * (1.5 * np.eye(3) - 0.5), rel=1e-12)
        assert pytest.approx(1.5 * beta * data.X, rel=1e-12, abs=1e-14) == joint.W
        assert joint.xi == pytest.approx(np.full(3, max(0, 1 - 2.25 * beta * R * R)), abs=1e-12)
        assert joint.at_bound.all() == (beta == C)
        assert joint.objective == pytest.approx(3.375 * beta**2 * R**2 + C * joint.xi.sum(), rel=1e-12)


def test_one_class_and_no_rival():
    joint = solve(MulticlassProblem(Classes([[0, 1], [2, 3]], [4, 4])), "joint")
    assert joint.W.tolist() == [[0, 0]]
    assert joint.objective == joint.dual_objective == 0
    assert joint.predict(np.array([[5.0, 5.0]])).tolist() == [4]
    assert not joint.tied(np.array([[5.0, 5.0]])).any()
    assert set(joint.categories) == {Category.OUTSIDE}
    assert joint.proven


def test_points_that_all_are_one_tie():
    """The same place with three classes: f = 0 for all, every slack 1, and each class loses the argmax or ties."""
    joint = solve(MulticlassProblem(Classes([[1, 1]] * 3, [1, 2, 3]), C=2.0), "joint")
    assert joint.objective == pytest.approx(6.0)
    assert joint.norms == pytest.approx(np.zeros(3), abs=1e-14)
    assert set(joint.categories) == {Category.ON_LINE}
    assert joint.tied(np.array([[7.0, -3.0]])).all()
    assert joint.predict(np.array([[7.0, -3.0]])).tolist() == [1]


def test_what_the_joint_program_does_not_support_is_refused():
    data = make_classes("blobs")
    with pytest.raises(BadInput, match=r"^C: the joint SVM needs a finite C"):
        solve(MulticlassProblem(data, C=math.inf), "joint")
    with pytest.raises(BadInput, match=r"^kernel: the sigmoid kernel may be indefinite"):
        solve(MulticlassProblem(data, Sigmoid(0.5, -1.0)), "joint")
    with pytest.raises(BadInput, match=r"^Z: shape"):
        solve(MulticlassProblem(data), "joint").decision([[1, 2, 3]])


# theorems


@pytest.mark.parametrize("seed", range(60))
def test_with_two_classes_the_difference_is_the_binary_svm_at_twice_c(seed):
    problem = random_several(seed, most=2)
    joint = solve(problem, "joint")
    other = binary(Problem(problem.data.one_vs_rest(1), problem.kernel, 2 * problem.C, problem.bias))
    Z = np.vstack([problem.data.X, 0.5 * (problem.data.X + problem.data.X[::-1])])
    f, g = joint.decision(Z) @ [1, -1], other.decision(Z)
    tol = max(1e-8 * max(1.0, np.abs(g).max()), other.noise)
    assert np.abs(f - g).max() <= tol
    lo, hi = joint.b_interval
    assert (lo[0] - hi[1], hi[0] - lo[1]) == pytest.approx(other.b_interval, rel=1e-8, abs=tol)
    assert joint.objective == pytest.approx(other.objective / 2, rel=1e-9, abs=problem.C * problem.data.m * other.noise)
    assert joint.dual_objective == pytest.approx(other.dual_objective / 2, rel=1e-9)
    if joint.beta_unique is not None and problem.C <= 1e3:
        assert 2 * joint.multiplier_sum == pytest.approx(other.alpha, rel=1e-6, abs=1e-6 * other.alpha.max())
        assert joint.beta_unique == other.alpha_unique


def test_the_dual_program_has_the_same_value():
    good = 0
    for seed in range(120):
        problem = random_several(1000 + seed)
        assert solve(problem, "joint").proven, seed
        problem = replace(problem, C=min(problem.C, 100.0))  # beyond, cvxopt has fewer digits
        joint, other = (
            solve(problem, "joint"),
            min(cvxopt_backend.qp_answers(problem.qp("dual")), key=lambda a: a.gap_left),
        )
        apart = max(abs(joint.dual_objective + other.value), abs(joint.objective + other.value)) / joint.objective
        assert apart <= max(1e-9, 10 * other.gap_left), seed  # as near as cvxopt itself says that it came
        good += apart <= 1e-9
    assert good >= 115


@pytest.mark.parametrize("seed", range(60))
def test_the_primal_program_has_the_same_value_and_f(seed):
    problem = random_several(2000 + seed)
    if problem.kernel.feature_dim(2) is None or problem.C > 1e3:
        problem = replace(problem, kernel=Polynomial(3), C=min(problem.C, 1e3))
    joint, other = solve(problem, "joint"), cvxopt_backend.solve_qp(problem.qp("primal"))
    assert joint.objective == pytest.approx(other.value, rel=1e-9)
    K, D = len(joint.classes), problem.kernel.feature_dim(2)
    b, w = np.split(other.u[: K * (D + problem.bias)], [K * problem.bias])
    g = problem.kernel.feature_map(problem.data.X) @ w.reshape(K, D).T
    f = joint.decision(problem.data.X)
    apart = g + b - f if problem.bias and pinned(joint) else g - g[0] - (f - f[0]) if problem.bias else g - f
    assert np.abs(apart).max() <= 1e-7 * max(1.0, np.abs(f).max())


@pytest.mark.parametrize("seed", range(40))
def test_weights_and_biases_add_up_to_nothing(seed):
    joint = solve(random_several(3000 + seed), "joint")
    size = joint.beta.max()
    assert np.abs(joint.beta.sum(1)).max() <= 1e-12 * size
    assert np.abs(joint.b.sum()) <= 1e-12 * max(1.0, np.abs(joint.b).max())
    if joint.problem.bias:
        assert np.abs(joint.beta.sum(0)).max() <= 1e-11 * size
    if joint.W is not None:
        assert np.abs(joint.W.sum(0)).max() <= 1e-11 * size * max(1.0, np.abs(joint.problem.data.X).max() ** 3)


@pytest.mark.parametrize("C", [0.1, 1.0])
def test_liblinear_finds_the_same_machine_without_a_bias(C):
    data = make_classes("four_blobs")
    joint = solve(MulticlassProblem(data, C=C, bias=False), "joint")
    other = LinearSVC(
        multi_class="crammer_singer", C=C, fit_intercept=False, tol=1e-8, max_iter=10**6, random_state=0
    ).fit(data.X, data.y)
    assert pytest.approx(other.coef_, abs=1e-4) == joint.W


def ends_by_programs(joint: JointSolution) -> np.ndarray:
    """Lo and hi of each b_k: linear programs over b and xi, for the w that are known."""
    data, K, m = joint.problem.data, len(joint.classes), joint.problem.data.m
    g = joint.problem.gram @ joint.beta
    own = np.eye(K)[data.class_index]
    at, k = np.nonzero(own == 0)
    A = np.hstack([np.eye(K)[k] - own[at], -np.eye(m)[at]])
    room = (own * g).sum(1)[at] - g[at, k] - 1
    bounds = [(None, None)] * K + [(0, None)] * m
    total = np.r_[np.ones(K), np.zeros(m)][None]
    cost = np.r_[np.zeros(K), np.ones(m)]
    optimum = linprog(cost, A, room, total, [0], bounds, "highs")
    face = np.vstack([A, cost]), np.r_[room, optimum.fun + 1e-10]
    ends = [
        [s * linprog(s * np.r_[np.eye(K)[k], np.zeros(m)], *face, total, [0], bounds, "highs").fun for k in range(K)]
        for s in (1, -1)
    ]
    return np.array(ends)


def test_the_interval_of_each_b_is_that_of_linear_programs():
    free = 0
    for seed in range(60):
        problem = random_several(4000 + seed)
        problem = replace(problem, bias=True, C=min(problem.C, 10.0))
        joint = solve(problem, "joint")
        if not pinned(joint):
            free += 1
            assert np.array(joint.b_interval) == pytest.approx(ends_by_programs(joint), abs=1e-6)
            assert joint.b == pytest.approx(np.mean(joint.b_interval, 0), abs=1e-9)
    assert free >= 10


def test_ends_of_b_where_the_classes_only_meet_their_neighbours():
    """Three steps of a ladder: b_2 - b_1 in [0, 1], b_3 - b_2 in [0, 2], so b_3 - b_1 in [0, 3]."""
    g = np.array([[1.0, 0.0, -9.0], [0.0, 0.0, -9.0], [-9.0, 2.0, 0.0], [-9.0, 0.0, 0.0]])
    on = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    lo, hi = bias_intervals(g, on)
    assert lo == pytest.approx([-4 / 3, -2 / 3, 0])
    assert hi == pytest.approx([0, 1 / 3, 5 / 3])


def least_by_program(joint: JointSolution) -> np.ndarray:
    """The beta of least norm with the same f and the same sums, by cvxopt."""
    data, K = joint.problem.data, len(joint.classes)
    own = np.eye(K)[data.class_index]
    at, k = np.nonzero(own == 0)
    z = own[at] - np.eye(K)[k]
    P = (z @ z.T) * (at[:, None] == at)
    images = [joint.problem.gram[:, at] * z[:, c] for c in range(K)]
    rows = np.vstack([*images, *([z.T] if joint.problem.bias else []), np.ones((1, len(at)))])
    _, s, V = np.linalg.svd(rows)
    V = V[: int((s > 1e-10 * s[0]).sum())]
    alpha = -joint.beta[at, k]
    A, c = (
        np.vstack([np.eye(len(at)), -np.eye(data.m)[:, at]]),
        np.r_[np.zeros(len(at)), np.full(data.m, -joint.problem.C)],
    )
    qp = QP(P, np.zeros(len(at)), A, c, V, V @ alpha, tuple(map(str, at)))
    beta = np.zeros((data.m, K))
    np.add.at(beta, at, cvxopt_backend.solve_qp(qp).u[:, None] * z)
    return beta


def test_of_all_optimal_multipliers_the_least_are_given():
    several = 0
    for seed in range(120):
        problem = random_several(5000 + seed)
        if 0.1 <= problem.C <= 100:
            joint = solve(problem, "joint")
            if joint.beta_unique is False:
                several += 1
                assert joint.beta == pytest.approx(least_by_program(joint), abs=1e-5 * joint.beta.max())
    assert several >= 10


def test_multipliers_are_unique_where_it_is_said():
    """The directions that no f and no sum feels, inside the bounds: linear programs along each multiplier find none, or
    one."""
    known = {True: 0, False: 0}
    for seed in range(80):
        problem = random_several(6000 + seed)
        joint = solve(problem, "joint")
        if not 0.1 <= problem.C <= 100 or joint.beta_unique is None:
            continue
        data, K = problem.data, len(joint.classes)
        own = np.eye(K)[data.class_index]
        at, k = np.nonzero(own == 0)
        z, alpha = own[at] - np.eye(K)[k], -joint.beta[at, k]
        rows = np.vstack(
            [*[problem.gram[:, at] * z[:, c] for c in range(K)], z.T[: K * problem.bias], np.ones(len(at))]
        )
        _, s, V = np.linalg.svd(rows)
        rank = int((s > 1e-9 * s[0]).sum())
        # d = N e with 0 <= alpha + d and sum_k alpha + d <= C, in units of the smallest multiplier that is not 0.
        N, unit = V[rank:].T, alpha[alpha > 1e-8 * alpha.max()].min()
        moved = 0.0
        if N.shape[1]:
            A = np.vstack([np.eye(data.m)[:, at] @ N, -N])
            room = np.r_[np.maximum(problem.C - joint.multiplier_sum, 0), np.maximum(alpha, 0)] / unit
            for j in range(N.shape[0]):
                for sign in (1, -1):
                    end = linprog(sign * N[j], A, room, bounds=[(-1, 1)] * N.shape[1], method="highs")
                    moved = max(moved, float(np.abs(N @ end.x).max()))
        known[joint.beta_unique] += 1
        assert moved < 1e-7 if joint.beta_unique else moved > 1e-5, seed
    assert min(known.values()) >= 10


def test_multipliers_without_room_are_unique():
    """(1, 2) and (1, 4) lie on the margin of x_1 = 0; a load there turns w, so their multipliers are 0, the system
    being singular."""
    joint = solve(MulticlassProblem(Classes([[-1, 0], [1, 0], [1, 2], [1, 4]], [2, 1, 1, 1]), C=100.0), "joint")
    assert joint.margins == pytest.approx(np.ones(4), abs=1e-12)
    assert joint.multiplier_sum == pytest.approx([0.25, 0.25, 0, 0], abs=1e-14)
    assert [c.value for c in joint.categories[2:]] == ["margin_idle"] * 2
    assert joint.beta_unique is True
