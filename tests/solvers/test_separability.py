"""Separable or not, and a proof that the test checks by itself in fractions."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    NotSeparable,
    Polynomial,
    Problem,
    Sigmoid,
    SolverFailed,
    make_dataset,
    separate,
    solve,
)
from svmlab.binary.preprocess import preprocess
from svmlab.binary.separability import Separation, hyperplane_of
from svmlab.solvers.exact import nearest_hull_points
from svmlab.solvers.separability import rational
from svmlab.solvers.separability.lifted import _bias_by_doubles


def quadratic(x) -> list[Fraction]:
    a, b = map(Fraction, x)
    return [a * a, a * b, b * b, a, b, Fraction(1)]


def assert_proof(data: Dataset, kernel=Linear(), bias: bool = True) -> bool:
    """The verdict, once its certificate has been checked."""
    separation = separate(data, kernel, bias)
    lift = quadratic if isinstance(kernel, Polynomial) else lambda x: [Fraction(v) for v in x]
    if separation.separable:
        assert separation.weights is None
        if isinstance(kernel, Linear):
            w, b = [Fraction(v) for v in separation.w], Fraction(separation.b)
            assert bias or b == 0
            for x, y in zip(data.X, data.y, strict=True):
                assert int(y) * (sum(p * q for p, q in zip(w, lift(x), strict=True)) + b) > 0
        return True
    v, y = separation.weights, data.y
    assert (v >= 0).all()
    assert np.flatnonzero(v).tolist() == separation.witness.tolist()
    for total in (v[y > 0].sum(), v[y < 0].sum()) if bias else (v.sum(),):
        assert total == pytest.approx(1, abs=1e-15)
    Z = [lift(x) for x in data.X]
    size = max(1.0, max(float(abs(q)) for z in Z for q in z))
    for k in range(len(Z[0])):
        apart = sum(Fraction(v[i]) * int(y[i]) * Z[i][k] for i in range(len(y)))
        assert abs(float(apart)) <= 1e-14 * size
    assert len(separation.witness) <= len(Z[0]) + 2
    return False


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-3, 1.0])
def test_a_gap_however_narrow_is_seen_on_either_side(gap):
    y = [-1, -1, 1, 1]
    assert assert_proof(Dataset([[0, 0], [0, 1], [gap, 0], [gap, 1]], y))
    assert not assert_proof(Dataset([[0, 0], [0, 1], [-gap, 0.5], [gap, 0.5]], y))
    assert not assert_proof(Dataset([[0, 0], [1, 1], [0.5, 0.5 + gap], [0.5, 0.5 - gap]], y))


def test_hulls_that_touch_are_not_separable():
    assert not assert_proof(Dataset([[0, 0], [2, 2], [1, 1], [1, 0]], [-1, -1, 1, 1]))
    assert not assert_proof(Dataset([[0, 0], [1, 0], [1, 0], [2, 5]], [-1, -1, 1, 1]))


def test_tenths_are_taken_as_the_floats_they_are():
    # 0.1 + 0.2 > 0.3 in floats by one unit: the third point is beyond the end of the segment.
    assert separate(Dataset([[0.1], [0.3], [0.1 + 0.2], [1.0]], [-1, -1, 1, 1])).separable
    assert not assert_proof(Dataset([[0.1], [0.3], [0.3], [1.0]], [-1, -1, 1, 1]))


def test_decimals_of_three_places_are_on_a_line_where_they_are_as_decimals():
    data = Dataset([[4.3, 1.1], [1.0, 0.0], [-2.0, -1.0]], [1, -1, 1])
    assert not assert_proof(data)
    up = np.array([[0, 0], [0, np.finfo(float).eps], [0, 0]])
    assert assert_proof(Dataset(data.X + up, data.y))
    assert assert_proof(Dataset(data.X + [[0, 0], [0, 0.001], [0, 0]], data.y))


def test_four_points_crosswise_need_a_quadratic():
    data = Dataset([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1])
    assert not assert_proof(data)
    assert assert_proof(data, Polynomial(2))
    assert separate(data, Polynomial(2, 0.0), bias=False).separable
    assert not separate(data, Polynomial(3, 0.0), bias=False).separable  # odd in x, and the labels are even


def test_circles_need_a_quadratic():
    data = make_dataset("circles", 40, 0.0)
    assert not assert_proof(data)
    assert assert_proof(data, Polynomial(2))


def test_a_quadratic_does_not_separate_points_that_alternate_on_a_line():
    data = Dataset([[0, 0], [1, 0], [2, 0], [3, 0]], [1, -1, 1, -1])
    assert not assert_proof(data, Polynomial(2))
    assert separate(data, Polynomial(3)).separable


@pytest.mark.parametrize("sigma", [0.01, 1.0, 1e3])
def test_the_gaussian_separates_everything_but_opposite_twins(sigma):
    data = make_dataset("overlapping", 50, 1.0)
    assert separate(data, Gaussian(sigma)).separable
    twins = Dataset(np.vstack([data.X, data.X[:1]]), np.r_[data.y, -data.y[0]])
    separation = separate(twins, Gaussian(sigma))
    assert not separation.separable
    assert separation.witness.tolist() == [0, 50]
    assert separation.point.tolist() == data.X[0].tolist()
    assert separation.weights.sum() == 2
    alone = separate(twins, Gaussian(sigma), bias=False)
    assert alone.weights.sum() == 1
    assert alone.point.tolist() == data.X[0].tolist()


def test_without_bias_separable_means_through_the_origin():
    data = Dataset([[1], [2]], [1, -1])
    assert assert_proof(data)
    assert not assert_proof(data, bias=False)
    assert assert_proof(Dataset([[1], [-5]], [1, -1]), bias=False)
    assert not separate(Dataset([[0, 0], [1, 1]], [1, -1]), bias=False).separable  # the origin is never beyond the line


coordinates = st.integers(-3, 3).map(lambda k: 0.25 * k)


@given(st.lists(st.tuples(coordinates, coordinates, st.sampled_from([-1, 1])), min_size=1, max_size=9), st.booleans())
def test_every_verdict_on_a_lattice_comes_with_a_proof(rows, bias):
    data = Dataset([r[:2] for r in rows], [r[2] for r in rows])
    linear, lifted = assert_proof(data, bias=bias), assert_proof(data, Polynomial(2), bias)
    assert lifted or not linear


@pytest.mark.parametrize("bias", [True, False])
def test_the_refusal_of_the_hard_margin_carries_the_proof(bias):
    data = make_dataset("overlapping", 20, 1.0)
    with pytest.raises(NotSeparable, match="finite C") as caught:
        solve(Problem(data, C=math.inf, bias=bias))
    v = caught.value.separation.weights
    if bias:
        meeting = v[data.y > 0] @ data.X[data.y > 0]
        assert meeting == pytest.approx(v[data.y < 0] @ data.X[data.y < 0], abs=1e-13)
        assert caught.value.separation.point == pytest.approx(meeting, abs=1e-13)
    else:
        assert (v * data.y) @ data.X == pytest.approx([0, 0], abs=1e-13)


def test_a_kernel_without_feature_space_is_refused():
    with pytest.raises(BadInput, match="feature space"):
        separate(make_dataset("moons"), Sigmoid())


def test_one_class_and_no_points_are_separable():
    assert assert_proof(Dataset([[1, 2], [3, 4]], [-1, -1]))
    assert separate(Dataset([], [])).separable


BOTH = Dataset(
    [[3, 1], [1, 1], [-5, 1], [-7, 1], [-1, 1], [3, 1], [1, 1], [5, 1], [-3, 1], [-1, 1]],
    [1, -1, -1, 1, -1, 1, 1, 1, 1, -1],
)  # (1, 1) carries both labels
EVERY = [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.0), Sigmoid(), Polynomial(2, -1.0)]


@pytest.mark.parametrize("kernel", EVERY, ids=lambda k: k.key)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize("method", ["exact", "dual-qp"])
def test_a_point_with_both_labels_is_the_proof_whatever_the_kernel(kernel, bias, method):
    with pytest.raises(NotSeparable, match="finite C") as caught:
        solve(Problem(BOTH, kernel, math.inf, bias), method)
    proof = caught.value.separation
    assert proof.exact
    assert proof.witness.tolist() == [1, 6]
    assert proof.point.tolist() == [1, 1]
    assert proof.weights[[1, 6]].tolist() == ([1, 1] if bias else [0.5, 0.5])


EIGHT = np.random.default_rng(0).normal(size=(40, 8))


@pytest.mark.parametrize("shift", [0.0, 1e4, 1e6, 1e8, 1e10, 1e12])
def test_far_from_the_origin_many_features_are_separated_by_the_plane_that_is_returned(shift):
    data = Dataset(EIGHT + shift, np.sign(EIGHT[:, 0]))
    assert assert_proof(data)
    assert separate(data).exact
    assert solve(Problem(data, C=math.inf)).margins.min() == pytest.approx(1)


@pytest.mark.parametrize("shift", [0.0, 1e6, 1e12])
@pytest.mark.parametrize("bias", [True, False])
def test_far_from_the_origin_many_features_have_a_common_point_that_is_proven(shift, bias):
    data = Dataset(EIGHT + shift, np.where(np.arange(40) % 3, 1, -1))
    with pytest.raises(NotSeparable) as caught:
        solve(Problem(data, C=math.inf, bias=bias))
    proof = caught.value.separation
    assert proof.exact
    assert len(proof.witness) <= 10
    Z, _ = rational.integers(data.X[proof.witness])
    weights, _ = rational.intersect_hulls(Z, data.y[proof.witness], bias)
    assert [float(v) for v in weights] == pytest.approx(proof.weights[proof.witness], abs=1e-9)
    assert min(weights) > 0


GRAZED = Dataset([[-1 / 3, 2], [-1 / 3, -2], [4 / 3, 4 / 3], [5 / 3, 2]], [-1, 1, -1, 1])
ADJACENT = Dataset([[1.0, 1.0], [np.nextafter(1, 0), np.nextafter(1, 0)], [0, 0]], [1, -1, -1])
LINE = Dataset([[x, 999 / 7] for x in (10**6 / 7, np.nextafter(10**6 / 7, 0), 0.0, 2e6)], [1, -1, -1, 1])


@pytest.mark.parametrize("data", [GRAZED, ADJACENT, LINE], ids=["grazed", "adjacent", "line"])
def test_the_plane_misses_every_point_when_it_is_rounded_to_doubles(data):
    assert assert_proof(data)


def corners(seed: int, count: int):
    """Thirds, tenths, lines, copies, far away, many features; any labels, those of a plane, and a point one unit from
    another."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        d = 2 if k % 3 else int(rng.integers(1, 11))
        m = int(rng.integers(2, 25))
        X = [
            rng.integers(-6, 7, (m, d)) / 3,
            rng.integers(-30, 31, (m, d)) / 10,
            np.outer(rng.integers(-9, 10, m) / 7, rng.integers(-3, 4, d) / 3) + 1 / 7,
            rng.normal(size=(m, d))[rng.integers(0, m, m)] * 10.0 ** rng.integers(-4, 5, d),
        ][k % 4]
        X = X + rng.choice([0.0, 1.0, 1e3, 1e6, 1e12]) * rng.choice([-1, 1], d)
        along = (X - X.mean(0)) @ rng.integers(-2, 3, d)
        y = rng.choice([-1, 1], m) if k % 5 == 0 else np.where(along > np.median(along), 1, -1)
        if k % 2:
            i, j = rng.integers(0, m, 2)
            X[i] = np.nextafter(X[j], X[j] + rng.choice([-1, 0, 1], d))
        yield Dataset(X, y), bool(k % 7)


