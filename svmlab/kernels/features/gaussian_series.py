"""The coordinates behind a Gaussian: one for each power, up to a last one (K6, K7 of the catalogue; source D).

On the line, with t = x/sigma and u = z/sigma:

    k(x, z) = e^{-(t - u)^2/2} = e^{-t^2/2} e^{-u^2/2} e^{t u} = sum_n phi_n(x) phi_n(z),    phi_n(x) = e^{-t^2/2} t^n /
    sqrt(n!)

phi_n(x)^2 = e^{-t^2} t^{2n} / n! is the chance of n in a Poisson distribution with mean t^2. So the squares add up to
1, they are largest at n = t^2, and what is missing from k(x, x) after n = N is the tail of that distribution. In d
dimensions a feature is a product of one such for each coordinate, and those of degree n together are the n-th term:
their squares add up to the same with t = |x|/sigma. All is taken from logarithms, so that no power is too large.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import Annotated, NamedTuple

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Positive, Shape, WholeNumber, fits
from svmlab.core.validate import validated

LAST = 100_000  # the highest degree that is taken
MOST = 10**6  # features
FAR = 300  # widths sigma: there are features of degree 90 000
Last = Annotated[int, WholeNumber(0, LAST)]
Line = Annotated[Array, Shape("k*")]
Table = Annotated[Array, Shape("m*", "d")]


class Factors(NamedTuple):
    """The logarithms of three factors whose product is the Gaussian: own (m,) of x, other (n,) of z, and both (m,
    n).
    """

    own: Array
    other: Array
    both: Array


@validated
def gaussian_powers(x: Array, N: Last, sigma: Positive = 1.0) -> Array:
    """Features phi_0 .. phi_N of the Gaussian on the line, shape (k, N + 1), for places x (k,) in the units of sigma.

    Raises BadInput for an N that is no whole number from 0 to 100 000, or a sigma that is not above 0.
    """
    fits("x", x.size, N + 1)
    return _powers(x.ravel() / sigma, N)


def _powers(t: Array, N: int) -> Array:
    """The same for places in units of sigma, up to any degree."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        squares = t * t
        logs = np.arange(N + 1.0) * np.log(np.abs(t))[:, None]
    logs[:, 0] = 0.0  # 0^0 = 1
    signs = np.where((t < 0)[:, None] & (np.arange(N + 1) % 2 == 1), -1.0, 1.0)
    return signs * np.exp(logs - 0.5 * squares[:, None] - 0.5 * _log_factorials(N))


@validated
def gaussian_exponents(d: Annotated[int, WholeNumber(1, 10**4)], N: Last) -> Index:
    """The exponents a (D, d) of `gaussian_features`, D = binom(N + d, d), degree after degree: a smaller N is their
    beginning.

    Raises BadInput where there are more than 10^6.
    """
    # Where N and d are above 60, there are more than 10^35.
    if min(N, d) > 60 or math.comb(N + d, d) * d > MOST:
        raise BadInput(
            "N: the features up to degree {N} in d = {d} dimensions are more than {most} numbers. Take a lower degree.",
            N=N,
            d=d,
            most=MOST,
        )
    return _exponents(d, N)


@validated
def gaussian_features(X: Table, N: Last, sigma: Positive = 1.0) -> Array:
    """Features of the Gaussian up to degree N, shape (m, binom(N + d, d)), for X (m, d): <phi(x), phi(z)> comes near
    k(x, z).

    phi_a(x) = e^{-|x|^2/(2 sigma^2)} prod_j (x_j/sigma)^{a_j} / sqrt(a_j!). The error is at most that of
    `gaussian_missing` at the larger of |x| and |z|. Raises BadInput as `gaussian_powers`, and for an X that is no
    table.
    """
    a = gaussian_exponents(X.shape[1], N)
    fits("X", len(X), len(a))
    out = np.ones((len(X), len(a)))
    for column, powers in zip(X.T, a.T, strict=True):
        out *= gaussian_powers(column, N, sigma)[:, powers]
    return out


