"""Parts of a Gram matrix of which some rows are kept."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Gaussian, Polynomial, Sigmoid
from svmlab.solvers.gram.rows import CachedRowsGram
from svmlab.solvers.gram.spectrum import kernel_spectrum

M = 90


def rows(kernel) -> tuple[CachedRowsGram, np.ndarray]:
    """Q row by row, and whole."""
    rng = np.random.default_rng(4)
    Z, y = rng.normal(size=(M, 3)), rng.choice([-1.0, 1.0], M)
    K = kernel(Z, Z)
    kappa = float(K.diagonal().max())
    return CachedRowsGram(kernel, Z, y, kappa), np.outer(y, y) * K / kappa


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Polynomial(3, 1.0), Sigmoid(0.3, 0.5)], ids=lambda k: k.name)
@pytest.mark.parametrize("kept", [[], [70, 3, 41], [5, 9, 11], [88, 12, 0, 70, 3, 41, 17]])
def test_a_square_is_taken_from_rows_that_are_kept_and_made_for_the_others(kernel, kept, monkeypatch):
    Q, whole = rows(kernel)
    Q.load_rows(np.array(kept, dtype=np.intp))
    at = np.array([12, 70, 88, 3, 0, 41, 17])
    made, block = [], Q.block
    monkeypatch.setattr(Q, "block", lambda one, other: made.append((one, other)) or block(one, other))
    np.testing.assert_allclose(Q.square_block(at), whole[np.ix_(at, at)], atol=1e-14)
    others = [j for j in at if j not in kept]
    assert [(list(one), list(other)) for one, other in made] == ([(others, others)] if others else [])
    assert (np.flatnonzero(Q.slot >= 0) == np.sort(kept)).all(), "no row was brought"


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Polynomial(3, 1.0)], ids=lambda k: k.name)
def test_a_block_has_the_same_bits_whether_its_rows_are_kept_or_not(kernel):
    Q, whole = rows(kernel)
    at, of = np.array([12, 70, 88]), np.arange(M)[::-2]
    fresh = Q.block(at, of)
    np.testing.assert_allclose(fresh, whole[np.ix_(at, of)], atol=1e-14)
    Q.load_rows(np.array([70, 12]))
    assert (Q.block(at, of) == fresh).all()
    Q.kept[Q.slot[70]] += 0.0 if Q.is_reproducible else 1.0  # of a kernel that is not steady they must not be read
    Q.load_rows(np.array([88]))
    assert (Q.block(at, of) == fresh).all()


def test_a_matrix_is_indefinite_if_its_smallest_eigenvalue_is_negative():
    exchange = kernel_spectrum(np.array([[0.0, 1.0], [1.0, 0.0]]), bias=False)  # its eigenvalues are -1 and 1
    assert exchange.smallest == pytest.approx(-1.0)
    assert exchange.is_indefinite
    assert not kernel_spectrum(np.eye(2), bias=False).is_indefinite
    assert not kernel_spectrum(np.ones((2, 2)), bias=False).is_indefinite, "its eigenvalues are 0 and 2"
    assert kernel_spectrum(np.empty((0, 0)), bias=False).smallest == 0.0
