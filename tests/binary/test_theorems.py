"""What the notes prove, each side computed in its own way."""

from __future__ import annotations

import math

import cvxopt
import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve

KERNELS = [Linear(), Polynomial(2), Gaussian(1.5)]
HARD = math.inf


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2)])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_smallest_primal_value_is_the_largest_dual_value(kernel, C):
    problem = Problem(make_dataset("overlapping", 30), kernel, C)
    above, below = solve(problem, "primal-qp").objective, solve(problem, "dual-qp").dual_objective
    assert above == pytest.approx(below, rel=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bias", [True, False])
def test_any_feasible_pair_brackets_the_optimum(kernel, bias):
    problem = Problem(make_dataset("moons", 24), kernel, 2.0, bias)
    s, rng = solve(problem), np.random.default_rng(1)
    X, y = problem.data.X, problem.data.y
    K = np.array([[kernel(a[None], b[None])[0, 0] for b in X] for a in X])
    for _ in range(20):
        beta = np.clip(s.alpha + 0.1 * rng.standard_normal(len(y)), 0, 2.0)
        b = s.b + 0.1 * rng.standard_normal() if bias else 0.0
        quadratic = (beta * y) @ K @ (beta * y)
        primal = 0.5 * quadratic + 2.0 * np.maximum(0, 1 - y * (K @ (beta * y) + b)).sum()
        assert primal >= s.objective * (1 - 1e-12)
        if not bias:
            assert beta.sum() - 0.5 * quadratic <= s.dual_objective * (1 + 1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bias", [True, False])
def test_for_the_hard_margin_the_multipliers_sum_to_the_square_of_the_norm(kernel, bias):
    data = make_dataset("separable", 30, seed=2)
    s = solve(Problem(data, kernel, HARD, bias))
    f = s.decision(data.X) - s.b
    assert s.alpha.sum() == pytest.approx(s.alpha @ (data.y * f), rel=1e-9)
    assert s.alpha.sum() == pytest.approx(1 / s.geometric_margin**2, rel=1e-9)


@pytest.mark.parametrize("method", ["exact", "dual-qp", "primal-qp"])
def test_signed_multipliers_cancel_with_a_bias_and_not_without(method):
    data = make_dataset("overlapping", 30)
    with_bias, without = (solve(Problem(data, C=1.0, bias=bias), method).alpha @ data.y for bias in (True, False))
    assert with_bias == pytest.approx(0, abs=1e-7)
    assert abs(without) > 0.1


def test_the_primal_w_lies_in_the_span_of_the_support_vectors():
    problem = Problem(make_dataset("overlapping", 12, seed=3), Polynomial(3), 0.05)
    w = solve(problem, "primal-qp").evaluation.w
    Phi = problem.kernel.feature_map(problem.data.X)[solve(problem).support]
    assert Phi.shape[0] < Phi.shape[1]
    nearest = Phi.T @ np.linalg.lstsq(Phi.T, w, rcond=None)[0]
    assert nearest == pytest.approx(w, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_soft_equals_hard_from_the_largest_multiplier_on_and_not_below(seed):
    data = make_dataset("separable", 25, seed=seed)
    hard = solve(Problem(data, C=HARD))
    assert hard.alpha_unique
    top = hard.alpha.max()
    for C in (top, 1.001 * top, 1000 * top):
        at = solve(Problem(data, C=C))
        assert at.w == pytest.approx(hard.w, rel=1e-9)
        assert at.xi.sum() == pytest.approx(0, abs=1e-9)
    below = solve(Problem(data, C=0.999 * top))
    assert below.norm_w < hard.norm_w * (1 - 1e-6)
    assert below.xi.max() > 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bias", [True, False])
def test_a_larger_c_never_shrinks_w_nor_adds_slack(kernel, bias):
    data = make_dataset("overlapping", 30)
    path = [solve(Problem(data, kernel, C, bias)) for C in 10.0 ** np.arange(-4, 4.1, 0.5)]
    norm, slack = np.array([(s.norm_w, s.xi.sum()) for s in path]).T
    assert (np.diff(norm) >= -1e-9 * norm[1:]).all()
    assert (np.diff(slack) <= 1e-9 * slack[:-1]).all()
    assert norm[-1] > 5 * norm[0]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("C", [0.3, 5.0])
def test_deleting_every_point_without_multiplier_leaves_the_function(kernel, C):
    data = make_dataset("overlapping", 40, seed=5)
    full = solve(Problem(data, kernel, C))
    keep = full.support
    assert not keep.all()
    rest = solve(Problem(Dataset(data.X[keep], data.y[keep]), kernel, C))
    probe = np.random.default_rng(0).uniform(-4, 4, (20, 2))
    assert rest.decision(probe) == pytest.approx(full.decision(probe), abs=1e-8)


@pytest.mark.parametrize("bias", [True, False])
def test_lambda_form_solved_by_itself_gives_the_w_of_from_lambda(bias):
    data, lam = make_dataset("overlapping", 20), 0.03
    m, n = data.m, 2 + bias
    P = np.diag([lam, lam] + [0.0] * (bias + m))
    q = np.r_[np.zeros(n), np.full(m, 1 / m)]
    rows = data.y[:, None] * np.hstack([data.X, np.ones((m, int(bias)))])
    G = -np.block([[rows, np.eye(m)], [np.zeros((m, n)), np.eye(m)]])
    h = -np.r_[np.ones(m), np.zeros(m)]
    tight = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11}
    u = cvxopt.solvers.qp(*(cvxopt.matrix(v) for v in (P, q, G, h)), options=tight)["x"]
    problem = Problem.from_lambda(data, Linear(), lam, bias)
    assert solve(problem).w == pytest.approx(np.array(u).ravel()[:2], abs=1e-6)
    assert problem.lam == pytest.approx(lam, rel=1e-14)


def test_slack_over_norm_is_the_distance_to_the_own_margin_line():
    data = make_dataset("overlapping", 40)
    s = solve(Problem(data, C=0.5))
    rows = np.flatnonzero(s.xi > 0.01)
    assert len(rows) >= 4
    for i in rows:
        # Two points of the line <w, x> + b = y, and the area of a triangle over their distance.
        p = (data.y[i] - s.b) * s.w / (s.w @ s.w)
        e = np.array([-s.w[1], s.w[0]])
        d = data.X[i] - p
        assert abs(e[0] * d[1] - e[1] * d[0]) / np.hypot(*e) == pytest.approx(s.xi[i] / s.norm_w, rel=1e-9)


def test_no_other_direction_leaves_a_wider_strip():
    data = make_dataset("separable", 30, seed=1)
    s = solve(Problem(data, C=HARD))
    angle = np.linspace(0, 2 * np.pi, 20001)
    along = data.X @ np.stack([np.cos(angle), np.sin(angle)])
    half = 0.5 * (along[data.y > 0].min(0) - along[data.y < 0].max(0))
    assert half.max() == pytest.approx(s.geometric_margin, rel=1e-3)
    assert half.max() <= s.geometric_margin * (1 + 1e-12)


def test_training_errors_are_at_most_the_slack():
    for seed in range(5):
        s = solve(Problem(make_dataset("overlapping", 40, noise=0.5, seed=seed), C=1.0))
        errors = int((s.margins <= 0).sum())
        assert 0 < errors <= s.xi.sum()


def test_the_norm_is_linear_in_c_while_no_point_changes_sides():
    data = make_dataset("overlapping", 30)
    a, b, c = (solve(Problem(data, C=C)) for C in (1.0, 1.00005, 1.0001))
    assert a.states.tolist() == c.states.tolist()
    assert b.w == pytest.approx(0.5 * (a.w + c.w), abs=1e-13)