def monomials(data: Dataset, kernel) -> rational.Integers:
    X, _ = rational.integers(data.X)
    return np.stack([np.prod(X ** np.array(a, dtype=object), axis=1) for a in kernel.exponents(data.d)], axis=1)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3, 0.0)], ids=lambda k: k.key)
def test_no_verdict_at_the_edge_of_doubles_is_wrong_and_the_solver_agrees(kernel):
    seen = {True: 0, False: 0}
    for data, bias in corners(3, 150):
        if kernel.feature_dim(data.d) > 12:
            continue
        truth = (bias and not data.both_classes) or rational.intersect_hulls(monomials(data, kernel), data.y, bias)[
            0
        ] is None
        separation = separate(data, kernel, bias)
        assert separation.exact
        assert separation.separable == truth, (data.X.tolist(), data.y.tolist(), bias)
        seen[truth] += 1
        if kernel == Linear() and truth and (data.d == 2 or separation.w is not None):
            assert assert_proof(data, bias=bias)
        try:
            solve(Problem(data, kernel, math.inf, bias))
            assert truth
        except NotSeparable:
            assert not truth
        except SolverFailed:
            assert truth
    assert min(seen.values()) > 20


def test_a_weight_below_the_smallest_double_still_belongs_to_the_proof():
    separation = separate(Dataset([[0.0], [2.0], [5e-324]], [-1, -1, 1]))
    assert separation.exact
    assert separation.witness.tolist() == [0, 1, 2]


