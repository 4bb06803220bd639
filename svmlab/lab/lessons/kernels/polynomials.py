"""Polynomials by their coefficients: the machine on written coordinates, where it is 0, and the pair that refutes a
kernel (K1, K2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Linear, Problem, Solution, SvmError, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import exponents, plain, weighted, weights
from svmlab.plane.contours import level_lines

GRID = 96
REAL = 1e-7  # an imaginary part below this part of a root is rounding


@dataclass(frozen=True)
class Form:
    """A polynomial kernel (scale <x, z> + c)^degree, whose coordinates have their weights to a power."""

    degree: int
    c: float
    scale: float
    power: float = 1.0

    def coordinates(self, X: Array) -> Array:
        """Its coordinates of the points X (m, 2), (m, D); c >= 0."""
        return weighted(X, self.degree, self.c, self.scale, self.power)


def machine(problem: Problem, form: Form) -> Array | None:
    """The polynomial of the linear machine on the coordinates of `form`, coefficients (D,); None where there is
    none.
    """
    data = problem.data
    lifted = Dataset(form.coordinates(data.X), data.y)
    try:
        found = solve(Problem(lifted, Linear(), problem.C, problem.bias))
    except SvmError:
        return None
    assert found.w is not None
    q = found.w * weights(data.d, form.degree, form.c, form.scale) ** form.power
    return np.asarray(q + found.b * np.eye(len(q))[0])


def where_zero(q: Array, degree: int, constant: bool, half: float) -> tuple[Array, ...]:
    """Where the polynomial with coefficients q before the plain monomials is 0 in the square, as polylines (k, 2)."""
    at = np.linspace(-half, half, GRID)
    places = np.stack([v.ravel() for v in np.meshgrid(at, at)], 1)
    return level_lines((plain(places, degree, constant) @ q).reshape(GRID, GRID), half)


def roots(coefficients: Array, half: float) -> list[float]:
    """The real roots within [-half, half] of a polynomial in one variable, coefficients from the constant on."""
    size = float(np.abs(coefficients).max(initial=0.0))
    if size == 0.0:
        return []
    found = np.polynomial.polynomial.polyroots(
        np.trim_zeros(np.where(abs(coefficients) > 1e-12 * size, coefficients, 0), "b")
    )
    real = found[abs(found.imag) <= REAL * np.maximum(1.0, abs(found))].real
    return sorted(float(x) for x in real if abs(x) <= half)


def cuts(q: Array, degree: int, half: float) -> list[float]:
    """Where that polynomial of the plane is 0 on the axis x2 = 0."""
    on_axis = np.zeros(degree + 1)
    for a, value in zip(exponents(2, degree), q, strict=True):
        if a[1] == 0:
            on_axis[a[0]] = value
    return roots(on_axis, half)


def kernel_cuts(solution: Solution, degree: int, half: float) -> list[float]:
    """Where f of a polynomial kernel is 0 on the axis x2 = 0, from its values at degree + 1 places."""
    at = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    f = solution.decision(np.stack([half * at, np.zeros(degree + 1)], 1))
    fitted = np.polynomial.Polynomial.fit(at, f, degree, domain=[-1, 1])
    return [half * t for t in roots(np.asarray(fitted.convert().coef, dtype=float), 1.0)]


def refuted(K: Array) -> tuple[int, int] | None:
    """A point whose product with itself is negative, or else the two that break |k_ij|^2 <= k_ii k_jj most plainly;
    None where none do.

    Plainly: by how much |k_ij| is too large, as a part of |k_ij| + k_ii + k_jj; 1 where it should be 0.
    """
    own, rounding = np.diag(K), 1e-9 * max(1.0, float(np.abs(K).max(initial=0.0)))
    if own.min(initial=0.0) < -rounding:
        return (int(own.argmin()), int(own.argmin()))
    own = np.maximum(own, 0.0)
    excess = np.abs(K) - np.sqrt(np.outer(own, own))
    share = np.where(excess > rounding, excess / np.maximum(np.abs(K) + np.add.outer(own, own), rounding), 0.0)
    i, j = np.unravel_index(share.argmax(), share.shape) if len(K) else (0, 0)
    return (int(i), int(j)) if len(K) and share[i, j] > 0 else None
