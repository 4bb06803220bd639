"""K5 and K13: kernels that are made from other kernels."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

PLACE = N_("Techniques for constructing kernel functions")
TERMS = 24  # number of terms of the series of exp: for values up to 1 the remainder is below rounding
WIDTHS = (0.5, 1.0, 3.0)  # values of the kernel width sigma, in units of the longest phi(x)


def largest_squared_norm(K: Array) -> float:
    """Return the largest squared length, or 1 where all are 0.

    It is the unit of a Gram matrix, and its root is the unit of the features.
    """
    return float(np.diag(K).max(initial=0.0)) or 1.0


def smallest_eigenvalue(K: Array) -> float:
    """Return the least eigenvalue of the symmetric part of a matrix, in units of the largest entry."""
    size = float(np.abs(K).max(initial=0.0)) or 1.0
    return float(np.linalg.eigvalsh(0.5 * (K + K.T))[0]) / size


def all_products(P: Array, Q: Array) -> Array:
    """Return all products of a coordinate of P (m, D) and a coordinate of Q (m, E), shape (m, D E)."""
    return np.asarray((P[:, :, None] * Q[:, None, :]).reshape(len(P), P.shape[1] * Q.shape[1]))


def angle(X: Array) -> Array:
    """Return an angle for every point (m,), whose cosine and sine have neither a fixed sign nor a common factor."""
    return np.asarray(3.0 * X[:, 0] + 2.0 * X.sum(1))


def gram_pairs_by_rule(s: Situation) -> dict[str, tuple[Array, Array]]:
    """Return for every rule its Gram matrix, once from kernel values and once from the features that it makes.

    k is the board's kernel and k_2 = <x, z>, both with 1 as their largest value; f = cos(`angle`); A = 1 + 11'.
    """
    K, S, f = s.problem.gram, s.X @ s.X.T, np.cos(angle(s.X))
    P, R = s.Phi / math.sqrt(largest_squared_norm(K)), s.X / math.sqrt(largest_squared_norm(S))
    K, S = K / largest_squared_norm(K), S / largest_squared_norm(S)
    A = np.eye(s.X.shape[1]) + 1.0
    features = {
        "c k": math.sqrt(2.0) * P,
        "k1 + k2": np.hstack([P, R]),
        "k1 k2": all_products(P, R),
        "k + k^2": np.hstack([P, all_products(P, P)]),
        "f k f": f[:, None] * P,
        "x'Ax'": R @ np.linalg.cholesky(A),
    }
    values = {
        "c k": 2.0 * K,
        "k1 + k2": K + S,
        "k1 k2": K * S,
        "k + k^2": K + K * K,
        "f k f": f[:, None] * K * f,
        "x'Ax'": s.X @ A @ s.X.T / largest_squared_norm(s.X @ s.X.T),
    }
    grams = {name: (values[name], Phi @ Phi.T) for name, Phi in features.items()}
    # The features of exp k are those of all powers of k. The inner product of the n-th features is the n-th power of
    # <phi(x), phi(z)>, divided by n!.
    G, power, series = P @ P.T, np.ones_like(K), np.ones_like(K)
    for n in range(1, TERMS):
        power = power * G / n
        series = series + power
    return grams | {"exp k": (np.exp(K), series)}


@statement(
    "K5",
    N_("Building kernels from kernels"),
    sentence=N_(
        "If k₁ and k₂ are kernels, then c k₁ with c > 0, k₁ + k₂ and k₁k₂ are kernels. So are exp(k₁) and "
        "every polynomial of k₁ with non-negative coefficients. Two more kernels are f(x) k₁(x, x′) f(x′) "
        "for any function f, and xᵀAx′ with a symmetric positive semidefinite A."
    ),
    formula=(
        r"c\,k_1,\quad k_1 + k_2,\quad k_1 k_2,\quad p(k_1),\quad e^{k_1},\quad f(x)\,k_1(x, "
        r"x')\,f(x'),\quad x^\top A\,x'"
    ),
    source=(
        Source(
            "B", PLACE, quote=r"$\kappa(\mathbf{x}_1,\mathbf{x}_2) = c\kappa_1(\mathbf{x}_1,\mathbf{x}_2)$, for any c>0"
        ),
        Source(
            "B",
            PLACE,
            "hedged",
            quote=(
                r"$\kappa(\mathbf{x}_1, \mathbf{x}_2) = \mathbf{x}_1^T \mathbf{A} \mathbf{x}_2$, with "
                r"$\mathbf{A}$ positive definite"
            ),
            flaw=N_(
                "A must be symmetric and positive semidefinite. The slides print “positive definite”, which does "
                "not include symmetry for all authors."
            ),
            at=91,
        ),
        Source(
            "B",
            PLACE,
            "incomplete",
            quote=(
                r"$\kappa(\mathbf{x}_1, \mathbf{x}_2) = f(\mathbf{x}_1)\kappa_1(\mathbf{x}_1, "
                r"\mathbf{x}_2)g(\mathbf{x}_2), \text{ for any } f, g : \mathbb{R}^n \mapsto \mathbb{R}$"
            ),
            flaw=N_(
                "It is a kernel if g = c f with c ≥ 0. For g = −f, k(x, x) is negative where f(x) ≠ 0 and k₁(x, x) "
                "> 0. The slides allow any f and g, so they omit this condition."
            ),
            at=91,
        ),
        Source(
            "B",
            PLACE,
            quote=(
                r"is a kernel function since it is a polynomial with non negative coefficients (in particular "
                r"$p(z) = z^d$) of a kernel function"
            ),
        ),
    ),
    repair=N_(
        "The rules hold with f(x) k₁(x, x′) f(x′), where both factors are the same function. The matrix A "
        "is symmetric and positive semidefinite."
    ),
    conditions=N_("The kernel has a feature space, and there is at least one point."),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)),
        (1, -1),
        N_(
            "With f = 1 and g = −1, one point is enough to refute the rule. k(x, x) = 1 becomes −1, and no "
            "vector has the squared norm −1."
        ),
    ),
)
def closure(s: Situation, tol: float) -> Outcome:
    """Compare every Gram matrix from kernel values with the one from features, and return its least eigenvalue.

    The printed reading is the same for f k g with f = 1 and g = -1, and with f and g that are no multiples of each
    other.
    """
    s.need_small()
    grams = gram_pairs_by_rule(s)
    differences = {name: float(np.abs(K - G).max()) / (float(np.abs(G).max()) or 1.0) for name, (K, G) in grams.items()}
    smallest_eigenvalues = {name: smallest_eigenvalue(K) for name, (K, _G) in grams.items()}
    worst, lowest = (
        max(differences, key=lambda name: differences[name]),
        min(smallest_eigenvalues, key=lambda name: smallest_eigenvalues[name]),
    )
    repaired = reading(
        tol,
        max(differences[worst], -smallest_eigenvalues[lowest]),
        Side(
            "largest relative difference between kernel values and features, all rules",
            differences[worst],
            r"|K - \Phi\Phi^\top|",
        ),
        Side(
            "smallest eigenvalue of all rules, in units of the largest entry",
            smallest_eigenvalues[lowest],
            r"\lambda_{\min}",
        ),
    )
    return Outcome(any_two(s, tol), repaired)


def any_two(s: Situation, tol: float) -> Reading:
    """Return the reading of f k g with f = 1 and g = -1, and with f = cos and g = sin of one angle."""
    K, angles = s.problem.gram / largest_squared_norm(s.problem.gram), angle(s.X)
    mirrored, mixed = -K, np.cos(angles)[:, None] * K * np.sin(angles)
    asymmetry = float(np.abs(mixed - mixed.T).max())
    return reading(
        tol,
        max(-smallest_eigenvalue(mirrored), asymmetry),
        Side("k(x, x) of the point with the largest norm, f = 1, g = −1", -float(np.diag(K).max()), r"f\,k\,g"),
        Side("smallest eigenvalue, f = 1, g = −1", smallest_eigenvalue(mirrored), r"\lambda_{\min}"),
        Side("largest difference between K and Kᵀ, f = cos, g = sin", asymmetry, r"|K - K^\top|"),
    )


def distances_by_values(K: Array) -> Array:
    """Return k(x, x) + k(z, z) - 2 k(x, z), shape (m, m)."""
    diagonal = np.diag(K)
    return np.asarray(diagonal[:, None] + diagonal - 2.0 * K)


def distances_by_features(P: Array) -> Array:
    """Return |phi(x) - phi(z)|^2, coordinate by coordinate, shape (m, m)."""
    return np.stack([((P - row) ** 2).sum(1) for row in P])


@statement(
    "K13",
    N_("Gaussian of another kernel"),
    sentence=N_(
        "If you replace the inner product ⟨x, x′⟩ in the Gaussian kernel by any kernel k, the result is a "
        "kernel for every width σ."
    ),
    formula=r"\exp\!\left(-\frac{k(x,x) + k(x',x') - 2k(x,x')}{2\sigma^2}\right)",
    source=(
        Source(
            "B",
            N_("Relevant kernel functions"),
            quote=(
                r"Observe that a gaussian kernel can be derived also starting from a non linear kernel function "
                r"$\kappa(\mathbf{x}_1, \mathbf{x}_2)$ instead of $\mathbf{x}_1^T \mathbf{x}_2$."
            ),
        ),
    ),
    conditions=N_("The kernel has a feature space, and there is at least one point."),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    witness=Witness(
        ((-2.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), (2.0, 0.0)),
        (1, -1, 1, -1, 1),
        N_(
            "Five points on a line refute it. With the fourth power of the distance, their Gram matrix has a "
            "negative eigenvalue."
        ),
    ),
)
def gaussian_of(s: Situation, tol: float) -> Outcome:
    """Compare the exponent from kernel values with lengths in feature space, at several widths.

    The least eigenvalue is computed at each width too. At the largest width there is a third way, by two rules of K5:
    f(x) e^{k/sigma^2} f(x') with f = e^{-k(x,x)/(2 sigma^2)}, with k in the exponent from the features.
    """
    s.need_small()
    kappa = largest_squared_norm(s.problem.gram)
    K, P = s.problem.gram / kappa, s.Phi / math.sqrt(kappa)
    by_values, by_features = distances_by_values(K), distances_by_features(P)
    grams = [np.exp(-by_values / (2.0 * w * w)) for w in WIDTHS]
    difference = max(
        float(np.abs(G - np.exp(-by_features / (2.0 * w * w))).max()) for G, w in zip(grams, WIDTHS, strict=True)
    )
    smallest_of_gaussians = min(smallest_eigenvalue(G) for G in grams)
    w = WIDTHS[-1]
    f = np.exp(-np.diag(K) / (2.0 * w * w))
    factors_difference = float(np.abs(grams[-1] - f[:, None] * np.exp(P @ P.T / (w * w)) * f).max())
    printed = reading(
        tol,
        max(difference, factors_difference, -smallest_of_gaussians),
        Side("largest difference of exp, exponents from values or lengths", difference),
        Side("largest difference from f(x) exp(k/σ²) f(x′)", factors_difference),
        Side("smallest eigenvalue, in units of the largest entry", smallest_of_gaussians, r"\lambda_{\min}"),
    )
    smallest_of_fourth_power = min(smallest_eigenvalue(np.exp(-(by_features**2) / (2.0 * w**4))) for w in WIDTHS)
    control = reading(
        tol,
        -smallest_of_fourth_power,
        Side("smallest eigenvalue with the fourth power", smallest_of_fourth_power, r"\lambda_{\min}"),
        words=N_("With the fourth power of the distance instead of its square, the function is also a kernel."),
    )
    return Outcome(printed, control=control)
