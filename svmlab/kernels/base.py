"""What a kernel is, and what it says of itself, once for all: solvers, controls, link and code ask it, and never its
name.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_, Phrase
from svmlab.core.rules import LARGEST, LEAST, numbers
from svmlab.core.validate import validate_fields

WRITTEN = 10_000  # coordinates of a feature map that a w may have


def as_points(Z: Any, d: int | None = None) -> Array:
    """Z as floats (k, d), one row a place; any d >= 1 where it is left out. Raises BadInput naming the shape."""
    if not (isinstance(Z, np.ndarray) and Z.dtype == float):  # nan in such an array shows in the values
        Z = numbers("Z", Z)
    if Z.ndim != 2 or (Z.shape[1] != d if d is not None else Z.shape[1] == 0):
        width = "d" if d is None else d
        raise BadInput(
            (
                "Z: shape {shape} is not (k, {width}). Give one row for each place, with as many coordinates as "
                "the points."
            ),
            shape=Z.shape,
            width=width,
        )
    return Z


def overflow_error(C: float, size: float) -> BadInput:
    """What to raise where a price and kernel values of that size make numbers that doubles do not hold."""
    return BadInput(
        "C: {C:g} with kernel values as large as {size:.3g} leaves double precision. Standardise the "
        "points, or take a C "
        "nearer to {better:.0e}.",
        C=C,
        size=size,
        better=1 / size,
    )


@dataclass(frozen=True)
class Slider:
    """How a parameter is scrubbed under the board: what it is, and the ends of its scale, decimal logarithms."""

    title: str
    low: int
    high: int


@dataclass(frozen=True)
class Parameter:
    """One number of a kernel as a person sets it; kernels with a parameter of the same name share its control.

    name: the kernel's field. symbol: how the board writes it. default, low, high: what the board begins with, and its
    range (the kernel itself may take more). help: what it does, in a sentence. slider: where it is scrubbed as well.
    """

    name: str
    symbol: str
    default: float
    low: float
    high: float
    help: str
    whole: bool = False
    slider: Slider | None = None


@dataclass(frozen=True)
class Text:
    """A parameter that is a text, of at most `longest` characters: `read` makes it canonical or raises BadInput naming
    what is wrong.
    """

    name: str
    symbol: str
    default: str
    help: str
    read: Callable[[object], str]
    longest: int
    slider: ClassVar[None] = None


@dataclass(frozen=True)
class Kernel(ABC):
    """What every kernel offers. Values are checked at construction, shapes at every call; BadInput names what is
    wrong.
    """

    parameters: ClassVar[tuple[Parameter | Text, ...]] = ()  # one for each field
    plan: ClassVar[str] = ""  # its `recipe`, with its {fields} by name

    def __post_init__(self) -> None:
        validate_fields(self)

    # how it is called and written

    @property
    def name(self) -> str:
        """The kernel's name in lower case."""
        return type(self).__name__.lower()

    @property
    def title(self) -> str:
        """Its name within a sentence: the {title} kernel."""
        return self.name

    @property
    def subject(self) -> str:
        """What a sentence about it begins with."""
        return Phrase("The {kernel} kernel", kernel=self.title)

    @property
    def key(self) -> str:
        """A canonical expression, equal for equal kernels: Polynomial(degree=3,coef0=1.0,scale=1.0)."""
        inside = ",".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
        return f"{type(self).__name__}({inside})"

    @property
    @abstractmethod
    def formula(self) -> str:
        """k(x, x') in LaTeX."""

    @property
    @abstractmethod
    def sklearn(self) -> str:
        """The arguments of scikit-learn's SVC: a kernel that it has, or a function of two tables (arrays or lists;
        numpy is np).
        """

    @property
    @abstractmethod
    def numpy(self) -> str:
        """The matrix of k(a_i, b_j) for two arrays A and B in numpy (np), with its {fields} by name."""

    @property
    def recipe(self) -> str:
        """As a composed kernel writes it, to be built upon; empty where it cannot."""
        return self.plan.format(**vars(self))

    # what is true of it

    @property
    def psd(self) -> bool:
        """Whether theory makes every Gram matrix positive semidefinite."""
        return True

    @property
    def is_linear(self) -> bool:
        """Whether phi(x) = x: f is a straight line in the plane, w an arrow in it, and |w| measures the plane
        itself.
        """
        return False

    @property
    def separates_distinct_points(self) -> bool:
        """Whether distinct points always have linearly independent images: then only opposite twins are inseparable
        (K11).
        """
        return False

    @property
    def rotation_invariant(self) -> bool:
        """Whether turning all points about the origin leaves every k(x, x') as it is."""
        return False

    @property
    def translation_invariant(self) -> bool:
        """Whether moving all points leaves every k(x, x') as it is."""
        return False

    @property
    def is_reproducible(self) -> bool:
        """Whether an entry has the same bits whichever others are computed with it (BLAS sums in an order of its
        own).
        """
        return False

    def feature_dim(self, d: int) -> int | None:
        """Number of coordinates of `feature_map` for points in d dimensions; None where it is infinite or absent."""
        return None

    def has_short_feature_map(self, d: int) -> bool:
        """Whether `feature_map` has few enough coordinates to be written down: degree 6 in 53 dimensions has 45
        million.
        """
        features = self.feature_dim(d)
        return features is not None and features <= WRITTEN

    def feature_map(self, X: Array) -> Array:
        """Phi with <phi(x), phi(z)> = k(x, z), shape (m, feature_dim(d))."""
        raise BadInput(
            "The {kernel} kernel has no finite feature map. Use the dual, which needs only k(x, x').", kernel=self.name
        )

    def exponents(self, d: int) -> list[tuple[int, ...]] | None:
        """Where each coordinate of `feature_map` is a positive multiple of a monomial x^a: the exponents a (d,); else
        None.
        """
        return None

    def centred_kernel(self, X: Array) -> tuple[Kernel, Array] | None:
        """The h and g (m,) with sum c_i k(x_i, .) = sum c_i (g_i + h(x_i, .)) where sum c = 0, if h keeps digits on X
        that k loses.
        """
        return None

    # its values

    def __call__(self, X: Array, Z: Array) -> Array:
        """The matrix of k(x_i, z_j), shape (m, n). Raises BadInput where X and Z differ in their number of columns."""
        X = as_points(X)
        Z = as_points(Z, X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self._values(X, Z))

    def gradient(self, X: Array, c: Array, Z: Array) -> Array:
        """The gradient of z -> sum_i c_i k(x_i, z) at each row of Z, shape (n, d). Raises BadInput as a call does."""
        X = as_points(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self._gradient(X, c, as_points(Z, X.shape[1])))

    def value_and_gradient(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        """Both sum_i c_i k(x_i, z) (n,) and its gradient (n, d) at each row of Z. Raises BadInput as a call does."""
        X = as_points(X)
        with np.errstate(over="ignore", invalid="ignore"):
            f, g = self._value_and_gradient(X, c, as_points(Z, X.shape[1]))
        return self._finite(f), self._finite(g)

    def largest_diagonal(self, X: Array) -> float:
        """The largest |k(x_i, x_i)|, 1 where all are 0. Raises BadInput where it is too large or too small to calculate
        with.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            size = float(np.abs(self.diag(X)).max(initial=0.0))
            if size == 0 and not self.diag(X / (float(np.abs(X).max(initial=0.0)) or 1.0)).any():
                return 1.0
        if LEAST**2 <= size <= LARGEST**2:
            return size
        raise BadInput(
            "X: the largest value of the {kernel} kernel on these points is {size:.3g}, too {far} to calculate with. "
            "Standardise the points, or choose another kernel.",
            kernel=self.title,
            size=size,
            far=N_("small") if size < 1 else N_("large"),
        )

    def _finite(self, values: Array) -> Array:
        if math.isfinite(values.sum()):
            return values
        raise BadInput(
            "X, Z: the {kernel} kernel has no finite values here. Give finite numbers, and smaller ones.",
            kernel=self.title,
        )

    @abstractmethod
    def diag(self, X: Array) -> Array:
        """k(x_i, x_i), shape (m,)."""

    @abstractmethod
    def _values(self, X: Array, Z: Array) -> Array: ...

    @abstractmethod
    def _gradient(self, X: Array, c: Array, Z: Array) -> Array: ...

    def _value_and_gradient(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        return self._sum(X, c, Z), self._gradient(X, c, Z)

    def _sum(self, X: Array, c: Array, Z: Array) -> Array:
        return c @ self._values(X, Z)

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        """sum_i c_i k(x_i, (u_j, v_i)) on a grid of the plane, shape (len(v), len(u)); X has two columns."""
        U, V = np.meshgrid(u, v)
        return self._sum(X, c, np.stack([U.ravel(), V.ravel()], 1)).reshape(U.shape)
