"""Kernel values by the formula of the textbook, and what a kernel says of itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels import distances
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.statements.examples.differences import difference, rough, slopes_by_differences

A = np.array([[0.5, -1.0], [2.0, 0.75], [-1.25, 1.5]])
B = np.array([[1.0, 1.0], [-0.5, 2.0], [0.0, -0.25], [2.0, 0.75]])
LONG = np.array([[0.5, -1.0, 2.0, 0.25, 1.5], [1.0, 1.0, -0.5, 0.75, 0.0]])
COEFFICIENTS = np.array([0.5, -1.25, 2.0])


def kernel_value(kernel: Kernel, x: Sequence[float], z: Sequence[float]) -> float:
    """Return k(x, z) of one of the four standard kernels, from the coordinates of two points."""
    inner = sum(p * q for p, q in zip(x, z, strict=True))
    if isinstance(kernel, Linear):
        return inner
    if isinstance(kernel, Polynomial):
        return math.pow(kernel.scale * inner + kernel.coef0, kernel.degree)
    if isinstance(kernel, Sigmoid):
        return math.tanh(kernel.scale * inner + kernel.coef0)
    assert isinstance(kernel, Gaussian)
    return math.exp(-sum((p - q) ** 2 for p, q in zip(x, z, strict=True)) / (2.0 * kernel.sigma**2))


def error_of(kernel: Kernel) -> float:
    """Compare values, diagonal, sums, gradients and the grid of a kernel with its formula."""
    u, v = np.array([-1.0, 0.25, 2.0]), np.array([0.5, 1.75])
    places = np.array([[a, b] for b in v for a in u])

    def values(P: Array, Q: Array) -> Array:
        return np.array([[kernel_value(kernel, p, q) for q in Q.tolist()] for p in P.tolist()])

    def sums(Z: Array) -> Array:
        return COEFFICIENTS @ values(A, Z)

    both = kernel.value_and_gradient(A, COEFFICIENTS, B)
    return max(
        difference(kernel(A, B), values(A, B)),
        difference(kernel(LONG, LONG[::-1]), values(LONG, LONG[::-1])),
        difference(kernel.diag(A), np.diag(values(A, A))),
        difference(kernel.grid(A, COEFFICIENTS, u, v).ravel(), sums(places)),
        rough(difference(kernel.gradient(A, COEFFICIENTS, B), slopes_by_differences(sums, B))),
        difference(both[0], sums(B)),
        rough(difference(both[1], slopes_by_differences(sums, B))),
    )


def error_of_features(kernel: Kernel) -> float:
    """Compare the inner products of the feature map with the kernel, and count its monomials one by one."""
    off = 0.0
    for P in (A, LONG):
        Phi, d = kernel.feature_map(P), P.shape[1]
        degree, lowest_degree = (
            (kernel.degree, 0 if kernel.coef0 > 0 else kernel.degree) if isinstance(kernel, Polynomial) else (1, 1)
        )
        monomials = {a for a in product(range(degree + 1), repeat=d) if lowest_degree <= sum(a) <= degree}
        wanted = np.array([[kernel_value(kernel, p, q) for q in P.tolist()] for p in P.tolist()])
        listed = kernel.exponents(d) or []
        counts = kernel.feature_dim(d), Phi.shape[1], len(set(listed) & monomials), len(listed)
        off = max(off, difference(Phi @ Phi.T, wanted), difference(counts, [len(monomials)] * 4))
    return off


@cache
def error_of_linear() -> float:
    """Check the linear kernel."""
    return max(error_of(Linear()), error_of_features(Linear()))


@cache
def error_of_polynomials() -> float:
    """Check polynomial kernels of several degrees, with and without a constant, and which of them are kernels."""
    kernels = Polynomial(2, 1.0), Polynomial(3, 0.5, 0.8), Polynomial(4, 0.0, 1.5), Polynomial(1, 2.0)
    powers = np.array([0.5, -2.0, 3.0])
    plain = Polynomial()
    definite = [Polynomial(2, coef0).psd for coef0 in (0.0, 1.0, -0.5, -1.0)]
    return max(
        *(max(error_of(kernel), error_of_features(kernel)) for kernel in kernels),
        *(difference(distances.integer_power(powers, n), [math.pow(p, n) for p in powers.tolist()]) for n in range(5)),
        difference(definite, [True, True, False, False]),
        difference((plain.degree, plain.coef0, plain.scale), (3, 1, 1)),
    )


@cache
def error_of_gaussians() -> float:
    """Check Gaussian kernels of several widths, and the conversion between sigma and gamma."""
    widths = 0.6, 1.0, 2.5
    return max(
        difference(Gaussian().sigma, 1.0),
        *(error_of(Gaussian(sigma)) for sigma in widths),
        *(difference(Gaussian(sigma).gamma, 1.0 / (2.0 * sigma * sigma)) for sigma in widths),
        *(difference(Gaussian(gamma=1.0 / (2.0 * sigma * sigma)).sigma, sigma) for sigma in widths),
    )


@cache
def error_of_sigmoids() -> float:
    """Check sigmoid functions."""
    return max(error_of(Sigmoid(0.7, 0.3)), error_of(Sigmoid(0.2, -1.0)))
