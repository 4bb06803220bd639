"""The base class of all kernels. Solvers, controls, links and generated code use only the properties defined here."""

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
from svmlab.core.rules import LARGEST_MAGNITUDE, SMALLEST_MAGNITUDE, finite_array
from svmlab.core.validate import validate_fields
from svmlab.kernels.distances import largest_absolute

LARGEST_FEATURE_DIM = 10_000  # the largest dimension of a feature map for which w is written down


def as_points(Z: Any, d: int | None = None) -> Array:
    """Return Z as floats (k, d), one row for each point, with any d >= 1 by default. Raises BadInput for the shape."""
    if not (isinstance(Z, np.ndarray) and Z.dtype == float):  # nan in such an array shows in the kernel values
        Z = finite_array("Z", Z)
    if Z.ndim != 2 or (Z.shape[1] != d if d is not None else Z.shape[1] == 0):
        width = "d" if d is None else d
        raise BadInput(
            "Z: shape {shape} is not (k, {width}). Give one row for each point, with as many coordinates as the "
            "training points.",
            shape=Z.shape,
            width=width,
        )
    return Z


def overflow_error(C: float, size: float) -> BadInput:
    """Return the error for a C and kernel values of this size whose product leaves double precision."""
    return BadInput(
        "C: {C:g} with kernel values as large as {size:.3g} is outside the range of double precision. "
        "Standardise the points, or choose a C closer to {better:.0e}.",
        C=C,
        size=size,
        better=1 / size,
    )


@dataclass(frozen=True)
class Slider:
    """The slider of a parameter under the board: its title, and the decimal logarithms of the ends of its scale."""

    title: str
    low: int
    high: int


