"""Kernels that are composed of kernels, computed again by their rules, one pair of points at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.composed.kernel import Composed
from svmlab.statements.examples.differences import difference, rough, slopes_by_differences
from svmlab.statements.examples.kernel_values import COEFFICIENTS, A, B

Pair = Callable[[Array, Array], float]


def inner(x: Array, z: Array) -> float:
    """Return <x, z>."""
    return float(x @ z)


def gaussian(x: Array, z: Array, sigma: float) -> float:
    """Return the Gaussian of two points."""
    return math.exp(-float((x - z) @ (x - z)) / (2.0 * sigma**2))


def squared_distance(x: Array, z: Array) -> float:
    """Return the squared distance in the feature space of (<x, z> + 1)^2."""
    return sum(s * (inner(p, q) + 1.0) ** 2 for p, q, s in ((x, x, 1), (z, z, 1), (x, z, -2)))


RULES: dict[str, Pair] = {
    "linear+2*gaussian(0.5)": lambda x, z: inner(x, z) + 2.0 * gaussian(x, z, 0.5),
    "(linear+1)**2*gaussian(1.5)": lambda x, z: (inner(x, z) + 1.0) ** 2 * gaussian(x, z, 1.5),
    "exp(0.3*linear)": lambda x, z: math.exp(0.3 * inner(x, z)),
    "linear*linear+0.5*linear+3": lambda x, z: inner(x, z) ** 2 + 0.5 * inner(x, z) + 3.0,
    "p(linear+1,0.5,2,1)": lambda x, z: 0.5 + 2.0 * (inner(x, z) + 1.0) + (inner(x, z) + 1.0) ** 2,
    "linear-gaussian(1)": lambda x, z: inner(x, z) - gaussian(x, z, 1.0),
    "tanh(0.5*linear)": lambda x, z: math.tanh(0.5 * inner(x, z)),
    "gaussian(2,(linear+1)**2)": lambda x, z: math.exp(-squared_distance(x, z) / 8.0),
    "gaussian(1,2*linear)": lambda x, z: gaussian(x, z, math.sqrt(0.5)),
    "gaussian(1,linear**2)": lambda x, z: math.exp(-0.5 * (inner(x, x) ** 2 + inner(z, z) ** 2 - 2 * inner(x, z) ** 2)),
    "form(1,3,1)": lambda x, z: x[0] * z[0] + 3.0 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1],
    "form(2,0.5,1)": lambda x, z: 2.0 * x[0] * z[0] + 0.5 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1],
    "between(x1,linear+1)": lambda x, z: x[0] * (inner(x, z) + 1.0) * z[0],
    "between(r2,gaussian(1))": lambda x, z: inner(x, x) * gaussian(x, z, 1.0) * inner(z, z),
    "between(bump,linear)": lambda x, z: math.exp(-0.5 * inner(x, x)) * inner(x, z) * math.exp(-0.5 * inner(z, z)),
}
NOT_DEFINITE = ("linear-gaussian(1)", "tanh(0.5*linear)", "form(1,3,1)")

TURN, SHIFT = np.array([[0.6, 0.8], [-0.8, 0.6]]), np.array([1.5, -0.5])


@cache
def error_of_composed_kernels() -> float:
    """Compare values, diagonal, gradient and features of each rule with its formula, and which results are kernels."""
    off = 0.0
    for recipe, pair in RULES.items():
        kernel = Composed(recipe)

        def values(P: Array, Q: Array, pair: Pair = pair) -> Array:
            return np.array([[pair(p, q) for q in Q] for p in P])

        def sums(Z: Array, values: Callable[[Array, Array], Array] = values) -> Array:
            return COEFFICIENTS @ values(A, Z)

        f, slopes = kernel.value_and_gradient(A, COEFFICIENTS, B)
        least = float(np.linalg.eigvalsh(values(np.vstack([A, B]), np.vstack([A, B])))[0])
        off = max(
            off,
            difference(kernel(A, B), values(A, B)),
            difference(kernel.diag(A), np.diag(values(A, A))),
            difference(f, sums(B)),
            rough(difference(slopes, slopes_by_differences(sums, B)), 1e-5),
            rough(difference(kernel.gradient(A, COEFFICIENTS, B), slopes_by_differences(sums, B)), 1e-5),
            0.0 if kernel.psd == (recipe not in NOT_DEFINITE) and (not kernel.psd or least > -1e-9) else 1.0,
        )
        moved = {"rotation": [P @ TURN for P in (A, B)], "translation": [P + SHIFT for P in (A, B)]}
        for flag, (P, Q) in moved.items():  # what is said to change nothing changes nothing
            if getattr(kernel, f"{flag}_invariant"):
                off = max(off, difference(values(P, Q), values(A, B)))
        if kernel.separates_distinct_points:  # then the Gram matrix of distinct points has full rank
            both = np.vstack([A, -A])
            off = max(off, 0.0 if float(np.linalg.eigvalsh(values(both, both))[0]) > 1e-9 else 1.0)
        if kernel.feature_dim(2) is not None and kernel.psd:
            Phi, Psi = kernel.feature_map(A), kernel.feature_map(B)
            off = max(off, difference(Phi @ Psi.T, values(A, B)), difference(kernel.feature_dim(2), Phi.shape[1]))
    return off
