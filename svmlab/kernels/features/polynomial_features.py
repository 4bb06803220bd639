"""The features of the kernel (scale <x, z> + c)^t as weighted monomials, ordered products or powers, and their cost.

A coordinate is a monomial x^a = x_1^a_1 .. x_d^a_d with |a| <= t. Without the constant (c = 0) only those with |a| = t
are left. Source: notes B and D, sections on kernels (K1 to K3 of the catalogue).
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Positive, Shape, WholeNumber, check_entry_count
from svmlab.core.validate import validated
from svmlab.kernels.monomials import monomials

PRIMES = (2_147_483_647, 2_147_483_629)  # products of two remainders fit into 64 bits
UNITS_PER_COORDINATE = 1000  # coordinates of points are whole thousandths
LARGEST_LIST = 10**6  # the largest number of entries in a list of exponents or products
Dimension = Annotated[int, WholeNumber(1, 10**4)]
Degree = Annotated[int, WholeNumber(0, 100)]
Table = Annotated[Array, Shape("m*", "d")]

Exponents = tuple[tuple[int, ...], ...]
Product = tuple[int, ...]  # indices of the factors, in the order in which they are multiplied


@validated
def ordered_product_count(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Return the number of ordered products of at most `degree` of d coordinates: 1 + d + .. + d^degree.

    Without the constant, only the d^degree products of exactly `degree` factors count.
    """
    return sum(d**k for k in range(degree + 1)) if constant else d**degree