@validated
def gaussian_grid(w: Array, N: Last, u: Line, v: Line, sigma: Positive = 1.0) -> Array:
    """<w, phi> at (u_j, v_i) on a grid of the plane, shape (len(v), len(u)); w (D,) in the order of
    `gaussian_features`.
    """
    at = gaussian_exponents(2, N)
    if w.shape != (len(at),):
        raise BadInput(
            "w: shape {shape} is not ({D},), one weight for each feature up to degree N = {N}.",
            shape=w.shape,
            D=len(at),
            N=N,
        )
    table = np.zeros((N + 1, N + 1))
    table[tuple(at.T)] = w
    return gaussian_powers(v, N, sigma) @ table.T @ gaussian_powers(u, N, sigma).T


@validated
def gaussian_squares(r: float, N: Last, sigma: Positive = 1.0) -> Array:
    """What the features of degree 0 .. N add to k(x, x) = 1 at |x| = r, shape (N + 1,): the largest is at n =
    (r/sigma)^2.
    """
    return _squares(r / sigma, N)


def _squares(t: float, N: int) -> Array:
    return _powers(np.array([t]), N)[0] ** 2


@validated
def gaussian_missing(r: float, N: Last, sigma: Positive = 1.0) -> float:
    """What is missing from k(x, x) = 1 after degree N at |x| = r, summed from the far end: exact to rounding however
    small.

    Raises BadInput beyond 300 sigmas.
    """
    return float(_squares(r / sigma, _far(r, N, sigma))[N + 1 :][::-1].sum())


@validated
def gaussian_needed(r: float, eps: Positive, sigma: Positive = 1.0) -> int:
    """The least N after which no more than eps is missing from k(x, x) at |x| = r; some r^2 + 6 r for a millionth, r in
    sigmas.

    Raises BadInput where eps is not above 0, and beyond 300 sigmas.
    """
    tails = np.cumsum(_squares(r / sigma, _far(r, 0, sigma))[::-1])[::-1]  # from n on
    return max(int((tails > eps).sum()) - 1, 0)


@validated
def gaussian_factors(X: Table, Z: Table, sigma: Positive = 1.0) -> Factors:
    """The logarithms of the factors e^{-|x|^2/(2 sigma^2)}, e^{-|z|^2/(2 sigma^2)} and e^{<x, z>/sigma^2}, X (m, d), Z
    (n, d).

    Source: B, the Gaussian from the linear kernel.
    """
    if X.shape[1] != Z.shape[1]:
        raise BadInput(
            "X, Z: {own} and {other} coordinates differ. Give both the same.", own=X.shape[1], other=Z.shape[1]
        )
    scale = 1.0 / sigma**2
    return Factors(-0.5 * scale * (X * X).sum(1), -0.5 * scale * (Z * Z).sum(1), scale * (X @ Z.T))


def _far(r: float, N: int, sigma: float) -> int:
    """A degree beyond which nothing is left for floats. Raises BadInput."""
    t = abs(r) / sigma
    if t > FAR:
        raise BadInput(
            "r: {r:g} is more than {far} times sigma = {sigma:g}. Take a place nearer to 0, or a wider Gaussian.",
            r=r,
            far=FAR,
            sigma=sigma,
        )
    return max(N, math.ceil(t * t)) + math.ceil(12 * t) + 60


@lru_cache(maxsize=16)
def _exponents(d: int, N: int) -> Index:
    """Exponents of degree n are the gaps between d - 1 bars among n + d - 1 places."""
    bars = [(-1, *at, n + d - 1) for n in range(N + 1) for at in combinations(range(n + d - 1), d - 1)]
    return frozen(np.diff(np.array(bars), axis=1)[:, ::-1] - 1, np.intp)


@lru_cache(maxsize=16)
def _log_factorials(N: int) -> Array:
    """The logarithms of 0!, 1!, .. N!."""
    return frozen([math.lgamma(n + 1.0) for n in range(N + 1)])
