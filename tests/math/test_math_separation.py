"""Separable or not, and a proof that the test checks by itself in fractions."""

from __future__ import annotations

import math
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
    make_dataset,
    separate,
    solve,
)


def quadratic(x) -> list[Fraction]:
    a, b = map(Fraction, x)
    return [a * a, a * b, b * b, a, b, Fraction(1)]


def assert_proof(data: Dataset, kernel=Linear(), bias: bool = True) -> bool:
    """The verdict, once its certificate has been checked."""
    found = separate(data, kernel, bias)
    lift = quadratic if isinstance(kernel, Polynomial) else lambda x: [Fraction(v) for v in x]
    if found.separable:
        assert found.weights is None
        if isinstance(kernel, Linear):
            w, b = [Fraction(v) for v in found.w], Fraction(found.b)
            assert bias or b == 0
            for x, y in zip(data.X, data.y, strict=True):
                assert int(y) * (sum(p * q for p, q in zip(w, lift(x), strict=True)) + b) > 0
        return True
    v, y = found.weights, data.y
    assert (v >= 0).all()
    assert np.flatnonzero(v).tolist() == found.witness.tolist()
    for total in (v[y > 0].sum(), v[y < 0].sum()) if bias else (v.sum(),):
        assert total == pytest.approx(1, abs=1e-15)
    Z = [lift(x) for x in data.X]
    size = max(1.0, max(float(abs(q)) for z in Z for q in z))
    for k in range(len(Z[0])):
        apart = sum(Fraction(v[i]) * int(y[i]) * Z[i][k] for i in range(len(y)))
        assert abs(float(apart)) <= 1e-14 * size
    assert len(found.witness) <= len(Z[0]) + 2
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
    found = separate(twins, Gaussian(sigma))
    assert not found.separable
    assert found.witness.tolist() == [0, 50]
    assert found.point.tolist() == data.X[0].tolist()
    assert found.weights.sum() == 2
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
