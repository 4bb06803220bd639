"""Functions of a kernel that are no polynomials: exp, tanh, and the Gaussian of the distance in feature space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.composed.atoms import InnerProduct
from svmlab.kernels.composed.node import Node, number_text, tex_number


@dataclass(frozen=True)
class Exp(Node):
    """The kernel exp(k): a power series in k whose coefficients are all positive."""

    k: Node

    has_positive_diagonal = True

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def text(self) -> str:
        return f"exp({self.k.text})"

    @property
    def tex(self) -> str:
        return f"e^{{{self.k.tex}}}"

    @property
    def numpy(self) -> str:
        return f"np.exp({self.k.numpy})"

    @property
    def definiteness(self) -> int:
        return 1 if self.k.definiteness == 1 else 0

    @property
    def strictly_definite(self) -> bool:
        return self.definiteness == 1 and self.k.injective

    def values(self, X: Array, Z: Array) -> Array:
        return np.exp(self.k.values(X, Z))

    def diag(self, X: Array) -> Array:
        return np.exp(self.k.diag(X))

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k.weighted_gradient(X, W * self.values(X, Z), Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return self.diag(Z)[:, None] * self.k.diagonal_gradient(Z)


@dataclass(frozen=True)
class Tanh(Node):
    """The function tanh(k), which no rule proves to be a kernel."""

    k: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def text(self) -> str:
        return f"tanh({self.k.text})"

    @property
    def tex(self) -> str:
        return rf"\tanh\left({self.k.tex}\right)"

    @property
    def numpy(self) -> str:
        return f"np.tanh({self.k.numpy})"

    def values(self, X: Array, Z: Array) -> Array:
        return np.tanh(self.k.values(X, Z))

    def diag(self, X: Array) -> Array:
        return np.tanh(self.k.diag(X))

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k.weighted_gradient(X, W * (1.0 - self.values(X, Z) ** 2), Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return (1.0 - self.diag(Z) ** 2)[:, None] * self.k.diagonal_gradient(Z)


@dataclass(frozen=True)
class Gaussian(Node):
    """The kernel exp(-(k(x, x) + k(z, z) - 2 k(x, z))/(2 sigma^2)), a Gaussian in the feature space of k (K13)."""

    sigma: float
    k: Node = InnerProduct()

    has_positive_diagonal = True

    @property
    def parts(self) -> tuple[Node, ...]:
        return () if self.k == InnerProduct() else (self.k,)

    @property
    def text(self) -> str:
        inner = f",{self.k.text}" if self.parts else ""
        return f"gaussian({number_text(self.sigma)}{inner})"

    @property
    def tex(self) -> str:
        under = "2" if self.sigma == 1 else rf"(2\cdot {tex_number(self.sigma)}^2)"
        if not self.parts:
            return rf"e^{{-\|x-x'\|^2/{under}}}"
        return rf"G_{{{tex_number(self.sigma)}}}\left[{self.k.tex}\right]"

    @property
    def numpy(self) -> str:
        under = f"(2 * {self.sigma!r} ** 2)"
        if not self.parts:
            return f"np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / {under})"
        return (
            f"(lambda k: np.exp(-(np.diag(k(A, A))[:, None] + np.diag(k(B, B)) - 2 * k(A, B)) / {under}))"
            f"(lambda A, B: {self.k.numpy})"
        )

    @property
    def definiteness(self) -> int:
        return 1 if self.k.definiteness == 1 else 0

    @property
    def strictly_definite(self) -> bool:
        return self.definiteness == 1 and self.k.injective

    @property
    def rotation_invariant(self) -> bool:
        return self.k.rotation_invariant

    @property
    def translation_invariant(self) -> bool:
        return self.k.distances_translation_invariant

    def values(self, X: Array, Z: Array) -> Array:
        return np.exp(self.k.squared_distances(X, Z) * (-0.5 / self.sigma**2))

    def diag(self, X: Array) -> Array:
        return np.ones(len(X))

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k.weighted_distance_gradient(X, W * self.values(X, Z) * (-0.5 / self.sigma**2), Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return np.zeros(Z.shape)
