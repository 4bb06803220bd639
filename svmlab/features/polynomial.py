"""The coordinates behind (scale <x, z> + c)^t: weighted monomials, all products in order, plain powers; how many, and their cost.

A coordinate is a monomial x^a = x_1^a_1 .. x_d^a_d with |a| <= t; without the constant (c = 0) only those with |a| = t are left.
Source: B and D, sections on kernels (K1 to K3 of the catalogue).
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.errors import BadInput
from svmlab.monomials import monomials

PRIMES = (2_147_483_647, 2_147_483_629)  # products of two remainders fit into 64 bits
GRAIN = 1000  # points are whole thousandths

Exponents = tuple[tuple[int, ...], ...]
Product = tuple[int, ...]  # indices of the factors, in the order in which they are multiplied


def repeats(d: int, degree: int, constant: bool = True) -> int:
    """Ordered products of at most `degree` of d coordinates (of `degree`, without the constant): 1 + d + .. + d^degree."""
    return sum(d**k for k in range(degree + 1)) if constant else d**degree


def distinct(d: int, degree: int, constant: bool = True) -> int:
    """Those that are different: binom(d + degree, degree), or binom(d + degree - 1, degree) without the constant."""
    return math.comb(d + degree - (not constant), degree)


@lru_cache(maxsize=64)
def exponents(d: int, degree: int, constant: bool = True) -> Exponents:
    """Exponents a (d,) of the different monomials, lower degrees first: 1, x_1, x_2, x_1^2, x_1 x_2, x_2^2."""
    every = [a for a, _count in monomials(d, degree, constant)]
    return tuple(sorted(every, key=lambda a: (sum(a), tuple(-k for k in a))))


@lru_cache(maxsize=64)
def products(d: int, degree: int, constant: bool = True) -> tuple[Product, ...]:
    """The ordered products of at most `degree` coordinates (of `degree`, without the constant), shorter ones first."""
    lengths = range(degree + 1) if constant else (degree,)
    return tuple(word for k in lengths for word in product(range(d), repeat=k))


def weights(d: int, degree: int, coef0: float, scale: float = 1.0) -> Array:
    """What stands before each of `exponents`: sqrt(multinomial coef0^(degree - |a|) scale^|a|), shape (D,). Needs coef0 >= 0."""
    if coef0 < 0:
        raise BadInput(
            "coef0: {coef0:g} is negative, and no coordinates exist then. Use coef0 >= 0.", coef0=float(coef0)
        )
    count = dict(monomials(d, degree))
    square = [count[a] * coef0 ** (degree - sum(a)) * scale ** sum(a) for a in exponents(d, degree)]
    return np.sqrt(np.array(square, dtype=float))


def plain(X: Array, degree: int, constant: bool = True) -> Array:
    """The monomials of X (m, d) with nothing before them, shape (m, D): (1, x, .., x^degree) for d = 1."""
    X = np.asarray(X, dtype=float)
    powers = np.ones((degree + 1, *X.shape))
    for k in range(1, degree + 1):
        powers[k] = powers[k - 1] * X
    columns = [
        math.prod((powers[k, :, j] for j, k in enumerate(a) if k), start=np.ones(len(X)))
        for a in exponents(X.shape[1], degree, constant)
    ]
    return np.stack(columns, axis=1)


def weighted(X: Array, degree: int, coef0: float, scale: float = 1.0, power: float = 1.0) -> Array:
    """The monomials of X (m, d), each with its weight to this `power`: 0 leaves them plain, 1 makes them the kernel's."""
    return plain(X, degree) * weights(X.shape[1], degree, coef0, scale) ** power


def ordered(X: Array, degree: int, coef0: float) -> Array:
    """The ordered products of X (m, d), one coordinate each, shape (m, repeats): of k factors times sqrt(binom(degree, k) coef0^(degree - k))."""
    X = np.asarray(X, dtype=float)
    level, columns = np.ones((len(X), 1)), list[Array]()
    for k in range(degree + 1):
        if k:
            level = (level[:, :, None] * X[:, None, :]).reshape(len(X), -1)
        if coef0 > 0 or k == degree:
            columns.append(math.sqrt(math.comb(degree, k) * coef0 ** (degree - k)) * level)
    return np.hstack(columns)


def ranks(X: Array, degree: int, constant: bool = True) -> Index:
    """The rank of the Gram matrix of the first 1, 2, .. m points, (m,): X (m, d) in whole thousandths, without rounding.

    It is that of the plain monomials, whatever coef0 > 0 and scale. Whole numbers are reduced modulo a prime, which can only
    lower a rank; two primes.
    """
    return np.asarray(np.max([_staircase(X, degree, constant, prime) for prime in PRIMES], axis=0))


def vanishing(X: Array, degree: int, constant: bool = True) -> Array:
    """The polynomials that are 0 at all points: rows (k, D) of coefficients of length 1 before the plain monomials."""
    Phi = plain(X, degree, constant)
    length = np.linalg.norm(Phi, axis=0)
    size = np.where(length > 0, length, 1.0)
    left = Phi.shape[1] - (int(ranks(X, degree, constant)[-1]) if len(X) else 0)
    rows = np.linalg.svd(Phi / size)[2][Phi.shape[1] - left :] / size
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True)) if left else np.zeros((0, Phi.shape[1]))


def kernel_cost(d: int, degree: int) -> int:
    """Multiplications of one value (<x, z> + c)^degree: d of the inner product, then squarings and products of squares."""
    return d + degree.bit_length() + degree.bit_count() - 2


def features_cost(d: int, degree: int, constant: bool = True) -> int:
    """Multiplications of one inner product of the different coordinates, which are there already."""
    return distinct(d, degree, constant)


def _staircase(X: Array, degree: int, constant: bool, prime: int) -> Index:
    """How many rows of monomials, modulo a prime, are no combination of those above them, (m,)."""
    grains = np.rint(GRAIN * np.asarray(X, dtype=float)).astype(np.int64) % prime
    rows = np.ones((len(X), len(exponents(X.shape[1], degree, constant))), dtype=np.int64)
    for column, a in enumerate(exponents(X.shape[1], degree, constant)):
        for j, k in enumerate(a):
            for _ in range(k):
                rows[:, column] = rows[:, column] * grains[:, j] % prime
    found, rank = np.zeros(len(X), dtype=np.int64), 0
    for i, row in enumerate(rows):
        free = np.flatnonzero(row)
        if len(free):
            rank, lead = rank + 1, free[0]
            row = row * pow(int(row[lead]), -1, prime) % prime
            rows[i + 1 :] = (rows[i + 1 :] - rows[i + 1 :, lead, None] * row % prime) % prime
        found[i] = rank
    return found
