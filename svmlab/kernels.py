"""The four kernels of the notes as small frozen callables, and the registry of them and of what is composed of them.

k(X, Z) is the (m, n) matrix of k(x_i, z_j) for X (m, d) and Z (n, d). Source: B and D, kernel sections; the printed
slips in their feature maps (K1, K2, K7 of the catalogue) are mended here. A new kernel is a class and its name in KERNELS.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from svmlab.arrays import Array
from svmlab.compiled import compiled
from svmlab.composed import Composed
from svmlab.errors import BadInput
from svmlab.kernel import Kernel, Parameter, Slider
from svmlab.monomials import monomials
from svmlab.phrase import N_, Phrase, together

SCALE = Parameter("scale", "s", 0.5, 0.001, 10.0, N_("The factor in front of the inner product."))
COEF0 = Parameter(
    "coef0", "c₀", 1.0, 0.0, 10.0, N_("The constant inside the kernel: how much the lower degrees count.")
)


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = <x, z>."""

    title = N_("linear")
    formula = r"\langle x,x'\rangle"
    sklearn = "kernel='linear'"
    numpy = "A @ B.T"
    plan = "linear"
    straight = True
    rotation_invariant = True

    def _values(self, X: Array, Z: Array) -> Array:
        return X @ Z.T

    def diag(self, X: Array) -> Array:
        return np.einsum("ij,ij->i", X, X)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return np.tile(c @ X, (len(Z), 1))

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        w = c @ X
        return w[0] * u[None, :] + w[1] * v[:, None]

    def feature_dim(self, d: int) -> int:
        return d

    def feature_map(self, X: Array) -> Array:
        return X

    def exponents(self, d: int) -> list[tuple[int, ...]]:
        return [a for a, _ in monomials(d, 1, constant=False)]


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (scale <x, z> + coef0)^degree, degree a whole number from 1 to 12, scale > 0.

    coef0 < 0 can be evaluated but is not positive semidefinite (K1 of the catalogue).
    """

    parameters = (
        Parameter("degree", N_("degree p"), 3, 1, 8, N_("Degree of the polynomial, 1 to 8."), whole=True),
        COEF0,
        SCALE,
    )
    title = N_("polynomial")
    formula = r"(s\,\langle x,x'\rangle+c_0)^{p}"
    numpy = "({scale} * A @ B.T + {coef0}) ** {degree}"
    plan = "({scale}*linear{coef0:+})**{degree}"
    rotation_invariant = True

    degree: int = 3
    coef0: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if int(self.degree) != self.degree or not 1 <= self.degree <= 12:
            raise BadInput("degree: {degree!r} is not a whole number from 1 to 12.", degree=self.degree)
        if self.scale <= 0:
            raise BadInput("scale: {scale!r} must be above 0.", scale=self.scale)
        object.__setattr__(self, "degree", int(self.degree))

    @property
    def psd(self) -> bool:
        return self.coef0 >= 0

    @property
    def sklearn(self) -> str:
        return f"kernel='poly', degree={self.degree}, gamma={self.scale!r}, coef0={self.coef0!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        return _power(self.scale * (X @ Z.T) + self.coef0, self.degree)

    def diag(self, X: Array) -> Array:
        return _power(self.scale * np.einsum("ij,ij->i", X, X) + self.coef0, self.degree)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        inner = _power(self.scale * (Z @ X.T) + self.coef0, self.degree - 1)
        return (self.degree * self.scale) * ((inner * c) @ X)

    def feature_dim(self, d: int) -> int:
        """Distinct monomials: binom(d + t, t), or binom(d + t - 1, t) for coef0 = 0 (K2)."""
        return math.comb(d + self.degree - (self.coef0 == 0), self.degree)

    def feature_map(self, X: Array) -> Array:
        """Coordinates sqrt(multinomial * coef0^(t-|a|) * scale^|a|) x^a over the exponents a with |a| <= t (K1)."""
        if self.coef0 < 0:
            raise BadInput(
                "coef0: {coef0:g} is negative, and no feature map exists then. Use coef0 >= 0.", coef0=self.coef0
            )
        powers = [[np.ones(len(X))] for _ in range(X.shape[1])]
        for column, own in zip(X.T, powers, strict=True):
            for _ in range(self.degree):
                own.append(own[-1] * column)
        exponents = monomials(X.shape[1], self.degree, constant=self.coef0 > 0)
        out = np.empty((len(X), len(exponents)))
        for k, (a, count) in enumerate(exponents):
            weight = count * self.scale ** sum(a) * self.coef0 ** (self.degree - sum(a))
            out[:, k] = math.sqrt(weight)
            for own, power in zip(powers, a, strict=True):
                if power:
                    out[:, k] *= own[power]
        return out

    def exponents(self, d: int) -> list[tuple[int, ...]]:
        return [a for a, _ in monomials(d, self.degree, constant=self.coef0 > 0)]


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, z) = exp(-|x - z|^2 / (2 sigma^2)), sigma > 0 a length in the units of x."""

    parameters = (
        Parameter(
            "sigma",
            "σ",
            1.0,
            0.05,
            20.0,
            N_("Width of the Gaussian, in the units of the board. Narrow follows every point, wide is nearly linear."),
            slider=Slider(N_("Width σ of the Gaussian"), -1, 1),
        ),
    )
    title = N_("Gaussian")
    formula = r"e^{-\|x-x'\|^2/(2\sigma^2)}"
    numpy = "np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / (2 * {sigma}**2))"
    plan = "gaussian({sigma})"
    separates = True
    rotation_invariant = True
    translation_invariant = True
    steady = True

    sigma: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sigma <= 0:
            raise BadInput("sigma: {sigma!r} must be above 0.", sigma=self.sigma)

    @property
    def sklearn(self) -> str:
        return f"kernel='rbf', gamma={1 / (2 * self.sigma**2)!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        out = np.empty((len(X), len(Z)))
        _squares(np.ascontiguousarray(X), np.ascontiguousarray(Z.T), -0.5 / self.sigma**2, out)
        return np.exp(out, out=out)

    def diag(self, X: Array) -> Array:
        return np.ones(len(X))

    def _field(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        K = self._values(Z, X)
        f = K @ c
        return f, (K @ (c[:, None] * X) - f[:, None] * Z) / self.sigma**2

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return self._field(X, c, Z)[1]

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        # exp separates by coordinate, so the whole grid is one matrix product.
        a = -0.5 / self.sigma**2
        return (np.exp(a * np.subtract.outer(v, X[:, 1]) ** 2) * c) @ np.exp(a * np.subtract.outer(X[:, 0], u) ** 2)


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """tanh(scale <x, z> + coef0): called a kernel in the notes, but in general not positive semidefinite (K12)."""

    parameters = (SCALE, COEF0)
    title = N_("sigmoid")
    subject = "tanh"
    formula = r"\tanh(s\,\langle x,x'\rangle+c_0)"
    numpy = "np.tanh({scale} * A @ B.T + {coef0})"
    plan = "tanh({scale}*linear{coef0:+})"
    psd = False
    rotation_invariant = True

    scale: float = 1.0
    coef0: float = 0.0

    @property
    def sklearn(self) -> str:
        return f"kernel='sigmoid', gamma={self.scale!r}, coef0={self.coef0!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        return np.tanh(self.scale * (X @ Z.T) + self.coef0)

    def diag(self, X: Array) -> Array:
        return np.tanh(self.scale * np.einsum("ij,ij->i", X, X) + self.coef0)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return self.scale * (((1 - self._values(Z, X) ** 2) * c) @ X)


KERNELS: dict[str, type[Kernel]] = {k.__name__.lower(): k for k in (Linear, Polynomial, Gaussian, Sigmoid, Composed)}


def named(which: Callable[[Kernel], bool]) -> Phrase:
    """The titles of the kernels of which something is true, for a sentence: linear, polynomial or Gaussian."""
    *most, last = [Phrase(kernel().title) for kernel in KERNELS.values() if which(kernel())]
    return Phrase("{most} or {last}", most=together(*most, by=", "), last=last) if most else last


def _squares_at_once(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """The same operations as in `_squares`, on all pairs."""
    out[:] = 0.0
    for k in range(len(Zt)):
        out += scale * np.subtract.outer(X[:, k], Zt[k]) ** 2


@partial(compiled, meanwhile=_squares_at_once)
def _squares(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """out_ij = scale |x_i - z_j|^2, Zt = Z': differences first, for |x|^2 + |z|^2 - 2<x, z> loses digits far from 0."""
    for i in range(len(X)):
        out[i] = 0.0
        for k in range(len(Zt)):
            for j in range(out.shape[1]):
                t = X[i, k] - Zt[k, j]
                out[i, j] += scale * (t * t)


def _power(base: Array, n: int) -> Array:
    """base^n by repeated multiplication: numpy's own power is slow for arrays."""
    out = np.ones_like(base)
    for _ in range(n):
        out = out * base
    return out
