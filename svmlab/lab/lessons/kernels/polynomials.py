"""Polynomials by their coefficients: their zeros, and the pair of points that refutes a kernel (K1, K2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Linear, Problem, Solution, SvmError, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import exponents, monomial_features, monomial_weights, weighted_features
from svmlab.plane.contours import level_lines

GRID = 96
REAL = 1e-7  # relative to a root: a smaller imaginary part is rounding


@dataclass(frozen=True)
class Form:
    """A polynomial kernel (scale <x, z> + c)^degree, whose features have their weights to a power."""

    degree: int
    c: float
    scale: float
    power: float = 1.0

    def features(self, X: Array) -> Array:
        """Return the features of the points X (m, 2), (m, D); c >= 0."""
        return weighted_features(X, self.degree, self.c, self.scale, self.power)


def svm_with_features(problem: Problem, form: Form) -> Array | None:
    """Return the polynomial of the linear SVM on the features of `form`, as coefficients (D,).

    None where the SVM has no solution.
    """
    data = problem.data
    lifted = Dataset(form.features(data.X), data.y)
    try:
        solution = solve(Problem(lifted, Linear(), problem.C, problem.bias))
    except SvmError:
        return None
    assert solution.w is not None
    q = solution.w * monomial_weights(data.d, form.degree, form.c, form.scale) ** form.power
    return np.asarray(q + solution.b * np.eye(len(q))[0])


def where_zero(q: Array, degree: int, constant: bool, half: float) -> tuple[Array, ...]:
    """Return where the polynomial with coefficients q of the plain monomials is 0 in a square, as polylines (k, 2)."""
    axis = np.linspace(-half, half, GRID)
    points = np.stack([v.ravel() for v in np.meshgrid(axis, axis)], 1)
    return level_lines((monomial_features(points, degree, constant) @ q).reshape(GRID, GRID), half)


def roots(coefficients: Array, half: float) -> list[float]:
    """Return the real roots within [-half, half] of a polynomial in one variable, coefficients from the constant on."""
    size = float(np.abs(coefficients).max(initial=0.0))
    if size == 0.0:
        return []
    all_roots = np.polynomial.polynomial.polyroots(
        np.trim_zeros(np.where(abs(coefficients) > 1e-12 * size, coefficients, 0), "b")
    )
    real = all_roots[abs(all_roots.imag) <= REAL * np.maximum(1.0, abs(all_roots))].real
    return sorted(float(x) for x in real if abs(x) <= half)


def cuts(q: Array, degree: int, half: float) -> list[float]:
    """Return where that polynomial of the plane is 0 on the axis x2 = 0."""
    on_axis = np.zeros(degree + 1)
    for a, value in zip(exponents(2, degree), q, strict=True):
        if a[1] == 0:
            on_axis[a[0]] = value
    return roots(on_axis, half)


def kernel_cuts(solution: Solution, degree: int, half: float) -> list[float]:
    """Return where f of a polynomial kernel is 0 on the axis x2 = 0, from its values at degree + 1 points."""
    nodes = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    f = solution.decision(np.stack([half * nodes, np.zeros(degree + 1)], 1))
    fitted = np.polynomial.Polynomial.fit(nodes, f, degree, domain=[-1, 1])
    return [half * t for t in roots(np.asarray(fitted.convert().coef, dtype=float), 1.0)]


def refuted(K: Array) -> tuple[int, int] | None:
    """Return the pair of points that refutes that K is a Gram matrix; None where no pair does.

    It is a point whose product with itself is negative, given twice, or else the two points that violate |k_ij|^2 <=
    k_ii k_jj most clearly. The violation is the excess of |k_ij| relative to |k_ij| + k_ii + k_jj; it is 1 where k_ij
    must be 0.
    """
    diagonal, rounding = np.diag(K), 1e-9 * max(1.0, float(np.abs(K).max(initial=0.0)))
    if diagonal.min(initial=0.0) < -rounding:
        return (int(diagonal.argmin()), int(diagonal.argmin()))
    diagonal = np.maximum(diagonal, 0.0)
    excess = np.abs(K) - np.sqrt(np.outer(diagonal, diagonal))
    share = np.where(
        excess > rounding, excess / np.maximum(np.abs(K) + np.add.outer(diagonal, diagonal), rounding), 0.0
    )
    i, j = np.unravel_index(share.argmax(), share.shape) if len(K) else (0, 0)
    return (int(i), int(j)) if len(K) and share[i, j] > 0 else None
