"""The features of a Gaussian kernel: one for each power, up to a highest degree (K6, K7 of the catalogue; note D).

In one dimension, with t = x/sigma and u = z/sigma:

    k(x, z) = e^{-(t - u)^2/2} = e^{-t^2/2} e^{-u^2/2} e^{t u} = sum_n phi_n(x) phi_n(z)
    phi_n(x) = e^{-t^2/2} t^n / sqrt(n!)

phi_n(x)^2 = e^{-t^2} t^{2n} / n! is the probability of n in a Poisson distribution with mean t^2. So the squares sum to
1, they are largest at n = t^2, and the remainder of k(x, x) after n = N is the tail of that distribution. In d
dimensions a feature is a product of one such feature for each coordinate. The features of degree n together are the
n-th term, and their squares sum to the same with t = |x|/sigma. Everything is computed from logarithms, so that no
power overflows.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import Annotated, NamedTuple

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Positive, Shape, WholeNumber, check_entry_count
from svmlab.core.validate import validated

HIGHEST_DEGREE = 100_000  # the highest degree that is accepted
LARGEST_LIST = 10**6  # the largest number of exponents in a list
FARTHEST = 300  # in multiples of sigma; the features there reach degree 90 000
HighestDegree = Annotated[int, WholeNumber(0, HIGHEST_DEGREE)]
Vector = Annotated[Array, Shape("k*")]
Table = Annotated[Array, Shape("m*", "d")]


class Factors(NamedTuple):
    """The logarithms of three factors whose product is the Gaussian.

    own (m,) depends on x, other (n,) on z, and both (m, n) on x and z.
    """

    own: Array
    other: Array
    both: Array


@validated
def gaussian_powers(x: Array, N: HighestDegree, sigma: Positive = 1.0) -> Array:
    """Return the features phi_0 .. phi_N of the Gaussian in one dimension, shape (k, N + 1), at points x (k,).

    x and sigma have the same unit. Raises BadInput if N is no whole number from 0 to 100 000, or sigma is not above 0.
    """
    check_entry_count("x", x.size, N + 1)
    return _powers(x.ravel() / sigma, N)


def _powers(t: Array, N: int) -> Array:
    """Return the same features for points in units of sigma, up to any degree."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        squares = t * t
        logs = np.arange(N + 1.0) * np.log(np.abs(t))[:, None]
    logs[:, 0] = 0.0  # 0^0 = 1
    signs = np.where((t < 0)[:, None] & (np.arange(N + 1) % 2 == 1), -1.0, 1.0)
    return signs * np.exp(logs - 0.5 * squares[:, None] - 0.5 * _log_factorials(N))


@validated
def gaussian_exponents(d: Annotated[int, WholeNumber(1, 10**4)], N: HighestDegree) -> Index:
    """Return the exponents a (D, d) of `gaussian_features`, D = binom(N + d, d), in the order of their degrees.

    The list for a smaller N is the beginning of this one. Raises BadInput if it has more than 10^6 numbers.
    """
    # If both N and d are above 60, there are more than 10^35 exponents.
    if min(N, d) > 60 or math.comb(N + d, d) * d > LARGEST_LIST:
        raise BadInput(
            "N: the features up to degree {N} in d = {d} dimensions are more than {most} numbers. Take a lower degree.",
            N=N,
            d=d,
            most=LARGEST_LIST,
        )
    return _exponents(d, N)


@validated
def gaussian_features(X: Table, N: HighestDegree, sigma: Positive = 1.0) -> Array:
    """Return the features of the Gaussian up to degree N, shape (m, binom(N + d, d)), for X (m, d).

        phi_a(x) = e^{-|x|^2/(2 sigma^2)} prod_j (x_j/sigma)^{a_j} / sqrt(a_j!)

    <phi(x), phi(z)> approximates k(x, z). The error is at most `gaussian_remainder` at the larger of |x| and |z|.
    Raises BadInput as `gaussian_powers` does, and for an X that is no table.
    """
    a = gaussian_exponents(X.shape[1], N)
    check_entry_count("X", len(X), len(a))
    out = np.ones((len(X), len(a)))
    for column, powers in zip(X.T, a.T, strict=True):
        out *= gaussian_powers(column, N, sigma)[:, powers]
    return out


