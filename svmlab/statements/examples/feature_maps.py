"""The features of polynomial and Gaussian kernels, their numbers and their costs, computed again one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from svmlab.kernels.features import gaussian_definiteness as definite
from svmlab.kernels.features import gaussian_series as series
from svmlab.kernels.features import orthogonal_complement as complement
from svmlab.kernels.features import polynomial_features as polynomial
from svmlab.kernels.features import random_fourier as random
from svmlab.kernels.monomials import monomials
from svmlab.kernels.standard import Gaussian
from svmlab.statements.examples.differences import difference, rough
from svmlab.statements.examples.kernel_values import A, B, kernel_value

SCALE, CONSTANT, DEGREE = 0.6, 0.7, 3

THOUSANDTHS = (  # points whose ranks change if a coordinate loses its sign or is rounded, most of all down
    [[0, 0], [1, 1], [-1, 1], [2, 2], [4, -1], [3999, 1001], [-4000, 3998], [-7, 5]],
    [[1009, 2010], [2018, 4020], [-1009, -2010], [0, 0], [3, 1]],
)


def ranks_of(points: list[list[int]], degree: int, constant: bool) -> list[int]:
    """Return the rank of the Gram matrix of the first 1, 2, .. points by exact elimination."""
    exponents = [a for a in product(range(degree + 1), repeat=2) if sum(a) <= degree and (constant or sum(a) == degree)]
    reduced, ranks = list[list[Fraction]](), []
    for point in points:
        row = [Fraction(math.prod(v**k for v, k in zip(point, a, strict=True))) for a in exponents]
        for other in reduced:
            pivot = next(j for j, v in enumerate(other) if v)
            row = [v - row[pivot] / other[pivot] * u for v, u in zip(row, other, strict=True)]
        reduced += [row] * any(row)
        ranks.append(len(reduced))
    return ranks


def products_of(row: list[float], degree: int) -> list[float]:
    """Return the ordered products of exactly `degree` coordinates."""
    return [math.prod(row[j] for j in word) for word in product(range(len(row)), repeat=degree)]


@cache
def error_of_monomials() -> float:
    """Compare monomials, their multinomial coefficients, weights and counts with all words of coordinates."""
    off = 0.0
    for d, degree in ((2, 3), (3, 2), (1, 4)):
        words = list(product(range(d + 1), repeat=degree))  # the last index stands for the constant
        counts: dict[tuple[int, ...], int] = {}
        for word in words:
            a = tuple(word.count(j) for j in range(d))
            counts[a] = counts.get(a, 0) + 1
        exact = {a: n for a, n in counts.items() if sum(a) == degree}
        for constant, wanted in ((True, counts), (False, exact)):
            coefficients = monomials(d, degree, constant)
            listed = polynomial.exponents(d, degree, constant)
            ordered = [math.prod((d,) * k) for k in range(degree + 1)]
            off = max(
                off,
                0.0 if dict(coefficients) == wanted and len(coefficients) == len(wanted) else 1.0,
                0.0 if set(listed) == set(wanted) and [sum(a) for a in listed] == sorted(map(sum, wanted)) else 1.0,
                difference(polynomial.monomial_count(d, degree, constant), len(wanted)),
                difference(polynomial.features_cost(d, degree, constant), len(wanted)),
                difference(
                    polynomial.ordered_product_count(d, degree, constant), sum(ordered) if constant else ordered[-1]
                ),
                difference(
                    len(polynomial.ordered_products(d, degree, constant)), sum(ordered) if constant else ordered[-1]
                ),
            )
        weights = polynomial.monomial_weights(d, degree, CONSTANT, SCALE)
        wanted_weights = [
            math.sqrt(counts[a] * CONSTANT ** (degree - sum(a)) * SCALE ** sum(a))
            for a in polynomial.exponents(d, degree)
        ]
        off = max(off, difference(weights, wanted_weights))
    costs = [polynomial.kernel_cost(2, degree) for degree in (1, 2, 3, 4, 7, 8)]
    return max(off, difference(costs, [2 + n for n in (0, 1, 2, 2, 4, 3)]))


@cache
def error_of_polynomial_features() -> float:
    """Compare features of points with products of their coordinates, and their inner products with the kernel."""
    off = 0.0
    values = np.array([[(SCALE * float(x @ z) + CONSTANT) ** DEGREE for z in B] for x in A])
    plain = np.array([[(float(x @ z) + CONSTANT) ** DEGREE for z in B] for x in A])
    listed = polynomial.exponents(2, DEGREE)
    raw = np.array([[math.prod(v**k for v, k in zip(x, a, strict=True)) for a in listed] for x in A.tolist()])
    pairs = [polynomial.weighted_features(V, DEGREE, CONSTANT, SCALE) for V in (A, B)]
    words = [polynomial.ordered_product_features(V, DEGREE, CONSTANT) for V in (A, B)]
    pure = polynomial.ordered_product_features(A, 2, 0.0)
    rows = np.array([[0.5, 1.0], [1.0, 2.0], [0.25, 0.5], [1.0, -1.0], [3.0, 0.5]])
    ranks = [int(np.linalg.matrix_rank((rows[:k] @ rows[:k].T + 1.0) ** 2)) for k in range(1, 6)]
    collinear = np.stack([np.arange(5.0), 2.0 * np.arange(5.0)], 1)
    vanish = polynomial.vanishing_polynomials(collinear, 1)
    nearly_collinear = collinear.copy()
    nearly_collinear[3, 1] += 0.001  # one thousandth off the line
    return max(
        off,
        difference(polynomial.monomial_features(A, DEGREE), raw),
        difference(pairs[0] @ pairs[1].T, values),
        difference(words[0] @ words[1].T, plain),
        difference(polynomial.weighted_features(A, DEGREE, CONSTANT, SCALE, 0.0), raw),
        difference(polynomial.weighted_features(A, DEGREE, CONSTANT, SCALE, 2.0) * raw, pairs[0] ** 2),
        difference(np.sort(pure, 1), [sorted(products_of(x, 2)) for x in A.tolist()]),
        difference(polynomial.gram_ranks(rows, 2), ranks),
        *(
            difference(
                polynomial.gram_ranks(np.array(points) / 1000.0, degree, constant), ranks_of(points, degree, constant)
            )
            for points, degree, constant in product(THOUSANDTHS, (1, 2), (True, False))
        ),
        difference(polynomial.gram_ranks(nearly_collinear, 1), (1, 2, 2, 3, 3)),
        difference(polynomial.vanishing_polynomials(nearly_collinear, 1).shape, (0, 3)),
        difference(polynomial.monomial_features(collinear, 1) @ vanish.T, np.zeros((5, len(vanish)))),
        difference((len(vanish), float((vanish**2).sum())), (1, 1.0)),
    )


@cache
def error_of_gaussian_features() -> float:
    """Compare the power series of the Gaussian, its remainder and its factors with the terms of the exponential."""
    off, sigma, N = 0.0, 1.4, 5
    for x in (0.0, 0.8, -2.1):
        t = x / sigma
        terms = [math.exp(-t * t / 2) * t**n / math.sqrt(math.factorial(n)) for n in range(80)]
        squares = [term * term for term in terms]
        off = max(
            off,
            difference(series.gaussian_powers(np.array([x]), N, sigma)[0], terms[: N + 1]),
            difference(series.gaussian_squares(abs(x), N, sigma), squares[: N + 1]),
            difference(series.gaussian_remainder(abs(x), N, sigma), sum(squares[N + 1 :])),
        )
        for eps in (0.1, 1e-4):
            needed = next(n for n in range(80) if sum(squares[n + 1 :]) <= eps)
            off = max(off, difference(series.gaussian_terms_needed(abs(x), eps, sigma), needed))
    values = np.array([[kernel_value(Gaussian(sigma), p, q) for q in B.tolist()] for p in A.tolist()])
    features = [series.gaussian_features(V, 40, sigma) for V in (A, B)]
    factors = series.gaussian_factors(A, B, sigma)
    own = [-float(x @ x) / (2 * sigma**2) for x in A]
    other = [-float(z @ z) / (2 * sigma**2) for z in B]
    u, v, w = np.array([-1.0, 0.5]), np.array([0.25, 1.5, -0.5]), np.linspace(-1.0, 1.0, 10)
    places = np.array([[a, b] for b in v for a in u])
    return max(
        off,
        difference(features[0] @ features[1].T, values),
        difference(factors.own, own),
        difference(factors.other, other),
        difference(factors.both, A @ B.T / sigma**2),
        difference(series.gaussian_grid(w, 3, u, v, sigma).ravel(), series.gaussian_features(places, 3, sigma) @ w),
        difference(len(series.gaussian_exponents(3, 4)), math.comb(7, 3)),
    )


@cache
def error_of_random_features() -> float:
    """Compare random features with cosines of their directions and phases, and their mean with the Gaussian."""
    sigma, off = 0.7, 0.0
    features, more = random.random_features(2, 40, sigma, 3), random.random_features(2, 20000, sigma, 3)
    cosines = [
        [math.sqrt(2.0 / 40) * math.cos(float(w @ x) + c) for w, c in zip(features.W, features.c.tolist(), strict=True)]
        for x in A
    ]
    k = np.array([[kernel_value(Gaussian(sigma), p, q) for q in B.tolist()] for p in A.tolist()])
    spread = np.sqrt((1.0 + k**4) / 2.0 + 0.5 - k**2)  # of one product of two cosines
    u, v = np.array([-1.0, 0.5]), np.array([0.25, 1.5, -0.5])
    places, w = np.array([[a, b] for b in v for a in u]), np.linspace(-1.0, 1.0, 40)
    normal = more.W * sigma
    others = [np.array_equal(features.W, random.random_features(2, 40, sigma, seed).W) for seed in (4, 0)]
    return max(
        off,
        difference(features(A), cosines),
        difference(random.random_deviation(k, 50), spread / math.sqrt(50)),
        rough(float((np.abs(more(A) @ more(B).T - k) / (spread / math.sqrt(20000))).max()), 5.0),
        difference(features.grid(w, u, v).ravel(), features(places) @ w),
        rough(abs(float((normal**2).mean()) - 1.0), 0.05),
        rough(abs(float((normal**4).mean()) - 3.0), 0.3),
        rough(abs(float(more.c.mean()) - math.pi), 0.1),
        rough(abs(float(more.c.std()) - math.pi / math.sqrt(3.0)), 0.05),
        0.0 if float(more.c.min()) >= 0.0 and float(more.c.max()) <= 2 * math.pi else 1.0,
        1.0 if any(others) else 0.0,
        difference(more.W[:40], features.W),
    )


@cache
def error_of_definiteness() -> float:
    """Compare the proof that a Gaussian Gram matrix is definite with its eigenvalues, and what follows from it."""
    points, off = np.vstack([A, [[-1.0, -0.5]]]), 0.0
    labels = np.array([1.0, -1.0, -1.0, 1.0])
    for sigma in (0.8, 2.0):
        proof = definite.prove_definite(points, sigma)
        K = np.array([[kernel_value(Gaussian(sigma), p, q) for q in points.tolist()] for p in points.tolist()])
        inverse, eigenvalues = np.linalg.inv(K), np.linalg.eigvalsh(K)
        alone = []
        for i in range(4):
            kept = [j for j in range(4) if j != i]
            alone.append(float(K[i, kept] @ np.linalg.solve(K[np.ix_(kept, kept)], labels[kept])))
        off = max(
            off,
            difference(proof.inverse * proof.trace, inverse),
            difference(proof.least_eigenvalue, eigenvalues[0]),
            difference(proof.largest_eigenvalue, eigenvalues[-1]),
            difference(proof.margin, math.sqrt(eigenvalues[0] / 4)),
            difference(proof.norm(labels), math.sqrt(float(labels @ inverse @ labels))),
            difference(proof.leave_one_out_values(labels), alone),
        )
    return off


@cache
def error_of_complements() -> float:
    """Check that a basis of the span is orthonormal, and that the orthogonal part of vectors is orthogonal to it."""
    Phi = np.array([[1.0, 2.0, 0.0, 1.0], [0.5, -1.0, 1.0, 0.0], [1.5, 1.0, 1.0, 1.0]])  # of rank 2
    V = np.array([[1.0, 0.0, 0.0, 0.0], [0.3, -0.2, 1.0, 2.0]])
    basis = complement.span_basis(Phi)
    rest = complement.orthogonal_part(V, basis)
    return max(
        difference(basis @ basis.T, np.eye(2)),
        difference(Phi @ basis.T @ basis, Phi),
        difference(rest @ Phi.T, np.zeros((2, 3))),
        difference((V - rest) @ basis.T @ basis, V - rest),
    )
