"""The coordinates behind (scale <x, z> + c)^t: weighted monomials, all products in order, plain powers; how many, and
their cost.

A coordinate is a monomial x^a = x_1^a_1 .. x_d^a_d with |a| <= t; without the constant (c = 0) only those with |a| = t
are left. Source: B and D, sections on kernels (K1 to K3 of the catalogue).
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Positive, Shape, WholeNumber, fits
from svmlab.core.validate import validated
from svmlab.kernels.monomials import monomials

PRIMES = (2_147_483_647, 2_147_483_629)  # products of two remainders fit into 64 bits
GRAIN = 1000  # points are whole thousandths
MOST = 10**6  # numbers in a list of exponents or products
Dimension = Annotated[int, WholeNumber(1, 10**4)]
Degree = Annotated[int, WholeNumber(0, 100)]
Table = Annotated[Array, Shape("m*", "d")]

Exponents = tuple[tuple[int, ...], ...]
Product = tuple[int, ...]  # indices of the factors, in the order in which they are multiplied


@validated
def repeats(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Ordered products of at most `degree` of d coordinates (of `degree`, without the constant): 1 + d + .. +
    d^degree.
    """
    return sum(d**k for k in range(degree + 1)) if constant else d**degree


@validated
def distinct(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Those that are different: binom(d + degree, degree), or binom(d + degree - 1, degree) without the constant."""
    return math.comb(d + degree - (not constant), degree)


@validated
def exponents(d: Dimension, degree: Degree, constant: bool = True) -> Exponents:
    """Exponents a (d,) of the different monomials, lower degrees first: 1, x_1, x_2, x_1^2, x_1 x_2, x_2^2.

    Raises BadInput where they are more than 10^6 numbers.
    """
    _few(d, degree, distinct(d, degree, constant) * d)
    return _exponents(d, degree, constant)


@lru_cache(maxsize=64)
def _exponents(d: int, degree: int, constant: bool) -> Exponents:
    every = [a for a, _count in monomials(d, degree, constant)]
    return tuple(sorted(every, key=lambda a: (sum(a), tuple(-k for k in a))))


@validated
def products(d: Dimension, degree: Degree, constant: bool = True) -> tuple[Product, ...]:
    """The ordered products of at most `degree` coordinates (of `degree`, without the constant), shorter ones first.

    Raises BadInput where they are more than 10^6 numbers.
    """
    _few(d, degree, repeats(d, degree, constant) * degree)
    return _products(d, degree, constant)


@lru_cache(maxsize=64)
def _products(d: int, degree: int, constant: bool) -> tuple[Product, ...]:
    lengths = range(degree + 1) if constant else (degree,)
    return tuple(word for k in lengths for word in product(range(d), repeat=k))


@validated
def weights(d: Dimension, degree: Degree, coef0: NotNegative, scale: Positive = 1.0) -> Array:
    """What stands before each of `exponents`: sqrt(multinomial coef0^(degree - |a|) scale^|a|), shape (D,). Needs coef0
    >= 0.
    """
    _few(d, degree, distinct(d, degree) * d)
    count = dict(monomials(d, degree))
    square = [count[a] * coef0 ** (degree - sum(a)) * scale ** sum(a) for a in exponents(d, degree)]
    return np.sqrt(np.array(square, dtype=float))


@validated
def plain(X: Table, degree: Degree, constant: bool = True) -> Array:
    """The monomials of X (m, d) with nothing before them, shape (m, D): (1, x, .., x^degree) for d = 1."""
    _few(X.shape[1], degree, distinct(X.shape[1], degree, constant))
    fits("X", len(X), distinct(X.shape[1], degree, constant))
    powers = np.ones((degree + 1, *X.shape))
    for k in range(1, degree + 1):
        powers[k] = powers[k - 1] * X
    columns = [
        math.prod((powers[k, :, j] for j, k in enumerate(a) if k), start=np.ones(len(X)))
        for a in exponents(X.shape[1], degree, constant)
    ]
    return np.stack(columns, axis=1)


@validated
def weighted(X: Table, degree: Degree, coef0: NotNegative, scale: Positive = 1.0, power: float = 1.0) -> Array:
    """The monomials of X (m, d), each with its weight to this `power`: 0 leaves them plain, 1 makes them the
    kernel's.
    """
    return plain(X, degree) * weights(X.shape[1], degree, coef0, scale) ** power


@validated
def ordered(X: Table, degree: Degree, coef0: NotNegative) -> Array:
    """The ordered products of X (m, d), one coordinate each, shape (m, repeats): of k factors times sqrt(binom(degree,
    k) coef0^(degree - k)).
    """
    _few(X.shape[1], degree, repeats(X.shape[1], degree, coef0 > 0))
    fits("X", len(X), repeats(X.shape[1], degree, coef0 > 0))
    level, columns = np.ones((len(X), 1)), list[Array]()
    for k in range(degree + 1):
        if k:
            level = (level[:, :, None] * X[:, None, :]).reshape(len(X), level.shape[1] * X.shape[1])
        if coef0 > 0 or k == degree:
            columns.append(math.sqrt(math.comb(degree, k) * coef0 ** (degree - k)) * level)
    return np.hstack(columns)


@validated
def ranks(X: Table, degree: Degree, constant: bool = True) -> Index:
    """The rank of the Gram matrix of the first 1, 2, .. m points, (m,): X (m, d) in whole thousandths, without
    rounding.

    It is that of the plain monomials, whatever coef0 > 0 and scale. Whole numbers are reduced modulo a prime, which can
    only lower a rank; two primes.
    """
    return np.asarray(np.max([_staircase(X, degree, constant, prime) for prime in PRIMES], axis=0))


@validated
def vanishing(X: Table, degree: Degree, constant: bool = True) -> Array:
    """The polynomials that are 0 at all points: rows (k, D) of coefficients of length 1 before the plain monomials."""
    Phi = plain(X, degree, constant)
    length = np.linalg.norm(Phi, axis=0)
    size = np.where(length > 0, length, 1.0)
    left = Phi.shape[1] - (int(ranks(X, degree, constant)[-1]) if len(X) else 0)
    rows = np.linalg.svd(Phi / size)[2][Phi.shape[1] - left :] / size
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True)) if left else np.zeros((0, Phi.shape[1]))


@validated
def kernel_cost(d: Dimension, degree: Annotated[int, WholeNumber(1, 100)]) -> int:
    """Multiplications of one value (<x, z> + c)^degree: d of the inner product, then squarings and products of
    squares.
    """
    return d + degree.bit_length() + degree.bit_count() - 2


@validated
def features_cost(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Multiplications of one inner product of the different coordinates, which are there already."""
    return distinct(d, degree, constant)


def _few(d: int, degree: int, numbers: int) -> None:
    """Raise BadInput where a list of exponents or products is too long."""
    if numbers > MOST:
        raise BadInput(
            "degree: {degree} in d = {d} dimensions makes a list of more than {most} numbers. Take a lower degree.",
            degree=degree,
            d=d,
            most=MOST,
        )


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