@validated
def gaussian_grid(w: Array, N: HighestDegree, u: Vector, v: Vector, sigma: Positive = 1.0) -> Array:
    """Return <w, phi> at (u_j, v_i) on a grid of the plane, shape (len(v), len(u)).

    w (D,) is in the order of `gaussian_features`.
    """
    at = gaussian_exponents(2, N)
    if w.shape != (len(at),):
        raise BadInput(
            "w: shape {shape} is not ({D},). Give one weight for each feature up to degree N = {N}.",
            shape=w.shape,
            D=len(at),
            N=N,
        )
    table = np.zeros((N + 1, N + 1))
    table[tuple(at.T)] = w
    return gaussian_powers(v, N, sigma) @ table.T @ gaussian_powers(u, N, sigma).T


@validated
def gaussian_squares(r: float, N: HighestDegree, sigma: Positive = 1.0) -> Array:
    """Return the contributions of the features of degree 0 .. N to k(x, x) = 1 at |x| = r, shape (N + 1,).

    The largest is at n = (r/sigma)^2.
    """
    return _squares(r / sigma, N)


def _squares(t: float, N: int) -> Array:
    return _powers(np.array([t]), N)[0] ** 2


@validated
def gaussian_remainder(r: float, N: HighestDegree, sigma: Positive = 1.0) -> float:
    """Return the remainder of k(x, x) = 1 after degree N at |x| = r.

    It is summed from the smallest terms on, so it is exact up to rounding however small it is. Raises BadInput beyond
    300 sigma.
    """
    return float(_squares(r / sigma, _degree_without_tail(r, N, sigma))[N + 1 :][::-1].sum())


@validated
def gaussian_terms_needed(r: float, eps: Positive, sigma: Positive = 1.0) -> int:
    """Return the least N after which the remainder of k(x, x) at |x| = r is at most eps.

    For eps = 1e-6 it is about r^2 + 6 r, with r in units of sigma. Raises BadInput if eps is not above 0, and beyond
    300 sigma.
    """
    tails = np.cumsum(_squares(r / sigma, _degree_without_tail(r, 0, sigma))[::-1])[::-1]  # tails[n] sums from n on
    return max(int((tails > eps).sum()) - 1, 0)


@validated
def gaussian_factors(X: Table, Z: Table, sigma: Positive = 1.0) -> Factors:
    """Return the logarithms of the factors e^{-|x|^2/(2 sigma^2)}, e^{-|z|^2/(2 sigma^2)} and e^{<x, z>/sigma^2}.

    X is (m, d) and Z (n, d). Source: note B, the Gaussian from the linear kernel.
    """
    if X.shape[1] != Z.shape[1]:
        raise BadInput(
            "X, Z: the points have {own} and {other} coordinates. Give both the same number.",
            own=X.shape[1],
            other=Z.shape[1],
        )
    scale = 1.0 / sigma**2
    return Factors(-0.5 * scale * (X * X).sum(1), -0.5 * scale * (Z * Z).sum(1), scale * (X @ Z.T))


def _degree_without_tail(r: float, N: int, sigma: float) -> int:
    """Return a degree beyond which all terms are 0 in floating point. Raises BadInput beyond FARTHEST."""
    t = abs(r) / sigma
    if t > FARTHEST:
        raise BadInput(
            "r: {r:g} is more than {far} times sigma = {sigma:g}. Choose a smaller r, or a wider Gaussian.",
            r=r,
            far=FARTHEST,
            sigma=sigma,
        )
    return max(N, math.ceil(t * t)) + math.ceil(12 * t) + 60


@lru_cache(maxsize=16)
def _exponents(d: int, N: int) -> Index:
    """Return the exponents. Those of degree n are the gaps between d - 1 bars in a row of n + d - 1 positions."""
    bars = [(-1, *at, n + d - 1) for n in range(N + 1) for at in combinations(range(n + d - 1), d - 1)]
    return frozen(np.diff(np.array(bars), axis=1)[:, ::-1] - 1, np.intp)


@lru_cache(maxsize=16)
def _log_factorials(N: int) -> Array:
    """Return the logarithms of 0!, 1!, .., N!."""
    return frozen([math.lgamma(n + 1.0) for n in range(N + 1)])