@dataclass(frozen=True)
class Parameter:
    """One number of a kernel that a person sets. Kernels with a parameter of the same name share its control.

    name: the kernel's field. symbol: how the board writes it. default, low, high: the value at the start, and the range
    on the board (the kernel itself may accept more). help: one sentence that says what it does. slider: its slider, if
    it also has one. Only a width has one: lessons play it, and call a kernel with a larger value smoother.
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
class TextParameter:
    """A parameter that is a text of at most `longest` characters.

    `read` returns its canonical form, or raises BadInput, which names what is wrong.
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
    """The base class of every kernel.

    Values are checked at construction, and shapes at every call. BadInput names what is wrong.
    """

    parameters: ClassVar[tuple[Parameter | TextParameter, ...]] = ()  # one for each field
    recipe_template: ClassVar[str] = ""  # a template of `recipe`, with the kernel's fields in braces

    def __post_init__(self) -> None:
        validate_fields(self)

    # how the kernel is called and written

    @property
    def name(self) -> str:
        """Return the kernel's name in lower case."""
        return type(self).__name__.lower()

    @property
    def title(self) -> str:
        """The name within a sentence: the {title} kernel."""
        return self.name

    @property
    def subject(self) -> str:
        """The subject of a sentence about this kernel."""
        return Phrase("The {kernel} kernel", kernel=self.title)

    @property
    def key(self) -> str:
        """Return a canonical expression, equal for equal kernels: Polynomial(degree=3,coef0=1.0,scale=1.0)."""
        inside = ",".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
        return f"{type(self).__name__}({inside})"

    @property
    @abstractmethod
    def formula(self) -> str:
        """The formula k(x, x') in LaTeX."""

    @property
    @abstractmethod
    def sklearn(self) -> str:
        """Return the arguments for scikit-learn's SVC, as program text.

        They name one of its kernels, or define a function of two tables (arrays or lists; numpy is np).
        """

    @property
    @abstractmethod
    def numpy(self) -> str:
        """Return the matrix of k(a_i, b_j) for arrays A and B as numpy code (np), with the kernel's {fields}."""

    @property
    def recipe(self) -> str:
        """The text of this kernel in the recipe of a composed kernel, or an empty text if it has none."""
        return self.recipe_template.format(**vars(self))

    # mathematical properties

    @property
    def psd(self) -> bool:
        """Whether every Gram matrix is positive semidefinite, by theory."""
        return True

    @property
    def is_linear(self) -> bool:
        """Whether phi(x) = x.

        Then f = 0 is a straight line in the plane, w is an arrow in it, and |w| is a length in the plane itself.
        """
        return False

    @property
    def separates_distinct_points(self) -> bool:
        """Whether distinct points always have linearly independent images in feature space.

        Then only equal points with opposite labels are inseparable (K11).
        """
        return False

    @property
    def rotation_invariant(self) -> bool:
        """Whether a rotation of all points about the origin leaves every k(x, x') unchanged."""
        return False

    @property
    def translation_invariant(self) -> bool:
        """Whether a translation of all points leaves every k(x, x') unchanged."""
        return False

    @property
    def distances_translation_invariant(self) -> bool:
        """Whether a translation of all points leaves every k(x, x) + k(x', x') - 2 k(x, x') unchanged."""
        return self.translation_invariant

    @property
    def is_reproducible(self) -> bool:
        """Whether an entry of the Gram matrix has the same bits whichever other entries are computed with it.

        A product by BLAS is not reproducible in this sense, because BLAS chooses the order of its sums.
        """
        return False

    def feature_dim(self, d: int) -> int | None:
        """Return the number of coordinates of `feature_map` for points in d dimensions; None if infinite or absent."""
        return None

    def has_short_feature_map(self, d: int) -> bool:
        """Return whether `feature_map` has few enough coordinates to write them down.

        Degree 6 in 53 dimensions has 45 million.
        """
        features = self.feature_dim(d)
        return features is not None and features <= LARGEST_FEATURE_DIM

    def feature_map(self, X: Array) -> Array:
        """Return phi(x_i) with <phi(x), phi(z)> = k(x, z), shape (m, feature_dim(d))."""
        raise BadInput(
            "The {kernel} kernel has no finite feature map. Use the dual, which needs only k(x, x').", kernel=self.name
        )

    def exponents(self, d: int) -> list[tuple[int, ...]] | None:
        """Return the exponents a (d,) if each coordinate of `feature_map` is a positive multiple of a monomial x^a.

        Otherwise return None.
        """
        return None

    def centred_kernel(self, X: Array, widest_spread: float | None = None) -> tuple[Kernel, Array] | None:
        """Return a kernel h and g (m,) that represent the same functions as k with fewer digits lost on X, or None.

        sum_i c_i k(x_i, .) = sum_i c_i (g_i + h(x_i, .))    if sum_i c_i = 0

        h(x, z) = <phi(x) - phi(o), phi(z) - phi(o)> and g_i = <phi(x_i) - phi(o), phi(o)> for a point o among X (m, d),
        m > 0. widest_spread: the largest distance between the points, in units of the kernel's width. The default is
        what the solvers need.
        """
        return None

    def fractions(self, X: Array, Z: Array) -> Array | None:
        """Return the matrix of k(x_i, z_j), shape (m, n), without rounding, for arrays of fractions, or None."""
        return None

    # values

    def __call__(self, X: Array, Z: Array) -> Array:
        """Return the matrix of k(x_i, z_j), shape (m, n). Raises BadInput if X and Z differ in their columns."""
        X = as_points(X)
        Z = as_points(Z, X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self._values(X, Z))

    def gradient(self, X: Array, c: Array, Z: Array) -> Array:
        """Return the gradient of z -> sum_i c_i k(x_i, z) at each row of Z, shape (n, d). Raises BadInput as a call."""
        X = as_points(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self._gradient(X, c, as_points(Z, X.shape[1])))

    def value_and_gradient(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        """Return sum_i c_i k(x_i, z) (n,) and its gradient (n, d) at each row of Z. Raises BadInput as a call."""
        X = as_points(X)
        with np.errstate(over="ignore", invalid="ignore"):
            f, g = self._value_and_gradient(X, c, as_points(Z, X.shape[1]))
        return self._finite(f), self._finite(g)

    def largest_diagonal(self, X: Array) -> float:
        """Return the largest |k(x_i, x_i)|, or 1 if all are 0.

        Raises BadInput if it is too large or too small to calculate with.
        """
        size = self._largest_diagonal(X)
        if size == 0:
            with np.errstate(over="ignore", invalid="ignore"):
                if not self.diag(X / (float(np.abs(X).max(initial=0.0)) or 1.0)).any():
                    return 1.0
        if SMALLEST_MAGNITUDE**2 <= size <= LARGEST_MAGNITUDE**2:
            return size
        raise BadInput(
            "X: the largest value of the {kernel} kernel on these points is {size:.3g}, which is too {extent} to "
            "calculate with. Standardise the points, or choose another kernel.",
            kernel=self.title,
            size=size,
            extent=N_("small") if size < 1 else N_("large"),
        )

    def _largest_diagonal(self, X: Array) -> float:
        """Return the largest |k(x_i, x_i)|, or 0 without points."""
        with np.errstate(over="ignore", invalid="ignore"):
            return largest_absolute(self.diag(X))

    def _finite(self, values: Array) -> Array:
        if math.isfinite(values.sum()):
            return values
        raise BadInput(
            "X, Z: the {kernel} kernel has no finite values here. Give finite numbers that are smaller.",
            kernel=self.title,
        )

    @abstractmethod
    def diag(self, X: Array) -> Array:
        """Return k(x_i, x_i), shape (m,)."""

    @abstractmethod
    def _values(self, X: Array, Z: Array) -> Array: ...

    @abstractmethod
    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        """Return the gradient of sum_i c_i k(x_i, z) at each row of Z; where there is none, any limit of gradients."""

    def _value_and_gradient(self, X: Array, c: Array, Z: Array) -> tuple[Array, Array]:
        return self._expansion(X, c, Z), self._gradient(X, c, Z)

    def _expansion(self, X: Array, c: Array, Z: Array) -> Array:
        return c @ self._values(X, Z)

    def grid(self, X: Array, c: Array, u: Array, v: Array) -> Array:
        """Return sum_i c_i k(x_i, (u_j, v_i)) on a grid of the plane, shape (len(v), len(u)); X has two columns."""
        U, V = np.meshgrid(u, v)
        return self._expansion(X, c, np.stack([U.ravel(), V.ravel()], 1)).reshape(U.shape)