@validated
def monomial_count(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Return the number of monomials in d variables up to `degree`, which is binom(d + degree, degree).

    Without the constant, the binom(d + degree - 1, degree) monomials of exactly this degree are counted.
    """
    return math.comb(d + degree - (not constant), degree)


@validated
def exponents(d: Dimension, degree: Degree, constant: bool = True) -> Exponents:
    """Return the exponents a (d,) of the distinct monomials, lower degrees first: 1, x_1, x_2, x_1^2, x_1 x_2, x_2^2.

    Raises BadInput if they are more than 10^6 numbers.
    """
    _limit(d, degree, monomial_count(d, degree, constant) * d)
    return _exponents(d, degree, constant)


@lru_cache(maxsize=64)
def _exponents(d: int, degree: int, constant: bool) -> Exponents:
    unsorted = [a for a, _count in monomials(d, degree, constant)]
    return tuple(sorted(unsorted, key=lambda a: (sum(a), tuple(-k for k in a))))


@validated
def ordered_products(d: Dimension, degree: Degree, constant: bool = True) -> tuple[Product, ...]:
    """Return the ordered products of at most `degree` coordinates (exactly `degree` without the constant).

    Each is a tuple of the factors' indices, shorter ones first. Raises BadInput if they are more than 10^6 numbers.
    """
    _limit(d, degree, ordered_product_count(d, degree, constant) * degree)
    return _ordered_products(d, degree, constant)


@lru_cache(maxsize=64)
def _ordered_products(d: int, degree: int, constant: bool) -> tuple[Product, ...]:
    lengths = range(degree + 1) if constant else (degree,)
    return tuple(word for k in lengths for word in product(range(d), repeat=k))


@validated
def monomial_weights(d: Dimension, degree: Degree, coef0: NotNegative, scale: Positive = 1.0) -> Array:
    """Return the weight of each of `exponents`: sqrt(multinomial coef0^(degree - |a|) scale^|a|), shape (D,).

    coef0 must be >= 0.
    """
    _limit(d, degree, monomial_count(d, degree) * d)
    count = dict(monomials(d, degree))
    square = [count[a] * coef0 ** (degree - sum(a)) * scale ** sum(a) for a in exponents(d, degree)]
    return np.sqrt(np.array(square, dtype=float))


@validated
def monomial_features(X: Table, degree: Degree, constant: bool = True) -> Array:
    """Return the monomials of X (m, d) without weights, shape (m, D): (1, x, .., x^degree) for d = 1."""
    _limit(X.shape[1], degree, monomial_count(X.shape[1], degree, constant))
    check_entry_count("X", len(X), monomial_count(X.shape[1], degree, constant))
    powers = np.ones((degree + 1, *X.shape))
    for k in range(1, degree + 1):
        powers[k] = powers[k - 1] * X
    columns = [
        math.prod((powers[k, :, j] for j, k in enumerate(a) if k), start=np.ones(len(X)))
        for a in exponents(X.shape[1], degree, constant)
    ]
    return np.stack(columns, axis=1)


@validated
def weighted_features(X: Table, degree: Degree, coef0: NotNegative, scale: Positive = 1.0, power: float = 1.0) -> Array:
    """Return the monomials of X (m, d), each times its weight to this `power`.

    The power 0 leaves the plain monomials, and 1 gives the features of the kernel.
    """
    return monomial_features(X, degree) * monomial_weights(X.shape[1], degree, coef0, scale) ** power


@validated
def ordered_product_features(X: Table, degree: Degree, coef0: NotNegative) -> Array:
    """Return one feature for each of the n ordered products of X (m, d), shape (m, n), n = `ordered_product_count`.

    A product of k factors is multiplied by sqrt(binom(degree, k) coef0^(degree - k)).
    """
    _limit(X.shape[1], degree, ordered_product_count(X.shape[1], degree, coef0 > 0))
    check_entry_count("X", len(X), ordered_product_count(X.shape[1], degree, coef0 > 0))
    level, columns = np.ones((len(X), 1)), list[Array]()
    for k in range(degree + 1):
        if k:
            level = (level[:, :, None] * X[:, None, :]).reshape(len(X), level.shape[1] * X.shape[1])
        if coef0 > 0 or k == degree:
            columns.append(math.sqrt(math.comb(degree, k) * coef0 ** (degree - k)) * level)
    return np.hstack(columns)


@validated
def gram_ranks(X: Table, degree: Degree, constant: bool = True) -> Index:
    """Return the exact rank of the Gram matrix of the first 1, 2, .., m points, shape (m,).

    X (m, d) must consist of whole thousandths. The rank equals that of the plain monomials for every coef0 > 0 and
    every scale. It is computed modulo two primes, because reduction modulo a prime can only lower a rank.
    """
    return np.asarray(np.max([_ranks_modulo(X, degree, constant, prime) for prime in PRIMES], axis=0))


@validated
def vanishing_polynomials(X: Table, degree: Degree, constant: bool = True) -> Array:
    """Return the polynomials that vanish at all points: unit coefficient vectors (k, D) over the plain monomials."""
    Phi = monomial_features(X, degree, constant)
    length = np.linalg.norm(Phi, axis=0)
    size = np.where(length > 0, length, 1.0)
    nullity = Phi.shape[1] - (int(gram_ranks(X, degree, constant)[-1]) if len(X) else 0)
    rows = np.linalg.svd(Phi / size)[2][Phi.shape[1] - nullity :] / size
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True)) if nullity else np.zeros((0, Phi.shape[1]))


@validated
def kernel_cost(d: Dimension, degree: Annotated[int, WholeNumber(1, 100)]) -> int:
    """Return the number of multiplications for one value (<x, z> + c)^degree.

    The inner product takes d, and the power takes squarings and products of squares.
    """
    return d + degree.bit_length() + degree.bit_count() - 2


@validated
def features_cost(d: Dimension, degree: Degree, constant: bool = True) -> int:
    """Return the number of multiplications for one inner product of the distinct features, once these are computed."""
    return monomial_count(d, degree, constant)


def _limit(d: int, degree: int, numbers: int) -> None:
    """Raise BadInput if a list of exponents or products is too long."""
    if numbers > LARGEST_LIST:
        raise BadInput(
            "degree: {degree} in d = {d} dimensions makes a list of more than {most} numbers. Take a lower degree.",
            degree=degree,
            d=d,
            most=LARGEST_LIST,
        )


def _ranks_modulo(X: Array, degree: int, constant: bool, prime: int) -> Index:
    """Return for each row (m,) the rank, modulo a prime, of the rows of monomials up to and including it."""
    thousandths = np.rint(UNITS_PER_COORDINATE * np.asarray(X, dtype=float)).astype(np.int64) % prime
    rows = np.ones((len(X), len(exponents(X.shape[1], degree, constant))), dtype=np.int64)
    for column, a in enumerate(exponents(X.shape[1], degree, constant)):
        for j, k in enumerate(a):
            for _ in range(k):
                rows[:, column] = rows[:, column] * thousandths[:, j] % prime
    ranks_so_far, rank = np.zeros(len(X), dtype=np.int64), 0
    for i, row in enumerate(rows):
        nonzero = np.flatnonzero(row)
        if len(nonzero):
            rank, pivot = rank + 1, nonzero[0]
            row = row * pow(int(row[pivot]), -1, prime) % prime
            rows[i + 1 :] = (rows[i + 1 :] - rows[i + 1 :, pivot, None] * row % prime) % prime
        ranks_so_far[i] = rank
    return ranks_so_far
