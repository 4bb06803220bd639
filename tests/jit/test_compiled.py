"""The compiled loops one by one: against plain numpy, at the sizes where the way changes, and with array bounds
checked."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core import caching

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.jit.compiler import compiled, compiled_fastmath
from svmlab.solvers.free_set import ELIMINATION_ROWS, inverse
from svmlab.solvers.gram.build import MAX_DENSE, SMALL_PROBLEM, build_gram
from svmlab.solvers.gram.dense import DenseGram
from svmlab.solvers.gram.rows import SPARE_ROWS, CachedRowsGram, LowRankGram
from svmlab.solvers.smo import MAX_WORKING_SET_FRACTION, ROUNDS, SMO, WORKING_SET
from svmlab.solvers.unique_points import merge_equal_points

KERNELS = [Linear(), Polynomial(3), Gaussian(0.5)]


def system(n: int, k: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)) * 3, rng.choice([-1.0, 1.0], n)
    M = np.zeros((k + n, k + n))
    M[k:, k:] = np.outer(y, y) * Gaussian(0.5)(X, X)
    if k:
        M[:k, k:] = [y] if k == 1 else [y > 0, y < 0]
        M[k:, :k] = M[:k, k:].T
    return M


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("n", [2, ELIMINATION_ROWS - 2, ELIMINATION_ROWS + 1, 120])
def test_the_inverse_of_an_optimality_system_is_one_by_every_method(n, k):
    M = system(n, k)
    N, largest = inverse(M, k)
    assert np.abs(M @ N - np.eye(n + k)).max() < 1e-9 * max(1.0, largest)
    assert largest == np.abs(N).max()


@pytest.mark.parametrize("n", [3, ELIMINATION_ROWS + 5])
def test_a_singular_system_is_reported(n):
    M = system(n, 1)
    M[-1], M[:, -1] = M[-2], M[:, -2]
    assert inverse(M, 1)[1] > 1e10


def forms(m: int, kernel):
    data = make_dataset("moons", m)
    Z, y = np.array(data.X), np.array(data.y)
    Q = np.outer(y, y) * kernel(Z, Z)
    kappa = np.abs(Q.diagonal()).max()
    grams = [CachedRowsGram(kernel, Z, y, kappa)]
    if kernel.feature_dim(2) is not None:
        grams.append(LowRankGram(kernel, Z, y, kappa))
    return Q / kappa, y, grams


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_every_form_of_the_gram_matrix_has_the_same_rows_products_and_sizes(kernel):
    Q, _, grams = forms(70, kernel)
    a = np.where(np.arange(70) % 3 == 0, np.linspace(0.1, 2.0, 70), 0.0)
    for form in (DenseGram(Q), *grams):
        Qa, size = form.product_and_size(a)
        np.testing.assert_allclose(Qa, Q @ a, atol=1e-12)
        assert size >= (np.abs(Q) @ a).max() * (1 - 1e-12)
        at = np.array([3, 60, 7])
        np.testing.assert_allclose(form.rows(at), Q[at], atol=1e-14)
        np.testing.assert_allclose(form.row(11), Q[11], atol=1e-14)
        form.load_rows(at, at)
        np.testing.assert_allclose(form.kept[form.slot[at]], Q[at], atol=1e-14)


def test_a_product_forgets_rows_that_nobody_uses():
    _, _, (_, product) = forms(400, Linear())
    used = np.array([5, 17])
    for j in range(400):
        product.load_rows(np.array([j]), used)
        assert (product.slot >= 0).sum() <= SPARE_ROWS + len(used) + 2
        assert product.slot[j] >= 0
    product.load_rows(used, used)
    np.testing.assert_allclose(product.kept[product.slot[17]], product.row(17), atol=1e-15)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("m", [40, MAX_DENSE + 100])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_pairs_descend_until_no_margin_is_violated(kernel, m, bias):
    data = make_dataset("overlapping", m)
    Q, _ = build_gram(kernel, np.array(data.X), np.array(data.y))
    y, u = np.array(data.y), np.full(m, 0.4)
    pairs = SMO(Q, y, u, bias)
    assert not pairs.descend(1e-4, 1)
    assert pairs.steps == 1
    assert pairs.descend(1e-4, 10**6)
    assert (pairs.rounds > 0) == (m > MAX_DENSE), "many points are taken in working sets"
    a = pairs.a
    assert a.min() >= 0
    assert a.max() <= 0.4
    assert {0.0, 0.4} <= set(a)  # exactly at their bounds
    slope = y * (1 - Q.times(a)) if bias else 1 - Q.times(a)
    along = y if bias else np.ones(m)
    rise = np.where(along > 0, a < u, a > 0)
    fall = np.where(along > 0, a > 0, a < u)
    if bias:
        assert abs(y @ a) < 1e-9
        assert slope[rise].max() - slope[fall].min() <= 1.001e-4
    else:
        assert max(slope[rise].max(), -slope[fall].min()) <= 1.001e-4


@pytest.mark.parametrize("places", [3, 40, 4000])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_many_points_are_sorted_as_lexsort_sorts_them(places, d):
    rng = np.random.default_rng(places + d)
    X, y = (
        rng.integers(-places, places + 1, (SMALL_PROBLEM + 100, d)) * 0.5,
        rng.choice([-1.0, 1.0], SMALL_PROBLEM + 100),
    )
    X[::7] *= -1.0  # zeros of either sign are equal
    merged = merge_equal_points(X, y)
    np.testing.assert_array_equal(
        merged.point_of_row[np.lexsort((y, *X.T[::-1]))], np.repeat(np.arange(len(merged.y)), merged.count.astype(int))
    )
    rows = np.column_stack([X, y])
    np.testing.assert_array_equal(np.column_stack([merged.Z, merged.y]), np.unique(rows + 0.0, axis=0))


def test_a_working_set_that_does_not_get_there_grows_to_all_points():
    m = MAX_DENSE + 100
    data = make_dataset("separable", m)
    y, u = np.array(data.y), np.full(m, 1000.0)
    pairs = SMO(build_gram(Gaussian(0.3), np.array(data.X), y)[0], y, u, True)
    assert pairs.descend(1e-9, 10**6)
    assert WORKING_SET << pairs.rounds // ROUNDS > MAX_WORKING_SET_FRACTION * m
    slope = y * (1 - pairs.Q.times(pairs.a))
    rise, fall = np.where(y > 0, pairs.a < u, pairs.a > 0), np.where(y > 0, pairs.a > 0, pairs.a < u)
    assert slope[rise].max() - slope[fall].min() < 1e-8


@pytest.mark.parametrize("m", [SMALL_PROBLEM, MAX_DENSE + 80])
@pytest.mark.parametrize("bias", [True, False])
def test_many_free_variables_leave_no_residual_and_the_same_bits_whatever_the_start_and_the_order(m, bias):
    data, kernel = make_dataset("spirals", m), Gaussian(0.3)
    cold = solve(Problem(data, kernel, 10.0, bias))
    assert cold.free.sum() > 2 * ELIMINATION_ROWS
    assert np.abs(cold.margins[cold.free] - 1).max() < cold.floor
    assert cold.margins[cold.states < 0].min() > 1
    assert abs(cold.gap) < 1e-10
    warm = solve(Problem(data, kernel, 10.0, bias), start=solve(Problem(data, kernel, 4.0, bias)))
    order = np.random.default_rng(1).permutation(m)
    turned = solve(Problem(Dataset(data.X[order], data.y[order]), kernel, 10.0, bias))
    for other, rows in ((warm, slice(None)), (turned, order)):
        assert np.array_equal(other.alpha, cold.alpha[rows])
        assert other.b == cold.b


@pytest.mark.one_in(2)
@pytest.mark.parametrize("m", [20, MAX_DENSE])
def test_points_that_move_one_by_one_leave_the_very_matrix_of_a_new_start(m):
    rng, kernel = np.random.default_rng(0), Gaussian(0.7)
    X, y = np.array(make_dataset("moons", m).X), np.array(make_dataset("moons", m).y)
    warm = solve(Problem(Dataset(X, y), kernel, 3.0))
    for step in range(60):
        j = rng.integers(m)
        X, y = X.copy(), y.copy()
        X[j] = X[rng.integers(m)] if step % 7 == 0 else X[j] + rng.uniform(-0.3, 0.3, 2)  # now and then onto another
        y[j] *= 1 if step % 5 else -1
        warm, cold = (solve(Problem(Dataset(X, y), kernel, 3.0), start=start) for start in (warm, None))
        assert np.array_equal(warm.warm_start.Q, cold.warm_start.Q)
        assert np.array_equal(warm.alpha, cold.alpha)
        assert warm.b == cold.b


def test_the_method_is_in_the_status_of_the_solution():
    assert "pairs" in solve(Problem(make_dataset("moons", 60), Gaussian(0.5), 1.0)).status
    assert "interior point" in solve(Problem(make_dataset("overlapping", 400), Linear(), 1e3)).status


def test_where_nothing_can_be_written_the_loops_are_compiled_all_the_same(monkeypatch):
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    with pytest.raises(RuntimeError):
        njit(cache=True)(lambda x: x + 1)
    assert compiled(lambda x: x + 1)(2) == 3
    assert compiled_fastmath(lambda x: x + 1)(2) == 3


CHECKED = """
import math, numpy as np
from svmlab import *
rng = np.random.default_rng(3)
for k in range(25):
    m = int(rng.integers(1, 14))
    X, y = rng.integers(-2, 3, (m, 2)).astype(float), rng.choice([-1.0, 1.0], m)
    for kernel in (Linear(), Polynomial(2), Gaussian(0.7)):
        for C in (0.1, 30.0, math.inf):
            try:
                problem = Problem(Dataset(X, y), kernel, C, bool(k % 2))
                print(solve(problem, start=solve(problem)).alpha.tolist())
            except NotSeparable:
                print("none")
print(len(regularization_path(Problem(make_dataset("moons", 14), Gaussian(1.0))).C))
print(solve(Problem(make_dataset("overlapping", 320), Linear(), 1.0)).free.sum())
print(pegasos(make_dataset("overlapping", 12), 0.1, 60, runs=2, batch=3, project=True).iterates.tolist())
print(pegasos(make_dataset("overlapping", 12), 0.1, 60, kernel=Gaussian(1.0)).t.tolist())
"""


@pytest.mark.slow
def test_uncompiled_the_loops_keep_to_their_arrays_and_find_the_same():
    def run(**more: str) -> list[str]:
        command = [sys.executable, "-c", CHECKED]
        done = subprocess.run(
            command, cwd=Path(__file__).parents[2], env=os.environ | more, capture_output=True, text=True, timeout=200
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    fast, plain = run(), run(NUMBA_DISABLE_JIT="1")
    assert len(fast) == len(plain) > 200
    for one, other in zip(fast, plain, strict=True):
        if one != other:
            np.testing.assert_allclose(eval(one), eval(other), rtol=1e-9, atol=1e-9)
