"""The polynomial of a kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, as_fractions
from svmlab.kernels.composed.node import ATOM, POWER, Exponents, Node, dim_if_short, number_text, tex_number
from svmlab.kernels.monomials import monomials


@dataclass(frozen=True)
class Polynomial(Node):
    """The kernel p(k) = a_0 + a_1 k + ... + a_n k^n, written as k^n if all other coefficients are 0."""

    k: Node
    a: tuple[float, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.k,)

    @property
    def _is_power(self) -> bool:
        return self.a[-1] == 1 and not any(self.a[:-1])

    @property
    def precedence(self) -> int:
        return POWER if self._is_power else ATOM

    @property
    def text(self) -> str:
        if self._is_power:
            return f"{self.k.bracketed_text(ATOM)}**{len(self.a) - 1}"
        return f"p({self.k.text},{','.join(map(number_text, self.a))})"

    @property
    def tex(self) -> str:
        if self._is_power:
            return self._tex_power(len(self.a) - 1)
        terms = "".join(self._term(c, n) for n, c in enumerate(self.a) if c)
        return rf"\left({terms.removeprefix('+')}\right)"

    def _tex_power(self, n: int) -> str:
        return self.k.bracketed_tex(ATOM) + (f"^{{{n}}}" if n > 1 else "")

    def _term(self, c: float, n: int) -> str:
        size = tex_number(abs(c)) if n == 0 or abs(c) != 1 else ""
        return f"{'-' if c < 0 else '+'}{size}" + (self._tex_power(n) if n else "")

    @property
    def numpy(self) -> str:
        if self._is_power:
            return f"({self.k.numpy}) ** {len(self.a) - 1}"
        return f"(lambda k: {' + '.join(f'{c!r} * k**{n}' for n, c in enumerate(self.a) if c)})({self.k.numpy})"

    @property
    def definiteness(self) -> int:
        """The common sign of all terms, or 0: k^n has the sign of k to the power n, so -1 counts for odd n only."""
        signs = {int(np.sign(c)) * self.k.definiteness**n for n, c in enumerate(self.a) if c}
        return signs.pop() if len(signs) == 1 else 0

    @property
    def _odd(self) -> bool:
        return any(c for c in self.a[1::2])

    @property
    def strictly_definite(self) -> bool:
        return self._is_psd and self.k.strictly_definite and len(self.a) > 1

    @property
    def _is_psd(self) -> bool:
        return self.k.definiteness == 1 == self.definiteness

    @property
    def injective(self) -> bool:
        return self._is_psd and self.k.injective and self._odd

    @property
    def has_positive_diagonal(self) -> bool:
        return self._is_psd and (self.a[0] > 0 or self.k.has_positive_diagonal)

    def feature_dim(self, d: int) -> int | None:
        inner = self.k.feature_dim(d)
        if inner is None or not self._is_psd:
            return None
        return dim_if_short(sum(math.comb(inner + n - 1, n) for n, c in enumerate(self.a) if c))

    def features(self, X: Array) -> Array:
        """Return the coordinates sqrt(a_n times its multinomial) phi^e over the exponents e, |e| = n, for each n."""
        Phi = self.k.features(X)
        out = [
            math.sqrt(c * count) * np.prod(Phi ** np.array(e, dtype=int), axis=1)
            for n, c in enumerate(self.a)
            if c
            for e, count in monomials(Phi.shape[1], n, constant=False)
        ]
        return np.stack(out, 1)

    def exponents(self, d: int) -> Exponents | None:
        inner = self.k.exponents(d)
        if inner is None:
            return None
        inner_exponents = np.array(inner, dtype=int).reshape(len(inner), d)
        return [
            tuple((np.array(e, dtype=int) @ inner_exponents).tolist())
            for n, c in enumerate(self.a)
            if c
            for e, _ in monomials(len(inner), n, constant=False)
        ]

    def values(self, X: Array, Z: Array) -> Array:
        return self._value_at(self.k.values(X, Z))

    def fractions(self, X: Array, Z: Array) -> Array | None:
        inner = self.k.fractions(X, Z)
        return None if inner is None else np.asarray(sum(as_fractions(c) * inner**n for n, c in enumerate(self.a) if c))

    def diag(self, X: Array) -> Array:
        return self._value_at(self.k.diag(X))

    def _value_at(self, K: Array) -> Array:
        out = np.full_like(K, self.a[-1])
        for c in self.a[-2::-1]:
            out = out * K + c
        return out

    def _derivative_at(self, K: Array) -> Array:
        out = np.zeros_like(K)
        for n in range(len(self.a) - 1, 0, -1):
            out = out * K + n * self.a[n]
        return out

    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        return self.k.weighted_gradient(X, W * self._derivative_at(self.k.values(X, Z)), Z)

    def diagonal_gradient(self, Z: Array) -> Array:
        return self._derivative_at(self.k.diag(Z))[:, None] * self.k.diagonal_gradient(Z)