def test_an_answer_depends_on_the_points_and_not_on_their_order():
    rng = np.random.default_rng(5)
    for y in (np.sign(EIGHT[:, 0]), rng.choice([-1.0, 1.0], 40)):
        order = rng.permutation(40)
        one, other = separate(Dataset(EIGHT + 1e3, y)), separate(Dataset(EIGHT[order] + 1e3, y[order]))
        assert one.separable == other.separable
        if one.separable:
            assert (one.w.tolist(), one.b) == (other.w.tolist(), other.b)
        else:
            assert one.weights[order].tolist() == other.weights.tolist()


@pytest.mark.parametrize(("kernel", "d"), [(Polynomial(3), 12), (Polynomial(4), 40)], ids=["all", "too many"])
def test_points_with_independent_images_are_separable_however_close_they_are(kernel, d):
    X = np.random.default_rng(2).normal(size=(20, d)) + 1e5
    X[0] = X[1]
    X[0, 3] = np.nextafter(X[0, 3], 0)
    separation = separate(Dataset(X, np.where(np.arange(20) % 2, 1, -1)), kernel)
    assert separation.separable
    assert separation.exact


def test_what_would_take_too_long_is_not_decided():
    Z = np.arange(24, dtype=object).reshape(8, 3) ** 3
    with pytest.raises(SolverFailed, match="could not be decided"):
        rational.intersect_hulls(Z, np.array([1, -1] * 4), True, rational.WorkBudget(60))


