"""Kernels that are composed of kernels, computed again by their rules, one pair of points at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product

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
    "form(1,2,4)": lambda x, z: (x[0] + 2.0 * x[1]) * (z[0] + 2.0 * z[1]),
    "form(0,0,1)": lambda x, z: x[1] * z[1],
    "form(0,0,-1)": lambda x, z: -x[1] * z[1],
    "(-linear)**2": lambda x, z: inner(x, z) ** 2,
    "p(-linear,0,0,1)": lambda x, z: inner(x, z) ** 2,
    "p(-linear,0,1)": lambda x, z: -inner(x, z),
    "form(1,-3,1)": lambda x, z: x[0] * z[0] - 3.0 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1],
    "form(2,1.5,1)": lambda x, z: 2.0 * x[0] * z[0] + 1.5 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1],
    "-form(-2,0.5,-1)": lambda x, z: 2.0 * x[0] * z[0] - 0.5 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1],
    "between(x1,linear+1)": lambda x, z: x[0] * (inner(x, z) + 1.0) * z[0],
    "between(r2,gaussian(1))": lambda x, z: inner(x, x) * gaussian(x, z, 1.0) * inner(z, z),
    "between(bump,linear)": lambda x, z: math.exp(-0.5 * inner(x, x)) * inner(x, z) * math.exp(-0.5 * inner(z, z)),
}
PARTS: dict[str, Pair] = {
    "linear": inner,
    "gaussian(0.8)": lambda x, z: gaussian(x, z, 0.8),
    "form(2,0.5,1)": RULES["form(2,0.5,1)"],
    "form(1,3,1)": RULES["form(1,3,1)"],
    "1.5": lambda x, z: 1.5,
}
SEPARATING = (  # of the derived kernels: distinct points have linearly independent images
    "gaussian(0.8)+linear",
    "linear+gaussian(0.8)",
    "1.5*gaussian(0.8)",
    "gaussian(0.8)*1.5",
    "gaussian(0.8)*gaussian(0.8)",
    "0.7*gaussian(0.8)",
    "(gaussian(0.8))**3",
    "p(gaussian(0.8),0.5,0,2)",
    "exp(linear)",
    "exp(gaussian(0.8))",
    "gaussian(2,linear)",
    "gaussian(2,gaussian(0.8))",
    "gaussian(2,linear+0.5*linear)",
    "gaussian(2,form(2,0.5,1)+0.5*linear)",
    "between(bump,gaussian(0.8))",
)
NOT_DEFINITE = (
    "linear-gaussian(1)",
    "tanh(0.5*linear)",
    "form(1,3,1)",
    "form(0,0,-1)",
    "p(-linear,0,1)",
    "form(1,-3,1)",
    "form(2,1.5,1)",
)

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
        smallest_eigenvalue = float(np.linalg.eigvalsh(values(np.vstack([A, B]), np.vstack([A, B])))[0])
        off = max(
            off,
            difference(kernel(A, B), values(A, B)),
            difference(kernel.diag(A), np.diag(values(A, A))),
            difference(f, sums(B)),
            rough(difference(slopes, slopes_by_differences(sums, B)), 1e-5),
            rough(difference(kernel.gradient(A, COEFFICIENTS, B), slopes_by_differences(sums, B)), 1e-5),
            0.0
            if kernel.psd == (recipe not in NOT_DEFINITE) and (not kernel.psd or smallest_eigenvalue > -1e-9)
            else 1.0,
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


def distance_in_features(pair: Pair, x: Array, z: Array) -> float:
    """Return k(x, x) + k(z, z) - 2 k(x, z)."""
    return pair(x, x) + pair(z, z) - 2.0 * pair(x, z)


OF_ONE_PART: dict[str, Callable[[Pair, Array, Array], float]] = {
    "0.7*{a}": lambda f, x, z: 0.7 * f(x, z),
    "-0.7*{a}": lambda f, x, z: -0.7 * f(x, z),
    "({a})**3": lambda f, x, z: f(x, z) ** 3,
    "p({a},0.5,0,2)": lambda f, x, z: 0.5 + 2.0 * f(x, z) ** 2,
    "p({a},1,-1)": lambda f, x, z: 1.0 - f(x, z),
    "exp({a})": lambda f, x, z: math.exp(f(x, z)),
    "tanh({a})": lambda f, x, z: math.tanh(f(x, z)),
    "gaussian(2,{a})": lambda f, x, z: math.exp(-distance_in_features(f, x, z) / 8.0),
    "between(x1,{a})": lambda f, x, z: x[0] * f(x, z) * z[0],
    "between(bump,{a})": lambda f, x, z: math.exp(-0.5 * (inner(x, x) + inner(z, z))) * f(x, z),
}
OF_TWO_PARTS: dict[str, Callable[[Pair, Pair, Array, Array], float]] = {
    "{a}+{b}": lambda f, g, x, z: f(x, z) + g(x, z),
    "{a}*{b}": lambda f, g, x, z: f(x, z) * g(x, z),
    "{a}-{b}": lambda f, g, x, z: f(x, z) - g(x, z),
    "gaussian(2,{b}+0.5*{a})": lambda f, g, x, z: math.exp(
        -(distance_in_features(g, x, z) + 0.5 * distance_in_features(f, x, z)) / 8.0
    ),
    "gaussian(2,{a}*{b})": lambda f, g, x, z: math.exp(
        -distance_in_features(lambda p, q: f(p, q) * g(p, q), x, z) / 8.0
    ),
}


def derived() -> Iterator[tuple[str, Pair]]:
    """Yield the kernels that every rule makes of one or two parts, as recipes and as functions of two points."""
    for a, f in PARTS.items():
        yield from ((name.format(a=a), partial(rule, f)) for name, rule in OF_ONE_PART.items())
    for (a, f), (b, g) in product(PARTS.items(), repeat=2):
        for name, pair_rule in OF_TWO_PARTS.items():
            definite_parts = "form(1,3,1)" not in (a, b) and a <= b
            if ("-" not in name or a != b) and (name.startswith("{a}") or definite_parts):
                yield name.format(a=a, b=b), partial(pair_rule, f, g)


@cache
def error_of_derived_kernels() -> float:
    """Compare all kernels of one or two parts with their formulas, and what they say of themselves with their values.

    What a kernel says is true, and what is true it says, except where this would need more than the rules: 1 - k and
    x_1 z_1 have distances that no translation changes, and tanh may leave a matrix definite.
    """
    off, P = 0.0, np.array([[0.4, -1.1], [1.3, 0.6], [-0.7, 0.9], [0.2, 1.7], [-1.6, -0.3], [0.9, -0.2]])
    on_axis = np.array([[0.0, 0.5], [0.0, -1.0], [1.0, 1.0], [0.0, 0.0]])
    for recipe, pair in derived():
        kernel = Composed(recipe)

        def values(A: Array, B: Array, pair: Pair = pair) -> Array:
            return np.array([[pair(a, b) for b in B] for a in A])

        def distances(A: Array, pair: Pair = pair) -> Array:
            return np.array([[distance_in_features(pair, a, b) for b in A] for a in A])

        def sums(Z: Array, values: Callable[[Array, Array], Array] = values) -> Array:
            return COEFFICIENTS @ values(P[:3], Z)

        K, D, there = values(P, P), distances(P), P + SHIFT
        slopes = slopes_by_differences(sums, P[3:5])
        smallest_eigenvalue = float(np.linalg.eigvalsh(K)[0])
        off = max(
            off,
            difference(kernel(P, P), K),
            difference(kernel.diag(P), K.diagonal()),
            rough(difference(kernel.gradient(P[:3], COEFFICIENTS, P[3:5]), slopes), 1e-5),
            difference(eval(kernel.numpy, {"np": np, "A": P[:4], "B": P}), K[:4]),
        )
        said = kernel.rotation_invariant, kernel.translation_invariant, kernel.psd
        true = (
            difference(values(P @ TURN, P @ TURN), K) == 0,
            difference(values(there, there), K) == 0,
            smallest_eigenvalue > -1e-9,
        )
        keeps_distances = kernel.distances_translation_invariant
        wrong = said != true and not recipe.startswith("tanh(")
        wrong |= keeps_distances != (difference(distances(there), D) == 0) and not recipe.startswith(("p(", "between("))
        smallest_eigenvalue = min(smallest_eigenvalue, float(np.linalg.eigvalsh(values(on_axis, on_axis))[0]))
        wrong |= kernel.separates_distinct_points and smallest_eigenvalue < 1e-9
        wrong |= recipe in SEPARATING and not kernel.separates_distinct_points
        off = max(off, float(wrong))
        if kernel.psd and (size := kernel.feature_dim(2)) is not None:
            Phi, exponents = kernel.feature_map(P), kernel.exponents(2)
            off = max(off, difference(Phi @ Phi.T, K), difference(size, Phi.shape[1]))
            if exponents is not None:
                monomials = np.stack([(P ** np.array(e)).prod(1) for e in exponents], 1)
                factors = Phi[0] / monomials[0]
                off = max(off, difference(Phi, monomials * factors), 0.0 if factors.min() > 0 else 1.0)
    form = Composed("form(2,1,3)")
    in_space = np.array([[1.0, 2.0, 5.0], [-1.0, 0.5, 2.0], [0.0, 3.0, 1.0]])  # a form has two coordinates
    return max(off, difference(form(in_space, in_space), form(in_space[:, :2], in_space[:, :2])))
