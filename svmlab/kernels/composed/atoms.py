"""The leaves of a composed kernel: a constant, the inner product, and x'Az with a symmetric A."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, as_fractions
from svmlab.kernels.composed.node import ATOM, SUM, Exponents, Node, number_text, tex_number


@dataclass(frozen=True)
class Constant(Node):
    """The kernel k = c, c != 0, with one feature that is the same everywhere."""

    c: float

    rotation_invariant = True
    translation_invariant = True

    @property
    def text(self) -> str:
        return number_text(self.c)

    @property
    def precedence(self) -> int:
        return ATOM if self.c > 0 else SUM

    @property
    def tex(self) -> str:
        return tex_number(self.c)

    @property
    def numpy(self) -> str:
        return f"np.full((len(A), len(B)), {self.c!r})"

    @property
    def definiteness(self) -> int:
        return 1 if self.c > 0 else -1

    @property
    def has_positive_diagonal(self) -> bool:
        return self.c > 0

    def feature_dim(self, d: int) -> int | None:
        return 1 if self.c > 0 else None

    def features(self, X: Array) -> Array:
        return np.full((len(X), 1), np.sqrt(self.c))

    def exponents(self, d: int) -> Exponents | None:
        return [(0,) * d]

    def values(self, X: Array, Z: Array) -> Array:
        return np.full((len(X), len(Z)), self.c)

    def fractions(self, X: Array, Z: Array) -> Array:
        return np.full((len(X), len(Z)), as_fractions(self.c))

    def diag(self, X: Array) -> Array:
        return np.full(len(X), self.c)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return np.zeros(Z.shape)

    def diagonal_gradient(self, Z: Array) -> Array:
        return np.zeros(Z.shape)


@dataclass(frozen=True)
class InnerProduct(Node):
    """The kernel k = <x, z>."""

    text = "linear"
    tex = r"\langle x,x'\rangle"
    numpy = "A @ B.T"
    definiteness = 1
    injective = True
    rotation_invariant = True
    translation_invariant = False
    distances_translation_invariant = True

    def feature_dim(self, d: int) -> int | None:
        return d

    def features(self, X: Array) -> Array:
        return X

    def exponents(self, d: int) -> Exponents | None:
        return [tuple(int(i == j) for j in range(d)) for i in range(d)]

    def values(self, X: Array, Z: Array) -> Array:
        return X @ Z.T

    def fractions(self, X: Array, Z: Array) -> Array:
        return X @ Z.T

    def diag(self, X: Array) -> Array:
        return np.einsum("ij,ij->i", X, X)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return W.T @ X

    def diagonal_gradient(self, Z: Array) -> Array:
        return 2.0 * Z

    def squared_distances(self, X: Array, Z: Array) -> Array:
        # The differences are taken first, because |x|^2 + |z|^2 - 2<x, z> loses digits far from 0.
        return np.asarray(sum(np.subtract.outer(x, z) ** 2 for x, z in zip(X.T, Z.T, strict=True)))


@dataclass(frozen=True)
class QuadraticForm(Node):
    """The kernel k = x'Az with A = [[a, b], [b, c]] on the first two coordinates, symmetric by construction."""

    a: float
    b: float
    c: float

    rotation_invariant = False
    translation_invariant = False
    distances_translation_invariant = True

    @property
    def text(self) -> str:
        return f"form({number_text(self.a)},{number_text(self.b)},{number_text(self.c)})"

    @property
    def tex(self) -> str:
        rows = rf"{tex_number(self.a)}&{tex_number(self.b)}\\{tex_number(self.b)}&{tex_number(self.c)}"
        return rf"x^\top\bigl[\begin{{smallmatrix}}{rows}\end{{smallmatrix}}\bigr]x'"

    @property
    def numpy(self) -> str:
        return f"A[:, :2] @ np.array([[{self.a!r}, {self.b!r}], [{self.b!r}, {self.c!r}]]) @ B[:, :2].T"

    def _matrix(self, d: int) -> Array:
        return np.array([[self.a, self.b], [self.b, self.c]])[:d, :d]

    @property
    def definiteness(self) -> int:
        if self.a * self.c < self.b * self.b:
            return 0
        return 1 if min(self.a, self.c) >= 0 else -1

    def feature_dim(self, d: int) -> int | None:
        return min(d, 2) if self.definiteness == 1 else None

    def features(self, X: Array) -> Array:
        """Return L'x with A = LL', L lower triangular."""
        d = X.shape[1]
        if d == 1 or self.a == 0:
            return X[:, :2] * np.sqrt([self.a, self.c])[:d]
        root = np.sqrt(self.a)
        rest = np.sqrt(max(self.c - self.b * self.b / self.a, 0.0))
        return np.stack([root * X[:, 0] + self.b / root * X[:, 1], rest * X[:, 1]], 1)

    def exponents(self, d: int) -> Exponents | None:
        if self.b != 0 or min(self.a, self.c) <= 0:
            return None
        return [tuple(int(i == j) for j in range(d)) for i in range(min(d, 2))]

    def values(self, X: Array, Z: Array) -> Array:
        return X[:, :2] @ self._matrix(X.shape[1]) @ Z[:, :2].T

    def fractions(self, X: Array, Z: Array) -> Array:
        return np.asarray(X[:, :2] @ as_fractions(self._matrix(X.shape[1])) @ Z[:, :2].T)

    def diag(self, X: Array) -> Array:
        return np.einsum("ij,ij->i", X[:, :2] @ self._matrix(X.shape[1]), X[:, :2])

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self._padded(W.T @ X[:, :2] @ self._matrix(X.shape[1]), Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return self._padded(2.0 * Z[:, :2] @ self._matrix(Z.shape[1]), Z)

    def _padded(self, gradient: Array, Z: Array) -> Array:
        out = np.zeros(Z.shape)
        out[:, :2] = gradient
        return out
