"""The kernel f(x) k(x, z) f(z), with one function f of a point on both sides of a kernel k."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.composed.node import POWER, Exponents, Node


class Function(NamedTuple):
    """A function f of one point.

    tex: at x and at x'. numpy: for the rows of A and of B. at: the values (m,). gradient: (m, d). never_zero: whether f
    has no zero. rotation_invariant: whether f is invariant under rotations about the origin.
    """

    tex: tuple[str, str]
    numpy: tuple[str, str]
    at: Callable[[Array], Array]
    gradient: Callable[[Array], Array]
    never_zero: bool
    rotation_invariant: bool


def _square(X: Array) -> Array:
    return np.einsum("ij,ij->i", X, X)


def _first(X: Array) -> Array:
    return np.where(np.arange(X.shape[1]) == 0, 1.0, 0.0) * np.ones((len(X), 1))


FUNCTIONS: dict[str, Function] = {
    "x1": Function((r"x_1", r"x'_1"), ("A[:, 0]", "B[:, 0]"), lambda X: X[:, 0], _first, False, False),
    "r2": Function(
        (r"\|x\|^2", r"\|x'\|^2"),
        ("(A**2).sum(axis=1)", "(B**2).sum(axis=1)"),
        _square,
        lambda X: 2.0 * X,
        False,
        True,
    ),
    "bump": Function(
        (r"e^{-\|x\|^2/2}", r"e^{-\|x'\|^2/2}"),
        ("np.exp(-(A**2).sum(axis=1) / 2)", "np.exp(-(B**2).sum(axis=1) / 2)"),
        lambda X: np.exp(-0.5 * _square(X)),
        lambda X: -np.exp(-0.5 * _square(X))[:, None] * X,
        True,
        True,
    ),
}


@dataclass(frozen=True)
class Between(Node):
    """The kernel f(x) k(x, z) f(z), whose features are those of k, each times f."""

    f: str
    k: Node

    precedence = POWER
    translation_invariant = False

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def _f(self) -> Function:
        return FUNCTIONS[self.f]

    @property
    def text(self) -> str:
        return f"between({self.f},{self.k.text})"

    @property
    def tex(self) -> str:
        left, right = self._f.tex
        return rf"{left}\,{self.k.bracketed_tex(POWER)}\,{right}"

    @property
    def numpy(self) -> str:
        left, right = self._f.numpy
        return f"{left}[:, None] * ({self.k.numpy}) * {right}"

    @property
    def definiteness(self) -> int:
        return self.k.definiteness

    @property
    def strictly_definite(self) -> bool:
        return self._f.never_zero and self.k.strictly_definite

    @property
    def has_positive_diagonal(self) -> bool:
        return self._f.never_zero and self.k.has_positive_diagonal

    @property
    def rotation_invariant(self) -> bool:
        return self._f.rotation_invariant and self.k.rotation_invariant

    def feature_dim(self, d: int) -> int | None:
        return self.k.feature_dim(d)

    def features(self, X: Array) -> Array:
        return self._f.at(X)[:, None] * self.k.features(X)

    def exponents(self, d: int) -> Exponents | None:
        inner = self.k.exponents(d)
        return [(a[0] + 1, *a[1:]) for a in inner] if self.f == "x1" and inner is not None else None

    def values(self, X: Array, Z: Array) -> Array:
        return self._f.at(X)[:, None] * self.k.values(X, Z) * self._f.at(Z)

    def diag(self, X: Array) -> Array:
        return self._f.at(X) ** 2 * self.k.diag(X)

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        V = self._f.at(X)[:, None] * W
        total = np.einsum("ij,ij->j", V, self.k.values(X, Z))
        return self._f.at(Z)[:, None] * self.k.weighted_gradient(X, V, Z) + total[:, None] * self._f.gradient(Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        f = self._f.at(Z)[:, None]
        return f**2 * self.k.diagonal_gradient(Z) + 2.0 * f * self.k.diag(Z)[:, None] * self._f.gradient(Z)