def test_a_plane_that_doubles_do_not_hold_is_refused():
    with pytest.raises(SolverFailed, match="too narrow for a boundary"):
        hyperplane_of(Separation(True, None, None, None, np.zeros(0, dtype=np.intp), None))


def boards(seed: int, count: int):
    """Lattices, a line and anything, with opposite twins in between."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        m = int(rng.integers(4, 21))
        X = [
            rng.integers(-2, 3, (m, 2)),
            np.column_stack([rng.integers(-8, 9, m), np.ones(m)]),
            2 * rng.integers(-4, 5, (m, 2)) + 1,
            rng.standard_normal((m, 2)),
        ][k % 4]
        y = rng.choice([-1, 1], m)
        y[:2] = 1, -1
        yield Dataset(X, y)


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize("kernel", EVERY, ids=lambda k: k.key)
def test_the_weights_of_the_nearest_points_stay_convex_where_the_hulls_meet(kernel, bias):
    for data in boards(8, 150):
        reduced = preprocess(Problem(data, kernel, math.inf, bias))
        y = reduced.points.y
        with suppress(SolverFailed):
            v = nearest_hull_points(reduced.Q, y, bias)[0]
            assert (v >= 0).all()
            for total in (v[y > 0].sum(), v[y < 0].sum()) if bias else (v.sum(),):
                assert total == pytest.approx(1, abs=1e-12), data.X.tolist()


@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize("kernel", EVERY, ids=lambda k: k.key)
def test_every_hard_margin_is_solved_or_refused_for_a_true_reason(kernel, bias):
    refused_count = solved_count = 0
    failures = []
    for data in boards(9, 150):
        places = {s: {tuple(x) for x in data.X[data.y == s].tolist()} for s in (1, -1)}
        problem = Problem(data, kernel, math.inf, bias)
        try:
            solution = solve(problem)
        except NotSeparable as error:
            refused_count += 1
            proof = error.separation
            if proof.point is None or not places[1] & places[-1]:
                assert not isinstance(kernel, Gaussian)
                if kernel.psd and kernel.feature_dim(2) <= 6:
                    assert not assert_proof(data, kernel, bias)
                else:
                    reduced = preprocess(problem)
                    K = (
                        reduced.spectrum.clipped_matrix()
                        if reduced.clipped_eigenvalue
                        else kernel(reduced.points.Z, reduced.points.Z)
                    )
                    c = reduced.signed_alpha(proof.weights)
                    assert c @ K @ c <= 1e-14 * np.abs(np.diag(K)).max()
            continue
        except SolverFailed as error:
            failures.append(str(error))
            continue
        solved_count += 1
        assert not places[1] & places[-1]
        assert solution.margins.min() >= 1 - 2 * max(1e-5, solution.floor)
    assert all("too narrow" in words for words in failures)
    assert len(failures) < 5
    assert refused_count > 20
    assert solved_count > 5


def test_separable_is_said_only_where_it_is_known():
    close = Dataset([[0, 0], [1e-3, 0], [2e-3, 0], [3e-3, 0]], [1, -1, 1, -1])
    with pytest.raises(SolverFailed, match="classes are separable, but the margin is too narrow"):
        solve(Problem(close, Gaussian(4.0), math.inf))
    with pytest.raises(NotSeparable, match="negative eigenvalues of the kernel set to 0") as caught:
        solve(Problem(close, Sigmoid(), math.inf))
    assert not caught.value.separation.exact


def test_the_hard_margin_of_a_clipped_kernel_holds_in_the_function_that_is_returned():
    # The vector of a small eigenvalue is known up to a multiple of 1, which HKH does not see and K does.
    s = solve(Problem(Dataset([[8, 1], [-7, 1], [-1, 1], [-4, 1]], [-1, 1, 1, -1]), Sigmoid(), math.inf))
    assert s.clipped_eigenvalue is not None
    assert s.margins.min() == pytest.approx(1, abs=1e-6)


def test_what_looks_like_a_common_point_of_cubics_is_checked_exactly():
    X, y = [[0.001, -0.003], [0.002, -0.003], [0.003, -0.001], [0.003, -0.003], [-0.002, -0.003]], [-1, 1, -1, -1, 1]
    five_points = Dataset(X, y)  # five points, ten features: doubles cannot tell the hulls apart
    separation = separate(five_points, Polynomial(3))
    assert separation.separable
    assert separation.exact
    with pytest.raises(SolverFailed, match="classes are separable, but the margin is too narrow"):
        solve(Problem(five_points, Polynomial(3), math.inf))
    # Five in a row, with labels in turn: no cubic changes its sign four times.
    collinear = separate(Dataset([[k, 0.5] for k in range(5)], [1, -1, 1, -1, 1]), Polynomial(3))
    assert not collinear.separable
    assert collinear.exact
    assert collinear.weights == pytest.approx([1 / 8, 1 / 2, 6 / 8, 1 / 2, 1 / 8])


# ---------------------------------------------------------------- what doubles prove

NOTHING = np.zeros(4)
Y4 = np.array([-1, -1, 1, 1])


@pytest.mark.parametrize(
    ("f", "blur", "bias", "b"),
    [
        ([-3.0, -1.0, 2.0, 4.0], 0.0, True, -0.5),
        ([-3.0, -1.0, 2.0, 4.0], 0.25, True, -0.5),
        ([1.0, 2.0, 3.0, 6.0], 0.25, True, -2.5),
        ([-3.0, -1.0, 2.0, 4.0], 0.5, False, 0.0),
        ([1.0, 2.0, 3.0, 6.0], 0.0, False, math.nan),
        ([-3.0, -1.0, -0.5, 4.0], 0.25, False, math.nan),
        ([-3.0, 2.0, 1.0, 4.0], 0.25, True, math.nan),
        ([-3.0, 2.0, 2.0, 4.0], 0.0, True, math.nan),
        ([-3.0, 2.0, 1.0, 4.0], 0.5, True, math.nan),
        ([-3.0, 2.0, 1.0, 4.0], 0.75, True, None),
        ([-3.0, 1.0, 2.0, 4.0], 0.75, True, None),
        ([-3.0, -1.0, 0.5, 4.0], 0.75, False, None),
        ([-3.0, -0.5, 1.0, 4.0], 0.75, False, None),
        ([-3.0, -1.0, math.inf, 4.0], 0.0, True, None),
    ],
)
def test_a_bias_is_proven_or_disproved_only_beyond_the_error_of_the_values(f, blur, bias, b):
    values, errors = np.array(f), NOTHING + blur
    computed = _bias_by_doubles(values, errors, Y4, bias)
    assert (computed is None) if b is None else (math.isnan(computed) if math.isnan(b) else computed == b)


def test_values_that_may_be_off_by_infinity_prove_nothing():
    assert _bias_by_doubles(np.array([-3.0, -1.0, 2.0, 4.0]), np.array([0.0, 0.0, 0.0, math.inf]), Y4, True) is None
