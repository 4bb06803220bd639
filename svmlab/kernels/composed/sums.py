"""Multiples, sums and products of kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, exactly
from svmlab.kernels.composed.node import POWER, PRODUCT, SUM, Exponents, Node, number, small, tex_number


@dataclass(frozen=True)
class Scaled(Node):
    """The kernel c k, with c neither 0 nor 1, and k itself no multiple."""

    c: float
    k: Node

    level = PRODUCT

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def text(self) -> str:
        front = "-" if self.c == -1 else f"{number(self.c)}*"
        return front + self.k.within(PRODUCT)

    @property
    def tex(self) -> str:
        front = "-" if self.c == -1 else rf"{tex_number(self.c)}\,"
        return front + self.k.set_within(PRODUCT)

    @property
    def numpy(self) -> str:
        return f"{self.c!r} * ({self.k.numpy})"

    @property
    def sign(self) -> int:
        return self.k.sign if self.c > 0 else -self.k.sign

    @property
    def strict(self) -> bool:
        return self.c > 0 and self.k.strict

    @property
    def injective(self) -> bool:
        return self.k.injective

    @property
    def lasting(self) -> bool:
        return self.c > 0 and self.k.lasting

    @property
    def glides(self) -> bool:
        return self.k.glides

    def dim(self, d: int) -> int | None:
        return self.k.dim(d) if self.c > 0 else None

    def features(self, X: Array) -> Array:
        return np.sqrt(self.c) * self.k.features(X)

    def exponents(self, d: int) -> Exponents | None:
        return self.k.exponents(d)

    def values(self, X: Array, Z: Array) -> Array:
        return self.c * self.k.values(X, Z)

    def fractions(self, X: Array, Z: Array) -> Array | None:
        inner = self.k.fractions(X, Z)
        return None if inner is None else np.asarray(exactly(self.c) * inner)

    def diag(self, X: Array) -> Array:
        return self.c * self.k.diag(X)

    def pull(self, X: Array, W: Array, Z: Array) -> Array:
        return self.c * self.k.pull(X, W, Z)

    def slope(self, Z: Array) -> Array:
        return self.c * self.k.slope(Z)

    def squares(self, X: Array, Z: Array) -> Array:
        return self.c * self.k.squares(X, Z)


@dataclass(frozen=True)
class Sum(Node):
    """The kernel k1 + k2, whose features are those of k1 followed by those of k2."""

    k1: Node
    k2: Node

    level = SUM

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.k1, self.k2

    @property
    def text(self) -> str:
        second = self.k2.within(PRODUCT) if self.k2.parts else self.k2.text
        return f"{self.k1.text}{'' if second.startswith('-') else '+'}{second}"

    @property
    def tex(self) -> str:
        second = self.k2.set_within(PRODUCT) if self.k2.parts else self.k2.tex
        return f"{self.k1.tex}{'' if second.startswith('-') else '+'}{second}"

    @property
    def numpy(self) -> str:
        return f"({self.k1.numpy}) + ({self.k2.numpy})"

    @property
    def sign(self) -> int:
        return self.k1.sign if self.k1.sign == self.k2.sign else 0

    def _either(self, name: str) -> bool:
        return self.sign == 1 and (getattr(self.k1, name) or getattr(self.k2, name))

    @property
    def strict(self) -> bool:
        return self._either("strict")

    @property
    def injective(self) -> bool:
        return self._either("injective")

    @property
    def lasting(self) -> bool:
        return self._either("lasting")

    @property
    def glides(self) -> bool:
        return self.k1.glides and self.k2.glides

    def dim(self, d: int) -> int | None:
        first, second = self.k1.dim(d), self.k2.dim(d)
        return None if first is None or second is None else small(first + second)

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

    def pull(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k1.pull(X, W, Z) + self.k2.pull(X, W, Z)

    def slope(self, Z: Array) -> Array:
        return self.k1.slope(Z) + self.k2.slope(Z)

    def squares(self, X: Array, Z: Array) -> Array:
        return self.k1.squares(X, Z) + self.k2.squares(X, Z)


@dataclass(frozen=True)
class Product(Node):
    """The kernel k1 k2, whose features are all products of a feature of k1 and a feature of k2."""

    k1: Node
    k2: Node

    level = PRODUCT

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.k1, self.k2

    @property
    def text(self) -> str:
        return f"{self.k1.within(PRODUCT)}*{self.k2.within(POWER)}"

    @property
    def tex(self) -> str:
        return rf"{self.k1.set_within(PRODUCT)}\,{self.k2.set_within(POWER)}"

    @property
    def numpy(self) -> str:
        return f"({self.k1.numpy}) * ({self.k2.numpy})"

    @property
    def sign(self) -> int:
        return self.k1.sign * self.k2.sign

    @property
    def strict(self) -> bool:
        both_psd = self.k1.sign == 1 == self.k2.sign
        return both_psd and ((self.k1.strict and self.k2.lasting) or (self.k2.strict and self.k1.lasting))

    @property
    def lasting(self) -> bool:
        return self.k1.lasting and self.k2.lasting

    def dim(self, d: int) -> int | None:
        first, second = self.k1.dim(d), self.k2.dim(d)
        return None if first is None or second is None else small(first * second)

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

    def pull(self, X: Array, W: Array, Z: Array) -> Array:
        first, second = self.k1.values(X, Z), self.k2.values(X, Z)
        return self.k1.pull(X, W * second, Z) + self.k2.pull(X, W * first, Z)

    def slope(self, Z: Array) -> Array:
        first, second = self.k1.diag(Z)[:, None], self.k2.diag(Z)[:, None]
        return self.k1.slope(Z) * second + self.k2.slope(Z) * first
