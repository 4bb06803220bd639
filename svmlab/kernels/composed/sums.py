"""Multiples, sums and products of kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, as_fractions
from svmlab.kernels.composed.node import POWER, PRODUCT, SUM, Exponents, Node, dim_if_short, number_text, tex_number


@dataclass(frozen=True)
class Scaled(Node):
    """The kernel c k, with c neither 0 nor 1, and k itself no multiple."""

    c: float
    k: Node

    precedence = PRODUCT

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def text(self) -> str:
        front = "-" if self.c == -1 else f"{number_text(self.c)}*"
        return front + self.k.bracketed_text(PRODUCT)

    @property
    def tex(self) -> str:
        front = "-" if self.c == -1 else rf"{tex_number(self.c)}\,"
        return front + self.k.bracketed_tex(PRODUCT)

    @property
    def numpy(self) -> str:
        return f"{self.c!r} * ({self.k.numpy})"

    @property
    def definiteness(self) -> int:
        return self.k.definiteness if self.c > 0 else -self.k.definiteness

    @property
    def strictly_definite(self) -> bool:
        return self.c > 0 and self.k.strictly_definite

    @property
    def injective(self) -> bool:
        return self.k.injective

    @property
    def has_positive_diagonal(self) -> bool:
        return self.c > 0 and self.k.has_positive_diagonal

    @property
    def distances_translation_invariant(self) -> bool:
        return self.k.distances_translation_invariant

    def feature_dim(self, d: int) -> int | None:
        return self.k.feature_dim(d) if self.c > 0 else None

    def features(self, X: Array) -> Array:
        return np.sqrt(self.c) * self.k.features(X)

    def exponents(self, d: int) -> Exponents | None:
        return self.k.exponents(d)

    def values(self, X: Array, Z: Array) -> Array:
        return self.c * self.k.values(X, Z)

    def fractions(self, X: Array, Z: Array) -> Array | None:
        inner = self.k.fractions(X, Z)
        return None if inner is None else np.asarray(as_fractions(self.c) * inner)

    def diag(self, X: Array) -> Array:
        return self.c * self.k.diag(X)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.c * self.k.weighted_gradient(X, W, Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return self.c * self.k.diagonal_gradient(Z)

    def squared_distances(self, X: Array, Z: Array) -> Array:
        return self.c * self.k.squared_distances(X, Z)


@dataclass(frozen=True)
class Sum(Node):
    """The kernel k1 + k2, whose features are those of k1 followed by those of k2."""

    k1: Node
    k2: Node

    precedence = SUM

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.k1, self.k2

    @property
    def text(self) -> str:
        second = self.k2.bracketed_text(PRODUCT) if self.k2.parts else self.k2.text
        return f"{self.k1.text}{'' if second.startswith('-') else '+'}{second}"

    @property
    def tex(self) -> str:
        second = self.k2.bracketed_tex(PRODUCT) if self.k2.parts else self.k2.tex
        return f"{self.k1.tex}{'' if second.startswith('-') else '+'}{second}"

    @property
    def numpy(self) -> str:
        return f"({self.k1.numpy}) + ({self.k2.numpy})"

    @property
    def definiteness(self) -> int:
        return self.k1.definiteness if self.k1.definiteness == self.k2.definiteness else 0

    def _either(self, name: str) -> bool:
        return self.definiteness == 1 and (getattr(self.k1, name) or getattr(self.k2, name))

    @property
    def strictly_definite(self) -> bool:
        return self._either("strictly_definite")

    @property
    def injective(self) -> bool:
        return self._either("injective")

    @property
    def has_positive_diagonal(self) -> bool:
        return self._either("has_positive_diagonal")

    @property
    def distances_translation_invariant(self) -> bool:
        return self.k1.distances_translation_invariant and self.k2.distances_translation_invariant

    def feature_dim(self, d: int) -> int | None:
        first, second = self.k1.feature_dim(d), self.k2.feature_dim(d)
        return None if first is None or second is None else dim_if_short(first + second)

    def features(self, X: Array) -> Array:
        return np.hstack([self.k1.features(X), self.k2.features(X)])

    def exponents(self, d: int) -> Exponents | None:
        first, second = self.k1.exponents(d), self.k2.exponents(d)
        return None if first is None or second is None else first + second

    def values(self, X: Array, Z: Array) -> Array:
        return self.k1.values(X, Z) + self.k2.values(X, Z)

    def fractions(self, X: Array, Z: Array) -> Array | None:
        one, other = self.k1.fractions(X, Z), self.k2.fractions(X, Z)
        return None if one is None or other is None else one + other

    def diag(self, X: Array) -> Array:
        return self.k1.diag(X) + self.k2.diag(X)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k1.weighted_gradient(X, W, Z) + self.k2.weighted_gradient(X, W, Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return self.k1.diagonal_gradient(Z) + self.k2.diagonal_gradient(Z)

    def squared_distances(self, X: Array, Z: Array) -> Array:
        return self.k1.squared_distances(X, Z) + self.k2.squared_distances(X, Z)


@dataclass(frozen=True)
class Product(Node):
    """The kernel k1 k2, whose features are all products of a feature of k1 and a feature of k2."""

    k1: Node
    k2: Node

    precedence = PRODUCT

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.k1, self.k2

    @property
    def text(self) -> str:
        return f"{self.k1.bracketed_text(PRODUCT)}*{self.k2.bracketed_text(POWER)}"

    @property
    def tex(self) -> str:
        return rf"{self.k1.bracketed_tex(PRODUCT)}\,{self.k2.bracketed_tex(POWER)}"

    @property
    def numpy(self) -> str:
        return f"({self.k1.numpy}) * ({self.k2.numpy})"

    @property
    def definiteness(self) -> int:
        return self.k1.definiteness * self.k2.definiteness

    @property
    def strictly_definite(self) -> bool:
        both_psd = self.k1.definiteness == 1 == self.k2.definiteness
        return both_psd and (
            (self.k1.strictly_definite and self.k2.has_positive_diagonal)
            or (self.k2.strictly_definite and self.k1.has_positive_diagonal)
        )

    @property
    def has_positive_diagonal(self) -> bool:
        return self.k1.has_positive_diagonal and self.k2.has_positive_diagonal

    def feature_dim(self, d: int) -> int | None:
        first, second = self.k1.feature_dim(d), self.k2.feature_dim(d)
        return None if first is None or second is None else dim_if_short(first * second)

    def features(self, X: Array) -> Array:
        pairs = self.k1.features(X)[:, :, None] * self.k2.features(X)[:, None, :]
        return pairs.reshape(len(X), pairs.shape[1] * pairs.shape[2])

    def exponents(self, d: int) -> Exponents | None:
        first, second = self.k1.exponents(d), self.k2.exponents(d)
        if first is None or second is None:
            return None
        return [tuple(i + j for i, j in zip(a, b, strict=True)) for a in first for b in second]

    def values(self, X: Array, Z: Array) -> Array:
        return self.k1.values(X, Z) * self.k2.values(X, Z)

    def fractions(self, X: Array, Z: Array) -> Array | None:
        one, other = self.k1.fractions(X, Z), self.k2.fractions(X, Z)
        return None if one is None or other is None else one * other

    def diag(self, X: Array) -> Array:
        return self.k1.diag(X) * self.k2.diag(X)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        first, second = self.k1.values(X, Z), self.k2.values(X, Z)
        return self.k1.weighted_gradient(X, W * second, Z) + self.k2.weighted_gradient(X, W * first, Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        first, second = self.k1.diag(Z)[:, None], self.k2.diag(Z)[:, None]
        return self.k1.diagonal_gradient(Z) * second + self.k2.diagonal_gradient(Z) * first
