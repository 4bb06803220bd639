"""The kernels of the lecture notes as small frozen callables, and the registry of all kernels.

k(X, Z) is the (m, n) matrix of k(x_i, z_j) for X (m, d) and Z (n, d). Source: notes B and D, sections on kernels. The
errors in the feature maps as printed there (K1, K2, K7 of the catalogue) are corrected here. To add a kernel, write a
class and put it into KERNELS.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, as_fractions
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.core.rules import Number, Positive, WholeNumber
from svmlab.kernels.base import Kernel, Parameter, Slider
from svmlab.kernels.centred_gaussian import centred_gaussian
from svmlab.kernels.composed import Composed
from svmlab.kernels.distances import integer_power, squared_distances, squared_lengths
from svmlab.kernels.monomials import monomials

SCALE = Parameter("scale", "s", 0.5, 0.001, 10.0, N_("The factor in front of the inner product."))
COEF0 = Parameter(
    "coef0",
    "c₀",
    1.0,
    0.0,
    10.0,
    N_("The constant inside the kernel. The larger it is, the larger is the weight of the lower degrees."),
)


@dataclass(frozen=True)
class Linear(Kernel):
    """The linear kernel k(x, z) = <x, z>."""

    title = N_("linear")
    formula = r"\langle x,x'\rangle"
    sklearn = "kernel='linear'"
    numpy = "A @ B.T"
    recipe_template = "linear"
    is_linear = True
    rotation_invariant = True
    distances_translation_invariant = True

    def _values(self, X: Array, Z: Array) -> Array:
        return X @ Z.T

    def diag(self, X: Array) -> Array:
        return squared_lengths(X)

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

    def fractions(self, X: Array, Z: Array) -> Array:
        return X @ Z.T


@dataclass(frozen=True)
class Polynomial(Kernel):
    """The polynomial kernel k(x, z) = (scale <x, z> + coef0)^degree, degree a whole number from 1 to 12, scale > 0.

    coef0 < 0 can be evaluated, but the kernel is then not positive semidefinite (K1 of the catalogue).
    """

    parameters = (
        Parameter("degree", N_("degree p"), 3, 1, 8, N_("Degree of the polynomial, 1 to 8."), whole=True),
        COEF0,
        SCALE,
    )
    title = N_("polynomial")
    formula = r"(s\,\langle x,x'\rangle+c_0)^{p}"
    numpy = "({scale} * A @ B.T + {coef0}) ** {degree}"
    recipe_template = "({scale}*linear{coef0:+})**{degree}"
    rotation_invariant = True

    degree: Annotated[int, WholeNumber(1, 12)] = 3
    coef0: float = 1.0
    scale: Positive = 1.0

    def __post_init__(self) -> None:
        _refuse_scaling_by_data("scale", self.scale)
        super().__post_init__()

    @property
    def psd(self) -> bool:
        return self.coef0 >= 0

    @property
    def sklearn(self) -> str:
        return f"kernel='poly', degree={self.degree}, gamma={self.scale!r}, coef0={self.coef0!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        return integer_power(self.scale * (X @ Z.T) + self.coef0, self.degree)

    def diag(self, X: Array) -> Array:
        return integer_power(self.scale * squared_lengths(X) + self.coef0, self.degree)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        inner = integer_power(self.scale * (Z @ X.T) + self.coef0, self.degree - 1)
        return (self.degree * self.scale) * ((inner * c) @ X)

    def feature_dim(self, d: int) -> int:
        """Return the number of monomials: binom(d + t, t), or binom(d + t - 1, t) for coef0 = 0, t = degree (K2)."""
        return math.comb(d + self.degree - (self.coef0 == 0), self.degree)

    def feature_map(self, X: Array) -> Array:
        """Return the coordinates sqrt(multinomial * coef0^(t-|a|) * scale^|a|) x^a over all a with |a| <= t (K1)."""
        if self.coef0 < 0:
            raise BadInput(
                "coef0: {coef0:g} is negative, so there is no feature map. Use coef0 >= 0.", coef0=self.coef0
            )
        powers = [[np.ones(len(X))] for _ in range(X.shape[1])]
        for column, column_powers in zip(X.T, powers, strict=True):
            for _ in range(self.degree):
                column_powers.append(column_powers[-1] * column)
        exponents = monomials(X.shape[1], self.degree, constant=self.coef0 > 0)
        columns = np.empty((len(exponents), len(X)))
        for feature, (a, count) in zip(columns, exponents, strict=True):
            weight = count * self.scale ** sum(a) * self.coef0 ** (self.degree - sum(a))
            feature[:] = math.sqrt(weight)
            for column_powers, power in zip(powers, a, strict=True):
                if power:
                    feature *= column_powers[power]
        return np.ascontiguousarray(columns.T)

    def exponents(self, d: int) -> list[tuple[int, ...]]:
        return [a for a, _ in monomials(d, self.degree, constant=self.coef0 > 0)]

    def fractions(self, X: Array, Z: Array) -> Array:
        return np.asarray((as_fractions(self.scale) * (X @ Z.T) + as_fractions(self.coef0)) ** self.degree)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """The Gaussian kernel k(x, z) = exp(-|x - z|^2 / (2 sigma^2)), sigma > 0 a length in the units of x.

    Gaussian(gamma=1 / (2 sigma^2)) is the same kernel. sigma is stored, so `gamma` equals the given one up to rounding.
    Raises BadInput if both are given.
    """

    parameters = (
        Parameter(
            "sigma",
            "σ",
            1.0,
            0.05,
            20.0,
            N_(
                "Width of the Gaussian, in the units of the board. With a small width the boundary bends around "
                "single points. With a large one it is nearly a line."
            ),
            slider=Slider(N_("Width σ of the Gaussian"), -1, 1),
        ),
    )
    title = N_("Gaussian")
    formula = r"e^{-\|x-x'\|^2/(2\sigma^2)}"
    numpy = "np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / (2 * {sigma}**2))"
    recipe_template = "gaussian({sigma})"
    separates_distinct_points = True
    rotation_invariant = True
    translation_invariant = True
    is_reproducible = True

    sigma: Positive = 1.0

    def __init__(self, sigma: float | None = None, *, gamma: float | None = None) -> None:
        if gamma is not None:
            sigma = _sigma_of_gamma(sigma, gamma)
        _refuse_scaling_by_data("sigma", sigma, "gamma")
        object.__setattr__(self, "sigma", 1.0 if sigma is None else sigma)
        self.__post_init__()

    @property
    def gamma(self) -> float:
        """The value 1 / (2 sigma^2), which is scikit-learn's parameter for the width."""
        return 0.5 / self.sigma**2

    @property
    def sklearn(self) -> str:
        return f"kernel='rbf', gamma={self.gamma!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        out = np.empty((len(X), len(Z)))
        squared_distances(np.ascontiguousarray(X), np.ascontiguousarray(Z.T), -0.5 / self.sigma**2, out)
        return np.exp(out, out=out)

    def diag(self, X: Array) -> Array:
        return np.ones(len(X))

    def _largest_diagonal(self, X: Array) -> float:
        return 1.0

    def centred_kernel(self, X: Array, widest_spread: float | None = None) -> tuple[Kernel, Array] | None:
        return centred_gaussian(self.sigma, X, widest_spread)

    def _value_and_gradient(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        K = self._values(Z, X)
        f = K @ c
        return f, (K @ (c[:, None] * X) - f[:, None] * Z) / self.sigma**2

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return self._value_and_gradient(X, c, Z)[1]

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        # exp(-|x - z|^2 / ...) is a product over the coordinates, so the whole grid is one matrix product.
        a = -0.5 / self.sigma**2
        return (np.exp(a * np.subtract.outer(v, X[:, 1]) ** 2) * c) @ np.exp(a * np.subtract.outer(X[:, 0], u) ** 2)


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """The function tanh(scale <x, z> + coef0), called a kernel in the notes, but in general not psd (K12)."""

    parameters = (SCALE, COEF0)
    title = N_("sigmoid")
    subject = "tanh"
    formula = r"\tanh(s\,\langle x,x'\rangle+c_0)"
    numpy = "np.tanh({scale} * A @ B.T + {coef0})"
    recipe_template = "tanh({scale}*linear{coef0:+})"
    psd = False
    rotation_invariant = True

    scale: float = 1.0
    coef0: float = 0.0

    def __post_init__(self) -> None:
        _refuse_scaling_by_data("scale", self.scale)
        super().__post_init__()

    @property
    def sklearn(self) -> str:
        return f"kernel='sigmoid', gamma={self.scale!r}, coef0={self.coef0!r}"

    def _values(self, X: Array, Z: Array) -> Array:
        return np.tanh(self.scale * (X @ Z.T) + self.coef0)

    def diag(self, X: Array) -> Array:
        return np.tanh(self.scale * squared_lengths(X) + self.coef0)

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        return self.scale * (((1 - self._values(Z, X) ** 2) * c) @ X)


KERNELS: dict[str, type[Kernel]] = {k.__name__.lower(): k for k in (Linear, Polynomial, Gaussian, Sigmoid, Composed)}


def _sigma_of_gamma(sigma: object, gamma: object) -> float:
    if sigma is not None:
        raise BadInput(
            "gamma: {gamma} is given together with sigma = {sigma}. Give only one of them, because gamma = 1 / "
            "(2 sigma^2).",
            gamma=quoted(gamma),
            sigma=quoted(sigma),
        )
    _refuse_scaling_by_data("gamma", gamma)
    return math.sqrt(0.5 / Number(above=0.0)("gamma", gamma))


def _refuse_scaling_by_data(field: str, value: object, written: str = "") -> None:
    """Raise BadInput for the two words of scikit-learn whose value depends on the points, not on the kernel."""
    formula = (
        {"scale": "1 / (X.shape[1] * X.var())", "auto": "1 / X.shape[1]"}.get(value) if isinstance(value, str) else None
    )
    if formula:
        raise BadInput(
            "{field}: {value} depends on the points, but a kernel is defined without points. Write "
            "{written}={formula}, or use svmlab.sklearn.ExactSVC(gamma={value}).",
            field=field,
            value=quoted(value),
            written=written or field,
            formula=formula,
        )


def titles_where(which: Callable[[Kernel], bool]) -> Phrase:
    """Return the titles of the kernels with some property, for a sentence: linear, polynomial or Gaussian."""
    *most, last = [Phrase(kernel().title) for kernel in KERNELS.values() if which(kernel())]
    return Phrase("{most} or {last}", most=join_phrases(*most, separator=", "), last=last) if most else last
