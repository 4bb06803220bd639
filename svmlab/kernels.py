"""The four kernels of the notes as small frozen callables.

k(X, Z) is the (m, n) matrix of k(x_i, z_j) for X (m, d) and Z (n, d). Source: B and D, kernel sections; the printed
slips in their feature maps (K1, K2, K7 of the catalogue) are mended here.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from svmlab.arrays import Array
from svmlab.compiled import compiled
from svmlab.errors import BadInput
from svmlab.monomials import monomials


def places(Z: Any, d: int | None = None) -> Array:
    """Z as floats (k, d), one row a place; any d >= 1 where it is left out. Raises BadInput naming the shape."""
    try:
        Z = np.asarray(Z, dtype=float)
    except (TypeError, ValueError) as error:
        raise BadInput(f"Z must be a table of numbers with rows of equal length: {error}.") from error
    if Z.ndim != 2 or (Z.shape[1] != d if d is not None else Z.shape[1] == 0):
        width = "d" if d is None else d
        raise BadInput(
            f"Z: shape {Z.shape} is not (k, {width}). Give one row for each place, with as many coordinates as the points."
        )
    return Z


@dataclass(frozen=True)
class Kernel(ABC):
    """What every kernel offers. Values are checked at construction, shapes at every call; BadInput names what is wrong."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int | float | np.number) or not math.isfinite(value):
                raise BadInput(f"{field.name}: {value!r} is not a finite number.")

    @property
    def name(self) -> str:
        """The kernel's name in lower case."""
        return type(self).__name__.lower()

    @property
    def key(self) -> str:
        """A canonical expression, equal for equal kernels: Polynomial(degree=3,coef0=1.0,scale=1.0)."""
        inside = ",".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
        return f"{type(self).__name__}({inside})"

    @property
    def psd(self) -> bool:
        """Whether theory makes every Gram matrix positive semidefinite."""
        return True

    @property
    @abstractmethod
    def formula(self) -> str:
        """k(x, x') in LaTeX."""

    def __call__(self, X: Array, Z: Array) -> Array:
        """The matrix of k(x_i, z_j), shape (m, n). Raises BadInput where X and Z differ in their number of columns."""
        X = places(X)
        return self._values(X, places(Z, X.shape[1]))

    def gradient(self, X: Array, c: Array, Z: Array) -> Array:
        """The gradient of z -> sum_i c_i k(x_i, z) at each row of Z, shape (n, d). Raises BadInput as a call does."""
        return self._gradient(X, c, places(Z, X.shape[1]))

    def field(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        """Both sum_i c_i k(x_i, z) (n,) and its gradient (n, d) at each row of Z. Raises BadInput as a call does."""
        return self._field(X, c, places(Z, X.shape[1]))

    @abstractmethod
    def diag(self, X: Array) -> Array:
        """k(x_i, x_i), shape (m,)."""

    @abstractmethod
    def _values(self, X: Array, Z: Array) -> Array: ...

    @abstractmethod
    def _gradient(self, X: Array, c: Array, Z: Array) -> Array: ...

    def _field(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        return c @ self._values(X, Z), self._gradient(X, c, Z)

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        """sum_i c_i k(x_i, (u_j, v_i)) on a grid of the plane, shape (len(v), len(u)); X has two columns."""
        U, V = np.meshgrid(u, v)
        return (c @ self(X, np.stack([U.ravel(), V.ravel()], 1))).reshape(U.shape)

    def feature_dim(self, d: int) -> int | None:
        """Number of coordinates of `feature_map` for points in d dimensions; None where it is infinite or absent."""
        return None

    def feature_map(self, X: Array) -> Array:
        """Phi with <phi(x), phi(z)> = k(x, z), shape (m, feature_dim(d))."""
        raise BadInput(f"The {self.name} kernel has no finite feature map. Use the dual, which needs only k(x, x').")


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = <x, z>."""

    @property
    def formula(self) -> str:
        return r"\langle x, x' \rangle"

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


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (scale <x, z> + coef0)^degree, degree a whole number from 1 to 12, scale > 0.

    coef0 < 0 can be evaluated but is not positive semidefinite (K1 of the catalogue).
    """

    degree: int = 3
    coef0: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if int(self.degree) != self.degree or not 1 <= self.degree <= 12:
            raise BadInput(f"degree: {self.degree!r} is not a whole number from 1 to 12.")
        if self.scale <= 0:
            raise BadInput(f"scale: {self.scale!r} must be above 0.")
        object.__setattr__(self, "degree", int(self.degree))

    @property
    def psd(self) -> bool:
        return self.coef0 >= 0

    @property
    def formula(self) -> str:
        return r"(s\,\langle x, x' \rangle + c_0)^{p}"

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
            raise BadInput(f"coef0: {self.coef0:g} is negative, and no feature map exists then. Use coef0 >= 0.")
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


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, z) = exp(-|x - z|^2 / (2 sigma^2)), sigma > 0 a length in the units of x."""

    sigma: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sigma <= 0:
            raise BadInput(f"sigma: {self.sigma!r} must be above 0.")

    @property
    def formula(self) -> str:
        return r"\exp\!\left(-\frac{\|x - x'\|^2}{2\sigma^2}\right)"

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

    scale: float = 1.0
    coef0: float = 0.0

    @property
    def psd(self) -> bool:
        return False

    @property
    def formula(self) -> str:
        return r"\tanh(s\,\langle x, x' \rangle + c_0)"

    def _values(self, X: Array, Z: Array) -> Array:
        return np.tanh(self.scale * (X @ Z.T) + self.coef0)

    def diag(self, X: Array) -> Array:
        return np.tanh(self.scale * np.einsum("ij,ij->i", X, X) + self.coef0)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return self.scale * (((1 - self._values(Z, X) ** 2) * c) @ X)


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
